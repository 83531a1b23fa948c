"""Conversion of Python values to C for the methods of a model, and error messages for wrong values."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Sequence, Tuple, Union

import numpy as np

from ._c import ffi, lib
from .errors import UsageError

Number = Union[complex, "np.number[Any]"]
Numbers = Union[Sequence[Number], "np.ndarray[Any, Any]"]
# maps a name to a value, or to (value, unit)
Data = Mapping[str, Union[Number, Tuple[Number, str]]]
Function = Callable[..., Any]
# (area, m^2; second moment of area, m^4; largest distance from the neutral axis, m)
Section = Tuple[Number, Number, Number]

# Exceptions of Python and cffi for values of a wrong kind.
WRONG = (TypeError, ValueError, KeyError, IndexError, OverflowError, AttributeError)

_DATUM = ffi.typeof("gradyn_datum[]")
_SCALARS = ffi.typeof("gradyn_scalar[]")
_DOUBLES = ffi.typeof("double[]")
_INTEGERS = ffi.typeof("int[]")
_TEXTS = ffi.typeof("char *[]")
_TEXT = ffi.typeof("char[]")


def flag(value: Any) -> bool:
    """Converts True or False; refuses all other values, such as 0 and 1."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise TypeError("not True or False")


def equal(first: bool, second: bool, names: str) -> None:
    """Refuses one of two arguments without the other."""
    if first != second:
        raise UsageError(f"{names} go together: give both or none")


def one_more(values: Union[Numbers, None], wanted: bool) -> Union[Numbers, None]:
    """Adds an entry to `values` for count(), because n intervals have n - 1 times between them."""
    return [0, *values] if wanted and values is not None else values


def one_of(table: Mapping[str, Any]) -> str:
    """The requirement for a choice: "one of a, b, c"."""
    return f"one of {', '.join(table)}"


class Id:
    """The number of an object in a model, from 1 as in C. As an index of arrays, it counts from 0:
    at.pos[point], at.y[state]."""

    __slots__ = ("_number", "token")

    def __init__(self, number: int, token: Any = None) -> None:
        self._number, self.token = number, token  # token: identifies the model of the object; None: any model

    def __index__(self) -> int:
        return self._number.__index__() - 1

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._number == self._number  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((type(self), self._number))

    @classmethod
    def noun(cls) -> str:
        """The noun of the class: "point" for PointId."""
        return cls.__name__[:-2].lower()

    def __repr__(self) -> str:
        return f"<{self.noun()} {self._number}>"


CONSTANT = Id(-1)  # used in place of a point: the constant 1


