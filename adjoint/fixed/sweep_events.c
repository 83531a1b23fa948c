/* Sweeps through events: derivatives of step lengths, and of jumps. If a step ends at an event, the root of
 * the guard r determines its length. Jumps are steps of length 0. */
#include "adjoint/fixed/sweep_events.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mech/vector.h"
#include "core/linear/norm.h"
#include "dae/start/initial_parts.h"

/* Clears the array for the boundaries of this run, and makes it large enough: `width` entries for each. */
gradyn_status gradyn_sweep_events_begin(gradyn_sweeps *s, int width)
{
  size_t need = ((size_t)s->march->arcs.count + 1) * (size_t)width + 1;
  if (need > s->times.boundary_room) {
    double *grown = realloc(s->times.boundary, need * sizeof *grown);
    if (!grown)
      return gradyn_fail(&s->march->model->message, GRADYN_NO_MEMORY,
                         "out of memory for a gradient");
    s->times.boundary = grown;
    s->times.boundary_room = need;
  }
  s->times.g_of[0] = s->times.g_of[1] = -1;
  /* [boundaries][width]: changes of boundary times by direction, or adjoints of these times */
  memset(s->times.boundary, 0, need * sizeof *s->times.boundary);
  return GRADYN_OK;
}

/* Computes r_s, the derivative of the guard by the scheme's state s, from r_y in s->times.change, where y
 * is not s. */
static gradyn_status hand_on_rates(gradyn_sweeps *s)
{
  gradyn_stepper *stepper = s->march->stepper;
  int ns = stepper->ns, nx = s->march->model->nx;
  gradyn_lanes *data = s->times.lane + ns;
  memset(s->times.lane, 0, (size_t)(ns + nx) * sizeof *s->times.lane);
  /* r_s = y_s^T r_y; because y(s, x, t) depends on data and time, r_y also adds to r_x and r_t */
  const gradyn_view_bars adjoints = {
      .count = 1, .s_bar = s->times.lane, .x_bar = data, .t_bar = &s->times.root.t};
  GRADYN_TRY(stepper->ops->view_transposed(stepper, &s->march->view, s->times.change, &adjoints));
  for (int i = 0; i < ns; i++)
    s->times.r_s[i] = s->times.lane[i][0];
  for (int i = 0; i < nx; i++)
    s->times.r_x[i] += data[i][0];
  return GRADYN_OK;
}

/* Computes the derivatives r_s, r_x and r_t of the guard at the end of a step that ends at an event. Must
 * be called before linearise() of this step. */
static gradyn_status find_guard(gradyn_sweeps *s, int k, const double *to)
{
  gradyn_fixed *march = s->march;
  gradyn_stepper *stepper = march->stepper;
  const gradyn_passed_event *event = gradyn_fixed_event(march, k);
  if (!event)
    return GRADYN_OK;
  /* the node has positions; velocities may have to be computed first */
  const bool shown = stepper->ops->complete &&
                     gradyn_guard_reads_rates(&march->model->event[event->record.event]);
  const double *y = to;
  memset(s->times.r_s, 0, (size_t)stepper->ns * sizeof(double));
  /* r_y, r_x and r_t at the event, which is at the end of the step */
  if (shown)
    GRADYN_TRY(gradyn_fixed_output_state(march, k + 1, to, GRADYN_VELOCITIES, &y));
  GRADYN_TRY(gradyn_guard_root(
      &march->events.watch.guards, &event->record, y, shown ? stepper->ny : stepper->ns,
      shown ? s->times.change : s->times.r_s, s->times.r_x, &s->times.root));
  s->times.root.s = s->times.r_s;
  s->times.root.ns = stepper->ns;
  return shown ? hand_on_rates(s) : GRADYN_OK;
}

/* Computes S_theta of a step of length 0, the rate of the state at its node. Accelerations and multipliers
 * follow from the equations of motion. */
static gradyn_status differentiate_pause(gradyn_sweeps *s, int k, const double *node)
{
  gradyn_fixed *march = s->march;
  gradyn_initial *force = &march->force;
  const size_t n = (size_t)march->model->mech->n;
  const double *y, t = gradyn_fixed_time(march, k);
  GRADYN_TRY(gradyn_fixed_output_state(march, k, node, GRADYN_FORCES, &y));
  GRADYN_TRY(gradyn_initial_accelerate(force, t, y, y + n));
  const gradyn_mech_state at = gradyn_initial_motion_state(force, t, y, y + n);
  memcpy(s->times.change, at.v, n * sizeof(double));
  memcpy(s->times.change + n, at.a, n * sizeof(double));
  GRADYN_TRY(gradyn_initial_accelerate_tangent(
      force, &at, &(gradyn_mech_vector){.t = 1, .q = s->times.change, .v = s->times.change + n},
      s->times.change + 2 * n));
  return march->stepper->ops->enter_tangent(march->stepper, y, NULL, s->times.change, s->times.S);
}

