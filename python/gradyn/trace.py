"""Writes the C file of a model in Python. build() and the user functions run once with expressions instead of
numbers."""

from __future__ import annotations

import functools
import json
import re
import warnings
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Sequence

import numpy as np

from ._c import lib
from ._callbacks import Called
from ._declarations import Declarations
from ._expressions import Body, Expression, Untraceable, literal, multiplied
from ._handing import Id
from .errors import GradynWarning, UsageError, outside

if TYPE_CHECKING:
    from .model import PythonProblem

SIGNATURES = {
    ("gradyn_force_fn", "fn"): "const gradyn_at *at, gradyn_scalar value[]",
    ("gradyn_constraint_fn", "fn"): "const gradyn_at *at, int order, gradyn_scalar *value",
    ("gradyn_functional_fn", "integrand"): "const gradyn_at *at, gradyn_scalar *value",
    ("gradyn_functional_fn", "terminal"): "const gradyn_at *at, gradyn_scalar *value",
    ("gradyn_functional_fn", "formula"): "const gradyn_at *at, gradyn_scalar *value",
    ("gradyn_residual_fn", "residual"): "const gradyn_at *at, gradyn_scalar value[]",
    ("gradyn_measure_fn", "formula"): "const gradyn_at *at, gradyn_scalar *value",
}
SIZES = (
    "points", "axes", "constraints", "states", "signals", "measures", "data_count", "first_point",
    "first_constraint",
)


def quoted(text: str) -> str:
    """A string literal of C."""
    return json.dumps(text, ensure_ascii=False)


class Sized(Called):
    """Records the sizes of the arrays of a function."""

    sizes: dict[str, int]

    def run(self, member: str, at: Any, pointer: Any, count: int, *more: Any) -> int:
        self.sizes = {name: getattr(at, name) for name in SIZES}
        return super().run(member, at, pointer, count, *more)


class Returned:
    """Calls the library, and records what it returns."""

    def __init__(self, answers: list[Any]) -> None:
        self._answers = answers

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function = getattr(lib, name)

        def call(*arguments: Any) -> Any:
            answer = function(*arguments)
            self._answers.append(answer)
            return answer

        return call


FACTS = ("method", "coordinates", "t_end", "step", "rtol", "atol")  # facts that options may change
NUMBERS = "const int *number = at->user;"
FIXED = "a function uses ids of other coordinates: compile the model in these coordinates"
POOL = """\
#include <stdatomic.h>
#include <string.h>

/* Numbers of things by which functions index, which coordinates decide: one row for all models that have the
 * same. */
static void *numbers(gradyn_model *m, int count, const int of[])
{{
  enum {{ MOST = {most}, SLOTS = {slots} }};
  static int row[SLOTS][MOST], counts[SLOTS], rows;
  static atomic_flag busy = ATOMIC_FLAG_INIT;
  int i = 0;
  while (atomic_flag_test_and_set(&busy)) {{
  }}
  while (i < rows && (counts[i] != count || memcmp(row[i], of, (size_t)count * sizeof *of) != 0))
    i++;
  if (i == rows && rows < SLOTS) {{
    counts[rows] = count;
    memcpy(row[rows++], of, (size_t)count * sizeof *of);
  }}
  atomic_flag_clear(&busy);
  if (i == SLOTS)
    gradyn_build_error(m, "functions have more than %d rows of numbers", (int)SLOTS);
  return i < SLOTS ? row[i] : NULL;
}}

"""
NOTHING = ("0", "0.0", "false", "NULL")  # value of a member that is not given


class Struct:
    """A struct of C while it is being filled."""

    _kind: str
    _members: dict[str, Any]

    def __init__(self, kind: str) -> None:
        self.__dict__.update(_kind=kind, _members={})

    def __setattr__(self, name: str, value: Any) -> None:
        self._members[name] = value

    def __getitem__(self, place: int) -> Literal:
        return Literal(self.text())

    def text(self) -> str:
        """The struct as a compound literal."""
        told = ((name, spoken(value)) for name, value in self._members.items())
        given = [f".{name} = {value}" for name, value in told if value not in NOTHING]
        return f"({self._kind}){{{', '.join(given) or 0}}}"


