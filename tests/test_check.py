"""The published digests and special values: that this machine has them, and that the check of
python -m fastgelu would notice if it did not."""

import math

import pytest
from samples import DTYPES, bits, finfo, is_nan

import fastgelu
from fastgelu import _check
from fastgelu.__main__ import main

FUNCTIONS = fastgelu.runtime_info()["functions"]


def test_this_machine_gives_the_published_bits(capsys):
    assert main(["check"]) == 0
    lines = capsys.readouterr().out.splitlines()
    paths = [(isa, dtype.name) for isa in fastgelu._targets for dtype in DTYPES]
    assert [tuple(line.split()[:2]) for line in lines[1:]] == paths
    assert all(line.endswith("special values: as published") for line in lines[1:])


def test_every_function_and_dtype_has_a_digest():
    dtypes = ("float16", "float32", "float64", "bfloat16")
    assert list(_check.published()) == [(name, dtype) for dtype in dtypes for name in FUNCTIONS]
    assert _check.dtypes() == DTYPES


def replaced(monkeypatch, isa, name, f):
    """Puts f in the place of a function, which it is given as its first argument, and leaves no
    other instruction set to check."""
    monkeypatch.setattr(fastgelu, "_targets", {isa: fastgelu._targets[isa]})
    right = getattr(fastgelu._targets[isa], name)

    def wrong(*x):
        return f(right, *x)

    wrong.nin = right.nin
    monkeypatch.setattr(fastgelu._targets[isa], name, wrong)


def one_bit_off(f, *x):
    """The last result, if there are many, with its lowest bit inverted."""
    y = f(*x)
    last = y[-1] if isinstance(y, tuple) else y
    if last.size > 1000:
        bits(last)[-1:] ^= 1
    return y


def zero_for_minus_zero(f, *x):
    return f(*x) + 0


@pytest.mark.parametrize("name", ["gelu", "leaky_relu", "swiglu_backward"])
def test_one_bit_is_noticed(name, isa, monkeypatch, capsys):
    replaced(monkeypatch, isa, name, one_bit_off)
    assert main(["check"]) == 1
    output = capsys.readouterr().out
    assert output.count("FAILED: 1 differences") == len(DTYPES)
    assert output.count(f"    {name}: digest ") == len(DTYPES)
    assert "Please report it" in output


def test_a_wrong_special_value_is_noticed(isa, monkeypatch):
    replaced(monkeypatch, isa, "silu", zero_for_minus_zero)
    found = [line for _, _, differing in _check.check() for line in differing]
    assert found.count("silu: special values are not the documented ones") == len(DTYPES)


def test_a_wrong_digest_is_noticed(monkeypatch):
    monkeypatch.setattr(fastgelu, "_targets", {"scalar": fastgelu._targets["scalar"]})
    digests = _check.published() | {("relu", "float16"): "0"}
    monkeypatch.setattr(_check, "published", lambda: digests)
    found = [(dtype.name, d) for _, dtype, differing in _check.check() for d in differing]
    assert len(found) == 1
    assert found[0][0] == "float16"
    assert found[0][1].startswith("relu: digest ")


@pytest.mark.parametrize("name", fastgelu._fastgelu.functions)
def test_special_values_are_those_of_the_list(name):
    row = fastgelu._fastgelu.functions[name]
    left, _, zero, right = _check._LIMITS[name]
    assert math.copysign(1, left) == math.copysign(1, float(row["left"]))
    assert left == float(row["left"])
    assert (zero, right) == {
        "FORWARD": (0, math.inf),
        "SIGMOID": (0.5, 1),
        "DERIVATIVE": (0.5, 1),
        "EVEN": (zero, 0),
    }[row["form"]]


def test_special_inputs_are_what_they_should_be(dtype):
    info = finfo(dtype)
    x = _check.special(dtype)
    x = set(x[~is_nan(x)].astype(float).tolist())
    positive = {0.0, info.smallest_subnormal, info.tiny, info.max, math.inf, 1.0, 100.0}
    assert x == {s * float(v) for v in positive for s in (1, -1)}
    nan = _check.nans(dtype)
    assert is_nan(nan).all()
    assert len({int(b) for b in bits(nan)}) == 14
