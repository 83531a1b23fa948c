/* The likelihood of boehm-stat5: the published value at the published point, and elimination of sigma. */
#include "tests/runs.h"

#include <math.h>

extern const gradyn_problem gradyn_problem_boehm_stat5;

enum { P = 9, DATA = 16, SIGNALS = 3, F = SIGNALS * (DATA + 2) };

/* The collection PEtab: rate constants, then standard deviations. */
static const double published[P] = {0.026982514033029, 1.00067973851508e-5, 0.006170228086381,
                                    0.0163679184468,   97749.3794024716,    15766.5070195731,
                                    3.85261197844677,  6.59147818673419,    3.15271275648527};

static double objective(gradyn_evaluator *ev, const double rho[], double psi[])
{
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
  return psi[0] + psi[DATA + 2] + psi[2 * (DATA + 2)];
}

TEST(the_published_point_has_the_published_value)
{
  static const char *const methods[] = {"radau", "idas"};
  double rho[P], psi[F];
  for (int j = 0; j < P; j++)
    rho[j] = log10(published[j]);
  for (int m = 0; m < 2; m++) {
    run_local *ev = run_with(&gradyn_problem_boehm_stat5, .method = methods[m],
                             .max_steps = 1000000);
    assert_int_equal(gradyn_functional_count(ev), F);
    assert_close(objective(ev, rho, psi), 138.22200, 0, 5e-6);
  }
}

/* The best standard deviation of a signal is the root of the mean square of its residuals. */
TEST(the_best_deviations_have_a_closed_form)
{
  double rho[P], psi[F], gradient[F][P];
  run_local *ev = run_with(&gradyn_problem_boehm_stat5, .method = "explicit");
  (void)run_initial(ev, rho);
  (void)objective(ev, rho, psi);
  for (int i = 0; i < SIGNALS; i++) {
    double sum = 0;
    for (int k = 0; k < DATA; k++)
      sum += pow(psi[i * (DATA + 2) + 2 + k] * pow(10, rho[6 + i]), 2);
    rho[6 + i] = log10(sqrt(sum / DATA));
  }
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient[0]), ev);
  for (int i = 0; i < SIGNALS; i++)
    assert_close(gradient[i * (DATA + 2)][6 + i], 0, 0, 1e-9);
}
