"""Optimal experiments: times and weights of measurements."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence

import numpy as np

from . import search
from ._c import ffi, lib
from ._structs import copied
from .errors import UsageError
from .inference import Undetermined

if TYPE_CHECKING:
    from .evaluate import Point, Problem

CRITERIA = ("D", "A")


@dataclass(frozen=True)
class Support:
    """A point of an optimal experiment: the time, s, at which a fit is measured, the weight (its share of all
    measurements), and the whole number of measurements there."""

    fit: str
    time: float
    weight: float
    number: int


@dataclass(frozen=True)
class Experiment:
    """Optimal measurements, and the standard deviations of parameters that they give, in the units of the
    parameters. nan: not determined, or there are no data."""

    support: list[Support]
    criterion: float  # "D": ln det of the information of a measurement; "A": scaled variances times N
    gap: float  # 0: by the equivalence theorem, no weights of the candidates are better
    candidates: int
    data: int
    measurements: int
    data_efficiency: float
    rounded_efficiency: float
    deviation: dict[str, float]
    data_deviation: dict[str, float] = field(repr=False)  # deviations that the present data give
    scale: dict[str, float] = field(repr=False)  # scales of the parameters in criterion "A"
    weighted: bool  # False: deviations are for data with the standard deviation 1
    undetermined: list[Undetermined]


def _read(problem: Problem, out: Any) -> Experiment:
    names, functionals, p = list(problem.parameters), list(problem.functionals), out.parameters
    scale = copied(out.scale, p)
    free = np.flatnonzero(~np.isnan(scale)).tolist()

    def by_name(array: Any) -> dict[str, float]:
        return {names[j]: float(array[j]) for j in free}

    return Experiment(
        support=[
            Support(functionals[s.fit], s.time, s.weight, s.number)
            for s in (out.support[k] for k in range(out.supports))
        ],
        criterion=out.criterion,
        gap=out.gap,
        candidates=out.candidates,
        data=out.data,
        measurements=out.measurements,
        data_efficiency=out.data_efficiency,
        rounded_efficiency=out.rounded_efficiency,
        deviation=by_name(out.deviation),
        data_deviation=by_name(out.data_deviation),
        scale=by_name(scale),
        weighted=bool(out.weighted),
        undetermined=[
            Undetermined(
                {names[j]: v for j, v in enumerate(copied(d.change, p).tolist()) if v}, np.inf
            )
            for d in (out.direction[k] for k in range(out.directions))
        ],
    )


def design(
    problem: Problem, x: Optional[Point], criterion: str, requested: Mapping[str, Any],
    vary: Optional[Sequence[str]], changes: Mapping[str, Any],
) -> Experiment:
    """Problem.doe()."""
    if criterion not in CRITERIA:
        raise UsageError(f"criterion {criterion!r}: use one of {', '.join(CRITERIA)}")
    kept: list[Any] = []
    chosen = search.specified(problem, {}, search.Watching(problem, problem._calls, None), vary, kept)
    rho, out = problem.point(x, **changes), ffi.new("gradyn_experiment *")
    spec = ffi.new("gradyn_experiment_spec *", {**requested, "criterion": CRITERIA.index(criterion)})
    calls = problem._calls
    with calls.lock:
        try:
            problem._check(
                calls.run(
                    lib.gradyn_experiment_compute, problem._evaluator.c, chosen, spec,
                    problem._reads(rho), out,
                )
            )
            return _read(problem, out)
        finally:
            lib.gradyn_experiment_clear(out)
