/* compose_half.c: functions composed of others, in float16 and bfloat16, on
 * every target, held against three things:
 *
 * the definition, bit by bit: the float32 function of the scalar target, on the
 * inputs as floats, rounded once by rounding.h;
 *
 * where an input is infinite or a NaN, plain C arithmetic in the order of the
 * formula, NaNs by the rule of fastgelu.h, bit by bit as well;
 *
 * where all are finite, the exact function, in double: the error has to stay below
 * what functions.def states, in units in the last place of the 16-bit type.
 *
 *   compose_half [--isa NAME] [--tsv FILE] [TUPLES]
 *
 * The inputs are all tuples of special values and TUPLES others, 200,000 unless
 * given.  --tsv writes the worst errors for the accuracy page. */
#include "reference.h"
#include "rounding.h"

enum { BLOCK = 4096 };

struct subject {
    int composite;
    const struct fg_composite_info *info;
    enum fg_operation operation;
    int inputs, outputs;
    fg_loop *f32[2]; /* float32 loops of the scalar target, for f and g, or NULL */
    double bound;
};

static const enum fg_operation operations[] = {
#define FASTGELU_COMPOSITE(name, operation, ...) FG_##operation,
#include "functions.def"
};

/* ---- the definition -------------------------------------------------------- */

static float from_bits(uint32_t u) {
    float a;
    memcpy(&a, &u, sizeof a);
    return a;
}

static uint32_t to_bits(float a) {
    uint32_t u;
    memcpy(&u, &a, sizeof u);
    return u;
}

static int is_nan(uint32_t u) { return (u & 0x7fffffff) > 0x7f800000; }

/* The result of an operation on a and b, whose value is y: of NaNs the first,
 * quiet; where the operation makes one, the positive quiet NaN. */
static float nan_rule(float a, float b, float y) {
    if (is_nan(to_bits(a))) return from_bits(to_bits(a) | 0x400000);
    if (is_nan(to_bits(b))) return from_bits(to_bits(b) | 0x400000);
    return is_nan(to_bits(y)) ? from_bits(0x7fc00000) : y;
}
static float product(float a, float b) { return nan_rule(a, b, a * b); }
static float sum(float a, float b) { return nan_rule(a, b, a + b); }

/* v: the inputs; f, g: the values of the functions within. */
static void define(enum fg_operation operation, const float *v, float f, float g, float *y) {
    const int nan = is_nan(to_bits(v[0]));
    const float quiet = from_bits(to_bits(v[0]) | 0x400000);
    switch (operation) {
    case FG_RELU: y[0] = nan ? quiet : v[0] > 0 ? v[0] : 0.0f; break;
    case FG_RELU_GRAD: y[0] = nan ? quiet : v[0] > 0 ? 1.0f : 0.0f; break;
    case FG_LEAKY_RELU: y[0] = v[0] > 0 ? v[0] : product(v[0], v[1]); break;
    case FG_LEAKY_RELU_GRAD: y[0] = nan ? quiet : v[0] > 0 ? 1.0f : product(1.0f, v[1]); break;
    case FG_ELU: y[0] = nan ? quiet : v[0] < 0 ? product(f, v[1]) : v[0]; break;
    case FG_ELU_GRAD: y[0] = nan ? quiet : v[0] > 0 ? 1.0f : product(f, v[1]); break;
    case FG_BIAS: y[0] = f; break;
    case FG_BACKWARD: y[0] = product(v[0], f); break;
    case FG_GATE: y[0] = product(f, v[1]); break;
    case FG_GATE_BACKWARD:
        y[0] = product(product(v[0], g), v[2]);
        y[1] = product(v[0], f);
        break;
    }
}

/* ---- the exact function ---------------------------------------------------- */

