/* A problem whose fits have candidates instead of data. Its build() calls the user's. */
#include "optim/inference/candidates.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "adjoint/evaluator/cases.h"
#include "adjoint/evaluator/refined.h"
#include "core/base/owned.h"
#include "core/problems/prior.h"
#include "optim/rounds/resume.h"

/* A computation. */
typedef struct computing {
  gradyn_problem problem; /* first member: build() converts its address to that of the struct */
  const gradyn_candidate_times *times;
  gradyn_evaluator *of, *ev; /* of: evaluator of the user; ev: evaluator of this problem */
  gradyn_evaluated evaluated;
  gradyn_program *program;
  gradyn_trial point;
  size_t fit, fit_of; /* the last fit among the functionals of ev, and of `of` */
  gradyn_candidate_set *out;
} computing;

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  /* the problem is the first member of `computing` */
  const computing *s = (const computing *)model->problem;
  model->declared.candidates = s->times;
  return gradyn_problem_build(s->of->problem, model, rho);
}

static gradyn_status no_memory(const computing *s)
{
  return gradyn_fail(&s->of->message, GRADYN_NO_MEMORY, "out of memory for candidates");
}

/* Returns functional i of an evaluator, and sets *model to its model. NULL: the functional combines all
 * load cases. */
static const gradyn_functional_entry *entry_of(const gradyn_evaluator *ev, size_t i,
                                               const gradyn_model **model)
{
  const gradyn_case_set *all = ev->load.all;
  const gradyn_case_row *row = all ? &all->row[i] : NULL;
  *model = ev->model;
  if (!row)
    return &ev->model->functional[i];
  if (row->combined || row->of >= all->count)
    return NULL;
  *model = all->part[row->of].ev->model;
  return &(*model)->functional[row->index];
}

/* Whether functional i is a fit, no prior. */
static bool is_fit(const gradyn_evaluator *ev, size_t i)
{
  const gradyn_model *model;
  const gradyn_functional_entry *f = entry_of(ev, i, &model);
  return f && f->reduced.fit && f->reduced.fit->part == GRADYN_FIT_SUM && !gradyn_is_prior(f);
}

/* --- the evaluation --------------------------------------------------------------------------- */

static gradyn_status evaluate(computing *s, const gradyn_search *search, const double rho[])
{
  if (!gradyn_evaluated_create(s->ev, search->objective, &s->evaluated))
    return no_memory(s);
  const gradyn_status status = gradyn_program_create(&s->evaluated.objective, search, rho,
                                                     &s->program);
  if (status != GRADYN_OK)
    return s->program ? gradyn_fail(&s->of->message, status, "%s", s->program->message.text)
                      : no_memory(s);
  if (!gradyn_trial_allocate(&s->point, s->program))
    return no_memory(s);
  const gradyn_status run = gradyn_evaluator_gradient(s->ev, rho, s->point.psi, s->point.gradient);
  if (run != GRADYN_OK)
    return gradyn_fail(&s->of->message, run, "%s", gradyn_evaluator_message(s->ev));
  s->of->warnings = s->ev->warnings; /* warnings of the last run of ev */
  gradyn_program_convert(s->program, rho, false, s->point.gradient);
  return GRADYN_OK;
}

/* Weight of a fit in the objective; `otherwise` if the fit is no term of the objective. */
static double weight_of(const computing *s, size_t fit, double otherwise)
{
  for (size_t k = 0; k < s->program->term_count; k++)
    if (s->program->terms[k].functional == fit)
      return s->program->terms[k].weight;
  return otherwise;
}

/* out [n] = factor times the derivatives of functional i. */
static double *take_row(computing *s, size_t i, double factor)
{
  double *row = gradyn_arena_numbers(&s->out->arena, s->program->n);
  if (row)
    gradyn_program_add_gradient(s->program, i, factor, s->point.gradient, row);
  return row;
}

/* --- candidates ------------------------------------------------------------------------------- */

static void describe_parameters(computing *s, const double rho[])
{
  gradyn_candidate_set *out = s->out;
  out->n = s->program->n;
  out->varied = gradyn_arena_take(&out->arena, out->n, sizeof *out->varied);
  out->step = gradyn_arena_numbers(&out->arena, out->n);
  out->prior = gradyn_arena_numbers(&out->arena, out->n * out->n);
  for (size_t j = 0; j < out->n && gradyn_arena_status(&out->arena) == GRADYN_OK; j++) {
    out->varied[j] = s->program->varied[j];
    out->step[j] = gradyn_program_step(s->program, j, rho[out->varied[j]]);
  }
}

/* Finds a functional of an evaluator by its name. It may be absent: a build() can change names between its
 * calls. */
static gradyn_status find_functional(computing *s, const gradyn_evaluator *ev, const char *name,
                                     size_t *at)
{
  for (*at = 0; *at < gradyn_functional_count(ev); ++*at)
    if (strcmp(gradyn_functional_at(ev, *at).name, name) == 0)
      return GRADYN_OK;
  return gradyn_fail(&s->of->message, GRADYN_INVALID,
                     "fit %s: build() names it otherwise for another evaluator. Names must not "
                     "depend on earlier calls",
                     name);
}

