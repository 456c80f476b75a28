"""Importing fastgelu costs little beside importing NumPy, computes nothing and starts no thread."""

import json
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.subprocess

# What the import of fastgelu adds, in a process that has NumPy: processor time, which a busy
# machine hardly lengthens; threads; modules.
CODE = """
import json, os, sys, time
import numpy
def threads():
    return len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else 0
modules, before = set(sys.modules), threads()
start = time.process_time()
import fastgelu
seconds = time.process_time() - start
print(json.dumps([seconds, threads() - before, sorted(set(sys.modules) - modules)]))
"""


@pytest.fixture(scope="module")
def imports(tmp_path_factory):
    """Several imports, all but the first with the bytecode that it left."""
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    env["PYTHONPYCACHEPREFIX"] = str(tmp_path_factory.mktemp("bytecode"))
    command = [sys.executable, "-c", CODE]
    runs = [
        subprocess.run(command, env=env, capture_output=True, check=True).stdout for _ in range(8)
    ]
    return [json.loads(run) for run in runs[1:]]


def test_takes_less_than_15_milliseconds(imports):
    assert min(seconds for seconds, _, _ in imports) < 0.015


def test_starts_no_thread(imports):
    assert all(threads == 0 for _, threads, _ in imports)


def test_loads_only_what_it_needs_at_once(imports):
    modules = set(imports[0][2])
    assert modules >= {"fastgelu", "fastgelu._fastgelu"}
    ours = {"fastgelu._check", "fastgelu.__main__"}
    others = {"argparse", "difflib", "hashlib", "importlib.resources", "statistics"}
    assert not modules & (ours | others)
