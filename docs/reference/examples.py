"""The examples of examples.c in Python: run() simulates one of them and returns its energy at the end."""

import sys

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
        m.end_energy("energy")

    build.__name__ = name
    made = gradyn.problem(params={}, t_end=1.0, rtol=1e-9)(build)
    return float(made.with_options(coordinates="natural").simulate().psi["energy"])


if __name__ == "__main__":
    for example in sys.argv[1:]:
        print(example, run(example))
