"""Models written in Python. A function build(m, p) declares a model, and @gradyn.problem makes it a
problem."""

from __future__ import annotations

import functools
import hashlib
import importlib
import math
import os
import pickle
import re
import sys
from collections import namedtuple
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Mapping, Optional, Union

import numpy as np

from . import compiling, registry, trace
from ._c import ffi, lib
from ._callbacks import CALLBACKS, Called, held
from ._calls import handle_to, of_handle
from ._declarations import BodyId, Declarations, EventId, ModeId
from .errors import UsageError
from .evaluate import Problem
from .jitting import Jitted

ROLES = {"design": 0, "control": 1, "initial-state": 2, "time": 3}
GROUND = BodyId(lib.GRADYN_GROUND)  # may be given instead of a body
ANY_EVENT = EventId(lib.GRADYN_ANY_EVENT)  # may be given instead of an event
END = ModeId(lib.GRADYN_END)  # as the mode after a phase: the run ends
EVERY_MODE = ModeId(lib.GRADYN_EVERY_MODE)  # instead of a mode: the declaration applies in all modes
ALL_NODES = int(lib.GRADYN_ALL_NODES)  # instead of a node: both ends of all elements
BEAM_END = int(lib.GRADYN_BEAM_END)  # instead of a node: the last node


@dataclass(frozen=True)
class Param:
    """A parameter. With count it is a row of parameters, with values from init to init_end if that is given.
    count: their number, or the name of a setting with this number. Numbers are in the unit of the
    parameter."""

    init: float
    unit: str = ""
    lower: float = -math.inf
    upper: float = math.inf
    scale: float = 0.0  # size of a typical change; 0: from the bounds or the value
    role: str = "design"  # "design", "control", "initial-state", "time"
    fixed: bool = False  # searches do not vary it
    count: Union[int, str] = 0
    init_end: Optional[float] = None
    per_case: bool = False  # each load case has its own value
    prior: float = 0.0  # mean of its normal prior, in its unit or of its logarithm
    prior_deviation: float = 0.0  # standard deviation of the prior; 0: none
    logarithmic: bool = False  # searches and intervals take its logarithm; lower has to be positive


@dataclass(frozen=True)
class Setting:
    """An integer that changes the structure of a model, such as a number of links."""

    init: int
    lower: int = 0
    upper: int = 1000
    summary: str = ""


class Model(Declarations):
    """The first argument of build(), which declares the model by its methods: m.point(...), m.rod(...), ...
    All numbers are in SI units."""

    def __init__(self, pointer: Any, problem: PythonProblem) -> None:
        super().__init__(pointer, problem._texts)
        self._problem = problem
        self._functions = 0  # number of callbacks so far
        self._read: tuple[float, ...] = ()  # values read from the load case; functions may keep these numbers
        # ids that functions use belong to the coordinates of their build()
        self._coordinates = ffi.string(lib.gradyn_coordinates_declared(pointer)).decode()

    def close(self) -> None:
        """Ends the use of the model after build()."""
        self._pointer = None

    def setting(self, name: str) -> int:
        """The value of an integer setting."""
        return int(lib.gradyn_setting_value(self.c, self.text(name)))

    def case_value(self, name: str, otherwise: float = 0.0) -> float:
        """The value of a column of the load cases for this case, in the unit of the column. otherwise: the
        value without cases, without this column, or if this case has no value."""
        value = float(lib.gradyn_case_value(self.c, self.text(name), otherwise))
        self._read += (value,)
        return value

    def error(self, message: str) -> None:
        """Reports an error in the model; build() continues."""
        lib.gradyn_build_error(self.c, ffi.new("char[]", b"%s"), ffi.new("char[]", message.encode()))

    def callback(self, kind: str, member: str, value: Any, data: Any) -> Any:
        """The C function for a user function."""
        if not callable(value):
            raise TypeError(f"{member} has to be a function, not {value!r}")
        if not isinstance(value, Jitted) or self._problem._called_class is not Called:
            return CALLBACKS[kind, member]
        known = self._problem._jitted
        place = (self._functions, member, self.values, tuple(data or ()), self._coordinates, self._read)
        if place not in known:
            refuse_numbers(value)
            known[place] = value.pointer(kind, tuple(data or ()), self.values), value
        return known[place][0]

    def handle_of(self, name: str, functions: Mapping[str, Any], data: Any) -> Any:
        """The handle for functions. Those of the first build() are kept for each set of coordinates, because
        only the data of a model change, not its structure."""
        known = self._problem._called
        place = (self._functions, name, self.values, tuple(data or ()), self._coordinates, self._read)
        self._functions += 1
        if place not in known:
            for function in functions.values():
                refuse_numbers(function)
            known[place] = self._problem._called_class(self._problem, name, functions, data, self.values)
        return known[place].handle


