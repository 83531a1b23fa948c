"""Analyses of a model at a point: equilibria, linearisations, orbits, covariances, regulators, checks.
Matrices are numpy arrays in SI units of their rows and columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Sequence

import numpy as np

from ._arrays import real, reads, writes
from ._c import ffi, lib
from ._structs import copied, names
from .errors import FatalError, UsageError, failure, status_name, text
from .trajectory import Event, Trajectory, event

if TYPE_CHECKING:
    from .evaluate import Point, Problem

Array = np.ndarray[Any, np.dtype[np.float64]]
STABILITY = ("stable", "neutral", "unstable")
MOTION = ("equilibrium", "steady", "transient")


@dataclass(frozen=True)
class Linearisation:
    """(y, w, z)' = A (y, w, z) + B u and q = Z (y, z), for small deviations from a state at the time t (s).

    For a "steady" motion, deviations are relative to the moving frame. `unsteady`: why the kind is
    "transient"."""

    t: float
    motion: str  # "equilibrium", "steady" or "transient"
    unsteady: str
    coordinates: list[str]  # y: independent coordinates, as columns of trajectories
    rates: list[str]  # w: independent rates of y; with nonholonomic constraints, fewer than y
    states: list[str]  # z: first-order states
    inputs: list[str]  # u: signals
    A: Array
    B: Array
    Z: Array
    eigenvalues: np.ndarray[Any, Any]  # eigenvalues of A, 1/s, by ascending magnitude
    modes: np.ndarray[Any, Any]  # [eigenvalues, q]
    stiffness: float  # smallest eigenvalue of the reduced stiffness relative to the mass, 1/s^2
    largest: float


@dataclass(frozen=True)
class Equilibrium:
    """A static equilibrium: its kind ("stable", "neutral" or "unstable"), its state, and the linearisation
    about it."""

    stability: str
    state: Trajectory  # a trajectory with one step
    linear: Linearisation
    totals: dict[str, float]  # totals that general equations conserve, with their values


@dataclass(frozen=True)
class Transition:
    """The effect of small disturbances at the start on the state at the end: matrix [end, start]. names: the
    states, each in its unit."""

    names: list[str]
    start: Array
    end: Array
    matrix: Array


@dataclass(frozen=True)
class Orbit:
    """A periodic orbit; period in s. multipliers: Floquet multipliers, dimensionless, by descending
    magnitude."""

    transition: Transition  # over one period; its matrix is the monodromy matrix
    period: float  # s
    multipliers: np.ndarray[Any, Any]
    start_slope: Array  # [states, parameters]
    period_slope: Array  # [parameters], s over the parameter's unit
    events: list[Event]
    iterations: int
    gap: float  # largest |end - start|, divided by the largest state


@dataclass(frozen=True)
class Covariance:
    """Covariance along a run: at each time, factor factor^T is the matrix of states, then measures, in their
    units."""

    t: Array  # s
    names: list[str]
    units: list[str]
    factor: Array  # [times, states, rank]
    psi: dict[str, float]
    deviation: dict[str, float]  # standard deviations of functionals, each in its unit
    functional_factor: Array  # [functionals, rank]

    def matrix(self, row: int = -1) -> Array:
        """The covariance matrix of states and measures at time number `row` of t."""
        product: Array = self.factor[row] @ self.factor[row].T
        return product


@dataclass(frozen=True)
class Regulator:
    """Gains K and cost-to-go P along a run: du = -K dx, with the least cost dx^T P dx. Times are in s, states
    and signals in their units."""

    t: Array  # s
    states: list[str]
    inputs: list[str]
    x: Array  # [times, states]
    u: Array  # [times, inputs]
    gain: Array  # [times, inputs, states]
    cost: Array  # [times, states, states]


@dataclass(frozen=True)
class Filter:
    """Estimates of the differential states at the times of data, each in its unit. Arrays of data are in the
    order of time."""

    t: Array  # s
    states: list[str]
    units: list[str]
    predicted: Array  # [times, states] before the data of each time are used
    predicted_covariance: Array  # [times, states, states]
    estimate: Array  # [times, states] after the data of each time are used
    covariance: Array  # [times, states, states]
    data: list[str]  # names of the data, as those of functionals
    data_t: Array  # [data] s
    value: Array  # [data]
    expected: Array  # [data] expected value of each datum before it is used
    innovation: Array  # [data] value - expected
    normalised: Array  # [data] independent and standard normal, if the model is right
    innovation_covariance: list[Array]  # for each time, the covariance of its innovations
    minus_log_likelihood: float


@dataclass(frozen=True)
class CheckItem:
    """A comparison of a derivative with an independent computation. Errors are relative and dimensionless."""

    name: str
    route: str
    error: float  # largest relative error
    tolerance: float
    passed: bool
    kink: bool
    skipped: int
    reason: str


@dataclass(frozen=True)
class Check:
    """All comparisons; the one with the largest error is last. The object is true if all pass."""

    passed: bool
    status: str
    items: list[CheckItem]

    def __bool__(self) -> bool:
        return self.passed


def _texts(values: Sequence[str], kept: list[Any]) -> Any:
    if isinstance(values, str):
        values = [values]
    kept += [ffi.new("char[]", v.encode()) for v in values]
    kept.append(ffi.new("char *[]", kept[len(kept) - len(values) :]))
    return kept[-1]


def _matrix(values: Any, size: int, what: str, kept: list[Any]) -> Any:
    """A square matrix; a vector is the diagonal of one."""
    given = real(values, what)
    full = np.ascontiguousarray(np.diag(given) if given.ndim == 1 else given)
    if full.shape != (size, size):
        needed = f"{size} numbers or a matrix of {size} by {size}"
        raise UsageError(f"{what} has to be {needed}, not {given.shape}")
    kept.append(full)
    return reads(full, size, size)


def _called(
    problem: Problem, function: Any, x: Optional[Point], changes: Mapping[str, Any], clear: Any, out: Any,
    read: Callable[[], Any], *more: Any
) -> Any:
    """Calls an analysis at a point, reads its result, and frees the result of C."""
    rho, calls, made = problem.point(x, **changes), problem._calls, problem._evaluator
    with calls.lock:
        try:
            status = calls.run(function, made.c, problem._reads(rho), *more)
            problem._check(status)
            return read()
        finally:
            clear(out)


def _columns(problem: Problem, pointer: Any, count: int) -> list[str]:
    evaluator = problem._evaluator.c
    return [text(lib.gradyn_coordinate_at(evaluator, pointer[i]).name) for i in range(count)]


def _linearisation(problem: Problem, c: Any) -> Linearisation:
    size, evaluator = c.dof + c.rates + c.states, problem._evaluator.c
    signals = [text(lib.gradyn_signal_at(evaluator, i).name) for i in range(c.inputs)]
    shape = copied(c.shape, size, 2, c.n)
    return Linearisation(
        t=c.t,
        motion=MOTION[c.motion],
        unsteady=text(c.unsteady),
        coordinates=_columns(problem, c.coordinate, c.dof),
        rates=_columns(problem, c.rate, c.rates),
        states=_columns(problem, c.state, c.states),
        inputs=signals,
        A=copied(c.A, size, size),
        B=copied(c.B, size, c.inputs),
        Z=copied(c.Z, c.dof + c.states, c.n),
        eigenvalues=copied(c.real, size) + 1j * copied(c.imag, size),
        modes=shape[:, 0] + 1j * shape[:, 1],
        stiffness=c.stiffness,
        largest=c.largest,
    )


def linearise(
    problem: Problem, x: Optional[Point], at_end: bool, changes: Mapping[str, Any]
) -> Linearisation:
    """Problem.linearise()."""
    out = ffi.new("gradyn_linearisation *")
    found: Linearisation = _called(
        problem, lib.gradyn_evaluator_linearise, x, changes, lib.gradyn_linearisation_clear, out,
        lambda: _linearisation(problem, out[0]), bool(at_end), out,
    )
    return found


def equilibrium(problem: Problem, x: Optional[Point], changes: Mapping[str, Any]) -> Equilibrium:
    """Problem.equilibrium()."""
    out, stability = ffi.new("gradyn_linearisation *"), ffi.new("gradyn_stability *")
    pointer = lib.gradyn_trajectory_create()
    if not pointer:
        raise FatalError("out of memory")
    state = ffi.gc(pointer, lib.gradyn_trajectory_free)

    def read() -> Equilibrium:
        rho = problem.point(x, **changes)
        motion = Trajectory(state, {}, rho)
        totals = {text(out.total[i]): float(out.total_value[i]) for i in range(out.totals)}
        return Equilibrium(STABILITY[stability[0]], motion, _linearisation(problem, out[0]), totals)

    found: Equilibrium = _called(
        problem, lib.gradyn_equilibrium_compute, x, changes, lib.gradyn_linearisation_clear, out, read,
        stability, state, out,
    )
    return found


def _transition(c: Any) -> Transition:
    n = c.size
    return Transition(names(c.name, n), copied(c.start, n), copied(c.end, n), copied(c.matrix, n, n))


def transition(
    problem: Problem, x: Optional[Point], preferred_coordinates: Sequence[str], changes: Mapping[str, Any]
) -> Transition:
    """Problem.transition()."""
    kept: list[Any] = []
    out = ffi.new("gradyn_transition *")
    found: Transition = _called(
        problem, lib.gradyn_transition_compute, x, changes, lib.gradyn_transition_clear, out,
        lambda: _transition(out[0]), _texts(preferred_coordinates, kept), len(preferred_coordinates), out,
    )
    return found


def orbit(
    problem: Problem, x: Optional[Point], options: Mapping[str, Any], changes: Mapping[str, Any]
) -> Orbit:
    """Problem.orbit()."""
    kept: list[Any] = []
    spec, out = ffi.new("gradyn_orbit_spec *"), ffi.new("gradyn_orbit *")
    preferred_coordinates = options["preferred_coordinates"]
    spec.preferred_coordinates = _texts(preferred_coordinates, kept)
    spec.preferred_count = len(preferred_coordinates)
    spec.fixed_period, spec.max_iterations = options["fixed_period"], options["max_iterations"]
    spec.returns = options["returns"]
    if options["section"] is not None:
        kept.append(ffi.new("char[]", options["section"].encode()))
        spec.section = kept[-1]
    parameters = len(problem.parameters)

    def read() -> Orbit:
        n = out.transition.size
        pairs = copied(out.multiplier, n, 2)
        return Orbit(
            _transition(out.transition), out.period, pairs[:, 0] + 1j * pairs[:, 1],
            copied(out.start_slope, n, parameters), copied(out.period_slope, parameters),
            [event(out.event[i]) for i in range(out.event_count)], out.iterations, out.gap,
        )

    found: Orbit = _called(
        problem, lib.gradyn_orbit_compute, x, changes, lib.gradyn_orbit_clear, out, read, spec, out
    )
    return found


def covariance(
    problem: Problem, x: Optional[Point], sources: Mapping[str, float], matrix: Any, samples: int,
    changes: Mapping[str, Any],
) -> Covariance:
    """Problem.covariance()."""
    kept: list[Any] = []
    spec, out = ffi.new("gradyn_covariance_spec *"), ffi.new("gradyn_covariance *")
    given = [value**2 for value in sources.values()] if matrix is None else matrix
    spec.name, spec.count = _texts(list(sources), kept), len(sources)
    spec.matrix, spec.samples = _matrix(given, len(sources), "matrix", kept), samples
    functionals = list(problem.functionals)
    psi = np.empty(len(functionals))

    def read() -> Covariance:
        n, rank = out.states, out.rank
        deviations = copied(out.deviation, out.functionals).tolist()
        return Covariance(
            copied(out.t, out.rows), names(out.name, n), names(out.unit, n),
            copied(out.factor, out.rows, n, rank), dict(zip(functionals, psi.tolist())),
            dict(zip(functionals, deviations)), copied(out.functional, out.functionals, rank),
        )

    found: Covariance = _called(
        problem, lib.gradyn_covariance_compute, x, changes, lib.gradyn_covariance_clear, out, read,
        spec, writes(psi, len(psi)), ffi.NULL, out,
    )
    return found


def _weights(weights: Any, given: Mapping[str, float], kept: list[Any]) -> None:
    if len(given):
        weights.name, weights.count = _texts(list(given), kept), len(given)
        weights.matrix = _matrix(list(given.values()), len(given), "weights", kept)


def regulator(
    problem: Problem, x: Optional[Point], weights: Mapping[str, Mapping[str, float]],
    preferred_coordinates: Sequence[str],
    samples: int, changes: Mapping[str, Any],
) -> Regulator:
    """Problem.regulator()."""
    kept: list[Any] = []
    spec, out = ffi.new("gradyn_regulator_spec *"), ffi.new("gradyn_regulator *")
    for name, given in weights.items():
        _weights(getattr(spec, name), given, kept)
    spec.preferred_coordinates = _texts(preferred_coordinates, kept)
    spec.preferred_count, spec.samples = len(preferred_coordinates), samples

    def read() -> Regulator:
        rows, n, m = out.rows, out.states, out.inputs
        return Regulator(
            copied(out.t, rows), names(out.state, n), names(out.input, m), copied(out.x, rows, n),
            copied(out.u, rows, m), copied(out.gain, rows, m, n), copied(out.cost, rows, n, n),
        )

    found: Regulator = _called(
        problem, lib.gradyn_regulator_compute, x, changes, lib.gradyn_regulator_clear, out, read, spec, out
    )
    return found


def filter_data(
    problem: Problem, x: Optional[Point], initial: Mapping[str, float], noise: Mapping[str, float],
    added: Mapping[str, float], changes: Mapping[str, Any],
) -> Filter:
    """Problem.filter()."""
    kept: list[Any] = []
    spec, out = ffi.new("gradyn_filter_spec *"), ffi.new("gradyn_filter *")
    _weights(spec.initial, {name: deviation**2 for name, deviation in initial.items()}, kept)
    _weights(spec.noise, noise, kept)
    _weights(spec.added, {name: deviation**2 for name, deviation in added.items()}, kept)
    functionals = list(problem.functionals)

    def read() -> Filter:
        rows, n = out.rows, out.states
        data, first, block = out.datum[0 : out.data], out.first[0 : rows + 1], out.block[0 : rows + 1]
        S = copied(out.innovation_covariance, block[rows])
        sizes = [first[k + 1] - first[k] for k in range(rows)]

        def column(name: str) -> Array:
            return np.array([getattr(d, name) for d in data])

        return Filter(
            copied(out.t, rows), names(out.name, n), names(out.unit, n), copied(out.predicted, rows, n),
            copied(out.predicted_covariance, rows, n, n), copied(out.estimate, rows, n),
            copied(out.covariance, rows, n, n), [functionals[d.functional] for d in data], column("t"),
            column("value"), column("predicted"), column("innovation"), column("normalised"),
            [S[block[k] : block[k + 1]].reshape(sizes[k], sizes[k]) for k in range(rows)],
            out.minus_log_likelihood,
        )

    found: Filter = _called(
        problem, lib.gradyn_filter_compute, x, changes, lib.gradyn_filter_clear, out, read, spec, out
    )
    return found


CAPACITY = 4096  # comparisons of a check


def check(problem: Problem, x: Optional[Point], max_seconds: float, changes: Mapping[str, Any]) -> Check:
    """Problem.check()."""
    rho, calls = problem.point(x, **changes), problem._calls
    items, count = ffi.new("gradyn_check_item[]", CAPACITY), ffi.new("size_t *")
    limits = ffi.new("gradyn_check_limits *", {"max_seconds": max_seconds})
    evaluator = problem._evaluator
    with calls.lock:
        function, c_rho = lib.gradyn_evaluator_check, problem._reads(rho)
        status = calls.run(function, evaluator.c, c_rho, limits, items, CAPACITY, count)
        if status not in (lib.GRADYN_OK, lib.GRADYN_CHECK_FAILED):
            calls.fail(failure(status, evaluator.message()))
    found = [
        CheckItem(
            text(i.name), text(i.route), i.error, i.tolerance, bool(i.passed), bool(i.kink), i.skipped,
            text(i.reason),
        )
        for i in items[0 : count[0]]
    ]
    return Check(status == lib.GRADYN_OK, status_name(status), found)