/* Describes the fits of the user's evaluator. Their end times and delays are those of the run. */
static gradyn_status describe_fits(computing *s)
{
  gradyn_candidate_set *out = s->out;
  const size_t count = gradyn_functional_count(s->of);
  out->fit = gradyn_arena_take(&out->arena, count, sizeof *out->fit);
  for (size_t i = 0; i < count && out->fit; i++) {
    const gradyn_model *model, *own;
    if (!is_fit(s->of, i))
      continue;
    const gradyn_functional_entry *own_fit = entry_of(s->of, i, &own);
    size_t at;
    GRADYN_TRY(find_functional(s, s->ev, gradyn_functional_at(s->of, i).name, &at));
    const int delay = entry_of(s->ev, at, &model)->reduced.fit->delay;
    out->fit[out->fits++] = (gradyn_candidate_fit){.index = i,
                                                   .name = own_fit->name,
                                                   .row = own->settings.row,
                                                   .t_end = model->x[model->t_end],
                                                   .delay = delay > 0 ? model->x[delay] : 0,
                                                   .delayed = delay > 0};
  }
  return GRADYN_OK;
}

/* Adds the information of a prior. If several load cases have the same prior, it is a term of the objective
 * in one of them only; in the others its weight is 0. */
static void add_prior(computing *s, size_t i, size_t fit)
{
  const size_t n = s->out->n;
  const double *row = take_row(s, i, sqrt(weight_of(s, fit, 0)));
  for (size_t k = 0; k < n * n && row; k++)
    s->out->prior[k] += row[k / n] * row[k % n];
}

static gradyn_status add_candidate(computing *s, size_t i, const gradyn_functional_entry *f,
                                   size_t fit, double *b)
{
  gradyn_candidate_set *out = s->out;
  if (fit != s->fit)
    GRADYN_TRY(find_functional(s, s->of, gradyn_functional_at(s->ev, fit).name, &s->fit_of));
  s->fit = fit;
  out->weighted = out->weighted && f->reduced.fit->weighted;
  out->at[out->count++] = (gradyn_candidate){.fit = s->fit_of,
                                             .time = f->reduced.fit->time,
                                             .missing = f->reduced.fit->missing,
                                             .a = take_row(s, i, sqrt(weight_of(s, fit, 1))),
                                             .b = b};
  return GRADYN_OK;
}

static gradyn_status collect(computing *s)
{
  gradyn_candidate_set *out = s->out;
  const size_t count = gradyn_functional_count(s->ev);
  double *b = NULL;
  out->weighted = true;
  out->at = gradyn_arena_take(&out->arena, count, sizeof *out->at);
  for (size_t i = 0; i < count && gradyn_arena_status(&out->arena) == GRADYN_OK; i++) {
    const gradyn_model *model;
    const gradyn_functional_info info = gradyn_functional_at(s->ev, i);
    const gradyn_functional_entry *f = entry_of(s->ev, i, &model);
    if (info.use == GRADYN_LOG_SIGMA) /* log sigma precedes the candidates of its fit */
      b = take_row(s, i, sqrt(2 * weight_of(s, info.fit, 1)));
    else if (info.use != GRADYN_RESIDUAL)
      b = NULL;
    else if (gradyn_is_prior(f))
      add_prior(s, i, info.fit);
    else
      GRADYN_TRY(add_candidate(s, i, f, info.fit, b));
  }
  return gradyn_arena_status(&out->arena) == GRADYN_OK ? GRADYN_OK : no_memory(s);
}

static gradyn_status compute(computing *s, const gradyn_search *search, const double rho[])
{
  GRADYN_TRY(gradyn_evaluator_extend(s->of, &s->problem, NULL, &s->of->message, &s->ev));
  GRADYN_TRY(evaluate(s, search, rho));
  describe_parameters(s, rho);
  GRADYN_TRY(describe_fits(s));
  return collect(s);
}

gradyn_status gradyn_candidates_compute(gradyn_evaluator *of, const gradyn_search *search,
                                        const double rho[], const gradyn_candidate_times *times,
                                        gradyn_candidate_set *out)
{
  computing s = {.problem = *of->problem, .times = times, .of = of, .fit = SIZE_MAX, .out = out};
  *out = (gradyn_candidate_set){.count = 0};
  s.problem.build = build;
  const gradyn_status status = compute(&s, search, rho);
  gradyn_trial_clear(&s.point);
  gradyn_program_free(s.program);
  if (s.evaluated.evaluator)
    gradyn_evaluated_clear(&s.evaluated);
  gradyn_evaluator_free(s.ev);
  return status;
}

void gradyn_candidate_set_clear(gradyn_candidate_set *set)
{
  gradyn_arena_clear(&set->arena);
  *set = (gradyn_candidate_set){.count = 0};
}
