/* Tangents of the stages of a run, stored by a direct sweep. */
#include <string.h>

#include "adjoint/onestep/sweeps.h"

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

/* Allocates the tangents and displaced stages of the present run. */
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

gradyn_status gradyn_displaced_begin(gradyn_onestep_sweeps *s, int columns)
{
  return s->displaced.storing ? take_memory(s, columns) : GRADYN_OK;
}

/* Returns the tangents of stage i of step k. Batches of one stage are not adjacent, but `slots` stages
 * apart. */
static const gradyn_lanes *slot_of(const gradyn_onestep_sweeps *s, int k, int i, int column)
{
  const gradyn_onestep *run = s->march;
  const gradyn_displaced *d = &s->displaced;
  const int seen = run->rates->seen, slots = run->kept.slots,
            pack = column / (GRADYN_LANES * d->lanes);
  /* gradyn_displaced_column() adds `pack` further slots */
  return d->stage + (size_t)k * gradyn_displaced_width(d, slots * seen) +
         (size_t)(d->lanes * seen) * (size_t)(pack * (slots - 1) + i);
}

const double *gradyn_displaced_stage(const gradyn_onestep_sweeps *s, int k, int i, int column,
                                     int *stride)
{
  return gradyn_displaced_column(&s->displaced, slot_of(s, k, i, column), s->march->rates->seen,
                                 column, stride);
}
