/* Large sparse linear systems: KLU, with one symbolic analysis per pattern.
 *
 * The first factorisation after creation or reset chooses pivots by magnitude. Later ones reuse these
 * pivots, which is much faster and allocates no memory. If entries grow markedly more than with fresh
 * pivots, pivots are chosen again. */
#include "core/linear/arena.h"
#include "core/linear/linsys_backend.h"

#include <colamd.h>
#include <float.h>
#include <klu.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A pivot off the diagonal is chosen if the diagonal entry is below this times the largest one. */
#define PIVOT_PREFERENCE 0.1

/* KLU's numbers for two orderings: approximate minimum degree with diagonal pivots, and the user's
 * ordering. */
enum { AMD = 0, OURS = 3 };

/* Rows and columns of n with more than this times sqrt(n) entries come last in the order. At most nnz/(5
 * sqrt(n)) of them can exist, and the square of this number is proportional to n.
 *
 * COLAMD's default is 10. With 10, the column of a body with k attached bodies is ordered among their
 * columns up to k = 2,600, at an arbitrary position. For 1,000, 2,000 and 2,047 attached bodies, factors
 * had 2.1, 8.8 and 2.1 entries per matrix entry. The second factorisation took 8 s instead of 0.1 s. Any
 * value from 1 to 5 gives at most 2.2 from 64 to 4,096 bodies, and for chains the same as 10. However, 3
 * also delays columns of an arm of seven bodies, which doubles its factors. */
static const double many_entries = 5;

/* Growth of entries, relative to that with fresh pivots, above which pivots are chosen again. Solutions
 * lose accuracy in proportion. With 100, derivatives of mechanisms with rotating cranks lost one more
 * digit, and runs were not faster. */
#define GROWTH_LIMIT 10.0

/* Entries grow if pivots shrink. The growth is computed only if a pivot falls below this fraction of its
 * largest magnitude since the last computation. Computing the growth costs half a factorisation. */
#define PIVOT_SHARE 0.1

/* Extracted factors, for the test of suspect pivots. */
typedef struct factors {
  int *lp, *li, *up, *ui; /* [n + 1] [lnz] [n + 1] [unz], columns of L and U in pivotal order */
  double *lx, *ux;        /* [lnz] [unz] */
} factors;

typedef struct sparse {
  int n, nnz;
  const gradyn_pattern *pattern; /* borrowed */
  int *start;                    /* [n + 1], starts of columns */
  int *row;                      /* [nnz], ascending within a column */
  int *position;                 /* [nnz], position in value of each value given by rows */
  double *value;                 /* [nnz], by columns, with scaled rows */
  double *scale; /* [n], factors of rows, 1 over their largest entry when pivots were chosen */
  klu_common common;
  klu_symbolic *symbolic;
  klu_numeric *numeric; /* NULL: no pivots chosen yet */
  double rgrowth;       /* reciprocal growth of entries when pivots were chosen */
  bool *seen;           /* [n], workspace for signs of permutations */
  double *pivot;        /* [n], largest magnitudes of the pivots since the growth was computed */
  gradyn_arena arena;   /* owner of all arrays */
} sparse;

/* Discards pivots: the next factorisation chooses them again. */
static void sparse_reset(void *impl)
{
  sparse *s = impl;

  if (s->numeric)
    klu_free_numeric(&s->numeric, &s->common);
}

/* Also frees a partially created backend. */
static void sparse_free(void *impl)
{
  sparse *s = impl;

  if (!s)
    return;
  sparse_reset(s);
  if (s->symbolic)
    klu_free_symbolic(&s->symbolic, &s->common);
  gradyn_arena_clear(&s->arena);
  free(s);
}
RELEASE(sparse)

/* Converts KLU's status. */
static gradyn_status translate(const klu_common *common)
{
  switch (common->status) {
  case KLU_OK: /* KLU's functions return 0 on failure; only its status distinguishes causes */
    return GRADYN_OK;
  case KLU_SINGULAR:
    return GRADYN_SINGULAR;
  case KLU_OUT_OF_MEMORY:
  case KLU_TOO_LARGE:
    return GRADYN_NO_MEMORY;
  default:
    return GRADYN_INTERNAL;
  }
}

