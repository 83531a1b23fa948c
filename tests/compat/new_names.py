"""Each kind of name that scripts/migrate.py rewrites: m.when() in a text stays."""

import gradyn


@gradyn.problem("ball", params={})
def ball(world, p):
    point = world.point("P", 0, 1)
    world.fix_initial_coordinate(point, "x")
    world.event("apex", guard=lambda at: at.vel[0, 1], condition=lambda at: 1, set=[(point, "x")])
    world.joint_between("hinge", armed=1)
    world.weld("clamp", world.beam("b", section=gradyn.section_rectangle(0.01, 0.01)), 0, gradyn.GROUND)
    world.joint_coordinate(world.joint_between("floor"), "slide-" + ("y"))  # joint_angle(1)
    world.minimise(world.functional("v", world.measure_point("", point, 1, "x"), "at-end"), -1)
    world.constrain(world.functional("x", 2, "at-end"), lower=3, upper=3, tolerance=1e-6)
    thing().when(1)
    return 0


def other(lib, e):
    return lib.gradyn_evaluator_simulate(e)  # gradyn_simulate


def limited(world, stick):
    world.in_mode(stick)
