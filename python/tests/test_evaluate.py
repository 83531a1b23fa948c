"""Loading, simulating, differentiating."""

from __future__ import annotations

import copy
import gc
import json
import os
import pickle
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradyn
from gradyn.describe import Datum

COMMAND = Path(os.environ["GRADYN_BUILD"]) / "gradyn"


def told(*arguments: str) -> Any:
    """The JSON that the command prints."""
    return json.loads(subprocess.run([COMMAND, *arguments, "--json"], check=True, capture_output=True).stdout)


@pytest.fixture(name="five_bar", scope="module")
def made() -> gradyn.Problem:
    return gradyn.load("five-bar")


def test_gradients_are_those_of_the_command(five_bar: gradyn.Problem) -> None:
    gradient = five_bar.gradient()
    for functional in told("gradient", "five-bar")["functionals"]:
        row = dict(zip(gradient.parameters, gradient[functional["name"]]))
        assert gradient.psi[functional["name"]] == functional["value"]
        given = functional["gradient"]
        named = given if isinstance(given, dict) else dict(zip(row, given))
        assert {name: row[name] for name in named} == named
    assert gradient["psi1", "Ls1"] == gradient["psi1"][0] == gradient.matrix[0, 0]


def test_parameters_by_keyword_mapping_and_array(five_bar: gradyn.Problem) -> None:
    x = five_bar.x0
    x[0] = 2.0
    psi = five_bar.functions(x)
    assert (five_bar.functions(Ls1=2.0) == psi).all()
    assert (five_bar.functions({"Ls1": 2.0}) == psi).all()
    assert (five_bar.functions(list(x)) == psi).all()
    assert (five_bar.functions(five_bar.x0, Ls1=2.0) == psi).all()
    assert five_bar.parameters["Ls1"].unit == "m" and five_bar.functionals["psi1"].use == "objective"


def test_rows_are_complete() -> None:
    problem = gradyn.load("cart-pole", settings={"knots": 3})
    assert (problem.point(u=[1, 2, 3])[1:] == [1, 2, 3]).all()
    with pytest.raises(gradyn.UsageError, match="parameter u cannot have the shape"):
        problem.point(u=[1, 2])


def test_columns_are_the_librarys_own_numbers_and_outlive_the_trajectory(five_bar: gradyn.Problem) -> None:
    motion = five_bar.simulate(Ls1=2.0)
    column, rows = motion["2.x"], motion.rows
    assert np.shares_memory(column, rows) and motion.units["2.x"] == "m"
    assert motion.t[0] == 0 and motion.t[-1] == 5 and len(motion) == len(list(motion))
    assert (motion(5.0)[0] == rows[-1]).all()
    with pytest.raises(ValueError):
        column[0] = 1
    expected = column.copy()
    del motion, rows
    gc.collect()
    for _ in range(3):  # memory that had been freed would be taken by others
        five_bar.simulate(Ls1=1.5)
    assert (column == expected).all()
    assert len(five_bar.simulate(samples=11).t) == 11


def test_columns_with_the_same_name_are_distinguished() -> None:
    """A measure may have the name of the quantity that it measures. The columns after it keep
    their places."""

    @gradyn.problem(params={"v": gradyn.Param(1.0, "m/s")}, t_end=1.0)
    def ball(m: gradyn.Model, p: Any) -> None:
        """A ball that moves at constant velocity"""
        point = m.point("ball", 0, 0)
        m.point_mass("ball", point, 1)
        m.initial_velocity(point, p.v, 2)
        m.measure_point("ball.x", point, 0, "x")
        m.measure_point("height", point, 0, "y")

    motion = ball.simulate()
    assert {"ball.x", "ball.x (2)", "height"} <= set(motion) and len(motion) == motion.rows.shape[1]
    assert (motion["height"] == motion["ball.y"]).all() and (motion["ball.x (2)"] == motion["ball.x"]).all()
    assert motion(1.0).shape == (1, len(motion)) and motion["height"][-1] == pytest.approx(2)


def test_value_and_gradient_is_the_objective(five_bar: gradyn.Problem) -> None:
    value, slope = five_bar.value_and_gradient()
    gradient = five_bar.gradient()
    assert value == gradient.psi["psi1"] and (slope == gradient["psi1"]).all()
    out = np.empty(3), np.empty((3, 5))
    psi, matrix = five_bar.gradients(five_bar.x0, out=out)
    assert psi is out[0] and matrix is out[1] and (matrix == gradient.matrix).all()


