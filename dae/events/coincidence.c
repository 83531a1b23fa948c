/* Compares simultaneous events in all orders. An order is a chain of crossings with no time between them
 * (crossing.h). Each event maps the state, the latched values and the changes dy and dx; an integral
 * changes by (g- - g+) dtau. Two chains have the same derivative if it agrees along directions in general
 * position. Two directions are used: one of states, and one of parameters. The change of data in the latter
 * comes from one complex-step evaluation of build(). */
#include "dae/events/coincidence.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/base/owned.h"
#include "core/linear/norm.h"
#include "core/mech/vector.h"
#include "dae/start/initial_parts.h"

/* Relative differences below which two results agree. They differ only by round-off: states relative to
 * their natural sizes, derivatives relative to the largest one. In the tests, derivatives of independent
 * events agree to 1e-12, and others differ by 1e-3 or more. */
static const double same_state = 1e-10, same_slope = 1e-9;

/* --- memory ------------------------------------------------------------------------------------ */

gradyn_status gradyn_coincidence_create(gradyn_model *model, gradyn_coincidence *s)
{
  const size_t events = (size_t)model->event_count + 1;
  *s = (gradyn_coincidence){0};
  s->event = gradyn_arena_take(&s->arena, events, sizeof *s->event);
  s->next = gradyn_arena_take(&s->arena, events, sizeof *s->next);
  return gradyn_arena_status(&s->arena) == GRADYN_OK
             ? GRADYN_OK
             : gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d events",
                           model->event_count);
}

void gradyn_coincidence_clear(gradyn_coincidence *s)
{
  gradyn_crossing_clear(&s->crossing);
  gradyn_arena_clear(&s->arena);
  *s = (gradyn_coincidence){0};
}

static const gradyn_model_captures *captures(const gradyn_coincidence *s)
{
  return &s->watch->model->log.captures;
}

static void take_outcome(gradyn_coincidence *s, gradyn_order_outcome *out)
{
  const size_t numbers = (size_t)s->numbers + 1;
  out->value = gradyn_arena_numbers(&s->arena, numbers);
  out->scale = gradyn_arena_numbers(&s->arena, numbers);
  for (int k = 0; k < GRADYN_TRIED_DIRECTIONS; k++) {
    out->slope[k] = gradyn_arena_numbers(&s->arena, numbers);
    out->terms[k] = gradyn_arena_numbers(&s->arena, numbers);
  }
}

static gradyn_status take_memory(gradyn_coincidence *s, gradyn_impacts *impact)
{
  gradyn_model *model = s->watch->model;
  const size_t nx = (size_t)model->nx + 1, nf = (size_t)model->functional_count + 1,
               states = (size_t)model->ops->state_count(model) + 1;
  GRADYN_TRY(gradyn_crossing_share(model, &s->watch->guards, impact, &s->crossing));
  s->numbers = s->crossing.moves + captures(s)->count + gradyn_coincidence_functionals(s);
  s->y = gradyn_arena_numbers(&s->arena, states);
  s->w_y = gradyn_arena_numbers(&s->arena, states);
  s->dy = gradyn_arena_numbers(&s->arena, states);
  s->b = gradyn_arena_numbers(&s->arena, states);
  s->w_x = gradyn_arena_numbers(&s->arena, nx);
  s->rate = gradyn_arena_numbers(&s->arena, states);
  s->g[0] = gradyn_arena_numbers(&s->arena, nf);
  s->g[1] = gradyn_arena_numbers(&s->arena, nf);
  s->work = gradyn_arena_lanes(&s->arena, 3 * states);
  for (int k = 0; k < GRADYN_TRIED_DIRECTIONS; k++) {
    s->d[k] = gradyn_arena_numbers(&s->arena, states);
    s->now[k] = gradyn_arena_numbers(&s->arena, states);
    s->dx[k] = gradyn_arena_numbers(&s->arena, nx);
    s->now_x[k] = gradyn_arena_numbers(&s->arena, nx);
  }
  take_outcome(s, &s->outcome[0]);
  take_outcome(s, &s->outcome[1]);
  s->ready = gradyn_arena_status(&s->arena) == GRADYN_OK;
  return s->ready ? GRADYN_OK
                  : gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for events");
}

/* --- directions ------------------------------------------------------------------------------- */

/* Returns component i of direction k, a fixed number without a pattern, between 0.5 and 1.5 in magnitude. */
static double any_number(int i, int k)
{
  const double x = fmod(0.6180339887498949 * (i + 1) + 0.3819 * k, 1);
  return (i + k) % 2 ? 0.5 + x : -0.5 - x;
}

