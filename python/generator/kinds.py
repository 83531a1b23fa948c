"""Kinds of values in declarations, and their conversion to C."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .headers import Headers, Struct, Type, Value
from .words import class_name, noun, python_name, short_name, table_name

# Members that C switches by a separate bool member; in Python, None switches them off.
SWITCHES = {
    "own_inertia": ("com", "inertia"),
    "limited": ("limit",),
    "filtered": ("filter_time",),
    "aligned": ("along",),
}
# Members that may be omitted although required members follow them.
OPTIONAL = {
    ("gradyn_impact_spec", "point"), ("gradyn_impact_spec", "axis"), ("gradyn_pid_spec", "measured"),
}
# Structs inside others: given by a mapping of their members, or by the most important member.
GIVEN = {
    "gradyn_time_function": "a number or a mapping of a law's terms",
    "gradyn_custom_functional_spec": "a function or a mapping",
    "gradyn_custom_constraint_spec": "a function or a mapping",
}
NUMBERS = {"int", "unsigned", "long", "size_t", "double", "gradyn_scalar"}


@dataclass(frozen=True)
class Kind:
    """The noun, the annotation and the conversion of a kind of values."""

    name: str  # by which a wrong one is told; a call of one_of() stands for its result
    annotation: str
    code: str  # what C is given; {v} is the value
    default: str = "None"  # "": it has to be given


def _many(value: Value, headers: Headers) -> Kind | None:
    """Kinds of arrays."""
    base, length = value.type.base, value.type.length
    if base == "gradyn_scalar" and length:
        return Kind(f"{length} numbers", "Numbers", f"m.inline({{v}}, {length})", "()")
    base_number = headers.numbers.get(base)
    if base_number and not length:
        kind = class_name(base)
        return Kind(f"numbers of {noun(base)[2:].strip()}s", f"Sequence[{kind}]", f"m.several({{v}}, {kind})")
    simple = {
        "gradyn_scalar": Kind("numbers", "Numbers", "m.scalars({v})"),
        "double": Kind("real numbers", "Sequence[float]", "m.doubles({v})"),
        "int": Kind("integers", "Sequence[int]", "m.integers({v})"),
        "gradyn_datum": Kind("data", "Data", "m.data({v})"),
        "gradyn_component": Kind("components", "Sequence[Component]", "m.components({v})"),
        "gradyn_map_term": Kind("transfers", "Sequence[Transfer]", "m.transfers({v})"),
    }
    if base == "char":
        single = Kind("a text", "str", "m.text({v})", "")
        return single if value.type.pointers == 1 else Kind("texts", "Sequence[str]", "m.texts({v})")
    return simple.get(base)


def kind_of(value: Value, headers: Headers) -> Kind:
    """The kind of a member or an argument."""
    base = value.type.base
    if base in GIVEN:
        place = "" if value.type.pointers else "[0]"
        return Kind(GIVEN[base], class_name(base), f"m.given_{short_name(base)}({{v}}){place}", "")
    if value.type.many:
        found = _many(value, headers)
        if found:
            return found
    if base.endswith("_fn"):
        return Kind("a function", "Function", f'm.callback("{base}", "{value.name}", {{v}}, data)')
    if base == "bool":
        return Kind("True or False", "bool", "flag({v})", "False")
    if base == "gradyn_section":
        return Kind("a section", "Section", "m.section_of({v})")
    if base in headers.enums:
        names = class_name(base)
        return Kind(f"one_of({table_name(base)})", names, f"{table_name(base)}[{{v}}]")
    if base in ("gradyn_scalar", "double"):
        return Kind("a number", "Number" if base == "gradyn_scalar" else "float", "{v}", "0")
    if base == "gradyn_modes":
        return Kind("modes", "Union[ModeId, Sequence[ModeId]]", "m.modes({v}, ModeId)", "None")
    if base in headers.numbers:
        kind = class_name(base)
        return Kind(f"the number of {noun(base)}", kind, f"m.number_of({{v}}, {kind})", "None")
    if base in NUMBERS:
        return Kind("an integer", "int", "{v}", "0")
    raise NotImplementedError(f"{value.name} has the type {base}, which generator/kinds.py does not know")


@dataclass(frozen=True)
class Argument:
    """A member of a struct, as an argument of the method that fills the struct."""

    member: str
    kind: Kind
    default: str  # "": it has to be given, by place
    count: str | None  # the member that tells how many there are
    switch: str | None  # the member that is true if this one is given
    comment: str

    @property
    def name(self) -> str:
        return python_name(self.member)


def _count(value: Value, members: set[str]) -> str | None:
    found = re.match(r"\[(\w+)\]", value.comment)
    return found[1] if value.type.pointers and found and found[1] in members else None


def arguments(struct: Struct, headers: Headers) -> list[Argument]:
    """The arguments that fill a struct: first those without a default, in the order of the
    struct."""
    members = {member.name for member in struct.members}
    switched = {name: switch for switch, names in SWITCHES.items() if switch in members for name in names}
    counts = {_count(member, members) for member in struct.members}
    leading, found = True, []
    for member in struct.members:
        if member.name in SWITCHES or member.name in counts or member.name == "user":
            continue
        kind = kind_of(member, headers)
        single = not member.type.many or kind.name == "a text"
        leading = leading and single and _leads(member.type, headers)
        default = "" if leading and (struct.name, member.name) not in OPTIONAL else kind.default or "None"
        if member.name in switched or (struct.name, member.name) in OPTIONAL:
            default = "None"
        count, switch = _count(member, members), switched.get(member.name)
        found.append(Argument(member.name, kind, default, count, switch, member.comment))
    return found


def _leads(type_: Type, headers: Headers) -> bool:
    """Names, ids and choices come first and are positional arguments."""
    return type_.base in ("char", "int") or type_.base in headers.numbers or type_.base in headers.enums
