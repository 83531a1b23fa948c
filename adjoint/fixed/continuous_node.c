/* A node of an ALI3-P run for the continuous adjoint. The node has q, v, a, lam; the effects of the
 * projections follow from these and the node before it. */
#include "adjoint/fixed/continuous_node.h"
#include "core/mech/vector.h"

#include <string.h>

/* Allocates matrices and workspace of one node, for all functionals. */
gradyn_status gradyn_adjoint_node_create(gradyn_fixed *march, gradyn_adjoint_node *s)
{
  gradyn_mech *mech = march->model->mech;
  *s = (gradyn_adjoint_node){
      .march = march, .model = march->model, .mech = mech, .n = mech->n, .m = mech->m};
  const size_t n = (size_t)s->n, m = (size_t)s->m;
  gradyn_arena *arena = &s->arena;
  GRADYN_TRY(gradyn_mech_form(mech));
  /* matrices have one more entry, for the ground */
  double **matrix[] = {&s->K, &s->C, &s->M, &s->A}, **vector[] = {&s->vs, &s->as, &s->w, &s->u};
  for (int k = 0; k < 4; k++) {
    *matrix[k] = gradyn_arena_numbers(arena, (size_t)mech->dyn.nnz + 1);
    *vector[k] = gradyn_arena_numbers(arena, n);
  }
  s->J = gradyn_arena_numbers(arena, (size_t)mech->jac.nnz + 1);
  double **both[] = {&s->sigma, &s->kappa, &s->minus, &s->rest};
  for (int k = 0; k < 4; k++)
    *both[k] = gradyn_arena_numbers(arena, n + m);
  s->lam = gradyn_arena_numbers(arena, m);
  s->work = gradyn_arena_lanes(arena, 3 * n + m);
  GRADYN_TRY(gradyn_arena_status(arena));
  GRADYN_TRY(gradyn_factors_create(mech, NULL, 0, arena, &s->motion));
  return gradyn_factors_create(mech, mech->inertia, 0, arena, &s->project);
}

void gradyn_adjoint_node_clear(gradyn_adjoint_node *s)
{
  gradyn_factors_clear(&s->motion);
  gradyn_factors_clear(&s->project);
  gradyn_arena_clear(&s->arena);
  *s = (gradyn_adjoint_node){0};
}

/* --- linear algebra --------------------------------------------------------------------------- */

void gradyn_adjoint_node_multiply(const gradyn_adjoint_node *s, const double *A, double factor,
                                  const double *x, double *y)
{
  gradyn_pattern_multiply(&s->mech->dyn, s->n, A, factor, x, y);
}

void gradyn_adjoint_node_transposed(const gradyn_adjoint_node *s, const double *A, double factor,
                                    const double *x, double *y)
{
  gradyn_pattern_multiply_transposed(&s->mech->dyn, s->n, A, factor, x, y);
}

void gradyn_adjoint_node_jacobian(const gradyn_adjoint_node *s, const double *J, double factor,
                                  const double *x, double *y)
{
  gradyn_pattern_multiply_transposed(&s->mech->jac, s->m, J, factor, x, y);
}

void gradyn_adjoint_node_solve_motion(gradyn_adjoint_node *s, double *b)
{
  gradyn_factors_solve(&s->motion, true, b, 1);
}

void gradyn_adjoint_node_solve_projection(gradyn_adjoint_node *s, double *b)
{
  gradyn_factors_solve(&s->project, true, b, 1);
}

gradyn_status gradyn_adjoint_node_factor_motion(gradyn_adjoint_node *s, double h)
{
  const gradyn_factors_parts parts = {.A = s->A, .U = s->J, .J = s->J};
  /* trapezoidal rule: gamma h = h/2, beta h^2 = h^2/4 */
  for (int i = 0; i < s->mech->dyn.nnz; i++)
    s->A[i] = s->M[i] + h / 2 * s->C[i] + h * h / 4 * s->K[i];
  gradyn_status status = gradyn_factors_make(&s->motion, &parts, s->kind, s->kind);
  return status == GRADYN_OK ? status : gradyn_factors_fail(&s->motion, status, s->t);
}

