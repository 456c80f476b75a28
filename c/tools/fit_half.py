#!/usr/bin/env python3
"""Fits the tables for float16 and bfloat16: writes
c/src/tables/table_half_<function>.h, and tables_half.h, which includes them all.

    python c/tools/fit_half.py            all functions, same bytes every time
    python c/tools/fit_half.py gelu silu  these alone
    python c/tools/fit_half.py --check    refits all and compares

One table serves both types (kernel_half.h).  Its row k gives

    T(t) = a + r*(p0 + r*(p1 + r*(p2 + r*p3))),  r = t*(alpha*t + beta) - k,

with T as in fit_f32.py, less t/2 in the first row of a FORWARD function.  No
row is fitted to T: what counts is that each of the 65,536 results becomes the
correctly rounded one when it is narrowed to 16 bits.  So every input gives two
linear inequalities for the coefficients of its row, between the two midpoints
that enclose the exact result, and a linear program finds the coefficients that
keep furthest from all midpoints, in units of float32's rounding errors.  (The
idea is that of J. P. Lim and S. Nagarakatte, "High performance correctly
rounded math libraries for 32-bit floating point representations", PLDI 2021.)
The coefficients are rounded to float32 one after another, highest order first,
each time solving for the others anew; p2 and p3 share 32 bits.

Near zero f(x) is x/2 or f(0) and a hair, and ties are common.  There the last
rounding to float32 is part of the inequalities, and so is the rule that a tie
goes to the even side; the margin left is less than the other rounding errors,
and a search among neighbouring coefficients does the rest.

Last, all inputs are run through a model of the kernel's arithmetic, with fma
and without, and nothing is written unless every one comes out right.
"""

import argparse
import sys

import numpy as np
from fit_f32 import SPECS, TABLES, f32, literal, mp, mpf

mp.prec = 160
MAGIC = mpf(3 * 2**22)  # 1.5 * 2^23: adding it rounds to an integer
ROWS = 32  # near ones; the last is the zero row
ALL_ROWS = 96
DEGREE = 4
P3_SHIFT = 18  # p3 is the lowest 32 - P3_SHIFT bits of the float p2, moved to the top
SCALE = 96  # far rows are stored times 2^SCALE, as in fit_f32.py
F32_ULP = 2.0**-24
TINY = 2.0**-60  # below, a bfloat16 result is x/2 or f(0): kernel_half.h
STEPS = 4  # of the lowest coefficient, up and down, in the search
TRIALS = 16  # of slightly other shapes, likewise
ITERATIONS = 300  # of the simplex method; some twenty are usual

# Near rows per unit of t at 0, in units of the mean, to begin the search with;
# and half the width of a far row times the logarithmic derivative.
SHAPES = {
    "gelu": (1.2, 0.9),
    "gelu_tanh": (1.2, 0.9),
    "gelu_grad": (1.4, 0.9),
    "gelu_tanh_grad": (1.4, 0.9),
    "quick_gelu": (1.5, 0.9),
    "quick_gelu_grad": (1.55, 0.9),
    "silu": (1.518, 0.9),
    "silu_grad": (1.65, 0.9),
    "sigmoid": (1.4, 0.9),
    "sigmoid_grad": (1.4, 0.9),
    "normal_cdf": (1.2, 0.9),
    "normal_cdf_grad": (1.2, 0.9),
}


# ---- the 16-bit types ------------------------------------------------------


class Format:
    def __init__(self, precision, least):
        """precision: bits of the significand; least: the exponent of the smallest normal."""
        self.precision, self.least = precision, least

    def between(self, v):
        """The interval of the reals that round to the same number as v does, and whether it is
        closed: a float16 midpoint goes to the even side, a bfloat16 one is to be avoided."""
        if v < 0:
            low, high, closed = self.between(-v)
            return -high, -low, closed
        exponent = max(int(mp.frexp(v)[1]) - 1, self.least)
        unit = mp.ldexp(1, exponent - self.precision + 1)
        n = mp.nint(v / unit)
        assert abs(v / unit - n) != mpf("0.5")
        power = n == 2 ** (self.precision - 1) and exponent > self.least
        low = (n - (mpf("0.25") if power else mpf("0.5"))) * unit if n else mpf(0)
        return low, (n + mpf("0.5")) * unit, self is FLOAT16 and n % 2 == 0


