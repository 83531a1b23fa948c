/* The direct sweep of a one-step method, in lanes of directions. The scheme computes derivatives dk_i of
 * the rates at the stages of a step. Then dz* = dz + h sum b_i dk_i + dh sum b_i k_i. */
#include "adjoint/onestep/jumps.h"
#include "adjoint/onestep/kinks.h"
#include "dae/onestep/pieces.h"
#include "adjoint/tangents.h"

#include <math.h>
#include <string.h>

#include "core/base/clock.h"

/* After changes of data: computes the parts of the derivatives of rates that depend on data only. */
static void make_ready(gradyn_onestep_sweeps *s)
{
  gradyn_rates *rates = s->march->rates;
  for (int pack = 0; pack < s->b.packs && rates->readies > 0; pack++) {
    const gradyn_rates_change d = gradyn_batch_change(&s->b, pack, NULL);
    rates->ops->ready(rates, gradyn_batch_columns(&s->b, pack), &d,
                      gradyn_batch_ready(&s->b, pack));
  }
}

/* Computes the changes of a stage at a fixed time. If its node moves by dt, they are those at the state
 * change dz - z' dt. Overwrites the changes of the first stage, which are no longer needed. */
static gradyn_status stay(gradyn_onestep_sweeps *s, int pack, const double *stage,
                          const gradyn_batch_entry *dt)
{
  gradyn_rates *rates = s->march->rates;
  const int lanes = gradyn_batch_lanes(&s->b, pack);
  const gradyn_lanes *dz = gradyn_batch_state(&s->b, pack);
  const gradyn_rates_change d = gradyn_batch_change(&s->b, pack, NULL);
  memcpy(s->b.work, dz, (size_t)(rates->nz * lanes) * sizeof *dz);
  gradyn_batch_add_moved(lanes, rates->nz, -1, stage + rates->rates, dt,
                         s->b.work); /* dz - z' dt */
  return rates->ops->tangent(rates, gradyn_batch_columns(&s->b, pack), s->b.work, &d,
                             gradyn_batch_stage(&s->b, pack, 0));
}

/* Returns whether the node at t is requested by the tangents. */
static bool is_looked_at(const gradyn_onestep_sweeps *s, double t)
{
  const gradyn_tangents *tangents = s->along.tangents;
  return tangents && gradyn_tangents_wants(tangents, t, gradyn_arcs_closest(s->march->model));
}

/* Records the linearised stage of the node at t in the tangents of all directions. share: position of the
 * node in the present step, from 0 to 1. */
static gradyn_status record(gradyn_onestep_sweeps *s, double share, double t, const double *stage)
{
  gradyn_tangents *tangents = s->along.tangents;
  const gradyn_rates *rates = s->march->rates;
  /* the state itself, then a column for each direction */
  GRADYN_TRY(gradyn_onestep_record(s->march, t, stage, tangents->states));
  tangents->next++;
  for (int pack = 0; pack < s->b.packs; pack++) {
    /* numbers of each state in a group of lanes */
    const int width = GRADYN_LANES * gradyn_batch_lanes(&s->b, pack);
    const gradyn_batch_entry dt = gradyn_batch_time(&s->b, pack, share);
    /* derivatives at a fixed time, although the node moves */
    GRADYN_TRY(stay(s, pack, stage, &dt));
    for (int j = 0; j < gradyn_batch_columns(&s->b, pack); j++) {
      const double *dstage = (const double *)gradyn_batch_stage(&s->b, pack, 0) + j;
      for (int i = 0; i < rates->ny; i++)
        tangents->dy[i] = dstage[i * width];
      for (int i = 0; i < rates->nz; i++) /* rates of algebraic states remain zero */
        tangents->dyp[rates->position[i]] = dstage[(rates->rates + i) * width];
      GRADYN_TRY(gradyn_tangents_add(tangents, pack * GRADYN_LANES * s->b.lanes + j, tangents->dy,
                                     tangents->dyp));
    }
  }
  return GRADYN_OK;
}

/* Records the start of an arc. */
static gradyn_status record_start(gradyn_onestep_sweeps *s, const gradyn_onestep_position *at)
{
  gradyn_rates *rates = s->march->rates;
  const double *stage = gradyn_onestep_stage(s->march, at->stages, 0);
  GRADYN_TRY(rates->ops->linearise(rates, at->t, stage));
  return record(s, 0, at->t, stage);
}

