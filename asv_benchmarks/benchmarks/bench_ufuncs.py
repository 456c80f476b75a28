"""Time per function, dtype and size; and what two of NumPy's own ufuncs take for the same array.

np.multiply is the floor past the caches, np.tanh the measure for tiny arrays.
"""

import numpy as np

import fastgelu

DTYPES = ["float16", "float32", "float64"]
SIZES = [1, 100, 1_024, 16_384, 262_144, 4_194_304]


def normal(n, dtype):
    """Bell-shaped input with a standard deviation of 1.5, as in a neural network."""
    return np.random.default_rng(1).normal(0, 1.5, n).astype(dtype)


class Functions:
    """Every function of this build, into an array that exists."""

    params = (fastgelu.runtime_info()["functions"], DTYPES, SIZES)
    param_names = ("function", "dtype", "size")

    def setup(self, function, dtype, size):
        self.f = getattr(fastgelu, function)
        self.x = normal(size, dtype)
        self.y = np.empty_like(self.x)

    def time_contiguous(self, function, dtype, size):
        self.f(self.x, out=self.y)


class Layouts:
    """The memory layouts other than contiguous, for one function."""

    params = (["reversed", "every second", "unaligned", "byte-swapped"], DTYPES)
    param_names = ("layout", "dtype")

    def setup(self, layout, dtype):
        n = 16_384
        x = normal(2 * n, dtype)
        if layout == "reversed":
            self.x = x[n - 1 :: -1]
        elif layout == "every second":
            self.x = x[::2]
        elif layout == "unaligned":
            self.x = np.zeros(n * x.itemsize + 1, np.uint8)[1:].view(dtype)
            self.x[:] = x[:n]
        else:
            self.x = x[:n].astype(x.dtype.newbyteorder())
        self.y = np.empty(n, dtype)

    def time_gelu(self, layout, dtype):
        fastgelu.gelu(self.x, out=self.y)


class NumPy:
    """The measures: one multiplication, one tanh."""

    params = (["float32", "float64"], SIZES)
    param_names = ("dtype", "size")

    def setup(self, dtype, size):
        self.x = normal(size, dtype)
        self.y = np.empty_like(self.x)

    def time_multiply(self, dtype, size):
        np.multiply(self.x, self.x, out=self.y)

    def time_tanh(self, dtype, size):
        np.tanh(self.x, out=self.y)


class Import:
    """What importing the package costs in a fresh process, beyond NumPy."""

    def timeraw_import(self):
        return "import fastgelu", "import numpy"
