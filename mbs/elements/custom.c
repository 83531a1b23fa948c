/* Forces and constraints of users, differentiated by complex step.
 *
 * A force f(q, v, t, data, signals) or a constraint Phi(q, t, data) is a function of complex numbers. Its
 * derivative is the imaginary part at an argument with 1e-40 i added, divided by 1e-40; it is exact to
 * round-off (formula.c, relation.c). */
#include <complex.h>
#include <math.h>

#include "core/model/declare.h"
#include "mbs/elements/formula.h"
#include "mbs/elements/readings.h"
#include "mbs/elements/relation.h"

/* Argument of the user's function. u [MBS_INPUTS] receives the values of signals, indexed by ids. */
static gradyn_at view_of(const gradyn_mbs *m, const mbs_element *e, const mbs_formula_arguments *s,
                         gradyn_scalar u[])
{
  u[0] = NAN;
  for (int k = 0; k < e->signal_count; k++)
    u[gradyn_id(m->model, e->signal + k)] = s->z[e->data_count + k];
  return (gradyn_at){.t = s->z[e->data_count + e->signal_count],
                     .pos = s->pos, /* [points][dim], all points of the element */
                     .vel = s->vel,
                     .acc = s->acc,
                     .lam = e->reading ? s->lam : NULL,
                     .data = e->data_count > 0 ? s->z : NULL,
                     .u = e->signal_count > 0 ? u : NULL,
                     .points = e->points,
                     .axes = m->dim,
                     .constraints = e->reading ? e->reading->count : 0,
                     .signals = e->signal_count,
                     .data_count = e->data_count,
                     .user = e->callback.user,
                     .model = m->model};
}

/* Calls the user's function. Errors name the force. */
static gradyn_status call_force(gradyn_mbs *m, const mbs_element *e, const mbs_formula_arguments *s,
                                gradyn_scalar *f)
{
  gradyn_scalar u[MBS_INPUTS];
  const gradyn_at at = view_of(m, e, s, u);
  for (int k = 0; k < e->local; k++)
    f[k] = 0;
  gradyn_callback_note(m->model, e->callback.number, &at);
  gradyn_status status = e->callback.force(&at, f);
  if (status != GRADYN_OK)
    return gradyn_callback_failed(m->model, status, "force", e->name, creal(at.t));
  /* a scalar has one component; no force acts on the others */
  for (int i = 0; i < e->points; i++)
    for (int c = 0, axes = mbs_axes(m, e->point[i]); c < m->dim; c++, f++)
      if (c >= axes)
        *f = 0;
      else if (!gradyn_is_number(*f, s->stepped))
        return gradyn_fail(&m->model->message, GRADYN_NON_FINITE, "force %s is %s (%g) at t = %g s",
                           e->name, gradyn_number_fault(*f), creal(*f), creal(at.t));
  return GRADYN_OK;
}

/* Calls the user's function for order 0, 1 or 2. */
static gradyn_status call_phi(gradyn_mbs *m, const mbs_element *e, const mbs_formula_arguments *s,
                              int order, gradyn_scalar *value)
{
  gradyn_scalar u[MBS_INPUTS];
  const gradyn_at at = view_of(m, e, s, u);
  *value = 0;
  if (order == 2) /* order 2 uses all arguments of lower orders */
    gradyn_callback_note(m->model, e->callback.number, &at);
  gradyn_status status = e->callback.constraint(&at, order, value);
  if (status != GRADYN_OK)
    return gradyn_callback_failed(m->model, status, "constraint", e->name, creal(at.t));
  if (!gradyn_is_number(*value, s->stepped))
    return gradyn_fail(&m->model->message, GRADYN_NON_FINITE,
                       "constraint %s is %s (%g) at t = %g s", e->name, gradyn_number_fault(*value),
                       creal(*value), creal(at.t));
  return GRADYN_OK;
}

static const mbs_element_ops force_ops = {.kind = "force", MBS_FORMULA_OPS(call_force)};

static const mbs_element_ops constraint_ops = {.kind = "constraint", MBS_RELATION_OPS(call_phi)};

