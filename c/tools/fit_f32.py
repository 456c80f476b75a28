#!/usr/bin/env python3
"""Fits the float32 tables: writes c/src/tables/table_f32_<function>.h,
and tables_f32.h, which includes them all.

    python c/tools/fit_f32.py                 all functions, same bytes every time
    python c/tools/fit_f32.py gelu gelu_grad  these alone
    python c/tools/fit_f32.py --check 8       refits 8 rows of each table and compares

A table describes T(t), t = |x|, of kernel_f32.h: T(t) = -f(-t) for a FORWARD
function, T(t) = f(-t) for a DERIVATIVE.  A row holds (c, a, p0 … p5) with

    T(t) = a + d*(p0 + d*(p1 + … + d*p5)),  d = t - c.

c lies where the roundings of the last steps add least, and is the float around
there at which T happens to lie closest to a float, a that float: so a is exact
to about a hundredth of an ULP and the error of a result is that of one
rounding plus a fraction of a second one.
The coefficients minimise the relative error at Chebyshev nodes and are
rounded to float32 one after another, lowest order first, each time refitting
those of higher order.  Everything is computed by mpmath, hence reproducible.
"""

import argparse
import pathlib
import struct
import sys

from mpmath import mp, mpf

mp.prec = 200
TABLES = pathlib.Path(__file__).resolve().parent.parent / "src" / "tables"
MAGIC = mpf(3 * 2**22)  # 1.5 * 2^23: adding it rounds to an integer
NEAR_ROWS = 32  # the last one is the zero row
DEGREE = 6
SCALE = 96  # far rows are stored times 2^SCALE
FAR_RATIO = mpf("0.33")  # half the width of a far row times the logarithmic derivative
NODES = 18

SQRT_2 = mp.sqrt(2)
SQRT_2_PI = mp.sqrt(2 / mp.pi)


# ---- the functions -------------------------------------------------------


def gelu(t):
    return t * mp.erfc(t / SQRT_2) / 2


def gelu_grad(t):
    return mp.erfc(t / SQRT_2) / 2 - t * mp.npdf(t)


def gelu_tanh(t):
    v = 2 * SQRT_2_PI * (t + mpf("0.044715") * t**3)
    return t / (1 + mp.exp(v))


def gelu_tanh_grad(t):
    v = 2 * SQRT_2_PI * (t + mpf("0.044715") * t**3)
    dv = 2 * SQRT_2_PI * (1 + 3 * mpf("0.044715") * t**2)
    return (1 - t * dv / (1 + mp.exp(-v))) / (1 + mp.exp(v))


def sigmoid_form(k):
    """T of x*sigmoid(k*x)."""
    return lambda t: t / (1 + mp.exp(k * t))


def sigmoid_form_grad(k):
    return lambda t: (1 - k * t / (1 + mp.exp(-k * t))) / (1 + mp.exp(k * t))


def sigmoid(t):
    return 1 / (1 + mp.exp(t))


def sigmoid_grad(t):
    return 1 / (2 + mp.exp(t) + mp.exp(-t))


def normal_cdf(t):
    return mp.erfc(t / SQRT_2) / 2


class Spec:
    """form; T; near_end: where the near rows end; beta: rows per unit of t at 0;
    first: rows around zero that take x/2 as base; root: of a derivative, on t > 0."""

    def __init__(self, form, T, near_end, beta, first=0, root=None):
        self.form, self.T, self.first, self.root = form, T, first, root
        self.near_end, self.beta = mpf(near_end), mpf(beta)


SPECS = {
    "gelu": Spec("FORWARD", gelu, "5.40", "3.2", first=1),
    "gelu_tanh": Spec("FORWARD", gelu_tanh, "5.05", "3.2", first=1),
    "gelu_grad": Spec("DERIVATIVE", gelu_grad, "5.95", "3.3", root="0.7517915"),
    "gelu_tanh_grad": Spec("DERIVATIVE", gelu_tanh_grad, "5.48", "3.3", root="0.7524614"),
    "quick_gelu": Spec("FORWARD", sigmoid_form(mpf("1.702")), "10.0", "3.4", first=1),
    "quick_gelu_grad": Spec(
        "DERIVATIVE", sigmoid_form_grad(mpf("1.702")), "7.5", "5.4", root="0.7513971"
    ),
    "silu": Spec("FORWARD", sigmoid_form(mpf(1)), "16.75", "2.4", first=1),
    "silu_grad": Spec("DERIVATIVE", sigmoid_form_grad(mpf(1)), "12.7", "3.2", root="1.2784645"),
    "sigmoid": Spec("SIGMOID", sigmoid, "17.4", "1.9"),
    "sigmoid_grad": Spec("EVEN", sigmoid_grad, "14.0", "2.2"),
    "normal_cdf": Spec("SIGMOID", normal_cdf, "5.5", "2.9"),
    "normal_cdf_grad": Spec("EVEN", mp.npdf, "5.5", "2.9"),
    "exp_negative": Spec("EVEN", lambda t: mp.exp(-t), "14.0", "2.2"),
    "expm1_negative": Spec("EXPM1", lambda t: mp.expm1(-t), "17.4", "1.9", first=2),
}


