/* Singular positions by the signed smallest singular value of the constraint Jacobian.
 *
 * sigma is the smallest singular value of Phi_q, with rows scaled to length one at the start. Continuity
 * gives it a sign: its left vector psi and the combination w = Phi_q^T psi change slowly, and where w
 * reverses, sigma has passed zero. As long as Phi_q has changed by less than a share of sigma since the
 * last measurement, sigma cannot have vanished, and no computation is needed. A measurement uses inverse
 * iteration with Phi_q Phi_q^T, by factors of a saddle-point matrix. */
#include "dae/linear/singularity_monitor.h"
#include "core/mech/size.h"
#include "core/linear/norm.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of iterations for the smallest singular value: at the start, and later, when the vectors have
 * nearly converged. */
enum { FIRST_ITERATIONS = 20, ITERATIONS = 3 };

/* largest change of Phi_q, relative to sigma, after which no measurement is needed */
static const double safe = 0.3;
/* A step is next to a singular position under two conditions. First, sigma is below `close_by` and below
 * `in_a_row` / m; for comparison, a straight open chain of m constraints has pi/2m. Second, sigma would
 * vanish within `reach` such steps. */
static const double close_by = 0.1, in_a_row = 0.6, reach = 4;
/* For rows of length one, a larger sigma is far from zero. */
static const double small = 0.5;

/* --- creation ----------------------------------------------------------------------------------- */

/* Creates the saddle-point matrix [1, Phi_q^T; Phi_q, 0]. */
static gradyn_status create_saddle(gradyn_singularity_monitor *s)
{
  int n = s->mech->n;
  FREED int *index = malloc((size_t)n * sizeof *index);
  LOCAL(gradyn_pattern) diagonal = {0};
  if (!index)
    return GRADYN_NO_MEMORY;
  /* the identity instead of M, so that masses have no influence */
  for (int i = 0; i < n; i++)
    index[i] = i;
  GRADYN_TRY(gradyn_pattern_create(n, n, n, index, index, &diagonal));
  return gradyn_saddle_create(&diagonal, NULL, &s->mech->jac, s->mech->m, GRADYN_BACKEND_AUTO,
                              &s->saddle);
}

gradyn_status gradyn_singularity_monitor_create(gradyn_mech *mech, gradyn_singularity_monitor *s)
{
  size_t n = (size_t)mech->n, m = (size_t)mech->m, nnz = (size_t)mech->jac.nnz + 1;
  *s = (gradyn_singularity_monitor){.mech = mech, .t = NAN};
  if (m == 0)
    return GRADYN_OK;
  /* Phi_q at the last measurement, at the last position and at the present one */
  double **jacobian[] = {&s->first, &s->last, &s->here},
         **state[] = {&s->identity, &s->w, &s->w_last};
  for (int k = 0; k < 3; k++) {
    *jacobian[k] = gradyn_arena_numbers(&s->arena, nnz);
    *state[k] = gradyn_arena_numbers(&s->arena, n);
  }
  s->scale = gradyn_arena_numbers(&s->arena, m);
  s->psi = gradyn_arena_numbers(&s->arena, m);
  s->b = gradyn_arena_numbers(&s->arena, n + m);
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  for (size_t i = 0; i < n; i++)
    s->identity[i] = 1;
  return create_saddle(s);
}

void gradyn_singularity_monitor_clear(gradyn_singularity_monitor *s)
{
  gradyn_arena_clear(&s->arena);
  gradyn_saddle_clear(&s->saddle);
  *s = (gradyn_singularity_monitor){0};
}

void gradyn_singularity_monitor_reset(gradyn_singularity_monitor *s)
{
  s->t = NAN;
  s->sigma = 0;
}

/* --- one measurement ---------------------------------------------------------------------------- */

/* Computes Phi_q with respect to changes of coordinates that move points by 1 m. */
static gradyn_status jacobian(gradyn_singularity_monitor *s, const gradyn_mech_state *at)
{
  const gradyn_mech *mech = s->mech;
  gradyn_status status = mech->ops->phi_q(s->mech, GRADYN_CONSTRAINT, 0, at, s->here);
  for (int k = 0; k < mech->jac.start[mech->m]; k++)
    s->here[k] /= mech->length_scale[mech->jac.col[k]];
  return status;
}

/* Sets the scales that give rows the length one at the first state. */
static void set_scale(gradyn_singularity_monitor *s)
{
  const gradyn_pattern *jac = &s->mech->jac;
  for (int i = 0; i < s->mech->m; i++) {
    double square = 0;
    for (int k = jac->start[i]; k < jac->start[i + 1]; k++)
      square += s->here[k] * s->here[k];
    s->scale[i] = square > 0 ? 1 / sqrt(square) : 1;
    s->psi[i] = 1 + i % 3 / 3.0; /* initial vector without a preferred direction */
  }
}

