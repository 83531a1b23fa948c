/* ALI3-P: matrices of a converged step, and its directional derivative. The derivative is computed stage by
 * stage in the order of the step; docs/theory/ali3p.md has the derivation. */
#include <string.h>

#include "core/mech/vector.h"
#include "dae/ali3p/linear.h"

/* Returns the data of the step that its second node contains; they are only read here. */
static gradyn_ali3p_extra extra_of(const gradyn_ali3p *s)
{
  return gradyn_ali3p_extra_of(s, (double *)s->last.to);
}

/* Sets the terms of the three stages (residual, constraints and state), whose derivatives by data and time
 * are needed. */
static void look_at_states(gradyn_ali3p *s)
{
  int n = s->n, projection = GRADYN_INERTIA | GRADYN_CONSTRAINT;
  double t = s->last.t + s->last.h;
  const double *q = s->last.to, *lam = q + 3 * n, *kappa = gradyn_ali3p_kappa(s, q);
  const gradyn_ali3p_extra x = extra_of(s);
  const double *vs = s->trial.vs;
  gradyn_mech_term *stage = s->last.states.stage;
  /* lam* of the position problem, and the multipliers by which forces were evaluated in the step */
  for (int i = 0; i < s->m; i++)
    s->last.lam[i] = lam[i] - kappa[i];
  for (int i = 0; i < s->m && s->extra; i++)
    s->trial.read[i] = s->last.lam[i] + s->last.from[s->extra + i];
  const double *read = s->extra ? s->trial.read : NULL;
  /* first R and Phi at (v*, a*); then M w + Phi_q^T sigma and Phi'; then M u + Phi_q^T kappa and Phi'' */
  stage[GRADYN_PLACE] = (gradyn_mech_term){
      GRADYN_DYNAMICS, 0, {t, q, vs, s->trial.as, s->last.lam, read}};
  stage[GRADYN_VELOCITY] = (gradyn_mech_term){projection, 1, {t, q, vs, x.w, x.sigma, NULL}};
  stage[GRADYN_ACCELERATION] = (gradyn_mech_term){projection, 2, {t, q, vs, x.u, x.kappa, NULL}};
  s->last.states.node = (gradyn_mech_state){t, q, q + n, q + 2 * n, lam, NULL};
}

/* Computes out = x - y, for arrays that do not overlap. */
static void subtract(int n, const double *restrict x, const double *restrict y,
                     double *restrict out)
{
  for (int i = 0; i < n; i++)
    out[i] = x[i] - y[i];
}

/* Loads the present step: its nodes, its coefficients, and the kind of its factors. */
static void look_at_step(gradyn_ali3p *s, double t, double h, const double *from, const double *to)
{
  s->last.t = t;
  s->last.h = h;
  s->last.from = from;
  s->last.to = to;
  const int n = s->n;
  const gradyn_ali3p_extra extra = extra_of(s);
  gradyn_ali3p_allow(s, (gradyn_factors_kind)*extra.kind, GRADYN_FACTORS_SOFTENED);
  gradyn_ali3p_coefficients_of(s, h, &s->k);
  /* v* = v - w, a* = a - u */
  subtract(n, to + n, extra.w, s->trial.vs);
  subtract(n, to + 2 * n, extra.u, s->trial.as);
  look_at_states(s);
}

/* Evaluates K, C and M at (q', v*, a*), and Phi_q and U = R_lam^T at q'. */
static gradyn_status evaluate(gradyn_ali3p *s)
{
  gradyn_mech *mech = s->mech;
  const gradyn_mech_state *position = &s->last.states.stage[GRADYN_PLACE].at;
  /* C that is zero and M that is constant are not evaluated */
  double *C = mech->damped ? s->mat.C : NULL, *M = mech->constant_mass ? NULL : s->mat.M;
  GRADYN_TRY(mech->ops->tangent(mech, GRADYN_DYNAMICS, position, s->mat.B, C, M));
  GRADYN_TRY(mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 0, &s->last.states.node, s->mat.J));
  GRADYN_TRY(gradyn_ali3p_roll_matrix(s, position));
  return gradyn_mech_residual_lam(mech, position, s->mat.J, s->mat.own, &s->mat.U);
}

