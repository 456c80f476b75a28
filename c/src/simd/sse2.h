/* simd/sse2.h: the vocabulary of simd/scalar.h for SSE2, which every x86-64
 * has, without fma: that is done by way of double, as scalar.h explains.
 *
 * A vf32 is four registers: the double arithmetic of a row is a long chain, and
 * eight chains side by side keep a processor busy where two leave it waiting. */
#ifndef FASTGELU_SIMD_SSE2_H
#define FASTGELU_SIMD_SSE2_H

#include "../tables.h"

#define FG_LANES_F32 16
#define FG_LANES_F64 2
#define FG_AHEAD 1
#define FG_TOGETHER 1

typedef struct {
    __m128 part[4];
} vf32, vm32;
typedef struct {
    __m128i part[4];
} vi32;
typedef vi32 vm16;
typedef __m128i vi64;
typedef __m128d vf64, vm64;

/* name(a, b), or name(a), is op of each part */
#define FG_BINARY(result, name, operand, op)                                                       \
    FG_INLINE result name(operand a, operand b) {                                                  \
        return (result){{op(a.part[0], b.part[0]), op(a.part[1], b.part[1]),                       \
                         op(a.part[2], b.part[2]), op(a.part[3], b.part[3])}};                     \
    }
#define FG_UNARY(result, name, operand, op)                                                        \
    FG_INLINE result name(operand a) {                                                             \
        return (result){{op(a.part[0]), op(a.part[1]), op(a.part[2]), op(a.part[3])}};             \
    }

FG_UNARY(vi32, f32_bits, vf32, _mm_castps_si128)
FG_UNARY(vf32, f32_from_bits, vi32, _mm_castsi128_ps)
FG_INLINE vi64 f64_bits(vf64 a) { return _mm_castpd_si128(a); }
FG_INLINE vf64 f64_from_bits(vi64 a) { return _mm_castsi128_pd(a); }

/* ---- memory ------------------------------------------------------------- */

FG_INLINE vf32 f32_load(const void *p) {
    const float *a = (const float *)p;
    return (vf32){
        {_mm_loadu_ps(a), _mm_loadu_ps(a + 4), _mm_loadu_ps(a + 8), _mm_loadu_ps(a + 12)}};
}
FG_INLINE void f32_store(void *p, vf32 a) {
    FG_UNROLL(4)
    for (int i = 0; i < 4; i++) _mm_storeu_ps((float *)p + 4 * i, a.part[i]);
}
FG_INLINE vf64 f64_load(const void *p) { return _mm_loadu_pd((const double *)p); }
FG_INLINE void f64_store(void *p, vf64 a) { _mm_storeu_pd((double *)p, a); }

/* ---- masks and 32-bit integers ------------------------------------------ */

