/* The direct sweep: derivatives of the states in all directions, from the first node to the last.
 *
 * From node to node, and for each direction, ds = (d step/ds) ds + (d step/dx) dx + (d step/dh) dh + (d
 * step/dt) dt. At each node and quadrature point, g_y dy + g_x dx is added for the functionals that are
 * evaluated there. If directions change the times of boundaries, they also change the lengths h and times t
 * of steps. */
#include "adjoint/fixed/sweep_points.h"
#include "adjoint/tangents.h"
#include "core/base/clock.h"
#include "core/linear/norm.h"
#include "core/linear/rows.h"

#include <math.h>
#include <string.h>

/* Allocates arrays for this number of directions. */
static gradyn_status take(gradyn_sweeps *s, int count)
{
  const gradyn_stepper *stepper = s->march->stepper;
  const size_t nx = (size_t)s->march->model->nx, packs = gradyn_lanes_groups(count);
  const size_t directions = (size_t)count;
  gradyn_arena *arena = &s->of_directions;
  gradyn_arena_clear(arena);
  /* for each direction: dx, and the changes of step lengths and times */
  s->dx = gradyn_arena_numbers(arena, directions * nx);
  s->dh = gradyn_arena_numbers(arena, directions);
  s->dt = gradyn_arena_numbers(arena, directions);
  /* lanes of four directions: ds, dy, dx, and sums for each functional */
  s->ds = gradyn_arena_lanes(arena, packs * (size_t)stepper->ns);
  s->dy = gradyn_arena_lanes(arena, stepper->ops->complete ? packs * (size_t)stepper->ny : 0);
  s->fed = gradyn_arena_lanes(arena, packs * nx);
  s->sum = gradyn_arena_lanes(arena, packs * (size_t)s->march->nf);
  s->capacity = gradyn_arena_status(arena) == GRADYN_OK ? count : 0;
  return s->capacity > 0
             ? GRADYN_OK
             : gradyn_fail(&s->march->model->message, GRADYN_NO_MEMORY,
                           "out of memory for %d sensitivities: use the adjoint", count);
}

/* Prepares arrays of all directions: dx as full columns and in lanes, and changes of the boundary times of
 * the last run. */
static gradyn_status reserve(gradyn_sweeps *s, const gradyn_directions *directions)
{
  int nx = s->march->model->nx;
  /* functionals at fixed times need one further direction for each boundary */
  s->held = gradyn_sweep_count_held(s);
  s->count = directions->count + s->held;
  GRADYN_TRY(s->count > s->capacity ? take(s, s->count) : GRADYN_OK);
  GRADYN_TRY(gradyn_adjoint_growth_reserve(&s->growth, s->march->model, s->count));
  /* from sparse columns to full columns dx */
  memset(s->dx, 0, (size_t)s->count * (size_t)nx * sizeof(double));
  for (int j = 0; j < directions->count; j++)
    for (int k = directions->start[j]; k < directions->start[j + 1]; k++)
      s->dx[j * nx + directions->index[k]] = directions->value[k];
  gradyn_sweep_feed(s);
  memset(s->dh, 0, (size_t)s->count * sizeof(double));
  memset(s->dt, 0, (size_t)s->count * sizeof(double));
  GRADYN_TRY(gradyn_sweep_events_begin(s, s->count));
  gradyn_fixed_enter(s->march, 0);
  s->timed = gradyn_sweep_boundaries_along(s) || s->march->model->event_count > 0;
  return GRADYN_OK;
}

/* Returns whether four numbers are zero. */
GRADYN_KERNEL bool none(const double *x)
{
  const gradyn_lanes four = *(const gradyn_lanes_anywhere *)x;
  return !gradyn_lanes_any(1, &four);
}

/* Adds bar . dy of each direction to sum [packs], where only the first `reach` entries of bar may be
 * nonzero. Sets these entries to zero. dy consists of batches of `size`. */
