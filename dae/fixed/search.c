/* Search for events in a step of a fixed-step scheme: for the length of a shorter step at whose end a guard
 * is zero. Without interpolation, the event is part of the discrete scheme and is differentiated with it. */
#include <math.h>

#include "dae/fixed/events.h"
#include "dae/events/detect_search.h"

gradyn_status gradyn_fixed_motion(gradyn_fixed *s, double t, const double *node, bool rates,
                                  const double **y)
{
  *y = node;
  /* a node begins with positions, so it serves if only they are needed */
  if (!s->stepper->ops->complete || !rates)
    return GRADYN_OK;
  *y = s->view.y;
  return s->stepper->ops->complete(s->stepper, t, node, GRADYN_VELOCITIES, &s->view);
}

/* Evaluates a guard (order 0), or its rate (order 1), at a node. */
static gradyn_status guard_at(gradyn_fixed *s, int event, int order, double t, const double *node,
                              double *r)
{
  bool rates = order > 0 || gradyn_guard_reads_rates(&s->model->event[event]);
  const double *y = node;
  if (rates) /* otherwise the positions suffice, with which a node begins */
    GRADYN_TRY(gradyn_fixed_motion(s, t, node, true, &y));
  return gradyn_detector_value(&s->events.watch, event, order, t, y, r);
}

/* The step that is searched, and the event whose guard is evaluated. */
typedef struct search {
  gradyn_fixed *run;
  const double *from, *to; /* nodes */
  double t, h;             /* time of the first node, s; length of the step */
  bool last;               /* whether it is the last step of its arc */
  int event;
} search;

/* Computes the state at the end of a step of another length, for gradyn_locate(). */
static gradyn_status state_within(void *user, double length, const double **y)
{
  const search *at = user;
  gradyn_fixed *s = at->run;
  const gradyn_event_entry *event = &s->model->event[at->event];
  if (s->tried != length) {
    s->tried = (double)NAN;
    /* rounded as in gradyn_fixed_length(), so that an accepted step has exactly this length */
    GRADYN_TRY(
        s->stepper->ops->step(s->stepper, at->t, length / s->t_end * s->t_end, at->from, s->trial));
    s->tried = length;
  }
  return gradyn_fixed_motion(s, at->t + length, s->trial,
                             event->armed || gradyn_guard_reads_rates(event), y);
}

/* Returns whether a step must be searched for a root. The guard may have passed zero at the end of the
 * step, where its value is `now`. A positive guard may have been negative within the step, or be negative
 * just after it. A negative guard may have been positive within the step. The second difference of the
 * guard bounds its extremum within the step. */
static bool may_pass(const gradyn_guard_state *w)
{
  const double r = w->now;
  /* |second difference|, which bounds the extremum of a parabola within a step */
  const double dip = fabs(r - 2 * w->r + w->before);
  if (w->below && !w->rests && !(r > 0))
    return !(-w->r > dip && -r > dip);
  if (!(r > 0) || w->leaving || w->rests)
    return gradyn_detector_searches(w, r);
  return !(w->r > dip && r > dip) || r < gradyn_guard_beyond(4 * (w->r - r));
}

/* If a guard r [2] is positive at the end of a step and zero very soon after it, lengthens the span up to
 * there. */
static gradyn_status lengthen(search *at, gradyn_span *span, double r[2])
{
  const double longer = at->h + gradyn_guard_beyond(2 * at->h);
  const double *y;
  double later;
  if (at->last || !gradyn_guard_reaches(r, gradyn_guard_beyond(at->h)))
    return GRADYN_OK;
  GRADYN_TRY(state_within(at, longer, &y));
  GRADYN_TRY(
      gradyn_detector_value(&at->run->events.watch, at->event, 0, at->t + longer, y, &later));
  if (later <= 0) {
    span->h = longer;
    r[0] = later;
  }
  return GRADYN_OK;
}

/* Searches for a root of the guard. *length: length of the step to it, or HUGE_VAL if there is none. */
static gradyn_status search_guard(search *at, double *length)
{
  gradyn_detector *watch = &at->run->events.watch;
  gradyn_guard_state *w = &watch->guard[at->event];
  gradyn_span span = {.t = at->t,
                      .h = at->h,
                      .at = state_within,
                      .user = at,
                      .beyond = at->last ? gradyn_detector_together(watch) : 0};
  double r[2] = {w->now}, least = HUGE_VAL;
  /* rates at both ends, for cubic interpolation of the guard */
  GRADYN_TRY(guard_at(at->run, at->event, 1, at->t, at->from, &w->rate));
  GRADYN_TRY(guard_at(at->run, at->event, 1, at->t + at->h, at->to, &r[1]));
  GRADYN_TRY(lengthen(at, &span, r));
  GRADYN_TRY(gradyn_detector_search_guard(watch, &span, at->event, r, length, &least));
  /* a rate after a root belongs to another motion */
  w->fastest = fmax(w->fastest, fabs(w->rate));
  if (*length == HUGE_VAL)
    w->fastest = fmax(w->fastest, fabs(r[1]));
  return GRADYN_OK;
}

/* Finds the first root of all guards that may have one in the step. */
static gradyn_status search_step(gradyn_fixed *s, int k, const double *from, const double *to,
                                 int *event, double *length)
{
  gradyn_detector *watch = &s->events.watch;
  const double reached = s->step[k].fraction + s->step[k].length;
  search at = {.run = s,
               .from = from,
               .to = to,
               .t = gradyn_fixed_time(s, k),
               .h = gradyn_fixed_length(s, k),
               .last = s->limit - reached < gradyn_guard_beyond(s->step[k].length)};
  s->tried = (double)NAN;
  *length = HUGE_VAL;
  for (int i = 0; i < s->model->event_count; i++) {
    double root;
    if (!gradyn_event_watched(s->model, i) || !may_pass(&watch->guard[i]))
      continue;
    at.event = i;
    GRADYN_TRY(search_guard(&at, &root));
    /* the earliest root so far */
    if (root < *length && gradyn_detector_within(watch, at.t + root)) {
      *length = root;
      *event = i;
    }
  }
  return GRADYN_OK;
}

gradyn_status gradyn_fixed_search(gradyn_fixed *s, int k, const double *from, const double *to,
                                  int *event, double *length)
{
  gradyn_detector *watch = &s->events.watch;
  const double end = gradyn_fixed_time(s, k) + gradyn_fixed_length(s, k);
  const int count = s->model->event_count;
  bool any = false;
  *event = -1;
  /* the guards are evaluated at the end of every step; the step is searched only if one of them may have a
   * root */
  for (int i = 0; i < count; i++)
    if (gradyn_event_watched(s->model, i)) {
      GRADYN_TRY(guard_at(s, i, 0, end, to, &watch->guard[i].now));
      any = may_pass(&watch->guard[i]) || any;
    }
  if (any)
    GRADYN_TRY(search_step(s, k, from, to, event, length));
  for (int i = 0; i < count && *event < 0; i++)
    if (gradyn_event_watched(s->model, i))
      GRADYN_TRY(gradyn_detector_move(watch, i, end));
  return GRADYN_OK;
}
