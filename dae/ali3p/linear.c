/* ALI3-P: its linear systems, and solves for lanes of right-hand sides in derivatives.
 *
 * If constraints are redundant throughout the run, the matrices of the run get a tiny diagonal. If
 * constraints depend on each other only near a single position, a step must not end there. Such a step
 * returns GRADYN_SINGULAR, and the run steps across the position. */
#include "dae/ali3p/linear.h"

#include <math.h>
#include <string.h>

void gradyn_ali3p_allow(gradyn_ali3p *s, gradyn_factors_kind first, gradyn_factors_kind last)
{
  s->choice.first = first;
  s->choice.last = last;
}

/* Factorises a matrix of the step by the first allowed kind of factors that succeeds, and counts. A failure
 * names the time. If constraints are dependent for one matrix, the other matrices of the step start with
 * the same kind. */
static gradyn_status factor(gradyn_ali3p *s, gradyn_factors *factors,
                            const gradyn_factors_parts *parts, gradyn_factors_kind first, double t)
{
  gradyn_ali3p_choice *choice = &s->choice;
  s->base.factorisations++;
  gradyn_status status = gradyn_factors_make(factors, parts, first, choice->last);
  if (status != GRADYN_OK)
    return gradyn_factors_fail(factors, status, t);
  if (factors->kind > GRADYN_FACTORS_EXACT)
    choice->first = factors->kind;
  return GRADYN_OK;
}

gradyn_status gradyn_ali3p_factor_projection(gradyn_ali3p *s, double t)
{
  const gradyn_factors_parts parts = {
      .A = s->mat.M, .U = s->mat.J, .J = s->mat.J, .d = s->choice.projection_diagonal};
  return factor(s, &s->project, &parts, s->choice.first, t);
}

gradyn_status gradyn_ali3p_factor_position(gradyn_ali3p *s, double diagonal, double t)
{
  const gradyn_factors_parts parts = {.A = s->mat.A, .U = s->mat.U, .J = s->mat.L, .d = diagonal};
  /* a Schur complement needs a constant first block; M + (K + vq C)/aq changes */
  const gradyn_factors_kind first = s->choice.first;
  return factor(s, &s->position, &parts,
                first < GRADYN_FACTORS_EXACT ? GRADYN_FACTORS_EXACT : first, t);
}

/* --- lanes of right-hand sides ------------------------------------------------------------------ */

/* Solves S (x; mult) = (b; 0) for the adjoint, where S is the symmetric matrix of the projections. */
void gradyn_ali3p_solve_projection(gradyn_ali3p *s, const gradyn_lanes *b, gradyn_lanes *x)
{
  gradyn_factors_solve_lanes(&s->project, GRADYN_SOLVE_TRANSPOSED | GRADYN_SOLVE_MULTIPLIERS,
                             GRADYN_LANES, b, x);
}

/* Solves S (x; mult) = b with the matrix of the projections. `multipliers`: mult is needed too. */
void gradyn_ali3p_project(gradyn_ali3p *s, bool multipliers, const gradyn_lanes *b, gradyn_lanes *x)
{
  const unsigned what = GRADYN_SOLVE_RATES | (multipliers ? GRADYN_SOLVE_MULTIPLIERS : 0U);
  gradyn_factors_solve_lanes(&s->project, what, GRADYN_LANES, b, x);
}

/* Returns whether products with full matrices are faster than with sparse ones. */
static bool full(const gradyn_ali3p *s)
{
  return s->project.kind == GRADYN_FACTORS_INVERTED && gradyn_schur_small(&s->project.schur);
}

void gradyn_ali3p_weigh(const gradyn_ali3p *s, const gradyn_lanes *x, gradyn_lanes *y)
{
  if (full(s)) { /* M x without index arrays */
    gradyn_schur_weigh(&s->project.schur, x, y);
    return;
  }
  memset(y, 0, (size_t)s->n * sizeof *y);
  gradyn_lanes_multiply(&s->mech->dyn, s->n, s->mat.M, 1, x, y);
}

void gradyn_ali3p_rates(const gradyn_ali3p *s, const gradyn_lanes *x, gradyn_lanes *y)
{
  if (full(s))
    gradyn_schur_rates(&s->project.schur, x, y);
  else
    gradyn_lanes_multiply(&s->mech->jac, s->m, s->mat.J, 1, x, y);
}

