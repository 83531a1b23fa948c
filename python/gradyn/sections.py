"""Cross sections of beams: (area m^2, second moment m^4, reach m) from the sizes that a designer knows."""

from __future__ import annotations

from typing import Any

from ._c import lib
from ._handing import Number, Section


def _read(c: Any) -> Section:
    return c.area, c.second_moment, c.reach


def section_tube(outer: Number, inner: Number) -> Section:
    """A ring, or a full circle if inner is 0; radii in m."""
    return _read(lib.gradyn_section_tube(outer, inner))


def section_rectangle(width: Number, height: Number) -> Section:
    """A full rectangle, m, with bending in the direction of its height; in space for squares only."""
    return _read(lib.gradyn_section_rectangle(width, height))
