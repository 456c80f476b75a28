/* compiler.h: what the compilers spell differently, and the guards against
 * flags that would change results.  Every source file includes it first. */
#ifndef FASTGELU_COMPILER_H
#define FASTGELU_COMPILER_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Every flag that changes results and that a compiler shows by a macro: GCC has one
 * for each part of -ffast-math, clang for two, MSVC for /fp:fast.  Clang's others
 * are taken back by the pragmas below; what they do when linked, by flags that
 * setup.py and CMakeLists.txt put last. */
#if defined(__FAST_MATH__) || defined(_M_FP_FAST)
#error "fastgelu must not be compiled with -ffast-math: its results are defined to the bit"
#elif defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error "fastgelu must not be compiled with -ffinite-math-only: its NaNs and infinities count"
#elif defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "fastgelu must not be compiled with -funsafe-math-optimizations or a part of it"
#endif
#if defined(__GNUC__) /* -fsingle-precision-constant has no macro */
_Static_assert(sizeof 1.0 == sizeof(double),
               "fastgelu must not be compiled with -fsingle-precision-constant");
#endif
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
/* 16 is where float16 is a type of the processor's.  Otherwise, on 32-bit x86
 * -msse2 -mfpmath=sse, on s390x -fexcess-precision=fast. */
#error "fastgelu needs arithmetic in the declared type"
#endif

/* a*b + c must stay two roundings where it is written as two operations.
 * The build passes -ffp-contract=off; this is for whoever compiles without, or
 * passes more. */
#if defined(__clang__)
#if !defined(__arm__) && !defined(__wasm__) /* which do not know it */
#pragma float_control(precise, on)
#endif
#pragma clang fp contract(off) reassociate(off)
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif

#if defined(__GNUC__)
#define FG_INLINE static inline __attribute__((always_inline))
#define FG_NOINLINE static __attribute__((noinline))
#define FG_UNLIKELY(c) __builtin_expect(!!(c), 0)
#define FG_ALIGN(n) __attribute__((aligned(n)))
#elif defined(_MSC_VER)
#define FG_INLINE static __forceinline
#define FG_NOINLINE static __declspec(noinline)
#define FG_UNLIKELY(c) (c)
#define FG_ALIGN(n) __declspec(align(n))
#else
#define FG_INLINE static inline
#define FG_NOINLINE static
#define FG_UNLIKELY(c) (c)
#define FG_ALIGN(n) _Alignas(n)
#endif

/* FG_TARGET_BEGIN("avx2,fma") … FG_TARGET_END: the functions between may use
 * these instructions.  System headers are included before the region. */
#define FG_PRAGMA(x) _Pragma(#x)
#if defined(__clang__)
#define FG_TARGET_BEGIN(isa)                                                                       \
    FG_PRAGMA(clang attribute push(__attribute__((target(isa))), apply_to = function))
#define FG_TARGET_END FG_PRAGMA(clang attribute pop)
#elif defined(__GNUC__)
#define FG_TARGET_BEGIN(isa) FG_PRAGMA(GCC push_options) FG_PRAGMA(GCC target(isa))
#define FG_TARGET_END FG_PRAGMA(GCC pop_options)
#else
#define FG_TARGET_BEGIN(isa)
#define FG_TARGET_END
#endif

/* Makes the compiler forget what it knows of a pointer, so that it loads where
 * the loads are written. */
#if defined(__GNUC__)
#define FG_HIDE(pointer) __asm__("" : "+r"(pointer))
#else
#define FG_HIDE(pointer) (void)0
#endif

/* Makes clang forget that floats come from float16 numbers: it would compare
 * those, one by one, where the processor can only compare vectors of floats. */
#if defined(__clang__)
#define FG_HIDE_WIDENED(vector) __asm__("" : "+v"(vector))
#else
#define FG_HIDE_WIDENED(vector) (void)0
#endif

/* Makes clang forget that a float or a vector of them is no NaN.  For a < b ? a : b it
 * would else take a minimum instruction wherever it can prove that of b, and only RISC-V's
 * gives b for a signalling NaN in a; the others make that a quiet one. */
#if defined(__clang__) && defined(__aarch64__)
#define FG_MAYBE_NAN(b) __asm__("" : "+w"(b))
#elif defined(__clang__) && !defined(__x86_64__) && !defined(__i386__) && !defined(__riscv) &&     \
    !(defined(__arm__) && __ARM_ARCH < 8)
#define FG_MAYBE_NAN(b) __asm__("" : "+m"(b))
#else
#define FG_MAYBE_NAN(b) (void)0
#endif

/* Asks for a cache line; any address will do. */
#if defined(__GNUC__)
#define FG_PREFETCH(p) __builtin_prefetch(p)
#else
#define FG_PREFETCH(p) (void)0
#endif

/* Unrolls the loop over table columns that follows (n a constant). */
#if defined(__clang__)
#define FG_UNROLL(n) FG_PRAGMA(clang loop unroll(full))
#elif defined(__GNUC__)
#define FG_UNROLL(n) FG_PRAGMA(GCC unroll n)
#else
#define FG_UNROLL(n)
#endif

#endif
