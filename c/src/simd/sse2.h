/* simd/sse2.h: the vocabulary of simd/scalar.h for SSE2, which every x86-64
 * has, without fma. */
#ifndef FASTGELU_SIMD_SSE2_H
#define FASTGELU_SIMD_SSE2_H

#include "../tables.h"

#define FG_LANES_F32 4
#define FG_LANES_F64 2
#define FG_AHEAD 8
#define FG_AHEAD_HALF 8
#define FG_TOGETHER 1

typedef __m128 vf32, vm32;
typedef __m128i vi32, vi64, vm16;
typedef __m128d vf64, vm64;

FG_INLINE vi32 f32_bits(vf32 a) { return _mm_castps_si128(a); }
FG_INLINE vf32 f32_from_bits(vi32 a) { return _mm_castsi128_ps(a); }
FG_INLINE vi64 f64_bits(vf64 a) { return _mm_castpd_si128(a); }
FG_INLINE vf64 f64_from_bits(vi64 a) { return _mm_castsi128_pd(a); }

/* ---- masks and 32-bit integers ------------------------------------------ */

FG_INLINE vi32 i32_set1(uint32_t a) { return _mm_set1_epi32((int)a); }
FG_INLINE vi32 i32_add(vi32 a, vi32 b) { return _mm_add_epi32(a, b); }
FG_INLINE vi32 i32_sub(vi32 a, vi32 b) { return _mm_sub_epi32(a, b); }
FG_INLINE vi32 i32_and(vi32 a, vi32 b) { return _mm_and_si128(a, b); }
FG_INLINE vi32 i32_or(vi32 a, vi32 b) { return _mm_or_si128(a, b); }
FG_INLINE vi32 i32_xor(vi32 a, vi32 b) { return _mm_xor_si128(a, b); }
#define i32_shr(a, n) _mm_srli_epi32(a, n)
#define i32_shl(a, n) _mm_slli_epi32(a, n)
FG_INLINE vm32 i32_ltu(vi32 a, vi32 b) { /* signed comparison of shifted values */
    vi32 top = _mm_set1_epi32(INT32_MIN);
    return f32_from_bits(_mm_cmpgt_epi32(_mm_xor_si128(b, top), _mm_xor_si128(a, top)));
}
FG_INLINE vm32 i32_in_range(vi32 a, uint32_t first, uint32_t span) {
    vi32 top = _mm_set1_epi32((int)(span ^ 0x80000000u));
    return f32_from_bits(_mm_cmpgt_epi32(top, i32_sub(a, i32_set1(first + 0x80000000u))));
}
FG_INLINE vm32 m32_or(vm32 a, vm32 b) { return _mm_or_ps(a, b); }
FG_INLINE vm32 m32_andnot(vm32 a, vm32 b) { return _mm_andnot_ps(a, b); }
FG_INLINE int m32_any(vm32 m) { return _mm_movemask_ps(m) != 0; }
FG_INLINE int m32_all(vm32 m) { return _mm_movemask_ps(m) == 0xf; }
FG_INLINE vf32 f32_select(vm32 m, vf32 a, vf32 b) {
    return _mm_or_ps(_mm_and_ps(m, a), _mm_andnot_ps(m, b));
}
FG_INLINE vi32 i32_select(vm32 m, vi32 a, vi32 b) {
    return f32_bits(f32_select(m, f32_from_bits(a), f32_from_bits(b)));
}
/* Bits of b where mask is set; a has none there. */
FG_INLINE vi32 i32_insert(vi32 a, vi32 b, uint32_t mask) {
    return i32_or(a, i32_and(b, i32_set1(mask)));
}

FG_INLINE vi32 i16_add(vi32 a, vi32 b) { return _mm_add_epi16(a, b); }
FG_INLINE vm16 i16_in_range(vi32 a, unsigned first, unsigned span) { /* signed comparison */
    vi32 shifted = _mm_sub_epi16(a, _mm_set1_epi16((short)(first + 0x8000)));
    return _mm_cmpgt_epi16(_mm_set1_epi16((short)(span + 0x8000)), shifted);
}
FG_INLINE vm16 m16_or(vm16 a, vm16 b) { return _mm_or_si128(a, b); }
FG_INLINE int m16_any(vm16 m) { return _mm_movemask_epi8(m) != 0; }

/* ---- float32 ------------------------------------------------------------ */

