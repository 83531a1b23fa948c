/* Mean and variance of functionals f of uncertain numbers, which are independent and symmetric about their
 * means. With offsets z of the numbers in spreads, their variances v and fourth moments w, and the gradient g
 * and the second derivatives H of f by z at the means:
 *
 *   to first order:  mean f, variance sum_k g_k^2 v_k;
 *   to second order: mean f + sum_k H_kk v_k/2,
 *                    variance sum_k (g_k^2 v_k + H_kk^2 (w_k - v_k^2)/4) + sum_k,l<k H_kl^2 v_k v_l.
 *
 * For normal numbers these are f + tr(H S)/2 and g^T S g + tr((H S)^2)/2. The other moments are those of
 * draws.c. All points are evaluated by gradyn_points, so that they are resumed and shared by workers. */
#include <gradyn/inference.h>

#include <math.h>
#include <stdio.h>

#include "core/problems/cases.h"
#include "optim/inference/displaced.h"
#include "optim/inference/draws.h"
#include "optim/rounds/resume.h"

/* Largest number of parameters and values of all points together: 400 MB of memory. */
enum { MOST_NUMBERS = 50000000 };

/* A computation in progress. */
typedef struct uncertain {
  gradyn_displaced displaced;
  gradyn_draws draws;
  gradyn_points points;
  gradyn_distribution *distribution; /* [count] */
  double *at_means, *all, *z;        /* [parameters] of the displaced evaluator; [count] */
  double *gradient;                  /* [functionals][parameters] */
  double *rho;                       /* [points][parameters] */
  gradyn_arena *arena;
  gradyn_uncertainty *out;
  gradyn_message message;
} uncertain;

static gradyn_status no_memory(uncertain *s)
{
  return gradyn_fail(&s->message, GRADYN_NO_MEMORY,
                     "out of memory for the uncertainty of %zu "
                     "functionals",
                     s->out->functionals);
}

/* Copies a text to the arena. Returns "" if memory is lacking; the arena keeps this failure. */
static const char *copy(uncertain *s, const char *text)
{
  const size_t size = strlen(text) + 1;
  char *out = gradyn_arena_take(s->arena, size, 1);
  return out ? memcpy(out, text, size) : "";
}

/* --- the means -------------------------------------------------------------------------------- */

static gradyn_status take_arrays(uncertain *s)
{
  gradyn_uncertainty *out = s->out;
  const size_t f = out->functionals, n = out->count, p = s->displaced.ev->parameters.count;
  out->number = gradyn_arena_take(s->arena, n, sizeof *out->number);
  out->value = gradyn_arena_numbers(s->arena, f);
  out->change = gradyn_arena_numbers(s->arena, f * n);
  out->main_index = gradyn_arena_take(s->arena, f * n, sizeof *out->main_index);
  out->total_index = gradyn_arena_take(s->arena, f * n, sizeof *out->total_index);
  for (int kind = 0; kind < GRADYN_MOMENTS_KINDS; kind++)
    out->moments[kind] = gradyn_arena_take(s->arena, f, sizeof *out->moments[kind]);
  s->distribution = gradyn_arena_take(s->arena, n, sizeof *s->distribution);
  s->at_means = gradyn_arena_numbers(s->arena, p);
  s->all = gradyn_arena_numbers(s->arena, p);
  s->z = gradyn_arena_numbers(s->arena, n);
  s->gradient = gradyn_arena_numbers(s->arena, f * p);
  GRADYN_TRY(gradyn_arena_status(s->arena) == GRADYN_OK ? GRADYN_OK : no_memory(s));
  for (size_t k = 0; k < f; k++)
    for (int kind = 0; kind < GRADYN_MOMENTS_KINDS; kind++)
      out->moments[kind][k] = (gradyn_moments){NAN, NAN, 0, 0};
  for (size_t i = 0; i < f * n; i++)
    out->main_index[i] = out->total_index[i] = (gradyn_sobol_index){NAN, NAN};
  return GRADYN_OK;
}

/* Describes the uncertain numbers of the model after a run at their means. */
static gradyn_status describe(uncertain *s)
{
  const gradyn_evaluator *ev = s->displaced.ev;
  const gradyn_model *model = ev->model;
  for (size_t i = 0; i < s->out->count; i++) {
    const gradyn_uncertain_entry *entry = &model->declared.uncertain.entry[i];
    gradyn_uncertain_number *number = &s->out->number[i];
    const double v = gradyn_offset_variance(entry->distribution);
    number->name = copy(s, entry->name);
    number->distribution = s->distribution[i] = entry->distribution;
    number->deviation = creal(entry->spread) * sqrt(v);
    number->unit = copy(s, entry->parameter >= 0 ? "" : model->entry[entry->datum].unit);
    number->mean = entry->parameter < 0 ? model->x[entry->datum] : NAN;
    for (size_t j = 0; entry->parameter >= 0 && j < ev->parameters.count; j++)
      if (strcmp(ev->parameters.info[j].name, entry->name) == 0) {
        number->unit = copy(s, ev->parameters.info[j].unit);
        number->mean = s->at_means[j];
      }
  }
  return gradyn_arena_status(s->arena) == GRADYN_OK ? GRADYN_OK : no_memory(s);
}

