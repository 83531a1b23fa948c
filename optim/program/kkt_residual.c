/* Residual of the first-order conditions.
 *
 * The multipliers of bounds are eliminated from r = g + A^T lam. At a lower bound, the bound balances any
 * r_j >= 0; at an upper bound, it balances any r_j <= 0. A least-squares problem in lam remains, with
 * lam_i >= 0 for inequalities, over the set J of variables that no bound balances. J depends on lam; both
 * are computed in turn.
 *
 * Each inner problem is solved by the active-set method of Lawson and Hanson (1974), chapter 23. The
 * multipliers of equalities are always free. A constraint joins the set if it does not depend on the
 * others in the set, and if its multiplier then has the correct sign. Without these conditions, round-off
 * would let nearly equal constraints, such as neighbouring samples, join and leave forever. */
#include "optim/program/kkt_residual.h"
#include "optim/program/basis.h"
#include "optim/program/span.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SETS = 20 }; /* largest number of changes of J */

/* With more equality constraints than this, their gradients are assumed to be sparse. */
enum { MANY = 100 };

/* Gradients of active constraints balance each other if a multiplier is larger than this number times the
 * slope of the objective. For min x with 0 <= y <= x^3 the ratio grows without limit. For vertices it is
 * 1/sin of their angle; 10 means six degrees. Units of parameters change angles: with 100, one of 3,000
 * ends was wrongly called optimal. */
static const double balance = 10;

struct gradyn_kkt_residual {
  gradyn_basis
      basis;   /* basis of the passive rows over J, each scaled to length one; not used if `many` */
  double *row; /* [n], scratch memory for one passive row */
  double *rhs; /* [n] */
  double *work;   /* [m] */
  double *r;      /* [n], gradient of the Lagrangian */
  double *trial;  /* [m], multipliers */
  double *narrow; /* [m], multipliers of active constraints only */
  double *z;      /* [m], unconstrained solution over the passive set */
  double *norm;   /* [m], lengths of the rows of A */
  size_t *J;      /* [n], variables that no bound balances */
  /* [m], constraints with a free multiplier, in the order in which they joined */
  size_t *passive;
  bool *candidate;  /* [m], constraints that may have a multiplier */
  bool *in_passive; /* [m] */
  bool *refused;    /* [m], constraints that could not join the present set */
  bool *in_J;       /* [n] */
  bool *ignored;    /* [n], the complement of in_J */
  size_t J_count, passive_count;
  double steep; /* multipliers above this indicate that constraints balance each other */
  /* largest product of a multiplier above `steep` and the distance from its constraint or bound */
  double gap;
  bool many;          /* there are many equality constraints, with few entries each */
  gradyn_arena arena; /* memory of all arrays */
};

gradyn_kkt_residual *gradyn_kkt_residual_create(size_t n, size_t m, size_t equalities)
{
  gradyn_kkt_residual *w = calloc(1, sizeof *w);
  if (w == NULL || n >= INT_MAX / 8 || m >= INT_MAX / 8) {
    free(w);
    return NULL;
  }
  gradyn_arena *arena = &w->arena;
  const bool sparse = equalities > MANY;
  gradyn_basis_create(arena, sparse ? 0 : m < n ? m : n, n, &w->basis);
  w->row = gradyn_arena_numbers(arena, n);
  w->rhs = gradyn_arena_numbers(arena, n);
  w->work = gradyn_arena_numbers(arena, m);
  w->r = gradyn_arena_numbers(arena, n);
  w->trial = gradyn_arena_numbers(arena, m);
  w->narrow = gradyn_arena_numbers(arena, m);
  w->z = gradyn_arena_numbers(arena, m);
  w->norm = gradyn_arena_numbers(arena, m);
  w->J = gradyn_arena_take(arena, n, sizeof *w->J);
  w->passive = gradyn_arena_take(arena, m, sizeof *w->passive);
  /* sets of variables and of constraints, as lists and as flags */
  w->candidate = gradyn_arena_take(arena, m, sizeof *w->candidate);
  w->in_passive = gradyn_arena_take(arena, m, sizeof *w->in_passive);
  w->refused = gradyn_arena_take(arena, m, sizeof *w->refused);
  w->in_J = gradyn_arena_take(arena, n, sizeof *w->in_J);
  w->ignored = gradyn_arena_take(arena, n, sizeof *w->ignored);
  if (gradyn_arena_status(arena) == GRADYN_OK)
    return w;
  gradyn_kkt_residual_free(w);
  return NULL;
}

