/* Measures that are computed from measures: the magnitude of a vector of measures, such as a force; a user's
 * formula, differentiated by complex step. */
#include "mbs/measures/measure.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/model/declare.h"

/* --- magnitude -------------------------------------------------------------------------------- */

/* Value of part k, a measure from which the measure s is computed. With out, adds weight times its
 * derivatives. The first failure is kept. */
static double take_part(gradyn_mbs *m, const mbs_measure *s, int k, const gradyn_sample *at,
                        double weight, const gradyn_gradient_out *out)
{
  const gradyn_functional_entry *part = &m->model->declared.measure[s->part[k]];
  double value = 0;
  const gradyn_status status = out ? part->terminal->gradient(m->model, part, at, weight, out)
                                   : part->terminal->value(m->model, part, at, &value);
  if (m->parts.measure_failed == GRADYN_OK)
    m->parts.measure_failed = status;
  return value;
}

/* sqrt(sum of squares + e^2) - e, which is 0 if all measures are. Derivatives: part/root by each part,
 * e/root - 1 by the smoothing e. If the root is 0, at the kink, derivatives are 0. */
static double magnitude(gradyn_mbs *m, const mbs_measure *s, const gradyn_sample *at, double weight,
                        const gradyn_gradient_out *out)
{
  const double smoothing = m->model->x[s->datum];
  double part[MBS_PARTS], sum = smoothing * smoothing;
  for (int k = 0; k < s->parts; k++) {
    part[k] = take_part(m, s, k, at, 0, NULL);
    sum += part[k] * part[k];
  }
  const double root = sqrt(sum);
  for (int k = 0; k < s->parts && out && root > 0; k++)
    take_part(m, s, k, at, weight * part[k] / root, out);
  if (out && out->x_bar && root > 0)
    out->x_bar[s->datum] += weight * (smoothing / root - 1);
  return root - smoothing;
}

/* --- formula ---------------------------------------------------------------------------------- */

/* Arguments of a formula, except for its data. */
typedef struct arguments {
  gradyn_scalar of[MBS_PARTS],
      seen[3][MBS_LOCAL]; /* values of measures; pos, vel, acc of the listed points */
  double t;               /* for messages */
} arguments;

/* Fills the arguments: measures, points, and the data in the model's scratch array for data of callbacks. */
static void prepare(gradyn_mbs *m, const mbs_measure *s, const gradyn_sample *at, arguments *c)
{
  c->t = at->t;
  for (int k = 0; k < s->parts; k++)
    c->of[k] = take_part(m, s, k, at, 0, NULL);
  for (int order = 0; order < 3; order++)
    for (int i = 0; i < m->dim * s->points; i++)
      c->seen[order][i] = order < s->orders
                              ? mbs_component(m, s->point[i / m->dim], order, i % m->dim, at->y)
                              : (double)NAN;
  /* filled after the parts, because they may be formulas that use the same array */
  for (int k = 0; k < s->data_count; k++)
    m->model->scratch.data[k] = m->model->x[s->datum + k];
}

/* Calls the user's function, which does not see the time; stepped: an argument has a complex step. */
static gradyn_scalar call(gradyn_mbs *m, const mbs_measure *s, const arguments *c, bool stepped)
{
  const bool some = s->points > 0;
  const gradyn_at at = {.t = NAN,
                        .of = s->parts > 0 ? c->of : NULL,
                        .measures = s->parts,
                        .pos = some ? c->seen[0] : NULL,
                        .vel = some ? c->seen[1] : NULL,
                        .acc = some ? c->seen[2] : NULL,
                        .points = s->points,
                        .axes = some ? m->dim : 0,
                        .data = s->data_count > 0 ? m->model->scratch.data : NULL,
                        .data_count = s->data_count,
                        .user = s->user,
                        .model = m->model};
  gradyn_scalar value = 0;
  gradyn_callback_note(m->model, s->callback, &at);
  const gradyn_status status = s->formula(&at, &value);
  if (status == GRADYN_OK && gradyn_is_number(value, stepped))
    return value;
  /* the first failure is reported */
  if (m->parts.measure_failed == GRADYN_OK)
    m->parts.measure_failed = status == GRADYN_OK
                                  ? gradyn_fail(&m->model->message, GRADYN_NON_FINITE,
                                                "measure %s is %s (%g) at t = %g s", s->name,
                                                gradyn_number_fault(value), creal(value), c->t)
                                  : gradyn_callback_failed(m->model, status, "measure", s->name,
                                                           c->t);
  return NAN;
}

