"""Which activation made these samples?  The judgement behind `identify`.

Every candidate f is held against the samples in float64.  What tells candidates apart is how far
y may lie from f(x) if f was computed as usual.  Three ways are thought of, the tightest first:

once    in float32, rounded to bfloat16 or float16 at the end: half a unit in the last place,
        besides what float32 itself loses
steps   operation by operation in the precision of y, without cancellation: y is nearly f of
        nearly x, off by a multiple of eps * (|f(x)| + |x f'(x)|)
cancel  the same with terms that cancel, as 1 + erf(x/sqrt(2)) or exp(x) - 1: off by a multiple
        of eps times the size of what they are multiplied by, which is |x| for the GELUs

The candidate that explains all samples in the tightest way wins.  A rival that needs a looser way
is ruled out only if that takes too much chance: had the rival made the sample, with an error e, it
would lie within the tolerance t of the winner by chance alone, about t in e.

The one that is left is a match only if samples speak for it, and not just against the others:
where it differs from a rival by d, what is no candidate at all would lie within t by chance, about
t in d.  For each rival that chance must be small over all samples.  Rivals are here x and 0 as
well, which much looks like near zero or on one side.
"""

import math
from collections import namedtuple
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

import fastgelu

from ._arrays import in_memory

# Narrowest first. eps is the distance from 1 to the next number, tiny the smallest normal number,
# end the power of two above the largest, inner_eps the eps of the arithmetic that results are
# usually rounded from.
_PRECISIONS = {
    name: SimpleNamespace(eps=eps, tiny=tiny, end=end, inner_eps=inner_eps)
    for name, eps, tiny, end, inner_eps in [
        ("bfloat16", 2.0**-7, 2.0**-126, 2.0**128, 2.0**-23),
        ("float16", 2.0**-10, 2.0**-14, 2.0**16, 2.0**-23),
        ("float32", 2.0**-23, 2.0**-126, 2.0**128, 2.0**-23),
        ("float64", 2.0**-52, 2.0**-1022, math.inf, 2.0**-52),
    ]
}

# name -> arguments besides x, and the size of what cancelling terms are multiplied by.
_CANDIDATES: dict[str, tuple[tuple[float, ...], Callable[..., Any]]] = {
    "gelu": ((), np.abs),
    "gelu_tanh": ((), np.abs),
    "quick_gelu": ((), np.abs),
    "silu": ((), np.abs),
    "relu": ((), np.zeros_like),
    "leaky_relu": ((0.01,), np.zeros_like),
    "elu": ((1.0,), lambda x: np.where(x < 0, 1.0, 0.0)),
    "sigmoid": ((), np.ones_like),
    "normal_cdf": ((), np.ones_like),
}

# The multiple of eps.  Common implementations reach 2.7; the gap between the erf and the tanh
# form is above 1000 in float32.
_ROUNDINGS = 4.0

# A rival is ruled out if it exceeds its loosest tolerance by this factor ...
_MARGIN = 2.0

# ... or if it needs a chance of less than one in so many; a match needs as much that speaks for it.
_CHANCE = 1000.0


_Fields = namedtuple(
    "_Fields", "name verdict others max_error mean_error max_ulp median_ulp precision samples"
)


class Identification(_Fields):
    """How well one function explains the samples given to `identify`.

    Attributes
    ----------
    name : str or None
        The function, as `activation` knows it; None stands for "none of these".
    verdict : str
        "match"; "ambiguous": it explains the samples, and so do `others`, or, if there are none,
        the samples are too few or too alike to speak for it; "no match"; or, where `name` is None,
        "none of these".
    others : tuple of str
        The other functions that explain the samples.
    max_error, mean_error : float
        abs(y - f(x)) in units of eps * max(abs(x), abs(f(x)), tiny), with the eps and the
        smallest normal number of `precision`.
    max_ulp, median_ulp : float
        abs(y - f(x)) in units in the last place of f(x). Large values are usual where the common
        formulas cancel, in the negative tail.
    precision : str
        What y was taken to be rounded to.
    samples : int
        How many different pairs of finite numbers were judged.
    """

    __slots__ = ()


def _as_float64(a, what):
    """The values of an array_like of floats, what is masked, and the name of its precision."""
    try:
        a = in_memory(a)
    except TypeError as error:  # torch's for a tensor of bfloat16, which NumPy does not know
        raise TypeError(
            f"{what} cannot be made an array: {error} (bfloat16 may be widened to float32)"
        ) from error
    mask, a = np.ma.getmaskarray(a), np.asarray(a)
    # bfloat16 is no type of NumPy's own: ml_dtypes makes it, and .npy files keep it as two bytes.
    if a.dtype.kind == "V" and a.dtype.itemsize == 2 and a.dtype.fields is None:
        upper_half = np.ascontiguousarray(a).view(np.uint16).astype(np.uint32)
        a, name = (upper_half << 16).view(np.float32), "bfloat16"
    elif a.dtype.name in _PRECISIONS:
        name = a.dtype.name
    else:
        raise TypeError(f"{what} has the dtype {a.dtype}, not one of {', '.join(_PRECISIONS)}")
    with np.errstate(invalid="ignore"):  # what casting a signalling NaN raises
        return a.astype(np.float64), mask, name


