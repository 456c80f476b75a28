"""The contract of a ufunc: everything that NumPy's own ufuncs accept, with the same conventions,
for every function, dtype and instruction set.

What is expected is what the same ufunc gives for contiguous copies of its inputs; whether that is
right, and the same on every instruction set, is for other tests to say.
"""

import copy
import inspect
import itertools
import mmap
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import memory
import numpy as np
import pytest
from samples import DTYPES, bits, call, interval, operands

import fastgelu

FUNCTIONS = fastgelu.runtime_info()["functions"]

# On some platforms longdouble is another name for float64: nothing would be lost there.
WIDE_LONGDOUBLE = np.finfo(np.longdouble).nmant > np.finfo(np.float64).nmant


@pytest.fixture(params=DTYPES[:3], ids=str)
def dtype(request):
    """NumPy's own dtypes; test_bfloat16.py is about the one that NumPy knows less of."""
    return request.param


@pytest.fixture
def f(ufunc):
    """A ufunc of one instruction set."""
    return ufunc


@pytest.fixture(params=FUNCTIONS)
def public(request):
    """A ufunc as users get it."""
    return getattr(fastgelu, request.param)


def expected(f, *x):
    """The results for contiguous copies."""
    shape = np.broadcast_shapes(*(np.shape(a) for a in x))
    return call(f, *(np.ascontiguousarray(np.broadcast_to(a, shape)) for a in x))


def outputs(f, dtype, shape):
    return tuple(np.zeros(shape, dtype) for _ in range(f.nout))


def assert_same(got, want):
    """The same dtypes, shapes and bits."""
    assert len(got) == len(want)
    for g, w in zip(got, want, strict=True):
        assert (g.dtype, g.shape) == (w.dtype, w.shape)
        assert np.array_equal(bits(g), bits(w))


# ---- what it is -------------------------------------------------------------------------------


def test_attributes(f):
    assert isinstance(f, np.ufunc)
    row = fastgelu._fastgelu.composites.get(f.__name__, {"arguments": "x", "results": "y"})
    assert f.nin == len(row["arguments"].split(", "))
    assert f.nout == len(row["results"].split(", "))
    assert f.types[:3] == [f"{c * f.nin}->{c * f.nout}" for c in "efd"]
    assert (f.nargs, f.signature, f.identity) == (f.nin + f.nout, None, None)


def test_namespace():
    assert set(fastgelu.__all__) <= set(dir(fastgelu))
    ufuncs = [n for n in fastgelu.__all__ if isinstance(getattr(fastgelu, n), np.ufunc)]
    assert ufuncs == [*FUNCTIONS, "swish"]
    assert fastgelu.swish is fastgelu.silu
    for name in FUNCTIONS:
        assert getattr(fastgelu, name).__name__ == name


def test_docstring(public):
    rows = fastgelu._fastgelu.functions | fastgelu._fastgelu.composites
    row = rows[public.__name__]
    for part in ("Parameters", "Returns", "Raises", "Notes", "References"):
        assert f"\n{part}\n{'-' * len(part)}\n" in public.__doc__
    error = row["error"] if "error" in row else f"{row['ulp32']:g} ULP"
    for part in (row["summary"], row["formula"], row["source"], error):
        assert part in public.__doc__


def test_signature_as_numpy_makes_it(public):
    like = {(1, 1): np.exp, (2, 1): np.add}.get((public.nin, public.nout))
    try:
        want = inspect.signature(np.exp)
    except ValueError:
        with pytest.raises(ValueError, match="signature"):
            inspect.signature(public)
        return
    got = inspect.signature(public)
    assert got.parameters.keys() - {"x", "x1", "x2", "x3"} == want.parameters.keys() - {"x"}
    if like:
        assert got == inspect.signature(like)


# Before NumPy 2.2 pickle looks for a ufunc's name in all modules, and some of mpmath's warn then.
quiet_mpmath = pytest.mark.filterwarnings("ignore:the .* module is deprecated:DeprecationWarning")


@quiet_mpmath
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_by_its_public_name(public, protocol):
    data = pickle.dumps(public, protocol)
    assert pickle.loads(data) is public
    assert b"fastgelu" in data
    assert b"_fastgelu" not in data
    assert copy.copy(public) is copy.deepcopy(public) is public


