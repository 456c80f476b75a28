"""Are the results on this machine the published ones?  The work of ``python -m fastgelu check``.

A digest stands for all the bits that a function returns for a fixed set of inputs of one dtype.
Those in digests.txt hold for every machine and every instruction set; a tool of the repository,
tools/write_digests.py, writes the file, and the tests compare with it too.  Beside the digests
there is a table of special values that a reader can judge without a computer.

Inputs are spread by multiples of the golden ratio modulo 2^64 (a Weyl sequence): the same
everywhere, without a random number generator.
"""

import hashlib
import itertools
import math
from importlib import resources

import numpy as np

import fastgelu
import fastgelu._fastgelu as _fastgelu

DIGESTS = "digests.txt"

_UINT = {2: np.uint16, 4: np.uint32, 8: np.uint64}


def bits(x):
    """The bit patterns of a float array."""
    return np.ascontiguousarray(x).view(_UINT[x.dtype.itemsize])


def from_bits(patterns, dtype):
    """The floats with these bit patterns."""
    dtype = np.dtype(dtype)
    return np.asarray(patterns, _UINT[dtype.itemsize]).view(dtype)


def weyl(n):
    """n integers spread evenly over 64 bits: multiples of the golden ratio, modulo 2^64."""
    return np.arange(n, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)


def patterns(n, dtype):
    """n floats spread over all bit patterns (of two bytes all 65,536, whatever n is): exponents
    are met equally often, with infinities, NaNs and subnormals among them."""
    dtype = np.dtype(dtype)
    if dtype.itemsize == 2:
        return from_bits(np.arange(65536), dtype)
    top = weyl(n) >> np.uint64(64 - 8 * dtype.itemsize)
    return from_bits(top.astype(_UINT[dtype.itemsize]), dtype)


