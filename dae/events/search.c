/* The search for events within a step.
 *
 * Every guard that is watched is looked at at the end of a step and, where it may have dipped
 * below zero and come back, inside it; roots are located (locate.h) with states that the span
 * interpolates. The first of all is the event; what lies behind it has not happened. */
#include "dae/events/search.h"

#include <math.h>

/* One guard on its way through a span. */
typedef struct look {
  gradyn_watch *watch;
  const gradyn_span *span;
  int event;
} look;

/* r at a place inside the step. */
static gradyn_status guard_at(void *user, double place, double *r)
{
  const look *l = user;
  const double *y;
  GRADYN_TRY(l->span->at(l->span->user, place, &y));
  return gradyn_watch_value(l->watch, l->event, 0, l->span->t + place, y, r);
}

/* Whether the condition of the event is met at its root. */
static gradyn_status is_armed(const look *l, double place, bool *armed)
{
  const double *y;
  *armed = true;
  if (!l->watch->model->event[l->event].armed)
    return GRADYN_OK;
  GRADYN_TRY(l->span->at(l->span->user, place, &y));
  return gradyn_guard_armed(&l->watch->guards, l->event, l->span->t + place, y, armed);
}

/* Looks for a root of one guard, which is r with its rate at the end; *root: HUGE_VAL if there is none. */
static gradyn_status search_guard(look *l, const double r[2], double *root, double *least)
{
  gradyn_guard_watch *g = &l->watch->guard[l->event];
  /* values and rates at both ends, for the cubic that locates */
  const gradyn_guard_step step = {l->span->t, l->span->h, {g->r, r[0]}, {g->rate, r[1]},
                                  g->leaving, g->below,   g->zero};
  gradyn_found found;
  double place = l->span->h;
  bool armed = true;
  GRADYN_TRY(gradyn_locate(&step, guard_at, l, &found, &place));
  if (found == GRADYN_NO_ROOT && gradyn_guard_reaches(r, l->span->beyond))
    found = GRADYN_ROOT;
  if (found == GRADYN_STAYS) { /* it does not open again */
    g->now = r[0];
    return gradyn_watch_stays(l->watch, l->event, l->span->t, l->span->t + l->span->h);
  }
  if (found == GRADYN_NO_ROOT)
    *least = fmin(*least, gradyn_locate_least(&step));
  if (found == GRADYN_ROOT)
    GRADYN_TRY(is_armed(l, place, &armed));
  if (armed && found == GRADYN_ROOT)
    *root = place;
  return GRADYN_OK;
}

/* The first root of all guards within a span; guards without one move on to its end. */
gradyn_status gradyn_watch_search(gradyn_watch *w, const gradyn_span *span,
                                  gradyn_found_event *found)
{
  const double end = span->t + span->h;
  *found = (gradyn_found_event){-1, HUGE_VAL, HUGE_VAL};
  for (int i = 0; i < w->model->event_count; i++) {
    gradyn_guard_watch *g = &w->guard[i];
    look at = {w, span, i};
    double r[2], root = HUGE_VAL;
    if (!gradyn_event_watched(w->model, i))
      continue;
    GRADYN_TRY(gradyn_watch_measure(w, i, end, span->y, r));
    if (gradyn_watch_looks(g, r[0]) || gradyn_watch_peaks(g, r))
      GRADYN_TRY(search_guard(&at, r, &root, &found->least));
    /* beyond a root the guard is another motion's */
    g->fastest = fmax(g->fastest, root > span->h ? fabs(r[1]) : fabs(g->rate));
    if (root < found->place) {
      found->place = root;
      found->event = i;
    }
    if (root > span->h) { /* none: on to what follows */
      g->now = r[0];
      g->rate = r[1];
      GRADYN_TRY(gradyn_watch_move(w, i, end));
    }
  }
  return GRADYN_OK;
}
