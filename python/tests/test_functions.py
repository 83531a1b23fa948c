"""Users' functions in Python: their arguments, their results, and exceptions that they raise."""

from __future__ import annotations

import gc
import sys
import warnings
import weakref
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import gradyn
from conftest import THOROUGH
from gradyn import Model, Param


def dropped(force: Callable[[Any], Any], **more: Any) -> gradyn.Problem:
    """A point that falls without feeling any force, whatever a force function returns."""

    @gradyn.problem(params={"c": Param(0.3, "N s/m", 0, 1), "h": Param(2.0, "m", 0, 3)}, t_end=0.5, **more)
    def build(m: Model, p: Any) -> None:
        """A falling point"""
        bob = m.point("bob", 0, p.h)
        m.point_mass("bob", bob, 1)
        m.gravity(0, -9.81)
        m.custom_force("f", points=[bob], fn=force, data={"c": (p.c, "N s/m")})
        m.minimise(m.functional("y", m.measure_point("", bob, 0, "y"), "at-end"))

    return build


def drag(at: Any) -> Any:
    return -at.data.c * at.vel


def test_a_force_has_the_closed_form() -> None:
    gradient = dropped(drag, rtol=1e-12).gradient()
    c, g, t = 0.3, 9.81, 0.5
    assert gradient.psi["y"] == pytest.approx(2 - g / c * (t - (1 - np.exp(-c * t)) / c), rel=1e-10)
    assert gradient["y", "h"] == pytest.approx(1)


def test_functions_may_return_lists_or_numbers() -> None:
    expected = dropped(drag).gradient().matrix
    forces = [
        lambda at: [-at.data.c * at.vel[0, 0], -at.data.c * at.vel[0, 1]],
        lambda at: (-at.data.c * at.vel).tolist(),
        lambda at: np.asfortranarray(-at.data[0] * at.vel[0]),
    ]
    for force in forces:
        assert (dropped(force).gradient().matrix == expected).all()


