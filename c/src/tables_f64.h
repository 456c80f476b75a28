/* tables_f64.h: what the float64 coefficient tables look like; kernel_f64.h
 * says how they are used.  c/tools/fit_f64.py writes them, tables.c compiles
 * them once. */
#ifndef FASTGELU_TABLES_F64_H
#define FASTGELU_TABLES_F64_H

#include "compiler.h"

/* Adding this double rounds a small number to an integer, in the low bits. */
#define FG_MAGIC_F64 0x1.8p52
#define FG_MAGIC_BITS_F64 0x4338000000000000u
/* The bits of 2^-500: below, f(x) is x/2 or x to the last bit. */
#define FG_TINY_F64 0x20b0000000000000u
/* The words of a row. */
#define FG_WORDS_F64(form) ((form) == FG_DERIVATIVE || (form) == FG_EXPM1 ? 8 : 6)

struct fg_table_f64 {
    double alpha, beta; /* near row = r*(alpha*r + beta), rounded, r = t - left */
    double left, limit; /* near rows are from … to; the last is that of f = x or 1 */
    double root;        /* rows around it hold f less slope*(t - root) */
    double end;         /* from here on to the left results are zero */
    int far_shift;      /* far row = (bits(u - far_from) >> far_shift) - far_offset, u = -t */
    uint64_t far_offset;
    double far_from;
    double far_limit;         /* a u in the last far row, which goes on to the end */
    double v[3], v_low[2];    /* v = u*(v0 + v1*u + v2*u^2); what v0 and v2 lack */
    const double *rows, *far; /* FG_WORDS_F64 each */
};

/* The row of a lane: its word says where that begins, in bytes. */
FG_INLINE const double *f64_row(const double *rows, const void *words, int lane) {
    uint64_t at;
    memcpy(&at, (const char *)words + 8 * lane, sizeof at);
    return (const double *)((const char *)rows + at);
}

#define FG_EXP_STEPS 64
#define FG_EXP_TERMS 5

/* exp(-v) = 2^(-n/64) * exp(-r), n = round(v*inverse), r = v - n*step */
struct fg_exp_f64 {
    double inverse;
    double step_high, step_low;     /* ln(2)/64: 34 bits, and the rest */
    double terms[FG_EXP_TERMS];     /* exp(-r) - 1 = r*(terms[0] + r*(terms[1] + …)) */
    double powers[FG_EXP_STEPS][2]; /* 2^(-j/64): 26 bits, and the rest */
};

extern const struct fg_exp_f64 fg_exp_f64;
#define FASTGELU_FUNCTION(name, ...) extern const struct fg_table_f64 fg_table_f64_##name;
#define FASTGELU_INTERNAL(name, ...) extern const struct fg_table_f64 fg_table_f64_##name;
#include "functions.def"

#endif