/* Reorders the pattern by columns, with ascending rows. */
static void transpose(sparse *s, const gradyn_pattern *pattern)
{
  /* sums of counts are starts */
  for (int k = 0; k < s->nnz; k++)
    s->start[pattern->col[k] + 1]++;
  for (int j = 0; j < s->n; j++)
    s->start[j + 1] += s->start[j];
  /* start[j] is the next free position of column j during this loop */
  for (int i = 0; i < s->n; i++)
    for (int k = pattern->start[i]; k < pattern->start[i + 1]; k++) {
      int p = s->start[pattern->col[k]]++;
      s->row[p] = i;
      s->position[k] = p;
    }
  /* the loop has moved each start to that of the next column */
  memmove(s->start + 1, s->start, (size_t)s->n * sizeof *s->start);
  s->start[0] = 0;
}

/* Orders the columns of a block, start [n + 1] and row. KLU passes only a pattern, so user_data is
 * workspace for the whole matrix. Returns -1: the fill is unknown; 0: failure. */
static int order_columns(int n, int *start, int *row, int *order, klu_common *common)
{
  double knobs[COLAMD_KNOBS];
  int stats[COLAMD_STATS], *column = common->user_data, *capacity = column + n + 1;
  const int nnz = start[n];
  const size_t size = colamd_recommended(nnz, n, n);

  colamd_set_defaults(knobs);
  knobs[COLAMD_DENSE_ROW] = knobs[COLAMD_DENSE_COL] = many_entries;
  memcpy(column, start, (size_t)(n + 1) * sizeof *start);
  memcpy(capacity, row, (size_t)nnz * sizeof *row);
  if (!colamd(n, n, (int)size, capacity, column, knobs, stats))
    return 0;
  memcpy(order, column, (size_t)n * sizeof *column);
  return -1;
}

/* Finds diagonal blocks and an order of the columns of each. */
static gradyn_status analyse(sparse *s)
{
  LOCAL(gradyn_arena) arena = {0};
  const size_t size = colamd_recommended(s->nnz, s->n, s->n) + (size_t)s->n + 1;

  s->common.user_order = order_columns;
  s->common.user_data = gradyn_arena_take(&arena, size, sizeof(int));
  GRADYN_TRY(gradyn_arena_status(&arena));
  s->symbolic = klu_analyze(s->n, s->start, s->row, &s->common);
  return s->symbolic ? GRADYN_OK : translate(&s->common);
}

/* Creates the backend, with one symbolic analysis. */
static gradyn_status sparse_create(const gradyn_pattern *pattern, bool diagonal, void **impl)
{
  OWNED(sparse) *s = calloc(1, sizeof *s);

  *impl = NULL;
  if (!s)
    return GRADYN_NO_MEMORY;
  klu_defaults(&s->common);
  /* Without diagonal pivots, columns are ordered by the fill for any choice of pivots. Saddle matrices have
   * zeros on the diagonal; an order for diagonal pivots can cause a hundred times as many entries. For a
   * net of beams, without such zeros, diagonal pivots give a third of the entries. */
  s->common.ordering = diagonal ? AMD : OURS;
  s->common.tol = PIVOT_PREFERENCE;
  s->common.scale = -1; /* rows are scaled here, once for all factorisations with the same pivots */
  s->pattern = pattern;
  s->n = pattern->rows;
  s->nnz = pattern->nnz;
  const size_t n = (size_t)s->n, nnz = (size_t)s->nnz;
  s->start = gradyn_arena_take(&s->arena, n + 1, sizeof *s->start);
  s->row = gradyn_arena_take(&s->arena, nnz, sizeof *s->row);
  s->position = gradyn_arena_take(&s->arena, nnz, sizeof *s->position);
  s->value = gradyn_arena_numbers(&s->arena, nnz);
  s->scale = gradyn_arena_numbers(&s->arena, n);
  s->pivot = gradyn_arena_numbers(&s->arena, n);
  s->seen = gradyn_arena_take(&s->arena, n, sizeof *s->seen);
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  transpose(s, pattern);
  GRADYN_TRY(analyse(s));
  *impl = HANDED(s);
  return GRADYN_OK;
}

/* Reciprocal growth of entries; NaN if KLU cannot compute it. */
static double reciprocal_growth(sparse *s)
{
  if (!klu_rgrowth(s->start, s->row, s->value, s->symbolic, s->numeric, &s->common))
    return NAN;
  return s->common.rgrowth;
}

/* Factors that make the largest entry of each row 1. */
static void choose_scales(sparse *s, const double *values)
{
  const int *start = s->pattern->start;

  for (int i = 0; i < s->n; i++) {
    /* d_i = 1/max_k |a_ik| */
    double most = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      most = fmax(most, fabs(values[k]));
    /* an empty row is singular for any factor, but the factor must be finite */
    s->scale[i] = 1 / fmax(most > 0 ? most : 1, DBL_MIN);
  }
}