/* Computes the derivatives by the length theta of a step: S_theta of the state at its end, and r' of the
 * guard. The step is the one of the last linearise(), or has length 0. */
static gradyn_status differentiate_guard(gradyn_sweeps *s, int k, const double *to)
{
  gradyn_stepper *stepper = s->march->stepper;
  const double one = 1;
  if (gradyn_fixed_pause(s->march, k)) {
    GRADYN_TRY(differentiate_pause(s, k, to));
    s->times.root.rate = gradyn_dot(s->times.r_s, s->times.S, stepper->ns) + s->times.root.t;
    return GRADYN_OK;
  }
  memset(s->times.lane, 0, (size_t)stepper->ns * sizeof *s->times.lane);
  /* functionals and guards may read the multipliers at the end of the step, which change with its length */
  stepper->multipliers = true;
  /* S_theta = ds'/dtheta, where a longer step also ends later: dh = dt = 1 */
  GRADYN_TRY(stepper->ops->tangent(stepper, 1, NULL, &one, &one, s->times.lane));
  gradyn_lane_get(s->times.lane, stepper->ns, 0, s->times.S);
  s->times.root.rate = gradyn_dot(s->times.r_s, s->times.S, stepper->ns) +
                       s->times.root.t; /* r' = r_s S_theta + r_t */
  return GRADYN_OK;
}

/* Evaluates the integrands at node k, unless a row of g contains them. Uses the row that does not contain
 * those of node `other`. */
static gradyn_status integrands_at(gradyn_sweeps *s, int k, const double *node, int other)
{
  const int row = s->times.g_of[0] == other;
  if (s->times.g_of[0] == k || s->times.g_of[1] == k)
    return GRADYN_OK;
  s->times.g_of[row] = k;
  return gradyn_fixed_integrands(s->march, gradyn_fixed_time(s->march, k), node,
                                 s->times.g + row * s->march->nf);
}

/* Computes integrands at both ends of step k; or at its quadrature point y, and uses them for both ends.
 * Integrands at a node are evaluated once for the two steps that share it. */
static gradyn_status integrands(gradyn_sweeps *s, int k, const double *from, const double *to,
                                const double *y)
{
  gradyn_fixed *march = s->march;
  double *g = s->times.g;
  if (!y) {
    GRADYN_TRY(integrands_at(s, k, from, k + 1));
    return integrands_at(s, k + 1, to, k);
  }
  GRADYN_TRY(
      gradyn_fixed_integrands(march, gradyn_fixed_sample_fraction(march, k) * march->t_end, y, g));
  /* integrands at the quadrature point represent the whole step, and so both of its ends */
  memcpy(g + march->nf, g, (size_t)march->nf * sizeof(double));
  return GRADYN_OK;
}

/* Returns whether the length of a step depends on times of events or boundaries. */
static bool has_length(const gradyn_sweeps *s, int k)
{
  return s->timed && s->march->step[k].law != GRADYN_LENGTH_GIVEN;
}

/* Returns the derivative of the integral of functional f with respect to the length of the step. g contains
 * the integrands of the step. */
static double gain(const gradyn_sweeps *s, int f)
{
  const double *g = s->times.g;
  /* psi' (g_k + g_k+1)/2, the derivative of the trapezoidal rule by h */
  return s->slope[f] * (g[f] + g[s->march->nf + f]) / 2;
}

/* Repeats the jump at item k of the steps, so that the state after it and the impact are available. */
static gradyn_status repeat_jump(gradyn_sweeps *s, int k, const double *from)
{
  return gradyn_fixed_jump(s->march, k, from, s->march->trial, NULL);
}

/* Returns the mode before jump k. */
static int mode_before(const gradyn_sweeps *s, int k)
{
  return s->march->arcs.boundary[s->march->step[k - 1].arc].discrete.mode;
}

/* Returns the state after the present jump. */
static gradyn_mech_state behind(const gradyn_sweeps *s, int k)
{
  const double *y = s->march->y[1];
  int n = s->march->model->mech->n;
  return gradyn_initial_motion_state(&s->march->force, gradyn_fixed_time(s->march, k), y, y + n);
}

