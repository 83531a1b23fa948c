/* The problem of a segment: the build() of the user, with another start and only the functionals of the
 * segment. Integrals are sums over segments. Functionals at the end of the motion belong to the last
 * segment, and functionals at its start to the first one. */
#include "adjoint/evaluator/refined.h"
#include "optim/segments/segment.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/gradient/gradient.h"
#include "core/model/declare.h"
#include "core/model/same_time.h"
#include "core/problems/prior.h"
#include "dae/events/arcs.h"
#include "dae/start/initial.h"

/* --- Refused problems ----------------------------------------------------------------------------- */

/* Rejects constraints that depend on time. With them, the start of a segment would depend on the end time,
 * and this derivative is not available. */
static gradyn_status check_laws(const gradyn_model *model, gradyn_message *message)
{
  gradyn_mech *mech = model->mech;
  FREED double *at = calloc(2 * (size_t)(mech->n + mech->m) + 1, sizeof *at);
  if (at == NULL)
    return gradyn_fail(message, GRADYN_NO_MEMORY, "out of memory");
  double *q = at, *v = q + mech->n, *before = v + mech->n, *behind = before + mech->m;
  const double t_end = model->x[model->t_end];
  for (int i = 0; i < mech->n; i++)
    q[i] = model->x[mech->q0[i]];
  for (int sample = 1; sample <= 3; sample++) {
    const gradyn_mech_state first = {.t = 0, .q = q, .v = v},
                            later = {.t = 0.31 * sample * t_end, .q = q, .v = v};
    GRADYN_TRY(mech->ops->phi(mech, GRADYN_CONSTRAINT, 0, &first, before));
    GRADYN_TRY(mech->ops->phi(mech, GRADYN_CONSTRAINT, 0, &later, behind));
    for (int i = 0; i < mech->m; i++)
      if (before[i] != behind[i])
        return gradyn_fail(
            message, GRADYN_UNSUPPORTED,
            "constraint %s: depends on time, which motions in segments do not support",
            mech->constraint_name(mech, i));
  }
  return GRADYN_OK;
}

/* Rejects events if their sequence depends on more than the state and the mode at the start of a
 * segment. */
static gradyn_status check_events(const gradyn_model *model, gradyn_message *message)
{
  if (model->log.captures.count > 0)
    return gradyn_fail(message, GRADYN_UNSUPPORTED,
                       "%s has a value latched at an event, which segments do not support",
                       model->mech->constraint_name(model->mech, model->log.captures.item[0].row));
  for (int i = 0; i < model->event_count; i++) {
    if (model->event[i].ends > 0)
      return gradyn_fail(message, GRADYN_UNSUPPORTED,
                         "%s ends the run: motions in segments end at a time",
                         model->event[i].name);
  }
  return GRADYN_OK;
}

gradyn_status gradyn_segment_suits(const gradyn_evaluator *whole, gradyn_message *message)
{
  const gradyn_model *model = whole->model;
  GRADYN_TRY(check_events(model, message));
  return model->mech != NULL ? check_laws(model, message) : GRADYN_OK;
}

/* --- The problem ---------------------------------------------------------------------------------- */

/* Removes the parts of a functional that do not belong to the segment. Values at the end belong to the
 * last segment; a maximum is taken over the segment. */
static void tailor(const gradyn_segment *s, gradyn_functional_entry *f)
{
  if (f->which > 0) /* see place_counted() for functionals at an occurrence of an event */
    return;
  if (s->end != NULL && !f->maximum)
    f->terminal = NULL;
  if (f->terminal == NULL && f->integrand == NULL)
    f->data_only = true;
}

/* Declares the states at a boundary as functionals, at the end or at the start of the segment. */
static void add_states(gradyn_model *model, const gradyn_cut *cut, const char *where, bool at_start)
{
  for (size_t i = 0; cut != NULL && i < cut->nz; i++) {
    gradyn_functional_entry *f;
    gradyn_state_functional(model, gradyn_format_name(model, "%s.%zu", where, i), cut->slot[i], &f);
    if (f != NULL)
      f->from_start = at_start;
  }
}

/* Places functionals at their times if these times lie in the segment. A time at a boundary belongs to the
 * segment that ends there. The last segment also has the functionals whose times lie after the end. */
static void place_timed(const gradyn_segment *s, gradyn_model *model)
{
  const double end = creal(model->value[model->t_end]), near = GRADYN_SAME_TIME * end;
  for (int k = 0; k < s->whole->model->functional_count; k++) {
    gradyn_functional_entry *f = &model->functional[k];
    gradyn_timed *timed = &s->timed[k];
    if (timed->t == 0)
      continue;
    if (timed->of == NULL) /* the value that it has when the structure is final */
      timed->of = f->terminal;
    const bool here = timed->t > s->from * end + near &&
                      (s->end == NULL || timed->t <= s->to * end + near);
    f->terminal = here ? timed->of : NULL;
    f->instant = here ? timed->t : 0;
  }
}

