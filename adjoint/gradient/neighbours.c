/* Neighbouring runs for differences. Events appear and vanish where a motion grazes a guard, or where they
 * move beyond the end of the run. Differences of runs with different events are no derivatives. */
#include "adjoint/gradient/neighbours.h"

#include <string.h>

#include "dae/linear/drift.h"

/* Shortest step along the line of parameters. */
static const double narrowest = 1e-10;

void gradyn_count_run(gradyn_evaluator *ev)
{
  gradyn_statistics last = ev->method->report(ev->run)->cost, *sum = &ev->kept.cost;
  /* sum the work, keep the largest drift */
  sum->simulations++;
  sum->steps += last.steps;
  sum->newton_iterations += last.newton_iterations;
  sum->residual_calls += last.residual_calls;
  sum->factorisations += last.factorisations;
  ev->kept.found.divided += ev->method->report(ev->run)->found.divided;
  sum->arcs = last.arcs;
  gradyn_drift_raise(
      sum, (const double[]){last.drift_position, last.drift_velocity, last.drift_acceleration});
  sum->time_simulate = last.time_simulate;
}

uint64_t gradyn_events_of(const gradyn_evaluator *run)
{
  uint64_t mixed = 14695981039346656037u; /* FNV-1a */
  for (size_t i = 0; i < gradyn_evaluator_statistics(run).events; i++) {
    const gradyn_event_record e = gradyn_event_log_at(run, i);
    mixed = (mixed ^ (uint64_t)e.event) * 1099511628211u;
    mixed = (mixed ^ (uint64_t)e.mode) * 1099511628211u;
  }
  return mixed;
}

gradyn_status gradyn_neighbour(void *neighbours, double s, double *psi)
{
  gradyn_neighbours *n = neighbours;
  gradyn_evaluator *ev = n->run;
  if (s == 0 && n->psi) {
    memcpy(psi, n->psi, (size_t)ev->model->functional_count * sizeof *psi);
    return GRADYN_OK;
  }
  for (size_t j = 0; j < ev->parameters.count; j++)
    n->moved[j] = n->centre[j] + s * n->line[j];
  const gradyn_status status = gradyn_evaluator_simulate(ev, n->moved, psi, NULL);
  gradyn_count_run(ev);
  /* a functional at an event fails with GRADYN_EVENT if the run lacks that event */
  const bool other = status == GRADYN_OK ? gradyn_events_of(ev) != n->events
                                         : status == GRADYN_EVENT;
  n->parted = n->parted || other;
  if (status != GRADYN_OK && !other) {
    n->failed = status;
    n->why = ev->message;
  }
  return status == GRADYN_OK && other ? GRADYN_NON_FINITE : status;
}

gradyn_status gradyn_neighbours_reach(gradyn_neighbours *n, int side, double *psi, double *first)
{
  if (n->run->model->event_count == 0)
    return GRADYN_OK;
  for (; *first > narrowest; *first /= 4) {
    gradyn_status status = GRADYN_OK;
    n->parted = false;
    for (int to = -1; to <= 1 && status == GRADYN_OK; to += 2)
      if (side == 0 || side == to)
        status = gradyn_neighbour(n, to * *first, psi);
    /* recoverable failures for other reasons are handled when the differences are computed */
    if (!n->parted)
      return gradyn_status_describe((int)status).kind == GRADYN_CLASS_RECOVERABLE ? GRADYN_OK
                                                                                  : status;
  }
  *first = 0;
  return GRADYN_OK;
}
