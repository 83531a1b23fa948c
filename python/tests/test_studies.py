"""Study folders, and studies with many evaluations or searches."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import THOROUGH

import gradyn
from gradyn import Model, Param, _options
from gradyn._c import ffi, lib

COMMAND = Path(os.environ["GRADYN_BUILD"]) / "gradyn"


@pytest.fixture(name="five_bar", scope="module")
def made() -> gradyn.Problem:
    return gradyn.load("five-bar", rtol=1e-8)


def test_a_run_leaves_a_study(five_bar: gradyn.Problem, tmp_path: Path) -> None:
    seen: list[int] = []
    study = five_bar.run(tmp_path / "study", callback=lambda i: seen.append(i.evaluation))
    again = gradyn.open(tmp_path / "study")
    assert study.found is not None and study.found.success
    assert again.result["objective"] == pytest.approx(study.found.fun)
    assert len(again.history["evaluation"]) == len(seen) == again.history["evaluation"][-1]
    assert {"trajectory_initial.csv", "trajectory_final.csv", "report.html", "journal.jsonl"} <= {
        path.name for path in study.path.iterdir()
    }
    assert again.table("trajectory_final.csv")["t"][-1] == 5
    page = again.show(height=400)
    assert "five-bar" in page.text and 'height:400px' in page._repr_html_()
    assert 'sandbox="allow-scripts"' in page._repr_html_()
    with pytest.raises(gradyn.UsageError, match="holds"):
        five_bar.run(tmp_path / "study")
    assert five_bar.run(tmp_path / "study", replace=True, max_evaluations=2).found.nfev == 2  # type: ignore


def test_a_stopped_run_resumes_bit_for_bit(five_bar: gradyn.Problem, tmp_path: Path) -> None:
    whole = five_bar.optimise()
    stopped = five_bar.run(tmp_path / "study", callback=lambda i: i.evaluation < 3)
    assert stopped.found is not None and stopped.found.status == "interrupted"
    study = five_bar.run(tmp_path / "study", resume=True)
    assert study.found is not None and (study.found.x == whole.x).all()
    done = subprocess.run([COMMAND, "status", tmp_path / "study"], capture_output=True, text=True)
    assert "run of five-bar: optimal" in done.stdout


def test_a_study_runs_no_code(five_bar: gradyn.Problem, tmp_path: Path, compiler: str) -> None:
    """A study may name any problem file. Opening and resuming the study load no such file; only
    the command asks whether to load it."""
    stopped = five_bar.run(tmp_path / "study", callback=lambda i: i.evaluation < 3)
    source = tmp_path / "plant.c"
    source.write_text(
        "#include <stdio.h>\n"
        f'__attribute__((constructor)) static void f(void) {{ fopen("{tmp_path}/ran", "a"); }}\n'
    )
    subprocess.run([compiler, "-shared", "-fPIC", source, "-o", tmp_path / "study" / "plot.so"], check=True)
    for planted in (tmp_path / "study" / "plot.so", "plot.so", "../study/plot.so"):
        for name in ("settings.json", "result.json"):
            path = tmp_path / "study" / name
            known = json.loads(path.read_text(encoding="utf-8"))
            known |= {"problem_file": str(planted), "problem": str(planted)}
            path.write_text(json.dumps(known), encoding="utf-8")
        study = gradyn.open(stopped.path)
        assert study.settings["problem_file"] == str(planted)
        study.show(height=400)
        asked = [COMMAND, "simulate", "--from", "."]
        assert subprocess.run(asked, cwd=stopped.path, capture_output=True).returncode == 2
        five_bar.run(stopped.path, resume=True, max_evaluations=4)
        assert not (tmp_path / "ran").exists()


def test_a_damaged_journal_leaves_the_study(five_bar: gradyn.Problem, tmp_path: Path) -> None:
    study = five_bar.run(tmp_path / "study")
    rounds = tmp_path / "study" / "journal-knots-1.jsonl"
    lines = (tmp_path / "study" / "journal.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    rounds.write_text("".join([lines[0], lines[1].replace("1", "2", 1), *lines[2:]]), encoding="utf-8")
    before = {path.name: path.read_bytes() for path in study.path.iterdir()}
    with pytest.raises(gradyn.UsageError, match="damaged"):
        five_bar.run(tmp_path / "study", resume=True)
    assert before == {path.name: path.read_bytes() for path in study.path.iterdir()}


@pytest.mark.parametrize("coordinates", ["natural", "auto"])
def test_general_equations_name_their_coordinates(coordinates: str, tmp_path: Path) -> None:
    equations = gradyn.load("double-integrator", coordinates=coordinates)
    study = equations.run(tmp_path / "study", max_evaluations=2)
    assert study.result["statistics"]["coordinates"] == "natural"


def test_a_simulation_is_shown(five_bar: gradyn.Problem) -> None:
    page, motion = five_bar.show(Ls1=2.0), five_bar.show(Ls1=2.0, motion=True)
    assert '"folder":"five-bar"' in page.text and "/gradyn-" not in page.text
    assert '<main id="report">' in page.text and '<main id="report" data-only="motion">' in motion.text


def test_a_sweep_has_the_values_of_its_points(five_bar: gradyn.Problem, tmp_path: Path) -> None:
    sweep = five_bar.sweep({"Ls1": (2.0, 2.4, 3), "Ls2": (1.8, 2.0, 2)}, gradient=True, folder=tmp_path)
    assert sweep.shape == (3, 2) and sweep.status == ["ok"] * 6
    assert sweep.grid("psi1")[1, 0] == five_bar.functions(Ls1=2.2, Ls2=1.8)[0]
    assert (sweep.grid("Ls1")[:, 0] == [2.0, 2.2, 2.4]).all()
    assert sweep.gradient is not None and sweep.gradient.shape == (6, 3, 5)
    threads = five_bar.sweep({"Ls1": (2.0, 2.4, 3), "Ls2": (1.8, 2.0, 2)}, jobs=2)
    assert (threads.psi == sweep.psi).all() and threads.gradient is None
    assert five_bar.sweep({"Ls1": (1, 3)}, points=5).rho.shape == (5, 5)


def test_failed_points_are_reported(five_bar: gradyn.Problem) -> None:
    sweep = five_bar.sweep({"LA1": (1.4, 30.0, 2)})
    assert sweep.status == ["ok", "not-assembled"] and np.isnan(sweep.psi[1]).all()


def test_many_starts_find_the_optima(five_bar: gradyn.Problem) -> None:
    found = five_bar.multistart(4, max_evaluations=30)
    assert len(found.searches) == 4 and found.best.fun == found.searches[0].fun
    assert sum(found.counts) <= 4 and found.optima[0].optimum == 0
    threads = five_bar.multistart(4, max_evaluations=30, jobs=2)
    assert [(s.x == t.x).all() for s, t in zip(found.searches, threads.searches)] == [True] * 4


def test_a_front_of_two_functionals(five_bar: gradyn.Problem) -> None:
    front = five_bar.pareto("psi1", "psi2", 3, second_at_most=(1.0, 3.0), max_evaluations=60)
    points = [p for p in front.points if p.on_front]
    assert len(front.points) == 3 and points
    assert all(p.second <= p.limit * (1 + 1e-6) for p in points)
    assert [p.first for p in points] == sorted(p.first for p in points)


def test_threads_call_models_in_python() -> None:
    @gradyn.problem(params={"c": Param(0.3, "", 0, 1)}, t_end=0.2)
    def falling(m: Model, p: Any) -> None:
        """A falling point"""
        bob = m.point("bob", 0, 1)
        m.point_mass("bob", bob, 1)
        m.gravity(0, -9.81)
        m.custom_force("f", points=[bob], fn=lambda at: -at.data.c * at.vel, data={"c": p.c})
        m.minimise(m.functional("y", m.measure_point("", bob, 0, "y"), "at-end"))

    serial = falling.sweep({"c": (0, 1, 8)})
    assert (falling.sweep({"c": (0, 1, 8)}, jobs=3).psi == serial.psi).all()


def test_exceptions_in_threads_are_passed_on() -> None:
    calls = [0]

    @gradyn.problem(params={"c": Param(0.3, "", 0, 1)}, t_end=0.2)
    def falling(m: Model, p: Any) -> None:
        """A falling point whose force function fails"""
        bob = m.point("bob", 0, 1)
        m.point_mass("bob", bob, 1)

        def force(at: Any) -> Any:
            calls[0] += 1
            if calls[0] > 100:
                raise KeyError("no table")
            return -at.data.c * at.vel

        m.custom_force("f", points=[bob], fn=force, data={"c": p.c})
        m.minimise(m.functional("y", m.measure_point("", bob, 0, "y"), "at-end"))

    with pytest.raises(KeyError, match="no table"):
        falling.sweep({"c": (0, 1, 20)}, jobs=3)


@pytest.mark.parametrize("jobs", [1, 3])
def test_ctrl_c_ends_many_searches(jobs: int) -> None:
    problem = gradyn.load("chain", t_end=100.0)
    previous = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            problem.multistart(4, jobs=jobs)
    finally:
        signal.signal(signal.SIGALRM, previous)


@pytest.mark.parametrize(
    "bad, words",
    [
        (lambda p: p.sweep({"Ls9": (1, 2, 3)}), "Ls9"),
        (lambda p: p.sweep({"Ls1": (1, 2)}), "the range of Ls1 has to be"),
        (lambda p: p.sweep({}), "range"),
        (lambda p: p.multistart(0), "start"),
        (lambda p: p.pareto("psi1", "psi9", 3), "psi9"),
        (lambda p: p.pareto("psi1", "psi2", 1), "2"),
        (lambda p: p.sweep({"Ls1": (2, 2.2, 2)}).grid("psi9"), "psi9"),
        (lambda p: gradyn.open("/nowhere"), "no study folder"),
    ],
)
def test_errors_are_named(five_bar: gradyn.Problem, bad: Any, words: str) -> None:
    with pytest.raises(gradyn.UsageError, match=words):
        bad(five_bar)


class Shown:
    """Records the calls of a progress bar, in place of tqdm."""

    made: list["Shown"] = []

    def __init__(self, **given: Any) -> None:
        self.desc, self.n, self.total, self.best = given["desc"], 0, None, ""
        Shown.made.append(self)

    def __enter__(self) -> "Shown":
        return self

    def __exit__(self, *_: Any) -> None:
        pass

    def update(self, count: int) -> None:
        self.n += count

    def set_postfix(self, best: str) -> None:
        self.best = best


def test_progress_is_shown_by_tqdm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = types.ModuleType("tqdm.auto")
    setattr(package, "tqdm", Shown)
    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.auto", package)
    problem = gradyn.load("five-bar")
    Shown.made.clear()
    result = problem.optimise(progress=True)
    shown = Shown.made[-1]
    assert shown.n >= result.nfev and float(shown.best) == pytest.approx(result.fun, rel=1e-5)
    problem.run(tmp_path / "study", progress=True, max_evaluations=3)
    assert Shown.made[-1].desc == "five-bar: evaluations" and Shown.made[-1].n >= 3
    problem.sweep({"Ls1": (2.0, 2.6, 7)}, progress=True)
    assert Shown.made[-1].n == Shown.made[-1].total == 7
    problem.multistart(3, progress=True, max_evaluations=4, jobs=2)
    assert Shown.made[-1].n == Shown.made[-1].total == 3
    problem.optimise(max_evaluations=2)
    assert len(Shown.made) == 4  # none that nobody wanted


def test_progress_without_tqdm_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(gradyn.UsageError, match="tqdm, which is not installed"):
        gradyn.load("five-bar").optimise(progress=True)


def test_progress_with_tqdm_itself(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    gradyn.load("five-bar").sweep({"Ls1": (2.0, 2.6, 7)}, progress=True)
    assert "five-bar: points: 100%" in capsys.readouterr().err


# problems without constraints, with many parameters, and in space
@pytest.mark.parametrize(
    "name, ended",
    [
        ("five-bar", {}),
        ("hang-glider", {}),
        ("spatial-slider-crank", {} if THOROUGH else {"max_evaluations": 5}),
    ],
)
def test_command_library_and_python_make_the_same_choices(
    name: str, ended: dict[str, Any], tmp_path: Path
) -> None:
    asked = [COMMAND, "run", name, "--no-report", "--quiet", "--json", "--out", tmp_path / "chosen"]
    asked += [word for most in ended.values() for word in ("--max-evaluations", str(most))]
    told = json.loads(subprocess.run(asked, capture_output=True, check=not ended).stdout)
    of_python = gradyn.load(name).optimise(**ended)
    problem = gradyn.load(name)
    evaluator, rho = problem._evaluator.c, np.array(problem.x0)
    search, out = ffi.new("gradyn_search *"), ffi.new("gradyn_search_result *")
    lib.gradyn_search_default(evaluator, search)
    _options.put(search, "gradyn_search", ended, [])
    status = lib.gradyn_optimise(evaluator, search, ffi.from_buffer("double[]", rho), out)
    assert ffi.string(lib.gradyn_status_describe(status).name).decode() == told["status"]
    of_c = [out.rho[i] for i in range(len(rho))]
    assert told["algorithm"] == of_python.algorithm
    assert told["coordinates"] == problem.options["coordinates"]
    assert [p["value"] for p in told["parameters"]] == of_python.x.tolist() == of_c
    assert told["objective"] == of_python.fun == out.objective
    assert told["evaluations"] == of_python.nfev == out.evaluations
    lib.gradyn_search_result_clear(out)


def by_library(problem: gradyn.Problem, options: dict[str, Any]) -> tuple[list[float], str]:
    """A search by the library itself: returns its best point and the method of its evaluator."""
    rho, kept = np.array(problem.x0), []  # type: ignore[var-annotated]
    search, out = ffi.new("gradyn_search *"), ffi.new("gradyn_search_result *")
    lib.gradyn_search_default(problem._evaluator.c, search)
    _options.put(search, "gradyn_search", options, kept)
    lib.gradyn_optimise(problem._evaluator.c, search, ffi.from_buffer("double[]", rho), out)
    method = lib.gradyn_evaluator_options(out.refined or problem._evaluator.c).method
    found = [out.rho[i] for i in range(len(rho))], ffi.string(method).decode()
    lib.gradyn_search_result_clear(out)
    return found


def test_segments_replace_the_fixed_steps_of_a_problem(tmp_path: Path) -> None:
    options, few = {"t_end": 0.2}, {"segments": 2, "max_evaluations": 2}
    words = ["--segments", "2", "--t-end", "0.2", "--max-evaluations", "2", "--no-report", "--json"]
    asked = [COMMAND, "run", "four-bar-chain", *words, "--out", tmp_path / "command"]
    told = json.loads(subprocess.run(asked, capture_output=True).stdout)
    problem = gradyn.load("four-bar-chain", **options)
    study = problem.run(tmp_path / "python", **few)
    values = [p["value"] for p in told["parameters"]]
    assert study.found is not None and study.found.x.tolist() == values
    assert (values, "auto") == by_library(problem, few)
    assert problem.optimise(**few).x.tolist() == values
    for result in (told, study.result):
        assert result["method"] == "auto"
        assert "ali3p does not support segments" in result["chosen"]["method"]
    assert study.settings["method"] == gradyn.open(tmp_path / "command").settings["method"] == "auto"
    with pytest.raises(gradyn.UsageError, match="ali3p does not support segments"):
        problem.with_options(method="ali3p").optimise(**few)


@pytest.mark.filterwarnings("ignore::gradyn.GradynWarning")
@pytest.mark.parametrize(
    "options, begun",
    [
        ({"method": "ali3p", "step": 0.02}, {"algorithm": "slsqp"}),
        ({"coordinates": "joint"}, {"algorithm": "mma", "optimality": 0.5}),
        ({"rtol": 1e-6}, {"algorithm": "slsqp", "then": "lbfgs", "ftol": 1e-3, "xtol": 1e-4}),
    ],
)
def test_a_resumed_study_is_computed_as_recorded(
    options: dict[str, Any], begun: dict[str, Any], tmp_path: Path
) -> None:
    named = gradyn.load("five-bar", **options)
    whole = named.run(tmp_path / "whole", max_evaluations=4, **begun)
    named.run(tmp_path / "python", max_evaluations=2, **begun)
    shutil.copytree(tmp_path / "python", tmp_path / "command")
    # as if the command line had contained no options
    path = tmp_path / "command" / "settings.json"
    known = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**known, "command_line": ["gradyn", "run", "five-bar"]}), encoding="utf-8")
    subprocess.run([COMMAND, "resume", tmp_path / "command", "--max-evaluations", "4"], capture_output=True)
    gradyn.load("five-bar").run(tmp_path / "python", resume=True, max_evaluations=4)
    keys = {"algorithm", "then", "optimality", "ftol", "xtol", "method", "coordinates", "step", "rtol"}
    for name in ("python", "command"):
        again = gradyn.open(tmp_path / name).result
        assert {k: again.get(k) for k in keys} == {k: whole.result.get(k) for k in keys}
        points = [[p["value"] for p in result["parameters"]] for result in (again, whole.result)]
        assert points[0] == points[1]
        assert again["evaluations"] == whole.result["evaluations"]
        assert again["objective"] == whole.result["objective"]


def test_studies_of_version_0_2_have_the_present_names(tmp_path: Path) -> None:
    """Members, columns and texts of format 1 are read; a newer format is refused."""
    old = Path(__file__).parents[2] / "tests" / "compat" / "studies-0.2"
    limited = gradyn.open(old / "limited").result
    assert limited["termination"] == "optimal" and limited["discretisation"]["changed_most"] == "x_end"
    assert len(limited["path_constraints"]["points"]) == 4 and "limits" not in limited
    assert [f["use"] for f in limited["functionals"]][-1] == "path-constraint"
    assert gradyn.open(old / "limited").settings["settings"] == {"knots": 4}
    events = gradyn.open(old / "events")
    table = events.table("events_final.csv")
    assert [e["occurrence"] for e in events.result["events"]] == list(table["occurrence"])
    assert [e["t"] for e in events.result["events"]] == list(table["t"])
    assert "termination" in gradyn.open(old / "starts").table("starts.csv")
    (tmp_path / "result.json").write_text('{"format": 3}', encoding="utf-8")
    with pytest.raises(gradyn.UsageError, match="its format is 3"):
        gradyn.open(tmp_path).result