FLOAT16, BFLOAT16 = Format(11, -14), Format(8, -126)


def positive_inputs(format):
    """All finite positive numbers of the format, as float32."""
    if format is FLOAT16:
        return np.arange(1, 0x7C00, dtype=np.uint16).view(np.float16).astype(np.float32)
    return (np.arange(1, 0x7F80, dtype=np.uint32) << 16).view(np.float32)


# ---- float32 arithmetic on arrays -----------------------------------------


def fused(a, b, c):
    """a*b + c rounded once: through double, whose sum is made odd where it is inexact."""
    a, b, c = (np.asarray(v, np.float64) for v in (a, b, c))
    p = a * b
    s = p + c
    z = s - p
    error = (p - (s - z)) + (c - z)
    bits = np.array(s, ndmin=1).view(np.int64)
    toward_zero = (error != 0) & ((error > 0) != (s > 0))
    odd = np.where(error != 0, (bits - toward_zero) | 1, bits)
    return odd.view(np.float64).astype(np.float32)


def plain(a, b, c):
    """a*b + c rounded twice, where there is no fma."""
    return np.asarray(a, np.float32) * np.asarray(b, np.float32) + np.asarray(c, np.float32)


def half_ulp(v):
    return np.ldexp(1.0, np.maximum(np.frexp(v)[1], -125) - 25)


def float_bits(v):
    return int(np.float32(v).view(np.uint32))


def from_bits(u):
    return np.uint32(u).view(np.float32)


# ---- the linear program ----------------------------------------------------


def solve(A, b):
    """The small system A z = b, in Python's floats: the same bits everywhere."""
    n = len(b)
    rows = [[float(v) for v in A[i]] + [float(b[i])] for i in range(n)]
    for c in range(n):
        pivot = max(range(c, n), key=lambda i: abs(rows[i][c]))
        rows[c], rows[pivot] = rows[pivot], rows[c]
        if rows[c][c] == 0:
            raise ArithmeticError("singular")
        for i in range(c + 1, n):
            factor = rows[i][c] / rows[c][c]
            for j in range(c, n + 1):
                rows[i][j] -= factor * rows[c][j]
    z = [0.0] * n
    for i in reversed(range(n)):
        z[i] = (rows[i][n] - sum(rows[i][j] * z[j] for j in range(i + 1, n))) / rows[i][i]
    return z


def widest(r, powers, low, high, weight):
    """The coefficients of powers of r for which low + m*weight <= polynomial <= high - m*weight
    holds with the largest m; and m.  The dual simplex method: it begins with inequalities at
    points in order, alternately above and below, as does Remez's exchange."""
    d, n = len(powers), len(r)
    columns = [r**p / weight for p in powers]
    A = np.stack([np.concatenate([c, -c]) for c in columns] + [np.ones(2 * n)], axis=1)
    b = np.concatenate([high / weight, -low / weight])
    points, first = np.unique(r, return_index=True)
    last = len(points) - 1
    at = [round(last * (0.5 - 0.5 * np.cos(np.pi * i / d))) for i in range(d + 1)]
    for i in range(1, d + 1):
        at[i] = max(at[i], at[i - 1] + 1)
    for i in range(d + 1):
        at[i] = min(at[i], last - (d - i))
    basis = [int(first[at[i]]) + (n if i % 2 else 0) for i in range(d + 1)]
    for _ in range(ITERATIONS):
        z = solve(A[basis], b[basis])
        excess = sum(A[:, j] * z[j] for j in range(d + 1)) - b
        enter = int(np.argmax(excess))
        if excess[enter] < 1e-3 * max(1.0, abs(z[-1])):
            return z[:-1], z[-1]
        price = solve(A[basis].T, [0.0] * d + [1.0])
        step = solve(A[basis].T, A[enter])
        leave = min((price[i] / step[i], i) for i in range(d + 1) if step[i] > 1e-12)[1]
        basis[leave] = enter
    raise ArithmeticError("the linear program does not end")


