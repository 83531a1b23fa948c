"""Options of an evaluator, given as keywords. They are checked against the members of the library's
struct."""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable, Mapping, TypeVar

from ._c import ffi, lib
from .errors import UsageError, failure, text

F = TypeVar("F", bound=Callable[..., Any])
RECORDED = ["method", "coordinates", "step", "rtol", "atol"]
# members that the package itself sets
OWN = {
    "struct_size", "cancel", "cancel_user", "on_iteration", "user", "vary", "journal", "resume", "warm_start"
}


def names(struct: str) -> list[str]:
    """Keywords for a struct of options."""
    return [name for name, _ in ffi.typeof(struct).fields if name not in OWN]


def put(struct: Any, kind: str, given: Mapping[str, Any], kept: list[Any]) -> None:
    """Sets members of a struct of options. Texts are appended to `kept`, which must live as long as the
    struct."""
    known = names(kind)
    for name, value in given.items():
        if name not in known:
            raise UsageError(f"there is no option {name!r}: there are {', '.join(known)}")
        if isinstance(value, str):
            value = ffi.new("char[]", value.encode())
            kept.append(value)
        try:
            setattr(struct, name, ffi.NULL if value is None else value)
        except (TypeError, OverflowError):
            raise TypeError(f"option {name} cannot be {given[name]!r}") from None


def evaluator_options(problem: Any, given: Mapping[str, Any], kept: list[Any]) -> Any:
    """The defaults of the library and of a problem, replaced by the options in `given`."""
    options = ffi.new("gradyn_options *")
    lib.gradyn_options_default(problem, options)
    put(options, "gradyn_options", given, kept)
    return options


def recall(study: str, options: Any, search: Any) -> None:
    """Reads the settings that a study has recorded, into structs that have the defaults."""
    reason = ffi.new("char[]", 1024)
    status = lib.gradyn_study_read_settings(study.encode(), options, search, reason, 1024)
    if status:
        raise failure(status, text(reason))


def recorded(problem: Any, study: str) -> dict[str, Any]:
    """The options of a problem that a study has recorded."""
    options = ffi.new("gradyn_options *")
    lib.gradyn_options_default(problem, options)
    recall(study, options, ffi.NULL)
    return {name: value_of(options, name) for name in RECORDED}


def value_of(options: Any, name: str) -> Any:
    value = getattr(options, name)
    return text(value) if isinstance(value, ffi.CData) else value


def setting_choices(given: Mapping[str, int], kept: list[Any]) -> Any:
    """Integer settings by their names."""
    choices = ffi.new("gradyn_setting_choice[]", max(len(given), 1))
    for choice, (name, value) in zip(choices, given.items()):
        if not isinstance(name, str) or not hasattr(value, "__index__"):
            raise TypeError(f"setting {name!r} has to be an integer, not {value!r}")
        kept.append(ffi.new("char[]", name.encode()))
        choice.name, choice.value = kept[-1], value
    return choices


def shows(options: Any) -> Callable[[F], F]:
    """Replaces ** in the signature of a function by the names of its options, for help() and notebooks."""

    def shown(function: F) -> F:
        signature = inspect.signature(function)
        known = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        more = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=..., annotation=kind)
            for name, kind in options.__annotations__.items()
        ]
        setattr(function, "__signature__", signature.replace(parameters=[*known, *more]))
        return function

    return shown


def distinct(method: F) -> F:
    """Refuses a keyword that is both an argument of a method and a parameter of the problem, unless x gives
    all parameters, or this one."""
    given = inspect.signature(method).parameters
    arguments = {p.name for p in given.values() if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)}
    place = list(given).index("x") - 1

    @functools.wraps(method)
    def checked(self: Any, /, *values: Any, **words: Any) -> Any:
        for name in arguments & words.keys():
            x = values[place] if len(values) > place else None
            if (x is None or (isinstance(x, Mapping) and name not in x)) and self._has(name):
                raise UsageError(
                    f"{name} is a parameter of {self.name} and an argument of {method.__name__}(): "
                    f"give the parameter by a mapping, {method.__name__}({{{name!r}: ...}})"
                )
        return method(self, *values, **words)

    return checked  # type: ignore[return-value]
