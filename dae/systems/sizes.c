/* Natural sizes of the states of mechanisms.
 *
 * A size states which values of a state are small, for tolerances and checks. Coordinates: the extent of
 * the mechanism. Velocities: from the extent, the duration of the run, and the accelerations by the loads;
 * at least the largest initial velocity. Accelerations: the largest by the loads, at least the velocity
 * divided by the duration. Multipliers: the largest of the loads, the inertia forces and the initial
 * multipliers. */
#include "dae/systems/sizes.h"

#include <math.h>
#include <stdlib.h>

#include "core/linear/norm.h"

/* Values below this part of the largest value with the same unit count as zero. */
static const double nothing = 1e-12;

/* Smallest relevant speed, relative to the speed that moves a mechanism by its own extent during a run. */
static const double least_motion = 1e-3;

/* Relevant speed relative to the speed that accelerations give over the extent of the mechanism, for runs
 * with many oscillations. */
static const double swing = 0.1;

/* --- mechanisms -------------------------------------------------------------------------------- */

/* Sets the sizes of all coordinates for a displacement: the displacement divided by the length scale, which
 * is an angle for directions. */
static void spread(const gradyn_mech *mech, double moved, double *size)
{
  for (int i = 0; i < mech->n; i++)
    size[i] = moved / mech->length_scale[i];
}

/* Returns whether a coordinate is an angle whose inertia acts on other coordinates with a sign that depends
 * on conventions. */
static bool is_counted(const gradyn_mech *mech, int i)
{
  return !mech->constant_mass && mech->length_scale[i] != 1;
}

/* Computes the forces of applied loads, or of inertia at the accelerations a, and the largest of them. */
static gradyn_status largest_force(gradyn_model *model, const double *y, const double *a, int parts,
                                   double *force, double *largest)
{
  int n = model->mech->n;
  const gradyn_mech_state at = {.t = 0, .q = y, .v = y + n, .a = a, .lam = y + 3 * n};
  GRADYN_TRY(model->mech->ops->residual(model->mech, parts, &at, force));
  *largest = gradyn_largest(force, n);
  return GRADYN_OK;
}

/* Computes the largest acceleration that loads give to their masses, also if loads balance each other. w
 * [3][n]. */
static gradyn_status loaded(gradyn_model *model, const double *y, double *w, double *a,
                            double *load)
{
  int n = model->mech->n;
  double *force = w, *mass = w + n, *one = w + 2 * n, most;
  for (int i = 0; i < n; i++)
    one[i] = !is_counted(model->mech, i);
  GRADYN_TRY(largest_force(model, y, one, GRADYN_INERTIA, mass, &most));
  GRADYN_TRY(largest_force(model, y, one, GRADYN_FORCE, force, load));
  *a = gradyn_largest_product(y + 2 * n, model->mech->length_scale, n);
  for (int i = 0; i < n; i++)
    if (model->mech->length_scale[i] == 1 && fabs(mass[i]) > nothing * most)
      *a = fmax(*a, fabs(force[i] / mass[i]));
  return GRADYN_OK;
}

/* Sets the sizes of multipliers, which are forces: at least as large as the loads and the inertia forces. */
static gradyn_status size_multipliers(gradyn_model *model, const double *y, double load, double *w,
                                      double *size)
{
  int n = model->mech->n, m = model->mech->m;
  double force, *a = w + n;
  for (int i = 0; i < n; i++)
    a[i] = is_counted(model->mech, i) ? copysign(size[2 * n + i], y[i]) : size[2 * n + i];
  /* inertia forces of these accelerations, and loads, N: reactions have their size */
  GRADYN_TRY(largest_force(model, y, a, GRADYN_INERTIA, w, &force));
  force = fmax(fmax(force, load), gradyn_largest(y + 3 * n, m));
  for (int i = 3 * n; i < 3 * n + m; i++)
    size[i] = force > 0 ? force : 1;
  return GRADYN_OK;
}

/* Computes the sizes of all states; w [3][n] is workspace. */
static gradyn_status size_all(gradyn_model *model, const double *y, double t_end, double *w,
                              double *size)
{
  const gradyn_mech *mech = model->mech;
  int n = mech->n;
  /* m/s: through the extent once in the whole run */
  double a = 0, load = 0, speed = mech->length / t_end;
  GRADYN_TRY(loaded(model, y, w, &a, &load));
  if (a > 0) {
    speed *= fmin(1, fmax(least_motion, sqrt(a / mech->length) * t_end));
    /* speed by the loads, since the run may be long */
    speed = fmax(speed, swing * sqrt(a * mech->length));
  }
  spread(mech, mech->length, size);
  spread(mech, fmax(speed, gradyn_largest_product(y + n, mech->length_scale, n)), size + n);
  spread(mech, fmax(a, speed / t_end), size + 2 * n); /* m/s^2 */
  return size_multipliers(model, y, load, w, size);
}

/* Computes the sizes of a mechanism, with workspace that it allocates. */
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

/* --- all models -------------------------------------------------------------------------------- */

gradyn_status gradyn_state_sizes(gradyn_model *model, gradyn_index1 *system, const double *y,
                                 const double *yp, double t_end, double *size)
{
  return model->mech ? size_mechanism(model, y, t_end, size)
                     : gradyn_equations_sizes(system, y, yp, t_end, size);
}
