"""A problem, which can be simulated, differentiated and optimised."""

from __future__ import annotations

import functools
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np

from . import _options, adapters, analyses, describe, fitting, horizon, inference, search, starts
from . import progress as progress_of
from . import cases as cases_of
from . import experiment
from . import study
from . import uncertainty as uncertainty_of
from . import jobs as jobs_of
from ._arrays import real, reads, writes
from ._c import ffi, lib
from ._calls import Calls
from ._declarations import ManySearchOptions, Options, SearchOptions
from ._options import distinct, shows
from .errors import FatalError, GradynWarning, UsageError, failure, outside, text, warnings_of
from .gradient import Gradient
from .trajectory import Trajectory

if TYPE_CHECKING:
    from typing_extensions import Unpack

Array = np.ndarray[Any, np.dtype[np.float64]]
# values of all parameters in their order, or of some of them by name
Point = Union["np.ndarray[Any, Any]", "list[float]", "tuple[float, ...]", Mapping[str, Any]]
ROLES = ("design", "control", "initial-state", "time")
USES = (
    *("monitored", "objective", "largest", "equal", "at-most", "at-least", "path-constraint"),
    *("residual", "log-sigma"),
)


@dataclass(frozen=True)
class Parameter:
    """A parameter; numbers in its unit. Bounds may be infinite."""

    name: str
    unit: str
    init: float
    lower: float
    upper: float
    scale: float  # size of a typical change
    role: str  # "design", "control", "initial-state", "time"
    fixed: bool  # True: searches do not vary it
    prior: float = 0.0  # mean of its normal prior, in its unit or of its logarithm
    prior_deviation: float = 0.0  # standard deviation of the prior; 0: none
    logarithmic: bool = False  # searches and intervals take its logarithm


@dataclass(frozen=True)
class Functional:
    """A functional and its use; numbers in its unit."""

    name: str
    unit: str
    use: str  # one of USES
    weight: float
    bound: float
    tolerance: float


class Evaluator:
    """The library's evaluator for a problem and its options."""

    def __init__(
        self, problem: Any, calls: Calls, options: Mapping[str, Any], settings: Mapping[str, int]
    ) -> None:
        kept: list[Any] = []
        chosen = _options.evaluator_options(problem, options, kept)
        chosen.cancel, chosen.cancel_user = ffi.addressof(lib, "gradynpy_cancel"), calls.patience
        choices = _options.setting_choices(settings, kept)
        out = ffi.new("gradyn_evaluator **")
        with calls.lock:
            try:
                status = calls.run(lib.gradyn_evaluator_create, problem, chosen, choices, len(settings), out)
            finally:
                self.c = ffi.gc(out[0], lib.gradyn_evaluator_free) if out[0] else None
        if status:
            calls.fail(failure(status, self.message()))
        parameters = map(self._parameter, range(lib.gradyn_parameter_count(self.c)))
        functionals = map(self._functional, range(lib.gradyn_functional_count(self.c)))
        self.parameters = {p.name: p for p in parameters}
        self.functionals = {f.name: f for f in functionals}

    def message(self) -> str:
        return text(lib.gradyn_evaluator_message(self.c)) if self.c else "out of memory"

    def _parameter(self, i: int) -> Parameter:
        p = lib.gradyn_parameter_at(self.c, i)
        if p.bounds_missing:
            warnings.warn(
                f"parameter {text(p.name)}: lower = upper = 0; a future version refuses it. "
                "Write GRADYN_UNBOUNDED or .fixed = true in C.",
                DeprecationWarning,
                stacklevel=outside(),
            )
        return Parameter(
            text(p.name), text(p.unit), p.init, p.lower, p.upper, p.scale, ROLES[p.role], bool(p.fixed),
            p.prior, p.prior_deviation, bool(p.logarithmic),
        )

    def _functional(self, i: int) -> Functional:
        f = lib.gradyn_functional_at(self.c, i)
        return Functional(text(f.name), text(f.unit), USES[f.use], f.weight, f.bound, f.tolerance)


