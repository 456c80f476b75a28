"""python -m fastgelu: what was found on this machine, six values, and one timing."""

import argparse
import math
import statistics
import time

import numpy as np

import fastgelu


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


def main():
    argparse.ArgumentParser(prog="python -m fastgelu", description=__doc__).parse_args()
    info = fastgelu.runtime_info()
    print("fastgelu", info["version"])
    print("CPU features found:", *info["cpu_features"])
    print(f"instruction set in use: {info['isa']} (available: {', '.join(info['isas'])})")
    print()
    print_table()
    print()
    print_timing()


if __name__ == "__main__":
    main()
