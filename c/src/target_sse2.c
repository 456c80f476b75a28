/* target_sse2.c: the loops for SSE2, the floor of x86-64. */
#include "compiler.h"

#if defined(__x86_64__) || defined(_M_X64)
#include <emmintrin.h>

#include "fastgelu_internal.h"
#include "simd/sse2.h"

#define FG_TARGET sse2
#include "target.h"
#endif
