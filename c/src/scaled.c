/* scaled.c: scaled.h says what for. */
#include "compiler.h"

#include "scaled.h"

/* ---- sums and products in two parts: the first is the rounded one ------------ */

struct two {
    double high, low;
};

static struct two sum(double a, double b) { /* exact, whichever is larger */
    const double s = a + b, z = s - a;
    return (struct two){s, (a - (s - z)) + (b - z)};
}

/* The leading 26 bits: products of two such are exact. */
static double leading(double a) {
    uint64_t u;
    memcpy(&u, &a, sizeof u);
    u &= 0xfffffffff8000000u;
    memcpy(&a, &u, sizeof a);
    return a;
}

static struct two product(double a, double b) { /* exact */
    const double p = a * b, a1 = leading(a), a2 = a - a1, b1 = leading(b), b2 = b - b1;
    return (struct two){p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2};
}

static struct two add(struct two a, struct two b) {
    const struct two s = sum(a.high, b.high);
    return sum(s.high, s.low + (a.low + b.low));
}

static struct two times(struct two a, struct two b) {
    const struct two p = product(a.high, b.high);
    return sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

static struct two one(double a) { return (struct two){a, 0}; }

/* ---- the tails: R * exp(w), w down to -2200 --------------------------------------- */

static struct fg_scaled tail(struct two R, struct two w) {
    /* w = n*log(2) + r + rest */
    const double magic = 0x1.8p52;
    const double n = (w.high * 0x1.71547652b82fep+0 + magic) - magic;
    const double r = w.high - n * 0x1.62e42fefap-1; /* exact */
    const double rest = w.low - n * 0x1.cf79abc9e3b3ap-40;
    /* exp(r) = 1 + r + q, to 2^-57 */
    static const double factorial[] = {87178291200, 6227020800, 479001600, 39916800, 3628800,
                                       362880,      40320,      5040,      720,      120,
                                       24,          6,          2};
    double q = 0;
    for (int i = 0; i < 13; i++) q = q * r + 1 / factorial[i];
    q *= r * r;
    const double e = 1 + r, low = (r - (e - 1)) + (q + rest * (e + q));
    const struct two y = times(R, sum(e, low));
    return (struct fg_scaled){y.high, y.low, (int)n};
}

static struct fg_scaled exp_negative(double x) { return tail(one(1), one(-fabs(x))); }
static struct fg_scaled silu(double x) { return tail(one(x), one(x)); }
static struct fg_scaled silu_grad(double x) { return tail(sum(1, x), one(x)); }

static struct fg_scaled quick_gelu_grad(double x) {
    const struct two w = times((struct two){0x1.b3b645a1cac08p+0, 0x1.89374bc6a7efap-55}, one(x));
    return tail(add(one(1), w), w);
}

/* Phi(x) = -phi(x)/x * (1 - 1/x^2 + 3/x^4 - 15/x^6 + ...): below -37 eight terms do. */
static const struct two phi_at_0 = {0x1.9884533d43651p-2, -0x1.cbc0d30ebfd15p-56};
static struct two minus_half_square(double x) { return product(-0.5 * x, x); }
static struct two series(double x) {
    const double s = 1 / (x * x);
    double y = 0;
    for (int i = 13; i > 0; i -= 2) y = -i * s * (1 + y);
    return sum(1, y);
}

static struct fg_scaled gelu(double x) {
    const struct two y = series(x);
    return tail(times(phi_at_0, (struct two){-y.high, -y.low}), minus_half_square(x));
}

static struct fg_scaled gelu_grad(double x) {
    return tail(times(phi_at_0, sum(x, -series(x).high / x)), minus_half_square(x));
}

/* sigmoid(w) = exp(w), w = sqrt(8/pi) * (x + 0.044715*x^3). */
static const struct two linear = {0x1.9884533d43651p+0, -0x1.cbc0d30ebfd15p-54};
static const struct two cubic = {0x1.2444f2a4d8b4bp-4, -0x1.6c843a29d1c70p-61};

static struct fg_scaled gelu_tanh(double x) {
    const struct two square = product(x, x);
    return tail(one(x), times(one(x), add(linear, times(cubic, square))));
}

static struct fg_scaled gelu_tanh_grad(double x) { /* R = 1 + x*w' */
    const struct two line = times(linear, one(x));
    const struct two cube = times(one(x), times(cubic, product(x, x)));
    const struct two thrice = times(one(3), cube);
    return tail(add(one(1), add(line, thrice)), add(line, cube));
}

const struct fg_tail fg_tail_gelu = {gelu, 67}, fg_tail_gelu_grad = {gelu_grad, 67},
                     fg_tail_gelu_tanh = {gelu_tanh, 32},
                     fg_tail_gelu_tanh_grad = {gelu_tanh_grad, 32},
                     fg_tail_quick_gelu_grad = {quick_gelu_grad, 1300}, fg_tail_silu = {silu, 2200},
                     fg_tail_silu_grad = {silu_grad, 2200},
                     fg_tail_exp_negative = {exp_negative, 2200}, fg_tail_none = {NULL, 0};

/* ---- products ------------------------------------------------------------------ */

/* Makes a finite number 1 to 2 in size, times 2^result; 0 stays. */
static int split(double *a) {
    if (*a == 0) return 0;
    const int lift = fabs(*a) < DBL_MIN ? 64 : 0;
    if (lift) *a *= 0x1p64;
    uint64_t u;
    memcpy(&u, a, sizeof u);
    const int exponent = (int)(u >> 52 & 0x7ff) - 1023;
    u = (u & 0x800fffffffffffffu) | 0x3ff0000000000000u;
    memcpy(a, &u, sizeof u);
    return exponent - lift;
}

/* a * 2^exponent for an a near 1: of these products one rounds. */
static double scale(double a, int exponent) {
    for (; exponent < -1000; exponent += 1000) a *= 0x1p-1000;
    for (; exponent > 1000; exponent -= 1000) a *= 0x1p1000;
    const uint64_t u = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &u, sizeof power);
    return a * power;
}

double fg_scaled_product(const struct fg_tail *f, double x, double y, double a, double b) {
    struct fg_scaled s = {y, 0, 0};
    if (fabs(y) >= DBL_MIN || x == 0) s.exponent = split(&s.high);
    else if (fabs(x) >= 1) s = f->value(x);
    else s.high = x, s.exponent = split(&s.high) - 1; /* gelu and its like are x/2 */
    s.exponent += split(&a) + split(&b);
    if (s.high == 0 || a == 0 || b == 0) return s.high * a * b;
    const struct two first = times((struct two){s.high, s.low}, one(a));
    return scale(times(first, one(b)).high, s.exponent);
}
