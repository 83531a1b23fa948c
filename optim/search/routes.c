/* A wrong derivative leads a search to a wrong place, where everything looks right: its own gradient
 * vanishes. The adjoint and a direct sweep share the run, but nothing of how they go through it, so that
 * one number tells whether both can be right. With steps of a given length both are exact derivatives of
 * the same numbers. Where steps follow from an error the sweep is one of a tighter tolerance, and both
 * routes are repeated with one that is tighter still before anything is said: what the tolerance explains
 * shrinks then. */
#include "optim/search/routes.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/evaluator/choice.h"
#include "adjoint/gradient/gradient.h"
#include "optim/search/recheck.h"

/* What both may differ by, over a gradient: always, and in tolerances of a run; what is left of a
 * difference by tolerances ten times tighter if these explain it; gradients that are smaller beside their
 * functional than the last are small. */
static const double alike = 1e-8, of_tolerance = 10, explained = 1.0 / 3, negligible = 1e-2;

typedef struct routes {
  gradyn_evaluator *evaluator;
  const gradyn_objective *objective;
  gradyn_search_result *result;
  double *line;        /* [p] */
  double *psi, *slope; /* [f] */
  double *scale;       /* [f] */
  double *gradient;    /* [f][p] of a repetition */
} routes;

/* A random direction in which all parameters together move as much as one alone would. */
static bool choose_line(routes *r)
{
  const size_t p = r->objective->parameter_count;
  uint64_t seed = 20; /* the same for every search, so that results can be repeated */
  bool any = false;
  for (size_t j = 0; j < p; j++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const double unit = (double)(seed >> 11) / 9007199254740992.0; /* 2^53 */
    /* in [-1, -1/2] or [1/2, 1]: no parameter is left out */
    r->line[j] = r->result->parameter_scale[j] * (unit < 0.5 ? -0.5 - unit : unit);
    any = any || r->line[j] != 0;
  }
  return any;
}

/* What slopes of functional f are measured by: its gradient in units of the parameters, its value and,
 * where it is what has been minimised, the slope that the search began with. */
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

/* The largest difference of the slope from a gradient, over the scales, and whose it is. */
static double compare(const routes *r, const double *gradient, size_t *whose)
{
  const size_t p = r->objective->parameter_count;
  double worst = 0;
  for (size_t f = 0; f < r->objective->functional_count; f++) {
    double sum = 0;
    for (size_t j = 0; j < p; j++)
      sum += r->line[j] != 0 ? gradient[f * p + j] * r->line[j] : 0;
    const double apart = fabs(sum - r->slope[f]) / r->scale[f];
    if (r->objective->used[f] && apart > worst) { /* NaN: not asked for */
      worst = apart;
      *whose = f;
    }
  }
  return worst;
}

/* One direct sweep by an evaluator of its own, with tolerances so many times tighter; again: and the
 * gradient. */
static gradyn_status sweep(const routes *r, double times, bool again)
{
  gradyn_options options = gradyn_evaluator_options(r->evaluator);
  OWNED(gradyn_evaluator) *other = NULL;
  if (options.rtol > 0) {
    gradyn_recheck_tighten(&options, times);
    options.rtol_sens = 0;
  }
  GRADYN_TRY(gradyn_evaluator_alike(r->evaluator, &options, &other));
  gradyn_choice_follow(other, r->evaluator);
  GRADYN_TRY(gradyn_slope(other, r->result->rho, r->line, r->psi, r->slope));
  return again ? gradyn_search_gradient(other, r->objective->used, r->result->rho, r->psi,
                                        r->gradient)
               : GRADYN_OK;
}

/* Compares, and says what remains. */
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
    gradyn_termination_append(
        r->result,
        "; the adjoint gradient and a direct sweep differ by %.1e, in %s along a "
        "random direction: one of them is wrong. Run 'gradyn check'.",
        second, r->objective->functionals[whose].name);
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
  /* what fails here is told by the recheck, or by the next run */
  const gradyn_status status = choose_line(&r) ? look(&r) : GRADYN_OK;
  free(capacity);
  return status == GRADYN_NO_MEMORY ? status : GRADYN_OK;
}