/* A function by name, in double; exp(x) - 1 and exp(x) for elu. */
static double value(const char *name, double x) {
    for (int i = 0; i < FG_FUNCTIONS; i++)
        if (!strcmp(fg_functions[i].name, name)) return reference(i, x);
    if (!strcmp(name, "relu")) return x > 0 ? x : 0;
    if (!strcmp(name, "relu_grad")) return x > 0;
    if (!strcmp(name, "expm1_negative")) return (expm1)(x);
    if (!strcmp(name, "exp_negative")) return (exp)(x);
    fprintf(stderr, "no reference for %s\n", name);
    exit(2);
}

/* The exact results for finite inputs. */
static void exactly(const struct subject *s, const double *v, double *y) {
    const char *f = s->info->f, *g = s->info->g;
    switch (s->operation) {
    case FG_RELU: y[0] = v[0] > 0 ? v[0] : 0; break;
    case FG_RELU_GRAD: y[0] = v[0] > 0; break;
    case FG_LEAKY_RELU: y[0] = v[0] > 0 ? v[0] : v[0] * v[1]; break;
    case FG_LEAKY_RELU_GRAD: y[0] = v[0] > 0 ? 1 : v[1]; break;
    case FG_ELU: y[0] = v[0] < 0 ? value(f, v[0]) * v[1] : v[0]; break;
    case FG_ELU_GRAD: y[0] = v[0] > 0 ? 1 : value(f, v[0]) * v[1]; break;
    case FG_BIAS: y[0] = value(f, v[0] + v[1]); break;
    case FG_BACKWARD: y[0] = v[0] * value(f, v[1]); break;
    case FG_GATE: y[0] = value(f, v[0]) * v[1]; break;
    case FG_GATE_BACKWARD:
        y[0] = v[0] * value(g, v[1]) * v[2];
        y[1] = v[0] * value(f, v[1]);
        break;
    }
}

/* What functions.def states for the type, in ULP. */
static double stated(const char *text, enum fg_dtype type) {
    double bound = 0.5;
    const char *bfloat = strstr(text, "bfloat16");
    if (!strcmp(text, "exact")) return 0;
    if (bfloat && type == FG_BF16) text = bfloat;
    const char *within = strstr(text, "within");
    const int own = within && (type == FG_BF16 || !bfloat || within < bfloat);
    if (own && sscanf(within, "within %lf", &bound) != 1) exit(2);
    return bound;
}

/* ---- the inputs ------------------------------------------------------------ */

/* After all tuples of special values by turns: any bit patterns; a special value
 * among any; twice the usual values of testing.h. */
static uint16_t input(const struct dtype *t, int inputs, uint64_t special_tuples, uint64_t i,
                      int j) {
    if (i < special_tuples) {
        for (; j; j--) i /= SPECIALS;
        return (uint16_t)sample(t, i % SPECIALS);
    }
    const uint64_t r = mix64((i * MOST_INPUTS + (uint64_t)j + 1) * GOLDEN_GAMMA);
    if (i % 4 == 0) return (uint16_t)r;
    if (i % 4 == 1)
        return (uint16_t)(i / 4 % (uint64_t)inputs == (uint64_t)j ? sample(t, r % SPECIALS) : r);
    return (uint16_t)sample(t, SPECIALS + (r >> 8));
}

/* ---- the test --------------------------------------------------------------- */

static const char *wanted;
static int failures;

static fg_loop *scalar_loop(const char *name) {
    for (int i = 0; i < FG_FUNCTIONS; i++)
        if (!strcmp(fg_functions[i].name, name)) return &fg_targets[0]->loops[i][FG_F32];
    for (int i = 0; i < FG_COMPOSITES; i++)
        if (!strcmp(fg_composites[i].name, name)) return &fg_targets[0]->composites[i][FG_F32];
    return NULL;
}

static void failed(const char *target, const struct dtype *t, const struct subject *s,
                   const uint16_t x[][BLOCK], uint64_t i, int output, unsigned got, unsigned want) {
    if (failures++ >= 20) return;
    printf("FAILED: %s %s %s(", target, t->name, s->info->name);
    for (int j = 0; j < s->inputs; j++) printf("%s%#06x", j ? ", " : "", (unsigned)x[j][i]);
    printf("), result %d: %#06x, as defined %#06x\n", output, got, want);
}

