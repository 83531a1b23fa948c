/* Events of mechanisms: the map, the saddle-point system of the jump, and derivatives of both. Positions
 * and velocities are mapped first, q+ = map(q-), v~ = map(v-). The velocities then jump from v~ to v+ by
 * [M, J^T; J, 0] (v+ - v~; impulse) = (0; -rate of the rows after the event). For a rebound, the rate of
 * the wall's row is multiplied by 1 + e. Derivation: docs/theory/events.md. */
#include "dae/events/impact_parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mech/vector.h"
#include "core/linear/norm.h"

/* --- memory ----------------------------------------------------------------------------------- */

/* Creates the pattern of the jump's rows: constraints, then contacts, then resets. */
static gradyn_status create_pattern(gradyn_impacts *s)
{
  const gradyn_pattern *jac = &s->mech->jac;
  const size_t most = (size_t)(jac->nnz + gradyn_reset_entries(s, NULL, NULL)) + 1;
  int *row = calloc(most, sizeof *row), *col = calloc(most, sizeof *col);
  int count = 0;
  for (int i = 0; i < gradyn_impact_rows(s) && row && col; i++) {
    /* the rows in between are fixed initial conditions, which do not act at events */
    if (i >= s->m && i < s->first)
      continue;
    for (int k = jac->start[i]; k < jac->start[i + 1]; k++) {
      row[count] = i < s->m ? i : s->m + i - s->first;
      col[count++] = jac->col[k];
    }
  }
  if (row && col)
    count += gradyn_reset_entries(s, row + count, col + count);
  gradyn_status status = row && col ? gradyn_pattern_create(s->ties, s->n, count, row, col, &s->jac)
                                    : GRADYN_NO_MEMORY;
  free(row);
  free(col);
  return status;
}

/* Allocates arrays of states and rows. The velocities after the event are part of yp. */
static gradyn_status take_memory(gradyn_impacts *s)
{
  size_t dyn = (size_t)s->mech->dyn.nnz + 1, jac = (size_t)s->mech->jac.nnz + 1,
         own = jac + (size_t)gradyn_reset_entries(s, NULL, NULL);
  size_t n = (size_t)s->n + 1, size = n + (size_t)s->ties, all = (size_t)gradyn_impact_rows(s) + 1;
  const struct {
    double **array;
    size_t count;
  } need[] = {{&s->M, dyn},    {&s->A, dyn},           {&s->J, jac},          {&s->own, own},
              {&s->y, 2 * n},  {&s->yp, 2 * n},        {&s->capacity, 2 * n}, {&s->vm, n},
              {&s->w, n},      {&s->lam, all},         {&s->b, size},         {&s->rest, size},
              {&s->sum, size}, {&s->rows_of, n + all}, {&s->wall.share, all}, {&s->wall.by, size}};
  for (size_t k = 0; k < sizeof need / sizeof *need; k++)
    *need[k].array = gradyn_arena_numbers(&s->arena, need[k].count);
  s->work = gradyn_arena_lanes(&s->arena, 3 * n + all);
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  s->vp = s->yp + s->n;
  return GRADYN_OK;
}

/* Allocates, for general equations, the states before and after an event, and the reset. */
static gradyn_status create_map(gradyn_impacts *s)
{
  s->n = s->model->ops->state_count(s->model);
  s->y = gradyn_arena_numbers(&s->arena, (size_t)s->n);
  s->yp = gradyn_arena_numbers(&s->arena, (size_t)s->n);
  const gradyn_status status = gradyn_reset_create(s);
  return status == GRADYN_OK ? status
                             : gradyn_fail(&s->model->message, status, "out of memory for events");
}