/* Computes the moments to first order. */
static gradyn_status expand_first(uncertain *s)
{
  gradyn_evaluator *ev = s->displaced.ev;
  gradyn_uncertainty *out = s->out;
  const size_t p = ev->parameters.count;
  const gradyn_status status = gradyn_evaluator_gradient(ev, s->at_means, out->value, s->gradient);
  if (status != GRADYN_OK)
    return gradyn_fail(&s->message, status, "%s", gradyn_evaluator_message(ev));
  GRADYN_TRY(describe(s));
  for (size_t k = 0; k < out->functionals; k++) {
    double variance = 0;
    for (size_t i = 0; i < out->count; i++) {
      const double v = gradyn_offset_variance(s->distribution[i]);
      const double change = s->gradient[k * p + s->displaced.offset[i]] * sqrt(v);
      out->change[k * out->count + i] = change;
      variance += change * change;
    }
    out->moments[GRADYN_MOMENTS_FIRST][k] = (gradyn_moments){out->value[k], variance, 0, 0};
  }
  return GRADYN_OK;
}

/* Moments of functional k to second order, from the rows H [count][parameters] of the Hessian. */
static gradyn_moments second_moments(const uncertain *s, size_t k, const double H[])
{
  const size_t n = s->out->count, p = s->displaced.ev->parameters.count, *at = s->displaced.offset;
  gradyn_moments m = s->out->moments[GRADYN_MOMENTS_FIRST][k];
  for (size_t i = 0; i < n; i++) {
    const double v = gradyn_offset_variance(s->distribution[i]),
                 w = gradyn_offset_fourth(s->distribution[i]), own = H[i * p + at[i]];
    m.mean += own * v / 2;
    m.variance += own * own * (w - v * v) / 4;
    for (size_t j = 0; j < i; j++) {
      const double cross = (H[i * p + at[j]] + H[j * p + at[i]]) / 2;
      m.variance += cross * cross * v * gradyn_offset_variance(s->distribution[j]);
    }
  }
  return m;
}

/* Computes the moments to second order, by Hessian products with the offsets. */
static gradyn_status expand_second(uncertain *s)
{
  gradyn_evaluator *ev = s->displaced.ev;
  gradyn_uncertainty *out = s->out;
  const size_t f = out->functionals, n = out->count, p = ev->parameters.count;
  LOCAL(gradyn_arena) arena = {0};
  double *weight = gradyn_arena_numbers(&arena, f), *H = gradyn_arena_numbers(&arena, n * p),
         *direction = gradyn_arena_numbers(&arena, n * p);
  if (gradyn_arena_status(&arena) != GRADYN_OK)
    return no_memory(s);
  for (size_t i = 0; i < n; i++)
    direction[i * p + s->displaced.offset[i]] = 1;
  for (size_t k = 0; k < f; k++) {
    weight[k] = 1;
    const gradyn_status status = gradyn_evaluator_hessian_product(ev, weight, s->at_means, n,
                                                                  direction, H);
    weight[k] = 0;
    if (status == GRADYN_UNSUPPORTED) {
      (void)snprintf(out->unsupported, sizeof out->unsupported, "%.500s",
                     gradyn_evaluator_message(ev));
      return GRADYN_OK;
    }
    if (status != GRADYN_OK)
      return gradyn_fail(&s->message, status, "%s", gradyn_evaluator_message(ev));
    out->moments[GRADYN_MOMENTS_SECOND][k] = second_moments(s, k, H);
  }
  return GRADYN_OK;
}

/* --- points ----------------------------------------------------------------------------------- */