/* Computes B = K + vq C. On entry B contains K. */
static void add_up(gradyn_ali3p *s)
{
  int nnz = s->mech->dyn.nnz;
  /* without damping C is not evaluated */
  s->mat.viscous = s->mech->damped;
  for (int i = 0; i < nnz && s->mat.viscous; i++)
    s->mat.B[i] += s->k.vq * s->mat.C[i];
}

/* Evaluates and factorises all matrices at the end of a step, for tangents and transposes of any number of
 * directions. */
gradyn_status gradyn_ali3p_linearise(gradyn_stepper *base, double t, double h, const double *from,
                                     const double *to)
{
  gradyn_ali3p *s = (gradyn_ali3p *)base;
  look_at_step(s, t, h, from, to);
  GRADYN_TRY(evaluate(s));
  add_up(s);
  /* new factors, which do not depend on those of the step, so that repeated nodes give equal bits */
  GRADYN_TRY(gradyn_ali3p_factor_projection(s, t + h));
  gradyn_factors_invert(&s->project);
  s->choice.way = GRADYN_ALI3P_OPEN;
  /* The inverse may serve the position problem as well; that is decided when the kind of product is known.
   * With nonholonomic constraints, the rows of the position problem differ and need factors of their own. */
  return s->project.kind == GRADYN_FACTORS_INVERTED && s->mech->rolling == 0
             ? GRADYN_OK
             : gradyn_ali3p_factor_place(s);
}

/* --- right-hand sides by data and time --------------------------------------------------------- */

/* Up to four directions, in one group of lanes. */
typedef struct pack {
  int columns;            /* number of directions */
  const gradyn_lanes *dx; /* [nx], or NULL */
  const double *dt;       /* [columns] */
  gradyn_lanes dh;
  gradyn_lanes *q, *v, *a, *lam, *A; /* [n], lam [m]: changes of the node */
  gradyn_lanes *vs, *as, *As;        /* [n] changes of v*, a* and A* */
  gradyn_lanes *rhs;                 /* [n + m] right-hand side of the present stage */
  gradyn_lanes *x;                   /* [n + m] */
} pack;

enum { PACKS = GRADYN_MECH_COLUMNS / GRADYN_LANES };

/* Directions that pass through a step together: one or two groups of lanes. Two groups share products with
 * derivatives of the model, whose entries then have two groups of lanes. */
typedef struct group {
  int columns, packs;
  const gradyn_lanes *dx; /* [packs][nx], or NULL */
  const double *dt;       /* [columns] */
  pack pack[PACKS];
  gradyn_lanes *rows[GRADYN_STAGES]; /* [n + m] right-hand sides of the stages, for all groups */
  gradyn_lanes *state;               /* [n] change of the state for all groups, if there are two */
} group;

/* Returns the number of lanes of workspace, which also suffices for the transposed step. */
size_t gradyn_ali3p_lanes_needed(int n, int m)
{
  return PACKS * (size_t)(5 * n + 2 * m + GRADYN_STAGES * (n + m) + n);
}

/* Sets the arrays of a group of lanes: the changes ds of its node, and workspace. */
static void take_pack(const gradyn_ali3p *s, gradyn_lanes *ds, gradyn_lanes *capacity, pack *p)
{
  const int n = s->n, m = s->m;
  p->q = ds;
  p->v = ds + n;
  p->a = ds + 2 * n;
  p->lam = ds + 3 * n;
  p->A = ds + s->base.ny;
  p->vs = capacity;
  p->as = capacity + n;
  p->As = capacity + 2 * n;
  p->x = capacity + 3 * n;
  p->rhs = p->x + n + m;
}

/* Sets the arrays of one or two groups of lanes: up to four directions, and up to four more. */
static void take_group(const gradyn_ali3p *s, const double *dh, gradyn_lanes *ds, group *g)
{
  const int n = s->n, m = s->m;
  gradyn_lanes *capacity = s->lanes;
  g->packs = g->columns > GRADYN_LANES ? PACKS : 1;
  for (int k = 0; k < g->packs; k++, capacity += 5 * n + 2 * m) {
    const int first = k * GRADYN_LANES, left = g->columns - first;
    pack *p = &g->pack[k];
    p->columns = left < GRADYN_LANES ? left : GRADYN_LANES;
    p->dx = g->dx ? g->dx + k * s->base.model->nx : NULL;
    p->dt = g->dt + first;
    take_pack(s, ds + k * s->base.ns, capacity, p);
    gradyn_lanes_load(1, p->columns, dh + first, 1, &p->dh);
  }
  for (int k = 0; k < GRADYN_STAGES; k++, capacity += g->packs * (n + m))
    g->rows[k] = capacity;
  g->state = capacity;
}