void gradyn_ali3p_pull(const gradyn_ali3p *s, const gradyn_lanes *mult, gradyn_lanes *x)
{
  if (full(s))
    gradyn_schur_pull(&s->project.schur, mult, x);
  else
    gradyn_lanes_multiply_transposed(&s->mech->jac, s->m, s->mat.J, -1, mult, x);
}

/* Factorises the matrix of the position problem for derivatives, without the penalty: at convergence it has
 * no effect. */
gradyn_status gradyn_ali3p_factor_place(gradyn_ali3p *s)
{
  /* A = M + (K + vq C)/aq: the matrix of the problem divided by aq */
  double share = 1 / s->k.aq;
  for (int i = 0; i < s->mech->dyn.nnz; i++)
    s->mat.A[i] = s->mat.M[i] + share * s->mat.B[i];
  s->choice.way = GRADYN_ALI3P_FACTORED;
  return gradyn_ali3p_factor_position(s, 0, s->last.t + s->last.h);
}

/* Chooses how the position problem is solved for derivatives: by correcting the inverse of the projections'
 * matrix or, if that is not possible, by factors of its own, which are made once per step. */
static gradyn_status choose_way(gradyn_ali3p *s, bool transposed)
{
  const gradyn_ali3p_way bent = transposed ? GRADYN_ALI3P_BENT_TRANSPOSED : GRADYN_ALI3P_BENT;
  if (s->choice.way == bent || s->choice.way == GRADYN_ALI3P_FACTORED)
    return GRADYN_OK;
  s->choice.way = bent;
  /* E = -(K + vq C)/aq */
  return gradyn_schur_modify(&s->project.schur, s->mat.B, -1 / s->k.aq, transposed)
             ? GRADYN_OK
             : gradyn_ali3p_factor_place(s);
}

/* Returns b + (E e; 0) or, transposed, b + (E^T e; 0). */
static const gradyn_lanes *right_side(gradyn_ali3p *s, bool transposed, const gradyn_lanes *b,
                                      const gradyn_lanes *e)
{
  const gradyn_pattern *dyn = &s->mech->dyn;
  const double factor = -1 / s->k.aq;
  memcpy(s->side, b, (size_t)(s->n + s->m) * sizeof *b);
  if (transposed)
    gradyn_lanes_multiply_transposed(dyn, s->n, s->mat.B, factor, e, s->side);
  else
    gradyn_lanes_multiply(dyn, s->n, s->mat.B, factor, e, s->side);
  return s->side;
}

gradyn_status gradyn_ali3p_solve_place(gradyn_ali3p *s, gradyn_ali3p_ask ask, const gradyn_lanes *b,
                                       const gradyn_lanes *e, gradyn_lanes *x,
                                       gradyn_lanes *weighed)
{
  const unsigned what = GRADYN_SOLVE_MULTIPLIERS | (ask.rates ? GRADYN_SOLVE_RATES : 0U) |
                        (ask.transposed ? GRADYN_SOLVE_TRANSPOSED : 0U);
  GRADYN_TRY(choose_way(s, ask.transposed));
  if (s->choice.way != GRADYN_ALI3P_FACTORED) {
    gradyn_schur_solve_modified(&s->project.schur, ask.rates, ask.multipliers, b, e, x, weighed);
    return GRADYN_OK;
  }
  gradyn_factors_solve_lanes(&s->position, what, GRADYN_LANES, right_side(s, ask.transposed, b, e),
                             x);
  if (weighed)
    gradyn_ali3p_weigh(s, x, weighed);
  return GRADYN_OK;
}

gradyn_status gradyn_ali3p_force_curvature(gradyn_ali3p *s, const gradyn_mech_state *at,
                                           double *bend)
{
  int n = s->n;
  const gradyn_pattern *dyn = &s->mech->dyn;
  gradyn_status status = s->mech->ops->tangent(s->mech, GRADYN_DYNAMICS, at, s->mat.K, s->mat.C,
                                               s->mat.M);
  /* the matrix divided by aq contains c C + k K */
  double c = s->k.vq / s->k.aq, k = 1 / s->k.aq, worst = 0;
  for (int i = 0; i < n; i++) {
    double sum = 0; /* row i of |M^-1| |c C + k K| */
    const double *inverse = (const double *)(s->project.schur.inverse + i * s->project.schur.width);
    for (int r = 0; r < n; r++)
      for (int e = dyn->start[r]; e < dyn->start[r + 1]; e++)
        sum += fabs(inverse[r]) * fabs(c * s->mat.C[e] + k * s->mat.K[e]);
    worst = fmax(worst, sum);
  }
  *bend = worst;
  return status;
}