def test_options_by_keyword(five_bar: gradyn.Problem) -> None:
    other = five_bar.with_options(method="ali3p", step=1e-2, t_end=1.0)
    assert other.options["method"] == "ali3p" and len(other.simulate().t) == 101
    assert five_bar.options["method"] == "auto" and five_bar.simulate().t[-1] == 5.0


def test_motions_are_pickled_with_their_columns(five_bar: gradyn.Problem) -> None:
    for motion in (five_bar.simulate(), five_bar.simulate(samples=5), five_bar.equilibrium().state):
        for other in (pickle.loads(pickle.dumps(motion)), copy.deepcopy(motion)):
            assert list(other) == list(motion) and (other.rows == motion.rows).all()
            assert (other.t == motion.t).all() and (other.rho == motion.rho).all()
            assert other.units == motion.units and other.psi == motion.psi and other.events == motion.events
            with pytest.raises(gradyn.UsageError, match="pickled has its rows alone: simulate again"):
                other(0.0)
        assert copy.copy(motion) is motion


@gradyn.problem(
    params={"samples": gradyn.Param(1.0, "m", 0.1, 2), "out": gradyn.Param(1.0, "m", 0.1, 2)}, t_end=0.1
)
def named_like_arguments(m: Any, p: Any) -> None:
    """A fall from a height."""
    point = m.point("p", 0, p.samples)
    m.point_mass("p", point, p.out)
    m.gravity(0, -9.81)
    m.minimise(m.custom_functional("height", "m", terminal=lambda at: at.pos[point][1]))


def test_parameters_named_like_arguments_are_refused_by_name() -> None:
    problem = named_like_arguments
    with pytest.raises(gradyn.UsageError, match="samples is a parameter of .* and an argument of simulate"):
        problem.simulate(samples=2)
    with pytest.raises(gradyn.UsageError, match="give the parameter by a mapping, simulate"):
        problem.simulate({"out": 1.5}, samples=2)
    assert len(problem.simulate({"samples": 0.5}, samples=7).t) == 7
    assert len(problem.simulate(problem.x0, samples=7).t) == 7
    assert problem.simulate({"samples": 0.5}).rho[0] == 0.5
    assert problem.gradient(out=1.5).psi == problem.gradient({"out": 1.5}).psi


def test_named_problems_are_pickled(five_bar: gradyn.Problem) -> None:
    other = pickle.loads(pickle.dumps(five_bar.with_options(rtol=1e-7)))
    assert other.options["rtol"] == 1e-7
    assert (other.functions() == five_bar.with_options(rtol=1e-7).functions()).all()


@pytest.mark.parametrize(
    "bad, kind, words",
    [
        (lambda p: p.simulate(Ls3=1), gradyn.UsageError, "no parameter 'Ls3': it has Ls1, Ls2"),
        (lambda p: p.simulate(Ls1="long"), TypeError, "parameter Ls1 has to be a number"),
        (lambda p: p.simulate(Ls1=np.nan), gradyn.UsageError, "Ls1 is nan"),
        (lambda p: p.simulate([1, 2]), gradyn.UsageError, "5 parameters, not an array of shape"),
        (lambda p: p.gradients(out=(np.empty(1), np.empty(1))), gradyn.UsageError, "shape"),
        (lambda p: p.with_options(rtoll=1e-3), gradyn.UsageError, "no option 'rtoll': there are method"),
        (lambda p: p.with_options(cancel=None), gradyn.UsageError, "no option 'cancel'"),
        (lambda p: p.with_options(rtol="tight"), TypeError, "option rtol cannot be 'tight'"),
        (lambda p: p.with_options(method="rk4").x0, gradyn.UsageError, "rk4"),
        (lambda p: p.with_options(settings={"links": 3}).x0, gradyn.UsageError, "links"),
        (lambda p: p.with_options(settings={"links": 0.5}).x0, TypeError, "'links' has to be an integer"),
        (lambda p: p.gradient()["psi9"], gradyn.UsageError, "no functional 'psi9'"),
        (lambda p: p.simulate()["9.x"], KeyError, "no column '9.x'"),
        (lambda p: p.simulate()(np.inf), gradyn.UsageError, "finite"),
        (lambda p: gradyn.load("five_barr"), gradyn.UsageError, "five_barr"),
        (lambda p: gradyn.load("./none.so"), gradyn.UsageError, "none.so"),
    ],
)
def test_errors_are_named(five_bar: gradyn.Problem, bad: Any, kind: type, words: str) -> None:
    with pytest.raises(kind, match=words):
        bad(five_bar)


