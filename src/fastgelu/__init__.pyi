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

class _Unary(ufunc):  # type: ignore[misc]
    @overload
    def __call__(
        self,
        x: _Float,
        /,
        out: None = None,
        **kwargs: Unpack[_Keywords],
    ) -> _Float: ...
    @overload
    def __call__(
        self,
        x: float,
        /,
        out: None = None,
        **kwargs: Unpack[_Keywords],
    ) -> float64: ...
    @overload
    def __call__(
        self,
        x: ndarray[_Shape, dtype[_Float]],
        /,
        out: None = None,
        **kwargs: Unpack[_Keywords],
    ) -> ndarray[_Shape, dtype[_Float]]: ...
    @overload
    def __call__(
        self,
        x: NDArray[Any],
        /,
        out: None = None,
        *,
        dtype: type[_Float] | dtype[_Float],
        **kwargs: Unpack[_Keywords],
    ) -> NDArray[_Float]: ...
    @overload
    def __call__(
        self,
        x: ArrayLike,
        /,
        out: _Out | tuple[_Out],
        **kwargs: Unpack[_AllKeywords],
    ) -> _Out: ...
    @overload
    def __call__(
        self,
        x: Any,
        /,
        out: Any = None,
        **kwargs: Unpack[_AllKeywords],
    ) -> Any: ...

class _Binary(ufunc):  # type: ignore[misc]
    @overload
    def __call__(
        self,
        x1: _Float,
        x2: _Float,
        /,
        out: None = None,
        **kwargs: Unpack[_Keywords],
    ) -> _Float: ...
    @overload
    def __call__(
        self,
        x1: float,
        x2: float,
        /,
        out: None = None,
        **kwargs: Unpack[_Keywords],
    ) -> float64: ...
    @overload
    def __call__(
        self,
        x1: NDArray[_Float] | _Float,
        x2: NDArray[_Float] | _Float,
        /,
        out: None = None,
        **kwargs: Unpack[_Keywords],
    ) -> NDArray[_Float]: ...
    @overload
    def __call__(
        self,
        x1: NDArray[Any],
        x2: float64,
        /,
        out: None = None,
        **kwargs: Unpack[_Keywords],
    ) -> NDArray[Any]: ...
    @overload
    def __call__(
        self,
        x1: float64,
        x2: NDArray[Any],
        /,
        out: None = None,
        **kwargs: Unpack[_Keywords],
    ) -> NDArray[Any]: ...
    @overload
    def __call__(
        self,
        x1: NDArray[_Float],
        x2: float,
        /,
        out: None = None,
        **kwargs: Unpack[_Keywords],
    ) -> NDArray[_Float]: ...
    @overload
    def __call__(
        self,
        x1: float,
        x2: NDArray[_Float],
        /,
        out: None = None,
        **kwargs: Unpack[_Keywords],
    ) -> NDArray[_Float]: ...
    @overload
    def __call__(
        self,
        x1: NDArray[Any],
        x2: NDArray[Any],
        /,
        out: None = None,
        *,
        dtype: type[_Float] | dtype[_Float],
        **kwargs: Unpack[_Keywords],
    ) -> NDArray[_Float]: ...
    @overload
    def __call__(
        self,
        x1: ArrayLike,
        x2: ArrayLike,
        /,
        out: _Out | tuple[_Out],
        **kwargs: Unpack[_AllKeywords],
    ) -> _Out: ...
    @overload
    def __call__(
        self,
        x1: Any,
        x2: Any,
        /,
        out: Any = None,
        **kwargs: Unpack[_AllKeywords],
    ) -> Any: ...

