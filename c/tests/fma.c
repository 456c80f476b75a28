/* fma.c: f32_fma of the vocabularies that have no hardware fma, bit by bit
 * against the C library's fmaf, where the detour by way of double is likely to
 * go wrong: sums on or within a hair of the midpoint of two floats, and where
 * they cancel.  Compiled once for simd/scalar.h, and with FMA_OF_SSE2 for simd/sse2.h. */
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

static float from_bits(uint32_t u) {
    float x;
    memcpy(&x, &u, sizeof x);
    return x;
}

static float scaled(float x, int e) { return (float)ldexp((double)x, e); }

/* A float in [1, 2) or (-2, -1]. */
static float significand(uint64_t random) {
    return from_bits(0x3f800000u | ((uint32_t)random & 0x7fffff) |
                     (uint32_t)(random >> 32 & 0x80000000u));
}

/* Operands of a*b + c, by turns of several kinds; e is the exponent of c. */
static void operands(uint64_t i, float *a, float *b, float *c) {
    const uint64_t r = mix64((i + 1) * GOLDEN_GAMMA), s = mix64(r), u = mix64(s);
    const int e = (int)(u % 61) - 30;
    *c = scaled(significand(s), e);
    switch (i % 5) {
    case 0: /* half a unit of c, less k^2/2^46 of it: no double tells that from a tie */
        *a = 1.0f + scaled((float)(r & 0xff), -23);
        *b = scaled(1.0f - scaled((float)(r & 0xff), -23), e - 24) * (r >> 63 ? -1.0f : 1.0f);
        break;
    case 1: /* an odd number of half units: a tie */
        *a = (float)(2 * (r & 0x3ff) + 1);
        *b = scaled((float)(2 * (r >> 10 & 0x3ff) + 1), e - 24) * (r >> 63 ? -1.0f : 1.0f);
        break;
    case 2: /* about half a unit */
        *a = significand(r);
        *b = scaled((float)(1.0 / (double)*a), e - 24);
        break;
    case 3: /* c nearly cancels the product */
        *a = significand(r), *b = scaled(significand(u), e);
        *c = -*a * *b;
        if (u >> 60 & 1) *c = nextafterf(*c, 0.0f);
        break;
    default: /* anything of like size */
        *a = significand(r), *b = scaled(significand(u), e + (int)(r >> 24 & 63) - 40);
    }
}

int main(void) {
    float a[FG_LANES_F32], b[FG_LANES_F32], c[FG_LANES_F32], y[FG_LANES_F32];
    uint64_t ties = 0, tested = 0, failures = 0;
    for (uint64_t i = 0; i < ROUNDS; i += FG_LANES_F32) {
        for (int lane = 0; lane < FG_LANES_F32; lane++)
            operands(i + (uint64_t)lane, &a[lane], &b[lane], &c[lane]);
        f32_store(y, f32_fma(f32_load(a), f32_load(b), f32_load(c)));
        for (int lane = 0; lane < FG_LANES_F32; lane++) {
            const float want = fmaf(a[lane], b[lane], c[lane]);
            const double sum = (double)a[lane] * (double)b[lane] + (double)c[lane];
            uint64_t bits;
            memcpy(&bits, &sum, sizeof bits);
            ties += (bits & 0x1fffffff) == 0x10000000;
            tested++;
            if (memcmp(&want, &y[lane], sizeof want) == 0) continue;
            if (failures++ < 10)
                printf("FAILED: %s: %a * %a + %a = %a, should be %a\n", NAME, (double)a[lane],
                       (double)b[lane], (double)c[lane], (double)y[lane], (double)want);
        }
    }
    printf("%-8s fma: %llu of %llu differ; %llu sums looked like midpoints\n", NAME,
           (unsigned long long)failures, (unsigned long long)tested, (unsigned long long)ties);
    if (ties < tested / 10) return printf("FAILED: too few midpoints to mean anything\n"), 1;
    return failures != 0;
}
