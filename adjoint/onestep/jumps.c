/* Sweeps of an explicit method through events. The time of an event is a root: its derivative needs the
 * guard's own sweep back through the arc, made once and used by all directions or functionals. */
#include "adjoint/onestep/jumps.h"

#include <stdlib.h>
#include <string.h>

enum { NO_FUNCTIONAL = -1 };

gradyn_status gradyn_onestep_guard_create(gradyn_onestep *march,
                                          const gradyn_onestep_derivatives *scheme,
                                          gradyn_onestep_sweeps **out)
{
  *out = NULL;
  if (!march->events)
    return GRADYN_OK;
  *out = calloc(1, sizeof **out);
  if (!*out)
    return gradyn_fail(&march->model->message, GRADYN_NO_MEMORY, "out of memory for events");
  gradyn_status status = gradyn_onestep_sweeps_create(march, scheme, *out);
  /* one row, which is none of a functional */
  (*out)->rows = 1;
  if (status == GRADYN_OK)
    (*out)->row[0] = NO_FUNCTIONAL;
  return status;
}

/* The guard at the end of step k's arc as a function of where that starts; in *root z_r is march->y. */
static gradyn_status take_back(gradyn_onestep_sweeps *s, int k, gradyn_root *root)
{
  gradyn_onestep *march = s->march;
  gradyn_onestep_sweeps *guard = s->guard;
  const int arc = march->step[k].arc, nz = march->rates->nz;
  const gradyn_passed_event *jump = gradyn_onestep_jump_at(march, arc + 1);
  /* steps of the arc behind k, up to the event */
  int last = k;
  GRADYN_TRY(gradyn_onestep_sweeps_reserve(guard, 1, 1));
  guard->moving = true;
  gradyn_onestep_sweeps_activate(guard, NULL);
  /* r_z, r_x and r_t, in the mode before the event */
  gradyn_onestep_enter(march, arc);
  GRADYN_TRY(gradyn_guard_root(&march->events->base.watch.guards, &jump->record, jump->y[0], nz,
                               march->trial, guard->x_bar, root));
  /* the guard's gradient is where the sweep begins */
  for (int i = 0; i < nz; i++)
    guard->z[i][0] = march->trial[i];
  guard->boundary[arc + 1][0] = root->t;
  /* a sweep of one lane, backward to the beginning of step k */
  while (!gradyn_onestep_ends_arc(march, last))
    last++;
  for (; last >= k; last--)
    GRADYN_TRY(gradyn_onestep_step_against(guard, last, guard->x_bar));
  gradyn_lane_get(guard->z, nz, 0, march->y);
  *root = (gradyn_root){nz,           march->model->nx,        march->y,
                        guard->x_bar, guard->boundary[arc][0], guard->boundary[arc + 1][0]};
  return GRADYN_OK;
}

/* Which of the two a boundary is; neither is one that data move. */
static bool is_event(const gradyn_onestep *march, int boundary)
{
  return march->arcs.boundary[boundary].transition > 0;
}

/* It follows the event before it at a fixed distance. */
static bool is_tied(const gradyn_onestep *march, int boundary)
{
  return march->arcs.boundary[boundary].transition == GRADYN_TIED;
}

/* --- along ------------------------------------------------------------------------------------ */

/* One direction out of its lane. */
static void load(const gradyn_onestep_sweeps *s, int column, double *z)
{
  int nz = s->march->rates->nz, stride;
  const double *from = gradyn_onestep_column(s, s->z, nz, column, &stride);
  for (int i = 0; i < nz; i++)
    z[i] = from[i * stride];
}

/* The same of all states that an event changes, y [moves]: algebraic ones have none of their own. */
static void load_states(const gradyn_onestep_sweeps *s, int column, double *y)
{
  const gradyn_rates *rates = s->march->rates;
  int stride;
  const double *from = gradyn_onestep_column(s, s->z, rates->nz, column, &stride);
  memset(y, 0, s->march->events->moves * sizeof *y);
  for (int i = 0; i < rates->nz; i++)
    y[rates->position[i]] = from[i * stride];
}

/* Directions of one column go to its lane. */
static void store_states(gradyn_onestep_sweeps *s, int column, const double *y)
{
  const gradyn_rates *rates = s->march->rates;
  int stride;
  double *to = gradyn_onestep_column(s, s->z, rates->nz, column, &stride);
  for (int i = 0; i < rates->nz; i++)
    to[i * stride] = y[rates->position[i]];
}

/* How the time of a boundary moves with a direction, or its bar. */
static double *boundary_of(gradyn_onestep_sweeps *s, int boundary, int column)
{
  int stride;
  return gradyn_onestep_column(s, s->boundary + boundary * s->packs * s->lanes, 1, column, &stride);
}

