/* simd/scalar.h: the vocabulary in portable C, one lane.
 *
 * This file is also the definition of the vocabulary: the other headers of
 * this folder spell the same operations for one instruction set each, and
 * nothing else.  The kernels are written in these words alone.
 *
 *   vf32 vi32 vm32   FG_LANES_F32 floats; as many 32-bit integers; a mask
 *   vf64 vi64 vm64   FG_LANES_F64 doubles; 64-bit integers; a mask
 *
 * Two numbers, found by measuring, say how a loop over vectors is laid out
 * (span.inc): FG_AHEAD vectors are a group, whose rows are found while the
 * group before is computed; FG_TOGETHER vectors are computed side by side, as
 * far as registers last.
 *
 * Floating-point operations are IEEE: one rounding, to nearest.  min and max
 * are selections, so that a NaN in a gives b and a NaN in b gives b. */
#ifndef FASTGELU_SIMD_SCALAR_H
#define FASTGELU_SIMD_SCALAR_H

#include "../half.h"
#include "../tables.h"
#include "../tables_f64.h"

#define FG_LANES_F32 1
#define FG_LANES_F64 1
#define FG_AHEAD 8
#define FG_AHEAD_HALF 8
#define FG_TOGETHER 2

typedef float vf32;
typedef uint32_t vi32;
typedef uint32_t vm32; /* 0 or all ones */
typedef uint32_t vm16; /* likewise, for each half of a word */
typedef double vf64;
typedef uint64_t vi64;
typedef uint64_t vm64;

/* ---- bits ------------------------------------------------------------- */

FG_INLINE vi32 f32_bits(vf32 a) {
    vi32 u;
    memcpy(&u, &a, sizeof u);
    return u;
}
FG_INLINE vf32 f32_from_bits(vi32 u) {
    vf32 a;
    memcpy(&a, &u, sizeof a);
    return a;
}
FG_INLINE vi64 f64_bits(vf64 a) {
    vi64 u;
    memcpy(&u, &a, sizeof u);
    return u;
}
FG_INLINE vf64 f64_from_bits(vi64 u) {
    vf64 a;
    memcpy(&a, &u, sizeof a);
    return a;
}

/* ---- memory: any alignment; the _n forms touch n < lanes elements and
 *      fill the rest with zero ------------------------------------------- */

FG_INLINE vf32 f32_load(const void *p) {
    vf32 a;
    memcpy(&a, p, sizeof a);
    return a;
}
FG_INLINE void f32_store(void *p, vf32 a) { memcpy(p, &a, sizeof a); }
FG_INLINE vf32 f32_load_n(const void *p, size_t n) { return n ? f32_load(p) : 0.0f; }
FG_INLINE void f32_store_n(void *p, vf32 a, size_t n) {
    if (n) f32_store(p, a);
}
FG_INLINE vf64 f64_load(const void *p) {
    vf64 a;
    memcpy(&a, p, sizeof a);
    return a;
}
FG_INLINE void f64_store(void *p, vf64 a) { memcpy(p, &a, sizeof a); }
FG_INLINE vf64 f64_load_n(const void *p, size_t n) { return n ? f64_load(p) : 0.0; }
FG_INLINE void f64_store_n(void *p, vf64 a, size_t n) {
    if (n) f64_store(p, a);
}

/* float16 in memory, float32 in registers */
FG_INLINE vf32 f16_load(const void *p) { return half_to_float(p); }
FG_INLINE void f16_store(void *p, vf32 a) { float_to_half(p, a); }
FG_INLINE vf32 f16_load_n(const void *p, size_t n) { return n ? f16_load(p) : 0.0f; }
FG_INLINE void f16_store_n(void *p, vf32 a, size_t n) {
    if (n) f16_store(p, a);
}

/* bfloat16 in memory, float32 in registers */
FG_INLINE vf32 bf16_load(const void *p) { return bfloat_to_float(p); }
FG_INLINE void bf16_store(void *p, vf32 a) { float_to_bfloat(p, a); }
FG_INLINE vf32 bf16_load_n(const void *p, size_t n) { return n ? bf16_load(p) : 0.0f; }
FG_INLINE void bf16_store_n(void *p, vf32 a, size_t n) {
    if (n) bf16_store(p, a);
}

/* 32-bit words of two 16-bit elements each; n counts these */
FG_INLINE vi32 i16_load(const void *p) { return f32_bits(f32_load(p)); }
FG_INLINE void i16_store(void *p, vi32 a) { f32_store(p, f32_from_bits(a)); }
FG_INLINE vi32 i16_load_n(const void *p, size_t n) {
    vi32 a = 0;
    memcpy(&a, p, 2 * n);
    return a;
}
FG_INLINE void i16_store_n(void *p, vi32 a, size_t n) { memcpy(p, &a, 2 * n); }

