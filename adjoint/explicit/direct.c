/* The direct sweep of an explicit method: derivatives of all stages of a step, in lanes of directions,
 *     dZ_i = dz + h sum a_ij dk_j + dh sum a_ij k_j,   dz* = dz + h sum b_i dk_i + dh sum b_i k_i. */
#include "adjoint/explicit/jumps.h"
#include "dae/explicit/pieces.h"
#include "adjoint/tangents.h"

#include <string.h>

#include "core/base/clock.h"

/* The step in hand, or a part of one. */
typedef struct position {
  int k;
  double t, h;
  double start, share; /* over the length of its arc */
  double *stages;
} position;

/* Directions in a pack. */
static int columns_of(const gradyn_directions *directions, int pack)
{
  int left = directions->count - pack * GRADYN_LANES;
  return left < GRADYN_LANES ? left : GRADYN_LANES;
}

/* Changes of the data of a pack, [GRADYN_LANES][nx]. */
static const double *dx_of(const gradyn_explicit_sweeps *s, int pack)
{
  return s->dx + (size_t)pack * GRADYN_LANES * (size_t)s->march->model->nx;
}

/* Changes of stage i of the step in hand. */
static gradyn_lanes *stage_of(const gradyn_explicit_sweeps *s, int pack, int i)
{
  const gradyn_explicit *march = s->march;
  /* [packs][slots][seen] */
  return s->stage +
         ((size_t)pack * (size_t)march->kept.slots + (size_t)i) * (size_t)march->rates->seen;
}

/* How the time start + fraction of an arc, and the length share of it, move. */
static void time_moves(const gradyn_explicit_sweeps *s, int arc, int pack, double fraction,
                       gradyn_lanes *dt)
{
  const gradyn_lanes *b0 = s->boundary + arc * s->packs + pack;
  /* t = t_0 + fraction (t_1 - t_0) */
  *dt = (1 - fraction) * b0[0] + fraction * b0[s->packs];
}

/* How the length of a step moves that is a share of its arc. */
static void length_moves(const gradyn_explicit_sweeps *s, int arc, int pack, double share,
                         gradyn_lanes *dh)
{
  const gradyn_lanes *b0 = s->boundary + arc * s->packs + pack;
  /* h = share (t_1 - t_0) */
  *dh = share * (b0[s->packs] - b0[0]);
}

/* out = dz + h sum weight_j dk_j + dh sum weight_j k_j. */
static GRADYN_WIDE void combine(const gradyn_explicit_sweeps *s, const position *at, int pack,
                                const double *weight, int count, const gradyn_lanes *dh,
                                gradyn_lanes *out)
{
  const gradyn_rates *rates = s->march->rates;
  const int nz = rates->nz;
  memcpy(out, s->z + pack * nz, (size_t)nz * sizeof *out);
  for (int j = 0; j < count; j++) {
    const gradyn_lanes *dk = stage_of(s, pack, j) + rates->rates;
    const double *k = gradyn_explicit_stage(s->march, at->stages, j) + rates->rates;
    const double share = at->h * weight[j];
    for (int i = 0; i < nz && share != 0; i++) /* h w_j dk_j */
      out[i] += share * dk[i];
    for (int i = 0; i < nz && share != 0 && s->moving; i++) /* dh w_j k_j */
      out[i] += weight[j] * k[i] * *dh;
  }
}

/* gradient [nf][directions] += what a part of functional f reads: weight (y_bar . dstage + t_bar dt +
 * x_bar . dx) + rise dh, rise the derivative by the step's length. arc: whose boundaries move the time;
 * -1: it stays. */
