# cython: language_level=3
# cython: freethreading_compatible=True
"""The C library as NumPy ufuncs: one per row of functions.def and target.

This is all that Python sees of C: ``targets`` holds the ufuncs of every instruction set this
machine has; which of them become public is decided in ``__init__.py``.
"""

from cpython.exc cimport PyErr_SetObject
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.object cimport PyObject
from cpython.pycapsule cimport PyCapsule_GetName, PyCapsule_GetPointer
from cpython.ref cimport Py_INCREF
from libc.stdint cimport uintptr_t

from types import SimpleNamespace

import numpy as np

include "_c_api.pxi"


cdef extern from "fastgelu_internal.h":
    ctypedef struct fg_loop:
        int inputs
        int outputs

    enum:
        FG_FUNCTIONS
        FG_COMPOSITES
        FG_DTYPES
        FG_F16
        FG_F32
        FG_F64
        FG_BF16

    struct fg_target:
        const char *name
        int (*available)() noexcept nogil
        fg_loop loops[FG_FUNCTIONS][FG_DTYPES]
        fg_loop composites[FG_COMPOSITES][FG_DTYPES]

    struct fg_function_info:
        const char *name
        const char *form
        const char *summary
        const char *formula
        const char *left
        const char *source
        double ulp32
        double at32
        double bound64
        double seen64
        double at64

    struct fg_composite_info:
        const char *name
        const char *operation
        const char *f
        const char *g
        const char *arguments
        const char *results
        const char *summary
        const char *formula
        const char *error
        const char *error16
        const char *source

    const fg_function_info fg_functions[FG_FUNCTIONS]
    const fg_composite_info fg_composites[FG_COMPOSITES]
    const fg_target *const fg_targets[]
    const fg_target *fg_best_target() noexcept nogil
    void fg_run(fg_loop *loop, size_t n, char **args, const ptrdiff_t *strides) noexcept nogil


cdef extern from "cpu.h":
    const char *fg_cpu_feature(size_t i) noexcept nogil


cdef extern from *:
    """
    #define FG_TEXT_(x) #x
    #define FG_TEXT(x) FG_TEXT_(x)
    #if defined(__clang__)
    #define FG_COMPILER "clang " __clang_version__
    #elif defined(__GNUC__)
    #define FG_COMPILER "gcc " __VERSION__
    #elif defined(_MSC_FULL_VER)
    #define FG_COMPILER "msvc " FG_TEXT(_MSC_FULL_VER)
    #else
    #define FG_COMPILER "unknown"
    #endif
    #ifndef FG_BUILD_FLAGS
    #define FG_BUILD_FLAGS ""
    #endif
    """
    const char *FG_COMPILER
    const char *FG_BUILD_FLAGS


cdef extern from "threads.h":
    enum:
        FG_HAVE_THREADS
        FG_MOST_THREADS
    int fg_get_num_threads() noexcept nogil
    int fg_set_num_threads(int n) noexcept nogil


cdef extern from "numpy/ndarraytypes.h":
    ctypedef Py_ssize_t npy_intp
    enum:
        NPY_HALF
        NPY_FLOAT
        NPY_DOUBLE


cdef extern from "numpy/ufuncobject.h":
    ctypedef void (*PyUFuncGenericFunction)(char **, const npy_intp *, const npy_intp *,
                                            void *) noexcept nogil
    ctypedef struct PyUFuncObject:
        int nin
        int nout
        void **data
        void *vectorcall
    enum:
        PyUFunc_None
    int _import_umath() except -1
    object PyUFunc_FromFuncAndData(PyUFuncGenericFunction *loops, void **data, char *types,
                                   int n_types, int n_in, int n_out, int identity,
                                   const char *name, const char *doc, int unused)
    int PyUFunc_RegisterLoopForType(PyUFuncObject *ufunc, int user_type, PyUFuncGenericFunction loop,
                                    const int *types, void *data) except -1


cdef void ufunc_loop(char **args, const npy_intp *dimensions, const npy_intp *steps,
                     void *data) noexcept nogil:
    """The inner loop of every ufunc here: data is the C loop to run."""
    fg_run(<fg_loop *>data, <size_t>dimensions[0], args, <const ptrdiff_t *>steps)


