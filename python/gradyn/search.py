"""Searches for an optimum, and their results."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Sequence

import numpy as np

from . import _options, starts
from ._c import ffi, lib
from ._calls import ARITHMETIC, Calls, Fault
from ._structs import copied
from .errors import GradynWarning, failure, outside, status_name, text, warning

if TYPE_CHECKING:
    from .evaluate import Point, Problem

Array = np.ndarray[Any, np.dtype[np.float64]]
DURABILITY = {"second": 0, "each": 1, "never": 2}


@dataclass(frozen=True)
class Iteration:
    """A trial point of a search; numbers are in the units of parameters and functionals. A rejected point has
    parameters only."""

    evaluation: int
    x: Array
    psi: dict[str, float]
    fun: float
    violation: float  # largest, in units of the constraints' tolerances
    projected_gradient: float  # KKT residual, scaled
    steps: int
    seconds: float
    best: bool  # best point so far
    status: str
    message: str  # why the point was rejected


@dataclass(frozen=True)
class PathPoint:
    """A point at which a search has enforced a path constraint: its time, s, and the value of the constraint
    there, in its unit."""

    functional: str  # functional of the bound, name.over or name.under
    t: float  # s
    value: float  # value of the functional there, in the unit of the constraint; at most 0: satisfied
    multiplier: float  # 0: not active
    round: int  # round in which the search added it


Watch = Callable[[Iteration], Optional[bool]]


@dataclass(frozen=True)
class DiscretisationCheck:
    """A more accurate simulation of the best point, which shows the discretisation error. Numbers are in
    their units, steps in s."""

    psi: dict[str, float]
    fun: float
    change: float  # largest change, in tolerances
    step: float  # s; 0: the method has none
    rtol: float
    step_to_use: float
    rtol_to_use: float


@dataclass(frozen=True)
class Rounded:
    """The best point with rounded values of integer signals, by sum-up rounding, and a simulation of it.
    Numbers are in their units."""

    x: Array  # all parameters
    psi: dict[str, float]
    fun: float
    violation: float  # in units of the constraints' tolerances: at most 1 is feasible
    deviation: float  # largest |integral of relaxed minus rounded values|, in the signal's unit times s
    bound: float  # bound of this deviation
    signal: str  # the signal with that deviation


@dataclass(frozen=True)
class Result:
    """The result of a search. Members that SciPy's results also have are named as there. success: the search
    ended at an optimum."""

    x: Array  # all parameters of the best point, then the values of added knots
    fun: float
    success: bool
    status: str  # "ok", "infeasible", "stalled", ...
    message: str  # the findings in one line
    nfev: int
    parameters: dict[str, float]  # x by names
    psi: dict[str, float]
    gradient: Array  # [functionals, parameters]
    termination: str  # "optimal", "round-off limited", ...
    initial: float  # objective at the start
    violation: float  # largest, in units of the constraints' tolerances: at most 1 is feasible
    projected_gradient: float  # KKT residual, scaled
    rejected: int
    seconds: float
    multiplier: dict[str, float] = field(repr=False)  # multipliers of constraints, in units of the objective
    path_points: list[PathPoint] = field(repr=False)  # enforced path constraints
    rounds: int  # number of searches, each with more path points; 0: no path constraints
    code: int = field(repr=False)  # the status as C has it
    discretisation: Optional[DiscretisationCheck] = field(repr=False, default=None)
    # None: no integer signals, or rounding or its simulation has failed: see `findings`
    rounded: Optional[Rounded] = field(repr=False, default=None)
    # arithmetic errors in Python functions because of which points were rejected
    faults: list[Fault] = field(repr=False, default_factory=list)
    algorithm: str = ""  # the given algorithm, or the chosen one
    # the termination first; each further finding is "subject: text"
    findings: list[str] = field(repr=False, default_factory=list)
    # multipliers of bounds, in units of the objective over those of the parameters
    lower_multiplier: dict[str, float] = field(repr=False, default_factory=dict)
    upper_multiplier: dict[str, float] = field(repr=False, default_factory=dict)
    barrier: float = field(repr=False, default=0.0)  # barrier parameter; 0: the algorithm has none
    warm_start: str = field(repr=False, default="")  # JSON for optimise(warm=...); "": there is no point
    # warnings about the best point and the search, by code
    warnings: list[GradynWarning] = field(repr=False, default_factory=list)


class Watching:
    """Calls a Python function at each trial point."""

    def __init__(self, problem: Problem, calls: Calls, watch: Optional[Watch]) -> None:
        self.names = list(problem.functionals)
        self.size = len(problem.parameters)
        self.calls, self.watch = calls, watch
        self.handle = ffi.new_handle(self)

    def iteration(self, i: Any) -> Iteration:
        """Copies a trial point of C."""
        values = copied(i.psi, len(self.names)) if i.status == 0 else np.empty(0)
        return Iteration(
            i.evaluation, copied(i.rho, self.size), dict(zip(self.names, values.tolist())), i.objective,
            i.violation, i.projected_gradient, i.steps, i.seconds, bool(i.best), status_name(i.status),
            text(i.message),
        )

    def seen(self, iteration: Any) -> bool:
        """Calls the function; the search continues unless the function returns False."""
        if iteration.best:
            self.calls.best_faults = self.calls.faulty_points
        return self.watch is None or self.watch(self.iteration(iteration)) is not False


def _raised(kind: Any, error: BaseException, trace: Any) -> bool:
    watching: Watching = ffi.from_handle(trace.tb_frame.f_locals["user"])
    watching.calls.stopped(error)
    watching.calls.error = watching.calls.error or error
    return False


@ffi.def_extern(onerror=_raised, error=False)  # type: ignore[misc]
def gradynpy_watch(iteration: Any, user: Any) -> bool:
    """The callback of a search."""
    watching: Watching = ffi.from_handle(user)
    return watching.seen(iteration)


def defaults(problem: Problem, study: Optional[str] = None) -> Any:
    """The default settings of the library, replaced by those that a resumed study has recorded."""
    search = ffi.new("gradyn_search *")
    lib.gradyn_search_default(problem._evaluator.c, search)
    if study is not None:
        _options.recall(study, ffi.NULL, search)
    return search


def specified(
    problem: Problem,
    given: Mapping[str, Any],
    watching: Watching,
    vary: Optional[Sequence[str]],
    kept: list[Any],
    search: Any = None,
) -> Any:
    """Search settings: the options in `given`, with defaults for the others. search: the defaults; None:
    those of the library."""
    search = defaults(problem) if search is None else search
    if "algorithm" in given:
        search.then = ffi.NULL
    chosen = dict(given)
    if "guess" in chosen:
        chosen["guess"] = starts.guessed(problem, chosen["guess"], kept)
    if isinstance(chosen.get("durability"), str):
        chosen["durability"] = DURABILITY.get(chosen["durability"], chosen["durability"])
    _options.put(search, "gradyn_search", chosen, kept)
    if vary is not None:
        marks = ffi.new("bool[]", [False] * watching.size)
        for i in problem.places(vary):
            marks[i] = True
        kept.append(marks)
        search.vary = marks
    functions = getattr(problem, "_called", None)  # functions in Python
    if watching.watch is not None or type(watching) is not Watching or functions:
        search.on_iteration, search.user = ffi.addressof(lib, "gradynpy_watch"), watching.handle
    lib.gradyn_search_resolve(problem._evaluator.c, search, ffi.NULL, 0)
    return search


def begin_warm(search: Any, begun: Optional[str], kept: list[Any]) -> None:
    """Sets the warm start of a search. Its text is appended to `kept`."""
    if begun is not None:
        kept.append(ffi.new("char[]", begun.encode()))
        search.warm_start = kept[-1]


def _joined(reason: Any) -> str:
    """The findings of a termination in one line."""
    return text(reason).replace("\n", ";")


def result_of(problem: Problem, status: int, r: Any, algorithm: str = "") -> Result:
    """Copies a result of C."""
    names, parameters = list(problem.functionals), list(problem.parameters)
    if r.refined:  # the search has added knots
        count = lib.gradyn_parameter_count(r.refined)
        parameters = [text(lib.gradyn_parameter_at(r.refined, i).name) for i in range(count)]
    x = copied(r.rho, len(parameters))
    psi = dict(zip(names, copied(r.psi, len(names)).tolist()))
    return Result(
        x=x,
        fun=r.objective,
        success=status == lib.GRADYN_OK,
        status=status_name(status),
        message=_joined(r.reason),
        nfev=r.evaluations,
        parameters=dict(zip(parameters, x.tolist())),
        psi=psi,
        gradient=copied(r.gradient, len(names), len(parameters)),
        termination=text(lib.gradyn_termination_name(r.termination)),
        initial=r.initial_objective,
        violation=r.violation,
        projected_gradient=r.projected_gradient,
        rejected=r.rejected,
        seconds=r.seconds,
        multiplier=dict(zip(names, copied(r.multiplier, len(names)).tolist())),
        path_points=[_path_point(r.path_points[i], names) for i in range(r.path_point_count)],
        rounds=r.rounds,
        code=status,
        discretisation=_discretisation(r.discretisation, names),
        rounded=_rounded(problem, r.rounded, names, len(parameters)),
        faults=list(problem._calls.faults),
        algorithm=algorithm,
        findings=text(r.reason).split("\n "),
        lower_multiplier=dict(zip(parameters, copied(r.warm.lower_multiplier, len(parameters)).tolist())),
        upper_multiplier=dict(zip(parameters, copied(r.warm.upper_multiplier, len(parameters)).tolist())),
        barrier=r.warm.barrier,
        warm_start=text(r.warm.text) if r.warm.text else "",
        warnings=[warning(r.warnings[i]) for i in range(r.warning_count)],
    )


def _path_point(c: Any, names: list[str]) -> PathPoint:
    return PathPoint(names[c.functional], c.t, c.value, c.multiplier, c.round)


def _rounded(problem: Problem, c: Any, names: list[str], parameters: int) -> Optional[Rounded]:
    if not c.psi:
        return None
    psi = dict(zip(names, copied(c.psi, len(names)).tolist()))
    signal = text(lib.gradyn_signal_at(problem._evaluator.c, c.signal).name)
    x = copied(c.rho, parameters)
    return Rounded(x, psi, c.objective, c.violation, c.deviation, c.bound, signal)


def _discretisation(c: Any, names: list[str]) -> Optional[DiscretisationCheck]:
    if not c.done or c.status != lib.GRADYN_OK:
        return None
    psi = dict(zip(names, copied(c.psi, len(names)).tolist()))
    return DiscretisationCheck(psi, c.objective, c.change, c.step, c.rtol, c.step_to_use, c.rtol_to_use)


def optimise(
    problem: Problem,
    x: Optional[Point],
    watch: Optional[Watch],
    vary: Optional[Sequence[str]],
    warm: Optional[starts.Warm],
    given: Mapping[str, Any],
) -> Result:
    """Problem.optimise()."""
    calls, kept, notes = problem._calls, [], []  # type: ignore[var-annotated]
    begun = starts.warm_text(warm)
    rho = starts.point(problem, x, begun, notes)
    watching = Watching(problem, calls, watch)
    search = specified(problem, given, watching, vary, kept)
    begin_warm(search, begun, kept)
    out = ffi.new("gradyn_search_result *")
    with calls.lock:
        try:
            result = searched(problem, search, problem._reads(rho), out)
            new = [f"warm start: {line}" for line in notes]
            result.findings.extend(line for line in new if line not in result.findings)
            return result
        finally:
            lib.gradyn_search_result_clear(out)


def _judged(calls: Calls, status: int, out: Any) -> int:
    """The status of a search. If arithmetic errors may have stopped the search at its best point, the point
    is no optimum. The errors are added to the reason, which studies record."""
    stopped = status == lib.GRADYN_OK and calls.faulty_points > calls.best_faults
    if stopped:
        status, out.termination = int(lib.GRADYN_STALLED), lib.GRADYN_TERMINATION_FAILED
    shown = "".join(f"; {fault}" for fault in calls.faults)
    if shown:
        reason = "stopped by rejected points, no optimum: " if stopped else ""
        most = ffi.sizeof(out.reason) - 1
        out.reason = (reason + text(out.reason) + shown).encode()[:most]
    return status


def searched(problem: Problem, search: Any, rho: Any, out: Any) -> Result:
    """Runs a search into `out`, which the caller frees. The attribute .result of an exception is the best
    point so far."""
    calls, status = problem._calls, int(lib.GRADYN_INTERRUPTED)
    try:
        status = calls.search(lib.gradyn_optimise, problem._evaluator.c, search, rho, out)
    except BaseException as error:
        if out.rho:
            setattr(error, "result", result_of(problem, status, out[0], text(search.algorithm)))
        raise
    if (
        not out.rho
        or lib.gradyn_status_describe(status).kind == lib.GRADYN_CLASS_MISUSE
        or (status == lib.GRADYN_CALLBACK and isinstance(calls.rejection, ARITHMETIC))  # start rejected
    ):
        calls.fail(failure(status, _joined(out.reason)))
    found = result_of(problem, _judged(calls, status, out), out[0], text(search.algorithm))
    for issued in found.warnings:
        warnings.warn(issued, stacklevel=outside())
    return found
