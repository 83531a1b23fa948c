/* With S the matrix without forces that read, E unit columns of what these load, u = tau(w) - tau(0):
 *     S (a; lam) = (Q(0); -Phi''_0) + E u,   w = w_0 + W (a; lam) = w_1 + W Y u,   Y = S^-1 E,
 *     u - tau(w_1 + W Y u) + tau(0) = 0,     by Newton's method with 1 - H W Y, H = tau_w.
 * The derivative is that of S - E V^T, V^T = H W, so that with Z = S^-1 V and C = 1 - Z^T E
 *     x = S^-1 (b + E C^-1 Z^T b),           and of the transpose x = S^-1 b + Z C^-T E^T S^-1 b,
 * S being symmetric. C has a positive determinant until the mechanism locks. */
#include "dae/linear/readings.h"

#include <math.h>
#include <string.h>

#include "core/linear/norm.h"

enum { MOST_ITERATIONS = 40 };

/* What is left over the size of loads: what is a solution, and what cannot be told from none. */
static const double settled = 1e-11, roundoff = 4e-16;

gradyn_status gradyn_readings_create(gradyn_mech *mech, gradyn_readings *s)
{
  *s = (gradyn_readings){.mech = mech,
                         .size = mech->n + mech->m,
                         .loads = mech->factors.readings.loads,
                         .numbers = mech->factors.readings.numbers};
  if (s->loads == 0)
    return GRADYN_OK;
  const size_t k = (size_t)s->loads, w = (size_t)s->numbers;
  const size_t packs = gradyn_lanes_packs(s->loads + 1) * (size_t)s->size;
  s->b = gradyn_arena_numbers(&s->arena, (size_t)s->size);
  s->w = gradyn_arena_numbers(&s->arena, w);
  s->W = gradyn_arena_numbers(&s->arena, w * k);
  s->slope = gradyn_arena_numbers(&s->arena, w * k);
  s->tau = gradyn_arena_numbers(&s->arena, k);
  s->first = gradyn_arena_numbers(&s->arena, k);
  s->u = gradyn_arena_numbers(&s->arena, k);
  s->rest = gradyn_arena_numbers(&s->arena, k);
  s->side = gradyn_arena_lanes(&s->arena, packs);
  s->y = gradyn_arena_lanes(&s->arena, packs);
  s->g = gradyn_arena_lanes(&s->arena, w + k);
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  gradyn_pattern full;
  GRADYN_TRY(gradyn_pattern_fill(s->loads, &full));
  const gradyn_status status = gradyn_linsys_create(&full, false, GRADYN_BACKEND_SMALL, &s->matrix);
  gradyn_pattern_clear(&full);
  return status;
}

void gradyn_readings_clear(gradyn_readings *s)
{
  gradyn_linsys_free(s->matrix);
  gradyn_arena_clear(&s->arena);
  *s = (gradyn_readings){0};
}

/* --- the stage -------------------------------------------------------------------------------------- */

/* Columns Y, and behind them the solution without what is read, by S; w_1 and W Y. */
static gradyn_status take_columns(gradyn_readings *s, gradyn_projection *factors,
                                  const gradyn_mech_state *at)
{
  gradyn_mech *mech = s->mech;
  const gradyn_mech_readings *of = &mech->factors.readings;
  const int k = s->loads, columns = k + 1;
  GRADYN_TRY(of->begin(mech, at, s->b, s->w));
  GRADYN_TRY(mech->ops->phi(mech, GRADYN_CONSTRAINT, 2, at, s->b + mech->n));
  memset(s->side, 0, gradyn_lanes_packs(columns) * (size_t)s->size * sizeof *s->side);
  for (int j = 0; j < k; j++)
    gradyn_lane(s->side, s->size, j)[of->at[j] * GRADYN_LANES] = 1;
  for (int i = 0; i < s->size; i++)
    gradyn_lane(s->side, s->size, k)[i * GRADYN_LANES] = -s->b[i];
  for (int j = 0; j < columns; j += GRADYN_LANES) {
    const int left = columns - j < GRADYN_LANES ? columns - j : GRADYN_LANES;
    gradyn_lanes *y = s->y + j / GRADYN_LANES * s->size;
    gradyn_projection_solve_lanes(factors, left, GRADYN_SOLVE_RATES,
                                  s->side + j / GRADYN_LANES * s->size, y);
    of->along(mech, factors->factors.own, y, s->g);
    for (int i = 0; i < s->numbers; i++)
      for (int l = 0; l < left; l++)
        if (j + l < k)
          s->W[i * k + j + l] = s->g[i][l];
        else
          s->w[i] += s->g[i][l];
  }
  return GRADYN_OK;
}

