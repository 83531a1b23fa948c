/* Description of a model, which a study stores for its report.
 *
 * A report draws without knowledge of mechanics: points are combinations of columns of the trajectory,
 * shapes refer to points, and signals are sampled. The second part lists the data by their effect on
 * functionals. */
#include "optim/study/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/evaluator/evaluator.h"
#include "core/mech/shown.h"
#include "core/files/json.h"
#include "optim/study/account.h"
#include "optim/study/effects.h"
#include <gradyn/analysis.h>
#include <gradyn/inspect.h>

enum {
  DATA_SHOWN = 30,        /* number of data for each functional */
  FUNCTIONALS_SHOWN = 12, /* number of functionals with data, in addition to the objective */
  SIGNAL_SAMPLES = 400,
  DIGITS_SHOWN = 6 /* digits of a number on the page of the report (report/assets/base.js) */
};

/* --- geometry --------------------------------------------------------------------------------- */

/* Describes a point by weights of columns of the trajectory file. */
static json_t *describe_point(const gradyn_evaluator *evaluator, const gradyn_drawn_point *p,
                              int axes)
{
  json_t *item = json_object(), *carriers = json_array();
  /* position = fixed + sum of weight x column of the trajectory */
  for (int k = 0; k < p->carriers; k++) {
    json_t *carrier = json_array();
    gradyn_json_append(&carrier,
                       json_integer(gradyn_mech_shown(evaluator->model->mech, p->column[k])));
    gradyn_json_append(&carrier, gradyn_json_number(p->weight[k]));
    gradyn_json_append(&carriers, carrier);
  }
  gradyn_json_put(&item, "name", gradyn_json_text(p->name));
  gradyn_json_put(&item, "fixed", gradyn_json_numbers(p->fixed, (size_t)axes));
  gradyn_json_put(&item, "carriers", carriers);
  if (p->direction)
    gradyn_json_put(&item, "direction", json_true());
  return item;
}

/* Adds a shape to an array; user: the address of the array. */
static void add_drawable(const gradyn_drawable *d, void *user)
{
  json_t *item = json_object(), *points = json_array();
  for (int k = 0; k < d->points; k++)
    gradyn_json_append(&points, json_integer(d->point[k]));
  gradyn_json_put(&item, "shape", json_string(d->kind));
  gradyn_json_put(&item, "name", gradyn_json_text(d->name));
  gradyn_json_put(&item, "points", points);
  gradyn_json_put(&item, "size", gradyn_json_numbers(d->size, 3));
  gradyn_json_put(&item, "axis", json_integer(d->axis));
  /* index among the signals from 0; -1: the shape has none */
  gradyn_json_put(&item, "signal", json_integer(d->signal - 1));
  if (d->modes != 0) { /* mode 0: the shape is visible in all modes */
    json_t *modes = json_array();
    for (int k = 0; k < 32; k++)
      if (d->modes >> k & 1)
        gradyn_json_append(&modes, json_integer(k + 1));
    gradyn_json_put(&item, "modes", modes);
  }
  if (d->colour >= 0) { /* negative: no colour; 0 is black */
    char text[32];
    (void)snprintf(text, sizeof text, "#%06lx", (unsigned long)d->colour);
    gradyn_json_put(&item, "colour", json_string(text));
  }
  gradyn_json_append(user, item);
}

/* --- signals ---------------------------------------------------------------------------------- */

/* Returns the first of the consecutive parameters that are the knots of a signal; their bounds are bounds
 * of the signal. Returns the number of parameters if there are no such parameters. */
static size_t find_knots(const gradyn_evaluator *evaluator, const double *rho,
                         const gradyn_signal_info *signal)
{
  const size_t count = (size_t)signal->count, parameters = gradyn_parameter_count(evaluator);
  /* all bits must agree, because knots are copies of the parameters */
  for (size_t i = 0; i + count <= parameters; i++)
    if (memcmp(rho + i, signal->knots, count * sizeof *rho) == 0 &&
        strcmp(gradyn_parameter_at(evaluator, i).unit, signal->unit) == 0)
      return i;
  return parameters;
}

