"""Inputs for the tests: the same on every machine, without a random number generator."""

import numpy as np

from fastgelu._check import bits, from_bits, interval, nans, patterns, special, weyl

try:
    import ml_dtypes
except ImportError:  # an extra: without it there is no bfloat16 to test
    ml_dtypes = None

__all__ = [
    "DTYPES",
    "SIXTEEN_BITS",
    "bits",
    "call",
    "finfo",
    "from_bits",
    "interval",
    "is_nan",
    "mixture",
    "nans",
    "neighbours",
    "operands",
    "patterns",
    "special",
]

DTYPES = [np.dtype(t) for t in ("float16", "float32", "float64")]
if ml_dtypes is not None:
    DTYPES.append(np.dtype(ml_dtypes.bfloat16))
SIXTEEN_BITS = [dtype for dtype in DTYPES if dtype.itemsize == 2]


def finfo(dtype):
    """np.finfo, for bfloat16 as well."""
    dtype = np.dtype(dtype)
    return (np if dtype in DTYPES[:3] else ml_dtypes).finfo(dtype)


def is_nan(x):
    """np.isnan by the bits: that of ml_dtypes raises a flag for a signalling NaN."""
    size = bits(x).dtype.type((1 << (8 * x.dtype.itemsize - 1)) - 1)
    return bits(x) & size > bits(np.array([np.inf], x.dtype))[0]


def neighbours(centres, radius, dtype):
    """The floats within radius steps of each centre; centres are finite and not zero."""
    centres = bits(np.asarray(centres, dtype))
    steps = np.arange(-radius, radius + 1).astype(centres.dtype)  # modulo 2^n
    return from_bits((centres[:, None] + steps).ravel(), dtype)


def mixture(n, dtype):
    """What a test of same bits needs: usual values, tails, and everything special."""
    dtype = np.dtype(dtype)
    parts = [
        special(dtype),
        interval(-6, 6, n // 2, dtype),
        interval(-45, 10, n // 4, dtype),
        patterns(n // 4, dtype)[: n // 4],
    ]
    x = np.concatenate(parts)
    return x[np.argsort(weyl(x.size))]  # shuffled, so that neighbours differ in kind


_mixtures = {}


def operands(count, dtype, shape=61):
    """Arrays of all kinds of values, a different one for each input of a function."""
    if dtype not in _mixtures:
        _mixtures[dtype] = mixture(1 << 12, dtype)
    size = int(np.prod(shape))
    return [np.resize(_mixtures[dtype][97 * j :], size).reshape(shape) for j in range(count)]


def call(f, *x, **kwargs):
    """The results of a function as a tuple, however many there are."""
    y = f(*x, **kwargs)
    return y if isinstance(y, tuple) else (y,)