def shared_bits(p2, p3):
    """The float32 nearest p2 whose low bits are p3, rounded to as many."""
    kept = 32 - P3_SHIFT
    low = (float_bits(p3) + (1 << (P3_SHIFT - 1))) >> P3_SHIFT
    high = (float_bits(p2) - low + (1 << (kept - 1))) >> kept
    return high << kept | low


def p3_of(shared):
    return from_bits(shared << P3_SHIFT & 0xFFFFFFFF)


def fit(r, low, high, weight, at_zero, lowest=None):
    """(a, p0, p1, p2 with p3) of a row, and the margin; at_zero: a is 0.  The lowest one of the
    other coefficients may be given."""
    first = 1 if at_zero else 0
    fixed = {} if lowest is None else {first: float(lowest)}

    def best(power):
        powers = [p for p in range(first, DEGREE + 1) if p not in fixed]
        have = sum((fixed[p] * r**p for p in sorted(fixed)), np.zeros_like(r))
        z, margin = widest(r, powers, low - have, high - have, weight)
        return z[powers.index(power)], margin

    p3 = best(4)[0]
    fixed[4] = float(p3_of(shared_bits(1.0, p3)))
    shared = shared_bits(best(3)[0], p3)
    fixed[3], fixed[4] = float(from_bits(shared)), float(p3_of(shared))
    for power in range(2, first - 1, -1):
        if power not in fixed:
            z, margin = best(power)
            fixed[power] = float(np.float32(z))
    return [fixed.get(0, 0.0), fixed[1], fixed[2], float(from_bits(shared))], margin


# ---- a function's table -----------------------------------------------------


