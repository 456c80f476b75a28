/* kernel_f64.h: the one float64 algorithm, for every function and every
 * instruction set, in the words of simd/scalar.h.
 *
 * A table is cut into narrow rows over signed x, or over t = -|x| where f is
 * even.  A row holds a point c, A = S(c) and the coefficients of a P(d), d = t - c:
 *   FORWARD              S(x) = f(x)/x    y = x*A + (t*d)*P
 *   SIGMOID, EVEN        S = f            y = d*P + A
 *   DERIVATIVE, EXPM1    S = f            y = (d*P + A) + slope*(t - root)
 * The last sum of the first three is a fused multiply-add, and the c are chosen so
 * that S(c) is a double to a thousandth of an ULP or so: that sum makes most
 * of the error.  The slope is zero but in rows around a root, where d*P + A
 * would cancel; it has so few bits that its product is exact.
 *
 * near  from `left` to `limit`; the last row has A = 1 and P = 0 and serves every
 *       larger t, and NaN.  Row numbers are quadratic in t
 * far   the tail on the left, to where results round to zero: exp(-v)*R, v a
 *       polynomial carried in two parts, exp by a table of 2^(-j/64) and a short
 *       polynomial, R = A + d*P by rows of the same kind
 * tiny  0 < |x| < 2^-500, where a product is x/2 or x
 *
 * tools/certify_f64.py proves a bound on the error; tests/ulp_f64.c measures it.
 *
 * far and tiny are rare: kernel_f64_rare() tests for them, kernel_f64_any()
 * serves them.  Rows are found first (kernel_f64_rows) and used later (_near); they
 * are not fetched for a vector with a rare lane, whose number means nothing.
 * No arithmetic sees or makes a subnormal number. */
#ifndef FASTGELU_KERNEL_F64_H
#define FASTGELU_KERNEL_F64_H

#define FG_SIGN_F64 0x8000000000000000u
#define FG_MIN_F64 0x0010000000000000u /* the smallest normal number; one step of the exponent */

/* The leading 26 bits: products of two such are exact. */
FG_INLINE vf64 f64_leading(vf64 a) {
    return f64_from_bits(i64_and(f64_bits(a), i64_set1(0xfffffffff8000000u)));
}

/* b*c + a, two roundings */
FG_INLINE vf64 f64_muladd(vf64 b, vf64 c, vf64 a) { return f64_add(f64_mul(b, c), a); }

FG_INLINE vf64 f64_neg(vf64 a) {
    return f64_from_bits(i64_xor(f64_bits(a), i64_set1(FG_SIGN_F64)));
}

#ifdef FG_HAS_FMA
#include "kernel_f64_fma.h"
#else
#include "kernel_f64_plain.h"
#endif

/* The argument of the tables; a NaN keeps its sign. */
FG_INLINE vf64 kernel_f64_argument(const struct fg_table_f64 *tab, int form, vf64 x) {
    if (form != FG_EVEN && form != FG_EXPM1) return x;
    vf64 t = f64_min(f64_neg(x), x);
    return form == FG_EXPM1 ? f64_max(f64_set1(tab->left), t) : t;
}

/* ---- finding the rows, and whether a lane is far or tiny ---------------------- */

typedef const double *near_f64;
FG_INLINE near_f64 kernel_f64_open(const struct fg_table_f64 *tab) { return tab->rows; }

typedef vi64 word_f64; /* where a lane's row begins, in bytes from the first */
typedef struct {
    vf64 least, tiny; /* running minima: of t; and of exponents */
} seen_f64;

