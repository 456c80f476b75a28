"""compare.py: fastgelu's operators in ONNX Runtime beside ONNX Runtime's own.

python examples/onnxruntime_custom_op/compare.py [LIBRARY]

Prints, for each operator and size, the median time of a session that does nothing else, by
fastgelu and by ONNX Runtime, and the largest error of both in float32, in ULP. Needs the packages
onnx and onnxruntime, and the library that `make` builds here.
"""

import statistics
import sys
import time
from pathlib import Path

import numpy as np
import onnxruntime as ort
from onnx import TensorProto, helper

import fastgelu

SIZES = [(64, 256), (256, 1024), (1024, 1024)]
ROUNDS = 60

# Nodes as (operator, domain, inputs, output, attributes).
SWIGLU = [
    ("Sigmoid", "", ["x"], "s", {}),
    ("Mul", "", ["x", "s"], "t", {}),
    ("Mul", "", ["t", "other"], "y", {}),
]


def one(operator, domain, *inputs, **attributes):
    return [(operator, domain, list(inputs), "y", attributes)]


# Name, what fastgelu.<name> it is, ours, ONNX Runtime's own, the same in float64.
OPERATORS = [
    ("Gelu", one("Gelu", "fastgelu", "x"), one("Gelu", "com.microsoft", "x"), fastgelu.gelu),
    (
        "Gelu (tanh)",
        one("Gelu", "fastgelu", "x", approximate="tanh"),
        one("FastGelu", "com.microsoft", "x"),
        fastgelu.gelu_tanh,
    ),
    (
        "QuickGelu",
        one("QuickGelu", "fastgelu", "x"),
        one("QuickGelu", "com.microsoft", "x"),
        fastgelu.quick_gelu,
    ),
    (
        "BiasGelu",
        one("BiasGelu", "fastgelu", "x", "other"),
        one("BiasGelu", "com.microsoft", "x", "other"),
        fastgelu.bias_gelu,
    ),
    ("SwiGLU", one("SwiGLU", "fastgelu", "x", "other"), SWIGLU, fastgelu.swiglu),
]


def session(nodes, inputs, library=None, threads=1, dtype=TensorProto.FLOAT):
    """A session that runs these nodes on inputs like these."""
    values = {
        name: helper.make_tensor_value_info(
            name, dtype, [None] * inputs["x" if name == "y" else name].ndim
        )
        for name in [*inputs, "y"]
    }
    domains = ["", "com.microsoft", "fastgelu"]
    graph = helper.make_graph(
        [
            helper.make_node(operator, inputs, [output], domain=domain, **attributes)
            for operator, domain, inputs, output, attributes in nodes
        ],
        "compare",
        [values[name] for name in inputs],
        [values["y"]],
    )
    versions = [helper.make_opsetid(d, 20 if d == "" else 1) for d in domains]
    model = helper.make_model(graph, opset_imports=versions, ir_version=9)
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    if library:
        options.register_custom_ops_library(str(library))
    return ort.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )


def median_times(sessions, feed):
    """Median seconds of each; they take turns, so that all see the same machine."""
    times = [[] for _ in sessions]
    for _ in range(ROUNDS):
        for s, seconds in zip(sessions, times, strict=True):
            start = time.perf_counter()
            s.run(None, feed)
            seconds.append(time.perf_counter() - start)
    return [statistics.median(seconds) for seconds in times]


def largest_error(y, exact):
    """In ULP of float32, against a result in float64."""
    return (np.abs(y - exact) / np.spacing(np.abs(exact).astype(np.float32))).max()


def main():
    library = Path(__file__).with_name("libfastgelu_onnxruntime.so")
    if sys.argv[1:]:
        library = Path(sys.argv[1])
    rng = np.random.default_rng(0)
    print(f"onnxruntime {ort.__version__}, float32, one thread, normal(0, 1.5)")
    print(f"{'':13}{'elements':>10}{'fastgelu':>13}{'own':>13}{'':8}{'error, ULP':>11}{'own':>9}")
    for name, ours, own, function in OPERATORS:
        for shape in SIZES:
            feed = {"x": rng.normal(0, 1.5, shape).astype(np.float32)}
            if len(ours[0][2]) == 2:
                other = shape[-1:] if name == "BiasGelu" else shape
                feed["other"] = rng.normal(0, 1, other).astype(np.float32)
            sessions = [session(ours, feed, library), session(own, feed)]
            results = [s.run(None, feed)[0] for s in sessions]
            # BiasGelu is defined at the rounded sum.
            values = [feed["x"] + feed["other"]] if name == "BiasGelu" else list(feed.values())
            exact = (fastgelu.gelu if name == "BiasGelu" else function)(
                *[value.astype(np.float64) for value in values]
            )
            if not np.array_equal(results[0], function(*feed.values())):
                sys.exit(f"compare: {name} differs from fastgelu in Python")
            fast, slow = median_times(sessions, feed)
            errors = [largest_error(y, exact) for y in results]
            print(
                f"{name:13}{np.prod(shape):10,}{fast * 1e6:10.1f} µs{slow * 1e6:10.1f} µs"
                f"{slow / fast:7.2f}x{errors[0]:11.2f}{errors[1]:9.3g}"
            )


if __name__ == "__main__":
    main()
