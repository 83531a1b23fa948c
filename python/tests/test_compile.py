"""Models in Python, translated to C: the same bits, and errors for models that cannot be translated."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import gradyn
from conftest import THOROUGH
from gradyn import Model, Param, compiling

sys.path.append(str(Path(__file__).resolve().parent.parent / "examples"))

import everything  # noqa: E402

PROBLEMS = Path(__file__).resolve().parent.parent.parent / "problems"
COMMAND = Path(os.environ["GRADYN_BUILD"]) / "gradyn"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.parametrize(
    "name", ["five_bar", "chain", "cart_pole", "bouncing_ball", "robertson"] + THOROUGH * ["double_wishbone"]
)
def test_compiled_models_have_the_bits_of_c(name: str) -> None:
    problem = getattr(importlib.import_module(name), name)
    short = {"t_end": 0.02} if name == "double_wishbone" else {}
    of_c = gradyn.load(PROBLEMS / f"{name}.c", **short)
    for own, its in zip(problem.compile().with_options(**short).gradients(), of_c.gradients()):
        assert (own == its).all()


def test_every_kind_of_function_is_compiled() -> None:
    problem = everything.ball({})
    compiled = problem.compile()
    for own, of_c in zip(problem.gradients(), compiled.gradients()):
        assert own == pytest.approx(of_c, rel=1e-12)
    assert compiled.check()


def test_parameters_of_load_cases_are_those_of_python() -> None:
    """A mass on a spring, whose stiffness depends on the load case."""
    params = {
        "x": gradyn.Param(1, "m", 0.1, 9, prior=0.2, prior_deviation=0.5, logarithmic=True),
        "k": gradyn.Param(2, "N/m", 0, 9, per_case=True),
    }

    @gradyn.problem(params=params, t_end=0.5, method="explicit", rtol=1e-9)
    def spring(m, p):  # type: ignore[no-untyped-def]
        m.state("x", "m", p.x)
        m.equations(residual=lambda at: [at.yp[0] + at.data.k * at.y[0]], data={"k": p.k})
        end = m.measure_custom("end", "m", formula=lambda at: at.y[0])
        m.minimise(m.functional("f", end, "at-end"))

    table = {"soft": {"k": 1.0}, "stiff": {"k": 3.0}}
    own, compiled = spring.cases(table), spring.compile().cases(table)
    assert list(compiled.parameters) == list(own.parameters) == ["x", "k@soft", "k@stiff"]
    assert compiled.parameters == own.parameters and own.parameters["x"].logarithmic
    assert compiled.gradients()[1] == pytest.approx(own.gradients()[1], rel=1e-12)
    with pytest.raises(gradyn.UsageError, match="compile it without them"):
        own.compile()


def test_settings_and_options_are_those_of_the_problem() -> None:
    chain = importlib.import_module("chain").chain
    problem = chain.with_options(settings={"links": 3}, t_end=0.1, method="explicit")
    compiled = problem.compile()
    assert compiled.options["method"] == "explicit" and compiled.sizes.coordinates == 6
    assert (compiled.functions() == problem.functions()).all()


def test_the_command_runs_written_files(tmp_path: Path) -> None:
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
        m.minimise(m.functional("y", m.measure_point("", bob, 0, "y"), "at-end"))

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


POWERS: list[Callable[[Any], Any]] = [
    *(lambda x, n=n: x**n for n in (-7, -4, -1, 0, 1, 2, 3, 4, 5, 6, 9, 31)),
    lambda x: x**2.0,
    lambda x: x ** np.int64(5),
    lambda x: x ** np.float64(-3),
    lambda x: np.power(x, 6),
    lambda x: np.power(np.array([x, x]), 3)[1],
    lambda x: np.array([x, 1])[0] ** np.array([5, 2])[0],
    lambda x: (np.array([x, x]) ** np.array([4, 7]))[1],
    lambda x: x ** (3 + 0j),
    lambda x: np.square(x) * np.reciprocal(x),
]


@pytest.mark.filterwarnings("ignore:.*powers by.*:gradyn.GradynWarning")
@pytest.mark.parametrize("power", POWERS)
def test_integer_powers_are_those_of_real_numbers(power: Callable[[Any], Any]) -> None:
    @gradyn.problem(params={"x": Param(0.94, "")}, t_end=1.0)
    def power_of(m: Model, p: Any) -> None:
        """The integral of a power"""
        m.state("y", "", 0)
        m.equations(residual=lambda at: [at.yp[0] - power(at.data.x - 1)], data={"x": (p.x, "")})
        m.minimise(m.custom_functional("end", "", terminal=lambda at: at.y[0]))

    compiled = power_of.compile()
    for method in ("explicit", "radau", "idas"):
        problems = [problem.with_options(method=method) for problem in (power_of, compiled)]
        for x in (2.0, 0.94, 0.5, -1.7):
            value, step = float(np.real(power(x - 1.0))), 1e-6
            slope = float(np.real(power(x - 1 + step) - power(x - 1 - step))) / (2 * step)
            for problem in problems:
                psi, gradient = problem.gradients([x])
                assert psi[0] == pytest.approx(value, rel=1e-12)
                assert gradient[0, 0] == pytest.approx(slope, rel=1e-5, abs=1e-9)


def test_powers_with_other_bits_than_pythons_are_reported() -> None:
    with pytest.warns(gradyn.GradynWarning, match="falling|build: powers by -3, 5 are computed by pow"):
        falling(lambda at: [at.vel[0, 1] ** 5 + (2 + at.data.c) ** -3, 0]).compile()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        falling(lambda at: [at.vel[0, 1] ** 2 / (2 + at.data.c) ** -1, at.data.c**0.5]).compile()


def test_powers_of_negative_numbers_without_value_are_refused() -> None:
    problem = falling(lambda at: [(at.data.c - 0.2) ** 2.5, 0])
    for made in (problem, problem.compile()):
        assert made.functions(c=0.3).size == 1
        with pytest.raises(gradyn.EvaluationError, match="force f is not real"):
            made.functions(c=0.1)


@pytest.mark.parametrize("in_build", [False, True])
def test_powers_of_negative_numbers_have_no_derivatives_by_exponents(in_build: bool) -> None:
    @gradyn.problem(params={"n": Param(3.0, "")}, t_end=1.0, method="radau")
    def power_of(m: Model, p: Any) -> None:
        """The integral of a power"""
        m.state("y", "", 0)
        data = {"x": ((-2.0) ** p.n if in_build else p.n, "")}
        m.equations(
            residual=lambda at: [at.yp[0] - (at.data.x if in_build else (at.t - 9) ** at.data.x)],
            data=data,
        )
        m.minimise(m.custom_functional("end", "", terminal=lambda at: at.y[0]))

    where = "of .*x by the parameter n" if in_build else r"of F\[0\] by at->data\[0\] at t = .* s"
    for problem in (power_of, power_of.compile()):
        with pytest.raises(gradyn.UsageError, match=where + " does not exist"):
            problem.gradients()


@gradyn.problem(params={"mass": Param(1.0, "kg", 0.1, 5)}, t_end=0.6, rtol=1e-10)
def handles(m: Model, p: Any) -> None:
    """A double pendulum in space that declares one object of every kind that has a number."""
    base = m.ground_point_3d("base", 0, 0, 1)
    a = m.body_3d("a", centre=[0.5, 0, 0], mass=p.mass, inertia=[0.1, 0.1, 0.1])
    b = m.body_3d("b", centre=[1.5, 0, 0], mass=1, inertia=[0.1, 0.1, 0.1])
    first = m.joint_between("j1", "revolute", gradyn.GROUND, a, position=[0, 0, 0], axis=[0, 1, 0])
    second = m.joint_between("j2", "revolute", a, b, position=[1, 0, 0], axis=[0, 1, 0])
    angles = [m.joint_coordinate(joint, "angle") for joint in (first, second)]
    m.joint_spring("hinge", angles[1], k=2, c=0.1)
    m.gravity_3d(0, 0, -9.81)
    tip, middle = m.body_point_3d(b, "tip", 2, 0, 0.1), m.body_centre(b)
    m.spring("s", base, tip, k=5, free_length=1)
    free, weight = m.point_3d("free", 0, 1, 0), m.point_3d("weight", 0, 1.5, 0)
    tie = m.rod("tie", free, weight, length=0.5)
    m.point_mass("weight", weight, 0.5)
    m.point_mass("free", free, 1)
    m.custom_force(
        "push", points=[tip, free], fn=lambda at: np.array([[0, 0, 1], [1, 0, 0]]) * at.data.k - 0.1 * at.vel,
        data={"k": p.mass},
    )
    u = m.signal("u", "", "piecewise-linear", knots=[1, 2])
    fall = m.event(
        "catch", guard=lambda at: at.pos[free, 2] + 0.5, direction="falling", set=[(free, "z"), (free, "x")],
        reset=lambda at: [-0.5 * at.vel[free][2], at.vel[free, 0] + at.pos[tip, 0]],
    )
    m.event("passes", guard=lambda at: at.pos[tip, 2] + 0.9, direction="falling")
    high, turn = m.measure_point("high", tip, 0, "z"), m.measure_joint("turn", angles[0], 0)
    mixed = m.measure_formula(
        "mixed", "m", formula=lambda at: at.of[0] + at.data.k * at.of[1], of=[high, turn], data={"k": 2.0}
    )
    m.functional("spread", mixed, "integral")
    m.event_time("caught", fall, 1)
    m.functional("z", m.measure_point("", tip, 0, "z"), "at-end")
    m.custom_functional(
        "rows", "", terminal=lambda at: at.pos[tip] @ at.pos[middle] + at.lam[tie] + at.vel[free][1] ** 2
    )
    m.custom_functional("inside", "", integrand=lambda at: at.acc[free, 2] * at.u[u] + at.pos[middle, 0] ** 2)


HANDLED = ["natural", "joint"]


@pytest.mark.parametrize(
    "written, run", [(w, r) for w in HANDLED for r in HANDLED if THOROUGH or (w, r) == ("natural", "joint")]
)
def test_numbers_of_things_are_those_of_any_coordinates(written: str, run: str, tmp_path: Path) -> None:
    short: dict[str, Any] = {} if THOROUGH else {"rtol": 1e-6}
    problem = handles.with_options(coordinates=run, **short)
    compiled = handles.with_options(coordinates=written, **short).compile()
    handles.with_options(coordinates=written, **short).to_c(tmp_path / "handles.c")
    again = gradyn.load(tmp_path / "handles.c", coordinates=run)
    gradients = problem.gradients()
    for made in (compiled.with_options(coordinates=run), again):
        assert made.sizes == problem.sizes
        for own, of_c in zip(gradients, made.gradients()):
            assert own == pytest.approx(of_c, rel=1e-9, abs=1e-11)


def test_a_compiled_model_has_several_coordinates_at_once() -> None:
    problem = handles if THOROUGH else handles.with_options(rtol=1e-6)
    compiled = problem.compile()
    made = [compiled.with_options(coordinates=c) for c in HANDLED * (3 if THOROUGH else 1)]
    expected = [problem.with_options(coordinates=c).functions() for c in HANDLED]
    for again in range(2):
        for k, one in enumerate(made):
            assert one.functions() == pytest.approx(expected[k % 2], rel=1e-9)


def test_numbers_used_as_plain_numbers_are_refused_in_other_coordinates() -> None:
    @gradyn.problem(params={"mass": Param(1.0, "kg")}, t_end=0.1)
    def plain(m: Model, p: Any) -> None:
        """A body with points"""
        a = m.body_3d("a", centre=[0.5, 0, 0], mass=p.mass, inertia=[0.1, 0.1, 0.1])
        m.joint_between("j", "revolute", gradyn.GROUND, a, position=[0, 0, 0], axis=[0, 1, 0])
        m.gravity_3d(0, 0, -9.81)
        tip = m.body_point_3d(a, "tip", 1, 0, 0)
        m.custom_functional("z", "m", terminal=lambda at: at.pos[int(tip.__index__())][2])

    compiled = plain.compile()
    assert compiled.functions() == pytest.approx(plain.functions())
    with pytest.raises(gradyn.UsageError, match="other coordinates: compile the model"):
        compiled.with_options(coordinates="natural").functions()


def test_written_files_have_the_options_of_the_problem(tmp_path: Path) -> None:
    robertson = importlib.import_module("robertson").robertson
    text = robertson.with_options(rtol=1e-5, atol=1e-9, method="radau", t_end=0.5).to_c(tmp_path / "own.c")
    for told in (".rtol = 1e-05", ".atol = 1e-09", '.method = "radau"', ".t_end = 0.5"):
        assert told in text
    assert " = 0.0" not in text.split("GRADYN_PROBLEM")[1]
    assert gradyn.load(tmp_path / "own.c").options["rtol"] == 1e-5


@pytest.mark.parametrize(
    "force, words",
    [
        (lambda at: at.vel if at.pos[0, 1].real > 0 else -at.vel, "gradyn.where"),
        (lambda at: at.vel if at.pos[0, 1] else -at.vel, "gradyn.where"),
        (lambda at: at.vel * abs(at.vel[0, 0]), "gradyn.abs"),
        (lambda at: at.vel * float(at.data.c.real), ""),
    ],
)
def test_branches_and_lost_derivatives_are_refused(force: Callable[[Any], Any], words: str) -> None:
    with pytest.raises((gradyn.UsageError, TypeError), match=words):
        falling(force).compile()


def test_a_branch_in_build_is_refused() -> None:
    with pytest.raises(gradyn.UsageError, match="falling|build.*cannot be compiled.*gradyn.where"):
        falling(lambda at: 0 * at.vel, lambda h: h if h.real > 1 else 1.0).compile()


def test_wrong_files_are_reported(tmp_path: Path) -> None:
    (tmp_path / "bad.c").write_text("int f(void) { return x; }")
    with pytest.raises(gradyn.UsageError, match="bad.c cannot be compiled"):
        gradyn.load(tmp_path / "bad.c")
    with pytest.raises(gradyn.UsageError, match="none.c cannot be read"):
        gradyn.load(tmp_path / "none.c")


def test_a_missing_compiler_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "/nowhere/cc")
    with pytest.raises(gradyn.UsageError, match="/nowhere/cc cannot be run .*: set CC"):
        everything.ball({}).compile()


def test_other_headers_give_another_object(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package refuses a library whose structs have grown: it would read beyond its own
    declarations."""
    shutil.copytree(compiling.headers(), tmp_path / "include")
    monkeypatch.setattr(compiling, "headers", lambda: str(tmp_path / "include"))
    source = PROBLEMS / "robertson.c"
    first = compiling.compiled(source)
    assert compiling.compiled(source) == first
    with open(tmp_path / "include" / "gradyn" / "model.h", "a") as header:
        header.write("/* a member more */\n")
    assert compiling.compiled(source) != first


def test_a_cache_that_others_can_write_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cache" / "gradyn").mkdir(parents=True)
    (tmp_path / "cache" / "gradyn").chmod(0o777)
    with pytest.raises(gradyn.UsageError, match="has to be yours alone"):
        everything.ball({}).compile()
