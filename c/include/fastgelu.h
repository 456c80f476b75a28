/* fastgelu.h: the GELU family in C.  Written by c/tools/write_header.py.
 *
 *   void fastgelu_<function>_<type>(size_t n, inputs..., results...);
 *
 * computes n elements of contiguous arrays; <function>_<type>_strided takes the
 * distance of elements in bytes after each array: of any sign, and zero for an
 * input that is one number.  <function>_<type>_scalar takes and returns one
 * number; functions of two results have none.
 *
 *   f16   IEEE binary16 in a uint16_t
 *   f32   float
 *   f64   double
 *   bf16  bfloat16 in a uint16_t: the upper half of a float
 *
 * Arrays: a result may be an input itself (the same first element and stride);
 * other overlaps are mistakes.  n = 0 is fine, with NULL too.  Nothing else is
 * checked in a release build: NULL with n > 0 crashes, and a result that
 * overlaps otherwise is computed element by element, in order, from whatever
 * the inputs hold by then.  A build without NDEBUG asserts against both.
 * Any alignment will do.
 *
 * Results: one input has one result, to the bit, on every machine, at every
 * place of every array, whatever the caller's rounding and flush modes.  A NaN
 * gives the same NaN, quiet; of several the first counts.  No floating-point
 * flag is raised, and the caller's are kept.  Errors are in ULP, units in the
 * last place; that of a subnormal result is the smallest subnormal.  Decimals
 * and constants in formulas stand for the real numbers.
 *
 * Threads: every function may be called from any thread at any time.  Nothing
 * has to be initialised, nothing is allocated.  A call runs on the calling
 * thread alone unless fastgelu_set_num_threads() asks for more. */
#ifndef FASTGELU_H
#define FASTGELU_H

#include <stddef.h>
#include <stdint.h>

#define FASTGELU_VERSION "0.2.0"
#define FASTGELU_VERSION_MAJOR 0
#define FASTGELU_VERSION_MINOR 2
#define FASTGELU_VERSION_PATCH 0

/* FASTGELU_BUILD_SHARED is for the build of the shared library alone. */
#if !defined(FASTGELU_BUILD_SHARED)
#define FASTGELU_API
#elif defined(_WIN32)
#define FASTGELU_API __declspec(dllexport)
#else
#define FASTGELU_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that runs; FASTGELU_VERSION is the header's. */
FASTGELU_API const char *fastgelu_version(void);

/* The instruction set in use: "avx512", "avx2", "sse2", "neon" or "scalar".
 * The first call chooses the one that the environment variable FASTGELU_ISA
 * names, if this machine has it, else the best. */
FASTGELU_API const char *fastgelu_isa(void);

/* Chooses an instruction set for all threads, whatever FASTGELU_ISA says; NULL
 * or "" is the best of this machine.  Returns 0, or -1 and changes nothing if
 * this machine or this build lacks it.  Results do not depend on it. */
FASTGELU_API int fastgelu_set_isa(const char *name);

/* How many threads a call may use, the calling one included: for the whole
 * process, from 1 to 1024.  At first it is 1, or such a number in the environment
 * variable FASTGELU_NUM_THREADS. */
FASTGELU_API int fastgelu_get_num_threads(void);

/* Sets it, at any time, from any thread.  Returns 0, or -1 and changes nothing if
 * n is not from 1 to 1024.  A call uses fewer threads where its arrays are small
 * or the calling thread may run on fewer CPUs, and none but its own while another
 * call uses them.  A library built without threads takes n and stays at 1.
 * Results do not depend on it. */
FASTGELU_API int fastgelu_set_num_threads(int n);

/* clang-format off */

/* gelu: Gaussian error linear unit, exact (erf) form.
 *     y = x * Phi(x) = x/2 * (1 + erf(x/sqrt(2)))
 * Error: f16 and bf16 correctly rounded; f32 within 0.8123 ULP; f64 within
 *     0.977 ULP.
 * Special values: -0.0 at -inf, inf at inf, x itself at +-0. */
FASTGELU_API void fastgelu_gelu_f16(size_t n, const uint16_t *x, uint16_t *y);
FASTGELU_API void fastgelu_gelu_f32(size_t n, const float *x, float *y);
FASTGELU_API void fastgelu_gelu_f64(size_t n, const double *x, double *y);
FASTGELU_API void fastgelu_gelu_bf16(size_t n, const uint16_t *x, uint16_t *y);

/* gelu_tanh: Gaussian error linear unit, tanh form.
 *     y = x/2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715*x**3)))
 * Error: f16 and bf16 correctly rounded; f32 within 0.8204 ULP; f64 within
 *     0.915 ULP.
 * Special values: -0.0 at -inf, inf at inf, x itself at +-0. */
FASTGELU_API void fastgelu_gelu_tanh_f16(size_t n, const uint16_t *x, uint16_t *y);
FASTGELU_API void fastgelu_gelu_tanh_f32(size_t n, const float *x, float *y);
FASTGELU_API void fastgelu_gelu_tanh_f64(size_t n, const double *x, double *y);
FASTGELU_API void fastgelu_gelu_tanh_bf16(size_t n, const uint16_t *x, uint16_t *y);

/* gelu_grad: Derivative of the exact GELU.
 *     y = Phi(x) + x * phi(x), with phi(x) = exp(-x**2/2) / sqrt(2*pi)
 * Error: f16 and bf16 correctly rounded; f32 within 0.8206 ULP; f64 within
 *     0.927 ULP.
 * Special values: -0.0 at -inf, 1 at inf, 0.5 at +-0. */
FASTGELU_API void fastgelu_gelu_grad_f16(size_t n, const uint16_t *x, uint16_t *y);
FASTGELU_API void fastgelu_gelu_grad_f32(size_t n, const float *x, float *y);
FASTGELU_API void fastgelu_gelu_grad_f64(size_t n, const double *x, double *y);
FASTGELU_API void fastgelu_gelu_grad_bf16(size_t n, const uint16_t *x, uint16_t *y);

/* gelu_tanh_grad: Derivative of the tanh form of GELU.
 *     y = (1 + tanh(u))/2 + x/2 * (1 - tanh(u)**2) * u', with u = sqrt(2/pi) *
 *         (x + 0.044715*x**3)
 * Error: f16 and bf16 correctly rounded; f32 within 0.8159 ULP; f64 within
 *     0.995 ULP.
 * Special values: -0.0 at -inf, 1 at inf, 0.5 at +-0. */
FASTGELU_API void fastgelu_gelu_tanh_grad_f16(size_t n, const uint16_t *x, uint16_t *y);
FASTGELU_API void fastgelu_gelu_tanh_grad_f32(size_t n, const float *x, float *y);
FASTGELU_API void fastgelu_gelu_tanh_grad_f64(size_t n, const double *x, double *y);
FASTGELU_API void fastgelu_gelu_tanh_grad_bf16(size_t n, const uint16_t *x, uint16_t *y);

/* quick_gelu: QuickGELU: GELU by a sigmoid.
 *     y = x * sigmoid(1.702*x)
 * Error: f16 and bf16 correctly rounded; f32 within 0.8201 ULP; f64 within
 *     0.947 ULP.
 * Special values: -0.0 at -inf, inf at inf, x itself at +-0. */
FASTGELU_API void fastgelu_quick_gelu_f16(size_t n, const uint16_t *x, uint16_t *y);
FASTGELU_API void fastgelu_quick_gelu_f32(size_t n, const float *x, float *y);
FASTGELU_API void fastgelu_quick_gelu_f64(size_t n, const double *x, double *y);
FASTGELU_API void fastgelu_quick_gelu_bf16(size_t n, const uint16_t *x, uint16_t *y);

/* quick_gelu_grad: Derivative of QuickGELU.
 *     y = s * (1 + 1.702*x * (1 - s)), with s = sigmoid(1.702*x)
 * Error: f16 and bf16 correctly rounded; f32 within 0.8232 ULP; f64 within 0.93
 *     ULP.
 * Special values: -0.0 at -inf, 1 at inf, 0.5 at +-0. */
