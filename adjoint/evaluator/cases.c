/* Creation of an evaluator of all load cases: evaluators of the cases, the list of all parameters, and the
 * list of all functionals with their uses. */
#include "adjoint/evaluator/cases.h"
#include "adjoint/evaluator/single.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/problems/cases.h"
#include "core/problems/fit.h"
#include "core/problems/prior.h"

static gradyn_status no_memory(gradyn_evaluator *ev)
{
  return gradyn_fail(&ev->message, GRADYN_NO_MEMORY, "out of memory for %zu cases",
                     ev->problem->cases->count);
}

/* Returns "name@case", stored in the arena; NULL: out of memory. */
static const char *join(gradyn_evaluator *ev, const char *name, size_t k)
{
  const char *of = ev->problem->cases->names[k];
  const size_t size = strlen(name) + strlen(of) + 2;
  char *text = gradyn_arena_take(&ev->arena, size, 1);
  if (text)
    (void)snprintf(text, size, "%s@%s", name, of);
  return text;
}

/* --- evaluators of the cases ------------------------------------------------------------------ */

/* Reads how the objectives of the cases become one: a name, or name:number. */
static gradyn_status read_over(gradyn_evaluator *ev)
{
  static const char *const name[] = {"sum", "mean", "largest", "cvar", "deviation"};
  const char *text = ev->options.over_cases ? ev->options.over_cases : name[0];
  const size_t length = strcspn(text, ":");
  gradyn_case_set *set = ev->load.all;
  char *end = NULL;
  size_t i = 0;
  while (i < GRADYN_COUNT(name) &&
         (strlen(name[i]) != length || strncmp(name[i], text, length) != 0))
    i++;
  set->over = (gradyn_over)i;
  const bool numbered = set->over >= GRADYN_OVER_CVAR;
  set->number = text[length] ? strtod(text + length + 1, &end) : 0;
  const bool whole = end ? end != text + length + 1 && *end == '\0' : !text[length];
  if (i == GRADYN_COUNT(name) || !whole || numbered != (end != NULL))
    return gradyn_fail(&ev->message, GRADYN_INVALID,
                       "over_cases is \"%s\"; give sum, mean, largest, cvar:SHARE or deviation:K",
                       text);
  if (set->over == GRADYN_OVER_CVAR && !(set->number > 0 && set->number <= 1))
    return gradyn_fail(&ev->message, GRADYN_INVALID,
                       "over_cases: the share of cvar is %g; it must be above 0 and at most 1",
                       set->number);
  if (set->over == GRADYN_OVER_DEVIATION && !(set->number >= 0 && isfinite(set->number)))
    return gradyn_fail(&ev->message, GRADYN_INVALID,
                       "over_cases: the factor of deviation is %g; it must be at least 0",
                       set->number);
  return GRADYN_OK;
}

/* Creates the evaluator of case k. All cases have the steps and coordinates of the first. */
static gradyn_status create_part(gradyn_evaluator *ev, size_t k, gradyn_options options)
{
  gradyn_case_set *set = ev->load.all;
  options.only_case = ev->problem->cases->names[k];
  if (k > 0) {
    const gradyn_options *first = &set->part[0].ev->options;
    options.coordinates = first->coordinates;
    if (first->rtol == 0)
      options.step = first->step;
  }
  gradyn_evaluator **out = &set->part[k].ev;
  gradyn_status status = gradyn_evaluator_prepare(ev->problem, &options, ev->settings,
                                                  ev->setting_count, out);
  if (status == GRADYN_OK)
    status = gradyn_evaluator_complete(*out, NULL);
  set->count += set->part[k].ev != NULL;
  if (status == GRADYN_OK)
    return GRADYN_OK;
  return set->part[k].ev ? gradyn_case_fail(ev, k, status) : no_memory(ev);
}