/* The unscented points as load cases. */
static gradyn_status make_cases(uncertain *s)
{
  const size_t n = s->out->count, rows = s->draws.unscented;
  const gradyn_model *model = s->displaced.ev->model;
  gradyn_cases *cases = gradyn_arena_take(s->arena, 1, sizeof *cases);
  const char **names = gradyn_arena_take(s->arena, rows, sizeof *names);
  const char **columns = gradyn_arena_take(s->arena, n + 1, sizeof *columns);
  double *values = gradyn_arena_numbers(s->arena, rows * (n + 1));
  if (gradyn_arena_status(s->arena) != GRADYN_OK)
    return no_memory(s);
  columns[0] = "weight";
  for (size_t i = 0; i < n; i++)
    columns[i + 1] = copy(s, model->declared.uncertain.entry[i].column);
  for (size_t row = 0; row < rows; row++) {
    char name[32];
    (void)snprintf(name, sizeof name, row < 2 * n ? "p%zu" : "mean", row + 1);
    names[row] = copy(s, name);
    values[row * (n + 1)] = gradyn_draws_weight(&s->draws, row);
    gradyn_draws_offsets(&s->draws, row, values + row * (n + 1) + 1);
  }
  *cases = (gradyn_cases){
      .names = names, .columns = columns, .values = values, .count = rows, .column_count = n + 1};
  s->out->cases = cases;
  return gradyn_arena_status(s->arena) == GRADYN_OK ? GRADYN_OK : no_memory(s);
}

/* Describes the first failed evaluation, point i. */
static void describe_failure(uncertain *s, size_t i, const gradyn_record *record)
{
  gradyn_uncertainty *out = s->out;
  const gradyn_draws *draws = &s->draws;
  size_t used;
  if (i < draws->unscented)
    used = (size_t)snprintf(out->failure, sizeof out->failure, "unscented point %zu (", i + 1);
  else
    used = (size_t)snprintf(out->failure, sizeof out->failure, "draw %zu (",
                            (i - draws->unscented) / draws->width + 1);
  gradyn_draws_offsets(draws, i, s->z);
  for (size_t k = 0; k < out->count && used < sizeof out->failure / 2; k++) {
    const gradyn_uncertain_number *number = &out->number[k];
    const double spread = number->deviation / sqrt(gradyn_offset_variance(s->distribution[k]));
    used += (size_t)snprintf(out->failure + used, sizeof out->failure - used, "%s%.100s = %.9g %s",
                             k > 0 ? ", " : "", number->name, number->mean + spread * s->z[k],
                             number->unit);
  }
  (void)snprintf(out->failure + used, sizeof out->failure - used, "): %.400s",
                 record->message ? record->message : "");
}

/* Counts missing and failed evaluations. */
static void count_points(uncertain *s)
{
  for (size_t i = 0; i < s->points.count; i++) {
    const gradyn_record *record = gradyn_points_at(&s->points, i);
    s->out->missing += !record;
    if (!record || record->status == GRADYN_OK)
      continue;
    if (s->out->failed++ == 0)
      describe_failure(s, i, record);
  }
}

/* Moments and indices from the evaluations. */
static gradyn_status take_moments(uncertain *s)
{
  gradyn_uncertainty *out = s->out;
  const gradyn_draws *draws = &s->draws;
  FREED double *sample = calloc(draws->draws * draws->width + 1, sizeof *sample);
  if (!sample)
    return no_memory(s);
  count_points(s);
  for (size_t k = 0; k < out->functionals; k++) {
    const size_t first = k * out->count;
    const bool indices = draws->width > 1;
    out->moments[GRADYN_MOMENTS_UNSCENTED][k] = gradyn_draws_unscented(draws, &s->points, k);
    out->moments[GRADYN_MOMENTS_SAMPLED][k] = gradyn_draws_sampled(
        draws, &s->points, k, sample, indices ? out->main_index + first : NULL,
        indices ? out->total_index + first : NULL);
  }
  return GRADYN_OK;
}

/* Sets the parameters of all points. */
static gradyn_status lay_points(uncertain *s, const double rho[])
{
  const size_t p = s->displaced.ev->parameters.count, f = s->out->functionals;
  const size_t count = gradyn_draws_points(&s->draws);
  if (count > MOST_NUMBERS / (p + f))
    return gradyn_fail(
        &s->message, GRADYN_INVALID,
        "uncertainty: %zu evaluations with %zu numbers each; %d numbers are allowed. "
        "Take fewer points",
        count, p + f, MOST_NUMBERS);
  s->rho = gradyn_arena_numbers(s->arena, count * p);
  if (!s->rho)
    return no_memory(s);
  for (size_t i = 0; i < count; i++) {
    gradyn_draws_offsets(&s->draws, i, s->z);
    gradyn_displaced_point(&s->displaced, rho, s->z, s->rho + i * p);
  }
  s->points.rho = s->rho;
  s->points.count = s->out->evaluations = count;
  return GRADYN_OK;
}

