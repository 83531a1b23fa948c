"""Each kind of name that scripts/migrate.py rewrites: m.when() in a text stays."""

import gradyn


@gradyn.problem("ball", params={})
def ball(world, p):
    point = world.point("P", 0, 1)
    world.hold_coordinate(point, "x")
    world.when("apex", guard=lambda at: at.vel[0, 1], armed=lambda at: 1, set=[(point, "x")])
    world.joint_at("hinge", armed=1)
    world.clamp("clamp", world.beam("b", section=gradyn.section_square(0.01)), 0)
    world.joint_slide_along(world.joint_at("floor"), "y")  # joint_angle(1)
    world.maximise(world.end_velocity("v", point, "x"))
    world.require_equal(world.measure_at("x", 2, 0), 3, 1e-6)
    thing().when(1)
    return 0


def other(lib, e):
    return lib.gradyn_simulate(e)  # gradyn_simulate


def limited(world, stick):
    world.in_mode(stick)
