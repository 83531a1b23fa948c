/* Evaluates a stored run at any times, also after other runs: restores data and events of the stored run, and
 * afterwards those of the last run. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/evaluator/cases.h"
#include "adjoint/evaluator/evaluator.h"
#include "adjoint/extremes/between.h"
#include "dae/trajectory.h"
#include <gradyn/inspect.h>

/* Data and events of the last run, which are restored later. */
typedef struct kept {
  gradyn_model *model;
  double *x; /* [nx] */
  gradyn_model_log log;
} kept;

/* Loads data and events of a trajectory, after storing those of the last run. */
static gradyn_status recall(gradyn_model *model, const gradyn_trajectory *trajectory, kept *last)
{
  const gradyn_past *past = gradyn_trajectory_past(trajectory);
  *last = (kept){.x = malloc((size_t)model->nx * sizeof *last->x), .log = model->log};
  if (!last->x)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d data", model->nx);
  memcpy(last->x, model->x, (size_t)model->nx * sizeof *last->x);
  last->model = model;
  model->log.record = past->record;
  model->log.count = past->events;
  model->log.captures.value = past->captured;
  return gradyn_model_load(model, past->x);
}

/* Restores data and events of the last run. */
static void kept_restore(kept *last)
{
  if (last->model) {
    last->model->log = last->log;
    gradyn_model_load(last->model, last->x);
  }
  free(last->x);
}

/* Returns t if it is within the run, otherwise NAN. A time outside that differs from an end by round-off
 * becomes this end. */
static double within(double t, double from, double to)
{
  const double near = 4 * DBL_EPSILON * fmax(fabs(from), fabs(to));
  return t >= from && t <= to ? t : fabs(t - from) <= near ? from : fabs(t - to) <= near ? to : NAN;
}

/* Returns the last row at or before t. */
static size_t row_before(const gradyn_trajectory *trajectory, double t)
{
  const double *time = gradyn_trajectory_read(trajectory).times;
  /* bisection with time[low] <= t < time[high] */
  size_t low = 0, high = gradyn_trajectory_read(trajectory).steps;
  while (high - low > 1) {
    const size_t middle = (low + high) / 2;
    *(time[middle] <= t ? &low : &high) = middle;
  }
  return low;
}

/* Computes the states at time t, which must be within the run. */
static gradyn_status evaluate(gradyn_between *between, double t, double *row)
{
  const size_t before = row_before(between->trajectory, t);
  if (gradyn_trajectory_step(between->trajectory, before, row) == t)
    return GRADYN_OK;
  if (between->step != before)
    gradyn_between_enter(between, before);
  return gradyn_between_follow(between, t, row);
}

/* Computes the states at all given times. */
static gradyn_status evaluate_all(gradyn_evaluator *ev, const gradyn_trajectory *trajectory,
                                  size_t count, const double *time, double *rows)
{
  const double *known = gradyn_trajectory_read(trajectory).times;
  const size_t columns = gradyn_trajectory_read(trajectory).columns;
  const double from = known[0], to = known[gradyn_trajectory_read(trajectory).steps - 1];
  for (size_t i = 0; i < count; i++)
    if (isnan(within(time[i], from, to)))
      return gradyn_fail(&ev->model->message, GRADYN_INVALID,
                         "time %.17g s is outside the run, which lasts from %.17g s to %.17g s",
                         time[i], from, to);
  OWNED_UNTIL_END(kept_restore) kept last = {.x = NULL};
  OWNED_UNTIL_END(gradyn_between_clear) gradyn_between between = {.model = NULL};
  GRADYN_TRY(recall(ev->model, trajectory, &last));
  GRADYN_TRY(gradyn_between_create(ev->model, trajectory, &between));
  between.step = (size_t)-1; /* no step has been entered yet */
  for (size_t i = 0; i < count; i++)
    GRADYN_TRY(evaluate(&between, within(time[i], from, to), rows + i * columns));
  return GRADYN_OK;
}

gradyn_status gradyn_trajectory_evaluate(gradyn_evaluator *ev, const gradyn_trajectory *trajectory,
                                         size_t count, const double *time, double *rows)
{
  if (!gradyn_evaluator_created(ev))
    return GRADYN_INVALID;
  if (ev->load.all) /* trajectories are those of the first case */
    return gradyn_trajectory_evaluate(ev->load.all->part[0].ev, trajectory, count, time, rows);
  gradyn_message_clear(&ev->message);
  if (!trajectory || (count > 0 && (!time || !rows)))
    return gradyn_fail(&ev->message, GRADYN_INVALID,
                       "the motion needs a trajectory, times and an array of results: one is NULL");
  const gradyn_past *past = gradyn_trajectory_past(trajectory);
  if (past->model != ev->model || !past->x)
    return gradyn_fail(&ev->message, GRADYN_INVALID,
                       "the trajectory has no run of this evaluator: simulate with it first");
  return gradyn_evaluator_report(ev, evaluate_all(ev, trajectory, count, time, rows));
}
