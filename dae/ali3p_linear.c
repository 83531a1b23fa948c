/* ALI3-P: its linear systems, and what happens where constraints depend on each other.
 *
 * Rows of the Jacobian may depend on each other all along (redundant constraints) or at single
 * positions. The first is met at the start of a run, which then takes matrices with a tiny diagonal
 * and removes its effect by refinement. The second needs more: near such a position a direction of
 * motion is known to round-off over s^2 only, s being the smallest singular value, so that a step
 * must not end there. Steps report GRADYN_SINGULAR, and the march steps across. */
#include "dae/ali3p_linear.h"
#include "dae/dependent.h"

#include <math.h>
#include <string.h>

/* How much larger the tiny diagonal is in a step that has to end near a singular position; not refined,
 * so that what constraints say there to round-off only is left out. */
static const double rough = 100;

static gradyn_status fail(gradyn_ali3p *s, const gradyn_saddle *matrix, gradyn_status status,
                          double t)
{
  /* not finite: a datum or a state is to blame, and not the structure */
  if (status != GRADYN_SINGULAR)
    return gradyn_fail(s->mech->message, status,
                       "the equations of motion are not finite at t = %g s", t);
  const char *name = gradyn_unknown_name(s->mech, gradyn_linsys_singular_at(matrix->system));
  return gradyn_fail(s->mech->message, status,
                     "the equations of motion are singular at t = %g s near %s: is there a point "
                     "without mass that no constraint moves?",
                     t, name);
}

/* The upper right block of a saddle, transposed. */
static const double *upper_of(const gradyn_ali3p *s, const gradyn_saddle *matrix)
{
  return matrix == &s->place ? s->U : s->J;
}

/* Three ways, in this order: the Schur complement; the saddle matrix; the saddle matrix with a
 * diagonal that makes dependent rows harmless. */
gradyn_status gradyn_ali3p_factor(gradyn_ali3p *s, gradyn_saddle *matrix, const double *A,
                                  double diagonal, double t)
{
  const double *upper = upper_of(s, matrix);
  s->base.factorisations++;
  /* the Schur complement while it is regular; the saddle system goes on where it is not */
  if (matrix == &s->project && s->schur_now) {
    if (gradyn_schur_factor(&s->schur, s->J) == GRADYN_OK)
      return GRADYN_OK;
    s->schur_now = false;
  }
  if (!s->soft) {
    gradyn_saddle_fill(matrix, A, upper, s->J, -diagonal);
    gradyn_status status = gradyn_linsys_factor(matrix->system);
    if (status == GRADYN_OK)
      return GRADYN_OK;
    /* a step that may be divided reports it instead */
    if (status != GRADYN_SINGULAR || !s->may_soften)
      return fail(s, matrix, status, t);
    s->soft = true;
  }
  double tiny = (s->rough ? rough : 1) * gradyn_tiny_diagonal(A, s->place.dyn_nnz);
  gradyn_saddle_fill(matrix, A, upper, s->J, -fmax(diagonal, tiny));
  gradyn_status status = gradyn_linsys_factor(matrix->system);
  return status == GRADYN_OK ? status : fail(s, matrix, status, t);
}

/* rest = b - S x for the saddle matrix without its diagonal. */
static void residual_of(const gradyn_ali3p *s, const gradyn_saddle *matrix, const double *A,
                        bool transposed, const double *b, const double *x, double *rest)
{
  const double *U = upper_of(s, matrix);
  int n = s->n, m = s->m;
  for (int i = 0; i < n + m; i++)
    rest[i] = b[i];
  if (transposed)
    gradyn_pattern_multiply_transposed(&s->mech->dyn, n, A, -1, x, rest);
  else
    gradyn_pattern_multiply(&s->mech->dyn, n, A, -1, x, rest);
  /* S = [A, U^T; J, 0], its transpose [A^T, J^T; U, 0] */
  gradyn_pattern_multiply_transposed(&s->mech->jac, m, transposed ? s->J : U, -1, x + n, rest);
  gradyn_pattern_multiply(&s->mech->jac, m, transposed ? U : s->J, -1, x, rest + n);
}

static void solve_factors(gradyn_saddle *matrix, bool transposed, double *b, int count)
{
  if (transposed)
    gradyn_linsys_solve_transposed(matrix->system, b, count);
  else
    gradyn_linsys_solve(matrix->system, b, count);
}

