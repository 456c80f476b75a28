"""Fits and writes the float64 tables, ../src/tables/table_f64_<name>.h.

    python fit_f64.py                   write every table
    python fit_f64.py gelu silu         write these
    python fit_f64.py --check 5         refit 5 rows of each table and compare with the files

A function is a Spec: its form, its f(x), v(u) with f(-u) ~ exp(-v) in the far tail, and where its
rows lie.  c/src/kernel_f64.h says what the words of a row are for.  A run is deterministic to the
byte.  Prints for each row the error of its polynomial and of its A in units in the last place of
the result; certify_f64.py proves what the whole comes to.
"""

import argparse
import math
import pathlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from mpmath import mp, mpf

mp.prec = 200
TABLES = pathlib.Path(__file__).resolve().parent.parent / "src" / "tables"

SAMPLES = 18  # Chebyshev nodes of the interpolant that stands for the function within a row
CANDIDATES, GOOD = 1500, 0.001  # points tried as c, and how far g(c) may lie from a double, in ULP
BAD = 0.02  # where there is none better than this, A is not g(c)
MIDDLE = 0.03  # they lie so far from the row's middle, as a part of its width, at most
FLAT = mpf(2) ** -46  # where g changes by less beside itself, no c is better than another
EXP_STEPS = 64
EXP_TERMS = 5
HALF_BITS = 26  # a product of two numbers of 26 bits is exact


# ---- the functions ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Spec:
    form: str  # FORWARD, SIGMOID, DERIVATIVE, EVEN or EXPM1
    f: Callable  # f(x)
    v: tuple  # f(-u) ~ exp(-v) in the far tail, v = u*(v[0] + v[1]*u + v[2]*u^2)
    left: float  # near rows from here on
    right: float  # to here; beyond, f is x or 1 to half an ULP
    alpha: float  # near row = t*(alpha*t + beta) or so, counted from the one that holds left
    beta: float
    slope: float = 0.0  # DERIVATIVE, EXPM1: the rows within zone of the root hold f less
    zone: float = 0.0  # slope*(t - root), a product that is exact
    far_bits: int = 6  # the far tail has 2^far_bits rows per octave of u - far_from
    far_from: float = 0.0
    flat: float = math.inf  # up to the row that holds this u, from where on R is a line
    rows: str = ""  # another function whose near rows are these as well


def normal_cdf(x):
    return mp.erfc(-x / mp.sqrt(2)) / 2


def normal_pdf(x):
    return mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi)


class Logistic:
    """s(x) = sigmoid(v(x)), and the functions made of it."""

    def __init__(self, v):
        self.v = v

    def s(self, x):
        v = self.v
        return 1 / (1 + mp.exp(-x * (v[0] + x * (v[1] + x * v[2]))))

    def s_grad(self, x):  # in x
        v = self.v
        return self.s(x) * self.s(-x) * (v[0] + x * (2 * v[1] + x * 3 * v[2]))

    def grad(self, x):
        return self.s(x) + x * self.s_grad(x)


ZERO, ONE = mpf(0), mpf(1)
GAUSS = (ZERO, ONE / 2, ZERO)
TANH = Logistic((2 * mp.sqrt(2 / mp.pi), ZERO, 2 * mp.sqrt(2 / mp.pi) * 44715 / 1000000))
QUICK = Logistic((ONE * 1702 / 1000, ZERO, ZERO))
SILU = Logistic((ONE, ZERO, ZERO))

