/* simd/avx512.h: the vocabulary of simd/scalar.h for AVX-512 F, BW, DQ, VL. */
#ifndef FASTGELU_SIMD_AVX512_H
#define FASTGELU_SIMD_AVX512_H

#include "../tables.h"

#define FG_LANES_F32 16
#define FG_LANES_F64 8
#define FG_AHEAD 8
#define FG_AHEAD_HALF 1
#define FG_TOGETHER 1

typedef __m512 vf32;
typedef __m512i vi32, vi64;
typedef __m512d vf64;
typedef __mmask16 vm32;
typedef __mmask8 vm64;
typedef __mmask32 vm16;

FG_INLINE vi32 f32_bits(vf32 a) { return _mm512_castps_si512(a); }
FG_INLINE vf32 f32_from_bits(vi32 a) { return _mm512_castsi512_ps(a); }
FG_INLINE vi64 f64_bits(vf64 a) { return _mm512_castpd_si512(a); }
FG_INLINE vf64 f64_from_bits(vi64 a) { return _mm512_castsi512_pd(a); }

/* ---- memory ------------------------------------------------------------- */

FG_INLINE vf32 f32_load(const void *p) { return _mm512_loadu_ps(p); }
FG_INLINE void f32_store(void *p, vf32 a) { _mm512_storeu_ps(p, a); }
FG_INLINE vf32 f32_load_n(const void *p, size_t n) {
    return _mm512_maskz_loadu_ps((vm32)((1u << n) - 1), p);
}
FG_INLINE void f32_store_n(void *p, vf32 a, size_t n) {
    _mm512_mask_storeu_ps(p, (vm32)((1u << n) - 1), a);
}
FG_INLINE vf64 f64_load(const void *p) { return _mm512_loadu_pd(p); }
FG_INLINE void f64_store(void *p, vf64 a) { _mm512_storeu_pd(p, a); }
FG_INLINE vf64 f64_load_n(const void *p, size_t n) {
    return _mm512_maskz_loadu_pd((vm64)((1u << n) - 1), p);
}
FG_INLINE void f64_store_n(void *p, vf64 a, size_t n) {
    _mm512_mask_storeu_pd(p, (vm64)((1u << n) - 1), a);
}
FG_INLINE vf32 f16_load(const void *p) {
    vf32 y = _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p));
    FG_HIDE_WIDENED(y);
    return y;
}
FG_INLINE void f16_store(void *p, vf32 a) {
    _mm256_storeu_si256((__m256i *)p, _mm512_cvtps_ph(a, _MM_FROUND_TO_NEAREST_INT));
}
FG_INLINE vf32 f16_load_n(const void *p, size_t n) {
    return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16((__mmask16)((1u << n) - 1), p));
}
FG_INLINE void f16_store_n(void *p, vf32 a, size_t n) {
    _mm256_mask_storeu_epi16(p, (__mmask16)((1u << n) - 1),
                             _mm512_cvtps_ph(a, _MM_FROUND_TO_NEAREST_INT));
}

/* Not by the BF16 instructions, which take subnormals for zero. */
FG_INLINE vf32 avx512_from_bf16(__m256i h) {
    return f32_from_bits(_mm512_slli_epi32(_mm512_cvtepu16_epi32(h), 16));
}
FG_INLINE __m256i avx512_to_bf16(vf32 a) {
    vi32 u = f32_bits(a), odd = _mm512_and_si512(_mm512_srli_epi32(u, 16), _mm512_set1_epi32(1));
    vi32 up = _mm512_add_epi32(_mm512_add_epi32(u, _mm512_set1_epi32(0x7fff)), odd);
    vm32 nan = _mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q);
    up = _mm512_mask_or_epi32(up, nan, u, _mm512_set1_epi32(0x00400000));
    return _mm512_cvtepi32_epi16(_mm512_srli_epi32(up, 16));
}
FG_INLINE vf32 bf16_load(const void *p) {
    return avx512_from_bf16(_mm256_loadu_si256((const __m256i *)p));
}
FG_INLINE void bf16_store(void *p, vf32 a) { _mm256_storeu_si256((__m256i *)p, avx512_to_bf16(a)); }
FG_INLINE vf32 bf16_load_n(const void *p, size_t n) {
    return avx512_from_bf16(_mm256_maskz_loadu_epi16((__mmask16)((1u << n) - 1), p));
}
FG_INLINE void bf16_store_n(void *p, vf32 a, size_t n) {
    _mm256_mask_storeu_epi16(p, (__mmask16)((1u << n) - 1), avx512_to_bf16(a));
}
FG_INLINE vi32 i16_load(const void *p) { return _mm512_loadu_si512(p); }
FG_INLINE void i16_store(void *p, vi32 a) { _mm512_storeu_si512(p, a); }
FG_INLINE vi32 i16_load_n(const void *p, size_t n) {
    return _mm512_maskz_loadu_epi16((__mmask32)((1u << n) - 1), p);
}
FG_INLINE void i16_store_n(void *p, vi32 a, size_t n) {
    _mm512_mask_storeu_epi16(p, (__mmask32)((1u << n) - 1), a);
}

