/* Span of sparse rows, by orthogonal factorisation.
 *
 * The rows, each scaled to length one, are the columns of A^T = Q R. Only R is stored. The rows of A^T,
 * which have the entries of one variable each, are rotated into R one after the other (George and Heath
 * 1980). R then has at most the entries of the Cholesky factor of A A^T. For continuity defects of
 * multiple shooting, this matrix is a band. A diagonal entry that is nearly zero indicates a row that
 * depends on the earlier ones. The other entries of this line of R are rotated into the lines below
 * (Heath 1982).
 *
 * A product with Q is replaced by
 *     v - A^T (R^T R)^-1 A v,
 * applied repeatedly to its own result. The repetition compensates for the squared condition number of
 * R^T R (Bjorck 1987). */
#include "optim/program/span.h"

#include "core/linear/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows and variables with more entries than this come last, because they fill all lines that are rotated
 * after them. For a row, only entries of variables with fewer entries count, since all rows may have the
 * others. */
enum { LONG = 100 };

/* Entries of a row by ascending indices. `target` is an additional entry that rotations transform too. */
typedef struct line {
  size_t count, capacity;
  size_t *at;
  double *value;
  double target;
} line;

struct gradyn_span {
  size_t n, count;
  const bool *ignored;
  double *norm;  /* [count], lengths of the rows; 0: the row depends on others */
  size_t *order; /* [count], index of the row that is at position k of the factorisation */
  bool *depends; /* [count], in the order in which the caller lists the rows */
  /* [count], rows of A, each of length one, in the order of the factorisation */
  line *row;
  line *R;            /* [count], lines of R */
  double *t;          /* [count], scratch memory */
  gradyn_arena arena; /* memory of all arrays except the arrays of lines */
};

/* --- Lines ------------------------------------------------------------------------------------ */

/* Extends the memory of a line to `count` entries. Returns false if memory is lacking. */
static bool widen(line *l, size_t count)
{
  if (l->at != NULL && l->value != NULL && count <= l->capacity)
    return true;
  const size_t capacity = count + count / 2 + 4;
  size_t *at = realloc(l->at, capacity * sizeof *at);
  l->at = at != NULL ? at : l->at;
  double *value = realloc(l->value, capacity * sizeof *value);
  l->value = value != NULL ? value : l->value;
  if (at == NULL || value == NULL)
    return false;
  l->capacity = capacity;
  return true;
}

static void drop(line *l)
{
  free(l->at);
  free(l->value);
  *l = (line){0};
}

static void swap(line *a, line *b)
{
  const line c = *a;
  *a = *b;
  *b = c;
}

static void put(line *l, size_t at, double value)
{
  if (value == 0)
    return;
  l->at[l->count] = at;
  l->value[l->count++] = value;
}

/* Rotates a and b, which begin at the same index, such that b loses this entry. The results are computed in
 * the two lines `of`, which are then exchanged with a and b. */
static bool rotate(line *a, line *b, line of[2])
{
  const double r = hypot(a->value[0], b->value[0]), c = a->value[0] / r, s = b->value[0] / r;
  size_t i = 1, j = 1;
  if (!widen(&of[0], a->count + b->count) || !widen(&of[1], a->count + b->count))
    return false;
  of[0].count = of[1].count = 0;
  put(&of[0], a->at[0], r);
  while (i < a->count || j < b->count) {
    const size_t x = i < a->count ? a->at[i] : (size_t)-1, y = j < b->count ? b->at[j] : (size_t)-1;
    const double u = x <= y ? a->value[i] : 0, v = y <= x ? b->value[j] : 0;
    put(&of[0], x < y ? x : y, c * u + s * v);
    put(&of[1], x < y ? x : y, c * v - s * u);
    i += x <= y;
    j += y <= x;
  }
  of[0].target = c * a->target + s * b->target;
  of[1].target = c * b->target - s * a->target;
  swap(a, &of[0]);
  swap(b, &of[1]);
  return true;
}

/* Rotates a line into R until no entry remains. */
static bool turn_in(gradyn_span *s, line *l, line of[2])
{
  while (l->count > 0) {
    line *own = &s->R[l->at[0]];
    if (own->count == 0) {
      swap(own, l);
      l->count = 0;
      return true;
    }
    if (!rotate(own, l, of))
      return false;
  }
  return true;
}

/* --- The rows --------------------------------------------------------------------------------- */

/* Whether entry k of a row counts: it is not zero, and its column *j is not ignored. */
static bool is_taken(const gradyn_span_rows *rows, const gradyn_entry_row *row, size_t k, size_t *j)
{
  *j = gradyn_entries_column(row, k);
  return rows->A[row->first + k] != 0 && (rows->ignored == NULL || !rows->ignored[*j]);
}

/* Counts the entries of each variable. own [count]: number of entries of each row that belong to variables
 * with few entries. */
