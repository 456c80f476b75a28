/* target_scalar.c: the loops in portable C, for every machine. */
#include "compiler.h"

#include "fastgelu_internal.h"
#include "simd/scalar.h"

#define FG_TARGET scalar
#include "target.h"
