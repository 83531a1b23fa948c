/* A mechanism as an index-1 system in y = (q, v, a, lam):
 *
 *   q' - v = 0,  v' - a = 0,  R(t, q, v, a, lam) = 0,  G = Phi'' + 2 alpha Phi' + beta^2 Phi = 0.
 *
 * Changes of q and v are eliminated. One saddle-point system for (a, lam) remains, for the Newton matrix
 * and also for its transpose in the adjoint. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dae/systems/index1_mech.h"
#include "core/mech/rolling.h"
#include "core/mech/size.h"
#include "core/mech/vector.h"
#include "dae/linear/dependent.h"
#include "dae/start/initial_parts.h"

static gradyn_mech_system *self(gradyn_index1 *s)
{
  return (gradyn_mech_system *)s;
}

/* --- residual and Jacobians -------------------------------------------------------------------- */

static gradyn_status residual(gradyn_index1 *base, double t, const double *y, const double *yp,
                              double *F)
{
  gradyn_mech_system *s = self(base);
  gradyn_mech *mech = s->mech;
  int n = mech->n, m = mech->m;
  gradyn_mech_state at = gradyn_mech_state_at(s->mech->n, t, y);
  for (int i = 0; i < 2 * n; i++)
    F[i] = yp[i] - y[n + i]; /* equations q' - v = 0 and v' - a = 0 */
  GRADYN_TRY(mech->ops->residual(mech, GRADYN_DYNAMICS, &at, F + 2 * n));
  GRADYN_TRY(mech->ops->phi(mech, GRADYN_CONSTRAINT, 2, &at, F + 3 * n));
  /* Baumgarte's stabilisation adds Phi and Phi' */
  const double factor[2] = {s->beta * s->beta, 2 * s->alpha};
  for (int order = 0; order < 2; order++) {
    if (factor[order] == 0)
      continue;
    GRADYN_TRY(mech->ops->phi(mech, GRADYN_CONSTRAINT, order, &at, s->phi));
    for (int i = 0; i < m; i++)
      F[3 * n + i] += factor[order] * s->phi[i]; /* adds 2 alpha Phi' + beta^2 Phi */
  }
  return GRADYN_OK;
}

/* Evaluates K = R_q, C = R_v, M = R_a, Phi_q, G_q, G_v and R_lam at (t, y). */
static gradyn_status linearise(gradyn_index1 *base, double t, const double *y, const double *yp)
{
  (void)yp;
  gradyn_mech_system *s = self(base);
  gradyn_mech *mech = s->mech;
  gradyn_mech_state at = gradyn_mech_state_at(s->mech->n, t, y);
  s->t = t;
  s->y = y;
  GRADYN_TRY(mech->ops->tangent(mech, GRADYN_DYNAMICS, &at, s->K, s->C, s->M));
  GRADYN_TRY(mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 0, &at, s->J));
  GRADYN_TRY(mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 1, &at, s->J1));
  GRADYN_TRY(mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 2, &at, s->Gq));
  GRADYN_TRY(gradyn_mech_residual_lam(mech, &at, s->J, s->own, &s->U));
  GRADYN_TRY(gradyn_mech_second_v(mech, &at, s->J1, s->Gv));
  /* Phi'_v = Phi_q */
  for (int k = 0; k < s->saddle.jac_nnz; k++) {
    s->Gq[k] += 2 * s->alpha * s->J1[k] + s->beta * s->beta * s->J[k]; /* G_q */
    s->Gv[k] += 2 * s->alpha * s->J[k];                                /* G_v */
  }
  /* without Phi for nonholonomic constraints, which have no order 0 */
  for (int i = 0; i < mech->m; i++)
    for (int k = mech->jac.start[i]; k < mech->jac.start[i + 1] && gradyn_mech_rolls(mech, i); k++)
      s->Gq[k] -= s->beta * s->beta * s->J[k];
  return GRADYN_OK;
}

/* Factorises the Newton matrix F_y + cj F_y', reduced to (a, lam) with c = cj. */
static gradyn_status factor(gradyn_index1 *base, double cj)
{
  self(base)->cj = cj;
  return gradyn_mech_system_factor(self(base), 1 / cj);
}

