/* environment.c: whatever floating-point state the calling thread has
 * (rounding mode, flush-to-zero, traps, flags), results have the same bits, no
 * trap fires, and the state afterwards is exactly what it was: no flag is
 * added and none is lost. */
#include <signal.h>
#include <unistd.h>

#include "testing.h"

/* The state as one number: control bits, and the flags raised so far. */
/* clang-format off */
#if defined(__SSE2__)
#include <immintrin.h>
enum {
    ROUND_DOWN = 0x2000, ROUND_UP = 0x4000, ROUND_TO_ZERO = 0x6000,
    FLUSH_RESULTS = 0x8000, FLUSH_INPUTS = 0x0040, DEFAULT_NAN = 0,
    FLAGS = 0x003f, TRAPS = 0x1f80, /* a trap is enabled by a 0 here */
    DEFAULT = 0x1f80,
};
static uint64_t get_state(void) { return _mm_getcsr(); }
static void set_state(uint64_t s) { _mm_setcsr((unsigned)s); }

#elif defined(__aarch64__)
/* FPCR, with FPSR's flags in the bits FPCR does not use (moved up by 32). */
#define FLAGS (UINT64_C(0x9f) << 32)
enum {
    ROUND_UP = 1 << 22, ROUND_DOWN = 2 << 22, ROUND_TO_ZERO = 3 << 22,
    FLUSH_RESULTS = 1 << 24, FLUSH_INPUTS = 1 << 19 /* float16 */, DEFAULT_NAN = 1 << 25,
    TRAPS = 0x9f00, DEFAULT = 0,
};
static uint64_t get_state(void) {
    uint64_t control, status;
    __asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(control), "=r"(status)::"memory");
    return control | (status << 32 & FLAGS);
}
static void set_state(uint64_t s) {
    __asm__ volatile("msr fpcr, %0\n\tmsr fpsr, %1" ::"r"(s & 0xffffffff), "r"(s >> 32) : "memory");
}

#elif defined(__arm__) && defined(__ARM_FP)
enum {
    ROUND_UP = 1 << 22, ROUND_DOWN = 2 << 22, ROUND_TO_ZERO = 3 << 22,
    FLUSH_RESULTS = 1 << 24, FLUSH_INPUTS = 0, DEFAULT_NAN = 1 << 25,
    FLAGS = 0x9f, TRAPS = 0x9f00, DEFAULT = 0,
};
static uint64_t get_state(void) {
    uint32_t s;
    __asm__ volatile("vmrs %0, fpscr" : "=r"(s)::"memory");
    return s & ~UINT32_C(0xf0000000); /* less the outcome of the last comparison */
}
static void set_state(uint64_t s) {
    __asm__ volatile("vmsr fpscr, %0" ::"r"((uint32_t)s) : "memory");
}

#else
/* ISO C knows rounding modes and flags only. */
#include <fenv.h>
#define ROUND_UP ((uint64_t)FE_UPWARD << 32)
#define ROUND_DOWN ((uint64_t)FE_DOWNWARD << 32)
#define ROUND_TO_ZERO ((uint64_t)FE_TOWARDZERO << 32)
enum { FLAGS = FE_ALL_EXCEPT, FLUSH_RESULTS = 0, FLUSH_INPUTS = 0, DEFAULT_NAN = 0, TRAPS = 0,
       DEFAULT = 0 };
static uint64_t get_state(void) {
    return (uint64_t)fegetround() << 32 | (unsigned)fetestexcept(FE_ALL_EXCEPT);
}
static void set_state(uint64_t s) {
    fesetround((int)(s >> 32));
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept((int)(s & FE_ALL_EXCEPT));
}
#endif
/* clang-format on */

static const struct {
    const char *name;
    uint64_t state;
} states[] = {
    {"the default", DEFAULT},
    {"rounding up", DEFAULT | ROUND_UP},
    {"rounding down", DEFAULT | ROUND_DOWN},
    {"rounding to zero", DEFAULT | ROUND_TO_ZERO},
    {"results flushed to zero", DEFAULT | FLUSH_RESULTS},
    {"inputs flushed to zero", DEFAULT | FLUSH_INPUTS},
    {"both flushed, rounding up", DEFAULT | FLUSH_RESULTS | FLUSH_INPUTS | ROUND_UP},
    {"default NaNs", DEFAULT | DEFAULT_NAN},
    {"all flags raised", DEFAULT | FLAGS},
    {"some flags raised, rounding down", (DEFAULT | ROUND_DOWN) | (FLAGS & (FLAGS >> 2))},
    {"all traps enabled", DEFAULT ^ TRAPS},
    {"all traps enabled, rounding up", (DEFAULT ^ TRAPS) | ROUND_UP},
};

