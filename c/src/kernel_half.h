/* kernel_half.h: the algorithm for float16 and bfloat16, for every function
 * and every instruction set, in the words of simd/scalar.h.
 *
 * It is that of kernel_f32.h with half the work: rows of four floats,
 *
 *   T(t) = a + r*(p0 + r*(p1 + r*(p2 + r*p3))),  r = t*(alpha*t + beta) - k,
 *
 * for p3 lies in the low bits of p2.  T is not accurate to a float32's last
 * bit, but always on the side of a 16-bit number's rounding boundary where
 * the exact value is: the tables are made so (c/tools/fit_half.py), and all
 * 65,536 inputs are tested.  Hence the result is the correctly rounded one,
 * and need not be computed by the same operations everywhere.
 *
 * float16 results vanish where the near rows end, and its inputs are no
 * smaller than 2^-24: nothing is rare there.  bfloat16 has float32's range,
 * and far and tiny inputs as in kernel_f32.h. */
#ifndef FASTGELU_KERNEL_HALF_H
#define FASTGELU_KERNEL_HALF_H

FG_INLINE vf32 kernel_half_p0(const vf32 *col, vf32 r) { /* p0 + r*(p1 + …) */
    vf32 p3 = f32_from_bits(i32_shl(f32_bits(col[3]), FG_P3_SHIFT));
    return f32_mul_add(r, f32_mul_add(r, f32_mul_add(r, p3, col[3]), col[2]), col[1]);
}

/* The first row of a FORWARD function holds T - t/2, and x/2 is exact; the
 * last operation alone rounds.  So it does in the others, next to x = 0. */
FG_INLINE vf32 kernel_half_near_result(int form, vf32 x, vf32 t, vf32 k, vf32 r, vf32 p, vf32 a) {
    if (form == FG_FORWARD) {
        vf32 base = f32_max(f32_set1(-0.0f), x); /* NaN stays */
        base = f32_minus_where(f32_lt(k, f32_set1(FG_MAGIC_F32 + 1)), base, t, f32_set1(0.5f));
        return f32_keep_nan(f32_sub(base, f32_mul_add(r, p, a)), x);
    }
    if (form != FG_EVEN) { /* 1 - T */
        vm32 left = f32_sign(x);
        r = f32_select(left, r, f32_sub(f32_set1(0.0f), r));
        a = f32_select(left, a, f32_sub(f32_set1(1.0f), a));
    }
    return f32_put_nan(f32_mul_add(r, p, a), x);
}

/* The near row of each lane, in the low bits; and the result from there. */
FG_INLINE vf32 kernel_half_rows(const struct fg_table_half *tab, vf32 x) {
    vf32 t = f32_min_abs(x, f32_set1(tab->limit)); /* NaN gives limit */
    vf32 slope = f32_mul_add(t, f32_set1(tab->alpha), f32_set1(tab->beta));
    return f32_mul_add(t, slope, f32_set1(FG_MAGIC_F32));
}
FG_INLINE vf32 kernel_half_near(const struct fg_table_half *tab, const half_near *near, int form,
                                const vf32 *k, vf32 x) {
    vf32 col[4], t = f32_min_abs(x, f32_set1(tab->limit));
    vf32 slope = f32_mul_add(t, f32_set1(tab->alpha), f32_set1(tab->beta));
    vf32 r = f32_mul_add(t, slope, f32_sub(f32_set1(FG_MAGIC_F32), *k));
    half_near_columns(near, k, col);
    return kernel_half_near_result(form, x, t, *k, r, kernel_half_p0(col, r), col[0]);
}

/* ---- float16: a vector of them is floats ---------------------------------- */

typedef vf32 vf16, rows_f16;

FG_INLINE int kernel_f16_rare(const struct fg_table_half *tab, int form, vf16 x) {
    return (void)tab, (void)form, (void)x, 0;
}
FG_INLINE rows_f16 kernel_f16_rows(const struct fg_table_half *tab, vf16 x) {
    return kernel_half_rows(tab, x);
}
FG_INLINE vf16 kernel_f16_near(const struct fg_table_half *tab, const half_near *near, int form,
                               const rows_f16 *k, vf16 x) {
    return kernel_half_near(tab, near, form, k, x);
}
FG_INLINE vf16 kernel_f16_any(const struct fg_table_half *tab, const half_near *near, int form,
                              vf16 x) {
    rows_f16 k = kernel_half_rows(tab, x);
    return kernel_half_near(tab, near, form, &k, x);
}

/* ---- bfloat16: a vector is 32-bit words of two ---------------------------- */

typedef vi32 vbf16;

FG_INLINE vf32 bf16_lower(vbf16 w) { return f32_from_bits(i32_shl(w, 16)); }
FG_INLINE vf32 bf16_upper(vbf16 w) { return f32_from_bits(i32_and(w, i32_set1(0xffff0000u))); }

