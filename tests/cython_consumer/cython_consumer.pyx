# cython: language_level=3
"""A module that calls the kernels of fastgelu in C, without the GIL.

It includes no header and links no library of fastgelu: cimport finds the functions in the module
that import fastgelu loads.
"""

from numpy cimport PyArray_DATA, import_array, ndarray

from fastgelu cimport (
    geglu_f32_strided,
    geglu_f64_strided,
    gelu_f32,
    gelu_f64,
    silu_f32_scalar,
    silu_f64_scalar,
)

import_array()


def gelu(ndarray x, ndarray y):
    """gelu of a contiguous array of float32 or float64, into another of its size."""
    cdef size_t n = x.size
    cdef const void *source = PyArray_DATA(x)
    cdef void *target = PyArray_DATA(y)
    cdef bint single = x.itemsize == 4
    with nogil:
        if single:
            gelu_f32(n, <const float *>source, <float *>target)
        else:
            gelu_f64(n, <const double *>source, <double *>target)


def sum_of_silu(ndarray x):
    """The sum of silu over a contiguous array, in double."""
    cdef size_t i, n = x.size
    cdef const void *source = PyArray_DATA(x)
    cdef bint single = x.itemsize == 4
    cdef double total = 0
    with nogil:
        for i in range(n):
            if single:
                total += silu_f32_scalar((<const float *>source)[i])
            else:
                total += silu_f64_scalar((<const double *>source)[i])
    return total


def interleaved_geglu(ndarray packed, ndarray y):
    """geglu of a contiguous array that holds gate and up in turn."""
    cdef size_t n = y.size
    cdef const void *source = PyArray_DATA(packed)
    cdef void *target = PyArray_DATA(y)
    cdef ptrdiff_t size = y.itemsize
    with nogil:
        if size == 4:
            geglu_f32_strided(n, <const float *>source, 2 * size, <const float *>source + 1,
                              2 * size, <float *>target, size)
        else:
            geglu_f64_strided(n, <const double *>source, 2 * size, <const double *>source + 1,
                              2 * size, <double *>target, size)
