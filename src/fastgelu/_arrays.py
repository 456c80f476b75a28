"""What users pass as arrays, for the functions that are plain Python: tensors, series, lazy and
masked arrays, and sequences of these."""

import numpy as np


def is_bfloat16(x):
    """Is x an array of NumPy's kind with the dtype bfloat16?  Others have dtypes of their own."""
    dtype = getattr(x, "dtype", None)
    return isinstance(dtype, np.dtype) and dtype.name == "bfloat16"


def in_memory(x):
    """x as an array, which is a masked one if x, or an array in the sequence x, is."""
    if hasattr(x, "__dask_graph__"):  # np.asarray computes it too, and loses the mask
        x = x.compute()
    if isinstance(x, (list, tuple)) and any(
        isinstance(part, (list, tuple, np.ma.MaskedArray)) or hasattr(part, "__dask_graph__")
        for part in x
    ):
        parts = [in_memory(part) for part in x]
        if any(isinstance(part, np.ma.MaskedArray) for part in parts):
            return np.ma.stack(parts)
    return np.asanyarray(x)
