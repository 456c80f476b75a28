/* loops.c: the loops at every length and stride, on arrays that end right
 * before an inaccessible page or begin right after one: nothing outside the
 * arrays may be read or written, and every element must have the bits that a
 * call for it alone gives.  Arrays that overlap must give what calls for one
 * element after the other give. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "testing.h"

enum {
    SAMPLES = 8192,
    MAX_LENGTH = 4099,
    MAX_STRIDE = 4 * 8,
    CANARY = 0xa5,
};

/* The case at hand, in words only if it fails. */
static struct {
    char subject[100];
    const char *kind;
    size_t n;
    int operands;
    ptrdiff_t strides[MOST_OPERANDS], offset;
} current;

static void report(void) {
    printf("FAILED: %s: n = %zu, %s", current.subject, current.n, current.kind);
    if (current.offset) printf(", %td bytes apart", current.offset);
    printf(", strides");
    for (int j = 0; j < current.operands; j++) printf(" %td", current.strides[j]);
    printf("\n");
    fflush(stdout);
}

static void on_fault(int signal_number) { /* of an access right here, so printf is safe */
    (void)signal_number;
    printf("FAILED: access outside the arrays\n");
    report();
    _exit(1);
}

static void begin(const char *kind, size_t n, int operands, const ptrdiff_t *strides,
                  ptrdiff_t offset) {
    current.kind = kind, current.n = n, current.operands = operands, current.offset = offset;
    memcpy(current.strides, strides, (size_t)operands * sizeof *strides);
}

/* Memory between two inaccessible pages. */
struct arena {
    char *begin, *end;
};

static struct arena new_arena(void) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t size = ((size_t)MAX_LENGTH * MAX_STRIDE + page - 1) / page * page;
    char *p = mmap(NULL, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || mprotect(p + page, size, PROT_READ | PROT_WRITE))
        perror("mmap"), exit(2);
    return (struct arena){p + page, p + page + size};
}

/* A strided array at one edge of an arena. */
struct array {
    char *low, *first; /* its lowest byte; its element 0 */
    size_t extent;     /* bytes from the lowest to past the highest */
    ptrdiff_t stride;
};

static struct array place(const struct arena *a, int at_end, size_t n, ptrdiff_t stride,
                          size_t size) {
    struct array v = {.stride = stride};
    const size_t step = (size_t)(stride < 0 ? -stride : stride);
    v.extent = n ? (n - 1) * step + size : 0;
    v.low = at_end ? a->end - v.extent : a->begin;
    v.first = stride < 0 && n ? v.low + (n - 1) * step : v.low;
    return v;
}

static char *element(const struct array *v, size_t i) {
    return v->first + (ptrdiff_t)i * v->stride;
}

/* An arena for each operand, what it must hold after the call, and the sample
 * values with the results a one-element call gives for them: inputs first. */
static struct arena arenas[MOST_OPERANDS];
static char *expected[MOST_OPERANDS];
static uint64_t values[MOST_OPERANDS][SAMPLES];

/* The strides of operands, in bytes; not all are multiples of the alignment.
 * Stride 0, the last, repeats one element and is for inputs alone. */
#define STRIDES(size) {size, -(size), 2 * (size), -3 * (size), (size) + 1, -(4 * (size) - 1), 0}
enum { STRIDE_COUNT = 7 };

/* One call: n elements from sample number `start` on.  In place, the k-th
 * output is also the k-th input. */
