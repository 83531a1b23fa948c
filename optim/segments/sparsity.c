/* Parameters that act in the segments. They are found once, before the search. Each gradient verifies them by
 * one more build(). If a datum depends on further parameters, all parameters act everywhere. */
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
  /* threads find the point set */
  if (s->p > 0 && memcmp(s->sparsity.common.rho, all, s->p * sizeof *all) != 0)
    gradyn_common_set(&s->sparsity.common, all);
  for (size_t j = 0; j < gradyn_segments_width(s, k); j++)
    s->sparsity.rho[k][j] = all[gradyn_segments_column(s, k, j)];
  return s->sparsity.rho[k];
}

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

/* Fills data [count of unknowns] with the initial states that the boundaries replace. */
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
  for (size_t k = 0; k < s->count; k++)
    if (gradyn_acting_all(s->whole, &s->arena, &s->sparsity.acting[k]) != GRADYN_OK)
      return gradyn_fail(&s->message, GRADYN_NO_MEMORY, "out of memory for %zu segments", s->count);
  GRADYN_TRY(take_parameters(s));
  GRADYN_TRY(gradyn_segments_reserve(s, 0, &s->arena));
  if (s->held.count > 0) {
    *before = s->answers;
    GRADYN_TRY(gradyn_segments_reserve(s, rows, &s->held.arena));
  }
  for (size_t k = 0; k < s->count; k++) {
    GRADYN_TRY(create_again(s, k, &s->segment[k]));
    if (s->held.count > 0)
      GRADYN_TRY(create_again(s, k, &s->held.segment[k]));
  }
  return GRADYN_OK;
}
