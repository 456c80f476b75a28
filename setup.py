"""Builds the one extension module: the C library under c/src and its Cython wrapper.

Everything that can be said statically is in pyproject.toml.  The flags are the same for every
source file: each c/src/target_*.c switches its instruction set on by itself.
"""

import os
import shlex
import sys
import sysconfig
from glob import glob

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

# One wheel for every CPython from 3.10 on.  Free-threaded builds have no stable ABI.
ABI3 = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")

macros = [
    ("NPY_NO_DEPRECATED_API", "NPY_1_23_API_VERSION"),
    ("NPY_TARGET_VERSION", "NPY_1_23_API_VERSION"),
]
if ABI3:
    macros.append(("Py_LIMITED_API", "0x030A0000"))


class BuildExt(build_ext):
    """Adds the flags that depend on which compiler was found."""

    def build_extensions(self):
        if self.compiler.compiler_type == "msvc":
            flags = ["/O2", "/fp:precise"]
        else:
            flags = ["-O2", "-ffp-contract=off", "-g0", "-fvisibility=hidden"]
        # The last word is the user's, as in any C project; flags that would change results
        # are refused in c/src/compiler.h.
        flags += shlex.split(os.environ.get("CFLAGS", ""))
        # As a C string, for runtime_info() to tell.
        text = " ".join(flags).replace("\\", r"\\").replace('"', r"\"")
        flags.append(f'-DFG_BUILD_FLAGS="{text}"')
        for extension in self.extensions:
            extension.extra_compile_args = flags
        super().build_extensions()


extension = Extension(
    "fastgelu._fastgelu",
    sources=["src/fastgelu/_fastgelu.pyx", *sorted(glob("c/src/*.c"))],
    depends=sorted(glob("c/**/*.h", recursive=True) + glob("c/**/*.def", recursive=True)),
    include_dirs=["c/src", "c/include", numpy.get_include()],
    define_macros=macros,
    py_limited_api=ABI3,
)

setup(
    # The generated C goes to build/, which no wheel and no source distribution takes along.
    ext_modules=cythonize([extension], build_dir="build/cython"),
    cmdclass={"build_ext": BuildExt},
    options={"bdist_wheel": {"py_limited_api": "cp310"}} if ABI3 else {},
)
