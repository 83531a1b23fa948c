"""Uncertainty: declarations in Python, moments in closed form, robust designs, and the numbers of
the command."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import gradyn
from gradyn.uncertainty import UncertainNumber

COMMAND = Path(os.environ["GRADYN_BUILD"]) / "gradyn"


def oscillator() -> gradyn.Problem:
    """y' = -k y with uncertain k and start: ln y(1) = ln start - k."""

    params = {"k": gradyn.Param(0.5, "1/s", 0, 5), "start": gradyn.Param(2.0)}

    @gradyn.problem(params=params, t_end=1, rtol=1e-11)
    def decay(m, p):  # type: ignore[no-untyped-def]
        m.state("y", "", p.start)
        m.equations(residual=lambda at: [at.yp[0] + at.data.k * at.y[0]], data={"k": p.k})
        m.uncertain("k", "normal", 0.1)
        m.uncertain("start", "uniform", 0.3 * p.k)
        end = m.functional("y", m.measure_custom("y", "", formula=lambda at: at.y[0]), "at-end")
        m.minimise(end)

    return decay


# compiled, the problem evaluates more points in less time
@pytest.mark.parametrize("compiled, points, most", [(False, 128, 3e-2), (True, 4096, 1e-3)])
def test_moments_are_those_of_the_closed_form(compiled: bool, points: int, most: float) -> None:
    if compiled and not shutil.which(os.environ.get("CC", "cc")):
        pytest.skip("no compiler")
    problem = oscillator().compile() if compiled else oscillator()
    found = problem.uncertainty(points=points, indices=True, jobs=2)
    v, w = 0.01, 0.15**2 / 3  # variances of k and of the start
    decay, value = np.exp(-0.5), 2 * np.exp(-0.5)
    assert list(found.numbers) == ["k", "start"]
    assert found.numbers["start"] == UncertainNumber("uniform", 2.0, pytest.approx(np.sqrt(w)), "")
    assert found.value["y"] == pytest.approx(value, rel=1e-9)
    assert found.change["y"]["k"] == pytest.approx(-value * 0.1, rel=1e-8)
    assert found.first["y"].variance == pytest.approx(value**2 * v + decay**2 * w, rel=1e-8)
    assert found.second["y"].mean == pytest.approx(value * (1 + v / 2), rel=1e-8)
    # exact moments of y = start exp(-k) with independent numbers
    mean, square = value * np.exp(v / 2), (4 + w) * np.exp(-1 + 2 * v)
    drawn = found.sampled["y"]
    assert abs(drawn.mean - mean) < 5 * drawn.mean_error < most
    assert abs(drawn.variance - (square - mean**2)) < 5 * drawn.variance_error < most
    share = w * np.exp(-1 + v) / (square - mean**2)
    assert abs(found.main["y"]["start"].value - share) < 5 * found.main["y"]["start"].error < 10 * most
    assert (found.missing, found.failed, found.failure, found.message) == (0, 0, "", "")


def test_points_are_load_cases_of_a_robust_design() -> None:
    found = oscillator().uncertainty()
    assert sum(row["weight"] for row in found.cases.values()) == pytest.approx(1)
    robust = oscillator().cases(found.cases).with_options(over_cases="deviation:2")
    moments = found.unscented["y"]
    values = dict(zip(robust.functionals, robust.functions(robust.x0)))
    assert values["objective"] == pytest.approx(moments.mean + 2 * moments.deviation, rel=1e-9)


def test_numbers_are_those_of_the_command(tmp_path: Path) -> None:
    out = tmp_path / "study"
    line = ["uncertainty", "tolerance-four-bar", "--points", "32", "--indices", "--out", str(out), "--json"]
    line += ["-q", "--no-report"]
    printed = json.loads(subprocess.run([COMMAND, *line], check=True, capture_output=True, text=True).stdout)
    found = gradyn.load("tolerance-four-bar").uncertainty(points=32, indices=True, seed=1)
    for one in printed["uncertainty"]:
        name = one["name"]
        for member in ("first", "second", "unscented", "sampled"):
            moments = getattr(found, member)[name]
            assert one[member] == {key: getattr(moments, key) for key in one[member]}
        for effect in one["effects"]:
            number = effect["number"]
            assert effect["change"] == found.change[name][number]
            assert effect["main"] == vars(found.main[name][number])
            assert effect["total"] == vars(found.total[name][number])


def test_wrong_requests_have_messages() -> None:
    with pytest.raises(gradyn.GradynError, match="no number is uncertain"):
        gradyn.load("five-bar").uncertainty()
    with pytest.raises(gradyn.GradynError, match="at least 16"):
        oscillator().uncertainty(points=3)