/* Adds the bounds of a signal whose knots are consecutive parameters. */
static void put_bounds(const gradyn_evaluator *evaluator, const double *rho,
                       const gradyn_signal_info *signal, json_t **item)
{
  const size_t first = find_knots(evaluator, rho, signal);
  if (first == gradyn_parameter_count(evaluator)) /* knots that are computed have no bounds */
    return;
  json_t *lower = json_array(), *upper = json_array();
  for (size_t k = 0; k < (size_t)signal->count; k++) {
    const gradyn_parameter_info knot = gradyn_parameter_at(evaluator, first + k);
    gradyn_json_append(&lower, gradyn_json_number(knot.lower));
    gradyn_json_append(&upper, gradyn_json_number(knot.upper));
  }
  gradyn_json_put(item, "lower", lower);
  gradyn_json_put(item, "upper", upper);
}

/* Returns the times of the knots in s. For a piecewise constant signal, these are the times at which its
 * values begin. */
static json_t *describe_times(const gradyn_signal_info *signal)
{
  json_t *times = json_array();
  gradyn_json_append(&times, gradyn_json_number(signal->t_start));
  for (int k = 1; k < signal->count; k++)
    gradyn_json_append(&times, gradyn_json_number(signal->times[k]));
  return times;
}

/* Describes a signal: its knots, and samples over the run. */
static json_t *describe_signal(const gradyn_evaluator *evaluator, const double *rho, size_t i)
{
  static const char *const kind[] = {"piecewise constant", "piecewise linear", "cubic spline"};
  gradyn_signal_info signal = gradyn_signal_at(evaluator, i);
  json_t *item = json_object(), *t = json_array(), *value = json_array();
  double end = gradyn_evaluator_model_info(evaluator).t_end;
  /* samples, so that the page need not compute splines */
  for (int k = 0; k <= SIGNAL_SAMPLES; k++) {
    double at = end * k / SIGNAL_SAMPLES;
    gradyn_json_append(&t, gradyn_json_number(at));
    gradyn_json_append(&value, gradyn_json_number(gradyn_signal_sample(evaluator, i, at)));
  }
  /* knots are for editing, samples for drawing */
  gradyn_json_put(&item, "name", gradyn_json_text(signal.name));
  gradyn_json_put(&item, "unit", gradyn_json_text(signal.unit));
  gradyn_json_put(&item, "kind", json_string(kind[signal.kind]));
  gradyn_json_put(&item, "t_start", gradyn_json_number(signal.t_start));
  gradyn_json_put(&item, "t_end", gradyn_json_number(signal.t_end));
  if (signal.integer)
    gradyn_json_put(&item, "integer", json_true());
  if (signal.one_of != NULL)
    gradyn_json_put(&item, "one_of", gradyn_json_text(signal.one_of));
  gradyn_json_put(&item, "knots", gradyn_json_numbers(signal.knots, (size_t)signal.count));
  if (signal.times != NULL)
    gradyn_json_put(&item, "times", describe_times(&signal));
  gradyn_json_put(&item, "t", t);
  gradyn_json_put(&item, "value", value);
  put_bounds(evaluator, rho, &signal, &item);
  return item;
}

/* --- sizes and modes ---------------------------------------------------------------------------- */