static GRADYN_WIDE void add_products(double *bar, int reach, int packs, int size,
                                     const gradyn_lanes *dy, gradyn_lanes *sum)
{
  int i = 0;
  for (; i + GRADYN_LANES <= reach; i += GRADYN_LANES) {
    double *b = bar + i;
    if (none(b)) /* most functionals read few states */
      continue;
    const gradyn_lanes *d = dy + i;
    for (int k = 0; k < packs; k++, d += size)
      sum[k] += b[0] * d[0] + b[1] * d[1] + b[2] * d[2] + b[3] * d[3];
    memset(b, 0, GRADYN_LANES * sizeof *b);
  }
  for (; i < reach; i++) { /* fewer than four entries remain */
    const double weight = bar[i];
    bar[i] = 0;
    for (int k = 0; k < packs && weight != 0; k++)
      sum[k] += weight * dy[k * size + i];
  }
}

/* Adds the changes of functional f that are caused by changes of the time of a point. */
static void move_point(const gradyn_sweeps *s, const gradyn_sweep_point *where, int f,
                       double *gradient)
{
  /* the quadrature point is (1 - share) h before the end of the step; this end moves by dt */
  double rest = where->kind == GRADYN_IN_STEP ? 1 - s->march->stepper->share : 0;
  const int count = s->count - s->held;
  const int moving = s->timed ? count : 0;
  for (int j = 0; j < moving; j++)
    gradient[f * count + j] += s->times.point_t[f] * (s->dt[j] - rest * s->dh[j]);
}

/* Corrects the row of functional f if it is evaluated at a fixed time. This time does not move, but the
 * node does; so the change caused by the motion of the node is subtracted. y_bar contains the derivatives
 * of f; dy consists of batches of `size`. */
static void hold(const gradyn_sweeps *s, int f, const gradyn_lanes *dy, int size, double *row)
{
  const int count = s->count - s->held, alone = gradyn_sweep_held_direction(s, f);
  if (alone < 0)
    return;
  gradyn_lane_get(dy, size, alone, s->column);
  const double moved = gradyn_dot(s->y_bar, s->column, s->reach[f]) +
                       s->times.point_t[f] * s->dt[alone];
  const double *move = s->times.boundary + gradyn_sweep_held_boundary(s, f) * s->count;
  for (int j = 0; j < count; j++)
    row[j] -= move[j] * moved;
}

/* Adds the directional derivatives of the functionals evaluated at a point. The part by states, which
 * change by dy (in batches of `size`), is added to s->sum. All other parts are added to gradient
 * [nf][directions], x_bar and end_bar. y_bar [ny] is zero before and after the call. */
static gradyn_status collect(gradyn_sweeps *s, const gradyn_sweep_point *where,
                             const gradyn_lanes *dy, int size)
{
  double *gradient = s->present.gradient;
  const gradyn_model *model = s->march->model;
  const int count = s->count - s->held, packs = (int)gradyn_lanes_groups(s->count);
  for (int i = 0; i < where->count; i++) {
    const int f = where->list[i];
    bool any;
    /* y_bar = psi_y at this point, x_bar += psi_x */
    GRADYN_TRY(gradyn_sweep_add_parts(s, f, where, s->y_bar, 1, s->x_bar + f * model->nx, &any));
    if (!any)
      continue;
    /* changes by the time of the point */
    move_point(s, where, f, gradient);
    hold(s, f, dy, size, gradient + f * count);
    /* psi' += y_bar dy */
    add_products(s->y_bar, s->reach[f], packs, size, dy, s->sum + f * packs);
  }
  return GRADYN_OK;
}

/* Adds the sums over states to gradient [nf][directions]. */
static void collect_sums(const gradyn_sweeps *s, double *gradient)
{
  const int count = s->count - s->held, packs = (int)gradyn_lanes_groups(s->count);
  for (int f = 0; f < s->march->nf; f++)
    for (int j = 0; j < count; j++)
      gradient[f * count + j] += *gradyn_lane(s->sum + f * packs, 1, j);
}