/* --- along ------------------------------------------------------------------------------------ */

/* Prepares step k for its tangents or transposes: derivatives of the guard at its end, and factors of
 * matrices, which steps of length zero do not have. */
static gradyn_status linearise(gradyn_sweeps *s, int k, const double *from, const double *to)
{
  gradyn_fixed *march = s->march;
  GRADYN_TRY(find_guard(s, k, to));
  return gradyn_fixed_pause(march, k)
             ? GRADYN_OK
             : march->stepper->ops->linearise(march->stepper, gradyn_fixed_time(march, k),
                                              gradyn_fixed_length(march, k), from, to);
}

/* Propagates all directions through step k. */
static gradyn_status step_along(gradyn_sweeps *s, int k, const double *from, const double *to)
{
  gradyn_stepper *stepper = s->march->stepper;
  const gradyn_fixed_step *step = &s->march->step[k];
  int nx = s->march->model->nx, ns = stepper->ns;
  const double *b0 = s->times.boundary + step->arc * s->count;
  const int moving = s->timed ? s->count : 0;
  GRADYN_TRY(linearise(s, k, from, to));
  gradyn_length_along(&(gradyn_length){step->law, step->share}, moving,
                      (const double *const[2]){b0, b0 + s->count}, s->dt, s->dh);
  for (int j = 0; j < moving; j++)
    s->dt[j] += s->dh[j]; /* t' = t + h */
  if (!gradyn_fixed_pause(s->march, k))
    GRADYN_TRY(stepper->ops->tangent(stepper, s->count, s->fed, s->dh, s->dt, s->ds));
  if (step->law != GRADYN_LENGTH_EVENT)
    return GRADYN_OK;
  gradyn_adjoint_growth_before_jump(s);
  GRADYN_TRY(differentiate_guard(s, k, to));
  for (int j = 0; j < s->count; j++) {
    double *ds = gradyn_lane(s->ds, ns, j);
    gradyn_lane_get(s->ds, ns, j, s->column);
    s->dh[j] = gradyn_root_along(&s->times.root, s->column, s->dx + j * nx, s->dt[j]); /* dtheta */
    s->dt[j] += s->dh[j];
    for (int i = 0; i < ns; i++)
      ds[i * GRADYN_LANES] += s->times.S[i] * s->dh[j]; /* ds' + S_theta dtheta */
  }
  return GRADYN_OK;
}

/* Adds the changes of the integrals over step k by the change dh of its length: psi' (g_k + g_k+1)/2 dh. */
gradyn_status gradyn_sweep_lengths_along(gradyn_sweeps *s, int k, const double *from,
                                         const double *to, const double *y, double *gradient)
{
  if (!has_length(s, k))
    return GRADYN_OK;
  GRADYN_TRY(integrands(s, k, from, to, y));
  const int count = s->count - s->held;
  /* g dh, times the slope psi' of the outer function */
  for (int f = 0; f < s->march->nf; f++)
    for (int j = 0; j < count; j++)
      gradient[f * count + j] += gain(s, f) * s->dh[j];
  return GRADYN_OK;
}

void gradyn_sweep_feed(gradyn_sweeps *s)
{
  int nx = s->march->model->nx;
  for (int j = 0; j < s->count; j += GRADYN_LANES)
    gradyn_lanes_load(nx, s->count - j < GRADYN_LANES ? s->count - j : GRADYN_LANES, s->dx + j * nx,
                      nx, s->fed + j / GRADYN_LANES * nx);
}

