"""Robertson's stiff chemical kinetics, a DAE, as problems/robertson.c has it."""

from typing import Any

import gradyn
from gradyn import Model, Param

PARAMS = {
    "p1": Param(0.04, "1/s", 0.004, 0.4),
    "p2": Param(1e4, "1/s", 1e3, 1e5),
    "p3": Param(3e7, "1/s", 3e6, 3e8),
}


def kinetics(at: Any) -> Any:
    """Two rate equations; the conservation of mass replaces the third."""
    (y1, y2, y3), p = at.y, at.data
    slow, fast, very_fast = p.p1 * y1, p.p2 * y2 * y3, p.p3 * y2 * y2
    return at.yp[0] + slow - fast, at.yp[1] - slow + fast + very_fast, y1 + y2 + y3 - 1


@gradyn.problem(params=PARAMS, t_end=40.0, rtol=1e-8)
def robertson(m: Model, p: Any) -> None:
    """Robertson's stiff chemical kinetics, a DAE"""
    m.state("y1", "", 1)
    m.state("y2", "", 0)
    m.algebraic_state("y3", "", 0)
    data = {name: (getattr(p, name), "1/s") for name in PARAMS}
    # the second species never exceeds 4e-5, so it has a separate tolerance
    m.equations(residual=kinetics, data=data, atol=[1e-13, 1e-17, 1e-13])
    for k in range(3):
        m.custom_functional(f"y{k + 1}_end", "", terminal=lambda at, k=k: at.y[k])
    m.custom_functional("G", "s", integrand=lambda at: at.y[2])