class Handing:
    """Passes values to C while a model is being built."""

    def __init__(self, pointer: Any, texts: dict[str, Any]) -> None:
        self._pointer = pointer
        self._texts = texts  # the library does not copy names, so they live as long as the problem
        self._kept: list[Any] = []
        self.token = object()
        self.values = 1  # number of values that the next callback returns

    @property
    def c(self) -> Any:
        """The model of C, while it is being built."""
        if self._pointer is None:
            raise UsageError("this model is built: declarations belong into build()")
        return self._pointer

    # library, and constructor of its structs; the writer of C files replaces both
    lib: Any = lib
    new = staticmethod(ffi.new)

    def kept(self, value: Any) -> Any:
        """Keeps a value alive until build() ends, and returns it."""
        self._kept.append(value)
        return value

    def text(self, value: str) -> Any:
        """A name as a C string. Each string is made once, because build() runs often and its names do not
        change."""
        found = self._texts.get(value)
        if found is None:
            if "\0" in value:
                raise ValueError("a text with a NUL inside")
            found = self._texts[value] = ffi.new(_TEXT, value.encode())
        return found

    def texts(self, values: Sequence[str]) -> Any:
        """An array of C strings."""
        if isinstance(values, str):
            raise TypeError("a text instead of several")
        return self.kept(ffi.new(_TEXTS, [self.text(v) for v in values]))

    def inline(self, values: Numbers, most: int) -> Any:
        """Components of a vector, at most `most` of them."""
        if isinstance(values, str) or len(values) > most:
            raise ValueError(f"at most {most}")
        return [complex(v) for v in values]

    def section_of(self, value: Section) -> Any:
        """The struct of a cross section."""
        area, second_moment, reach = value
        return ffi.new("gradyn_section *", (area, second_moment, reach))[0]

    def scalars(self, values: Numbers) -> Any:
        """An array of numbers that carry derivatives, in SI units."""
        return self.kept(ffi.new(_SCALARS, [complex(v) for v in values]))

    def doubles(self, values: Sequence[float]) -> Any:
        """An array of real numbers without derivatives."""
        return self.kept(ffi.new(_DOUBLES, [float(v) for v in values]))

    def number_of(self, value: Id, kind: type[Id]) -> int:
        """The number of an object of this model."""
        if isinstance(value, kind) and (value.token is self.token or value.token is None):
            return value._number
        raise TypeError(f"the number of a {kind.noun()} is needed, not {self._shown(value)}")

    def several(self, values: Sequence[Id], kind: type[Id]) -> Any:
        """An array with the numbers of objects of this model."""
        return self.kept(ffi.new(_INTEGERS, [self.number_of(v, kind) for v in values]))

    def modes(self, given: Union[Id, Sequence[Id]], kind: type[Id]) -> int:
        """A set of modes as a number with one bit for each of them; `given` is a mode or several."""
        several = [given] if isinstance(given, Id) else given
        bits = {1 << (self.number_of(mode, kind) - 1) for mode in several if self.number_of(mode, kind)}
        return sum(bits)

    def data(self, values: Data) -> Any:
        """An array of named numbers, some with a unit."""
        items = ffi.new(_DATUM, len(values))
        for item, (name, given) in zip(items, values.items()):
            value, unit = given if isinstance(given, tuple) else (given, "")
            item.name, item.unit, item.value = self.text(name), self.text(unit), value
        return self.kept(items)

    def components(self, values: Sequence[tuple[Id, str]]) -> Any:
        """An array of components, from pairs (point, axis)."""
        items = ffi.new("gradyn_component[]", len(values))
        for item, (point, axis) in zip(items, values):
            if point is not CONSTANT and not self._belongs("variable", point):
                raise TypeError(f"a point, a coordinate or a state is needed, not {self._shown(point)}")
            item.point, item.axis = self.number_of(point, Id), "xyz".index(axis)
        return self.kept(items)

    def transfers(self, values: Sequence[tuple[Any, Any, Number]]) -> Any:
        """An array of map terms, from triples (to, from, weight); from None: the constant 1."""
        items = ffi.new("gradyn_map_term[]", len(values))
        for item, (to, origin, weight) in zip(items, values):
            item.to = self.components([to])[0]
            setattr(item, "from", self.components([origin or (CONSTANT, "x")])[0])
            item.weight = weight
        return self.kept(items)

    def count(self, given: Mapping[str, Any]) -> int:
        """The common length of several arrays."""
        lengths = {name: len(values) for name, values in given.items() if values is not None}
        if len(set(lengths.values())) > 1:
            shown = ", ".join(f"{name} has {n}" for name, n in lengths.items())
            raise UsageError(f"as many numbers each are needed, but {shown}")
        return next(iter(lengths.values()), 0)

    def callback(self, kind: str, member: str, value: Function, data: Any) -> Any:
        """The C function for a function of the user."""
        raise NotImplementedError

    def handle_of(self, name: str, functions: Mapping[str, Any], data: Any) -> Any:
        """The pointer by which a callback finds its Python functions."""
        raise NotImplementedError

    kinds: Mapping[str, Mapping[str, str]] = {}  # required kind of each argument, by method and argument

    def misdeclared(self, method: str, given: Mapping[str, Any], error: Exception) -> Exception:
        """An exception that names the wrong argument of a method."""
        named = given.get("name")
        place = f"{method} {named!r}" if isinstance(named, str) else method
        if isinstance(error, UsageError):
            return UsageError(f"{place}: {error}")
        for name, kind in self.kinds[method].items():
            value = given.get(name, given.get(name + "_"))
            if value is not None and not self._suits(kind, value):
                return TypeError(f"{place}: {name} has to be {kind}, not {self._shown(value)}")
        return TypeError(f"{place}: {error}")

    def _suits(self, kind: str, value: Any) -> bool:
        """Returns whether a value has a kind, which is a name in the table of declarations."""
        if kind.startswith("the number of "):
            return self._belongs(kind.split()[-1], value)
        if kind.startswith("numbers of "):
            return _is_row(value) and all(self._belongs(kind.split()[-1][:-1], v) for v in value)
        return _suits(kind, value)

    def _belongs(self, noun: str, value: Any) -> bool:
        classes = [c for c in type(value).__mro__ if issubclass(c, Id)]
        return noun in [c.noun() for c in classes] and value.token in (self.token, None)

    def _shown(self, value: Any) -> str:
        foreign = isinstance(value, Id) and value.token not in (self.token, None)
        return f"{value!r} of another model, or of another call of build()" if foreign else repr(value)


def _suits(kind: str, value: Any) -> bool:
    """Returns whether a value has this kind, which does not depend on a model."""
    if kind == "a number":
        return _is_number(value)
    if kind == "an integer":
        return hasattr(value, "__index__")
    if kind.startswith("one of "):
        return value in kind[len("one of ") :].split(", ")
    if kind == "a text":
        return isinstance(value, str) and "\0" not in value
    if kind == "True or False":
        return isinstance(value, (bool, np.bool_))
    if kind == "a function":
        return callable(value)
    if kind == "data":
        return isinstance(value, Mapping) and all(_is_datum(v) for v in value.values())
    if kind.endswith("numbers"):
        most = int(kind.split()[0]) if kind[0].isdigit() else None
        return _is_row(value) and all(map(_is_number, value)) and (most is None or len(value) <= most)
    return True


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, complex, np.number))


def _is_datum(value: Any) -> bool:
    if isinstance(value, tuple):
        return len(value) == 2 and _is_number(value[0]) and isinstance(value[1], str)
    return _is_number(value)


def _is_row(value: Any) -> bool:
    return hasattr(value, "__len__") and not isinstance(value, (str, bytes, Mapping))
