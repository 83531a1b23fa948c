/* Planar mechanisms: points and elements as declared, sealing, and what the model asks of them. */
#include "mbs/planar.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- points ----------------------------------------------------------------------------------- */

bool mbs_check_point(gradyn_mbs *m, const char *element, int point)
{
  if (point >= 0 && point < m->point_cursor && point < m->points)
    return true;
  gradyn_build_error(m->model, "%s: point %d has not been declared (there are %d)", element, point,
                     m->point_cursor);
  return false;
}

static int add_point(gradyn_model *model, const char *name, gradyn_scalar x, gradyn_scalar y,
                     bool ground)
{
  gradyn_mbs *m = mbs_of(model);
  if (!m)
    return 0;
  int number = m->point_cursor++;
  if (!model->sealed)
    for (int i = 0; i < m->points && !model->exhausted; i++)
      if (strcmp(m->point[i].name, name ? name : "") == 0)
        gradyn_build_error(model, "two points are called %s: names must differ", name);
  int datum = gradyn_model_datum(model, name, "x", "m", x);
  gradyn_model_datum(model, name, "y", "m", y);
  int vx = -1;
  if (!ground) {
    vx = gradyn_model_datum(model, name, "vx", "m/s", 0);
    gradyn_model_datum(model, name, "vy", "m/s", 0);
  }
  if (model->sealed)
    return number;
  mbs_point *grown = gradyn_model_grow(model, m->point, m->points, sizeof *grown);
  if (!grown)
    return 0;
  m->point = grown;
  m->point[m->points++] = (mbs_point){
      .name = gradyn_model_copy_name(model, name), .ground = ground, .x = datum, .vx = vx};
  return number;
}

int gradyn_ground_point(gradyn_model *model, const char *name, gradyn_scalar x, gradyn_scalar y)
{
  return add_point(model, name, x, y, true);
}

int gradyn_point(gradyn_model *model, const char *name, gradyn_scalar x, gradyn_scalar y)
{
  return add_point(model, name, x, y, false);
}

void gradyn_initial_velocity(gradyn_model *model, int point, gradyn_scalar vx, gradyn_scalar vy)
{
  gradyn_mbs *m = mbs_of(model);
  if (!m || !mbs_check_point(m, "initial velocity", point))
    return;
  const mbs_point *p = &m->point[point];
  if (p->ground)
    gradyn_build_error(model, "%s is a ground point: it cannot have a velocity", p->name);
  else if (!isfinite(creal(vx)) || !isfinite(creal(vy)))
    gradyn_build_error(model, "the initial velocity of %s is (%g, %g): it must be finite", p->name,
                       creal(vx), creal(vy));
  else {
    model->value[p->vx] = vx;
    model->value[p->vx + 1] = vy;
  }
}

/* --- elements --------------------------------------------------------------------------------- */

mbs_element mbs_pair(const mbs_element_ops *ops, int from, int to)
{
  return (mbs_element){.ops = ops, .points = 2, .point = {from, to}};
}

mbs_element *mbs_add_element(gradyn_mbs *m, mbs_elements *list, const mbs_element *prototype,
                             const char *name, int *number)
{
  bool motion = list == &m->constraints && !prototype->held;
  *number = motion ? m->motion_cursor++ : list->cursor;
  list->cursor++;
  if (m->model->sealed)
    return NULL;
  if (prototype->points == 2 && prototype->point[0] == prototype->point[1])
    gradyn_build_error(m->model, "%s joins the point %s with itself", name,
                       m->point[prototype->point[0]].name);
  mbs_element *grown = gradyn_model_grow(m->model, list->item, list->count, sizeof *grown);
  if (!grown)
    return NULL;
  list->item = grown;
  mbs_element *e = &grown[list->count++];
  *e = *prototype;
  e->name = gradyn_model_copy_name(m->model, name ? name : prototype->ops->kind);
  return e;
}

/* --- what the model asks for ------------------------------------------------------------------ */

static const char *coordinate_name(const gradyn_mech *mech, int i)
{
  const gradyn_mbs *m = (const gradyn_mbs *)mech;
  for (int k = 0; k < m->points; k++)
    if (m->point[k].offset == i - i % 2)
      return m->point[k].name;
  return "?";
}

static const char *constraint_name(const gradyn_mech *mech, int i)
{
  const gradyn_mbs *m = (const gradyn_mbs *)mech;
  return i >= 0 && i < m->constraints.count ? m->constraints.item[i].name : "?";
}

static gradyn_status seal(gradyn_model *model)
{
  gradyn_mbs *m = model->impl;
  gradyn_status status = mbs_seal(m);
  if (status != GRADYN_OK)
    return status;
  m->mech.ops = &mbs_mech_ops;
  m->mech.nx = model->nx;
  m->mech.constant_mass = true;
  m->mech.q0 = m->q0;
  m->mech.v0 = m->v0;
  m->mech.x = model->x;
  m->mech.message = &model->message;
  m->mech.coordinate_name = coordinate_name;
  m->mech.constraint_name = constraint_name;
  model->mech = &m->mech;
  mbs_mech_ops.activate(&m->mech, NULL);
  return GRADYN_OK;
}