/* Propagates directions across an event or a boundary. */
static gradyn_status jump_along(gradyn_sweeps *s, int k, const double *from, double *gradient)
{
  gradyn_fixed *march = s->march;
  gradyn_stepper *stepper = march->stepper;
  const gradyn_mech_state at = behind(s, k);
  int n = march->model->mech->n, nx = march->model->nx;
  bool shown = stepper->ops->complete != NULL;
  const gradyn_passed_event *event = gradyn_fixed_event(march, k);
  if (!event) /* for events, this was done at the end of the previous step */
    gradyn_adjoint_growth_before_jump(s);
  /* the impact, and the forces after it */
  GRADYN_TRY(repeat_jump(s, k, from));
  /* dy of the node before the jump, in the mode before it */
  const int mode = gradyn_discrete_state_switch_mode(march->model, mode_before(s, k));
  const gradyn_status status = shown ? gradyn_sweep_view_along(s) : GRADYN_OK;
  (void)gradyn_discrete_state_switch_mode(march->model, mode);
  GRADYN_TRY(status);
  for (int j = 0; j < s->count; j++) {
    double *dx = s->dx + j * nx;
    double *dy_before = s->column, *dy = s->times.change, impulse = 0;
    /* (dq, dv) before the jump, here first copied as (dq, dv) after it */
    if (shown)
      gradyn_lane_get(s->dy, stepper->ny, j, dy_before);
    else
      gradyn_lane_get(s->ds, stepper->ns, j, dy_before);
    memcpy(dy, dy_before, 2 * (size_t)n * sizeof(double));
    /* a boundary without event is no impact */
    if (event)
      GRADYN_TRY(
          gradyn_impact_tangent(&s->march->events.impact, dx, s->dt[j], dy_before, dy, &impulse));
    /* da and dlam by the equations of motion after the jump */
    GRADYN_TRY(gradyn_initial_accelerate_tangent(
        &s->march->force, &at, &(gradyn_mech_vector){dx, s->dt[j], dy, dy + n}, dy + 2 * n));
    /* ds of the scheme, which restarts at the state after the jump */
    GRADYN_TRY(stepper->ops->enter_tangent(stepper, s->march->y[1], dx, dy, s->column));
    gradyn_lane_put(s->column, stepper->ns, j, s->ds);
    for (int f = 0; f < march->nf && gradient; f++)
      if (event && j < s->count - s->held &&
          gradyn_functional_is_impulse(&march->model->functional[f], &event->record, event->number))
        gradient[f * (s->count - s->held) + j] += impulse;
  }
  gradyn_adjoint_growth_after_jump(s);
  if (march->model->log.captures.count > 0) /* data, and so dx, change at the event */
    gradyn_sweep_feed(s);
  return GRADYN_OK;
}

gradyn_status gradyn_sweep_along(gradyn_sweeps *s, int k, const double *from, const double *to,
                                 double *gradient)
{
  gradyn_fixed_enter(s->march, k);
  return s->march->step[k].jump ? jump_along(s, k, from, gradient) : step_along(s, k, from, to);
}

/* --- against ---------------------------------------------------------------------------------- */

/* Adds the derivative of psi by the length of step k to its adjoint step_h. */
gradyn_status gradyn_sweep_lengths_against(gradyn_sweeps *s, int k, const double *from,
                                           const double *to, const double *y)
{
  if (!has_length(s, k))
    return GRADYN_OK;
  /* h_bar = psi' (g_k + g_k+1)/2 */
  GRADYN_TRY(integrands(s, k, from, to, y));
  for (int f = 0; f < s->march->nf; f++)
    s->times.step_h[f] += gain(s, f);
  return GRADYN_OK;
}

/* The length of a step to an event is determined by the guard: passes the adjoints of this length to the
 * state and the time at the end of the step, and to the data. */
static gradyn_status solve_length(gradyn_sweeps *s, int k, const double *to)
{
  int nx = s->march->model->nx, ns = s->march->stepper->ns;
  GRADYN_TRY(differentiate_guard(s, k, to));
  for (int f = 0; f < s->march->nf; f++) {
    int row = s->row[f];
    if (row >= s->columns)
      continue;
    /* adjoint of the length: by the state at the end of the step, by the time of this end, and by integrals
     * over the step */
    double bar = gradyn_dot(gradyn_sweeps_column(s, row), s->times.S, ns) + s->times.node_bar[f] +
                 s->times.step_h[f] + s->times.step_t[f];
    s->times.node_bar[f] += gradyn_root_against(&s->times.root, bar, gradyn_sweeps_lane(s, row),
                                                GRADYN_LANES, s->x_bar + row * nx);
  }
  gradyn_adjoint_growth_after_jump(s);
  return GRADYN_OK;
}

/* Processes step k backward: from the adjoints of the node at its end to those of the node at its start,
 * and of the boundary times that determine its length and time. */
