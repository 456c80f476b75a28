/* ulp_f64.c: the float64 error of every function on points where it is likely
 * to be large, against the exact function as MPFR computes it.
 *
 *   ulp_f64 [POINTS] [--seed N] [--isa NAME|all] [--function NAME] [--threads N] [--tsv FILE]
 *           [--hunt]
 *
 * The error is in units in the last place of the exact result; below 2^-1022
 * such a unit is 2^-1074.  Fails if one exceeds the bound in functions.def, or
 * if a sign, a zero, an infinity or a NaN is not as promised.
 * --hunt looks near the edges of rows and of the result's binades alone; where
 * there is libquadmath (-DQUADMATH), that tells quickly which points are worth
 * MPFR's time, those with an error near the worst so far or more.
 * --tsv writes the lines of the accuracy page. */
#include <math.h>
#include <mpfr.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "tables_f64.h"
#include "testing.h"

#define BLOCK 4096
#define PRECISION 192          /* bits; cancellation beside a root costs some 60 */
#define NEIGHBOURS 16          /* doubles tested on either side of an edge */
#define FIGURE_ROUNDING 0.0005 /* functions.def gives at least three decimals */

/* ---- the exact functions ------------------------------------------------- */

/* Numbers to work with, and the constants; one set per thread. */
struct numbers {
    mpfr_t a, b, c, sqrt_half, inv_sqrt_2pi, sqrt_8_over_pi, cubic, quick;
};

static void cdf(struct numbers *m, mpfr_t y, const mpfr_t x) { /* erfc(-x/sqrt(2))/2 */
    mpfr_mul(y, x, m->sqrt_half, MPFR_RNDN);
    mpfr_neg(y, y, MPFR_RNDN);
    mpfr_erfc(y, y, MPFR_RNDN);
    mpfr_div_2ui(y, y, 1, MPFR_RNDN);
}

static void pdf(struct numbers *m, mpfr_t y, const mpfr_t x) { /* exp(-x^2/2)/sqrt(2*pi) */
    mpfr_sqr(y, x, MPFR_RNDN);
    mpfr_div_2ui(y, y, 1, MPFR_RNDN);
    mpfr_neg(y, y, MPFR_RNDN);
    mpfr_exp(y, y, MPFR_RNDN);
    mpfr_mul(y, y, m->inv_sqrt_2pi, MPFR_RNDN);
}

static void sigmoid(mpfr_t y, const mpfr_t v) { /* 1/(1 + exp(-v)) */
    mpfr_neg(y, v, MPFR_RNDN);
    mpfr_exp(y, y, MPFR_RNDN);
    mpfr_add_ui(y, y, 1, MPFR_RNDN);
    mpfr_ui_div(y, 1, y, MPFR_RNDN);
}

/* v = sqrt(8/pi)*(x + 0.044715*x^3), or its derivative times x */
static void cubic(struct numbers *m, mpfr_t v, const mpfr_t x, int derivative) {
    mpfr_sqr(v, x, MPFR_RNDN);
    mpfr_mul(v, v, m->cubic, MPFR_RNDN);
    if (derivative) mpfr_mul_ui(v, v, 3, MPFR_RNDN);
    mpfr_add_ui(v, v, 1, MPFR_RNDN);
    mpfr_mul(v, v, x, MPFR_RNDN);
    mpfr_mul(v, v, m->sqrt_8_over_pi, MPFR_RNDN);
}

/* y = s*(1 + xdv*(1 - s)): the derivative of x*s, s = sigmoid(v), xdv = x*v' */
static void swish_grad(struct numbers *m, mpfr_t y, const mpfr_t v, const mpfr_t xdv) {
    sigmoid(y, v);
    mpfr_neg(m->a, v, MPFR_RNDN);
    sigmoid(m->a, m->a);
    if (!mpfr_zero_p(m->a)) mpfr_mul(m->a, m->a, xdv, MPFR_RNDN);
    mpfr_add_ui(m->a, m->a, 1, MPFR_RNDN);
    mpfr_mul(y, y, m->a, MPFR_RNDN);
}

static void exact_gelu(struct numbers *m, mpfr_t y, const mpfr_t x) {
    cdf(m, y, x);
    mpfr_mul(y, y, x, MPFR_RNDN);
}

