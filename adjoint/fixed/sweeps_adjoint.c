/* The adjoint sweep: adjoints of all functionals, from the last node to the first.
 *
 * The adjoint of the scheme's state, s_bar = dpsi/ds, is carried from the second node of a step to the
 * first by the transposed step (dae/fixed/stepper.h). At each node and quadrature point, the derivatives of
 * the functionals that are evaluated there are added. x_bar is the sum of dpsi/dx over all steps and, at
 * the end, of the initial state. The adjoints of step lengths h and times t are stored only if boundaries
 * or events move them. */
#include "adjoint/fixed/sweep_points.h"
#include "core/base/clock.h"

#include <math.h>
#include <string.h>

/* Adds the derivatives of the functionals at a point: by y to y_bar or, if y is the state of the scheme, to
 * the adjoints of the node; by data to x_bar; by time to the adjoint of the time of the point. */
static gradyn_status add_all(gradyn_sweeps *s, const gradyn_sweep_point *where)
{
  const gradyn_stepper *stepper = s->march->stepper;
  const int ny = stepper->ny, nx = s->march->model->nx;
  const bool node = !stepper->ops->complete;
  for (int i = 0; i < where->count; i++) {
    bool any;
    const int f = where->list[i], row = s->row[f];
    GRADYN_TRY(gradyn_sweep_add_parts(s, f, where,
                                      node ? gradyn_sweeps_lane(s, row) : s->y_bar + row * ny,
                                      node ? GRADYN_LANES : 1, s->x_bar + row * nx, &any));
    if (where->kind == GRADYN_IN_STEP) { /* the time of the point is end - (1 - share) h */
      s->times.step_t[f] += s->times.point_t[f];
      s->times.step_h[f] -= (1 - stepper->share) * s->times.point_t[f];
    } else
      s->times.node_bar[f] += s->times.point_t[f];
  }
  return GRADYN_OK;
}

/* Adds the derivatives of the functionals at a point to the adjoints of the scheme's state. */
static gradyn_status add_point(gradyn_sweeps *s, gradyn_sweep_point where)
{
  const size_t entries = (size_t)s->columns * (size_t)s->march->stepper->ny;
  bool shown;
  GRADYN_TRY(gradyn_sweep_look(s, &where, &shown));
  if (!shown)
    return add_all(s, &where);
  memset(s->y_bar, 0, entries * sizeof(double));
  gradyn_sweep_clear_times(s);
  GRADYN_TRY(add_all(s, &where));
  /* from the adjoints of y to those of the node, or of the end of the step */
  GRADYN_TRY(gradyn_sweep_view_against(s));
  const int moving = s->timed ? s->march->nf : 0;
  double *t_bar = where.kind == GRADYN_IN_STEP ? s->times.step_t : s->times.node_bar;
  for (int f = 0; f < moving; f++) {
    t_bar[f] += s->t_bar[s->row[f]];
    s->times.step_h[f] += s->h_bar[s->row[f]]; /* zero at a node */
  }
  return GRADYN_OK;
}

/* Moves the derivatives by data that transposed steps have added, from the lanes to the rows of x_bar. */
static void collect_data(gradyn_sweeps *s)
{
  int nx = s->march->model->nx;
  for (int row = 0; row < s->columns; row++)
    for (int i = 0; i < nx; i++)
      s->x_bar[row * nx + i] += s->given[row / GRADYN_LANES * nx + i][row % GRADYN_LANES];
  memset(s->given, 0, gradyn_lanes_groups(s->columns) * (size_t)nx * sizeof *s->given);
}

/* Processes the step or jump to the present node backward: computes the adjoints of the node before it from
 * the adjoints of the present node. */
