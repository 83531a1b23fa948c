/* Corrections that pass the guard r of an event. The corrected state z+ is beyond the guard by a time of
 * about r/r' > 0. It is integrated back to the time t - 2 r/r' in the mode before the event. From there the
 * motion continues, and passes the event as any run does. To first order the state becomes R(z+ - z'
 * r/r') + z'_after r/r', and its covariance is transformed by the saltation matrix. */
#include "adjoint/analyses/filter_run.h"

/* Number of steps in which a state is integrated back in time. */
enum { PARTS = 4 };

/* Finds an event of the present mode whose guard is positive before a correction and negative after it.
 * *event is -1 if there is none. *r is its guard after the correction. */
static gradyn_status find_event(gradyn_filter_run *s, const double *before, int *event, double *r)
{
  gradyn_guards *guards = s->nominal.crossing.guards;
  *event = -1;
  for (int k = 0; k < s->model->event_count && *event < 0; k++) {
    double first = 0;
    bool armed = false;
    if (!gradyn_event_watched(s->model, k))
      continue;
    GRADYN_TRY(gradyn_guard_value(guards, k, 0, s->t, before, &first));
    GRADYN_TRY(gradyn_guard_value(guards, k, 0, s->t, s->z, r));
    GRADYN_TRY(gradyn_guard_condition(guards, k, s->t, s->z, &armed));
    const bool falls = first > 0 && *r < 0, rises = first < 0 && *r > 0;
    if (armed && (falls || (rises && s->model->event[k].either)))
      *event = k;
  }
  return GRADYN_OK;
}

static gradyn_status refuse(gradyn_filter_run *s, int event, const char *reason)
{
  return gradyn_fail(
      &s->model->message, GRADYN_EVENT,
      "correction at t = %g s: passes the guard of event %s, %s. Give other times or "
      "covariances",
      s->t, s->model->event[event].name, reason);
}

/* Moves the state and P to an earlier time, in the present mode. */
static gradyn_status go_back(gradyn_filter_run *s, double time)
{
  gradyn_nominal *c = &s->nominal;
  for (int i = 0; i < PARTS; i++)
    GRADYN_TRY(gradyn_nominal_step(c, -time / PARTS));
  GRADYN_TRY(gradyn_filter_run_pass(s));
  s->t -= time;
  return gradyn_filter_run_begin(s, c->node[c->count - 1].discrete.mode);
}

gradyn_status gradyn_filter_run_cross(gradyn_filter_run *s, const double *before)
{
  int event = -1;
  /* guard after the correction, its rate, and guard at the earlier state */
  double r = 0, rate = 0, first = 0;
  const double t = s->t;
  if (s->model->event_count > 0)
    GRADYN_TRY(find_event(s, before, &event, &r));
  if (event < 0)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_guard_value(s->nominal.crossing.guards, event, 1, t, s->z, &rate));
  if (!(r * rate > 0))
    return refuse(s, event, "and the motion leaves it to the other side");
  if (2 * r / rate > t)
    return refuse(s, event, "whose time is before the start of the run");
  GRADYN_TRY(go_back(s, 2 * r / rate));
  GRADYN_TRY(gradyn_guard_value(s->nominal.crossing.guards, event, 0, s->t, s->z, &first));
  if (!(r * first < 0)) {
    s->t = t;
    return refuse(s, event, "which the motion does not meet nearby");
  }
  GRADYN_TRY(gradyn_filter_run_until(s, t));
  return gradyn_filter_run_begin(s, s->nominal.node[s->nominal.count - 1].discrete.mode);
}
