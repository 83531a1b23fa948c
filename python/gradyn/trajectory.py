"""A motion: columns over time by name."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional

import numpy as np

from ._arrays import real, reads, writes
from ._c import ffi, lib
from .errors import UsageError, failure, text, warnings_of

if TYPE_CHECKING:
    from .evaluate import Problem

Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Event:
    """An event of a run: its time, s; the rates of its guard before and after it; its impulse, N s."""

    name: str
    occurrence: int  # 1: the first occurrence
    t: float
    approach: float
    rebound: float
    impulse: float
    energy_lost: float  # J
    mode: int  # mode after the event, from 1


def event(record: Any) -> Event:
    """Converts an event of C."""
    r = record
    return Event(text(r.name), r.occurrence, r.t, r.approach, r.rebound, r.impulse, r.energy_lost, r.mode)


def events(evaluator: Any) -> list[Event]:
    """The events of the last run of an evaluator."""
    count = lib.gradyn_evaluator_statistics(evaluator).events
    return [event(lib.gradyn_event_log_at(evaluator, i)) for i in range(count)]


def lent(numbers: Any, owner: Any, *shape: int) -> Array:
    """A read-only array in memory of the C library. The array and its views keep the owner of it alive."""
    count = int(np.prod(shape))
    if not count:
        return np.empty(shape)
    held = ffi.gc(numbers, functools.partial(_let_go, owner))
    array = np.frombuffer(ffi.buffer(held, 8 * count)).reshape(shape)
    array.flags.writeable = False
    return array


def _let_go(owner: Any, numbers: Any) -> None:
    """Does nothing: the end of the partial object that refers to this function frees the owner."""


class Trajectory(Mapping[str, Array]):
    """A mapping from names of columns to arrays over the times .t (s). .psi: functionals of the run. Arrays
    share the memory of the library and must not be written; columns of models with modes are copies. Each
    array keeps its memory alive."""

    def __init__(
        self,
        pointer: Any,
        psi: dict[str, float],
        rho: Array,
        problem: Optional[Problem] = None,
        samples: int = 0,
    ) -> None:
        self._c, self.psi, self.rho = pointer, psi, rho
        self._problem = problem  # problem of the run; None: the trajectory is a single state
        self.events = events(problem._evaluator.c) if problem is not None else []
        self.warnings = warnings_of(problem._evaluator.c) if problem is not None else []
        view = lib.gradyn_trajectory_read(pointer)
        steps, count = view.steps, view.columns
        columns = [lib.gradyn_trajectory_column(pointer, i) for i in range(count)]
        # internal columns of the library are not shown: constraints that are not active in some modes
        self._shown = [i for i in range(count) if not columns[i].internal]
        self._count = count
        self.units: dict[str, str] = {}
        for i in self._shown:
            name = _unlike(self.units, text(columns[i].name))
            self.units[name] = text(columns[i].unit)
        self._place = {name: i for i, name in enumerate(self.units)}
        self.t: Array = lent(view.times, pointer, steps)
        self.rows: Array = self._only(lent(view.rows, pointer, steps, count))
        if samples and steps:
            self.t = np.linspace(self.t[0], self.t[-1], samples)
            self.rows = self(self.t)

    def __getstate__(self) -> dict[str, Any]:
        """The state for pickle: the columns, copied."""
        return {**vars(self), "_c": None, "_problem": None}

    def __copy__(self) -> Trajectory:
        return self  # read-only numbers

    def _only(self, rows: Array) -> Array:
        """The columns that are shown, taken from rows of all columns."""
        return rows if len(self._shown) == self._count else rows[:, self._shown]

    def __getitem__(self, name: str) -> Array:
        if name not in self._place:
            raise KeyError(f"there is no column {name!r}: there are {', '.join(self._place) or 'none'}")
        column: Array = self.rows[:, self._place[name]]
        return column

    def __iter__(self) -> Iterator[str]:
        return iter(self._place)

    def __len__(self) -> int:
        return len(self._place)

    def __call__(self, t: Any) -> Array:
        """All columns at any times of the run, [times, columns], as accurate as the steps. At the time of an
        event, these are the values after it. A time outside the run is a ValueError."""
        times = np.atleast_1d(real(t, "times"))
        if times.ndim != 1 or not np.isfinite(times).all():
            raise UsageError("times have to be a row of finite numbers")
        if self._c is None:
            again = "simulate again, simulate(motion.rho)"
            raise UsageError(f"a motion that was pickled has its rows alone: {again}")
        if self._problem is None:
            raise UsageError("a single state has no motion")
        out = np.empty((len(times), self._count))
        made, calls = self._problem._evaluator, self._problem._calls
        given = self._c, len(times), reads(times, len(times)), writes(out, *out.shape)
        with calls.lock:
            status = calls.run(lib.gradyn_trajectory_evaluate, made.c, *given)
            if status:
                calls.fail(failure(status, made.message()))
        return self._only(out)

    def to_pandas(self) -> Any:
        """A DataFrame over time; the units are in .attrs["units"]."""
        import pandas  # type: ignore[import]

        frame = pandas.DataFrame(self.rows, index=pandas.Index(self.t, name="t"), columns=list(self))
        frame.attrs["units"] = {"t": "s", **self.units}
        return frame

    def plot(self, *names: str, ax: Any = None) -> Any:
        """Plots columns over time with matplotlib, and returns the axes."""
        import matplotlib.pyplot  # type: ignore[import]

        ax = ax or matplotlib.pyplot.gca()
        for name in names or self:
            ax.plot(self.t, self[name], label=f"{name} [{self.units[name]}]")
        ax.set_xlabel("t [s]")
        ax.legend()
        return ax

    def __repr__(self) -> str:
        end = f"{self.t[-1]:g} s" if len(self.t) else "nothing"
        return f"<trajectory to {end}: {len(self.t)} times, {len(self)} columns>"


def _unlike(known: Mapping[str, str], name: str) -> str:
    """A name that differs from those of all earlier columns, because a measure may have the name of a
    state."""
    found, number = name, 2
    while found in known:
        found, number = f"{name} ({number})", number + 1
    return found
