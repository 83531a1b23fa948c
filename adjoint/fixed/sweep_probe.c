/* Probes after a direct or adjoint sweep. Two findings are verified: derivatives that grow fast, and
 * derivatives that may not follow a motion out of the transition range of friction. The tangent of the
 * steps alone is used, without contributions of parameters or functionals. */
#include "adjoint/fixed/sweep_events.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/linear/norm.h"
#include "dae/start/initial.h"

/* A disturbance that decreases to less than this part counts as forgotten. */
static const double forgotten = 1e-3;

/* While a slip leaves the transition velocity, it may change by `passed` times this velocity in a step. If
 * it changes more, derivatives must follow the motion with a relative error below `off`. */
static const double passed = 0.1, off = 0.1;

/* Number of steps over which a disturbance is propagated; the first ones are decisive. */
enum { STEPS_ALONG = 16 };

/* Results of a probe. The first two are the largest growth of a direction, and the time in which it grew.
 * `share` is the ratio of the propagated to the true rates of velocities. */
typedef struct finding {
  double largest, time, share;
} finding;

typedef gradyn_status (*probing)(gradyn_sweeps *s, int first, finding *found);

/* Sets an arbitrary direction of positions, unrelated to the model. */
static void perturb(gradyn_sweeps *s)
{
  for (int i = 0; i < s->march->model->mech->n; i++)
    s->ds[i][0] = sin(1.7 * i + 0.3);
}

/* Propagates a tangent over two windows from step `first`. Finds its largest growth, and the time in which
 * it grew. Growth is relative to the sizes after the first step, because this step relates velocities to
 * positions. */
static gradyn_status follow(gradyn_sweeps *s, int first, finding *found)
{
  gradyn_fixed *march = s->march;
  int last = first + 1 + 2 * s->growth.window;
  last = last < march->count ? last : march->count;
  gradyn_adjoint_growth_begin(&s->growth, GRADYN_GROWTH_ALONG, 1, march->count);
  found->largest = 0;
  perturb(s);
  for (int k = first; k < last; k++) {
    const double *from, *to;
    GRADYN_TRY(gradyn_fixed_nodes(march, k, &from, &to));
    GRADYN_TRY(gradyn_sweep_along(s, k, from, to, NULL));
    const double growth = gradyn_adjoint_growth_since(s, k == first);
    /* largest growth, and the time since the start */
    if (growth > found->largest) {
      found->largest = growth;
      found->time = gradyn_fixed_time(march, k + 1) - gradyn_fixed_time(march, first);
    }
  }
  return GRADYN_OK;
}

/* Computes the rates of the state at node k: of positions, velocities, accelerations, multipliers, and
 * further members of the scheme. Rates of accelerations and multipliers are differences. */
static gradyn_status take_rates(gradyn_sweeps *s, gradyn_initial *force, double *y, int k,
                                const double *node)
{
  const gradyn_stepper *stepper = s->march->stepper;
  const int n = s->march->model->mech->n, m = s->march->model->mech->m;
  const double t = gradyn_fixed_time(s->march, k), later = 1e-6 * gradyn_fixed_length(s->march, k);
  double *q = y, *v = q + n, *a = v + n;
  GRADYN_TRY(gradyn_initial_accelerate(force, t, node, node + n));
  memcpy(a, force->a, (size_t)n * sizeof(double));
  memcpy(a + n, force->lam, (size_t)m * sizeof(double));
  for (int i = 0; i < n; i++) {
    q[i] = node[i] + later * node[n + i];
    v[i] = node[n + i] + later * a[i];
  }
  GRADYN_TRY(gradyn_initial_accelerate(force, t, q, v));
  for (int i = 0; i < stepper->ns; i++)
    s->ds[i][0] = 0;
  /* rates v, a, and differences of a; below, differences of multipliers */
  for (int i = 0; i < n; i++) {
    s->ds[i][0] = node[n + i];
    s->ds[n + i][0] = a[i];
    s->ds[2 * n + i][0] = (force->a[i] - a[i]) / later;
  }
  for (int i = 0; i < m; i++)
    s->ds[3 * n + i][0] = (force->lam[i] - a[n + i]) / later;
  return GRADYN_OK;
}

