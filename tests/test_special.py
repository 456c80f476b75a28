"""Special values, and quietness: no flag, no warning, and immunity to the caller's modes."""

import ctypes
import gc
import platform
import sys
from contextlib import contextmanager

import numpy as np
import pytest
from reference import exact, round_to
from samples import (
    SIXTEEN_BITS,
    bits,
    finfo,
    from_bits,
    interval,
    is_nan,
    mixture,
    nans,
    patterns,
    special,
)

import fastgelu


@pytest.fixture
def variant(isa, name):
    """A function of one instruction set."""
    return getattr(fastgelu._targets[isa], name)


def is_forward(name):
    """Does f(x) tend to x on the right?  The others tend to 1."""
    return fastgelu._fastgelu.functions[name]["form"] == "FORWARD"


def left_limit(name):
    return float(fastgelu._fastgelu.functions[name]["left"])


def at_zero(name, dtype):
    """What a function that is not FORWARD gives at 0."""
    return float(round_to(exact(name, 0.0), dtype))


def right_limit(name):
    return 0.0 if fastgelu._fastgelu.functions[name]["form"] == "EVEN" else 1.0


def signed(values):
    """Values with their signs, zeros included."""
    return [(float(v), bool(np.signbit(v))) for v in values]


def test_infinities_and_zeros(variant, name, dtype):
    x = np.array([np.inf, -np.inf, 0.0, -0.0], dtype)
    left = left_limit(name)
    if is_forward(name):
        want = [np.inf, left, 0.0, -0.0]
    else:
        want = [right_limit(name), left, *[at_zero(name, dtype)] * 2]
    assert signed(variant(x)) == signed(want)
    assert signed(variant(np.tile(x, 20))) == signed(want * 20)


def test_large_finite_arguments(variant, name, dtype):
    large = np.array([1000, 60000, finfo(dtype).max], dtype)
    right = large if is_forward(name) else [right_limit(name)] * 3
    assert signed(variant(large)) == signed(right)
    assert signed(variant(-large)) == signed([left_limit(name)] * 3)


def test_small_arguments(variant, name, dtype):
    # x/2 to within an ULP, never flushed; the others have reached f(0).
    info = finfo(dtype)
    x = np.concatenate([from_bits([1, 2, 3, 4, 101], dtype), [info.tiny / 2, info.tiny]])
    x = np.concatenate([x, -x]).astype(dtype)
    y = variant(x)
    if is_forward(name):
        half = x.astype(np.longdouble) / 2
        assert np.all(abs(y - half) < float(info.smallest_subnormal))
        assert np.all(np.signbit(y) == np.signbit(x))
    else:
        assert np.all(y == at_zero(name, dtype))


def test_nan_keeps_sign_and_payload_and_turns_quiet(variant, dtype):
    x = nans(dtype)
    quiet = bits(x).dtype.type(1 << (finfo(dtype).nmant - 1))
    want = bits(x) | quiet
    np.testing.assert_array_equal(bits(variant(x)), want)
    for i in range(x.size):  # alone, and among numbers
        np.testing.assert_array_equal(bits(variant(x[i : i + 1])), want[i : i + 1])
    y = variant(np.insert(np.ones(100, dtype), 50, x))
    np.testing.assert_array_equal(bits(y[50 : 50 + x.size]), want)


@pytest.mark.parametrize("dtype", SIXTEEN_BITS, ids=str)
def test_sixteen_bit_nans_are_all_kept(variant, dtype):
    x = patterns(0, dtype)
    x = x[is_nan(x)]
    quiet = np.uint16(1 << (finfo(dtype).nmant - 1))
    np.testing.assert_array_equal(bits(variant(x)), bits(x) | quiet)


def test_nothing_is_raised(variant, dtype):
    with np.errstate(all="raise"):
        variant(patterns(1 << 16, dtype))
        variant(interval(-45, 10, 1 << 14, dtype))
        for value in special(dtype):
            for n in (1, 5, 16, 40):
                variant(np.full(n, value))


def test_no_warning_depends_on_the_length(variant, dtype):
    x = mixture(1 << 10, dtype)[:131]
    with np.errstate(all="raise"):
        for n in range(131):
            variant(x[:n])
            variant(x[:n:2])


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
@pytest.mark.parametrize("mode", ["upward", "downward", "to zero", "flush"])
def test_modes_of_the_thread_change_nothing_and_stay(variant, dtype, mode):
    x = np.concatenate([mixture(1 << 12, dtype), patterns(1 << 14, dtype)])
    want = variant(x)
    # The instrument: what the modes do to ordinary arithmetic.
    a, b = np.array([1e-323, -1.0, 1.0]), np.array([2.0, 10.0, 10.0])
    probe, in_mode = np.empty(3), np.empty(3)
    got = np.empty_like(x)
    fenv = Fenv()
    np.divide(a, b, out=probe)
    with fenv.mode(MODES[mode]):
        np.divide(a, b, out=in_mode)
        before = fenv.clear_flags()
        variant(x, out=got)
        after = fenv.word()
    assert not np.array_equal(probe, in_mode), "the mode was not in force"
    np.testing.assert_array_equal(bits(got), bits(want))
    assert after == before


@needs_fenv
def test_no_flag_is_left_behind(variant, dtype):
    # Inexact and denormal operand included, which NumPy does not look at.
    x = np.concatenate([mixture(1 << 12, dtype), patterns(1 << 14, dtype)])
    y = np.empty_like(x)
    fenv = Fenv()
    with fenv.mode(0):
        before = fenv.clear_flags()
        variant(x, out=y)
        flags, after = fenv.flags(), fenv.word()
    assert flags == 0
    assert after == before