/* Propagates dz from the start of a step to its end, and through the projection there. The rates must be
 * linearised at the end. */
static gradyn_status reach_end(gradyn_onestep_sweeps *s, const gradyn_onestep_position *at)
{
  gradyn_onestep *march = s->march;
  gradyn_rates *rates = march->rates;
  for (int pack = 0; pack < s->b.active; pack++) {
    gradyn_lanes *dz = gradyn_batch_state(&s->b, pack);
    const gradyn_batch_entry dt = gradyn_batch_time(&s->b, pack, at->share);
    const gradyn_rates_change d = gradyn_batch_change(&s->b, pack, s->b.moving ? dt.lane : NULL);
    gradyn_batch_combine(&s->b, at, pack, march->tableau->b, march->tableau->stages, dz);
    gradyn_displaced_store_end(s, at->k, pack);
    if (rates->ops->arrive_tangent)
      GRADYN_TRY(rates->ops->arrive_tangent(rates, gradyn_batch_columns(&s->b, pack),
                                            gradyn_onestep_arrival_numbers(march, at->stages), &d,
                                            dz));
  }
  return GRADYN_OK;
}

/* Computes dz at the end of a step, and records it if requested. */
static gradyn_status arrive(gradyn_onestep_sweeps *s, const gradyn_onestep_position *at)
{
  gradyn_rates *rates = s->march->rates;
  const double t = at->t + at->h,
               *arrival = gradyn_onestep_stage(s->march, at->stages, s->march->kept.slots - 1);
  const bool looked_at = is_looked_at(s, t);
  if (looked_at || rates->ops->arrive_tangent)
    GRADYN_TRY(rates->ops->linearise(rates, t, arrival));
  GRADYN_TRY(reach_end(s, at));
  return looked_at ? record(s, at->share, t, arrival) : GRADYN_OK;
}

/* Adds the changes of the functionals that are evaluated at the sample in record k. */
static gradyn_status sample_along(void *sweeps, int k)
{
  gradyn_onestep_sweeps *s = sweeps;
  gradyn_rates *rates = s->march->rates;
  gradyn_sample at;
  if (!gradyn_tape_sample_counts(&s->march->tape, k))
    return GRADYN_OK;
  GRADYN_TRY(gradyn_onestep_sampled(s->march, k, &at));
  GRADYN_TRY(rates->ops->linearise(rates, at.t, at.y));
  for (int pack = 0; pack < s->b.packs; pack++) {
    const gradyn_batch_entry dt = gradyn_batch_time(&s->b, pack, 0);
    const gradyn_rates_change d = gradyn_batch_change(&s->b, pack, s->b.moving ? dt.lane : NULL);
    GRADYN_TRY(rates->ops->tangent(rates, gradyn_batch_columns(&s->b, pack),
                                   gradyn_batch_state(&s->b, pack), &d,
                                   gradyn_batch_stage(&s->b, pack, s->march->kept.slots - 1)));
    gradyn_displaced_store_sample(s, k, pack);
    GRADYN_TRY(s->b.moving ? stay(s, pack, at.y, &dt) : GRADYN_OK);
  }
  return gradyn_direct_terminals(s, k, &at);
}

/* Propagates dz across the event at a boundary. */
static gradyn_status jump_along(void *sweeps, int boundary)
{
  gradyn_onestep_sweeps *s = sweeps;
  gradyn_onestep *march = s->march;
  const gradyn_passed_event *jump = gradyn_onestep_event_at(march, boundary);
  /* dz after the event, by the impact; dpsi of impulses */
  GRADYN_TRY(gradyn_onestep_jump_along(s, boundary, s->b.columns, s->along.gradient));
  make_ready(s); /* an event may latch data of the next arc */
  if (boundary < march->arcs.count || !is_looked_at(s, jump->record.t))
    return GRADYN_OK; /* an arc follows, which records this node */
  GRADYN_TRY(march->rates->ops->linearise(march->rates, jump->record.t, jump->y[1]));
  return record(s, 0, jump->record.t, jump->y[1]);
}

/* Returns the next position to record inside a step, as a share of its length; 0: none. It is a requested
 * time or, if no times are requested, the next of equal parts after `position`. */