class Problem:
    """A problem that can be simulated, differentiated and optimised. gradyn.load() and @gradyn.problem make
    one.

    Methods accept parameters as an array of all, as a mapping, or as keywords: simulate(Ls1=2.0). Several
    threads may use one problem, and take turns. To work at the same time, each thread needs its own copy,
    problem.with_options()."""

    def __init__(
        self,
        pointer: Any,
        recipe: Callable[..., Problem],
        options: Mapping[str, Any],
        settings: Mapping[str, int],
    ) -> None:
        self._pointer = pointer
        self._cases: Any = None  # load cases of with_cases(), and the memory that they use
        self._recipe = recipe  # recipe(settings=..., **options) makes the problem again
        self._options, self._settings = dict(options), dict(settings)
        self.name = text(pointer.name).replace("_", "-")
        self._calls = Calls(self.name)
        self._made: Optional[Evaluator] = None
        self._states: Optional[list[str]] = None
        _options.evaluator_options(pointer, self._options, [])

    @shows(Options)
    def with_options(
        self, *, settings: Optional[Mapping[str, int]] = None, **options: Unpack[Options]
    ) -> Problem:
        """The same problem with other options or settings, independent of this one."""
        return self._recipe(settings={**self._settings, **(settings or {})}, **{**self._options, **options})

    def cases(self, table: cases_of.Table) -> Problem:
        """The same problem with load cases: values by case and column, {"full": {"payload": 900}}, or the
        path of a CSV file. Columns are parameters, settings, t_end (s), weight, or names that build() reads
        by m.case_value(). Functionals are then named functional@case. The option over_cases="mean",
        "largest", "cvar:0.2" or "deviation:3" replaces the sum of the objectives. jobs: number of threads."""
        made = self.with_options()
        cases_of.attach(made, table)
        made._recipe = functools.partial(_with_cases, made._recipe, table)
        return made

    def case(self, name: str) -> Problem:
        """The same problem with one load case only, as a single run."""
        return self.with_options(only_case=name)

    def case_point(self, name: str, x: Optional[Point] = None, /, **changes: Any) -> Array:
        """The parameters of case(name), taken from the parameters of all load cases."""
        return cases_of.point(self, name, self.point(x, **changes))

    @property
    def case_weights(self) -> dict[str, float]:
        """Weights of the load cases by their names; empty for a single run."""
        return cases_of.weights(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._recipe, self._settings, self._options)

    @property
    def _evaluator(self) -> Evaluator:
        """The evaluator; made at its first use."""
        if self._made is None:
            with self._calls.lock:
                if self._made is None:
                    self._made = Evaluator(self._pointer, self._calls, self._options, self._settings)
        return self._made

    summary = property(lambda self: text(self._pointer.summary), doc="The problem in one line.")
    reference = property(lambda self: text(self._pointer.reference), doc="Where it comes from.")

    @property
    def parameters(self) -> dict[str, Parameter]:
        """The parameters by name, in their order."""
        return dict(self._evaluator.parameters)

    @property
    def functionals(self) -> dict[str, Functional]:
        """The functionals by name, in their order."""
        return dict(self._evaluator.functionals)

    @property
    def options(self) -> dict[str, Any]:
        """The present options."""
        c = lib.gradyn_evaluator_options(self._evaluator.c)
        return {name: _options.value_of(c, name) for name in _options.names("gradyn_options")}

    @property
    def x0(self) -> Array:
        """Initial values of all parameters."""
        return np.array([p.init for p in self._evaluator.parameters.values()])

    def point(self, x: Optional[Point] = None, /, **changes: Any) -> Array:
        """Values of all parameters: the given ones, and initial values for the others. Parameters with
        several values are given whole: u=[1, 2]."""
        known = self._evaluator.parameters
        if isinstance(x, Mapping):
            return self.point(None, **{**x, **changes})
        if isinstance(x, np.ndarray) and not changes and x.dtype == np.float64 and x.shape == (len(known),):
            return np.ascontiguousarray(x)
        rho = self.x0 if x is None else np.array(real(x, "a point"))
        if rho.shape != (len(known),):
            raise UsageError(f"{self.name} has {len(known)} parameters, not an array of shape {rho.shape}")
        index = {name: i for i, name in enumerate(known)}
        for name, value in changes.items():
            self._change(rho, index, name, value)
        return rho

    def _has(self, name: str) -> bool:
        """Returns whether there is a parameter, or a row of parameters, with that name."""
        return any(p == name or p.startswith(f"{name}[") for p in self._evaluator.parameters)

    def _reads(self, rho: Array) -> Any:
        """The values of a point as an array that C reads."""
        return reads(rho, len(self._evaluator.parameters))

    def _change(self, rho: Array, index: Mapping[str, int], name: str, value: Any) -> None:
        """Sets a parameter, or a row of them."""
        row = [i for known, i in index.items() if known.startswith(f"{name}[")]
        if name not in index and not row:
            raise UsageError(f"{self.name} has no parameter {name!r}: it has {', '.join(index) or 'none'}")
        try:
            numbers = real(value, name)
        except (TypeError, ValueError):
            raise TypeError(f"parameter {name} has to be a number, not {value!r}") from None
        if numbers.shape not in {(), (len(row),)} or (numbers.shape and not row):
            raise UsageError(f"parameter {name} cannot have the shape {numbers.shape}")
        rho[row if row else index[name]] = numbers

    def _check(self, status: int) -> None:
        """Raises the failure of a call; issues the warnings of a successful call."""
        made = self._evaluator
        if status:
            self._calls.fail(failure(status, made.message()))
        for warning in warnings_of(made.c):
            warnings.warn(warning, stacklevel=outside())

    @distinct
    def simulate(self, x: Optional[Point] = None, /, *, samples: int = 0, **changes: Any) -> Trajectory:
        """The motion, at every step or at `samples` equally spaced times."""
        rho, made = self.point(x, **changes), self._evaluator
        psi = np.empty(len(made.functionals))
        pointer = lib.gradyn_trajectory_create()
        if not pointer:
            raise FatalError("out of memory")
        c = ffi.gc(pointer, lib.gradyn_trajectory_free)
        with self._calls.lock:
            given = self._reads(rho), writes(psi, len(psi))
            self._check(self._calls.run(lib.gradyn_evaluator_simulate, made.c, *given, c))
            return Trajectory(c, dict(zip(made.functionals, psi.tolist())), rho, self, samples)

    def functions(self, x: Optional[Point] = None, /, **changes: Any) -> Array:
        """Values of all functionals."""
        rho, made = self.point(x, **changes), self._evaluator
        psi = np.empty(len(made.functionals))
        with self._calls.lock:
            given = self._reads(rho), writes(psi, len(psi))
            self._check(self._calls.run(lib.gradyn_evaluator_simulate, made.c, *given, ffi.NULL))
        return psi

    @distinct
    def gradients(
        self, x: Optional[Point] = None, /, *, out: Optional[tuple[Array, Array]] = None, **changes: Any
    ) -> tuple[Array, Array]:
        """psi [functionals] and dpsi/drho [functionals, parameters]. If arrays are given, they are filled and
        returned."""
        rho, made = self.point(x, **changes), self._evaluator
        shape = len(made.functionals), len(made.parameters)
        psi, gradient = (np.empty(shape[0]), np.empty(shape)) if out is None else out
        into = writes(psi, shape[0], name="out[0]"), writes(gradient, *shape, name="out[1]")
        with self._calls.lock:
            self._check(self._calls.run(lib.gradyn_evaluator_gradient, made.c, self._reads(rho), *into))
        return psi, gradient

    def gradient(self, x: Optional[Point] = None, /, **changes: Any) -> Gradient:
        """Functionals and their derivatives by name: problem.gradient()["psi1", "Ls1"]."""
        psi, gradient = self.gradients(self.point(x, **changes))
        return Gradient(self._evaluator.functionals, self._evaluator.parameters, psi, gradient)

    def value_and_gradient(self, x: Optional[Point] = None, /, **changes: Any) -> tuple[float, Array]:
        """The objective, which is a weighted sum of functionals, and its derivatives with respect to all
        parameters."""
        psi, gradient = self.gradients(self.point(x, **changes))
        weights = self.weights()
        return float(weights @ psi), weights @ gradient

    def weights(self) -> Array:
        """Weights of the functionals in the objective. A minimax objective has none."""
        used = self._evaluator.functionals.values()
        if any(f.use == "largest" for f in used):
            raise UsageError(f"the objective of {self.name} is the largest of several functionals, no sum")
        return np.array([f.weight if f.use == "objective" else 0.0 for f in used])

    @property
    def data(self) -> dict[str, describe.Datum]:
        """All numbers of the model by name, with units, as of the last evaluation."""
        with self._calls.lock:
            return describe.data(self)

    @property
    def signals(self) -> dict[str, describe.Signal]:
        """All signals by name, as of the last evaluation."""
        with self._calls.lock:
            return describe.signals(self)

    @property
    def elements(self) -> list[describe.Element]:
        """The elements of the model: rods, bodies, joints, springs, ..."""
        with self._calls.lock:
            return describe.elements(self)

    @property
    def links(self) -> list[describe.Link]:
        """The tree of a mechanism in joint coordinates (coordinates="joint"); in other coordinates it is
        empty."""
        with self._calls.lock:
            return describe.links(self)

    @property
    def sizes(self) -> describe.Sizes:
        """Numbers of coordinates, constraints, points, ..."""
        return describe.sizes(self)

    @property
    def warnings(self) -> list[GradynWarning]:
        """Warnings about the last result."""
        with self._calls.lock:
            return warnings_of(self._evaluator.c)

    @property
    def statistics(self) -> dict[str, Any]:
        """Steps, iterations, seconds, drift, ... of the last call."""
        with self._calls.lock:
            return describe.statistics(self)

    def data_gradient(self, x: Optional[Point] = None, /, **changes: Any) -> dict[str, dict[str, float]]:
        """Derivatives of all functionals with respect to every number of the model, by functional and datum.
        Each is in the functional's unit over the datum's."""
        rho, made = self.point(x, **changes), self._evaluator
        with self._calls.lock:
            names = list(describe.data(self))
            shape = len(made.functionals), len(names)
            psi, gradient = np.empty(shape[0]), np.empty(shape)
            into = writes(psi, shape[0]), writes(gradient, *shape)
            self._check(self._calls.run(lib.gradyn_evaluator_data_gradient, made.c, self._reads(rho), *into))
        return {name: dict(zip(names, row.tolist())) for name, row in zip(made.functionals, gradient)}

    def places(self, names: Sequence[str]) -> list[int]:
        """Indices of parameters by name; the name of a row stands for all its parameters."""
        if isinstance(names, str):
            names = [names]
        found = []
        for name in names:
            known = self._evaluator.parameters
            some = [i for i, p in enumerate(known) if p == name or p.startswith(f"{name}[")]
            if not some:
                has = ", ".join(known) or "none"
                raise UsageError(f"{self.name} has no parameter {name!r}: it has {has}")
            found += some
        return found

    @shows(SearchOptions)
    def optimise(
        self,
        x: Optional[Point] = None,
        /,
        *,
        callback: Optional[Callable[[search.Iteration], Optional[bool]]] = None,
        vary: Optional[Sequence[str]] = None,
        warm: Optional[starts.Warm] = None,
        progress: bool = False,
        **options: Unpack[SearchOptions],
    ) -> search.Result:
        """Searches for an optimum from x. Options: algorithm, max_evaluations, ftol, xtol, optimality,
        max_seconds (s), objective (name of a functional), ... vary: names of parameters; default: all that
        are not fixed. warm: an earlier result or study, also of another problem, or with other numbers of
        knots or segments. The search begins with its multipliers and, without x, with its parameters, by
        name. guess: states over time for segments: path of a table, arrays by names of states (with "t", or
        at equal intervals), a motion or a result. callback(iteration) is called at each trial point; if it
        returns False, the search ends. progress: shows a bar of tqdm.

        A search that does not end at an optimum also returns its best point: see .success and .message. If
        an exception ends the search, also by Ctrl-C, the best point so far is its .result."""
        with progress_of.shown(progress, f"{self.name}: evaluations", self._calls) as bar:
            return search.optimise(self, x, bar.watching(callback), vary, warm, options)

    @shows(SearchOptions)
    def run(
        self,
        folder: study.FolderPath,
        x: Optional[Point] = None,
        /,
        *,
        replace: bool = False,
        resume: bool = False,
        callback: Optional[Callable[[search.Iteration], Optional[bool]]] = None,
        vary: Optional[Sequence[str]] = None,
        warm: Optional[starts.Warm] = None,
        progress: bool = False,
        **options: Unpack[SearchOptions],
    ) -> study.Study:
        """Searches as optimise() does, and writes a study folder with a journal and a report. replace:
        removes an earlier study in this folder. resume: continues the search there from the point where it
        was stopped; the result has the same bits as without a stop. progress: shows a bar of tqdm."""
        with progress_of.shown(progress, f"{self.name}: evaluations", self._calls) as bar:
            watch = bar.watching(callback)
            return study.run(self, folder, x, replace, resume, watch, vary, warm, options)

    @shows(SearchOptions)
    def mpc(
        self,
        x: Optional[Point] = None,
        /,
        *,
        vary: Optional[Sequence[str]] = None,
        warm: Optional[starts.Warm] = None,
        **options: Unpack[SearchOptions],
    ) -> horizon.Controller:
        """A controller that plans again from measured states, for a horizon of `segments` segments. x:
        parameters of the first plan; without x, those of warm, an earlier result. Options of a search that it
        uses: segments, optimality, objective, jobs and guess. vary: names of the parameters that it plans."""
        return horizon.Controller(self, x, vary, warm, options)

    @distinct
    def show(
        self, x: Optional[Point] = None, /, *, height: int = 700, motion: bool = False, **changes: Any
    ) -> study.Page:
        """Simulates, and shows the motion alone, or the whole report; height in pixels."""
        return study.show(self, x, height, motion, changes)

    def sweep(
        self,
        over: Mapping[str, Sequence[float]],
        x: Optional[Point] = None,
        /,
        *,
        points: int = 0,
        seed: int = 0,
        gradient: bool = False,
        folder: Optional[study.FolderPath] = None,
        jobs: int = 1,
        progress: bool = False,
    ) -> jobs_of.Sweep:
        """Evaluates on a grid, over={"Ls1": (from, to, count)}, or at `points` points of a Sobol sequence.
        Points that the folder already has are not computed again. jobs: threads; progress: shows a bar of
        tqdm."""
        with progress_of.shown(progress, f"{self.name}: points", self._calls):
            return jobs_of.sweep(self, over, x, points, seed, gradient, folder, jobs)

    @shows(ManySearchOptions)
    def multistart(
        self,
        starts: int,
        x: Optional[Point] = None,
        /,
        *,
        seed: int = 0,
        screen: int = 0,
        vary: Optional[Sequence[str]] = None,
        folder: Optional[study.FolderPath] = None,
        jobs: int = 1,
        progress: bool = False,
        **options: Unpack[ManySearchOptions],
    ) -> jobs_of.Starts:
        """Searches from x and from points of a Sobol sequence within the bounds. screen: simulates all
        points, and searches from the best `screen` of them. jobs: threads; progress: shows a bar of tqdm.
        Other options are those of optimise()."""
        with progress_of.shown(progress, f"{self.name}: searches", self._calls):
            return jobs_of.multistart(self, starts, x, seed, screen, folder, jobs, vary, options)

    @shows(ManySearchOptions)
    def pareto(
        self,
        first: str,
        second: str,
        points: int,
        x: Optional[Point] = None,
        /,
        *,
        second_at_most: Optional[tuple[float, float]] = None,
        folder: Optional[study.FolderPath] = None,
        jobs: int = 1,
        progress: bool = False,
        **options: Unpack[ManySearchOptions],
    ) -> jobs_of.Front:
        """The Pareto front between two functionals. second_at_most: range of the upper bounds of the second
        one; default: the whole front. progress: shows a bar of tqdm. Other options are those of
        optimise()."""
        with progress_of.shown(progress, f"{self.name}: searches", self._calls):
            return jobs_of.pareto(self, first, second, points, x, second_at_most, folder, jobs, options)

    def nlp(self) -> adapters.NLP:
        """The nonlinear program over the parameters that are not fixed: objective, constraints and
        derivatives. All requests at a point share one gradient evaluation."""
        return adapters.NLP(self)

    def scipy(self) -> dict[str, Any]:
        """Keywords of scipy.optimize.minimize: minimize(**problem.scipy(), method="SLSQP")."""
        return adapters.scipy(self)

    def least_squares(
        self,
        times: Any,
        measured: Mapping[str, Any],
        *,
        deviation: Optional[Mapping[str, fitting.Deviation]] = None,
    ) -> dict[str, Any]:
        """Deprecated: declare m.fit() in build() and call optimise() and infer(). Keywords of
        scipy.optimize.least_squares. They fit the parameters that are not fixed to measured columns at times
        (s): measured={"2.x": [...]}. deviation: standard deviations by column, in its unit; default: 1."""
        words = "least_squares() is deprecated: declare m.fit() in build(), then call optimise() and infer()"
        warnings.warn(words, DeprecationWarning, stacklevel=2)
        return fitting.least_squares(self, times, measured, deviation or {})

    @distinct
    def sensitivities(
        self, times: Any, x: Optional[Point] = None, /, **changes: Any
    ) -> fitting.Sensitivities:
        """All states at ascending times (s), and their derivatives with respect to all parameters."""
        return fitting.sensitivities(self, times, x, changes)

    def infer(
        self, x: Optional[Point] = None, /, *, vary: Optional[Sequence[str]] = None, **changes: Any
    ) -> inference.Inference:
        """Statements about the parameters from the data, at the optimum x of a fit: standard deviations, 95 %
        intervals, covariances, directions that the data do not determine, tests of residuals."""
        return inference.infer(self, x, vary, changes)

    def profile(
        self,
        parameters: Optional[Sequence[str]] = None,
        x: Optional[Point] = None,
        /,
        *,
        vary: Optional[Sequence[str]] = None,
        folder: Optional[study.FolderPath] = None,
        jobs: int = 1,
        progress: bool = False,
        **options: Unpack[ManySearchOptions],
    ) -> inference.Profiles:
        """Profile likelihoods of the named parameters of a fit; default: of all varied ones. The fit starts
        from x. progress: shows a bar of tqdm. Other options are those of optimise()."""
        with progress_of.shown(progress, f"{self.name}: searches", self._calls):
            return inference.profile(self, parameters, x, folder, jobs, vary, options)

    def uncertainty(
        self,
        x: Optional[Point] = None,
        /,
        *,
        second: bool = True,
        unscented: bool = True,
        points: int = 0,
        random: bool = False,
        indices: bool = False,
        seed: int = 0,
        folder: Optional[study.FolderPath] = None,
        jobs: int = 1,
        progress: bool = False,
        **changes: Any,
    ) -> uncertainty_of.Uncertainty:
        """Mean and variance of all functionals with the uncertain numbers of m.uncertain(): to first order,
        to second order and by unscented points. points: number of draws, from a Sobol sequence or, with
        random, of random numbers. indices: computes Sobol indices, too. progress: shows a bar of tqdm."""
        requested = {
            "second": second, "unscented": unscented, "points": points, "random": random,
            "indices": indices, "seed": seed,
        }
        with progress_of.shown(progress, f"{self.name}: points", self._calls):
            return uncertainty_of.uncertainty(self, x, folder, jobs, requested, changes)

    def doe(
        self,
        x: Optional[Point] = None,
        /,
        *,
        criterion: str = "D",
        candidates: int = 0,
        measurements: int = 0,
        fixed_times: bool = False,
        vary: Optional[Sequence[str]] = None,
        **changes: Any,
    ) -> experiment.Experiment:
        """Optimal times and weights of measurements of the fits at x, by criterion "D" or "A". candidates:
        number of equally spaced times for each fit; 0: the times of its data, also of data without a value.
        measurements: total number of measurements; 0: the number of the data. fixed_times: measures only at
        candidates."""
        requested = {
            "candidates": candidates, "measurements": measurements, "fixed_times": fixed_times,
        }
        return experiment.design(self, x, criterion, requested, vary, changes)

    def state_names(self) -> list[str]:
        """Names of the states, the first columns of motions."""
        if self._states is None:
            self._states = list(self.simulate())[: self.sizes.states]
        return self._states

    def ipopt(self, **options: Any) -> Any:
        """A cyipopt.Problem; the options are those of Ipopt."""
        return adapters.ipopt(self, **options)

    def jax(self) -> Callable[[Any], Any]:
        """psi(x) as a function of JAX with forward and reverse derivatives."""
        return adapters.jax(self)

    def torch(self) -> Callable[[Any], Any]:
        """psi(x) as a function of PyTorch with reverse derivatives."""
        return adapters.torch(self)

    def equilibrium(self, x: Optional[Point] = None, /, **changes: Any) -> analyses.Equilibrium:
        """The static equilibrium that a damped mechanism reaches from its initial position, or that the
        motion of general equations reaches, and the linearisation about it."""
        return analyses.equilibrium(self, x, changes)

    @distinct
    def linearise(
        self, x: Optional[Point] = None, /, *, at_end: bool = False, **changes: Any
    ) -> analyses.Linearisation:
        """The model, linearised about the initial state, or about the state at the end of a run."""
        return analyses.linearise(self, x, at_end, changes)

    @distinct
    def transition(
        self, x: Optional[Point] = None, /, *, preferred_coordinates: Sequence[str] = (), **changes: Any
    ) -> analyses.Transition:
        """The effect of small disturbances at the start on the state at the end. preferred_coordinates: names
        of the coordinates that should be independent."""
        return analyses.transition(self, x, preferred_coordinates, changes)

    @distinct
    def orbit(
        self,
        x: Optional[Point] = None,
        /,
        *,
        preferred_coordinates: Sequence[str] = (),
        fixed_period: bool = False,
        section: Optional[str] = None,
        returns: int = 1,
        max_iterations: int = 0,
        **changes: Any,
    ) -> analyses.Orbit:
        """The periodic orbit near the motion, with its Floquet multipliers and derivatives. The end time of
        the run is the period, or a first guess of the period. With an event as section, the end time is an
        upper bound of the period."""
        given: dict[str, Any] = {"preferred_coordinates": preferred_coordinates}
        given.update(fixed_period=fixed_period, section=section)
        given.update(returns=returns, max_iterations=max_iterations)
        return analyses.orbit(self, x, given, changes)

    @distinct
    def covariance(
        self,
        sources: Mapping[str, float],
        x: Optional[Point] = None,
        /,
        *,
        matrix: Any = None,
        samples: int = 0,
        **changes: Any,
    ) -> analyses.Covariance:
        """Covariances of states, measures and functionals for uncertain parameters or data. sources: standard
        deviations by name, each in its unit. matrix: covariance of the sources, instead of their deviations.
        samples: number of times; 0: every step."""
        return analyses.covariance(self, x, sources, matrix, samples, changes)

    @distinct
    def regulator(
        self,
        state: Mapping[str, float],
        input: Mapping[str, float],
        x: Optional[Point] = None,
        /,
        *,
        final: Optional[Mapping[str, float]] = None,
        preferred_coordinates: Sequence[str] = (),
        samples: int = 0,
        **changes: Any,
    ) -> analyses.Regulator:
        """The linear-quadratic regulator along the run. state, input: weights by the names of states (columns
        of trajectories) and of signals, in cost over the square of their units. final: weights of the state
        at the end."""
        weights = {"state": state, "input": input, "final": final or {}}
        return analyses.regulator(self, x, weights, preferred_coordinates, samples, changes)

    @distinct
    def filter(
        self,
        initial: Optional[Mapping[str, float]] = None,
        x: Optional[Point] = None,
        /,
        *,
        noise: Optional[Mapping[str, float]] = None,
        added: Optional[Mapping[str, float]] = None,
        **changes: Any,
    ) -> analyses.Filter:
        """Estimates of the state along the run by an extended Kalman filter, from the data of all m.fit()
        with their sigma. initial: standard deviations of independent states at the start, by name. noise:
        intensities of white noise of signals or data. added: standard deviations that states gain between
        measurements."""
        return analyses.filter_data(self, x, initial or {}, noise or {}, added or {}, changes)

    @distinct
    def check(
        self, x: Optional[Point] = None, /, *, max_seconds: float = 0.0, **changes: Any
    ) -> analyses.Check:
        """Compares all derivatives with independent computations. The result is true if they agree.
        max_seconds: time limit, s; 0: none."""
        return analyses.check(self, x, max_seconds, changes)

    def stop(self) -> None:
        """Ends a call that another thread has made. The ended call raises FatalError with the status
        "interrupted"."""
        lib.gradynpy_stop(self._calls.patience)

    def __repr__(self) -> str:
        return f"<gradyn problem {self.name}: {self.summary}>"

    def _repr_html_(self) -> str:
        from ._html import table

        head = ["parameter", "start", "unit", "bounds", ""]
        rows = [
            [p.name, f"{p.init:.6g}", p.unit, f"{p.lower:g} … {p.upper:g}", "fixed" if p.fixed else ""]
            for p in self._evaluator.parameters.values()
        ]
        return table(head, rows, f"{self.name}: {self.summary}")


def _with_cases(recipe: Callable[..., Problem], table: cases_of.Table, /, **given: Any) -> Problem:
    made = recipe(**given)
    cases_of.attach(made, table)
    made._recipe = functools.partial(_with_cases, made._recipe, table)
    return made


def _again(recipe: Callable[..., Problem], settings: dict[str, int], options: dict[str, Any]) -> Problem:
    return recipe(settings=settings, **options)
