"""python -m fastgelu bench: fastgelu and what else is installed, measured on this machine.

Calls are measured in one process and take turns, so that whatever else the machine does meets all
of them; a ratio is the median of the rounds' own ratios.  The benchmarks and the performance page
measure by the same functions.
"""

import argparse
import concurrent.futures
import functools
import itertools
import json
import math
import os
import platform
import sys
import time
import timeit

import numpy as np

import fastgelu

from . import _peers

try:
    import resource
except ImportError:  # Windows
    resource = None

SIZES = (100, 1_000, 16_384, 262_144, 4_194_304, 16_777_216)
DTYPES = ("float16", "bfloat16", "float32", "float64")
FLOOR = "np.multiply"
NOISY = 0.2  # see `noise`; figures with more say little
DESCRIPTION = (
    "Time per element of fastgelu, on each instruction set of this machine, and of the packages"
    " that are installed beside it; np.multiply shows what the memory allows."
)


# ---- measuring ----------------------------------------------------------------------------------


def measure(calls, rounds=7, seconds=0.002, waits=None):
    """Times calls in turn.

    Parameters
    ----------
    calls : dict of str to callable or timeit.Timer
    rounds : int, optional
        How often each has its turn.
    seconds : float, optional
        A turn repeats its call for about that long.
    waits : dict, optional
        Takes for each call a list: which share of each turn the process waited for a processor.

    Returns
    -------
    dict of str to ndarray
        Seconds per call, one for each round.
    """
    timers = {
        name: call if isinstance(call, timeit.Timer) else timeit.Timer(call)
        for name, call in calls.items()
    }
    repeats = {}
    for name, timer in timers.items():
        timer.timeit(2)  # the first calls touch new memory, compile, start threads
        once = max(timer.timeit(1), 1e-8)
        if once < seconds:
            trial = max(1, int(seconds / once / 10))
            once = max(timer.timeit(trial) / trial, 1e-8)
        repeats[name] = max(1, round(seconds / once))
    times = {name: [] for name in timers}
    names = list(timers)
    for turn in range(rounds):
        # Whoever comes after a call that emptied the caches should not always be the same.
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            wait = [] if waits is None else waits.setdefault(name, [])
            times[name].append(undisturbed(timers[name], repeats[name], wait) / repeats[name])
    return {name: np.array(seconds) for name, seconds in times.items()}


def undisturbed(timer, repeats, waits=None, tries=10, patience=0.05):
    """Seconds of a turn in which this process kept its processor; or, if there is none in so many
    tries or seconds, of the best.  The share of it that was waiting is appended to waits."""
    best, wait, spent = math.inf, 0, 0
    for _ in range(tries):
        before, cpu = interruptions(), time.process_time()
        seconds = timer.timeit(repeats)
        cpu, kept = time.process_time() - cpu, interruptions() == before
        if kept or seconds < best:
            best, wait = seconds, max(0, 1 - cpu / max(seconds, 1e-9))
        spent += seconds
        if kept or spent > patience:
            break
    if waits is not None:
        waits.append(wait if resource else 0)  # Windows counts in steps longer than a turn
    return best


def interruptions():
    """How often the system took the processor from this process; 0 where it does not tell."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw if resource else 0


def summary(times, base, size):
    """Medians, in nanoseconds per element, and the median ratios to one of the calls."""
    return {
        "ns": {name: significant(np.median(t) / size * 1e9) for name, t in times.items()},
        "ratio": {
            name: significant(np.median(t / times[base]))
            for name, t in times.items()
            if name != base
        },
    }


def noise(times, waits, base):
    """What in the figures of each call, and in its ratios to one of them, is noise: the spread of
    the middle half of the rounds over the median, or the share of waiting if that is more.

    On a busy machine every round may wait for the processor, and all be slow alike.
    """

    def spread(values):
        low, median, high = np.percentile(values, [25, 50, 75])
        return (high - low) / median

    wait = {name: np.median(waits[name]) for name in times}
    return {
        name: significant(max(spread(t), spread(t / times[base]), wait[name], wait[base]), 2)
        for name, t in times.items()
    }


def significant(value, digits=4):
    """A number with that many digits."""
    return float(f"{value:.{digits}g}")


def pin(threads):
    """Keeps this process on that many processors, where the system can: libraries that take all
    of them otherwise then take no more."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-threads:])


# ---- what is measured ---------------------------------------------------------------------------


def as_dtype(name):
    """The dtype of that name; bfloat16 is ml_dtypes'."""
    if name == "bfloat16":
        import ml_dtypes

        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(name)


def normal(size, dtype, seed=1):
    """Bell-shaped input with a standard deviation of 1.5, as in a neural network."""
    x = np.random.default_rng(seed).standard_normal(size, np.float32) * np.float32(1.5)
    return x.astype(dtype)


