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

/* What is found of a vector ahead: its rows, r, and for FORWARD what T is taken from,
 * otherwise x. */
typedef struct {
    vi32 row;
    vf32 r, base;
} word_half;

/* The first row of a FORWARD function holds T - t/2, and x/2 is exact; the
 * last operation alone rounds.  So it does in the others, next to x = 0. */
FG_INLINE word_half kernel_half_word(int form, vf32 x, vf32 t, vf32 slope, vf32 magic) {
    vf32 k = f32_mul_add(t, slope, magic), base = x;
    if (form == FG_FORWARD) {
        base = f32_max(f32_set1(-0.0f), x); /* NaN stays */
        vm32 first = f32_lt(k, f32_set1(FG_MAGIC_F32 + 1));
        base = f32_minus_where(first, base, t, f32_set1(0.5f));
    }
    return (word_half){half_word(k), f32_mul_add(t, slope, f32_sub(magic, k)), base};
}
FG_INLINE vf32 kernel_half_result(int form, const word_half *word, const vf32 *col) {
    vf32 r = word->r, a = col[0], x = word->base;
    vf32 p3 = f32_from_bits(i32_shl(f32_bits(col[3]), FG_P3_SHIFT));
    vf32 p = f32_mul_add(r, f32_mul_add(r, f32_mul_add(r, p3, col[3]), col[2]), col[1]);
    if (form == FG_FORWARD) return f32_keep_nan(f32_sub(x, f32_mul_add(r, p, a)), x);
    if (form != FG_EVEN) { /* 1 - T */
        vm32 left = f32_sign(x);
        r = f32_select(left, r, f32_sub(f32_set1(0.0f), r));
        a = f32_select(left, a, f32_sub(f32_set1(1.0f), a));
    }
    return f32_put_nan(f32_mul_add(r, p, a), x);
}

FG_INLINE word_half kernel_half_find(const struct fg_table_half *tab, int form, vf32 x) {
    vf32 t = f32_min_abs(x, f32_set1(tab->limit)); /* NaN gives limit */
    vf32 slope = f32_mul_add(t, f32_set1(tab->alpha), f32_set1(tab->beta));
    return kernel_half_word(form, x, t, slope, f32_set1(FG_MAGIC_F32));
}
FG_INLINE vf32 kernel_half_near(const half_near *near, int form, const word_half *word) {
    vf32 col[4];
    half_fetch(near, &word->row, col);
    return kernel_half_result(form, word, col);
}

/* ---- float16: a vector of them is floats ---------------------------------- */

typedef vf32 vf16;
typedef word_half word_f16;
typedef struct {
    char none;
} seen_f16;
typedef half_near near_f16, near_bf16;

FG_INLINE near_f16 kernel_f16_open(const struct fg_table_half *tab) { return half_near_open(tab); }
FG_INLINE seen_f16 kernel_f16_nothing(void) { return (seen_f16){0}; }
FG_INLINE int kernel_f16_rare(const struct fg_table_half *tab, int form, const seen_f16 *seen) {
    return (void)tab, (void)form, (void)seen, 0;
}
FG_INLINE word_f16 kernel_f16_find(const struct fg_table_half *tab, int form, vf16 x,
                                   seen_f16 *seen) {
    return (void)seen, kernel_half_find(tab, form, x);
}
FG_INLINE vf16 kernel_f16_near(const struct fg_table_half *tab, const near_f16 *near, int form,
                               const word_f16 *word, vf16 x) {
    return (void)tab, (void)x, kernel_half_near(near, form, word);
}
typedef word_f16 any_word_f16;
FG_INLINE any_word_f16 kernel_f16_find_any(const struct fg_table_half *tab, int form, vf16 x,
                                           seen_f16 *seen) {
    return kernel_f16_find(tab, form, x, seen);
}
FG_INLINE vf16 kernel_f16_any(const struct fg_table_half *tab, const near_f16 *near, int form,
                              const any_word_f16 *word, vf16 x) {
    return (void)tab, (void)x, kernel_half_near(near, form, word);
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
    word_half lower, upper;
} word_bf16;
typedef struct {
    vm16 rare;
} seen_bf16;

FG_INLINE near_bf16 kernel_bf16_open(const struct fg_table_half *tab) {
    return half_near_open(tab);
}
FG_INLINE seen_bf16 kernel_bf16_nothing(void) {
    return (seen_bf16){i16_in_range(i32_set1(0), 0, 0)};
}
FG_INLINE int kernel_bf16_rare(const struct fg_table_half *tab, int form, const seen_bf16 *seen) {
    return (void)tab, (void)form, m16_any(seen->rare);
}

/* Does an element need kernel_bf16_any()?  On twice the bits, to be rid of the
 * sign: an EVEN function is far on both sides, the others on the left alone. */
