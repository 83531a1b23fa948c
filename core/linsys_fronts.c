/* Large sparse linear systems that can be factorised in a fixed order: dense fronts, A = L U by rows.
 *
 * Nothing is searched and no row is exchanged, so that a factorisation is a chain of short loops over
 * neighbouring numbers. Pivots of coordinates are positive and those of multipliers negative where A is
 * positive definite, and each is compared with the terms that it is the remainder of. Where one has the
 * wrong sign or is small, as at singular positions, KLU, which chooses its pivots, takes over. */
#include "core/fronts.h"
#include "core/linsys_backend.h"
#include "core/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Share of its terms that a pivot must keep. What is behind it may grow by as much as it has shrunk. */
static const double least_share = 1e-4;

/* Calls kernel(pivots, width, ...) with constants for the fronts of small bodies, whose rows are SHORT. */
enum { SHORT = 2 };
#define FRONT_CASE(pivots, width, kernel, ...)                                                     \
  case 8 * (pivots) + (width):                                                                     \
    kernel(pivots, width, __VA_ARGS__);                                                            \
    break;
#define BY_FRONT(f, kernel, ...)                                                                   \
  switch ((f)->pivots <= 4 && (f)->width <= SHORT ? 8 * (f)->pivots + (f)->width : 0) {            \
    FRONT_CASE(2, 1, kernel, __VA_ARGS__)                                                          \
    FRONT_CASE(3, 1, kernel, __VA_ARGS__)                                                          \
    FRONT_CASE(2, 2, kernel, __VA_ARGS__)                                                          \
    FRONT_CASE(3, 2, kernel, __VA_ARGS__)                                                          \
    FRONT_CASE(4, 2, kernel, __VA_ARGS__)                                                          \
  default:                                                                                         \
    kernel((f)->pivots, (f)->width, __VA_ARGS__);                                                  \
  }

typedef struct sparse {
  gradyn_arena arena;
  const gradyn_pattern *pattern; /* borrowed */
  int diagonal;                  /* see gradyn_linsys_create() */
  gradyn_fronts plan;
  gradyn_lanes *work;  /* [plan.work] fronts */
  gradyn_lanes *upper; /* [plan.factors] rows of U; anything left of it in its lanes */
  gradyn_lanes *lower; /* [plan.factors] rows of L^T without its diagonal of ones */
  double *inverse;     /* [n] reciprocals of pivots */
  double *ordered;     /* [n] a right-hand side in the order of elimination */
  gradyn_lanes *four;  /* [n] four of them */
  gradyn_lanes *local; /* [4 widest] those of a front */
  void *careful;       /* KLU, NULL: never needed */
  bool handed_over;    /* the last matrix was */
} sparse;

/* Of any stage of its making. */
static void fronts_free(void *impl)
{
  sparse *s = impl;

  if (!s)
    return;
  gradyn_linsys_klu_ops.free(s->careful);
  gradyn_arena_clear(&s->arena);
  free(s);
}

static gradyn_status fronts_create(const gradyn_pattern *pattern, int diagonal, void **impl)
{
  sparse *s = calloc(1, sizeof *s);

  *impl = NULL;
  if (!s)
    return GRADYN_NO_MEMORY;
  s->pattern = pattern;
  s->diagonal = diagonal;
  gradyn_status status = gradyn_fronts_plan(pattern, diagonal, &s->arena, &s->plan);
  if (status == GRADYN_OK) {
    /* all that factorising and solving need */
    const gradyn_fronts *plan = &s->plan;
    s->work = gradyn_arena_lanes(&s->arena, plan->work);
    s->upper = gradyn_arena_lanes(&s->arena, plan->factors);
    s->lower = gradyn_arena_lanes(&s->arena, plan->factors);
    s->inverse = gradyn_arena_numbers(&s->arena, (size_t)plan->n);
    s->ordered = gradyn_arena_numbers(&s->arena, (size_t)plan->n);
    s->four = gradyn_arena_lanes(&s->arena, (size_t)plan->n);
    s->local = gradyn_arena_lanes(&s->arena, 4 * (size_t)plan->widest);
    status = gradyn_arena_status(&s->arena);
  }
  if (status == GRADYN_OK)
    *impl = s;
  else
    fronts_free(s);
  return status;
}

