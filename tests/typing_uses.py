"""Typical uses, with the types that a type checker must infer: test_typing.py runs mypy and
pyright on this file, and the file itself."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

import fastgelu

if TYPE_CHECKING:
    from typing_extensions import assert_type
else:

    def assert_type(value, expected):
        """What the type checkers say is what is really there."""
        origin = getattr(expected, "__origin__", expected)
        if origin in (np.ndarray, NDArray):
            assert isinstance(value, np.ndarray)
            # From NumPy 2.5 on NDArray is a type of its own, before it stands for an ndarray's.
            scalar = expected.__args__[0 if origin is NDArray else 1]
            scalar = scalar if origin is NDArray else scalar.__args__[0]
            assert scalar is Any or value.dtype == scalar
        elif origin is tuple:
            for part, type_of_part in zip(value, expected.__args__, strict=True):
                assert_type(part, type_of_part)
        elif origin is not Any:
            assert type(value) is origin


half: NDArray[np.float16] = np.ones(3, np.float16)
single: NDArray[np.float32] = np.ones((2, 3), np.float32)
double: NDArray[np.float64] = np.ones(3)
integers: NDArray[np.int64] = np.arange(3)

# An array keeps its dtype, a scalar too.
assert_type(fastgelu.gelu(half), NDArray[np.float16])
assert_type(fastgelu.gelu(single), NDArray[np.float32])
assert_type(fastgelu.gelu_grad(double), NDArray[np.float64])
assert_type(fastgelu.swish(single), NDArray[np.float32])
assert_type(fastgelu.gelu(np.float16(1)), np.float16)
assert_type(fastgelu.gelu(np.float32(1)), np.float32)
assert_type(fastgelu.gelu(np.float64(1)), np.float64)
assert_type(fastgelu.gelu(1.5), np.float64)
assert_type(fastgelu.gelu(-3), np.float64)

# Integers and lists are promoted as np.exp does it, which the types do not tell.
assert_type(fastgelu.gelu(integers), Any)
assert_type(fastgelu.gelu([1, 2, 3]), Any)

# The keywords of a ufunc.
out = np.zeros_like(single)
assert_type(fastgelu.gelu(single, out), NDArray[np.float32])
assert_type(fastgelu.gelu(single, out=out, where=single > 0), NDArray[np.float32])
assert_type(fastgelu.gelu(integers, out=double), NDArray[np.float64])
assert_type(fastgelu.gelu(single, dtype=np.float64), NDArray[np.float64])
assert_type(fastgelu.gelu(integers, dtype=np.float32, casting="unsafe"), NDArray[np.float32])
assert_type(fastgelu.gelu(single, order="C", casting="safe"), NDArray[np.float32])
assert_type(fastgelu.gelu(single, signature="d->d"), Any)

# Several inputs.
assert_type(fastgelu.swiglu(single, single), NDArray[np.float32])
assert_type(fastgelu.bias_gelu(single, np.float32(0.1)), NDArray[np.float32])
assert_type(fastgelu.leaky_relu(single, 0.01), NDArray[np.float32])
assert_type(fastgelu.elu(half, 1), NDArray[np.float16])
assert_type(fastgelu.gelu_backward(2.0, double), NDArray[np.float64])
assert_type(fastgelu.swiglu(1.0, 2.0), np.float64)
assert_type(fastgelu.swiglu(np.float32(1), np.float32(2)), np.float32)
assert_type(fastgelu.swiglu(single, double), Any)
assert_type(fastgelu.leaky_relu(single, np.float64(0.01)), NDArray[Any])
assert_type(fastgelu.swiglu(single, single, out=out), NDArray[np.float32])
assert_type(fastgelu.swiglu(double, double, dtype=np.float32), NDArray[np.float32])

# Several outputs.
dgate, dup = fastgelu.swiglu_backward(single, single, single)
assert_type(dgate, NDArray[np.float32])
assert_type(dup, NDArray[np.float32])
assert_type(fastgelu.glu_backward(1.0, 2.0, 3.0), tuple[np.float64, np.float64])

# They are ufuncs.
ufunc: np.ufunc = fastgelu.gelu
fastgelu.gelu.at(double, [0, 2])
assert_type(fastgelu.gelu.nin, int)

# What stands beside them.
assert_type(fastgelu.split_gate(np.ones(4, np.float32), layout="gate_up")[0], NDArray[np.float32])
assert_type(fastgelu.activation("gelu_new")(single), Any)
assert_type(fastgelu.gated_activation("swiglu")(single, single), Any)
samples = np.linspace(-3, 3, 100)
assert_type(fastgelu.identify(samples, fastgelu.gelu(samples))[0].samples, int)
assert_type(fastgelu.runtime_info()["isas"], list[str])
assert_type(fastgelu.__version__, str)