@quiet_mpmath
@pytest.mark.subprocess
def test_unpickles_in_another_process():
    data = pickle.dumps([getattr(fastgelu, name) for name in FUNCTIONS])
    code = (
        "import pickle, sys; loaded = pickle.load(sys.stdin.buffer); import fastgelu;"
        "names = fastgelu.runtime_info()['functions']; assert len(loaded) == len(names);"
        "assert all(f is getattr(fastgelu, n) for f, n in zip(loaded, names))"
    )
    subprocess.run([sys.executable, "-c", code], input=data, check=True)


# ---- dtypes -----------------------------------------------------------------------------------


def test_dtype_is_kept(f, dtype):
    x = operands(f.nin, dtype)
    assert all(y.dtype == dtype for y in call(f, *x))
    assert all(type(y) is dtype.type for y in call(f, *(a[0] for a in x)))


def test_scalars_and_0d(f, dtype):
    for x in ([dtype.type(0.5)] * f.nin, [np.array(0.5, dtype)] * f.nin):
        assert all(type(y) is dtype.type for y in call(f, *x))
    assert all(type(y) is np.float64 for y in call(f, *[0.5] * f.nin))
    out = outputs(f, dtype, ())
    for got, given in zip(call(f, *x, out=out), out, strict=True):
        assert got is given
    assert_same(out, call(f, *x))


def test_integers_and_booleans_as_exp_does(f):
    for code in "?bBhHiIlLqQ":
        x = np.array([0, 1, 1, 0], code)
        want = np.exp(x).dtype
        assert_same(call(f, *[x] * f.nin), call(f, *[x.astype(want)] * f.nin))


@pytest.mark.parametrize("value", [True, 3, -1, 0.5, [1, 2], [[0.5], [1.5]], (), []], ids=repr)
def test_python_objects_as_exp_does(public, value):
    want = np.exp(value)
    y = call(public, *[value] * public.nin)
    assert all((type(r), r.dtype) == (type(want), want.dtype) for r in y)
    assert_same(y, call(public, *[np.asarray(value, want.dtype)[()]] * public.nin))


def test_dtypes_promote_as_in_a_sum(f):
    for i, one in itertools.product(range(f.nin), "efdbHl"):
        for other in "efd":
            x = [np.arange(-2, 3).astype(other)] * f.nin
            x[i] = np.array([0, 1, 3, 2, 1], one)
            # NumPy's own functions with one loop per float type, of one input and of two.
            like, some = (np.exp, x) if f.nin == 1 else (np.logaddexp, [x[i], x[i - 1]])
            want = like(*(a[:0] for a in some)).dtype
            assert_same(call(f, *x), call(f, *(a.astype(want) for a in x)))


@pytest.mark.reported
@pytest.mark.parametrize("second", [1, 0.01, np.int8(1), np.float32(1), True], ids=repr)
def test_integers_are_promoted_together_with_a_second_input(second):
    for f in (getattr(fastgelu, name) for name in FUNCTIONS):
        for code in "?bBhHiIlLqQ" if f.nin == 2 else "":
            x = np.array([0, 1, 1, 0], code)
            assert f(x, second).dtype == np.logaddexp(x, second).dtype


@pytest.mark.reported
def test_docstrings_say_how_integers_are_promoted(public):
    like = "numpy.exp" if public.nin == 1 else "numpy.logaddexp"
    assert f"as by `{like}`" in public.__doc__
    assert ("int8 and the\n    float 0.01 give float64" in public.__doc__) == (public.nin > 1)
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        assert fastgelu.leaky_relu(np.int8([-1]), 0.01).dtype == np.float64
        assert fastgelu.elu(np.int8([-1]), 1).dtype == np.float16


REFUSED = [
    np.zeros(2, np.complex64),
    np.zeros(2, np.complex128),
    1j,
    *([np.zeros(2, np.longdouble)] if WIDE_LONGDOUBLE else []),
    np.array([1.0, 2.0], object),
    np.array(["a", "b"]),
    np.array([b"a", b"b"]),
    np.array(["2020-01-01", "2020-01-02"], "M8[D]"),
    np.zeros(2, "m8[s]"),
    np.zeros(2, "V4"),
    np.zeros(2, [("x", "f4")]),
    None,
]


def test_no_silent_downcast(f):
    for position, x in itertools.product(range(f.nin), REFUSED):
        given = [np.ones(2)] * f.nin
        given[position] = x
        with pytest.raises(TypeError, match=f"^ufunc '{f.__name__}' not supported for the input"):
            f(*given)


