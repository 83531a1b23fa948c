/* ALI3-P: the step; docs/theory/ali3p.md, section 2. Prediction, Newton's method for R(q', v*, a*,
 * lam*) = 0 with Phi(q') = 0, then the projections of v* and a* along M; the functions stand in the
 * reverse of that order. */
#include <math.h>
#include <string.h>

#include "core/mech_size.h"
#include "core/mech_vector.h"
#include "dae/ali3p_linear.h"
#include "dae/ali3p_trial.h"
#include "dae/newton.h"

enum { MOST_ITERATIONS = 25 };

/* Newton matrix of the position problem at the trial point. */
static gradyn_status position_matrix(gradyn_ali3p *s, const gradyn_mech_state *at)
{
  gradyn_mech *mech = s->mech;
  double *C = mech->damped ? s->C : NULL, *M = mech->constant_mass ? NULL : s->M;
  gradyn_status status = mech->ops->tangent(mech, GRADYN_DYNAMICS, at, s->K, C, M);
  if (status == GRADYN_OK)
    status = mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 0, at, s->J);
  if (status == GRADYN_OK)
    status = gradyn_mech_residual_lam(mech, at, s->J, s->own, &s->U);
  if (status != GRADYN_OK)
    return status;
  /* [A + vq C + ..]/aq: M + c C + k K */
  double c = s->k.vq / s->k.aq, k = 1 / s->k.aq;
  for (int i = 0; i < s->place.dyn_nnz; i++)
    s->A[i] = s->M[i] + k * s->K[i];
  for (int i = 0; i < s->place.dyn_nnz && C; i++)
    s->A[i] += c * s->C[i];
  return gradyn_ali3p_factor(s, &s->place, s->A, s->k.aq * s->position_diagonal, at->t);
}

/* Matrix for the first iterations: where forces hardly bend it, [M, Phi_q^T; Phi_q, 0]. */
static gradyn_status first_matrix(gradyn_ali3p *s, const gradyn_mech_state *at, bool *schur)
{
  /* M alone: its complement is factorised for the projections anyway */
  *schur = s->gentle && s->schur_now;
  if (!*schur)
    return position_matrix(s, at);
  gradyn_status status = s->mech->ops->phi_q(s->mech, GRADYN_CONSTRAINT, 0, at, s->J);
  if (status != GRADYN_OK)
    return status;
  s->base.factorisations++;
  /* dependent rows: the saddle system can tell more */
  *schur = gradyn_schur_factor(&s->schur, s->J) == GRADYN_OK;
  return *schur ? GRADYN_OK : position_matrix(s, at);
}

/* What forces read at a trial point. */
static void read_multipliers(gradyn_ali3p *s, const double *from, const double *lam)
{
  /* forces that read multipliers see those that the projection has corrected */
  for (int i = 0; i < s->m && s->extra; i++)
    s->read[i] = lam[i] + from[s->extra + i];
}

/* One Newton correction of the trial point and lam; *step: its size in q. With the Schur complement
 * the product M a* need not be formed: M^-1 takes it back. */
static gradyn_status newton(gradyn_ali3p *s, const gradyn_mech_state *at, bool schur,
                            const double *from, double *lam, double *step)
{
  gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m, parts = schur ? GRADYN_FORCE | GRADYN_CONSTRAINT : GRADYN_DYNAMICS;
  gradyn_status status = mech->ops->residual(mech, parts, at, s->b);
  if (status == GRADYN_OK)
    status = mech->ops->phi(mech, GRADYN_CONSTRAINT, 0, at, s->b + n);
  if (status != GRADYN_OK)
    return status;
  /* unknowns aq ddq and dlam, so that the matrix is M and what bends it */
  for (int i = n; i < n + m; i++)
    s->b[i] *= s->k.aq;
  if (schur) /* x = M^-1 f + a*: what M carries goes through as it is */
    gradyn_schur_solve_shifted(&s->schur, s->as, s->b);
  else
    gradyn_linsys_solve(s->place.system, s->b, 1);
  *step = gradyn_ali3p_move(s, from, s->b, lam);
  if (s->extra)
    read_multipliers(s, from, lam);
  s->base.newton_iterations++;
  return GRADYN_OK;
}

