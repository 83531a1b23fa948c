"""Load cases of a problem: one design, a run for each case."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any, Mapping, Union

import numpy as np

from ._arrays import reads, writes
from ._c import ffi, lib
from .errors import UsageError, failure, text

if TYPE_CHECKING:
    from .evaluate import Array, Problem

# values by case and column, or the path of a CSV file
Table = Union[Mapping[str, Mapping[str, float]], str, "os.PathLike[str]"]


def _read(path: str) -> Any:
    """Load cases from a file."""
    out, message = ffi.new("gradyn_cases **"), ffi.new("char[]", 512)
    status = lib.gradyn_cases_read(path.encode(), out, message, len(message))
    if status:
        raise failure(status, text(message))
    return ffi.gc(out[0], lib.gradyn_cases_free)


def _made(rows: Mapping[str, Mapping[str, float]], kept: list[Any]) -> Any:
    """Load cases from a mapping."""
    columns = list(dict.fromkeys(name for row in rows.values() for name in row))

    def texts(names: list[str]) -> Any:
        made = [ffi.new("char[]", str(name).encode()) for name in names]
        kept.append(made)
        return ffi.new("char *[]", made or [ffi.NULL])

    numbers = [float(row.get(name, math.nan)) for row in rows.values() for name in columns]
    cases = ffi.new("gradyn_cases *")
    arrays = texts(list(rows)), texts(columns), ffi.new("double[]", numbers or [0.0])
    cases.names, cases.columns, cases.values = arrays
    cases.count, cases.column_count = len(rows), len(columns)
    kept.append(arrays)
    return cases


def attach(problem: Problem, table: Table) -> None:
    """Adds load cases to a problem that has not been evaluated yet."""
    kept: list[Any] = []
    cases = _made(table, kept) if isinstance(table, Mapping) else _read(os.fspath(table))
    pointer = ffi.new("gradyn_problem *", problem._pointer[0])
    pointer.cases = cases
    # the original owns the memory to which the copy points
    problem._cases = problem._pointer, cases, kept
    problem._pointer = pointer


def weights(problem: Problem) -> dict[str, float]:
    """Weights of the cases by their names."""
    c = problem._evaluator.c
    found = (lib.gradyn_case_at(c, i) for i in range(lib.gradyn_evaluator_model_info(c).cases))
    return {text(case.name): case.weight for case in found}


def point(problem: Problem, name: str, rho: Array) -> Array:
    """The parameters of one case, taken from those of all cases."""
    names, c = list(weights(problem)), problem._evaluator.c
    if name not in names:
        raise UsageError(f"{problem.name} has no case {name!r}: it has {', '.join(names) or 'none'}")
    index = names.index(name)
    case = lib.gradyn_case_at(c, index)
    count = lib.gradyn_parameter_count(case.evaluator)
    return np.asarray(rho)[[case.parameter[i] for i in range(count)]]
