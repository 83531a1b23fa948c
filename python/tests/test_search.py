"""Searches, and problems that other packages optimise."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import THOROUGH

import gradyn
from gradyn.adapters import IpoptCallbacks


@pytest.fixture(name="five_bar", scope="module")
def made() -> gradyn.Problem:
    return gradyn.load("five-bar")


def test_the_optimum_has_scipys_names(five_bar: gradyn.Problem) -> None:
    seen: list[gradyn.Iteration] = []
    result = five_bar.optimise(callback=seen.append)
    assert result.success and result.status == "ok" and result.fun < 1e-3 < result.initial
    assert len(seen) >= result.nfev - 1 and result.fun == min(i.fun for i in seen)
    assert five_bar.functions(result.x)[0] == pytest.approx(result.fun, rel=1e-6)
    assert result.parameters["Ls1"] == result.x[0] and result.psi["psi1"] == result.fun
    assert result.discretisation is not None and result.discretisation.change < 1


def test_controls_are_refined(tmp_path: Path) -> None:
    problem = gradyn.load("van-der-pol-time")
    coarse, fine = problem.optimise(), problem.optimise(refine_controls=4)
    added = [name for name in fine.parameters if name.startswith("u@")]
    assert fine.fun < coarse.fun - 0.008 and fine.x.size == coarse.x.size + len(added) > coarse.x.size
    assert fine.gradient.shape == (len(fine.psi), fine.x.size)
    study = problem.run(tmp_path / "fine", refine_controls=4)
    assert study.result["objective"] == fine.fun
    assert {p["name"] for p in study.result["parameters"]} == set(fine.parameters)


def test_varied_parameters_and_limits(five_bar: gradyn.Problem) -> None:
    result = five_bar.optimise(vary=["Ls2"], max_evaluations=3)
    assert result.x[0] == five_bar.x0[0] and result.x[1] != five_bar.x0[1]
    assert result.nfev <= 3


def test_a_callback_ends_the_search(five_bar: gradyn.Problem) -> None:
    result = five_bar.optimise(callback=lambda i: i.evaluation < 2)
    assert result.status == "interrupted" and not result.success and result.nfev == 2


@pytest.mark.parametrize("error", [KeyError("broken"), SystemExit(3), gradyn.PointRejected("no")])
def test_exceptions_of_callbacks_have_the_best_point(
    five_bar: gradyn.Problem, error: BaseException
) -> None:
    def watch(iteration: gradyn.Iteration) -> None:
        if iteration.evaluation == 2:
            raise error

    with pytest.raises(type(error)) as caught:
        five_bar.optimise(callback=watch)
    assert caught.value is error
    assert caught.value.result.nfev == 2  # type: ignore[attr-defined]


def test_ctrl_c_ends_a_search_with_its_best_point() -> None:
    problem = gradyn.load("double-wishbone")

    def watch(iteration: gradyn.Iteration) -> None:
        os.kill(os.getpid(), signal.SIGALRM)  # Ctrl-C while it works on the next point

    def handler(*_: Any) -> None:
        signal.raise_signal(signal.SIGINT)

    previous = signal.signal(signal.SIGALRM, handler)
    try:
        with pytest.raises(KeyboardInterrupt) as caught:
            problem.with_options(t_end=0.05).optimise(callback=watch)
    finally:
        signal.signal(signal.SIGALRM, previous)
    assert np.isfinite(caught.value.result.fun)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "bad, kind, words",
    [
        (lambda p: p.optimise(max_evals=3), gradyn.UsageError, "no option 'max_evals'"),
        (lambda p: p.optimise(vary=["Ls9"]), gradyn.UsageError, "no parameter 'Ls9'"),
        (lambda p: p.optimise(vary=[]), gradyn.UsageError, "vary"),
        (lambda p: p.optimise(algorithm="guess"), gradyn.UsageError, "guess"),
        (lambda p: p.optimise([1.0]), gradyn.UsageError, "5 parameters"),
        (lambda p: p.optimise(ftol="small"), TypeError, "option ftol cannot be 'small'"),
    ],
)
def test_errors_are_named(five_bar: gradyn.Problem, bad: Any, kind: type, words: str) -> None:
    with pytest.raises(kind, match=words):
        bad(five_bar)


@pytest.mark.parametrize("method", ["L-BFGS-B", "SLSQP", "trust-constr"])
def test_scipy_reaches_the_optimum(five_bar: gradyn.Problem, method: str) -> None:
    optimize = pytest.importorskip("scipy.optimize")
    keywords = five_bar.scipy()
    found = optimize.minimize(**keywords, method=method, options={"maxiter": 60})
    own = five_bar.optimise()
    assert found.fun == pytest.approx(own.fun, abs=1e-6)
    assert five_bar.nlp().full(found.x)[:2] == pytest.approx(own.x[:2], abs=1e-3)


@pytest.mark.parametrize(
    "name, options",
    [
        ("five-bar", {}),
        ("cart-pole", {"method": "ali3p", "step": 0.01, "settings": {} if THOROUGH else {"knots": 9}}),
    ],
)
def test_scipy_and_ipopt_reach_the_librarys_optimum(name: str, options: dict[str, Any]) -> None:
    """The knots of the cart-pole's force, with four requirements and a path constraint."""
    optimize = pytest.importorskip("scipy.optimize")
    problem = gradyn.load(name, **options)
    own, keywords, programme = problem.optimise(), problem.scipy(), problem.nlp()
    found = optimize.minimize(**keywords, method="SLSQP", options={"maxiter": 400, "ftol": 1e-9})
    assert own.success and found.success and found.fun == pytest.approx(own.fun, rel=1e-6, abs=1e-9)
    held = programme.constraints(found.x)
    assert (held > programme.lower - 1e-7).all() and (held < programme.upper + 1e-7).all()
    try:
        ipopt = problem.optimise(algorithm="ipopt")
    except gradyn.UsageError as error:
        pytest.skip(str(error))  # a build without it
    assert ipopt.success and ipopt.fun == pytest.approx(found.fun, rel=1e-8, abs=1e-9)
    assert programme.full(found.x) == pytest.approx(ipopt.x, abs=2e-3)  # N or m