/* Newton's method has given up: the march divides the step. */
static gradyn_status not_converged(gradyn_ali3p *s, const gradyn_mech_state *at, double step)
{
  const char *reader = s->mech->reader;
  double off;
  const char *worst = gradyn_newton_worst(s->mech, at, s->b, &off);
  return gradyn_fail(s->mech->message, GRADYN_NOT_CONVERGED,
                     "Newton's method did not converge at t = %g s (last correction %.2g m; worst "
                     "constraint %s, off by %.2g): the step is too long%s%s%s%s",
                     at->t, step, worst, off, reader ? ", or the force " : "", reader ? reader : "",
                     reader ? ", which reads multipliers, is not smooth or locks" : "",
                     s->position_diagonal > 0 ? ", or the penalty too small" : "");
}

/* Whether iterations that have come to rest have met the constraints: with a small penalty their
 * corrections are too short, and may be lost in round-off long before. */
static gradyn_status met(gradyn_ali3p *s, const gradyn_mech_state *at, double size)
{
  const double negligible = 1e-11;
  gradyn_mech *mech = s->mech;
  if (s->position_diagonal == 0) /* without a penalty they are met with the corrections */
    return GRADYN_OK;
  gradyn_status status = mech->ops->phi(mech, GRADYN_CONSTRAINT, 0, at, s->b);
  if (status != GRADYN_OK)
    return status;
  /* violations as lengths: rows have units of their own */
  gradyn_mech_row_sizes(mech, s->J, s->m, s->sum);
  const double left = gradyn_mech_violation(s->b, s->sum, s->m);
  if (left <= negligible * size)
    return GRADYN_OK;
  return gradyn_fail(
      mech->message, GRADYN_INVALID,
      "the penalty %g is too small: at t = %g s the iterations come to rest with the "
      "constraints off by %.2g m. Take a larger one (1e7 and more), or none",
      1 / s->position_diagonal, at->t, left);
}

/* Before there are two corrections to compare, the rate of convergence is known only where M stands in the
 * place of the matrix. It is asked for where it can end the iteration, and renewed now and then. */
static gradyn_status foresee(gradyn_ali3p *s, const gradyn_mech_state *at, double step,
                             gradyn_newton *iteration)
{
  if (!(s->bend * step <= iteration->enough))
    return GRADYN_OK;
  gradyn_status status = s->rate > 0 ? GRADYN_OK : gradyn_ali3p_bend(s, at, &s->rate);
  iteration->rate = s->rate;
  return status;
}

/* Position problem: R(q', v*, a*, lam) = 0 and Phi(q') = 0. It is solved to round-off: then the
 * multipliers of the last step, with which the iterations began, are forgotten. */
static gradyn_status solve_position(gradyn_ali3p *s, double t, const double *from, double *lam)
{
  const double size = gradyn_mech_size(s->mech, from);
  gradyn_newton iteration = {.size = size, .nothing = 1e-15 * size, .enough = 1e-18 * size};
  gradyn_mech_state at = {.t = t, .q = s->q, .v = s->vs, .a = s->as, .lam = lam};
  double step = 0, moved = 0;
  bool schur;
  at.read = s->extra ? s->read : NULL;
  read_multipliers(s, from, lam);
  s->factored = false;
  GRADYN_TRY(first_matrix(s, &at, &schur));
  /* neither without what forces bend nor with a diagonal of its own; forces that read multipliers see what
   * corrections of positions do not tell */
  iteration.exact = !schur && !s->soft && s->position_diagonal == 0 && !s->mech->reader;
  while (iteration.count < MOST_ITERATIONS) {
    GRADYN_TRY(newton(s, &at, schur, from, lam, &step));
    if (iteration.count == 0 && schur)
      GRADYN_TRY(foresee(s, &at, step, &iteration));
    const gradyn_newton_verdict verdict = gradyn_newton_judge(&iteration, step);
    moved += step;
    if (verdict == GRADYN_NEWTON_CONVERGED) {
      s->factored = schur && moved <= 1e-13 * size; /* J is the same to round-off */
      return met(s, &at, size);
    }
    if (verdict == GRADYN_NEWTON_DIVERGED)
      return not_converged(s, &at, step);
    if (verdict == GRADYN_NEWTON_REFRESH) {
      GRADYN_TRY(position_matrix(s, &at));
      schur = false;
    }
  }
  /* as well as can be, near a singular position */
  return s->base.lenient && step <= 1e-6 * size ? GRADYN_OK : not_converged(s, &at, step);
}