/* Copies the right-hand sides of a stage to each group of lanes. */
static void hand_out(const gradyn_ali3p *s, group *g, int stage)
{
  if (g->packs == 1)
    g->pack->rhs = g->rows[stage];
  else
    gradyn_lanes_split(s->n + s->m, g->rows[stage], g->pack[0].rhs, g->pack[1].rhs);
}

/* Returns whether any entry is nonzero. */
static bool any(int count, const double *x)
{
  for (int i = 0; i < count; i++)
    if (x[i] != 0)
      return true;
  return false;
}

/* Adds the derivatives of stages first, ..., first + stages - 1 along the change d to the right-hand sides.
 */
static gradyn_status add_along(gradyn_ali3p *s, const group *g, int first, int stages,
                               const gradyn_mech_change *d)
{
  const gradyn_mech_point look = {stages, &s->last.states.stage[first], &s->last.states.node};
  return s->mech->ops->along(s->mech, &look, g->columns, d, &g->rows[first]);
}

/* Sets the right-hand sides of all stages to their derivatives along dx and dt. */
static gradyn_status data_terms(gradyn_ali3p *s, const group *g)
{
  /* in most runs time does not change with the data */
  const gradyn_mech_change d = {.lanes = g->dx, .t = any(g->columns, g->dt) ? g->dt : NULL};
  memset(g->rows[0], 0, (size_t)(GRADYN_STAGES * g->packs * (s->n + s->m)) * sizeof *g->rows[0]);
  return add_along(s, g, GRADYN_PLACE, GRADYN_STAGES, &d);
}

/* --- the three stages -------------------------------------------------------------------------- */

/* Adds the derivatives of q' and v* by the step length, times dh, at fixed A*. The equations then correct
 * these changes. At fixed dq, terms of size v/h would cancel. */
static void stretch(const gradyn_ali3p *s, const pack *p)
{
  const double *v = s->last.from + s->n, *A = gradyn_ali3p_A(s, s->last.from), h = s->last.h;
  for (int i = 0; i < s->n; i++) {
    const double As = gradyn_ali3p_moved(s, i);
    /* dq = h v + h^2 ((1/2 - beta) A + beta A*), v* = v + h ((1 - gamma) A + gamma A*) */
    p->q[i] += (v[i] + h * ((1 - 2 * s->rule.beta) * A[i] + 2 * s->rule.beta * As)) * p->dh;
    p->vs[i] += ((1 - s->rule.gamma) * A[i] + s->rule.gamma * As) * p->dh;
  }
}

/* Sets the changes of q', v*, A* and a* by the changes of the node before and of h, as if A* changed like
 * A. The equations then correct these changes. At a fixed increment dq, terms of size v/h would cancel. */
static GRADYN_WIDE void carry_over(const gradyn_ali3p *s, const pack *p)
{
  /* a local copy, which changes written below cannot alias */
  const gradyn_ali3p_coefficients k = s->k;
  const gradyn_lanes *dA = s->rule.own_A ? p->A : p->a;
  const double half = k.h / 2, kept = k.share + k.kept;
  const int n = s->n;
  bool moving = false;
  for (int i = 0; i < n; i++) {
    gradyn_lanes v = p->v[i], A = dA[i], a = p->a[i];
    /* changes of dq = h v + h^2/2 A, v* = v + h A, and a*, with A* = A */
    p->q[i] += k.h * (v + half * A);
    p->vs[i] = v + k.h * A;
    p->as[i] = kept * A + k.aa * a;
  }
  if (s->rule.own_A)
    memcpy(p->As, dA, (size_t)n * sizeof *dA);
  /* step lengths change only if the end time or boundaries move */
  for (int j = 0; j < p->columns; j++)
    moving = moving || p->dh[j] != 0;
  if (moving)
    stretch(s, p);
}

