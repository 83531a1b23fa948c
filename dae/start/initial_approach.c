/* Search for a position from a poor guess. The damped Gauss-Newton method of Levenberg and Marquardt first
 * decreases the constraint violations,
 *
 *   W d + J^T y = 0,  J d - share R^2 y = -Phi      R: sizes of the rows, share: the damping.
 *
 * Then the position moves along the constraints towards the guess, and the constraints are restored after
 * each step. Both searches accept only steps that decrease their objective, so that they cannot diverge. */
#include "dae/start/initial_parts.h"

#include "core/mech/size.h"
#include "core/linear/norm.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_STEPS = 300, MOST_HALVINGS = 12, PLACES = 12 };

/* The search is stuck if a step decreases the violations by less than this part. */
static const double least_gain = 1e-4;

/* Computes phi [rows] at the present position. */
static gradyn_status violations(gradyn_initial *s, double *phi)
{
  const gradyn_mech_state at = gradyn_initial_place_state(s);
  return s->mech->ops->phi(s->mech, s->parts, 0, &at, phi);
}

/* Returns the sum of squares of the violations relative to the sizes of their rows, m^2. */
static double sum_of(const gradyn_initial *s, const double *phi)
{
  double sum = 0;
  /* sum of (Phi/R)^2 */
  for (int i = 0; i < s->rows; i++)
    sum += phi[i] / s->row[i] * (phi[i] / s->row[i]);
  return sum;
}

/* Moves q by share times the step d, by at most half of the mechanism's size. */
static void move(gradyn_initial *s, const double *d, double share)
{
  double step = gradyn_largest_product(d, s->mech->length_scale, s->mech->n);
  double size = gradyn_mech_size(s->mech, s->q);
  double cut = step > 0.5 * size ? 0.5 * size / step : 1;
  for (int i = 0; i < s->mech->n; i++)
    s->q[i] += share * cut * d[i];
}

/* Takes one damped step if it decreases the violations, and adapts the damping *share. */
static gradyn_status step_down(gradyn_initial *s, double *share, double *sum, double *gain)
{
  int n = s->mech->n;
  double *before = s->rest, *trial = s->rest + n;
  /* W d + J^T y = 0, J d - share R^2 y = -Phi */
  for (int i = 0; i < s->rows; i++)
    s->b[n + i] = -s->b[n + i];
  memset(s->b, 0, (size_t)n * sizeof(double));
  gradyn_linsys_solve(s->position.system, s->b, 1);
  memcpy(before, s->q, (size_t)n * sizeof(double));
  move(s, s->b, 1);
  gradyn_status status = violations(s, trial);
  double then = status == GRADYN_OK ? sum_of(s, trial) : HUGE_VAL;
  /* accepted: less damping, which is closer to the Gauss-Newton method */
  if (then < *sum) {
    *gain = 1 - then / *sum;
    *share = fmax(*share / 10, GRADYN_PLACE_SHARE);
    return GRADYN_OK;
  }
  /* rejected: return, and increase the damping */
  *gain = 0;
  memcpy(s->q, before, (size_t)n * sizeof(double));
  *share = fmax(*share * 10, 1e-4);
  return status == GRADYN_NON_FINITE ? GRADYN_OK : status;
}

gradyn_status gradyn_initial_restore(gradyn_initial *s, double *left, bool *stuck)
{
  double share = GRADYN_PLACE_SHARE, gain = 1;
  *stuck = false;
  for (int k = 0; k < MOST_STEPS && !*stuck; k++) {
    GRADYN_TRY(gradyn_initial_damped_matrix(s, share));
    GRADYN_TRY(violations(s, s->b + s->mech->n));
    double sum = sum_of(s, s->b + s->mech->n);
    *left = gradyn_mech_violation(s->b + s->mech->n, s->row, s->rows);
    /* no violation is left except round-off */
    if (*left <= 1e-12 * gradyn_mech_size(s->mech, s->q)) {
      *left = 0;
      return GRADYN_OK;
    }
    GRADYN_TRY(step_down(s, &share, &sum, &gain));
    /* stuck: no damping gives a decrease, even with steps of the size of round-off; or the decrease is
     * negligible */
    *stuck = gain == 0 ? share > 1 / DBL_EPSILON : gain < least_gain;
  }
  return GRADYN_OK;
}

