"""Draws docs/figures/*.svg from figures that are kept.

    python tools/write_figures.py              draw (needs matplotlib)
    python tools/write_figures.py --measure    measure the errors anew first (and mpmath, and peers)

Errors are kept in docs/data/errors.json, times in docs/data/performance.json
(tools/write_performance.py).  Look at the pictures before you commit them, on white and on black.
"""

import argparse
import json
import pathlib
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
ERRORS = ROOT / "docs" / "data" / "errors.json"
TIMES = ROOT / "docs" / "data" / "performance.json"
FIGURES = ROOT / "docs" / "figures"

ERROR_FUNCTIONS = ("gelu", "gelu_tanh", "silu")
LEFT = {"gelu": -14, "gelu_tanh": -11, "silu": -100}
BINS, PER_BIN = 140, 24

# Every colour can be read on white and on black.
GRAY = "#808080"
COLOURS = {
    "fastgelu": "#e8590c",
    "np.multiply": GRAY,
    "numpy+scipy": "#8a7f66",
    "numexpr": "#b08968",
    "numba": "#5f9e5f",
    "torch": "#d6456b",
    "onnxruntime": "#3b8ee0",
    "jax": "#9a63d8",
    "openvino": "#2aa198",
    "simd-ml-kernels": "#b8860b",
    "mkl-ha": "#6b7fd7",
    "mkl-la": "#6b7fd7",
}
DASHED = {"mkl-la": (0, (4, 2))}


# ---- errors -------------------------------------------------------------------------------------


def measure():
    """The worst error of each bin, for everybody who has the function."""
    sys.path.append(str(ROOT / "tests"))
    import reference

    import fastgelu
    from fastgelu import _peers

    peers, absent = _peers.load([name for name in _peers.PEERS if name not in ("mkl-la", "mkl-ep")])
    for name, why in absent.items():
        print(f"{name} is left out: {why}", file=sys.stderr)
    random = np.random.default_rng(3)
    functions = {}
    for function in ERROR_FUNCTIONS:
        edges = np.linspace(LEFT[function], 5, BINS + 1)
        x = random.uniform(edges[:-1, None], edges[1:, None], (BINS, PER_BIN)).astype(np.float32)
        x = x.ravel()
        exact = [reference.exact(function, v) for v in x]
        results = {"fastgelu": getattr(fastgelu, function)(x)}
        for name, peer in peers.items():
            if (function, "float32") in peer.offers:
                call, result = peer.prepare(function, [x], np.empty_like(x))
                call()
                results[name] = np.array(result(), np.float32)
        errors = {
            name: [
                float(f"{worst:.3g}")
                for worst in np.reshape(
                    [
                        reference.ulp_error(g, e, np.float32)
                        for g, e in zip(y.tolist(), exact, strict=True)
                    ],
                    (BINS, PER_BIN),
                ).max(axis=1)
            ]
            for name, y in results.items()
        }
        middles = (edges[:-1] + edges[1:]) / 2
        functions[function] = {"x": np.round(middles, 3).tolist(), "errors": errors}
    content = {
        "dtype": "float32",
        "what": f"worst error in ULP of {PER_BIN} inputs in each bin",
        "versions": {name: peer.version for name, peer in peers.items()},
        "functions": functions,
    }
    ERRORS.parent.mkdir(exist_ok=True)
    text = json.dumps(content)
    ERRORS.write_text(text.replace('"errors": {', '"errors": {\n').replace("], ", "],\n ") + "\n")


# ---- drawing ------------------------------------------------------------------------------------


def style(name):
    """How the line of a competitor looks."""
    ours = name == "fastgelu"
    return {
        "color": COLOURS[name],
        "linewidth": 2.4 if ours else 1.2,
        "zorder": 3 if ours else 2,
        "linestyle": ":" if name == "np.multiply" else DASHED.get(name, "-"),
        "label": name,
    }


def tidy(ax):
    ax.grid(color=GRAY, alpha=0.25, linewidth=0.6)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def save(figure, name):
    FIGURES.mkdir(exist_ok=True)
    figure.savefig(FIGURES / f"{name}.svg", transparent=True, metadata={"Date": None})


