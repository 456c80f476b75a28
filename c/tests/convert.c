/* convert.c: float16 and bfloat16 to float and back, by every instruction set,
 * bit by bit against the definition in rounding.h, NaN payloads included: all
 * 65,536 numbers to float, and floats to 16 bits, all 2^32 of them or every so
 * manieth.  Vectors and the parts of vectors at the end of an array are tested alike.
 *
 *   convert [--isa NAME] [--stride N]     N is 1 (all floats) unless given
 *
 * Compiled once for each simd/<name>.h, with CONVERT_<name> defined, and once
 * without for the main program. */
#include "compiler.h"

#include <stddef.h>

/* Both ways, in pieces of so many elements: a whole vector, or a part of one. */
struct conversion {
    size_t lanes;
    void (*widen[2])(size_t n, size_t piece, const char *from, char *to);
    void (*narrow[2])(size_t n, size_t piece, const char *from, char *to);
};

#if defined(CONVERT_scalar)
#include "fastgelu_internal.h"
#include "simd/scalar.h"
#define CONVERSION convert_scalar
#elif defined(CONVERT_sse2)
#include <emmintrin.h>

#include "fastgelu_internal.h"
#include "simd/sse2.h"
#define CONVERSION convert_sse2
#elif defined(CONVERT_avx2)
#include <immintrin.h>

#include "fastgelu_internal.h"
FG_TARGET_BEGIN("avx2,fma,f16c")
#include "simd/avx2.h"
#define CONVERSION convert_avx2
#define REGION
#elif defined(CONVERT_avx512)
#include <immintrin.h>

#include "fastgelu_internal.h"
FG_TARGET_BEGIN("avx2,fma,f16c,avx512f,avx512bw,avx512dq,avx512vl")
#include "simd/avx512.h"
#define CONVERSION convert_avx512
#define REGION
#elif defined(CONVERT_neon)
#include <arm_neon.h>

#include "fastgelu_internal.h"
#include "simd/neon.h"
#define CONVERSION convert_neon
#endif

#ifdef CONVERSION

#define BOTH_WAYS(dtype)                                                                           \
    static void widen_##dtype(size_t n, size_t piece, const char *from, char *to) {                \
        for (; n; from += 2 * piece, to += 4 * piece, n -= piece) {                                \
            if (piece > n) piece = n;                                                              \
            if (piece == FG_LANES_F32) f32_store(to, dtype##_load(from));                          \
            else f32_store_n(to, dtype##_load_n(from, piece), piece);                              \
        }                                                                                          \
    }                                                                                              \
    static void narrow_##dtype(size_t n, size_t piece, const char *from, char *to) {               \
        for (; n; from += 4 * piece, to += 2 * piece, n -= piece) {                                \
            if (piece > n) piece = n;                                                              \
            if (piece == FG_LANES_F32) dtype##_store(to, f32_load(from));                          \
            else dtype##_store_n(to, f32_load_n(from, piece), piece);                              \
        }                                                                                          \
    }
BOTH_WAYS(f16)
BOTH_WAYS(bf16)
#ifdef REGION
FG_TARGET_END
#endif

extern const struct conversion CONVERSION;
const struct conversion CONVERSION = {
    FG_LANES_F32, {widen_f16, widen_bf16}, {narrow_f16, narrow_bf16}};

#else

#include "rounding.h"

#define FASTGELU_TARGET(name, features) extern const struct conversion convert_##name;
#include "targets.def"

static const struct {
    const char *name;
    int (*available)(void);
    const struct conversion *conversion;
} isas[] = {
#define FASTGELU_TARGET(name, features) {#name, fg_have_##name, &convert_##name},
#include "targets.def"
};
enum { ISAS = sizeof isas / sizeof *isas, BLOCK = 4096 };

static const enum fg_dtype types[] = {FG_F16, FG_BF16};
static const char *wanted;
static uint64_t failures;

static int runs(int i) { return isas[i].available() && (!wanted || !strcmp(wanted, isas[i].name)); }

static void failed(const char *isa, const struct dtype *t, const char *way, size_t piece,
                   unsigned long from, unsigned long got, unsigned long want) {
    if (failures++ < 20)
        printf("FAILED: %s %s %s, %zu at a time: %#lx gives %#lx, should be %#lx\n", isa, t->name,
               way, piece, from, got, want);
}

