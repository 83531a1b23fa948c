/* The variational scheme: transpose of the step's derivative, four functionals at a time.
 * docs/theory/variational.md has the derivation.
 *
 * The adjoint mu of the step's equations contains P_bar/h, which is large and known. With
 * mu = P_bar/h + delta, only delta, which has moderate size, is computed. */
#include <string.h>

#include "core/mech/vector.h"
#include "dae/variational/operations.h"

/* Adjoints of one group of functionals. */
typedef struct pack {
  gradyn_lanes *q, *P, *dq;   /* [n]: adjoints of q, P and dq of the node */
  gradyn_lanes *delta;        /* [n + m]: delta, and the adjoint nu of constraints */
  gradyn_lanes *force, *rows; /* [n]: multipliers of derivatives of f and of G_n^T lam */
  int columns;                /* number of functionals */
} pack;

size_t gradyn_variational_lanes_needed(int n, int m)
{
  return (size_t)(5 * (n + m)); /* the tangent needs more than the transpose */
}

/* Returns a group with the adjoints s_bar of the node, and its workspace. */
static pack pack_of(const gradyn_variational *s, int columns, gradyn_lanes *s_bar)
{
  size_t n = (size_t)s->n, m = (size_t)s->m;
  gradyn_lanes *w = s->lanes;
  return (pack){s_bar, s_bar + n, s_bar + 2 * n, w, w + n + m, w + 2 * n + m, columns};
}

/* Adjoints of data, step length and time to which those of one group are added. */
typedef struct sink {
  gradyn_lanes *x_bar;   /* [nx] */
  double *h_bar, *t_bar; /* entries of the first functional of the group, or NULL */
} sink;

/* Solves for delta and nu. With A = M + (1 - alpha) h^2 B and B = alpha K + C/h:
 *
 *   A^T delta + G_n+1^T nu = q_bar + dq_bar - h B^T P_bar,    G_n delta = -G_n P_bar/h. */
static void solve(gradyn_variational *s, const pack *p)
{
  const gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m, size = n + m;
  for (int i = 0; i < n; i++) /* q_n+1 = q_n + dq: adjoints of q_n+1 and of dq contribute */
    p->delta[i] = p->q[i] + p->dq[i];
  /* P_bar contributes by dq through B, and by lam through G_n */
  gradyn_lanes_multiply_transposed(&mech->dyn, n, s->B, -s->last.h, p->P, p->delta);
  for (int i = 0; i < m; i++) {
    gradyn_lanes sum = {0};
    for (int k = mech->jac.start[i]; k < mech->jac.start[i + 1]; k++)
      sum += s->J0[k] * p->P[mech->jac.col[k]];
    p->delta[n + i] = sum * (-1 / s->last.h);
  }
  /* solved with one column per functional */
  gradyn_lanes_store(size, p->columns, p->delta, s->b, size);
  gradyn_linsys_solve_transposed(s->position.system, s->b, p->columns);
  gradyn_lanes_load(size, p->columns, s->b, size, p->delta);
}

/* Computes the adjoints of the first node, and the multipliers of derivatives of f and of G_n^T lam. */
static void first_node(gradyn_variational *s, const pack *p)
{
  const gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m;
  double h = s->last.h, rest = 1 - s->alpha;
  for (int i = 0; i < n; i++) {
    /* f is in P_n+1 and in the step's equations */
    p->force[i] = h * (p->P[i] + rest * h * p->delta[i]);
    p->P[i] += h * p->delta[i];
    p->rows[i] = h * p->P[i];
    p->dq[i] = (gradyn_lanes){0};
  }
  gradyn_lanes_multiply_transposed(&mech->dyn, n, s->K, -1, p->force, p->q);
  gradyn_lanes_multiply_transposed(&mech->jac, m, s->J1, -1, p->delta + n, p->q);
}

/* Subtracts (M_x dq)^T delta + ((G_n^T lam)_x)^T rows + f_x^T force + Phi_x^T nu from x_bar, where f = -Q,
 * and ((G_n^T lam)_q)^T rows from the adjoint of q_n. Derivatives by the times of first node, quadrature
 * point and last node go to t_bar [3][columns], or NULL. */
static gradyn_status subtract_products(gradyn_variational *s, const pack *p, gradyn_lanes *x_bar,
                                       double t_bar[3][GRADYN_LANES])
{
  gradyn_mech *mech = s->mech;
  gradyn_mech_state first = gradyn_variational_first(s), middle = gradyn_variational_middle(s),
                    last = gradyn_variational_last(s);
  const gradyn_mech_term term[] = {{GRADYN_CONSTRAINT, GRADYN_NO_ORDER, first},
                                   {GRADYN_INERTIA, GRADYN_NO_ORDER, first},
                                   {GRADYN_FORCE, GRADYN_NO_ORDER, middle},
                                   {0, 0, last}};
  /* first node, quadrature point, last node */
  const gradyn_mech_point look[] = {
      {2, term, &first}, {1, term + 2, &middle}, {1, term + 3, &last}};
  gradyn_lanes *const mu[] = {p->rows, p->delta, p->force, p->delta};
  for (int k = 0; k < 3; k++) {
    const gradyn_mech_adjoints adjoints = {
        .lanes = x_bar, .t = t_bar ? t_bar[k] : NULL, .q = k == 0 ? p->q : NULL};
    GRADYN_TRY(
        mech->ops->against(mech, &look[k], p->columns, mu + (k == 0 ? 0 : k + 1), &adjoints));
  }
  return GRADYN_OK;
}

