/* What a model looks like at some parameters, as a study keeps it for its report.
 *
 * A report draws without knowing mechanics: points are combinations of columns of the
 * trajectory, shapes refer to points, signals come sampled. The ranking of data by their effect
 * on a functional is the other half. */
#include "cli/page/model_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/effects.h"
#include "cli/text/json.h"
#include "cli/options/memory.h"
#include <gradyn/look.h>

enum {
  DATA_SHOWN = 30,        /* of each functional */
  FUNCTIONALS_SHOWN = 12, /* whose data are shown, beside the objective's */
  SIGNAL_SAMPLES = 400
};

/* Accuracy of derivatives that are looked at: a tighter one would have a search's last gradient compared with
 * those of shorter steps, by all data. */
static const double seen = 1e-6;

/* --- geometry --------------------------------------------------------------------------------- */

/* Carriers and weights of one point. */
static json_t *describe_point(const gradyn_drawn_point *p, int axes)
{
  json_t *item = json_object(), *carriers = json_array();
  /* a point is fixed + sum of weight x column of the trajectory */
  for (int k = 0; k < p->carriers; k++) {
    json_t *carrier = json_array();
    cli_json_append(carrier, json_integer(p->column[k]));
    cli_json_append(carrier, gradyn_json_number(p->weight[k]));
    cli_json_append(carriers, carrier);
  }
  cli_json_put(item, "name", cli_json_text(p->name));
  cli_json_put(item, "fixed", cli_json_numbers(p->fixed, (size_t)axes));
  cli_json_put(item, "carriers", carriers);
  if (p->direction)
    cli_json_put(item, "direction", json_true());
  return item;
}

/* Called for each shape; user: the array. */
static void add_drawable(const gradyn_drawable *d, void *user)
{
  json_t *item = json_object(), *points = json_array();
  for (int k = 0; k < d->points; k++)
    cli_json_append(points, json_integer(d->point[k]));
  cli_json_put(item, "shape", json_string(gradyn_shape_name(d->shape)));
  cli_json_put(item, "name", cli_json_text(d->name));
  cli_json_put(item, "points", points);
  cli_json_put(item, "size", cli_json_numbers(d->size, 3));
  cli_json_put(item, "axis", json_integer(d->axis));
  cli_json_put(item, "signal", json_integer(d->signal));
  if (d->modes != 0) { /* otherwise it is always there */
    json_t *modes = json_array();
    for (int k = 0; k < 32; k++)
      if (d->modes >> k & 1)
        cli_json_append(modes, json_integer(k + 1));
    cli_json_put(item, "modes", modes);
  }
  if (d->colour >= 0) { /* black is a colour, too: negative is none */
    char text[32];
    (void)snprintf(text, sizeof text, "#%06lx", (unsigned long)d->colour);
    cli_json_put(item, "colour", json_string(text));
  }
  cli_json_append(user, item);
}

/* --- signals ---------------------------------------------------------------------------------- */

/* The first of the parameters whose values are the knots: their bounds are those of the signal. */
static size_t find_knots(const cli_session *session, const double *rho,
                         const gradyn_signal_info *signal)
{
  size_t count = (size_t)signal->count, i = 0;
  /* bit by bit: knots are copies of the parameters, not computed from them */
  for (; i + count <= session->parameters; i++)
    if (memcmp(rho + i, signal->knots, count * sizeof *rho) == 0 &&
        strcmp(session->param[i].unit, signal->unit) == 0)
      return i;
  return session->parameters;
}

/* Of a signal whose knots are parameters, in a row of their own. */
static void put_bounds(const cli_session *session, const double *rho,
                       const gradyn_signal_info *signal, json_t *item)
{
  size_t first = find_knots(session, rho, signal);
  if (first == session->parameters) /* computed knots have no bounds of their own */
    return;
  json_t *lower = json_array(), *upper = json_array();
  for (int k = 0; k < signal->count; k++) {
    cli_json_append(lower, gradyn_json_number(session->param[first + (size_t)k].lower));
    cli_json_append(upper, gradyn_json_number(session->param[first + (size_t)k].upper));
  }
  cli_json_put(item, "lower", lower);
  cli_json_put(item, "upper", upper);
}