def refuse_numbers(function: Any) -> None:
    """Refuses a function that keeps numbers of build(), because their derivatives would be lost."""
    names = held(getattr(function, "__wrapped__", function)) if function is not None else []
    if names:
        raise UsageError(
            f"a function holds numbers of build(): {', '.join(names)}. Pass them as "
            "data, which carry derivatives: data={'k': p.k}, and in the function at.data.k"
        )


class PythonProblem(Problem):
    """A problem whose build() is a Python function."""

    def __init__(
        self,
        build: Callable[[Model, Any], Any],
        params: Mapping[str, Param],
        settings: Mapping[str, Setting],
        facts: Mapping[str, Any],
        options: Mapping[str, Any],
        chosen: Mapping[str, int],
    ) -> None:
        self._build, self._params, self._facts = build, dict(params), dict(facts)
        self._settings_made = dict(settings)
        self._observed: Optional[list[Any]] = None  # answers of the library; recorded unless None
        self._called_class: type[Called] = Called
        self._texts: dict[str, Any] = {}
        self._called: dict[Any, Called] = {}
        self._jitted: dict[Any, tuple[Any, Jitted]] = {}  # pointers, and the owners of their memory
        self._handle = handle_to(self)
        self._values = namedtuple("p", list(params), rename=True)  # type: ignore[misc]
        self._single = all(not p.count for p in params.values())
        c = ffi.new("gradyn_problem *")
        sizes = [ffi.sizeof(f"gradyn_{kind}") for kind in ("problem", "param", "setting")]
        c.struct_size, c.param_size, c.setting_size = sizes
        self._arrays = self._parameters_of(params), self._settings_of(settings)
        c.params, c.settings = self._arrays
        c.param_count, c.setting_count = len(params), len(settings)
        c.build, c.user = ffi.addressof(lib, "gradynpy_build"), self._handle
        for name, value in facts.items():
            setattr(c, name, self._text(value) if isinstance(value, str) else value)
        recipe = functools.partial(_again, build, params, settings, facts)
        super().__init__(c, recipe, options, chosen)

    def _text(self, value: str) -> Any:
        return self._texts.setdefault(value, ffi.new("char[]", value.encode()))

    def _parameters_of(self, params: Mapping[str, Param]) -> Any:
        items = ffi.new("gradyn_param[]", max(len(params), 1))
        for c, (name, p) in zip(items, params.items()):
            if not isinstance(p, Param):
                raise TypeError(f"parameter {name} has to be a gradyn.Param, not {p!r}")
            if p.lower == p.upper == 0:
                raise UsageError(f"parameter {name}: lower = upper = 0. Leave both out, or give fixed=True.")
            c.name, c.unit = self._text(name), self._text(p.unit)
            c.init, c.scale, c.fixed, c.role = p.init, p.scale, p.fixed, ROLES[p.role]
            c.per_case, c.logarithmic = p.per_case, p.logarithmic
            c.prior, c.prior_deviation = p.prior, p.prior_deviation
            c.lower, c.upper = p.lower, p.upper
            if isinstance(p.count, str):
                c.count_from = self._text(p.count)
            else:
                c.count = p.count
            if p.init_end is not None:
                c.init_end, c.ramp = p.init_end, True
        return items

    def _settings_of(self, settings: Mapping[str, Setting]) -> Any:
        items = ffi.new("gradyn_setting[]", max(len(settings), 1))
        for c, (name, s) in zip(items, settings.items()):
            if not isinstance(s, Setting):
                raise TypeError(f"setting {name} has to be a gradyn.Setting, not {s!r}")
            c.name, c.summary = self._text(name), self._text(s.summary)
            c.init, c.lower, c.upper = s.init, s.lower, s.upper
        return items

    def _given(self, model: Any, rho: Any) -> Any:
        """The parameters for build(): complex numbers; rows are arrays."""
        if self._single:
            return self._values._make(ffi.unpack(rho, len(self._params)) if self._params else ())
        values = []
        count = ffi.new("int *")
        for i, p in enumerate(self._params.values()):
            row = lib.gradyn_parameter_array(model, rho, i, count)
            values.append(np.array(ffi.unpack(row, count[0])) if p.count else row[0])
        return self._values._make(values)

    def c_param(self, name: str) -> Any:
        """A parameter as a struct of C."""
        return self._arrays[0][list(self._params).index(name)]

    def row_counts(self) -> dict[str, int]:
        """The number of values of each entry of the parameters."""
        known = list(self._evaluator.parameters)
        return {n: sum(k == n or k.startswith(f"{n}[") for k in known) for n in self._params}

    def observed(self, answers: list[Any], called: type[Called]) -> PythonProblem:
        """A copy of the problem that records its first build()."""
        # only the first build() is recorded
        made = self.with_options(coordinates=self.options["coordinates"])
        assert isinstance(made, PythonProblem)
        made._observed, made._called_class = answers, called
        return made

    def to_c(self, path: Optional[Union[str, os.PathLike[str]]] = None) -> str:
        """The C file of this model with its present settings; also written to path."""
        if self.case_weights:
            raise UsageError(f"{self.name} has load cases: compile it without them, then call cases()")
        text = trace.source(self, re.sub(r"\W", "_", self.name))
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    def compile(self) -> Problem:
        """The same problem without Python: written in C, and compiled into a folder of the user, once for
        each text. Code that branches on the model's numbers is refused."""
        text = self.to_c()
        folder = compiling.cache() / hashlib.sha256(text.encode()).hexdigest()[:20]
        folder.mkdir(mode=0o700, exist_ok=True)
        file = folder / f"{re.sub(r'[^0-9A-Za-z_]', '_', self.name)}.c"
        file.write_text(text, encoding="utf-8")
        return registry.load(compiling.compiled(file), **self._options)

    def __reduce__(self) -> tuple[Any, ...]:
        module, name = self._build.__module__, self._build.__qualname__
        found: Any = sys.modules.get(module)
        for part in name.split("."):
            found = getattr(found, part, None)
        if not isinstance(found, PythonProblem) or found._build is not self._build:
            raise pickle.PicklingError(f"{name} is no problem that the module {module} has by this name")
        return _of_module, (module, name, self._settings, self._options)


