"""User functions compiled by Numba. The library calls them without Python, from any thread; no C compiler is
needed."""

from __future__ import annotations

import functools
from collections import namedtuple
from typing import Any, Callable, Sequence

import numpy as np

from ._c import ffi, lib
from .errors import UsageError

# arrays among the attributes of `at` with their ranks, then the members of the struct with their sizes
ARRAYS = {"pos": 2, "vel": 2, "acc": 2, "lam": 1, "y": 1, "yp": 1, "u": 1, "of": 1}
SIZES = {"lam": "constraints", "y": "states", "yp": "states", "u": "signals", "of": "measures"}
Seen = namedtuple("Seen", ["t", *ARRAYS, "data"])  # type: ignore[misc]
# members with the first index of the arrays that are indexed by numbers
BEGIN = {**dict.fromkeys(("pos", "vel", "acc"), "first_point"), "lam": "first_constraint"}
# how many numbers a function returns: an expression in the members of the C struct
COUNTS = {
    "gradyn_force_fn": "size[{points}] * size[{axes}]",
    "gradyn_residual_fn": "size[{states}]",
}


class Jitted:
    """A function that Numba compiles when a model passes it to C. Anywhere else it is a plain Python
    function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.__wrapped__ = function
        self.__name__ = getattr(function, "__name__", "function")
        self._made: dict[Any, Any] = {}

    def __call__(self, *arguments: Any) -> Any:
        return self.function(*arguments)

    def pointer(self, kind: str, names: Sequence[str], values: int) -> Any:
        """The C function for this kind of callback, with data of these names."""
        key = kind, tuple(names), values
        if key not in self._made:
            self._made[key] = _compiled(self.function, kind, tuple(names), values)
        return ffi.cast(kind, self._made[key].address)


def jit(function: Callable[..., Any]) -> Jitted:
    """Compiles a function of a model by Numba: a force, a functional, a guard, ... The library then calls it
    without Python, also from several threads at once. `at` is the same as for Python functions: t in s,
    positions in m, arrays are copies. Code that Numba does not support is refused."""
    try:
        import numba  # type: ignore[import]  # noqa: F401
    except ImportError:
        raise UsageError("gradyn.jit needs Numba, which is not installed here") from None
    if not callable(function):
        raise TypeError(f"gradyn.jit takes a function, not {function!r}")
    return Jitted(function)


def _offset(name: str, size: int) -> int:
    """The offset of a member of gradyn_at, as a multiple of `size` bytes."""
    return int(ffi.offsetof("gradyn_at", name)) // size


def _source(kind: str, names: Sequence[str], values: int, scalar: bool) -> str:
    """Source of the function that C calls. It copies the members of the struct, calls the user function, and
    writes the results."""
    places = {name: _offset(name, 4) for name in ("points", "axes", *SIZES.values(), *BEGIN.values())}
    lines = ["base = address(at)", "time = carray(pointer(base), (1,), np.complex128)"]
    lines += [f"word = carray(pointer(base), ({ffi.sizeof('gradyn_at') // 8},), np.int64)"]
    lines += [f"size = carray(pointer(base), ({ffi.sizeof('gradyn_at') // 4},), np.int32)"]
    for name, rank in ARRAYS.items():
        shape = "size[{points}], size[{axes}]" if rank == 2 else f"size[{{{SIZES[name]}}}]"
        begin = f"size[{{{BEGIN[name]}}}]" if name in BEGIN else str(int(name == "u"))
        arguments = f"{begin}, {shape}".format(**places)
        lines += [f"{name} = copied{rank}(word[{_offset(name, 8)}], {arguments})"]
    lines += [f"own = copied1(word[{_offset('data', 8)}], 0, {len(names)})"] if names else []
    data = ", ".join(f"own[{i}]" for i in range(len(names))) or "0j"
    lines += [f"seen = Seen(time[0], {', '.join(ARRAYS)}, Data({data}))"]
    order = "order, " if kind == "gradyn_constraint_fn" else ""
    count = COUNTS.get(kind, str(values)).format(**places)
    lines += ["try:", f"    found = function(seen{', order' if order else ''})"]
    lines += ["except Exception:", f"    return {int(lib.GRADYN_CALLBACK)}", f"count = {count}"]
    lines += ["to = carray(out, (count,))"]
    wrong = ["    return " + str(int(lib.GRADYN_INVALID))]
    if scalar:
        lines += ["if count != 1:", *wrong, "to[0] = found"]
    else:
        lines += ["row = np.asarray(found).ravel()", "if row.size != count:", *wrong]
        lines += ["for i in range(count):", "    to[i] = row[i]"]
    lines += [f"return {int(lib.GRADYN_OK)}"]
    return f"def call(at, {order}out):\n" + "".join(f"    {line}\n" for line in lines)


def _helpers() -> dict[str, Any]:
    """Conversions between addresses and pointers, and copies of the numbers at pointers."""
    from numba import carray, njit, types
    from numba.extending import intrinsic  # type: ignore[import]

    @intrinsic  # type: ignore[misc]
    def pointer(context: Any, number: Any) -> Any:
        def code(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], target.get_value_type(types.voidptr))

        return types.voidptr(number), code

    @intrinsic  # type: ignore[misc]
    def address(context: Any, place: Any) -> Any:
        def code(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ptrtoint(arguments[0], target.get_value_type(types.intp))

        return types.intp(place), code

    @njit  # type: ignore[misc]
    def copied1(place: Any, begin: Any, size: Any) -> Any:
        if place == 0:
            return np.empty(0, np.complex128)
        return carray(pointer(place), (begin + size,), np.complex128)[begin:].copy()

    @njit  # type: ignore[misc]
    def copied2(place: Any, begin: Any, rows: Any, columns: Any) -> Any:
        if place == 0:
            return np.empty((0, 1), np.complex128)
        return carray(pointer(place), (begin + rows, columns), np.complex128)[begin:].copy()

    return {
        "pointer": pointer, "address": address, "copied1": copied1, "copied2": copied2, "carray": carray,
        "np": np, "Seen": Seen,
    }


@functools.lru_cache(maxsize=None)
def _shared() -> dict[str, Any]:
    return _helpers()


def _compiled(function: Callable[..., Any], kind: str, names: tuple[str, ...], values: int) -> Any:
    """The Numba cfunc of a source."""
    import numba
    from numba import types
    from numba.core.errors import NumbaError  # type: ignore[import]

    data = namedtuple("data", names or ("nothing",), rename=True)  # type: ignore[misc]
    number = types.complex128
    arrays = [types.Array(number, rank, "C") for rank in ARRAYS.values()]
    own = types.NamedUniTuple(number, max(len(names), 1), data)
    seen = types.NamedTuple((number, *arrays, own), Seen)
    more = (types.int32,) if kind == "gradyn_constraint_fn" else ()
    try:
        inner = numba.njit(function, error_model="numpy")
        inner.compile((seen, *more))
        scalar = isinstance(inner.nopython_signatures[0].return_type, types.Number)
        scope = {**_shared(), "function": inner, "Data": data}
        exec(_source(kind, names, values, scalar), scope)
        signature = types.int32(types.CPointer(number), *more, types.CPointer(number))
        return numba.cfunc(signature)(scope["call"])
    except NumbaError as error:
        raise UsageError(f"Numba cannot compile {function.__name__}(): {error}") from error