/* Creates the evaluators of all cases. */
static gradyn_status create_parts(gradyn_evaluator *ev, const gradyn_options *options)
{
  const gradyn_cases *cases = ev->problem->cases;
  gradyn_case_set *set = ev->load.all;
  set->part = gradyn_arena_take(&ev->arena, cases->count, sizeof *set->part);
  if (!set->part)
    return no_memory(ev);
  for (size_t k = 0; k < cases->count; k++) {
    GRADYN_TRY(create_part(ev, k, *options));
    set->part[k].weight = gradyn_cases_number(cases, k, "weight", 1);
    set->total += set->part[k].weight;
  }
  return GRADYN_OK;
}

/* Takes model, options and data of the first case, for callers that describe the model. */
static void adopt_first(gradyn_evaluator *ev)
{
  const gradyn_evaluator *first = ev->load.all->part[0].ev;
  ev->model = first->model;
  ev->method = first->method;
  ev->route = first->route;
  ev->public_data = first->public_data;
  ev->public_count = first->public_count;
  ev->options.coordinates = first->options.coordinates;
  if (first->options.rtol == 0)
    ev->options.step = first->options.step;
}

/* --- parameters ------------------------------------------------------------------------------- */

/* Adds a parameter. The list owns a copy of its name. */
static gradyn_status add_parameter(gradyn_evaluator *ev, const gradyn_parameter_info *info,
                                   const char *name)
{
  gradyn_parameters *all = &ev->parameters;
  const size_t size = name ? strlen(name) + 1 : 0;
  char *copy = name ? malloc(size) : NULL;
  if (!copy)
    return no_memory(ev);
  all->info[all->count] = *info;
  all->info[all->count++].name = memcpy(copy, name, size);
  return GRADYN_OK;
}

/* Adds the parameters of case k that belong to it, or the shared ones that are new. */
static gradyn_status add_parameters(gradyn_evaluator *ev, size_t k, bool own)
{
  gradyn_case_part *part = &ev->load.all->part[k];
  for (size_t j = 0; j < part->ev->parameters.count; j++) {
    const gradyn_parameter_info *info = &part->ev->parameters.info[j];
    size_t at = own ? ev->parameters.count : 0;
    if (info->per_case != own)
      continue;
    while (at < ev->parameters.count && strcmp(ev->parameters.info[at].name, info->name) != 0)
      at++;
    part->parameter[j] = at;
    if (at == ev->parameters.count)
      GRADYN_TRY(add_parameter(ev, info, own ? join(ev, info->name, k) : info->name));
  }
  return GRADYN_OK;
}

/* Lists the parameters shared by all cases, followed by the parameters of each single case. */
static gradyn_status list_parameters(gradyn_evaluator *ev)
{
  gradyn_case_set *set = ev->load.all;
  size_t most = 0;
  for (size_t k = 0; k < set->count; k++)
    most += set->part[k].ev->parameters.count;
  ev->parameters = (gradyn_parameters){.info = calloc(most + 1, sizeof *ev->parameters.info)};
  if (!ev->parameters.info)
    return no_memory(ev);
  for (size_t k = 0; k < 2 * set->count; k++)
    GRADYN_TRY(add_parameters(ev, k % set->count, k >= set->count));
  return GRADYN_OK;
}

/* Allocates the arrays of case k. */
static gradyn_status take_arrays(gradyn_evaluator *ev, size_t k)
{
  gradyn_case_part *part = &ev->load.all->part[k];
  const size_t p = part->ev->parameters.count, f = gradyn_functional_count(part->ev);
  part->parameter = gradyn_arena_take(&ev->arena, p, sizeof *part->parameter);
  part->rho = gradyn_arena_numbers(&ev->arena, p);
  part->psi = gradyn_arena_numbers(&ev->arena, f);
  part->gradient = gradyn_arena_numbers(&ev->arena, f * p);
  part->requested = gradyn_arena_take(&ev->arena, f, sizeof *part->requested);
  part->term = gradyn_arena_take(&ev->arena, f, sizeof *part->term);
  return gradyn_arena_status(&ev->arena) == GRADYN_OK ? GRADYN_OK : no_memory(ev);
}