/* f or g of a block of floats, in float32; elu with alpha = 1 is exp(x) - 1. */
static void unary(const struct subject *s, int which, uint64_t n, const float *u, float *y) {
    static const float one = 1;
    fg_loop *loop = s->f32[which];
    if (!loop) return;
    if (loop->inputs == 1) {
        run_loop(loop, (size_t)n, u, sizeof *u, y, sizeof *y);
        return;
    }
    char *const args[] = {(char *)(uintptr_t)u, (char *)(uintptr_t)&one, (char *)y};
    const ptrdiff_t strides[] = {sizeof *u, 0, sizeof *y};
    fg_run(loop, (size_t)n, args, strides);
}

static double test(const struct subject *s, enum fg_dtype type, uint64_t tuples) {
    static uint16_t x[MOST_INPUTS][BLOCK], want[MOST_OUTPUTS][BLOCK], y[MOST_OUTPUTS][BLOCK];
    static float wide[MOST_INPUTS][BLOCK], u[BLOCK], f[BLOCK], g[BLOCK],
        of_float32[MOST_OUTPUTS][BLOCK];
    const struct dtype *t = &dtypes[type];
    const int at = s->operation == FG_BACKWARD || s->operation == FG_GATE_BACKWARD;
    double worst = 0;
    uint64_t special_tuples = 1;
    for (int j = 0; j < s->inputs; j++) special_tuples *= SPECIALS;
    const uint64_t count = special_tuples + tuples;
    for (uint64_t first = 0; first < count; first += BLOCK) {
        const uint64_t n = count - first < BLOCK ? count - first : BLOCK;
        for (int j = 0; j < s->inputs; j++) {
            for (uint64_t i = 0; i < n; i++) {
                x[j][i] = input(t, s->inputs, special_tuples, first + i, j);
                wide[j][i] = from_bits(widen16_float(t, x[j][i]));
            }
        }
        for (uint64_t i = 0; i < n; i++)
            u[i] = s->operation == FG_BIAS ? sum(wide[0][i], wide[1][i]) : wide[at][i];
        char *args[MOST_INPUTS + MOST_OUTPUTS];
        ptrdiff_t strides[] = {4, 4, 4, 4, 4};
        for (int j = 0; j < s->inputs; j++) args[j] = (char *)wide[j];
        for (int k = 0; k < s->outputs; k++) args[s->inputs + k] = (char *)of_float32[k];
        fg_run(&fg_targets[0]->composites[s->composite][FG_F32], (size_t)n, args, strides);
        unary(s, 0, n, u, f);
        unary(s, 1, n, u, g);
        for (uint64_t i = 0; i < n; i++) {
            const float v[MOST_INPUTS] = {wide[0][i], wide[1][i], wide[2][i]};
            float result[MOST_OUTPUTS];
            define(s->operation, v, f[i], g[i], result);
            for (int k = 0; k < s->outputs; k++)
                want[k][i] = (uint16_t)narrow16_float(t, to_bits(of_float32[k][i]));

            double exact_inputs[MOST_INPUTS] = {0}, exact[MOST_OUTPUTS] = {0};
            int finite = 1;
            for (int j = 0; j < s->inputs; j++) {
                exact_inputs[j] = (double)v[j];
                finite &= !is_nan(to_bits(v[j])) && fabs((double)v[j]) <= (double)FLT_MAX;
            }
            for (int k = 0; k < s->outputs && !finite; k++) {
                const unsigned plain = narrow16_float(t, to_bits(result[k]));
                if (k == 1 && fabs((double)v[0]) + fabs((double)v[1]) <= (double)FLT_MAX)
                    continue; /* dup does not take up */
                if (want[k][i] != plain)
                    failed("", t, s, (const uint16_t (*)[BLOCK])x, i, k, want[k][i], plain);
            }
            if (!finite) continue;
            exactly(s, exact_inputs, exact);
            for (int k = 0; k < s->outputs; k++) {
                /* Infinity stands for the number that would follow the largest. */
                const unsigned h = want[k][i], bits = h & 0x7fff;
                const double largest = widen16(t, infinity16(t) - 1);
                double got = bits == infinity16(t) ? largest + ulp16(t, largest) : widen16(t, bits);
                if (h & 0x8000) got = -got;
                double error = fabs(got - exact[k]) / ulp16(t, exact[k]);
                if (bits == infinity16(t) && fabs(exact[k]) > fabs(got)) error = 0;
                /* What is stated of correctly rounded functions is for subnormal results. */
                const int exempt = s->bound < 0.50005 && bits < 1u << t->significand;
                const double bound =
                    s->bound > 0.5 && s->bound < 0.50005 && !exempt ? 0.5 : s->bound;
                if (!(error <= bound)) {
                    printf("error of %.6f ULP, stated %.6f: ", error, bound);
                    failed("", t, s, (const uint16_t (*)[BLOCK])x, i, k, h,
                           narrow16(t, exact[k], 0));
                }
                if (error > worst) worst = error;
            }
        }
        FOR_EACH_TARGET(target) {
            if (wanted && strcmp(wanted, target->name)) continue;
            for (int j = 0; j < MOST_INPUTS + MOST_OUTPUTS; j++) strides[j] = 2;
            for (int j = 0; j < s->inputs; j++) args[j] = (char *)x[j];
            for (int k = 0; k < s->outputs; k++) args[s->inputs + k] = (char *)y[k];
            fg_run(&target->composites[s->composite][type], (size_t)n, args, strides);
            for (int k = 0; k < s->outputs; k++)
                for (uint64_t i = 0; i < n; i++)
                    if (y[k][i] != want[k][i])
                        failed(target->name, t, s, (const uint16_t (*)[BLOCK])x, i, k, y[k][i],
                               want[k][i]);
        }
    }
    return worst;
}

