/* target_avx512.c: the loops for AVX-512 F, BW, DQ and VL. */
#include "compiler.h"

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>

#include "fastgelu_internal.h"

FG_TARGET_BEGIN("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c")
#include "simd/avx512.h"

#define FG_TARGET avx512
#include "target.h"
FG_TARGET_END
#endif
