"""Uncertainty of functionals: mean, variance and Sobol indices from uncertain numbers."""

from __future__ import annotations

import math
import tempfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Mapping, Optional

from . import jobs
from ._c import ffi, lib
from ._structs import copied
from .errors import text

if TYPE_CHECKING:
    from .evaluate import Point, Problem

DISTRIBUTIONS = ("normal", "uniform")


@dataclass(frozen=True)
class UncertainNumber:
    """A number that build() declares by m.uncertain(); mean and standard deviation in its unit."""

    distribution: str  # "normal" or "uniform"
    mean: float
    deviation: float
    unit: str


@dataclass(frozen=True)
class Moments:
    """Mean and variance of a functional in its unit. With draws, the errors are standard errors, otherwise 0.
    nan: not known."""

    mean: float
    variance: float
    mean_error: float
    variance_error: float

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        return math.sqrt(self.variance)


@dataclass(frozen=True)
class SobolIndex:
    """A share of the variance, and its standard error. nan: not known."""

    value: float
    error: float


@dataclass(frozen=True)
class Uncertainty:
    """Uncertainty of all functionals by name. change: change of a functional by one standard deviation of a
    number. A member that was not requested is empty."""

    numbers: dict[str, UncertainNumber]
    value: dict[str, float]  # values at the means of the numbers
    change: dict[str, dict[str, float]]
    first: dict[str, Moments]  # to first order
    second: dict[str, Moments]  # to second order
    unscented: dict[str, Moments]
    sampled: dict[str, Moments]
    main: dict[str, dict[str, SobolIndex]]  # effect of each number by itself
    total: dict[str, dict[str, SobolIndex]]  # effect of each number together with others
    cases: dict[str, dict[str, float]] = field(repr=False)  # unscented points as load cases
    points: int  # draws
    evaluations: int
    missing: int  # evaluations that are not done yet
    failed: int  # evaluations that have failed; moments are computed from the others
    failure: str  # the first failed evaluation: its numbers and the reason
    unsupported: str  # why there are no moments to second order; "": there are
    message: str  # why evaluations are missing; "": none is


def _cases(c: Any) -> dict[str, dict[str, float]]:
    """Load cases in the form that Problem.cases() takes."""
    if not c:
        return {}
    columns = [text(c.columns[i]) for i in range(c.column_count)]
    rows = copied(c.values, c.count, c.column_count)
    return {text(c.names[k]): dict(zip(columns, rows[k].tolist())) for k in range(c.count)}


def _read(out: Any, functionals: list[str], indices: bool) -> Uncertainty:
    n, kept = out.count, [out.number[i] for i in range(out.count)]
    names = [text(c.name) for c in kept]

    def rows(array: Any, one: Any) -> Any:
        return {
            f: {name: one(array[k * n + i]) for i, name in enumerate(names)}
            for k, f in enumerate(functionals)
        }

    def moments(kind: int, requested: Any) -> dict[str, Moments]:
        array = out.moments[kind]
        found = (array[k] for k in range(len(functionals) if requested else 0))
        pairs = zip(functionals, found)
        return {f: Moments(m.mean, m.variance, m.mean_error, m.variance_error) for f, m in pairs}

    def shares(array: Any) -> Any:
        return rows(array, lambda c: SobolIndex(c.value, c.error)) if indices else {}

    second, drawn = moments(lib.GRADYN_MOMENTS_SECOND, True), out.points * (n + 2 if indices else 1)
    known = any(not math.isnan(m.mean) for m in second.values())
    return Uncertainty(
        numbers={
            name: UncertainNumber(DISTRIBUTIONS[c.distribution], c.mean, c.deviation, text(c.unit))
            for name, c in zip(names, kept)
        },
        value=dict(zip(functionals, copied(out.value, len(functionals)).tolist())),
        change=rows(out.change, float),
        first=moments(lib.GRADYN_MOMENTS_FIRST, True),
        second=second if known else {},
        unscented=moments(lib.GRADYN_MOMENTS_UNSCENTED, out.evaluations > drawn),
        sampled=moments(lib.GRADYN_MOMENTS_SAMPLED, out.points),
        main=shares(out.main_index),
        total=shares(out.total_index),
        cases=_cases(out.cases),
        points=out.points,
        evaluations=out.evaluations,
        missing=out.missing,
        failed=out.failed,
        failure=text(out.failure),
        unsupported=text(out.unsupported),
        message=text(out.message),
    )


def uncertainty(
    problem: Problem, x: Optional[Point], folder: Any, count: int, requested: Mapping[str, Any],
    changes: Mapping[str, Any],
) -> Uncertainty:
    """Problem.uncertainty()."""
    kept: list[Any] = []
    rho, spec = problem.point(x, **changes), ffi.new("gradyn_uncertainty_spec *", requested)
    out, functionals = ffi.new("gradyn_uncertainty *"), list(problem.functionals)
    spec.workers = jobs._workers(problem._calls, count, kept)
    with tempfile.TemporaryDirectory(prefix="gradyn-") as temporary:
        spec.folder = jobs._folder(folder, temporary, kept)
        done: Uncertainty = jobs._worked(
            problem, lib.gradyn_uncertainty_compute, lib.gradyn_uncertainty_clear, out,
            lambda status: _read(out, functionals, bool(spec.indices)), (spec, problem._reads(rho)),
        )
    return done
