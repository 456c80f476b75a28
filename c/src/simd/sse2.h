/* simd/sse2.h: the vocabulary of simd/scalar.h for SSE2, which every x86-64
 * has, without fma: that is done by way of double, as scalar.h explains. */
#ifndef FASTGELU_SIMD_SSE2_H
#define FASTGELU_SIMD_SSE2_H

#include "../half.h"
#include "../tables.h"

#define FG_LANES_F32 4
#define FG_LANES_F64 2

typedef __m128 vf32, vm32;
typedef __m128i vi32, vi64;
typedef __m128d vf64, vm64;

FG_INLINE vi32 f32_bits(vf32 a) { return _mm_castps_si128(a); }
FG_INLINE vf32 f32_from_bits(vi32 a) { return _mm_castsi128_ps(a); }
FG_INLINE vi64 f64_bits(vf64 a) { return _mm_castpd_si128(a); }
FG_INLINE vf64 f64_from_bits(vi64 a) { return _mm_castsi128_pd(a); }

/* ---- memory ------------------------------------------------------------- */

FG_INLINE vf32 f32_load(const void *p) { return _mm_loadu_ps((const float *)p); }
FG_INLINE void f32_store(void *p, vf32 a) { _mm_storeu_ps((float *)p, a); }
FG_INLINE vf64 f64_load(const void *p) { return _mm_loadu_pd((const double *)p); }
FG_INLINE void f64_store(void *p, vf64 a) { _mm_storeu_pd((double *)p, a); }
FG_INLINE vf32 f16_load(const void *p) {
    const char *h = (const char *)p;
    return _mm_setr_ps(half_to_float(h), half_to_float(h + 2), half_to_float(h + 4),
                       half_to_float(h + 6));
}
FG_INLINE void f16_store(void *p, vf32 a) {
    float part[4];
    f32_store(part, a);
    for (int i = 0; i < 4; i++) float_to_half((char *)p + 2 * i, part[i]);
}
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
FG_PARTS(f32, vf32, float, 4)
FG_PARTS(f64, vf64, double, 2)
#undef FG_PARTS

/* ---- masks and 32-bit integers ------------------------------------------ */

FG_INLINE vi32 i32_set1(uint32_t a) { return _mm_set1_epi32((int)a); }
FG_INLINE vi32 i32_add(vi32 a, vi32 b) { return _mm_add_epi32(a, b); }
FG_INLINE vi32 i32_sub(vi32 a, vi32 b) { return _mm_sub_epi32(a, b); }
FG_INLINE vi32 i32_and(vi32 a, vi32 b) { return _mm_and_si128(a, b); }
FG_INLINE vi32 i32_or(vi32 a, vi32 b) { return _mm_or_si128(a, b); }
FG_INLINE vi32 i32_xor(vi32 a, vi32 b) { return _mm_xor_si128(a, b); }
#define i32_shr(a, n) _mm_srli_epi32(a, n)
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

/* ---- float32 ------------------------------------------------------------ */

FG_INLINE vf32 f32_set1(float a) { return _mm_set1_ps(a); }
FG_INLINE vf32 f32_abs(vf32 a) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), a); }
FG_INLINE vf32 f32_add(vf32 a, vf32 b) { return _mm_add_ps(a, b); }
FG_INLINE vf32 f32_sub(vf32 a, vf32 b) { return _mm_sub_ps(a, b); }
FG_INLINE vf32 f32_mul(vf32 a, vf32 b) { return _mm_mul_ps(a, b); }
FG_INLINE vf32 f32_minus_where(vm32 m, vf32 c, vf32 a, vf32 b) {
    return _mm_sub_ps(c, _mm_mul_ps(a, _mm_and_ps(m, b)));
}
FG_INLINE vf32 f32_min(vf32 a, vf32 b) { return _mm_min_ps(a, b); }
FG_INLINE vf32 f32_max(vf32 a, vf32 b) { return _mm_max_ps(a, b); }
FG_INLINE vm32 f32_lt(vf32 a, vf32 b) { return _mm_cmplt_ps(a, b); }
FG_INLINE vf32 f32_keep_nan(vf32 y, vf32 x) { return (void)x, y; }
FG_INLINE vm32 f32_is_nan(vf32 a) { return _mm_cmpunord_ps(a, a); }
FG_INLINE vf32 f32_put_nan(vf32 y, vf32 x) {
    vf32 quiet = _mm_or_ps(x, f32_from_bits(_mm_set1_epi32(0x00400000)));
    return f32_select(_mm_cmpunord_ps(x, x), quiet, y);
}

