"""Fits and writes the float64 tables, ../src/tables/table_f64_<name>.h.

    python fit_f64.py                   write every table
    python fit_f64.py gelu silu         write these
    python fit_f64.py --check 5         refit 5 rows of each table and compare with the files

A function is a Spec: its form, its T(t) for t = |x| >= 0 (kernel_f64.h says what T is), v(t) with
T ~ exp(-v) in the far tail, and the index of its rows.  A run is deterministic to the byte.
Prints for each row, in units in the last place of the result, the largest error of the fitted
polynomial, the error of the stored leading value, and a bound on what the kernel's roundings add.
"""

import argparse
import math
import pathlib
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from mpmath import mp, mpf

mp.prec = 200
TABLES = pathlib.Path(__file__).resolve().parent.parent / "src" / "tables"

COLUMNS = 14  # c, a, p0 ... p11
COEFFICIENTS = COLUMNS - 2
SAMPLES = 28  # Chebyshev nodes of the interpolant that stands for the function within a row
CANDIDATES = 1 << 14  # doubles on either side of the middle of a row tried as its c
PLACES = 33  # of c within its row that are considered
TRIES, GOOD = 12, 0.02  # how many of them are tried, and the sum of distances in ULP that will do
HALF_BITS = 26  # a product of two numbers of 26 bits is exact
REGISTER_ROWS = 16  # also written by columns, for instruction sets that keep them in registers
EXP_STEPS = 16
EXP_TERMS = 7
MAGIC = float.fromhex("0x1.8p52")


# ---- the functions ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Spec:
    form: str  # FORWARD, SIGMOID, DERIVATIVE, EVEN or EXPM1
    t: Callable  # T(t)
    v: tuple  # T ~ exp(-v) in the far tail, v = t*(v[0] + v[1]*t + v[2]*t^2)
    alpha: float  # near row = round(t*(alpha*t + beta))
    beta: float | None = None
    far: float = math.inf  # the far tail starts here, at the latest where T is lost beside x or 1
    linear: tuple = (0, 0)  # rows from ... to hold T minus a linear function, whose slope is
    slope: float = 0.5
    root_at: float = 0.0  # DERIVATIVE: alpha*t*t + beta*t at the root, instead of beta
    far_bits: int = 3  # the far tail has 2^far_bits rows per octave of t


def normal_cdf(t):  # at -t
    return mp.erfc(t / mp.sqrt(2)) / 2


def normal_pdf(t):
    return mp.exp(-t * t / 2) / mp.sqrt(2 * mp.pi)


class Logistic:
    """s(t) = sigmoid(-v(t)), and the functions made of it, at -t."""

    def __init__(self, v):
        self.v = v

    def s(self, t):
        v = self.v
        return 1 / (1 + mp.exp(t * (v[0] + t * (v[1] + t * v[2]))))

    def s_grad(self, t):  # of sigmoid(v(x)) in x
        v, s = self.v, self.s(t)
        return s * (1 - s) * (v[0] + t * (2 * v[1] + t * 3 * v[2]))

    def forward(self, t):
        return t * self.s(t)

    def grad(self, t):
        return self.s(t) - t * self.s_grad(t)


ZERO, ONE = mpf(0), mpf(1)
GAUSS = (ZERO, ONE / 2, ZERO)
TANH = Logistic((2 * mp.sqrt(2 / mp.pi), ZERO, 2 * mp.sqrt(2 / mp.pi) * 44715 / 1000000))
QUICK = Logistic((ONE * 1702 / 1000, ZERO, ZERO))
SILU = Logistic((ONE, ZERO, ZERO))

FORWARD = {"form": "FORWARD", "linear": (0, 2)}
GRAD = {"form": "DERIVATIVE", "linear": (2, 4), "slope": -0.41, "root_at": 2.8}
LOGISTIC_GRAD = {"form": "DERIVATIVE", "linear": (3, 6), "root_at": 4.8, "far_bits": 2}