FG_INLINE seen_f64 kernel_f64_nothing(void) {
    return (seen_f64){f64_set1(DBL_MAX), f64_set1(DBL_MAX)};
}
/* As in kernel_f32.h: of |x| less one in its last place, infinite for 0 and NaN. */
FG_INLINE vf64 kernel_f64_exponent_of(vf64 x) {
    vi64 less = i64_sub(f64_bits(x), i64_set1(1));
    return f64_from_bits(i64_and(less, i64_set1(0x7ff0000000000000u)));
}
FG_INLINE vm64 kernel_f64_is_tiny(vf64 exponent) {
    return f64_lt(exponent, f64_from_bits(i64_set1(FG_TINY_F64)));
}
FG_INLINE int kernel_f64_rare(const struct fg_table_f64 *tab, int form, const seen_f64 *seen) {
    vm64 tiny = kernel_f64_is_tiny(seen->tiny), far = f64_lt(seen->least, f64_set1(tab->left));
    if (form == FG_EXPM1) return m64_any(tiny);
    return m64_any(FG_IS_PRODUCT(form) ? m64_or(far, tiny) : far);
}
FG_INLINE void kernel_f64_see(int form, vf64 x, vf64 t, seen_f64 *seen) {
    if (form != FG_EXPM1) seen->least = f64_min(t, seen->least);
    if (FG_IS_PRODUCT(form)) seen->tiny = f64_min(kernel_f64_exponent_of(x), seen->tiny);
}
FG_INLINE vi64 kernel_f64_word(int form, vi64 row) {
    return i64_mul32(row, i64_set1(8 * FG_WORDS_F64(form)));
}
FG_INLINE word_f64 kernel_f64_find(const struct fg_table_f64 *tab, int form, vf64 x,
                                   seen_f64 *seen) {
    vf64 t = kernel_f64_argument(tab, form, x);
    kernel_f64_see(form, x, t, seen);
    t = f64_min(t, f64_set1(tab->limit)); /* NaN gives limit */
    return kernel_f64_word(form, f64_bits(kernel_f64_row_number(tab, t)));
}

/* ---- near ------------------------------------------------------------------------ */

/* Words of a row hold two numbers: p4 in the low half of c, p5 in the low bits of
 * p3; of eight words, p6 in the low bits of p4, p5 in those of the slope. */
FG_INLINE vf64 kernel_f64_poly_of_row(int form, const vf64 *col, vf64 d) {
    vf64 p[7];
    FG_UNROLL(4)
    for (int i = 0; i < 4; i++) p[i] = col[i + 2];
    if (FG_WORDS_F64(form) == 8) {
        p[4] = col[6];
        p[5] = f64_from_bits(i64_shl(f64_bits(col[7]), 16));
        p[6] = f64_from_bits(i64_shl(f64_bits(col[6]), 40));
    } else {
        p[4] = f64_from_bits(i64_shl(f64_bits(col[0]), 32));
        p[5] = f64_from_bits(i64_shl(f64_bits(col[5]), 40));
    }
    return kernel_f64_poly(FG_WORDS_F64(form) == 8, p, d);
}
FG_INLINE vf64 kernel_f64_value(const struct fg_table_f64 *tab, int form, vf64 x, vf64 t,
                                const vf64 *col, vf64 d, vf64 P) {
    if (form == FG_FORWARD)
        return kernel_f64_keep_nan(kernel_f64_product(tab, x, t, col[1], f64_mul(f64_mul(t, d), P)),
                                   x);
    vf64 y = kernel_f64_sum(d, P, col[1]);
    if (FG_WORDS_F64(form) == 8) {
        vi64 slope = i64_and(f64_bits(col[7]), i64_set1(0xffff000000000000u));
        y = f64_mul_add(f64_sub(t, f64_set1(tab->root)), f64_from_bits(slope), y);
    }
    return kernel_f64_keep_nan(y, x);
}
FG_INLINE vf64 kernel_f64_near(const struct fg_table_f64 *tab, const near_f64 *near, int form,
                               const word_f64 *word, vf64 x) {
    vf64 col[8], t = kernel_f64_argument(tab, form, x);
    t = f64_min(f64_set1(tab->limit), t); /* NaN stays */
    f64_fetch(*near, FG_WORDS_F64(form), word, col);
    vf64 d = f64_sub(t, col[0]), P = kernel_f64_poly_of_row(form, col, d);
    return kernel_f64_value(tab, form, x, t, col, d, P);
}

/* ---- far ------------------------------------------------------------------------- */

