"""What else computes these functions: one list for the benchmarks, the tables and the figures.

A peer is a class with a name, what it offers, and a method that prepares one computation.  It is
used as its own documentation says is fastest: output into an array that exists, no copies,
compiled once.  None of them is needed; `load` says by name which ones are absent.
"""

import ctypes
import importlib
import importlib.metadata
import math
import os
import pathlib
import sys

import numpy as np

# The environment that holds the peers to an instruction set.  It is read when they are imported.
# onnxruntime and OpenVINO know no such setting (`can_be_held`): tools/hold_cpuid.c holds those.
HOLD = {
    "avx512": {},
    "avx2": {
        "ATEN_CPU_CAPABILITY": "avx2",
        "MKL_ENABLE_INSTRUCTIONS": "AVX2",
        "ONEDNN_MAX_CPU_ISA": "AVX2",
        "SIMD_ML_ISA": "avx2",
        "XLA_FLAGS": "--xla_cpu_max_isa=AVX2",
    },
    "sse2": {
        "ATEN_CPU_CAPABILITY": "default",
        "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
        "ONEDNN_MAX_CPU_ISA": "SSE41",
        "SIMD_ML_ISA": "scalar",
        "XLA_FLAGS": "--xla_cpu_max_isa=SSE4_2",
    },
}


