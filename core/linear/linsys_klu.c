/* Large sparse linear systems: KLU, with one symbolic analysis per pattern.
 *
 * The first factorisation after creation or reset chooses pivots by magnitude; later ones keep them
 * (that is much faster and allocates nothing) as long as entries do not grow markedly more than
 * they did then; otherwise pivots are chosen anew. */
#include "core/linear/arena.h"
#include "core/linear/linsys_backend.h"

#include <colamd.h>
#include <float.h>
#include <klu.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pivots off the diagonal are taken if the diagonal entry is below this times the largest one. */
#define PIVOT_PREFERENCE 0.1

/* KLU's numbers of orders by approximate minimum degree, with pivots on the diagonal, and of ours. */
enum { AMD = 0, OURS = 3 };

/* Rows and columns of n with more than this times sqrt(n) entries come last in the order. At most nnz / (5
 * sqrt(n)) can have as many, whose square is in proportion to n. The order's own 10 leaves the columns of
 * a body that k others hang on among theirs up to k = 2,600, in a place that is an accident: of matrices
 * with 1,000, 2,000, 2,047 of them factors had 2.1, 8.8, 2.1 entries for each, and the second took 8 s for
 * 0.1 s. Any from 1 to 5 has at most 2.2 from 64 to 4,096 bodies, and of chains what 10 has; 3 takes
 * columns of an arm of seven bodies for such, which doubles its factors. */
static const double many_entries = 5;

/* Growth of entries, in units of that with fresh pivots, beyond which pivots are chosen anew. Solutions
 * lose as much: with 100 derivatives of mechanisms whose cranks turn lost a digit more, and marches
 * were no faster. */
#define GROWTH_LIMIT 10.0

/* Entries grow where pivots shrink: as long as all keep this share of the largest size that they had since
 * the growth was last looked at, KLU need not be asked for it, which costs half a factorisation. */
#define PIVOT_SHARE 0.1

/* The factors as extracted for a close look at suspect pivots. */
typedef struct factors {
  int *lp, *li, *up, *ui; /* [n + 1] [lnz] [n + 1] [unz] columns of L and U, in pivotal order */
  double *lx, *ux;        /* [lnz] [unz] */
} factors;

typedef struct sparse {
  int n, nnz;
  const gradyn_pattern *pattern; /* borrowed */
  int *start;                    /* [n + 1] beginnings of columns */
  int *row;                      /* [nnz] ascending within a column */
  int *place;                    /* [nnz] position of each value, given by rows, in value */
  double *value;                 /* [nnz] by columns, rows scaled */
  double *scale; /* [n] of rows, 1 over their largest, taken when pivots were chosen */
  klu_common common;
  klu_symbolic *symbolic;
  klu_numeric *numeric; /* NULL: no pivots chosen yet */
  double rgrowth;       /* reciprocal growth of entries when pivots were chosen */
  bool *seen;           /* [n] work of signs of permutations */
  double *pivot;        /* [n] largest sizes of the pivots since the growth was looked at */
  gradyn_arena arena;   /* of all arrays */
} sparse;

/* Forgets pivots: the next factorisation chooses anew. */
static void sparse_reset(void *impl)
{
  sparse *s = impl;

  if (s->numeric)
    klu_free_numeric(&s->numeric, &s->common);
}

/* Frees also what has been made in part only. */
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

