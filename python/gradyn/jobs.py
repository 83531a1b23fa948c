"""Tasks of many evaluations or searches: sweeps, multistart searches, fronts. Threads of the library share a
task. Python functions of a model run in one thread at a time."""

from __future__ import annotations

import math
import os
import tempfile
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Sequence

import numpy as np

from . import search
from ._c import ffi, lib
from ._calls import Calls
from ._structs import copied
from .errors import GradynWarning, UsageError, failure, outside, status_name, text
from .gradient import place

if TYPE_CHECKING:
    from .evaluate import Point, Problem

Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Sweep:
    """Evaluations at many points, in the units of parameters and functionals. Failed or missing values are
    NaN."""

    parameters: list[str]
    functionals: list[str]
    shape: tuple[int, ...]  # shape of the grid, or the number of points
    rho: Array  # [points, parameters]
    psi: Array  # [points, functionals]
    gradient: Optional[Array]  # [points, functionals, parameters]
    status: list[str]  # status of each point

    def grid(self, name: str) -> Array:
        """A functional or a parameter as an array of the shape of the grid."""
        if name in self.parameters:
            return self.rho[:, self.parameters.index(name)].reshape(self.shape)
        known = dict.fromkeys(self.functionals)
        return self.psi[:, place(known, name, "functional or parameter")].reshape(self.shape)

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each point."""
        import pandas  # type: ignore[import]

        columns = [*self.parameters, *self.functionals]
        frame = pandas.DataFrame(np.hstack([self.rho, self.psi]), columns=columns)
        frame["status"] = self.status
        return frame


@dataclass(frozen=True)
class Local:
    """One of many searches, in the units of parameters and objective. optimum: number of the optimum at which
    it ended; None: it did not end at one."""

    start: int
    start_x: Array
    x: Array
    fun: float
    initial: float
    violation: float
    success: bool
    status: str
    nfev: int
    optimum: Optional[int]


@dataclass(frozen=True)
class Starts:
    """The result of the best of many searches, all searches, best first, and the distinct optima."""

    best: search.Result
    searches: list[Local]
    optima: list[Local]  # best search for each optimum, best first
    counts: list[int]  # number of searches that ended at each optimum
    message: str


@dataclass(frozen=True)
class FrontPoint:
    """A point of a front, where the first functional is smallest while the second one is at most `limit`,
    each in its unit."""

    first: float
    second: float
    limit: float  # NaN: no limit
    trade_off: float  # decrease of the first functional per unit by which the limit grows
    on_front: bool
    x: Optional[Array]
    psi: Optional[Array]
    status: str
    nfev: int


@dataclass(frozen=True)
class Front:
    """The front between two functionals, from the largest limit to the smallest."""

    points: list[FrontPoint]
    message: str


def _workers(calls: Calls, jobs: int, kept: list[Any]) -> Any:
    """Threads of the library, which regularly ask Python whether to continue."""
    workers = ffi.new("gradyn_workers *")
    workers.jobs, workers.user = jobs, calls.patience
    workers.go_on = ffi.addressof(lib, "gradynpy_go_on")
    if calls.bar is not None:
        workers.progress = ffi.addressof(lib, "gradynpy_progress")
    kept.append(workers)
    return workers


def _worked(
    problem: Problem, function: Any, clear: Any, out: Any, read: Callable[[int], Any], given: Sequence[Any]
) -> Any:
    """Calls a function, reads its result, and frees the result of C."""
    calls = problem._calls
    with calls.lock:
        try:
            status = int(calls.search(function, problem._evaluator.c, *given, out))
            kind = lib.gradyn_status_describe(status).kind
            if kind in (lib.GRADYN_CLASS_MISUSE, lib.GRADYN_CLASS_FATAL) or status == lib.GRADYN_CALLBACK:
                calls.fail(failure(status, text(out.message)))
            found = read(status)
            _warn(calls)
            return found
        finally:
            clear(out)


def _warn(calls: Calls) -> None:
    """Warns of errors in Python functions that made points count as rejected."""
    for fault in calls.faults:
        warnings.warn(f"{calls.name}: {fault}", GradynWarning, stacklevel=outside())


def _folder(given: Any, temporary: str, kept: list[Any]) -> Any:
    """The folder of the journals; made if it is missing."""
    path = os.fspath(given) if given is not None else temporary
    os.makedirs(path, exist_ok=True)
    kept.append(ffi.new("char[]", path.encode()))
    return kept[-1]


def _ranges(problem: Problem, over: Mapping[str, Sequence[float]], points: int, kept: list[Any]) -> Any:
    ranges = ffi.new("gradyn_range[]", max(len(over), 1))
    known = problem.parameters
    for c, (name, given) in zip(ranges, over.items()):
        if len(given) not in (2, 3) or (len(given) == 2 and not points):
            raise UsageError(f"the range of {name} has to be (from, to, count), or (from, to) with points=")
        c.parameter = place(known, name, "parameter")
        setattr(c, "from", given[0])
        c.to, c.count = given[1], int(given[2]) if len(given) == 3 else 1
    kept.append(ranges)
    return ranges


def sweep(
    problem: Problem, over: Mapping[str, Sequence[float]], x: Optional[Point], points: int, seed: int,
    gradient: bool, folder: Any, jobs: int,
) -> Sweep:
    """Problem.sweep()."""
    kept: list[Any] = []
    rho, spec, out = problem.point(x), ffi.new("gradyn_sweep_spec *"), ffi.new("gradyn_sweep_result *")
    parameters, functionals = list(problem.parameters), list(problem.functionals)
    spec.range, spec.range_count = _ranges(problem, over, points, kept), len(over)
    spec.points, spec.seed, spec.gradient = points, seed, gradient
    spec.workers = _workers(problem._calls, jobs, kept)
    shape = (points,) if points else tuple(int(given[2]) for given in over.values())

    def read(status: int) -> Sweep:
        n, p, f = out.count, len(parameters), len(functionals)
        by = copied(out.gradient, n, f, p) if gradient else None
        states = [status_name(out.status[i]) for i in range(n)]
        return Sweep(parameters, functionals, shape, copied(out.rho, n, p), copied(out.psi, n, f), by, states)

    with tempfile.TemporaryDirectory(prefix="gradyn-") as temporary:
        spec.folder = _folder(folder, temporary, kept)
        found: Sweep = _worked(
            problem, lib.gradyn_sweep, lib.gradyn_sweep_result_clear, out, read,
            (spec, problem._reads(rho)),
        )
    return found


def _local(c: Any, size: int) -> Local:
    optimum = c.optimum if c.optimum >= 0 else None
    return Local(
        c.start, copied(c.start_rho, size), copied(c.rho, size), c.objective, c.initial_objective,
        c.violation, c.status == lib.GRADYN_OK, status_name(c.status), c.evaluations, optimum,
    )


def multistart(
    problem: Problem, starts: int, x: Optional[Point], seed: int, screen: int, folder: Any, jobs: int,
    vary: Optional[Sequence[str]], options: Mapping[str, Any],
) -> Starts:
    """Problem.multistart()."""
    kept: list[Any] = []
    rho, spec = problem.point(x), ffi.new("gradyn_multistart_spec *")
    out = ffi.new("gradyn_multistart_result *")
    watching = search.Watching(problem, problem._calls, None)
    chosen = search.specified(problem, options, watching, vary, kept)
    spec.starts, spec.seed, spec.screen = starts, seed, screen
    spec.workers = _workers(problem._calls, jobs, kept)

    def read(status: int) -> Starts:
        size = len(problem.parameters)
        if not out.count or not out.best.rho:
            problem._calls.fail(failure(status, text(out.message)))
        searches = [_local(out.local[i], size) for i in range(out.count)]
        optima = [out.optimum[i] for i in range(out.optimum_count)]
        best = search.result_of(problem, status, out.best)
        places, counts = [searches[o.local] for o in optima], [int(o.count) for o in optima]
        return Starts(best, searches, places, counts, text(out.message))

    with tempfile.TemporaryDirectory(prefix="gradyn-") as temporary:
        spec.folder = _folder(folder, temporary, kept)
        found: Starts = _worked(
            problem, lib.gradyn_multistart, lib.gradyn_multistart_result_clear, out, read,
            (chosen, spec, problem._reads(rho)),
        )
    return found


def _front_point(problem: Problem, c: Any) -> FrontPoint:
    x = copied(c.rho, len(problem.parameters)) if c.rho else None
    psi = copied(c.psi, len(problem.functionals)) if c.psi else None
    return FrontPoint(
        c.first, c.second, c.limit, c.trade_off, bool(c.on_front), x, psi, status_name(c.status),
        c.evaluations,
    )


def pareto(
    problem: Problem, first: str, second: str, points: int, x: Optional[Point],
    limits: Optional[tuple[float, float]], folder: Any, jobs: int, options: Mapping[str, Any],
) -> Front:
    """Problem.pareto()."""
    kept: list[Any] = []
    rho, spec, out = problem.point(x), ffi.new("gradyn_pareto_spec *"), ffi.new("gradyn_pareto_result *")
    known = problem.functionals
    spec.first, spec.second = place(known, first, "functional"), place(known, second, "functional")
    spec.points = points
    start, spec.to = limits if limits is not None else (math.nan, math.nan)
    setattr(spec, "from", start)  # `from` is a keyword of Python
    watching = search.Watching(problem, problem._calls, None)
    chosen = search.specified(problem, options, watching, None, kept)
    spec.workers = _workers(problem._calls, jobs, kept)

    def read(status: int) -> Front:
        if status != lib.GRADYN_OK:
            raise failure(status, text(out.message))
        return Front([_front_point(problem, out.point[i]) for i in range(out.count)], text(out.message))

    with tempfile.TemporaryDirectory(prefix="gradyn-") as temporary:
        spec.folder = _folder(folder, temporary, kept)
        found: Front = _worked(
            problem, lib.gradyn_pareto, lib.gradyn_pareto_result_clear, out, read,
            (chosen, spec, problem._reads(rho)),
        )
    return found
