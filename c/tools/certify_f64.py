"""Proves a bound on the error of every float64 function, by ball arithmetic (python-flint's arb).

    python certify_f64.py                  every row of every table: a minute each
    python certify_f64.py gelu silu        of these
    python certify_f64.py --sample 20      20 rows of each table: seconds

Goes by the tables as they are stored and by the operations of c/src/kernel_f64.h in their order.
For each row, over all arguments that its rounded row number can let in:

    approximation   |A + d*P(d) - S(t)|, from Taylor series of S whose last coefficient is that over
                    the whole row
    rounding        a running error: each operation adds half an ULP of its result, u = 2^-53 of it,
                    to what its operands bring along
    last rounding   half an ULP of the result; if that is in another binade than the exact value,
                    then the error before it is the whole error

The sum is compared with the ULP of the smallest |f| on each of many parts of a row; near roots and
near 0 the parts shrink with the distance.  Prints the largest sum of the near rows and of the far
rows, and where they are; and fails if one reaches 1 ULP, if functions.def states less, or if a
number that the code relies on does not hold: the exact products and differences beside a root.

Below the normal range an ULP is 2^-1074, and a result is rounded twice, to a double first: half an
ULP, and half of what the double is off, since its ULP is at most half as large there.
"""

import argparse
import itertools
import math
import re
import sys

import fit_f64
import write_header
from fit_f64 import SPECS, TABLES, Table, bits, coefficients, fma, from_bits, stored_rows
from flint import arb, arb_poly, arb_series, ctx

ctx.prec = 192
ORDER = 12  # of the Taylor series
PARTS = 32  # of a row
NEIGHBOURS = 64  # of a root, one by one
U = arb(2) ** -53
SECOND_ORDER = 1 + arb(2) ** -45  # products of errors, and u*(computed) for u*(exact)


# ---- the functions, for arguments that are balls or series --------------------------------------

PI = arb.pi()
SQRT_8_PI = (8 / PI).sqrt()
CUBIC = arb(44715) / 1000000
QUICK = arb(1702) / 1000


def cdf(x):
    return (-x * (1 / arb(2).sqrt())).erfc() / 2


def pdf(x):
    return (-(x * x) / 2).exp() / (2 * PI).sqrt()


def sigmoid(v):  # of the two ways the one that divides by little more than 1
    if (v if isinstance(v, arb) else v[0]) > 0:
        return 1 / (1 + (-v).exp())
    return v.exp() / (1 + v.exp())


def tanh_v(x):
    return x * SQRT_8_PI * (1 + x * x * CUBIC)


def tanh_xdv(x):
    return x * SQRT_8_PI * (1 + 3 * (x * x) * CUBIC)


def swish_grad(v, xdv):
    return sigmoid(v) * (1 + xdv * sigmoid(-v))


# f(x), or f(x)/x for products
FUNCTIONS = {
    "gelu": cdf,
    "gelu_tanh": lambda x: sigmoid(tanh_v(x)),
    "gelu_grad": lambda x: cdf(x) + x * pdf(x),
    "gelu_tanh_grad": lambda x: swish_grad(tanh_v(x), tanh_xdv(x)),
    "quick_gelu": lambda x: sigmoid(QUICK * x),
    "quick_gelu_grad": lambda x: swish_grad(QUICK * x, QUICK * x),
    "silu": sigmoid,
    "silu_grad": lambda x: swish_grad(x, x),
    "sigmoid": sigmoid,
    "sigmoid_grad": lambda x: sigmoid(x) * sigmoid(-x),
    "normal_cdf": cdf,
    "normal_cdf_grad": pdf,
    "exp_negative": lambda x: x.exp(),
    "expm1_negative": lambda x: x.exp() - 1,
}


def mills(x):
    """Phi(x)*exp(x^2/2).  On a ball that way is useless, but there, as a function of -x, it is
    completely monotonic: no Taylor coefficient is larger than at the end next to zero."""

    def at(x):
        return (-x * (1 / arb(2).sqrt())).erfc() * (x * x / 2).exp() / 2

    point, n = x[0], len(x)
    if point.rad() == 0:
        return at(x)
    end = at(arb_series([point.upper(), 1], n))
    return arb_series([arb(0, end[i].abs_upper()) for i in range(n)], n)


