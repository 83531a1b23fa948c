/* Natural sizes of states.
 *
 * A size says what is small of a state, for tolerances and checks: coordinates by how far points
 * are apart and move, velocities and accelerations by that over the time in which they do,
 * multipliers by the forces at the start. States of general equations that begin at zero take
 * theirs from their rates, or from others of the same unit. */
#include "dae/sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/norm.h"

/* What is below this part of the largest of its unit is meant to be zero. */
static const double nothing = 1e-12;

/* Part of what a rate makes of a state that is zero: states grow from there on by themselves. */
static const double begun = 1e-2;

/* Of the speed that takes a mechanism through its own extent in a run, the least that counts. */
static const double least_motion = 1e-3;

/* Of the speed that accelerations give over the extent: what counts in a run of many swings. */
static const double swing = 0.1;

/* --- mechanisms ------------------------------------------------------------------------------- */

/* A length for all coordinates, by their levers: a direction turns by length over lever. */
static void spread(const gradyn_mech *mech, double moved, double *size)
{
  for (int i = 0; i < mech->n; i++)
    size[i] = moved / mech->lever[i];
}

/* Forces of applied loads and of inertia at the accelerations a: their largest. */
static gradyn_status largest_force(gradyn_model *model, const double *y, const double *a, int parts,
                                   double *force, double *largest)
{
  int n = model->mech->n;
  const gradyn_mech_state at = {.t = 0, .q = y, .v = y + n, .a = a, .lam = y + 3 * n};
  GRADYN_TRY(model->mech->ops->residual(model->mech, parts, &at, force));
  *largest = gradyn_largest(force, n);
  return GRADYN_OK;
}

/* The largest acceleration that loads, where they balance as well, give to what they act on. w [3][n]. */
static gradyn_status loaded(gradyn_model *model, const double *y, double *w, double *a,
                            double *load)
{
  int n = model->mech->n;
  double *force = w, *mass = w + n, *one = w + 2 * n, most;
  for (int i = 0; i < n; i++)
    one[i] = 1;
  GRADYN_TRY(largest_force(model, y, one, GRADYN_INERTIA, mass, &most));
  GRADYN_TRY(largest_force(model, y, one, GRADYN_FORCE, force, load));
  *a = gradyn_largest_product(y + 2 * n, model->mech->lever, n);
  for (int i = 0; i < n; i++)
    if (model->mech->lever[i] == 1 && fabs(mass[i]) > nothing * most)
      *a = fmax(*a, fabs(force[i] / mass[i]));
  return GRADYN_OK;
}

/* Multipliers are forces: no less than loads, and than what moves the masses. */
static gradyn_status size_multipliers(gradyn_model *model, const double *y, double load, double *w,
                                      double *size)
{
  int n = model->mech->n, m = model->mech->m;
  double force;
  /* a force, N: reactions are of the size of loads */
  GRADYN_TRY(largest_force(model, y, size + 2 * n, GRADYN_INERTIA, w, &force));
  force = fmax(fmax(force, load), gradyn_largest(y + 3 * n, m));
  for (int i = 3 * n; i < 3 * n + m; i++)
    size[i] = force > 0 ? force : 1;
  return GRADYN_OK;
}

/* w [3][n] */
static gradyn_status size_all(gradyn_model *model, const double *y, double t_end, double *w,
                              double *size)
{
  const gradyn_mech *mech = model->mech;
  int n = mech->n;
  /* m/s: once through itself in the whole run */
  double a = 0, load = 0, speed = mech->length / t_end;
  GRADYN_TRY(loaded(model, y, w, &a, &load));
  if (a > 0) {
    speed *= fmin(1, fmax(least_motion, sqrt(a / mech->length) * t_end));
    speed = fmax(speed, swing * sqrt(a * mech->length)); /* runs may be long */
  }
  spread(mech, mech->length, size);
  spread(mech, fmax(speed, gradyn_largest_product(y + n, mech->lever, n)), size + n);
  spread(mech, fmax(a, speed / t_end), size + 2 * n); /* m/s^2 */
  return size_multipliers(model, y, load, w, size);
}

