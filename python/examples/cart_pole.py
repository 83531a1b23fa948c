"""Cart-pole swing-up with least effort, as problems/cart_pole.c has it."""

from math import pi
from typing import Any

import gradyn
from gradyn import Model, Param, Setting

PARAMS = {
    "duration": Param(2, "s", 1, 4, scale=0.1, role="time", fixed=True),
    "u": Param(-8, "N", -20, 20, scale=10, role="control", count="knots", init_end=8),
}


def excursion(at: Any) -> Any:
    """(x / limit)^2 of the cart, which is point 0; below 1 while the cart is on the track."""
    x = at.pos[0, 0] / at.data.limit
    return x * x


@gradyn.problem(params=PARAMS, settings={"knots": Setting(21, 2, 400)}, rtol=1e-9)
def cart_pole(m: Model, p: Any) -> None:
    """Cart-pole swing-up with least effort"""
    m.end_time(p.duration)
    cart, bob = m.point("cart", 0, 0), m.point("bob", 0, -0.5)
    force = m.signal("u", "N", "cubic-spline", knots=p.u)
    m.point_mass("cart_mass", cart, 1.0)
    m.point_mass("bob_mass", bob, 0.3)
    m.rod("pole", cart, bob, length=0.5)
    m.coordinate("track", cart, "y", 0)
    m.force("drive", cart, fx=1, signal=force)
    m.gravity(0, -9.81)
    m.fix_initial_coordinate(cart, "x")
    m.fix_initial_angle("hanging", cart, bob, -0.5 * pi, 0)
    # at the end: the cart at its goal, at rest, with the pole upright
    x = m.at_end("x_end", m.measure_point("", cart, 0, "x"))
    v = m.at_end("v_end", m.measure_point("", cart, 1, "x"))
    turn = m.integral("rotation", m.measure_line_angle("", cart, bob, 1))
    omega = m.at_end("omega_end", m.measure_line_angle("", cart, bob, 1))
    far = m.measure_custom("excursion", "", formula=excursion, data={"limit": (2.0, "m")}, hidden=True)
    track = m.smooth_maximum("excursion", far, sharpness=20)
    m.minimise(m.square_integral("effort", m.measure_signal("", force)))
    m.constrain(x, lower=1, upper=1, tolerance=1e-7)
    m.constrain(v, lower=0, upper=0, tolerance=1e-7)
    m.constrain(turn, lower=pi, upper=pi, tolerance=1e-7)
    m.constrain(omega, lower=0, upper=0, tolerance=1e-7)
    m.constrain(track, upper=1, tolerance=1e-6)
    m.end_time_functional("time")
