"""Study folders, as the command writes them: the files of a search, and its report."""

from __future__ import annotations

import csv
import html
import json
import os
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

import numpy as np

from . import _formats, _options, search, starts
from ._arrays import reads, writes
from ._c import ffi, lib
from .errors import FatalError, UsageError, failure, text

if TYPE_CHECKING:
    from .evaluate import Point, Problem

Array = np.ndarray[Any, np.dtype[np.float64]]
FolderPath = Union[str, "os.PathLike[str]"]
WHOLE = '<main id="report">'  # start of a page


class Page:
    """A report of one page, or its motion alone. Notebooks show it in a separate frame, whose scripts cannot
    reach the notebook."""

    def __init__(self, text_: str, height: int = 700, motion: bool = False) -> None:
        only = '<main id="report" data-only="motion">' if motion else WHOLE
        self.text, self.height = text_.replace(WHOLE, only, 1), height

    def save(self, path: FolderPath) -> None:
        """Writes the page, which needs no other file."""
        Path(path).write_text(self.text, encoding="utf-8")

    def _repr_html_(self) -> str:
        style = f"width:100%;height:{self.height}px;border:0"
        return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{html.escape(self.text)}"></iframe>'

    def __repr__(self) -> str:
        return "<gradyn page: .save(path) writes it>"


def table(path: Path) -> dict[str, Array]:
    """The columns of a file of numbers, by the names in its first line without units. Texts become NaN."""
    with path.open(newline="", encoding="utf-8") as file:
        head, *rows = list(csv.reader(file))
    numbers = np.array([[_number(cell) for cell in row] for row in rows]).reshape(len(rows), len(head))
    names = [_formats.column(path.name, re.sub(r" \[[^][]*\]$", "", name)) for name in head]
    return {name: numbers[:, i] for i, name in enumerate(names)}


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return float("nan")


class Study:
    """A study folder that the command or Problem.run() has written."""

    def __init__(self, path: FolderPath, result: Optional[search.Result] = None) -> None:
        self.path = Path(path)
        self.found = result  # result of the search, if this process has run it
        if not self.path.is_dir():
            raise UsageError(f"there is no study folder {self.path}")

    def _json(self, name: str) -> dict[str, Any]:
        file = self.path / name
        if not file.exists():
            raise UsageError(f"the study {self.path} has no {name}")
        read: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        found = read.get("format", 1)
        if found > _formats.FORMAT:
            known = _formats.FORMAT
            raise UsageError(f"{file}: its format is {found}; this version reads up to format {known}")
        return read if found == _formats.FORMAT else dict(_formats.members(read))

    @property
    def settings(self) -> dict[str, Any]:
        """The settings: settings.json."""
        return self._json("settings.json")

    @property
    def result(self) -> dict[str, Any]:
        """The result: result.json."""
        return self._json("result.json")

    @property
    def history(self) -> dict[str, Array]:
        """Columns of history.csv, with a row for each evaluation."""
        return self.table("history.csv")

    def table(self, name: str) -> dict[str, Array]:
        """Columns of one of the study's CSV files, such as "trajectory_final.csv"."""
        file = self.path / name
        if not file.exists():
            files = ", ".join(sorted(p.name for p in self.path.iterdir()))
            raise UsageError(f"the study {self.path} has no {name}: it has {files or 'no files'}")
        return table(file)

    def show(self, *, height: int = 700, motion: bool = False) -> Page:
        """The report, made again from the files, or its motion alone; height in pixels."""
        return Page(report([self.path]), height, motion)

    def __repr__(self) -> str:
        return f"<gradyn study {self.path}>"


def open_(path: FolderPath) -> Study:
    """Opens a study folder."""
    return Study(path)


def report(folders: Sequence[FolderPath]) -> str:
    """The report of one study, or a comparison of several."""
    kept = [ffi.new("char[]", os.fspath(path).encode()) for path in folders]
    names, reason = ffi.new("char *[]", kept), ffi.new("char[]", 1024)
    with tempfile.TemporaryDirectory(prefix="gradyn-") as temporary:
        page = Path(temporary) / "report.html"
        status = lib.gradyn_study_report(names, len(kept), ffi.NULL, str(page).encode(), reason, 1024)
        if status:
            raise failure(status, text(reason))
        return page.read_text(encoding="utf-8")


class Folder:
    """A folder during writing."""

    def __init__(self, path: FolderPath, replace: bool) -> None:
        self.path = Path(path)
        out = ffi.new("gradyn_study_folder **")
        status = lib.gradyn_study_folder_open(ffi.new("char[]", os.fspath(path).encode()), replace, out)
        if not out[0]:
            raise FatalError("out of memory")
        self.c = ffi.gc(out[0], lib.gradyn_study_folder_close)
        self.check(status)

    def check(self, status: int) -> None:
        if status:
            raise failure(status, text(lib.gradyn_study_folder_message(self.c)))


def _point(rho: Array, evaluator: Any) -> Any:
    """A point, for an evaluator that includes the knots added by the search."""
    return reads(rho, lib.gradyn_parameter_count(evaluator))


class Motion:
    """A simulation at a point, for writing."""

    def __init__(self, problem: Problem, rho: Array, evaluator: Any = None) -> None:
        self.rho, self.psi = rho, np.empty(len(problem.functionals))
        made = evaluator or problem._evaluator.c
        pointer = lib.gradyn_trajectory_create()
        if not pointer:
            raise FatalError("out of memory")
        self.c = ffi.gc(pointer, lib.gradyn_trajectory_free)
        problem._check(
            problem._calls.run(
                lib.gradyn_evaluator_simulate, made, _point(rho, made), writes(self.psi, len(self.psi)),
                self.c
            )
        )