FASTGELU_API void fastgelu_quick_gelu_grad_f16(size_t n, const uint16_t *x, uint16_t *y);
FASTGELU_API void fastgelu_quick_gelu_grad_f32(size_t n, const float *x, float *y);
FASTGELU_API void fastgelu_quick_gelu_grad_f64(size_t n, const double *x, double *y);
FASTGELU_API void fastgelu_quick_gelu_grad_bf16(size_t n, const uint16_t *x, uint16_t *y);

/* silu: Sigmoid linear unit, also called swish.
 *     y = x * sigmoid(x) = x / (1 + exp(-x))
 * Error: f16 and bf16 correctly rounded; f32 within 0.8035 ULP; f64 within
 *     0.913 ULP.
 * Special values: -0.0 at -inf, inf at inf, x itself at +-0. */
FASTGELU_API void fastgelu_silu_f16(size_t n, const uint16_t *x, uint16_t *y);
FASTGELU_API void fastgelu_silu_f32(size_t n, const float *x, float *y);
FASTGELU_API void fastgelu_silu_f64(size_t n, const double *x, double *y);
FASTGELU_API void fastgelu_silu_bf16(size_t n, const uint16_t *x, uint16_t *y);

/* silu_grad: Derivative of the sigmoid linear unit.
 *     y = s * (1 + x * (1 - s)), with s = sigmoid(x)
 * Error: f16 and bf16 correctly rounded; f32 within 0.8607 ULP; f64 within
 *     0.994 ULP.
 * Special values: -0.0 at -inf, 1 at inf, 0.5 at +-0. */
FASTGELU_API void fastgelu_silu_grad_f16(size_t n, const uint16_t *x, uint16_t *y);
FASTGELU_API void fastgelu_silu_grad_f32(size_t n, const float *x, float *y);
FASTGELU_API void fastgelu_silu_grad_f64(size_t n, const double *x, double *y);
FASTGELU_API void fastgelu_silu_grad_bf16(size_t n, const uint16_t *x, uint16_t *y);

/* sigmoid: Logistic sigmoid.
 *     y = 1 / (1 + exp(-x))
 * Error: f16 and bf16 correctly rounded; f32 within 0.8102 ULP; f64 within
 *     0.895 ULP.
 * Special values: 0.0 at -inf, 1 at inf, 0.5 at +-0. */
FASTGELU_API void fastgelu_sigmoid_f16(size_t n, const uint16_t *x, uint16_t *y);
FASTGELU_API void fastgelu_sigmoid_f32(size_t n, const float *x, float *y);
FASTGELU_API void fastgelu_sigmoid_f64(size_t n, const double *x, double *y);
FASTGELU_API void fastgelu_sigmoid_bf16(size_t n, const uint16_t *x, uint16_t *y);

/* sigmoid_grad: Derivative of the logistic sigmoid.
 *     y = exp(-x) / (1 + exp(-x))**2
 * Error: f16 and bf16 correctly rounded; f32 within 0.8102 ULP; f64 within
 *     0.902 ULP.
 * Special values: 0.0 at -inf and inf. */
FASTGELU_API void fastgelu_sigmoid_grad_f16(size_t n, const uint16_t *x, uint16_t *y);
FASTGELU_API void fastgelu_sigmoid_grad_f32(size_t n, const float *x, float *y);
FASTGELU_API void fastgelu_sigmoid_grad_f64(size_t n, const double *x, double *y);
FASTGELU_API void fastgelu_sigmoid_grad_bf16(size_t n, const uint16_t *x, uint16_t *y);

/* normal_cdf: Cumulative distribution function of the standard normal
 * distribution.
 *     y = Phi(x) = (1 + erf(x/sqrt(2))) / 2
 * Error: f16 and bf16 correctly rounded; f32 within 0.8295 ULP; f64 within
 *     0.984 ULP.
 * Special values: 0.0 at -inf, 1 at inf, 0.5 at +-0. */
FASTGELU_API void fastgelu_normal_cdf_f16(size_t n, const uint16_t *x, uint16_t *y);
FASTGELU_API void fastgelu_normal_cdf_f32(size_t n, const float *x, float *y);
FASTGELU_API void fastgelu_normal_cdf_f64(size_t n, const double *x, double *y);
FASTGELU_API void fastgelu_normal_cdf_bf16(size_t n, const uint16_t *x, uint16_t *y);

/* normal_cdf_grad: Density of the standard normal distribution.
 *     y = phi(x) = exp(-x**2/2) / sqrt(2*pi)
 * Error: f16 and bf16 correctly rounded; f32 within 0.8193 ULP; f64 within
 *     0.797 ULP.
 * Special values: 0.0 at -inf and inf. */
FASTGELU_API void fastgelu_normal_cdf_grad_f16(size_t n, const uint16_t *x, uint16_t *y);
FASTGELU_API void fastgelu_normal_cdf_grad_f32(size_t n, const float *x, float *y);
FASTGELU_API void fastgelu_normal_cdf_grad_f64(size_t n, const double *x, double *y);
FASTGELU_API void fastgelu_normal_cdf_grad_bf16(size_t n, const uint16_t *x, uint16_t *y);

/* relu: Rectified linear unit.
 *     y = max(x, 0)
 * Error: exact.
 * Special values: 0 at -inf and +-0, inf at inf. */
FASTGELU_API void fastgelu_relu_f16(size_t n, const uint16_t *x, uint16_t *y);
FASTGELU_API void fastgelu_relu_f32(size_t n, const float *x, float *y);
FASTGELU_API void fastgelu_relu_f64(size_t n, const double *x, double *y);
FASTGELU_API void fastgelu_relu_bf16(size_t n, const uint16_t *x, uint16_t *y);

/* relu_grad: Derivative of the rectified linear unit.
 *     y = 1 if x > 0 else 0
 * Error: exact.
 * Special values: 0 at -inf and +-0, 1 at inf. */
FASTGELU_API void fastgelu_relu_grad_f16(size_t n, const uint16_t *x, uint16_t *y);
FASTGELU_API void fastgelu_relu_grad_f32(size_t n, const float *x, float *y);
FASTGELU_API void fastgelu_relu_grad_f64(size_t n, const double *x, double *y);
FASTGELU_API void fastgelu_relu_grad_bf16(size_t n, const uint16_t *x, uint16_t *y);

/* leaky_relu: Leaky rectified linear unit.
 *     y = x if x > 0 else negative_slope * x
 * Error: correctly rounded. f16 and bf16 are computed in f32 and rounded once:
 *     f16 correctly rounded; bf16 too, but within 0.50001 ULP where the result
 *     is subnormal.
 * Special values: negative_slope * x at -inf and +-0, inf at inf. */
FASTGELU_API void fastgelu_leaky_relu_f16(
    size_t n, const uint16_t *x, const uint16_t *negative_slope, uint16_t *y);
FASTGELU_API void fastgelu_leaky_relu_f32(
    size_t n, const float *x, const float *negative_slope, float *y);
FASTGELU_API void fastgelu_leaky_relu_f64(
    size_t n, const double *x, const double *negative_slope, double *y);
FASTGELU_API void fastgelu_leaky_relu_bf16(
    size_t n, const uint16_t *x, const uint16_t *negative_slope, uint16_t *y);

/* leaky_relu_grad: Derivative of the leaky rectified linear unit.
 *     y = 1 if x > 0 else negative_slope
 * Error: exact.
 * Special values: negative_slope at -inf and +-0, 1 at inf. */
FASTGELU_API void fastgelu_leaky_relu_grad_f16(
    size_t n, const uint16_t *x, const uint16_t *negative_slope, uint16_t *y);
FASTGELU_API void fastgelu_leaky_relu_grad_f32(
    size_t n, const float *x, const float *negative_slope, float *y);
FASTGELU_API void fastgelu_leaky_relu_grad_f64(
    size_t n, const double *x, const double *negative_slope, double *y);
FASTGELU_API void fastgelu_leaky_relu_grad_bf16(
    size_t n, const uint16_t *x, const uint16_t *negative_slope, uint16_t *y);

/* elu: Exponential linear unit.
 *     y = x if x >= 0 else alpha * (exp(x) - 1)
 * Error: below 1 ULP where alpha is a power of two, else at most 2 ULP. f16 and
 *     bf16 are computed in f32 and rounded once: f16 within 0.5005 ULP; bf16
 *     within 0.5001 ULP.
 * Special values: -alpha at -inf, zero at +-0, inf at inf. */