# NumPy keeps pointers to these tables.  A target's loops stand in the same order.  As in np.exp
# the narrowest dtype comes first: NumPy takes the first loop that the input can be cast to.
cdef PyUFuncGenericFunction[3] ufunc_loops = [ufunc_loop, ufunc_loop, ufunc_loop]
cdef enum:
    MOST_OPERANDS = 5
cdef char[MOST_OPERANDS + 1][3 * MOST_OPERANDS] ufunc_types  # by the number of operands
cdef int operands, operand
for operands in range(1, MOST_OPERANDS + 1):
    for operand in range(operands):
        ufunc_types[operands][operand] = NPY_HALF
        ufunc_types[operands][operands + operand] = NPY_FLOAT
        ufunc_types[operands][2 * operands + operand] = NPY_DOUBLE

include "_calls.pxi"


DOCSTRING = """{summary}

Parameters
----------
{parameters}
out : ndarray, None, or tuple of ndarray and None, optional
    Where the result is stored, as for every ufunc.
where : array_like, optional
    Positions to compute; the others keep the value that `out` has there.
**kwargs
    The other keyword-only arguments of a ufunc, such as ``dtype``, ``casting`` and ``order``.

Returns
-------
{results}

Raises
------
TypeError
    For complex, longdouble and object input: there is no loop for them, and nothing is
    ever rounded to a narrower type silently.

Notes
-----
{formula}

Decimals and constants of the formula stand for the real numbers.

{error}
The ULP of a subnormal result is the smallest subnormal.

{special}
No input sets a floating-point flag or raises a warning, and an input has the same result, to
the bit, at every place of every array on every machine.

References
----------
{source}.
"""
PROMOTION = (
    "    Input. float16, float32, float64 and bfloat16 (of ml_dtypes) keep their dtype; integers\n"
    "    and booleans are promoted as by `numpy.exp`."
)
# Of several inputs it is their common dtype that counts: a Python float beside integers decides.
PROMOTION_TOGETHER = (
    "    Inputs, which broadcast against each other. float16, float32, float64 and bfloat16 (of\n"
    "    ml_dtypes) keep their dtype; integers and booleans are promoted together with the other\n"
    "    inputs, as by `numpy.logaddexp`: int8 and the integer 1 give float16, but int8 and the\n"
    "    float 0.01 give float64 (from NumPy 2 on)."
)


cdef str docstring(dict row):
    """The docstring of a unary function, without the signature line that NumPy puts above it."""
    limits = {
        "FORWARD": "inf at inf, and x itself at ±0",
        "SIGMOID": "1 at inf, and 0.5 at ±0",
        "DERIVATIVE": "1 at inf, and 0.5 at ±0",
        "EVEN": "0.0 at inf",
    }[row["form"]]
    error = (
        f"Error: float32 within {row['ulp32']:g} ULP (worst input {row['at32']:.9g}); float64 "
        f"within\n{row['bound64']:g} ULP, proven (worst seen {row['seen64']:g}, for "
        f"{row['at64']:.17g}); float16 and\nbfloat16 are correctly rounded for every input."
    )
    return DOCSTRING.format(
        summary=row["summary"],
        parameters="x : array_like\n" + PROMOTION,
        results="y : ndarray or scalar\n    f(x), element by element; a scalar if `x` is a scalar.",
        formula="f(x) = " + row["formula"],
        error=error,
        special=f"Special values: {row['left']} at -inf, {limits}.\n"
        "NaN gives the same NaN, quiet.",
        source=row["source"],
    )


cdef str composite_docstring(dict row):
    """The docstring of a composed function."""
    arguments, results = row["arguments"], row["results"].split(", ")
    return DOCSTRING.format(
        summary=row["summary"],
        parameters=f"{arguments} : array_like\n"
        + (PROMOTION_TOGETHER if "," in arguments else PROMOTION),
        results="\n".join(
            f"{r} : ndarray or scalar\n    A scalar if all inputs are scalars." for r in results
        ),
        formula=f"{results[0]} = {row['formula']}" if len(results) == 1 else row["formula"],
        error=f"Error: {row['error']}.\nIn float16 and bfloat16 all is computed in float32 and "
        "rounded once, at the end:\n" + row["error16"].replace("; ", ";\n") + ".",
        special="Of several NaNs the first input's is the result, quiet; a product 0*inf and a sum\n"
        "inf - inf give NaN.",
        source=row["source"],
    )


