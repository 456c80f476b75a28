/* kernel_f32.h: the one float32 algorithm, for every function and every
 * instruction set, in the words of simd/scalar.h.
 *
 * f(x) = x*S(x) with S the function's sigmoid, or f(x) = S(x) where it is no
 * product; S by narrow rows over signed x:
 *
 *     y = fma(x, A, (x*d)*P(d))        a product
 *     y = fma(d, P(d), A)              the rest           d = x - c
 *
 * c is a point of the row at which S(c) is the float A, almost exactly.  Rows
 * are narrow, so P adds little and the last fma makes almost the whole error.
 *
 *   near   left <= x.  Rows of width h are counted by adding a magic number whose
 *          ULP is h/512.  The last row is A = 1, P = 0, for all larger x
 *   far    from there to where results round to zero: rows of degree 6, scaled
 *          by 2^96, since no arithmetic may see or make a subnormal number, which
 *          would be slow and at the mercy of flush-to-zero modes
 *   tiny   0 < |x| <= 2^-60 in a product, where y is x*S(0) and a hair
 *
 * word   a float whose bits from 9 on are magic's plus a row's number: what is
 *        remembered of a vector until its rows are fetched
 * v      the argument of the rows: x; -|x| for EVEN and EXPM1 functions
 * form   FORWARD, EXPM1: products; EXPM1 has no far, for its v is clamped to the
 *        left end, where it is -1 to the last bit
 *        SIGMOID, EVEN: no products
 *        DERIVATIVE: the same, with a root; in the rows around it the table
 *        lacks slope*(v - root), which is added last
 *
 * min(a, b) is a < b ? a : b: with the limit as b a NaN takes the last row, with
 * the limit as a it stays and goes through the arithmetic.  A word is made only of a
 * clamped v; one of a v below left is never used, since such vectors are
 * found by running minima and served by kernel_f32_any(). */
#ifndef FASTGELU_KERNEL_F32_H
#define FASTGELU_KERNEL_F32_H

#define FG_IS_PRODUCT(form) ((form) == FG_FORWARD || (form) == FG_EXPM1)

FG_INLINE vf32 kernel_f32_argument(const struct fg_table_f32 *tab, int form, vf32 x) {
    if (form != FG_EVEN && form != FG_EXPM1) return x;
    vf32 negative = f32_from_bits(i32_xor(f32_bits(x), i32_set1(0x80000000u)));
    vf32 v = f32_min(negative, x); /* NaN stays, sign included */
    return form == FG_EXPM1 ? f32_max(f32_set1(tab->left), v) : v;
}

/* ---- finding the rows, and whether a lane is far or tiny ---------------------- */

typedef const char *near_f32; /* where row 0 of a word without magic would be */
FG_INLINE const char *f32_origin(const char *rows, uint32_t offset) {
    return (const char *)((uintptr_t)rows - offset);
}
FG_INLINE near_f32 kernel_f32_open(const struct fg_table_f32 *tab) {
    return f32_origin(tab->rows, tab->offset);
}

typedef vf32 word_f32;
typedef struct {
    vf32 least, tiny; /* running minima: of v; and of exponents */
} seen_f32;

FG_INLINE seen_f32 kernel_f32_nothing(void) {
    return (seen_f32){f32_set1(FLT_MAX), f32_set1(FLT_MAX)};
}
/* The exponent of |x| less one in its last place, as a float without significand: 0 is
 * infinite and NaN is, too, for a NaN in a minimum would raise a flag, to be taken back. */
FG_INLINE vf32 kernel_f32_exponent(vf32 x) {
    vi32 less = i32_sub(f32_bits(x), i32_set1(1));
    return f32_from_bits(i32_and(less, i32_set1(0x7f800000u)));
}
FG_INLINE vm32 kernel_f32_is_tiny(vf32 exponent) {
    return f32_lt(exponent, f32_from_bits(i32_set1(FG_TINY_F32)));
}
FG_INLINE int kernel_f32_rare(const struct fg_table_f32 *tab, int form, const seen_f32 *seen) {
    vm32 tiny = kernel_f32_is_tiny(seen->tiny), far = f32_lt(seen->least, f32_set1(tab->left));
    if (form == FG_EXPM1) return m32_any(tiny);
    return m32_any(FG_IS_PRODUCT(form) ? m32_or(far, tiny) : far);
}
FG_INLINE void kernel_f32_see(int form, vf32 x, vf32 v, seen_f32 *seen) {
    if (form != FG_EXPM1) seen->least = f32_min(v, seen->least);
    if (FG_IS_PRODUCT(form)) seen->tiny = f32_min(kernel_f32_exponent(x), seen->tiny);
}
FG_INLINE vf32 kernel_f32_word(const struct fg_table_f32 *tab, vf32 v) {
    vf32 word = f32_add(f32_min(v, f32_set1(tab->limit)), f32_set1(tab->magic));
    return f32_from_bits(i32_and(f32_bits(word), i32_set1(~FG_POINT_F32)));
}
FG_INLINE vf32 kernel_f32_find(const struct fg_table_f32 *tab, int form, vf32 x, seen_f32 *seen) {
    vf32 v = kernel_f32_argument(tab, form, x);
    kernel_f32_see(form, x, v, seen);
    return kernel_f32_word(tab, v);
}

