/* What repeated gradients tell of the values that come with them, and what is said at the end. */
#include "adjoint/gradient/accuracy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An error is told where it is so many times what was asked for. */
static const double missed = 3;

/* What is told of a gradient that all but vanishes, over its largest component. */
static const double at_an_end = 1e-6;

/* Values of runs with other steps that differ by less of themselves are determined, whatever local errors
 * times adjoints say: of 600 random systems of the rtol campaign six were told without need. Errors of
 * gradients that leave nothing of them. */
static const double determined = 1e-3, hopeless = 1;

double gradyn_accuracy_of_values(gradyn_accuracy *a)
{
  const gradyn_evaluator *ev = a->ev;
  const double *size = ev->method->sizes ? ev->method->sizes(ev->run) : NULL;
  double worst = 0;
  for (size_t f = 0; f < a->nf && size; f++) {
    const double *g = a->gradient + f * a->columns;
    /* as large as it is, as a change of all of a parameter makes it, or as its states allow */
    double most = fmax(fabs(a->psi[f]), size[f]);
    for (size_t j = 0; j < a->columns && !ev->model->functional[f].skipped; j++)
      most = fmax(most, fabs(g[j]) * gradyn_accuracy_size(a, j));
    const double apart = fabs(a->psi[f] - a->other_psi[f]);
    if (apart > worst * most && !ev->model->functional[f].skipped) {
      worst = apart / most;
      a->value_of = f;
    }
  }
  return worst * a->rtol / ev->options.rtol;
}

void gradyn_accuracy_keep_spread(gradyn_accuracy *a)
{
  a->spread = fmax(a->spread, 0);
  for (size_t f = 0; f < a->nf; f++) {
    const double apart = fabs(a->psi[f] - a->other_psi[f]);
    if (apart > 0 && !a->ev->model->functional[f].skipped)
      a->spread = fmax(a->spread, apart / fmax(fabs(a->psi[f]), fabs(a->other_psi[f])));
  }
}

/* Whether runs with other steps have shown that the values are what they are. */
static bool values_stand(const gradyn_accuracy *a)
{
  return a->spread >= 0 && a->spread < determined;
}

gradyn_status gradyn_accuracy_conclude(gradyn_accuracy *a)
{
  static const char resting[] = "the steps, short enough for the motion, are too long for the "
                                "derivatives of what is quick and at rest";
  const double error = a->error;
  gradyn_evaluator *ev = a->ev;
  /* steps that are unstable for what rests do nothing to values, nor to derivatives by what moves */
  const bool stand = values_stand(a), rests = stand && !ev->method->tighten && error > hopeless;
  if (rests && ev->choice.busy)
    return gradyn_fail(&ev->model->message, GRADYN_STIFF, resting);
  if (rests)
    gradyn_message_add(&ev->corners, "%s: radau and idas have no such limit", resting);
  if (rests || (stand && error <= missed * a->rtol)) {
    ev->cost.undetermined[0] = ev->cost.undetermined[1] = 0;
    ev->cost.undetermined_functional = NULL;
  }
  if (a->value > missed * a->rtol)
    gradyn_message_add(&ev->corners,
                       "functional %s is exact to about %.0e only, where %.0e was asked for",
                       ev->model->functional[a->value_of].name,
                       a->value * ev->options.rtol / a->rtol, ev->options.rtol);
  const double told = fmax(missed * a->rtol, ev->care == GRADYN_AT_AN_END ? at_an_end : 0);
  if (error > told && isfinite(error))
    gradyn_message_add(&ev->corners,
                       "the gradient is exact to about %.0e only, where %.0e was asked for", error,
                       a->rtol);
  return GRADYN_OK;
}

/* Room for so many events, and what they capture; it only grows. */
static gradyn_status reserve_log(gradyn_evaluator *ev, int count)
{
  gradyn_repetition *room = &ev->repetition;
  const size_t captures = (size_t)ev->model->log.captures.count;
  if (count <= room->log_room)
    return GRADYN_OK;
  gradyn_event_record *log = realloc(room->log, (size_t)count * sizeof *log);
  room->log = log ? log : room->log;
  double *captured = realloc(room->captured, ((size_t)count * captures + 1) * sizeof *captured);
  room->captured = captured ? captured : room->captured;
  if (!log || !captured)
    return gradyn_fail(&ev->message, GRADYN_NO_MEMORY, "out of memory for %d events", count);
  room->log_room = count;
  return GRADYN_OK;
}

/* From one log to the other, with what events have captured: count of them. */
static void copy_log(gradyn_event_record *to, double *captured, const gradyn_event_record *from,
                     const double *from_captured, size_t count, size_t captures)
{
  if (count == 0)
    return;
  memcpy(to, from, count * sizeof *to);
  memcpy(captured, from_captured, count * captures * sizeof *captured);
}

gradyn_status gradyn_accuracy_keep_log(gradyn_accuracy *a)
{
  gradyn_repetition *room = &a->ev->repetition;
  const gradyn_model_log *log = &a->ev->model->log;
  GRADYN_TRY(reserve_log(a->ev, log->count));
  copy_log(room->log, room->captured, log->record, log->captures.value, (size_t)log->count,
           (size_t)log->captures.count);
  a->events = log->count;
  return GRADYN_OK;
}

void gradyn_accuracy_restore_log(const gradyn_accuracy *a)
{
  const gradyn_repetition *room = &a->ev->repetition;
  gradyn_model_log *log = &a->ev->model->log;
  copy_log(log->record, log->captures.value, room->log, room->captured, (size_t)a->events,
           (size_t)log->captures.count);
  /* for as many there was room: repetitions may have had fewer, or failed */
  log->count = a->events;
}
