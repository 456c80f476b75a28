/* tables_f64.h: what the float64 coefficient tables look like; kernel_f64.h
 * says how they are used.  c/tools/fit_f64.py writes them, tables.c compiles
 * them once. */
#ifndef FASTGELU_TABLES_F64_H
#define FASTGELU_TABLES_F64_H

#include "compiler.h"

#define FG_COLUMNS_F64 14 /* of a row: c, a, p0 … p11 */
/* Adding this double rounds a small number to an integer, in the low bits. */
#define FG_MAGIC_F64 0x1.8p52
#define FG_MAGIC_BITS_F64 0x4338000000000000u
/* The bits of 2^-500: below, f(x) is x/2 or f(0) to the last bit. */
#define FG_TINY_F64 0x20b0000000000000u

struct fg_table_f64 {
    double alpha, beta;           /* near row k = round(t*(alpha*t + beta)) */
    double limit;                 /* the first t of the last near row, the one of zeros */
    double special, ordinary;     /* rows from … to have a linear part; with the magic number on */
    double root, slope;           /* the linear part: slope*(t - root); slope has 26 bits */
    double at_zero;               /* f(0), but for FORWARD */
    uint64_t far_first, far_span; /* far if bits(x or |x|) - far_first < far_span */
    uint64_t tiny_first, tiny_span; /* tiny if bits(t) - tiny_first < tiny_span */
    int far_shift;                  /* far row = (bits(t) >> far_shift) - far_offset */
    uint64_t far_offset;
    double v_high[3], v_low[3]; /* v = t*(v0 + v1*t + v2*t^2), 26 bits of each and the rest */
    const double (*rows)[FG_COLUMNS_F64];            /* near rows, then far rows */
    FG_ALIGN(64) double columns[FG_COLUMNS_F64][16]; /* the first 16, for register permutes */
};

#define FG_EXP_STEPS 16
#define FG_EXP_TERMS 7

/* exp(-v) = 2^(-n/16) * exp(-r), n = round(v*inverse), r = v - n*step */
struct fg_exp_f64 {
    double inverse;
    double step_high, step_low;     /* ln(2)/16: 36 bits, and the rest */
    double terms[FG_EXP_TERMS];     /* exp(-r) - 1 = r*(terms[0] + r*(terms[1] + …)) */
    double powers[FG_EXP_STEPS][2]; /* 2^(-j/16): 26 bits, and the rest */
};

extern const struct fg_exp_f64 fg_exp_f64;
#define FASTGELU_FUNCTION(name, ...) extern const struct fg_table_f64 fg_table_f64_##name;
#define FASTGELU_INTERNAL(name, ...) extern const struct fg_table_f64 fg_table_f64_##name;
#include "functions.def"

#endif
