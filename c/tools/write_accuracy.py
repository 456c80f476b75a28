"""Writes docs/accuracy.md from the lines that the C tests write with --tsv.

    write_accuracy.py FILE...

`make -C c/tests proof` makes the files and runs this.  Lines, tab-separated:

    error      function, dtype, worst error in ULP, at x, got, exact, not correctly rounded, tested;
               of float64 also the bound that is stated
    digest     function, set of inputs, digest
    composite  function, arguments, results, formula, stated error bound, that of 16-bit types
    half       function, dtype, instruction set, not correctly rounded, tested
    composite16  function, dtype, worst error in ULP, tested
    target     an instruction set whose digests were compared, the last of the sets

The lines may come from several machines, which have to agree.
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
        "float64: proven bounds, and the worst seen",
        """\
The bound is proven by `c/tools/certify_f64.py`, row by row, with ball arithmetic.  Seen is the
worst of {points:,} inputs of each function, against MPFR: at every boundary between rows and
between binades of the result, from one to 2^32 doubles away.
""",
    ),
}

HALF = """\
## float16 and bfloat16: every input

All 65,536 inputs of each function, NaNs included, on {targets}: how many results are not the
exact value rounded once, to nearest, whatever the instruction set.
"""

COMPOSITES16 = """\
### In float16 and bfloat16

All is computed in float32 and rounded once, at the end.  The results of {tested:,} tuples of
random bits, special values and usual values (fewer where a processor is emulated), besides all
tuples of special values, were compared with that definition bit by bit, and with the exact
function.
"""

COMPOSITES = """\
## Functions composed of others

Their error follows from that of the function within and of the operations after it.
"""

DIGESTS = """\
## Digests

One number for all the bits that a function returns over a set of inputs, the same on every
instruction set.  `c/tests/digest.c` defines the number and the sets: `f16`, `bf16` and `f32-all`
are all inputs there are, `f32` every 251st and some samples, `f64` some five million; functions
composed of others take a quarter of a million tuples.  `make -C c/tests check` compares them.
These were found on {targets}; `f32-all` on {all}.
"""

ORDER = ["scalar", "sse2", "avx2", "avx512", "neon"]


def read(paths):
    """The lines of all files, by kind."""
    kinds = "error digest composite half composite16 target"
    records = {kind: [] for kind in kinds.split()}
    for path in paths:
        for line in Path(path).read_text().splitlines():
            kind, *fields = line.split("\t")
            if fields not in records[kind]:  # a second machine may say the same
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
    for name, of, worst, at, got, exact, misrounded, tested, *bound in errors:
        if of == dtype:
            share = f"{int(misrounded):,} ({100 * int(misrounded) / int(tested):.3f} %)"
            rows.append([f"`{name}`", *bound, worst, at, got, exact, share])
            points.add(int(tested))
    if not rows:
        sys.exit(f"no errors of {dtype} were measured")
    title, text = SECTIONS[dtype]
    if dtype == "f32" and min(points) < 2**32 - 2**20:
        sys.exit("the float32 errors are not those of all inputs")
    header = ["function", ">worst, ULP", ">at x", ">got", ">exact", ">not correctly rounded"]
    if dtype == "f64":
        header[1:2] = [">bound, ULP", ">worst seen"]
    return f"## {title}\n\n{text.format(points=min(points))}\n{table(header, rows)}"


def listed(names):
    """Names of instruction sets in a sentence."""
    names = sorted(set(names), key=ORDER.index)
    return ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + names[-1]


def half_section(halves):
    """The worst count of all instruction sets for each function and dtype."""
    if not halves:
        sys.exit("float16 and bfloat16 were not measured")
    counts = {}
    for name, dtype, _, wrong, _ in halves:
        counts[name, dtype] = max(int(wrong), counts.get((name, dtype), 0))
    rows = [
        [f"`{name}`", *(f"{counts[name, dtype]:,}" for dtype in ("f16", "bf16"))]
        for name in dict.fromkeys(name for name, _ in counts)
    ]
    header = ["not correctly rounded", ">float16", ">bfloat16"]
    return f"{HALF.format(targets=listed(row[2] for row in halves))}\n{table(header, rows)}"


def composite_section(composites, sixteen):
    rows = [
        [f"`{name}({arguments})`", f"`{formula}`", bound]
        for name, arguments, _, formula, bound, _ in composites
    ]
    text = f"{COMPOSITES}\n{table(['function', 'formula', 'stated error'], rows)}"
    worst, tested = {}, 0
    for name, dtype, error, count in sixteen:
        worst[name, dtype] = max(worst.get((name, dtype), "0"), error, key=float)
        tested = max(tested, int(count))
    if not worst:
        sys.exit("composed functions of 16-bit numbers were not measured")
    rows = [
        [f"`{name}`", worst[name, "f16"], worst[name, "bf16"], bound16]
        for name, _, _, _, _, bound16 in composites
    ]
    header = ["worst error, ULP", ">float16", ">bfloat16", "stated"]
    return f"{text}\n{COMPOSITES16.format(tested=tested)}\n{table(header, rows)}"


def digest_section(digests, targets):
    sets = list(dict.fromkeys(name for _, name, _ in digests))
    if "f32-all" not in sets:
        sys.exit("the digests are not those of all inputs")
    of = {(function, name): f"`{digest}`" for function, name, digest in digests}
    if len(of) < len(digests):
        sys.exit("the digests of two machines differ")
    rows = [
        [f"`{function}`", *(of.get((function, name), "") for name in sets)]
        for function in dict.fromkeys(function for function, _, _ in digests)
    ]
    of_all = listed(name for name, last in targets if last == "f32-all")
    text = DIGESTS.format(targets=listed(name for name, _ in targets), all=of_all)
    return f"{text}\n{table(['function', *sets], rows)}"


def main():
    records = read(sys.argv[1:])
    sections = [
        HEAD.format(script=f"`c/tools/{Path(__file__).name}`"),
        *(error_section(dtype, records["error"]) for dtype in SECTIONS),
        half_section(records["half"]),
        composite_section(records["composite"], records["composite16"]),
        digest_section(records["digest"], records["target"]),
    ]
    OUTPUT.write_text("\n".join(sections))
    print(f"wrote {OUTPUT}")


if __name__ == "__main__":
    main()
