/* cpu.h: which of the instruction sets that matter here this machine has. */
#ifndef FASTGELU_CPU_H
#define FASTGELU_CPU_H

#include <stddef.h>

enum {
    FG_CPU_FMA = 1 << 0,
    FG_CPU_F16C = 1 << 1,
    FG_CPU_AVX = 1 << 2,
    FG_CPU_AVX2 = 1 << 3,
    FG_CPU_AVX512F = 1 << 4,
    FG_CPU_AVX512BW = 1 << 5,
    FG_CPU_AVX512DQ = 1 << 6,
    FG_CPU_AVX512VL = 1 << 7,
};

/* Does this machine, and its system, have all of these? */
int fg_cpu_has(unsigned features);

/* The name of the i-th feature found, NULL after the last. */
const char *fg_cpu_feature(size_t i);

#endif
