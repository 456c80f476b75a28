/* threads.h: a pool of threads that share the work of one call.  It knows
 * nothing of loops and arrays: a job is a function and a number of parts.
 *
 * FASTGELU_NO_THREADS leaves the threads out: every call runs alone. */
#ifndef FASTGELU_THREADS_H
#define FASTGELU_THREADS_H

/* WebAssembly has threads only where the whole program is built for them. */
#if (defined(__EMSCRIPTEN__) || defined(__wasi__)) && !defined(_REENTRANT)
#ifndef FASTGELU_NO_THREADS
#define FASTGELU_NO_THREADS
#endif
#endif

enum { FG_MOST_THREADS = 1024 };

/* Were threads left out? */
#ifdef FASTGELU_NO_THREADS
enum { FG_HAVE_THREADS = 0 };
#else
enum { FG_HAVE_THREADS = 1 };
#endif

/* The number of threads that a call may use, the calling one included, for the
 * whole process.  At first it is 1, or what the environment variable
 * FASTGELU_NUM_THREADS says if that is a number from 1 to FG_MOST_THREADS.
 * Set returns 0, or -1 and changes nothing if n is not such a number. */
int fg_get_num_threads(void);
int fg_set_num_threads(int n);

/* The CPUs that the calling thread may run on. */
int fg_count_cpus(void);

/* Runs part(context, i) for 0 <= i < parts, each once, on the calling thread
 * and up to threads - 1 others, and returns 1 when all are done.  Returns 0 and
 * runs nothing if the pool is in use or has no threads to give. */
typedef void fg_part(const void *context, long i);
int fg_share(int threads, long parts, fg_part *part, const void *context);

#endif