class Literal(str):
    """A text of C code."""


class Handle(int):
    """The id of an object, under its name in build(); its number depends on the coordinates."""

    c: str
    fixed = False  # true: used as a plain number

    def __index__(self) -> int:
        self.fixed = True
        return int.__index__(self)


def handle_of(value: Any) -> Optional[Handle]:
    """The handle of an Id that a declaration in build() has returned; otherwise None."""
    number = value._number if isinstance(value, Id) else None
    return number if isinstance(number, Handle) else None


def spoken(value: Any) -> str:
    """A value as text of C."""
    if isinstance(value, Struct):
        return f"&{value.text()}"
    return value if isinstance(value, Literal) else literal(value)


def row(kind: str, values: Sequence[Any]) -> Literal:
    """An array literal."""
    return Literal(f"({kind}[]){{{', '.join(spoken(v) for v in values)}}}")


def _vector(values: Any) -> str:
    """Three components as text of C, for the methods of Seen."""
    if values is None:
        return "NULL"
    return row("gradyn_scalar", [*values, 0][:3]).replace("{", "{{").replace("}", "}}")


class Entries(np.ndarray):  # type: ignore[type-arg]
    """An array of expressions. Ids as indices remain names, because their numbers differ in other
    coordinates."""

    row: Optional[Callable[[Handle], Any]] = None  # returns the entries of one object

    def __getitem__(self, key: Any) -> Any:
        first, *more = key if isinstance(key, tuple) and key else (key,)
        handle = handle_of(first)
        if self.row is None or handle is None:
            return np.asarray(self)[key]
        found = self.row(handle)
        return found[tuple(more)] if more else found


class Seen:
    """The arguments of a function as expressions. named(handle): text for the number of an object in the
    function."""

    def __init__(
        self, body: Body, sizes: Mapping[str, int], data: Any, named: Callable[[Handle], str]
    ) -> None:
        # index in C of the first entry here: 1 in arrays that ids index
        begin = {"u": 1, "lam": sizes["first_constraint"]}
        begin.update({name: sizes["first_point"] for name in ("pos", "vel", "acc")})

        def array(name: str, *shape: int) -> Any:
            count, first = int(np.prod(shape)), begin.get(name, 0) * int(np.prod(shape[1:]))
            items = np.empty(count, object)
            items[:] = [Expression(f"at->{name}[{first + i}]", body) for i in range(count)]
            entries = items.reshape(shape).view(Entries)
            entries.row = functools.partial(row_of, name, shape[1:])
            return entries

        def row_of(name: str, axes: tuple[int, ...], handle: Handle) -> Any:
            place = named(handle) if begin.get(name, 0) else f"({named(handle)} - 1)"
            if not axes:
                return Expression(f"at->{name}[{place}]", body)
            items = np.empty(axes, object)
            for k in range(axes[0]):
                items[k] = Expression(f"at->{name}[{axes[0]} * {place} + {k}]", body)
            return items

        self.t = Expression("at->t", body)
        self.pos, self.vel, self.acc = (
            array(name, sizes["points"], sizes["axes"]) for name in ("pos", "vel", "acc")
        )
        self.lam, self.u, self.of = (
            array(name, sizes[size])
            for name, size in (("lam", "constraints"), ("u", "signals"), ("of", "measures"))
        )
        self.y, self.yp = array("y", sizes["states"]), array("yp", sizes["states"])
        self.data = data._make(np.asarray(array("data", sizes["data_count"])))
        self._body = body

    def body_turn(self, first: int, order: int = 1) -> Any:
        """See At.body_turn()."""
        return self._body.row(f"gradyn_body_turn(at, {int(first)}, {int(order)}, {{}})", 3)

    def body_motion(self, first: int, local: Any, order: int = 0) -> Any:
        """See At.body_motion()."""
        given = f"{int(first)}, {_vector(local)}, {int(order)}"
        return self._body.row(f"gradyn_body_motion(at, {given}, {{}})", 3)

    def body_load(self, first: int, local: Any = None, force: Any = None, torque: Any = None) -> Any:
        """See At.body_load()."""
        given = ", ".join(_vector(v) for v in (local, force, torque))
        load = self._body.row(f"gradyn_body_load(at, {int(first)}, {given}, {{}})", self.pos.size)
        return load.reshape(self.pos.shape)


