/* Gains from new knots, to second order.
 *
 * New knots v are in the middle of all intervals, with values that do not change the controls. With the
 * multipliers of the search, g = dL/dv. The direction d = -g/width is the derivative with respect to the
 * control as a function of time. Along d, L changes by alpha g'd + alpha^2 d'Hd/2. Its minimum is a
 * decrease of (g'd)^2/(2 d'Hd); knot j contributes the part g_j d_j/g'd. d'Hd is the difference of two
 * gradients along d. */
#include "optim/rounds/gains.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "optim/rounds/lagrangian.h"

/* The longest change of a knot between both gradients, in its scale. The curvature is needed to a few
 * digits only, and gradients with adaptive steps have noise. */
static const double reach = 1e-3;

/* Distance from a bound, in the scale of the knot, within which the knot is at the bound. */
static const double at_bound = 1e-6;

typedef struct trial {
  const gradyn_gains *gains;
  gradyn_evaluator *refined;
  gradyn_lagrangian lagrangian;
  size_t p;
  /* rho [p]; psi [count] and gradient [count][p] of the functionals in the Lagrangian */
  double *rho, *psi, *gradient;
  double *slope[2], *d; /* [count of knots] */
} trial;

void gradyn_gains_clear(gradyn_gains *gains)
{
  free(gains->knot);
  free(gains->gain);
  *gains = (gradyn_gains){0};
}

static gradyn_status take_memory(trial *t, size_t rows, gradyn_gains *out)
{
  const size_t all = gradyn_functional_count(t->refined) + rows, count = out->count;
  t->rho = calloc(t->p + all * (t->p + 1) + 3 * count + 1, sizeof *t->rho);
  out->gain = calloc(count + 1, sizeof *out->gain);
  if (t->rho == NULL || out->gain == NULL)
    return GRADYN_NO_MEMORY;
  t->psi = t->rho + t->p;
  t->gradient = t->psi + all;
  t->slope[0] = t->gradient + all * t->p;
  t->slope[1] = t->slope[0] + count;
  t->d = t->slope[1] + count;
  return GRADYN_OK;
}

/* Computes dL/dv at the rho of the trial. */
static gradyn_status differentiate(trial *t, double slope[])
{
  const gradyn_gains *gains = t->gains;
  gradyn_evaluated *evaluated = &t->lagrangian.evaluated;
  const double *weight = t->lagrangian.weight;
  GRADYN_TRY(evaluated->objective.evaluate(evaluated, false, t->rho, t->psi, t->gradient));
  for (size_t j = 0; j < gains->count; j++) {
    const size_t column = gradyn_refined_new(t->refined, &gains->knot[j].at);
    slope[j] = 0;
    for (size_t i = 0; i < t->lagrangian.count; i++)
      if (weight[i] != 0)
        slope[j] += weight[i] * t->gradient[i * t->p + column];
  }
  return GRADYN_OK;
}

/* Selects d along the negative slope, without knots that a bound blocks. */
static void choose_direction(trial *t)
{
  const gradyn_gains *gains = t->gains;
  double longest = 0;
  for (size_t j = 0; j < gains->count; j++) {
    const gradyn_new_knot *knot = &gains->knot[j];
    const double g = t->slope[0][j], capacity = at_bound * knot->scale;
    const bool blocked = (g > 0 && knot->value <= knot->lower + capacity) ||
                         (g < 0 && knot->value >= knot->upper - capacity);
    t->d[j] = blocked ? 0 : -g / knot->width;
    longest = fmax(longest, fabs(t->d[j]) / knot->scale);
  }
  for (size_t j = 0; j < gains->count && longest > 0; j++)
    t->d[j] *= reach / longest;
}

/* Computes g'd, then the gradient at the other end of d, d'Hd, and the gains. */
static gradyn_status follow(trial *t, gradyn_gains *out)
{
  double before = 0, behind = 0;
  choose_direction(t);
  for (size_t j = 0; j < out->count; j++) {
    before += t->slope[0][j] * t->d[j];
    t->rho[gradyn_refined_new(t->refined, &out->knot[j].at)] += t->d[j];
  }
  if (before == 0)
    return GRADYN_OK;
  GRADYN_TRY(differentiate(t, t->slope[1]));
  for (size_t j = 0; j < out->count; j++)
    behind += t->slope[1][j] * t->d[j];
  /* without curvature the decrease has no limit: the decrease of the first step is a lower bound */
  const double curvature = behind - before;
  out->total = curvature > 0 ? before * before / (2 * curvature) : -before;
  for (size_t j = 0; j < out->count; j++)
    out->gain[j] = out->total * t->slope[0][j] * t->d[j] / before;
  return GRADYN_OK;
}

static gradyn_status try_all(trial *t, const gradyn_evaluator *evaluator,
                             const gradyn_search *search, const gradyn_search_result *result,
                             gradyn_message *message, gradyn_gains *out)
{
  t->p = gradyn_parameter_count(t->refined);
  GRADYN_TRY(take_memory(t, result->path_point_count, out));
  for (size_t i = 0; i < gradyn_parameter_count(evaluator); i++)
    t->rho[gradyn_refined_old(t->refined, evaluator, i)] = result->rho[i];
  for (size_t j = 0; j < out->count; j++)
    t->rho[gradyn_refined_new(t->refined, &out->knot[j].at)] = out->knot[j].value;
  GRADYN_TRY(gradyn_lagrangian_create(t->refined, search, result, t->rho, message, &t->lagrangian));
  GRADYN_TRY(differentiate(t, t->slope[0]));
  return follow(t, out);
}

gradyn_status gradyn_gains_find(gradyn_evaluator *evaluator, const gradyn_search *search,
                                const gradyn_search_result *result, gradyn_message *message,
                                gradyn_gains *out)
{
  trial t = {.gains = out};
  *out = (gradyn_gains){0};
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
    status = try_all(&t, evaluator, search, result, message, out);
  if (status != GRADYN_OK && *message->text == '\0') {
    const gradyn_evaluated *evaluated = &t.lagrangian.evaluated;
    const gradyn_evaluator *asked = evaluated->evaluator ? gradyn_evaluated_in_use(evaluated)
                                                         : t.refined;
    gradyn_fail(message, status, "%s",
                status == GRADYN_NO_MEMORY ? "out of memory" : gradyn_evaluator_message(asked));
  }
  gradyn_lagrangian_clear(&t.lagrangian);
  gradyn_evaluator_free(t.refined);
  free(t.rho);
  return status;
}