FG_INLINE vf32 f32_load(const void *p) { return _mm_loadu_ps((const float *)p); }
FG_INLINE void f32_store(void *p, vf32 a) { _mm_storeu_ps((float *)p, a); }
FG_INLINE vf32 f32_set1(float a) { return _mm_set1_ps(a); }
FG_INLINE vf32 f32_abs(vf32 a) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), a); }
FG_INLINE vf32 f32_add(vf32 a, vf32 b) { return _mm_add_ps(a, b); }
FG_INLINE vf32 f32_sub(vf32 a, vf32 b) { return _mm_sub_ps(a, b); }
FG_INLINE vf32 f32_mul(vf32 a, vf32 b) { return _mm_mul_ps(a, b); }
FG_INLINE vf32 f32_min(vf32 a, vf32 b) { return _mm_min_ps(a, b); }
FG_INLINE vf32 f32_max(vf32 a, vf32 b) { return _mm_max_ps(a, b); }
FG_INLINE vf32 f32_min_abs(vf32 a, vf32 b) { return f32_min(f32_abs(a), b); }
FG_INLINE vf32 f32_minus_where(vm32 m, vf32 c, vf32 a, vf32 b) {
    return f32_sub(c, f32_mul(a, _mm_and_ps(m, b)));
}
FG_INLINE vm32 f32_lt(vf32 a, vf32 b) { return _mm_cmplt_ps(a, b); }
FG_INLINE vm32 f32_sign(vf32 a) { return f32_from_bits(_mm_srai_epi32(f32_bits(a), 31)); }
FG_INLINE vm32 f32_is_nan(vf32 a) { return _mm_cmpunord_ps(a, a); }
FG_INLINE vf32 f32_keep_nan(vf32 y, vf32 x) { return (void)x, y; }
FG_INLINE vf32 f32_put_nan(vf32 y, vf32 x) {
    vf32 quiet = _mm_or_ps(x, f32_from_bits(i32_set1(0x00400000)));
    return f32_select(f32_is_nan(x), quiet, y);
}

/* ---- 16-bit elements ------------------------------------------------------ */

FG_INLINE vi32 i16_load(const void *p) { return f32_bits(f32_load(p)); }
FG_INLINE void i16_store(void *p, vi32 a) { f32_store(p, f32_from_bits(a)); }
FG_INLINE vi32 sse2_widen16(const void *p) { /* to the upper halves of words */
    return _mm_unpacklo_epi16(_mm_setzero_si128(), _mm_loadl_epi64((const __m128i *)p));
}
FG_INLINE void sse2_narrow16(void *p, vi32 a) { /* from the upper halves */
    a = _mm_srai_epi32(a, 16);
    _mm_storel_epi64((__m128i *)p, _mm_packs_epi32(a, a));
}
FG_INLINE vi32 sse2_choose(vi32 m, vi32 a, vi32 b) { return i32_select(f32_from_bits(m), a, b); }
FG_INLINE vi32 sse2_gt(vi32 a, vi32 b) { return _mm_cmpgt_epi32(a, b); } /* signed */