class Tracer(Declarations):
    """The argument m of build() while the C file is written: it writes each declaration as a statement."""

    def __init__(self, source: Source) -> None:
        super().__init__(Literal("m"), {})
        self.source = source
        self.lib = self
        self._functions = 0

    def new(self, kind: Any) -> Any:  # type: ignore[override]
        return Struct(kind.item.cname.replace("struct ", ""))

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if not name.startswith("gradyn_"):
            raise AttributeError(f"the model has no {name}")
        return lambda *arguments: self.source.declared(name, arguments)

    def setting(self, name: str) -> int:
        """The value of a setting of the problem."""
        return self.source.setting(name)

    def error(self, message: str) -> None:
        """Ignored: errors depend on numbers, which are not known here."""

    def misdeclared(self, method: str, given: Mapping[str, Any], error: Exception) -> Exception:
        """An exception for a wrong argument. The declaration was right with numbers, so that an expression is
        the cause."""
        return Untraceable(f"{method} {given.get('name', '')!r}: {error}")

    def number_of(self, value: Id, kind: type[Id]) -> Any:
        number = super().number_of(value, kind)
        return Literal(number.c if isinstance(number, Handle) else number)

    def text(self, value: str) -> Any:
        return Literal(quoted(value))

    def texts(self, values: Sequence[str]) -> Any:
        return row("const char *", [self.text(v) for v in values])

    def scalars(self, values: Any) -> Any:
        return row("gradyn_scalar", values)

    def inline(self, values: Any, most: int) -> Any:
        return Literal(f"{{{', '.join(spoken(v) for v in values)}}}")

    def doubles(self, values: Sequence[float]) -> Any:
        return row("double", [float(v) for v in values])

    def several(self, values: Sequence[Id], kind: type[Id]) -> Any:
        return row("int", [self.number_of(v, kind) for v in values])

    def section_of(self, value: Any) -> Any:
        return Literal(f"(gradyn_section){{{', '.join(spoken(v) for v in value)}}}")

    def data(self, values: Any) -> Any:
        items = []
        for name, given in values.items():
            value, unit = given if isinstance(given, tuple) else (given, "")
            items.append(Literal(f"{{{quoted(name)}, {quoted(unit)}, {spoken(value)}}}"))
        return row("gradyn_datum", items)

    def _component(self, value: Any) -> str:
        return "{" + f"{self.number_of(value[0], Id)}, {'xyz'.index(value[1])}" + "}"

    def components(self, values: Any) -> Any:
        return row("gradyn_component", [Literal(self._component(v)) for v in values])

    def transfers(self, values: Any) -> Any:
        items = []
        for to, origin, weight in values:
            source = self._component(origin) if origin else "{GRADYN_CONSTANT, 0}"
            items.append(Literal(f"{{{self._component(to)}, {source}, {spoken(weight)}}}"))
        return row("gradyn_map_term", items)

    def callback(self, kind: str, member: str, value: Any, data: Any) -> Any:
        self.source.pending.append((kind, member, value))
        return Literal(f"f{len(self.source.functions) + len(self.source.pending) - 1}")

    def handle_of(self, name: str, functions: Mapping[str, Any], data: Any) -> Any:
        numbers: list[str] = []
        if functions and any(functions.values()):
            numbers = self.source.write_functions(self._functions, name)
        self._functions += 1
        if not numbers:
            return Literal("NULL")
        return Literal(f"numbers(m, {len(numbers)}, (int[]){{{', '.join(numbers)}}})")


