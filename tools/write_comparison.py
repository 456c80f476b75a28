"""Measures how accurate other packages are for docs/comparison.md, and writes that page's table.

    python tools/write_comparison.py --measure    measure, keep the figures, write the table
    python tools/write_comparison.py              write the table from the figures that are kept
    python tools/write_comparison.py --check      only see whether the page agrees with them

The figures are kept in docs/data/comparison.json.  Packages that are not installed are left out
(`pip install ".[peers]"` brings them).  The reference is a formula without cancellation in float64,
whose error is below a millionth of a float32 ULP.
"""

import argparse
import json
import math
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "docs" / "data" / "comparison.json"
PAGE = ROOT / "docs" / "comparison.md"

# Every STEP-th float32: a prime, so that all patterns of low bits occur.
STEP = 4999
# Left of here gelu is a subnormal number or zero, and right of the other end it is x.
LEFT, RIGHT = {"gelu": -12.9, "gelu_tanh": -9.9, "silu": -91.0}, 20.0
POINTS = {"gelu": (-5.5, -6.0), "gelu_tanh": (-5.0, -6.0), "silu": (-20.0, -89.0)}
HALF = 2.0**-12  # the relative error at which half of the digits are lost


def references():
    """The functions in float64, by formulas that lose no digits on the left."""
    from scipy import special

    def u(x):
        return 2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)

    return {
        "gelu": lambda x: x / 2 * special.erfc(-x / math.sqrt(2)),
        "gelu_tanh": lambda x: x * special.expit(u(x)),
        "silu": lambda x: x * special.expit(x),
    }


def sample(left):
    """float32 numbers with normal results, from left to RIGHT, evenly spaced in their bits."""

    def positive(end):
        first, last = np.array([2.0**-125, end], np.float32).view(np.int32)
        return np.arange(first, last, STEP, np.int32).view(np.float32)

    return np.concatenate([-positive(-left)[::-1], positive(RIGHT)])


def judge(y, exact, x, points):
    """What the table shows of one package and function."""
    n = x.size
    relative = np.abs(y[:n] - exact) / np.abs(exact)
    relative = np.where(np.isnan(relative), math.inf, relative)
    ulp = np.abs(y[:n] - exact) / np.spacing(np.abs(exact).astype(np.float32)).astype(float)
    usual = x >= -1
    lost = x[(relative > HALF) & (x < 0)]
    return {
        "worst_right": float(f"{ulp[usual].max():.3g}"),
        "worst_at": float(x[usual][ulp[usual].argmax()]),
        "lost_from": float(f"{lost.max():.3g}") if lost.size else None,
        "points": {str(p): str(np.float32(v)) for p, v in zip(points, y[n : n + 2], strict=True)},
        "minus_inf": str(y[n + 2]),
    }


def measure():
    """The figures of fastgelu and of every package that is installed."""
    import fastgelu
    from fastgelu import _peers

    peers, absent = _peers.load()
    for name, why in absent.items():
        print(f"{name} is left out: {why}", file=sys.stderr)
    functions = {}
    for function, reference in references().items():
        x = sample(LEFT[function])
        exact = reference(x.astype(np.float64))
        inputs = np.concatenate([x, np.float32([*POINTS[function], -math.inf])])
        results = {"fastgelu": getattr(fastgelu, function)(inputs)}
        for name, peer in peers.items():
            if (function, "float32") in peer.offers:
                with np.errstate(all="ignore"):
                    call, result = peer.prepare(function, [inputs], np.empty_like(inputs))
                    call()
                    results[name] = np.array(result(), np.float32)
        if function == "gelu" and "numpy+scipy" in peers:
            # Not the usual formula, so no peer of the benchmarks; but it loses nothing.
            ndtr = peers["numpy+scipy"].lib.ndtr
            with np.errstate(all="ignore"):
                results["scipy, `x*ndtr(x)`"] = inputs * ndtr(inputs)
        with np.errstate(all="ignore"):
            judged = {n: judge(y, exact, x, POINTS[function]) for n, y in results.items()}
        points = [float(reference(np.float64(p))) for p in POINTS[function]]
        functions[function] = {"samples": x.size, "exact": points, "packages": judged}
    content = {
        "versions": {name: peer.version for name, peer in peers.items()},
        "functions": functions,
    }
    FIGURES.parent.mkdir(exist_ok=True)
    FIGURES.write_text(json.dumps(content, indent=1) + "\n")


def number(text):
    """A number as it is printed, with a real minus sign."""
    value = float(text)
    short = f"{value:.4g}" if math.isfinite(value) else str(value)
    return short.replace("-", "−")


def tables(content):
    """The Markdown tables, one per function."""
    lines = []
    for function, data in content["functions"].items():
        points = POINTS[function]
        lines += [
            f"`{function}`, {data['samples']:,} inputs. Exact: "
            + ", ".join(
                f"f({number(p)}) = {number(v)}" for p, v in zip(points, data["exact"], strict=True)
            )
            + "; the limit at −inf is −0.",
            "",
            "| package | worst error for x ≥ −1, ULP | half of the digits lost from x = | "
            + " | ".join(f"f({number(p)})" for p in points)
            + " | f(−inf) |",
            "|---|---:|---:|---:|---:|---:|",
        ]
        for name, f in data["packages"].items():
            version = content["versions"].get("numpy+scipy" if "scipy" in name else name)
            lost = "nowhere" if f["lost_from"] is None else number(f["lost_from"])
            cells = [
                f"{name} {version}" if version else f"**{name}**",
                f"{f['worst_right']:.3g}",
                lost,
                *(number(v) for v in f["points"].values()),
                number(f["minus_inf"]),
            ]
            lines.append("| " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.measure:
        measure()
    page = PAGE.read_text()
    begin, end = "<!-- measured -->\n", "<!-- /measured -->\n"
    head, rest = page.split(begin)
    tail = rest.split(end)[1]
    new = head + begin + tables(json.loads(FIGURES.read_text())) + end + tail
    if options.check:
        if new != page:
            sys.exit("docs/comparison.md does not agree with docs/data/comparison.json")
    else:
        PAGE.write_text(new)


if __name__ == "__main__":
    main()
