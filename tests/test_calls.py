"""Large calls whose rows do not join, or whose dtype is cast: several threads, NumPy's results.

What several threads do with one span is tested by test_threads.py.
"""

import os
import pickle
import traceback
import warnings

import numpy as np
import pytest
from samples import bits, mixture

import fastgelu as fg

ROWS, COLUMNS = 301, 2002  # of float16 more than what pays


@pytest.fixture(autouse=True)
def _one_thread():
    fg.set_num_threads(1)
    yield
    fg.set_num_threads(1)


def sample(dtype=np.float32):
    return np.resize(mixture(1 << 14, dtype), (ROWS, COLUMNS))


def unaligned(x):
    y = np.zeros(x.nbytes + 1, np.uint8)[1:].view(x.dtype).reshape(x.shape)
    y[...] = x
    return y


def field(x):
    records = np.zeros(x.shape, [("a", "u1"), ("x", x.dtype)])
    records["x"] = x
    return records["x"]


def swapped(x):
    return x.astype(x.dtype.newbyteorder())


X, NARROW, WIDE = sample(), sample(np.float16), sample(np.float64)
# To be cast: a signalling NaN would raise a flag, and NumPy warn of it.
QUIET = np.linspace(-20, 20, X.size, dtype=np.float32).reshape(X.shape)
INTEGERS = np.arange(X.size, dtype=np.int16).reshape(X.shape) - 30000
CASES = {
    "columns": (fg.gelu, X[:, 1:]),
    "columns of float64": (fg.gelu, WIDE[:, 1:]),
    "columns of float16": (fg.gelu, NARROW[:, 1:]),
    "rows and columns backwards": (fg.gelu, X[::-1, -2::-1]),
    "transposed columns": (fg.gelu, X[:, 1:].T),
    "Fortran order": (fg.gelu, np.asfortranarray(X)),
    "three dimensions": (fg.gelu, X.reshape(7, 43, -1)[:, :, 3:].transpose(1, 0, 2)),
    "unaligned": (fg.gelu, unaligned(X)),
    "unaligned columns": (fg.gelu, unaligned(X)[:, 1:]),
    "field of records": (fg.gelu, field(X)),
    "swapped": (fg.gelu, swapped(X)),
    "swapped columns": (fg.gelu, swapped(X)[:, 1:]),
    "integers": (fg.gelu, INTEGERS),
    "bytes": (fg.gelu, INTEGERS.astype(np.int8)),
    "truth values": (fg.gelu, INTEGERS > 5),
    "packed gate": (fg.swiglu, *fg.split_gate(WIDE, layout="gate_up")),
    "interleaved gate": (fg.geglu, *fg.split_gate(WIDE, layout="interleaved")),
    "gate along the first axis": (fg.swiglu, *fg.split_gate(WIDE[1:], layout="up_gate", axis=0)),
    "backward pass of a gate": (fg.swiglu_backward, X[:, 1:], X[:, :-1], X[:, :-1]),
    "bias in a row": (fg.bias_gelu, X, X[0]),
    "bias in a column": (fg.bias_gelu, X, X[:, :1]),
    "row by column": (fg.bias_gelu, X[:1], X[:, :1]),
    "bias in float16": (fg.bias_gelu, X, QUIET[0].astype(np.float16)),
    "bias in float64": (fg.bias_gelu, QUIET, WIDE[0]),
    "swapped bias": (fg.bias_gelu, X, swapped(X)[0]),
    "Python float": (fg.elu, X[:, 1:], 0.1),
    "Python float, float16": (fg.elu, NARROW[:, 1:], 0.1),
    "Python float, integers": (fg.elu, INTEGERS, 0.1),
    "Python int": (fg.leaky_relu, X[:, 1:], 0),
    "scalar": (fg.elu, X[:, 1:], np.float32(0.25)),
    "wider scalar": (fg.elu, QUIET[:, 1:], np.float64(0.1)),
    "array without dimensions": (fg.elu, QUIET[:, 1:], np.array(0.1)),
}
try:
    import ml_dtypes
except ImportError:
    pass
else:
    BRIEF = sample(ml_dtypes.bfloat16)
    CASES |= {
        "columns of bfloat16": (fg.gelu, BRIEF[:, 1:]),
        "bfloat16 scalar": (fg.elu, BRIEF[:, 1:], BRIEF.dtype.type(0.5)),
        "bias in bfloat16": (fg.bias_gelu, X, QUIET[0].astype(BRIEF.dtype)),
    }


def same(got, want):
    """The same in all that can be seen: memory layout, too."""
    assert type(got) is type(want)
    if isinstance(want, tuple):
        for one, other in zip(got, want, strict=True):
            same(one, other)
        return
    assert (got.dtype, got.shape, got.strides) == (want.dtype, want.shape, want.strides)
    np.testing.assert_array_equal(bits(got), bits(want))


def each(f, want):
    """f() at several counts."""
    for n in 2, 3, 8:
        with fg.num_threads(n):
            same(f(), want)


