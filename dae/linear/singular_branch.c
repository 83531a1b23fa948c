/* Detects runs with fixed steps that pass from one branch of the motion to another.
 *
 * Several steps are examined together, until the constraints have turned by `often`. If the Jacobians at
 * both ends of such an interval are opposite in some direction (singular_path.c), the interval is bisected
 * for the point where they turn. From there, Newton's method continues to the position where the
 * derivatives of psi^T Phi are zero. It moves in two directions: along the motion and its time, and along
 * w, the direction that constraints nearly leave free. The value of psi^T Phi there is mu
 * (singular_branch.h). */
#include "dae/linear/singular_branch.h"
#include "core/linear/norm.h"
#include "core/mech/size.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  BISECTIONS = 6,       /* bisections of the interval between two examinations */
  MOST_ITERATIONS = 20, /* largest number of iterations of Newton's method */
  LONGEST_STRIDE = 32   /* largest number of steps between two examinations */
};

static const double often = 0.1; /* rad, rotation of the constraints between two examinations */
/* rad, if constraints rotate more, the ends of an interval cannot be compared */
static const double most = 1;
/* Newton's method ends below this correction, relative to the mechanism's size. */
static const double enough = 1e-7;
/* Both are relative to the mechanism's size. If |mu| is below `roundoff`, the error of psi^T Phi, nothing
 * can be concluded. If it is above `widest`, other checks detect steps that do not resolve the gap between
 * the branches: steps of a third of a radian then make velocities jump. */
static const double roundoff = 2e-14, widest = 1e-5;
/* Below this cosine, see sides(), both positions are on one asymptote: the motion passed straight, onto
 * another branch. */
static const double straight = 0.5;

/* Returns the step of difference quotients of slopes, relative to the mechanism's size: the cube root of
 * round-off. Newton's method ends at this distance from the position between two branches. */
static double small(void)
{
  return cbrt(DBL_EPSILON);
}

/* --- creation ----------------------------------------------------------------------------------- */

gradyn_status gradyn_singular_branch_create(gradyn_mech *mech, gradyn_singular_branch *s)
{
  const gradyn_status formed = gradyn_mech_form(mech);
  const size_t n = (size_t)mech->n + 1, nnz = (size_t)mech->jac.nnz + 1;
  *s = (gradyn_singular_branch){.t = NAN, .stride = 1, .wait = 1};
  double **jacobian[] = {&s->last, &s->here, &s->low, &s->high, &s->middle};
  double **position[] = {&s->q_last, &s->q, &s->v, &s->w, &s->change, &s->rest};
  for (int k = 0; k < 5; k++)
    *jacobian[k] = gradyn_arena_numbers(&s->arena, nnz);
  for (int k = 0; k < 6; k++)
    *position[k] = gradyn_arena_numbers(&s->arena, n);
  s->rows = gradyn_arena_numbers(&s->arena, (size_t)mech->m + 1);
  GRADYN_TRY(formed);
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  return gradyn_singular_path_create(mech, &s->path);
}

void gradyn_singular_branch_clear(gradyn_singular_branch *s)
{
  gradyn_singular_path_clear(&s->path);
  gradyn_arena_clear(&s->arena);
}

void gradyn_singular_branch_reset(gradyn_singular_branch *s)
{
  gradyn_singular_path_reset(&s->path);
  s->t = NAN;
  s->stride = s->wait = 1;
}

/* --- the position between two branches ---------------------------------------------------------- */

/* Moves a position by a number of units: along the motion and in time (direction 0), or along w (direction
 * 1). */
static void move(gradyn_singular_branch *s, int direction, double by, gradyn_mech_state *at)
{
  const gradyn_mech *mech = s->path.mech;
  by *= s->unit[direction];
  for (int i = 0; i < mech->n; i++)
    s->q[i] += by * (direction == 0 ? s->v[i] : s->w[i] / mech->length_scale[i]);
  at->t += direction == 0 ? by : 0;
}

/* Sets s->q to the position at a share of the interval, and s->middle to Phi_q there. */
static gradyn_status go_to(gradyn_singular_branch *s, const gradyn_mech_state *to, double share)
{
  gradyn_mech *mech = s->path.mech;
  const gradyn_mech_state at = {.t = s->t + share * (to->t - s->t), .q = s->q};
  for (int i = 0; i < mech->n; i++)
    s->q[i] = s->q_last[i] + share * (to->q[i] - s->q_last[i]);
  return mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 0, &at, s->middle);
}

