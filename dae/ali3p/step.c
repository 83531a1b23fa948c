/* ALI3-P: the step; docs/theory/ali3p.md, section 2. A step consists of a prediction, Newton's method for
 * R(q', v*, a*, lam*) = 0 with Phi(q') = 0, and the projections of v* and a* in the metric of M. The step
 * itself is the last function of this file; the functions that it calls come before it. */
#include <math.h>
#include <string.h>

#include "core/mech/size.h"
#include "core/mech/vector.h"
#include "core/linear/norm.h"
#include "dae/ali3p/linear.h"
#include "dae/ali3p/trial.h"
#include "dae/linear/newton.h"
#include "dae/linear/singularity_monitor.h"

enum { MOST_ITERATIONS = 25 };

/* Evaluates and factorises the Newton matrix of the position problem at the trial point. */
static gradyn_status position_matrix(gradyn_ali3p *s, const gradyn_mech_state *at)
{
  gradyn_mech *mech = s->mech;
  double *C = mech->damped ? s->mat.C : NULL, *M = mech->constant_mass ? NULL : s->mat.M;
  GRADYN_TRY(mech->ops->tangent(mech, GRADYN_DYNAMICS, at, s->mat.K, C, M));
  GRADYN_TRY(mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 0, at, s->mat.J));
  GRADYN_TRY(gradyn_ali3p_roll_matrix(s, at));
  GRADYN_TRY(gradyn_mech_residual_lam(mech, at, s->mat.J, s->mat.own, &s->mat.U));
  /* [A + vq C + ..]/aq: M + c C + k K */
  double c = s->k.vq / s->k.aq, k = 1 / s->k.aq;
  for (int i = 0; i < mech->dyn.nnz; i++)
    s->mat.A[i] = s->mat.M[i] + k * s->mat.K[i];
  for (int i = 0; i < mech->dyn.nnz && C; i++)
    s->mat.A[i] += c * s->mat.C[i];
  return gradyn_ali3p_factor_position(s, s->k.aq * s->choice.position_diagonal, at->t);
}

/* Makes the factors for the first iterations. If forces hardly affect the matrix, these are the factors of
 * [M, Phi_q^T; Phi_q, 0], otherwise of the Newton matrix. */
static gradyn_status first_matrix(gradyn_ali3p *s, const gradyn_mech_state *at,
                                  gradyn_factors **factors)
{
  const gradyn_factors_parts parts = {.A = s->mat.M, .U = s->mat.J, .J = s->mat.J};
  const gradyn_factors_kind schur = GRADYN_FACTORS_SCHUR;
  /* with M alone: the projections need the same Schur complement */
  if (s->bending.gentle && s->choice.first == schur && s->mech->rolling == 0) {
    GRADYN_TRY(s->mech->ops->phi_q(s->mech, GRADYN_CONSTRAINT, 0, at, s->mat.J));
    s->base.factorisations++;
    *factors = &s->project;
    if (gradyn_factors_make(&s->project, &parts, schur, schur) == GRADYN_OK)
      return GRADYN_OK;
  }
  /* otherwise, or if rows are dependent for the Schur complement */
  *factors = &s->position;
  return position_matrix(s, at);
}

/* Sets the multipliers by which multiplier-dependent forces are evaluated at a trial point. */
static void read_multipliers(gradyn_ali3p *s, const double *from, const double *lam)
{
  /* lam* plus kappa of the node before, the correction by its last projection */
  for (int i = 0; i < s->m && s->extra; i++)
    s->trial.read[i] = lam[i] + from[s->extra + i];
}

/* Makes one Newton correction of the trial point and of lam. *step: size of the correction in q. */
static gradyn_status newton(gradyn_ali3p *s, const gradyn_mech_state *at, gradyn_factors *factors,
                            const double *from, double *lam, double *step)
{
  gradyn_mech *mech = s->mech;
  const int n = s->n, m = s->m;
  GRADYN_TRY(mech->ops->residual(mech, gradyn_factors_residual(factors), at, s->b));
  GRADYN_TRY(mech->ops->phi(mech, GRADYN_CONSTRAINT, 0, at, s->b + n));
  GRADYN_TRY(gradyn_ali3p_roll(s, at, s->b + n));
  /* the unknowns are aq ddq and dlam, so that the matrix is M plus small terms */
  for (int i = n; i < n + m; i++)
    s->b[i] *= s->k.aq;
  gradyn_factors_correct(factors, s->trial.as, s->b);
  *step = gradyn_ali3p_move(s, from, s->b, lam);
  if (s->extra)
    read_multipliers(s, from, lam);
  s->base.newton_iterations++;
  return GRADYN_OK;
}