@pytest.fixture(params=CASES)
def case(request):
    return CASES[request.param]


@pytest.mark.reported
def test_result(case):
    f, *inputs = case
    each(lambda: f(*inputs), f(*inputs))


def test_out(case):
    """As a keyword, as a tuple, by position; given back itself; of another layout and dtype."""
    f, *inputs = case
    want = f(*inputs)
    wants = want if f.nout > 1 else (want,)
    for prepare in (
        np.zeros_like,
        lambda y: np.zeros((*y.shape[:-1], 2 * y.shape[-1]), y.dtype)[..., ::2],
        lambda y: np.zeros(y.shape, y.dtype.newbyteorder() if y.dtype.isbuiltin == 1 else "f8"),
        lambda y: np.zeros(y.shape, np.float64),
    ):
        outs = tuple(prepare(y) for y in wants)
        calls = [lambda o: f(*inputs, *o), lambda o: f(*inputs, out=o)]
        calls += [lambda o: f(*inputs, out=o[0])] * (f.nout == 1)
        for call in calls:
            with fg.num_threads(2):
                got = call(outs)
            for y, out, expected in zip(got if f.nout > 1 else (got,), outs, wants, strict=True):
                assert y is out
                native = y.dtype.newbyteorder("=")
                same(np.array(y, native, order="C"), np.array(expected, native, order="C"))
                out.fill(0)


def test_out_of_one_result_of_two():
    f, *inputs = CASES["backward pass of a gate"]
    want = f(*inputs)
    y = np.zeros_like(want[1])
    with fg.num_threads(2):
        got = f(*inputs, out=(None, y))
    assert got[1] is y
    same(got, want)


def test_out_larger_than_the_inputs():
    """An output takes part in broadcasting, and in what there is to compute."""
    x = np.linspace(-3, 3, 600_000)
    with fg.num_threads(2):
        for want, f, inputs in (
            (fg.gelu(x), fg.gelu, [x]),
            (fg.gelu(x), fg.gelu, [x[None]]),
            (fg.bias_gelu(x, 0.5), fg.bias_gelu, [x[None], 0.5]),
        ):
            out = np.full((3, x.size), 7.0)
            assert f(*inputs, out=out) is out
            assert (bits(out) == bits(want)).all()
        dup = np.full((3, x.size), 7.0)
        dgate, _ = fg.geglu_backward(x, x, x, out=(None, dup))
        want = fg.geglu_backward(x, x, x)
    assert dgate.shape == dup.shape
    assert (bits(dgate) == bits(want[0])).all()
    assert (bits(dup) == bits(want[1])).all()


