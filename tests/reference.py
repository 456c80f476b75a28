"""The exact functions in arbitrary precision, and how far a result is from them.

Adding a function to the library adds one line to EXACT.
"""

from fractions import Fraction

import numpy as np
from mpmath import mp, mpf
from samples import finfo

# 200 bits: near the roots of the derivatives up to 53 of them cancel, and the hair by which a
# tiny float32 or 16-bit input misses x/2 is no smaller than 2^-149 of it.
mp.prec = 200


def _phi(x):
    return mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi)


def _cdf(x):
    return mp.erfc(-x / mp.sqrt(2)) / 2


def _sigmoid(x):
    return 1 / (1 + mp.exp(-x))


def _sigmoid_grad(x):
    return _sigmoid(x) * _sigmoid(-x)


K = mpf("1.702")


def _two_u(x):
    return 2 * mp.sqrt(2 / mp.pi) * (x + mpf("0.044715") * x**3)


def _two_du(x):
    return 2 * mp.sqrt(2 / mp.pi) * (1 + 3 * mpf("0.044715") * x**2)


# (1 + tanh(u))/2 is written as the sigmoid of 2u, and 1 - sigmoid(v) as sigmoid(-v): no digits
# are lost on the left, where the functions tend to 0.
EXACT = {
    "gelu": lambda x: x * _cdf(x),
    "gelu_tanh": lambda x: x * _sigmoid(_two_u(x)),
    "gelu_grad": lambda x: _cdf(x) + x * _phi(x),
    "gelu_tanh_grad": lambda x: _sigmoid(_two_u(x)) * (1 + x * _sigmoid(-_two_u(x)) * _two_du(x)),
    "quick_gelu": lambda x: x * _sigmoid(K * x),
    "quick_gelu_grad": lambda x: _sigmoid(K * x) * (1 + K * x * _sigmoid(-K * x)),
    "silu": lambda x: x * _sigmoid(x),
    "silu_grad": lambda x: _sigmoid(x) * (1 + x * _sigmoid(-x)),
    "sigmoid": _sigmoid,
    "sigmoid_grad": _sigmoid_grad,
    "normal_cdf": _cdf,
    "normal_cdf_grad": _phi,
}

NAMES = list(EXACT)


def exact(name, x):
    """The real number f(x) of a finite float, to 200 bits."""
    return EXACT[name](mpf(float(x)))


def _quantum_exponent(y, dtype):
    """The exponent of the ULP of a real number: that of the subnormals below the normal range."""
    info = finfo(dtype)
    top = y._mpf_[2] + y._mpf_[3] - 1 if y else info.minexp  # floor(log2(abs(y)))
    return max(top, info.minexp) - info.nmant


def round_to(y, dtype):
    """A real number rounded once to dtype, to nearest with ties to even."""
    sign, mantissa, exponent, bits = (int(part) for part in y._mpf_)
    q = _quantum_exponent(y, dtype)
    if exponent + bits < q - 1:  # below half the smallest subnormal
        n = 0
    else:
        n = round(Fraction(mantissa) * Fraction(2) ** (exponent - q))
    return np.dtype(dtype).type((-1.0) ** sign * np.ldexp(np.float64(n), q))


def round_float64(y, dtype):
    """A float64 array rounded once to a 16-bit dtype, and where a hair would decide otherwise.

    Not by astype, since ml_dtypes goes by way of float32 and rounds twice.
    """
    info = finfo(dtype)
    q = np.maximum(np.frexp(y)[1] - 1, info.minexp) - info.nmant
    in_ulps = np.ldexp(y, -q)
    doubtful = abs(in_ulps - np.floor(in_ulps) - 0.5) < 2.0**-30
    return np.ldexp(np.rint(in_ulps), q).astype(dtype), doubtful


def ulp_error(got, y, dtype):
    """How many ULPs of the real number y lie between it and the float got."""
    if not np.isfinite(got):
        return float("inf")
    return float(abs(mpf(float(got)) - y) / mpf(2) ** _quantum_exponent(y, dtype))


def ulp_errors(name, x, got):
    """ulp_error for each element of x and got = f(x)."""
    dtype = got.dtype
    return np.array(
        [ulp_error(g, exact(name, v), dtype) for v, g in zip(x.tolist(), got.tolist(), strict=True)]
    )


def root(name):
    """Where a derivative changes its sign, left of -0.1; None if it does not."""
    left, right = mpf(-3), mpf(-0.1)
    if EXACT[name](left) * EXACT[name](right) > 0:
        return None
    return mp.findroot(EXACT[name], (left, right), solver="anderson")


def left_edge(name, dtype, threshold):
    """The float of dtype, far on the left, where abs(f) falls below a threshold."""
    small, large = mpf(-2000), mpf(-2)
    for _ in range(80):
        middle = (small + large) / 2
        if abs(EXACT[name](middle)) < threshold:
            small = middle
        else:
            large = middle
    return np.dtype(dtype).type(float(small))


def zero_edge(name, dtype):
    """Where results have become 0, with a margin."""
    return left_edge(name, dtype, mpf(float(finfo(dtype).smallest_subnormal)) / 4)


def subnormal_edge(name, dtype):
    """Where results are about to leave the normal range."""
    return left_edge(name, dtype, 2 * float(finfo(dtype).tiny))