/* The sum p + c lies on the midpoint of two floats, or seems to: as in scalar.h. */
FG_NOINLINE __m128d sse2_mend(__m128d p, __m128d c, __m128d s) {
    double sums[2], products[2], terms[2];
    _mm_storeu_pd(sums, s), _mm_storeu_pd(products, p), _mm_storeu_pd(terms, c);
    for (int i = 0; i < 2; i++) {
        double z = sums[i] - products[i], e = (products[i] - (sums[i] - z)) + (terms[i] - z);
        uint64_t u;
        memcpy(&u, &sums[i], sizeof u);
        if ((u & 0x1fffffff) == 0x10000000 && e != 0) u += (e > 0) == (sums[i] > 0) ? 1 : -1;
        memcpy(&sums[i], &u, sizeof u);
    }
    return _mm_loadu_pd(sums);
}
FG_INLINE vf32 f32_fma(vf32 a, vf32 b, vf32 c) {
#define FG_UPPER(v) _mm_cvtps_pd(_mm_movehl_ps(v, v))
    __m128d c0 = _mm_cvtps_pd(c), c1 = FG_UPPER(c);
    __m128d p0 = _mm_mul_pd(_mm_cvtps_pd(a), _mm_cvtps_pd(b)), s0 = _mm_add_pd(p0, c0);
    __m128d p1 = _mm_mul_pd(FG_UPPER(a), FG_UPPER(b)), s1 = _mm_add_pd(p1, c1);
#undef FG_UPPER
    vi32 low = f32_bits(_mm_shuffle_ps(_mm_castpd_ps(s0), _mm_castpd_ps(s1), 0x88));
    vi32 tail = _mm_and_si128(low, _mm_set1_epi32(0x1fffffff));
    if (FG_UNLIKELY(_mm_movemask_epi8(_mm_cmpeq_epi32(tail, _mm_set1_epi32(0x10000000)))))
        s0 = sse2_mend(p0, c0, s0), s1 = sse2_mend(p1, c1, s1);
    return _mm_movelh_ps(_mm_cvtpd_ps(s0), _mm_cvtpd_ps(s1));
}

/* ---- table rows --------------------------------------------------------- */

FG_INLINE void f32_row_columns(const float (*rows)[8], vf32 k, vf32 *col) {
    vi32 at = _mm_and_si128(f32_bits(k), _mm_set1_epi32(0x1ff));
    const float *r0 = rows[_mm_cvtsi128_si32(at)];
    const float *r1 = rows[_mm_extract_epi16(at, 2)];
    const float *r2 = rows[_mm_extract_epi16(at, 4)];
    const float *r3 = rows[_mm_extract_epi16(at, 6)];
    FG_UNROLL(2)
    for (int half = 0; half < 8; half += 4) {
        vf32 a = f32_load(r0 + half), b = f32_load(r1 + half);
        vf32 c = f32_load(r2 + half), d = f32_load(r3 + half);
        vf32 ab = _mm_unpacklo_ps(a, b), AB = _mm_unpackhi_ps(a, b);
        vf32 cd = _mm_unpacklo_ps(c, d), CD = _mm_unpackhi_ps(c, d);
        col[half] = _mm_movelh_ps(ab, cd), col[half + 1] = _mm_movehl_ps(cd, ab);
        col[half + 2] = _mm_movelh_ps(AB, CD), col[half + 3] = _mm_movehl_ps(CD, AB);
    }
}
typedef const struct fg_table_f32 *f32_near;
FG_INLINE f32_near f32_near_open(const struct fg_table_f32 *t) { return t; }
FG_INLINE void f32_near_columns(const f32_near *near, vf32 k, vf32 *col) {
    f32_row_columns((*near)->rows, k, col);
}
/* In double throughout; p is rounded to float by Veltkamp's splitting, which
 * leaves midpoints undecided: they are doubtful anyway. */