void gradyn_kkt_residual_free(gradyn_kkt_residual *w)
{
  if (w != NULL)
    gradyn_arena_clear(&w->arena);
  free(w);
}

/* r = g + A^T lam */
static void lagrangian_gradient(const gradyn_linearised *at, const double lam[], double r[])
{
  memcpy(r, at->g, at->n * sizeof *r);
  for (size_t i = 0; i < at->m; i++) {
    const gradyn_entry_row row = gradyn_entries_row(at->entries, at->n, i);
    for (size_t k = 0; lam[i] != 0 && k < row.count; k++)
      r[gradyn_entries_column(&row, k)] += at->A[row.first + k] * lam[i];
  }
}

/* Whether a bound balances component j of the gradient of the Lagrangian, r_j. */
static bool balanced(const gradyn_linearised *at, size_t j, double r_j)
{
  const bool at_lower = at->x[j] - at->lower[j] <= at->window;
  const bool at_upper = at->upper[j] - at->x[j] <= at->window;
  return (at_lower && r_j >= 0) || (at_upper && r_j <= 0);
}

/* Sum of squares of the components of r that no bound balances. */
static double misfit(gradyn_kkt_residual *w, const gradyn_linearised *at, const double lam[])
{
  lagrangian_gradient(at, lam, w->r);
  double sum = 0.0;
  for (size_t j = 0; j < at->n; j++)
    sum += balanced(at, j, w->r[j]) ? 0.0 : w->r[j] * w->r[j];
  return sum;
}

/* Minimises |g + A^T z| over J for many passive rows. Returns false if memory is out or z is not finite. */
static bool solve_sparse(gradyn_kkt_residual *w, const gradyn_linearised *at)
{
  for (size_t j = 0; j < at->n; j++) {
    w->ignored[j] = !w->in_J[j];
    w->rhs[j] = -at->g[j];
  }
  gradyn_span *span = gradyn_span_create(&(gradyn_span_rows){.entries = at->entries,
                                                             .A = at->A,
                                                             .n = at->n,
                                                             .row = w->passive,
                                                             .count = w->passive_count,
                                                             .ignored = w->ignored,
                                                             .least = GRADYN_SPAN_LEAST,
                                                             .target = w->rhs});
  if (span == NULL)
    return false;
  gradyn_span_nearest(span, w->work);
  gradyn_span_free(span);
  bool finite = true;
  for (size_t k = 0; k < w->passive_count; k++) {
    w->z[w->passive[k]] = w->work[k];
    finite = finite && isfinite(w->work[k]);
  }
  return finite;
}

/* Minimises |g + A^T z| over J, where z is zero except for passive rows. Returns false if z is not finite. */
static bool solve_passive(gradyn_kkt_residual *w, const gradyn_linearised *at)
{
  memset(w->z, 0, at->m * sizeof *w->z);
  if (w->many)
    return w->passive_count == 0 || solve_sparse(w, at);
  for (size_t l = 0; l < w->J_count; l++)
    w->rhs[l] = -at->g[w->J[l]];
  gradyn_basis_nearest(&w->basis, w->rhs, w->work);
  for (size_t k = 0; k < w->passive_count; k++) {
    /* z for the row before it was scaled to length one */
    w->z[w->passive[k]] = w->work[k] / w->norm[w->passive[k]];
    if (!isfinite(w->work[k]))
      return false;
  }
  return true;
}

