/* compose.h: functions of several inputs, and those without a table, composed
 * of unary ones: gates, backward passes, biases, the relu family.
 *
 * Arrays are taken in blocks that stay in the first cache: the unary spans f
 * and g run over the block, then one loop combines their results with the
 * inputs and writes the outputs.  float16 and bfloat16 are widened on the way in
 * and rounded once on the way out; in between all is float32.
 *
 * A product with an f that is zero or subnormal in float32 would be a product
 * with what rounding has left of f; such elements are done again in float64, and
 * in float64 with numbers that carry an exponent of their own (scaled.h).
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

/* The error of the product p = a*b of finite numbers. */
FG_INLINE vf32 compose_error_f32(vf32 a, vf32 b, vf32 p) {
    return f32_fma(a, b, f32_sub(f32_set1(0), p));
}
FG_INLINE vf64 compose_error_f64(vf64 a, vf64 b, vf64 p) {
    vf64 a1 = f64_leading(a), a2 = f64_sub(a, a1), b1 = f64_leading(b), b2 = f64_sub(b, b1);
    vf64 error = f64_muladd(a1, b2, f64_sub(f64_mul(a1, b1), p));
    return f64_muladd(a2, b2, f64_muladd(a2, b1, error));
}
FG_INLINE vf32 compose_sum_f32(vf32 a, vf32 b, vf32 c) { return f32_fma(a, b, c); } /* a*b + c */
FG_INLINE vf64 compose_sum_f64(vf64 a, vf64 b, vf64 c) {
    vf64 p = f64_mul(a, b);
    return f64_add(p, f64_add(compose_error_f64(a, b, p), c));
}
/* Is a product no number, or one whose error may be none?  The error is made of parts,
 * which want 2^-960. */
FG_INLINE vm64 compose_is_unsafe_f64(vf64 a) {
    vi64 from = i64_sub(f64_bits(f64_abs(a)), i64_set1(0x03f0000000000000u));
    return i64_ltu(i64_set1(0x7bffffffffffffffu), from);
}
/* A result with an error made good, or y itself where that can not be: in float32 the
 * fused multiply-add has all of a normal number's. */
FG_INLINE vf32 compose_better_f32(vf32 y, vf32 better) {
    vm32 normal = i32_in_range(f32_bits(f32_abs(y)), 0x00800000u, 0x7f000000u);
    return f32_select(normal, better, y);
}
FG_INLINE vf64 compose_better_f64(vf64 y, vf64 better) {
    return f64_select(compose_is_unsafe_f64(y), y, better);
}
/* a*b*c, the first product in two parts. */
#define FG_TRIPLE(name, kernel, multiply)                                                          \
    FG_INLINE v##kernel name##_triple(v##kernel a, v##kernel b, v##kernel c) {                     \
        v##kernel p = multiply(a, b), y = multiply(p, c);                                          \
        v##kernel rest = kernel##_mul(compose_error_##kernel(a, b, p), c);                         \
        return compose_better_##kernel(y, compose_sum_##kernel(p, c, rest));                       \
    }