/* Replaces the start that build() declares by the state z + L (w - w_0) at the start of the segment. */
static void begin(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_segment *s = (const gradyn_segment *)model->problem;
  const gradyn_cut *start = s->start;
  place_timed(s, model);
  for (size_t i = 0; s->measured != NULL && i < s->end->nz; i++)
    model->value[gradyn_cut_datum(model, s->end, i)] = s->measured[i];
  if (start == NULL)
    return;
  const gradyn_scalar *w = rho + s->acting->count;
  for (size_t i = 0; i < start->nz; i++) {
    gradyn_scalar value = start->z[i];
    for (size_t j = 0; j < start->size; j++)
      value += start->L[i * start->size + j] * (w[j] - start->w[j]);
    model->value[gradyn_cut_datum(model, start, i)] = value;
  }
}

/* Numbers an occurrence from the start of the segment. */
static void count_here(const gradyn_segment *s, gradyn_occurrence *o)
{
  if (o->which > 0)
    o->which -= gradyn_cut_passed(s->start, o->event);
}

/* Assigns functionals at occurrences of events to the segment that had the occurrence in the guess. The run
 * of a segment counts only its own occurrences. build() sets the number of the occurrence at each call,
 * except for sampled path constraints. */
static void place_counted(const gradyn_segment *s, gradyn_model *model)
{
  const int told = s->whole->model->functional_count,
            count = model->finalised ? told : model->functional_count;
  for (int k = 0; k < count; k++) {
    gradyn_functional_entry *f = &model->functional[k];
    const int before = gradyn_cut_passed(s->start, f->event);
    const bool here = f->which > before &&
                      (s->end == NULL || f->which <= gradyn_cut_passed(s->end, f->event));
    if (k >= told) {
      count_here(s, &f->along.after);
      count_here(s, &f->along.before);
    }
    if (f->which == 0 || f->maximum) /* a maximum finds its event itself */
      continue;
    if (here || k >= told) {
      f->which -= before;
      continue;
    }
    f->which = 0;
    f->terminal = NULL;
    f->data_only = true;
  }
}

/* Adds complex steps to the parameters that do not act, to show whether data depend on them. The sizes of
 * the steps differ, so that they do not cancel. */
static void perturb(const gradyn_segment *s, gradyn_scalar *all)
{
  const gradyn_acting *acting = s->acting;
  for (size_t j = 0, next = 0; j < s->common->count; j++)
    if (next < acting->count && acting->parameter[next] == j)
      next++;
    else
      all[j] += GRADYN_COMPLEX_STEP * gradyn_acting_step(j) * I;
}

/* Calls the build() of the problem with all its parameters. */
static gradyn_status build_whole(const gradyn_segment *s, gradyn_model *model,
                                 const gradyn_scalar rho[])
{
  const gradyn_acting *acting = s->acting;
  gradyn_scalar *all = gradyn_common_lock(s->common);
  if (all == NULL)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %zu parameters",
                       s->common->count);
  for (size_t j = 0; j < acting->count; j++)
    all[acting->parameter[j]] = rho[j];
  if (s->asks)
    perturb(s, all);
  model->problem = s->of; /* parameters have the same indices as in the problem of the user */
  model->declared.rho = all;
  const gradyn_status status = gradyn_problem_build(s->of, model, all);
  model->problem = &s->problem;
  model->declared.rho = rho;
  for (size_t j = 0; j < acting->count; j++)
    all[acting->parameter[j]] = s->common->rho[acting->parameter[j]];
  for (size_t j = 0; s->asks && j < s->common->count; j++)
    all[j] = s->common->rho[j];
  gradyn_common_unlock(s->common, all);
  return status;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  /* the problem is the first member of gradyn_segment */
  const gradyn_segment *s = (const gradyn_segment *)model->problem;
  const gradyn_cut *start = s->start;
  const bool assembled = s->whole->model->mech != NULL;
  model->span.free_start = start != NULL || s->measured != NULL;
  model->span.begin = begin;
  model->span.window = s->acting->stored;
  const gradyn_status status = build_whole(s, model, rho);
  model->span.from = s->from;
  model->span.to = s->to;
  model->span.step = start != NULL ? start->step : 0;
  model->span.mode = start != NULL ? start->mode : 0;
  for (int k = 0; k < model->functional_count && !model->finalised; k++) {
    gradyn_functional_entry *f = &model->functional[k];
    if (f->instant > 0 && k < s->whole->model->functional_count)
      s->timed[k].t = f->instant;
    else
      tailor(s, f);
  }
  add_states(model, s->end, "end of the segment", false);
  add_states(model, assembled ? start : NULL, "start of the segment", true);
  for (size_t i = 0; i < s->rows; i++)
    gradyn_limit_declare_row(model, &s->row[i]);
  place_counted(s, model);
  if (s->held && !model->finalised)
    gradyn_limits_disable(model);
  return status;
}

/* Counts the acting parameters among `count` parameters of the problem from `first` on. Moves *next, an
 * index among the acting parameters, behind them. */
static size_t count_acting(const gradyn_acting *acting, size_t *next, size_t first, size_t count)
{
  const size_t before = *next;
  while (*next < acting->count && acting->parameter[*next] < first + count)
    (*next)++;
  return *next - before;
}

