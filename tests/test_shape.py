"""The shape of the functions: what any textbook says about them must hold for the results."""

import numpy as np
import pytest
from mpmath import mp, mpf
from reference import EXACT, root
from samples import bits, from_bits

import fastgelu as fg


def consecutive(lo, hi, dtype=np.float32):
    """Chunks of all float32 between two numbers of one sign, ascending, sharing their ends."""
    a, b = sorted(int(p) for p in bits(np.array([lo, hi], dtype)))
    step = 1 << 22
    for start in range(a, b, step):
        x = from_bits(np.arange(start, min(start + step, b) + 1, dtype=np.uint32), dtype)
        yield x if lo > 0 or lo == 0 else x[::-1]


def rises(f, lo, hi):
    """Steps between neighbouring results over all float32 in an interval, in ULPs: the least and
    the greatest.  Results of one sign."""
    least, greatest = np.inf, -np.inf
    for x in consecutive(lo, hi):
        y = bits(f(x)).astype(np.int64)
        steps = np.diff(np.where(y >> 31, -(y & 0x7FFFFFFF), y))
        least, greatest = min(least, steps.min()), max(greatest, steps.max())
    return least, greatest


@pytest.mark.parametrize("f", [fg.gelu, fg.gelu_tanh])
class TestForward:
    def test_falls_without_a_wiggle_left_of_its_minimum(self, f):
        # Left of -1 neighbouring exact values differ by more than the errors; between -1 and
        # the minimum the curve is flatter than float32 can show, so that one ULP remains.
        assert rises(f, -14.4, -1)[1] <= 0
        assert rises(f, -1, -0.76)[1] <= 1

    def test_rises_without_a_wiggle_right_of_zero(self, f):
        assert rises(f, 2.0**-20, 7)[0] >= 0

    def test_minimum(self, f):
        x = np.linspace(-0.80, -0.70, 100001)
        y = f(x)
        lowest = -0.16997 if f is fg.gelu else -0.17004
        where = -0.75179 if f is fg.gelu else -0.75246
        assert y.min() == pytest.approx(lowest, abs=5e-6)
        assert x[y.argmin()] == pytest.approx(where, abs=1e-5)

    def test_close_to_relu_away_from_zero(self, f):
        assert abs(f(3.0) - 3) < 0.0041
        assert abs(f(-3.0)) < 0.0041
        x = np.linspace(-40, 40, 200001)
        assert np.all(abs(f(x) - np.maximum(x, 0)) <= 0.1701)

    def test_reflection(self, f):
        # f(x) - f(-x) = x
        x = np.linspace(0, 30, 10001)
        np.testing.assert_allclose(f(x) - f(-x), x, rtol=4e-16, atol=0)

    def test_bounded_by_zero_and_x(self, f):
        x = np.linspace(0, 40, 100001)
        assert np.all((f(x) >= 0) & (f(x) <= x))
        assert np.all((f(-x) <= 0) & (f(-x) >= -0.1701))


@pytest.mark.parametrize(("f", "df"), [(fg.gelu, fg.gelu_grad), (fg.gelu_tanh, fg.gelu_tanh_grad)])
class TestDerivative:
    def test_is_the_slope_of_the_function(self, f, df):
        x = np.linspace(-12, 12, 4801)
        h = 2.0**-17
        slope = (f(x + h) - f(x - h)) / (2 * h)
        np.testing.assert_allclose(df(x), slope, rtol=1e-8, atol=1e-10)

    def test_is_continuous(self, f, df):
        # |f''| is at most 0.8 (at 0), so that steps of 1/1024 change f' by less than 0.001.
        x = np.arange(-20 * 1024, 20 * 1024) / 1024
        assert np.max(abs(np.diff(df(x)))) < 0.001

    def test_does_not_die_for_moderate_negatives(self, f, df):
        x = np.linspace(-5, -0.76, 10001)
        assert np.all(df(x) < 0)
        assert np.all(df(x.astype(np.float32)) < 0)

    def test_changes_sign_at_the_minimum(self, f, df):
        for dtype in (np.float32, np.float64):
            x = dtype(float(root(df.__name__)))
            assert df(np.nextafter(x, dtype(-1))) < 0 < df(np.nextafter(x, dtype(0)))

    def test_reflection(self, f, df):
        # f'(x) + f'(-x) = 1
        x = np.linspace(0, 30, 10001)
        np.testing.assert_allclose(df(x) + df(-x), 1, rtol=4e-16)


def test_the_two_forms_differ_by_less_than_half_a_thousandth():
    x = np.linspace(-10, 10, 200001)
    gap = abs(fg.gelu(x) - fg.gelu_tanh(x))
    assert gap.max() < 0.0005
    assert gap.max() == pytest.approx(4.73236e-4, abs=1e-9)
    assert abs(x[gap.argmax()]) == pytest.approx(2.7, abs=0.05)


def test_gelu_of_one_is_the_normal_distribution():
    assert float(fg.gelu(1.0)) == pytest.approx(float(mp.ncdf(1)), abs=1e-16)
    assert round(float(fg.gelu(1.0)), 4) == 0.8413


def test_relu_is_met_at_three():
    assert 0.0040 < 3 - fg.gelu(3.0) < 0.0041
    assert 0.0040 < -fg.gelu(-3.0) < 0.0041
    assert float(fg.gelu(-3.0)) == pytest.approx(float(EXACT["gelu"](mpf(-3))), rel=1e-15)
