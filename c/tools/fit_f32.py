#!/usr/bin/env python3
"""Fits the float32 tables: writes c/src/tables/table_f32_<function>.h,
and tables_f32.h, which includes them all.

    python c/tools/fit_f32.py                 all functions, same bytes every time
    python c/tools/fit_f32.py gelu gelu_grad  these alone
    python c/tools/fit_f32.py --check 8       refits 8 rows of each table and compares

kernel_f32.h says how a table is used.  Near row k, of width h = 2^-lh around k*h,
holds (A, p0, p1, p2) with

    S(c + d) = A + d*(p0 + d*(p1 + d*p2)),

S the function, or the function by x where it is a product.  c is one of 512 points
of the row: one near the middle where S(c) is a float to a hundredth of an ULP, and A
is that float.  Its number is the low 9 bits of p2, which the fit goes around.  Where S
is so flat that a row has no such point, c is the best there is.

Far rows (c, a, p0 … p5) are of degree 6, scaled by 2^96, and of equal relative width;
they reach to where the function rounds to zero.

The coefficients minimise the relative error at Chebyshev nodes and are rounded to
float32 one after another, lowest order first, each time refitting those of higher
order.  Values are computed by mpmath and fits in Python's floats, by operations that
IEEE 754 defines: the same bits everywhere.
"""

import argparse
import pathlib
import struct
import sys

from mpmath import mp, mpf

mp.prec = 120
TABLES = pathlib.Path(__file__).resolve().parent.parent / "src" / "tables"
POINTS = 512  # in a row, to choose c from
SHARP = 0.01  # ULP that S(c) may be off a float
SCALE = 96  # far rows are stored times 2^SCALE
FAR_RATIO = 0.25  # half the width of a far row times the logarithmic derivative
FAR_DEGREE = 6
FAR_MAGIC = 3 * 2**12  # 1.5 * 2^13: one ULP of a sum is 2^-10 of a row
NODES = 12

SQRT_2 = mp.sqrt(2)
SQRT_8_PI = mp.sqrt(8 / mp.pi)
CUBIC = mpf("0.044715")
K = mpf("1.702")


# ---- the functions -------------------------------------------------------


def normal_cdf(x):
    return mp.erfc(-x / SQRT_2) / 2


def gelu_grad(x):
    return normal_cdf(x) + x * mp.npdf(x)


def sigmoid(x):
    return 1 / (1 + mp.exp(-x))


def sigmoid_of(u):
    return lambda x: sigmoid(u(x))


def product_grad(u, du):
    """The derivative of x*sigmoid(u(x))."""
    return lambda x: sigmoid(u(x)) * (1 + x * du(x) * sigmoid(-u(x)))


def tanh_2u(x):
    return SQRT_8_PI * x * (1 + CUBIC * x * x)


def tanh_2u_grad(x):
    return SQRT_8_PI * (1 + 3 * CUBIC * x * x)


def sigmoid_grad(x):
    return sigmoid(x) * sigmoid(-x)


def expm1_by_x(x):
    return mp.expm1(x) / x if x else mpf(1)


class Spec:
    """form: as in functions.def; S: see above; lh: the width of a row is 2^-lh; left, right: where
    the near rows begin, and the middle of the last one, whose polynomial is a constant; rows: a
    function of the same S and the same near rows, whose table has them."""

    def __init__(self, form, S, lh, left, right=0, root=None, rows=None):
        self.form, self.S, self.root, self.rows = form, S, root, rows
        self.lh, self.left, self.right = lh, mpf(left), mpf(right)
        self.product = form in ("FORWARD", "EXPM1")

    def f(self, x):
        return x * self.S(x) if self.product else self.S(x)

    def T(self, t):
        """What fit_half.py tabulates: of t = |x|, positive near 0."""
        return -self.f(-t) if self.form == "FORWARD" else self.f(-t)


def scaled(x):
    return K * x


