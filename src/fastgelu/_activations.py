"""What stands on the ufuncs in plain Python: names in model configs, packed gates, random gating.

The ufuncs are looked up in the package when a function here is called: which instruction set
they come from is decided there.
"""

import operator

import numpy as np

import fastgelu

from ._arrays import in_memory, is_bfloat16

# Name in a model config -> name of the function here.
_ACTIVATIONS = {
    "gelu": "gelu",
    "gelu_python": "gelu",
    "gelu_tanh": "gelu_tanh",
    "gelu_new": "gelu_tanh",
    "gelu_fast": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "gelu_python_tanh": "gelu_tanh",
    "gelu_accurate": "gelu_tanh",
    "quick_gelu": "quick_gelu",
    "silu": "silu",
    "swish": "silu",
    "sigmoid": "sigmoid",
    "normal_cdf": "normal_cdf",
    "relu": "relu",
    "leaky_relu": "leaky_relu",
    "elu": "elu",
}
_GATED_ACTIVATIONS = {name: name for name in ("geglu", "geglu_tanh", "swiglu", "reglu", "glu")}


def _keeping_dtype(value, x):
    """A Python float as second argument besides x: NumPy would widen bfloat16 to float32 for it."""
    return x.dtype.type(value) if is_bfloat16(x) else value


def leaky_relu(x, out=None, **kwargs):
    """leaky_relu with the slope 0.01 for negative x."""
    return fastgelu.leaky_relu(x, _keeping_dtype(0.01, x), out=out, **kwargs)


def elu(x, out=None, **kwargs):
    """elu with alpha = 1."""
    return fastgelu.elu(x, _keeping_dtype(1.0, x), out=out, **kwargs)


# Where the function takes a second argument: the callable that fills in the usual value.
_WITH_USUAL_PARAMETER = {"leaky_relu": leaky_relu, "elu": elu}


def _look_up(name, names, kind, others, elsewhere):
    """The function that a table of names gives for name; elsewhere looks in the others."""
    if not isinstance(name, str):
        raise TypeError(f"the name of {kind} is a string, not {type(name).__name__}")
    if name not in names:
        import difflib  # only here: importing fastgelu stays cheap

        close = difflib.get_close_matches(name.lower(), names, n=3, cutoff=0.5)
        hint = f"closest: {', '.join(close)}" if close else f"known: {', '.join(names)}"
        if name in others:
            hint = f"{elsewhere}({name!r}) has it; {hint}"
        raise ValueError(f"unknown name of {kind}: {name!r}; {hint}")
    name = names[name]
    return _WITH_USUAL_PARAMETER.get(name) or getattr(fastgelu, name)


def activation(name):
    """The activation function that a model config names.

    Parameters
    ----------
    name : str
        The value of ``hidden_act``, ``activation_function`` or the like in a model's config:

        ==================================================  ==============================
        name                                                function
        ==================================================  ==============================
        gelu, gelu_python                                   `gelu`
        gelu_new, gelu_fast, gelu_pytorch_tanh,             `gelu_tanh`
        gelu_python_tanh, gelu_accurate, gelu_tanh
        quick_gelu                                          `quick_gelu`
        silu, swish                                         `silu`
        sigmoid, normal_cdf, relu                           the function of the same name
        leaky_relu                                          ``leaky_relu(x, 0.01)``
        elu                                                 ``elu(x, 1)``
        ==================================================  ==============================

    Returns
    -------
    callable
        Called with one array; takes ``out``, ``where`` and the other keyword arguments of a
        ufunc. All but leaky_relu and elu are the ufuncs themselves.

    Raises
    ------
    ValueError
        If no function has this name; the message lists the closest names.
    TypeError
        If `name` is not a string.

    Notes
    -----
    gelu = x * Phi(x), with Phi the standard normal distribution function; gelu_tanh =
    x/2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715*x**3))); quick_gelu = x / (1 + exp(-1.702*x)).
    The docstring of each function states its formula.

    ``gelu`` is the erf form in PyTorch and in Hugging Face configs; in JAX, Flax and Keras 3 the
    plain name stands for the tanh form, their default. `identify` tells from samples which one a
    model used. The spellings of the tanh form round differently; the function is the same.

    References
    ----------
    Hugging Face Transformers, ``transformers.activations.ACT2FN``.

    D. Hendrycks and K. Gimpel, Gaussian Error Linear Units (GELUs), 2016, arXiv:1606.08415.

    Examples
    --------
    >>> import fastgelu
    >>> fastgelu.activation("gelu_new")
    <ufunc 'gelu_tanh'>
    """
    return _look_up(name, _ACTIVATIONS, "an activation", _GATED_ACTIVATIONS, "gated_activation")


