"""How Sphinx builds these pages: `sphinx-build -n -W docs build/html`, with fastgelu installed."""

import inspect
import re
import sys
from pathlib import Path

import fastgelu
from fastgelu import _fastgelu

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "fastgelu"
author = "the fastgelu developers"
copyright = f"2026, {author}"
version = release = fastgelu.__version__

extensions = [
    "sphinx.ext.autodoc",
    "numpydoc",
    "myst_parser",
    "function_reference",
]
exclude_patterns = ["_ext", "data"]
html_theme = "furo"
html_title = f"fastgelu {version}"
myst_heading_anchors = 3
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

# In docstrings, single quotes stand for a function here or for a parameter.  A parameter is no
# link; any other name that leads nowhere is a mistake, and an error under -n -W.
default_role = "py:obj"
parameters = {"out", "where", "precision", "others", "name"}
for row in _fastgelu.composites.values():
    parameters.update(row["arguments"].split(", "), row["results"].split(", "))
for name in fastgelu.__all__:
    if inspect.isfunction(getattr(fastgelu, name)):
        parameters.update(inspect.signature(getattr(fastgelu, name)).parameters)
nitpick_ignore_regex = [
    ("py:obj", "|".join(map(re.escape, sorted(parameters)))),
    ("py:.*", r"numpy\..*"),
]
