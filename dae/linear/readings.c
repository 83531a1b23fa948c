/* The small system of multiplier-dependent forces. S is the matrix without these forces; E are unit columns
 * of the rows on which loads act; u = tau(w) are the loads, functions of numbers w.
 *
 *   (a; lam) = y_0 + Y u,   y_0 = S^-1 (Q_0; -Phi''_0),   Y = S^-1 E,   w = w_0 + W (a; lam),
 *   u - tau(w) = 0,         by Newton's method with C = 1 - H W Y, H = tau_w.
 *
 * Derivatives use the matrix S - E H W. With the stored C of the solution, they solve for
 *
 *   x = S^-1 (b + E C^-1 H W S^-1 b),     and transposed x = S^-1 (b + W^T H^T C^-T E^T S^-1 b),
 *
 * because S is symmetric. The determinant of C is positive until the mechanism locks. */
#include "dae/linear/readings.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/linear/norm.h"

enum { MOST_ITERATIONS = 40 };

/* Parts of a stored solution: w, u, slopes H in the pattern mech.by, and C. */
typedef struct solution {
  double *w, *u, *slope, *C;
} solution;

static solution parts_of(const gradyn_multiplier_forces *s, double *record)
{
  double *const u = record + s->numbers, *const slope = u + s->loads;
  return (solution){record, u, slope, slope + s->mech->factors.readings.by.nnz};
}

gradyn_status gradyn_multiplier_forces_create(gradyn_mech *mech, gradyn_multiplier_forces *s)
{
  const gradyn_mech_readings *of = &mech->factors.readings;
  *s = (gradyn_multiplier_forces){
      .mech = mech, .size = mech->n + mech->m, .loads = of->loads, .numbers = of->numbers};
  s->record = s->numbers + s->loads + of->by.nnz + s->loads * s->loads;
  const size_t k = (size_t)s->loads, w = (size_t)s->numbers;
  const size_t packs = gradyn_lanes_groups(s->loads + 1);
  s->packs = (int)packs;
  s->b = gradyn_arena_numbers(&s->arena, (size_t)s->size);
  s->w = gradyn_arena_numbers(&s->arena, w);
  s->WY = gradyn_arena_lanes(&s->arena, packs * w);
  s->u = gradyn_arena_lanes(&s->arena, packs);
  s->tau = gradyn_arena_numbers(&s->arena, k);
  s->rest = gradyn_arena_numbers(&s->arena, k);
  s->side = gradyn_arena_lanes(&s->arena, packs * (size_t)s->size);
  s->y = gradyn_arena_lanes(&s->arena, packs * (size_t)s->size);
  s->g = gradyn_arena_lanes(&s->arena, w + k);
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  gradyn_pattern full;
  GRADYN_TRY(gradyn_pattern_fill(s->loads, &full));
  const gradyn_status status = gradyn_linsys_create(&full, false, GRADYN_BACKEND_DENSE, &s->matrix);
  gradyn_pattern_clear(&full);
  return status;
}

void gradyn_multiplier_forces_clear(gradyn_multiplier_forces *s)
{
  gradyn_linsys_free(s->matrix);
  gradyn_arena_clear(&s->arena);
  *s = (gradyn_multiplier_forces){0};
}

/* --- solution of a stage ------------------------------------------------------------------------ */

/* Solves with S for the columns Y, and for the solution y_0 without multiplier-dependent forces. Multiplies
 * all of them by W, and computes w_0. */
static gradyn_status take_columns(gradyn_multiplier_forces *s, gradyn_projection *factors,
                                  const gradyn_mech_state *at)
{
  gradyn_mech *mech = s->mech;
  const gradyn_mech_readings *of = &mech->factors.readings;
  const int k = s->loads, columns = k + 1;
  GRADYN_TRY(of->begin(mech, at, s->b, s->w));
  GRADYN_TRY(mech->ops->phi(mech, GRADYN_CONSTRAINT, 2, at, s->b + mech->n));
  memset(s->side, 0, (size_t)(s->packs * s->size) * sizeof *s->side);
  for (int j = 0; j < k; j++)
    gradyn_lane(s->side, s->size, j)[of->at[j] * GRADYN_LANES] = 1;
  double *last = gradyn_lane(s->side, s->size, k);
  for (int i = 0; i < s->size; i++)
    last[i * GRADYN_LANES] = -s->b[i];
  for (int p = 0, left = columns; p < s->packs; p++, left -= GRADYN_LANES) {
    gradyn_lanes *y = s->y + p * s->size;
    gradyn_projection_solve_lanes(factors, left < GRADYN_LANES ? left : GRADYN_LANES,
                                  GRADYN_SOLVE_RATES, s->side + p * s->size, y);
    of->along(mech, factors->factors.own, y, s->WY + p * s->numbers);
  }
  return GRADYN_OK;
}