/* Fills w->row with the entries of row i in J, scaled to length one. */
static void take_row(gradyn_kkt_residual *w, const gradyn_linearised *at, size_t i)
{
  const gradyn_entry_row row = gradyn_entries_row(at->entries, at->n, i);
  size_t next = 0;
  for (size_t l = 0; l < w->J_count; l++) {
    while (next < row.count && gradyn_entries_column(&row, next) < w->J[l])
      next++;
    const bool has = next < row.count && gradyn_entries_column(&row, next) == w->J[l];
    w->row[l] = has ? at->A[row.first + next] / w->norm[i] : 0;
  }
}

/* Adds row i to the passive rows. Returns false if it depends linearly on them. */
static bool join(gradyn_kkt_residual *w, const gradyn_linearised *at, size_t i)
{
  if (!w->many) {
    take_row(w, at, i);
    if (!gradyn_basis_join(&w->basis, w->row, GRADYN_SPAN_LEAST))
      return false;
  }
  w->passive[w->passive_count++] = i;
  w->in_passive[i] = true;
  return true;
}

/* Removes the k-th passive row. */
static void leave(gradyn_kkt_residual *w, size_t k)
{
  if (!w->many)
    gradyn_basis_leave(&w->basis, k);
  w->in_passive[w->passive[k]] = false;
  w->passive_count--;
  memmove(w->passive + k, w->passive + k + 1, (w->passive_count - k) * sizeof *w->passive);
}

/* Accuracy of the slopes along multipliers. A slope is a sum of n products with r, whose entries are sums
 * of m + 1 terms. */
static double round_off(const gradyn_kkt_residual *w, const gradyn_linearised *at,
                        const double lam[])
{
  double size = 0.0;
  for (size_t l = 0; l < w->J_count; l++)
    size = hypot(size, at->g[w->J[l]]);
  for (size_t i = 0; i < at->m; i++)
    size += fabs(lam[i]) * w->norm[i];
  return (double)(at->n + at->m) * DBL_EPSILON * size;
}

/* Returns the candidate whose multiplier reduces the misfit fastest, or at->m if no slope exceeds `least`.
 * Refused constraints are skipped. */
static size_t most_wanted(gradyn_kkt_residual *w, const gradyn_linearised *at, double least)
{
  double best = least;
  size_t chosen = at->m;
  for (size_t i = at->equalities; i < at->m; i++) {
    if (!w->candidate[i] || w->in_passive[i] || w->refused[i])
      continue;
    double slope = 0.0;
    /* -d(|r|^2 / 2)/dlam_i over J, for a row of unit length */
    const gradyn_entry_row row = gradyn_entries_row(at->entries, at->n, i);
    for (size_t k = 0; k < row.count; k++) {
      const size_t j = gradyn_entries_column(&row, k);
      if (w->in_J[j])
        slope -= at->A[row.first + k] * w->r[j] / w->norm[i];
    }
    if (slope > best) {
      best = slope;
      chosen = i;
    }
  }
  return chosen;
}

/* Adds the constraint whose multiplier reduces the misfit fastest, and solves with it. Returns false if
 * there is none. */
static bool admit(gradyn_kkt_residual *w, const gradyn_linearised *at, const double lam[])
{
  const double least = round_off(w, at, lam);
  lagrangian_gradient(at, lam, w->r);
  memset(w->refused, 0, at->m * sizeof *w->refused);
  for (size_t i = most_wanted(w, at, least); i < at->m; i = most_wanted(w, at, least)) {
    if (join(w, at, i)) {
      if (solve_passive(w, at) && w->z[i] > 0)
        return true;
      leave(w,
            w->passive_count - 1); /* its multiplier has the wrong sign: the slope was round-off */
    }
    w->refused[i] = true;
  }
  return false;
}

/* Moves lam towards z as far as the signs permit. The constraint whose multiplier reaches zero first leaves
 * the set. Returns true if z was reached. */
