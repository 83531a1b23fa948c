/* The variational scheme: discrete Euler-Lagrange equations with holonomic constraints and, for forces
 * without a potential, the discrete Lagrange-d'Alembert principle. Ebrahimi et al. (2018), eqs. (13) to (17),
 * written with the momentum that arrives at a node. The unknowns are increments of the position, so that no
 * small differences of large positions arise. */
#include "dae/variational/operations.h"
#include "core/mech/size.h"
#include "dae/linear/newton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* After more iterations, Newton's method may have found another solution. The step is divided instead. */
enum { MOST_ITERATIONS = 15 };

/* --- the step ---------------------------------------------------------------------------------- */

/* Sets the quadrature point and the end of the step for the present increment. */
static void position(gradyn_variational *s, double h, const double *q)
{
  for (int i = 0; i < s->n; i++) {
    s->qm[i] = q[i] + s->alpha * s->dq[i];
    s->vm[i] = s->dq[i] / h;
    s->q1[i] = q[i] + s->dq[i];
  }
}

/* Returns the state at the quadrature point: time t + alpha h, position q_n + alpha dq, velocity dq/h. */
static gradyn_mech_state middle(const gradyn_variational *s, double t, double h)
{
  return (gradyn_mech_state){.t = t + s->alpha * h, .q = s->qm, .v = s->vm, .a = s->zero};
}

/* Returns the state at the end of the step, where Phi = 0 must hold. */
static gradyn_mech_state end(const gradyn_variational *s, double t, double h)
{
  return (gradyn_mech_state){.t = t + h, .q = s->q1, .v = s->vm, .a = s->zero};
}

/* Evaluates and factorises Newton's matrix at the present increment. */
static gradyn_status matrix(gradyn_variational *s, double t, double h)
{
  const gradyn_mech_ops *ops = s->mech->ops;
  gradyn_mech_state at = middle(s, t, h), after = end(s, t, h);
  GRADYN_TRY(ops->tangent(s->mech, GRADYN_FORCE, &at, s->K, s->C, NULL));
  GRADYN_TRY(ops->phi_q(s->mech, GRADYN_CONSTRAINT, 0, &after, s->J1));
  return gradyn_variational_factor_step(s, t + h, h);
}

/* Computes h times the step's equations, eqs. (14) and (17):
 *
 *   M dq - (1 - alpha) h^2 Q + h^2 G_n^T lam - h P_n,   Phi(t_n+1, q_n+1). */
static gradyn_status equations(gradyn_variational *s, double t, double h, const double *P,
                               const double *lam, double *b)
{
  const gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m;
  gradyn_mech_state at = middle(s, t, h), after = end(s, t, h);
  GRADYN_TRY(mech->ops->residual(s->mech, GRADYN_FORCE, &at, s->f));
  GRADYN_TRY(mech->ops->phi(s->mech, GRADYN_CONSTRAINT, 0, &after, b + n));
  for (int i = 0; i < n; i++)
    b[i] = (1 - s->alpha) * h * h * s->f[i] - h * P[i]; /* Q = -f */
  gradyn_pattern_multiply(&mech->dyn, n, s->project.M, 1, s->dq, b);
  gradyn_pattern_multiply_transposed(&mech->jac, m, s->J0, h * h, lam, b);
  return GRADYN_OK;
}

/* Applies one Newton correction to (dq, lam), and its effect on the force. *step is its size in q. */
static gradyn_status newton(gradyn_variational *s, double t, double h, const double *from,
                            double *lam, double *step)
{
  int n = s->n;
  GRADYN_TRY(equations(s, t, h, from + n, lam, s->b));
  gradyn_linsys_solve(s->position.system, s->b, 1);
  for (int i = 0; i < n; i++)
    s->dq[i] -= s->b[i];
  for (int i = 0; i < s->m; i++)
    /* the unknown of the matrix is h^2 lam */
    lam[i] -= s->b[n + i] / (h * h);
  /* linearised change of the force by the correction */
  gradyn_pattern_multiply(&s->mech->dyn, n, s->B, -1, s->b, s->f);
  *step = gradyn_largest_product(s->b, s->mech->length_scale, n);
  s->base.newton_iterations++;
  position(s, h, from);
  return GRADYN_OK;
}

