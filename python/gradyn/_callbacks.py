"""User functions as callbacks of C: their arguments, and the treatment of their results and exceptions."""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any, Mapping, Optional

import numpy as np

from ._c import ffi, lib

if TYPE_CHECKING:
    from .model import PythonProblem

CALLBACKS = {
    ("gradyn_force_fn", "fn"): ffi.addressof(lib, "gradynpy_force"),
    ("gradyn_constraint_fn", "fn"): ffi.addressof(lib, "gradynpy_constraint"),
    ("gradyn_functional_fn", "integrand"): ffi.addressof(lib, "gradynpy_integrand"),
    ("gradyn_functional_fn", "terminal"): ffi.addressof(lib, "gradynpy_terminal"),
    ("gradyn_functional_fn", "formula"): ffi.addressof(lib, "gradynpy_formula"),
    ("gradyn_residual_fn", "residual"): ffi.addressof(lib, "gradynpy_residual"),
    ("gradyn_measure_fn", "formula"): ffi.addressof(lib, "gradynpy_formula"),
}
_SIZE = 16  # size of a number, bytes


def _vector(values: Any) -> Any:
    """Three components for C; in the plane, the third one is left out. None: NULL."""
    if values is None:
        return ffi.NULL
    if len(values) not in (2, 3):
        raise ValueError(f"a vector has 2 or 3 components, not {len(values)}")
    return ffi.new("gradyn_scalar[3]", [complex(v) for v in values])


class At:
    """The arguments of a user function at one time: arrays of complex numbers, which are copies. Arrays that
    the model does not have are empty. The object is valid only during the call."""

    __slots__ = ("_c", "_data")

    def __init__(self, c: Any, data: Any) -> None:
        self._c, self._data = c, data

    def _row(self, pointer: Any, count: int, first: int = 0) -> Any:
        # slicing the buffer copies: an array that somebody keeps stays what it was; arrays by numbers begin
        # with an entry that nothing has
        if not pointer:
            return np.empty(0, complex)
        return np.frombuffer(ffi.buffer(pointer + first, _SIZE * count)[:], complex)

    def _vectors(self, pointer: Any, first: int = 0) -> Any:
        c = self._c
        return self._row(pointer, c.points * c.axes, first * c.axes).reshape(-1, c.axes or 1)

    @property
    def t(self) -> complex:
        """The time, s."""
        time: complex = self._c.t
        return time

    @property
    def pos(self) -> Any:
        """Positions [points, axes], m, of the points that the function lists, in their order; without a list,
        of all points."""
        return self._vectors(self._c.pos, self._c.first_point)

    @property
    def vel(self) -> Any:
        """Velocities [points, axes], m/s, of the points of `pos`."""
        return self._vectors(self._c.vel, self._c.first_point)

    @property
    def acc(self) -> Any:
        """Accelerations [points, axes], m/s^2, of the points of `pos`."""
        return self._vectors(self._c.acc, self._c.first_point)

    def body_turn(self, first: int, order: int = 1) -> Any:
        """The angular velocity (order 1, rad/s) or angular acceleration (order 2, rad/s^2) of a body. In the
        list of points of the function, the body's centre and base vectors begin at index `first`."""
        omega = ffi.new("gradyn_scalar[3]")
        lib.gradyn_body_turn(self._c, first, order, omega)
        return self._row(omega, 3)

    def body_motion(self, first: int, local: Any, order: int = 0) -> Any:
        """Position (order 0, m), velocity (1) or acceleration (2) of a point of a body. local: its position,
        m, from the body's centre along the body's axes. first: see body_turn()."""
        r = ffi.new("gradyn_scalar[3]")
        lib.gradyn_body_motion(self._c, first, _vector(local), order, r)
        return self._row(r, 3)

    def body_load(self, first: int, local: Any = None, force: Any = None, torque: Any = None) -> Any:
        """The loads [points, axes] of a force, N, on a point of a body, and of a torque, N m, on the body.
        first and local: see body_motion(). A force function returns such loads, or the sum of several."""
        load = ffi.new("gradyn_scalar[]", self._c.points * self._c.axes)
        lib.gradyn_body_load(self._c, first, _vector(local), _vector(force), _vector(torque), load)
        return self._vectors(load)

    @property
    def lam(self) -> Any:
        """Multipliers [constraints], in the unit of the constraint's force."""
        return self._row(self._c.lam, self._c.constraints, self._c.first_constraint)

    @property
    def y(self) -> Any:
        """States of general equations."""
        return self._row(self._c.y, self._c.states)

    @property
    def yp(self) -> Any:
        """Time derivatives of the states of general equations."""
        return self._row(self._c.yp, self._c.states)

    @property
    def u(self) -> Any:
        """Values of the signals, each in its unit."""
        return self._row(self._c.u, self._c.signals, 1)

    @property
    def of(self) -> Any:
        """Measures on which a formula depends."""
        return self._row(self._c.of, self._c.measures)

    @property
    def data(self) -> Any:
        """The data with which the function was declared, by name: at.data.stiffness."""
        c = self._c
        return self._data._make(ffi.unpack(c.data, c.data_count) if c.data_count else ())


