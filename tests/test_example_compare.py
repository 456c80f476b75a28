"""examples/sentence_embedding.py --compare: the model in NumPy and the same model in PyTorch agree.

Apart from test_example.py because PyTorch is large: pip install scipy torch.
"""

import re
from importlib.util import find_spec

import pytest
from test_example import MISSING, SCRIPT, assert_refused, run

SENTENCES = (SCRIPT.parent / "sentences.txt").read_bytes()
MISSING_HERE = MISSING + [name for name in ("scipy", "torch") if find_spec(name) is None]
needs_torch = pytest.mark.skipif(
    bool(MISSING_HERE), reason=f"not installed: {', '.join(MISSING_HERE)}"
)

pytestmark = pytest.mark.subprocess


@needs_torch
@pytest.mark.parametrize(("option", "most"), [([], 1e-9), (["--float64"], 1e-14)])
def test_the_embeddings_agree(option, most):
    code, stdout, stderr = run(*option, "--compare", stdin=SENTENCES)
    assert (code, stderr) == (0, "")
    assert "20 sentences, torch.float" in stdout
    distance = float(re.search(r"two embeddings: 1 - (\S+)$", stdout, re.MULTILINE)[1])
    assert distance < most
    shares = [float(share) for share in re.findall(r"([\d.]+)%$", stdout, re.MULTILINE)]
    assert len(shares) == 2
    assert 0 < shares[0] < shares[1] < 100


@pytest.mark.skipif(bool(MISSING), reason="the [examples] extra is not installed")
def test_missing_torch(tmp_path):
    (tmp_path / "torch.py").write_text("raise ImportError('no such package')\n")
    result = run("a sentence", "--compare", path=tmp_path)
    assert_refused(result, "no such package; .*pip install scipy torch")
