#include "adjoint/gradient/settle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 12 };

/* Differences to steps twice as long are multiplied by safety/(2^order - 1) for the error. */
static const double safety = 4;

gradyn_settling gradyn_settling_begin(gradyn_evaluator *ev, const gradyn_directions *directions,
                                      const double *gradient)
{
  return (gradyn_settling){.ev = ev, .directions = directions, .gradient = gradient};
}

/* The numbers of a direction that are compared: derivatives of the states at all times that were asked for, or
 * at the last node. */
static size_t numbers_of(const gradyn_tangents *tangents, int direction, const double **first)
{
  const gradyn_trajectory *column = tangents->column[direction];
  const size_t steps = gradyn_trajectory_steps(column), width = gradyn_trajectory_columns(column),
               last = steps > 0 ? steps - 1 : 0;
  *first = gradyn_trajectory_rows(column) + (tangents->time ? 0 : last * width);
  return steps == 0 ? 0 : tangents->time ? steps * width : width;
}

/* Keeps `count` numbers; the largest change of one since the run before, over the largest of them. */
static double keep(gradyn_settling *s, size_t *at, const double *numbers, size_t count)
{
  double change = 0, size = 0;
  for (size_t i = 0; i < count; i++) {
    change = fmax(change, fabs(numbers[i] - s->before[*at + i]));
    size = fmax(size, fabs(numbers[i]));
  }
  memcpy(s->before + *at, numbers, count * sizeof *numbers);
  *at += count;
  return size > 0 ? change / size : 0;
}

/* All numbers of the last run, side by side; the largest change. */
static double compare(gradyn_settling *s)
{
  const gradyn_tangents *tangents = s->directions->tangents;
  const size_t row = (size_t)s->directions->count;
  double worst = 0;
  size_t at = 0;
  for (int f = 0; f < s->ev->model->functional_count; f++)
    if (!s->ev->model->functional[f].skipped)
      worst = fmax(worst, keep(s, &at, s->gradient + (size_t)f * row, row));
  for (int j = 0; tangents && j < s->directions->count; j++) {
    const double *first;
    const size_t count = numbers_of(tangents, j, &first);
    worst = fmax(worst, keep(s, &at, first, count));
  }
  return worst;
}

static bool reserve(gradyn_settling *s)
{
  const gradyn_tangents *tangents = s->directions->tangents;
  const double *first;
  s->count = (size_t)s->ev->model->functional_count * (size_t)s->directions->count;
  for (int j = 0; tangents && j < s->directions->count; j++)
    s->count += numbers_of(tangents, j, &first);
  s->before = calloc(s->count + 1, sizeof *s->before);
  return s->before != NULL;
}

/* Steps follow from errors again. */
static bool finish(gradyn_settling *s)
{
  if (s->before)
    (void)s->ev->method->repeat(s->ev->run, 0, 1);
  free(s->before);
  s->before = NULL;
  return false;
}

bool gradyn_settling_repeats(gradyn_settling *s, gradyn_status *status)
{
  const gradyn_method *method = s->ev->method;
  const gradyn_options *options = &s->ev->options;
  const double rtol = options->rtol_sens > 0 ? options->rtol_sens : options->rtol;
  if (*status != GRADYN_OK || (s->runs == 0 && !(method->rests && method->rests(s->ev->run))))
    return finish(s);
  s->order = s->runs == 0 ? method->order(s->ev->run) : s->order;
  if (s->runs++ == 0 && !reserve(s)) {
    *status = gradyn_fail(&s->ev->message, GRADYN_NO_MEMORY, "out of memory for derivatives");
    return finish(s);
  }
  const double change = compare(s), error = change * safety / (pow(2, s->order) - 1);
  if (s->runs > 1 && error <= rtol)
    return finish(s);
  if (s->runs == MOST_RUNS) {
    gradyn_message_add(
        &s->ev->corners,
        "the derivatives are exact to about %.0e only, where %.0e was asked for: the "
        "motion is at rest, and steps do not follow from it",
        error, rtol);
    return finish(s);
  }
  *status = method->repeat(s->ev->run, 1, 2);
  return *status == GRADYN_OK || finish(s);
}