/* Allocates the workspace for events, which are processed one at a time. */
gradyn_status gradyn_impact_create(gradyn_model *model, gradyn_impacts *s)
{
  gradyn_mech *mech = model->mech;
  *s = (gradyn_impacts){.model = model, .mech = mech};
  if (!mech)
    return create_map(s);
  s->n = mech->n;
  s->m = mech->m;
  /* rows of contacts follow constraints and fixed initial conditions */
  s->first = mech->m + mech->held;
  gradyn_status status = gradyn_reset_create(s);
  s->ties = mech->m + mech->contacts + s->reset.most;
  if (status == GRADYN_OK)
    status = take_memory(s);
  if (status == GRADYN_OK)
    status = create_pattern(s);
  if (status == GRADYN_OK)
    status = gradyn_saddle_create(&mech->dyn, NULL, &s->jac, s->ties, GRADYN_BACKEND_AUTO,
                                  &s->saddle);
  return status == GRADYN_OK
             ? status
             : gradyn_fail(&model->message, status, "out of memory for the impacts of a mechanism");
}

/* Also frees an object whose creation has failed. */
void gradyn_impact_clear(gradyn_impacts *s)
{
  gradyn_saddle_clear(&s->saddle);
  gradyn_pattern_clear(&s->jac);
  gradyn_arena_clear(&s->arena);
  *s = (gradyn_impacts){0};
}

/* --- the impact ------------------------------------------------------------------------------ */

/* Returns the state at q+ with the velocities v. */
static gradyn_mech_state state_at(const gradyn_impacts *s, const double *v)
{
  return (gradyn_mech_state){.t = s->t, .q = s->yp, .v = v, .a = s->w, .lam = s->lam};
}

/* Fails because the matrix is singular or the constraints contradict the required velocities. */
static gradyn_status blocked(gradyn_impacts *s)
{
  return gradyn_fail(&s->model->message, GRADYN_SINGULAR,
                     "the impact at %s, t = %g s, has no solution: the constraints%s leave no "
                     "velocity free, or depend on each other",
                     s->event->name, s->t, s->event->kept ? " and the preserved velocities" : "");
}

/* Returns whether the event is that of a contact. Other events apply a map or a reset, or change the mode. */
static bool has_wall(const gradyn_impacts *s)
{
  return s->event->contact >= 0;
}

/* Returns the coefficient of restitution; 0 without a wall. */
static double restitution(const gradyn_impacts *s)
{
  return has_wall(s) ? s->model->x[s->event->restitution] : 0;
}

/* Returns whether new constraints after the event may replace the row of the wall: a landing. */
static bool may_land(const gradyn_impacts *s)
{
  return has_wall(s) && !s->event->kept && s->model->discrete.mode != s->before;
}

/* Evaluates the matrices at q+, and factorises the system of the jump. */
static gradyn_status prepare(gradyn_impacts *s, const gradyn_mech_state *at)
{
  gradyn_mech *mech = s->mech;
  GRADYN_TRY(mech->ops->tangent(mech, GRADYN_INERTIA, at, NULL, NULL, s->M));
  GRADYN_TRY(mech->ops->phi_q(mech, GRADYN_ALL_ROWS, 0, at, s->J));
  GRADYN_TRY(gradyn_impact_check_kept(s));
  gradyn_impact_weigh(s);
  s->wall.landed = false;
  if (may_land(s)) {
    GRADYN_TRY(gradyn_impact_factor(s, -1));
    s->wall.landed = gradyn_impact_lands(s);
  }
  if (s->wall.landed && restitution(s) > 0)
    return gradyn_fail(&s->model->message, GRADYN_INVALID,
                       "%s at t = %g s has a restitution of %g, but leads into a mode whose "
                       "constraints keep the gap closed: it must be zero",
                       s->event->name, s->t, restitution(s));
  return s->wall.landed ? GRADYN_OK : gradyn_impact_factor(s, s->event->contact);
}

