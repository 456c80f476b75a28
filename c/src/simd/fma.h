/* simd/fma.h: fused multiply-adds in a row, on processors that have them.
 * simd/no_fma.h spells the same words without.
 *
 *   vw32     a float32 between fused steps, kept in whatever holds it exactly
 *   fg_fused what is remembered from step to step: whether a result is in doubt
 *            and has to be had again with fg_exact in place of fg_quick */
#ifndef FASTGELU_SIMD_FMA_H
#define FASTGELU_SIMD_FMA_H

#define FG_HAS_FMA

typedef vf32 vw32;
typedef struct {
    char none;
} fg_fused;

static const fg_fused fg_quick = {0}, fg_exact = {0};
FG_INLINE int fused_in_doubt(const fg_fused *steps) { return (void)steps, 0; }
FG_INLINE vw32 w32_widen(vf32 a) { return a; }
FG_INLINE vf32 w32_narrow(vw32 a) { return a; }
FG_INLINE vw32 w32_fma(vw32 a, vw32 b, vw32 c, fg_fused *steps) {
    return (void)steps, f32_fma(a, b, c);
}
FG_INLINE vf32 w32_fma_narrow(vw32 a, vw32 b, vw32 c, fg_fused *steps) {
    return (void)steps, f32_fma(a, b, c);
}
/* Where it does not matter how often it is rounded; the error of p = a*b, rounded. */
FG_INLINE vf32 f32_mul_add(vf32 a, vf32 b, vf32 c) { return f32_fma(a, b, c); }
FG_INLINE vf64 f64_mul_add(vf64 a, vf64 b, vf64 c) { return f64_fma(a, b, c); }
FG_INLINE vf64 f64_product_error(vf64 a, vf64 b, vf64 p) {
    return f64_fma(a, b, f64_sub(f64_set1(0), p));
}

#endif