/* Compares two results for the rates at a node: the rates of the motion itself, and those at node `first`
 * propagated by the steps like a disturbance. Both are equal as long as the equations depend on the state
 * alone. */
static gradyn_status go_along(gradyn_sweeps *s, gradyn_initial *force, double *y, int first,
                              finding *found)
{
  gradyn_fixed *march = s->march;
  const int n = march->model->mech->n;
  double begun = 0;
  found->share = 1;
  for (int k = first; k < march->count && k < first + STEPS_ALONG; k++) {
    const double *from, *to;
    double own = 0, made = 0;
    /* after a jump the comparison is not valid */
    if (march->step[k].jump)
      break;
    /* signals and mode of the step affect its rates */
    gradyn_fixed_enter(march, k);
    GRADYN_TRY(gradyn_fixed_nodes(march, k, &from, &to));
    if (k == first)
      GRADYN_TRY(take_rates(s, force, y, k, from));
    GRADYN_TRY(gradyn_sweep_along(s, k, from, to, NULL));
    /* rate of v: a of the motion, dv of the tangent; own = |a|^2, made = a.dv */
    for (int i = 0; i < n; i++) {
      own += to[2 * n + i] * to[2 * n + i];
      made += to[2 * n + i] * s->ds[n + i][0];
      begun += k == first ? from[2 * n + i] * from[2 * n + i] : 0;
    }
    /* if the motion has almost no rate left, a wrong one affects no gradient */
    found->share = own > forgotten * forgotten * begun ? made / own : 1;
  }
  return GRADYN_OK;
}

/* Creates the linear problem for accelerations, and calls go_along() with it. */
static gradyn_status leave_slope(gradyn_sweeps *s, int first, finding *found)
{
  gradyn_model *model = s->march->model;
  LOCAL(gradyn_initial) force = {0};
  FREED double *y = calloc((size_t)s->march->stepper->ny + 1, sizeof *y);
  if (gradyn_initial_create(model->mech, GRADYN_ASSEMBLY, &force) != GRADYN_OK || !y)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for a gradient");
  return go_along(s, &force, y, first, found);
}

/* Calls `look` for one direction along which no datum changes. */
static gradyn_status probe(gradyn_sweeps *s, int first, probing look, finding *found)
{
  gradyn_model *model = s->march->model;
  size_t nx = (size_t)model->nx, ns = (size_t)s->march->stepper->ns;
  size_t ny = (size_t)s->march->stepper->ny;
  LOCAL(gradyn_arena) arena = {0};
  gradyn_sweeps one = *s;
  double none[2] = {0};
  one.count = 1;
  one.held = 0;
  one.timed = model->event_count > 0;
  one.dh = &none[0];
  one.dt = &none[1];
  one.ds = gradyn_arena_lanes(&arena, ns);
  one.dy = gradyn_arena_lanes(&arena, ny);
  one.dx = gradyn_arena_numbers(&arena, nx);
  one.fed = gradyn_arena_lanes(&arena, nx);
  one.times.boundary_room = (size_t)s->march->arcs.count + 2;
  one.times.boundary = gradyn_arena_numbers(&arena, one.times.boundary_room);
  if (gradyn_arena_status(&arena) != GRADYN_OK)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for a gradient");
  /* no boundary time changes */
  GRADYN_TRY(gradyn_sweep_events_begin(&one, 1));
  return look(&one, first, found);
}

/* Returns the step that begins at a time. */
static int step_at(const gradyn_fixed *march, double t)
{
  int k = 0;
  while (k < march->count - 1 && gradyn_fixed_time(march, k) < t)
    k++;
  return k;
}

/* Sets *yes if derivatives by the initial velocities along `a` [n] are part of a sweep: by active data of
 * an adjoint sweep, or along a direction of a direct sweep (active NULL). work [ns + nx]. */
