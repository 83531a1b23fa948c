/* Declarations have the same effect in any order: velocities after other declarations, masses of attached
 * points before all others, angles in all directions. */
#include "tests/runs.h"

#include <complex.h>

static gradyn_evaluator *open_problem(const gradyn_problem *problem)
{
  return run_with(.problem = problem);
}

/* --- velocities ------------------------------------------------------------------------------------- */

static gradyn_status build_thrown(gradyn_model *model, const gradyn_scalar rho[])
{
  int a = gradyn_point(model, "a", 0.1, 0.2), b = gradyn_point(model, "b", 1.5, 2.5);
  gradyn_point_mass(model, "first", a, 1);
  gradyn_point_mass(model, "second", b, 1);
  gradyn_initial_velocity(model, a, rho[0], rho[1]);
  gradyn_functional(
      model, &(gradyn_functional_spec){"a.end", gradyn_measure_point(model, "", a, 0, GRADYN_X),
                                       .reduction = GRADYN_AT_END});
  gradyn_functional(
      model, &(gradyn_functional_spec){"b.end", gradyn_measure_point(model, "", b, 0, GRADYN_X),
                                       .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

TEST(a_velocity_is_that_of_its_point_alone)
{
  static const gradyn_param params[] = {{"vx", "m/s", .init = 3, GRADYN_UNBOUNDED},
                                        {"vy", "m/s", .init = 4, GRADYN_UNBOUNDED}};
  static const gradyn_problem thrown = PROBLEM("thrown", build_thrown, params, .t_end = 2);
  const double rho[] = {3, 4};
  double psi[2];
  run_local *ev = open_problem(&thrown);
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
  assert_close(psi[0], 0.1 + 2 * 3, 1e-9, 0);
  assert_close(psi[1], 1.5, 1e-9, 0);
}

/* --- masses ----------------------------------------------------------------------------------------- */

static gradyn_status build_dumbbell(gradyn_model *model, const gradyn_scalar rho[])
{
  int p = gradyn_point(model, "p", 0, 0), q = gradyn_point(model, "q", 1, 0);
  gradyn_point_mass(model, "middle", gradyn_point_between(model, "half", p, q, 0.5), rho[0]);
  gradyn_point_mass(model, "first", p, 1);
  gradyn_point_mass(model, "second", q, 1);
  gradyn_rod(model, &(gradyn_rod_spec){"bar", p, q, .length = 1});
  gradyn_force(model, &(gradyn_force_spec){.name = "pull", .point = p, .fx = 5});
  gradyn_functional(
      model, &(gradyn_functional_spec){"end", gradyn_measure_point(model, "", q, 0, GRADYN_X),
                                       .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

/* A force pulls along the line: position 1 + f t^2/(2 (2 + m)). */
TEST(a_mass_between_others_is_moved)
{
  static const gradyn_param params[] = {{"m", "kg", .init = 3, GRADYN_UNBOUNDED}};
  static const gradyn_problem dumbbell = PROBLEM("dumbbell", build_dumbbell, params, .t_end = 2);
  const double m = 3;
  double psi, gradient;
  run_local *ev = open_problem(&dumbbell);
  assert_run(gradyn_evaluator_gradient(ev, &m, &psi, &gradient), ev);
  assert_close(psi, 1 + 5 * 2 / (2 + m), 1e-7, 0);
  assert_close(gradient, -5 * 2 / ((2 + m) * (2 + m)), 1e-7, 0);
}

/* --- angles ----------------------------------------------------------------------------------------- */

/* Two rods in the plane, with the angle between them as a coordinate. */
static gradyn_status build_bars(gradyn_model *model, const gradyn_scalar rho[])
{
  int O = gradyn_ground_point(model, "O", 0, 0);
  int p = gradyn_point(model, "p", ccos(rho[0]), csin(rho[0]));
  int q = gradyn_point(model, "q", ccos(rho[1]), csin(rho[1]));
  gradyn_rod(model, &(gradyn_rod_spec){"Op", O, p, .length = 1, .mass = 1});
  gradyn_rod(model, &(gradyn_rod_spec){"Oq", O, q, .length = 1, .mass = 1});
  (void)gradyn_frame_coordinate(model, "angle", gradyn_rod_frame(model, "from", O, p),
                                gradyn_rod_frame(model, "to", O, q), GRADYN_ANGLE);
  return gradyn_build_status(model);
}

/* The initial value of the angle is that of the declared rods, never the opposite one. */
TEST(bars_may_point_anywhere)
{
  enum { DIRECTIONS = 14 };
  static const gradyn_param params[] = {{"from", "rad", .init = 0, GRADYN_UNBOUNDED},
                                        {"to", "rad", .init = 1, GRADYN_UNBOUNDED}};
  static const gradyn_problem adjoints = PROBLEM("bars", build_bars, params, .t_end = 1);
  run_local *ev = open_problem(&adjoints);
  for (int k = 0; k < DIRECTIONS * DIRECTIONS; k++) {
    const double rho[] = {0.1 + 0.45 * (k % DIRECTIONS), 0.2 + 0.45 * (int)(k / DIRECTIONS)};
    gradyn_dof freedom;
    assert_run(gradyn_dof_compute(ev, rho, &freedom, NULL), ev);
    assert_int_equal(freedom.degrees, 2);
  }
}
