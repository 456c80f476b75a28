"""Runs the wheels of tools/build_wheels.py on processors, Pythons and NumPys that are not here.

    python tools/test_wheels.py cpus dist/ --roots ROOTS
    python tools/test_wheels.py cpus dist/ --roots ROOTS --only cortex-a53 --tests tests
    python tools/test_wheels.py cpus dist/ --roots ROOTS --only musl --tests tests
    python tools/test_wheels.py pythons dist/ python3.10=1.23.0 python3.13=2   # interpreter=NumPy

Processors are qemu's, around a root directory of their architecture with a Python and a NumPy of
its own, which is made where it is missing: ROOTS/arm64, ROOTS/armhf and ROOTS/amd64 by
tools/sysroot.sh, those of musl by tools/musl_root.sh.  An instruction that the processor lacks ends
the process by SIGILL, as it would there.  Emulation is slow: by default a processor gets the tests
that look at bits and special values; `--tests tests` is all.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Root directory: the wheel's platform, qemu, the library folder, and what makes the root.
ROOTS = {
    "arm64": ("manylinux_2_17_aarch64", "qemu-aarch64", "aarch64-linux-gnu", "sysroot.sh arm64"),
    "armhf": ("manylinux_2_17_armv7l", "qemu-arm", "arm-linux-gnueabihf", "sysroot.sh armhf"),
    "amd64": ("manylinux_2_17_x86_64", "qemu-x86_64", "x86_64-linux-gnu", "sysroot.sh amd64"),
    "musl-aarch64": (
        "musllinux_1_2_aarch64",
        "qemu-aarch64",
        "aarch64-linux-musl",
        "musl_root.sh aarch64",
    ),
    "musl-x86_64": (
        "musllinux_1_2_x86_64",
        "qemu-x86_64",
        "x86_64-linux-musl",
        "musl_root.sh x86_64",
    ),
}

# Processor: the root, qemu's name of it, the instruction set that must be chosen.  Without a name
# it is this machine's own, and no emulation.
CPUS = {
    "cortex-a53": ("arm64", "cortex-a53", "neon"),  # Raspberry Pi 3, Zero 2
    "cortex-a72": ("arm64", "cortex-a72", "neon"),  # Raspberry Pi 4
    "cortex-a76": ("arm64", "cortex-a76", "neon"),  # Raspberry Pi 5; near Jetson Orin
    "neoverse-n1": ("arm64", "neoverse-n1", "neon"),  # Graviton 2, Ampere Altra
    "cortex-a7": ("armhf", "cortex-a7", "scalar"),  # VFPv4: fused multiply-add
    "cortex-a9": ("armhf", "cortex-a9", "scalar"),  # VFPv3
    "core2": ("amd64", "core2duo", "sse2"),
    "nehalem": ("amd64", "Nehalem", "sse2"),
    "westmere": ("amd64", "Westmere", "sse2"),
    "sandybridge": ("amd64", "SandyBridge", "sse2"),  # AVX, not AVX2
    "haswell": ("amd64", "Haswell", "avx2"),
    # A system that does not save the wide registers: CPUID tells of AVX2, but OSXSAVE is unset.
    "haswell-no-xsave": ("amd64", "Haswell,-xsave,-xsaveopt", "sse2"),
    # The C library of Alpine.
    "musl": ("musl-x86_64", None, None),
    "musl-cortex-a72": ("musl-aarch64", "cortex-a72", "neon"),
}
DEFAULT_TESTS = ["tests/test_cases.py", "tests/test_special.py", "tests/test_same_bits.py"]
REPORT = """
import importlib.util, platform, numpy, fastgelu
config = fastgelu.runtime_info()
print("has check" if importlib.util.find_spec("fastgelu._check") else "no check", config["isa"],
      platform.python_version(), numpy.__version__)
"""


def find_wheel(directory, platform):
    (wheel,) = directory.glob(f"fastgelu-*-{platform}.whl")
    return wheel


def summary(output):
    """pytest's closing line."""
    lines = [
        line
        for line in output.splitlines()
        if " in " in line and ("passed" in line or "failed" in line)
    ]
    return lines[-1].strip("= ") if lines else output.strip()[-2000:]


