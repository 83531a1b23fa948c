/* Memory: a failed allocation in a search with path constraints leaves no wrong result that looks right. */
#include "tests/allocations.h"
#include "tests/runs.h"
#include "tests/declare.h"

static const gradyn_param params[] = {
    {"slope", "1/s", .init = 1, .lower = 0, .upper = 10},
};

/* y' = s (1 - t) has its maximum s/2 at 1 s. */
FORMULA(residual, at->yp[0] - at->data[0] * (1 - at->t))

FORMULA(height, at->y[0])

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum slope = {"slope", "1/s", rho[0]};
  gradyn_state(m, "y", "", 0);
  declare_equations(m, residual, &slope, 1);
  gradyn_path_constraint(
      m, "y",
      gradyn_measure_custom(
          m, &(gradyn_custom_measure_spec){"y", "", .formula = height, .hidden = true}),
      -HUGE_VAL, 1, 1e-6, NULL);
  gradyn_minimise(m, gradyn_design_functional(m, "steep", "1/s", rho[0]), -1);
  return gradyn_build_status(m);
}

static const gradyn_problem problem = PROBLEM("hill", build, params, .t_end = 2.2);

/* The largest slope within the path constraint is 2. */
static gradyn_status search(const void *user, char *message)
{
  gradyn_evaluator *ev = NULL;
  const double rho0[] = {1};
  gradyn_search_result result;
  (void)user;
  gradyn_options options = run_options(&problem);
  options.method = "explicit";
  options.rtol = 1e-6;
  gradyn_status status = gradyn_evaluator_create(&problem, &options, NULL, 0, &ev);
  if (status != GRADYN_OK) {
    (void)snprintf(message, ALLOCATIONS_MESSAGE, "%s",
                   ev ? gradyn_evaluator_message(ev) : "memory");
    gradyn_evaluator_free(ev);
    return status;
  }
  gradyn_search how = run_search(ev);
  how.verify_discretisation = false;
  status = gradyn_optimise(ev, &how, rho0, &result);
  /* comparisons of the optimum with other methods may be left out */
  (void)snprintf(message, ALLOCATIONS_MESSAGE, "%s",
                 status == GRADYN_OK ? "memory" : result.reason);
  if (status == GRADYN_OK && !(fabs(result.rho[0] - 2) < 1e-5 && result.rounds > 1))
    status = GRADYN_INTERNAL;
  gradyn_search_result_clear(&result);
  gradyn_evaluator_free(ev);
  return status;
}

TEST(want_of_memory_leaves_no_false_optimum)
{
  allocations_check(search, NULL, "a search with limits");
}
