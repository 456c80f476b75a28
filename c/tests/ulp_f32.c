/* ulp_f32.c: the float32 error of every function, over every stride-th of the
 * 2^32 inputs (and some samples, special values among them) or over all of
 * them, against the exact function.
 *
 *   ulp_f32 [--all | --stride N] [--offset N] [--isa NAME|all] [--function NAME] [--threads N]
 *           [--tsv FILE]
 *
 * The error is in units in the last place of the exact result; below 2^-126
 * such a unit is 2^-149.  Fails if an error reaches 1 ULP or exceeds the figure
 * in functions.def, if a sign differs (zeros have one too), or if infinities
 * and NaNs do not come out as promised.  With --all the figure must be met
 * exactly, both ways.  --tsv writes the lines of the accuracy page. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "reference.h"
#include "testing.h"

enum { BLOCK = 16384, SAMPLES = 4096 };
#define FIGURE_ROUNDING 0.0005 /* functions.def gives at least three decimals */

struct tally {
    double worst, want; /* the largest error in ULP, and the exact result there */
    uint32_t at, got;
    uint64_t tested, misrounded, wrong; /* wrong: in sign, or not the special value */
    uint32_t wrong_at, wrong_got;
};

struct job {
    fg_loop *loop;
    int function;
    uint64_t offset, stride, count;
    atomic_ullong next; /* the first input no thread has taken */
    struct tally total;
    pthread_mutex_t lock;
};

static float from_bits(uint32_t u) {
    float x;
    memcpy(&x, &u, sizeof x);
    return x;
}

