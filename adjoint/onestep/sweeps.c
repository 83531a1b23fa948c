/* Memory of the sweeps of a one-step method. It is large enough for the largest run so far, and later runs
 * use it again. */
#include "adjoint/onestep/sweeps.h"

#include <stdlib.h>
#include <string.h>

/* Reports the only possible failure of the creation of sweeps. */
static gradyn_status no_memory(const gradyn_onestep_sweeps *s)
{
  return gradyn_fail(&s->march->model->message, GRADYN_NO_MEMORY, "out of memory for a gradient");
}

/* Allocates the arrays whose lengths depend on the model alone. Arrays with lanes are allocated when the
 * number of rows or columns is known. */
gradyn_status gradyn_onestep_sweeps_create(gradyn_onestep *march, gradyn_onestep_sweeps *s)
{
  const size_t nf = (size_t)march->nf + 1, nx = (size_t)march->model->nx + 1,
               ny = (size_t)march->rates->ny + 1, nz = (size_t)march->rates->nz + 1;
  /* for kinks: all components of g_y, with groups of functionals in lanes */
  size_t slopes = (nf / GRADYN_LANES + 1) * ny;
  *s = (gradyn_onestep_sweeps){.b.run = march, .march = march};
  gradyn_arena *arena = &s->arena;
  s->row = gradyn_arena_take(arena, nf + GRADYN_LANES, sizeof(int));
  s->slope = gradyn_arena_numbers(arena, nf);
  s->end_bar = gradyn_arena_numbers(arena, nf);
  s->growth = gradyn_arena_numbers(arena, nf);
  s->reach = gradyn_arena_numbers(arena, nf);
  s->corner = gradyn_arena_numbers(arena, nf);
  s->steep.jump = gradyn_arena_numbers(arena, nf);
  s->steep.most = gradyn_arena_numbers(arena, nf);
  s->kinks.jump = gradyn_arena_numbers(arena, nf);
  s->kinks.most = gradyn_arena_numbers(arena, nf);
  s->kinks.tolerance = gradyn_arena_numbers(arena, nz);
  s->kinks.weight = gradyn_arena_numbers(arena, nz);
  s->kinks.dz = gradyn_arena_lanes(arena, nz);
  s->kinks.stage = gradyn_arena_lanes(arena, 2 * ((size_t)march->rates->seen + nz));
  s->kinks.none = gradyn_arena_lanes(arena, 2 * nx);
  s->kinks.x = gradyn_arena_numbers(arena, 2 * GRADYN_LANES * nx);
  s->steep.error = gradyn_arena_lanes(arena, slopes);
  s->steep.size = gradyn_arena_lanes(arena, slopes);
  s->taken.row = (march->rates->ny + GRADYN_LANES - 1) / GRADYN_LANES;
  s->taken.y_bar = gradyn_arena_lanes(arena, nf * (size_t)s->taken.row);
  s->taken.at = gradyn_arena_take(arena, nf * ny, sizeof(int));
  s->taken.used = gradyn_arena_take(arena, nf, sizeof(int));
  s->taken.bar = gradyn_arena_lanes(arena, slopes);
  s->x_bar = gradyn_arena_numbers(arena, (nf + 2 * GRADYN_LANES) * nx);
  s->b.side.active = gradyn_arena_take(arena, nx, sizeof(int));
  return gradyn_arena_status(arena) == GRADYN_OK ? GRADYN_OK : no_memory(s);
}

void gradyn_onestep_sweeps_clear(gradyn_onestep_sweeps *s)
{
  gradyn_arcs_clear(&s->displaced.arcs);
  gradyn_arena_clear(&s->displaced.arena);
  gradyn_arena_clear(&s->stagewise.run);
  gradyn_arena_clear(&s->stagewise.model);
  gradyn_arena_clear(&s->capacity.arena);
  gradyn_arena_clear(&s->arena);
  *s = (gradyn_onestep_sweeps){0};
}

