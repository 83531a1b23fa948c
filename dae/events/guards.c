/* Guards of mechanisms: gaps of contacts, which are constraint rows that act only at impacts, and formulas.
 *
 * An event occurs where r(t, q, v) falls through zero. A gap is Phi of a contact's row, and its rate is
 * Phi'. A formula is the terminal part of a hidden functional. It may depend on accelerations and
 * multipliers, which follow from the equations of motion at (t, q, v). */
#include "dae/events/guards.h"

#include <math.h>
#include <string.h>

#include "core/mech/vector.h"
#include "dae/events/guards_equations.h"
#include "dae/systems/sizes.h"
#include "dae/start/initial_parts.h"

/* Allocates the arrays, and creates the linear problem for accelerations. */
static gradyn_status take_memory(gradyn_guards *s)
{
  gradyn_mech *mech = s->mech;
  GRADYN_TRY(gradyn_mech_form(mech));
  size_t size = (size_t)(s->n + s->rows) + 1, ny = (size_t)(3 * s->n + mech->m) + 1;
  /* rows of contacts follow those of constraints */
  s->phi = gradyn_arena_numbers(&s->arena, size);
  s->J = gradyn_arena_numbers(&s->arena, (size_t)mech->jac.nnz + 1);
  s->mu = gradyn_arena_numbers(&s->arena, size);
  /* a state, its adjoint and natural sizes */
  s->y = gradyn_arena_numbers(&s->arena, ny);
  s->bar = gradyn_arena_numbers(&s->arena, ny);
  s->size = gradyn_arena_numbers(&s->arena, ny);
  s->slope = gradyn_arena_numbers(&s->arena, ny);
  s->work = gradyn_arena_lanes(&s->arena, size + 2 * (size_t)s->n);
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  return gradyn_initial_create(mech, GRADYN_ASSEMBLY, &s->force);
}

gradyn_status gradyn_guards_create(gradyn_model *model, gradyn_guards *s)
{
  gradyn_mech *mech = model->mech;
  *s = (gradyn_guards){.model = model, .mech = mech};
  if (!mech)
    return gradyn_equations_guards_create(s);
  s->n = mech->n;
  s->first = mech->m + mech->held;
  s->rows = gradyn_mech_rows(mech, GRADYN_CONTACT);
  return take_memory(s) == GRADYN_OK
             ? GRADYN_OK
             : gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d events",
                           model->event_count);
}

void gradyn_guards_clear(gradyn_guards *s)
{
  gradyn_arena_clear(&s->arena);
  if (s->mech)
    gradyn_initial_clear(&s->force);
  gradyn_index1_free(s->system);
  *s = (gradyn_guards){0};
}

/* y = (q, v, a, lam) of a mechanism; guards use only q and v. */
static gradyn_mech_state state_of(const gradyn_guards *s, double t, const double *y)
{
  return (gradyn_mech_state){.t = t, .q = y, .v = y + s->n};
}

/* --- formulas -------------------------------------------------------------------------------- */

/* Returns whether a formula needs accelerations and multipliers. */
static bool reads_forces(const gradyn_functional_entry *f)
{
  return !f->positions_only && !f->motion_only;
}

/* Stores in s->y the state at which a formula is evaluated, from positions and velocities in y. With
 * `forces`, computes accelerations and multipliers; otherwise these entries keep old values, which the
 * formula does not use. */
static gradyn_status complete(gradyn_guards *s, double t, const double *y, bool forces)
{
  size_t n = (size_t)s->n, m = (size_t)s->mech->m;
  memcpy(s->y, y, 2 * n * sizeof(double));
  if (!forces)
    return GRADYN_OK;
  gradyn_status status = gradyn_initial_accelerate(&s->force, t, s->y, s->y + n);
  memcpy(s->y + 2 * n, s->force.a, n * sizeof(double));
  memcpy(s->y + 3 * n, s->force.lam, m * sizeof(double));
  return status;
}