/* One vector: v are the inputs, f and g the results of the unary functions. */
#define FG_COMBINE(name, kernel, multiply)                                                         \
    FG_TRIPLE(name, kernel, multiply)                                                              \
    FG_INLINE void name(int operation, const v##kernel *v, v##kernel f, v##kernel g,               \
                        v##kernel *y) {                                                            \
        const v##kernel zero = kernel##_set1(0), one = kernel##_set1(1);                           \
        switch (operation) {                                                                       \
        case FG_RELU: y[0] = kernel##_put_nan(kernel##_max(v[0], zero), v[0]); break;              \
        case FG_RELU_GRAD:                                                                         \
            y[0] = kernel##_select(kernel##_lt(zero, v[0]), one, zero);                            \
            y[0] = kernel##_put_nan(y[0], v[0]);                                                   \
            break;                                                                                 \
        case FG_LEAKY_RELU:                                                                        \
            y[0] = multiply(v[0], v[1]);                                                           \
            y[0] = kernel##_select(kernel##_lt(zero, v[0]), v[0], y[0]);                           \
            break;                                                                                 \
        case FG_LEAKY_RELU_GRAD:                                                                   \
            y[0] = kernel##_put_nan(v[1], v[1]);                                                   \
            y[0] = kernel##_select(kernel##_lt(zero, v[0]), one, y[0]);                            \
            y[0] = kernel##_put_nan(y[0], v[0]);                                                   \
            break;                                                                                 \
        case FG_ELU:                                                                               \
            y[0] = multiply(f, v[1]);                                                              \
            y[0] = kernel##_select(kernel##_lt(v[0], zero), y[0], v[0]);                           \
            y[0] = kernel##_put_nan(y[0], v[0]);                                                   \
            break;                                                                                 \
        case FG_ELU_GRAD:                                                                          \
            y[0] = multiply(f, v[1]);                                                              \
            y[0] = kernel##_select(kernel##_lt(zero, v[0]), one, y[0]);                            \
            break;                                                                                 \
        case FG_BIAS: y[0] = f; break;                                                             \
        case FG_BACKWARD: y[0] = multiply(v[0], f); break;                                         \
        case FG_GATE: y[0] = multiply(f, v[1]); break;                                             \
        case FG_GATE_BACKWARD:                                                                     \
            y[0] = name##_triple(v[0], g, v[2]);                                                   \
            y[1] = multiply(v[0], f);                                                              \
            break;                                                                                 \
        }                                                                                          \
    }
FG_COMBINE(combine_f32, f32, compose_mul_f32)
FG_COMBINE(combine_f64, f64, compose_mul_f64)
FG_COMBINE(combine_f64_quick, f64, f64_mul) /* where no result is a NaN */
#undef FG_TRIPLE
#undef FG_COMBINE

/* What results are done again by. */
typedef fg_span *wide_f32;
typedef const struct fg_tail *wide_f64;

/* float32 results y that hang on what rounding left of f, g or dy*g, from
 * float64 functions.  A lane's result depends on that lane alone. */
#define FG_SAFE_F32 0x1p-100f /* from here on the error of a product is no subnormal number */
FG_NOINLINE void compose_wide(int operation, wide_f32 f, wide_f32 g, const vf32 *v, vf32 fu,
                              vf32 gu, vf32 *y) {
    const int backward = operation == FG_BACKWARD || operation == FG_GATE_BACKWARD;
    float a[3][FG_LANES_F32], small[2][FG_LANES_F32], result[2][FG_LANES_F32];
    double x[FG_LANES_F32], wide[2][FG_LANES_F32];
    for (int j = 0; j < 3; j++) f32_store(a[j], v[j]);
    for (int j = 0; j < 2; j++) f32_store(result[j], y[j]);
    f32_store(small[0], fu), f32_store(small[1], gu);
    for (int i = 0; i < FG_LANES_F32; i++) x[i] = (double)a[backward][i];
    f(FG_LANES_F32, (char *const[]){(char *)x, (char *)wide[0]});
    if (g) g(FG_LANES_F32, (char *const[]){(char *)x, (char *)wide[1]});
    for (int i = 0; i < FG_LANES_F32; i++) {
        const float factor = a[!backward][i], product = factor * small[1][i];
        float *of_f = &result[operation == FG_GATE_BACKWARD][i];
        if (fabsf(small[0][i]) < FLT_MIN && fabsf(factor) > 1 && fabsf(factor) <= FLT_MAX &&
            !(operation == FG_ELU_GRAD && x[i] > 0))
            *of_f = (float)(wide[0][i] * (double)factor);
        if (operation == FG_GATE_BACKWARD && fabsf(factor) <= FLT_MAX && factor != 0 &&
            fabsf(a[2][i]) <= FLT_MAX &&
            (fabsf(small[1][i]) < FLT_MIN || fabsf(product) < FG_SAFE_F32 ||
             fabsf(product) > FLT_MAX))
            result[0][i] = (float)((double)factor * wide[1][i] * (double)a[2][i]);
    }
    for (int j = 0; j < 2; j++) y[j] = f32_load(result[j]);
}

