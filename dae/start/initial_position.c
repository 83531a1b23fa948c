/* The initial position: the minimum of |q - q^|_W with Phi(q) = 0 and fixed initial conditions. Newton's
 * method solves W (q - q^) + J^T nu = 0 from the guess q^. Near the solution it uses the second-order term
 * nu H. If it fails, it starts again from the position that the damped search has found
 * (initial_approach.c). */
#include "dae/start/initial_parts.h"

#include "core/mech/size.h"
#include "core/linear/norm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ITERATIONS = 60 };

/* Writes the names of at most three constraints with the largest violations to text [size]. */
static void name_violated(const gradyn_initial *s, double *phi, char *text, size_t size)
{
  const gradyn_mech *mech = s->mech;
  size_t used = 0;
  double most = 0;
  text[0] = '\0';
  /* the largest violation first */
  for (int rank = 0; rank < 3; rank++) {
    int worst = -1;
    /* the next largest one; entries of constraints that have been named are zero */
    for (int i = 0; i < s->rows; i++)
      if (fabs(phi[i]) > 1e-3 * most && (worst < 0 || fabs(phi[i]) > fabs(phi[worst])))
        worst = i;
    if (worst < 0)
      break;
    int wrote = snprintf(text + used, size - used, "%s%s%s by %.3g m",
                         rank ? ", " : "; violated most: ", mech->constraint_name(mech, worst),
                         worst >= mech->m ? " (held)" : "", fabs(phi[worst]));
    if (wrote > 0 && used + (size_t)wrote < size)
      used += (size_t)wrote;
    most = fmax(most, fabs(phi[worst]));
    phi[worst] = 0;
  }
}

/* Fails with a message that distinguishes lengths that do not fit from a poor guess. left: violation, m;
 * stuck: see gradyn_initial_approach(). */
static gradyn_status not_assembled(gradyn_initial *s, double left, bool stuck)
{
  gradyn_mech *mech = s->mech;
  gradyn_mech_state at = gradyn_initial_place_state(s);
  char text[512];
  /* Phi at the last iterate; values that are not finite are allowed, and appear in the message */
  gradyn_status status = mech->ops->phi(mech, s->parts, 0, &at, s->b);
  if (status != GRADYN_OK && status != GRADYN_NON_FINITE)
    return status;
  name_violated(s, s->b, text, sizeof text);
  /* the damped search has failed from several points */
  if (left > 0 && stuck)
    return gradyn_fail(
        mech->message, GRADYN_NOT_ASSEMBLED,
        "the mechanism cannot be assembled: from the given points and several positions around "
        "them, the constraint violation stays above %.3g m%s. Check lengths, and %s",
        left, text, mech->held > 0 ? "fixed initial values" : "prescribed values");
  return gradyn_fail(
      mech->message, GRADYN_NOT_ASSEMBLED,
      "the mechanism cannot be assembled near the given points%s. Check lengths, initial "
      "coordinates and fixed initial values",
      text[0] ? text
              : ": the constraints are satisfied there, but the iteration does not converge");
}

/* Refuses a configuration in which a direction is reversed. It satisfies the equations, but is not the
 * intended one. */
static gradyn_status check_sides(const gradyn_initial *s)
{
  gradyn_mech *mech = s->mech;
  const gradyn_mech_state at = gradyn_initial_place_state(s);
  const int i = mech->ops->reversed ? mech->ops->reversed(mech, s->rows, &at, NULL) : -1;
  if (i >= 0)
    return gradyn_fail(mech->message, GRADYN_NOT_ASSEMBLED,
                       "in the configuration nearest to the given points, the direction %s is "
                       "reversed: give points closer to the intended configuration",
                       mech->constraint_name(mech, i));
  return GRADYN_OK;
}

/* Takes one step of Newton's method, of at most half of the mechanism's size. *step: its length, m;
 * *violation: before the step, m. */
static gradyn_status step_newton(gradyn_initial *s, bool near, double *step, double *violation)
{
  gradyn_mech *mech = s->mech;
  int n = mech->n;
  gradyn_mech_state at = gradyn_initial_place_state(s);
  GRADYN_TRY(gradyn_initial_place_matrix(s, near));
  GRADYN_TRY(mech->ops->phi(mech, s->parts, 0, &at, s->b + n));
  *violation = gradyn_mech_violation(s->b + n, s->row, s->rows);
  /* W d + J^T nu = W (q^ - q), J d - D nu = -Phi */
  for (int i = 0; i < n; i++)
    s->b[i] = gradyn_initial_weight(s, i) * (gradyn_initial_guess(s, i) - s->q[i]);
  for (int i = 0; i < s->rows; i++)
    s->b[n + i] = -s->b[n + i] - GRADYN_PLACE_SHARE * s->row[i] * s->row[i] * s->nu[i];
  gradyn_linsys_solve(s->position.system, s->b, 1);
  *step = gradyn_largest_product(s->b, mech->length_scale, n);
  /* a longer step could end on another branch */
  double size = gradyn_mech_size(mech, s->q);
  double damping = *step > 0.5 * size ? 0.5 * size / *step : 1;
  for (int i = 0; i < n; i++)
    s->q[i] += damping * s->b[i];
  memcpy(s->nu, s->b + n, (size_t)s->rows * sizeof(double));
  return GRADYN_OK;
}

