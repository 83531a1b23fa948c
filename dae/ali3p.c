/* ALI3-P: augmented Lagrangian index-3 formulation with mass-orthogonal projections of velocities and
 * accelerations; López Varela (2022), section 3.3. All three solves of a step use a saddle form, in
 * which a penalty only regularises and never pollutes. */
#include "dae/ali3p.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITERATIONS = 25 };

/* Models up to this size use the Schur complement; beyond, sparse saddle systems are faster. */
enum { SCHUR_SIZE = 32 };

/* Share of the last multipliers that a step starts from if they are not unique; eq. (3.29). */
static const double warm_start = 0.98;

/* q', v*, a*, A* for the increment dq. */
static void correct(gradyn_ali3p *s, const double *from)
{
  int n = s->n;
  const gradyn_ali3p_coefficients *k = &s->k;
  const double *q = from, *v = from + n, *a = from + 2 * n, *A = gradyn_ali3p_A(s, from);
  for (int i = 0; i < n; i++) {
    s->q[i] = q[i] + s->dq[i];
    s->vs[i] = k->vq * s->dq[i] + k->vv * v[i] + k->vA * A[i];
    s->as[i] = k->aq * s->dq[i] + k->av * v[i] + k->aA * A[i] + k->aa * a[i];
  }
  for (int i = 0; i < n && s->own_A; i++)
    s->As[i] = k->Aq * s->dq[i] + k->Av * v[i] + k->AA * A[i];
}

/* --- the step --------------------------------------------------------------------------------- */

/* Newton matrix of the position problem at the trial point. */
static gradyn_status position_matrix(gradyn_ali3p *s, const gradyn_mech_state *at)
{
  gradyn_mech *mech = s->mech;
  gradyn_status status = mech->ops->tangent(mech, GRADYN_DYNAMICS, at, s->K, s->C, s->M);
  if (status == GRADYN_OK)
    status = mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 0, at, s->J);
  if (status != GRADYN_OK)
    return status;
  double c = s->k.vq / s->k.aq, k = 1 / s->k.aq;
  for (int i = 0; i < s->place.dyn_nnz; i++)
    s->A[i] = s->M[i] + c * s->C[i] + k * s->K[i];
  return gradyn_ali3p_factor(s, &s->place, s->A, s->k.aq * s->position_diagonal, at->t);
}

/* Matrix for the first iterations: where forces hardly bend it, [M, Phi_q^T; Phi_q, 0]. */
static gradyn_status first_matrix(gradyn_ali3p *s, const gradyn_mech_state *at, bool *schur)
{
  *schur = s->gentle && s->schur_now;
  if (!*schur)
    return position_matrix(s, at);
  gradyn_status status = s->mech->ops->phi_q(s->mech, GRADYN_CONSTRAINT, 0, at, s->J);
  if (status != GRADYN_OK)
    return status;
  s->base.factorisations++;
  *schur = gradyn_schur_factor(&s->schur, s->J) == GRADYN_OK;
  return *schur ? GRADYN_OK : position_matrix(s, at);
}

/* One Newton correction of (dq, lam); *step: its size in q. */
static gradyn_status newton(gradyn_ali3p *s, const gradyn_mech_state *at, bool schur, double *lam,
                            double *step)
{
  gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m;
  gradyn_status status = mech->ops->residual(mech, GRADYN_DYNAMICS, at, s->b);
  if (status == GRADYN_OK)
    status = mech->ops->phi(mech, GRADYN_CONSTRAINT, 0, at, s->b + n);
  if (status != GRADYN_OK)
    return status;
  for (int i = 0; i < n; i++)
    s->b[i] /= s->k.aq;
  if (schur)
    gradyn_schur_solve(&s->schur, false, s->b);
  else
    gradyn_linsys_solve(s->place.system, s->b, 1);
  for (int i = 0; i < n; i++)
    s->dq[i] -= s->b[i];
  for (int i = 0; i < m; i++)
    lam[i] -= s->k.aq * s->b[n + i];
  *step = gradyn_ali3p_largest(s->b, n);
  s->base.newton_iterations++;
  return GRADYN_OK;
}

