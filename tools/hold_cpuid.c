/* hold_cpuid.c: makes a program believe that its processor has nothing beyond AVX2, or SSE4.2.
 *
 * Some libraries choose their instructions by CPUID alone and know no setting for it.  Loaded
 * before them, this answers their CPUID instructions without the newer features:
 *
 *     cc -O2 -shared -fPIC -o hold_cpuid.so tools/hold_cpuid.c
 *     HOLD_CPUID=avx2 LD_PRELOAD=./hold_cpuid.so python …
 *
 * Linux on x86-64, on processors that can fault on CPUID (cpuid_fault in /proc/cpuinfo).  If
 * that cannot be had, the program ends at once: a comparison held to nothing is worth nothing. */
#define _GNU_SOURCE
#include <asm/prctl.h>
#include <cpuid.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define BIT(n) (1u << (n))

static int sse; /* hide AVX as well */

static void answer(unsigned leaf, unsigned subleaf, unsigned *a, unsigned *b, unsigned *c,
                   unsigned *d) {
    __cpuid_count(leaf, subleaf, *a, *b, *c, *d);
    if (leaf == 1 && sse) /* FMA, AVX, F16C */
        *c &= ~(BIT(12) | BIT(28) | BIT(29));
    if (leaf == 7 && subleaf == 0) {
        /* AVX512F, DQ, IFMA, PF, ER, CD, BW, VL */
        *b &= ~(BIT(16) | BIT(17) | BIT(21) | BIT(26) | BIT(27) | BIT(28) | BIT(30) | BIT(31));
        /* AVX512 VBMI, VBMI2, VNNI, BITALG, VPOPCNTDQ */
        *c &= ~(BIT(1) | BIT(6) | BIT(11) | BIT(12) | BIT(14));
        /* AVX512 4VNNIW, 4FMAPS, VP2INTERSECT, FP16; AMX */
        *d &= ~(BIT(2) | BIT(3) | BIT(8) | BIT(22) | BIT(23) | BIT(24) | BIT(25));
        if (sse) /* AVX2; BMI2; VAES, VPCLMULQDQ */
            *b &= ~(BIT(5) | BIT(8)), *c &= ~(BIT(9) | BIT(10));
    }
    if (leaf == 7 && subleaf == 1) {
        *a &= ~(BIT(5) | BIT(21)); /* AVX512 BF16, AMX FP16 */
        *d &= ~BIT(19);            /* AVX10 */
        if (sse) *a &= ~(BIT(4) | BIT(23)), *d &= ~(BIT(4) | BIT(5) | BIT(10));
    }
}

static void on_fault(int signal_number, siginfo_t *info, void *context) {
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    unsigned a, b, c, d;
    (void)info;
    if (memcmp((const void *)r[REG_RIP], "\x0f\xa2", 2) != 0) { /* a fault of another kind */
        signal(signal_number, SIG_DFL);
        return;
    }
    syscall(SYS_arch_prctl, ARCH_SET_CPUID, 1);
    answer((unsigned)r[REG_RAX], (unsigned)r[REG_RCX], &a, &b, &c, &d);
    syscall(SYS_arch_prctl, ARCH_SET_CPUID, 0);
    r[REG_RAX] = a, r[REG_RBX] = b, r[REG_RCX] = c, r[REG_RDX] = d;
    r[REG_RIP] += 2;
}

__attribute__((constructor)) static void hold(void) {
    const char *isa = getenv("HOLD_CPUID");
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    if (!isa) return;
    sse = strcmp(isa, "avx2") != 0;
    if (sigaction(SIGSEGV, &action, NULL) || syscall(SYS_arch_prctl, ARCH_SET_CPUID, 0)) {
        perror("hold_cpuid");
        _exit(1);
    }
}
