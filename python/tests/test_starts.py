"""Starts of searches: guesses of states over time, and warm starts."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradyn

SEARCH: dict[str, Any] = {"algorithm": "ipopt", "segments": 10, "hessian": True}


@pytest.fixture(scope="module")
def problem() -> gradyn.Problem:
    """A state that leaves its initial value at once, stays constant, and returns at the end."""
    loaded = gradyn.load("hypersensitive")
    if "ipopt" not in gradyn.algorithms():
        pytest.skip("a build without ipopt")
    return loaded


@pytest.fixture(scope="module")
def found(problem: gradyn.Problem) -> gradyn.Result:
    return problem.optimise(**SEARCH)


def same(a: gradyn.Result, b: gradyn.Result) -> bool:
    return a.nfev == b.nfev and a.fun == b.fun and bool((a.x == b.x).all())


def test_a_table_and_arrays_are_one_guess(problem: gradyn.Problem, tmp_path: Path) -> None:
    share = np.linspace(0, 1, 7)
    x = 1.5 * np.exp(-3 * share)
    file = tmp_path / "guess.csv"
    file.write_text("t,x\n" + "".join(f"{t!r},{v!r}\n" for t, v in zip(share.tolist(), x.tolist())))
    few = {**SEARCH, "max_evaluations": 4}
    table = problem.optimise(guess=str(file), **few)
    assert same(table, problem.optimise(guess=file, **few))
    assert same(table, problem.optimise(guess={"t": share, "x": x}, **few))
    assert same(table, problem.optimise(guess={"x": x.tolist()}, **few))  # at equal intervals
    scaled = problem.optimise(guess={"t": 5 + 2 * share, "x": x}, **few)
    assert scaled.initial == pytest.approx(table.initial, rel=1e-12)
    assert problem.optimise(**few).initial != pytest.approx(table.initial, rel=1e-3)


def test_a_motion_and_a_result_are_guesses(problem: gradyn.Problem, found: gradyn.Result) -> None:
    cold = problem.optimise(**SEARCH)
    for guess in (found, problem.simulate(found.x)):
        near = problem.optimise(found.x, guess=guess, **SEARCH)
        assert near.success and near.nfev < cold.nfev
        assert near.fun == pytest.approx(found.fun, rel=1e-8)


def test_natural_guesses_serve_joint_coordinates() -> None:
    natural = gradyn.load("cart-pole", coordinates="natural", method="explicit")
    joint = gradyn.load("cart-pole", coordinates="joint", method="explicit")
    search: dict[str, Any] = {"algorithm": "ipopt", "segments": 5, "max_evaluations": 1}
    motion = natural.simulate()
    columns = {name: np.interp(np.linspace(0, 2, 41), motion.t, motion[name]) for name in motion}
    assert "bob.x" in columns and "pole.angle" not in columns
    begun = [p.optimise(guess=columns, **search) for p in (natural, joint)]
    assert begun[0].fun == pytest.approx(begun[1].fun, rel=1e-9)
    assert begun[0].psi == pytest.approx(begun[1].psi, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(
    "guess, kind, words",
    [
        ({"x": [1, 2, 3], "t": [0, 1]}, gradyn.UsageError, "t has 2 numbers, others 3"),
        ({"x": [[1, 2]]}, gradyn.UsageError, "x has 2 dimensions"),
        ({"x": ["a", "b"]}, TypeError, "x must be numbers"),
        ({"y": [1, 2]}, gradyn.UsageError, "has no column for x"),
        ({"x": [1, np.nan]}, gradyn.UsageError, "line 3"),
        (3, TypeError, "guess must be a path, arrays by names of states, a motion or a result, not int"),
        ("nowhere.csv", gradyn.UsageError, "nowhere.csv"),
    ],
)
def test_wrong_guesses_are_named(problem: gradyn.Problem, guess: Any, kind: type, words: str) -> None:
    with pytest.raises((kind, gradyn.GradynError), match=words):
        problem.optimise(guess=guess, **SEARCH)


def test_a_result_begins_warm(problem: gradyn.Problem, found: gradyn.Result) -> None:
    again = problem.optimise(warm=found, **SEARCH)
    assert again.success and again.nfev <= 2 and (again.x == found.x).all()
    assert found.barrier > 0 and set(found.lower_multiplier) == set(problem.parameters)
    assert all(value >= 0 for value in found.lower_multiplier.values())
    near = problem.optimise(found.x * 1.01, warm=found, **SEARCH)
    assert near.success and near.fun == pytest.approx(found.fun, rel=1e-8)
    assert same(near, problem.optimise(found.x * 1.01, warm=found.warm_start, **SEARCH))


def test_other_grids_are_reported(problem: gradyn.Problem, found: gradyn.Result) -> None:
    fine = gradyn.load("hypersensitive", settings={"knots": 2 * len(found.x) - 1})
    warm = fine.optimise(warm=found, **SEARCH)
    assert warm.success and warm.fun < found.fun
    assert sum("elements, interpolated" in line for line in warm.findings) == 1


def test_an_optimiser_without_multipliers_has_none(problem: gradyn.Problem, found: gradyn.Result) -> None:
    other = problem.optimise(warm=found, algorithm="slsqp", max_evaluations=3)
    assert any("multipliers not used" in line for line in other.findings)


def test_wrong_warm_starts_are_named(problem: gradyn.Problem) -> None:
    for warm, kind in ((3, TypeError), ("{}", gradyn.UsageError), ("no text", gradyn.UsageError)):
        with pytest.raises(kind, match="warm"):
            problem.optimise(warm=warm, **SEARCH)  # type: ignore[arg-type]


def test_studies_begin_warm_and_are_resumed(
    problem: gradyn.Problem, found: gradyn.Result, tmp_path: Path
) -> None:
    x = found.x * 1.01
    whole = problem.run(tmp_path / "a", x, warm=found, **SEARCH).found
    study = problem.run(tmp_path / "b", x, warm=found, **SEARCH)
    assert whole is not None and study.found is not None and same(whole, study.found)
    assert json.loads((tmp_path / "b" / "warm_start.json").read_text())
    journal = tmp_path / "b" / "journal.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(True)[:3]))
    resumed = problem.run(tmp_path / "b", x, resume=True, **SEARCH).found
    assert resumed is not None and same(whole, resumed)
    assert problem.optimise(warm=gradyn.open(tmp_path / "a"), **SEARCH).nfev <= 2


def test_the_command_has_the_same_bits(
    problem: gradyn.Problem, found: gradyn.Result, tmp_path: Path
) -> None:
    command = str(Path(os.environ["GRADYN_BUILD"]) / "gradyn")
    study = problem.run(tmp_path / "a", **SEARCH)
    words = [command, "run", "hypersensitive", "--algorithm", "ipopt", "--segments", "7", "--no-report", "-q"]
    subprocess.run([*words, "--warm", str(study.path), "--out", str(tmp_path / "b")], check=True)
    own = problem.optimise(warm=study, algorithm="ipopt", segments=7)
    result = gradyn.open(tmp_path / "b").result
    assert result["objective"] == own.fun and result["evaluations"] == own.nfev
    assert [p["value"] for p in result["parameters"]] == own.x.tolist()
