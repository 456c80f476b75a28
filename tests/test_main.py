"""What python -m fastgelu and show_config print."""

import errno
import os
import subprocess
import sys

import pytest

import fastgelu
from fastgelu.__main__ import COMMANDS, main

# Without a buffer argparse meets the errors of writing its help, and ignores them.
BUFFERED = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}


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
def test_unknown_arguments_are_an_error(argument, capsys):
    with pytest.raises(SystemExit) as stop:
        main([argument])
    assert stop.value.code == 2
    error = capsys.readouterr().err
    assert argument in error
    if argument == "extra":  # takes the place of a command
        assert all(name in error for name in COMMANDS)


def test_help_names_the_commands(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    text = capsys.readouterr().out
    assert all(f"\n    {name} " in text for name in COMMANDS)


@pytest.mark.subprocess
def test_as_a_command():
    run = subprocess.run(
        [sys.executable, "-m", "fastgelu"], capture_output=True, text=True, check=True
    )
    assert run.stderr == ""
    assert "exact  -0.004 -0.1587 -0.17 0.0 0.8413 2.996" in run.stdout


@pytest.mark.subprocess
@pytest.mark.parametrize("arguments", [[], ["check"], ["--help"]], ids=str)
def test_a_reader_that_has_enough(arguments):
    reading, writing = os.pipe()
    os.close(reading)
    run = subprocess.run(
        [sys.executable, "-m", "fastgelu", *arguments],
        stdout=writing,
        stderr=subprocess.PIPE,
        env=BUFFERED,
        text=True,
        check=False,
    )
    os.close(writing)
    # As of a program that SIGPIPE ended: 1 would say that check has found a difference.
    assert (run.returncode, run.stderr) == (141, "")


@pytest.mark.reported
@pytest.mark.subprocess
@pytest.mark.parametrize("options", [["-m", "fastgelu"], ["-W", "error", "-mfastgelu", "check"]])
def test_an_instruction_set_that_is_not_here(options):
    run = subprocess.run(
        [sys.executable, *options],
        env=os.environ | {"FASTGELU_ISA": "foo"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout) == (2, "")
    available = ", ".join(fastgelu.runtime_info()["isas"])
    assert run.stderr == (
        "python -m fastgelu: FASTGELU_ISA=foo: there is no such instruction set; available here:"
        f" {available}\n"
    )


@pytest.mark.reported
@pytest.mark.subprocess
def test_a_number_of_threads_that_cannot_be():
    run = subprocess.run(
        [sys.executable, "-m", "fastgelu"],
        env=os.environ | {"FASTGELU_NUM_THREADS": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith(
        "python -m fastgelu: FASTGELU_NUM_THREADS=0: the number of threads must be from 1 to "
    )


@pytest.mark.subprocess
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no /dev/full")
@pytest.mark.parametrize("arguments", [[], ["check"], ["--help"]], ids=str)
def test_a_full_disk(arguments):
    with open("/dev/full", "w") as full:
        run = subprocess.run(
            [sys.executable, "-m", "fastgelu", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            env=BUFFERED,
            text=True,
            check=False,
        )
    assert run.returncode == 1
    assert run.stderr == f"python -m fastgelu: standard output: {os.strerror(errno.ENOSPC)}\n"


def test_show_config(capsys):
    fastgelu.show_config()
    shown = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    info = fastgelu.runtime_info()
    assert list(shown) == list(info)
    assert shown["version"] == info["version"]
    assert shown["compiler"] == info["compiler"] != ""
    assert "-O2" in info["build_flags"] or "/O2" in info["build_flags"]
    assert shown["isa"] == info["isa"]
    assert shown["functions"].split() == info["functions"]