/* Mass-orthogonal projection of v* (order 1) or a* (order 2): M x + Phi_q^T mult = 0 with
 * Phi^(order) = 0 (or = diagonal mult), eqs. (3.34) and its like in saddle form. */
static gradyn_status project(gradyn_ali3p *s, int order, const gradyn_mech_state *at,
                             const double *start, double *moved, double *change, double *mult)
{
  gradyn_mech *mech = s->mech;
  const int n = s->n, m = s->m;
  gradyn_status status = mech->ops->phi(mech, GRADYN_CONSTRAINT, order, at, mult);
  if (status != GRADYN_OK)
    return status;
  if (s->schur_now) {
    gradyn_schur_project(&s->schur, start, mult, change, moved);
    return status;
  }
  /* x = -change and -mult of S x = (0; Phi^(order)) */
  memset(s->b, 0, (size_t)n * sizeof(double));
  memcpy(s->b + n, mult, (size_t)m * sizeof(double));
  gradyn_ali3p_solve(s, &s->project, s->M, s->projection_diagonal, false, s->b, 1);
  for (int i = 0; i < n; i++) {
    change[i] = -s->b[i];
    moved[i] = start[i] + change[i];
  }
  for (int i = 0; i < m; i++)
    mult[i] = -s->b[n + i];
  return status;
}

static gradyn_status near_singular(gradyn_ali3p *s, double t)
{
  return gradyn_fail(s->mech->message, GRADYN_SINGULAR,
                     "the constraints depend on each other at t = %g s, or nearly so", t);
}

/* Refuses to end a step near a singular position. Large corrections by the projections are the sign
 * to look closer, where looking costs anything. */
static gradyn_status judge_end(gradyn_ali3p *s, double t, double *to)
{
  int n = s->n;
  if (s->base.lenient)
    return GRADYN_OK;
  /* w = v - v*, u = a - a*: small in regular places */
  const gradyn_ali3p_extra extra = gradyn_ali3p_extra_of(s, to);
  bool suspect = s->schur_now || gradyn_largest(extra.w, n) > 1e-4 * gradyn_largest(to + n, n) ||
                 gradyn_largest(extra.u, n) > 1e-2 * gradyn_largest(to + 2 * n, n);
  return suspect && gradyn_ali3p_near_singular(s) ? near_singular(s, t) : GRADYN_OK;
}

/* A step that did not converge: because its end is near a singular position? */
static gradyn_status judge_failure(gradyn_ali3p *s, double t, gradyn_status status)
{
  gradyn_mech_state at = {.t = t, .q = s->q};
  if (status != GRADYN_NOT_CONVERGED || s->base.lenient || !s->regular ||
      !isfinite(gradyn_largest(s->q, s->n)))
    return status;
  /* kept, as looking may overwrite it */
  gradyn_message message = *s->mech->message;
  s->schur_now = s->use_schur; /* the complement may have been given up on the way */
  if (s->mech->ops->phi_q(s->mech, GRADYN_CONSTRAINT, 0, &at, s->J) == GRADYN_OK) {
    gradyn_status factors = gradyn_ali3p_factor(s, &s->project, s->M, s->projection_diagonal, t);
    if (factors == GRADYN_SINGULAR || (factors == GRADYN_OK && gradyn_ali3p_near_singular(s)))
      return near_singular(s, t);
  }
  *s->mech->message = message;
  return status;
}