void gradyn_impact_record(gradyn_impacts *s, gradyn_event_record *record)
{
  double lost = 0;
  if (!s->mech)
    return;
  double *momentum = s->rest; /* M w */
  memset(momentum, 0, (size_t)s->n * sizeof(double));
  gradyn_pattern_multiply(&s->mech->dyn, s->n, s->M, 1, s->w, momentum);
  for (int i = 0; i < s->n; i++) /* (v~^T M v~ - v+^T M v+)/2 */
    lost -= (s->vp[i] + s->vm[i]) * momentum[i] / 2;
  record->energy_lost = lost;
  record->impulse = s->wall.pull;
  if (!has_wall(s))
    return;
  record->approach = s->wall.approach;
  record->rebound = -restitution(s) * s->wall.approach;
  if (s->wall.landed)
    record->impulse = -s->event->sign * gradyn_impact_landing(s);
}

/* Computes q+, v~ and the velocities that the event sets, then enters the mode after the event. */
static gradyn_status enter(gradyn_impacts *s, int event, double t, const double *y,
                           bool derivatives)
{
  size_t n = (size_t)s->n;
  s->event = &s->model->event[event];
  s->t = t;
  memcpy(s->y, y, (size_t)gradyn_impact_moves(s) * sizeof(double));
  /* evaluated at the state, and in the discrete state, before the event */
  GRADYN_TRY(gradyn_reset_evaluate(s, derivatives));
  if (s->mech) {
    gradyn_impact_map(s, true, s->y, s->yp);
    gradyn_impact_map(s, false, s->y + n, s->vm);
  } else {
    gradyn_reset_states(s);
  }
  s->before = s->model->discrete.mode;
  gradyn_discrete_state_pass(s->model, event);
  return GRADYN_OK;
}

/* Sets the right-hand side of the jump for w = v+ - v~. Equations: A w + J^T mu = 0; Phi_q w = -Phi'(v~) of
 * constraints; g w = -(1 + e) r'(v~) of the wall with gradient g; E w = f - E v~ of set velocities. */
static gradyn_status set_rates(gradyn_impacts *s, const gradyn_mech_state *at)
{
  int n = s->n, m = s->m, contact = s->event->contact;
  gradyn_status status = s->mech->ops->phi(s->mech, GRADYN_ALL_ROWS, 1, at, s->lam);
  memset(s->b, 0, (size_t)(n + s->ties) * sizeof(double));
  /* the constraints of the new mode require b = -Phi'(v~) */
  for (int i = 0; i < m; i++)
    s->b[n + i] = -s->lam[i];
  for (int k = 0; k < gradyn_reset_count(s); k++)
    s->b[n + gradyn_reset_row(s) + k] = s->reset.value[k] - s->vm[gradyn_reset_at(s, k)];
  if (!has_wall(s))
    return status;
  s->wall.approach = s->event->sign * s->lam[s->first + contact];
  if (s->wall.row >= 0)
    s->b[n + m + s->wall.row] = -(1 + restitution(s)) * s->lam[s->first + contact];
  return status;
}

/* Returns whether rows of the jump contradict each other. `left`: residual of the solution relative to b. A
 * row contradicts others if its residual exceeds the round-off of velocities, and also `met` times the
 * magnitudes of its terms. The latter allows for the error of the run in the velocities: if no velocity has
 * to change, b consists of this error alone. */
static bool contradicts(const gradyn_impacts *s, double left)
{
  static const double met = 1e-6;
  const double round_off = s->n * DBL_EPSILON * gradyn_largest(s->vm, s->n);
  bool fits = true;
  if (left < met)
    return false;
  for (int i = 0; i < s->ties; i++) {
    double terms = 0;
    for (int k = s->jac.start[i]; k < s->jac.start[i + 1]; k++)
      terms += fabs(s->own[k] * s->vm[s->jac.col[k]]);
    fits = fits && fabs(s->rest[s->n + i]) <= fmax(round_off, met * terms);
  }
  return !fits;
}

