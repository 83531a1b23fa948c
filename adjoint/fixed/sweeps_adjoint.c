/* The adjoint sweep: adjoints of all functionals, from the last node to the first.
 *
 * Bars s_bar = dpsi/ds of the scheme's state go from the second node of a step to the first by the
 * transposed step (dae/fixed/stepper.h); on the way each node, and each quadrature point, adds what
 * functionals read there. x_bar grows by each step's part of dpsi/dx, and by that of the initial state at
 * the end. Bars of lengths h and times t of steps are kept only where boundaries or events move them. */
#include "adjoint/fixed/sweep_points.h"
#include "core/base/clock.h"

#include <math.h>
#include <string.h>

/* Adds the derivatives of all functionals at a point to y_bar or, if y is the state of the scheme, to those
 * of the node, and to x_bar, by rows. */
static gradyn_status add_all(gradyn_sweeps *s, const gradyn_sweep_point *where, bool node,
                             double *x_bar)
{
  int ny = s->march->stepper->ny, nx = s->march->model->nx;
  bool any;
  for (int f = 0; f < s->march->nf; f++) {
    int row = s->row[f];
    /* node: adjoints of the state of the scheme; otherwise of y */
    GRADYN_TRY(gradyn_sweep_add_parts(s, f, where,
                                      node ? gradyn_sweeps_lane(s, row) : s->y_bar + row * ny,
                                      node ? GRADYN_LANES : 1, x_bar + row * nx, &any));
  }
  return GRADYN_OK;
}

/* Adjoints of the states that functionals read, and of time. */
static void clear_bars(gradyn_sweeps *s)
{
  memset(s->y_bar, 0, (size_t)s->columns * (size_t)s->march->stepper->ny * sizeof(double));
  gradyn_sweep_clear_times(s);
}

/* Adds adjoints of the time of a node, from its functionals and from t_bar. */
static void move_node(gradyn_sweeps *s, bool shown)
{
  const int moving = s->timed ? s->march->nf : 0;
  for (int f = 0; f < moving; f++)
    s->times.node_bar[f] += s->times.point_t[f] + (shown ? s->t_bar[s->row[f]] : 0);
}

/* Adds adjoints of node k from the functionals evaluated there. */
static gradyn_status add_node(gradyn_sweeps *s, int k, const double *node, double *x_bar)
{
  gradyn_fixed *march = s->march;
  gradyn_stepper *stepper = march->stepper;
  gradyn_depth depth = GRADYN_POSITIONS;
  const double *y = node;
  gradyn_sweep_point where = gradyn_sweep_node(s, k, node);
  /* nodes have all that functionals read */
  if (!stepper->ops->complete) {
    gradyn_status added = add_all(s, &where, true, x_bar);
    move_node(s, false);
    return added;
  }
  /* otherwise y is computed from the node, and its adjoints are transposed to the node */
  bool any = gradyn_fixed_terminal_depth(march, k, &depth);
  GRADYN_TRY(any ? gradyn_fixed_output_state(march, k, node, depth, &y) : GRADYN_OK);
  if (any)
    clear_bars(s);
  where.at.y = y;
  GRADYN_TRY(add_all(s, &where, false, x_bar));
  if (any)
    GRADYN_TRY(gradyn_sweep_view_against(s));
  move_node(s, any);
  return GRADYN_OK;
}

/* Adjoints of the length and end of a step from its quadrature point. */
static void move_sample(gradyn_sweeps *s)
{
  double rest = 1 - s->march->stepper->share;
  const int moving = s->timed ? s->march->nf : 0;
  for (int f = 0; f < moving; f++) {
    /* t of the point = end - (1 - share) h */
    s->times.step_t[f] += s->times.point_t[f] + s->t_bar[s->row[f]];
    s->times.step_h[f] += s->h_bar[s->row[f]] - rest * s->times.point_t[f];
  }
}

/* Adds adjoints from the functionals evaluated at the quadrature point of step k, *y. */
static gradyn_status add_sample(gradyn_sweeps *s, int k, const double *from, const double *to,
                                const double **y, double *x_bar)
{
  gradyn_depth depth;
  GRADYN_TRY(gradyn_fixed_sample(s->march, k, from, to, y));
  const gradyn_sweep_point where = gradyn_sweep_sample(s, k, *y);
  clear_bars(s);
  GRADYN_TRY(add_all(s, &where, false, x_bar));
  /* integrands that read data only have no adjoints of states */
  if (gradyn_fixed_integrand_depth(s->march, &depth))
    GRADYN_TRY(gradyn_sweep_view_against(s));
  move_sample(s);
  return GRADYN_OK;
}

/* Adds the contributions of steps to the rows of x_bar. */
static void collect_data(gradyn_sweeps *s, double *x_bar)
{
  int nx = s->march->model->nx;
  for (int row = 0; row < s->columns; row++)
    for (int i = 0; i < nx; i++)
      x_bar[row * nx + i] += s->given[row / GRADYN_LANES * nx + i][row % GRADYN_LANES];
  memset(s->given, 0, gradyn_lanes_groups(s->columns) * (size_t)nx * sizeof *s->given);
}

