"""Special values: infinities, zeros, large and small arguments, NaNs."""

import numpy as np
import pytest
from reference import exact, round_to
from samples import SIXTEEN_BITS, bits, finfo, from_bits, is_nan, nans, patterns

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
        twice = 2 * y.astype(np.float64)  # exact, where x/2 need not be
        assert np.all(abs(twice - x.astype(np.float64)) < 2 * float(info.smallest_subnormal))
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
