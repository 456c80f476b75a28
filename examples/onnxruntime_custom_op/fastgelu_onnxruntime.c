/* fastgelu_onnxruntime.c: fastgelu's functions as operators of ONNX Runtime.
 *
 * A model uses them under the domain "fastgelu", with tensors of float16,
 * float or double (T):
 *
 *   Gelu(x: T) -> y: T            attribute approximate: "none" (the default) or "tanh"
 *   QuickGelu(x: T) -> y: T       x * sigmoid(1.702 * x)
 *   BiasGelu(x: T, bias: T)       gelu(x + bias), bias as long as the last axis of x
 *   SwiGLU(gate: T, up: T)        silu(gate) * up, of the same shape
 *
 * It runs in ONNX Runtime 1.18 and later. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <fastgelu.h>
#include <onnxruntime_c_api.h>

/* The oldest version with all that is called here. */
enum { API_VERSION = 18, DIMENSIONS = 32, CHUNK = 1 << 14 };

/* ---- the functions on flat arrays ------------------------------------------ */

/* One run of an operator: a function of x, or of x and another input, which
 * has `width` elements and starts anew for each row of x. */
struct call {
    void (*function)(const struct call *call, size_t first, size_t n);
    const char *x, *other;
    char *y;
    size_t size, width;
};

/* The elements first, first + 1, ... first + n - 1. */
#define DEFINE_1(function, type, T)                                                                \
    static void run_##function##_##type(const struct call *c, size_t first, size_t n) {            \
        fastgelu_##function##_##type(n, (const T *)c->x + first, (T *)c->y + first);               \
    }
#define DEFINE_2(function, type, T)                                                                \
    static void run_##function##_##type(const struct call *c, size_t first, size_t n) {            \
        while (n) {                                                                                \
            size_t column = first % c->width, piece = c->width - column;                           \
            if (piece > n) piece = n;                                                              \
            fastgelu_##function##_##type(piece, (const T *)c->x + first,                           \
                                         (const T *)c->other + column, (T *)c->y + first);         \
            first += piece, n -= piece;                                                            \
        }                                                                                          \
    }
#define FOR_ALL_TYPES(define, function)                                                            \
    define(function, f16, uint16_t) define(function, f32, float) define(function, f64, double)
FOR_ALL_TYPES(DEFINE_1, gelu)
FOR_ALL_TYPES(DEFINE_1, gelu_tanh)
FOR_ALL_TYPES(DEFINE_1, quick_gelu)
FOR_ALL_TYPES(DEFINE_2, bias_gelu)
FOR_ALL_TYPES(DEFINE_2, swiglu)

/* ---- the operators --------------------------------------------------------- */

enum shape {
    UNARY,
    BIAS, /* the other input is as long as the last axis of the first */
    GATE  /* both inputs have the same shape */
};

/* An operator for one element type.  ONNX Runtime knows it by the first member. */
struct typed_op {
    OrtCustomOp base;
    const char *name;
    ONNXTensorElementDataType type;
    enum shape shape;
    void (*function)(const struct call *, size_t, size_t);
    void (*tanh_form)(const struct call *, size_t, size_t); /* of Gelu */
};

/* An operator where it stands in a model. */
struct kernel {
    const OrtApi *api;
    const struct typed_op *op;
    void (*function)(const struct call *, size_t, size_t);
};

static const OrtApi *_Atomic api_in_use; /* for infer_shape(), which is handed none */

/* Returns from the function if an ONNX Runtime call fails. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        OrtStatus *status_ = (call);                                                               \
        if (status_) return status_;                                                               \
    } while (0)

static const char *ORT_API_CALL name(const OrtCustomOp *op) {
    return ((const struct typed_op *)op)->name;
}

static const char *ORT_API_CALL provider(const OrtCustomOp *op) {
    (void)op;
    return NULL; /* the CPU's */
}

static ONNXTensorElementDataType ORT_API_CALL type(const OrtCustomOp *op, size_t i) {
    (void)i;
    return ((const struct typed_op *)op)->type;
}

static size_t ORT_API_CALL inputs(const OrtCustomOp *op) {
    return ((const struct typed_op *)op)->shape == UNARY ? 1 : 2;
}

static size_t ORT_API_CALL outputs(const OrtCustomOp *op) {
    (void)op;
    return 1;
}

static OrtCustomOpInputOutputCharacteristic ORT_API_CALL required(const OrtCustomOp *op, size_t i) {
    (void)op, (void)i;
    return INPUT_OUTPUT_REQUIRED;
}