SPECS = {
    "gelu": Spec(**FORWARD, t=lambda t: t * normal_cdf(t), v=GAUSS, alpha=0.32, beta=3.4, far=4.0),
    "gelu_tanh": Spec(**FORWARD, t=TANH.forward, v=TANH.v, alpha=0.5, beta=3.3, far=3.75),
    "gelu_grad": Spec(
        **GRAD, t=lambda t: normal_cdf(t) - t * normal_pdf(t), v=GAUSS, alpha=0.3, far=3.9
    ),
    "gelu_tanh_grad": Spec(**GRAD, t=TANH.grad, v=TANH.v, alpha=0.35, far=4.4),
    "quick_gelu": Spec(**FORWARD, t=QUICK.forward, v=QUICK.v, alpha=-0.035, beta=4.6, far_bits=2),
    "quick_gelu_grad": Spec(
        **LOGISTIC_GRAD, t=QUICK.grad, v=QUICK.v, alpha=-0.087, slope=-0.374, far=14.7
    ),
    "silu": Spec(**FORWARD, t=SILU.forward, v=SILU.v, alpha=-0.012, beta=2.7, far_bits=2),
    "silu_grad": Spec(**LOGISTIC_GRAD, t=SILU.grad, v=SILU.v, alpha=-0.03, slope=-0.22, far=25.0),
    "sigmoid": Spec("SIGMOID", t=SILU.s, v=SILU.v, alpha=0.0, beta=2.0, far_bits=2),
    "sigmoid_grad": Spec(
        "EVEN", t=SILU.s_grad, v=SILU.v, alpha=0.0, beta=2.1, far=20.0, far_bits=2
    ),
    "normal_cdf": Spec("SIGMOID", t=normal_cdf, v=GAUSS, alpha=0.35, beta=2.8, far=4.1),
    "normal_cdf_grad": Spec("EVEN", t=normal_pdf, v=GAUSS, alpha=0.4, beta=2.8, far=4.1),
    "exp_negative": Spec(
        "EVEN", t=lambda t: mp.exp(-t), v=SILU.v, alpha=0.0, beta=2.1, far=20.0, far_bits=2
    ),
    "expm1_negative": Spec(
        "EXPM1", t=lambda t: mp.expm1(-t), v=SILU.v, alpha=0.0, beta=2.4, linear=(0, 2), slope=-1.0
    ),
}


# ---- doubles ---------------------------------------------------------------------------------


def bits(x):
    return int(np.float64(x).view(np.uint64))


def from_bits(u):
    return float(np.uint64(u).view(np.float64))


def to_double(x):
    """The double nearest to x (no x here is subnormal)."""
    return float(mpf(x)) if x else 0.0


def round_bits(x, n):
    """x rounded to n significant bits."""
    with mp.workprec(n):
        return +mpf(x)


def ulp(x):
    return mpf(2) ** (max(mp.frexp(abs(x))[1], -1021) - 53) if x else mpf(2) ** -1074


def nearest(x):
    """How far x lies from a double, in ULP."""
    return abs(mpf(to_double(x)) - x) / ulp(x)


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


def rounding(poly, d, linear, parts):
    """A bound, in ULP of the result, on what rounding adds to the kernel's poly(d) + linear.

    poly is a, p0, ..., lowest first; linear is added in so many parts, or 0.  Each operation
    adds half an ULP of its result.  The kernel evaluates the terms beyond p1 in two chains; what
    that changes is lost beside p0.
    """
    q, error = poly[-1], 0.0
    for p in poly[-2:0:-1]:
        product = q * d
        q = product + p
        error = error * abs(d) + (math.ulp(product) + math.ulp(q) * (p != 0)) / 2
    product = q * d
    value = product + poly[0]
    error = error * abs(d) + (math.ulp(product) + math.ulp(value) * (poly[0] != 0)) / 2
    if linear:
        error += (math.ulp(value) * (parts - 1) + math.ulp(value + linear)) / 2
    return error / math.ulp(value + linear)