static gradyn_status not_converged(gradyn_ali3p *s, const gradyn_mech_state *at, double step)
{
  gradyn_mech *mech = s->mech;
  int worst = 0;
  gradyn_status status = mech->ops->phi(mech, GRADYN_CONSTRAINT, 0, at, s->b);
  for (int i = 1; i < s->m && status == GRADYN_OK; i++)
    if (fabs(s->b[i]) > fabs(s->b[worst]))
      worst = i;
  return gradyn_fail(mech->message, GRADYN_NOT_CONVERGED,
                     "Newton's method did not converge at t = %g s (last correction %.2g m; worst "
                     "constraint %s, off by %.2g): the step is too long",
                     at->t, step, s->m > 0 ? mech->constraint_name(mech, worst) : "none",
                     s->m > 0 ? s->b[worst] : 0);
}

/* Position problem: R(q', v*, a*, lam) = 0 and Phi(q') = 0. The matrix of the predicted position
 * serves all iterations unless they converge slowly. They end when the next correction cannot be
 * told from round-off: then the multipliers of the last step, with which they began, are forgotten. */
static gradyn_status solve_position(gradyn_ali3p *s, double t, const double *from, double *lam)
{
  double last = 0, size = 1 + gradyn_ali3p_largest(from, s->n);
  gradyn_mech_state at = {.t = t, .q = s->q, .v = s->vs, .a = s->as, .lam = lam};
  correct(s, from);
  bool schur;
  gradyn_status status = first_matrix(s, &at, &schur);
  for (int iteration = 0; iteration < MOST_ITERATIONS && status == GRADYN_OK; iteration++) {
    double step;
    status = newton(s, &at, schur, lam, &step);
    correct(s, from);
    if (status != GRADYN_OK)
      break;
    if (!isfinite(step) || step > 1e3 * size)
      return not_converged(s, &at, step);
    double rate = iteration > 0 && last > 0 ? step / last : 1;
    if (step <= 1e-15 * size || (rate < 0.1 && rate * step <= 1e-18 * size) ||
        (rate > 0.3 && iteration > 2 && step <= 1e-13 * size))
      return GRADYN_OK;
    if (iteration > 0 && rate > 0.05 && step > 1e-12 * size) {
      status = position_matrix(s, &at);
      schur = false;
    }
    last = step;
  }
  if (s->base.lenient && last <= 1e-6 * size)
    return status;
  return status == GRADYN_OK ? not_converged(s, &at, last) : status;
}

/* Mass-orthogonal projection of v* (order 1) or a* (order 2): M x + Phi_q^T mult = 0 with
 * Phi^(order) = 0 (or = diagonal mult), eqs. (3.34) and its like in saddle form. */
static gradyn_status project(gradyn_ali3p *s, int order, const gradyn_mech_state *at,
                             const double *start, double *moved, double *change, double *mult)
{
  gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m;
  gradyn_status status = mech->ops->phi(mech, GRADYN_CONSTRAINT, order, at, s->b + n);
  if (status != GRADYN_OK)
    return status;
  for (int i = 0; i < n; i++)
    s->b[i] = 0;
  for (int i = 0; i < m; i++)
    s->b[n + i] = -s->b[n + i];
  if (s->schur_now)
    gradyn_schur_solve(&s->schur, true, s->b);
  else
    gradyn_ali3p_solve(s, &s->project, s->M, s->projection_diagonal, false, s->b, 1);
  for (int i = 0; i < n; i++) {
    change[i] = s->b[i];
    moved[i] = start[i] + s->b[i];
  }
  memcpy(mult, s->b + n, (size_t)m * sizeof(double));
  return GRADYN_OK;
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
  const gradyn_ali3p_extra extra = gradyn_ali3p_extra_of(s, to);
  bool suspect = s->schur_now ||
                 gradyn_ali3p_largest(extra.w, n) > 1e-4 * gradyn_ali3p_largest(to + n, n) ||
                 gradyn_ali3p_largest(extra.u, n) > 1e-2 * gradyn_ali3p_largest(to + 2 * n, n);
  return suspect && gradyn_ali3p_near_singular(s) ? near_singular(s, t) : GRADYN_OK;
}

