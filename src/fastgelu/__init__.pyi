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

gelu: ufunc
"""Gaussian error linear unit, exact (erf) form."""
gelu_tanh: ufunc
"""Gaussian error linear unit, tanh form."""
gelu_grad: ufunc
"""Derivative of the exact GELU."""
gelu_tanh_grad: ufunc
"""Derivative of the tanh form of GELU."""
quick_gelu: ufunc
"""QuickGELU: GELU by a sigmoid."""
quick_gelu_grad: ufunc
"""Derivative of QuickGELU."""
silu: ufunc
"""Sigmoid linear unit, also called swish."""
silu_grad: ufunc
"""Derivative of the sigmoid linear unit."""
sigmoid: ufunc
"""Logistic sigmoid."""
sigmoid_grad: ufunc
"""Derivative of the logistic sigmoid."""
normal_cdf: ufunc
"""Cumulative distribution function of the standard normal distribution."""
normal_cdf_grad: ufunc
"""Density of the standard normal distribution."""
relu: ufunc
"""Rectified linear unit."""
relu_grad: ufunc
"""Derivative of the rectified linear unit."""
leaky_relu: ufunc
"""Leaky rectified linear unit."""
leaky_relu_grad: ufunc
"""Derivative of the leaky rectified linear unit."""
elu: ufunc
"""Exponential linear unit."""
elu_grad: ufunc
"""Derivative of the exponential linear unit."""
bias_gelu: ufunc
"""Exact GELU of a sum."""
bias_gelu_tanh: ufunc
"""Tanh form of GELU of a sum."""
gelu_backward: ufunc
"""Gradient of gelu with respect to its input, given that of its output."""
gelu_tanh_backward: ufunc
"""Gradient of gelu_tanh with respect to its input, given that of its output."""
quick_gelu_backward: ufunc
"""Gradient of quick_gelu with respect to its input, given that of its output."""
silu_backward: ufunc
"""Gradient of silu with respect to its input, given that of its output."""
geglu: ufunc
"""Gated linear unit with gelu as its gate."""
geglu_tanh: ufunc
"""Gated linear unit with gelu_tanh as its gate."""
swiglu: ufunc
"""Gated linear unit with silu as its gate."""
reglu: ufunc
"""Gated linear unit with relu as its gate."""
glu: ufunc
"""Gated linear unit with sigmoid as its gate."""
geglu_backward: ufunc
"""Gradients of geglu with respect to its inputs, given that of its output."""
geglu_tanh_backward: ufunc
"""Gradients of geglu_tanh with respect to its inputs, given that of its output."""
swiglu_backward: ufunc
"""Gradients of swiglu with respect to its inputs, given that of its output."""
reglu_backward: ufunc
"""Gradients of reglu with respect to its inputs, given that of its output."""
glu_backward: ufunc
"""Gradients of glu with respect to its inputs, given that of its output."""
swish: ufunc
"""Another name of silu."""

__all__ = [  # noqa: RUF022
    "gelu",
    "gelu_tanh",
    "gelu_grad",
    "gelu_tanh_grad",
    "quick_gelu",
    "quick_gelu_grad",
    "silu",
    "silu_grad",
    "sigmoid",
    "sigmoid_grad",
    "normal_cdf",
    "normal_cdf_grad",
    "relu",
    "relu_grad",
    "leaky_relu",
    "leaky_relu_grad",
    "elu",
    "elu_grad",
    "bias_gelu",
    "bias_gelu_tanh",
    "gelu_backward",
    "gelu_tanh_backward",
    "quick_gelu_backward",
    "silu_backward",
    "geglu",
    "geglu_tanh",
    "swiglu",
    "reglu",
    "glu",
    "geglu_backward",
    "geglu_tanh_backward",
    "swiglu_backward",
    "reglu_backward",
    "glu_backward",
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
