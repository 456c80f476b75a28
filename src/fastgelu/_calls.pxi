# Large calls of ufuncs, shared among threads whatever the layout of the arrays.
#
# fg_run() shares a span; but NumPy hands its inner loop one row at a time where rows do not join
# (halves of packed arrays, a bias for each row), and 8192 elements where a dtype has to be cast.
# So a ufunc's own entry for calls, a field of its struct, is replaced by one that takes the large
# calls of plain arrays: it lays them out by NumPy's iterator, as NumPy would, and gives each
# thread a range of it.  All else goes on to NumPy's entry.  The object stays an np.ufunc: its
# methods, its name and overrides by __array_ufunc__ are as they were.


cdef extern from "fastgelu_internal.h":
    enum:
        FG_SHARE_BYTES
        FG_PART_BYTES
    ctypedef void fg_part(const void *context, long i) noexcept nogil
    void fg_run_parts(size_t bytes, long parts, fg_part *part, const void *context) noexcept nogil


cdef extern from "numpy/arrayobject.h":
    ctypedef unsigned int npy_uint32
    ctypedef struct PyArrayObject:
        pass
    ctypedef struct PyArray_Descr:
        int type_num
    ctypedef struct NpyIter:
        pass
    ctypedef int (*NpyIter_IterNextFunc "NpyIter_IterNextFunc *")(NpyIter *) noexcept nogil
    enum:
        NPY_KEEPORDER
        NPY_SAFE_CASTING
        NPY_ITER_EXTERNAL_LOOP
        NPY_ITER_BUFFERED
        NPY_ITER_GROWINNER
        NPY_ITER_DELAY_BUFALLOC
        NPY_ITER_RANGED
        NPY_ITER_COPY_IF_OVERLAP
        NPY_ITER_READONLY
        NPY_ITER_WRITEONLY
        NPY_ITER_ALLOCATE
        NPY_ITER_NO_BROADCAST
        NPY_ITER_NO_SUBTYPE
        NPY_ITER_OVERLAP_ASSUME_ELEMENTWISE
    int _import_array() except -1
    bint PyArray_CheckExact(PyObject *)
    int PyArray_NDIM(PyArrayObject *)
    npy_intp PyArray_DIM(PyArrayObject *, int)
    npy_intp PyArray_SIZE(PyArrayObject *)
    PyArray_Descr *PyArray_DESCR(PyArrayObject *)
    bint PyArray_ISCARRAY_RO(PyArrayObject *)
    NpyIter *NpyIter_MultiNew(int, PyArrayObject **, npy_uint32, int, int, npy_uint32 *,
                              PyArray_Descr **) except NULL
    NpyIter *NpyIter_Copy(NpyIter *) except NULL
    int NpyIter_Deallocate(NpyIter *)
    npy_intp NpyIter_GetIterSize(NpyIter *)
    int NpyIter_ResetToIterIndexRange(NpyIter *, npy_intp, npy_intp, char **) nogil
    NpyIter_IterNextFunc NpyIter_GetIterNext(NpyIter *, char **) nogil
    char **NpyIter_GetDataPtrArray(NpyIter *) nogil
    npy_intp *NpyIter_GetInnerStrideArray(NpyIter *) nogil
    npy_intp *NpyIter_GetInnerLoopSizePtr(NpyIter *) nogil
    bint NpyIter_IterationNeedsAPI(NpyIter *)
    PyArrayObject **NpyIter_GetOperandArray(NpyIter *)


# Vectorcall, PEP 590; nargsf is the number of positional arguments and a flag in its highest bit.
# Errors pass as NULL, without another line in their traceback.
ctypedef PyObject *(*entry)(PyObject *, PyObject **, size_t, PyObject *) noexcept

cdef entry numpys_entry = NULL
cdef size_t NARGS = (<size_t>-1) >> 1

cdef set scalar_types = {float, int, bool, np.float16, np.float32, np.float64}
cdef int bfloat16_number = -1


cdef struct Job:
    const fg_loop *loop
    NpyIter **iterators  # a copy for each part
    npy_intp size, parts
    bint failed


