/* fastgelu_internal.h: how the parts fit together.  A target (one instruction
 * set) is a table of loops, one per function and element type; dispatch.c
 * picks a target and runs loops in a clean floating-point environment. */
#ifndef FASTGELU_INTERNAL_H
#define FASTGELU_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "threads.h"

enum fg_function {
#define FASTGELU_FUNCTION(name, ...) FG_FUNCTION_##name,
#include "functions.def"
    FG_FUNCTIONS
};

enum fg_composite {
#define FASTGELU_COMPOSITE(name, ...) FG_COMPOSITE_##name,
#include "functions.def"
    FG_COMPOSITES
};

enum fg_operation {
    FG_RELU,
    FG_RELU_GRAD,
    FG_LEAKY_RELU,
    FG_LEAKY_RELU_GRAD,
    FG_ELU,
    FG_ELU_GRAD,
    FG_BIAS,
    FG_BACKWARD,
    FG_GATE,
    FG_GATE_BACKWARD
};

enum fg_dtype { FG_F16, FG_F32, FG_F64, FG_BF16, FG_DTYPES };

/* A loop: a function over contiguous arrays, inputs then outputs, which may be
 * the same memory but do not overlap otherwise; and what is known of it. */
typedef void fg_span(size_t n, char *const *args);
typedef const struct fg_loop_s {
    fg_span *span;
    int inputs, outputs, size; /* size of an element in bytes */
} fg_loop;

struct fg_target {
    const char *name;       /* "scalar", "avx2", … */
    int (*available)(void); /* does this machine have it? */
    fg_loop loops[FG_FUNCTIONS][FG_DTYPES];
    fg_loop composites[FG_COMPOSITES][FG_DTYPES];
};

/* One row of functions.def as data. */
struct fg_function_info {
    const char *name, *form, *summary, *formula, *left, *source;
    double ulp32, at32, bound64, seen64, at64;
};

struct fg_composite_info {
    const char *name, *operation, *f, *g, *arguments, *results, *summary, *formula, *error,
        *error16, *source;
};

extern const struct fg_function_info fg_functions[FG_FUNCTIONS];
extern const struct fg_composite_info fg_composites[FG_COMPOSITES];

/* Does this machine have the target?  One function each, in dispatch.c. */
#define FASTGELU_TARGET(name, features) int fg_have_##name(void);
#include "targets.def"

/* All targets compiled in, slowest first, ended by NULL. */
extern const struct fg_target *const fg_targets[];

/* The fastest target that this machine has. */
const struct fg_target *fg_best_target(void);

/* Runs a loop over n elements at args, strides in bytes, of any sign and
 * alignment.  An output that overlaps an input otherwise than exactly is
 * written element by element, in order.  The loop runs with round-to-nearest,
 * gradual underflow and no traps; the caller's floating-point environment is
 * put back, flags included.  Where several threads were asked for (threads.h)
 * and n is large enough, they share the work. */
void fg_run(fg_loop *loop, size_t n, char *const *args, const ptrdiff_t *strides);

/* The same by so many threads at any n, if no output overlaps an input otherwise
 * than exactly; returns 0 and does nothing if fg_share() does. */
int fg_run_shared(int threads, fg_loop *loop, size_t n, int contiguous, char *const *args,
                  const ptrdiff_t *strides);

/* In bytes of one operand, since an element's time goes with its size.  A smaller
 * share does not pay for waking a thread (c/tests/threshold.c); parts are small
 * enough for threads to finish together, and large enough not to be noticed. */
enum { FG_SHARE_BYTES = 1 << 18, FG_PART_BYTES = 1 << 16 };

/* Runs part(context, i) for 0 <= i < parts, all in the caller's floating-point
 * environment, on as many threads as were asked for and pay for so many bytes: on
 * the calling thread alone if there are no others. */
void fg_run_parts(size_t bytes, long parts, fg_part *part, const void *context);

#endif
