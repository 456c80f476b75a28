/* digest.c: one number for all the bits a function returns, per element type;
 * every target must give the one published in digests.txt.
 *
 *   digest [--all] [--write] [--isa NAME] [--tsv FILE] FILE
 *
 * --all adds a set, f32-all: every float32.  --write (implies --all) rewrites
 * FILE, if all targets agree.  --tsv writes the lines of the accuracy page:
 * digests, and what functions.def states of the functions it composes.
 *
 * The digest of results y[0], y[1], ... read as unsigned integers is
 *     sum over i of mix64((i + 1) * 0x9e3779b97f4a7c15 + y[i])  mod 2^64
 * with mix64 the output function of splitmix64: it depends on every bit and
 * its place, not on byte order, and can be summed in any order.
 *
 * The sets of inputs:
 *     f16      all 65,536 bit patterns, in order
 *     bf16     likewise
 *     f32      4,096 samples, then the bit patterns 0, 251, 502, ... below 2^32
 *     f32-all  all 2^32 bit patterns, in order
 *     f64      4,096 samples, then 5 * 2^20 inputs: see f64_input
 * The samples are those of testing.h and begin with the special values.
 *
 * Functions composed of others, mostly of several inputs, take tuples: all of
 * special values, then 2^18 of samples.  Their y are all outputs, in turn. */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "testing.h"

enum { BLOCK = 4096, SAMPLES = 4096, MILLION = 1 << 20 };

static uint64_t all_input(uint64_t i) { return i; }

static uint64_t f32_input(uint64_t i) {
    return i < SAMPLES ? sample(&dtypes[FG_F32], i) : 251 * (i - SAMPLES);
}

/* After the samples, 2^20 random bit patterns; as many random values with
 * 2^-8 <= |x| < 2^10; the multiples of 2^-14 in [-64, 64); those of 2^-20 in
 * [-1.5, -0.5), where derivatives have their roots. */
static uint64_t f64_input(uint64_t i) {
    if (i < SAMPLES) return sample(&dtypes[FG_F64], i);
    i -= SAMPLES;
    const uint64_t random = mix64((i + 1) * GOLDEN_GAMMA);
    if (i < MILLION) return random;
    if (i < 2 * MILLION) return (random & UINT64_C(0x800fffffffffffff)) | (1015 + i % 18) << 52;
    const double x = i < 4 * MILLION ? ((double)i - 3 * MILLION) * 0x1p-14
                                     : ((double)i - 4 * MILLION) * 0x1p-20 - 1.5;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static const struct set {
    const char *name;
    enum fg_dtype dtype;
    uint64_t count;
    uint64_t (*input)(uint64_t i);
} sets[] = {
    {"f16", FG_F16, UINT64_C(1) << 16, all_input},
    {"bf16", FG_BF16, UINT64_C(1) << 16, all_input},
    {"f32", FG_F32, SAMPLES + (UINT64_C(1) << 32) / 251 + 1, f32_input},
    {"f64", FG_F64, SAMPLES + 5 * MILLION, f64_input},
    {"f32-all", FG_F32, UINT64_C(1) << 32, all_input}, /* the last, for --all */
};
enum { SETS = sizeof sets / sizeof sets[0], MAX_TARGETS = 16, MAX_THREADS = 64 };

/* Not every float32 in tuples. */
static int has_set(int s, int set) {
    return s < FG_FUNCTIONS || sets[set].input != all_input || dtypes[sets[set].dtype].size == 2;
}

static uint64_t digests[MAX_TARGETS][SUBJECTS][SETS];

/* The j-th element of the i-th tuple. */
static uint64_t tuple_input(const struct dtype *t, int inputs, uint64_t special_tuples, uint64_t i,
                            int j) {
    if (i >= special_tuples) return sample(t, SPECIALS + i * (uint64_t)inputs + (uint64_t)j);
    for (; j; j--) i /= SPECIALS;
    return sample(t, i % SPECIALS);
}

static uint64_t digest_tuples(enum fg_dtype dtype, fg_loop *loop) {
    const struct dtype *t = &dtypes[dtype];
    const int operands = loop->inputs + loop->outputs;
    char data[MOST_OPERANDS][BLOCK * 8], *args[MOST_OPERANDS];
    ptrdiff_t strides[MOST_OPERANDS];
    uint64_t special_tuples = 1, sum = 0, place = 0;
    for (int j = 0; j < loop->inputs; j++) special_tuples *= SPECIALS;
    for (int j = 0; j < operands; j++) args[j] = data[j], strides[j] = (ptrdiff_t)t->size;
    const uint64_t count = special_tuples + MILLION / 4;
    for (uint64_t first = 0; first < count; first += BLOCK) {
        const uint64_t n = count - first < BLOCK ? count - first : BLOCK;
        for (uint64_t i = 0; i < n; i++) {
            for (int j = 0; j < loop->inputs; j++)
                put_element(t, args[j] + i * t->size,
                            tuple_input(t, loop->inputs, special_tuples, first + i, j));
        }
        fg_run(loop, (size_t)n, args, strides);
        for (uint64_t i = 0; i < n; i++) {
            for (int j = loop->inputs; j < operands; j++)
                sum += mix64(++place * GOLDEN_GAMMA + get_element(t, args[j] + i * t->size));
        }
    }
    return sum;
}

static uint64_t digest(const struct set *set, fg_loop *loop) {
    const struct dtype *t = &dtypes[set->dtype];
    const ptrdiff_t size = (ptrdiff_t)t->size;
    char x[BLOCK * 8], y[BLOCK * 8];
    uint64_t sum = 0;
    for (uint64_t first = 0; first < set->count; first += BLOCK) {
        const uint64_t n = set->count - first < BLOCK ? set->count - first : BLOCK;
        for (uint64_t i = 0; i < n; i++) put_element(t, x + i * t->size, set->input(first + i));
        run_loop(loop, (size_t)n, x, size, y, size);
        for (uint64_t i = 0; i < n; i++) {
            sum += mix64((first + i + 1) * GOLDEN_GAMMA + get_element(t, y + i * t->size));
        }
    }
    return sum;
}

/* Threads take (target, function, set) triples off one counter. */
static const struct fg_target *targets[MAX_TARGETS];
static int target_count, set_count = SETS - 1;
static atomic_int next_triple;

static void *work(void *unused) {
    for (int k; (k = next_triple++) < target_count * SUBJECTS * set_count;) {
        const int set = k % set_count, f = k / set_count % SUBJECTS;
        const int target = k / set_count / SUBJECTS;
        fg_loop *loop = subject_loop(targets[target], f, sets[set].dtype);
        if (!has_set(f, set)) continue;
        digests[target][f][set] =
            f < FG_FUNCTIONS ? digest(&sets[set], loop) : digest_tuples(sets[set].dtype, loop);
    }
    return unused;
}

/* The digest FILE gives, or 0 with a message. */
static int published(FILE *file, const char *function, const char *set, uint64_t *value) {
    char line[256], name[64], kind[64];
    rewind(file);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%63s %63s %" SCNx64, name, kind, value) == 3 && !strcmp(name, function) &&
            !strcmp(kind, set)) {
            return 1;
        }
    }
    printf("FAILED: no digest is published for %s %s\n", function, set);
    return 0;
}