cdef object create_ufunc(const fg_loop *loops, const char *name, bytes doc):
    """A ufunc of three loops: float16, float32 and float64; bfloat16 may come later."""
    # The data of NumPy's inner loops: never freed, since ufuncs keep pointers to it.
    cdef void **data = <void **>PyMem_Malloc(3 * sizeof(void *))
    cdef int d, inputs = loops[0].inputs, outputs = loops[0].outputs
    if data == NULL:
        raise MemoryError
    for d in range(3):
        data[d] = <void *>&loops[d]
    ufunc = PyUFunc_FromFuncAndData(ufunc_loops, data, ufunc_types[inputs + outputs], 3, inputs,
                                    outputs, PyUFunc_None, name, doc, 0)
    share_calls_of(ufunc)
    return ufunc


cdef object create_ufuncs(const fg_target *target, list docs):
    """The ufuncs of one target, as attributes under their public names."""
    cdef int f
    ufuncs = SimpleNamespace()
    for f in range(FG_FUNCTIONS):
        setattr(ufuncs, fg_functions[f].name.decode(),
                create_ufunc(target.loops[f], fg_functions[f].name, docs[f]))
    for f in range(FG_COMPOSITES):
        setattr(ufuncs, fg_composites[f].name.decode(),
                create_ufunc(target.composites[f], fg_composites[f].name, docs[FG_FUNCTIONS + f]))
    return ufuncs


_import_array()
_import_umath()

# For fastgelu._threads.
have_threads = bool(FG_HAVE_THREADS)
most_threads = FG_MOST_THREADS


def get_num_threads():
    return fg_get_num_threads()


def set_num_threads(int n):
    fg_set_num_threads(n)


# One dict per row of functions.def, by name.
functions = {}
cdef int f
for f in range(FG_FUNCTIONS):
    row = {key: value.decode() if isinstance(value, bytes) else value
           for key, value in fg_functions[f].items()}
    functions[row["name"]] = row
composites = {}
for f in range(FG_COMPOSITES):
    row = {key: value.decode() for key, value in fg_composites[f].items()}
    composites[row["name"]] = row

# NumPy keeps pointers to the docstrings too: the list lives as long as the module.
cdef list docs = [docstring(row).encode() for row in functions.values()]
docs += [composite_docstring(row).encode() for row in composites.values()]

compiler = FG_COMPILER.decode().strip()
build_flags = FG_BUILD_FLAGS.decode()

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


def register_bfloat16(dtype):
    """Adds the loops for bfloat16, a dtype that another package made, to all ufuncs of all targets.

    Before any of them is called: NumPy remembers what a ufunc made of operands once.
    """
    global bfloat16_number
    cdef const fg_target *const *target = fg_targets
    cdef int f, number = dtype.num
    bfloat16_number = number
    scalar_types.add(dtype.type)
    while target[0] != NULL:
        ufuncs = targets.get(target[0].name.decode())
        if ufuncs is not None:
            for f in range(FG_FUNCTIONS):
                register_loop(getattr(ufuncs, fg_functions[f].name.decode()), number,
                              &target[0].loops[f][FG_BF16])
            for f in range(FG_COMPOSITES):
                register_loop(getattr(ufuncs, fg_composites[f].name.decode()), number,
                              &target[0].composites[f][FG_BF16])
        target += 1


cdef int register_loop(ufunc, int number, const fg_loop *loop) except -1:
    """Adds one loop to a ufunc, all of whose operands have the user-defined dtype number."""
    return PyUFunc_RegisterLoopForType(<PyUFuncObject *>ufunc, number, ufunc_loop, NULL,
                                       <void *>loop)

def c_address(str name):
    """The address of a function of _fastgelu.pxd."""
    capsule = globals()["__pyx_capi__"][name]
    return <uintptr_t>PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule))