static double next_inside(const gradyn_onestep_sweeps *s, const gradyn_tangents *tangents,
                          const gradyn_onestep_position *whole, double position)
{
  const double near = gradyn_arcs_closest(s->march->model);
  const double part = 1.0 / s->march->step[whole->k].parts;
  if (!tangents->time)
    return position < 1 - part ? position + part : 0;
  const double t = gradyn_tangents_before(tangents, whole->t + whole->h, near);
  return isnan(t) ? 0 : (t - whole->t) / whole->h;
}

/* Records the requested positions inside a step. Each position is the end of a shorter step from the same
 * start. */
static gradyn_status record_inside(gradyn_onestep_sweeps *s, const gradyn_onestep_position *whole)
{
  gradyn_onestep *march = s->march;
  size_t bytes = (size_t)(s->b.packs * s->b.lanes) * (size_t)march->rates->nz * sizeof *s->b.z;
  double position = next_inside(s, s->along.tangents, whole, 0);
  /* dz at the start, which each shorter step needs */
  if (position > 0)
    memcpy(s->kept, s->b.z, bytes);
  while (position > 0) {
    /* computes the stages of the shorter step */
    GRADYN_TRY(gradyn_model_cancelled(march->model, whole->t));
    gradyn_onestep_position at = *whole;
    at.h *= position;
    at.share *= position;
    GRADYN_TRY(gradyn_onestep_inside(march, at.k, position, whole->stages, &at.stages));
    GRADYN_TRY(s->march->scheme->along(&s->b, &at));
    GRADYN_TRY(arrive(s, &at));
    memcpy(s->b.z, s->kept, bytes);
    position = next_inside(s, s->along.tangents, whole, position);
  }
  return GRADYN_OK;
}

/* Computes the change of the length of a step that ends at an event. For this, the step is propagated once
 * with fixed length and, in a separate batch, with a change 1 of the length. The caller then propagates it
 * with the right length. */
static gradyn_status find_length(gradyn_onestep_sweeps *s, const gradyn_onestep_position *at)
{
  gradyn_rates *rates = s->march->rates;
  const double *arrival = gradyn_onestep_stage(s->march, at->stages, s->march->kept.slots - 1);
  const int entries = s->b.packs * s->b.lanes, nz = rates->nz;
  memcpy(s->kept, s->b.z, (size_t)(entries * nz) * sizeof *s->b.z);
  s->b.active = s->b.packs + 1;
  gradyn_lanes_clear(nz, gradyn_batch_state(&s->b, s->b.packs));
  s->b.node.time[entries] = (gradyn_lanes){0};
  s->b.node.length[entries] = (gradyn_lanes){1};
  GRADYN_TRY(s->march->scheme->along(&s->b, at));
  if (rates->ops->arrive_tangent)
    GRADYN_TRY(rates->ops->linearise(rates, at->t + at->h, arrival));
  GRADYN_TRY(reach_end(s, at));
  GRADYN_TRY(gradyn_onestep_root_along(s, at->k, s->b.columns));
  s->b.active = s->b.packs;
  memcpy(s->b.z, s->kept, (size_t)(entries * nz) * sizeof *s->b.z);
  return GRADYN_OK;
}

/* Sets the changes of the time of the node at the start of a step, and of the step's length. If an event
 * ends the step, sets the change of its time. */
static gradyn_status begin_step(gradyn_onestep_sweeps *s, const gradyn_onestep_position *at)
{
  const gradyn_onestep *march = s->march;
  const gradyn_onestep_step *step = &march->step[at->k];
  const int entries = s->b.packs * s->b.lanes;
  gradyn_lanes *b0 = s->boundary + step->arc * entries, *b1 = b0 + entries;
  if (gradyn_onestep_begins_arc(march, at->k))
    memcpy(s->b.node.time, b0, (size_t)entries * sizeof *b0);
  gradyn_length_along(&(gradyn_length){step->law, step->share}, entries * GRADYN_LANES,
                      (const double *const[2]){(double *)b0, (double *)b1},
                      (double *)s->b.node.time, (double *)s->b.node.length);
  if (step->law != GRADYN_LENGTH_EVENT)
    return GRADYN_OK;
  GRADYN_TRY(find_length(s, at));
  for (int i = 0; i < entries; i++)
    b1[i] = s->b.node.time[i] + s->b.node.length[i];
  return GRADYN_OK;
}