/* Which lanes need that?  Not those of a zero x or dy, which arrays are full of. */
FG_INLINE vm32 compose_in_doubt(int operation, vf32 x, vf32 dy, vf32 f, vf32 g) {
    const vi32 least = i32_set1(1), safe = f32_bits(f32_set1(FG_SAFE_F32));
    vm32 doubt = i32_ltu(f32_bits(f32_abs(f)), i32_set1(0x00800000u));
    doubt = m32_andnot(i32_ltu(f32_bits(f32_abs(x)), least), doubt);
    if (operation == FG_GATE_BACKWARD) {
        vi32 product = f32_bits(f32_abs(f32_mul(dy, g)));
        vm32 unsafe = m32_or(i32_ltu(product, safe), i32_in_range(product, 0x7f800000u, 1));
        unsafe = m32_or(i32_ltu(f32_bits(f32_abs(g)), i32_set1(0x00800000u)), unsafe);
        doubt = m32_or(doubt, m32_andnot(i32_ltu(f32_bits(f32_abs(dy)), least), unsafe));
    }
    return doubt;
}

/* The same for float64, which has nothing wider: with scaled values of f and g. */
FG_INLINE int compose_is_unsafe(double a) { return !(fabs(a) >= 0x1p-960 && fabs(a) <= DBL_MAX); }
FG_NOINLINE void compose_scaled(int operation, wide_f64 f, wide_f64 g, const vf64 *v, vf64 fx,
                                vf64 gx, vf64 *y) {
    const int backward = operation == FG_BACKWARD || operation == FG_GATE_BACKWARD;
    double a[3][FG_LANES_F64], value[2][FG_LANES_F64], result[2][FG_LANES_F64];
    for (int j = 0; j < 3; j++) f64_store(a[j], v[j]);
    for (int j = 0; j < 2; j++) f64_store(result[j], y[j]);
    f64_store(value[0], fx), f64_store(value[1], gx);
    for (int i = 0; i < FG_LANES_F64; i++) {
        const double x = a[backward][i], factor = a[!backward][i];
        double *of_f = &result[operation == FG_GATE_BACKWARD][i];
        if (!(fabs(x) < f->end) || !(fabs(factor) <= DBL_MAX)) continue;
        if (fabs(value[0][i]) < DBL_MIN && fabs(factor) > 1 && !(operation == FG_ELU_GRAD && x > 0))
            *of_f = fg_scaled_product(f, x, value[0][i], factor, 1);
        const double p = factor * value[1][i];
        if (operation == FG_GATE_BACKWARD && fabs(a[2][i]) <= DBL_MAX &&
            (compose_is_unsafe(value[1][i]) || compose_is_unsafe(p) ||
             compose_is_unsafe(p * a[2][i])))
            result[0][i] = fg_scaled_product(g, x, value[1][i], factor, a[2][i]);
    }
    for (int j = 0; j < 2; j++) y[j] = f64_load(result[j]);
}

/* Which lanes need that?  Neither those of a zero x or dy, which arrays are full of,
 * nor those of a saturated x.  And which results y are NaNs? */
FG_INLINE vm64 compose_in_doubt_f64(int operation, wide_f64 tail, const vf64 *v, vf64 f, vf64 g,
                                    const vf64 *y) {
    const int triple = operation == FG_GATE_BACKWARD;
    const vm64 small = f64_lt(f64_abs(f), f64_set1(DBL_MIN));
    vm64 unsafe = small, doubt = m64_or(small, f64_is_nan(y[triple]));
    if (triple) { /* a NaN in y[0] is unsafe */
        vf64 p = f64_mul(v[0], g), least = f64_min(f64_abs(g), f64_abs(p));
        unsafe = m64_or(compose_is_unsafe_f64(f64_mul(p, v[2])), f64_lt(least, f64_set1(0x1p-960)));
        doubt = m64_or(doubt, unsafe);
    }
    if (FG_UNLIKELY(m64_any(doubt))) { /* more closely */
        const vi64 x = f64_bits(f64_abs(v[triple || operation == FG_BACKWARD]));
        const vi64 dy = f64_bits(f64_abs(v[0])), end = f64_bits(f64_set1(tail->end));
        doubt = m64_andnot(i64_ltu(x, i64_set1(1)), small);
        if (triple) doubt = m64_or(doubt, m64_andnot(i64_ltu(dy, i64_set1(1)), unsafe));
        doubt = m64_or(m64_andnot(i64_ltu(end, x), doubt), f64_is_nan(y[triple]));
        if (triple) doubt = m64_or(doubt, f64_is_nan(y[0]));
    }
    return doubt;
}
#define FG_HAS_PRODUCT(operation)                                                                  \
    ((operation) == FG_ELU_GRAD || (operation) == FG_BACKWARD || (operation) == FG_GATE ||         \
     (operation) == FG_GATE_BACKWARD)

