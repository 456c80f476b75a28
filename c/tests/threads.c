/* threads.c: the pool.  Every part of a job is done once; results have the same
 * bits at any number of threads; a second caller runs alone; the threads keep to
 * the caller's CPUs, take no signals, and compute in the default floating-point
 * environment wherever they were started; a forked child has a pool of its own. */
#define _GNU_SOURCE /* sched_getaffinity */
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "testing.h"
#include "threads.h"

/* Under ThreadSanitizer (make tsan) the kernels are out of its sight, so a loop
 * of this file is run in their place; and there are no forks, since it does not
 * follow threads into a child of a process that has some. */
#if defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

static void plain_span(size_t n, char *const *args) {
    for (size_t i = 0; i < n; i++) ((float *)args[1])[i] = -((const float *)args[0])[i];
}
static fg_loop plain_loop = {plain_span, 1, 1, 4};

static int failures;
static void fail(const char *what) {
    printf("FAILED: %s\n", what);
    failures++;
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the count --------------------------------------------------------------- */

static void check_count(void) {
    if (fg_get_num_threads() != 1) fail("the default is not 1");
    if (fg_set_num_threads(3) || fg_get_num_threads() != (FG_HAVE_THREADS ? 3 : 1))
        fail("3 threads");
    if (!fg_set_num_threads(0) || !fg_set_num_threads(-1) ||
        !fg_set_num_threads(FG_MOST_THREADS + 1))
        fail("a count that cannot be was taken");
    if (fg_get_num_threads() != (FG_HAVE_THREADS ? 3 : 1)) fail("a refused count had an effect");
    if (fg_set_num_threads(FG_MOST_THREADS) || fg_set_num_threads(1)) fail("a count was refused");
}

/* FASTGELU_NUM_THREADS, each value in a process of its own. */
static void check_environment_variable(void) {
    static const struct {
        const char *value;
        int count;
    } cases[] = {{"2", 2},
                 {"1024", 1024},
                 {"1", 1},
                 {"0", 1},
                 {"-2", 1},
                 {"+2", 1},
                 {" 2", 1},
                 {"2x", 1},
                 {"", 1},
                 {"1025", 1},
                 {"99999999999999999999", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fflush(stdout);
        if (fork() == 0) {
            setenv("FASTGELU_NUM_THREADS", cases[i].value, 1);
            _exit(fg_get_num_threads() != (FG_HAVE_THREADS ? cases[i].count : 1));
        }
        int status;
        wait(&status);
        if (status) fail(cases[i].value);
    }
}

/* ---- jobs --------------------------------------------------------------------- */

enum { MOST_PARTS = 1000 };
static _Atomic int done[MOST_PARTS];

static void mark(const void *context, long i) {
    (void)context;
    done[i]++;
}

static void check_each_part_once(void) {
    for (int threads = 0; threads <= 9; threads++) {
        for (long parts = 0; parts <= MOST_PARTS; parts = parts < 20 ? parts + 1 : parts + 49) {
            int expected = fg_share(threads, parts, mark, NULL);
            if (expected != (threads > 1 && parts > 1)) fail("shared, or not, against the rule");
            for (long i = 0; i < MOST_PARTS; i++) {
                if (done[i] != (i < parts ? expected : 0)) fail("a part was not done once");
                done[i] = 0;
            }
        }
    }
}

/* Each part waits for all others to have begun: that many threads are at work. */
static _Atomic int begun;
static void meet(const void *parts, long i) {
    (void)i;
    begun++;
    double start = seconds();
    while (begun < *(const int *)parts)
        if (seconds() > start + 60) {
            printf("FAILED: only %d threads came\n", begun);
            exit(1);
        }
}

static void check_all_come(void) {
    for (int threads = 2; threads <= 8; threads++) {
        for (int round = 0; round < 20; round++) {
            begun = 0;
            if (!fg_share(threads, threads, meet, &threads)) fail("not shared");
        }
    }
}

/* While a job runs, another caller is turned away. */
static void try_again(const void *context, long i) {
    (void)i;
    if (fg_share(2, 2, mark, context)) fail("two jobs at a time");
}

/* ---- the threads' surroundings -------------------------------------------------- */

static pthread_t caller;

static void look_at_signals(const void *two, long i) {
    meet(two, i); /* so that one part falls to another thread */
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    if (pthread_equal(pthread_self(), caller)) return;
    if (!sigismember(&blocked, SIGINT) || !sigismember(&blocked, SIGALRM))
        fail("a thread of the pool would take signals");
    if (sigismember(&blocked, SIGSEGV)) fail("a thread of the pool would hide its faults");
}

static void check_signals(void) {
    int two = 2;
    caller = pthread_self();
    begun = 0;
    if (!fg_share(2, 2, look_at_signals, &two)) fail("not shared");
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    if (sigismember(&blocked, SIGINT)) fail("the caller's signals stay blocked");
}

#ifdef __linux__
/* A helper may run on the caller's CPUs but the one that the caller was on, if
 * there is another. */
static cpu_set_t allowed;
static void look_at_cpus(const void *two, long i) {
    meet(two, i);
    cpu_set_t mine, both;
    sched_getaffinity(0, sizeof mine, &mine);
    CPU_AND(&both, &mine, &allowed);
    if (!CPU_EQUAL(&both, &mine)) fail("a thread may run on other CPUs than the caller");
    int fewer = CPU_COUNT(&allowed) - CPU_COUNT(&mine);
    if (fewer != (!pthread_equal(pthread_self(), caller) && CPU_COUNT(&allowed) > 1))
        fail("a thread may not run on as many CPUs as it should");
}

static void check_cpus(void) {
    int two = 2;
    cpu_set_t all;
    caller = pthread_self();
    sched_getaffinity(0, sizeof all, &all);
    if (fg_count_cpus() != CPU_COUNT(&all)) fail("miscounted the CPUs");
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &all)) continue;
        CPU_ZERO(&allowed);
        CPU_SET(cpu, &allowed);
        sched_setaffinity(0, sizeof allowed, &allowed);
        if (fg_count_cpus() != 1) fail("more than the one CPU that is allowed");
        begun = 0;
        if (!fg_share(2, 2, look_at_cpus, &two)) fail("not shared");
    }
    allowed = all;
    sched_setaffinity(0, sizeof allowed, &allowed);
    begun = 0;
    if (!fg_share(2, 2, look_at_cpus, &two)) fail("not shared");
}
#else
static void check_cpus(void) {}
#endif