/* Fails because Newton's method has not converged. The run then divides the step. */
static gradyn_status not_converged(gradyn_variational *s, double t, double h, double step)
{
  gradyn_mech_state after = end(s, t, h);
  double off;
  const char *worst = gradyn_newton_worst(s->mech, &after, s->b, &off);
  return gradyn_fail(s->mech->message, GRADYN_NOT_CONVERGED,
                     "Newton's method did not converge for the step of %g s to t = %g s (last "
                     "correction %.2g m; worst constraint %s, off by %.2g). Use shorter steps",
                     h, t + h, step, worst, off);
}

/* Returns the size of a negligible correction relative to the coordinates. Forces depend on rounded
 * positions. The effect of rounding on the increment is the rounding times the share of the forces in the
 * matrix. This share is nearly zero in a soft mechanism, and nearly one in a stiff beam. */
static double negligible(const gradyn_variational *s)
{
  const double rounding = 4e-17, least = 1e-18;
  double forces = 0, all = 0;
  /* share of the forces in the step's matrix */
  for (int i = 0; i < s->position.dyn_nnz; i++) {
    forces += fabs(s->A[i] - s->project.M[i]);
    all += fabs(s->A[i]);
  }
  return all > 0 ? fmax(least, rounding * forces / all) : least;
}

/* Solves the step's equations by Newton's method, with the matrix at the predicted position. This matrix is
 * not used in later steps: slower convergence would need iterations that cost more than the factorisation. */
static gradyn_status solve(gradyn_variational *s, double t, double h, const double *from,
                           double *lam)
{
  double step = 0, size = gradyn_mech_size(s->mech, from);
  GRADYN_TRY(matrix(s, t, h));
  /* .nothing is the round-off of q, .enough is its effect through the forces */
  gradyn_newton iteration = {.size = size, .nothing = 2e-16 * size, .enough = negligible(s) * size};
  while (iteration.count < MOST_ITERATIONS) {
    GRADYN_TRY(newton(s, t, h, from, lam, &step));
    const gradyn_newton_verdict verdict = gradyn_newton_judge(&iteration, step);
    if (verdict == GRADYN_NEWTON_CONVERGED)
      return GRADYN_OK;
    if (verdict == GRADYN_NEWTON_DIVERGED)
      break;
    if (verdict == GRADYN_NEWTON_REFRESH)
      GRADYN_TRY(matrix(s, t, h));
  }
  return not_converged(s, t, h, step);
}

/* Predicts the increment. The velocity dq/h continues to change at the rate of the last steps. */
static void predict(gradyn_variational *s, double h, const gradyn_variational_node *from)
{
  double before = *from->h;
  for (int i = 0; i < s->n; i++)
    /* h (dq/h + a (h + h_before)/2) */
    s->dq[i] = h * (from->dq[i] / before + from->rate[i] * (h + before) / 2);
}

/* Computes the second node from the increment and the force: P_n+1 = M dq/h + alpha h Q. */
static void leave(gradyn_variational *s, double h, const gradyn_variational_node *from,
                  const gradyn_variational_node *to)
{
  int n = s->n;
  double before = *from->h;
  for (int i = 0; i < n; i++) {
    to->q[i] = s->q1[i];
    to->dq[i] = s->dq[i];
    to->P[i] = -s->alpha * h * s->f[i]; /* f = -Q */
    /* mean acceleration between the midpoints of this step and the step before */
    to->rate[i] = 2 * (s->dq[i] / h - from->dq[i] / before) / (h + before);
  }
  gradyn_pattern_multiply(&s->mech->dyn, n, s->project.M, 1 / h, s->dq, to->P);
  *to->h = h;
}

/* Returns whether the mean accelerations of two steps differ by as much as the larger one; in resolved
 * motions they are similar. Then forces are stiff, or the constraints are next to a singular position. */
static bool is_abrupt(const gradyn_variational *s, double h, const gradyn_variational_node *from,
                      const gradyn_variational_node *to)
{
  static const double part = 0.5, roundoff = 1e-5;
  const double *length_scale = s->mech->length_scale;
  double leap = 0, before = 0, behind = 0;
  for (int i = 0; i < s->n; i++) {
    const double change = fabs(to->rate[i] - from->rate[i]) * length_scale[i];
    const double first = fabs(from->rate[i]) * length_scale[i],
                 second = fabs(to->rate[i]) * length_scale[i];
    leap = change > leap ? change : leap; /* faster than fmax(), which also tests for NaN */
    before = first > before ? first : before;
    behind = second > behind ? second : behind;
  }
  return leap > part * before && leap > part * behind &&
         h * h * leap > roundoff * gradyn_largest_product(to->dq, length_scale, s->n);
}

