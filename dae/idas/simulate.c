/* Simulation with IDAS, with a trajectory. Runs for gradients are in adjoint/idas/. */
#include "core/base/clock.h"
#include "dae/idas/run.h"
#include "dae/linear/drift.h"

typedef struct simulation {
  gradyn_idas *s;
  gradyn_trajectory *trajectory; /* NULL: none */
} simulation;

/* Updates the largest constraint violations, and records the present state. */
static gradyn_status observe(void *run)
{
  const simulation *now = run;
  gradyn_idas *s = now->s;
  const double *y = N_VGetArrayPointer(s->sun.y);
  if (s->system->ops->drift) {
    double worst[3] = {0};
    GRADYN_TRY(s->system->ops->drift(s->system, s->t, y, worst));
    gradyn_drift_raise(&s->report.cost, worst);
  }
  return now->trajectory
             ? gradyn_trajectory_add(now->trajectory, s->t, y, N_VGetArrayPointer(s->sun.yp))
             : GRADYN_OK;
}

/* Records the state at the start of an arc. A trajectory has the states before and after a jump. */
static gradyn_status enter(void *run, int boundary)
{
  const simulation *now = run;
  if (boundary == 0 && now->trajectory)
    GRADYN_TRY(gradyn_trajectory_begin(now->trajectory, now->s->model));
  return boundary == 0 || now->s->arcs.boundary[boundary].transition > 0 ? observe(run) : GRADYN_OK;
}

gradyn_status gradyn_idas_simulate(gradyn_idas *s, double *psi, gradyn_trajectory *trajectory)
{
  const double clock = gradyn_seconds();
  simulation now = {s, trajectory};
  s->watch_rates = s->monitors.run.derivatives = false;
  s->observer = (gradyn_idas_observer){
      .what = "simulation", .run = &now, .enter = enter, .step = observe};
  const gradyn_status status = gradyn_idas_run(s, psi);
  s->report.cost.time_simulate = gradyn_seconds() - clock;
  return status;
}