/* Evaluates r of a user's formula. */
static gradyn_status formula_value(gradyn_guards *s, const gradyn_functional_entry *f, double t,
                                   const double *y, double *value)
{
  const bool forces = reads_forces(f);
  if (s->system)
    return gradyn_equations_guard_value(s, f, t, y, value);
  if (forces)
    GRADYN_TRY(complete(s, t, y, true));
  /* other formulas read only positions and velocities of y */
  const gradyn_sample at = {t, forces ? s->y : y};
  return f->terminal->value(s->model, f, &at, value);
}

/* Adds the derivatives of a formula times `weight`: by positions and velocities to the first [2 n] of
 * s->bar, by data and time to x_bar and *t_bar. */
static gradyn_status formula_gradient(gradyn_guards *s, const gradyn_functional_entry *f, double t,
                                      const double *y, double weight, double *x_bar, double *t_bar)
{
  int n = s->n;
  bool forces = reads_forces(f);
  const gradyn_gradient_out out = {s->bar, 1, x_bar, t_bar};
  GRADYN_TRY(complete(s, t, y, forces));
  /* adjoint of the whole state; the part of accelerations and multipliers is reduced below */
  memset(s->bar, 0, (size_t)(3 * n + s->mech->m) * sizeof(double));
  GRADYN_TRY(f->terminal->gradient(s->model, f, &(gradyn_sample){t, s->y}, weight, &out));
  if (!forces)
    return GRADYN_OK;
  /* a and lam are functions of positions and velocities */
  const gradyn_mech_state at = gradyn_initial_motion_state(&s->force, t, s->y, s->y + n);
  return gradyn_initial_accelerate_transposed(
      &s->force, &at, s->bar + 2 * n,
      &(gradyn_mech_sums){.x = x_bar, .t = t_bar, .q = s->bar, .v = s->bar + n});
}

/* r' = r_q v + r_v a + r_t. */
static gradyn_status formula_rate(gradyn_guards *s, const gradyn_functional_entry *f, double t,
                                  const double *y, double *rate)
{
  int n = s->n;
  if (s->system)
    return gradyn_equations_guard_rate(s, f, t, y, rate);
  gradyn_status status = formula_gradient(s, f, t, y, 1, NULL, rate);
  bool moves = false;
  for (int i = 0; i < n; i++) {
    *rate += s->bar[i] * y[n + i]; /* r_q v */
    moves = moves || s->bar[n + i] != 0;
  }
  if (!moves || status != GRADYN_OK)
    return status;
  status = gradyn_initial_accelerate(&s->force, t, s->y, s->y + n);
  for (int i = 0; i < n; i++)
    *rate += s->bar[n + i] * s->force.a[i]; /* r_v a */
  return status;
}

/* --- guards ---------------------------------------------------------------------------------- */

gradyn_status gradyn_guard_value(gradyn_guards *s, int event, int order, double t, const double *y,
                                 double *r)
{
  const gradyn_event_entry *e = &s->model->event[event];
  gradyn_status status;
  *r = 0;
  if (e->guard) {
    status = order == 0 ? formula_value(s, e->guard, t, y, r) : formula_rate(s, e->guard, t, y, r);
  } else {
    const gradyn_mech_state at = state_of(s, t, y);
    status = s->mech->ops->phi(s->mech, GRADYN_CONTACT, order, &at, s->phi);
    *r = s->phi[s->first + e->contact];
  }
  *r *= e->sign; /* with this sign, the guard is positive before the event */
  return status;
}

gradyn_status gradyn_guard_condition(gradyn_guards *s, int event, double t, const double *y,
                                     bool *armed)
{
  const gradyn_functional_entry *f = s->model->event[event].armed;
  double value = 1;
  gradyn_status status = f ? formula_value(s, f, t, y, &value) : GRADYN_OK;
  *armed = value > 0;
  return status;
}

