/* loops.h: from a kernel to spans, functions over contiguous arrays, one for
 * every row of functions.def and every element type; and to the target's
 * table of them.  A target file defines FG_TARGET, its name, and includes
 * this last.
 *
 * A span runs its fast loop until a vector has a rare lane (kernel_*.h); then
 * a cold function serves vectors as long as there are some.  So the fast loop
 * contains no call, and the tables that it keeps in registers stay there.
 *
 * The fast loop takes FG_AHEAD vectors at a time: first it finds all their
 * rows, then it computes, FG_TOGETHER vectors side by side.  From an element to
 * its result is a long way, and few vectors at once fit into what a processor
 * keeps of operations that wait; one that executes in order keeps none.  Where
 * rows are loaded, their numbers go through memory: the short way from vector to
 * general registers, if there is time. */

/* How many elements come before both arrays are at a multiple of the vector's
 * size; 0 if they never are, or too short for that to pay.  Arrays of NumPy are
 * at multiples of 16 bytes, and a wide vector across two cache lines costs 5 %. */
FG_INLINE size_t aligning_part(const char *x, const char *y, size_t n, size_t size, size_t lanes) {
    const size_t bytes = size * lanes, past = (uintptr_t)x % bytes;
    if (n < 32 * lanes || past == 0 || past % size || (uintptr_t)y % bytes != past) return 0;
    return (bytes - past) / size;
}

#define FG_SPAN(dtype, kernel, table, load, store, load_n, store_n, size, lanes)                   \
    FG_INLINE size_t rare_##dtype(const struct fg_table_##table *tab, int form, size_t n,          \
                                  const char *x, char *y) {                                        \
        const table##_near near = table##_near_open(tab);                                          \
        size_t left = n;                                                                           \
        for (int found = 1; found && left >= lanes;) {                                             \
            found = 0;                                                                             \
            for (int i = 0; i < FG_AHEAD && left >= lanes; i++) {                                  \
                v##kernel v = load(x);                                                             \
                if (kernel_##kernel##_rare(tab, form, v)) {                                        \
                    found = 1;                                                                     \
                    v = kernel_##kernel##_any(tab, &near, form, v);                                \
                } else {                                                                           \
                    rows_##kernel k = kernel_##kernel##_rows(tab, v);                              \
                    v = kernel_##kernel##_near(tab, &near, form, &k, v);                           \
                }                                                                                  \
                store(y, v);                                                                       \
                x += lanes * size, y += lanes * size, left -= lanes;                               \
            }                                                                                      \
        }                                                                                          \
        if (left == n) /* a part of a vector */                                                    \
            store_n(y, kernel_##kernel##_any(tab, &near, form, load_n(x, n)), n), left = 0;        \
        return n - left;                                                                           \
    }                                                                                              \
    typedef size_t rare_fn_##dtype(const struct fg_table_##table *tab, size_t n, const char *x,    \
                                   char *y);                                                       \
    /* Whole groups of so many vectors, up to one with a rare lane; returns what is left. */       \
    FG_INLINE size_t groups_##dtype(const struct fg_table_##table *tab, const table##_near *near,  \
                                    int form, int group, int together, size_t left, const char *x, \
                                    char *y) {                                                     \
        while (left >= (size_t)group * lanes) {                                                    \
            rows_##kernel k[FG_AHEAD];                                                             \
            int rare = 0;                                                                          \
            for (int i = 0; i < group; i += together) {                                            \
                FG_UNROLL(FG_TOGETHER)                                                             \
                for (int j = i; j < i + together; j++) {                                           \
                    v##kernel v = load(x + j * (lanes * size));                                    \
                    rare |= kernel_##kernel##_rare(tab, form, v);                                  \
                    k[j] = kernel_##kernel##_rows(tab, v);                                         \
                }                                                                                  \
            }                                                                                      \
            if (FG_UNLIKELY(rare)) break;                                                          \
            for (int i = 0; i < group; i += together) {                                            \
                v##kernel v[FG_TOGETHER];                                                          \
                FG_UNROLL(FG_TOGETHER)                                                             \
                for (int j = 0; j < together; j++) v[j] = load(x + j * (lanes * size));            \
                FG_UNROLL(FG_TOGETHER)                                                             \
                for (int j = 0; j < together; j++)                                                 \
                    v[j] = kernel_##kernel##_near(tab, near, form, &k[i + j], v[j]);               \
                FG_UNROLL(FG_TOGETHER)                                                             \
                for (int j = 0; j < together; j++) store(y + j * (lanes * size), v[j]);            \
                x += together * (lanes * size), y += together * (lanes * size);                    \
            }                                                                                      \
            left -= (size_t)group * lanes;                                                         \
        }                                                                                          \
        return left;                                                                               \
    }                                                                                              \
    FG_INLINE void span_##dtype(const struct fg_table_##table *tab, int form,                      \
                                rare_fn_##dtype *rare, size_t n, const char *x, char *y) {         \
        size_t left = n, part = aligning_part(x, y, n, size, lanes);                               \
        x += n * size, y += n * size; /* the ends, from where to count back */                     \
        do {                                                                                       \
            if (part) {                                                                            \
                const table##_near near = table##_near_open(tab);                                  \
                const char *from = x - left * size;                                                \
                char *to = y - left * size;                                                        \
                v##kernel v = load_n(from, part);                                                  \
                rows_##kernel k = kernel_##kernel##_rows(tab, v);                                  \
                if (FG_UNLIKELY(kernel_##kernel##_rare(tab, form, v))) rare(tab, part, from, to);  \
                else store_n(to, kernel_##kernel##_near(tab, &near, form, &k, v), part);           \
                left -= part;                                                                      \
            }                                                                                      \
            while (left >= lanes) {                                                                \
                const table##_near near = table##_near_open(tab);                                  \
                struct fg_table_##table                                                            \
                    own; /* its numbers: the compiler cannot know that y is not tab */             \
                memcpy(&own, tab, offsetof(struct fg_table_##table, columns));                     \
                left = groups_##dtype(&own, &near, form, FG_AHEAD, FG_TOGETHER, left,              \
                                      x - left * size, y - left * size);                           \
                if (FG_AHEAD > 1 && left < FG_AHEAD * lanes)                                       \
                    left = groups_##dtype(&own, &near, form, 1, 1, left, x - left * size,          \
                                          y - left * size);                                        \
                if (left >= lanes) left -= rare(tab, left, x - left * size, y - left * size);      \
            }                                                                                      \
            part = left;                                                                           \
        } while (left);                                                                            \
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
