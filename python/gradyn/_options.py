"""Options of an evaluator, given by keywords that are checked against the library's."""

from __future__ import annotations

from typing import Any, Mapping

from ._c import ffi, lib
from .errors import Misuse

OWN = {"cancel", "cancel_user", "watch", "user", "vary", "journal"}  # set by the package itself


def names(struct: str) -> list[str]:
    """Keywords that a struct of options takes."""
    return [name for name, _ in ffi.typeof(struct).fields if name not in OWN]


def put(struct: Any, kind: str, given: Mapping[str, Any], kept: list[Any]) -> None:
    """Sets members of a struct of options; texts are put into kept, which has to live as long as they do."""
    known = names(kind)
    for name, value in given.items():
        if name not in known:
            raise Misuse(f"there is no option {name!r}: there are {', '.join(known)}")
        if isinstance(value, str):
            value = ffi.new("char[]", value.encode())
            kept.append(value)
        try:
            setattr(struct, name, ffi.NULL if value is None else value)
        except (TypeError, OverflowError):
            raise TypeError(f"option {name} cannot be {given[name]!r}") from None


def evaluator_options(problem: Any, given: Mapping[str, Any], kept: list[Any]) -> Any:
    """The defaults of the library and of a problem, with what is given."""
    options = ffi.new("gradyn_options *")
    lib.gradyn_options_default(problem, options)
    put(options, "gradyn_options", given, kept)
    return options


def setting_choices(given: Mapping[str, int], kept: list[Any]) -> Any:
    """Integer settings by their names."""
    choices = ffi.new("gradyn_setting_choice[]", max(len(given), 1))
    for choice, (name, value) in zip(choices, given.items()):
        if not isinstance(name, str) or not hasattr(value, "__index__"):
            raise TypeError(f"setting {name!r} has to be an integer, not {value!r}")
        kept.append(ffi.new("char[]", name.encode()))
        choice.name, choice.value = kept[-1], value
    return choices