FG_INLINE void kernel_bf16_see(const struct fg_table_half *tab, int form, vbf16 x,
                               seen_bf16 *seen) {
    const unsigned first = tab->far_first, span = tab->far_span;
    vi32 size = i16_add(x, x);
    vm16 tiny = i16_in_range(size, 2, 2 * (FG_TINY_F32 >> 16) - 2);
    vm16 far =
        form == FG_EVEN ? i16_in_range(size, 2 * first, 2 * span) : i16_in_range(x, first, span);
    seen->rare = m16_or(seen->rare, m16_or(far, tiny));
}
FG_INLINE word_bf16 kernel_bf16_find(const struct fg_table_half *tab, int form, vbf16 x,
                                     seen_bf16 *seen) {
    kernel_bf16_see(tab, form, x, seen);
    return (word_bf16){kernel_half_find(tab, form, bf16_lower(x)),
                       kernel_half_find(tab, form, bf16_upper(x))};
}
FG_INLINE vbf16 kernel_bf16_near(const struct fg_table_half *tab, const near_bf16 *near, int form,
                                 const word_bf16 *word, vbf16 x) {
    (void)tab, (void)x;
    return bf16_join(kernel_half_near(near, form, &word->lower),
                     kernel_half_near(near, form, &word->upper));
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

/* Far rows hold T * 2^FG_SCALE_F32; on the right there is no far. */
FG_INLINE vf32 kernel_half_far_result(int form, vf32 scaled) {
    vi32 sign = i32_set1(form == FG_FORWARD ? 0x80000000u : 0);
    return kernel_f32_scale_back(f32_from_bits(i32_xor(f32_bits(scaled), sign)));
}
FG_INLINE vm32 kernel_bf16_is_far(const struct fg_table_half *tab, int form, vf32 x) {
    vf32 v = form == FG_EVEN ? f32_abs(x) : x;
    return i32_in_range(f32_bits(v), (uint32_t)tab->far_first << 16, (uint32_t)tab->far_span << 16);
}
FG_INLINE vm32 kernel_bf16_is_tiny(vf32 x) {
    return i32_in_range(f32_bits(f32_abs(x)), 1, FG_TINY_F32 - 1);
}
FG_INLINE word_half kernel_bf16_find_any_half(const struct fg_table_half *tab, int form, vf32 x) {
    vm32 far = kernel_bf16_is_far(tab, form, x);
    vf32 z = f32_select(kernel_bf16_is_tiny(x), f32_set1(0.0f), x), t = f32_abs(z);
    t = f32_select(far, t, f32_min(t, f32_set1(tab->limit)));
    vf32 alpha = f32_select(far, f32_set1(tab->far_alpha), f32_set1(tab->alpha));
    vf32 beta = f32_select(far, f32_set1(tab->far_beta), f32_set1(tab->beta));
    vf32 magic = f32_select(far, f32_set1(tab->far_magic), f32_set1(FG_MAGIC_F32));
    return kernel_half_word(form, z, t, f32_mul_add(t, alpha, beta), magic);
}
FG_INLINE vf32 kernel_bf16_any_half(const struct fg_table_half *tab, int form,
                                    const word_half *word, vf32 x) {
    vf32 col[4];
    vm32 far = kernel_bf16_is_far(tab, form, x), tiny = kernel_bf16_is_tiny(x);
    half_fetch_any(tab, &word->row, col);
    vf32 y = kernel_half_result(form, word, col);
    if (m32_any(far)) {
        const word_half T = {word->row, word->r, f32_set1(0)};
        vf32 scaled = kernel_half_result(FG_EVEN, &T, col);
        y = f32_select(far, kernel_half_far_result(form, scaled), y);
    }
    if (!m32_any(tiny)) return y;
    return f32_select(tiny, form == FG_FORWARD ? kernel_bf16_half(x) : f32_set1(tab->at_zero), y);
}

typedef word_bf16 any_word_bf16;
FG_INLINE any_word_bf16 kernel_bf16_find_any(const struct fg_table_half *tab, int form, vbf16 x,
                                             seen_bf16 *seen) {
    kernel_bf16_see(tab, form, x, seen);
    return (any_word_bf16){kernel_bf16_find_any_half(tab, form, bf16_lower(x)),
                           kernel_bf16_find_any_half(tab, form, bf16_upper(x))};
}
FG_INLINE vbf16 kernel_bf16_any(const struct fg_table_half *tab, const near_bf16 *near, int form,
                                const any_word_bf16 *word, vbf16 x) {
    (void)near;
    return bf16_join(kernel_bf16_any_half(tab, form, &word->lower, bf16_lower(x)),
                     kernel_bf16_any_half(tab, form, &word->upper, bf16_upper(x)));
}

#endif