static gradyn_status starts_with(gradyn_sweeps *s, const bool *active, const double *a,
                                 double *work, bool *yes)
{
  const gradyn_stepper_ops *ops = s->march->stepper->ops;
  const int n = s->march->model->mech->n, ns = s->march->stepper->ns, nx = s->march->model->nx;
  double *bar = work + ns;
  *yes = false;
  /* one transposed product gives the derivatives by all data */
  if (active) {
    memcpy(work + n, a, (size_t)n * sizeof(double));
    GRADYN_TRY(ops->start_transposed(s->march->stepper, work, bar));
    for (int i = 0; i < nx; i++)
      *yes = *yes || (active[i] && bar[i] != 0);
    return GRADYN_OK;
  }
  for (int j = 0; j < s->count && !*yes; j++) {
    GRADYN_TRY(ops->start_tangent(s->march->stepper, s->dx + j * nx, work));
    *yes = gradyn_dot(work + n, a, n) != 0;
  }
  return GRADYN_OK;
}

/* Sets *yes if a disturbance along the motion at step k can affect a gradient: always after the start of
 * the run; at the start, if the sweep contains derivatives by the initial velocities along the initial
 * acceleration. */
static gradyn_status is_reached(gradyn_sweeps *s, const bool *active, int k, bool *yes)
{
  const int n = s->march->model->mech->n;
  const double *from, *to;
  *yes = k > 0;
  if (*yes)
    return GRADYN_OK;
  FREED double *work = calloc((size_t)(s->march->stepper->ns + s->march->model->nx) + 1,
                              sizeof *work);
  if (!work)
    return gradyn_fail(&s->march->model->message, GRADYN_NO_MEMORY, "out of memory for a gradient");
  GRADYN_TRY(gradyn_fixed_nodes(s->march, 0, &from, &to));
  gradyn_fixed_enter(s->march, 0);
  return starts_with(s, active, from + 2 * n, work, yes);
}

/* Checks whether derivatives follow a motion that leaves the transition range of friction. */
static gradyn_status look_at_exit(gradyn_sweeps *s, const bool *active)
{
  gradyn_fixed *march = s->march;
  const gradyn_slip_jump *exit = &march->stepper->exit;
  finding found = {.share = 1};
  bool reached;
  if (!(exit->rate * march->plan.h > passed))
    return GRADYN_OK;
  const int first = step_at(march, exit->t);
  GRADYN_TRY(is_reached(s, active, first, &reached));
  if (reached) /* derivatives of the steps alone, without those of data */
    GRADYN_TRY(probe(s, first, leave_slope, &found));
  /* derivatives follow the motion */
  if (fabs(found.share - 1) < off)
    return GRADYN_OK;
  march->report.found.exit = (gradyn_finding){found.share, exit->t, passed / exit->rate,
                                              exit->force};
  return GRADYN_OK;
}

/* Checks whether derivatives grow without bound. */
static gradyn_status look_at_growth(gradyn_sweeps *s)
{
  const gradyn_adjoint_growth *g = &s->growth;
  gradyn_fixed *march = s->march;
  finding found = {0};
  if (g->first < 0)
    return GRADYN_OK;
  /* begin half a window earlier, so that the two windows contain the growth */
  int first = g->first > g->window / 2 ? g->first - g->window / 2 : 0;
  gradyn_status status = probe(s, first, follow, &found);
  const double step = gradyn_adjoint_growth_step(found.largest, found.time);
  if (status != GRADYN_OK || step == 0)
    return status;
  march->report.found.growth.size = found.largest;
  march->report.found.growth.t = gradyn_fixed_time(march, first);
  march->report.found.growth.step = step;
  return GRADYN_OK;
}

gradyn_status gradyn_adjoint_growth_end(gradyn_sweeps *s, const bool *active)
{
  GRADYN_TRY(look_at_growth(s));
  return look_at_exit(s, active);
}
