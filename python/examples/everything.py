"""A ball on a line with every kind of function of Python's, each of which may be replaced."""

from typing import Any, Callable, Mapping

import gradyn
from gradyn import Model, Param

Functions = Mapping[str, Callable[..., Any]]

USUAL: dict[str, Callable[..., Any]] = {
    "force": lambda at: -at.data.c * at.vel,
    "constraint": lambda at, order: (at.pos, at.vel, at.acc)[order][0, 1],
    "guard": lambda at: 0.5 - at.pos[0, 0],
    "reset": lambda at: [-0.5 * at.vel[0, 0]],
    "formula": lambda at: at.of[0] * at.of[0] * at.data.k,
    "terminal": lambda at: at.pos[0, 0],
    "integrand": lambda at: at.pos[0, 0] * at.u[0],
}


def ball(functions: Functions) -> gradyn.PythonProblem:
    """The problem, with the given functions in place of the default ones."""
    used = {**USUAL, **functions}

    @gradyn.problem(params={"v": Param(1.0, "m/s", 0.8, 2), "c": Param(0.1, "N s/m", 0, 1)}, t_end=1.0)
    def build(m: Model, p: Any) -> None:
        """A ball on a level line, whose velocity is reversed at x = 0.5 with half its size"""
        point = m.point("ball", 0, 0)
        m.initial_velocity(point, p.v, 0)
        m.point_mass("ball", point, 1)
        m.custom_constraint("level", points=[point], fn=used["constraint"])
        m.custom_force("drag", points=[point], fn=used["force"], data={"c": (p.c, "N s/m")})
        m.signal("u", "", "piecewise-linear", knots=[1, 2])
        event = m.event(
            "turn", guard=used["guard"], direction="falling", set=[(point, "x")], reset=used["reset"]
        )
        x = m.measure_point("x", point, 0, "x")
        squared = m.measure_formula("x2", "m^2", formula=used["formula"], of=[x], data={"k": 2.0})
        m.functional("spread", squared, "integral")
        m.minimise(m.custom_functional("x_end", "m", terminal=used["terminal"]))
        m.custom_functional("path", "m s", integrand=used["integrand"])
        m.event_time("turn_time", event, 1)

    return build
