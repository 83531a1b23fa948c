/* Maxima over time for methods with adaptive steps: psi = max g(t) = g(t*). Where g_t = 0, the derivative
 * of psi is that of g at constant t*, because the movement of t* has no effect. At an end of the run, or at
 * one side of an event, the maximum is a terminal part that moves with this time. At a knot t_k(x) of a
 * signal, where g has a kink or jumps,
 *     dpsi = dg at constant t_k + (dg/dt) dt_k,
 * with the rate on the side of the maximum. A first run locates t*. Later runs and sweeps then evaluate a
 * functional at this time. */
#include "adjoint/gradient/cases.h"
#include "adjoint/gradient/maxima.h"

#include <math.h>
#include <stdlib.h>

#include "adjoint/extremes/extremes.h"
#include "adjoint/gradient/gradient.h"
#include "core/model/limit.h"
#include "core/problems/fit.h"
#include "core/model/same_time.h"
#include "dae/events/arcs.h"

/* If a signal jumps and g is larger after the jump, g is evaluated later by this share of the run. Its
 * value is then corrected by its rate. Its derivatives are those at the later time. */
static const double behind_jump = 1e-9;

double gradyn_maxima_behind(double t, double t_end)
{
  return fmin(t + behind_jump * t_end, (t + t_end) / 2);
}

/* Returns whether the times of some maxima are not known yet. */
static bool any_left(const gradyn_model *model)
{
  for (int k = 0; k < model->functional_count; k++)
    if (model->functional[k].maximum && !model->functional[k].ride.found)
      return true;
  return false;
}

const gradyn_event_record *gradyn_maxima_event_at(const gradyn_model *model, double t, bool last)
{
  const gradyn_event_record *found = NULL;
  for (int i = 0; i < model->log.count; i++)
    if (model->log.record[i].t == t && (!found || last))
      found = &model->log.record[i];
  return found;
}

/* Returns the time of another functional if it is the same as t up to round-off, otherwise t itself. One
 * node then serves both. */
static double share_instant(const gradyn_model *model, double t)
{
  for (int k = 0; k < model->functional_count; k++) {
    const double other = model->functional[k].instant;
    if (other > 0 && gradyn_model_same_time(model, other, t))
      return other;
  }
  return t;
}

/* If a maximum is at an end of its window, stores that its time remains a constant share of the run. */
static void ride_window(const gradyn_model *model, gradyn_functional_entry *f, double t)
{
  const double t_end = model->x[model->t_end], ends[] = {f->along.from, f->along.to};
  for (int k = 0; k < 2 && f->along.to > 0; k++)
    if (gradyn_model_same_time(model, ends[k] * t_end, t)) {
      f->ride.fraction = ends[k];
      f->ride.start = -1;
      f->ride.end = model->t_end;
    }
}

/* If a maximum is at a knot, stores that its time moves with the knot. */
static void ride(const gradyn_model *model, gradyn_functional_entry *f, const gradyn_arcs *arcs,
                 const gradyn_summit *summit)
{
  const double t = summit->extreme.t;
  f->ride.rate = summit->rate;
  f->ride.late = f->instant - t;
  ride_window(model, f, t);
  for (int k = 0; k <= arcs->count; k++) {
    const gradyn_boundary *b = &arcs->boundary[k];
    if (!gradyn_model_same_time(model, b->t, t))
      continue;
    f->ride.fraction = b->fraction;
    f->ride.start = b->start;
    f->ride.end = b->end;
  }
}

/* Replaces a maximum by a functional that is evaluated at the time of this maximum. */
static void position(gradyn_model *model, gradyn_functional_entry *f, const gradyn_arcs *arcs,
                     const gradyn_summit *summit, double end)
{
  const double t = summit->extreme.t;
  const bool behind = summit->part == GRADYN_PART_START;
  const gradyn_event_record *event = summit->part == GRADYN_PART_INSIDE
                                         ? NULL
                                         : gradyn_maxima_event_at(model, t, behind);
  gradyn_maximum_forget(f);
  f->ride.found = true;
  if (event) {
    f->which = event->occurrence;
    f->event = event->event;
    f->side = behind ? GRADYN_AFTER : GRADYN_BEFORE;
  } else if (!gradyn_model_later(model, t, gradyn_model_start(model))) {
    f->from_start = true;
  } else if (gradyn_model_later(model, end, t)) {
    f->instant = share_instant(model, behind ? gradyn_maxima_behind(t, end) : t);
    if (summit->part != GRADYN_PART_INSIDE)
      ride(model, f, arcs, summit);
  }
  /* otherwise the functional is evaluated at the end of the run */
}

/* Locates the maxima of the last run, and stores their values in psi (NULL: not requested). Sets *all to
 * whether every maximum has a value. */
