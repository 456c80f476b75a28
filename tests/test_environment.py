"""The floating-point environment: no flag, no warning, and results and the caller's modes as they
were, whatever those modes are."""

import ctypes
import gc
import platform
import sys
from contextlib import contextmanager

import numpy as np
import pytest
from samples import bits, call, interval, operands, patterns, special


def wide_operands(f, dtype):
    """Arguments of every kind: usual values, every exponent, everything special with everything."""
    usual = operands(f.nin, dtype, 4096)
    anything = patterns(f.nin << 13, dtype)[: f.nin << 13].reshape(f.nin, -1)
    meeting = np.array(np.meshgrid(*[np.arange(special(dtype).size)] * f.nin)).reshape(f.nin, -1)
    return [np.concatenate(c) for c in zip(usual, anything, special(dtype)[meeting], strict=True)]


def test_nothing_is_raised(ufunc, dtype):
    with np.errstate(all="raise"):
        ufunc(*wide_operands(ufunc, dtype))
        ufunc(*interval(-45, 10, ufunc.nin << 12, dtype).reshape(ufunc.nin, -1))
        for value in special(dtype):
            for n in (1, 5, 16, 40):
                ufunc(*[np.full(n, value)] * ufunc.nin)


def test_no_warning_depends_on_the_length(ufunc, dtype):
    x = operands(ufunc.nin, dtype, 131)
    with np.errstate(all="raise"):
        for n in range(131):
            ufunc(*(a[:n] for a in x))
            ufunc(*(a[:n:2] for a in x))


# The thread's floating-point control word within fenv_t of the C library: byte offset, and the
# bits of each mode.  On x86-64 it is MXCSR, which holds the flags too; on AArch64 it is FPCR.
CONTROL_WORDS = {
    "x86_64": (
        28,
        {"upward": 0x4000, "downward": 0x2000, "to zero": 0x6000, "flush": 0x8040},
        0x3D,
    ),
    "aarch64": (
        0,
        {"upward": 1 << 22, "downward": 2 << 22, "to zero": 3 << 22, "flush": 1 << 24},
        0x1F,
    ),
}
OFFSET, MODES, ALL_FLAGS = CONTROL_WORDS.get(platform.machine(), (0, {}, 0))
needs_fenv = pytest.mark.skipif(
    not (sys.platform == "linux" and platform.libc_ver()[0] == "glibc" and MODES),
    reason="the floating-point modes are set through glibc's fenv_t of x86-64 and AArch64",
)


class Fenv:
    """The calling thread's floating-point environment, through the C library."""

    def __init__(self):
        self.libm = ctypes.CDLL("libm.so.6")
        self.env = (ctypes.c_uint32 * 16)()

    def word(self):
        self.libm.fegetenv(self.env)
        return self.env[OFFSET // 4]

    def clear_flags(self):
        """Clears the flags; returns the control word that is then in force."""
        self.libm.feclearexcept(ALL_FLAGS)
        return self.word()

    def flags(self):
        return self.libm.fetestexcept(ALL_FLAGS)

    @contextmanager
    def mode(self, bits):
        """Sets bits of the control word for a while, in which no garbage collection comes: its
        callbacks (hypothesis has one) compute with floats."""
        saved = (ctypes.c_uint32 * 16)()
        self.libm.fegetenv(saved)
        changed = type(saved)(*saved)
        changed[OFFSET // 4] |= bits
        gc.disable()
        try:
            self.libm.fesetenv(changed)
            yield
        finally:
            self.libm.fesetenv(saved)
            gc.enable()


@needs_fenv
@pytest.mark.parametrize("mode", list(MODES))
def test_modes_of_the_thread_change_nothing_and_stay(ufunc, dtype, mode):
    x = wide_operands(ufunc, dtype)
    want = call(ufunc, *x)
    # The instrument: what the modes do to ordinary arithmetic.
    a, b = np.array([1e-323, -1.0, 1.0]), np.array([2.0, 10.0, 10.0])
    probe, in_mode = np.empty(3), np.empty(3)
    got = tuple(np.empty_like(y) for y in want)
    fenv = Fenv()
    np.divide(a, b, out=probe)
    with fenv.mode(MODES[mode]):
        np.divide(a, b, out=in_mode)
        before = fenv.clear_flags()
        ufunc(*x, out=got)
        after = fenv.word()
    assert not np.array_equal(probe, in_mode), "the mode was not in force"
    for g, w in zip(got, want, strict=True):
        assert np.array_equal(bits(g), bits(w))
    assert after == before


@needs_fenv
def test_no_flag_is_left_behind(ufunc, dtype):
    # Inexact and denormal operand included, which NumPy does not look at.
    x = wide_operands(ufunc, dtype)
    y = tuple(np.empty_like(x[0]) for _ in range(ufunc.nout))
    fenv = Fenv()
    with fenv.mode(0):
        before = fenv.clear_flags()
        ufunc(*x, out=y)
        flags, after = fenv.flags(), fenv.word()
    assert flags == 0
    assert after == before
