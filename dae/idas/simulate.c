/* Simulation with IDAS: the march of all arcs, with a trajectory. Gradients march by themselves: direct
 * sensitivities in adjoint/idas/direct.c, checkpoints in adjoint/idas/kept.c. */
#include <math.h>
#include <string.h>

#include "core/base/clock.h"
#include "dae/linear/drift.h"
#include "dae/idas/arc_time.h"
#include "dae/idas/events.h"

/* Whether states have jumped behind arc k, at an event, which may be the end. */
static bool jumped(const gradyn_idas *s, int k)
{
  return s->arcs.boundary[k + 1].transition > 0;
}

/* Watches drift and records the present step. */
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

/* Arc k step by step, so that every step can be watched, recorded and counted. */
static gradyn_status step_through(gradyn_idas *s, int k, gradyn_trajectory *trajectory)
{
  long left = gradyn_idas_steps_left(
      s, 0, s->report.cost.steps); /* step by step, IDAS itself never reaches its limit */
  GRADYN_TRY(gradyn_idas_open_arc(s, k));
  if (s->events)
    GRADYN_TRY(gradyn_idas_events_open(s));
  while (s->t < s->arcs.boundary[k + 1].t) {
    /* the limit is ours, so that it is told in our words */
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

/* One march from the start. */
static gradyn_status simulate_once(gradyn_idas *s, double *psi, gradyn_trajectory *trajectory)
{
  /* consistent start, then arc after arc */
  GRADYN_TRY(gradyn_idas_begin(s));
  if (trajectory)
    GRADYN_TRY(gradyn_trajectory_begin(trajectory, s->model));
  GRADYN_TRY(observe(s, trajectory));
  for (int k = 0; k < s->arcs.count; k++) {
    GRADYN_TRY(gradyn_arcs_pause(&s->arcs, k) ? GRADYN_OK : march_arc(s, k, trajectory));
    if (gradyn_idas_crosses(s, k))
      GRADYN_TRY(gradyn_idas_next_arc(s, k));
    /* both sides of a jump are points of the trajectory */
    if (trajectory && jumped(s, k))
      GRADYN_TRY(observe(s, trajectory));
  }
  return gradyn_idas_finish(s, psi);
}

/* A march without derivatives. */
gradyn_status gradyn_idas_simulate(gradyn_idas *s, double *psi, gradyn_trajectory *trajectory)
{
  double clock = gradyn_seconds();
  s->watch_rates = s->monitors.run.derivatives = false;
  gradyn_status status = simulate_once(s, psi, trajectory);
  if (gradyn_idas_again(s))
    status = simulate_once(s, psi, trajectory);
  s->report.cost.time_simulate = gradyn_seconds() - clock;
  return status;
}
