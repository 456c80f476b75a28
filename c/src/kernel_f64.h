/* kernel_f64.h: the one float64 algorithm, for every function and every
 * instruction set, in the words of simd/scalar.h.
 *
 * Every function here obeys a reflection, so it is a table of T(t), t = |x|:
 *   FORWARD              f(x) = max(x, 0) - T(t)
 *   SIGMOID, DERIVATIVE  f(x) = T(t) for x < 0, 1 - T(t) otherwise
 *   EVEN                 f(x) = T(t)
 *
 * near  t up to where T is lost beside x or 1.  Row k = round(t*(alpha*t + beta))
 *       holds a point c, a = T(c) and a polynomial; d = t - c and
 *       T = a + d*(p0 + d*(p1 + …)), by plain products and sums: there is no fma
 *       here, so that processors without one give the same bits.  The c are
 *       chosen so that T(c) and T'(c) are doubles to a hundredth of an ULP or so,
 *       and rows are so narrow that d*(…) is at most a third of a: the last sum
 *       makes most of the error.  The last row is zeros, for every larger t and NaN.
 * far   the tail of negative x (of both signs for EVEN), from where rows would
 *       have to be too narrow to where results round to zero: T = exp(-v)*R, v a
 *       polynomial in t carried in two parts, exp by a table of 2^(-j/16) and a
 *       short polynomial, R by further rows of the same kind.
 * tiny  0 < |x| < 2^-500, where f is x/2 or f(0)
 *
 * tools/fit_f64.py prints a bound on the error of each row; tests/ulp_f64.c measures it.
 *
 * far and tiny are rare: kernel_f64_rare() tests for them, kernel_f64_any()
 * serves them.  No arithmetic sees or makes a subnormal number. */
#ifndef FASTGELU_KERNEL_F64_H
#define FASTGELU_KERNEL_F64_H

#define FG_SIGN_F64 0x8000000000000000u
#define FG_MIN_F64 0x0010000000000000u /* the smallest normal number; one step of the exponent */

/* The leading 26 bits: products of two such are exact. */
FG_INLINE vf64 f64_leading(vf64 a) {
    return f64_from_bits(i64_and(f64_bits(a), i64_set1(0xfffffffff8000000u)));
}

/* b*c + a, two roundings */
FG_INLINE vf64 f64_muladd(vf64 b, vf64 c, vf64 a) { return f64_add(f64_mul(b, c), a); }

/* d*(p[0] + d*(p[1] + d*q)), q = p[2] + d*p[3] + …: its even and odd terms are
 * two chains side by side, since one would be twice as long; what is lost there
 * is lost beside p[0]. */
FG_INLINE vf64 f64_poly(const vf64 *p, int n, vf64 d) {
    vf64 square = f64_mul(d, d), last = p[n - 1], other = p[n - 2];
    FG_UNROLL(8)
    for (int i = n - 3; i >= 2; i--) { /* by turns */
        vf64 next = f64_muladd(last, square, p[i]);
        last = other, other = next;
    }
    vf64 q = f64_muladd(last, d, other);
    q = f64_muladd(f64_muladd(q, d, p[1]), d, p[0]);
    return f64_mul(q, d);
}

/* A few rows are special.  Near 0 a FORWARD f is near x/2, which is exact, and
 * the table holds T - t/2.  A DERIVATIVE has a root, near which a + d*p0 would
 * cancel; there the table holds T - slope*(t - root), which is small, and the
 * rest is added in two parts, the larger one exact. */