def emulated(cpu, dist, roots, tests):
    """The results on one processor: a line for the table, and whether all is well."""
    architecture, model, isa = CPUS[cpu]
    platform, qemu, triplet, maker = ROOTS[architecture]
    root = (roots / architecture).resolve()
    if not (root / "usr/bin/python3").exists():
        script, word = maker.split()
        subprocess.run([ROOT / "tools" / script, word, root], check=True)
    libraries = root / "usr/lib" / triplet
    with tempfile.TemporaryDirectory() as scratch:
        with zipfile.ZipFile(find_wheel(dist, platform)) as archive:
            archive.extractall(scratch)
        variables = {
            # Debian's NumPy finds BLAS by links that only an installation makes.
            "LD_LIBRARY_PATH": f"{libraries}/blas:{libraries}/lapack:{libraries}",
            "PYTHONHOME": f"{root}/usr",
            "PYTHONPATH": scratch,
        }
        environment = {
            k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "FASTGELU"))
        }
        if model:
            python = [qemu, "-cpu", model, "-L", root]
            for name, value in variables.items():  # for the emulated process, not for qemu
                python += ["-E", f"{name}={value}"]
        else:
            python = [*root.glob("lib/ld-musl-*.so.1")]  # this system may have no musl
            environment |= variables
        python += [root / "usr/bin/python3"]

        def run(*words):
            return subprocess.run(
                [str(word) for word in [*python, *words]],
                env=environment,
                cwd=ROOT,
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
            )

        start = time.monotonic()
        report = run("-c", REPORT)
        if report.returncode:
            return f"{report.returncode}: {report.stdout[-1500:]}", False
        has_check, got_isa, python_version, numpy_version = report.stdout.rsplit(maxsplit=3)
        good = isa in (None, got_isa)
        results = [
            f"{got_isa}" if good else f"{got_isa} instead of {isa}",
            f"Python {python_version}",
            f"NumPy {numpy_version}",
        ]
        if has_check.endswith("has check"):  # qemu may warn before
            check = run("-m", "fastgelu", "check")
            good &= check.returncode == 0
            results.append(
                "check passed" if check.returncode == 0 else f"check failed: {check.stdout[-1500:]}"
            )
        else:
            results.append("no check in this version")
        if tests:
            done = run(
                "-m",
                "pytest",
                "-q",
                "-p",
                "no:cacheprovider",
                "-m",
                "not subprocess and not build and not timing",
                *tests,
            )
            good &= done.returncode == 0
            results.append(summary(done.stdout) if done.returncode == 0 else done.stdout[-3000:])
        results.append(f"{time.monotonic() - start:.0f} s")
    return ", ".join(results), good


def under_python(case, dist, tests):
    """The results of one interpreter and NumPy, in a fresh virtual environment."""
    interpreter, _, numpy = case.partition("=")
    numpy = numpy if numpy.count(".") == 2 else f"{numpy}.*"
    wheel = find_wheel(dist, "manylinux_2_17_x86_64")
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([interpreter, "-m", "venv", scratch], check=True)
        python = f"{scratch}/bin/python"
        install = [
            python,
            "-m",
            "pip",
            "install",
            "-q",
            "--disable-pip-version-check",
            "--only-binary=numpy",
        ]
        subprocess.run([*install, f"numpy=={numpy}", f"{wheel}[test]"], check=True)
        versions = subprocess.run(
            [python, "-c", REPORT], check=True, text=True, stdout=subprocess.PIPE, cwd=scratch
        ).stdout.split()
        done = subprocess.run(
            [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests],
            cwd=ROOT,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
    line = f"Python {versions[-2]}, NumPy {versions[-1]}: {summary(done.stdout)}"
    return line if done.returncode == 0 else line + "\n" + done.stdout[-3000:], done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description="run the wheels on other CPUs, Pythons and NumPys")
    commands = parser.add_subparsers(dest="command", required=True)
    cpus = commands.add_parser("cpus", help="processors, emulated by qemu")
    cpus.add_argument("dist", type=Path)
    cpus.add_argument(
        "--roots", type=Path, required=True, help="where Debian root directories are or go"
    )
    cpus.add_argument(
        "--only", nargs="+", choices=CPUS, default=list(CPUS), metavar="CPU", help=", ".join(CPUS)
    )
    cpus.add_argument("--tests", nargs="*", default=DEFAULT_TESTS, help="what pytest gets")
    pythons = commands.add_parser("pythons", help="interpreters and NumPys of this machine")
    pythons.add_argument("dist", type=Path)
    pythons.add_argument("cases", nargs="+", metavar="INTERPRETER=NUMPY")
    pythons.add_argument("--tests", nargs="*", default=["tests"], help="what pytest gets")
    args = parser.parse_args()

    well = True
    for case in args.only if args.command == "cpus" else args.cases:
        if args.command == "cpus":
            line, good = emulated(case, args.dist, args.roots, args.tests)
        else:
            line, good = under_python(case, args.dist, args.tests)
        well &= good
        print(f"{'ok  ' if good else 'BAD '} {case}: {line}", flush=True)
    sys.exit(not well)


if __name__ == "__main__":
    main()
