"""Speed independent of the data: no input distribution costs more than 4 times the usual one."""

import time

import numpy as np
import pytest
from reference import subnormal_edge, zero_edge
from samples import interval

import fastgelu

pytestmark = pytest.mark.timing
N = 8192


# Inputs that are slow in other implementations.
DISTRIBUTIONS = {
    "far tail": lambda name, t: interval(
        subnormal_edge(name, t), float(subnormal_edge(name, t)) / 2, N, t
    ),
    "subnormal inputs": lambda name, t: interval(-1, 1, N, np.float64) * np.finfo(t).tiny,
    "subnormal results": lambda name, t: interval(
        float(zero_edge(name, t)), float(subnormal_edge(name, t)), N, t
    ),
    "tiny": lambda name, t: interval(-1e-20, 1e-20, N, t),
    "zeros": lambda name, t: np.zeros(N),
    "saturated": lambda name, t: np.full(N, -1000.0),
    "nan": lambda name, t: np.full(N, np.nan),
    "alternating": lambda name, t: np.resize([1, -13.8, 1e-40, np.nan, -5.5, 1e30], N),
}


def usual(dtype):
    """Normally distributed numbers with a standard deviation of 1.5, by sums of twelve."""
    return (1.5 * interval(-0.5, 0.5, 12 * N, np.float64).reshape(12, N).sum(0)).astype(dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("case", list(DISTRIBUTIONS))
def test_at_most_four_times_the_usual(isa, name, dtype, case):
    f = getattr(fastgelu._targets[isa], name)
    inputs = [usual(dtype), DISTRIBUTIONS[case](name, dtype).astype(dtype)]
    y = np.empty(N, dtype)
    best = [np.inf, np.inf]
    for _ in range(30):
        for i, x in enumerate(inputs):
            start = time.perf_counter()
            f(x, out=y)
            best[i] = min(best[i], time.perf_counter() - start)
    assert best[1] <= 4 * best[0], f"{best[1] / best[0]:.1f} times"


def interleaved(dtype):
    """Outputs between the elements of another operand, by name: the call, and one on arrays."""
    x, y = usual(dtype), np.empty(N, dtype)
    packed = np.repeat(x, 2).reshape(1, 2 * N)
    gate, up = fastgelu.split_gate(packed, layout="interleaved")
    records = np.zeros(N, [("a", dtype), ("b", dtype), ("c", dtype)])
    records["a"] = x
    return {
        "gate in place": (
            lambda t: t.swiglu(gate, up, out=gate),
            lambda t: t.swiglu(x, x, out=y),
        ),
        "a field by another": (
            lambda t: t.gelu(records["a"], out=records["c"]),
            lambda t: t.gelu(x, out=y),
        ),
        "two outputs": (
            lambda t: t.swiglu_backward(x, x, x, out=(gate[0], up[0])),
            lambda t: t.swiglu_backward(x, x, x, out=(y, np.empty(N, dtype))),
        ),
    }


@pytest.mark.reported
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("case", list(interleaved(np.float32)))
def test_interleaved_operands_are_not_taken_one_by_one(isa, dtype, case):
    """They share no byte: strided they cost up to 3 times what arrays do, one by one 20 to 100."""
    calls = interleaved(dtype)[case]
    best = [np.inf, np.inf]
    for _ in range(20):
        for i, call in enumerate(calls):
            start = time.perf_counter()
            call(fastgelu._targets[isa])
            best[i] = min(best[i], time.perf_counter() - start)
    assert best[0] <= 8 * best[1], f"{best[0] / best[1]:.1f} times"
