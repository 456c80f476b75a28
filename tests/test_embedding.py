"""The kernels called from elsewhere: C and C++ through what the package brings along, Cython,
Numba, cffi, ctypes and ONNX Runtime.  The results are those of the ufuncs, to the bit.
"""

import ctypes
import os
import platform
import re
import runpy
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from samples import bits, mixture

import fastgelu

ROOT = Path(__file__).resolve().parents[1]
CONSUMER = ROOT / "c" / "tests" / "consumer"
ONNXRUNTIME = ROOT / "examples" / "onnxruntime_custom_op"
CC = os.environ.get("CC", "cc")
CXX = os.environ.get("CXX", "c++")
FUNCTIONS = [*fastgelu._fastgelu.functions, *fastgelu._fastgelu.composites]
NUMBERS = {2: ctypes.c_uint16, 4: ctypes.c_float, 8: ctypes.c_double}  # by itemsize
DTYPES = [np.dtype(name) for name in ("float16", "float32", "float64")]

needs_compiler = pytest.mark.skipif(
    sys.platform == "win32" or shutil.which(CC) is None, reason="no Unix C compiler here"
)


def needs(package):
    """The package, or a skipped test."""
    return pytest.importorskip(package, reason=f"the package {package} is not installed")


def run(*command, **options):
    """Runs a command to its end and returns what it prints; fails with that if it fails."""
    result = subprocess.run(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        **options,
    )
    assert result.returncode == 0, f"{' '.join(map(str, command))}\n{result.stdout}"
    return result.stdout


def sample(n, dtype):
    """n floats of all kinds."""
    return np.resize(mixture(n, dtype), n)


def inputs_of(ufunc, dtype, n=1 << 12):
    """Different arrays for each input of a ufunc."""
    x = sample(n, dtype)
    return [np.roll(x, 7 * i) for i in range(ufunc.nin)]


def assert_same_bits(got, want, message=""):
    np.testing.assert_array_equal(bits(got), bits(want), err_msg=message)


def as_tuple(results):
    return results if isinstance(results, tuple) else (results,)


# ---- C and C++ -------------------------------------------------------------


def test_header_and_library_are_of_this_version():
    header = Path(fastgelu.get_include(), "fastgelu.h").read_text(encoding="utf-8")
    assert f'#define FASTGELU_VERSION "{fastgelu.__version__}"' in header
    assert any("fastgelu" in path.name for path in Path(fastgelu.get_library_dir()).iterdir())


@pytest.mark.subprocess
def test_pkgconf_finds_the_package(tmp_path):
    needs("pkgconf")
    pkgconf = [sys.executable, "-m", "pkgconf"]
    words = run(*pkgconf, "--cflags", "--libs", "fastgelu", cwd=tmp_path).split()
    paths = {word[:2]: Path(word[2:]).resolve() for word in words}
    assert paths.pop("-I") == Path(fastgelu.get_include()).resolve()
    assert paths.pop("-L") == Path(fastgelu.get_library_dir()).resolve()
    assert paths.pop("-l").name == "fastgelu"
    version = run(*pkgconf, "--modversion", "fastgelu", cwd=tmp_path).strip()
    assert version == fastgelu.__version__


@needs_compiler
@pytest.mark.subprocess
@pytest.mark.parametrize("language", ["c", "cpp"])
def test_consumer_in(language, tmp_path):
    """The program that tries the whole C API, against the installed package."""
    compiler, standard = (CC, "c11") if language == "c" else (CXX, "c++11")
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler} here")
    program = tmp_path / "consumer"
    command = [compiler, f"-std={standard}", "-pthread", CONSUMER / f"consumer.{language}"]
    command += [f"-I{fastgelu.get_include()}", f"-L{fastgelu.get_library_dir()}", "-lfastgelu"]
    if platform.machine() not in ("x86_64", "AMD64", "aarch64", "arm64"):
        command.append("-lm")
    run(*command, "-o", program)
    assert run(program).endswith(": ok\n")


