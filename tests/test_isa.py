"""The choice of instruction set: automatic, or by the environment variable FASTGELU_ISA."""

import os
import subprocess
import sys

import pytest

import fastgelu

INFO = fastgelu.runtime_info()
LACKING = [isa for isa in INFO["isas_compiled"] if isa not in INFO["isas"]]


def import_with(isa):
    """Imports fastgelu in a new process with FASTGELU_ISA set; None leaves it unset."""
    env = {k: v for k, v in os.environ.items() if k != "FASTGELU_ISA"}
    if isa is not None:
        env["FASTGELU_ISA"] = isa
    code = (
        "import fastgelu as fg; info = fg.runtime_info();"
        "assert fg.gelu is fg._targets[info['isa']].gelu;"
        "print(info['isa'], float(fg.gelu(1.0)).hex())"
    )
    return subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False
    )


@pytest.mark.subprocess
@pytest.mark.parametrize("isa", INFO["isas"])
def test_each_choice(isa):
    run = import_with(isa)
    assert run.stderr == ""
    assert run.stdout.split() == [isa, float(fastgelu.gelu(1.0)).hex()]


@pytest.mark.subprocess
@pytest.mark.parametrize("isa", [None, ""])
def test_the_best_is_the_default(isa):
    run = import_with(isa)
    assert run.stderr == ""
    assert run.stdout.split()[0] == fastgelu._fastgelu.best_target


@pytest.mark.subprocess
@pytest.mark.parametrize("isa", ["nonsense", "AVX2", " scalar", "scalar,avx2", *LACKING])
def test_what_is_not_here_ends_the_import(isa):
    run = import_with(isa)
    assert run.returncode == 1
    last = run.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: FASTGELU_ISA=")
    assert last.endswith("available here: " + ", ".join(INFO["isas"]))


@pytest.mark.subprocess
def test_only_the_command_itself_ends_without_a_traceback(tmp_path):
    """Another package that is run by -m and imports this one gets the ImportError."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "__init__.py").write_text("import fastgelu")
    (tmp_path / "other" / "__main__.py").write_text("")
    env = os.environ | {"FASTGELU_ISA": "nonsense"}
    run = subprocess.run(
        [sys.executable, "-m", "other"],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    assert "ImportError: FASTGELU_ISA=nonsense: " in run.stderr


def test_messages():
    choose = fastgelu._choose_isa
    assert choose(None, "b", ["a", "b", "c"], ["a", "b"]) == "b"
    assert choose("", "b", ["a", "b", "c"], ["a", "b"]) == "b"
    assert choose("a", "b", ["a", "b", "c"], ["a", "b"]) == "a"
    with pytest.raises(ImportError, match=r"this machine lacks it; available here: a, b$"):
        choose("c", "b", ["a", "b", "c"], ["a", "b"])
    with pytest.raises(ImportError, match=r"no such instruction set; available here: a, b$"):
        choose("d", "b", ["a", "b", "c"], ["a", "b"])


def test_scalar_is_always_there():
    assert INFO["isas"][0] == INFO["isas_compiled"][0] == "scalar"
    assert INFO["isa"] in INFO["isas"]
    assert fastgelu._fastgelu.best_target == INFO["isas"][-1]