/* Knots, and samples over the run. */
static json_t *describe_signal(const cli_session *session, const double *rho, size_t i)
{
  static const char *const kind[] = {"piecewise constant", "piecewise linear", "cubic spline"};
  const gradyn_evaluator *evaluator = session->evaluator;
  gradyn_signal_info signal = gradyn_signal_at(evaluator, i);
  json_t *item = json_object(), *t = json_array(), *value = json_array();
  double end = gradyn_model_describe(evaluator).t_end;
  /* evaluated, so that a page need not know of splines */
  for (int k = 0; k <= SIGNAL_SAMPLES; k++) {
    double at = end * k / SIGNAL_SAMPLES;
    cli_json_append(t, gradyn_json_number(at));
    cli_json_append(value, gradyn_json_number(gradyn_signal_sample(evaluator, i, at)));
  }
  /* knots for those who set them, samples for those who draw */
  cli_json_put(item, "name", cli_json_text(signal.name));
  cli_json_put(item, "unit", cli_json_text(signal.unit));
  cli_json_put(item, "kind", json_string(kind[signal.kind]));
  cli_json_put(item, "t_start", gradyn_json_number(signal.t_start));
  cli_json_put(item, "t_end", gradyn_json_number(signal.t_end));
  cli_json_put(item, "knots", cli_json_numbers(signal.knots, (size_t)signal.count));
  cli_json_put(item, "t", t);
  cli_json_put(item, "value", value);
  put_bounds(session, rho, &signal, item);
  return item;
}

/* When the run has come into which mode: [s, mode]; it begins in the first. */
static json_t *describe_modes(const gradyn_evaluator *evaluator)
{
  json_t *course = json_array();
  int mode = 1;
  for (size_t i = 0; i < gradyn_event_log_count(evaluator); i++) {
    const gradyn_event_record e = gradyn_event_log_at(evaluator, i);
    if (e.mode != mode) {
      json_t *entry = json_array();
      cli_json_append(entry, gradyn_json_number(e.t));
      cli_json_append(entry, json_integer(e.mode));
      cli_json_append(course, entry);
    }
    mode = e.mode;
  }
  return course;
}

json_t *cli_model_json(const cli_session *session, const double *rho)
{
  const gradyn_evaluator *evaluator = session->evaluator;
  gradyn_model_info info = gradyn_model_describe(evaluator);
  json_t *root = json_object(), *points = json_array(), *drawables = json_array();
  json_t *signals = json_array();
  for (size_t i = 0; i < gradyn_drawn_point_count(evaluator); i++) {
    const gradyn_drawn_point p = gradyn_drawn_point_at(evaluator, i);
    cli_json_append(points, describe_point(&p, info.axes));
  }
  gradyn_draw(evaluator, add_drawable, drawables);
  for (size_t i = 0; i < gradyn_signal_count(evaluator); i++)
    cli_json_append(signals, describe_signal(session, rho, i));
  /* sizes, then what is drawn */
  cli_json_put(root, "axes", json_integer(info.axes));
  cli_json_put(root, "coordinates", json_integer(info.coordinates));
  cli_json_put(root, "constraints", json_integer(info.constraints));
  cli_json_put(root, "t_end", gradyn_json_number(info.t_end));
  cli_json_put(root, "points", points);
  cli_json_put(root, "drawables", drawables);
  cli_json_put(root, "signals", signals);
  cli_json_put(root, "modes", describe_modes(evaluator));
  return root;
}

/* --- sensitivity ------------------------------------------------------------------------------ */

/* The data that matter most to one functional. */
static json_t *describe_effects(const gradyn_evaluator *evaluator, const char *name,
                                const char *unit, const double *row)
{
  size_t count = gradyn_data_count(evaluator);
  cli_effect *effects = cli_effects_sort(evaluator, row, true);
  json_t *item = json_object(), *data = json_array();
  /* zeros come last in the order */
  for (size_t k = 0; k < count && k < DATA_SHOWN && effects[k].slope != 0; k++) {
    json_t *datum = json_object();
    cli_json_put(datum, "name", cli_json_text(effects[k].datum.name));
    cli_json_put(datum, "unit", cli_json_text(effects[k].datum.unit));
    cli_json_put(datum, "value", gradyn_json_number(effects[k].datum.value));
    cli_json_put(datum, "gradient", gradyn_json_number(effects[k].slope));
    cli_json_put(datum, "scaled", gradyn_json_number(effects[k].scaled));
    cli_json_append(data, datum);
  }
  free(effects);
  cli_json_put(item, "functional", cli_json_text(name));
  cli_json_put(item, "unit", cli_json_text(unit));
  cli_json_put(item, "data", data);
  return item;
}

