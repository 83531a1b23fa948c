/* Gains from new knots, to second order.
 *
 * New knots are in the middle of all intervals, with values that do not change the controls. The quadratic
 * model of this finer problem has its minimum at a step d. Let r_j be the change of knot j by d, minus that
 * of the coarse signal at the same time. The coarse optimum is stationary along coarse signals. As long as
 * no bound becomes active, the decrease is therefore the sum of -(dL/dv_j) r_j / 2 over the new knots. */
#include "optim/rounds/gains.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "optim/rounds/quadratic.h"

/* The problem with new knots. */
typedef struct finer {
  gradyn_evaluator *coarse, *refined;
  gradyn_quadratic model;
  double *rho, *step; /* [parameters of refined] */
  bool *vary;         /* [parameters of refined] */
  double *moved;      /* [parameters of coarse] */
} finer;

void gradyn_gains_clear(gradyn_gains *gains)
{
  free(gains->knot);
  free(gains->gain);
  *gains = (gradyn_gains){0};
}

static gradyn_status take_memory(finer *t, gradyn_gains *out)
{
  const size_t p = gradyn_parameter_count(t->refined), coarse = gradyn_parameter_count(t->coarse);
  out->gain = calloc(out->count + 1, sizeof *out->gain);
  t->rho = calloc(2 * p + coarse + 1, sizeof *t->rho);
  t->vary = calloc(p + 1, sizeof *t->vary);
  if (out->gain == NULL || t->rho == NULL || t->vary == NULL)
    return GRADYN_NO_MEMORY;
  t->step = t->rho + p;
  t->moved = t->step + p;
  return GRADYN_OK;
}

/* Fills the parameters of the finer problem with the present controls, and marks those that may change. */
static void fill_point(finer *t, const gradyn_search *search, const gradyn_search_result *result,
                       const gradyn_gains *gains)
{
  for (size_t i = 0; i < gradyn_parameter_count(t->coarse); i++) {
    const size_t j = gradyn_refined_old(t->refined, t->coarse, i);
    t->rho[j] = result->rho[i];
    t->vary[j] = search->vary ? search->vary[i] : !gradyn_parameter_at(t->coarse, i).fixed;
  }
  for (size_t k = 0; k < gains->count; k++) {
    const size_t j = gradyn_refined_new(t->refined, &gains->knot[k].at);
    t->rho[j] = gains->knot[k].value;
    t->vary[j] = true;
  }
}

/* Distributes the decrease over the new knots, by their changes relative to the coarse signal. */
static gradyn_status share(finer *t, const bool vary[], gradyn_gains *out)
{
  const gradyn_quadratic *model = &t->model;
  const size_t p = gradyn_parameter_count(t->refined);
  FREED gradyn_new_knot *there = NULL;
  size_t count = 0;
  double sum = 0;
  for (size_t i = 0; i < gradyn_parameter_count(t->coarse); i++) {
    const size_t j = gradyn_refined_old(t->refined, t->coarse, i);
    t->moved[i] = t->rho[j] + t->step[j];
  }
  GRADYN_TRY(gradyn_new_knots(t->coarse, t->moved, vary, &there, &count));
  for (size_t k = 0; k < out->count && count == out->count; k++) {
    const size_t j = gradyn_refined_new(t->refined, &out->knot[k].at);
    double slope = 0;
    for (size_t i = 0; i < model->objective.functional_count; i++)
      slope += model->lagrangian.weight[i] * model->gradient[i * p + j];
    out->gain[k] = fmax(-slope * (t->rho[j] + t->step[j] - there[k].value), 0);
    sum += out->gain[k];
  }
  for (size_t k = 0; k < out->count; k++)
    out->gain[k] = sum > 0 ? out->gain[k] * out->total / sum : out->total / (double)out->count;
  return GRADYN_OK;
}

/* Minimises the quadratic model of the finer problem. */
static gradyn_status predict(finer *t, const gradyn_search *search,
                             const gradyn_search_result *result, gradyn_message *message,
                             gradyn_gains *out)
{
  gradyn_search how = *search;
  how.vary = t->vary;
  GRADYN_TRY(gradyn_quadratic_create(t->refined, search, result, t->rho, message, &t->model));
  GRADYN_TRY(gradyn_quadratic_minimise(&t->model, &how, t->step, &out->total));
  return share(t, search->vary, out);
}

gradyn_status gradyn_gains_find(gradyn_evaluator *evaluator, const gradyn_search *search,
                                const gradyn_search_result *result, gradyn_message *message,
                                gradyn_gains *out)
{
  finer t = {.coarse = evaluator};
  *out = (gradyn_gains){.total = NAN};
  gradyn_status status = gradyn_new_knots(evaluator, result->rho, search->vary, &out->knot,
                                          &out->count);
  if (status != GRADYN_OK)
    return gradyn_fail(message, status, "%s", gradyn_evaluator_message(evaluator));
  if (out->count == 0)
    return gradyn_fail(message, GRADYN_UNSUPPORTED,
                       "refined controls: no signal can have new knots; this requires knots "
                       "that are separate parameters or fixed, with times in a fixed order");
  status = gradyn_refined_create(evaluator, out->knot, out->count, &t.refined);
  if (status == GRADYN_OK)
    status = take_memory(&t, out);
  if (status == GRADYN_OK) {
    fill_point(&t, search, result, out);
    status = predict(&t, search, result, message, out);
    if (gradyn_status_describe((int)status).kind != GRADYN_CLASS_FATAL && status != GRADYN_OK) {
      if (*message->text == '\0')
        gradyn_fail(message, status, "the quadratic model has no minimum");
      out->total = NAN;
      status = GRADYN_OK;
    }
  }
  if (status != GRADYN_OK && *message->text == '\0')
    gradyn_fail(message, status, "%s",
                status == GRADYN_NO_MEMORY ? "out of memory" : gradyn_evaluator_message(t.refined));
  gradyn_quadratic_clear(&t.model);
  gradyn_evaluator_free(t.refined);
  free(t.rho);
  free(t.vary);
  return status;
}
