"""Measures fastgelu and its peers for docs/performance.md, and writes that page's tables.

    python tools/write_performance.py --measure    measure, keep the figures, write the tables
    python tools/write_performance.py              write the tables from the figures that are kept
    python tools/write_performance.py --check      only see whether the page agrees with them

The figures are kept in docs/data/performance.json, those for processors that are not at hand in
docs/data/mca.json (tools/mca.py).  Measuring wants an idle machine and takes five to fifteen
minutes; peers that are not installed are left out.  Each instruction set has a process of its own,
on one processor, with one thread for everybody, and another one for two threads; peers are held to
it by their environment variables and, on Linux, by tools/hold_cpuid.c.  Parts can be measured anew
by --isa and --table.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import timeit

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIGURES = ROOT / "docs" / "data" / "performance.json"
MCA = ROOT / "docs" / "data" / "mca.json"
PAGE = ROOT / "docs" / "performance.md"

ISAS = ("avx512", "avx2", "sse2")
FORWARD = ("gelu", "gelu_tanh", "silu", "quick_gelu")
GRADIENTS = tuple(f"{name}_grad" for name in FORWARD)
COMPOSED = ("bias_gelu", "geglu", "geglu_tanh", "swiglu", "glu", "gelu_backward")
UNARY = FORWARD + GRADIENTS + ("sigmoid", "sigmoid_grad", "normal_cdf", "normal_cdf_grad")
IN_CACHE = (1_024, 16_384, 65_536)
SIZES = (*IN_CACHE, 262_144, 1_048_576, 4_194_304)
FEW_SIZES = (1_024, 16_384, 262_144, 4_194_304)
SMALL = (1, 16, 100)
KIND_SIZE = 8_192
THREADS_SIZES = (1_048_576, 4_194_304, 16_777_216)
# Two threads on arrays whose rows do not join: what it is, and the goal against one thread.
ROWS = {"swiglu": "packed rows of 2 x 11,008", "bias_gelu": "a row of 4,096 as bias"}
SPAN_GOAL, ROWS_GOAL = 1.7, 1.5

# What is measured against peers: functions, dtypes, sizes.
WORK = (
    (FORWARD + GRADIENTS, ("float32",), SIZES),
    (FORWARD + GRADIENTS, ("float64",), FEW_SIZES),
    (("gelu", "gelu_tanh", "silu"), ("float16", "bfloat16"), FEW_SIZES),
    (COMPOSED, ("float32",), FEW_SIZES),
)
HUGE = 67_108_864  # past every cache; without peers

# "The fastest peer" is one of these.  The plain formulas of SciPy and numexpr are far behind, and
# the fast mode of MKL has half of the digits; the tables show them, too.
GOAL_PEERS = (
    "torch",
    "onnxruntime",
    "jax",
    "openvino",
    "simd-ml-kernels",
    "mkl-ha",
    "mkl-la",
    "numba",
)


# ---- measuring, in a process for each instruction set -------------------------------------------


def tail_edges(function, dtype):
    """Where results on the left become subnormal, and where they become zero."""
    import fastgelu

    x = np.linspace(-1200, 0, 240_001).astype(dtype)
    y = np.abs(getattr(fastgelu, function)(x))
    return x[y >= np.finfo(dtype).tiny][0], x[y > 0][0]


def kinds(function, dtype):
    """Inputs that are slow elsewhere, by name; the usual ones first."""
    from fastgelu import _bench

    random, n = np.random.default_rng(2), KIND_SIZE
    tiny, largest = float(np.finfo(dtype).tiny), float(np.finfo(dtype).max)
    subnormal, zero = (float(edge) for edge in tail_edges(function, dtype))
    inputs = {
        "normal": _bench.normal(n, dtype),
        "far tail": random.uniform(subnormal, subnormal / 2, n),
        "subnormal inputs": random.uniform(-1, 1, n) * tiny,
        "subnormal results": random.uniform(zero, subnormal, n),
        "tiny": random.uniform(-1e-20, 1e-20, n),
        "zeros": np.zeros(n),
        "saturated": np.full(n, -1e4),
        "NaN": np.full(n, np.nan),
        "alternating": np.resize(
            [1, 0.95 * subnormal, 0.4 * tiny, np.nan, 0.4 * subnormal, largest / 4], n
        ),
    }
    if dtype == "float16":
        del inputs["tiny"]  # all of them are zeros
    return {kind: x.astype(dtype) for kind, x in inputs.items()}


def worker(isa, tables, rounds, seconds, work, held):
    """Measures on the instruction set in use; a line of JSON on stdout for each result."""
    import fastgelu
    from fastgelu import _bench, _peers

    info = fastgelu.runtime_info()
    if info["isa"] != isa or (held and any(f.startswith("avx512") for f in info["cpu_features"])):
        sys.exit(f"not held to {isa}: {info}")
    _bench.pin(1)

    if "peers" in tables:
        peers, absent = _peers.load()
        if isa != ISAS[0] and not held:
            for name in [name for name, peer in peers.items() if not peer.can_be_held]:
                del peers[name]
                absent[name] = "cannot be held to an instruction set here"
        emit(versions={name: peer.version for name, peer in peers.items()}, absent=absent)
        for functions, dtypes, sizes in work:
            for function in functions:
                for dtype in dtypes:
                    if not _bench.supported(function, dtype):
                        emit(failed={f"{function} {dtype}": "fastgelu has it not"})
                        continue
                    for size in sizes:
                        measure_peers(isa, peers, function, dtype, size, rounds, seconds)
        if work is WORK:
            measure_peers(isa, {}, "gelu", "float32", HUGE, rounds, seconds)

    def record(table, calls, base, **key):
        times = _bench.measure(calls, rounds, seconds)
        emit(result={"table": table, "isa": isa} | key | _bench.summary(times, base, key["size"]))

    if "small" in tables:
        for dtype in ("float32", "float64"):
            for function in ("gelu", "gelu_tanh", "silu", "gelu_grad"):
                for size in SMALL:
                    (x,), y = _bench.operands(function, size, dtype)
                    calls = {
                        name: timeit.Timer("f(x, out=y)", globals={"f": f, "x": x, "y": y})
                        for name, f in [
                            ("fastgelu", getattr(fastgelu, function)),
                            ("np.tanh", np.tanh),
                        ]
                    }
                    key = {"function": function, "dtype": dtype, "size": size}
                    record("small", calls, "fastgelu", **key)

    if "kinds" in tables:
        for dtype in ("float16", "float32", "float64"):
            for function in UNARY:
                f, y = getattr(fastgelu, function), np.empty(KIND_SIZE, dtype)
                calls = {kind: _bench.ours(f, [x], y) for kind, x in kinds(function, dtype).items()}
                key = {"function": function, "dtype": dtype, "size": KIND_SIZE}
                record("kinds", calls, "normal", **key)


def worker_of_threads(rounds, seconds):
    """Two threads against one, and against PyTorch with two, as worker() does."""
    import fastgelu
    from fastgelu import _bench, _peers

    isa = fastgelu.runtime_info()["isa"]
    peers, _ = _peers.load(["torch"], threads=2)

    def record(function, inputs, y):
        f, failed = getattr(fastgelu, function), {}
        calls = {
            "1 thread": _bench.ours(f, inputs, y, 1),
            "2 threads": _bench.ours(f, inputs, y, 2),
            "np.multiply, 1 thread": _bench.floor(inputs[:1], y, 1),
            "np.multiply, 2 threads": _bench.floor(inputs[:1], y, 2),
        }
        calls |= _bench.theirs(peers, function, "float32", inputs, y, failed)
        times = _bench.measure(calls, rounds, seconds)
        key = {"table": "threads", "isa": isa, "function": function, "dtype": "float32"}
        key["size"] = y.size
        emit(result=key | _bench.summary(times, "2 threads", y.size), failed=failed)

    for function in ("gelu", "silu"):
        for size in THREADS_SIZES:
            record(function, *_bench.operands(function, size, "float32"))
    packed = _bench.normal(1536 * 22_016, "float32").reshape(1536, 22_016)
    gate, up = fastgelu.split_gate(packed, layout="gate_up")
    record("swiglu", [gate, up], np.empty(gate.shape, "float32"))
    x = packed.reshape(-1)[: THREADS_SIZES[-1]].reshape(-1, 4096)
    record("bias_gelu", [x, x[0].copy()], np.empty_like(x))


def measure_peers(isa, peers, function, dtype, size, rounds, seconds):
    """One function, dtype and size: fastgelu, the floor, and whoever else has it."""
    import fastgelu
    from fastgelu import _bench

    inputs, y = _bench.operands(function, size, _bench.as_dtype(dtype))
    failed = {}
    calls = {"fastgelu": _bench.ours(getattr(fastgelu, function), inputs, y)}
    if dtype in ("float32", "float64"):  # in the others NumPy is far from the memory's limits
        calls[_bench.FLOOR] = _bench.floor(inputs, y)
    calls |= _bench.theirs(peers, function, dtype, inputs, y, failed)
    times = _bench.measure(calls, rounds, seconds)
    key = {"table": "peers", "isa": isa, "function": function, "dtype": dtype, "size": size}
    emit(result=key | _bench.summary(times, "fastgelu", size), failed=failed)


def emit(**items):
    print(json.dumps(items), flush=True)


def build_hold(folder):
    """tools/hold_cpuid.c as a library to preload, where it can work; else None."""
    try:
        flags = pathlib.Path("/proc/cpuinfo").read_text().split()
    except OSError:
        return None
    if "cpuid_fault" not in flags:
        return None
    library = pathlib.Path(folder) / "hold_cpuid.so"
    source = ROOT / "tools" / "hold_cpuid.c"
    compiler = os.environ.get("CC", "cc")
    command = [compiler, "-O2", "-shared", "-fPIC", "-o", str(library), str(source)]
    subprocess.run(command, check=True)
    return library


def measure(options):
    """Runs a worker for each instruction set; merges what they say into the kept figures."""
    from fastgelu import _bench, _peers, runtime_info

    kept = json.loads(options.figures.read_text()) if options.figures.exists() else {}
    results = {key_of(r): r for r in kept.get("results", ())}
    for name in ("peers", "absent", "failed"):
        kept.setdefault(name, {})
    kept["machine"] = _bench.machine()
    available = runtime_info()["isas"]
    with tempfile.TemporaryDirectory() as folder:
        library = build_hold(folder)
        for isa in options.isa:
            if isa not in available:
                print(f"{isa}: not on this machine", file=sys.stderr)
                continue
            if "peers" in options.table:
                old = kept["failed"].items()
                kept["failed"] = {k: v for k, v in old if not k.startswith(f"{isa}:")}
            environment = os.environ | _peers.HOLD[isa]
            environment["FASTGELU_ISA"] = isa
            environment["PYTHONWARNINGS"] = "ignore"
            held = library is not None and isa != ISAS[0]
            if held:
                environment |= {"LD_PRELOAD": str(library), "HOLD_CPUID": isa}
            command = [sys.executable, __file__, "--worker", isa, "--rounds", str(options.rounds)]
            command += ["--held"] * held + ["--quick"] * options.quick
            alone = [name for name in options.table if name != "threads"]
            for threads, tables in (1, alone), (2, [t for t in options.table if t not in alone]):
                if not tables or threads > (os.cpu_count() or 1):
                    continue
                run_worker(
                    [*command, "--threads", str(threads), "--table", *tables],
                    environment | _peers.environment(threads),
                    isa,
                    kept,
                    results,
                )
            kept.setdefault("held", {})[isa] = held
            kept["rounds"] = options.rounds
            write_figures(options.figures, kept, results)
    if sys.stderr.isatty():
        print(file=sys.stderr)


def run_worker(command, environment, isa, kept, results):
    """Runs a process that measures, and takes in what it says."""
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if not line.startswith("{"):
                continue  # a peer's own words
            said = json.loads(line)
            if "versions" in said:
                kept["peers"] |= said["versions"]
                kept["absent"][isa] = said["absent"]
            kept["failed"] |= {
                f"{isa}: {what}": why for what, why in said.get("failed", {}).items()
            }
            if "result" in said:
                r = said["result"]
                results[key_of(r)] = r
                name = f"{r['table']} {isa} {r['function']} {r['dtype']} {r['size']}"
                if sys.stderr.isatty():
                    print(f"\r{name:70}", end="", file=sys.stderr, flush=True)
    if process.returncode:
        sys.exit(f"the process for {isa} ended with {process.returncode}")


def write_figures(path, kept, results):
    """Keeps what was measured, one result to a line: a changed figure is a changed line."""
    ordered = sorted(results.values(), key=lambda r: sort_key(key_of(r)))
    lines = ",\n".join(json.dumps(r) for r in ordered)
    head = {name: value for name, value in kept.items() if name != "results"}
    path.parent.mkdir(exist_ok=True)
    path.write_text(
        json.dumps(head, indent=1).removesuffix("\n}") + f',\n "results": [\n{lines}\n]}}\n'
    )


def key_of(r):
    return r["table"], r["isa"], r["dtype"], r["function"], r["size"]


def sort_key(key):
    table, isa, dtype, function, size = key
    names = [*UNARY, *COMPOSED]
    dtypes = ["float32", "float64", "float16", "bfloat16"]
    return table, ISAS.index(isa), dtypes.index(dtype), names.index(function), size


# ---- the page -----------------------------------------------------------------------------------


def number(value, digits=3):
    """Three significant digits, without exponents."""
    if value is None:
        return ""
    text = f"{value:.{digits}g}"
    return f"{value:,.0f}" if "e" in text else text


def table(header, rows):
    """A Markdown table; the first column is text, the others are numbers."""
    lines = ["| " + " | ".join(header) + " |", "|---" + "|---:" * (len(header) - 1) + "|"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


class Figures:
    """The kept figures, and questions to them."""

    def __init__(self, path):
        content = json.loads(path.read_text())
        self.machine, self.peers = content["machine"], content["peers"]
        self.absent, self.held = content["absent"], content["held"]
        self.rounds, self.failed = content["rounds"], content["failed"]
        self.results = content["results"]

    def select(self, table, **wanted):
        """The results with these values; a tuple stands for any of its members."""

        def fits(r):
            return all(r[k] in v if isinstance(v, tuple) else r[k] == v for k, v in wanted.items())

        return [r for r in self.results if r["table"] == table and fits(r)]

    def worst(self, results, names, highest=False):
        """The lowest (or highest) ratio to any of these names; with name and size."""
        found = [
            (r["ratio"][name], name, r["size"])
            for r in results
            for name in names
            if name in r["ratio"]
        ]
        return (max if highest else min)(found, default=None)


def goal_rows(figures):
    """The goals, each with its result."""
    rows = []

    def faster(work, against, goal, names=GOAL_PEERS, **wanted):
        found = figures.worst(figures.select("peers", **wanted), names)
        if found is None:
            result, met = "not measured", ""
        else:
            ratio, name, size = found
            result = f"{number(ratio)} ({name}, {size:,})"
            met = "yes" if ratio >= goal else "**no**"
        rows.append([work, against, f"≥ {goal}", result, met])

    def within(work, against, goal, results, value):
        found = max(((value(r), r) for r in results), key=lambda item: item[0], default=None)
        if found is None:
            result, met = "not measured", ""
        else:
            ratio, r = found
            result = f"{number(ratio)} (`{r['function']}` {r['dtype']}, {r['size']:,})"
            met = "yes" if ratio <= goal else "**no**"
        rows.append([work, against, f"≤ {goal}", result, met])

    any_peer = "fastest peer"
    below_100k = {"isa": "avx512", "dtype": "float32", "size": IN_CACHE}
    for name in FORWARD + GRADIENTS:
        goal = 0.9 if name == "silu" else 1.0
        work = f"`{name}` float32, AVX-512, 1k to 64k"
        faster(work, any_peer, goal, function=name, **below_100k)
    for name, goal in (("gelu", 0.9), ("silu", 0.9), ("gelu_tanh", 1.0)):
        at_256k = below_100k | {"size": 262_144}
        faster(f"`{name}` float32, AVX-512, 256k", any_peer, goal, function=name, **at_256k)
    for name in FORWARD + GRADIENTS:
        at_4m = figures.select(
            "peers", isa="avx512", dtype="float32", function=name, size=4_194_304
        )
        work = f"`{name}` float32, AVX-512, 4M"
        within(work, "`np.multiply`", 1.15, at_4m, lambda r: 1 / r["ratio"]["np.multiply"])
    for name in FORWARD + GRADIENTS:
        avx2 = {"isa": "avx2", "dtype": "float32", "function": name}
        faster(f"`{name}` float32, AVX2, 1k to 64k", any_peer, 1.0, size=IN_CACHE, **avx2)
        faster(f"`{name}` float32, AVX2, 256k to 4M", any_peer, 1.0, size=SIZES[3:], **avx2)
    for isa, title in (("avx512", "AVX-512"), ("avx2", "AVX2")):
        wide = {"isa": isa, "dtype": "float64"}
        work = f"`gelu` float64, {title}, 16k and 256k"
        beyond = wide | {"size": (16_384, 262_144)}
        faster(work, "MKL, high accuracy", 1.8, ("mkl-ha",), function="gelu", **beyond)
        for name in FORWARD + GRADIENTS:
            work, in_cache = (
                f"`{name}` float64, {title}, 1k and 16k",
                wide | {"size": FEW_SIZES[:2]},
            )
            faster(work, "torch, jax", 2.5, ("torch", "jax"), function=name, **in_cache)
    for dtype in ("float16", "bfloat16"):
        for name, goal in (("gelu", 2.0), ("silu", 2.0), ("gelu_tanh", 4.0)):
            if (name, dtype) != ("gelu_tanh", "bfloat16"):
                narrow = {"isa": "avx512", "dtype": dtype, "size": (1_024, 16_384)}
                work = f"`{name}` {dtype}, AVX-512, 1k to 16k"
                faster(work, "torch", goal, ("torch",), function=name, **narrow)
    for size in SMALL:
        small = figures.select("small", isa="avx512", size=size)
        elements = f"{size} element" + "s" * (size > 1)
        within(elements, "`np.tanh(x, out=y)`", 1.15, small, lambda r: 1 / r["ratio"]["np.tanh"])
    for isa in ISAS:
        for dtype in ("float16", "float32", "float64"):
            within(
                f"worst kind of input, {dtype}, {isa}",
                "normal(0, 1.5)",
                4,
                figures.select("kinds", isa=isa, dtype=dtype),
                lambda r: max(r["ratio"].values()),
            )
    for r in figures.select("threads", isa="avx512"):
        layout = ROWS.get(r["function"])
        work = f"`{r['function']}` float32, 2 threads, {r['size'] // 2**20}M"
        work += f", {layout}" if layout else ""
        ratio, ns = r["ratio"], r["ns"]
        multiply = number(ns["np.multiply, 1 thread"] / ns["np.multiply, 2 threads"])
        for other, goal, aside in (
            ("1 thread", ROWS_GOAL if layout else SPAN_GOAL, f" (`np.multiply`: {multiply})"),
            ("torch", 1.0, ""),
        ):
            if other in ratio:
                against = "torch, 2 threads" if other == "torch" else other
                met = "yes" if ratio[other] >= goal else "**no**"
                rows.append([work, against, f"≥ {goal}", number(ratio[other]) + aside, met])
    return rows


def peer_tables(figures):
    """Nanoseconds per element of everybody: a table for each instruction set and dtype."""
    parts = []
    for isa in ISAS:
        for dtype in ("float32", "float64", "float16", "bfloat16"):
            results = figures.select("peers", isa=isa, dtype=dtype)
            if not results:
                continue
            order = ["np.multiply", *figures.peers]
            present = {name for r in results for name in r["ns"]}
            names = ["fastgelu"] + [name for name in order if name in present]
            rows = [
                [f"`{r['function']}` {r['size']:,}"] + [number(r["ns"].get(name)) for name in names]
                for r in results
            ]
            parts.append(f"### {isa}, {dtype}\n\n{table(['ns per element', *names], rows)}")
    return "\n\n".join(parts)


def small_table(figures):
    header = ["ns per call", "elements", "fastgelu", "`np.tanh`", "ratio"]
    rows = [
        [f"`{r['function']}` {r['dtype']}", str(r["size"])]
        + [number(r["ns"][name] * r["size"]) for name in ("fastgelu", "np.tanh")]
        + [number(1 / r["ratio"]["np.tanh"])]
        for r in figures.select("small", isa="avx512")
    ]
    return table(header, rows)


def kind_tables(figures):
    parts = []
    for isa in ISAS:
        for dtype in ("float16", "float32", "float64"):
            results = figures.select("kinds", isa=isa, dtype=dtype)
            if not results:
                continue
            names = list(results[0]["ratio"])
            header = [f"{isa}, {dtype}", "normal, ns", *names, "worst, ns"]
            rows = [
                [f"`{r['function']}`", number(r["ns"]["normal"])]
                + [number(r["ratio"][name], 2) for name in names]
                + [number(max(r["ns"].values()))]
                for r in results
            ]
            parts.append(table(header, rows))
    return "\n\n".join(parts)


def mca_table():
    content = json.loads(MCA.read_text())
    names = content["processors"]
    rows = [
        [row["loop"]] + [number(row["cycles_per_element"].get(name)) for name in names]
        for row in content["rows"]
    ]
    return table(["cycles per element", *names], rows)


def about(figures):
    """Where and how the figures were measured."""
    machine = figures.machine
    peers = ", ".join(f"{name} {version}" for name, version in figures.peers.items())
    lines = [
        f"Measured on: {machine['processor']}; {machine['system']}; Python {machine['python']},"
        f" NumPy {machine['numpy']}, fastgelu {machine['fastgelu']}. Peers: {peers}."
        f" Medians of {figures.rounds} rounds."
    ]
    for isa in ISAS[1:]:
        absent = sorted(figures.absent.get(isa, {}))
        way = (
            "environment variables and CPUID" if figures.held.get(isa) else "environment variables"
        )
        line = f"Peers were held to {isa} by {way}"
        lines.append(line + (f"; not there: {', '.join(absent)}." if absent else "."))
    lines += [f"Not measured: {what} ({why})." for what, why in sorted(figures.failed.items())]
    return "\n\n".join(lines)


def render(page, figures):
    """The page with its tables written anew."""
    parts = {
        "about": about(figures),
        "goals": table(["work", "against", "goal", "result", "met"], goal_rows(figures)),
        "peers": peer_tables(figures),
        "small": small_table(figures),
        "kinds": kind_tables(figures),
        "mca": mca_table(),
    }
    for name, text in parts.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        before, _, rest = page.partition(begin)
        _, found, after = rest.partition(end)
        if not found:
            sys.exit(f"{PAGE} has no part {begin.strip()} … {end}")
        page = f"{before}{begin}\n{text}\n\n{end}{after}"
    return page


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    tables = ("peers", "small", "kinds", "threads")
    parser.add_argument("--measure", action="store_true", help="measure first")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if it would")
    parser.add_argument("--isa", nargs="+", choices=ISAS, default=ISAS)
    parser.add_argument("--table", nargs="+", choices=tables, default=tables)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--quick", action="store_true", help="few sizes: to try the script")
    parser.add_argument("--figures", type=pathlib.Path, default=FIGURES, help="another file")
    parser.add_argument("--worker", choices=ISAS, help=argparse.SUPPRESS)
    parser.add_argument("--held", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--threads", type=int, choices=(1, 2), default=1, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work = [(f[:1], d, s[:1]) for f, d, s in WORK] if options.quick else WORK
        seconds = 0.0002 if options.quick else 0.002
        if options.threads > 1:
            worker_of_threads(options.rounds, seconds)
        else:
            worker(options.worker, options.table, options.rounds, seconds, work, options.held)
        return
    if options.measure:
        measure(options)
    page = PAGE.read_text()
    written = render(page, Figures(options.figures))
    if options.check:
        if page != written:
            sys.exit(f"{PAGE} is not what {options.figures} says: run {sys.argv[0]}")
    elif options.figures == FIGURES:
        PAGE.write_text(written)
    else:
        print(written)


if __name__ == "__main__":
    main()
