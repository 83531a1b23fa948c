"""Fitting parameters to measured motions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gradyn

pytestmark = pytest.mark.filterwarnings("ignore:least_squares:DeprecationWarning")
TRUTH = {"Ls1": 2.3, "Ls2": 2.0}
TIMES = np.linspace(0.05, 0.8, 16)


@pytest.fixture(name="five_bar", scope="module")
def made() -> gradyn.Problem:
    return gradyn.load("five-bar", t_end=1.0, method="explicit", rtol=1e-9)


def test_sensitivities_are_slopes_of_the_states(five_bar: gradyn.Problem) -> None:
    found = five_bar.sensitivities(TIMES)
    assert found.y.shape == (16, len(found.names)) and found.dy.shape == (16, len(found.names), 5)
    h = 1e-4
    sides = [five_bar.sensitivities(TIMES, Ls1=five_bar.x0[0] + s * h).y for s in (1, -1)]
    column = found.names.index("2.x")
    difference = (sides[0] - sides[1])[:, column] / (2 * h)
    assert found["2.x", "Ls1"] == pytest.approx(difference, rel=1e-6, abs=1e-7)


def test_the_successor_of_the_deprecated_name_is_named(five_bar: gradyn.Problem) -> None:
    with pytest.warns(DeprecationWarning, match="declare m.fit.. in build.., then call optimise.. and infer"):
        five_bar.least_squares(TIMES, {"2.x": np.zeros(16)})


def test_the_jacobian_is_that_of_the_residuals(five_bar: gradyn.Problem) -> None:
    measured = {"2.x": np.zeros(16), "2.vy": np.ones(16)}
    keywords = five_bar.least_squares(TIMES, measured, deviation={"2.x": 1e-3, "2.vy": np.full(16, 0.1)})
    z, jacobian = keywords["x0"], keywords["jac"](keywords["x0"])
    assert keywords["fun"](z).shape == (32,) and jacobian.shape == (32, 2)

    def difference(k: int, h: float) -> np.ndarray[Any, Any]:
        step = h * np.eye(2)[k]
        central: np.ndarray[Any, Any] = keywords["fun"](z + step) - keywords["fun"](z - step)
        return central / (2 * h)

    for k in range(2):  # Richardson's extrapolation
        extrapolated = (4 * difference(k, 2e-3) - difference(k, 4e-3)) / 3
        assert np.abs(jacobian[:, k] - extrapolated).max() < 1e-6 * np.abs(extrapolated).max()


def test_noisy_data_give_the_truth_within_their_scatter(five_bar: gradyn.Problem) -> None:
    """The noise is known. A number is within two deviations with probability 0.9545, and both
    together with a lower one. d' C^-1 d is distributed as chi^2 with 2 degrees of freedom, the
    sum of squares with 32 - 2."""
    optimize = pytest.importorskip("scipy.optimize")
    exact = five_bar.sensitivities(TIMES, TRUTH)
    columns = {name: exact.y[:, exact.names.index(name)] for name in ("2.x", "2.y")}
    draw, sigma, draws = np.random.default_rng(3), 2e-3, 400
    within, distances, squares = np.zeros((draws, 2)), np.zeros(draws), np.zeros(draws)
    for i in range(draws):
        measured = {name: values + sigma * draw.standard_normal(16) for name, values in columns.items()}
        deviation = {name: sigma for name in measured}
        found = optimize.least_squares(**five_bar.least_squares(TIMES, measured, deviation=deviation))
        curvature, off = found.jac.T @ found.jac, found.x - list(TRUTH.values())
        within[i] = np.abs(off) < 2 * np.sqrt(np.diag(np.linalg.inv(curvature)))
        distances[i], squares[i] = off @ curvature @ off, 2 * found.cost
    assert (within[:100].sum(axis=0) >= 95).all()
    share = np.sqrt(0.9545 * 0.0455 / draws)  # deviations of what is estimated from so many draws
    assert (np.abs(within.mean(axis=0) - 0.9545) < 3 * share).all()
    assert abs(distances.mean() - 2) < 3 * np.sqrt(2 * 2 / draws)
    assert abs(squares.mean() - 30) < 3 * np.sqrt(2 * 30 / draws)


def test_states_of_general_equations_are_fitted() -> None:
    optimize = pytest.importorskip("scipy.optimize")
    problem = gradyn.load("robertson")
    times = np.array([0.4, 4.0, 40.0])
    exact = problem.sensitivities(times, p1=0.05)
    measured = {"y1": exact.y[:, exact.names.index("y1")]}
    keywords = problem.least_squares(times, measured)
    fit = optimize.least_squares(
        lambda z: keywords["fun"](np.array([z[0], 1e4, 3e7])),
        [0.04],
        jac=lambda z: keywords["jac"](np.array([z[0], 1e4, 3e7]))[:, :1],
        xtol=1e-12,
    )
    assert fit.x[0] == pytest.approx(0.05, rel=1e-6)


@pytest.mark.parametrize(
    "bad, words",
    [
        (lambda p: p.least_squares(TIMES, {"9.x": TIMES}), "9.x"),
        (lambda p: p.least_squares(TIMES, {"2.x": [1.0]}), "16 finite numbers"),
        (lambda p: p.least_squares(TIMES, {"2.x": np.full(16, np.nan)}), "16 finite numbers"),
        (lambda p: p.least_squares(TIMES, {"2.x": TIMES}, deviation={"2.x": 0.0}), "has to be positive"),
        (lambda p: p.least_squares(TIMES, {"2.x": TIMES}, deviation={"2.y": 1.0}), "no measurement"),
        (lambda p: p.sensitivities([0.5, 0.1]), "ascend"),
        (lambda p: p.sensitivities([2.0]), "2 s"),
        (lambda p: p.sensitivities([np.nan]), "nan"),
        (lambda p: p.sensitivities([]), "row of numbers"),
        (lambda p: p.sensitivities(TIMES)["2.x", "Ls9"], "Ls9"),
    ],
)
def test_errors_are_named(five_bar: gradyn.Problem, bad: Any, words: str) -> None:
    with pytest.raises(gradyn.UsageError, match=words):
        bad(five_bar)
