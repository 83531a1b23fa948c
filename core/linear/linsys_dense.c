/* Own kernels for dense systems: LU with partial pivoting, P A = L U, by rows.
 *
 * Rows are exchanged in place, and zero factors are skipped. This is faster than
 * indirect rows, storage by columns and any library call. Rows of U are eliminated in whole lanes,
 * including entries left of the diagonal in the first lane. L is therefore stored separately. Several
 * right-hand sides are solved side by side, so that the compiler vectorises over them. */
#include "core/linear/arena.h"
#include "core/linear/linsys_backend.h"
#include "core/linear/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Right-hand sides solved side by side; fewer than PACK_MIN are solved one by one. */
enum { PACK = 8, PACK_MIN = 4 };

typedef struct small {
  int n, nnz;
  int width;          /* lanes in a row of U */
  gradyn_lanes *u;    /* [n][width], U on and above the diagonal, undefined below */
  double *l;          /* [n][n], L below the diagonal; its diagonal is 1 */
  double *inverse;    /* [n], reciprocals of U's diagonal */
  gradyn_lanes *pack; /* [n], entries of up to two lanes: right-hand sides side by side */
  int *swap;          /* [n], row exchanged with row k before step k */
  int *position;      /* [nnz], position of each value in u */
  gradyn_arena arena; /* owner of all arrays */
} small;

/* Also frees a partially created backend. */
static void small_free(void *impl)
{
  small *s = impl;

  if (!s)
    return;
  gradyn_arena_clear(&s->arena);
  free(s);
}

/* Creates the backend. All working arrays are allocated here: a factorisation and a solve allocate no
 * memory. */
static gradyn_status small_create(const gradyn_pattern *pattern, bool diagonal, void **impl)
{
  small *s = calloc(1, sizeof *s);
  size_t n = (size_t)pattern->rows;

  (void)diagonal; /* a dense matrix has no order to choose */
  *impl = NULL;
  if (!s)
    return GRADYN_NO_MEMORY;
  s->n = pattern->rows;
  s->nnz = pattern->nnz;
  s->width = gradyn_row_width(s->n);
  /* U in whole lanes, L and the inverted diagonal, exchanges */
  s->u = gradyn_arena_lanes(&s->arena, n * (size_t)s->width);
  s->l = gradyn_arena_numbers(&s->arena, n * n);
  s->inverse = gradyn_arena_numbers(&s->arena, n);
  s->pack = gradyn_arena_lanes(&s->arena, 2 * n);
  s->swap = gradyn_arena_take(&s->arena, n, sizeof *s->swap);
  s->position = gradyn_arena_take(&s->arena, (size_t)s->nnz, sizeof *s->position);
  if (gradyn_arena_status(&s->arena) != GRADYN_OK) {
    small_free(s);
    return GRADYN_NO_MEMORY;
  }
  /* by rows of whole lanes */
  for (int i = 0; i < s->n; i++)
    for (int k = pattern->start[i]; k < pattern->start[i + 1]; k++)
      s->position[k] = i * GRADYN_LANES * s->width + pattern->col[k];
  *impl = s;
  return GRADYN_OK;
}

/* Row i of U. */
static double *row_of(const small *s, int i)
{
  return (double *)(s->u + (size_t)i * (size_t)s->width);
}

/* Row of the largest entry in column k, from row k downwards. */
static int find_pivot(const small *s, int k)
{
  const int n = s->n, stride = GRADYN_LANES * s->width;
  const double *at = row_of(s, k) + k;
  int p = k;
  double largest = fabs(*at); /* partial pivoting: the largest |a_ik|, i >= k */

  /* down the column; of equal entries the first */
  for (int i = k + 1; i < n; i++) {
    double size = fabs(*(at += stride));
    if (size > largest) {
      largest = size;
      p = i;
    }
  }
  return p;
}

/* Tests pivot k against the sum of the magnitudes of its terms: a_kk and the products subtracted from it. */
static gradyn_status judge_pivot(const small *s, int k)
{
  double pivot = fabs(row_of(s, k)[k]), terms = pivot;

  for (int j = 0; j < k; j++) /* a_kk - sum of l_kj u_jk, j < k */
    terms += fabs(s->l[k * s->n + j] * row_of(s, j)[k]);
  return gradyn_pivot_judge(pivot, terms);
}

/* Exchanges two rows. */
static void swap(double *restrict a, double *restrict b, int count)
{
  for (int j = 0; j < count; j++) {
    double t = a[j];
    a[j] = b[j];
    b[j] = t;
  }
}

/* Exchanges rows k and p: the remaining part of A, and l of earlier steps. */
static void swap_rows(const small *s, int k, int p)
{
  const int first = k - k % GRADYN_LANES;

  /* from the lane of the pivot onwards: entries to its left are not used */
  swap(row_of(s, k) + first, row_of(s, p) + first, GRADYN_LANES * s->width - first);
  swap(s->l + k * s->n, s->l + p * s->n, k);
}

