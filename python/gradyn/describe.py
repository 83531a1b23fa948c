"""The contents of a model, as of its last evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from ._c import ffi, lib
from ._structs import copied
from .errors import text

if TYPE_CHECKING:
    from .evaluate import Problem

Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Datum:
    """A number of the model, in its unit."""

    name: str
    value: float
    unit: str


@dataclass(frozen=True)
class Element:
    """A rod, body, joint, constraint, spring, force, ... of the model."""

    kind: str
    name: str
    points: list[str]  # names of the objects that it joins or acts on
    data: list[Datum]  # numbers of the element
    constraint: Optional[int]  # index of its first constraint, from 0; None: it has none
    modes: list[int]  # modes in which it exists; empty: all


@dataclass(frozen=True)
class Link:
    """A joint of a mechanism in joint coordinates. It carries a body on another body, or `reason` states why
    it is a constraint instead."""

    joint: str
    kind: str
    body: Optional[str]
    parent: Optional[str]
    reason: Optional[str]  # why the joint is a constraint; "" if it carries a body
    coordinate: Optional[str]


@dataclass(frozen=True)
class Signal:
    """A signal: its knots, in its unit, from t_start to t_end (s). times: times of the knots, s. Each value
    of a piecewise constant signal begins at one of these times, the first value at t_start."""

    name: str
    unit: str
    kind: str
    knots: Array
    t_start: float
    t_end: float
    times: Array  # s
    integer: bool = False  # a search rounds its values
    one_of: str = ""  # set of which exactly one signal is 1


@dataclass(frozen=True)
class Sizes:
    """Sizes of a model; axes: 2 in the plane, 3 in space, 0: no mechanism. t_end is in s."""

    mechanical: bool
    coordinates: int
    constraints: int
    states: int
    points: int
    axes: int
    t_end: float  # s


KINDS = ("piecewise-constant", "piecewise-linear", "cubic-spline")


def data(problem: Problem) -> dict[str, Datum]:
    """All data by name."""
    evaluator = problem._evaluator.c
    count = lib.gradyn_evaluator_model_info(evaluator).data
    items = (lib.gradyn_datum_at(evaluator, i) for i in range(count))
    found = (Datum(text(d.name), d.value, text(d.unit)) for d in items)
    return {datum.name: datum for datum in found}


def signals(problem: Problem) -> dict[str, Signal]:
    """All signals by name."""
    evaluator = problem._evaluator.c
    count = lib.gradyn_evaluator_model_info(evaluator).signals
    items = (lib.gradyn_signal_at(evaluator, i) for i in range(count))
    found = (
        Signal(
            text(s.name), text(s.unit), KINDS[s.kind], copied(s.knots, s.count), s.t_start, s.t_end,
            _times(s), bool(s.integer), text(s.one_of) if s.one_of else "",
        )
        for s in items
    )
    return {signal.name: signal for signal in found}


def _times(s: Any) -> Array:
    """The times of the knots of a signal: given times, or equal intervals."""
    pieces = s.count - (KINDS[s.kind] != "piecewise-constant")
    times = np.arange(s.count) / max(pieces, 1) * (s.t_end - s.t_start) + s.t_start
    if s.times != ffi.NULL:
        times[1:] = copied(s.times, s.count)[1:]
    return np.asarray(times, dtype=np.float64)


def sizes(problem: Problem) -> Sizes:
    """The sizes of a model."""
    c = lib.gradyn_evaluator_model_info(problem._evaluator.c)
    return Sizes(
        bool(c.mechanical), c.coordinates, c.constraints, c.states, c.points, c.axes, c.t_end
    )


class Listing:
    """Collects the elements that the library reports."""

    def __init__(self, problem: Problem) -> None:
        self.evaluator = problem._evaluator.c
        self.handle = ffi.new_handle(self)
        self.found: list[Element] = []
        self.error: Optional[BaseException] = None

    def take(self, e: Any) -> None:
        names = [text(lib.gradyn_drawn_point_at(self.evaluator, e.point[k]).name) for k in range(e.points)]
        places = range(e.datum, e.datum + e.data_count)
        own = [lib.gradyn_datum_at(self.evaluator, i) for i in places]
        modes = [k + 1 for k in range(32) if e.modes >> k & 1]
        constraint = e.constraint - 1 if e.constraint > 0 else None
        listed = [Datum(text(d.name), d.value, text(d.unit)) for d in own]
        self.found.append(Element(text(e.kind), text(e.name), names, listed, constraint, modes))


@ffi.def_extern()  # type: ignore[misc]
def gradynpy_element(element: Any, user: Any) -> None:
    listing: Listing = ffi.from_handle(user)
    try:
        listing.take(element)
    except BaseException as error:
        listing.error = listing.error or error


def elements(problem: Problem) -> list[Element]:
    """All elements, in the order of kinds, then of declarations."""
    listing = Listing(problem)
    lib.gradyn_elements_visit(listing.evaluator, ffi.addressof(lib, "gradynpy_element"), listing.handle)
    if listing.error is not None:
        raise listing.error
    return listing.found


def links(problem: Problem) -> list[Link]:
    """The joints that carry bodies, from the ground outwards, then the joints that are constraints."""
    found: list[Link] = []
    c = ffi.new("gradyn_link_info *")
    while lib.gradyn_link_at(problem._evaluator.c, len(found), c):
        shown = {name: text(getattr(c, name)) or None for name in ("body", "parent", "reason", "coordinate")}
        found.append(Link(text(c.joint), text(c.kind), **shown))
    return found


def statistics(problem: Problem) -> dict[str, Any]:
    """Cost of the last call and errors of its constraints. The names are those of C."""
    c = lib.gradyn_evaluator_statistics(problem._evaluator.c)
    found: dict[str, Any] = {}
    for name, _ in ffi.typeof("gradyn_statistics").fields:
        value = getattr(c, name)
        if isinstance(value, ffi.CData):
            value = text(value) if ffi.typeof(value).kind == "pointer" else list(value)
        found[name] = value
    return found