FASTGELU_API void fastgelu_elu_f16(size_t n, const uint16_t *x, const uint16_t *alpha, uint16_t *y);
FASTGELU_API void fastgelu_elu_f32(size_t n, const float *x, const float *alpha, float *y);
FASTGELU_API void fastgelu_elu_f64(size_t n, const double *x, const double *alpha, double *y);
FASTGELU_API void fastgelu_elu_bf16(
    size_t n, const uint16_t *x, const uint16_t *alpha, uint16_t *y);

/* elu_grad: Derivative of the exponential linear unit.
 *     y = 1 if x > 0 else alpha * exp(x)
 * Error: below 1 ULP where alpha is a power of two, else at most 2 ULP. f16 and
 *     bf16 are computed in f32 and rounded once: f16 within 0.5005 ULP; bf16
 *     within 0.5001 ULP.
 * Special values: 0 * alpha at -inf, alpha at +-0, 1 at inf. */
FASTGELU_API void fastgelu_elu_grad_f16(
    size_t n, const uint16_t *x, const uint16_t *alpha, uint16_t *y);
FASTGELU_API void fastgelu_elu_grad_f32(size_t n, const float *x, const float *alpha, float *y);
FASTGELU_API void fastgelu_elu_grad_f64(size_t n, const double *x, const double *alpha, double *y);
FASTGELU_API void fastgelu_elu_grad_bf16(
    size_t n, const uint16_t *x, const uint16_t *alpha, uint16_t *y);

/* bias_gelu: Exact GELU of a sum.
 *     y = gelu(x + bias)
 * Error: that of gelu, at the sum rounded to f32 or f64. f16 and bf16 are
 *     computed in f32 and rounded once: within 0.504 ULP.
 * Special values: those of gelu, at the sum; NaN where x and bias are opposite
 *     infinities. */
FASTGELU_API void fastgelu_bias_gelu_f16(
    size_t n, const uint16_t *x, const uint16_t *bias, uint16_t *y);
FASTGELU_API void fastgelu_bias_gelu_f32(size_t n, const float *x, const float *bias, float *y);
FASTGELU_API void fastgelu_bias_gelu_f64(size_t n, const double *x, const double *bias, double *y);
FASTGELU_API void fastgelu_bias_gelu_bf16(
    size_t n, const uint16_t *x, const uint16_t *bias, uint16_t *y);

/* bias_gelu_tanh: Tanh form of GELU of a sum.
 *     y = gelu_tanh(x + bias)
 * Error: that of gelu_tanh, at the sum rounded to f32 or f64. f16 and bf16 are
 *     computed in f32 and rounded once: within 0.504 ULP.
 * Special values: those of gelu_tanh, at the sum; NaN where x and bias are
 *     opposite infinities. */
FASTGELU_API void fastgelu_bias_gelu_tanh_f16(
    size_t n, const uint16_t *x, const uint16_t *bias, uint16_t *y);
FASTGELU_API void fastgelu_bias_gelu_tanh_f32(
    size_t n, const float *x, const float *bias, float *y);
FASTGELU_API void fastgelu_bias_gelu_tanh_f64(
    size_t n, const double *x, const double *bias, double *y);
FASTGELU_API void fastgelu_bias_gelu_tanh_bf16(
    size_t n, const uint16_t *x, const uint16_t *bias, uint16_t *y);

/* gelu_backward: Gradient of gelu with respect to its input, given that of its
 * output.
 *     dx = dy * gelu_grad(x)
 * Error: at most 2.5 ULP. f16 and bf16 are computed in f32 and rounded once:
 *     f16 within 0.5005 ULP; bf16 within 0.5001 ULP.
 * Special values: those of gelu_grad, times dy; NaN for infinity times zero. */
FASTGELU_API void fastgelu_gelu_backward_f16(
    size_t n, const uint16_t *dy, const uint16_t *x, uint16_t *dx);
FASTGELU_API void fastgelu_gelu_backward_f32(size_t n, const float *dy, const float *x, float *dx);
FASTGELU_API void fastgelu_gelu_backward_f64(
    size_t n, const double *dy, const double *x, double *dx);
FASTGELU_API void fastgelu_gelu_backward_bf16(
    size_t n, const uint16_t *dy, const uint16_t *x, uint16_t *dx);

/* gelu_tanh_backward: Gradient of gelu_tanh with respect to its input, given
 * that of its output.
 *     dx = dy * gelu_tanh_grad(x)
 * Error: at most 2.5 ULP. f16 and bf16 are computed in f32 and rounded once:
 *     f16 within 0.5005 ULP; bf16 within 0.5001 ULP.
 * Special values: those of gelu_tanh_grad, times dy; NaN for infinity times
 *     zero. */
FASTGELU_API void fastgelu_gelu_tanh_backward_f16(
    size_t n, const uint16_t *dy, const uint16_t *x, uint16_t *dx);
FASTGELU_API void fastgelu_gelu_tanh_backward_f32(
    size_t n, const float *dy, const float *x, float *dx);
FASTGELU_API void fastgelu_gelu_tanh_backward_f64(
    size_t n, const double *dy, const double *x, double *dx);
FASTGELU_API void fastgelu_gelu_tanh_backward_bf16(
    size_t n, const uint16_t *dy, const uint16_t *x, uint16_t *dx);

/* quick_gelu_backward: Gradient of quick_gelu with respect to its input, given
 * that of its output.
 *     dx = dy * quick_gelu_grad(x)
 * Error: at most 2.5 ULP. f16 and bf16 are computed in f32 and rounded once:
 *     f16 within 0.5005 ULP; bf16 within 0.5001 ULP.
 * Special values: those of quick_gelu_grad, times dy; NaN for infinity times
 *     zero. */
FASTGELU_API void fastgelu_quick_gelu_backward_f16(
    size_t n, const uint16_t *dy, const uint16_t *x, uint16_t *dx);
FASTGELU_API void fastgelu_quick_gelu_backward_f32(
    size_t n, const float *dy, const float *x, float *dx);
FASTGELU_API void fastgelu_quick_gelu_backward_f64(
    size_t n, const double *dy, const double *x, double *dx);
FASTGELU_API void fastgelu_quick_gelu_backward_bf16(
    size_t n, const uint16_t *dy, const uint16_t *x, uint16_t *dx);

/* silu_backward: Gradient of silu with respect to its input, given that of its
 * output.
 *     dx = dy * silu_grad(x)
 * Error: at most 2.5 ULP. f16 and bf16 are computed in f32 and rounded once:
 *     f16 within 0.5005 ULP; bf16 within 0.5001 ULP.
 * Special values: those of silu_grad, times dy; NaN for infinity times zero. */
FASTGELU_API void fastgelu_silu_backward_f16(
    size_t n, const uint16_t *dy, const uint16_t *x, uint16_t *dx);
FASTGELU_API void fastgelu_silu_backward_f32(size_t n, const float *dy, const float *x, float *dx);
FASTGELU_API void fastgelu_silu_backward_f64(
    size_t n, const double *dy, const double *x, double *dx);
FASTGELU_API void fastgelu_silu_backward_bf16(
    size_t n, const uint16_t *dy, const uint16_t *x, uint16_t *dx);

/* geglu: Gated linear unit with gelu as its gate.
 *     y = gelu(gate) * up
 * Error: at most 2.5 ULP. f16 and bf16 are computed in f32 and rounded once:
 *     f16 within 0.5005 ULP; bf16 within 0.5001 ULP.
 * Special values: those of gelu, times up; NaN for infinity times zero. */
FASTGELU_API void fastgelu_geglu_f16(
    size_t n, const uint16_t *gate, const uint16_t *up, uint16_t *y);
FASTGELU_API void fastgelu_geglu_f32(size_t n, const float *gate, const float *up, float *y);
FASTGELU_API void fastgelu_geglu_f64(size_t n, const double *gate, const double *up, double *y);
FASTGELU_API void fastgelu_geglu_bf16(
    size_t n, const uint16_t *gate, const uint16_t *up, uint16_t *y);

