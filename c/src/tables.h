/* tables.h: what a function's coefficient tables look like.  The tables
 * themselves are written by c/tools/ and compiled once, in tables.c. */
#ifndef FASTGELU_TABLES_H
#define FASTGELU_TABLES_H

#include "compiler.h"

/* Far rows of float32 and of bfloat16 are stored times 2^96. */
#define FG_SCALE_F32 96
/* The bits of 2^-60: up to there, a product x*S(x) is x*S(0) to the last bit. */
#define FG_TINY_F32 0x21800000u
/* c is one of 512 points of a near row: the low bits of its last coefficient. */
#define FG_POINT_F32 0x1ffu
/* The bits of a far row's word below its number; and what its magic number adds to the address. */
#define FG_FAR_POINT_F32 0x3ffu
#define FG_FAR_OFFSET_F32 0x20000

enum { FG_FORWARD, FG_SIGMOID, FG_DERIVATIVE, FG_EVEN, FG_EXPM1 };

struct fg_table_f32 {            /* kernel_f32.h says how it is used */
    float left, limit;           /* near rows serve left <= v; from limit on the last one */
    float magic;                 /* magic + v holds the number of a row */
    float root, slope;           /* of a DERIVATIVE: in the rows around its root */
    float root_first, root_last; /* these, as words, the table lacks slope*(v - root) */
    float far_alpha, far_beta;   /* far row = t*(far_alpha*t + far_beta), t = -v */
    float far_magic, far_stop;   /* likewise; from far_stop on results are zero */
    uint32_t offset;             /* what magic adds to the address of a row, in bytes */
    const char *rows, *far;      /* A, p0, p1, p2 of near rows; c, a, p0 ... p5 of far ones */
};

#define FASTGELU_FUNCTION(name, ...) extern const struct fg_table_f32 fg_table_f32_##name;
#define FASTGELU_INTERNAL(name, ...) extern const struct fg_table_f32 fg_table_f32_##name;
#include "functions.def"

#include "tables_f64.h"
#include "tables_half.h"

#endif
