/* testing.h: what the test programs share: the element types as data, sample
 * values, and a walk over the targets this machine can run.  The including
 * file has FASTGELU's sources on its include path. */
#ifndef FASTGELU_TESTING_H
#define FASTGELU_TESTING_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fastgelu_internal.h"

struct dtype {
    const char *name;
    size_t size;          /* bytes of an element */
    unsigned significand; /* stored bits of the significand */
    unsigned exponent;    /* bits of the exponent */
};

static const struct dtype dtypes[] = {
    [FG_F16] = {"f16", 2, 10, 5},
    [FG_F32] = {"f32", 4, 23, 8},
    [FG_F64] = {"f64", 8, 52, 11},
    [FG_BF16] = {"bf16", 2, 7, 8},
};
_Static_assert(sizeof dtypes / sizeof dtypes[0] == FG_DTYPES, "an element type has no row");

/* An element as an integer, at any alignment and in either byte order. */
static inline uint64_t get_element(const struct dtype *t, const char *p) {
    uint16_t h;
    uint32_t w;
    uint64_t d;
    switch (t->size) {
    case 2: return memcpy(&h, p, 2), h;
    case 4: return memcpy(&w, p, 4), w;
    default: return memcpy(&d, p, 8), d;
    }
}

static inline void put_element(const struct dtype *t, char *p, uint64_t bits) {
    uint16_t h = (uint16_t)bits;
    uint32_t w = (uint32_t)bits;
    switch (t->size) {
    case 2: memcpy(p, &h, 2); break;
    case 4: memcpy(p, &w, 4); break;
    default: memcpy(p, &bits, 8);
    }
}

/* The output function of splitmix64 (Steele, Lea and Flood, 2014): a bijection
 * that spreads every input bit over all output bits. */
static inline uint64_t mix64(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

enum { SPECIALS = 22 }; /* so many samples of a type are special values, the first ones */

#define GOLDEN_GAMMA UINT64_C(0x9e3779b97f4a7c15) /* the step of splitmix64 */

/* The i-th sample value of a type, as bits: first both signs of each special
 * value, then seven in eight with 2^-8 <= |x| < 2^6, which takes in the tails
 * and the subnormal results, the others any pattern at all. */
static inline uint64_t sample(const struct dtype *t, uint64_t i) {
    const uint64_t one = 1, sign = one << (t->significand + t->exponent);
    const uint64_t infinity = sign - (one << t->significand);
    const uint64_t quiet = one << (t->significand - 1), bias = (one << (t->exponent - 1)) - 1;
    const uint64_t specials[] = {
        0,                           /* zero */
        1,                           /* smallest subnormal */
        3,                           /* its half is no float: a tie */
        (one << t->significand) - 1, /* largest subnormal */
        one << t->significand,       /* smallest normal */
        infinity - 1,                /* largest finite */
        infinity,                    /* infinity */
        infinity + 1,                /* signalling NaN */
        infinity + quiet,            /* quiet NaN without payload */
        infinity + quiet + 5,        /* quiet NaN with payload */
        sign - 1,                    /* all payload bits */
    };
    _Static_assert(SPECIALS == 2 * sizeof specials / sizeof specials[0], "both signs of each");
    if (i < SPECIALS) return specials[i / 2] | (i % 2 ? sign : 0);
    const uint64_t r = mix64(i * GOLDEN_GAMMA), all = sign | (sign - 1);
    if (i % 8 == 0) return r & all;
    return (r & (sign | ((one << t->significand) - 1))) |
           ((bias + (r >> 12 & 0xffff) % 14 - 8) << t->significand);
}

/* fg_run for a loop of one input. */
static inline void run_loop(fg_loop *loop, size_t n, const void *x, ptrdiff_t x_stride, void *y,
                            ptrdiff_t y_stride) {
    char *const args[] = {(char *)(uintptr_t)x, y};
    const ptrdiff_t strides[] = {x_stride, y_stride};
    fg_run(loop, n, args, strides);
}

/* The functions with tables, then those composed of others. */
enum { SUBJECTS = FG_FUNCTIONS + FG_COMPOSITES, MOST_INPUTS = 3, MOST_OUTPUTS = 2 };
enum { MOST_OPERANDS = MOST_INPUTS + MOST_OUTPUTS };

static inline const char *subject_name(int s) {
    return s < FG_FUNCTIONS ? fg_functions[s].name : fg_composites[s - FG_FUNCTIONS].name;
}

static inline fg_loop *subject_loop(const struct fg_target *target, int s, int dtype) {
    return s < FG_FUNCTIONS ? &target->loops[s][dtype]
                            : &target->composites[s - FG_FUNCTIONS][dtype];
}

/* A loop over the targets this machine can run. */
#define FOR_EACH_TARGET(t)                                                                         \
    for (const struct fg_target *const *p_##t = fg_targets, *t; (t = *p_##t) != NULL; p_##t++)     \
        if (t->available())

#endif
