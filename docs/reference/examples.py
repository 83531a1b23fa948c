"""The examples of examples.c in Python: run() simulates one of them and returns its energy at the end."""

import sys
from typing import Any

import numpy as np

import gradyn
from gradyn import GROUND, Model


def point_mass(m: Model) -> None:
    """gradyn_point_mass gradyn_point gradyn_gravity"""
    ball = m.point("ball", 0, 0)
    m.initial_velocity(ball, 1, 4)
    m.point_mass("ball", ball, 1)
    m.gravity(0, -9.81)
    m.draw_trace(ball)


def rod(m: Model) -> None:
    """gradyn_rod gradyn_ground_point"""
    pivot = m.ground_point("pivot", 0, 0)
    end = m.point("end", 1, 0)
    m.rod("rod", pivot, end, mass=1)
    m.gravity(0, -2)


def body(m: Model) -> None:
    """gradyn_body gradyn_body_point gradyn_draw_box"""
    b = m.body("b", centre=[0.5, 0], mass=1, inertia=[0, 0, 0.1], velocity=[1, 0], omega=[0, 0, 1])
    m.body_point(b, "corner", 1, 0.2)
    m.draw_box(b, 1, 0.4, 0)


def spring(m: Model) -> None:
    """gradyn_spring"""
    top = m.ground_point("top", 0, 0)
    ball = m.point("ball", 0, -1)
    m.point_mass("ball", ball, 1)
    m.spring("spring", top, ball, k=20, c=0.2, free_length=1)
    m.gravity(0, -9.81)


def dashpot(m: Model) -> None:
    """gradyn_dashpot"""
    wall = m.ground_point("wall", 0, 0)
    ball = m.point("ball", 1, 0)
    m.initial_velocity(ball, 1, 1)
    m.point_mass("ball", ball, 1)
    m.dashpot("dashpot", wall, ball, 2)


def attraction(m: Model) -> None:
    """gradyn_attraction"""
    sun = m.ground_point("sun", 0, 0)
    planet = m.point("planet", 1, 0)
    m.initial_velocity(planet, 0, 1.5)
    m.point_mass("planet", planet, 1)
    m.attraction("gravitation", sun, planet, strength=2)


def force(m: Model) -> None:
    """gradyn_force"""
    ball = m.point("ball", 0, 0)
    m.point_mass("ball", ball, 1)
    m.force("push", ball, fx=1, fy=0.5)


def torque(m: Model) -> None:
    """gradyn_torque"""
    pivot = m.ground_point("pivot", 0, 0)
    end = m.point("end", 1, 0)
    m.rod("crank", pivot, end, mass=1)
    m.torque("motor", pivot, end, torque=1, c=0.1)


def bushing(m: Model) -> None:
    """gradyn_bushing"""
    a = m.body("a", centre=[-0.5, 0], mass=1, inertia=[0, 0, 0.1])
    b = m.body("b", centre=[0.5, 0], mass=1, inertia=[0, 0, 0.1], omega=[0, 0, 1])
    m.bushing("bushing", a, b, stiffness=[50, 50], torsion=[0, 0, 1])


def pin(m: Model) -> None:
    """gradyn_pin"""
    a = m.body("a", centre=[-0.5, 0], mass=1, inertia=[0, 0, 0.1])
    b = m.body("b", centre=[0.5, 0], mass=1, inertia=[0, 0, 0.1], omega=[0, 0, 2])
    m.pin("pin", m.body_point(a, "right", 0, 0), m.body_point(b, "left", 0, 0))


def distance(m: Model) -> None:
    """gradyn_distance gradyn_time_function"""
    top = m.ground_point("top", 0, 0)
    ball = m.point("ball", 0.6, -0.8)
    m.point_mass("ball", ball, 1)
    m.distance("winch", top, ball, {"value": 1, "rate": 0.5})
    m.gravity(0, -9.81)


def coordinate(m: Model) -> None:
    """gradyn_coordinate"""
    cart = m.point("cart", 0, 0)
    m.point_mass("cart", cart, 1)
    m.initial_velocity(cart, 1, 0)
    m.coordinate("rail", cart, "y", 0)


def angle(m: Model) -> None:
    """gradyn_angle"""
    pivot = m.ground_point("pivot", 0, 0)
    end = m.point("end", 1, 0)
    m.rod("crank", pivot, end, mass=1)
    m.angle("drive", pivot, end, {"rate": 1})