/* --- functionals ------------------------------------------------------------------------------ */

/* Returns whether functional i of a case is a part of a prior. A prior is no term of the case: it has its
 * own weight, and counts once for a shared parameter. */
static bool is_prior(const gradyn_case_part *part, size_t i)
{
  return gradyn_is_prior(&part->ev->model->functional[i]);
}

/* Returns whether functional i of a case is a part of the prior of a shared parameter. */
static bool is_shared(const gradyn_case_part *part, size_t i)
{
  return is_prior(part, i) &&
         !part->ev->parameters.info[part->ev->model->functional[i].reduced.fit->prior - 1].per_case;
}

/* Describes functional i of a load case. A fit without data does not enter the sum over the cases; its
 * value appears in the list of functionals of all cases. */
static gradyn_functional_info functional_of(const gradyn_case_set *set,
                                            const gradyn_case_part *part, size_t i)
{
  gradyn_functional_info info = gradyn_functional_at(part->ev, i);
  if (set->over > GRADYN_OVER_MEAN && !is_prior(part, i))
    info.use = part->ev->model->functional[i].use;
  return info;
}

/* Lists the terms of the objective of case k. Counts in *pieces the functionals of which the largest is the
 * objective. */
static void list_terms(const gradyn_case_set *set, gradyn_case_part *part, size_t *pieces)
{
  *pieces = 0;
  for (size_t i = 0; i < gradyn_functional_count(part->ev); i++) {
    const gradyn_functional_info info = functional_of(set, part, i);
    *pieces += info.use == GRADYN_LARGEST;
    if ((info.use == GRADYN_OBJECTIVE || info.use == GRADYN_LARGEST) && !is_prior(part, i))
      part->term[part->term_count++] = (gradyn_case_term){i, info.weight};
  }
}

/* Sets use and weight of a term of a case in the objective over all cases. alone: the case has no other
 * term. */
static void use_term(const gradyn_case_set *set, double weight, bool alone,
                     gradyn_functional_info *info)
{
  const bool sums = set->over <= GRADYN_OVER_MEAN;
  if (sums) {
    info->use = GRADYN_OBJECTIVE;
    info->weight *= set->over == GRADYN_OVER_MEAN ? weight / set->total : weight;
    return;
  }
  const bool piece = alone && weight > 0 && set->over != GRADYN_OVER_DEVIATION;
  info->use = piece ? GRADYN_LARGEST : GRADYN_MONITORED;
  info->weight = piece ? info->weight : 0;
}

/* Adds a row for functional `index` of case `of`; if `of` is the number of cases, for a functional of all
 * cases. With `named`, the name of the row contains the name of the case. */
static gradyn_status add_row(gradyn_evaluator *ev, const gradyn_functional_info *info, size_t of,
                             size_t index, bool combined, bool named)
{
  gradyn_case_set *set = ev->load.all;
  gradyn_case_row *row = &set->row[set->row_count];
  *row = (gradyn_case_row){*info, of, index, combined};
  row->info.name = named ? join(ev, info->name, of) : info->name;
  set->row_count += row->info.name != NULL;
  return row->info.name ? GRADYN_OK : no_memory(ev);
}

