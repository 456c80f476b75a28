"""Writes src/fastgelu/digests.txt: the digests of every function and dtype, of which
src/fastgelu/_check.py says what they are.

python tools/write_digests.py

They are what the installed package computes; nothing is written unless all instruction sets of
this machine agree.  Needs ml_dtypes, for bfloat16.
"""

import sys
from pathlib import Path

import fastgelu
from fastgelu import _check

ROOT = Path(__file__).resolve().parents[1]
HEAD = "# Function, dtype, digest of the results: written by tools/write_digests.py.\n"


def lines():
    """The lines of the file."""
    for dtype in _check.dtypes():
        x = {count: _check.inputs(count, dtype) for count in (1, 2, 3)}
        for name in fastgelu.runtime_info()["functions"]:
            found = {}
            for isa, functions in fastgelu._targets.items():
                f = getattr(functions, name)
                found.setdefault(_check.digest(f, x[f.nin]), []).append(isa)
            if len(found) != 1:
                sys.exit(f"{name} {dtype}: the instruction sets disagree: {found}")
            yield f"{name:24}{dtype.name:10}{next(iter(found))}\n"


def main():
    if len(_check.dtypes()) != 4:
        sys.exit(f"bfloat16 is missing: {fastgelu.runtime_info()['bfloat16']}")
    path = ROOT / "src" / "fastgelu" / _check.DIGESTS
    path.write_text(HEAD + "".join(list(lines())), encoding="utf-8")


if __name__ == "__main__":
    main()
