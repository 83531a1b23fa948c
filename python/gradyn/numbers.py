"""Functions of complex numbers that keep derivatives, for build() and user functions. The Python functions
with these names lose derivatives. The functions compare real parts; at a kink, the derivative is that of one
side."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._expressions import Condition, traced


def abs(z: Any) -> Any:
    """|z|, with the derivative of z or of -z."""
    known = traced("fabs", z)
    if known is not None:
        return known
    return where(np.signbit(np.real(z)), -np.asarray(z), z)


def maximum(a: Any, b: Any) -> Any:
    """The larger number; if they are equal, the first."""
    known = traced("fmax", a, b)
    if known is not None:
        return known
    return where(np.real(a) < np.real(b), b, a)


def minimum(a: Any, b: Any) -> Any:
    """The smaller number; if they are equal, the first."""
    known = traced("fmin", a, b)
    if known is not None:
        return known
    return where(np.real(a) > np.real(b), b, a)


def where(condition: Any, a: Any, b: Any) -> Any:
    """Returns a if the condition holds, otherwise b, with its derivatives."""
    if isinstance(condition, Condition):
        return condition.choose(a, b)
    chosen = np.where(condition, a, b)
    return chosen[()] if chosen.ndim == 0 else chosen


def norm(v: Any) -> Any:
    """The length of a vector; it has no derivative at zero."""
    w = np.asarray(v)
    return np.sqrt((w * w).sum())
