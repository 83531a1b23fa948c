/* Finds the parameters that act in each segment. They are found once, before the search. Each gradient
 * verifies them by one more build(). If a datum depends on further parameters, the search begins again,
 * with all parameters acting everywhere. */
#include "optim/segments/sparsity.h"

#include <string.h>

size_t gradyn_segments_width(const gradyn_segments *s, size_t k)
{
  return s->sparsity.acting[k].count + (k > 0 ? s->states : 0);
}

size_t gradyn_segments_column(const gradyn_segments *s, size_t k, size_t j)
{
  const gradyn_acting *acting = &s->sparsity.acting[k];
  return j < acting->count ? acting->parameter[j]
                           : s->p + gradyn_segments_unknown(s, k) + (j - acting->count);
}

double *gradyn_segments_slopes(const gradyn_segments *s, size_t k, size_t i)
{
  return s->answers.gradient + s->answers.first[k] + i * gradyn_segments_width(s, k);
}

double *gradyn_segments_load(gradyn_segments *s, size_t k, const double all[])
{
  /* a first call has set the point before threads begin (parts.c) */
  if (s->p > 0 && memcmp(s->sparsity.common.rho, all, s->p * sizeof *all) != 0)
    gradyn_common_set(&s->sparsity.common, all);
  for (size_t j = 0; j < gradyn_segments_width(s, k); j++)
    s->sparsity.rho[k][j] = all[gradyn_segments_column(s, k, j)];
  return s->sparsity.rho[k];
}

/* --- Gradients of the objective ------------------------------------------------------------------ */

/* Appends a column to a row, or only counts it if `list` is false. */
static void put(const gradyn_entries *entries, bool list, size_t *at, size_t column)
{
  if (list)
    entries->column[*at] = column;
  (*at)++;
}

/* Lists the columns of the parameters and unknowns of segment k. */
static void list_part(const gradyn_segments *s, size_t k, bool list, size_t *at)
{
  for (size_t j = 0; j < gradyn_segments_width(s, k); j++)
    put(&s->answers.entries, list, at, gradyn_segments_column(s, k, j));
}

/* Lists the columns of a defect at the end of segment k: those of this end, and of the start of segment
 * k + 1. The start is an unknown itself, or is assembled from all unknowns there. */
static void list_gap(const gradyn_segments *s, size_t k, size_t unknown, bool list, size_t *at)
{
  const gradyn_entries *entries = &s->answers.entries;
  const gradyn_acting *a = &s->sparsity.acting[k], *b = &s->sparsity.acting[k + 1];
  const bool assembled = gradyn_segments_assembled(s);
  if (!assembled) {
    list_part(s, k, list, at);
    put(entries, list, at, s->p + unknown);
    return;
  }
  for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
    const size_t x = i < a->count ? a->parameter[i] : s->p,
                 y = j < b->count ? b->parameter[j] : s->p;
    put(entries, list, at, x < y ? x : y);
    i += x <= y;
    j += y <= x;
  }
  for (size_t l = k > 0 ? k : 1; l <= k + 1; l++)
    for (size_t i = 0; i < s->states; i++)
      put(entries, list, at, s->p + gradyn_segments_unknown(s, l) + i);
}

/* Lists the columns of row i of the gradients. A functional has all columns, because all segments
 * contribute. */
static void list_row(const gradyn_segments *s, size_t i, bool list, size_t *at)
{
  const size_t gaps = (s->count - 1) * s->states;
  if (i >= s->f + gaps)
    list_part(s, s->held.part[i - s->f - gaps], list, at);
  else if (i >= s->f)
    list_gap(s, (i - s->f) / s->states, i - s->f, list, at);
  else
    for (size_t j = 0; j < gradyn_segments_columns(s); j++)
      put(&s->answers.entries, list, at, j);
}

void gradyn_segments_list_entries(gradyn_segments *s, size_t samples, gradyn_arena *arena)
{
  const size_t rows = s->f + (s->count - 1) * s->states + samples;
  gradyn_entries *entries = &s->answers.entries;
  entries->start = gradyn_arena_take(arena, rows + 1, sizeof *entries->start);
  for (int pass = 0; pass < 2 && gradyn_arena_status(arena) == GRADYN_OK; pass++) {
    size_t at = 0;
    for (size_t i = 0; i < rows; i++) {
      list_row(s, i, pass == 1, &at);
      entries->start[i + 1] = at;
    }
    if (pass == 0)
      entries->column = gradyn_arena_take(arena, at, sizeof *entries->column);
  }
}