/* Sets q and the time to the point of the interval where constraints turn. */
static gradyn_status bisect(gradyn_singular_branch *s, const gradyn_mech_state *to,
                            gradyn_mech_state *at)
{
  const size_t bytes = (size_t)s->path.mech->jac.nnz * sizeof(double);
  double low = 0, high = 1;
  memcpy(s->low, s->last, bytes);
  memcpy(s->high, s->here, bytes);
  for (int k = 0; k < BISECTIONS; k++) {
    const double middle = (low + high) / 2;
    GRADYN_TRY(go_to(s, to, middle));
    if (gradyn_singular_path_compare(&s->path, s->low, s->middle) == GRADYN_PATH_TURNED) {
      high = middle;
      memcpy(s->high, s->middle, bytes);
    } else {
      low = middle;
      memcpy(s->low, s->middle, bytes);
    }
  }
  at->t = s->t + (low + high) / 2 * (to->t - s->t);
  return go_to(s, to, (low + high) / 2);
}

/* Computes psi^T Phi in q. Also computes the displacement x for the rest of Phi, Phi_q x + rest = 0, in b
 * of the monitor. */
static gradyn_status read_place(gradyn_singular_branch *s, const gradyn_mech_state *at, double *f)
{
  gradyn_singularity_monitor *w = &s->path.watch;
  const int n = w->mech->n, m = w->mech->m;
  double *rest = w->b + n;
  memset(w->b, 0, (size_t)n * sizeof(double));
  GRADYN_TRY(w->mech->ops->phi(w->mech, GRADYN_CONSTRAINT, 0, at, rest));
  for (int i = 0; i < m; i++)
    rest[i] *= w->scale[i];
  *f = gradyn_dot(w->psi, rest, m);
  for (int i = 0; i < m; i++)
    rest[i] = *f * w->psi[i] - rest[i];
  gradyn_linsys_solve(w->saddle.system, w->b, 1);
  return GRADYN_OK;
}

/* Computes the derivatives g of psi^T Phi along both directions, in their units. s->v must be set. */
static gradyn_status slopes(gradyn_singular_branch *s, const gradyn_mech_state *at, double g[2])
{
  gradyn_singularity_monitor *w = &s->path.watch;
  gradyn_mech *mech = w->mech;
  GRADYN_TRY(gradyn_singularity_monitor_slope(w, at, s->change));
  g[1] = gradyn_dot(s->w, s->change, mech->n) * s->unit[1];
  GRADYN_TRY(mech->ops->phi(mech, GRADYN_CONSTRAINT, 1, at, s->rows));
  g[0] = 0;
  for (int i = 0; i < mech->m; i++)
    g[0] += w->psi[i] * w->scale[i] * s->rows[i] * s->unit[0];
  return GRADYN_OK;
}

/* Computes H, the second derivatives of psi^T Phi in both directions, by difference quotients of slopes. */
static gradyn_status bend(gradyn_singular_branch *s, gradyn_mech_state *at)
{
  double g[2];
  memset(s->H, 0, sizeof s->H);
  for (int k = 0; k < 2; k++)
    for (int side = 1; side >= -1; side -= 2) {
      move(s, k, side * small(), at);
      GRADYN_TRY(slopes(s, at, g));
      move(s, k, -side * small(), at);
      for (int j = 0; j < 2; j++)
        s->H[j][k] += side * g[j] / (2 * small());
    }
  return GRADYN_OK;
}

/* Returns the determinant of H, which is negative if there are two branches. */
static double determinant(const gradyn_singular_branch *s)
{
  return s->H[0][0] * s->H[1][1] - s->H[0][1] * s->H[1][0];
}

/* d = H^-1 g. */
static void solve(const gradyn_singular_branch *s, const double g[2], double d[2])
{
  const double(*H)[2] = s->H, det = determinant(s);
  d[0] = (H[1][1] * g[0] - H[0][1] * g[1]) / det;
  d[1] = (H[0][0] * g[1] - H[1][0] * g[0]) / det;
}

