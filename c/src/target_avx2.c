/* target_avx2.c: the loops for AVX2, FMA and F16C. */
#include "compiler.h"

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>

#include "fastgelu_internal.h"

FG_TARGET_BEGIN("avx2,fma,f16c")
#include "simd/avx2.h"

#define FG_TARGET avx2
#include "target.h"
FG_TARGET_END
#endif