/* x, f(x) and g(x), as far as an operation has them. */
struct block_f32 {
    FG_ALIGN(64) float x[FG_BLOCK], f[FG_BLOCK], g[FG_BLOCK];
};
struct block_f64 {
    FG_ALIGN(64) double x[FG_BLOCK], f[FG_BLOCK], g[FG_BLOCK];
};
#define FG_HAS_F(operation) ((operation) >= FG_ELU)
#define FG_HAS_G(operation) ((operation) == FG_GATE_BACKWARD)

#define FG_LOAD(dtype, kernel, lanes)                                                              \
    FG_INLINE v##kernel compose_load_##dtype(const char *p, size_t left) {                         \
        return left < lanes ? dtype##_load_n(p, left) : dtype##_load(p);                           \
    }
FG_LOAD(f16, f32, FG_LANES_F32)
FG_LOAD(f32, f32, FG_LANES_F32)
FG_LOAD(f64, f64, FG_LANES_F64)
FG_LOAD(bf16, f32, FG_LANES_F32)
#undef FG_LOAD

/* Does an element of the block need to be done again?  dy: its first one.  f is
 * a normal number at a usual x: where there are no others, that is soon known. */
#define FG_DOUBT(dtype, size)                                                                      \
    FG_INLINE int compose_block_in_doubt_##dtype(                                                  \
        int operation, const float *x, const struct block_f32 *block, const char *dy, size_t m) {  \
        const vi32 first = i32_set1(0x01000000u), last = i32_set1(0x41000000u - 0x01000000u);      \
        vm32 doubt = i32_ltu(first, first);                                                        \
        if (!FG_HAS_G(operation)) {                                                                \
            for (size_t i = 0; i < m; i += FG_LANES_F32) { /* 2^-125 … 8 */                        \
                vi32 size_of_x = f32_bits(f32_abs(f32_load(x + i)));                               \
                doubt = m32_or(doubt, i32_ltu(last, i32_sub(size_of_x, first)));                   \
            }                                                                                      \
            if (!m32_any(doubt)) return 0;                                                         \
            doubt = i32_ltu(first, first);                                                         \
        }                                                                                          \
        for (size_t i = 0; i < m; i += FG_LANES_F32) {                                             \
            vf32 f = f32_load(block->f + i), g = f, y = f;                                         \
            if (FG_HAS_G(operation)) {                                                             \
                g = f32_load(block->g + i);                                                        \
                y = compose_load_##dtype(dy + i * size, m - i);                                    \
            }                                                                                      \
            doubt = m32_or(doubt, compose_in_doubt(operation, f32_load(x + i), y, f, g));          \
        }                                                                                          \
        return m32_any(doubt);                                                                     \
    }
FG_DOUBT(f16, 2)
FG_DOUBT(f32, 4)
FG_DOUBT(bf16, 2)
#undef FG_DOUBT
#define compose_block_in_doubt_f64(operation, x, block, dy, m) 0 /* see below */

#define FG_REPAIR_f32 compose_wide
#define FG_REPAIR_f64 compose_scaled

/* Results y; or 0 if they have to be had with more care.  In float32 whole blocks are
 * looked at before, in float64 each vector in passing, unless its factors are exact. */
