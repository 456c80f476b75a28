/* simd/half_rows.h: the 16-bit types' rows, fetched like float32's, for
 * instruction sets that do not hold them in registers. */
#ifndef FASTGELU_SIMD_HALF_ROWS_H
#define FASTGELU_SIMD_HALF_ROWS_H

typedef const struct fg_table_half *half_near;
FG_INLINE half_near half_near_open(const struct fg_table_half *t) { return t; }

/* k's row number is in its low bits; a word has it from bit 9 on. */
FG_INLINE vi32 half_word(vf32 k) { return i32_shl(f32_bits(k), 9); }
FG_INLINE void half_fetch_any(const struct fg_table_half *t, const vi32 *word, vf32 *col) {
    f32_fetch((const char *)t->rows, word, col);
}
FG_INLINE void half_fetch(const half_near *near, const vi32 *word, vf32 *col) {
    half_fetch_any(*near, word, col);
}

#endif
