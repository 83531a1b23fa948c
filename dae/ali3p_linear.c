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

/* Whether matrices in full serve the last linearise(); s->mat.E is one of them then. */
static bool in_full(gradyn_ali3p *s, bool transposed)
{
  if (!full(s))
    return false;
  /* E = -(K + vq C)/aq, made once for each direction */
  gradyn_ali3p_spread wanted = transposed ? GRADYN_SPREAD_TRANSPOSED : GRADYN_SPREAD_PLAIN;
  if (s->mat.spread != wanted)
    gradyn_schur_spread(&s->project.schur, s->mat.B, -1 / s->k.aq, transposed, s->mat.E);
  s->mat.spread = wanted;
  return true;
}

/* E x or E^T x with E = -(K + vq C)/aq, what forces add to M in the position problem. */
void gradyn_ali3p_stiffen(gradyn_ali3p *s, bool transposed, const gradyn_lanes *x, gradyn_lanes *y)
{
  const gradyn_pattern *dyn = &s->mech->dyn;
  int n = s->n;
  if (in_full(s, transposed)) {
    gradyn_schur_product(&s->project.schur, s->mat.E, x, y);
    return;
  }
  memset(y, 0, (size_t)n * sizeof *y);
  if (transposed)
    gradyn_lanes_multiply_transposed(dyn, n, s->mat.B, -1 / s->k.aq, x, y);
  else
    gradyn_lanes_multiply(dyn, n, s->mat.B, -1 / s->k.aq, x, y);
}

void gradyn_ali3p_weigh(const gradyn_ali3p *s, const gradyn_lanes *x, gradyn_lanes *y)
{
  if (full(s)) {
    gradyn_schur_product(&s->project.schur, s->project.schur.mass, x, y);
    return;
  }
  memset(y, 0, (size_t)s->n * sizeof *y);
  gradyn_lanes_multiply(&s->mech->dyn, s->n, s->mat.M, 1, x, y);
}

/* Whether the next term of a series, judged by the last two, is below round-off in all lanes. */
static bool settled(const gradyn_series *at)
{
  const double least = 1e-34; /* squares */
  /* |next| ~ last^2/before, compared with |sum| */
  for (int k = 0; k < GRADYN_LANES; k++)
    if (!(at->last[k] * at->last[k] <= least * at->before[k] * at->sum[k]))
      return false;
  return true;
}

/* The position problem by the projections' inverse, which leaves out E = (K + vq C)/aq: the solution
 * is a series in E that converges as fast as Newton's method did. false: too slow. */
static bool place_by_series(gradyn_ali3p *s, bool transposed, bool rates, const gradyn_lanes *b,
                            gradyn_lanes *x)
{
  enum { MOST_TERMS = 12 };
  int n = s->n, m = s->m;
  const gradyn_schur *schur = &s->project.schur;
  gradyn_lanes *mult = x + n, *force = s->side, *term = force + n, *bent = term + n;
  gradyn_series at = {.x = x, .force = force, .term = term};
  const gradyn_lanes *last = x;
  /* directions whose multipliers nobody looks at do without them */
  bool done = false, wanted = transposed || s->base.multipliers;
  /* x = P^-1 b without E, then P^-1 E times the last term */
  gradyn_schur_apply(schur, b, x);
  memcpy(force, b, (size_t)n * sizeof *b);
  if (rates) {
    memset(mult, 0, (size_t)m * sizeof *mult);
    gradyn_schur_add_rates(schur, b + n, x, wanted ? mult : NULL);
  }
  gradyn_lanes_squares(n, x, &at.last);
  for (int k = 0; k < MOST_TERMS && !done; k++, last = term) {
    gradyn_ali3p_stiffen(s, transposed, last, bent);
    gradyn_schur_add_term(schur, bent, &at);
    done = settled(&at);
  }
  if (!wanted)
    return done;
  if (!rates) {
    gradyn_schur_multipliers(schur, force, mult);
    return done;
  }
  /* multipliers by the whole force that the series has met */
  gradyn_schur_multipliers(schur, force, bent);
  for (int i = 0; i < m; i++)
    mult[i] += bent[i];
  return done;
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
  if (!s->choice.placed && place_by_series(s, transposed, rates, b, x))
    return GRADYN_OK;
  /* too slow or not small: factors once for the step, then for all its right-hand sides */
  if (!s->choice.placed)
    GRADYN_TRY(gradyn_ali3p_factor_place(s));
  gradyn_factors_solve_lanes(&s->place, what, GRADYN_LANES, b, x);
  return GRADYN_OK;
}
