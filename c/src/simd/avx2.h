/* simd/avx2.h: the vocabulary of simd/scalar.h for AVX2, FMA and F16C. */
#ifndef FASTGELU_SIMD_AVX2_H
#define FASTGELU_SIMD_AVX2_H

#include "../tables.h"

#define FG_LANES_F32 8
#define FG_LANES_F64 4
#define FG_AHEAD 8
#define FG_AHEAD_HALF 8
#define FG_TOGETHER 2

typedef __m256 vf32, vm32;
typedef __m256i vi32, vi64, vm16;
typedef __m256d vf64, vm64;

FG_INLINE vi32 f32_bits(vf32 a) { return _mm256_castps_si256(a); }
FG_INLINE vf32 f32_from_bits(vi32 a) { return _mm256_castsi256_ps(a); }
FG_INLINE vi64 f64_bits(vf64 a) { return _mm256_castpd_si256(a); }
FG_INLINE vf64 f64_from_bits(vi64 a) { return _mm256_castsi256_pd(a); }

/* ---- memory ------------------------------------------------------------- */

FG_INLINE vi32 avx2_first(size_t n) { /* all ones in the first n lanes */
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
FG_INLINE vf32 f32_load(const void *p) { return _mm256_loadu_ps((const float *)p); }
FG_INLINE void f32_store(void *p, vf32 a) { _mm256_storeu_ps((float *)p, a); }
FG_INLINE vf32 f32_load_n(const void *p, size_t n) {
    return _mm256_maskload_ps((const float *)p, avx2_first(n));
}
FG_INLINE void f32_store_n(void *p, vf32 a, size_t n) {
    _mm256_maskstore_ps((float *)p, avx2_first(n), a);
}
FG_INLINE vf64 f64_load(const void *p) { return _mm256_loadu_pd((const double *)p); }
FG_INLINE void f64_store(void *p, vf64 a) { _mm256_storeu_pd((double *)p, a); }
FG_INLINE vf64 f64_load_n(const void *p, size_t n) {
    return _mm256_maskload_pd((const double *)p, avx2_first(2 * n));
}
FG_INLINE void f64_store_n(void *p, vf64 a, size_t n) {
    _mm256_maskstore_pd((double *)p, avx2_first(2 * n), a);
}
FG_INLINE vf32 f16_load(const void *p) {
    vf32 y = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p));
    FG_HIDE_WIDENED(y);
    return y;
}
FG_INLINE void f16_store(void *p, vf32 a) {
    _mm_storeu_si128((__m128i *)p, _mm256_cvtps_ph(a, _MM_FROUND_TO_NEAREST_INT));
}
FG_INLINE vf32 f16_load_n(const void *p, size_t n) {
    uint16_t part[8] = {0};
    memcpy(part, p, n * sizeof *part);
    return f16_load(part);
}
FG_INLINE void f16_store_n(void *p, vf32 a, size_t n) {
    uint16_t part[8];
    f16_store(part, a);
    memcpy(p, part, n * sizeof *part);
}

FG_INLINE vf32 bf16_load(const void *p) {
    __m256i u = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p));
    return f32_from_bits(_mm256_slli_epi32(u, 16));
}
FG_INLINE void bf16_store(void *p, vf32 a) {
    vi32 u = f32_bits(a), odd = _mm256_and_si256(_mm256_srli_epi32(u, 16), _mm256_set1_epi32(1));
    vi32 up = _mm256_add_epi32(_mm256_add_epi32(u, _mm256_set1_epi32(0x7fff)), odd);
    vf32 quiet = f32_from_bits(_mm256_or_si256(u, _mm256_set1_epi32(0x00400000)));
    vf32 y = _mm256_blendv_ps(f32_from_bits(up), quiet, _mm256_cmp_ps(a, a, _CMP_UNORD_Q));
    up = _mm256_srli_epi32(f32_bits(y), 16);
    _mm_storeu_si128((__m128i *)p,
                     _mm_packus_epi32(_mm256_castsi256_si128(up), _mm256_extracti128_si256(up, 1)));
}
FG_INLINE vf32 bf16_load_n(const void *p, size_t n) {
    uint16_t part[8] = {0};
    memcpy(part, p, n * sizeof *part);
    return bf16_load(part);
}
FG_INLINE void bf16_store_n(void *p, vf32 a, size_t n) {
    uint16_t part[8];
    bf16_store(part, a);
    memcpy(p, part, n * sizeof *part);
}
FG_INLINE vi32 i16_load(const void *p) { return _mm256_loadu_si256((const __m256i *)p); }
FG_INLINE void i16_store(void *p, vi32 a) { _mm256_storeu_si256((__m256i *)p, a); }
FG_INLINE vi32 i16_load_n(const void *p, size_t n) {
    uint16_t part[16] = {0};
    memcpy(part, p, n * sizeof *part);
    return i16_load(part);
}
FG_INLINE void i16_store_n(void *p, vi32 a, size_t n) {
    uint16_t part[16];
    i16_store(part, a);
    memcpy(p, part, n * sizeof *part);
}

