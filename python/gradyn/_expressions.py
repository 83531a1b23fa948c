"""Numbers that are expressions in C. They record the operations of build() and of user functions in the order
of Python."""

from __future__ import annotations

import re
from typing import Any, Callable, Iterable, Union

import numpy as np

from .errors import UsageError

ADVICE = "use gradyn.where(), smooth functions or settings"


class Untraceable(UsageError):
    """An operation that cannot be written in C."""


class Body:
    """The statements of a function in C. An operation that occurs twice becomes one statement."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.lines: list[str] = []
        self.powers: set[str] = set()  # exponents of powers
        self._known: dict[str, str] = {}

    def name(self, text: str) -> str:
        """The name of a variable with the value of an expression."""
        if text not in self._known:
            self._known[text] = f"{self.prefix}{len(self._known)}"
            self.lines.append(f"const gradyn_scalar {self._known[text]} = {text};")
        return self._known[text]

    def row(self, call: str, count: int) -> Any:
        """The values that a call writes into an array of zeros. In `call`, {} stands for the name of the
        array."""
        if call not in self._known:
            name = self._known[call] = f"{self.prefix}{len(self._known)}"
            self.lines += [f"gradyn_scalar {name}[{count}] = {{0}};", f"{call.format(name)};"]
        items = np.empty(count, object)
        items[:] = [Expression(f"{self._known[call]}[{i}]", self) for i in range(count)]
        return items


def literal(value: Any) -> str:
    """A number as text of C."""
    if isinstance(value, Expression):
        return value.c
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (complex, np.complexfloating)):
        if value.imag:
            raise Untraceable(f"{value} is no real number")
        value = value.real
    if isinstance(value, (int, np.integer)) or hasattr(value, "__index__"):
        return str(value.__index__())
    if isinstance(value, (float, np.floating)):
        return _float(float(value))
    raise TypeError(f"{value!r} is no number")


def _float(value: float) -> str:
    if value != value:
        return "(double)NAN"
    if value in (float("inf"), float("-inf")):
        return "HUGE_VAL" if value > 0 else "-HUGE_VAL"
    return repr(value)


def multiplied(exponents: Iterable[str]) -> list[int]:
    """Integer exponents for which Python multiplies in another order than C, so that the bits of a power may
    differ."""
    known = [e for e in exponents if re.fullmatch(r"-?\d+(\.0*)?", e)]
    return sorted({int(float(e)) for e in known} - {-1, 0, 1, 2})


class Condition:
    """A comparison. gradyn.where() can choose by it, but the program cannot branch on it."""

    def __init__(self, c: str, body: Body) -> None:
        self.c, self.body = c, body

    def choose(self, a: Any, b: Any) -> Expression:
        """Returns a if the condition holds, otherwise b."""
        return Expression(self.body.name(f"{self.c} ? {_wide(a)} : {_wide(b)}"), self.body)

    def __bool__(self) -> bool:
        raise Untraceable(f"compiled code cannot branch on its numbers: {ADVICE}")


def _wide(value: Any) -> str:
    return value.c if isinstance(value, Expression) else f"(gradyn_scalar)({literal(value)})"


def _real(value: Any) -> str:
    return f"creal({value.c})" if isinstance(value, (Expression, RealPart)) else literal(value)


def _comparison(sign: str) -> Callable[[Any, Any], Condition]:
    def compare(self: Any, other: Any) -> Condition:
        return Condition(f"{_real(self)} {sign} {_real(other)}", self.body)

    return compare


class RealPart:
    """A real part, which can only be compared."""

    __array_ufunc__ = None

    def __init__(self, c: str, body: Body) -> None:
        self.c, self.body = c, body

    __lt__, __le__, __gt__, __ge__ = (_comparison(sign) for sign in ("<", "<=", ">", ">="))


class Expression:
    """An expression for a number of build() or of a user function."""

    __slots__ = ("c", "body")

    def __init__(self, c: str, body: Body) -> None:
        self.c, self.body = c, body

    def _new(self, text: str) -> Expression:
        return Expression(self.body.name(text), self.body)

    def _with(self, other: Any, sign: str, swapped: bool = False) -> Any:
        if isinstance(other, np.ndarray) and other.ndim:
            return NotImplemented
        try:
            pair = (literal(other), self.c) if swapped else (self.c, literal(other))
        except TypeError:
            return NotImplemented
        return self._new(f"{pair[0]} {sign} {pair[1]}")

    def __add__(self, other: Any) -> Any:
        return self._with(other, "+")

    def __radd__(self, other: Any) -> Any:
        return self._with(other, "+", True)

    def __sub__(self, other: Any) -> Any:
        return self._with(other, "-")

    def __rsub__(self, other: Any) -> Any:
        return self._with(other, "-", True)

    def __mul__(self, other: Any) -> Any:
        return self._with(other, "*")

    def __rmul__(self, other: Any) -> Any:
        return self._with(other, "*", True)

    def __truediv__(self, other: Any) -> Any:
        return self._with(other, "/")

    def __rtruediv__(self, other: Any) -> Any:
        return self._with(other, "/", True)

    def __pow__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray) and other.ndim:
            return NotImplemented
        try:
            exponent = literal(other)
        except TypeError:
            return NotImplemented
        self.body.powers.add(exponent)
        return self._new(f"pow({self.c}, {exponent})")

    def __rpow__(self, other: Any) -> Any:
        try:
            return self._new(f"pow({literal(other)}, {self.c})")
        except TypeError:
            return NotImplemented

    def __neg__(self) -> Any:
        return self._new(f"-{self.c}")

    def __pos__(self) -> Any:
        return self

    def _compared(self, other: Any) -> Any:
        raise Untraceable(f"compiled code cannot compare complex numbers: compare .real, and {ADVICE}")

    __lt__ = __le__ = __gt__ = __ge__ = _compared

    def _refused(self) -> Any:
        raise Untraceable(
            "abs(), float(), int(), complex() and conjugate() would lose the derivative of a number in "
            "compiled code: use numpy's functions, gradyn.abs() or gradyn.norm()"
        )

    __abs__ = __float__ = __int__ = __complex__ = conjugate = _refused

    def __bool__(self) -> bool:
        raise Untraceable(f"compiled code cannot branch on its numbers: {ADVICE}")

    @property
    def real(self) -> RealPart:
        """The real part, for comparisons."""
        return RealPart(self.c, self.body)

    def __repr__(self) -> str:
        return f"<{self.c}>"


def _function(name: str) -> Callable[[Expression], Expression]:
    def call(self: Expression) -> Expression:
        return Expression(self.body.name(f"{name}({self.c})"), self.body)

    return call


# numpy calls methods with these names
for _name in ("sqrt", "exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh"):
    setattr(Expression, _name, _function(_name))
for _name in ("sin", "cos", "tan", "sinh", "cosh", "tanh"):
    setattr(Expression, f"arc{_name}", _function(f"a{_name}"))


def traced(function: str, *values: Any) -> Union[Expression, None]:
    """Calls a function of C with one or two arguments if one of them is an expression; otherwise returns
    None."""
    for value in values:
        if isinstance(value, Expression):
            given = ", ".join(_wide(v) for v in values)
            return Expression(value.body.name(f"{function}({given})"), value.body)
    return None
