/* compose.h: functions of several inputs, and those without a table, composed
 * of unary ones: gates, backward passes, biases, the relu family.
 *
 * Arrays are taken in blocks that stay in the first cache: the unary spans f
 * and g run over the block, then one loop combines their results with the
 * inputs and writes the outputs.  float16 and bfloat16 are widened on the way in
 * and rounded once on the way out; in between all is float32.
 *
 * NaN: an operation on NaNs gives the first one, in the order of the inputs,
 * quiet; one that makes a NaN (0*inf, inf - inf) gives the positive quiet NaN. */

enum { FG_BLOCK = 512 };

#define FG_INPUTS_RELU 1
#define FG_INPUTS_RELU_GRAD 1
#define FG_INPUTS_LEAKY_RELU 2
#define FG_INPUTS_LEAKY_RELU_GRAD 2
#define FG_INPUTS_ELU 2
#define FG_INPUTS_ELU_GRAD 2
#define FG_INPUTS_BIAS 2
#define FG_INPUTS_BACKWARD 2
#define FG_INPUTS_GATE 2
#define FG_INPUTS_GATE_BACKWARD 3
#define FG_OUTPUTS(operation) ((operation) == FG_GATE_BACKWARD ? 2 : 1)

/* Products and sums with the NaN rule above: only a NaN result needs a look. */
#define FG_NAN_RULE(kernel, word, canonical)                                                       \
    FG_NOINLINE v##kernel word##_nan(v##kernel a, v##kernel b, v##kernel y) {                      \
        y = kernel##_select(kernel##_is_nan(y), kernel##_set1_bits(canonical), y);                 \
        return kernel##_put_nan(kernel##_put_nan(y, b), a);                                        \
    }
#define FG_NAN_OPERATION(kernel, mask, word)                                                       \
    FG_INLINE v##kernel compose_##word##_##kernel(v##kernel a, v##kernel b) {                      \
        v##kernel y = kernel##_##word(a, b);                                                       \
        if (FG_UNLIKELY(mask##_any(kernel##_is_nan(y)))) y = compose_##kernel##_nan(a, b, y);      \
        return y;                                                                                  \
    }
FG_INLINE vf32 f32_set1_bits(uint32_t u) { return f32_from_bits(i32_set1(u)); }
FG_INLINE vf64 f64_set1_bits(uint64_t u) { return f64_from_bits(i64_set1(u)); }
FG_NAN_RULE(f32, compose_f32, 0x7fc00000u)
FG_NAN_RULE(f64, compose_f64, 0x7ff8000000000000u)
FG_NAN_OPERATION(f32, m32, mul)
FG_NAN_OPERATION(f32, m32, add)
FG_NAN_OPERATION(f64, m64, mul)
FG_NAN_OPERATION(f64, m64, add)
#undef FG_NAN_RULE
#undef FG_NAN_OPERATION

/* One vector: v are the inputs, f and g the results of the unary functions. */
#define FG_COMBINE(kernel)                                                                         \
    FG_INLINE void combine_##kernel(int operation, const v##kernel *v, v##kernel f, v##kernel g,   \
                                    v##kernel *y) {                                                \
        const v##kernel zero = kernel##_set1(0), one = kernel##_set1(1);                           \
        switch (operation) {                                                                       \
        case FG_RELU: y[0] = kernel##_put_nan(kernel##_max(v[0], zero), v[0]); break;              \
        case FG_RELU_GRAD:                                                                         \
            y[0] = kernel##_select(kernel##_lt(zero, v[0]), one, zero);                            \
            y[0] = kernel##_put_nan(y[0], v[0]);                                                   \
            break;                                                                                 \
        case FG_LEAKY_RELU:                                                                        \
            y[0] = compose_mul_##kernel(v[0], v[1]);                                               \
            y[0] = kernel##_select(kernel##_lt(zero, v[0]), v[0], y[0]);                           \
            break;                                                                                 \
        case FG_LEAKY_RELU_GRAD:                                                                   \
            y[0] = kernel##_put_nan(v[1], v[1]);                                                   \
            y[0] = kernel##_select(kernel##_lt(zero, v[0]), one, y[0]);                            \
            y[0] = kernel##_put_nan(y[0], v[0]);                                                   \
            break;                                                                                 \
        case FG_ELU:                                                                               \
            y[0] = compose_mul_##kernel(f, v[1]);                                                  \
            y[0] = kernel##_select(kernel##_lt(v[0], zero), y[0], v[0]);                           \
            y[0] = kernel##_put_nan(y[0], v[0]);                                                   \
            break;                                                                                 \
        case FG_ELU_GRAD:                                                                          \
            y[0] = compose_mul_##kernel(f, v[1]);                                                  \
            y[0] = kernel##_select(kernel##_lt(zero, v[0]), one, y[0]);                            \
            break;                                                                                 \
        case FG_BIAS: y[0] = f; break;                                                             \
        case FG_BACKWARD: y[0] = compose_mul_##kernel(v[0], f); break;                             \
        case FG_GATE: y[0] = compose_mul_##kernel(f, v[1]); break;                                 \
        case FG_GATE_BACKWARD:                                                                     \
            y[0] = compose_mul_##kernel(compose_mul_##kernel(v[0], g), v[2]);                      \
            y[1] = compose_mul_##kernel(v[0], f);                                                  \
            break;                                                                                 \
        }                                                                                          \
    }
