"""Exceptions for the statuses and messages of the library."""

from __future__ import annotations

import math
import sys
from typing import Any

from ._c import ffi, lib


class GradynError(Exception):
    """A call of the library has failed. `status` is the short name of its status, such as "not-assembled"."""

    status = "error"


class UsageError(GradynError, ValueError):
    """The call or the problem is wrong and must be corrected."""


class EvaluationError(GradynError, ArithmeticError):
    """The evaluation failed at this point; it may succeed at another point."""


class FatalError(GradynError, RuntimeError):
    """The computation cannot continue: a full disk, no memory, or a request to stop."""


class GradynWarning(UserWarning):
    """Reason why a result may be unreliable although the call succeeded. Unknown numbers are nan."""

    def __init__(
        self,
        text: str = "",
        code: str = "",
        name: str = "",
        subject: str = "",
        t: float = math.nan,
        value: float = math.nan,
        limit: float = math.nan,
        unit: str = "",
        suggestion: float = math.nan,
        count: int = 1,
    ) -> None:
        super().__init__(text)
        self.code, self.name = code, name  # such as "W07", "gradient-accuracy"; "": of a Python function
        self.subject = subject  # name of the object; "": the whole model
        self.t = t  # time of the first occurrence, s
        self.value, self.limit, self.unit = value, limit, unit
        self.suggestion = suggestion  # step, s, or relative tolerance that would suffice
        self.count = count  # number of occurrences

    @property
    def text(self) -> str:
        """The warning in one line."""
        return str(self)

    @property
    def cause(self) -> str:
        """The cause of warnings with this code."""
        return text(lib.gradyn_warning_describe(int(self.code[1:])).cause) if self.code else ""

    @property
    def remedy(self) -> str:
        """The remedy for warnings with this code."""
        return text(lib.gradyn_warning_describe(int(self.code[1:])).remedy) if self.code else ""

    def __reduce__(self) -> Any:
        return type(self), (
            str(self), self.code, self.name, self.subject, self.t, self.value, self.limit, self.unit,
            self.suggestion, self.count,
        )


class PointRejected(Exception):
    """To be raised by a user function that has no value at this point. A simulation fails; a search continues
    at another point."""


def outside() -> int:
    """The number of frames from the caller to the first frame outside the package, to which a warning is
    attributed."""
    depth, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        depth, frame = depth + 1, frame.f_back
    return depth


def text(pointer: Any) -> str:
    """A text of C as a Python string; NULL is ""."""
    return str(ffi.string(pointer), "utf-8", "replace") if pointer else ""


def warning(c: Any) -> GradynWarning:
    """Converts a warning of C."""
    return GradynWarning(
        text(c.text), f"W{c.code:02d}", text(lib.gradyn_warning_describe(c.code).name), text(c.subject), c.t,
        c.value, c.limit, text(c.unit), c.suggestion, c.count,
    )


def warnings_of(evaluator: Any) -> list[GradynWarning]:
    """The warnings about the last result of an evaluator."""
    count = lib.gradyn_evaluator_statistics(evaluator).warnings
    return [warning(lib.gradyn_evaluator_warning_at(evaluator, i)) for i in range(count)]


def status_name(status: int) -> str:
    """The short name of a status."""
    return text(lib.gradyn_status_describe(status).name)


def failure(status: int, message: str) -> GradynError:
    """The exception for a status that is not ok."""
    kinds: dict[int, type[GradynError]] = {
        lib.GRADYN_CLASS_MISUSE: UsageError,
        lib.GRADYN_CLASS_RECOVERABLE: EvaluationError,
    }
    described = lib.gradyn_status_describe(status)
    error = kinds.get(described.kind, FatalError)(message or text(described.sentence))
    error.status = text(described.name)
    return error
