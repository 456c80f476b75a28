/* api.c: the public functions of fastgelu.h, expanded from functions.def, and
 * the target that they run. */
#include "compiler.h"

#include <assert.h>
#include <stdlib.h>

#include "../include/fastgelu.h"
#include "fastgelu_internal.h"
#include "threads.h"

/* ---- the target in use ----------------------------------------------------
 * Two words, so that no thread has to wait or retry: what fastgelu_set_isa()
 * asked for, and what the first call found.  Threads that come first at the
 * same time all look and find the same. */

#if defined(_MSC_VER) && !defined(__clang__)
typedef const struct fg_target *volatile atomic_target;
#else
typedef const struct fg_target *_Atomic atomic_target;
#endif
static atomic_target wanted, found;

/* The target of that name, or NULL if this machine has none. */
static const struct fg_target *named(const char *name) {
    for (size_t i = 0; fg_targets[i]; i++)
        if (!strcmp(fg_targets[i]->name, name) && fg_targets[i]->available()) return fg_targets[i];
    return NULL;
}

static const struct fg_target *current(void) {
    const struct fg_target *target = wanted;
    if (target) return target;
    target = found;
    if (target) return target;
    const char *name = getenv("FASTGELU_ISA");
    if (name) target = named(name);
    if (!target) target = fg_best_target();
    found = target;
    return target;
}

const char *fastgelu_version(void) { return FASTGELU_VERSION; }

const char *fastgelu_isa(void) { return current()->name; }

int fastgelu_set_isa(const char *name) {
    const struct fg_target *target = name && *name ? named(name) : fg_best_target();
    if (!target) return -1;
    wanted = target;
    return 0;
}

/* ---- threads --------------------------------------------------------------- */

int fastgelu_get_num_threads(void) { return fg_get_num_threads(); }
int fastgelu_set_num_threads(int n) { return fg_set_num_threads(n); }

/* ---- what a debug build checks -------------------------------------------- */

#ifdef NDEBUG
#define check(loop, n, args, strides) (void)0
#else
/* Do an element of a and one of b share a byte?  Looks at each element of b,
 * since strided arrays may lie within one another and share none. */
static int share_bytes(ptrdiff_t n, ptrdiff_t size, const char *a, ptrdiff_t a_stride,
                       const char *b, ptrdiff_t b_stride) {
    for (ptrdiff_t j = 0; j < n; j++, b += b_stride) {
        ptrdiff_t distance = (ptrdiff_t)((uintptr_t)b - (uintptr_t)a);
        ptrdiff_t nearest = a_stride ? distance / a_stride : 0;
        for (ptrdiff_t i = nearest - 1; i <= nearest + 1; i++) {
            ptrdiff_t gap = distance - (i < 0 ? 0 : i < n ? i : n - 1) * a_stride;
            if (-size < gap && gap < size) return 1;
        }
    }
    return 0;
}

static void check(fg_loop *loop, size_t n, char *const *args, const ptrdiff_t *strides) {
    if (n == 0) return;
    for (int o = 0; o < loop->inputs + loop->outputs; o++) {
        assert(args[o] && "fastgelu: an array is NULL");
        if (o < loop->inputs) continue;
        assert((n == 1 || strides[o] >= loop->size || strides[o] <= -loop->size) &&
               "fastgelu: the elements of a result overlap one another");
        for (int i = 0; i < o; i++) {
            int in_place = i < loop->inputs && args[i] == args[o] && strides[i] == strides[o];
            assert((in_place || !share_bytes((ptrdiff_t)n, loop->size, args[i], strides[i], args[o],
                                             strides[o])) &&
                   "fastgelu: a result overlaps another array otherwise than exactly");
        }
    }
}
#endif

/* ---- the functions --------------------------------------------------------- */

#define UNPACK(...) __VA_ARGS__

/* One function and element type: contiguous, strided and, with one result, for one number.  That
 * runs portable C: a vector with one lane in use takes up to three times as long. */
