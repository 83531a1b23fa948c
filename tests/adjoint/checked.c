/* Runs gradyn_evaluator_check() and counts its items. */
#include "tests/adjoint/checked.h"

#include "tests/runs.h"

void checked_run(gradyn_evaluator *ev, bool wrong, checked *out)
{
  double rho[100];
  assert_true(gradyn_parameter_count(ev) <= GRADYN_COUNT(rho));
  run_initial(ev, rho);
  *out = (checked){.count = 0};
  gradyn_status status = gradyn_evaluator_check(ev, rho, NULL, out->item, GRADYN_COUNT(out->item),
                                                &out->count);
  for (size_t i = 0; i < out->count; i++) {
    out->wrong += !out->item[i].passed;
    out->kinks += out->item[i].kink;
    out->left += out->item[i].skipped > 0;
    if (!wrong && !out->item[i].passed)
      print_message("%s: %g, at most %g\n", out->item[i].name, out->item[i].error,
                    out->item[i].tolerance);
  }
  assert_status(status, wrong ? GRADYN_CHECK_FAILED : GRADYN_OK, gradyn_evaluator_message(ev));
}

void checked_problem(const gradyn_problem *problem, const char *method, bool wrong, checked *out)
{
  run_local *ev = run_with(problem, .method = method);
  checked_run(ev, wrong, out);
}

const gradyn_check_item *checked_find(const checked *c, const char *name, const char *route)
{
  for (size_t i = 0; i < c->count; i++)
    if (strncmp(c->item[i].name, name, strlen(name)) == 0 &&
        (!route || strstr(c->item[i].route, route)))
      return &c->item[i];
  return NULL;
}