def draw_errors(plt, matplotlib):
    content = json.loads(ERRORS.read_text())
    figure, axes = plt.subplots(1, 3, figsize=(11, 4.2), sharey=True, layout="constrained")
    for function, ax in zip(ERROR_FUNCTIONS, axes, strict=True):
        data = content["functions"][function]
        for name, errors in data["errors"].items():
            # An infinity or NaN leaves the page.
            y = np.nan_to_num(np.array(errors, float), nan=1e12, posinf=1e12)
            ax.semilogy(data["x"], np.maximum(y, 1e-2), **style(name))
        ax.axhline(2**23, color=GRAY, linewidth=0.8)
        ax.set(title=function, xlabel="x", ylim=(0.2, 1e9), xlim=(data["x"][0], data["x"][-1]))
        ax.xaxis.set_major_locator(matplotlib.ticker.MaxNLocator(6, integer=True))
        tidy(ax)
    axes[0].set_ylabel("error of float32 results, ULP")
    axes[0].annotate("no digit is right", (0.98, 2**23), (0, 4), **beside(axes[0]))
    named = {
        line.get_label(): line for ax in axes for line in ax.lines if line.get_label()[0] != "_"
    }
    figure.legend(named.values(), named.keys(), loc="outside lower center", ncols=5, frameon=False)
    save(figure, "error")


def beside(ax):
    """Arguments for a remark at the right end of a horizontal line."""
    return {
        "xycoords": ax.get_yaxis_transform(),
        "textcoords": "offset points",
        "ha": "right",
        "fontsize": "small",
    }


def draw_speed(plt):
    results = json.loads(TIMES.read_text())["results"]
    panels = [("gelu", "avx512"), ("gelu", "avx2"), ("silu", "avx512")]
    figure, axes = plt.subplots(1, 3, figsize=(11, 4.4), sharey=True, layout="constrained")
    for (function, isa), ax in zip(panels, axes, strict=True):
        chosen = [
            r
            for r in results
            if (r["table"], r["isa"], r["function"], r["dtype"])
            == ("peers", isa, function, "float32")
            and r["size"] <= 2**22
        ]
        for name in COLOURS:
            points = [(r["size"], r["ns"][name]) for r in chosen if name in r["ns"]]
            if points:
                ax.loglog(*zip(*points, strict=True), marker="o", markersize=2.5, **style(name))
        ax.set(title=f"{function}, {isa}", xlabel="elements (float32)")
        ax.set_xticks([2**10, 2**14, 2**18, 2**22], ["1k", "16k", "256k", "4M"])
        ax.minorticks_off()
        ax.set_yticks([0.1, 0.3, 1, 3, 10, 30], ["0.1", "0.3", "1", "3", "10", "30"])
        tidy(ax)
    axes[0].set_ylabel("ns per element, one thread")
    named = {line.get_label(): line for ax in axes for line in ax.lines}
    figure.legend(named.values(), named.keys(), loc="outside lower center", ncols=6, frameon=False)
    save(figure, "speed")


def draw_family(plt):
    import fastgelu

    x = np.linspace(-4.5, 3, 601)
    lines = [  # name, arguments, colour, dashes
        ("relu", (), GRAY, ":"),
        ("elu", (1.0,), "#5f9e5f", "-"),
        ("silu", (), "#3b8ee0", "-"),
        ("quick_gelu", (), "#9a63d8", "-"),
        ("gelu", (), "#e8590c", "-"),
        ("gelu_tanh", (), "#2aa198", (0, (3, 3))),
    ]
    figure, axes = plt.subplots(1, 3, figsize=(11, 4), layout="constrained")
    for name, arguments, colour, dashes in lines:
        look = {"color": colour, "linestyle": dashes, "linewidth": 1.8}
        y = getattr(fastgelu, name)(x, *arguments)
        axes[0].plot(x, y, label=name, **look)
        gradient = getattr(fastgelu, f"{name}_grad")(x, *arguments)
        if name == "relu":
            gradient[np.searchsorted(x, 0)] = np.nan  # a jump is no line
        axes[1].plot(x, gradient, **look)
        if name in ("quick_gelu", "gelu_tanh"):
            axes[2].semilogy(x, np.abs(y - fastgelu.gelu(x)), label=name, **look)
    axes[0].set(title="values", xlabel="x", ylim=(-1.1, 2))
    axes[1].set(title="derivatives", xlabel="x", ylim=(-0.2, 1.2))
    axes[2].set(title="distance from gelu", xlabel="x", ylim=(1e-6, 0.1))
    for ax in axes:
        tidy(ax)
        ax.set_xlim(x[0], x[-1])
    figure.legend(loc="outside lower center", ncols=6, frameon=False, handles=axes[0].lines)
    save(figure, "family")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--measure", action="store_true", help="measure the errors first")
    options = parser.parse_args()
    if options.measure:
        measure()
    try:
        import matplotlib
    except ImportError:
        sys.exit("drawing needs matplotlib")
    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    names = ["text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"]
    plt.rcParams.update(dict.fromkeys(names, GRAY))
    # Text stays text, and the same figures give the same file.
    plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "fastgelu", "font.size": 10})
    draw_errors(plt, matplotlib)
    draw_speed(plt)
    draw_family(plt)


if __name__ == "__main__":
    main()
