"""Data and experiments from tables of PEtab, version 1. Models, formulas and SBML are not read."""

from __future__ import annotations

import csv
import math
import os
from typing import TYPE_CHECKING, Any, Dict, Mapping, NoReturn, Optional, Union

from .errors import UsageError
from .model import Model, Param

if TYPE_CHECKING:
    from ._declarations import FunctionalId, MeasureId

Path = Union[str, "os.PathLike[str]"]
# factors from the logarithm of a scale to the natural one
SCALES = {"lin": 0.0, "log": 1.0, "log10": math.log(10)}


class _Row(Dict[str, str]):
    """A line of a table by its headings; `at` is file:line."""

    def __init__(self, at: str, cells: Mapping[str, str]) -> None:
        super().__init__(cells)
        self.at = at

    def fail(self, message: str) -> NoReturn:
        raise UsageError(f"{self.at}: {message}")

    def number(self, column: str) -> float:
        """A finite number."""
        try:
            value = float(self[column])
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            self.fail(f"{column} is {self[column]!r}; it must be a finite number")
        return value

    def choice(self, column: str, choices: Any, otherwise: str) -> str:
        """One of several words; otherwise: the word for an empty cell."""
        value = self.get(column) or otherwise
        if value not in choices:
            self.fail(f"{column} is {value!r}; it must be {' or '.join(map(repr, choices))}")
        return value


def _table(path: Path, needed: list[str], key: Optional[str] = None) -> list[_Row]:
    """The lines of a table. Cells are separated by tabs. key: a column of names without duplicates."""
    file, rows, seen = os.fspath(path), [], set()
    try:
        with open(file, newline="", encoding="utf-8") as stream:
            lines = list(csv.reader(stream, delimiter="\t"))
    except (OSError, UnicodeError, csv.Error) as error:
        raise UsageError(f"{file}: the table cannot be read; {error}") from None
    names = [cell.strip() for cell in lines[0]] if lines else []
    for name in needed:
        if name not in names:
            raise UsageError(f"{file}:1: there is no column {name}; cells are separated by tabs")
    if len(set(names)) < len(names):
        raise UsageError(f"{file}:1: a heading occurs twice")
    for k, line in enumerate(lines[1:], 2):
        if not any(cell.strip() for cell in line):
            continue
        row = _Row(f"{file}:{k}", {name: cell.strip() for name, cell in zip(names, line)})
        if len(line) != len(names):
            row.fail(f"the line has {len(line)} cells; the table has {len(names)} columns")
        for name in needed:
            if not row[name]:
                row.fail(f"{name} is empty")
        if key and row[key] in seen:
            row.fail(f"{key} {row[key]!r} occurs twice")
        seen.add(row[key] if key else k)
        rows.append(row)
    return rows