/* The matrix of both projections. */
static gradyn_status factor_projections(gradyn_ali3p *s, const gradyn_mech_state *at)
{
  gradyn_mech *mech = s->mech;
  gradyn_status status = mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 0, at, s->J);
  if (status == GRADYN_OK && !mech->constant_mass)
    status = mech->ops->tangent(mech, GRADYN_INERTIA, at, NULL, NULL, s->M);
  return status == GRADYN_OK
             ? gradyn_ali3p_factor(s, &s->project, s->M, s->projection_diagonal, at->t)
             : status;
}

static gradyn_status project_both(gradyn_ali3p *s, double t, double *to)
{
  int n = s->n;
  double *v = to + n, *a = to + 2 * n;
  const gradyn_ali3p_extra extra = gradyn_ali3p_extra_of(s, to);
  gradyn_mech_state at = {.t = t, .q = to, .v = s->vs, .a = s->as, .lam = to + 3 * n};
  gradyn_status status = s->factored ? GRADYN_OK : factor_projections(s, &at);
  /* v = v* + w with Phi'(q', v) = 0 */
  if (status == GRADYN_OK)
    status = project(s, 1, &at, s->vs, v, extra.w, extra.sigma);
  at.v = v; /* Phi'' sees the projected velocities */
  /* a = a* + u with Phi''(q', v, a) = 0 */
  if (status == GRADYN_OK)
    status = project(s, 2, &at, s->as, a, extra.u, extra.kappa);
  if (s->extra)
    memcpy(to + s->extra, extra.kappa, (size_t)s->m * sizeof(double));
  /* M a' + Phi_q^T (lam* + kappa) = Q: the multipliers of a', not of a* */
  for (int i = 0; i < s->m; i++)
    to[3 * n + i] += extra.kappa[i];
  /* derivatives must meet the same matrix again */
  *extra.soft = s->rough ? 2 : s->soft;
  /* the algorithmic acceleration moves with the projection */
  for (int i = 0; i < n && s->own_A; i++)
    to[s->base.ny + i] = s->As[i] + extra.u[i];
  return status == GRADYN_OK ? judge_end(s, t, to) : status;
}

/* Forces that read multipliers, as friction does, may change faster than the steps tell: the farthest leap
 * is kept for a warning. */
static void note_leap(gradyn_ali3p *s, double t, double h, const double *from, const double *to)
{
  const char *force = NULL;
  if (!s->mech->reader || !s->mech->ops->leap)
    return;
  const int n = s->n;
  const double times = s->mech->ops->leap(s->mech, h, from + n, from + 2 * n, to + n, &force);
  if (times / h > s->base.leap.rate)
    s->base.leap = (gradyn_leap){times / h, t, force};
}

/* docs/theory/ali3p.md, section 2: prediction, position problem, projections, in this order. */
gradyn_status gradyn_ali3p_step(gradyn_stepper *base, double t, double h, const double *from,
                                double *to)
{
  gradyn_ali3p *s = (gradyn_ali3p *)base;
  int n = s->n;
  double *lam = to + 3 * n;
  gradyn_ali3p_coefficients_of(s, h, &s->k);
  /* softened or not is decided step by step, so that a step depends on its first node alone */
  s->rough = base->lenient;
  s->soft = !s->regular || s->rough;
  s->schur_now = s->use_schur && !s->soft;
  s->may_soften = base->lenient;
  gradyn_ali3p_predict(s, h, from, lam);
  /* R(q', v*, a*, lam) = 0, Phi(q') = 0 */
  gradyn_status status = judge_failure(s, t + h, solve_position(s, t + h, from, lam));
  memcpy(to, s->q, (size_t)n * sizeof(double));
  if (status == GRADYN_OK)
    status = project_both(s, t + h, to);
  if (status == GRADYN_OK) {
    gradyn_ali3p_remember(s, h, from, to);
    note_leap(s, t, h, from, to);
  }
  if (status == GRADYN_OK && !gradyn_all_finite(to, base->ns))
    status = gradyn_fail(s->mech->message, GRADYN_NON_FINITE,
                         "the motion is not finite at t = %g s", t + h);
  return status;
}
