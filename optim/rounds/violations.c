/* States violations of path constraints in the reason of a termination. */
#include "optim/rounds/violations.h"

/* Returns the largest violation of a bound that the check found. NULL: the bound is satisfied. */
static const gradyn_limit_found *worst_of(const gradyn_path_check *seen, size_t side,
                                          size_t *positions)
{
  const gradyn_limit_found *worst = NULL;
  *positions = 0;
  for (size_t i = 0; i < seen->count; i++) {
    const gradyn_limit_found *found = &seen->found[i];
    if (found->at.side != side)
      continue;
    worst = worst == NULL || found->excess > worst->excess ? found : worst;
    ++*positions;
  }
  return worst;
}

void gradyn_violations_report(const gradyn_path_check *seen, const gradyn_objective *objective,
                              gradyn_search_result *said)
{
  for (size_t f = 0; f < objective->functional_count; f++) {
    size_t positions;
    const gradyn_limit_found *worst = worst_of(seen, f, &positions);
    const gradyn_functional_info *side = &objective->functionals[f];
    if (worst == NULL)
      continue;
    gradyn_termination_add(said, "path constraint",
                           "%s reaches %.3g%s%s at t = %.6g s, its tolerance is %.3g", side->name,
                           worst->excess, *side->unit != '\0' ? " " : "", side->unit, worst->t,
                           side->tolerance);
    if (positions > 1)
      gradyn_termination_append(said, ", and at %zu more times", positions - 1);
  }
}