/* A step that did not converge: because its end is near a singular position? */
static gradyn_status judge_failure(gradyn_ali3p *s, double t, gradyn_status status)
{
  gradyn_mech_state at = {.t = t, .q = s->q};
  if (status != GRADYN_NOT_CONVERGED || s->base.lenient || !s->regular ||
      !isfinite(gradyn_ali3p_largest(s->q, s->n)))
    return status;
  gradyn_message message = *s->mech->message;
  s->schur_now = s->use_schur;
  if (s->mech->ops->phi_q(s->mech, GRADYN_CONSTRAINT, 0, &at, s->J) == GRADYN_OK) {
    gradyn_status factors = gradyn_ali3p_factor(s, &s->project, s->M, s->projection_diagonal, t);
    if (factors == GRADYN_SINGULAR || (factors == GRADYN_OK && gradyn_ali3p_near_singular(s)))
      return near_singular(s, t);
  }
  *s->mech->message = message;
  return status;
}

static gradyn_status project_both(gradyn_ali3p *s, double t, double *to)
{
  gradyn_mech *mech = s->mech;
  int n = s->n;
  double *v = to + n, *a = to + 2 * n;
  const gradyn_ali3p_extra extra = gradyn_ali3p_extra_of(s, to);
  gradyn_mech_state at = {.t = t, .q = to, .v = s->vs, .a = s->as, .lam = to + 3 * n};
  gradyn_status status = mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 0, &at, s->J);
  if (status == GRADYN_OK && !mech->constant_mass)
    status = mech->ops->tangent(mech, GRADYN_INERTIA, &at, NULL, NULL, s->M);
  if (status == GRADYN_OK)
    status = gradyn_ali3p_factor(s, &s->project, s->M, s->projection_diagonal, t);
  if (status == GRADYN_OK)
    status = project(s, 1, &at, s->vs, v, extra.w, extra.sigma);
  at.v = v;
  if (status == GRADYN_OK)
    status = project(s, 2, &at, s->as, a, extra.u, extra.kappa);
  *extra.soft = s->rough ? 2 : s->soft;
  /* the algorithmic acceleration moves with the projection */
  for (int i = 0; i < n && s->own_A; i++)
    to[s->base.ny + i] = s->As[i] + extra.u[i];
  return status == GRADYN_OK ? judge_end(s, t, to) : status;
}

static gradyn_status step(gradyn_stepper *base, double t, double h, const double *from, double *to)
{
  gradyn_ali3p *s = (gradyn_ali3p *)base;
  int n = s->n, m = s->m;
  const double *v = from + n, *a = from + 2 * n;
  double *lam = to + 3 * n;
  gradyn_ali3p_coefficients_of(s, h, &s->k);
  s->rough = base->lenient;
  s->soft = !s->regular || s->rough;
  s->schur_now = s->use_schur && !s->soft;
  s->may_soften = base->lenient;
  for (int i = 0; i < n; i++)
    s->dq[i] = h * v[i] + h * h / 2 * a[i];
  for (int i = 0; i < m; i++)
    lam[i] = (s->soft ? warm_start : 1) * from[3 * n + i];
  gradyn_status status = judge_failure(s, t + h, solve_position(s, t + h, from, lam));
  memcpy(to, s->q, (size_t)n * sizeof(double));
  if (status == GRADYN_OK)
    status = project_both(s, t + h, to);
  for (int i = 0; i < base->ns && status == GRADYN_OK; i++)
    if (!isfinite(to[i]))
      status = gradyn_fail(s->mech->message, GRADYN_NON_FINITE,
                           "the motion is not finite at t = %g s", t + h);
  return status;
}

/* Whether c C + k K is so small beside M at a node that Newton's method does without it: the bound is
 * that of its rate of convergence. */
static gradyn_status judge_forces(gradyn_ali3p *s, double h, const gradyn_mech_state *at)
{
  int n = s->n;
  const gradyn_pattern *dyn = &s->mech->dyn;
  gradyn_status status = s->mech->ops->tangent(s->mech, GRADYN_DYNAMICS, at, s->K, s->C, s->M);
  gradyn_ali3p_coefficients_of(s, h, &s->k);
  double c = s->k.vq / s->k.aq, k = 1 / s->k.aq, worst = 0;
  for (int i = 0; i < n; i++) {
    double sum = 0; /* row i of |M^-1| |c C + k K| */
    for (int r = 0; r < n; r++)
      for (int e = dyn->start[r]; e < dyn->start[r + 1]; e++)
        sum += fabs(s->schur.inverse[i * n + r]) * fabs(c * s->C[e] + k * s->K[e]);
    worst = fmax(worst, sum);
  }
  s->gentle = worst < 1e-2;
  return status;
}

