/* rounding.h: float16 and bfloat16 by their definition, as numbers: what the
 * tests hold conversions in bits and instructions against. */
#ifndef FASTGELU_ROUNDING_H
#define FASTGELU_ROUNDING_H

#include <math.h>

#include "testing.h"

static inline unsigned infinity16(const struct dtype *t) {
    return ((1u << t->exponent) - 1) << t->significand;
}

static inline int is_nan16(const struct dtype *t, unsigned h) {
    return (h & 0x7fff) > infinity16(t);
}

/* The value of a finite 16-bit number. */
static inline double widen16(const struct dtype *t, unsigned h) {
    const unsigned sign = 1u << 15, one = 1u << t->significand;
    const int bias = (1 << (t->exponent - 1)) - 1 + (int)t->significand;
    const int e = (int)((h & ~sign) >> t->significand);
    const double m = h & (one - 1), a = e == 0 ? ldexp(m, 1 - bias) : ldexp(m + one, e - bias);
    return h & sign ? -a : a;
}

/* The exponent e of the binade of y, |y| in [2^(e-1), 2^e), or that of the
 * subnormal numbers. */
static inline int binade16(const struct dtype *t, double y) {
    const int least = 3 - (1 << (t->exponent - 1));
    int e;
    frexp(y, &e);
    return e < least || y == 0 ? least : e;
}

/* The unit in the last place of y. */
static inline double ulp16(const struct dtype *t, double y) {
    return ldexp(1, binade16(t, y) - (int)t->significand - 1);
}

enum ties { TIES_TO_EVEN, TIES_UP };

/* A finite y to the nearest 16-bit number.  The bit pattern of a positive number
 * is its place among them, so that a significand rounded up to the next power
 * of two carries into the exponent as it should. */
static inline unsigned narrow16(const struct dtype *t, double y, enum ties ties) {
    const unsigned sign = signbit(y) ? 0x8000 : 0, infinity = infinity16(t);
    const int least = 3 - (1 << (t->exponent - 1)), e = binade16(t, y);
    const double scaled = fabs(y) / ldexp(1, e - (int)t->significand - 1); /* exact, in ULP */
    double significand = floor(scaled);
    const double rest = scaled - significand;
    if (rest > 0.5 || (rest == 0.5 && (ties == TIES_UP ? y > 0 : fmod(significand, 2) != 0)))
        significand++;
    const unsigned bits = ((unsigned)(e - least) << t->significand) + (unsigned)significand;
    return sign | (bits < infinity ? bits : infinity);
}

/* A float's bits to 16 bits: to nearest even; a NaN quiet, with its sign and
 * the top of its payload. */
static inline unsigned narrow16_float(const struct dtype *t, uint32_t u) {
    const unsigned sign = u >> 16 & 0x8000, quiet = 1u << (t->significand - 1);
    float a;
    memcpy(&a, &u, sizeof a);
    if ((u & 0x7fffffff) > 0x7f800000)
        return sign | infinity16(t) | quiet | (u & 0x7fffff) >> (23 - t->significand);
    if ((u & 0x7fffffff) == 0x7f800000) return sign | infinity16(t);
    return narrow16(t, (double)a, TIES_TO_EVEN);
}

/* 16 bits to a float's.  float16 becomes a number by arithmetic, which makes a
 * NaN quiet; bfloat16 is the upper half of a float. */
static inline uint32_t widen16_float(const struct dtype *t, unsigned h) {
    const uint32_t sign = (uint32_t)(h & 0x8000) << 16;
    const uint32_t payload = (uint32_t)(h & ((1u << t->significand) - 1)) << (23 - t->significand);
    uint32_t u;
    if (is_nan16(t, h)) return sign | 0x7f800000 | payload | (t->exponent == 8 ? 0 : 0x400000u);
    if ((h & 0x7fff) == infinity16(t)) return sign | 0x7f800000;
    const float a = (float)widen16(t, h);
    memcpy(&u, &a, sizeof u);
    return u;
}

#endif
