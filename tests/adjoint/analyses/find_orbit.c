/* Creates evaluators and orbits; a failure ends the test. */
#include "tests/adjoint/analyses/find_orbit.h"
#include "tests/runs.h"

#include <complex.h>

gradyn_evaluator *orbit_open(const gradyn_problem *problem, const char *method, double t_end)
{
  return run_with(problem, .method = method, .t_end = t_end);
}

void orbit_find(gradyn_evaluator *ev, const double *rho, const gradyn_orbit_spec *spec,
                gradyn_orbit *orbit)
{
  assert_run(gradyn_orbit_compute(ev, rho, spec, orbit), ev);
}

void orbit_symmetric_sums(const gradyn_orbit *orbit, double sum[3])
{
  size_t size = orbit->transition.size, own = 0;
  double complex e[4] = {1};
  const double *m = orbit->multiplier;
  for (size_t k = 1; k < size; k++)
    if (hypot(m[2 * k] - 1, m[2 * k + 1]) < hypot(m[2 * own] - 1, m[2 * own + 1]))
      own = k;
  assert_close(m[2 * own], 1, 1e-3, 0);
  /* coefficients of the product of the factors (1 + m z) */
  for (size_t k = 0; k < size; k++)
    for (int i = 3; i > 0 && k != own; i--)
      e[i] += e[i - 1] * (m[2 * k] + _Complex_I * m[2 * k + 1]);
  for (int i = 0; i < 3; i++)
    sum[i] = creal(e[i + 1]);
}
