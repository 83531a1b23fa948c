/* Events within a step of a fixed-step scheme: where a guard passes zero at the end of a shorter step. */
#include <math.h>

#include "dae/fixed_events.h"

gradyn_status gradyn_fixed_motion(gradyn_fixed *s, double t, const double *node, bool rates,
                                  const double **y)
{
  *y = node;
  if (!s->stepper->ops->complete || !rates) /* positions are in every node */
    return GRADYN_OK;
  *y = s->y;
  return s->stepper->ops->complete(s->stepper, t, node, GRADYN_VELOCITIES, s->y);
}

/* A guard (order 0) or its rate at a node. */
static gradyn_status guard_at(gradyn_fixed *s, int event, int order, double t, const double *node,
                              double *r)
{
  bool rates = order > 0 || gradyn_guard_reads_rates(&s->model->event[event]);
  const double *y;
  gradyn_status status = gradyn_fixed_motion(s, t, node, rates, &y);
  return status == GRADYN_OK ? gradyn_watch_value(&s->events->watch, event, order, t, y, r)
                             : status;
}

/* A guard at the end of a step that is shorter than it was. */
typedef struct partial {
  gradyn_fixed *march;
  const double *from;
  double t; /* s, of that node */
  int event;
} partial;

/* The guard at the end of a step of that length: partial steps are steps of the scheme. */
static gradyn_status guard_within(void *user, double length, double *r)
{
  const partial *at = user;
  gradyn_fixed *s = at->march;
  gradyn_status status = s->stepper->ops->step(s->stepper, at->t, length, at->from,
                                               s->events->trial);
  return status == GRADYN_OK ? guard_at(s, at->event, 0, at->t + length, s->events->trial, r)
                             : status;
}

/* Whether a guard that is positive at both ends of a step may have been negative in between: its second
 * difference bounds the dip. */
static bool may_dip(const gradyn_guard_watch *w, double r)
{
  /* |second difference|: the most that a parabola dips by half a step */
  return !(fmin(w->r, r) > fabs(r - 2 * w->r + w->before));
}

/* Whether the condition of an event is met after a length of the step. */
static gradyn_status is_armed(const partial *at, double length, bool *armed)
{
  gradyn_fixed *s = at->march;
  const double *y;
  double t = at->t + length;
  gradyn_status status = s->stepper->ops->step(s->stepper, at->t, length, at->from,
                                               s->events->trial);
  if (status == GRADYN_OK)
    status = gradyn_fixed_motion(s, t, s->events->trial, true, &y);
  return status == GRADYN_OK ? gradyn_guard_armed(&s->events->watch.guards, at->event, t, y, armed)
                             : status;
}

/* Looks for a root of one guard in step k, at whose end it is r. */
static gradyn_status search_guard(gradyn_fixed *s, int k, int event, const double *from,
                                  const double *to, double r, double *length)
{
  gradyn_watch *watch = &s->events->watch;
  const gradyn_guard_watch *w = &watch->guard[event];
  double t = gradyn_fixed_time(s, k), h = gradyn_fixed_step(s, k), rate[2];
  gradyn_found found = GRADYN_NO_ROOT;
  *length = HUGE_VAL;
  /* positive, not leaving, no dip: no root */
  if (r > 0 && !w->leaving && !may_dip(w, r))
    return GRADYN_OK;
  /* rates at both ends, for the cubic that locates */
  for (int end = 0; end < 2; end++)
    GRADYN_TRY(guard_at(s, event, 1, t + end * h, end ? to : from, &rate[end]));
  const gradyn_guard_step step = {h, {w->r, r}, {rate[0], rate[1]}, w->leaving};
  partial at = {s, from, t, event};
  double place;
  GRADYN_TRY(gradyn_locate(&step, guard_within, &at, &found, &place));
  /* what lies behind an event does not count */
  /* beyond a root the guard is another motion's */
  double seen = found == GRADYN_NO_ROOT ? fmax(fabs(rate[0]), fabs(rate[1])) : fabs(rate[0]);
  watch->guard[event].fastest = fmax(w->fastest, seen);
  if (found == GRADYN_STAYS)
    return gradyn_watch_stays(watch, event, t);
  bool armed = true;
  /* conditions are asked for at the root only */
  if (s->model->event[event].armed && found == GRADYN_ROOT)
    GRADYN_TRY(is_armed(&at, place, &armed));
  if (armed && found == GRADYN_ROOT)
    *length = place;
  return GRADYN_OK;
}

gradyn_status gradyn_fixed_search(gradyn_fixed *s, int k, const double *from, const double *to,
                                  int *event, double *length)
{
  gradyn_watch *watch = &s->events->watch;
  double t = gradyn_fixed_time(s, k), end = t + gradyn_fixed_step(s, k);
  *event = -1;
  *length = HUGE_VAL;
  for (int i = 0; i < s->model->event_count; i++) {
    double r, root = HUGE_VAL;
    if (!gradyn_event_watched(s->model, i))
      continue;
    GRADYN_TRY(guard_at(s, i, 0, end, to, &r));
    /* guards that are far from zero are spared */
    if (gradyn_watch_looks(watch, i, r))
      GRADYN_TRY(search_guard(s, k, i, from, to, r, &root));
    if (root < *length && gradyn_watch_within(watch, t + root)) { /* the first of all */
      *length = root;
      *event = i;
    }
    watch->guard[i].now = r;
  }
  for (int i = 0; i < s->model->event_count && *event < 0; i++)
    if (gradyn_event_watched(s->model, i))
      GRADYN_TRY(gradyn_watch_move(watch, i, end));
  return GRADYN_OK;
}
