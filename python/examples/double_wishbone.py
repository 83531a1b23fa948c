"""A car with four double-wishbone suspensions on a rough road, as problems/double_wishbone.c has it."""

from dataclasses import dataclass
from math import copysign, pi
from typing import Any

import numpy as np

import gradyn
from gradyn import BEAM_END, Model, Param, Setting

# for each of the points 1 to 16: initial x, y, z, then lower and upper bounds
POINTS = """
-1.27 0.21 0.15 -1.35 0.1 0.1 -1.1 0.35 0.3
-0.96 0.21 0.15 -1.1 0.1 0.1 -0.8 0.35 0.3
-1.27 0.18 0 -1.35 0.1 -0.1 -1.1 0.35 0.1
-0.96 0.18 0 -1.1 0.1 -0.1 -0.8 0.35 0.1
0.21 0.14 0.25 0.1 0.1 0.1 0.35 0.3 0.3
0.52 0.14 0.25 0.4 0.1 0.1 0.65 0.3 0.3
0.21 0.1 0 0.1 0.1 -0.1 0.35 0.3 0.1
0.52 0.1 0 0.4 0.1 -0.1 0.65 0.3 0.1
0.21 -0.14 0.25 0.1 -0.3 0.1 0.35 -0.1 0.3
0.52 -0.14 0.25 0.4 -0.3 0.1 0.65 -0.1 0.3
0.21 -0.1 0 0.1 -0.3 -0.1 0.35 -0.1 0.1
0.52 -0.1 0 0.4 -0.3 -0.1 0.65 -0.1 0.1
-1.27 -0.21 0.15 -1.35 -0.35 0.1 -1.1 -0.1 0.3
-0.96 -0.21 0.15 -1.1 -0.35 0.1 -0.8 -0.1 0.3
-1.27 -0.18 0 -1.35 -0.35 -0.1 -1.1 -0.1 0.1
-0.96 -0.18 0 -1.1 -0.35 -0.1 -0.8 -0.1 0.1
"""


def parameters() -> dict[str, Param]:
    """X1, Y1, Z1, ... of the joints on the chassis, Z17 .. of towers, k1 .., c1 .. of shock absorbers."""
    found = {}
    for number, line in enumerate(POINTS.split("\n")[1:17], 1):
        value, lower, upper = np.array(line.split(), float).reshape(3, 3).tolist()
        for axis, init, low, high in zip("XYZ", value, lower, upper):
            found[f"{axis}{number}"] = Param(init, "m", low, high)
    for number, height in enumerate((0.3, 0.4, 0.4, 0.3), 17):
        found[f"Z{number}"] = Param(height, "m", 0.15, 0.6)
    for number in range(1, 5):
        found[f"k{number}"] = Param(10000, "N/m", 100, 30000)
    for number, damping in enumerate((50, 500, 500, 50), 1):
        found[f"c{number}"] = Param(damping, "N s/m", 20, 1000)
    return found


SETTINGS = {
    "elements": Setting(2, 1, 100, "elements of each beam"),
    "linear": Setting(0, 0, 1, "elastic force: 0 full strain and curvature, 1 linear"),
    "inset": Setting(350, 0, 500, "mm from the middle of a wheel inwards to its shock absorber"),
    "constraints": Setting(1, 0, 1, "1: stress and length of all beams limited, 0: not"),
}


@dataclass(frozen=True)
class Corner:
    """A corner of the car: its wheel, and the motion that the road prescribes."""

    name: str
    wheel: tuple[float, float, float]  # centre of mass, m
    half: float  # the ball joints are that far above and below it, m
    amplitude: float  # of the road, m
    frequency: float  # rad/s


CORNERS = (
    Corner("front_right", (-1.110, 0.680, 0.075), 0.075, 0.050, 2 * pi),
    Corner("rear_right", (0.370, 0.560, 0.125), 0.125, 0.075, 4 * pi),
    Corner("rear_left", (0.370, -0.560, 0.125), 0.125, 0.075, 4 * pi),
    Corner("front_left", (-1.110, -0.680, 0.075), 0.075, 0.050, 2 * pi),
)


class Wishbone:
    """The joints of a wishbone on the chassis, its ball joint, and its angular velocity if the
    ball joint rises with the wheel."""

    def __init__(self, p: Any, first: int, joint: tuple[float, float, float], climb: float) -> None:
        self.first, self.joint = first, joint
        self.place = [p[3 * (first + i) : 3 * (first + i) + 3] for i in range(2)]
        line = [self.place[1][k] - self.place[0][k] for k in range(3)]
        arm = [joint[k] - self.place[0][k] for k in range(3)]
        # climb = (omega x arm)_z
        rate = climb / (line[0] * arm[1] - line[1] * arm[0])
        turns = [((k + 1) % 3, (k + 2) % 3) for k in range(3)]
        self.omega = [rate * line[k] for k in range(3)]
        self.velocity = [rate * (line[i] * arm[j] - line[j] * arm[i]) for i, j in turns]