/* w = w_1 + W Y u. */
static void read(const gradyn_readings *s, double *w)
{
  for (int i = 0; i < s->numbers; i++) {
    w[i] = s->w[i];
    for (int j = 0; j < s->loads; j++)
      w[i] += s->W[i * s->loads + j] * s->u[j];
  }
}

/* What is left of the loads' equations at u, its size and that of the loads. */
static gradyn_status find_rest(gradyn_readings *s, const gradyn_mech_state *at, double *w,
                               double *left, double *size)
{
  read(s, w);
  GRADYN_TRY(s->mech->factors.readings.load(s->mech, at, w, s->tau, s->slope));
  for (int j = 0; j < s->loads; j++)
    s->rest[j] = s->u[j] - (s->tau[j] - s->first[j]);
  *left = gradyn_largest(s->rest, s->loads);
  *size = gradyn_largest(s->tau, s->loads) + gradyn_largest(s->first, s->loads);
  return GRADYN_OK;
}

/* 1 - H W Y, factorised. */
static gradyn_status factor_loads(gradyn_readings *s)
{
  const int k = s->loads;
  double *row = gradyn_linsys_values(s->matrix);
  for (int i = 0; i < k; i++, row += k) {
    memset(row, 0, (size_t)k * sizeof *row);
    row[i] = 1;
    for (int l = 0; l < s->numbers; l++) {
      const double slope = s->slope[i * s->numbers + l];
      for (int j = 0; j < k && slope != 0; j++) /* of a load by the few numbers that it reads */
        row[j] -= slope * s->W[l * k + j];
    }
  }
  return gradyn_linsys_factor(s->matrix);
}

/* Newton's method from u = 0, until round-off. */
static gradyn_status iterate(gradyn_readings *s, const gradyn_mech_state *at, double *w,
                             bool *found)
{
  double left = HUGE_VAL, before = HUGE_VAL, size = 0;
  memset(s->u, 0, (size_t)s->loads * sizeof *s->u);
  for (int k = 0; k < MOST_ITERATIONS; k++) {
    GRADYN_TRY(find_rest(s, at, w, &left, &size));
    const gradyn_status status = factor_loads(s);
    if (gradyn_linsys_starved(status, s->mech->message))
      return status;
    if (status != GRADYN_OK || !isfinite(left))
      return GRADYN_OK;
    const bool ends = left <= roundoff * size || (left <= settled * size && !(left < 0.5 * before));
    if (ends) {
      *found = gradyn_linsys_sign(s->matrix) > 0;
      return GRADYN_OK;
    }
    before = left;
    gradyn_linsys_solve(s->matrix, s->rest, 1);
    for (int j = 0; j < s->loads; j++)
      s->u[j] -= s->rest[j];
  }
  return GRADYN_OK;
}

gradyn_status gradyn_readings_solve(gradyn_readings *s, gradyn_projection *factors,
                                    const gradyn_mech_state *at, double *al, double *w, bool *found)
{
  const gradyn_mech_state still = {.t = at->t, .q = at->q, .v = at->v, .a = al};
  *found = false;
  memset(al, 0, (size_t)s->size * sizeof *al);
  GRADYN_TRY(take_columns(s, factors, &still));
  memset(w, 0, (size_t)s->numbers * sizeof *w);
  GRADYN_TRY(s->mech->factors.readings.load(s->mech, at, w, s->first, s->slope));
  GRADYN_TRY(iterate(s, at, w, found));
  for (int i = 0; i < s->size; i++) {
    al[i] = gradyn_lane(s->y, s->size, s->loads)[i * GRADYN_LANES];
    for (int j = 0; j < s->loads; j++)
      al[i] += gradyn_lane(s->y, s->size, j)[i * GRADYN_LANES] * s->u[j];
  }
  return GRADYN_OK;
}