SPECS = {
    "gelu": Spec("FORWARD", normal_cdf, 6, "-5.25", "5.625", rows="normal_cdf"),
    "gelu_tanh": Spec("FORWARD", sigmoid_of(tanh_2u), 7, "-5.25", "5.25"),
    "gelu_grad": Spec("DERIVATIVE", gelu_grad, 7, "-5.5", "6.25", root="-0.7517915"),
    "gelu_tanh_grad": Spec(
        "DERIVATIVE", product_grad(tanh_2u, tanh_2u_grad), 7, "-5.25", "5.75", root="-0.7524614"
    ),
    "quick_gelu": Spec("FORWARD", sigmoid_of(scaled), 5, "-10", "10.25"),
    "quick_gelu_grad": Spec(
        "DERIVATIVE", product_grad(scaled, lambda x: K), 7, "-8", "12", root="-0.7513971"
    ),
    "silu": Spec("FORWARD", sigmoid, 4, "-17", "17.5", rows="sigmoid"),
    "silu_grad": Spec(
        "DERIVATIVE", product_grad(lambda x: x, lambda x: 1), 6, "-12", "20.5", root="-1.2784645"
    ),
    "sigmoid": Spec("SIGMOID", sigmoid, 4, "-17", "17.5"),
    "sigmoid_grad": Spec("EVEN", sigmoid_grad, 4, "-17"),
    "normal_cdf": Spec("SIGMOID", normal_cdf, 6, "-5.25", "5.625"),
    "normal_cdf_grad": Spec("EVEN", mp.npdf, 6, "-5.375"),
    "exp_negative": Spec("EVEN", mp.exp, 4, "-17"),
    "expm1_negative": Spec("EXPM1", expm1_by_x, 4, "-18"),
}


# ---- float32 ---------------------------------------------------------------


def f32(v):
    """v rounded to float32 (to nearest even), as an mpf.  Normal range only."""
    v = mpf(v)
    if v == 0:
        return mpf(0)
    man, exp = mp.frexp(abs(v))
    assert -125 <= exp <= 128, "outside the normal range of float32"
    return mp.sign(v) * mp.ldexp(mp.nint(mp.ldexp(man, 24)), exp - 24)


def ulp(v):
    return mp.ldexp(1, mp.frexp(abs(v))[1] - 24)


def bits(v):
    return struct.unpack("<I", struct.pack("<f", float(v)))[0]


def from_bits(u):
    return struct.unpack("<f", struct.pack("<I", u))[0]


def literal(v):
    """A C literal of the float v, exact."""
    v = float(v)
    if v == 0:
        return "-0.0f" if struct.pack("<f", v)[3] else "0.0f"
    head, exponent = v.hex().split("p")
    return head.rstrip("0").rstrip(".") + "p" + exponent + "f"


def with_low_bits(v, low):
    """The float nearest to v whose low 9 bits are those."""
    u = (bits(f32(v)) & ~(POINTS - 1)) | low
    return min((u - POINTS, u, u + POINTS), key=lambda n: abs(from_bits(n) - v))


# ---- fitting one row -------------------------------------------------------


def solve(A, b):
    """The small system A z = b, in Python's floats."""
    n = len(b)
    M = [[*row, right] for row, right in zip(A, b, strict=True)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(M[r][i]))
        M[i], M[pivot] = M[pivot], M[i]
        for r in range(i + 1, n):
            factor = M[r][i] / M[i][i]
            M[r] = [a - factor * p for a, p in zip(M[r], M[i], strict=True)]
    z = [0.0] * n
    for i in reversed(range(n)):
        z[i] = (M[i][n] - sum(M[i][j] * z[j] for j in range(i + 1, n))) / M[i][i]
    return z


def least_squares(values, weights, points, degree):
    """Coefficients of the weighted least-squares polynomial of so many coefficients."""
    A = [[0.0] * degree for _ in range(degree)]
    b = [0.0] * degree
    for v, w, d in zip(values, weights, points, strict=True):
        powers = [d**j * w for j in range(degree)]
        for i in range(degree):
            b[i] += powers[i] * v * w
            for j in range(degree):
                A[i][j] += powers[i] * powers[j]
    return solve(A, b)