FG_INLINE int compose_quick_f32(int operation, const vf32 *v, vf32 f, vf32 g, vf32 *y,
                                wide_f32 tail) {
    return (void)tail, combine_f32(operation, v, f, g, y), 1;
}
FG_INLINE int compose_quick_f64(int operation, const vf64 *v, vf64 f, vf64 g, vf64 *y,
                                wide_f64 tail) {
    if (!FG_HAS_PRODUCT(operation)) return combine_f64(operation, v, f, g, y), 1;
    combine_f64_quick(operation, v, f, g, y);
    return !m64_any(compose_in_doubt_f64(operation, tail, v, f, g, y));
}
#define compose_is_exact_f32(operation, wide_f) 0
#define compose_is_exact_f64(operation, wide_f) (FG_HAS_PRODUCT(operation) && (wide_f)->end == 0)

/* The argument x of f and g: an input, or for a bias the sum of the two. */
#define FG_COMPOSE(dtype, kernel, size, lanes)                                                     \
    /* Combines elements i to m of the block at start, and says how far it came: with care \
     * that is to the end.  f and g: the wide functions, or NULL. */       \
    FG_INLINE size_t combine_block_##dtype(                                                        \
        int careful, int operation, int inputs, int outputs, wide_##kernel f, wide_##kernel g,     \
        const struct block_##kernel *block, size_t start, size_t i, size_t m, char *const *args) { \
        const v##kernel zero = kernel##_set1(0);                                                   \
        for (; i < m; i += lanes) {                                                                \
            const size_t left = m - i, bytes = (start + i) * size;                                 \
            v##kernel v[3] = {zero, zero, zero}, y[2] = {zero, zero};                              \
            v##kernel fx = FG_HAS_F(operation) ? kernel##_load(block->f + i) : zero;               \
            v##kernel gx = FG_HAS_G(operation) ? kernel##_load(block->g + i) : zero;               \
            FG_UNROLL(3)                                                                           \
            for (int j = 0; j < 3; j++)                                                            \
                if (j < inputs) v[j] = compose_load_##dtype(args[j] + bytes, left);                \
            if (careful) {                                                                         \
                combine_##kernel(operation, v, fx, gx, y);                                         \
                if (f) FG_REPAIR_##kernel(operation, f, g, v, fx, gx, y);                          \
            } else if (!compose_quick_##kernel(operation, v, fx, gx, y, f)) break;                 \
            FG_UNROLL(2)                                                                           \
            for (int j = 0; j < 2; j++) {                                                          \
                char *z = args[j < outputs ? inputs + j : inputs] + bytes;                         \
                if (j < outputs && left < lanes) dtype##_store_n(z, y[j], left);                   \
                if (j < outputs && left >= lanes) dtype##_store(z, y[j]);                          \
            }                                                                                      \
        }                                                                                          \
        return i;                                                                                  \
    }                                                                                              \
    FG_NOINLINE size_t careful_block_##dtype(                                                      \
        int operation, int inputs, int outputs, wide_##kernel f, wide_##kernel g,                  \
        const struct block_##kernel *block, size_t start, size_t i, size_t m, char *const *args) { \
        return combine_block_##dtype(1, operation, inputs, outputs, f, g, block, start, i, m,      \
                                     args);                                                        \
    }                                                                                              \
    FG_INLINE void compose_##dtype(int operation, int inputs, int outputs, fg_span *f, fg_span *g, \
                                   wide_##kernel wide_f, wide_##kernel wide_g, size_t n,           \
                                   char *const *args) {                                            \
        struct block_##kernel block;                                                               \
        const int at = operation == FG_BACKWARD || operation == FG_GATE_BACKWARD;                  \
        for (size_t start = 0; start < n; start += FG_BLOCK) {                                     \
            const size_t m = n - start < FG_BLOCK ? n - start : FG_BLOCK;                          \
            const size_t padded = (m + lanes - 1) / lanes * lanes;                                 \
            /* Whole vectors of the right type are taken from where they are. */                   \
            char *x = args[at] + start * size;                                                     \
            const int direct = size == sizeof block.x[0] && operation != FG_BIAS && m == padded;   \
            if (f && !direct) {                                                                    \
                for (size_t i = 0; i < m; i += lanes) {                                            \
                    const size_t left = m - i, bytes = (start + i) * size;                         \
                    v##kernel a = compose_load_##dtype(x + i * size, left);                        \
                    if (operation == FG_BIAS)                                                      \
                        a = compose_add_##kernel(                                                  \
                            a, compose_load_##dtype(args[inputs - 1] + bytes, left));              \
                    kernel##_store(block.x + i, a);                                                \
                }                                                                                  \
                x = (char *)block.x;                                                               \
            }                                                                                      \
            if (f) f(padded, (char *const[]){x, (char *)block.f});                                 \
            if (g) g(padded, (char *const[]){x, (char *)block.g});                                 \
            size_t i = 0;                                                                          \
            if (compose_is_exact_##kernel(operation, wide_f))                                      \
                i = combine_block_##dtype(1, operation, inputs, outputs, NULL, NULL, &block,       \
                                          start, i, m, args);                                      \
            else if (FG_HAS_PRODUCT(operation) && wide_f &&                                        \
                     FG_UNLIKELY(compose_block_in_doubt_##dtype(                                   \
                         operation, (const void *)x, &block, args[0] + start * size, m)))          \
                i = careful_block_##dtype(operation, inputs, outputs, wide_f, wide_g, &block,      \
                                          start, i, m, args);                                      \
            while ((i = combine_block_##dtype(0, operation, inputs, outputs, wide_f, wide_g,       \
                                              &block, start, i, m, args)) < m)                     \
                i = careful_block_##dtype(operation, inputs, outputs, wide_f, wide_g, &block,      \
                                          start, i, m - i < lanes ? m : i + lanes, args);          \
        }                                                                                          \
    }
