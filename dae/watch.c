/* Guards along an arc: start, and events of doubtful course. */
#include "dae/watch.h"

#include <math.h>
#include <stdlib.h>

#include "core/norm.h"

enum { MOST_EVENTS = 100000 };

/* Distances over the length of the run: events closer than `together` are one, of a guard closer than
 * `apart` to its last one accumulate. A guard that passes zero at less than `grazing` of its largest rate
 * touches it. Gaps at the start below `closed` of the size of the mechanism are zero. */
static const double together = 1e-12, apart = 1e-9, grazing = 1e-5, closed = 1e-10;

gradyn_status gradyn_watch_create(gradyn_model *model, gradyn_watch *w)
{
  *w = (gradyn_watch){.model = model};
  w->guard = calloc((size_t)model->event_count + 1, sizeof *w->guard);
  if (!w->guard)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d events",
                       model->event_count);
  return gradyn_guards_create(model, &w->guards);
}

void gradyn_watch_clear(gradyn_watch *w)
{
  gradyn_guards_clear(&w->guards);
  free(w->guard);
  *w = (gradyn_watch){0};
}

static double run_length(const gradyn_watch *w)
{
  return w->model->x[w->model->t_end];
}

bool gradyn_watch_within(const gradyn_watch *w, double t)
{
  return t < run_length(w) * (1 - together);
}

/* A guard and its rate. */
static gradyn_status measure(gradyn_watch *w, int event, double t, const double *y, double r[2])
{
  gradyn_status status = gradyn_guard_value(&w->guards, event, 0, t, y, &r[0]);
  return status == GRADYN_OK ? gradyn_guard_value(&w->guards, event, 1, t, y, &r[1]) : status;
}

static gradyn_status fail(gradyn_watch *w, int event, double t, const char *what)
{
  return gradyn_fail(&w->model->message, GRADYN_EVENT, "%s at t = %g s: %s",
                     w->model->event[event].name, t, what);
}

gradyn_status gradyn_watch_begin(gradyn_watch *w, const double *y)
{
  double size = gradyn_largest(y, w->model->mech->n);
  gradyn_log_begin(w->model);
  w->happened = 0;
  for (int i = 0; i < w->model->event_count; i++) {
    double r[2];
    gradyn_status status = measure(w, i, 0, y, r);
    if (status != GRADYN_OK)
      return status;
    bool touches = r[0] <= closed * size;
    w->guard[i] = (gradyn_guard_watch){.last = (double)NAN, .leaving = touches};
    if (r[0] < -closed * size)
      return gradyn_fail(&w->model->message, GRADYN_EVENT,
                         "%s: the gap is %g at the start of the run: it must not be negative",
                         w->model->event[i].name, r[0]);
    if (touches && r[1] <= 0)
      return fail(w, i, 0,
                  "the gap is closed at the start of the run and does not open; a motion that "
                  "starts on a wall must leave it");
  }
  return GRADYN_OK;
}

gradyn_status gradyn_watch_open(gradyn_watch *w, double t, const double *y)
{
  for (int i = 0; i < w->model->event_count; i++) {
    gradyn_guard_watch *g = &w->guard[i];
    double r[2];
    gradyn_status status = measure(w, i, t, y, r);
    if (status != GRADYN_OK)
      return status;
    bool own = g->last == t; /* this guard's event has started the arc */
    *g = (gradyn_guard_watch){.r = r[0],
                              .rate = r[1],
                              .before = (double)NAN,
                              .fastest = fabs(r[1]),
                              .leaving = own || (t == 0 && g->leaving),
                              .last = g->last};
  }
  return GRADYN_OK;
}

gradyn_status gradyn_watch_stays(gradyn_watch *w, int event, double t)
{
  return fail(
      w, event, t,
      "the gap does not open again after it has closed: a contact that lasts, which a bounce "
      "is not");
}

/* Another guard that is zero at the same time. */
static gradyn_status find_other(gradyn_watch *w, int event, double t, const double *y)
{
  for (int i = 0; i < w->model->event_count; i++) {
    double r[2];
    gradyn_status status = i == event ? GRADYN_OK : measure(w, i, t, y, r);
    if (status != GRADYN_OK)
      return status;
    if (i != event && fabs(r[0]) <= together * run_length(w) * fabs(r[1]) && r[1] < 0)
      return gradyn_fail(&w->model->message, GRADYN_EVENT,
                         "%s and %s close at the same time, t = %g s: what happens then depends on "
                         "which is the first",
                         w->model->event[event].name, w->model->event[i].name, t);
  }
  return GRADYN_OK;
}

gradyn_status gradyn_watch_judge(gradyn_watch *w, int event, double t, const double *y)
{
  const gradyn_guard_watch *g = &w->guard[event];
  double r[2];
  gradyn_status status = measure(w, event, t, y, r);
  if (status != GRADYN_OK)
    return status;
  if (!(-r[1] > grazing * fmax(g->fastest, fabs(r[1]))))
    return fail(w, event, t,
                "the gap closes without a rate: the motion grazes the wall, and derivatives do not "
                "exist");
  if (t - g->last < apart * run_length(w))
    return fail(
        w, event, t,
        "its events accumulate (Zeno): the last two are closer than a billionth of the run. "
        "End the run before, or let the wall give more back");
  if (w->happened >= MOST_EVENTS)
    return gradyn_fail(&w->model->message, GRADYN_STEP_LIMIT,
                       "%d events until t = %g s: more than a run may have", MOST_EVENTS, t);
  return find_other(w, event, t, y);
}