/* Takes one step of Newton's method towards the position where the derivatives of f = psi^T Phi are zero.
 * *mu: the predicted value of f there, with an error of the third power of the distance. *moved: length of
 * the step. The step ends shortly before the position, where factors are still accurate. */
static gradyn_status correct(gradyn_singular_branch *s, gradyn_mech_state *at, double f, double *mu,
                             double *moved)
{
  double g[2], d[2];
  GRADYN_TRY(slopes(s, at, g));
  GRADYN_TRY(bend(s, at));
  solve(s, g, d);
  *mu = f - (d[0] * g[0] + d[1] * g[1]) / 2;
  *moved = hypot(d[0] + small(), d[1]);
  move(s, 0, -d[0] - small(), at);
  move(s, 1, -d[1], at);
  return GRADYN_OK;
}

/* Takes one step of Newton's method for all of Phi. *mu: psi^T Phi in the position between two branches,
 * relative to the mechanism's size. */
static gradyn_status approach(gradyn_singular_branch *s, gradyn_mech_state *at, bool first,
                              double *mu, double *moved)
{
  gradyn_singularity_monitor *w = &s->path.watch;
  const gradyn_mech *mech = w->mech;
  const int n = mech->n;
  const double size = gradyn_mech_size(mech, s->q);
  double f, along = 0;
  GRADYN_TRY(gradyn_singularity_monitor_measure(w, at));
  GRADYN_TRY(read_place(s, at, &f));
  for (int i = 0; i < n && first; i++)
    s->w[i] = w->w[i] / w->sigma;
  /* the rest of Phi must not move q along w, in which a small residual would cause a large displacement */
  for (int i = 0; i < n; i++)
    along += w->w[i] * w->b[i] / (w->sigma * w->sigma);
  for (int i = 0; i < n; i++)
    s->rest[i] = (w->b[i] - along * w->w[i]) / mech->length_scale[i];
  GRADYN_TRY(correct(s, at, f, mu, moved));
  for (int i = 0; i < n; i++)
    s->q[i] += s->rest[i];
  *mu /= size;
  *moved += gradyn_largest_product(s->rest, mech->length_scale, n) / size;
  return GRADYN_OK;
}

/* Searches for the position between two branches in the interval up to `to`. *found: whether it exists;
 * *mu: psi^T Phi there. */
static gradyn_status find_place(gradyn_singular_branch *s, const gradyn_mech_state *to,
                                gradyn_mech_state *at, double *mu, bool *found)
{
  double moved = 0;
  *found = false;
  GRADYN_TRY(bisect(s, to, at));
  for (int k = 0; k < MOST_ITERATIONS && !*found; k++) {
    const gradyn_status status = approach(s, at, k == 0, mu, &moved);
    /* the position that was reached is exactly singular, so there is no result */
    if (status == GRADYN_SINGULAR)
      return GRADYN_OK;
    GRADYN_TRY(status);
    if (!(at->t >= s->t && at->t <= to->t)) /* also true for NaN */
      return GRADYN_OK;
    *found = moved < enough;
  }
  return GRADYN_OK;
}

/* Returns the cosine of d_0 and d_1 by H, with lengths by |H|, where d_k is the displacement from position
 * k to the position between the branches. It is 0 if both positions are on the same asymptote of the
 * hyperbola, on either side. It is 1 or -1 if the motion has turned from one asymptote to the other.
 * |H| = (tr(H) H - 2 det(H))/norm, since H has one positive and one negative eigenvalue. */
static double sides(const gradyn_singular_branch *s, double g[2][2])
{
  const double trace = s->H[0][0] + s->H[1][1], det = determinant(s);
  double d[2][2], length[2];
  for (int k = 0; k < 2; k++) {
    solve(s, g[k], d[k]);
    length[k] = trace * (d[k][0] * g[k][0] + d[k][1] * g[k][1]) -
                2 * det * (d[k][0] * d[k][0] + d[k][1] * d[k][1]);
  }
  const double norm = sqrt(trace * trace - 4 * det);
  return (d[0][0] * g[1][0] + d[0][1] * g[1][1]) * norm / sqrt(length[0] * length[1]);
}

