"""The examples run: Python blocks of README.md and docs/, and those in docstrings.

The blocks of a page run in order, in one namespace, as a reader would type them.  Blocks with
prompts show their output, which is compared; the others must only run.
"""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import numpy as np
import pytest

import fastgelu

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(python|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

MODULES = [
    f"fastgelu.{module.name}"
    for module in pkgutil.iter_modules(fastgelu.__path__)
    if module.name not in ("__main__", "_fastgelu")
]

# NumPy 2 changed how scalars are printed.
needs_numpy_2 = pytest.mark.skipif(
    np.lib.NumpyVersion(np.__version__) < "2.0.0", reason="outputs are as NumPy 2 prints them"
)


def blocks(page):
    """Language, code and line number of each Python block."""
    text = page.read_text(encoding="utf-8")
    return [(m[1], m[2], text.count("\n", 0, m.start(2))) for m in BLOCK.finditer(text)]


def check(test, globs):
    """Runs a doctest, and fails with its report."""
    report = []
    test.globs = globs
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    runner.run(test, out=report.append, clear_globs=False)
    report = "".join(report)
    missing = re.search(r"ModuleNotFoundError: No module named '(?!fastgelu)([\w.]+)'", report)
    if missing:
        pytest.skip(f"the examples need {missing[1]}")
    assert not report, report


@needs_numpy_2
@pytest.mark.parametrize(
    "page", [p for p in PAGES if blocks(p)], ids=lambda p: str(p.relative_to(ROOT))
)
def test_page(page, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    globs = {}
    for language, code, line in blocks(page):
        try:
            if language == "pycon":
                test = doctest.DocTestParser().get_doctest(code, globs, page.name, str(page), line)
                assert test.examples, f"{page.name}:{line}: a pycon block without prompts"
                check(test, globs)
            else:
                exec(compile("\n" * line + code, str(page), "exec"), globs)
        except ModuleNotFoundError as error:
            if error.name == "fastgelu":
                raise
            pytest.skip(f"the examples need {error.name}")


@needs_numpy_2
@pytest.mark.parametrize("module", ["fastgelu", *MODULES])
def test_docstrings(module):
    if module == "fastgelu._threadpoolctl":
        pytest.importorskip("threadpoolctl", reason="threadpoolctl is not installed")
    module = importlib.import_module(module)
    for test in doctest.DocTestFinder(exclude_empty=True).find(module):
        if test.examples:
            check(test, test.globs)


def test_citation_is_of_this_version():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {fastgelu.__version__}\n" in citation