def show(
    problem: Problem, x: Optional[Point], height: int, motion_alone: bool, changes: Mapping[str, Any]
) -> Page:
    """Problem.show()."""
    rho = problem.point(x, **changes)
    with tempfile.TemporaryDirectory(prefix="gradyn-") as temporary, problem._calls.lock:
        folder, motion = Folder(temporary, True), Motion(problem, rho)
        arguments = problem._reads(rho), reads(motion.psi, len(motion.psi)), motion.c
        folder.check(lib.gradyn_study_folder_write_simulation(folder.c, problem._evaluator.c, *arguments))
        page = report([temporary]).replace(temporary, problem.name)  # the folder was not requested
        return Page(page, height, motion_alone)


class Recording(search.Watching):
    """Writes each trial point to the folder, then calls the callback."""

    def __init__(self, problem: Problem, watch: Optional[search.Watch], folder: Folder) -> None:
        super().__init__(problem, problem._calls, watch)
        self.folder, self.evaluator = folder, problem._evaluator.c
        self.lost = 0  # first failure to write

    def seen(self, iteration: Any) -> bool:
        status = lib.gradyn_study_folder_write_iteration(self.folder.c, self.evaluator, iteration)
        self.lost = self.lost or status
        return super().seen(iteration)


def _as_recorded(problem: Problem, study: str) -> Problem:
    """The problem with the options that a study has recorded, except options that the caller has given."""
    recorded, now = _options.recorded(problem._pointer, study), problem.options
    differs = any(now[name] != value for name, value in recorded.items() if name not in problem._options)
    return problem.with_options(**{**recorded, **problem._options}) if differs else problem


def _evaluator(problem: Problem, chosen: Any) -> Any:
    """The evaluator of a search; a search in segments may use another one than the problem."""
    out = ffi.new("gradyn_evaluator **")
    status = problem._calls.run(lib.gradyn_search_evaluator, problem._evaluator.c, chosen, out)
    made = ffi.gc(out[0], lib.gradyn_evaluator_free) if out[0] else problem._evaluator.c
    if status:
        problem._calls.fail(failure(status, text(lib.gradyn_evaluator_message(made))))
    return made


def _begun(file: Path, resume: bool, warm: Optional[str]) -> Optional[str]:
    """The warm start; a resumed study uses the one that it began with."""
    known = resume and warm is None and file.exists()
    return file.read_text(encoding="utf-8") if known else warm


def run(
    problem: Problem, path: FolderPath, x: Optional[Point], replace: bool, resume: bool,
    watch: Optional[search.Watch], vary: Optional[Sequence[str]], warm: Optional[starts.Warm],
    options: Mapping[str, Any],
) -> Study:
    """Problem.run()."""
    begun = _begun(Path(path) / "warm_start.json", resume, starts.warm_text(warm))
    recorded = str(path) if resume and (Path(path) / "settings.json").exists() else None
    if recorded is not None:
        problem = _as_recorded(problem, recorded)
    usual = search.defaults(problem, recorded)
    rho, calls = starts.point(problem, x, begun), problem._calls
    c_rho = problem._reads(rho)
    kept = [ffi.new("char[]", str(Path(path) / "journal.jsonl").encode())]
    with calls.lock:
        reason = ffi.new("char[]", 1024)
        status = lib.gradyn_study_check(str(path).encode(), reason, 1024) if resume else 0
        folder = None if status else Folder(path, replace or resume)  # removes earlier results
        if not resume:
            status = lib.gradyn_journal_remove(kept[0], reason, 1024)
        if folder is None or status:
            raise failure(status, text(reason))
        recording = Recording(problem, watch, folder)
        chosen = search.specified(problem, options, recording, vary, kept, usual)
        search.begin_warm(chosen, begun, kept)
        if begun is not None:
            (Path(path) / "warm_start.json").write_text(begun, encoding="utf-8")
        evaluator = _evaluator(problem, chosen)
        chosen.journal, chosen.resume = kept[0], True
        folder.check(lib.gradyn_study_folder_begin(folder.c, evaluator, chosen, c_rho))
        _keep_motion(problem, folder, chosen, rho, evaluator, lib.GRADYN_STUDY_INITIAL)
        out = ffi.new("gradyn_search_result *")
        try:
            result = search.searched(problem, chosen, c_rho, out)
            finer = out.refined or evaluator
            _keep_motion(problem, folder, chosen, result.x, finer, lib.GRADYN_STUDY_FINAL)
            status = lib.gradyn_study_folder_end(folder.c, evaluator, chosen, c_rho, out, result.code)
            folder.check(status or recording.lost)
        finally:
            lib.gradyn_search_result_clear(out)
        (Path(path) / "report.html").write_text(report([path]), encoding="utf-8")
    return Study(path, result)


def _keep_motion(
    problem: Problem, folder: Folder, chosen: Any, rho: Array, evaluator: Any, which: int
) -> None:
    motion = Motion(problem, rho, evaluator)
    c_rho = _point(rho, evaluator)
    folder.check(lib.gradyn_study_folder_write_motion(folder.c, evaluator, chosen, c_rho, motion.c, which))
