/* Independent coordinates by Gauss-Jordan elimination of the constraints.
 *
 * Rows of Phi_q are scaled, then eliminated with full pivoting. Each step takes the largest remaining entry
 * among the columns that need not be independent. Columns without a pivot are independent. The identity
 * matrix beside Phi_q becomes its inverse in pivot columns, by which dependent coordinates follow from
 * Phi_q d = -r for any r. */
#include "dae/start/independent.h"

#include <math.h>
#include <string.h>

/* A row depends on others if elimination leaves less than this part of its largest entry. */
static const double dependent = 1e-9;

/* Smallest pivot, relative to the largest entry of its row, with which other coordinates determine a
 * coordinate well. */
static const double poorly = 0.05;

/* Allocates memory for the rows [J, 1]. The right half records how rows are combined. */
gradyn_status gradyn_independent_create(gradyn_mech *mech, gradyn_independent *s)
{
  const gradyn_status formed = gradyn_mech_form(mech);
  const size_t n = (size_t)mech->n, m = (size_t)mech->m, nnz = (size_t)mech->jac.nnz + 1;
  *s = (gradyn_independent){.mech = mech, .n = mech->n, .m = mech->m};
  gradyn_arena *arena = &s->arena;
  /* independent coordinates, and the pivot column of each row */
  s->at = gradyn_arena_take(arena, n, sizeof(int));
  s->pivot = gradyn_arena_take(arena, m, sizeof(int));
  s->is_pivot = gradyn_arena_take(arena, n, sizeof(bool));
  s->barred = gradyn_arena_take(arena, n, sizeof(bool));
  /* [J, 1], reduced in place: n columns, then the combinations of rows */
  s->rows = gradyn_arena_numbers(arena, m * (n + m));
  s->J = gradyn_arena_numbers(arena, nnz);
  s->J1 = gradyn_arena_numbers(arena, nnz);
  s->r = gradyn_arena_numbers(arena, m);
  s->phi = gradyn_arena_numbers(arena, n);
  if (formed == GRADYN_OK && gradyn_arena_status(arena) == GRADYN_OK)
    return GRADYN_OK;
  gradyn_independent_clear(s);
  return gradyn_fail(mech->message, GRADYN_NO_MEMORY, "out of memory for independent coordinates");
}

void gradyn_independent_clear(gradyn_independent *s)
{
  gradyn_arena_clear(&s->arena);
  *s = (gradyn_independent){0};
}

/* Returns row i of [Phi_q, 1]. */
static double *row_of(const gradyn_independent *s, int i)
{
  return s->rows + (size_t)i * (size_t)(s->n + s->m);
}

/* Sets the rows to [Phi_q, 1] at a state, where each row is divided by the largest entry of Phi_q in it. */
static gradyn_status load(gradyn_independent *s, const gradyn_mech_state *at)
{
  const gradyn_pattern *jac = &s->mech->jac;
  /* Phi_q, and also Phi'_q, by which rates are computed */
  GRADYN_TRY(s->mech->ops->phi_q(s->mech, GRADYN_CONSTRAINT, 0, at, s->J));
  GRADYN_TRY(s->mech->ops->phi_q(s->mech, GRADYN_CONSTRAINT, 1, at, s->J1));
  memset(s->rows, 0, (size_t)s->m * (size_t)(s->n + s->m) * sizeof(double));
  for (int i = 0; i < s->m; i++) {
    double *row = row_of(s, i), largest = 0;
    if (s->loose && s->loose[i])
      continue;
    /* scaling makes the result independent of the units of rows */
    for (int k = jac->start[i]; k < jac->start[i + 1]; k++)
      largest = fmax(largest, fabs(s->J[k]));
    for (int k = jac->start[i]; k < jac->start[i + 1] && largest > 0; k++)
      row[jac->col[k]] = s->J[k] / largest;
    /* the right half records how rows are combined */
    row[s->n + i] = largest > 0 ? 1 / largest : 0;
  }
  return GRADYN_OK;
}

/* Makes column c a unit vector by elimination with row i. Error: the deadline has passed. */
static gradyn_status eliminate(gradyn_independent *s, double t, int i, int c)
{
  GRADYN_TRY(gradyn_deadline_check(s->mech->deadline, s->mech->message, t));
  int width = s->n + s->m;
  double *own = row_of(s, i), over = 1 / own[c];
  /* divide the pivot's row by the pivot, and subtract multiples of it from all other rows */
  for (int k = 0; k < width; k++)
    own[k] *= over;
  own[c] = 1;
  for (int j = 0; j < s->m; j++) {
    double *row = row_of(s, j), factor = row[c];
    if (j == i || factor == 0)
      continue;
    for (int k = 0; k < width; k++)
      row[k] -= factor * own[k];
    row[c] = 0;
  }
  s->pivot[i] = c;
  return GRADYN_OK;
}

/* Returns the largest entry of the rows that have no pivot yet. Only columns in allowed [n] are searched,
 * or only columns not in barred [n]. */
static double largest_entry(const gradyn_independent *s, const bool *allowed, const bool *barred,
                            int *row, int *column)
{
  double largest = 0;
  for (int i = 0; i < s->m; i++)
    for (int c = 0; c < s->n && s->pivot[i] < 0; c++) {
      double entry = fabs(row_of(s, i)[c]);
      if ((allowed && !allowed[c]) || (barred && barred[c]) || entry <= largest)
        continue;
      largest = entry;
      *row = i;
      *column = c;
    }
  return largest;
}

