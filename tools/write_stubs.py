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
    r'|COMPOSITE\(\s*(\w+)(?:,\s*\w+)+,\s*"([^"]*)",\s*"([^"]*)"),\s*"([^"]*)"',
    re.MULTILINE,
)

HEAD = '''\
"""Type stub of fastgelu, written by tools/write_stubs.py from c/src/functions.def."""

from collections.abc import Callable
from contextlib import AbstractContextManager, ContextDecorator
from typing import Any, Literal, NamedTuple, SupportsIndex, TypedDict, TypeVar, overload

from numpy import dtype, float16, float32, float64, generic, ndarray, ufunc
from numpy.random import BitGenerator, Generator, SeedSequence
from numpy.typing import ArrayLike, DTypeLike, NDArray
from typing_extensions import Unpack

_Scalar = TypeVar("_Scalar", bound=generic)
_Float = TypeVar("_Float", float16, float32, float64)
_Shape = TypeVar("_Shape", bound=tuple[int, ...])
_Out = TypeVar("_Out", bound=NDArray[Any])

class _Keywords(TypedDict, total=False):
    where: ArrayLike
    casting: Literal["no", "equiv", "safe", "same_kind", "unsafe"]
    order: Literal["K", "A", "C", "F"]
    subok: bool

class _AllKeywords(_Keywords, total=False):
    dtype: DTypeLike
    signature: Any

class _RuntimeInfo(TypedDict):
    version: str
    compiler: str
    build_flags: str
    isa: str
    isas: list[str]
    isas_compiled: list[str]
    cpu_features: list[str]
    bfloat16: str
    threads: int
    functions: list[str]

class _NumThreads(AbstractContextManager[None, None], ContextDecorator):
    def __exit__(self, *args: object) -> None: ...

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
_targets: dict[str, Any]

def activation(name: str) -> Callable[..., Any]: ...
def c_address(
    name: str,
    dtype: DTypeLike,
    form: Literal["span", "strided", "scalar"] = "span",
) -> int: ...
def c_function(
    name: str,
    dtype: DTypeLike,
    form: Literal["span", "strided", "scalar"] = "span",
) -> Any: ...
def gated_activation(name: str) -> ufunc: ...
def get_include() -> str: ...
def get_library_dir() -> str: ...
def get_num_threads() -> int: ...
def identify(
    x: ArrayLike,
    y: ArrayLike,
    *,
    precision: Literal["bfloat16", "float16", "float32", "float64"] | None = None,
) -> list[Identification]: ...
def num_threads(n: SupportsIndex) -> _NumThreads: ...
def runtime_info() -> _RuntimeInfo: ...
def set_num_threads(n: SupportsIndex) -> None: ...
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

# The classes of ufuncs, by their numbers of inputs and outputs.  NumPy's stub calls ufunc final,
# for want of a way to say what a ufunc takes; its own subclasses in stubs are made like these.
CLASSES = {(1, 1): "_Unary", (2, 1): "_Binary", (3, 2): "_Ternary"}


def overloads(inputs, outputs):
    """The overloads of a call: types of the inputs, further parameters, type of a result."""
    no_out, keywords = "out: None = None, ", "**kwargs: Unpack[_Keywords]"
    rest = f"{no_out}{keywords}"
    yield ["_Float"] * inputs, rest, "_Float"
    yield ["float"] * inputs, rest, "float64"
    if inputs == 1:
        yield ["ndarray[_Shape, dtype[_Float]]"], rest, "ndarray[_Shape, dtype[_Float]]"
    else:
        yield ["NDArray[_Float] | _Float"] * inputs, rest, "NDArray[_Float]"
    if inputs == 2:  # a float64 is a float too, but not a weak one
        for number, result in (("float64", "Any"), ("float", "_Float")):
            for types in ([f"NDArray[{result}]", number], [number, f"NDArray[{result}]"]):
                yield types, rest, f"NDArray[{result}]"
    typed = f"{no_out}*, dtype: type[_Float] | dtype[_Float], {keywords}"
    yield ["NDArray[Any]"] * inputs, typed, "NDArray[_Float]"
    if outputs == 1:
        given = "out: _Out | tuple[_Out], **kwargs: Unpack[_AllKeywords]"
        yield ["ArrayLike"] * inputs, given, "_Out"
    yield ["Any"] * inputs, "out: Any = None, **kwargs: Unpack[_AllKeywords]", "Any"


def ufunc_class(inputs, outputs):
    """The stub of a class of ufuncs."""
    lines = [f"class {CLASSES[inputs, outputs]}(ufunc):  # type: ignore[misc]"]
    for types, rest, result in overloads(inputs, outputs):
        names = ["x"] if inputs == 1 else [f"x{i + 1}" for i in range(inputs)]
        given = [f"{name}: {type}" for name, type in zip(names, types, strict=True)]
        result = result if outputs == 1 else f"tuple[{', '.join([result] * outputs)}]"
        lines.append("    @overload")
        lines.append("    def __call__(")
        lines.append("        self,")
        lines.extend(f"        {parameter}," for parameter in [*given, "/"])
        for parameter in re.split(r", (?![^\[]*\])", rest):
            lines.append(f"        {parameter},")
        lines.append(f"    ) -> {result}: ...")
    return "\n".join(lines) + "\n\n"


# What is public besides the ufuncs, as in __init__.py.
OTHERS = [
    "Identification",
    "__version__",
    "activation",
    "c_address",
    "c_function",
    "gated_activation",
    "get_include",
    "get_library_dir",
    "get_num_threads",
    "identify",
    "num_threads",
    "runtime_info",
    "set_num_threads",
    "show_config",
    "split_gate",
    "stochastic_gelu",
    "swish",
]


def stub():
    """The text of the stub file."""
    rows, kinds = [], {}
    for function, composite, arguments, results, summary in ROW.findall(
        DEF.read_text(encoding="utf-8")
    ):
        name = function or composite
        rows.append((name, summary))
        inputs, outputs = (len(part.split(", ")) for part in (arguments, results))
        kinds[name] = CLASSES[inputs, outputs]
    names = [name for name, _ in rows] + OTHERS
    return (
        HEAD
        + "".join(ufunc_class(*shape) for shape in CLASSES)
        + "".join(f'{name}: {kinds[name]}\n"""{summary}"""\n' for name, summary in rows)
        + f'swish: {kinds["silu"]}\n"""Another name of silu."""\n'
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
