"""No illegal instruction on any CPU of the architecture, by construction: the machine code of the
installed module is disassembled, and what it holds is looked at function by function.

What a function may use follows from the source file it comes from, which the linker notes for every
local symbol.  The judge is the assembler: told to know some extensions alone, it is given back what
was disassembled, and rejects all the rest.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import fastgelu

pytestmark = [
    pytest.mark.build,
    pytest.mark.subprocess,
    pytest.mark.skipif(
        not sys.platform.startswith("linux") or not shutil.which("objdump"),
        reason="reads ELF files with GNU objdump and as",
    ),
]

# What the x86-64 baseline may be exceeded by, by source file.  cpu.c asks for the state of the wide
# registers, once CPUID said that it may.
ALLOWED = {
    "cpu.c": "xsave",
    "target_avx2.c": "avx2+fma+f16c",
    "target_avx512.c": "avx2+fma+f16c+avx512f+avx512bw+avx512dq+avx512vl",
}


def run(*command, **options):
    return subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False, **options
    )


def functions(module):
    """The functions of a module: {address: (name, source file or None, binding)}.

    None stands for symbols that were not local to a file: the linker does not note which one they
    come from, and may have picked one copy of several.
    """
    found, file = {}, None
    table = run("readelf", "-sW", module).stdout
    for line in table[table.rindex("'.symtab'") :].splitlines() if "'.symtab'" in table else []:
        words = line.split()
        if len(words) < 7 or words[3] not in ("FILE", "FUNC") or words[6] == "UND":
            continue
        if words[3] == "FILE":
            file = words[7] if len(words) > 7 else None
            continue
        name, binding = words[7], words[4]
        known = found.get(int(words[1], 16))
        # Of several names at one address the local one tells the file.
        if known is None or known[1] is None:
            local = binding == "LOCAL" and words[5] == "DEFAULT"
            found[int(words[1], 16)] = (name, file if local else None, binding)
    return found


def disassembled(module):
    """Of all executable sections: (address, instruction) pairs."""
    listing = run("objdump", "-d", "--no-show-raw-insn", module)
    assert listing.returncode == 0, listing.stderr
    for line in listing.stdout.splitlines():
        match = re.match(r"\s*([0-9a-f]+):\t(.*)", line)
        if match:
            yield int(match[1], 16), match[2].split("#")[0].strip()


def rejected(instructions, extensions, scratch):
    """Which of the instructions an assembler for x86-64 and these extensions does not know."""
    lines = []
    for text in instructions:
        # Padding, and the mark of a jump's target: old CPUs pass over both.
        text = re.sub(r"^((data16|cs) )*nop.*|^endbr64$", "nop", text)
        # A target is a number here and would be the address of a symbol: any will do.
        text = re.sub(
            r"^((?:bnd |notrack )?(?:j\w+|call\w*|loop\w*|xbegin))\s+[0-9a-f]+( <.*>)?$",
            r"\1 .",
            text,
        )
        # gcc writes `rep bsf`, for which old CPUs run bsf: the same result where it is used.
        lines.append(re.sub(r"^tzcnt[lq]?\b", "bsf", text))
    source = scratch / "again.s"
    source.write_text("\n".join(lines) + "\n")
    march = "+".join(["-march=generic64", extensions]) if extensions else "-march=generic64"
    done = run("as", march, source, "-o", scratch / "again.o")
    wrong = {int(n) for n in re.findall(r"again\.s:(\d+): Error", done.stderr)}
    assert done.returncode == 0 or wrong, done.stderr
    return {text for n, text in enumerate(instructions, 1) if n in wrong}


def faults(module, scratch):
    """Sentences, one for each function that may not be what it is."""
    symbols = functions(module)
    assert symbols, f"{module} is stripped: whose function is an instruction?"
    starts = sorted(symbols)
    by_file, owner, i = {}, None, 0
    for address, text in disassembled(module):
        while i < len(starts) and starts[i] <= address:
            owner = symbols[starts[i]]
            i += 1
        by_file.setdefault(owner[1] if owner else None, {}).setdefault(text, owner)
    found = []
    for file, instructions in by_file.items():
        bad = rejected(list(instructions), ALLOWED.get(file, ""), scratch)
        for text in bad:
            owner = instructions[text]
            found.append(f"{text!r} in {owner[0] if owner else 'no function'} of {file}")
    return found, {file: len(instructions) for file, instructions in by_file.items()}


def initialisers(module):
    """The source files of what runs when the module is loaded."""
    symbols = functions(module)
    sections = run("readelf", "-SW", module).stdout
    relocations = run("readelf", "-rW", module).stdout
    files = set()
    for name, start, size in re.findall(
        r"\] (\.init_array|\.preinit_array|\.ctors)\s+\S+\s+([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+)",
        sections,
    ):
        first, end = int(start, 16), int(start, 16) + int(size, 16)
        for line in relocations.splitlines():
            match = re.match(r"([0-9a-f]+)\s+[0-9a-f]+ R_\w+RELATIVE\S*\s+([0-9a-f]+)", line)
            if match and first <= int(match[1], 16) < end:
                files.add(symbols.get(int(match[2], 16), (name, name, ""))[1])
    return files


MODULE = Path(fastgelu._fastgelu.__file__)
x86 = pytest.mark.skipif(
    "sse2" not in fastgelu.runtime_info()["isas_compiled"],
    reason="x86-64 has several sets to choose from",
)


@x86
def test_wide_instructions_only_in_their_target(tmp_path):
    found, counts = faults(MODULE, tmp_path)
    assert found == []
    # All were looked at, and the assembler judges: without the permission they are rejected.
    assert min(counts[file] for file in ("target_scalar.c", "target_sse2.c", *ALLOWED)) > 10
    symbols = functions(MODULE)
    for file in ("target_avx2.c", "target_avx512.c"):
        assert sum(owner[1] == file for owner in symbols.values()) > 10


def test_nothing_of_ours_runs_when_the_module_is_loaded():
    assert initialisers(MODULE) <= {"crtstuff.c", None}


BAD = {
    # A function that the linker may take for all copies of it.
    "weak": (
        "target_avx2.c",
        '__attribute__((weak, target("avx2"))) void f(float *p) { V(a); V(b); *(v8 *)p = a * b; }',
    ),
    # The right function of the wrong file.
    "file": (
        "loops.c",
        '__attribute__((target("avx2"), noinline)) static void g(float *p)'
        "{ *(v8 *)p *= *(v8 *)p; } void f(float *p) { g(p); }",
    ),
    # More than the target asks of a CPU.
    "bmi": (
        "target_avx2.c",
        '__attribute__((target("avx2,bmi2"), noinline)) static long g(long a, long b)'
        "{ return a << b; }"
        "long f(long a, long b) { return g(a, b); }",
    ),
    "avx512": (
        "target_avx2.c",
        '__attribute__((target("avx512f"), noinline)) static void g(float *p)'
        "{ *(v16 *)p *= *(v16 *)p; } void f(float *p) { g(p); }",
    ),
    "vnni": (
        "target_avx512.c",
        '__attribute__((target("avx512f,avx512vnni"), noinline)) static void g(__m512i *p)'
        "{ *p = _mm512_dpbusd_epi32(*p, *p, *p); } void f(__m512i *p) { g(p); }",
    ),
    # Registers that are narrow, in an encoding that is not.
    "vex": (
        "loops.c",
        '__attribute__((target("avx"), noinline)) static float g(float a, float b)'
        "{ return a * b; } float f(float a, float b) { return g(a, b) + 1; }",
    ),
    "sse4": (
        "target_sse2.c",
        '__attribute__((target("sse4.1"), noinline)) static __m128 g(__m128 a)'
        "{ return _mm_floor_ps(a); } __m128 f(__m128 a) { return g(a); }",
    ),
}
GOOD = (
    "target_avx2.c",
    '__attribute__((target("avx2,fma"), noinline)) static void g(float *p)'
    "{ *(v8 *)p = *(v8 *)p * 3 + 1; } void f(float *p) { g(p); }",
)
HEAD = """#include <immintrin.h>
typedef float v8 __attribute__((vector_size(32), aligned(4)));
typedef float v16 __attribute__((vector_size(64), aligned(4)));
#define V(a) v8 a = *(v8 *)p
"""


def compiled(directory, file, code):
    source = directory / file
    source.write_text(HEAD + code)
    module = directory / "bad.so"
    done = run("gcc", "-w", "-O2", "-shared", "-fPIC", source, "-o", module)
    assert done.returncode == 0, done.stderr
    return module


@x86
@pytest.mark.skipif(not shutil.which("gcc"), reason="compiles with gcc what must be found")
@pytest.mark.parametrize("case", [None, *BAD])
def test_the_test(tmp_path, case):
    """What is bad is found, and what is good is not complained of."""
    found, _ = faults(compiled(tmp_path, *(BAD[case] if case else GOOD)), tmp_path)
    assert bool(found) == bool(case), found


@x86
@pytest.mark.skipif(not shutil.which("gcc"), reason="compiles with gcc what must be found")
def test_the_test_of_what_runs_when_loaded(tmp_path):
    code = "static volatile int a; __attribute__((constructor)) static void g(void) { a = 1; }"
    assert "target_avx2.c" in initialisers(compiled(tmp_path, "target_avx2.c", code))


@x86
@pytest.mark.skipif(not shutil.which("strip"), reason="strips a module")
def test_a_stripped_module_does_not_pass(tmp_path):
    module = Path(shutil.copy(MODULE, tmp_path / "stripped.so"))
    assert run("strip", module).returncode == 0
    with pytest.raises(AssertionError, match="stripped"):
        faults(module, tmp_path)
