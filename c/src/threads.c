/* threads.c: the pool.  Its threads are started by the first call that wants
 * them, sleep between calls, and live as long as the process.
 *
 * Each thread of a job has a slot, a range of parts that it takes one by one
 * from the front; when that is used up it takes from the other slots.  So a
 * thread meets the same stretch of an array again at the next call, where its
 * cache may hold it, and still nobody waits for a thread that is slow.
 *
 * The caller waits only for threads that have joined its job.  One that wakes
 * too late, or that an exit, a fork or a debugger has stopped, is not missed:
 * the others have done its parts. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* for the CPU sets of sched.h */
#endif
#include "compiler.h"

#include "threads.h"

#ifdef FASTGELU_NO_THREADS

int fg_get_num_threads(void) { return 1; }
int fg_set_num_threads(int n) { return n >= 1 && n <= FG_MOST_THREADS ? 0 : -1; }
int fg_count_cpus(void) { return 1; }
int fg_share(int threads, long parts, fg_part *part, const void *context) {
    return (void)threads, (void)parts, (void)part, (void)context, 0;
}

#else

#include <stdlib.h>

/* ---- what the systems spell differently ----------------------------------- */

/* Atomic counters.  All operations are sequentially consistent. */
#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
typedef volatile long atomic_counter;
static long get(atomic_counter *p) { return _InterlockedOr(p, 0); }
static long exchange(atomic_counter *p, long value) { return _InterlockedExchange(p, value); }
static long add(atomic_counter *p, long value) { return _InterlockedExchangeAdd(p, value); }
#else
#include <stdatomic.h>
typedef _Atomic long atomic_counter;
static long get(atomic_counter *p) { return atomic_load(p); }
static long exchange(atomic_counter *p, long value) { return atomic_exchange(p, value); }
static long add(atomic_counter *p, long value) { return atomic_fetch_add(p, value); }
#endif

/* Tells the processor that this thread waits in a loop. */
#if defined(__x86_64__) || defined(_M_X64)
#include <emmintrin.h>
static void relax(void) { _mm_pause(); }
#elif defined(__aarch64__) && defined(__GNUC__)
static void relax(void) { __asm__ volatile("yield"); }
#else
static void relax(void) {}
#endif

static void serve(int number);

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

typedef SRWLOCK lock_type;
typedef CONDITION_VARIABLE condition_type;
typedef HANDLE thread_type;
#define LOCK_INITIALIZER SRWLOCK_INIT
#define CONDITION_INITIALIZER CONDITION_VARIABLE_INIT
static void lock(lock_type *l) { AcquireSRWLockExclusive(l); }
static void unlock(lock_type *l) { ReleaseSRWLockExclusive(l); }
static void wait_for(condition_type *c, lock_type *l) {
    SleepConditionVariableSRW(c, l, INFINITE, 0);
}
static void wake(condition_type *c) { WakeAllConditionVariable(c); }

static DWORD WINAPI thread_main(void *number) {
    serve((int)(intptr_t)number);
    return 0;
}

static int start_thread(thread_type *thread, int number) {
    *thread = CreateThread(NULL, 0, thread_main, (void *)(intptr_t)number, 0, NULL);
    return *thread != NULL;
}

/* Keeps the library loaded, since threads run in it from now on. */
static int prepare_process(void) {
    HMODULE module;
    return GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS |
                                  GET_MODULE_HANDLE_EX_FLAG_PIN,
                              (LPCWSTR)(void *)&fg_share, &module) != 0;
}

#else
#include <pthread.h>
#include <signal.h>

typedef pthread_mutex_t lock_type;
typedef pthread_cond_t condition_type;
typedef pthread_t thread_type;
#define LOCK_INITIALIZER PTHREAD_MUTEX_INITIALIZER
#define CONDITION_INITIALIZER PTHREAD_COND_INITIALIZER
static void lock(lock_type *l) { pthread_mutex_lock(l); }
static void unlock(lock_type *l) { pthread_mutex_unlock(l); }
static void wait_for(condition_type *c, lock_type *l) { pthread_cond_wait(c, l); }
static void wake(condition_type *c) { pthread_cond_broadcast(c); }

static void *thread_main(void *number) {
    serve((int)(intptr_t)number);
    return NULL;
}

