/* dispatch.c: the list as data, the targets, and fg_run(): strides, overlap,
 * threads and the floating-point environment, the same for every loop. */
#include "compiler.h"

#if defined(__x86_64__) || defined(_M_X64)
#include <emmintrin.h>
#elif defined(__aarch64__) && defined(__GNUC__)
#include <arm_neon.h>
#endif

#include "cpu.h"
#include "fastgelu_internal.h"
#include "threads.h"

const struct fg_function_info fg_functions[FG_FUNCTIONS] = {
#define FASTGELU_FUNCTION(name, form, summary, formula, left, ulp32, at32, bound64, seen64, at64,  \
                          source)                                                                  \
    {#name, #form, summary, formula, left, source, ulp32, at32, bound64, seen64, at64},
#include "functions.def"
};

const struct fg_composite_info fg_composites[FG_COMPOSITES] = {
#define FASTGELU_COMPOSITE(name, operation, f, g, arguments, results, summary, formula, error,     \
                           error16, source)                                                        \
    {#name, #operation, #f, #g, arguments, results, summary, formula, error, error16, source},
#include "functions.def"
};

/* ---- targets ------------------------------------------------------------- */

#define FASTGELU_TARGET(name, features)                                                            \
    int fg_have_##name(void) { return fg_cpu_has(features); }                                      \
    extern const struct fg_target fg_target_##name;
#include "targets.def"

const struct fg_target *const fg_targets[] = {
#define FASTGELU_TARGET(name, features) &fg_target_##name,
#include "targets.def"
    NULL,
};

const struct fg_target *fg_best_target(void) {
    const struct fg_target *best = NULL;
    for (size_t i = 0; fg_targets[i]; i++)
        if (fg_targets[i]->available()) best = fg_targets[i];
    return best;
}

/* ---- the floating-point environment --------------------------------------
 * Control and status register: loaded only where it differs, since that costs
 * more than a small array does. */

#if defined(__x86_64__) || defined(_M_X64)
typedef unsigned fg_fenv;
#define FENV_DEFAULT 0x1f80u /* all masked, to nearest, no FTZ, no DAZ */
#define FENV_FLAGS 0x3fu
static fg_fenv fenv_enter(void) {
    fg_fenv saved = _mm_getcsr();
    if ((saved & ~FENV_FLAGS) != FENV_DEFAULT) _mm_setcsr(FENV_DEFAULT);
    return saved;
}
static void fenv_leave(fg_fenv saved) {
    if (_mm_getcsr() != saved) _mm_setcsr(saved);
}
#elif defined(__aarch64__) && defined(__GNUC__)
typedef struct {
    uint64_t control, status;
} fg_fenv;
static fg_fenv fenv_enter(void) {
    fg_fenv saved;
    __asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr"
                     : "=r"(saved.control), "=r"(saved.status)::"memory");
    if (saved.control) __asm__ volatile("msr fpcr, %0" ::"r"((uint64_t)0) : "memory");
    return saved;
}
static void fenv_leave(fg_fenv saved) {
    uint64_t status;
    __asm__ volatile("mrs %0, fpsr" : "=r"(status)::"memory");
    if (saved.control) __asm__ volatile("msr fpcr, %0" ::"r"(saved.control) : "memory");
    if (status != saved.status) __asm__ volatile("msr fpsr, %0" ::"r"(saved.status) : "memory");
}
#elif defined(__arm__) && defined(__ARM_FP) && defined(__GNUC__)
/* One register for both, and the conditions of the last comparison in it. */
typedef uint32_t fg_fenv;
#define FENV_FLAGS 0xf800009fu
static fg_fenv fpscr(void) {
    fg_fenv value;
    __asm__ volatile("vmrs %0, fpscr" : "=r"(value)::"memory");
    return value;
}
static void set_fpscr(fg_fenv value) { __asm__ volatile("vmsr fpscr, %0" ::"r"(value) : "memory"); }
static fg_fenv fenv_enter(void) {
    fg_fenv saved = fpscr();
    if (saved & ~FENV_FLAGS) set_fpscr(0);
    return saved;
}
static void fenv_leave(fg_fenv saved) {
    if (fpscr() != saved) set_fpscr(saved);
}
#else
#include <fenv.h>
typedef fenv_t fg_fenv;
static fg_fenv fenv_enter(void) {
    fg_fenv saved;
    fegetenv(&saved);
    fesetenv(FE_DFL_ENV);
    return saved;
}
static void fenv_leave(fg_fenv saved) { fesetenv(&saved); }
#endif

/* ---- strides ------------------------------------------------------------- */

enum { MOST_OPERANDS = 6, BLOCK_BYTES = 2048 };

/* Every second element of the first 2n, or of a part of them; returns of how many.
 * What lies between is read with them, so the last is left, after which nothing
 * may be.  Complex numbers and interleaved gates come so: one load and one store for
 * each element would cost as much as the function does. */