FG_INLINE vf64 kernel_f64_near_result(const struct fg_table_f64 *tab, int form, vf64 x, vf64 t,
                                      vf64 k, vf64 T) {
    if (form == FG_EVEN) return f64_put_nan(T, x);
    vm64 linear = f64_lt(k, f64_set1(tab->ordinary));
    if (form == FG_EXPM1) return f64_put_nan(f64_select(linear, f64_sub(T, t), T), x);
    if (form == FG_FORWARD) {
        vf64 base = f64_max(f64_set1(-0.0), x); /* NaN stays */
        base = f64_select(linear, f64_mul(x, f64_set1(0.5)), base);
        return f64_keep_nan(f64_sub(base, T), x);
    }
    if (form == FG_DERIVATIVE) {
        linear = m64_andnot(f64_lt(k, f64_set1(tab->special)), linear);
        /* t - root = high + low, exactly in these rows; so is the product with high */
        vf64 root = f64_set1(tab->root), slope = f64_set1(tab->slope);
        vf64 high = f64_leading(f64_sub(t, root)), low = f64_sub(t, f64_add(high, root));
        vf64 rest = f64_muladd(low, slope, T);
        T = f64_select(linear, f64_muladd(high, slope, rest), T);
    }
    vf64 y = f64_select(f64_sign(x), T, f64_sub(f64_set1(1.0), T));
    return f64_put_nan(y, x);
}

/* The low bits are the row. */
FG_INLINE vf64 kernel_f64_near_index(const struct fg_table_f64 *tab, vf64 t) {
    vf64 slope = f64_muladd(t, f64_set1(tab->alpha), f64_set1(tab->beta));
    return f64_muladd(t, slope, f64_set1(FG_MAGIC_F64));
}

/* The near row of each lane, in the low bits; and the result from there. */
typedef vf64 word_f64;
typedef f64_near near_f64;
typedef struct {
    vm64 rare;
} seen_f64;
FG_INLINE near_f64 kernel_f64_open(const struct fg_table_f64 *tab) { return f64_near_open(tab); }
FG_INLINE seen_f64 kernel_f64_nothing(void) { return (seen_f64){f64_lt(f64_set1(0), f64_set1(0))}; }
FG_INLINE word_f64 kernel_f64_rows(const struct fg_table_f64 *tab, vf64 x) {
    vf64 t = f64_min(f64_abs(x), f64_set1(tab->limit)); /* NaN gives limit */
    return kernel_f64_near_index(tab, t);
}
FG_INLINE vf64 kernel_f64_near(const struct fg_table_f64 *tab, const f64_near *near, int form,
                               const word_f64 *k, vf64 x) {
    vf64 col[FG_COLUMNS_F64];
    vf64 t = f64_min(f64_abs(x), f64_set1(tab->limit));
    f64_near_columns(near, k, col);
    vf64 T = f64_add(col[1], f64_poly(col + 2, FG_COLUMNS_F64 - 2, f64_sub(t, col[0])));
    return kernel_f64_near_result(tab, form, x, t, *k, T);
}

/* v(t) in two parts; only the sum of the second is rounded. */
FG_INLINE void kernel_f64_exponent(const struct fg_table_f64 *tab, vf64 t, vf64 *v_high,
                                   vf64 *v_low) {
    const double *high = tab->v_high, *low = tab->v_low;
    vf64 t1 = f64_leading(t), t2 = f64_sub(t, t1);
    vf64 s = f64_mul(t, t), s1 = f64_leading(s); /* t^2 = s1 + s2 */
    vf64 s2 = f64_muladd(t2, f64_add(t, t1), f64_sub(f64_mul(t1, t1), s1));
    vf64 w = f64_muladd(s, f64_set1(high[2]), f64_muladd(t, f64_set1(high[1]), f64_set1(high[0])));
    vf64 w1 = f64_leading(w); /* v/t = w1 + w2 */
    vf64 w2 = f64_muladd(t1, f64_set1(high[1]), f64_sub(f64_set1(high[0]), w1));
    w2 = f64_muladd(s1, f64_set1(high[2]), w2);
    vf64 rest = f64_muladd(s, f64_set1(low[2]), f64_muladd(t, f64_set1(low[1]), f64_set1(low[0])));
    rest = f64_muladd(s2, f64_set1(high[2]), f64_muladd(t2, f64_set1(high[1]), rest));
    w2 = f64_add(w2, rest);
    *v_high = f64_mul(t1, w1);
    *v_low = f64_muladd(t2, w1, f64_mul(t, w2));
}

