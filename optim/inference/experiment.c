/* Optimal experiments: candidates for measurements, and the parameter covariance that selected measurements
 * give. */
#include <gradyn/inference.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "optim/inference/supports.h"
#include "optim/study/account.h"

/* --- candidates ------------------------------------------------------------------------------- */

/* Fills the candidate times of each fit: a regular grid over the run. With a delay, the ends of the range
 * are left out. */
static gradyn_status fill_grid(gradyn_designing *s, gradyn_candidate_times *times)
{
  const size_t n = s->spec->candidates;
  gradyn_fit_times *of = gradyn_arena_take(&s->arena, s->data.fits, sizeof *of);
  for (size_t k = 0; k < s->data.fits && of; k++) {
    const gradyn_candidate_fit *fit = &s->data.fit[k];
    double *t = gradyn_arena_numbers(&s->arena, n);
    const double first = fmax(fit->delay, 0), length = fit->t_end + fit->delay - first;
    for (size_t i = 0; i < n && t; i++)
      t[i] = fit->delayed ? first + length * (double)(i + 1) / (double)(n + 1)
                          : fit->t_end * (double)i / (double)(n - 1);
    of[k] = (gradyn_fit_times){fit->name, fit->row, t, n};
  }
  *times = (gradyn_candidate_times){of, s->data.fits};
  return gradyn_designing_fail(s, gradyn_arena_status(&s->arena));
}

static gradyn_status find_candidates(gradyn_designing *s)
{
  gradyn_candidate_times times = {0};
  GRADYN_TRY(gradyn_candidates_compute(s->ev, s->search, s->rho, &times, &s->data));
  s->from = &s->data;
  for (size_t k = 0; k < s->data.count; k++)
    s->out->data += !s->data.at[k].missing;
  if (s->spec->candidates > 0 && s->data.fits > 0) {
    GRADYN_TRY(fill_grid(s, &times));
    GRADYN_TRY(gradyn_candidates_compute(s->ev, s->search, s->rho, &times, &s->grid));
    s->from = &s->grid;
  }
  s->out->candidates = s->from->count;
  s->out->weighted = s->from->weighted;
  if (s->from->count == 0)
    return gradyn_fail(&s->ev->message, GRADYN_INVALID,
                       "experiment: there is no candidate for a measurement. Declare times by "
                       "gradyn_fit(), or give a number of candidates");
  s->N = (double)(s->spec->measurements > 0 ? s->spec->measurements
                  : s->out->data > 0        ? s->out->data
                                            : s->from->n);
  return GRADYN_OK;
}

/* --- results ---------------------------------------------------------------------------------- */

/* Criterion of measurements at given points, with the priors. The weights of the points are multiplied by
 * `factor`. HUGE_VAL: not all directions are determined. deviation: expected deviations [parameters], or
 * NULL. */
static double sum_up(gradyn_designing *s, const gradyn_design_point point[], size_t count,
                     double factor, double deviation[])
{
  const gradyn_information *information = &s->information;
  gradyn_design total = s->all; /* its working arrays are free now */
  total.prior = information->prior;
  total.point = gradyn_arena_take(&s->arena, count, sizeof *total.point);
  total.count = count;
  for (size_t k = 0; k < count && total.point; k++) {
    total.point[k] = point[k];
    total.point[k].w *= factor;
  }
  if (!total.point || !gradyn_design_evaluate(&total))
    return HUGE_VAL;
  for (size_t i = 0; i < information->n && deviation; i++) {
    double variance = 0;
    for (size_t k = 0; k < information->m * information->m; k++)
      variance += information->V[k / information->m * information->n + i] * total.inverse[k] *
                  information->V[k % information->m * information->n + i];
    if (information->known[i])
      deviation[s->from->varied[i]] = sqrt(variance) * s->from->step[i];
  }
  return total.f;
}

/* Efficiency of measurements with criterion f: the optimal design reaches the same criterion with this
 * share of them. */
static double efficiency(const gradyn_designing *s, double optimal, double f)
{
  return isinf(f) ? 0 : s->design.C ? optimal / f : exp((optimal - f) / (double)s->information.m);
}

/* Compares the present data with the design: their efficiency, and the deviations that they give. */
static void judge_data(gradyn_designing *s)
{
  gradyn_experiment *out = s->out;
  gradyn_design_point *point = gradyn_arena_take(&s->arena, s->data.count, sizeof *point);
  size_t count = 0;
  for (size_t k = 0; k < s->data.count && point; k++) {
    const gradyn_candidate *c = &s->data.at[k];
    if (!c->missing)
      point[count++] = (gradyn_design_point){
          .w = 1,
          .a = gradyn_information_turn(&s->information, c->a, &s->arena),
          .b = gradyn_information_turn(&s->information, c->b, &s->arena)};
  }
  if (count == 0 || gradyn_arena_status(&s->arena) != GRADYN_OK)
    return;
  const double best = sum_up(s, s->design.point, s->count, (double)count, NULL);
  out->data_efficiency = efficiency(s, best, sum_up(s, point, count, 1, out->data_deviation));
}