/* Adds -Q_lam dkappa to the right-hand side, with -Q_lam = R_lam - Phi_q^T. kappa is that of the node
 * before, which was added to the multipliers of forces. */
static void carry_reading(gradyn_ali3p *s, const pack *p)
{
  const gradyn_pattern *jac = &s->mech->jac;
  const gradyn_lanes *kappa = p->q + s->extra;
  gradyn_lanes_multiply_transposed(jac, s->m, s->mat.U, 1, kappa, p->rhs);
  gradyn_lanes_multiply_transposed(jac, s->m, s->mat.J, -1, kappa, p->rhs);
}

/* Stage of the position problem: solves [K + vq C + aq M, R_lam; Phi_q, 0] (ddq, dlam) = -rhs, divided by
 * aq. The change of v* enters by K dq + C dv* = (K + vq C) dq + C (dv* - vq dq). */
static GRADYN_WIDE gradyn_status position_stage(gradyn_ali3p *s, const pack *p)
{
  const gradyn_mech *mech = s->mech;
  const int n = s->n, m = s->m;
  const gradyn_ali3p_coefficients k = s->k;
  gradyn_lanes *rhs = p->rhs;
  const double share = -1 / k.aq;
  carry_over(s, p);
  /* dv* - vq dq, since B = K + vq C contains only vq dq */
  for (int i = 0; i < n && s->mat.viscous; i++)
    p->x[i] = p->vs[i] - k.vq * p->q[i];
  if (s->mat.viscous)
    gradyn_lanes_multiply(&mech->dyn, n, s->mat.C, 1, p->x, rhs);
  /* -(rhs + M da*)/aq; the product with M is separate, because small systems have full matrices */
  gradyn_ali3p_weigh(s, p->as, p->x);
  for (int i = 0; i < n; i++)
    rhs[i] = share * (rhs[i] + p->x[i]);
  gradyn_ali3p_rates(s, p->q, rhs + n);
  const gradyn_mech_change d = {
      .lanes = p->dx, .t = any(p->columns, p->dt) ? p->dt : NULL, .q = p->q, .v = p->vs};
  GRADYN_TRY(gradyn_ali3p_roll_along(s, p->columns, &d, rhs + n));
  for (int i = n; i < n + m; i++)
    rhs[i] = -rhs[i];
  const gradyn_ali3p_ask ask = {.rates = true, .multipliers = s->base.multipliers};
  gradyn_status status = gradyn_ali3p_solve_place(s, ask, rhs, p->q, p->x, NULL);
  /* the solution ddq changes q', v* and a* */
  for (int i = 0; i < n; i++) {
    p->q[i] += p->x[i];
    p->vs[i] += k.vq * p->x[i];
    p->as[i] += k.aq * p->x[i];
  }
  for (int i = 0; i < n && s->rule.own_A; i++)
    p->As[i] += k.Aq * p->x[i];
  for (int i = 0; i < m && ask.multipliers; i++)
    p->lam[i] = k.aq * p->x[n + i]; /* change of lam*: the solution contains dlam/aq */
  return status;
}

/* Adds the terms by the change dq of q' to the right-hand sides of both projections. These are (M
 * w + Phi_q^T sigma)_q dq and Phi'_q dq for velocities, (M u + Phi_q^T kappa)_q dq and Phi''_q dq for
 * accelerations. */
static gradyn_status bend(gradyn_ali3p *s, const group *g)
{
  if (g->packs > 1)
    gradyn_lanes_join(s->n, g->pack[0].q, g->pack[1].q, g->state);
  const gradyn_mech_change d = {.q = g->packs > 1 ? g->state : g->pack->q};
  return add_along(s, g, GRADYN_VELOCITY, 2, &d);
}

/* Adds the term by the change dv of v', Phi''_v dv, to the right-hand side of the projection of
 * accelerations. */
static gradyn_status turn(gradyn_ali3p *s, const group *g)
{
  if (g->packs > 1)
    gradyn_lanes_join(s->n, g->pack[0].v, g->pack[1].v, g->state);
  const gradyn_mech_change d = {.v = g->packs > 1 ? g->state : g->pack->v};
  return add_along(s, g, GRADYN_ACCELERATION, 1, &d);
}