def fit(g, sizes, points, degree, low=None):
    """Coefficients p0 … of the fit of g(d), the error d*(p - g) relative to sizes, rounded to
    float32 lowest order first; the low bits of the last one may be given."""
    scale = max(abs(d) for d in points)
    units = [float(d / scale) for d in points]
    weights = [float(abs(d) / s) for d, s in zip(points, sizes, strict=True)]
    top = max(weights)
    weights = [w / top for w in weights]
    coefficients = []
    for have in range(degree):
        rest = [
            float((v - mp.polyval(coefficients[::-1], d)) / d**have) if have else float(v)
            for v, d in zip(g, points, strict=True)
        ]
        reduced = [w * abs(u) ** have for w, u in zip(weights, units, strict=True)]
        p = least_squares(rest, reduced, units, degree - have)[0]
        if low is not None and have == degree - 1:
            coefficients.append(mpf(from_bits(with_low_bits(p, low))))
        else:
            coefficients.append(f32(p))
    return coefficients


def unsure(values, d):
    """Does a Horner chain at d, in double as no_fma.h does it, meet what looks like the midpoint
    of two floats?  Inputs that are common should not: they would be computed twice."""
    total = float(values[-1])
    for v in reversed(values[:-1]):
        total = float(f32(total)) * float(d) + float(v)
        tail = struct.unpack("<Q", struct.pack("<d", total))[0] & 0x1FFFFFFF
        if tail >> 13 == 0x8000:
            return True
    return False


def nodes(low, high):
    """Chebyshev nodes of [low, high]."""
    middle, half = (low + high) / 2, (high - low) / 2
    return [middle + half * mp.cos((2 * i + 1) * mp.pi / (2 * NODES)) for i in range(NODES)]