/* How the time of an event moves: r(z(tau), x, tau) = 0 along each direction. */
gradyn_status gradyn_onestep_end_along(gradyn_onestep_sweeps *s, int k, int columns)
{
  gradyn_onestep *march = s->march;
  int arc = march->step[k].arc, nx = march->model->nx;
  gradyn_root root;
  if (is_tied(march, arc + 1))
    memcpy(s->boundary + (arc + 1) * s->packs * s->lanes, s->boundary + arc * s->packs * s->lanes,
           (size_t)(s->packs * s->lanes) * sizeof *s->boundary);
  if (!is_event(march, arc + 1))
    return GRADYN_OK;
  GRADYN_TRY(take_back(s, k, &root));
  for (int d = 0; d < columns; d++) {
    load(s, d, march->trial);
    *boundary_of(s, arc + 1, d) = gradyn_root_along(
        &root, march->trial, s->dx + (size_t)d * (size_t)nx, *boundary_of(s, arc, d));
  }
  gradyn_onestep_enter(march, arc);
  return GRADYN_OK;
}

/* Whether functional f is the impulse of an event, and somebody asks for its derivatives. */
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
  const gradyn_passed_event *jump = gradyn_onestep_jump_at(march, boundary);
  size_t nx = (size_t)march->model->nx;
  double *dy = march->events->inside, *dyp = march->events->piece, impulse = 0;
  GRADYN_TRY(gradyn_impact_repeat(&march->events->base.impact, jump->discrete[0], &jump->record,
                                  jump->y[0]));
  /* one direction at a time through the impact's equations */
  for (int d = 0; d < columns; d++) {
    load_states(s, d, dy);
    GRADYN_TRY(gradyn_impact_tangent(&march->events->base.impact, s->dx + (size_t)d * nx,
                                     *boundary_of(s, boundary, d), dy, dyp, &impulse));
    store_states(s, d, dyp);
    gradyn_lane_put(s->dx + (size_t)d * nx, (int)nx, d,
                    s->side.x); /* what is captured has changed */
    /* functionals of impulses take theirs from here */
    for (int f = 0; f < march->nf; f++)
      if (takes_impulse(march, f, jump))
        impulses[f * columns + d] += s->slope[f] * impulse;
  }
  return GRADYN_OK;
}

/* --- against ---------------------------------------------------------------------------------- */

/* The transpose: the bar of the event's time goes to the steps that lead to it, by the guard's own
 * sweep back. */
gradyn_status gradyn_onestep_end_against(gradyn_onestep_sweeps *s, int k, double *x_bar)
{
  gradyn_onestep *march = s->march;
  int arc = march->step[k].arc, nx = march->model->nx, stride;
  gradyn_root root;
  /* a tied boundary moves with its arc's beginning */
  if (is_tied(march, arc + 1))
    for (int pack = 0; pack < s->packs; pack++)
      s->boundary[arc * s->packs + pack] += s->boundary[(arc + 1) * s->packs + pack];
  if (!is_event(march, arc + 1))
    return GRADYN_OK;
  GRADYN_TRY(take_back(s, k, &root));
  for (int row = 0; row < s->rows; row++) {
    double *z_bar = gradyn_onestep_column(s, s->z, march->rates->nz, row, &stride);
    *boundary_of(s, arc, row) += gradyn_root_against(&root, *boundary_of(s, arc + 1, row), z_bar,
                                                     stride, x_bar + row * nx);
  }
  return GRADYN_OK;
}

/* Bars across the event. */
gradyn_status gradyn_onestep_jump_against(gradyn_onestep_sweeps *s, int boundary, double *x_bar)
{
  gradyn_onestep *march = s->march;
  const gradyn_passed_event *jump = gradyn_onestep_jump_at(march, boundary);
  int nx = march->model->nx;
  double *y_bar = march->events->inside, *yp_bar = march->events->piece;
  /* the impact at this event once more: its matrices are those of the last one */
  GRADYN_TRY(gradyn_impact_repeat(&march->events->base.impact, jump->discrete[0], &jump->record,
                                  jump->y[0]));
  for (int row = 0; row < s->rows; row++) {
    const int f = s->row[row];
    load_states(s, row, yp_bar);
    /* bars before from those behind, one functional at a time */
    GRADYN_TRY(gradyn_impact_transposed(&march->events->base.impact, yp_bar,
                                        takes_impulse(march, f, jump) ? s->slope[f] : 0, y_bar,
                                        x_bar + row * nx, boundary_of(s, boundary, row)));
    store_states(s, row, y_bar);
  }
  return GRADYN_OK;
}