/* Nonholonomic constraints: their function has no order 0. */
static const mbs_element_ops rolling_ops = {
    .kind = "rolling constraint", MBS_RELATION_OPS(call_phi), .psi_v = mbs_relation_psi_v};

/* --- declarations ----------------------------------------------------------------------------- */

/* Checks points and sizes, fills *element; returns false if the element cannot be used. */
static bool prepare(gradyn_mbs *m, const char *name, const int *points, int count,
                    mbs_element *element)
{
  if (count < 1 || count > GRADYN_CUSTOM_POINTS || !points) {
    gradyn_build_error(m->model, "%s lists %d points: 1 to %d are possible", name, count,
                       GRADYN_CUSTOM_POINTS);
    return false;
  }
  /* joint coordinates are allowed as well as points */
  if (!mbs_take_points(m, name, points, count, element->point))
    return false;
  for (int i = 0; i < count && element->ops != &force_ops; i++)
    if (m->point[element->point[i]].state) {
      gradyn_build_error(m->model,
                         "%s constrains %s; a first-order state is determined by its rate and "
                         "cannot be constrained",
                         name, m->point[element->point[i]].name);
      return false;
    }
  element->points = count;
  /* Constraints get no signals, since they would need derivatives of signals; a law or time can drive
   * them. */
  element->signal_count = element->ops == &force_ops ? m->model->cursor.signal : 0;
  element->uses_time = true;
  /* data, signals and time are inputs and share one limit */
  if (element->data_count < 0 || element->data_count > MBS_DATA ||
      element->data_count + element->signal_count + 1 > MBS_INPUTS) {
    gradyn_build_error(m->model,
                       "%s has %d data and %d signals: at most %d data, and %d data and signals "
                       "together, are possible",
                       name, element->data_count, element->signal_count, MBS_DATA, MBS_INPUTS - 1);
    return false;
  }
  return true;
}

/* Sizes of the callback's arrays, and the source of each entry among states, signals and data. */
static void size_callback(gradyn_mbs *m, const mbs_element *e, int reads)
{
  const bool force = e->ops == &force_ops;
  const int local = m->dim * e->points;
  const int size[GRADYN_SEEN] = {
      [GRADYN_SEES_POS] = local,         [GRADYN_SEES_VEL] = local,
      [GRADYN_SEES_ACC] = local,         [GRADYN_SEES_LAM] = reads,
      [GRADYN_SEES_U] = e->signal_count, [GRADYN_SEES_DATA] = e->data_count};
  const int spare[GRADYN_SEEN] = {[GRADYN_SEES_U] = gradyn_first_id(m->model)};
  if (gradyn_callback_size(m->model, e->callback.number, size, spare, force ? local : 3) !=
      GRADYN_OK) {
    gradyn_model_no_memory(m->model, e->name);
    return;
  }
  const gradyn_callback *c = &m->model->declared.callback[e->callback.number];
  for (int k = 0; k < local; k++) {
    const int whole = m->dim * e->point[k / m->dim] + k % m->dim;
    /* Constraints are linear in rates, so derivatives by rates need no complex step. The exception is
     * A' + psi_q of a nonholonomic constraint psi = A v - b. Forces see velocities but no accelerations. */
    c->source[gradyn_callback_index(c, GRADYN_SEES_POS, k)] = mbs_seen(m->model, GRADYN_SEES_POS,
                                                                       whole);
    c->source[gradyn_callback_index(c, GRADYN_SEES_VEL, k)] = e->ops != &constraint_ops
                                                                  ? mbs_seen(m->model,
                                                                             GRADYN_SEES_VEL, whole)
                                                                  : GRADYN_FROM_NOTHING;
    c->source[gradyn_callback_index(c, GRADYN_SEES_ACC, k)] = GRADYN_FROM_NOTHING;
    if (force)
      c->unused[k] = mbs_seen(m->model, GRADYN_SEES_VEL, whole) == GRADYN_FROM_NOTHING;
  }
  for (int k = 0; k < e->signal_count; k++)
    c->source[gradyn_callback_index(c, GRADYN_SEES_U, k)] = GRADYN_FROM_SIGNAL - e->signal - k;
  for (int k = 0; k < e->data_count; k++)
    c->source[gradyn_callback_index(c, GRADYN_SEES_DATA, k)] = e->datum + k;
}

