/* Sweeps of a one-step method through events: derivatives of times of events, and of jumps. */
#include "adjoint/onestep/jumps.h"

#include <string.h>

enum { NO_FUNCTIONAL = -1 };

/* Computes the derivatives of the guard at the end of step k, in the mode before the event: r_z in
 * march->y, r_x [nx], r_t. */
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

/* Copies one direction from its lane. */
static void load(const gradyn_onestep_sweeps *s, int column, double *z)
{
  int nz = s->march->rates->nz, stride;
  const double *from = gradyn_batch_column(&s->b, s->b.z, nz, column, &stride);
  for (int i = 0; i < nz; i++)
    z[i] = from[i * stride];
}

/* The same for all states that an event changes, y [moves]. Algebraic states get zeros. */
static void load_states(const gradyn_onestep_sweeps *s, int column, double *y)
{
  const gradyn_rates *rates = s->march->rates;
  int stride;
  const double *from = gradyn_batch_column(&s->b, s->b.z, rates->nz, column, &stride);
  memset(y, 0, s->march->events->moves * sizeof *y);
  for (int i = 0; i < rates->nz; i++)
    y[rates->position[i]] = from[i * stride];
}

/* Copies one direction to its lane. */
static void store_states(gradyn_onestep_sweeps *s, int column, const double *y)
{
  const gradyn_rates *rates = s->march->rates;
  int stride;
  double *to = gradyn_batch_column(&s->b, s->b.z, rates->nz, column, &stride);
  for (int i = 0; i < rates->nz; i++)
    to[i * stride] = y[rates->position[i]];
}

/* Returns the entry of a column in an array with one entry for each batch. */
static double *entry_of(const gradyn_onestep_sweeps *s, gradyn_lanes *array, int column)
{
  int stride;
  return gradyn_batch_column(&s->b, array, 1, column, &stride);
}

/* Returns the change of the time of a boundary in a direction, or its adjoint. */
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

/* Returns whether functional f is the impulse of an event and its derivatives are requested. */
static bool takes_impulse(const gradyn_onestep *march, int f, const gradyn_passed_event *jump)
{
  const gradyn_functional_entry *functional = &march->model->functional[f];
  return !functional->skipped &&
         gradyn_functional_is_impulse(functional, &jump->record, jump->number);
}

/* Directions across the event. */
gradyn_status gradyn_onestep_jump_along(gradyn_onestep_sweeps *s, int boundary, int columns,
                                        double *impulses)
{
  gradyn_onestep *march = s->march;
  const gradyn_passed_event *jump = gradyn_onestep_event_at(march, boundary);
  size_t nx = (size_t)march->model->nx;
  double *dy = march->events->inside, *dyp = march->events->piece, impulse = 0;
  GRADYN_TRY(gradyn_impact_repeat(&march->events->base.impact, jump->discrete[0], &jump->record,
                                  jump->y[0]));
  /* one direction at a time through the equations of the impact */
  for (int d = 0; d < columns; d++) {
    load_states(s, d, dy);
    GRADYN_TRY(gradyn_impact_tangent(&march->events->base.impact, s->b.dx + (size_t)d * nx,
                                     *boundary_of(s, boundary, d), dy, dyp, &impulse));
    store_states(s, d, dyp);
    gradyn_lane_put(s->b.dx + (size_t)d * nx, (int)nx, d,
                    s->b.side.x); /* latched data have changed */
    /* functionals of impulses */
    for (int f = 0; f < march->nf; f++)
      if (takes_impulse(march, f, jump))
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
  s->row[pack * GRADYN_LANES] = NO_FUNCTIONAL;
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

/* Adjoints across the event. */
gradyn_status gradyn_onestep_jump_against(gradyn_onestep_sweeps *s, int boundary, double *x_bar)
{
  gradyn_onestep *march = s->march;
  const gradyn_passed_event *jump = gradyn_onestep_event_at(march, boundary);
  int nx = march->model->nx;
  double *y_bar = march->events->inside, *yp_bar = march->events->piece;
  /* repeats the impact of this event, because the matrices are those of another one */
  GRADYN_TRY(gradyn_impact_repeat(&march->events->base.impact, jump->discrete[0], &jump->record,
                                  jump->y[0]));
  for (int row = 0; row < s->rows; row++) {
    const int f = s->row[row];
    load_states(s, row, yp_bar);
    /* adjoints before the event from those after it, one functional at a time */
    GRADYN_TRY(gradyn_impact_transposed(&march->events->base.impact, yp_bar,
                                        takes_impulse(march, f, jump) ? s->slope[f] : 0, y_bar,
                                        x_bar + row * nx, boundary_of(s, boundary, row)));
    store_states(s, row, y_bar);
  }
  return GRADYN_OK;
}
