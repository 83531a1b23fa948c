/* Matrices of general equations at a point: F_y, F_y', combinations of them, factors and solves.
 *
 * If rates enter with a singular matrix, some combinations of rows contain no rates. In F_y + cj F_y', only
 * round-off of the rates would remain in them for short steps, with large cj. Therefore rows are combined
 * first, by elimination in F_y': E F_y' = (U; 0) with r rows in U. The factorised matrix is
 *
 *   E (F_y + cj F_y') = E F_y + cj (U; 0). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dae/systems/index1_equations.h"

/* Splits v into P v, which goes to null, and (1 - P) v, which stays in v. P v is the part that constant
 * singular rates leave undetermined. */
void gradyn_equations_system_divide(const gradyn_equations_system *s, double *v, double *null)
{
  int np = s->base.np;
  for (int i = 0; i < np; i++) {
    null[i] = 0;
    for (int j = 0; j < np && s->base.combined > 0; j++)
      null[i] += s->P[i * np + j] * v[j]; /* P v */
  }
  for (int i = 0; i < np; i++)
    v[i] -= null[i];
}

void gradyn_equations_system_divide_states(gradyn_equations_system *s, const double *y)
{
  for (int d = 0; d < s->base.np; d++)
    s->v[d] = y[s->differential[d]];
  gradyn_equations_system_divide(s, s->v, s->null);
}

/* --- row combinations -------------------------------------------------------------------------- */

void gradyn_equations_rows_create(gradyn_equations_system *s)
{
  const size_t n = (size_t)s->base.ny, np = (size_t)s->base.np;
  gradyn_equations_rows *rows = &s->rows;
  rows->position = gradyn_arena_take(&s->arena, n, sizeof *rows->position);
  rows->factor = gradyn_arena_numbers(&s->arena, np * n);
  rows->U = gradyn_arena_numbers(&s->arena, np * n);
  rows->size = gradyn_arena_numbers(&s->arena, n);
  rows->column = gradyn_arena_numbers(&s->arena, n);
  rows->rate = gradyn_arena_numbers(&s->arena, n);
}

/* Returns the largest entry of the rows from k on, relative to the original size of its row. Only columns
 * without a pivot are searched. */
static double find_pivot(const gradyn_equations_system *s, int k, int *row, int *column)
{
  const int n = s->base.ny;
  double most = 0;
  for (int d = k; d < s->base.np; d++)
    for (int i = k; i < n; i++) {
      const double entry = s->rows.U[d * n + i], size = s->rows.size[i];
      if (size > 0 && fabs(entry) > most * size) {
        most = fabs(entry) / size;
        *row = i;
        *column = d;
      }
    }
  return most;
}

static void swap(double *a, double *b)
{
  const double kept = *a;
  *a = *b;
  *b = kept;
}

/* Moves the pivot to position (k, k) by exchanges, and subtracts multiples of its row from the rows below. */
static void eliminate(gradyn_equations_system *s, int k, int row, int column)
{
  const int n = s->base.ny, np = s->base.np;
  double *U = s->rows.U, *factor = s->rows.factor;
  s->rows.position[k] = row;
  swap(&s->rows.size[k], &s->rows.size[row]);
  for (int d = 0; d < np; d++)
    swap(&U[d * n + k], &U[d * n + row]);
  for (int j = 0; j < k; j++) /* the multiples stored so far are exchanged with their rows */
    swap(&factor[j * n + k], &factor[j * n + row]);
  for (int i = 0; i < n && column != k; i++)
    swap(&U[column * n + i], &U[k * n + i]);
  for (int i = k + 1; i < n; i++) {
    factor[k * n + i] = U[k * n + i] / U[k * n + k];
    for (int d = k; d < np; d++)
      U[d * n + i] -= factor[k * n + i] * U[d * n + k];
  }
}

/* Computes E for the present F_y'. Its rank is known: the number of differential states minus the number of
 * their algebraic combinations. */