/* float16 as in half.h */
FG_INLINE vf32 f16_load(const void *p) {
    vi32 h = sse2_widen16(p), size = i32_shr(i32_and(h, i32_set1(0x7fffffff)), 16);
    vi32 bias = i32_set1(112 << 23), normal = i32_add(i32_shl(size, 13), bias);
    vi32 special = sse2_gt(size, i32_set1(0x7bff)); /* infinity, NaN */
    normal = i32_add(normal, i32_and(special, bias));
    vi32 nan = sse2_gt(size, i32_set1(0x7c00));
    normal = i32_or(normal, i32_and(nan, i32_set1(0x00400000)));
    vi32 units = f32_bits(f32_mul(_mm_cvtepi32_ps(size), f32_set1(0x1p-24f)));
    vi32 u = sse2_choose(sse2_gt(i32_set1(0x0400), size), units, normal);
    return f32_from_bits(i32_or(u, i32_and(h, i32_set1(0x80000000u))));
}
FG_INLINE void f16_store(void *p, vf32 a) {
    vi32 u = f32_bits(a), size = i32_and(u, i32_set1(0x7fffffff)), kept = i32_shr(size, 13);
    vi32 odd = i32_and(kept, i32_set1(1));
    vi32 normal = i32_add(i32_add(size, odd), i32_set1(0xfffu - (112u << 23)));
    vf32 half = f32_set1(0.5f), sum = f32_add(f32_from_bits(size), half);
    vi32 subnormal = i32_sub(f32_bits(sum), f32_bits(half));
    vi32 h = sse2_choose(sse2_gt(i32_set1(0x38800000), size), subnormal, i32_shr(normal, 13));
    h = sse2_choose(sse2_gt(size, i32_set1(0x477fefff)), i32_set1(0x7c00), h);
    vi32 nan = i32_or(i32_and(kept, i32_set1(0x3ff)), i32_set1(0x7e00));
    h = sse2_choose(sse2_gt(size, i32_set1(0x7f800000)), nan, h);
    sse2_narrow16(p, i32_or(i32_shl(h, 16), i32_and(u, i32_set1(0x80000000u))));
}
FG_INLINE vf32 bf16_load(const void *p) { return f32_from_bits(sse2_widen16(p)); }
FG_INLINE void bf16_store(void *p, vf32 a) {
    vi32 u = f32_bits(a), odd = i32_and(i32_shr(u, 16), i32_set1(1));
    vi32 up = i32_add(i32_add(u, i32_set1(0x7fff)), odd);
    sse2_narrow16(p, i32_select(f32_is_nan(a), i32_or(u, i32_set1(0x00400000)), up));
}
FG_INLINE vf64 f64_load(const void *p) { return _mm_loadu_pd((const double *)p); }
FG_INLINE void f64_store(void *p, vf64 a) { _mm_storeu_pd((double *)p, a); }
#define FG_PARTS(dtype, type, element, lanes)                                                      \
    FG_INLINE type dtype##_load_n(const void *p, size_t n) {                                       \
        element part[lanes] = {0};                                                                 \
        memcpy(part, p, n * sizeof *part);                                                         \
        return dtype##_load(part);                                                                 \
    }                                                                                              \
    FG_INLINE void dtype##_store_n(void *p, type a, size_t n) {                                    \
        element part[lanes];                                                                       \
        dtype##_store(part, a);                                                                    \
        memcpy(p, part, n * sizeof *part);                                                         \
    }
FG_PARTS(f16, vf32, uint16_t, 4)
FG_PARTS(bf16, vf32, uint16_t, 4)
FG_PARTS(i16, vi32, uint16_t, 8)
FG_PARTS(f32, vf32, float, 4)
FG_PARTS(f64, vf64, double, 2)
#undef FG_PARTS

/* ---- rows of four floats, of four lanes, to four columns ---------------------- */

FG_INLINE vf32 sse2_row(const char *origin, const void *words, int lane) {
    uint16_t at; /* twice the number of the row */
    memcpy(&at, (const char *)words + 4 * lane + 1, sizeof at);
    return _mm_loadu_ps((const float *)(origin + 8 * (size_t)at));
}
FG_INLINE void f32_fetch(const char *origin, const void *words, vf32 *col) {
    FG_UNROLL(4)
    for (int i = 0; i < 4; i++) col[i] = sse2_row(origin, words, i);
    _MM_TRANSPOSE4_PS(col[0], col[1], col[2], col[3]);
}

/* ---- float64 ------------------------------------------------------------ */

FG_INLINE vf64 f64_set1(double a) { return _mm_set1_pd(a); }
FG_INLINE vf64 f64_abs(vf64 a) { return _mm_andnot_pd(_mm_set1_pd(-0.0), a); }
FG_INLINE vf64 f64_add(vf64 a, vf64 b) { return _mm_add_pd(a, b); }
FG_INLINE vf64 f64_sub(vf64 a, vf64 b) { return _mm_sub_pd(a, b); }
FG_INLINE vf64 f64_mul(vf64 a, vf64 b) { return _mm_mul_pd(a, b); }
FG_INLINE vf64 f64_min(vf64 a, vf64 b) { return _mm_min_pd(a, b); }
FG_INLINE vf64 f64_max(vf64 a, vf64 b) { return _mm_max_pd(a, b); }
FG_INLINE vm64 f64_lt(vf64 a, vf64 b) { return _mm_cmplt_pd(a, b); }
FG_INLINE vm64 f64_sign(vf64 a) {
    return f64_from_bits(_mm_srai_epi32(_mm_shuffle_epi32(_mm_castpd_si128(a), 0xf5), 31));
}
FG_INLINE vf64 f64_keep_nan(vf64 y, vf64 x) { return (void)x, y; }