/* Adds the functionals of case k. */
static gradyn_status add_rows(gradyn_evaluator *ev, size_t k)
{
  gradyn_case_set *set = ev->load.all;
  gradyn_case_part *part = &set->part[k];
  size_t pieces;
  const size_t before = set->row_count;
  list_terms(set, part, &pieces);
  const bool alone = part->term_count == 1 || pieces == part->term_count;
  if (pieces > 1 && (!alone || set->over != GRADYN_OVER_LARGEST))
    return gradyn_fail(&ev->message, GRADYN_UNSUPPORTED,
                       "the objective of a case is the largest of %zu functionals; over_cases "
                       "(--over-cases) must then be \"largest\", and these functionals the only "
                       "objective",
                       pieces);
  for (size_t i = 0; i < gradyn_functional_count(part->ev); i++) {
    gradyn_functional_info info = functional_of(set, part, i);
    /* these are the last functionals of a case, so the indices of others do not change */
    if (k > 0 && is_shared(part, i))
      continue;
    if ((info.use == GRADYN_OBJECTIVE || info.use == GRADYN_LARGEST) && !is_prior(part, i))
      use_term(set, part->weight, alone, &info);
    if (info.use == GRADYN_RESIDUAL || info.use == GRADYN_LOG_SIGMA)
      info.fit += before;
    GRADYN_TRY(add_row(ev, &info, k, i, false, !is_shared(part, i)));
  }
  if (alone || part->term_count == 0 || set->over <= GRADYN_OVER_MEAN)
    return GRADYN_OK;
  gradyn_functional_info sum = {.name = "objective",
                                .unit = gradyn_functional_at(part->ev, part->term[0].index).unit,
                                .measure = "",
                                .measure_unit = "",
                                .weight = 1};
  use_term(set, part->weight, true, &sum);
  return add_row(ev, &sum, k, 0, true, true);
}

/* Lists the functionals of all cases, then the objective if it is a function of them. */
static gradyn_status list_rows(gradyn_evaluator *ev)
{
  gradyn_case_set *set = ev->load.all;
  size_t most = 1;
  for (size_t k = 0; k < set->count; k++)
    most += gradyn_functional_count(set->part[k].ev) + 1;
  set->row = gradyn_arena_take(&ev->arena, most, sizeof *set->row);
  if (!set->row)
    return no_memory(ev);
  for (size_t k = 0; k < set->count; k++)
    GRADYN_TRY(add_rows(ev, k));
  const gradyn_case_part *first = &set->part[0];
  if (set->over != GRADYN_OVER_DEVIATION || first->term_count == 0)
    return GRADYN_OK;
  const gradyn_functional_info all = {
      .name = "objective",
      .measure = "",
      .measure_unit = "",
      .unit = gradyn_functional_at(first->ev, first->term[0].index).unit,
      .use = GRADYN_OBJECTIVE,
      .weight = 1};
  return add_row(ev, &all, set->count, 0, true, false);
}

/* --- creation and release --------------------------------------------------------------------------- */

gradyn_status gradyn_case_set_create(gradyn_evaluator *ev, const gradyn_added_knots *added,
                                     const gradyn_options *options)
{
  ev->load.all = calloc(1, sizeof *ev->load.all);
  if (!ev->load.all)
    return no_memory(ev);
  if (added)
    return gradyn_fail(&ev->message, GRADYN_UNSUPPORTED,
                       "knots cannot be added to the signals of several cases; select one by "
                       "`only_case` of the options (--case NAME)");
  GRADYN_TRY(read_over(ev));
  GRADYN_TRY(create_parts(ev, options));
  for (size_t k = 0; k < ev->load.all->count; k++)
    GRADYN_TRY(take_arrays(ev, k));
  GRADYN_TRY(list_parameters(ev));
  GRADYN_TRY(list_rows(ev));
  adopt_first(ev);
  ev->repetition.psi = gradyn_arena_numbers(&ev->arena, ev->load.all->row_count + 1);
  /* allocated last: it marks the evaluator as complete */
  ev->sample = gradyn_arena_numbers(&ev->arena, 1);
  return ev->sample ? GRADYN_OK : no_memory(ev);
}

void gradyn_case_set_release(gradyn_evaluator *ev)
{
  for (size_t k = 0; k < ev->load.all->count; k++)
    gradyn_evaluator_free_single(ev->load.all->part[k].ev);
  free(ev->load.all);
  ev->load.all = NULL;
  ev->model = NULL;
}
