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

/* The case at hand, for whoever reports it. */
static char current[200];

static void on_fault(int signal_number) {
    (void)signal_number;
    static const char message[] = "FAILED: access outside the arrays: ";
    ssize_t r = write(1, message, sizeof message - 1);
    r = write(1, current, strlen(current));
    _exit(r >= 0 ? 1 : 2);
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

/* The arenas, their expected contents after the call, and the sample values
 * with the result a one-element call gives for each. */
static struct arena in, out;
static char *expected;
static uint64_t x[SAMPLES], y[SAMPLES];

/* One call: n elements from sample number `start` on; x_stride 0 repeats one. */
static void check(const struct dtype *t, fg_loop *loop, size_t n, size_t start, ptrdiff_t x_stride,
                  ptrdiff_t y_stride, int at_end, int in_place) {
    sprintf(strchr(current, ':'), ": n = %zu, strides %td and %td, at the %s%s\n", n, x_stride,
            y_stride, at_end ? "end" : "beginning", in_place ? ", in place" : "");
    const struct arena *target = in_place ? &in : &out;
    const struct array a = place(&in, at_end, n, x_stride, t->size);
    const struct array b = place(target, at_end, n, y_stride, t->size);
    /* 64 bytes on the open side of the array stand for all the memory there. */
    char *low = at_end ? b.low - 64 : b.low;
    const size_t watched = b.extent + 64;
    memset(low, CANARY, watched);
    for (size_t i = 0; i < n; i++) put_element(t, element(&a, i), x[start + (x_stride ? i : 0)]);
    memcpy(expected, low, watched);
    for (size_t i = 0; i < n; i++) {
        put_element(t, expected + (element(&b, i) - low), y[start + (x_stride ? i : 0)]);
    }
    run_loop(loop, n, a.first, x_stride, b.first, y_stride);
    if (memcmp(low, expected, watched) == 0) return;
    for (size_t i = 0; i < n; i++) {
        const uint64_t got = get_element(t, element(&b, i));
        const uint64_t want = y[start + (x_stride ? i : 0)];
        if (got == want) continue;
        printf("FAILED: element %zu is %#llx, alone %#llx: ", i, (unsigned long long)got,
               (unsigned long long)want);
        break;
    }
    printf("FAILED: %s", current);
    exit(1);
}

/* Every stride of x with every stride of y (in bytes, not all multiples of
 * the alignment), at both edges; then in place. */
static void check_length(const struct dtype *t, fg_loop *loop, size_t n, size_t start) {
    const ptrdiff_t size = (ptrdiff_t)t->size;
    const ptrdiff_t strides[] = {size, -size, 2 * size, -3 * size, size + 1, -(4 * size - 1), 0};
    const size_t count = sizeof strides / sizeof strides[0];
    for (int at_end = 0; at_end < 2; at_end++) {
        for (size_t j = 0; j < count - 1; j++) { /* y has no stride 0 */
            for (size_t i = 0; i < count; i++) {
                check(t, loop, n, start, strides[i], strides[j], at_end, 0);
            }
            check(t, loop, n, start, strides[j], strides[j], at_end, 1);
        }
    }
}

/* The output lies `offset` bytes from the input. */
static void check_overlap(const struct dtype *t, fg_loop *loop, size_t n, ptrdiff_t offset,
                          ptrdiff_t x_stride, ptrdiff_t y_stride) {
    enum { HALF = 16384 };
    sprintf(strchr(current, ':'), ": n = %zu, strides %td and %td, output %td bytes from input\n",
            n, x_stride, y_stride, offset);
    for (size_t i = 0; i < 2 * HALF / t->size; i++)
        put_element(t, in.begin + i * t->size, x[i % SAMPLES]);
    memcpy(expected, in.begin, 2 * HALF);
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++) {
        uint64_t element;
        memcpy(&element, expected + HALF + i * x_stride, t->size);
        run_loop(loop, 1, &element, (ptrdiff_t)t->size, &element, (ptrdiff_t)t->size);
        memcpy(expected + HALF + offset + i * y_stride, &element, t->size);
    }
    run_loop(loop, n, in.begin + HALF, x_stride, in.begin + HALF + offset, y_stride);
    if (memcmp(in.begin, expected, 2 * HALF) == 0) return;
    printf("FAILED: not as element by element: %s", current);
    exit(1);
}

static void check_overlaps(const struct dtype *t, fg_loop *loop) {
    const ptrdiff_t size = (ptrdiff_t)t->size;
    const ptrdiff_t offsets[] = {size, -size, 1, -1, 3 * size, -17 * size, 40 * size, 0};
    const ptrdiff_t strides[][2] = {
        {size, size}, {size, -size}, {-size, size},          {2 * size, size},
        {size, 0},    {0, size},     {-2 * size, -2 * size}, {size + 1, size + 1},
        {0, 0}};
    static const size_t lengths[] = {2, 3, 16, 17, 64, 300};
    for (size_t n = 0; n < sizeof lengths / sizeof lengths[0]; n++) {
        for (size_t o = 0; o < sizeof offsets / sizeof offsets[0]; o++) {
            for (size_t s = 0; s < sizeof strides / sizeof strides[0]; s++) {
                check_overlap(t, loop, lengths[n], offsets[o], strides[s][0], strides[s][1]);
            }
        }
    }
}

static void check_loop(const struct dtype *t, fg_loop *loop) {
    static const size_t longer[] = {255, 256, 257, 1000, 1023, 1024, 1025, MAX_LENGTH};
    for (size_t i = 0; i < SAMPLES; i++) {
        uint64_t buffer[2];
        put_element(t, (char *)&buffer[0], x[i] = sample(t, i));
        run_loop(loop, 1, &buffer[0], (ptrdiff_t)t->size, &buffer[1], (ptrdiff_t)t->size);
        y[i] = get_element(t, (char *)&buffer[1]);
    }
    /* Other samples each time: every value comes to sit in many lanes. */
    size_t start = 0;
    for (size_t n = 0; n <= 130; n++) {
        check_length(t, loop, n, start);
        start = (start + n) % (SAMPLES - MAX_LENGTH);
    }
    for (size_t n = 1; n <= 130; n++) check_length(t, loop, n, n % 22); /* the special values */
    for (size_t i = 0; i < sizeof longer / sizeof longer[0]; i++) {
        check_length(t, loop, longer[i], i);
    }
    check_overlaps(t, loop);
}

int main(void) {
    signal(SIGSEGV, on_fault);
    signal(SIGBUS, on_fault);
    in = new_arena();
    out = new_arena();
    expected = malloc((size_t)(out.end - out.begin) + 64);
    if (!expected) return perror("malloc"), 2;

    FOR_EACH_TARGET(target) {
        for (int f = 0; f < FG_FUNCTIONS; f++) {
            for (int d = 0; d < FG_DTYPES; d++) {
                snprintf(current, sizeof current, "%s %s %s:", target->name, fg_functions[f].name,
                         dtypes[d].name);
                check_loop(&dtypes[d], &target->loops[f][d]);
            }
        }
        printf("%-8s inside its arrays, the same bits at every length, stride and position\n",
               target->name);
        fflush(stdout);
    }
    return 0;
}