/* --- Parameters that act --------------------------------------------------------------------------- */

/* Allocates the parameters of each segment. */
static gradyn_status take_parameters(gradyn_segments *s)
{
  for (size_t k = 0; k < s->count; k++)
    s->sparsity.rho[k] = gradyn_arena_numbers(&s->arena, gradyn_segments_width(s, k));
  return gradyn_arena_status(&s->arena) == GRADYN_OK
             ? GRADYN_OK
             : gradyn_fail(&s->message, GRADYN_NO_MEMORY, "out of memory for %zu segments",
                           s->count);
}

/* Returns the data of the initial states that the states at boundaries replace. */
static const int *find_starts(gradyn_segments *s)
{
  int *data = gradyn_arena_take(&s->arena, s->nz, sizeof *data);
  for (size_t i = 0; data != NULL && i < s->nz; i++)
    data[i] = gradyn_cut_datum(s->whole->model, &s->cut[1], i);
  return data;
}

gradyn_status gradyn_segments_find_acting(gradyn_segments *s, const double rho0[])
{
  LOCAL(gradyn_reach) reach = {0};
  const int *starts = find_starts(s);
  s->sparsity.acting = gradyn_arena_take(&s->arena, s->count, sizeof *s->sparsity.acting);
  s->sparsity.rho = gradyn_arena_take(&s->arena, s->count, sizeof *s->sparsity.rho);
  s->sparsity.grown = gradyn_arena_take(&s->arena, s->count, sizeof *s->sparsity.grown);
  if (gradyn_arena_status(&s->arena) != GRADYN_OK ||
      gradyn_common_create(s->p, &s->sparsity.common) != GRADYN_OK)
    return gradyn_fail(&s->message, GRADYN_NO_MEMORY, "out of memory for %zu segments", s->count);
  gradyn_common_set(&s->sparsity.common, rho0);
  const gradyn_status status = gradyn_reach_find(s->whole, rho0, starts, s->nz, &reach);
  if (status != GRADYN_OK)
    return gradyn_fail(&s->message, status, "%s", gradyn_evaluator_message(s->whole));
  for (size_t k = 0; k < s->count; k++)
    if (gradyn_acting_find(&reach, s->segment[k].from, s->segment[k].to, &s->arena,
                           &s->sparsity.acting[k]) != GRADYN_OK)
      return gradyn_fail(&s->message, GRADYN_NO_MEMORY, "out of memory for %zu segments", s->count);
  return take_parameters(s);
}

/* Creates a segment again. */
static gradyn_status create_again(gradyn_segments *s, size_t k, gradyn_segment *segment)
{
  const char *method = s->method;
  gradyn_segment_clear(segment);
  segment->evaluator = NULL;
  segment->params = NULL;
  segment->timed = NULL;
  return gradyn_segment_create(k, method, &s->message, segment);
}

gradyn_status gradyn_segments_widen(gradyn_segments *s)
{
  gradyn_answers *before = &s->held.before;
  const size_t rows = s->answers.height - s->f - 2 * s->nz;
  s->sparsity.outgrown = false;
  for (size_t k = 0; k < s->count; k++)
    if (gradyn_acting_all(s->whole, &s->arena, &s->sparsity.acting[k]) != GRADYN_OK)
      return gradyn_fail(&s->message, GRADYN_NO_MEMORY, "out of memory for %zu segments", s->count);
  GRADYN_TRY(take_parameters(s));
  GRADYN_TRY(gradyn_segments_reserve(s, 0, 0, &s->arena));
  if (s->held.count > 0) {
    *before = s->answers;
    GRADYN_TRY(gradyn_segments_reserve(s, rows, s->held.count, &s->held.arena));
  }
  for (size_t k = 0; k < s->count; k++) {
    GRADYN_TRY(create_again(s, k, &s->segment[k]));
    if (s->held.count > 0)
      GRADYN_TRY(create_again(s, k, &s->held.segment[k]));
  }
  return GRADYN_OK;
}
