/* target_neon.c: the loops for NEON, the floor of AArch64. */
#include "compiler.h"

#if defined(__aarch64__) || defined(_M_ARM64)
#include <arm_neon.h>

#include "fastgelu_internal.h"
#include "simd/neon.h"

#define FG_TARGET neon
#include "target.h"
#endif