/* Whether a functional is the largest of those of which the objective is the maximum. */
static bool is_largest(const cli_session *session, const double *psi, size_t i)
{
  const gradyn_functional_info *f = session->functional;
  for (size_t k = 0; k < session->functionals; k++)
    if (f[k].use == GRADYN_LARGEST && (f[k].weight * psi[k] > f[i].weight * psi[i] ||
                                       (k < i && f[k].weight * psi[k] == f[i].weight * psi[i])))
      return false;
  return f[i].use == GRADYN_LARGEST;
}

/* The weight of a functional in the objective at psi. */
static double weight_of(const cli_session *session, const char *objective, const double *psi,
                        size_t i)
{
  const gradyn_functional_info *f = &session->functional[i];
  /* what is minimised: one by name, or the weighted sum */
  if (objective)
    return strcmp(f->name, objective) == 0;
  return f->use == GRADYN_OBJECTIVE || is_largest(session, psi, i) ? f->weight : 0;
}

/* Of the objective and of the first functionals. */
static void put_effects(const cli_session *session, const gradyn_evaluator *evaluator,
                        const char *objective, const double *psi, const double *gradient,
                        json_t *model)
{
  /* parts: functionals with a weight; part: the last of them */
  size_t count = gradyn_data_count(evaluator), parts = 0, part = 0;
  double *sum = cli_take(count, sizeof *sum); /* [data] of the objective */
  json_t *list = json_array();
  for (size_t i = 0; i < session->functionals; i++) {
    double weight = weight_of(session, objective, psi, i);
    parts += weight != 0;
    part = weight != 0 ? i : part;
    for (size_t k = 0; k < count; k++)
      sum[k] += weight * gradient[i * count + k];
  }
  /* the sum of several is a functional of its own */
  if (parts > 1)
    cli_json_append(list, describe_effects(evaluator, "objective", "", sum));
  for (size_t i = 0; i < session->functionals && i < FUNCTIONALS_SHOWN; i++) {
    size_t k = parts != 1 ? i : i == 0 ? part : i <= part ? i - 1 : i; /* the objective first */
    cli_json_append(list, describe_effects(evaluator, session->functional[k].name,
                                           session->functional[k].unit, gradient + k * count));
  }
  free(sum);
  cli_json_put(model, "sensitivity", list);
  cli_json_put(model, "data", json_integer((json_int_t)count));
}

/* An evaluator for derivatives by all data that are looked at: by adjoints, a sweep for each functional, not
 * one for each datum, and no more exact than that. NULL: the session's own does. */
static gradyn_status make_evaluator(const cli_session *session, gradyn_evaluator **out)
{
  gradyn_options march = session->march;
  const bool adjoint = strcmp(march.sensitivity, "adjoint") == 0;
  const bool exact = march.step == 0 && march.rtol_sens < seen;
  *out = NULL;
  if (adjoint && !exact)
    return GRADYN_OK;
  march.sensitivity = "adjoint";
  if (exact)
    march.rtol_sens = seen;
  /* a choice of the method need not be made again */
  const char *method = gradyn_evaluator_statistics(session->evaluator).method;
  if (method)
    march.method = method;
  return gradyn_evaluator_create(session->problem, &march, session->settings,
                                 session->setting_count, out);
}

void cli_model_add_sensitivity(const cli_session *session, const double *rho, const char *objective,
                               json_t *model)
{
  gradyn_evaluator *own;
  gradyn_status status = make_evaluator(session, &own);
  gradyn_evaluator *evaluator = status == GRADYN_OK && !own ? session->evaluator : own;
  size_t count = gradyn_data_count(evaluator);
  double *psi = cli_take(session->functionals, sizeof *psi); /* [functionals] */
  double *gradient = cli_take(session->functionals * count, sizeof *gradient);
  if (status == GRADYN_OK && session->functionals > 0)
    status = gradyn_data_gradient(evaluator, rho, psi, gradient);
  if (status == GRADYN_OK)
    put_effects(session, evaluator, objective, psi, gradient, model);
  else
    cli_json_put(model, "sensitivity_failed", cli_json_text(gradyn_evaluator_message(evaluator)));
  free(psi);
  free(gradient);
  gradyn_evaluator_free(own);
}
