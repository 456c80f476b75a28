"""Writes c/include/fastgelu.h, the public C API, from c/src/functions.def.

python c/tools/write_header.py            writes the file
python c/tools/write_header.py --check    fails if the file is not what would be written

The version is that of src/fastgelu/_version.py, where a release changes it.
"""

import argparse
import ast
import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEF = ROOT / "c" / "src" / "functions.def"
VERSION = ROOT / "src" / "fastgelu" / "_version.py"
HEADER = ROOT / "c" / "include" / "fastgelu.h"

# The columns of each kind of row; functions.def says what they mean.
COLUMNS = {
    "FASTGELU_FUNCTION": "name form summary formula left ulp32 at32 bound64 seen64 at64 source",
    "FASTGELU_COMPOSITE": "name operation f g arguments results summary formula error error16 "
    "source",
    "FASTGELU_INTERNAL": "name form",
}
TYPES = {"f16": "uint16_t", "f32": "float", "f64": "double", "bf16": "uint16_t"}
WIDTH = 100

# What is true of every function of a form or operation, given its row.
SPECIAL = {
    "FORWARD": "{left} at -inf, inf at inf, x itself at +-0",
    "SIGMOID": "{left} at -inf, 1 at inf, 0.5 at +-0",
    "DERIVATIVE": "{left} at -inf, 1 at inf, 0.5 at +-0",
    "EVEN": "{left} at -inf and inf",
    "RELU": "0 at -inf and +-0, inf at inf",
    "RELU_GRAD": "0 at -inf and +-0, 1 at inf",
    "LEAKY_RELU": "negative_slope * x at -inf and +-0, inf at inf",
    "LEAKY_RELU_GRAD": "negative_slope at -inf and +-0, 1 at inf",
    "ELU": "-alpha at -inf, zero at +-0, inf at inf",
    "ELU_GRAD": "0 * alpha at -inf, alpha at +-0, 1 at inf",
    "BIAS": "those of {f}, at the sum; NaN where x and bias are opposite infinities",
    "BACKWARD": "those of {f}, times dy; NaN for infinity times zero",
    "GATE": "those of {f}, times up; NaN for infinity times zero",
    "GATE_BACKWARD": "those of {g} and {f}, times the others; NaN for infinity times zero",
}

HEAD = """\
/* fastgelu.h: the GELU family in C.  Written by c/tools/write_header.py.
 *
 *   void fastgelu_<function>_<type>(size_t n, inputs..., results...);
 *
 * computes n elements of contiguous arrays; <function>_<type>_strided takes the
 * distance of elements in bytes after each array: of any sign, and zero for an
 * input that is one number.  <function>_<type>_scalar takes and returns one
 * number; functions of two results have none.
 *
 *   f16   IEEE binary16 in a uint16_t
 *   f32   float
 *   f64   double
 *   bf16  bfloat16 in a uint16_t: the upper half of a float
 *
 * Arrays: a result may be an input itself (the same first element and stride);
 * other overlaps are mistakes.  n = 0 is fine, with NULL too.  Nothing else is
 * checked in a release build: NULL with n > 0 crashes, and a result that
 * overlaps otherwise is computed element by element, in order, from whatever
 * the inputs hold by then.  A build without NDEBUG asserts against both.
 * Any alignment will do.
 *
 * Results: one input has one result, to the bit, on every machine, at every
 * place of every array, whatever the caller's rounding and flush modes.  A NaN
 * gives the same NaN, quiet; of several the first counts.  No floating-point
 * flag is raised, and the caller's are kept.  Errors are in ULP, units in the
 * last place; that of a subnormal result is the smallest subnormal.  Decimals
 * and constants in formulas stand for the real numbers.
 *
 * Threads: every function may be called from any thread at any time.  Nothing
 * has to be initialised, nothing is allocated.  A call runs on the calling
 * thread alone unless fastgelu_set_num_threads() asks for more. */
#ifndef FASTGELU_H
#define FASTGELU_H

#include <stddef.h>
#include <stdint.h>

#define FASTGELU_VERSION "{version}"
#define FASTGELU_VERSION_MAJOR {major}
#define FASTGELU_VERSION_MINOR {minor}
#define FASTGELU_VERSION_PATCH {patch}

/* FASTGELU_BUILD_SHARED is for the build of the shared library alone. */
#if !defined(FASTGELU_BUILD_SHARED)
#define FASTGELU_API
#elif defined(_WIN32)
#define FASTGELU_API __declspec(dllexport)
#else
#define FASTGELU_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {{
#endif

/* The version of the library that runs; FASTGELU_VERSION is the header's. */
FASTGELU_API const char *fastgelu_version(void);

/* The instruction set in use: "avx512", "avx2", "sse2", "neon" or "scalar".
 * The first call chooses the one that the environment variable FASTGELU_ISA
 * names, if this machine has it, else the best. */
FASTGELU_API const char *fastgelu_isa(void);

/* Chooses an instruction set for all threads, whatever FASTGELU_ISA says; NULL
 * or "" is the best of this machine.  Returns 0, or -1 and changes nothing if
 * this machine or this build lacks it.  Results do not depend on it. */
FASTGELU_API int fastgelu_set_isa(const char *name);

/* How many threads a call may use, the calling one included: for the whole
 * process, from 1 to 1024.  At first it is 1, or such a number in the environment
 * variable FASTGELU_NUM_THREADS. */
FASTGELU_API int fastgelu_get_num_threads(void);

/* Sets it, at any time, from any thread.  Returns 0, or -1 and changes nothing if
 * n is not from 1 to 1024.  A call uses fewer threads where its arrays are small
 * or the calling thread may run on fewer CPUs, and none but its own while another
 * call uses them.  A library built without threads takes n and stays at 1.
 * Results do not depend on it. */
FASTGELU_API int fastgelu_set_num_threads(int n);

/* clang-format off */

"""