def wishbone(m: Model, chassis: Any, ball: Any, w: Wishbone) -> None:
    """Two beams from the chassis to a ball joint on the wheel, welded to each other there."""
    beams = []
    for i, place in enumerate(w.place):
        number = w.first + i + 1
        root = m.body_point_3d(chassis, f"P{number}", *place)
        beams.append(
            m.beam(
                f"beam{number}", root, ball, m.setting("elements"),
                section=gradyn.section_tube(0.015, 0.010), young=200e9, density=7800, damping=1e-4,
                linear=bool(m.setting("linear")), omega=w.omega,
            )
        )
        if m.setting("constraints"):
            stress = m.measure_stress("", beams[-1], gradyn.ALL_NODES, "either-fibre")
            most = m.functional(f"stress{number}", stress, "smooth-maximum", scale=400e6, sharpness=50)
            m.constrain(most, upper=1, tolerance=1e-3)
            length = m.functional(f"length{number}", m.measure_beam_length("", beams[-1]), "at-end")
            m.constrain(length, lower=0.001, tolerance=1e-6)
    m.weld_beams(f"weld{w.first // 2 + 1}", beams[0], BEAM_END, beams[1], BEAM_END)


def shock_absorber(m: Model, chassis: Any, ball: Any, i: int, p: Any) -> None:
    """Spring, unstressed at the start, and damper from the lower ball joint to the chassis."""
    c = CORNERS[i]
    inset = copysign(1e-3 * m.setting("inset"), c.wheel[1])
    top, stiffness, damping = p[48 + i], p[52 + i], p[56 + i]
    arm = top - c.wheel[2] + c.half
    tower = m.body_point_3d(chassis, f"tower_{c.name}", c.wheel[0], c.wheel[1] - inset, top)
    m.spring(f"spring_{c.name}", tower, ball, k=stiffness, free_length=np.sqrt(inset * inset + arm * arm))
    m.dashpot(f"damper_{c.name}", tower, ball, damping)


def road_wheel(m: Model, c: Corner, lower: Wishbone, upper: Wishbone) -> Any:
    """A wheel that follows the road, with initial velocities for which its ball joints move with
    the wishbones."""
    v, w = upper.velocity, lower.velocity
    body = m.body_3d(
        f"wheel_{c.name}", centre=c.wheel, mass=20, inertia=[0.45, 0.78, 0.45],
        velocity=[(v[0] + w[0]) / 2, (v[1] + w[1]) / 2, c.amplitude * c.frequency],
        omega=[(w[1] - v[1]) / (2 * c.half), (v[0] - w[0]) / (2 * c.half)],
    )
    m.draw_cylinder(body, "y", 0.28, 0.19)
    centre, height = m.body_centre(body), c.wheel[2]
    m.coordinate(
        f"road_{c.name}", centre, "z", {"value": height, "amplitude": c.amplitude, "frequency": c.frequency}
    )
    return body


def suspension(m: Model, chassis: Any, i: int, p: Any) -> None:
    """Wheel, both wishbones and shock absorber of a corner."""
    c = CORNERS[i]
    sides = []
    for upper in (False, True):
        # lower wishbones have the later numbers of a corner
        joint = (c.wheel[0], c.wheel[1], c.wheel[2] + (c.half if upper else -c.half))
        sides.append(Wishbone(p, 4 * i + (0 if upper else 2), joint, c.amplitude * c.frequency))
    wheel = road_wheel(m, c, sides[0], sides[1])
    balls = {}
    for upper in (True, False):
        side, name = sides[upper], f"{'upper' if upper else 'lower'}_{c.name}"
        balls[upper] = m.body_point_3d(wheel, name, *side.joint)
        wishbone(m, chassis, balls[upper], side)
    shock_absorber(m, chassis, balls[False], i, p)


@gradyn.problem(params=parameters(), settings=SETTINGS, t_end=3.0, method="variational", step=1e-3)
def double_wishbone(m: Model, p: Any) -> None:
    """Car with four flexible double-wishbone suspensions"""
    chassis = m.body_3d("chassis", centre=[0.243, 0, 0.365], mass=300, inertia=[31.25, 127.25, 146.0])
    m.draw_box(chassis, 2.2, 1, 0.5)
    centre = m.body_centre(chassis)
    m.draw_trace(centre)
    # the displacement of the chassis from its initial position
    place = m.measure_point("", centre, 0, "all-axes")
    m.minimise(m.functional("displacement", place, "square-integral", target=(0.243, 0, 0.365)))
    for i in range(4):
        suspension(m, chassis, i, p)
    m.gravity_3d(0, 0, -9.81)
