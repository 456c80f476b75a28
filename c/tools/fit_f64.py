"""Fits and writes the float64 tables, ../src/tables/table_f64_<name>.h.

    python fit_f64.py                   write every table
    python fit_f64.py gelu silu         write these
    python fit_f64.py --check 5         refit 5 rows of each table and compare with the files

A function is a Spec: its T(t) for t = |x| >= 0 (kernel_f64.h says what T is), its form, the index of
its rows, and v(t) with T ~ exp(-v) in the far tail.  The run is deterministic: the same bytes each time.
Prints, for each row, the interval, the largest relative error of the fitted polynomial and how far
the stored leading value is from the real one, both in units in the last place of the result.
"""

import argparse
import math
import pathlib
import sys
from dataclasses import dataclass
from typing import Callable

import numpy as np
from mpmath import mp, mpf

mp.prec = 200
TABLES = pathlib.Path(__file__).resolve().parent.parent / "src" / "tables"

COLUMNS = 14  # c, a, p0 ... p11
COEFFICIENTS = COLUMNS - 2
SAMPLES = 28  # Chebyshev nodes of the interpolant that stands for the function within a row
CANDIDATES = 1 << 14  # doubles on either side of the middle of a row tried as its c
HALF_BITS = 26  # a product of two numbers of 26 bits is exact
REGISTER_ROWS = 16  # also written by columns, for instruction sets that keep them in registers
EXP_STEPS = 16
EXP_TERMS = 7
MAGIC = float.fromhex("0x1.8p52")


# ---- the functions ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Spec:
    t: Callable  # T(t)
    form: str  # FORWARD or DERIVATIVE
    v: tuple  # T ~ exp(-v), v = t*(v[0] + v[1]*t + v[2]*t^2)
    alpha: float  # row = round(t*(alpha*t + beta))
    beta: float | None = None
    slope: float = -0.5  # DERIVATIVE with a root: of the linear part, a power of two
    root_row: int = 0  # DERIVATIVE with a root: the row it lies in the middle of, instead of beta
    linear: tuple = (0, 0)  # rows from ... to hold T minus a linear function
    far: float = math.inf  # x < -far goes the way of the far tail, at the latest where near ends
    far_bits: int = 2  # the far tail has 2^far_bits rows per octave of t


def tail(t):  # Phi(-t)
    return mp.erfc(t / mp.sqrt(2)) / 2


def density(t):  # phi(t)
    return mp.exp(-t * t / 2) / mp.sqrt(2 * mp.pi)


def logistic(v):  # sigmoid(-v(t)) and its derivative in t, up to the sign
    def s(t):
        return 1 / (1 + mp.exp(t * (v[0] + t * (v[1] + t * v[2]))))

    def ds(t):
        return s(t) * (1 - s(t)) * (v[0] + t * (2 * v[1] + t * 3 * v[2]))

    return s, ds


GAUSS = (mpf(0), mpf(1) / 2, mpf(0))
TANH = (2 * mp.sqrt(2 / mp.pi), mpf(0), 2 * mp.sqrt(2 / mp.pi) * mpf(44715) / 1000000)
tanh_s, tanh_ds = logistic(TANH)

