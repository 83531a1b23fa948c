/* Uncertain parameters together with priors, logarithmic parameters, segments, and signs of numbers. */
#include "tests/optim/inference/uncertain.h"

#include "tests/declare.h"
#include <gradyn/optimise.h>

/* --- priors ------------------------------------------------------------------------------------ */

FORMULAS(rises, at->yp[0] - at->data[0])
FORMULA(height, at->y[0])

/* y(1) = a, where a has the standard deviation 0.1 a. */
static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_state(model, "y", "m", 0);
  declare_equations(model, rises, &(gradyn_datum){"slope", "m/s", rho[0]}, 1);
  gradyn_uncertain(model, "a", GRADYN_NORMAL, 0.1);
  gradyn_minimise(model, declare_end(model, "y", "m", height), 1);
  return gradyn_build_status(model);
}

/* Moments to second order of functional f of one normal variable with standard deviation s. value: with
 * slope and curvature. */
static void check(const gradyn_uncertainty *u, size_t f, const double value[3], double s)
{
  const double change = value[1] * s, curve = value[2] * s * s;
  assert_close(u->value[f], value[0], 1e-10, 1e-12);
  assert_close(u->change[f], change, 1e-8, 0);
  assert_close(u->moments[GRADYN_MOMENTS_SECOND][f].mean, value[0] + curve / 2, 1e-8, 0);
  assert_close(u->moments[GRADYN_MOMENTS_SECOND][f].variance, change * change + curve * curve / 2,
               1e-7, 0);
}

static size_t find(const gradyn_evaluator *ev, const char *name)
{
  size_t i = 0;
  while (strcmp(gradyn_functional_at(ev, i).name, name) != 0)
    assert_true(++i < gradyn_functional_count(ev));
  return i;
}

/* The prior (a - 0.8)/0.2, or (ln a - ln 0.8)/0.2 of the logarithm, is evaluated for the displaced
 * parameter. The spread is that of a in both. */
TEST(priors_are_those_of_displaced_parameters)
{
  static const double scale = 1 / 0.2;
  for (int k = 0; k < 2; k++) {
    const gradyn_param list[] = {{"a", "m/s", .init = 1, .lower = 0.1, .upper = 5,
                                  .prior = k == 0 ? 0.8 : log(0.8), .prior_deviation = 0.2,
                                  .logarithmic = k == 1}};
    const gradyn_problem problem = PROBLEM("informed", build, list, .t_end = 1, .rtol = 1e-11);
    run_local *ev = run_with(&problem, .method = "explicit");
    LOCAL(gradyn_uncertainty) u;
    assert_ok(uncertain_compute(ev, (gradyn_uncertainty_spec){.second = true}, &u), u.message);
    const double r = (k == 0 ? 0.2 : -log(0.8)) * scale, curve = k == 0 ? 0 : -scale;
    check(&u, find(ev, "y"), (double[]){1, 1, 0}, 0.1);
    check(&u, find(ev, "prior.a[0]"), (double[]){r, scale, curve}, 0.1);
    check(&u, find(ev, "prior.a"), (double[]){r * r / 2, r * scale, scale * scale + r * curve},
          0.1);
  }
}

/* --- segments ----------------------------------------------------------------------------------- */

/* If all offsets are zero, declarations of uncertainty do not change the evaluations of a search. */
TEST(segments_have_the_same_search_with_uncertain_numbers)
{
  double rho[2][SUMS_P];
  long evaluations[2];
  for (int k = 0; k < 2; k++) {
    run_local *ev = run_with(.problem = &uncertain_sums, .setting = "fault",
                             .value = k == 0 ? SUMS_GOOD : SUMS_NONE, .method = "explicit");
    gradyn_search search = run_search(ev);
    double start[SUMS_P];
    LOCAL(gradyn_search_result) result;
    search.segments = 3;
    (void)run_initial(ev, start);
    assert_ok(gradyn_optimise(ev, &search, start, &result), result.reason);
    memcpy(rho[k], result.rho, sizeof rho[k]);
    evaluations[k] = result.evaluations;
  }
  assert_memory_equal(rho[0], rho[1], sizeof rho[0]);
  assert_int_equal(evaluations[0], evaluations[1]);
  /* 3 + 0.9 b + 2.2 q = 0 */
  assert_close(rho[0][1], -(3 + 0.9 * 0.3) / 2.2, 1e-5, 0);
}

/* --- signs -------------------------------------------------------------------------------------- */

/* A mass on a spring; the mass is uncertain as a datum. */
static gradyn_status swing(gradyn_model *model, const gradyn_scalar rho[])
{
  const int bob = gradyn_point(model, "bob", 1, 0);
  gradyn_point_mass(model, "bob", bob, rho[0]);
  gradyn_gravity(model, 0, -9.81);
  gradyn_uncertain(model, "bob.mass", GRADYN_NORMAL, 0.5);
  gradyn_minimise(model,
                  declare_functional(model, "fall",
                                     gradyn_measure_point(model, "y", bob, 0, GRADYN_Y),
                                     GRADYN_AT_END),
                  1);
  return gradyn_build_status(model);
}

/* The normal distribution with mean 1 and standard deviation 0.5 is below zero with a probability of 2.3 %.
 */
TEST(draws_with_a_negative_mass_are_refused_by_name)
{
  static const gradyn_param list[] = {{"mass", "kg", .init = 1, .lower = 0.1, .upper = 5}};
  const gradyn_problem problem = PROBLEM("bob", swing, list, .t_end = 0.1);
  run_local *ev = run_with(&problem, .method = "explicit");
  LOCAL(gradyn_uncertainty) u;
  assert_ok(uncertain_compute(ev, (gradyn_uncertainty_spec){.points = 1024}, &u), u.message);
  assert_true(u.failed >= 20 && u.failed <= 27);
  assert_says(u.failure, "uncertain number bob.mass");
  assert_says(u.failure, "it must stay positive");
}
