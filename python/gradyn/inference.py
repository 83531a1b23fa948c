"""Statements about fitted parameters from the data: covariances, intervals, tests of residuals."""

from __future__ import annotations

import math
import tempfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence

import numpy as np

from . import jobs, search
from ._c import ffi, lib
from ._structs import copied
from .errors import failure, text
from .gradient import place

if TYPE_CHECKING:
    from .evaluate import Point, Problem

Array = np.ndarray[Any, np.dtype[np.float64]]
PROFILE_ENDS = ("closed", "open at bound", "open", "failed", "unfinished")
KINDS = ("determined", "fixed", "at lower bound", "at upper bound", "not determined")


@dataclass(frozen=True)
class Undetermined:
    """A direction that the data do not determine: changes of parameters in their units. `deviation` is the
    standard deviation as a multiple of this change; inf: the fit does not change; nan: a parameter is at its
    bound."""

    change: dict[str, float]
    deviation: float


@dataclass(frozen=True)
class ResidualTests:
    """Tests of the residuals u of a fit at the times t, in units of their standard deviations. nan: too few
    data."""

    data: int
    square_sum: float
    mean: float
    correlation: float  # correlation of successive residuals
    runs_probability: float
    normal_probability: float
    largest: str  # functional of the largest residual
    t: Array = field(repr=False)  # s
    u: Array = field(repr=False)
    measured: Array = field(repr=False)  # in the unit of the measure
    sigma: Array = field(repr=False)  # standard deviations of the data, in this unit

    @property
    def model(self) -> Array:
        """The measure at the times of the data, in its unit."""
        return self.measured + self.sigma * self.u


@dataclass(frozen=True)
class Inference:
    """Statements about the varied parameters from the data, in the units of the parameters. nan: not defined,
    see `kind`."""

    names: list[str]  # names of the varied parameters, which are the rows of matrices
    x: Array
    kind: dict[str, str]
    deviation: dict[str, float]
    interval: dict[str, tuple[float, float]]  # 95 % confidence limits
    covariance: Array = field(repr=False)
    correlation: Array = field(repr=False)
    data: int
    estimated: int
    objective: float
    variance: float  # variance of residuals, a factor of the covariance; 1: deviations are given
    degrees: float  # degrees of freedom of the intervals; inf: the normal distribution
    robust: bool
    square_probability: float
    undetermined: list[Undetermined]
    tests: dict[str, ResidualTests]
    functional_deviation: dict[str, float] = field(repr=False)  # standard deviations to first order


@dataclass(frozen=True)
class Profile:
    """The profile of a parameter: smallest objective for each fixed value, by ascending values in its unit.
    z: distance from the estimate in standard deviations, negative below it."""

    estimate: float
    interval: tuple[float, float]  # 95 % confidence limits; nan: open
    ends: tuple[str, str]  # "closed", "open at bound", "open", "failed" or "unfinished"
    value: Array = field(repr=False)
    objective: Array = field(repr=False)
    z: Array = field(repr=False)
    x: Array = field(repr=False)  # [values, parameters]


@dataclass(frozen=True)
class Profiles:
    """Profiles of parameters by name, and the fit; numbers in their units. least: smallest objective of all
    points; if it is below `objective`, the fit is no minimum."""

    x: Array
    objective: float
    least: float
    evaluations: int
    profiles: dict[str, Profile]
    message: str  # why profiles are unfinished; "": none is

    def __getitem__(self, parameter: str) -> Profile:
        return self.profiles[parameter]


def _profile(c: Any, x: Array) -> Profile:
    sides = ((c.below, -1.0), (c.above, 1.0))
    rows = [
        (q.value, q.objective, sign * q.z, copied(q.rho, len(x)))
        for side, sign in sides
        for q in (side.point[k] for k in range(side.count))
    ]
    rows = sorted(rows, key=lambda row: float(row[0]))
    value, objective, z = (np.array([row[i] for row in rows]) for i in range(3))
    ends = (PROFILE_ENDS[c.below.end], PROFILE_ENDS[c.above.end])
    points = np.array([row[3] for row in rows]).reshape(-1, len(x))
    return Profile(
        x[c.parameter], (c.below.limit, c.above.limit), ends, value, objective, z, points
    )