FG_NOINLINE vf32 sse2_row_value(const vf32 *col, vf32 d) {
    vf32 p = col[7];
    for (int j = 6; j >= 1; j--) p = f32_fma(d, p, col[j]);
    return p;
}
FG_INLINE vf32 f32_row_value(const vf32 *col, vf32 t) {
#define FG_UPPER(v) _mm_cvtps_pd(_mm_movehl_ps(v, v))
    vf32 d = f32_sub(t, col[0]);
    __m128d d0 = _mm_cvtps_pd(d), d1 = FG_UPPER(d);
    __m128d p0 = _mm_cvtps_pd(col[7]), p1 = FG_UPPER(col[7]);
    const __m128d split = _mm_set1_pd(0x1p29 + 1);
    const vi32 tail = _mm_set1_epi32(0x1fffffff), middle = _mm_set1_epi32(0x10000000);
    vi32 doubtful = _mm_setzero_si128();
    FG_UNROLL(6)
    for (int j = 6; j >= 1; j--) {
        __m128d s0 = _mm_add_pd(_mm_mul_pd(p0, d0), _mm_cvtps_pd(col[j]));
        __m128d s1 = _mm_add_pd(_mm_mul_pd(p1, d1), FG_UPPER(col[j]));
        vi32 low = f32_bits(_mm_shuffle_ps(_mm_castpd_ps(s0), _mm_castpd_ps(s1), 0x88));
        low = _mm_cmpeq_epi32(_mm_and_si128(low, tail), middle);
        doubtful = _mm_or_si128(doubtful, low);
        if (j == 1) {
            p0 = s0, p1 = s1;
        } else {
            __m128d c0 = _mm_mul_pd(s0, split), c1 = _mm_mul_pd(s1, split);
            p0 = _mm_sub_pd(c0, _mm_sub_pd(c0, s0)), p1 = _mm_sub_pd(c1, _mm_sub_pd(c1, s1));
        }
    }
#undef FG_UPPER
    if (FG_UNLIKELY(_mm_movemask_epi8(doubtful))) return sse2_row_value(col, d);
    return _mm_movelh_ps(_mm_cvtpd_ps(p0), _mm_cvtpd_ps(p1));
}

/* ---- float64 ------------------------------------------------------------ */

FG_INLINE vf64 f64_set1(double a) { return _mm_set1_pd(a); }
FG_INLINE vf64 f64_abs(vf64 a) { return _mm_andnot_pd(_mm_set1_pd(-0.0), a); }
FG_INLINE vf64 f64_add(vf64 a, vf64 b) { return _mm_add_pd(a, b); }
FG_INLINE vf64 f64_sub(vf64 a, vf64 b) { return _mm_sub_pd(a, b); }
FG_INLINE vf64 f64_mul(vf64 a, vf64 b) { return _mm_mul_pd(a, b); }
FG_INLINE vf64 f64_div(vf64 a, vf64 b) { return _mm_div_pd(a, b); }
FG_INLINE vf64 f64_min(vf64 a, vf64 b) { return _mm_min_pd(a, b); }
FG_INLINE vf64 f64_max(vf64 a, vf64 b) { return _mm_max_pd(a, b); }
FG_INLINE vm64 f64_lt(vf64 a, vf64 b) { return _mm_cmplt_pd(a, b); }
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

/* Rows of n columns, n even: two columns of a lane at a time. */
FG_INLINE void f64_row_columns(const double *rows, int n, vi64 k, vf64 *col) {
    const double *r0 = rows + (size_t)n * (size_t)_mm_cvtsi128_si64(k);
    const double *r1 = rows + (size_t)n * (size_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(k, k));
    FG_UNROLL(7)
    for (int j = 0; j < n; j += 2) {
        vf64 a = _mm_loadu_pd(r0 + j), b = _mm_loadu_pd(r1 + j);
        col[j] = _mm_unpacklo_pd(a, b), col[j + 1] = _mm_unpackhi_pd(a, b);
    }
}
typedef const struct fg_table_f64 *f64_near;
FG_INLINE f64_near f64_near_open(const struct fg_table_f64 *t) { return t; }
FG_INLINE void f64_near_columns(const f64_near *near, vi64 k, vf64 *col) {
    f64_row_columns((*near)->rows[0], FG_COLUMNS_F64, i64_and(k, i64_set1(0x1ff)), col);
}

#endif