/* Signals are for the program's own threads; those that stand for a fault of
 * the thread itself are left as they are. */
static int start_thread(thread_type *thread, int number) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
    sigset_t blocked, saved;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&blocked, faults[i]);
    if (pthread_sigmask(SIG_SETMASK, &blocked, &saved)) return 0;
    int failed = pthread_create(thread, NULL, thread_main, (void *)(intptr_t)number);
    if (!failed) pthread_detach(*thread);
    pthread_sigmask(SIG_SETMASK, &saved, NULL);
    return !failed;
}

static void forget_threads(void);
static int prepare_process(void) { return pthread_atfork(NULL, NULL, forget_threads) == 0; }
#endif

/* CPU sets: that of the calling thread, the part of it that is left to helpers,
 * and what keeps a helper there.
 *
 * The caller leaves out the CPU that it runs on.  A scheduler may wake a thread
 * on the CPU of whoever woke it, though others are idle: Linux does in a virtual
 * machine, where a CPU that sleeps looks like one that the host has taken away. */
#if defined(__linux__) && !defined(__ANDROID__) /* whose threads have none */
#include <sched.h>
#include <unistd.h>
typedef cpu_set_t cpus_type;
static int count_cpus(cpus_type *cpus) {
    if (sched_getaffinity(0, sizeof *cpus, cpus) == 0) return CPU_COUNT(cpus);
    CPU_ZERO(cpus); /* more CPUs than fit into the set */
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}
static int same_cpus(const cpus_type *a, const cpus_type *b) { return CPU_EQUAL(a, b); }
static void leave_own_cpu(cpus_type *cpus) {
    int cpu = sched_getcpu();
    if (cpu >= 0 && CPU_COUNT(cpus) > 1) CPU_CLR((size_t)cpu, cpus);
}
static void move_to_cpus(thread_type thread, const cpus_type *cpus) {
    if (CPU_COUNT(cpus)) pthread_setaffinity_np(thread, sizeof *cpus, cpus);
}
#else
typedef char cpus_type; /* not to be had, or not for single threads */
static int same_cpus(const cpus_type *a, const cpus_type *b) { return (void)a, (void)b, 1; }
static void leave_own_cpu(cpus_type *cpus) { (void)cpus; }
static void move_to_cpus(thread_type thread, const cpus_type *cpus) { (void)thread, (void)cpus; }
#if defined(_WIN32)
static int count_cpus(cpus_type *cpus) {
    DWORD_PTR mine, all;
    int n = 0;
    *cpus = 0;
    if (!GetProcessAffinityMask(GetCurrentProcess(), &mine, &all)) return 1;
    for (; mine; mine &= mine - 1) n++;
    return n; /* 0, that is alone, for a process in several processor groups */
}
#else
#include <unistd.h>
static int count_cpus(cpus_type *cpus) {
    *cpus = 0;
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}
#endif
#endif

int fg_count_cpus(void) {
    cpus_type cpus;
    int n = count_cpus(&cpus);
    return n > 1 ? n : 1;
}

/* ---- the number of threads --------------------------------------------------
 * Two words, so that no thread has to wait or retry: what fg_set_num_threads()
 * asked for, and what the environment says. */

static atomic_counter asked, found; /* 0: not yet */

int fg_get_num_threads(void) {
    long n = get(&asked);
    if (!n) n = get(&found);
    if (n) return (int)n;
    const char *text = getenv("FASTGELU_NUM_THREADS");
    char *end;
    if (text && *text >= '0' && *text <= '9') n = strtol(text, &end, 10);
    if (n < 1 || n > FG_MOST_THREADS || *end) n = 1;
    exchange(&found, n);
    return (int)n;
}

int fg_set_num_threads(int n) {
    if (n < 1 || n > FG_MOST_THREADS) return -1;
    exchange(&asked, n);
    return 0;
}

/* ---- the pool --------------------------------------------------------------- */

struct pool {
    lock_type lock;
    condition_type work, done;
    int workers;            /* so many threads were started, numbered from 1 */
    atomic_counter job;     /* counts the jobs */
    int helpers;            /* workers 1 ... helpers may join the job */
    atomic_counter running; /* so many have joined and not yet left */
    fg_part *part;
    const void *context;
    cpus_type cpus; /* that the workers may run on */
};
#define POOL_INITIALIZER                                                                           \
    {.lock = LOCK_INITIALIZER, .work = CONDITION_INITIALIZER, .done = CONDITION_INITIALIZER}