class Table:
    def __init__(self, name):
        self.name, self.spec = name, SPECS[name]
        self.T = self.spec.T
        # Near rows go up to where float16 results round to zero, far ones to where bfloat16's do.
        self.end = self.last_above(FLOAT16, mpf(2) ** -25) * (1 + mpf(2) ** -12)
        self.far_end = self.last_above(BFLOAT16, mpf(2) ** -134)
        self.inputs = {f: self.collect(f) for f in (FLOAT16, BFLOAT16)}

    def last_above(self, format, least):
        t = [mpf(float(v)) for v in positive_inputs(format) if v < 256]
        return next(v for v in reversed(t) if abs(self.T(v)) >= least)

    def shape(self, density, far_ratio):
        """Cuts the range into rows: SHAPES."""
        mean = (ROWS - mpf("1.5")) / self.end
        self.beta = f32(mean * mpf(density))
        self.alpha = f32((mean - self.beta) / self.end)
        if self.beta + 2 * self.alpha * self.end * (1 + mpf(2) ** -4) < 0:
            raise ArithmeticError("the row is no longer a monotonic function of t")
        self.limit = f32(self.edge(ROWS - mpf("1.25")))
        t = self.inputs[BFLOAT16][0]
        t = -t[t < 0]
        k, _ = self.index(t.astype(np.float32), self.alpha, self.beta, MAGIC, fused)
        self.far = t[(t > self.end / 2) & (k >= ROWS - 1)].astype(np.float32)
        begin, stop = mpf(float(self.far[0])), mpf(float(self.far[-1]))
        density = [self.log_derivative(v) / (2 * mpf(far_ratio)) for v in (begin, stop)]
        self.far_alpha = f32((density[1] - density[0]) / (2 * (stop - begin)))
        self.far_beta = f32(density[0] - 2 * self.far_alpha * begin)
        shift = mp.nint(begin * (self.far_alpha * begin + self.far_beta))
        self.far_magic = MAGIC - shift + ROWS

    def log_derivative(self, t):
        return abs(mp.diff(lambda u: mp.log(abs(self.T(u))), t))

    def edge(self, k):
        return 2 * k / (self.beta + mp.sqrt(self.beta * self.beta + 4 * self.alpha * k))

    @staticmethod
    def index(t, alpha, beta, magic, mul_add):
        """The row of t and where in the row it lies, as the kernel computes them."""
        alpha, beta, magic = (np.float32(v) for v in (alpha, beta, magic))
        slope = mul_add(t, alpha, beta)
        k = mul_add(t, slope, magic)
        r = mul_add(t, slope, magic - k)
        return (k.view(np.uint32) & 0x1FF).astype(int), r

    def collect(self, format):
        """The inputs for which the table is consulted, the interval that the result of each has
        to lie in, whether that is closed, and T: arrays x, low, high, closed, T."""
        last = self.end * 1.1 if format is FLOAT16 else self.far_end
        lines = []
        for v in positive_inputs(format):
            if not TINY <= v <= last:
                continue
            t = mpf(float(v))
            T = self.T(t)
            for x in (-t,) if self.spec.form == "EVEN" else (-t, t):
                low, high, closed = format.between(self.result(x, T))
                lines.append([float(w) for w in (x, low, high, closed, T)])
        return np.array(lines).T

    def result(self, x, T):
        """f(x) from T(|x|): exact numbers, or arrays of float32."""
        where = np.where if isinstance(x, np.ndarray) else lambda c, a, b: a if c else b
        if self.spec.form == "FORWARD":
            return where(x < 0, 0 * x, x) - T
        return T if self.spec.form == "EVEN" else where(x < 0, T, 1 - T)

    def wanted(self, x, low, high):
        """The interval of T, given that of the result."""
        if self.spec.form == "FORWARD":
            base = np.maximum(x, 0)
            return base - high, base - low
        return np.where(x < 0, low, 1 - high), np.where(x < 0, high, 1 - low)

    def is_far(self, format, x):
        """Only EVEN functions have a far zone on the right: it ends up here by its mirror image."""
        return (x <= -self.far[0]) if format is BFLOAT16 else np.zeros(len(x), bool)

    def gather(self, far):
        """By row, the inequalities r, low, high, weight for T; with the r of either arithmetic."""
        parts = {}
        for x, y_low, y_high, closed, T, k, r, _ in self.placed(far):
            y = self.result(x, T)
            # The last operation rounds: an interval's end may be overstepped by half an ULP,
            # if it belongs to the interval, or must not be approached as far.
            half = np.where(closed == 1, -1, 1) * half_ulp(y)
            low, high = self.wanted(x, y_low + half, y_high - half)
            for row in np.unique(k):
                at = k == row
                left = abs(x[at]) / 2 if self.at_zero(row) else 0
                size = abs(T[at] - left)
                if not self.at_zero(row):  # a + r*p may cancel: its error is that of a
                    size = np.maximum(size, size.max() / 8)
                weight = (size + half_ulp(y[at]) / F32_ULP / 8) * F32_ULP
                lines = np.array([r[at].astype(float), low[at] - left, high[at] - left, weight])
                # Of the many in the first row, few are near enough to a midpoint to matter.
                room = np.minimum(T[at] - low[at], high[at] - T[at]) / weight
                use = (room < 256) | (np.arange(len(room)) % (64 if row == 0 else 1) == 0)
                parts.setdefault(int(row), []).append(lines[:, use])
        return {row: np.concatenate(lines, axis=1) for row, lines in parts.items()}

    def placed(self, far):
        """The near or far inputs of both types and their rows by either arithmetic."""
        for format, arrays in self.inputs.items():
            use = self.is_far(format, arrays[0]) == far
            for mul_add in (fused, plain):
                k, r = (self.far_index if far else self.near_index)(abs(arrays[0][use]), mul_add)
                yield *(v[use] for v in arrays), k, r, mul_add

    def at_zero(self, row):
        return row == 0 and self.spec.form == "FORWARD"

    def near_index(self, t, mul_add=fused):
        t = np.minimum(t.astype(np.float32), np.float32(self.limit))
        return self.index(t, self.alpha, self.beta, MAGIC, mul_add)

    def far_index(self, t, mul_add=fused):
        return self.index(
            t.astype(np.float32), self.far_alpha, self.far_beta, self.far_magic, mul_add
        )

    def fit_far_row(self, row, lines):
        """A far row, times 2^SCALE.  It may have fewer inputs than coefficients: then T itself,
        roughly, at a few more points keeps it in shape."""
        shift = float(MAGIC - self.far_magic)
        for count in range(8, 16):  # should the points chosen make the program degenerate
            guides = []
            for v in 0.5 * np.cos(np.pi * (np.arange(count) + 0.5) / count):
                q = mpf(row + shift + float(v))
                t = 2 * q / (self.far_beta + mp.sqrt(self.far_beta**2 + 4 * self.far_alpha * q))
                T = float(self.T(t))
                guides.append([float(v), T - abs(T) / 64, T + abs(T) / 64, abs(T) * F32_ULP])
            r, *rest = np.concatenate([lines, np.array(guides).T], axis=1)
            try:
                return fit(r, *(v * 2.0**SCALE for v in rest), False)
            except ArithmeticError:
                continue
        raise ArithmeticError(f"far row {row}: the linear program does not end")

    def fit(self, report):
        near, far = self.gather(False), self.gather(True)
        assert max(near) == ROWS - 1
        assert sorted(far) == list(range(ROWS, max(far) + 1))
        assert max(far) < ALL_ROWS
        self.rows = []
        for k in range(ROWS - 1):
            row, margin = self.fit_row(k, near[k])
            report(f"{self.name} near row {k}: {near[k].shape[1]} inputs, margin {margin:.2f}")
            self.rows.append(row)
        # r < 0 makes a derivative's T -0
        self.rows.append([-0.0 if self.spec.form == "DERIVATIVE" else 0.0, 0.0, 0.0, 0.0])
        for k in range(ROWS, max(far) + 1):
            row, margin = self.fit_far_row(k, far[k])
            report(f"{self.name} far row {k}: {far[k].shape[1]} inputs, margin {margin:.2f}")
            self.rows.append(row)
        self.rows = np.array(self.rows, np.float32)

    def fit_row(self, k, lines):
        """A near row with all its inputs right.  If they are not at once, the lowest coefficient
        is tried a few float32 steps up and down, and for each of these the next one."""
        cases = []
        for x, low, high, closed, T, rows, r, mul_add in self.placed(False):
            wanted = self.wanted(x, low, high)
            room = np.minimum(T - wanted[0], wanted[1] - T)
            size = np.maximum(abs(T), abs(T[rows == k]).max() / 8)
            use = (rows == k) & (room < 256 * size * F32_ULP)
            cases.append((*(v[use] for v in (x, low, high, closed, r)), mul_add))

        def good(row):
            row = np.array(row, np.float32)
            for x, low, high, closed, r, mul_add in cases:
                y = self.value(x, k, np.broadcast_to(row, (len(x), 4)), r, mul_add).astype(float)
                if not self.right(y, low, high, closed).all():
                    return False
            return True

        start, margin = fit(*lines, self.at_zero(k))
        if good(start):
            return start, margin
        first = 1 if self.at_zero(k) else 0
        powers = [0] + [sign << n for n in range(13) for sign in (1, -1)]
        for i in sorted(range(-STEPS, STEPS + 1), key=abs):
            lowest = from_bits(float_bits(start[first]) + i)
            row, margin = fit(*lines, self.at_zero(k), lowest)
            next_bits = float_bits(row[first + 1])
            for j in powers:
                row[first + 1] = float(from_bits(next_bits + j))
                if good(row):
                    return row, margin
        raise ArithmeticError(f"near row {k} does not come out right, margin {margin:.2f}")

    @staticmethod
    def right(y, low, high, closed):
        inside = np.where(closed == 1, (low <= y) & (y <= high), (low < y) & (y < high))
        return inside | (y == 0) & ((low == 0) | (high == 0))

    def value(self, x, k, rows, r, mul_add):
        """f(x) by the kernel's arithmetic; k, rows and r: the row of each x and its place there."""
        a, p0, p1, p2 = rows.T
        p3 = (np.ascontiguousarray(p2).view(np.uint32) << np.uint32(P3_SHIFT)).view(np.float32)
        p = mul_add(r, mul_add(r, mul_add(r, p3, p2), p1), p0)
        x = x.astype(np.float32)
        if self.spec.form == "FORWARD":
            return np.where(k == 0, x / 2, np.maximum(x, np.float32(0))) - mul_add(r, p, a)
        if self.spec.form == "EVEN":
            return mul_add(r, p, a)
        return mul_add(np.where(x < 0, r, -r), p, np.where(x < 0, a, np.float32(1) - a))

    def wrong(self, format, mul_add):
        """The inputs whose result does not round correctly, by the kernel's arithmetic."""
        x, low, high, closed, _ = self.inputs[format]
        far = self.is_far(format, x)
        k, r = self.near_index(abs(x), mul_add)
        y = self.value(x, k, self.rows[k], r, mul_add).astype(float)
        if far.any():
            k, r = self.far_index(abs(x[far]), mul_add)
            scaled = self.value(x[far], k, self.rows[k], r, mul_add).astype(float) * 2.0**-SCALE
            units = np.rint(scaled * 2.0**149)
            y[far] = np.where(abs(scaled) < 2.0**-126, units * 2.0**-149, scaled)
        return x[~self.right(y, low, high, closed)]

    def text(self):
        near = self.rows[:ROWS]
        line = lambda row: "    {" + ", ".join(literal(v) for v in row) + "},"  # noqa: E731
        sign = 0 if self.spec.form == "EVEN" else 0x80000000  # else far on the left alone
        first, last = ((float_bits(v) | sign) >> 16 for v in (self.far[0], self.far[-1]))
        out = [
            f"/* table_half_{self.name}.h: written by c/tools/fit_half.py, not by hand. */",
            f"static const FG_ALIGN(64) float rows_half_{self.name}[{len(self.rows)}][4] = {{",
            *map(line, near),
            f"    /* far: from row {ROWS} */",
            *map(line, self.rows[ROWS:]),
            "};",
            f"static const FG_ALIGN(64) float columns_half_{self.name}[4][96] = {{",
            *(line(column) for column in self.rows.T),
            "};",
            f"const struct fg_table_half fg_table_half_{self.name} = {{",
            f"    .alpha = {literal(self.alpha)},",
            f"    .beta = {literal(self.beta)},",
            f"    .limit = {literal(self.limit)},",
            f"    .far_alpha = {literal(self.far_alpha)},",
            f"    .far_beta = {literal(self.far_beta)},",
            f"    .far_magic = {literal(self.far_magic)},",
            f"    .far_first = {first:#06x}, /* t = {float(self.far[0])!r} */",
            f"    .far_span = {last - first + 1:#06x}, /* up to t = {float(self.far[-1])!r} */",
            f"    .at_zero = {literal(self.T(mpf(0)))},",
            f"    .rows = rows_half_{self.name},",
            f"    .columns = columns_half_{self.name},",
            "};",
        ]
        return "\n".join(out) + "\n"


