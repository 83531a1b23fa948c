/* Displaced stages of a run by a one-step method. */
#include "adjoint/onestep/displaced.h"

#include <math.h>
#include <string.h>

#include "adjoint/onestep/jumps.h"
#include "adjoint/onestep/sweeps.h"
#include "dae/onestep/pieces.h"

/* --- tangents ------------------------------------------------------------------------------------ */

const double *gradyn_displaced_column(const gradyn_displaced *d, const gradyn_lanes *array,
                                      int count, int column, int *stride)
{
  const int most = GRADYN_LANES * d->lanes, pack = column / most, left = d->columns - pack * most;
  *stride = GRADYN_LANES * (int)gradyn_lanes_groups(left < most ? left : most);
  return (const double *)(array + (size_t)(pack * d->lanes) * (size_t)count) + column % most;
}

void gradyn_displaced_store_stages(gradyn_onestep_sweeps *s, int k)
{
  const gradyn_onestep *run = s->march;
  gradyn_displaced *d = &s->displaced;
  if (!d->storing)
    return;
  const size_t stages = gradyn_displaced_width(d, run->kept.slots * run->rates->seen),
               one = gradyn_displaced_width(d, 1);
  memcpy(d->stage + (size_t)k * stages, s->b.stage, stages * sizeof *d->stage);
  if (!s->b.moving)
    return;
  memcpy(d->time + (size_t)k * one, s->b.node.time, one * sizeof *d->time);
  memcpy(d->length + (size_t)k * one, s->b.node.length, one * sizeof *d->length);
}

void gradyn_displaced_store_end(gradyn_onestep_sweeps *s, int k, int pack)
{
  const int nz = s->march->rates->nz;
  gradyn_displaced *d = &s->displaced;
  if (d->storing)
    memcpy(d->end + (size_t)k * gradyn_displaced_width(d, nz) +
               (size_t)(pack * d->lanes) * (size_t)nz,
           gradyn_batch_state(&s->b, pack), (size_t)(nz * d->lanes) * sizeof *d->end);
}

void gradyn_displaced_store_sample(gradyn_onestep_sweeps *s, int k, int pack)
{
  const gradyn_onestep *run = s->march;
  const int seen = run->rates->seen;
  gradyn_displaced *d = &s->displaced;
  if (!d->storing)
    return;
  const size_t first = (size_t)(pack * d->lanes);
  memcpy(d->sample + (size_t)k * gradyn_displaced_width(d, seen) + first * (size_t)seen,
         gradyn_batch_stage(&s->b, pack, run->kept.slots - 1),
         (size_t)(seen * d->lanes) * sizeof *d->sample);
  memcpy(d->time_of_sample + (size_t)k * gradyn_displaced_width(d, 1) + first,
         s->b.node.time + pack * d->lanes, (size_t)d->lanes * sizeof *d->sample);
}

/* Allocates room for the tangents and displaced stages of the present run. */
static gradyn_status take_memory(gradyn_onestep_sweeps *s, int columns)
{
  const gradyn_onestep *run = s->march;
  gradyn_displaced *d = &s->displaced;
  const size_t steps = gradyn_displaced_room(run->count), boundaries = (size_t)run->arcs.count + 1,
               nf = (size_t)run->nf + 1, records = gradyn_displaced_room(run->tape.count);
  gradyn_arena *arena = &d->arena;
  gradyn_arena_rewind(arena);
  d->columns = columns;
  d->lanes = gradyn_rates_columns(run->rates) / GRADYN_LANES;
  d->packs = (columns + GRADYN_LANES * d->lanes - 1) / (GRADYN_LANES * d->lanes);
  d->stage = gradyn_arena_lanes(
      arena, steps * gradyn_displaced_width(d, run->kept.slots * run->rates->seen));
  d->end = gradyn_arena_lanes(arena, steps * gradyn_displaced_width(d, run->rates->nz));
  d->sample = gradyn_arena_lanes(arena, records * gradyn_displaced_width(d, run->rates->seen));
  d->time_of_sample = gradyn_arena_lanes(arena, records * gradyn_displaced_width(d, 1));
  d->time = gradyn_arena_lanes(arena, steps * gradyn_displaced_width(d, 1));
  d->length = gradyn_arena_lanes(arena, steps * gradyn_displaced_width(d, 1));
  d->boundary = gradyn_arena_lanes(arena, boundaries * gradyn_displaced_width(d, 1));
  d->inner = gradyn_arena_numbers(arena, nf * (size_t)columns);
  d->stages = gradyn_arena_numbers(arena, steps * gradyn_onestep_block(run));
  d->t = gradyn_arena_numbers(arena, steps);
  d->h = gradyn_arena_numbers(arena, steps);
  d->b = gradyn_arena_numbers(arena, boundaries);
  d->sum = gradyn_arena_numbers(arena, nf);
  return gradyn_arena_status(arena) == GRADYN_OK
             ? GRADYN_OK
             : gradyn_fail(&run->model->message, GRADYN_NO_MEMORY,
                           "out of memory for second derivatives");
}

/* Stores the tangents of the times of boundaries, and of the functionals before their outer functions:
 * dpsi = slope d(inner) + end_bar dt_end. */
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

gradyn_status gradyn_displaced_begin(gradyn_onestep_sweeps *s, int columns)
{
  return s->displaced.storing ? take_memory(s, columns) : GRADYN_OK;
}

/* --- displacement -------------------------------------------------------------------------------- */

/* A distance along a direction. */
typedef struct shift {
  int column;
  double step;
} shift;

/* out [count] = from + step times a column of the tangents. */
static void displace(const gradyn_displaced *d, shift by, const double *from,
                     const gradyn_lanes *tangent, int count, double *out)
{
  int stride;
  const double *along = gradyn_displaced_column(d, tangent, count, by.column, &stride);
  for (int i = 0; i < count; i++)
    out[i] = from[i] + by.step * along[i * stride];
}

/* Batches of the stages of a step are not adjacent. */
static const gradyn_lanes *slot_of(const gradyn_onestep_sweeps *s, int k, int i, int column)
{
  const gradyn_onestep *run = s->march;
  const gradyn_displaced *d = &s->displaced;
  const int seen = run->rates->seen, slots = run->kept.slots,
            pack = column / (GRADYN_LANES * d->lanes);
  /* gradyn_displaced_column() adds the length of `pack` batches of one slot each */
  return d->stage + (size_t)k * gradyn_displaced_width(d, slots * seen) +
         (size_t)(d->lanes * seen) * (size_t)(pack * (slots - 1) + i);
}

const double *gradyn_displaced_stage(const gradyn_onestep_sweeps *s, int k, int i, int column,
                                     int *stride)
{
  return gradyn_displaced_column(&s->displaced, slot_of(s, k, i, column), s->march->rates->seen,
                                 column, stride);
}

/* Displaces stage i of step k. A system whose derivatives also read intermediate results computes these
 * again at the displaced state. */
static gradyn_status displace_stage(gradyn_onestep_sweeps *s, int k, int i, shift by,
                                    const double *from, double *stage, bool complete)
{
  gradyn_onestep *run = s->march;
  gradyn_rates *rates = run->rates;
  const double t = run->step[k].t + run->tableau->c[i] * run->step[k].h;
  displace(&s->displaced, by, from, slot_of(s, k, i, by.column), rates->seen, stage);
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

/* The displaced data must have the arcs of the run. */
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

/* Copies times and values of the run to *d, or back. */
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

/* Displaces everything, then sweeps back. */
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