FG_INLINE vi32 i32_set1(uint32_t a) {
    __m128i v = _mm_set1_epi32((int)a);
    return (vi32){{v, v, v, v}};
}
FG_BINARY(vi32, i32_add, vi32, _mm_add_epi32)
FG_BINARY(vi32, i32_sub, vi32, _mm_sub_epi32)
FG_BINARY(vi32, i32_and, vi32, _mm_and_si128)
FG_BINARY(vi32, i32_or, vi32, _mm_or_si128)
FG_BINARY(vi32, i32_xor, vi32, _mm_xor_si128)
FG_BINARY(vi32, sse2_gt, vi32, _mm_cmpgt_epi32) /* signed */
FG_INLINE vi32 i32_shr(vi32 a, int n) {
    FG_UNROLL(4)
    for (int i = 0; i < 4; i++) a.part[i] = _mm_srli_epi32(a.part[i], n);
    return a;
}
FG_INLINE vi32 i32_shl(vi32 a, int n) {
    FG_UNROLL(4)
    for (int i = 0; i < 4; i++) a.part[i] = _mm_slli_epi32(a.part[i], n);
    return a;
}
FG_BINARY(vi32, i16_add, vi32, _mm_add_epi16)
FG_BINARY(vi32, sse2_sub16, vi32, _mm_sub_epi16)
FG_BINARY(vi32, sse2_gt16, vi32, _mm_cmpgt_epi16)
FG_INLINE vm16 i16_in_range(vi32 a, unsigned first, unsigned span) { /* signed comparison */
    vi32 shifted = sse2_sub16(a, i32_set1(0x10001u * (first ^ 0x8000)));
    return sse2_gt16(i32_set1(0x10001u * (span ^ 0x8000)), shifted);
}
FG_INLINE vm16 m16_or(vm16 a, vm16 b) { return i32_or(a, b); }
FG_INLINE int m16_any(vm16 m) {
    __m128i low = _mm_or_si128(m.part[0], m.part[1]), high = _mm_or_si128(m.part[2], m.part[3]);
    return _mm_movemask_epi8(_mm_or_si128(low, high)) != 0;
}
FG_INLINE vm32 i32_ltu(vi32 a, vi32 b) { /* signed comparison of shifted values */
    vi32 top = i32_set1(0x80000000u);
    return f32_from_bits(sse2_gt(i32_xor(b, top), i32_xor(a, top)));
}
FG_INLINE vm32 i32_in_range(vi32 a, uint32_t first, uint32_t span) {
    vi32 top = i32_set1(span ^ 0x80000000u);
    return f32_from_bits(sse2_gt(top, i32_sub(a, i32_set1(first + 0x80000000u))));
}
FG_BINARY(vm32, m32_or, vm32, _mm_or_ps)
FG_BINARY(vm32, m32_and, vm32, _mm_and_ps)
FG_BINARY(vm32, m32_andnot, vm32, _mm_andnot_ps)
FG_INLINE int m32_any(vm32 m) {
    __m128 low = _mm_or_ps(m.part[0], m.part[1]), high = _mm_or_ps(m.part[2], m.part[3]);
    return _mm_movemask_ps(_mm_or_ps(low, high)) != 0;
}
FG_INLINE int m32_all(vm32 m) {
    __m128 low = _mm_and_ps(m.part[0], m.part[1]), high = _mm_and_ps(m.part[2], m.part[3]);
    return _mm_movemask_ps(_mm_and_ps(low, high)) == 0xf;
}
FG_INLINE vf32 f32_select(vm32 m, vf32 a, vf32 b) {
    return m32_or(m32_and(m, a), m32_andnot(m, b));
}
FG_INLINE vi32 i32_select(vm32 m, vi32 a, vi32 b) {
    return f32_bits(f32_select(m, f32_from_bits(a), f32_from_bits(b)));
}

/* ---- float32 ------------------------------------------------------------ */

FG_INLINE vf32 f32_set1(float a) { /* by its bits: compilers then load constants whole */
    uint32_t u;
    memcpy(&u, &a, sizeof u);
    return f32_from_bits(i32_set1(u));
}
FG_BINARY(vf32, f32_add, vf32, _mm_add_ps)
FG_BINARY(vf32, f32_sub, vf32, _mm_sub_ps)
FG_BINARY(vf32, f32_mul, vf32, _mm_mul_ps)
FG_BINARY(vf32, f32_min, vf32, _mm_min_ps)
FG_BINARY(vf32, f32_max, vf32, _mm_max_ps)
FG_BINARY(vm32, f32_lt, vf32, _mm_cmplt_ps)
#define FG_SIGN(a) _mm_castsi128_ps(_mm_srai_epi32(_mm_castps_si128(a), 31))
FG_UNARY(vm32, f32_sign, vf32, FG_SIGN)
#undef FG_SIGN
#define FG_UNORDERED(a) _mm_cmpunord_ps(a, a)
FG_UNARY(vm32, f32_is_nan, vf32, FG_UNORDERED)
#undef FG_UNORDERED
FG_INLINE vf32 f32_mul_add(vf32 a, vf32 b, vf32 c) { return f32_add(f32_mul(a, b), c); }
FG_INLINE vf32 f32_abs(vf32 a) { return m32_and(f32_from_bits(i32_set1(0x7fffffffu)), a); }
FG_INLINE vf32 f32_min_abs(vf32 a, vf32 b) { return f32_min(f32_abs(a), b); }
FG_INLINE vf32 f32_minus_where(vm32 m, vf32 c, vf32 a, vf32 b) {
    return f32_sub(c, f32_mul(a, m32_and(m, b)));
}
FG_INLINE vf32 f32_keep_nan(vf32 y, vf32 x) { return (void)x, y; }
FG_INLINE vf32 f32_put_nan(vf32 y, vf32 x) {
    vf32 quiet = m32_or(x, f32_from_bits(i32_set1(0x00400000)));
    return f32_select(f32_is_nan(x), quiet, y);
}

/* ---- 16-bit elements ------------------------------------------------------ */

