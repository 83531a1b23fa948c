/* Path constraints in a search: their samples, which are in a second evaluator of the same problem, and
 * checks of runs. */
#include <stdlib.h>
#include <string.h>

#include "optim/rounds/resume.h"

gradyn_evaluator *gradyn_evaluated_in_use(const gradyn_evaluated *u)
{
  return u->held.limited != NULL ? gradyn_limited_evaluator(u->held.limited) : u->evaluator;
}

const bool *gradyn_evaluated_wanted(const gradyn_evaluated *u)
{
  return u->held.limited != NULL ? u->held.requested : u->requested;
}

/* Removes the samples. */
static void let_go(gradyn_held *held)
{
  gradyn_limited_free(held->limited);
  free(held->at);
  free(held->requested);
  *held = (gradyn_held){0};
}

gradyn_status gradyn_evaluated_hold(void *evaluated, const gradyn_limit_at at[], size_t count,
                                    gradyn_functional_info info[])
{
  gradyn_evaluated *u = evaluated;
  const size_t f = u->objective.functional_count;
  let_go(&u->held);
  if (count == 0)
    return GRADYN_OK;
  gradyn_held *held = &u->held;
  held->at = calloc(count, sizeof *held->at);
  held->requested = calloc(f + count, sizeof *held->requested);
  if (held->at == NULL || held->requested == NULL) {
    let_go(held);
    return GRADYN_NO_MEMORY;
  }
  memcpy(held->at, at, count * sizeof *at);
  held->count = count;
  memcpy(held->requested, u->requested, f * sizeof *held->requested);
  for (size_t i = 0; i < f; i++) /* samples replace path constraints */
    held->requested[i] = held->requested[i] && u->functionals[i].use != GRADYN_PATH_CONSTRAINT;
  for (size_t i = 0; i < count; i++)
    held->requested[f + i] = true;
  const gradyn_status status = gradyn_limited_create(u->evaluator, at, count, &held->limited);
  if (held->limited == NULL) {
    let_go(held);
    return GRADYN_NO_MEMORY;
  }
  for (size_t i = 0; i < count && status == GRADYN_OK; i++)
    info[i] = gradyn_functional_at(gradyn_limited_evaluator(held->limited), f + i);
  return status;
}

gradyn_status gradyn_evaluated_look(void *evaluated, const double rho[], double part,
                                    gradyn_path_check *out)
{
  gradyn_evaluated *u = evaluated;
  return gradyn_limits_find(u->evaluator, rho, part, out);
}

void gradyn_evaluated_fill_sides(const gradyn_evaluated *u, double psi[], double gradient[])
{
  gradyn_objective_fill_sides(u->held.at, u->held.count, u->objective.functional_count, NULL,
                              u->objective.parameter_count, psi, gradient);
}