/* geglu_tanh: Gated linear unit with gelu_tanh as its gate.
 *     y = gelu_tanh(gate) * up
 * Error: at most 2.5 ULP. f16 and bf16 are computed in f32 and rounded once:
 *     f16 within 0.5005 ULP; bf16 within 0.5001 ULP.
 * Special values: those of gelu_tanh, times up; NaN for infinity times zero. */
FASTGELU_API void fastgelu_geglu_tanh_f16(
    size_t n, const uint16_t *gate, const uint16_t *up, uint16_t *y);
FASTGELU_API void fastgelu_geglu_tanh_f32(size_t n, const float *gate, const float *up, float *y);
FASTGELU_API void fastgelu_geglu_tanh_f64(
    size_t n, const double *gate, const double *up, double *y);
FASTGELU_API void fastgelu_geglu_tanh_bf16(
    size_t n, const uint16_t *gate, const uint16_t *up, uint16_t *y);

/* swiglu: Gated linear unit with silu as its gate.
 *     y = silu(gate) * up
 * Error: at most 2.5 ULP. f16 and bf16 are computed in f32 and rounded once:
 *     f16 within 0.5005 ULP; bf16 within 0.5001 ULP.
 * Special values: those of silu, times up; NaN for infinity times zero. */
FASTGELU_API void fastgelu_swiglu_f16(
    size_t n, const uint16_t *gate, const uint16_t *up, uint16_t *y);
FASTGELU_API void fastgelu_swiglu_f32(size_t n, const float *gate, const float *up, float *y);
FASTGELU_API void fastgelu_swiglu_f64(size_t n, const double *gate, const double *up, double *y);
FASTGELU_API void fastgelu_swiglu_bf16(
    size_t n, const uint16_t *gate, const uint16_t *up, uint16_t *y);

/* reglu: Gated linear unit with relu as its gate.
 *     y = relu(gate) * up
 * Error: correctly rounded. f16 and bf16 are computed in f32 and rounded once:
 *     f16 correctly rounded; bf16 too, but within 0.50001 ULP where the result
 *     is subnormal.
 * Special values: those of relu, times up; NaN for infinity times zero. */
FASTGELU_API void fastgelu_reglu_f16(
    size_t n, const uint16_t *gate, const uint16_t *up, uint16_t *y);
FASTGELU_API void fastgelu_reglu_f32(size_t n, const float *gate, const float *up, float *y);
FASTGELU_API void fastgelu_reglu_f64(size_t n, const double *gate, const double *up, double *y);
FASTGELU_API void fastgelu_reglu_bf16(
    size_t n, const uint16_t *gate, const uint16_t *up, uint16_t *y);

/* glu: Gated linear unit with sigmoid as its gate.
 *     y = sigmoid(gate) * up
 * Error: at most 2.5 ULP. f16 and bf16 are computed in f32 and rounded once:
 *     f16 within 0.5005 ULP; bf16 within 0.5001 ULP.
 * Special values: those of sigmoid, times up; NaN for infinity times zero. */
FASTGELU_API void fastgelu_glu_f16(size_t n, const uint16_t *gate, const uint16_t *up, uint16_t *y);
FASTGELU_API void fastgelu_glu_f32(size_t n, const float *gate, const float *up, float *y);
FASTGELU_API void fastgelu_glu_f64(size_t n, const double *gate, const double *up, double *y);
FASTGELU_API void fastgelu_glu_bf16(
    size_t n, const uint16_t *gate, const uint16_t *up, uint16_t *y);

/* geglu_backward: Gradients of geglu with respect to its inputs, given that of
 * its output.
 *     dgate = dy * gelu_grad(gate) * up, dup = dy * gelu(gate)
 * Error: at most 2.5 ULP. f16 and bf16 are computed in f32 and rounded once:
 *     f16 within 0.5005 ULP; bf16 within 0.5001 ULP.
 * Special values: those of gelu_grad and gelu, times the others; NaN for
 *     infinity times zero. */
FASTGELU_API void fastgelu_geglu_backward_f16(
    size_t n, const uint16_t *dy, const uint16_t *gate, const uint16_t *up, uint16_t *dgate,
    uint16_t *dup);
FASTGELU_API void fastgelu_geglu_backward_f32(
    size_t n, const float *dy, const float *gate, const float *up, float *dgate, float *dup);
FASTGELU_API void fastgelu_geglu_backward_f64(
    size_t n, const double *dy, const double *gate, const double *up, double *dgate, double *dup);
FASTGELU_API void fastgelu_geglu_backward_bf16(
    size_t n, const uint16_t *dy, const uint16_t *gate, const uint16_t *up, uint16_t *dgate,
    uint16_t *dup);

/* geglu_tanh_backward: Gradients of geglu_tanh with respect to its inputs,
 * given that of its output.
 *     dgate = dy * gelu_tanh_grad(gate) * up, dup = dy * gelu_tanh(gate)
 * Error: at most 2.5 ULP. f16 and bf16 are computed in f32 and rounded once:
 *     f16 within 0.5005 ULP; bf16 within 0.5001 ULP.
 * Special values: those of gelu_tanh_grad and gelu_tanh, times the others; NaN
 *     for infinity times zero. */
FASTGELU_API void fastgelu_geglu_tanh_backward_f16(
    size_t n, const uint16_t *dy, const uint16_t *gate, const uint16_t *up, uint16_t *dgate,
    uint16_t *dup);
FASTGELU_API void fastgelu_geglu_tanh_backward_f32(
    size_t n, const float *dy, const float *gate, const float *up, float *dgate, float *dup);
FASTGELU_API void fastgelu_geglu_tanh_backward_f64(
    size_t n, const double *dy, const double *gate, const double *up, double *dgate, double *dup);
FASTGELU_API void fastgelu_geglu_tanh_backward_bf16(
    size_t n, const uint16_t *dy, const uint16_t *gate, const uint16_t *up, uint16_t *dgate,
    uint16_t *dup);

/* swiglu_backward: Gradients of swiglu with respect to its inputs, given that
 * of its output.
 *     dgate = dy * silu_grad(gate) * up, dup = dy * silu(gate)
 * Error: at most 2.5 ULP. f16 and bf16 are computed in f32 and rounded once:
 *     f16 within 0.5005 ULP; bf16 within 0.5001 ULP.
 * Special values: those of silu_grad and silu, times the others; NaN for
 *     infinity times zero. */
FASTGELU_API void fastgelu_swiglu_backward_f16(
    size_t n, const uint16_t *dy, const uint16_t *gate, const uint16_t *up, uint16_t *dgate,
    uint16_t *dup);
FASTGELU_API void fastgelu_swiglu_backward_f32(
    size_t n, const float *dy, const float *gate, const float *up, float *dgate, float *dup);
FASTGELU_API void fastgelu_swiglu_backward_f64(
    size_t n, const double *dy, const double *gate, const double *up, double *dgate, double *dup);
FASTGELU_API void fastgelu_swiglu_backward_bf16(
    size_t n, const uint16_t *dy, const uint16_t *gate, const uint16_t *up, uint16_t *dgate,
    uint16_t *dup);

/* reglu_backward: Gradients of reglu with respect to its inputs, given that of
 * its output.
 *     dgate = dy * relu_grad(gate) * up, dup = dy * relu(gate)
 * Error: correctly rounded. f16 and bf16 are computed in f32 and rounded once:
 *     f16 correctly rounded; bf16 too, but within 0.50001 ULP where the result
 *     is subnormal.
 * Special values: those of relu_grad and relu, times the others; NaN for
 *     infinity times zero. */
FASTGELU_API void fastgelu_reglu_backward_f16(
    size_t n, const uint16_t *dy, const uint16_t *gate, const uint16_t *up, uint16_t *dgate,
    uint16_t *dup);
FASTGELU_API void fastgelu_reglu_backward_f32(
    size_t n, const float *dy, const float *gate, const float *up, float *dgate, float *dup);
FASTGELU_API void fastgelu_reglu_backward_f64(
    size_t n, const double *dy, const double *gate, const double *up, double *dgate, double *dup);