/* ---- float32 ------------------------------------------------------------ */

FG_INLINE vf32 f32_set1(float a) { return _mm256_set1_ps(a); }
FG_INLINE vf32 f32_abs(vf32 a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a); }
FG_INLINE vf32 f32_add(vf32 a, vf32 b) { return _mm256_add_ps(a, b); }
FG_INLINE vf32 f32_sub(vf32 a, vf32 b) { return _mm256_sub_ps(a, b); }
FG_INLINE vf32 f32_mul(vf32 a, vf32 b) { return _mm256_mul_ps(a, b); }
FG_INLINE vf32 f32_fma(vf32 a, vf32 b, vf32 c) { return _mm256_fmadd_ps(a, b, c); }
FG_INLINE vf32 f32_minus_where(vm32 m, vf32 c, vf32 a, vf32 b) {
    return _mm256_fnmadd_ps(a, _mm256_and_ps(m, b), c);
}
FG_INLINE vf32 f32_min(vf32 a, vf32 b) { return _mm256_min_ps(a, b); }
FG_INLINE vf32 f32_max(vf32 a, vf32 b) { return _mm256_max_ps(a, b); }
FG_INLINE vf32 f32_min_abs(vf32 a, vf32 b) { return f32_min(f32_abs(a), b); }
FG_INLINE vm32 f32_lt(vf32 a, vf32 b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
FG_INLINE vm32 f32_sign(vf32 a) { return a; } /* blendv looks at the sign bit alone */
FG_INLINE vf32 f32_select(vm32 m, vf32 a, vf32 b) { return _mm256_blendv_ps(b, a, m); }
FG_INLINE vf32 f32_keep_nan(vf32 y, vf32 x) { return (void)x, y; }
FG_INLINE vm32 f32_is_nan(vf32 a) { return _mm256_cmp_ps(a, a, _CMP_UNORD_Q); }
FG_INLINE vf32 f32_put_nan(vf32 y, vf32 x) {
    vf32 quiet = _mm256_or_ps(x, f32_from_bits(_mm256_set1_epi32(0x00400000)));
    return _mm256_blendv_ps(y, quiet, _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
}

/* ---- 32-bit integers and masks ------------------------------------------ */

FG_INLINE vi32 i32_set1(uint32_t a) { return _mm256_set1_epi32((int)a); }
FG_INLINE vi32 i32_add(vi32 a, vi32 b) { return _mm256_add_epi32(a, b); }
FG_INLINE vi32 i32_sub(vi32 a, vi32 b) { return _mm256_sub_epi32(a, b); }
FG_INLINE vi32 i32_and(vi32 a, vi32 b) { return _mm256_and_si256(a, b); }
FG_INLINE vi32 i32_or(vi32 a, vi32 b) { return _mm256_or_si256(a, b); }
FG_INLINE vi32 i32_xor(vi32 a, vi32 b) { return _mm256_xor_si256(a, b); }
#define i32_shr(a, n) _mm256_srli_epi32(a, n)
#define i32_shl(a, n) _mm256_slli_epi32(a, n)
FG_INLINE vm32 i32_ltu(vi32 a, vi32 b) { /* signed comparison of shifted values */
    vi32 top = _mm256_set1_epi32(INT32_MIN);
    return f32_from_bits(_mm256_cmpgt_epi32(_mm256_xor_si256(b, top), _mm256_xor_si256(a, top)));
}
FG_INLINE vm32 i32_in_range(vi32 a, uint32_t first, uint32_t span) {
    vi32 top = _mm256_set1_epi32((int)(span ^ 0x80000000u));
    return f32_from_bits(_mm256_cmpgt_epi32(top, i32_sub(a, i32_set1(first + 0x80000000u))));
}
FG_INLINE vm32 m32_or(vm32 a, vm32 b) { return _mm256_or_ps(a, b); }
FG_INLINE vm32 m32_andnot(vm32 a, vm32 b) { return _mm256_andnot_ps(a, b); }
FG_INLINE int m32_any(vm32 m) { return _mm256_movemask_ps(m) != 0; }
FG_INLINE int m32_all(vm32 m) { return _mm256_movemask_ps(m) == 0xff; }
FG_INLINE vi32 i32_select(vm32 m, vi32 a, vi32 b) {
    return f32_bits(_mm256_blendv_ps(f32_from_bits(b), f32_from_bits(a), m));
}

FG_INLINE vi32 i16_add(vi32 a, vi32 b) { return _mm256_add_epi16(a, b); }
FG_INLINE vm16 i16_in_range(vi32 a, unsigned first, unsigned span) { /* signed comparison */
    vi32 shifted = _mm256_sub_epi16(a, _mm256_set1_epi16((short)(first + 0x8000)));
    return _mm256_cmpgt_epi16(_mm256_set1_epi16((short)(span + 0x8000)), shifted);
}
FG_INLINE vm16 m16_or(vm16 a, vm16 b) { return _mm256_or_si256(a, b); }
FG_INLINE int m16_any(vm16 m) { return _mm256_movemask_epi8(m) != 0; }

/* Bits of b where mask is set; a has none there. */
FG_INLINE vi32 i32_insert(vi32 a, vi32 b, uint32_t mask) {
    return _mm256_or_si256(a, _mm256_and_si256(b, _mm256_set1_epi32((int)mask)));
}

/* ---- rows of four floats: each lane's is loaded, and those of eight lanes are
 *      transposed to four columns, by shuffles, for which there are more units
 *      than for the unpacking of floats ------------------------------------- */

FG_INLINE const float *avx2_row(const char *origin, const void *words, int lane) {
    uint16_t at; /* twice the number of the row */
    memcpy(&at, (const char *)words + 4 * lane + 1, sizeof at);
    return (const float *)(origin + 8 * (size_t)at);
}
FG_INLINE vf32 avx2_rows(const char *origin, const void *words, int lane) { /* and lane + 4 */
    vf32 low = _mm256_castps128_ps256(_mm_loadu_ps(avx2_row(origin, words, lane)));
    return _mm256_insertf128_ps(low, _mm_loadu_ps(avx2_row(origin, words, lane + 4)), 1);
}
FG_INLINE void f32_fetch(const char *origin, const void *words, vf32 *col) {
    vf32 r0 = avx2_rows(origin, words, 0), r1 = avx2_rows(origin, words, 1);
    vf32 r2 = avx2_rows(origin, words, 2), r3 = avx2_rows(origin, words, 3);
    vf32 a = _mm256_shuffle_ps(r0, r1, 0x44), b = _mm256_shuffle_ps(r0, r1, 0xee);
    vf32 c = _mm256_shuffle_ps(r2, r3, 0x44), d = _mm256_shuffle_ps(r2, r3, 0xee);
    col[0] = _mm256_shuffle_ps(a, c, 0x88);
    col[1] = _mm256_shuffle_ps(a, c, 0xdd);
    col[2] = _mm256_shuffle_ps(b, d, 0x88);
    col[3] = _mm256_shuffle_ps(b, d, 0xdd);
}
/* ---- float64 ------------------------------------------------------------ */

FG_INLINE vf64 f64_set1(double a) { return _mm256_set1_pd(a); }
FG_INLINE vf64 f64_abs(vf64 a) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a); }
FG_INLINE vf64 f64_add(vf64 a, vf64 b) { return _mm256_add_pd(a, b); }
FG_INLINE vf64 f64_sub(vf64 a, vf64 b) { return _mm256_sub_pd(a, b); }
FG_INLINE vf64 f64_mul(vf64 a, vf64 b) { return _mm256_mul_pd(a, b); }
FG_INLINE vf64 f64_min(vf64 a, vf64 b) { return _mm256_min_pd(a, b); }
FG_INLINE vf64 f64_max(vf64 a, vf64 b) { return _mm256_max_pd(a, b); }
FG_INLINE vm64 f64_lt(vf64 a, vf64 b) { return _mm256_cmp_pd(a, b, _CMP_LT_OQ); }
FG_INLINE vm64 f64_sign(vf64 a) { return a; }
FG_INLINE vf64 f64_keep_nan(vf64 y, vf64 x) { return (void)x, y; }
FG_INLINE vm64 f64_is_nan(vf64 a) { return _mm256_cmp_pd(a, a, _CMP_UNORD_Q); }
FG_INLINE vf64 f64_put_nan(vf64 y, vf64 x) {
    vf64 quiet = _mm256_or_pd(x, f64_from_bits(_mm256_set1_epi64x(0x0008000000000000)));
    return _mm256_blendv_pd(y, quiet, _mm256_cmp_pd(x, x, _CMP_UNORD_Q));
}