/* Fails because Newton's method has not converged. The run then divides the step. */
static gradyn_status not_converged(gradyn_ali3p *s, const gradyn_mech_state *at, double step)
{
  const char *reader = s->mech->reader;
  double off;
  const char *worst = gradyn_newton_worst(s->mech, at, s->b, &off);
  return gradyn_fail(s->mech->message, GRADYN_NOT_CONVERGED,
                     "Newton's method did not converge at t = %g s (last correction %.2g m; worst "
                     "constraint %s, off by %.2g): the step is too long%s%s%s%s",
                     at->t, step, worst, off, reader ? ", or the force " : "", reader ? reader : "",
                     reader ? " depends on multipliers and is not smooth, or locks the mechanism"
                            : "",
                     s->choice.position_diagonal > 0 ? ", or the penalty too small" : "");
}

/* Checks that converged iterations satisfy the constraints. With a small penalty, corrections are too
 * short, and may become as small as round-off while constraints are still violated. */
static gradyn_status met(gradyn_ali3p *s, const gradyn_mech_state *at, double size)
{
  const double negligible = 1e-11;
  gradyn_mech *mech = s->mech;
  /* without a penalty, convergence implies that constraints are satisfied */
  if (s->choice.position_diagonal == 0)
    return GRADYN_OK;
  GRADYN_TRY(mech->ops->phi(mech, GRADYN_CONSTRAINT, 0, at, s->b));
  /* violations in metres, because rows have different units */
  gradyn_mech_row_sizes(mech, s->mat.J, s->m, s->rows);
  const double left = gradyn_mech_violation(s->b, s->rows, s->m);
  if (left <= negligible * size)
    return GRADYN_OK;
  return gradyn_fail(mech->message, GRADYN_INVALID,
                     "the penalty %g is too small: at t = %g s the iterations converge although "
                     "constraints are violated by %.2g m. Use a larger penalty (1e7 or more), or "
                     "none",
                     1 / s->choice.position_diagonal, at->t, left);
}

/* Provides the convergence rate before two corrections can be compared. It is known only if M replaces the
 * Newton matrix. It is evaluated only if it can end the iteration, and renewed after some steps. */
static gradyn_status foresee(gradyn_ali3p *s, const gradyn_mech_state *at, double step,
                             gradyn_newton *iteration)
{
  if (!(s->bending.start * step <= iteration->enough))
    return GRADYN_OK;
  if (!(s->bending.rate > 0))
    GRADYN_TRY(gradyn_ali3p_force_curvature(s, at, &s->bending.rate));
  iteration->rate = s->bending.rate;
  return GRADYN_OK;
}

/* Solves the position problem R(q', v*, a*, lam) = 0 and Phi(q') = 0. Solves to round-off, so that the
 * result does not depend on the initial multipliers. */
static gradyn_status solve_position(gradyn_ali3p *s, double t, const double *from, double *lam)
{
  const double size = gradyn_mech_size(s->mech, from);
  gradyn_newton iteration = {.size = size, .nothing = 1e-15 * size, .enough = 1e-18 * size};
  gradyn_mech_state at = {.t = t, .q = s->trial.q, .v = s->trial.vs, .a = s->trial.as, .lam = lam};
  double step = 0, moved = 0;
  gradyn_factors *factors; /* factors in use: of the projections or of the position problem */
  at.read = s->extra ? s->trial.read : NULL;
  read_multipliers(s, from, lam);
  s->choice.factored = false;
  GRADYN_TRY(first_matrix(s, &at, &factors));
  /* exact: the matrix has all second-order terms and no diagonal block. With multiplier-dependent forces,
   * corrections of positions do not show convergence. */
  bool bent = factors == &s->position;
  iteration.exact = bent && factors->kind == GRADYN_FACTORS_EXACT &&
                    s->choice.position_diagonal == 0 && !s->mech->reader;
  while (iteration.count < MOST_ITERATIONS) {
    GRADYN_TRY(newton(s, &at, factors, from, lam, &step));
    if (iteration.count == 0 && !bent)
      GRADYN_TRY(foresee(s, &at, step, &iteration));
    const gradyn_newton_verdict verdict = gradyn_newton_judge(&iteration, step);
    moved += step;
    if (verdict == GRADYN_NEWTON_CONVERGED) {
      /* J is still exact, since q has moved by round-off only */
      s->choice.factored = !bent && moved <= 1e-13 * size;
      return met(s, &at, size);
    }
    if (verdict == GRADYN_NEWTON_DIVERGED)
      return not_converged(s, &at, step);
    if (verdict == GRADYN_NEWTON_REFRESH) {
      GRADYN_TRY(position_matrix(s, &at));
      factors = &s->position;
      bent = true;
    }
  }
  /* near a singular position a better result is not possible, so a lenient step accepts it */
  return s->base.lenient && step <= 1e-6 * size ? GRADYN_OK : not_converged(s, &at, step);
}