def h(v):
    """sigmoid(v)*exp(-v)"""
    return 1 / (1 + v.exp())


def swish_grad_ratio(v, xdv):
    return h(v) * (1 + xdv * h(v))


# f(-u)*exp(v(u)), of the far tail
RATIOS = {
    "gelu": lambda x: x * mills(x),
    "gelu_tanh": lambda x: x * h(tanh_v(x)),
    "gelu_grad": lambda x: mills(x) + x / (2 * PI).sqrt(),
    "gelu_tanh_grad": lambda x: swish_grad_ratio(tanh_v(x), tanh_xdv(x)),
    "quick_gelu": lambda x: x * h(QUICK * x),
    "quick_gelu_grad": lambda x: swish_grad_ratio(QUICK * x, QUICK * x),
    "silu": lambda x: x * h(x),
    "silu_grad": lambda x: swish_grad_ratio(x, x),
    "sigmoid": h,
    "sigmoid_grad": lambda x: h(x) * h(x),
    "normal_cdf": mills,
    "normal_cdf_grad": lambda x: x * 0 + 1 / (2 * PI).sqrt(),
    "exp_negative": lambda x: x * 0 + 1,
}


def series(f, x, n):
    ctx.cap = n
    return f(arb_series([x, 1], n))


def exact(x):
    """An mpf as a ball."""
    sign, man, exp, _ = fit_f64.mpf(x)._mpf_
    return arb(-int(man) if sign else int(man)) * arb(2) ** int(exp)


def ball(lo, hi):
    return arb((lo + hi) / 2, 0) + arb(0, ((hi - lo) / 2).abs_upper())


def upper(x):
    return x.abs_upper()


def ulp(x):
    """Of the smallest number in a ball (a lower bound)."""
    low = x.abs_lower()
    if low == 0:
        return arb(0)
    e = math.frexp(float(low) * (1 - 1e-15))[1]
    return arb(2) ** max(e - 53, -1074)


# ---- one row -----------------------------------------------------------------------------------


class Piece:
    """g on a row: the Taylor series at its middle, its last coefficient over the whole row."""

    def __init__(self, g, lo, hi, middle=None):
        self.middle = arb((lo + hi) / 2).mid() if middle is None else middle
        whole = ball(lo, hi)
        inner = series(g, self.middle, ORDER)
        last = series(g, whole, ORDER + 1)[ORDER]
        self.poly = arb_poly([inner[i] for i in range(ORDER)] + [last])

    def minus_row(self, c, a, p, slope, root):
        """The row's polynomial in t less g, as a polynomial in t - middle."""
        d = arb_poly([self.middle - c, 1])
        row, power = arb_poly([a]), arb_poly([1])
        for x in p:
            power = power * d
            row = row + power * x
        if slope:
            row = row + arb_poly([self.middle - root, 1]) * slope
        return row - self.poly


def range_of(poly, derivative, x):
    """Of a polynomial on a ball x, by the mean value."""
    return poly(x.mid()) + derivative(x) * (x - x.mid())


def poly_errors(p, d):
    """Bounds for the kernel's P(d): its error, |P|, |(d*P)'|; d an upper bound of |d|, and the
    sum that bounds the error of kernel_f64_plain.h's h, without its d^2."""
    a = [upper(arb(x)) for x in p]
    s = d * d
    value = arb(0)
    slope = arb(0)
    for i, x in enumerate(a):
        value += x * d**i
        slope += (i + 1) * x * d**i
    r1 = a[4] + d * a[5]
    e1 = U * r1
    if len(p) == 7:
        e1 += a[6] * U * s  # of s
        r1 += s * a[6]
        e1 += U * r1
    r2 = a[2] + d * a[3]
    q = r2 + s * r1
    e_q = s * e1 + r1 * U * s + U * r2 + U * q
    return s * e_q + q * U * s, value, slope, q


def leading_errors(p, d):
    """Of L = d*p1 + p0 and of the last sum, for a ball d: these cancel, and are not summed up."""
    product = upper(arb(p[1]) * d)
    first = arb(p[0]) + arb(p[1]) * d
    whole = arb(0)
    for x in reversed(p):
        whole = whole * d + arb(x)
    return U * product + U * upper(first), upper(whole)


