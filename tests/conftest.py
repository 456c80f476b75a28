"""Fixtures: every function, dtype and instruction set."""

import itertools

import pytest
from reference import NAMES
from samples import DTYPES

import fastgelu


@pytest.fixture(params=NAMES)
def name(request):
    """The name of a function."""
    return request.param


@pytest.fixture(params=DTYPES, ids=str)
def dtype(request):
    return request.param


@pytest.fixture(params=list(fastgelu._targets))
def isa(request):
    """An instruction set that this machine has."""
    return request.param


@pytest.fixture
def f(name):
    """A public function."""
    return getattr(fastgelu, name)


@pytest.fixture(
    params=itertools.product(fastgelu._targets, fastgelu.runtime_info()["functions"]),
    ids="-".join,
)
def ufunc(request):
    """Any function, of several inputs too, of one instruction set."""
    isa, name = request.param
    return getattr(fastgelu._targets[isa], name)