/* ---- float32 ------------------------------------------------------------ */

FG_INLINE vf32 f32_set1(float a) { return _mm512_set1_ps(a); }
FG_INLINE vf32 f32_abs(vf32 a) { return _mm512_abs_ps(a); }
FG_INLINE vf32 f32_add(vf32 a, vf32 b) { return _mm512_add_ps(a, b); }
FG_INLINE vf32 f32_sub(vf32 a, vf32 b) { return _mm512_sub_ps(a, b); }
FG_INLINE vf32 f32_mul(vf32 a, vf32 b) { return _mm512_mul_ps(a, b); }
FG_INLINE vf32 f32_fma(vf32 a, vf32 b, vf32 c) { return _mm512_fmadd_ps(a, b, c); }
FG_INLINE vf32 f32_minus_where(vm32 m, vf32 c, vf32 a, vf32 b) {
    return _mm512_mask3_fnmadd_ps(a, b, c, m);
}
FG_INLINE vf32 f32_min(vf32 a, vf32 b) { return _mm512_min_ps(a, b); }
FG_INLINE vf32 f32_max(vf32 a, vf32 b) { return _mm512_max_ps(a, b); }
FG_INLINE vf32 f32_min_abs(vf32 a, vf32 b) {
    return _mm512_range_ps(a, b, 0xa); /* the smaller one in size, made positive */
}
FG_INLINE vm32 f32_lt(vf32 a, vf32 b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
FG_INLINE vm32 f32_sign(vf32 a) { return _mm512_movepi32_mask(_mm512_castps_si512(a)); }
FG_INLINE vf32 f32_select(vm32 m, vf32 a, vf32 b) { return _mm512_mask_blend_ps(m, b, a); }
FG_INLINE vf32 f32_keep_nan(vf32 y, vf32 x) { return (void)x, y; }
FG_INLINE vm32 f32_is_nan(vf32 a) { return _mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q); }
FG_INLINE vf32 f32_put_nan(vf32 y, vf32 x) {
    return _mm512_mask_add_ps(y, _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q), x, x);
}

/* ---- 32-bit integers and masks ------------------------------------------ */

FG_INLINE vi32 i32_set1(uint32_t a) { return _mm512_set1_epi32((int)a); }
FG_INLINE vi32 i32_add(vi32 a, vi32 b) { return _mm512_add_epi32(a, b); }
FG_INLINE vi32 i32_sub(vi32 a, vi32 b) { return _mm512_sub_epi32(a, b); }
FG_INLINE vi32 i32_and(vi32 a, vi32 b) { return _mm512_and_si512(a, b); }
FG_INLINE vi32 i32_or(vi32 a, vi32 b) { return _mm512_or_si512(a, b); }
FG_INLINE vi32 i32_xor(vi32 a, vi32 b) { return _mm512_xor_si512(a, b); }
#define i32_shr(a, n) _mm512_srli_epi32(a, n)
#define i32_shl(a, n) _mm512_slli_epi32(a, n)
FG_INLINE vm32 i32_ltu(vi32 a, vi32 b) { return _mm512_cmplt_epu32_mask(a, b); }
FG_INLINE vm32 i32_in_range(vi32 a, uint32_t first, uint32_t span) {
    return i32_ltu(i32_sub(a, i32_set1(first)), i32_set1(span));
}
FG_INLINE vm32 m32_or(vm32 a, vm32 b) { return _kor_mask16(a, b); }
FG_INLINE vm32 m32_andnot(vm32 a, vm32 b) { return _kandn_mask16(a, b); }
FG_INLINE int m32_any(vm32 m) { return m != 0; }
FG_INLINE int m32_all(vm32 m) { return m == 0xffff; }
FG_INLINE vi32 i32_select(vm32 m, vi32 a, vi32 b) { return _mm512_mask_blend_epi32(m, b, a); }

FG_INLINE vi32 i16_add(vi32 a, vi32 b) { return _mm512_add_epi16(a, b); }
FG_INLINE vm16 i16_in_range(vi32 a, unsigned first, unsigned span) {
    return _mm512_cmplt_epu16_mask(_mm512_sub_epi16(a, _mm512_set1_epi16((short)first)),
                                   _mm512_set1_epi16((short)span));
}
FG_INLINE vm16 m16_or(vm16 a, vm16 b) { return _kor_mask32(a, b); }
FG_INLINE int m16_any(vm16 m) { return m != 0; }