/* v(u) in two parts: of v0 and v1 one is zero, so that b is exact. */
FG_INLINE void kernel_f64_exponent(const struct fg_table_f64 *tab, vf64 u, vf64 *v, vf64 *v_low) {
    vf64 b = f64_mul_add(u, f64_set1(tab->v[1]), f64_set1(tab->v[0])), w = b;
    vf64 w_low = f64_set1(tab->v_low[0]);
    if (tab->v[2] != 0) {
        vf64 v2 = f64_set1(tab->v[2]), s = f64_mul(u, u), p = f64_mul(v2, s);
        vf64 p_low = f64_muladd(f64_set1(tab->v_low[1]), s, f64_product_error(v2, s, p));
        p_low = f64_muladd(v2, f64_product_error(u, u, s), p_low);
        w = f64_add(b, p);
        vf64 part = f64_sub(w, b), error = f64_add(f64_sub(b, f64_sub(w, part)), f64_sub(p, part));
        w_low = f64_add(error, f64_add(p_low, w_low));
    }
    *v = f64_mul(u, w);
    *v_low = f64_muladd(u, w_low, f64_product_error(u, w, *v));
}

/* f(-u) from R = a + q. */
FG_INLINE vf64 kernel_f64_far_result(const struct fg_table_f64 *tab, vf64 u, vf64 a, vf64 q) {
    /* exp(-v) = 2^-scale * (power[0] + e) */
    vf64 v, v_low, power[2];
    kernel_f64_exponent(tab, u, &v, &v_low);
    vf64 magic = f64_set1(FG_MAGIC_F64);
    vf64 n = f64_muladd(v, f64_set1(fg_exp_f64.inverse), magic);
    vi64 steps = i64_sub(f64_bits(n), i64_set1(FG_MAGIC_BITS_F64));
    n = f64_sub(magic, n);
    vf64 r = f64_mul_add(n, f64_set1(fg_exp_f64.step_high), v); /* exact */
    r = f64_add(r, f64_muladd(n, f64_set1(fg_exp_f64.step_low), v_low));
    vi64 word = i64_shl(i64_and(steps, i64_set1(FG_EXP_STEPS - 1)), 4);
    f64_fetch(fg_exp_f64.powers[0], 2, &word, power);
    vf64 e = f64_set1(fg_exp_f64.terms[FG_EXP_TERMS - 1]);
    FG_UNROLL(8)
    for (int i = FG_EXP_TERMS - 2; i >= 0; i--) e = f64_muladd(e, r, f64_set1(fg_exp_f64.terms[i]));
    e = f64_muladd(f64_add(power[0], power[1]), f64_mul(e, r), power[1]);

    /* R = R1 + R2; f = 2^-scale * y, and power[0]*R1 is exact */
    vf64 R = f64_add(a, q), R1 = f64_leading(R), R2 = f64_add(f64_sub(a, R1), q);
    vf64 y = f64_mul_add(power[0], R1, f64_muladd(power[0], R2, f64_mul(e, R)));

    /* A normal result is scaled in its exponent; a subnormal one is |f| in units
     * of 2^-1074, rounded to an integer by adding 2^52: that is its pattern. */
    vi64 scale = i64_shl(i64_shr(steps, 6), 52);
    vi64 sign = i64_and(f64_bits(y), i64_set1(FG_SIGN_F64)), size = i64_xor(f64_bits(y), sign);
    vm64 below = i64_ltu(size, i64_add(scale, i64_set1(FG_MIN_F64)));
    vi64 result = i64_sub(size, scale);
    if (m64_any(below)) {
        vi64 units = i64_sub(i64_add(size, i64_set1((uint64_t)1074 << 52)), scale);
        units = i64_select(below, units, f64_bits(f64_set1(1.0)));
        vi64 sum = f64_bits(f64_add(f64_from_bits(units), f64_set1(0x1p52)));
        result = i64_select(below, i64_sub(sum, f64_bits(f64_set1(0x1p52))), result);
    }
    return f64_from_bits(i64_or(sign, result));
}

/* x/2 plus a hair towards +infinity, to nearest, in integers: below 2^-1021
 * the bits of |x| count units of 2^-1074, above it halving is exact. */