def test_casting(f):
    x = operands(f.nin, np.dtype(np.float32))
    x = [np.where(np.isfinite(a), np.clip(a, -1e4, 1e4), 0) for a in x]  # for float16 too
    for code in "efd":
        y = call(f, *x, dtype=code)
        assert_same(y, call(f, *(a.astype(code) for a in x)))
        assert_same(y, call(f, *x, signature=f"{code * f.nin}->{code * f.nout}"))
        assert_same(y, call(f, *x, signature=(code,) * f.nargs))
    with pytest.raises(TypeError, match=r"[Cc]annot cast"):
        f(*x, dtype=np.float16, casting="safe")
    with pytest.raises(TypeError, match=r"[Cc]annot cast"):
        f(*x, dtype=np.float64, casting="no")
    with pytest.raises(TypeError, match="No loop matching"):
        f(*x, dtype=np.complex64)
    with pytest.raises(TypeError, match=r"[Cc]annot cast"):
        f(*x, out=outputs(f, np.int64, x[0].shape))
    with pytest.raises(TypeError, match=r"[Cc]annot cast"):
        f(*x, out=outputs(f, np.float16, x[0].shape), casting="safe")
    wide = outputs(f, np.float64, x[0].shape)
    assert_same(call(f, *x, out=wide), [y.astype(np.float64) for y in call(f, *x)])
    wide = [a.astype(np.longdouble) for a in x]
    y = call(f, *wide, dtype=np.float64, casting="same_kind")
    assert_same(y, call(f, *(a.astype(np.float64) for a in x)))


# ---- shapes -----------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 5, 2), (1, 1, 1), (2, 3, 4, 5)], ids=str)
def test_shapes(f, dtype, shape):
    x = operands(f.nin, dtype, shape)
    y = call(f, *x)
    assert all(r.shape == shape for r in y)
    assert_same([r.ravel() for r in y], expected(f, *(a.ravel() for a in x)))


def test_broadcasting(f, dtype):
    shapes = [(3, 1, 5), (4, 1), (5,)]
    for order in itertools.permutations(shapes):
        x = [operands(1, dtype, shape)[0] for shape in order[: f.nin]]
        assert_same(call(f, *x), expected(f, *x))
    x = operands(f.nin, dtype, (4, 6))
    for i in range(f.nin if f.nin > 1 else 0):  # one scalar among arrays
        mixed = [a[0, 0] if i == j else a for j, a in enumerate(x)]
        assert_same(call(f, *mixed), expected(f, *mixed))
    out = outputs(f, dtype, (2, 4, 6))
    f(*x, out=out)
    assert_same(out, [np.ascontiguousarray(np.broadcast_to(y, (2, 4, 6))) for y in call(f, *x)])
    with pytest.raises(ValueError, match="broadcast"):
        f(*x, out=outputs(f, dtype, (3, 6)))
    if f.nin > 1:
        with pytest.raises(ValueError, match="broadcast"):
            f(*x[1:], np.zeros(5, dtype))


def test_repeated_element(f, dtype):
    for i in range(0, 60, 7):
        x = [np.broadcast_to(a[i : i + 1], 37) for a in operands(f.nin, dtype)]
        assert_same(call(f, *x), expected(f, *x))


def test_lengths(f, dtype):
    x = operands(f.nin, dtype, 1100)
    whole = call(f, *x)
    for n in [*range(1, 35), 63, 64, 65, 130, 511, 512, 513, 1024, 1025]:
        for start in (0, 3):
            part = slice(start, start + n)
            assert_same(call(f, *(a[part] for a in x)), [y[part] for y in whole])


def test_order(f, dtype):
    c = operands(f.nin, dtype, (4, 5))
    fortran = [np.asfortranarray(a) for a in c]
    want = call(f, *c)
    for x, order, flag in [
        (fortran, "K", "F_CONTIGUOUS"),
        (fortran, "A", "F_CONTIGUOUS"),
        (fortran, "C", "C_CONTIGUOUS"),
        (c, "F", "F_CONTIGUOUS"),
        (c, "K", "C_CONTIGUOUS"),
    ]:
        y = call(f, *x, order=order)
        assert all(r.flags[flag] for r in y)
        assert_same(y, want)


# ---- layouts in memory ------------------------------------------------------------------------