/* Bits of b where mask is set; a has none there. */
FG_INLINE vi32 i32_insert(vi32 a, vi32 b, uint32_t mask) {
    return _mm512_ternarylogic_epi32(a, b, _mm512_set1_epi32((int)mask), 0xf8); /* a | b & c */
}

/* ---- rows of four floats: four lanes' make a register, and four of these are
 *      transposed to columns --------------------------------------------------- */

FG_INLINE __m128 avx512_row(const char *origin, const void *words, int lane) {
    uint16_t at; /* twice the number of the row */
    memcpy(&at, (const char *)words + 4 * lane + 1, sizeof at);
    return _mm_loadu_ps((const float *)(origin + 8 * (size_t)at));
}
FG_INLINE vf32 avx512_rows(const char *origin, const void *words, int lane) { /* and + 4, 8, 12 */
    vf32 r = _mm512_castps128_ps512(avx512_row(origin, words, lane));
    r = _mm512_insertf32x4(r, avx512_row(origin, words, lane + 4), 1);
    r = _mm512_insertf32x4(r, avx512_row(origin, words, lane + 8), 2);
    return _mm512_insertf32x4(r, avx512_row(origin, words, lane + 12), 3);
}
FG_INLINE void f32_fetch(const char *origin, const void *words, vf32 *col) {
    vf32 r0 = avx512_rows(origin, words, 0), r1 = avx512_rows(origin, words, 1);
    vf32 r2 = avx512_rows(origin, words, 2), r3 = avx512_rows(origin, words, 3);
    vf32 a = _mm512_shuffle_ps(r0, r1, 0x44), b = _mm512_shuffle_ps(r0, r1, 0xee);
    vf32 c = _mm512_shuffle_ps(r2, r3, 0x44), d = _mm512_shuffle_ps(r2, r3, 0xee);
    col[0] = _mm512_shuffle_ps(a, c, 0x88);
    col[1] = _mm512_shuffle_ps(a, c, 0xdd);
    col[2] = _mm512_shuffle_ps(b, d, 0x88);
    col[3] = _mm512_shuffle_ps(b, d, 0xdd);
}

/* ---- 16-bit types: the near rows live in registers, a column in two, and a
 *      lane takes its own by one permute --------------------------------------- */

typedef struct {
    vf32 col[4][2];
} half_near;
FG_INLINE half_near half_near_open(const struct fg_table_half *t) {
    half_near near;
    FG_UNROLL(4)
    for (int j = 0; j < 4; j++) {
        near.col[j][0] = _mm512_load_ps(t->columns[j]);
        near.col[j][1] = _mm512_load_ps(t->columns[j] + 16);
    }
    return near;
}
FG_INLINE vi32 half_word(vf32 k) { return f32_bits(k); }
FG_INLINE void half_fetch(const half_near *near, const vi32 *word, vf32 *col) {
    FG_UNROLL(4)
    for (int j = 0; j < 4; j++)
        col[j] = _mm512_permutex2var_ps(near->col[j][0], *word, near->col[j][1]);
}
/* All 96 rows, by three permutes: less than half the cost of loading them. */
FG_INLINE void half_fetch_any(const struct fg_table_half *t, const vi32 *word, vf32 *col) {
    vi32 at = *word;
    vm32 second = _mm512_test_epi32_mask(at, _mm512_set1_epi32(32));
    vm32 third = _mm512_test_epi32_mask(at, _mm512_set1_epi32(64));
    FG_UNROLL(4)
    for (int j = 0; j < 4; j++) {
        const float *c = t->columns[j];
        vf32 a = _mm512_permutex2var_ps(_mm512_load_ps(c), at, _mm512_load_ps(c + 16));
        vf32 b = _mm512_permutex2var_ps(_mm512_load_ps(c + 32), at, _mm512_load_ps(c + 48));
        vf32 d = _mm512_permutex2var_ps(_mm512_load_ps(c + 64), at, _mm512_load_ps(c + 80));
        col[j] = _mm512_mask_blend_ps(third, _mm512_mask_blend_ps(second, a, b), d);
    }
}

/* ---- float64 ------------------------------------------------------------ */