FG_INLINE vf64 kernel_f64_half(vf64 x) {
    vi64 bits = f64_bits(x), sign = i64_and(bits, i64_set1(FG_SIGN_F64));
    vi64 size = i64_xor(bits, sign), even = i64_sub(i64_set1(1), i64_shr(bits, 63));
    vi64 low = i64_shr(i64_add(size, even), 1), high = i64_sub(size, i64_set1(FG_MIN_F64));
    vi64 half = i64_select(i64_ltu(size, i64_set1(2 * FG_MIN_F64)), low, high);
    return f64_from_bits(i64_or(sign, half));
}

/* What is found ahead of a vector that may have any lanes: the near or the far row of
 * each, near ones of lanes beside them that are neither. */
typedef word_f64 any_word_f64;

/* The far argument u = -t of each lane, clamped on both sides. */
FG_INLINE vf64 kernel_f64_far_argument(const struct fg_table_f64 *tab, vf64 t) {
    vf64 u = f64_neg(f64_max(t, f64_set1(tab->end))); /* NaN gives end */
    return f64_max(u, f64_set1(-tab->left));
}
FG_INLINE any_word_f64 kernel_f64_find_any(const struct fg_table_f64 *tab, int form, vf64 x,
                                           seen_f64 *seen) {
    vf64 t = kernel_f64_argument(tab, form, x), left = f64_set1(tab->left);
    kernel_f64_see(form, x, t, seen);
    vm64 far = f64_lt(t, left);
    vf64 inside = f64_max(f64_min(t, f64_set1(tab->limit)), left);
    vi64 row = f64_bits(kernel_f64_row_number(tab, inside));
    if (form == FG_EXPM1) return kernel_f64_word(form, row);
    vf64 u = f64_min(kernel_f64_far_argument(tab, t), f64_set1(tab->far_limit));
    vi64 at = f64_bits(f64_sub(u, f64_set1(tab->far_from)));
    at = i64_sub(i64_shr(at, tab->far_shift), i64_set1(tab->far_offset));
    vi64 from_near = i64_set1((uint64_t)((uintptr_t)tab->far - (uintptr_t)tab->rows));
    vi64 in_far = i64_add(kernel_f64_word(form, at), from_near);
    return i64_select(far, in_far, kernel_f64_word(form, row));
}
FG_INLINE vf64 kernel_f64_any(const struct fg_table_f64 *tab, const near_f64 *near, int form,
                              const any_word_f64 *word, vf64 x) {
    vf64 z = x, col[8];
    vm64 tiny = kernel_f64_is_tiny(kernel_f64_exponent_of(x));
    if (FG_IS_PRODUCT(form)) z = f64_select(tiny, f64_set1(0.0), x);
    vf64 argument = kernel_f64_argument(tab, form, z), t = f64_min(f64_set1(tab->limit), argument);
    vm64 far = f64_lt(t, f64_set1(tab->left)); /* none in EXPM1 */
    vf64 u = kernel_f64_far_argument(tab, t);
    if (form != FG_EXPM1) t = f64_select(far, f64_neg(u), t);
    f64_fetch(*near, FG_WORDS_F64(form), word, col);
    vf64 d = f64_sub(t, col[0]), P = kernel_f64_poly_of_row(form, col, d);
    vf64 y = kernel_f64_value(tab, form, z, t, col, d, P);
    if (form != FG_EXPM1 && m64_any(far)) {
        vm64 tail = m64_andnot(f64_lt(argument, f64_set1(tab->end)), far);
        vf64 f = f64_set1(form == FG_FORWARD || form == FG_DERIVATIVE ? -0.0 : 0.0);
        if (m64_any(tail)) f = kernel_f64_far_result(tab, u, col[1], f64_mul(d, P));
        y = f64_select(far, f, y);
    }
    if (!FG_IS_PRODUCT(form) || !m64_any(tiny)) return y;
    return f64_select(tiny,
                      form == FG_EXPM1 ? kernel_f64_argument(tab, form, x) : kernel_f64_half(x), y);
}

#endif