static uint32_t to_bits(float x) {
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

static uint32_t special_result(int function, uint32_t x) {
    const struct fg_function_info *f = &fg_functions[function];
    if ((x & 0x7fffffff) > 0x7f800000) return x | 0x00400000; /* the same NaN, quiet */
    if (x >> 31) return to_bits((float)strtod(f->left, NULL));
    if (strcmp(f->form, "FORWARD") == 0) return 0x7f800000;
    return to_bits((float)reference(function, FLT_MAX)); /* it has reached its limit there */
}

static void mark_wrong(struct tally *r, uint32_t x, uint32_t got) {
    if (r->wrong++ == 0) r->wrong_at = x, r->wrong_got = got;
}

/* 1/ULP of a result y: ULP is 2^-23 of y's power of two, at least 2^-149. */
static double inverse_ulp(double y) {
    uint64_t u;
    memcpy(&u, &y, sizeof u);
    uint64_t e = u >> 52 & 0x7ff;
    if (e < 1023 - 126) e = 1023 - 126;
    u = (1023 + 1023 + 23 - e) << 52;
    memcpy(&y, &u, sizeof y);
    return y;
}

static void judge(struct tally *r, int function, uint32_t x_bits, uint32_t got) {
    r->tested++;
    if ((x_bits & 0x7f800000) == 0x7f800000) {
        if (got != special_result(function, x_bits)) mark_wrong(r, x_bits, got);
        return;
    }
    const double x = (double)from_bits(x_bits), y = reference(function, x);
    if (!reference_is_sharp(x, y)) {
        r->tested--;
        return;
    }
    const double error = fabs((double)from_bits(got) - y) * inverse_ulp(y);
    if (got >> 31 != (signbit(y) != 0) || error != error) {
        mark_wrong(r, x_bits, got);
        return;
    }
    r->misrounded += from_bits(got) != (float)y;
    if (error > r->worst) r->worst = error, r->want = y, r->at = x_bits, r->got = got;
}

/* Runs and judges one block of inputs. */
static void judge_block(struct tally *r, const struct job *job, const uint32_t *x, size_t n) {
    static _Thread_local uint32_t y[BLOCK];
    run_loop(job->loop, n, x, sizeof x[0], y, sizeof y[0]);
    for (size_t i = 0; i < n; i++) judge(r, job->function, x[i], y[i]);
}

static void merge(struct tally *a, const struct tally *b) {
    if (b->worst > a->worst || (b->worst == a->worst && b->at < a->at)) {
        a->worst = b->worst, a->want = b->want, a->at = b->at, a->got = b->got;
    }
    if (b->wrong && (!a->wrong || b->wrong_at < a->wrong_at)) {
        a->wrong_at = b->wrong_at, a->wrong_got = b->wrong_got;
    }
    a->tested += b->tested, a->misrounded += b->misrounded, a->wrong += b->wrong;
}

static void *work(void *argument) {
    struct job *job = argument;
    struct tally mine = {0};
    static _Thread_local uint32_t x[BLOCK];
    for (uint64_t first; (first = atomic_fetch_add(&job->next, BLOCK)) < job->count;) {
        const size_t n = job->count - first < BLOCK ? (size_t)(job->count - first) : BLOCK;
        for (size_t i = 0; i < n; i++) x[i] = (uint32_t)(job->offset + (first + i) * job->stride);
        judge_block(&mine, job, x, n);
    }
    pthread_mutex_lock(&job->lock);
    merge(&job->total, &mine);
    pthread_mutex_unlock(&job->lock);
    return NULL;
}

static void run(struct job *job, int threads) {
    pthread_t id[threads];
    pthread_mutex_init(&job->lock, NULL);
    if (job->stride != 1) { /* it may step over the special values */
        uint32_t x[SAMPLES];
        for (size_t i = 0; i < SAMPLES; i++) x[i] = (uint32_t)sample(&dtypes[FG_F32], i);
        judge_block(&job->total, job, x, SAMPLES);
    }
    for (int i = 0; i < threads; i++) {
        if (pthread_create(&id[i], NULL, work, job)) perror("pthread_create"), exit(2);
    }
    for (int i = 0; i < threads; i++) pthread_join(id[i], NULL);
    pthread_mutex_destroy(&job->lock);
}

/* Prints a line or more about the finished job; returns whether all is well. */
static int report(const struct job *job, const char *target, FILE *tsv) {
    const struct tally *r = &job->total;
    const struct fg_function_info *f = &fg_functions[job->function];
    int ok = 1;
    printf("%-16s %-8s worst %.4f ULP at %a (%.9g): got %.9g, want %.12g; "
           "%llu of %llu (%.3f %%) not correctly rounded\n",
           f->name, target, r->worst, (double)from_bits(r->at), (double)from_bits(r->at),
           (double)from_bits(r->got), r->want, (unsigned long long)r->misrounded,
           (unsigned long long)r->tested, 100.0 * (double)r->misrounded / (double)r->tested);
    if (tsv) {
        fprintf(tsv, "error\t%s\tf32\t%.4f\t%.9g\t%.9g\t%.12g\t%llu\t%llu\n", f->name, r->worst,
                (double)from_bits(r->at), (double)from_bits(r->got), r->want,
                (unsigned long long)r->misrounded, (unsigned long long)r->tested);
    }
    if (r->wrong) {
        printf("    FAILED: %llu special values or signs differ, first f(%#010x) = %#010x\n",
               (unsigned long long)r->wrong, (unsigned)r->wrong_at, (unsigned)r->wrong_got);
        ok = 0;
    }
    if (!(r->worst < 1.0)) {
        printf("    FAILED: not below 1 ULP\n");
        ok = 0;
    }
    const int complete = job->stride == 1 && job->offset == 0;
    if (f->ulp32 != 0 && (r->worst > f->ulp32 + FIGURE_ROUNDING ||
                          (complete && r->worst < f->ulp32 - FIGURE_ROUNDING))) {
        printf("    FAILED: functions.def says %.4f\n", f->ulp32);
        ok = 0;
    }
    fflush(stdout);
    return ok;
}

int main(int argc, char **argv) {
    const char *isa = NULL, *only = NULL, *path = NULL;
    uint64_t stride = 251, offset = 0;
    long threads = sysconf(_SC_NPROCESSORS_ONLN);
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(option, "--all") == 0) {
            stride = 1;
            continue;
        }
        i++;
        if (strcmp(option, "--stride") == 0) stride = strtoull(value, NULL, 0);
        else if (strcmp(option, "--offset") == 0) offset = strtoull(value, NULL, 0);
        else if (strcmp(option, "--isa") == 0) isa = value;
        else if (strcmp(option, "--function") == 0) only = value;
        else if (strcmp(option, "--tsv") == 0) path = value;
        else if (strcmp(option, "--threads") == 0) threads = strtol(value, NULL, 0);
        else return fprintf(stderr, "unknown option %s\n", option), 2;
    }
    if (stride < 1 || offset >> 32) return fprintf(stderr, "nothing to test\n"), 2;
    if (threads < 1) threads = 1;
    FILE *tsv = path ? fopen(path, "w") : NULL;
    if (path && !tsv) return perror(path), 2;

    int jobs = 0, failures = 0;
    FOR_EACH_TARGET(target) {
        if (isa ? strcmp(isa, "all") && strcmp(isa, target->name) : target != fg_best_target()) {
            continue;
        }
        for (int f = 0; f < FG_FUNCTIONS; f++) {
            if (only && strcmp(only, fg_functions[f].name)) continue;
            struct job job = {.loop = &target->loops[f][FG_F32],
                              .function = f,
                              .offset = offset,
                              .stride = stride,
                              .count = ((UINT64_C(1) << 32) - offset + stride - 1) / stride};
            run(&job, (int)threads);
            failures += !report(&job, target->name, tsv);
            jobs++;
        }
    }
    if (tsv && fclose(tsv)) return perror(path), 2;
    if (jobs == 0) return fprintf(stderr, "no such function, or no such target here\n"), 2;
    return failures != 0;
}