def records(n, dtype):
    """Packed records: a field of them is unaligned, its stride no multiple of the itemsize."""
    return np.zeros(n, np.dtype([("flag", "u1"), ("value", dtype), ("end", "u2")]))


LAYOUTS = {
    "reversed": lambda n, dtype: np.zeros(n, dtype)[::-1],
    "every third": lambda n, dtype: np.zeros(3 * n, dtype)[::3],
    "every other, reversed": lambda n, dtype: np.zeros(2 * n, dtype)[::-2],
    "unaligned": lambda n, dtype: np.zeros(n * dtype.itemsize + 1, "u1")[1:].view(dtype),
    "byte-swapped": lambda n, dtype: np.zeros(n, dtype.newbyteorder()),
    "field": lambda n, dtype: records(n, dtype)["value"],
    "swapped field, reversed": lambda n, dtype: records(n, dtype.newbyteorder())["value"][::-1],
    "every other field": lambda n, dtype: records(2 * n, dtype)["value"][::2],
}


def laid_out(layout, x):
    """A copy of x in a layout."""
    view = LAYOUTS[layout](x.size, x.dtype)
    view[:] = x
    return view


def memory_around(view):
    """The array that owns the memory of a view, as bytes."""
    while view.base is not None:
        view = view.base
    return view.view(np.uint8)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layout(f, dtype, layout):
    x = operands(f.nin, dtype, 300)
    want = call(f, *x)
    assert_same(call(f, *(laid_out(layout, a) for a in x)), want)
    for i in range(f.nin if f.nin > 1 else 0):
        mixed = [laid_out(layout, a) if i == j else a for j, a in enumerate(x)]
        assert_same(call(f, *mixed), want)
    out = tuple(LAYOUTS[layout](300, dtype) for _ in want)
    f(*(laid_out(layout, a) for a in x), out=out)
    assert_same([o.astype(dtype) for o in out], want)
    for o in out:  # between the elements nothing is written
        around = memory_around(o)
        o[:] = 0
        assert not around.any()


def test_two_dimensions_in_any_order(f, dtype):
    x = operands(f.nin, dtype, (33, 17))
    want = call(f, *x)
    assert_same([y.T for y in call(f, *(a.T for a in x))], want)
    assert_same(call(f, *(a[::-2, ::3] for a in x)), [y[::-2, ::3] for y in want])
    # Each input walks through memory in an order of its own.
    mixed = [np.asfortranarray(a) if i % 2 else a for i, a in enumerate(x)]
    assert_same(call(f, *mixed), want)
    out = tuple(np.zeros((17, 33), dtype).T for _ in want)
    f(*x, out=out)
    assert_same(out, want)


@pytest.fixture(scope="module")
def sparse(tmp_path_factory):
    """A file of holes with two strides of more than 2^31 bytes in it."""
    if sys.platform == "win32":
        pytest.skip("files have no holes here unless asked for")
    if sys.maxsize < 1 << 32:
        pytest.skip("there are no such strides in 32 bits")
    stride = (1 << 31) + 4096
    with open(tmp_path_factory.mktemp("sparse") / "holes", "w+b") as file:
        file.truncate(2 * stride + 4096)
        yield mmap.mmap(file.fileno(), 0), stride


def test_huge_strides(f, dtype, sparse):
    memory_map, stride = sparse
    x = operands(f.nin, dtype, 3)
    want = call(f, *x)

    def far_apart(i):
        return np.ndarray(3, dtype, memory_map, offset=8 * i, strides=stride)

    far = [far_apart(i) for i in range(f.nin)]
    for view, a in zip(far, x, strict=True):
        view[:] = a
    out = tuple(far_apart(f.nin + i) for i in range(f.nout))
    assert_same(call(f, *far), want)
    f(*x, out=out)
    assert_same(out, want)
    f(*(a[::-1] for a in far), out=out)
    assert_same(out, [y[::-1] for y in want])


@pytest.mark.skipif(not memory.CAN_ALIAS, reason="needs 64-bit Linux")
@pytest.mark.parametrize(("name", "step"), [("gelu", 1), ("gelu", -1), ("swiglu", 1)])
def test_more_than_2_to_the_31_elements(name, step):
    f, dtype = getattr(fastgelu, name), np.dtype(np.float16)
    vast = [memory.Vast(2 * ((1 << 31) + 1000)) for _ in range(f.nin + 1)]
    try:
        for j, x in enumerate(vast[:-1]):
            for k, part in enumerate(x.parts(dtype)):
                part[:] = interval(-8 + j, 8 - k, part.size, dtype)
        inputs = [v.array(dtype)[::step] for v in vast[:-1]]
        assert inputs[0].size > 1 << 31
        f(*inputs, out=vast[-1].array(dtype))
        got = vast[-1].parts(dtype)
        parts = [v.parts(dtype)[::step] for v in vast[:-1]]
        for g, *x in zip(got, *parts, strict=True):
            assert_same([g], call(f, *(a[::step] for a in x)))
    finally:
        for v in vast:
            v.close()