static OrtMemType ORT_API_CALL memory(const OrtCustomOp *op, size_t i) {
    (void)op, (void)i;
    return OrtMemTypeDefault;
}

static int ORT_API_CALL first_version(const OrtCustomOp *op) {
    (void)op;
    return 1;
}

static int ORT_API_CALL last_version(const OrtCustomOp *op) {
    (void)op;
    return 2147483647;
}

/* The result may take the place of the first input, which then is not copied. */
static size_t ORT_API_CALL in_place(int **input, int **output) {
    static int zero;
    *input = *output = &zero;
    return 1;
}

static void ORT_API_CALL release_in_place(int *input, int *output) { (void)input, (void)output; }

/* The result has the shape of the first input.  Nothing is said of it where
 * that is unknown: no dimensions at all may mean so, or one without a name. */
static OrtStatus *ORT_API_CALL infer_shape(const OrtCustomOp *op, OrtShapeInferContext *context) {
    (void)op;
    const OrtApi *api = api_in_use;
    OrtTensorTypeAndShapeInfo *shape;
    size_t count;
    int64_t dimensions[DIMENSIONS];
    const char *names[DIMENSIONS];
    TRY(api->ShapeInferContext_GetInputTypeShape(context, 0, &shape));
    TRY(api->GetDimensionsCount(shape, &count));
    if (count == 0 || count > DIMENSIONS) return NULL;
    TRY(api->GetDimensions(shape, dimensions, count));
    TRY(api->GetSymbolicDimensions(shape, names, count));
    for (size_t i = 0; i < count; i++)
        if (dimensions[i] < 0 && !*names[i]) return NULL;
    return api->ShapeInferContext_SetOutputTypeShape(context, 0, shape);
}

static OrtStatus *ORT_API_CALL create(const OrtCustomOp *base, const OrtApi *api,
                                      const OrtKernelInfo *info, void **result) {
    const struct typed_op *op = (const struct typed_op *)base;
    struct kernel kernel = {api, op, op->function};
    if (op->tanh_form) {
        char form[8] = "none";
        size_t size = sizeof form;
        OrtStatus *status = api->KernelInfoGetAttribute_string(info, "approximate", form, &size);
        if (status && size > sizeof form) strcpy(form, "?"); /* a longer word */
        if (status) api->ReleaseStatus(status);              /* else there is no such attribute */
        if (!strcmp(form, "tanh")) kernel.function = op->tanh_form;
        else if (strcmp(form, "none"))
            return api->CreateStatus(ORT_INVALID_ARGUMENT,
                                     "fastgelu.Gelu: approximate is \"none\" or \"tanh\"");
    }
    struct kernel *copy = malloc(sizeof *copy);
    if (!copy) return api->CreateStatus(ORT_FAIL, "fastgelu: out of memory");
    *copy = kernel;
    *result = copy;
    return NULL;
}

static void ORT_API_CALL destroy(void *kernel) { free(kernel); }

/* The dimensions of a tensor and the number of elements. */
static OrtStatus *get_shape(const OrtApi *api, const OrtValue *value, int64_t *dimensions,
                            size_t *count, size_t *elements) {
    OrtTensorTypeAndShapeInfo *shape;
    TRY(api->GetTensorTypeAndShape(value, &shape));
    OrtStatus *status = api->GetDimensionsCount(shape, count);
    if (!status && *count > DIMENSIONS)
        status = api->CreateStatus(ORT_INVALID_ARGUMENT, "fastgelu: too many dimensions");
    if (!status) status = api->GetDimensions(shape, dimensions, *count);
    if (!status) status = api->GetTensorShapeElementCount(shape, elements);
    api->ReleaseTensorTypeAndShapeInfo(shape);
    return status;
}

/* A chunk of an array, for one thread. */
static void run_chunk(void *data, size_t i) {
    const struct call *call = data;
    size_t first = i * CHUNK, n = call->size - first;
    call->function(call, first, n < CHUNK ? n : CHUNK);
}