static void count_entries(const gradyn_span_rows *rows, size_t *of_variable, size_t *own)
{
  size_t j;
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < rows->count; i++) {
      const gradyn_entry_row row = gradyn_entries_row(rows->entries, rows->n, rows->row[i]);
      for (size_t k = 0; k < row.count; k++)
        if (!is_taken(rows, &row, k, &j))
          continue;
        else if (pass == 0)
          of_variable[j]++;
        else
          own[i] += of_variable[j] <= LONG;
    }
}

/* Fills a line with row i of A, scaled to length one. Returns the length before scaling; NAN: out of
 * memory. */
static double take_row(const gradyn_span_rows *rows, size_t i, line *out)
{
  const gradyn_entry_row row = gradyn_entries_row(rows->entries, rows->n, rows->row[i]);
  const double *a = rows->A + row.first;
  double largest = 0, sum = 0;
  size_t count = 0, j;
  for (size_t k = 0; k < row.count; k++) {
    const bool taken = is_taken(rows, &row, k, &j);
    largest = taken ? fmax(largest, fabs(a[k])) : largest;
    count += taken;
  }
  out->count = 0;
  if (!widen(out, count + 1))
    return NAN;
  for (size_t k = 0; largest > 0 && k < row.count; k++)
    if (is_taken(rows, &row, k, &j))
      put(out, j, a[k] / largest);
  for (size_t k = 0; k < out->count; k++)
    sum += out->value[k] * out->value[k];
  for (size_t k = 0; k < out->count; k++)
    out->value[k] /= sqrt(sum);
  return largest * sqrt(sum);
}

/* Takes all rows; those with many entries come last. */
static bool take_rows(gradyn_span *s, const gradyn_span_rows *rows)
{
  size_t next = 0;
  line one = {0};
  size_t *of_variable = calloc(rows->n + rows->count + 1, sizeof *of_variable);
  size_t *own = of_variable + rows->n;
  bool good = of_variable != NULL;
  if (good)
    count_entries(rows, of_variable, own);
  for (int late = 0; late < 2; late++)
    for (size_t i = 0; i < rows->count && good; i++) {
      if ((own[i] > LONG) != (late == 1))
        continue;
      const double norm = take_row(rows, i, &one);
      good = !isnan(norm);
      swap(&one, &s->row[next]);
      s->norm[next] = norm;
      s->order[next++] = i;
    }
  drop(&one);
  free(of_variable);
  return good;
}

/* Entries sorted by variables: those of variable j have the indices from start[j] to start[j + 1] - 1. */
typedef struct columns {
  size_t *start, *row;
  double *value;
  gradyn_arena arena; /* memory of the three arrays */
} columns;

static bool transpose(const gradyn_span *s, columns *c)
{
  size_t entries = 0;
  for (size_t k = 0; k < s->count; k++)
    entries += s->row[k].count;
  c->start = gradyn_arena_take(&c->arena, s->n + 2, sizeof *c->start);
  c->row = gradyn_arena_take(&c->arena, entries, sizeof *c->row);
  c->value = gradyn_arena_numbers(&c->arena, entries);
  if (gradyn_arena_status(&c->arena) != GRADYN_OK)
    return false;
  for (size_t k = 0; k < s->count; k++)
    for (size_t e = 0; e < s->row[k].count; e++)
      c->start[s->row[k].at[e] + 2]++;
  for (size_t j = 2; j < s->n + 2; j++)
    c->start[j] += c->start[j - 1];
  for (size_t k = 0; k < s->count; k++)
    for (size_t e = 0; e < s->row[k].count; e++) {
      const size_t position = c->start[s->row[k].at[e] + 1]++;
      c->row[position] = k;
      c->value[position] = s->row[k].value[e];
    }
  return true;
}

/* Whether no row depends on others. R_kk^2 is the squared distance of row k from the earlier ones. Each
 * variable that is rotated in increases it, so that later variables cannot change a positive answer. They
 * are then omitted, which saves time: a variable that affects all rows, such as a knot of a spline across
 * all segments, fills R. */
static bool all_stand(const gradyn_span *s, double least)
{
  size_t k = 0;
  while (k < s->count && s->R[k].count > 0 && s->R[k].at[0] == k && fabs(s->R[k].value[0]) > least)
    k++;
  return k == s->count;
}

/* Rotates the entries of each variable into R. Variables with many entries come last. */
static bool triangulate(gradyn_span *s, const gradyn_span_rows *rows, const columns *c)
{
  line l = {0}, of[2] = {{0}, {0}};
  bool good = true;
  for (int late = 0; late < 2; late++)
    for (size_t j = 0; j < s->n && good; j++) {
      const size_t first = c->start[j], count = c->start[j + 1] - first;
      if (count == 0 || (count > LONG) != (late == 1))
        continue;
      if (late == 1 && rows->counted && all_stand(s, rows->least))
        break;
      good = widen(&l, count);
      l.count = 0;
      for (size_t e = first; e < first + count && good; e++)
        put(&l, c->row[e], c->value[e]);
      l.target = rows->target != NULL ? rows->target[j] : 0;
      good = good && turn_in(s, &l, of);
    }
  /* if a row depends on others, its entries to the right of the diagonal are rotated into the lines below */
  for (size_t k = 0; k < s->count && good; k++) {
    line *own = &s->R[k];
    if (own->count > 0 && fabs(own->value[0]) > rows->least)
      continue;
    s->norm[k] = 0;
    if (own->count == 0)
      continue;
    swap(own, &l);
    own->count = 0;
    l.count--;
    memmove(l.at, l.at + 1, l.count * sizeof *l.at);
    memmove(l.value, l.value + 1, l.count * sizeof *l.value);
    good = turn_in(s, &l, of);
  }
  drop(&l);
  drop(&of[0]);
  drop(&of[1]);
  return good;
}