/* Decides whether the last node is on another branch than the node that was examined before it. */
static gradyn_status judge(gradyn_singular_branch *s, const gradyn_mech_state *to)
{
  gradyn_mech *mech = s->path.mech;
  gradyn_mech_state at = {.q = s->q, .v = s->v};
  const gradyn_mech_state end[2] = {{.t = s->t, .q = s->q_last, .v = s->v},
                                    {.t = to->t, .q = to->q, .v = s->v}};
  double mu = 0, g[2][2];
  bool found;
  for (int i = 0; i < mech->n; i++)
    s->v[i] = (to->q[i] - s->q_last[i]) / (to->t - s->t);
  s->unit[1] = gradyn_mech_size(mech, to->q);
  s->unit[0] = s->unit[1] / gradyn_largest_product(s->v, mech->length_scale, mech->n);
  GRADYN_TRY(find_place(s, to, &at, &mu, &found));
  if (!found || fabs(mu) < roundoff || fabs(mu) > widest || determinant(s) >= 0)
    return GRADYN_OK;
  for (int k = 0; k < 2; k++)
    GRADYN_TRY(slopes(s, &end[k], g[k]));
  if (fabs(sides(s, g)) < straight)
    return gradyn_singularity_monitor_report(
        &s->path.watch, "the motion passes onto another branch", s->t, to->t, s->h);
  gradyn_singularity_monitor_reset(&s->path.watch);
  return GRADYN_OK;
}

/* --- steps -------------------------------------------------------------------------------------- */

/* Returns the largest angle, rad, by which the row of a constraint has turned since the last examination. */
static double turn(const gradyn_singular_branch *s)
{
  const gradyn_pattern *jac = &s->path.mech->jac;
  double largest = 0;
  for (int i = 0; i < s->path.mech->m; i++) {
    double dot = 0, square[2] = {0, 0};
    for (int k = jac->start[i]; k < jac->start[i + 1]; k++) {
      dot += s->last[k] * s->here[k];
      square[0] += s->last[k] * s->last[k];
      square[1] += s->here[k] * s->here[k];
    }
    /* square of the difference of both unit vectors; rows of zeros do not count */
    const double length = sqrt(square[0] * square[1]);
    largest = fmax(largest, length > 0 ? 2 * (1 - dot / length) : 0);
  }
  return sqrt(largest);
}

/* Stores a node as the one examined last. Its Jacobian must be in s->here. */
static void remember(gradyn_singular_branch *s, const gradyn_mech_state *at)
{
  double *swap = s->last;
  s->last = s->here;
  s->here = swap;
  memcpy(s->q_last, at->q, (size_t)s->path.mech->n * sizeof(double));
  s->t = at->t;
}

/* Examines a node: compares it with the node examined last. */
static gradyn_status look(gradyn_singular_branch *s, const gradyn_mech_state *at)
{
  gradyn_mech *mech = s->path.mech;
  GRADYN_TRY(mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 0, at, s->here));
  const double angle = turn(s);
  if (gradyn_singular_path_compare(&s->path, s->last, s->here) == GRADYN_PATH_TURNED) {
    /* constraints may depend on each other at this very node: then compare with a later node instead */
    s->wait = s->stride;
    if (gradyn_singular_path_compare(&s->path, s->here, s->here) != GRADYN_PATH_CLEAR)
      return GRADYN_OK;
    if (angle < most)
      GRADYN_TRY(judge(s, at));
  }
  remember(s, at);
  const double next = s->stride * fmin(2, often / angle);
  s->stride = (int)fmin(fmax(next, 1), LONGEST_STRIDE);
  s->wait = s->stride;
  return GRADYN_OK;
}

gradyn_status gradyn_singular_branch_step(gradyn_singular_branch *s, const gradyn_mech_state *from,
                                          const gradyn_mech_state *to)
{
  gradyn_mech *mech = s->path.mech;
  if (isnan(s->t)) {
    GRADYN_TRY(mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 0, from, s->here));
    remember(s, from);
  }
  s->h = to->t - from->t;
  return --s->wait > 0 ? GRADYN_OK : look(s, to);
}

gradyn_status gradyn_singular_branch_end(gradyn_singular_branch *s, const gradyn_mech_state *at)
{
  const gradyn_status status = at->t > s->t ? look(s, at) : GRADYN_OK; /* false for NAN */
  gradyn_singular_branch_reset(s);
  return status;
}