/* Projects the change d of positions (order 0) or velocities (order 1) onto the constraints, where data
 * change by dx. The correction w satisfies M w + Phi_q^T mu = 0. */
static gradyn_status fit(gradyn_coincidence *s, int order, const double *dx, double *d)
{
  gradyn_mech *mech = s->watch->model->mech;
  gradyn_initial *force = &s->crossing.force;
  const size_t n = (size_t)mech->n, m = (size_t)mech->m;
  memset(s->b, 0, (n + m) * sizeof(double));
  /* Accelerations and multipliers may have any values: the rows in which they appear are cleared below. */
  const gradyn_mech_state at = {
      .t = s->t, .q = s->start, .v = s->start + n, .a = s->rate, .lam = s->dy};
  const gradyn_mech_term rows = {GRADYN_CONSTRAINT, order, at};
  const gradyn_mech_vector change = {.x = dx, .q = d, .v = order > 0 ? d + n : NULL};
  GRADYN_TRY(gradyn_mech_along(mech, &rows, &at, &change, s->work, s->b));
  memset(s->b, 0, n * sizeof(double));
  GRADYN_TRY(gradyn_initial_plain_matrix(force, &at));
  gradyn_initial_solve_force(force, false, s->b);
  for (size_t i = 0; i < n; i++)
    d[(size_t)order * n + i] -= s->b[i];
  return GRADYN_OK;
}

/* Returns whether state i is algebraic. Such a state follows from the others. */
static bool follows(const gradyn_coincidence *s, int i)
{
  const gradyn_index1 *system = s->watch->guards.system;
  return system && system->id[i] == 0;
}

/* Sets dx = (dx/drho) drho, where all parameters change. */
static gradyn_status move_data(gradyn_coincidence *s, double *dx)
{
  gradyn_model *model = s->watch->model;
  const size_t count = model->span.rho ? model->span.parameters : 0;
  FREED gradyn_scalar *rho = calloc(count + 1, sizeof *rho);
  if (!rho)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %zu parameters",
                       count);
  for (size_t j = 0; j < count; j++) {
    const double at = creal(model->span.rho[j]), size = at != 0 ? fabs(at) : 1;
    rho[j] = at + GRADYN_COMPLEX_STEP * size * any_number((int)j, 1) * I;
  }
  const gradyn_status status = count > 0 ? gradyn_model_refresh(model, rho) : GRADYN_OK;
  model->declared.rho = model->span.rho;
  GRADYN_TRY(status);
  for (int i = 0; i < model->nx; i++)
    dx[i] = count > 0 ? cimag(model->value[i]) / GRADYN_COMPLEX_STEP : 0;
  return GRADYN_OK;
}

/* Creates direction k: arbitrary changes of the state (k = 0), or of the data (k > 0), that satisfy the
 * constraints. */
static gradyn_status make_direction(gradyn_coincidence *s, int k)
{
  const gradyn_model *model = s->watch->model;
  const double *size = s->watch->guards.size;
  for (int i = 0; i < s->crossing.moves; i++)
    s->d[k][i] = k == 0 && !follows(s, i) ? size[i] * any_number(i, k) : 0;
  if (k > 0) /* in the first direction the data do not change */
    GRADYN_TRY(move_data(s, s->dx[k]));
  if (!model->mech || model->mech->m == 0)
    return GRADYN_OK;
  GRADYN_TRY(fit(s, 0, s->dx[k], s->d[k]));
  return fit(s, 1, s->dx[k], s->d[k]);
}

/* --- one order ------------------------------------------------------------------------------- */

/* Computes the rate of an event's guard in the present state, relative to the smallest rate that is not
 * zero. 0: the guard is not monitored in this mode. */
static gradyn_status rate_of(gradyn_coincidence *s, int event, double *rate)
{
  double r[2], scale[2];
  *rate = 0;
  if (!gradyn_event_watched(s->watch->model, event))
    return GRADYN_OK;
  GRADYN_TRY(gradyn_detector_measure(s->watch, event, s->t, s->y, r));
  GRADYN_TRY(gradyn_guard_scale(&s->watch->guards, event, s->t, s->y, scale));
  *rate = r[1] / gradyn_detector_still(s->watch, scale);
  return GRADYN_OK;
}

/* Sets *fits to false if a guard falls again after its event, at which it was rising or zero: this would be
 * another event. */
static gradyn_status stay_open(gradyn_coincidence *s, const gradyn_order *order, bool *fits)
{
  for (int i = 0; i < order->count && *fits; i++) {
    double rate;
    GRADYN_TRY(rate_of(s, order->event[i], &rate));
    *fits = rate >= -1 || order->rate[i] < -1;
  }
  return GRADYN_OK;
}