static void exact_gelu_grad(struct numbers *m, mpfr_t y, const mpfr_t x) {
    cdf(m, y, x);
    pdf(m, m->a, x);
    mpfr_mul(m->a, m->a, x, MPFR_RNDN);
    mpfr_add(y, y, m->a, MPFR_RNDN);
}

static void exact_gelu_tanh(struct numbers *m, mpfr_t y, const mpfr_t x) {
    cubic(m, m->a, x, 0);
    sigmoid(y, m->a);
    mpfr_mul(y, y, x, MPFR_RNDN);
}

static void exact_gelu_tanh_grad(struct numbers *m, mpfr_t y, const mpfr_t x) {
    cubic(m, m->b, x, 0);
    cubic(m, m->c, x, 1);
    swish_grad(m, y, m->b, m->c);
}

static void exact_quick_gelu(struct numbers *m, mpfr_t y, const mpfr_t x) {
    mpfr_mul(m->a, x, m->quick, MPFR_RNDN);
    sigmoid(y, m->a);
    mpfr_mul(y, y, x, MPFR_RNDN);
}

static void exact_quick_gelu_grad(struct numbers *m, mpfr_t y, const mpfr_t x) {
    mpfr_mul(m->b, x, m->quick, MPFR_RNDN);
    swish_grad(m, y, m->b, m->b);
}

static void exact_silu(struct numbers *m, mpfr_t y, const mpfr_t x) {
    (void)m;
    sigmoid(y, x);
    mpfr_mul(y, y, x, MPFR_RNDN);
}

static void exact_silu_grad(struct numbers *m, mpfr_t y, const mpfr_t x) { swish_grad(m, y, x, x); }

static void exact_sigmoid(struct numbers *m, mpfr_t y, const mpfr_t x) {
    (void)m;
    sigmoid(y, x);
}

static void exact_sigmoid_grad(struct numbers *m, mpfr_t y, const mpfr_t x) {
    mpfr_neg(m->a, x, MPFR_RNDN);
    sigmoid(m->a, m->a);
    sigmoid(y, x);
    mpfr_mul(y, y, m->a, MPFR_RNDN);
}

static const struct exact {
    const char *name;
    void (*value)(struct numbers *m, mpfr_t y, const mpfr_t x);
} exact_functions[] = {
    {"gelu", exact_gelu},
    {"gelu_grad", exact_gelu_grad},
    {"gelu_tanh", exact_gelu_tanh},
    {"gelu_tanh_grad", exact_gelu_tanh_grad},
    {"quick_gelu", exact_quick_gelu},
    {"quick_gelu_grad", exact_quick_gelu_grad},
    {"silu", exact_silu},
    {"silu_grad", exact_silu_grad},
    {"sigmoid", exact_sigmoid},
    {"sigmoid_grad", exact_sigmoid_grad},
    {"normal_cdf", cdf},
    {"normal_cdf_grad", pdf},
};

static const struct exact *find_exact(const char *name) {
    for (size_t i = 0; i < sizeof exact_functions / sizeof exact_functions[0]; i++) {
        if (strcmp(name, exact_functions[i].name) == 0) return &exact_functions[i];
    }
    fprintf(stderr, "no exact function for %s\n", name);
    exit(2);
}

static const struct fg_table_f64 *const tables[FG_FUNCTIONS] = {
#define FASTGELU_FUNCTION(name, ...) &fg_table_f64_##name,
#include "functions.def"
};

static void numbers_init(struct numbers *m) {
    mpfr_inits2(PRECISION, m->a, m->b, m->c, m->sqrt_half, m->inv_sqrt_2pi, m->sqrt_8_over_pi,
                m->cubic, m->quick, (mpfr_ptr)0);
    mpfr_sqrt_ui(m->sqrt_half, 2, MPFR_RNDN);
    mpfr_div_2ui(m->sqrt_half, m->sqrt_half, 1, MPFR_RNDN);
    mpfr_const_pi(m->a, MPFR_RNDN);
    mpfr_mul_2ui(m->b, m->a, 1, MPFR_RNDN);
    mpfr_rec_sqrt(m->inv_sqrt_2pi, m->b, MPFR_RNDN);
    mpfr_ui_div(m->sqrt_8_over_pi, 8, m->a, MPFR_RNDN);
    mpfr_sqrt(m->sqrt_8_over_pi, m->sqrt_8_over_pi, MPFR_RNDN);
    mpfr_set_ui(m->cubic, 44715, MPFR_RNDN);
    mpfr_div_ui(m->cubic, m->cubic, 1000000, MPFR_RNDN);
    mpfr_set_ui(m->quick, 1702, MPFR_RNDN);
    mpfr_div_ui(m->quick, m->quick, 1000, MPFR_RNDN);
}