class Petab:
    """Data and experiments from tables of PEtab. Formulas, SBML and YAML files are not read: build() declares
    the model, and a measure for each observable.

    params: parameters of the table, for gradyn.problem(params=...).
    cases: load cases, one for each pair of conditions, for problem.cases(). build() has to read their columns
    by m.case_value(): the columns of the condition table and, with a preequilibration condition, columns
    "before.<name>" with the values of this condition, and "preequilibrated" with the value 1.
    observables: names of the observables with data. t_end: time of the last datum.

        data = gradyn.Petab("measurements.tsv", "conditions.tsv", "parameters.tsv")

        @gradyn.problem(params=data.params, t_end=data.t_end)
        def model(m, p):
            ...
            data.fit(m, p, {"obs_a": measure})

        problem = model.cases(data.cases)
    """

    def __init__(
        self,
        measurements: Path,
        conditions: Path,
        parameters: Optional[Path] = None,
        observables: Optional[Path] = None,
    ) -> None:
        self.params: dict[str, Param] = {}
        self.cases: dict[str, dict[str, float]] = {}
        self._fixed: dict[str, float] = {}
        self._noise: dict[str, str] = {}
        self._data: dict[tuple[str, str], list[list[tuple[float, float, float]]]] = {}
        if parameters is not None:
            self._read_parameters(parameters)
        if observables is not None:
            self._read_observables(observables)
        rows = _table(measurements, ["observableId", "simulationConditionId", "measurement", "time"])
        if not rows:
            raise UsageError(f"{os.fspath(measurements)}: the table has no data")
        self._make_cases(rows, _table(conditions, ["conditionId"], "conditionId"), os.fspath(conditions))
        self._read_measurements(rows)
        self.observables = list(dict.fromkeys(name for name, _ in self._data))
        self.t_end = max(case["t_end"] for case in self.cases.values())

    def _read_parameters(self, path: Path) -> None:
        for row in _table(path, ["parameterId", "parameterScale", "nominalValue", "estimate"], "parameterId"):
            name, init = row["parameterId"], row.number("nominalValue")
            if row.choice("estimate", ["0", "1"], "") == "0":
                self._fixed[name] = init
            scale = row.choice("parameterScale", list(SCALES), "lin")
            lower = row.number("lowerBound") if row.get("lowerBound") else -math.inf
            upper = row.number("upperBound") if row.get("upperBound") else math.inf
            if not lower <= init <= upper:
                row.fail(f"nominalValue {init:g} of {name} is outside its bounds")
            if scale != "lin" and not lower > 0:
                row.fail(f"lowerBound of {name} must be positive, because its scale is {scale}")
            prior, deviation = self._prior(row, scale)
            self.params[name] = Param(
                init,
                lower=lower,
                upper=upper,
                fixed=name in self._fixed,
                logarithmic=scale != "lin",
                prior=prior,
                prior_deviation=deviation,
            )

    @staticmethod
    def _prior(row: _Row, scale: str) -> tuple[float, float]:
        """Mean and deviation of the normal prior of the objective; 0, 0: none."""
        kinds = ["uniform", "parameterScaleUniform", "normal", "parameterScaleNormal", "logNormal"]
        kind = row.choice("objectivePriorType", kinds, "uniform")
        if "niform" in kind:
            return 0.0, 0.0
        if (kind == "normal" and scale != "lin") or (kind == "logNormal" and scale == "lin"):
            row.fail(f"the prior {kind} needs another parameterScale than {scale}, or parameterScaleNormal")
        parts = row.get("objectivePriorParameters", "").split(";")
        try:
            mean, deviation = map(float, parts)
        except ValueError:
            given = ";".join(parts)
            row.fail(f"objectivePriorParameters are {given!r}; they must be two numbers: mean;deviation")
        factor = SCALES[scale] if kind == "parameterScaleNormal" and scale == "log10" else 1.0
        if not (math.isfinite(mean) and 0 < deviation < math.inf):
            row.fail("the deviation of the prior must be positive")
        return factor * mean, factor * deviation

    def _read_observables(self, path: Path) -> None:
        """Noise of the observables; their formulas are measures of the model."""
        for row in _table(path, ["observableId", "noiseFormula"], "observableId"):
            row.choice("observableTransformation", ["lin"], "lin")
            row.choice("noiseDistribution", ["normal"], "normal")
            noise, own = row["noiseFormula"], f"noiseParameter1_{row['observableId']}"
            if noise == own:
                continue
            try:
                float(noise)
            except ValueError:
                if not noise.isidentifier():
                    row.fail(f"noiseFormula is {noise!r}; it must be a number, a name or {own}")
            self._noise[row["observableId"]] = noise

    def _make_cases(self, rows: list[_Row], conditions: list[_Row], file: str) -> None:
        known = {row["conditionId"]: row for row in conditions}
        for row in rows:
            name, before = row["simulationConditionId"], row.get("preequilibrationConditionId", "")
            for condition in filter(None, (name, before)):
                if condition not in known:
                    row.fail(f"the condition {condition!r} is not in {file}")
            case = self.cases.setdefault(self._case(row), {"t_end": 0.0, "petab": len(self.cases) + 1.0})
            case.update(self._values(known[name], ""))
            if before:
                case.update(self._values(known[before], "before."))
                case["preequilibrated"] = 1.0

    @staticmethod
    def _case(row: _Row) -> str:
        before = row.get("preequilibrationConditionId", "")
        name = f"{before}.{row['simulationConditionId']}" if before else row["simulationConditionId"]
        if "@" in name or "," in name:
            row.fail(f"the condition {name!r} must have no '@' and no ','")
        return name

    def _values(self, row: _Row, prefix: str) -> dict[str, float]:
        """The values of a condition. A cell may name a parameter that is not estimated."""
        columns = [name for name in row if name not in {"conditionId", "conditionName"} and row[name]]
        return {prefix + c: self._fixed[row[c]] if row[c] in self._fixed else row.number(c) for c in columns}

    def _read_measurements(self, rows: list[_Row]) -> None:
        for row in rows:
            if row.get("observableParameters"):
                row.fail("observableParameters are part of a formula. Formulas are not read")
            time, value = row.number("time"), row.number("measurement")
            if time < 0:
                row.fail(f"time is {time:g}; it must not be negative")
            name = row["observableId"]
            noise: str = row.get("noiseParameters", "") or self._noise.get(name, "")
            deviation = 1.0
            try:
                deviation, noise = float(noise), ""
            except ValueError:
                if noise and not noise.isidentifier():
                    row.fail(f"noiseParameters are {noise!r}; they must be a number or a name")
                if not noise:
                    row.fail(f"there is no noise of {name}. Give noiseParameters or observables")
            if not 0 < deviation < math.inf:
                row.fail(f"noiseParameters are {deviation:g}; they must be positive")
            if noise and self.params and noise not in self.params:
                row.fail(f"the noise {noise!r} is no parameter of the parameter table")
            case = self.cases[self._case(row)]
            case["t_end"] = max(case["t_end"], time)
            groups = self._data.setdefault((name, noise), [[] for _ in self.cases])
            groups[int(case["petab"]) - 1].append((time, value, deviation))
        for name, case in self.cases.items():
            if not case["t_end"] > 0:
                raise UsageError(f"the conditions {name} have data at time 0 only; a run needs a later one")

    def fit(self, m: Model, p: Any, measures: Mapping[str, MeasureId]) -> list[FunctionalId]:
        """Declares in build() the fits of all observables, which are minimised. measures: the measure of each
        observable, by its name. Returns the functionals. Deviations that are parameters are estimated by the
        likelihood of all data."""
        for name in self.observables:
            if name not in measures:
                raise UsageError(f"there is no measure of the observable {name}")
        for name in measures:
            if name not in self.observables:
                raise UsageError(f"there are no data of the measure {name}")
        case, made = int(m.case_value("petab", 1.0)) - 1, []
        m.case_value("preequilibrated")  # build() may ignore it
        likelihood = any(noise for _, noise in self._data)
        for (name, noise), cases in self._data.items():
            rows = sorted(cases[case])
            sigma = getattr(p, noise) if noise else 1.0
            made.append(
                m.fit(
                    f"{name}.{noise}" if noise else name,
                    measures[name],
                    times=[t for t, _, _ in rows],
                    values=[value for _, value, _ in rows],
                    deviations=[deviation for _, _, deviation in rows],
                    sigma=sigma,
                    likelihood=likelihood,
                )
            )
            m.minimise(made[-1])
        return made