static bool step_to(gradyn_kkt_residual *w, const gradyn_linearised *at, double lam[])
{
  /* the largest alpha in [0, 1] with lam + alpha (z - lam) >= 0 for all inequalities */
  double alpha = 1.0;
  size_t blocking = w->passive_count;
  for (size_t k = 0; k < w->passive_count; k++) {
    const size_t i = w->passive[k];
    if (i >= at->equalities && w->z[i] < 0 && lam[i] <= alpha * (lam[i] - w->z[i])) {
      alpha = lam[i] / (lam[i] - w->z[i]);
      blocking = k;
    }
  }
  for (size_t k = 0; k < w->passive_count; k++) {
    const size_t i = w->passive[k];
    lam[i] += alpha * (w->z[i] - lam[i]);
  }
  if (blocking == w->passive_count)
    return true;
  lam[w->passive[blocking]] = 0.0; /* exactly zero, without round-off */
  leave(w, blocking);
  return false;
}

/* Solves the least-squares problem over the present J, with the signs of multipliers prescribed. The result
 * is in lam [m]. */
static void solve_signed(gradyn_kkt_residual *w, const gradyn_linearised *at, double lam[])
{
  memset(lam, 0, at->m * sizeof *lam);
  memset(w->in_passive, 0, at->m * sizeof *w->in_passive);
  w->many = at->equalities > MANY;
  w->basis.n = w->J_count;
  w->basis.count = w->passive_count = 0;
  /* equalities join at the beginning, inequalities one by one */
  for (size_t i = 0; i < at->equalities; i++)
    if (w->candidate[i])
      (void)join(w, at, i);
  if (!solve_passive(w, at))
    return;
  /* the method of Lawson and Hanson ends after finitely many steps; the limit prevents cycles that
   * round-off causes */
  for (size_t step = 0; step < 3 * at->m + 1; step++) {
    while (!step_to(w, at, lam))
      if (!solve_passive(w, at))
        return;
    if (!admit(w, at, lam))
      return;
  }
}

/* Selects the constraints that may have a multiplier: all equalities, and the inequalities that are
 * violated, active, or at most `windows` windows away. */
static void choose_candidates(gradyn_kkt_residual *w, const gradyn_linearised *at, double windows)
{
  for (size_t i = 0; i < at->m; i++) {
    double sum = 0.0;
    const gradyn_entry_row row = gradyn_entries_row(at->entries, at->n, i);
    for (size_t k = 0; k < row.count; k++)
      sum += at->A[row.first + k] * at->A[row.first + k];
    w->norm[i] = sqrt(sum);
    /* an inequality that a step within the window makes active also has a multiplier */
    const double near = fmax(at->tolerance[i], windows * at->window);
    w->candidate[i] = w->norm[i] > 0 && (i < at->equalities || at->c[i] >= -near);
  }
}

/* Selects J with the multipliers lam. If lam is NULL, J has all variables that are not at a bound. Returns
 * false if J is unchanged. */
static bool choose_free(gradyn_kkt_residual *w, const gradyn_linearised *at, const double *lam)
{
  bool changed = false;
  if (lam != NULL)
    lagrangian_gradient(at, lam, w->r);
  w->J_count = 0;
  for (size_t j = 0; j < at->n; j++) {
    /* with multipliers, the sign of r_j shows whether a bound balances it; without them, variables at
     * bounds are left out */
    const bool take = lam != NULL ? !balanced(at, j, w->r[j])
                                  : !(balanced(at, j, 1.0) || balanced(at, j, -1.0));
    changed |= take != w->in_J[j];
    w->in_J[j] = take;
    if (take)
      w->J[w->J_count++] = j;
  }
  return changed;
}

