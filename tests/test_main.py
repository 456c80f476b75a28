"""What python -m fastgelu and show_config print."""

import subprocess
import sys

import pytest

import fastgelu
from fastgelu.__main__ import main


@pytest.fixture
def output(capsys, monkeypatch):
    """The lines that python -m fastgelu prints."""
    monkeypatch.setattr(sys, "argv", ["fastgelu"])
    main()
    return capsys.readouterr().out.splitlines()


def test_says_what_was_found(output):
    info = fastgelu.runtime_info()
    assert output[0] == f"fastgelu {fastgelu.__version__}"
    assert output[1].split(":")[1].split() == info["cpu_features"]
    assert output[2].startswith(f"instruction set in use: {info['isa']} ")


def test_table(output):
    assert output[4:8] == [
        "x      -3.0 -1.0 -0.75 0.0 1.0 3.0",
        "exact  -0.004 -0.1587 -0.17 0.0 0.8413 2.996",
        "tanh   -0.0036 -0.1588 -0.17 0.0 0.8412 2.9964",
        "relu   0.0 0.0 0.0 0.0 1.0 3.0",
    ]


def test_timing(output):
    assert output[9].startswith("gelu_tanh of 1,000,000 float32: ")
    assert len(output) == 10


@pytest.mark.parametrize("argument", ["--nonsense", "extra"])
def test_unknown_arguments_are_an_error(argument, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["fastgelu", argument])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert "unrecognized arguments" in capsys.readouterr().err


@pytest.mark.subprocess
def test_as_a_command():
    run = subprocess.run(
        [sys.executable, "-m", "fastgelu"], capture_output=True, text=True, check=True
    )
    assert run.stderr == ""
    assert "exact  -0.004 -0.1587 -0.17 0.0 0.8413 2.996" in run.stdout


def test_show_config(capsys):
    fastgelu.show_config()
    shown = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    info = fastgelu.runtime_info()
    assert shown["version"] == info["version"]
    assert shown["isa"] == info["isa"]
    assert shown["functions"].split() == info["functions"]