/* Converts values from rows to columns. */
static void take_values(sparse *s, const double *values)
{
  const int *start = s->pattern->start;

  /* D A */
  for (int i = 0; i < s->n; i++)
    for (int k = start[i]; k < start[i + 1]; k++)
      s->value[s->position[k]] = s->scale[i] * values[k];
}

/* Whether a pivot is much smaller than before, or NaN. */
static bool pivots_shrank(sparse *s)
{
  /* no early exit, so that compilers can vectorise; NaN counts as smaller */
  const double *diagonal = s->numeric->Udiag;
  double *restrict most = s->pivot;
  bool kept = true;

  for (int k = 0; k < s->n; k++) {
    double size = fabs(diagonal[k]);
    kept &= size >= PIVOT_SHARE * most[k];
    most[k] = size > most[k] ? size : most[k];
  }
  return !kept;
}

/* Stores the pivots at which the growth was computed. */
static void remember_pivots(sparse *s)
{
  const double *diagonal = s->numeric->Udiag;

  /* later pivots are compared with these */
  for (int k = 0; k < s->n; k++)
    s->pivot[k] = fabs(diagonal[k]);
}

/* Factorises with the present pivots. false: there are none, or they are no longer good. */
static bool refactor(sparse *s, const double *values)
{
  if (!s->numeric)
    return false;
  take_values(s, values);
  if (!klu_refactor(s->start, s->row, s->value, s->symbolic, s->numeric, &s->common))
    return false;
  if (s->common.status != KLU_OK)
    return false;
  /* smaller pivots are acceptable if entries do not grow */
  if (!pivots_shrank(s))
    return true;
  if (!(reciprocal_growth(s) * GROWTH_LIMIT >= s->rgrowth)) /* NaN also fails */
    return false;
  remember_pivots(s);
  return true;
}

/* Factorises with new row factors and pivots, and reports the column at which it fails. */
static gradyn_status factor_anew(sparse *s, const double *values, int *singular_at)
{
  sparse_reset(s);
  choose_scales(s, values);
  take_values(s, values);
  s->numeric = klu_factor(s->start, s->row, s->value, s->symbolic, &s->common);
  gradyn_status status = translate(&s->common);
  /* the column reported by KLU, or the last one if it reports none */
  if (status == GRADYN_SINGULAR) {
    *singular_at = s->common.singular_col;
    if (*singular_at < 0 || *singular_at >= s->n)
      *singular_at = s->n - 1;
  }
  if (!status && !s->numeric)
    status = GRADYN_INTERNAL;
  if (status) {
    sparse_reset(s);
    return status;
  }
  /* later factorisations with these pivots are compared with this growth */
  s->rgrowth = reciprocal_growth(s);
  remember_pivots(s);
  return status;
}

/* Tests pivot k against the sum of the magnitudes of its terms: a_kk and the products subtracted from it. L
 * and U are in pivotal order. */
static gradyn_status judge_pivot(const factors *f, const double *diagonal, int k)
{
  double pivot = fabs(diagonal[k]), terms = pivot;

  /* a_kk - sum of l_kj u_jk, j < k: column k of U times row k of L */
  for (int p = f->up[k]; p < f->up[k + 1]; p++) {
    int j = f->ui[p];
    for (int q = f->lp[j]; j < k && q < f->lp[j + 1]; q++)
      if (f->li[q] == k)
        terms += fabs(f->lx[q] * f->ux[p]);
  }
  return gradyn_pivot_judge(pivot, terms);
}

/* Tests suspiciously small pivots with the extracted factors. */
static gradyn_status judge_pivots(sparse *s, const factors *f, double suspect, int *singular_at)
{
  const double *diagonal = s->numeric->Udiag;

  if (!klu_extract(s->numeric, s->symbolic, f->lp, f->li, f->lx, f->up, f->ui, f->ux, NULL, NULL,
                   NULL, NULL, NULL, NULL, NULL, &s->common))
    return s->common.status == KLU_OUT_OF_MEMORY ? GRADYN_NO_MEMORY : GRADYN_INTERNAL;
  for (int k = 0; k < s->n; k++) {
    if (fabs(diagonal[k]) > suspect) /* far from round-off: no need to look */
      continue;
    gradyn_status status = judge_pivot(f, diagonal, k);
    if (status) {
      *singular_at = s->symbolic->Q[k]; /* converts pivotal order to the caller's column */
      return status;
    }
  }
  return GRADYN_OK;
}