/* Sets q to the guess plus a pseudo-random displacement, relative to the mechanism's size. The sequence is
 * the same in every run. */
static void place_around(gradyn_initial *s, int position)
{
  const gradyn_mech *mech = s->mech;
  unsigned long long seed = 0x9e3779b97f4a7c15ULL * (unsigned)position;
  double far = position == 0 ? 0 : mech->length * ldexp(0.01, position / 2);
  for (int i = 0; i < mech->n; i++) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL; /* Knuth's MMIX generator */
    s->q[i] = gradyn_initial_guess(s, i) +
              far / mech->length_scale[i] * ((double)(seed >> 33) / 0x1p30 - 1);
  }
}

gradyn_status gradyn_initial_approach(gradyn_initial *s, double *left, bool *stuck)
{
  size_t bytes = (size_t)s->mech->n * sizeof(double);
  double least = HUGE_VAL, here;
  bool ended;
  *stuck = true;
  for (int position = 0; position < PLACES && least > 0; position++) {
    place_around(s, position);
    GRADYN_TRY(gradyn_initial_restore(s, &here, &ended));
    /* stuck from all initial points: the constraints probably contradict each other */
    *stuck = *stuck && (ended || here == 0);
    if (here < least)
      memcpy(s->way.best, s->q, bytes);
    least = fmin(least, here);
  }
  memcpy(s->q, s->way.best, bytes);
  *left = least;
  return GRADYN_OK;
}

/* Returns the squared distance |q - q^|^2 from the guess q^, with the weights W, m^2. */
static double distance(const gradyn_initial *s)
{
  const gradyn_mech *mech = s->mech;
  /* objective of the assembly */
  double sum = 0;
  for (int i = 0; i < mech->n; i++) {
    double off = s->q[i] - gradyn_initial_guess(s, i);
    sum += gradyn_initial_weight(s, i) * off * off;
  }
  return sum;
}

/* Computes the step in the tangent plane to the point nearest to the guess, way.direction, and the
 * multipliers nu. *step: its length, m. */
static gradyn_status aim(gradyn_initial *s, double *step)
{
  int n = s->mech->n;
  GRADYN_TRY(gradyn_initial_damped_matrix(s, GRADYN_PLACE_SHARE));
  GRADYN_TRY(violations(s, s->b + n));
  for (int i = 0; i < n; i++)
    s->b[i] = gradyn_initial_weight(s, i) * (gradyn_initial_guess(s, i) - s->q[i]);
  for (int i = 0; i < s->rows; i++)
    s->b[n + i] = -s->b[n + i];
  gradyn_linsys_solve(s->position.system, s->b, 1);
  memcpy(s->nu, s->b + n, (size_t)s->rows * sizeof(double));
  memcpy(s->way.direction, s->b, (size_t)n * sizeof(double));
  *step = gradyn_largest_product(s->b, s->mech->length_scale, n);
  return GRADYN_OK;
}

/* Moves along the constraints towards the guess q^. Each step decreases the distance |q - q^| with the
 * weights W. */
gradyn_status gradyn_initial_approach_guess(gradyn_initial *s, double part)
{
  size_t bytes = (size_t)s->mech->n * sizeof(double);
  for (int k = 0; k < MOST_STEPS; k++) {
    double step, left = 0, share = 1, before = distance(s);
    bool stuck, nearer = false;
    /* along the constraints, towards the guess */
    gradyn_status status = aim(s, &step);
    /* the nearest point has been reached */
    if (status != GRADYN_OK || step <= part * gradyn_mech_size(s->mech, s->q))
      return status;
    memcpy(s->way.near, s->q, bytes);
    /* the step is halved until its end, back on the constraints, is closer to the guess */
    for (int i = 0; i < MOST_HALVINGS && !nearer && status == GRADYN_OK; i++, share /= 2) {
      memcpy(s->q, s->way.near, bytes);
      move(s, s->way.direction, share);
      status = gradyn_initial_restore(s, &left, &stuck);
      nearer = left == 0 && distance(s) < before;
    }
    if (!nearer)
      memcpy(s->q, s->way.near, bytes);
    if (!nearer || status != GRADYN_OK)
      return status;
  }
  return GRADYN_OK;
}