FG_INLINE vf64 f64_set1(double a) { return _mm512_set1_pd(a); }
FG_INLINE vf64 f64_abs(vf64 a) { return _mm512_abs_pd(a); }
FG_INLINE vf64 f64_add(vf64 a, vf64 b) { return _mm512_add_pd(a, b); }
FG_INLINE vf64 f64_sub(vf64 a, vf64 b) { return _mm512_sub_pd(a, b); }
FG_INLINE vf64 f64_mul(vf64 a, vf64 b) { return _mm512_mul_pd(a, b); }
FG_INLINE vf64 f64_min(vf64 a, vf64 b) { return _mm512_min_pd(a, b); }
FG_INLINE vf64 f64_max(vf64 a, vf64 b) { return _mm512_max_pd(a, b); }
FG_INLINE vm64 f64_lt(vf64 a, vf64 b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
FG_INLINE vm64 f64_sign(vf64 a) { return _mm512_movepi64_mask(_mm512_castpd_si512(a)); }
FG_INLINE vf64 f64_keep_nan(vf64 y, vf64 x) { return (void)x, y; }
FG_INLINE vm64 f64_is_nan(vf64 a) { return _mm512_cmp_pd_mask(a, a, _CMP_UNORD_Q); }
FG_INLINE vf64 f64_put_nan(vf64 y, vf64 x) {
    return _mm512_mask_add_pd(y, _mm512_cmp_pd_mask(x, x, _CMP_UNORD_Q), x, x);
}

FG_INLINE vi64 i64_set1(uint64_t a) { return _mm512_set1_epi64((long long)a); }
FG_INLINE vi64 i64_add(vi64 a, vi64 b) { return _mm512_add_epi64(a, b); }
FG_INLINE vi64 i64_sub(vi64 a, vi64 b) { return _mm512_sub_epi64(a, b); }
FG_INLINE vi64 i64_and(vi64 a, vi64 b) { return _mm512_and_si512(a, b); }
FG_INLINE vi64 i64_or(vi64 a, vi64 b) { return _mm512_or_si512(a, b); }
FG_INLINE vi64 i64_xor(vi64 a, vi64 b) { return _mm512_xor_si512(a, b); }
#define i64_shr(a, n) _mm512_srli_epi64(a, n)
#define i64_shl(a, n) _mm512_slli_epi64(a, n)
FG_INLINE vm64 i64_ltu(vi64 a, vi64 b) { return _mm512_cmplt_epu64_mask(a, b); }
FG_INLINE vm64 m64_or(vm64 a, vm64 b) { return _kor_mask8(a, b); }
FG_INLINE vm64 m64_andnot(vm64 a, vm64 b) { return _kandn_mask8(a, b); }
FG_INLINE int m64_any(vm64 m) { return m != 0; }
FG_INLINE int m64_all(vm64 m) { return m == 0xff; }
FG_INLINE vf64 f64_select(vm64 m, vf64 a, vf64 b) { return _mm512_mask_blend_pd(m, b, a); }
FG_INLINE vi64 i64_select(vm64 m, vi64 a, vi64 b) { return _mm512_mask_blend_epi64(m, b, a); }

FG_INLINE vi64 i64_mul32(vi64 a, vi64 b) { return _mm512_mul_epu32(a, b); }

FG_INLINE vf64 f64_fma(vf64 a, vf64 b, vf64 c) { return _mm512_fmadd_pd(a, b, c); }

/* Four words of a lane at a time, and two where no four are left. */
FG_INLINE void f64_fetch(const double *rows, int n, const void *words, vf64 *col) {
    const vi64 first = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
    const vi64 second = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    int j = 0;
    FG_UNROLL(2)
    for (; j + 4 <= n; j += 4) {
        vf64 r[4], s[4]; /* r[i]: lanes i and i + 4 */
        FG_UNROLL(4)
        for (int i = 0; i < 4; i++) {
            const double *low = f64_row(rows, words, i) + j,
                         *high = f64_row(rows, words, i + 4) + j;
            r[i] = _mm512_castpd256_pd512(_mm256_loadu_pd(low));
            r[i] = _mm512_insertf64x4(r[i], _mm256_loadu_pd(high), 1);
        }
        FG_UNROLL(2)
        for (int i = 0; i < 4; i += 2) {
            s[i] = _mm512_unpacklo_pd(r[i], r[i + 1]);
            s[i + 1] = _mm512_unpackhi_pd(r[i], r[i + 1]);
        }
        FG_UNROLL(2)
        for (int i = 0; i < 2; i++) {
            col[j + i] = _mm512_permutex2var_pd(s[i], first, s[i + 2]);
            col[j + i + 2] = _mm512_permutex2var_pd(s[i], second, s[i + 2]);
        }
    }
    if (j < n) {
        vf64 r[2];
        FG_UNROLL(2)
        for (int i = 0; i < 2; i++) { /* lanes i, i + 2, i + 4, i + 6 */
#define FG_PAIR(lane) _mm_loadu_pd(f64_row(rows, words, lane) + j)
            r[i] = _mm512_castpd128_pd512(FG_PAIR(i));
            r[i] = _mm512_insertf64x2(r[i], FG_PAIR(i + 2), 1);
            r[i] = _mm512_insertf64x2(r[i], FG_PAIR(i + 4), 2);
            r[i] = _mm512_insertf64x2(r[i], FG_PAIR(i + 6), 3);
#undef FG_PAIR
        }
        col[j] = _mm512_unpacklo_pd(r[0], r[1]), col[j + 1] = _mm512_unpackhi_pd(r[0], r[1]);
    }
}

#include "fma.h"

#endif
