/* fma.c: f32_fma and f64_fma of the vocabularies that have no hardware fma, bit by
 * bit against the C library's, where they are likely to go wrong: sums on or within
 * a hair of the midpoint of two numbers, and where they cancel.
 * Compiled once for simd/scalar.h, and with FMA_OF_SSE2 for simd/sse2.h. */
#include "compiler.h"

#include <math.h>

#ifdef FMA_OF_SSE2
#include <emmintrin.h>

#include "fastgelu_internal.h"
#include "simd/sse2.h"
#define NAME "sse2"
#else
#include "fastgelu_internal.h"
#include "simd/scalar.h"
#define NAME "scalar"
#endif

#include "testing.h"

enum { ROUNDS = 4000000 };

/* A number in [1, 2) or (-2, -1] that has so many bits after the point. */
static double significand(uint64_t random, int bits) {
    const double fraction = ldexp((double)(random & ((UINT64_C(1) << bits) - 1)), -bits);
    return (random >> 63 ? -1.0 : 1.0) * (1.0 + fraction);
}

/* Operands of a*b + c, by turns of several kinds, for numbers of `bits` bits after the
 * point; e is the exponent of c. */
static void operands(uint64_t i, int bits, double *a, double *b, double *c) {
    const uint64_t r = mix64((i + 1) * GOLDEN_GAMMA), s = mix64(r), u = mix64(s);
    const int e = (int)(u % 61) - 30;
    const double sign = r >> 63 ? -1.0 : 1.0, k = ldexp((double)(r & 0xff), -bits);
    *c = ldexp(significand(s, bits), e);
    switch (i % 6) {
    case 0: /* half a unit of c, less k^2 of it: no wider sum tells that from a tie */
        *a = 1.0 + k, *b = ldexp(1.0 - k, e - bits - 1) * sign;
        break;
    case 1: /* an odd number of half units: a tie */
        *a = (double)(2 * (r & 0x3ff) + 1);
        *b = ldexp((double)(2 * (r >> 10 & 0x3ff) + 1), e - bits - 1) * sign;
        break;
    case 2: /* about half a unit */
        *a = significand(r, bits);
        *b = ldexp(bits == 23 ? (double)(float)(1.0 / *a) : 1.0 / *a, e - bits - 1);
        break;
    case 3: /* c nearly cancels the product */
        *a = significand(r, bits), *b = ldexp(significand(u, bits), e);
        *c = bits == 23 ? (double)(-(float)*a * (float)*b) : -*a * *b;
        if (u >> 60 & 1) *c = bits == 23 ? (double)nextafterf((float)*c, 0) : nextafter(*c, 0);
        break;
    case 4: { /* the product is a tie, or near one, and c decides */
        const int low = bits / 2 + 1, high = bits + 2 - low;
        *a = (double)(UINT64_C(1) << (low - 1) | (r & ((UINT64_C(1) << (low - 1)) - 1)) | 1);
        *b = (double)(UINT64_C(1) << (high - 1) | (s & ((UINT64_C(1) << (high - 1)) - 1)) | 1);
        *c = ldexp(significand(u, bits), -(int)(u >> 54 & 127));
        break;
    }
    default: /* anything of like size */
        *a = significand(r, bits);
        *b = ldexp(significand(u, bits), e + (int)(r >> 24 & 63) - bits - 17);
    }
}

static uint64_t failures;

static void failed(double a, double b, double c, double got, double want) {
    if (failures++ < 10)
        printf("FAILED: %s: %a * %a + %a = %a, should be %a\n", NAME, a, b, c, got, want);
}

static uint64_t test_f32(void) {
    float a[FG_LANES_F32], b[FG_LANES_F32], c[FG_LANES_F32], y[FG_LANES_F32];
    uint64_t ties = 0;
    for (uint64_t i = 0; i < ROUNDS; i += FG_LANES_F32) {
        for (uint64_t j = 0; j < FG_LANES_F32; j++) {
            double wide[3];
            operands(i + j, 23, &wide[0], &wide[1], &wide[2]);
            a[j] = (float)wide[0], b[j] = (float)wide[1], c[j] = (float)wide[2];
        }
        f32_store(y, f32_fma(f32_load(a), f32_load(b), f32_load(c)));
        for (int j = 0; j < FG_LANES_F32; j++) {
            const float want = fmaf(a[j], b[j], c[j]);
            const double sum = (double)a[j] * (double)b[j] + (double)c[j];
            uint64_t bits;
            memcpy(&bits, &sum, sizeof bits);
            ties += (bits & 0x1fffffff) == 0x10000000;
            if (memcmp(&want, &y[j], sizeof want))
                failed((double)a[j], (double)b[j], (double)c[j], (double)y[j], (double)want);
        }
    }
    return ties;
}

static void test_f64(void) {
    double a[FG_LANES_F64], b[FG_LANES_F64], c[FG_LANES_F64], y[FG_LANES_F64];
    for (uint64_t i = 0; i < ROUNDS; i += FG_LANES_F64) {
        for (int j = 0; j < FG_LANES_F64; j++) operands(i + (uint64_t)j, 52, &a[j], &b[j], &c[j]);
        f64_store(y, f64_fma(f64_load(a), f64_load(b), f64_load(c)));
        for (int j = 0; j < FG_LANES_F64; j++) {
            const double want = fma(a[j], b[j], c[j]);
            if (memcmp(&want, &y[j], sizeof want)) failed(a[j], b[j], c[j], y[j], want);
        }
    }
}

int main(void) {
    const uint64_t ties = test_f32();
    test_f64();
    printf("%-8s fma: %llu of %llu differ; %llu sums of floats looked like midpoints\n", NAME,
           (unsigned long long)failures, (unsigned long long)2 * ROUNDS, (unsigned long long)ties);
    if (ties < ROUNDS / 10) return printf("FAILED: too few midpoints to mean anything\n"), 1;
    return failures != 0;
}