def profile(
    problem: Problem, parameters: Optional[Sequence[str]], x: Optional[Point], folder: Any, count: int,
    vary: Optional[Sequence[str]], options: Mapping[str, Any],
) -> Profiles:
    """Problem.profile()."""
    kept: list[Any] = []
    rho, spec = problem.point(x), ffi.new("gradyn_profile_spec *")
    out, names = ffi.new("gradyn_profile_result *"), list(problem.parameters)
    watching = search.Watching(problem, problem._calls, None)
    chosen = search.specified(problem, options, watching, vary, kept)
    if parameters is not None:
        places = [place(problem.parameters, name, "parameter") for name in parameters]
        kept.append(ffi.new("size_t[]", places))
        spec.parameter, spec.count = kept[-1], len(places)
    spec.workers = jobs._workers(problem._calls, count, kept)

    def read(status: int) -> Profiles:
        if not out.rho:
            raise failure(status, text(out.message))
        best = copied(out.rho, len(names))
        found = [out.profile[k] for k in range(out.count)]
        return Profiles(
            best, out.objective, out.least, out.evaluations,
            {names[c.parameter]: _profile(c, best) for c in found}, text(out.message),
        )

    with tempfile.TemporaryDirectory(prefix="gradyn-") as temporary:
        spec.folder = jobs._folder(folder, temporary, kept)
        done: Profiles = jobs._worked(
            problem, lib.gradyn_profile_compute, lib.gradyn_profile_result_clear, out, read,
            (chosen, spec, problem._reads(rho)),
        )
    return done


def _tests(problem: Problem, out: Any, test: Any) -> ResidualTests:
    infos = [lib.gradyn_functional_at(problem._evaluator.c, k) for k in range(out.functionals)]
    own = [k for k, f in enumerate(infos) if f.use == lib.GRADYN_RESIDUAL and f.fit == test.fit]
    rows = [(infos[k].time, out.u[k], infos[k].value, infos[k].deviation) for k in own]
    columns = np.array(rows).reshape(-1, 4).T
    return ResidualTests(
        test.count, test.square_sum, test.mean, test.correlation, test.runs_probability,
        test.normal_probability, list(problem.functionals)[test.largest], *columns,
    )


def infer(
    problem: Problem, x: Optional[Point], vary: Optional[Sequence[str]], changes: Mapping[str, Any]
) -> Inference:
    """Problem.infer()."""
    kept: list[Any] = []
    chosen = search.specified(problem, {}, search.Watching(problem, problem._calls, None), vary, kept)
    out = ffi.new("gradyn_inference *")
    evaluator = problem._evaluator.c
    names, functionals, rho = list(problem.parameters), list(problem.functionals), problem.point(x, **changes)

    def read() -> Inference:
        p = out.parameters
        free = [j for j in range(p) if out.kind[j] != lib.GRADYN_ESTIMATE_FIXED]
        place = np.ix_(free, free)
        lower, upper = copied(out.lower, p), copied(out.upper, p)
        unknown = [
            Undetermined(
                {names[j]: v for j, v in enumerate(copied(d.change, p).tolist()) if v}, d.deviation
            )
            for d in (out.direction[k] for k in range(out.directions))
        ]
        return Inference(
            names=[names[j] for j in free],
            x=np.asarray(rho)[free],
            kind={names[j]: KINDS[out.kind[j]] for j in free},
            deviation={names[j]: out.deviation[j] for j in free},
            interval={names[j]: (lower[j], upper[j]) for j in free},
            covariance=copied(out.covariance, p, p)[place],
            correlation=copied(out.correlation, p, p)[place],
            data=out.data,
            estimated=out.estimated,
            objective=out.objective,
            variance=out.variance,
            degrees=out.degrees if out.degrees < 1e300 else math.inf,
            robust=bool(out.robust),
            square_probability=out.square_probability,
            undetermined=unknown,
            tests={
                functionals[t.fit]: _tests(problem, out, t) for t in (out.tests[k] for k in range(out.fits))
            },
            functional_deviation=dict(
                zip(functionals, copied(out.functional_deviation, out.functionals).tolist())
            ),
        )

    calls = problem._calls
    with calls.lock:
        try:
            run = calls.run(
                lib.gradyn_inference_compute, evaluator, chosen, problem._reads(rho), out
            )
            problem._check(run)
            return read()
        finally:
            lib.gradyn_inference_clear(out)
