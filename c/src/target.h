/* target.h: all that a target is made of, in order: the kernels, spans over
 * contiguous arrays for every row of functions.def and every element type, and
 * the target's table of them.  A target file defines FG_TARGET, its name, includes
 * its vocabulary, and this last. */
#include "kernel_f32.h"
#include "kernel_f64.h"
#include "kernel_half.h"
#include "scaled.h"

/* Arrays that do not fit into the second cache, in bytes: from there on lines are
 * asked for so far ahead, since a page ends where the processor's own prefetching
 * does, and what it executes ahead is too little to hide that.  15 to 20 % at 16 MB. */
enum { STREAM = 1 << 19, PREFETCH = 4096 };

/* How many elements come before both arrays are at a multiple of the vector's
 * size; 0 if they never are, or too short for that to pay.  Arrays of NumPy are
 * at multiples of 16 bytes, and a wide vector across two cache lines costs 5 %. */
FG_INLINE size_t aligning_part(const char *x, const char *y, size_t n, size_t size, size_t lanes) {
    const size_t bytes = size * lanes, past = (uintptr_t)x % bytes;
    if (n < 32 * lanes || past == 0 || past % size || (uintptr_t)y % bytes != past) return 0;
    return (bytes - past) / size;
}

#define DTYPE f32
#define TABLE f32
#define VECTOR vf32
#define LANES FG_LANES_F32
#define SIZE 4
#define LOAD f32_load
#define STORE f32_store
#define LOAD_N f32_load_n
#define STORE_N f32_store_n
#define AHEAD FG_AHEAD
#include "span.inc"

#define DTYPE f64
#define TABLE f64
#define VECTOR vf64
#define LANES FG_LANES_F64
#define SIZE 8
#define LOAD f64_load
#define STORE f64_store
#define LOAD_N f64_load_n
#define STORE_N f64_store_n
#define AHEAD FG_AHEAD
#include "span.inc"

#define DTYPE f16
#define TABLE half
#define VECTOR vf32
#define LANES FG_LANES_F32
#define SIZE 2
#define LOAD f16_load
#define STORE f16_store
#define LOAD_N f16_load_n
#define STORE_N f16_store_n
#define AHEAD FG_AHEAD_HALF
#include "span.inc"

#define DTYPE bf16
#define TABLE half
#define VECTOR vi32
#define LANES 2 * FG_LANES_F32
#define SIZE 2
#define LOAD i16_load
#define STORE i16_store
#define LOAD_N i16_load_n
#define STORE_N i16_store_n
#define AHEAD FG_AHEAD_HALF
#include "span.inc"

/* A form's spans serve all its functions: the table is an argument. */
#define FG_FORM_SPAN(form, dtype, table)                                                           \
    FG_NOINLINE size_t rare_##dtype##_##form(const struct fg_table_##table *tab, size_t n,         \
                                             const char *x, char *y) {                             \
        return rare_##dtype(tab, FG_##form, n, x, y);                                              \
    }                                                                                              \
    FG_NOINLINE void part_##dtype##_##form(const struct fg_table_##table *tab, size_t n,           \
                                           const char *x, char *y) {                               \
        part_##dtype(tab, FG_##form, rare_##dtype##_##form, n, x, y);                              \
    }                                                                                              \
    FG_NOINLINE void span_##dtype##_##form(const struct fg_table_##table *tab, size_t n,           \
                                           char *const *args) {                                    \
        span_##dtype(tab, FG_##form, rare_##dtype##_##form, part_##dtype##_##form, n, args[0],     \
                     args[1]);                                                                     \
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