STRIDED = """\
/* ---- the same, strided: each array with the distance of its elements in bytes ---- */

"""

SCALAR = """\
/* ---- the same for one number; arrays are far faster by the functions above ---- */

"""

TAIL = """\
/* clang-format on */

#ifdef __cplusplus
}
#endif

#endif
"""


def rows():
    """The rows of functions.def as (macro, dict by column), in order."""
    text = re.sub(r"/\*.*?\*/", "", DEF.read_text(encoding="utf-8"), flags=re.DOTALL)
    token = re.compile(r'"(?:[^"\\]|\\.)*"|[\w.+-]+|[(),]')
    for macro, body in re.findall(r"^(FASTGELU_\w+)(\((?:\"[^\"]*\"|[^\")])*\))", text, re.M):
        cells = [""]
        for part in token.findall(body)[1:-1]:
            if part == ",":
                cells.append("")
            else:  # neighbouring string literals join, as in C
                cells[-1] += ast.literal_eval(part) if part[0] == '"' else part
        columns = COLUMNS[macro].split()
        if len(cells) != len(columns):
            sys.exit(f"{DEF.name}: {macro}({cells[0]}, ...) has {len(cells)} columns")
        yield macro, dict(zip(columns, cells, strict=True))


def version():
    return ast.literal_eval(VERSION.read_text(encoding="utf-8").split("__version__ =")[1].strip())


def fill(text, first, rest, width=80):
    """The lines of a paragraph: what the first begins with, and the rest."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def comment(macro, row):
    """What a person must know of a function."""
    results = row.get("results", "y").split(", ")
    formula = row["formula"] if len(results) > 1 else f"{results[0]} = {row['formula']}"
    if macro == "FASTGELU_FUNCTION":
        error = (
            f"f16 and bf16 correctly rounded; f32 within {float(row['ulp32']):g} ULP; "
            f"f64 within {float(row['bound64']):g} ULP"
        )
        special = SPECIAL[row["form"]]
    else:
        error = row["error"]
        if error != "exact":
            error += f". f16 and bf16 are computed in f32 and rounded once: {row['error16']}"
            error = error.replace("bfloat", "bf").replace("float", "f")
        special = SPECIAL[row["operation"]]
    lines = [
        *fill(f"{row['name']}: {row['summary']}", "/* ", " * "),
        *fill(formula, " *     ", " *         "),
        *fill(f"Error: {error}.", " * ", " *     "),
        *fill(f"Special values: {special.format(**row)}.", " * ", " *     "),
    ]
    return "\n".join(lines) + " */\n"


def prototypes(row, strided):
    """The declarations for all types."""
    results = row.get("results", "y").split(", ")
    text = ""
    for dtype, ctype in TYPES.items():
        parameters = ["size_t n"]
        for name in row.get("arguments", "x").split(", ") + results:
            parameters.append(f"{ctype} *{name}" if name in results else f"const {ctype} *{name}")
            if strided:
                parameters.append(f"ptrdiff_t {name}_stride")
        suffix = "_strided" if strided else ""
        head = f"FASTGELU_API void fastgelu_{row['name']}_{dtype}{suffix}("
        tail = ", ".join(parameters) + ");"
        if len(head + tail) > WIDTH:
            head += "\n"
            tail = "\n".join(fill(tail, " " * 4, " " * 4, WIDTH))
        text += head + tail + "\n"
    return text


def scalar_prototypes(row):
    """The declarations of the functions of one number; of two results there are none."""
    text = ""
    if ", " not in row.get("results", "y"):
        for dtype, ctype in TYPES.items():
            parameters = ", ".join(f"{ctype} {x}" for x in row.get("arguments", "x").split(", "))
            text += f"FASTGELU_API {ctype} fastgelu_{row['name']}_{dtype}_scalar({parameters});\n"
        text += "\n"
    return text


def header():
    """The text of the header."""
    public = [(macro, row) for macro, row in rows() if macro != "FASTGELU_INTERNAL"]
    number = version()
    major, minor, patch = re.match(r"(\d+)\.(\d+)\.(\d+)", number).groups()
    return (
        HEAD.format(version=number, major=major, minor=minor, patch=patch)
        + "".join(comment(*entry) + prototypes(entry[1], False) + "\n" for entry in public)
        + STRIDED
        + "".join(prototypes(row, True) + "\n" for _, row in public)
        + SCALAR
        + "".join(scalar_prototypes(row) for _, row in public)
        + TAIL
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    if parser.parse_args().check:
        if HEADER.read_text(encoding="utf-8") != header():
            sys.exit(f"{HEADER.name} is out of date: run python c/tools/write_header.py")
    else:
        HEADER.parent.mkdir(exist_ok=True)
        HEADER.write_text(header(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
