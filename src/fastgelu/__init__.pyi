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

gelu: ufunc
"""Gaussian error linear unit, exact (erf) form."""
gelu_tanh: ufunc
"""Gaussian error linear unit, tanh form."""
gelu_grad: ufunc
"""Derivative of the exact GELU."""
gelu_tanh_grad: ufunc
"""Derivative of the tanh form of GELU."""

__all__ = [  # noqa: RUF022
    "gelu",
    "gelu_tanh",
    "gelu_grad",
    "gelu_tanh_grad",
    "__version__",
    "runtime_info",
    "show_config",
]