/* Solves in place. Since dq = dv/cj + r1/cj and dv = da/cj + r2/cj, a saddle-point system for (da, dlam)
 * remains. */
static void solve(gradyn_index1 *base, double *b)
{
  gradyn_mech_system *s = self(base);
  double cj = s->cj;
  int n = s->mech->n, m = s->mech->m;
  double *q0 = s->head, *v0 = s->head + n;
  for (int i = 0; i < n; i++) {
    v0[i] = b[n + i] / cj;       /* r2/cj */
    q0[i] = (v0[i] + b[i]) / cj; /* (r2/cj + r1)/cj */
    s->b[i] = b[2 * n + i];
  }
  for (int i = 0; i < m; i++)
    s->b[n + i] = b[3 * n + i];
  /* r3 - K q0 - C v0, r4 - Gq q0 - Gv v0 */
  gradyn_pattern_multiply(&s->mech->dyn, n, s->K, -1, q0, s->b);
  gradyn_pattern_multiply(&s->mech->dyn, n, s->C, -1, v0, s->b);
  gradyn_pattern_multiply(&s->mech->jac, m, s->Gq, -1, q0, s->b + n);
  gradyn_pattern_multiply(&s->mech->jac, m, s->Gv, -1, v0, s->b + n);
  gradyn_linsys_solve(s->saddle.system, s->b, 1);
  for (int i = 0; i < n; i++) {
    b[i] = q0[i] + s->b[i] / (cj * cj); /* dq = q0 + da/cj^2 */
    b[n + i] = v0[i] + s->b[i] / cj;    /* dv = v0 + da/cj */
    b[2 * n + i] = s->b[i];
  }
  for (int i = 0; i < m; i++)
    b[3 * n + i] = s->b[n + i];
}

/* Computes (R; G)_x dx + (R; G)_t dt for `count` directions, in the first [n + m] of s->lanes. dt [count],
 * or NULL. */
static gradyn_status data_part(gradyn_mech_system *s, int count, const double *dx, const double *dt)
{
  int n = s->mech->n, m = s->mech->m, size = n + m;
  gradyn_mech_state at = gradyn_mech_state_at(s->mech->n, s->t, s->y);
  gradyn_mech_term term[GRADYN_MECH_TERMS];
  double factor[GRADYN_MECH_TERMS];
  gradyn_lanes *const r[] = {s->lanes, s->lanes + size, s->lanes + 2 * size};
  /* (R; G) consists of three terms, one for each order in G = Phi'' + 2 alpha Phi' + beta^2 Phi */
  int terms = gradyn_mech_system_terms(s, &at, term, factor);
  memset(s->lanes, 0, (size_t)(terms * size) * sizeof *s->lanes);
  const gradyn_mech_point look = {terms, term, &at};
  const gradyn_mech_change d = {.x = dx, .t = dt};
  GRADYN_TRY(s->mech->ops->along(s->mech, &look, count, &d, r));
  for (int k = 1; k < terms; k++) /* add the other orders of G with their weights */
    for (int i = n; i < size; i++)
      r[0][i] += factor[k] * r[k][i];
  return GRADYN_OK;
}

/* Computes F_x dx for directions in lanes. */
static gradyn_status data(gradyn_index1 *base, int count, const double *dx, double *const *r)
{
  gradyn_mech_system *s = self(base);
  int n = s->mech->n, m = s->mech->m;
  GRADYN_TRY(data_part(s, count, dx, NULL));
  for (int k = 0; k < count; k++) {
    memset(r[k], 0, (size_t)(2 * n) * sizeof(double));
    for (int i = 0; i < n + m; i++)
      /* equations q' - v = 0 and v' - a = 0 do not depend on data */
      r[k][2 * n + i] = s->lanes[i][k];
  }
  return GRADYN_OK;
}

