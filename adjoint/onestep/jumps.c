/* Sweeps of a one-step method through events: derivatives of times of events, and of jumps. */
#include "adjoint/onestep/jumps.h"

/* Computes the derivatives of the guard at the end of step k, in the mode before the event: r_z in
 * march->y, r_x [nx], and r_t. */
static gradyn_status find_root(const gradyn_onestep_sweeps *s, int k, double *r_x,
                               gradyn_root *root)
{
  gradyn_onestep *march = s->march;
  const int arc = march->step[k].arc;
  const gradyn_passed_event *jump = gradyn_onestep_event_at(march, arc + 1);
  gradyn_onestep_enter(march, arc);
  GRADYN_TRY(gradyn_guard_root(&march->events->base.watch.guards, &jump->record, jump->y[0],
                               march->rates->nz, march->y, r_x, root));
  gradyn_onestep_enter(march, arc);
  return GRADYN_OK;
}

/* --- along ------------------------------------------------------------------------------------ */

/* Copies the changes dz of one direction from its lane. */
static void load(const gradyn_onestep_sweeps *s, int column, double *z)
{
  int nz = s->march->rates->nz, stride;
  const double *from = gradyn_batch_column(&s->b, s->b.z, nz, column, &stride);
  for (int i = 0; i < nz; i++)
    z[i] = from[i * stride];
}

/* Returns the entry of a column in an array with one group of lanes for each batch. */
static double *entry_of(const gradyn_onestep_sweeps *s, gradyn_lanes *array, int column)
{
  int stride;
  return gradyn_batch_column(&s->b, array, 1, column, &stride);
}

/* Returns the change of the time of a boundary along a direction, or the adjoint of this time. */
static double *boundary_of(gradyn_onestep_sweeps *s, int boundary, int column)
{
  return entry_of(s, s->boundary + boundary * s->b.packs * s->b.lanes, column);
}

gradyn_status gradyn_onestep_root_along(gradyn_onestep_sweeps *s, int k, int columns)
{
  gradyn_onestep *march = s->march;
  const int nx = march->model->nx, nz = march->rates->nz;
  double *dz = march->trial;
  gradyn_root root;
  GRADYN_TRY(find_root(s, k, s->x_bar + march->nf * nx, &root));
  /* r' = r_z . S + r_t */
  gradyn_lane_get(s->b.z + s->b.packs * nz * s->b.lanes, nz, 0, dz);
  root.rate = root.t + gradyn_dot(root.s, dz, nz);
  for (int d = 0; d < columns; d++) {
    load(s, d, dz);
    *entry_of(s, s->b.node.length, d) = gradyn_root_along(
        &root, dz, s->b.dx + (size_t)d * (size_t)nx, *entry_of(s, s->b.node.time, d));
  }
  return GRADYN_OK;
}

/* Returns the event at a boundary, for jumps of the state. */
static gradyn_jump jump_at(const gradyn_onestep_sweeps *s, int boundary)
{
  const gradyn_onestep *march = s->march;
  gradyn_onestep_events *events = march->events;
  return (gradyn_jump){.model = march->model,
                       .impact = &events->base.impact,
                       .event = gradyn_onestep_event_at(march, boundary),
                       .nz = march->rates->nz,
                       .position = march->rates->position,
                       .y = events->inside,
                       .yp = events->piece};
}

/* Propagates directions across an event, one at a time. */
gradyn_status gradyn_onestep_jump_along(gradyn_onestep_sweeps *s, int boundary, int columns,
                                        double *impulses)
{
  gradyn_onestep *march = s->march;
  const gradyn_jump jump = jump_at(s, boundary);
  const size_t nx = (size_t)march->model->nx;
  GRADYN_TRY(gradyn_jump_begin(&jump));
  for (int d = 0; d < columns; d++) {
    double *dx = s->b.dx + (size_t)d * nx, impulse = 0;
    int stride;
    double *z = gradyn_batch_column(&s->b, s->b.z, jump.nz, d, &stride);
    GRADYN_TRY(gradyn_jump_along(&jump, dx, *boundary_of(s, boundary, d), z, stride, &impulse));
    gradyn_lane_put(dx, (int)nx, d, s->b.side.x); /* the event may have changed latched data */
    for (int f = 0; f < march->nf; f++)
      if (!march->model->functional[f].skipped && gradyn_jump_gives(&jump, f))
        impulses[f * columns + d] += s->slope[f] * impulse;
  }
  return GRADYN_OK;
}

/* --- against ---------------------------------------------------------------------------------- */

gradyn_status gradyn_onestep_root_begin(gradyn_onestep_sweeps *s, int k)
{
  const gradyn_onestep *march = s->march;
  const int nz = march->rates->nz, pack = s->b.packs;
  gradyn_root root;
  s->b.active = pack + 1;
  s->row[pack * GRADYN_LANES] = GRADYN_NO_FUNCTIONAL;
  GRADYN_TRY(find_root(s, k, s->x_bar + pack * GRADYN_LANES * march->model->nx, &root));
  for (int i = 0; i < nz; i++)
    s->b.z[pack * nz + i] = (gradyn_lanes){root.s[i]};
  s->b.node.time[pack] = (gradyn_lanes){root.t};
  return GRADYN_OK;
}

void gradyn_onestep_root_against(gradyn_onestep_sweeps *s)
{
  gradyn_onestep *march = s->march;
  const int nz = march->rates->nz, nx = march->model->nx, pack = s->b.packs;
  const gradyn_root root = {nz,
                            nx,
                            march->y,
                            s->x_bar + pack * GRADYN_LANES * nx,
                            s->b.node.time[pack][0],
                            s->b.node.length[pack][0]};
  gradyn_lane_get(s->b.z + pack * nz, nz, 0, march->y);
  gradyn_onestep_gather(s, s->x_bar);
  for (int row = 0; row < s->rows; row++) {
    int stride;
    double *z_bar = gradyn_batch_column(&s->b, s->b.z, nz, row, &stride);
    *entry_of(s, s->b.node.time, row) += gradyn_root_against(
        &root, *entry_of(s, s->b.node.length, row), z_bar, stride, s->x_bar + row * nx);
  }
  s->b.active = pack;
}

/* Passes adjoints backward across an event, one functional at a time. */
gradyn_status gradyn_onestep_jump_against(gradyn_onestep_sweeps *s, int boundary, double *x_bar)
{
  const gradyn_jump jump = jump_at(s, boundary);
  /* repeat the impact of this event: the matrices may be those of another one */
  GRADYN_TRY(gradyn_jump_begin(&jump));
  for (int row = 0; row < s->rows; row++) {
    const int f = s->row[row];
    int stride;
    double *z_bar = gradyn_batch_column(&s->b, s->b.z, jump.nz, row, &stride);
    GRADYN_TRY(gradyn_jump_against(&jump, gradyn_jump_gives(&jump, f) ? s->slope[f] : 0, z_bar,
                                   stride, x_bar + row * s->march->model->nx,
                                   boundary_of(s, boundary, row)));
  }
  return GRADYN_OK;
}