def operands(function, size, dtype):
    """Inputs for a function, and an array for its result."""
    f = getattr(fastgelu, function)
    inputs = [normal(size, dtype, seed) for seed in range(1, f.nin + 1)]
    return inputs, np.empty(size, dtype)


def supported(function, dtype):
    """Does fastgelu have this function for this dtype, with one result?"""
    f = getattr(fastgelu, function)
    try:
        one = np.ones(1, as_dtype(dtype))
        return f.nout == 1 and f(*[one] * f.nin).dtype == one.dtype
    except (ImportError, TypeError):
        return False


def ours(f, inputs, y, threads=1):
    """A call of a ufunc of fastgelu."""
    if threads == 1:
        return functools.partial(f, *inputs, y)

    def call():
        with fastgelu.num_threads(threads):
            f(*inputs, y)

    return call


def floor(inputs, y, threads=1):
    """A multiplication of as many arrays: what the memory allows.

    Over several threads by parts, since NumPy uses one.
    """
    operands = (inputs[0], inputs[-1], y)
    if threads == 1:
        return functools.partial(np.multiply, *operands)
    pool = concurrent.futures.ThreadPoolExecutor(threads)
    bounds = [len(y) * i // threads for i in range(threads + 1)]
    parts = [slice(a, b) for a, b in itertools.pairwise(bounds)]
    arguments = [[a[part] for a in operands] for part in parts]

    def call():
        for future in [pool.submit(np.multiply, *part) for part in arguments]:
            future.result()

    return call


def theirs(peers, function, dtype, inputs, y, failed=None):
    """The calls of those peers that offer a function; why others did not work goes to failed."""
    calls = {}
    for name, peer in peers.items():
        if (function, dtype) in peer.offers:
            try:
                calls[name], _ = peer.prepare(function, inputs, y)
                calls[name]()
            except Exception as error:
                # Whatever it is: one library's trouble is not to stop the others.
                calls.pop(name, None)
                if failed is not None:
                    failed[f"{name}: {function} {dtype}"] = f"{type(error).__name__}: {error}"
    return calls


def machine():
    """What figures depend on."""
    name = platform.processor()
    try:
        with open("/proc/cpuinfo") as lines:
            name = next(line.split(":", 1)[1].strip() for line in lines if "model name" in line)
    except (OSError, StopIteration):
        pass
    info = fastgelu.runtime_info()
    return {
        "processor": name or platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "fastgelu": info["version"],
        "cpu_features": info["cpu_features"],
    }


# ---- the command --------------------------------------------------------------------------------


def progress(items, shown):
    """The items; with a progress bar if wanted and tqdm is there."""
    if shown:
        try:
            import tqdm
        except ImportError:
            return items
        return tqdm.tqdm(items, leave=False)
    return items


def run(functions, dtype, sizes, isas, peers, threads, rounds, shown=False):
    """Measures; one result per function and size, and what failed."""
    results, failed = [], {}
    for function, size in progress([(f, n) for f in functions for n in sizes], shown):
        inputs, y = operands(function, size, as_dtype(dtype))
        calls = {
            f"fastgelu {isa}": ours(getattr(fastgelu._targets[isa], function), inputs, y, threads)
            for isa in isas
        }
        base = next(iter(calls))
        calls[FLOOR] = floor(inputs, y, threads)
        calls |= theirs(peers, function, dtype, inputs, y, failed)
        waits = {}
        times = measure(calls, rounds, waits=waits)
        results.append(
            {"function": function, "dtype": dtype, "size": size, "threads": threads}
            | summary(times, base, size)
            | {"noise": noise(times, waits, base)}
        )
    return results, failed


def print_table(results):
    """Nanoseconds per element, a row for each competitor and a column for each size; what is noise
    has a mark."""
    for function in dict.fromkeys(r["function"] for r in results):
        columns = [r for r in results if r["function"] == function]
        names = list(dict.fromkeys(name for r in columns for name in r["ns"]))
        base = names[0]
        width = max(len(name) for name in names) + 2
        print(f"\n{function} {columns[0]['dtype']}, ns per element (times as long as {base})")
        print(f"{'elements':{width}}" + "".join(f"{r['size']:>17,}" for r in columns))
        for name in names:
            cells = []
            for r in columns:
                ns, ratio = r["ns"].get(name), r["ratio"].get(name)
                times = "" if ratio is None else f"({ratio:.2f})"
                mark = "~" if r["noise"].get(name, 0) > NOISY else ""
                cells.append("" if ns is None else f"{mark}{ns:.3f} {times:>8}")
            print(f"{name:{width}}" + "".join(f"{cell:>17}" for cell in cells))
    if any(share > NOISY for r in results for share in r["noise"].values()):
        print(f"\n~ noise: even the middle half of the rounds differs by more than {NOISY:.0%}, or")
        print("  as much of them was waiting for a processor: this machine is busy")


def plot(results, path):
    """Time per element against the number of elements, in one picture per function."""
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt
    import matplotlib.ticker

    functions = list(dict.fromkeys(r["function"] for r in results))
    figure, axes = plt.subplots(
        1, len(functions), figsize=(7 * len(functions), 5), squeeze=False, layout="constrained"
    )
    for function, ax in zip(functions, axes[0], strict=True):
        columns = [r for r in results if r["function"] == function]
        ax.set_prop_cycle(color=matplotlib.colormaps["tab20"].colors)
        for name in dict.fromkeys(name for r in columns for name in r["ns"]):
            points = [(r["size"], r["ns"][name]) for r in columns if name in r["ns"]]
            is_ours, is_floor = name.startswith("fastgelu"), name == FLOOR
            style = {"linewidth": 2.5 if is_ours else 1.2, "marker": "o", "markersize": 3}
            if is_floor:
                style |= {"color": "gray", "linestyle": ":"}
            ax.loglog(*zip(*points, strict=True), label=name, **style)
        ax.set(title=f"{function} {columns[0]['dtype']}", xlabel="elements")
        ax.set_ylabel("ns per element")
        ticks = spaced(sorted({r["size"] for r in columns}))
        ax.set_xticks(ticks, [size_name(n) for n in ticks])
        ax.xaxis.set_minor_locator(matplotlib.ticker.NullLocator())
        ax.grid(alpha=0.3)
    named = {line.get_label(): line for ax in axes[0] for line in ax.lines}
    figure.legend(named.values(), named.keys(), loc="outside right center", fontsize="small")
    figure.savefig(path)
    plt.close(figure)


def spaced(sizes):
    """Those of the sizes, in order, whose names have room beside each other on a logarithmic axis;
    the first and the last among them."""

    def apart(a, b):
        """A letter is about a fiftieth of the axis wide."""
        letters = 1 + (len(size_name(a)) + len(size_name(b))) / 2
        return math.log(b / a) >= letters / 50 * math.log(sizes[-1] / sizes[0])

    shown = sizes[:1]
    for n in sizes[1:-1]:
        if apart(shown[-1], n) and apart(n, sizes[-1]):
            shown.append(n)
    return shown + sizes[1:][-1:]


def size(text):
    """A number of elements: 4096, 16k, 4M."""
    units = {"k": 2**10, "K": 2**10, "M": 2**20}
    digits, unit = (text[:-1], units[text[-1]]) if text[-1:] in units else (text, 1)
    n = int(digits.replace("_", "")) * unit
    if not 1 <= n <= 2**48:  # more than can be addressed
        raise ValueError(text)
    return n


def size_name(n):
    """What `size` reads, as short as can be."""
    for unit, name in ((2**20, "M"), (2**10, "k")):
        if n % unit == 0:
            return f"{n // unit}{name}"
    return str(n)


def memory():
    """The bytes of memory that the machine has; infinity where the system does not tell."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # AttributeError on Windows
        return math.inf


def unwritable(path):
    """Why no file can be written there, or None.  Nothing is made or changed."""
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path):
        return "it is a directory"
    if not os.path.isdir(folder):
        return f"there is no directory {folder}"
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        return "nothing can be written there"
    return None


def check_files(parser, options):
    """Better now than after all the measuring: can the files be written?"""
    for option, file in (("--json", options.json), ("--plot", options.plot)):
        if file == "":
            parser.error(f"{option}: the name of the file is empty")
        if file and (reason := unwritable(file)):
            parser.error(f"{option}: {file}: {reason}")
    if options.plot:
        try:
            from matplotlib.backends.backend_agg import FigureCanvasAgg
        except ImportError:
            parser.error("--plot needs matplotlib, which is not installed")
        formats = FigureCanvasAgg.get_supported_filetypes()
        extension = os.path.splitext(options.plot)[1][1:].lower()
        if extension not in formats:
            parser.error(f"--plot: {options.plot}: the extension is one of {', '.join(formats)}")
        if options.json and os.path.realpath(options.json) == os.path.realpath(options.plot):
            parser.error(f"--json and --plot name the same file, {options.plot}")


def add_arguments(parser):
    """Declares the options of the command."""
    info = fastgelu.runtime_info()
    functions = [f for f in info["functions"] if getattr(fastgelu, f).nout == 1]
    parser.add_argument(
        "functions",
        nargs="*",
        metavar="FUNCTION",
        help="what to measure, by default gelu; one of " + ", ".join(functions),
    )
    parser.add_argument("--dtype", choices=DTYPES, default="float32")
    parser.add_argument(
        "--sizes",
        type=size,
        nargs="+",
        default=SIZES,
        metavar="N",
        help="numbers of elements, such as 100, 16k or 4M",
    )
    parser.add_argument("--isa", nargs="+", choices=info["isas"], help="by default all there are")
    parser.add_argument(
        "--peers",
        nargs="*",
        metavar="NAME",
        help="whom to compare with, by default all that are installed: " + ", ".join(_peers.PEERS),
    )
    parser.add_argument(
        "--threads", type=size, default=1, metavar="N", help="of everybody; by default 1"
    )
    parser.add_argument(
        "--rounds",
        type=size,
        default=7,
        metavar="N",
        help="turns of each call, by default 7; from 3 on noise shows",
    )
    parser.add_argument("--json", metavar="FILE", help="write the figures to a file")
    parser.add_argument("--plot", metavar="FILE", help="draw them (needs matplotlib)")


def add_parser(subparsers):
    """Adds the command to those of `python -m fastgelu`."""
    parser = subparsers.add_parser(
        "bench",
        help="measure fastgelu and other packages on this machine",
        description=DESCRIPTION,
    )
    add_arguments(parser)
    parser.set_defaults(run=functools.partial(execute, parser))
    return parser


def execute(parser, options):
    """Runs the command with parsed options; its exit status."""
    functions = list(dict.fromkeys(options.functions or ["gelu"]))
    for function in functions:
        if function not in fastgelu.runtime_info()["functions"]:
            parser.error(f"there is no function {function!r}")
        if getattr(fastgelu, function).nout != 1:
            parser.error(f"{function} has two results: only functions of one can be measured")
        if not supported(function, options.dtype):
            reason = " (it needs ml_dtypes)" if options.dtype == "bfloat16" else ""
            parser.error(f"{function} cannot be measured for {options.dtype}{reason}")
    try:
        fastgelu.set_num_threads(options.threads)
        fastgelu.set_num_threads(1)
    except ValueError as error:
        parser.error(f"--threads: {error}")
    check_files(parser, options)
    for name in options.peers or ():
        if name not in _peers.PEERS:
            parser.error(f"there is no peer {name!r}; known are {', '.join(_peers.PEERS)}")
    sizes = list(dict.fromkeys(options.sizes))
    needed = max(
        (getattr(fastgelu, f).nargs * max(sizes) * as_dtype(options.dtype).itemsize, f)
        for f in functions
    )
    if needed[0] > memory():
        parser.error(
            f"--sizes: {needed[1]} of {max(sizes):,} {options.dtype} needs"
            f" {needed[0] / 2**30:,.1f} GiB, the machine has {memory() / 2**30:,.1f} GiB"
        )

    os.environ.update(_peers.environment(options.threads))
    pin(options.threads)
    peers, absent = _peers.load(options.peers, options.threads)
    info = fastgelu.runtime_info()
    # The one in use first: the others are compared with it.
    isas = options.isa or sorted(info["isas"], key=lambda isa: isa != info["isa"])
    try:
        results, failed = run(
            functions,
            options.dtype,
            sizes,
            isas,
            peers,
            options.threads,
            options.rounds,
            shown=sys.stderr.isatty(),
        )
    except MemoryError as error:
        parser.error(f"--sizes: not enough memory: {error}")

    about = machine()
    versions = {name: peer.version for name, peer in peers.items()}
    print(f"{about['processor']}; {options.threads} thread(s); medians of {options.rounds} rounds")
    print("compared with:", ", ".join(f"{name} {v}" for name, v in versions.items()) or "nothing")
    if absent:
        print("not there:", "; ".join(f"{name} ({why})" for name, why in absent.items()))
    for what, why in failed.items():
        print(f"failed: {what}: {why}")
    print_table(results)
    file = options.json
    try:
        if options.json:
            content = {"machine": about, "rounds": options.rounds, "peers": versions}
            content |= {"absent": absent, "failed": failed, "results": results}
            with open(options.json, "w") as stream:
                json.dump(content, stream, indent=1)
                stream.write("\n")
        file = options.plot
        if options.plot:
            plot(results, options.plot)
    except OSError as error:  # such as a full disk
        print(f"python -m fastgelu bench: {file}: {error.strerror or error}", file=sys.stderr)
        return 1
    return 0


def main(arguments=None):
    """The command by itself; its exit status."""
    parser = argparse.ArgumentParser(prog="python -m fastgelu bench", description=DESCRIPTION)
    add_arguments(parser)
    return execute(parser, parser.parse_args(arguments))
