"""Names of activations, packed gates, and the stochastic form."""

import subprocess
import sys

import numpy as np
import pytest
from samples import bits, from_bits, interval, nans

import fastgelu

AxisError = getattr(np, "exceptions", np).AxisError  # NumPy before 1.25 has it at the top

ACTIVATIONS = {
    "gelu": ["gelu", "gelu_python"],
    "gelu_tanh": [
        "gelu_tanh",
        "gelu_new",
        "gelu_fast",
        "gelu_pytorch_tanh",
        "gelu_python_tanh",
        "gelu_accurate",
    ],
    "quick_gelu": ["quick_gelu"],
    "silu": ["silu", "swish"],
    "relu": ["relu"],
    "sigmoid": ["sigmoid"],
    "normal_cdf": ["normal_cdf"],
}
GATED = ["geglu", "geglu_tanh", "swiglu", "reglu", "glu"]

# layout -> the packed form of gate = [1, 2, 3] and up = [10, 20, 30]
LAYOUTS = {
    "gate_up": [1, 2, 3, 10, 20, 30],
    "up_gate": [10, 20, 30, 1, 2, 3],
    "interleaved": [1, 10, 2, 20, 3, 30],
}


# ---- names ----


@pytest.mark.parametrize(
    ("name", "alias"), [(name, alias) for name in ACTIVATIONS for alias in ACTIVATIONS[name]]
)
def test_a_name_gives_the_ufunc_itself(name, alias):
    assert fastgelu.activation(alias) is getattr(fastgelu, name)


@pytest.mark.parametrize(("name", "parameter"), [("leaky_relu", 0.01), ("elu", 1.0)])
def test_a_usual_parameter_is_filled_in(name, parameter, dtype):
    x = interval(-3, 3, 50, dtype)
    f = fastgelu.activation(name)
    expected = getattr(fastgelu, name)(x, dtype.type(parameter))
    np.testing.assert_array_equal(f(x), expected)
    assert f(x).dtype == dtype
    out = np.zeros_like(x)
    assert f(x, out) is out
    np.testing.assert_array_equal(out, expected)
    out = np.full_like(x, 7)
    f(x, out=out, where=x > 0)
    np.testing.assert_array_equal(out, np.where(x > 0, expected, dtype.type(7)))


class Tensor:
    """As in torch, polars and array-api-strict: NumPy can read it, its dtype is not NumPy's."""

    def __init__(self, values):
        self.values = np.asarray(values)
        self.dtype = object()

    def __array__(self, dtype=None, copy=None):
        return self.values


@pytest.mark.reported
@pytest.mark.parametrize(("name", "parameter"), [("leaky_relu", 0.01), ("elu", 1.0)])
def test_a_usual_parameter_beside_a_dtype_that_is_not_numpys(name, parameter):
    x = np.array([-1.0, 2.0], np.float32)
    y = fastgelu.activation(name)(Tensor(x))
    assert y.dtype == np.float32
    np.testing.assert_array_equal(y, getattr(fastgelu, name)(x, np.float32(parameter)))


@pytest.mark.parametrize("name", GATED)
def test_gated_activations(name):
    assert fastgelu.gated_activation(name) is getattr(fastgelu, name)


@pytest.mark.parametrize(
    ("look_up", "name", "hint"),
    [
        (fastgelu.activation, "gelu_neww", "gelu_new"),
        (fastgelu.activation, "GELU", "gelu"),
        (fastgelu.activation, "relu6", "relu"),
        (fastgelu.activation, "leakyrelu", "leaky_relu"),
        (fastgelu.activation, "swiglu", "gated_activation('swiglu') has it; closest: "),
        (fastgelu.activation, "", "known: gelu, "),
        (fastgelu.gated_activation, "swish_glu", "swiglu"),
        (fastgelu.gated_activation, "gelu", "activation('gelu') has it; closest: geglu"),
        (fastgelu.gated_activation, "xyz", "known: geglu, "),
    ],
)
def test_unknown_names_list_the_closest(look_up, name, hint):
    with pytest.raises(ValueError, match="unknown name") as error:
        look_up(name)
    assert repr(name) in str(error.value)
    assert hint in str(error.value).split(";", 1)[1]


@pytest.mark.parametrize("look_up", [fastgelu.activation, fastgelu.gated_activation])
@pytest.mark.parametrize("name", [None, 1, b"gelu", ["gelu"]])
def test_a_name_is_a_string(look_up, name):
    with pytest.raises(TypeError, match="is a string, not"):
        look_up(name)


# ---- split_gate ----