/* ---- float32 ---------------------------------------------------------- */

FG_INLINE vf32 f32_set1(float a) { return a; }
FG_INLINE vf32 f32_abs(vf32 a) { return f32_from_bits(f32_bits(a) & 0x7fffffffu); }
FG_INLINE vf32 f32_add(vf32 a, vf32 b) { return a + b; }
FG_INLINE vf32 f32_sub(vf32 a, vf32 b) { return a - b; }
FG_INLINE vf32 f32_mul(vf32 a, vf32 b) { return a * b; }
FG_INLINE vf32 f32_min(vf32 a, vf32 b) {
    FG_MAYBE_NAN(b);
    return a < b ? a : b;
}
FG_INLINE vf32 f32_max(vf32 a, vf32 b) {
    FG_MAYBE_NAN(b);
    return a > b ? a : b;
}
FG_INLINE vf32 f32_min_abs(vf32 a, vf32 b) { return f32_min(f32_abs(a), b); } /* b >= 0 */
FG_INLINE vm32 f32_lt(vf32 a, vf32 b) { return (vm32)0 - (vm32)(a < b); }     /* false for NaN */
/* The sign bit is set: only for select, which may look at that bit alone. */
FG_INLINE vm32 f32_sign(vf32 a) { return (vm32)0 - (vm32)(f32_bits(a) >> 31); }

/* m ? c - a*b : c, for products and differences that are exact */
FG_INLINE vf32 f32_minus_where(vm32 m, vf32 c, vf32 a, vf32 b) { return m ? c - a * b : c; }

/* keep_nan is for y computed from x by arithmetic: where the processor itself
 * hands on a NaN operand, quieted, it is y.  put_nan is for y that a NaN in x
 * did not reach.  Both make it the NaN of x with its quiet bit set. */
FG_INLINE vm32 f32_is_nan(vf32 a) { return (vm32)0 - (vm32)(a != a); }
FG_INLINE vf32 f32_put_nan(vf32 y, vf32 x) {
    return x != x ? f32_from_bits(f32_bits(x) | 0x00400000u) : y;
}
FG_INLINE vf32 f32_keep_nan(vf32 y, vf32 x) { return f32_put_nan(y, x); }

/* ---- 32-bit integers and masks ---------------------------------------- */

FG_INLINE vi32 i32_set1(uint32_t a) { return a; }
FG_INLINE vi32 i32_add(vi32 a, vi32 b) { return a + b; }
FG_INLINE vi32 i32_sub(vi32 a, vi32 b) { return a - b; }
FG_INLINE vi32 i32_and(vi32 a, vi32 b) { return a & b; }
FG_INLINE vi32 i32_or(vi32 a, vi32 b) { return a | b; }
FG_INLINE vi32 i32_xor(vi32 a, vi32 b) { return a ^ b; }
#define i32_shr(a, n) ((vi32)(a) >> (n)) /* logical */
#define i32_shl(a, n) ((vi32)(a) << (n))
FG_INLINE vm32 i32_ltu(vi32 a, vi32 b) { return (vm32)0 - (vm32)(a < b); } /* unsigned */
FG_INLINE vm32 i32_in_range(vi32 a, uint32_t first, uint32_t span) {       /* a - first < span */
    return i32_ltu(a - first, span);
}
FG_INLINE vm32 m32_or(vm32 a, vm32 b) { return a | b; }
FG_INLINE vm32 m32_andnot(vm32 a, vm32 b) { return ~a & b; }
FG_INLINE int m32_any(vm32 m) { return m != 0; }
FG_INLINE int m32_all(vm32 m) { return m != 0; }
FG_INLINE vf32 f32_select(vm32 m, vf32 a, vf32 b) { return m ? a : b; } /* m ? a : b */

/* The halves of words as 16-bit integers. */
FG_INLINE vi32 i16_add(vi32 a, vi32 b) {
    return ((a & 0xffff) + (b & 0xffff)) % 0x10000 | ((a >> 16) + (b >> 16)) << 16;
}
FG_INLINE vm16 i16_in_range(vi32 a, unsigned first, unsigned span) { /* a - first < span */
    return (((a & 0xffff) - first) % 0x10000 < span ? 0xffffu : 0) |
           (((a >> 16) - first) % 0x10000 < span ? 0xffff0000u : 0);
}
FG_INLINE vm16 m16_or(vm16 a, vm16 b) { return a | b; }
FG_INLINE int m16_any(vm16 m) { return m != 0; }
FG_INLINE vi32 i32_select(vm32 m, vi32 a, vi32 b) { return m ? a : b; }

/* Bits of b where mask is set; a has none there. */
FG_INLINE vi32 i32_insert(vi32 a, vi32 b, uint32_t mask) { return a | (b & mask); }

