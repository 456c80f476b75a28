"""Writes what lets Cython call the C library through the package, from c/src/functions.def.

python tools/write_cython.py            writes the files
python tools/write_cython.py --check    fails if a file is not what would be written

_fastgelu.pxd declares the functions of fastgelu.h, without their prefix, as Cython functions of
the extension module; _c_api.pxi defines them there.  Cython then exports them by name and
signature in ``__pyx_capi__``, where other modules, Numba and SciPy look for them.
"""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEADER = ROOT / "c" / "include" / "fastgelu.h"
PACKAGE = ROOT / "src" / "fastgelu"

# A function of a row of functions.def: its result, name, parameters.
PROTOTYPE = re.compile(
    r"^FASTGELU_API (\w+) fastgelu_(\w+_(?:f16|f32|f64|bf16)(?:_strided|_scalar)?)\(([^)]*)\);",
    re.MULTILINE,
)

PXD = """\
# The C functions of fastgelu for cimport.  Written by tools/write_cython.py.
from libc.stdint cimport uint16_t

"""

PXI = """\
# The functions that _fastgelu.pxd declares.  Written by tools/write_cython.py.

cdef extern from "fastgelu.h" nogil:
"""


def prototypes():
    """The prototypes of the header as (result, name, parameters)."""
    for result, name, parameters in PROTOTYPE.findall(HEADER.read_text(encoding="utf-8")):
        yield result, name, " ".join(parameters.split())


def declarations():
    """The text of _fastgelu.pxd."""
    return PXD + "".join(
        f"cdef {result} {name}({parameters}) noexcept nogil\n"
        for result, name, parameters in prototypes()
    )


def definitions():
    """The text of _c_api.pxi."""
    text = PXI
    for result, name, parameters in prototypes():
        text += f"    {result} fastgelu_{name}({parameters}) noexcept\n"
    for result, name, parameters in prototypes():
        arguments = ", ".join(re.findall(r"(\w+)(?:,|$)", parameters))
        text += (
            f"\ncdef {result} {name}({parameters}) noexcept nogil:\n"
            f"    {'' if result == 'void' else 'return '}fastgelu_{name}({arguments})\n"
        )
    return text


FILES = {PACKAGE / "_fastgelu.pxd": declarations, PACKAGE / "_c_api.pxi": definitions}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args()
    for path, text in FILES.items():
        if not options.check:
            path.write_text(text(), encoding="utf-8", newline="\n")
        elif path.read_text(encoding="utf-8") != text():
            sys.exit(f"{path.name} is out of date: run python tools/write_cython.py")


if __name__ == "__main__":
    main()