# ---- float32 ---------------------------------------------------------------


def f32(v):
    """v rounded to float32 (to nearest even), as an mpf.  Normal range only."""
    v = mpf(v)
    if v == 0:
        return mpf(0)
    man, exp = mp.frexp(abs(v))
    assert -125 <= exp <= 128, "outside the normal range of float32"
    scaled = mp.ldexp(man, 24)
    near = mp.nint(scaled)  # ties to even
    return mp.sign(v) * mp.ldexp(near, exp - 24)


def ulp(v):
    return mp.ldexp(1, mp.frexp(abs(v))[1] - 24)


def bits(v):
    return struct.unpack("<I", struct.pack("<f", float(v)))[0]


def literal(v):
    """A C literal of the float v, exact."""
    v = float(v)
    if v == 0:
        return "-0.0f" if struct.pack("<f", v)[3] else "0.0f"
    return v.hex().replace("000000p", "p") + "f" if v.hex().endswith("p") else _hex(v) + "f"


def _hex(v):
    head, exponent = v.hex().split("p")
    return head.rstrip("0").rstrip(".") + "p" + exponent


# ---- fitting one row -------------------------------------------------------


def accurate_point(T, middle):
    """The float c near middle for which T(c) lies closest to a float; that float."""
    step, best = ulp(middle), None
    middle = f32(middle)
    for i in range(400):
        c = middle + (i // 2 if i % 2 else -(i // 2)) * step
        value = T(c)
        a = f32(value)
        off = abs(value - a) / ulp(value)
        if best is None or off < best[0]:
            best = off, c, a
        if off < mpf("0.005"):
            break
    return best[1], best[2]


def place(T, result, low, high):
    """Where in [low, high] to look for c: T(t) = a + d*q, and the roundings of q, of T, and of
    the result where that is not T, are to be small beside the result at all t."""
    values = [(t, T(t), result(t)) for t in (low + (high - low) * i / 8 for i in range(9)) if t]

    def cost(c):
        a, worst = T(c), mpf(0)
        for t, value, whole in values:
            d = t - c
            error = ulp(whole) + (ulp(value) if value != whole else 0)
            if d:
                error += abs(d) * ulp((value - a) / d)
            worst = max(worst, error / ulp(whole))
        return worst

    return min((low + (high - low) * i / 32 for i in range(8, 25)), key=cost)


def nodes(low, high):
    """Chebyshev nodes of [low, high]."""
    middle, half = (low + high) / 2, (high - low) / 2
    return [middle + half * mp.cos((2 * i + 1) * mp.pi / (2 * NODES)) for i in range(NODES)]


def fit(g, weight, points, fixed=()):
    """Coefficients p0 … p5 of the weighted least-squares fit of g(d) at points, rounded to
    float32 lowest order first; the first ones may be fixed beforehand."""
    coefficients = list(fixed)
    values = [g(d) for d in points]
    weights = [weight(d) for d in points]
    while len(coefficients) < DEGREE:
        have = len(coefficients)
        rest = [
            (v - mp.polyval(coefficients[::-1], d) if have else v)
            for v, d in zip(values, points, strict=True)
        ]
        scale = max(abs(d) for d in points)
        A = mp.matrix(len(points), DEGREE - have)
        b = mp.matrix(len(points), 1)
        for i, d in enumerate(points):
            b[i] = rest[i] * weights[i]
            for j in range(have, DEGREE):
                A[i, j - have] = (d / scale) ** j * weights[i]
        solution = mp.lu_solve(A.T * A, A.T * b)
        coefficients.append(f32(solution[0] / scale**have))
    return coefficients


def polynomial(row, d):
    return row[1] + d * mp.polyval(row[:1:-1], d)


class Table:
    def __init__(self, name):
        self.name, self.spec = name, SPECS[name]
        s = self.spec
        T = self.T = s.T
        # Near: k(t) = t*(alpha*t + beta), its last edge (30.5) at near_end.
        self.beta = f32(s.beta)
        self.alpha = f32(((NEAR_ROWS - mpf("1.5")) / s.near_end - self.beta) / s.near_end)
        self.root = None
        self.slope = mpf(0)
        if s.root:
            self.root = f32(mp.findroot(T, mpf(s.root)))
            # Shift beta so that the root lies in the middle of its row.
            self.root_row = int(mp.nint(self.root * (self.alpha * self.root + self.beta)))
            self.beta = f32(self.root_row / self.root - self.alpha * self.root)
            self.alpha = f32(((NEAR_ROWS - mpf("1.5")) / s.near_end - self.beta) / s.near_end)
            self.beta = f32(self.root_row / self.root - self.alpha * self.root)
            self.slope = f32(mp.diff(T, self.root))
            # Where t - root is exact (t > root/2).
            self.special = range(self.root_row - 1, self.root_row + 2)
            assert self.near_edge(self.special.start - mpf("0.51")) > self.root / 2
        else:
            self.special = range(s.first)
        self.limit = f32(self.near_edge(NEAR_ROWS - mpf(1)))
        if s.form == "EXPM1":  # goes on as -1, not to zero
            self.far_start = self.far_stop = self.far_alpha = self.far_beta = mpf(0)
            self.far_shift = self.far_count = 0
            return
        end = abs(T(self.limit))
        if s.form == "FORWARD":  # from here on T is to be lost beside x
            assert end < ulp(self.limit) / 2
        # Far: from just inside near's last row to where T rounds to zero.
        self.far_start = f32(self.near_edge(NEAR_ROWS - mpf("1.5")) * (1 - mpf(2) ** -20))
        self.far_stop = f32(self.far_end()) + 2 * ulp(self.far_start)
        ends = self.far_start, self.far_stop
        density = [self.log_derivative(t) / (2 * FAR_RATIO) for t in ends]
        self.far_alpha = f32((density[1] - density[0]) / (2 * (self.far_stop - self.far_start)))
        self.far_beta = f32(density[0] - 2 * self.far_alpha * self.far_start)
        self.far_shift = mp.nint(self.far_index(self.far_start))
        self.far_count = int(mp.nint(self.far_index(self.far_stop)) - self.far_shift) + 1

    def log_derivative(self, t):
        return abs(mp.diff(lambda u: mp.log(abs(self.T(u))), t))

    def far_end(self):
        """Where |T| falls below half the smallest subnormal."""
        low, high = self.spec.near_end, mpf(256)
        while high - low > mpf(2) ** -22:
            middle = (low + high) / 2
            low, high = (middle, high) if abs(self.T(middle)) > mpf(2) ** -150 else (low, middle)
        return high

    def far_index(self, t):
        return t * (self.far_alpha * t + self.far_beta)

    @staticmethod
    def solve(alpha, beta, k):
        if alpha == 0:
            return k / beta
        return 2 * k / (beta + mp.sqrt(beta * beta + 4 * alpha * k))

    def near_edge(self, k):
        return self.solve(self.alpha, self.beta, k)

    def far_edge(self, k):
        return self.solve(self.far_alpha, self.far_beta, k + self.far_shift)

    def near_row(self, k):
        """(c, a, p0 … p5) and the fitted error in ULP of the result."""
        forward = self.spec.form == "FORWARD"
        if k == NEAR_ROWS - 1:  # the limit; d < 0 makes a derivative's T -0
            limit = {"DERIVATIVE": -0.0, "EXPM1": -1.0}.get(self.spec.form, 0.0)
            return [4 * self.limit, limit] + [mpf(0)] * DEGREE, mpf(0)
        low = self.near_edge(k - mpf("0.5")) if k else mpf(0)
        high = self.near_edge(k + mpf("0.5"))
        # In the special rows the table holds what the kernel leaves of T there.
        if k not in self.special:
            left = mpf(0)
        else:
            left = {"FORWARD": mpf("0.5"), "EXPM1": mpf(-1)}.get(self.spec.form, self.slope)
        root = self.root or mpf(0)

        def T(t):
            return self.T(t) - left * (t - root)

        def size(t):
            return t / 2 if forward and left else abs(self.T(t))

        def size_of_result(t):
            return self.T(t) if left else T(t)

        fixed = []
        if k == 0 and left and not root:
            c, a, fixed = mpf(0), mpf(0), [mpf(0)]
        elif self.root and k == self.root_row:
            c, a = self.root, f32(T(self.root))
        elif k == 0 and self.spec.form != "EVEN":  # T(0) = 1/2
            c, a = mpf(0), f32(T(mpf(0)))
        else:
            c, a = accurate_point(T, place(T, size_of_result, low, high))
        points = nodes(low - c, high - c)

        def g(d):
            return (T(c + d) - a) / d

        row = [c, a] + fit(g, lambda d: abs(d) / size(c + d), points, fixed)
        error = max(
            abs(polynomial(row, d) - T(c + d)) / (size(c + d) * mpf(2) ** -24) for d in points
        )
        return row, error

    def far_row(self, k):
        T = self.T
        low, high = self.far_edge(k - mpf("0.5")), self.far_edge(k + mpf("0.5"))
        scale = mpf(2) ** SCALE
        c, a = accurate_point(lambda t: T(t) * scale, place(T, T, low, high))

        def g(d):
            return (T(c + d) * scale - a) / d

        points = nodes(low - c, high - c)
        row = [c, a] + fit(g, lambda d: abs(d / T(c + d)), points)
        error = max(abs(polynomial(row, d) / (T(c + d) * scale) - 1) * mpf(2) ** 24 for d in points)
        return row, error

    def rows(self):
        for k in range(NEAR_ROWS):
            yield "near", k, *self.near_row(k)
        for k in range(self.far_count):
            yield "far", k, *self.far_row(k)

    def text(self, report=None):
        near, far = [], []
        for zone, k, row, error in self.rows():
            (near if zone == "near" else far).append(row)
            if report:
                place = f"{self.name} {zone} row {k}: c = {float(row[0])!r}"
                report(f"{place}, error {float(error):.4f} ULP")
        T = self.T

        def line(row):
            return "    {" + ", ".join(literal(v) for v in row) + "},"

        sign = 0x80000000 if self.spec.form == "FORWARD" else 0  # else far on both sides
        first = bits(self.far_start) | sign
        out = [
            f"/* table_f32_{self.name}.h: written by c/tools/fit_f32.py, not by hand. */",
            f"static const FG_ALIGN(64) float rows_f32_{self.name}[{len(near + far)}][8] = {{",
            *map(line, near),
            f"    /* far: from row {NEAR_ROWS} */",
            *map(line, far),
            "};",
            f"const struct fg_table_f32 fg_table_f32_{self.name} = {{",
            f"    .alpha = {literal(self.alpha)},",
            f"    .beta = {literal(self.beta)},",
            f"    .limit = {literal(self.limit)},",
            f"    .special = {literal(MAGIC + self.special.start)}, /* row {self.special.start} */",
            f"    .ordinary = {literal(MAGIC + self.special.stop)}, /* row {self.special.stop} */",
            f"    .slope = {literal(self.slope)},",
            f"    .root = {literal(self.root or 0)},",
            f"    .far_alpha = {literal(self.far_alpha)},",
            f"    .far_beta = {literal(self.far_beta)},",
            f"    .far_magic = {literal(MAGIC - self.far_shift + NEAR_ROWS)},",
            f"    .far_first = {first:#010x}u, /* t = {float(self.far_start)!r} */",
            f"    .far_span = {(bits(self.far_stop) | sign) - first:#010x}u,"
            f" /* up to t = {float(self.far_stop)!r} */",
            "    .tiny_first = 1, .tiny_span = FG_TINY_F32 - 1,",
            f"    .at_zero = {literal(T(mpf(0)))},",
            f"    .rows = rows_f32_{self.name},",
            "    .columns = {",
            *("    " + line(row[j] for row in near) for j in range(DEGREE + 2)),
            "    },",
            "};",
        ]
        return "\n".join(out) + "\n"


def check(names, count):
    """Refits count rows of each table, spread over it; True if all are the committed ones."""
    good = True
    for name in names:
        committed = (TABLES / f"table_f32_{name}.h").read_text()
        table = Table(name)
        total = NEAR_ROWS + table.far_count
        for i in sorted({int((j + mpf("0.5")) * total / count) for j in range(count)}):
            near = i < NEAR_ROWS
            row, error = table.near_row(i) if near else table.far_row(i - NEAR_ROWS)
            same = "{" + ", ".join(literal(v) for v in row) + "}" in committed
            zone = f"near row {i}" if near else f"far row {i - NEAR_ROWS}"
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
    includes = [f'#include "table_f32_{name}.h"\n' for name in sorted(SPECS)]
    head = "/* tables_f32.h: written by c/tools/fit_f32.py, not by hand. */\n"
    (TABLES / "tables_f32.h").write_text(head + "".join(includes))


if __name__ == "__main__":
    main()
