/* A mechanism as it is declared: what makes a model one, and elements and inertias as they come. What is
 * declared first is stored, and sealed (mbs/mechanism/seal.c); later builds are compared with it. */
#include "mbs/elements/mechanism.h"

#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/declare.h"

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
  /* the first declaration of a point, a body or the like makes it one */
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
  /* only what holds during the motion can be absent from a mode; such a row needs an idle coordinate
   * to hold then */
  own.modes.bits = constraint && prototype->when != MBS_IN_MOTION ? 0 : m->model->modes.scope;
  own.modes.point = constraint && own.modes.bits ? mbs_add_idle(m, name) : 0;
  *number = constraint ? m->row_cursor[prototype->when]++ : list->cursor;
  list->cursor++;
  if (m->model->sealed) {
    /* sealing has sorted the constraints by when they hold */
    const int rows[MBS_WHENS] = {m->mech.m, m->mech.held, m->mech.contacts};
    int first = 0, end = list->count;
    /* the part of the list that has those of this kind */
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
  mbs_element *grown = gradyn_model_grow(m->model, list->item, list->count, sizeof *grown);
  if (!grown)
    return NULL;
  list->item = grown;
  mbs_element *e = &grown[list->count++];
  *e = own;
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
  return number;
}

void mbs_add_inertia(gradyn_mbs *m, const mbs_inertia_ops *ops, const int *points, int datum,
                     int divisions)
{
  /* a later build is compared: masses are structure */
  int number = m->inertia_cursor++;
  if (m->model->sealed) {
    if (number < m->lists.inertias)
      mbs_compare_inertia(m, &m->lists.inertia[number], ops, points);
    return;
  }
  mbs_inertia *grown = gradyn_model_grow(m->model, m->lists.inertia, m->lists.inertias,
                                         sizeof *grown);
  if (!grown)
    return;
  m->lists.inertia = grown;
  mbs_inertia *e = &grown[m->lists.inertias++];
  *e = (mbs_inertia){.ops = ops, .datum = datum, .divisions = divisions};
  e->axes = mbs_axes(m, points[0]);
  memcpy(e->point, points, (size_t)ops->points * sizeof *points);
}

void mbs_check_not_negative(gradyn_mbs *m, const char *name, const char *what, gradyn_scalar value)
{
  if (creal(value) < 0)
    gradyn_build_error(m->model, "%s.%s is %g: it must not be negative", name, what, creal(value));
}

/* --- constraints of the motion ---------------------------------------------------------------- */

/* Of what is driven directly, that of a force or torque on the coordinate. */
const char *mbs_multiplier_unit(const gradyn_mbs *m, const mbs_element *e)
{
  if (e->ops->multiplier)
    return e->ops->multiplier;
  return m->point[e->point[0]].angle ? "N m" : "N";
}

/* The number-th constraint of the motion, in the order of declaration. */
static const mbs_element *motion_at(const gradyn_mbs *m, int number)
{
  if (m->model->sealed) /* they come first */
    return number >= 0 && number < m->mech.m ? &m->constraints.item[number] : NULL;
  for (int i = 0; i < m->constraints.count; i++) /* before sealing others stand among them */
    if (m->constraints.item[i].when == MBS_IN_MOTION && number-- == 0)
      return &m->constraints.item[i];
  return NULL;
}

const char *mbs_motion_unit(const gradyn_mbs *m, int number)
{
  const mbs_element *e = motion_at(m, number);
  return e ? mbs_multiplier_unit(m, e) : "N";
}

const char *mbs_motion_name(const gradyn_mbs *m, int number)
{
  const mbs_element *e = motion_at(m, number);
  return e ? e->name : "?";
}

/* --- later builds -------------------------------------------------------------------------------- */

/* Whether a repeated build() makes the connections of the first one. Data have names that tell most
 * changes of structure; these are told by nothing else. Only the first one is reported: others follow
 * from it. */

enum { ROOM = 200 };

/* Appends the names of points in brackets. */
static void list_points(const gradyn_mbs *m, const int *points, int count, char text[ROOM])
{
  /* within ROOM: long lists are cut */
  for (int k = 0; k < count; k++) {
    size_t used = strlen(text);
    snprintf(text + used, ROOM - used, "%s%s%s", k == 0 ? " (" : ", ", m->point[points[k]].name,
             k == count - 1 ? ")" : "");
  }
}