/* Detects pivots that are only round-off. Few systems have pivots close to this, and only these need the
 * extraction of factors. */
static gradyn_status check_pivots(sparse *s, int *singular_at)
{
  const double *diagonal = s->numeric->Udiag;
  double least = INFINITY, most = 0;

  /* the range of U's diagonal decides whether factors are extracted */
  for (int k = 0; k < s->n; k++) { /* u_kk of the factors L U = P R A Q */
    double size = fabs(diagonal[k]);
    if (!isfinite(size))
      return GRADYN_NON_FINITE;
    least = size < least ? size : least;
    most = size > most ? size : most;
  }
  if (least > GRADYN_PIVOT_SUSPECT * most)
    return GRADYN_OK;

  /* extraction is rare */
  size_t lnz = (size_t)s->numeric->lnz + 1, unz = (size_t)s->numeric->unz + 1;
  size_t columns = (size_t)s->n + 1;
  LOCAL(gradyn_arena) arena = {0};
  factors f = {gradyn_arena_take(&arena, columns, sizeof(int)),
               gradyn_arena_take(&arena, lnz, sizeof(int)),
               gradyn_arena_take(&arena, columns, sizeof(int)),
               gradyn_arena_take(&arena, unz, sizeof(int)),
               gradyn_arena_numbers(&arena, lnz),
               gradyn_arena_numbers(&arena, unz)};
  GRADYN_TRY(gradyn_arena_status(&arena));
  return judge_pivots(s, &f, GRADYN_PIVOT_SUSPECT * most, singular_at);
}

/* Factorises, with the last pivots if they are still good. */
static gradyn_status sparse_factor(void *impl, const double *values, double norm, int *singular_at)
{
  sparse *s = impl;

  (void)norm; /* rows are scaled, so pivots are compared with each other */
  if (!refactor(s, values)) {
    gradyn_status status = factor_anew(s, values, singular_at);
    if (status)
      return status;
  }
  return check_pivots(s, singular_at);
}

/* Sign of the permutation `to` [n]: each cycle of even length changes the sign. */
static int sign_of(sparse *s, const int *to)
{
  int sign = 1;

  memset(s->seen, 0, (size_t)s->n * sizeof *s->seen);
  for (int i = 0; i < s->n; i++)
    for (int k = i, length = 0; !s->seen[k]; k = to[k]) {
      s->seen[k] = true;
      if (length++ > 0)
        sign = -sign;
    }
  return sign;
}

/* Sign of the determinant, by L U = P D A Q in diagonal blocks, with D > 0. */
static int sparse_sign(void *impl)
{
  sparse *s = impl;
  const double *diagonal = s->numeric->Udiag;
  int sign = sign_of(s, s->numeric->Pnum) * sign_of(s, s->symbolic->Q);

  for (int k = 0; k < s->n; k++)
    sign = diagonal[k] < 0 ? -sign : sign;
  return sign;
}

static long sparse_entries(void *impl)
{
  const sparse *s = impl;
  return s->numeric ? (long)s->numeric->lnz + s->numeric->unz : 0;
}

/* b = D b, D: factors of the rows. */
static void scale_rows(const sparse *s, double *b, int count)
{
  for (int c = 0; c < count; c++, b += s->n)
    for (int i = 0; i < s->n; i++)
      b[i] *= s->scale[i];
}

/* (D A) x = D b. */
static void sparse_solve(void *impl, double *b, int count)
{
  sparse *s = impl;
  scale_rows(s, b, count);
  klu_solve(s->symbolic, s->numeric, s->n, count, b, &s->common);
}

/* (D A)^T y = b, x = D y. */
static void sparse_solve_transposed(void *impl, double *b, int count)
{
  sparse *s = impl;
  klu_tsolve(s->symbolic, s->numeric, s->n, count, b, &s->common);
  scale_rows(s, b, count);
}

const gradyn_linsys_ops gradyn_linsys_klu_ops = {
    .name = "klu",
    .create = sparse_create,
    .factor = sparse_factor,
    .sign = sparse_sign,
    .entries = sparse_entries,
    .solve = sparse_solve,
    .solve_transposed = sparse_solve_transposed,
    .reset = sparse_reset,
    .free = sparse_free,
};
