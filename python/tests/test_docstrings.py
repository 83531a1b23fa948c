"""Output of help(): every public name has a docstring, and numbers have units in it."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil
import re
from typing import Any, Iterator

import pytest

import gradyn
from gradyn._declarations import Declarations

# a unit; or the words of numbers with the unit of another object, or without a unit
UNIT = re.compile(
    r"\b(m|kg|s|N|Nm|rad|Pa|J|W|m/s|rad/s|kg/m\^3|1/s|SI|units?|pixels|seconds|share|factor|ratio"
    r"|restitution|coefficients?|weights?|components|direction|dimensionless|rows)\b|\|"
)


def members(place: str, thing: Any) -> Iterator[tuple[str, Any]]:
    """Yields a public object and, for a class, the members that it defines or inherits from the
    package."""
    yield place, thing
    if not inspect.isclass(thing):
        return
    for base in thing.__mro__:
        if not base.__module__.startswith("gradyn"):
            continue
        for name, value in vars(base).items():
            if isinstance(value, (staticmethod, classmethod)):
                value = value.__func__
            if not name.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                yield f"{place}.{name}", value


def public() -> dict[str, Any]:
    """Public objects by name: the exported ones, and the classes of the results of their methods.
    """
    found = dict(kv for name in gradyn.__all__ for kv in members(name, getattr(gradyn, name)))
    for info in pkgutil.iter_modules(gradyn.__path__):
        module = importlib.import_module(f"gradyn.{info.name}") if not info.name.startswith("_") else None
        for name, thing in vars(module).items() if module else ():
            if dataclasses.is_dataclass(thing) and thing.__module__ == f"gradyn.{info.name}":
                found.update(members(f"{info.name}.{name}", thing))
    return found


PUBLIC = public()


def test_every_public_name_has_a_docstring() -> None:
    assert len(PUBLIC) > 200
    # numbers, which have the docstring of their class
    constants = {"ANY_EVENT", "BEAM_END", "END", "EVERY_MODE", "GROUND"}
    without = [n for n, thing in PUBLIC.items() if n not in constants and not inspect.getdoc(thing)]
    assert without == []


@pytest.mark.parametrize("method", sorted(Declarations.kinds))
def test_numbers_of_declarations_have_units(method: str) -> None:
    """Arguments without a line of their own are described in the text above."""
    told = inspect.getdoc(getattr(gradyn.Model, method)) or ""
    kinds = Declarations.kinds[method]
    numbers = [name for name, kind in kinds.items() if "number" in kind]
    numbers = [n for n in numbers if "number of " not in kinds[n] and "numbers of " not in kinds[n]]
    if numbers:
        assert UNIT.search(told), (method, numbers)


def test_numbers_of_results_have_units() -> None:
    bare = []
    for name, thing in PUBLIC.items():
        if dataclasses.is_dataclass(thing):
            kinds = [str(field.type) for field in dataclasses.fields(thing)]
            if any(kind in ("float", "Array") for kind in kinds) and not UNIT.search(thing.__doc__ or ""):
                bare.append(name)
    assert bare == []