/* ---- bits ---------------------------------------------------------------------- */

enum { ELEMENTS = 150001, BYTES = ELEMENTS * 8 + 64, OPERANDS = 6 };
static char *input[OPERANDS], *want[OPERANDS], *result[OPERANDS];

static void allocate(void) {
    for (int i = 0; i < OPERANDS; i++) {
        input[i] = calloc(1, BYTES), want[i] = calloc(1, BYTES), result[i] = calloc(1, BYTES);
        if (!input[i] || !want[i] || !result[i]) exit(2);
    }
}

static void fill(const struct dtype *t) {
    for (int a = 0; a < OPERANDS; a++)
        for (size_t i = 0; i < ELEMENTS; i++)
            put_element(t, input[a] + i * t->size, sample(t, i + 1009 * (size_t)a));
}

/* A loop by one thread and by several, at odd sizes, shifted against the cache
 * lines, in place, and with every second element of the inputs. */
static void check_bits(const char *name, int d, fg_loop *loop) {
    static const size_t sizes[] = {65537, 149993};
    const size_t size = (size_t)loop->size;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (int variant = 0; variant < 4; variant++) {
            const int shift = variant == 1, in_place = variant == 2, strided = variant == 3;
            const size_t n = strided ? sizes[s] / 2 : sizes[s];
            char *args[OPERANDS], *expected[OPERANDS];
            ptrdiff_t strides[OPERANDS];
            for (int i = 0; i < loop->inputs + loop->outputs; i++) {
                const int is_input = i < loop->inputs;
                const size_t offset = shift ? size * (size_t)(i + 1) : 0;
                strides[i] = loop->size * (strided && is_input ? 2 : 1);
                args[i] = (is_input ? input[i] : result[i]) + offset;
                expected[i] = (is_input ? input[i] : want[i]) + offset;
            }
            fg_run(loop, n, expected, strides);
            for (int threads = 2; threads <= 8; threads += threads == 3 ? 5 : 1) {
                for (int i = loop->inputs; i < loop->inputs + loop->outputs; i++)
                    memset(result[i], 0, BYTES);
                if (in_place) {
                    memcpy(result[loop->inputs], input[0], n * size);
                    args[0] = args[loop->inputs];
                }
                if (!fg_run_shared(threads, loop, n, !strided, args, strides)) {
                    if (n * size > 1 << 17) fail("not shared");
                    continue;
                }
                for (int i = loop->inputs; i < loop->inputs + loop->outputs; i++) {
                    if (!memcmp(args[i], expected[i], n * size)) continue;
                    printf("FAILED: %s %s, %zu elements by %d threads, variant %d: other bits\n",
                           name, dtypes[d].name, n, threads, variant);
                    failures++;
                }
            }
        }
    }
}

