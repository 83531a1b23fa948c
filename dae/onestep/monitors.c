/* Monitors of one-step methods: violations of constraints, singular positions, stiffness, runs that make no
 * progress. */
#include <math.h>

#include "dae/linear/drift.h"
#include "dae/onestep/pieces.h"

enum {
  /* the run is stiff after this number of consecutive steps at the limit of stability */
  STIFF_IN_A_ROW = 15,
  /* the run is not stiff after this number of consecutive steps below the limit */
  CLEAR_IN_A_ROW = 6,
  /* a stiff run with at most this number of steps continues, because other methods would take longer */
  BEARABLE_STEPS = 1000,
  CREEPING = 1000 /* progress is checked over this number of consecutive steps */
};

/* CREEPING steps must cover at least this fraction of the run: at this rate a run takes 1e9 steps. */
static const double creep = 1e-6;

/* Updates the largest violations of the constraints, for the statistics. */
static gradyn_status observe_drift(gradyn_monitor *m, const gradyn_observed *node)
{
  gradyn_onestep *s = m->run->integrator;
  double worst[3] = {0};
  if (!s->rates->ops->drift || node->opens)
    return GRADYN_OK;
  GRADYN_TRY(s->rates->ops->drift(s->rates, node->t, node->to, worst));
  gradyn_drift_raise(&m->run->report->cost, worst);
  return GRADYN_OK;
}

/* Checks for singular positions, unless steps repeat those of a run that was checked. */
static gradyn_status observe_path(gradyn_monitor *m, const gradyn_observed *node)
{
  gradyn_rates *rates = ((gradyn_onestep *)m->run->integrator)->rates;
  return rates->ops->watch && !m->run->repeats ? rates->ops->watch(rates, node->t, node->to)
                                               : GRADYN_OK;
}

/* Estimates |h df/dz| from the last stage and the stage at the end of a step. Ends a run with many
 * consecutive steps at the limit of stability, whose lengths are determined by stability instead of errors.
 */
static gradyn_status observe_stiffness(gradyn_monitor *m, const gradyn_observed *step)
{
  gradyn_onestep *s = m->run->integrator;
  const gradyn_rates *rates = s->rates;
  const double *last = step->from + (size_t)(s->tableau->stages - 1) * s->kept.slot, h = step->h;
  /* `edge`: the end of the region of stability on the negative real axis */
  double rate = 0, distance = 0;
  const double edge = s->tableau->edge;
  if (edge == 0 || m->run->equal || m->run->repeats)
    return GRADYN_OK;
  /* |k(z') - k(z_s)|/|z' - z_s| ~ |df/dz| */
  for (int i = 0; i < rates->nz; i++) {
    double dk = step->to[rates->rates + i] - last[rates->rates + i];
    double dz = step->to[rates->position[i]] - last[rates->position[i]];
    rate += dk * dk;
    distance += dz * dz;
  }
  gradyn_onestep_control *c = &s->control;
  bool stiff = distance > 0 && h * sqrt(rate / distance) > edge;
  c->clear = stiff ? 0 : c->clear + 1;
  c->stiff = stiff ? c->stiff + 1 : c->clear >= CLEAR_IN_A_ROW ? 0 : c->stiff;
  const double whole = gradyn_onestep_duration(s);
  if (c->stiff < STIFF_IN_A_ROW || whole <= BEARABLE_STEPS * h)
    return GRADYN_OK;
  return gradyn_fail(&s->model->message, GRADYN_STIFF,
                     "the motion is stiff around t = %g s: stability limits steps to %.2g s; the "
                     "whole run would take %.3g steps. Take the method radau, idas or ali3p",
                     step->t, h, whole / h);
}

/* Ends a run whose last CREEPING steps, in one arc, cover almost nothing of the run. The message names the
 * cause. */
static gradyn_status observe_creep(gradyn_monitor *m, const gradyn_observed *step)
{
  gradyn_onestep *s = m->run->integrator;
  const int last = s->count - 1, first = last - CREEPING;
  if (m->run->equal || m->run->repeats || first < 0 || s->count % CREEPING != 0 ||
      s->step[first].arc != s->step[last].arc)
    return GRADYN_OK;
  double t = step->t + step->h, covered = t - s->step[first].t;
  if (covered > creep * gradyn_onestep_duration(s))
    return GRADYN_OK;
  GRADYN_TRY(s->rates->ops->creep ? s->rates->ops->creep(s->rates, t, step->to) : GRADYN_OK);
  return gradyn_fail(&s->model->message, GRADYN_NOT_CONVERGED,
                     "the run makes almost no progress at t = %.9g s: its last %d steps cover %.2g "
                     "s. A force jumps or grows without bound, or the tolerance is too tight",
                     t, CREEPING, covered);
}

static const gradyn_monitor_ops drift = {.on[GRADYN_ON_NODE] = observe_drift};
static const gradyn_monitor_ops path = {.on[GRADYN_ON_NODE] = observe_path};
static const gradyn_monitor_ops stiffness = {.on[GRADYN_ON_STEP] = observe_stiffness};
static const gradyn_monitor_ops creeping = {.on[GRADYN_ON_STEP] = observe_creep};
const gradyn_monitor_ops *const gradyn_onestep_monitors[] = {&drift, &path, &stiffness, &creeping,
                                                             NULL};