/* Adds degrees of freedom, and the names of redundant constraints. */
static void put_freedom(gradyn_evaluator *evaluator, const double *rho, int constraints,
                        json_t **root)
{
  gradyn_dof dof = {0};
  json_t *names = json_array();
  FREED int *dependent = calloc((size_t)constraints + 1, sizeof *dependent);
  if (dependent == NULL) {
    gradyn_json_put(root, "degrees_of_freedom", NULL); /* NULL reports that memory is lacking */
  } else {
    const bool known = gradyn_dof_compute(evaluator, rho, &dof, dependent) == GRADYN_OK;
    for (int i = 0; known && i < dof.redundant_constraints; i++)
      gradyn_json_append(&names, gradyn_json_text(gradyn_constraint_name(evaluator, dependent[i])));
    /* null if unknown, which differs from zero */
    gradyn_json_put(root, "degrees_of_freedom", known ? json_integer(dof.degrees) : json_null());
    gradyn_json_put(root, "degrees_of_freedom_of_velocities",
                    known ? json_integer(dof.rates) : json_null());
    gradyn_json_put(root, "degrees_of_freedom_at_start",
                    known ? json_integer(dof.at_start) : json_null());
    gradyn_json_put(root, "assembled", json_boolean(known));
  }
  gradyn_json_put(root, "redundant_constraints", names);
}

json_t *gradyn_model_sizes(gradyn_evaluator *evaluator, const double *rho)
{
  const gradyn_model_info info = gradyn_evaluator_model_info(evaluator);
  json_t *root = json_object();
  gradyn_json_put(&root, "kind", json_string(info.mechanical ? "mechanism" : "equations"));
  if (info.mechanical) {
    gradyn_json_put(&root, "points", json_integer(info.points));
    gradyn_json_put(&root, "coordinates", json_integer(info.coordinates));
    gradyn_json_put(&root, "chosen", json_string(info.chosen));
    gradyn_json_put(&root, "constraints", json_integer(info.constraints));
    put_freedom(evaluator, rho, info.constraints, &root);
  }
  gradyn_json_put(&root, "states", json_integer(info.states));
  return root;
}

/* Returns the sizes of the model. A second evaluator computes them, so that the last run of this one is
 * kept. */
static json_t *sizes_aside(const gradyn_evaluator *evaluator, const double *rho)
{
  gradyn_evaluator *own = NULL;
  const gradyn_options options = gradyn_evaluator_options(evaluator);
  const gradyn_status status = gradyn_evaluator_clone(evaluator, &options, &own);
  json_t *sizes = status == GRADYN_OK          ? gradyn_model_sizes(own, rho)
                  : status == GRADYN_NO_MEMORY ? NULL
                                               : json_null();
  gradyn_evaluator_free(own);
  return sizes;
}

static json_t *describe_mode_names(const gradyn_evaluator *evaluator)
{
  json_t *names = json_array();
  for (int i = 0; i < evaluator->model->modes.count; i++)
    gradyn_json_append(&names, gradyn_json_text(evaluator->model->modes.name[i]));
  return names;
}

/* Returns the changes of mode during the run as pairs [time in s, mode]. The run begins in mode 1. */
static json_t *describe_modes(const gradyn_evaluator *evaluator)
{
  json_t *course = json_array();
  int mode = 1;
  for (size_t i = 0; i < gradyn_evaluator_statistics(evaluator).events; i++) {
    const gradyn_event_record e = gradyn_event_log_at(evaluator, i);
    if (e.mode != mode) {
      json_t *entry = json_array();
      gradyn_json_append(&entry, gradyn_json_number(e.t));
      gradyn_json_append(&entry, json_integer(e.mode));
      gradyn_json_append(&course, entry);
    }
    mode = e.mode;
  }
  return course;
}