static void check_all_bits(void) {
    const struct fg_target *target = fg_best_target();
    fill(&dtypes[FG_F32]);
    check_bits("a loop of this file", FG_F32, &plain_loop);
    for (int d = 0; d < FG_DTYPES && !SANITIZED; d++) {
        fill(&dtypes[d]);
        for (int f = 0; f < FG_FUNCTIONS; f++)
            check_bits(fg_functions[f].name, d, &target->loops[f][d]);
        for (int f = 0; f < FG_COMPOSITES; f++)
            check_bits(fg_composites[f].name, d, &target->composites[f][d]);
    }
}

/* Threads that are started, and called, while the caller rounds upwards. */
static void check_floating_point_environment(void) {
    fg_loop *loop = &fg_best_target()->loops[0][FG_F64]; /* of gelu */
    const ptrdiff_t strides[] = {8, 8};
    char *expected[] = {input[0], want[0]}, *args[] = {input[0], result[0]};
    fill(&dtypes[FG_F64]);
    fg_run(loop, ELEMENTS, expected, strides);
    memset(result[0], 0, BYTES);
    fesetround(FE_UPWARD);
    feclearexcept(FE_ALL_EXCEPT);
    int shared = fg_run_shared(9, loop, ELEMENTS, 1, args, strides); /* one more than before */
    int raised = fetestexcept(FE_ALL_EXCEPT), rounding = fegetround();
    fesetround(FE_TONEAREST);
    if (!shared) fail("not shared");
    if (memcmp(want[0], result[0], ELEMENTS * 8)) fail("other bits in another environment");
    if (raised || rounding != FE_UPWARD) fail("the caller's environment was changed");
}

/* Parts of a call, each in the caller's environment, those of threads as well that were
 * started in another; by one thread if no more was asked for, or pays, or comes. */
static int rounding_now(void) { /* of sums; fegetround() may tell of another unit's */
    volatile double one = 1, tiny = 1e-30;
    volatile double above = one + tiny, below = one - tiny; /* here and not later */
    return (above > 1) + 2 * (below < 1);
}
struct parts_test {
    int rounding, threads;
    pthread_t caller;
    _Atomic int others;
};
static void look_at_rounding(const void *context, long i) {
    const struct parts_test *test = context;
    if (!pthread_equal(pthread_self(), test->caller)) ((struct parts_test *)test)->others++;
    if (rounding_now() != test->rounding) fail("a part does not round as its caller does");
    mark(NULL, i);
    if (test->threads > 1) meet(&test->threads, i);
    feraiseexcept(FE_INEXACT);
}

static void check_parts_of_a_call(void) {
    static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_TOWARDZERO};
    int most = fg_count_cpus() < 2 ? 1 : 2;
    for (int i = 0; i < 3; i++) {
        for (int threads = 1; threads <= 2; threads++) {
            for (int large = 0; large < 2; large++) {
                int expected = large && threads < most ? threads : large ? most : 1;
                struct parts_test test = {0, expected, pthread_self(), 0};
                fg_set_num_threads(threads);
                begun = 0;
                feclearexcept(FE_ALL_EXCEPT);
                fesetround(roundings[i]);
                test.rounding = rounding_now();
                fg_run_parts(large ? 2 * FG_SHARE_BYTES : 2 * FG_SHARE_BYTES - 1,
                             expected > 1 ? expected : 3, look_at_rounding, &test);
                int rounding = rounding_now();
                fesetround(FE_TONEAREST);
                if (rounding != test.rounding) fail("the caller's rounding was changed");
                if (test.others != expected - 1) fail("not as many threads as pay");
                for (int p = 0; p < 3; p++) {
                    if (done[p] != (p < (expected > 1 ? expected : 3)))
                        fail("a part was not done once");
                    done[p] = 0;
                }
            }
        }
    }
    fg_set_num_threads(1);
}

