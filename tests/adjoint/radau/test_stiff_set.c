/* radau on stiff problems with published end values: values and gradients within the tolerance, direct and
 * adjoint. */
#include <math.h>

#include "tests/adjoint/stiff_set.h"
#include "tests/runs.h"

enum { TOLERANCES = 3, ENTRIES = STIFF_STATES * STIFF_PARAMETERS };
static const double rtol[TOLERANCES] = {1e-5, 1e-7, 1e-9};

/* Computes values, and gradients unless `gradient` is NULL; returns their estimated error. */
static double run(const stiff_problem *p, const char *sensitivity, double tolerance,
                  const double rho[], double *psi, double *gradient)
{
  const gradyn_problem problem = stiff_declare(p);
  run_local *ev = run_with(&problem, .method = "radau", .sensitivity = sensitivity,
                           .rtol = tolerance);
  assert_run(gradient ? gradyn_evaluator_gradient(ev, rho, psi, gradient)
                      : gradyn_evaluator_simulate(ev, rho, psi, NULL),
             ev);
  return gradyn_evaluator_statistics(ev).gradient_error;
}

TEST(published_values_are_met)
{
  for (int k = 0; k < STIFF_PROBLEMS; k++)
    for (int i = 0; i < TOLERANCES; i++) {
      const stiff_problem *p = &stiff_set[k];
      double psi[STIFF_STATES];
      run(p, "adjoint", rtol[i], p->parameter, psi, NULL);
      for (int s = 0; s < p->states; s++)
        assert_close(psi[s], p->end[s], 3 * rtol[i], 0);
    }
}

/* The largest difference of two gradients, relative to the larger component of each functional. */
static double apart(const stiff_problem *p, const double *a, const double *b)
{
  double worst = 0;
  for (int s = 0; s < p->states; s++)
    for (int j = 0; j < STIFF_PARAMETERS; j++)
      worst = fmax(worst,
                   fabs(a[2 * s + j] - b[2 * s + j]) / fmax(fabs(b[2 * s]), fabs(b[2 * s + 1])));
  return worst;
}

/* If derivatives are much larger during the run than at its end, so is their round-off. This occurs in the
 * jumps of van der Pol's oscillator and towards the end of Robertson's reaction at 1e11 s. */
TEST(direct_equals_adjoint)
{
  for (int k = 0; k < STIFF_PROBLEMS; k++) {
    const stiff_problem *p = &stiff_set[k];
    double psi[STIFF_STATES], direct[ENTRIES], adjoint[ENTRIES];
    run(p, "adjoint", 1e-6, p->parameter, psi, adjoint);
    run(p, "direct", 1e-6, p->parameter, psi, direct);
    assert_true(apart(p, direct, adjoint) < (p->grows ? 1e-6 : 1e-11));
  }
}

/* Central differences with respect to one parameter, with two step sizes and a much tighter tolerance. */
static void differentiate(const stiff_problem *p, int j, double *slope)
{
  double side[4][STIFF_STATES];
  const double h = 2e-4 * p->parameter[j];
  static const double at[] = {1, -1, 0.5, -0.5};
  for (int i = 0; i < 4; i++) {
    double rho[STIFF_PARAMETERS] = {p->parameter[0], p->parameter[1]};
    rho[j] += at[i] * h;
    run(p, "adjoint", 1e-9, rho, side[i], NULL);
  }
  for (int s = 0; s < p->states; s++) /* (4 D(h/2) - D(h))/3 */
    slope[s] = (4 * (side[2][s] - side[3][s]) / h - (side[0][s] - side[1][s]) / (2 * h)) / 3;
}

TEST(gradients_meet_the_tolerance)
{
  for (int k = 0; k < STIFF_PROBLEMS; k++) {
    const stiff_problem *p = &stiff_set[k];
    if (!support_takes(k, 2))
      continue;
    double psi[STIFF_STATES], slope[STIFF_STATES], quotient[ENTRIES], gradient[ENTRIES];
    if (p->grows)
      continue;
    for (int j = 0; j < STIFF_PARAMETERS; j++) {
      differentiate(p, j, slope);
      for (int s = 0; s < p->states; s++)
        quotient[2 * s + j] = slope[s];
    }
    const double told = run(p, "adjoint", 1e-4, p->parameter, psi, gradient);
    const double off = apart(p, gradient, quotient);
    print_message("%s: gradient off by %.2g, %.2g are told\n", p->name, off, told);
    assert_true(off < 3 * fmax(1e-4, told));
  }
}

/* Derivatives that are much larger during the run than at its end show whether a sweep uses exactly the
 * lengths of the run's steps. If it used differences of their end times, van der Pol's lengths were wrong
 * by 1e-9 in the jumps, and the gradient by a hundredth at any tolerance. */
TEST(gradients_that_grow_during_the_run_meet_it)
{
  for (int k = 0; k < STIFF_PROBLEMS; k++) {
    const stiff_problem *p = &stiff_set[k];
    double psi[STIFF_STATES], exact[ENTRIES], gradient[ENTRIES];
    if (!p->grows)
      continue;
    run(p, "adjoint", 1e-8, p->parameter, psi, exact);
    for (int i = 0; i < 2; i++) {
      run(p, "adjoint", rtol[i], p->parameter, psi, gradient);
      const double off = apart(p, gradient, exact);
      print_message("%s at %.0e: gradient off by %.2g\n", p->name, rtol[i], off);
      assert_true(off < 3 * rtol[i]);
    }
  }
}

/* The repeated run with a tenth of the tolerance must not be abandoned because of little progress in time:
 * the steps grow by decades. */
TEST(no_gradient_is_called_inexact)
{
  for (int k = 0; k < STIFF_PROBLEMS; k++) {
    const gradyn_problem problem = stiff_declare(&stiff_set[k]);
    run_local *ev = run_with(&problem, .method = "radau", .rtol = 1e-6);
    double psi[STIFF_STATES], gradient[ENTRIES];
    assert_run(gradyn_evaluator_gradient(ev, stiff_set[k].parameter, psi, gradient), ev);
    assert_string_equal(gradyn_evaluator_warnings(ev), "");
  }
}