/* Mass-orthogonal projection of v* (order 1) or a* (order 2), eq. (3.34) and its counterpart in
 * saddle-point form. The change x satisfies M x + Phi_q^T mult = 0, and the result Phi^(order) = 0 (with a
 * diagonal: Phi^(order) = diagonal mult). */
static gradyn_status project(gradyn_ali3p *s, int order, const gradyn_mech_state *at,
                             const double *start, double *moved, double *change, double *mult)
{
  GRADYN_TRY(s->mech->ops->phi(s->mech, GRADYN_CONSTRAINT, order, at, mult));
  gradyn_factors_project(&s->project, start, mult, change, moved);
  return GRADYN_OK;
}

/* Fails because the position is nearly singular. The run may then step across it. */
static gradyn_status near_singular(gradyn_ali3p *s, double t)
{
  return gradyn_fail(s->mech->message, GRADYN_SINGULAR,
                     "the constraints depend on each other at t = %g s, or nearly so", t);
}

/* Refuses to end a step near a singular position, unless it is a lenient step. If the test for dependent
 * constraints costs a solve, it is made only after large corrections by the projections. */
static gradyn_status judge_end(gradyn_ali3p *s, double t, double *to)
{
  int n = s->n;
  if (s->base.lenient)
    return GRADYN_OK;
  /* corrections w = v - v*, u = a - a*: small at regular positions */
  const gradyn_ali3p_extra extra = gradyn_ali3p_extra_of(s, to);
  bool suspect = gradyn_factors_shows_dependence(&s->project) ||
                 gradyn_largest(extra.w, n) > 1e-4 * gradyn_largest(to + n, n) ||
                 gradyn_largest(extra.u, n) > 1e-2 * gradyn_largest(to + 2 * n, n);
  return suspect && gradyn_factors_dependent(&s->project) ? near_singular(s, t) : GRADYN_OK;
}

/* After Newton's method has failed: changes the failure if the end of the step is near a singular position.
 */
static gradyn_status judge_failure(gradyn_ali3p *s, double t, gradyn_status status)
{
  gradyn_mech_state at = {.t = t, .q = s->trial.q};
  if (status != GRADYN_NOT_CONVERGED || s->base.lenient || !gradyn_ali3p_regular(s) ||
      !isfinite(gradyn_largest(s->trial.q, s->n)))
    return status;
  /* keep the message of the failure, which the test may overwrite */
  gradyn_message message = *s->mech->message;
  if (s->mech->ops->phi_q(s->mech, GRADYN_CONSTRAINT, 0, &at, s->mat.J) == GRADYN_OK) {
    gradyn_status factors = gradyn_ali3p_factor_projection(s, t);
    if (factors == GRADYN_SINGULAR ||
        (factors == GRADYN_OK && gradyn_factors_dependent(&s->project)))
      return near_singular(s, t);
  }
  *s->mech->message = message;
  return status;
}

/* Factorises the matrix of both projections. */
static gradyn_status factor_projections(gradyn_ali3p *s, const gradyn_mech_state *at)
{
  gradyn_mech *mech = s->mech;
  GRADYN_TRY(mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 0, at, s->mat.J));
  if (!mech->constant_mass)
    GRADYN_TRY(mech->ops->tangent(mech, GRADYN_INERTIA, at, NULL, NULL, s->mat.M));
  return gradyn_ali3p_factor_projection(s, at->t);
}

/* Computes v' and a' from v* and a* by the projections, the multipliers, and the data that derivatives of
 * the projections need. */
