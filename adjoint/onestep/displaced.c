/* Displaced stages of a run by a one-step method: each is moved along its tangent. */
#include "adjoint/onestep/displaced.h"

#include <math.h>
#include <string.h>

#include "adjoint/onestep/jumps.h"
#include "adjoint/onestep/sweeps.h"
#include "dae/onestep/pieces.h"

/* --- tangents ------------------------------------------------------------------------------------ */

/* Stores the tangents of boundary times, and of the functionals before their outer functions, which follow
 * from dpsi = slope d(inner) + end_bar dt_end. */
static void store_sums(gradyn_onestep_sweeps *s, const double *gradient)
{
  const gradyn_onestep *run = s->march;
  gradyn_displaced *d = &s->displaced;
  const int last = run->arcs.count;
  int stride;
  for (int b = 0; b <= last; b++)
    memcpy(d->boundary + (size_t)b * gradyn_displaced_width(d, 1),
           s->boundary + (size_t)b * gradyn_displaced_width(d, 1),
           gradyn_displaced_width(d, 1) * sizeof *d->boundary);
  for (int f = 0; f < run->nf; f++)
    for (int c = 0; c < d->columns && s->slope[f] != 0; c++) {
      const double *end = gradyn_displaced_column(
          d, d->boundary + (size_t)last * gradyn_displaced_width(d, 1), 1, c, &stride);
      d->inner[f * d->columns + c] = (gradient[f * d->columns + c] - s->end_bar[f] * *end) /
                                     s->slope[f];
    }
}

gradyn_status gradyn_onestep_tangents(void *sweeps, const gradyn_directions *directions,
                                      bool *stored, double *psi, double *gradient)
{
  gradyn_onestep_sweeps *s = sweeps;
  s->displaced.storing = true;
  const gradyn_status status = gradyn_onestep_direct(s, directions, psi, gradient);
  s->displaced.storing = false;
  *stored = s->march->kept.steps >= s->march->count;
  if (status == GRADYN_OK)
    store_sums(s, gradient);
  return status;
}

/* --- displacement -------------------------------------------------------------------------------- */

/* A displacement by `step` along the direction `column`. */
typedef struct shift {
  int column;
  double step;
} shift;

/* Computes out [count] = from + step times a column of the tangents. */
static void displace(const gradyn_displaced *d, shift by, const double *from,
                     const gradyn_lanes *tangent, int count, double *out)
{
  int stride;
  const double *along = gradyn_displaced_column(d, tangent, count, by.column, &stride);
  for (int i = 0; i < count; i++)
    out[i] = from[i] + by.step * along[i * stride];
}

/* Displaces stage i of step k. If derivatives of the system also read intermediate results, computes these
 * again at the displaced state. */
static gradyn_status displace_stage(gradyn_onestep_sweeps *s, int k, int i, shift by,
                                    const double *from, double *stage, bool complete)
{
  gradyn_onestep *run = s->march;
  gradyn_rates *rates = run->rates;
  const double t = run->step[k].t + run->tableau->c[i] * run->step[k].h;
  int stride;
  const double *along = gradyn_displaced_stage(s, k, i, by.column, &stride);
  for (int j = 0; j < rates->seen; j++)
    stage[j] = from[j] + by.step * along[j * stride];
  if (!complete || rates->record == rates->seen)
    return GRADYN_OK;
  gradyn_rates_gather(rates, stage, run->trial);
  return rates->ops->stage(rates, t, run->trial, from, stage);
}

