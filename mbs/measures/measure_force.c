/* Measures of forces: efforts on joint coordinates, and power, of any force element. The force f(q, v, lam,
 * z) of an element is evaluated at the sample. Its effort on a joint coordinate is f_1. Its power is f.v
 * over the coordinates of its points. Derivatives are those that the element computes. */
#include <math.h>
#include <string.h>

#include "core/linear/norm.h"
#include "mbs/elements/look.h"
#include "mbs/measures/measure.h"

enum { ELEMENT, IS_POWER };

/* A force f [local] at a sample, and the factors of its entries in the measure. Effort: 1 for the first
 * entry. Power: velocities, but 0 for first-order states. */
typedef struct look {
  const mbs_element *e;
  mbs_point_state view;
  double f[MBS_LOCAL], factor[MBS_LOCAL];
} look;

/* Evaluates f and the factors. */
static gradyn_status look_at(gradyn_mbs *m, const mbs_measure *s, const gradyn_sample *at, look *l)
{
  const int n = m->mech.n;
  const gradyn_mech_state state = {
      .t = at->t, .q = at->y, .v = at->y + n, .a = at->y + 2 * n, .lam = at->y + 3 * n};
  l->e = &m->lists.forces.item[s->index[ELEMENT]];
  l->view = mbs_eval(m, &state);
  for (int i = 0; i < l->e->local; i++) {
    const mbs_point *p = &m->point[l->e->point[i / m->dim]];
    const bool moves = !p->state && i % m->dim < mbs_axes(m, l->e->point[i / m->dim]);
    const double rate = moves ? m->vel[p->offset + i % m->dim] : 0;
    /* power: f.v; effort: the first component of f */
    l->factor[i] = s->index[IS_POWER] ? rate : i == 0;
  }
  return l->e->ops->force(m, l->e, &l->view, l->e->input, l->f);
}

/* Adds the derivatives of the measure by data and time, on which the inputs of the element depend. */
static void inputs_bar(gradyn_mbs *m, const look *l, double t, double weight,
                       const gradyn_gradient_out *out)
{
  double f_z[MBS_INPUTS * MBS_LOCAL], z_bar[MBS_INPUTS];
  mbs_input_row row[MBS_INPUTS];
  l->e->ops->force_input(m, l->e, &l->view, l->e->input, f_z);
  for (int j = 0; j < mbs_input_count(l->e); j++)
    z_bar[j] = gradyn_dot(f_z + j * l->e->local, l->factor, l->e->local); /* f_z^T factor */
  if (out->x_bar)
    mbs_inputs_adjoints(m, l->e, t, weight, z_bar, out->x_bar);
  if (!out->t_bar)
    return;
  mbs_input_rows(m, l->e, t, row);
  for (int j = 0; j < mbs_input_count(l->e); j++)
    *out->t_bar += weight * row[j].rate * z_bar[j]; /* laws and signals depend on time: z_t */
}

/* Adds the derivatives by the multipliers on which the force depends. */
static void lam_bar(gradyn_mbs *m, const look *l, double weight, const gradyn_gradient_out *out)
{
  double f_lam[MBS_READS * MBS_LOCAL];
  const mbs_reading *reading = l->e->reading;
  if (!reading || !out->y_bar)
    return;
  /* f_lam^T factor */
  l->e->ops->force_lam(m, l->e, &l->view, l->e->input, f_lam);
  for (int k = 0; k < reading->count; k++)
    out->y_bar[(3 * m->mech.n + reading->row[k]) * out->stride] +=
        weight * gradyn_dot(f_lam + k * l->e->local, l->factor, l->e->local);
}

/* Adds the derivatives by positions and velocities. The power also depends on velocities by its factors. */
static void bar(gradyn_mbs *m, const mbs_measure *s, const look *l, double weight,
                const gradyn_sample *at, const gradyn_gradient_out *out)
{
  double f_pos[MBS_LOCAL * MBS_LOCAL], f_vel[MBS_LOCAL * MBS_LOCAL];
  const mbs_element *e = l->e;
  const int local = e->local;
  e->ops->force_state(m, e, &l->view, e->input, f_pos, f_vel);
  for (int k = 0; k < local; k++) {
    const int point = e->point[k / m->dim], axis = k % m->dim;
    double by_pos = 0, by_vel = s->index[IS_POWER] && !m->point[point].state ? l->f[k] : 0;
    if (axis >= mbs_axes(m, point))
      continue;
    /* f_x^T factor; the power is also linear in the velocity itself */
    for (int i = 0; i < local; i++) {
      by_pos += l->factor[i] * f_pos[i * local + k];
      by_vel += l->factor[i] * f_vel[i * local + k];
    }
    mbs_component_bar(m, point, 0, axis, weight * by_pos, at->y, out);
    mbs_component_bar(m, point, 1, axis, weight * by_vel, at->y, out);
  }
  lam_bar(m, l, weight, out);
  inputs_bar(m, l, at->t, weight, out);
}

/* Value of the measure, with the multipliers in y. With ali3p, friction uses multipliers that differ from
 * these by kappa, which is not in y. */
static double take(gradyn_mbs *m, const mbs_measure *s, const gradyn_sample *at, double weight,
                   const gradyn_gradient_out *out)
{
  look l;
  if (mbs_absent(m, &m->lists.forces.item[s->index[ELEMENT]]))
    return 0;
  if (look_at(m, s, at, &l) != GRADYN_OK)
    return NAN;
  if (out)
    bar(m, s, &l, weight, at, out);
  return gradyn_dot(l.f, l.factor, l.e->local);
}

/* --- declarations ----------------------------------------------------------------------------- */

/* Finds the force with a name; -1 after a build error if there is none, or more than one. */
static int find_force(gradyn_mbs *m, const char *name, const char *requested)
{
  /* forces with the same name cannot be distinguished */
  int found = -1, count = 0;
  for (int i = 0; i < m->lists.forces.cursor && i < m->lists.forces.count && requested; i++)
    if (strcmp(m->lists.forces.item[i].name, requested) == 0) {
      found = i;
      count++;
    }
  /* after an error, the force may be missing because of the error */
  if (count > 1 || (count == 0 && !m->model->failed))
    gradyn_build_error(m->model,
                       "%s: %s forces are called %s; exactly one force must have this name and be "
                       "declared before",
                       name ? name : "a measure", count ? "several" : "no",
                       requested ? requested : "(no name)");
  return count == 1 ? found : -1;
}

/* Declares a measure of a force, given by name. */
static int declare(gradyn_model *model, const char *name, const char *force, bool power)
{
  gradyn_mbs *m = mbs_of(model);
  const int number = m ? find_force(m, name, force) : -1;
  if (number < 0)
    return 0;
  const mbs_element *e = &m->lists.forces.item[number];
  /* effort on a joint coordinate: N m or N */
  const mbs_point *p = &m->point[e->point[0]];
  if (!power && (!p->scalar || p->state)) {
    gradyn_build_error(model,
                       "%s: force %s does not act on a joint coordinate, so it has no effort. "
                       "Measure its power instead",
                       name ? name : "a measure", force);
    return 0;
  }
  return mbs_add_measure(m, name,
                         &(mbs_measure){.take = take,
                                        .unit = power      ? "W"
                                                : p->angle ? "N m"
                                                           : "N",
                                        .index = {number, power},
                                        .order = e->reading ? 3 : 1});
}

int gradyn_measure_effort(gradyn_model *model, const char *name, const char *force)
{
  return declare(model, name, force, false);
}

int gradyn_measure_power(gradyn_model *model, const char *name, const char *force)
{
  return declare(model, name, force, true);
}