/* Starts a new elimination. */
static void forget_pivots(gradyn_independent *s)
{
  for (int i = 0; i < s->m; i++)
    s->pivot[i] = -1;
}

/* Lists the coordinates without a pivot, except those that are idle in all modes. */
static void list_independent(gradyn_independent *s)
{
  s->count = 0;
  for (int k = 0; k < s->n; k++)
    if (!s->is_pivot[k] && !(s->mech->idle && s->mech->idle[k]))
      s->at[s->count++] = k;
}

gradyn_status gradyn_independent_choose(gradyn_independent *s, const gradyn_mech_state *at,
                                        const bool *requested)
{
  GRADYN_TRY(load(s, at));
  int i = 0, c = 0;
  /* start without the pivots of an earlier selection */
  forget_pivots(s);
  memset(s->is_pivot, 0, (size_t)s->n * sizeof(bool));
  /* first, pivots in columns that are not requested to be independent */
  while (largest_entry(s, NULL, requested, &i, &c) > dependent) {
    GRADYN_TRY(eliminate(s, at->t, i, c));
    s->is_pivot[c] = true;
  }
  if (largest_entry(s, NULL, NULL, &i, &c) > dependent)
    return gradyn_fail(
        s->mech->message, GRADYN_INVALID,
        "the constraints make requested independent coordinates depend on each other, %s among "
        "them",
        s->mech->coordinate_name(s->mech, c));
  list_independent(s);
  return GRADYN_OK;
}

/* Chooses independent coordinates as gradyn_independent_choose(), but by a rank of each coordinate.
 * Coordinates of low rank become dependent first, even with poor pivots. */
gradyn_status gradyn_independent_rank(gradyn_independent *s, const gradyn_mech_state *at,
                                      const int *rank)
{
  /* pivots of the lowest rank must be good */
  const double least[] = {poorly, dependent, dependent};
  bool *barred = s->barred;
  int i = 0, c = 0;
  GRADYN_TRY(load(s, at));
  forget_pivots(s);
  memset(s->is_pivot, 0, (size_t)s->n * sizeof(bool));
  for (int level = 0; level < 3; level++) {
    /* coordinates of higher rank cannot become dependent at this level */
    for (int k = 0; k < s->n; k++)
      barred[k] = rank[k] > level;
    while (largest_entry(s, NULL, barred, &i, &c) > least[level]) {
      GRADYN_TRY(eliminate(s, at->t, i, c));
      s->is_pivot[c] = true;
    }
  }
  list_independent(s);
  return GRADYN_OK;
}

/* Selects the same coordinates at another state, so that disturbances there are comparable with those at
 * the first state. */
gradyn_status gradyn_independent_move(gradyn_independent *s, const gradyn_mech_state *at)
{
  GRADYN_TRY(load(s, at));
  int i = 0, c = 0, left = 0;
  /* the same number of pivots as before */
  for (int k = 0; k < s->n; k++)
    left += s->is_pivot[k];
  forget_pivots(s);
  /* pivots in the same columns, in the order that is best at this state */
  for (; left > 0; left--) {
    if (largest_entry(s, s->is_pivot, NULL, &i, &c) <= dependent)
      return gradyn_fail(
          s->mech->message, GRADYN_SINGULAR,
          "at t = %g s the chosen independent coordinates do not determine the other coordinates",
          at->t);
    GRADYN_TRY(eliminate(s, at->t, i, c));
  }
  return GRADYN_OK;
}

/* Computes d for all coordinates from the independent ones, with Phi_q d = -r. */
static void complete(const gradyn_independent *s, const double *own, const double *r, double *d)
{
  memset(d, 0, (size_t)s->n * sizeof(double));
  /* independent coordinates are given */
  for (int k = 0; k < s->count; k++)
    d[s->at[k]] = own[k];
  for (int i = 0; i < s->m; i++) {
    const double *row = row_of(s, i);
    double sum = 0;
    /* dependent coordinates: each row, applied to (d; r), gives its pivot's coordinate */
    for (int k = 0; k < s->count && s->pivot[i] >= 0; k++)
      sum += row[s->at[k]] * own[k];
    for (int k = 0; k < s->m && s->pivot[i] >= 0; k++)
      sum += row[s->n + k] * r[k];
    if (s->pivot[i] >= 0)
      d[s->pivot[i]] = -sum;
  }
}

void gradyn_independent_positions(gradyn_independent *s, const double *du, double *dq)
{
  memset(s->r, 0, (size_t)s->m * sizeof(double));
  complete(s, du, s->r, dq);
}

void gradyn_independent_rates(gradyn_independent *s, const double *dq, const double *rate,
                              double *dv)
{
  memset(s->r, 0, (size_t)s->m * sizeof(double));
  gradyn_pattern_multiply(&s->mech->jac, s->m, s->J1, 1, dq, s->r);
  complete(s, rate, s->r, dv);
}

void gradyn_independent_lift(gradyn_independent *s, const double *du, const double *rate,
                             double *dq, double *dv)
{
  gradyn_independent_positions(s, du, dq);
  gradyn_independent_rates(s, dq, rate, dv);
}
