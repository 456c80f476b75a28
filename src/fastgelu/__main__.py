"""python -m fastgelu: what was found on this machine, six values, and one timing."""

import argparse
import math
import statistics
import sys
import time

import numpy as np

import fastgelu

from . import _bench


def relu(x):
    return np.maximum(x, 0)


def tanh_formula(x):
    """The tanh form of GELU as it is commonly written in NumPy."""
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * (x * x * x))))


def print_table():
    """Six values through three functions, rounded to four decimals."""
    x = np.array([-3, -1, -0.75, 0, 1, 3])
    for label, y in [
        ("x", x),
        ("exact", fastgelu.gelu(x)),
        ("tanh", fastgelu.gelu_tanh(x)),
        ("relu", relu(x)),
    ]:
        print(f"{label:6}", *np.round(y, 4).tolist())


def median_times(calls, rounds):
    """Median seconds of each call; the calls take turns, so that all see the same machine."""
    times = [[] for _ in calls]
    for _ in range(rounds):
        for call, seconds in zip(calls, times, strict=True):
            start = time.perf_counter()
            call()
            seconds.append(time.perf_counter() - start)
    return [statistics.median(seconds) for seconds in times]


def print_timing(n=1_000_000, rounds=15):
    """One line: the tanh form here and as a NumPy formula."""
    # Equidistant quantiles of a logistic distribution: bell-shaped like real activations.
    p = (np.arange(n) + 0.5) / n
    x = np.log(p / (1 - p)).astype(np.float32)
    y = np.empty_like(x)
    ours, numpy = median_times(
        [lambda: fastgelu.gelu_tanh(x, out=y), lambda: tanh_formula(x)], rounds
    )
    print(
        f"gelu_tanh of {n:,} float32: {ours * 1e3:.2f} ms, the NumPy formula {numpy * 1e3:.2f} ms,"
        f" {numpy / ours:.1f} times as long (medians of {rounds} alternated rounds;"
        " the tanh form, since NumPy has no erf)"
    )


def identify(arguments):
    """The command identify; its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m fastgelu identify",
        description="Which activation function made the numbers in Y.npy of those in X.npy. The"
        " exit status is 0 for a match and 1 if it is ambiguous or none of the known functions.",
    )
    parser.add_argument("x", metavar="X.npy", help="what went into the activation")
    parser.add_argument("y", metavar="Y.npy", help="what came out, in the same shape")
    parser.add_argument(
        "--precision",
        help="what the numbers in Y.npy were rounded to: bfloat16, float16, float32 or float64"
        " (by default the narrowest that holds them all)",
    )
    options = parser.parse_args(arguments)
    try:
        x, y = np.load(options.x), np.load(options.y)
        results = fastgelu.identify(x, y, precision=options.precision)
    except (EOFError, OSError, TypeError, ValueError) as error:
        parser.error(str(error))

    best = results[0]
    names = ", ".join((best.name, *best.others)) if best.name else "the nearest are below"
    print(f"{best.verdict}: {names} ({best.samples:,} different samples of {best.precision})")
    print()
    print(f"{'':12}{'error':>10}{'':10}{'ULP':>10}")
    print(f"{'':12}{'max':>10}{'mean':>10}{'max':>10}{'median':>10}")
    for result in results:
        if result.name:
            figures = result.max_error, result.mean_error, result.max_ulp, result.median_ulp
            print(f"{result.name:12}" + "".join(f"{figure:10.3g}" for figure in figures))
    print()
    print("error: abs(y - f(x)) / (eps * max(abs(x), abs(f(x))))")
    return 0 if best.verdict == "match" else 1


def main():
    if sys.argv[1:2] == ["identify"]:
        return identify(sys.argv[2:])
    if sys.argv[1:2] == ["bench"]:
        return _bench.main(sys.argv[2:])
    argparse.ArgumentParser(
        prog="python -m fastgelu",
        description=__doc__,
        epilog="python -m fastgelu identify X.npy Y.npy: which activation function made Y of X;"
        " python -m fastgelu bench: time per element, beside other packages",
    ).parse_args()
    info = fastgelu.runtime_info()
    print("fastgelu", info["version"])
    print("CPU features found:", *info["cpu_features"])
    print(f"instruction set in use: {info['isa']} (available: {', '.join(info['isas'])})")
    print()
    print_table()
    print()
    print_timing()
    return 0


if __name__ == "__main__":
    sys.exit(main())
