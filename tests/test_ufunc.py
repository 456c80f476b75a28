"""A real ufunc: everything that NumPy's own unary ufuncs accept, with the same conventions."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest
from samples import bits, interval

import fastgelu

# On some platforms longdouble is another name for float64: nothing would be lost there.
WIDE_LONGDOUBLE = np.finfo(np.longdouble).nmant > np.finfo(np.float64).nmant


def test_is_a_unary_ufunc_with_three_loops(f, name):
    assert isinstance(f, np.ufunc)
    assert (f.nin, f.nout, f.nargs, f.signature) == (1, 1, 2, None)
    assert f.types == ["e->e", "f->f", "d->d"]
    assert f.__name__ == name


def test_namespace():
    assert set(fastgelu.__all__) <= set(dir(fastgelu))
    names = [*fastgelu._fastgelu.functions, *fastgelu._fastgelu.composites]
    ufuncs = [n for n in fastgelu.__all__ if isinstance(getattr(fastgelu, n), np.ufunc)]
    assert ufuncs == [*names, "swish"]
    assert fastgelu.swish is fastgelu.silu
    assert fastgelu.runtime_info()["functions"] == names


def test_docstring(f, name):
    row = fastgelu._fastgelu.functions[name]
    for part in ("Parameters", "Returns", "Notes", "References"):
        assert f"\n{part}\n{'-' * len(part)}\n" in f.__doc__
    for part in (row["summary"], row["formula"], row["source"], f"{row['ulp32']:g} ULP"):
        assert part in f.__doc__


def test_dtype_is_kept(f, dtype):
    x = np.linspace(-3, 3, 7).astype(dtype)
    assert f(x).dtype == dtype
    assert type(f(x[0])) is dtype.type


@pytest.mark.parametrize("code", "?bBhHiIlLqQ")
def test_integers_and_booleans_as_exp_does(f, code):
    x = np.array([0, 1, 1, 0], code)
    y = f(x)
    assert y.dtype == np.exp(x).dtype
    np.testing.assert_array_equal(y, f(x.astype(y.dtype)))


@pytest.mark.parametrize("value", [True, 3, -1, 0.5, [1, 2], [[0.5], [1.5]], (), []])
def test_python_objects_as_exp_does(f, value):
    assert type(f(value)) is type(np.exp(value))
    assert f(value).dtype == np.exp(value).dtype
    np.testing.assert_array_equal(f(value), f(np.asarray(value, np.exp(value).dtype)))


@pytest.mark.parametrize(
    "x",
    [
        np.zeros(2, np.complex64),
        np.zeros(2, np.complex128),
        1j,
        *([np.zeros(2, np.longdouble)] if WIDE_LONGDOUBLE else []),
        np.array([1.0, 2.0], object),
        np.array(["a"]),
        np.array(["2020-01-01"], "M8[D]"),
        None,
    ],
    ids=repr,
)
def test_no_silent_downcast(f, x):
    with pytest.raises(TypeError):
        f(x)


def test_longdouble_may_be_cast_on_request(f):
    x = np.linspace(-3, 3, 7).astype(np.longdouble)
    y = f(x, dtype=np.float64, casting="same_kind")
    np.testing.assert_array_equal(y, f(x.astype(np.float64)))


def test_scalars_and_0d(f):
    assert isinstance(f(1.0), np.float64)
    assert isinstance(f(np.float32(1)), np.float32)
    assert isinstance(f(np.array(1.0)), np.float64)
    out = np.zeros(())
    assert f(1.0, out=out) is out
    assert out == f(1.0)


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 5, 2), (1, 1, 1), (2, 3, 4, 5)])
def test_shapes(f, dtype, shape):
    x = np.resize(interval(-4, 4, 120, dtype), shape)
    y = f(x)
    assert y.shape == shape
    assert y.dtype == dtype
    np.testing.assert_array_equal(y.ravel(), f(x.ravel()))


def test_out(f, dtype):
    x = interval(-4, 4, 60, dtype)
    out = np.empty_like(x)
    assert f(x, out) is out
    assert f(x, out=out) is out
    assert f(x, out=(out,)) is out
    np.testing.assert_array_equal(out, f(x))
    wide = np.empty(60, np.float64)
    f(x, out=wide)
    np.testing.assert_array_equal(wide, f(x).astype(np.float64))


def test_out_broadcasts_the_input(f, dtype):
    x = interval(-4, 4, 5, dtype)
    out = np.empty((3, 5), dtype)
    f(x, out=out)
    np.testing.assert_array_equal(out, np.broadcast_to(f(x), (3, 5)))
    with pytest.raises(ValueError, match="broadcast"):
        f(x, out=np.empty(4, dtype))


def test_out_is_not_narrowed(f):
    with pytest.raises(TypeError, match=r"[Cc]ast"):
        f(np.ones(3), out=np.empty(3, np.int64))
    with pytest.raises(TypeError, match=r"[Cc]ast"):
        f(np.ones(3), out=np.empty(3, np.float32), casting="safe")


def test_where(f, dtype):
    x = interval(-4, 4, 64, dtype)
    chosen = np.arange(64) % 3 == 0
    out = np.full(64, 7, dtype)
    f(x, out=out, where=chosen)
    np.testing.assert_array_equal(out[chosen], f(x[chosen]))
    assert np.all(out[~chosen] == 7)


def test_dtype_and_casting(f):
    x = np.linspace(-3, 3, 7, dtype=np.float32)
    np.testing.assert_array_equal(f(x, dtype=np.float64), f(x.astype(np.float64)))
    np.testing.assert_array_equal(f(x, dtype=np.float16), f(x.astype(np.float16)))
    np.testing.assert_array_equal(f(x, signature="d->d"), f(x.astype(np.float64)))
    with pytest.raises(TypeError):
        f(x, dtype=np.float16, casting="safe")
    with pytest.raises(TypeError):
        f(x, dtype=np.complex64)


def test_order(f):
    x = np.asfortranarray(np.ones((3, 4)))
    assert f(x).flags.f_contiguous
    assert f(x, order="C").flags.c_contiguous


def test_at_and_outer(f, dtype):
    x = interval(-4, 4, 20, dtype)
    y = x.copy()
    f.at(y, [1, 3, 5])
    want = x.copy()
    want[[1, 3, 5]] = f(x[[1, 3, 5]])
    np.testing.assert_array_equal(bits(y), bits(want))
    for method in (f.reduce, f.accumulate, f.outer):
        with pytest.raises((ValueError, TypeError)):  # as for every unary ufunc
            method(x)


class Tagged(np.ndarray):
    """A subclass that carries a tag along."""

    def __array_finalize__(self, other):
        self.tag = getattr(other, "tag", None)


def test_subclass(f):
    x = np.linspace(-3, 3, 7).view(Tagged)
    x.tag = "metres"
    y = f(x)
    assert type(y) is Tagged
    assert y.tag == "metres"
    assert type(f(x, subok=False)) is np.ndarray


def test_array_ufunc_override(f):
    class Other:
        def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
            return ufunc, method, kwargs

    assert f(Other(), where=True)[:2] == (f, "__call__")


def test_masked_array(f):
    x = np.ma.array([1.0, 2.0, 3.0], mask=[False, True, False])
    y = f(x)
    assert list(np.ma.getmaskarray(y)) == [False, True, False]
    np.testing.assert_array_equal(y.compressed(), f(np.array([1.0, 3.0])))


# Before NumPy 2.2 pickle looks for a ufunc's name in all modules, and some of mpmath's warn then.
quiet_mpmath = pytest.mark.filterwarnings("ignore:the .* module is deprecated:DeprecationWarning")


@quiet_mpmath
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_by_its_public_name(f, name, protocol):
    data = pickle.dumps(f, protocol)
    assert pickle.loads(data) is f
    assert b"fastgelu" in data
    assert b"_fastgelu" not in data
    assert copy.copy(f) is copy.deepcopy(f) is f


@quiet_mpmath
@pytest.mark.subprocess
def test_unpickles_in_another_process(f, name):
    code = (
        "import pickle, sys; f = pickle.load(sys.stdin.buffer);"
        f"import fastgelu; assert f is fastgelu.{name}"
    )
    subprocess.run([sys.executable, "-c", code], input=pickle.dumps(f), check=True)


def test_threads_agree(f, dtype):
    # The inner loops run without the GIL and share nothing.
    from concurrent.futures import ThreadPoolExecutor

    x = interval(-20, 10, 200_000, dtype)
    want = bits(f(x))
    with ThreadPoolExecutor(4) as pool:
        for y in pool.map(f, [x] * 12):
            np.testing.assert_array_equal(bits(y), want)