@pytest.mark.parametrize("layout", LAYOUTS)
def test_split_gate(layout, dtype):
    packed = np.array(LAYOUTS[layout], dtype)
    gate, up = fastgelu.split_gate(packed, layout=layout)
    assert gate.tolist() == [1, 2, 3]
    assert up.tolist() == [10, 20, 30]
    assert gate.dtype == up.dtype == dtype


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("axis", [-3, -2, -1, 0, 1, 2])
def test_split_gate_along_any_axis(layout, axis):
    shape = [2, 3, 4]
    shape[axis] = 6
    packed = np.empty(shape)
    np.moveaxis(packed, axis, -1)[...] = LAYOUTS[layout]
    backwards = np.flip(packed, (axis + 1) % 3)
    for source in (packed, backwards, np.asfortranarray(packed)):
        for half, expected in zip(
            fastgelu.split_gate(source, axis, layout=layout),
            ([1, 2, 3], [10, 20, 30]),
            strict=True,
        ):
            assert half.shape[axis] == 3
            assert (np.moveaxis(half, axis, -1) == expected).all()
            assert np.shares_memory(half, source)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_halves_are_views_of_all_elements(layout):
    packed = np.zeros((5, 8), np.float32)
    gate, up = fastgelu.split_gate(packed, layout=layout)
    gate += 1
    up += 1
    assert (packed == 1).all()


def test_halves_of_a_packed_array_keep_unit_stride():
    gate, up = fastgelu.split_gate(np.zeros((5, 8)), layout="up_gate")
    assert gate.strides[-1] == up.strides[-1] == 8


def test_torch_glu_is_up_gate():
    """PyTorch's GLU(a, b) = a * sigmoid(b), a being the first half."""
    a, b = interval(-3, 3, 40, np.float64).reshape(2, 20)
    gate, up = fastgelu.split_gate(np.concatenate([a, b]), layout="up_gate")
    np.testing.assert_allclose(fastgelu.glu(gate, up), a / (1 + np.exp(-b)), rtol=1e-14)


def test_swapped_halves_differ():
    packed = np.array([1.0, 2.0])
    right = fastgelu.swiglu(*fastgelu.split_gate(packed, layout="gate_up"))
    swapped = fastgelu.swiglu(*fastgelu.split_gate(packed, layout="up_gate"))
    np.testing.assert_allclose(right, [1.4621171572600098], rtol=1e-15)
    np.testing.assert_allclose(swapped, [1.7615941559557649], rtol=1e-15)


def test_the_layout_is_required():
    with pytest.raises(TypeError, match="layout"):
        fastgelu.split_gate(np.zeros(4))
    with pytest.raises(TypeError, match="positional"):
        fastgelu.split_gate(np.zeros(4), -1, "gate_up")


@pytest.mark.parametrize("layout", ["gate", "up", "GATE_UP", "", None])
def test_unknown_layouts(layout):
    with pytest.raises(ValueError, match="layout must be"):
        fastgelu.split_gate(np.zeros(4), layout=layout)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_odd_lengths(layout):
    with pytest.raises(ValueError, match="odd length 3"):
        fastgelu.split_gate(np.zeros((4, 3)), layout=layout)
    gate, up = fastgelu.split_gate(np.zeros((4, 3)), axis=0, layout=layout)
    assert gate.shape == up.shape == (2, 3)


@pytest.mark.parametrize(("shape", "axis"), [((4, 4), 2), ((4, 4), -3), ((4,), 1), ((), -1)])
def test_axis_out_of_range(shape, axis):
    with pytest.raises(AxisError, match=f"^axis {axis} is out of bounds for array of dimension"):
        fastgelu.split_gate(np.zeros(shape), axis, layout="gate_up")


@pytest.mark.parametrize("axis", [None, 0.0, "0"])
def test_an_axis_is_an_integer(axis):
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        fastgelu.split_gate(np.zeros(4), axis, layout="gate_up")


def test_nothing_to_split():
    gate, up = fastgelu.split_gate(np.zeros((3, 0)), layout="interleaved")
    assert gate.shape == up.shape == (3, 0)


# ---- stochastic_gelu ----


def test_each_element_is_kept_or_zero(dtype):
    x = interval(-3, 3, 1000, dtype)
    y = fastgelu.stochastic_gelu(x, 0)
    assert y.dtype == dtype
    assert y.shape == x.shape
    kept = y != 0
    np.testing.assert_array_equal(y[kept], x[kept])
    np.testing.assert_array_equal(np.signbit(y), np.signbit(x))
    assert 0 < kept[x < 0].mean() < 0.5 < kept[x > 0].mean() < 1


@pytest.mark.parametrize("n", [100, 1600, 25600])
def test_the_mean_converges_to_gelu_at_the_rate_of_one_over_root_n(n, dtype):
    x = np.linspace(-2.5, 2.5, 200).astype(dtype)
    y = fastgelu.stochastic_gelu(np.broadcast_to(x, (n, x.size)), np.random.default_rng(n))
    x = x.astype(np.float64)
    p = fastgelu.normal_cdf(x)
    standard_error = abs(x) * np.sqrt(p * (1 - p) / n)
    z = (y.mean(axis=0, dtype=np.float64) - fastgelu.gelu(x)) / standard_error
    # 200 deviations of the variance 1: their mean square is 1, with a standard error of 0.1.
    assert 0.7 < np.mean(z * z) < 1.3
    assert abs(np.mean(z)) < 3 / np.sqrt(200)


