/* Analyses of a ball that flies into a corner, in every scheme: two simultaneous events. */
#include "tests/adjoint/together/corner.h"
#include "tests/adjoint/grid/hybrid_checks.h"
#include "tests/runs.h"

#include <gradyn/analysis.h>

/* The two events have one saltation matrix each; their product is that of the corner. */
TEST(saltation_of_each_event)
{
  const double e[2] = {corner[FLOOR], corner[WALL]}, fall_rate = -sqrt(0.45 * 0.45 + 19.6);
  const double v[2] = {fall_rate, corner[VX]}, a[2] = {-corner[G], 0};
  memset(&corner_with, 0, sizeof corner_with);
  for (size_t k = 0; k < HYBRID_SCHEMES; k++) {
    gradyn_saltations all;
    run_local *ev = hybrid_open(&corner_problem, &hybrid_schemes[k], NULL, 0);
    assert_run(gradyn_saltations_compute(ev, corner, NULL, 0, &all), ev);
    assert_int_equal(all.count, 2);
    for (int event = 0; event < 2; event++) {
      /* [-e, 0; (1 + e) a/v, -e] for position and velocity of one axis, the unit matrix for the other; rows
       * are x, y, x', y' */
      const int i = strcmp(all.item[event].event.name, "floor") == 0 ? 1 : 0, of = 1 - i;
      double expected[16] = {0};
      for (int j = 0; j < 4; j++)
        expected[5 * j] = j % 2 == i ? -e[of] : 1;
      expected[4 * (2 + i) + i] = (1 + e[of]) * a[of] / v[of];
      assert_close_array(all.item[event].matrix, expected, 16, 1e-8, 1e-8);
    }
    gradyn_saltations_clear(&all);
  }
}

/* Covariances and transition matrices against derivatives of the closed form with respect to the initial
 * state. */
TEST(disturbances_pass_both_events)
{
  static const char *const name[] = {"rho[0]", "rho[1]", "rho[2]", "rho[3]"};
  const double C[16] = {0.04, 0, 0, 0, 0, 0.01, 0, 0, 0, 0, 0.09, 0, 0, 0, 0, 0.0025};
  const gradyn_covariance_spec spec = {.name = name, .count = 4, .matrix = C, .samples = 1};
  double expected[CORNER_F], slope[CORNER_F * CORNER_P];
  support_complex_step(corner_closed_form, corner, CORNER_P, CORNER_F, expected, slope);
  memset(&corner_with, 0, sizeof corner_with);
  for (int k = 0; k < HYBRID_SCHEMES; k++) {
    gradyn_covariance found;
    gradyn_transition transition;
    run_local *ev = hybrid_open(&corner_problem, &hybrid_schemes[k], NULL, 0);
    assert_run(gradyn_covariance_compute(ev, corner, &spec, NULL, NULL, &found), ev);
    assert_run(gradyn_transition_compute(ev, corner, NULL, 0, &transition), ev);
    for (int f = END_X; f <= END_VY; f++) {
      double variance = 0;
      for (int j = 0; j < 4; j++)
        variance += C[5 * j] * slope[f * CORNER_P + j] * slope[f * CORNER_P + j];
      assert_close(found.deviation[(size_t)f], sqrt(variance), 1e-7, 0);
      assert_close(gradyn_covariance_entry(&found, 0, (size_t)f, (size_t)f), variance, 1e-6, 0);
      assert_close_array(transition.matrix + 4 * f, slope + f * CORNER_P, 4, 1e-7, 1e-7);
    }
    gradyn_covariance_clear(&found);
    gradyn_transition_clear(&transition);
  }
}

/* P at the start equals that of a ball that hits the wall a microsecond later. */
TEST(a_regulator_passes_both_events)
{
  static const char *const state[] = {"ball.x", "ball.y"}, *const input[] = {"u"};
  const double Q[4] = {3, 0.5, 0.5, 2}, R = 0.1;
  const gradyn_regulator_spec spec = {
      .state = {state, 2, Q}, .input = {input, 1, &R}, .samples = 2};
  memset(&corner_with, 0, sizeof corner_with);
  corner_with.pushed = true;
  for (int k = 0; k < HYBRID_SCHEMES; k++) {
    double cost[2][16];
    for (int later = 0; later < 2; later++) {
      gradyn_regulator found;
      double rho[CORNER_P];
      memcpy(rho, corner, sizeof rho);
      rho[X0] += later * 2e-6;
      run_local *ev = hybrid_open(&corner_problem, &hybrid_schemes[k], NULL, 0);
      assert_run(gradyn_regulator_compute(ev, rho, &spec, &found), ev);
      memcpy(cost[later], found.cost, sizeof cost[later]);
      gradyn_regulator_clear(&found);
    }
    assert_close_array(cost[0], cost[1], 16, 1e-4, 1e-4);
  }
}
