/* Attraction of two points: force and energy in closed form, an ellipse by Kepler's laws, and every
 * derivative against differences. */
#include <math.h>
#include <string.h>

#include "tests/mbs/bench.h"
#include "tests/mbs/motion.h"
#include "tests/mbs/refusal.h"

static const double strength = 3.7, core = 0.6, place[4] = {0.4, 0.3, 1.5, -0.8};

static gradyn_status pair(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int P = gradyn_point(model, "P", 0, 0), Q = gradyn_point(model, "Q", 1, 0);
  gradyn_attraction(model, &(gradyn_attraction_spec){"pull", P, Q, strength, core});
  gradyn_functional(model, &(gradyn_functional_spec){"energy", gradyn_measure_energy(model, ""),
                                                     .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

static gradyn_status pair_in_space(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int A = gradyn_ground_point_3d(model, "A", 0.1, 0.2, 0.3);
  int P = gradyn_point_3d(model, "P", 1, 0, 0.4);
  gradyn_attraction(model, &(gradyn_attraction_spec){"push", A, P, -strength, 0});
  gradyn_functional(model, &(gradyn_functional_spec){"energy", gradyn_measure_energy(model, ""),
                                                     .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

TEST(derivatives_are_right)
{
  for (int k = 0; k < 2; k++) {
    bench_local b;
    bench_open(&b, k ? pair_in_space : pair, k ? NULL : place);
    bench_check_residual(&b, BENCH_K_FORCE | BENCH_X_FORCE);
    assert_int_equal(bench_check_functional(&b, 0), 1 | 2);
  }
}

/* f = G s/(s^2 + c^2)^(3/2) along the line; the energy is the work of moving the points from infinity. */
TEST(values_are_those_of_plummer)
{
  bench_local b;
  double r[4];
  bench_open(&b, pair, place);
  gradyn_mech_state at = bench_state(&b, b.y, b.t);
  assert_ok(b.mech->ops->residual(b.mech, GRADYN_FORCE, &at, r), b.model->message.text);
  double s = hypot(1.1, 1.1), f = strength * s / pow(hypot(s, core), 3);
  const double expected[4] = {-f * 1.1 / s, f * 1.1 / s, f * 1.1 / s, -f * 1.1 / s}; /* R = -Q */
  assert_close_array(r, expected, 4, 1e-14, 0);
  assert_close(bench_functional(&b, 0), -strength / hypot(s, core), 1e-14, 0);
}

/* A satellite of 2 kg at its perihelion, 1 m from the fixed centre. G = 2 N m^2 makes mu = 1; the velocity
 * sqrt(1.5) gives an ellipse of eccentricity 1/2 with the semi-major axis 2 m. */
static gradyn_status satellite(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int centre = gradyn_ground_point(model, "centre", 0, 0), P = gradyn_point(model, "P", 1, 0);
  gradyn_point_mass(model, "satellite", P, 2);
  gradyn_initial_velocity(model, P, 0, sqrt(1.5));
  gradyn_attraction(model, &(gradyn_attraction_spec){.from = P, .to = centre, .strength = 2});
  gradyn_functional(model, &(gradyn_functional_spec){"energy", gradyn_measure_energy(model, ""),
                                                     .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

/* After half the period pi a^(3/2) it is at its aphelion, three times as far and a third as fast;
 * U + T = -G/2a. */
TEST(ellipses_are_those_of_kepler)
{
  motion_local m;
  motion_run(&m, satellite, "explicit", acos(-1) * sqrt(8), 1e-11);
  assert_close(motion_end(&m, "P.x"), -3, 1e-9, 0);
  assert_close(motion_end(&m, "P.y"), 0, 0, 1e-9);
  assert_close(motion_end(&m, "P.vy"), -sqrt(1.5) / 3, 1e-9, 0);
  assert_close(motion_functional(&m, 0), -0.5, 1e-9, 0);
}

static void of_no_point(gradyn_model *model)
{
  gradyn_attraction(model, &(gradyn_attraction_spec){"pull", REFUSAL_P, 9, 1, 0});
}

static void of_negative_core(gradyn_model *model)
{
  gradyn_attraction(model, &(gradyn_attraction_spec){"pull", REFUSAL_P, REFUSAL_Q, 1, -0.5});
}

static const refusal refusals[] = {
    {of_no_point, "pull"}, {of_negative_core, "pull.core is -0.5: it must not be negative"}};

TEST(wrong_ones_are_refused)
{
  refusal_check((int)GRADYN_COUNT(refusals), refusals);
}

/* With a core radius of zero, coincident points have no defined force; this is reported. */
TEST(meeting_points_are_reported)
{
  bench_local b;
  double r[4];
  const double same[4] = {0.4, 0.3, 0.4, 0.3};
  bench_open(&b, pair, same);
  bench_load(&b, bench_datum(&b, "pull.core"), -core);
  gradyn_mech_state at = bench_state(&b, b.y, b.t);
  assert_status(b.mech->ops->residual(b.mech, GRADYN_FORCE, &at, r), GRADYN_NON_FINITE,
                b.model->message.text);
  assert_says(b.model->message.text, "the points of attraction pull coincide");
}