/* A build error. */
static void report(gradyn_mbs *m, const char *now, const char *before)
{
  gradyn_build_error(m->model,
                     "build() declares %s where it declared %s before: the structure of a model "
                     "must not depend on design variables",
                     now, before);
}

/* A difference is reported once; points beyond the last are told by their number. */
static bool to_compare(const gradyn_mbs *m, const int *points, int count)
{
  for (int k = 0; k < count; k++)
    if (points[k] >= m->points)
      return false;
  return !m->model->failed; /* a first failure makes others */
}

/* Kind, name, axis, signal and points in words. */
static void describe_element(const gradyn_mbs *m, const mbs_element *e, const char *name,
                             char text[ROOM])
{
  static const char *const axis[3] = {"x", "y", "z"};
  bool along = e->ops == &mbs_coordinate_ops;
  snprintf(text, ROOM, "the %s %.60s%s%s", e->ops->kind, name, along ? " along " : "",
           along ? axis[e->axis] : "");
  size_t used = strlen(text);
  if (e->signal_count == 1)
    snprintf(text + used, ROOM - used, " by signal %d", e->signal);
  list_points(m, e->point, e->points, text);
}

/* Compares an element with the one declared at its place in the first build(). */
void mbs_compare_element(gradyn_mbs *m, const mbs_element *stored, const mbs_element *now,
                         const char *name)
{
  if (!to_compare(m, now->point, now->points))
    return;
  /* what an element is, and where; its data are compared by name */
  bool same = stored->ops == now->ops && stored->points == now->points &&
              stored->when == now->when && stored->axis == now->axis &&
              stored->modes.bits == now->modes.bits && stored->signal == now->signal &&
              stored->signal_count == now->signal_count;
  for (int k = 0; k < now->points && same; k++)
    same = stored->point[k] == now->point[k];
  if (same)
    return;
  char text[2][ROOM];
  describe_element(m, now, name ? name : now->ops->kind, text[0]);
  describe_element(m, stored, stored->name, text[1]);
  report(m, text[0], text[1]);
}

/* The same of inertias, which have no name but that of their data. */
void mbs_compare_inertia(gradyn_mbs *m, const mbs_inertia *stored, const mbs_inertia_ops *ops,
                         const int *points)
{
  if (!to_compare(m, points, ops->points) ||
      (stored->ops == ops &&
       memcmp(stored->point, points, (size_t)ops->points * sizeof *points) == 0))
    return;
  char text[2][ROOM];
  for (int k = 0; k < 2; k++) {
    snprintf(text[k], ROOM, "the inertia %.60s", m->model->entry[stored->datum].name);
    list_points(m, k ? stored->point : points, k ? stored->ops->points : ops->points, text[k]);
  }
  report(m, text[0], text[1]);
}

/* The same of attached points: what carries them is structure, with what weight is not. */
void mbs_compare_carriers(gradyn_mbs *m, const mbs_point *stored, const mbs_point *now)
{
  int number[2][MBS_CARRIERS];
  bool same = stored->carriers == now->carriers;
  /* carriers by their numbers, weights are data */
  for (int i = 0; i < now->carriers; i++)
    number[0][i] = now->carrier[i].point;
  for (int i = 0; i < stored->carriers; i++) {
    number[1][i] = stored->carrier[i].point;
    same = same && number[0][i] == number[1][i];
  }
  if (same || !to_compare(m, number[0], now->carriers))
    return;
  char text[2][ROOM];
  for (int k = 0; k < 2; k++) {
    snprintf(text[k], ROOM, "the point %.60s on others", stored->name);
    list_points(m, number[k], k ? stored->carriers : now->carriers, text[k]);
  }
  report(m, text[0], text[1]);
}

/* The same of a beam's nodes. */
void mbs_compare_node(gradyn_mbs *m, const char *beam, int stored, int now)
{
  if (stored == now || !to_compare(m, &now, 1))
    return;
  char text[2][ROOM];
  for (int k = 0; k < 2; k++) {
    snprintf(text[k], ROOM, "a node of the beam %.60s", beam);
    list_points(m, k ? &stored : &now, 1, text[k]);
  }
  report(m, text[0], text[1]);
}