/* --- factorisation ------------------------------------------------------------------------------ */

/* A front before its elimination: its own entries, and what children have left. The last row are terms of
 * which pivots are made, sums of |a_jj|, u_kj^2 / |u_kk| and l_jk^2 |u_kk|, in place of |l_jk u_kj|, so that
 * what grows beside the diagonal is noticed as well. */
GRADYN_KERNEL void assemble(const int pivots, const int width, const sparse *s,
                            const gradyn_front *f, const double *values)
{
  const gradyn_fronts *plan = &s->plan;
  const int stride = GRADYN_LANES * width, *source = plan->source, *place = plan->place;
  gradyn_lanes *lanes = s->work + f->work;
  double *rows = (double *)lanes, *terms = rows + f->rows * stride;
  for (int k = 0; k < (f->rows + 1) * width; k++)
    lanes[k] = (gradyn_lanes){0};
  /* entries whose first unknown in the order is a pivot here */
  for (int k = f->entries; k < f[1].entries; k++)
    rows[place[k]] = values[source[k]];
  for (int i = 0; i < pivots; i++)
    terms[i] = fabs(rows[i * stride + i]);
  for (int c = f->child; c >= 0; c = plan->front[c].sibling) {
    const gradyn_front *child = plan->front + c;
    const int count = child->rows - child->pivots, *into = plan->into + child->boundary;
    const int step = GRADYN_LANES * child->width;
    /* its boundary's rows, right of its pivots, and its terms in the end */
    const double *from = (const double *)(s->work + child->work) + child->pivots * (step + 1);
    for (int i = 0; i <= count; i++, from += step) {
      double *to = i < count ? rows + into[i] * stride : terms;
      GRADYN_UNROLL
      for (int j = 0; j < count; j++)
        to[into[j]] += from[j];
    }
  }
}

/* Row i of a front less l_ik times row k for the first `steps` pivots k; both may be the same. *size: the
 * sum of l_ik^2 |u_kk|. */
GRADYN_KERNEL void eliminate_row(const int steps, const int width, const int i, const sparse *s,
                                 const gradyn_front *f, const gradyn_lanes *from, gradyn_lanes *to,
                                 double *size)
{
  const gradyn_lanes *U = s->upper + f->factors;
  const double *inverse = s->inverse + f->first;
  double *lower = (double *)(s->lower + f->factors) + i, sum = 0;
  gradyn_lanes room[SHORT], *row = width <= SHORT ? room : to; /* in registers if it is short */
  for (int c = 0; c < width && row != from; c++)
    row[c] = from[c];
  GRADYN_UNROLL
  for (int k = 0; k < steps; k += 2, U += 2 * width, lower += 2 * GRADYN_LANES * width) {
    /* l_ik = a_ik / u_kk for two pivots at a time, the second of which sees what the first has changed */
    const int first = k / GRADYN_LANES, at = k % GRADYN_LANES;
    const double entry = row[first][at], l = entry * inverse[k];
    lower[0] = l;
    sum += fabs(l * entry);
    if (k + 1 < steps) {
      const double rest = row[first][at + 1] - l * U[first][at + 1], next = rest * inverse[k + 1];
      lower[GRADYN_LANES * width] = next;
      sum += fabs(next * rest);
      for (int c = first; c < width; c++)
        row[c] = row[c] - l * U[c] - next * U[width + c];
    } else
      for (int c = first; c < width; c++)
        row[c] -= l * U[c];
  }
  for (int c = 0; c < width && row != to; c++)
    to[c] = row[c];
  *size = sum;
}

