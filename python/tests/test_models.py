"""Models written in Python: the same bits as in C, and messages about wrong models."""

from __future__ import annotations

import importlib
import pickle
import shutil
import sys
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import gradyn
from gradyn import Model, Param

sys.path.append(str(Path(__file__).resolve().parent.parent / "examples"))

PROBLEMS = Path(__file__).resolve().parent.parent.parent / "problems"


def example(name: str) -> gradyn.Problem:
    made: gradyn.Problem = getattr(importlib.import_module(name), name)
    return made


@pytest.mark.parametrize("name", ["five_bar", "chain"])
def test_declarations_in_python_give_the_bits_of_c(name: str) -> None:
    for own, of_c in zip(example(name).gradients(), gradyn.load(name.replace("_", "-")).gradients()):
        assert (own == of_c).all()


def test_a_large_model_in_python_gives_the_bits_of_c(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiled with the options for users' C files, because the library divides complex numbers
    in another way."""
    if not shutil.which("cc"):
        pytest.skip("no compiler")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    own = example("double_wishbone").with_options(t_end=0.02)
    of_c = gradyn.load(PROBLEMS / "double_wishbone.c", t_end=0.02)
    assert own.parameters == of_c.parameters and own.functionals == of_c.functionals
    for mine, its in zip(own.gradients(), of_c.gradients()):
        assert (mine == its).all()


@pytest.mark.parametrize("name", ["cart_pole", "bouncing_ball", "robertson"])
def test_functions_in_python_give_the_numbers_of_c(name: str) -> None:
    own, of_c = example(name), gradyn.load(name.replace("_", "-"))
    changed = {"drag": 0.2} if name == "bouncing_ball" else {}
    (own_psi, own_matrix), (psi, matrix) = own.gradients(**changed), of_c.gradients(**changed)
    assert own_psi == pytest.approx(psi, rel=1e-10)
    largest = np.abs(matrix).max(axis=1, keepdims=True)  # of each functional
    assert (np.abs(own_matrix - matrix) <= 1e-10 * largest).all()
    assert {p.name: p.unit for p in own.parameters.values()} == {
        p.name: p.unit for p in of_c.parameters.values()
    }


def test_a_search_of_a_python_model_is_that_of_c() -> None:
    assert (example("five_bar").optimise().x == gradyn.load("five-bar").optimise().x).all()


def test_derivatives_of_functions_in_python_are_right() -> None:
    assert example("bouncing_ball").with_options(t_end=0.5, settings={"bounces": 1}).check(drag=0.2)


def test_problems_of_modules_are_pickled() -> None:
    problem = example("cart_pole").with_options(settings={"knots": 5}, rtol=1e-7)
    other = pickle.loads(pickle.dumps(problem))
    assert (other.functions() == problem.functions()).all() and len(other.parameters) == 6

    @gradyn.problem(params={"L": Param(1.0)})
    def local(m: Model, p: Any) -> None:
        """Of no module"""

    with pytest.raises(pickle.PicklingError, match="local"):
        pickle.dumps(local)


Build = Callable[[Model, Any, Any, Any], Any]


def pendulum(declare: Build) -> gradyn.Problem:
    """A pendulum with one more element, which the caller declares."""

    @gradyn.problem(params={"L": Param(0.5, "m", 0.1, 2)}, t_end=0.5)
    def build(m: Model, p: Any) -> None:
        """A pendulum"""
        hinge, bob = m.ground_point("hinge", 0, 0), m.point("bob", p.L, 0)
        m.gravity(0, -9.81)
        m.point_mass("bob", bob, 1)
        declare(m, p, hinge, bob)
        m.minimise(m.functional("v", m.measure_point("", bob, 1, "all-axes"), "square-integral"))

    return build


def test_a_switched_signal_has_one_time_less_than_levels() -> None:
    def declare(m: Model, p: Any, hinge: Any, bob: Any) -> None:
        push = m.signal("push", "N", "switched", knots=[0, 2], times=[0.2])
        m.minimise(m.functional("effort", m.measure_signal("", push), "square-integral"))

    assert pendulum(declare).functions()[0] == pytest.approx(4 * 0.3)


def test_models_have_coordinates_of_their_own() -> None:
    @gradyn.problem(
        params={"L": Param(0.5, "m", 0.1, 2)},
        t_end=0.5,
        coordinates="joint",
        method="explicit",
        rtol=1e-11,
    )
    def swing(m: Model, p: Any) -> None:
        """A pendulum by its angle"""
        hinge, bob = m.ground_point("hinge", 0, 0), m.point("bob", p.L, 0)
        m.gravity(0, -9.81)
        m.point_mass("bob", bob, 1)
        m.rod("string", hinge, bob, length=p.L)
        m.minimise(m.functional("v", m.measure_point("", bob, 1, "all-axes"), "square-integral"))

    assert "string.angle" in swing.simulate()
    natural = swing.with_options(coordinates="natural").gradient()["v", "L"]
    assert abs(swing.gradient()["v", "L"] / natural - 1) < 1e-9


def rod(length: Callable[[Any], Any]) -> gradyn.Problem:
    return pendulum(lambda m, p, hinge, bob: m.rod("string", hinge, bob, length=length(p)))


def stop(m: Model, point: Any, guard: Any = len, reset: Any = len) -> None:
    m.event("stop", guard=guard, set=[(point, "x")], reset=reset)


@pytest.mark.parametrize(
    "declare, kind, words",
    [
        (lambda m, p, h, b: m.rod("r", h, b, lenght=p.L), TypeError, "lenght"),
        (lambda m, p, h, b: m.rod("r", h, 99, length=p.L), TypeError, "rod 'r': to has to be the number"),
        (lambda m, p, h, b: m.spring("s", h, m.rod("r", h, b)), TypeError, "'s': to .* <constraint 1>"),
        (lambda m, p, h, b: m.rod("r", h, b, length="long"), TypeError, "length .* not 'long'"),
        (lambda m, p, h, b: m.rod("r", h, b, length=[1]), TypeError, "length has to be a number"),
        (lambda m, p, h, b: m.rod("r", h, b, length=p.L, mass=-1), gradyn.UsageError, "r.*mass"),
        (lambda m, p, h, b: m.rod("r", h, b, length=np.nan), gradyn.UsageError, "r"),
        (lambda m, p, h, b: m.rod("r", h, b, com=1), gradyn.UsageError, "com and inertia go together"),
        (lambda m, p, h, b: m.rod(7, h, b), TypeError, "name has to be a text, not 7"),
        (lambda m, p, h, b: m.rod("r\0", h, b), TypeError, "text"),
        (lambda m, p, h, b: m.fix_initial_coordinate(b, "w"), TypeError, "axis has to be one of x, y, z"),
        (lambda m, p, h, b: m.signal("u", "", "cubic-spline", knots=3), TypeError, "knots has to be numbers"),
        (
            lambda m, p, h, b: m.signal("u", "", "switched", knots=[0, 1, 2], times=[0.1]),
            gradyn.UsageError,
            "as many numbers each are needed",
        ),
        (lambda m, p, h, b: m.pid("c", b), TypeError, "coordinate has to be the number of a coordinate"),
        (lambda m, p, h, b: m.custom_force("f", points=[b], fn=3), TypeError, "fn has to be a function"),
        (lambda m, p, h, b: m.custom_force("f", points=b, fn=len), TypeError, "points has to be numbers of"),
        (lambda m, p, h, b: m.custom_force("f", points=[b], fn=len, data={"k": "1"}), TypeError, "data"),
        (lambda m, p, h, b: stop(m, b, guard={"terminal": 3}), TypeError, "terminal has .* function, not 3"),
        (lambda m, p, h, b: stop(m, b, reset={"points": [3]}), TypeError, "a variable is needed, not 3"),
        (lambda m, p, h, b: stop(m, 3), TypeError, "'stop': a point, .* is needed, not 3"),
        (lambda m, p, h, b: stop(m, m.rod("r", h, b)), TypeError, "'stop': a point, .* not <constraint 1>"),
        (lambda m, p, h, b: m.body("b", centre=[1, 2, 3, 4]), TypeError, "centre has to be 3 numbers"),
        (lambda m, p, h, b: m.impact("w", point=b, axis="y", below=1), TypeError, "below .* True or False"),
        (lambda m, p, h, b: m.error("too heavy"), gradyn.UsageError, "too heavy"),
        (lambda m, p, h, b: m.setting("links"), gradyn.UsageError, "links"),
        (lambda m, p, h, b: p.Lx, AttributeError, "Lx"),
        (lambda m, p, h, b: 1 / 0, ZeroDivisionError, "division by zero"),
        (lambda m, p, h, b: sys.exit(3), SystemExit, "3"),
        (lambda m, p, h, b: p.L if p.L > 0.2 else 1, TypeError, "'>' not supported"),
        (lambda m, p, h, b: int(p.L), TypeError, "int"),
    ],
)
def test_errors_are_named(declare: Build, kind: type, words: str) -> None:
    problem = pendulum(declare)
    for _ in range(2):  # and again, of an evaluator after a failed creation
        with pytest.raises(kind, match=words):
            problem.simulate()


def test_numbers_of_another_model_are_refused() -> None:
    kept: list[Any] = []

    def declare(m: Model, p: Any, hinge: Any, bob: Any) -> None:
        kept.append((m, bob))
        m.rod("r", hinge, kept[0][1], length=p.L)

    with pytest.raises(TypeError, match="of another model, or of another call of build"):
        pendulum(declare).gradient()
    with pytest.raises(gradyn.UsageError, match="this model is built"):
        kept[0][0].point("late", 0, 0)


@pytest.mark.parametrize(
    "lost", [abs, lambda z: complex(z.real), lambda z: np.linalg.norm([z, 0]), lambda z: float(np.real(z))]
)
def test_lost_derivatives_are_reported(lost: Callable[[Any], Any]) -> None:
    problem = rod(lambda p: lost(p.L))
    assert problem.simulate().psi["v"] > 0
    with pytest.raises(gradyn.UsageError, match="r.*length"):
        problem.gradient()


def test_functions_of_numbers_keep_derivatives() -> None:
    expected = rod(lambda p: p.L).gradient()["v", "L"]
    for kept in (gradyn.abs, lambda z: gradyn.maximum(z, 0.1), lambda z: gradyn.minimum(9, z)):
        assert rod(lambda p, kept=kept: kept(p.L)).gradient()["v", "L"] == expected
    assert rod(lambda p: gradyn.norm([p.L, 0])).gradient()["v", "L"] == pytest.approx(expected)
    assert rod(lambda p: gradyn.where(p.L.real > 0.2, p.L, 1)).gradient()["v", "L"] == expected


def test_closures_over_numbers_of_build_are_refused() -> None:
    def over_p(m: Model, p: Any, hinge: Any, bob: Any) -> None:
        m.custom_force("f", points=[bob], fn=lambda at: -p.L * at.vel)

    def over_number(m: Model, p: Any, hinge: Any, bob: Any) -> None:
        k = 2 * p.L
        m.custom_force("f", points=[bob], fn=lambda at: -k * at.vel)

    def by_default(m: Model, p: Any, hinge: Any, bob: Any) -> None:
        m.custom_force("f", points=[bob], fn=lambda at, k=p.L: -k * at.vel)

    for declare in (over_p, over_number, by_default):
        with pytest.raises(gradyn.UsageError, match="custom_force 'f': a function holds numbers of build"):
            pendulum(declare).simulate()


@gradyn.problem(t_end=1.0)
def stone(m: gradyn.Model, p: Any) -> None:
    """A falling stone, without parameters."""
    point = m.point("stone", 0, 1)
    m.point_mass("stone", point, 2)
    m.gravity(0, -9.81)
    m.custom_functional("height", "m", terminal=lambda at: at.pos[point][1])


def test_problems_without_parameters() -> None:
    without_parameters(stone)


def test_compiled_problems_without_parameters(compiler: str) -> None:
    without_parameters(stone.compile())


def without_parameters(of: Any) -> None:
    assert of.x0.shape == (0,) and len(of.parameters) == 0
    assert of.simulate().psi["height"] == pytest.approx(1 - 9.81 / 2, rel=1e-9)
    assert of.gradients()[1].shape == (1, 0)
    assert repr(of.gradient()) == "<gradient of height by nothing>"
    assert of.check().passed
    assert of.covariance({"stone.vy": 0.1}).t[-1] == 1
    with pytest.raises(gradyn.UsageError, match="no parameters; a search varies at least one"):
        of.optimise()
    with pytest.raises(gradyn.UsageError, match="has no parameter 'length': it has none"):
        of.simulate(length=1)


def test_c_without_parameters() -> None:
    text = stone.to_c()
    assert "GRADYN_PROBLEM_WITHOUT_PARAMS(" in text and "params[]" not in text