def interval(lo, hi, n, dtype):
    """n floats spread over an interval, with full significands."""
    unit = (weyl(n) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    x = lo + (hi - lo) * unit
    # ml_dtypes rounds float64 to bfloat16 by way of float32; so that it stays so, here as well.
    return (x.astype(np.float32) if np.dtype(dtype).name == "bfloat16" else x).astype(dtype)


def nans(dtype):
    """NaNs with various payloads: quiet and signalling, positive and negative."""
    dtype = np.dtype(dtype)
    quiet = _quiet_bit(dtype)
    infinity = int(bits(np.array([np.inf], dtype))[0])
    sign = 1 << (8 * dtype.itemsize - 1)
    payloads = [1, 2, quiet >> 1, quiet - 1, quiet, quiet | 1, quiet | (quiet - 1)]
    return from_bits([s | infinity | p for s in (0, sign) for p in payloads], dtype)


def special(dtype):
    """Zeros, infinities, NaNs (quiet, signalling, both signs), limits of the format."""
    dtype = np.dtype(dtype)
    infinity = int(bits(np.array([np.inf], dtype))[0])
    tiny = 2 * _quiet_bit(dtype)
    ends = from_bits([0, 1, tiny, infinity - 1, infinity], dtype)  # each the first of its kind
    positive = np.concatenate([ends, np.array([1.0, 100.0], dtype)])
    return np.concatenate([positive, -positive, nans(dtype)])


def _quiet_bit(dtype):
    """The bit that makes a NaN quiet: the highest of the stored significand."""
    infinity = int(bits(np.array([np.inf], dtype))[0])
    return (infinity & -infinity) >> 1  # the lowest bit of the exponent is one above


def dtypes():
    """The dtypes to check: bfloat16 where there is one."""
    names = [np.dtype(name) for name in ("float16", "float32", "float64")]
    if not fastgelu.runtime_info()["bfloat16"].startswith("none"):
        import ml_dtypes

        names.append(np.dtype(ml_dtypes.bfloat16))
    return names


def inputs(count, dtype):
    """As many arrays as a function has inputs: what a digest is taken over."""
    if count == 1:
        parts = [special(dtype), patterns(1 << 17, dtype), interval(-45, 10, 1 << 17, dtype)]
        return [np.concatenate([*parts, interval(-2, 2, 1 << 15, dtype)])]
    grid = np.array(list(itertools.product(bits(special(dtype)), repeat=count))).T
    anything = patterns(count << 14, dtype)[: count << 14].reshape(count, -1)
    usual = interval(-8, 8, count << 15, dtype).reshape(count, -1)
    columns = zip(from_bits(grid, dtype), usual, anything, strict=True)
    return [np.concatenate(column) for column in columns]


def digest(f, x):
    """The digest of the results of f for the arrays x, the first of its outputs first."""
    y = f(*x)
    state = hashlib.blake2b(digest_size=16)
    for result in y if isinstance(y, tuple) else (y,):
        words = bits(result)
        state.update(words.astype(words.dtype.newbyteorder("<"), copy=False).tobytes())
    return state.hexdigest()


def published():
    """The digests of digests.txt, by function and name of the dtype."""
    text = resources.files("fastgelu").joinpath(DIGESTS).read_text(encoding="utf-8")
    rows = (line.split() for line in text.splitlines() if not line.startswith("#"))
    return {(name, dtype): value for name, dtype, value in rows}


# ---- special values ---------------------------------------------------------------------------

_DENSITY = 1 / math.sqrt(2 * math.pi)

# f(-inf), f(-0.0), f(0.0), f(inf).  A second argument, if there is one, is in _SECOND.
_LIMITS = {
    "gelu": (-0.0, -0.0, 0.0, math.inf),
    "gelu_tanh": (-0.0, -0.0, 0.0, math.inf),
    "quick_gelu": (-0.0, -0.0, 0.0, math.inf),
    "silu": (-0.0, -0.0, 0.0, math.inf),
    "gelu_grad": (-0.0, 0.5, 0.5, 1.0),
    "gelu_tanh_grad": (-0.0, 0.5, 0.5, 1.0),
    "quick_gelu_grad": (-0.0, 0.5, 0.5, 1.0),
    "silu_grad": (-0.0, 0.5, 0.5, 1.0),
    "sigmoid": (0.0, 0.5, 0.5, 1.0),
    "sigmoid_grad": (0.0, 0.25, 0.25, 0.0),
    "normal_cdf": (0.0, 0.5, 0.5, 1.0),
    "normal_cdf_grad": (0.0, _DENSITY, _DENSITY, 0.0),
    "relu": (0.0, 0.0, 0.0, math.inf),
    "relu_grad": (0.0, 0.0, 0.0, 1.0),
    "leaky_relu": (-math.inf, -0.0, 0.0, math.inf),
    "leaky_relu_grad": (0.25, 0.25, 0.25, 1.0),
    "elu": (-1.0, -0.0, 0.0, math.inf),
    "elu_grad": (0.0, 1.0, 1.0, 1.0),
}
_SECOND = {"leaky_relu": 0.25, "leaky_relu_grad": 0.25, "elu": 1.0, "elu_grad": 1.0}

# Operation of functions.def -> which input is x, what the others are so that the results are
# those of f and g themselves, and which of the two each output is.
_COMPOSED = {
    "BIAS": (0, -0.0, "f"),
    "BACKWARD": (1, 1.0, "f"),
    "GATE": (0, 1.0, "f"),
    "GATE_BACKWARD": (1, 1.0, "gf"),
}


def special_values(name, dtype):
    """Arguments of a function, and the results that they must have."""
    x = np.concatenate([np.array([-np.inf, -0.0, 0.0, np.inf], dtype), nans(dtype)])
    quiet = from_bits(bits(nans(dtype)) | _UINT[dtype.itemsize](_quiet_bit(dtype)), dtype)

    def expected(f):
        return np.concatenate([np.array(_LIMITS[f], dtype), quiet])

    row = _fastgelu.composites.get(name)
    if row is None or row["operation"] not in _COMPOSED:
        second = [np.full_like(x, _SECOND[name])] if name in _SECOND else []
        return [x, *second], [expected(name)]
    at, other, results = _COMPOSED[row["operation"]]
    arguments = [np.full_like(x, other) for _ in row["arguments"].split(", ")]
    arguments[at] = x
    return arguments, [expected(row[f]) for f in results]


def _as_documented(f, name, dtype):
    arguments, want = special_values(name, dtype)
    got = f(*arguments)
    got = got if isinstance(got, tuple) else (got,)
    return all(np.array_equal(bits(g), bits(w)) for g, w in zip(got, want, strict=True))


# ---- the check --------------------------------------------------------------------------------


def check():
    """Recomputes all digests and special values, on every instruction set of this machine.

    Yields
    ------
    isa, dtype, differing : str, dtype, list of str
        For each instruction set and dtype, in turn, what differs from what is published.
    """
    names, want = fastgelu.runtime_info()["functions"], published()
    for isa, functions in fastgelu._targets.items():
        for dtype in dtypes():
            x = {count: inputs(count, dtype) for count in (1, 2, 3)}
            differing = []
            for name in names:
                f = getattr(functions, name)
                got = digest(f, x[f.nin])
                if got != want[name, dtype.name]:
                    differing.append(f"{name}: digest {got}, published {want[name, dtype.name]}")
                if not _as_documented(f, name, dtype):
                    differing.append(f"{name}: special values are not the documented ones")
            yield isa, dtype, differing