# FORWARD: f is f(x)/x, the factor of x that the table holds.
SPECS = {
    "gelu": Spec("FORWARD", normal_cdf, GAUSS, -4.5, 8.3, -2.9, 53.0, far_bits=5, far_from=3.5),
    "gelu_tanh": Spec("FORWARD", TANH.s, TANH.v, -4.3, 7.0, -3.6, 56.0, flat=7.25),
    "gelu_grad": Spec(
        "DERIVATIVE",
        lambda x: normal_cdf(x) + x * normal_pdf(x),
        GAUSS,
        -5.25,
        8.8,
        -1.55,
        32.0,
        far_bits=5,
        far_from=2.0,
        slope=7 / 16,
        zone=0.12,
    ),
    "gelu_tanh_grad": Spec(
        "DERIVATIVE",
        TANH.grad,
        TANH.v,
        -4.75,
        7.6,
        -1.85,
        33.0,
        far_bits=5,
        far_from=2.0,
        slope=7 / 16,
        zone=0.12,
    ),
    "quick_gelu": Spec("FORWARD", QUICK.s, QUICK.v, -4.9, 22.2, -0.8, 38.0, flat=25),
    "quick_gelu_grad": Spec(
        "DERIVATIVE",
        QUICK.grad,
        QUICK.v,
        -5.4,
        24.0,
        -0.84,
        43.5,
        slope=3 / 8,
        zone=0.24,
        far_bits=5,
    ),
    "silu": Spec("FORWARD", SILU.s, SILU.v, -7.5, 37.6, -0.274, 22.5, flat=42),
    "silu_grad": Spec(
        "DERIVATIVE", SILU.grad, SILU.v, -7.9, 41.0, -0.28, 24.8, slope=7 / 32, zone=0.24, flat=46
    ),
    "sigmoid": Spec("SIGMOID", SILU.s, SILU.v, -7.5, 37.6, -0.274, 22.5, flat=42, rows="silu"),
    "sigmoid_grad": Spec(
        "EVEN", lambda x: SILU.s(x) * SILU.s(-x), SILU.v, -10.0, 0.0, 0.38, 28.0, flat=42
    ),
    "normal_cdf": Spec(
        "SIGMOID", normal_cdf, GAUSS, -4.5, 8.3, -2.9, 53.0, far_from=2.0, rows="gelu"
    ),
    "normal_cdf_grad": Spec(
        "EVEN", normal_pdf, GAUSS, -4.5, 0.0, -4.0, 42.0, far_bits=5, far_from=2.0
    ),
    "exp_negative": Spec("EVEN", mp.exp, SILU.v, -10.0, 0.0, 0.0, 20.5, flat=10),
    "expm1_negative": Spec("EXPM1", mp.expm1, SILU.v, -40.0, 0.0, 0.155, 14.8, slope=1.0, zone=0.5),
}


# ---- doubles ---------------------------------------------------------------------------------


def bits(x):
    return int(np.float64(x).view(np.uint64))


def from_bits(u):
    return float(np.uint64(u).view(np.float64))


def to_double(x):
    """The double nearest to x (no x here is subnormal)."""
    return float(mpf(x)) if x else 0.0


def fma(a, b, c):
    return float(Fraction(a) * Fraction(b) + Fraction(c))


def round_bits(x, n):
    """x rounded to n significant bits."""
    with mp.workprec(n):
        return +mpf(x)


def ulp(x):
    return mpf(2) ** (max(mp.frexp(abs(x))[1], -1021) - 53) if x else mpf(2) ** -1074


def distance(x):
    """How far x lies from a double, in ULP."""
    return abs(mpf(to_double(x)) - x) / ulp(x)


def leading(x, n):
    """x rounded to the leading n bits of its pattern, sign and exponent among them."""
    step = 1 << (64 - n)
    return (bits(to_double(x)) + step // 2) // step * step


def with_low_bits(x, low, n):
    """The double nearest to x whose last n bits are low."""
    step = 1 << n
    if x == 0:
        return from_bits(low)
    base = bits(to_double(x)) // step * step + low
    return min((from_bits(base + i * step) for i in (-1, 0, 1)), key=lambda y: abs(mpf(y) - x))


# ---- fitting one row -------------------------------------------------------------------------


def chebyshev(lo, hi, n):
    return [(lo + hi) / 2 + (hi - lo) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * n)) for i in range(n)]


def interpolate(nodes, values):
    """Coefficients, lowest first, of the polynomial through the points (Newton's form)."""
    n = len(nodes)
    divided = list(values)
    for j in range(1, n):
        for i in range(n - 1, j - 1, -1):
            divided[i] = (divided[i] - divided[i - 1]) / (nodes[i] - nodes[i - j])
    poly = [divided[-1]]
    for i in range(n - 2, -1, -1):
        shifted = [mpf(0)] + poly
        for j, p in enumerate(poly):
            shifted[j] -= nodes[i] * p
        shifted[0] += divided[i]
        poly = shifted
    return poly


def horner(poly, x):
    y = mpf(0)
    for p in reversed(poly):
        y = y * x + p
    return y


def shift(poly, d):
    """Coefficients of poly(x + d), by repeated synthetic division."""
    poly = list(poly)
    for start in range(len(poly) - 1):
        for i in range(len(poly) - 2, start - 1, -1):
            poly[i] += d * poly[i + 1]
    return poly


