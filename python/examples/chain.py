"""A swinging chain of links, as problems/chain.c has it."""

from typing import Any

import gradyn
from gradyn import Model, Param, Setting

PARAMS = {
    "length": Param(1.0, "m", 0.5, 2.0),
    "mass": Param(2.0, "kg", 0.2, 10.0),
    "damping": Param(0.01, "N m s", 0, 1.0),
}


@gradyn.problem(params=PARAMS, settings={"links": Setting(8, 1, 4096)}, t_end=0.5)
def chain(m: Model, p: Any) -> None:
    """Swinging chain of links"""
    links = m.setting("links")
    length, mass = p.length / links, p.mass / links
    last = m.ground_point("0", 0, 0)
    for k in range(1, links + 1):
        end = m.point(f"{k}", k * length, 0)
        m.rod(f"link{k}", last, end, length=length, mass=mass)
        # friction between neighbouring links; together it has the value of the parameter
        m.torque(f"friction{k}", last, end, c=p.damping / links)
        last = end
    m.gravity(0, -9.81)
    tip = m.measure_point("", last, 0, "all-axes")
    m.minimise(m.square_integral("tip", tip, target=(0.6, -0.4)))
    m.functional("tip_speed", m.measure_point("", last, 1, "all-axes"), "square-integral")
    m.functional("end_energy", m.measure_energy(""), "at-end")