static gradyn_status step_back(void *sweeps, int item)
{
  gradyn_sweeps *s = sweeps;
  gradyn_fixed *march = s->march;
  const int k = s->present.k - 1;
  size_t bytes = (size_t)march->nf * sizeof(double);
  const double *from, *to, *y = NULL;
  (void)item;
  GRADYN_TRY(gradyn_fixed_nodes(march, k, &from, &to));
  gradyn_fixed_enter(march, k);
  /* a jump is a step of length 0, and the step before it may have another mode */
  if (march->step[k].jump) {
    if (march->model->log.captures.count > 0) /* dx before an event differs from dx after it */
      collect_data(s);
    GRADYN_TRY(gradyn_sweep_jump_against(s, k, from));
    gradyn_fixed_enter(march, k - 1);
    return add_point(s, gradyn_sweep_node(s, k, from));
  }
  /* adjoints of the times of this step begin with zero */
  memset(s->times.step_h, 0, bytes);
  memset(s->times.step_t, 0, bytes);
  /* in reverse order: the quadrature point, the step, the node at its start */
  if (gradyn_sweep_sampled(s))
    GRADYN_TRY(gradyn_fixed_sample(march, k, from, to, &y));
  if (gradyn_sweep_sampled(s) && !gradyn_fixed_pause(march, k))
    GRADYN_TRY(add_point(s, gradyn_sweep_inside(s, k, y)));
  /* if a boundary ends the step, its length changes the integrals of g */
  GRADYN_TRY(gradyn_sweep_lengths_against(s, k, from, to, y));
  GRADYN_TRY(gradyn_sweep_step_against(s, k, from, to));
  gradyn_adjoint_growth_node(s, k);
  return add_point(s, gradyn_sweep_node(s, k, from));
}

static gradyn_status sample_back(void *sweeps, int record)
{
  gradyn_sweeps *s = sweeps;
  return add_point(s, gradyn_sweep_record(s, record));
}

static const gradyn_record_ops back = {step_back, step_back, sample_back};

/* Computes the discrete adjoint of a fixed-step scheme, exact to round-off for the discrete run. */
gradyn_status gradyn_sweep_adjoint(gradyn_sweeps *s, const bool *active, double *psi, double *x_bar)
{
  gradyn_fixed *march = s->march;
  gradyn_model *model = march->model;
  gradyn_stepper *stepper = march->stepper;
  const double *before, *last;
  double clock = gradyn_seconds();
  GRADYN_TRY(gradyn_adjoint_growth_reserve(&s->growth, model, march->nf));
  GRADYN_TRY(gradyn_fixed_run(march, true, psi, NULL));
  s->timed = model->event_count > 0 || gradyn_arcs_move(&march->arcs, active);
  gradyn_sweeps_sort(s);
  gradyn_sweeps_begin(s);
  gradyn_adjoint_growth_begin(&s->growth, GRADYN_GROWTH_AGAINST, s->columns, march->count);
  /* adjoints of boundary times, initially zero */
  GRADYN_TRY(gradyn_sweep_events_begin(s, march->nf));
  memset(s->x_bar, 0, (size_t)march->nf * (size_t)model->nx * sizeof(double));
  memset(s->given, 0, gradyn_lanes_groups(march->nf) * (size_t)model->nx * sizeof *s->given);
  memset(s->s_bar, 0, gradyn_sweeps_lanes(march) * sizeof *s->s_bar);
  GRADYN_TRY(gradyn_fixed_nodes(march, march->count - 1, &before, &last));
  const bool ended = gradyn_fixed_ended(march);
  gradyn_fixed_enter(march, march->count - 1);
  for (int f = 0; f < march->nf; f++)
    /* if an event ends the run, its guard receives the adjoint of the end time */
    s->times.node_bar[f] = ended ? s->end_bar[f] : 0;
  GRADYN_TRY(add_point(s, gradyn_sweep_node(s, march->count, last)));
  GRADYN_TRY(gradyn_tape_against(&march->tape, &back, s));
  collect_data(s);
  for (int f = 0; f < march->nf; f++) {
    double *of_data = s->x_bar + s->row[f] * model->nx;
    /* from the adjoint of the first node to data, by the initial state */
    if (s->row[f] < s->columns)
      GRADYN_TRY(
          stepper->ops->start_transposed(stepper, gradyn_sweeps_column(s, s->row[f]), of_data));
    gradyn_sweep_boundaries_against(s, f, of_data);
    /* functionals at fixed times do not depend on the end time */
    if (!gradyn_functional_stays(&model->functional[f]) && !ended)
      of_data[model->t_end] += s->end_bar[f];
    memcpy(x_bar + f * model->nx, of_data, (size_t)model->nx * sizeof(double));
  }
  GRADYN_TRY(gradyn_adjoint_growth_end(s, active));
  march->report.cost.steps_backward = march->count;
  march->report.cost.time_gradient = gradyn_seconds() - clock;
  return GRADYN_OK;
}
