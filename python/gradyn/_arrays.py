"""Arrays of numbers that C reads and writes. This module alone passes buffers to C."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._c import ffi
from .errors import UsageError

Array = np.ndarray[Any, np.dtype[np.float64]]


def real(values: Any, what: str) -> Array:
    """Values as an array of real numbers in C's order; copied only if necessary."""
    given = np.asarray(values)
    if given.dtype.kind not in "biufO":
        raise TypeError(f"{what} must be real numbers, not {given.dtype}")
    return np.asarray(given, dtype=np.float64, order="C")


def reads(array: Array, *shape: int) -> Any:
    """The numbers of an array of this shape, which C reads."""
    return ffi.from_buffer("double[]", _suited(array, shape, "an array"))


def writes(array: Array, *shape: int, name: str = "an array") -> Any:
    """The numbers of an array of this shape, into which C writes."""
    if not _suited(array, shape, name).flags.writeable:
        raise UsageError(f"{name} must be writable")
    return ffi.from_buffer("double[]", array, require_writable=True)


def _suited(array: Any, shape: tuple[int, ...], name: str) -> Array:
    """Checks that type, shape and order are those that C expects."""
    if not isinstance(array, np.ndarray) or array.dtype != np.float64:
        shown = array.dtype if isinstance(array, np.ndarray) else repr(array)
        raise TypeError(f"{name} must be an array of float64, not {shown}")
    if array.shape != shape:
        raise UsageError(f"{name} must have the shape {shape}, not {array.shape}")
    if not (array.flags.c_contiguous and array.flags.aligned):
        raise UsageError(f"{name} must be in C's order, without gaps: numpy.ascontiguousarray() makes it so")
    return array