FG_INLINE vi64 i64_set1(uint64_t a) { return _mm_set1_epi64x((long long)a); }
FG_INLINE vi64 i64_add(vi64 a, vi64 b) { return _mm_add_epi64(a, b); }
FG_INLINE vi64 i64_sub(vi64 a, vi64 b) { return _mm_sub_epi64(a, b); }
FG_INLINE vi64 i64_and(vi64 a, vi64 b) { return _mm_and_si128(a, b); }
FG_INLINE vi64 i64_or(vi64 a, vi64 b) { return _mm_or_si128(a, b); }
FG_INLINE vi64 i64_xor(vi64 a, vi64 b) { return _mm_xor_si128(a, b); }
#define i64_shr(a, n) _mm_srli_epi64(a, n)
#define i64_shl(a, n) _mm_slli_epi64(a, n)
FG_INLINE vm64 i64_ltu(vi64 a, vi64 b) { /* the borrow of a - b, spread over the lane */
    vi64 borrow = _mm_or_si128(_mm_andnot_si128(a, b),
                               _mm_andnot_si128(_mm_xor_si128(a, b), _mm_sub_epi64(a, b)));
    return f64_from_bits(_mm_srai_epi32(_mm_shuffle_epi32(borrow, 0xf5), 31));
}
FG_INLINE vm64 m64_or(vm64 a, vm64 b) { return _mm_or_pd(a, b); }
FG_INLINE vm64 m64_andnot(vm64 a, vm64 b) { return _mm_andnot_pd(a, b); }
FG_INLINE int m64_any(vm64 m) { return _mm_movemask_pd(m) != 0; }
FG_INLINE int m64_all(vm64 m) { return _mm_movemask_pd(m) == 3; }
FG_INLINE vf64 f64_select(vm64 m, vf64 a, vf64 b) {
    return _mm_or_pd(_mm_and_pd(m, a), _mm_andnot_pd(m, b));
}
FG_INLINE vi64 i64_select(vm64 m, vi64 a, vi64 b) {
    return f64_bits(f64_select(m, f64_from_bits(a), f64_from_bits(b)));
}

FG_INLINE vm64 f64_is_nan(vf64 a) { return _mm_cmpunord_pd(a, a); }
FG_INLINE vf64 f64_put_nan(vf64 y, vf64 x) {
    vf64 quiet = _mm_or_pd(x, f64_from_bits(_mm_set1_epi64x(0x0008000000000000)));
    return f64_select(_mm_cmpunord_pd(x, x), quiet, y);
}

FG_INLINE vi64 i64_mul32(vi64 a, vi64 b) { return _mm_mul_epu32(a, b); }

/* Two columns of a lane at a time. */
FG_INLINE void f64_fetch(const double *rows, int n, const void *words, vf64 *col) {
    const double *r0 = f64_row(rows, words, 0), *r1 = f64_row(rows, words, 1);
    FG_UNROLL(4)
    for (int j = 0; j < n; j += 2) {
        vf64 a = _mm_loadu_pd(r0 + j), b = _mm_loadu_pd(r1 + j);
        col[j] = _mm_unpacklo_pd(a, b), col[j + 1] = _mm_unpackhi_pd(a, b);
    }
}

/* ---- fused steps: the tails of doubles, in the top bits of words whose running
 *      minimum is half a unit if one of them is, in its first 16 bits ----------- */

FG_INLINE void f32_widen(vf32 a, vf64 *part) {
    part[0] = _mm_cvtps_pd(a);
    part[1] = _mm_cvtps_pd(_mm_movehl_ps(a, a));
}
FG_INLINE vf32 f32_narrow(const vf64 *part) {
    return _mm_movelh_ps(_mm_cvtpd_ps(part[0]), _mm_cvtpd_ps(part[1]));
}
FG_INLINE vi64 f64_tail(vi64 tails, vf64 a) {
    return _mm_min_epi16(tails, _mm_slli_epi64(f64_bits(a), 35));
}
FG_INLINE int tails_in_doubt(vi64 tails) {
    return _mm_movemask_epi8(_mm_cmpeq_epi16(tails, _mm_set1_epi16(INT16_MIN))) & 0xc0c0;
}
#include "half_rows.h"
#include "no_fma.h"

#endif