/* R is a + q. */
FG_INLINE vf64 kernel_f64_far_result(const struct fg_table_f64 *tab, int form, vf64 t, vf64 a,
                                     vf64 q) {
    /* exp(-v) = 2^-scale * (power[0] + e) */
    vf64 v_high, v_low, power[2], terms[FG_EXP_TERMS];
    kernel_f64_exponent(tab, t, &v_high, &v_low);
    vf64 magic = f64_set1(FG_MAGIC_F64);
    vf64 n = f64_muladd(v_high, f64_set1(fg_exp_f64.inverse), magic);
    vi64 steps = i64_sub(f64_bits(n), i64_set1(FG_MAGIC_BITS_F64));
    n = f64_sub(n, magic);
    vf64 r = f64_sub(v_high, f64_mul(n, f64_set1(fg_exp_f64.step_high))); /* exact */
    r = f64_add(r, f64_sub(v_low, f64_mul(n, f64_set1(fg_exp_f64.step_low))));
    f64_row_columns(fg_exp_f64.powers[0], 2, i64_and(steps, i64_set1(FG_EXP_STEPS - 1)), power);
    FG_UNROLL(8)
    for (int i = 0; i < FG_EXP_TERMS; i++) terms[i] = f64_set1(fg_exp_f64.terms[i]);
    vf64 e = f64_muladd(f64_add(power[0], power[1]), f64_poly(terms, FG_EXP_TERMS, r), power[1]);

    /* R = R1 + R2; T = 2^-scale * y, and power[0]*R1 is exact */
    vf64 R = f64_add(a, q), R1 = f64_leading(R), R2 = f64_add(f64_sub(a, R1), q);
    vf64 y = f64_muladd(power[0], R1, f64_muladd(power[0], R2, f64_mul(e, R)));

    /* A normal result is scaled in its exponent; a subnormal one is T in units
     * of 2^-1074, rounded to an integer by adding 2^52: that is its pattern. */
    vi64 scale = i64_shl(i64_shr(steps, 4), 52);
    vi64 sign = i64_and(f64_bits(y), i64_set1(FG_SIGN_F64)), size = i64_xor(f64_bits(y), sign);
    vm64 below = i64_ltu(size, i64_add(scale, i64_set1(FG_MIN_F64)));
    vi64 units = i64_sub(i64_add(size, i64_set1((uint64_t)1074 << 52)), scale);
    units = i64_select(below, units, size);
    vi64 subnormal = i64_sub(f64_bits(f64_add(f64_from_bits(units), f64_set1(0x1p52))),
                             f64_bits(f64_set1(0x1p52)));
    if (form == FG_FORWARD) sign = i64_xor(sign, i64_set1(FG_SIGN_F64));
    return f64_from_bits(i64_or(sign, i64_select(below, subnormal, i64_sub(size, scale))));
}

/* Near and far lanes together: each with a row of its own. */
FG_INLINE vf64 kernel_f64_mixed(const struct fg_table_f64 *tab, int form, vm64 far, vf64 x) {
    vf64 col[FG_COLUMNS_F64], size = f64_abs(x);
    vf64 t = f64_select(far, size, f64_min(size, f64_set1(tab->limit)));
    vf64 k = kernel_f64_near_index(tab, t);
    vi64 far_row = i64_sub(i64_shr(f64_bits(t), tab->far_shift), i64_set1(tab->far_offset));
    vi64 row = i64_select(far, far_row, i64_and(f64_bits(k), i64_set1(0x1ff)));
    f64_row_columns(tab->rows[0], FG_COLUMNS_F64, row, col);
    vf64 q = f64_poly(col + 2, FG_COLUMNS_F64 - 2, f64_sub(t, col[0]));
    vf64 first = f64_abs(f64_from_bits(i64_set1(tab->far_first)));
    vf64 y = kernel_f64_near_result(tab, form, x, t, k, f64_add(col[1], q));
    vf64 y_far = kernel_f64_far_result(tab, form, f64_select(far, t, first), col[1], q);
    return f64_select(far, y_far, y);
}

