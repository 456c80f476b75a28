"""The command line, python -m fastgelu: without a command, what was found on this machine, six
values, and one timing.

A command is a row of COMMANDS: a function that adds its arguments to a parser, and one that does
the work and returns the exit status.
"""

import argparse
import math
import os
import statistics
import sys
import time

import numpy as np

import fastgelu

from . import _bench

# What a shell says of a program that SIGPIPE ended: neither success nor a difference was found.
ENDED_BY_READER = 128 + 13


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
    times: list[list[float]] = [[] for _ in calls]
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


def overview(options):
    """Without a command."""
    info = fastgelu.runtime_info()
    print("fastgelu", info["version"])
    print("CPU features found:", *info["cpu_features"])
    print(f"instruction set in use: {info['isa']} (available: {', '.join(info['isas'])})")
    print()
    print_table()
    print()
    print_timing()
    return 0


def add_identify_arguments(parser):
    parser.description = (
        "Which activation function made the numbers in Y.npy of those in X.npy. The exit status"
        " is 0 for a match and 1 if it is ambiguous or none of the known functions."
    )
    parser.add_argument("x", metavar="X.npy", help="what went into the activation")
    parser.add_argument("y", metavar="Y.npy", help="what came out, in the same shape")
    parser.add_argument(
        "--precision",
        help="what the numbers in Y.npy were rounded to: bfloat16, float16, float32 or float64"
        " (by default the narrowest that holds them all)",
    )
    parser.set_defaults(error=parser.error)


def load(path, error):
    """The array in a .npy file; if there is none, error is told so in a message."""
    try:
        with open(path, "rb") as file:
            return np.lib.format.read_array(file)
    except OSError as reason:
        error(f"{path}: {reason.strerror or reason}")
    except Exception as reason:  # of NumPy's parser, for one tokenize.TokenError
        error(f"{path} is no .npy file that can be used: {reason}")


def identify(options):
    """The command identify."""
    x, y = load(options.x, options.error), load(options.y, options.error)
    try:
        results = fastgelu.identify(x, y, precision=options.precision)
    except (MemoryError, TypeError, ValueError) as error:
        options.error(f"x = {options.x}, y = {options.y}: {error}")

    best = results[0]
    names = ", ".join((best.name, *best.others)) if best.name else "the nearest are below"
    if best.verdict == "ambiguous" and not best.others:
        names += " or a function not known here: too few telling samples"
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


def add_check_arguments(parser):
    parser.description = (
        "Recomputes the published digests and the special values of every function, for every"
        " dtype and every instruction set that this machine has. The exit status is 0 if all are"
        " as published, to the bit, and 1 if not."
    )


def check(options):
    """The command check."""
    from ._check import check

    print(f"fastgelu {fastgelu.__version__} on {sys.platform}")
    functions = len(fastgelu.runtime_info()["functions"])
    failures = 0
    for isa, dtype, differing in check():
        verdict = f"FAILED: {len(differing)} differences" if differing else "as published"
        print(f"{isa:8}{dtype.name:10}{functions} functions, digests and special values: {verdict}")
        for line in differing:
            print(f"    {line}")
        failures += len(differing)
    if failures:
        print()
        print("This machine does not compute what fastgelu promises. Please report it, with this")
        print("output and that of fastgelu.show_config().")
    return 1 if failures else 0


COMMANDS = {
    "identify": ("tell which activation function made Y of X", add_identify_arguments, identify),
    "check": ("compare the results on this machine with the published", add_check_arguments, check),
}


def parse(arguments):
    """The options, with the function to run among them."""
    parser = argparse.ArgumentParser(
        prog="python -m fastgelu",
        description="Without a command: what was found on this machine, six values, one timing.",
    )
    parser.add_argument("--version", action="version", version=f"fastgelu {fastgelu.__version__}")
    parser.set_defaults(run=overview)
    commands = parser.add_subparsers(metavar="command", title="commands")
    for name, (summary, add_arguments, run) in COMMANDS.items():
        command = commands.add_parser(name, help=summary)
        add_arguments(command)
        command.set_defaults(run=run)
    _bench.add_parser(commands)
    return parser.parse_args(arguments)


def main(arguments=None):
    """Runs the command line; the exit status."""
    try:
        try:
            options = parse(arguments)
            return options.run(options)
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except OSError as error:  # of standard output: commands report those of files themselves
        # What is left in the buffer must go somewhere, or Python complains again at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # a reader that has enough, such as head
            return ENDED_BY_READER
        where = error.filename or "standard output"
        print(f"python -m fastgelu: {where}: {error.strerror or error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
