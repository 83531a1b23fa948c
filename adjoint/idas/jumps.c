/* Events of idas: saltation of sensitivities in direct and adjoint runs. IDAS starts again after each
 * event. The functions here map sensitivities and adjoints across the events in the log of the run. */
#include "adjoint/idas/jumps.h"

#include <math.h>
#include <string.h>

#include "core/linear/norm.h"

enum { BEFORE, AFTER };

/* Allocates arrays for sensitivities across events, if the model has events. */
gradyn_status gradyn_idas_jumps_create(gradyn_idas *march, gradyn_idas_jumps *s)
{
  size_t ny = (size_t)march->ny + 1, nx = (size_t)march->system->nx + 1;
  *s = (gradyn_idas_jumps){.march = march};
  if (!march->events)
    return GRADYN_OK;
  gradyn_arena *arena = &s->arena;
  s->r_y = gradyn_arena_numbers(arena, ny);
  s->r_x = gradyn_arena_numbers(arena, nx);
  s->w_y = gradyn_arena_numbers(arena, ny);
  s->w_x = gradyn_arena_numbers(arena, nx);
  s->sy = gradyn_arena_numbers(arena, ny);
  s->syp = gradyn_arena_numbers(arena, ny);
  s->yp = gradyn_arena_numbers(arena, ny);
  s->t_bar = gradyn_arena_numbers(arena, (size_t)march->sums.count);
  return gradyn_arena_status(arena) == GRADYN_OK
             ? GRADYN_OK
             : gradyn_fail(&march->model->message, GRADYN_NO_MEMORY, "out of memory for events");
}

void gradyn_idas_jumps_clear(gradyn_idas_jumps *s)
{
  gradyn_arena_clear(&s->arena);
  *s = (gradyn_idas_jumps){0};
}

/* Product of a row [np] by differential states with these states in y [ny]. */
static double product(const gradyn_idas_jumps *s, const double *row, const double *y)
{
  const gradyn_index1 *system = s->march->system;
  double sum = 0;
  for (int d = 0; d < system->np; d++)
    sum += row[d] * y[system->differential[d]];
  return sum;
}

/* Returns whether a functional reads states on this side of the event. */
static bool reads(const gradyn_functional_entry *f, const gradyn_passed_event *at, int side)
{
  return gradyn_functional_is_at_event(f, &at->record, at->number) && f->side != GRADYN_IMPULSE &&
         (f->side == GRADYN_AFTER) == (side == AFTER);
}

static void enter(gradyn_idas_jumps *s, const gradyn_passed_event *at, int side)
{
  gradyn_discrete_state_enter(s->march->model, at->discrete[side]);
}

/* Computes F_y and F_y' at the event on one side, before or after it. */
static gradyn_status linearise(gradyn_idas_jumps *s, gradyn_passed_event *at, int side)
{
  gradyn_idas *march = s->march;
  /* matrices of one side, in its mode */
  march->linearised_at = NAN;
  enter(s, at, side);
  return march->system->ops->linearise(march->system, at->record.t, at->y[side], at->yp[side]);
}

gradyn_status gradyn_idas_jump_begin(gradyn_idas_jumps *s, gradyn_passed_event *at)
{
  gradyn_idas *march = s->march;
  gradyn_idas_events *events = march->events;
  enter(s, at, BEFORE);
  GRADYN_TRY(gradyn_guard_root(&events->base.watch.guards, &at->record, at->y[BEFORE],
                               march->system->np, s->r_y, s->r_x, &s->root));
  s->root.rate = at->record.approach;
  return gradyn_impact_repeat(&events->base.impact, at->discrete[BEFORE], &at->record,
                              at->y[BEFORE]);
}

/* --- along ------------------------------------------------------------------------------------ */

/* Adds the changes of functionals that read the state on one side, if this state changes by sy. */
static gradyn_status read_side(gradyn_idas_jumps *s, gradyn_passed_event *at, int side,
                               const double *dx, double dt, double *psi)
{
  gradyn_idas *march = s->march;
  gradyn_model *model = march->model;
  const gradyn_sample sample = {at->record.t, at->y[side]};
  bool ready = false;
  for (int f = 0; f < march->sums.count; f++) {
    const gradyn_functional_entry *functional = &model->functional[f];
    if (!reads(functional, at, side))
      continue;
    if (!ready) { /* algebraic states follow */
      GRADYN_TRY(linearise(s, at, side));
      GRADYN_TRY(march->system->ops->restart_tangent(march->system, dx, dt, s->sy, s->syp));
    }
    ready = true;
    double t_bar = 0;
    /* dpsi = w_y dy + w_x dx + w_t dtau */
    const gradyn_gradient_out out = {s->w_y, 1, s->w_x, &t_bar};
    memset(s->w_y, 0, (size_t)march->ny * sizeof(double));
    memset(s->w_x, 0, (size_t)march->system->nx * sizeof(double));
    GRADYN_TRY(functional->terminal->gradient(model, functional, &sample, 1, &out));
    psi[f] += gradyn_dot(s->w_y, s->sy, march->ny) + gradyn_dot(s->w_x, dx, march->system->nx) +
              t_bar * dt;
  }
  return GRADYN_OK;
}