/* Applies the scales to the Jacobian that was evaluated last. */
static void apply_scale(gradyn_singularity_monitor *s)
{
  const gradyn_pattern *jac = &s->mech->jac;
  for (int i = 0; i < s->mech->m; i++)
    for (int k = jac->start[i]; k < jac->start[i + 1]; k++)
      s->here[k] *= s->scale[i];
}

/* |a|. */
static double length_of(const double *a, int count)
{
  return sqrt(gradyn_dot(a, a, count));
}

/* Returns the row with the largest entry of psi, apart from the row `except`. */
static int weakest(const gradyn_singularity_monitor *s, int except)
{
  int at = except == 0 && s->mech->m > 1 ? 1 : 0;
  for (int i = 0; i < s->mech->m; i++)
    if (i != except && fabs(s->psi[i]) > fabs(s->psi[at]))
      at = i;
  return at;
}

/* Fails with the names of the constraints that have the largest entries of psi. */
static gradyn_status passed(const gradyn_singularity_monitor *s, double t)
{
  /* the two largest entries */
  int one = weakest(s, -1), other = weakest(s, one);
  return gradyn_fail(s->mech->message, GRADYN_SINGULAR,
                     "the motion passes a singular position, or too near one, between t = %.9g s "
                     "and %.9g s: constraints %s and %s depend on each other. Use ali3p",
                     fmin(s->t, t), t, s->mech->constraint_name(s->mech, one),
                     s->mech->constraint_name(s->mech, other));
}

/* Computes psi and sigma of the present Jacobian by inverse iteration with Phi_q Phi_q^T. */
static gradyn_status iterate(gradyn_singularity_monitor *s, int iterations)
{
  int n = s->mech->n, m = s->mech->m;
  gradyn_saddle_fill(&s->saddle, s->identity, s->here, s->here, 0);
  GRADYN_TRY(gradyn_linsys_factor(s->saddle.system));
  for (int k = 0; k < iterations; k++) {
    /* inverse iteration: psi <- (J J^T)^-1 psi, normalised */
    memset(s->b, 0, (size_t)n * sizeof(double));
    memcpy(s->b + n, s->psi, (size_t)m * sizeof(double));
    gradyn_linsys_solve(s->saddle.system, s->b, 1); /* x + Phi_q^T mu = 0, Phi_q x = psi */
    double size = length_of(s->b + n, m);
    for (int i = 0; i < m; i++)
      s->psi[i] = -s->b[n + i] / size;
  }
  /* w = J^T psi; sigma = |w|, the smallest singular value */
  memset(s->w, 0, (size_t)n * sizeof(double));
  gradyn_pattern_multiply_transposed(&s->mech->jac, m, s->here, 1, s->psi, s->w);
  s->sigma = length_of(s->w, n);
  return GRADYN_OK;
}

/* Computes the largest violation of constraints relative to the mechanism's size and to the lengths of
 * rows. It counts as at least round-off. */
static gradyn_status violation(gradyn_singularity_monitor *s, const gradyn_mech_state *at,
                               double *value)
{
  double size = gradyn_mech_size(s->mech, at->q), most = 0;
  gradyn_status status = s->mech->ops->phi(s->mech, GRADYN_CONSTRAINT, 0, at, s->b);
  for (int i = 0; i < s->mech->m; i++)
    most = fmax(most, fabs(s->b[i]) * s->scale[i]);
  *value = fmax(most / size, DBL_EPSILON);
  return status;
}

/* Fails if w of the present Jacobian is opposite to w of the last one. Also fails if w is so short that
 * only constraint violations determine the direction of the motion: such violations keep sigma above their
 * root. */
static gradyn_status judge(gradyn_singularity_monitor *s, const gradyn_mech_state *at)
{
  int n = s->mech->n, m = s->mech->m;
  double turned = 0, violated;
  memset(s->w_last, 0, (size_t)n * sizeof(double));
  /* w of the present and of the last Jacobian, with the same psi */
  gradyn_pattern_multiply_transposed(&s->mech->jac, m, s->last, 1, s->psi, s->w_last);
  for (int i = 0; i < n; i++)
    turned += s->w[i] * s->w_last[i];
  GRADYN_TRY(violation(s, at, &violated));
  s->turned = turned < 0 ? turned / s->sigma : 0;
  /* if psi^T Phi_q has changed its sign, Phi_q was singular in between */
  return turned < 0 || s->sigma * s->sigma < violated ? passed(s, at->t) : GRADYN_OK;
}