static bool has_passed(const gradyn_order *order, int count, int event)
{
  for (int i = 0; i < count; i++)
    if (order->event[i] == event)
      return true;
  return false;
}

/* Lists the events that may be the next one, i, in an order whose first i events have been chosen. */
static gradyn_status find_next(gradyn_coincidence *s, const gradyn_order *order, int i, int *count)
{
  int found, *next = s->next;
  *count = 0;
  if (i == 0) {
    memcpy(next, s->event, (size_t)s->count * sizeof *next);
    *count = s->count;
    return GRADYN_OK;
  }
  GRADYN_TRY(gradyn_detector_meeting(s->watch, s->before.mode, s->t, s->y, next, &found));
  for (int k = 0; k < found; k++)
    if (!has_passed(order, i, next[k]))
      next[(*count)++] = next[k];
  return GRADYN_OK;
}

/* Sets the initial state, and its changes, for an order. */
static void begin(gradyn_coincidence *s, gradyn_order_outcome *out)
{
  const size_t moves = (size_t)s->crossing.moves, nx = (size_t)s->watch->model->nx;
  gradyn_discrete_state_enter(s->watch->model, s->before);
  memcpy(s->y, s->start, moves * sizeof(double));
  memset(out->value, 0, (size_t)s->numbers * sizeof(double));
  memset(out->scale, 0, (size_t)s->numbers * sizeof(double));
  for (int k = 0; k < GRADYN_TRIED_DIRECTIONS; k++) {
    memcpy(s->now[k], s->d[k], moves * sizeof(double));
    memcpy(s->now_x[k], s->dx[k], nx * sizeof(double));
    memset(out->slope[k], 0, (size_t)s->numbers * sizeof(double));
    memset(out->terms[k], 0, (size_t)s->numbers * sizeof(double));
  }
}

/* Stores the final states, latched values and their derivatives. */
static void end(gradyn_coincidence *s, gradyn_order_outcome *out)
{
  const int moves = s->crossing.moves;
  const double *x = s->watch->model->x;
  out->mode = s->watch->model->discrete.mode;
  memcpy(out->value, s->y, (size_t)moves * sizeof(double));
  for (int i = 0; i < captures(s)->count; i++)
    out->value[moves + i] = x[captures(s)->item[i].datum];
  for (int k = 0; k < GRADYN_TRIED_DIRECTIONS; k++) {
    memcpy(out->slope[k], s->now[k], (size_t)moves * sizeof(double));
    for (int i = 0; i < captures(s)->count; i++)
      out->slope[k][moves + i] = s->now_x[k][captures(s)->item[i].datum];
  }
}

/* Follows an order: first the given choices, then always the first possible event. Sets *fits to false if
 * there are too many events, or if one occurs twice. */
static gradyn_status follow(gradyn_coincidence *s, gradyn_order *order, gradyn_order_outcome *out,
                            bool *fits)
{
  begin(s, out);
  for (int i = 0;; i++) {
    int count;
    GRADYN_TRY(find_next(s, order, i, &count));
    *fits = count == 0 || i < GRADYN_MOST_TOGETHER;
    if (count == 0 || !*fits)
      break;
    if (i >= order->count)
      order->choice[i] = 0;
    order->choices[i] = count;
    order->event[i] = s->next[order->choice[i]];
    order->count = order->count > i ? order->count : i + 1;
    GRADYN_TRY(gradyn_coincidence_cross(s, order->event[i], i, out));
    GRADYN_TRY(rate_of(s, order->event[i], &order->rate[i]));
  }
  end(s, out);
  return *fits ? stay_open(s, order, fits) : GRADYN_OK;
}

/* Advances to the next order in depth-first order. Returns false after the last one. */
static bool next_order(gradyn_order *order)
{
  while (order->count > 0 &&
         order->choice[order->count - 1] + 1 == order->choices[order->count - 1])
    order->count--;
  if (order->count > 0)
    order->choice[order->count - 1]++;
  return order->count > 0;
}

/* --- comparison ------------------------------------------------------------------------------ */

/* Returns the natural size of entry i: of a state its own, of a latched value the largest size of
 * positions, of a functional 0. */
static double size_of(const gradyn_coincidence *s, int i)
{
  const double *size = s->watch->guards.size;
  const int moves = s->crossing.moves, half = s->watch->model->mech ? moves / 2 : moves;
  return i < moves ? size[i] : i < gradyn_coincidence_place(s, 0) ? gradyn_largest(size, half) : 0;
}

/* Returns whether a and b [numbers] agree. The tolerance of a number is `part` times its natural size times
 * `whole`. For functionals, `part` times the larger of terms and values is added. */
