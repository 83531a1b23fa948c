"""Arrays that C reads and writes, of wrong types, shapes and orders."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import gradyn

PACKAGE = Path(gradyn.__file__).resolve().parent
ROWS, COLUMNS = 3, 5  # functionals and parameters of the five-bar linkage


@pytest.fixture(scope="module")
def linkage() -> gradyn.Problem:
    return gradyn.load("five-bar", t_end=0.2)


OTHERS: dict[str, Callable[[Any], Any]] = {
    "int8": lambda a: a.astype(np.int8),
    "bytes": lambda a: a.tobytes(),
    "single": lambda a: a.astype(np.float32),
    "swapped": lambda a: a.astype(">f8"),
    "complex": lambda a: a.astype(complex),
    "object": lambda a: a.astype(object),
    "list": lambda a: a.tolist(),
    "wider": lambda a: np.zeros((*a.shape[:-1], a.shape[-1] + 1)),
    "shorter": lambda a: a[:-1].copy(),
    "flat": lambda a: a.reshape(-1, 1),
    "stepped": lambda a: np.zeros((*a.shape[:-1], 2 * a.shape[-1]))[..., ::2],
    "reversed": lambda a: a[::-1],
    "read-only": lambda a: np.frombuffer(a.tobytes()).reshape(a.shape),
    "not aligned": lambda a: np.zeros(a.nbytes + 1, np.uint8)[1:].view(float).reshape(a.shape),
}


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("other", list(OTHERS))
def test_nothing_is_written_into_other_arrays(linkage: gradyn.Problem, place: int, other: str) -> None:
    out: list[Any] = [np.zeros(ROWS), np.zeros((ROWS, COLUMNS))]
    given = out[place] = OTHERS[other](out[place])
    before = bytes(given) if isinstance(given, bytes) else np.array(given).tobytes()
    with pytest.raises((TypeError, gradyn.UsageError), match=rf"out\[{place}\] must"):
        linkage.gradients(out=tuple(out))  # type: ignore[arg-type]
    assert (bytes(given) if isinstance(given, bytes) else np.array(given).tobytes()) == before


def test_columns_are_no_rows(linkage: gradyn.Problem) -> None:
    with pytest.raises(gradyn.UsageError, match="order"):
        linkage.gradients(out=(np.zeros(ROWS), np.zeros((ROWS, COLUMNS), order="F")))


POINTS: dict[str, Callable[[gradyn.Problem, Any], Any]] = {
    "simulate": lambda p, x: p.simulate(x).rows,
    "functions": lambda p, x: p.functions(x),
    "gradients": lambda p, x: p.gradients(x)[1],
    "gradient": lambda p, x: p.gradient(x).matrix,
    "value_and_gradient": lambda p, x: p.value_and_gradient(x)[1],
    "data_gradient": lambda p, x: sorted(p.data_gradient(x)["psi1"].items()),
    "sensitivities": lambda p, x: p.sensitivities([0.1], x).dy,
    "covariance": lambda p, x: p.covariance({"Ls1": 0.01}, x).deviation["psi1"],
    "linearise": lambda p, x: p.linearise(x).A,
    "transition": lambda p, x: p.transition(x).matrix,
    "check": lambda p, x: len(p.check(x).items),
    "optimise": lambda p, x: p.optimise(x, max_evaluations=1).x,
    "sweep": lambda p, x: p.sweep({"Ls2": (1.8, 2.0, 2)}, x).psi,
    "multistart": lambda p, x: p.multistart(1, x, max_evaluations=1).best.x,
}


@pytest.mark.parametrize("call", list(POINTS))
def test_points_of_all_kinds_are_the_same_point(linkage: gradyn.Problem, call: str) -> None:
    x = linkage.x0
    x[0] = 2
    expected = POINTS[call](linkage, x)
    same = [x.tolist(), tuple(x), x.astype(">f8"), x.astype(object), np.repeat(x, 2)[::2]]
    for other in same:
        found = POINTS[call](linkage, other)
        assert np.array_equal(np.asarray(found), np.asarray(expected)), type(other)


@pytest.mark.parametrize("call", list(POINTS))
def test_points_of_wrong_kinds_are_refused(linkage: gradyn.Problem, call: str) -> None:
    x = linkage.x0
    for other in (x + 1j, x.astype(str), x.astype("M8[s]"), x[:-1], x.reshape(1, -1), np.zeros(COLUMNS + 1)):
        with pytest.raises((TypeError, gradyn.UsageError)):
            POINTS[call](linkage, other)


def residuals(p: gradyn.Problem, times: Any, measured: Any, deviation: Any) -> Any:
    fit = p.least_squares(times, {"2.x": measured}, deviation={"2.x": deviation})
    return fit["fun"](fit["x0"])


ROWS_OF_NUMBERS: dict[str, Callable[[gradyn.Problem, Any], Any]] = {
    "motion": lambda p, t: p.simulate()(t),
    "sensitivities": lambda p, t: p.sensitivities(t).y,
    "times": lambda p, t: residuals(p, t, np.zeros(3), 1),
    "measured": lambda p, y: residuals(p, [0.05, 0.1, 0.15], y, 1),
    "deviation": lambda p, y: residuals(p, [0.05, 0.1, 0.15], np.ones(3), y),
    "matrix": lambda p, y: p.covariance({"Ls1": 0, "Ls2": 0, "mA1": 0}, matrix=y).factor,
}


@pytest.mark.parametrize("call", list(ROWS_OF_NUMBERS))
def test_rows_of_numbers(linkage: gradyn.Problem, call: str) -> None:
    row, ask = np.array([0.0625, 0.125, 0.1875]), ROWS_OF_NUMBERS[call]
    expected = ask(linkage, row)
    for same in (row.tolist(), row.astype(">f8"), row.astype(np.float32), np.repeat(row, 2)[::2]):
        assert np.array_equal(ask(linkage, same), expected)
    for other in (row + 1j, row.astype(str), row.reshape(1, 3)):
        with pytest.raises((TypeError, gradyn.UsageError)):
            ask(linkage, other)


def test_all_buffers_go_through_one_place() -> None:
    having = [file.name for file in PACKAGE.glob("*.py") if "from_buffer" in file.read_text(encoding="utf-8")]
    assert having == ["_arrays.py"]
