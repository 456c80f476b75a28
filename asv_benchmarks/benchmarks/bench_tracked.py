"""Figures that are no times: errors, digests, sizes."""

import hashlib
import pathlib
import sys

import numpy as np

import fastgelu

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tests"))

FUNCTIONS = [
    "gelu",
    "gelu_tanh",
    "gelu_grad",
    "gelu_tanh_grad",
    "quick_gelu",
    "quick_gelu_grad",
    "silu",
    "silu_grad",
    "sigmoid",
    "sigmoid_grad",
    "normal_cdf",
    "normal_cdf_grad",
]
NATIVE = ["float16", "float32", "float64"]


class Accuracy:
    """The worst error among some thousand inputs.  docs/accuracy.md has the proven figures."""

    params = (FUNCTIONS, NATIVE)
    param_names = ("function", "dtype")
    timeout = 120

    def setup(self, function, dtype):
        try:
            import reference
            import samples
        except ImportError:
            raise NotImplementedError("needs mpmath and the test suite") from None
        self.reference, self.samples = reference, samples

    def track_worst_ulp(self, function, dtype):
        dtype = np.dtype(dtype)
        x = np.concatenate(
            [
                self.samples.interval(-6, 6, 2000, dtype),
                self.samples.interval(self.reference.zero_edge(function, dtype), -6, 1000, dtype),
            ]
        )
        got = getattr(fastgelu, function)(x)
        return float(np.max(self.reference.ulp_errors(function, x, got)))

    track_worst_ulp.unit = "ULP"


class Bits:
    """The first 48 bits of a digest of results: a step in this curve is a change of bits."""

    params = (FUNCTIONS, NATIVE)
    param_names = ("function", "dtype")

    def track_digest(self, function, dtype):
        x = np.arange(-(2**17), 2**15, dtype=np.int32) * np.float64(2.0**-12)
        y = getattr(fastgelu, function)(x.astype(dtype))
        little_endian = y.astype(y.dtype.newbyteorder("<")).tobytes()
        return int(hashlib.sha256(little_endian).hexdigest()[:12], 16)

    track_digest.unit = "bits"


class Size:
    """The extension module, stripped or not as it was built."""

    def track_module_size(self):
        return pathlib.Path(fastgelu._fastgelu.__file__).stat().st_size

    track_module_size.unit = "bytes"
