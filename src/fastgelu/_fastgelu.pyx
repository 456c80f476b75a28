# cython: language_level=3
# cython: freethreading_compatible=True
"""The C library as NumPy ufuncs: one per row of functions.def and target.

This is all that Python sees of C: ``targets`` holds the ufuncs of every instruction set this
machine has; which of them become public is decided in ``__init__.py``.
"""

from cpython.mem cimport PyMem_Malloc

from types import SimpleNamespace


cdef extern from "fastgelu_internal.h":
    ctypedef struct fg_loop:
        pass

    enum:
        FG_FUNCTIONS
        FG_DTYPES

    struct fg_target:
        const char *name
        int (*available)() noexcept nogil
        fg_loop loops[FG_FUNCTIONS][FG_DTYPES]

    struct fg_function_info:
        const char *name
        const char *form
        const char *summary
        const char *formula
        const char *left
        const char *source
        double ulp32
        double at32
        double ulp64
        double at64

    const fg_function_info fg_functions[FG_FUNCTIONS]
    const fg_target *const fg_targets[]
    const fg_target *fg_best_target() noexcept nogil
    void fg_run(fg_loop *loop, size_t n, char **args, const ptrdiff_t *strides) noexcept nogil


cdef extern from "cpu.h":
    const char *fg_cpu_feature(size_t i) noexcept nogil


cdef extern from "numpy/ndarraytypes.h":
    ctypedef Py_ssize_t npy_intp
    enum:
        NPY_HALF
        NPY_FLOAT
        NPY_DOUBLE


cdef extern from "numpy/ufuncobject.h":
    ctypedef void (*PyUFuncGenericFunction)(char **, const npy_intp *, const npy_intp *,
                                            void *) noexcept nogil
    enum:
        PyUFunc_None
    int _import_umath() except -1
    object PyUFunc_FromFuncAndData(PyUFuncGenericFunction *loops, void **data, char *types,
                                   int n_types, int n_in, int n_out, int identity,
                                   const char *name, const char *doc, int unused)


cdef void ufunc_loop(char **args, const npy_intp *dimensions, const npy_intp *steps,
                     void *data) noexcept nogil:
    """The inner loop of every ufunc here: data is the C loop to run."""
    fg_run(<fg_loop *>data, <size_t>dimensions[0], args, <const ptrdiff_t *>steps)


# NumPy keeps pointers to these tables.  A target's loops stand in the same order.  As in np.exp
# the narrowest dtype comes first: NumPy takes the first loop that the input can be cast to.
cdef PyUFuncGenericFunction[3] ufunc_loops = [ufunc_loop, ufunc_loop, ufunc_loop]
cdef char[6] ufunc_types = [NPY_HALF, NPY_HALF, NPY_FLOAT, NPY_FLOAT, NPY_DOUBLE, NPY_DOUBLE]


cdef str docstring(dict row):
    """The docstring of a function, without the signature line that NumPy puts above it."""
    if row["form"] == "FORWARD":
        special = f"{row['left']} at -inf, inf at inf, and x itself at ±0"
    else:
        special = f"{row['left']} at -inf, 1 at inf, and 0.5 at ±0"
    return f"""{row["summary"]}

Parameters
----------
x : array_like
    Input. float16, float32 and float64 keep their dtype; integers and booleans are
    promoted as by `numpy.exp`.
out : ndarray, None, or tuple of ndarray and None, optional
    Where the result is stored, as for every ufunc.
where : array_like, optional
    Positions to compute; the others keep the value that `out` has there.
**kwargs
    The other keyword-only arguments of a ufunc, such as ``dtype``, ``casting`` and ``order``.

Returns
-------
y : ndarray or scalar
    f(x), element by element; a scalar if `x` is a scalar.

Raises
------
TypeError
    For complex, longdouble and object input: there is no loop for them, and nothing is
    ever rounded to a narrower type silently.

Notes
-----
f(x) = {row["formula"]}

Decimals and constants of the formula stand for the real numbers.

Error: float16 is correctly rounded; float32 within {row["ulp32"]:g} ULP (worst input
{row["at32"]:.9g}); float64 within {row["ulp64"]:g} ULP (worst input seen {row["at64"]:.17g}).
The ULP of a subnormal result is the smallest subnormal.

Special values: {special}.
NaN gives the same NaN, quiet. No input sets a floating-point flag or raises a warning, and an
input has the same result, to the bit, at every place of every array on every machine.

References
----------
{row["source"]}.
"""


cdef object create_ufuncs(const fg_target *target, list docs):
    """The ufuncs of one target, as attributes under their public names."""
    cdef int f, d
    cdef void **loop
    # The data of NumPy's inner loops: never freed, since ufuncs keep pointers to it too.
    loop = <void **>PyMem_Malloc(FG_FUNCTIONS * FG_DTYPES * sizeof(void *))
    if loop == NULL:
        raise MemoryError
    ufuncs = SimpleNamespace()
    for f in range(FG_FUNCTIONS):
        for d in range(FG_DTYPES):
            loop[d] = <void *>&target.loops[f][d]
        ufunc = PyUFunc_FromFuncAndData(ufunc_loops, loop, ufunc_types, FG_DTYPES, 1, 1,
                                        PyUFunc_None, fg_functions[f].name, <bytes>docs[f], 0)
        setattr(ufuncs, fg_functions[f].name.decode(), ufunc)
        loop += FG_DTYPES
    return ufuncs


_import_umath()

# One dict per row of functions.def, by name.
functions = {}
cdef int f
for f in range(FG_FUNCTIONS):
    row = {key: value.decode() if isinstance(value, bytes) else value
           for key, value in fg_functions[f].items()}
    functions[row["name"]] = row

# NumPy keeps pointers to the docstrings too: the list lives as long as the module.
cdef list docs = [docstring(row).encode() for row in functions.values()]

cpu_features = []
cdef size_t i = 0
while fg_cpu_feature(i) != NULL:
    cpu_features.append(fg_cpu_feature(i).decode())
    i += 1

best_target = fg_best_target().name.decode()

# All instruction sets compiled in, and the ufuncs of those that this machine has.
compiled_targets = []
targets = {}
cdef const fg_target *const *target = fg_targets
while target[0] != NULL:
    name = target[0].name.decode()
    compiled_targets.append(name)
    if target[0].available():
        targets[name] = create_ufuncs(target[0], docs)
    target += 1