def test_a_point_that_fails_has_a_status(five_bar: gradyn.Problem) -> None:
    with pytest.raises(gradyn.EvaluationError) as caught:
        five_bar.simulate(LA1=30.0)
    assert caught.value.status == "not-assembled"
    assert five_bar.functions()[0] > 0  # and the next call is none the worse


def test_an_evaluator_that_failed_fails_again() -> None:
    problem = gradyn.load("chain", settings={"links": 0})
    for _ in range(2):
        with pytest.raises(gradyn.UsageError, match="links is 0"):
            problem.simulate()


def test_ctrl_c_ends_a_run() -> None:
    problem = gradyn.load("chain", t_end=1000.0)
    previous = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        for delay in (0.01, 0.1, 0.2):
            signal.setitimer(signal.ITIMER_REAL, delay)
            with pytest.raises(KeyboardInterrupt):
                problem.simulate()
    finally:
        signal.signal(signal.SIGALRM, previous)
    assert len(problem.with_options(t_end=0.01).simulate().t) > 1


def test_warnings_have_the_place_of_the_call() -> None:
    @gradyn.problem(params={"length": gradyn.Param(1.0, "m")}, t_end=2.0, method="explicit")
    def cornered(m: gradyn.Model, p: Any) -> None:
        """A pendulum, and the integral of |x|, which has a kink"""
        hub, tip = m.ground_point("hub", 0, 0), m.point("tip", p.length, 0)
        m.rod("rod", hub, tip, length=p.length, mass=1)
        m.gravity(0, -9.81)
        sharp = m.custom_functional("sharp", "m s", integrand=lambda at: gradyn.abs(at.pos[tip, 0]))
        m.minimise(sharp)

    with pytest.warns(gradyn.GradynWarning, match="functional sharp") as told:
        cornered.gradient()
    assert told[0].filename == __file__
    with pytest.warns(gradyn.GradynWarning, match="functional sharp") as found:
        result = cornered.optimise(max_evaluations=1)
    assert [str(w.message) for w in found] == [str(w) for w in result.warnings]
    assert {w.filename for w in found} == {__file__}


def in_threads(count: int, work: Any) -> list[Any]:
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(work())) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_threads_take_turns(five_bar: gradyn.Problem) -> None:
    expected = five_bar.gradients()[1]
    found = in_threads(4, lambda: five_bar.gradients()[1])
    assert len(found) == 4 and all((g == expected).all() for g in found)


def test_the_gil_is_free_and_another_thread_can_stop_a_call() -> None:
    """If the call held the GIL, another thread could not stop it."""
    problem, raised = gradyn.load("chain", t_end=1e6), []

    def work() -> None:
        with pytest.raises(gradyn.FatalError) as caught:
            problem.simulate()
        raised.append(caught.value.status)

    thread = threading.Thread(target=work)
    thread.start()
    while thread.is_alive():
        problem.stop()
        time.sleep(0.001)
    assert raised == ["interrupted"]


def test_contents_of_a_model(five_bar: gradyn.Problem) -> None:
    five_bar.gradient()
    rods = [e for e in five_bar.elements if e.kind == "rod"]
    assert [rod.name for rod in rods] == ["A1", "12", "23", "3B"] and rods[1].points == ["1", "2"]
    assert five_bar.data["S1.free_length"] == Datum("S1.free_length", five_bar.x0[0], "m")
    assert [d.name for d in rods[0].data][:2] == ["A1.length", "A1.mass"]
    assert five_bar.sizes.axes == 2 and five_bar.sizes.points == 3 and five_bar.sizes.t_end == 5
    assert five_bar.statistics["steps"] > 100 and five_bar.statistics["method"]
    by_data = five_bar.data_gradient()["psi1"]
    assert by_data["S1.free_length"] == pytest.approx(five_bar.gradient()["psi1", "Ls1"], rel=1e-12)
    signal = gradyn.load("cart-pole").signals["u"]
    assert signal.kind == "cubic-spline" and len(signal.knots) == 21 and signal.unit == "N"