#if defined(__x86_64__) || defined(_M_X64)
static size_t copy_seconds(size_t n, int size, const char *from, char *to) {
    const size_t lanes = 16 / (size_t)size;
    size_t i = 0;
    for (; i + lanes < n; i += lanes, from += 32, to += 16) {
        __m128i a = _mm_loadu_si128((const __m128i *)from);
        __m128i b = _mm_loadu_si128((const __m128i *)(from + 16));
        if (size == 2) { /* sign-extended, so that nothing saturates */
            a = _mm_srai_epi32(_mm_slli_epi32(a, 16), 16);
            b = _mm_srai_epi32(_mm_slli_epi32(b, 16), 16);
            a = _mm_packs_epi32(a, b);
        } else if (size == 4) {
            a = _mm_castps_si128(
                _mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), _MM_SHUFFLE(2, 0, 2, 0)));
        } else a = _mm_unpacklo_epi64(a, b);
        _mm_storeu_si128((__m128i *)to, a);
    }
    return i;
}
#elif defined(__aarch64__) && defined(__GNUC__)
static size_t copy_seconds(size_t n, int size, const char *from, char *to) {
    const size_t lanes = 16 / (size_t)size;
    size_t i = 0;
    for (; i + lanes < n; i += lanes, from += 32, to += 16) {
        uint8x16_t a = vld1q_u8((const uint8_t *)from), b = vld1q_u8((const uint8_t *)from + 16);
        if (size == 2)
            a = vreinterpretq_u8_u16(vuzp1q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)));
        else if (size == 4)
            a = vreinterpretq_u8_u32(vuzp1q_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b)));
        else a = vreinterpretq_u8_u64(vuzp1q_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b)));
        vst1q_u8((uint8_t *)to, a);
    }
    return i;
}
#else
static size_t copy_seconds(size_t n, int size, const char *from, char *to) {
    return (void)n, (void)size, (void)from, (void)to, 0;
}
#endif

/* Copies n elements; a stride may be zero, negative or odd. */
static void copy(size_t n, int size, const char *from, ptrdiff_t from_step, char *to,
                 ptrdiff_t to_step) {
    if (from_step == 2 * size && to_step == size) {
        const size_t done = copy_seconds(n, size, from, to);
        n -= done, from += done * 2 * (size_t)size, to += done * (size_t)size;
    }
#define FG_COPY(bytes)                                                                             \
    for (; n; n--, from += from_step, to += to_step) memcpy(to, from, bytes)
    if (size == 2) FG_COPY(2);
    else if (size == 4) FG_COPY(4);
    else FG_COPY(8);
#undef FG_COPY
}

/* The bytes that an operand covers: first and one past the last. */
static void extent(size_t n, int size, char *arg, ptrdiff_t stride, uintptr_t *first,
                   uintptr_t *end) {
    uintptr_t a = (uintptr_t)arg, b = a + (uintptr_t)stride * (n - 1);
    *first = a < b ? a : b;
    *end = (a < b ? b : a) + (uintptr_t)size;
}

static size_t common_divisor(size_t a, size_t b) {
    while (b) {
        size_t rest = a % b;
        a = b, b = rest;
    }
    return a;
}

/* May two operands share a byte?  Elements lie apart by the distance of the first two,
 * d, plus a multiple of g, which divides both strides: never by less than a size if d
 * modulo g is that far from 0 and from g.  With strides of one length, as fields of
 * records and interleaved gates have, "may" is "do". */
static int share_bytes(size_t n, int size, char *a, ptrdiff_t a_step, char *b, ptrdiff_t b_step) {
    uintptr_t first_a, end_a, first_b, end_b;
    extent(n, size, a, a_step, &first_a, &end_a);
    extent(n, size, b, b_step, &first_b, &end_b);
    if (first_a >= end_b || first_b >= end_a) return 0;
    const size_t g = common_divisor((size_t)(a_step < 0 ? -a_step : a_step),
                                    (size_t)(b_step < 0 ? -b_step : b_step));
    if (g == 0) return 1;
    const size_t d =
        (first_a < first_b ? (size_t)(first_b - first_a) : (size_t)(first_a - first_b)) % g;
    return d < (size_t)size || g - d < (size_t)size;
}

/* Does an output share bytes with another operand otherwise than element on element?
 * An output on itself (stride 0) or on another output counts as well. */
static int overlap(fg_loop *loop, size_t n, char *const *args, const ptrdiff_t *strides) {
    for (int o = loop->inputs; o < loop->inputs + loop->outputs; o++) {
        if (strides[o] > -loop->size && strides[o] < loop->size) return 1;
        for (int i = 0; i < o; i++) {
            if (args[i] == args[o] && strides[i] == strides[o] && i < loop->inputs) continue;
            if (share_bytes(n, loop->size, args[i], strides[i], args[o], strides[o])) return 1;
        }
    }
    return 0;
}