/* Evaluates all points, and computes the moments and indices from them. */
static gradyn_status evaluate(uncertain *s, const gradyn_uncertainty_spec *spec, const double rho[])
{
  LOCAL(gradyn_evaluated) evaluated = {.evaluator = NULL};
  gradyn_search search;
  gradyn_evaluator *ev = s->displaced.ev;
  if (gradyn_draws_create(spec, s->out->count, s->distribution, &s->draws) != GRADYN_OK)
    return no_memory(s);
  s->out->points = s->draws.draws;
  if (gradyn_draws_points(&s->draws) == 0)
    return GRADYN_OK;
  if (s->draws.unscented > 0 && !s->displaced.of->cases)
    GRADYN_TRY(make_cases(s));
  GRADYN_TRY(lay_points(s, rho));
  if (!gradyn_evaluated_create(ev, NULL, &evaluated))
    return no_memory(s);
  gradyn_search_default(ev, &search);
  s->points.objective = &evaluated.objective;
  s->points.evaluator = ev;
  s->points.search = &search;
  s->points.folder = spec->folder;
  s->points.durability = spec->durability;
  s->points.workers = spec->workers;
  const gradyn_status worked = gradyn_points_evaluate(&s->points);
  const gradyn_status status = take_moments(s);
  if (worked != GRADYN_OK)
    return gradyn_fail(&s->message, worked, "%s", s->points.message.text);
  return status;
}

/* --- the call --------------------------------------------------------------------------------- */

/* Least number of draws: two in each part. */
enum { LEAST_POINTS = 2 * GRADYN_DRAW_PARTS };

static gradyn_status check_draws(const gradyn_uncertainty_spec *spec, gradyn_message *message)
{
  if (spec->indices && spec->points == 0)
    return gradyn_fail(message, GRADYN_INVALID,
                       "uncertainty: Sobol indices need draws. Give a number of points");
  if (spec->points > 0 && (spec->points < LEAST_POINTS || spec->points > UINT32_MAX))
    return gradyn_fail(message, GRADYN_INVALID,
                       "uncertainty: %zu points; at least %d and at most 4294967295 are possible",
                       spec->points, LEAST_POINTS);
  return GRADYN_OK;
}

static gradyn_status check(const gradyn_evaluator *evaluator, const gradyn_uncertainty_spec *spec,
                           const double rho[], gradyn_message *message)
{
  const char *missing = gradyn_task_missing(evaluator, spec, rho);
  if (missing)
    return gradyn_fail(message, GRADYN_INVALID, "%s", missing);
  if ((spec->unscented || spec->points > 0) && !spec->folder)
    return gradyn_fail(message, GRADYN_INVALID,
                       "uncertainty: no folder is given; the journals of the points need one");
  return check_draws(spec, message);
}

static gradyn_status compute(uncertain *s, gradyn_evaluator *evaluator,
                             const gradyn_uncertainty_spec *spec, const double rho[])
{
  GRADYN_TRY(check(evaluator, spec, rho, &s->message));
  GRADYN_TRY(gradyn_displaced_create(evaluator, &s->displaced, &s->message));
  s->out->functionals = gradyn_functional_count(s->displaced.ev);
  s->out->count = s->displaced.count;
  GRADYN_TRY(take_arrays(s));
  gradyn_displaced_point(&s->displaced, rho, NULL, s->at_means);
  GRADYN_TRY(expand_first(s));
  if (spec->second)
    GRADYN_TRY(expand_second(s));
  return evaluate(s, spec, rho);
}

gradyn_status gradyn_uncertainty_compute(gradyn_evaluator *evaluator,
                                         const gradyn_uncertainty_spec *spec, const double rho[],
                                         gradyn_uncertainty *out)
{
  if (!out)
    return GRADYN_INVALID;
  *out = (gradyn_uncertainty){.memory = calloc(1, sizeof(gradyn_arena))};
  FREED uncertain *s = calloc(1, sizeof *s);
  if (!out->memory || !s) {
    (void)snprintf(out->message, sizeof out->message, "out of memory");
    return GRADYN_NO_MEMORY;
  }
  s->arena = out->memory;
  s->out = out;
  const gradyn_status status = compute(s, evaluator, spec, gradyn_evaluator_point(evaluator, rho));
  gradyn_points_clear(&s->points);
  gradyn_draws_clear(&s->draws);
  gradyn_displaced_clear(&s->displaced);
  (void)snprintf(out->message, sizeof out->message, "%.1000s", s->message.text);
  return status;
}

void gradyn_uncertainty_clear(gradyn_uncertainty *uncertainty)
{
  if (!uncertainty)
    return;
  if (uncertainty->memory)
    gradyn_arena_clear(uncertainty->memory);
  free(uncertainty->memory);
  *uncertainty = (gradyn_uncertainty){.functionals = 0};
}