def gated_activation(name):
    """The gated activation with this name: geglu, geglu_tanh, swiglu, reglu or glu.

    Parameters
    ----------
    name : str
        "geglu", "geglu_tanh", "swiglu", "reglu" or "glu".

    Returns
    -------
    ufunc
        Called as ``f(gate, up)``: the activation is applied to `gate`, the product is with
        `up`. `split_gate` makes the two out of one packed array.

    Raises
    ------
    ValueError
        If no function has this name; the message lists the closest names.
    TypeError
        If `name` is not a string.

    Notes
    -----
    geglu = gelu(gate) * up; geglu_tanh = gelu_tanh(gate) * up (Gemma); swiglu =
    silu(gate) * up (Llama); reglu = relu(gate) * up; glu = sigmoid(gate) * up.

    References
    ----------
    N. Shazeer, GLU Variants Improve Transformer, 2020, arXiv:2002.05202.

    Y. N. Dauphin, A. Fan, M. Auli and D. Grangier, Language Modeling with Gated Convolutional
    Networks, 2016, arXiv:1612.08083.

    Examples
    --------
    >>> import fastgelu
    >>> fastgelu.gated_activation("swiglu")
    <ufunc 'swiglu'>
    """
    return _look_up(name, _GATED_ACTIVATIONS, "a gated activation", _ACTIVATIONS, "activation")


