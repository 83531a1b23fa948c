/* Periodic gaits: a rolling wheel in closed form, walkers against an independent integration and a
 * published gait, and derivatives against differences of orbits. */
#include "tests/runs.h"
#include "tests/adjoint/analyses/find_orbit.h"
#include "tests/reference/compass_walker.h"
#include "tests/reference/simplest_walker.h"

#include <complex.h>

extern const gradyn_problem gradyn_problem_rimless_wheel, gradyn_problem_compass_walker;

/* --- the wheel: w = eta sqrt(w^2 + G) ------------------------------------------------------------- */

enum { WHEEL_P = 4 };
static const double wheel[WHEEL_P] = {0.39269908169872414, 0.08, 0.1, 1.3};

/* vx of the hub after an impact: w cos(half_angle). */
static double complex wheel_speed(const double complex p[WHEEL_P])
{
  double complex inertia = 1 + p[2], eta = (ccos(2 * p[0]) + p[2]) / inertia;
  double complex fall = 4 * 9.81 * csin(p[0]) * csin(p[1]) / inertia;
  return eta * csqrt(fall / (1 - eta * eta)) * ccos(p[0]);
}

TEST(the_wheel_has_the_closed_form)
{
  static const char *const wanted[] = {"hub.x"};
  run_local *ev = orbit_open(&gradyn_problem_rimless_wheel, "idas", 0);
  double eta = (cos(2 * wheel[0]) + 0.1) / 1.1;
  LOCAL(gradyn_orbit) orbit;
  double complex p[WHEEL_P] = {wheel[0], wheel[1], wheel[2], wheel[3]};
  orbit_find(ev, wheel,
             &(gradyn_orbit_spec){
                 .preferred_coordinates = wanted, .preferred_count = 1, .section = "step"},
             &orbit);
  assert_int_equal(orbit.transition.size, 2);
  assert_int_equal(orbit.event_count, 1);
  assert_string_equal(orbit.event[0].name, "step");
  assert_close(orbit.transition.start[0], -sin(wheel[0]), 1e-9, 0);
  assert_close(orbit.transition.start[1], creal(wheel_speed(p)), 1e-9, 0);
  assert_close(orbit.multiplier[0], 1, 1e-9, 0);
  assert_close(orbit.multiplier[2], eta * eta, 1e-9, 0);
  for (int j = 0; j < WHEEL_P; j++) {
    p[j] += 1e-40 * _Complex_I;
    assert_close(orbit.start_slope[WHEEL_P + j], cimag(wheel_speed(p)) / 1e-40, 1e-9, 1e-9);
    p[j] = wheel[j];
  }
}

/* An orbit of three strides has three times the period, and the third power of the multiplier. */
TEST(several_returns_are_one_period)
{
  for (int k = 0; k < RUN_METHODS; k++) {
    if (!support_takes(k + 1, 5))
      continue;
    LOCAL(gradyn_orbit) one, three;
    run_local *ev = orbit_open(&gradyn_problem_rimless_wheel, run_methods[k], 3.5);
    orbit_find(ev, wheel, &(gradyn_orbit_spec){.section = "step"}, &one);
    orbit_find(ev, wheel, &(gradyn_orbit_spec){.section = "step", .returns = 3}, &three);
    double a[3], b[3];
    orbit_symmetric_sums(&one, a);
    orbit_symmetric_sums(&three, b);
    assert_int_equal(three.event_count, 3);
    assert_close(three.period, 3 * one.period, 1e-8, 0);
    assert_close(b[0], a[0] * a[0] * a[0], 1e-3, 0); /* steps restart after each event */
    for (int j = 0; j < WHEEL_P; j++)
      assert_close(three.period_slope[j], 3 * one.period_slope[j], 1e-6, 1e-8);
  }
}

/* --- the walker ----------------------------------------------------------------------------------- */

enum { P = WALKER_PARAMETERS };
static const double rough[P] = {0.05235987755982988, 2, 1, 0.3, -1.4, -0.1};