static gradyn_status collect(gradyn_explicit_sweeps *s, const gradyn_directions *directions, int f,
                             const gradyn_functional_ops *part, const gradyn_sample *at,
                             double weight, int stage, double fraction, int arc, double *gradient)
{
  const gradyn_model *model = s->march->model;
  int ny = s->march->rates->ny;
  double t_bar = 0;
  const gradyn_gradient_out out = {s->y_bar, 1, s->x_bar + f * model->nx, &t_bar};
  memset(s->y_bar, 0, (size_t)ny * sizeof(double));
  GRADYN_TRY(part->gradient(s->march->model, &model->functional[f], at, weight, &out));
  for (int pack = 0; pack < s->packs; pack++) {
    /* psi' = g_y dy + g_x dx + g_t dt; g_x at the end, once for all */
    const gradyn_lanes *dy = stage_of(s, pack, stage);
    gradyn_lanes sum;
    /* g_t dt + g_y dy */
    if (arc >= 0)
      time_moves(s, arc, pack, fraction, &sum);
    else
      memset(&sum, 0, sizeof sum);
    sum *= t_bar;
    for (int i = 0; i < ny; i++)
      /* rows of y_bar are mostly zero */
      if (s->y_bar[i] != 0)
        sum += s->y_bar[i] * dy[i];
    for (int j = 0; j < columns_of(directions, pack); j++)
      gradient[f * directions->count + pack * GRADYN_LANES + j] += sum[j];
  }
  return GRADYN_OK;
}

/* Integrands at a stage. */
static gradyn_status add_integrands(gradyn_explicit_sweeps *s, const gradyn_directions *directions,
                                    const position *at, int i, double *gradient)
{
  gradyn_explicit *march = s->march;
  const gradyn_explicit_step *step = &march->step[at->k];
  double b = march->tableau->b[i], c = march->tableau->c[i];
  const gradyn_sample sample = {at->t + c * at->h, gradyn_explicit_stage(march, at->stages, i)};
  for (int f = 0; f < march->nf && b != 0; f++) {
    const gradyn_functional *functional = &march->model->functional[f];
    double g = 0;
    if (!functional->integrand || functional->skipped)
      continue;
    /* slope h b_i g_i along the directions */
    GRADYN_TRY(collect(s, directions, f, functional->integrand, &sample, at->h * b * s->slope[f], i,
                       at->start + c * at->share, step->arc, gradient));
    gradyn_explicit_corners_add_one(s, i, f, s->y_bar);
    if (s->moving)
      GRADYN_TRY(functional->integrand->value(march->model, functional, &sample, &g));
    for (int d = 0; d < directions->count && s->moving; d++) { /* h b_i g_i by h */
      gradyn_lanes dh;
      length_moves(s, step->arc, d / GRADYN_LANES, at->share, &dh);
      gradient[f * directions->count + d] += s->slope[f] * b * g * dh[d % GRADYN_LANES];
    }
  }
  return GRADYN_OK;
}

/* The tangent of stage i for all directions. */
static gradyn_status stage_along(gradyn_explicit_sweeps *s, const gradyn_directions *directions,
                                 const position *at, int i)
{
  gradyn_explicit *march = s->march;
  gradyn_rates *rates = march->rates;
  const gradyn_tableau *tableau = march->tableau;
  const gradyn_explicit_step *step = &march->step[at->k];
  /* Z_i moves by the rates of the stages before it, its rate by the equations */
  double c = tableau->c[i];
  /* Z_i as if it were a state of its own: linearised there */
  GRADYN_TRY(
      rates->ops->linearise(rates, at->t + c * at->h, gradyn_explicit_stage(march, at->stages, i)));
  for (int pack = 0; pack < s->packs; pack++) {
    gradyn_lanes dh, dt;
    length_moves(s, step->arc, pack, at->share, &dh);
    time_moves(s, step->arc, pack, at->start + c * at->share, &dt);
    combine(s, at, pack, i > 0 ? gradyn_tableau_row(tableau, i) : NULL, i, &dh, s->work);
    GRADYN_TRY(rates->ops->tangent(rates, columns_of(directions, pack), s->work, dx_of(s, pack),
                                   s->moving ? &dt : NULL, stage_of(s, pack, i)));
  }
  return GRADYN_OK;
}

/* The stage at the end of an arc at a time that stays when the boundary moves by dt: of z - z' dt. It takes
 * the place of the first stage, which nobody asks for any more. */
static gradyn_status stay(gradyn_explicit_sweeps *s, int columns, int pack, const double *arrival,
                          const gradyn_lanes *dt)
{
  gradyn_rates *rates = s->march->rates;
  const gradyn_lanes *dz = s->z + pack * rates->nz;
  for (int i = 0; i < rates->nz; i++)
    s->work[i] = dz[i] - arrival[rates->rates + i] * *dt; /* dz - z' dt */
  return rates->ops->tangent(rates, columns, s->work, dx_of(s, pack), NULL, stage_of(s, pack, 0));
}