/* r += F_y s + F_y' s'. */
static void tangent(gradyn_index1 *base, const double *sy, const double *syp, double *r)
{
  gradyn_mech_system *s = self(base);
  int n = s->mech->n, m = s->mech->m;
  for (int i = 0; i < 2 * n; i++)
    r[i] += syp[i] - sy[n + i]; /* q' - v, v' - a */
  gradyn_pattern_multiply(&s->mech->dyn, n, s->K, 1, sy, r + 2 * n);
  gradyn_pattern_multiply(&s->mech->dyn, n, s->C, 1, sy + n, r + 2 * n);
  gradyn_pattern_multiply(&s->mech->dyn, n, s->M, 1, sy + 2 * n, r + 2 * n);
  /* terms R_lam dlam of R, then G_q dq + G_v dv + Phi_q da */
  gradyn_pattern_multiply_transposed(&s->mech->jac, m, s->U, 1, sy + 3 * n, r + 2 * n);
  gradyn_pattern_multiply(&s->mech->jac, m, s->Gq, 1, sy, r + 3 * n);
  gradyn_pattern_multiply(&s->mech->jac, m, s->Gv, 1, sy + n, r + 3 * n);
  gradyn_pattern_multiply(&s->mech->jac, m, s->J, 1, sy + 2 * n, r + 3 * n);
}

/* --- start of an arc --------------------------------------------------------------------------- */

/* Sets y' = (v, a, 0, 0). Rates of algebraic states do not occur in the equations. */
static void set_rates(const gradyn_mech_system *s, const double *y, double *yp)
{
  int n = s->mech->n;
  memcpy(yp, y + n, (size_t)(2 * n) * sizeof(double));
  memset(yp + 2 * n, 0, (size_t)(n + s->mech->m) * sizeof(double));
}

/* Makes (y, y') consistent for given (q, v). (a, lam) enter linearly: from zero, one solve gives them, and
 * a second one removes round-off. With multiplier-dependent forces, the solves start from the multipliers
 * of the initial problem. */
static gradyn_status restart(gradyn_index1 *base, double t, double *y, double *yp)
{
  gradyn_mech_system *s = self(base);
  int n = s->mech->n, m = s->mech->m;
  gradyn_linsys_reset(s->saddle.system);
  memset(y + 2 * n, 0, (size_t)(n + m) * sizeof(double));
  /* multiplier-dependent forces need an iteration of their own for a first solution */
  if (s->mech->reader) {
    GRADYN_TRY(gradyn_initial_accelerate(&s->initial, t, y, y + n));
    memcpy(y + 2 * n, s->initial.a, (size_t)n * sizeof(double));
    memcpy(y + 3 * n, s->initial.lam, (size_t)m * sizeof(double));
  }
  GRADYN_TRY(linearise(base, t, y, yp));
  GRADYN_TRY(gradyn_mech_system_factor(s, 0));
  for (int pass = 0; pass < 2; pass++) {
    GRADYN_TRY(residual(base, t, y, yp, s->F));
    /* J (da, dlam) = -(R, G); the rows q' - v and v' - a are not used, because rates are not known yet */
    gradyn_linsys_solve(s->saddle.system, s->F + 2 * n, 1);
    for (int i = 0; i < n + m; i++)
      y[2 * n + i] -= s->F[2 * n + i];
  }
  set_rates(s, y, yp);
  return GRADYN_OK;
}

/* Fails if multipliers are not unique. Then those of the regularised initial problem differ from those of
 * the equations of motion. */
static gradyn_status check_unique(gradyn_mech_system *s, const double *lam)
{
  const double *expected = s->initial.lam;
  double size = 1, worst = 0;
  int at = 0;
  /* the initial problem has solved the same equations in another way */
  for (int i = 0; i < s->mech->m; i++) {
    size = fmax(size, fabs(expected[i]));
    if (!(fabs(lam[i] - expected[i]) <= worst)) { /* NaN counts as a difference */
      worst = fabs(lam[i] - expected[i]);
      at = i;
    }
  }
  if (worst <= 1e-6 * size)
    return GRADYN_OK;
  return gradyn_fail(s->mech->message, GRADYN_SINGULAR,
                     "the force of constraint %s is not determined: constraints depend on each "
                     "other there. The method idas needs independent constraints; use ali3p or "
                     "explicit",
                     s->mech->constraint_name(s->mech, at));
}