/* Factorises the matrix of the projections. The first node shows, for all nodes, whether constraints are
 * redundant. */
static gradyn_status factor_projections(gradyn_adjoint_node *s, bool first)
{
  const gradyn_factors_parts parts = {.A = s->M, .U = s->J, .J = s->J};
  gradyn_factors *project = &s->project;
  gradyn_status status = first ? gradyn_factors_choose(project, &parts, GRADYN_FACTORS_EXACT)
                               : gradyn_factors_make(project, &parts, s->kind, s->kind);
  s->kind = project->kind;
  return status == GRADYN_OK ? status : gradyn_factors_fail(project, status, s->t);
}

/* --- the node --------------------------------------------------------------------------------- */

/* Returns a state with the position of the present node, and with velocities, accelerations and multipliers
 * of a stage. */
static gradyn_mech_state state_of(const gradyn_adjoint_node *s, const double *v, const double *a,
                                  const double *lam)
{
  return (gradyn_mech_state){.t = s->t, .q = s->at, .v = v, .a = a, .lam = lam};
}

/* Returns the state at which the equations of a part hold. */
static gradyn_mech_state force_state(const gradyn_adjoint_node *s, gradyn_adjoint_part part)
{
  if (part == GRADYN_ADJOINT_VELOCITY)
    return state_of(s, s->vs, s->w, s->sigma + s->n);
  if (part == GRADYN_ADJOINT_ACCELERATION)
    return state_of(s, s->vs, s->u, s->kappa + s->n);
  return state_of(s, s->vs, s->as, s->lam);
}

/* Returns the state at which the constraints hold. */
static gradyn_mech_state node_state(const gradyn_adjoint_node *s)
{
  return state_of(s, s->at + s->n, s->at + 2 * s->n, s->at + 3 * s->n);
}

/* Computes v* and a* of the step of length h that ends here, by the trapezoidal rule. Those of the first
 * node are its projected ones. */
static void unproject(gradyn_adjoint_node *s, double h)
{
  int n = s->n;
  for (int i = 0; i < n; i++) {
    s->vs[i] = s->at[n + i];
    s->as[i] = s->at[2 * n + i];
    if (s->before) {
      /* q' = q + h (v + v*)/2 and v* = v + h (a + a*)/2, solved for v* and a* */
      double dq = s->at[i] - s->before[i], v = s->before[n + i];
      s->vs[i] = 2 * dq / h - v;
      s->as[i] = 4 * (dq - h * v) / (h * h) - s->before[2 * n + i];
    }
    /* changes by the projections */
    s->w[i] = s->at[n + i] - s->vs[i];
    s->u[i] = s->at[2 * n + i] - s->as[i];
  }
}

/* Multipliers of a projection from M w + Phi_q^T sigma = 0; out [n + m]. */
static void find_multipliers(gradyn_adjoint_node *s, const double *w, double *out)
{
  memset(out, 0, (size_t)(s->n + s->m) * sizeof(double));
  gradyn_adjoint_node_multiply(s, s->M, -1, w, out);
  gradyn_adjoint_node_solve_projection(s, out);
}

/* Computes all values that depend on the node alone: matrices, v* and a* before the projections, and
 * multipliers of the projections. */