def _distinct_pairs(x, y):
    """Every pair once: the same sample again is no further evidence."""
    order = np.lexsort((y, x))
    x, y = x[order], y[order]
    first = np.ones(x.size, bool)
    first[1:] = (x[1:] != x[:-1]) | (y[1:] != y[:-1])
    return x[first], y[first]


def _ulp(y, precision):
    """The unit in the last place of each value."""
    exponent = np.frexp(np.maximum(np.abs(y), precision.tiny))[1] - 1
    return np.ldexp(precision.eps, exponent)


def _detect_precision(y, dtype):
    """The narrowest precision that holds every y, or else that of its dtype."""
    for name, precision in _PRECISIONS.items():
        in_ulps = y / _ulp(y, precision)
        holds = (np.abs(y) < precision.end) & (in_ulps == np.rint(in_ulps))
        if name == dtype or holds.all():
            return name


def _tolerances(x, y, f, slope, terms, precision):
    """How far y may lie from f, for each way of computing that the precision knows."""
    eps, tiny, inner_eps = precision.eps, precision.tiny, precision.inner_eps
    size = np.abs(f) + np.abs(x * slope)
    # A step may also underflow before it is multiplied by x.
    steps = _ROUNDINGS * eps * size + eps * tiny * (1 + np.abs(x))
    cancel = steps + _ROUNDINGS * eps * terms
    if inner_eps < eps:
        once = _ulp(f, precision) / 2 + _ROUNDINGS * inner_eps * (size + terms)
        ways = [once, steps + _ROUNDINGS * inner_eps * terms, cancel]
    else:
        ways = [steps, cancel]
    # A zero is what underflow, or the cancelling of all digits, leaves of any function that is
    # small there: it speaks for none of them.
    return [np.where(y == 0, cancel + tiny, tolerance) for tolerance in ways]


def _fit(name, x, y, precision):
    """How the samples lie to one candidate.

    Its attributes: misfits, for each way of computing, is the largest factor by which a sample
    exceeds its tolerance; evidence, for each way, is the sum of the logarithms of those above 1;
    f and tolerances are the values and, for each way, the tolerances; figures are those of an
    Identification.
    """
    arguments, terms = _CANDIDATES[name]
    f = getattr(fastgelu, name)(x, *arguments)
    slope = getattr(fastgelu, f"{name}_grad")(x, *arguments)
    # Close to the end of float64 sums would overflow; a power of two changes none of the ratios.
    scale = np.where(np.maximum(np.abs(x), np.abs(y)) > 2.0**1000, 2.0**-4, 1.0)
    x, y, f = scale * x, scale * y, scale * f
    error = np.abs(y - f)
    tolerances = _tolerances(x, y, f, slope, terms(x), precision)
    ratios = [error / t for t in tolerances]
    misfits = [float(np.max(r)) for r in ratios]
    evidence = [float(np.sum(np.log(r[r > 1]))) for r in ratios]
    if precision.inner_eps < precision.eps:
        # In 16 bits the loosest way allows much, of which the average rounding error is a
        # sixtieth; a gap between two functions may be less than the whole, yet a larger part.
        mean = np.mean(ratios[-1]) / (1 / 25 + 1 / (4 * np.sqrt(x.size)))
        misfits[-1] = max(misfits[-1], float(mean))

    scaled = error / (precision.eps * np.maximum(np.maximum(np.abs(x), np.abs(f)), precision.tiny))
    ulp = error / _ulp(f, precision)
    figures = {
        "max_error": float(np.max(scaled)),
        "mean_error": float(np.mean(scaled)),
        "max_ulp": float(np.max(ulp)),
        "median_ulp": float(np.median(ulp)),
    }
    return SimpleNamespace(
        f=f, tolerances=tolerances, misfits=misfits, evidence=evidence, figures=figures, scale=scale
    )


def _speak_for(fits, name, x):
    """Do the samples speak for the only candidate that they leave?"""
    fit = fits[name]
    fitting = (way for way, misfit in enumerate(fit.misfits) if misfit <= 1)
    tolerance = fit.tolerances[next(fitting, -1)]
    rivals = [other.f for n, other in fits.items() if n != name] + [fit.scale * x, 0.0]
    ratios = (np.abs(fit.f - rival) / tolerance for rival in rivals)
    return all(np.sum(np.log(r[r > 1])) >= math.log(_CHANCE) for r in ratios)


