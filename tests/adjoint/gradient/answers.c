/* The point away from the initial parameters differs in each component. */
#include "tests/adjoint/gradient/answers.h"

void answer_place(const gradyn_evaluator *ev, int which, double rho[])
{
  for (size_t j = 0; j < gradyn_parameter_count(ev); j++)
    rho[j] = gradyn_parameter_at(ev, j).init *
             (which == 0 ? 1 : 1 + 0.01 * sin(3.0 * (double)j + 1));
}

void answer_ask(const run_setup *setup, bool from_afar, answer *a)
{
  double rho[MOST_PARAMETERS];
  run_local *ev = run_open(setup);
  a->functionals = gradyn_functional_count(ev);
  a->parameters = gradyn_parameter_count(ev);
  assert_in_range(a->parameters, 1, MOST_PARAMETERS);
  assert_in_range(a->functionals, 1, MOST_FUNCTIONALS);
  for (int i = 0; i < PLACES; i++) {
    const int k = from_afar ? PLACES - 1 - i : i;
    answer_place(ev, k, rho);
    assert_run(gradyn_evaluator_gradient(ev, rho, a->psi[k], a->gradient[k]), ev);
    a->told[k] = gradyn_evaluator_statistics(ev).gradient_error;
    a->warned[k] = run_warning(ev, GRADYN_WARNING_GRADIENT_ACCURACY).code != 0 ||
                   run_warning(ev, GRADYN_WARNING_VALUE_ACCURACY).code != 0 ||
                   run_warning(ev, GRADYN_WARNING_KINK).code != 0;
  }
}

double answer_error(const answer *a, const answer *exact, int k)
{
  double worst = 0;
  for (size_t f = 0; f < a->functionals; f++) {
    double most = 0, error = 0;
    for (size_t j = 0; j < a->parameters; j++) {
      const size_t i = f * a->parameters + j;
      most = fmax(most, fabs(exact->gradient[k][i]));
      error = fmax(error, fabs(a->gradient[k][i] - exact->gradient[k][i]));
    }
    worst = most > 0 ? fmax(worst, error / most) : worst;
  }
  return worst;
}