/* ---- rows of four floats: bits 8 to 23 of a lane's word are twice its row's
 *      number, counted from origin.  words is in memory; so far the columns
 *      are those of all lanes' rows -------------------------------------------- */

FG_INLINE void f32_fetch(const char *origin, const void *words, vf32 *col) {
    uint16_t at; /* bytes 1 and 2, whatever the byte order */
    memcpy(&at, (const char *)words + 1, sizeof at);
    memcpy(col, origin + 8 * (size_t)at, 4 * sizeof *col);
}

/* ---- float64: the same words ------------------------------------------ */

FG_INLINE vf64 f64_set1(double a) { return a; }
FG_INLINE vf64 f64_abs(vf64 a) { return f64_from_bits(f64_bits(a) & 0x7fffffffffffffffu); }
FG_INLINE vf64 f64_add(vf64 a, vf64 b) { return a + b; }
FG_INLINE vf64 f64_sub(vf64 a, vf64 b) { return a - b; }
FG_INLINE vf64 f64_mul(vf64 a, vf64 b) { return a * b; }
FG_INLINE vf64 f64_min(vf64 a, vf64 b) {
    FG_MAYBE_NAN(b);
    return a < b ? a : b;
}
FG_INLINE vf64 f64_max(vf64 a, vf64 b) {
    FG_MAYBE_NAN(b);
    return a > b ? a : b;
}
FG_INLINE vm64 f64_lt(vf64 a, vf64 b) { return (vm64)0 - (vm64)(a < b); }
FG_INLINE vm64 f64_sign(vf64 a) { return (vm64)0 - (vm64)(f64_bits(a) >> 63); }
FG_INLINE vm64 f64_is_nan(vf64 a) { return (vm64)0 - (vm64)(a != a); }
FG_INLINE vf64 f64_put_nan(vf64 y, vf64 x) {
    return x != x ? f64_from_bits(f64_bits(x) | 0x0008000000000000u) : y;
}
FG_INLINE vf64 f64_keep_nan(vf64 y, vf64 x) { return f64_put_nan(y, x); }

FG_INLINE vi64 i64_set1(uint64_t a) { return a; }
FG_INLINE vi64 i64_add(vi64 a, vi64 b) { return a + b; }
FG_INLINE vi64 i64_sub(vi64 a, vi64 b) { return a - b; }
FG_INLINE vi64 i64_and(vi64 a, vi64 b) { return a & b; }
FG_INLINE vi64 i64_or(vi64 a, vi64 b) { return a | b; }
FG_INLINE vi64 i64_xor(vi64 a, vi64 b) { return a ^ b; }
#define i64_shr(a, n) ((vi64)(a) >> (n))
#define i64_shl(a, n) ((vi64)(a) << (n))
FG_INLINE vm64 i64_ltu(vi64 a, vi64 b) { return (vm64)0 - (vm64)(a < b); }
FG_INLINE vm64 m64_or(vm64 a, vm64 b) { return a | b; }
FG_INLINE vm64 m64_andnot(vm64 a, vm64 b) { return ~a & b; }
FG_INLINE int m64_any(vm64 m) { return m != 0; }
FG_INLINE int m64_all(vm64 m) { return m != 0; }
FG_INLINE vf64 f64_select(vm64 m, vf64 a, vf64 b) { return m ? a : b; }
FG_INLINE vi64 i64_select(vm64 m, vi64 a, vi64 b) { return m ? a : b; }

FG_INLINE vi64 i64_mul32(vi64 a, vi64 b) { return (a & 0xffffffffu) * (b & 0xffffffffu); }

/* ---- rows of doubles: a lane's word is where its row begins, in bytes; words is in
 *      memory, n is even --------------------------------------------------------- */

FG_INLINE void f64_fetch(const double *rows, int n, const void *words, vf64 *col) {
    memcpy(col, f64_row(rows, words, 0), (size_t)n * sizeof *col);
}

/* ---- fused steps ------------------------------------------------------- */

#if defined(__FP_FAST_FMAF) && defined(__FP_FAST_FMA)
FG_INLINE vf32 f32_fma(vf32 a, vf32 b, vf32 c) { return __builtin_fmaf(a, b, c); }
FG_INLINE vf64 f64_fma(vf64 a, vf64 b, vf64 c) { return __builtin_fma(a, b, c); }
#include "fma.h"
#else
FG_INLINE void f32_widen(vf32 a, vf64 *part) { *part = (double)a; }
FG_INLINE vf32 f32_narrow(const vf64 *part) { return (float)*part; }
FG_INLINE vi64 f64_tail(vi64 tails, vf64 a) {
    return tails | (vi64)(f64_bits(a) << 35 == 0x8000000000000000u);
}
FG_INLINE int tails_in_doubt(vi64 tails) { return tails != 0; }
#include "no_fma.h"
#endif
#include "half_rows.h"

#endif
