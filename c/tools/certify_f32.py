"""Bounds the error of every float32 function, as certify_f64.py does for float64.

    python certify_f32.py                  every row of every table: 10 s
    python certify_f32.py gelu silu        of these

All 2^32 inputs have been tried (../tests/ulp_f32.c), so there is nothing left to prove: the worst
errors are known.  This comes from tables and operations instead, and they must agree: fails if a
bound is not above the worst error that functions.def gives.  A bound adds up what need not happen
at once, and may exceed 1 ULP.

    near   y = fma(x, A, (x*d)*(p0 + d*(p1 + d*p2))), or fma(d, p0 + d*(p1 + d*p2), A) and, beside a
           root, fma(x - root, slope, y); d = x - c
    far    a polynomial of degree 6 in d, scaled by 2^96; a subnormal result is rounded twice
"""

import argparse
import math
import re
import sys
from fractions import Fraction

import certify_f64 as f64
import fit_f32
import numpy as np
import write_header
from certify_f64 import (
    FUNCTIONS,
    RATIOS,
    SECOND_ORDER,
    Piece,
    ball,
    exact,
    parts_of,
    range_of,
    upper,
)
from flint import arb, arb_poly
from mpmath import mpf

U = arb(2) ** -24
NEIGHBOURS = 64  # of a root, one by one
GAUSS = ("gelu", "gelu_grad", "normal_cdf", "normal_cdf_grad")


def tail(name):
    """f in the far tail, by factors that balls do not blow up."""
    if name in GAUSS:
        return lambda x: RATIOS[name](x) * (-(x * x) / 2).exp()
    if name.startswith("gelu_tanh"):
        return lambda x: RATIOS[name](x) * f64.tanh_v(x).exp()
    factor = f64.QUICK if name.startswith("quick") else arb(1)
    return lambda x: RATIOS[name](x) * (factor * x).exp()


def ulp(x):
    """Of the smallest number in a ball (a lower bound)."""
    low = x.abs_lower()
    if low == 0:
        return arb(0)
    e = math.frexp(float(low) * (1 - 1e-15))[1]
    return arb(2) ** max(e - 24, -149)


def ulp_of(x):
    return float(np.spacing(np.float32(abs(x))))


def fma(a, b, c):
    """Of floats.  Rounded to a double first, which costs 2^-30 of an ULP at most."""
    return float(np.float32(float(Fraction(a) * Fraction(b) + Fraction(c))))


def stored_rows(name, kind):
    text = (fit_f32.TABLES / f"table_f32_{name}.h").read_text()
    block = re.search(rf"{kind}_f32_{name}\[\d+\]\[\d\] = {{\n(.*?)\n}};", text, re.S)
    lines = block.group(1).splitlines() if block else []
    return [[float.fromhex(x.rstrip("f")) for x in re.findall(r"[-\w.+]+", s)] for s in lines]


