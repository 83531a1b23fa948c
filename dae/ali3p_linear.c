/* ALI3-P: its linear systems, and how those of derivatives are solved for lanes of right-hand sides.
 *
 * Where constraints are redundant all along, a run softens its matrices. Near a single position where
 * they depend on each other a step must not end: it reports GRADYN_SINGULAR, and the march steps across. */
#include "dae/ali3p_linear.h"

#include <string.h>

void gradyn_ali3p_allow(gradyn_ali3p *s, gradyn_factors_kind first, gradyn_factors_kind last)
{
  s->choice.first = first;
  s->choice.last = last;
}

/* By the kinds allowed, counted, and refused with a name. Dependent for one matrix of a step is dependent
 * for the others. */
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
  const gradyn_factors_parts parts = {s->mat.M, s->mat.J, s->mat.J, s->choice.projection_diagonal};
  return factor(s, &s->project, &parts, s->choice.first, t);
}

gradyn_status gradyn_ali3p_factor_position(gradyn_ali3p *s, double diagonal, double t)
{
  const gradyn_factors_parts parts = {s->mat.A, s->mat.U, s->mat.J, diagonal};
  /* M + (K + vq C)/aq is not constant: there is no complement */
  const gradyn_factors_kind first = s->choice.first;
  return factor(s, &s->place, &parts, first < GRADYN_FACTORS_EXACT ? GRADYN_FACTORS_EXACT : first,
                t);
}

/* --- lanes of right-hand sides ------------------------------------------------------------------ */

/* The adjoint's (x; mult) = S^-T (f; 0). */
void gradyn_ali3p_solve_projection(gradyn_ali3p *s, const gradyn_lanes *b, gradyn_lanes *x)
{
  gradyn_factors_solve_lanes(&s->project, GRADYN_SOLVE_TRANSPOSED | GRADYN_SOLVE_MULTIPLIERS,
                             GRADYN_LANES, b, x);
}

/* (x; mult) = S^-1 (f; g). */
void gradyn_ali3p_project(gradyn_ali3p *s, bool multipliers, const gradyn_lanes *b, gradyn_lanes *x)
{
  const unsigned what = GRADYN_SOLVE_RATES | (multipliers ? GRADYN_SOLVE_MULTIPLIERS : 0U);
  gradyn_factors_solve_lanes(&s->project, what, GRADYN_LANES, b, x);
}

/* Whether products with matrices in full are the fastest. */
static bool full(const gradyn_ali3p *s)
{
  return s->project.kind == GRADYN_FACTORS_INVERTED && gradyn_schur_small(&s->project.schur);
}

/* E = -(K + vq C)/aq of the last linearise(), or its transpose, made once for each direction. */
static const gradyn_schur_bend *bend_of(gradyn_ali3p *s, bool transposed)
{
  gradyn_schur_bend *E = &s->mat.E;
  if (E->values && E->transposed == transposed)
    return E;
  /* in full only beside an inverse in full: a series multiplies by both in turn */
  *E = (gradyn_schur_bend){.pattern = &s->mech->dyn,
                           .values = s->mat.B,
                           .full = full(s) ? s->mat.full : NULL,
                           .factor = -1 / s->k.aq,
                           .transposed = transposed};
  if (E->full)
    gradyn_schur_spread(&s->project.schur, E->values, E->factor, transposed, s->mat.full);
  return E;
}

/* E x or E^T x, what forces add to M in the position problem. */
void gradyn_ali3p_stiffen(gradyn_ali3p *s, bool transposed, const gradyn_lanes *x, gradyn_lanes *y)
{
  gradyn_schur_bend_lanes(bend_of(s, transposed), x, y);
}

void gradyn_ali3p_weigh(const gradyn_ali3p *s, const gradyn_lanes *x, gradyn_lanes *y)
{
  if (full(s)) { /* M x, without indices in the way */
    gradyn_schur_product(&s->project.schur, s->project.schur.mass, x, y);
    return;
  }
  memset(y, 0, (size_t)s->n * sizeof *y);
  gradyn_lanes_multiply(&s->mech->dyn, s->n, s->mat.M, 1, x, y);
}

/* At convergence the penalty of the position problem has dropped out. */
gradyn_status gradyn_ali3p_factor_place(gradyn_ali3p *s)
{
  /* A = M + (K + vq C)/aq: the whole divided by aq */
  double share = 1 / s->k.aq;
  for (int i = 0; i < s->mech->dyn.nnz; i++)
    s->mat.A[i] = s->mat.M[i] + share * s->mat.B[i];
  gradyn_status status = gradyn_ali3p_factor_position(s, 0, s->last.t + s->last.h);
  s->choice.placed = status == GRADYN_OK;
  return status;
}

/* By a series in E with the projections' factors, as long as it converges; by factors of its own
 * else. */
gradyn_status gradyn_ali3p_solve_place(gradyn_ali3p *s, bool transposed, bool rates,
                                       const gradyn_lanes *b, gradyn_lanes *x)
{
  const unsigned what = GRADYN_SOLVE_MULTIPLIERS | (rates ? GRADYN_SOLVE_RATES : 0U) |
                        (transposed ? GRADYN_SOLVE_TRANSPOSED : 0U);
  /* directions whose multipliers nobody looks at do without them */
  const bool wanted = transposed || s->base.multipliers;
  if (!s->choice.placed && gradyn_schur_solve_bent(&s->project.schur, bend_of(s, transposed), rates,
                                                   wanted, b, x, s->side))
    return GRADYN_OK;
  /* too slow or not small: factors once for the step, then for all its right-hand sides */
  if (!s->choice.placed)
    GRADYN_TRY(gradyn_ali3p_factor_place(s));
  gradyn_factors_solve_lanes(&s->place, what, GRADYN_LANES, b, x);
  return GRADYN_OK;
}