/* Writes a node at t, whose stage has been linearised, to what the directions record; `fraction` of the arc
 * is where it is. */
static gradyn_status record(gradyn_explicit_sweeps *s, const gradyn_directions *directions, int arc,
                            double fraction, double t, const double *stage)
{
  gradyn_tangents *tangents = directions->tangents;
  const gradyn_rates *rates = s->march->rates;
  /* the state itself, then a column for each direction */
  GRADYN_TRY(gradyn_explicit_record(s->march, t, stage, tangents->states));
  for (int pack = 0; pack < s->packs; pack++) {
    const gradyn_lanes *dstage = stage_of(s, pack, 0);
    gradyn_lanes dt;
    time_moves(s, arc, pack, fraction, &dt);
    /* derivatives at a fixed time, though the node moves */
    GRADYN_TRY(stay(s, columns_of(directions, pack), pack, stage, &dt));
    for (int j = 0; j < columns_of(directions, pack); j++) {
      for (int i = 0; i < rates->ny; i++)
        tangents->dy[i] = dstage[i][j];
      for (int i = 0; i < rates->nz; i++) /* zero of algebraic states */
        tangents->dyp[rates->place[i]] = dstage[rates->rates + i][j];
      GRADYN_TRY(
          gradyn_tangents_add(tangents, pack * GRADYN_LANES + j, tangents->dy, tangents->dyp));
    }
  }
  return GRADYN_OK;
}

/* The start of an arc, before its first step. */
static gradyn_status record_start(gradyn_explicit_sweeps *s, const gradyn_directions *directions,
                                  const position *at)
{
  gradyn_rates *rates = s->march->rates;
  int arc = s->march->step[at->k].arc;
  const double *stage = gradyn_explicit_stage(s->march, at->stages, 0);
  GRADYN_TRY(rates->ops->linearise(rates, at->t, stage));
  return record(s, directions, arc, at->start, at->t, stage);
}

/* z from the start of a step to where it arrived and, where an arc ends, the stage there. */
static gradyn_status arrive(gradyn_explicit_sweeps *s, const gradyn_directions *directions,
                            const position *at)
{
  gradyn_explicit *march = s->march;
  gradyn_rates *rates = march->rates;
  const gradyn_explicit_step *step = &march->step[at->k];
  const double *arrival = gradyn_explicit_stage(march, at->stages, march->kept.slots - 1);
  double end = at->start + at->share;
  bool ends = gradyn_explicit_ends_arc(march, at->k) && end == step->start + step->share;
  GRADYN_TRY(rates->ops->linearise(rates, at->t + at->h, arrival));
  for (int pack = 0; pack < s->packs; pack++) {
    int columns = columns_of(directions, pack);
    gradyn_lanes *dz = s->z + pack * rates->nz, dt, dh;
    time_moves(s, step->arc, pack, end, &dt);
    length_moves(s, step->arc, pack, at->share, &dh);
    combine(s, at, pack, march->tableau->b, march->tableau->stages, &dh, s->work);
    memcpy(dz, s->work, (size_t)rates->nz * sizeof *dz);
    if (rates->ops->arrive_tangent)
      GRADYN_TRY(rates->ops->arrive_tangent(rates, columns,
                                            gradyn_explicit_moved(march, at->stages),
                                            dx_of(s, pack), s->moving ? &dt : NULL, dz));
    if (ends)
      GRADYN_TRY(rates->ops->tangent(rates, columns, dz, dx_of(s, pack), s->moving ? &dt : NULL,
                                     stage_of(s, pack, march->kept.slots - 1)));
    /* at a fixed end time */
    if (ends && s->moving)
      GRADYN_TRY(stay(s, columns, pack, arrival, &dt));
  }
  if (directions->tangents)
    GRADYN_TRY(record(s, directions, step->arc, end, at->t + at->h, arrival));
  return GRADYN_OK;
}

/* Terminal parts taken at the end of an arc, or behind the event there; the stage's changes are in the last
 * slot. */
