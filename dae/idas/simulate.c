/* Simulation with IDAS through all arcs, with a trajectory. Runs for gradients are in adjoint/idas/direct.c
 * (direct sensitivities) and adjoint/idas/kept.c (checkpoints). */
#include <math.h>
#include <string.h>

#include "core/base/clock.h"
#include "dae/linear/drift.h"
#include "dae/idas/arc_time.h"
#include "dae/idas/events.h"

/* Whether states jump at the end of arc k, at an event, which may end the run. */
static bool jumped(const gradyn_idas *s, int k)
{
  return s->arcs.boundary[k + 1].transition > 0;
}

/* Updates the constraint drift and records the present state. */
static gradyn_status observe(gradyn_idas *s, gradyn_trajectory *trajectory)
{
  const double *y = N_VGetArrayPointer(s->sun.y);
  if (s->system->ops->drift) {
    double worst[3] = {0};
    gradyn_status status = s->system->ops->drift(s->system, s->t, y, worst);
    if (status != GRADYN_OK)
      return status;
    gradyn_drift_raise(&s->report.cost, worst);
  }
  if (!trajectory)
    return GRADYN_OK;
  return gradyn_trajectory_add(trajectory, s->t, y, N_VGetArrayPointer(s->sun.yp));
}

/* Integrates arc k step by step, so that each step can be searched for events and recorded. */
static gradyn_status step_through(gradyn_idas *s, int k, gradyn_trajectory *trajectory)
{
  long left = gradyn_idas_steps_left(
      s, 0, s->report.cost.steps); /* taken one by one, steps do not reach the limit of IDAS */
  GRADYN_TRY(gradyn_idas_open_arc(s, k));
  if (s->events)
    GRADYN_TRY(gradyn_idas_events_open(s));
  while (s->t < s->arcs.boundary[k + 1].t) {
    int flag = left-- > 0 ? gradyn_idas_advance(s, IDA_ONE_STEP) : IDA_TOO_MUCH_WORK;
    const gradyn_status status = gradyn_idas_failed(s, flag, "simulation", s->t);
    s->failure.status = GRADYN_OK; /* a step that succeeded clears the failures before it */
    GRADYN_TRY(status);
    if (s->events)
      GRADYN_TRY(gradyn_idas_events_look(s, k));
    GRADYN_TRY(observe(s, trajectory));
  }
  /* quadratures end where the arc ends */
  return s->sums.nq > 0 ? gradyn_idas_quadratures(s) : GRADYN_OK;
}

static gradyn_status march_arc(gradyn_idas *s, int k, gradyn_trajectory *trajectory)
{
  const gradyn_status status = step_through(s, k, trajectory);
  if (s->ida)
    gradyn_idas_count(s, s->ida, false);
  gradyn_idas_close_arc(s);
  return status;
}

/* One run from the start. */
static gradyn_status simulate_once(gradyn_idas *s, double *psi, gradyn_trajectory *trajectory)
{
  GRADYN_TRY(gradyn_idas_begin(s));
  if (trajectory)
    GRADYN_TRY(gradyn_trajectory_begin(trajectory, s->model));
  GRADYN_TRY(observe(s, trajectory));
  for (int k = 0; k < s->arcs.count; k++) {
    GRADYN_TRY(gradyn_arcs_pause(&s->arcs, k) ? GRADYN_OK : march_arc(s, k, trajectory));
    if (gradyn_idas_crosses(s, k))
      GRADYN_TRY(gradyn_idas_next_arc(s, k));
    /* the trajectory has the states before and after a jump */
    if (trajectory && jumped(s, k))
      GRADYN_TRY(observe(s, trajectory));
  }
  return gradyn_idas_finish(s, psi);
}

gradyn_status gradyn_idas_simulate(gradyn_idas *s, double *psi, gradyn_trajectory *trajectory)
{
  double clock = gradyn_seconds();
  s->watch_rates = s->monitors.run.derivatives = false;
  gradyn_status status = simulate_once(s, psi, trajectory);
  if (gradyn_idas_must_repeat(s))
    status = simulate_once(s, psi, trajectory);
  s->report.cost.time_simulate = gradyn_seconds() - clock;
  return status;
}
