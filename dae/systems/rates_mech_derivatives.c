/* Derivatives of a mechanism as an explicit system. Let R = M a + Phi_q^T lam - Q and S = [M, Phi_q^T;
 * Phi_q, 0] at a stage. Accelerations and multipliers change by
 *
 *   S (da; dlam) = -(R_q dq + R_v dv + R_x dx + R_t dt;
 *                    Phi''_q dq + 2 Phi'_q dv + Phi''_x dx + Phi''_t dt),
 *
 * with R_lam instead of Phi_q^T if forces depend on multipliers. With P = M (q - q*) + Phi_q^T nu and V = M
 * (v - v*) + Phi_q^T tau, the projection onto the constraints changes by
 *
 *   (S + [P_q, 0; 0, 0]) (dq; dnu) = (M dq* - P_x dx;  -Phi_x dx - Phi_t dt),
 *   S (dv; dtau) = (M dv* - V_q dq - V_x dx;  -Phi'_q dq - Phi'_x dx - Phi'_t dt).
 *
 * Tangents use increments instead, which have the size of a step's error and need no product with M:
 *
 *   (S + [P_q, 0; 0, 0]) (dq - dq*; dnu) = -(P_q dq* + P_x dx;  Phi_q dq* + Phi_x dx + Phi_t dt),
 *   S (dv - dv*; dtau) = -(V_q dq + V_x dx;  Phi_q dv* + Phi'_q dq + Phi'_x dx + Phi'_t dt).
 *
 * Adjoints are the transposes of the first form in reverse order. */
#include "dae/systems/rates_mech.h"

#include <math.h>
#include <string.h>

#include "core/linear/norm.h"
#include "dae/start/initial_parts.h"

/* Largest number of terms of a series that accounts for P_q. Few are needed, because P_q has the size of a
 * step's error. */
enum { MOST_TERMS = 8 };

static gradyn_rates_mech *self(gradyn_rates *s)
{
  return (gradyn_rates_mech *)s;
}

/* Returns the term of the equations of motion at the present stage, with Phi'' as constraint rows. */
static gradyn_mech_term motion(const gradyn_rates_mech *s)
{
  return (gradyn_mech_term){GRADYN_DYNAMICS, 2, gradyn_mech_state_at(s->mech->n, s->t, s->stage)};
}

/* Returns the term of P with Phi or, for velocities, of V with Phi'. */
static gradyn_mech_term correction(const gradyn_rates_mech *s, const double *moved, bool velocity)
{
  const double *part = moved + (velocity ? s->n + s->m : 0);
  gradyn_mech_state at = gradyn_mech_state_at(s->mech->n, s->t, s->stage);
  /* in this term, (q - q*, nu) or (v - v*, tau) replace (a, lam) */
  at.a = part;
  at.lam = part + s->n;
  return (gradyn_mech_term){GRADYN_INERTIA | GRADYN_CONSTRAINT, velocity ? 1 : 0, at};
}

/* Restores the factors of a stage for derivatives, or computes them again. */
gradyn_status gradyn_rates_mech_linearise(gradyn_rates *base, double t, const double *stage)
{
  gradyn_rates_mech *s = self(base);
  gradyn_mech *mech = s->mech;
  gradyn_mech_state at = gradyn_mech_state_at(s->mech->n, t, stage);
  s->t = t;
  s->stage = stage;
  /* the factors that the stage contains */
  GRADYN_TRY(gradyn_projection_restore(&s->projection, &at, stage + base->ny));
  if (mech->factors.readings.loads > 0)
    return gradyn_multiplier_forces_linearise(&s->readings, &at,
                                              stage + base->record - s->readings.record);
  return mech->reader ? gradyn_initial_force_matrix(&s->initial, &at) : GRADYN_OK;
}

/* Solves for accelerations and multipliers of a stage: S x = -b or, transposed, S^T x = b. With
 * multiplier-dependent forces, S differs from the matrix of the projection. */