/* ---- near ------------------------------------------------------------------------ */

FG_INLINE vf32 kernel_f32_value(const struct fg_table_f32 *tab, int form, vf32 v, vf32 word,
                                const vf32 *row, fg_fused *steps) {
    vi32 point = i32_insert(f32_bits(word), f32_bits(row[3]), FG_POINT_F32);
    vf32 c = f32_sub(f32_from_bits(point), f32_set1(tab->magic));
    vf32 t = f32_min(f32_set1(tab->limit), v); /* NaN stays */
    vf32 d = f32_sub(t, c);
    vw32 wide = w32_widen(d), A = w32_widen(row[0]), p0 = w32_widen(row[1]);
    vw32 P = w32_fma(wide, w32_widen(row[3]), w32_widen(row[2]), steps);
    if (FG_IS_PRODUCT(form)) {
        vf32 rest = f32_mul(f32_mul(t, d), w32_fma_narrow(wide, P, p0, steps));
        return w32_fma_narrow(w32_widen(v), A, w32_widen(rest), steps);
    }
    P = w32_fma(wide, P, p0, steps);
    if (form != FG_DERIVATIVE) return w32_fma_narrow(wide, P, A, steps);
    vw32 y = w32_fma(wide, P, A, steps);
    vm32 other =
        m32_or(f32_lt(word, f32_set1(tab->root_first)), f32_lt(f32_set1(tab->root_last), word));
    vw32 distance = w32_widen(f32_sub(t, f32_set1(tab->root)));
    vf32 sum = w32_fma_narrow(distance, w32_widen(f32_set1(tab->slope)), y, steps);
    return f32_select(other, w32_narrow(y), sum);
}
FG_NOINLINE vf32 kernel_f32_exact(const struct fg_table_f32 *tab, int form, vf32 v, vf32 word,
                                  const vf32 *row) {
    fg_fused steps = fg_exact;
    return kernel_f32_value(tab, form, v, word, row, &steps);
}
FG_INLINE vf32 kernel_f32_near(const struct fg_table_f32 *tab, const near_f32 *near, int form,
                               const vf32 *word, vf32 x) {
    vf32 row[4], v = kernel_f32_argument(tab, form, x);
    fg_fused steps = fg_quick;
    f32_fetch(*near, word, row);
    vf32 y = kernel_f32_value(tab, form, v, *word, row, &steps);
    if (fused_in_doubt(&steps)) y = kernel_f32_exact(tab, form, v, *word, row);
    return f32_keep_nan(y, x);
}

/* ---- far ------------------------------------------------------------------------- */

/* A normal result is scaled back in its exponent; a subnormal one is f in units of
 * 2^-149, rounded to an integer by adding 2^23: that integer is its bit pattern. */
FG_INLINE vf32 kernel_f32_scale_back(vf32 scaled) {
    vi32 f = f32_bits(scaled);
    vi32 sign = i32_and(f, i32_set1(0x80000000u)), size = i32_and(f, i32_set1(0x7fffffffu));
    vf32 units = f32_mul(f32_from_bits(size), f32_set1(0x1p53f)); /* 149 - FG_SCALE_F32 */
    vi32 subnormal = i32_sub(f32_bits(f32_add(units, f32_set1(0x1p23f))), i32_set1(0x4b000000u));
    vi32 normal = i32_sub(size, i32_set1((uint32_t)FG_SCALE_F32 << 23));
    vm32 below = i32_ltu(size, i32_set1((uint32_t)(FG_SCALE_F32 + 1) << 23));
    return f32_from_bits(i32_or(sign, i32_select(below, subnormal, normal)));
}
/* Clamped on both sides: any v, NaN too, has a far row.  Its number is found by plain
 * products and sums, which are the same without fma. */