gradyn_span *gradyn_span_create(const gradyn_span_rows *rows)
{
  gradyn_span *s = calloc(1, sizeof *s);
  columns c = {0};
  if (s == NULL)
    return NULL;
  s->n = rows->n;
  s->count = rows->count;
  s->ignored = rows->ignored;
  s->norm = gradyn_arena_numbers(&s->arena, s->count);
  s->order = gradyn_arena_take(&s->arena, s->count, sizeof *s->order);
  s->depends = gradyn_arena_take(&s->arena, s->count, sizeof *s->depends);
  s->row = gradyn_arena_take(&s->arena, s->count, sizeof *s->row);
  s->R = gradyn_arena_take(&s->arena, s->count, sizeof *s->R);
  s->t = gradyn_arena_numbers(&s->arena, s->count);
  const bool good = gradyn_arena_status(&s->arena) == GRADYN_OK && take_rows(s, rows) &&
                    transpose(s, &c) && triangulate(s, rows, &c);
  for (size_t k = 0; k < s->count && good; k++)
    s->depends[s->order[k]] = s->norm[k] == 0;
  gradyn_arena_clear(&c.arena);
  if (good)
    return s;
  gradyn_span_free(s);
  return NULL;
}

void gradyn_span_free(gradyn_span *s)
{
  if (s == NULL)
    return;
  for (size_t k = 0; k < s->count && gradyn_arena_status(&s->arena) == GRADYN_OK; k++) {
    drop(&s->row[k]);
    drop(&s->R[k]);
  }
  gradyn_arena_clear(&s->arena);
  free(s);
}

/* --- Answers ---------------------------------------------------------------------------------- */

bool gradyn_span_depends(const gradyn_span *s, size_t k)
{
  return s->depends[k];
}

/* Solves R y_new = y in place. */
static void solve(const gradyn_span *s, double *y)
{
  for (size_t k = s->count; k-- > 0;) {
    const line *l = &s->R[k];
    for (size_t e = 1; e < l->count && s->norm[k] > 0; e++)
      y[k] -= l->value[e] * y[l->at[e]];
    y[k] = s->norm[k] > 0 ? y[k] / l->value[0] : 0;
  }
}

/* Solves R^T y_new = y in place. */
static void solve_transposed(const gradyn_span *s, double *y)
{
  for (size_t k = 0; k < s->count; k++) {
    const line *l = &s->R[k];
    y[k] = s->norm[k] > 0 ? y[k] / l->value[0] : 0;
    for (size_t e = 1; e < l->count && s->norm[k] > 0; e++)
      y[l->at[e]] -= l->value[e] * y[k];
  }
}

/* v += factor A^T t */
static void add(const gradyn_span *s, double factor, double *v)
{
  for (size_t k = 0; k < s->count; k++)
    for (size_t e = 0; e < s->row[k].count; e++)
      v[s->row[k].at[e]] += factor * s->t[k] * s->row[k].value[e];
}

void gradyn_span_project(gradyn_span *s, double v[])
{
  for (size_t j = 0; j < s->n && s->ignored != NULL; j++)
    v[j] = s->ignored[j] ? 0 : v[j];
  for (int pass = 0; pass < 3; pass++) {
    memset(s->t, 0, s->count * sizeof *s->t);
    for (size_t k = 0; k < s->count; k++)
      for (size_t e = 0; e < s->row[k].count; e++)
        s->t[k] += s->row[k].value[e] * v[s->row[k].at[e]];
    solve_transposed(s, s->t);
    solve(s, s->t);
    add(s, -1, v);
  }
}

void gradyn_span_nearest(const gradyn_span *s, double y[])
{
  for (size_t k = 0; k < s->count; k++)
    s->t[k] = s->norm[k] > 0 ? s->R[k].target : 0;
  solve(s, s->t);
  for (size_t k = 0; k < s->count; k++)
    y[s->order[k]] = s->norm[k] > 0 ? s->t[k] / s->norm[k] : 0;
}

void gradyn_span_reach(gradyn_span *s, const double c[], double v[])
{
  for (size_t k = 0; k < s->count; k++)
    s->t[k] = s->norm[k] > 0 ? c[s->order[k]] / s->norm[k] : 0;
  solve_transposed(s, s->t);
  solve(s, s->t);
  add(s, 1, v);
}