/* Adds the function of an element to the model's list of callbacks. */
static void list_function(gradyn_mbs *m, const char *name, mbs_element *e)
{
  const bool force = e->ops == &force_ops;
  e->callback.number = gradyn_model_callback(
      m->model, &(gradyn_callback){.kind = force                    ? GRADYN_OF_FORCE
                                           : e->ops == &rolling_ops ? GRADYN_OF_ROLLING
                                                                    : GRADYN_OF_CONSTRAINT,
                                   .name = (char *)name,
                                   .fn = force ? (void (*)(void))e->callback.force
                                               : (void (*)(void))e->callback.constraint,
                                   .user = e->callback.user,
                                   .functional = -1});
}

/* Declares a force by a user's function. All its derivatives are computed by complex step. */
int gradyn_custom_force(gradyn_model *model, const gradyn_custom_force_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_custom_force()"))
    return 0;
  gradyn_mbs *m = mbs_of(model);
  const char *name = gradyn_own_name(model, spec->name, "force");
  mbs_element element = {.ops = &force_ops, .data_count = spec->data_count};
  if (!m || !prepare(m, name, spec->points, spec->point_count, &element))
    return 0;
  if (!spec->fn)
    gradyn_build_error(model, "%s has no function", name);
  /* the function is called many times, so it must depend on its arguments only */
  element.callback.force = spec->fn;
  element.callback.user = spec->user;
  element.datum = gradyn_model_user_data(model, name, spec->data, spec->data_count);
  list_function(m, name, &element);
  int number;
  mbs_element *added = mbs_add_element(m, &m->lists.forces, &element, name, &number);
  mbs_read_multipliers(m, added, number, name, spec->reads, spec->read_count);
  if (added && !model->failed)
    size_callback(m, added, spec->read_count);
  return gradyn_id(model, number);
}

/* Declares a constraint of the kind `ops`, enforced at the times `when`; returns its index, or -1 after an
 * error. */
static int declare_constraint(gradyn_mbs *m, const mbs_element_ops *ops, const char *name,
                              mbs_when when, const gradyn_custom_constraint_spec *spec)
{
  mbs_element element = {.ops = ops, .when = when, .data_count = spec->data_count};
  if (!m || !prepare(m, name, spec->points, spec->point_count, &element))
    return -1;
  if (!spec->fn)
    gradyn_build_error(m->model, "%s has no function", name);
  /* data are declared again in each build(); the function is stored in the first one */
  element.callback.constraint = spec->fn;
  element.callback.user = spec->user;
  element.datum = gradyn_model_user_data(m->model, name, spec->data, spec->data_count);
  list_function(m, name, &element);
  int number;
  const mbs_element *added = mbs_add_element(m, &m->constraints, &element, name, &number);
  if (added && !m->model->failed)
    size_callback(m, added, 0);
  return number;
}

int gradyn_custom_constraint(gradyn_model *model, const gradyn_custom_constraint_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_custom_constraint()"))
    return 0;
  return gradyn_id(model, declare_constraint(mbs_of(model), &constraint_ops,
                                             gradyn_own_name(model, spec->name, "constraint"),
                                             MBS_IN_MOTION, spec));
}

int gradyn_custom_nonholonomic(gradyn_model *model, const gradyn_custom_constraint_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_custom_nonholonomic()"))
    return 0;
  return gradyn_id(model, declare_constraint(mbs_of(model), &rolling_ops,
                                             gradyn_own_name(model, spec->name, "rolling"),
                                             MBS_IN_MOTION, spec));
}

int mbs_custom_gap(gradyn_mbs *m, const char *name, const gradyn_custom_constraint_spec *spec)
{
  return declare_constraint(m, &constraint_ops, name, MBS_AT_IMPACTS, spec);
}