@pytest.mark.parametrize("name", ["gelu", "swiglu"])
def test_in_place_and_overlapping(name):
    """As with one thread: an output that overlaps an input is no input any more."""
    f = getattr(fg, name)

    def results():
        for source, target in (
            (np.s_[:, 1:], np.s_[:, 1:]),
            (np.s_[:, 1:], np.s_[:, :-1]),
            (np.s_[:-1, 1:], np.s_[1:, :-1]),
            (np.s_[:, 1:], np.s_[::-1, 1:]),
            (np.s_[:, ::2], np.s_[:, 1::2]),
            (np.s_[:, : COLUMNS // 2], np.s_[:, COLUMNS // 2 :]),
        ):
            x = WIDE.copy()
            f(*[x[source]] * f.nin, out=x[target])
            yield x

    want = list(results())
    each(lambda: tuple(results()), tuple(want))


def test_keywords():
    """Those that NumPy is left to itself with are right as well."""
    x = QUIET[:, 1:]
    mask = np.arange(x.shape[1]) % 3 > 0
    for keywords in (
        {"dtype": np.float64},
        {"where": mask, "out": np.ones_like(x)},
        {"order": "F"},
        {"casting": "no"},
        {"subok": False},
        {"out": None},
        {"signature": "d->d"},
    ):
        want = fg.gelu(x, **keywords).copy("K")
        each(lambda k=keywords: fg.gelu(x, **k).copy("K"), want)


def test_methods():
    x = X[:, 1:]
    each(lambda: fg.swiglu.reduce(x, axis=0), fg.swiglu.reduce(x, axis=0))
    each(lambda: fg.swiglu.accumulate(x, axis=0), fg.swiglu.accumulate(x, axis=0))
    each(lambda: fg.geglu.outer(x[0], x[1, :300]), fg.geglu.outer(x[0], x[1, :300]))

    def at():
        y = x.copy()
        fg.gelu.at(y, np.s_[::2])
        return y

    each(at, at())


class Named(np.ndarray):
    pass


class Other:
    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return ufunc, method, len(inputs), sorted(kwargs)


def test_subclasses_and_overrides():
    x = X[:, 1:]
    masked = np.ma.masked_less(x, 0)
    with fg.num_threads(2):
        assert type(fg.gelu(x.view(Named))) is Named
        assert type(fg.bias_gelu(x, x[0].view(Named))) is Named
        assert fg.bias_gelu(x, Other()) == (fg.bias_gelu, "__call__", 2, [])
        assert fg.gelu(x, out=Other()) == (fg.gelu, "__call__", 1, ["out"])
        with np.errstate(invalid="ignore"):
            several = fg.gelu(masked)
    with np.errstate(invalid="ignore"):
        one = fg.gelu(masked)
    assert type(several) is type(one)
    np.testing.assert_array_equal(several.mask, one.mask)
    np.testing.assert_array_equal(bits(several.data), bits(one.data))


def test_still_a_ufunc():
    assert type(fg.gelu) is np.ufunc
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of modules that pickle looks into
        assert pickle.loads(pickle.dumps(fg.gelu)) is fg.gelu
    assert (fg.gelu.nin, fg.gelu.nout, fg.gelu.__name__) == (1, 1, "gelu")


@pytest.mark.parametrize(
    "call",
    [
        lambda: fg.gelu(),
        lambda: fg.gelu(X[:, 1:], X[:, 1:], X[:, 1:]),
        lambda: fg.gelu(X[:, 1:].astype(complex)),
        lambda: fg.gelu(X[:, 1:].astype(object)),
        lambda: fg.gelu(X[:, 1:], out=np.zeros(3)),
        lambda: fg.gelu(X[:, 1:], out=np.zeros(X[:, 1:].shape, int)),
        lambda: fg.gelu(X[:, 1:], out=X.tolist()),
        lambda: fg.gelu(X[:, 1:], X[:, 1:], out=X[:, 1:]),
        lambda: fg.gelu(X[:, 1:], nonsense=1),
        lambda: fg.bias_gelu(X[:, 1:], X),
        lambda: fg.bias_gelu(X[:, 1:], "1"),
        lambda: fg.elu(NARROW[:, 1:], 10**400),
        lambda: fg.bias_gelu(X[:1], X[:, :1], out=np.zeros_like(X[:1])),
    ],
)
def test_errors_are_numpys(call):
    seen = []
    for n in 1, 2:
        with fg.num_threads(n):
            try:
                call()
            except Exception as error:
                lines = traceback.format_tb(error.__traceback__)
                seen.append((type(error), str(error), lines))
    assert len(seen) == 2
    assert seen[0] == seen[1]


def test_warnings_are_numpys():
    """A number that is not to be had in the array's dtype; a result that is not, in out's."""
    for call in (
        lambda: fg.elu(NARROW[:, 1:], 1e6),
        lambda: fg.gelu(WIDE[:, 1:], out=np.zeros(WIDE[:, 1:].shape, np.float16)),
        lambda: fg.elu(np.ones((2, 50_000), np.float16)[:, 1:], 1e6),  # too small for threads
    ):
        seen = []
        for n in 1, 2:
            with fg.num_threads(n), warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                call()
            seen.append([(w.category, str(w.message)) for w in caught])
        assert seen[0] == seen[1]


@pytest.mark.skipif(
    np.lib.NumpyVersion(np.__version__) < "1.24.0",
    reason="this NumPy tells nothing of overflows in casts",
)
def test_interrupted():
    """What is no error of the call is not passed over, and ends it."""

    def interrupt(*_):
        raise KeyboardInterrupt

    before = np.seterrcall(interrupt)
    try:
        for n in 1, 2:
            with (
                fg.num_threads(n),
                np.errstate(over="call"),
                pytest.raises(KeyboardInterrupt),
            ):
                fg.elu(NARROW[:, 1:], 1e6)
    finally:
        np.seterrcall(before)


def test_quiet():
    with np.errstate(all="raise"), fg.num_threads(2):
        fg.gelu(X[:, 1:])
        fg.bias_gelu(X, QUIET[0].astype(np.float16))


def test_references(case):
    """Nothing is kept, and nothing lost."""
    f, *inputs = case
    dtype, y = np.dtype(np.float64), f(*inputs)
    outs = y if f.nout > 1 else (y,)

    def count():
        from sys import getrefcount

        return [getrefcount(o) for o in (*inputs, *outs, dtype, f, *(i for i in inputs))]

    with fg.num_threads(2):
        f(*inputs, out=outs)
        before = count()
        for _ in range(10):
            f(*inputs)
            f(*inputs, out=outs)
        after = count()
    # Dtypes and numbers are others' as well; a lost reference would show ten times.
    assert all(abs(a - b) < 10 for a, b in zip(after, before, strict=True))


@pytest.mark.reported
@pytest.mark.subprocess
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_threads_are_used(case):
    """A forked child has no thread but one until a call starts others."""
    if not os.path.isdir("/proc/self/task") or not fg._fastgelu.have_threads:
        pytest.skip("threads are counted by /proc")
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("this needs two processors")
    f, *inputs = case
    fg.set_num_threads(2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of forks with threads around, by Python or JAX
        child = os.fork()
    if child == 0:
        before = len(os.listdir("/proc/self/task"))
        f(*inputs)
        os._exit(before != 1 or len(os.listdir("/proc/self/task")) != 2)
    assert os.waitpid(child, 0)[1] == 0
