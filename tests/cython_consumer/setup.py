"""Builds the module for every CPython from 3.10 on, where Python has a stable ABI."""

import sysconfig

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup

ABI3 = not sysconfig.get_config_var("Py_GIL_DISABLED")
macros = [("NPY_NO_DEPRECATED_API", "NPY_1_23_API_VERSION")]
if ABI3:
    macros.append(("Py_LIMITED_API", "0x030A0000"))
extension = Extension(
    "cython_consumer",
    ["cython_consumer.pyx"],
    include_dirs=[numpy.get_include()],
    define_macros=macros,
    py_limited_api=ABI3,
)
setup(name="cython_consumer", ext_modules=cythonize([extension]))
