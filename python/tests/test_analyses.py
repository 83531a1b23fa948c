"""Analyses at a point, against the output of the command and closed forms."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradyn

COMMAND = Path(os.environ["GRADYN_BUILD"]) / "gradyn"


def told(*arguments: str) -> Any:
    return json.loads(subprocess.run([COMMAND, *arguments, "--json"], check=True, capture_output=True).stdout)


def test_a_pendulum_comes_to_rest_and_swings_about_it() -> None:
    """A uniform rod on a hinge: omega^2 = 3 g/(2 L)."""
    found = gradyn.load("chain", settings={"links": 1}).equilibrium(damping=0.0)
    assert found.stability == "stable" and len(found.state.t) == 1
    assert found.state["1.y"][0] == pytest.approx(-1)
    assert sorted(found.linear.eigenvalues.imag) == pytest.approx([-np.sqrt(14.715), np.sqrt(14.715)])
    assert found.linear.stiffness == pytest.approx(14.715)
    assert found.linear.A.shape == (2, 2) and found.linear.B.shape == (2, 0) and found.linear.inputs == []


def test_an_equilibrium_keeps_totals() -> None:
    found = gradyn.load("alpha-pinene").equilibrium()
    assert found.totals == pytest.approx({"0.5 y1 + y2": 50, "0.5 y1 + y3 + y4 + y5": 50})
    assert found.state["y1"][0] == pytest.approx(0, abs=1e-9)


def test_a_linearisation_is_that_of_the_command() -> None:
    expected = told("linearise", "five-bar", "--about", "start")["linear"]
    linear = gradyn.load("five-bar").linearise()
    assert linear.A.ravel() == pytest.approx(np.ravel(expected["A"]), rel=1e-12, abs=1e-12)
    assert linear.coordinates == expected["independent"]
    assert sorted(np.linalg.eigvals(linear.A), key=abs) == pytest.approx(sorted(linear.eigenvalues, key=abs))
    assert linear.modes.shape[0] == len(linear.eigenvalues) == 2 * len(linear.coordinates)


def test_an_orbit_has_its_multipliers() -> None:
    found = gradyn.load("rimless-wheel").orbit(section="step")
    assert found.gap < 1e-8 and abs(found.multipliers[0]) < 1
    n = len(found.transition.names)
    assert found.start_slope.shape == (n, len(gradyn.load("rimless-wheel").parameters))
    assert found.events


def test_covariance_follows_the_gradient() -> None:
    problem = gradyn.load("five-bar")
    found = problem.covariance({"Ls1": 0.01, "Ls2": 0.02}, samples=3)
    slope = problem.gradient()["psi1"][:2]
    expected = np.hypot(0.01 * slope[0], 0.02 * slope[1])
    assert found.deviation["psi1"] == pytest.approx(expected, rel=1e-6)
    assert found.t == pytest.approx([0, 2.5, 5]) and found.matrix().shape == (len(found.names),) * 2
    assert found.units[found.names.index("2.x")] == "m" and found.factor.shape[2] == 2
    again = problem.covariance({"Ls1": 1, "Ls2": 1}, matrix=[[1e-4, 0], [0, 4e-4]], samples=1)
    assert again.deviation["psi1"] == pytest.approx(found.deviation["psi1"], rel=1e-9)


def test_a_regulator_has_gains() -> None:
    problem = gradyn.load("double-integrator")
    names = [name for name in problem.simulate() if name.endswith(("x", "v", "y", "vx"))]
    signal = problem.linearise().inputs[0]
    found = problem.regulator({names[0]: 1.0}, {signal: 1.0}, samples=5)
    assert found.gain.shape == (5, 1, len(found.states)) and found.inputs == [signal]
    assert (found.gain[-1] == 0).all() and found.gain[0, 0] @ found.gain[0, 0] > 0
    assert np.allclose(found.cost, found.cost.transpose(0, 2, 1))


def test_a_filter_estimates_the_state() -> None:
    problem = gradyn.load("pendulum-identification").case("small")
    found = problem.filter({"bob.x": 0.1, "bob.vx": 0.1}, noise={"gravity.y": 1e-4}, added={"bob.vx": 1e-3})
    assert found.t[-1] == 2 and found.data[0] == "fit[0]" and found.states[0] == "bob.x"
    assert found.units[2] == "m/s" and len(found.data) == len(found.innovation_covariance) == 21
    assert np.allclose(found.innovation, found.value - found.expected)
    S = np.array([block[0, 0] for block in found.innovation_covariance])
    assert np.allclose(found.normalised, found.innovation / np.sqrt(S))
    likelihood = (found.normalised**2 + np.log(2 * np.pi * S)).sum() / 2
    assert np.isclose(found.minus_log_likelihood, likelihood)
    spread = np.trace(found.covariance, axis1=1, axis2=2)
    assert (spread < np.trace(found.predicted_covariance, axis1=1, axis2=2)).all()


def test_derivatives_are_checked() -> None:
    found = gradyn.load("five-bar", t_end=0.2).check()
    assert found and found.status == "ok" and len(found.items) > 3
    assert all(item.passed and item.error <= item.tolerance for item in found.items if not item.kink)


@pytest.mark.parametrize(
    "bad, kind, words",
    [
        (lambda p: p.covariance({"Ls9": 1.0}), gradyn.UsageError, "Ls9"),
        (lambda p: p.covariance({"Ls1": 1.0}, matrix=np.eye(2)), gradyn.UsageError, "matrix has to be 1 "),
        (lambda p: p.regulator({"2.x": 1.0}, {"u": 1.0}), gradyn.UsageError, "u"),
        (lambda p: p.filter({"2.x": 1.0}), gradyn.UsageError, "has no data"),
        (lambda p: p.orbit(section="bang"), gradyn.UsageError, "bang"),
        (lambda p: p.transition(preferred_coordinates=["9.x"]), gradyn.UsageError, "9.x"),
        (lambda p: p.equilibrium(Ls9=1), gradyn.UsageError, "Ls9"),
    ],
)
def test_errors_are_named(bad: Any, kind: type, words: str) -> None:
    with pytest.raises(kind, match=words):
        bad(gradyn.load("five-bar", t_end=0.1))
