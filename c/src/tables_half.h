/* tables_half.h: what the coefficient tables for float16 and bfloat16 look
 * like; kernel_half.h says how they are used.  c/tools/fit_half.py writes them,
 * tables.c compiles them once. */
#ifndef FASTGELU_TABLES_HALF_H
#define FASTGELU_TABLES_HALF_H

#include "compiler.h"

/* Adding this float rounds a small number to an integer, in the low bits. */
#define FG_MAGIC_F32 0x1.8p23f
/* p3 is the lowest bits of the float p2, moved to the top. */
#define FG_P3_SHIFT 18

struct fg_table_half {
    float alpha, beta;                    /* near row k = round(t*(alpha*t + beta)) */
    float limit;                          /* a t in the last near row, the one of zeros */
    float far_alpha, far_beta, far_magic; /* far row, likewise; the magic number does the rest */
    uint16_t far_first, far_span;         /* far if the bits of a bfloat16 - far_first < far_span */
    float at_zero;                        /* f(0), but for FORWARD */
    const float (*rows)[4];               /* a, p0, p1, p2: 32 near rows, then far ones */
    const float (*columns)[96];           /* the same by columns, for register permutes */
};

#define FASTGELU_FUNCTION(name, ...) extern const struct fg_table_half fg_table_half_##name;
#include "functions.def"

#endif
