/* simd/no_fma.h: the words of simd/fma.h where there is no fused multiply-add,
 * by way of double, in which the product of two floats is exact.
 *
 * A sum in double is rounded to the precision of float in its bits: half a unit
 * is added and the tail of 29 bits cut off.  That can only be wrong where the
 * double sum, itself rounded, lies on the midpoint of two floats.  Such tails
 * are looked for once, at the end (the words f64_tail and tails_in_doubt say
 * how, and may be wrong by caution); then all is done again with fg_exact, where
 * the sum's own error (exact, by Knuth's TwoSum) tells which side of the
 * midpoint the true value is on.  Results below the normal range do not occur. */
#ifndef FASTGELU_SIMD_NO_FMA_H
#define FASTGELU_SIMD_NO_FMA_H

enum { FG_WIDE_PARTS = FG_LANES_F32 / FG_LANES_F64 };
typedef struct {
    vf64 part[FG_WIDE_PARTS];
} vw32;
typedef struct {
    int exact;
    vi64 tails;
} fg_fused;

#define fg_quick ((fg_fused){0, i64_set1(0)})
#define fg_exact ((fg_fused){1, i64_set1(0)})
FG_INLINE int fused_in_doubt(const fg_fused *steps) {
    return !steps->exact && FG_UNLIKELY(tails_in_doubt(steps->tails));
}

FG_INLINE vw32 w32_widen(vf32 a) {
    vw32 wide;
    f32_widen(a, wide.part);
    return wide;
}
FG_INLINE vf32 w32_narrow(vw32 a) { return f32_narrow(a.part); }

FG_INLINE vf64 f64_round_to_float(vf64 a) {
    vi64 up = i64_add(f64_bits(a), i64_set1(0x10000000));
    return f64_from_bits(i64_and(up, i64_set1(0xffffffffe0000000u)));
}
/* A double that rounds to float as p + c does. */
FG_INLINE vf64 f64_sum_for_float(vf64 p, vf64 c) {
    vf64 s = f64_add(p, c), z = f64_sub(s, p);
    vf64 error = f64_add(f64_sub(p, f64_sub(s, z)), f64_sub(c, z));
    vf64 toward = f64_select(f64_sign(s), f64_sub(f64_set1(0), error), error);
    vi64 up = i64_add(f64_bits(s), i64_set1(1)), down = i64_sub(f64_bits(s), i64_set1(1));
    vi64 moved = i64_select(f64_lt(f64_set1(0), toward), up, f64_bits(s));
    moved = i64_select(f64_lt(toward, f64_set1(0)), down, moved);
    vi64 off = i64_xor(i64_and(f64_bits(s), i64_set1(0x1fffffff)), i64_set1(0x10000000));
    return f64_from_bits(i64_select(i64_ltu(off, i64_set1(1)), moved, f64_bits(s)));
}
FG_NOINLINE vf32 f32_fma_exact(vw32 a, vw32 b, vw32 c) {
    for (int i = 0; i < FG_WIDE_PARTS; i++)
        a.part[i] = f64_sum_for_float(f64_mul(a.part[i], b.part[i]), c.part[i]);
    return w32_narrow(a);
}
FG_INLINE vw32 w32_sum(vw32 a, vw32 b, vw32 c, fg_fused *steps) { /* a*b + c as a double */
    FG_UNROLL(FG_WIDE_PARTS)
    for (int i = 0; i < FG_WIDE_PARTS; i++) {
        a.part[i] = f64_add(f64_mul(a.part[i], b.part[i]), c.part[i]);
        steps->tails = f64_tail(steps->tails, a.part[i]);
    }
    return a;
}
FG_INLINE vw32 w32_fma(vw32 a, vw32 b, vw32 c, fg_fused *steps) {
    if (steps->exact) return w32_widen(f32_fma_exact(a, b, c));
    a = w32_sum(a, b, c, steps);
    FG_UNROLL(FG_WIDE_PARTS)
    for (int i = 0; i < FG_WIDE_PARTS; i++) a.part[i] = f64_round_to_float(a.part[i]);
    return a;
}
FG_INLINE vf32 w32_fma_narrow(vw32 a, vw32 b, vw32 c, fg_fused *steps) { /* the last step */
    return steps->exact ? f32_fma_exact(a, b, c) : w32_narrow(w32_sum(a, b, c, steps));
}
/* a*b + c, rounded once; and where it does not matter how often it is rounded. */
FG_INLINE vf32 f32_fma(vf32 a, vf32 b, vf32 c) {
    return f32_fma_exact(w32_widen(a), w32_widen(b), w32_widen(c));
}
FG_INLINE vf32 f32_mul_add(vf32 a, vf32 b, vf32 c) { return f32_add(f32_mul(a, b), c); }

/* ---- float64: exact as long as nothing overflows or is subnormal ------------------ */

FG_INLINE vf64 f64_mul_add(vf64 a, vf64 b, vf64 c) { return f64_add(f64_mul(a, b), c); }

/* The nearest number of 26 bits; what a lacks of it has 26 as well (Veltkamp). */
FG_INLINE vf64 f64_upper(vf64 a) {
    vi64 up = i64_add(f64_bits(a), i64_set1(0x4000000));
    return f64_from_bits(i64_and(up, i64_set1(0xfffffffff8000000u)));
}

/* a*b - p, p = a*b rounded: exact (Dekker) */
FG_INLINE vf64 f64_product_error(vf64 a, vf64 b, vf64 p) {
    vf64 a1 = f64_upper(a), a2 = f64_sub(a, a1), b1 = f64_upper(b), b2 = f64_sub(b, b1);
    vf64 error = f64_add(f64_sub(f64_mul(a1, b1), p), f64_mul(a1, b2));
    return f64_add(f64_add(error, f64_mul(a2, b1)), f64_mul(a2, b2));
}

/* a + b - sum, sum = a + b rounded: exact (Knuth) */
FG_INLINE vf64 f64_sum_error(vf64 a, vf64 b, vf64 sum) {
    vf64 part = f64_sub(sum, a);
    return f64_add(f64_sub(a, f64_sub(sum, part)), f64_sub(b, part));
}

/* The sum of the four parts of a*b + c, the small ones rounded to odd, rounds
 * once (Boldo and Melquiond, Emulation of FMA and correctly rounded sums, 2008). */
FG_NOINLINE vf64 f64_fma_exact(vf64 a, vf64 b, vf64 c) { /* rare, and long */
    vf64 high = f64_mul(a, b), low = f64_product_error(a, b, high);
    vf64 t = f64_add(c, low), t_low = f64_sum_error(c, low, t);
    vf64 v = f64_add(high, t), v_low = f64_sum_error(high, t, v);
    vf64 z = f64_add(t_low, v_low), e = f64_sum_error(t_low, v_low, z);
    vi64 bits = f64_bits(z), even = i64_sub(i64_and(bits, i64_set1(1)), i64_set1(1));
    vi64 away = i64_shl(i64_shr(i64_xor(bits, f64_bits(e)), 63), 1); /* 0, or 2 if e is to zero */
    vi64 odd = i64_add(bits, i64_and(even, i64_sub(i64_set1(1), away)));
    vm64 inexact = m64_or(f64_lt(e, f64_set1(0.0)), f64_lt(f64_set1(0.0), e));
    return f64_add(v, f64_from_bits(i64_select(inexact, odd, bits)));
}

FG_INLINE vf64 f64_fma(vf64 a, vf64 b, vf64 c) { return f64_fma_exact(a, b, c); }

#endif