class Certificate:
    def __init__(self, name):
        self.name, self.table = name, fit_f32.Table(name)
        self.spec = self.table.spec
        self.near_rows = stored_rows(self.spec.rows or name, "rows")
        self.far_rows = stored_rows(name, "far")
        self.f = FUNCTIONS[name]

    def point(self, k, row):
        """c, from the low bits of the last coefficient."""
        low = int(np.float32(row[3]).view(np.uint32)) & (fit_f32.POINTS - 1)
        h = self.table.h
        return float(k * h - h / 2 + low * h / fit_f32.POINTS)

    def interval(self, k):
        lo, hi = self.table.interval(k)
        lo = max(lo, self.spec.left)
        if k == self.table.last and self.spec.right:
            hi = self.spec.right
        return exact(lo), exact(hi)

    def near(self, k):
        """The bound of a near row, and where."""
        row, product = self.near_rows[k - self.table.first], self.spec.form == "FORWARD"
        lo, hi = self.interval(k)
        if k == self.table.last and self.spec.right:
            value = self.f(lo)
            error = lo * (1 - value) / ulp(lo * value) if product else abs(1 - value) / ulp(value)
            return upper(error), lo
        c, a, p = self.point(k, row), arb(row[0]), row[1:]
        root, slope, special = arb(0), arb(0), None
        if k in self.table.root_rows:
            root, slope = exact(self.table.root), exact(self.table.slope)
            special = root if lo <= root <= hi else None
        elif product and lo <= 0 <= hi:
            special = arb(0)
        piece = Piece(self.f, lo, hi, special if slope != 0 else None)
        error = piece.minus_row(arb(c), a, [arb(x) for x in p], slope, root)
        derivative, value = error.derivative(), piece.poly
        worst = (arb(0), None)
        if slope != 0 and special is not None:
            worst = max((self.at(row, c, i), root) for i in range(-NEIGHBOURS, NEIGHBOURS + 1))
        for start, end in parts_of(lo, hi, special):
            t = ball(start, end)
            x = t - piece.middle
            approximation = upper(range_of(error, derivative, x))
            size = range_of(value, value.derivative(), x)
            d = upper(t - c)
            p1 = abs(arb(p[1])) + d * abs(arb(p[2]))
            poly = upper(arb_poly([arb(z) for z in p])(t - c))
            # d, d*p2 + p1, and all of P are rounded
            e = d * (U * d * p1 + U * poly) + U * d * (poly + d * p1 + d * d * abs(arb(p[2])))
            if product:
                e += 2 * U * d * poly  # x*d, and its product with P
            unit = ulp(size)
            if product and special is not None:
                unit = U * size.abs_lower()  # f = x*S: in units of |x|
            elif product:
                e, approximation = upper(t) * e, upper(t) * approximation
                size *= t
                unit = ulp(size)
            if slope != 0:
                e += U * upper(a + (t - c) * arb_poly([arb(z) for z in p])(t - c))
                if special is not None:
                    near = min((start - root).abs_lower(), (end - root).abs_lower())
                    near = max(near, NEIGHBOURS * arb(ulp_of(float(root))))
                    if max(upper(start - root), upper(end - root)) < near:
                        continue
                    steepness = f64.series(self.f, ball(lo, hi), 2)[1].abs_lower()
                    off = upper(self.f(root)) / steepness
                    unit = U * (near - off) * steepness
            total = arb(1) / 2 + (e * SECOND_ORDER + approximation) / unit
            if not total < worst[0]:
                worst = (total, t)
        return worst

    def at(self, row, c, i):
        """The error at the i-th float from the root, by the kernel's steps done exactly."""
        root, slope = float(self.table.root), float(self.table.slope)
        t = root + i * ulp_of(root)
        d = float(np.float32(t - c))
        y = fma(d, fma(d, fma(d, row[3], row[2]), row[1]), row[0])
        y = fma(t - root, slope, y)
        f = self.f(arb(t))
        return upper(arb(y) - f) / ulp(f)

    def far(self, k):
        row, table = self.far_rows[k], self.table
        lo = max(table.far_edge(k + mpf("0.502")), table.far_stop)
        hi = min(table.far_edge(k - mpf("0.502")), self.spec.left)
        if lo >= hi:
            return arb(0)
        lo, hi, c = exact(lo), exact(hi), arb(row[0])
        scale = arb(2) ** fit_f32.SCALE
        f = tail(self.name)
        piece = Piece(lambda x: f(x) * scale, lo, hi)
        error = piece.minus_row(c, arb(row[1]), [arb(x) for x in row[2:]], arb(0), arb(0))
        worst = arb(0)
        for start, end in parts_of(lo, hi, None):
            t = ball(start, end)
            x = t - piece.middle
            approximation = upper(range_of(error, error.derivative(), x))
            size = range_of(piece.poly, piece.poly.derivative(), x)
            d = t - c
            partial, e = arb(row[7]), arb(0)
            for z in reversed(row[2:7]):
                partial = partial * d + arb(z)
                e = e * upper(d) + U * upper(partial)
            unit = U * size.abs_lower()
            total = arb(1) / 2 + (e * upper(d) * SECOND_ORDER + approximation) / unit
            worst = max(worst, upper(total), key=float)
        return worst


def certify(name):
    certificate = Certificate(name)
    table = certificate.table
    rows = range(table.first, table.last + 1)
    near = max(
        ((float(b), k, t) for k in rows for b, t in [certificate.near(k)]), key=lambda x: x[0]
    )
    far = max((float(certificate.far(k)), k) for k in range(table.far_count))
    return max(near[0], far[0], 0.5 + far[0] / 2), near, far


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="functions (default: all)")
    names = parser.parse_args().names
    seen = {row["name"]: float(row["ulp32"]) for _, row in write_header.rows() if "ulp32" in row}
    failed = False
    for name in names or seen:
        bound, near, far = certify(name)
        print(
            f"{name}: below {bound:.4f} ULP, {seen[name]} found; near {near[0]:.4f} in row "
            f"{near[1]} at {float(near[2].mid()):.6g}, far {far[0]:.4f} in row {far[1]}",
            flush=True,
        )
        if not bound > seen[name]:
            failed = True
            print("    FAILED: more was found")
    return failed


if __name__ == "__main__":
    sys.exit(main())
