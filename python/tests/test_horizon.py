"""Receding-horizon control: plans agree with a least-squares solution, and after a failure the
moved plan remains."""

from __future__ import annotations

import gc
import math
from typing import Any

import gradyn
import numpy as np
import pytest

KNOTS = 10
PARAMS = {
    "u": gradyn.Param(0, "N", -50, 50, count=KNOTS, role="control"),
    "goal": gradyn.Param(0, "m", -9, 9, fixed=True),
}


def build(m: gradyn.Model, p: Any) -> None:
    """A mass that a force brings to rest at a goal with minimal effort."""
    force = m.signal("force", "N", "piecewise-constant", knots=p.u)
    m.state("x", "m", 1)
    m.state("v", "m/s", 0)
    m.equations(residual=lambda at: [at.yp[0] - at.y[1], at.yp[1] - at.u[0]])
    m.minimise(m.functional("effort", m.measure_signal("", force), "square-integral"))
    goal = {"goal": (p.goal, "m")}
    off = m.custom_functional("x_end", "m", terminal=lambda at: at.y[0] - at.data.goal, data=goal)
    v = m.custom_functional("v_end", "m/s", terminal=lambda at: at.y[1])
    m.constrain(off, lower=0, upper=0, tolerance=1e-8)
    m.constrain(v, lower=0, upper=0, tolerance=1e-8)


mass = gradyn.problem(params=PARAMS, t_end=1.0)(build)


def least(x: float, v: float, goal: float = 0) -> Any:
    """The forces by least squares: x + v + sum of u_k h (1 - (k + 1/2) h) = goal, v + sum of u_k
    h = 0."""
    h = 1 / KNOTS
    rows = np.array([h * (1 - (np.arange(KNOTS) + 0.5) * h), np.full(KNOTS, h)])
    return np.linalg.lstsq(rows, np.array([goal - x - v, -v]), rcond=None)[0]


def test_plans_are_those_of_least_squares() -> None:
    control = mass.mpc(segments=KNOTS)
    assert control.states == ["x", "v"] and control.segments == KNOTS
    plan = control.step([1.5, -0.3], shift=0)
    assert plan.success and plan.converged and plan.message == "" and plan.hessians > 0
    assert np.allclose(plan.x[:KNOTS], least(1.5, -0.3), atol=1e-5)
    assert np.array_equal(plan.states[0], [1.5, -0.3]) and plan.states.shape == (KNOTS, 2)
    assert plan.parameters["u[3]"] == plan.x[3]
    plan = control.step({"v": 0.2, "x": 1.1}, goal=0.5)
    assert plan.success and np.allclose(plan.x[:KNOTS], least(1.1, 0.2, 0.5), atol=1e-5)
    assert plan.parameters["goal"] == 0.5
    # The goal does not change and the problem is quadratic. One iteration therefore suffices, up
    # to the effect of the barrier.
    once = control.step([1.0, 0.1], iterations=1)
    assert once.iterations == 1 and np.allclose(once.x[:KNOTS], least(1.0, 0.1, 0.5), atol=1e-3)
    assert np.array_equal(control.plan.x, once.x)


def test_a_controller_begins_with_a_result() -> None:
    result = mass.optimise(segments=KNOTS, hessian=True)
    first = mass.mpc(warm=result, segments=KNOTS).plan
    assert np.array_equal(first.x, result.x)
    assert first.status == "ok" and not first.converged and math.isnan(first.fun)


def test_a_controller_outlives_the_name_of_its_problem() -> None:
    control = gradyn.problem(params=PARAMS, t_end=1.0)(build).mpc(segments=KNOTS)
    gc.collect()
    assert control.step([1.0, 0.0], shift=0).converged


def test_failures_leave_the_moved_plan() -> None:
    control = mass.mpc(segments=KNOTS)
    before = control.step([1.0, 0.0], shift=0)
    failed = control.step([math.nan, 0.0])
    assert not failed.success and failed.status == "invalid"
    assert "state x: nan; must be finite" in failed.message
    assert np.allclose(failed.x[: KNOTS - 1], before.x[1:KNOTS], rtol=1e-13)
    assert control.step([0.9, -0.1]).converged


def test_wrong_arguments_are_refused() -> None:
    control = mass.mpc(segments=KNOTS)
    with pytest.raises(gradyn.UsageError, match="the measured states are x, v, not x, w"):
        control.step({"x": 1.0, "w": 0.0})
    with pytest.raises(gradyn.UsageError, match="2 states are measured"):
        control.step([1.0])
    with pytest.raises(gradyn.UsageError, match="no parameter 'force'"):
        control.step([1.0, 0.0], force=1)
    with pytest.raises(gradyn.GradynError, match="at least 2 segments"):
        mass.mpc()
