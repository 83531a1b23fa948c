/* Common parts of the tests of whole problems. */
#include "tests/problems/run.h"

size_t run_functional(const gradyn_evaluator *evaluator, const char *name)
{
  size_t count = gradyn_functional_count(evaluator);
  for (size_t i = 0; i < count; i++)
    if (strcmp(gradyn_functional_at(evaluator, i).name, name) == 0)
      return i;
  fail_msg("there is no functional called %s", name);
  return 0;
}

/* An array of zeros; the test fails if there is no memory. */
static double *numbers(size_t count)
{
  double *array = support_zeros(count + 1, sizeof *array);
  return array;
}

static double *initial_values(const gradyn_evaluator *evaluator)
{
  size_t count = gradyn_parameter_count(evaluator);
  double *rho = numbers(count);
  run_initial(evaluator, rho);
  return rho;
}

size_t run_gradient(const run_setup *setup, const double rho[], double psi[], double gradient[])
{
  run_local *evaluator = run_open(setup);
  size_t count = gradyn_functional_count(evaluator);
  FREED double *initial = initial_values(evaluator);
  assert_run(gradyn_evaluator_gradient(evaluator, rho ? rho : initial, psi, gradient), evaluator);
  return count;
}

void run_compare_methods(const run_setup *setup, const double rho[], double rtol)
{
  run_local *evaluator = run_open(setup);
  size_t p = gradyn_parameter_count(evaluator), size = p * gradyn_functional_count(evaluator);
  FREED double *direct = numbers(size), *adjoint = numbers(size);
  run_setup with = *setup;
  with.sensitivity = "direct";
  size_t count = run_gradient(&with, rho, NULL, direct);
  with.sensitivity = "adjoint";
  run_gradient(&with, rho, NULL, adjoint);
  assert_close_rows(adjoint, direct, count, p, rtol);
  assert_memory_not_equal(direct, adjoint, size * sizeof *direct);
}

void run_optimise(const run_setup *setup, const double rho[], double optimality, double change,
                  gradyn_search_result *result)
{
  run_local *evaluator = run_open(setup);
  FREED double *initial = initial_values(evaluator);
  gradyn_search search = run_search(evaluator);
  search.ftol = search.xtol = change;
  search.optimality = optimality;
  search.max_evaluations = 3000;
  assert_ok(gradyn_optimise(evaluator, &search, rho ? rho : initial, result), result->reason);
}
