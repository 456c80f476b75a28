/* consumer.c: a C program that uses the installed library and nothing else of
 * this project but the list of names.  It exits with 1 if anything is not as
 * fastgelu.h says, and prints the digest of every function of one input, which
 * is the same on every machine. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <fastgelu.h>

static int failures;

static void expect(int condition, const char *what) {
    if (condition) return;
    printf("FAILED: %s\n", what);
    failures++;
}

/* Bit patterns spread evenly over all there are: multiples of the golden ratio. */
enum { COUNT = 1 << 16 };
static uint16_t x_f16[COUNT], y_f16[COUNT], x_bf16[COUNT], y_bf16[COUNT];
static float x_f32[COUNT], y_f32[COUNT];
static double x_f64[COUNT], y_f64[COUNT];

static void make_inputs(void) {
    for (uint64_t i = 0; i < COUNT; i++) {
        const uint64_t f64 = i * UINT64_C(0x9e3779b97f4a7c15);
        const uint32_t f32 = (uint32_t)(f64 >> 32);
        x_f16[i] = x_bf16[i] = (uint16_t)i;
        memcpy(&x_f32[i], &f32, sizeof f32);
        memcpy(&x_f64[i], &f64, sizeof f64);
    }
}

/* FNV-1a over elements as integers, so that byte order does not matter. */
static uint64_t mixed(uint64_t digest, uint64_t bits) {
    return (digest ^ bits) * UINT64_C(0x100000001b3);
}

#define DIGEST(type, uint)                                                                         \
    static uint64_t digest_##type(const void *results) {                                           \
        uint64_t digest = UINT64_C(0xcbf29ce484222325);                                            \
        for (size_t i = 0; i < COUNT; i++) {                                                       \
            uint bits;                                                                             \
            memcpy(&bits, (const char *)results + i * sizeof bits, sizeof bits);                   \
            digest = mixed(digest, bits);                                                          \
        }                                                                                          \
        return digest;                                                                             \
    }
DIGEST(f16, uint16_t)
DIGEST(bf16, uint16_t)
DIGEST(f32, uint32_t)
DIGEST(f64, uint64_t)

static const char *const isas[] = {"scalar", "sse2", "avx2", "avx512", "neon"};
enum { ISAS = sizeof isas / sizeof *isas };

/* Prints the digest of one function, and tries it with every instruction set. */
#define TRY(name, type)                                                                            \
    do {                                                                                           \
        fastgelu_set_isa(NULL);                                                                    \
        fastgelu_##name##_##type(COUNT, x_##type, y_##type);                                       \
        const uint64_t digest = digest_##type(y_##type);                                           \
        printf("%-24s %-4s %016" PRIx64 "\n", #name, #type, digest);                               \
        for (int i = 0; i < ISAS; i++) {                                                           \
            if (fastgelu_set_isa(isas[i])) continue;                                               \
            const ptrdiff_t size = sizeof *x_##type;                                               \
            memset(y_##type, 0, sizeof y_##type);                                                  \
            fastgelu_##name##_##type##_strided(COUNT, x_##type + COUNT - 1, -size,                 \
                                               y_##type + COUNT - 1, -size);                       \
            expect(digest_##type(y_##type) == digest, "the same bits by any instruction set");     \
        }                                                                                          \
    } while (0);

static void try_every_function(void) {
#define FASTGELU_FUNCTION(name, ...) TRY(name, f16) TRY(name, f32) TRY(name, f64) TRY(name, bf16)
#include "../../src/functions.def"
    fastgelu_set_isa(NULL);
}

static void try_isas(void) {
    const char *best = fastgelu_isa();
    int count = 0;
    printf("instruction sets:");
    for (int i = 0; i < ISAS; i++) {
        if (fastgelu_set_isa(isas[i])) continue;
        expect(!strcmp(fastgelu_isa(), isas[i]), "fastgelu_isa() is what was set");
        printf(" %s", isas[i]);
        count++;
    }
    printf(", first %s\n", best);
    expect(count > 0, "there is an instruction set");
    expect(fastgelu_set_isa("scalar") == 0, "scalar is everywhere");
    expect(fastgelu_set_isa("abacus") == -1, "an unknown instruction set is refused");
    expect(!strcmp(fastgelu_isa(), "scalar"), "and nothing changes");
    expect(fastgelu_set_isa("") == 0, "the empty string is the best one");
}

static void try_arrays(void) {
    float x[] = {-INFINITY, -30, -1, -0.0f, 0, 1, 30, INFINITY}, y[8];
    const float gelu[] = {-0.0f, -0.0f, -0.15865526f, -0.0f, 0, 0.84134477f, 30, INFINITY};
    fastgelu_gelu_f32(8, x, y);
    expect(!memcmp(y, gelu, sizeof y), "gelu of special and usual values");

    struct {
        float in, out;
    } pairs[8];
    for (int i = 0; i < 8; i++) pairs[i].in = x[i];
    fastgelu_gelu_f32_strided(8, &pairs[0].in, sizeof *pairs, &pairs[0].out, sizeof *pairs);
    for (int i = 0; i < 8; i++) expect(pairs[i].out == gelu[i], "gelu from and to a structure");

    const float one = 1;
    fastgelu_gelu_f32_strided(8, &one, 0, y, sizeof *y);
    for (int i = 0; i < 8; i++) expect(y[i] == gelu[5], "gelu of one number, eight times");

    fastgelu_gelu_f32(8, x, x);
    expect(!memcmp(x, gelu, sizeof x), "gelu in place");

    const uint16_t f16[] = {0x3c00, 0xbc00}, bf16[] = {0x3f80, 0xbf80}; /* 1 and -1 */
    uint16_t y16[2];
    fastgelu_gelu_f16(2, f16, y16);
    expect(y16[0] == 0x3abb && y16[1] == 0xb114, "gelu in float16");
    fastgelu_gelu_bf16(2, bf16, y16);
    expect(y16[0] == 0x3f57 && y16[1] == 0xbe22, "gelu in bfloat16");
    fastgelu_swiglu_bf16_strided(2, bf16, sizeof *bf16, bf16, 0, y16, sizeof *y16);
    expect(y16[0] == 0x3f3b && y16[1] == 0xbe8a, "silu(gate) * 1 in bfloat16");

    fastgelu_gelu_f32(0, NULL, NULL);
    fastgelu_gelu_f64_strided(0, NULL, 0, NULL, 0);
}

int main(void) {
    printf("fastgelu %s, header %s\n", fastgelu_version(), FASTGELU_VERSION);
    expect(!strcmp(fastgelu_version(), FASTGELU_VERSION), "library and header are of one version");
    try_isas();
    try_arrays();
    make_inputs();
    try_every_function();
    puts(failures ? "consumer: FAILED" : "consumer: ok");
    return failures != 0;
}
