"""Writes gradyn/_declarations.py: what build() declares, as methods of the model."""

from __future__ import annotations

from dataclasses import dataclass, field

from .headers import Function, Headers, Struct, Value
from .kinds import GIVEN, Argument, arguments, kind_of
from .words import WIDTH, choice, class_name, docstring, in_python, noun, python_name, short_name, table_name

# Functions of a model that gradyn/model.py defines manually, or does not need.
BY_HAND = {
    "gradyn_build_status",
    "gradyn_build_error",
    "gradyn_format_name",
    "gradyn_setting_value",
    "gradyn_case_value",
    "gradyn_coordinates_declared",
    "gradyn_parameter_array",
    "gradyn_user",
}
# The member of a struct that a single value sets if no mapping is given.
WHOLE = {
    "gradyn_time_function": "value",
    "gradyn_custom_functional_spec": "terminal",
    "gradyn_custom_constraint_spec": "fn",
}

# Arguments with a default by name. "*": the arguments after this one are given by keyword. "":
# the argument is required.
DEFAULTS = {
    "gradyn_minimise": {"weight": "1.0"},
    "gradyn_constrain": {"*": "", "lower": 'float("-inf")', "upper": 'float("inf")', "tolerance": ""},
}

TOP = '''"""What build() declares. Written by generate.py from the public headers: do not edit."""

from __future__ import annotations

from typing import Any, Literal, Mapping, Optional, Sequence, TypedDict, Union

from ._c import ffi, lib
from ._handing import (
    WRONG,
    Data,
    Function,
    Handing,
    Id,
    Number,
    Numbers,
    Section,
    equal,
    flag,
    one_more,
    one_of,
)
'''

RETURNED = {"void": "None", "gradyn_scalar": "complex"}
# Components of points, and terms of maps: (to, from, weight), from None: the number 1.
PAIRS = """Component = tuple[VariableId, Axis]
Transfer = tuple[Component, Union[Component, None], Number]
"""


def joined(head: str, parts: list[str], tail: str) -> list[str]:
    """A call, a signature or a table, wrapped if the line is too long."""
    whole = head + ", ".join(parts) + tail
    if len(whole) <= WIDTH:
        return [whole]
    indent = " " * (len(head) - len(head.lstrip()))
    return [head, *(f"{indent}    {part}," for part in parts), indent + tail]


def choices(name: str, headers: Headers) -> list[str]:
    """An enumeration: its names as texts, and what C calls them."""
    names = [(choice(e), e) for e in headers.enums[name]]
    table = [f'"{text}": lib.{e}' for text, e in names]
    return [
        *joined(f"{class_name(name)} = Literal[", [f'"{text}"' for text, _ in names], "]"),
        *joined(f"{table_name(name)} = {{", table, "}"),
    ]


def number_classes(headers: Headers) -> list[str]:
    """A class for each type of ids. An id type that may replace another one is derived from it."""
    lines = []
    for name, base in headers.numbers.items():
        above = class_name(base) if base in headers.numbers else "Id"
        lines += [f"class {class_name(name)}({above}):"]
        lines += [f'    """The number of {noun(name)} in its model."""', "", "    __slots__ = ()", "", ""]
    return lines[:-2]


# --- Structs -----------------------------------------------------------------------------------------


def annotated(a: Argument) -> str:
    return f"Union[{a.kind.annotation}, None]" if a.default == "None" else a.kind.annotation


def defaulted(a: Argument) -> str:
    return f"{a.name}: {annotated(a)}" + (f" = {a.default}" if a.default else "")


def assigned(a: Argument) -> list[str]:
    """Lines that pass one member to C."""
    value = a.kind.code.replace("{v}", a.name)
    target = f"s.{a.member} = {value}" if a.member == a.name else f'setattr(s, "{a.member}", {value})'
    lines = [target] + ([f"s.{a.switch} = True"] if a.switch else [])
    if a.default in ("", "0", "False"):
        return lines
    condition = f"if len({a.name}):" if a.default == "()" else f"if {a.name} is not None:"
    return [condition, *("    " + line for line in lines)]


# Arrays that have one entry less than the others, and the condition for it.
FEWER = {("gradyn_signal_spec", "times"): 'one_more(times, kind == "switched")'}
# Members that are functions of several values: the member that gives the number of values.
VALUES = {("gradyn_event_spec", "reset"): "set"}


