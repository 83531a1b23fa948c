"""Failures: a status and a message of the library become an exception here."""

from __future__ import annotations

import sys
from typing import Any

from ._c import ffi, lib


class GradynError(Exception):
    """A call of the library has failed. `status` is the short name of its outcome, "not-assembled"."""

    status = "error"


class Misuse(GradynError, ValueError):
    """Correct the call or the problem."""


class Failed(GradynError, ArithmeticError):
    """This point has failed, another one may succeed."""


class Fatal(GradynError, RuntimeError):
    """Give up: a full disk, no memory, a call that was stopped."""


class GradynWarning(UserWarning):
    """A result may be unreliable."""


class Rejected(Exception):
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


def status_name(status: int) -> str:
    """Short name of a status."""
    return text(lib.gradyn_status_name(status))


def failure(status: int, message: str) -> GradynError:
    """The exception for a status that is not ok."""
    kinds: dict[int, type[GradynError]] = {
        lib.GRADYN_CLASS_MISUSE: Misuse,
        lib.GRADYN_CLASS_RECOVERABLE: Failed,
    }
    kind = kinds.get(lib.gradyn_status_classify(status), Fatal)
    error = kind(message or text(lib.gradyn_status_sentence(status)))
    error.status = status_name(status)
    return error