static void solve_motion(gradyn_rates_mech *s, int columns, bool transposed, const gradyn_lanes *b,
                         gradyn_lanes *x)
{
  const int size = s->n + s->m, lanes = (int)gradyn_lanes_groups(columns);
  if (!s->mech->reader) {
    const unsigned sign = transposed ? 0U : GRADYN_SOLVE_MINUS;
    gradyn_projection_solve_lanes(&s->projection, columns, GRADYN_SOLVE_RATES | sign, b, x);
    return;
  }
  if (s->mech->factors.readings.loads > 0) {
    gradyn_multiplier_forces_solve_lanes(&s->readings, &s->projection, columns, transposed, b, x);
    return;
  }
  memset(x, 0, (size_t)(size * lanes) * sizeof *x);
  for (int k = 0; k < columns; k++) {
    const double *from = (const double *)b + k;
    double *to = (double *)x + k;
    /* columns one by one with refinement, since S has R_lam instead of Phi_q^T */
    for (int i = 0; i < size; i++)
      s->b[i] = transposed ? from[i * lanes * GRADYN_LANES] : -from[i * lanes * GRADYN_LANES];
    gradyn_initial_solve_refined(&s->initial, &s->initial.force, s->initial.M, s->m, transposed,
                                 s->b);
    for (int i = 0; i < size; i++)
      to[i * lanes * GRADYN_LANES] = s->b[i];
  }
}

/* --- products ---------------------------------------------------------------------------------- */

/* Converts changes of data and time to the form in which mechanisms take them. */
static gradyn_mech_change data_of(const gradyn_rates_change *d)
{
  return (gradyn_mech_change){
      .x = d->lanes ? NULL : d->x, .lanes = d->lanes, .t = (const double *)d->t, .mass = d->ready};
}

/* Computes the derivatives of the mass matrix by the data, which all stages use. */
void gradyn_rates_mech_ready(gradyn_rates *base, int columns, const gradyn_rates_change *d,
                             gradyn_lanes *ready)
{
  gradyn_mech *mech = self(base)->mech;
  const gradyn_mech_change change = data_of(d);
  mech->ops->mass(mech, columns, &change, ready);
}

/* Computes b, the derivative of one term along a direction d, such as (R; Phi)_x dx. */
static gradyn_status take_along(gradyn_rates_mech *s, const gradyn_mech_term *term, int columns,
                                const gradyn_mech_change *d, gradyn_lanes *b)
{
  const gradyn_mech_state node = gradyn_mech_state_at(s->mech->n, s->t, s->stage);
  const gradyn_mech_point look = {1, term, &node};
  const int rows = term->order == GRADYN_NO_ORDER ? s->n : s->n + s->m;
  memset(b, 0, (size_t)rows * gradyn_lanes_groups(columns) * sizeof *b);
  return s->mech->ops->along(s->mech, &look, columns, d, &b);
}

/* Subtracts the transposed derivative of one term times mu, such as (R; Phi)_x^T mu, from the requested
 * adjoints. */
static gradyn_status subtract_against(gradyn_rates_mech *s, const gradyn_mech_term *term,
                                      int columns, gradyn_lanes *mu,
                                      const gradyn_mech_adjoints *adjoints)
{
  const gradyn_mech_state node = gradyn_mech_state_at(s->mech->n, s->t, s->stage);
  const gradyn_mech_point look = {1, term, &node};
  return s->mech->ops->against(s->mech, &look, columns, &mu, adjoints);
}

/* --- stages ------------------------------------------------------------------------------------ */

/* Computes (dv, da) of a stage from (dq, dv). */
gradyn_status gradyn_rates_mech_tangent(gradyn_rates *base, int columns, const gradyn_lanes *dz,
                                        const gradyn_rates_change *d, gradyn_lanes *dstage)
{
  gradyn_rates_mech *s = self(base);
  /* n entries of all groups of lanes */
  const int size = s->n * (int)gradyn_lanes_groups(columns);
  const gradyn_mech_term term = motion(s);
  gradyn_mech_change change = data_of(d);
  /* q and v of a stage are z */
  if (dstage != dz)
    memcpy(dstage, dz, (size_t)(2 * size) * sizeof *dz);
  change.q = dstage;
  change.v = dstage + size;
  /* (R_q dq + R_v dv + R_x dx + R_t dt; Phi''_q dq + 2 Phi'_q dv + ...) */
  GRADYN_TRY(take_along(s, &term, columns, &change, s->b_lanes));
  solve_motion(s, columns, false, s->b_lanes, dstage + 2 * size);
  return GRADYN_OK;
}

