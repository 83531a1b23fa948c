/* A mechanism under declaration: creation, elements and inertias. The first build() stores declarations,
 * which finalising completes (mbs/mechanism/finalise.c). Later builds are compared with the stored
 * declarations. */
#include "mbs/elements/mechanism.h"
#include "mbs/elements/rebuild.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/declare.h"
#include <gradyn/events.h>

gradyn_mbs *mbs_of(gradyn_model *model)
{
  if (!model)
    return NULL;
  if (model->ops && model->ops->kind == GRADYN_MODEL_MECH)
    return model->impl;
  if (model->ops) {
    gradyn_build_error(model, "points and states are mixed: a model is either a mechanism or "
                              "general equations");
    return NULL;
  }
  /* the first declaration of a point, body or other part creates the mechanism */
  gradyn_mbs *m = calloc(1, sizeof *m);
  if (!m) {
    gradyn_model_no_memory(model, "a mechanism");
    return NULL;
  }
  m->model = model;
  m->gravity = -1;
  model->impl = m;
  model->ops = &mbs_model_ops;
  return m;
}

mbs_element mbs_pair(const mbs_element_ops *ops, int from, int to)
{
  return (mbs_element){.ops = ops, .points = 2, .point = {from, to}};
}

mbs_element *mbs_add_element(gradyn_mbs *m, mbs_elements *list, const mbs_element *prototype,
                             const char *name, int *number)
{
  bool constraint = list == &m->constraints;
  mbs_element own = *prototype;
  /* Only constraints of the motion can be inactive in a mode. In such a mode, the row of the constraint
   * fixes an idle coordinate instead. */
  own.modes.bits = constraint && prototype->when != MBS_IN_MOTION ? 0 : m->model->modes.scope;
  own.modes.point = constraint && own.modes.bits ? mbs_add_idle(m, name) : 0;
  *number = constraint ? m->row_cursor[prototype->when]++ : list->cursor;
  list->cursor++;
  if (m->model->finalised) {
    /* finalising has sorted the constraints by `when` */
    const int rows[MBS_WHENS] = {m->mech.m, m->mech.held, m->mech.contacts};
    int first = 0, end = list->count;
    /* range of the constraints with the same `when` */
    for (int k = 0; constraint && k <= (int)prototype->when; k++) {
      first = k == 0 ? 0 : end;
      end = first + rows[k];
    }
    if (first + *number < end)
      mbs_compare_element(m, &list->item[first + *number], &own, name);
    return NULL;
  }
  if (prototype->points == 2 && prototype->point[0] == prototype->point[1])
    gradyn_build_error(m->model, "%s joins the point %s with itself", name,
                       m->point[prototype->point[0]].name);
  mbs_element *e = gradyn_model_append(m->model, &list->item, &list->count, sizeof own, &own);
  if (e)
    e->name = gradyn_model_copy_name(m->model, name ? name : prototype->ops->kind);
  return e;
}

int mbs_add_row(gradyn_mbs *m, const mbs_element *e, const char *name)
{
  int number;
  mbs_add_element(m, &m->constraints, e, name, &number);
  return number;
}

int mbs_add_force(gradyn_mbs *m, mbs_element *e, const char *name, const gradyn_datum *data,
                  int count)
{
  int number;
  e->data_count = count;
  e->datum = gradyn_model_data(m->model, name, data, count);
  mbs_add_element(m, &m->lists.forces, e, name, &number);
  return gradyn_id(m->model, number);
}

void mbs_add_inertia(gradyn_mbs *m, const mbs_inertia_ops *ops, const int *points, int datum,
                     int divisions)
{
  /* inertias belong to the structure: later builds must declare the same ones */
  int number = m->inertia_cursor++;
  if (m->model->finalised) {
    if (number < m->lists.inertias)
      mbs_compare_inertia(m, &m->lists.inertia[number], ops, points);
    return;
  }
  mbs_inertia e = {.ops = ops, .datum = datum, .divisions = divisions};
  e.axes = mbs_axes(m, points[0]);
  memcpy(e.point, points, (size_t)ops->points * sizeof *points);
  gradyn_model_append(m->model, &m->lists.inertia, &m->lists.inertias, sizeof e, &e);
}

void mbs_check_not_negative(gradyn_mbs *m, const char *name, const char *what, gradyn_scalar value)
{
  if (creal(value) < 0)
    gradyn_build_error(m->model, "%s.%s is %g: it must not be negative", name, what, creal(value));
}

/* --- constraints of the motion ---------------------------------------------------------------- */

/* Unit of a multiplier. A constraint without a unit of its own acts on a coordinate: its multiplier is a
 * force, or a torque on an angle. */
const char *mbs_multiplier_unit(const gradyn_mbs *m, const mbs_element *e)
{
  if (e->ops->multiplier)
    return e->ops->multiplier;
  return m->point[e->point[0]].angle ? "N m" : "N";
}

/* Constraint of the motion with a number, as mbs_motion(), but not const. */
static mbs_element *motion(const gradyn_mbs *m, int number)
{
  if (m->model->finalised) /* constraints of the motion come first */
    return number >= 0 && number < m->mech.m ? &m->constraints.item[number] : NULL;
  for (int i = 0; i < m->constraints.count && number >= 0; i++) /* before finalising: not sorted */
    if (m->constraints.item[i].when == MBS_IN_MOTION && number-- == 0)
      return &m->constraints.item[i];
  return NULL;
}

const mbs_element *mbs_motion(const gradyn_mbs *m, int number)
{
  return motion(m, number);
}

const char *mbs_motion_unit(const gradyn_mbs *m, int number)
{
  const mbs_element *e = mbs_motion(m, number);
  return e ? mbs_multiplier_unit(m, e) : "N";
}

const char *mbs_motion_name(const gradyn_mbs *m, int number)
{
  const mbs_element *e = mbs_motion(m, number);
  return e ? e->name : "?";
}

/* --- modes ------------------------------------------------------------------------------------ */

/* Only constraints of the motion can be inactive in a mode. In such a mode, the row of the constraint fixes
 * an idle coordinate instead. */
static void choose_row_modes(gradyn_mbs *m, int number, mbs_element *e, unsigned modes)
{
  if (!gradyn_modes_choose(m->model, e->name, modes, &e->modes.bits) || !modes)
    return;
  e->modes.point = mbs_add_idle(m, e->name);
  gradyn_model_captures *captures = &m->model->log.captures;
  for (int k = 0; k < captures->count; k++)
    if (captures->item[k].constraint == number)
      captures->item[k].modes = modes;
}

void gradyn_constraint_set_modes(gradyn_model *model, int constraint, unsigned modes)
{
  gradyn_mbs *m = mbs_of(model);
  if (!m)
    return;
  const int first = gradyn_index(model, "gradyn_constraint_set_modes()", "constraint", constraint,
                                 m->row_cursor[MBS_IN_MOTION]);
  mbs_element *e = first < 0 ? NULL : motion(m, first);
  for (int i = first; e && (i == first || e->modes.shared); e = motion(m, ++i))
    choose_row_modes(m, i, e, modes);
}

void gradyn_force_set_modes(gradyn_model *model, int force, unsigned modes)
{
  gradyn_mbs *m = mbs_of(model);
  if (!m)
    return;
  const int k = gradyn_index(model, "gradyn_force_set_modes()", "force", force,
                             m->lists.forces.cursor);
  if (k >= 0 && k < m->lists.forces.count)
    gradyn_modes_choose(model, m->lists.forces.item[k].name, modes,
                        &m->lists.forces.item[k].modes.bits);
}