def test_the_tree_of_joint_coordinates(five_bar: gradyn.Problem) -> None:
    assert five_bar.links == []
    problem = gradyn.load("spatial-slider-crank", coordinates="joint")
    carrying = [link for link in problem.links if link.body]
    assert carrying and all(link.parent and link.coordinate and not link.reason for link in carrying)
    assert [link for link in problem.links if link.reason]  # the loop is closed by one
    natural = gradyn.load("spatial-slider-crank", coordinates="natural")
    assert problem.sizes.coordinates < natural.sizes.coordinates


def test_objects_go_in_any_order() -> None:
    for order in range(4):
        problem = gradyn.load("five-bar", t_end=0.1)
        things = [problem, problem.simulate(), problem.gradient(), problem.simulate()["2.x"]]
        del problem
        while things:
            del things[(order * 7) % len(things)]
            gc.collect()


def test_internal_columns_are_not_shown() -> None:
    motion = gradyn.load("hopper-codesign").simulate()
    assert not [name for name in motion if "idle" in name]
    assert motion.rows.shape == (len(motion.t), len(motion)) == motion(motion.t).shape
    assert motion["body.y"][0] == motion.rows[0, list(motion).index("body.y")] == pytest.approx(0.8)
    assert (motion(motion.t[-1:])[0] == motion.rows[-1]).all()


@pytest.mark.parametrize("method", ["explicit", "radau", "idas", "ali3p"])
def test_a_motion_between_steps_is_as_exact_as_its_steps(method: str) -> None:
    """The reference consists of rows of runs that end at these times, without interpolation."""
    step = {"step": 5e-5} if method == "ali3p" else {"rtol": 1e-9}

    @gradyn.problem(params={"start": gradyn.Param(0.5, "rad", -3, 3)}, t_end=2.0, method=method, **step)
    def swung(m: gradyn.Model, p: Any) -> None:
        """A pendulum with a spring in its joint, and measures of it"""
        hinge, bob = m.ground_point("o", 0, 0), m.point("b", 0.4 * np.sin(p.start), -0.4 * np.cos(p.start))
        m.rod("r", hinge, bob, length=0.4)
        m.point_mass("bob", bob, 1)
        m.gravity(0, -9.81)
        down, along = m.rod_frame("g", hinge, m.ground_point("down", 0, -1)), m.rod_frame("rf", hinge, bob)
        angle = m.frame_coordinate("theta", down, along, "angle")
        m.joint_spring("sp", angle, k=4, c=0.05)
        m.fix_initial_angle("h", hinge, bob, -np.pi / 2 + p.start, 0)
        turned = m.measure_joint("turned", angle, 0)
        m.measure_formula("cubed", "", formula=lambda at: at.of[0] ** 3, of=[turned])
        m.minimise(m.functional("J", turned, "square-integral"))

    times = np.linspace(0.07, 1.93, 9)
    motion, sampled = swung.simulate(), swung.simulate(samples=201)
    found = motion(times)
    tight = swung.with_options(method="explicit", step=0.0, rtol=1e-12)
    for t, row in zip(times, found):
        expected = tight.with_options(t_end=t).simulate().rows[-1]
        # At an acceleration of 21 m/s^2 the step leaves an error of 1.2e-7, and twice the step
        # four times this error
        error = 2e-6 if method == "ali3p" else 2e-7
        assert row == pytest.approx(expected, rel=2e-6, abs=error)
    assert (sampled.rows == motion(sampled.t)).all()
    swung.simulate(start=-1)  # another run
    assert (motion(times) == found).all() and (motion(motion.t) == motion.rows).all()


def test_times_outside_a_motion_are_refused(five_bar: gradyn.Problem) -> None:
    motion = five_bar.simulate()
    end = float(motion.t[-1])
    assert (motion(np.nextafter(end, 9)) == motion.rows[-1]).all()
    assert (motion([0.0, end])[0] == motion.rows[0]).all()
    for t in (99.0, -1e-6, end * (1 + 1e-12)):
        with pytest.raises(ValueError, match=r"time .* is outside the run, which lasts from 0 s to 5 s"):
            motion([0.1, t])
    with pytest.raises(gradyn.UsageError, match="finite"):
        motion(np.nan)
