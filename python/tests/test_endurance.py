"""Faults that appear after many repetitions: growing memory, hanging calls, Ctrl-C at any time.
GRADYN_REPEAT=20 repeats each test twenty times as often."""

from __future__ import annotations

import ctypes
import gc
import itertools
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Callable, Iterator

import numpy as np
import pytest

import gradyn

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
sys.path.append(str(EXAMPLES))

import everything  # noqa: E402
from five_bar import five_bar  # noqa: E402

REPEAT = int(os.environ.get("GRADYN_REPEAT", "1"))


class Mallinfo(ctypes.Structure):
    """Bytes of memory in use, according to glibc."""

    _fields_ = [(name, ctypes.c_size_t) for name in "arena b c d hblkhd e f uordblks g h".split()]


def in_use() -> tuple[int, int]:
    """Bytes that C has allocated and not freed, and the number of memory blocks of Python."""
    gc.collect()
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "mallinfo2"):
        pytest.skip("no mallinfo2() of glibc")
    libc.mallinfo2.restype = Mallinfo
    told = libc.mallinfo2()
    return told.uordblks + told.hblkhd, sys.getallocatedblocks()


def grows(made: Callable[[], None], count: int) -> bool:
    """Returns whether each of `count` repetitions leaves 256 bytes or three objects, in every
    round. A single round does not suffice, because caches fill only once and sizes are rounded."""
    sizes = []
    for _ in range(6):  # lists of free blocks fill in the first of them
        for _ in range(count):
            made()
        sizes.append(in_use())
    return any(min(np.diff(row)) >= least * count for row, least in zip(zip(*sizes), (256, 3)))


def evaluator() -> None:
    everything.ball({}).functions()


def failed_evaluator() -> None:
    with pytest.raises(gradyn.UsageError):
        everything.ball({}).with_options(rtol=-1.0).functions()


def raising() -> None:
    def force(at: Any) -> Any:
        raise KeyError("no table")

    with pytest.raises(KeyError):
        everything.ball({"force": force}).functions()


def motion() -> None:
    assert gradyn.load("five-bar", t_end=0.05).simulate()["2.x"].size > 1


def search() -> None:
    gradyn.load("five-bar", t_end=0.05).optimise(max_evaluations=2)


def sweep() -> None:
    gradyn.load("five-bar", t_end=0.05).sweep({"Ls1": (2.0, 2.1, 3)}, jobs=2)


def rest() -> None:
    gradyn.load("chain", settings={"links": 2}).equilibrium(damping=0)


@pytest.mark.parametrize("made", [evaluator, failed_evaluator, raising, motion, search, sweep, rest])
def test_nothing_grows(made: Callable[[], None]) -> None:
    assert not grows(made, 10 * REPEAT)


def test_builds_do_not_grow() -> None:
    """Each point runs build() again, and each derivative does so once more."""
    problem, points = everything.ball({}), itertools.cycle(np.linspace(0.9, 1.9, 97).tolist())

    def point() -> None:
        problem.functions(v=next(points))

    assert not grows(point, 20 * REPEAT)


def test_growth_is_detected() -> None:
    kept: list[Any] = []
    assert grows(lambda: kept.extend([object(), object(), object()]), 10)
    assert grows(lambda: kept.append(gradyn.load("five-bar", t_end=0.05).simulate()), 3)
    libc = ctypes.CDLL(None)
    assert grows(lambda: libc.malloc(3000) and None, 10) and len(kept) == 198


@pytest.fixture(name="alarms")
def made_alarms() -> Iterator[None]:
    """SIGALRM is Ctrl-C."""
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


CALLS: dict[str, Callable[[gradyn.Problem], Any]] = {
    "simulate": lambda p: p.simulate(),
    "gradients": lambda p: p.gradients(),
    "optimise": lambda p: p.optimise(max_evaluations=5),
    "sweep": lambda p: p.sweep({"v": (0.9, 1.5, 4)}, jobs=2),
    "multistart": lambda p: p.multistart(2, jobs=2, max_evaluations=3),
    "check": lambda p: p.check(),
    "linearise": lambda p: p.linearise(),
    "evaluator": lambda p: p.with_options().functions(),
}


@pytest.mark.parametrize("call", list(CALLS))
@pytest.mark.usefixtures("alarms")
def test_ctrl_c_at_any_moment_of_any_call(call: str) -> None:
    """A call ends by KeyboardInterrupt or with its result; afterwards the problem still gives the
    same results."""
    problem, draw, interrupted = everything.ball({}), random.Random(call), 0
    expected = problem.functions()
    for _ in range(15 * REPEAT):
        try:
            signal.setitimer(signal.ITIMER_REAL, draw.uniform(1e-5, 3e-2))
            while True:
                CALLS[call](problem)
        except KeyboardInterrupt:
            interrupted += 1
    assert interrupted == 15 * REPEAT and (problem.functions() == expected).all()


def test_many_starts_beside_a_busy_thread_give_the_bits_of_one() -> None:
    problem, stop = gradyn.load("five-bar", t_end=0.5), threading.Event()

    def spin() -> None:
        while not stop.is_set():
            sum(range(1000))

    alone = problem.multistart(5, jobs=1, max_evaluations=15)
    busy = threading.Thread(target=spin)
    busy.start()
    try:
        for _ in range(4 * REPEAT):
            shared = problem.multistart(5, jobs=2, max_evaluations=15)
            for one, other in zip(alone.searches, shared.searches):
                assert one.start == other.start and (one.x == other.x).all() and one.fun == other.fun
    finally:
        stop.set()
        busy.join()


POOLS = """
import concurrent.futures, multiprocessing, sys
sys.path.append({examples!r})
import gradyn
from five_bar import five_bar

def slope(length):
    return five_bar.gradients(Ls1=length)[1].tobytes()

if __name__ == "__main__":
    lengths = [2.0, 2.1, 2.2, 2.3]
    # the pools are created before there is any evaluator, and used after one has been created
    fork = multiprocessing.get_context("fork").Pool(2)
    spawn = multiprocessing.get_context("spawn")
    serial = [slope(length) for length in lengths]
    assert fork.map(slope, lengths) == serial
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=spawn) as pool:
        assert list(pool.map(slope, lengths)) == serial
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        assert list(pool.map(slope, lengths)) == serial
    fork.close()
    fork.join()
    print("same")
"""


def test_pools_of_every_kind_give_the_bits_of_one_process(tmp_path: Path) -> None:
    file = tmp_path / "pools.py"
    file.write_text(POOLS.format(examples=str(EXAMPLES)))
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, timeout=300)
    assert done.stdout == "same\n", done.stderr


def test_fork_after_threads_of_the_library_ends_too() -> None:
    """After a search by several threads has ended, a process is forked. The library works in this
    process."""
    five_bar.multistart(2, jobs=2, max_evaluations=2)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply(gradyn.Problem.functions, (five_bar,)).tolist() == five_bar.functions().tolist()
