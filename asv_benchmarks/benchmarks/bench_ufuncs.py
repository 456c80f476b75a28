"""Time per function, dtype, size, layout and instruction set; and the measures beside it.

np.multiply is the floor past the caches, np.tanh the measure for tiny arrays.
"""

import numpy as np

import fastgelu

from .common import DTYPES, ISAS, SIZES, Timed, inputs_for, skip_unsupported


class Functions(Timed):
    """Every function of this build, into an array that exists."""

    params = (fastgelu.runtime_info()["functions"], DTYPES, SIZES, ISAS)
    param_names = ("function", "dtype", "size", "isa")

    def setup(self, function, dtype, size, isa):
        self.f = getattr(fastgelu._targets[isa], function)
        skip_unsupported(self.f, dtype)
        self.arrays = inputs_for(self.f, size, dtype)

    def time_contiguous(self, function, dtype, size, isa):
        self.f(*self.arrays)


class Layouts(Timed):
    """The memory layouts other than contiguous, for a function of one input and a gate."""

    params = (
        ["gelu", "geglu"],
        ["reversed", "every second", "unaligned", "byte-swapped", "in place"],
        DTYPES,
        ISAS,
    )
    param_names = ("function", "layout", "dtype", "isa")

    def setup(self, function, layout, dtype, isa):
        self.f = getattr(fastgelu._targets[isa], function)
        skip_unsupported(self.f, dtype)
        *inputs, y = inputs_for(self.f, 16_384, dtype)
        if layout == "in place":
            y = inputs[0]
        self.arrays = [*(self.laid_out(x, layout) for x in inputs), y]

    @staticmethod
    def laid_out(x, layout):
        n = x.size
        if layout == "reversed":
            return x[::-1]
        if layout == "every second":
            return np.repeat(x, 2)[::2]
        if layout == "unaligned":
            unaligned = np.zeros(n * x.itemsize + 1, np.uint8)[1:].view(x.dtype)
            unaligned[:] = x
            return unaligned
        if layout == "byte-swapped":
            return x.astype(x.dtype.newbyteorder())
        return x

    def time_layout(self, function, layout, dtype, isa):
        self.f(*self.arrays)


class NumPy(Timed):
    """The measures: one multiplication, one tanh."""

    params = (["float32", "float64"], SIZES)
    param_names = ("dtype", "size")

    def setup(self, dtype, size):
        self.x, self.y = inputs_for(np.tanh, size, dtype)

    def time_multiply(self, dtype, size):
        np.multiply(self.x, self.x, self.y)

    def time_tanh(self, dtype, size):
        np.tanh(self.x, self.y)


class Import:
    """What importing the package costs in a fresh process, beyond NumPy."""

    def timeraw_import(self):
        return "import fastgelu", "import numpy"
