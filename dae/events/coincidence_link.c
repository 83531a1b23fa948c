/* Processes one event of an order: its effect on the state, on changes of the state, and on functionals. */
#include "dae/events/coincidence.h"

#include <math.h>
#include <string.h>

#include "core/linear/norm.h"
#include "core/mech/vector.h"

/* Computes the change of the whole state on one side of the event, s->dy. `moved` is the change of
 * positions and velocities, or of all states of general equations. */
static gradyn_status complete(gradyn_coincidence *s, int side, const double *dx, double dt,
                              const double *moved)
{
  gradyn_mech *mech = s->watch->model->mech;
  const double *full = s->crossing.full[side];
  const size_t n = mech ? (size_t)mech->n : 0;
  memcpy(s->dy, moved, (size_t)s->crossing.moves * sizeof(double));
  if (!mech) {
    gradyn_index1 *system = s->watch->guards.system;
    GRADYN_TRY(system->ops->linearise(system, s->t, full, s->crossing.yp[side]));
    return system->ops->restart_tangent(system, dx, dt, s->dy, s->rate);
  }
  const gradyn_mech_state at = {
      .t = s->t, .q = full, .v = full + n, .a = full + 2 * n, .lam = full + 3 * n};
  return gradyn_initial_accelerate_tangent(
      &s->crossing.force, &at, &(gradyn_mech_vector){.x = dx, .t = dt, .q = s->dy, .v = s->dy + n},
      s->dy + 2 * n);
}

/* Sets the value of functional f at this event, on the side where it is evaluated. */
static gradyn_status take_value(gradyn_coincidence *s, const gradyn_event_record *record, int f,
                                gradyn_order_outcome *out)
{
  gradyn_model *model = s->watch->model;
  const gradyn_functional_entry *functional = &model->functional[f];
  double *value = &out->value[gradyn_coincidence_place(s, f)];
  if (functional->side == GRADYN_IMPULSE) {
    *value = record->impulse;
    return GRADYN_OK;
  }
  const gradyn_sample at = {s->t, s->crossing.full[functional->side == GRADYN_AFTER]};
  return functional->terminal->value(model, functional, &at, value);
}

/* Sets the derivative of functional f along direction k, from the change of the state on its side. */
static gradyn_status take_slope(gradyn_coincidence *s, int f, int k, double dt, const double *moved,
                                gradyn_order_outcome *out)
{
  gradyn_model *model = s->watch->model;
  const gradyn_functional_entry *functional = &model->functional[f];
  const int side = functional->side == GRADYN_AFTER, states = model->ops->state_count(model);
  double t_bar = 0;
  memset(s->w_y, 0, (size_t)states * sizeof(double));
  memset(s->w_x, 0, (size_t)model->nx * sizeof(double));
  const gradyn_gradient_out adjoints = {s->w_y, 1, s->w_x, &t_bar};
  const gradyn_sample at = {s->t, s->crossing.full[side]};
  GRADYN_TRY(functional->terminal->gradient(model, functional, &at, 1, &adjoints));
  GRADYN_TRY(complete(s, side, s->now_x[k], dt, moved));
  double sum = gradyn_dot(s->w_x, s->now_x[k], model->nx) + t_bar * dt, terms = fabs(t_bar * dt),
         scale = 0;
  for (int i = 0; i < states; i++) {
    sum += s->w_y[i] * s->dy[i];
    terms += fabs(s->w_y[i] * s->dy[i]);
    scale += fabs(s->w_y[i]) * s->watch->guards.size[i];
  }
  out->scale[gradyn_coincidence_place(s, f)] = scale;
  out->slope[k][gradyn_coincidence_place(s, f)] += sum;
  out->terms[k][gradyn_coincidence_place(s, f)] += terms;
  return GRADYN_OK;
}

/* Computes the integrands of all functionals on one side of the present event. */
static gradyn_status integrands(gradyn_coincidence *s, int side)
{
  gradyn_model *model = s->watch->model;
  const gradyn_sample at = {s->t, s->crossing.full[side]};
  for (int f = 0; f < gradyn_coincidence_functionals(s); f++) {
    const gradyn_functional_entry *functional = &model->functional[f];
    s->g[side][f] = 0;
    if (functional->integrand)
      GRADYN_TRY(functional->integrand->value(model, functional, &at, &s->g[side][f]));
  }
  return GRADYN_OK;
}

