"""Writes docs/accuracy.md from the lines that the C tests write with --tsv.

    write_accuracy.py FILE...

`make -C c/tests proof` makes the files and runs this.  Lines, tab-separated:

    error      function, dtype, worst error in ULP, at x, got, exact, not correctly rounded, tested
    digest     function, set of inputs, digest
    composite  function, arguments, results, formula, stated error bound
"""

import sys
from pathlib import Path

OUTPUT = Path(__file__).resolve().parents[2] / "docs" / "accuracy.md"

HEAD = """\
# Accuracy and digests

Written by `make -C c/tests proof` ({script}), not by hand.

An error is the distance of a result from the exact real value, in units in the last place (ULP)
of that value; below the normal numbers the unit is the smallest subnormal one.  Correctly rounded
results have an error of at most 0.5 ULP.  Formulas and constants are the docstrings', taken as
real numbers.
"""

SECTIONS = {
    "f32": (
        "float32: every input",
        """\
All 4,294,967,296 inputs, against the exact function in double and, where that cancels, in
extended precision.  Infinities, NaNs and the signs of zeros were compared along with them.
""",
    ),
    "f64": (
        "float64: many inputs",
        """\
{points:,} inputs of each function, against MPFR: in every table row, at every boundary between
rows with 64 neighbours on either side, beside roots, in the tail down to where results round to
zero, and any bit patterns.  The worst error seen is no proof that a larger one does not exist.
""",
    ),
}

COMPOSITES = """\
## Functions composed of others

Their error follows from that of the function within and of the operations after it.
"""

DIGESTS = """\
## Digests

One number for all the bits that a function returns over a set of inputs, the same on every
instruction set.  `c/tests/digest.c` defines the number and the sets: `f16` and `f32-all` are all
inputs there are, `f32` every 251st and some samples, `f64` some five million; functions composed
of others take a quarter of a million tuples.  `make -C c/tests check` compares them.
"""


def read(paths):
    """The lines of all files, by kind."""
    records = {"error": [], "digest": [], "composite": []}
    for path in paths:
        for line in Path(path).read_text().splitlines():
            kind, *fields = line.split("\t")
            records[kind].append(fields)
    return records


def table(header, rows):
    """A Markdown table; columns named with a leading > are aligned to the right."""
    lines = [
        "| " + " | ".join(name.removeprefix(">") for name in header) + " |",
        "|" + "|".join("---:" if name.startswith(">") else "---" for name in header) + "|",
    ]
    for row in rows:
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")
    return "\n".join(lines) + "\n"


def error_section(dtype, errors):
    rows, points = [], set()
    for name, of, worst, at, got, exact, misrounded, tested in errors:
        if of == dtype:
            share = f"{int(misrounded):,} ({100 * int(misrounded) / int(tested):.3f} %)"
            rows.append([f"`{name}`", worst, at, got, exact, share])
            points.add(int(tested))
    if not rows:
        sys.exit(f"no errors of {dtype} were measured")
    title, text = SECTIONS[dtype]
    if dtype == "f32" and min(points) < 2**32 - 2**20:
        sys.exit("the float32 errors are not those of all inputs")
    header = ["function", ">worst, ULP", ">at x", ">got", ">exact", ">not correctly rounded"]
    return f"## {title}\n\n{text.format(points=min(points))}\n{table(header, rows)}"


def composite_section(composites):
    rows = [
        [f"`{name}({arguments})`", f"`{formula}`", bound]
        for name, arguments, _, formula, bound in composites
    ]
    return f"{COMPOSITES}\n{table(['function', 'formula', 'stated error'], rows)}"


def digest_section(digests):
    sets = list(dict.fromkeys(name for _, name, _ in digests))
    if "f32-all" not in sets:
        sys.exit("the digests are not those of all inputs")
    of = {(function, name): f"`{digest}`" for function, name, digest in digests}
    rows = [
        [f"`{function}`", *(of.get((function, name), "") for name in sets)]
        for function in dict.fromkeys(function for function, _, _ in digests)
    ]
    return f"{DIGESTS}\n{table(['function', *sets], rows)}"


def main():
    records = read(sys.argv[1:])
    sections = [
        HEAD.format(script=f"`c/tools/{Path(__file__).name}`"),
        *(error_section(dtype, records["error"]) for dtype in SECTIONS),
        composite_section(records["composite"]),
        digest_section(records["digest"]),
    ]
    OUTPUT.write_text("\n".join(sections))
    print(f"wrote {OUTPUT}")


if __name__ == "__main__":
    main()