/* In blocks: operands that are not contiguous go through a buffer. */
static void run_blocks(fg_loop *loop, size_t n, size_t block, char *const *args,
                       const ptrdiff_t *strides) {
    FG_ALIGN(64) char buffer[MOST_OPERANDS][BLOCK_BYTES];
    char *at[MOST_OPERANDS], *span[MOST_OPERANDS];
    int count = loop->inputs + loop->outputs;
    memcpy(at, args, (size_t)count * sizeof *at);
    for (; n; n -= block) {
        if (block > n) block = n;
        for (int i = 0; i < count; i++) {
            span[i] = strides[i] == loop->size ? at[i] : buffer[i];
            if (i < loop->inputs && span[i] != at[i])
                copy(block, loop->size, at[i], strides[i], span[i], loop->size);
        }
        loop->span(block, span);
        for (int i = 0; i < count; i++) {
            if (i >= loop->inputs && span[i] != at[i])
                copy(block, loop->size, span[i], loop->size, at[i], strides[i]);
            at[i] += strides[i] * (ptrdiff_t)block;
        }
    }
}

/* ---- several threads -------------------------------------------------------- */

/* Parts of large arrays are long enough for their spans to ask for lines ahead (STREAM in
 * target.h): by parts of 64 KB two threads were hardly faster than one at 64 MB. */
enum { CACHE_LINE = 64, LARGE_PART = 1 << 19 };

struct work {
    fg_loop *loop;
    size_t n, part, skew; /* part i begins at element i * part - skew */
    int contiguous;
    char *const *args;
    const ptrdiff_t *strides;
};

static void run_part(const void *context, long i) {
    const struct work *work = context;
    fg_loop *loop = work->loop;
    size_t begin = i ? (size_t)i * work->part - work->skew : 0;
    size_t end = ((size_t)i + 1) * work->part - work->skew;
    if (end > work->n) end = work->n;
    char *args[MOST_OPERANDS];
    for (int a = 0; a < loop->inputs + loop->outputs; a++)
        args[a] = work->args[a] + work->strides[a] * (ptrdiff_t)begin;
    fg_fenv saved = fenv_enter();
    if (work->contiguous) loop->span(end - begin, args);
    else run_blocks(loop, end - begin, BLOCK_BYTES / (size_t)loop->size, args, work->strides);
    fenv_leave(saved);
}

int fg_run_shared(int threads, fg_loop *loop, size_t n, int contiguous, char *const *args,
                  const ptrdiff_t *strides) {
    size_t size = (size_t)loop->size, part = n * size / (2 * (size_t)threads);
    part = (part < FG_PART_BYTES ? FG_PART_BYTES : part > LARGE_PART ? LARGE_PART : part) / size;
    /* Parts of a contiguous result meet where its cache lines do. */
    size_t skew = (uintptr_t)args[loop->inputs] % CACHE_LINE / size;
    struct work work = {loop, n, part, skew, contiguous, args, strides};
    return fg_share(threads, (long)((n + skew + part - 1) / part), run_part, &work);
}

/* How many threads were asked for and pay. */
static int count_threads(size_t bytes) {
    int threads = fg_get_num_threads();
    if (threads == 1) return 1;
    int cpus = fg_count_cpus();
    if (threads > cpus) threads = cpus;
    size_t shares = bytes / FG_SHARE_BYTES;
    return (size_t)threads > shares ? (int)shares : threads;
}

/* Shares the work with other threads where that was asked for and pays. */
FG_NOINLINE int run_large(fg_loop *loop, size_t n, int contiguous, char *const *args,
                          const ptrdiff_t *strides) {
    return fg_run_shared(count_threads(n * (size_t)loop->size), loop, n, contiguous, args, strides);
}

struct parts {
    fg_part *part;
    const void *context;
    fg_fenv environment; /* the caller's */
};

static void run_in_environment(const void *context, long i) {
    const struct parts *parts = context;
    fg_fenv own = fenv_enter();
    fenv_leave(parts->environment);
    parts->part(parts->context, i);
    fenv_enter(); /* from whatever it is, as fenv_leave() wants it */
    fenv_leave(own);
}

void fg_run_parts(size_t bytes, long parts, fg_part *part, const void *context) {
    struct parts all = {part, context, fenv_enter()};
    fenv_leave(all.environment);
    if (!fg_share(count_threads(bytes), parts, run_in_environment, &all))
        for (long i = 0; i < parts; i++) part(context, i);
}

void fg_run(fg_loop *loop, size_t n, char *const *args, const ptrdiff_t *strides) {
    if (n == 0) return;
    fg_fenv saved = fenv_enter();
    int contiguous = 1;
    for (int i = 0; i < loop->inputs + loop->outputs; i++) contiguous &= strides[i] == loop->size;
    if (n > 1 && overlap(loop, n, args, strides)) run_blocks(loop, n, 1, args, strides);
    else if (n >= 2 * FG_SHARE_BYTES / (size_t)loop->size &&
             run_large(loop, n, contiguous, args, strides)) { /* done */
    } else if (contiguous || n == 1) loop->span(n, args);
    else run_blocks(loop, n, BLOCK_BYTES / (size_t)loop->size, args, strides);
    fenv_leave(saved);
}