/* Computes dq and the multipliers of a step from q_n and the momentum P_n. */
static gradyn_status step(gradyn_stepper *base, double t, double h, const double *from, double *to)
{
  gradyn_variational *s = (gradyn_variational *)base;
  gradyn_mech *mech = s->mech;
  const gradyn_variational_node first = gradyn_variational_node_of(s, (double *)from);
  const gradyn_variational_node second = gradyn_variational_node_of(s, to);
  gradyn_mech_state start = {.t = t, .q = from, .v = s->zero, .a = s->zero};
  s->known = NULL;
  /* predicts dq and the quadrature point */
  predict(s, h, &first);
  position(s, h, from);
  memcpy(second.lam, first.lam, (size_t)s->m * sizeof(double));
  /* G_n at the first node */
  GRADYN_TRY(mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 0, &start, s->J0));
  GRADYN_TRY(solve(s, t, h, from, second.lam));
  /* P_n+1, from dq and lam */
  leave(s, h, &first, &second);
  base->abrupt = is_abrupt(s, h, &first, &second);
  if (gradyn_all_finite(to, 2 * s->n))
    return GRADYN_OK;
  return gradyn_fail(mech->message, GRADYN_NON_FINITE, "the motion is not finite at t = %g s",
                     t + h);
}

/* --- start and drift --------------------------------------------------------------------------- */

/* Evaluates the constant mass matrix; fails if constraints are dependent. */
static gradyn_status check_matrices(gradyn_variational *s, const gradyn_mech_state *at)
{
  s->looks.factored = 0; /* the factors no longer belong to an output state */
  GRADYN_TRY(gradyn_projection_begin(&s->project, at));
  s->base.factorisations += s->project.factorisations;
  if (s->project.kind != GRADYN_FACTORS_SOFTENED)
    return GRADYN_OK;
  return gradyn_fail(
      s->mech->message, GRADYN_SINGULAR,
      "the constraints depend on each other at t = 0 s, or nearly so: the method variational needs "
      "independent constraints. Use ali3p or explicit");
}

/* Computes the first node from the assembled initial state, with P = M v. */
static gradyn_status start(gradyn_stepper *base, double h, double *node)
{
  gradyn_variational *s = (gradyn_variational *)base;
  const gradyn_variational_node to = gradyn_variational_node_of(s, node);
  int n = s->n;
  s->known = NULL;
  /* pivots of an earlier run must not influence this one */
  gradyn_linsys_reset(s->position.system);
  memset(node, 0, (size_t)base->record * sizeof(double));
  GRADYN_TRY(gradyn_initial_solve(&s->initial));
  const double *q = s->initial.q, *v = s->initial.v, *a = s->initial.a;
  gradyn_mech_state at = {.t = 0, .q = q, .v = v, .a = a, .lam = s->initial.lam};
  GRADYN_TRY(check_matrices(s, &at));
  memcpy(to.q, q, (size_t)n * sizeof(double));
  /* P = M v */
  gradyn_pattern_multiply(&s->mech->dyn, n, s->project.M, 1, v, to.P);
  /* the prediction of the first step uses an increment, its rate, and half of the multipliers */
  for (int i = 0; i < n; i++) {
    to.dq[i] = h * (v[i] - h / 2 * a[i]);
    to.rate[i] = a[i];
  }
  for (int i = 0; i < s->m; i++)
    to.lam[i] = s->initial.lam[i] / 2;
  *to.h = h;
  return GRADYN_OK;
}

/* Computes |Phi| at every node, and |Phi'| and |Phi''| if the node's output state has just been completed. */
static gradyn_status drift(gradyn_stepper *base, double t, const double *node,
                           const gradyn_view *view, double *worst)
{
  gradyn_variational *s = (gradyn_variational *)base;
  gradyn_mech_state at = gradyn_variational_state(s, view);
  const bool complete = view->node && view->t == t && view->depth == GRADYN_FORCES;
  at.t = t;
  at.q = node;
  return gradyn_mech_drift(s->mech, &at, complete ? 3 : 1, s->b, worst);
}

/* --- creation ---------------------------------------------------------------------------------- */

/* Frees a scheme, also after a failed creation. */
static void free_scheme(gradyn_stepper *base)
{
  gradyn_variational *s = (gradyn_variational *)base;
  gradyn_initial_clear(&s->initial);
  gradyn_saddle_clear(&s->position);
  gradyn_projection_clear(&s->project);
  gradyn_arena_clear(&s->arena);
  free(s);
}