class Table:
    def __init__(self, name):
        self.name, self.spec = name, SPECS[name]
        s = self.spec
        self.h = mpf(2) ** -s.lh
        self.first = self.row_of(s.left)
        self.last = self.row_of(s.right)
        self.root, self.slope, self.root_rows = mpf(0), mpf(0), range(0)
        if s.root:
            self.root = f32(mp.findroot(s.f, mpf(s.root)))
            self.slope = f32(mp.diff(s.f, self.root))
            k = self.row_of(self.root)
            self.root_rows = range(k - 2, k + 3)
        self.far_count = 0
        if s.form == "EXPM1":  # tends to -1, which its first row is
            return
        self.far_stop = f32(self.far_end() * (1 + mpf(2) ** -12))  # zero, in spite of errors
        ends = s.left, self.far_stop
        density = [self.log_derivative(x) / (2 * FAR_RATIO) for x in ends]
        self.far_alpha = f32((density[1] - density[0]) / (2 * (ends[0] - ends[1])))
        self.far_beta = f32(density[0] + 2 * self.far_alpha * s.left)
        self.far_shift = mp.nint(self.far_index(s.left)) - 1
        self.far_count = int(mp.nint(self.far_index(self.far_stop)) - self.far_shift) + 2

    def row_of(self, x):
        return int(mp.floor(x / self.h + mpf("0.5")))

    def interval(self, k):
        """Of near row k, and what the rounding of x + magic may add to it; row 0 of a function
        of -|x| ends at 0."""
        low, high = ((k + s) * self.h for s in (mpf("-0.5"), mpf("0.5")))
        slack = self.h / POINTS
        even = self.spec.form in ("EVEN", "EXPM1")
        return low - slack, min(high + slack, mpf(0)) if even else high + slack

    def log_derivative(self, x):
        return abs(mp.diff(lambda u: mp.log(abs(self.spec.f(u))), x))

    def far_end(self):
        """Where |f| falls below half the smallest subnormal."""
        low, high = mpf(-256), self.spec.left
        while high - low > mpf(2) ** -20:
            middle = (low + high) / 2
            if abs(self.spec.f(middle)) > mpf(2) ** -150:
                high = middle
            else:
                low = middle
        return low

    def far_index(self, x):
        return -x * (self.far_alpha * -x + self.far_beta)

    def far_edge(self, k):
        k = k + self.far_shift
        a, b = self.far_alpha, self.far_beta
        if abs(a) < mpf(2) ** -20:
            return -2 * k / (b + mp.sqrt(b * b + 4 * a * k))
        return (b - mp.sqrt(max(b * b + 4 * a * k, 0))) / (2 * a)

    def near_row(self, k):
        """(A, p0, p1, p2), the point's number, and the fitted error in ULP of the result."""
        s = self.spec
        special = k in self.root_rows
        if s.right and k == self.last:
            return [mpf(1), mpf(0), mpf(0), mpf(0)], 0, mpf(0)

        def R(x):  # what the kernel takes from the table
            return s.S(x) - self.slope * (x - self.root) if special else s.S(x)

        low, high = self.interval(k)
        base = k * self.h - self.h / 2
        if special and self.root_rows.index(k) == 2:
            order = [int(mp.nint((self.root - base) / self.h * POINTS))]
        else:
            order = sorted(range(POINTS), key=lambda j: abs(j - POINTS // 2))
        if k == 0:  # c < 0
            order = [j for j in order if j < POINTS // 2]
        points_of = nodes(low, high)

        def fitted(j, c, A):
            points = [x - c for x in points_of]
            g = [(R(c + d) - A) / d for d in points]
            sizes = [abs(s.S(c + d)) for d in points]
            p = fit(g, sizes, points, 3, low=j)
            if special and self.root_rows.index(k) == 2:  # exact at the root, where f vanishes
                A = f32(R(self.root) - (self.root - c) * mp.polyval(p[::-1], self.root - c))
            error = max(
                abs((A + d * mp.polyval(p[::-1], d) - R(c + d)) / size) * mpf(2) ** 24
                for d, size in zip(points, sizes, strict=True)
            )
            return [A, *p], j, error

        best = None
        for j in order:
            c = base + j * self.h / POINTS
            value = R(c)
            A = f32(value)
            off = abs(value - A) / ulp(value)
            if off < SHARP and k == 0 and unsure(fitted(j, c, A)[0], -c):
                continue
            if best is None or off < best[0]:
                best = off, j, c, A
            if off < SHARP:
                break
        return fitted(*best[1:])

    def far_row(self, k):
        """(c, a, p0 … p5) and the fitted error."""
        high = self.far_edge(k - mpf("0.502"))
        low = self.far_edge(k + mpf("0.502"))
        scale = mpf(2) ** SCALE

        def f(x):
            return self.spec.f(x) * scale

        common = [x for x in (self.spec.left, self.far_stop) if low <= x <= high]  # clamped to
        points_of = nodes(low, high)

        def fitted(c, a):
            points = [x - c for x in points_of]
            g = [(f(c + d) - a) / d for d in points]
            sizes = [abs(f(c + d)) for d in points]
            p = fit(g, sizes, points, FAR_DEGREE)
            error = max(
                abs(d * (mp.polyval(p[::-1], d) - v) / size) * mpf(2) ** 24
                for d, v, size in zip(points, g, sizes, strict=True)
            )
            return [c, a, *p], error

        middle, best = f32((low + high) / 2), None
        step = ulp(middle)
        for i in range(400):
            c = middle + (i // 2 if i % 2 else -(i // 2)) * step
            value = f(c)
            a = f32(value)
            off = abs(value - a) / ulp(value)
            if off < SHARP and any(unsure(fitted(c, a)[0][1:], f32(x - c)) for x in common):
                continue
            if best is None or off < best[0]:
                best = off, c, a
            if off < SHARP:
                break
        return fitted(*best[1:])

    def text(self, report=None):
        s, near, far = self.spec, [], []
        owner = Table(s.rows) if s.rows else self
        assert (owner.first, owner.last, owner.h) == (self.first, self.last, self.h)
        for k in range(self.first, self.last + 1) if owner is self else ():
            row, _, error = self.near_row(k)
            near.append(row)
            if report and error > 0.2:
                report(f"{self.name} row {k} at {float(k * self.h)}: error {float(error):.3f} ULP")
        for k in range(self.far_count):
            row, error = self.far_row(k)
            far.append(row)
            if report and error > 0.1:
                report(f"{self.name} far row {k} at {float(row[0])}: error {float(error):.3f} ULP")
        if report:
            report(f"{self.name}: {len(near)} near rows, {len(far)} far rows")

        def line(row):
            return "    {" + ", ".join(literal(v) for v in row) + "},"

        base = mpf(3) * 2 ** (13 - s.lh)  # the word of row 0
        offset = 8 * (bits(base) >> 8 & 0xFFFF) + 16 * self.first
        name = self.name
        out = [
            f"/* table_f32_{name}.h: written by c/tools/fit_f32.py, not by hand. */",
        ]
        if near:
            out += [
                f"static const FG_ALIGN(16) float rows_f32_{name}[{len(near)}][4] = {{",
                *map(line, near),
                "};",
            ]
        if far:
            out += [
                f"static const FG_ALIGN(16) float far_f32_{name}[{len(far)}][8] = {{",
                *map(line, far),
                "};",
            ]
        out += [
            f"const struct fg_table_f32 fg_table_f32_{name} = {{",
            f"    .left = {literal(s.left)},",
            f"    .limit = {literal(s.right)},",
            f"    .magic = {literal(base + self.h / 2)}, /* rows of 2^-{s.lh} */",
            f"    .rows = (const char *)rows_f32_{owner.name},",
            f"    .offset = {offset}, /* row {self.first} is the first */",
        ]
        if self.root:
            out += [
                f"    .root = {literal(self.root)},",
                f"    .slope = {literal(self.slope)},",
                f"    .root_first = {literal(base + self.root_rows[0] * self.h)},",
                f"    .root_last = {literal(base + self.root_rows[-1] * self.h)},",
            ]
        if far:
            out += [
                f"    .far_alpha = {literal(self.far_alpha)},",
                f"    .far_beta = {literal(self.far_beta)},",
                f"    .far_magic = {literal(FAR_MAGIC + mpf('0.5') - self.far_shift)},",
                f"    .far_stop = {literal(self.far_stop)},",
                f"    .far = (const char *)far_f32_{name},",
            ]
        out += ["};"]
        return "\n".join(out) + "\n"


def check(names, count):
    """Refits count rows of each table, spread over it, and row 0; True if all are the committed
    ones."""
    good = True
    for name in names:
        committed = (TABLES / f"table_f32_{name}.h").read_text()
        table = Table(name)
        near = 0 if table.spec.rows else table.last - table.first + 1
        total = near + table.far_count
        sample = {int((j + 0.5) * total / count) for j in range(count)}
        if near:
            sample.add(-table.first)  # row 0, of which more is asked
        for i in sorted(sample):
            if i < near:
                row, _, error = table.near_row(table.first + i)
            else:
                row, error = table.far_row(i - near)
            same = "{" + ", ".join(literal(v) for v in row) + "}" in committed
            zone = f"near row {i}" if i < near else f"far row {i - near}"
            print(f"{name} {zone}: {float(error):.4f} ULP, {'same' if same else 'DIFFERS'}")
            good &= same
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("functions", nargs="*", help="default: all")
    parser.add_argument("--check", type=int, metavar="N", help="refit N rows of each and compare")
    args = parser.parse_args()
    names = args.functions or list(SPECS)
    unknown = sorted(set(names) - set(SPECS))
    if unknown:
        parser.error(f"no such function: {', '.join(unknown)} (known: {', '.join(SPECS)})")
    if args.check:
        sys.exit(0 if check(names, args.check) else 1)
    for name in names:
        text = Table(name).text(report=print)
        (TABLES / f"table_f32_{name}.h").write_text(text)
    names = sorted(SPECS, key=lambda name: (SPECS[name].rows is not None, name))  # owners first
    includes = [f'#include "table_f32_{name}.h"\n' for name in names]
    head = "/* tables_f32.h: written by c/tools/fit_f32.py, not by hand. */\n"
    (TABLES / "tables_f32.h").write_text(head + "".join(includes))


if __name__ == "__main__":
    main()
