/* Gradients by methods with fixed steps: direct against adjoint for every datum, and against differences of
 * the run. */
#include "tests/adjoint/ali3p_models.h"

/* Members of families: all integrators of ali3p, and quadratures of variational. */
static const run_setup schemes[] = {
    {.method = "ali3p", .integrator = "trapezoidal"},
    {.method = "ali3p", .integrator = "newmark", .integrator_parameter = 0.6},
    {.method = "ali3p", .integrator = "hht", .integrator_parameter = -0.1},
    {.method = "ali3p", .integrator = "generalised-alpha", .integrator_parameter = 0.8},
    {.method = "variational", .quadrature = 0.5},
    {.method = "variational", .quadrature = 0.3},
    {.method = "variational", .quadrature = 1}};

enum { SCHEMES = GRADYN_COUNT(schemes), INTEGRATORS = 4 };

static run_setup setup_of(int scheme, run_setup setup)
{
  setup.method = schemes[scheme].method;
  setup.integrator = schemes[scheme].integrator;
  setup.integrator_parameter = schemes[scheme].integrator_parameter;
  setup.quadrature = schemes[scheme].quadrature;
  return setup;
}

/* Models: small and dense with the Schur complement, and large and sparse; constraints and signals that
 * depend on time, and a free end time. Also points attached to others, whose products with data are
 * evaluated one direction at a time, and redundant constraints. */
static const struct {
  run_setup setup;
  int schemes; /* the first so many */
  bool (*counts)(const char *datum);
} rows[] = {
    {.setup = {.problem = &gradyn_problem_five_bar, .step = 5e-3}, .schemes = SCHEMES},
    {.setup = {.problem = &gradyn_problem_chain, .setting = "links", .value = 3, .step = 1e-3},
     .schemes = SCHEMES},
    {.setup = {.problem = &gradyn_problem_chain, .setting = "links", .value = 20, .step = 5e-3},
     .schemes = SCHEMES},
    {.setup = {.problem = &ali3p_driven}, .schemes = SCHEMES},
    {.setup = {.problem = &ali3p_attached}, .schemes = SCHEMES},
    {.setup = {.problem = &gradyn_problem_parallel_bars, .setting = "redundant", .step = 1e-3},
     .schemes = SCHEMES},
    {.setup = {.problem = &gradyn_problem_parallel_bars,
               .setting = "redundant",
               .value = 1,
               .step = 1e-3},
     .schemes = INTEGRATORS,
     .counts = ali3p_keeps_parallel}};

TEST(direct_equals_adjoint)
{
  for (size_t k = 0; k < GRADYN_COUNT(rows); k++)
    for (int i = 0; i < rows[k].schemes; i++) {
      if (!support_takes((int)k + i, 6))
        continue;
      const run_setup setup = setup_of(i, rows[k].setup);
      ali3p_compare_data(&setup, rows[k].counts, 1e-10);
    }
}

TEST(differences_agree)
{
  static const struct {
    run_setup setup;
    double size;
    int schemes; /* the first so many */
  } some[] = {{{.problem = &gradyn_problem_chain, .step = 5e-3}, 2e-3, SCHEMES},
              {{.problem = &gradyn_problem_five_bar, .step = 0.01, .t_end = 2}, 1e-3, SCHEMES},
              {{.problem = &ali3p_attached}, 4e-3, SCHEMES},
              {{.problem = &ali3p_driven}, 4e-3, SCHEMES},
              {{.problem = &gradyn_problem_parallel_bars, .step = 4e-3}, 4e-3, INTEGRATORS}};
  for (size_t k = 0; k < GRADYN_COUNT(some); k++)
    for (int i = 0; i < some[k].schemes; i++) {
      if (!support_takes((int)k + i, 4))
        continue;
      const run_setup setup = setup_of(i, some[k].setup);
      ali3p_compare_differences(&setup, some[k].size, 1e-7);
    }
}
