"""The same bits: one input value has one result, to the bit.

Whatever the instruction set, array length, position, stride, byte order, alignment, overlap and
neighbours.  That all machines find the same is for the digests to say, see test_check.py.
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


def test_stride_zero(variant, dtype):
    for value in mixture(64, dtype)[:40]:
        x = np.array([value])
        assert_same_bits(
            variant(np.broadcast_to(x, 37), out=np.empty(37, dtype)), np.repeat(variant(x), 37)
        )


def test_unaligned_and_byte_swapped(variant, dtype):
    x = mixture(1 << 11, dtype)
    want = variant(x)
    swapped = dtype.newbyteorder()
    buffer = np.zeros(x.nbytes + 1, np.uint8)
    unaligned = buffer[1:].view(dtype)
    unaligned[:] = x
    assert not unaligned.flags.aligned
    assert_same_bits(variant(unaligned), want)
    assert_same_bits(variant(x.astype(swapped)), want)
    out = np.zeros(x.nbytes + 1, np.uint8)[1:].view(swapped)
    variant(x, out=out)
    assert_same_bits(out.astype(dtype), want)
    # A field of packed records: unaligned, with a stride that is no multiple of the itemsize.
    records = np.zeros(x.size, np.dtype([("flag", "u1"), ("value", dtype)]))
    records["value"] = x
    assert_same_bits(variant(records["value"]), want)


def test_two_dimensions_in_any_order(variant, dtype):
    x = mixture(1 << 12, dtype)[: 33 * 47].reshape(33, 47)
    want = variant(x.ravel()).reshape(x.shape)
    assert_same_bits(variant(x.T).T, want)
    assert_same_bits(variant(np.asfortranarray(x)), want)
    assert_same_bits(variant(x[::-2, ::3]), want[::-2, ::3])


def test_in_place(variant, dtype):
    for n in (1, 7, 16, 33, 130, 1000):
        x = mixture(1 << 12, dtype)[:n]
        want = variant(x)
        variant(x, out=x)
        assert_same_bits(x, want)
        x = mixture(1 << 12, dtype)[: 2 * n]
        want = variant(x[::-2])
        variant(x[::-2], out=x[::-2])
        assert_same_bits(x[::-2], want)


@pytest.mark.parametrize("shift", [1, 2, 3, 7, 8, 15, 16, 17, 40])
def test_overlapping_input_and_output(variant, dtype, shift):
    # NumPy copies where it must, but lets an input that runs ahead of the output through.
    base = mixture(1 << 12, dtype)[:700]
    for source, target in overlaps(shift):
        x = base.copy()
        want = variant(source(x).copy())
        variant(source(x), out=target(x))
        assert_same_bits(target(x), np.broadcast_to(want, target(x).shape))


def overlaps(shift):
    """Pairs of views of one array of 700 elements."""
    return [
        (lambda x: x[shift:], lambda x: x[:-shift]),
        (lambda x: x[:-shift], lambda x: x[shift:]),
        (lambda x: x[shift:][::-1], lambda x: x[:-shift][::-1]),
        (lambda x: x[:-shift][::-1], lambda x: x[shift:][::-1]),
        (lambda x: x[::-1], lambda x: x),
        (lambda x: x[shift : shift + 600 : 2], lambda x: x[:300]),
        (lambda x: x[shift : shift + 300], lambda x: x[:600:2]),
        (lambda x: x[shift : shift + 1], lambda x: x),
    ]


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