gradyn_status gradyn_adjoint_node_visit(gradyn_adjoint_node *s, int k, bool first)
{
  const gradyn_mech_ops *ops = s->mech->ops;
  const double *from, *to;
  /* node k is the end of step k - 1; the first node is the start of step 0 */
  int step = k > 0 ? k - 1 : 0;
  GRADYN_TRY(gradyn_fixed_nodes(s->march, step, &from, &to));
  s->at = k > 0 ? to : from;
  s->before = k > 0 ? from : NULL;
  s->t = gradyn_fixed_time(s->march, k);
  s->weight = gradyn_fixed_weight(s->march, k);
  unproject(s, gradyn_fixed_length(s->march, step));
  /* M and Phi_q at q, factorised for the projections */
  const gradyn_mech_state node = node_state(s);
  GRADYN_TRY(ops->tangent(s->mech, GRADYN_INERTIA, &node, NULL, NULL, s->M));
  GRADYN_TRY(ops->phi_q(s->mech, GRADYN_CONSTRAINT, 0, &node, s->J));
  GRADYN_TRY(factor_projections(s, first));
  /* the projections' multipliers follow from w and u */
  find_multipliers(s, s->w, s->sigma);
  find_multipliers(s, s->u, s->kappa);
  for (int i = 0; i < s->m; i++) /* the node has lam* + kappa */
    s->lam[i] = s->at[3 * s->n + i] - s->kappa[s->n + i];
  const gradyn_mech_state motion = force_state(s, GRADYN_ADJOINT_MOTION);
  return ops->tangent(s->mech, GRADYN_DYNAMICS, &motion, s->K, s->C, s->M);
}

/* S^T (alpha; kappa^) = (g_a; 0) and S^T (beta; sigma^) = (g_v - 2 Phi'_q^T kappa^; 0);
 * c = H_u^T alpha + Phi''_q^T kappa^ + H_w^T beta + Phi'_q^T sigma^ - g_q. */
gradyn_status gradyn_adjoint_node_project(gradyn_adjoint_node *s, const double *y_bar,
                                          double *alpha, double *beta, double *c)
{
  int n = s->n, m = s->m;
  const gradyn_mech_sums by_a = {.q = c, .v = beta}, by_v = {.q = c};
  /* (alpha; kappa^) first, because it affects beta and c through v* and q */
  memset(alpha + n, 0, (size_t)m * sizeof(double));
  memset(beta + n, 0, (size_t)m * sizeof(double));
  memcpy(alpha, y_bar + 2 * n, (size_t)n * sizeof(double));
  memcpy(beta, y_bar + n, (size_t)n * sizeof(double));
  memcpy(c, y_bar, (size_t)n * sizeof(double));
  gradyn_adjoint_node_solve_projection(s, alpha);
  GRADYN_TRY(gradyn_adjoint_node_subtract(s, GRADYN_ADJOINT_ACCELERATION, 2, 1, alpha, &by_a));
  gradyn_adjoint_node_solve_projection(s, beta);
  GRADYN_TRY(gradyn_adjoint_node_subtract(s, GRADYN_ADJOINT_VELOCITY, 1, 1, beta, &by_v));
  /* subtract() has computed g_q - .., the negative of c */
  for (int i = 0; i < n; i++)
    c[i] = -c[i];
  return GRADYN_OK;
}

/* Subtracts factor (H_.^T mu) of the selected part of the equations from adjoints. */
gradyn_status gradyn_adjoint_node_subtract(gradyn_adjoint_node *s, gradyn_adjoint_part part,
                                           int order, double factor, const double *mu,
                                           const gradyn_mech_sums *adjoints)
{
  int size = s->n + s->m;
  int parts = part == GRADYN_ADJOINT_MOTION ? GRADYN_DYNAMICS : GRADYN_INERTIA | GRADYN_CONSTRAINT;
  gradyn_mech_state force = force_state(s, part), node = node_state(s);
  for (int i = 0; i < size; i++)
    s->minus[i] = -factor * mu[i];
  const gradyn_mech_term term = {parts, order, force};
  return gradyn_mech_against(s->mech, &term, &node, s->minus, s->work, adjoints);
}

/* rates += Phi'_q x. */
gradyn_status gradyn_adjoint_node_add_rates(gradyn_adjoint_node *s, const double *x, double *rates)
{
  gradyn_mech_state node = node_state(s);
  const gradyn_mech_term term = {0, 1, node};
  const gradyn_mech_vector d = {.q = x};
  memset(s->rest, 0, (size_t)s->n * sizeof(double));
  memcpy(s->rest + s->n, rates, (size_t)s->m * sizeof(double));
  gradyn_status status = gradyn_mech_along(s->mech, &term, &node, &d, s->work, s->rest);
  memcpy(rates, s->rest + s->n, (size_t)s->m * sizeof(double));
  return status;
}
