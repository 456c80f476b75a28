/* mca_formula.c: the usual way to compute such functions, for tools/mca.py to compare with.
 *
 * gelu_tanh(x) = x / (1 + exp(-2u)), with exp by range reduction to |r| <= ln(2)/2, its series,
 * and a power of two put into the exponent: what vector libraries do, without their special
 * cases.  Compiled with -O3 the loops are vectorized. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TWO_ROOT_2_OVER_PI 1.5957691216057308
#define LOG2_E 1.4426950408889634

static inline float exp_f32(float v) {
    v = v < -87.0f ? -87.0f : v;
    v = v > 87.0f ? 87.0f : v;
    float shifted = v * (float)LOG2_E + 0x1.8p23f, n = shifted - 0x1.8p23f;
    float r = v - n * 0x1.62e4p-1f;
    r -= n * 0x1.7f7d1cp-20f;
    float p = 1.0f / 720;
    p = p * r + 1.0f / 120;
    p = p * r + 1.0f / 24;
    p = p * r + 1.0f / 6;
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    p = p * r + 1.0f;
    uint32_t bits, scale;
    memcpy(&scale, &shifted, sizeof scale);
    memcpy(&bits, &p, sizeof bits);
    bits += scale << 23;
    memcpy(&p, &bits, sizeof p);
    return p;
}

static inline double exp_f64(double v) {
    v = v < -708.0 ? -708.0 : v;
    v = v > 708.0 ? 708.0 : v;
    double shifted = v * LOG2_E + 0x1.8p52, n = shifted - 0x1.8p52;
    double r = v - n * 0x1.62e42feep-1;
    r -= n * 0x1.a39ef35793c76p-33;
    double p = 1.0 / 6227020800;
    p = p * r + 1.0 / 479001600;
    p = p * r + 1.0 / 39916800;
    p = p * r + 1.0 / 3628800;
    p = p * r + 1.0 / 362880;
    p = p * r + 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    uint64_t bits, scale;
    memcpy(&scale, &shifted, sizeof scale);
    memcpy(&bits, &p, sizeof bits);
    bits += scale << 52;
    memcpy(&p, &bits, sizeof p);
    return p;
}

void formula_f32(size_t n, const float *restrict x, float *restrict y) {
    for (size_t i = 0; i < n; i++) {
        float t = x[i];
        float v = -(float)TWO_ROOT_2_OVER_PI * t * (1.0f + 0.044715f * t * t);
        y[i] = t / (1.0f + exp_f32(v));
    }
}

void formula_f64(size_t n, const double *restrict x, double *restrict y) {
    for (size_t i = 0; i < n; i++) {
        double t = x[i], v = -TWO_ROOT_2_OVER_PI * t * (1.0 + 0.044715 * t * t);
        y[i] = t / (1.0 + exp_f64(v));
    }
}
