"""Functions composed of others: each is its definition, to the bit, in every dtype and target.

The definitions are written with the unary functions, whose accuracy other tests establish, and
NumPy's arithmetic; float16 and bfloat16 go through float32 and are rounded once.  In float32 a
product with what rounding to a subnormal number or to zero has left of f(x) is made in float64
instead; in float64 there is no such definition, and the error is what is tested.
"""

import re

import numpy as np
import pytest
from mpmath import mp, mpf
from reference import EXACT, left_edge, ulp_error
from samples import DTYPES, bits, finfo, interval, patterns

import fastgelu as fg


def elu(x, alpha, below):
    """below is the function of negative x, to be multiplied by alpha."""
    return np.where(x > 0, x, alpha * below(np.minimum(x, 0)))


def product(f, x, factor):
    """f(x) * factor."""
    small, tiny = getattr(fg, f)(x), np.finfo(np.float32).tiny
    if x.dtype != np.float32 or f.startswith("relu"):
        return small * factor
    wide = (getattr(fg, f)(x.astype(np.float64)) * factor).astype(np.float32)
    doubt = (abs(small) < tiny) & (abs(factor) > 1) & np.isfinite(factor)
    return np.where(doubt, wide, small * factor)


def triple(dy, f, x, up):
    """dy * f(x) * up in one rounding more than f's; a product of fused multiply-adds."""
    small = getattr(fg, f)(x)
    first = dy * small
    plain = first * up
    if x.dtype != np.float32:  # without leaving the range on the way
        parts = [np.frexp(a) for a in (dy, small, up)]
        y = np.ldexp(parts[0][0] * parts[1][0] * parts[2][0], sum(part[1] for part in parts))
        return np.where(np.isfinite(up), y, plain)
    tiny = np.finfo(np.float32).tiny
    rest = (dy.astype(np.longdouble) * small - first).astype(np.float32) * up
    fused = (first.astype(np.longdouble) * up + rest).astype(np.float32)
    normal = (abs(plain) >= tiny) & np.isfinite(plain)
    y = np.where(normal, fused, plain)
    if f.startswith("relu"):
        return y
    wide = (dy.astype(np.float64) * getattr(fg, f)(x.astype(np.float64)) * up).astype(np.float32)
    doubt = (abs(small) < tiny) | (abs(first) < 2.0**-100) | np.isinf(first)
    return np.where(doubt & (dy != 0) & np.isfinite(dy) & np.isfinite(up), wide, y)


GATES = {
    "geglu": ("gelu", "gelu_grad"),
    "geglu_tanh": ("gelu_tanh", "gelu_tanh_grad"),
    "swiglu": ("silu", "silu_grad"),
    "reglu": ("relu", "relu_grad"),
    "glu": ("sigmoid", "sigmoid_grad"),
}
DEFINITIONS = {
    "relu": lambda x: np.where(x > 0, x, x.dtype.type(0)),
    "relu_grad": lambda x: np.where(x > 0, x.dtype.type(1), x.dtype.type(0)),
    "leaky_relu": lambda x, slope: np.where(x > 0, x, slope * x),
    "leaky_relu_grad": lambda x, slope: np.where(x > 0, x.dtype.type(1), slope),
    "bias_gelu": lambda x, bias: fg.gelu(x + bias),
    "bias_gelu_tanh": lambda x, bias: fg.gelu_tanh(x + bias),
}
for f in ("gelu", "gelu_tanh", "quick_gelu", "silu"):
    DEFINITIONS[f + "_backward"] = lambda dy, x, f=f: product(f + "_grad", x, dy)
for gate, (f, df) in GATES.items():
    DEFINITIONS[gate] = lambda g, up, f=f: product(f, g, up)
    DEFINITIONS[gate + "_backward"] = lambda dy, g, up, f=f, df=df: (
        triple(dy, df, g, up),
        product(f, g, dy),
    )
NAMES = list(fg._fastgelu.composites)
PRODUCTS = [n for n in NAMES if n in GATES or n.endswith("_backward")]


def factors(name):
    """The functions in each output, and which input is their argument."""
    if name in GATES:
        return [GATES[name][0]], 0
    if name.removesuffix("_backward") in GATES:
        return GATES[name.removesuffix("_backward")][::-1], 1
    return [name.removesuffix("_backward") + "_grad"], 1