static gradyn_status locate(gradyn_evaluator *ev, const gradyn_trajectory *trajectory, double *psi,
                            bool *all)
{
  gradyn_model *model = ev->model;
  const size_t nf = (size_t)model->functional_count;
  FREED gradyn_summit *summit = calloc(nf + 1, sizeof *summit);
  LOCAL(gradyn_arcs) arcs = {0};
  double end = 0;
  *all = true;
  GRADYN_TRY(summit ? gradyn_arcs_find(model, GRADYN_KINKS, &arcs) : GRADYN_NO_MEMORY);
  GRADYN_TRY(gradyn_find_summits(ev, ev->method->integration.onestep ? NULL : trajectory, false,
                                 &end, summit));
  for (size_t k = 0; k < nf; k++) {
    if (!model->functional[k].maximum)
      continue;
    position(model, &model->functional[k], &arcs, &summit[k], end);
    *all = *all && isfinite(summit[k].extreme.value);
    if (psi)
      psi[k] = summit[k].extreme.value;
  }
  return GRADYN_OK;
}

/* Runs, and locates the maxima. */
static gradyn_status run_and_locate(gradyn_evaluator *ev, double *psi,
                                    gradyn_trajectory *trajectory)
{
  bool all;
  GRADYN_TRY(ev->method->simulate(ev->run, psi, trajectory));
  GRADYN_TRY(locate(ev, trajectory, psi, &all));
  /* a function that has no value makes this run fail at the time where it is evaluated */
  return all ? GRADYN_OK : ev->method->simulate(ev->run, psi, trajectory);
}

/* Runs and locates the maxima, for a method that needs a trajectory for this. */
static gradyn_status record_and_locate(gradyn_evaluator *ev, double *psi)
{
  OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
  return trajectory ? run_and_locate(ev, psi, trajectory) : GRADYN_NO_MEMORY;
}

/* Simulates. If times of maxima are not known yet, locates the maxima of this run. */
static gradyn_status simulate(gradyn_evaluator *ev, double *psi, gradyn_trajectory *trajectory)
{
  if (psi && !ev->method->integration.fixed && any_left(ev->model))
    return trajectory || ev->method->integration.onestep ? run_and_locate(ev, psi, trajectory)
                                                         : record_and_locate(ev, psi);
  GRADYN_TRY(ev->method->simulate(ev->run, psi, trajectory));
  gradyn_maxima_correct_values(ev->model, psi);
  return GRADYN_OK;
}

gradyn_status gradyn_maxima_simulate(gradyn_evaluator *ev, double *psi,
                                     gradyn_trajectory *trajectory)
{
  GRADYN_TRY(simulate(ev, psi, trajectory));
  gradyn_fits_complete(ev->model, psi, NULL, 0);
  return GRADYN_OK;
}

gradyn_status gradyn_place_maxima(gradyn_evaluator *ev)
{
  if (ev->method->integration.fixed || !any_left(ev->model))
    return GRADYN_OK;
  return ev->method->integration.onestep ? run_and_locate(ev, NULL, NULL)
                                         : record_and_locate(ev, NULL);
}

void gradyn_maxima_correct_values(const gradyn_model *model, double *psi)
{
  for (int f = 0; f < model->functional_count && psi; f++)
    psi[f] -= model->functional[f].ride.rate * model->functional[f].ride.late;
}

/* Returns whether a maximum moves with a knot; *b: the boundary there. */
static bool rides(const gradyn_functional_entry *f, gradyn_boundary *b)
{
  *b = (gradyn_boundary){.fraction = f->ride.fraction, .start = f->ride.start, .end = f->ride.end};
  return f->maximum && f->ride.rate != 0 && !f->skipped;
}

void gradyn_maxima_add_adjoints(const gradyn_model *model, double *x_bar)
{
  gradyn_boundary b;
  for (int f = 0; f < model->functional_count; f++)
    if (rides(&model->functional[f], &b)) /* the knot moves: x_bar += (dg/dt) dt_k/dx */
      gradyn_boundary_transposed(&b, model->functional[f].ride.rate, x_bar + f * model->nx);
}

void gradyn_maxima_add_tangents(const gradyn_model *model, const gradyn_directions *d,
                                double *gradient)
{
  gradyn_boundary b;
  for (int f = 0; f < model->functional_count; f++)
    for (int j = 0; j < d->count && rides(&model->functional[f], &b); j++)
      for (int e = d->start[j]; e < d->start[j + 1]; e++) {
        const double share = (d->index[e] == b.start ? 1 - b.fraction : 0) +
                             (d->index[e] == b.end ? b.fraction : 0);
        gradient[f * d->count + j] += model->functional[f].ride.rate * share * d->value[e];
      }
}

/* --- extremes of a run --- */

gradyn_status gradyn_evaluator_extremes(gradyn_evaluator *ev, const double *rho,
                                        gradyn_extreme *extreme)
{
  GRADYN_TRY(gradyn_evaluator_begin(ev, rho, extreme, "extreme"));
  if (ev->load.all)
    return gradyn_cases_extremes(ev, rho, extreme);
  const size_t nf = gradyn_functional_count(ev);
  double end;
  OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
  FREED gradyn_summit *summit = calloc(nf + 1, sizeof *summit);
  if (!trajectory || !summit)
    return gradyn_evaluator_report(ev, GRADYN_NO_MEMORY);
  GRADYN_TRY(gradyn_evaluator_simulate(ev, rho, NULL, trajectory));
  GRADYN_TRY(gradyn_evaluator_report(
      ev, gradyn_find_summits(ev, ev->method->integration.onestep ? NULL : trajectory, true, &end,
                              summit)));
  for (size_t f = 0; f < nf; f++)
    extreme[f] = summit[f].extreme;
  return GRADYN_OK;
}
