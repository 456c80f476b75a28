"""Memory of unusual kinds, for tests: between inaccessible pages, and far more of it than there is.

Linux and macOS; what is missing elsewhere is said by CAN_PROTECT and CAN_ALIAS.
"""

import ctypes
import mmap
import os
import sys

import numpy as np

CAN_PROTECT = sys.platform in ("linux", "darwin")
CAN_ALIAS = hasattr(os, "memfd_create") and sys.maxsize > 1 << 32

_NONE, _SHARED, _FIXED = 0, 1, 0x10
_READ_WRITE = mmap.PROT_READ | mmap.PROT_WRITE if CAN_PROTECT else 0


def _libc():
    libc = ctypes.CDLL(None, use_errno=True)
    pointer, size, number = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    libc.mmap.argtypes = [pointer, size, number, number, number, ctypes.c_int64]
    libc.mmap.restype = pointer
    libc.mprotect.argtypes = [pointer, size, number]
    libc.munmap.argtypes = [pointer, size]
    return libc


def _map(libc, address, size, protection, flags, file=-1):
    """mmap, with an exception for an error."""
    at = libc.mmap(address, size, protection, flags, file, 0)
    if at in (None, ctypes.c_void_p(-1).value):
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return at


def _bytes(address, size):
    """The memory there as an array of bytes."""
    return np.frombuffer((ctypes.c_char * size).from_address(address), np.uint8)


class Guarded:
    """Some pages between two that may not be touched: a touch ends the process."""

    def __init__(self, size=1 << 14):
        size += -size % mmap.PAGESIZE
        pages = mmap.mmap(-1, size + 2 * mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        at = ctypes.addressof(ctypes.c_char.from_buffer(pages))
        libc = _libc()
        for edge in (at, at + mmap.PAGESIZE + size):
            if libc.mprotect(edge, mmap.PAGESIZE, _NONE):
                raise OSError(ctypes.get_errno(), "mprotect")
        self.bytes = np.frombuffer(pages, np.uint8)[mmap.PAGESIZE : -mmap.PAGESIZE]

    def place(self, n, dtype, step, at_end):
        """n elements, each |step| from the next, at one of the edges; in reverse if step < 0."""
        if n == 0:
            return np.empty(0, dtype)
        extent = ((n - 1) * abs(step) + 1) * dtype.itemsize
        part = self.bytes[-extent:] if at_end else self.bytes[:extent]
        return part.view(dtype)[:: abs(step)][:: 1 if step > 0 else -1]


class Vast:
    """An address range of which all but the first and last chunk are the same memory: gigabytes
    to write to and to read from that cost a few megabytes."""

    CHUNK = 1 << 21

    def __init__(self, size):
        self.chunks = -(-size // self.CHUNK)
        self.size = self.chunks * self.CHUNK
        self.libc = _libc()
        anonymous = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        self.address = _map(self.libc, None, self.size, _NONE, anonymous)
        files = [os.memfd_create("chunk") for _ in range(3)]
        for file in files:
            os.ftruncate(file, self.CHUNK)
        order = [files[0], *[files[1]] * (self.chunks - 2), files[2]]
        for i, file in enumerate(order):
            at = self.address + i * self.CHUNK
            _map(self.libc, at, self.CHUNK, _READ_WRITE, _SHARED | _FIXED, file)
        for file in files:
            os.close(file)

    def array(self, dtype):
        return _bytes(self.address, self.size).view(dtype)

    def parts(self, dtype):
        """The three chunks that there are: the first, one of those between, and the last."""
        a, n = self.array(dtype), self.CHUNK // np.dtype(dtype).itemsize
        return [a[:n], a[n : 2 * n], a[-n:]]

    def close(self):
        """After this its arrays must not be used."""
        self.libc.munmap(self.address, self.size)
