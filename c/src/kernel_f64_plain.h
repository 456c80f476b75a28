/* kernel_f64_plain.h: the steps of kernel_f64.h that are defined by fused
 * multiply-adds, for processors without: products and sums, a test whether
 * they are certain to give the same bits, and an exact repair where not. */
#ifndef FASTGELU_KERNEL_F64_PLAIN_H
#define FASTGELU_KERNEL_F64_PLAIN_H

/* Products and sums are wrong by less than 2^-40 here, which matters only where the
 * row's own rounding is as near as that to a half. */
FG_INLINE vf64 kernel_f64_row_number(const struct fg_table_f64 *tab, vf64 t) {
    vf64 alpha = f64_set1(tab->alpha), beta = f64_set1(tab->beta);
    vf64 magic = f64_set1(FG_MAGIC_F64), r = f64_sub(t, f64_set1(tab->left));
    vf64 row = f64_mul(r, f64_muladd(r, alpha, beta)), k = f64_add(row, magic);
    vf64 rounding = f64_abs(f64_sub(f64_sub(k, magic), row));
    if (FG_UNLIKELY(m64_any(f64_lt(f64_set1(0.4999), rounding))))
        k = f64_fma(r, f64_fma(r, alpha, beta), magic);
    return k;
}

/* The last sum is L + h, rounded once.  Here and with fused steps h is wrong by less than
 * 10 u of the sum of its terms' sizes, u = 2^-53: each term is rounded at most nine times,
 * both ways together.  Rounding is monotonic, so if h less and plus that margin give the
 * same sum, it is the right one. */
FG_INLINE vf64 kernel_f64_poly(int seven, const vf64 *p, vf64 d) {
    vf64 s = f64_mul(d, d), m3 = f64_mul(d, p[3]), m5 = f64_mul(d, p[5]);
    vf64 q = f64_add(m5, p[4]), size = f64_add(f64_abs(m5), f64_abs(p[4]));
    if (seven) {
        vf64 m6 = f64_mul(s, p[6]);
        q = f64_add(m6, q), size = f64_add(size, f64_abs(m6));
    }
    vf64 L = f64_muladd(d, p[1], p[0]), h = f64_mul(s, f64_muladd(s, q, f64_add(m3, p[2])));
    size = f64_muladd(s, size, f64_add(f64_abs(m3), f64_abs(p[2])));
    vf64 margin = f64_mul(f64_mul(s, f64_set1(0x1.4p-50)), size);
    vf64 low = f64_add(L, f64_sub(h, margin)), high = f64_add(L, f64_add(h, margin));
    if (FG_UNLIKELY(m64_any(f64_lt(low, high)))) {
        q = f64_fma(d, p[5], p[4]);
        if (seven) q = f64_fma(s, p[6], q);
        low = f64_fma(s, f64_fma(s, q, f64_fma(d, p[3], p[2])), L);
    }
    return low;
}

/* a*b + c is v + rest; the rest, rounded itself, is known to 2^-52 of it. */
FG_INLINE vf64 kernel_f64_sum(vf64 a, vf64 b, vf64 c) {
    vf64 high = f64_mul(a, b), v = f64_add(high, c);
    vf64 rest = f64_add(f64_sum_error(high, c, v), f64_product_error(a, b, high));
    vf64 margin = f64_mul(f64_abs(rest), f64_set1(0x1p-50));
    vf64 y = f64_add(v, f64_sub(rest, margin));
    if (FG_UNLIKELY(m64_any(f64_lt(y, f64_add(v, f64_add(rest, margin)))))) y = f64_fma(a, b, c);
    return y;
}

/* By t: the parts of an infinity are none.  The sign is that of t, for the sake of -0. */
FG_INLINE vf64 kernel_f64_product(const struct fg_table_f64 *tab, vf64 x, vf64 t, vf64 A, vf64 w) {
    vi64 sign = i64_and(f64_bits(t), i64_set1(FG_SIGN_F64));
    vf64 y = f64_from_bits(i64_or(f64_bits(kernel_f64_sum(t, A, w)), sign));
    return f64_select(f64_lt(f64_set1(tab->limit), x), x, y);
}

/* The leading part of a NaN is another NaN, and which one a sum hands on is the compiler's choice. */
FG_INLINE vf64 kernel_f64_keep_nan(vf64 y, vf64 x) { return f64_put_nan(y, x); }

#endif
