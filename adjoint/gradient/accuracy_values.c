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

gradyn_status gradyn_accuracy_keep_log(gradyn_accuracy *a)
{
  gradyn_repetition *room = &a->ev->repetition;
  const gradyn_model_log *log = &a->ev->model->log;
  if (log->count > room->log_room) {
    gradyn_event_record *grown = realloc(room->log, (size_t)log->count * sizeof *grown);
    if (!grown)
      return gradyn_fail(&a->ev->message, GRADYN_NO_MEMORY, "out of memory for %d events",
                         log->count);
    room->log = grown;
    room->log_room = log->count;
  }
  if (log->count > 0)
    memcpy(room->log, log->record, (size_t)log->count * sizeof *log->record);
  a->events = log->count;
  return GRADYN_OK;
}

void gradyn_accuracy_restore_log(const gradyn_accuracy *a)
{
  gradyn_model_log *log = &a->ev->model->log;
  bool same = log->count == a->events;
  for (int i = 0; i < a->events && same; i++)
    same = log->record[i].event == a->ev->repetition.log[i].event;
  if (same && a->events > 0) /* others would not go with what was captured */
    memcpy(log->record, a->ev->repetition.log, (size_t)a->events * sizeof *log->record);
}