/* Eliminates a front's pivots; *good: all have their sign and keep their share of their terms. */
GRADYN_KERNEL void eliminate(const int pivots, const int width, const sparse *s,
                             const gradyn_front *f, bool *good)
{
  gradyn_lanes *row = s->work + f->work, *terms = row + f->rows * width;
  gradyn_lanes *U = s->upper + f->factors;
  double *inverse = s->inverse + f->first, *number = (double *)terms, size;
  const double *sign = s->plan.sign + f->first;
  GRADYN_UNROLL
  for (int i = 0; i < pivots; i++, row += width, U += width) {
    eliminate_row(i, width, i, s, f, row, U, &size);
    const double pivot = U[i / GRADYN_LANES][i % GRADYN_LANES];
    *good = sign[i] * pivot > least_share * (number[i] + size); /* NaN is not */
    if (!*good)
      return;
    inverse[i] = 1 / pivot;
    size = fabs(inverse[i]); /* terms_j += u_ij^2 / |u_ii| */
    for (int c = i / GRADYN_LANES; c < width; c++)
      terms[c] += size * U[c] * U[c];
  }
  /* what is left of the boundary is the parent's */
  for (int i = pivots; i < f->rows; i++, row += width) {
    eliminate_row(pivots, width, i, s, f, row, row, &size);
    number[i] += size;
  }
}

/* One front. */
GRADYN_KERNEL void factor_front(const int pivots, const int width, const sparse *s,
                                const gradyn_front *f, const double *values, bool *good)
{
  assemble(pivots, width, s, f, values);
  eliminate(pivots, width, s, f, good);
}

/* All fronts, children first; false: a pivot is small. */
static GRADYN_WIDE void factor_fronts(const sparse *s, const double *values, bool *good)
{
  const gradyn_front *f = s->plan.front, *end = f + s->plan.count;
  /* what is behind a bad pivot need not be known */
  for (; f < end && *good; f++) {
    BY_FRONT(f, factor_front, s, f, values, good)
  }
}

/* KLU takes what has no good pivots in the order of the fronts. */
static gradyn_status hand_over(sparse *s, const double *values, double norm, int *singular_at)
{
  const gradyn_linsys_ops *klu = &gradyn_linsys_klu_ops;
  if (!s->careful) /* few systems ever come here */
    GRADYN_TRY(klu->create(s->pattern, s->diagonal, &s->careful));
  return klu->factor(s->careful, values, norm, singular_at);
}

static gradyn_status fronts_factor(void *impl, const double *values, double norm, int *singular_at)
{
  sparse *s = impl;
  bool good = true; /* until a pivot is not */

  factor_fronts(s, values, &good);
  s->handed_over = !good;
  return good ? GRADYN_OK : hand_over(s, values, norm, singular_at);
}

static void fronts_reset(void *impl)
{
  sparse *s = impl;

  if (s->careful)
    gradyn_linsys_klu_ops.reset(s->careful);
}

/* Rows and columns are in the same order: the sign is that of the pivots. */
static int fronts_sign(void *impl)
{
  sparse *s = impl;
  int sign = 1;

  if (s->handed_over)
    return gradyn_linsys_klu_ops.sign(s->careful);
  /* det A = det U, L having ones on its diagonal */
  for (int k = 0; k < s->plan.n; k++)
    sign = s->inverse[k] < 0 ? -sign : sign;
  return sign;
}

/* --- solution of one ---------------------------------------------------------------------------- */

/* y = F^-1 y in front f, F lower triangular of rows F^T at `rows`, unit or with a diagonal: y_k, then the
 * rest less y_k times column k. */