static gradyn_status add_terminals(gradyn_explicit_sweeps *s, const gradyn_directions *directions,
                                   int arc, bool behind, const double *stage, double *gradient)
{
  gradyn_explicit *march = s->march;
  const gradyn_sample sample = {gradyn_explicit_boundary(march, arc + 1), stage};
  for (int f = 0; f < march->nf; f++) {
    const gradyn_functional *functional = &march->model->functional[f];
    /* taken at another boundary, or not asked for */
    if (functional->skipped || !gradyn_explicit_takes(march, f, arc + 1, behind))
      continue;
    /* an instant stays where a boundary moves that is at the same time */
    const bool stays = functional->instant > 0 && s->moving;
    GRADYN_TRY(collect(s, directions, f, functional->terminal, &sample, s->slope[f],
                       stays ? 0 : march->kept.slots - 1, 1, stays ? -1 : arc, gradient));
  }
  return GRADYN_OK;
}

/* Across the event at the end of an arc, and the stage behind it, for functionals. */
static gradyn_status cross(gradyn_explicit_sweeps *s, const gradyn_directions *directions, int arc,
                           double *gradient)
{
  gradyn_explicit *march = s->march;
  gradyn_rates *rates = march->rates;
  const gradyn_explicit_jump *jump = gradyn_explicit_jump_at(march, arc + 1);
  /* dz behind the event, by the impact; dpsi of impulses */
  GRADYN_TRY(gradyn_explicit_jump_along(s, arc + 1, directions->count, gradient));
  GRADYN_TRY(rates->ops->linearise(rates, jump->record.t, jump->stage));
  for (int pack = 0; pack < s->packs; pack++) {
    gradyn_lanes dt;
    time_moves(s, arc, pack, 1, &dt);
    /* what terminal parts read behind the event */
    GRADYN_TRY(rates->ops->tangent(rates, columns_of(directions, pack), s->z + pack * rates->nz,
                                   dx_of(s, pack), &dt, stage_of(s, pack, march->kept.slots - 1)));
  }
  GRADYN_TRY(add_terminals(s, directions, arc, true, jump->stage, gradient));
  /* no other arc records it */
  return directions->tangents && arc + 1 == march->arcs.count
             ? record(s, directions, arc, 1, jump->record.t, jump->stage)
             : GRADYN_OK;
}

/* What happens at the end of step k's arc. */
static gradyn_status end_arc(gradyn_explicit_sweeps *s, const gradyn_directions *directions,
                             const position *at, double *gradient)
{
  gradyn_explicit *march = s->march;
  const int arc = march->step[at->k].arc;
  const double *arrival = gradyn_explicit_stage(march, at->stages, march->kept.slots - 1);
  GRADYN_TRY(add_terminals(s, directions, arc, false, arrival, gradient));
  return gradyn_explicit_jump_due(march, arc + 1) ? cross(s, directions, arc, gradient) : GRADYN_OK;
}

/* Places inside a step, as of trajectories: each is the end of a shorter step. */
static gradyn_status record_inside(gradyn_explicit_sweeps *s, const gradyn_directions *directions,
                                   const position *whole)
{
  gradyn_explicit *march = s->march;
  size_t bytes = (size_t)s->packs * (size_t)march->rates->nz * sizeof *s->z;
  /* dz of the step's beginning, from which each part starts */
  memcpy(s->kept, s->z, bytes);
  for (int i = 1; i < GRADYN_EXPLICIT_PARTS; i++) {
    /* the part's own stages, from the same beginning */
    const double part = (double)i / GRADYN_EXPLICIT_PARTS;
    position at = *whole;
    at.h *= part;
    at.share *= part;
    GRADYN_TRY(gradyn_explicit_inside(march, at.k, i, whole->stages, &at.stages));
    for (int j = 0; j < march->tableau->stages; j++)
      GRADYN_TRY(stage_along(s, directions, &at, j));
    GRADYN_TRY(arrive(s, directions, &at));
    memcpy(s->z, s->kept, bytes);
  }
  return GRADYN_OK;
}

/* What functionals take at the start of the run, where nothing has moved but by the initial state. */
static gradyn_status take_start(gradyn_explicit_sweeps *s, const gradyn_directions *directions,
                                double *gradient)
{
  gradyn_explicit *march = s->march;
  gradyn_rates *rates = march->rates;
  double *stages;
  if (!gradyn_explicit_any_behind(march, 0))
    return GRADYN_OK;
  GRADYN_TRY(gradyn_explicit_stages(march, 0, &stages)); /* the first one is the start itself */
  GRADYN_TRY(rates->ops->linearise(rates, 0, stages));
  for (int pack = 0; pack < s->packs; pack++)
    GRADYN_TRY(rates->ops->tangent(rates, columns_of(directions, pack), s->z + pack * rates->nz,
                                   dx_of(s, pack), NULL, stage_of(s, pack, march->kept.slots - 1)));
  return add_terminals(s, directions, -1, true, stages, gradient);
}