/* x/2 plus a hair towards +infinity, to nearest, in integers: below 2^-1021
 * the bits of |x| count units of 2^-1074, above it halving is exact. */
FG_INLINE vf64 kernel_f64_half(vf64 x) {
    vi64 bits = f64_bits(x), sign = i64_and(bits, i64_set1(FG_SIGN_F64));
    vi64 size = i64_xor(bits, sign), even = i64_sub(i64_set1(1), i64_shr(bits, 63));
    vi64 low = i64_shr(i64_add(size, even), 1), high = i64_sub(size, i64_set1(FG_MIN_F64));
    vi64 half = i64_select(i64_ltu(size, i64_set1(2 * FG_MIN_F64)), low, high);
    return f64_from_bits(i64_or(sign, half));
}

/* EVEN functions have two tails; of the others the right one is lost beside x or 1. */
FG_INLINE vf64 kernel_f64_tiny(const struct fg_table_f64 *tab, int form, vf64 x) {
    if (form == FG_FORWARD) return kernel_f64_half(x);
    if (form == FG_EXPM1) return f64_from_bits(i64_or(f64_bits(x), i64_set1(FG_SIGN_F64))); /* -t */
    return f64_set1(tab->at_zero);
}

FG_INLINE vm64 kernel_f64_is_far(const struct fg_table_f64 *tab, int form, vf64 x) {
    if (form == FG_EVEN) x = f64_abs(x);
    return i64_ltu(i64_sub(f64_bits(x), i64_set1(tab->far_first)), i64_set1(tab->far_span));
}

FG_INLINE vm64 kernel_f64_is_tiny(const struct fg_table_f64 *tab, vf64 x) {
    vi64 from = i64_sub(f64_bits(f64_abs(x)), i64_set1(tab->tiny_first)); /* see kernel_f32.h */
    return i64_ltu(from, i64_set1(tab->tiny_span));
}

/* Does any lane need kernel_f64_any()? */
FG_INLINE int kernel_f64_rare(const struct fg_table_f64 *tab, int form, const seen_f64 *seen) {
    return (void)tab, (void)form, m64_any(seen->rare);
}
FG_INLINE word_f64 kernel_f64_find(const struct fg_table_f64 *tab, int form, vf64 x,
                                   seen_f64 *seen) {
    vm64 rare = m64_or(kernel_f64_is_far(tab, form, x), kernel_f64_is_tiny(tab, x));
    seen->rare = m64_or(seen->rare, rare);
    return kernel_f64_rows(tab, x);
}

typedef char any_word_f64;
FG_INLINE any_word_f64 kernel_f64_find_any(const struct fg_table_f64 *tab, int form, vf64 x,
                                           seen_f64 *seen) {
    return (void)kernel_f64_find(tab, form, x, seen), 0;
}
FG_INLINE vf64 kernel_f64_any(const struct fg_table_f64 *tab, const f64_near *near, int form,
                              const any_word_f64 *word, vf64 x) {
    (void)word;
    vm64 far = kernel_f64_is_far(tab, form, x), tiny = kernel_f64_is_tiny(tab, x);
    if (m64_all(tiny)) return kernel_f64_tiny(tab, form, x);
    vf64 y, z = f64_select(tiny, f64_set1(0.0), x);
    if (m64_any(far)) {
        y = kernel_f64_mixed(tab, form, far, z);
    } else {
        word_f64 k = kernel_f64_rows(tab, z);
        y = kernel_f64_near(tab, near, form, &k, z);
    }
    if (m64_any(tiny)) y = f64_select(tiny, kernel_f64_tiny(tab, form, x), y);
    return y;
}

#endif