gradyn_status gradyn_rates_mech_transposed(gradyn_rates *base, int columns, gradyn_lanes *stage_bar,
                                           gradyn_lanes *z_bar, const gradyn_rates_sums *x_bar,
                                           gradyn_lanes *t_bar)
{
  gradyn_rates_mech *s = self(base);
  int n = s->n;
  const gradyn_mech_adjoints adjoints = {.x = x_bar->x,
                                         .lanes = x_bar->lanes,
                                         .sums = x_bar->kept,
                                         .t = (double *)t_bar,
                                         .q = z_bar,
                                         .v = z_bar + n};
  const gradyn_mech_term term = motion(s);
  /* S^T mu = (a_bar; lam_bar) */
  solve_motion(s, columns, true, stage_bar + 2 * n, s->x);
  memcpy(z_bar, stage_bar, (size_t)(2 * n) * sizeof *z_bar);
  /* subtract R_q^T mu + Phi''_q^T mu from q_bar, R_v^T mu + 2 Phi'_q^T mu from v_bar, and the products for
   * data and time */
  return subtract_against(s, &term, columns, s->x, &adjoints);
}

void gradyn_rates_mech_settle(gradyn_rates *base, gradyn_lanes *kept, gradyn_lanes *lanes)
{
  gradyn_mech *mech = self(base)->mech;
  mech->ops->settle(mech, kept, lanes);
}

/* --- arrivals ---------------------------------------------------------------------------------- */

/* Returns whether, in every column, the norm of `term` is at most `share` times the norm of base + sum
 * (base NULL: zero). Entries have this number of groups of lanes. */
static GRADYN_WIDE bool below(int count, int lanes, const gradyn_lanes *term,
                              const gradyn_lanes *base, const gradyn_lanes *sum, double share)
{
  bool all = true;
  for (int h = 0; h < lanes; h++) {
    gradyn_lanes a = {0}, b = {0}; /* squares */
    for (int i = h; i < count * lanes; i += lanes) {
      a += term[i] * term[i];
      b += sum[i] * sum[i];
    }
    for (int i = h; i < count * lanes && base; i += lanes)
      b += base[i] * base[i];
    for (int k = 0; k < GRADYN_LANES; k++)
      all = all && a[k] <= share * share * b[k];
  }
  return all;
}

/* Returns the share of the sum below which the term after it is round-off. Each term of the series is
 * smaller than the one before by the ratio of the projection's displacement to the mechanism's size. */
static double last_share(const gradyn_rates_mech *s, const double *moved)
{
  static const double roundoff = 1e-16;
  const double way = gradyn_largest_product(moved, s->mech->length_scale, s->n) / s->mech->length;
  return roundoff / fmax(way, roundoff);
}

/* Solves with S + [P_q, 0; 0, 0] or its transpose by a series: x_0 = S^-1 b, x_k+1 = -S^-1 P_q x_k. The
 * series ends when terms are negligible relative to base + x (base NULL: zero). term: the term of P and
 * Phi. b is overwritten. */
static gradyn_status solve_bent(gradyn_rates_mech *s, const gradyn_mech_term *term, int columns,
                                bool transposed, const gradyn_lanes *base, gradyn_lanes *b,
                                gradyn_lanes *x)
{
  const int n = s->n, lanes = (int)gradyn_lanes_groups(columns);
  const double share = last_share(s, term->at.a);
  gradyn_lanes *next = s->term;
  gradyn_mech_term bend = *term;
  bend.order = GRADYN_NO_ORDER; /* P without Phi */
  gradyn_projection_solve_place_lanes(&s->projection, columns, transposed ? 0 : GRADYN_SOLVE_RATES,
                                      b, x);
  memcpy(next, x, (size_t)(n * lanes) * sizeof *x);
  for (int k = 1; k < MOST_TERMS && !below(n, lanes, next, base, x, share); k++) {
    /* P_q x_k; transposed, its negative, because subtract_against() subtracts */
    if (transposed) {
      memset(b, 0, (size_t)n * sizeof *b);
      GRADYN_TRY(subtract_against(s, &bend, columns, next, &(gradyn_mech_adjoints){.q = b}));
    } else {
      GRADYN_TRY(take_along(s, &bend, columns, &(gradyn_mech_change){.q = next}, b));
    }
    gradyn_projection_solve_place_lanes(&s->projection, columns,
                                        transposed ? 0 : GRADYN_SOLVE_MINUS, b, next);
    for (int i = 0; i < (n + s->m) * lanes; i++)
      x[i] += next[i];
  }
  return GRADYN_OK;
}