/* Propagates all directions through step k: stages, integrands, and the projection at its end. */
static gradyn_status step_along(void *sweeps, int k)
{
  gradyn_onestep_sweeps *s = sweeps;
  gradyn_onestep *march = s->march;
  gradyn_onestep_position at = {.k = k, .t = march->step[k].t, .h = march->step[k].h, .share = 1};
  GRADYN_TRY(gradyn_onestep_stages(march, k, &at.stages));
  if (s->b.moving)
    GRADYN_TRY(begin_step(s, &at));
  gradyn_onestep_corners_begin_each(s);
  /* the first node of an arc; other nodes are recorded as ends of steps */
  if (gradyn_onestep_begins_arc(march, k) && is_looked_at(s, at.t))
    GRADYN_TRY(record_start(s, &at));
  if (s->along.tangents)
    GRADYN_TRY(record_inside(s, &at));
  GRADYN_TRY(s->march->scheme->along(&s->b, &at));
  gradyn_displaced_store_stages(s, k);
  for (int i = 0; i < march->tableau->stages; i++)
    GRADYN_TRY(gradyn_direct_integrands(s, &at, i));
  gradyn_onestep_corners_judge_each(s, k);
  GRADYN_TRY(gradyn_onestep_kinks_along(s, &at));
  GRADYN_TRY(arrive(s, &at));
  for (int i = 0; i < s->b.packs * s->b.lanes && s->b.moving; i++)
    s->b.node.time[i] += s->b.node.length[i];
  return GRADYN_OK;
}

static const gradyn_record_ops along = {step_along, jump_along, sample_along};

/* Copies column d to its lane: dx, dz of the initial state, and the changes of boundary times by dx. */
static void load_column(gradyn_onestep_sweeps *s, int d, const double *dz)
{
  gradyn_onestep *march = s->march;
  const int nx = march->model->nx, nz = march->rates->nz;
  const double *dx = s->b.dx + (size_t)d * (size_t)nx;
  int stride;
  gradyn_lane_put(dx, nx, d, s->b.side.x);
  for (int b = 0; b <= march->arcs.count; b++) {
    /* data may move the starts and ends of arcs */
    gradyn_lanes *boundary = s->boundary + b * s->b.packs * s->b.lanes;
    const double moves = gradyn_boundary_tangent(&march->arcs.boundary[b], dx);
    *gradyn_batch_column(&s->b, boundary, 1, d, &stride) = moves;
    s->b.moving = s->b.moving || moves != 0;
  }
  *gradyn_batch_column(&s->b, s->b.node.time, 1, d,
                       &stride) = gradyn_boundary_tangent(&march->arcs.boundary[0], dx);
  double *z = gradyn_batch_column(&s->b, s->b.z, nz, d, &stride);
  for (int i = 0; i < nz; i++)
    z[i * stride] = dz[i];
}

/* Reserves memory for columns. All changes of data are zero. */
static gradyn_status open_columns(gradyn_onestep_sweeps *s, int columns)
{
  const gradyn_onestep *march = s->march;
  const int lanes = gradyn_rates_columns(march->rates) / GRADYN_LANES;
  GRADYN_TRY(gradyn_onestep_sweeps_reserve(s, columns, lanes));
  const size_t size = (size_t)((s->b.packs + 1) * lanes) * (size_t)march->model->nx;
  s->b.moving = march->model->log.count > 0; /* with events, times depend on all data */
  memset(s->taken.y_bar, 0, (size_t)(march->nf * s->taken.row) * sizeof *s->taken.y_bar);
  memset(s->taken.used, 0, (size_t)march->nf * sizeof *s->taken.used);
  memset(s->taken.sum, 0, (size_t)(march->nf * s->b.packs * lanes) * sizeof *s->taken.sum);
  memset(s->b.dx, 0, size * GRADYN_LANES * sizeof *s->b.dx);
  memset(s->b.side.x, 0, size * sizeof *s->b.side.x);
  /* zeros for the batch of a change of length, which has no changes of data */
  if (march->rates->readies > 0)
    gradyn_lanes_clear(march->rates->readies,
                       s->b.ready + s->b.packs * lanes * march->rates->readies);
  return GRADYN_OK;
}

/* Sets the directions, and the changes of boundary times and of the initial state along them. */
static gradyn_status begin(gradyn_onestep_sweeps *s, const gradyn_directions *directions)
{
  gradyn_onestep *march = s->march;
  const size_t nx = (size_t)march->model->nx;
  double *dz = march->trial;
  gradyn_onestep_corners_forget(s);
  gradyn_onestep_kinks_begin(s);
  memset(s->x_bar, 0, (size_t)march->nf * nx * sizeof(double));
  for (int d = 0; d < directions->count; d++) {
    double *dx = s->b.dx + (size_t)d * nx;
    for (int e = directions->start[d]; e < directions->start[d + 1]; e++)
      dx[directions->index[e]] = directions->value[e];
    GRADYN_TRY(march->rates->ops->start_tangent(march->rates, dx, dz));
    load_column(s, d, dz);
  }
  make_ready(s);
  return GRADYN_OK;
}

