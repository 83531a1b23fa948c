/* The cart with its pole, and a crank, in natural coordinates. */
#include <gradyn/gradyn.h>

#include "tests/optim/segments/turning.h"
#include "tests/support.h"
#include "tests/declare.h"

enum { POLE_KNOTS = 21, CRANK_KNOTS = 11 };
static const double pi = 3.14159265358979323846;

/* Final conditions: an angle and rest, with the least effort. */
static gradyn_status finish(gradyn_model *model, int from, int to, int signal, double turn)
{
  gradyn_constrain(model,
                   gradyn_functional(model,
                                     &(gradyn_functional_spec){
                                         "turn", gradyn_measure_line_angle(model, "", from, to, 1),
                                         .reduction = GRADYN_INTEGRAL}),
                   turn, turn, 1e-8);
  gradyn_constrain(model,
                   gradyn_functional(model,
                                     &(gradyn_functional_spec){
                                         "w_end", gradyn_measure_line_angle(model, "", from, to, 1),
                                         .reduction = GRADYN_AT_END}),
                   0, 0, 1e-8);
  gradyn_minimise(
      model,
      gradyn_functional(model, &(gradyn_functional_spec){"effort",
                                                         gradyn_measure_signal(model, "", signal),
                                                         .reduction = GRADYN_SQUARE_INTEGRAL}),
      1);
  return gradyn_build_status(model);
}

/* The pole with or without bounds of the track. */
static gradyn_status declare_pole(gradyn_model *model, const gradyn_scalar rho[], bool short_track)
{
  const int force = declare_signal(model, "force", "N", GRADYN_PIECEWISE_LINEAR, POLE_KNOTS, rho);
  const int cart = gradyn_point(model, "cart", 0, 0), bob = gradyn_point(model, "bob", 0, -0.5);
  gradyn_point_mass(model, "cart.mass", cart, 1);
  gradyn_point_mass(model, "bob.mass", bob, 0.3);
  gradyn_rod(model, &(gradyn_rod_spec){"pole", cart, bob, .length = 0.5});
  gradyn_coordinate(model, "track", cart, GRADYN_Y, &(gradyn_time_function){.value = 0});
  declare_push(model, "drive", cart, 1, 0, force);
  gradyn_gravity(model, 0, -9.81);
  gradyn_fix_initial_coordinate(model, cart, GRADYN_X);
  gradyn_fix_initial_coordinate(model, bob, GRADYN_X);
  gradyn_constrain(
      model,
      gradyn_functional(
          model,
          &(gradyn_functional_spec){"x_end", gradyn_measure_point(model, "", cart, 0, GRADYN_X),
                                    .reduction = GRADYN_AT_END}),
      1, 1, 1e-8);
  gradyn_constrain(
      model,
      gradyn_functional(
          model,
          &(gradyn_functional_spec){"v_end", gradyn_measure_point(model, "", cart, 1, GRADYN_X),
                                    .reduction = GRADYN_AT_END}),
      0, 0, 1e-8);
  const int x = gradyn_measure_point(model, "x", cart, 0, GRADYN_X);
  if (short_track)
    gradyn_path_constraint(model, "track_ends", x, -0.05, 1.05, 1e-7, NULL);
  return finish(model, cart, bob, force, pi);
}

static gradyn_status build_pole(gradyn_model *model, const gradyn_scalar rho[])
{
  return declare_pole(model, rho, false);
}

static gradyn_status build_on_short_track(gradyn_model *model, const gradyn_scalar rho[])
{
  return declare_pole(model, rho, true);
}

static const gradyn_param forces[] = {
    {"u", "N", .lower = -20, .upper = 20, .scale = 8, .role = GRADYN_CONTROL, .count = POLE_KNOTS}};

const gradyn_problem turning_pole = PROBLEM("turning_pole", build_pole, forces, .t_end = 2);

const gradyn_problem turning_pole_on_short_track = PROBLEM(
    "turning_pole_on_short_track", build_on_short_track, forces, .t_end = 2);

static gradyn_status build_crank(gradyn_model *model, const gradyn_scalar rho[])
{
  const int torque = declare_signal(model, "torque", "N m", GRADYN_PIECEWISE_LINEAR, CRANK_KNOTS,
                                    rho);
  const int pin = gradyn_ground_point(model, "pin", 0, 0), tip = gradyn_point(model, "tip", 0.5, 0);
  gradyn_point_mass(model, "tip.mass", tip, 1);
  gradyn_rod(model, &(gradyn_rod_spec){"arm", pin, tip, .length = 0.5});
  gradyn_torque(model, &(gradyn_torque_spec){"motor", pin, tip, .torque = 1, .signal = torque});
  gradyn_fix_initial_coordinate(model, tip, GRADYN_Y);
  return finish(model, pin, tip, torque, 20 * pi);
}

/* With the initial torques, the crank makes nearly ten turns. */
static const gradyn_param torques[] = {{"u", "N m", .lower = -200, .upper = 200, .scale = 8,
                                        .role = GRADYN_CONTROL, .count = CRANK_KNOTS, .init = 22.8,
                                        .init_end = -22.8, .ramp = true}};

const gradyn_problem turning_crank = PROBLEM("turning_crank", build_crank, torques, .t_end = 2);
