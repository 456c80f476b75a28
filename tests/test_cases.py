"""Faults that people met in other implementations of these functions, with the right values.

The values are the exact ones (60 digits), rounded once; float32 results are compared to within
the 1 ULP that the library promises.
"""

import subprocess
import sys
import time

import numpy as np
import pytest

import fastgelu as fg

F32 = np.float32


def assert_within_an_ulp(got, want):
    np.testing.assert_array_max_ulp(got, want, maxulp=1)
    np.testing.assert_array_equal(np.signbit(got), np.signbit(want))


def test_negative_tail_float32():
    # 0.5*x*(1 + erf(x/sqrt(2))) is 57 % wrong at -5.5 and -0 from -6 on.
    assert_within_an_ulp(
        fg.gelu(F32([-5, -5.5, -6, -8, -10, -13, -14])),
        F32([
            -1.4332578e-06, -1.0444259e-07, -5.9195258e-09, -4.9767683e-15, -7.6198530e-23,
            -7.9523139e-38, -1.0930128e-43,
        ]),
    )  # fmt: skip


def test_negative_tail_float64():
    # x*ndtr(x) is 5.7e-14 off at -30.
    assert_within_an_ulp(
        fg.gelu(np.array([-9.0, -30.0, -37.0])),
        np.array([-1.0157295653584566e-18, -1.472014178144456e-196, -2.1184613523340935e-298]),
    )


def test_negative_tail_of_the_tanh_form():
    assert_within_an_ulp(
        fg.gelu_tanh(F32([-5, -6, -8, -10, -11])),
        F32([-2.2917962e-07, -8.4396469e-11, -3.1077830e-21, -1.2040924e-37, -0.0]),
    )


@pytest.mark.parametrize("f", [fg.gelu, fg.gelu_tanh])
def test_infinities_are_no_nans_and_raise_nothing(f):
    with np.errstate(all="raise"):
        y = f(F32([np.inf, -np.inf, np.nan]))
    np.testing.assert_array_equal(y, F32([np.inf, -0.0, np.nan]))
    assert np.signbit(y[1])


@pytest.mark.reported
@pytest.mark.parametrize(
    ("f", "v", "want"),
    [
        # The error term of dy*f'(x) is subnormal, or was lost: 4.8 and 2.9 ULP.
        (
            lambda *v: fg.geglu_backward(*v)[0],
            (4.4633746280142266e-308, 0.010429277311778118, 7.7867158350459773),
            1.766671355424129e-307,
        ),
        (
            lambda *v: fg.geglu_backward(*v)[0],
            (2.0029535660843845, 0.0021477956062079251, 8.7890985036606599e-308),
            8.832246167322384e-308,
        ),
        # exp(-760) is 0 and exp(-720) has 38 bits.
        (fg.elu_grad, (-760.0, 2.0**1000), 9.251015689501142e-30),
        (fg.elu_grad, (-720.0, 2.0**1000), 2.1775527965866846e-12),
        # silu(x) = x/2 is half of what can be written, or a few bits.
        (fg.swiglu, (5e-324, 2.0**1000), 2.0**-75),
        (fg.swiglu, (-745.0, 2.0**1000), -2.2530089596483513e-20),
        (fg.geglu, (-39.0, 1e300), -2.087716453738869e-31),
    ],
)
def test_factors_and_products_that_are_no_normal_float64(f, v, want):
    np.testing.assert_array_max_ulp(np.float64(f(*v)), np.float64(want), maxulp=2)


def test_large_arguments_of_derivatives():
    # x**3 overflows to NaN elsewhere.
    y = fg.gelu_tanh_grad(F32([1e20, -1e20, 0, -5]))
    assert_within_an_ulp(y, F32([1, -0.0, 0.5, -1.5463620e-06]))
    y = fg.gelu_grad(F32([0, -5, -10]))
    assert_within_an_ulp(y, F32([0.5, -7.1469458e-06, -7.6184001e-22]))


def test_float16_near_its_maximum():
    # inf in the vector lanes elsewhere.
    x = np.float16([32768, 60000, 65504, -100, -1500])
    want = np.float16([32768, 60000, 65504, -0.0, -0.0])
    for n in (1, 40):
        y = fg.gelu_tanh(np.tile(x, n))
        np.testing.assert_array_equal(y, np.tile(want, n))
        np.testing.assert_array_equal(np.signbit(y), np.signbit(np.tile(want, n)))


def test_which_gelu():
    # The two forms differ by at most 4.7323e-4: atol=1e-3 cannot tell them apart.
    assert fg.gelu(-2.7) == pytest.approx(-0.0093608292682098, rel=1e-12)
    assert fg.gelu_tanh(-2.7) == pytest.approx(-0.0088875946394679, rel=1e-12)


def test_tiny_and_negative_zero():
    assert fg.gelu(F32(1e-20)) == F32(5e-21)
    assert np.signbit(fg.gelu(-0.0))
    assert fg.gelu(-0.0) == 0


@pytest.mark.subprocess
def test_subnormals_survive_the_import():
    code = "import fastgelu; assert 5e-324 > 0 and 5e-324 * 2 == 1e-323"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_saturated_negatives_cost_no_more_than_positives():
    # 150 times as long elsewhere.
    y = np.empty(16384, F32)
    best = {}
    for _ in range(200):
        for value in (-100, 100):
            x = np.full_like(y, value)
            start = time.perf_counter()
            fg.gelu(x, out=y)
            seconds = time.perf_counter() - start
            best[value] = min(seconds, best.get(value, seconds))
    assert best[-100] <= 1.5 * best[100]