FASTGELU_API void fastgelu_reglu_backward_bf16(
    size_t n, const uint16_t *dy, const uint16_t *gate, const uint16_t *up, uint16_t *dgate,
    uint16_t *dup);

/* glu_backward: Gradients of glu with respect to its inputs, given that of its
 * output.
 *     dgate = dy * sigmoid_grad(gate) * up, dup = dy * sigmoid(gate)
 * Error: at most 2.5 ULP. f16 and bf16 are computed in f32 and rounded once:
 *     f16 within 0.5005 ULP; bf16 within 0.5001 ULP.
 * Special values: those of sigmoid_grad and sigmoid, times the others; NaN for
 *     infinity times zero. */
FASTGELU_API void fastgelu_glu_backward_f16(
    size_t n, const uint16_t *dy, const uint16_t *gate, const uint16_t *up, uint16_t *dgate,
    uint16_t *dup);
FASTGELU_API void fastgelu_glu_backward_f32(
    size_t n, const float *dy, const float *gate, const float *up, float *dgate, float *dup);
FASTGELU_API void fastgelu_glu_backward_f64(
    size_t n, const double *dy, const double *gate, const double *up, double *dgate, double *dup);
FASTGELU_API void fastgelu_glu_backward_bf16(
    size_t n, const uint16_t *dy, const uint16_t *gate, const uint16_t *up, uint16_t *dgate,
    uint16_t *dup);

/* ---- the same, strided: each array with the distance of its elements in bytes ---- */