/* Displaces the stages of step k, and projects its displaced end. */
static gradyn_status displace_step(gradyn_onestep_sweeps *s, int k, shift by)
{
  gradyn_onestep *run = s->march;
  gradyn_displaced *d = &s->displaced;
  const gradyn_rates *rates = run->rates;
  const gradyn_tableau *tableau = run->tableau;
  const size_t block = gradyn_onestep_block(run);
  double *from = run->kept.stages + (size_t)k * block, *stages = d->stages + (size_t)k * block;
  const bool first = gradyn_onestep_begins_arc(run, k);
  gradyn_onestep_step *now = &run->step[k];
  displace(d, by, &d->t[k], d->time + (size_t)k * gradyn_displaced_width(d, 1), 1, &now->t);
  displace(d, by, &d->h[k], d->length + (size_t)k * gradyn_displaced_width(d, 1), 1, &now->h);
  if (first) {
    gradyn_onestep_enter(run, now->arc);
    GRADYN_TRY(displace_stage(s, k, 0, by, from, stages, true));
  } else { /* the stage at the end of the previous step */
    memcpy(stages, stages - block + (size_t)(run->kept.slots - 1) * run->kept.slot,
           run->kept.slot * sizeof *stages);
  }
  for (int i = 1; i < tableau->stages; i++)
    GRADYN_TRY(displace_stage(s, k, i, by, gradyn_onestep_stage(run, from, i),
                              gradyn_onestep_stage(run, stages, i), run->scheme->reads_records));
  /* z* = z + h sum b_i k_i, and its tangent */
  gradyn_onestep_combine(run, d->h[k], tableau->b, tableau->stages,
                         run->z + (size_t)k * (size_t)rates->nz, from, run->y);
  displace(d, by, run->y, d->end + (size_t)k * gradyn_displaced_width(d, rates->nz), rates->nz,
           run->y);
  return gradyn_onestep_end(run, now->t + now->h, stages);
}

/* Checks that the run has the same arcs with the displaced data. */
static gradyn_status check_arcs(const gradyn_onestep *run, gradyn_arcs *arcs)
{
  GRADYN_TRY(gradyn_onestep_find_arcs(run->model, true, arcs));
  if (arcs->count == run->arcs.count)
    return GRADYN_OK;
  return gradyn_fail(
      &run->model->message, GRADYN_UNSUPPORTED,
      "the stored stages belong to %d arcs between knots and given times, but the displaced data "
      "have %d arcs. Separate knots that coincide",
      run->arcs.count, arcs->count);
}

/* Copies times and inner values of the run to *d, or back. */
static void exchange_times(gradyn_onestep *run, gradyn_displaced *d, bool back)
{
  for (int k = 0; k < run->count; k++) {
    *(back ? &run->step[k].t : &d->t[k]) = back ? d->t[k] : run->step[k].t;
    *(back ? &run->step[k].h : &d->h[k]) = back ? d->h[k] : run->step[k].h;
  }
  for (int b = 0; b <= run->arcs.count; b++)
    *(back ? &run->arcs.boundary[b].t : &d->b[b]) = back ? d->b[b] : run->arcs.boundary[b].t;
  memcpy(back ? run->inner : d->sum, back ? d->sum : run->inner,
         (size_t)run->nf * sizeof *run->inner);
}

/* Displaces times, values and stages of the run, then sweeps back. */
static gradyn_status sweep(gradyn_onestep_sweeps *s, const double *weight, shift by,
                           const bool *active, double *x_bar)
{
  gradyn_onestep *run = s->march;
  gradyn_displaced *d = &s->displaced;
  double *kept = run->kept.stages;
  gradyn_onestep_enter(run, 0);
  GRADYN_TRY(run->rates->ops->start(run->rates, run->y));
  for (int b = 0; b <= run->arcs.count; b++)
    displace(d, by, &d->b[b], d->boundary + (size_t)b * gradyn_displaced_width(d, 1), 1,
             &run->arcs.boundary[b].t);
  for (int f = 0; f < run->nf; f++)
    run->inner[f] += by.step * d->inner[f * d->columns + by.column];
  for (int k = 0; k < run->count; k++)
    GRADYN_TRY(displace_step(s, k, by));
  run->kept.stages = d->stages;
  const gradyn_status status = gradyn_onestep_adjoint_of_sum(s, weight, active, x_bar);
  run->kept.stages = kept;
  return status;
}

gradyn_status gradyn_onestep_displaced(void *sweeps, const double *weight, int column, double step,
                                       const bool *active, double *x_bar)
{
  gradyn_onestep_sweeps *s = sweeps;
  GRADYN_TRY(check_arcs(s->march, &s->displaced.arcs));
  exchange_times(s->march, &s->displaced, false);
  const gradyn_status status = sweep(s, weight, (shift){column, step}, active, x_bar);
  exchange_times(s->march, &s->displaced, true);
  return status;
}
