"""The number of threads that a call may use: functions around the setting in the C library."""

import contextlib
import functools
import operator
import os

from . import _fastgelu

_MOST = _fastgelu.most_threads


def _checked(n):
    """n as an int from 1 to the most there can be."""
    try:
        n = operator.index(n)
    except TypeError:
        raise TypeError(
            f"the number of threads must be an integer, not {type(n).__name__}"
        ) from None
    if not 1 <= n <= _MOST:
        raise ValueError(f"the number of threads must be from 1 to {_MOST}, not {n}")
    return n


def _from_environment():
    """The count that FASTGELU_NUM_THREADS asks for; 1 if it is not set, or empty."""
    text = os.environ.get("FASTGELU_NUM_THREADS", "")
    if not text:
        return 1
    if text.isascii() and text.isdigit() and 1 <= int(text) <= _MOST:
        return int(text)
    raise ImportError(
        f"FASTGELU_NUM_THREADS={text}: the number of threads must be from 1 to {_MOST}",
        name=__package__,
    )


@functools.cache  # a package that is missing takes 0.1 ms to be missed
def _tell_threadpoolctl():
    with contextlib.suppress(ImportError):
        from . import _threadpoolctl  # noqa: F401 -- registers the controller


def _set(n):
    # threadpoolctl learns of the threads when there may be some: importing fastgelu does not
    # import it, and its limits never turn on what nobody asked for.
    if n > 1 and _fastgelu.have_threads:
        _tell_threadpoolctl()
    _fastgelu.set_num_threads(n)


def get_num_threads():
    """How many threads a call may use, the calling one included.

    Returns
    -------
    int
        What `set_num_threads` or the environment variable ``FASTGELU_NUM_THREADS`` asked for;
        1 if neither did, or in a build without threads.

    See Also
    --------
    set_num_threads

    Examples
    --------
    >>> import fastgelu
    >>> with fastgelu.num_threads(2):
    ...     fastgelu.gelu(1.0)
    np.float64(0.8413447460685429)
    """
    return _fastgelu.get_num_threads()


def set_num_threads(n):
    """Sets how many threads a call may use, the calling one included.

    Parameters
    ----------
    n : int
        From 1, which is the default, to 1024.

    Raises
    ------
    TypeError
        If `n` is not an integer.
    ValueError
        If `n` is not from 1 to 1024.

    See Also
    --------
    num_threads : The same for a block of code.

    Notes
    -----
    The setting is the process's, not the calling thread's. Results are the same, to the bit,
    whatever it is.

    A call uses fewer threads than that if its arrays are small (under half a megabyte it runs
    alone, as starting together would take longer than the work), or if the calling thread may
    run on fewer CPUs (``os.sched_getaffinity``; on other systems all count). Arrays may be of any
    layout and broadcast; with a keyword other than ``out``, or subclasses of ndarray, only those
    are shared that lie in memory in one piece. While one call uses the threads, others run alone,
    each on the thread that made it.

    The threads are started by the first call that uses them, sleep between calls, and never
    hold the GIL. On Linux they keep off the CPU that the calling thread is on. A child made by
    ``os.fork`` starts its own. A build without threads takes any valid `n` and stays at 1.

    Once more than one thread was asked for, ``threadpoolctl.threadpool_limits`` applies here
    as well, if that package (3.2 or later) is installed.

    Examples
    --------
    >>> import fastgelu
    >>> fastgelu.set_num_threads(1)
    >>> fastgelu.get_num_threads()
    1
    """
    _set(_checked(n))


def num_threads(n):
    """A context manager that sets how many threads a call may use, and puts the old count back.

    Parameters
    ----------
    n : int
        As for `set_num_threads`. The setting is the process's here too: other threads see it
        while the block runs.

    Returns
    -------
    context manager
        For ``with``; it may also decorate a function.

    Raises
    ------
    TypeError, ValueError
        As `set_num_threads` does.

    Examples
    --------
    >>> import numpy as np
    >>> import fastgelu
    >>> x = np.ones((1000, 1000), np.float32)
    >>> with fastgelu.num_threads(2):
    ...     y = fastgelu.gelu(x)
    """
    return _num_threads(_checked(n))


@contextlib.contextmanager
def _num_threads(n):
    before = get_num_threads()
    _set(n)
    try:
        yield
    finally:
        _set(before)


def _set_from_environment():
    """What the package does first."""
    _set(_from_environment())