# ---- addresses, by ctypes --------------------------------------------------


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_c_function(name, dtype):
    ufunc = getattr(fastgelu, name)
    pointer = ctypes.POINTER(NUMBERS[dtype.itemsize])
    inputs = inputs_of(ufunc, dtype)
    want = as_tuple(ufunc(*inputs))

    got = [np.empty_like(y) for y in want]
    arrays = [a.ctypes.data_as(pointer) for a in inputs + got]
    fastgelu.c_function(name, dtype)(len(inputs[0]), *arrays)
    for y, w in zip(got, want, strict=True):
        assert_same_bits(y, w, "span")

    # Every other element, the results in reverse.
    n = len(inputs[0]) // 2
    got = [np.empty_like(y[:n]) for y in want]
    arguments = []
    for a in inputs:
        arguments += [a.ctypes.data_as(pointer), 2 * a.itemsize]
    for y in got:
        arguments += [y[-1:].ctypes.data_as(pointer), -y.itemsize]
    fastgelu.c_function(name, dtype, "strided")(n, *arguments)
    for y, w in zip(got, want, strict=True):
        assert_same_bits(y[::-1], w[::2], "strided")

    if ufunc.nout > 1:
        with pytest.raises(ValueError, match="two results"):
            fastgelu.c_function(name, dtype, "scalar")
        return
    f = fastgelu.c_function(name, dtype, "scalar")
    got = []
    values = [a[:300].view(np.uint16) if dtype.itemsize == 2 else a[:300] for a in inputs]
    for numbers in zip(*values, strict=True):
        got.append(f(*[number.item() for number in numbers]))
    if dtype.itemsize == 2:
        got = np.array(got, np.uint16).view(dtype)
    else:
        got = np.array(got, dtype)
    finite = ~np.isnan(want[0][:300])  # a NaN's payload may get lost on its way through Python
    assert_same_bits(got[finite], want[0][:300][finite], "scalar")
    assert np.isnan(got[~finite]).all()


def test_an_address_is_stable_and_shared():
    address = fastgelu.c_address("gelu", np.float32)
    assert isinstance(address, int)
    assert fastgelu.c_address("gelu", "f4", form="span") == address
    function = fastgelu.c_function("gelu", np.float32)
    assert ctypes.cast(function, ctypes.c_void_p).value == address
    addresses = {fastgelu.c_address(name, dtype) for name in FUNCTIONS for dtype in DTYPES}
    assert len(addresses) == len(FUNCTIONS) * len(DTYPES)


def test_what_there_is_no_c_function_for():
    for name in "no_such_function", "swish", "activation", "":
        with pytest.raises(ValueError, match="no function is named"):
            fastgelu.c_address(name, np.float32)
    with pytest.raises(ValueError, match="form is one of 'span', 'strided', 'scalar', not 'x'"):
        fastgelu.c_address("gelu", np.float32, "x")
    with pytest.raises(ValueError, match="native byte order"):
        fastgelu.c_address("gelu", np.dtype(np.float32).newbyteorder())
    for dtype in np.int32, np.complex64, object:
        with pytest.raises(TypeError, match="no C function takes"):
            fastgelu.c_address("gelu", dtype)
    with pytest.raises(ctypes.ArgumentError):  # an array of the wrong type
        fastgelu.c_function("gelu", np.float32)(1, (ctypes.c_double * 1)(), (ctypes.c_double * 1)())


# ---- cffi ------------------------------------------------------------------


def test_cffi():
    ffi = needs("cffi").FFI()
    for dtype, number in (np.float32, "float"), (np.float64, "double"):
        span = ffi.cast(
            f"void (*)(size_t, const {number} *, const {number} *, {number} *)",
            fastgelu.c_address("swiglu", dtype),
        )
        gate, up = inputs_of(fastgelu.swiglu, dtype)
        y = np.empty_like(gate)
        pointers = [ffi.from_buffer(f"{number} []", array) for array in (gate, up, y)]
        span(len(y), *pointers)
        assert_same_bits(y, fastgelu.swiglu(gate, up))

        scalar = ffi.cast(f"{number} (*)({number})", fastgelu.c_address("gelu", dtype, "scalar"))
        assert scalar(-5.5) == fastgelu.gelu(dtype(-5.5))