gradyn_status gradyn_impact_apply(gradyn_impacts *s, int event, double t, const double *y,
                                  gradyn_event_record *record)
{
  int n = s->n, m = s->m;
  GRADYN_TRY(enter(s, event, t, y, !record));
  if (!s->mech)
    return GRADYN_OK;
  const gradyn_mech_state at = state_at(s, s->vm);
  const gradyn_status status = prepare(s, &at);
  if (status == GRADYN_SINGULAR)
    return blocked(s);
  GRADYN_TRY(status);
  GRADYN_TRY(gradyn_impact_capture(s, &at));
  if (s->event->map_count > 0 || s->event->mode >= 0)
    GRADYN_TRY(gradyn_impact_check_place(s, &at));
  GRADYN_TRY(set_rates(s, &at));
  /* afterwards s->b contains w = v+ - v~ and the impulses */
  if (contradicts(s, gradyn_impact_solve(s, s->b)))
    return gradyn_reset_count(s) > 0 ? gradyn_reset_refuse(s) : blocked(s);
  memset(s->lam, 0, (size_t)gradyn_impact_rows(s) * sizeof(double));
  memcpy(s->lam, s->b + n, (size_t)m * sizeof(double));
  if (s->wall.row >= 0)
    s->lam[s->first + s->wall.row] = s->b[n + m + s->wall.row];
  for (int k = 0; k < gradyn_reset_count(s); k++)
    s->reset.impulse[k] = s->b[n + gradyn_reset_row(s) + k];
  for (int i = 0; i < n; i++) {
    s->w[i] = s->b[i];
    s->vp[i] = s->vm[i] + s->w[i];
  }
  gradyn_impact_pull(s);
  if (!record)
    return GRADYN_OK;
  gradyn_impact_record(s, record);
  return s->event->kept ? GRADYN_OK : gradyn_impact_balance(s, record);
}

/* --- derivatives ----------------------------------------------------------------------------- */

/* Returns the parts of the residual that occur in the equations of the jump. */
static int parts_of(const gradyn_impacts *s)
{
  return GRADYN_ALL_ROWS | (s->event->kept ? 0 : GRADYN_INERTIA);
}

gradyn_status gradyn_impact_tangent(gradyn_impacts *s, double *dx, double dt, const double *dy,
                                    double *dyp, double *impulse)
{
  gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m, row = s->first + s->wall.row;
  if (!mech) {
    gradyn_reset_states_along(s, dx, dt, dy, dyp);
    *impulse = 0;
    return GRADYN_OK;
  }
  double *r = s->rows_of, *dq = s->capacity, *dv = s->capacity + n;
  const gradyn_mech_state after = state_at(s, s->vp), before = state_at(s, s->vm);
  const gradyn_mech_term jump = {parts_of(s), 1, after}, gap = {GRADYN_CONTACT, 1, before};

  /* dq+ and dv~ */
  gradyn_impact_map_along(s, true, dx, s->y, dy, dq);
  gradyn_impact_map_along(s, false, dx, s->y + n, dy + n, dv);
  GRADYN_TRY(gradyn_impact_capture_along(s, &after, dx, dt, dq));

  /* derivatives of terms evaluated at v+ */
  memset(r, 0, (size_t)(n + gradyn_impact_rows(s)) * sizeof(double));
  gradyn_mech_vector d = {.x = dx, .t = dt, .q = dq};
  gradyn_status status = gradyn_mech_along(mech, &jump, &after, &d, s->work, r);
  if (status != GRADYN_OK)
    return status;
  memset(s->b, 0, (size_t)(n + s->ties) * sizeof(double));
  for (int i = 0; i < n + m; i++)
    s->b[i] = -r[i];

  /* derivatives of terms evaluated at v~: -e dr'(v~) - de r'(v~), and v+ = v~ + w */
  if (s->wall.row >= 0) {
    double *b = &s->b[n + m + s->wall.row];
    *b = -r[n + row];
    memset(r, 0, (size_t)(n + gradyn_impact_rows(s)) * sizeof(double));
    d.v = dv;
    status = gradyn_mech_along(mech, &gap, &before, &d, s->work, r);
    *b -= restitution(s) * r[n + row] +
          dx[s->event->restitution] * s->event->sign * s->wall.approach;
  }
  /* df of velocities that the event sets */
  gradyn_reset_along(s, dx, dt, dy, s->b + n + gradyn_reset_row(s));
  gradyn_pattern_multiply(&s->jac, s->ties, s->own, -1, dv, s->b + n);
  gradyn_impact_solve(s, s->b);
  memcpy(dyp, dq, (size_t)n * sizeof(double));
  for (int i = 0; i < n; i++)
    /* v+ = v~ + w */
    dyp[n + i] = dv[i] + s->b[i];
  *impulse = gradyn_dot(s->wall.by, s->b + n, s->ties);
  if (s->wall.landed && status == GRADYN_OK) {
    d.v = NULL;
    status = gradyn_impact_landing_along(s, &after, &d, impulse);
    *impulse *= -s->event->sign;
  }
  return status;
}

