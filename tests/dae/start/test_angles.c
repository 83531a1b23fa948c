/* Angles whose initial values are wrong by half a turn: an angle without a fixed value follows its body;
 * others are refused. */
#include "tests/dae/start/solved.h"
#include "tests/support.h"
#include "tests/declare.h"

#include <complex.h>

#include <gradyn/joints.h>

/* A rod that rotates about the origin, whose angle is measured or, for rho[0] != 0, fixed at that value,
 * while its centre is fixed, too. */
static gradyn_status turning_bar(gradyn_model *model, const gradyn_scalar rho[])
{
  const int bar = gradyn_body(model, &(gradyn_body_spec){.name = "bar",
                                                         .mass = 1,
                                                         .centre = {0.5, 0.2},
                                                         .omega = {0, 0, 2},
                                                         .inertia = {0, 0, 0.1}});
  const int joint = declare_joint(model, "hinge", GRADYN_REVOLUTE, GRADYN_GROUND, bar, NULL, NULL);
  const int angle = gradyn_joint_coordinate(model, joint, GRADYN_ANGLE);
  if (creal(rho[0]) != 0) {
    gradyn_fix_initial_joint(model, "start", angle, rho[0], 2);
    gradyn_fix_initial_coordinate(model, gradyn_body_centre(model, bar), GRADYN_X);
  }
  return gradyn_build_status(model);
}

static const double half_turn = 3.14159265358979323846;

/* The guess of the angle is wrong by half a turn in either direction. The angle takes the nearest value on
 * its own side. */
TEST(angles_without_a_condition_follow_the_body)
{
  for (int side = -1; side <= 1; side += 2) {
    solved s = solve(turning_bar, &(gradyn_scalar){0});
    const int near = s.model->mech->q0[0]; /* the angle comes first */
    assert_ok(s.status, s.model->message.text);
    assert_close(s.initial.q[0], 0, 0, 1e-14);
    const double v = s.initial.v[0];
    s.model->x[near] = side * 1.01 * half_turn;
    s.status = gradyn_initial_solve(&s.initial);
    assert_ok(s.status, s.model->message.text);
    assert_close(s.initial.q[0], side * 2 * half_turn, 1e-14, 0);
    assert_close(s.initial.v[0], v, 1e-13, 0);
    release(&s);
  }
}

/* An angle with a fixed value keeps it. */
TEST(fixed_angles_stay_reversed)
{
  solved s = solve(turning_bar, &(gradyn_scalar){half_turn});
  assert_status(s.status, GRADYN_NOT_ASSEMBLED, s.model->message.text);
  if (!strstr(s.model->message.text, "direction hinge.angle is reversed"))
    fail_msg("%s", s.model->message.text);
  release(&s);
}