static OrtStatus *ORT_API_CALL compute(void *data, OrtKernelContext *context) {
    const struct kernel *kernel = data;
    const OrtApi *api = kernel->api;
    const OrtValue *x, *other;
    int64_t dimensions[DIMENSIONS], other_dimensions[DIMENSIONS];
    size_t count, other_count;
    struct call call = {.function = kernel->function};
    void *pointer;

    TRY(api->KernelContext_GetInput(context, 0, &x));
    TRY(get_shape(api, x, dimensions, &count, &call.size));
    TRY(api->GetTensorMutableData((OrtValue *)x, &pointer));
    call.x = pointer;
    if (kernel->op->shape != UNARY) {
        TRY(api->KernelContext_GetInput(context, 1, &other));
        TRY(get_shape(api, other, other_dimensions, &other_count, &call.width));
        TRY(api->GetTensorMutableData((OrtValue *)other, &pointer));
        call.other = pointer;
        const size_t axes = kernel->op->shape == BIAS ? 1 : count;
        if (count < axes || other_count != axes ||
            memcmp(other_dimensions, dimensions + count - axes, axes * sizeof *dimensions))
            return api->CreateStatus(
                ORT_INVALID_ARGUMENT,
                kernel->op->shape == BIAS
                    ? "fastgelu.BiasGelu: bias is as long as the last axis of x"
                    : "fastgelu.SwiGLU: gate and up have the same shape");
    }
    OrtValue *y;
    TRY(api->KernelContext_GetOutput(context, 0, dimensions, count, &y));
    TRY(api->GetTensorMutableData(y, &pointer));
    call.y = pointer;

    if (call.size <= CHUNK) {
        if (call.size) run_chunk(&call, 0);
        return NULL;
    }
    /* The threads of the session share the chunks; results do not depend on them. */
    return api->KernelContext_ParallelFor(context, run_chunk, (call.size + CHUNK - 1) / CHUNK, 0,
                                          &call);
}

/* ---- registration ---------------------------------------------------------- */

/* clang-format off */
#define BASE                                                                                       \
    {                                                                                              \
        .version = API_VERSION, .GetName = name, .GetExecutionProviderType = provider,             \
        .GetInputType = type, .GetInputTypeCount = inputs, .GetOutputType = type,                  \
        .GetOutputTypeCount = outputs, .KernelDestroy = destroy,                                   \
        .GetInputCharacteristic = required, .GetOutputCharacteristic = required,                   \
        .GetInputMemoryType = memory, .CreateKernelV2 = create, .KernelComputeV2 = compute,        \
        .InferOutputShapeFn = infer_shape, .GetStartVersion = first_version,                       \
        .GetEndVersion = last_version, .GetMayInplace = in_place,                                  \
        .ReleaseMayInplace = release_in_place                                                      \
    }
#define ONNX(type) ONNX_TENSOR_ELEMENT_DATA_TYPE_##type
#define OPERATOR(name, shape, function, tanh_form)                                                 \
    {BASE, name, ONNX(FLOAT16), shape, FORMS(function, tanh_form, f16)},                           \
    {BASE, name, ONNX(FLOAT), shape, FORMS(function, tanh_form, f32)},                             \
    {BASE, name, ONNX(DOUBLE), shape, FORMS(function, tanh_form, f64)}
#define FORMS(function, tanh_form, type) run_##function##_##type, tanh_form(type)
#define GELU_TANH(type) run_gelu_tanh_##type
#define NONE(type) NULL
static const struct typed_op operators[] = {
    OPERATOR("Gelu", UNARY, gelu, GELU_TANH),
    OPERATOR("QuickGelu", UNARY, quick_gelu, NONE),
    OPERATOR("BiasGelu", BIAS, bias_gelu, NONE),
    OPERATOR("SwiGLU", GATE, swiglu, NONE),
};
/* clang-format on */

/* What SessionOptions.register_custom_ops_library() looks up and calls.  A
 * session keeps pointers to the domain and its operators: one of them serves
 * all sessions, and is never released. */
ORT_EXPORT OrtStatus *ORT_API_CALL RegisterCustomOps(OrtSessionOptions *options,
                                                     const OrtApiBase *base) {
    static OrtCustomOpDomain *_Atomic shared;
    const OrtApi *api = base->GetApi(API_VERSION);
    if (!api)
        return base->GetApi(1)->CreateStatus(ORT_FAIL, "fastgelu needs ONNX Runtime 1.18 or later");
    api_in_use = api;
    OrtCustomOpDomain *domain = shared;
    if (!domain) {
        OrtCustomOpDomain *made;
        TRY(api->CreateCustomOpDomain("fastgelu", &made));
        for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
            TRY(api->CustomOpDomain_Add(made, &operators[i].base));
        if (atomic_compare_exchange_strong(&shared, &domain, made)) domain = made;
        else api->ReleaseCustomOpDomain(made); /* another thread was first */
    }
    return api->AddCustomOpDomain(options, domain);
}