def fill(struct: Struct, headers: Headers) -> list[str]:
    """A function that passes the members of a struct to C."""
    given = arguments(struct, headers)
    parts = [defaulted(a) for a in given]
    first = next((i for i, a in enumerate(given) if a.default), len(parts))
    if first < len(parts):
        parts.insert(first, "*")
    lines = joined(f"def _{short_name(struct.name)}(", ["m: Any", "s: Any", *parts], ") -> None:")
    for a in given:
        several = VALUES.get((struct.name, a.member))
        lines += [f"    m.values = m.count({{\"{several}\": {several}}})"] if several else []
        lines += ["    " + line for line in assigned(a)]
        lines += ["    m.values = 1"] if several else []
    functions = [f'"{a.name}": {a.name}' for a in given if a.kind.name == "a function"]
    if functions:
        name = "name" if any(a.name == "name" for a in given) else '"equations"'
        lines.append(f"    s.user = m.handle_of({name}, {{{', '.join(functions)}}}, data)")
    for switch in sorted({a.switch for a in given if a.switch}):
        names = [a.name for a in given if a.switch == switch]
        if len(names) > 1:
            lines.append(f"    equal({', '.join(f'{n} is None' for n in names)}, \"{' and '.join(names)}\")")
    for count in sorted({a.count for a in given if a.count}):
        counted = [a for a in given if a.count == count]
        many = [f'"{a.name}": {FEWER.get((struct.name, a.member), a.name)}' for a in counted]
        lines.append(f"    s.{count} = m.count({{{', '.join(many)}}})")
    return lines


def mapping(struct: Struct, headers: Headers) -> list[str]:
    """The type of a mapping of a struct's members, and of the value that may replace it."""
    name = class_name(struct.name)
    given = [a for a in arguments(struct, headers)]
    whole = next(a for a in given if a.member == WHOLE[struct.name])
    lines = [f"class {name}Terms(TypedDict, total=False):"]
    lines += docstring(in_python(struct.comment, headers) or f"Members of {name}.", [], "    ")
    lines += ["", *(f"    {a.name}: {a.kind.annotation}" for a in given)]
    return [*lines, "", "", f"{name} = Union[{whole.kind.annotation}, {name}Terms]"]


def given_method(struct: Struct, headers: Headers) -> list[str]:
    """A method that makes the struct from a mapping or from the value that replaces it."""
    short = short_name(struct.name)
    texts = [f'"{a.member}": ""' for a in arguments(struct, headers) if not a.default]
    whole = f'{{"{WHOLE[struct.name]}": value}}'
    return [
        f"    def given_{short}(self, value: Any) -> Any:",
        f'        """A {short} by its terms, or by its {WHOLE[struct.name]} alone."""',
        f"        s = self.new({short.upper()})",
        f"        given: dict[str, Any] = {{{', '.join(texts)}}}",
        f"        given.update(value if isinstance(value, Mapping) else {whole})",
        f"        _{short}(self, s, **given)",
        "        return self.kept(s)",
    ]


# Structs of options, by the class of their keywords; members that are the package's own.
OPTIONS = {"Options": "gradyn_options", "SearchOptions": "gradyn_search"}
OWN = {
    "struct_size", "cancel", "cancel_user", "on_iteration", "user", "vary", "journal", "resume", "warm_start"
}
OPTION_TYPES = {"bool": "bool", "double": "float", "long": "int", "int": "int", "char": "Optional[str]"}
OF_MEMBER = {"guess": "Any"}  # also arrays, a motion or a result: gradyn/starts.py
ALONE = {"jobs"}  # of one search alone: many have such an argument of their own


def options_class(head: str, summary: str, members: list[Value], headers: Headers) -> list[str]:
    told = [(m.name, in_python(m.comment, headers)) for m in members]
    lines = [head, *docstring(summary, told, "    "), ""]
    kinds = [OF_MEMBER.get(m.name, OPTION_TYPES.get(m.type.base, "Union[str, int]")) for m in members]
    return lines + [f"    {m.name}: {kind}" for m, kind in zip(members, kinds)]


def options(name: str, headers: Headers) -> list[str]:
    """The types of the keywords that set members of a struct of options."""
    struct = headers.structs[OPTIONS[name]]
    members = [m for m in struct.members if m.name not in OWN]
    alone = [m for m in members if m.name in ALONE]
    many = [m for m in members if m.name not in ALONE]
    summary = in_python(struct.comment, headers)
    if not alone:
        return options_class(f"class {name}(TypedDict, total=False):", summary, members, headers)
    base = options_class(f"class Many{name}(TypedDict, total=False):", summary, many, headers)
    return [*base, "", "", *options_class(f"class {name}(Many{name}, total=False):", summary, alone, headers)]


# --- Methods -----------------------------------------------------------------------------------------


def declares(function: Function) -> bool:
    """Returns whether the function becomes a method of the model."""
    first = function.parameters[0].type.base if function.parameters else ""
    return first == "gradyn_model" and not function.variadic and function.name not in BY_HAND


@dataclass
class Method:
    """The arguments of a method, and the values that it passes to C."""

    required: list[str] = field(default_factory=list)
    optional: list[str] = field(default_factory=list)
    told: list[tuple[str, str]] = field(default_factory=list)
    kinds: dict[str, str] = field(default_factory=dict)
    before: list[str] = field(default_factory=list)
    handed: list[str] = field(default_factory=list)
    summary: list[str] = field(default_factory=list)