enum { STATES = sizeof states / sizeof states[0], SAMPLES = 4096 };

static char current[200]; /* the case at hand */
static int failures;

static void on_trap(int signal_number) {
    (void)signal_number;
    static const char message[] = "FAILED: trapped: ";
    ssize_t r = write(1, message, sizeof message - 1);
    r = write(1, current, strlen(current));
    _exit(r >= 0 ? 1 : 2);
}

static void fail(const char *what) {
    printf("FAILED: %s: %s", what, current);
    failures++;
}

/* fg_run in a state; checks that the state survives.  No floating-point
 * arithmetic may stand between the two set_state: it would change the flags. */
static void run_in(uint64_t state, fg_loop *loop, size_t n, char *const *args,
                   const ptrdiff_t *strides) {
    set_state(state);
    const uint64_t before = get_state(); /* a machine may not have all the bits */
    fg_run(loop, n, args, strides);
    const uint64_t after = get_state();
    set_state(DEFAULT);
    if (after == before) return;
    char message[80];
    snprintf(message, sizeof message, "state was %#llx, is %#llx", (unsigned long long)before,
             (unsigned long long)after);
    fail(message);
}

/* Inputs, outputs as they should be, outputs with every second element unused. */
static char x[MOST_INPUTS][SAMPLES * 8], y[MOST_OUTPUTS][SAMPLES * 8];
static char z[MOST_OUTPUTS][2 * SAMPLES * 8];

static void check(const struct dtype *t, fg_loop *loop) {
    const ptrdiff_t size = (ptrdiff_t)t->size;
    const int inputs = loop->inputs, operands = inputs + loop->outputs;
    char *rest = strchr(current, ':'), *args[MOST_OPERANDS], *wanted[MOST_OPERANDS];
    ptrdiff_t steps[MOST_OPERANDS], apart[MOST_OPERANDS];
    set_state(DEFAULT);
    for (int j = 0; j < operands; j++) {
        args[j] = j < inputs ? x[j] : z[j - inputs];
        wanted[j] = j < inputs ? x[j] : y[j - inputs];
        steps[j] = size;
        apart[j] = j < inputs ? size : 2 * size;
        for (size_t i = 0; j < inputs && i < SAMPLES; i++) { /* special values meet each other */
            const size_t k = i < SPECIALS * SPECIALS && j
                                 ? (i / SPECIALS + (size_t)j - 1) % SPECIALS
                                 : i + SAMPLES * (size_t)j;
            put_element(t, x[j] + i * t->size, sample(t, j ? k : i));
        }
    }
    fg_run(loop, SAMPLES, wanted, steps);

    for (int s = 0; s < STATES; s++) {
        sprintf(rest, ": %s, an array\n", states[s].name);
        run_in(states[s].state, loop, SAMPLES, args, steps);
        for (int j = 0; j < loop->outputs; j++)
            if (memcmp(y[j], z[j], SAMPLES * t->size)) fail("other bits");

        sprintf(rest, ": %s, a strided array\n", states[s].name);
        run_in(states[s].state, loop, SAMPLES, args, apart);
        for (int j = 0; j < loop->outputs; j++) {
            for (size_t i = 0; i < SAMPLES; i++) {
                const char *p = z[j] + 2 * i * t->size;
                if (get_element(t, y[j] + i * t->size) == get_element(t, p)) continue;
                fail("other bits");
                break;
            }
        }
        for (size_t i = 0; i < SAMPLES; i++) {
            char *one[MOST_OPERANDS];
            for (int j = 0; j < operands; j++) one[j] = args[j] + (j < inputs ? i * t->size : 0);
            sprintf(rest, ": %s, x = %#llx alone\n", states[s].name,
                    (unsigned long long)get_element(t, one[0]));
            run_in(states[s].state, loop, 1, one, steps);
            for (int j = 0; j < loop->outputs; j++)
                if (memcmp(y[j] + i * t->size, z[j], t->size)) fail("other bits");
            if (failures > 20) exit(1);
        }
    }
}

int main(void) {
    signal(SIGFPE, on_trap);
    FOR_EACH_TARGET(target) {
        for (int s = 0; s < SUBJECTS; s++) {
            for (int d = 0; d < FG_DTYPES; d++) {
                snprintf(current, sizeof current, "%s %s %s:", target->name, subject_name(s),
                         dtypes[d].name);
                check(&dtypes[d], subject_loop(target, s, d));
            }
        }
        if (failures == 0) {
            printf("%-8s %d functions, the same bits in %d floating-point states, each left as it "
                   "was found\n",
                   target->name, (int)SUBJECTS, (int)STATES);
        }
        fflush(stdout);
    }
    return failures != 0;
}