@pytest.mark.parametrize(
    "value, kind, words",
    [
        (None, TypeError, "the function of f has returned None"),
        ([1, 2, 3], ValueError, "the function of f has returned 3 numbers instead of 2"),
        ("ab", TypeError, "returned 'ab'"),
        ([[1], [2, 3]], ValueError, ""),
        (1.0, ValueError, "1 numbers instead of 2"),
    ],
)
def test_errors_of_a_result_are_reported(value: Any, kind: type, words: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(kind, match=words):
            dropped(lambda at: value).simulate()


def test_a_result_that_is_no_number_fails_the_run() -> None:
    with pytest.raises(gradyn.EvaluationError) as caught:
        dropped(lambda at: np.nan * at.vel).simulate()
    assert caught.value.status == "non-finite"


@pytest.mark.parametrize("error", [KeyError("no table"), SystemExit(4), KeyboardInterrupt()])
@pytest.mark.parametrize("call", ["simulate", "gradients", "optimise", "check", "linearise"])
def test_exceptions_of_functions_are_passed_on(error: BaseException, call: str) -> None:
    calls = [0]

    def force(at: Any) -> Any:
        calls[0] += 1
        if calls[0] == 30:
            raise error
        return drag(at)

    problem = dropped(force)
    with pytest.raises(type(error)) as caught:
        getattr(problem, call)()
    assert caught.value is error
    assert "force" in [entry.name for entry in caught.traceback]
    assert problem.simulate().psi["y"] < 2  # and the evaluator is none the worse


def test_a_rejected_point_fails_with_its_reason_and_a_search_continues() -> None:
    bad = [True]

    def force(at: Any) -> Any:
        if bad[0] and at.data.c.real > 0.5:
            raise gradyn.PointRejected("outside of the table")
        return drag(at)

    problem = dropped(force)
    with pytest.raises(gradyn.EvaluationError, match="outside of the table") as caught:
        problem.simulate(c=0.7)
    assert caught.value.status == "callback" and isinstance(caught.value.__cause__, gradyn.PointRejected)
    result = problem.optimise(max_evaluations=8)
    assert result.nfev > 1 and result.fun <= result.initial


FAULTS: dict[type[BaseException], Callable[[], Any]] = {
    ZeroDivisionError: lambda: 1 / 0,
    OverflowError: lambda: 1e300**2,
    FloatingPointError: lambda: [np.float64(1) / np.float64(0)],
}
OTHERS: dict[type[BaseException], Callable[[], Any]] = {
    IndexError: lambda: [][1],
    NameError: lambda: undefined,  # type: ignore[name-defined] # noqa: F821
    ArithmeticError: lambda: raised(ArithmeticError()),
    gradyn.EvaluationError: lambda: raised(gradyn.EvaluationError()),
}


def raised(error: BaseException) -> Any:
    raise error


def bowl(wrong: Callable[[], Any], wrong_from: float, best: float = 0.2) -> gradyn.PythonProblem:
    """The objective is smallest at c = best. From another value of c on, a function fails."""

    @gradyn.problem(params={"c": gradyn.Param(0.1, "", 0, 1)}, t_end=1.0)
    def build(m: gradyn.Model, p: Any) -> None:
        """A pushed ball"""
        ball = m.point("ball", 1, 1)
        m.point_mass("ball", ball, 1)

        def push(at: Any) -> Any:
            with np.errstate(all="raise"):
                return [10 * (at.data.c - best), 0] if at.data.c.real < wrong_from else wrong()

        m.custom_force("push", points=[ball], fn=push, data={"c": p.c})
        m.minimise(m.square_integral("x", m.measure_point("", ball, 0, "all-axes"), target=(1, 1)))

    return build


@pytest.mark.parametrize("kind", [*FAULTS, *OTHERS])
@pytest.mark.parametrize("call", ["simulate", "gradient", "functions", "optimise", "linearise", "check"])
def test_calls_and_starts_of_searches_raise_errors(kind: type[BaseException], call: str) -> None:
    with pytest.raises(kind):
        getattr(bowl({**FAULTS, **OTHERS}[kind], 0.5), call)([0.6])


@pytest.mark.parametrize("kind", list(OTHERS))
def test_other_errors_end_a_search_at_once(kind: type[BaseException]) -> None:
    with pytest.raises(kind):
        bowl(OTHERS[kind], 0.15, 0.9).optimise()


@pytest.mark.parametrize("kind", list(FAULTS))
def test_a_search_names_errors_of_arithmetic_and_its_end_is_no_optimum(
    kind: type[BaseException],
) -> None:
    result = bowl(FAULTS[kind], 0.15, 0.9).optimise()
    assert not result.success and result.status != "ok" and result.termination != "optimal"
    assert result.rejected >= result.faults[0].points > 0 and 0.1 <= result.x[0] < 0.15
    (fault,) = result.faults
    assert fault.error.startswith(kind.__name__) and fault.function == "<lambda>"
    line = Path(fault.file).read_text().splitlines()[fault.line - 1]
    assert fault.file == __file__ and f"{kind.__name__}:" in line
    assert str(fault) in result.message and f"line {fault.line}" in result.message
    assert bowl(FAULTS[kind], 0.15, 0.9).functions([0.1]) > 0


def test_an_optimum_beside_which_points_are_rejected_is_none(tmp_path: Path) -> None:
    problem = bowl(FAULTS[ZeroDivisionError], 0.15, 0.9)
    study = problem.run(tmp_path / "study")
    assert study.found is not None and not study.found.success
    assert study.result["status"] != "ok" and "ZeroDivisionError" in study.result["reason"]


def test_an_optimum_far_from_rejected_points_is_one() -> None:
    result = bowl(FAULTS[ZeroDivisionError], 0.9).optimise([0.8])
    assert result.success and result.x == pytest.approx(0.2, abs=1e-4) and "optimal" in result.message


def test_sweeps_and_many_searches_name_errors_of_arithmetic() -> None:
    problem = bowl(FAULTS[ZeroDivisionError], 0.5).with_options(t_end=0.1)
    with pytest.warns(gradyn.GradynWarning, match="2 points rejected: ZeroDivisionError"):
        assert problem.sweep({"c": (0, 1, 4)}).status == ["ok", "ok", "callback", "callback"]
    with pytest.warns(gradyn.GradynWarning, match="rejected: ZeroDivisionError"):
        assert problem.multistart(4).best.success


def test_borrowed_objects_expire_and_arrays_are_copies() -> None:
    kept: list[Any] = []

    def force(at: Any) -> Any:
        if not kept:
            kept.append((at, at.vel, at.vel.copy()))
        with pytest.raises(ValueError):
            at.pos[0, 0] = 1
        return drag(at)

    dropped(force).simulate()
    gc.collect()
    at, velocity, copy = kept[0]
    assert (velocity == copy).all()
    with pytest.raises(AttributeError):
        at.pos


def test_a_function_cannot_call_its_own_problem() -> None:
    problems: list[gradyn.Problem] = []
    problems.append(dropped(lambda at: problems[0].functions()))
    with pytest.raises(gradyn.UsageError, match="is being evaluated: its own functions cannot call it"):
        problems[0].simulate()


def test_every_kind_of_function_is_called() -> None:
    seen: set[str] = set()

    def noted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            seen.add(name)
            return function(*arguments)

        return call

    @gradyn.problem(params={"v": Param(1.0, "m/s")}, t_end=1.0, rtol=1e-10)
    def ball(m: Model, p: Any) -> None:
        """A ball on a level line, whose velocity is reversed at x = 0.5 with half its size"""
        point = m.point("ball", 0, 0)
        m.initial_velocity(point, p.v, 0)
        m.point_mass("ball", point, 1)
        level = noted("constraint", lambda at, order: (at.pos, at.vel, at.acc)[order][0, 1])
        m.custom_constraint("level", points=[point], fn=level)
        guard = noted("guard", lambda at: 0.5 - at.pos[0, 0])
        half = noted("reset", lambda at: [-0.5 * at.vel[0, 0], 0 * at.t])
        event = m.event(
            "turn", guard=guard, direction="falling", set=[(point, "x")], reset=lambda at: half(at)[0]
        )
        x = m.measure_point("x", point, 0, "x")
        square = noted("formula", lambda at: at.of[0] * at.of[0] * at.data.k)
        squared = m.measure_formula("x2", "m^2", formula=square, of=[x], data={"k": 2.0})
        m.functional("x2_end", squared, "at-end")
        m.custom_functional("x_end", "m", terminal=noted("terminal", lambda at: at.pos[point, 0]))
        m.custom_functional("path", "m s", integrand=noted("integrand", lambda at: at.pos[point, 0]))
        m.event_time("turn_time", event, 1)

    gradient = ball.gradient()
    assert seen == {"constraint", "guard", "reset", "formula", "terminal", "integrand"}
    assert gradient.psi["turn_time"] == pytest.approx(0.5)
    assert gradient.psi["x_end"] == pytest.approx(0.25) and gradient.psi["x2_end"] == pytest.approx(0.125)
    # x_end = 0.5 - (T - 0.5/v) v/2
    assert gradient["x_end", "v"] == pytest.approx(-0.5) and gradient["turn_time", "v"] == pytest.approx(-0.5)


def test_problems_go_with_their_functions() -> None:
    """Memory must be released at once, because an evaluator may hold much memory that Python does
    not count."""
    gc.collect()
    gc.disable()
    try:
        problem = dropped(drag)
        problem.gradient()
        gone = weakref.ref(problem), weakref.ref(problem._made)
        del problem
        assert gone[0]() is None and gone[1]() is None
    finally:
        gc.enable()


def test_builds_and_evaluators_do_not_grow() -> None:
    resource = pytest.importorskip("resource")
    problem = dropped(drag)
    for _ in range(50):
        problem.with_options(t_end=0.01).functions()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(500):
        problem.with_options(t_end=0.01).functions()
    gc.collect()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4000  # kB
    assert sys.getrefcount(problem) < 10


# --- bodies -------------------------------------------------------------------------------------------


def base(at: Any, order: int) -> Any:
    """Centre and base vectors with three components."""
    rows = [at.pos, at.vel, at.acc][order][: at.pos.shape[1] + 1]
    wide = np.zeros((4, 3), complex)
    wide[: rows.shape[0], : rows.shape[1]] = rows
    return wide


class Library:
    """Motions and loads of a body, computed by the methods of `at`."""

    @staticmethod
    def turn(at: Any) -> Any:
        return at.body_turn(0)

    @staticmethod
    def motion(at: Any, local: Any, order: int) -> Any:
        return at.body_motion(0, local, order)

    @staticmethod
    def load(at: Any, local: Any, force: Any, torque: Any) -> Any:
        return at.body_load(0, local, force, torque) + at.body_load(0, force=[0, 0, 0])


class Formula:
    """The same motions and loads, computed from the base vectors."""

    @staticmethod
    def turn(at: Any) -> Any:
        return sum(np.cross(e, rate) / 2 for e, rate in zip(base(at, 0)[1:], base(at, 1)[1:]))

    @staticmethod
    def motion(at: Any, local: Any, order: int) -> Any:
        rows = base(at, order)
        return rows[0] + sum(s * row for s, row in zip(local, rows[1:]))

    @staticmethod
    def load(at: Any, local: Any, force: Any, torque: Any) -> Any:
        axes = at.pos.shape[1]
        rows = [force] + [
            s * np.array(force) + np.cross(torque, e) / 2 for s, e in zip(local, base(at, 0)[1 : axes + 1])
        ]
        return np.array(rows)[:, :axes]


def seen(by: Any, axes: int, coordinates: str) -> gradyn.Problem:
    """A thrown body. Its functions read the base vectors."""
    local = [0.3, 0.1, 0.2][:axes] + [0.0] * (3 - axes)

    def force(at: Any) -> Any:
        omega, v = by.turn(at), by.motion(at, local, 1)
        push = [-0.4 * v[0], -0.4 * v[1], -0.4 * v[2]]
        return by.load(at, local, push, [0, 0, -at.data.c * omega[2] + 0.5 * at.pos[1, 0]])

    def energy(at: Any) -> Any:
        omega, v = by.turn(at), by.motion(at, local, 1)
        return omega @ omega + v @ v

    @gradyn.problem(
        params={"c": Param(0.3, "N m s", 0, 1), "w": Param(2.0, "rad/s", 0, 3)},
        t_end=0.4,
        rtol=1e-10 if THOROUGH else 1e-7,
        coordinates=coordinates,
        method="explicit",
    )
    def build(m: Model, p: Any) -> None:
        declare = m.body if axes == 2 else m.body_3d
        turned = {"omega": [0, 0, p.w] if axes == 2 else [0.2, 0.1, p.w]}
        inertia = [0, 0, 0.4] if axes == 2 else [0.3, 0.5, 0.4, 0, 0, 0]
        body = declare("plate", centre=[0, 0, 0], mass=1.2, inertia=inertia, **turned)
        points = [m.body_centre(body), *(m.body_axis(body, axis) for axis in "xyz"[:axes])]
        ball = m.point("ball", 1, 1) if axes == 2 else m.point_3d("ball", 1, 1, 0)
        m.point_mass("ball", ball, 1)
        m.custom_force("drive", points=points, fn=force, data={"c": (p.c, "N m s")})
        m.event(
            "kick",
            guard={"terminal": lambda at: at.pos[1, 1] - 0.4, "points": points},
            direction="rising",
            set=[(ball, "x")],
            reset={"terminal": lambda at: by.turn(at)[2], "points": points},
        )
        tilt = m.measure_formula(
            "tilt", "rad/s", formula=lambda at: by.turn(at)[2] * at.pos[1, 0], points=points
        )
        m.functional("tilt_end", tilt, "at-end")
        m.minimise(m.custom_functional("energy", "", terminal=energy, points=points), -1)
        m.functional("x", m.measure_point("", ball, 0, "x"), "at-end")

    return build


@pytest.mark.parametrize(
    "axes, coordinates", [(2, "joint")] + THOROUGH * [(3, "natural"), (2, "natural"), (3, "joint")]
)
def test_bodies_read_as_by_their_base_vectors(axes: int, coordinates: str, compiler: str) -> None:
    values = [seen(by, axes, coordinates).gradients() for by in (Library, Formula)]
    values.append(seen(Library, axes, coordinates).compile().gradients())
    for psi, gradient in values[1:]:
        assert psi == pytest.approx(values[0][0], rel=1e-9)
        assert gradient == pytest.approx(values[0][1], rel=1e-7, abs=1e-9)
    assert seen(Library, axes, coordinates).check()


def test_vectors_of_bodies_have_two_or_three_components() -> None:
    problem = dropped(lambda at: at.body_load(0, force=[1]))
    with pytest.raises(ValueError, match="a vector has 2 or 3 components, not 1"):
        problem.functions()
    with pytest.raises(gradyn.GradynError, match="force f is not finite"):
        dropped(lambda at: at.body_load(0, force=[1, 0])).functions()


def test_functionals_have_short_forms_and_sums() -> None:
    @gradyn.problem(params={"w": Param(0.7, "", 0, 1)}, t_end=0.5, rtol=1e-9)
    def build(m: Model, p: Any) -> None:
        """A ball thrown upwards"""
        ball = m.point("ball", 0, 1)
        m.initial_velocity(ball, 2 * p.w, 3)
        m.point_mass("ball", ball, 1)
        m.gravity(0, -9.81)
        speed = m.measure_custom("speed", "m/s", formula=lambda at: at.vel[ball, 0], hidden=True)
        x, way = m.at_end("x", m.measure_point("", ball, 0, "x")), m.integral("way", speed)
        m.maximum("height", m.measure_point("", ball, 0, "y"))
        m.constrain(m.functional_sum("sum", "m", terms=[x, way], weights=[2, p.w]), upper=5, tolerance=1e-6)

    gradient = build.gradient()
    psi = gradient.psi
    assert psi["x"] == pytest.approx(0.7) and psi["height"] == pytest.approx(1 + 9 / (2 * 9.81))
    assert psi["sum"] == pytest.approx(2 * psi["x"] + 0.7 * psi["way"], rel=1e-12)
    assert gradient["sum", "w"] == pytest.approx(2 * 1 + 0.7 * 1 + psi["way"])