SPECS = {
    "gelu": Spec(lambda t: t * tail(t), "FORWARD", GAUSS, 0.45, 2.5, linear=(0, 2), far=6.0),
    "gelu_tanh": Spec(lambda t: t * tanh_s(t), "FORWARD", TANH, 0.6, 2.5, linear=(0, 2), far=5.0),
    "gelu_grad": Spec(
        lambda t: tail(t) - t * density(t), "DERIVATIVE", GAUSS, 0.45, root_row=2, linear=(0, 3), far=6.0
    ),
    "gelu_tanh_grad": Spec(
        lambda t: tanh_s(t) - t * tanh_ds(t), "DERIVATIVE", TANH, 0.6, root_row=2, linear=(0, 3), far=5.0,
        far_bits=3,
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
    """Coefficients, lowest first, of the polynomial through the points (Newton's form, expanded)."""
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


def accurate_point(g, lo, hi, scale):
    """A double inside [lo, hi] where g, and with less weight g', are nearly doubles.

    It lies where |g(c) - g(t)| / scale(t) is the same at both ends: that is what rounding costs.
    """

    def excess(c):
        return abs(g(lo) - g(c)) / abs(scale(lo)) - abs(g(hi) - g(c)) / abs(scale(hi))

    left, right = lo + (hi - lo) / 4, hi - (hi - lo) / 4
    for _ in range(10):
        middle = (left + right) / 2
        left, right = (middle, right) if excess(middle) < 0 else (left, middle)
    middle = mpf(to_double(left))
    nodes = chebyshev(lo - middle, hi - middle, SAMPLES)
    series = interpolate(nodes, [g(middle + d) for d in nodes])
    if max(abs(p) for p in series[2:]) < mpf(2) ** -100 * abs(series[0]):
        return middle  # g is linear
    step = ulp(middle)

    def distance(value, slope):
        """|value + j*slope*step| from a double, in 2^-64 ULP, for all candidates j."""
        unit = ulp(value)
        start = int(mp.floor(value / unit * 2**64)) % 2**64
        stride = int(mp.floor(slope * step / unit * 2**64)) % 2**64
        f = np.uint64(start) + j.astype(np.uint64) * np.uint64(stride)
        return np.minimum(f, np.uint64(0) - f).astype(np.float64)

    j = np.arange(-CANDIDATES, CANDIDATES + 1, dtype=np.int64)
    change = float(abs(series[1] * (hi - lo) / 2 / series[0]))
    with np.errstate(over="ignore"):
        cost = distance(series[0], series[1]) + distance(series[1], 2 * series[2]) * min(change, 1)
    return middle + int(j[np.argmin(cost)]) * step


def fit_row(g, lo, hi, scale, c=None):
    """One row for g on [lo, hi]: its doubles, and the errors of fit and of a in ULP of scale(t)."""
    lo, hi = mpf(lo), mpf(hi)
    c = accurate_point(g, lo, hi, scale) if c is None else mpf(c)
    nodes = chebyshev(lo - c, hi - c, SAMPLES)
    series = interpolate(nodes, [g(c + d) for d in nodes])
    # a and p0 are those of the function itself (c was chosen for that), the rest is fitted
    nodes = chebyshev(lo - c, hi - c, COEFFICIENTS - 1)
    fitted = [g(c), series[1]] + interpolate(nodes, [horner(series[2:], d) for d in nodes])
    width, size = max(hi - c, c - lo), abs(scale(c)) or abs(scale(hi))
    fitted = [
        mpf(to_double(p)) if abs(p) * width**i > size * mpf(2) ** -80 else mpf(0)
        for i, p in enumerate(fitted)
    ]
    error = mpf(0)
    for d in chebyshev(lo - c, hi - c, 3 * COEFFICIENTS):
        error = max(error, abs(horner(fitted, d) - g(c + d)) / ulp(scale(c + d)))
    return [float(c)] + [float(p) for p in fitted], float(error), float(abs(fitted[0] - g(c)) / ulp(size))


# ---- tables ----------------------------------------------------------------------------------


class Table:
    """The rows of one function: [0, zero) near, then a row of zeros, then the far rows."""

    def __init__(self, spec):
        self.spec = spec
        self.root = self.slope = 0.0
        self.beta = spec.beta
        t = spec.t
        if spec.root_row:
            root = mp.findroot(t, mpf("0.8"))
            self.root = to_double(root)
            self.slope = spec.slope
            self.beta = to_double((spec.root_row - spec.alpha * root * root) / root)
        elif spec.form == "FORWARD":
            self.slope = 0.5
        # near zone: until T is lost beside x (FORWARD) or 1 (DERIVATIVE)
        beside = (lambda x: x) if spec.form == "FORWARD" else (lambda x: mpf(1) / 2)
        end = bisect(lambda x: abs(t(mpf(x))) < ulp(beside(mpf(x))) / 4, 1.0, 100.0)
        self.zero = self.row(end) + 1
        self.limit = bisect(lambda x: self.row(x) >= self.zero, 0.0, 100.0)
        self.far = min(spec.far, self.limit)
        self.end = bisect(lambda x: abs(t(mpf(x))) < mpf(2) ** -1076, self.far, 1000.0)
        self.shift = 52 - spec.far_bits
        self.far_offset = (bits(self.far) >> self.shift) - (self.zero + 1)
        self.rows = self.zero + 1 + (bits(self.end) >> self.shift) - (bits(self.far) >> self.shift) + 1

    def row(self, x):
        """As the kernel does it, rounding by rounding."""
        return int(x * (self.spec.alpha * x + self.beta) + MAGIC - MAGIC)

    def fit(self, k):
        """Row k: its doubles, interval, and errors."""
        spec, t = self.spec, self.spec.t
        if k == self.zero:
            sign = math.copysign(0.0, t(mpf(100))) if spec.form == "DERIVATIVE" else 0.0
            return [0.0] + [sign] * (COLUMNS - 1), self.limit, math.inf, 0.0, 0.0
        if k < self.zero:
            lo = bisect(lambda x: self.row(x) >= k, 0.0, 100.0)
            hi = bisect(lambda x: self.row(x) > k, 0.0, 100.0)
            linear = k in range(*spec.linear)
            slope, root = (mpf(self.slope), mpf(self.root)) if linear else (0, 0)
            c = 0.0 if k == 0 else self.root if k == spec.root_row else None
            row = fit_row(lambda x: t(x) - slope * (x - root), lo, hi, t, c)
        else:
            exponent = k + self.far_offset
            lo = max(self.far, from_bits(exponent << self.shift))
            hi = min(self.end, from_bits((exponent + 1) << self.shift))
            v = spec.v

            def ratio(x):
                return t(x) * mp.exp(x * (v[0] + x * (v[1] + x * v[2])))

            row = fit_row(ratio, lo, hi, ratio)
        return row[0], lo, hi, row[1], row[2]


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
    v_high, v_low = zip(*(split(v) for v in spec.v))
    columns = zip(*rows[:REGISTER_ROWS])
    return f"""/* table_f64_{name}.h: written by c/tools/fit_f64.py, not by hand. */
FG_ALIGN(64) static const double rows_f64_{name}[{len(rows)}][FG_COLUMNS_F64] = {{
{c_rows(rows)}
}};

const struct fg_table_f64 fg_table_f64_{name} = {{
    .alpha = {c_double(spec.alpha)}, .beta = {c_double(table.beta)},
    .limit = {c_double(table.limit)},
    .special = {c_double(MAGIC + spec.linear[0])}, .ordinary = {c_double(MAGIC + spec.linear[1])},
    .root = {c_double(table.root)}, .slope = {c_double(table.slope)},
    .far_first = {bits(-table.far):#x}u, .far_span = {bits(table.end) - bits(table.far):#x}u,
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
    """exp(-v) = 2^(-n/16) * exp(-r): the powers, ln(2)/16 in two parts, exp(-r) - 1 on |r| <= ln(2)/32."""
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


def stored_rows(name):
    text = (TABLES / f"table_f64_{name}.h").read_text().split("= {")[1].split("};")[0]
    lines = [line.strip().strip("{},") for line in text.splitlines() if line.strip()]
    return [[float.fromhex(x) for x in line.split(", ")] for line in lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="functions (default: all)")
    parser.add_argument("--check", type=int, metavar="N", help="refit N rows, compare with the files")
    options = parser.parse_args()
    differing = 0
    if options.check:
        differing += (TABLES / "table_f64_exp.h").read_text() != exp_text()
    else:
        (TABLES / "table_f64_exp.h").write_text(exp_text())
    for name in options.names or SPECS:
        table = Table(SPECS[name])
        if options.check:
            stored = stored_rows(name)
            sample = sorted({int(k) for k in np.linspace(0, table.rows - 1, options.check)})
            wrong = [k for k in sample if table.fit(k)[0] != stored[k]]
            differing += bool(wrong) or len(stored) != table.rows
            print(f"{name}: {len(stored)} rows, {len(sample)} refitted, differing: {wrong or 'none'}")
            continue
        rows = []
        for k in range(table.rows):
            row, lo, hi, error, start = table.fit(k)
            rows.append(row)
            print(f"{name} {k:3} [{lo:.6f}, {hi:.6f}] fit {error:.4f} ulp, a {start:.4f} ulp")
        (TABLES / f"table_f64_{name}.h").write_text(table_text(name, table, rows))
        print(f"{name}: {table.rows} rows, {table.rows * COLUMNS * 8} bytes; beta {table.beta}")
    return differing != 0


if __name__ == "__main__":
    sys.exit(main())