/* ---- many callers --------------------------------------------------------------- */

enum { CALLERS = 8, LARGE = 1 << 17 };
static _Atomic int stop;
static float large_x[LARGE], large_want[LARGE];

static fg_loop *large_loop(void) {
    return SANITIZED ? &plain_loop : &fg_best_target()->loops[0][FG_F32];
}

static void *call_again(void *rounds) {
    const ptrdiff_t strides[] = {4, 4};
    float *y = malloc(sizeof large_x);
    char *args[] = {(char *)large_x, (char *)y};
    for (int r = 0; r < *(int *)rounds && !stop; r++) {
        memset(y, 0, sizeof large_x);
        fg_run(large_loop(), LARGE, args, strides);
        if (memcmp(y, large_want, sizeof large_x)) fail("other bits among several callers");
    }
    free(y);
    return NULL;
}

static void *change_count(void *rounds) {
    for (int r = 0; r < *(int *)rounds && !stop; r++) {
        if (fg_set_num_threads(r % 8 + 1)) fail("the count cannot be set");
        if (fg_get_num_threads() < 1) fail("there are no threads");
        sched_yield();
    }
    return NULL;
}

static void fill_large(void) {
    char *args[] = {(char *)large_x, (char *)large_want};
    const ptrdiff_t strides[] = {4, 4};
    for (size_t i = 0; i < LARGE; i++)
        put_element(&dtypes[FG_F32], (char *)&large_x[i], sample(&dtypes[FG_F32], i));
    fg_set_num_threads(1);
    fg_run(large_loop(), LARGE, args, strides);
}

static void check_many_callers(int rounds) {
    pthread_t threads[CALLERS + 2];
    stop = 0;
    for (int i = 0; i < CALLERS + 2; i++)
        pthread_create(&threads[i], NULL, i < CALLERS ? call_again : change_count, &rounds);
    for (int i = 0; i < CALLERS + 2; i++) pthread_join(threads[i], NULL);
    fg_set_num_threads(1);
}

/* ---- fork ------------------------------------------------------------------------ */

/* Forks while another thread calls; each child calls as well, and forks again. */
static int call_in_child(int generations) {
    const ptrdiff_t strides[] = {4, 4};
    static float y[LARGE];
    char *args[] = {(char *)large_x, (char *)y};
    int two = 2;
    begun = 0;
    if (FG_HAVE_THREADS && !fg_share(2, 2, meet, &two)) return 1; /* its own thread comes */
    fg_run(large_loop(), LARGE, args, strides);
    if (memcmp(y, large_want, sizeof y)) return 2;
    if (generations == 0) return 0;
    pid_t child = fork();
    if (child == 0) _exit(call_in_child(generations - 1));
    int status;
    return waitpid(child, &status, 0) != child || status;
}

static void check_fork(int rounds) {
    pthread_t thread;
    int many = 1 << 30;
    stop = 0;
    fg_set_num_threads(2);
    pthread_create(&thread, NULL, call_again, &many);
    for (int r = 0; r < rounds; r++) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            alarm(60);
            _exit(call_in_child(r % 10 == 0));
        }
        int status;
        if (waitpid(child, &status, 0) != child || status) fail("in a forked child");
    }
    stop = 1;
    pthread_join(thread, NULL);
    fg_set_num_threads(1);
}

/* threads [rounds of forks] */
int main(int argc, char **argv) {
    const int forks = argc > 1 ? atoi(argv[1]) : 100;
    unsetenv("FASTGELU_NUM_THREADS");
    check_environment_variable();
    check_count();
    fill_large();
    if (FG_HAVE_THREADS) {
        check_each_part_once();
        check_all_come();
        if (!fg_share(2, 100, try_again, NULL)) fail("not shared");
        check_signals();
        check_cpus();
        allocate();
        check_all_bits();
        check_floating_point_environment();
        check_parts_of_a_call();
    }
    check_many_callers(SANITIZED ? 20 : 200);
    if (!SANITIZED) check_fork(forks);
    if (failures == 0)
        printf("threads  %s: parts, bits, callers, %s\n",
               FG_HAVE_THREADS ? "1 to 9 of them" : "none in this build",
               SANITIZED ? "no data race" : "forks");
    return failures != 0;
}