class Called:
    """The Python functions of one element of a problem."""

    def __init__(
        self,
        problem: PythonProblem,
        name: str,
        functions: Mapping[str, Any],
        data: Optional[Any],
        values: int,
    ) -> None:
        self.calls, self.name, self.functions, self.values = problem._calls, name, dict(functions), values
        self.data_type: Any = namedtuple("data", list(data or ()), rename=True)  # type: ignore[misc]
        self.handle = ffi.new_handle(self)

    def put(self, pointer: Any, count: int, value: Any) -> None:
        """Passes the result of a function to C."""
        if count == 1 and isinstance(value, (complex, float, int)):
            pointer[0] = value
            return
        numbers = None if value is None else np.asarray(value)
        if numbers is None or numbers.dtype.kind not in "biufc":
            raise TypeError(f"the function of {self.name} has returned {value!r}: numbers are needed")
        if numbers.size != count:
            returned = f"has returned {numbers.size} numbers instead of {count}"
            raise ValueError(f"the function of {self.name} {returned}")
        ffi.memmove(pointer, np.ascontiguousarray(numbers, complex), _SIZE * count)

    def run(self, member: str, at: Any, pointer: Any, count: int, *more: Any) -> int:
        """Calls a function with the arguments for this time."""
        seen = At(at, self.data_type)
        try:
            self.put(pointer, count, self.functions[member](seen, *more))
        finally:
            seen._c = None
        return 0


def refused(value: Any, depth: int = 2) -> bool:
    """Returns whether a value is, or contains, a number of build()."""
    if isinstance(value, (complex, np.complexfloating)):
        return True
    if isinstance(value, np.ndarray):
        return bool(np.iscomplexobj(value))
    if depth and isinstance(value, (tuple, list)):
        return any(refused(v, depth - 1) for v in value)
    return bool(depth and isinstance(value, dict) and any(refused(v, depth - 1) for v in value.values()))


def held(function: Any) -> list[str]:
    """Names of the variables of a function that contain numbers of build(), which a function must not
    keep."""
    if hasattr(function, "func"):  # functools.partial
        keywords = [name for name, v in function.keywords.items() if refused(v)]
        return keywords + [repr(v) for v in function.args if refused(v)] + held(function.func)
    code = getattr(function, "__code__", None)
    names = code.co_freevars if code else ()
    cells = getattr(function, "__closure__", None) or ()
    found = [name for name, cell in zip(names, cells) if _filled(cell) and refused(cell.cell_contents)]
    return found + [repr(v) for v in getattr(function, "__defaults__", None) or () if refused(v)]


def _filled(cell: Any) -> bool:
    try:
        cell.cell_contents
    except ValueError:
        return False
    return True


# --- What C calls ------------------------------------------------------------------------------------


def _raised(kind: Any, error: BaseException, trace: Any) -> int:
    """Handles an exception of a user function: it ends the call, or rejects only the point."""
    at = trace.tb_frame.f_locals["at"]
    called: Called = ffi.from_handle(at.user)
    if called.calls.rejects(error):
        shown = ffi.new("char[]", f"{type(error).__name__}: {error}".encode())
        lib.gradyn_callback_error(at, ffi.new("char[]", b"%s"), shown)
    return called.calls.stopped(error.with_traceback(trace))


@ffi.def_extern(onerror=_raised)  # type: ignore[misc]
def gradynpy_force(at: Any, force: Any) -> int:
    called: Called = ffi.from_handle(at.user)
    return called.run("fn", at, force, at.points * at.axes)


@ffi.def_extern(onerror=_raised)  # type: ignore[misc]
def gradynpy_constraint(at: Any, order: int, value: Any) -> int:
    called: Called = ffi.from_handle(at.user)
    return called.run("fn", at, value, 1, order)


@ffi.def_extern(onerror=_raised)  # type: ignore[misc]
def gradynpy_integrand(at: Any, value: Any) -> int:
    called: Called = ffi.from_handle(at.user)
    return called.run("integrand", at, value, 1)


@ffi.def_extern(onerror=_raised)  # type: ignore[misc]
def gradynpy_terminal(at: Any, value: Any) -> int:
    called: Called = ffi.from_handle(at.user)
    return called.run("terminal", at, value, called.values)


@ffi.def_extern(onerror=_raised)  # type: ignore[misc]
def gradynpy_residual(at: Any, F: Any) -> int:
    called: Called = ffi.from_handle(at.user)
    return called.run("residual", at, F, at.states)


@ffi.def_extern(onerror=_raised)  # type: ignore[misc]
def gradynpy_formula(at: Any, value: Any) -> int:
    called: Called = ffi.from_handle(at.user)
    return called.run("formula", at, value, 1)