/* Finds multipliers lam [m] by alternating updates of J and lam; damping prevents a larger misfit. */
static void find_multipliers(gradyn_kkt_residual *w, const gradyn_linearised *at, double lam[])
{
  memset(lam, 0, at->m * sizeof *lam);
  double best = misfit(w, at, lam);
  choose_free(w, at, NULL);
  /* ends if J is the same as before, or if the misfit no longer decreases */
  for (int set = 0; set < MAX_SETS; set++) {
    solve_signed(w, at, w->trial);
    double value = misfit(w, at, w->trial);
    /* lam was computed with a J other than the one that follows from lam: a full step may be too long */
    /* the midpoint also has the correct signs */
    for (int halving = 0; halving < 6 && !(value < best); halving++) {
      for (size_t i = 0; i < at->m; i++)
        w->trial[i] = 0.5 * (w->trial[i] + lam[i]);
      value = misfit(w, at, w->trial);
    }
    const bool better = value < best;
    if (better) {
      best = value;
      memcpy(lam, w->trial, at->m * sizeof *lam);
    }
    if (!choose_free(w, at, lam) || (!better && set > 0))
      return;
  }
}

/* Violation of complementarity by a constraint or bound with the multiplier lam, at this distance.
 *
 * A multiplier above w->steep counts by its product with the distance, because the objective may still
 * change by this product. Where no constraint qualification is satisfied, an optimum has no multipliers,
 * and points near it have arbitrarily large ones. */
static double complementarity(gradyn_kkt_residual *w, double lam, double distance, bool active)
{
  const double left = active ? 0 : fmin(lam, distance);
  if (!(lam > w->steep))
    return left;
  w->gap = fmax(w->gap, lam * distance);
  return fmax(left, lam * distance);
}

/* Residual of variable j: the part of a unit step along -r that the bounds permit, P(x - r) - x. If a bound
 * balances r_j and its violation of complementarity is larger, the residual is this violation. */
static double variable_residual(gradyn_kkt_residual *w, const gradyn_linearised *at, size_t j)
{
  const double r = w->r[j];
  const double step = fmin(fmax(at->x[j] - r, at->lower[j]), at->upper[j]) - at->x[j];
  /* fmax() would discard NAN */
  if (isnan(step) || !balanced(at, j, r))
    return fabs(step);
  const double distance = r > 0 ? at->x[j] - at->lower[j] : at->upper[j] - at->x[j];
  return fmax(fabs(step), complementarity(w, fabs(r), fabs(distance), true));
}

/* Returns the residual, with the best multipliers of constraints within `windows` windows. *slack: the
 * largest residual comes from an inactive constraint. */
static double measure(gradyn_kkt_residual *w, const gradyn_linearised *at, double windows,
                      double lam[], bool *slack)
{
  *slack = false;
  if (at->m > 0) { /* without constraints, r is the gradient itself */
    choose_candidates(w, at, windows);
    find_multipliers(w, at, lam);
  }
  lagrangian_gradient(at, lam, w->r);
  double residual = 0, square = 0;
  for (size_t j = 0; j < at->n; j++)
    square += at->g[j] * at->g[j];
  w->steep = balance * sqrt(square);
  w->gap = 0;
  for (size_t j = 0; j < at->n; j++) {
    const double left = variable_residual(w, at, j);
    if (isnan(left))
      return NAN;
    residual = fmax(residual, left);
  }
  for (size_t i = at->equalities; i < at->m; i++) {
    const bool active = -at->c[i] <= at->tolerance[i];
    const double left = complementarity(w, lam[i], fabs(at->c[i]), active);
    *slack = *slack || (!active && left > residual);
    residual = fmax(residual, left);
  }
  return residual;
}

double gradyn_kkt_residual_gap(const gradyn_kkt_residual *w)
{
  return w->gap;
}

double gradyn_kkt_residual_measure(gradyn_kkt_residual *w, const gradyn_linearised *at,
                                   double lam[])
{
  bool slack, ignored;
  const double residual = measure(w, at, 1e3, lam, &slack), gap = w->gap;
  if (!slack)
    return residual;
  /* Of nearly equal constraints, such as neighbouring samples, an inactive one may have got the multiplier.
   * Therefore the active constraints are also tried alone. */
  const double narrow = measure(w, at, 0, w->narrow, &ignored);
  if (narrow < residual)
    memcpy(lam, w->narrow, at->m * sizeof *lam);
  else
    w->gap = gap;
  return fmin(narrow, residual);
}