int main(int argc, char **argv) {
    static const enum fg_dtype types[] = {FG_F16, FG_BF16};
    uint64_t tuples = 200000;
    FILE *tsv = NULL;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--isa") && i + 1 < argc) wanted = argv[++i];
        else if (!strcmp(argv[i], "--tsv") && i + 1 < argc) {
            if (!(tsv = fopen(argv[++i], "w"))) return perror(argv[i]), 2;
        } else tuples = strtoull(argv[i], NULL, 10);
    }
    for (int c = 0; c < FG_COMPOSITES; c++) {
        const struct fg_composite_info *info = &fg_composites[c];
        fg_loop *loop = &fg_targets[0]->composites[c][FG_F32];
        struct subject s = {.composite = c, .info = info, .operation = operations[c]};
        s.inputs = loop->inputs, s.outputs = loop->outputs;
        const int elu = s.operation == FG_ELU || s.operation == FG_ELU_GRAD;
        s.f32[0] = elu ? loop : scalar_loop(info->f);
        s.f32[1] = scalar_loop(info->g);
        for (int i = 0; i < 2; i++) {
            s.bound = stated(info->error16, types[i]);
            const double worst = test(&s, types[i], tuples);
            printf("%-4s %-20s worst %.6f ULP, stated %g\n", dtypes[types[i]].name, info->name,
                   worst, s.bound);
            fflush(stdout);
            if (tsv)
                fprintf(tsv, "composite16\t%s\t%s\t%.6f\t%llu\n", info->name, dtypes[types[i]].name,
                        worst, (unsigned long long)tuples);
        }
    }
    printf("functions composed of others, %llu tuples of 16-bit numbers:",
           (unsigned long long)tuples);
    FOR_EACH_TARGET(target) {
        if (!wanted || !strcmp(wanted, target->name)) printf(" %s", target->name);
    }
    printf("%s\n", failures ? ": FAILED" : ": as defined");
    return (tsv && fclose(tsv)) || failures != 0;
}