/* Chooses for the whole run, so that a step depends on its first node alone. */
static gradyn_status choose_matrices(gradyn_ali3p *s, double h, const gradyn_mech_state *at)
{
  gradyn_status status = s->mech->ops->phi_q(s->mech, GRADYN_CONSTRAINT, 0, at, s->J);
  s->gentle = s->soft = s->rough = false;
  s->may_soften = true;
  s->use_schur = s->schur_now = status == GRADYN_OK && s->schur.n > 0 &&
                                gradyn_schur_mass(&s->schur, s->M) == GRADYN_OK;
  if (status == GRADYN_OK)
    status = gradyn_ali3p_factor(s, &s->project, s->M, s->projection_diagonal, 0);
  /* dependent at the start: most likely all along */
  s->regular = status == GRADYN_OK && !s->soft && !gradyn_ali3p_near_singular(s);
  s->use_schur = s->schur_now && s->regular;
  return status == GRADYN_OK && s->use_schur ? judge_forces(s, h, at) : status;
}

static gradyn_status start(gradyn_stepper *base, double h, double *node)
{
  gradyn_ali3p *s = (gradyn_ali3p *)base;
  int n = s->n, m = s->m;
  gradyn_linsys_reset(s->place.system);
  gradyn_linsys_reset(s->project.system);
  gradyn_status status = gradyn_initial_solve(&s->initial);
  memset(node, 0, (size_t)base->record * sizeof(double));
  memcpy(node, s->initial.q, (size_t)n * sizeof(double));
  memcpy(node + n, s->initial.v, (size_t)n * sizeof(double));
  memcpy(node + 2 * n, s->initial.a, (size_t)n * sizeof(double));
  memcpy(node + 3 * n, s->initial.lam, (size_t)m * sizeof(double));
  if (s->own_A)
    memcpy(node + base->ny, s->initial.a, (size_t)n * sizeof(double));
  gradyn_mech_state at = {.t = 0, .q = node, .v = node + n, .a = node + 2 * n, .lam = node + 3 * n};
  if (status == GRADYN_OK) /* the constant mass matrix of all projections */
    status = s->mech->ops->tangent(s->mech, GRADYN_INERTIA, &at, NULL, NULL, s->M);
  return status == GRADYN_OK ? choose_matrices(s, h, &at) : status;
}

static gradyn_status drift(gradyn_stepper *base, double t, const double *node, double *worst)
{
  gradyn_ali3p *s = (gradyn_ali3p *)base;
  int n = s->n;
  gradyn_mech_state at = {.t = t, .q = node, .v = node + n, .a = node + 2 * n, .lam = node + 3 * n};
  for (int order = 0; order < 3; order++) {
    gradyn_status status = s->mech->ops->phi(s->mech, GRADYN_CONSTRAINT, order, &at, s->b);
    if (status != GRADYN_OK)
      return status;
    worst[order] = fmax(worst[order], gradyn_ali3p_largest(s->b, s->m));
  }
  return GRADYN_OK;
}

/* --- life ------------------------------------------------------------------------------------- */

static void free_scheme(gradyn_stepper *base)
{
  gradyn_ali3p *s = (gradyn_ali3p *)base;
  gradyn_initial_clear(&s->initial);
  gradyn_saddle_clear(&s->place);
  gradyn_saddle_clear(&s->project);
  gradyn_schur_clear(&s->schur);
  double *array[] = {s->K,  s->C,  s->M,  s->A,  s->Hw, s->Hu, s->J,    s->J1,  s->J2,   s->q,
                     s->vs, s->as, s->As, s->dq, s->b,  s->c,  s->rest, s->sum, s->bars, s->B};
  for (size_t k = 0; k < sizeof array / sizeof *array; k++)
    free(array[k]);
  free(s->lanes);
  free(s);
}

