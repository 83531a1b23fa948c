#!/usr/bin/env python3
"""What Python costs beside C: each figure as instructions (callgrind), which other programs on the machine do
not disturb, and as processor time, best of several rounds. Beside it what it may be at most.

    PYTHONPATH=build/python python3 bench/python.py [--clock]

--clock: times only, in a few seconds; otherwise valgrind is needed, and some minutes."""

from __future__ import annotations

import argparse
import importlib
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from pathlib import Path
from typing import Any, Callable

import numpy as np

import gradyn
from gradyn import Param
from gradyn._c import ffi, lib

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "python" / "examples"))
EXAMPLES = ("five_bar", "chain", "cart_pole", "bouncing_ball", "robertson", "double_wishbone")
Work = Callable[[], Any]


def example(name: str) -> Any:
    return getattr(importlib.import_module(name), name)


def short(name: str) -> dict[str, Any]:
    """Only the first moments of the suspension, because counting instructions is slow."""
    return {"t_end": 0.005} if name == "double_wishbone" else {}


# --- Calls -------------------------------------------------------------------------------------------


def brief() -> gradyn.Problem:
    """A gradient that itself takes little time."""
    return gradyn.load("five-bar", t_end=1e-6, rtol=1e-3)


def call_bare() -> Work:
    """The library's function, called through cffi."""
    problem = brief()
    arrays = (problem.x0, *problem.gradients())
    given = problem._evaluator.c, *(ffi.from_buffer("double[]", a) for a in arrays)
    return lambda: (lib.gradyn_evaluator_gradient(*given), arrays)


def call_arrays() -> Work:
    problem = brief()
    x, out = problem.x0, problem.gradients()
    return lambda: problem.gradients(x, out=out)


def call_names() -> Work:
    problem = brief()
    return lambda: problem.gradient(Ls1=2.2)["psi1", "Ls1"]


# --- Models ------------------------------------------------------------------------------------------


def five_bar_in(language: str, call: str) -> Callable[[], Work]:
    def made() -> Work:
        problem = example("five_bar") if language == "python" else gradyn.load("five-bar")
        work: Work = getattr(problem, call)
        return work

    return made


def built(language: str) -> Callable[[], Work]:
    """A gradient that consists of builds only."""

    def made() -> Work:
        problem = example("five_bar") if language == "python" else gradyn.load("five-bar")
        work: Work = problem.with_options(t_end=1e-6, rtol=1e-3).gradients
        return work

    return made


def declarations() -> int:
    """The number of declarations that such a gradient makes."""
    problem, count = example("five_bar").with_options(t_end=1e-6, rtol=1e-3), [0]
    problem.gradients()

    def profile(frame: Any, event: str, _: Any) -> None:
        declares = frame.f_code.co_filename.endswith("_declarations.py")
        count[0] += event == "call" and declares and not frame.f_code.co_name.startswith("_")

    sys.setprofile(profile)
    problem.gradients()
    sys.setprofile(None)
    return count[0]


def with_numbers(at: Any) -> Any:
    v, c = at.vel, at.data.c
    return -c * v[0, 0], -c * v[0, 1]


def with_arrays(at: Any) -> Any:
    x, v = at.pos, at.vel
    pull = at.data.c * (x[1] - x[0]) + 0.1 * (v[1] - v[0])
    return np.concatenate([pull, -pull])


def forced(fn: Any, points: int) -> gradyn.PythonProblem:
    """Points under a force function of the user, for a thousand steps."""

    @gradyn.problem(params={"c": Param(0.3, "N/m", 0, 1)}, t_end=1.0, method="explicit", step=1e-3)
    def model(m: gradyn.Model, p: Any) -> None:
        """Points under a force"""
        row = [m.point(f"{i}", i, 0) for i in range(points)]
        for i, point in enumerate(row):
            m.point_mass(f"{i}", point, 1)
        m.custom_force("f", points=row, fn=fn, data={"c": (p.c, "N/m")})
        m.minimise(m.functional("y", m.measure_point("", row[0], 0, "y"), "at-end"))

    return model


def force(fn: Any, points: int, compiled: bool) -> Callable[[], Work]:
    def made() -> Work:
        problem = forced(fn, points)
        chosen = problem.compile() if compiled else problem
        return chosen.functions

    return made


def force_calls(fn: Any, points: int) -> int:
    count = [0]

    def counted(at: Any) -> Any:
        count[0] += 1
        return fn(at)

    problem = forced(counted, points)
    problem.functions()
    count[0] = 0
    problem.functions()
    return count[0]


def compiled(name: str) -> Callable[[], Work]:
    def made() -> Work:
        work: Work = example(name).compile().with_options(**short(name)).gradients
        return work

    return made


def of_c(name: str) -> Callable[[], Work]:
    return lambda: gradyn.load(ROOT / "problems" / f"{name}.c", **short(name)).gradients


WORKS: dict[str, tuple[Callable[[], Work], int]] = {
    "bare": (call_bare, 100),
    "arrays": (call_arrays, 100),
    "names": (call_names, 100),
    "built in C": (built("c"), 20),
    "built in Python": (built("python"), 20),
    **{f"{call}, {language}": (five_bar_in(language, call), 2)
       for call in ("functions", "gradients") for language in ("c", "python")},
    "numbers": (force(with_numbers, 1, False), 1),
    "numbers, compiled": (force(with_numbers, 1, True), 1),
    "arrays of two": (force(with_arrays, 2, False), 1),
    "arrays of two, compiled": (force(with_arrays, 2, True), 1),
    **{f"{name} compiled": (compiled(name), 1) for name in EXAMPLES},
    **{f"{name} in C": (of_c(name), 1) for name in EXAMPLES},
}


