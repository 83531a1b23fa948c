"""Copies of arrays in C structs."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._c import ffi
from .errors import text

Array = np.ndarray[Any, np.dtype[np.float64]]


def copied(pointer: Any, *shape: int) -> Array:
    """Copies the numbers at a pointer; nan for NULL."""
    count = int(np.prod(shape))
    if not pointer or not count:
        return np.full(shape, np.nan)
    return np.frombuffer(ffi.buffer(pointer, 8 * count)).reshape(shape).copy()


def names(pointer: Any, count: int) -> list[str]:
    """Texts of a fixed length, copied."""
    return [text(pointer[i]) for i in range(count)]
