"""Models in Python that become C: the same bits, and what cannot become C."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import gradyn
from gradyn import Model, Param

sys.path.append(str(Path(__file__).resolve().parent.parent / "examples"))

import everything  # noqa: E402

PROBLEMS = Path(__file__).resolve().parent.parent.parent / "problems"
COMMAND = Path(os.environ["GRADYN_BUILD"]) / "gradyn"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.parametrize(
    "name", ["five_bar", "chain", "cart_pole", "bouncing_ball", "robertson", "double_wishbone"]
)
def test_what_is_compiled_has_the_bits_of_c(name: str) -> None:
    problem = getattr(importlib.import_module(name), name)
    short = {"t_end": 0.02} if name == "double_wishbone" else {}
    of_c = gradyn.load(PROBLEMS / f"{name}.c", **short)
    for own, its in zip(problem.compile().using(**short).gradients(), of_c.gradients()):
        assert (own == its).all()


def test_every_kind_of_function_is_compiled() -> None:
    problem = everything.ball({})
    compiled = problem.compile()
    for own, of_c in zip(problem.gradients(), compiled.gradients()):
        assert own == pytest.approx(of_c, rel=1e-12)
    assert compiled.check()


def test_settings_and_options_are_those_of_the_problem() -> None:
    chain = importlib.import_module("chain").chain
    problem = chain.using(settings={"links": 3}, t_end=0.1, method="explicit")
    compiled = problem.compile()
    assert compiled.options["method"] == "explicit" and compiled.sizes.coordinates == 6
    assert (compiled.functions() == problem.functions()).all()


def test_the_command_runs_what_is_written(tmp_path: Path) -> None:
    problem = importlib.import_module("cart_pole").cart_pole
    problem.to_c(tmp_path / "swing.c")
    loaded = gradyn.load(tmp_path / "swing.c")
    assert (loaded.functions() == problem.compile().functions()).all()
    (shared,) = (tmp_path / "cache" / "gradyn").glob("swing-*.so")
    told = subprocess.run([COMMAND, "gradient", shared, "--json"], check=True, capture_output=True).stdout
    values = [functional["value"] for functional in json.loads(told)["functionals"]]
    assert values == loaded.gradients()[0].tolist()
    assert (tmp_path / "cache" / "gradyn").stat().st_mode & 0o777 == 0o700


def falling(force: Callable[[Any], Any], height: Callable[[Any], Any] = lambda h: h) -> gradyn.PythonProblem:
    @gradyn.problem(params={"c": Param(0.3, "N s/m", 0, 1), "h": Param(2.0, "m", 0, 3)}, t_end=0.5)
    def build(m: Model, p: Any) -> None:
        """A falling point"""
        bob = m.point("bob", 0, height(p.h))
        m.point_mass("bob", bob, 1)
        m.gravity(0, -9.81)
        m.initial_velocity(bob, 1, 0)
        m.custom_force("f", points=[bob], fn=force, data={"c": (p.c, "N s/m")})
        m.minimise(m.end_position("y", bob, "y"))

    return build


@pytest.mark.parametrize(
    "force",
    [
        lambda at: -at.data.c * at.vel * gradyn.norm(at.vel[0]),
        lambda at: -at.data.c * at.vel * gradyn.abs(at.vel[0, 1]),
        lambda at: [gradyn.where(at.pos[0, 1].real > 1.5, -at.data.c, 0.1), 0],
        lambda at: [gradyn.maximum(at.data.c, 0.1) - gradyn.minimum(1, at.data.c), 2.0**at.data.c],
        lambda at: np.sin(at.vel[0]) ** 3 / (2 - np.exp(-at.t)) + np.arctan(at.data.c) ** 0.5,
    ],
)
def test_functions_of_numbers_are_those_of_python(force: Callable[[Any], Any]) -> None:
    problem = falling(force)
    for own, compiled in zip(problem.gradients(), problem.compile().gradients()):
        assert own == pytest.approx(compiled, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize(
    "force, words",
    [
        (lambda at: at.vel if at.pos[0, 1].real > 0 else -at.vel, "gradyn.where"),
        (lambda at: at.vel if at.pos[0, 1] else -at.vel, "gradyn.where"),
        (lambda at: at.vel * abs(at.vel[0, 0]), "gradyn.abs"),
        (lambda at: at.vel * float(at.data.c.real), ""),
    ],
)
def test_what_branches_or_loses_derivatives_is_refused(force: Callable[[Any], Any], words: str) -> None:
    with pytest.raises((gradyn.Misuse, TypeError), match=words):
        falling(force).compile()


def test_a_branch_in_build_is_refused() -> None:
    with pytest.raises(gradyn.Misuse, match="falling|build.*cannot be compiled.*gradyn.where"):
        falling(lambda at: 0 * at.vel, lambda h: h if h.real > 1 else 1.0).compile()


def test_wrong_files_are_told(tmp_path: Path) -> None:
    (tmp_path / "bad.c").write_text("int f(void) { return x; }")
    with pytest.raises(gradyn.Misuse, match="bad.c cannot be compiled"):
        gradyn.load(tmp_path / "bad.c")
    with pytest.raises(gradyn.Misuse, match="none.c cannot be read"):
        gradyn.load(tmp_path / "none.c")


def test_no_compiler_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "/nowhere/cc")
    with pytest.raises(gradyn.Misuse, match="/nowhere/cc cannot be run .*: set CC"):
        everything.ball({}).compile()


def test_a_cache_that_others_can_write_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cache" / "gradyn").mkdir(parents=True)
    (tmp_path / "cache" / "gradyn").chmod(0o777)
    with pytest.raises(gradyn.Misuse, match="has to be yours alone"):
        everything.ball({}).compile()
