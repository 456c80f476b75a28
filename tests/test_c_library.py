"""The C library on its own: built by CMake, installed, used from C and C++, on two processors.

What a consumer does is in c/tests/consumer; this file builds it in the ways that docs/c-api.md
describes.
"""

import ctypes
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from samples import SIXTEEN_BITS, bits, mixture

import fastgelu

ROOT = Path(__file__).resolve().parents[1]
C = ROOT / "c"
CONSUMER = C / "tests" / "consumer"
HEADER = (C / "include" / "fastgelu.h").read_text(encoding="utf-8")
CC = os.environ.get("CC", "cc")
CXX = os.environ.get("CXX", "c++")
ARM = "aarch64-linux-gnu-gcc"
DTYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
if len(SIXTEEN_BITS) > 1:
    DTYPES["bf16"] = SIXTEEN_BITS[1]

pytestmark = [
    pytest.mark.build,
    pytest.mark.subprocess,
    pytest.mark.skipif(sys.platform != "linux", reason="the build is tested on Linux"),
]


def needs(*programs):
    """Skips a test where a program is missing."""
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"no {program} here")


def run(*command, **environment):
    """Runs a command to its end and returns what it prints; fails with that if it fails."""
    result = subprocess.run(
        [str(word) for word in command],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert result.returncode == 0, f"{' '.join(map(str, command))}\n{result.stdout}"
    return result.stdout


def build(folder, source, *options):
    """Configures and builds a CMake project."""
    run("cmake", "-S", source, "-B", folder, *options)
    run("cmake", "--build", folder, "--parallel")
    return folder


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    """The library, installed.  The prefix is named only then: what lies there is relocatable."""
    needs("cmake", "make", CC)
    folder = tmp_path_factory.mktemp("release")
    build(folder / "build", C, "-DCMAKE_INSTALL_LIBDIR=lib")
    run("cmake", "--install", folder / "build", "--prefix", folder / "prefix")
    return folder / "prefix"


@pytest.fixture(scope="module")
def debug_library(tmp_path_factory):
    needs("cmake", "make", CC)
    folder = tmp_path_factory.mktemp("debug")
    build(folder, C, "-DCMAKE_BUILD_TYPE=Debug", "-DFASTGELU_SHARED=OFF")
    return folder / "libfastgelu.a"


def flags(prefix, *options):
    """What pkg-config says of the installed library."""
    needs("pkg-config")
    path = str(prefix / "lib" / "pkgconfig")
    return run("pkg-config", *options, "fastgelu", PKG_CONFIG_PATH=path).split()


def digests(output):
    """The lines of a consumer's output that must be the same on every machine."""
    lines = re.findall(r"^\w+ +b?f\d\d +[0-9a-f]{16}$", output, re.MULTILINE)
    assert len(lines) >= 4 * len(fastgelu._fastgelu.functions)
    return lines


@pytest.fixture(scope="module")
def consume(prefix, tmp_path_factory):
    """The C consumer, built through pkg-config against the shared library: runs and prints."""
    program = tmp_path_factory.mktemp("consumer") / "consumer"
    options = flags(prefix, "--cflags", "--libs")
    run(CC, "-std=c11", CONSUMER / "consumer.c", *options, "-o", program)
    path = str(prefix / "lib")
    return lambda **environment: run(program, LD_LIBRARY_PATH=path, **environment)


@pytest.fixture(scope="module")
def native_output(consume):
    return consume()


def test_header_is_up_to_date():
    tool = runpy.run_path(str(C / "tools" / "write_header.py"))
    assert tool["header"]() == HEADER


@pytest.fixture(scope="module")
def library_of_odd_flags(tmp_path_factory):
    """The shared library, built with flags for this processor and, when linking, some that would
    add crtfastmath.o."""
    needs("cmake", "make", CC)
    compile_flags, link_flags = "-march=native", "-ffast-math -funsafe-math-optimizations"
    folder = build(
        tmp_path_factory.mktemp("odd"),
        C,
        f"-DCMAKE_C_FLAGS={compile_flags}",
        f"-DCMAKE_SHARED_LINKER_FLAGS={link_flags}",
        "-DFASTGELU_STATIC=OFF",
    )
    return folder / "libfastgelu.so"


@pytest.mark.reported
def test_flags_of_this_processor_change_nothing(library_of_odd_flags, native_output, prefix):
    program = library_of_odd_flags.with_name("consumer")
    options = flags(prefix, "--cflags"), [f"-L{library_of_odd_flags.parent}", "-lfastgelu"]
    run(CC, "-std=c11", CONSUMER / "consumer.c", *options[0], *options[1], "-o", program)
    output = run(program, LD_LIBRARY_PATH=str(library_of_odd_flags.parent))
    assert digests(output) == digests(native_output)


@pytest.mark.reported
def test_loading_the_library_leaves_subnormals(library_of_odd_flags):
    code = "import ctypes, sys; ctypes.CDLL(sys.argv[1]); print(5e-324 * float(sys.argv[2]))"
    assert run(sys.executable, "-c", code, library_of_odd_flags, "1") == "5e-324\n"


def test_one_version(native_output):
    assert f'#define FASTGELU_VERSION "{fastgelu.__version__}"' in HEADER
    assert native_output.startswith(
        f"fastgelu {fastgelu.__version__}, header {fastgelu.__version__}\n"
    )


def test_only_the_api_is_visible(prefix):
    needs("nm")
    lines = run("nm", "-D", "--defined-only", prefix / "lib" / "libfastgelu.so").splitlines()
    declared = re.findall(r"^FASTGELU_API .*?(fastgelu_\w+)\(", HEADER, re.MULTILINE)
    assert sorted(line.split()[-1] for line in lines) == sorted(declared)


def test_nothing_but_libc_is_loaded(prefix):
    needs("readelf")
    dynamic = run("readelf", "-d", prefix / "lib" / "libfastgelu.so")
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
    assert [name for name in needed if not name.startswith(("libc.", "ld-"))] == []
    assert re.search(r"\(SONAME\).*\[libfastgelu\.so\.0\]", dynamic)
    # One static constructor is the C runtime's own.
    assert int(re.search(r"\(INIT_ARRAYSZ\)\s+(\d+)", dynamic)[1]) == ctypes.sizeof(ctypes.c_void_p)


def test_c_by_pkg_config(native_output):
    assert native_output.endswith("consumer: ok\n")


def test_cpp_by_pkg_config(prefix, tmp_path):
    needs(CXX)
    program = tmp_path / "consumer"
    options = flags(prefix, "--cflags", "--libs")
    run(CXX, "-std=c++11", "-pthread", CONSUMER / "consumer.cpp", *options, "-o", program)
    assert run(program, LD_LIBRARY_PATH=str(prefix / "lib")).endswith(": ok\n")


def test_c_and_cpp_by_find_package(prefix, tmp_path, native_output):
    build(tmp_path, CONSUMER, f"-DCMAKE_PREFIX_PATH={prefix}")
    for program in "consumer_c", "consumer_c_static":
        assert run(tmp_path / program) == native_output
    if shutil.which(CXX):
        assert run(tmp_path / "consumer_cpp").endswith(": ok\n")


def test_environment_chooses_the_instruction_set(consume):
    for isa in fastgelu.runtime_info()["isas"]:
        assert f", first {isa}\n" in consume(FASTGELU_ISA=isa)
    for isa in "", "unknown":
        assert f", first {fastgelu._fastgelu.best_target}\n" in consume(FASTGELU_ISA=isa)


def test_python_and_c_give_the_same_bits(prefix):
    library = ctypes.CDLL(str(prefix / "lib" / "libfastgelu.so"))
    functions = re.findall(rf"void (fastgelu_(\w+)_({'|'.join(DTYPES)}))\(", HEADER)
    assert {name for _, name, _ in functions} >= set(fastgelu._fastgelu.functions)
    for symbol, name, dtype in functions:
        ufunc = getattr(fastgelu, name)
        x = mixture(1 << 14, DTYPES[dtype])
        inputs = [np.roll(x, 7 * i) for i in range(ufunc.nin)]
        results = [np.empty_like(x) for _ in range(ufunc.nout)]
        want = ufunc(*inputs)
        arrays = [ctypes.c_void_p(a.ctypes.data) for a in inputs + results]
        getattr(library, symbol)(ctypes.c_size_t(x.size), *arrays)
        for got, expected in zip(results, want if ufunc.nout > 1 else [want], strict=True):
            np.testing.assert_array_equal(bits(got), bits(expected), err_msg=symbol)


@pytest.mark.parametrize(
    "mistake",
    ["null", "null-result", "shifted", "reversed", "one-result", "broadcast", "crossing"],
)
def test_debug_build_asserts(debug_library, tmp_path, mistake):
    program = tmp_path / "misuse"
    include = f"-I{C / 'include'}"
    run(CC, "-std=c11", include, CONSUMER / "misuse.c", debug_library, "-o", program)
    run(program, "none")
    result = subprocess.run([program, mistake], stderr=subprocess.PIPE, text=True)
    assert result.returncode < 0
    assert "fastgelu: " in result.stderr


THREADS = """
import ctypes, sys, time, _ctypes
import numpy as np

library = ctypes.CDLL(sys.argv[1])
x = np.linspace(-20, 20, 200_001, dtype=np.float32)
results = np.zeros((2, x.size), np.float32)
counts = [library.fastgelu_get_num_threads()]
for n, y in zip((1, 2), results):
    assert library.fastgelu_set_num_threads(n) == 0
    counts.append(library.fastgelu_get_num_threads())
    library.fastgelu_gelu_f32(
        ctypes.c_size_t(x.size), ctypes.c_void_p(x.ctypes.data), ctypes.c_void_p(y.ctypes.data)
    )
assert [library.fastgelu_set_num_threads(n) for n in (0, -1, 1025)] == [-1, -1, -1]
assert results[0].tobytes() == results[1].tobytes()
_ctypes.dlclose(library._handle)  # the threads sleep in there
time.sleep(0.1)
print(*counts)
"""


def test_threads(prefix):
    library = prefix / "lib" / "libfastgelu.so"
    assert run(sys.executable, "-c", THREADS, library, FASTGELU_NUM_THREADS="3") == "3 1 2\n"
    assert run(sys.executable, "-c", THREADS, library, FASTGELU_NUM_THREADS="0") == "1 1 2\n"


def test_without_threads(tmp_path, native_output):
    needs("cmake", "make", CC, "nm", "pkg-config")
    build(tmp_path / "build", C, "-DFASTGELU_THREADS=OFF", "-DCMAKE_INSTALL_LIBDIR=lib")
    run("cmake", "--install", tmp_path / "build", "--prefix", tmp_path / "prefix")
    library = tmp_path / "prefix" / "lib" / "libfastgelu.so"
    assert "pthread" not in run("nm", "-D", library)
    assert "pthread" not in " ".join(flags(tmp_path / "prefix", "--static", "--libs"))
    assert run(sys.executable, "-c", THREADS, library, FASTGELU_NUM_THREADS="3") == "1 1 1\n"
    build(tmp_path / "consumer", CONSUMER, f"-DCMAKE_PREFIX_PATH={tmp_path / 'prefix'}")
    assert run(tmp_path / "consumer" / "consumer_c_static") == native_output


def test_debug_build_gives_the_same_bits(debug_library, tmp_path, native_output):
    program = tmp_path / "consumer"
    include = f"-I{C / 'include'}"
    run(CC, "-std=c11", include, CONSUMER / "consumer.c", debug_library, "-o", program)
    assert run(program) == native_output


def test_c_folder_builds_without_the_rest(tmp_path):
    """Configuring takes nothing from outside c/, and no compiler but that for C."""
    needs("cmake", "make", CC)
    for part in "CMakeLists.txt", "cmake", "include", "src":
        copy = shutil.copytree if (C / part).is_dir() else shutil.copy
        copy(C / part, tmp_path / part)
    run("cmake", "-S", tmp_path, "-B", tmp_path / "build", CXX="/nonexistent")
    version = re.search(
        r"CMAKE_PROJECT_VERSION:STATIC=(.*)", (tmp_path / "build/CMakeCache.txt").read_text()
    )
    assert version[1] == re.match(r"[\d.]*\d", fastgelu.__version__)[0]


def test_aarch64_gives_the_same_bits(tmp_path, native_output):
    needs("cmake", "make", ARM, "qemu-aarch64")
    options = [f"-DCMAKE_TOOLCHAIN_FILE={C / 'cmake' / 'aarch64-linux-gnu.cmake'}"]
    build(tmp_path / "build", C, *options, "-DCMAKE_INSTALL_LIBDIR=lib", "-DFASTGELU_SHARED=OFF")
    run("cmake", "--install", tmp_path / "build", "--prefix", tmp_path / "prefix")
    program = tmp_path / "consumer"
    options = flags(tmp_path / "prefix", "--static", "--cflags", "--libs")
    run(ARM, "-std=c11", "-static", CONSUMER / "consumer.c", *options, "-o", program)
    output = run("qemu-aarch64", "-cpu", "cortex-a72", program)
    assert "instruction sets: scalar neon, first neon\n" in output
    assert output.endswith("consumer: ok\n")
    assert digests(output) == digests(native_output)


def test_feed_forward_example(prefix, tmp_path):
    needs("pkg-config")
    for name in "Makefile", "ffn.c":
        shutil.copy(ROOT / "examples" / name, tmp_path)
    run("make", "-C", tmp_path, PKG_CONFIG_PATH=str(prefix / "lib" / "pkgconfig"))
    output = run(tmp_path / "ffn")
    error = re.search(r"largest difference from double: (\S+)", output)
    assert 0 < float(error[1]) < 1e-4


def test_documented_program(prefix, tmp_path):
    text = (ROOT / "docs" / "c-api.md").read_text(encoding="utf-8")
    source, printed = re.search(r"```c\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL).groups()
    (tmp_path / "program.c").write_text(source, encoding="utf-8")
    program = tmp_path / "program"
    options = flags(prefix, "--cflags", "--libs")
    run(CC, "-std=c11", tmp_path / "program.c", *options, "-o", program)
    assert run(program, LD_LIBRARY_PATH=str(prefix / "lib")) == printed