def beam(m: Model) -> None:
    """gradyn_beam gradyn_weld gradyn_section_rectangle"""
    wall = m.ground_point("wall", 0, 0)
    tip = m.point("tip", 1, 0)
    square = gradyn.section_rectangle(0.01, 0.01)
    beam = m.beam("beam", wall, tip, elements=4, section=square, young=1e8, density=1000, damping=0.01)
    m.weld("clamp", beam, 0, gradyn.GROUND)
    m.gravity(0, -9.81)


def weld(m: Model) -> None:
    """gradyn_weld"""
    b = m.body("b", centre=[-0.3, 0], mass=1, inertia=[0, 0, 0.1], omega=[0, 0, 1])
    root, tip = m.body_point(b, "root", 0, 0), m.point("tip", 1, 0)
    square = gradyn.section_rectangle(0.01, 0.01)
    beam = m.beam("beam", root, tip, elements=4, section=square, young=1e8, density=1000, damping=0.01)
    m.weld("weld", beam, 0, b)


def joint_spring(m: Model) -> None:
    """gradyn_joint_spring gradyn_joint_coordinate"""
    b = m.body("b", centre=[0.5, 0], mass=1, inertia=[0, 0, 0.1])
    hinge = m.joint_between("hinge", "revolute", GROUND, b)
    m.joint_spring("spring", m.joint_coordinate(hinge, "angle"), k=10, c=0.5)
    m.gravity(0, -9.81)


def joint_stop(m: Model) -> None:
    """gradyn_joint_stop"""
    b = m.body("b", centre=[0.5, 0], mass=1, inertia=[0, 0, 0.1])
    hinge = m.joint_between("hinge", "revolute", GROUND, b)
    m.joint_stop("stop", m.joint_coordinate(hinge, "angle"), lower=-0.5, upper=0.5, k=500, c=5, width=0.01)
    m.gravity(0, -9.81)


def joint_friction(m: Model) -> None:
    """gradyn_joint_friction"""
    b = m.body("b", centre=[0, 0], mass=1, inertia=[0, 0, 0.1], velocity=[2, 0])
    rail = m.joint_between("rail", "prismatic", GROUND, b, axis=[1, 0, 0])
    m.joint_friction("friction", rail, "brown-mcphee", still=0.2, kinetic=0.1, transition=0.01, smoothing=0.01)
    m.gravity(0, -9.81)


def gear(m: Model) -> None:
    """gradyn_gear"""
    a = m.body("a", centre=[0, 0], mass=1, inertia=[0, 0, 0.1], omega=[0, 0, 1])
    b = m.body("b", centre=[1.5, 0], mass=1, inertia=[0, 0, 0.1], omega=[0, 0, -2])
    first = m.joint_between("A", "revolute", GROUND, a)
    second = m.joint_between("B", "revolute", GROUND, b, position=[1.5, 0, 0])
    m.gear("gear", m.joint_coordinate(first, "angle"), m.joint_coordinate(second, "angle"), -2)


def drive(m: Model) -> None:
    """gradyn_drive_joint"""
    b = m.body("b", centre=[0.5, 0], mass=1, inertia=[0, 0, 0.1])
    hinge = m.joint_between("hinge", "revolute", GROUND, b)
    m.drive_joint("drive", m.joint_coordinate(hinge, "angle"), {"rate": 1})


def pid(m: Model) -> None:
    """gradyn_pid"""
    b = m.body("b", centre=[0.5, 0], mass=1, inertia=[0, 0, 0.1])
    hinge = m.joint_between("hinge", "revolute", GROUND, b)
    m.pid("PID", m.joint_coordinate(hinge, "angle"), kp=20, ki=5, kd=4, target=0.5)
    m.gravity(0, -9.81)


def bounce(m: Model) -> None:
    """gradyn_impact"""
    ball = m.point("ball", 0, 1)
    m.initial_velocity(ball, 1, 0)
    m.point_mass("ball", ball, 1)
    m.gravity(0, -9.81)
    m.impact("floor", point=ball, axis="y", restitution=0.8)


def knife_edge(m: Model) -> None:
    """gradyn_knife_edge gradyn_frame"""
    b = m.body("b", centre=[0, 0], mass=1, inertia=[0, 0, 0.1], velocity=[1, 0], omega=[0, 0, 1])
    blade = m.frame("blade", b, axis=[1, 0, 0])
    m.knife_edge("skate", blade, "y", m.body_centre(b), 0)


def wheel(m: Model) -> None:
    """gradyn_wheel"""
    b = m.body_3d("b", centre=[0, 0, 0.5], mass=1, inertia=[0.07, 0.13, 0.07], velocity=[1, 0, 0], omega=[0, 2, 0])
    axle = m.frame("axle", b, origin=[0, 0, 0.5], axis=[0, 1, 0])
    floor = m.frame("floor", GROUND, axis=[0, 0, 1])
    m.wheel("wheel", axle, floor, radius=0.5)