def has_its_digits(name, x):
    """False where a float64 factor f(x) is no normal number."""
    functions, at = factors(name)
    with np.errstate(all="ignore"):
        values = [abs(getattr(fg, f)(x[at])) for f in functions]
    return np.all([(v >= np.finfo(np.float64).tiny) | (x[at] == 0) for v in values], axis=0)


def inputs(name, dtype, n=20_000):
    """As many arrays as the function takes: usual values, all exponents, special pairs."""
    count = getattr(fg, name).nin
    special = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, 5e-324, 1e-40, 60000, -7.5], dtype)
    grid = np.array(np.meshgrid(*[special] * count)).reshape(count, -1)
    usual = interval(-8, 8, count * n, dtype).reshape(count, n)
    anything = patterns(count * 7919, dtype)[: count * 7919].reshape(count, -1)
    x = np.concatenate([grid, usual, anything], axis=1).astype(dtype)
    return list(x[:, ~np.isnan(x).any(0)])


def same(got, want):
    """Bit for bit, any NaN for any other: 0*inf is a NaN of whatever sign in NumPy."""
    nan = np.isnan(want)
    np.testing.assert_array_equal(np.isnan(got), nan)
    np.testing.assert_array_equal(bits(got[~nan]), bits(want[~nan]))


def results(name, *x):
    y = getattr(fg, name)(*x)
    return y if isinstance(y, tuple) else (y,)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", list(DEFINITIONS))
def test_is_its_definition(name, dtype):
    x = inputs(name, dtype)
    wide = [a.astype(np.float32) if dtype.itemsize == 2 else a for a in x]
    with np.errstate(all="ignore"):
        want = DEFINITIONS[name](*wide)
        want = [w.astype(dtype) for w in (want if isinstance(want, tuple) else (want,))]
    got = results(name, *x)
    assert len(got) == len(want)
    if dtype == np.float64 and name in PRODUCTS and not name.startswith("reglu"):
        usual = has_its_digits(name, x)
        got, want = [g[usual] for g in got], [w[usual] for w in want]
    for k, (g, w) in enumerate(zip(got, want, strict=True)):
        assert g.dtype == dtype
        if fg._fastgelu.composites[name]["operation"] != "GATE_BACKWARD" or k:
            same(g, w)
        elif dtype == np.float64 or np.finfo(np.longdouble).nmant < 63:
            # The plain product has a rounding more; the error test judges the better one.
            np.testing.assert_allclose(g, w, rtol=4 * np.finfo(dtype).eps, atol=1e-40)
        else:
            same(g, w)


def test_every_function_is_tested():
    assert {*DEFINITIONS, "elu", "elu_grad"} == set(NAMES)


def exact(f, v):
    if f == "relu":
        return max(v, mpf(0))
    if f == "relu_grad":
        return mpf(1 if v > 0 else 0)
    return EXACT[f](v)


def exact_results(name, v):
    """The real numbers of which the outputs are roundings; v: the inputs as such."""
    functions, at = factors(name)
    rest = [a for i, a in enumerate(v) if i != at]
    values = [exact(f, v[at]) for f in functions]
    return [values[0] * mp.fprod(rest), *(value * rest[0] for value in values[1:])]


def stated_bound(name, dtype):
    row, dtype = fg._fastgelu.composites[name], np.dtype(dtype)
    text = row["error"]
    if dtype.itemsize == 2:
        text = dict(part.split(" ", 1) for part in row["error16"].split("; "))[dtype.name]
    number = re.search(r"(?:at most|within) ([\d.]+) ULP", text)
    assert number or "correctly rounded" in text
    return float(number[1]) if number else 0.5


def error(got, want, dtype):
    """In ULP; what is too large is measured where the range ends."""
    end = mpf(2) ** finfo(dtype).maxexp
    if abs(want) >= end:
        return 0 if np.isinf(got) else float(abs(want) / end)
    if np.isinf(got):
        return ulp_error(0, abs(want), dtype) * float(end / abs(want) - 1)
    return ulp_error(got, want, dtype)


