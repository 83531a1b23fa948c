/* Matrices of the problems of the initial state, with their factors and refined solutions: [W + nu H, J^T;
 * J, 0] of positions, [W, J^T; J, 0] of velocities, [M, U^T; J, 0] of accelerations. A tiny diagonal makes
 * redundant rows solvable; refinement removes its effect. */
#include "dae/start/initial_parts.h"
#include "core/linear/norm.h"
#include "core/mech/rolling.h"
#include "core/mech/size.h"
#include "dae/linear/dependent.h"

#include <math.h>

enum { REFINEMENTS = 3 };

/* Diagonal that keeps the matrix of accelerations regular if rows are redundant, relative to J M^-1 J^T. */
static const double force_share = 1e-9;

/* Fails with a message that names the problem and the unknown at which factorisation failed. */
static gradyn_status blame(const gradyn_initial *s, gradyn_status status, const char *what,
                           int unknown)
{
  return gradyn_fail(s->mech->message, status,
                     "the %s problem of the initial state is %s near %s: is there a point without "
                     "mass that no constraint moves?",
                     what, status == GRADYN_SINGULAR ? "singular" : "not finite",
                     gradyn_unknown_name(s->mech, unknown));
}

/* Factorises a matrix, and checks the deadline. All iterations at the start of a motion, to an equilibrium
 * and about a state call this function. */
gradyn_status gradyn_initial_factor(gradyn_initial *s, gradyn_saddle *matrix, const char *what)
{
  GRADYN_TRY(gradyn_deadline_check(s->mech->deadline, s->mech->message, s->t));
  gradyn_status status = gradyn_linsys_factor(matrix->system);
  if (status == GRADYN_OK || gradyn_linsys_solver_failed(status, s->mech->message))
    return status;
  /* the unknown with a zero pivot is a coordinate or the multiplier of a row */
  return blame(s, status, what, gradyn_linsys_singular_at(matrix->system));
}

/* Computes y = S x or, transposed, y = S^T x, for the saddle-point matrix S of A [dyn], U and J without its
 * tiny diagonal. */
static void multiply(const gradyn_initial *s, const double *A, const double *U, int rows,
                     bool transposed, const double *x, double *y)
{
  const gradyn_mech *mech = s->mech;
  /* S^T = [A^T, J^T; U, 0] */
  const double *upper = transposed ? s->J : U, *lower = transposed ? U : s->J;
  int n = mech->n;
  for (int i = 0; i < n + rows; i++)
    y[i] = 0;
  if (transposed)
    gradyn_pattern_multiply_transposed(&mech->dyn, n, A, 1, x, y);
  else
    gradyn_pattern_multiply(&mech->dyn, n, A, 1, x, y);
  gradyn_pattern_multiply_transposed(&mech->jac, rows, upper, 1, x + n, y);
  gradyn_pattern_multiply(&mech->jac, rows, lower, 1, x, y + n);
}

/* Solves with the factors of the regularised matrix, and refines the solution for the matrix without
 * regularisation. */
void gradyn_initial_solve_refined(gradyn_initial *s, gradyn_saddle *matrix, const double *A,
                                  int rows, bool transposed, double *b)
{
  int size = s->mech->n + rows;
  const double *U = matrix == &s->position ? s->J : s->U;
  for (int i = 0; i < size; i++) {
    s->sum[i] = 0;
    s->rest[i] = b[i];
  }
  for (int pass = 0; pass < REFINEMENTS; pass++) {
    /* x += S^-1 (b - S_0 x), where S_0 is S without its tiny diagonal */
    if (transposed)
      gradyn_linsys_solve_transposed(matrix->system, s->rest, 1);
    else
      gradyn_linsys_solve(matrix->system, s->rest, 1);
    for (int i = 0; i < size; i++)
      s->sum[i] += s->rest[i];
    multiply(s, A, U, rows, transposed, s->sum, s->rest);
    for (int i = 0; i < size; i++)
      s->rest[i] = b[i] - s->rest[i];
  }
  for (int i = 0; i < size; i++)
    b[i] = s->sum[i];
}

double gradyn_initial_guess(const gradyn_initial *s, int i)
{
  return s->guess ? s->guess[i] : s->mech->x[s->mech->q0[i]];
}

double gradyn_initial_weight(const gradyn_initial *s, int i)
{
  const double length_scale = s->mech->length_scale[i];
  return s->mech->begin.nearness ? s->mech->begin.nearness[i] * length_scale * length_scale
                                 : length_scale * length_scale;
}

/* A = W. */
static void set_weights(const gradyn_initial *s, double *A)
{
  const gradyn_pattern *dyn = &s->mech->dyn;
  for (int i = 0; i < s->mech->n; i++)
    for (int k = dyn->start[i]; k < dyn->start[i + 1]; k++)
      A[k] = dyn->col[k] == i ? gradyn_initial_weight(s, i) : 0;
}

/* Factorises [K, J^T; J, -D] of the position and velocity problems. */
static gradyn_status factor_place(gradyn_initial *s, double share, const char *what)
{
  /* D = share R^2, where R are the sizes of the rows */
  gradyn_mech_row_sizes(s->mech, s->J, s->rows, s->row);
  gradyn_saddle_fill(&s->position, s->K, s->J, s->J, 0);
  gradyn_saddle_soften(&s->position, share, s->row);
  return gradyn_initial_factor(s, &s->position, what);
}