static void reduce(gradyn_equations_system *s)
{
  const int n = s->base.ny, np = s->base.np, rank = np - s->base.combined;
  s->rows.count = 0;
  /* columns of F_yd', and the size of each row */
  for (int i = 0; i < n; i++)
    s->rows.size[i] = 0;
  for (int d = 0; d < np; d++) {
    memcpy(s->rows.U + d * n, s->F_yp + s->differential[d] * n, (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++)
      s->rows.size[i] = fmax(s->rows.size[i], fabs(s->rows.U[d * n + i]));
  }
  for (int k = 0, row = 0, column = 0; k < rank && find_pivot(s, k, &row, &column) > 0; k++) {
    eliminate(s, k, row, column);
    s->rows.count = k + 1;
  }
}

/* v = E v. */
static void combine(const gradyn_equations_system *s, double *v)
{
  const int n = s->base.ny;
  for (int k = 0; k < s->rows.count; k++)
    swap(&v[k], &v[s->rows.position[k]]);
  for (int k = 0; k < s->rows.count; k++)
    for (int i = k + 1; i < n && v[k] != 0; i++)
      v[i] -= s->rows.factor[k * n + i] * v[k];
}

/* v = E^T v. */
static void combine_transposed(const gradyn_equations_system *s, double *v)
{
  const int n = s->base.ny;
  for (int k = s->rows.count - 1; k >= 0; k--)
    for (int i = k + 1; i < n; i++)
      v[k] -= s->rows.factor[k * n + i] * v[i];
  for (int k = s->rows.count - 1; k >= 0; k--)
    swap(&v[k], &v[s->rows.position[k]]);
}

/* Adds F_yd P of differential state d to a column, the part of B other than its rate. */
static void add_combined(const gradyn_equations_system *s, int d, double *column)
{
  const int n = s->base.ny, np = s->base.np;
  for (int j = 0; j < np; j++) {
    const double p = s->P[d * np + j]; /* column d of P */
    const double *F_y = s->F_y + s->differential[j] * n;
    for (int k = 0; k < n && p != 0; k++)
      column[k] += F_y[k] * p;
  }
}

/* Fills values [equation][state] with the matrix by_y F_y + by_yp F_y' of combined rows. Solves apply the
 * same combinations to right-hand sides. */
static void fill_rows(gradyn_equations_system *s, double by_y, double by_yp, double *values)
{
  const int n = s->base.ny;
  double *column = s->rows.column, *rate = s->rows.rate;
  reduce(s);
  for (int i = 0, d = 0; i < n; i++) {
    const bool rated = s->id[i] != 0;
    for (int k = 0; k < n; k++) {
      column[k] = rated ? by_y * s->F_y[i * n + k] : s->F_y[i * n + k];
      rate[k] = rated ? s->F_yp[i * n + k] : 0;
    }
    /* at a start the matrix is B = [F_yd' + F_yd P, F_ya] */
    if (rated && by_y == 0)
      add_combined(s, d, column);
    d += rated;
    /* columns of E F_y and (U; 0) */
    combine(s, column);
    combine(s, rate);
    for (int k = 0; k < n; k++) /* rows without rates get exact zeros instead of round-off */
      values[k * n + i] = column[k] + (k < s->rows.count ? by_yp * rate[k] : 0);
  }
}

void gradyn_equations_system_solve(const gradyn_equations_system *s, double *b)
{
  if (s->base.combined > 0)
    combine(s, b);
  gradyn_linsys_solve(s->system, b, 1);
}

void gradyn_equations_system_solve_transposed(const gradyn_equations_system *s, double *b)
{
  gradyn_linsys_solve_transposed(s->system, b, 1);
  if (s->base.combined > 0)
    combine_transposed(s, b);
}

/* --- evaluation and factors --------------------------------------------------------------------- */

void gradyn_equations_system_point(gradyn_equations_system *s, double t, const double *y,
                                   const double *yp)
{
  s->t = t;
  s->y = y;
  s->yp = yp;
  memset(s->by.known, 0, (size_t)s->by.count * sizeof *s->by.known);
}

gradyn_status gradyn_equations_system_take_pattern(gradyn_equations_system *s)
{
  LOCAL(gradyn_pattern) pattern = {0};
  /* common pattern of F_y and F_y' */
  int *position = realloc(s->position, ((size_t)s->J->start[s->base.ny] + 1) * sizeof *position);
  if (!position)
    return GRADYN_NO_MEMORY;
  s->position = position;
  /* factors with an earlier pattern cannot be used */
  gradyn_linsys_free(s->system);
  s->system = NULL;
  s->patterns++;
  s->F_y = s->J->F_y;
  s->F_yp = s->J->F_yp;
  GRADYN_TRY(gradyn_jacobian_pattern(s->J, &pattern, position));
  return gradyn_linsys_create(&pattern, false, GRADYN_BACKEND_AUTO, &s->system);
}

/* Evaluates F_y and F_y' by groups of columns without common rows (colours). */
static gradyn_status linearise_sparse(gradyn_equations_system *s)
{
  GRADYN_TRY(gradyn_jacobian_at(s->J));
  /* an entry outside of the pattern was not zero: take the new pattern */
  return s->J->grown ? gradyn_equations_system_take_pattern(s) : GRADYN_OK;
}

/* Evaluates the matrices by complex step: column by column, or by groups of columns (colours). */
gradyn_status gradyn_equations_system_evaluate(gradyn_equations_system *s, double t,
                                               const double *y, const double *yp, bool unknowns)
{
  const int n = s->base.ny;
  const bool whole = !unknowns || s->base.combined > 0;
  /* factors of earlier matrices are no longer valid */
  s->factored[0] = s->factored[1] = NAN;
  gradyn_equations_system_point(s, t, y, yp);
  gradyn_equations_at(s->e, t, y, yp);
  if (s->J)
    return linearise_sparse(s);
  for (int i = 0; i < n; i++) {
    /* algebraic states have no rates */
    if (whole || s->id[i] == 0)
      GRADYN_TRY(gradyn_equations_by_state(s->e, i, false, s->F_y + i * n));
    if (s->id[i] != 0)
      GRADYN_TRY(gradyn_equations_by_state(s->e, i, true, s->F_yp + i * n));
  }
  return GRADYN_OK;
}

gradyn_status gradyn_equations_system_factor(gradyn_equations_system *s, double by_y, double by_yp)
{
  int n = s->base.ny;
  /* the present factors are those of the requested matrix */
  if (s->factored[0] == by_y && s->factored[1] == by_yp)
    return GRADYN_OK;
  s->factored[0] = by_y;
  s->factored[1] = by_yp;
  double *values = gradyn_linsys_values(s->system);
  for (int i = 0; i < n && s->J; i++)
    for (int k = s->J->start[i]; k < s->J->start[i + 1]; k++)
      /* columns of algebraic states contain F_y only */
      values[s->position[k]] = s->id[i] != 0 ? by_y * s->F_y[k] + by_yp * s->F_yp[k] : s->F_y[k];
  for (int i = 0; i < n && !s->J && s->base.combined == 0; i++)
    for (int k = 0; k < n; k++) /* i: state (column), k: equation (row) */
      values[k * n + i] = s->id[i] != 0 ? by_y * s->F_y[i * n + k] + by_yp * s->F_yp[i * n + k]
                                        : s->F_y[i * n + k];
  if (s->base.combined > 0)
    fill_rows(s, by_y, by_yp, values);
  s->base.factorisations++;
  gradyn_status status = gradyn_linsys_factor(s->system);
  if (status == GRADYN_OK)
    return status;
  s->factored[0] = s->factored[1] = NAN; /* there are no valid factors */
  if (gradyn_linsys_solver_failed(status, &s->base.model->message))
    return status;
  int at = gradyn_linsys_singular_at(s->system);
  return gradyn_fail(&s->base.model->message, status,
                     "the equations are %s at t = %g s near the state %s: is their index higher "
                     "than 1?",
                     status == GRADYN_SINGULAR ? "singular" : "not finite", s->t,
                     at >= 0 && at < n ? s->e->unknown[at].name : "?");
}