/* Stage of a projection: computes the change of the projected quantity from the changes of the unprojected
 * quantity and of the correction. */
static GRADYN_WIDE void projection_stage(gradyn_ali3p *s, bool acceleration, const pack *p)
{
  int n = s->n, m = s->m;
  const gradyn_lanes *unprojected = acceleration ? p->as : p->vs;
  gradyn_lanes *rhs = p->rhs;
  gradyn_lanes *out = acceleration ? p->a : p->v;
  /* Phi'_v dv* or Phi''_a da* */
  gradyn_ali3p_rates(s, unprojected, rhs + n);
  /* the node contains lam* + kappa, where kappa is the multiplier of this projection */
  const bool multipliers = acceleration && (s->base.multipliers || s->extra);
  gradyn_ali3p_project(s, multipliers, rhs, p->x);
  for (int i = 0; i < n; i++)
    out[i] = unprojected[i] - p->x[i]; /* x is the negative change of the correction */
  for (int i = 0; i < n && acceleration && s->rule.own_A; i++)
    p->A[i] = p->As[i] - p->x[i];
  for (int i = 0; i < m && acceleration && s->base.multipliers; i++)
    p->lam[i] -= p->x[n + i]; /* lam = lam* + kappa */
}

/* Propagates the changes (dq, dv, da, dlam) of a node to the next node: first by data, then through the
 * three stages. */
static gradyn_status advance(gradyn_ali3p *s, group *g)
{
  const pack *p = g->pack, *end = p + g->packs;
  GRADYN_TRY(data_terms(s, g));
  hand_out(s, g, GRADYN_PLACE);
  for (; p < end; p++) {
    if (s->extra)
      carry_reading(s, p);
    GRADYN_TRY(position_stage(s, p));
  }
  /* the change of q' is known now, and enters both projections */
  GRADYN_TRY(bend(s, g));
  hand_out(s, g, GRADYN_VELOCITY);
  for (p = g->pack; p < end; p++)
    projection_stage(s, false, p);
  /* the change of v' is known now, and enters the second projection */
  GRADYN_TRY(turn(s, g));
  hand_out(s, g, GRADYN_ACCELERATION);
  for (p = g->pack; p < end; p++) {
    projection_stage(s, true, p);
    /* change of kappa, the multiplier of the last projection */
    for (int i = 0; i < s->m && s->extra; i++)
      p->q[s->extra + i] = -p->x[s->n + i];
  }
  return GRADYN_OK;
}

/* Replaces ds, the tangents at a node, by the tangents at the next node. */
gradyn_status gradyn_ali3p_tangent(gradyn_stepper *base, int count, const gradyn_lanes *dx,
                                   const double *dh, const double *dt, gradyn_lanes *ds)
{
  gradyn_ali3p *s = (gradyn_ali3p *)base;
  const int most = s->mech->twice ? GRADYN_MECH_COLUMNS : GRADYN_LANES;
  for (int j = 0; j < count; j += most) {
    const int behind = j / GRADYN_LANES; /* number of groups of lanes before this one */
    group g;
    g.columns = count - j < most ? count - j : most;
    g.dx = dx ? dx + behind * base->model->nx : NULL;
    g.dt = dt + j;
    take_group(s, dh + j, ds + behind * base->ns, &g);
    GRADYN_TRY(advance(s, &g));
  }
  return GRADYN_OK;
}

/* Computes the tangent of the first node: of the assembled state, A = a and kappa = 0. */
gradyn_status gradyn_ali3p_start_tangent(gradyn_stepper *base, const double *dx, double *ds)
{
  gradyn_ali3p *s = (gradyn_ali3p *)base;
  int n = s->n;
  /* tangent of the initial state, then the other parts of a node */
  gradyn_status status = gradyn_initial_tangent(&s->initial, dx, 0, ds, ds + n, ds + 2 * n,
                                                ds + 3 * n);
  if (s->rule.own_A)
    memcpy(ds + base->ny, ds + 2 * n, (size_t)n * sizeof(double));
  if (s->extra)
    memset(ds + s->extra, 0, (size_t)s->m * sizeof(double));
  return status;
}