gradyn_status gradyn_sweep_step_against(gradyn_sweeps *s, int k, const double *from,
                                        const double *to)
{
  gradyn_stepper *stepper = s->march->stepper;
  const gradyn_fixed_step *step = &s->march->step[k];
  double *b0 = s->times.boundary + step->arc * s->march->nf;
  if (s->columns > 0)
    GRADYN_TRY(linearise(s, k, from, to));
  /* if the step ends at an event, r = 0 determines its length */
  if (step->law == GRADYN_LENGTH_EVENT && s->columns > 0)
    GRADYN_TRY(solve_length(s, k, to));
  gradyn_sweep_clear_times(s);
  if (s->columns > 0 && !gradyn_fixed_pause(s->march, k))
    GRADYN_TRY(stepper->ops->transposed(stepper, s->columns, s->s_bar, s->given,
                                        has_length(s, k) ? s->h_bar : NULL,
                                        s->timed ? s->t_bar : NULL));
  const int moving = s->timed ? s->march->nf : 0;
  for (int f = 0; f < moving; f++) {
    const int row = s->row[f];
    /* the node at the end of the step has the time t + h */
    s->times.node_bar[f] += s->times.step_t[f] + s->t_bar[row];
    s->times.step_h[f] += s->h_bar[row] + s->times.node_bar[f];
  }
  gradyn_length_against(&(gradyn_length){step->law, step->share}, moving, s->times.step_h,
                        s->times.node_bar, (double *const[2]){b0, b0 + s->march->nf});
  return GRADYN_OK;
}

/* Passes functional f through a jump backward: replaces y_bar [ny], the adjoint of the state after the
 * jump, by the adjoint of the state before it. */
static gradyn_status jump_row(gradyn_sweeps *s, int k, int f, double *y_bar, double *x_bar)
{
  gradyn_stepper *stepper = s->march->stepper;
  const gradyn_mech_state at = behind(s, k);
  const gradyn_passed_event *event = gradyn_fixed_event(s->march, k);
  int n = s->march->model->mech->n, ny = stepper->ny;
  /* if the functional is this impulse itself, its derivative by the impulse is 1, otherwise 0 */
  const double impulse_bar = event && gradyn_functional_is_impulse(&s->march->model->functional[f],
                                                                   &event->record, event->number);
  /* first from the scheme's state to (q, v, a) after the jump, then from a to (q, v) by the equations of
   * motion */
  memset(y_bar, 0, (size_t)ny * sizeof(double));
  GRADYN_TRY(stepper->ops->enter_transposed(stepper, s->march->y[1],
                                            gradyn_sweeps_column(s, s->row[f]), y_bar, x_bar));
  GRADYN_TRY(gradyn_initial_accelerate_transposed(
      &s->march->force, &at, y_bar + 2 * n,
      &(gradyn_mech_sums){x_bar, &s->times.node_bar[f], y_bar, y_bar + n}));
  if (!event) { /* positions and velocities continue */
    memset(y_bar + 2 * n, 0, (size_t)(ny - 2 * n) * sizeof(double));
    return GRADYN_OK;
  }
  /* from the adjoints of (q, v) after the impact to those of (q, v) before it */
  memcpy(s->times.yp_bar, y_bar, 2 * (size_t)n * sizeof(double));
  memset(y_bar, 0, (size_t)ny * sizeof(double));
  return gradyn_impact_transposed(&s->march->events.impact, s->times.yp_bar, impulse_bar, y_bar,
                                  x_bar, &s->times.node_bar[f]);
}

/* Passes the adjoints of all functionals through a jump backward. */
gradyn_status gradyn_sweep_jump_against(gradyn_sweeps *s, int k, const double *from)
{
  gradyn_fixed *march = s->march;
  gradyn_stepper *stepper = march->stepper;
  int ny = stepper->ny, nx = march->model->nx;
  gradyn_adjoint_growth_before_jump(s);
  GRADYN_TRY(repeat_jump(s, k, from));
  for (int f = 0; f < march->nf; f++)
    if (s->row[f] < s->columns)
      GRADYN_TRY(jump_row(s, k, f, s->y_bar + s->row[f] * ny, s->x_bar + s->row[f] * nx));
  /* adjoints of s before the jump, in the mode before it: by the transpose of y(s, x, t), unless y is s */
  (void)gradyn_discrete_state_switch_mode(march->model, mode_before(s, k));
  memset(s->s_bar, 0, gradyn_sweeps_lanes(march) * sizeof *s->s_bar);
  gradyn_sweep_clear_times(s);
  if (stepper->ops->complete && s->columns > 0)
    GRADYN_TRY(gradyn_sweep_view_against(s));
  for (int f = 0; f < march->nf; f++) {
    int row = s->row[f];
    if (row >= s->columns)
      continue;
    /* y is s: the adjoints are written to the lanes of s */
    double *lane = gradyn_sweeps_lane(s, row);
    for (int i = 0; i < ny && !stepper->ops->complete; i++)
      lane[i * GRADYN_LANES] = s->y_bar[row * ny + i];
    s->times.node_bar[f] += s->t_bar[row];
  }
  if (!gradyn_fixed_event(march, k)) /* at an event, solve_length() does this later */
    gradyn_adjoint_growth_after_jump(s);
  return GRADYN_OK;
}