def tyre(m: Model) -> None:
    """gradyn_tyre"""
    b = m.body_3d("b", centre=[0, 0, 0.5], mass=1, inertia=[0.07, 0.13, 0.07], velocity=[1, 0, 0], omega=[0, 3, 0])
    axle = m.frame("axle", b, origin=[0, 0, 0.5], axis=[0, 1, 0])
    floor = m.frame("floor", GROUND, axis=[0, 0, 1])
    m.tyre("tyre", axle, floor, radius=0.5, stiffness=2000, damping=20, rebound=20, critical=[0.1, 0.1],
           friction=[0.8, 0.8], relaxation=[0.1, 0.1], smoothing=0.5, slow=0.05)
    m.gravity_3d(0, 0, -9.81)


def feedback(m: Model) -> None:
    """gradyn_feedback"""
    b = m.body("b", centre=[0.5, 0], mass=1, inertia=[0, 0, 0.1])
    hinge = m.joint_between("hinge", "revolute", GROUND, b)
    angle = m.joint_coordinate(hinge, "angle")
    m.feedback("feedback", angle, of=[angle], gain=[20], rate_gain=[4], target=[0.5])
    m.gravity(0, -9.81)


def phases(m: Model) -> None:
    """gradyn_phase gradyn_force_set_modes GRADYN_END"""
    burn, coast = m.mode("burn"), m.mode("coast")
    rocket = m.point("rocket", 0, 0)
    m.initial_velocity(rocket, 1, 0)
    m.point_mass("rocket", rocket, 0.1)
    m.gravity(0, -9.81)
    thrust = m.force("thrust", rocket, fy=2)
    m.force_set_modes(thrust, burn)
    end = m.phase("burnout", mode=burn, start=0, duration=0.4, next=coast)
    m.phase("end", mode=coast, start=end, duration=0.6, next=gradyn.END)


def modes(m: Model) -> None:
    """gradyn_mode gradyn_event gradyn_constraint_set_modes gradyn_modes_of"""
    held, flies = m.mode("held"), m.mode("flies")
    pivot = m.ground_point("pivot", 0, 0)
    ball = m.point("ball", -0.8, -0.6)
    m.point_mass("ball", ball, 1)
    m.gravity(0, -9.81)
    string = m.distance("string", pivot, ball, {"value": 1})
    m.constraint_set_modes(string, held)
    guard = {"terminal": lambda at: at.pos[0, 0], "points": [ball], "positions_only": True}
    lets_go = m.event("lets_go", guard=guard, direction="rising", mode=flies)
    m.event_set_modes(lets_go, held)


def custom_force(m: Model) -> None:
    """gradyn_custom_force"""
    ball = m.point("ball", 0, 0)
    m.initial_velocity(ball, 3, 4)
    m.point_mass("ball", ball, 1)
    m.gravity(0, -9.81)
    m.custom_force("drag", points=[ball], fn=lambda at: -at.data.c * at.vel, data={"c": (2.0, "N s/m")})


def custom_constraint(m: Model) -> None:
    """gradyn_custom_constraint"""

    def on_parabola(at: Any, order: int) -> Any:
        (x, y), (vx, vy), (ax, ay) = at.pos[0], at.vel[0], at.acc[0]
        return (y - x * x, vy - 2 * x * vx, ay - 2 * vx * vx - 2 * x * ax)[order]

    bead = m.point("bead", -1, 1)
    m.point_mass("bead", bead, 1)
    m.gravity(0, -9.81)
    m.custom_constraint("wire", points=[bead], fn=on_parabola)


def custom_nonholonomic(m: Model) -> None:
    """gradyn_custom_nonholonomic"""

    def along_wave(at: Any, order: int) -> Any:
        (vx, vy), (ax, ay), s, c = at.vel[0], at.acc[0], np.sin(5 * at.t), np.cos(5 * at.t)
        return vy - s * vx if order == 1 else ay - s * ax - 5 * c * vx

    ball = m.point("ball", 0, 0)
    m.initial_velocity(ball, 1, 0)
    m.point_mass("ball", ball, 1)
    m.custom_nonholonomic("steered", points=[ball], fn=along_wave)


def custom_functional(m: Model) -> None:
    """gradyn_custom_functional"""

    def speed(at: Any) -> Any:
        return np.sqrt(at.vel[0, 0] ** 2 + at.vel[0, 1] ** 2)

    ball = m.point("ball", 0, 0)
    m.initial_velocity(ball, 2, 4)
    m.point_mass("ball", ball, 1)
    m.gravity(0, -9.81)
    m.custom_functional("length", "m", integrand=speed, points=[ball])


