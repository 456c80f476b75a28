"""Compiler flags that would change results: refused, or taken back where none can see them."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
COMPILERS = [cc for cc in ("gcc", "clang", "clang-19") if shutil.which(cc)]

pytestmark = [
    pytest.mark.subprocess,
    pytest.mark.skipif(sys.platform != "linux", reason="flags of GCC and clang"),
    pytest.mark.skipif(not COMPILERS, reason="no compiler here"),
]

# What each kind of flag turns into something else; volatile hides the values, not the operations.
WITNESS = r"""
#ifdef GUARDED
#include "compiler.h"
#endif
#include <stdio.h>
volatile float hidden[] = {1e30f, 5.0f, -0.0f, 1 + 0x1p-12f};
int main(void) {
    float a = hidden[0], b = hidden[1], c = hidden[2], u = hidden[3], nan = (a * a) * 0.0f;
    printf("%d %a %a %a %a %a\n", nan != nan, (double)((a + b) - a), (double)(b / 3.0f),
           (double)(c + 0.0f), 1.0 + 0x1p-40, (double)(u * u - 1.0f));
}
"""
RIGHT = "1 0x0p+0 0x1.aaaaaap+0 0x0p+0 0x1.0000000001p+0 0x1p-11\n"
CHANGING = [
    "-ffast-math",
    "-ffast-math -fno-finite-math-only",
    "-ffinite-math-only",
    "-freciprocal-math",
    "-fassociative-math -fno-signed-zeros -fno-trapping-math",
    "-funsafe-math-optimizations",
    "-fno-signed-zeros",
    "-fsingle-precision-constant",
]
HARMLESS = ["", "-march=native", "-fno-trapping-math", "-fno-math-errno", "-O3 -frounding-math"]
# Not shown by a macro, and taken back: by clang all but these two.
REFUSED_BY_CLANG = ["-ffast-math", "-ffinite-math-only"]


def run_witness(compiler, flags, folder):
    """What the witness prints; or None if it is refused, with what the compiler says."""
    source, program = folder / "witness.c", folder / "witness"
    source.write_text(WITNESS, encoding="utf-8")
    # No crtfastmath.o in the program: what is looked at is what the compiler made.
    link = ["-fno-fast-math", "-fno-unsafe-math-optimizations"]
    compiled = subprocess.run(
        [
            compiler,
            "-O2",
            *flags.split(),
            f"-I{ROOT / 'c' / 'src'}",
            "-c",
            source,
            "-o",
            f"{program}.o",
        ],
        capture_output=True,
        text=True,
    )
    if compiled.returncode:
        return None, compiled.stderr
    subprocess.run([compiler, *link, f"{program}.o", "-o", program], check=True)
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout, ""


@pytest.mark.reported
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("flags", CHANGING)
def test_flags_that_change_results(compiler, flags, tmp_path):
    printed, message = run_witness(compiler, f"{flags} -DGUARDED", tmp_path)
    if "clang" in compiler and flags not in REFUSED_BY_CLANG:
        assert printed == RIGHT
    else:
        assert printed is None
        assert "fastgelu must not be compiled with" in message


@pytest.mark.reported
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("flags", CHANGING)
def test_the_witness_sees_them(compiler, flags, tmp_path):
    if "clang" in compiler and flags in ("-fsingle-precision-constant", "-freciprocal-math"):
        pytest.skip("clang does not know the one, and divides by constants in spite of the other")
    assert run_witness(compiler, flags, tmp_path)[0] != RIGHT


@pytest.mark.reported
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("flags", HARMLESS)
def test_harmless_flags_are_accepted(compiler, flags, tmp_path):
    assert run_witness(compiler, f"{flags} -DGUARDED", tmp_path) == (RIGHT, "")


@pytest.mark.reported
@pytest.mark.parametrize("compiler", COMPILERS)
def test_contraction_is_taken_back(compiler, tmp_path):
    flags = "-march=native -ffp-contract=fast"
    if run_witness(compiler, flags, tmp_path)[0] == RIGHT:
        pytest.skip("this processor has no fused multiply-add")
    if "clang" in compiler:  # it does not listen to its pragma then: the builds put this last
        flags += " -ffp-contract=off"
    assert run_witness(compiler, f"{flags} -DGUARDED", tmp_path)[0] == RIGHT


@pytest.mark.reported
@pytest.mark.skipif(shutil.which(ARM := "aarch64-linux-gnu-gcc") is None, reason=f"no {ARM}")
@pytest.mark.parametrize("cpu", ["cortex-a76", "cortex-a78ae", "neoverse-n1"])
def test_float16_arithmetic_is_no_reason_to_refuse(cpu, tmp_path):
    source = ROOT / "c" / "src" / "dispatch.c"
    subprocess.run(
        [ARM, f"-mcpu={cpu}", "-O1", "-c", source, "-o", tmp_path / "dispatch.o"], check=True
    )
