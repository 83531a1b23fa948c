"""Fitting parameters to measured motions: residuals and their Jacobian for scipy.optimize.least_squares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

import numpy as np

from ._arrays import real, reads, writes
from ._c import lib
from .errors import UsageError
from .gradient import place

if TYPE_CHECKING:
    from .evaluate import Point, Problem

Array = np.ndarray[Any, np.dtype[np.float64]]
Deviation = Union[float, Sequence[float], Array]


class Sensitivities:
    """States at given times, and their derivatives with respect to parameters: y [times, states] and dy
    [times, states, parameters], each in the state's unit over the parameter's."""

    def __init__(self, t: Array, names: list[str], parameters: list[str], y: Array, dy: Array) -> None:
        self.t, self.names, self.parameters, self.y, self.dy = t, names, parameters, y, dy

    def __getitem__(self, key: tuple[str, str]) -> Array:
        """The derivatives of a state with respect to a parameter at the times: s["2.x", "Ls1"]."""
        state = place(dict.fromkeys(self.names), key[0], "state")
        derivative: Array = self.dy[:, state, place(dict.fromkeys(self.parameters), key[1], "parameter")]
        return derivative


def sensitivities(
    problem: Problem, times: Any, x: Optional[Point], changes: Mapping[str, Any]
) -> Sensitivities:
    """Problem.sensitivities()."""
    rho, made = problem.point(x, **changes), problem._evaluator
    t = np.atleast_1d(real(times, "times"))
    if t.ndim != 1 or not len(t):
        raise UsageError("times have to be a row of numbers")
    names = problem.state_names()
    parameters = list(made.parameters)
    y, dy = np.empty((len(t), len(names))), np.empty((len(t), len(names), len(parameters)))
    with problem._calls.lock:
        given = problem._reads(rho), reads(t, len(t)), len(t)
        out = writes(y, *y.shape), writes(dy, *dy.shape)
        problem._check(problem._calls.run(lib.gradyn_sensitivities_compute, made.c, *given, *out))
    return Sensitivities(t, names, parameters, y, dy)


class Fit:
    """Residuals (model - measured)/deviation of columns at given times, column by column. All requests at a
    point share one run."""

    def __init__(
        self, problem: Problem, times: Any, measured: Mapping[str, Any], deviation: Mapping[str, Deviation]
    ) -> None:
        from .adapters import varied

        self.problem, self.times = problem, real(times, "times")
        self.names, self.places, self.x0, self.bounds = varied(problem)
        self.start = problem.x0
        known = dict.fromkeys(problem.state_names())
        self.columns = [place(known, name, "state") for name in measured]
        self.data = [self._row(name, values) for name, values in measured.items()]
        self.scale = [self._scale(name, deviation.get(name, 1.0)) for name in measured]
        for name in deviation:
            if name not in measured:
                raise UsageError(f"there is a deviation of {name!r}, but no measurement of it")
        self._known: Optional[tuple[bytes, Array, Array]] = None

    def _row(self, name: str, values: Any) -> Array:
        row: Array = real(values, name)
        if row.shape != self.times.shape or not np.isfinite(row).all():
            needed = f"{len(self.times)} finite numbers, one for each time"
            raise UsageError(f"of {name} there have to be {needed}")
        return row

    def _scale(self, name: str, value: Deviation) -> Array:
        given = real(value, name)
        if given.shape not in {(), self.times.shape}:
            raise UsageError(f"the deviation of {name} has to be one number, or one for each time")
        scale: Array = np.broadcast_to(given, self.times.shape)
        if not (scale > 0).all():
            raise UsageError(f"the deviation of {name} has to be positive, not {value}")
        return scale

    def full(self, z: Any) -> Array:
        """All parameters. z: values of the parameters that are not fixed."""
        x = self.start.copy()
        x[self.places] = z
        return x

    def _at(self, z: Any) -> tuple[Array, Array]:
        key = np.asarray(z, dtype=np.float64).tobytes()
        if self._known is None or self._known[0] != key:
            s = sensitivities(self.problem, self.times, self.full(z), {})
            rows = zip(self.columns, self.data, self.scale)
            residuals = [(s.y[:, k] - data) / scale for k, data, scale in rows]
            scales = zip(self.columns, self.scale)
            slopes = [s.dy[:, k][:, self.places] / scale[:, None] for k, scale in scales]
            self._known = key, np.concatenate(residuals), np.concatenate(slopes)
        return self._known[1], self._known[2]

    def fun(self, z: Any) -> Array:
        """The residuals."""
        return self._at(z)[0]

    def jac(self, z: Any) -> Array:
        """The derivatives of the residuals with respect to z."""
        return self._at(z)[1]


def least_squares(
    problem: Problem, times: Any, measured: Mapping[str, Any], deviation: Mapping[str, Deviation]
) -> dict[str, Any]:
    """Problem.least_squares()."""
    fit = Fit(problem, times, measured, deviation)
    lower, upper = zip(*fit.bounds)
    return {"fun": fit.fun, "x0": fit.x0, "jac": fit.jac, "bounds": (lower, upper)}