FG_COMBINE(f32)
FG_COMBINE(f64)
#undef FG_COMBINE

/* The argument of f and g: an input, or for a bias the sum of the two. */
#define FG_COMPOSE(dtype, kernel, element, size, lanes)                                            \
    FG_INLINE void compose_##dtype(int operation, int inputs, int outputs, fg_span *f, fg_span *g, \
                                   size_t n, char *const *args) {                                  \
        FG_ALIGN(64) element u[FG_BLOCK], fu[FG_BLOCK], gu[FG_BLOCK];                              \
        const int at = operation == FG_BACKWARD || operation == FG_GATE_BACKWARD;                  \
        v##kernel v[3], y[2];                                                                      \
        for (size_t start = 0; start < n; start += FG_BLOCK) {                                     \
            const size_t m = n - start < FG_BLOCK ? n - start : FG_BLOCK;                          \
            if (f) {                                                                               \
                for (size_t i = 0; i < m; i += lanes) {                                            \
                    const size_t left = m - i, bytes = (start + i) * size;                         \
                    const char *x = args[at] + bytes, *b = args[inputs - 1] + bytes;               \
                    v[0] = left < lanes ? dtype##_load_n(x, left) : dtype##_load(x);               \
                    if (operation == FG_BIAS) {                                                    \
                        v[1] = left < lanes ? dtype##_load_n(b, left) : dtype##_load(b);           \
                        v[0] = compose_add_##kernel(v[0], v[1]);                                   \
                    }                                                                              \
                    kernel##_store(u + i, v[0]);                                                   \
                }                                                                                  \
                f(m, (char *const[]){(char *)u, (char *)fu});                                      \
            }                                                                                      \
            if (g) g(m, (char *const[]){(char *)u, (char *)gu});                                   \
            for (size_t i = 0; i < m; i += lanes) {                                                \
                const size_t left = m - i, bytes = (start + i) * size;                             \
                FG_UNROLL(3)                                                                       \
                for (int j = 0; j < inputs; j++) {                                                 \
                    const char *x = args[j] + bytes;                                               \
                    v[j] = left < lanes ? dtype##_load_n(x, left) : dtype##_load(x);               \
                }                                                                                  \
                combine_##kernel(operation, v, f ? kernel##_load(fu + i) : v[0],                   \
                                 g ? kernel##_load(gu + i) : v[0], y);                             \
                FG_UNROLL(2)                                                                       \
                for (int j = 0; j < outputs; j++) {                                                \
                    char *z = args[inputs + j] + bytes;                                            \
                    if (left < lanes) dtype##_store_n(z, y[j], left);                              \
                    else dtype##_store(z, y[j]);                                                   \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }
FG_COMPOSE(f16, f32, float, 2, FG_LANES_F32)
FG_COMPOSE(f32, f32, float, 4, FG_LANES_F32)
FG_COMPOSE(f64, f64, double, 8, FG_LANES_F64)
FG_COMPOSE(bf16, f32, float, 2, FG_LANES_F32)
#undef FG_COMPOSE

/* An operation's loop serves all rows that have it: f and g are arguments. */
#define FG_OPERATION(operation, dtype)                                                             \
    FG_NOINLINE void compose_##dtype##_##operation(fg_span *f, fg_span *g, size_t n,               \
                                                   char *const *args) {                            \
        compose_##dtype(FG_##operation, FG_INPUTS_##operation, FG_OUTPUTS(FG_##operation), f, g,   \
                        n, args);                                                                  \
    }
#define FG_OPERATIONS(operation)                                                                   \
    FG_OPERATION(operation, f16)                                                                   \
    FG_OPERATION(operation, f32)                                                                   \
    FG_OPERATION(operation, f64)                                                                   \
    FG_OPERATION(operation, bf16)
FG_OPERATIONS(RELU)
FG_OPERATIONS(RELU_GRAD)
FG_OPERATIONS(LEAKY_RELU)
FG_OPERATIONS(LEAKY_RELU_GRAD)
FG_OPERATIONS(ELU)
FG_OPERATIONS(ELU_GRAD)
FG_OPERATIONS(BIAS)
FG_OPERATIONS(BACKWARD)
FG_OPERATIONS(GATE)
FG_OPERATIONS(GATE_BACKWARD)

/* The rows: a function may be composed of those above it, as reglu is of relu. */
#define FG_COMPOSITE_SPAN(name, operation, f, g, dtype, kernel)                                    \
    static void name##_##dtype(size_t n, char *const *args) {                                      \
        compose_##dtype##_##operation(f##_##kernel, g##_##kernel, n, args);                        \
    }
#define none_f32 NULL
#define none_f64 NULL
#define FASTGELU_COMPOSITE(name, operation, f, g, ...)                                             \
    FG_COMPOSITE_SPAN(name, operation, f, g, f16, f32)                                             \
    FG_COMPOSITE_SPAN(name, operation, f, g, f32, f32)                                             \
    FG_COMPOSITE_SPAN(name, operation, f, g, f64, f64)                                             \
    FG_COMPOSITE_SPAN(name, operation, f, g, bf16, f32)
#include "functions.def"
#undef none_f32
#undef none_f64