/* Step k of the elimination: row i -= l_ik row k for all rows below. */
static GRADYN_WIDE void eliminate(const small *s, int k, double inverse)
{
  const int n = s->n, width = s->width, first = k / GRADYN_LANES;
  const gradyn_lanes *u = s->u + (size_t)k * (size_t)width;
  gradyn_lanes *x = s->u + (size_t)k * (size_t)width;

  for (int i = k + 1; i < n; i++) {
    x += width;
    const double entry = ((const double *)x)[k], factor = entry * inverse;
    s->l[i * n + k] = factor; /* l_ik = a_ik/u_kk */
    /* exact zeros are frequent in sparse systems, and a test costs less than a row */
    if (entry != 0)
      for (int c = first; c < width; c++)
        x[c] -= factor * u[c];
  }
}

/* Factorises L U = P A by columns. Pivots that may be round-off are tested against the sum of their terms. */
static gradyn_status small_factor(void *impl, const double *values, double norm, int *singular_at)
{
  small *s = impl;
  const double suspect = GRADYN_PIVOT_SUSPECT * norm;
  double *u = (double *)s->u;
  const int n = s->n;

  /* removes fill-in of the last factors */
  memset(s->u, 0, (size_t)n * (size_t)s->width * sizeof *s->u);
  for (int k = 0; k < s->nnz; k++)
    u[s->position[k]] = values[k];

  for (int k = 0; k < n; k++) {
    int p = find_pivot(s, k);
    s->swap[k] = p;
    if (p != k) /* rows of L are exchanged as well */
      swap_rows(s, k, p);
    const double pivot = row_of(s, k)[k];
    /* NaN is also tested */
    if (!(fabs(pivot) > suspect)) {
      gradyn_status status = judge_pivot(s, k);
      if (status) {
        *singular_at = k;
        return status;
      }
    }
    s->inverse[k] = 1 / pivot; /* one division here saves one in every solve */
    eliminate(s, k, s->inverse[k]);
  }
  return GRADYN_OK;
}

/* Sign of det P det U. */
static int small_sign(void *impl)
{
  const small *s = impl;
  int sign = 1;

  for (int k = 0; k < s->n; k++)
    if ((s->swap[k] != k) != (s->inverse[k] < 0))
      sign = -sign;
  return sign;
}

/* b = P b. */
static void apply_swaps(const small *s, double *restrict b)
{
  for (int k = 0; k < s->n; k++) {
    double t = b[k];
    b[k] = b[s->swap[k]];
    b[s->swap[k]] = t;
  }
}

/* b = P^T b. */
static void undo_swaps(const small *s, double *restrict b)
{
  for (int k = s->n - 1; k >= 0; k--) { /* P^T: the same exchanges in reverse order */
    double t = b[k];
    b[k] = b[s->swap[k]];
    b[s->swap[k]] = t;
  }
}

/* Solves L U x = P b. The speed is limited by the dependence of each unknown on the one before. `last`
 * avoids a store and a load, and its term is added at the end. */
static void solve_one(const small *s, double *restrict b)
{
  const double *restrict inverse = s->inverse;
  int n = s->n;

  apply_swaps(s, b);
  /* L y = P b, forwards */
  double last = b[0];
  for (int i = 1; i < n; i++) {
    const double *restrict l = s->l + i * n;
    double sum = b[i];
    for (int j = 0; j < i - 1; j++)
      sum -= l[j] * b[j];
    b[i] = last = sum - l[i - 1] * last;
  }
  /* U x = y, backwards; u_{i,i+1}/u_ii is computed before `last` is known */
  b[n - 1] = last *= inverse[n - 1];
  for (int i = n - 2; i >= 0; i--) {
    const double *restrict u = row_of(s, i);
    double sum = b[i];
    for (int j = n - 1; j > i + 1; j--)
      sum -= u[j] * b[j];
    b[i] = last = sum * inverse[i] - u[i + 1] * inverse[i] * last;
  }
}

/* Solves U^T L^T P x = b, with the last unknown also in a register. */
static void solve_transposed_one(const small *s, double *restrict b)
{
  const double *restrict inverse = s->inverse;
  int n = s->n;

  /* U^T y = b, forwards: each y_i is subtracted from all later equations */
  double last = b[0]; /* not yet divided by its pivot */
  for (int i = 0; i < n - 1; i++) {
    const double *restrict u = row_of(s, i);
    double x = b[i] = last * inverse[i];
    last = b[i + 1] - u[i + 1] * inverse[i] * last;
    for (int j = i + 2; j < n; j++)
      b[j] -= u[j] * x;
  }
  b[n - 1] = last *= inverse[n - 1];
  /* L^T z = y, backwards */
  for (int i = n - 1; i > 0; i--) {
    const double *restrict l = s->l + i * n;
    double x = last;
    b[i - 1] = last = b[i - 1] - l[i - 1] * x;
    for (int j = 0; j < i - 1; j++)
      b[j] -= l[j] * x;
  }
  undo_swaps(s, b); /* x = P^T z */
}