/* Adds the contributions of stages, of explicit data, and of the end time to the gradient. */
static void finish(gradyn_onestep_sweeps *s, const gradyn_directions *directions, double *gradient)
{
  const gradyn_onestep *march = s->march;
  int nx = march->model->nx, stride;
  gradyn_lanes *end = s->boundary + march->arcs.count * s->b.packs * s->b.lanes;
  for (int f = 0; f < march->nf; f++)
    for (int d = 0; d < directions->count && !march->model->functional[f].skipped; d++) {
      double *sum = &gradient[f * directions->count + d];
      *sum += *gradyn_batch_column(&s->b, s->taken.sum + f * s->b.packs * s->b.lanes, 1, d,
                                   &stride);
      /* explicit derivatives: with respect to data, then to the end time */
      for (int e = directions->start[d]; e < directions->start[d + 1]; e++)
        *sum += s->x_bar[f * nx + directions->index[e]] * directions->value[e];
      *sum += s->end_bar[f] * *gradyn_batch_column(&s->b, end, 1, d, &stride);
    }
}

/* Runs once and sweeps forward once. The cost grows with the number of directions, in groups of four or
 * eight. */
gradyn_status gradyn_onestep_direct(void *sweeps, const gradyn_directions *directions, double *psi,
                                    double *gradient)
{
  gradyn_onestep_sweeps *s = sweeps;
  gradyn_onestep *march = s->march;
  double clock = gradyn_seconds();
  /* the run comes first, because slopes of outer functions need its integrals */
  GRADYN_TRY(gradyn_onestep_run(march, true, psi, NULL));
  GRADYN_TRY(gradyn_displaced_begin(s, directions->count));
  GRADYN_TRY(open_columns(s, directions->count));
  memset(gradient, 0, (size_t)march->nf * (size_t)directions->count * sizeof *gradient);
  gradyn_tape_slopes(&march->tape, &march->arcs, march->inner, s->slope, s->end_bar);
  /* begin with dz of the initial state */
  gradyn_onestep_enter(march, 0);
  GRADYN_TRY(begin(s, directions));
  s->along = (gradyn_onestep_along){directions->tangents, gradient};
  GRADYN_TRY(gradyn_tape_along(&march->tape, march->tape.count, &along, s));
  finish(s, directions, gradient);
  march->report.cost.time_gradient = gradyn_seconds() - clock;
  return GRADYN_OK;
}

/* Propagates the columns Z = dz through the first `records` records of the run, without functionals. dx
 * [columns][nx]: changes of data; NULL: none. */
gradyn_status gradyn_onestep_carry(gradyn_onestep_sweeps *s, int records, int columns,
                                   const double *dx, double *Z, double *dt)
{
  gradyn_onestep *march = s->march;
  gradyn_functional_entry *functional = march->model->functional;
  const size_t nx = (size_t)march->model->nx;
  const int nz = march->rates->nz;
  GRADYN_TRY(open_columns(s, columns));
  if (dx)
    memcpy(s->b.dx, dx, (size_t)columns * nx * sizeof(double));
  s->kinks.watched = false;
  for (int d = 0; d < columns; d++)
    load_column(s, d, Z + d * nz);
  make_ready(s);
  for (int f = 0; f < march->nf; f++) { /* functionals are not requested */
    s->row[f] = functional[f].skipped;
    functional[f].skipped = true;
  }
  s->along = (gradyn_onestep_along){0};
  const gradyn_status status = gradyn_tape_along(&march->tape, records, &along, s);
  for (int f = 0; f < march->nf; f++)
    functional[f].skipped = s->row[f];
  for (int d = 0; d < columns; d++) {
    int stride;
    const double *z = gradyn_batch_column(&s->b, s->b.z, nz, d, &stride);
    for (int i = 0; i < nz; i++)
      Z[d * nz + i] = z[i * stride];
    dt[d] = *gradyn_batch_column(&s->b, s->b.node.time, 1, d, &stride);
  }
  return status;
}