/* Computes sum [count], the product of columns [groups of lanes][count] with (u, 1). */
static GRADYN_WIDE void add_columns(const gradyn_multiplier_forces *s, int count,
                                    const gradyn_lanes *column, double *sum)
{
  for (int i = 0; i < count; i++) {
    gradyn_lanes all = {0};
    for (int p = 0; p < s->packs; p++)
      all += column[p * count + i] * s->u[p];
    sum[i] = (all[0] + all[1]) + (all[2] + all[3]);
  }
}

/* w = w_0 + W (y_0 + Y u). */
static void read(gradyn_multiplier_forces *s, const solution *now)
{
  for (int j = 0; j < s->loads; j++)
    *gradyn_lane(s->u, 1, j) = now->u[j];
  *gradyn_lane(s->u, 1, s->loads) = 1;
  add_columns(s, s->numbers, s->WY, now->w);
  for (int i = 0; i < s->numbers; i++)
    now->w[i] += s->w[i];
}

/* C = 1 - H W Y, by rows. */
static GRADYN_WIDE void fill_loads(const gradyn_multiplier_forces *s, const solution *now)
{
  const gradyn_pattern *by = &s->mech->factors.readings.by;
  const int k = s->loads;
  for (int i = 0; i < k; i++) {
    double *row = now->C + i * k;
    for (int p = 0; p < s->packs; p++) {
      gradyn_lanes sum = {0};
      for (int e = by->start[i]; e < by->start[i + 1]; e++)
        sum -= now->slope[e] * s->WY[p * s->numbers + by->col[e]];
      for (int l = 0; l < GRADYN_LANES && p * GRADYN_LANES + l < k; l++)
        row[p * GRADYN_LANES + l] = sum[l];
    }
    row[i] += 1;
  }
}

static gradyn_status factor_loads(gradyn_multiplier_forces *s, const solution *now)
{
  memcpy(gradyn_linsys_values(s->matrix), now->C, (size_t)(s->loads * s->loads) * sizeof *now->C);
  return gradyn_linsys_factor(s->matrix);
}

/* Computes the residual u - tau(w) of the equations of the loads, and C. *left: norm of the residual.
 * *size: norm of the loads. */
static gradyn_status find_rest(gradyn_multiplier_forces *s, const gradyn_mech_state *at,
                               const solution *now, double *left, double *size)
{
  read(s, now);
  GRADYN_TRY(s->mech->factors.readings.load(s->mech, at, now->w, s->tau, now->slope));
  for (int j = 0; j < s->loads; j++)
    s->rest[j] = now->u[j] - s->tau[j];
  *left = gradyn_largest(s->rest, s->loads);
  *size = gradyn_largest(s->tau, s->loads);
  fill_loads(s, now);
  return GRADYN_OK;
}

/* Newton's method until round-off. The last correction uses the factors of the one before, with a relative
 * error of about the square root of the residual. After it, the residual to the power 3/2 remains, which is
 * round-off if the residual is below eps^(2/3). */
static gradyn_status iterate(gradyn_multiplier_forces *s, const gradyn_mech_state *at,
                             const solution *now, bool *found)
{
  double left = HUGE_VAL, size = 0;
  for (int k = 0; k < MOST_ITERATIONS; k++) {
    gradyn_status status = find_rest(s, at, now, &left, &size);
    const bool ends = left <= cbrt(DBL_EPSILON * DBL_EPSILON) * size;
    if (status == GRADYN_OK && (k == 0 || !ends))
      status = factor_loads(s, now);
    if (gradyn_linsys_solver_failed(status, s->mech->message))
      return status;
    if (status != GRADYN_OK || !isfinite(left))
      return GRADYN_OK;
    gradyn_linsys_solve(s->matrix, s->rest, 1);
    for (int j = 0; j < s->loads; j++)
      now->u[j] -= s->rest[j];
    if (ends) {
      read(s, now);
      *found = gradyn_linsys_sign(s->matrix) > 0;
      return GRADYN_OK;
    }
  }
  return GRADYN_OK;
}