/* One block by all instruction sets, for whole vectors and for a part whose
 * length is another one each time. */
static void widen_block(int type, size_t n, const uint16_t *x) {
    static uint32_t want[BLOCK], y[BLOCK];
    const struct dtype *t = &dtypes[types[type]];
    for (size_t i = 0; i < n; i++) want[i] = widen16_float(t, x[i]);
    for (int k = 0; k < ISAS; k++) {
        if (!runs(k)) continue;
        const struct conversion *c = isas[k].conversion;
        for (size_t piece = 1; piece <= c->lanes; piece++) {
            memset(y, 0xa5, sizeof y);
            c->widen[type](n, piece, (const char *)x, (char *)y);
            for (size_t i = 0; i < n; i++)
                if (y[i] != want[i])
                    failed(isas[k].name, t, "to float", piece, x[i], y[i], want[i]);
        }
    }
}

static void narrow_block(int type, size_t n, const uint32_t *x, size_t part) {
    static uint16_t want[BLOCK], y[BLOCK];
    const struct dtype *t = &dtypes[types[type]];
    for (size_t i = 0; i < n; i++) want[i] = (uint16_t)narrow16_float(t, x[i]);
    for (int k = 0; k < ISAS; k++) {
        if (!runs(k)) continue;
        const struct conversion *c = isas[k].conversion;
        const size_t pieces[] = {c->lanes, 1 + part % c->lanes};
        for (int j = 0; j < 2; j++) {
            memset(y, 0xa5, sizeof y);
            c->narrow[type](n, pieces[j], (const char *)x, (char *)y);
            for (size_t i = 0; i < n; i++)
                if (y[i] != want[i])
                    failed(isas[k].name, t, "from float", pieces[j], x[i], y[i], want[i]);
        }
    }
}

int main(int argc, char **argv) {
    static uint16_t h[BLOCK];
    static uint32_t u[BLOCK];
    uint64_t stride = 1, floats = 0;
    int ran = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--isa") && i + 1 < argc) wanted = argv[++i];
        else if (!strcmp(argv[i], "--stride") && i + 1 < argc)
            stride = strtoull(argv[++i], NULL, 10);
        else return fprintf(stderr, "usage: convert [--isa NAME] [--stride N]\n"), 2;
    }
    for (int k = 0; k < ISAS; k++) ran += runs(k);
    if (!ran || !stride) return fprintf(stderr, "nothing to test\n"), 2;

    for (int type = 0; type < 2; type++) {
        for (unsigned first = 0; first < 65536; first += BLOCK) {
            for (unsigned i = 0; i < BLOCK; i++) h[i] = (uint16_t)(first + i);
            widen_block(type, BLOCK, h);
        }
        /* Every 16-bit number, the midpoints between them and their neighbours; then the floats. */
        const int lower = 23 - (int)dtypes[types[type]].significand;
        size_t n = 0;
        for (uint64_t i = 0; i < UINT64_C(1) << (32 - lower + 3); i++) {
            static const int offsets[] = {-2, -1, 0, 1, 0, 1, 2, 3};
            const int64_t half = INT64_C(1) << (lower - 1), k = (int64_t)(i >> 3) << lower;
            u[n++] = (uint32_t)(k + offsets[i & 7] + ((i & 7) < 4 ? 0 : half - 1));
            if (n == BLOCK) narrow_block(type, n, u, (size_t)(i / BLOCK)), n = 0;
        }
        if (n) narrow_block(type, n, u, 0);
        n = 0, floats = 0;
        for (uint64_t i = 0; i < UINT64_C(1) << 32; i += stride) {
            u[n++] = (uint32_t)i;
            floats++;
            if (n == BLOCK) narrow_block(type, n, u, (size_t)(i / stride / BLOCK)), n = 0;
        }
        if (n) narrow_block(type, n, u, 1);
        printf("%-4s 65536 to float, %llu floats to it:", dtypes[types[type]].name,
               (unsigned long long)floats);
        for (int k = 0; k < ISAS; k++)
            if (runs(k)) printf(" %s", isas[k].name);
        printf("%s\n", failures ? ": FAILED" : ": as defined");
    }
    return failures != 0;
}
#endif
