"""Starts of searches: guesses of states over time, and warm starts."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Optional, Union

import numpy as np

from ._c import ffi, lib
from .errors import UsageError, failure, text

if TYPE_CHECKING:
    from .evaluate import Point, Problem
    from .search import Result
    from .study import Study

Array = np.ndarray[Any, np.dtype[np.float64]]
Warm = Union["Result", "Study", str]


# --- Guesses --------------------------------------------------------------------------------------


def _column(name: str, values: Any, rows: Optional[int]) -> Array:
    """The numbers of a column; a single number becomes a constant column."""
    try:
        column = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise TypeError(f"guess: {name} must be numbers, not {values!r}") from None
    if column.ndim == 0 and rows is not None:
        column = np.full(rows, float(column))
    if column.ndim != 1:
        raise UsageError(f"guess: {name} has {column.ndim} dimensions; it must be one row of numbers")
    if rows is not None and len(column) != rows:
        raise UsageError(f"guess: {name} has {len(column)} numbers, others {rows}; give all as many")
    return column


def _columns(guess: Mapping[str, Any]) -> dict[str, Array]:
    """Columns by name. Without times "t", they are at equal intervals from the start to the end."""
    sizes = [np.size(values) for values in guess.values() if np.ndim(values) > 0]
    rows = sizes[0] if sizes else None
    columns = {name: _column(name, values, rows) for name, values in guess.items()}
    return columns if "t" in columns or not rows else {"t": np.linspace(0.0, 1.0, rows), **columns}


def _of_result(problem: Problem, result: Result) -> Mapping[str, Any]:
    """The states of a result: those of its segments, or of its undivided motion."""
    segments = json.loads(result.warm_start).get("segments") if result.warm_start else None
    if segments is not None:
        return {"t": segments["share"], **segments["states"]}
    known = problem.parameters
    return _of_motion(problem.simulate({n: v for n, v in result.parameters.items() if n in known}))


def _of_motion(motion: Any) -> Mapping[str, Any]:
    return {"t": motion.t, **dict(motion)}


def guessed(problem: Problem, guess: Any, kept: list[Any]) -> Optional[str]:
    """The path of a table with the guess. If a file is written for it, it is removed with the object that is
    appended to `kept`."""
    from .search import Result
    from .trajectory import Trajectory

    if guess is None or isinstance(guess, (str, os.PathLike)):
        return None if guess is None else os.fspath(guess)
    if isinstance(guess, Result):
        guess = _of_result(problem, guess)
    elif isinstance(guess, Trajectory):
        guess = _of_motion(guess)
    if not isinstance(guess, Mapping):
        kinds = "a path, arrays by names of states, a motion or a result"
        raise TypeError(f"guess must be {kinds}, not {type(guess).__name__}")
    columns = _columns(guess)
    kept.append(tempfile.TemporaryDirectory(prefix="gradyn-"))
    file = Path(kept[-1].name) / "guess.csv"
    lines = [",".join(columns)]
    lines += [",".join(repr(float(number)) for number in row) for row in zip(*columns.values())]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(file)


# --- Warm starts ----------------------------------------------------------------------------------


def warm_text(warm: Optional[Warm]) -> Optional[str]:
    """The text of a warm start, from a result, a study or the text itself."""
    from .search import Result
    from .study import Study

    if warm is None or isinstance(warm, str):
        return warm
    if isinstance(warm, Result):
        found = warm.warm_start
    elif isinstance(warm, Study):
        found = json.dumps(warm.result["warm_start"]) if "warm_start" in warm.result else ""
    else:
        raise TypeError(f"warm must be a result or a study, not {type(warm).__name__}")
    if not found:
        raise UsageError("warm: the search has ended without a point")
    return found


def point(
    problem: Problem, x: Optional[Point], warm: Optional[str], notes: Optional[list[str]] = None
) -> Array:
    """The point x; without x, the point of a warm start. Parts that do not fit are reported in `notes`."""
    rho = problem.point(x)
    if warm is None or x is not None:
        return rho
    rho = np.array(rho, dtype=float)
    note, c_rho = ffi.new("char[]", 2048), ffi.new("double[]", rho.tolist() or [0.0])
    status = lib.gradyn_warm_start_point(problem._evaluator.c, warm.encode(), c_rho, note, 2048)
    if status:
        raise failure(status, text(note))
    if notes is not None:
        notes += text(note).splitlines()
    return np.array([c_rho[i] for i in range(len(rho))], dtype=float)