/* Adds the derivatives by data and by the end time, which x_bar and end_bar contain for the whole run. */
static void collect_rest(const gradyn_sweeps *s, const gradyn_directions *directions,
                         double *gradient)
{
  const gradyn_model *model = s->march->model;
  /* changes of the end time, more exact than the sum of the changes of all step lengths */
  const double *end = s->times.boundary + s->march->arcs.count * s->count;
  for (int f = 0; f < s->march->nf; f++)
    for (int j = 0; j < directions->count; j++) {
      double *sum = &gradient[f * directions->count + j];
      for (int k = directions->start[j]; k < directions->start[j + 1]; k++)
        /* psi_x dx */
        *sum += s->x_bar[f * model->nx + directions->index[k]] * directions->value[k];
      if (!gradyn_functional_stays(&model->functional[f]))
        *sum += s->end_bar[f] * (gradyn_fixed_ended(s->march) ? s->dt[j] : end[j]);
    }
}

/* Adds the contributions of the functionals that are evaluated at a point. */
static gradyn_status collect_point(gradyn_sweeps *s, gradyn_sweep_point where)
{
  const gradyn_stepper *stepper = s->march->stepper;
  bool shown;
  GRADYN_TRY(gradyn_sweep_look(s, &where, &shown));
  if (shown) /* dy of y */
    GRADYN_TRY(gradyn_sweep_view_along(s));
  return stepper->ops->complete ? collect(s, &where, s->dy, stepper->ny)
                                : collect(s, &where, s->ds, stepper->ns);
}

/* Records the present node and its derivatives in the tangents of all directions, if its time is requested.
 */
static gradyn_status record_node(gradyn_sweeps *s)
{
  gradyn_tangents *tangents = s->present.tangents;
  const int k = s->present.k;
  gradyn_fixed *march = s->march;
  gradyn_stepper *stepper = march->stepper;
  /* times of steps are sums with round-off */
  const double near = fmax(gradyn_arcs_closest(march->model),
                           1e-9 * gradyn_fixed_length(march, k > 0 ? k - 1 : 0));
  if (!tangents || !gradyn_tangents_wants(tangents, gradyn_fixed_time(march, k), near))
    return GRADYN_OK;
  /* for schemes whose state is not y */
  bool completed = stepper->ops->complete != NULL;
  const gradyn_lanes *dy = completed ? s->dy : s->ds;
  const int size = completed ? stepper->ny : stepper->ns;
  const double *y;
  /* the complete y, as in trajectories */
  GRADYN_TRY(gradyn_fixed_output_state(march, k, s->present.node, GRADYN_FORCES, &y));
  if (completed)
    GRADYN_TRY(gradyn_sweep_view_along(s));
  GRADYN_TRY(gradyn_tangents_node(tangents, gradyn_fixed_time(march, k), y, NULL));
  /* dy of each direction; dt is the change of the node's time */
  for (int j = 0; j < tangents->count; j++) {
    gradyn_lane_get(dy, size, j, s->column);
    GRADYN_TRY(gradyn_tangents_add_moving(tangents, j, s->column, y, s->dt[j]));
  }
  return GRADYN_OK;
}

/* Processes the step or jump from the present node: computes ds of the next node, then adds the
 * contributions of the quadrature point and of the next node. */
static gradyn_status step_along(void *sweeps, int item)
{
  gradyn_sweeps *s = sweeps;
  gradyn_fixed *march = s->march;
  const int k = s->present.k;
  const bool pause = gradyn_fixed_pause(march, k);
  const double *from, *to, *y = NULL;
  (void)item;
  GRADYN_TRY(gradyn_fixed_nodes(march, k, &from, &to));
  GRADYN_TRY(gradyn_sweep_along(s, k, from, to, s->present.gradient));
  gradyn_adjoint_growth_node(s, k + 1);
  if (gradyn_sweep_sampled(s) && !march->step[k].jump)
    GRADYN_TRY(gradyn_fixed_sample(march, k, from, to, &y));
  if (y && !pause)
    GRADYN_TRY(collect_point(s, gradyn_sweep_inside(s, k, y)));
  /* derivatives of integrals over the step by its length; a jump has none */
  GRADYN_TRY(gradyn_sweep_lengths_along(s, k, from, to, y, s->present.gradient));
  GRADYN_TRY(collect_point(s, gradyn_sweep_node(s, k + 1, to)));
  return pause ? GRADYN_OK : record_node(s); /* a step of length 0 ends at the same node */
}