def split_gate(packed, axis=-1, *, layout):
    """Views of the gate and of the up half of a packed array.

    Parameters
    ----------
    packed : ndarray or dask array
        What one matrix product made for both halves.
    axis : int, optional
        The axis along which the halves lie; the last one by default.
    layout : {"gate_up", "up_gate", "interleaved"}
        How they lie there. It has no default: a wrong guess gives plausible wrong numbers.

        =============  ==============================  ===========================================
        layout         along `axis`                    found in
        =============  ==============================  ===========================================
        "gate_up"      g0 g1 ... u0 u1 ...             Llama-like ``gate_up_proj``, as in Phi-3
        "up_gate"      u0 u1 ... g0 g1 ...             ``torch.nn.functional.glu``, ``GEGLU`` of
                                                       diffusers
        "interleaved"  g0 u0 g1 u1 ...                 ``gate_up_proj`` of gpt-oss
        =============  ==============================  ===========================================

    Returns
    -------
    gate, up : ndarray
        Two views, each half as long as `packed` along `axis`; an array is never copied. They
        are what the gated activations take, in their order.

    Raises
    ------
    ValueError
        If `layout` is none of these, or the length along `axis` is odd, or unknown to dask.
    numpy.exceptions.AxisError
        If `packed` has no such axis.

    References
    ----------
    PyTorch, ``torch.nn.GLU``: GLU(a, b) = a * sigmoid(b), a being the first half.

    Hugging Face: ``diffusers.models.activations.GEGLU``, and ``Phi3MLP`` and
    ``GptOssExperts`` of transformers.

    Examples
    --------
    >>> import numpy as np
    >>> import fastgelu
    >>> gate, up = fastgelu.split_gate(np.array([1.0, 2.0, 30.0, 40.0]), layout="gate_up")
    >>> gate, up
    (array([1., 2.]), array([30., 40.]))
    """
    if layout not in ("gate_up", "up_gate", "interleaved"):
        raise ValueError(f"layout must be 'gate_up', 'up_gate' or 'interleaved', not {layout!r}")
    if not hasattr(packed, "__array_function__"):  # dask arrays stay what they are, and lazy
        packed = np.asanyarray(packed)
    axis = operator.index(axis)
    if not -packed.ndim <= axis < packed.ndim:  # of which dask says something else every time
        raise getattr(np, "exceptions", np).AxisError(axis, packed.ndim)
    last = np.swapaxes(packed, axis, -1)
    length = last.shape[-1]
    if length != length:  # NaN is what dask calls it
        raise ValueError(
            f"axis {axis} has an unknown length: packed.compute_chunk_sizes() finds it out"
        )
    if length % 2:
        raise ValueError(f"axis {axis} has the odd length {length}: there are no two halves")
    if layout == "interleaved":
        gate, up = last[..., 0::2], last[..., 1::2]
    else:
        gate, up = last[..., : length // 2], last[..., length // 2 :]
    if layout == "up_gate":
        gate, up = up, gate
    return np.swapaxes(gate, axis, -1), np.swapaxes(up, axis, -1)


def stochastic_gelu(x, rng=None):
    """x kept with probability Phi(x), zero otherwise: the random process whose mean is `gelu`.

    Parameters
    ----------
    x : array_like
        Input. float16, float32, float64 and bfloat16 (of ml_dtypes) keep their dtype; integers
        and booleans are promoted as by `numpy.exp`.
    rng : numpy.random.Generator, int, numpy.random.SeedSequence or None, optional
        The source of randomness, or a seed for `numpy.random.default_rng`; None draws a seed
        from the operating system. The same seed gives the same result.

    Returns
    -------
    y : ndarray or scalar
        x * m, with m independently 1 with probability Phi(x) and 0 otherwise; a scalar if `x`
        is a scalar. What is masked in `x` stays masked.

    Raises
    ------
    TypeError
        For complex, longdouble and object input, for arrays that are not in memory, such as
        dask's, and for an `rng` that `numpy.random.default_rng` refuses.

    Notes
    -----
    Phi(x) is `normal_cdf` in float64, whatever the dtype of x, and the probability of keeping
    x differs from it by less than 2**-53. Hence the mean over n draws tends to gelu(x), with
    the standard error abs(x) * sqrt(Phi(x) * (1 - Phi(x)) / n).

    A dropped x gives a zero with the sign of x, as x * 0 does. inf is always kept and -inf
    always dropped (giving -0.0, as `gelu` does); NaN gives NaN. No input raises a warning.

    References
    ----------
    D. Hendrycks and K. Gimpel, Gaussian Error Linear Units (GELUs), 2016, arXiv:1606.08415,
    section 2.

    Examples
    --------
    >>> import numpy as np
    >>> import fastgelu
    >>> x = np.full(100_000, -1.0)
    >>> bool(abs(fastgelu.stochastic_gelu(x, 0).mean() - fastgelu.gelu(-1.0)) < 0.005)
    True
    """
    if hasattr(x, "__array_function__") and not isinstance(x, np.ndarray):
        raise TypeError(
            f"stochastic_gelu takes NumPy arrays, not {type(x).__name__}: apply it to each block, "
            "with a seed of its own"
        )
    x = in_memory(x)
    mask = np.ma.getmask(x)
    x = np.asarray(x)
    try:  # a call on no element says how x is promoted, and refuses what has no loop
        dtype = fastgelu.normal_cdf(np.empty(0, x.dtype)).dtype
    except TypeError:
        raise TypeError(f"stochastic_gelu is not supported for the dtype {x.dtype}") from None
    x = x.astype(dtype, copy=False)
    with np.errstate(invalid="ignore"):  # what casting a signalling NaN raises
        keep = fastgelu.normal_cdf(x, dtype=np.float64)
    # Written so that a NaN is kept: it compares false.
    dropped = np.random.default_rng(rng).random(x.shape) >= keep
    # With the slope 1 leaky_relu is x, and a NaN becomes quiet as everywhere here.
    x = fastgelu.leaky_relu(x, x.dtype.type(1))
    y = np.where(dropped, np.copysign(x.dtype.type(0), x), x)
    return y[()] if mask is np.ma.nomask else np.ma.array(y, mask=mask)[()]