def worst_rounding(poly, c, lo, hi, line):
    """The largest bound at 25 points of [lo, hi]; line is the (slope, root) of the linear part."""
    slope, root = line
    points = [lo + (hi - lo) * i / 24 for i in range(25)]
    parts = 2 if root else 1
    return max(rounding(poly, t - c, slope * (t - root), parts) for t in points if t != root)


def choose_point(g, lo, hi, line):
    """A double inside [lo, hi] where g, and with less weight g', are nearly doubles, for c.

    It lies where the bound on rounding errors is least.
    """
    middle = (lo + hi) / 2
    nodes = chebyshev(lo - middle, hi - middle, SAMPLES)
    series = interpolate(nodes, [g(middle + d) for d in nodes])
    series = [float(p) for p in series[: COEFFICIENTS + 4]]
    lo_, hi_, places = float(lo), float(hi), []
    for i in range(PLACES):
        c = lo_ + (hi_ - lo_) * (0.3 + 0.4 * i / (PLACES - 1))
        poly = shift(series, c - float(middle))[: COEFFICIENTS + 1]
        places.append((worst_rounding(poly, c, lo_, hi_, line), c))
    best = None
    for _, c in sorted(places)[:TRIES]:  # the first will nearly always do
        point, cost = accurate_neighbour(g, mpf(c), lo, hi)
        if best is None or cost < best[1]:
            best = point, cost
        if cost < GOOD:
            break
    return best[0]


def accurate_neighbour(g, middle, lo, hi):
    """The best double around middle, and how far from doubles g and g' are there, in ULP."""
    nodes = chebyshev(lo - middle, hi - middle, SAMPLES)
    series = interpolate(nodes, [g(middle + d) for d in nodes])
    step = ulp(middle)
    j = np.arange(-CANDIDATES, CANDIDATES + 1, dtype=np.int64)

    def distance(value, slope):
        """Of value + j*slope*step from a double, in ULP, for all candidates j (modulo 2^64)."""
        if abs(value) < mpf(2) ** -100 * abs(series[0]):
            return 0.0
        unit = ulp(value)
        start = int(mp.floor(value / unit * 2**64)) % 2**64
        stride = int(mp.floor(slope * step / unit * 2**64)) % 2**64
        f = np.uint64(start) + j.astype(np.uint64) * np.uint64(stride)
        return np.minimum(f, np.uint64(0) - f).astype(np.float64) * 2.0**-64

    change = min(float(abs(series[1] * (hi - lo) / 2 / series[0])), 1.0)
    with np.errstate(over="ignore"):
        cost = distance(series[0], series[1]) + distance(series[1], 2 * series[2]) * change
    best = int(np.argmin(cost))
    return middle + int(j[best]) * step, cost[best]


def fit_row(g, lo, hi, scale, line=(0.0, 0.0), c=None):
    """One row for g on [lo, hi]: its doubles, and bounds on the errors in ULP of scale(t).

    The bounds are of the fitted polynomial, of a, and of the kernel's roundings.
    """
    lo, hi = mpf(lo), mpf(hi)
    c = choose_point(g, lo, hi, line) if c is None else mpf(c)
    nodes = chebyshev(lo - c, hi - c, SAMPLES)
    series = interpolate(nodes, [g(c + d) for d in nodes])
    change = max(abs(p) * (hi - lo) ** i for i, p in enumerate(series[1:4], 1))
    if change < mpf(2) ** -60 * abs(series[0]):
        # a constant: with c outside the interval, d*(p0 + ...) holds what a lacks
        a, c = mpf(to_double(series[0])), mpf(to_double(2 * lo - hi))
        nodes = chebyshev(lo - c, hi - c, 4)
        fitted = [a] + interpolate(nodes, [(g(c + d) - a) / d for d in nodes])
        fitted += [mpf(0)] * (COEFFICIENTS + 1 - len(fitted))
    else:
        # a and p0 are those of the function itself (c was chosen for that), the rest is fitted
        nodes = chebyshev(lo - c, hi - c, COEFFICIENTS - 1)
        rest = interpolate(nodes, [horner(series[2:], d) for d in nodes])
        fitted = [g(c), series[1]] + rest
    width, size = max(hi - c, c - lo), abs(scale(c)) or abs(scale(hi))
    fitted = [
        mpf(to_double(p)) if abs(p) * width**i > size * mpf(2) ** -80 else mpf(0)
        for i, p in enumerate(fitted)
    ]
    error = mpf(0)
    for d in chebyshev(lo - c, hi - c, 3 * COEFFICIENTS):
        error = max(error, abs(horner(fitted, d) - g(c + d)) / ulp(scale(c + d)))
    row = [float(p) for p in fitted]
    start = abs(fitted[0] - g(c)) / ulp(size)
    bound = worst_rounding(row, float(c), float(lo), float(hi), line)
    return [float(c)] + row, float(error), float(start), bound


