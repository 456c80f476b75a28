/* scaled.h: products in float64 of a function's value and other factors, where a
 * factor or a product on the way leaves the range in which float64 has all its
 * digits.  Everything is carried as two doubles and a power of two, and rounded at
 * the end.  Such elements are rare, so this is plain C, once for all targets. */
#ifndef FASTGELU_SCALED_H
#define FASTGELU_SCALED_H

/* (high + low) * 2^exponent */
struct fg_scaled {
    double high, low;
    int exponent;
};

/* f(x) where |f(x)| < 2^-1022 since x is far out.  From |x| = end on nothing is left of
 * it in a product with two doubles; a function and its derivative have the same. */
struct fg_tail {
    struct fg_scaled (*value)(double x);
    double end;
};
extern const struct fg_tail fg_tail_gelu, fg_tail_gelu_grad, fg_tail_gelu_tanh,
    fg_tail_gelu_tanh_grad, fg_tail_quick_gelu_grad, fg_tail_silu, fg_tail_silu_grad,
    fg_tail_exp_negative, fg_tail_none;
/* Out there these are exp(-|x|) to hundreds of digits. */
#define fg_tail_sigmoid fg_tail_exp_negative
#define fg_tail_sigmoid_grad fg_tail_exp_negative
/* These lose nothing, or are in no product that would show it. */
#define fg_tail_relu fg_tail_none
#define fg_tail_relu_grad fg_tail_none
#define fg_tail_expm1_negative fg_tail_none

/* f(x) * a * b for finite x, a and b; y is f(x) as the kernel has it. */
double fg_scaled_product(const struct fg_tail *f, double x, double y, double a, double b);

#endif
