"""Functions compiled by Numba return the same numbers as in Python."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import gradyn
from gradyn import Model, Param

sys.path.append(str(Path(__file__).resolve().parent.parent / "examples"))

import everything  # noqa: E402


def drag(at: Any) -> Any:
    v = at.vel[0]
    return -at.data.c * np.sqrt(v[0] * v[0] + v[1] * v[1] + 1e-6) * v


def thrown(fn: Callable[[Any], Any]) -> gradyn.PythonProblem:
    @gradyn.problem(params={"c": Param(0.1, "N s^2/m^2", 0, 1), "v": Param(5.0, "m/s", 1, 9)}, t_end=1.0)
    def build(m: Model, p: Any) -> None:
        """A ball thrown through air"""
        ball = m.point("ball", 0, 0)
        m.initial_velocity(ball, p.v, p.v)
        m.point_mass("ball", ball, 0.5)
        m.gravity(0, -9.81)
        m.custom_force("air", points=[ball], fn=fn, data={"c": (p.c, "N s^2/m^2")})
        m.minimise(m.functional("reach", m.measure_point("", ball, 0, "x"), "at-end"))

    return build


def test_all_kinds_of_functions_have_the_numbers_of_python() -> None:
    pytest.importorskip("numba")
    jitted = everything.ball({name: gradyn.jit(fn) for name, fn in everything.USUAL.items()})
    expected = everything.ball({}).gradients()
    for found, own in zip(jitted.gradients(), expected):
        assert found == pytest.approx(own, rel=1e-12, abs=1e-14)
    assert jitted.check()


def test_general_equations() -> None:
    pytest.importorskip("numba")

    def residual(at: Any) -> Any:
        return [at.yp[0] + at.data.k * at.y[0]]

    def made(fn: Any) -> gradyn.Problem:
        @gradyn.problem(params={"k": Param(0.7, "1/s", 0, 2)}, t_end=1.0, method="radau")
        def decay(m: Model, p: Any) -> None:
            """y' = -k y"""
            m.state("y", "", 1)
            m.equations(residual=fn, data={"k": (p.k, "1/s")})
            m.custom_functional("end", "", terminal=gradyn.jit(lambda at: at.y[0]))

        return decay

    gradient = made(gradyn.jit(residual)).gradient()
    assert gradient.psi["end"] == pytest.approx(np.exp(-0.7), rel=1e-8)
    assert gradient["end", "k"] == pytest.approx(-np.exp(-0.7), rel=1e-7)


def test_threads_share_the_work() -> None:
    pytest.importorskip("numba")
    problem = thrown(gradyn.jit(drag))
    one, two = (problem.multistart(4, jobs=jobs, max_evaluations=5) for jobs in (1, 2))
    assert [s.fun for s in one.searches] == [s.fun for s in two.searches]


def refusing(at: Any) -> Any:
    if at.t.real > 0.5:
        raise ValueError("too late")
    return -at.data.c * at.vel[0]


def test_exceptions_of_functions_fail_the_point() -> None:
    pytest.importorskip("numba")
    with pytest.raises(gradyn.EvaluationError, match="air") as caught:
        thrown(gradyn.jit(refusing)).simulate()
    assert caught.value.status == "callback"


@pytest.mark.parametrize(
    "bad, words",
    [
        (lambda at: open("/dev/null").name, "Numba cannot compile <lambda>"),
        (lambda at: at.nothing, "Numba cannot compile"),
        (lambda at: at.data.k, "Numba cannot compile"),
        (lambda at: at.vel[0, 0], "air"),
        (lambda at: np.zeros(3), "air"),
    ],
)
def test_errors_are_refused(bad: Callable[[Any], Any], words: str) -> None:
    pytest.importorskip("numba")
    with pytest.raises(gradyn.GradynError, match=words):
        thrown(gradyn.jit(bad)).simulate()


def test_numbers_of_build_are_refused() -> None:
    pytest.importorskip("numba")

    @gradyn.problem(params={"c": Param(0.1, "N s/m")}, t_end=1.0)
    def build(m: Model, p: Any) -> None:
        """Holds p"""
        ball = m.point("ball", 0, 0)
        m.point_mass("ball", ball, 0.5)
        m.custom_force("air", points=[ball], fn=gradyn.jit(lambda at: -p.c * at.vel[0]))

    with pytest.raises(gradyn.UsageError, match="a function holds numbers of build"):
        build.functions()


def test_they_are_written_in_c_like_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    if not shutil.which("cc"):
        pytest.skip("no compiler")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    problem = thrown(gradyn.jit(drag))
    assert problem.compile().functions() == pytest.approx(problem.functions(), rel=1e-12)


def test_without_numba_it_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(gradyn.UsageError, match="gradyn.jit needs Numba, which is not installed"):
        gradyn.jit(drag)