static const gradyn_stepper_ops variational_ops = {
    .name = "variational",
    .start = start,
    .step = step,
    .start_tangent = gradyn_variational_start_tangent,
    .start_transposed = gradyn_variational_start_transposed,
    .linearise = gradyn_variational_linearise,
    .tangent = gradyn_variational_tangent,
    .transposed = gradyn_variational_transposed,
    .enter = gradyn_variational_enter,
    .enter_tangent = gradyn_variational_enter_tangent,
    .enter_transposed = gradyn_variational_enter_transposed,
    .complete = gradyn_variational_complete,
    .sample = gradyn_variational_sample,
    .view_tangent = gradyn_variational_view_tangent,
    .view_transposed = gradyn_variational_view_transposed,
    .drift = drift,
    .free = free_scheme};

/* Allocates matrices, vectors, and lanes of sweeps. */
static gradyn_status take_arrays(gradyn_variational *s)
{
  size_t dyn = (size_t)s->mech->dyn.nnz + 1, jac = (size_t)s->mech->jac.nnz + 1;
  size_t n = (size_t)s->n + 1, m = (size_t)s->m + 1, size = n + m;
  const size_t columns = GRADYN_LANES;
  const struct {
    double **array;
    size_t count;
  } need[] = {{&s->K, dyn},  {&s->C, dyn},   {&s->A, dyn},    {&s->B, dyn},
              {&s->J0, jac}, {&s->J1, jac},  {&s->dq, n},     {&s->qm, n},
              {&s->vm, n},   {&s->q1, n},    {&s->f, n},      {&s->b, columns * size},
              {&s->c, size}, {&s->c2, size}, {&s->zero, size}};
  for (size_t k = 0; k < sizeof need / sizeof *need; k++)
    *need[k].array = gradyn_arena_numbers(&s->arena, need[k].count);
  s->lanes = gradyn_arena_lanes(&s->arena, gradyn_variational_lanes_needed(s->n, s->m));
  return gradyn_arena_status(&s->arena);
}

/* Allocates the arrays, the problem of the start, and the systems of steps and output states. */
static gradyn_status take_memory(gradyn_variational *s)
{
  const gradyn_mech *mech = s->mech;
  GRADYN_TRY(take_arrays(s));
  GRADYN_TRY(gradyn_initial_create(s->mech, GRADYN_ASSEMBLY, &s->initial));
  GRADYN_TRY(
      gradyn_saddle_create(&mech->dyn, NULL, &mech->jac, s->m, GRADYN_BACKEND_AUTO, &s->position));
  return gradyn_projection_create(s->mech, &s->project);
}

/* Fails for models that this scheme cannot integrate. */
static gradyn_status check(const gradyn_mech *mech, double alpha, gradyn_message *message)
{
  if (!mech->constant_mass)
    return gradyn_fail(message, GRADYN_INVALID,
                       "the method variational needs a mass matrix that does not depend on the "
                       "position: choose ali3p or idas for this model");
  if (mech->reader)
    return gradyn_fail(message, GRADYN_INVALID,
                       "the method variational does not support forces that read multipliers, as "
                       "%s does: choose ali3p, idas or explicit for this model",
                       mech->reader);
  if (!(alpha >= 0 && alpha <= 1))
    return gradyn_fail(message, GRADYN_INVALID,
                       "the quadrature point of the method variational is %g: it must be from 0 to "
                       "1 (0.5: the middle of a step)",
                       alpha);
  return GRADYN_OK;
}

/* Creates the scheme with a quadrature point at alpha; alpha = 1/2 is the midpoint rule. */
gradyn_status gradyn_variational_create(gradyn_model *model, const gradyn_options *options,
                                        gradyn_stepper **out)
{
  gradyn_variational *s = calloc(1, sizeof *s);
  *out = NULL;
  if (!s)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  *out = &s->base;
  s->mech = model->mech;
  int n = s->n = s->mech->n, m = s->m = s->mech->m;
  s->alpha = options->quadrature;
  s->base = (gradyn_stepper){.ops = &variational_ops, .model = model, .share = s->alpha};
  s->base.ny = 3 * n + m; /* q, v, a, lam, as functionals see them */
  s->base.ns = 3 * n;     /* q, P, and dq of the last step */
  s->base.record = 4 * n + m + 1;
  GRADYN_TRY(check(s->mech, s->alpha, &model->message));
  gradyn_status status = take_memory(s);
  return status == GRADYN_OK
             ? status
             : gradyn_fail(&model->message, status, "out of memory for %d coordinates", n);
}