gradyn_status gradyn_readings_look(gradyn_readings *s, const gradyn_projection *factors,
                                   const gradyn_mech_state *at, const double *al, double *w)
{
  const gradyn_mech_state still = {.t = at->t, .q = at->q, .v = at->v};
  GRADYN_TRY(s->mech->factors.readings.begin(s->mech, &still, s->b, w));
  gradyn_lanes_load(s->size, 1, al, s->size, s->side);
  s->mech->factors.readings.along(s->mech, factors->factors.own, s->side, s->g);
  for (int i = 0; i < s->numbers; i++)
    w[i] += s->g[i][0];
  return GRADYN_OK;
}

/* --- derivatives ------------------------------------------------------------------------------------ */

/* Z = S^-1 V, into y. */
static void take_transposed(gradyn_readings *s, gradyn_projection *factors)
{
  const gradyn_mech_readings *of = &s->mech->factors.readings;
  for (int j = 0; j < s->loads; j += GRADYN_LANES) {
    const int left = s->loads - j < GRADYN_LANES ? s->loads - j : GRADYN_LANES;
    memset(s->g, 0, (size_t)s->numbers * sizeof *s->g);
    for (int i = 0; i < s->numbers; i++)
      for (int l = 0; l < left; l++)
        s->g[i][l] = s->slope[(j + l) * s->numbers + i];
    of->against(s->mech, factors->factors.own, s->g, s->side);
    gradyn_projection_solve_lanes(factors, left, GRADYN_SOLVE_RATES, s->side,
                                  s->y + j / GRADYN_LANES * s->size);
  }
}

gradyn_status gradyn_readings_linearise(gradyn_readings *s, gradyn_projection *factors,
                                        const gradyn_mech_state *at, const double *w)
{
  const int k = s->loads;
  GRADYN_TRY(s->mech->factors.readings.begin(s->mech, at, NULL, NULL));
  GRADYN_TRY(s->mech->factors.readings.load(s->mech, at, w, s->tau, s->slope));
  take_transposed(s, factors);
  double *value = gradyn_linsys_values(s->matrix);
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++) /* C_ij = 1 - Z_i . E_j */
      *value++ = (i == j) -
                 gradyn_lane(s->y, s->size, i)[s->mech->factors.readings.at[j] * GRADYN_LANES];
  return gradyn_linsys_factor(s->matrix);
}

/* Z^T b, k entries of one lane. */
static void multiply_transposed(const gradyn_readings *s, const gradyn_lanes *b, gradyn_lanes *to)
{
  for (int j = 0; j < s->loads; j++) {
    const double *z = gradyn_lane(s->y, s->size, j);
    to[j] = (gradyn_lanes){0};
    for (int i = 0; i < s->size; i++)
      to[j] += z[i * GRADYN_LANES] * b[i];
  }
}

void gradyn_readings_solve_lanes(gradyn_readings *s, gradyn_projection *factors, int columns,
                                 bool transposed, const gradyn_lanes *b, gradyn_lanes *x)
{
  const int *at = s->mech->factors.readings.at;
  gradyn_lanes *g = s->g;
  if (transposed) {
    gradyn_projection_solve_lanes(factors, columns, GRADYN_SOLVE_RATES, b, x);
    for (int j = 0; j < s->loads; j++)
      g[j] = x[at[j]];
    (void)gradyn_linsys_solve_lanes(s->matrix, true, 1, g);
    for (int j = 0; j < s->loads; j++) {
      const double *z = gradyn_lane(s->y, s->size, j);
      for (int i = 0; i < s->size; i++)
        x[i] += z[i * GRADYN_LANES] * g[j];
    }
    return;
  }
  multiply_transposed(s, b, g);
  (void)gradyn_linsys_solve_lanes(s->matrix, false, 1, g);
  memcpy(s->side, b, (size_t)s->size * sizeof *b);
  for (int j = 0; j < s->loads; j++)
    s->side[at[j]] += g[j];
  gradyn_projection_solve_lanes(factors, columns, GRADYN_SOLVE_RATES | GRADYN_SOLVE_MINUS, s->side,
                                x);
}