/* Rounds to nearest.  The tables see to it that no result is a tie. */
FG_INLINE vbf16 bf16_join(vf32 lower, vf32 upper) {
    vi32 half = i32_set1(0x8000), low = i32_shr(i32_add(f32_bits(lower), half), 16);
    return i32_or(low, i32_and(i32_add(f32_bits(upper), half), i32_set1(0xffff0000u)));
}

typedef struct {
    vf32 lower, upper;
} rows_bf16;
FG_INLINE rows_bf16 kernel_bf16_rows(const struct fg_table_half *tab, vbf16 x) {
    rows_bf16 k = {kernel_half_rows(tab, bf16_lower(x)), kernel_half_rows(tab, bf16_upper(x))};
    return k;
}
FG_INLINE vbf16 kernel_bf16_near(const struct fg_table_half *tab, const half_near *near, int form,
                                 const rows_bf16 *k, vbf16 x) {
    return bf16_join(kernel_half_near(tab, near, form, &k->lower, bf16_lower(x)),
                     kernel_half_near(tab, near, form, &k->upper, bf16_upper(x)));
}

/* Does any element need kernel_bf16_any()?  On twice the bits, to be rid of the
 * sign: an EVEN function is far on both sides, the others on the left alone. */
FG_INLINE int kernel_bf16_rare(const struct fg_table_half *tab, int form, vbf16 x) {
    const unsigned first = tab->far_first, span = tab->far_span;
    vi32 size = i16_add(x, x);
    vm16 tiny = i16_in_range(size, 2, 2 * (FG_TINY_F32 >> 16) - 2);
    vm16 far =
        form == FG_EVEN ? i16_in_range(size, 2 * first, 2 * span) : i16_in_range(x, first, span);
    return m16_any(m16_or(far, tiny));
}

/* x/2 plus a hair towards +infinity, to nearest: as kernel_f32_half(), but the
 * bits count units of 2^-133 in their upper half. */
FG_INLINE vf32 kernel_bf16_half(vf32 x) {
    vi32 bits = f32_bits(x), size = i32_and(bits, i32_set1(0x7fffffffu));
    vi32 sign = i32_and(bits, i32_set1(0x80000000u));
    vi32 even = i32_sub(i32_set1(0x10000), i32_and(i32_shr(bits, 15), i32_set1(0x10000)));
    vi32 low = i32_and(i32_shr(i32_add(size, even), 1), i32_set1(0xffff0000u));
    vi32 high = i32_sub(size, i32_set1(1u << 23));
    vi32 half = i32_select(i32_ltu(size, i32_set1(2u << 23)), low, high);
    return f32_from_bits(i32_or(sign, half));
}

FG_INLINE vf32 kernel_bf16_any_half(const struct fg_table_half *tab, int form, vf32 x) {
    vf32 col[4], v = form == FG_EVEN ? f32_abs(x) : x;
    vm32 tiny = i32_in_range(f32_bits(f32_abs(x)), 1, FG_TINY_F32 - 1);
    vm32 far =
        i32_in_range(f32_bits(v), (uint32_t)tab->far_first << 16, (uint32_t)tab->far_span << 16);
    vf32 z = f32_select(tiny, f32_set1(0.0f), x), t = f32_abs(z);
    t = f32_select(far, t, f32_min(t, f32_set1(tab->limit)));
    vf32 alpha = f32_select(far, f32_set1(tab->far_alpha), f32_set1(tab->alpha));
    vf32 beta = f32_select(far, f32_set1(tab->far_beta), f32_set1(tab->beta));
    vf32 magic = f32_select(far, f32_set1(tab->far_magic), f32_set1(FG_MAGIC_F32));
    vf32 slope = f32_mul_add(t, alpha, beta), k = f32_mul_add(t, slope, magic);
    vf32 r = f32_mul_add(t, slope, f32_sub(magic, k));
    half_row_columns(tab, k, col);
    vf32 p = kernel_half_p0(col, r);
    vf32 y = f32_select(far, kernel_f32_far_result(form, x, f32_mul_add(r, p, col[0])),
                        kernel_half_near_result(form, z, t, k, r, p, col[0]));
    vf32 at_zero = form == FG_FORWARD ? kernel_bf16_half(x) : f32_set1(tab->at_zero);
    return f32_select(tiny, at_zero, y);
}

FG_INLINE vbf16 kernel_bf16_any(const struct fg_table_half *tab, const half_near *near, int form,
                                vbf16 x) {
    (void)near;
    return bf16_join(kernel_bf16_any_half(tab, form, bf16_lower(x)),
                     kernel_bf16_any_half(tab, form, bf16_upper(x)));
}

#endif