/* x = S^-1 b by whichever factors are in force. */
void gradyn_ali3p_solve(gradyn_ali3p *s, gradyn_saddle *matrix, const double *A, double diagonal,
                        bool transposed, double *b, int count)
{
  int size = s->n + s->m;
  if (matrix == &s->project && s->schur_now) { /* symmetric: its own transpose */
    for (int k = 0; k < count; k++)
      gradyn_schur_solve(&s->schur, b + k * size);
    return;
  }
  if (!s->soft) {
    solve_factors(matrix, transposed, b, count);
    return;
  }
  /* refinement takes the diagonal's effect out, unless it is to stay */
  int passes = s->rough ? 1 : 3;
  for (int k = 0; k < count; k++, b += size) {
    memcpy(s->rest, b, (size_t)size * sizeof(double));
    memset(s->sum, 0, (size_t)size * sizeof(double));
    for (int pass = 0; pass < passes; pass++) {
      solve_factors(matrix, transposed, s->rest, 1);
      for (int i = 0; i < size; i++)
        s->sum[i] += s->rest[i];
      residual_of(s, matrix, A, transposed, b, s->sum, s->rest);
      for (int i = s->n; i < size; i++) /* the diagonal that is meant belongs to the matrix */
        s->rest[i] += diagonal * s->sum[i];
    }
    memcpy(b, s->sum, (size_t)size * sizeof(double));
  }
}

bool gradyn_ali3p_near_singular(gradyn_ali3p *s)
{
  if (s->schur_now)
    return gradyn_dependent_schur(&s->schur);
  return !s->soft && gradyn_dependent_factors(s->mech, s->project.system, s->M, s->J, s->sum);
}

/* --- lanes of right-hand sides ------------------------------------------------------------------ */

static void solve_lanes(gradyn_ali3p *s, gradyn_saddle *matrix, const double *A, double diagonal,
                        bool transposed, bool rates, gradyn_lanes *b, gradyn_lanes *x)
{
  int size = s->n + s->m;
  if (!rates) /* constraints' rates are zero: their part of b is scratch */
    memset(b + s->n, 0, (size_t)s->m * sizeof *b);
  gradyn_lanes_store(size, GRADYN_LANES, b, s->b, size);
  gradyn_ali3p_solve(s, matrix, A, diagonal, transposed, s->b, GRADYN_LANES);
  gradyn_lanes_load(size, GRADYN_LANES, s->b, size, x);
}

void gradyn_ali3p_solve_projection(gradyn_ali3p *s, gradyn_lanes *b, gradyn_lanes *x)
{
  if (s->schur_now)
    gradyn_schur_apply_both(&s->schur, b, x);
  else
    solve_lanes(s, &s->project, s->M, s->projection_diagonal, true, false, b, x);
}

/* Lanes by the inverse where there is one: x = G f + T^T g, mult = T f - S^-1 g. */
void gradyn_ali3p_project(gradyn_ali3p *s, bool multipliers, gradyn_lanes *b, gradyn_lanes *x)
{
  if (!s->schur_now) {
    solve_lanes(s, &s->project, s->M, s->projection_diagonal, false, true, b, x);
    return;
  }
  if (multipliers)
    gradyn_schur_apply_both(&s->schur, b, x);
  else
    gradyn_schur_apply(&s->schur, b, x);
  gradyn_schur_add_rates(&s->schur, b + s->n, x, multipliers ? x + s->n : NULL);
}

/* Whether matrices in full serve the last linearise(); s->E is one of them then. */
static bool in_full(gradyn_ali3p *s, bool transposed)
{
  if (!s->schur_now || !gradyn_schur_small(&s->schur))
    return false;
  /* E = -(K + vq C)/aq, made once for each direction */
  gradyn_ali3p_spread wanted = transposed ? GRADYN_SPREAD_TRANSPOSED : GRADYN_SPREAD_PLAIN;
  if (s->spread != wanted)
    gradyn_schur_spread(&s->schur, s->B, -1 / s->k.aq, transposed, s->E);
  s->spread = wanted;
  return true;
}