static bool agree(const gradyn_coincidence *s, const double *a, const double *b, double whole,
                  double part, const double *terms)
{
  for (int i = 0; i < s->numbers; i++) {
    const double own = fmax(fabs(a[i]), fabs(b[i]));
    const double size = fmax(whole * size_of(s, i),
                             i < gradyn_coincidence_place(s, 0) ? 0 : fmax(terms[i], own));
    if (!(fabs(a[i] - b[i]) <= part * size))
      return false;
  }
  return true;
}

/* Returns the largest change of a state relative to its natural size. */
static double largest_change(const gradyn_coincidence *s, const double *slope)
{
  double most = 0;
  for (int i = 0; i < s->crossing.moves; i++)
    if (size_of(s, i) > 0)
      most = fmax(most, fabs(slope[i]) / size_of(s, i));
  return most;
}

static bool agree_in_slopes(const gradyn_coincidence *s)
{
  const gradyn_order_outcome *a = &s->outcome[0], *b = &s->outcome[1];
  for (int k = 0; k < GRADYN_TRIED_DIRECTIONS; k++) {
    const double whole = fmax(largest_change(s, a->slope[k]), largest_change(s, b->slope[k]));
    if (!agree(s, a->slope[k], b->slope[k], whole, same_slope, a->terms[k]))
      return false;
  }
  return true;
}

static bool agree_in_values(const gradyn_coincidence *s)
{
  const gradyn_order_outcome *a = &s->outcome[0], *b = &s->outcome[1];
  return a->mode == b->mode && agree(s, a->value, b->value, 1, same_state, a->scale);
}

/* Compares the results of all orders with those of the first order, s->first. Sets *values and *slopes to
 * false if values or derivatives differ. */
static gradyn_status compare(gradyn_coincidence *s, bool *values, bool *slopes)
{
  gradyn_order order = {0};
  *slopes = true;
  GRADYN_TRY(follow(s, &order, &s->outcome[0], values));
  s->first = order;
  while (*values && next_order(&order)) {
    GRADYN_TRY(follow(s, &order, &s->outcome[1], values));
    *values = *values && agree_in_values(s);
    *slopes = *slopes && *values && agree_in_slopes(s);
  }
  return GRADYN_OK;
}

/* Returns whether one of the events terminates the run, so that the other events would not take place. */
static bool ends(const gradyn_coincidence *s)
{
  bool any = false;
  for (int i = 0; i < s->count; i++)
    any = any || gradyn_event_ends(&s->watch->model->event[s->event[i]]);
  return any;
}

/* Lists the detected event and all other events at its time. */
static gradyn_status list_events(gradyn_coincidence *s, int event)
{
  int found;
  GRADYN_TRY(gradyn_detector_meeting(s->watch, s->before.mode, s->t, s->start, s->next, &found));
  s->event[0] = event;
  s->count = 1;
  for (int k = 0; k < found; k++)
    if (s->next[k] != event)
      s->event[s->count++] = s->next[k];
  s->first = (gradyn_order){.count = 1, .event = {event}};
  return GRADYN_OK;
}

/* Compares all orders, starting from the same state and discrete state. */
static gradyn_status try_orders(gradyn_coincidence *s, bool *values, bool *slopes)
{
  for (int k = 0; k < GRADYN_TRIED_DIRECTIONS; k++)
    GRADYN_TRY(make_direction(s, k));
  const gradyn_status status = compare(s, values, slopes);
  gradyn_discrete_state_enter(s->watch->model, s->before);
  return status;
}

gradyn_status gradyn_coincidence_judge(gradyn_coincidence *s, gradyn_detector *watch,
                                       gradyn_impacts *impact, int event, double t, const double *y)
{
  gradyn_model *model = watch->model;
  bool values = false, slopes = false;
  s->watch = watch;
  s->t = t;
  s->start = y;
  s->before = model->discrete;
  GRADYN_TRY(list_events(s, event));
  if (s->count == 1)
    return GRADYN_OK;
  if (!s->ready)
    GRADYN_TRY(take_memory(s, impact));
  if (!ends(s))
    GRADYN_TRY(try_orders(s, &values, &slopes));
  const int other = s->event[1];
  if (!values)
    return gradyn_fail(&model->message, GRADYN_EVENT,
                       "%s and %s occur at the same time, t = %.9g s: the motion after both "
                       "depends on their order. Move one of them, or declare one event for both",
                       model->event[event].name, model->event[other].name, t);
  if (!slopes)
    gradyn_log_imbalance(model, GRADYN_ORDER_DECIDES,
                         &(gradyn_imbalance){.event = event, .count = 1, .t = t, .other = other});
  return GRADYN_OK;
}