gradyn_mech_state gradyn_initial_place_state(const gradyn_initial *s)
{
  return (gradyn_mech_state){.t = s->t, .q = s->q, .v = s->v, .a = s->a, .lam = s->nu};
}

/* Factorises [W + nu H, J^T; J, -D], Newton's matrix of positions. Without second_order it omits nu H, as
 * in the Gauss-Newton method. */
gradyn_status gradyn_initial_place_matrix(gradyn_initial *s, bool second_order)
{
  gradyn_mech *mech = s->mech;
  gradyn_mech_state at = gradyn_initial_place_state(s);
  GRADYN_TRY(mech->ops->phi_q(mech, s->parts, 0, &at, s->J));
  gradyn_mech_zero_nonholonomic(mech, s->J);
  set_weights(s, s->K);
  if (second_order && gradyn_largest(s->nu, s->rows) != 0) {
    GRADYN_TRY(mech->ops->tangent(mech, s->parts, &at, s->C, NULL, NULL));
    /* K = W + nu H, the second-order term of Newton's method */
    for (int k = 0; k < mech->dyn.nnz; k++)
      s->K[k] += s->C[k];
  }
  return factor_place(s, GRADYN_PLACE_SHARE, "position");
}

gradyn_status gradyn_initial_damped_matrix(gradyn_initial *s, double share)
{
  gradyn_mech_state at = gradyn_initial_place_state(s);
  GRADYN_TRY(s->mech->ops->phi_q(s->mech, s->parts, 0, &at, s->J));
  gradyn_mech_zero_nonholonomic(s->mech, s->J);
  set_weights(s, s->K);
  return factor_place(s, share, "position");
}

/* Factorises the matrix [W, J^T; J, 0] of the velocity problem. */
gradyn_status gradyn_initial_velocity_matrix(gradyn_initial *s)
{
  gradyn_mech_state at = gradyn_initial_place_state(s);
  GRADYN_TRY(s->mech->ops->phi_q(s->mech, s->parts, 0, &at, s->J));
  set_weights(s, s->K);
  return factor_place(s, GRADYN_PLACE_SHARE, "velocity");
}

gradyn_mech_state gradyn_initial_motion_state(const gradyn_initial *s, double t, const double *q,
                                              const double *v)
{
  return (gradyn_mech_state){.t = t, .q = q, .v = v, .a = s->a, .lam = s->lam};
}

/* Factorises the matrix [M, U^T; Phi_q, 0] of the acceleration problem. */
static gradyn_status factor_force(gradyn_initial *s)
{
  /* the diagonal is relative to Phi_q M^-1 Phi_q^T, whose size is that of J W^-1 J^T divided by a mass */
  const gradyn_pattern *dyn = &s->mech->dyn;
  double mass = 0;
  for (int i = 0; i < s->mech->n; i++)
    for (int k = dyn->start[i]; k < dyn->start[i + 1]; k++)
      if (dyn->col[k] == i)
        mass = fmax(mass, s->M[k] / gradyn_initial_weight(s, i));
  gradyn_mech_row_sizes(s->mech, s->J, s->mech->m, s->row);
  gradyn_saddle_fill(&s->force, s->M, s->U, s->J, 0);
  gradyn_saddle_soften(&s->force, mass > 0 ? force_share / mass : 1, s->row);
  return gradyn_initial_factor(s, &s->force, "acceleration");
}

/* Evaluates the mechanism's own factors at a state. */
static gradyn_status factor_own(gradyn_initial *s, const gradyn_mech_state *at)
{
  const gradyn_factors_parts parts = {.at = at};
  GRADYN_TRY(gradyn_deadline_check(s->mech->deadline, s->mech->message, s->t));
  gradyn_status status = gradyn_factors_choose(s->way.factors, &parts, GRADYN_FACTORS_TREE);
  return status == GRADYN_OK ? status : blame(s, status, "acceleration", s->way.factors->weak);
}

void gradyn_initial_solve_force(gradyn_initial *s, bool transposed, double *b)
{
  if (s->way.factors)
    gradyn_factors_solve(s->way.factors, transposed, b, 1);
  else
    gradyn_initial_solve_refined(s, &s->force, s->M, s->mech->m, transposed, b);
}

gradyn_status gradyn_initial_plain_matrix(gradyn_initial *s, const gradyn_mech_state *at)
{
  gradyn_mech *mech = s->mech;
  if (s->way.factors)
    return factor_own(s, at);
  GRADYN_TRY(mech->ops->tangent(mech, GRADYN_INERTIA, at, NULL, NULL, s->M));
  GRADYN_TRY(mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 0, at, s->J));
  s->U = s->J;
  return factor_force(s);
}

/* Evaluates and factorises [M, R_lam; Phi_q, 0] for accelerations and multipliers. */
gradyn_status gradyn_initial_force_matrix(gradyn_initial *s, const gradyn_mech_state *at)
{
  gradyn_mech *mech = s->mech;
  if (s->way.factors)
    return factor_own(s, at);
  GRADYN_TRY(mech->ops->tangent(mech, GRADYN_DYNAMICS, at, NULL, NULL, s->M));
  GRADYN_TRY(mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 0, at, s->J));
  GRADYN_TRY(gradyn_mech_residual_lam(mech, at, s->J, s->own, &s->U));
  return factor_force(s);
}