/* One step or jump backward: from the adjoints of its second node to those of the first. */
static gradyn_status step_back(gradyn_sweeps *s, int k, double *x_bar)
{
  gradyn_fixed *march = s->march;
  gradyn_stepper *stepper = march->stepper;
  size_t bytes = (size_t)march->nf * sizeof(double);
  const double *from, *to, *y = NULL;
  GRADYN_TRY(gradyn_fixed_nodes(march, k, &from, &to));
  gradyn_fixed_enter(march, k);
  /* a jump is a step of length 0, with its own modes */
  if (march->step[k].jump) {
    if (march->model->log.captures.count > 0) /* data that differ before it */
      collect_data(s, x_bar);
    GRADYN_TRY(gradyn_sweep_jump_against(s, k, from, x_bar));
    gradyn_fixed_enter(march, k - 1);
    return add_node(s, k, from, x_bar);
  }
  /* adjoints of the times of this step begin with zero */
  memset(s->times.step_h, 0, bytes);
  memset(s->times.step_t, 0, bytes);
  /* in reverse: the quadrature point, the step, the first node */
  const bool pause = gradyn_fixed_pause(march, k);
  if (gradyn_sweep_sampled(s))
    GRADYN_TRY(pause ? gradyn_fixed_output_state(march, k, to, GRADYN_FORCES, &y)
                     : add_sample(s, k, from, to, &y, x_bar));
  /* g over a step whose end is a boundary */
  GRADYN_TRY(gradyn_sweep_lengths_against(s, k, from, to, y));
  /* nu of the event that ends it */
  GRADYN_TRY(gradyn_sweep_guard(s, k, to));
  if (s->columns > 0 && !pause) /* matrices of the forward step */
    GRADYN_TRY(stepper->ops->linearise(stepper, gradyn_fixed_time(march, k),
                                       gradyn_fixed_length(march, k), from, to));
  GRADYN_TRY(gradyn_sweep_step_against(s, k, to, x_bar));
  gradyn_adjoint_growth_node(s, k);
  return add_node(s, k, from, x_bar);
}

/* Sorts the rows of x_bar in the order of the functionals. At functional f, earlier rows are sorted; the
 * remaining rows are the functionals that read states, then the others, beginning with f. */
static void restore_order(const gradyn_sweeps *s, double *x_bar)
{
  int nf = s->march->nf, nx = s->march->model->nx;
  size_t size = (size_t)nx * sizeof(double);
  for (int f = 0; f < nf; f++) {
    int row = s->row[f];
    if (row < s->columns || row == f)
      continue;
    /* functionals that read no states have the last rows */
    memcpy(s->x_bar, x_bar + row * nx, size);
    memmove(x_bar + (f + 1) * nx, x_bar + f * nx, (size_t)(row - f) * size);
    memcpy(x_bar + f * nx, s->x_bar, size);
  }
}

/* Returns whether events, or active data, move times of nodes. */
static bool is_timed(const gradyn_fixed *march, const bool *active)
{
  const gradyn_arcs *arcs = &march->arcs;
  if (march->model->event_count > 0)
    return true;
  for (int k = 0; k <= arcs->count; k++) {
    const gradyn_boundary *b = &arcs->boundary[k];
    if ((b->start >= 0 && active[b->start]) || (b->end >= 0 && active[b->end]))
      return true;
  }
  return false;
}

/* The discrete adjoint of a fixed-step scheme, exact to round-off for the discrete run. */
gradyn_status gradyn_sweep_adjoint(gradyn_sweeps *s, const bool *active, double *psi, double *x_bar)
{
  gradyn_fixed *march = s->march;
  gradyn_model *model = march->model;
  gradyn_stepper *stepper = march->stepper;
  const double *before, *last;
  double clock = gradyn_seconds();
  GRADYN_TRY(gradyn_adjoint_growth_reserve(&s->growth, model, march->nf));
  GRADYN_TRY(gradyn_fixed_run(march, true, psi, NULL));
  s->timed = is_timed(march, active);
  gradyn_sweeps_sort(s);
  gradyn_sweeps_begin(s);
  gradyn_adjoint_growth_begin(&s->growth, GRADYN_GROWTH_AGAINST, s->columns, march->count);
  /* times of boundaries and events are further unknowns */
  GRADYN_TRY(gradyn_sweep_events_begin(s, march->nf));
  memset(x_bar, 0, (size_t)march->nf * (size_t)model->nx * sizeof(double));
  memset(s->given, 0, gradyn_lanes_groups(march->nf) * (size_t)model->nx * sizeof *s->given);
  memset(s->s_bar, 0, gradyn_sweeps_lanes(march) * sizeof *s->s_bar);
  GRADYN_TRY(gradyn_fixed_nodes(march, march->count - 1, &before, &last));
  const bool ended = gradyn_fixed_ended(march);
  gradyn_fixed_enter(march, march->count - 1);
  for (int f = 0; f < march->nf; f++)
    /* if the end time is that of an event, its guard takes the adjoints */
    s->times.node_bar[f] = ended ? s->end_bar[f] : 0;
  GRADYN_TRY(add_node(s, march->count, last, x_bar));
  /* s_bar of node k + 1 becomes that of node k; x_bar is added to */
  for (int k = march->count - 1; k >= 0; k--)
    GRADYN_TRY(step_back(s, k, x_bar));
  collect_data(s, x_bar);
  for (int f = 0; f < march->nf; f++) {
    /* adjoints of the first node, transposed to data of the start */
    if (s->row[f] < s->columns)
      GRADYN_TRY(stepper->ops->start_transposed(stepper, gradyn_sweeps_column(s, s->row[f]),
                                                x_bar + s->row[f] * model->nx));
    gradyn_sweep_boundaries_against(s, f, x_bar + s->row[f] * model->nx);
    if (!gradyn_functional_stays(&model->functional[f]) && !ended) /* fixed times do not move */
      x_bar[s->row[f] * model->nx + model->t_end] += s->end_bar[f];
  }
  restore_order(s, x_bar);
  GRADYN_TRY(gradyn_adjoint_growth_end(s, active));
  march->report.cost.steps_backward = march->count;
  march->report.cost.time_gradient = gradyn_seconds() - clock;
  return GRADYN_OK;
}
