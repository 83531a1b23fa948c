"""Ctrl-C at any time, interpreters that exit during a search, pools of processes and threads."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from conftest import THOROUGH

import gradyn

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
sys.path.append(str(EXAMPLES))

import everything  # noqa: E402
from five_bar import five_bar  # noqa: E402


def test_ctrl_c_at_random_moments() -> None:
    """Ctrl-C may come in the library, in build(), in functions, or between calls. Only
    KeyboardInterrupt may follow, and later results must be the same."""
    problem = everything.ball({})
    expected = problem.gradients()[1]
    draw, interrupted, times = random.Random(2), 0, 200 if THOROUGH else 80
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        for _ in range(times):
            try:
                signal.setitimer(signal.ITIMER_REAL, draw.uniform(1e-5, 2e-2))
                while True:
                    problem.gradients()
            except KeyboardInterrupt:
                interrupted += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert interrupted == times and (problem.gradients()[1] == expected).all()


ENDING = """
import sys, threading
sys.path.append({examples!r})
import gradyn, everything
problem = {problem}
started = threading.Event()
def work():
    problem.optimise(callback=lambda iteration: started.set())
threading.Thread(target=work, daemon=True).start()
started.wait(20)
sys.exit(7)
"""


@pytest.mark.parametrize("problem", ["gradyn.load('chain', t_end=5.0)", "everything.ball({})"])
def test_an_interpreter_may_end_in_a_search(problem: str) -> None:
    code = ENDING.format(examples=str(EXAMPLES), problem=problem)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 7, done.stderr


def slope(length: float) -> float:
    return float(five_bar.gradients(Ls1=length)[1][0, 0])


LENGTHS = (2.0, 2.1, 2.2, 2.3)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_pools_give_the_bits_of_one_process(method: str) -> None:
    environment = dict(os.environ)
    os.environ["PYTHONPATH"] = os.pathsep.join([os.environ.get("PYTHONPATH", ""), str(EXAMPLES)])
    try:
        with multiprocessing.get_context(method).Pool(2) as pool:
            found = pool.map(slope, LENGTHS)
            sent = [five_bar.with_options(rtol=1e-7), gradyn.load("five-bar")]
            problems = pool.map(gradyn.Problem.functions, sent)
    finally:
        os.environ.clear()
        os.environ.update(environment)
    assert found == [slope(length) for length in LENGTHS]
    assert (problems[0] == five_bar.with_options(rtol=1e-7).functions()).all() and len(problems[1]) == 3


def test_threads_of_an_executor_give_the_bits_of_one() -> None:
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        copies = [five_bar.with_options() for _ in LENGTHS]
        found = list(pool.map(lambda pair: pair[0].gradients(Ls1=pair[1])[1][0, 0], zip(copies, LENGTHS)))
    assert found == [slope(length) for length in LENGTHS]


@pytest.mark.parametrize("compiled", [False, True])
def test_two_threads_of_the_library_beside_a_busy_one_of_python(compiled: bool) -> None:
    """Two threads take half of the runs each; all runs give the same bits as with one thread."""
    if compiled and not shutil.which(os.environ.get("CC", "cc")):
        pytest.skip("no compiler")
    problem = (five_bar.compile() if compiled else gradyn.load("five-bar")).with_options(t_end=0.05)
    spec: dict[str, tuple[float, float, int]] = {"Ls1": (2.0, 2.4, 3), "Ls2": (1.8, 2.0, 2)}
    expected, over, turns = problem.sweep(spec, gradient=True), threading.Event(), [0]

    def busy() -> None:
        while not over.is_set():
            turns[0] += 1

    thread, interval = threading.Thread(target=busy), sys.getswitchinterval()
    sys.setswitchinterval(2e-4)  # s that each return to Python waits for the busy one
    thread.start()
    try:
        for _ in range(50 if THOROUGH else 20):
            found = problem.sweep(spec, gradient=True, jobs=2)
            assert (found.psi == expected.psi).all() and (found.gradient == expected.gradient).all()
        starts = [problem.multistart(4, jobs=jobs, max_evaluations=5) for jobs in (1, 2)]
    finally:
        over.set()
        thread.join()
        sys.setswitchinterval(interval)
    assert turns[0] > 100 and all(
        (a.x == b.x).all() for a, b in zip(starts[0].searches, starts[1].searches)
    )
