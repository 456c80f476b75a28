/* kernel_f32.h: the one float32 algorithm, for every function and every
 * instruction set, in the words of simd/scalar.h.
 *
 * Every function here obeys a reflection, so it is a table of T(t), t = |x|:
 *   FORWARD     f(x) = max(x, 0) - T(t)
 *   SIGMOID     f(x) = T(t) for x < 0, 1 - T(t) otherwise
 *   DERIVATIVE  the same, with a root
 *   EVEN        f(x) = T(t)
 *   EXPM1       the same, with a root at 0 and a limit of -1
 *
 * The table is cut into rows; row k = round(t*(alpha*t + beta)) holds a point
 * c, a = T(c) and a polynomial, and T(t) = a + d*(p0 + d*(p1 + …)), d = t - c.
 * The c are chosen so that T(c) is a float, so the last addition makes almost
 * the whole error: 0.5 ULP and a fraction of a second rounding.
 *
 *   near  31 rows, and one of zeros that serves every larger t, infinity and
 *         NaN; the fast path.  A FORWARD function's rows go up to where T is
 *         lost beside a positive x
 *   far   from there to where T rounds to zero
 *   tiny  0 < |x| < 2^-60, where f is x/2 or f(0)
 *
 * far and tiny are rare: kernel_f32_rare() tests for them, kernel_f32_any()
 * serves them.  No arithmetic sees or makes a subnormal number: it would be
 * a hundred times slower, and its result subject to flush-to-zero modes. */
#ifndef FASTGELU_KERNEL_F32_H
#define FASTGELU_KERNEL_F32_H

/* A few rows are special.  Near 0 a FORWARD f is near x/2, which is exact, and
 * the table holds T - t/2; likewise T + t for EXPM1.  A DERIVATIVE has a root, near which a + d*p0 would
 * cancel; there the table holds T - slope*(t - root), which is small, and the
 * rest, exact but for the slope's last bit, is added last. */
FG_INLINE vf32 kernel_f32_near_result(const struct fg_table_f32 *tab, int form, vf32 x, vf32 t,
                                      vf32 k, vf32 T) {
    vm32 special = f32_lt(k, f32_set1(tab->ordinary));
    if (form == FG_FORWARD) {
        vf32 base = f32_max(f32_set1(-0.0f), x);                  /* NaN stays */
        base = f32_minus_where(special, base, t, f32_set1(0.5f)); /* x/2 */
        return f32_keep_nan(f32_sub(base, T), x);
    }
    if (form == FG_EXPM1) T = f32_select(special, f32_sub(T, t), T);
    if (form == FG_DERIVATIVE) {
        special = m32_andnot(f32_lt(k, f32_set1(tab->special)), special);
        vf32 rest = f32_fma(f32_sub(t, f32_set1(tab->root)), f32_set1(tab->slope), T);
        T = f32_select(special, rest, T);
    }
    if (form == FG_SIGMOID || form == FG_DERIVATIVE)
        T = f32_select(f32_sign(x), T, f32_sub(f32_set1(1.0f), T));
    return f32_put_nan(T, x);
}

/* The near row of each lane, in the low bits; and the result from there. */
typedef vf32 rows_f32;
FG_INLINE rows_f32 kernel_f32_rows(const struct fg_table_f32 *tab, vf32 x) {
    vf32 t = f32_min_abs(x, f32_set1(tab->limit)); /* NaN gives limit */
    return f32_row_index(t, f32_set1(tab->alpha), f32_set1(tab->beta));
}
FG_INLINE vf32 kernel_f32_near(const struct fg_table_f32 *tab, const f32_near *near, int form,
                               const rows_f32 *k, vf32 x) {
    vf32 t = f32_min_abs(x, f32_set1(tab->limit));
    return kernel_f32_near_result(tab, form, x, t, *k, f32_near_value(near, k, t));
}

/* Far rows hold T * 2^FG_SCALE_F32, a normal number.  A normal result is
 * scaled back in its exponent; a subnormal one is T in units of 2^-149,
 * rounded to an integer by adding 2^23: that integer is its bit pattern. */
