"""For other languages and compilers: where the header and the library lie, and C functions.

The functions are those of fastgelu.h, in the extension module that the ufuncs run too, so nothing
has to be linked to call them.
"""

import os
from typing import Any

import numpy as np

import fastgelu

from . import _fastgelu

# How the C names end.
_TYPES = {"float16": "f16", "float32": "f32", "float64": "f64", "bfloat16": "bf16"}
_FORMS = {"span": "", "strided": "_strided", "scalar": "_scalar"}


def get_include():
    """The directory that holds ``fastgelu.h``, for C and C++ compilers.

    Returns
    -------
    str
        The value for the compiler's option ``-I``.

    See Also
    --------
    get_library_dir

    Examples
    --------
    >>> import fastgelu, os
    >>> os.listdir(fastgelu.get_include())
    ['fastgelu.h']
    """
    return os.path.join(os.path.dirname(__file__), "include")


def get_library_dir():
    """The directory that holds the static library, for the linker.

    Returns
    -------
    str
        The value for the linker's option ``-L``; the library's name is ``fastgelu``. The code
        is position-independent, so it can become part of a shared library.

    See Also
    --------
    get_include

    Notes
    -----
    ``python -m pkgconf --cflags --libs fastgelu`` prints the options for both directories, where
    the package pkgconf is installed.
    """
    return os.path.join(os.path.dirname(__file__), "lib")


def c_address(name, dtype, form="span"):
    """The address of a C function.

    Parameters
    ----------
    name : str
        The name of a ufunc of this package, such as "gelu".
    dtype : dtype
        float16, float32, float64 or bfloat16. Where C has no such type, a ``uint16_t`` holds
        its bits.
    form : {"span", "strided", "scalar"}, optional
        Which of the C functions, here for one input and float32:

        =========  =====================================================================
        form       prototype
        =========  =====================================================================
        "span"     ``void f(size_t n, const float *x, float *y)``
        "strided"  ``void f(size_t n, const float *x, ptrdiff_t x_stride, float *y,
                   ptrdiff_t y_stride)``, the strides in bytes
        "scalar"   ``float f(float x)``; functions of two results do not have it
        =========  =====================================================================

        More inputs and results come in the order of the ufunc's.

    Returns
    -------
    int
        The address. It is the same until the process ends, and may be called from any thread,
        without the GIL.

    Raises
    ------
    ValueError
        If there is no function or form of this name, or the dtype is byte-swapped.
    TypeError
        If there is no C function for this dtype.

    See Also
    --------
    c_function : the same as a function object of ctypes, which Numba takes as well.

    Examples
    --------
    >>> import cffi, fastgelu
    >>> ffi = cffi.FFI()
    >>> address = fastgelu.c_address("gelu", "float32")
    >>> gelu = ffi.cast("void (*)(size_t, const float *, float *)", address)
    >>> x = ffi.new("float[3]", [-1, 0, 1])
    >>> gelu(3, x, x)
    """
    return _fastgelu.c_address(_c_name(name, np.dtype(dtype), form))


def c_function(name, dtype, form="span"):
    """A C function as a function object of ctypes, with the types of its arguments.

    Calling it checks the types and releases the GIL. Numba compiles calls of it into a jump to
    the function, without Python.

    Parameters
    ----------
    name, dtype, form
        As for `c_address`.

    Returns
    -------
    ctypes function
        Its arrays are pointers: in Python, ``x.ctypes.data_as(...)`` or an array of ctypes; in a
        function compiled by Numba, ``x.ctypes``. Lengths and strides are not checked.

    Raises
    ------
    ValueError, TypeError
        As `c_address`.

    Examples
    --------
    >>> import fastgelu
    >>> gelu = fastgelu.c_function("gelu", "float64", "scalar")
    >>> gelu(1.0)
    0.8413447460685429

    In Numba:

    >>> import numba, numpy as np
    >>> span = fastgelu.c_function("gelu", np.float32)
    >>> @numba.njit
    ... def rows(x, y):
    ...     for i in range(len(x)):
    ...         span(x.shape[1], x[i].ctypes, y[i].ctypes)
    """
    import ctypes  # only here: importing fastgelu stays cheap

    address = c_address(name, dtype, form)
    itemsize = np.dtype(dtype).itemsize
    number: Any = {2: ctypes.c_uint16, 4: ctypes.c_float, 8: ctypes.c_double}[itemsize]
    ufunc = getattr(fastgelu, name)
    if form == "scalar":
        return ctypes.CFUNCTYPE(number, *[number] * ufunc.nin)(address)
    array: list[Any] = [ctypes.POINTER(number)]
    if form == "strided":
        array.append(ctypes.c_ssize_t)
    return ctypes.CFUNCTYPE(None, ctypes.c_size_t, *array * ufunc.nargs)(address)


def _c_name(name, dtype, form):
    """The name of the C function, without its prefix."""
    if name not in _fastgelu.functions and name not in _fastgelu.composites:
        raise ValueError(f"no function is named {name!r}; see fastgelu.runtime_info()['functions']")
    if form not in _FORMS:
        raise ValueError(f"form is one of {', '.join(map(repr, _FORMS))}, not {form!r}")
    if form == "scalar" and getattr(fastgelu, name).nout > 1:
        raise ValueError(f"{name} has two results, hence no scalar form")
    c_name = f"{name}_{_TYPES.get(dtype.name)}{_FORMS[form]}"
    if c_name not in _fastgelu.__pyx_capi__:
        raise TypeError(f"no C function takes {dtype}; there are those for {', '.join(_TYPES)}")
    if not dtype.isnative:
        raise ValueError("C functions take numbers in native byte order")
    return c_name
