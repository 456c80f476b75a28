/* threshold.c: from which size on two threads are faster than one.  For each
 * size: the median times of both, in turns, and their ratio.  Calls follow one
 * another with a pause, as in a program that does other work between them: a
 * sleeping thread has to be woken each time.
 *
 *   threshold [function] [microseconds of other work, by default 200]
 *
 * make -C c/tests threshold runs it; half the answer is SHARE_BYTES in
 * c/src/dispatch.c. */
#define _POSIX_C_SOURCE 200112L
#include <math.h>
#include <time.h>

#include "testing.h"
#include "threads.h"

enum { ROUNDS = 101, MOST = 1 << 22 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times) {
    qsort(times, ROUNDS, sizeof *times, compare);
    return times[ROUNDS / 2];
}

/* The time of one call, after other work. */
static double call(fg_loop *loop, size_t n, char *const *args, int threads, double other) {
    const ptrdiff_t strides[] = {loop->size, loop->size};
    double start = now();
    while (now() < start + other) {
    }
    start = now();
    if (threads == 1) fg_run(loop, n, args, strides);
    else if (!fg_run_shared(threads, loop, n, 1, args, strides)) return NAN; /* a single part */
    return now() - start;
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "gelu";
    double other = argc > 2 ? atof(argv[2]) : 200;
    int f = 0;
    while (f < FG_FUNCTIONS && strcmp(fg_functions[f].name, name)) f++;
    if (f == FG_FUNCTIONS) return fprintf(stderr, "no function %s\n", name), 2;
    if (fg_count_cpus() < 2) return fprintf(stderr, "this needs two CPUs\n"), 2;

    fg_set_num_threads(1);
    char *args[] = {malloc(MOST * 8), malloc(MOST * 8)};
    printf("%-6s %9s %10s %10s %10s %7s\n", name, "elements", "KB", "1 (us)", "2 (us)", "ratio");
    for (int d = 0; d < FG_DTYPES; d++) {
        const struct dtype *t = &dtypes[d];
        fg_loop *loop = &fg_best_target()->loops[f][d];
        uint64_t one = (uint64_t)((1 << (t->exponent - 1)) - 1) << t->significand;
        for (size_t i = 0; i < MOST; i++) /* 1 <= |x| < 2: no rare lanes */
            put_element(t, args[0] + i * t->size,
                        one | (mix64(i) & (((uint64_t)1 << t->significand) - 1)));
        memset(args[1], 0, MOST * 8);
        for (size_t n = 1 << 13; n <= MOST; n *= 2) {
            double times[2][ROUNDS];
            for (int r = 0; r < ROUNDS; r++)
                for (int threads = 1; threads <= 2; threads++)
                    times[threads - 1][r] = call(loop, n, args, threads, other);
            double single = median(times[0]), two = median(times[1]);
            printf("%-6s %9zu %10zu %10.1f %10.1f %7.2f\n", t->name, n, n * t->size / 1024, single,
                   two, single / two);
            fflush(stdout);
        }
    }
    return 0;
}