FG_INLINE vf32 kernel_f32_far_result(int form, vf32 x, vf32 scaled) {
    vi32 T = f32_bits(scaled);
    vi32 sign = i32_and(T, i32_set1(0x80000000u)), size = i32_and(T, i32_set1(0x7fffffffu));
    vf32 units = f32_mul(f32_from_bits(size), f32_set1(0x1p53f)); /* 149 - FG_SCALE_F32 */
    vi32 subnormal = i32_sub(f32_bits(f32_add(units, f32_set1(0x1p23f))), i32_set1(0x4b000000u));
    vi32 normal = i32_sub(size, i32_set1((uint32_t)FG_SCALE_F32 << 23));
    vm32 below = i32_ltu(size, i32_set1((uint32_t)(FG_SCALE_F32 + 1) << 23));
    if (form == FG_FORWARD) sign = i32_xor(sign, i32_set1(0x80000000u));
    vf32 y = f32_from_bits(i32_or(sign, i32_select(below, subnormal, normal)));
    if (form == FG_FORWARD || form == FG_EVEN) return y;
    vm32 lost = i32_ltu(size, i32_set1((uint32_t)(FG_SCALE_F32 + 127 - 40) << 23));
    vf32 positive = f32_sub(f32_set1(1.0f), f32_select(lost, f32_set1(0.0f), y));
    return f32_select(f32_sign(x), y, positive);
}

/* Near and far lanes together: each with the row index of its own. */
FG_INLINE vf32 kernel_f32_mixed(const struct fg_table_f32 *tab, int form, vm32 far, vf32 x) {
    vf32 t = f32_abs(x);
    t = f32_select(far, t, f32_min(t, f32_set1(tab->limit)));
    vf32 alpha = f32_select(far, f32_set1(tab->far_alpha), f32_set1(tab->alpha));
    vf32 beta = f32_select(far, f32_set1(tab->far_beta), f32_set1(tab->beta));
    vf32 magic = f32_select(far, f32_set1(tab->far_magic), f32_set1(FG_MAGIC_F32));
    vf32 k = f32_fma(t, f32_fma(t, alpha, beta), magic);
    vf32 T = f32_row_value(tab->rows, k, t);
    return f32_select(far, kernel_f32_far_result(form, x, T),
                      kernel_f32_near_result(tab, form, x, t, k, T));
}

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

FG_INLINE vf32 kernel_f32_tiny(const struct fg_table_f32 *tab, int form, vf32 x) {
    if (form == FG_FORWARD) return kernel_f32_half(x);
    if (form == FG_EXPM1) return f32_from_bits(i32_or(f32_bits(x), i32_set1(0x80000000u))); /* -t */
    return f32_set1(tab->at_zero);
}

/* A FORWARD function is far on the left alone, the others on both sides. */
FG_INLINE vm32 kernel_f32_is_far(const struct fg_table_f32 *tab, int form, vf32 x) {
    vf32 v = form == FG_FORWARD ? x : f32_abs(x);
    return i32_in_range(f32_bits(v), tab->far_first, tab->far_span);
}

/* The first bits are from the table: compilers would make of a constant 1 an
 * instruction that waits for the register's old content. */
FG_INLINE vm32 kernel_f32_is_tiny(const struct fg_table_f32 *tab, vf32 x) {
    vf32 t = f32_min_abs(x, f32_set1(tab->limit));
    return i32_in_range(f32_bits(t), tab->tiny_first, tab->tiny_span);
}

/* Does any lane need kernel_f32_any()? */
FG_INLINE int kernel_f32_rare(const struct fg_table_f32 *tab, int form, vf32 x) {
    return m32_any(m32_or(kernel_f32_is_far(tab, form, x), kernel_f32_is_tiny(tab, x)));
}

FG_INLINE vf32 kernel_f32_any(const struct fg_table_f32 *tab, const f32_near *near, int form,
                              vf32 x) {
    vm32 far = kernel_f32_is_far(tab, form, x), tiny = kernel_f32_is_tiny(tab, x);
    vf32 y, z = f32_select(tiny, f32_set1(0.0f), x);
    if (m32_any(far)) {
        y = kernel_f32_mixed(tab, form, far, z);
    } else {
        rows_f32 k = kernel_f32_rows(tab, z);
        y = kernel_f32_near(tab, near, form, &k, z);
    }
    if (m32_any(tiny)) y = f32_select(tiny, kernel_f32_tiny(tab, form, x), y);
    return y;
}

#endif