FG_INLINE vi64 i64_set1(uint64_t a) { return _mm256_set1_epi64x((long long)a); }
FG_INLINE vi64 i64_add(vi64 a, vi64 b) { return _mm256_add_epi64(a, b); }
FG_INLINE vi64 i64_sub(vi64 a, vi64 b) { return _mm256_sub_epi64(a, b); }
FG_INLINE vi64 i64_and(vi64 a, vi64 b) { return _mm256_and_si256(a, b); }
FG_INLINE vi64 i64_or(vi64 a, vi64 b) { return _mm256_or_si256(a, b); }
FG_INLINE vi64 i64_xor(vi64 a, vi64 b) { return _mm256_xor_si256(a, b); }
#define i64_shr(a, n) _mm256_srli_epi64(a, n)
#define i64_shl(a, n) _mm256_slli_epi64(a, n)
FG_INLINE vm64 i64_ltu(vi64 a, vi64 b) {
    vi64 top = _mm256_set1_epi64x(INT64_MIN);
    return f64_from_bits(_mm256_cmpgt_epi64(_mm256_xor_si256(b, top), _mm256_xor_si256(a, top)));
}
FG_INLINE vm64 m64_or(vm64 a, vm64 b) { return _mm256_or_pd(a, b); }
FG_INLINE vm64 m64_andnot(vm64 a, vm64 b) { return _mm256_andnot_pd(a, b); }
FG_INLINE int m64_any(vm64 m) { return _mm256_movemask_pd(m) != 0; }
FG_INLINE int m64_all(vm64 m) { return _mm256_movemask_pd(m) == 0xf; }
FG_INLINE vf64 f64_select(vm64 m, vf64 a, vf64 b) { return _mm256_blendv_pd(b, a, m); }
FG_INLINE vi64 i64_select(vm64 m, vi64 a, vi64 b) {
    return f64_bits(_mm256_blendv_pd(f64_from_bits(b), f64_from_bits(a), m));
}

