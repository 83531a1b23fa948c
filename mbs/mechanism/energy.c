/* Mechanical energy: kinetic, of gravity, and of elastic elements.
 *
 * T = v^T M v/2, V = -g^T M q + U of elements that store energy by deformation. Applied forces, tensions and
 * controllers' efforts have no potential, whether constants, signals or formulas: they do work, which
 * changes T + V. As a measure, the energy shows the energy error of a scheme. */
#include <math.h>

#include "core/model/declare.h"
#include "core/linear/norm.h"
#include "mbs/mechanism/assembly.h"
#include <gradyn/functionals.h>

/* Copies a sample's state into the full arrays. */
static mbs_point_state look(gradyn_mbs *m, const gradyn_sample *at)
{
  int n = m->mech.n;
  gradyn_mech_state state = {.t = at->t, .q = at->y, .v = at->y + n, .a = at->y + 2 * n};
  return mbs_eval(m, &state);
}

/* out = M field [full], without the unit inertia of first-order states. */
static void product(gradyn_mbs *m, const double *field, double *out)
{
  for (int i = 0; i < m->full_size; i++)
    out[i] = 0;
  mbs_inertia_apply(m, false, field, out);
  for (int i = 0; i < m->points; i++)
    if (m->point[i].state) /* the unit inertia of a state is no inertia of the mechanism */
      out[m->point[i].offset] = 0;
}

gradyn_status mbs_energy(gradyn_model *model, const gradyn_sample *at, double *kinetic,
                         double *potential)
{
  gradyn_mbs *m = model->impl;
  mbs_point_state view = look(m, at);
  product(m, m->vel, m->full);
  *kinetic = gradyn_dot(m->full, m->vel, m->full_size) / 2;
  mbs_inertia_field(m, GRADYN_FORCE);
  product(m, m->mass.field, m->full);
  *potential = gradyn_dot(m->full, m->pos, m->full_size);
  for (int i = 0; i < m->lists.forces.count; i++) {
    const mbs_element *e = &m->lists.forces.item[i];
    double U;
    if (!e->ops->energy || mbs_absent(m, e))
      continue;
    GRADYN_TRY(e->ops->energy(m, e, &view, e->input, &U, NULL, NULL));
    *potential += U;
  }
  return GRADYN_OK;
}

/* Whether a force is the negative gradient of its potential, f = -U_q, at all velocities. */
static gradyn_status is_potential(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *view,
                                  bool *answer)
{
  double U, f[MBS_LOCAL] = {0}, g[MBS_LOCAL], size = 0, apart = 0;
  *answer = e->ops->energy && e->ops->still && e->ops->still(e, m->model->x + e->datum);
  if (!*answer)
    return GRADYN_OK;
  GRADYN_TRY(e->ops->force(m, e, view, e->input, f));
  GRADYN_TRY(e->ops->energy(m, e, view, e->input, &U, g, NULL));
  for (int i = 0; i < e->local; i++) {
    size = fmax(size, fmax(fabs(f[i]), fabs(g[i])));
    apart = fmax(apart, fabs(f[i] + g[i]));
  }
  *answer = apart <= 1e-10 * size; /* equal apart from round-off */
  return GRADYN_OK;
}

/* Whether there are constraints by users' functions. They may do work, as a nonholonomic constraint with a
 * rate does. */
static bool users_tie(const gradyn_mbs *m)
{
  for (int i = 0; i < m->constraints.count; i++)
    if (m->constraints.item[i].callback.constraint)
      return true;
  return false;
}

gradyn_status mbs_conserves(gradyn_model *model, const gradyn_sample *at, bool *conserved)
{
  gradyn_mbs *m = model->impl;
  *conserved = m->timed.first == NULL && !users_tie(m);
  if (!*conserved)
    return GRADYN_OK;
  mbs_point_state view = look(m, at);
  for (int i = 0; i < m->lists.forces.count && *conserved; i++)
    GRADYN_TRY(is_potential(m, &m->lists.forces.item[i], &view, conserved));
  return GRADYN_OK;
}

/* T + V. */
static gradyn_status energy(gradyn_model *model, const gradyn_functional_entry *f,
                            const gradyn_sample *at, double *value)
{
  double kinetic, potential;
  (void)f;
  GRADYN_TRY(mbs_energy(model, at, &kinetic, &potential));
  *value = kinetic + potential;
  return GRADYN_OK;
}

/* Adds weight times the derivatives `bar`, by full coordinates or their time derivatives of that order, to
 * *out. */
static void full_bar(const gradyn_mbs *m, const double *bar, int order, double weight,
                     const double *y, const gradyn_gradient_out *out)
{
  for (int i = 0; i < m->points; i++)
    for (int k = 0; k < mbs_axes(m, i); k++)
      mbs_component_bar(m, i, order, k, weight * bar[m->point[i].offset + k], y, out);
}

/* Adds weight times the derivatives of the energy U of an element to *out. */
static gradyn_status element_bar(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *view,
                                 double weight, const double *y, const gradyn_gradient_out *out)
{
  double U, g[MBS_LOCAL], U_z[MBS_INPUTS]; /* U, dU/dpos, dU/dz */
  GRADYN_TRY(e->ops->energy(m, e, view, e->input, &U, g, U_z));
  for (int i = 0; i < e->local; i++) /* to positions, through carriers of attached points */
    mbs_component_bar(m, e->point[i / m->dim], 0, i % m->dim, weight * g[i], y, out);
  if (out->x_bar)
    mbs_inputs_adjoints(m, e, view->t, weight, U_z, out->x_bar);
  return GRADYN_OK;
}

/* Gradient of the energy: M v by velocities, -M g + U_q by positions, and derivatives by data. */
static gradyn_status energy_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                     const gradyn_sample *at, double weight,
                                     const gradyn_gradient_out *out)
{
  (void)f;
  gradyn_mbs *m = model->impl;
  mbs_point_state view = look(m, at);
  product(m, m->vel, m->full); /* E_v = M v */
  full_bar(m, m->full, 1, weight, at->y, out);
  mbs_inertia_field(m, GRADYN_FORCE); /* E_q = -M g + U_q */
  product(m, m->mass.field, m->full);
  full_bar(m, m->full, 0, weight, at->y, out);
  for (int i = 0; i < m->lists.forces.count; i++)
    if (m->lists.forces.item[i].ops->energy && !mbs_absent(m, &m->lists.forces.item[i]))
      GRADYN_TRY(element_bar(m, &m->lists.forces.item[i], &view, weight, at->y, out));
  if (!out->x_bar)
    return GRADYN_OK;
  /* derivatives by masses: v^T M_x v/2 and -g^T M_x q */
  mbs_inertia_bars(m, GRADYN_INERTIA, weight / 2, m->vel, m->vel, out->x_bar);
  mbs_inertia_bars(m, GRADYN_FORCE, weight, NULL, m->pos, out->x_bar);
  return GRADYN_OK;
}

static const gradyn_functional_ops energy_ops = {energy, energy_gradient};

int gradyn_measure_energy(gradyn_model *model, const char *name)
{
  gradyn_functional_entry *f = NULL;
  if (!mbs_of(model))
    return 0;
  const int number = gradyn_model_measure(model, name, "J", 1, &f);
  if (f) {
    f->terminal = &energy_ops;
    f->motion_only = true;
  }
  return gradyn_id(model, number);
}
