"""Failures: a status and a message of the library become an exception here."""

from __future__ import annotations

import math
import sys
from typing import Any

from ._c import ffi, lib


class GradynError(Exception):
    """A call of the library has failed. `status` is the short name of its outcome, "not-assembled"."""

    status = "error"


class UsageError(GradynError, ValueError):
    """Correct the call or the problem."""


class EvaluationError(GradynError, ArithmeticError):
    """This point has failed, another one may succeed."""


class FatalError(GradynError, RuntimeError):
    """Give up: a full disk, no memory, a call that was stopped."""


class GradynWarning(UserWarning):
    """Why a result may be unreliable although the call succeeded. Numbers that are not known are nan."""

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
        self.code, self.name = code, name  # "W07", "gradient-accuracy"; "": of a Python function
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
    """Raised by a user's function: it has no value here. The run fails, a search continues elsewhere."""


def outside() -> int:
    """The number of frames above the caller up to the first one outside the package: that of a warning."""
    depth, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        depth, frame = depth + 1, frame.f_back
    return depth


def text(pointer: Any) -> str:
    """A text of C's; NULL is empty."""
    return str(ffi.string(pointer), "utf-8", "replace") if pointer else ""


def warning(c: Any) -> GradynWarning:
    """A warning of C."""
    return GradynWarning(
        text(c.text), f"W{c.code:02d}", text(lib.gradyn_warning_describe(c.code).name), text(c.subject), c.t,
        c.value, c.limit, text(c.unit), c.suggestion, c.count,
    )


def warnings_of(evaluator: Any) -> list[GradynWarning]:
    """The warnings about the last result of an evaluator."""
    count = lib.gradyn_evaluator_warning_count(evaluator)
    return [warning(lib.gradyn_evaluator_warning_at(evaluator, i)) for i in range(count)]


def status_name(status: int) -> str:
    """Short name of a status."""
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
