/* kernel_f64_fma.h: the steps of kernel_f64.h that are defined by fused
 * multiply-adds, by these.  kernel_f64_plain.h has the same without. */
#ifndef FASTGELU_KERNEL_F64_FMA_H
#define FASTGELU_KERNEL_F64_FMA_H

/* The low half is the row.  The difference is no subnormal number where t is one. */
FG_INLINE vf64 kernel_f64_row_number(const struct fg_table_f64 *tab, vf64 t) {
    vf64 r = f64_sub(t, f64_set1(tab->left));
    vf64 slope = f64_fma(r, f64_set1(tab->alpha), f64_set1(tab->beta));
    return f64_fma(r, slope, f64_set1(FG_MAGIC_F64));
}

/* P = p0 + d*p1 + d^2*(p2 + d*p3 + d^2*(p4 + d*p5 [+ d^2*p6])); the product with p1 is
 * rounded, for the sake of processors that have no fma. */
FG_INLINE vf64 kernel_f64_poly(int seven, const vf64 *p, vf64 d) {
    vf64 s = f64_mul(d, d), q = f64_fma(d, p[5], p[4]);
    if (seven) q = f64_fma(s, p[6], q);
    q = f64_fma(s, q, f64_fma(d, p[3], p[2]));
    return f64_fma(s, q, f64_muladd(d, p[1], p[0]));
}

/* d*P + A; and x*A + w, where x is t up to the limit and A = 1, w = 0 beyond */
FG_INLINE vf64 kernel_f64_sum(vf64 d, vf64 P, vf64 A) { return f64_fma(d, P, A); }
FG_INLINE vf64 kernel_f64_product(const struct fg_table_f64 *tab, vf64 x, vf64 t, vf64 A, vf64 w) {
    (void)tab, (void)t;
    return f64_fma(x, A, w);
}

/* y computed from x, with a NaN as x has it. */
FG_INLINE vf64 kernel_f64_keep_nan(vf64 y, vf64 x) { return f64_keep_nan(y, x); }

#endif