static struct pool pool = POOL_INITIALIZER;

/* A thread that waits looks for some 40 microseconds before it sleeps: about as
 * long as waking it takes. */
enum { SPINS = 2000 };

static atomic_counter in_use; /* by a caller, who alone may start threads and jobs */

static thread_type workers[FG_MOST_THREADS];

static struct {
    FG_ALIGN(64) atomic_counter next; /* each in a cache line of its own */
    long end;
} slots[FG_MOST_THREADS];

/* Does parts as long as there are any, first those of one slot. */
static void do_parts(int first, int threads, fg_part *part, const void *context) {
    for (int i = 0, slot = first; i < threads; i++, slot = slot + 1 < threads ? slot + 1 : 0) {
        long p;
        while ((p = add(&slots[slot].next, 1)) < slots[slot].end) part(context, p);
    }
}

/* The life of a worker. */
static void serve(int number) {
    long seen = 0; /* the last job it joined; the first is 1 */
    lock(&pool.lock);
    for (;;) {
        while (number > pool.helpers || seen == get(&pool.job)) wait_for(&pool.work, &pool.lock);
        seen = get(&pool.job);
        add(&pool.running, 1);
        int threads = pool.helpers + 1;
        fg_part *part = pool.part;
        const void *context = pool.context;
        unlock(&pool.lock);

        do_parts(number, threads, part, context);

        lock(&pool.lock);
        if (add(&pool.running, -1) == 1) wake(&pool.done);
        unlock(&pool.lock);
        for (int i = 0; i < SPINS && get(&pool.job) == seen; i++) relax();
        lock(&pool.lock);
    }
}

/* Starts threads until there are enough, and keeps all of them where the caller
 * wants them. */
static void prepare_workers(int enough) {
    static int prepared;
    int before = pool.workers;
    cpus_type cpus;
    count_cpus(&cpus);
    leave_own_cpu(&cpus);
    if (!prepared) prepared = prepare_process();
    while (prepared && pool.workers < enough &&
           start_thread(&workers[pool.workers], pool.workers + 1))
        pool.workers++;
    for (int i = same_cpus(&cpus, &pool.cpus) ? before : 0; i < pool.workers; i++)
        move_to_cpus(workers[i], &cpus);
    pool.cpus = cpus;
}

int fg_share(int threads, long parts, fg_part *part, const void *context) {

    if (threads > FG_MOST_THREADS) threads = FG_MOST_THREADS;
    if (threads > parts) threads = (int)parts;
    if (threads < 2 || exchange(&in_use, 1)) return 0;
    prepare_workers(threads - 1);
    if (threads > pool.workers + 1) threads = pool.workers + 1;
    if (threads < 2) {
        exchange(&in_use, 0);
        return 0;
    }

    /* parts * i / threads would overflow where long is 32 bits wide. */
    for (int i = 0; i < threads; i++) {
        long begin = parts / threads * i + (i < parts % threads ? i : parts % threads);
        exchange(&slots[i].next, begin);
        slots[i].end = begin + parts / threads + (i < parts % threads);
    }
    lock(&pool.lock);
    add(&pool.job, 1);
    pool.helpers = threads - 1;
    pool.part = part;
    pool.context = context;
    unlock(&pool.lock);
    wake(&pool.work);

    do_parts(0, threads, part, context);

    lock(&pool.lock);
    pool.helpers = 0;
    unlock(&pool.lock);
    for (int i = 0; i < SPINS && get(&pool.running); i++) relax();
    lock(&pool.lock);
    while (get(&pool.running)) wait_for(&pool.done, &pool.lock);
    unlock(&pool.lock);
    exchange(&in_use, 0);
    return 1;
}

#ifndef _WIN32
/* In the child of a fork, which has one thread: a pool without threads, whatever
 * those of the parent were doing. */
static void forget_threads(void) {
    static const struct pool fresh = POOL_INITIALIZER;
    memcpy(&pool, &fresh, sizeof pool);
    exchange(&in_use, 0);
}
#endif

#endif