/* E x or E^T x with E = -(K + vq C)/aq, what forces add to M in the position problem. */
void gradyn_ali3p_stiffen(gradyn_ali3p *s, bool transposed, const gradyn_lanes *x, gradyn_lanes *y)
{
  const gradyn_pattern *dyn = &s->mech->dyn;
  int n = s->n;
  if (in_full(s, transposed)) {
    gradyn_schur_product(&s->schur, s->E, x, y);
    return;
  }
  memset(y, 0, (size_t)n * sizeof *y);
  if (transposed)
    gradyn_lanes_multiply_transposed(dyn, n, s->B, -1 / s->k.aq, x, y);
  else
    gradyn_lanes_multiply(dyn, n, s->B, -1 / s->k.aq, x, y);
}

void gradyn_ali3p_weigh(const gradyn_ali3p *s, const gradyn_lanes *x, gradyn_lanes *y)
{
  if (s->schur_now && gradyn_schur_small(&s->schur)) { /* small systems have M in full */
    gradyn_schur_product(&s->schur, s->schur.mass, x, y);
    return;
  }
  memset(y, 0, (size_t)s->n * sizeof *y);
  gradyn_lanes_multiply(&s->mech->dyn, s->n, s->M, 1, x, y);
}

/* Whether the next term of a series, judged by the last two, is below round-off in all lanes. */
static bool settled(const gradyn_series *at)
{
  const double least = 1e-34; /* squares */
  /* |next| ~ last^2/before, compared with |sum| */
  for (int k = 0; k < GRADYN_LANES; k++)
    if (!(at->last[k] * at->last[k] <= least * at->before[k] * at->sum[k]))
      return false;
  return true;
}

/* The position problem by the projections' inverse, which leaves out E = (K + vq C)/aq: the solution
 * is a series in E that converges as fast as Newton's method did. false: too slow. */
static bool place_by_series(gradyn_ali3p *s, bool transposed, bool rates, const gradyn_lanes *b,
                            gradyn_lanes *x)
{
  enum { MOST_TERMS = 12 };
  int n = s->n, m = s->m;
  const gradyn_schur *schur = &s->schur;
  gradyn_lanes *mult = x + n, *force = s->side, *term = force + n, *bent = term + n;
  gradyn_series at = {.x = x, .force = force, .term = term};
  const gradyn_lanes *last = x;
  /* directions whose multipliers nobody looks at do without them */
  bool done = false, wanted = transposed || s->base.multipliers;
  /* x = P^-1 b without E, then P^-1 E times the last term */
  gradyn_schur_apply(schur, b, x);
  memcpy(force, b, (size_t)n * sizeof *b);
  if (rates) {
    memset(mult, 0, (size_t)m * sizeof *mult);
    gradyn_schur_add_rates(schur, b + n, x, wanted ? mult : NULL);
  }
  gradyn_lanes_squares(n, x, &at.last);
  for (int k = 0; k < MOST_TERMS && !done; k++, last = term) {
    gradyn_ali3p_stiffen(s, transposed, last, bent);
    gradyn_schur_add_term(schur, bent, &at);
    done = settled(&at);
  }
  if (!wanted)
    return done;
  if (!rates) {
    gradyn_schur_multipliers(schur, force, mult);
    return done;
  }
  /* multipliers by the whole force that the series has met */
  gradyn_schur_multipliers(schur, force, bent);
  for (int i = 0; i < m; i++)
    mult[i] += bent[i];
  return done;
}

/* At convergence the penalty of the position problem has dropped out. */
gradyn_status gradyn_ali3p_factor_place(gradyn_ali3p *s)
{
  /* A = M + (K + vq C)/aq: the whole divided by aq */
  double share = 1 / s->k.aq;
  for (int i = 0; i < s->place.dyn_nnz; i++)
    s->A[i] = s->M[i] + share * s->B[i];
  gradyn_status status = gradyn_ali3p_factor(s, &s->place, s->A, 0, s->t + s->h);
  s->placed = status == GRADYN_OK;
  return status;
}

/* By a series in E with the projections' factors, as long as it converges; by factors of its own
 * else. */
gradyn_status gradyn_ali3p_solve_place(gradyn_ali3p *s, bool transposed, bool rates,
                                       gradyn_lanes *b, gradyn_lanes *x)
{
  gradyn_status status = GRADYN_OK;
  if (!s->placed && place_by_series(s, transposed, rates, b, x))
    return status;
  /* too slow or not small: factors once for the step, then for all its right-hand sides */
  if (!s->placed)
    status = gradyn_ali3p_factor_place(s);
  if (s->placed)
    solve_lanes(s, &s->place, s->A, 0, transposed, rates, b, x);
  return status;
}