def test_one_gradient_for_all_requests_at_a_point() -> None:
    problem = gradyn.load("cart-pole", settings={"knots": 5})
    programme = problem.nlp()
    callbacks = IpoptCallbacks(programme)
    z = programme.x0
    values = callbacks.objective(z), callbacks.gradient(z), callbacks.constraints(z), callbacks.jacobian(z)
    assert programme.evaluations == 1
    psi, gradient = problem.gradients()
    assert values[0] == psi[list(problem.functionals).index("effort")]
    assert len(values[2]) == 5 and values[3].shape == (5 * len(z),)
    assert (values[1] == gradient[list(problem.functionals).index("effort"), 1:]).all()
    callbacks.objective(z + 1e-3)
    assert programme.evaluations == 2


def test_path_constraints_are_enforced_and_reported() -> None:
    """A mass that must be at 1 m after 1 s, with a path constraint on its velocity."""

    @gradyn.problem(params={"u": gradyn.Param(0.0, "N", -50, 50, count=6, role="control")}, t_end=1.0)
    def moved(m: gradyn.Model, p: Any) -> None:
        """Moves a mass with minimal effort"""
        mass = m.point("mass", 0, 0)
        m.point_mass("mass", mass, 1)
        drive = m.signal("u", "N", "piecewise-linear", knots=p.u)
        m.force("drive", mass, fx=1, signal=drive)
        m.minimise(m.functional("effort", m.measure_signal("", drive), "square-integral"))
        m.constrain(m.at_end("x", m.measure_point("", mass, 0, "x")), lower=1, upper=1, tolerance=1e-6)
        speed = m.measure_custom("speed", "m/s", formula=lambda at: at.vel[mass, 0], hidden=True)
        m.path_constraint("speed", speed, -1, 1.3, 1e-6)

    result = moved.optimise()
    assert result.success and result.rounds >= 1 and result.path_points
    assert result.path_points[0].functional == "speed.over" and abs(result.psi["speed.over"]) < 2e-6
    assert "; ".join(result.findings) == result.message
    assert result.findings[1].startswith("path constraints: ")
    assert result.multiplier["x"] != 0 and moved.functionals["speed.over"].use == "path-constraint"
    programme = moved.nlp()
    assert programme.upper.tolist() == [1, 0, 0] and programme.lower[1] == -np.inf


def test_integer_signals_are_rounded() -> None:
    """A weight of 0 or 1 in five intervals, the mean of which is to be 0.6."""

    @gradyn.problem(params={"w": gradyn.Param(0.3, "", 0, 1, count=5, role="control")}, t_end=1.0)
    def switched(m: gradyn.Model, p: Any) -> None:
        """A tank that is filled by a valve"""
        w = m.signal("w", "", "piecewise-constant", knots=p.w, integer=True)
        m.state("level", "", 0)
        m.equations(residual=lambda at: [at.yp[0] - at.u[w]])
        m.minimise(m.custom_functional("miss", "", terminal=lambda at: (at.y[0] - 0.6) ** 2))

    assert switched.signals["w"].integer and switched.signals["w"].one_of == ""
    rounded = switched.optimise().rounded
    assert rounded is not None and set(rounded.x) <= {0.0, 1.0} and sum(rounded.x) == 3
    assert abs(rounded.fun) < 1e-10 and rounded.psi["miss"] == rounded.fun and rounded.violation == 0
    assert rounded.signal == "w" and abs(rounded.bound - 0.1) < 1e-12 and 0 < rounded.deviation <= 0.1
