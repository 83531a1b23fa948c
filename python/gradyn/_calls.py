"""Calls into the library: one at a time of an evaluator, with the GIL free. They end at Ctrl-C, and what a
Python function has raised comes out of them. Searches continue after errors of arithmetic."""

from __future__ import annotations

import threading
import traceback
import weakref
from dataclasses import dataclass
from typing import Any, Callable, NoReturn, Optional

from ._c import ffi, lib
from .errors import UsageError, PointRejected

# What the same formula in C would return as a number that is not finite, which rejects a trial point.
ARITHMETIC = (ZeroDivisionError, OverflowError, FloatingPointError)
EVERY = 0.03  # s between looks at Python from a march


def handle_to(thing: Any) -> Any:
    """What C has of an object that owns the handle: a weak reference, so that it goes when nobody needs it,
    with the memory of the library that it owns."""
    return ffi.new_handle(weakref.ref(thing))


def of_handle(pointer: Any) -> Any:
    """The object of handle_to()."""
    return ffi.from_handle(pointer)()


@dataclass
class Fault:
    """An error of arithmetic in a Python function, for which a search has rejected trial points."""

    error: str  # "ZeroDivisionError: division by zero"
    function: str
    file: str
    line: int
    points: int  # that were rejected for it

    def __str__(self) -> str:
        points = "1 point" if self.points == 1 else f"{self.points} points"
        return f"{points} rejected: {self.error} in {self.function} ({self.file}, line {self.line})"


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
        self.faults: list[Fault] = []  # of the last search
        self.best_faults = 0  # points that were rejected for faults before the best point was found
        self.builds = 0  # runs of build(): each begins a point
        self._faulty = -1  # the build in which a fault was noted last
        self._searching = self._running = False

    def search(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """The same of a function that continues at other points after errors of arithmetic."""
        self._searching, self.faults, self.best_faults, self._faulty = True, [], 0, -1
        try:
            return self.run(function, *arguments)
        finally:
            self._searching = False

    def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What a function of the library returns."""
        if self._running:
            raise UsageError(f"{self.name} is being evaluated: its own functions cannot call it")
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

    def rejects(self, error: BaseException) -> bool:
        """Whether the point is rejected, and the call continues."""
        return isinstance(error, PointRejected) or (self._searching and isinstance(error, ARITHMETIC))

    def stopped(self, error: BaseException) -> int:
        """Keeps what a Python function has raised; the status for C."""
        if self.rejects(error):
            self.rejection = error
            if not isinstance(error, PointRejected):
                self._note(error)
            return int(lib.GRADYN_CALLBACK)
        if self.error is None:
            self.error = error
        lib.gradynpy_stop(self.patience)
        return int(lib.GRADYN_INTERRUPTED)


    def _note(self, error: BaseException) -> None:
        """Counts a point for an error, once."""
        at = traceback.extract_tb(error.__traceback__)[-1]
        fault = Fault(f"{type(error).__name__}: {error}", at.name, at.filename, at.lineno or 0, 0)
        places = [(f.function, f.file, f.line) for f in self.faults]
        place = (fault.function, fault.file, fault.line)
        if place not in places:
            self.faults.append(fault)
            places.append(place)
        if self._faulty != self.builds:
            self.faults[places.index(place)].points += 1
        self._faulty = self.builds

    @property
    def faulty_points(self) -> int:
        """Points that the last search has rejected for errors of arithmetic."""
        return sum(fault.points for fault in self.faults)

    def fail(self, error: BaseException) -> NoReturn:
        """Raises what a call without a result has failed with: an error of arithmetic itself."""
        cause = self.rejection
        if isinstance(cause, ARITHMETIC):
            raise cause
        raise error from cause


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
