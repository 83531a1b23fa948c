/* Multiplier-dependent forces. A force names constraints, which may be declared later. Finalising replaces
 * names by rows. The derivative Phi_q^T - Q_lam of the equations of motion by the multipliers has
 * additional entries where such a force acts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbs/elements/readings.h"
#include "core/model/declare.h"
#include "core/base/nearest.h"
#include "core/linear/norm.h"
#include "mbs/elements/look.h"

/* --- declaration ------------------------------------------------------------------------------ */

/* Compares the constraints that a force names in a later build() with those of the first one. */
static void compare(gradyn_mbs *m, const mbs_element *stored, const char *name,
                    const char *const *constraints, int count)
{
  const mbs_reading *reading = stored->reading;
  bool same = (reading ? reading->count : 0) == count;
  for (int k = 0; k < count && same; k++)
    same = constraints[k] && strcmp(reading->name[k], constraints[k]) == 0;
  if (!same && !m->model->failed)
    gradyn_build_error(m->model,
                       "%s reads other multipliers than in the first build(): the structure of a "
                       "model must not depend on design variables",
                       name);
}

/* Checks number and names of the constraints that a force reads; false after a build error. */
static bool is_list(gradyn_mbs *m, const char *name, const char *const *constraints, int count)
{
  if (count < 0 || count > MBS_READS) {
    gradyn_build_error(m->model, "%s reads %d multipliers: up to %d are possible", name, count,
                       MBS_READS);
    return false;
  }
  if (count > 0 && !constraints) {
    gradyn_build_error(m->model, "%s reads %d multipliers: their names are missing", name, count);
    return false;
  }
  /* names are looked up when the model is finalised */
  for (int k = 0; k < count; k++)
    if (!constraints[k]) {
      gradyn_build_error(m->model, "%s: the name of constraint %d that it reads is missing", name,
                         k + 1);
      return false;
    }
  return true;
}

void mbs_read_multipliers(gradyn_mbs *m, mbs_element *added, int number, const char *name,
                          const char *const *constraints, int count)
{
  if (!is_list(m, name, constraints, count))
    return;
  if (!added && number < m->lists.forces.count)
    compare(m, &m->lists.forces.item[number], name, constraints, count);
  if (!added || count == 0)
    return;
  added->reading = calloc(1, sizeof *added->reading);
  if (!added->reading) {
    gradyn_model_no_memory(m->model, name);
    return;
  }
  added->reading->count = count;
  for (int k = 0; k < count; k++)
    added->reading->name[k] = gradyn_model_copy_name(m->model, constraints[k]);
}

void mbs_free_reading(mbs_reading *reading)
{
  for (int k = 0; reading && k < reading->count; k++)
    free(reading->name[k]);
  free(reading ? reading->jac : NULL);
  free(reading);
}

/* --- finalising ------------------------------------------------------------------------------- */

/* Reports a constraint that does not exist; the message suggests the nearest name. */
static gradyn_status unknown(gradyn_mbs *m, const mbs_element *e, const char *requested)
{
  gradyn_nearest nearest = {.requested = requested};
  for (int i = 0; i < m->mech.m; i++)
    gradyn_nearest_try(&nearest, m->constraints.item[i].name);
  return gradyn_fail(&m->model->message, GRADYN_INVALID,
                     "%s reads the multiplier of %s, but no constraint of the motion has this "
                     "name%s%s%s",
                     e->name, requested, nearest.best ? "; did you mean " : "",
                     nearest.best ? nearest.best : "", nearest.best ? "?" : "");
}

/* Finds the constraint of the motion with a name; it must be unique. */
static gradyn_status find_row(gradyn_mbs *m, const mbs_element *e, const char *name, int *row)
{
  *row = -1;
  for (int i = 0; i < m->mech.m; i++) {
    if (strcmp(m->constraints.item[i].name, name) != 0)
      continue;
    if (*row >= 0)
      return gradyn_fail(&m->model->message, GRADYN_INVALID,
                         "%s reads the multiplier of %s, but two constraints have this name: use "
                         "different names",
                         e->name, name);
    *row = i;
  }
  return *row < 0 ? unknown(m, e, name) : GRADYN_OK;
}

/* Finds the rows of constraints that forces name. All constraints must be declared. */
gradyn_status mbs_find_readings(gradyn_mbs *m)
{
  m->lists.reader = calloc((size_t)m->lists.forces.count + 1, sizeof *m->lists.reader);
  if (!m->lists.reader)
    return GRADYN_NO_MEMORY;
  for (int i = 0; i < m->lists.forces.count; i++) {
    const mbs_element *e = &m->lists.forces.item[i];
    for (int k = 0; e->reading && k < e->reading->count; k++) {
      GRADYN_TRY(find_row(m, e, e->reading->name[k], &e->reading->row[k]));
      for (int j = 0; j < k; j++)
        if (e->reading->row[j] == e->reading->row[k])
          return gradyn_fail(&m->model->message, GRADYN_INVALID, "%s lists the constraint %s twice",
                             e->name, e->reading->name[k]);
    }
    if (e->reading)
      m->lists.reader[m->lists.readers++] = i;
  }
  /* methods that do not support such forces name the first one in their messages */
  m->mech.reader = m->lists.readers > 0 ? m->lists.forces.item[m->lists.reader[0]].name : NULL;
  return GRADYN_OK;
}