# --- Measuring ---------------------------------------------------------------------------------------


def work(name: str, rounds: int) -> None:
    """Runs some work a given number of times under callgrind."""
    make, repeats = WORKS[name]
    call = make()
    call()
    for _ in range(rounds * repeats):
        call()


def instructions(name: str) -> float:
    """The instructions of one call. The difference between three rounds and one does not include
    the start of the process."""
    counts = []
    for rounds in (1, 3):
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        command += [sys.executable, str(ROOT / "bench" / "python.py")]
        told = subprocess.run(
            [*command, "--work", name, str(rounds)], stderr=subprocess.PIPE, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": "0"},
        ).stderr
        found = re.search(r"Collected : (\d+)", told)
        assert found, told
        counts.append(int(found.group(1)))
    return (counts[1] - counts[0]) / (2 * WORKS[name][1])


def microseconds(name: str) -> float:
    """Processor time of one call, the best of several rounds."""
    make, repeats = WORKS[name]
    call, best = make(), float("inf")
    call()
    for _ in range(9):
        start = time.process_time()
        for _ in range(3 * repeats):
            call()
        best = min(best, (time.process_time() - start) / (3 * repeats))
    return 1e6 * best


def beyond(first: str, second: str, by: int = 1) -> Callable[[Callable[[str], float]], float]:
    """The additional time of the first work compared with the second, divided by the count."""
    return lambda cost: (cost(first) - cost(second)) / by


def ratio(first: str, second: str) -> Callable[[Callable[[str], float]], float]:
    return lambda cost: cost(first) / cost(second)


def main(clock: bool) -> None:
    rows: list[tuple[str, float, Callable[[Callable[[str], float]], float]]] = [
        ("gradients(x) into arrays, beyond the bare call, us", 5, beyond("arrays", "bare")),
        ("gradient()[name, name], beyond it, us", 15, beyond("names", "bare")),
        ("a declaration, beyond that in C, us", 1.5, beyond("built in Python", "built in C", declarations())),
        ("custom force by single numbers, a call, us", 4,
         beyond("numbers", "numbers, compiled", force_calls(with_numbers, 1))),
        ("custom force by arrays of two points, us", 12,
         beyond("arrays of two", "arrays of two, compiled", force_calls(with_arrays, 2))),
        ("five-bar over 5 s in Python / in C", 1.08, ratio("functions, python", "functions, c")),
        ("its gradient", 1.08, ratio("gradients, python", "gradients, c")),
        *((f"{name}, gradient, compiled / in C", 1.05, ratio(f"{name} compiled", f"{name} in C"))
          for name in EXAMPLES),
    ]
    print(f"{'':55} {'at most':>8} {'by time':>8} {'instructions':>13}")
    for title, most, figure in rows:
        counted = "" if clock else f"{figure(instructions):.4g}"
        print(f"{title:55} {most:8.4g} {figure(microseconds):8.3f} {counted:>13}", flush=True)
    starts()


# --- Many starts by threads --------------------------------------------------------------------------


def times_of_threads() -> dict[int, tuple[float, float]]:
    """For each thread of this process: seconds of work, and seconds of waiting for a processor."""
    times = {}
    for task in Path("/proc/self/task").iterdir():
        try:
            worked, waited, _ = (task / "schedstat").read_text().split()
            times[int(task.name)] = int(worked) / 1e9, int(waited) / 1e9
        except OSError:  # it has ended
            pass
    return times


def searched(problem: gradyn.Problem, jobs: int) -> tuple[float, float, Any]:
    """Seconds by the clock, seconds without the waiting of workers for a processor, and the
    result. At the same time, a Python thread runs that never sleeps but takes only idle
    processors."""
    over, before, spent = threading.Event(), times_of_threads(), {}

    def busy() -> None:
        own, looked = threading.get_native_id(), 0.0
        os.setpriority(os.PRIO_PROCESS, own, 19)
        while not over.is_set():
            if time.monotonic() - looked > 0.01:
                looked = time.monotonic()
                spent.update(times_of_threads())  # threads that end leave their last times
        del spent[own]

    thread = threading.Thread(target=busy)
    thread.start()
    start = time.monotonic()
    found = problem.multistart(48, jobs=jobs, max_evaluations=60)
    clock = time.monotonic() - start
    over.set()
    thread.join()
    times = sorted(tuple(np.subtract(now, before.get(t, (0, 0)))) for t, now in spent.items())
    waited = [waits for _, waits in times[-jobs:]]  # of those that have worked most
    return clock, clock - sum(waited) / jobs, found


def starts() -> None:
    for name, problem in (("in C", gradyn.load("five-bar")), ("compiled", example("five_bar").compile())):
        runs = [[searched(problem, jobs) for jobs in (1, 2)] for _ in range(3)]
        same = all((a.x == b.x).all() for one, two in runs for a, b in zip(one[2].searches, two[2].searches))
        clock, free = (min(two[i] for _, two in runs) / min(one[i] for one, _ in runs) for i in (0, 1))
        title = f"48 starts, two threads / one, {name}, busy Python"
        print(f"{title:55} {0.6:8.4g} {clock:8.3f}  {free:.3f} without waits for processors, "
              f"{'the same bits' if same else 'OTHER BITS'}")


if __name__ == "__main__":
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("--clock", action="store_true", help="times only")
    parser.add_argument("--work", nargs=2, metavar=("NAME", "ROUNDS"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    warnings.simplefilter("ignore", gradyn.GradynWarning)
    if given.work:
        work(given.work[0], int(given.work[1]))
    else:
        with tempfile.TemporaryDirectory(prefix="gradyn-") as cache:
            os.environ["XDG_CACHE_HOME"] = cache
            main(given.clock)