/* Rounds the design to N whole measurements. */
static gradyn_status round_off(gradyn_designing *s)
{
  gradyn_experiment *out = s->out;
  out->measurements = s->spec->measurements > 0 ? s->spec->measurements
                      : out->data > s->count    ? out->data
                                                : s->count;
  if (out->measurements < s->count)
    return gradyn_fail(&s->ev->message, GRADYN_INVALID,
                       "experiment: there are %zu measurements; the optimal weights are at %zu "
                       "times. Use at least as many measurements",
                       out->measurements, s->count);
  size_t *number = gradyn_arena_take(&s->arena, s->count, sizeof *number);
  gradyn_design_point *point = gradyn_arena_take(&s->arena, s->count, sizeof *point);
  GRADYN_TRY(gradyn_designing_fail(s, gradyn_arena_status(&s->arena)));
  gradyn_design_round(&s->design, out->measurements, number);
  for (size_t k = 0; k < s->count; k++) {
    const gradyn_support *p = &s->support[k];
    point[k] = s->design.point[k];
    point[k].w = (double)number[k];
    out->support[k] = (gradyn_experiment_support){s->data.fit[p->fit].index, p->t, p->w, number[k]};
  }
  out->supports = s->count;
  const double best = sum_up(s, s->design.point, s->count, (double)out->measurements, NULL);
  out->rounded_efficiency = efficiency(s, best, sum_up(s, point, s->count, 1, out->deviation));
  return gradyn_designing_fail(s, gradyn_arena_status(&s->arena));
}

static gradyn_status take_result(gradyn_designing *s)
{
  gradyn_experiment *out = s->out;
  const size_t count = out->parameters;
  double **array[] = {&out->deviation, &out->data_deviation, &out->scale};
  out->direction = calloc(count + 1, sizeof *out->direction);
  out->support = calloc(2 * s->from->count + 1, sizeof *out->support);
  double *change = calloc((count + 1) * count + 1, sizeof *change);
  for (size_t k = 0; out->direction && k <= count; k++)
    /* one array for all directions, owned by the first */
    out->direction[k].change = change ? change + k * count : NULL;
  if (!out->direction)
    free(change);
  for (size_t k = 0; k < 3; k++) {
    *array[k] = calloc(count + 1, sizeof **array[k]);
    for (size_t i = 0; *array[k] && i < count; i++)
      (*array[k])[i] = NAN;
  }
  if (!out->direction || !out->support || !change || !out->deviation || !out->data_deviation ||
      !out->scale)
    return gradyn_designing_fail(s, GRADYN_NO_MEMORY);
  for (size_t j = 0; j < s->from->n; j++)
    out->scale[s->from->varied[j]] = s->from->step[j];
  return GRADYN_OK;
}

static gradyn_status design(gradyn_designing *s)
{
  gradyn_experiment *out = s->out;
  GRADYN_TRY(find_candidates(s));
  GRADYN_TRY(take_result(s));
  GRADYN_TRY(gradyn_supports_find(s));
  const bool whole = s->information.m == s->information.n;
  out->criterion = s->design.C ? s->design.f : whole ? s->information.log_det - s->design.f : NAN;
  for (size_t j = 0; j < s->from->n && !s->design.C; j++)
    out->criterion -= 2 * log(s->from->step[j]);
  GRADYN_TRY(round_off(s));
  judge_data(s);
  return gradyn_designing_fail(s, gradyn_arena_status(&s->arena));
}

/* --- the call --------------------------------------------------------------------------------- */

static gradyn_status check(gradyn_evaluator *ev, const gradyn_search *search,
                           const gradyn_experiment_spec *spec)
{
  const char *fault = gradyn_search_fault(search);
  if (fault)
    return gradyn_fail(&ev->message, GRADYN_INVALID, "%s", fault);
  if (spec->criterion != GRADYN_EXPERIMENT_D && spec->criterion != GRADYN_EXPERIMENT_A)
    return gradyn_fail(&ev->message, GRADYN_INVALID, "experiment: there is no criterion %d",
                       (int)spec->criterion);
  if (spec->candidates == 1 || spec->candidates > GRADYN_FIT_DATA)
    return gradyn_fail(&ev->message, GRADYN_INVALID,
                       "experiment: there are %zu candidates of each fit; give 2 to %d, or 0 for "
                       "the times of data",
                       spec->candidates, GRADYN_FIT_DATA);
  return GRADYN_OK;
}

gradyn_status gradyn_experiment_compute(gradyn_evaluator *evaluator, const gradyn_search *search,
                                        const gradyn_experiment_spec *spec, const double rho[],
                                        gradyn_experiment *out)
{
  if (out == NULL)
    return GRADYN_INVALID;
  *out = (gradyn_experiment){.parameters = gradyn_parameter_count(evaluator),
                             .data_efficiency = NAN};
  GRADYN_TRY(gradyn_evaluator_begin(evaluator, rho, search, "search"));
  GRADYN_TRY(gradyn_evaluator_begin(evaluator, rho, spec, "spec"));
  GRADYN_TRY(check(evaluator, search, spec));
  gradyn_designing s = {.ev = evaluator, .search = search, .spec = spec, .rho = rho, .out = out};
  const gradyn_status status = design(&s);
  gradyn_candidate_set_clear(&s.data);
  gradyn_candidate_set_clear(&s.grid);
  gradyn_candidate_set_clear(&s.nodes);
  gradyn_arena_clear(&s.arena);
  gradyn_arena_clear(&s.round);
  return gradyn_evaluator_report(evaluator, status);
}

void gradyn_experiment_clear(gradyn_experiment *experiment)
{
  if (experiment == NULL)
    return;
  if (experiment->direction)
    free(experiment->direction[0].change);
  free(experiment->direction);
  free(experiment->support);
  free(experiment->deviation);
  free(experiment->data_deviation);
  free(experiment->scale);
  *experiment = (gradyn_experiment){0};
}