GRADYN_KERNEL void forward(const int pivots, const int width, const sparse *s,
                           const gradyn_front *f, const gradyn_lanes *rows, const bool unit)
{
  double *x = s->ordered + f->first;
  const double *inverse = s->inverse + f->first, *left = (const double *)s->local + pivots;
  const int *index = s->plan.index + f->boundary, boundary = f->rows - pivots;
  gradyn_lanes room[SHORT], *y = width <= SHORT ? room : s->local;
  rows += f->factors;
  for (int c = 0; c < width; c++)
    y[c] = (gradyn_lanes){0};
  for (int k = 0; k < pivots; k++)
    y[k / GRADYN_LANES][k % GRADYN_LANES] = x[k];
  GRADYN_UNROLL
  for (int k = 0; k < pivots; k++) {
    /* x_k = y_k / f_kk, then y_j -= f_jk x_k */
    const double known = y[k / GRADYN_LANES][k % GRADYN_LANES] * (unit ? 1 : inverse[k]);
    x[k] = known;
    for (int c = k / GRADYN_LANES; c < width; c++)
      y[c] -= known * rows[k * width + c];
  }
  for (int c = 0; c < width && y != s->local; c++)
    s->local[c] = y[c];
  /* what the pivots take from the right-hand side of the boundary */
  for (int i = 0; i < boundary; i++)
    s->ordered[index[i]] += left[i];
}

/* x = F^-T y in front f: x_k is y_k less row k of F^T times what is known. */
GRADYN_KERNEL void backward(const int pivots, const int width, const sparse *s,
                            const gradyn_front *f, const gradyn_lanes *rows, const bool unit)
{
  double *x = s->ordered + f->first, *known = (double *)s->local + pivots;
  const double *inverse = s->inverse + f->first;
  const int *index = s->plan.index + f->boundary, boundary = f->rows - pivots;
  gradyn_lanes room[SHORT], *y = width <= SHORT ? room : s->local;
  rows += f->factors;
  /* zero where rows have something else, and behind their end */
  for (int c = 0; c < width; c++)
    s->local[c] = (gradyn_lanes){0};
  for (int i = 0; i < boundary; i++)
    known[i] = s->ordered[index[i]];
  for (int c = 0; c < width && y != s->local; c++)
    y[c] = s->local[c];
  GRADYN_UNROLL
  for (int k = pivots - 1; k >= 0; k--) {
    gradyn_lanes sum = {0}; /* x_k = (x_k - sum_j f_jk x_j) / f_kk, j > k */
    for (int c = k / GRADYN_LANES; c < width; c++)
      sum += rows[k * width + c] * y[c];
    x[k] = (x[k] - ((sum[0] + sum[1]) + (sum[2] + sum[3]))) * (unit ? 1 : inverse[k]);
    y[k / GRADYN_LANES][k % GRADYN_LANES] = x[k];
  }
}

/* L U x = b, or U^T L^T x = b. */
static GRADYN_WIDE void solve_one(const sparse *s, bool transposed)
{
  const gradyn_front *front = s->plan.front, *end = front + s->plan.count, *f;
  if (transposed) {
    for (f = front; f < end; f++)
      BY_FRONT(f, forward, s, f, s->upper, false)
    for (f = end; f-- > front;)
      BY_FRONT(f, backward, s, f, s->lower, true)
  } else {
    for (f = front; f < end; f++)
      BY_FRONT(f, forward, s, f, s->lower, true)
    for (f = end; f-- > front;)
      BY_FRONT(f, backward, s, f, s->upper, false)
  }
}

/* --- solution of four side by side -------------------------------------------------------------- */

/* forward() for four right-hand sides. */
GRADYN_KERNEL void forward_four(const sparse *s, const gradyn_front *f, const gradyn_lanes *rows,
                                const bool unit)
{
  gradyn_lanes *x = s->four + f->first, *y = s->local;
  const double *inverse = s->inverse + f->first, *row = (const double *)(rows + f->factors);
  const int *index = s->plan.index + f->boundary;
  memcpy(y, x, (size_t)f->pivots * sizeof *x);
  /* what the boundary gets starts from nothing */
  for (int i = f->pivots; i < f->rows; i++)
    y[i] = (gradyn_lanes){0};
  for (int k = 0; k < f->pivots; k++, row += GRADYN_LANES * f->width) {
    x[k] = unit ? y[k] : y[k] * inverse[k]; /* y_j -= f_jk x_k */
    for (int j = k + 1; j < f->rows; j++)
      y[j] -= row[j] * x[k];
  }
  for (int i = f->pivots; i < f->rows; i++)
    s->four[index[i - f->pivots]] += y[i];
}