/* Allocates arrays for this number of groups of lanes, and of boundaries. */
static gradyn_status take(gradyn_onestep_sweeps *s, int lanes, int boundaries)
{
  const gradyn_rates *rates = s->march->rates;
  /* groups of GRADYN_LANES functionals or directions side by side; one more for an event */
  size_t count = (size_t)lanes + 3, slots = (size_t)s->march->kept.slots;
  const size_t nx = (size_t)s->march->model->nx;
  /* a stage has the states that functionals read and the rates, or the state alone */
  size_t width = (size_t)(rates->seen > rates->nz ? rates->seen : rates->nz) + 1;
  gradyn_arena *arena = &s->capacity.arena;
  gradyn_arena_clear(arena);
  s->capacity.lanes = s->capacity.boundaries = 0;
  /* in lanes: states, stages, work, stored states, boundaries */
  s->b.z = gradyn_arena_lanes(arena, count * width);
  s->b.stage = gradyn_arena_lanes(arena, count * slots * width);
  s->b.work = gradyn_arena_lanes(arena, 2 * width);
  s->b.scratch_size = 2 * (slots + 2) * width;
  s->b.scratch = gradyn_arena_lanes(arena, count * s->b.scratch_size);
  s->kept = gradyn_arena_lanes(arena, count * width);
  s->boundary = gradyn_arena_lanes(arena, count * (size_t)boundaries);
  s->b.node.time = gradyn_arena_lanes(arena, count);
  s->b.node.length = gradyn_arena_lanes(arena, count);
  s->b.dx = gradyn_arena_numbers(arena, count * GRADYN_LANES * nx);
  s->b.side.x = gradyn_arena_lanes(arena, count * nx);
  s->b.side.kept = gradyn_arena_lanes(arena, count * (size_t)rates->sums);
  s->b.ready = gradyn_arena_lanes(arena, count * (size_t)rates->readies);
  s->taken.sum = gradyn_arena_lanes(arena, count * (size_t)s->march->nf);
  if (gradyn_arena_status(arena) != GRADYN_OK)
    return no_memory(s);
  s->capacity.lanes = lanes;
  s->capacity.boundaries = boundaries;
  return GRADYN_OK;
}

/* Grows if a run has more boundaries or columns. */
gradyn_status gradyn_onestep_sweeps_reserve(gradyn_onestep_sweeps *s, int columns, int lanes)
{
  const gradyn_rates *rates = s->march->rates;
  const int most = GRADYN_LANES * lanes, packs = (columns + most - 1) / most;
  const int capacity = packs * lanes, boundaries = s->march->arcs.count + 1;
  if (capacity > s->capacity.lanes || boundaries > s->capacity.boundaries)
    /* the number of groups and the number of boundaries never decrease */
    GRADYN_TRY(take(s, capacity > s->capacity.lanes ? capacity : s->capacity.lanes,
                    boundaries > s->capacity.boundaries ? boundaries : s->capacity.boundaries));
  s->b.columns = columns;
  s->b.packs = s->b.active = packs;
  s->b.lanes = lanes;
  memset(s->b.z, 0, (size_t)capacity * (size_t)rates->nz * sizeof *s->b.z);
  gradyn_lanes_clear(capacity, s->b.node.time);
  memset(s->boundary, 0, (size_t)capacity * (size_t)boundaries * sizeof *s->boundary);
  return GRADYN_OK;
}

void gradyn_onestep_sweeps_activate(gradyn_onestep_sweeps *s, const bool *active)
{
  const int nx = s->march->model->nx;
  s->b.side.actives = 0;
  for (int i = 0; i < nx; i++)
    if (!active || active[i])
      s->b.side.active[s->b.side.actives++] = i;
  memset(s->b.side.x, 0, (size_t)((s->b.packs + 1) * nx) * sizeof *s->b.side.x);
  memset(s->b.side.kept, 0,
         (size_t)((s->b.packs + 1) * s->march->rates->sums) * sizeof *s->b.side.kept);
}

/* Adds the adjoints of data of one batch to the rows of x_bar. */
static void gather(gradyn_onestep_sweeps *s, int pack, double *x_bar)
{
  gradyn_rates *rates = s->march->rates;
  const int nx = s->march->model->nx;
  const gradyn_rates_sums sums = gradyn_batch_sums(&s->b, pack, x_bar);
  if (sums.kept)
    rates->ops->settle(rates, sums.kept, sums.lanes);
  for (int k = 0; k < s->b.side.actives; k++) {
    const int i = s->b.side.active[k];
    for (int j = 0; j < gradyn_batch_columns(&s->b, pack); j++)
      sums.x[j * nx + i] += sums.lanes[i][j];
    sums.lanes[i] = (gradyn_lanes){0};
  }
}

void gradyn_onestep_gather(gradyn_onestep_sweeps *s, double *x_bar)
{
  for (int pack = 0; pack < s->b.active && s->march->rates->side_by_side; pack++)
    gather(s, pack, x_bar);
}
