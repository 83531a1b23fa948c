"""Optimal experiments: the published design, an independent computation by SciPy, and the numbers
of the command."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import gradyn

COMMAND = Path(os.environ["GRADYN_BUILD"]) / "gradyn"
PARAMS = {"k1": gradyn.Param(0.7, "1/s", 0, 5, scale=1), "k2": gradyn.Param(0.2, "1/s", 0, 5, scale=1)}


@gradyn.problem(params=PARAMS, t_end=20, rtol=1e-10)
def box_lucas(m, p):  # type: ignore[no-untyped-def]
    """Consecutive reactions (Box and Lucas 1959), without data."""
    m.state("A", "", 1)
    m.state("B", "", 0)

    def rates(at):  # type: ignore[no-untyped-def]
        (a, b), (da, db) = at.y, at.yp
        return [da + at.data.k1 * a, db - at.data.k1 * a + at.data.k2 * b]

    m.equations(residual=rates, data={"k1": p.k1, "k2": p.k2})
    b = m.measure_custom("b", "", formula=lambda at: at.y[1])
    times = np.linspace(0, 20, 21)
    m.minimise(m.fit("yield", b, times=times, values=np.full(21, np.nan), sigma=0.1))


def sensitivities(t: float) -> np.ndarray:  # type: ignore[type-arg]
    rows, h = [], 1e-30j
    for k1, k2 in ((0.7 + h, 0.2), (0.7, 0.2 + h)):
        b = k1 / (k1 - k2) * (np.exp(-k2 * t) - np.exp(-k1 * t))
        rows.append(b.imag / abs(h) / 0.1)
    return np.array(rows)


def information(x: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    """The determinant for two times with the weights x[2] and 1 - x[2]."""
    first, second = sensitivities(x[0]), sensitivities(x[1])
    return np.asarray(x[2] * np.outer(first, first) + (1 - x[2]) * np.outer(second, second))


@pytest.mark.parametrize("criterion", ["D", "A"])
def test_two_times_are_those_of_scipy(criterion: str) -> None:
    optimize = pytest.importorskip("scipy.optimize")
    found = box_lucas.doe(criterion=criterion, measurements=10)

    def value(x: np.ndarray) -> float:  # type: ignore[type-arg]
        M = information(x)
        return float(-np.log(np.linalg.det(M)) if criterion == "D" else np.trace(np.linalg.inv(M)))

    exact = {"xatol": 1e-9, "fatol": 1e-14}
    best = optimize.minimize(value, [1.0, 7.0, 0.4], method="Nelder-Mead", options=exact)
    own = [s.time for s in found.support] + [found.support[0].weight]
    assert own == pytest.approx(best.x, abs=1e-5)
    assert found.criterion == pytest.approx(-best.fun if criterion == "D" else best.fun, rel=1e-8)
    assert found.gap < 1e-6 and (found.candidates, found.data) == (21, 0)
    assert np.isnan(found.data_efficiency) and found.undetermined == []
    counts = [s.number for s in found.support]
    M = sum(n * np.outer(j, j) for n, j in zip(counts, (sensitivities(s.time) for s in found.support)))
    assert sum(counts) == 10
    assert list(found.deviation.values()) == pytest.approx(np.sqrt(np.diag(np.linalg.inv(M))), rel=1e-6)


def test_the_printed_times_and_a_fixed_parameter() -> None:
    found = box_lucas.doe(candidates=50)
    assert [round(s.time, 4) for s in found.support] == [1.2295, 6.8577]
    alone = box_lucas.doe(vary=["k2"])
    assert list(alone.deviation) == ["k2"] and len(alone.support) == 1
    with pytest.raises(gradyn.UsageError, match="criterion 'E'"):
        box_lucas.doe(criterion="E")
    with pytest.raises(gradyn.GradynError, match="give 2 to"):
        box_lucas.doe(candidates=1)


def test_optimal_times_between_data_are_those_of_a_fine_grid() -> None:
    """two times of fit_y3 lie between neighbouring data"""
    problem = gradyn.load("alpha-pinene")
    ours, fine = problem.doe(), problem.doe(candidates=101)
    assert [s.fit for s in ours.support] == [s.fit for s in fine.support]
    assert [s.fit for s in ours.support].count("fit_y3") == 2
    assert [s.time for s in ours.support] == pytest.approx([s.time for s in fine.support], rel=1e-6)
    assert ours.support[0].time == pytest.approx(5000, abs=1e-3)  # 1/(theta[0] + theta[1])
    assert ours.criterion == pytest.approx(fine.criterion, rel=1e-10)


def test_the_command_has_the_same_numbers(tmp_path: Path) -> None:
    arguments = ["--criterion", "A", "--out", str(tmp_path / "doe"), "--json", "-q"]
    line = [COMMAND, "doe", "pendulum-identification", *arguments]
    done = subprocess.run(line, check=True, capture_output=True, text=True)
    printed = json.loads(done.stdout)
    found = gradyn.load("pendulum-identification").doe(criterion="A")
    assert [(s["fit"], s["t"], s["weight"], s["measurements"]) for s in printed["supports"]] == [
        (s.fit, s.time, s.weight, s.number) for s in found.support
    ]
    assert printed["criterion"] == found.criterion and printed["gap"] == found.gap
    assert {d["name"]: d["deviation"] for d in printed["deviations"]} == found.deviation
    rows = (tmp_path / "doe" / "experiment.csv").read_text().splitlines()
    assert rows[0] == "fit,t [s],weight,measurements" and len(rows) == 1 + len(found.support)