/* Derivatives of one step of the reference with respect to its initial state. */
static void differentiate_step(const double at[P], double behind[3], double D[9])
{
  double result[WALKER_RESULTS], slope[WALKER_RESULTS * P];
  support_complex_step(compass_walker, at, P, WALKER_RESULTS, result, slope);
  for (int i = 0; i < 3; i++) {
    behind[i] = result[i];
    for (int j = 0; j < 3; j++)
      D[3 * i + j] = slope[i * P + 3 + j];
  }
}

/* Angles and rates of the legs from "swinging.x", "hip.x" and their rates. */
static void walker_state(const gradyn_orbit *orbit, double at[P])
{
  const double *w = orbit->transition.start, slope = rough[0];
  double stand = asin(-w[1]), swing = asin(w[0] - w[1]); /* from the normal */
  memcpy(at, rough, P * sizeof(double));
  at[3] = stand - slope;
  at[4] = -w[3] / cos(stand);
  at[5] = (w[2] - w[3]) / cos(swing);
}

THOROUGH_TEST(the_gait_is_that_of_the_reference)
{
  static const char *const wanted[] = {"swinging.x", "hip.x"};
  LOCAL(gradyn_orbit) orbit;
  run_local *ev = orbit_open(&gradyn_problem_compass_walker, "idas", 0);
  orbit_find(ev, rough,
             &(gradyn_orbit_spec){
                 .preferred_coordinates = wanted, .preferred_count = 2, .section = "step"},
             &orbit);
  double at[P], behind[3], D[9], sum[3];
  walker_state(&orbit, at);
  differentiate_step(at, behind, D);
  assert_close_array(behind, at + 3, 3, 1e-9, 1e-9);
  orbit_symmetric_sums(&orbit, sum);
  double minors = D[0] * D[4] - D[1] * D[3] + D[0] * D[8] - D[2] * D[6] + D[4] * D[8] - D[5] * D[7];
  double det = D[0] * (D[4] * D[8] - D[5] * D[7]) - D[1] * (D[3] * D[8] - D[5] * D[6]) +
               D[2] * (D[3] * D[7] - D[4] * D[6]);
  assert_close(sum[0], D[0] + D[4] + D[8], 1e-8, 0);
  assert_close(sum[1], minors, 1e-8, 0);
  assert_close(sum[2], det, 1e-8, 0);
}

/* Steps of the walker's parameters along a line, chosen so that all three have effects of similar size. */
static const double steps[3] = {2e-4, 4e-3, 2e-3};

/* State and period [size + 1] of the walker's orbit at the parameters moved by `times` steps. */
static void moved(gradyn_evaluator *ev, double times, double out[5])
{
  LOCAL(gradyn_orbit) orbit;
  double rho[P] = {rough[0], 2, 1, 0.2187, -1.0924, -0.3774};
  for (int j = 0; j < 3; j++)
    rho[j] += times * steps[j];
  orbit_find(ev, rho, &(gradyn_orbit_spec){.section = "step"}, &orbit);
  memcpy(out, orbit.transition.start, 4 * sizeof(double));
  out[4] = orbit.period;
}

/* The smallest of the three contributions is a fiftieth of the largest, so it is accurate to 3e-7 and the
 * others to 5e-8. */
TEST(derivatives_are_those_of_orbits)
{
  for (int k = 0; k < RUN_METHODS; k++) {
    if (!support_takes(k + 1, 2))
      continue;
    /* with fixed steps, the event must stay inside one step, since derivatives jump by O(h^2) when it
     * passes a node */
    const double h = k < 2 ? 1 : 0.15;
    double at[4][5];
    LOCAL(gradyn_orbit) orbit;
    run_local *ev = orbit_open(&gradyn_problem_compass_walker, run_methods[k], 0);
    orbit_find(ev, rough, &(gradyn_orbit_spec){.section = "step"}, &orbit);
    for (int i = 0; i < 4; i++)
      moved(ev, h * (i / 2 + 1) * (i % 2 ? -1 : 1), at[i]);
    for (int i = 0; i < 5; i++) {
      const double near = (at[0][i] - at[1][i]) / (2 * h), far = (at[2][i] - at[3][i]) / (4 * h);
      const double *slope = i < 4 ? orbit.start_slope + i * P : orbit.period_slope;
      double along = 0, size = 0;
      for (int j = 0; j < 3; j++) {
        along += slope[j] * steps[j];
        size = fmax(size, fabs(slope[j] * steps[j]));
      }
      assert_close(along, (4 * near - far) / 3, 0, 5e-9 * size);
    }
    for (int j = 3; j < P; j++) /* the initial guess must not change the orbit */
      assert_close(orbit.period_slope[j], 0, 0, 1e-9);
  }
}

