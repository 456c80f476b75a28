"""The same bits: one input value has one result, to the bit.

Whatever the instruction set, array length, position, stride and neighbours.  Other layouts in
memory are tested in test_contract.py, and that all machines find the same in test_check.py.
"""

import numpy as np
import pytest
from samples import bits, finfo, mixture, patterns

import fastgelu


def assert_same_bits(got, want):
    assert got.dtype == want.dtype
    np.testing.assert_array_equal(bits(got), bits(want))


@pytest.fixture
def variant(isa, name):
    """A function of one instruction set."""
    return getattr(fastgelu._targets[isa], name)


def one_by_one(f, x):
    """f of each element on its own: what position, length and neighbours must not change."""
    y = np.empty_like(x)
    for i in range(x.size):
        f(x[i : i + 1], out=y[i : i + 1])
    return y


def test_every_instruction_set_gives_the_same(variant, name, dtype):
    scalar = getattr(fastgelu._targets["scalar"], name)
    x = np.concatenate([mixture(1 << 16, dtype), patterns(1 << 17, dtype)])
    assert_same_bits(variant(x), scalar(x))


def test_every_length_and_offset(variant, dtype):
    x = mixture(1 << 11, dtype)[:220]
    want = one_by_one(variant, x)
    for offset in (0, 1, 2, 3, 5, 8, 13, 17, 31, 33, 64, 67):
        for n in range(131):
            assert_same_bits(variant(x[offset : offset + n]), want[offset : offset + n])


@pytest.mark.parametrize("stride", [-7, -4, -3, -2, -1, 2, 3, 4, 5, 16])
def test_every_stride(variant, dtype, stride):
    x = mixture(1 << 11, dtype)[:520]
    want = one_by_one(variant, x)
    for n in [*range(34), 64, 65, 130]:
        view = x[::stride][:n]
        assert_same_bits(variant(view), want[::stride][:n])
        out = np.zeros_like(x)
        variant(view, out=out[::stride][:n])
        assert_same_bits(out[::stride][:n], want[::stride][:n])
        # Between the elements of a strided output nothing is written.
        out[::stride][:n] = 0
        assert not bits(out).any()


def test_neighbours_do_not_matter(variant, dtype):
    info = finfo(dtype)
    probes = np.array([0.5, -0.75, -4, -5.5, 1e-7, -3, 2, float(info.tiny) / 2], dtype)
    want = one_by_one(variant, probes)
    huge = -1e30 if dtype != np.float16 else -6e4
    for neighbour in (np.inf, -np.inf, np.nan, huge, float(info.tiny) / 4, 0.0, -13.5, -9.0):
        for position in range(66):
            for n in (position + 1, 67):
                x = np.full((len(probes), n), neighbour, dtype)
                x[:, position] = probes
                y = np.array([variant(row)[position] for row in x])
                assert_same_bits(y, want)