def _again(
    build: Callable[[Model, Any], Any],
    params: Mapping[str, Param],
    settings: Mapping[str, Setting],
    facts: Mapping[str, Any],
    /,
    **given: Any,
) -> PythonProblem:
    chosen = given.pop("settings")
    return PythonProblem(build, params, settings, facts, given, chosen)


def _of_module(module: str, name: str, settings: dict[str, int], options: dict[str, Any]) -> Problem:
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    made: Problem = found.with_options(settings=settings, **options)
    return made


def problem(
    *,
    params: Optional[Mapping[str, Param]] = None,
    settings: Optional[Mapping[str, Setting]] = None,
    name: Optional[str] = None,
    summary: Optional[str] = None,
    reference: Optional[str] = None,
    t_end: float = 0.0,
    method: Optional[str] = None,
    algorithm: Optional[str] = None,
    coordinates: Optional[str] = None,
    step: float = 0.0,
    rtol: float = 0.0,
    atol: float = 0.0,
    check_tolerance: float = 0.0,
) -> Callable[[Callable[[Model, Any], Any]], PythonProblem]:
    """Makes a problem of a function build(m, p). build() declares a model by the methods of m, from the
    parameters p.name, which are complex numbers. A number that passes through abs(), .real or float() loses
    its derivative, which is an error; gradyn.abs, maximum, where and norm keep it. t_end and step are in
    seconds."""

    def made(build: Callable[[Model, Any], Any]) -> PythonProblem:
        facts = {
            "name": name or build.__name__,
            "summary": summary or (build.__doc__ or "").strip().split("\n")[0],
            "reference": reference,
            "method": method,
            "algorithm": algorithm,
            "coordinates": coordinates,
            "t_end": t_end,
            "step": step,
            "rtol": rtol,
            "atol": atol,
            "check_tolerance": check_tolerance,
        }
        shown = {key: value for key, value in facts.items() if value is not None}
        return PythonProblem(build, params or {}, settings or {}, shown, {}, {})

    return made


# --- What C calls ------------------------------------------------------------------------------------


def _raised(kind: Any, error: BaseException, trace: Any) -> int:
    """Handles an exception of build()."""
    made: PythonProblem = of_handle(lib.gradyn_user(trace.tb_frame.f_locals["model"]))
    return made._calls.stopped(error.with_traceback(trace))


@ffi.def_extern(onerror=_raised)  # type: ignore[misc]
def gradynpy_build(model: Any, rho: Any) -> int:
    made: PythonProblem = of_handle(lib.gradyn_user(model))
    made._calls.builds += 1
    m = Model(model, made)
    if made._observed is not None:
        m.lib, made._observed = trace.Returned(made._observed), None
    try:
        made._build(m, made._given(model, rho))
    finally:
        m.close()
    return int(lib.gradyn_build_status(model))