/* One direction across an event. */
gradyn_status gradyn_idas_jump_along(gradyn_idas_jumps *s, gradyn_passed_event *at, double *dx,
                                     double *sens, double *psi, double *integral)
{
  gradyn_idas *march = s->march;
  int np = march->system->np;
  const int *position = march->system->differential;
  for (int d = 0; d < np; d++)
    s->yp[d] = sens[position[d]];
  const double dt = s->moves = gradyn_root_along(&s->root, s->yp, dx, 0);
  /* dY- = dy- + y-' dtau */
  for (int d = 0; d < np; d++)
    s->sy[position[d]] = sens[position[d]] + at->yp[BEFORE][position[d]] * dt;
  gradyn_status status = read_side(s, at, BEFORE, dx, dt, psi);
  double impulse = 0;
  enter(s, at, AFTER);
  if (status == GRADYN_OK)
    status = gradyn_impact_tangent(&march->events->base.impact, dx, dt, s->sy, s->yp, &impulse);
  for (int d = 0; d < np; d++)
    s->sy[position[d]] = s->yp[position[d]];
  for (int f = 0; f < march->sums.count; f++) {
    /* the integral up to tau, then from tau */
    integral[f] = (at->g[BEFORE][f] - at->g[AFTER][f]) * dt;
    if (gradyn_functional_is_impulse(&march->model->functional[f], &at->record, at->number))
      psi[f] += impulse;
  }
  for (int d = 0; d < np; d++) /* dy+ = dY+ - y+' dtau */
    sens[position[d]] = s->sy[position[d]] - at->yp[AFTER][position[d]] * dt;
  return status == GRADYN_OK ? read_side(s, at, AFTER, dx, dt, psi) : status;
}

/* --- against ---------------------------------------------------------------------------------- */

/* Adds the adjoints of functionals that read the state on one side. */
static gradyn_status add_side(gradyn_idas_jumps *s, gradyn_passed_event *at, int side, int nz,
                              double *z, double *x_bar)
{
  gradyn_idas *march = s->march;
  gradyn_model *model = march->model;
  const gradyn_sample sample = {at->record.t, at->y[side]};
  int nx = march->system->nx;
  bool ready = false;
  for (int k = 0; k < s->rows; k++) {
    int f = s->row[k];
    const gradyn_functional_entry *functional = &model->functional[f];
    if (!reads(functional, at, side))
      continue;
    /* once per side, only if a functional reads it */
    if (!ready)
      GRADYN_TRY(linearise(s, at, side));
    ready = true;
    const gradyn_gradient_out out = {s->w_y, 1, x_bar + f * nx, &s->t_bar[k]};
    memset(s->w_y, 0, (size_t)march->ny * sizeof(double));
    GRADYN_TRY(functional->terminal->gradient(model, functional, &sample, 1, &out));
    GRADYN_TRY(march->system->ops->adjoint_terminal(march->system, s->w_y, NULL, z + k * nz,
                                                    x_bar + f * nx, &s->t_bar[k]));
  }
  return GRADYN_OK;
}

/* Adjoints across an event, all rows. */
gradyn_status gradyn_idas_jump_against(gradyn_idas_jumps *s, gradyn_passed_event *at,
                                       const double *slope, int nz, double *z, double *x_bar)
{
  gradyn_idas *march = s->march;
  const int *position = march->system->differential;
  int np = march->system->np, nx = march->system->nx;
  for (int k = 0; k < s->rows;
       k++) { /* dy+ = dY+ - y+' dtau, and the part of the integral after the event */
    s->t_bar[k] = -product(s, z + k * nz, at->yp[AFTER]) -
                  slope[s->row[k]] * at->g[AFTER][s->row[k]];
    s->t_bar[k] += s->rate ? s->rate[s->row[k]] : 0;
  }
  GRADYN_TRY(add_side(s, at, AFTER, nz, z, x_bar));
  GRADYN_TRY(gradyn_idas_jump_begin(s, at));
  for (int k = 0; k < s->rows; k++) { /* the jump */
    const int f = s->row[k];
    double *p = z + k * nz;
    const bool impulse = gradyn_functional_is_impulse(&march->model->functional[f], &at->record,
                                                      at->number);
    /* p- = J^T p+, and the contributions to the adjoints of x and tau */
    for (int d = 0; d < np; d++)
      s->sy[position[d]] = p[d];
    GRADYN_TRY(gradyn_impact_transposed(&march->events->base.impact, s->sy, impulse, s->yp,
                                        x_bar + f * nx, &s->t_bar[k]));
    /* p- replaces p+ */
    for (int d = 0; d < np; d++)
      p[d] = s->yp[position[d]];
  }
  enter(s, at, BEFORE);
  GRADYN_TRY(add_side(s, at, BEFORE, nz, z, x_bar));
  for (int k = 0; k < s->rows; k++) {
    const int f = s->row[k];
    /* dY- = dy- + y-' dtau, then tau by the guard */
    double bar = s->t_bar[k] + product(s, z + k * nz, at->yp[BEFORE]) + slope[f] * at->g[BEFORE][f];
    (void)gradyn_root_against(&s->root, bar, z + k * nz, 1, x_bar + f * nx);
  }
  return GRADYN_OK;
}