/* Applies Newton's method from the present q and nu. near: use the second-order term from the start;
 * otherwise it is used only near the solution, where it helps. Sets *settled to whether the method has
 * converged. */
static gradyn_status iterate(gradyn_initial *s, bool near, bool *settled)
{
  double last = HUGE_VAL, step, violation;
  *settled = false;
  for (int iteration = 0; iteration < MOST_ITERATIONS && !*settled; iteration++) {
    GRADYN_TRY(step_newton(s, near, &step, &violation));
    if (!isfinite(step) || !isfinite(violation))
      break;
    /* converged if violation and step are round-off */
    double size = gradyn_mech_size(s->mech, s->q);
    *settled = violation < 1e-13 * size &&
               (step < 1e-14 * size || (step >= last && step < 1e-11 * size));
    near = step < 1e-3 * size; /* use the second-order term from now on if the step is short */
    last = step;
  }
  return GRADYN_OK;
}

/* Search after Newton's method has failed from the guess: approaches the constraints, moves along them
 * towards the guess, and then applies Newton's method again. */
static gradyn_status go_round(gradyn_initial *s, bool *settled, double *left, bool *stuck)
{
  size_t bytes = (size_t)s->mech->n * sizeof(double);
  GRADYN_TRY(gradyn_initial_approach(s, left, stuck));
  /* Newton's method is tried at a hundredth of the size from the nearest point, then at a hundredth of this
   * distance, and so on */
  for (double part = 1e-2; part > 1e-9 && !*settled && *left == 0; part *= 1e-2) {
    GRADYN_TRY(gradyn_initial_approach_guess(s, part));
    memcpy(s->way.best, s->q, bytes);
    GRADYN_TRY(iterate(s, true, settled));
    if (!*settled)
      memcpy(s->q, s->way.best, bytes);
  }
  return GRADYN_OK;
}

/* Turns angles that have converged to values wrong by half a turn, to which Newton's method may lead from a
 * distant guess. If no other constraint depends on such an angle, the turned value is a solution as well.
 * If a constraint, a drive or a gear depends on it, the direction stays reversed. */
static gradyn_status turn_angles(gradyn_initial *s)
{
  const double half = acos(-1.0);
  gradyn_mech *mech = s->mech;
  const gradyn_mech_state at = gradyn_initial_place_state(s);
  const size_t bytes = (size_t)mech->n * sizeof(double);
  bool any = false, settled = true;
  if (!mech->ops->reversed)
    return GRADYN_OK;
  memset(s->way.angle, 0, (size_t)mech->n * sizeof *s->way.angle);
  (void)mech->ops->reversed(mech, s->rows, &at, s->way.angle);
  memcpy(s->way.best, s->q, bytes);
  for (int i = 0; i < mech->n; i++)
    if (s->way.angle[i]) {
      s->q[i] += copysign(half, gradyn_initial_guess(s, i) - s->q[i]);
      any = true;
    }
  if (any)
    GRADYN_TRY(iterate(s, true, &settled));
  if (!settled)
    memcpy(s->q, s->way.best, bytes);
  return GRADYN_OK;
}

void gradyn_initial_take(gradyn_initial *s)
{
  const gradyn_initial *origin = s->way.origin;
  const gradyn_mech_place from = {origin->q, origin->v}, to = {s->q, s->v};
  s->mech->begin.origin.take(s->mech, &from, &to);
}

/* Computes the position nearest to the guess. If several positions are solutions, it is the one to which
 * the iteration leads. */
gradyn_status gradyn_initial_place(gradyn_initial *s)
{
  const gradyn_mech *mech = s->mech;
  bool settled, stuck = false;
  double left = 0;
  if (s->way.origin) {
    s->way.origin->t = s->t;
    GRADYN_TRY(gradyn_initial_place(s->way.origin));
    gradyn_initial_take(s);
    return GRADYN_OK;
  }
  for (int i = 0; i < mech->n; i++)
    s->q[i] = gradyn_initial_guess(s, i);
  /* initial multipliers nu are zero */
  memset(s->nu, 0, (size_t)s->rows * sizeof(double));
  GRADYN_TRY(iterate(s, false, &settled));
  /* the guess is too far from a solution: use the damped search */
  if (!settled)
    GRADYN_TRY(go_round(s, &settled, &left, &stuck));
  if (settled)
    GRADYN_TRY(turn_angles(s));
  return settled ? check_sides(s) : not_assembled(s, left, stuck);
}
