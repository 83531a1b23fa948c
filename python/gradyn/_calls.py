"""Calls into the library: one at a time of an evaluator, with the GIL free. They end at Ctrl-C, and what a
Python function has raised on the way comes out of them."""

from __future__ import annotations

import threading
import weakref
from typing import Any, Callable, Optional

from ._c import ffi, lib
from .errors import Misuse, Rejected

EVERY = 0.03  # s between looks at Python from a march


def handle_to(thing: Any) -> Any:
    """What C has of an object that owns the handle: a weak reference, so that it goes when nobody needs it,
    with the memory of the library that it owns."""
    return ffi.new_handle(weakref.ref(thing))


def of_handle(pointer: Any) -> Any:
    """The object of handle_to()."""
    return ffi.from_handle(pointer)()


class Calls:
    """The calls of one evaluator. Hold `lock` for a call and for what is read of the evaluator after it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lock = threading.RLock()
        self.handle = handle_to(self)
        self.patience = ffi.new("gradynpy_patience *", {"every": EVERY, "handle": self.handle})
        self.error: Optional[BaseException] = None  # raised by a Python function: the call ends with it
        self.rejection: Optional[BaseException] = None  # why a point was rejected last
        self.bar: Any = None  # that shows the progress of the present call
        self._running = False

    def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What a function of the library returns."""
        if self._running:
            raise Misuse(f"{self.name} is being evaluated: its own functions cannot call it")
        self.error = self.rejection = None
        lib.gradynpy_begin(self.patience)
        self._running = True
        try:
            result = function(*arguments)
        finally:
            self._running = False
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        return result

    def stopped(self, error: BaseException) -> int:
        """Keeps what a Python function has raised; the status for C. ArithmeticError: a division by zero, an
        overflow, which another point need not have."""
        if isinstance(error, (Rejected, ArithmeticError)):
            self.rejection = error
            return int(lib.GRADYN_CALLBACK)
        if self.error is None:
            self.error = error
        lib.gradynpy_stop(self.patience)
        return int(lib.GRADYN_INTERRUPTED)


def _of(frame: Any) -> Calls:
    """Whose call it is that a frame of a callback, which has `user`, belongs to."""
    calls: Calls = of_handle(frame.f_locals["user"])
    return calls


def _interrupted(kind: Any, error: BaseException, trace: Any) -> int:
    """Ctrl-C, or whatever else a signal's handler has raised."""
    _of(trace.tb_frame).stopped(error)
    return 1


@ffi.def_extern(onerror=_interrupted, error=1)  # type: ignore[misc]
def gradynpy_poll(user: Any) -> int:
    """Handlers of signals run as soon as the main thread enters a function of Python's."""
    return 0
