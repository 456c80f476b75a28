"""Type checkers infer what the stub promises, and what they infer is what is there."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
USES = Path(__file__).with_name("typing_uses.py")


def test_uses_have_the_types_that_they_assert():
    runpy.run_path(str(USES))


@pytest.mark.subprocess
@pytest.mark.parametrize(
    ("package", "arguments"),
    [("mypy", ["--strict"]), ("basedpyright", ["--level", "error"])],
)
def test_checkers_agree(package, arguments):
    pytest.importorskip(package, reason=f'{package} is in the extra "typing"')
    command = [sys.executable, "-m", package, *arguments, str(USES)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
