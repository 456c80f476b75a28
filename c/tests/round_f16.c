/* round_f16.c: float16 results, all 65,536 inputs of every function on every
 * target, against the exact function.  They are float32 results rounded once
 * more, hence within 0.5 ULP and a ten-thousandth, and this is what is tested;
 * those that are not correctly rounded are counted. */
#include "reference.h"
#include "testing.h"

enum { INPUTS = 65536 };

static double from_f16(unsigned h) {
    const int e = (int)(h >> 10 & 31);
    const double m = h & 1023, a = e == 0 ? ldexp(m, -24) : ldexp(m + 1024, e - 25);
    return h >> 15 ? -a : a;
}

/* A finite double to the nearest float16, ties to even.  The bit pattern of a
 * positive float16 is its place among them, so that a significand rounded up
 * to the next power of two carries into the exponent as it should. */
static unsigned to_f16(double y) {
    const unsigned sign = signbit(y) ? 0x8000 : 0;
    int e;
    frexp(y, &e); /* |y| in [2^(e-1), 2^e) */
    if (e < -13 || y == 0) e = -13;
    const double significand = rint(ldexp(fabs(y), 11 - e)); /* in units in the last place */
    const unsigned bits = (unsigned)(e + 13) * 1024 + (unsigned)significand;
    return sign | (bits < 0x7c00 ? bits : 0x7c00);
}

static unsigned exact(int function, unsigned h) {
    const struct fg_function_info *f = &fg_functions[function];
    if ((h & 0x7fff) > 0x7c00) return h | 0x0200; /* the same NaN, quiet */
    if (h == 0x7c00 && strcmp(f->form, "FORWARD") == 0) return h;
    if (h == 0x7c00) return to_f16(reference(function, FLT_MAX)); /* the limit, long reached */
    if (h == 0xfc00) return to_f16(strtod(f->left, NULL));
    return to_f16(reference(function, from_f16(h)));
}

/* The error of a finite result, in units in the last place of float16. */
static double error(int function, unsigned h, unsigned y) {
    const double exact = reference(function, from_f16(h));
    int e;
    frexp(exact, &e);
    return fabs(from_f16(y) - exact) / ldexp(1, (e < -13 ? -13 : e) - 11);
}

int main(void) {
    static uint16_t x[INPUTS], y[INPUTS];
    static unsigned want[INPUTS];
    int failures = 0;
    for (int f = 0; f < FG_FUNCTIONS; f++) {
        for (unsigned h = 0; h < INPUTS; h++) x[h] = (uint16_t)h, want[h] = exact(f, h);
        FOR_EACH_TARGET(target) {
            int wrong = 0;
            run_loop(&target->loops[f][FG_F16], INPUTS, x, 2, y, 2);
            for (unsigned h = 0; h < INPUTS; h++) {
                if (y[h] == want[h]) continue;
                wrong++;
                if ((h & 0x7fff) < 0x7c00 && error(f, h, y[h]) < 0.5001) continue;
                printf("FAILED: %s %s: f(%#06x) = %#06x, correctly rounded %#06x\n", target->name,
                       fg_functions[f].name, h, (unsigned)y[h], want[h]);
                failures++;
            }
            printf("%-16s %-8s %d of %d not correctly rounded\n", fg_functions[f].name,
                   target->name, wrong, (int)INPUTS);
        }
    }
    return failures != 0;
}