def take_struct(method: Method, struct: Struct, headers: Headers) -> None:
    given = arguments(struct, headers)
    method.required = [f"{a.name}: {annotated(a)}" for a in given if not a.default] + method.required
    method.optional = [defaulted(a) for a in given if a.default]
    method.told = [(a.name, in_python(a.comment, headers)) for a in given]
    method.kinds.update({a.name: a.kind.name for a in given})
    passed = [a.name if not a.default else f"{a.name}={a.name}" for a in given]
    method.before.append(f"s = self.new({short_name(struct.name).upper()})")
    call = joined(f"            _{short_name(struct.name)}(", ["self", "s", *passed], ")")
    method.before += [line[12:] for line in call]
    method.handed.append("s")
    method.summary.append(in_python(struct.comment, headers))


def take_value(method: Method, value: Value, default: str, headers: Headers) -> None:
    kind, name = kind_of(value, headers), python_name(value.name)
    method.required.append(f"{name}: {kind.annotation}" + (f" = {default}" if default else ""))
    method.kinds[name] = kind.name
    method.handed.append(kind.code.replace("{v}", name).replace("m.", "self."))


def plan(function: Function, headers: Headers) -> Method:
    method, many, defaults = Method(), "", DEFAULTS.get(function.name, {})
    for value in function.parameters[1:]:
        if value.type.base.endswith("_spec"):
            take_struct(method, headers.structs[value.type.base], headers)
        elif value.name == "count" and many:
            method.handed.append(f"len({many})")
        else:
            if "*" in defaults and value.name == list(defaults)[1]:
                method.required.append("*")
            take_value(method, value, defaults.get(value.name, ""), headers)
            many = python_name(value.name) if value.type.many else many
    method.summary.append(in_python(function.comment, headers))
    return method


def written(function: Function, headers: Headers) -> list[str]:
    """A method of the model."""
    short, method = short_name(function.name), plan(function, headers)
    base = function.returns.base
    returned = class_name(base) if base in headers.numbers else RETURNED[base]
    parts = ["self", *method.required, *(["*"] if method.optional else []), *method.optional]
    lines = joined(f"    def {python_name(short)}(", parts, f") -> {returned}:")
    lines += docstring(" ".join(c for c in method.summary if c), method.told, "        ")
    lines.append("        try:")
    lines += ["            " + line for line in method.before]
    head = {"None": "", "complex": "value: complex = "}.get(returned, "number = ")
    lines += joined(f"            {head}self.lib.{function.name}(", ["self.c", *method.handed], ")")
    if head:
        result = "value" if returned == "complex" else f"{returned}(number, self.token)"
        lines.append(f"            return {result}")
    return [
        *lines,
        "        except WRONG as error:",
        f'            raise self.misdeclared("{short}", locals(), error) from None',
    ]


def reductions(headers: Headers) -> list[str]:
    """A short form of functional() for each reduction, such as m.at_end(name, measure)."""
    lines = []
    for text in (choice(e) for e in headers.enums["gradyn_reduction"]):
        lines += [
            f"    def {text.replace('-', '_')}("
            "self, name: str, measure: MeasureId, **given: Any) -> FunctionalId:",
            f'        """functional(name, measure, "{text}", ...), with the keywords of functional()."""',
            f'        return self.functional(name, measure, "{text}", **given)',
            "",
        ]
    return lines


def table(functions: list[Function], headers: Headers) -> list[str]:
    """By method and argument: what it has to be, for messages."""
    lines = ["KINDS: Mapping[str, Mapping[str, str]] = {"]
    for function in functions:
        kinds = plan(function, headers).kinds.items()
        listed = [f'"{name}": {kind}' if "(" in kind else f'"{name}": "{kind}"' for name, kind in kinds]
        lines += joined(f'    "{short_name(function.name)}": {{', listed, "},")
    return [*lines, "}"]


def text(headers: Headers) -> str:
    """The whole module."""
    functions = [f for f in headers.functions.values() if declares(f)]
    bases = {p.type.base for f in functions for p in f.parameters}
    used = {base for base in bases if base.endswith("_spec")} | set(GIVEN)
    structs = [s for name, s in headers.structs.items() if name in used]
    values = [m for s in structs for m in s.members] + [p for f in functions for p in f.parameters]
    enums = sorted({"gradyn_axis"} | {v.type.base for v in values if v.type.base in headers.enums})
    parts = [TOP]
    parts.append("\n".join(line for name in enums for line in choices(name, headers)))
    parts.append("\n".join(["", *number_classes(headers), "", ""]))
    parts.append(PAIRS)
    parts.append("\n".join(f'{short_name(s.name).upper()} = ffi.typeof("{s.name} *")' for s in structs))
    parts += ["\n".join(["", *mapping(s, headers)]) for s in structs if s.name in GIVEN]
    parts += ["\n".join(["", *fill(s, headers)]) for s in structs]
    parts += ["\n".join(["", *options(name, headers)]) for name in OPTIONS]
    parts.append("\n".join(["", *table(functions, headers), "", "", "class Declarations(Handing):"]
                           + ['    """Everything that build() can declare."""', "", "    kinds = KINDS"]))
    parts += ["\n".join(given_method(s, headers)) for s in structs if s.name in GIVEN]
    parts += ["\n".join(written(f, headers)) for f in functions]
    parts.append("\n".join(reductions(headers)))
    return "\n\n".join(part.strip("\n") if part is TOP else part for part in parts) + "\n"