/* Finds the positions of -(df/dlam)^T in the pattern jac. */
gradyn_status mbs_map_readings(gradyn_mbs *m)
{
  for (int i = 0; i < m->lists.readers; i++) {
    const mbs_element *e = &m->lists.forces.item[m->lists.reader[i]];
    mbs_reading *reading = e->reading;
    int width = e->gradient.count;
    reading->jac = malloc(((size_t)(reading->count * width) + 1) * sizeof *reading->jac);
    if (!reading->jac)
      return GRADYN_NO_MEMORY;
    /* in the same order as in subtract_reading() of assembly.c */
    for (int k = 0; k < reading->count * width; k++)
      reading->jac[k] = gradyn_pattern_find(&m->mech.jac, reading->row[k / width],
                                            mbs_gradient_column(m, e, k % width));
  }
  return GRADYN_OK;
}

const char *mbs_is_read(const gradyn_mech *mech, int i)
{
  const gradyn_mbs *m = (const gradyn_mbs *)mech;
  for (int r = 0; r < m->lists.readers; r++) {
    const mbs_element *e = &m->lists.forces.item[m->lists.reader[r]];
    for (int k = 0; k < e->reading->count; k++)
      if (e->reading->row[k] == i)
        return e->name;
  }
  return NULL;
}

/* --- steps across a narrow slip region -------------------------------------------------------- */

enum { SLIPS = 2 }; /* largest number of slip velocities of one force */

/* Whether the straight line from the slip velocity a to a + d enters the region |slip| <= within from
 * outside. Steps that start within the region and leave it are excluded: there the force drives the slip
 * outwards, and the step crosses no narrow region. */
static bool enters(int slips, const double *a, const double *d, double within)
{
  /* the point nearest to slip 0 is a + s d, 0 <= s <= 1 */
  const double aa = gradyn_dot(a, a, slips), ad = gradyn_dot(a, d, slips),
               dd = gradyn_dot(d, d, slips);
  const double s = fmin(fmax(-ad / dd, 0), 1);
  return aa > within * within && aa + s * (2 * ad + s * dd) <= within * within;
}

/* Slip velocities of a force for coordinate velocities v [n] of the model; returns their number. */
static int slips_of(const gradyn_mbs *m, const mbs_element *e, const double *v, double *within,
                    double *slip)
{
  double local[MBS_LOCAL] = {0};
  for (int i = 0; i < e->points; i++)
    for (int k = 0; k < mbs_axes(m, e->point[i]) && e->at[i] + k < m->mech.n; k++)
      local[m->dim * i + k] = v[e->at[i] + k];
  return e->ops->sudden(e, m->dim, local, within, slip);
}

/* Change of the slip velocity of one force during a step that enters its narrow region, divided by the
 * width of the region; 0 if the step does not enter. The change is the larger of the actual one and h times
 * the initial rate, because a step that enters may be short by chance. Steps that begin within the region
 * and leave it are recorded in *out. */
static double leap_of(const gradyn_mbs *m, const mbs_element *e, double h, const double *v,
                      const double *a, const double *to, gradyn_mech_exit *out)
{
  double slip[SLIPS] = {0}, change[SLIPS] = {0}, rate[SLIPS] = {0}, within = 1;
  const int slips = slips_of(m, e, v, &within, slip);
  slips_of(m, e, to, &within, change);
  slips_of(m, e, a, &within, rate);
  const double before = gradyn_dot(slip, slip, slips), behind = gradyn_dot(change, change, slips);
  for (int i = 0; i < slips; i++)
    change[i] -= slip[i];
  const double moved = sqrt(gradyn_dot(change, change, slips));
  if (before < within * within && behind > before && moved > out->moved * within)
    *out = (gradyn_mech_exit){moved / within, e->name};
  if (moved == 0 || !enters(slips, slip, change, within))
    return 0;
  return fmax(moved, h * sqrt(gradyn_dot(rate, rate, slips))) / within;
}

double mbs_jump(const gradyn_mech *mech, double h, const double *v, const double *a,
                const double *to, const char **force, gradyn_mech_exit *out)
{
  const gradyn_mbs *m = (const gradyn_mbs *)mech;
  double most = 0;
  *out = (gradyn_mech_exit){0};
  for (int r = 0; r < m->lists.readers; r++) {
    const mbs_element *e = &m->lists.forces.item[m->lists.reader[r]];
    const double leap = e->ops->sudden ? leap_of(m, e, h, v, a, to, out) : 0;
    if (leap > most) {
      most = leap;
      *force = e->name;
    }
  }
  return most;
}