def row_error(p, d):
    """A bound for the error of the kernel's P, for its |P| and |(d*P)'|, on a ball d."""
    if not any(p[1:]):
        return arb(0), abs(arb(p[0])), abs(arb(p[0]))
    rest, _, slope, _ = poly_errors(p, upper(d))
    lead, value = leading_errors(p, d)
    return (rest + lead + U * value) * SECOND_ORDER, value, slope


def parts_of(lo, hi, special):
    """Balls that cover [lo, hi]; around special they shrink with the distance from it."""
    edges = [lo + (hi - lo) * i / PARTS for i in range(PARTS + 1)]
    edges[-1] = hi
    found = []
    for a, b in itertools.pairwise(edges):
        if special is None or not (a - (hi - lo) / PARTS <= special <= b + (hi - lo) / PARTS):
            found.append((a, b))
            continue
        inner = [a, b]
        width = hi - lo
        for i in range(4 * 70):
            far = width * arb(2) ** (-arb(i) / 4)
            for x in (special - far, special + far):
                if a < x < b:
                    inner.append(x)
        if a < special < b:
            inner.append(special)
        inner.sort(key=lambda x: (float(x - special), float(x)))
        found += itertools.pairwise(inner)
    return found


class Certificate:
    def __init__(self, name):
        self.name, self.table, self.rows = name, Table(SPECS[name]), stored_rows(name)
        self.f, self.form = FUNCTIONS[name], SPECS[name].form
        text = (TABLES / f"table_f64_{name}.h").read_text()
        assert text == fit_f64.table_text(name, self.table, self.rows), (
            "the table is not the script's"
        )

    def interval(self, k):
        lo, hi = self.table.interval(k)
        if k == 0:
            lo = max(lo, fit_f64.mpf(self.table.left))
        return exact(lo), exact(hi)

    def near(self, k):
        """The bound of a near row, and where."""
        row, form, table = self.rows[k], self.form, self.table
        lo, hi = self.interval(k)
        if k == table.last and SPECS[self.name].right > 0:
            return self.saturated(lo)
        c, a, p = arb(row[0]), arb(row[1]), coefficients(row)
        slope = root = arb(0)
        special = None
        if table.words == 8:
            slope, root = arb(from_bits(bits(row[7]) >> 48 << 48)), arb(table.root)
            if slope != 0:
                self.check_exact(row, lo, hi)
                if lo <= root <= hi:
                    special = root
        elif form == "FORWARD" and lo <= 0 <= hi:
            special = arb(0)
        # at a root the error must vanish with the distance from it
        piece = Piece(self.f, lo, hi, special if slope != 0 else None)
        error = piece.minus_row(c, a, [arb(x) for x in p], slope, root)
        derivative, value = error.derivative(), piece.poly
        value_slope = value.derivative()
        worst = (arb(0), None)
        if table.root and special is not None:
            worst = max((self.at(row, p, i), root) for i in range(-NEIGHBOURS, NEIGHBOURS + 1))
        for start, end in parts_of(lo, hi, special):
            t = ball(start, end)
            x = t - piece.middle
            approximation = upper(range_of(error, derivative, x))
            size = range_of(value, value_slope, x)
            d = t - c
            e_p, big_p, big_slope = row_error(p, d)
            d = upper(d)
            e = d * e_p + U * d * big_slope  # of the product d*P, d rounded
            if form == "FORWARD":
                e += 2 * U * d * big_p
                if special is not None:  # f = t*S: in units of |t|
                    unit = U * size.abs_lower()
                else:
                    e, approximation, size = upper(t) * e, upper(t) * approximation, size * t
                    unit = ulp(size)
            else:
                unit = ulp(size)
            if slope != 0:  # the inner sum is rounded
                inner = a + (t - c) * arb_poly([arb(z) for z in p])(t - c)
                e += U * upper(inner)
                if special is not None:
                    # f grows with the distance from the root, which is a double but for off
                    near = min((start - root).abs_lower(), (end - root).abs_lower())
                    near = max(near, NEIGHBOURS * math.ulp(table.root)) if table.root else near
                    if near == 0 or max(upper(start - root), upper(end - root)) < near:
                        continue
                    steepness = self.least_slope(lo, hi)
                    off = upper(arb(row[1])) * SECOND_ORDER / steepness
                    unit = U * (near - off) * steepness
            total = arb(1) / 2 + (e * SECOND_ORDER + approximation) / unit
            if not total < worst[0]:
                worst = (total.upper() if hasattr(total, "upper") else total, t)
        return worst

    def at(self, row, p, i):
        """The error at the i-th double from the root, by the kernel's steps done exactly."""
        t = self.table.root + i * math.ulp(self.table.root)
        d = t - row[0]
        s, q = d * d, fma(d, p[5], p[4])
        q = fma(s, fma(s, p[6], q), fma(d, p[3], p[2]))
        y = fma(d, fma(s, q, d * p[1] + p[0]), row[1])
        y = fma(t - self.table.root, from_bits(bits(row[7]) >> 48 << 48), y)
        exact_f = self.f(arb(t))
        return upper(arb(y) - exact_f) / ulp(exact_f)

    def least_slope(self, lo, hi):
        """|f(t)| is at least this times the distance from the root, on the row that holds it."""
        whole = series(self.f, ball(lo, hi), 2)[1]
        return whole.abs_lower() * (1 - arb(2) ** -20)

    def saturated(self, lo):
        """The last row: y = x, or 1, exactly; what is lost falls with x."""
        value = self.f(lo)
        if self.form == "FORWARD":
            return (lo * (1 - value)) / ulp(lo * value), lo
        return abs(1 - value) / ulp(value), lo

    def check_exact(self, row, lo, hi):
        """t - root and its product with the slope are doubles."""
        slope, root = from_bits(bits(row[7]) >> 48 << 48), self.table.root
        if root == 0:
            assert slope == 1.0
            return
        assert root / 2 >= hi.upper()
        assert 2 * root <= lo.lower()
        grid = math.ulp(min(abs(root), -float(hi)) * (1 - 1e-9))  # t and root are multiples of it
        unit = 1 / slope.as_integer_ratio()[1]
        far = max(upper(lo - root), upper(hi - root))
        assert far / grid * (slope / unit) < 2**53

    def far(self, k):
        """The bound of a far row: of normal results, and of subnormal ones."""
        row, table = self.rows[k], self.table
        lo, hi = self.interval(k)
        c, a, p = arb(row[0]), arb(row[1]), coefficients(row)
        ratio = RATIOS[self.name]
        pieces = 1 if k < table.rows - 1 else 64  # the last one is wide
        worst = arb(0)
        for i in range(pieces):
            a_, b_ = lo + (hi - lo) * i / pieces, lo + (hi - lo) * (i + 1) / pieces
            piece = Piece(ratio, a_, b_)
            error = piece.minus_row(c, a, [arb(x) for x in p], arb(0), arb(0))
            derivative, value = error.derivative(), piece.poly
            value_slope = value.derivative()
            for start, end in parts_of(a_, b_, None):
                t = ball(start, end)
                x = t - piece.middle
                approximation = upper(range_of(error, derivative, x))
                size = range_of(value, value_slope, x).abs_lower()
                d = t - c
                e_p, big_p, big_slope = row_error(p, d)
                d = upper(d)
                q = d * big_p
                # R1 + R2: a - R1 and the sum are rounded; |R2| < 2^-25*|R|
                e = U * 2 * arb(2) ** -25 * (size + q)
                if c != 0 or p[0] not in (0, 1) or any(p[1:]):  # in that line all else is exact
                    e += d * e_p + U * d * big_slope + 2 * U * q  # d and q are rounded
                relative = (e * SECOND_ORDER + approximation) / size
                relative += 3 * U * (EXP.reach + arb(2) ** -25)  # the small products and their sum
                relative += EXP.relative
                total = arb(1) / 2 + relative / U
                if not total < worst:
                    worst = total
        return worst