extern const struct fg_target fg_target_scalar;
#define DEFINE(name, type, loop, arrays, strided_arrays, args, strides)                            \
    void fastgelu_##name(size_t n, UNPACK arrays) {                                                \
        char *const a[] = {UNPACK args};                                                           \
        const ptrdiff_t size = sizeof(type), s[] = {size, size, size, size, size};                 \
        check(&current()->loop, n, a, s);                                                          \
        fg_run(&current()->loop, n, a, s);                                                         \
    }                                                                                              \
    void fastgelu_##name##_strided(size_t n, UNPACK strided_arrays) {                              \
        char *const a[] = {UNPACK args};                                                           \
        const ptrdiff_t s[] = {UNPACK strides};                                                    \
        check(&current()->loop, n, a, s);                                                          \
        fg_run(&current()->loop, n, a, s);                                                         \
    }

/* clang-format off */
#define DEFINE_1_1(name, T, loop)                                                                  \
    DEFINE(name, T, loop,                                                                          \
        (const T *x, T *y),                                                                        \
        (const T *x, ptrdiff_t x_stride, T *y, ptrdiff_t y_stride),                                \
        ((char *)x, (char *)y), (x_stride, y_stride))                                              \
    T fastgelu_##name##_scalar(T x) {                                                              \
        T y;                                                                                       \
        char *const a[] = {(char *)&x, (char *)&y};                                                \
        const ptrdiff_t s[] = {0, 0};                                                              \
        fg_run(&fg_target_scalar.loop, 1, a, s);                                                   \
        return y;                                                                                  \
    }
#define DEFINE_2_1(name, T, loop)                                                                  \
    DEFINE(name, T, loop,                                                                          \
        (const T *v, const T *w, T *y),                                                            \
        (const T *v, ptrdiff_t v_stride, const T *w, ptrdiff_t w_stride, T *y, ptrdiff_t y_stride),\
        ((char *)v, (char *)w, (char *)y), (v_stride, w_stride, y_stride))                         \
    T fastgelu_##name##_scalar(T v, T w) {                                                         \
        T y;                                                                                       \
        char *const a[] = {(char *)&v, (char *)&w, (char *)&y};                                    \
        const ptrdiff_t s[] = {0, 0, 0};                                                           \
        fg_run(&fg_target_scalar.loop, 1, a, s);                                                   \
        return y;                                                                                  \
    }
#define DEFINE_3_2(name, T, loop)                                                                  \
    DEFINE(name, T, loop,                                                                          \
        (const T *u, const T *v, const T *w, T *y, T *z),                                          \
        (const T *u, ptrdiff_t u_stride, const T *v, ptrdiff_t v_stride, const T *w,               \
         ptrdiff_t w_stride, T *y, ptrdiff_t y_stride, T *z, ptrdiff_t z_stride),                  \
        ((char *)u, (char *)v, (char *)w, (char *)y, (char *)z),                                   \
        (u_stride, v_stride, w_stride, y_stride, z_stride))
#define DEFINE_ALL(define, name, loops)                                                            \
    define(name##_f16, uint16_t, loops[FG_F16])                                                    \
    define(name##_f32, float, loops[FG_F32])                                                       \
    define(name##_f64, double, loops[FG_F64])                                                      \
    define(name##_bf16, uint16_t, loops[FG_BF16])
/* clang-format on */

/* How many inputs and results each operation of a composite has. */
#define DEFINE_RELU DEFINE_1_1
#define DEFINE_RELU_GRAD DEFINE_1_1
#define DEFINE_LEAKY_RELU DEFINE_2_1
#define DEFINE_LEAKY_RELU_GRAD DEFINE_2_1
#define DEFINE_ELU DEFINE_2_1
#define DEFINE_ELU_GRAD DEFINE_2_1
#define DEFINE_BIAS DEFINE_2_1
#define DEFINE_BACKWARD DEFINE_2_1
#define DEFINE_GATE DEFINE_2_1
#define DEFINE_GATE_BACKWARD DEFINE_3_2

#define FASTGELU_FUNCTION(name, ...) DEFINE_ALL(DEFINE_1_1, name, loops[FG_FUNCTION_##name])
#define FASTGELU_COMPOSITE(name, operation, ...)                                                   \
    DEFINE_ALL(DEFINE_##operation, name, composites[FG_COMPOSITE_##name])
#include "functions.def"
