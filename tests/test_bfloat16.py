"""bfloat16 of ml_dtypes: that every ufunc has the loop, what it makes of mixed operands, and what
becomes of fastgelu where that package is missing or broken.

The values, NaNs, strides, targets and so on of bfloat16 are tested with those of the other dtypes.
"""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest
from samples import bits, interval

import fastgelu

ml_dtypes = pytest.importorskip("ml_dtypes")

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
FUNCTIONS = fastgelu.runtime_info()["functions"]


def array(*values):
    return np.array(values, BFLOAT16)


def as_tuple(y):
    return y if isinstance(y, tuple) else (y,)


def test_where_it_comes_from():
    assert fastgelu.runtime_info()["bfloat16"] == f"ml_dtypes {ml_dtypes.__version__}"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_ufunc_of_every_instruction_set_has_the_loop(isa, name):
    f = getattr(fastgelu._targets[isa], name)
    x = interval(-4, 4, 100, BFLOAT16)
    results = as_tuple(f(*[x] * f.nin))
    scalars = as_tuple(f(*[x[0]] * f.nin))
    in_float32 = as_tuple(f(*[x.astype(np.float32)] * f.nin))
    assert len(results) == f.nout
    for y, y0, y32 in zip(results, scalars, in_float32, strict=True):
        assert y.dtype == BFLOAT16
        assert type(y0) is BFLOAT16.type
        assert bits(y0) == bits(y)[0]
        # Its value: float32 is tested elsewhere, and one may be next to a midpoint.
        np.testing.assert_allclose(y.astype(np.float32), y32, rtol=2.0**-8 * 1.0001, atol=0)


# np.arctan2 is a function of two floats, as those here are.
OTHERS = [
    np.float16([1, 2, 3]),
    np.float32([1, 2, 3]),
    np.float64([1, 2, 3]),
    array(3, 2, 1),
    *(np.array([1, 0, 1], code) for code in "?bBhHiIlLqQ"),
    array(1)[0],
    np.float16(1),
    np.float32(1),
    np.float64(1),
    np.int8(1),
    np.int64(1),
    1.0,
    1,
    True,
    [1.0, 2.0, 3.0],
]


@pytest.mark.parametrize("other", OTHERS, ids=lambda a: f"{type(a).__name__}-{np.asarray(a).dtype}")
def test_promotion_is_that_of_ufuncs_of_ml_dtypes(other):
    for x in (array(1, 2, 3), array(1)[0]):
        want = np.arctan2(x, other).dtype
        assert np.arctan2(other, x).dtype == want
        for f in (fastgelu.swiglu, fastgelu.leaky_relu, fastgelu.bias_gelu, fastgelu.elu_grad):
            assert f(x, other).dtype == f(other, x).dtype == want
        for y in (*fastgelu.swiglu_backward(x, x, other), *fastgelu.swiglu_backward(other, x, x)):
            assert y.dtype == want
        y = fastgelu.swiglu(x, other)
        assert np.array_equal(y, fastgelu.swiglu(x.astype(want), np.asarray(other).astype(want)))


def test_promotion_as_documented():
    x = array(1, 2, 3)
    for other, dtype in [
        (x, BFLOAT16),
        (np.int8([1, 2, 3]), BFLOAT16),
        (1.0, np.float32),
        (np.float16([1, 2, 3]), np.float32),
        (np.float32([1, 2, 3]), np.float32),
        (np.float64([1, 2, 3]), np.float64),
        (np.int32([1, 2, 3]), np.float64),
    ]:
        assert fastgelu.swiglu(x, other).dtype == dtype


@pytest.mark.parametrize("other", [np.complex64([1, 2, 3]), 1j, np.array([1, 2, 3], object)])
def test_no_silent_downcast(other):
    with pytest.raises(TypeError):
        fastgelu.swiglu(array(1, 2, 3), other)


def test_dtype_and_out_and_casting(f):
    x = interval(-3, 3, 50, BFLOAT16)
    wide = x.astype(np.float32)
    np.testing.assert_array_equal(f(x, dtype=np.float32), f(wide))
    np.testing.assert_array_equal(f(x, dtype=np.float64), f(x.astype(np.float64)))
    # As with the ufuncs of NumPy itself, dtype= does not narrow to a dtype of others.
    np.testing.assert_array_equal(f(wide, signature=(BFLOAT16, BFLOAT16), casting="unsafe"), f(x))
    out = np.zeros(50, np.float32)
    assert f(x, out=out) is out
    np.testing.assert_array_equal(out, f(x).astype(np.float32))
    out = np.zeros(50, BFLOAT16)
    f(wide, out=out, casting="unsafe")
    np.testing.assert_array_equal(out, f(wide).astype(BFLOAT16))
    with pytest.raises(TypeError):
        f(wide, dtype=BFLOAT16, casting="safe")