/* backward() for four right-hand sides. */
GRADYN_KERNEL void backward_four(const sparse *s, const gradyn_front *f, const gradyn_lanes *rows,
                                 const bool unit)
{
  gradyn_lanes *x = s->four + f->first, *y = s->local;
  const double *inverse = s->inverse + f->first;
  const int *index = s->plan.index + f->boundary;
  /* the boundary is known: parents come first here */
  for (int i = f->pivots; i < f->rows; i++)
    y[i] = s->four[index[i - f->pivots]];
  for (int k = f->pivots - 1; k >= 0; k--) {
    const double *row = (const double *)(rows + f->factors + (size_t)k * (size_t)f->width);
    gradyn_lanes rest = x[k]; /* less sum_j f_jk x_j, j > k */
    for (int j = k + 1; j < f->rows; j++)
      rest -= row[j] * y[j];
    y[k] = x[k] = unit ? rest : rest * inverse[k];
  }
}

/* L U x = b, or U^T L^T x = b. */
static GRADYN_WIDE void solve_four(const sparse *s, bool transposed)
{
  const gradyn_front *front = s->plan.front, *end = front + s->plan.count, *f;
  if (transposed) {
    for (f = front; f < end; f++)
      forward_four(s, f, s->upper, false);
    for (f = end; f-- > front;)
      backward_four(s, f, s->lower, true);
  } else {
    for (f = front; f < end; f++)
      forward_four(s, f, s->lower, true);
    for (f = end; f-- > front;)
      backward_four(s, f, s->upper, false);
  }
}

/* --- the backend -------------------------------------------------------------------------------- */

/* One right-hand side, into the order of elimination and out of it. */
static void solve_single(sparse *s, bool transposed, double *b)
{
  const int *order = s->plan.order, n = s->plan.n;
  /* P A P^T is what has been factorised */
  for (int k = 0; k < n; k++)
    s->ordered[k] = b[order[k]];
  solve_one(s, transposed);
  for (int k = 0; k < n; k++)
    b[order[k]] = s->ordered[k];
}

/* Up to four. */
static void solve_several(sparse *s, bool transposed, double *b, int count)
{
  const int *order = s->plan.order, n = s->plan.n;
  for (int k = 0; k < n; k++) { /* lanes that are not asked for stay zero */
    s->four[k] = (gradyn_lanes){0};
    for (int c = 0; c < count; c++)
      s->four[k][c] = b[c * n + order[k]];
  }
  solve_four(s, transposed);
  for (int k = 0; k < n; k++)
    for (int c = 0; c < count; c++)
      b[c * n + order[k]] = s->four[k][c];
}

/* Four at a time, the last one alone. */
static void solve(sparse *s, bool transposed, double *b, int count)
{
  /* lanes pay even for two */
  for (int done = 0; done < count; done += GRADYN_LANES) {
    const int left = count - done;
    double *first = b + (size_t)done * (size_t)s->plan.n;
    if (left == 1)
      solve_single(s, transposed, first);
    else
      solve_several(s, transposed, first, left < GRADYN_LANES ? left : GRADYN_LANES);
  }
}

static void fronts_solve(void *impl, double *b, int count)
{
  sparse *s = impl;
  if (s->handed_over)
    gradyn_linsys_klu_ops.solve(s->careful, b, count);
  else
    solve(s, false, b, count);
}

static void fronts_solve_transposed(void *impl, double *b, int count)
{
  sparse *s = impl;
  if (s->handed_over)
    gradyn_linsys_klu_ops.solve_transposed(s->careful, b, count);
  else
    solve(s, true, b, count);
}

const gradyn_linsys_ops gradyn_linsys_fronts_ops = {
    .name = "fronts",
    .create = fronts_create,
    .factor = fronts_factor,
    .sign = fronts_sign,
    .solve = fronts_solve,
    .solve_transposed = fronts_solve_transposed,
    .reset = fronts_reset,
    .free = fronts_free,
};