/* Returns the description of a single parameter. */
static gradyn_param single(const gradyn_parameter_info *info)
{
  return (gradyn_param){.name = info->name,
                        .unit = info->unit,
                        .init = info->init,
                        .lower = info->lower,
                        .upper = info->upper,
                        .scale = info->scale,
                        .role = info->role,
                        .fixed = info->fixed};
}

/* Sets the parameters that act, and appends the unknown states at the start. Arrays whose elements all act
 * remain arrays. */
static bool set_parameters(gradyn_segment *s)
{
  const gradyn_acting *acting = s->acting;
  const gradyn_evaluator *whole = s->whole;
  s->params = calloc(acting->count + 1, sizeof *s->params);
  if (s->params == NULL)
    return false;
  size_t count = 0, next = 0, first = 0;
  for (size_t i = 0; i < s->of->param_count; i++) {
    int length = 0;
    (void)gradyn_parameter_array(whole->model, NULL, (int)i, &length);
    const size_t from = next, some = count_acting(acting, &next, first, (size_t)length);
    first += (size_t)length;
    if (some > 0 && some == (size_t)length)
      s->params[count++] = s->of->params[i];
    else
      for (size_t j = from; j < next; j++)
        s->params[count++] = single(&whole->parameters.info[acting->parameter[j]]);
  }
  const size_t unknown = s->start != NULL ? s->start->size : 0;
  s->params[count] = (gradyn_param){.name = "start of the segment",
                                    .unit = "",
                                    .role = GRADYN_INITIAL_STATE,
                                    .count = (int)unknown};
  s->problem.params = s->params;
  s->problem.param_count = count + (unknown > 0);
  return true;
}

gradyn_status gradyn_segment_create(size_t k, const char *method, gradyn_message *message,
                                    gradyn_segment *out)
{
  const gradyn_evaluator *whole = out->whole;
  out->problem = *whole->problem;
  out->of = whole->problem;
  out->problem.build = build;
  gradyn_options options = whole->options;
  options.method = method;
  out->timed = calloc((size_t)whole->model->functional_count + 1, sizeof *out->timed);
  if (out->timed == NULL || !set_parameters(out))
    return gradyn_fail(message, GRADYN_NO_MEMORY, "out of memory");
  const gradyn_status status = gradyn_evaluator_extend(out->whole, &out->problem, &options, NULL,
                                                       &out->evaluator);
  return status == GRADYN_OK ? status
                             : gradyn_fail(message, status, "segment %zu: %s", k + 1,
                                           gradyn_evaluator_message(out->evaluator));
}

void gradyn_segment_clear(gradyn_segment *s)
{
  gradyn_evaluator_free(s->evaluator);
  free(s->params);
  free(s->timed);
}

bool gradyn_segment_contributes(const gradyn_segment *s, size_t i)
{
  const gradyn_functional_entry *f = &s->evaluator->model->functional[i];
  return !f->data_only || f->terminal != NULL || f->integrand != NULL;
}

/* Whether a datum acts in the segment. Knots that are stored, but next to the segment, do not act. */
static bool is_acting(const gradyn_segment *s, const gradyn_model *model, int datum)
{
  for (int i = 0; i < model->signal_count; i++) {
    const gradyn_waveform *signal = &model->signal[i];
    const int k = datum - signal->knot;
    if (k >= signal->first && k < signal->first + signal->stored)
      return k >= s->acting->acts[i].first &&
             k < s->acting->acts[i].first + s->acting->acts[i].count;
  }
  return true;
}

gradyn_status gradyn_segment_verify(gradyn_segment *s, const double rho[], bool *grown)
{
  gradyn_evaluator *ev = s->evaluator;
  gradyn_model *model = ev->model;
  for (size_t j = 0; j < ev->parameters.count; j++)
    ev->rho[j] = rho[j];
  s->asks = true;
  const gradyn_status status = gradyn_model_refresh(model, ev->rho);
  s->asks = false;
  GRADYN_TRY(gradyn_evaluator_report_model(ev, status));
  for (int k = 0; k < model->nx && !*grown; k++)
    *grown = cimag(model->value[k]) != 0 && is_acting(s, model, k);
  return GRADYN_OK;
}

gradyn_status gradyn_segment_start(gradyn_segment *s, const double rho[], double z[])
{
  gradyn_initial initial = {0};
  GRADYN_TRY(gradyn_evaluator_load(s->evaluator, rho));
  gradyn_model *model = s->evaluator->model;
  const size_t n = (size_t)model->mech->n;
  gradyn_discrete_state_rewind(model);
  gradyn_status status = gradyn_initial_create(model->mech, GRADYN_ASSEMBLY, &initial);
  initial.t = gradyn_model_start(model);
  if (status == GRADYN_OK)
    status = gradyn_initial_solve(&initial);
  if (status == GRADYN_OK) {
    memcpy(z, initial.q, n * sizeof *z);
    memcpy(z + n, initial.v, n * sizeof *z);
  }
  gradyn_initial_clear(&initial);
  return gradyn_evaluator_report_model(s->evaluator, status);
}