/* Measures sigma of the present Jacobian. With go_on, also judges it by comparison with the last Jacobian. */
static gradyn_status measure(gradyn_singularity_monitor *s, const gradyn_mech_state *at, bool go_on)
{
  gradyn_status status = iterate(s, go_on ? ITERATIONS : FIRST_ITERATIONS);
  if (status == GRADYN_SINGULAR) {
    s->sigma = 0;
    return passed(s, at->t);
  }
  if (status != GRADYN_OK)
    return status;
  memcpy(s->first, s->here, (size_t)s->mech->jac.nnz * sizeof(double));
  return go_on && s->sigma < small ? judge(s, at) : GRADYN_OK;
}

/* Returns an upper bound of the change of Phi_q since the last measurement, by |A|_2^2 <= |A|_1 |A|_inf. */
static double change(gradyn_singularity_monitor *s)
{
  const gradyn_pattern *jac = &s->mech->jac;
  double *column = s->w_last, by_row = 0, by_column = 0;
  /* |dJ|_2 <= sqrt(|dJ|_1 |dJ|_inf) */
  memset(column, 0, (size_t)s->mech->n * sizeof(double));
  for (int i = 0; i < s->mech->m; i++) {
    double row = 0;
    for (int k = jac->start[i]; k < jac->start[i + 1]; k++) {
      double entry = fabs(s->here[k] - s->first[k]);
      row += entry;
      column[jac->col[k]] += entry;
    }
    by_row = fmax(by_row, row);
  }
  for (int i = 0; i < s->mech->n; i++)
    by_column = fmax(by_column, column[i]);
  return sqrt(by_row * by_column);
}

/* Checks a state of the motion. Measures sigma only if the Jacobian has changed by more than a share of it.
 */
gradyn_status gradyn_singularity_monitor_check(gradyn_singularity_monitor *s,
                                               const gradyn_mech_state *at)
{
  int m = s->mech->m;
  if (m == 0)
    return GRADYN_OK;
  gradyn_status status = jacobian(s, at);
  if (status != GRADYN_OK)
    return status;
  bool go_on = at->t >= s->t; /* false for NAN */
  if (!go_on)
    set_scale(s);
  apply_scale(s);
  /* Weyl: sigma has changed by at most the change of Phi_q */
  if (!go_on || change(s) > safe * s->sigma)
    status = measure(s, at, go_on);
  double *here = s->here;
  s->here = s->last;
  s->last = here;
  s->t = at->t;
  return status;
}

/* Evaluates the Jacobian of a position and scales it by itself, without regard to earlier states. */
static gradyn_status look_afresh(gradyn_singularity_monitor *s, const gradyn_mech_state *at)
{
  GRADYN_TRY(jacobian(s, at));
  gradyn_singularity_monitor_reset(s);
  set_scale(s);
  apply_scale(s);
  return GRADYN_OK;
}

gradyn_status gradyn_singularity_monitor_measure(gradyn_singularity_monitor *s,
                                                 const gradyn_mech_state *at)
{
  GRADYN_TRY(look_afresh(s, at));
  return iterate(s, FIRST_ITERATIONS);
}

gradyn_status gradyn_singularity_monitor_slope(gradyn_singularity_monitor *s,
                                               const gradyn_mech_state *at, double *out)
{
  GRADYN_TRY(jacobian(s, at));
  apply_scale(s);
  memset(out, 0, (size_t)s->mech->n * sizeof(double));
  gradyn_pattern_multiply_transposed(&s->mech->jac, s->mech->m, s->here, 1, s->psi, out);
  return GRADYN_OK;
}

/* Measures sigma and psi of the Jacobian that was evaluated last. In a singular position sigma is 0. */
static gradyn_status measure_afresh(gradyn_singularity_monitor *s)
{
  const gradyn_status status = iterate(s, FIRST_ITERATIONS);
  if (status == GRADYN_SINGULAR)
    s->sigma = 0;
  return status == GRADYN_SINGULAR ? GRADYN_OK : status;
}

/* Returns the larger number, without fmax()'s treatment of NaN, which takes time. */
static inline double larger(double a, double b)
{
  return a > b ? a : b;
}

bool gradyn_velocities_jump(const gradyn_mech *mech, double h, double part,
                            const gradyn_mech_state *from, const gradyn_mech_state *to)
{
  /* relative to velocities: errors of velocities next to a singular position */
  static const double noise = 1e-5;
  const double *length_scale = mech->length_scale;
  double leap = 0, change = 0, speed = 0;
  for (int i = 0; i < mech->n; i++) {
    const double dv = to->v[i] - from->v[i];
    leap = larger(leap, fabs(dv - h / 2 * (from->a[i] + to->a[i])) * length_scale[i]);
    change = larger(change, fabs(dv) * length_scale[i]);
    speed = larger(speed, fabs(to->v[i]) * length_scale[i]);
  }
  return leap > part * change && leap > noise * speed;
}

