"""A ball that falls through air and bounces, as problems/bouncing_ball.c has it."""

from typing import Any

import numpy as np

import gradyn
from gradyn import Model, Param, Setting

PARAMS = {
    "height": Param(1.0, "m", 0.1, 10),
    "gravity": Param(9.81, "m/s^2", 1, 20, fixed=True),
    "restitution": Param(0.8, "", 0.1, 1),
    "drag": Param(0, "N s^2/m^2", 0, 1, fixed=True),
}


def drag(at: Any) -> Any:
    """Drag against the velocity, with its square; smooth at rest."""
    v = at.vel[0]
    return -at.data.drag * np.sqrt(v @ v + 1e-6) * v


@gradyn.problem(params=PARAMS, settings={"bounces": Setting(5, 1)}, t_end=3.0, rtol=1e-10)
def bouncing_ball(m: Model, p: Any) -> None:
    """Ball that falls through air and bounces"""
    bounces = m.setting("bounces")
    ball = m.point("ball", 0, p.height)
    m.initial_velocity(ball, 1, 0)
    m.point_mass("ball", ball, 1)
    m.gravity(0, -p.gravity)
    m.custom_force("air", points=[ball], fn=drag, data={"drag": (p.drag, "N s^2/m^2")})
    ground = m.impact("ground", point=ball, axis="y", restitution=p.restitution)
    m.draw_trace(ball)
    m.functional("x", m.measure_point("", ball, 0, "x"), "at-end")
    m.functional("y", m.measure_point("", ball, 0, "y"), "at-end")
    m.functional("vy", m.measure_point("", ball, 1, "y"), "at-end")
    m.functional("path", m.measure_point("", ball, 0, "all-axes"), "square-integral")
    m.functional("speed", m.measure_point("", ball, 1, "all-axes"), "square-integral")
    m.event_time("last", ground, bounces)
    m.event_impulse("impulse", ground, bounces)