/* With working arrays of its own. */
static gradyn_status size_mechanism(gradyn_model *model, const double *y, double t_end,
                                    double *size)
{
  double *w = calloc(3 * (size_t)model->mech->n + 1, sizeof *w);
  if (!w)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  gradyn_status status = size_all(model, y, t_end, w, size);
  free(w);
  return status;
}

/* --- general equations ------------------------------------------------------------------------ */

/* States of one unit: the largest value, and the smallest size that is not zero. */
typedef struct unit_kind {
  const char *unit;
  double most, least;
} unit_kind;

/* Finds the kind of a state among those there are so far, or begins a new one. */
static unit_kind *kind_of(const gradyn_model *model, int i, unit_kind *kind, int *kinds)
{
  const char *unit = model->ops->state_unit(model, i);
  for (int k = 0; k < *kinds; k++)
    if (kind[k].unit == unit || strcmp(kind[k].unit, unit) == 0)
      return &kind[k];
  kind[*kinds] = (unit_kind){unit, 0, HUGE_VAL};
  return &kind[(*kinds)++];
}

/* The time in which what is not zero changes by as much as it is, at most t_end. */
static double pace(int ny, const double *size, const double *yp, double t_end)
{
  double time = t_end;
  for (int i = 0; i < ny; i++)
    if (size[i] > 0 && fabs(yp[i]) * time > size[i])
      time = size[i] / fabs(yp[i]);
  return time;
}

/* The size of a state that is zero: begun of what its rate makes of it in a time, or all of what a rate that
 * dies away, as y' = -k (y - u), makes of it: |y'| |y' / y''|. */
static double grown(double yp, double ypp, double time)
{
  const double size = begun * fabs(yp) * time;
  return yp * ypp < 0 ? fmin(size, yp * yp / fabs(ypp)) : size;
}

/* State by state, then by units. */
static gradyn_status size_equations(gradyn_model *model, const double *y, const double *yp,
                                    const double *ypp, double t_end, double *size)
{
  int ny = model->ops->state_count(model), kinds = 0;
  unit_kind *kind = malloc(((size_t)ny + 1) * sizeof *kind);
  if (!kind)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  for (int i = 0; i < ny; i++) {
    unit_kind *alike = kind_of(model, i, kind, &kinds);
    alike->most = fmax(alike->most, fabs(y[i])); /* unknowns of one unit share their size */
  }
  for (int i = 0; i < ny; i++)
    size[i] = fabs(y[i]) > nothing * kind_of(model, i, kind, &kinds)->most ? fabs(y[i]) : 0;
  /* zero at the start: by what rates make of them in that time */
  double time = pace(ny, size, yp, t_end);
  for (int i = 0; i < ny; i++) {
    unit_kind *alike = kind_of(model, i, kind, &kinds);
    size[i] = size[i] > 0 ? size[i] : grown(yp[i], ypp ? ypp[i] : 0, time);
    alike->least = size[i] > 0 ? fmin(alike->least, size[i]) : alike->least;
  }
  /* still zero: as small as the least of its unit, or 1 */
  for (int i = 0; i < ny; i++) {
    double least = kind_of(model, i, kind, &kinds)->least;
    if (size[i] == 0)
      size[i] = isfinite(least) ? least : 1;
  }
  free(kind);
  return GRADYN_OK;
}

/* --- both ------------------------------------------------------------------------------------- */

gradyn_status gradyn_state_sizes(gradyn_model *model, const double *y, const double *yp,
                                 const double *ypp, double t_end, double *size)
{
  return model->mech ? size_mechanism(model, y, t_end, size)
                     : size_equations(model, y, yp, ypp, t_end, size);
}

bool gradyn_sizes_need_more(const gradyn_model *model, const double *y)
{
  const int ny = model->mech ? 0 : model->ops->state_count(model);
  for (int i = 0; i < ny; i++)
    if (y[i] == 0)
      return true;
  return false;
}
