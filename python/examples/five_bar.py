"""The planar five-bar linkage, as problems/five_bar.c has it."""

from math import atan, pi, sqrt
from typing import Any

import gradyn
from gradyn import Model, Param

PARAMS = {
    "Ls1": Param(2.23606797749978969641, "m", 1, 3),
    "Ls2": Param(2.06155281280883027491, "m", 1, 3),
    "mA1": Param(1.0, "kg", 0.1, 5, fixed=True),
    "rG": Param(0.70710678118654752440, "m", 0, 1.4, fixed=True),
    "LA1": Param(1.41421356237309504880, "m", 1.2, 1.6, fixed=True),
}


@gradyn.problem(params=PARAMS, t_end=5.0, rtol=1e-10)
def five_bar(m: Model, p: Any) -> None:
    """Planar five-bar linkage with two springs"""
    angle_a1 = -0.75 * pi
    angle_12 = angle_a1 + 0.25 * pi + atan(1.5)
    l12, l3b = sqrt(13) / 2, sqrt(2)
    a, b = m.ground_point("A", 0, 0), m.ground_point("B", 1, 0)
    p1, p2, p3 = m.point("1", -1, -1), m.point("2", 0.5, -2), m.point("3", 2, -1)
    # own centre of mass and moment about it, so that both can vary
    m.rod("A1", a, p1, length=p.LA1, mass=p.mA1, com=p.rG, inertia=1 / 6)
    m.rod("12", p1, p2, length=l12, mass=1.5)
    m.rod("23", p2, p3, length=l12, mass=1.5)
    m.rod("3B", p3, b, length=l3b, mass=1.0)
    # springs from B to points 1 and 2
    m.spring("S1", b, p1, k=100, free_length=p.Ls1)
    m.spring("S2", b, p2, k=100, free_length=p.Ls2)
    m.gravity(0, -9.81)
    # initial angles; the initial rates are zero
    m.fix_initial_angle("alpha1", a, p1, angle_a1, 0)
    m.fix_initial_angle("alpha2", p1, p2, angle_12, 0)
    m.draw_trace(p2)
    # the three functionals of the thesis for point 2: position, velocity, acceleration
    motion = [m.measure_point("", p2, order, "all-axes") for order in range(3)]
    m.minimise(m.square_integral("psi1", motion[0], target=(0.5, -2)))
    m.square_integral("psi2", motion[1])
    m.square_integral("psi3", motion[2])
