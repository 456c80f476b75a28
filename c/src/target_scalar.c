/* target_scalar.c: the loops in portable C, for every machine. */
#include "compiler.h"

#include "fastgelu_internal.h"
#include "simd/scalar.h"

#include "kernel_f32.h"
#include "kernel_f64.h"
#include "kernel_half.h"

#define FG_TARGET scalar
#include "loops.h"
