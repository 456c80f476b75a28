"""What the benchmarks share: parameters, inputs, and how long a measurement takes."""

import numpy as np

import fastgelu

DTYPES = ["float16", "bfloat16", "float32", "float64"]
SIZES = [1, 100, 1_024, 16_384, 262_144, 4_194_304]
ISAS = list(fastgelu._targets)


class Timed:
    """Thousands of cases: each takes a few milliseconds, not asv's second."""

    processes = 1
    warmup_time = 0.005
    sample_time = 0.002
    repeat = (5, 9, 0.05)


def as_dtype(name):
    """The dtype of that name; NotImplementedError, by which asv skips a case, without it."""
    if name == "bfloat16":
        try:
            import ml_dtypes
        except ImportError:
            raise NotImplementedError("bfloat16 needs ml_dtypes") from None
        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(name)


def skip_unsupported(f, dtype):
    """Skips a case for whose dtype the function has no loop."""
    one = np.ones(1, as_dtype(dtype))
    try:
        results = f(*[one] * f.nin)
    except TypeError:
        raise NotImplementedError(f"{f.__name__} has no loop for {dtype}") from None
    if (results[0] if f.nout > 1 else results).dtype != one.dtype:
        raise NotImplementedError(f"{f.__name__} has no loop for {dtype}")


def normal(size, dtype, seed=1):
    """Bell-shaped input with a standard deviation of 1.5, as in a neural network."""
    x = np.random.default_rng(seed).standard_normal(size, np.float32) * np.float32(1.5)
    return x.astype(as_dtype(dtype))


def inputs_for(f, size, dtype):
    """The arguments of a ufunc, results included."""
    inputs = [normal(size, dtype, seed) for seed in range(1, f.nin + 1)]
    return [*inputs, *(np.empty_like(inputs[0]) for _ in range(f.nout))]