/* Sets *far if sigma is certainly above `near`, because Phi_q has changed by less than the last sigma minus
 * near (Weyl). If forces jump in every step, no other test than this one is made. */
static gradyn_status is_far(gradyn_singularity_monitor *s, const gradyn_mech_state *at, double near,
                            bool *far)
{
  GRADYN_TRY(jacobian(s, at));
  apply_scale(s);
  *far = s->sigma - change(s) > near;
  return GRADYN_OK;
}

gradyn_status gradyn_singularity_monitor_report(const gradyn_singularity_monitor *s,
                                                const char *what, double from, double to, double h)
{
  const int one = weakest(s, -1), other = weakest(s, one);
  return gradyn_fail(
      s->mech->message, GRADYN_SINGULAR,
      "next to a singular position %s from t = %.9g s to %.9g s: constraints %s and %s nearly "
      "depend on each other. Steps of %.3g s are too long; use shorter steps, or idas",
      what, from, to, s->mech->constraint_name(s->mech, one),
      s->mech->constraint_name(s->mech, other), h);
}

gradyn_status gradyn_singularity_monitor_leap(gradyn_singularity_monitor *s,
                                              const gradyn_mech_state *from,
                                              const gradyn_mech_state *to)
{
  const gradyn_pattern *jac = &s->mech->jac;
  const double near = s->mech->m > 0 ? fmin(close_by, in_a_row / s->mech->m) : 0;
  bool far = s->mech->m == 0;
  if (s->sigma > near)
    GRADYN_TRY(is_far(s, to, near, &far));
  if (far)
    return GRADYN_OK;
  GRADYN_TRY(look_afresh(s, from));
  GRADYN_TRY(measure_afresh(s));
  const double before = s->sigma;
  memcpy(s->last, s->here, (size_t)jac->nnz * sizeof(double));
  GRADYN_TRY(jacobian(s, to));
  apply_scale(s);
  GRADYN_TRY(measure_afresh(s));
  memcpy(s->first, s->here, (size_t)jac->nnz * sizeof(double));
  /* sigma at the start gets its sign by continuity with sigma at the end */
  memset(s->w_last, 0, (size_t)s->mech->n * sizeof(double));
  gradyn_pattern_multiply_transposed(jac, s->mech->m, s->last, 1, s->psi, s->w_last);
  const double sign = gradyn_dot(s->w, s->w_last, s->mech->n) < 0 ? -1 : 1;
  const double least = fmin(before, s->sigma);
  if (least > near || least > reach * fabs(s->sigma - sign * before))
    return GRADYN_OK;
  return gradyn_singularity_monitor_report(s, "velocities jump", from->t, to->t, to->t - from->t);
}

/* Fails if sigma is below `near`: near a position that the motion approaches ever more slowly, it is small.
 */
gradyn_status gradyn_singularity_monitor_creep(gradyn_singularity_monitor *s,
                                               const gradyn_mech_state *at, double near)
{
  if (s->mech->m == 0)
    return GRADYN_OK;
  GRADYN_TRY(look_afresh(s, at));
  gradyn_status status = iterate(s, FIRST_ITERATIONS);
  if (status != GRADYN_SINGULAR && (status != GRADYN_OK || s->sigma >= near))
    return status;
  int one = weakest(s, -1), other = weakest(s, one);
  return gradyn_fail(s->mech->message, GRADYN_SINGULAR,
                     "the steps become shorter and shorter towards a singular position at t = %.9g "
                     "s: constraints %s and %s depend on each other there. Use ali3p",
                     at->t, s->mech->constraint_name(s->mech, one),
                     s->mech->constraint_name(s->mech, other));
}

/* Replaces r by its part that constraints can satisfy only with multipliers above 1/near^2. */
gradyn_status gradyn_singularity_monitor_project(gradyn_singularity_monitor *s,
                                                 const gradyn_mech_state *at, double near,
                                                 int count, double *r)
{
  int n = s->mech->n, m = s->mech->m;
  GRADYN_TRY(look_afresh(s, at));
  gradyn_saddle_fill(&s->saddle, s->identity, s->here, s->here, -near * near);
  GRADYN_TRY(gradyn_linsys_factor(s->saddle.system));
  for (int k = 0; k < count; k++, r += m) {
    memset(s->b, 0, (size_t)n * sizeof(double));
    memcpy(s->b + n, r, (size_t)m * sizeof(double));
    gradyn_linsys_solve(s->saddle.system, s->b, 1); /* x + J^T mu = 0, J x - near^2 mu = r */
    for (int i = 0; i < m; i++)
      r[i] = -near * near * s->scale[i] * s->b[n + i];
  }
  return GRADYN_OK;
}