/* Sets position and velocity by assembly, and (a, lam) by the equations of motion. */
static gradyn_status start(gradyn_index1 *base, double *y, double *yp)
{
  gradyn_mech_system *s = self(base);
  int n = s->mech->n;
  gradyn_singular_path_reset(&s->path);
  GRADYN_TRY(gradyn_initial_solve(&s->initial));
  /* restart() resets pivots, so that none of another run are used */
  memcpy(y, s->initial.q, (size_t)n * sizeof(double));
  memcpy(y + n, s->initial.v, (size_t)n * sizeof(double));
  GRADYN_TRY(restart(base, 0, y, yp));
  return check_unique(s, y + 3 * n);
}

/* Computes the derivatives of (a, lam) for changes of (q, v), data and time. */
static gradyn_status restart_tangent(gradyn_index1 *base, const double *dx, double dt, double *sy,
                                     double *syp)
{
  gradyn_mech_system *s = self(base);
  int n = s->mech->n, m = s->mech->m;
  GRADYN_TRY(gradyn_mech_system_factor(s, 0));
  /* right-hand side for (da, dlam): (R; G)_x dx + (R; G)_t dt, and the terms by dq and dv */
  GRADYN_TRY(data_part(s, 1, dx, &dt));
  gradyn_lanes_store(n + m, 1, s->lanes, s->b, n + m);
  /* R_q dq + R_v dv; G_q dq + G_v dv */
  gradyn_pattern_multiply(&s->mech->dyn, n, s->K, 1, sy, s->b);
  gradyn_pattern_multiply(&s->mech->dyn, n, s->C, 1, sy + n, s->b);
  gradyn_pattern_multiply(&s->mech->jac, m, s->Gq, 1, sy, s->b + n);
  gradyn_pattern_multiply(&s->mech->jac, m, s->Gv, 1, sy + n, s->b + n);
  gradyn_linsys_solve(s->saddle.system, s->b, 1);
  for (int i = 0; i < n + m; i++)
    sy[2 * n + i] = -s->b[i];
  set_rates(s, sy, syp);
  return GRADYN_OK;
}

/* Computes the derivatives of the initial state, by its three problems. */
static gradyn_status start_tangent(gradyn_index1 *base, const double *dx, double *sy, double *syp)
{
  gradyn_mech_system *s = self(base);
  int n = s->mech->n;
  GRADYN_TRY(gradyn_initial_tangent(&s->initial, dx, 0, sy, sy + n, NULL, NULL));
  return restart_tangent(base, dx, 0, sy, syp);
}

/* Computes the transpose of start_tangent(), for the differential adjoints p. */
static gradyn_status start_transposed(gradyn_index1 *base, const double *p, double *x_bar)
{
  gradyn_mech_system *s = self(base);
  int n = s->mech->n;
  /* copied, since gradyn_initial_transposed() overwrites p = (p_q, p_v) */
  memcpy(s->head, p, (size_t)(2 * n) * sizeof(double));
  return gradyn_initial_transposed(&s->initial, s->head, s->head + n, NULL, NULL, x_bar, NULL);
}

/* Computes the largest |Phi| and |Phi'|. */
static gradyn_status drift(gradyn_index1 *base, double t, const double *y, double *worst)
{
  gradyn_mech_system *s = self(base);
  gradyn_mech_state at = gradyn_mech_state_at(s->mech->n, t, y);
  return gradyn_mech_drift(s->mech, &at, 2, s->phi, worst);
}

/* Checks for singular positions between accepted states, and for friction that locks the mechanism. */
static gradyn_status watch(gradyn_index1 *base, double t, const double *y)
{
  gradyn_mech_system *s = self(base);
  gradyn_mech_state at = gradyn_mech_state_at(s->mech->n, t, y);
  if (s->mech->reader)
    GRADYN_TRY(gradyn_initial_unlocked(&s->initial, &at));
  return gradyn_singular_path_look(&s->path, &at);
}

/* --- creation ---------------------------------------------------------------------------------- */

/* Also frees an object whose creation has failed. */
static void free_system(gradyn_index1 *base)
{
  gradyn_mech_system *s = self(base);
  gradyn_initial_clear(&s->initial);
  gradyn_saddle_clear(&s->saddle);
  gradyn_singular_path_clear(&s->path);
  gradyn_arena_clear(&s->arena);
  free(s);
}