/* One step along: stages, integrands, arrival, and what stands at the end of an arc. */
static gradyn_status step_along(gradyn_explicit_sweeps *s, const gradyn_directions *directions,
                                int k, double *gradient)
{
  gradyn_explicit *march = s->march;
  const gradyn_explicit_step *step = &march->step[k];
  const bool first = gradyn_explicit_begins_arc(march, k);
  position at = {.k = k,
                 .t = gradyn_explicit_time(march, k),
                 .h = gradyn_explicit_length(march, k),
                 .start = step->start,
                 .share = step->share};
  GRADYN_TRY(k == 0 ? take_start(s, directions, gradient) : GRADYN_OK);
  if (first)
    GRADYN_TRY(gradyn_explicit_end_along(s, k, directions->count));
  GRADYN_TRY(gradyn_explicit_stages(march, k, &at.stages));
  gradyn_explicit_corners_begin(s, march->nf / GRADYN_LANES + 1);
  /* where nothing jumps the arc before has told it */
  const bool jumps = first && march->arcs.boundary[step->arc].transition != GRADYN_TIED;
  if (directions->tangents && jumps)
    GRADYN_TRY(record_start(s, directions, &at));
  if (directions->tangents)
    GRADYN_TRY(record_inside(s, directions, &at));
  for (int i = 0; i < march->tableau->stages; i++) {
    GRADYN_TRY(stage_along(s, directions, &at, i));
    GRADYN_TRY(add_integrands(s, directions, &at, i, gradient));
  }
  gradyn_explicit_corners_judge(s, k, march->nf, NULL);
  GRADYN_TRY(arrive(s, directions, &at));
  return gradyn_explicit_ends_arc(march, k) ? end_arc(s, directions, &at, gradient) : GRADYN_OK;
}

/* Directions, the moves of the arcs' boundaries, and of the initial state. */
static gradyn_status begin(gradyn_explicit_sweeps *s, const gradyn_directions *directions)
{
  gradyn_explicit *march = s->march;
  int nx = march->model->nx, nz = march->rates->nz;
  double *dz = march->trial;
  gradyn_explicit_corners_forget(s);
  s->moving = march->model->log.count > 0; /* times of events depend on everything */
  memset(s->dx, 0, (size_t)s->packs * GRADYN_LANES * (size_t)nx * sizeof(double));
  memset(s->x_bar, 0, (size_t)march->nf * (size_t)nx * sizeof(double));
  for (int d = 0; d < directions->count; d++) {
    int pack = d / GRADYN_LANES, lane = d % GRADYN_LANES;
    double *dx = s->dx + (size_t)d * (size_t)nx;
    for (int e = directions->start[d]; e < directions->start[d + 1]; e++)
      dx[directions->index[e]] = directions->value[e];
    for (int b = 0; b <= march->arcs.count; b++) {
      /* starts and ends of arcs move with data, too */
      double moves = gradyn_boundary_tangent(&march->arcs.boundary[b], dx);
      s->boundary[b * s->packs + pack][lane] = moves;
      s->moving = s->moving || moves != 0;
    }
    /* dz of the initial state, lane by lane */
    GRADYN_TRY(march->rates->ops->start_tangent(march->rates, dx, dz));
    for (int i = 0; i < nz; i++)
      s->z[pack * nz + i][lane] = dz[i];
  }
  return GRADYN_OK;
}

/* What functionals read of data, and of the end time. */
static void finish(gradyn_explicit_sweeps *s, const gradyn_directions *directions,
                   const double *end_bar, double *gradient)
{
  const gradyn_explicit *march = s->march;
  int nx = march->model->nx, last = march->arcs.count;
  for (int f = 0; f < march->nf; f++)
    for (int d = 0; d < directions->count && !march->model->functional[f].skipped; d++) {
      double *sum = &gradient[f * directions->count + d];
      /* explicit part by data, then by the end time */
      for (int e = directions->start[d]; e < directions->start[d + 1]; e++)
        *sum += s->x_bar[f * nx + directions->index[e]] * directions->value[e];
      *sum += end_bar[f] * s->boundary[last * s->packs + d / GRADYN_LANES][d % GRADYN_LANES];
    }
}