static void check(const struct dtype *t, fg_loop *loop, size_t n, size_t start,
                  const ptrdiff_t *strides, int at_end, int in_place) {
    const int inputs = loop->inputs, operands = inputs + loop->outputs;
    struct array arrays[MOST_OPERANDS];
    char *args[MOST_OPERANDS] = {0}, *low[MOST_OPERANDS];
    size_t watched[MOST_OPERANDS];
    static const char *const kinds[] = {"at the beginning", "at the end",
                                        "at the beginning, in place", "at the end, in place"};
    begin(kinds[at_end + 2 * in_place], n, operands, strides, 0);

    for (int j = 0; j < operands; j++) {
        const int at = in_place && j >= inputs ? j - inputs : j;
        arrays[j] = place(&arenas[at], at_end, n, strides[j], t->size);
        args[j] = arrays[j].first;
        /* 64 bytes on the open side of the array stand for all the memory there. */
        low[j] = at_end ? arrays[j].low - 64 : arrays[j].low;
        watched[j] = arrays[j].extent + 64;
        if (at == j) memset(low[j], CANARY, watched[j]);
    }
    for (int j = 0; j < inputs; j++) {
        for (size_t i = 0; i < n; i++)
            put_element(t, element(&arrays[j], i), values[j][start + (strides[j] ? i : 0)]);
    }
    for (int j = 0; j < operands; j++) memcpy(expected[j], low[j], watched[j]);
    int repeated = 0; /* how many of the inputs have stride 0 */
    for (int j = 0; j < inputs; j++) repeated += strides[j] == 0;
    for (int j = inputs; j < operands; j++) {
        for (size_t i = 0; i < n; i++) {
            put_element(t, expected[j] + (element(&arrays[j], i) - low[j]),
                        values[j][start + (repeated ? 0 : i)]);
        }
    }
    for (size_t i = 0; i < n && repeated && repeated < inputs; i++) {
        uint64_t tuple[MOST_INPUTS]; /* one that check_loop has not met */
        char *one[MOST_OPERANDS];
        for (int j = 0; j < inputs; j++) {
            one[j] = (char *)&tuple[j];
            put_element(t, one[j], values[j][start + (strides[j] ? i : 0)]);
        }
        for (int j = inputs; j < operands; j++)
            one[j] = expected[j] + (element(&arrays[j], i) - low[j]);
        fg_run(loop, 1, one, strides);
    }
    for (int j = inputs; j < operands && in_place; j++)
        memcpy(expected[j - inputs], expected[j], watched[j]);

    fg_run(loop, n, args, strides);

    for (int j = 0; j < operands; j++) {
        if (memcmp(low[j], expected[j], watched[j]) == 0) continue;
        for (size_t i = 0; i < n; i++) {
            char *p = element(&arrays[j], i);
            const uint64_t got = get_element(t, p);
            const uint64_t want = get_element(t, expected[j] + (p - low[j]));
            if (got == want) continue;
            printf("FAILED: operand %d, element %zu is %#llx, alone %#llx\n", j, i,
                   (unsigned long long)got, (unsigned long long)want);
            break;
        }
        report();
        exit(1);
    }
}

/* With one input every stride meets every other; with several, each operand
 * has another stride, in as many combinations.  At both edges; then in place. */
static void check_length(const struct dtype *t, fg_loop *loop, size_t n, size_t start) {
    const ptrdiff_t size = (ptrdiff_t)t->size, all[STRIDE_COUNT] = STRIDES(size);
    const int inputs = loop->inputs, operands = inputs + loop->outputs;
    const int combinations = inputs == 1 ? STRIDE_COUNT * (STRIDE_COUNT - 1) : STRIDE_COUNT;
    ptrdiff_t strides[MOST_OPERANDS];
    for (int at_end = 0; at_end < 2; at_end++) {
        for (int c = 0; c < combinations; c++) {
            for (int j = 0; j < inputs; j++) strides[j] = all[(c + 2 * j) % STRIDE_COUNT];
            for (int j = inputs; j < operands; j++)
                strides[j] =
                    all[inputs == 1 ? c / STRIDE_COUNT : (c + j - inputs) % (STRIDE_COUNT - 1)];
            check(t, loop, n, start, strides, at_end, 0);
        }
        for (int c = 0; c < STRIDE_COUNT - 1; c += loop->outputs) {
            for (int j = 0; j < inputs; j++) strides[j] = all[(c + j) % (STRIDE_COUNT - 1)];
            for (int j = inputs; j < operands; j++) strides[j] = strides[j - inputs];
            check(t, loop, n, start, strides, at_end, 1);
        }
    }
}

enum { HALF = 8192 }; /* bytes on either side of an input that shares them with an output */

/* One output lies `offset` bytes from one input; the others are elsewhere. */
static void check_overlap(const struct dtype *t, fg_loop *loop, size_t n, int input, int output,
                          ptrdiff_t offset, ptrdiff_t x_stride, ptrdiff_t y_stride) {
    const int inputs = loop->inputs, operands = inputs + loop->outputs;
    char *const shared = arenas[0].begin;
    char *args[MOST_OPERANDS];
    ptrdiff_t strides[MOST_OPERANDS];
    for (int j = 0, other = 1; j < operands; j++) {
        args[j] = j == input             ? shared + HALF
                  : j == inputs + output ? shared + HALF + offset
                                         : arenas[other++].begin;
        strides[j] = j == input ? x_stride : j == inputs + output ? y_stride : (ptrdiff_t)t->size;
        for (size_t i = 0; j < inputs && j != input && i < n; i++)
            put_element(t, args[j] + i * t->size, values[j][i]);
    }
    begin("an output that overlaps an input", n, operands, strides, offset);
    const size_t whole = 2 * HALF;
    for (size_t i = 0; i < whole / t->size; i++)
        put_element(t, shared + i * t->size, values[input][i % SAMPLES]);
    memcpy(expected[1], shared, whole);
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++) { /* one element after the other */
        char *one[MOST_OPERANDS];
        for (int j = 0; j < operands; j++) one[j] = args[j] + i * strides[j];
        fg_run(loop, 1, one, strides);
    }
    memcpy(expected[0], shared, whole);
    memcpy(shared, expected[1], whole);
    fg_run(loop, n, args, strides);
    if (memcmp(shared, expected[0], whole) == 0) return;
    printf("FAILED: not as element by element\n");
    report();
    exit(1);
}