/* The event that is being processed. */
typedef struct link {
  gradyn_event_record record;
  int number; /* number among all events of the run, if the run uses this order */
  int before; /* mode before the event */
} link;

/* Adds the functionals evaluated on one side of the event: their derivatives along direction k, or their
 * values if k < 0. */
static gradyn_status take_side(gradyn_coincidence *s, const link *now, int side, int k, double dt,
                               const double *moved, gradyn_order_outcome *out)
{
  gradyn_model *model = s->watch->model;
  for (int f = 0; f < gradyn_coincidence_functionals(s); f++) {
    const gradyn_functional_entry *functional = &model->functional[f];
    const bool impulse = functional->side == GRADYN_IMPULSE;
    if (!gradyn_functional_is_at_event(functional, &now->record, now->number) ||
        (functional->side != GRADYN_BEFORE) != side || (impulse && k >= 0))
      continue;
    GRADYN_TRY(k < 0 ? take_value(s, &now->record, f, out) : take_slope(s, f, k, dt, moved, out));
  }
  return GRADYN_OK;
}

/* Adds the contributions of the event to integrals and to impulses along direction k: integrals change by (g-
 * - g+) dt. */
static void add_jumps(gradyn_coincidence *s, const link *now, int k, double dt, double impulse,
                      gradyn_order_outcome *out)
{
  const gradyn_model *model = s->watch->model;
  for (int f = 0; f < gradyn_coincidence_functionals(s); f++) {
    double *slope = &out->slope[k][gradyn_coincidence_place(s, f)],
           *terms = &out->terms[k][gradyn_coincidence_place(s, f)];
    const bool mine = gradyn_functional_is_impulse(&model->functional[f], &now->record,
                                                   now->number);
    *slope += (s->g[0][f] - s->g[1][f]) * dt + (mine ? impulse : 0);
    *terms += (fabs(s->g[0][f]) + fabs(s->g[1][f])) * fabs(dt) + (mine ? fabs(impulse) : 0);
  }
}

/* Maps direction k across the event. The model is in the mode after the event, at entry and at exit. */
static gradyn_status carry(gradyn_coincidence *s, const link *now, int k, gradyn_order_outcome *out)
{
  gradyn_crossing *c = &s->crossing;
  gradyn_model *model = s->watch->model;
  double dt, impulse;
  GRADYN_TRY(gradyn_crossing_along(c, s->now_x[k], s->now[k], &dt, &impulse));
  add_jumps(s, now, k, dt, impulse, out);
  GRADYN_TRY(take_side(s, now, 1, k, dt, c->jump, out));
  const int behind = gradyn_discrete_state_switch_mode(model, now->before);
  const gradyn_status status = take_side(s, now, 0, k, dt, c->arrival, out);
  (void)gradyn_discrete_state_switch_mode(model, behind);
  return status;
}

gradyn_status gradyn_coincidence_cross(gradyn_coincidence *s, int event, int i,
                                       gradyn_order_outcome *out)
{
  gradyn_model *model = s->watch->model;
  gradyn_crossing *c = &s->crossing;
  const int which = model->event[event].happened + 1;
  link now = {.record = {.event = event, .t = s->t, .occurrence = which},
              .number = s->watch->happened + i + 1,
              .before = model->discrete.mode};
  GRADYN_TRY(gradyn_crossing_prepare(c, &now.record, s->y));
  gradyn_impact_record(c->impact, &now.record);
  GRADYN_TRY(integrands(s, 1));
  GRADYN_TRY(take_side(s, &now, 1, -1, 0, NULL, out));
  const int behind = gradyn_discrete_state_switch_mode(model, now.before);
  gradyn_status status = integrands(s, 0);
  if (status == GRADYN_OK)
    status = take_side(s, &now, 0, -1, 0, NULL, out);
  (void)gradyn_discrete_state_switch_mode(model, behind);
  for (int k = 0; k < GRADYN_TRIED_DIRECTIONS && status == GRADYN_OK; k++)
    status = carry(s, &now, k, out);
  memcpy(s->y, c->impact->yp, (size_t)c->moves * sizeof(double));
  return status;
}