FG_INLINE vi64 i64_mul32(vi64 a, vi64 b) { return _mm256_mul_epu32(a, b); }

FG_INLINE vf64 f64_fma(vf64 a, vf64 b, vf64 c) { return _mm256_fmadd_pd(a, b, c); }

/* Two columns of a lane at a time, as integers: their unpacking has a port more. */
FG_INLINE vi64 avx2_pairs(const double *low, const double *high) {
    const __m128i *p = (const __m128i *)low, *q = (const __m128i *)high;
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(p)), _mm_loadu_si128(q),
                                   1);
}
FG_INLINE void f64_fetch(const double *rows, int n, const void *words, vf64 *col) {
    const double *r0 = f64_row(rows, words, 0), *r1 = f64_row(rows, words, 1);
    const double *r2 = f64_row(rows, words, 2), *r3 = f64_row(rows, words, 3);
    FG_UNROLL(4)
    for (int j = 0; j < n; j += 2) {
        vi64 a = avx2_pairs(r0 + j, r2 + j), b = avx2_pairs(r1 + j, r3 + j);
        col[j] = f64_from_bits(_mm256_unpacklo_epi64(a, b));
        col[j + 1] = f64_from_bits(_mm256_unpackhi_epi64(a, b));
    }
}

#include "fma.h"
#include "half_rows.h"

#endif