json_t *gradyn_model_json(const gradyn_evaluator *evaluator, const double *rho)
{
  gradyn_model_info info = gradyn_evaluator_model_info(evaluator);
  json_t *root = json_object(), *points = json_array(), *drawables = json_array();
  json_t *signals = json_array();
  for (size_t i = 0; i < info.drawn_points; i++) {
    const gradyn_drawn_point p = gradyn_drawn_point_at(evaluator, i);
    gradyn_json_append(&points, describe_point(evaluator, &p, info.axes));
  }
  gradyn_drawables_visit(evaluator, add_drawable, &drawables);
  for (size_t i = 0; i < info.signals; i++)
    gradyn_json_append(&signals, describe_signal(evaluator, rho, i));
  const char *summary = evaluator->problem->summary;
  gradyn_json_put(&root, "summary", gradyn_json_text(summary ? summary : ""));
  gradyn_json_put(&root, "sizes", sizes_aside(evaluator, rho));
  /* first the numbers that drawing needs, then the drawings */
  gradyn_json_put(&root, "axes", json_integer(info.axes));
  gradyn_json_put(&root, "coordinates", json_integer(info.coordinates));
  gradyn_json_put(&root, "constraints", json_integer(info.constraints));
  gradyn_json_put(&root, "t_end", gradyn_json_number(info.t_end));
  gradyn_json_put(&root, "points", points);
  gradyn_json_put(&root, "drawables", drawables);
  gradyn_json_put(&root, "signals", signals);
  gradyn_json_put(&root, "modes", describe_modes(evaluator));
  gradyn_json_put(&root, "mode_names", describe_mode_names(evaluator));
  gradyn_json_put(&root, "events", gradyn_account_events(evaluator));
  return root;
}

/* --- sensitivity ------------------------------------------------------------------------------ */

/* Describes the data with the largest effects on one functional. */
static json_t *describe_effects(const gradyn_evaluator *evaluator, const char *name,
                                const char *unit, const double *row)
{
  size_t count = gradyn_evaluator_model_info(evaluator).data;
  gradyn_effect *effects = gradyn_effects_sort(evaluator, row, true);
  if (effects == NULL)
    return NULL;
  json_t *item = json_object(), *data = json_array();
  /* data without effect come last and are left out */
  for (size_t k = 0; k < count && k < DATA_SHOWN && effects[k].slope != 0; k++) {
    json_t *datum = json_object();
    gradyn_json_put(&datum, "name", gradyn_json_text(effects[k].datum.name));
    gradyn_json_put(&datum, "unit", gradyn_json_text(effects[k].datum.unit));
    gradyn_json_put(&datum, "value", gradyn_json_number(effects[k].datum.value));
    gradyn_json_put(&datum, "gradient", gradyn_json_number(effects[k].slope));
    gradyn_json_put(&datum, "scaled", gradyn_json_number(effects[k].scaled));
    gradyn_json_append(&data, datum);
  }
  free(effects);
  gradyn_json_put(&item, "functional", gradyn_json_text(name));
  gradyn_json_put(&item, "unit", gradyn_json_text(unit));
  gradyn_json_put(&item, "data", data);
  return item;
}

/* Whether functional i is the piece that determines the maximum in the objective. */
static bool is_largest(const gradyn_evaluator *evaluator, const double *psi, size_t i)
{
  const gradyn_functional_info own = gradyn_functional_at(evaluator, i);
  const double size = own.weight * psi[i];
  for (size_t k = 0; k < gradyn_functional_count(evaluator); k++) {
    const gradyn_functional_info f = gradyn_functional_at(evaluator, k);
    if (f.use == GRADYN_LARGEST &&
        (f.weight * psi[k] > size || (k < i && f.weight * psi[k] == size)))
      return false;
  }
  return own.use == GRADYN_LARGEST;
}

/* Returns the weight of functional i in the objective at psi. */
static double weight_of(const gradyn_evaluator *evaluator, const char *objective, const double *psi,
                        size_t i)
{
  const gradyn_functional_info f = gradyn_functional_at(evaluator, i);
  /* with a named objective, its weight is 1 and all others are 0 */
  if (objective)
    return strcmp(f.name, objective) == 0;
  return f.use == GRADYN_OBJECTIVE || is_largest(evaluator, psi, i) ? f.weight : 0;
}

/* Adds the effects of data on the objective and on the first functionals. sum [data]: scratch memory, all
 * zero. */
