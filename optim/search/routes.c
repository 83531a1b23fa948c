/* Comparison of the adjoint gradient with a direct sweep.
 *
 * With a wrong derivative, a search ends at a wrong point, at which the wrong gradient vanishes. The
 * adjoint and a direct sweep share the forward run only. One directional derivative therefore shows an
 * error of either of them. With fixed steps, both are exact derivatives of the same numbers. If steps are
 * adaptive, the direct sweep has a tighter tolerance. Before a difference is then reported, both routes are
 * repeated with a still tighter tolerance: a difference that tolerances explain decreases. */
#include "optim/search/routes.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/evaluator/choice.h"
#include "adjoint/gradient/gradient.h"
#include "optim/search/recheck.h"

/* A difference relative to a gradient is permitted up to `alike`, or up to `of_tolerance` times the
 * tolerance of a run. Tolerances explain a difference if ten times tighter ones reduce it to `explained`. A
 * gradient below `negligible` times its functional counts as small. */
static const double alike = 1e-8, of_tolerance = 10, explained = 1.0 / 3, negligible = 1e-2;

typedef struct routes {
  gradyn_evaluator *evaluator;
  const gradyn_objective *objective;
  gradyn_search_result *result;
  double *line;        /* [p], direction of the derivatives */
  double *psi, *slope; /* [f], values and directional derivatives of the direct sweep */
  double *scale;       /* [f], sizes by which slopes are divided */
  double *gradient;    /* [f][p], from the repetition with a tighter tolerance */
} routes;

/* Selects a random direction, with components in units of the parameters. Returns false if no parameter is
 * free. */
static bool choose_line(routes *r)
{
  const size_t p = r->objective->parameter_count;
  uint64_t seed = 20; /* the same for every search, so that results can be repeated */
  bool any = false;
  for (size_t j = 0; j < p; j++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const double unit = (double)(seed >> 11) / 9007199254740992.0; /* 2^53 */
    /* in [-1, -1/2] or [1/2, 1]: every parameter contributes */
    r->line[j] = r->result->parameter_scale[j] * (unit < 0.5 ? -0.5 - unit : unit);
    any = any || r->line[j] != 0;
  }
  return any;
}

/* Size by which slopes of functional f are divided: the length of its gradient in units of the parameters,
 * or a part of its value if that is larger. For the objective, the slope at the start of the search counts
 * too. */
static double scale_of(const routes *r, size_t f)
{
  const size_t p = r->objective->parameter_count;
  const gradyn_functional_info *info = &r->objective->functionals[f];
  double sum = 0;
  for (size_t j = 0; j < p; j++)
    sum += fabs(r->result->gradient[f * p + j] * r->line[j]);
  if ((info->use == GRADYN_OBJECTIVE || info->use == GRADYN_LARGEST) && info->weight != 0)
    sum = fmax(sum, 1 / (r->result->objective_scale * fabs(info->weight)));
  return fmax(sum, negligible * fabs(r->result->psi[f]));
}

/* Returns the largest difference between a slope and the gradient, divided by the scale. *whose: its
 * functional. */
static double compare(const routes *r, const double *gradient, size_t *whose)
{
  const size_t p = r->objective->parameter_count;
  double worst = 0;
  for (size_t f = 0; f < r->objective->functional_count; f++) {
    double sum = 0;
    for (size_t j = 0; j < p; j++)
      sum += r->line[j] != 0 ? gradient[f * p + j] * r->line[j] : 0;
    const double apart = fabs(sum - r->slope[f]) / r->scale[f];
    if (r->objective->used[f] && apart > worst) { /* NAN: the functional is not used */
      worst = apart;
      *whose = f;
    }
  }
  return worst;
}

/* Runs a direct sweep by a separate evaluator, with tolerances that are `times` tighter. again: computes
 * the adjoint gradient too. */
static gradyn_status sweep(const routes *r, double times, bool again)
{
  gradyn_options options = gradyn_evaluator_options(r->evaluator);
  OWNED(gradyn_evaluator) *other = NULL;
  if (options.rtol > 0) {
    gradyn_recheck_tighten(&options, times);
    options.rtol_sens = 0;
  }
  GRADYN_TRY(gradyn_evaluator_clone(r->evaluator, &options, &other));
  gradyn_choice_follow(other, r->evaluator);
  GRADYN_TRY(gradyn_slope(other, r->result->rho, r->line, r->psi, r->slope));
  return again ? gradyn_evaluator_gradient_selected(other, r->objective->used, r->result->rho,
                                                    r->psi, r->gradient)
               : GRADYN_OK;
}

/* Compares the direct sweep with the gradient, and reports a difference that a tighter tolerance does not
 * reduce. */
static gradyn_status look(routes *r)
{
  const double rtol = gradyn_evaluator_options(r->evaluator).rtol;
  const double allowed = fmax(alike, of_tolerance * rtol);
  size_t whose = 0;
  for (size_t f = 0; f < r->objective->functional_count; f++)
    r->scale[f] = scale_of(r, f);
  GRADYN_TRY(sweep(r, 10, false));
  const double first = compare(r, r->result->gradient, &whose);
  if (!(first > allowed))
    return GRADYN_OK;
  GRADYN_TRY(sweep(r, 100, true));
  const double second = compare(r, r->gradient, &whose);
  if (second > allowed && second > explained * first)
    gradyn_result_warn(r->result,
                       GRADYN_WARNING(DIRECT_ADJOINT_MISMATCH, .value = second, .limit = allowed,
                                      .subject = r->objective->functionals[whose].name));
  return GRADYN_OK;
}

gradyn_status gradyn_routes_compare(gradyn_evaluator *evaluator, const gradyn_objective *objective,
                                    gradyn_search_result *result)
{
  const size_t p = objective->parameter_count, f = objective->functional_count;
  routes r = {.evaluator = evaluator, .objective = objective, .result = result};
  if (evaluator->route != GRADYN_BY_ADJOINT)
    return GRADYN_OK;
  double *capacity = calloc(p + 3 * f + f * p + 1, sizeof *capacity);
  if (!capacity)
    return GRADYN_NO_MEMORY;
  r.line = capacity;
  r.psi = capacity + p;
  r.slope = r.psi + f;
  r.scale = r.slope + f;
  r.gradient = r.scale + f;
  /* failures here are reported by the recheck or by the next run */
  const gradyn_status status = choose_line(&r) ? look(&r) : GRADYN_OK;
  free(capacity);
  return status == GRADYN_NO_MEMORY ? status : GRADYN_OK;
}
