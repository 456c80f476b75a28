"""A controller for threadpoolctl: its threadpool_info and threadpool_limits know of our threads.

Importing this module registers it.  That is done when more than one thread is asked for.
"""

from threadpoolctl import LibController, register

from . import _fastgelu
from ._version import __version__


class FastgeluController(LibController):
    """The threads of this package, found by the file name of its extension module."""

    user_api = "fastgelu"
    internal_api = "fastgelu"
    filename_prefixes = ("_fastgelu",)
    check_symbols = ("PyInit__fastgelu",)

    def get_num_threads(self):
        return _fastgelu.get_num_threads()

    def set_num_threads(self, num_threads):
        _fastgelu.set_num_threads(min(num_threads, _fastgelu.most_threads))

    def get_version(self):
        return __version__


register(FastgeluController)