static void put_effects(const gradyn_evaluator *evaluator, const char *objective, const double *psi,
                        const double *gradient, double *sum, json_t **model)
{
  /* parts: number of functionals in the objective; part: the last one of them */
  const size_t count = gradyn_evaluator_model_info(evaluator).data;
  const size_t functionals = gradyn_functional_count(evaluator);
  size_t parts = 0, part = 0;
  json_t *list = json_array();
  for (size_t i = 0; i < functionals; i++) {
    const double weight = weight_of(evaluator, objective, psi, i);
    parts += weight != 0;
    part = weight != 0 ? i : part;
    for (size_t k = 0; k < count; k++)
      sum[k] += weight * gradient[i * count + k];
  }
  /* an objective with several functionals is listed as one more functional */
  if (parts > 1)
    gradyn_json_append(&list, describe_effects(evaluator, "objective", "", sum));
  for (size_t i = 0; i < functionals && i < FUNCTIONALS_SHOWN; i++) {
    const size_t k = parts != 1  ? i
                     : i == 0    ? part
                     : i <= part ? i - 1
                                 : i; /* a single functional of the objective comes first */
    const gradyn_functional_info f = gradyn_functional_at(evaluator, k);
    gradyn_json_append(&list, describe_effects(evaluator, f.name, f.unit, gradient + k * count));
  }
  gradyn_json_put(model, "sensitivity", list);
  gradyn_json_put(model, "data", json_integer((json_int_t)count));
}

/* Creates an evaluator for derivatives by all data. Adjoints need a sweep for each functional instead of
 * one for each datum. They are used unless there are more functionals than data, as in fits. Their accuracy
 * is that of the numbers shown. With a tighter tolerance, gradients by all data would be repeated with
 * shorter steps until their errors are small enough. *out NULL: the given evaluator is suitable. */
static gradyn_status make_evaluator(const gradyn_evaluator *evaluator, const char *sensitivity,
                                    gradyn_evaluator **out)
{
  gradyn_options evaluation = gradyn_evaluator_options(evaluator);
  const double seen = pow(10, -DIGITS_SHOWN);
  const bool exact = evaluation.step == 0 && evaluation.rtol_sens < seen;
  *out = NULL;
  if (strcmp(sensitivity, "adjoint") == 0 && !exact)
    return GRADYN_OK;
  const bool many = gradyn_functional_count(evaluator) >
                    gradyn_evaluator_model_info(evaluator).data;
  evaluation.sensitivity = many ? "auto" : "adjoint";
  if (exact)
    evaluation.rtol_sens = seen;
  /* uses the method of the last run, so that none need be selected again */
  const char *method = gradyn_evaluator_statistics(evaluator).method;
  if (method)
    evaluation.method = method;
  return gradyn_evaluator_clone(evaluator, &evaluation, out);
}

void gradyn_model_add_effects(gradyn_evaluator *given, const double *rho,
                              const gradyn_model_effects *effects, json_t **model)
{
  gradyn_evaluator *own;
  gradyn_status status = make_evaluator(given, effects->sensitivity, &own);
  gradyn_evaluator *evaluator = status == GRADYN_OK && !own ? given : own;
  const size_t count = gradyn_evaluator_model_info(evaluator).data,
               functionals = gradyn_functional_count(evaluator);
  /* psi [functionals], then the sum [data] of the objective, then the gradient [functionals][data] */
  double *psi = calloc(functionals + count + functionals * count + 1, sizeof *psi);
  double *sum = psi ? psi + functionals : NULL, *gradient = psi ? sum + count : NULL;
  if (!psi)
    status = GRADYN_NO_MEMORY;
  if (status == GRADYN_OK && functionals > 0)
    status = gradyn_evaluator_data_gradient(evaluator, rho, psi, gradient);
  if (status == GRADYN_OK)
    put_effects(evaluator, effects->objective, psi, gradient, sum, model);
  else
    gradyn_json_put(model, "sensitivity_failed",
                    psi ? gradyn_json_text(gradyn_evaluator_message(evaluator)) : NULL);
  free(psi);
  gradyn_evaluator_free(own);
}