static int write_file(const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) return perror(path), 1;
    fprintf(file, "# digests.txt: function, set of inputs, digest of the results, the same\n"
                  "# on every machine.  Written by digest.c, which says what that means.\n");
    for (int f = 0; f < SUBJECTS; f++) {
        for (int s = 0; s < SETS; s++) {
            if (has_set(f, s))
                fprintf(file, "%-24s %-8s %016" PRIx64 "\n", subject_name(f), sets[s].name,
                        digests[0][f][s]);
        }
    }
    return fclose(file) ? perror(path), 1 : 0;
}

static int write_tsv(const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) return perror(path), 1;
    for (int f = 0; f < SUBJECTS; f++) {
        for (int s = 0; s < set_count; s++) {
            if (has_set(f, s))
                fprintf(file, "digest\t%s\t%s\t%016" PRIx64 "\n", subject_name(f), sets[s].name,
                        digests[0][f][s]);
        }
    }
    for (int t = 0; t < target_count; t++)
        fprintf(file, "target\t%s\t%s\n", targets[t]->name, sets[set_count - 1].name);
    for (int c = 0; c < FG_COMPOSITES; c++) {
        const struct fg_composite_info *f = &fg_composites[c];
        fprintf(file, "composite\t%s\t%s\t%s\t%s\t%s\t%s\n", f->name, f->arguments, f->results,
                f->formula, f->error, f->error16);
    }
    return fclose(file) ? perror(path), 1 : 0;
}

int main(int argc, char **argv) {
    const char *path = NULL, *isa = NULL, *tsv = NULL;
    int write = 0, failures = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--all")) set_count = SETS;
        else if (!strcmp(argv[i], "--write")) write = 1, set_count = SETS;
        else if (!strcmp(argv[i], "--isa") && i + 1 < argc) isa = argv[++i];
        else if (!strcmp(argv[i], "--tsv") && i + 1 < argc) tsv = argv[++i];
        else path = argv[i];
    }
    if (!path) {
        fprintf(stderr, "usage: digest [--all] [--write] [--isa NAME] [--tsv FILE] FILE\n");
        return 2;
    }

    FOR_EACH_TARGET(target) {
        if ((!isa || !strcmp(isa, target->name)) && target_count < MAX_TARGETS) {
            targets[target_count++] = target;
        }
    }
    if (target_count == 0) return fprintf(stderr, "no such target here\n"), 2;

    pthread_t id[MAX_THREADS];
    int threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    threads = threads < 1 ? 1 : threads > MAX_THREADS ? MAX_THREADS : threads;
    for (int i = 0; i < threads; i++) {
        if (pthread_create(&id[i], NULL, work, NULL)) return perror("pthread_create"), 2;
    }
    for (int i = 0; i < threads; i++) pthread_join(id[i], NULL);

    FILE *file = write ? NULL : fopen(path, "r");
    if (!write && !file) return perror(path), 1;
    for (int f = 0; f < SUBJECTS; f++) {
        for (int s = 0; s < set_count; s++) {
            if (!has_set(f, s)) continue;
            uint64_t want = digests[0][f][s];
            if (file) failures += !published(file, subject_name(f), sets[s].name, &want);
            printf("%-24s %-8s %016" PRIx64 "\n", subject_name(f), sets[s].name, want);
            for (int t = 0; t < target_count; t++) {
                if (digests[t][f][s] == want) continue;
                printf("    FAILED: %s gives %016" PRIx64 "\n", targets[t]->name, digests[t][f][s]);
                failures++;
            }
        }
    }
    if (file) fclose(file);
    printf("%d targets:", target_count);
    for (int t = 0; t < target_count; t++) printf(" %s", targets[t]->name);
    printf("%s\n", failures ? ": FAILED" : ": the same bits");
    return failures || (write && write_file(path)) || (tsv && write_tsv(tsv));
}