/* Derivative by the argument *slot: imaginary part after a complex step, divided by the step. */
static double slope(gradyn_mbs *m, const mbs_measure *s, const arguments *c, gradyn_scalar *slot)
{
  const gradyn_scalar keep = *slot;
  *slot += GRADYN_COMPLEX_STEP * I;
  const double imaginary = cimag(call(m, s, c, true));
  *slot = keep;
  return imaginary / GRADYN_COMPLEX_STEP;
}

/* Adds the derivatives by positions, velocities and accelerations of the points. */
static void points_bar(gradyn_mbs *m, const mbs_measure *s, const gradyn_sample *at, arguments *c,
                       double weight, const gradyn_gradient_out *out)
{
  for (int order = 0; order < s->orders; order++)
    for (int i = 0; i < m->dim * s->points; i++)
      mbs_component_bar(m, s->point[i / m->dim], order, i % m->dim,
                        weight * slope(m, s, c, &c->seen[order][i]), at->y, out);
}

/* Adds the derivatives of a formula, by complex step; those by measures are multiplied by the measures'
 * derivatives. */
static void formula_bar(gradyn_mbs *m, const mbs_measure *s, const gradyn_sample *at, arguments *c,
                        double weight, const gradyn_gradient_out *out)
{
  double by_part[MBS_PARTS];
  /* derivatives of the formula first, since measures use the same scratch array */
  for (int k = 0; k < s->parts; k++)
    by_part[k] = slope(m, s, c, &c->of[k]);
  for (int k = 0; k < s->data_count && out->x_bar; k++)
    out->x_bar[s->datum + k] += weight * slope(m, s, c, &m->model->scratch.data[k]);
  points_bar(m, s, at, c, weight, out);
  for (int k = 0; k < s->parts; k++)
    take_part(m, s, k, at, weight * by_part[k], out);
}

static double formula(gradyn_mbs *m, const mbs_measure *s, const gradyn_sample *at, double weight,
                      const gradyn_gradient_out *out)
{
  arguments c;
  prepare(m, s, at, &c);
  const double value = creal(call(m, s, &c, false));
  if (out)
    formula_bar(m, s, at, &c, weight, out);
  return value;
}

/* --- declarations ----------------------------------------------------------------------------- */

/* Highest order of time derivatives that a measure uses; 3: it also uses multipliers. */
static int order_of(const gradyn_functional_entry *f)
{
  return f->data_only || f->positions_only ? 0 : f->motion_only ? 1 : f->no_multipliers ? 2 : 3;
}

/* Adds the components of measures to the prototype; false after a build error. */
static bool take_parts(gradyn_mbs *m, const char *name, const int measures[], int count, int least,
                       mbs_measure *prototype)
{
  int parts = 0;
  for (int k = 0; k < count && count <= MBS_PARTS && measures; k++) {
    const gradyn_functional_entry *part = gradyn_find_measure(m->model, name, measures[k]);
    if (!part)
      return false;
    for (int i = 0; i < part->reduced.components; i++)
      if (parts++ < MBS_PARTS)
        prototype->part[parts - 1] = part->reduced.measure + i;
    if (order_of(part) > prototype->order)
      prototype->order = order_of(part);
  }
  prototype->parts = parts;
  if (count <= parts && parts >= least && parts <= MBS_PARTS)
    return true;
  gradyn_build_error(m->model, "%s combines %d measures; %d to %d are possible", name,
                     count > parts && measures ? count : parts, least, (int)MBS_PARTS);
  return false;
}