cdef void run_part(const void *context, long i) noexcept nogil:
    cdef Job *job = <Job *>context
    cdef NpyIter *iterator = job.iterators[i]
    cdef npy_intp part = job.size // job.parts, longer = job.size % job.parts
    cdef npy_intp begin = i * part + min(<npy_intp>i, longer)
    cdef char *error = NULL  # asked for: nothing here needs the GIL then
    if NpyIter_ResetToIterIndexRange(iterator, begin, begin + part + (i < longer), &error) != 1:
        job.failed = True
        return
    cdef NpyIter_IterNextFunc advance = NpyIter_GetIterNext(iterator, &error)
    if advance == NULL:
        job.failed = True
        return
    cdef char **args = NpyIter_GetDataPtrArray(iterator)
    cdef npy_intp *strides = NpyIter_GetInnerStrideArray(iterator)
    cdef npy_intp *n = NpyIter_GetInnerLoopSizePtr(iterator)
    while True:
        fg_run(job.loop, <size_t>n[0], args, <const ptrdiff_t *>strides)
        if not advance(iterator):
            break


cdef int loop_of(PyArray_Descr *descr) noexcept:
    """Which of a function's loops is for a dtype, or -1."""
    if descr.type_num == NPY_HALF:
        return FG_F16
    if descr.type_num == NPY_FLOAT:
        return FG_F32
    if descr.type_num == NPY_DOUBLE:
        return FG_F64
    return FG_BF16 if descr.type_num == bfloat16_number else -1


cdef npy_intp broadcast_size(int n, PyObject **args) noexcept:
    """How many elements the arrays among the arguments have together, if they fit together."""
    cdef npy_intp size = 1, extent
    cdef int i, d, ndim = 0
    for i in range(n):
        if PyArray_CheckExact(args[i]):
            ndim = max(ndim, PyArray_NDIM(<PyArrayObject *>args[i]))
    for d in range(1, ndim + 1):
        extent = 1
        for i in range(n):
            if PyArray_CheckExact(args[i]) and d <= PyArray_NDIM(<PyArrayObject *>args[i]):
                extent = PyArray_DIM(<PyArrayObject *>args[i],
                                     PyArray_NDIM(<PyArrayObject *>args[i]) - d)
                if extent != 1:
                    break
        size *= extent
    return size


cdef object outputs_of(int nin, int nout, PyObject **args, size_t n, PyObject *kwnames):
    """The nout output arguments, None where there is none; or None if there is anything else."""
    cdef list outputs = [<object>args[i] for i in range(nin, n)]
    if kwnames != NULL and len(<object>kwnames):
        if outputs or <object>kwnames != ("out",):
            return None
        out = <object>args[n]
        outputs = list(out) if type(out) is tuple else [out]
        if len(outputs) != nout and out is not None:
            return None
    outputs += [None] * (nout - len(outputs))
    for out in outputs:
        if out is not None and not PyArray_CheckExact(<PyObject *>out):
            return None
    return outputs