static const gradyn_stepper_ops ali3p_ops = {.name = "ali3p",
                                             .start = start,
                                             .step = step,
                                             .start_tangent = gradyn_ali3p_start_tangent,
                                             .start_transposed = gradyn_ali3p_start_transposed,
                                             .linearise = gradyn_ali3p_linearise,
                                             .tangent = gradyn_ali3p_tangent,
                                             .transposed = gradyn_ali3p_transposed,
                                             .drift = drift,
                                             .free = free_scheme};

static gradyn_status take_memory(gradyn_ali3p *s)
{
  size_t dyn = (size_t)s->mech->dyn.nnz + 1, jac = (size_t)s->mech->jac.nnz + 1;
  size_t n = (size_t)s->n + 1, size = (size_t)(s->n + s->m) + 1;
  const size_t columns = GRADYN_LANES;
  const struct {
    double **array;
    size_t count;
  } need[] = {{&s->K, dyn},
              {&s->C, dyn},
              {&s->M, dyn},
              {&s->A, dyn},
              {&s->Hw, dyn},
              {&s->Hu, dyn},
              {&s->J, jac},
              {&s->J1, jac},
              {&s->J2, jac},
              {&s->q, n},
              {&s->vs, n},
              {&s->as, n},
              {&s->As, n},
              {&s->dq, n},
              {&s->rest, size},
              {&s->sum, size},
              {&s->b, columns * size},
              {&s->c, size},
              {&s->bars, 4 * n},
              {&s->B, dyn}};
  for (size_t k = 0; k < sizeof need / sizeof *need; k++)
    if (!(*need[k].array = calloc(need[k].count, sizeof(double))))
      return GRADYN_NO_MEMORY;
  s->lanes = gradyn_lanes_create(gradyn_ali3p_lanes_needed(s->n, s->m));
  if (!s->lanes)
    return GRADYN_NO_MEMORY;
  gradyn_status status = gradyn_initial_create(s->mech, &s->initial);
  if (status == GRADYN_OK)
    status = gradyn_saddle_create(&s->mech->dyn, &s->mech->jac, s->m, GRADYN_BACKEND_AUTO,
                                  &s->place);
  if (status == GRADYN_OK)
    status = gradyn_saddle_create(&s->mech->dyn, &s->mech->jac, s->m, GRADYN_BACKEND_AUTO,
                                  &s->project);
  bool small = s->mech->constant_mass && s->n + s->m <= SCHUR_SIZE && s->projection_diagonal == 0;
  for (int i = 0; i < s->m && small; i++) /* every constraint moves something */
    small = s->mech->jac.start[i + 1] > s->mech->jac.start[i];
  if (small && status == GRADYN_OK)
    status = gradyn_schur_create(&s->mech->dyn, &s->mech->jac, s->m, &s->schur);
  return status;
}

gradyn_status gradyn_ali3p_create(gradyn_model *model, const gradyn_options *options,
                                  gradyn_stepper **out)
{
  gradyn_ali3p *s = calloc(1, sizeof *s);
  *out = NULL;
  if (!s)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  *out = &s->base;
  s->mech = model->mech;
  s->n = s->mech->n;
  s->m = s->mech->m;
  s->base = (gradyn_stepper){.ops = &ali3p_ops, .model = model, .ny = 3 * s->n + s->m};
  if (s->mech->ops->residual_lam)
    return gradyn_fail(&model->message, GRADYN_UNSUPPORTED,
                       "forces that depend on multipliers are not supported by this method");
  gradyn_status status = gradyn_ali3p_choose_integrator(s, options, &model->message);
  if (status != GRADYN_OK)
    return status;
  s->base.ns = s->base.ny + (s->own_A ? s->n : 0);
  s->base.record = s->base.ns + 2 * (s->n + s->m) + 1;
  s->position_diagonal = options->penalty > 0 ? 1 / options->penalty : 0;
  if (options->projection_penalty > 0)
    s->projection_diagonal = 1 / options->projection_penalty;
  status = take_memory(s);
  return status == GRADYN_OK
             ? status
             : gradyn_fail(&model->message, status, "out of memory for %d coordinates", s->n);
}