def worst_error(name, x, dtype):
    with np.errstate(all="raise"):
        y = results(name, *x)
    worst = 0, []
    for i in range(len(x[0])):
        v = [mpf(float(a[i])) for a in x]
        for of_output, want in zip(y, exact_results(name, v), strict=True):
            worst = max(worst, (error(of_output[i], want, dtype), [a.hex() for a in map(float, v)]))
    return worst


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", PRODUCTS)
def test_error_is_below_the_stated_bound(name, dtype):
    count = getattr(fg, name).nin
    x = interval(-6, 6, count * 600, dtype).reshape(count, -1)
    assert worst_error(name, x, dtype)[0] <= stated_bound(name, dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", PRODUCTS)
def test_error_where_it_is_largest(name, dtype):
    """f(x) just above a power of two, with a large error, times something just below one."""
    functions, at = factors(name)
    f = functions[-1]
    x = interval(0.5, 8, 40_000, dtype) * (1 if f == "relu" else -1)
    x = x[abs(np.frexp(getattr(fg, f)(x))[0]) < 0.52]
    errors = [ulp_error(getattr(fg, f)(v), exact(f, mpf(float(v))), dtype) for v in x]
    x = np.repeat(x[np.argsort(errors)[-8:]], 80)
    v = [dtype(2) - interval(0, 0.03, x.size, dtype), np.ones(x.size, dtype)][
        : getattr(fg, name).nin - 1
    ]
    v.insert(at, x)
    bound = stated_bound(name, dtype)
    assert worst_error(name, v, dtype)[0] <= bound
    # The bound is two of f's ULPs, as f(x) may be off by 1 in the narrower binade, and half a one.
    assert bound == (0.5 if "reglu" in name else 2.5)


def extremes(name, dtype, n):
    """x down to where nothing is left of f; the other factors bring the product to an end of the
    range, or anywhere, and may themselves be at the ends."""
    info, (functions, at) = finfo(dtype), factors(name)
    low, high = info.minexp - info.nmant, info.maxexp
    count = getattr(fg, name).nin
    f = functions[0]
    end = left_edge(f, dtype, mpf(2) ** (low - 2 * high)) if f in EXACT else -2.0
    x = interval(float(end), 3, n, dtype)
    tiny = low + np.arange(x[::7].size) % (info.nmant + 8)
    x[::7] = np.ldexp(1 + interval(0, 1, tiny.size, np.float64), tiny).astype(dtype)
    x[::14] *= -1
    if f == "sigmoid_grad":
        x[1::7] *= -1
    random = interval(0, 1, 4 * n, np.float64).reshape(4, n)
    target = np.where(np.arange(n) % 3, np.where(np.arange(n) % 2, info.minexp, high), 0)
    target = target + np.where(
        np.arange(n) % 3, 40 * random[0] - 35, (high - low) * random[0] + low
    )
    sizes = np.array([mp.mag(exact(f, mpf(float(v)))) if exact(f, mpf(float(v))) else 0 for v in x])
    need = (target - sizes.astype(float)).astype(int)
    first = need if count == 2 else (low + (high - low) * random[1]).astype(int)
    exponents = [np.clip(first, low, high), np.clip(need - first, low, high)][: count - 1]
    with np.errstate(under="ignore", over="ignore"):
        v = [np.ldexp(0.5 + random[2 + i] / 2, e).astype(dtype) for i, e in enumerate(exponents)]
    v.insert(at, x)
    return [np.where(np.isfinite(a), a, dtype.type(1)) for a in v]


@pytest.mark.reported
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", PRODUCTS)
def test_error_at_the_ends_of_the_range(name, dtype):
    assert worst_error(name, extremes(name, dtype, 900), dtype)[0] <= stated_bound(name, dtype)


@pytest.mark.reported
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", ["geglu_backward", "geglu_tanh_backward", "swiglu_backward"])
def test_what_overflows_on_the_way_makes_no_nan(name, dtype):
    f, large = getattr(fg, name), np.finfo(dtype).max
    x = dtype(1.5)  # where the derivative is above 1
    assert f(large, x, dtype(0))[0] == 0
    assert f(large, x, dtype(0.25))[0] > large / 5
    assert np.isnan(f(dtype(np.inf), x, dtype(0))[0])
    assert np.isnan(f(large, x, dtype(np.nan))[0])


@pytest.mark.reported
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("alpha", [1.0, 0.5, 1.6732632, -0.3, 2.0**100, -1.9 * 2.0**127, 3.3e30])
@pytest.mark.parametrize("name", ["elu", "elu_grad"])
def test_elu(name, alpha, dtype):
    end = 1500 if dtype == np.float64 else 200
    if dtype == np.float64 and abs(alpha) > 2:
        alpha *= 2.0**880
    x = np.concatenate(
        [
            interval(-40, 3, 1500, dtype),
            interval(-end, -end / 2.2, 800, dtype),
            -np.logspace(-30, 2, 400).astype(dtype),
            -np.ldexp(np.linspace(1, 2, 60), np.arange(60) + finfo(dtype).minexp - 30).astype(
                dtype
            ),
            dtype([0.0, -0.0]),
        ]
    )
    alpha = dtype(alpha)
    a = mpf(float(alpha))
    below = {"elu": mp.expm1, "elu_grad": mp.exp}[name]
    with np.errstate(all="raise"):
        y = getattr(fg, name)(x, alpha)
    bound = stated_bound(name, dtype)
    worst = 0
    for v, of_v in zip(x.tolist(), y, strict=True):
        want = {"elu": mpf(v), "elu_grad": mpf(1)}[name] if v > 0 else a * below(mpf(v))
        worst = max(worst, error(of_v, want, dtype))
    assert worst <= bound
    if np.frexp(abs(alpha))[0] == 0.5:
        assert worst < 1  # as is stated of powers of two


def test_elu_at_special_values():
    for dtype in (np.float32, np.float64):
        alpha = dtype(1.7)
        assert fg.elu(dtype(-np.inf), alpha) == -alpha
        assert fg.elu_grad(dtype(0), alpha) == alpha
        assert fg.elu_grad(dtype(-np.inf), alpha) == 0


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_same_bits_on_every_instruction_set(name, dtype):
    x = inputs(name, dtype, 3000)
    nan = patterns(4001, dtype)[-4001:]
    x = [np.concatenate([a, nan, a[:7]]) for a in x]
    reference = getattr(fg._targets["scalar"], name)(*x)
    for isa, functions in fg._targets.items():
        got = getattr(functions, name)(*x)
        np.testing.assert_array_equal(
            bits(np.asarray(got)), bits(np.asarray(reference)), err_msg=isa
        )


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_the_first_nan_wins(name, dtype):
    f = getattr(fg, name)
    nans = np.array([np.nan, -np.nan, np.nan], dtype)
    payload = bits(nans)
    payload |= np.array([5, 6, 7], payload.dtype)
    for i in range(f.nin):
        x = [dtype.type(1)] * i + [nans[j : j + 1] for j in range(f.nin - i)]
        y = results(name, *x)[0]
        if np.isnan(y).any():  # leaky_relu(1, nan) is 1, and so on
            assert bits(y)[0] == bits(nans)[0]
    assert bits(results(name, *[nans[:1]] * f.nin)[0])[0] == bits(nans)[0]


def test_invalid_operations_give_the_positive_nan_quietly():
    with np.errstate(all="raise"):
        y = fg.reglu(np.float32([np.inf]), np.float32([0]))
        z = fg.bias_gelu(np.float32([np.inf]), np.float32([-np.inf]))
        d = fg.silu_backward(np.float64([np.inf]), np.float64([-1e300]))
    assert bits(y)[0] == bits(z)[0] == 0x7FC00000
    assert bits(d)[0] == 0x7FF8000000000000


def test_cases_of_gates():
    for got, want in (
        (fg.swiglu(1.0, 2.0), 1.4621171572600098),
        (fg.swiglu(2.0, 1.0), 1.7615941559557649),
        (fg.geglu(1.0, 2.0), 1.682689492137086),
        (fg.geglu(2.0, 1.0), 1.9544997361036416),
    ):
        assert abs(got - want) <= np.spacing(want)
    assert fg.swiglu(np.float16(-16), np.float16(60000)) == np.float16(-0.10803223)
    # sigmoid(-100) is a subnormal float32 number
    assert fg.glu(np.float32(-100), np.float32(1e10)) == np.float32(3.7200759760208361e-34)