/* x -= sum of factor[j] y[j], j < count, for entries of `lanes` lanes. */
GRADYN_KERNEL void subtract_lanes(const int lanes, int count, const double *factor,
                                  const gradyn_lanes *y, gradyn_lanes *x)
{
  gradyn_lanes sum[2];
  for (int h = 0; h < lanes; h++)
    sum[h] = x[h];
  int j = 0;
  for (; j + 4 <= count; j += 4, factor += 4) /* long rows in pieces of fixed size */
    for (int i = 0; i < 4; i++)
      for (int h = 0; h < lanes; h++)
        sum[h] -= factor[i] * *y++;
  for (; j < count; j++, factor++)
    for (int h = 0; h < lanes; h++)
      sum[h] -= *factor * *y++;
  for (int h = 0; h < lanes; h++)
    x[h] = sum[h];
}

/* Exchanges entries k and p. */
GRADYN_KERNEL void swap_lanes(const int lanes, gradyn_lanes *x, int k, int p)
{
  for (int h = 0; h < lanes; h++) {
    const gradyn_lanes t = x[k * lanes + h];
    x[k * lanes + h] = x[p * lanes + h];
    x[p * lanes + h] = t;
  }
}

/* x = U^-1 L^-1 P x. */
GRADYN_KERNEL void lanes_kernel(const int lanes, const small *s, gradyn_lanes *x)
{
  const int n = s->n;
  for (int k = 0; k < n; k++)
    swap_lanes(lanes, x, k, s->swap[k]);
  for (int i = 1; i < n; i++)
    subtract_lanes(lanes, i, s->l + i * n, x, x + i * lanes);
  for (int i = n - 1; i >= 0; i--) {
    subtract_lanes(lanes, n - 1 - i, row_of(s, i) + i + 1, x + (i + 1) * lanes, x + i * lanes);
    for (int h = 0; h < lanes; h++)
      x[i * lanes + h] *= s->inverse[i];
  }
}

/* x[j] -= factor[j] y, j < count. */
GRADYN_KERNEL void spread_lanes(const int lanes, int count, const double *factor,
                                const gradyn_lanes *y, gradyn_lanes *x)
{
  for (int j = 0; j < count; j++)
    for (int h = 0; h < lanes; h++)
      x[j * lanes + h] -= factor[j] * y[h];
}

/* x = P^T L^-T U^-T x, by rows of U and L. */
GRADYN_KERNEL void transposed_lanes_kernel(const int lanes, const small *s, gradyn_lanes *x)
{
  const int n = s->n;
  for (int i = 0; i < n; i++) {
    for (int h = 0; h < lanes; h++)
      x[i * lanes + h] *= s->inverse[i];
    spread_lanes(lanes, n - 1 - i, row_of(s, i) + i + 1, x + i * lanes, x + (i + 1) * lanes);
  }
  for (int i = n - 1; i > 0; i--)
    spread_lanes(lanes, i, s->l + i * n, x + i * lanes, x);
  for (int k = n - 1; k >= 0; k--)
    swap_lanes(lanes, x, k, s->swap[k]);
}

static GRADYN_WIDE void solve_small_lanes(const small *s, bool transposed, int lanes,
                                          gradyn_lanes *x)
{
  if (lanes == 1 && transposed)
    transposed_lanes_kernel(1, s, x);
  else if (lanes == 1)
    lanes_kernel(1, s, x);
  else if (transposed)
    transposed_lanes_kernel(2, s, x);
  else
    lanes_kernel(2, s, x);
}

/* Solves for all right-hand sides, side by side as long as there are enough. */
static inline void solve_all(small *s, double *b, int count, bool transposed)
{
  const int n = s->n;

  if (n == 0) /* the kernels access a last row */
    return;
  while (count >= PACK_MIN) {
    const int columns = count < PACK ? count : PACK; /* up to PACK right-hand sides at once */
    const int lanes = (int)gradyn_lanes_groups(columns), width = lanes * GRADYN_LANES;
    double *pack = (double *)s->pack;
    /* unknown i of all right-hand sides side by side; unused lanes have old values, which are ignored */
    for (int i = 0; i < n; i++)
      for (int c = 0; c < columns; c++)
        pack[i * width + c] = b[c * n + i];
    solve_small_lanes(s, transposed, lanes, s->pack);
    for (int i = 0; i < n; i++)
      for (int c = 0; c < columns; c++)
        b[c * n + i] = pack[i * width + c];
    b += columns * n;
    count -= columns;
  }
  for (; count > 0; count--, b += n) /* too few to solve side by side */
    if (transposed)
      solve_transposed_one(s, b);
    else
      solve_one(s, b);
}

static void small_solve(void *impl, double *b, int count)
{
  solve_all(impl, b, count, false);
}

static void small_solve_transposed(void *impl, double *b, int count)
{
  solve_all(impl, b, count, true);
}

static void small_solve_lanes(void *impl, bool transposed, int lanes, gradyn_lanes *b)
{
  if (((const small *)impl)->n > 0)
    solve_small_lanes(impl, transposed, lanes, b);
}

const gradyn_linsys_ops gradyn_linsys_dense_ops = {
    .name = "small",
    .create = small_create,
    .factor = small_factor,
    .sign = small_sign,
    .solve = small_solve,
    .solve_transposed = small_solve_transposed,
    .solve_lanes = small_solve_lanes,
    .free = small_free,
};