@pytest.mark.parametrize("name", ["swiglu", "bias_gelu", "silu_backward", "leaky_relu"])
def test_two_inputs_as_ufuncs(name):
    f = getattr(fastgelu, name)
    a, b = interval(-3, 3, 60, BFLOAT16).reshape(6, 10), interval(-2, 2, 10, BFLOAT16)
    want = np.array([[f(u, v) for u, v in zip(row, b, strict=True)] for row in a])
    assert want.dtype == BFLOAT16
    np.testing.assert_array_equal(f(a, b), want)
    np.testing.assert_array_equal(f(a[::-1, ::2], b[::2]), want[::-1, ::2])
    np.testing.assert_array_equal(f(np.asfortranarray(a), b[::-1][::-1]), want)
    assert f.outer(a[0], b).shape == (10, 10)
    x = a.flatten()
    running = [x[0]]
    for v in x[1:]:
        running.append(f(running[-1], v))
    np.testing.assert_array_equal(f.accumulate(x), running)
    assert f.reduce(x) == running[-1]
    f.at(x, [1, 3], b[:2])
    assert x[3] == f(a[0, 3], b[1])


def test_masked_array(f):
    x = np.ma.array(array(1, 2, 3), mask=[False, True, False])
    y = f(x)
    assert y.dtype == BFLOAT16
    assert list(np.ma.getmaskarray(y)) == [False, True, False]
    np.testing.assert_array_equal(y.compressed(), f(array(1, 3)))


def test_pickling_and_copying(f):
    y = f(interval(-3, 3, 30, BFLOAT16))
    for other in (pickle.loads(pickle.dumps(y)), copy.deepcopy(y)):
        assert other.dtype == BFLOAT16
        np.testing.assert_array_equal(bits(other), bits(y))
        np.testing.assert_array_equal(bits(f(other)), bits(f(y)))


def test_activations_keep_the_dtype():
    x = interval(-3, 3, 30, BFLOAT16)
    for name in ("gelu", "gelu_new", "quick_gelu", "silu", "relu", "leaky_relu", "elu"):
        assert fastgelu.activation(name)(x).dtype == BFLOAT16
        assert fastgelu.activation(name)(x[0]).dtype == BFLOAT16
    for name in ("geglu", "swiglu"):
        gate, up = fastgelu.split_gate(x, layout="gate_up")
        assert fastgelu.gated_activation(name)(gate, up).dtype == BFLOAT16
    assert fastgelu.stochastic_gelu(x, 1).dtype == BFLOAT16
    assert type(fastgelu.stochastic_gelu(x[0], 1)) is BFLOAT16.type


def test_identify_takes_it_as_it_is():
    x = interval(-6, 6, 4000, BFLOAT16)
    for name in ("gelu", "gelu_tanh", "quick_gelu", "silu"):
        best = fastgelu.identify(x, getattr(fastgelu, name)(x))[0]
        assert (best.name, best.verdict, best.precision) == (name, "match", "bfloat16")


def python(code, *options, path=None):
    """What another Python prints that runs code; path is searched for modules first."""
    if path:
        code = f"import sys; sys.path.insert(0, {str(path)!r}); {code}"
    command = [sys.executable, *options, "-c", code]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    return run.stdout.strip()


@pytest.mark.subprocess
@pytest.mark.parametrize(
    "code",
    [
        "import ml_dtypes, fastgelu as fg",
        "import fastgelu as fg, ml_dtypes",
        # Calls for other dtypes must not settle anything for bfloat16.
        "import numpy, fastgelu as fg; fg.gelu(1.0), fg.swiglu(numpy.float32([1]), 1); "
        "import ml_dtypes",
    ],
)
def test_order_of_imports(code):
    code += (
        "; import numpy; x = numpy.ones(3, ml_dtypes.bfloat16);"
        "print(fg.gelu(x).dtype, fg.swiglu(x, x).dtype, fg.swiglu(x, numpy.float32(1)).dtype)"
    )
    assert python(code) == "bfloat16 bfloat16 float32"


REPORT = "import fastgelu as fg; print(fg.gelu(1.0).dtype, fg.runtime_info()['bfloat16'])"


@pytest.mark.subprocess
def test_without_ml_dtypes():
    # None in sys.modules is how Python marks a module that is not to be found.
    output = python("import sys; sys.modules['ml_dtypes'] = None; " + REPORT)
    assert output.startswith("float64 none: ")
    assert "ml_dtypes" in output


@pytest.mark.subprocess
@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import module_that_is_not_there", "module_that_is_not_there"),
        ("raise ImportError('built for another NumPy')", "built for another NumPy"),
        ("raise AttributeError('_ARRAY_API not found')", "_ARRAY_API not found"),
        ("__version__ = '0.0'", "ml_dtypes 0.0: AttributeError"),
        ("import numpy; bfloat16 = numpy.float16", "ml_dtypes ?: "),
    ],
    ids=["requirement", "ImportError", "AttributeError", "no bfloat16", "not user-defined"],
)
def test_broken_ml_dtypes_is_no_error(tmp_path, source, reason):
    (tmp_path / "ml_dtypes.py").write_text(source)
    output = python(REPORT, "-W", "error", path=tmp_path)
    assert output.startswith("float64 none: ")
    assert reason in output