static const gradyn_index1_ops mech_index1_ops = {.residual = residual,
                                                  .linearise = linearise,
                                                  .factor = factor,
                                                  .solve = solve,
                                                  .data = data,
                                                  .tangent = tangent,
                                                  .start = start,
                                                  .start_tangent = start_tangent,
                                                  .start_transposed = start_transposed,
                                                  .restart = restart,
                                                  .restart_tangent = restart_tangent,
                                                  .adjoint_residual = gradyn_mech_adjoint_residual,
                                                  .adjoint_factor = gradyn_mech_adjoint_factor,
                                                  .adjoint_solve = gradyn_mech_adjoint_solve,
                                                  .adjoint_data = gradyn_mech_adjoint_data,
                                                  .adjoint_restart = gradyn_mech_adjoint_restart,
                                                  .adjoint_terminal = gradyn_mech_adjoint_terminal,
                                                  .drift = drift,
                                                  .watch = watch,
                                                  .free = free_system};

/* Allocates matrices of both patterns, vectors of unknowns, and the problems that solve for them. */
static gradyn_status take_memory(gradyn_mech_system *s)
{
  gradyn_mech *mech = s->mech;
  GRADYN_TRY(gradyn_mech_form(mech));
  gradyn_arena *arena = &s->arena;
  const size_t n = (size_t)mech->n, m = (size_t)mech->m, ny = 3 * n + m;
  const size_t dyn = (size_t)mech->dyn.nnz + 1, jac = (size_t)mech->jac.nnz + 1;
  double **matrix[] = {&s->K, &s->C, &s->M, &s->A, &s->J, &s->J1, &s->Gq, &s->Gv, &s->low};
  for (int k = 0; k < 9; k++) /* the first four have the pattern of M, the others that of Phi_q */
    *matrix[k] = gradyn_arena_numbers(arena, k < 4 ? dyn : jac);
  s->own = gradyn_arena_numbers(arena, mech->reader ? jac : 0);
  s->phi = gradyn_arena_numbers(arena, m);
  s->b = gradyn_arena_numbers(arena, n + m);
  s->head = gradyn_arena_numbers(arena, 2 * n);
  s->F = gradyn_arena_numbers(arena, ny);
  s->id = gradyn_arena_numbers(arena, ny);
  s->differential = gradyn_arena_take(arena, 2 * n, sizeof(int));
  s->lanes = gradyn_arena_lanes(arena, GRADYN_MECH_TERMS * (n + m));
  GRADYN_TRY(gradyn_arena_status(arena));
  GRADYN_TRY(gradyn_initial_create(mech, GRADYN_ASSEMBLY, &s->initial));
  GRADYN_TRY(gradyn_singular_path_create(mech, &s->path));
  return gradyn_saddle_create(&mech->dyn, NULL, &mech->jac, mech->m, GRADYN_BACKEND_AUTO,
                              &s->saddle);
}

/* Creates the system for y = (q, v, a, lam): q' = v, v' = a, R = 0, G = 0. Linear systems do not contain
 * the first two equations. */
gradyn_status gradyn_index1_from_mech(gradyn_model *model, double alpha, double beta,
                                      gradyn_index1 **out)
{
  gradyn_mech *mech = model->mech;
  *out = NULL;
  gradyn_mech_system *s = calloc(1, sizeof *s);
  if (!s)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  *out = &s->base;
  s->mech = mech;
  /* Baumgarte parameters, 1/s */
  s->alpha = alpha;
  s->beta = beta;
  s->base = (gradyn_index1){.ops = &mech_index1_ops,
                            .model = model,
                            .ny = 3 * mech->n + mech->m,
                            .nx = mech->nx,
                            .np = 2 * mech->n,
                            .ne = mech->n + mech->m};
  const gradyn_status status = take_memory(s);
  if (status != GRADYN_OK)
    return gradyn_fail(&model->message, status, "out of memory for %d coordinates", mech->n);
  /* q and v are differential, a and lam algebraic */
  for (int i = 0; i < 2 * mech->n; i++) {
    s->id[i] = 1;
    s->differential[i] = i;
  }
  s->base.id = s->id;
  s->base.differential = s->differential;
  return GRADYN_OK;
}