/* A gait at a slope of 0.009 published by Garcia et al. (1998): angle and rate of the standing leg, sum and
 * product of the multipliers, and the precision of the printed numbers. `guess` starts our search. */
typedef struct published {
  double z[2], sum, product, printed, guess[3];
} published;

/* The published multipliers were computed by forward differences with steps of 1e-5. */
static void compare_differences(const published *gait, const double z[2], double time)
{
  const double step = 1e-5;
  double D[2][2];
  for (int j = 0; j < 2; j++) {
    double moved[2] = {z[0] + (j == 0 ? step : 0), z[1] + (j == 1 ? step : 0)};
    simplest_walker_stride(0.009, time, moved);
    for (int i = 0; i < 2; i++)
      D[i][j] = (moved[i] - z[i]) / step;
  }
  assert_close(D[0][0] + D[1][1], gait->sum, 0, gait->printed);
  assert_close(D[0][0] * D[1][1] - D[0][1] * D[1][0], gait->product, 0, gait->printed);
}

/* With nearly massless legs that carry their mass at the feet, the walker approaches the simplest walking
 * model. Results depend linearly on the remaining mass, so two masses give the limit by extrapolation. */
static void compare_with_simplest(const published *gait)
{
  static const char *const wanted[] = {"swinging.x", "hip.x"};
  double z[2] = {gait->z[0] + 1e-4, gait->z[1] + 1e-4}, D[2][2], found[2][6];
  const double time = simplest_walker(0.009, z, D);
  assert_close_array(z, gait->z, 2, 2e-9, 0);
  compare_differences(gait, z, time);
  run_local *ev = orbit_open(&gradyn_problem_compass_walker, "idas", 1.5);
  for (int k = 0; k < 2; k++) {
    const double *at = gait->guess, rho[P] = {0.009, k == 0 ? 1e5 : 1e6, 1e9, at[0], at[1], at[2]};
    const double *w;
    LOCAL(gradyn_orbit) orbit;
    orbit_find(ev, rho,
               &(gradyn_orbit_spec){
                   .preferred_coordinates = wanted, .preferred_count = 2, .section = "step"},
               &orbit);
    w = orbit.transition.start;
    found[k][0] = asin(-w[1]);
    found[k][1] = -w[3] / cos(found[k][0]) / sqrt(9.81);
    found[k][2] = orbit.period * sqrt(9.81);
    orbit_symmetric_sums(&orbit, found[k] + 3);
  }
  const double expected[6] = {
      z[0], z[1], time, D[0][0] + D[1][1], D[0][0] * D[1][1] - D[0][1] * D[1][0], 0};
  for (int i = 0; i < 6; i++)
    assert_close(found[1][i] + (found[1][i] - found[0][i]) / 9, expected[i], 1e-8, 1e-8);
}

/* The long-period gait is stable, with multipliers -0.1912 +- 0.5563 i; the short-period one has the
 * multipliers 4.000 and 0.459. */
TEST(the_limit_is_the_simplest_walker)
{
  const double re = -0.19120868949940, im = 0.55633363687106;
  const published gaits[] = {{.z = {0.20031090049483, -0.19983247291764},
                              .sum = 2 * re,
                              .product = re * re + im * im,
                              .printed = 1e-7,
                              .guess = {0.191, -0.626, -0.57}},
                             {.z = {0.19393736960624, -0.20386692731962},
                              .sum = 4.000 + 0.459,
                              .product = 4.000 * 0.459,
                              .printed = 3e-3,
                              .guess = {0.1849, -0.6385, -0.59}}};
  if (!support_thorough())
    skip();
  for (size_t k = 0; k < GRADYN_COUNT(gaits); k++)
    compare_with_simplest(&gaits[k]);
}