def nodes_for(lo, hi, i):
    """Where to fit a polynomial P of degree i that is multiplied by d."""
    if i % 2 == 0 or not lo <= 0 <= hi:
        return chebyshev(lo, hi, i + 1)
    nodes = chebyshev(lo, hi, i + 2)
    return nodes[: i // 2 + 1] + nodes[i // 2 + 2 :]  # d is zero near the one left out


class Row:
    """A row in the making: g on [lo, hi] by words c, A, p0 ... of which some hold two numbers.

    Six words: p4 in the low half of c, p5 in the last 24 bits of p3.  Eight words: p6 in the last
    24 bits of p4, p5 in the last 48 of the word whose first 16 are the slope.
    """

    def __init__(self, g, lo, hi, words, slope=0.0, c=None, negative=False):
        self.lo, self.hi, self.words, self.slope = mpf(lo), mpf(hi), words, slope
        self.middle, self.width = (self.lo + self.hi) / 2, self.hi - self.lo
        nodes = chebyshev(-self.width / 2, self.width / 2, SAMPLES)
        self.series = interpolate(nodes, [g(self.middle + d) for d in nodes])
        self.terms = 6 if words == 6 else 7
        change = max(abs(p) * self.width**i for i, p in enumerate(self.series[1:4], 1))
        if c is not None:
            self.c, self.a = c, horner(self.series, mpf(c) - self.middle)
        elif change < FLAT * abs(self.series[0]) or not self.choose_point(negative):
            # outside the row, where d*P can hold what A lacks
            self.c = from_bits(bits(to_double(self.lo - self.width / 4)) >> 32 << 32)
            for _ in range(4):
                self.a = horner(self.series, mpf(self.c) - self.middle)
                if words == 6:  # p4 depends on c
                    p4 = self.p4(mpf(self.c), mpf(to_double(self.a)))
                    self.c = from_bits(bits(self.c) >> 32 << 32 | p4 >> 32)
            self.a = horner(self.series, mpf(self.c) - self.middle)
        self.fit()

    def aim(self, c, a):
        """(g(c + d) - a)/d as a polynomial in d."""
        lo, hi = self.lo - c, self.hi - c
        series = shift(self.series, c - self.middle)
        if lo <= 0 <= hi:
            return series[1:]
        nodes, middle = chebyshev(lo, hi, SAMPLES), (lo + hi) / 2
        values = [(horner(series, d) - a) / d for d in nodes]
        return shift(interpolate([d - middle for d in nodes], values), -middle)

    def polynomial(self, aim, c, i):
        """The same to degree i."""
        nodes = nodes_for(self.lo - c, self.hi - c, i)
        return interpolate(nodes, [horner(aim, d) for d in nodes])

    def p4(self, c, a=None):  # of six words, 32 bits
        return leading(self.polynomial(self.aim(c, a), c, 5)[4], 32)

    def choose_point(self, negative):
        """A point in the middle of the row where g is nearly a double; was there one?"""
        reach = self.width * mpf(MIDDLE)
        step = max(reach / CANDIDATES, mpf(2) ** (mp.frexp(self.middle)[1] - 20))
        start = -ulp(mpf(2) ** -12) if negative else self.middle
        places = [self.middle + i * reach for i in (-2, 0, 2)]
        if self.words == 6:
            p4s = [self.polynomial(self.aim(c, None), c, 5)[4] for c in places]
            p4s = interpolate([c - self.middle for c in places], p4s)
        best = None
        for i in range(CANDIDATES):
            c = start + (-i if negative else (i + 1) // 2 * (-1) ** i) * step
            if abs(c - self.middle) > 2 * reach:
                break
            c = to_double(c)
            for _ in range(2 if self.words == 6 else 0):  # p4 depends on c
                p4 = leading(horner(p4s, mpf(c) - self.middle), 32)
                c = from_bits(bits(c) >> 32 << 32 | p4 >> 32)
            if negative and c > -(2.0**-40):
                continue
            a = horner(self.series, mpf(c) - self.middle)
            cost = distance(a)
            if best is None or cost < best[0]:
                best = cost, c, a
            if cost < GOOD:
                break
        cost, self.c, self.a = best
        return cost < BAD

    def fit(self):
        c, words, terms = mpf(self.c), self.words, self.terms
        big_a = to_double(self.a)
        lo, hi = self.lo - c, self.hi - c
        p = [mpf(0)] * terms
        rest = self.polynomial(self.aim(c, mpf(big_a)), c, terms - 1)
        if max(abs(horner(rest, d) * d) for d in (lo, hi)) < abs(mpf(big_a)) * mpf(2) ** -75:
            rest = [mpf(0)] * terms

        def take(i, number):  # and go on with what is left, to one degree less
            nonlocal rest
            p[i] = mpf(number)
            rest = [*rest[:i], rest[i] - p[i], *rest[i + 1 :]]
            if i and rest[i]:
                rest = self.polynomial(rest, c, i - 1)

        if words == 6:
            low = leading(rest[5], 24)
            take(5, from_bits(low))
            take(4, from_bits((bits(self.c) & 0xFFFFFFFF) << 32))
            take(3, with_low_bits(rest[3], low >> 40, 24))
        else:
            low = leading(rest[6], 24)
            take(6, from_bits(low))
            p5 = leading(rest[5], 48)
            take(5, from_bits(p5))
            take(4, with_low_bits(rest[4], low >> 40, 24))
            take(3, to_double(rest[3]))
        for i in (2, 1, 0):
            take(i, to_double(rest[i]))
        self.row = [self.c, big_a] + [float(x) for x in p[:4]]
        if words == 8:
            self.row += [float(p[4]), from_bits(bits(self.slope) | p5 >> 16)]
        self.p = p
        self.error = max(
            abs(mpf(big_a) + d * horner(p, d) - horner(self.series, c + d - self.middle))
            for d in chebyshev(lo, hi, 25)
        )


# ---- tables ----------------------------------------------------------------------------------


class Table:
    """The rows of one function: near ones from left to right, then the far rows."""

    def __init__(self, spec):
        self.spec = spec
        self.words = 8 if spec.form in ("DERIVATIVE", "EXPM1") else 6
        self.root = 0.0
        if spec.form == "DERIVATIVE":
            self.root = to_double(mp.findroot(spec.f, (mpf(-2), mpf("-0.5")), solver="anderson"))
        # in the distance from left; the row of a root, or of 0, has that in its middle
        self.left, self.beta = spec.left, spec.beta + 2 * spec.alpha * spec.left
        if spec.form in ("FORWARD", "EXPM1") or spec.rows or self.root:
            r = self.root - self.left
            row = round(r * (spec.alpha * r + self.beta))
            self.beta = to_double((row - spec.alpha * r**2) / r)
        self.last = self.zero = round(self.real_row(0.0))
        if spec.right > 0:
            self.last = next(k for k in range(self.zero, 10**6) if self.edge(k) >= spec.right)
        self.near = self.last + 1
        # in the middle of the last row
        middle = (self.edge(self.last) + self.edge(self.last + 1)) / 2
        self.limit = 0.0 if spec.right == 0 else float(round_bits(middle, 20))
        # the far tail, to where results round to zero
        if spec.form == "EXPM1":
            self.end, self.far_limit = self.left, -self.left
            self.shift = self.far_offset = 0
            self.rows = self.near
            return
        self.end = -bisect(lambda u: abs(self.value(-mpf(u))) < mpf(2) ** -1077, -self.left, 1000.0)
        self.shift = 52 - spec.far_bits
        self.far_offset = bits(-self.left - spec.far_from) >> self.shift
        self.far_limit = float(min(-self.end, spec.flat))
        far = (bits(self.far_limit - spec.far_from) >> self.shift) - self.far_offset + 1
        self.rows = self.near + far

    def value(self, x):
        return x * self.spec.f(x) if self.spec.form == "FORWARD" else self.spec.f(x)

    def real_row(self, t):
        r = t - self.left
        return r * (self.spec.alpha * r + self.beta)

    def edge(self, k):
        """The t where row k begins, but for rounding."""
        a, b, row = mpf(self.spec.alpha), mpf(self.beta), k - mpf(1) / 2
        return self.left + 2 * row / (b + mp.sqrt(b * b + 4 * a * row))

    def slack(self, t):
        """How far from there the rounded row number may still be another."""
        r, alpha = t - self.left, self.spec.alpha
        inner = alpha * r + self.beta
        return (abs(r) * ulp(inner) + mpf(2) ** -60) / (self.beta + 2 * alpha * r) + ulp(r)

    def interval(self, k):
        """The arguments that may come to row k."""
        if k >= self.near:
            first = k - self.near + self.far_offset
            lo, hi = (from_bits(u << self.shift) + self.spec.far_from for u in (first, first + 1))
            if k == self.rows - 1:
                hi = -self.end
            slack = mpf(2) ** -50  # u - far_from may be rounded
            return -hi * (1 + slack), -max(lo, -self.left) * (1 - slack)
        lo, hi = self.edge(k), self.edge(k + 1)
        lo, hi = lo - self.slack(lo), hi + self.slack(hi)
        if k == self.last:
            hi = mpf(self.limit)
        return lo, hi

    def in_zone(self, k):
        lo, hi = self.interval(k)
        spec = self.spec
        return spec.zone > 0 and lo > self.root - spec.zone and hi < self.root + spec.zone

    def target(self, k):
        """What row k holds: g with its slope."""
        spec = self.spec
        if k >= self.near:
            v = spec.v
            return lambda t: self.value(t) * mp.exp(-t * (v[0] - t * (v[1] - t * v[2]))), 0.0
        if self.in_zone(k):
            slope, root = mpf(spec.slope), mpf(self.root)
            return lambda t: spec.f(t) - slope * (t - root), spec.slope
        return spec.f, 0.0

    def fit(self, k):
        """The words of row k, its interval, and errors in ULP of the result."""
        spec = self.spec
        lo, hi = self.interval(k)
        if k == self.last and spec.right > 0:
            return [float(round_bits(lo, 20)), 1.0] + [0.0] * (self.words - 2), lo, hi, (0, 0)
        g, slope = self.target(k)
        if k == self.rows - 1 and spec.flat < math.inf:
            return self.line(g, lo, hi)
        c = None
        if slope and lo <= self.root <= hi:
            c = self.root
        zero = k == self.zero and spec.form == "FORWARD"
        row = Row(g, lo, hi, self.words, slope, c, zero)
        if c == 0.0:
            row.row[1] = -0.0  # expm1(-0) = -0
        size = min(abs(g(lo)), abs(g(hi)))
        if slope:
            size = max(min(abs(spec.f(lo)), abs(spec.f(hi))), spec.slope * (hi - lo) / 2)
        return row.row, lo, hi, (float(row.error / ulp(size)), float(distance(row.a)))

    def line(self, g, lo, hi):
        """The last far row, of a g that is 1, t or 1 + t but for what is lost beside it."""
        x, c = mp.floor(hi), 0.0
        p0 = float(mp.nint(g(x) - g(x - 1)))
        a = float(mp.nint(g(x) - p0 * x))
        error = max(abs(a + (t - c) * p0 - g(t)) / ulp(g(t)) for t in (lo, hi))
        return [c, a, p0] + [0.0] * (self.words - 3), lo, hi, (float(error), 0)


def coefficients(row):
    """p0, p1 ... as the kernel takes them from the words of a row."""
    low = [bits(x) for x in row]
    if len(row) == 6:
        return [*row[2:6], from_bits(low[0] << 32 & 2**64 - 1), from_bits(low[5] << 40 & 2**64 - 1)]
    return [*row[2:7], from_bits(low[7] << 16 & 2**64 - 1), from_bits(low[6] << 40 & 2**64 - 1)]


def bisect(true_from, lo, hi):
    """The smallest double in (lo, hi] from which on true_from holds."""
    lo, hi = bits(lo), bits(hi)
    while hi - lo > 1:
        middle = (lo + hi) // 2
        lo, hi = (lo, middle) if true_from(from_bits(middle)) else (middle, hi)
    return from_bits(hi)


def split(x):
    """x as a double of HALF_BITS bits and the double nearest to the rest."""
    high = round_bits(x, HALF_BITS)
    return float(high), to_double(x - high)


def c_double(x):
    if x == 0:
        return "-0.0" if math.copysign(1, x) < 0 else "0.0"
    s = x.hex()
    mantissa, exponent = s.split("p")
    return mantissa.rstrip("0").rstrip(".") + "p" + exponent


def c_rows(rows):
    return "\n".join("    {" + ", ".join(map(c_double, row)) + "}," for row in rows)


def rows_text(name, rows):
    return f"""FG_ALIGN(64) static const double {name}[{len(rows)}][{len(rows[0])}] = {{
{c_rows(rows)}
}};
"""


def table_text(name, table, rows):
    spec = table.spec
    v0, v2 = (to_double(spec.v[0]), to_double(spec.v[2]))
    low = [to_double(spec.v[0] - v0), to_double(spec.v[2] - v2)]
    near, far = rows[: table.near], rows[table.near :]
    text = "" if spec.rows else rows_text(f"rows_f64_{name}", near)
    text += rows_text(f"far_f64_{name}", far) if far else ""
    return f"""/* table_f64_{name}.h: written by c/tools/fit_f64.py, not by hand. */
{text}
const struct fg_table_f64 fg_table_f64_{name} = {{
    .alpha = {c_double(spec.alpha)}, .beta = {c_double(table.beta)},
    .left = {c_double(table.left)}, .limit = {c_double(table.limit)},
    .root = {c_double(table.root)},
    .end = {c_double(table.end)}, .far_shift = {table.shift}, .far_offset = {table.far_offset:#x},
    .far_limit = {c_double(table.far_limit)}, .far_from = {c_double(spec.far_from)},
    .v = {{{", ".join(map(c_double, (v0, to_double(spec.v[1]), v2)))}}},
    .v_low = {{{", ".join(map(c_double, low))}}},
    .rows = rows_f64_{spec.rows or name}[0], .far = {f"far_f64_{name}[0]" if far else "NULL"},
}};
"""


def exp_text():
    """For exp(-v) = 2^(-n/EXP_STEPS) * exp(-r), |r| <= ln(2)/EXP_STEPS/2."""
    step = mp.ln(2) / EXP_STEPS
    high = round_bits(step, 34)  # times n < 2^17: exact
    nodes = chebyshev(-step / 2, step / 2, EXP_TERMS - 1)
    terms = [mpf(-1)] + interpolate(nodes, [(mp.exp(-r) - 1 + r) / r**2 for r in nodes])
    powers = [split(mpf(2) ** (mpf(-j) / EXP_STEPS)) for j in range(EXP_STEPS)]
    return f"""/* table_f64_exp.h: written by c/tools/fit_f64.py, not by hand. */
const struct fg_exp_f64 fg_exp_f64 = {{
    .inverse = {c_double(to_double(1 / step))},
    .step_high = {c_double(float(high))}, .step_low = {c_double(to_double(step - high))},
    .terms = {{{", ".join(c_double(to_double(p)) for p in terms)}}},
    .powers = {{
{c_rows(powers)}
    }},
}};
"""


def list_text():
    includes = "\n".join(f'#include "table_f64_{name}.h"' for name in ["exp", *SPECS])
    return f"/* tables_f64.h: written by c/tools/fit_f64.py, not by hand. */\n{includes}\n"


def stored_rows(name):
    """Near rows, then far ones."""
    shared = SPECS[name].rows
    rows = stored_rows(shared)[: Table(SPECS[shared]).near] if shared else []
    text = (TABLES / f"table_f64_{name}.h").read_text().split("const struct")[0]
    lines = [line.strip().strip("{},") for line in text.splitlines() if line.startswith("    {")]
    return rows + [[float.fromhex(x) for x in line.split(", ")] for line in lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="functions (default: all)")
    parser.add_argument(
        "--check", type=int, metavar="N", help="refit N rows, compare with the files"
    )
    options = parser.parse_args()
    differing = 0
    if options.check:
        differing += (TABLES / "table_f64_exp.h").read_text() != exp_text()
        differing += (TABLES / "tables_f64.h").read_text() != list_text()
    else:
        (TABLES / "table_f64_exp.h").write_text(exp_text())
        (TABLES / "tables_f64.h").write_text(list_text())
    for name in options.names or SPECS:
        table = Table(SPECS[name])
        if options.check:
            stored = stored_rows(name)
            sample = sorted({int(k) for k in np.linspace(0, table.rows - 1, options.check)})
            wrong = [
                k for k in sample if list(map(bits, table.fit(k)[0])) != list(map(bits, stored[k]))
            ]
            if (TABLES / f"table_f64_{name}.h").read_text() != table_text(name, table, stored):
                wrong.append("parameters")
            differing += bool(wrong) or len(stored) != table.rows
            print(f"{name}: {len(stored)} rows, {len(sample)} refitted, differing: {wrong or 'no'}")
            continue
        rows, errors = [], []
        if table.spec.rows:
            rows = stored_rows(table.spec.rows)[: table.near]
        for k in range(len(rows), table.rows):
            row, lo, hi, (error, start) = table.fit(k)
            rows.append(row)
            errors.append(error)
            use = "far" if k >= table.near else "near"
            print(
                f"{name} {k:3} [{float(lo):.6f}, {float(hi):.6f}] ULP: fit {error:.4f}, "
                f"A {start:.4f} ({use})"
            )
        (TABLES / f"table_f64_{name}.h").write_text(table_text(name, table, rows))
        print(f"{name}: {table.near} near rows, {table.rows - table.near} far")
    return differing != 0


if __name__ == "__main__":
    sys.exit(main())