/* Adds the derivatives of a gap, which depends on positions, data and time only. */
static gradyn_status gap_gradient(gradyn_guards *s, int row, double t, const double *y,
                                  double weight, const gradyn_gradient_out *out)
{
  const gradyn_pattern *jac = &s->mech->jac;
  const gradyn_mech_state at = state_of(s, t, y);
  GRADYN_TRY(s->mech->ops->phi_q(s->mech, GRADYN_CONTACT, 0, &at, s->J));
  for (int k = jac->start[row]; k < jac->start[row + 1]; k++) /* r_q */
    out->y_bar[jac->col[k] * out->stride] += weight * s->J[k];
  if (!out->x_bar)
    return GRADYN_OK;
  memset(s->mu, 0, (size_t)(s->n + s->rows) * sizeof(double));
  s->mu[s->n + row] = weight;
  gradyn_mech_term term = {GRADYN_CONTACT, 0, at};
  term.at.lam = s->phi; /* any finite values: forces are multiplied by mu = 0 */
  return gradyn_mech_against(s->mech, &term, &at, s->mu, s->work,
                             &(gradyn_mech_sums){.x = out->x_bar, .t = out->t_bar});
}

/* Adds the derivatives of a guard times weight to *out: by positions and velocities (the first [2 n] of y),
 * data and time. For general equations, y_bar contains the derivatives by the differential states [np]. */
static gradyn_status add_gradient(gradyn_guards *s, int event, double t, const double *y,
                                  double weight, const gradyn_gradient_out *out)
{
  const gradyn_event_entry *e = &s->model->event[event];
  weight *= e->sign; /* e->sign is a factor of the guard */
  if (!e->guard)
    return gap_gradient(s, s->first + e->contact, t, y, weight, out);
  if (s->system)
    return gradyn_equations_guard_gradient(s, e->guard, t, y, weight, out);
  GRADYN_TRY(formula_gradient(s, e->guard, t, y, weight, out->x_bar, out->t_bar));
  for (int i = 0; i < 2 * s->n; i++)
    out->y_bar[i * out->stride] += s->bar[i];
  return GRADYN_OK;
}

gradyn_status gradyn_guard_root(gradyn_guards *s, const gradyn_event_record *at, const double *y,
                                int ns, double *r_s, double *r_x, gradyn_root *root)
{
  const gradyn_gradient_out out = {r_s, 1, r_x, &root->t};
  *root = (gradyn_root){.ns = ns, .nx = s->model->nx, .s = r_s, .x = r_x};
  memset(r_s, 0, (size_t)ns * sizeof *r_s);
  memset(r_x, 0, (size_t)s->model->nx * sizeof *r_x);
  return add_gradient(s, at->event, at->t, y, 1, &out);
}

/* --- natural sizes --------------------------------------------------------------------------- */

gradyn_status gradyn_guards_begin(gradyn_guards *s, const double *y)
{
  if (s->system)
    return gradyn_equations_guards_begin(s);
  /* results must not depend on factors and pivots of an earlier run */
  if (s->force.force.system)
    gradyn_linsys_reset(s->force.force.system);
  GRADYN_TRY(complete(s, gradyn_model_start(s->model), y, true));
  return gradyn_state_sizes(s->model, NULL, s->y, NULL, s->model->x[s->model->t_end], s->size);
}

gradyn_status gradyn_guard_scale(gradyn_guards *s, int event, double t, const double *y,
                                 double scale[2])
{
  int n = s->n;
  double r_t = 0;
  if (s->system)
    return gradyn_equations_guard_scale(s, s->model->event[event].guard, t, y, scale);
  const gradyn_gradient_out out = {s->slope, 1, NULL, &r_t};
  memset(s->slope, 0, 2 * (size_t)n * sizeof(double));
  gradyn_status status = add_gradient(s, event, t, y, 1, &out);
  scale[0] = fabs(r_t) * s->model->x[s->model->t_end];
  scale[1] = fabs(r_t);
  /* scale[0] = |r_q| |q| + |r_v| |v| + |r_t| t_end, scale[1] = |r_q| |v| + |r_v| |a| + |r_t| */
  for (int i = 0; i < 2 * n; i++) {
    const double faster = i < n ? fmax(s->size[n + i], fabs(y[n + i])) : s->size[n + i];
    scale[0] += fabs(s->slope[i]) * fmax(s->size[i], fabs(y[i]));
    scale[1] += fabs(s->slope[i]) * faster;
  }
  return status;
}
