/* loops.h: from a kernel to spans, functions over contiguous arrays, one for
 * every row of functions.def and every element type; and to the target's
 * table of them.  A target file defines FG_TARGET, its name, and includes
 * this last.
 *
 * A span runs its fast loop until a vector has a rare lane (kernel_*.h); then
 * a cold function serves vectors as long as they have one.  So the fast loop
 * contains no call, and the tables that it keeps in registers stay there. */

#define FG_SPAN(dtype, kernel, table, load, store, load_n, store_n, size, lanes)                   \
    FG_INLINE size_t rare_##dtype(const struct fg_table_##table *tab, int form, size_t n,          \
                                  const char *x, char *y) {                                        \
        const table##_near near = table##_near_open(tab);                                          \
        size_t left = n;                                                                           \
        for (; left >= lanes; x += lanes * size, y += lanes * size, left -= lanes) {               \
            v##kernel v = load(x);                                                                 \
            if (!kernel_##kernel##_rare(tab, form, v)) break;                                      \
            store(y, kernel_##kernel##_any(tab, &near, form, v));                                  \
        }                                                                                          \
        if (left == n) /* a part of a vector */                                                    \
            store_n(y, kernel_##kernel##_any(tab, &near, form, load_n(x, n)), n), left = 0;        \
        return n - left;                                                                           \
    }                                                                                              \
    typedef size_t rare_fn_##dtype(const struct fg_table_##table *tab, size_t n, const char *x,    \
                                   char *y);                                                       \
    FG_INLINE void span_##dtype(const struct fg_table_##table *tab, int form,                      \
                                rare_fn_##dtype *rare, size_t left, const char *x, char *y) {      \
        while (left >= lanes) {                                                                    \
            const table##_near near = table##_near_open(tab);                                      \
            struct fg_table_##table                                                                \
                own; /* its numbers: the compiler cannot know that y is not tab */                 \
            memcpy(&own, tab, offsetof(struct fg_table_##table, columns));                         \
            do {                                                                                   \
                v##kernel v = load(x);                                                             \
                if (FG_UNLIKELY(kernel_##kernel##_rare(&own, form, v))) break;                     \
                store(y, kernel_##kernel##_near(&own, &near, form, v));                            \
                x += lanes * size, y += lanes * size, left -= lanes;                               \
            } while (left >= lanes);                                                               \
            if (left >= lanes) {                                                                   \
                size_t done = rare(tab, left, x, y);                                               \
                x += done * size, y += done * size, left -= done;                                  \
            }                                                                                      \
        }                                                                                          \
        if (left) {                                                                                \
            const table##_near near = table##_near_open(tab);                                      \
            v##kernel v = load_n(x, left);                                                         \
            if (FG_UNLIKELY(kernel_##kernel##_rare(tab, form, v))) rare(tab, left, x, y);          \
            else store_n(y, kernel_##kernel##_near(tab, &near, form, v), left);                    \
        }                                                                                          \
    }

FG_SPAN(f16, f16, half, f16_load, f16_store, f16_load_n, f16_store_n, 2, FG_LANES_F32)
FG_SPAN(f32, f32, f32, f32_load, f32_store, f32_load_n, f32_store_n, 4, FG_LANES_F32)
FG_SPAN(f64, f64, f64, f64_load, f64_store, f64_load_n, f64_store_n, 8, FG_LANES_F64)
FG_SPAN(bf16, bf16, half, i16_load, i16_store, i16_load_n, i16_store_n, 2, 2 * FG_LANES_F32)
#undef FG_SPAN

/* A form's spans serve all its functions: the table is an argument. */
#define FG_FORM_SPAN(form, dtype, table)                                                           \
    FG_NOINLINE size_t rare_##dtype##_##form(const struct fg_table_##table *tab, size_t n,         \
                                             const char *x, char *y) {                             \
        return rare_##dtype(tab, FG_##form, n, x, y);                                              \
    }                                                                                              \
    FG_NOINLINE void span_##dtype##_##form(const struct fg_table_##table *tab, size_t n,           \
                                           char *const *args) {                                    \
        span_##dtype(tab, FG_##form, rare_##dtype##_##form, n, args[0], args[1]);                  \
    }
#define FG_FORM_SPANS(form)                                                                        \
    FG_FORM_SPAN(form, f16, half)                                                                  \
    FG_FORM_SPAN(form, f32, f32)                                                                   \
    FG_FORM_SPAN(form, f64, f64)                                                                   \
    FG_FORM_SPAN(form, bf16, half)
FG_FORM_SPANS(FORWARD)
FG_FORM_SPANS(SIGMOID)
FG_FORM_SPANS(DERIVATIVE)
FG_FORM_SPANS(EVEN)
FG_FORM_SPAN(EXPM1, f32, f32)
FG_FORM_SPAN(EXPM1, f64, f64)

#define FG_FUNCTION_SPAN(name, form, dtype, table)                                                 \
    static void name##_##dtype(size_t n, char *const *args) {                                      \
        span_##dtype##_##form(&fg_table_##table##_##name, n, args);                                \
    }
#define FASTGELU_FUNCTION(name, form, ...)                                                         \
    FG_FUNCTION_SPAN(name, form, f16, half)                                                        \
    FG_FUNCTION_SPAN(name, form, f32, f32)                                                         \
    FG_FUNCTION_SPAN(name, form, f64, f64)                                                         \
    FG_FUNCTION_SPAN(name, form, bf16, half)
#define FASTGELU_INTERNAL(name, form)                                                              \
    FG_FUNCTION_SPAN(name, form, f32, f32)                                                         \
    FG_FUNCTION_SPAN(name, form, f64, f64)
#include "functions.def"

#include "compose.h"

#define FG_STRING_(x) #x
#define FG_STRING(x) FG_STRING_(x)
#define FG_JOIN_(a, b) a##b
#define FG_JOIN(a, b) FG_JOIN_(a, b)

const struct fg_target FG_JOIN(fg_target_, FG_TARGET) = {
    FG_STRING(FG_TARGET),
    FG_JOIN(fg_have_, FG_TARGET),
    {
#define FASTGELU_FUNCTION(name, ...)                                                               \
    {{name##_f16, 1, 1, 2}, {name##_f32, 1, 1, 4}, {name##_f64, 1, 1, 8}, {name##_bf16, 1, 1, 2}},
#include "functions.def"
    },
    {
#define FG_COMPOSITE_LOOP(name, operation, dtype, size)                                            \
    {name##_##dtype, FG_INPUTS_##operation, FG_OUTPUTS(FG_##operation), size}
#define FASTGELU_COMPOSITE(name, operation, ...)                                                   \
    {FG_COMPOSITE_LOOP(name, operation, f16, 2), FG_COMPOSITE_LOOP(name, operation, f32, 4),       \
     FG_COMPOSITE_LOOP(name, operation, f64, 8), FG_COMPOSITE_LOOP(name, operation, bf16, 2)},
#include "functions.def"
    },
};
