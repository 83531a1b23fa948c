"""Calls into the library: one at a time for an evaluator, without the GIL. Ctrl-C ends a call, and a call
raises the exceptions of Python functions that it has called. Searches continue after arithmetic errors."""

from __future__ import annotations

import threading
import traceback
import weakref
from dataclasses import dataclass
from typing import Any, Callable, NoReturn, Optional

from ._c import ffi, lib
from .errors import UsageError, PointRejected

# Errors of formulas that would give a number that is not finite in C, where it rejects a trial point.
ARITHMETIC = (ZeroDivisionError, OverflowError, FloatingPointError)
EVERY = 0.03  # s between polls of Python during a run


def handle_to(thing: Any) -> Any:
    """A handle for C of an object that owns the handle. The handle is a weak reference, so that the object
    and its library memory are released with the last other reference."""
    return ffi.new_handle(weakref.ref(thing))


def of_handle(pointer: Any) -> Any:
    """Returns the object of a handle made by handle_to()."""
    return ffi.from_handle(pointer)()


@dataclass
class Fault:
    """An arithmetic error in a Python function that made a search reject trial points."""

    error: str  # "ZeroDivisionError: division by zero"
    function: str
    file: str
    line: int
    points: int  # number of points rejected because of this error

    def __str__(self) -> str:
        points = "1 point" if self.points == 1 else f"{self.points} points"
        return f"{points} rejected: {self.error} in {self.function} ({self.file}, line {self.line})"


class Calls:
    """The calls of one evaluator. Hold `lock` during a call, and while results of the call are read from the
    evaluator."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lock = threading.RLock()
        self.handle = handle_to(self)
        self.patience = ffi.new("gradynpy_patience *", {"every": EVERY, "handle": self.handle})
        self.error: Optional[BaseException] = None  # exception of a Python function; the call raises it
        self.rejection: Optional[BaseException] = None  # reason of the last rejection of a point
        self.bar: Any = None  # progress bar of the present call
        self.faults: list[Fault] = []  # errors of the last search
        self.best_faults = 0  # number of points that faults had rejected when the best point was found
        self.builds = 0  # number of build() runs; each one begins a point
        self._faulty = -1  # value of `builds` at the last fault
        self._searching = self._running = False

    def search(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Calls a function of the library that continues at other points after arithmetic errors."""
        self._searching, self.faults, self.best_faults, self._faulty = True, [], 0, -1
        try:
            return self.run(function, *arguments)
        finally:
            self._searching = False

    def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Calls a function of the library and returns its result."""
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
        """Returns whether this exception rejects only the point, so that the call continues."""
        return isinstance(error, PointRejected) or (self._searching and isinstance(error, ARITHMETIC))

    def stopped(self, error: BaseException) -> int:
        """Stores an exception of a Python function, and returns the status for C."""
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
        """Adds an error to `faults`; counts each point once."""
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
        """Number of points that the last search rejected because of arithmetic errors."""
        return sum(fault.points for fault in self.faults)

    def fail(self, error: BaseException) -> NoReturn:
        """Raises the failure of a call that has no result: the arithmetic error of a Python function, if one
        is the cause, otherwise `error`."""
        cause = self.rejection
        if isinstance(cause, ARITHMETIC):
            raise cause
        raise error from cause


def _of(frame: Any) -> Calls:
    """Returns the Calls object to which `user` points in the frame of a callback."""
    calls: Calls = of_handle(frame.f_locals["user"])
    return calls


def _interrupted(kind: Any, error: BaseException, trace: Any) -> int:
    """Stores Ctrl-C, or another exception of a signal handler."""
    _of(trace.tb_frame).stopped(error)
    return 1


@ffi.def_extern(onerror=_interrupted, error=1)  # type: ignore[misc]
def gradynpy_poll(user: Any) -> int:
    """Does nothing: entering any Python function in the main thread runs the signal handlers."""
    return 0
