/* Descriptions of an evaluator that need no run. An index beyond the last entry, or a NULL evaluator, gives
 * an empty result. */
#include "adjoint/evaluator/cases.h"
#include "adjoint/evaluator/retired.h"
#include "core/problems/fit.h"
#include "core/mech/shown.h"
#include "adjoint/evaluator/evaluator.h"

#include <limits.h>
#include <string.h>

const char *gradyn_evaluator_message(const gradyn_evaluator *ev)
{
  return ev ? ev->message.text : gradyn_status_describe(GRADYN_NO_MEMORY).sentence;
}

gradyn_status gradyn_evaluator_report(gradyn_evaluator *ev, gradyn_status status)
{
  if (status == GRADYN_OK || ev->message.text[0] != '\0')
    return status;
  /* every failure has a message */
  const char *said = ev->model ? ev->model->message.text : "";
  gradyn_message_add(&ev->message, "%s",
                     *said ? said : gradyn_status_describe((int)status).sentence);
  return status;
}

gradyn_status gradyn_evaluator_report_model(gradyn_evaluator *ev, gradyn_status status)
{
  if (status != GRADYN_OK && ev->model)
    ev->message = ev->model->message;
  return gradyn_evaluator_report(ev, status);
}

size_t gradyn_parameter_count(const gradyn_evaluator *ev)
{
  return ev ? ev->parameters.count : 0;
}

gradyn_parameter_info gradyn_parameter_at(const gradyn_evaluator *ev, size_t i)
{
  if (i >= gradyn_parameter_count(ev))
    return (gradyn_parameter_info){.name = "", .unit = ""};
  return ev->parameters.info[i];
}

size_t gradyn_functional_count(const gradyn_evaluator *ev)
{
  if (ev && ev->load.all)
    return ev->load.all->row_count;
  return ev && ev->model ? (size_t)ev->model->functional_count : 0;
}

/* Returns the use of a functional. A fit without data is constant: as a term of the objective, it would
 * only hide that the other terms are fits. */
static gradyn_functional_use use_of(const gradyn_functional_entry *f)
{
  const gradyn_fitted *fit = f->reduced.fit;
  const bool empty = fit && fit->part == GRADYN_FIT_SUM && fit->count == 0;
  return empty && f->use == GRADYN_OBJECTIVE ? GRADYN_MONITORED : f->use;
}

/* Describes the datum of a residual. */
static void add_datum(const gradyn_model *model, const gradyn_functional_entry *f,
                      gradyn_functional_info *info)
{
  const gradyn_fitted *fit = f->reduced.fit;
  const gradyn_functional_entry *measure = &model->declared.measure[f->reduced.measure];
  info->time = fit->time;
  info->weighted = fit->weighted;
  info->loss = fit->loss;
  info->threshold = fit->threshold;
  info->measure = measure->name;
  info->measure_unit = measure->unit;
  info->value = fit->value;
  info->deviation = gradyn_fit_deviation(model, fit);
  info->scale = fit->scale > 0 ? model->x[fit->scale] : 1;
  info->offset = fit->offset > 0 ? model->x[fit->offset] : 0;
  info->delay = fit->delay > 0 ? model->x[fit->delay] : 0;
}

/* Describes functional i of all load cases. Its deviations of data and sensors come from the last call. */
static gradyn_functional_info of_cases(const gradyn_case_set *set, size_t i)
{
  const gradyn_case_row *row = &set->row[i];
  gradyn_functional_info info = row->info;
  if (info.use == GRADYN_RESIDUAL)
    add_datum(set->part[row->of].ev->model, &set->part[row->of].ev->model->functional[row->index],
              &info);
  return info;
}

/* Functionals are in the order of declaration. Beyond the last one, the result is empty. */
gradyn_functional_info gradyn_functional_at(const gradyn_evaluator *ev, size_t i)
{
  gradyn_functional_info info = {.name = "", .unit = "", .measure = "", .measure_unit = ""};
  if (i >= gradyn_functional_count(ev))
    return info;
  if (ev->load.all)
    return of_cases(ev->load.all, i);
  const gradyn_functional_entry *f = &ev->model->functional[i];
  info.name = f->name;
  info.unit = f->unit;
  info.use = use_of(f);
  info.weight = f->weight;
  info.bound = f->bound;
  info.tolerance = f->tolerance;
  info.fit = gradyn_fit_of(f);
  if (info.use == GRADYN_RESIDUAL)
    add_datum(ev->model, f, &info);
  return info;
}