static void check_overlaps(const struct dtype *t, fg_loop *loop) {
    const ptrdiff_t size = (ptrdiff_t)t->size;
    const ptrdiff_t offsets[] = {size,         -size,    1,          -1,        size - 1,
                                 2 * size - 1, 3 * size, -17 * size, 40 * size, 0};
    const ptrdiff_t strides[][2] = {
        {size, size},
        {size, -size},
        {-size, size},
        {2 * size, size},
        {size, 0},
        {0, size},
        {-2 * size, -2 * size},
        {size + 1, size + 1},
        {0, 0},
        /* interleaved: they share bytes at some of the offsets, and at others none */
        {2 * size, 2 * size},
        {2 * size, -2 * size},
        {3 * size, -3 * size},
        {2 * size, 4 * size},
        {-6 * size, 4 * size},
        {3 * size + 1, 3 * size + 1},
        {0, 2 * size}};
    static const size_t lengths[] = {2, 3, 16, 17, 64, 300};
    const size_t first = loop->inputs > 1 ? 4 : 0; /* fewer where there are more pairs */
    for (size_t n = first; n < sizeof lengths / sizeof lengths[0]; n++) {
        for (size_t o = 0; o < sizeof offsets / sizeof offsets[0]; o++) {
            for (size_t s = 0; s < sizeof strides / sizeof strides[0]; s++) {
                const ptrdiff_t x = strides[s][0] < 0 ? -strides[s][0] : strides[s][0];
                const ptrdiff_t y = strides[s][1] < 0 ? -strides[s][1] : strides[s][1];
                if ((x > y ? x : y) * (ptrdiff_t)lengths[n] > HALF - 64 * size) continue;
                for (int i = 0; i < loop->inputs; i++) {
                    check_overlap(t, loop, lengths[n], i, i % loop->outputs, offsets[o],
                                  strides[s][0], strides[s][1]);
                }
            }
        }
    }
}

static void check_loop(const struct dtype *t, fg_loop *loop) {
    static const size_t longer[] = {255,  256,  257,  511,  512,       513,
                                    1000, 1023, 1024, 1025, MAX_LENGTH};
    const int operands = loop->inputs + loop->outputs;
    for (size_t i = 0; i < SAMPLES; i++) {
        uint64_t buffer[MOST_OPERANDS];
        char *args[MOST_OPERANDS];
        ptrdiff_t strides[MOST_OPERANDS];
        for (int j = 0; j < operands; j++) {
            args[j] = (char *)&buffer[j];
            strides[j] = (ptrdiff_t)t->size;
            /* Special values meet special values. */
            values[j][i] =
                sample(t, i < SPECIALS * SPECIALS && j ? (i / SPECIALS + j - 1) % SPECIALS
                                                       : (i + 977 * (size_t)j) % SAMPLES);
            put_element(t, args[j], values[j][i]);
        }
        fg_run(loop, 1, args, strides);
        for (int j = loop->inputs; j < operands; j++) values[j][i] = get_element(t, args[j]);
    }
    /* Other samples each time: every value comes to sit in many lanes. */
    size_t start = 0;
    for (size_t n = 0; n <= 130; n++) {
        if (loop->inputs > 1 && n > 36 && n % 32 > 1) continue;
        check_length(t, loop, n, start);
        start = (start + n) % (SAMPLES - MAX_LENGTH);
    }
    for (size_t n = 1; n <= 130; n++) { /* the special values */
        if (loop->inputs == 1 || n % 5 == 0) check_length(t, loop, n, n % SPECIALS);
    }
    for (size_t i = 0; i < sizeof longer / sizeof longer[0]; i++) {
        if (loop->inputs == 1 || i % 3 == 2) check_length(t, loop, longer[i], i);
    }
    check_overlaps(t, loop);
}

int main(void) {
    signal(SIGSEGV, on_fault);
    signal(SIGBUS, on_fault);
    for (int j = 0; j < MOST_OPERANDS; j++) {
        arenas[j] = new_arena();
        expected[j] = malloc((size_t)(arenas[j].end - arenas[j].begin) + 64);
        if (!expected[j]) return perror("malloc"), 2;
    }

    FOR_EACH_TARGET(target) {
        for (int s = 0; s < SUBJECTS; s++) {
            for (int d = 0; d < FG_DTYPES; d++) {
                snprintf(current.subject, sizeof current.subject, "%s %s %s", target->name,
                         subject_name(s), dtypes[d].name);
                check_loop(&dtypes[d], subject_loop(target, s, d));
            }
        }
        printf("%-8s %d functions inside their arrays, the same bits at every length, stride and "
               "position\n",
               target->name, (int)SUBJECTS);
        fflush(stdout);
    }
    return 0;
}