@pytest.fixture(scope="module")
def guarded():
    """Memory for as many operands as there may be, each between inaccessible pages."""
    if not memory.CAN_PROTECT:
        pytest.skip("needs mprotect")
    return [memory.Guarded() for _ in range(5)]


def test_stays_inside_its_arrays(f, dtype, guarded):
    x = operands(f.nin, dtype, 200)
    for n in [*range(18), 31, 32, 33, 63, 64, 65, 100, 129]:
        want = call(f, *(a[:n] for a in x))
        for at_end, step in itertools.product((False, True), (1, -1, 3, -2)):
            inputs = [g.place(n, dtype, step, at_end) for g in guarded[: f.nin]]
            for view, a in zip(inputs, x, strict=True):
                view[:] = a[:n]
            out = tuple(g.place(n, dtype, step, at_end) for g in guarded[f.nin : f.nargs])
            f(*inputs, out=out)
            assert_same(out, want)
            assert_same(call(f, *inputs), want)


# ---- out, where -------------------------------------------------------------------------------


def test_out(f, dtype):
    x = operands(f.nin, dtype)
    want = call(f, *x)
    out = outputs(f, dtype, 61)
    for way in (
        lambda: call(f, *x, *out),
        lambda: call(f, *x, out=out),
        lambda: call(f, *x, out=out if f.nout > 1 else out[0]),
    ):
        assert all(r is o for r, o in zip(way(), out, strict=True))
        assert_same(out, want)
        for o in out:
            o[:] = 0
    if f.nout > 1:  # some may be given, the others made
        y = f(*x, out=(None, out[1]))
        assert y[1] is out[1]
        assert_same(y, want)
    for o in out:
        o.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        f(*x, out=out)
    with pytest.raises(TypeError, match="return arrays must be of ArrayType"):
        f(*x, out=([],) * f.nout)


def test_in_place(f, dtype):
    for n in (1, 7, 16, 33, 130, 1000):
        for view in (slice(None), slice(None, None, -2)):
            want = call(f, *(a[view].copy() for a in operands(f.nin, dtype, n)))
            for chosen in itertools.permutations(range(f.nin), min(f.nout, f.nin)):
                x = [a[view] for a in operands(f.nin, dtype, n)]
                out = [x[i] for i in chosen]
                out += outputs(f, dtype, out[0].shape)[len(out) :]
                f(*x, out=tuple(out))
                assert_same(out, want)


OVERLAPS = [
    (lambda x, s: x[s:], lambda x, s: x[:-s]),
    (lambda x, s: x[:-s], lambda x, s: x[s:]),
    (lambda x, s: x[s:][::-1], lambda x, s: x[:-s][::-1]),
    (lambda x, s: x[:-s][::-1], lambda x, s: x[s:][::-1]),
    (lambda x, s: x[::-1], lambda x, s: x),
    (lambda x, s: x[s : s + 300 : 2], lambda x, s: x[:150]),
    (lambda x, s: x[s : s + 150], lambda x, s: x[:300:2]),
    (lambda x, s: x[s : s + 1], lambda x, s: x),
]


def test_overlapping_input_and_output(f, dtype):
    # NumPy copies where it must, but lets an input that runs ahead of the output through.
    for shift, (source, target) in itertools.product((1, 2, 3, 8, 15, 17, 40), OVERLAPS):
        for i, o in itertools.product(range(f.nin), range(f.nout)):
            x = operands(f.nin, dtype, 350)
            shared = x[i]
            x = [source(a, shift) if j == i else source(a, shift).copy() for j, a in enumerate(x)]
            want = call(f, *(a.copy() for a in x))
            shape = target(shared, shift).shape
            out = list(outputs(f, dtype, shape))
            out[o] = target(shared, shift)
            f(*x, out=tuple(out))
            assert_same(out, [np.ascontiguousarray(np.broadcast_to(w, shape)) for w in want])


