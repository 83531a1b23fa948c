/* Maxima over time of methods that choose their steps. psi = max g(t) = g(t*): where g_t = 0 the
 * derivative by anything is that at the instant t* held fixed, since the moving of t* drops out.
 * At an end of the run or at an event it does not: there the functional is the terminal part at
 * that end or side, whose time moves. So a first run finds t*, and the runs that follow, of any
 * kind, know nothing of maxima. */
#include "adjoint/gradient/maxima.h"

#include <math.h>
#include <stdlib.h>

#include "adjoint/gradient/extremes.h"
#include "dae/events/arcs.h"

/* Where a jump of a signal makes g larger behind it, it is taken so much later, of the run. */
static const double behind_jump = 1e-7;

/* Places nearer than this, of the run, are one: integrators make no steps between them. */
static const double one_place = 1e-8;

/* Whether there are any, as of the place where they were. */
static bool forget_places(gradyn_model *model)
{
  bool any = false;
  for (int k = 0; k < model->functional_count; k++) {
    gradyn_functional *f = &model->functional[k];
    if (!f->maximum)
      continue;
    any = true;
    f->instant = 0;
    f->which = 0;
    f->from_start = false;
  }
  return any;
}

/* The event at a time, the first or the last of several; NULL: none. */
static const gradyn_event_record *event_at(const gradyn_model *model, double t, bool last)
{
  const gradyn_event_record *found = NULL;
  for (int i = 0; i < model->log.count; i++)
    if (model->log.record[i].t == t && (!found || last))
      found = &model->log.record[i];
  return found;
}

/* The instant of another functional that is as near as that, or the time itself. */
static double share_instant(const gradyn_model *model, double t, double end)
{
  for (int k = 0; k < model->functional_count; k++) {
    const double other = model->functional[k].instant;
    if (other > 0 && fabs(other - t) < one_place * end)
      return other;
  }
  return t;
}

/* Has a maximum be taken where its summit is. */
static void place(gradyn_model *model, gradyn_functional *f, const gradyn_summit *summit,
                  double end)
{
  const double t = summit->extreme.t;
  const bool behind = summit->part == GRADYN_AT_START;
  const gradyn_event_record *event = summit->part == GRADYN_INSIDE ? NULL
                                                                   : event_at(model, t, behind);
  if (event) {
    f->which = event->which;
    f->event = event->event;
    f->side = behind ? GRADYN_AFTER : GRADYN_BEFORE;
  } else if (t <= 0) {
    f->from_start = true;
  } else if (t < end) {
    const double later = fmin(t + behind_jump * end, (t + end) / 2);
    f->instant = share_instant(model, behind ? later : t, end);
  }
  /* else at the end */
}

/* Work for the method in force. */
static gradyn_status simulation(gradyn_evaluator *ev, void *what)
{
  return ev->method->simulate(ev->run, NULL, what);
}

gradyn_status gradyn_place_maxima(gradyn_evaluator *ev)
{
  gradyn_model *model = ev->model;
  if (!forget_places(model) || ev->method->march)
    return GRADYN_OK;
  /* a first run, and where its summits are */
  const size_t nf = (size_t)model->functional_count;
  gradyn_trajectory *trajectory = gradyn_trajectory_create();
  gradyn_summit *summit = calloc(nf + 1, sizeof *summit);
  gradyn_status status = trajectory && summit ? gradyn_work_by_choice(ev, simulation, trajectory)
                                              : GRADYN_NO_MEMORY;
  if (status == GRADYN_OK)
    status = gradyn_find_summits(ev, trajectory, summit);
  const size_t rows = gradyn_trajectory_steps(trajectory);
  const double end = rows > 0 ? gradyn_trajectory_step(trajectory, rows - 1, NULL) : 0;
  for (size_t k = 0; k < nf && status == GRADYN_OK; k++)
    if (model->functional[k].maximum)
      place(model, &model->functional[k], &summit[k], end);
  gradyn_trajectory_free(trajectory);
  free(summit);
  return status;
}
