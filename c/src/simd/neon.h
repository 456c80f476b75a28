/* simd/neon.h: the vocabulary of simd/scalar.h for AArch64 (NEON is always
 * there, with fma).  Its minimum and maximum propagate NaN, hence selections. */
#ifndef FASTGELU_SIMD_NEON_H
#define FASTGELU_SIMD_NEON_H

#include "../tables.h"

#define FG_LANES_F32 4
#define FG_LANES_F64 2
#define FG_AHEAD 8
#define FG_AHEAD_HALF 8
#define FG_TOGETHER 2

typedef float32x4_t vf32;
typedef uint32x4_t vi32, vm32;
typedef uint16x8_t vm16;
typedef float64x2_t vf64;
typedef uint64x2_t vi64, vm64;

FG_INLINE vi32 f32_bits(vf32 a) { return vreinterpretq_u32_f32(a); }
FG_INLINE vf32 f32_from_bits(vi32 a) { return vreinterpretq_f32_u32(a); }
FG_INLINE vi64 f64_bits(vf64 a) { return vreinterpretq_u64_f64(a); }
FG_INLINE vf64 f64_from_bits(vi64 a) { return vreinterpretq_f64_u64(a); }

/* ---- memory ------------------------------------------------------------- */

FG_INLINE vf32 f32_load(const void *p) {
    return vreinterpretq_f32_u8(vld1q_u8((const uint8_t *)p));
}
FG_INLINE void f32_store(void *p, vf32 a) { vst1q_u8((uint8_t *)p, vreinterpretq_u8_f32(a)); }
FG_INLINE vf64 f64_load(const void *p) {
    return vreinterpretq_f64_u8(vld1q_u8((const uint8_t *)p));
}
FG_INLINE void f64_store(void *p, vf64 a) { vst1q_u8((uint8_t *)p, vreinterpretq_u8_f64(a)); }
FG_INLINE vf32 f16_load(const void *p) {
    return vcvt_f32_f16(vreinterpret_f16_u8(vld1_u8((const uint8_t *)p)));
}
FG_INLINE void f16_store(void *p, vf32 a) {
    vst1_u8((uint8_t *)p, vreinterpret_u8_f16(vcvt_f16_f32(a)));
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
FG_INLINE vi32 i16_load(const void *p) {
    return vreinterpretq_u32_u8(vld1q_u8((const uint8_t *)p));
}
FG_INLINE void i16_store(void *p, vi32 a) { vst1q_u8((uint8_t *)p, vreinterpretq_u8_u32(a)); }
FG_INLINE vf32 bf16_load(const void *p) {
    return f32_from_bits(vshll_n_u16(vreinterpret_u16_u8(vld1_u8((const uint8_t *)p)), 16));
}
FG_INLINE void bf16_store(void *p, vf32 a) {
    vi32 u = f32_bits(a), odd = vandq_u32(vshrq_n_u32(u, 16), vdupq_n_u32(1));
    vi32 up = vaddq_u32(vaddq_u32(u, vdupq_n_u32(0x7fff)), odd);
    up = vbslq_u32(vceqq_f32(a, a), up, vorrq_u32(u, vdupq_n_u32(0x00400000)));
    vst1_u8((uint8_t *)p, vreinterpret_u8_u16(vshrn_n_u32(up, 16)));
}
FG_PARTS(f16, vf32, uint16_t, 4)
FG_PARTS(bf16, vf32, uint16_t, 4)
FG_PARTS(i16, vi32, uint16_t, 8)
FG_PARTS(f32, vf32, float, 4)
FG_PARTS(f64, vf64, double, 2)
#undef FG_PARTS

/* ---- float32 ------------------------------------------------------------ */

FG_INLINE vf32 f32_set1(float a) { return vdupq_n_f32(a); }
FG_INLINE vf32 f32_abs(vf32 a) { return vabsq_f32(a); }
FG_INLINE vf32 f32_add(vf32 a, vf32 b) { return vaddq_f32(a, b); }
FG_INLINE vf32 f32_sub(vf32 a, vf32 b) { return vsubq_f32(a, b); }
FG_INLINE vf32 f32_mul(vf32 a, vf32 b) { return vmulq_f32(a, b); }
FG_INLINE vf32 f32_fma(vf32 a, vf32 b, vf32 c) { return vfmaq_f32(c, a, b); }
FG_INLINE vf32 f32_minus_where(vm32 m, vf32 c, vf32 a, vf32 b) {
    return vfmsq_f32(c, a, f32_from_bits(vandq_u32(m, f32_bits(b))));
}
FG_INLINE vm32 f32_lt(vf32 a, vf32 b) { return vcltq_f32(a, b); }
FG_INLINE vm32 f32_sign(vf32 a) { return vcltzq_s32(vreinterpretq_s32_f32(a)); }
FG_INLINE vf32 f32_select(vm32 m, vf32 a, vf32 b) { return vbslq_f32(m, a, b); }
FG_INLINE vf32 f32_min(vf32 a, vf32 b) {
    FG_MAYBE_NAN(b);
    return f32_select(f32_lt(a, b), a, b);
}
FG_INLINE vf32 f32_max(vf32 a, vf32 b) {
    FG_MAYBE_NAN(b);
    return f32_select(f32_lt(b, a), a, b);
}
FG_INLINE vf32 f32_min_abs(vf32 a, vf32 b) { return f32_min(f32_abs(a), b); }
FG_INLINE vf32 f32_keep_nan(vf32 y, vf32 x) { return (void)x, y; }
FG_INLINE vm32 f32_is_nan(vf32 a) { return vmvnq_u32(vceqq_f32(a, a)); }
FG_INLINE vf32 f32_put_nan(vf32 y, vf32 x) {
    vf32 quiet = f32_from_bits(vorrq_u32(f32_bits(x), vdupq_n_u32(0x00400000)));
    return f32_select(vceqq_f32(x, x), y, quiet);
}

/* ---- 32-bit integers and masks ------------------------------------------ */

FG_INLINE vi32 i32_set1(uint32_t a) { return vdupq_n_u32(a); }
FG_INLINE vi32 i32_add(vi32 a, vi32 b) { return vaddq_u32(a, b); }
FG_INLINE vi32 i32_sub(vi32 a, vi32 b) { return vsubq_u32(a, b); }
FG_INLINE vi32 i32_and(vi32 a, vi32 b) { return vandq_u32(a, b); }
FG_INLINE vi32 i32_or(vi32 a, vi32 b) { return vorrq_u32(a, b); }
FG_INLINE vi32 i32_xor(vi32 a, vi32 b) { return veorq_u32(a, b); }
#define i32_shr(a, n) vshrq_n_u32(a, n)
#define i32_shl(a, n) vshlq_n_u32(a, n)
FG_INLINE vm32 i32_ltu(vi32 a, vi32 b) { return vcltq_u32(a, b); }
FG_INLINE vm32 i32_in_range(vi32 a, uint32_t first, uint32_t span) {
    return i32_ltu(i32_sub(a, i32_set1(first)), i32_set1(span));
}
FG_INLINE vm32 m32_or(vm32 a, vm32 b) { return vorrq_u32(a, b); }
FG_INLINE vm32 m32_andnot(vm32 a, vm32 b) { return vbicq_u32(b, a); }
FG_INLINE int m32_any(vm32 m) { return vmaxvq_u32(m) != 0; }
FG_INLINE int m32_all(vm32 m) { return vminvq_u32(m) != 0; }
FG_INLINE vi32 i32_select(vm32 m, vi32 a, vi32 b) { return vbslq_u32(m, a, b); }

FG_INLINE vi32 i16_add(vi32 a, vi32 b) {
    return vreinterpretq_u32_u16(vaddq_u16(vreinterpretq_u16_u32(a), vreinterpretq_u16_u32(b)));
}
FG_INLINE vm16 i16_in_range(vi32 a, unsigned first, unsigned span) {
    uint16x8_t shifted = vsubq_u16(vreinterpretq_u16_u32(a), vdupq_n_u16((uint16_t)first));
    return vcltq_u16(shifted, vdupq_n_u16((uint16_t)span));
}
FG_INLINE vm16 m16_or(vm16 a, vm16 b) { return vorrq_u16(a, b); }
FG_INLINE int m16_any(vm16 m) { return vmaxvq_u32(vreinterpretq_u32_u16(m)) != 0; }

/* Bits of b where mask is set; a has none there. */
FG_INLINE vi32 i32_insert(vi32 a, vi32 b, uint32_t mask) {
    return vbslq_u32(vdupq_n_u32(mask), b, a);
}

/* ---- rows of four floats, of four lanes, to four columns ---------------------- */

FG_INLINE vf32 neon_row(const char *origin, const void *words, int lane) {
    uint16_t at; /* twice the number of the row */
    memcpy(&at, (const char *)words + 4 * lane + 1, sizeof at);
    return vld1q_f32((const float *)(origin + 8 * (size_t)at));
}
FG_INLINE void f32_fetch(const char *origin, const void *words, vf32 *col) {
    vf32 r0 = neon_row(origin, words, 0), r1 = neon_row(origin, words, 1);
    vf32 r2 = neon_row(origin, words, 2), r3 = neon_row(origin, words, 3);
    const float64x2_t a = vreinterpretq_f64_f32(vtrn1q_f32(r0, r1));
    const float64x2_t b = vreinterpretq_f64_f32(vtrn2q_f32(r0, r1));
    const float64x2_t c = vreinterpretq_f64_f32(vtrn1q_f32(r2, r3));
    const float64x2_t d = vreinterpretq_f64_f32(vtrn2q_f32(r2, r3));
    col[0] = vreinterpretq_f32_f64(vtrn1q_f64(a, c));
    col[1] = vreinterpretq_f32_f64(vtrn1q_f64(b, d));
    col[2] = vreinterpretq_f32_f64(vtrn2q_f64(a, c));
    col[3] = vreinterpretq_f32_f64(vtrn2q_f64(b, d));
}
/* ---- float64 ------------------------------------------------------------ */

FG_INLINE vf64 f64_set1(double a) { return vdupq_n_f64(a); }
FG_INLINE vf64 f64_abs(vf64 a) { return vabsq_f64(a); }
FG_INLINE vf64 f64_add(vf64 a, vf64 b) { return vaddq_f64(a, b); }
FG_INLINE vf64 f64_sub(vf64 a, vf64 b) { return vsubq_f64(a, b); }
FG_INLINE vf64 f64_mul(vf64 a, vf64 b) { return vmulq_f64(a, b); }
FG_INLINE vm64 f64_lt(vf64 a, vf64 b) { return vcltq_f64(a, b); }
FG_INLINE vm64 f64_sign(vf64 a) { return vcltzq_s64(vreinterpretq_s64_f64(a)); }
FG_INLINE vf64 f64_select(vm64 m, vf64 a, vf64 b) { return vbslq_f64(m, a, b); }
FG_INLINE vf64 f64_min(vf64 a, vf64 b) {
    FG_MAYBE_NAN(b);
    return f64_select(f64_lt(a, b), a, b);
}
FG_INLINE vf64 f64_max(vf64 a, vf64 b) {
    FG_MAYBE_NAN(b);
    return f64_select(f64_lt(b, a), a, b);
}
FG_INLINE vf64 f64_keep_nan(vf64 y, vf64 x) { return (void)x, y; }
FG_INLINE vm64 f64_is_nan(vf64 a) {
    return vreinterpretq_u64_u32(vmvnq_u32(vreinterpretq_u32_u64(vceqq_f64(a, a))));
}
FG_INLINE vf64 f64_put_nan(vf64 y, vf64 x) {
    vf64 quiet = f64_from_bits(vorrq_u64(f64_bits(x), vdupq_n_u64(0x0008000000000000)));
    return f64_select(vceqq_f64(x, x), y, quiet);
}

FG_INLINE vi64 i64_set1(uint64_t a) { return vdupq_n_u64(a); }
FG_INLINE vi64 i64_add(vi64 a, vi64 b) { return vaddq_u64(a, b); }
FG_INLINE vi64 i64_sub(vi64 a, vi64 b) { return vsubq_u64(a, b); }
FG_INLINE vi64 i64_and(vi64 a, vi64 b) { return vandq_u64(a, b); }
FG_INLINE vi64 i64_or(vi64 a, vi64 b) { return vorrq_u64(a, b); }
FG_INLINE vi64 i64_xor(vi64 a, vi64 b) { return veorq_u64(a, b); }
/* By a shift to the left: the immediate form takes nothing else. */
#define i64_shr(a, n) vshlq_u64(a, vdupq_n_s64(-(int64_t)(n)))
#define i64_shl(a, n) vshlq_n_u64(a, n)
FG_INLINE vm64 i64_ltu(vi64 a, vi64 b) { return vcltq_u64(a, b); }
FG_INLINE vm64 m64_or(vm64 a, vm64 b) { return vorrq_u64(a, b); }
FG_INLINE vm64 m64_andnot(vm64 a, vm64 b) { return vbicq_u64(b, a); }
FG_INLINE int m64_any(vm64 m) { return vmaxvq_u32(vreinterpretq_u32_u64(m)) != 0; }
FG_INLINE int m64_all(vm64 m) { return vminvq_u32(vreinterpretq_u32_u64(m)) != 0; }
FG_INLINE vi64 i64_select(vm64 m, vi64 a, vi64 b) { return vbslq_u64(m, a, b); }

FG_INLINE vi64 i64_mul32(vi64 a, vi64 b) { return vmull_u32(vmovn_u64(a), vmovn_u64(b)); }

FG_INLINE vf64 f64_fma(vf64 a, vf64 b, vf64 c) { return vfmaq_f64(c, a, b); }

/* Two columns of a lane at a time. */
FG_INLINE void f64_fetch(const double *rows, int n, const void *words, vf64 *col) {
    const double *r0 = f64_row(rows, words, 0), *r1 = f64_row(rows, words, 1);
    FG_UNROLL(4)
    for (int j = 0; j < n; j += 2) {
        vf64 a = vld1q_f64(r0 + j), b = vld1q_f64(r1 + j);
        col[j] = vtrn1q_f64(a, b), col[j + 1] = vtrn2q_f64(a, b);
    }
}

#include "fma.h"
#include "half_rows.h"

#endif
