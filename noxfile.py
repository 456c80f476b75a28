"""Every habit of the project as one command: nox -s lint, tests, ctests, sanitize, cross, proof,
neighbours; nox -l lists them.  CI runs the same in .ci/run, which also installs what Debian has."""

from pathlib import Path

import nox

nox.options.sessions = ["lint", "tests", "ctests"]
nox.options.default_venv_backend = "venv"

C_FILES = [
    str(path)
    for folder in ("c", "examples")
    for path in sorted(Path(folder).rglob("*.*"))
    if path.suffix in (".c", ".h", ".cpp") and not {"tables", "build"} & set(path.parts[:-1])
]
CROSS = ["CC=aarch64-linux-gnu-gcc", "LDFLAGS=-static"]


@nox.session
def lint(session):
    """Format, lint, types, and whether generated files are what the scripts write."""
    session.install("ruff==0.17.*", "clang-format==23.*", "mypy", "basedpyright", "numpy")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("clang-format", "--dry-run", "--Werror", *C_FILES)
    session.run("mypy")
    session.run("basedpyright", "--level", "error")
    session.run("python", "tools/write_stubs.py", "--check")
    session.run("python", "c/tools/write_header.py", "--check")


@nox.session
def tests(session):
    """The Python tests; what follows -- goes to pytest."""
    session.install(".[test,typing]")
    session.run("pytest", *session.posargs)


@nox.session
def neighbours(session):
    """pandas, xarray, sparse and dask, with a cluster of two processes."""
    session.install(".[test-ecosystem]")
    session.run("pytest", "tests/test_neighbours.py", *session.posargs)


@nox.session(python=False)
def ctests(session):
    """The C tests; what follows -- goes to make, as CC=clang."""
    session.run("make", "-j2", "-C", "c/tests", "check", *session.posargs)


@nox.session
def sanitize(session):
    """The C tests and the Python tests under the address and undefined-behaviour sanitizers."""
    make = ["make", "-j2", "-C", "c/tests", "SANITIZE=address,undefined", "CC=gcc"]
    session.run(*make, "sanitized", external=True)
    session.install("setuptools>=77", "cython>=3.1", "numpy>=2.0", "pytest", "hypothesis", "mpmath")
    session.run("bash", "tools/sanitize.sh", *session.posargs, external=True)


@nox.session(python=False)
def cross(session):
    """The C tests for AArch64, under emulation: Debian's gcc-aarch64-linux-gnu and qemu-user."""
    run = ["RUN=qemu-aarch64 -cpu cortex-a72", "STRIDE=1048577", "DIGEST=--isa neon"]
    session.run("make", "-j2", "-C", "c/tests", "check", *CROSS, *run)


@nox.session(python=False)
def proof(session):
    """All float32 inputs of every function against MPFR; writes docs/accuracy.md.  Hours."""
    session.run("make", "-C", "c/tests", "proof", external=True)