/* What KLU's own status means to us. */
static gradyn_status translate(const klu_common *common)
{
  switch (common->status) {
  case KLU_OK: /* 0 is a failure in KLU's own return values: its status tells which */
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

/* Rearranges the pattern by columns; rows come out ascending. */
static void transpose(sparse *s, const gradyn_pattern *pattern)
{
  /* counts become beginnings by summing up */
  for (int k = 0; k < s->nnz; k++)
    s->start[pattern->col[k] + 1]++;
  for (int j = 0; j < s->n; j++)
    s->start[j + 1] += s->start[j];
  /* while filling, start[j] is the next free position of column j */
  for (int i = 0; i < s->n; i++)
    for (int k = pattern->start[i]; k < pattern->start[i + 1]; k++) {
      int p = s->start[pattern->col[k]]++;
      s->row[p] = i;
      s->place[k] = p;
    }
  /* filling moved each beginning to the next column's */
  memmove(s->start + 1, s->start, (size_t)s->n * sizeof *s->start);
  s->start[0] = 0;
}

/* An order of the columns, start [n + 1], row, of a block. KLU hands over no more than a pattern, so that
 * its user data are room for one as large as all, and for its columns. Minus one: how far it fills is not
 * told. */
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

/* Blocks on the diagonal, and an order of the columns of each. */
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

/* Symbolic analysis, once. */
static gradyn_status sparse_create(const gradyn_pattern *pattern, bool diagonal, void **impl)
{
  OWNED(sparse) *s = calloc(1, sizeof *s);

  *impl = NULL;
  if (!s)
    return GRADYN_NO_MEMORY;
  klu_defaults(&s->common);
  /* columns by what any choice of pivots can fill: saddle matrices have zeros on the diagonal, where the
   * order that counts on diagonal pivots can fill in a hundred times as much; of a net of beams, which has
   * none, that one leaves a third of the entries */
  s->common.ordering = diagonal ? AMD : OURS;
  s->common.tol = PIVOT_PREFERENCE;
  s->common.scale = -1; /* rows are scaled here, once for all factorisations with the same pivots */
  s->pattern = pattern;
  s->n = pattern->rows;
  s->nnz = pattern->nnz;
  const size_t n = (size_t)s->n, nnz = (size_t)s->nnz;
  s->start = gradyn_arena_take(&s->arena, n + 1, sizeof *s->start);
  s->row = gradyn_arena_take(&s->arena, nnz, sizeof *s->row);
  s->place = gradyn_arena_take(&s->arena, nnz, sizeof *s->place);
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

/* Reciprocal growth of entries; NaN if KLU cannot tell. */
static double reciprocal_growth(sparse *s)
{
  if (!klu_rgrowth(s->start, s->row, s->value, s->symbolic, s->numeric, &s->common))
    return NAN;
  return s->common.rgrowth;
}

/* Scales of rows that make their largest entries 1. */
static void choose_scales(sparse *s, const double *values)
{
  const int *start = s->pattern->start;

  for (int i = 0; i < s->n; i++) {
    /* d_i = 1 / max_k |a_ik| */
    double most = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      most = fmax(most, fabs(values[k]));
    /* an empty row is singular in any scale; a scale itself must be finite */
    s->scale[i] = 1 / fmax(most > 0 ? most : 1, DBL_MIN);
  }
}

/* Values come by rows, KLU takes columns. */
static void take_values(sparse *s, const double *values)
{
  const int *start = s->pattern->start;

  /* D A */
  for (int i = 0; i < s->n; i++)
    for (int k = start[i]; k < start[i + 1]; k++)
      s->value[s->place[k]] = s->scale[i] * values[k];
}

/* Whether some pivot is much smaller than it was, or not a number. */
static bool pivots_shrank(sparse *s)
{
  /* no early end, so that compilers can take several at once; NaN counts as shrunk */
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

/* Pivots of which it is known how far entries grow. */
static void remember_pivots(sparse *s)
{
  const double *diagonal = s->numeric->Udiag;

  /* the growth was looked at with these: later ones are judged beside them */
  for (int k = 0; k < s->n; k++)
    s->pivot[k] = fabs(diagonal[k]);
}

/* Factorises with the present pivots; false if there are none or they have become bad. */
static bool refactor(sparse *s, const double *values)
{
  if (!s->numeric)
    return false;
  take_values(s, values);
  if (!klu_refactor(s->start, s->row, s->value, s->symbolic, s->numeric, &s->common))
    return false;
  if (s->common.status != KLU_OK)
    return false;
  /* shrinking alone is no fault: then the growth decides */
  if (!pivots_shrank(s))
    return true;
  if (!(reciprocal_growth(s) * GROWTH_LIMIT >= s->rgrowth)) /* written so that NaN fails */
    return false;
  remember_pivots(s);
  return true;
}

/* New scales and pivots: a full factorisation, which names the column where it breaks down. */
static gradyn_status factor_anew(sparse *s, const double *values, int *singular_at)
{
  sparse_reset(s);
  choose_scales(s, values);
  take_values(s, values);
  s->numeric = klu_factor(s->start, s->row, s->value, s->symbolic, &s->common);
  gradyn_status status = translate(&s->common);
  /* the column that KLU names, or the last one if it names none */
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
  /* what later factorisations with these pivots are compared with */
  s->rgrowth = reciprocal_growth(s);
  remember_pivots(s);
  return status;
}

/* Pivot k is the remainder of a_kk and these products; both factors are in pivotal order. */
static gradyn_status judge_pivot(const factors *f, const double *diagonal, int k)
{
  double pivot = fabs(diagonal[k]), terms = pivot;

  /* a_kk - sum of l_kj u_jk, j < k: column k of U meets row k of L */
  for (int p = f->up[k]; p < f->up[k + 1]; p++) {
    int j = f->ui[p];
    for (int q = f->lp[j]; j < k && q < f->lp[j + 1]; q++)
      if (f->li[q] == k)
        terms += fabs(f->lx[q] * f->ux[p]);
  }
  return gradyn_pivot_judge(pivot, terms);
}

/* Looks at pivots that are suspiciously small, with all factors at hand. */
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
      *singular_at = s->symbolic->Q[k]; /* pivotal order back to the caller's column */
      return status;
    }
  }
  return GRADYN_OK;
}

/* Looks for pivots that are mere round-off. Few systems have any that come near to that, and only
 * those pay for extracting the factors. */
static gradyn_status check_pivots(sparse *s, int *singular_at)
{
  const double *diagonal = s->numeric->Udiag;
  double least = INFINITY, most = 0;

  /* extremes of U's diagonal tell whether a closer look is needed */
  for (int k = 0; k < s->n; k++) { /* u_kk of the factors L U = P R A Q */
    double size = fabs(diagonal[k]);
    if (!isfinite(size))
      return GRADYN_NON_FINITE;
    least = size < least ? size : least;
    most = size > most ? size : most;
  }
  if (least > GRADYN_PIVOT_SUSPECT * most)
    return GRADYN_OK;

  /* L and U leave KLU only for a closer look, once in a long while */
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

/* With the pivots of the last one, if they still do. */
static gradyn_status sparse_factor(void *impl, const double *values, double norm, int *singular_at)
{
  sparse *s = impl;

  (void)norm; /* rows are scaled, so pivots are judged relative to each other */
  if (!refactor(s, values)) {
    gradyn_status status = factor_anew(s, values, singular_at);
    if (status)
      return status;
  }
  return check_pivots(s, singular_at);
}

/* Sign of the permutation `to` [n]: each cycle of even length counts. */
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

/* L U = P D A Q, in blocks on the diagonal; D > 0. */
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

/* b = D b, D the scales of the rows. */
static void scale_rows(const sparse *s, double *b, int count)
{
  for (int c = 0; c < count; c++, b += s->n)
    for (int i = 0; i < s->n; i++)
      b[i] *= s->scale[i];
}

/* (D A) x = D b */
static void sparse_solve(void *impl, double *b, int count)
{
  sparse *s = impl;
  scale_rows(s, b, count);
  klu_solve(s->symbolic, s->numeric, s->n, count, b, &s->common);
}

/* (D A)^T y = b, x = D y */
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