cdef object large_call(PyObject *ufunc, PyObject **args, size_t n, PyObject *kwnames):
    """The result of ufunc(*args), by several threads; None, and nothing done, if it is not for
    them, or not in order."""
    cdef int nin = (<PyUFuncObject *>ufunc).nin, nout = (<PyUFuncObject *>ufunc).nout
    cdef int i
    if n < <size_t>nin or n > <size_t>(nin + nout):
        return None
    cdef npy_intp size = broadcast_size(nin, args)
    if size < FG_SHARE_BYTES // 4:  # in the widest dtype, two shares
        return None
    cdef list outputs = outputs_of(nin, nout, args, n, kwnames)
    if outputs is None:
        return None
    cdef list operands = [<object>args[i] for i in range(nin)] + outputs
    cdef bint one_span = PyArray_CheckExact(args[0]) and loop_of(
        PyArray_DESCR(<PyArrayObject *>args[0])) >= 0
    for operand in operands:
        if PyArray_CheckExact(<PyObject *>operand):
            one_span = (one_span and PyArray_ISCARRAY_RO(<PyArrayObject *>operand)
                        and PyArray_SIZE(<PyArrayObject *>operand) == size
                        and operand.dtype == operands[0].dtype)
        elif operand is not None:
            if type(operand) not in scalar_types:
                return None
            one_span = False
    if one_span:
        return None

    # Which loop it is NumPy says, by the result for as many elements as none.  If it warns of a
    # number among the inputs, that is told below or by NumPy's own call, not twice.
    cdef list empty = [np.empty(0, operand.dtype) if getattr(operand, "ndim", 0) else operand
                       for operand in operands[:nin]]
    with np.errstate(all="ignore"):
        result = (<object>ufunc)(*empty)
    dtype = (result[0] if nout > 1 else result).dtype
    cdef PyArray_Descr *descr = <PyArray_Descr *>dtype
    cdef int loop = loop_of(descr)
    if loop < 0:
        return None
    cdef size_t bytes = <size_t>size * <size_t>dtype.itemsize
    if bytes < 2 * FG_SHARE_BYTES:
        return None
    for i in range(nin):
        if type(operands[i]) in scalar_types:
            operands[i] = np.asarray(operands[i], dtype)

    cdef PyArrayObject *arrays[MOST_OPERANDS]
    cdef PyArray_Descr *descrs[MOST_OPERANDS]
    cdef npy_uint32 flags[MOST_OPERANDS]
    for i in range(nin + nout):
        arrays[i] = NULL if operands[i] is None else <PyArrayObject *>operands[i]
        descrs[i] = descr
        flags[i] = NPY_ITER_OVERLAP_ASSUME_ELEMENTWISE | (
            NPY_ITER_READONLY if i < nin else
            NPY_ITER_WRITEONLY | NPY_ITER_ALLOCATE | NPY_ITER_NO_BROADCAST | NPY_ITER_NO_SUBTYPE
        )
    # Casts that lose nothing raise no floating-point flag, which NumPy would turn into a warning,
    # but for signalling NaNs.
    cdef NpyIter *iterator = NpyIter_MultiNew(
        nin + nout, arrays,
        NPY_ITER_EXTERNAL_LOOP | NPY_ITER_BUFFERED | NPY_ITER_GROWINNER | NPY_ITER_DELAY_BUFALLOC
        | NPY_ITER_RANGED | NPY_ITER_COPY_IF_OVERLAP,
        NPY_KEEPORDER, NPY_SAFE_CASTING, flags, descrs)
    cdef Job job
    cdef npy_intp copies = 0
    job.loop = <const fg_loop *>(<PyUFuncObject *>ufunc).data[0] + loop
    job.size, job.failed = NpyIter_GetIterSize(iterator), False  # out may be larger than the inputs
    job.parts = min(<npy_intp>(bytes // FG_PART_BYTES), 8 * <npy_intp>fg_get_num_threads())
    job.iterators = <NpyIter **>PyMem_Malloc(<size_t>job.parts * sizeof(NpyIter *))
    try:
        # From here on it is too late for NumPy to begin anew: what overlaps has been copied.
        if job.iterators == NULL or NpyIter_IterationNeedsAPI(iterator):
            raise MemoryError
        while copies < job.parts:
            job.iterators[copies] = NpyIter_Copy(iterator)
            copies += 1
        with nogil:
            fg_run_parts(bytes, <long>job.parts, run_part, &job)
        for i in range(nout):
            if outputs[i] is None:
                outputs[i] = <object>NpyIter_GetOperandArray(iterator)[nin + i]
    finally:
        for i in range(<int>copies):
            NpyIter_Deallocate(job.iterators[i])
        NpyIter_Deallocate(iterator)
        PyMem_Free(job.iterators)
    if job.failed:  # for NumPy to repeat, it could be too late: an input may be the output
        raise MemoryError
    return outputs[0] if nout == 1 else tuple(outputs)


cdef PyObject *call(PyObject *ufunc, PyObject **args, size_t nargsf,
                    PyObject *kwnames) noexcept:
    """The entry of every ufunc here."""
    if fg_get_num_threads() > 1:
        try:
            result = large_call(ufunc, args, nargsf & NARGS, kwnames)
            if result is not None:
                Py_INCREF(result)
                return <PyObject *>result
        except BaseException as error:  # most NumPy will meet as well, and say so in its way
            if isinstance(error, MemoryError) or not isinstance(error, Exception):
                PyErr_SetObject(type(error), error)
                return NULL
    return numpys_entry(ufunc, args, nargsf, kwnames)


cdef void share_calls_of(object ufunc) noexcept:
    """Replaces the entry for calls of a ufunc."""
    global numpys_entry
    cdef PyUFuncObject *u = <PyUFuncObject *>ufunc
    if u.vectorcall != NULL:
        numpys_entry = <entry>u.vectorcall
        u.vectorcall = <void *>call
