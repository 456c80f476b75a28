/* cpu.c: what this machine has.  By hand, since compilers' helpers differ:
 * CPUID for the instructions, and XGETBV (only where the system says that it
 * may be executed) for whether the system saves the registers they use. */
#include "compiler.h"

#include "cpu.h"

#if defined(_MSC_VER) && !defined(__clang__)
#define FG_ATOMIC_UINT volatile unsigned
#else
#include <stdatomic.h>
#define FG_ATOMIC_UINT _Atomic unsigned
#endif
#define FG_CPU_ASKED (1u << 31)

#if defined(__x86_64__) || defined(_M_X64)
#if defined(_MSC_VER)
#include <intrin.h>
static void cpuid(uint32_t leaf, uint32_t *r) { __cpuidex((int *)r, (int)leaf, 0); }
static uint64_t xgetbv(void) { return _xgetbv(0); }
#else
#include <cpuid.h>
static void cpuid(uint32_t leaf, uint32_t *r) { __cpuid_count(leaf, 0, r[0], r[1], r[2], r[3]); }
static uint64_t xgetbv(void) {
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}
#endif

/* Feature bits: register of CPUID leaf 1 or 7, and the XCR0 state needed. */
enum { LEAF1_ECX, LEAF7_EBX };
#define YMM 0x06u
#define ZMM 0xe6u
static const struct {
    unsigned feature;
    const char *name;
    int where, bit;
    unsigned state;
} known[] = {
    {FG_CPU_FMA, "fma", LEAF1_ECX, 12, YMM},
    {FG_CPU_F16C, "f16c", LEAF1_ECX, 29, YMM},
    {FG_CPU_AVX, "avx", LEAF1_ECX, 28, YMM},
    {FG_CPU_AVX2, "avx2", LEAF7_EBX, 5, YMM},
    {FG_CPU_AVX512F, "avx512f", LEAF7_EBX, 16, ZMM},
    {FG_CPU_AVX512BW, "avx512bw", LEAF7_EBX, 30, ZMM},
    {FG_CPU_AVX512DQ, "avx512dq", LEAF7_EBX, 17, ZMM},
    {FG_CPU_AVX512VL, "avx512vl", LEAF7_EBX, 31, ZMM},
};

static unsigned detect(void) {
    uint32_t leaf0[4], leaf1[4], leaf7[4] = {0};
    cpuid(0, leaf0);
    cpuid(1, leaf1);
    if (leaf0[0] >= 7) cpuid(7, leaf7);
    uint64_t state = leaf1[2] >> 27 & 1 ? xgetbv() : 0; /* OSXSAVE */
    const uint32_t words[] = {leaf1[2], leaf7[1]};
    unsigned found = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (words[known[i].where] >> known[i].bit & 1 && (state & known[i].state) == known[i].state)
            found |= known[i].feature;
    return found;
}
#else
static const struct {
    unsigned feature;
    const char *name;
} known[] = {{0, ""}};
static unsigned detect(void) { return 0; }
#endif

/* Asked once; a race only asks twice.  (Under a hypervisor CPUID is slow.) */
static unsigned features(void) {
    static FG_ATOMIC_UINT cache;
    unsigned found = cache;
    if (!found) cache = found = detect() | FG_CPU_ASKED;
    return found;
}

int fg_cpu_has(unsigned wanted) { return (features() & wanted) == wanted; }

const char *fg_cpu_feature(size_t i) {
    for (size_t j = 0; j < sizeof known / sizeof *known; j++)
        if (known[j].feature & features() && i-- == 0) return known[j].name;
    return NULL;
}