def test_seeds_and_generators():
    x = interval(-2, 2, 500, np.float32)
    first = fastgelu.stochastic_gelu(x, 7)
    np.testing.assert_array_equal(fastgelu.stochastic_gelu(x, 7), first)
    np.testing.assert_array_equal(fastgelu.stochastic_gelu(x, np.random.default_rng(7)), first)
    seeds = np.random.SeedSequence(7)
    np.testing.assert_array_equal(fastgelu.stochastic_gelu(x, seeds), first)
    assert (fastgelu.stochastic_gelu(x, 8) != first).any()
    rng = np.random.default_rng(7)
    fastgelu.stochastic_gelu(x, rng)
    assert (fastgelu.stochastic_gelu(x, rng) != first).any()  # the generator has moved on
    assert (fastgelu.stochastic_gelu(x) != fastgelu.stochastic_gelu(x)).any()


def test_special_values_are_quiet(dtype):
    x = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, -40.0, 40.0], dtype)
    with np.errstate(all="raise"):
        y = fastgelu.stochastic_gelu(x, 0)
    assert y.dtype == dtype
    np.testing.assert_array_equal(y.astype(np.float64), [np.inf, 0, np.nan, 0, 0, 0, 40])
    assert np.signbit(y[[1, 4, 5]]).all()
    assert not np.signbit(y[[0, 3, 6]]).any()


@pytest.mark.reported
@pytest.mark.parametrize("byte_order", "<>")
def test_signalling_nans_are_quiet(dtype, byte_order):
    assert np.isnan(fastgelu.stochastic_gelu(from_bits([0x7F800001], np.float32), 0)).all()
    x = nans(dtype)
    if dtype.name != "bfloat16":  # which has one byte order
        x = x.astype(dtype.newbyteorder(byte_order))
    with np.errstate(all="raise"):
        y = fastgelu.stochastic_gelu(x, 0)
        masked = fastgelu.stochastic_gelu(np.ma.array(x, mask=True), 0)
    want = fastgelu.gelu(nans(dtype))  # the same NaNs, quiet
    np.testing.assert_array_equal(bits(y), bits(want))
    np.testing.assert_array_equal(bits(masked.data), bits(want))


def test_scalars_and_shapes():
    y = fastgelu.stochastic_gelu(np.float32(50))
    assert type(y) is np.float32
    assert y == 50
    assert fastgelu.stochastic_gelu(50) == 50
    assert fastgelu.stochastic_gelu(np.zeros((3, 0, 2), np.float16)).shape == (3, 0, 2)
    assert fastgelu.stochastic_gelu([[30.0], [-30.0]]).tolist() == [[30.0], [0.0]]


@pytest.mark.parametrize("kind", ["?", "b", "h", "i", "q", ">f4", ">f8"])
def test_promotion_is_that_of_exp(kind):
    x = np.zeros(4, kind)
    assert fastgelu.stochastic_gelu(x, 0).dtype == np.exp(x).dtype


@pytest.mark.parametrize("kind", ["F", "D", "O", "U1", "g"])
def test_refused_dtypes(kind):
    if np.dtype(kind) == np.float64:
        pytest.skip("longdouble is double here")
    with pytest.raises(TypeError, match=f"^stochastic_gelu .* {np.dtype(kind)}$"):
        fastgelu.stochastic_gelu(np.zeros(2, kind))


def test_what_is_masked_stays_masked():
    x = np.ma.array([-1.0, 2.0, 100.0], mask=[True, False, False])
    y = fastgelu.stochastic_gelu(x, 0)
    assert list(np.ma.getmaskarray(y)) == [True, False, False]
    np.testing.assert_array_equal(y.data, fastgelu.stochastic_gelu(x.data, 0))
    assert fastgelu.stochastic_gelu(np.ma.masked, 0) is np.ma.masked
    both = fastgelu.stochastic_gelu([x, x], 0)  # np.asarray of a list forgets the masks
    assert np.ma.getmaskarray(both).tolist() == [[True, False, False]] * 2


def test_refused_sources_of_randomness():
    with pytest.raises(TypeError):
        fastgelu.stochastic_gelu(1.0, "seed")


# ---- the import ----


@pytest.mark.subprocess
def test_importing_loads_nothing_but_numpy():
    # and ml_dtypes, if it is there
    code = (
        "import sys, inspect, numpy, typing; sys.modules['ml_dtypes'] = None;"
        "before = set(sys.modules); import fastgelu;"
        "print(*(set(sys.modules) - before))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stderr == ""
    # Cython's own modules live in the extension, whose start imports inspect. NumPy has loaded
    # that and typing already, but for some old versions; before 2 it has modules that say where
    # the new ones are.
    assert [
        m
        for m in run.stdout.split()
        if not m.startswith(("fastgelu", "numpy._core")) and "ython" not in m
    ] == []