static void numbers_clear(struct numbers *m) {
    mpfr_clears(m->a, m->b, m->c, m->sqrt_half, m->inv_sqrt_2pi, m->sqrt_8_over_pi, m->cubic,
                m->quick, (mpfr_ptr)0);
    mpfr_free_cache();
}

/* ---- the same in a hurry ------------------------------------------------- */

#ifdef QUADMATH
#include <quadmath.h>
typedef __float128 quad;

static quad quad_cdf(quad x) { return erfcq(-x * M_SQRT1_2q) / 2; }
static quad quad_pdf(quad x) { return expq(-x * x / 2) * (M_2_SQRTPIq * M_SQRT1_2q / 2); }
static quad quad_sigmoid(quad v) { return 1 / (1 + expq(-v)); }
static quad quad_swish_grad(quad v, quad xdv) {
    return quad_sigmoid(v) * (1 + xdv * quad_sigmoid(-v));
}
static quad quad_cubic(quad x, int factor) { /* sqrt(8/pi)*(x + factor*0.044715*x^3) */
    return M_2_SQRTPIq * M_SQRT2q * x * (1 + factor * 0.044715Q * x * x);
}
static quad quad_value(const char *name, quad x) {
    const int grad = strstr(name, "_grad") != NULL;
    if (!strncmp(name, "gelu_tanh", 9))
        return grad ? quad_swish_grad(quad_cubic(x, 1), quad_cubic(x, 3))
                    : x * quad_sigmoid(quad_cubic(x, 1));
    if (!strncmp(name, "gelu", 4)) return grad ? quad_cdf(x) + x * quad_pdf(x) : x * quad_cdf(x);
    if (!strncmp(name, "quick_gelu", 10))
        return grad ? quad_swish_grad(1.702Q * x, 1.702Q * x) : x * quad_sigmoid(1.702Q * x);
    if (!strncmp(name, "silu", 4)) return grad ? quad_swish_grad(x, x) : x * quad_sigmoid(x);
    if (!strncmp(name, "sigmoid", 7)) return quad_sigmoid(x) * (grad ? quad_sigmoid(-x) : 1);
    return grad ? quad_pdf(x) : quad_cdf(x);
}
/* The error, good to a thousandth of an ULP, and to a hundredth next to a root. */
static double quick_error(const char *name, double x, double got) {
    const quad y = quad_value(name, x);
    int e = -1021;
    if (y != 0) frexpq(y, &e);
    return fabs((double)scalbnq(y - (quad)got, 53 - (e < -1021 ? -1021 : e)));
}
#else
static double quick_error(const char *name, double x, double got) {
    return (void)name, (void)x, (void)got, HUGE_VAL;
}
#endif

/* ---- the points ---------------------------------------------------------- */

#define SIGN (UINT64_C(1) << 63)

static double from_bits(uint64_t u) {
    double x;
    memcpy(&x, &u, sizeof x);
    return x;
}