class Exp:
    """What the table and polynomial of exp(-v) add, relative to the result."""

    def __init__(self):
        text = (TABLES / "table_f64_exp.h").read_text()
        numbers = [
            float.fromhex(x)
            for x in re.findall(r"-?0x[0-9a-f.]+p[-+]?\d+|(?<=\{)0\.0|(?<=, )0\.0", text)
        ]
        _inverse, high, low = numbers[:3]
        terms = numbers[3 : 3 + fit_f64.EXP_TERMS]
        powers = numbers[3 + fit_f64.EXP_TERMS :]
        assert len(powers) == 2 * fit_f64.EXP_STEPS
        step = arb(2).log() / fit_f64.EXP_STEPS
        n = arb(2) ** 17
        # |v*inverse - n| <= 1/2 and roundings; v is off by less than 2^-90 of itself
        reach = step * (arb(1) / 2 + arb(2) ** -30)
        self.reach = reach * SECOND_ORDER + reach * reach
        r_error = U * reach + n * abs(arb(high) + arb(low) - step)
        r_error += 2 * U * (n * abs(arb(low)) + arb(2) ** -43) + arb(2) ** -80
        # n*step_high is exact, and v less that, a multiple of 2^-50 below 2^-7
        assert bits(high) % 2**19 == 0
        # (terms - (exp(-r) - 1))/r^2, by its series, on many parts
        error = [arb(x) for x in terms[1:]] + [arb(0)] * (16 - len(terms))
        error = [x - (-1) ** i / arb(math.factorial(i + 2)) for i, x in enumerate(error)]
        assert terms[0] == -1
        poly = arb_poly(error)
        derivative, rest = poly.derivative(), reach**15
        worst = arb(0)
        for i in range(400):
            r = ball(reach * (i - 200) / 200, reach * (i - 199) / 200)
            worst = max(worst, upper(range_of(poly, derivative, r)) + rest, key=float)
        worst *= reach * reach
        rounding = arb(0)  # of the polynomial, then times r, times the power, plus its low part
        value = abs(arb(terms[-1]))
        for x in reversed(terms[:-1]):
            rounding = (rounding + U * value) * reach
            value = value * reach + abs(arb(x))
            rounding += U * value
        e = (rounding + 4 * U * value) * reach
        table = arb(0)
        for j in range(fit_f64.EXP_STEPS):
            power = (-(step * j)).exp()
            assert bits(powers[2 * j]) % 2**27 == 0
            table = max(
                table, upper(arb(powers[2 * j]) + arb(powers[2 * j + 1]) - power) / power, key=float
            )
        self.relative = (e + worst + table + r_error * (1 + 2 * reach)) * SECOND_ORDER