def environment(threads):
    """The environment for those that ask it how many threads to use, before they are imported."""
    names = ["MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "NUMEXPR_MAX_THREADS", "OMP_NUM_THREADS"]
    return dict.fromkeys(names, str(threads))


_SQRT_HALF = math.sqrt(0.5)
_TANH_SCALE = math.sqrt(2 / math.pi)


def _pairs(functions, dtypes):
    return {(function, dtype) for function in functions.split() for dtype in dtypes.split()}


class Peer:
    """One library.

    Attributes
    ----------
    name : str
    module : str
        What is imported.
    distribution : str
        What it is called on PyPI.
    offers : set of (str, str)
        The functions and dtypes that it has, under fastgelu's names.
    can_be_held : bool
        Does `ENVIRONMENT` hold it to an instruction set?
    remark : str
        What a reader of its figures should know.
    """

    module = ""
    can_be_held = True
    remark = ""

    def __init__(self, threads=1):
        self.threads = threads
        self.lib = importlib.import_module(self.module)
        self.open()

    def open(self):
        """Whatever is done once."""

    @property
    def version(self):
        """The version that is installed."""
        return importlib.metadata.version(self.distribution)

    def prepare(self, function, inputs, y):
        """A computation that may be repeated.

        Parameters
        ----------
        function : str
            One that the peer offers for the dtype of the inputs.
        inputs : sequence of ndarray
            The arguments, contiguous and of one length.
        y : ndarray
            Where the result goes, if the peer can be given that.

        Returns
        -------
        call : callable
            Computes the result, without arguments.  It keeps alive what it works on.
        result : callable
            Gives the last result as an array.
        """
        raise NotImplementedError


class SciPy(Peer):
    """The formulas as they are written in NumPy and SciPy, in place and without temporaries."""

    name = "numpy+scipy"
    module = "scipy.special"
    distribution = "scipy"
    offers = _pairs(
        "gelu gelu_tanh silu quick_gelu sigmoid normal_cdf geglu geglu_tanh swiglu glu bias_gelu"
        " bias_gelu_tanh",
        "float32 float64",
    )

    def prepare(self, function, inputs, y):
        x = inputs[0]
        one, half, t = x.dtype.type(1), x.dtype.type(0.5), np.empty_like(x)
        sqrt_half, slope = x.dtype.type(_SQRT_HALF), x.dtype.type(1.702)
        scale, cubic = x.dtype.type(_TANH_SCALE), x.dtype.type(_TANH_SCALE * 0.044715)
        erf, expit, ndtr = self.lib.erf, self.lib.expit, self.lib.ndtr

        def gelu(x):
            np.multiply(x, sqrt_half, out=t)
            erf(t, out=t)
            np.add(t, one, out=t)
            np.multiply(t, x, out=t)
            np.multiply(t, half, out=y)

        def gelu_tanh(x):
            np.multiply(x, x, out=t)
            np.multiply(t, cubic, out=t)
            np.add(t, scale, out=t)
            np.multiply(t, x, out=t)
            np.tanh(t, out=t)
            np.add(t, one, out=t)
            np.multiply(t, x, out=t)
            np.multiply(t, half, out=y)

        def silu(x):
            expit(x, out=t)
            np.multiply(t, x, out=y)

        def quick_gelu(x):
            np.multiply(x, slope, out=t)
            expit(t, out=t)
            np.multiply(t, x, out=y)

        def sigmoid(x):
            expit(x, out=y)

        def normal_cdf(x):
            ndtr(x, out=y)

        plain = {
            "gelu": gelu,
            "gelu_tanh": gelu_tanh,
            "silu": silu,
            "quick_gelu": quick_gelu,
            "sigmoid": sigmoid,
            "normal_cdf": normal_cdf,
        }
        gates = {"geglu": gelu, "geglu_tanh": gelu_tanh, "swiglu": silu, "glu": sigmoid}
        if function in plain:
            f = plain[function]
            return lambda: f(x), lambda: y
        f, other = gates.get(function) or plain[function.removeprefix("bias_")], inputs[1]
        if function in gates:

            def call():
                f(x)
                np.multiply(y, other, out=y)

        else:
            h = np.empty_like(x)

            def call():
                np.add(x, other, out=h)
                f(h)

        return call, lambda: y


_NUMEXPR_FORMULAS = {
    "gelu_tanh": "half * x * (one + tanh(scale * x * (one + cubic * x * x)))",
    "silu": "x / (one + exp(-x))",
    "quick_gelu": "x / (one + exp(-slope * x))",
    "sigmoid": "one / (one + exp(-x))",
    "swiglu": "x / (one + exp(-x)) * other",
    "geglu_tanh": "half * x * (one + tanh(scale * x * (one + cubic * x * x))) * other",
    "glu": "other / (one + exp(-x))",
}


class NumExpr(Peer):
    """Formulas in the functions that numexpr has; there is no erf among them."""

    name = "numexpr"
    module = "numexpr"
    distribution = "numexpr"
    offers = _pairs(" ".join(_NUMEXPR_FORMULAS), "float32 float64")

    def open(self):
        self.lib.set_num_threads(self.threads)

    def prepare(self, function, inputs, y):
        kind = inputs[0].dtype.type
        names = {"half": 0.5, "one": 1, "scale": _TANH_SCALE, "cubic": 0.044715, "slope": 1.702}
        values = {name: kind(value) for name, value in names.items()}
        values |= dict(zip(("x", "other"), inputs, strict=False))
        formula, evaluate = _NUMEXPR_FORMULAS[function], self.lib.evaluate
        return lambda: evaluate(formula, values, {}, out=y, sanitize=False), lambda: y


class Numba(Peer):
    """Loops over the formulas, compiled by numba, with the libm or SVML that it finds."""

    name = "numba"
    module = "numba"
    distribution = "numba"
    offers = _pairs(
        "gelu gelu_tanh silu quick_gelu sigmoid normal_cdf gelu_grad silu_grad geglu geglu_tanh"
        " swiglu glu",
        "float32 float64",
    )

    def open(self):
        self.loops = {}
        if self.threads > 1:
            self.lib.set_num_threads(self.threads)

    def prepare(self, function, inputs, y):
        loop = self._loop(function, inputs[0].dtype.type)
        return lambda: loop(*inputs, y), lambda: y

    def _loop(self, function, kind):
        if (function, kind) in self.loops:
            return self.loops[function, kind]
        one, half, slope, cubic = kind(1), kind(0.5), kind(1.702), kind(0.044715)
        sqrt_half, scale = kind(_SQRT_HALF), kind(_TANH_SCALE)
        density = kind(1 / math.sqrt(2 * math.pi))
        formulas = {
            "gelu": lambda x: half * x * (one + math.erf(x * sqrt_half)),
            "gelu_tanh": lambda x: half * x * (one + math.tanh(scale * (x + cubic * x * x * x))),
            "silu": lambda x: x / (one + math.exp(-x)),
            "quick_gelu": lambda x: x / (one + math.exp(-slope * x)),
            "sigmoid": lambda x: one / (one + math.exp(-x)),
            "normal_cdf": lambda x: half * (one + math.erf(x * sqrt_half)),
            "gelu_grad": lambda x: (
                half * (one + math.erf(x * sqrt_half)) + x * density * math.exp(-half * x * x)
            ),
            "silu_grad": lambda x: (
                (one + x * (one - one / (one + math.exp(-x)))) / (one + math.exp(-x))
            ),
        }
        gates = {"geglu": "gelu", "geglu_tanh": "gelu_tanh", "swiglu": "silu", "glu": "sigmoid"}
        jit = self.lib.njit
        # No fast-math: it would take NaN and infinity for impossible.  error_model spares the
        # test of each divisor.
        options = {"error_model": "numpy", "parallel": self.threads > 1}
        indices = self.lib.prange
        f = jit(formulas[gates.get(function, function)], error_model="numpy")
        if function in gates:

            @jit(**options)
            def loop(x, other, y):
                for i in indices(x.size):
                    y[i] = f(x[i]) * other[i]

        else:

            @jit(**options)
            def loop(x, y):
                for i in indices(x.size):
                    y[i] = f(x[i])

        self.loops[function, kind] = loop
        return loop


class Torch(Peer):
    """PyTorch's operators by their out= variants, on memory shared with NumPy."""

    name = "torch"
    module = "torch"
    distribution = "torch"
    offers = _pairs(
        "gelu gelu_tanh silu sigmoid gelu_grad gelu_tanh_grad silu_grad gelu_backward"
        " gelu_tanh_backward silu_backward geglu geglu_tanh swiglu glu bias_gelu bias_gelu_tanh"
        " quick_gelu",
        "float16 bfloat16 float32 float64",
    )

    def open(self):
        self.lib.set_num_threads(self.threads)

    def _share(self, a):
        if a.dtype.name == "bfloat16":
            return self.lib.from_numpy(a.view(np.int16)).view(self.lib.bfloat16)
        return self.lib.from_numpy(a)

    def prepare(self, function, inputs, y):
        ops, torch = self.lib.ops.aten, self.lib
        arrays, out = [self._share(a) for a in inputs], self._share(y)
        x = arrays[0]
        approximate = "tanh" if "tanh" in function else "none"
        activation, _, operation = function.rpartition("_")
        activation = activation.removesuffix("_tanh")
        if operation in ("grad", "backward"):
            dy = torch.ones_like(x) if operation == "grad" else x
            x = arrays[-1]
            f = getattr(ops, f"{activation}_backward").grad_input
            if activation == "gelu":
                return lambda: f(dy, x, approximate=approximate, grad_input=out), lambda: y
            return lambda: f(dy, x, grad_input=out), lambda: y

        gelu, sigmoid = torch._C._nn.gelu, torch.sigmoid
        plain = {
            "gelu": lambda x: gelu(x, approximate="none", out=out),
            "gelu_tanh": lambda x: gelu(x, approximate="tanh", out=out),
            "silu": lambda x: ops.silu.out(x, out=out),
            "sigmoid": lambda x: sigmoid(x, out=out),
        }
        if function in plain:
            f = plain[function]
            return lambda: f(x), lambda: y
        if function == "quick_gelu":

            def call():
                torch.mul(x, 1.702, out=out)
                torch.sigmoid(out, out=out)
                out.mul_(x)

            return call, lambda: y
        other = arrays[1]
        if function.startswith("bias_"):
            f, h = plain[function.removeprefix("bias_")], torch.empty_like(x)

            def call():
                torch.add(x, other, out=h)
                f(h)

            return call, lambda: y
        gates = {"geglu": "gelu", "geglu_tanh": "gelu_tanh", "swiglu": "silu", "glu": "sigmoid"}
        f = plain[gates[function]]

        def call():
            f(x)
            out.mul_(other)

        return call, lambda: y


_ONNX_NODES = {
    "gelu": ("Gelu", "", {}),
    "gelu_tanh": ("Gelu", "", {"approximate": "tanh"}),
    "quick_gelu": ("QuickGelu", "com.microsoft", {"alpha": 1.702}),
    "silu": ("QuickGelu", "com.microsoft", {"alpha": 1.0}),
    "sigmoid": ("Sigmoid", "", {}),
    "bias_gelu": ("BiasGelu", "com.microsoft", {}),
    "bias_gelu_tanh": ("FastGelu", "com.microsoft", {}),
}


class OnnxRuntime(Peer):
    """One-node models, run with the arrays bound to them."""

    name = "onnxruntime"
    module = "onnxruntime"
    distribution = "onnxruntime"
    can_be_held = False
    offers = _pairs(" ".join(_ONNX_NODES), "float32") | _pairs("sigmoid", "float64")

    def open(self):
        self.onnx = importlib.import_module("onnx")

    def prepare(self, function, inputs, y):
        helper, lib = self.onnx.helper, self.lib
        operator, domain, attributes = _ONNX_NODES[function]
        element = helper.np_dtype_to_tensor_dtype(y.dtype)
        names = ["x", "bias"][: len(inputs)]
        node = helper.make_node(operator, names, ["y"], domain=domain, **attributes)
        describe = helper.make_tensor_value_info
        graph = helper.make_graph(
            [node],
            "peer",
            [describe(name, element, [y.size]) for name in names],
            [describe("y", element, [y.size])],
        )
        opsets = [helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
        options = lib.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = self.threads, 1
        options.log_severity_level = 3
        session = lib.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
        binding = session.io_binding()
        values = [lib.OrtValue.ortvalue_from_numpy(a) for a in inputs]
        result = lib.OrtValue.ortvalue_from_numpy(y)
        for name, value in zip(names, values, strict=True):
            binding.bind_ortvalue_input(name, value)
        binding.bind_ortvalue_output("y", result)
        run = session._sess.run_with_iobinding
        unwrapped = binding._iobinding
        keep = session, binding, values, inputs, y
        return lambda keep=keep: run(unwrapped, None), result.numpy


class Jax(Peer):
    """Compiled functions of one array.  XLA gives each result a new buffer."""

    name = "jax"
    module = "jax"
    distribution = "jax"
    offers = _pairs(
        "gelu gelu_tanh silu quick_gelu sigmoid gelu_grad gelu_tanh_grad silu_grad"
        " quick_gelu_grad geglu geglu_tanh swiglu glu",
        "float16 bfloat16 float32 float64",
    ) | _pairs("normal_cdf", "float32 float64")

    def open(self):
        importlib.import_module("jax.scipy.special")
        self.lib.config.update("jax_platforms", "cpu")
        self.lib.config.update("jax_enable_x64", True)
        self.compiled = {}

    def prepare(self, function, inputs, y):
        arrays = [self.lib.numpy.asarray(a) for a in inputs]
        f = self._compiled(function)
        last = []

        def call():
            last[:] = [f(*arrays).block_until_ready()]

        return call, lambda: np.asarray(last[0])

    def _compiled(self, function):
        if function not in self.compiled:
            nn = self.lib.nn
            plain = {
                "gelu": lambda x: nn.gelu(x, approximate=False),
                "gelu_tanh": lambda x: nn.gelu(x, approximate=True),
                "silu": nn.silu,
                "quick_gelu": lambda x: x * nn.sigmoid(1.702 * x),
                "sigmoid": nn.sigmoid,
                "normal_cdf": self.lib.scipy.special.ndtr,
            }
            gates = {"geglu": "gelu", "geglu_tanh": "gelu_tanh", "swiglu": "silu", "glu": "sigmoid"}
            if function in gates:
                gate = plain[gates[function]]
                f = lambda x, up: gate(x) * up  # noqa: E731
            elif function.endswith("_grad"):
                forward = plain[function.removesuffix("_grad")]
                f = self.lib.grad(lambda x: forward(x).sum())
            else:
                f = plain[function]
            self.compiled[function] = self.lib.jit(f)
        return self.compiled[function]


class OpenVINO(Peer):
    """One-node models on the arrays' own memory."""

    name = "openvino"
    module = "openvino"
    distribution = "openvino"
    can_be_held = False
    offers = _pairs("gelu gelu_tanh silu sigmoid quick_gelu", "float32")

    def open(self):
        self.core = self.lib.Core()

    def prepare(self, function, inputs, y):
        ops = importlib.import_module("openvino.opset13")
        x = ops.parameter([y.size], np.float32)
        nodes = {
            "gelu": lambda: ops.gelu(x, "ERF"),
            "gelu_tanh": lambda: ops.gelu(x, "TANH"),
            "silu": lambda: ops.swish(x),
            "quick_gelu": lambda: ops.swish(x, ops.constant(np.float32(1.702))),
            "sigmoid": lambda: ops.sigmoid(x),
        }
        settings = {
            "INFERENCE_NUM_THREADS": self.threads,
            "NUM_STREAMS": 1,
            "INFERENCE_PRECISION_HINT": "f32",
            "PERFORMANCE_HINT": "LATENCY",
        }
        model = self.lib.Model([nodes[function]()], [x], "peer")
        request = self.core.compile_model(model, "CPU", settings).create_infer_request()
        request.set_input_tensor(self.lib.Tensor(inputs[0], shared_memory=True))
        request.set_output_tensor(self.lib.Tensor(y, shared_memory=True))
        run = super(type(request), request).infer  # without the conversion of arguments
        keep = inputs, y
        return lambda keep=keep: run({}, False, False), lambda: request.get_output_tensor().data


class SimdMlKernels(Peer):
    """Its functions return a new array; only gelu has one that works in place."""

    name = "simd-ml-kernels"
    module = "simd_ml_kernels"
    distribution = "simd-ml-kernels"
    offers = _pairs("gelu gelu_tanh silu", "float32")
    remark = "absolute error up to 2e-6"

    def open(self):
        self.lib.set_num_threads(1)

    def prepare(self, function, inputs, y):
        (x,) = inputs
        f = self.lib.silu if function == "silu" else self.lib.gelu
        arguments = ("tanh",) if function == "gelu_tanh" else ()
        last = [None]

        def call():
            last[0] = f(x, *arguments)

        return call, lambda: last[0]


class MKL(Peer):
    """Vector Math through ctypes, in blocks that stay in the cache between two steps."""

    name = "mkl-la"
    distribution = "mkl"
    mode = 1
    remark = "Vector Math, low accuracy (below 4 ULP of each step)"
    offers = _pairs("gelu gelu_tanh normal_cdf geglu geglu_tanh", "float32 float64")
    block = 8192

    def __init__(self, threads=1):
        if threads != 1:
            raise ImportError("used with one thread only")
        self.lib = ctypes.CDLL(self._path())
        self.lib.MKL_Set_Threading_Layer(1)  # sequential

    @staticmethod
    def _path():
        pattern = {"win32": "mkl_rt.*.dll", "darwin": "libmkl_rt.*.dylib"}
        try:
            files = importlib.metadata.files("mkl") or []
        except importlib.metadata.PackageNotFoundError:
            raise ImportError("No module named 'mkl'") from None
        for file in files:
            if pathlib.PurePath(file).match(pattern.get(sys.platform, "libmkl_rt.so.*")):
                return os.fspath(file.locate())
        raise ImportError("the package mkl has no mkl_rt")

    def prepare(self, function, inputs, y):
        letter = "s" if y.dtype == np.float32 else "d"
        mode = ctypes.c_int64(self.mode)
        cdf = getattr(self.lib, f"vm{letter}CdfNorm")
        tanh = getattr(self.lib, f"vm{letter}Tanh")
        multiply = getattr(self.lib, f"vm{letter}Mul")
        scale, cubic = y.dtype.type(_TANH_SCALE), y.dtype.type(_TANH_SCALE * 0.044715)
        one, half = y.dtype.type(1), y.dtype.type(0.5)
        t = np.empty(self.block, y.dtype)

        def pointer(a):
            return ctypes.c_void_p(a.ctypes.data)

        steps = []
        for start in range(0, y.size, self.block):
            stop = min(start + self.block, y.size)
            n = ctypes.c_int(stop - start)
            x, out = inputs[0][start:stop], y[start:stop]
            up = inputs[1][start:stop] if len(inputs) > 1 else None
            if "tanh" in function:
                steps.append((n, x, out, t[: stop - start], pointer(t), up))
            else:
                up = None if up is None else pointer(up)
                steps.append((n, pointer(x), pointer(out), None, None, up))

        def call_cdf(keep=(inputs, y)):
            for n, x, out, _, _, up in steps:
                cdf(n, x, out, mode)
                if function != "normal_cdf":
                    multiply(n, out, x, out, mode)
                if up is not None:
                    multiply(n, out, up, out, mode)

        def call_tanh(keep=(inputs, y)):
            for n, x, out, t, t_pointer, up in steps:
                np.multiply(x, x, out=t)
                np.multiply(t, cubic, out=t)
                np.add(t, scale, out=t)
                np.multiply(t, x, out=t)
                tanh(n, t_pointer, t_pointer, mode)
                np.add(t, one, out=t)
                np.multiply(t, x, out=t)
                np.multiply(t, half, out=out)
                if up is not None:
                    np.multiply(out, up, out=out)

        return call_tanh if "tanh" in function else call_cdf, lambda: y


class MKLHighAccuracy(MKL):
    """The default mode of Vector Math."""

    name = "mkl-ha"
    mode = 2
    remark = "Vector Math, high accuracy (below 1 ULP of each step)"


class MKLEnhancedPerformance(MKL):
    """The mode of Vector Math with about half of the digits."""

    name = "mkl-ep"
    mode = 3
    remark = "Vector Math, enhanced performance (half of the digits right)"


PEERS = {
    peer.name: peer
    for peer in (
        SciPy,
        NumExpr,
        Numba,
        Torch,
        OnnxRuntime,
        Jax,
        OpenVINO,
        SimdMlKernels,
        MKLHighAccuracy,
        MKL,
        MKLEnhancedPerformance,
    )
}


def load(names=None, threads=1):
    """The peers that are installed.

    Parameters
    ----------
    names : iterable of str, optional
        Keys of `PEERS`; all by default.
    threads : int, optional
        How many threads each may use.

    Returns
    -------
    peers : dict of str to Peer
    absent : dict of str to str
        The others, and why.
    """
    peers, absent = {}, {}
    for name in PEERS if names is None else names:
        try:
            peers[name] = PEERS[name](threads)
        except (ImportError, OSError, RuntimeError) as error:
            # RuntimeError: jax says so on a processor that it was not built for.
            absent[name] = str(error).splitlines()[0]
    return peers, absent