gradyn_event_info gradyn_event_at(const gradyn_evaluator *ev, size_t i)
{
  if (!ev || !ev->model || !ev->model->finalised || i >= (size_t)ev->model->event_count)
    return (gradyn_event_info){.name = ""};
  const gradyn_event_entry *e = &ev->model->event[i];
  return (gradyn_event_info){.name = e->name, .wall = e->contact >= 0, .invariant = e->invariant};
}

/* Data are in the order of declaration, without derived data. */
gradyn_datum_info gradyn_datum_at(const gradyn_evaluator *ev, size_t i)
{
  if (!ev || i >= (size_t)ev->public_count)
    return (gradyn_datum_info){.name = "", .unit = ""};
  /* indices of users skip derived data */
  int k = ev->public_data[i];
  const gradyn_data_entry *entry = &ev->model->entry[k];
  return (gradyn_datum_info){entry->name, entry->unit, ev->model->x[k]};
}

/* Passes elements on with the indices of their data among those that users see. */
typedef struct translation {
  const gradyn_evaluator *ev;
  gradyn_element_fn visit;
  void *user;
} translation;

/* Returns the number of visible data before index k of x. */
static size_t seen_before(const gradyn_evaluator *ev, size_t k)
{
  size_t low = 0, high = (size_t)ev->public_count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if ((size_t)ev->public_data[middle] < k)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void translate(const gradyn_element_info *element, void *user)
{
  const translation *t = user;
  gradyn_element_info info = *element;
  info.datum = seen_before(t->ev, element->datum);
  info.data_count = seen_before(t->ev, element->datum + element->data_count) - info.datum;
  t->visit(&info, t->user);
}

void gradyn_elements_visit(const gradyn_evaluator *ev, gradyn_element_fn visit, void *user)
{
  translation t = {ev, visit, user};
  if (ev && ev->model && ev->model->finalised && visit)
    ev->model->ops->elements(ev->model, translate, &t);
}

/* Counts points that move; base vectors, slopes and joint coordinates are no points. */
static int count_points(const gradyn_model *model)
{
  const gradyn_drawing_ops *looks = model->ops->looks;
  int count = 0;
  for (int i = 0; looks && i < looks->points(model); i++) {
    const gradyn_drawn_point point = looks->point(model, i);
    /* a point without carriers is fixed */
    count += point.carriers > 0 && !point.direction;
  }
  return count;
}

/* Kind and size of the model. */
gradyn_model_info gradyn_evaluator_model_info(const gradyn_evaluator *ev)
{
  const gradyn_model *model = ev ? ev->model : NULL;
  if (!model || !model->finalised)
    return (gradyn_model_info){0};
  gradyn_model_info info = {
      .mechanical = model->mech != NULL,
      .states = gradyn_mech_shown(model->mech, model->ops->state_count(model)),
      .chosen = model->ops->link ? "joint" : "natural",
      .t_end = model->x[model->t_end],
      .data = (size_t)ev->public_count,
      .events = (size_t)model->event_count,
      .signals = (size_t)model->signal_count,
      .cases = gradyn_case_count(ev)};
  if (model->ops->looks)
    info.drawn_points = (size_t)model->ops->looks->points(model);
  if (model->mech) {
    info.coordinates = gradyn_mech_shown(model->mech, model->mech->n);
    info.constraints = model->mech->m;
    /* n = axes times points: base vectors and slopes count as points */
    info.axes = model->ops->looks ? model->ops->looks->axes(model) : 2;
    info.points = count_points(model);
    memcpy(info.operations, model->settings.operations, sizeof info.operations);
  }
  return info;
}

bool gradyn_link_at(const gradyn_evaluator *ev, size_t i, gradyn_link_info *link)
{
  const gradyn_model *model = ev && ev->model && ev->model->finalised ? ev->model : NULL;
  if (!link)
    return false;
  *link = (gradyn_link_info){0};
  return model && model->ops->link && i < INT_MAX && model->ops->link(model, (int)i, link);
}

const gradyn_problem *gradyn_evaluator_problem(const gradyn_evaluator *ev)
{
  return ev ? ev->problem : NULL;
}

gradyn_options gradyn_evaluator_options(const gradyn_evaluator *ev)
{
  return ev ? ev->options : (gradyn_options){0};
}

gradyn_event_record gradyn_event_log_at(const gradyn_evaluator *ev, size_t i)
{
  return ev && ev->model && i < (size_t)ev->model->log.count
             ? gradyn_event_record_public(ev->model->log.record[i])
             : (gradyn_event_record){.name = ""};
}
