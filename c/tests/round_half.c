/* round_half.c: float16 and bfloat16, all 65,536 inputs of every function on
 * every target: each result has to be the exact one, rounded once.
 *
 *   round_half [--isa NAME] [--tsv FILE]
 *
 * --tsv writes the lines of the accuracy page.
 *
 * Where an exact result is nearly the midpoint of two 16-bit numbers, the side
 * still shows in double; but for x so small that double has x/2 for f(x), when
 * f(x) is x/2 and a hair.  Then the hair, which is positive, decides. */
#include "reference.h"
#include "rounding.h"

enum { INPUTS = 65536 };

static unsigned exact(const struct dtype *t, int function, unsigned h) {
    const struct fg_function_info *f = &fg_functions[function];
    const unsigned infinity = ((1u << t->exponent) - 1) << t->significand;
    if ((h & 0x7fff) > infinity) return h | 1u << (t->significand - 1); /* the same NaN, quiet */
    if (h == infinity && strcmp(f->form, "FORWARD") == 0) return h;
    if (h == infinity)
        return narrow16(t, reference(function, FLT_MAX), TIES_UP); /* long at its limit */
    if (h == (infinity | 0x8000)) return narrow16(t, strtod(f->left, NULL), TIES_UP);
    return narrow16(t, reference(function, widen16(t, h)), TIES_UP);
}

int main(int argc, char **argv) {
    const char *wanted = NULL;
    FILE *tsv = NULL;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--isa") && i + 1 < argc) wanted = argv[++i];
        else if (!strcmp(argv[i], "--tsv") && i + 1 < argc) {
            if (!(tsv = fopen(argv[++i], "w"))) return perror(argv[i]), 2;
        } else return fprintf(stderr, "usage: round_half [--isa NAME] [--tsv FILE]\n"), 2;
    }
    static const enum fg_dtype types[] = {FG_F16, FG_BF16};
    static uint16_t x[INPUTS], y[INPUTS], want[INPUTS];
    int failures = 0;
    for (unsigned h = 0; h < INPUTS; h++) x[h] = (uint16_t)h;
    for (int i = 0; i < 2; i++) {
        const struct dtype *t = &dtypes[types[i]];
        for (int f = 0; f < FG_FUNCTIONS; f++) {
            for (unsigned h = 0; h < INPUTS; h++) want[h] = (uint16_t)exact(t, f, h);
            FOR_EACH_TARGET(target) {
                if (wanted && strcmp(wanted, target->name)) continue;
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
                if (tsv)
                    fprintf(tsv, "half\t%s\t%s\t%s\t%d\t%d\n", fg_functions[f].name, t->name,
                            target->name, wrong, (int)INPUTS);
                failures += wrong;
            }
        }
    }
    return (tsv && fclose(tsv)) || failures != 0;
}