def build(name, report):
    """The text of a function's table; None if a result would be wrong."""
    table = Table(name)
    density, far_ratio = SHAPES[name]
    for trial in sorted(range(-TRIALS, TRIALS + 1), key=abs):
        try:
            table.shape(density * (1 + trial / 256), far_ratio)
            table.fit(report)
            break
        except ArithmeticError as error:
            report(f"{name}, trial {trial}: {error}")
    else:
        return None
    good = True
    for format, called in ((FLOAT16, "float16"), (BFLOAT16, "bfloat16")):
        for mul_add, how in ((fused, "with fma"), (plain, "without")):
            wrong = table.wrong(format, mul_add)
            print(
                f"{name} {called} {how}: {len(wrong)} wrong {[float(x).hex() for x in wrong[:8]]}"
            )
            good &= len(wrong) == 0
    return table.text() if good else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("functions", nargs="*", help="default: all")
    parser.add_argument("--check", action="store_true", help="refit and compare, write nothing")
    parser.add_argument("--quiet", action="store_true", help="no line for each row")
    args = parser.parse_args()
    names = args.functions or list(SHAPES)
    unknown = sorted(set(names) - set(SHAPES))
    if unknown:
        parser.error(f"no such function: {', '.join(unknown)} (known: {', '.join(SHAPES)})")
    good = True
    for name in names:
        path = TABLES / f"table_half_{name}.h"
        text = build(name, (lambda line: None) if args.quiet else print)
        if text is None:
            good = False
        elif not args.check:
            path.write_text(text)
        elif path.read_text() != text:
            print(f"{name}: DIFFERS from {path}")
            good = False
    if not args.check:
        includes = [f'#include "table_half_{name}.h"\n' for name in sorted(SHAPES)]
        head = "/* tables_half.h: written by c/tools/fit_half.py, not by hand. */\n"
        (TABLES / "tables_half.h").write_text(head + "".join(includes))
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