static gradyn_status load(gradyn_model *model)
{
  gradyn_mbs *m = model->impl;
  for (int i = 0; i < m->points; i++)
    for (int k = 0; k < 2 && m->point[i].ground; k++)
      m->pos[m->point[i].offset + k] = model->x[m->point[i].x + k];
  for (int pass = 0; pass < 2; pass++) {
    const mbs_elements *list = pass ? &m->forces : &m->constraints;
    for (int i = 0; i < list->count; i++)
      if (list->item[i].steady)
        mbs_inputs_at(m, &list->item[i], 0, list->item[i].cache);
  }
  mbs_load_inertia(m);
  return GRADYN_OK;
}

static void restart(gradyn_model *model)
{
  gradyn_mbs *m = model->impl;
  m->point_cursor = m->inertia_cursor = m->motion_cursor = 0;
  m->constraints.cursor = m->forces.cursor = 0;
}

/* --- what functionals and output see ---------------------------------------------------------- */

static int state_count(const gradyn_model *model)
{
  const gradyn_mbs *m = model->impl;
  return 3 * m->mech.n + m->mech.m;
}

static void state_name(const gradyn_model *model, int i, char *buffer, size_t size)
{
  static const char *const suffix[3][2] = {{"x", "y"}, {"vx", "vy"}, {"ax", "ay"}};
  const gradyn_mbs *m = model->impl;
  int n = m->mech.n;
  if (i < 3 * n)
    snprintf(buffer, size, "%s.%s", coordinate_name(&m->mech, i % n), suffix[i / n][i % n % 2]);
  else
    snprintf(buffer, size, "%s.lambda", constraint_name(&m->mech, i - 3 * n));
}

static const char *state_unit(const gradyn_model *model, int i)
{
  static const char *const unit[] = {"m", "m/s", "m/s^2"};
  const gradyn_mbs *m = model->impl;
  return i < 3 * m->mech.n ? unit[i / m->mech.n] : "N";
}

static void fill(gradyn_model *model, const gradyn_sample *sample, gradyn_at *at)
{
  gradyn_mbs *m = model->impl;
  int n = m->mech.n;
  for (int i = 0; i < m->points; i++)
    for (int k = 0; k < 2; k++) {
      const mbs_point *p = &m->point[i];
      int state = p->offset + k;
      m->view[0][2 * i + k] = p->ground ? model->x[p->x + k] : sample->y[state];
      m->view[1][2 * i + k] = p->ground ? 0 : sample->y[n + state];
      m->view[2][2 * i + k] = p->ground ? 0 : sample->y[2 * n + state];
    }
  for (int i = 0; i < m->mech.m; i++)
    m->view[3][i] = sample->y[3 * n + i];
  at->pos = m->view[0];
  at->vel = m->view[1];
  at->acc = m->view[2];
  at->lam = m->view[3];
}

/* Number of the point whose coordinates start at an offset. */
static int point_at(const gradyn_mbs *m, int offset)
{
  int i = 0;
  while (m->point[i].offset != offset)
    i++;
  return i;
}

static gradyn_scalar *slot(gradyn_model *model, int i)
{
  gradyn_mbs *m = model->impl;
  int n = m->mech.n;
  if (i >= 3 * n)
    return &m->view[3][i - 3 * n];
  int c = i % n;
  return &m->view[i / n][2 * point_at(m, c - c % 2) + c % 2];
}

static gradyn_scalar *slot_fixed(gradyn_model *model, int i, int *index)
{
  gradyn_mbs *m = model->impl;
  int offset = m->mech.n + i;
  if (offset >= 2 * m->points)
    return NULL;
  int point = point_at(m, offset - offset % 2);
  *index = m->point[point].x + offset % 2;
  return &m->view[0][2 * point + offset % 2];
}

static void free_elements(mbs_elements *list)
{
  for (int i = 0; i < list->count; i++) {
    free(list->item[i].name);
    free(list->item[i].dyn);
    free(list->item[i].cache);
  }
  free(list->item);
}

static void free_mbs(void *impl)
{
  gradyn_mbs *m = impl;
  for (int i = 0; i < m->points; i++)
    free(m->point[i].name);
  for (int i = 0; i < m->inertias; i++)
    free(m->inertia[i].name);
  free_elements(&m->constraints);
  free_elements(&m->forces);
  gradyn_pattern_clear(&m->mech.dyn);
  gradyn_pattern_clear(&m->mech.jac);
  for (int k = 0; k < 4; k++)
    free(m->view[k]);
  free(m->point);
  free(m->inertia);
  free(m->q0);
  free(m->v0);
  free(m->pos);
  free(m->vel);
  free(m->acc);
  free(m->full);
  free(m->field);
  free(m->weight);
  free(m->mass);
  free(m);
}

static const gradyn_model_ops planar_ops = {.kind = GRADYN_MODEL_MECH,
                                            .restart = restart,
                                            .seal = seal,
                                            .load = load,
                                            .state_count = state_count,
                                            .state_name = state_name,
                                            .state_unit = state_unit,
                                            .fill = fill,
                                            .slot = slot,
                                            .slot_fixed = slot_fixed,
                                            .free = free_mbs};

gradyn_mbs *mbs_of(gradyn_model *model)
{
  if (model->ops == &planar_ops)
    return model->impl;
  if (model->ops) {
    gradyn_build_error(model, "points and states are mixed: a model is either a mechanism or "
                              "general equations");
    return NULL;
  }
  gradyn_mbs *m = calloc(1, sizeof *m);
  if (!m) {
    gradyn_model_no_memory(model, "a mechanism");
    return NULL;
  }
  m->model = model;
  m->gravity = -1;
  model->impl = m;
  model->ops = &planar_ops;
  return m;
}