def test_where(f, dtype):
    x = operands(f.nin, dtype, (6, 11))
    want = call(f, *x)
    for chosen in (np.arange(66).reshape(6, 11) % 3 == 0, np.arange(11) > 4, True, False):
        out = tuple(np.full((6, 11), 7, dtype) for _ in want)
        f(*x, out=out, where=chosen)
        assert_same(out, [np.where(chosen, w, dtype.type(7)) for w in want])


# ---- methods ----------------------------------------------------------------------------------


def test_at(f, dtype):
    chosen = [1, 3, 5, 3, -1]  # the fourth element twice: once after the other
    x = operands(f.nin, dtype, 20)
    if f.nin > 2:
        with pytest.raises(ValueError, match="unary and binary"):
            f.at(x[0], chosen, *(a[:5] for a in x[1:]))
        return
    want = x[0].copy()
    for k, i in enumerate(chosen):
        (want[i],) = call(f, want[i], *(a[k] for a in x[1:]))
    f.at(x[0], chosen, *(a[:5] for a in x[1:]))
    assert_same([x[0]], [want])


def test_outer_reduce_accumulate_reduceat(f, dtype):
    x = operands(1, dtype, (7, 12))[0]
    if f.nin != 2:  # as for every such ufunc
        for method in (f.reduce, f.accumulate, f.outer, lambda x: f.reduceat(x, [0])):
            with pytest.raises(ValueError, match="only supported for binary functions"):
                method(x)
        return
    accumulated = x.copy()
    for i in range(1, 7):
        accumulated[i] = f(accumulated[i - 1], x[i])
    assert_same([f.accumulate(x)], [accumulated])
    assert_same([f.accumulate(x[:, ::-2].T, axis=1)], [accumulated[:, ::-2].T])
    assert_same([f.reduce(x), f.reduce(x.T, axis=-1)], [accumulated[-1]] * 2)
    assert_same([f.reduceat(x, [0, 2])], [np.array([f.reduce(x[:2]), f.reduce(x[2:])])])
    assert_same([f.reduce(x[:, 0])], [accumulated[-1, 0]])
    assert_same([f.outer(x[0], x[1])], [f(x[0][:, None], x[1])])
    with pytest.raises(ValueError, match="no identity"):
        f.reduce(x[:0])


# ---- other array types ------------------------------------------------------------------------


class Tagged(np.ndarray):
    """A subclass that carries a tag along."""

    def __array_finalize__(self, other):
        self.tag = getattr(other, "tag", None)


def test_subclass(f, dtype):
    x = [a.view(Tagged) for a in operands(f.nin, dtype)]
    for a in x:
        a.tag = "metres"
    y = call(f, *x)
    assert all((type(r), r.tag) == (Tagged, "metres") for r in y)
    assert all(type(r) is np.ndarray for r in call(f, *x, subok=False))
    assert_same(y, expected(f, *x))


def test_array_ufunc_override(f):
    class Other:
        def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
            return ufunc, method, len(inputs), kwargs

    for i in range(f.nin):
        x = [1.0] * f.nin
        x[i] = Other()
        assert f(*x, where=[True])[:3] == (f, "__call__", f.nin)
    if f.nin == 2:
        assert f.reduce(Other(), axis=0) == (f, "reduce", 1, {"axis": 0})
    Other.__array_ufunc__ = None
    with pytest.raises(TypeError, match="does not support ufuncs"):
        f(*x)


def test_masked_array(f, dtype):
    x = [np.linspace(0.5, 2.5, 5).astype(dtype) + dtype.type(j) for j in range(f.nin)]
    masks = [np.arange(5) == j for j in range(f.nin)]
    y = call(f, *(np.ma.array(a, mask=m) for a, m in zip(x, masks, strict=True)))
    for got, want in zip(y, call(f, *x), strict=True):
        assert isinstance(got, np.ma.MaskedArray)
        assert list(np.ma.getmaskarray(got)) == list(np.logical_or.reduce(masks))
        assert np.array_equal(got.compressed(), want[f.nin :])


def test_threads_agree(f, dtype):
    # The inner loops run without the GIL and share nothing.
    x = operands(f.nin, dtype, 20_000)
    want = call(f, *x)
    with ThreadPoolExecutor(3) as pool:
        for y in pool.map(lambda _: call(f, *x), range(6)):
            assert_same(y, want)