# ---- tables ----------------------------------------------------------------------------------


class Table:
    """The rows of one function: [0, zero) near, then a row of zeros, then the far rows."""

    def __init__(self, spec):
        self.spec = spec
        self.root, self.beta = 0.0, spec.beta
        self.slope = float(round_bits(mpf(spec.slope), HALF_BITS))
        t = spec.t
        if spec.form == "DERIVATIVE":
            root = mp.findroot(t, (mpf("0.5"), mpf(2)), solver="anderson")
            self.root = to_double(root)
            self.beta = to_double((spec.root_at - spec.alpha * root * root) / root)
        # near zone: until T is lost beside x or 1, or the far tail starts
        if spec.form == "EVEN":
            near_end = spec.far
        elif spec.form == "EXPM1":  # until T is lost beside its limit, -1
            near_end = bisect(lambda x: mp.exp(-mpf(x)) < mpf(2) ** -55, 1.0, 100.0)
        else:
            one_or = mpf if spec.form == "FORWARD" else lambda x: mpf(1) / 2
            near_end = bisect(lambda x: abs(t(mpf(x))) < ulp(one_or(x)) / 4, 1.0, 100.0)
        self.zero = self.row(near_end) + 1
        self.limit = bisect(lambda x: self.row(x) >= self.zero, 0.0, 100.0)
        if spec.form == "EXPM1":  # no far tail
            self.far = self.end = math.inf
            self.shift = self.far_offset = 0
            self.rows = self.zero + 1
            return
        self.far = min(spec.far, self.limit)
        self.end = bisect(lambda x: abs(t(mpf(x))) < mpf(2) ** -1076, self.far, 1000.0)
        self.shift = 52 - spec.far_bits
        self.far_offset = (bits(self.far) >> self.shift) - (self.zero + 1)
        self.rows = (
            self.zero + 1 + (bits(self.end) >> self.shift) - (bits(self.far) >> self.shift) + 1
        )

    def row(self, x):
        """As the kernel does it, rounding by rounding."""
        return int(x * (self.spec.alpha * x + self.beta) + MAGIC - MAGIC)

    def result(self, lo):
        """What a near row from lo on serves: f(-t), or f(t) alone."""
        t = self.spec.t
        if lo < self.far:
            return t
        return (lambda x: x - t(x)) if self.spec.form == "FORWARD" else (lambda x: 1 - t(x))

    def fit(self, k):
        """Row k: its doubles, interval, and errors."""
        spec, t = self.spec, self.spec.t
        if k == self.zero:
            zero = -0.0 if spec.form == "DERIVATIVE" else 0.0
            limit = -1.0 if spec.form == "EXPM1" else zero
            return [0.0, limit] + [zero] * (COLUMNS - 2), self.limit, math.inf, (0.0, 0.0, 0.5)
        if k < self.zero:
            lo = bisect(lambda x: self.row(x) >= k, 0.0, 100.0) if k else 0.0
            hi = bisect(lambda x: self.row(x) > k, 0.0, 100.0)
            linear = k in range(*spec.linear)
            line = (self.slope, self.root) if linear else (0.0, 0.0)
            slope, root = map(mpf, line)
            c = 0.0 if k == 0 else self.root if lo < self.root < hi else None
            row = fit_row(lambda x: t(x) - slope * (x - root), lo, hi, self.result(lo), line, c)
        else:
            exponent = k + self.far_offset
            lo = max(self.far, from_bits(exponent << self.shift))
            hi = min(self.end, from_bits((exponent + 1) << self.shift))
            v = spec.v

            def ratio(x):
                return t(x) * mp.exp(x * (v[0] + x * (v[1] + x * v[2])))

            row = fit_row(ratio, lo, hi, ratio)
        return row[0], lo, hi, row[1:]


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