static gradyn_status project_both(gradyn_ali3p *s, double t, double *to)
{
  int n = s->n;
  double *v = to + n, *a = to + 2 * n;
  const gradyn_ali3p_extra extra = gradyn_ali3p_extra_of(s, to);
  gradyn_mech_state at = {.t = t, .q = to, .v = s->trial.vs, .a = s->trial.as, .lam = to + 3 * n};
  if (!s->choice.factored)
    GRADYN_TRY(factor_projections(s, &at));
  /* v = v* + w with Phi'(q', v) = 0 */
  GRADYN_TRY(project(s, 1, &at, s->trial.vs, v, extra.w, extra.sigma));
  at.v = v; /* Phi'' depends on the projected velocities */
  /* a = a* + u with Phi''(q', v, a) = 0 */
  GRADYN_TRY(project(s, 2, &at, s->trial.as, a, extra.u, extra.kappa));
  if (s->extra)
    memcpy(to + s->extra, extra.kappa, (size_t)s->m * sizeof(double));
  /* multipliers lam* + kappa of a', for which M a' + Phi_q^T (lam* + kappa) = Q */
  for (int i = 0; i < s->m; i++)
    to[3 * n + i] += extra.kappa[i];
  /* stored, since derivatives must use the same kind of factors */
  *extra.kind = s->choice.first;
  /* the projection changes A by the same u */
  for (int i = 0; i < n && s->rule.own_A; i++)
    to[s->base.ny + i] = s->trial.As[i] + extra.u[i];
  return judge_end(s, t, to);
}

/* Returns whether the projections make velocities jump. With the trapezoidal rule, v' - v = h/2
 * (a + a') + w - h/2 u. Where constraint gradients change slowly, the corrections w and u are negligible
 * relative to a step, for any forces. Next to a singular position they change velocities within the step. */
static bool is_abrupt(const gradyn_ali3p *s, double h, const double *from, const double *to)
{
  static const double part = 0.05;
  const gradyn_mech_state first = {.v = from + s->n, .a = from + 2 * s->n};
  const gradyn_mech_state second = {.v = to + s->n, .a = to + 2 * s->n};
  return !gradyn_factors_clearly_independent(&s->project) && gradyn_ali3p_regular(s) &&
         !s->base.lenient && gradyn_velocities_jump(s->mech, h, part, &first, &second);
}

/* Stores the largest change of slip in a step for a warning: forces such as friction may change faster than
 * the steps resolve. */
static void note_leap(gradyn_ali3p *s, double t, double h, const double *from, const double *to)
{
  const char *force = NULL;
  if (!s->mech->reader || !s->mech->ops->leap)
    return;
  const int n = s->n;
  gradyn_mech_exit out;
  const double times = s->mech->ops->leap(s->mech, h, from + n, from + 2 * n, to + n, &force, &out);
  if (out.moved / h > s->base.exit.rate)
    s->base.exit = (gradyn_slip_jump){out.moved / h, t, out.force};
  if (times / h > s->base.leap.rate)
    s->base.leap = (gradyn_slip_jump){times / h, t, force};
}

/* Takes a step: prediction, position problem, projections; docs/theory/ali3p.md, section 2. */
gradyn_status gradyn_ali3p_step(gradyn_stepper *base, double t, double h, const double *from,
                                double *to)
{
  gradyn_ali3p *s = (gradyn_ali3p *)base;
  int n = s->n;
  double *lam = to + 3 * n;
  gradyn_ali3p_coefficients_of(s, h, &s->k);
  /* allowed kinds of factors are set for each step, so that a step depends only on its first node */
  gradyn_ali3p_allow(s, base->lenient ? GRADYN_FACTORS_ROUGH : s->choice.usual,
                     GRADYN_FACTORS_EXACT);
  gradyn_ali3p_predict(s, h, from, lam);
  /* solves R(q', v*, a*, lam) = 0, Phi(q') = 0 */
  const gradyn_status status = judge_failure(s, t + h, solve_position(s, t + h, from, lam));
  memcpy(to, s->trial.q, (size_t)n * sizeof(double));
  GRADYN_TRY(status);
  GRADYN_TRY(project_both(s, t + h, to));
  GRADYN_TRY(gradyn_ali3p_judge_lock(s, t + h, to));
  gradyn_ali3p_remember(s, h, from, to);
  note_leap(s, t, h, from, to);
  base->abrupt = is_abrupt(s, h, from, to);
  /* residuals need not show an overflow */
  if (!gradyn_all_finite(to, base->ns))
    return gradyn_fail(s->mech->message, GRADYN_NON_FINITE, "the motion is not finite at t = %g s",
                       t + h);
  return GRADYN_OK;
}