/* Adds factor times the products of x [count] with the group's multipliers to bar [columns]. */
static void add_product(const pack *p, int count, double factor, const double *x,
                        const gradyn_lanes *mult, double *bar)
{
  gradyn_lanes sum = {0};
  for (int i = 0; i < count; i++)
    sum += x[i] * mult[i];
  for (int f = 0; f < p->columns; f++)
    bar[f] += factor * sum[f];
}

/* Adds the adjoints of the step length and of the time of the step's end. moved [3][columns] contains the
 * adjoints of the times of first node, quadrature point and last node. Constraint forces do not appear in
 * the explicit derivative by h, because G_n P_bar = 0 for the adjoint of the first node's momentum. */
static gradyn_status time_bars(gradyn_variational *s, const pack *p, double moved[3][GRADYN_LANES],
                               const sink *out)
{
  gradyn_mech *mech = s->mech;
  int n = s->n;
  double h = s->last.h, rest = 1 - s->alpha;
  gradyn_mech_state at = gradyn_variational_middle(s);
  for (int f = 0; f < p->columns; f++) { /* times t_end - h, t_end - (1 - alpha) h, t_end */
    out->t_bar[f] += moved[0][f] + moved[1][f] + moved[2][f];
    if (out->h_bar)
      out->h_bar[f] -= moved[0][f] + rest * moved[1][f];
  }
  if (!out->h_bar) /* the step length is constant, only its time changes */
    return GRADYN_OK;
  /* explicit derivative by h: M dq/h times delta, -f/h times force, and f by the velocity dq/h */
  GRADYN_TRY(mech->ops->residual(mech, GRADYN_FORCE, &at, s->f));
  memset(s->c, 0, (size_t)n * sizeof(double));
  gradyn_pattern_multiply(&mech->dyn, n, s->project.M, 1, s->vm, s->c);
  add_product(p, n, 1, s->c, p->delta, out->h_bar);
  for (int i = 0; i < n; i++)
    s->c[i] = -s->f[i] / h;
  gradyn_pattern_multiply(&mech->dyn, n, s->C, 1 / h, s->vm, s->c);
  add_product(p, n, 1, s->c, p->force, out->h_bar);
  return GRADYN_OK;
}

/* Transposes a step for one group of functionals. */
static gradyn_status transpose_pack(gradyn_variational *s, int columns, gradyn_lanes *s_bar,
                                    const sink *out)
{
  /* delta and nu first, then adjoints of the first node, then of data and times */
  const pack p = pack_of(s, columns, s_bar);
  double moved[3][GRADYN_LANES] = {{0}};
  solve(s, &p);
  first_node(s, &p);
  GRADYN_TRY(subtract_products(s, &p, out->x_bar, out->t_bar ? moved : NULL));
  return out->t_bar ? time_bars(s, &p, moved, out) : GRADYN_OK;
}

/* Replaces the adjoints of a node by those of the node before, in groups of four. */
gradyn_status gradyn_variational_transposed(gradyn_stepper *base, int count, gradyn_lanes *s_bar,
                                            gradyn_lanes *x_bar, double *h_bar, double *t_bar)
{
  gradyn_variational *s = (gradyn_variational *)base;
  for (int f = 0; f < count; f += GRADYN_LANES, s_bar += base->ns) {
    const sink out = {x_bar + f / GRADYN_LANES * base->model->nx, h_bar ? h_bar + f : NULL,
                      t_bar ? t_bar + f : NULL};
    int columns = count - f < GRADYN_LANES ? count - f : GRADYN_LANES;
    GRADYN_TRY(transpose_pack(s, columns, s_bar, &out));
  }
  s->known = s->last.from; /* in a backward sweep, G_n is G_n+1 of the step before */
  return GRADYN_OK;
}

/* P_0 = M v_0. */
gradyn_status gradyn_variational_start_transposed(gradyn_stepper *base, double *s_bar,
                                                  double *x_bar)
{
  gradyn_variational *s = (gradyn_variational *)base;
  int n = s->n;
  double *P_bar = s_bar + n, *v_bar = s_bar + 2 * n;
  gradyn_mech_state at = {.q = s->initial.q, .v = s->zero, .a = s->initial.v};
  const gradyn_mech_term term = {GRADYN_INERTIA, GRADYN_NO_ORDER, at};
  memset(s->c, 0, (size_t)(n + s->m) * sizeof(double));
  memcpy(s->c, P_bar, (size_t)n * sizeof(double));
  GRADYN_TRY(
      gradyn_mech_against(s->mech, &term, &at, s->c, s->lanes, &(gradyn_mech_sums){.x = x_bar}));
  memset(v_bar, 0, (size_t)n * sizeof(double));
  gradyn_pattern_multiply(&s->mech->dyn, n, s->project.M, 1, P_bar, v_bar); /* M is symmetric */
  return gradyn_initial_transposed(&s->initial, s_bar, v_bar, NULL, NULL, x_bar, NULL);
}