static gradyn_status sample_along(void *sweeps, int record)
{
  gradyn_sweeps *s = sweeps;
  return collect_point(s, gradyn_sweep_record(s, record));
}

static const gradyn_record_ops along = {step_along, step_along, sample_along};

/* Returns whether derivatives of multipliers are needed: for tangents, for functionals, or for events,
 * which may read multipliers. */
static bool looks_at_multipliers(const gradyn_sweeps *s, const gradyn_tangents *tangents)
{
  bool any = tangents || s->march->model->event_count > 0;
  for (int f = 0; f < s->march->nf; f++)
    any = any || s->reach[f] > 3 * s->march->model->mech->n;
  return any;
}

/* Processes the first node, then all records of the tape. */
static gradyn_status go_along(gradyn_sweeps *s)
{
  gradyn_fixed *march = s->march;
  const double *from, *to;
  GRADYN_TRY(gradyn_fixed_nodes(march, 0, &from, &to));
  gradyn_fixed_enter(march, 0);
  /* derivatives of multipliers cost a solve in each step */
  march->stepper->multipliers = looks_at_multipliers(s, s->present.tangents);
  GRADYN_TRY(collect_point(s, gradyn_sweep_node(s, 0, from)));
  GRADYN_TRY(record_node(s));
  return gradyn_tape_along(&march->tape, march->tape.count, &along, s);
}

/* Runs the direct sweep: derivatives of all functionals, with one column for each direction. */
gradyn_status gradyn_sweep_direct(gradyn_sweeps *s, const gradyn_directions *directions,
                                  double *psi, double *gradient)
{
  gradyn_fixed *march = s->march;
  gradyn_stepper *stepper = march->stepper;
  int nx = march->model->nx, nf = march->nf;
  double clock = gradyn_seconds();
  GRADYN_TRY(gradyn_fixed_run(march, true, psi, NULL)); /* stores its nodes */
  GRADYN_TRY(reserve(s, directions));
  /* slopes of outer functions need the integrals of the run */
  gradyn_sweeps_begin(s);
  s->present.gradient = gradient;
  s->present.tangents = directions->tangents;
  gradyn_adjoint_growth_begin(&s->growth, GRADYN_GROWTH_ALONG, s->count, march->count);
  /* derivatives by states go to gradient, those by data and end time to x_bar and end_bar */
  memset(gradient, 0, (size_t)nf * (size_t)directions->count * sizeof(double));
  memset(s->x_bar, 0, (size_t)nf * (size_t)nx * sizeof(double));
  memset(s->y_bar, 0, (size_t)march->stepper->ny * sizeof(double));
  /* columns begin with the derivatives of the initial state */
  for (int j = 0; j < s->count; j++) {
    GRADYN_TRY(stepper->ops->start_tangent(stepper, s->dx + j * nx, s->column));
    gradyn_lane_put(s->column, stepper->ns, j, s->ds);
  }
  memset(s->sum, 0, (size_t)nf * gradyn_lanes_groups(s->count) * sizeof *s->sum);
  GRADYN_TRY(go_along(s));
  collect_sums(s, gradient);
  collect_rest(s, directions, gradient);
  GRADYN_TRY(gradyn_adjoint_growth_end(s, NULL));
  march->report.cost.time_gradient = gradyn_seconds() - clock;
  return GRADYN_OK;
}