gradyn_status gradyn_multiplier_forces_solve(gradyn_multiplier_forces *s,
                                             gradyn_projection *factors,
                                             const gradyn_mech_state *at, const double *near,
                                             double *al, double *record, bool *found)
{
  const gradyn_mech_state still = {.t = at->t, .q = at->q, .v = at->v, .a = al};
  const solution now = parts_of(s, record);
  *found = false;
  memset(al, 0, (size_t)s->size * sizeof *al);
  GRADYN_TRY(take_columns(s, factors, &still));
  for (int j = 0; j < s->loads; j++)
    now.u[j] = near ? near[s->numbers + j] : 0;
  GRADYN_TRY(iterate(s, at, &now, found));
  add_columns(s, s->size, s->y, al);
  return GRADYN_OK;
}

gradyn_status gradyn_multiplier_forces_evaluate(gradyn_multiplier_forces *s,
                                                const gradyn_projection *factors,
                                                const gradyn_mech_state *at, const double *al,
                                                double *record)
{
  const gradyn_mech_readings *of = &s->mech->factors.readings;
  const gradyn_mech_state still = {.t = at->t, .q = at->q, .v = at->v};
  const solution now = parts_of(s, record);
  GRADYN_TRY(of->begin(s->mech, &still, s->b, now.w));
  gradyn_lanes_load(s->size, 1, al, s->size, s->side);
  of->along(s->mech, factors->factors.own, s->side, s->g);
  for (int i = 0; i < s->numbers; i++)
    now.w[i] += s->g[i][0];
  GRADYN_TRY(of->load(s->mech, at, now.w, now.u, now.slope));
  fill_loads(s, &now);
  const gradyn_status status = factor_loads(s, &now);
  return gradyn_linsys_solver_failed(status, s->mech->message) ? status : GRADYN_OK;
}

/* --- derivatives -------------------------------------------------------------------------------- */

gradyn_status gradyn_multiplier_forces_linearise(gradyn_multiplier_forces *s,
                                                 const gradyn_mech_state *at, const double *record)
{
  const size_t k = (size_t)s->loads;
  const double *C = record + s->record - k * k;
  s->slope = record + s->numbers + k;
  GRADYN_TRY(s->mech->factors.readings.begin(s->mech, at, NULL, NULL));
  memcpy(gradyn_linsys_values(s->matrix), C, k * k * sizeof *C);
  return gradyn_linsys_factor(s->matrix);
}

/* Computes g [loads] = H w [numbers] or, transposed, w = H^T g. */
static void multiply_slopes(const gradyn_multiplier_forces *s, bool transposed, gradyn_lanes *w,
                            gradyn_lanes *g)
{
  const gradyn_pattern *by = &s->mech->factors.readings.by;
  memset(transposed ? w : g, 0, (size_t)(transposed ? s->numbers : s->loads) * sizeof *g);
  for (int i = 0; i < s->loads; i++)
    for (int e = by->start[i]; e < by->start[i + 1]; e++)
      if (transposed)
        w[by->col[e]] += s->slope[e] * g[i];
      else
        g[i] += s->slope[e] * w[by->col[e]];
}

void gradyn_multiplier_forces_solve_lanes(gradyn_multiplier_forces *s, gradyn_projection *factors,
                                          int columns, bool transposed, const gradyn_lanes *b,
                                          gradyn_lanes *x)
{
  const gradyn_mech_readings *of = &s->mech->factors.readings;
  const double *f = factors->factors.own;
  gradyn_lanes *w = s->g, *g = w + s->numbers;
  gradyn_projection_solve_lanes(factors, columns, GRADYN_SOLVE_RATES, b, x);
  memset(s->side, 0, (size_t)s->size * sizeof *s->side);
  if (transposed) {
    for (int j = 0; j < s->loads; j++)
      g[j] = x[of->at[j]];
    gradyn_linsys_solve_lanes(s->matrix, true, columns, g);
    multiply_slopes(s, true, w, g);
    of->against(s->mech, f, w, s->side);
  } else {
    of->along(s->mech, f, x, w);
    multiply_slopes(s, false, w, g);
    gradyn_linsys_solve_lanes(s->matrix, false, columns, g);
    for (int j = 0; j < s->loads; j++)
      s->side[of->at[j]] = g[j];
  }
  gradyn_projection_solve_lanes(factors, columns, GRADYN_SOLVE_RATES, s->side, s->y);
  for (int i = 0; i < s->size; i++)
    x[i] = transposed ? x[i] + s->y[i] : -(x[i] + s->y[i]);
}