/* Computes the derivative of the projection: first of positions, then of velocities at the projected
 * positions. */
gradyn_status gradyn_rates_mech_arrive_tangent(gradyn_rates *base, int columns, const double *moved,
                                               const gradyn_rates_change *d, gradyn_lanes *dz)
{
  gradyn_rates_mech *s = self(base);
  /* n entries of all groups of lanes */
  const int size = s->n * (int)gradyn_lanes_groups(columns);
  gradyn_lanes *dq = dz, *dv = dz + size, *x = s->x, *b = s->b_lanes;
  if (s->m == 0) /* without constraints there is no projection */
    return GRADYN_OK;
  GRADYN_TRY(gradyn_projection_place(&s->projection, s->t));
  for (int velocity = 0; velocity < 2; velocity++) {
    /* first dq, then dv, because the projection of velocities depends on the position */
    const gradyn_mech_term term = correction(s, moved, velocity);
    gradyn_mech_change change = data_of(d);
    gradyn_lanes *star = velocity ? dv : dq;
    change.q = dq;
    change.v = velocity ? dv : NULL;
    GRADYN_TRY(take_along(s, &term, columns, &change, b));
    if (velocity)
      gradyn_projection_solve_lanes(&s->projection, columns, GRADYN_SOLVE_RATES, b, x);
    else
      GRADYN_TRY(solve_bent(s, &term, columns, false, dq, b, x));
    for (int i = 0; i < size; i++)
      star[i] -= x[i];
  }
  return GRADYN_OK;
}

/* Computes the transpose of gradyn_rates_mech_arrive_tangent(): first of velocities, because they depend on
 * the projected positions. */
gradyn_status gradyn_rates_mech_arrive_transposed(gradyn_rates *base, int columns,
                                                  const double *moved, gradyn_lanes *z_bar,
                                                  double *x_bar, gradyn_lanes *t_bar)
{
  gradyn_rates_mech *s = self(base);
  int n = s->n;
  gradyn_lanes *q_bar = z_bar, *v_bar = z_bar + n, *mu = s->x;
  if (s->m == 0)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_projection_place(&s->projection, s->t));
  for (int velocity = 1; velocity >= 0; velocity--) {
    const gradyn_mech_term term = correction(s, moved, velocity);
    const gradyn_mech_adjoints adjoints = {
        .x = x_bar, .t = (double *)t_bar, .q = velocity ? q_bar : NULL};
    gradyn_lanes *bar = velocity ? v_bar : q_bar;
    if (velocity) { /* S mu = (v_bar; 0) */
      gradyn_projection_solve_lanes(&s->projection, columns, 0, v_bar, mu);
    } else { /* (S + P_q)^T mu = (q_bar; 0) */
      memcpy(s->b_lanes, q_bar, (size_t)n * sizeof *q_bar);
      GRADYN_TRY(solve_bent(s, &term, columns, true, NULL, s->b_lanes, mu));
    }
    memset(bar, 0, (size_t)n * sizeof *bar); /* the adjoint of q* or v* is M mu */
    gradyn_projection_weigh(&s->projection, &term.at, mu, bar);
    /* for velocities, this also subtracts V_q^T mu + Phi'_q^T mu from q_bar */
    GRADYN_TRY(subtract_against(s, &term, columns, mu, &adjoints));
  }
  return GRADYN_OK;
}