/* One march, one pass forward: cost grows with the number of directions, by fours. */
gradyn_status gradyn_explicit_direct(gradyn_explicit_sweeps *s, const gradyn_directions *directions,
                                     double *psi, double *gradient)
{
  gradyn_explicit *march = s->march;
  double clock = gradyn_seconds(), *end_bar = s->end_bar;
  /* forward first: slopes of outer functions need the sums */
  gradyn_status status = gradyn_explicit_march(march, true, psi, NULL);
  if (status == GRADYN_OK)
    status = gradyn_explicit_sweeps_reserve(s,
                                            (directions->count + GRADYN_LANES - 1) / GRADYN_LANES);
  if (status != GRADYN_OK)
    return status;
  memset(gradient, 0, (size_t)march->nf * (size_t)directions->count * sizeof *gradient);
  for (int f = 0; f < march->nf; f++)
    gradyn_functional_outer(&march->model->functional[f], march->inner[f],
                            march->arcs.boundary[march->arcs.count].t, &s->slope[f], &end_bar[f]);
  /* dz of the start, then step by step */
  gradyn_explicit_enter(march, 0);
  status = begin(s, directions);
  for (int k = 0; k < march->count && status == GRADYN_OK; k++)
    status = step_along(s, directions, k, gradient);
  if (status == GRADYN_OK)
    finish(s, directions, end_bar, gradient);
  march->statistics.time_gradient = gradyn_seconds() - clock;
  return status;
}

/* Lanes of the initial state, of data and of the boundaries that these move. */
static void load_columns(gradyn_explicit_sweeps *s, int columns, const double *dx, const double *Z)
{
  gradyn_explicit *march = s->march;
  size_t nx = (size_t)march->model->nx;
  int nz = march->rates->nz;
  s->moving = march->model->log.count > 0;
  memset(s->dx, 0, (size_t)s->packs * GRADYN_LANES * nx * sizeof(double));
  for (int d = 0; d < columns; d++) {
    int pack = d / GRADYN_LANES, lane = d % GRADYN_LANES;
    if (dx)
      memcpy(s->dx + (size_t)d * nx, dx + (size_t)d * nx, nx * sizeof(double));
    /* boundaries of arcs move by data, and by events at all times */
    for (int b = 0; b <= march->arcs.count && dx; b++) {
      double moves = gradyn_boundary_tangent(&march->arcs.boundary[b], dx + (size_t)d * nx);
      s->boundary[b * s->packs + pack][lane] = moves;
      s->moving = s->moving || moves != 0;
    }
    /* columns of a matrix given by the caller */
    for (int i = 0; i < nz; i++)
      s->z[pack * nz + i][lane] = Z[d * nz + i];
  }
}

/* Carries columns Z = dz along the run without asking for functionals. */
gradyn_status gradyn_explicit_carry(gradyn_explicit_sweeps *s, int columns, const double *dx,
                                    double *Z)
{
  gradyn_explicit *march = s->march;
  gradyn_functional *functional = march->model->functional;
  const gradyn_directions directions = {.count = columns};
  int nz = march->rates->nz;
  gradyn_status status = gradyn_explicit_sweeps_reserve(s, (columns + GRADYN_LANES - 1) /
                                                               GRADYN_LANES);
  if (status != GRADYN_OK)
    return status;
  for (int f = 0; f < march->nf; f++) { /* functionals are not asked for */
    s->row[f] = functional[f].skipped;
    functional[f].skipped = true;
  }
  load_columns(s, columns, dx, Z);
  for (int k = 0; k < march->count && status == GRADYN_OK; k++)
    status = step_along(s, &directions, k, s->end_bar); /* nothing is added */
  for (int f = 0; f < march->nf; f++)
    functional[f].skipped = s->row[f];
  for (int d = 0; d < columns; d++)
    for (int i = 0; i < nz; i++)
      Z[d * nz + i] = s->z[d / GRADYN_LANES * nz + i][d % GRADYN_LANES];
  return status;
}