FG_COMPOSE(f16, f32, 2, FG_LANES_F32)
FG_COMPOSE(f32, f32, 4, FG_LANES_F32)
FG_COMPOSE(f64, f64, 8, FG_LANES_F64)
FG_COMPOSE(bf16, f32, 2, FG_LANES_F32)
#undef FG_COMPOSE

/* An operation's loop serves all rows that have it: f and g are arguments. */
#define FG_OPERATION(operation, dtype, kernel)                                                     \
    FG_NOINLINE void compose_##dtype##_##operation(fg_span *f, fg_span *g, wide_##kernel wide_f,   \
                                                   wide_##kernel wide_g, size_t n,                 \
                                                   char *const *args) {                            \
        compose_##dtype(FG_##operation, FG_INPUTS_##operation, FG_OUTPUTS(FG_##operation), f, g,   \
                        wide_f, wide_g, n, args);                                                  \
    }
#define FG_OPERATIONS(operation)                                                                   \
    FG_OPERATION(operation, f16, f32)                                                              \
    FG_OPERATION(operation, f32, f32)                                                              \
    FG_OPERATION(operation, f64, f64)                                                              \
    FG_OPERATION(operation, bf16, f32)
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

/* The rows: a function may be composed of those above it, as reglu is of relu.
 * What does them again is in float32 the float64 span of functions that have a
 * table (others are exact), in float64 the function's tail. */
#define FG_WIDE_f32(f) f##_wide
#define FG_WIDE_f64(f) &fg_tail_##f
#define FG_COMPOSITE_SPAN(name, operation, f, g, dtype, kernel)                                    \
    static void name##_##dtype(size_t n, char *const *args) {                                      \
        compose_##dtype##_##operation(f##_##kernel, g##_##kernel, FG_WIDE_##kernel(f),             \
                                      FG_WIDE_##kernel(g), n, args);                               \
    }
#define FASTGELU_FUNCTION(name, ...) static fg_span *const name##_wide = name##_f64;
#define FASTGELU_INTERNAL(name, form) static fg_span *const name##_wide = name##_f64;
#define FASTGELU_COMPOSITE(name, ...) static fg_span *const name##_wide = NULL;
#include "functions.def"
#define none_f32 NULL
#define none_f64 NULL
#define none_wide NULL
#define FASTGELU_COMPOSITE(name, operation, f, g, ...)                                             \
    FG_COMPOSITE_SPAN(name, operation, f, g, f16, f32)                                             \
    FG_COMPOSITE_SPAN(name, operation, f, g, f32, f32)                                             \
    FG_COMPOSITE_SPAN(name, operation, f, g, f64, f64)                                             \
    FG_COMPOSITE_SPAN(name, operation, f, g, bf16, f32)
#include "functions.def"
#undef none_f32
#undef none_f64
#undef none_wide