EXP = Exp()


def sample(first, last, n):
    if n is None or n >= last - first:
        return range(first, last)
    return sorted({first + (last - 1 - first) * i // (n - 1) for i in range(n)})


def certify(name, n):
    certificate = Certificate(name)
    table = certificate.table
    rows = set(sample(0, table.near, n))
    if n is not None:  # where bounds are large
        middle = int(table.real_row(table.root))
        rows |= set(range(max(0, middle - 2), min(table.near, middle + 3))) | {table.zero}
    near = max(
        ((float(b), k, t) for k in sorted(rows) for b, t in [certificate.near(k)]),
        key=lambda x: x[0],
    )
    far = max(
        ((float(certificate.far(k)), k) for k in sample(table.near, table.rows, n)),
        default=(0.0, 0),
    )
    has_subnormal = table.rows > table.near
    subnormal = 0.5 + far[0] / 2 if has_subnormal else 0.0
    return max(near[0], far[0], subnormal), near, far, subnormal


def stated():
    """The bounds that functions.def states."""
    return {
        row["name"]: float(row["bound64"]) for _, row in write_header.rows() if "bound64" in row
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="functions (default: all)")
    parser.add_argument("--sample", type=int, metavar="N", help="N rows of each table")
    options = parser.parse_args()
    failed, bounds = False, stated()
    for name in options.names or SPECS:
        bound, near, far, subnormal = certify(name, options.sample)
        print(
            f"{name}: below {bound:.4f} ULP; near {near[0]:.4f} in row {near[1]} at "
            f"{float(near[2].mid()):.6g}, far {far[0]:.4f} in row {far[1]}, "
            f"subnormal {subnormal:.4f}",
            flush=True,
        )
        if not bound < bounds.get(name, 1):
            failed = True
            print(f"    FAILED: {bounds.get(name, 1)} is stated")
    return failed


if __name__ == "__main__":
    sys.exit(main())