class _Ternary(ufunc):  # type: ignore[misc]
    @overload
    def __call__(
        self,
        x1: _Float,
        x2: _Float,
        x3: _Float,
        /,
        out: None = None,
        **kwargs: Unpack[_Keywords],
    ) -> tuple[_Float, _Float]: ...
    @overload
    def __call__(
        self,
        x1: float,
        x2: float,
        x3: float,
        /,
        out: None = None,
        **kwargs: Unpack[_Keywords],
    ) -> tuple[float64, float64]: ...
    @overload
    def __call__(
        self,
        x1: NDArray[_Float] | _Float,
        x2: NDArray[_Float] | _Float,
        x3: NDArray[_Float] | _Float,
        /,
        out: None = None,
        **kwargs: Unpack[_Keywords],
    ) -> tuple[NDArray[_Float], NDArray[_Float]]: ...
    @overload
    def __call__(
        self,
        x1: NDArray[Any],
        x2: NDArray[Any],
        x3: NDArray[Any],
        /,
        out: None = None,
        *,
        dtype: type[_Float] | dtype[_Float],
        **kwargs: Unpack[_Keywords],
    ) -> tuple[NDArray[_Float], NDArray[_Float]]: ...
    @overload
    def __call__(
        self,
        x1: Any,
        x2: Any,
        x3: Any,
        /,
        out: Any = None,
        **kwargs: Unpack[_AllKeywords],
    ) -> tuple[Any, Any]: ...

gelu: _Unary
"""Gaussian error linear unit, exact (erf) form."""
gelu_tanh: _Unary
"""Gaussian error linear unit, tanh form."""
gelu_grad: _Unary
"""Derivative of the exact GELU."""
gelu_tanh_grad: _Unary
"""Derivative of the tanh form of GELU."""
quick_gelu: _Unary
"""QuickGELU: GELU by a sigmoid."""
quick_gelu_grad: _Unary
"""Derivative of QuickGELU."""
silu: _Unary
"""Sigmoid linear unit, also called swish."""
silu_grad: _Unary
"""Derivative of the sigmoid linear unit."""
sigmoid: _Unary
"""Logistic sigmoid."""
sigmoid_grad: _Unary
"""Derivative of the logistic sigmoid."""
normal_cdf: _Unary
"""Cumulative distribution function of the standard normal distribution."""
normal_cdf_grad: _Unary
"""Density of the standard normal distribution."""
relu: _Unary
"""Rectified linear unit."""
relu_grad: _Unary
"""Derivative of the rectified linear unit."""
leaky_relu: _Binary
"""Leaky rectified linear unit."""
leaky_relu_grad: _Binary
"""Derivative of the leaky rectified linear unit."""
elu: _Binary
"""Exponential linear unit."""
elu_grad: _Binary
"""Derivative of the exponential linear unit."""
bias_gelu: _Binary
"""Exact GELU of a sum."""
bias_gelu_tanh: _Binary
"""Tanh form of GELU of a sum."""
gelu_backward: _Binary
"""Gradient of gelu with respect to its input, given that of its output."""
gelu_tanh_backward: _Binary
"""Gradient of gelu_tanh with respect to its input, given that of its output."""
quick_gelu_backward: _Binary
"""Gradient of quick_gelu with respect to its input, given that of its output."""
silu_backward: _Binary
"""Gradient of silu with respect to its input, given that of its output."""
geglu: _Binary
"""Gated linear unit with gelu as its gate."""
geglu_tanh: _Binary
"""Gated linear unit with gelu_tanh as its gate."""
swiglu: _Binary
"""Gated linear unit with silu as its gate."""
reglu: _Binary
"""Gated linear unit with relu as its gate."""
glu: _Binary
"""Gated linear unit with sigmoid as its gate."""
geglu_backward: _Ternary
"""Gradients of geglu with respect to its inputs, given that of its output."""
geglu_tanh_backward: _Ternary
"""Gradients of geglu_tanh with respect to its inputs, given that of its output."""
swiglu_backward: _Ternary
"""Gradients of swiglu with respect to its inputs, given that of its output."""
reglu_backward: _Ternary
"""Gradients of reglu with respect to its inputs, given that of its output."""
glu_backward: _Ternary
"""Gradients of glu with respect to its inputs, given that of its output."""
swish: _Unary
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
