"""Inputs for the tests: the same on every machine, without a random number generator."""

import numpy as np

try:
    import ml_dtypes
except ImportError:  # an extra: without it there is no bfloat16 to test
    ml_dtypes = None

DTYPES = [np.dtype(t) for t in ("float16", "float32", "float64")]
if ml_dtypes is not None:
    DTYPES.append(np.dtype(ml_dtypes.bfloat16))
SIXTEEN_BITS = [dtype for dtype in DTYPES if dtype.itemsize == 2]

UINT = {2: np.uint16, 4: np.uint32, 8: np.uint64}


def finfo(dtype):
    """np.finfo, for bfloat16 as well."""
    dtype = np.dtype(dtype)
    return (np if dtype in DTYPES[:3] else ml_dtypes).finfo(dtype)


def bits(x):
    """The bit patterns of a float array."""
    return np.ascontiguousarray(x).view(UINT[x.dtype.itemsize])


def from_bits(patterns, dtype):
    """The floats with these bit patterns."""
    dtype = np.dtype(dtype)
    return np.asarray(patterns, UINT[dtype.itemsize]).view(dtype)


def is_nan(x):
    """np.isnan by the bits: that of ml_dtypes raises a flag for a signalling NaN."""
    one = bits(x).dtype.type(1)
    sign = one << (8 * x.dtype.itemsize - 1)
    return bits(x) & (sign - one) > bits(np.array([np.inf], x.dtype))[0]


def weyl(n):
    """n integers spread evenly over 64 bits: multiples of the golden ratio, modulo 2^64."""
    return np.arange(n, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)


def patterns(n, dtype):
    """n floats spread over all bit patterns (of 16 bits all 65,536, whatever n is): exponents
    are met equally often, with infinities, NaNs and subnormals among them."""
    dtype = np.dtype(dtype)
    if dtype.itemsize == 2:
        return from_bits(np.arange(65536), dtype)
    top = weyl(n) >> np.uint64(64 - 8 * dtype.itemsize)
    return from_bits(top.astype(UINT[dtype.itemsize]), dtype)


def interval(lo, hi, n, dtype):
    """n floats spread over an interval, with full significands."""
    unit = (weyl(n) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    x = lo + (hi - lo) * unit
    # ml_dtypes rounds float64 to bfloat16 by way of float32; so that it stays so, here as well.
    return (x.astype(np.float32) if np.dtype(dtype) not in DTYPES[:3] else x).astype(dtype)


def neighbours(centres, radius, dtype):
    """The floats within radius steps of each centre; centres are finite and not zero."""
    around = bits(np.asarray(centres, dtype))[:, None] + np.arange(-radius, radius + 1)
    return from_bits(around.astype(UINT[np.dtype(dtype).itemsize]).ravel(), dtype)


def special(dtype):
    """Zeros, infinities, NaNs (quiet, signalling, both signs), limits of the format."""
    dtype = np.dtype(dtype)
    info = finfo(dtype)
    finite = [0.0, info.smallest_subnormal, info.tiny, info.max, 1.0, 100.0, float("inf")]
    positive = np.array(finite, dtype)
    nan = nans(dtype)
    return np.concatenate([positive, -positive, nan])


def nans(dtype):
    """NaNs with various payloads: quiet and signalling, positive and negative."""
    dtype = np.dtype(dtype)
    info = finfo(dtype)
    quiet = 1 << (info.nmant - 1)
    infinity = int(bits(np.array([np.inf], dtype))[0])
    sign = 1 << (8 * dtype.itemsize - 1)
    payloads = [1, 2, quiet >> 1, quiet - 1, quiet, quiet | 1, quiet | (quiet - 1)]
    return from_bits([s | infinity | p for s in (0, sign) for p in payloads], dtype)


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
