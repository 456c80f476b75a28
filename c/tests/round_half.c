/* round_half.c: float16 and bfloat16, all 65,536 inputs of every function on
 * every target: each result has to be the exact one, rounded once.
 *
 * Where an exact result is nearly the midpoint of two 16-bit numbers, the side
 * still shows in double; but for x so small that double has x/2 for f(x), when
 * f(x) is x/2 and a hair.  Then the hair, which is positive, decides. */
#include "reference.h"
#include "testing.h"

enum { INPUTS = 65536 };

/* The value of a finite 16-bit number. */
static double widen(const struct dtype *t, unsigned h) {
    const unsigned sign = 1u << 15, one = 1u << t->significand;
    const int bias = (1 << (t->exponent - 1)) - 1 + (int)t->significand;
    const int e = (int)((h & ~sign) >> t->significand);
    const double m = h & (one - 1), a = e == 0 ? ldexp(m, 1 - bias) : ldexp(m + one, e - bias);
    return h & sign ? -a : a;
}

/* A finite y to the nearest 16-bit number, midpoints upwards.  The bit pattern of
 * a positive number is its place among them, so that a significand rounded up to
 * the next power of two carries into the exponent as it should. */
static unsigned narrow(const struct dtype *t, double y) {
    const unsigned sign = signbit(y) ? 0x8000 : 0;
    const int digits = (int)t->significand + 1, least = 3 - (1 << (t->exponent - 1));
    int e;
    frexp(y, &e); /* |y| in [2^(e-1), 2^e) */
    if (e < least || y == 0) e = least;
    const double scaled = ldexp(fabs(y), digits - e); /* in units in the last place */
    const double significand = y > 0 ? floor(scaled + 0.5) : ceil(scaled - 0.5);
    const unsigned bits = ((unsigned)(e - least) << t->significand) + (unsigned)significand;
    const unsigned infinity = ((1u << t->exponent) - 1) << t->significand;
    return sign | (bits < infinity ? bits : infinity);
}

static unsigned exact(const struct dtype *t, int function, unsigned h) {
    const struct fg_function_info *f = &fg_functions[function];
    const unsigned infinity = ((1u << t->exponent) - 1) << t->significand;
    if ((h & 0x7fff) > infinity) return h | 1u << (t->significand - 1); /* the same NaN, quiet */
    if (h == infinity && strcmp(f->form, "FORWARD") == 0) return h;
    if (h == infinity) return narrow(t, reference(function, FLT_MAX)); /* long at its limit */
    if (h == (infinity | 0x8000)) return narrow(t, strtod(f->left, NULL));
    return narrow(t, reference(function, widen(t, h)));
}

int main(void) {
    static const enum fg_dtype types[] = {FG_F16, FG_BF16};
    static uint16_t x[INPUTS], y[INPUTS], want[INPUTS];
    int failures = 0;
    for (unsigned h = 0; h < INPUTS; h++) x[h] = (uint16_t)h;
    for (int i = 0; i < 2; i++) {
        const struct dtype *t = &dtypes[types[i]];
        for (int f = 0; f < FG_FUNCTIONS; f++) {
            for (unsigned h = 0; h < INPUTS; h++) want[h] = (uint16_t)exact(t, f, h);
            FOR_EACH_TARGET(target) {
                int wrong = 0;
                run_loop(&target->loops[f][types[i]], INPUTS, x, 2, y, 2);
                for (unsigned h = 0; h < INPUTS; h++) {
                    if (y[h] == want[h]) continue;
                    if (wrong++ < 10)
                        printf("FAILED: %s %s %s: f(%#06x) = %#06x, correctly rounded %#06x\n",
                               target->name, t->name, fg_functions[f].name, h, (unsigned)y[h],
                               (unsigned)want[h]);
                }
                printf("%-4s %-16s %-8s %d of %d not correctly rounded\n", t->name,
                       fg_functions[f].name, target->name, wrong, (int)INPUTS);
                failures += wrong;
            }
        }
    }
    return failures != 0;
}