def _explaining(fits):
    """The names of the candidates that the samples leave, out of fits in order."""
    for way in range(len(next(iter(fits.values())).misfits)):
        if any(fit.misfits[way] <= 1 for fit in fits.values()):
            return [
                name
                for name, fit in fits.items()
                if fit.misfits[-1] <= _MARGIN and fit.evidence[way] < math.log(_CHANCE)
            ]
    return []


def identify(x, y, *, precision=None):
    """Which activation function made y of x.

    Parameters
    ----------
    x, y : array_like
        Samples of the input and the output of a model's activation, of the same shape: float16,
        float32, float64, or bfloat16 (as an array of ml_dtypes, as the two-byte items that
        ``.npy`` files keep of such an array, or widened to float32). x must be what the function
        was really given: round it as the model did. Pairs with an infinity, a NaN or a
        mask are left out. Whatever NumPy makes an array of will do, such as a tensor or a series.
    precision : {"bfloat16", "float16", "float32", "float64"}, optional
        What y was rounded to. By default it is seen from y: the narrowest that holds all values.
        A formula with constants of few digits needs a narrower one than y has: Hugging Face's
        gelu_fast computed in float64 is gelu_tanh to no more than float32.

    Returns
    -------
    list of Identification
        The candidates gelu, gelu_tanh, quick_gelu, silu, relu, leaky_relu (slope 0.01), elu
        (alpha 1), sigmoid and normal_cdf, best first. The first one's ``name`` is the answer,
        and its ``verdict`` says how sure it is: "match", or "ambiguous" if these samples do not
        tell it from ``others``, or are too few or too alike to speak for it. If no candidate
        explains the samples, an entry named None with the verdict "none of these" comes first.

    Raises
    ------
    ValueError
        If the shapes differ, there is no pair of finite numbers, or `precision` is unknown.
    TypeError
        If x or y is not an array of these float types.

    Notes
    -----
    The measure is abs(y - f(x)) in units of eps * max(abs(x), abs(f(x)), tiny). The usual
    formulas cancel in the negative tail: x/2 * (1 + erf(x/sqrt(2))) is wrong in every digit at
    x = -6 in float32, and still good work by this measure. What a candidate may be off by is a
    multiple of eps times its condition, abs(f(x)) + abs(x * f'(x)), and, where terms of the usual
    formula cancel, times their size; half an ULP where a 16-bit result was rounded once.

    A match needs samples where the candidates differ by more than rounding explains: together they
    must make it less likely than one in a thousand that another function came that close to the
    answer by chance. A dozen samples over the range where activations bend do in float32.

    A few hundred samples of a normal distribution decide in float32 and, if results were rounded
    once, in float16 and bfloat16. Where every step of a formula that cancels was rounded to 16
    bits, the erf and the tanh form are closer to each other than to what was computed, and the
    verdict is "ambiguous".

    References
    ----------
    N. J. Higham, Accuracy and Stability of Numerical Algorithms, second edition, SIAM 2002,
    chapter 1.

    Examples
    --------
    >>> import numpy as np
    >>> import fastgelu
    >>> x = np.linspace(-4, 4, 200, dtype=np.float32)
    >>> y = 0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x**3)))
    >>> best = fastgelu.identify(x, y)[0]
    >>> best.name, best.verdict
    ('gelu_tanh', 'match')
    """
    x, x_mask, _ = _as_float64(x, "x")
    y, y_mask, dtype = _as_float64(y, "y")
    if x.shape != y.shape:
        raise ValueError(f"x and y must have the same shape, not {x.shape} and {y.shape}")
    if precision is not None and precision not in _PRECISIONS:
        raise ValueError(f"precision must be one of {', '.join(_PRECISIONS)}, not {precision!r}")
    usable = np.isfinite(x) & np.isfinite(y) & ~(x_mask | y_mask)
    if not usable.any():
        raise ValueError("there is no pair of finite numbers in x and y")
    x, y = _distinct_pairs(x[usable], y[usable])

    with np.errstate(over="ignore", under="ignore"):  # at the limits of float64
        precision = precision or _detect_precision(y, dtype)
        fits = {name: _fit(name, x, y, _PRECISIONS[precision]) for name in _CANDIDATES}
        fits = dict(sorted(fits.items(), key=lambda item: item[1].figures["mean_error"]))
        explaining = _explaining(fits)
        sure = len(explaining) == 1 and _speak_for(fits, explaining[0], x)

    common = {"precision": precision, "samples": x.size}
    results = []
    if not explaining:
        figures = dict.fromkeys(("max_error", "mean_error", "max_ulp", "median_ulp"), math.nan)
        results.append(Identification(None, "none of these", (), **figures, **common))
    for name in [*explaining, *(name for name in fits if name not in explaining)]:
        others = tuple(n for n in explaining if n != name) if name in explaining else ()
        verdict = "no match" if name not in explaining else "match" if sure else "ambiguous"
        results.append(Identification(name, verdict, others, **fits[name].figures, **common))
    return results
