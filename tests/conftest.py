"""Fixtures: every function, dtype and instruction set."""

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