class Source:
    """The C file of a problem with its present settings."""

    def __init__(self, problem: PythonProblem) -> None:
        self.problem = problem
        self.answers: list[Any] = []
        self.called: dict[int, Sized] = {}
        self.pending: list[tuple[str, str, Any]] = []
        self.functions: list[str] = []
        self.body = Body("t")
        self.powers: set[str] = set()
        self.handles: list[Handle] = []
        self.most = self.rows = 0  # largest number of ids that a function uses; how many functions use ids
        self._calls = 0
        self._observe()
        self._trace()
        self._warn()

    def _observe(self) -> None:
        """Runs build() and a simulation with numbers, and records the answers to declarations and the sizes
        of the arrays of functions."""
        observed = self.problem.observed(self.answers, Sized)
        observed.functions()
        self.settings = {name: s.init for name, s in self.problem._settings_made.items()}
        self.settings.update(self.problem._settings)
        for place, called in observed._called.items():
            self.called[place[0]] = called  # type: ignore[assignment]
        self.counts = observed.row_counts()

    def _trace(self) -> None:
        tracer = Tracer(self)
        try:
            self.problem._build(tracer, self._parameters())  # type: ignore[arg-type]
        except Untraceable as error:
            raise UsageError(f"{self.problem.name} cannot be compiled: {error}") from error

    def _warn(self) -> None:
        """Warns of powers whose bits differ from those of Python."""
        powers = multiplied(self.powers | self.body.powers)
        if powers:
            told = ", ".join(map(str, powers))
            warnings.warn(
                f"{self.problem.name}: powers by {told} are computed by pow(), which Python multiplies out: "
                "results may differ in the last digits",
                GradynWarning,
                stacklevel=outside(),
            )

    def _parameters(self) -> Any:
        values, place = [], 0
        for name, p in self.problem._params.items():
            count = self.counts[name]
            items = [Expression(f"rho[{place + i}]", self.body) for i in range(count)]
            array = np.empty(count, object)
            array[:] = items
            values.append(array if p.count else items[0])
            place += count
        return self.problem._values._make(values)

    def setting(self, name: str) -> int:
        if name not in self.settings:
            raise UsageError(f"{self.problem.name} has no setting {name!r}")
        return int(self.settings[name])

    def declared(self, name: str, arguments: Sequence[Any]) -> Any:
        """Writes a declaration as a statement of C, with the result that the library returned."""
        answer = self.answers[self._calls]
        self._calls += 1
        call = f"{name}({', '.join(spoken(a) for a in arguments)})"
        if isinstance(answer, complex):
            return Expression(self.body.name(call), self.body)
        if answer is None:
            self.body.lines.append(f"{call};")
            return answer
        handle = Handle(answer)
        handle.c = f"{name[len('gradyn_'):]}{len(self.handles) + 1}"
        self.handles.append(handle)
        self.body.lines.append(f"const int {handle.c} = {call};")
        return handle

    def _checks(self) -> str:
        """Refuses other coordinates, in which the numbers that functions use as plain numbers would
        differ."""
        text = ""
        for handle in self.handles:
            if handle.fixed:
                text += f"  if ({handle.c} != {int(handle)})\n"
                text += f'    gradyn_build_error(m, "%s", "{FIXED}");\n'
        return text

    def write_functions(self, place: int, name: str) -> list[str]:
        """Writes the functions of the present declaration, and the numbers of the objects that they use."""
        called = self.called.get(place)
        sizes = getattr(called, "sizes", None)
        if called is None or sizes is None:
            which = name or "an element without a name"
            raise Untraceable(f"no function of {which} is called in a run with the initial parameters")
        numbers: list[str] = []
        for kind, member, function in self.pending:
            self.functions.append(self._function(kind, member, function, called, sizes, numbers))
        self.pending = []
        self.most, self.rows = max(self.most, len(numbers)), self.rows + bool(numbers)
        return numbers

    def _function(
        self, kind: str, member: str, function: Any, called: Sized, sizes: Mapping[str, int],
        numbers: list[str],
    ) -> str:
        head = f"static gradyn_status f{len(self.functions)}({SIGNATURES[kind, member]})\n{{\n"
        if kind != "gradyn_constraint_fn":
            return head + self._traced(function, called, sizes, numbers) + "  return GRADYN_OK;\n}\n"
        text = head
        for order in range(3):
            lines = self._traced(function, called, sizes, numbers, order)
            text += f"  if (order == {order}) {{\n{lines}  }}\n"
        return text + "  return GRADYN_OK;\n}\n"

    def _traced(
        self, function: Any, called: Sized, sizes: Mapping[str, int], numbers: list[str], *more: int
    ) -> str:
        body = Body("t")

        def named(handle: Handle) -> str:
            if handle.c not in numbers:
                numbers.append(handle.c)
            if NUMBERS not in body.lines:
                body.lines.insert(0, NUMBERS)
            return f"number[{numbers.index(handle.c)}]"

        returned = function(Seen(body, sizes, called.data_type, named), *more)
        values = np.asarray(returned, dtype=object).ravel()
        body.lines += [f"value[{i}] = {spoken(value)};" for i, value in enumerate(values)]
        self.powers |= body.powers
        return "".join(f"  {line}\n" for line in body.lines)

    def text(self, identifier: str) -> str:
        """The text of the file."""
        whole = "\n".join(self.body.lines) + self._checks()
        build = "".join(f"  {_stripped(line, whole)}\n" for line in self.body.lines)
        pool = POOL.format(most=self.most, slots=8 * self.rows) if self.rows else ""
        params = "".join(f"    {self._param(name)},\n" for name in self.problem._params)
        facts = "".join(f", .{name} = {value}" for name, value in self._facts().items())
        kind = "GRADYN_PROBLEM" if params else "GRADYN_PROBLEM_WITHOUT_PARAMS"
        table = f"static const gradyn_param params[] = {{\n{params}}};\n\n" if params else ""
        named = ".params = params, " if params else ""
        return (
            f"/* {self.problem.summary}: written by gradyn of a model in Python. */\n"
            "#include <gradyn/gradyn.h>\n\n"
            + pool
            + table
            + "\n".join(self.functions)
            + "\nstatic gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])\n{\n  (void)rho;\n"
            + f"{build}{self._checks()}  return gradyn_build_status(m);\n}}\n\n"
            + f"{kind}({identifier}, {named}.build = build{facts});\n"
        )

    def _param(self, name: str) -> str:
        p, c = self.problem._params[name], self.problem.c_param(name)
        text = f"{{{quoted(name)}, {quoted(p.unit)}, .init = {literal(c.init)}, .lower = {literal(c.lower)}"
        text += f", .upper = {literal(c.upper)}, .scale = {literal(c.scale)}, .role = {c.role}"
        text += f", .fixed = {literal(c.fixed)}, .per_case = {literal(c.per_case)}"
        text += f", .prior = {literal(c.prior)}, .prior_deviation = {literal(c.prior_deviation)}"
        text += f", .logarithmic = {literal(c.logarithmic)}"
        if p.count:
            text += f", .count = {self.counts[name]}, .init_end = {literal(c.init_end)}"
            text += f", .ramp = {literal(c.ramp)}"
        return text + "}"

    def _facts(self) -> dict[str, str]:
        facts = dict(self.problem._facts)
        facts.update((name, v) for name, v in self.problem._options.items() if name in FACTS)
        if any(handle.fixed for handle in self.handles):  # numbers hold in these coordinates
            facts["coordinates"] = self.problem.options["coordinates"]
        told = {name: v for name, v in facts.items() if v and (name, v) != ("method", "auto")}
        return {name: quoted(v) if isinstance(v, str) else literal(v) for name, v in told.items()}


def _stripped(line: str, whole: str) -> str:
    """A declaration without the variable for its number, if the variable is not used."""
    found = re.match(r"const int (\w+) = ", line)
    unused = found and len(re.findall(rf"\b{found[1]}\b", whole)) == 1
    return line[found.end() :] if found and unused else line


def source(problem: PythonProblem, identifier: str) -> str:
    """The C file of a problem."""
    return Source(problem).text(identifier)