FG_INLINE vi32 i16_load(const void *p) { return f32_bits(f32_load(p)); }
FG_INLINE void i16_store(void *p, vi32 a) { f32_store(p, f32_from_bits(a)); }
FG_INLINE vi32 sse2_widen16(const void *p) { /* to the upper halves of words */
    const __m128i zero = _mm_setzero_si128();
    __m128i a = _mm_loadu_si128((const __m128i *)p), b = _mm_loadu_si128((const __m128i *)p + 1);
    return (vi32){{_mm_unpacklo_epi16(zero, a), _mm_unpackhi_epi16(zero, a),
                   _mm_unpacklo_epi16(zero, b), _mm_unpackhi_epi16(zero, b)}};
}
FG_INLINE void sse2_narrow16(void *p, vi32 a) { /* from the upper halves */
    FG_UNROLL(4)
    for (int i = 0; i < 4; i++) a.part[i] = _mm_srai_epi32(a.part[i], 16);
    _mm_storeu_si128((__m128i *)p, _mm_packs_epi32(a.part[0], a.part[1]));
    _mm_storeu_si128((__m128i *)p + 1, _mm_packs_epi32(a.part[2], a.part[3]));
}
FG_INLINE vi32 sse2_choose(vi32 m, vi32 a, vi32 b) { return i32_select(f32_from_bits(m), a, b); }
FG_UNARY(vf32, sse2_from_int, vi32, _mm_cvtepi32_ps)