FG_INLINE vf32 kernel_f32_far_clamped(const struct fg_table_f32 *tab, vf32 v) {
    return f32_min(f32_max(v, f32_set1(tab->far_stop)), f32_set1(tab->left));
}
FG_INLINE vf32 kernel_f32_far_find(const struct fg_table_f32 *tab, vf32 v) {
    vf32 t = f32_sub(f32_set1(0), kernel_f32_far_clamped(tab, v));
    vf32 slope = f32_add(f32_mul(t, f32_set1(tab->far_alpha)), f32_set1(tab->far_beta));
    vf32 word = f32_add(f32_mul(t, slope), f32_set1(tab->far_magic));
    return f32_from_bits(i32_and(f32_bits(word), i32_set1(~FG_FAR_POINT_F32)));
}
FG_INLINE vf32 kernel_f32_far_value(const vf32 *row, vf32 v, fg_fused *steps) {
    vw32 d = w32_widen(f32_sub(v, row[0])), f = w32_widen(row[7]);
    FG_UNROLL(5)
    for (int j = 6; j >= 2; j--) f = w32_fma(d, f, w32_widen(row[j]), steps);
    return w32_fma_narrow(d, f, w32_widen(row[1]), steps);
}
FG_NOINLINE vf32 kernel_f32_far_exact(const vf32 *row, vf32 v) {
    fg_fused steps = fg_exact;
    return kernel_f32_far_value(row, v, &steps);
}
FG_INLINE vf32 kernel_f32_far(const struct fg_table_f32 *tab, const vf32 *word, vf32 v) {
    vf32 row[8];
    fg_fused steps = fg_quick;
    f32_fetch(f32_origin(tab->far, FG_FAR_OFFSET_F32), word, row);
    f32_fetch(f32_origin(tab->far, FG_FAR_OFFSET_F32 - 16), word, row + 4);
    v = kernel_f32_far_clamped(tab, v);
    vf32 f = kernel_f32_far_value(row, v, &steps);
    if (fused_in_doubt(&steps)) f = kernel_f32_far_exact(row, v);
    return kernel_f32_scale_back(f);
}

/* ---- tiny, and any vector ---------------------------------------------------- */

/* x/2 plus a hair towards +infinity, to nearest, in integers: below 2^-125
 * the bits of |x| count units of 2^-149, above it halving is exact. */
FG_INLINE vf32 kernel_f32_half(vf32 x) {
    vi32 bits = f32_bits(x), size = i32_and(bits, i32_set1(0x7fffffffu));
    vi32 sign = i32_and(bits, i32_set1(0x80000000u));
    vi32 even = i32_sub(i32_set1(1), i32_shr(bits, 31));
    vi32 low = i32_shr(i32_add(size, even), 1), high = i32_sub(size, i32_set1(1u << 23));
    vi32 half = i32_select(i32_ltu(size, i32_set1(2u << 23)), low, high);
    return f32_from_bits(i32_or(sign, half));
}
/* What is found ahead of a vector that may have any lanes; and its result.  A rare
 * lane takes the near row of 0, and any lane some far row. */
typedef struct {
    vf32 near, far;
} any_word_f32;

FG_INLINE vm32 kernel_f32_is_rare(const struct fg_table_f32 *tab, int form, vf32 x, vf32 v) {
    vm32 far = f32_lt(v, f32_set1(tab->left)); /* none in EXPM1 */
    if (!FG_IS_PRODUCT(form)) return far;
    return m32_or(far, kernel_f32_is_tiny(kernel_f32_exponent(x)));
}
FG_INLINE any_word_f32 kernel_f32_find_any(const struct fg_table_f32 *tab, int form, vf32 x,
                                           seen_f32 *seen) {
    vf32 v = kernel_f32_argument(tab, form, x);
    vf32 z = f32_select(kernel_f32_is_rare(tab, form, x, v), f32_set1(0), v);
    kernel_f32_see(form, x, v, seen);
    vf32 near = kernel_f32_word(tab, z);
    return (any_word_f32){near, form == FG_EXPM1 ? near : kernel_f32_far_find(tab, v)};
}
FG_INLINE vf32 kernel_f32_any(const struct fg_table_f32 *tab, const near_f32 *near, int form,
                              const any_word_f32 *word, vf32 x) {
    vf32 v = kernel_f32_argument(tab, form, x);
    vm32 far = f32_lt(v, f32_set1(tab->left));
    vf32 z = f32_select(kernel_f32_is_rare(tab, form, x, v), f32_set1(0), x), y = z;
    if (form == FG_EXPM1 || !m32_all(far)) y = kernel_f32_near(tab, near, form, &word->near, z);
    if (form != FG_EXPM1 && m32_any(far)) {
        vm32 tail = m32_andnot(f32_lt(v, f32_set1(tab->far_stop)), far);
        vf32 limit = f32_set1(form == FG_FORWARD || form == FG_DERIVATIVE ? -0.0f : 0.0f);
        if (m32_any(tail)) limit = kernel_f32_far(tab, &word->far, v);
        y = f32_select(far, limit, y);
    }
    if (!FG_IS_PRODUCT(form)) return y;
    vm32 tiny = kernel_f32_is_tiny(kernel_f32_exponent(x));
    if (!m32_any(tiny)) return y;
    return f32_select(tiny, form == FG_EXPM1 ? v : kernel_f32_half(x), y);
}

#endif