FASTGELU_API void fastgelu_gelu_f16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_gelu_f32_strided(
    size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_gelu_f64_strided(
    size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_gelu_bf16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);

FASTGELU_API void fastgelu_gelu_tanh_f16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_gelu_tanh_f32_strided(
    size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_gelu_tanh_f64_strided(
    size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_gelu_tanh_bf16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);

FASTGELU_API void fastgelu_gelu_grad_f16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_gelu_grad_f32_strided(
    size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_gelu_grad_f64_strided(
    size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_gelu_grad_bf16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);

FASTGELU_API void fastgelu_gelu_tanh_grad_f16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_gelu_tanh_grad_f32_strided(
    size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_gelu_tanh_grad_f64_strided(
    size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_gelu_tanh_grad_bf16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);

FASTGELU_API void fastgelu_quick_gelu_f16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_quick_gelu_f32_strided(
    size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_quick_gelu_f64_strided(
    size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_quick_gelu_bf16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);

FASTGELU_API void fastgelu_quick_gelu_grad_f16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_quick_gelu_grad_f32_strided(
    size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_quick_gelu_grad_f64_strided(
    size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_quick_gelu_grad_bf16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);

FASTGELU_API void fastgelu_silu_f16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_silu_f32_strided(
    size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_silu_f64_strided(
    size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_silu_bf16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);

FASTGELU_API void fastgelu_silu_grad_f16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_silu_grad_f32_strided(
    size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_silu_grad_f64_strided(
    size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_silu_grad_bf16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);

FASTGELU_API void fastgelu_sigmoid_f16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_sigmoid_f32_strided(
    size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_sigmoid_f64_strided(
    size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_sigmoid_bf16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);

FASTGELU_API void fastgelu_sigmoid_grad_f16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_sigmoid_grad_f32_strided(
    size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_sigmoid_grad_f64_strided(
    size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_sigmoid_grad_bf16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);

FASTGELU_API void fastgelu_normal_cdf_f16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_normal_cdf_f32_strided(
    size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_normal_cdf_f64_strided(
    size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_normal_cdf_bf16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);

FASTGELU_API void fastgelu_normal_cdf_grad_f16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_normal_cdf_grad_f32_strided(
    size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_normal_cdf_grad_f64_strided(
    size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_normal_cdf_grad_bf16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);

FASTGELU_API void fastgelu_relu_f16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_relu_f32_strided(
    size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_relu_f64_strided(
    size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_relu_bf16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);

FASTGELU_API void fastgelu_relu_grad_f16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_relu_grad_f32_strided(
    size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_relu_grad_f64_strided(
    size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_relu_grad_bf16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride);

FASTGELU_API void fastgelu_leaky_relu_f16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, const uint16_t *negative_slope, ptrdiff_t
    negative_slope_stride, uint16_t *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_leaky_relu_f32_strided(
    size_t n, const float *x, ptrdiff_t x_stride, const float *negative_slope, ptrdiff_t
    negative_slope_stride, float *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_leaky_relu_f64_strided(
    size_t n, const double *x, ptrdiff_t x_stride, const double *negative_slope, ptrdiff_t
    negative_slope_stride, double *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_leaky_relu_bf16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, const uint16_t *negative_slope, ptrdiff_t
    negative_slope_stride, uint16_t *y, ptrdiff_t y_stride);

FASTGELU_API void fastgelu_leaky_relu_grad_f16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, const uint16_t *negative_slope, ptrdiff_t
    negative_slope_stride, uint16_t *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_leaky_relu_grad_f32_strided(
    size_t n, const float *x, ptrdiff_t x_stride, const float *negative_slope, ptrdiff_t
    negative_slope_stride, float *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_leaky_relu_grad_f64_strided(
    size_t n, const double *x, ptrdiff_t x_stride, const double *negative_slope, ptrdiff_t
    negative_slope_stride, double *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_leaky_relu_grad_bf16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, const uint16_t *negative_slope, ptrdiff_t
    negative_slope_stride, uint16_t *y, ptrdiff_t y_stride);

FASTGELU_API void fastgelu_elu_f16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, const uint16_t *alpha, ptrdiff_t alpha_stride,
    uint16_t *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_elu_f32_strided(
    size_t n, const float *x, ptrdiff_t x_stride, const float *alpha, ptrdiff_t alpha_stride, float
    *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_elu_f64_strided(
    size_t n, const double *x, ptrdiff_t x_stride, const double *alpha, ptrdiff_t alpha_stride,
    double *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_elu_bf16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, const uint16_t *alpha, ptrdiff_t alpha_stride,
    uint16_t *y, ptrdiff_t y_stride);

FASTGELU_API void fastgelu_elu_grad_f16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, const uint16_t *alpha, ptrdiff_t alpha_stride,
    uint16_t *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_elu_grad_f32_strided(
    size_t n, const float *x, ptrdiff_t x_stride, const float *alpha, ptrdiff_t alpha_stride, float
    *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_elu_grad_f64_strided(
    size_t n, const double *x, ptrdiff_t x_stride, const double *alpha, ptrdiff_t alpha_stride,
    double *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_elu_grad_bf16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, const uint16_t *alpha, ptrdiff_t alpha_stride,
    uint16_t *y, ptrdiff_t y_stride);

FASTGELU_API void fastgelu_bias_gelu_f16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, const uint16_t *bias, ptrdiff_t bias_stride,
    uint16_t *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_bias_gelu_f32_strided(
    size_t n, const float *x, ptrdiff_t x_stride, const float *bias, ptrdiff_t bias_stride, float
    *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_bias_gelu_f64_strided(
    size_t n, const double *x, ptrdiff_t x_stride, const double *bias, ptrdiff_t bias_stride, double
    *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_bias_gelu_bf16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, const uint16_t *bias, ptrdiff_t bias_stride,
    uint16_t *y, ptrdiff_t y_stride);

FASTGELU_API void fastgelu_bias_gelu_tanh_f16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, const uint16_t *bias, ptrdiff_t bias_stride,
    uint16_t *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_bias_gelu_tanh_f32_strided(
    size_t n, const float *x, ptrdiff_t x_stride, const float *bias, ptrdiff_t bias_stride, float
    *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_bias_gelu_tanh_f64_strided(
    size_t n, const double *x, ptrdiff_t x_stride, const double *bias, ptrdiff_t bias_stride, double
    *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_bias_gelu_tanh_bf16_strided(
    size_t n, const uint16_t *x, ptrdiff_t x_stride, const uint16_t *bias, ptrdiff_t bias_stride,
    uint16_t *y, ptrdiff_t y_stride);

FASTGELU_API void fastgelu_gelu_backward_f16_strided(
    size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *x, ptrdiff_t x_stride,
    uint16_t *dx, ptrdiff_t dx_stride);
FASTGELU_API void fastgelu_gelu_backward_f32_strided(
    size_t n, const float *dy, ptrdiff_t dy_stride, const float *x, ptrdiff_t x_stride, float *dx,
    ptrdiff_t dx_stride);
FASTGELU_API void fastgelu_gelu_backward_f64_strided(
    size_t n, const double *dy, ptrdiff_t dy_stride, const double *x, ptrdiff_t x_stride, double
    *dx, ptrdiff_t dx_stride);
FASTGELU_API void fastgelu_gelu_backward_bf16_strided(
    size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *x, ptrdiff_t x_stride,
    uint16_t *dx, ptrdiff_t dx_stride);

FASTGELU_API void fastgelu_gelu_tanh_backward_f16_strided(
    size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *x, ptrdiff_t x_stride,
    uint16_t *dx, ptrdiff_t dx_stride);
FASTGELU_API void fastgelu_gelu_tanh_backward_f32_strided(
    size_t n, const float *dy, ptrdiff_t dy_stride, const float *x, ptrdiff_t x_stride, float *dx,
    ptrdiff_t dx_stride);
FASTGELU_API void fastgelu_gelu_tanh_backward_f64_strided(
    size_t n, const double *dy, ptrdiff_t dy_stride, const double *x, ptrdiff_t x_stride, double
    *dx, ptrdiff_t dx_stride);
FASTGELU_API void fastgelu_gelu_tanh_backward_bf16_strided(
    size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *x, ptrdiff_t x_stride,
    uint16_t *dx, ptrdiff_t dx_stride);

FASTGELU_API void fastgelu_quick_gelu_backward_f16_strided(
    size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *x, ptrdiff_t x_stride,
    uint16_t *dx, ptrdiff_t dx_stride);
FASTGELU_API void fastgelu_quick_gelu_backward_f32_strided(
    size_t n, const float *dy, ptrdiff_t dy_stride, const float *x, ptrdiff_t x_stride, float *dx,
    ptrdiff_t dx_stride);
FASTGELU_API void fastgelu_quick_gelu_backward_f64_strided(
    size_t n, const double *dy, ptrdiff_t dy_stride, const double *x, ptrdiff_t x_stride, double
    *dx, ptrdiff_t dx_stride);
FASTGELU_API void fastgelu_quick_gelu_backward_bf16_strided(
    size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *x, ptrdiff_t x_stride,
    uint16_t *dx, ptrdiff_t dx_stride);

FASTGELU_API void fastgelu_silu_backward_f16_strided(
    size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *x, ptrdiff_t x_stride,
    uint16_t *dx, ptrdiff_t dx_stride);
FASTGELU_API void fastgelu_silu_backward_f32_strided(
    size_t n, const float *dy, ptrdiff_t dy_stride, const float *x, ptrdiff_t x_stride, float *dx,
    ptrdiff_t dx_stride);
FASTGELU_API void fastgelu_silu_backward_f64_strided(
    size_t n, const double *dy, ptrdiff_t dy_stride, const double *x, ptrdiff_t x_stride, double
    *dx, ptrdiff_t dx_stride);
FASTGELU_API void fastgelu_silu_backward_bf16_strided(
    size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *x, ptrdiff_t x_stride,
    uint16_t *dx, ptrdiff_t dx_stride);

FASTGELU_API void fastgelu_geglu_f16_strided(
    size_t n, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride,
    uint16_t *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_geglu_f32_strided(
    size_t n, const float *gate, ptrdiff_t gate_stride, const float *up, ptrdiff_t up_stride, float
    *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_geglu_f64_strided(
    size_t n, const double *gate, ptrdiff_t gate_stride, const double *up, ptrdiff_t up_stride,
    double *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_geglu_bf16_strided(
    size_t n, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride,
    uint16_t *y, ptrdiff_t y_stride);

FASTGELU_API void fastgelu_geglu_tanh_f16_strided(
    size_t n, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride,
    uint16_t *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_geglu_tanh_f32_strided(
    size_t n, const float *gate, ptrdiff_t gate_stride, const float *up, ptrdiff_t up_stride, float
    *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_geglu_tanh_f64_strided(
    size_t n, const double *gate, ptrdiff_t gate_stride, const double *up, ptrdiff_t up_stride,
    double *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_geglu_tanh_bf16_strided(
    size_t n, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride,
    uint16_t *y, ptrdiff_t y_stride);

FASTGELU_API void fastgelu_swiglu_f16_strided(
    size_t n, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride,
    uint16_t *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_swiglu_f32_strided(
    size_t n, const float *gate, ptrdiff_t gate_stride, const float *up, ptrdiff_t up_stride, float
    *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_swiglu_f64_strided(
    size_t n, const double *gate, ptrdiff_t gate_stride, const double *up, ptrdiff_t up_stride,
    double *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_swiglu_bf16_strided(
    size_t n, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride,
    uint16_t *y, ptrdiff_t y_stride);

FASTGELU_API void fastgelu_reglu_f16_strided(
    size_t n, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride,
    uint16_t *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_reglu_f32_strided(
    size_t n, const float *gate, ptrdiff_t gate_stride, const float *up, ptrdiff_t up_stride, float
    *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_reglu_f64_strided(
    size_t n, const double *gate, ptrdiff_t gate_stride, const double *up, ptrdiff_t up_stride,
    double *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_reglu_bf16_strided(
    size_t n, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride,
    uint16_t *y, ptrdiff_t y_stride);

FASTGELU_API void fastgelu_glu_f16_strided(
    size_t n, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride,
    uint16_t *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_glu_f32_strided(
    size_t n, const float *gate, ptrdiff_t gate_stride, const float *up, ptrdiff_t up_stride, float
    *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_glu_f64_strided(
    size_t n, const double *gate, ptrdiff_t gate_stride, const double *up, ptrdiff_t up_stride,
    double *y, ptrdiff_t y_stride);
FASTGELU_API void fastgelu_glu_bf16_strided(
    size_t n, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride,
    uint16_t *y, ptrdiff_t y_stride);

FASTGELU_API void fastgelu_geglu_backward_f16_strided(
    size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *gate, ptrdiff_t gate_stride,
    const uint16_t *up, ptrdiff_t up_stride, uint16_t *dgate, ptrdiff_t dgate_stride, uint16_t *dup,
    ptrdiff_t dup_stride);
FASTGELU_API void fastgelu_geglu_backward_f32_strided(
    size_t n, const float *dy, ptrdiff_t dy_stride, const float *gate, ptrdiff_t gate_stride, const
    float *up, ptrdiff_t up_stride, float *dgate, ptrdiff_t dgate_stride, float *dup, ptrdiff_t
    dup_stride);
FASTGELU_API void fastgelu_geglu_backward_f64_strided(
    size_t n, const double *dy, ptrdiff_t dy_stride, const double *gate, ptrdiff_t gate_stride,
    const double *up, ptrdiff_t up_stride, double *dgate, ptrdiff_t dgate_stride, double *dup,
    ptrdiff_t dup_stride);
FASTGELU_API void fastgelu_geglu_backward_bf16_strided(
    size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *gate, ptrdiff_t gate_stride,
    const uint16_t *up, ptrdiff_t up_stride, uint16_t *dgate, ptrdiff_t dgate_stride, uint16_t *dup,
    ptrdiff_t dup_stride);

FASTGELU_API void fastgelu_geglu_tanh_backward_f16_strided(
    size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *gate, ptrdiff_t gate_stride,
    const uint16_t *up, ptrdiff_t up_stride, uint16_t *dgate, ptrdiff_t dgate_stride, uint16_t *dup,
    ptrdiff_t dup_stride);
FASTGELU_API void fastgelu_geglu_tanh_backward_f32_strided(
    size_t n, const float *dy, ptrdiff_t dy_stride, const float *gate, ptrdiff_t gate_stride, const
    float *up, ptrdiff_t up_stride, float *dgate, ptrdiff_t dgate_stride, float *dup, ptrdiff_t
    dup_stride);
FASTGELU_API void fastgelu_geglu_tanh_backward_f64_strided(
    size_t n, const double *dy, ptrdiff_t dy_stride, const double *gate, ptrdiff_t gate_stride,
    const double *up, ptrdiff_t up_stride, double *dgate, ptrdiff_t dgate_stride, double *dup,
    ptrdiff_t dup_stride);
FASTGELU_API void fastgelu_geglu_tanh_backward_bf16_strided(
    size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *gate, ptrdiff_t gate_stride,
    const uint16_t *up, ptrdiff_t up_stride, uint16_t *dgate, ptrdiff_t dgate_stride, uint16_t *dup,
    ptrdiff_t dup_stride);

FASTGELU_API void fastgelu_swiglu_backward_f16_strided(
    size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *gate, ptrdiff_t gate_stride,
    const uint16_t *up, ptrdiff_t up_stride, uint16_t *dgate, ptrdiff_t dgate_stride, uint16_t *dup,
    ptrdiff_t dup_stride);
FASTGELU_API void fastgelu_swiglu_backward_f32_strided(
    size_t n, const float *dy, ptrdiff_t dy_stride, const float *gate, ptrdiff_t gate_stride, const
    float *up, ptrdiff_t up_stride, float *dgate, ptrdiff_t dgate_stride, float *dup, ptrdiff_t
    dup_stride);
FASTGELU_API void fastgelu_swiglu_backward_f64_strided(
    size_t n, const double *dy, ptrdiff_t dy_stride, const double *gate, ptrdiff_t gate_stride,
    const double *up, ptrdiff_t up_stride, double *dgate, ptrdiff_t dgate_stride, double *dup,
    ptrdiff_t dup_stride);
FASTGELU_API void fastgelu_swiglu_backward_bf16_strided(
    size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *gate, ptrdiff_t gate_stride,
    const uint16_t *up, ptrdiff_t up_stride, uint16_t *dgate, ptrdiff_t dgate_stride, uint16_t *dup,
    ptrdiff_t dup_stride);

FASTGELU_API void fastgelu_reglu_backward_f16_strided(
    size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *gate, ptrdiff_t gate_stride,
    const uint16_t *up, ptrdiff_t up_stride, uint16_t *dgate, ptrdiff_t dgate_stride, uint16_t *dup,
    ptrdiff_t dup_stride);
FASTGELU_API void fastgelu_reglu_backward_f32_strided(
    size_t n, const float *dy, ptrdiff_t dy_stride, const float *gate, ptrdiff_t gate_stride, const
    float *up, ptrdiff_t up_stride, float *dgate, ptrdiff_t dgate_stride, float *dup, ptrdiff_t
    dup_stride);
FASTGELU_API void fastgelu_reglu_backward_f64_strided(
    size_t n, const double *dy, ptrdiff_t dy_stride, const double *gate, ptrdiff_t gate_stride,
    const double *up, ptrdiff_t up_stride, double *dgate, ptrdiff_t dgate_stride, double *dup,
    ptrdiff_t dup_stride);
FASTGELU_API void fastgelu_reglu_backward_bf16_strided(
    size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *gate, ptrdiff_t gate_stride,
    const uint16_t *up, ptrdiff_t up_stride, uint16_t *dgate, ptrdiff_t dgate_stride, uint16_t *dup,
    ptrdiff_t dup_stride);

FASTGELU_API void fastgelu_glu_backward_f16_strided(
    size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *gate, ptrdiff_t gate_stride,
    const uint16_t *up, ptrdiff_t up_stride, uint16_t *dgate, ptrdiff_t dgate_stride, uint16_t *dup,
    ptrdiff_t dup_stride);
FASTGELU_API void fastgelu_glu_backward_f32_strided(
    size_t n, const float *dy, ptrdiff_t dy_stride, const float *gate, ptrdiff_t gate_stride, const
    float *up, ptrdiff_t up_stride, float *dgate, ptrdiff_t dgate_stride, float *dup, ptrdiff_t
    dup_stride);
FASTGELU_API void fastgelu_glu_backward_f64_strided(
    size_t n, const double *dy, ptrdiff_t dy_stride, const double *gate, ptrdiff_t gate_stride,
    const double *up, ptrdiff_t up_stride, double *dgate, ptrdiff_t dgate_stride, double *dup,
    ptrdiff_t dup_stride);
FASTGELU_API void fastgelu_glu_backward_bf16_strided(
    size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *gate, ptrdiff_t gate_stride,
    const uint16_t *up, ptrdiff_t up_stride, uint16_t *dgate, ptrdiff_t dgate_stride, uint16_t *dup,
    ptrdiff_t dup_stride);

/* ---- the same for one number; arrays are far faster by the functions above ---- */

FASTGELU_API uint16_t fastgelu_gelu_f16_scalar(uint16_t x);
FASTGELU_API float fastgelu_gelu_f32_scalar(float x);
FASTGELU_API double fastgelu_gelu_f64_scalar(double x);
FASTGELU_API uint16_t fastgelu_gelu_bf16_scalar(uint16_t x);

FASTGELU_API uint16_t fastgelu_gelu_tanh_f16_scalar(uint16_t x);
FASTGELU_API float fastgelu_gelu_tanh_f32_scalar(float x);
FASTGELU_API double fastgelu_gelu_tanh_f64_scalar(double x);
FASTGELU_API uint16_t fastgelu_gelu_tanh_bf16_scalar(uint16_t x);

FASTGELU_API uint16_t fastgelu_gelu_grad_f16_scalar(uint16_t x);
FASTGELU_API float fastgelu_gelu_grad_f32_scalar(float x);
FASTGELU_API double fastgelu_gelu_grad_f64_scalar(double x);
FASTGELU_API uint16_t fastgelu_gelu_grad_bf16_scalar(uint16_t x);

FASTGELU_API uint16_t fastgelu_gelu_tanh_grad_f16_scalar(uint16_t x);
FASTGELU_API float fastgelu_gelu_tanh_grad_f32_scalar(float x);
FASTGELU_API double fastgelu_gelu_tanh_grad_f64_scalar(double x);
FASTGELU_API uint16_t fastgelu_gelu_tanh_grad_bf16_scalar(uint16_t x);

FASTGELU_API uint16_t fastgelu_quick_gelu_f16_scalar(uint16_t x);
FASTGELU_API float fastgelu_quick_gelu_f32_scalar(float x);
FASTGELU_API double fastgelu_quick_gelu_f64_scalar(double x);
FASTGELU_API uint16_t fastgelu_quick_gelu_bf16_scalar(uint16_t x);

FASTGELU_API uint16_t fastgelu_quick_gelu_grad_f16_scalar(uint16_t x);
FASTGELU_API float fastgelu_quick_gelu_grad_f32_scalar(float x);
FASTGELU_API double fastgelu_quick_gelu_grad_f64_scalar(double x);
FASTGELU_API uint16_t fastgelu_quick_gelu_grad_bf16_scalar(uint16_t x);

FASTGELU_API uint16_t fastgelu_silu_f16_scalar(uint16_t x);
FASTGELU_API float fastgelu_silu_f32_scalar(float x);
FASTGELU_API double fastgelu_silu_f64_scalar(double x);
FASTGELU_API uint16_t fastgelu_silu_bf16_scalar(uint16_t x);

FASTGELU_API uint16_t fastgelu_silu_grad_f16_scalar(uint16_t x);
FASTGELU_API float fastgelu_silu_grad_f32_scalar(float x);
FASTGELU_API double fastgelu_silu_grad_f64_scalar(double x);
FASTGELU_API uint16_t fastgelu_silu_grad_bf16_scalar(uint16_t x);

FASTGELU_API uint16_t fastgelu_sigmoid_f16_scalar(uint16_t x);
FASTGELU_API float fastgelu_sigmoid_f32_scalar(float x);
FASTGELU_API double fastgelu_sigmoid_f64_scalar(double x);
FASTGELU_API uint16_t fastgelu_sigmoid_bf16_scalar(uint16_t x);

FASTGELU_API uint16_t fastgelu_sigmoid_grad_f16_scalar(uint16_t x);
FASTGELU_API float fastgelu_sigmoid_grad_f32_scalar(float x);
FASTGELU_API double fastgelu_sigmoid_grad_f64_scalar(double x);
FASTGELU_API uint16_t fastgelu_sigmoid_grad_bf16_scalar(uint16_t x);

FASTGELU_API uint16_t fastgelu_normal_cdf_f16_scalar(uint16_t x);
FASTGELU_API float fastgelu_normal_cdf_f32_scalar(float x);
FASTGELU_API double fastgelu_normal_cdf_f64_scalar(double x);
FASTGELU_API uint16_t fastgelu_normal_cdf_bf16_scalar(uint16_t x);

FASTGELU_API uint16_t fastgelu_normal_cdf_grad_f16_scalar(uint16_t x);
FASTGELU_API float fastgelu_normal_cdf_grad_f32_scalar(float x);
FASTGELU_API double fastgelu_normal_cdf_grad_f64_scalar(double x);
FASTGELU_API uint16_t fastgelu_normal_cdf_grad_bf16_scalar(uint16_t x);

FASTGELU_API uint16_t fastgelu_relu_f16_scalar(uint16_t x);
FASTGELU_API float fastgelu_relu_f32_scalar(float x);
FASTGELU_API double fastgelu_relu_f64_scalar(double x);
FASTGELU_API uint16_t fastgelu_relu_bf16_scalar(uint16_t x);

FASTGELU_API uint16_t fastgelu_relu_grad_f16_scalar(uint16_t x);
FASTGELU_API float fastgelu_relu_grad_f32_scalar(float x);
FASTGELU_API double fastgelu_relu_grad_f64_scalar(double x);
FASTGELU_API uint16_t fastgelu_relu_grad_bf16_scalar(uint16_t x);

FASTGELU_API uint16_t fastgelu_leaky_relu_f16_scalar(uint16_t x, uint16_t negative_slope);
FASTGELU_API float fastgelu_leaky_relu_f32_scalar(float x, float negative_slope);
FASTGELU_API double fastgelu_leaky_relu_f64_scalar(double x, double negative_slope);
FASTGELU_API uint16_t fastgelu_leaky_relu_bf16_scalar(uint16_t x, uint16_t negative_slope);

FASTGELU_API uint16_t fastgelu_leaky_relu_grad_f16_scalar(uint16_t x, uint16_t negative_slope);
FASTGELU_API float fastgelu_leaky_relu_grad_f32_scalar(float x, float negative_slope);
FASTGELU_API double fastgelu_leaky_relu_grad_f64_scalar(double x, double negative_slope);
FASTGELU_API uint16_t fastgelu_leaky_relu_grad_bf16_scalar(uint16_t x, uint16_t negative_slope);

FASTGELU_API uint16_t fastgelu_elu_f16_scalar(uint16_t x, uint16_t alpha);
FASTGELU_API float fastgelu_elu_f32_scalar(float x, float alpha);
FASTGELU_API double fastgelu_elu_f64_scalar(double x, double alpha);
FASTGELU_API uint16_t fastgelu_elu_bf16_scalar(uint16_t x, uint16_t alpha);

FASTGELU_API uint16_t fastgelu_elu_grad_f16_scalar(uint16_t x, uint16_t alpha);
FASTGELU_API float fastgelu_elu_grad_f32_scalar(float x, float alpha);
FASTGELU_API double fastgelu_elu_grad_f64_scalar(double x, double alpha);
FASTGELU_API uint16_t fastgelu_elu_grad_bf16_scalar(uint16_t x, uint16_t alpha);

FASTGELU_API uint16_t fastgelu_bias_gelu_f16_scalar(uint16_t x, uint16_t bias);
FASTGELU_API float fastgelu_bias_gelu_f32_scalar(float x, float bias);
FASTGELU_API double fastgelu_bias_gelu_f64_scalar(double x, double bias);
FASTGELU_API uint16_t fastgelu_bias_gelu_bf16_scalar(uint16_t x, uint16_t bias);

FASTGELU_API uint16_t fastgelu_bias_gelu_tanh_f16_scalar(uint16_t x, uint16_t bias);
FASTGELU_API float fastgelu_bias_gelu_tanh_f32_scalar(float x, float bias);
FASTGELU_API double fastgelu_bias_gelu_tanh_f64_scalar(double x, double bias);
FASTGELU_API uint16_t fastgelu_bias_gelu_tanh_bf16_scalar(uint16_t x, uint16_t bias);

FASTGELU_API uint16_t fastgelu_gelu_backward_f16_scalar(uint16_t dy, uint16_t x);
FASTGELU_API float fastgelu_gelu_backward_f32_scalar(float dy, float x);
FASTGELU_API double fastgelu_gelu_backward_f64_scalar(double dy, double x);
FASTGELU_API uint16_t fastgelu_gelu_backward_bf16_scalar(uint16_t dy, uint16_t x);

FASTGELU_API uint16_t fastgelu_gelu_tanh_backward_f16_scalar(uint16_t dy, uint16_t x);
FASTGELU_API float fastgelu_gelu_tanh_backward_f32_scalar(float dy, float x);
FASTGELU_API double fastgelu_gelu_tanh_backward_f64_scalar(double dy, double x);
FASTGELU_API uint16_t fastgelu_gelu_tanh_backward_bf16_scalar(uint16_t dy, uint16_t x);

FASTGELU_API uint16_t fastgelu_quick_gelu_backward_f16_scalar(uint16_t dy, uint16_t x);
FASTGELU_API float fastgelu_quick_gelu_backward_f32_scalar(float dy, float x);
FASTGELU_API double fastgelu_quick_gelu_backward_f64_scalar(double dy, double x);
FASTGELU_API uint16_t fastgelu_quick_gelu_backward_bf16_scalar(uint16_t dy, uint16_t x);

FASTGELU_API uint16_t fastgelu_silu_backward_f16_scalar(uint16_t dy, uint16_t x);
FASTGELU_API float fastgelu_silu_backward_f32_scalar(float dy, float x);
FASTGELU_API double fastgelu_silu_backward_f64_scalar(double dy, double x);
FASTGELU_API uint16_t fastgelu_silu_backward_bf16_scalar(uint16_t dy, uint16_t x);

FASTGELU_API uint16_t fastgelu_geglu_f16_scalar(uint16_t gate, uint16_t up);
FASTGELU_API float fastgelu_geglu_f32_scalar(float gate, float up);
FASTGELU_API double fastgelu_geglu_f64_scalar(double gate, double up);
FASTGELU_API uint16_t fastgelu_geglu_bf16_scalar(uint16_t gate, uint16_t up);

FASTGELU_API uint16_t fastgelu_geglu_tanh_f16_scalar(uint16_t gate, uint16_t up);
FASTGELU_API float fastgelu_geglu_tanh_f32_scalar(float gate, float up);
FASTGELU_API double fastgelu_geglu_tanh_f64_scalar(double gate, double up);
FASTGELU_API uint16_t fastgelu_geglu_tanh_bf16_scalar(uint16_t gate, uint16_t up);

FASTGELU_API uint16_t fastgelu_swiglu_f16_scalar(uint16_t gate, uint16_t up);
FASTGELU_API float fastgelu_swiglu_f32_scalar(float gate, float up);
FASTGELU_API double fastgelu_swiglu_f64_scalar(double gate, double up);
FASTGELU_API uint16_t fastgelu_swiglu_bf16_scalar(uint16_t gate, uint16_t up);

FASTGELU_API uint16_t fastgelu_reglu_f16_scalar(uint16_t gate, uint16_t up);
FASTGELU_API float fastgelu_reglu_f32_scalar(float gate, float up);
FASTGELU_API double fastgelu_reglu_f64_scalar(double gate, double up);
FASTGELU_API uint16_t fastgelu_reglu_bf16_scalar(uint16_t gate, uint16_t up);

FASTGELU_API uint16_t fastgelu_glu_f16_scalar(uint16_t gate, uint16_t up);
FASTGELU_API float fastgelu_glu_f32_scalar(float gate, float up);
FASTGELU_API double fastgelu_glu_f64_scalar(double gate, double up);
FASTGELU_API uint16_t fastgelu_glu_bf16_scalar(uint16_t gate, uint16_t up);

/* clang-format on */

#ifdef __cplusplus
}
#endif

#endif
