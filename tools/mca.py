"""Cycles per element on processors that are not at hand, estimated by llvm-mca.

    python tools/mca.py            estimates, and writes docs/data/mca.json
    python tools/mca.py --check    fails if that is not what the file has

The kernels are compiled for AArch64; the inner loop of each, the fast one that real data take, is
cut out of the assembly and run through llvm-mca's model of each processor.  The plain formula
(mca_formula.c) goes the same way.  Loads are taken to hit the first cache, and branches to be
predicted.  tools/write_performance.py puts the table into docs/performance.md.

Needs an AArch64 compiler and llvm-mca: on Debian gcc-aarch64-linux-gnu and llvm-19.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEPT = ROOT / "docs" / "data" / "mca.json"

PROCESSORS = ("cortex-a53", "cortex-a72", "cortex-a76", "cortex-a78ae", "neoverse-n1")

# All liberties that let the compiler vectorize the formula well.
FORMULA = ("-O3", "-ffp-contract=fast", "-fno-trapping-math", "-ffinite-math-only")
FORMULA += ("-fno-signed-zeros",)

# What the table calls a loop; its source, its function, the elements of an iteration, more flags.
LOOPS = (
    ("`gelu` and its like, float32", "c/src/target_neon.c", "span_f32_FORWARD", 8, ()),
    ("`gelu_grad` and its like, float32", "c/src/target_neon.c", "span_f32_DERIVATIVE", 8, ()),
    ("`gelu` and its like, float64", "c/src/target_neon.c", "span_f64_FORWARD", 4, ()),
    ("`gelu` and its like, float16", "c/src/target_neon.c", "span_f16_FORWARD", 8, ()),
    ("`gelu` and its like, bfloat16", "c/src/target_neon.c", "span_bf16_FORWARD", 16, ()),
    ("the formula, float32", "tools/mca_formula.c", "formula_f32", 4, FORMULA),
    ("the formula, float64", "tools/mca_formula.c", "formula_f64", 2, FORMULA),
)

ITERATIONS = 200


def assembly(compiler, source, flags, folder):
    """The lines of a source file's assembly."""
    path = pathlib.Path(folder) / "loop.s"
    command = [compiler, "-std=c11", "-O2", "-ffp-contract=off", *flags]
    if "clang" in pathlib.Path(compiler).name:
        command.append("--target=aarch64-linux-gnu")
    command += ["-Ic/src", "-Ic/include", "-S", "-o", str(path), source]
    subprocess.run(command, check=True, cwd=ROOT)
    return path.read_text().splitlines()


def body(lines, function):
    """The lines of one function."""
    start = next(i for i, line in enumerate(lines) if line.startswith(f"{function}:"))
    end = next(i for i in range(start, len(lines)) if re.match(r"\s+\.size\s", lines[i]))
    return lines[start:end]


BRANCH = re.compile(r"\s+(?:b|b\.?\w\w|cbn?z|tbn?z)\s+(?:.*, )?(\.L\w+)$")


def inner_loop(lines):
    """The loop that computes vectors, contains no loop and calls nothing.

    Of several, the longest: the others are for the ends of arrays, or find rows alone.
    """
    labels = {m[1]: i for i, line in enumerate(lines) if (m := re.match(r"(\.L\w+):", line))}
    loops = []
    for end, line in enumerate(lines):
        if (match := BRANCH.match(line)) and labels.get(match[1], end) < end:
            loops.append((labels[match[1]], end))
    found = []
    for start, end in loops:
        within = any(start <= s and e < end for s, e in loops)
        loop = [x for x in lines[start : end + 1] if re.match(r"\s+[a-z]", x)]
        products = sum(bool(re.match(r"\s+(fmla|fmls|fmul)\s+v", x)) for x in loop)
        calls = any(re.match(r"\s+(bl|ret)\b", x) for x in loop)
        if products >= 5 and not within and not calls:
            found.append(loop)
    if not found:
        raise ValueError("no loop over vectors")
    return max(found, key=len)


def cycles(loop, processor, mca):
    """Cycles of one iteration, in the long run."""
    # Only the loop's shape matters: branches out of it need a place to go.
    outside = sorted({target for line in loop for target in re.findall(r"\.L\w+", line)})
    source = "\n".join([*loop, *(f"{target}:" for target in outside)])
    command = [mca, "-mtriple=aarch64-linux-gnu", f"-mcpu={processor}"]
    command.append(f"-iterations={ITERATIONS}")
    run = subprocess.run(command, input=source, capture_output=True, text=True, check=True)
    return int(re.search(r"Total Cycles:\s+(\d+)", run.stdout)[1]) / ITERATIONS


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing; fail if it would")
    parser.add_argument("--cc", default=os.environ.get("CC", "aarch64-linux-gnu-gcc"))
    parser.add_argument("--mca", default="llvm-mca-19")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, source, function, elements, flags in LOOPS:
            loop = inner_loop(body(assembly(options.cc, source, flags, folder), function))
            figures = {
                processor: round(cycles(loop, processor, options.mca) / elements, 2)
                for processor in PROCESSORS
            }
            rows.append(
                {
                    "loop": name,
                    "instructions_per_element": round(len(loop) / elements, 2),
                    "cycles_per_element": figures,
                }
            )
            print(f"{name:36}", len(loop), "instructions,", elements, "elements:", figures)
    version = subprocess.run([options.cc, "--version"], capture_output=True, text=True, check=True)
    content = {
        "compiler": version.stdout.splitlines()[0],
        "processors": list(PROCESSORS),
        "rows": rows,
    }
    text = json.dumps(content, indent=1) + "\n"
    if options.check:
        if text != KEPT.read_text():
            sys.exit(f"{KEPT} is out of date: run {sys.argv[0]} and tools/write_performance.py")
        return
    KEPT.parent.mkdir(exist_ok=True)
    KEPT.write_text(text)


if __name__ == "__main__":
    main()
