"""Functions composed of others: each is its definition, to the bit, in every dtype and target.

The definitions are written with the unary functions, whose accuracy other tests establish, and
NumPy's arithmetic; float16 and bfloat16 go through float32 and are rounded once.  In float32 a
product with what rounding to a subnormal number or to zero has left of f(x) is made in float64
instead.
"""

import numpy as np
import pytest
from mpmath import mpf
from reference import EXACT, ulp_error
from samples import DTYPES, bits, interval, patterns

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
    if x.dtype != np.float32:
        return plain
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


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("alpha", [1.0, 0.5, 1.6732632, -0.3])
def test_elu(dtype, alpha):
    x = np.concatenate(
        [interval(-40, 3, 1500, dtype), -np.logspace(-30, 2, 400).astype(dtype), dtype([0.0, -0.0])]
    )
    alpha = dtype(alpha)
    bound = 1 if abs(np.log2(abs(alpha))) % 1 == 0 else 2
    for v, y, dy in zip(x.tolist(), fg.elu(x, alpha), fg.elu_grad(x, alpha), strict=True):
        a = mpf(float(alpha))
        want, slope = (mpf(v), mpf(1)) if v > 0 else (a * _expm1(v), a * _exp(v))
        assert ulp_error(y, want, dtype) <= bound
        assert ulp_error(dy, slope, dtype) <= bound
    assert fg.elu(dtype(-np.inf), alpha) == -alpha
    assert fg.elu_grad(dtype(0), alpha) == alpha
    assert fg.elu_grad(dtype(-np.inf), alpha) == 0


def _exp(v):
    from mpmath import mp

    return mp.exp(mpf(v))


def _expm1(v):
    from mpmath import mp

    return mp.expm1(mpf(v))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", [n for n in NAMES if n in GATES or n.endswith("_backward")])
def test_error_is_below_the_stated_bound(name, dtype):
    count = getattr(fg, name).nin
    x = interval(-6, 6, count * 600, dtype).reshape(count, -1)
    for k, y in enumerate(results(name, *x)):
        for i in range(x.shape[1]):
            v = [mpf(float(a)) for a in x[:, i]]
            if name in GATES:
                want = _exact(GATES[name][0], v[0]) * v[1]
            elif count == 2:
                want = v[0] * EXACT[name.removesuffix("_backward") + "_grad"](v[1])
            else:
                f = GATES[name.removesuffix("_backward")]
                want = v[0] * _exact(f[1 - k], v[1]) * (v[2] if k == 0 else 1)
            assert ulp_error(y[i], want, dtype) <= 2.5


@pytest.mark.parametrize("name", [n for n in NAMES if n in GATES or n.endswith("_backward")])
def test_error_where_factors_are_no_normal_float32(name):
    """f(x) down to zero and far below, and products that a large third factor brings back."""
    count = getattr(fg, name).nin
    at = 1 if name.endswith("_backward") else 0
    x = interval(-120, 5, count * 600, np.float32).reshape(count, -1)
    for i in range(count):
        if i != at:
            x[i] *= np.exp2(x[i])  # from -120 * 2^-120 on
            x[i, ::3] = 1 / x[i, ::3]
    x[at, ::5] = np.float32(1e-38) * x[at, ::5]
    with np.errstate(all="raise"):
        y = results(name, *x)
    for k, of_output in enumerate(y):
        for i in range(x.shape[1]):
            v = [mpf(float(a)) for a in x[:, i]]
            if name in GATES:
                want = _exact(GATES[name][0], v[0]) * v[1]
            elif count == 2:
                want = v[0] * EXACT[name.removesuffix("_backward") + "_grad"](v[1])
            else:
                f = GATES[name.removesuffix("_backward")]
                want = v[0] * _exact(f[1 - k], v[1]) * (v[2] if k == 0 else 1)
            if abs(want) < mpf(2) ** 128 * (1 - mpf(2) ** -20):
                assert ulp_error(of_output[i], want, np.float32) <= 2.5, x[:, i]


def _exact(name, v):
    if name == "relu":
        return max(v, mpf(0))
    if name == "relu_grad":
        return mpf(1 if v > 0 else 0)
    return EXACT[name](v)


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
