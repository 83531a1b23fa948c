/* Comparisons of gradients: see compare.h. */
#include "tests/adjoint/compare.h"

/* Psi [functionals] and dpsi/dd [functionals][data], to be freed. */
static double *data_gradient(gradyn_evaluator *ev, const double rho[], double psi[])
{
  const size_t numbers = gradyn_functional_count(ev) * gradyn_evaluator_model_info(ev).data;
  assert_in_range(gradyn_functional_count(ev), 1, COMPARE_FUNCTIONALS);
  double *gradient = calloc(numbers, sizeof(double));
  assert_non_null(gradient);
  assert_run(gradyn_evaluator_data_gradient(ev, rho, psi, gradient), ev);
  return gradient;
}

/* Of numbers that may vanish. */
static const double round_off = 1e-13;

static void compare_row(const gradyn_evaluator *ev, size_t f, const double *a, const double *b,
                        const compare_bounds *bounds)
{
  const size_t data = gradyn_evaluator_model_info(ev).data;
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
  const size_t nf = gradyn_functional_count(direct),
               data = gradyn_evaluator_model_info(direct).data;
  double psi[2][COMPARE_FUNCTIONALS];
  FREED double *a = data_gradient(direct, rho, psi[0]), *b = data_gradient(adjoint, rho, psi[1]);
  assert_close_array(psi[1], psi[0], nf, bounds->values, bounds->vanish ? round_off : 0);
  for (size_t f = 0; f < nf; f++)
    compare_row(direct, f, b + f * data, a + f * data, bounds);
  /* identical bits would mean that both are the same computation */
  assert_memory_not_equal(a, b, nf * data * sizeof *a);
}

void compare_routes(const run_setup *setup, const double rho[], double bound)
{
  run_setup way[2] = {*setup, *setup};
  way[0].sensitivity = "direct";
  way[1].sensitivity = "adjoint";
  run_local *direct = run_open(&way[0]), *adjoint = run_open(&way[1]);
  double initial[COMPARE_PARAMETERS];
  assert_in_range(gradyn_parameter_count(direct), 0, COMPARE_PARAMETERS);
  run_initial(direct, initial);
  compare_by_data(
      direct, adjoint, rho ? rho : initial,
      &(compare_bounds){.values = bound, .rtol = bound, .share = bound, .vanish = true});
}

/* Differentiates all functionals along a line of parameters: central differences of order 8, with points up
 * to four steps away. */
static void differ(gradyn_evaluator *ev, const double rho[], const double line[], double slope[])
{
  static const double weight[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  const size_t nf = gradyn_functional_count(ev), np = gradyn_parameter_count(ev);
  double moved[COMPARE_PARAMETERS], psi[2][COMPARE_FUNCTIONALS];
  memset(slope, 0, nf * sizeof *slope);
  for (int i = 1; i <= 4; i++) {
    for (int side = 0; side < 2; side++) {
      for (size_t j = 0; j < np; j++)
        moved[j] = rho[j] + (side ? -i : i) * line[j];
      assert_run(gradyn_evaluator_simulate(ev, moved, psi[side], NULL), ev);
    }
    for (size_t f = 0; f < nf; f++)
      slope[f] += weight[i - 1] * (psi[0][f] - psi[1][f]);
  }
}

/* Counts and names the functionals whose gradient [nf][np] disagrees with differences along a line. */
static int count_wrong(gradyn_evaluator *ev, const double rho[], const double line[],
                       const double gradient[], const compare_allowed *allowed, const char *by)
{
  const size_t nf = gradyn_functional_count(ev), np = gradyn_parameter_count(ev);
  double slope[COMPARE_FUNCTIONALS];
  int wrong = 0;
  differ(ev, rho, line, slope);
  for (size_t f = 0; f < nf; f++) {
    double along = 0, largest = 0;
    for (size_t j = 0; j < np; j++) {
      const double part = gradient[f * np + j] * line[j];
      along += part;
      largest = fmax(largest, fabs(part));
    }
    const double atol = allowed->atol ? allowed->atol[f] * allowed->h : 0;
    if (support_error(along, slope[f], 0, allowed->rtol * largest + atol) <= 1)
      continue;
    print_error("%s of %s by %s: %.17g is not %.17g\n", gradyn_functional_at(ev, f).name,
                gradyn_evaluator_problem(ev)->name, by, along, slope[f]);
    wrong++;
  }
  return wrong;
}

void compare_with_differences(gradyn_evaluator *ev, const double rho[],
                              const compare_allowed *allowed)
{
  const size_t nf = gradyn_functional_count(ev), np = gradyn_parameter_count(ev);
  double line[COMPARE_PARAMETERS] = {0}, one[COMPARE_PARAMETERS] = {0};
  assert_in_range(nf, 1, COMPARE_FUNCTIONALS);
  assert_in_range(np, 1, COMPARE_PARAMETERS);
  double *gradient = support_zeros(nf * np, sizeof *gradient);
  assert_run(gradyn_evaluator_gradient(ev, rho, NULL, gradient), ev);
#ifdef GRADYN_SANITIZED /* with sanitizers, running the code is enough; other builds compare the numbers */
  free(gradient);
  return;
#endif
  /* all parameters change along this line, each by a different fraction of its step, so that errors do not
   * cancel */
  for (size_t j = 0; j < np; j++) {
    const double h = allowed->h > 0 ? allowed->h : allowed->size * fmax(fabs(rho[j]), 0.1);
    line[j] = (j % 2 ? -h : h) * (1 - fmod(0.618 * (double)j, 1) / 2);
  }
  const int wrong = count_wrong(ev, rho, line, gradient, allowed, "all");
  for (size_t j = 0; j < np && wrong > 0; j++) {
    one[j] = line[j];
    count_wrong(ev, rho, one, gradient, allowed, gradyn_parameter_at(ev, j).name);
    one[j] = 0;
  }
  assert_int_equal(wrong, 0);
  free(gradient);
}