/* Declares the magnitude of a vector of measures with the same unit. */
int gradyn_measure_magnitude(gradyn_model *model, const char *name, const int measures[], int count,
                             gradyn_scalar smoothing)
{
  gradyn_mbs *m = mbs_of(model);
  mbs_measure s = {.take = magnitude};
  if (!m || !gradyn_model_named(model, name, "a magnitude") ||
      !take_parts(m, name, measures, count, 1, &s))
    return 0;
  s.unit = model->declared.measure[s.part[0]].unit;
  for (int k = 1; k < s.parts; k++) {
    const gradyn_functional_entry *part = &model->declared.measure[s.part[k]];
    if (strcmp(part->unit, s.unit) != 0)
      gradyn_build_error(model, "%s: the unit of %s is %s; others have the unit %s", name,
                         part->name, part->unit, s.unit);
  }
  s.datum = gradyn_model_datum(model, name, "smoothing", s.unit, smoothing);
  if (!(creal(smoothing) >= 0))
    gradyn_build_error(model, "%s.smoothing is %g %s: it must not be negative", name,
                       creal(smoothing), s.unit);
  return mbs_add_measure(m, name, &s);
}

/* Adds the function to the model's list of callbacks, with the source of its arguments. */
static void list_function(gradyn_mbs *m, const char *name, mbs_measure *s)
{
  gradyn_model *model = m->model;
  const int local = m->dim * s->points;
  const int size[GRADYN_SEEN] = {[GRADYN_SEES_POS] = local,
                                 [GRADYN_SEES_VEL] = local,
                                 [GRADYN_SEES_ACC] = local,
                                 [GRADYN_SEES_Y] = s->parts,
                                 [GRADYN_SEES_DATA] = s->data_count};
  s->callback = gradyn_model_callback(model, &(gradyn_callback){.kind = GRADYN_OF_MEASURE,
                                                                .name = (char *)name,
                                                                .fn = (void (*)(void))s->formula,
                                                                .user = s->user,
                                                                .functional = -1});
  if (model->finalised || model->failed || s->callback < 0)
    return;
  if (gradyn_callback_size(model, s->callback, size, (int[GRADYN_SEEN]){0}, 1) != GRADYN_OK)
    gradyn_model_no_memory(model, name);
  const gradyn_callback *c = &model->declared.callback[s->callback];
  for (int k = 0; c->source && k < s->data_count; k++)
    c->source[gradyn_callback_index(c, GRADYN_SEES_DATA, k)] = s->datum + k;
  for (int k = 0; c->source && k < 3 * local; k++) {
    const gradyn_seen array = (gradyn_seen)(k / local);
    const int i = k % local, whole = m->dim * s->point[i / m->dim] + i % m->dim;
    c->source[gradyn_callback_index(c, array, i)] = mbs_seen(model, array, whole);
  }
}

/* Stores the listed points and the orders that the formula uses; false after a build error. */
static bool take_points(gradyn_mbs *m, const char *name, const gradyn_measure_formula_spec *spec,
                        mbs_measure *s)
{
  if (spec->point_count < 0 || (spec->point_count > 0 && !spec->points)) {
    gradyn_build_error(m->model, "%s reads %d points, but lists none", name, spec->point_count);
    return false;
  }
  if (!mbs_take_points(m, name, spec->points, spec->point_count, s->point))
    return false;
  s->points = spec->point_count;
  s->orders = s->points == 0 ? 0 : spec->needs_accelerations ? 3 : 2;
  s->order = s->orders - 1 > s->order ? s->orders - 1 : s->order;
  return true;
}

/* Declares a user's formula of measures, points and data. */
int gradyn_measure_formula(gradyn_model *model, const gradyn_measure_formula_spec *spec)
{
  gradyn_mbs *m = mbs_of(model);
  if (!m || !gradyn_model_given(model, spec, "gradyn_measure_formula()") ||
      !gradyn_model_named(model, spec->name, "a measure"))
    return 0;
  const char *name = spec->name;
  mbs_measure s = {.take = formula,
                   .formula = spec->formula,
                   .user = spec->user,
                   .data_count = spec->data_count};
  if (!take_parts(m, name, spec->of, spec->count, spec->point_count == 0, &s) ||
      !take_points(m, name, spec, &s))
    return 0;
  if (!spec->formula)
    gradyn_build_error(model, "%s has no formula", name);
  s.datum = gradyn_model_user_data(model, name, spec->data, spec->data_count);
  list_function(m, name, &s);
  s.unit = gradyn_format_name(model, "%s", spec->unit ? spec->unit : "");
  return mbs_add_measure(m, spec->name, &s);
}