def table_text(name, table, rows):
    spec = table.spec
    v_high, v_low = zip(*(split(v) for v in spec.v), strict=True)
    columns = zip(*rows[:REGISTER_ROWS], strict=True)
    far_first = bits(table.far if spec.form == "EVEN" else -table.far)
    return f"""/* table_f64_{name}.h: written by c/tools/fit_f64.py, not by hand. */
FG_ALIGN(64) static const double rows_f64_{name}[{len(rows)}][FG_COLUMNS_F64] = {{
{c_rows(rows)}
}};

const struct fg_table_f64 fg_table_f64_{name} = {{
    .alpha = {c_double(spec.alpha)}, .beta = {c_double(table.beta)},
    .limit = {c_double(table.limit)},
    .special = {c_double(MAGIC + spec.linear[0])}, .ordinary = {c_double(MAGIC + spec.linear[1])},
    .root = {c_double(table.root)}, .slope = {c_double(table.slope)},
    .at_zero = {c_double(to_double(spec.t(mpf(0))))},
    .far_first = {far_first:#x}u, .far_span = {bits(table.end) - bits(table.far):#x}u,
    .tiny_first = 1, .tiny_span = FG_TINY_F64 - 1,
    .far_shift = {table.shift}, .far_offset = {table.far_offset:#x},
    .v_high = {{{", ".join(map(c_double, v_high))}}},
    .v_low = {{{", ".join(map(c_double, v_low))}}},
    .rows = rows_f64_{name},
    .columns = {{
{c_rows(columns)}
    }},
}};
"""


def exp_text():
    """For exp(-v) = 2^(-n/16) * exp(-r), |r| <= ln(2)/32."""
    step = mp.ln(2) / EXP_STEPS
    high = round_bits(step, 36)  # times n < 2^15: exact
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
    text = (TABLES / f"table_f64_{name}.h").read_text().split("= {")[1].split("};")[0]
    lines = [line.strip().strip("{},") for line in text.splitlines() if line.strip()]
    return [[float.fromhex(x) for x in line.split(", ")] for line in lines]


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
            wrong = [k for k in sample if table.fit(k)[0] != stored[k]]
            if (TABLES / f"table_f64_{name}.h").read_text() != table_text(name, table, stored):
                wrong.append("parameters")
            differing += bool(wrong) or len(stored) != table.rows
            print(f"{name}: {len(stored)} rows, {len(sample)} refitted, differing: {wrong or 'no'}")
            continue
        rows = []
        for k in range(table.rows):
            row, lo, hi, (error, start, bound) = table.fit(k)
            rows.append(row)
            use = "far" if k > table.zero else "near" if lo < table.far else "near, x > 0"
            print(
                f"{name} {k:3} [{lo:.6f}, {hi:.6f}] ULP: fit {error:.4f}, a {start:.4f}, "
                f"rounding at most {bound:.4f} ({use})"
            )
        (TABLES / f"table_f64_{name}.h").write_text(table_text(name, table, rows))
        print(f"{name}: {table.rows} rows, {table.rows * COLUMNS * 8} bytes; beta {table.beta}")
    return differing != 0


if __name__ == "__main__":
    sys.exit(main())
