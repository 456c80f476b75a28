"""Writes src/fastgelu/__init__.pyi, the type stub of the package, from c/src/functions.def.

python tools/write_stubs.py            writes the file
python tools/write_stubs.py --check    fails if the file is not what would be written
"""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DEF = ROOT / "c" / "src" / "functions.def"
STUB = ROOT / "src" / "fastgelu" / "__init__.pyi"

# A row up to its summary: FASTGELU_FUNCTION(name, FORM, "summary",
ROW = re.compile(r'^FASTGELU_FUNCTION\(\s*(\w+),\s*\w+,\s*"([^"]*)"', re.MULTILINE)

HEAD = '''\
"""Type stub of fastgelu, written by tools/write_stubs.py from c/src/functions.def."""

from typing import TypedDict

from numpy import ufunc

class _RuntimeInfo(TypedDict):
    version: str
    isa: str
    isas: list[str]
    isas_compiled: list[str]
    cpu_features: list[str]
    functions: list[str]

__version__: str

def runtime_info() -> _RuntimeInfo: ...
def show_config() -> None: ...

'''


def stub():
    """The text of the stub file."""
    rows = ROW.findall(DEF.read_text(encoding="utf-8"))
    names = [name for name, _ in rows] + ["__version__", "runtime_info", "show_config"]
    return (
        HEAD
        + "".join(f'{name}: ufunc\n"""{summary}"""\n' for name, summary in rows)
        + "\n__all__ = [  # noqa: RUF022\n"
        + "".join(f'    "{name}",\n' for name in names)
        + "]\n"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    if parser.parse_args().check:
        if STUB.read_text(encoding="utf-8") != stub():
            sys.exit(f"{STUB.name} is out of date: run python tools/write_stubs.py")
    else:
        STUB.write_text(stub(), encoding="utf-8")


if __name__ == "__main__":
    main()
