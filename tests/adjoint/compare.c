/* Comparisons of gradients: see compare.h. */
#include "tests/adjoint/compare.h"
#include "tests/runs.h"

/* Psi [functionals] and dpsi/dd [functionals][data], to be freed. */
static double *data_gradient(gradyn_evaluator *ev, const double rho[], double psi[])
{
  const size_t numbers = gradyn_functional_count(ev) * gradyn_data_count(ev);
  assert_in_range(gradyn_functional_count(ev), 1, COMPARE_FUNCTIONALS);
  double *gradient = calloc(numbers, sizeof(double));
  assert_non_null(gradient);
  assert_run(gradyn_data_gradient(ev, rho, psi, gradient), ev);
  return gradient;
}

/* Of numbers that may vanish. */
static const double round_off = 1e-13;

static void compare_row(const gradyn_evaluator *ev, size_t f, const double *a, const double *b,
                        const compare_bounds *bounds)
{
  const size_t data = gradyn_data_count(ev);
  double largest = 0;
  for (size_t k = 0; k < data; k++)
    if (!bounds->counts || bounds->counts(gradyn_datum_at(ev, k).name))
      largest = fmax(largest, fabs(b[k]));
  assert_true(bounds->vanish || largest > 0);
  for (size_t k = 0; k < data; k++) {
    const char *name = gradyn_datum_at(ev, k).name;
    if (bounds->counts && !bounds->counts(name))
      continue;
    const double atol = fmax(bounds->share * largest, bounds->vanish ? round_off : 0);
    if (support_error(a[k], b[k], bounds->rtol, atol) > 1)
      print_error("%s of %s by %s:\n", gradyn_functional_at(ev, f).name,
                  gradyn_evaluator_problem(ev)->name, name);
    assert_close(a[k], b[k], bounds->rtol, atol);
  }
}

void compare_by_data(gradyn_evaluator *direct, gradyn_evaluator *adjoint, const double rho[],
                     const compare_bounds *bounds)
{
  const size_t nf = gradyn_functional_count(direct), data = gradyn_data_count(direct);
  double psi[2][COMPARE_FUNCTIONALS];
  double *a = data_gradient(direct, rho, psi[0]), *b = data_gradient(adjoint, rho, psi[1]);
  assert_close_array(psi[1], psi[0], nf, bounds->values, bounds->vanish ? round_off : 0);
  for (size_t f = 0; f < nf; f++)
    compare_row(direct, f, b + f * data, a + f * data, bounds);
  /* equal to the last bit they would be one computation */
  assert_memory_not_equal(a, b, nf * data * sizeof *a);
  free(a);
  free(b);
}

void compare_slope(gradyn_evaluator *ev, const double rho[], size_t j, double h, double slope[])
{
  static const double weight[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  const size_t nf = gradyn_functional_count(ev), np = gradyn_parameter_count(ev);
  double moved[COMPARE_PARAMETERS], above[COMPARE_FUNCTIONALS], below[COMPARE_FUNCTIONALS];
  assert_in_range(nf, 1, COMPARE_FUNCTIONALS);
  assert_in_range(np, 1, COMPARE_PARAMETERS);
  memcpy(moved, rho, np * sizeof *moved);
  memset(slope, 0, nf * sizeof *slope);
  for (int i = 1; i <= 4; i++) {
    gradyn_status status[2];
    moved[j] = rho[j] + i * h;
    status[0] = gradyn_simulate(ev, moved, above, NULL);
    assert_run(status[0], ev);
    moved[j] = rho[j] - i * h;
    status[1] = gradyn_simulate(ev, moved, below, NULL);
    assert_run(status[1], ev);
    for (size_t f = 0; f < nf; f++)
      slope[f] += weight[i - 1] * (above[f] - below[f]) / h;
  }
}

void compare_with_differences(gradyn_evaluator *ev, const double rho[], double h, double rtol,
                              const double atol[])
{
  const size_t nf = gradyn_functional_count(ev), np = gradyn_parameter_count(ev);
  double gradient[COMPARE_FUNCTIONALS * COMPARE_PARAMETERS], slope[COMPARE_FUNCTIONALS];
  assert_in_range(nf * np, 1, GRADYN_COUNT(gradient));
  assert_run(gradyn_gradient(ev, rho, NULL, gradient), ev);
  for (size_t j = 0; j < np; j++) {
    compare_slope(ev, rho, j, h, slope);
    for (size_t f = 0; f < nf; f++) {
      if (support_error(gradient[f * np + j], slope[f], rtol, atol[f]) > 1)
        print_error("%s of %s by %s:\n", gradyn_functional_at(ev, f).name,
                    gradyn_evaluator_problem(ev)->name, gradyn_parameter_at(ev, j).name);
      assert_close(gradient[f * np + j], slope[f], rtol, atol[f]);
    }
  }
}