gradyn_status gradyn_impact_transposed(gradyn_impacts *s, const double *yp_bar, double impulse_bar,
                                       double *y_bar, double *x_bar, double *t_bar)
{
  gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m, row = s->first + s->wall.row;
  if (!mech) {
    gradyn_reset_states_against(s, yp_bar, y_bar, x_bar, t_bar);
    return GRADYN_OK;
  }
  double *mu = s->rows_of, *q_bar = s->capacity, *v_bar = s->capacity + n;
  const gradyn_mech_state after = state_at(s, s->vp), before = state_at(s, s->vm);
  const gradyn_mech_term jump = {parts_of(s), 1, after}, gap = {GRADYN_CONTACT, 1, before};
  gradyn_mech_sums sums = {.x = x_bar, .t = t_bar, .q = q_bar};

  /* adjoints of v+ = v~ + w, and of q+ */
  memcpy(s->capacity, yp_bar, 2 * (size_t)n * sizeof(double));
  GRADYN_TRY(gradyn_impact_capture_against(s, &after, &sums));

  /* the system is symmetric: solve for the adjoint of its right-hand side */
  memset(s->b, 0, (size_t)(n + s->ties) * sizeof(double));
  if (s->wall.landed && impulse_bar != 0)
    GRADYN_TRY(gradyn_impact_landing_against(s, &after, -s->event->sign * impulse_bar, &sums));
  memcpy(s->b, yp_bar + n, (size_t)n * sizeof(double));
  for (int i = 0; i < s->ties; i++)
    s->b[n + i] += s->wall.by[i] * impulse_bar;
  gradyn_impact_solve(s, s->b);
  double bar = s->wall.row >= 0 ? s->b[n + m + s->wall.row] : 0;

  /* derivatives of terms evaluated at v+ */
  memset(mu, 0, (size_t)(n + gradyn_impact_rows(s)) * sizeof(double));
  for (int i = 0; i < n + m; i++)
    mu[i] = -s->b[i];
  if (s->wall.row >= 0)
    mu[n + row] = -bar;
  gradyn_status status = gradyn_mech_against(mech, &jump, &after, mu, s->work, &sums);

  /* derivatives of terms evaluated at v~ */
  gradyn_pattern_multiply_transposed(&s->jac, s->ties, s->own, -1, s->b + n, v_bar);
  if (s->wall.row >= 0 && status == GRADYN_OK) {
    x_bar[s->event->restitution] -= s->event->sign * s->wall.approach * bar;
    memset(mu, 0, (size_t)(n + gradyn_impact_rows(s)) * sizeof(double));
    mu[n + row] = -restitution(s) * bar;
    sums.v = v_bar;
    status = gradyn_mech_against(mech, &gap, &before, mu, s->work, &sums);
  }
  gradyn_impact_map_against(s, true, s->y, q_bar, y_bar, x_bar);
  gradyn_impact_map_against(s, false, s->y + n, v_bar, y_bar + n, x_bar);
  gradyn_reset_against(s, s->b + n + gradyn_reset_row(s), y_bar, x_bar, t_bar);
  return status;
}
