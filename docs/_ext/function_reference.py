"""Expands the markers of the reference pages: what they list is what the package has.

<!-- ufuncs -->   every row of functions.def, in groups
<!-- others -->   everything else that fastgelu exports
"""

import inspect
import re

import numpy as np

import fastgelu
from fastgelu import _fastgelu

# Which group a row belongs to, by its form or operation; what is not named here is put last.
GROUPS = {
    "Activations": "FORWARD RELU LEAKY_RELU ELU",
    "Sigmoid and normal distribution": "SIGMOID",
    "Derivatives": "DERIVATIVE EVEN RELU_GRAD LEAKY_RELU_GRAD ELU_GRAD",
    "Gates": "GATE",
    "Biased forms": "BIAS",
    "Backward passes": "BACKWARD GATE_BACKWARD",
}
LAST = "Other functions"


def grouped():
    """The names of the functions, by the titles of the groups that have any."""
    group_of = {kind: title for title, kinds in GROUPS.items() for kind in kinds.split()}
    groups = {title: [] for title in (*GROUPS, LAST)}
    for name, row in _fastgelu.functions.items():
        groups[group_of.get(row["form"], LAST)].append(name)
    for name, row in _fastgelu.composites.items():
        groups[group_of.get(row["operation"], LAST)].append(name)
    return {title: names for title, names in groups.items() if names}


def directive(lines):
    """Markdown for lines of reStructuredText."""
    return "\n".join(["```{eval-rst}", ".. currentmodule:: fastgelu", "", *lines, "```", ""])


def summary(names):
    """A table of names that lead to the docstrings, and their first lines."""
    lines = ["| function | |", "|---|---|"]
    for name in names:
        doc = inspect.getdoc(getattr(fastgelu, name)).splitlines()
        # NumPy puts the signature in front of a ufunc's docstring.
        first = doc[2] if doc[0].startswith(f"{name}(") else doc[0]
        lines.append(f"| {{py:obj}}`{name} <fastgelu.{name}>` | {first} |")
    return "\n".join([*lines, ""])


def ufuncs():
    """A table of all functions, and below it the docstring of each, group by group."""
    groups = grouped()
    parts = [summary([name for names in groups.values() for name in names])]
    for title, names in groups.items():
        parts += [f"## {title}", ""]
        for name in names:
            parts += [f"### {name}", "", directive([f".. autofunction:: {name}"])]
    return "\n".join(parts)


def others():
    """The same for what is no ufunc."""
    names = [
        name
        for name in fastgelu.__all__
        if not isinstance(getattr(fastgelu, name), np.ufunc) and not name.startswith("_")
    ]
    parts = [summary(names)]
    for name in names:
        kind = "autoclass" if isinstance(getattr(fastgelu, name), type) else "autofunction"
        parts += [f"## {name}", "", directive([f".. {kind}:: {name}"])]
    return "\n".join(parts)


def expand(app, docname, source):
    for marker, text in (("<!-- ufuncs -->", ufuncs), ("<!-- others -->", others)):
        if marker in source[0]:
            source[0] = source[0].replace(marker, text())


def signature(app, what, name, f, options, arguments, returned):
    """The call as the docstring explains it; NumPy's own signature calls the arguments x1, x2."""
    if not isinstance(f, np.ufunc):
        return None
    arguments = _fastgelu.composites.get(f.__name__, {"arguments": "x"})["arguments"]
    return f"({arguments}, /, out=None, *, where=True, **kwargs)", None


def initials(app, what, name, f, options, lines):
    """A line that begins with an initial, as those of authors do, is no item of a list."""
    lines[:] = [re.sub(r"^([A-Z])\. ", r"\\\1. ", line) for line in lines]


def setup(app):
    app.connect("source-read", expand)
    # Before numpydoc, which has handlers of its own.
    app.connect("autodoc-process-signature", signature, priority=400)
    app.connect("autodoc-process-docstring", initials, priority=400)
    return {"parallel_read_safe": True}