def fixed(m: Model) -> None:
    """GRADYN_FIXED"""
    b = m.body_3d("b", centre=[0.5, 0, 0], mass=1, inertia=[0.02, 0.1, 0.1])
    m.joint_between("joint", "fixed", GROUND, b, axis=[0, 0, 1])


def revolute(m: Model) -> None:
    """GRADYN_REVOLUTE gradyn_joint_between"""
    b = m.body_3d("b", centre=[0.5, 0, 0], mass=1, inertia=[0.02, 0.1, 0.1], velocity=[0, 0.5, 0], omega=[0, 0, 1])
    m.joint_between("joint", "revolute", GROUND, b, axis=[0, 0, 1])


def prismatic(m: Model) -> None:
    """GRADYN_PRISMATIC"""
    b = m.body_3d("b", centre=[0, 0, 0], mass=1, inertia=[0.02, 0.1, 0.1], velocity=[1, 0, 0])
    m.joint_between("joint", "prismatic", GROUND, b, axis=[1, 0, 0])


def cylindrical(m: Model) -> None:
    """GRADYN_CYLINDRICAL"""
    b = m.body_3d("b", centre=[0, 0, 0], mass=1, inertia=[0.02, 0.1, 0.1], velocity=[1, 0, 0], omega=[1, 0, 0])
    m.joint_between("joint", "cylindrical", GROUND, b, axis=[1, 0, 0])


def screw(m: Model) -> None:
    """GRADYN_SCREW"""
    b = m.body_3d("b", centre=[0, 0, 0], mass=1, inertia=[0.02, 0.1, 0.1], omega=[1, 0, 0])
    m.joint_between("joint", "screw", GROUND, b, axis=[1, 0, 0], pitch=3)


def spherical(m: Model) -> None:
    """GRADYN_SPHERICAL"""
    b = m.body_3d("b", centre=[0.5, 0, 0], mass=1, inertia=[0.02, 0.1, 0.1], velocity=[0, 0.5, 0], omega=[0, 0, 1])
    m.joint_between("joint", "spherical", GROUND, b)
    m.gravity_3d(0, 0, -2)


def universal(m: Model) -> None:
    """GRADYN_UNIVERSAL"""
    b = m.body_3d("b", centre=[0, 0, -0.5], mass=1, inertia=[0.1, 0.1, 0.02], velocity=[-0.5, 0, 0], omega=[0, 1, 0])
    m.joint_between("joint", "universal", GROUND, b, axis=[1, 0, 0], axis_b=[0, 1, 0])


def planar(m: Model) -> None:
    """GRADYN_PLANAR"""
    b = m.body_3d("b", centre=[0, 0, 0], mass=1, inertia=[0.02, 0.1, 0.1], velocity=[1, 0.3, 0], omega=[0, 0, 1])
    m.joint_between("joint", "planar", GROUND, b, axis=[0, 0, 1])


def point_on_line(m: Model) -> None:
    """GRADYN_POINT_ON_LINE"""
    b = m.body_3d("b", centre=[0, 0, -0.5], mass=1, inertia=[0.1, 0.1, 0.02], velocity=[1, 0, 0])
    m.joint_between("joint", "point-on-line", GROUND, b, axis=[1, 0, 0])
    m.gravity_3d(0, 0, -9.81)


def point_on_plane(m: Model) -> None:
    """GRADYN_POINT_ON_PLANE"""
    b = m.body_3d("b", centre=[0, 0, 0.4], mass=1, inertia=[0.1, 0.1, 0.02], velocity=[1, 0.5, 0], omega=[0, 0.5, 0])
    m.joint_between("joint", "point-on-plane", GROUND, b, axis=[0, 0, 1])


def constant_length(m: Model) -> None:
    """GRADYN_CONSTANT_LENGTH gradyn_joint"""
    b = m.body_3d("b", centre=[1, 0, 0], mass=1, inertia=[0.02, 0.1, 0.1], velocity=[0, 1, 0])
    ground = m.frame("ground", GROUND)
    centre = m.frame("centre", b, origin=[1, 0, 0])
    m.joint("joint", "constant-length", ground, centre)


def run(name: str) -> float:
    """The energy at the end of an example, in J."""

    def build(m: Model, p: object) -> None:
        globals()[name](m)
        m.functional("energy", m.measure_energy(""), "at-end")

    build.__name__ = name
    made = gradyn.problem(params={}, t_end=1.0, rtol=1e-9)(build)
    return float(made.with_options(coordinates="natural").simulate().psi["energy"])


if __name__ == "__main__":
    for example in sys.argv[1:]:
        print(example, run(example))