# ---- Numba -----------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_numba_spans(dtype):
    numba = needs("numba")
    gelu = fastgelu.c_function("gelu", dtype)
    geglu = fastgelu.c_function("geglu", dtype, "strided")
    backward = fastgelu.c_function("geglu_backward", dtype)

    @numba.njit(nogil=True, parallel=True)
    def rows(x, y):
        for i in numba.prange(len(x)):
            gelu(x.shape[1], x[i].ctypes, y[i].ctypes)

    @numba.njit
    def interleaved(packed, y):
        up, stride = packed[1:], 2 * packed.itemsize
        geglu(len(y), packed.ctypes, stride, up.ctypes, stride, y.ctypes, y.itemsize)

    @numba.njit
    def both(dy, gate, up, dgate, dup):
        backward(len(dy), dy.ctypes, gate.ctypes, up.ctypes, dgate.ctypes, dup.ctypes)

    x = sample(1 << 12, dtype).reshape(16, -1)
    y = np.empty_like(x)
    rows(x, y)
    assert_same_bits(y, fastgelu.gelu(x))

    packed, y = x.ravel(), np.empty(x.size // 2, dtype)
    interleaved(packed, y)
    assert_same_bits(y, fastgelu.geglu(packed[::2], packed[1::2]))

    arrays = inputs_of(fastgelu.geglu_backward, dtype)
    results = [np.empty_like(arrays[0]) for _ in range(2)]
    both(*arrays, *results)
    for got, want in zip(results, fastgelu.geglu_backward(*arrays), strict=True):
        assert_same_bits(got, want)

    other = np.float64 if dtype == np.float32 else np.float32
    with pytest.raises(numba.TypingError):  # an array of the wrong type is found out
        rows(np.zeros((2, 2), other), np.zeros((2, 2), other))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_numba_scalars(dtype):
    numba = needs("numba")
    kind = numba.from_dtype(np.dtype(dtype))
    silu = fastgelu.c_function("silu", dtype, "scalar")
    bias_gelu = fastgelu.c_function("bias_gelu", dtype, "scalar")

    @numba.vectorize([kind(kind, kind)], nopython=True)
    def mixed(x, bias):
        return bias_gelu(x, bias) - silu(x)

    @numba.njit
    def mean(x):
        total = 0.0
        for value in x:
            total += silu(value)
        return total / len(x)

    x = sample(1 << 12, dtype)
    x = np.resize(x[np.abs(x) < 1e4], (512, 4))
    bias = np.array([0, -1, 2, 0.5], dtype)
    want = fastgelu.bias_gelu(x, bias) - fastgelu.silu(x)
    assert_same_bits(mixed(x, bias), want)

    total = 0.0
    for value in fastgelu.silu(x.ravel()).tolist():
        total += value
    assert mean(x.ravel()) == total / x.size


def test_numba_by_the_names_of_cython():
    extending = needs("numba.extending")
    for name, form in ("gelu_f64", "span"), ("gelu_f64_strided", "strided"):
        address = extending.get_cython_function_address("fastgelu._fastgelu", name)
        assert address == fastgelu.c_address("gelu", np.float64, form)


def test_documented_python():
    """The Python of docs/embedding.md runs, from top to bottom."""
    for package in "numba", "cffi":
        needs(package)
    text = (ROOT / "docs" / "embedding.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    namespace = {}
    for block in blocks:
        exec(compile(block, "embedding.md", "exec"), namespace)
    assert_same_bits(namespace["x"], fastgelu.gelu(np.linspace(-3, 3, 5)))
    want = fastgelu.swiglu(np.float32([-1, 0, 1]), np.float32(2))
    assert list(namespace["y"]) == want.tolist()


# ---- Cython ----------------------------------------------------------------


def test_declarations_are_up_to_date():
    tool = runpy.run_path(str(ROOT / "tools" / "write_cython.py"))
    for path, text in tool["FILES"].items():
        assert path.read_text(encoding="utf-8") == text(), path.name
    package = Path(fastgelu.__file__).parent
    for name in "__init__.pxd", "_fastgelu.pxd":
        assert (package / name).is_file()
    header = (ROOT / "c" / "include" / "fastgelu.h").read_text(encoding="utf-8")
    of_arrays_and_numbers = re.findall(
        r"^FASTGELU_API [^;]*?fastgelu_(\w+_b?f\d\d\w*)\(", header, re.M
    )
    exported = fastgelu._fastgelu.__pyx_capi__
    assert sorted(of_arrays_and_numbers) == sorted(exported)
    assert len(exported) > 250


@pytest.fixture(scope="module")
def cython_consumer(tmp_path_factory):
    """tests/cython_consumer, built in a process of its own, and imported."""
    needs("Cython")
    needs("setuptools")
    folder = tmp_path_factory.mktemp("cython")
    for path in (ROOT / "tests" / "cython_consumer").iterdir():
        shutil.copy(path, folder)
    run(sys.executable, "setup.py", "build_ext", "--inplace", cwd=folder)
    sys.path.insert(0, str(folder))
    try:
        import cython_consumer
    finally:
        sys.path.remove(str(folder))
    return cython_consumer


@needs_compiler
@pytest.mark.subprocess
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_cython(cython_consumer, dtype):
    x = sample(1 << 12, dtype)
    y = np.empty_like(x)
    cython_consumer.gelu(x, y)
    assert_same_bits(y, fastgelu.gelu(x))

    x = x[np.abs(x) < 1e4]
    total = 0.0
    for value in fastgelu.silu(x).tolist():
        total += value
    assert cython_consumer.sum_of_silu(x) == total

    packed = np.concatenate([x, x[::-1]])
    y = np.empty_like(x)
    cython_consumer.interleaved_geglu(packed, y)
    assert_same_bits(y, fastgelu.geglu(packed[::2], packed[1::2]))


@needs_compiler
@pytest.mark.subprocess
def test_cython_from_several_threads(cython_consumer):
    """Without the GIL, on pieces of one array."""
    x = sample(1 << 16, np.float32)
    y = np.empty_like(x)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(cython_consumer.gelu, np.split(x, 16), np.split(y, 16)))
    assert_same_bits(y, fastgelu.gelu(x))


@needs_compiler
@pytest.mark.subprocess
def test_cython_module_is_abi3_and_has_no_copy(cython_consumer):
    path = Path(cython_consumer.__file__)
    if hasattr(sys, "_is_gil_enabled") and not sys._is_gil_enabled():
        pytest.skip("free-threaded Python has no stable ABI")
    assert ".abi3." in path.name
    # The table of the smallest kernel alone would be in there 32 bytes a row; its points are rare.
    table = (ROOT / "c" / "src" / "tables" / "table_f64_gelu.h").read_text(encoding="utf-8")
    number = float.fromhex(re.search(r"-?0x1\.[0-9a-f]{12,13}p[-+]?\d+", table)[0])
    pattern = np.float64(number).tobytes()
    assert pattern in Path(fastgelu._fastgelu.__file__).read_bytes()
    assert pattern not in path.read_bytes()


# ---- ONNX Runtime ----------------------------------------------------------


@pytest.fixture(scope="module")
def onnx_tools(tmp_path_factory):
    """The example's library, built as its Makefile does it, and compare.py as a namespace."""
    for package in "onnx", "onnxruntime", "pkgconf":
        needs(package)
    include = os.environ.get("ONNXRUNTIME_INCLUDE", "/usr/include/onnxruntime")
    if not Path(include, "onnxruntime_c_api.h").is_file():
        pytest.skip(f"the headers of ONNX Runtime are not in {include} (ONNXRUNTIME_INCLUDE)")
    if shutil.which("make") is None:
        pytest.skip("no make here")
    folder = tmp_path_factory.mktemp("onnxruntime")
    for path in "Makefile", "fastgelu_onnxruntime.c":
        shutil.copy(ONNXRUNTIME / path, folder)
    variables = [f"ONNXRUNTIME_INCLUDE={include}", f"PYTHON={sys.executable}", f"CC={CC}"]
    run("make", "-C", folder, *variables, "CFLAGS=-std=c11 -O2 -Wall -Wextra -Werror")
    tools = runpy.run_path(str(ONNXRUNTIME / "compare.py"))
    library = folder / "libfastgelu_onnxruntime.so"

    def session(nodes, inputs, threads=1):
        from onnx import helper

        dtype = helper.np_dtype_to_tensor_dtype(inputs["x"].dtype)
        return tools["session"](nodes, inputs, library, threads, dtype)

    return session, tools


@needs_compiler
@pytest.mark.subprocess
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("threads", [1, 2])
def test_onnxruntime_operators(onnx_tools, capfd, dtype, threads):
    session, tools = onnx_tools
    # More than a chunk, so that threads share it, in rows that no chunk ends with.
    x, other = inputs_of(fastgelu.geglu, dtype, 50 * 1013)
    x, other = x.reshape(2, 25, 1013), other.reshape(2, 25, 1013)
    for name, nodes, _, ufunc in tools["OPERATORS"]:
        feed = {"x": x}
        if ufunc.nin == 2:
            feed["other"] = other[0, 0] if name == "BiasGelu" else other
        for part in slice(None), slice(0, 1), slice(0, 0):
            cut = {key: a if a.ndim == 1 else a[part] for key, a in feed.items()}
            y = session(nodes, cut, threads).run(None, cut)[0]
            assert y.dtype == dtype
            assert_same_bits(y, ufunc(*cut.values()), name)
    assert capfd.readouterr().err == ""  # no word about shapes


@needs_compiler
@pytest.mark.subprocess
def test_onnxruntime_model(onnx_tools):
    """A feed-forward block, whose intermediate arrays are used in place."""
    session, _ = onnx_tools
    rng = np.random.default_rng(7)
    feed = {
        "x": rng.normal(size=(3, 40, 64)).astype(np.float32),
        "w1": rng.normal(size=(64, 256)).astype(np.float32),
        "b1": rng.normal(size=256).astype(np.float32),
        "w2": rng.normal(size=(256, 64)).astype(np.float32),
    }
    block = [
        ("MatMul", "", ["x", "w1"], "h", {}),
        ("BiasGelu", "fastgelu", ["h", "b1"], "a", {}),
        ("QuickGelu", "fastgelu", ["a"], "b", {}),
        ("SwiGLU", "fastgelu", ["b", "b"], "c", {}),
        ("MatMul", "", ["c", "w2"], "y", {}),
    ]
    y = session(block, feed).run(None, feed)[0]
    # The same products by the same runtime, the rest here.
    first = session([("MatMul", "", ["x", "w1"], "y", {})], {k: feed[k] for k in ("x", "w1")})
    h = first.run(None, {k: feed[k] for k in ("x", "w1")})[0]
    b = fastgelu.quick_gelu(fastgelu.bias_gelu(h, feed["b1"]))
    feed2 = {"x": fastgelu.swiglu(b, b), "w2": feed["w2"]}
    second = session([("MatMul", "", ["x", "w2"], "y", {})], feed2)
    assert_same_bits(y, second.run(None, feed2)[0])


@needs_compiler
@pytest.mark.subprocess
def test_onnxruntime_refuses(onnx_tools):
    session, tools = onnx_tools
    one = tools["one"]
    x = np.zeros((4, 6), np.float32)
    for form in "sigmoid", "something_longer":
        with pytest.raises(Exception, match='approximate is "none" or "tanh"'):
            session(one("Gelu", "fastgelu", "x", approximate=form), {"x": x})
    for name, message, others in (
        ("BiasGelu", "bias is as long as the last axis", (x[0, :5], x[0, :1], x)),
        ("SwiGLU", "gate and up have the same shape", (x[:3], x.T, x[0])),
    ):
        for other in others:
            feed = {"x": x, "other": np.ascontiguousarray(other)}
            with pytest.raises(Exception, match=message):
                session(one(name, "fastgelu", "x", "other"), feed).run(None, feed)
    integers = {"x": x.astype(np.int32)}
    with pytest.raises(Exception, match="Gelu"):
        session(one("Gelu", "fastgelu", "x"), integers)


@needs_compiler
@pytest.mark.subprocess
@pytest.mark.timing
def test_onnxruntime_is_not_slower_than_its_own_gelu(onnx_tools):
    session, tools = onnx_tools
    feed = {"x": np.random.default_rng(1).normal(0, 1.5, (256, 1024)).astype(np.float32)}
    for name, ours, own, _ in tools["OPERATORS"][:2]:
        ratios = []
        for _ in range(5):
            fast, slow = tools["median_times"]([session(ours, feed), session(own, feed)], feed)
            ratios.append(slow / fast)
        assert max(ratios) > 1, f"{name}: {ratios}"