/* float16 as in half.h */
FG_INLINE vf32 f16_load(const void *p) {
    vi32 h = sse2_widen16(p), size = i32_shr(i32_and(h, i32_set1(0x7fffffff)), 16);
    vi32 bias = i32_set1(112 << 23), normal = i32_add(i32_shl(size, 13), bias);
    vi32 special = sse2_gt(size, i32_set1(0x7bff)); /* infinity, NaN */
    normal = i32_add(normal, i32_and(special, bias));
    vi32 nan = sse2_gt(size, i32_set1(0x7c00));
    normal = i32_or(normal, i32_and(nan, i32_set1(0x00400000)));
    vi32 units = f32_bits(f32_mul(sse2_from_int(size), f32_set1(0x1p-24f)));
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
FG_PARTS(f16, vf32, uint16_t, 16)
FG_PARTS(bf16, vf32, uint16_t, 16)
FG_PARTS(i16, vi32, uint16_t, 32)
FG_PARTS(f32, vf32, float, 16)
FG_PARTS(f64, vf64, double, 2)
#undef FG_PARTS

/* ---- fma ------------------------------------------------------------------
 * By way of double, as scalar.h explains.  A double is rounded to the
 * precision of float in its bits, half a unit added and the tail cut off; the
 * tail of 29 bits that is half a unit is in doubt and looked for. */
typedef struct {
    vf64 part[8];
} sse2_wide;
FG_INLINE vf64 sse2_upper(__m128 a) { /* the upper two, widened */
    return _mm_cvtps_pd(_mm_castsi128_ps(_mm_shuffle_epi32(_mm_castps_si128(a), 0xee)));
}
FG_INLINE sse2_wide sse2_widen(vf32 a) {
    return (sse2_wide){{_mm_cvtps_pd(a.part[0]), sse2_upper(a.part[0]), _mm_cvtps_pd(a.part[1]),
                        sse2_upper(a.part[1]), _mm_cvtps_pd(a.part[2]), sse2_upper(a.part[2]),
                        _mm_cvtps_pd(a.part[3]), sse2_upper(a.part[3])}};
}
FG_INLINE __m128 sse2_join(vf64 a, vf64 b) { /* narrowed */
    __m128i low = _mm_castps_si128(_mm_cvtpd_ps(a)), high = _mm_castps_si128(_mm_cvtpd_ps(b));
    return _mm_castsi128_ps(_mm_unpacklo_epi64(low, high));
}
FG_INLINE vf32 sse2_narrow(sse2_wide a) {
    return (vf32){{sse2_join(a.part[0], a.part[1]), sse2_join(a.part[2], a.part[3]),
                   sse2_join(a.part[4], a.part[5]), sse2_join(a.part[6], a.part[7])}};
}
FG_INLINE sse2_wide sse2_muladd(sse2_wide a, sse2_wide b, sse2_wide c) {
    FG_UNROLL(8)
    for (int i = 0; i < 8; i++) a.part[i] = _mm_add_pd(_mm_mul_pd(a.part[i], b.part[i]), c.part[i]);
    return a;
}
FG_INLINE sse2_wide sse2_to_float(sse2_wide a) {
    const __m128i half = _mm_set1_epi64x(0x10000000);
    const __m128i head = _mm_set1_epi64x((long long)0xffffffffe0000000u);
    FG_UNROLL(8)
    for (int i = 0; i < 8; i++)
        a.part[i] = f64_from_bits(_mm_and_si128(_mm_add_epi64(f64_bits(a.part[i]), half), head));
    return a;
}
/* The least of some tails, as signed numbers: half a unit is the very least.
 * To agree with it in the first 16 bits is rare. */
FG_INLINE __m128i sse2_least_tail(__m128i least, sse2_wide a) {
    FG_UNROLL(4)
    for (int i = 0; i < 8; i += 2) {
        __m128 x = _mm_castpd_ps(a.part[i]), y = _mm_castpd_ps(a.part[i + 1]);
        __m128i tail = _mm_slli_epi32(_mm_castps_si128(_mm_shuffle_ps(x, y, 0x88)), 3);
        least = _mm_min_epi16(least, tail);
    }
    return least;
}
FG_INLINE int sse2_doubtful(__m128i tail) {
    return _mm_movemask_epi8(_mm_cmpeq_epi16(tail, _mm_set1_epi16(INT16_MIN))) & 0xcccc;
}

/* c + a*b; a sum on the midpoint of two floats is moved to the side that its
 * rounding error is on. */
FG_NOINLINE sse2_wide sse2_mended(const sse2_wide *a, const sse2_wide *b, const sse2_wide *c) {
    sse2_wide product, sum;
    double p[16], q[16], s[16];
    for (int i = 0; i < 8; i++) {
        product.part[i] = _mm_mul_pd(a->part[i], b->part[i]);
        sum.part[i] = _mm_add_pd(product.part[i], c->part[i]);
    }
    memcpy(p, &product, sizeof p), memcpy(q, c, sizeof q), memcpy(s, &sum, sizeof s);
    for (int i = 0; i < 16; i++) {
        double z = s[i] - p[i], e = (p[i] - (s[i] - z)) + (q[i] - z);
        uint64_t u;
        memcpy(&u, &s[i], sizeof u);
        if ((u & 0x1fffffff) == 0x10000000 && e != 0) u += (e > 0) == (s[i] > 0) ? 1 : -1;
        memcpy(&s[i], &u, sizeof u);
    }
    memcpy(&sum, s, sizeof sum);
    return sum;
}
FG_NOINLINE vf32 f32_fma(vf32 a, vf32 b, vf32 c) {
    sse2_wide x = sse2_widen(a), y = sse2_widen(b), z = sse2_widen(c), s = sse2_muladd(x, y, z);
    if (FG_UNLIKELY(sse2_doubtful(sse2_least_tail(_mm_setzero_si128(), s)))) {
        const sse2_wide copy[3] = {x, y, z};
        s = sse2_mended(&copy[0], &copy[1], &copy[2]);
    }
    return sse2_narrow(s);
}

/* ---- table rows --------------------------------------------------------- */

FG_NOINLINE vf32 sse2_row_index(vf32 t, vf32 alpha, vf32 beta) {
    return f32_fma(t, f32_fma(t, alpha, beta), f32_set1(FG_MAGIC_F32));
}
FG_INLINE vf32 f32_row_index(vf32 t, vf32 alpha, vf32 beta) {
    vf32 row = f32_mul(t, f32_add(f32_mul(t, alpha), beta));
    vf32 k = f32_add(row, f32_set1(FG_MAGIC_F32));
    vf32 error = f32_abs(f32_sub(f32_sub(k, f32_set1(FG_MAGIC_F32)), row));
    __m128 low = _mm_max_ps(error.part[0], error.part[1]);
    __m128 high = _mm_max_ps(error.part[2], error.part[3]);
    __m128 doubt = _mm_cmplt_ps(_mm_set1_ps(FG_ROW_IN_DOUBT), _mm_max_ps(low, high));
    if (FG_UNLIKELY(_mm_movemask_ps(doubt))) return sse2_row_index(t, alpha, beta);
    return k;
}

FG_INLINE void sse2_rows(const float (*rows)[8], vf32 k, const float **row) {
    uint32_t at[16];
    f32_store(at, f32_from_bits(i32_and(f32_bits(k), i32_set1(0x1ff))));
    FG_UNROLL(16)
    for (int i = 0; i < 16; i++) row[i] = rows[at[i]];
}
/* Two floats widened while they are loaded; gcc by itself takes two steps. */
FG_INLINE vf64 sse2_load_wide(const float *p) {
#if defined(__GNUC__) && !defined(__clang__)
    vf64 a;
    __asm__("cvtps2pd %1, %0" : "=x"(a) : "m"(*(const float (*)[2])p));
    return a;
#else
    return _mm_cvtps_pd(_mm_castpd_ps(_mm_load_sd((const double *)p)));
#endif
}
/* Columns j and j + 1 of rows; shuffled as integers, which many processors
 * do twice as fast. */
FG_INLINE void sse2_columns(const float *const *row, int j, sse2_wide *col) {
    FG_UNROLL(8)
    for (int i = 0; i < 8; i++) {
        vi64 a = f64_bits(sse2_load_wide(row[2 * i] + j));
        vi64 b = f64_bits(sse2_load_wide(row[2 * i + 1] + j));
        col[0].part[i] = f64_from_bits(_mm_unpacklo_epi64(a, b));
        col[1].part[i] = f64_from_bits(_mm_unpackhi_epi64(a, b));
    }
}
FG_INLINE vf32 sse2_column(const float *const *row, int j) {
    vf32 col;
    FG_UNROLL(4)
    for (int i = 0; i < 16; i += 4) {
        __m128i bits[4];
        FG_UNROLL(4)
        for (int n = 0; n < 4; n++) bits[n] = _mm_castps_si128(_mm_load_ss(row[i + n] + j));
        bits[0] = _mm_unpacklo_epi32(bits[0], bits[1]);
        bits[2] = _mm_unpacklo_epi32(bits[2], bits[3]);
        col.part[i / 4] = _mm_castsi128_ps(_mm_unpacklo_epi64(bits[0], bits[2]));
    }
    return col;
}
FG_NOINLINE vf32 sse2_row_value(const float (*rows)[8], vf32 k, vf32 t) {
    const float *row[16];
    sse2_rows(rows, k, row);
    vf32 d = f32_sub(t, sse2_column(row, 0)), p = sse2_column(row, 7);
    for (int j = 6; j >= 1; j--) p = f32_fma(d, p, sse2_column(row, j));
    return p;
}
FG_NOINLINE vf32 f32_row_value(const float (*rows)[8], vf32 k, vf32 t) {
    const float *row[16];
    sse2_wide p[2], d, s;
    sse2_rows(rows, k, row);
    d = sse2_widen(f32_sub(t, sse2_column(row, 0)));
    sse2_columns(row, 6, p);
    s = sse2_muladd(d, p[1], p[0]);
    __m128i tail = sse2_least_tail(_mm_setzero_si128(), s);
    FG_UNROLL(2)
    for (int j = 4; j >= 2; j -= 2) {
        sse2_columns(row, j, p);
        s = sse2_muladd(d, sse2_to_float(s), p[1]), tail = sse2_least_tail(tail, s);
        s = sse2_muladd(d, sse2_to_float(s), p[0]), tail = sse2_least_tail(tail, s);
    }
    sse2_columns(row, 0, p);
    s = sse2_muladd(d, sse2_to_float(s), p[1]), tail = sse2_least_tail(tail, s);
    if (FG_UNLIKELY(sse2_doubtful(tail))) return sse2_row_value(rows, k, t);
    return sse2_narrow(s);
}
FG_INLINE void half_row_columns(const struct fg_table_half *t, vf32 k, vf32 *col) {
    uint32_t at[16];
    f32_store(at, f32_from_bits(i32_and(f32_bits(k), i32_set1(0x7f))));
    FG_UNROLL(4)
    for (int i = 0; i < 4; i++) {
        __m128 row[4];
        FG_UNROLL(4)
        for (int n = 0; n < 4; n++) row[n] = _mm_loadu_ps(t->rows[at[4 * i + n]]);
        _MM_TRANSPOSE4_PS(row[0], row[1], row[2], row[3]);
        FG_UNROLL(4)
        for (int n = 0; n < 4; n++) col[n].part[i] = row[n];
    }
}
typedef const struct fg_table_half *half_near;
FG_INLINE half_near half_near_open(const struct fg_table_half *t) { return t; }
FG_INLINE void half_near_columns(const half_near *near, const vf32 *k, vf32 *col) {
    half_row_columns(*near, *k, col);
}
typedef const struct fg_table_f32 *f32_near;
FG_INLINE f32_near f32_near_open(const struct fg_table_f32 *t) { return t; }
FG_INLINE vf32 f32_near_value(const f32_near *near, const vf32 *k, vf32 t) {
    return f32_row_value((*near)->rows, *k, t);
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
FG_INLINE void f64_near_columns(const f64_near *near, const vf64 *k, vf64 *col) {
    f64_row_columns((*near)->rows[0], FG_COLUMNS_F64, i64_and(f64_bits(*k), i64_set1(0x1ff)), col);
}

#endif
