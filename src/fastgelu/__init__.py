"""fastgelu: the GELU family as NumPy ufuncs.

Every function is an ordinary ufunc for float16, float32 and float64, and for the bfloat16 of
ml_dtypes where that package is installed.  Its docstring states the formula, the error bound and
the special values:

>>> import numpy as np
>>> import fastgelu
>>> fastgelu.gelu(np.float32([-1.0, 0.0, 1.0]))
array([-0.15865526,  0.        ,  0.8413448 ], dtype=float32)

The fastest instruction set that the machine has is chosen at import.  The environment variable
``FASTGELU_ISA`` names another one; results are the same, to the bit, whichever it is.
"""

import contextlib as _contextlib
import os as _os
import sys as _sys

import numpy as _numpy

from . import _fastgelu
from ._activations import activation, gated_activation, split_gate, stochastic_gelu
from ._embedding import c_address, c_function, get_include, get_library_dir
from ._identify import Identification, identify
from ._threads import _set_from_environment, get_num_threads, num_threads, set_num_threads
from ._version import __version__

# Instruction set -> namespace of its ufuncs, for all that this machine has.
_targets = _fastgelu.targets


def _runs_as_command():
    """Is this import the first step of ``python -m fastgelu``?"""
    if getattr(_sys, "argv", [])[:1] != ["-m"]:  # stands there while Python looks for the module
        return False
    module = _sys.orig_argv[-len(_sys.argv)]
    return module.removeprefix("-m") in (__name__, f"{__name__}.__main__")


@_contextlib.contextmanager
def _errors_of_a_command():
    """To the user of the command an ImportError of a bad variable is no fault of a module, which
    Python would make of it."""
    try:
        yield
    except ImportError as error:
        if not _runs_as_command():
            raise
        print(f"python -m fastgelu: {error}", file=_sys.stderr)
        raise SystemExit(2) from None


def _choose_isa(wanted, best, compiled, available):
    """The instruction set to use: the wanted one, or the best if none is named."""
    if not wanted:
        return best
    if wanted in available:
        return wanted
    reason = "this machine lacks it" if wanted in compiled else "there is no such instruction set"
    raise ImportError(
        f"FASTGELU_ISA={wanted}: {reason}; available here: {', '.join(available)}",
        name=__name__,
    )


with _errors_of_a_command():
    _isa = _choose_isa(
        _os.environ.get("FASTGELU_ISA"),
        _fastgelu.best_target,
        _fastgelu.compiled_targets,
        list(_targets),
    )
    _set_from_environment()

for _name, _ufunc in vars(_targets[_isa]).items():
    globals()[_name] = _ufunc
    # Pickles then name this module; before NumPy 2.2 a ufunc has no __module__, and pickle
    # searches the modules, where it meets this one before any that imports from it.
    if hasattr(_ufunc, "__dict__"):
        _ufunc.__module__ = __name__
del _name, _ufunc


def _register_bfloat16():
    """Adds bfloat16 loops to all ufuncs; says where the dtype is from, or why there is none.

    At import, since a ufunc that was called may not learn them any more.  What fails here, in a
    package that nothing here depends on, must not keep anyone from the other dtypes.
    """
    try:
        import ml_dtypes
    except ModuleNotFoundError as error:
        return f"none: {error}"
    except Exception as error:  # installed, but not for this NumPy, say
        return f"none: import ml_dtypes raised {error!r}"
    version = f"ml_dtypes {getattr(ml_dtypes, '__version__', '?')}"
    try:
        _fastgelu.register_bfloat16(_numpy.dtype(ml_dtypes.bfloat16))
    except Exception as error:
        return f"none: {version}: {error!r}"
    return version


_bfloat16 = _register_bfloat16()

swish = silu  # noqa: F821 -- set by the loop above

__all__ = [
    *_fastgelu.functions,
    *_fastgelu.composites,
    "Identification",
    "__version__",
    "activation",
    "c_address",
    "c_function",
    "gated_activation",
    "get_include",
    "get_library_dir",
    "get_num_threads",
    "identify",
    "num_threads",
    "runtime_info",
    "set_num_threads",
    "show_config",
    "split_gate",
    "stochastic_gelu",
    "swish",
]


def runtime_info():
    """What this build of fastgelu found and chose.

    Returns
    -------
    dict
        ``version``; ``compiler`` and ``build_flags``, what built it and with which flags of its
        own; ``isa``, the instruction set in use; ``isas``, those available on this machine;
        ``isas_compiled``, those in this build; ``cpu_features``, what was detected;
        ``bfloat16``, the package that the dtype comes from, or "none" and the reason;
        ``threads``, how many a call may use; ``functions``, the names of the ufuncs.
    """
    return {
        "version": __version__,
        "compiler": _fastgelu.compiler,
        "build_flags": _fastgelu.build_flags,
        "isa": _isa,
        "isas": list(_targets),
        "isas_compiled": list(_fastgelu.compiled_targets),
        "cpu_features": list(_fastgelu.cpu_features),
        "bfloat16": _bfloat16,
        "threads": get_num_threads(),
        "functions": [*_fastgelu.functions, *_fastgelu.composites],
    }


def show_config():
    """Prints `runtime_info`, one line per entry."""
    for key, value in runtime_info().items():
        shown = " ".join(value) or "none" if isinstance(value, list) else value
        print(f"{key:14}{shown}")
