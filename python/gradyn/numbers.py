"""Functions of numbers that keep derivatives, where those of Python lose them: for build() and users'
functions, whose numbers are complex. They compare real parts; at a kink the derivative is of one side."""

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
    """The larger one, of equal ones the first."""
    known = traced("fmax", a, b)
    if known is not None:
        return known
    return where(np.real(a) < np.real(b), b, a)


def minimum(a: Any, b: Any) -> Any:
    """The smaller one, of equal ones the first."""
    known = traced("fmin", a, b)
    if known is not None:
        return known
    return where(np.real(a) > np.real(b), b, a)


def where(condition: Any, a: Any, b: Any) -> Any:
    """a where the condition holds, elsewhere b, with their derivatives."""
    if isinstance(condition, Condition):
        return condition.choose(a, b)
    chosen = np.where(condition, a, b)
    return chosen[()] if chosen.ndim == 0 else chosen


def norm(v: Any) -> Any:
    """The length of a vector; it has no derivative where it is zero."""
    w = np.asarray(v)
    return np.sqrt((w * w).sum())