static uint64_t to_bits(double x) {
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

/* The patterns of all x where the kernel goes over to another row or step, or
 * the result to another binade. */
struct edges {
    uint64_t at[8192], count;
};

static void add_edge(struct edges *e, double x) {
    if (e->count == sizeof e->at / sizeof e->at[0]) fprintf(stderr, "too many edges\n"), exit(2);
    e->at[e->count++] = to_bits(x);
}

static double near_row(const struct fg_table_f64 *tab, double t) {
    const double r = t - tab->left;
    return fma(r, fma(r, tab->alpha, tab->beta), FG_MAGIC_F64);
}

/* Where two doubles of one sign have so many others between them that true_at
 * changes, it finds the first of the change. */
static double bisect(double from, double to, int (*true_at)(const void *, double),
                     const void *argument) {
    uint64_t low = to_bits(from), high = to_bits(to);
    while (low + 1 < high || high + 1 < low) {
        const uint64_t middle = low < high ? low + (high - low) / 2 : high + (low - high) / 2;
        *(true_at(argument, from_bits(middle)) ? &high : &low) = middle;
    }
    return from_bits(high);
}

struct row {
    const struct fg_table_f64 *tab;
    double k;
};
static int reaches_row(const void *row, double t) {
    return near_row(((const struct row *)row)->tab, t) >= ((const struct row *)row)->k;
}

static double result(fg_loop *loop, double x) {
    double y;
    fg_run(loop, 1, (char *const[]){(char *)&x, (char *)&y}, (const ptrdiff_t[]){8, 8});
    return y;
}
struct binade {
    fg_loop *loop;
    int exponent;
};
static int exponent_of(fg_loop *loop, double x) {
    int e;
    frexp(result(loop, x), &e);
    return e;
}
static int leaves_binade(const void *binade, double x) {
    const struct binade *b = binade;
    return exponent_of(b->loop, x) != b->exponent;
}

static void find_edges(struct edges *e, const struct fg_table_f64 *tab, fg_loop *loop) {
    e->count = 0;
    const double first = near_row(tab, tab->left), zero = near_row(tab, 0.0);
    for (double row = first + 1; row <= near_row(tab, tab->limit); row++) {
        const double outer = row <= zero ? tab->left : tab->limit;
        struct row r = {tab, row};
        if (outer < 0) /* towards zero the row is reached */
            add_edge(e, bisect(outer, -0.0, reaches_row, &r));
        else add_edge(e, bisect(0.0, outer, reaches_row, &r));
    }
    add_edge(e, tab->left);
    add_edge(e, tab->limit);
    const uint64_t step = UINT64_C(1) << tab->far_shift;
    for (uint64_t u = (to_bits(-tab->left - tab->far_from) / step + 1) * step;
         from_bits(u) + tab->far_from < tab->far_limit; u += step)
        add_edge(e, -(from_bits(u) + tab->far_from));
    add_edge(e, tab->end);
    const uint64_t rows = e->count;
    for (uint64_t i = 0; i < rows; i++) { /* binades of the result, one or more per row */
        double x = from_bits(e->at[i]), next = i + 1 < rows ? from_bits(e->at[i + 1]) : x;
        if ((x < 0) != (next < 0)) continue;
        for (int left = 64; left && exponent_of(loop, x) != exponent_of(loop, next); left--) {
            struct binade b = {loop, exponent_of(loop, x)};
            x = bisect(x, next, leaves_binade, &b);
            add_edge(e, x);
        }
    }
    for (int i = -1; i <= 1; i++) add_edge(e, ldexp(1.0, i - 1022));
    add_edge(e, from_bits(FG_TINY_F64));
    add_edge(e, from_bits(NEIGHBOURS));        /* zero */
    add_edge(e, (double)INFINITY);             /* beyond it, signalling NaNs */
    e->at[e->count++] = UINT64_C(0xfff) << 51; /* quiet NaNs */
    if (tab->root != 0) add_edge(e, tab->root);
    /* Where the first edition's tables exceeded 1 ULP. */
    add_edge(e, -0.92358792913645105);
    add_edge(e, -36.749968768896053);
    add_edge(e, -0.41646578444783328);
}

/* The i-th point as bits: first the neighbours of all edges, both signs; then
 * points from several distributions in turn. */
static uint64_t point(const struct edges *e, const struct fg_table_f64 *tab, uint64_t i,
                      uint64_t seed, int hunt) {
    const uint64_t width = 2 * NEIGHBOURS + 1;
    if (i < 2 * width * e->count)
        return (e->at[i / 2 / width] + i / 2 % width - NEIGHBOURS) ^ (i % 2 ? SIGN : 0);
    const uint64_t r = mix64(i * GOLDEN_GAMMA + seed), sign = r & SIGN;
    const double u = (double)(mix64(r) >> 11) * 0x1p-53; /* uniform in [0, 1) */
    if (hunt) {                                          /* a random edge, 1 to 2^32 doubles away */
        const uint64_t far = mix64(r) >> 32 >> mix64(r + 1) % 32;
        const uint64_t at = e->at[r % e->count] ^ (i % 8 ? 0 : SIGN);
        return i % 2 ? at + far : at - far;
    }
    const double end = -tab->end;
    switch (i % 8) {
    case 0: return mix64(r); /* any pattern, NaNs too */
    case 1:
    case 2: return to_bits(tab->left + (tab->limit - tab->left) * u); /* the near rows */
    case 3: return to_bits(end * u) | SIGN;                           /* the tail */
    case 4: return to_bits(end * (1.001 - 0.05 * u)) | SIGN; /* its end, subnormal results */
    case 5: return to_bits(exp2(-60 + 64 * u)) | sign;       /* towards zero */
    case 6: return to_bits(u) | sign;                        /* the first rows */
    default: return to_bits(tab->root + exp2(-50 + 50 * u) * (sign ? -1 : 1)) | SIGN; /* the root */
    }
}

/* ---- judging ------------------------------------------------------------- */

struct tally {
    double worst, want; /* the largest error in ULP, and the exact result there */
    uint64_t at, got;
    uint64_t tested, misrounded, wrong; /* wrong: in sign, or not the special value */
    uint64_t wrong_at, wrong_got;
};

struct job {
    fg_loop *loop;
    int function;
    uint64_t seed, count;
    int hunt;
    const struct exact *exact;
    struct edges edges;
    atomic_ullong next; /* the first point no thread has taken */
    struct tally total;
    pthread_mutex_t lock;
};

static uint64_t special_result(const struct fg_function_info *f, uint64_t x) {
    if ((x & ~SIGN) > UINT64_C(0x7ff) << 52) return x | UINT64_C(1) << 51; /* the same NaN, quiet */
    if (x >> 63) return to_bits(strtod(f->left, NULL));
    if (strcmp(f->form, "FORWARD") == 0) return to_bits((double)INFINITY);
    return to_bits(strcmp(f->form, "EVEN") == 0 ? 0.0 : 1.0);
}

static void mark_wrong(struct tally *r, uint64_t x, uint64_t got) {
    if (r->wrong++ == 0) r->wrong_at = x, r->wrong_got = got;
}

/* y and z are scratch. */
static void judge(struct tally *r, struct numbers *m, mpfr_t y, mpfr_t z, int function, int hunt,
                  const struct exact *exact, uint64_t x_bits, uint64_t got) {
    const struct fg_function_info *f = &fg_functions[function];
    const double x = from_bits(x_bits);
    r->tested++;
    if (hunt && isfinite(x)) {
        const double error = quick_error(f->name, x, from_bits(got));
        if (error < r->worst - 0.01) {
            r->misrounded += error > 0.5;
            return;
        }
    }
    if (!isfinite(x)) {
        if (got != special_result(f, x_bits)) mark_wrong(r, x_bits, got);
        return;
    }
    mpfr_set_d(z, x, MPFR_RNDN);
    exact->value(m, y, z);
    /* Where even MPFR underflows, the sign is that of the limit. */
    const int negative = mpfr_zero_p(y) && x < 0 ? f->left[0] == '-' : mpfr_signbit(y) != 0;
    mpfr_sub_d(z, y, from_bits(got), MPFR_RNDN);
    const mpfr_exp_t e = mpfr_zero_p(y) ? -1021 : mpfr_get_exp(y);
    mpfr_mul_2si(z, z, 53 - (e < -1021 ? -1021 : e), MPFR_RNDN);
    const double error = fabs(mpfr_get_d(z, MPFR_RNDN));
    if ((int)(got >> 63) != negative || error != error) {
        mark_wrong(r, x_bits, got);
        return;
    }
    r->misrounded += error > 0.5;
    if (error > r->worst)
        r->worst = error, r->want = mpfr_get_d(y, MPFR_RNDN), r->at = x_bits, r->got = got;
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
    struct numbers numbers;
    mpfr_t y, z;
    static _Thread_local uint64_t in[BLOCK], out[BLOCK];
    numbers_init(&numbers);
    mpfr_inits2(PRECISION, y, z, (mpfr_ptr)0);
    for (uint64_t first; (first = atomic_fetch_add(&job->next, BLOCK)) < job->count;) {
        const size_t n = job->count - first < BLOCK ? (size_t)(job->count - first) : BLOCK;
        for (size_t i = 0; i < n; i++)
            in[i] = point(&job->edges, tables[job->function], first + i, job->seed, job->hunt);
        fg_run(job->loop, n, (char *const[]){(char *)in, (char *)out}, (const ptrdiff_t[]){8, 8});
        for (size_t i = 0; i < n; i++)
            judge(&mine, &numbers, y, z, job->function, job->hunt, job->exact, in[i], out[i]);
    }
    mpfr_clears(y, z, (mpfr_ptr)0);
    numbers_clear(&numbers);
    pthread_mutex_lock(&job->lock);
    merge(&job->total, &mine);
    pthread_mutex_unlock(&job->lock);
    return NULL;
}

static void run(struct job *job, int threads) {
    pthread_t id[threads];
    pthread_mutex_init(&job->lock, NULL);
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
    printf("%-16s %-8s worst %.4f ULP at %a (%.17g): got %.17g, want %.17g; %llu of %llu (%.3f %%) "
           "not correctly rounded\n",
           f->name, target, r->worst, from_bits(r->at), from_bits(r->at), from_bits(r->got),
           r->want, (unsigned long long)r->misrounded, (unsigned long long)r->tested,
           100.0 * (double)r->misrounded / (double)r->tested);
    if (tsv) {
        fprintf(tsv, "error\t%s\tf64\t%.4f\t%.17g\t%.17g\t%.17g\t%llu\t%llu\t%.4g\n", f->name,
                r->worst, from_bits(r->at), from_bits(r->got), r->want,
                (unsigned long long)r->misrounded, (unsigned long long)r->tested, f->bound64);
    }
    if (r->wrong) {
        printf("    FAILED: %llu special values or signs differ, first f(%#018llx) = %#018llx\n",
               (unsigned long long)r->wrong, (unsigned long long)r->wrong_at,
               (unsigned long long)r->wrong_got);
        ok = 0;
    }
    if (!(r->worst <= f->bound64)) {
        printf("    FAILED: functions.def promises %.4f\n", f->bound64);
        ok = 0;
    }
    if (r->worst > f->seen64 + FIGURE_ROUNDING)
        printf("    more than functions.def has seen, %.4f\n", f->seen64);
    fflush(stdout);
    return ok;
}

int main(int argc, char **argv) {
    const char *isa = NULL, *only = NULL, *path = NULL;
    uint64_t points = 200000, seed = 0;
    int hunt = 0;
    long threads = sysconf(_SC_NPROCESSORS_ONLN);
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
        if (option[0] != '-') {
            points = strtoull(option, NULL, 0);
            continue;
        }
        if (strcmp(option, "--hunt") == 0) {
            hunt = 1;
            continue;
        }
        i++;
        if (strcmp(option, "--seed") == 0) seed = strtoull(value, NULL, 0);
        else if (strcmp(option, "--isa") == 0) isa = value;
        else if (strcmp(option, "--function") == 0) only = value;
        else if (strcmp(option, "--tsv") == 0) path = value;
        else if (strcmp(option, "--threads") == 0) threads = strtol(value, NULL, 0);
        else return fprintf(stderr, "unknown option %s\n", option), 2;
    }
    if (points < 1) return fprintf(stderr, "nothing to test\n"), 2;
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
            struct job job = {
                .loop = &target->loops[f][FG_F64], .function = f, .seed = seed, .count = points};
            job.exact = find_exact(fg_functions[f].name);
            job.hunt = hunt;
            find_edges(&job.edges, tables[f], job.loop);
            run(&job, (int)threads);
            failures += !report(&job, target->name, tsv);
            jobs++;
        }
    }
    if (tsv && fclose(tsv)) return perror(path), 2;
    if (jobs == 0) return fprintf(stderr, "no such function, or no such target here\n"), 2;
    return failures != 0;
}
