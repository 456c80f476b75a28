/* tables.h: what a function's coefficient tables look like.  The tables
 * themselves are written by c/tools/ and compiled once, in tables.c. */
#ifndef FASTGELU_TABLES_H
#define FASTGELU_TABLES_H

#include "compiler.h"

/* Adding this float rounds a small number to an integer, in the low bits. */
#define FG_MAGIC_F32 0x1.8p23f
/* Where a product of floats has no fma: a row found by plain products and sums
 * is the exact one unless it is farther than this from an integer; it is wrong
 * by some 2^-22 of itself, which is below 2^-16. */
#define FG_ROW_IN_DOUBT 0.4999f
/* Far rows are stored times 2^96. */
#define FG_SCALE_F32 96
/* The bits of 2^-60: below, f(x) is x/2 or f(0) to the last bit. */
#define FG_TINY_F32 0x21800000u

enum { FG_FORWARD, FG_SIGMOID, FG_DERIVATIVE, FG_EVEN, FG_EXPM1 };

struct fg_table_f32 {
    float alpha, beta;                    /* near row k = round(t*(alpha*t + beta)) */
    float limit;                          /* a t in the last near row, the one of zeros */
    float special, ordinary;              /* the rows between are special: see kernel_f32.h */
    float root, slope;                    /* what is left out of them in a DERIVATIVE's table */
    float far_alpha, far_beta, far_magic; /* far row, likewise; the magic number does the rest */
    uint32_t far_first, far_span;         /* far if bits(x or |x|) - far_first < far_span */
    uint32_t tiny_first, tiny_span;       /* tiny if bits(t) - tiny_first < tiny_span */
    float at_zero;                        /* f(0), but for FORWARD */
    const float (*rows)[8];               /* c, a, p0 … p5: 32 near rows, then far ones */
    FG_ALIGN(64) float columns[8][32];    /* the near rows by columns, for register permutes */
};

#define FASTGELU_FUNCTION(name, ...) extern const struct fg_table_f32 fg_table_f32_##name;
#define FASTGELU_INTERNAL(name, ...) extern const struct fg_table_f32 fg_table_f32_##name;
#include "functions.def"

#include "tables_f64.h"
#include "tables_half.h"

#endif
