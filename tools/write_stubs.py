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

# A row up to its summary: FASTGELU_FUNCTION(name, form, "summary", or, with some more words and
# names between name and summary, FASTGELU_COMPOSITE(name, ..., "x, y", "z", "summary",
ROW = re.compile(
    r"^FASTGELU_(?:FUNCTION\(\s*(\w+),\s*\w+"
    r'|COMPOSITE\(\s*(\w+)(?:,\s*\w+)+,\s*"[^"]*",\s*"[^"]*"),\s*"([^"]*)"',
    re.MULTILINE,
)

HEAD = '''\
"""Type stub of fastgelu, written by tools/write_stubs.py from c/src/functions.def."""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, SupportsIndex, TypedDict, TypeVar

from numpy import generic, ufunc
from numpy.random import BitGenerator, Generator, SeedSequence
from numpy.typing import ArrayLike, NDArray

_Scalar = TypeVar("_Scalar", bound=generic)

class _RuntimeInfo(TypedDict):
    version: str
    compiler: str
    build_flags: str
    isa: str
    isas: list[str]
    isas_compiled: list[str]
    cpu_features: list[str]
    functions: list[str]

class Identification(NamedTuple):
    name: str | None
    verdict: Literal["match", "ambiguous", "no match", "none of these"]
    others: tuple[str, ...]
    max_error: float
    mean_error: float
    max_ulp: float
    median_ulp: float
    precision: Literal["bfloat16", "float16", "float32", "float64"]
    samples: int

__version__: str

def activation(name: str) -> Callable[..., Any]: ...
def gated_activation(name: str) -> ufunc: ...
def identify(
    x: ArrayLike,
    y: ArrayLike,
    *,
    precision: Literal["bfloat16", "float16", "float32", "float64"] | None = None,
) -> list[Identification]: ...
def runtime_info() -> _RuntimeInfo: ...
def show_config() -> None: ...
def split_gate(
    packed: NDArray[_Scalar],
    axis: SupportsIndex = -1,
    *,
    layout: Literal["gate_up", "up_gate", "interleaved"],
) -> tuple[NDArray[_Scalar], NDArray[_Scalar]]: ...
def stochastic_gelu(
    x: ArrayLike,
    rng: Generator | BitGenerator | SeedSequence | int | None = None,
) -> Any: ...

'''

# What is public besides the ufuncs, as in __init__.py.
OTHERS = [
    "Identification",
    "__version__",
    "activation",
    "gated_activation",
    "identify",
    "runtime_info",
    "show_config",
    "split_gate",
    "stochastic_gelu",
    "swish",
]


def stub():
    """The text of the stub file."""
    rows = [
        (function or composite, summary)
        for function, composite, summary in ROW.findall(DEF.read_text(encoding="utf-8"))
    ]
    names = [name for name, _ in rows] + OTHERS
    return (
        HEAD
        + "".join(f'{name}: ufunc\n"""{summary}"""\n' for name, summary in rows)
        + 'swish: ufunc\n"""Another name of silu."""\n'
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
