"""Receding-horizon control."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

import numpy as np

from . import search as search_of
from . import starts
from ._arrays import reads, real
from ._c import ffi, lib
from ._structs import copied, names
from .errors import UsageError, failure, status_name, text

if TYPE_CHECKING:
    from .evaluate import Point, Problem

Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Plan:
    """The plan after a step of a controller. Numbers are in the units of parameters and states."""

    x: Array  # all parameters
    parameters: dict[str, float]  # x by names
    states: Array = field(repr=False)  # [segments, states] at the starts of segments; first the measured one
    fun: float  # objective at the last evaluation, which is the plan if it has converged
    violation: float  # largest, in tolerances; converged and above 1: no near plan keeps a path constraint
    residual: float  # KKT residual, scaled
    moved: float  # largest distance by which a measured state was moved to its bound
    converged: bool
    iterations: int
    evaluations: int  # gradients of the whole horizon
    hessians: int  # second derivatives of the whole horizon
    status: str  # "ok", "invalid", "stalled", ...
    message: str  # why the step has failed, which state was moved, or which path constraint is violated

    @property
    def success(self) -> bool:
        """Whether the step has succeeded. If it has not, the plan is the earlier one, moved by the shift."""
        return self.status == "ok"


class Controller:
    """Plans again from measured states. Made by problem.mpc()."""

    def __init__(
        self,
        problem: Problem,
        x: Optional[Point],
        vary: Optional[Sequence[str]],
        warm: Optional[starts.Warm],
        options: Mapping[str, Any],
    ) -> None:
        calls, kept = problem._calls, []  # type: ignore[var-annotated]
        begun = starts.warm_text(warm)
        self.problem, self._given = problem, np.array(starts.point(problem, x, begun))
        watching = search_of.Watching(problem, calls, None)
        chosen = search_of.specified(problem, options, watching, vary, kept)
        search_of.begin_warm(chosen, begun, kept)
        out = ffi.new("gradyn_mpc **")
        rho = problem._reads(self._given)
        with calls.lock:
            status = calls.run(lib.gradyn_mpc_create, problem._evaluator.c, chosen, rho, out)
            if status:
                calls.fail(failure(status, problem._evaluator.message()))
        self._c = ffi.gc(out[0], lib.gradyn_mpc_free)
        info = lib.gradyn_mpc_read(self._c)
        self._segments, self._states = info.segments, names(info.state, info.state_count)

    @property
    def segments(self) -> int:
        """Number of segments of the horizon."""
        return int(self._segments)

    @property
    def states(self) -> list[str]:
        """Names of the measured states, in their order."""
        return list(self._states)

    def _measured(self, state: Union[Mapping[str, float], Sequence[float], Array]) -> Array:
        """The measured states in their order."""
        if isinstance(state, Mapping):
            if set(state) != set(self._states):
                raise UsageError(f"the measured states are {', '.join(self._states)}, not {', '.join(state)}")
            state = [state[name] for name in self._states]
        measured = np.ascontiguousarray(real(state, "the measured state"), dtype=np.float64)
        if measured.shape != (len(self._states),):
            raise UsageError(f"{len(self._states)} states are measured, not an array of {measured.shape}")
        return measured

    def step(
        self,
        state: Union[Mapping[str, float], Sequence[float], Array],
        /,
        *,
        shift: int = 1,
        iterations: int = 0,
        **given: Any,
    ) -> Plan:
        """Moves the plan by `shift` segments and improves it for a measured state, by name or in the order of
        .states, in their units. iterations: number of iterations; 0: until the plan converges; 1: the
        real-time form. given: new values of parameters that are not planned, such as a goal. A step that
        fails returns the moved plan: see .success and .message."""
        measured, calls = self._measured(state), self.problem._calls
        rho = self.problem.point(self._given, **given)
        with calls.lock:
            status = calls.run(
                lib.gradyn_mpc_step,
                *(self._c, reads(measured, *measured.shape), self.problem._reads(rho)),
                *(shift, iterations),
            )
            plan = self._plan(status)
        if lib.gradyn_status_describe(status).kind == lib.GRADYN_CLASS_FATAL:
            calls.fail(failure(status, plan.message))
        self._given = rho
        return plan

    @property
    def plan(self) -> Plan:
        """The present plan: that of the last step, or the first guess."""
        with self.problem._calls.lock:
            return self._plan(lib.GRADYN_OK)

    def _plan(self, status: int) -> Plan:
        i = lib.gradyn_mpc_read(self._c)
        x = copied(i.rho, len(self._given))
        return Plan(
            x=x,
            parameters=dict(zip(self.problem.parameters, x.tolist())),
            states=copied(i.states, self.segments, len(self._states)),
            fun=i.objective,
            violation=i.violation,
            residual=i.residual,
            moved=i.moved,
            converged=bool(i.converged),
            iterations=i.iterations,
            evaluations=i.evaluations,
            hessians=i.hessians,
            status=status_name(status),
            message=text(i.message),
        )
