"""Builds the C library under c/src and the one extension module, its Cython wrapper.

The module is linked with the static library, which goes into the package as well, beside its
header, for programs in C, C++ and Cython.  Everything that can be said statically is in
pyproject.toml.  The flags are the same for every source file: each c/src/target_*.c switches its
instruction set on by itself.
"""

import os
import runpy
import shlex
import sys
import sysconfig
from glob import glob
from pathlib import Path

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.modified import newer_group

# One wheel for every CPython from 3.10 on.  Free-threaded builds have no stable ABI.
ABI3 = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")

macros = [
    ("NPY_NO_DEPRECATED_API", "NPY_1_23_API_VERSION"),
    ("NPY_TARGET_VERSION", "NPY_1_23_API_VERSION"),
]
if ABI3:
    macros.append(("Py_LIMITED_API", "0x030A0000"))

# FASTGELU_THREADS=OFF in the environment leaves the threads out, as CMake's option does.
# WebAssembly has threads only where Python itself was built for them: left out there too.
THREADS = os.environ.get(
    "FASTGELU_THREADS", "ON"
) != "OFF" and not sysconfig.get_platform().startswith(("emscripten", "wasi"))
LIBRARY_MACROS = [] if THREADS else [("FASTGELU_NO_THREADS", None)]
macros += LIBRARY_MACROS


# Some flags of users let a linker add crtfastmath.o, with which a whole process loses its
# subnormals as soon as it loads the module.  These come after them.  (-O2 is for -Ofast.)
NO_CRTFASTMATH = ["-fno-fast-math", "-fno-unsafe-math-optimizations", "-O2"]

C_SOURCES = sorted(glob("c/src/*.c"))
C_HEADERS = sorted(
    path for end in ("h", "def", "inc") for path in glob(f"c/**/*.{end}", recursive=True)
)

# The directories are found from where the file lies, so that the package can be moved.
PKG_CONFIG = """\
prefix=${{pcfiledir}}/../..
libdir=${{prefix}}/lib
includedir=${{prefix}}/include

Name: fastgelu
Description: The GELU family in C, as a static library
Version: {version}
Cflags: -I${{includedir}}
Libs: -L${{libdir}} -lfastgelu{pthread}{libm}
"""


class BuildExt(build_ext):
    """Builds the static library first, by the same compiler, and adds it to the package."""

    def build_extensions(self):
        link_flags = []
        if self.compiler.compiler_type == "msvc":
            flags = ["/O2", "/fp:precise"]
        else:
            # Without -fno-lto the library could be of use to no compiler but this one.
            flags = ["-O2", "-ffp-contract=off", "-g0", "-fvisibility=hidden", "-fno-lto"]
            if THREADS:
                flags.append("-pthread")
                link_flags.append("-pthread")
            link_flags += NO_CRTFASTMATH
            if "-mdaz-ftz" in os.environ.get("CFLAGS", "") + os.environ.get("LDFLAGS", ""):
                link_flags.append("-mno-daz-ftz")  # which other compilers do not know
        # The last word is the user's, as in any C project; flags that would change results
        # are refused in c/src/compiler.h.
        flags += shlex.split(os.environ.get("CFLAGS", ""))
        if "-ffp-contract=off" in flags:
            flags.append("-ffp-contract=off")  # clang's =fast would overrule even the pragma
        self.library = self.build_library(flags)
        # As a C string, for runtime_info() to tell.
        text = " ".join(flags).replace("\\", r"\\").replace('"', r"\"")
        flags.append(f'-DFG_BUILD_FLAGS="{text}"')
        for extension in self.extensions:
            extension.extra_compile_args = flags
            extension.extra_objects = [self.library]
            extension.depends = [*extension.depends, self.library]
            extension.extra_link_args = link_flags
        # Python's own link command may name directories of the machine that Python was built on.
        for name in ("linker_so", "linker_so_cxx"):
            command = getattr(self.compiler, name, None)
            if command:
                kept = [word for word in command if not word.startswith(("-Wl,-rpath", "-Wl,-R"))]
                setattr(self.compiler, name, kept)
        super().build_extensions()

    def build_library(self, flags):
        """Compiles c/src, unless that was done before; returns the library's file name."""
        # With and without threads: one must not be taken for the other.
        folder = os.path.join(self.build_temp, "threads" if THREADS else "no-threads")
        library = self.compiler.library_filename("fastgelu", output_dir=folder)
        if self.force or newer_group([__file__, *C_SOURCES, *C_HEADERS], library):
            objects = self.compiler.compile(
                C_SOURCES,
                output_dir=folder,
                macros=[("NDEBUG", None), *LIBRARY_MACROS],
                include_dirs=["c/src"],
                extra_postargs=flags,
            )
            self.compiler.create_static_lib(objects, "fastgelu", output_dir=folder)
        return library

    def run(self):
        super().run()
        # In an editable installation this is src/fastgelu.
        package = Path(self.get_ext_fullpath(extension.name)).parent
        self.mkpath(str(package / "include"))
        self.mkpath(str(package / "lib" / "pkgconfig"))
        self.copy_file("c/include/fastgelu.h", str(package / "include"))
        self.copy_file(self.library, str(package / "lib"))
        # On these processors the library needs nothing but libc.
        self_contained = self.plat_name.endswith(("x86_64", "amd64", "aarch64", "arm64", "armv7l"))
        text = PKG_CONFIG.format(
            version=runpy.run_path("src/fastgelu/_version.py")["__version__"],
            pthread=" -pthread" if THREADS and self.compiler.compiler_type != "msvc" else "",
            libm="" if self_contained else " -lm",
        )
        (package / "lib" / "pkgconfig" / "fastgelu.pc").write_text(text, encoding="utf-8")


extension = Extension(
    "fastgelu._fastgelu",
    sources=["src/fastgelu/_fastgelu.pyx"],
    depends=C_HEADERS,
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
