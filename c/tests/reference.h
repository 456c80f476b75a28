/* reference.h: the exact functions, for the tests that measure errors.
 *
 * One line per function of functions.def; a row without one does not compile.
 * A formula is written once and compiled twice: in double, whose error is some
 * 10^-8 of a float's ULP where nothing cancels, and in long double for the
 * neighbourhood of a derivative's root.  `real` is the type at hand. */
#ifndef FASTGELU_REFERENCE_H
#define FASTGELU_REFERENCE_H

#include <float.h>
#include <math.h>
#include <tgmath.h>

#include "fastgelu_internal.h"

#define REFERENCE(name, formula)                                                                   \
    static double narrow_##name(double x) {                                                        \
        typedef double real;                                                                       \
        return (real)(formula);                                                                    \
    }                                                                                              \
    static long double wide_##name(long double x) {                                                \
        typedef long double real;                                                                  \
        return (real)(formula);                                                                    \
    }

#define SQRT_HALF (real)0.707106781186547524400844362104849039L
#define INV_SQRT_2PI (real)0.398942280401432677939946059934381868L
#define SQRT_8_OVER_PI (real)1.59576912160573071175978423973752747L

#define CDF(x) (erfc(-(x) * SQRT_HALF) / 2)         /* of the normal distribution */
#define PDF(x) (exp(-(x) * (x) / 2) * INV_SQRT_2PI) /* its density */
#define SIGMOID(v) (1 / (1 + exp(-(v))))
/* (1 + tanh(u))/2 = SIGMOID(2u); 2u of the tanh form, and its derivative: */
#define TANH_2U(x) (SQRT_8_OVER_PI * (x) * (1 + (real)0.044715L * (x) * (x)))
#define TANH_2U_GRAD(x) (SQRT_8_OVER_PI * (1 + 3 * (real)0.044715L * (x) * (x)))

/* clang-format off */
REFERENCE(gelu, x * CDF(x))
REFERENCE(gelu_tanh, x * SIGMOID(TANH_2U(x)))
REFERENCE(gelu_grad, CDF(x) + x * PDF(x))
REFERENCE(gelu_tanh_grad, SIGMOID(TANH_2U(x)) * (1 + x * TANH_2U_GRAD(x) * SIGMOID(-TANH_2U(x))))
REFERENCE(quick_gelu, x * SIGMOID((real)1.702L * x))
REFERENCE(quick_gelu_grad,
          SIGMOID((real)1.702L * x) * (1 + x * (real)1.702L * SIGMOID(-(real)1.702L * x)))
REFERENCE(silu, x * SIGMOID(x))
REFERENCE(silu_grad, SIGMOID(x) * (1 + x * SIGMOID(-x)))
REFERENCE(sigmoid, SIGMOID(x))
REFERENCE(sigmoid_grad, SIGMOID(x) * SIGMOID(-x))
REFERENCE(normal_cdf, CDF(x))
REFERENCE(normal_cdf_grad, PDF(x))
/* clang-format on */

static const struct reference {
    double (*narrow)(double);
    long double (*wide)(long double);
} references[FG_FUNCTIONS] = {
#define FASTGELU_FUNCTION(name, ...) {narrow_##name, wide_##name},
#include "functions.def"
};

/* f(x) for finite x.  A result that is small beside a moderate x has lost bits
 * to cancellation (or is merely small): there long double decides.  Where
 * double underflows, the zero has the sign of the limit. */
static inline double reference(int function, double x) {
    const struct reference *f = &references[function];
    const double y = f->narrow(x);
    if (fabs(x) < 4 && fabs(y) < 0x1p-6 * fabs(x)) return (double)f->wide(x);
    return y == 0 && x < 0 && fg_functions[function].left[0] == '-' ? -0.0 : y;
}

/* Is that good to a thousandth of a float's ULP?  Always, but for the few
 * inputs beside a root where long double is no wider than double. */
static inline int reference_is_sharp(double x, double y) {
    return LDBL_MANT_DIG >= 64 || fabs(x) >= 4 || fabs(y) >= 0x1p-16 * fabs(x);
}

#endif
