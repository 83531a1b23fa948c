/* Velocities that an event sets, v+_k = f_k(t, q-, v-, x). They are rows E v+ = f of the jump's system,
 * with impulses as multipliers. E is constant, so that the derivative is
 *
 *   df_k = f_k,y dy + f_k,x dx + f_k,t dt,
 *
 * where dy is the change of the state before the event. */
#include "dae/events/impact_reset.h"

#include <math.h>
#include <string.h>

#include "core/equations/equations.h"
#include "core/linear/norm.h"
#include "dae/events/impact_parts.h"

int gradyn_reset_count(const gradyn_impacts *s)
{
  return s->event->set_count;
}

int gradyn_reset_at(const gradyn_impacts *s, int k)
{
  return s->event->set[k].at;
}

int gradyn_reset_row(const gradyn_impacts *s)
{
  return s->m + s->mech->contacts;
}

/* --- memory ---------------------------------------------------------------------------------- */

/* Returns whether formulas may depend on state i. Accelerations and multipliers are excluded because they
 * jump, and algebraic states as well. */
static bool is_seen(const gradyn_impacts *s, int i)
{
  return s->mech ? i < 2 * s->n : !((gradyn_equations_model *)s->model->impl)->unknown[i].algebraic;
}

gradyn_status gradyn_reset_create(gradyn_impacts *s)
{
  gradyn_impact_reset *r = &s->reset;
  const int states = s->model->ops->state_count(s->model);
  for (int k = 0; k < s->model->event_count; k++)
    if (s->model->event[k].set_count > r->most)
      r->most = s->model->event[k].set_count;
  if (r->most == 0)
    return GRADYN_OK;
  const size_t most = (size_t)r->most;
  r->value = gradyn_arena_numbers(&s->arena, most);
  r->impulse = gradyn_arena_numbers(&s->arena, most);
  r->d = gradyn_arena_numbers(&s->arena, most);
  r->seen = gradyn_arena_numbers(&s->arena, (size_t)states);
  r->bar = gradyn_arena_numbers(&s->arena, (size_t)states);
  r->by = gradyn_arena_take(&s->arena, most, sizeof *r->by);
  for (size_t k = 0; k < most && r->by; k++)
    r->by[k] = (gradyn_gradient_out){gradyn_arena_numbers(&s->arena, (size_t)states), 1,
                                     gradyn_arena_numbers(&s->arena, (size_t)s->model->nx),
                                     gradyn_arena_numbers(&s->arena, 1)};
  return gradyn_arena_status(&s->arena);
}

int gradyn_reset_entries(const gradyn_impacts *s, int row[], int col[])
{
  int count = 0;
  for (int e = 0; e < s->model->event_count; e++)
    for (int k = 0; k < s->model->event[e].set_count; k++, count++) {
      if (!row)
        continue;
      row[count] = gradyn_reset_row(s) + k;
      col[count] = s->model->event[e].set[k].at;
    }
  return count;
}

/* --- the formula ----------------------------------------------------------------------------- */

gradyn_status gradyn_reset_evaluate(gradyn_impacts *s, bool derivatives)
{
  const gradyn_functional_entry *f = s->event->reset;
  gradyn_impact_reset *r = &s->reset;
  const gradyn_sample before = {s->t, r->seen};
  if (!f)
    return GRADYN_OK;
  const int states = s->model->ops->state_count(s->model);
  for (int i = 0; i < states; i++)
    r->seen[i] = is_seen(s, i) ? s->y[i] : (double)NAN;
  GRADYN_TRY(f->terminal->value(s->model, f, &before, r->value));
  if (!derivatives)
    return GRADYN_OK;
  for (int k = 0; k < gradyn_reset_count(s); k++) {
    memset(r->by[k].y_bar, 0, (size_t)states * sizeof(double));
    memset(r->by[k].x_bar, 0, (size_t)s->model->nx * sizeof(double));
    *r->by[k].t_bar = 0;
  }
  return f->terminal->gradient(s->model, f, &before, 1, r->by);
}

void gradyn_reset_along(const gradyn_impacts *s, const double *dx, double dt, const double *dy,
                        double *df)
{
  for (int k = 0; k < gradyn_reset_count(s); k++) {
    const gradyn_gradient_out *by = &s->reset.by[k];
    df[k] = gradyn_dot(by->y_bar, dy, gradyn_impact_moves(s)) +
            gradyn_dot(by->x_bar, dx, s->model->nx) + *by->t_bar * dt;
  }
}

void gradyn_reset_against(const gradyn_impacts *s, const double *f_bar, double *y_bar,
                          double *x_bar, double *t_bar)
{
  for (int k = 0; k < gradyn_reset_count(s); k++) {
    const gradyn_gradient_out *by = &s->reset.by[k];
    for (int i = 0; i < gradyn_impact_moves(s); i++)
      y_bar[i] += by->y_bar[i] * f_bar[k];
    for (int i = 0; i < s->model->nx; i++)
      x_bar[i] += by->x_bar[i] * f_bar[k];
    *t_bar += *by->t_bar * f_bar[k];
  }
}

gradyn_status gradyn_reset_refuse(gradyn_impacts *s)
{
  const double *left = s->rest + s->n + gradyn_reset_row(s);
  int worst = 0;
  for (int k = 1; k < gradyn_reset_count(s); k++)
    if (!(fabs(left[k]) <= fabs(left[worst])))
      worst = k;
  char name[80];
  s->model->ops->state_name(s->model, s->n + gradyn_reset_at(s, worst), name, sizeof name);
  return gradyn_fail(&s->model->message, GRADYN_EVENT,
                     "%s at t = %g s sets velocities that contradict the constraints after the "
                     "event: %s = %g. Set only as many velocities as are free",
                     s->event->name, s->t, name, s->reset.value[worst]);
}

/* --- general equations ----------------------------------------------------------------------- */

void gradyn_reset_states(gradyn_impacts *s)
{
  gradyn_impact_map(s, true, s->y, s->yp);
  for (int k = 0; k < gradyn_reset_count(s); k++)
    s->yp[gradyn_reset_at(s, k)] = s->reset.value[k];
}

void gradyn_reset_states_along(gradyn_impacts *s, const double *dx, double dt, const double *dy,
                               double *dyp)
{
  gradyn_impact_map_along(s, true, dx, s->y, dy, dyp);
  gradyn_reset_along(s, dx, dt, dy, s->reset.d);
  for (int k = 0; k < gradyn_reset_count(s); k++)
    dyp[gradyn_reset_at(s, k)] = s->reset.d[k];
}

void gradyn_reset_states_against(gradyn_impacts *s, const double *yp_bar, double *y_bar,
                                 double *x_bar, double *t_bar)
{
  if (gradyn_reset_count(s) == 0) {
    gradyn_impact_map_against(s, true, s->y, yp_bar, y_bar, x_bar);
    return;
  }
  /* states that the event sets do not depend on their mapped values */
  memcpy(s->reset.bar, yp_bar, (size_t)s->n * sizeof(double));
  for (int k = 0; k < gradyn_reset_count(s); k++) {
    s->reset.d[k] = yp_bar[gradyn_reset_at(s, k)];
    s->reset.bar[gradyn_reset_at(s, k)] = 0;
  }
  gradyn_impact_map_against(s, true, s->y, s->reset.bar, y_bar, x_bar);
  gradyn_reset_against(s, s->reset.d, y_bar, x_bar, t_bar);
}

/* --- maps ------------------------------------------------------------------------------------ */

/* The map of an event, q+ = B q- + b and v~ = B v-, and its derivatives. */

/* Returns the factor of a term's datum, for the map of positions or of velocities. */
static double source(const gradyn_map_entry *term, bool positions, const double *from)
{
  if (term->shift && !positions)
    return 0;
  return term->from.point < 0 ? 1 : from[term->from.at];
}

void gradyn_impact_map(const gradyn_impacts *s, bool positions, const double *from, double *to)
{
  const gradyn_event_entry *e = s->event;
  memcpy(to, from, (size_t)s->n * sizeof(double));
  for (int i = 0; i < e->map_count; i++)
    to[e->map[i].to.at] = 0;
  for (int i = 0; i < e->map_count; i++)
    /* q+_i = sum B_ij q_j + b_i; v~_i = sum B_ij v_j */
    to[e->map[i].to.at] += s->model->x[e->map[i].datum] * source(&e->map[i], positions, from);
}

void gradyn_impact_map_along(const gradyn_impacts *s, bool positions, const double *dx,
                             const double *from, const double *d, double *to)
{
  const gradyn_event_entry *e = s->event;
  memcpy(to, d, (size_t)s->n * sizeof(double));
  for (int i = 0; i < e->map_count; i++)
    to[e->map[i].to.at] = 0;
  for (int i = 0; i < e->map_count; i++) {
    const gradyn_map_entry *term = &e->map[i];
    double *sum = &to[term->to.at];
    *sum += dx[term->datum] * source(term, positions, from);
    if (term->from.point >= 0)
      *sum += s->model->x[term->datum] * source(term, positions, d);
  }
}

void gradyn_impact_map_against(const gradyn_impacts *s, bool positions, const double *from,
                               const double *to_bar, double *from_bar, double *x_bar)
{
  const gradyn_event_entry *e = s->event;
  memcpy(from_bar, to_bar, (size_t)s->n * sizeof(double));
  for (int i = 0; i < e->map_count; i++)
    from_bar[e->map[i].to.at] = 0;
  for (int i = 0; i < e->map_count; i++) {
    const gradyn_map_entry *term = &e->map[i];
    double bar = to_bar[term->to.at];
    /* transpose of to = sum of x_k source_k: adjoints of x_k and of the source */
    x_bar[term->datum] += bar * source(term, positions, from);
    if (term->from.point >= 0 && (positions || !term->shift))
      from_bar[term->from.at] += s->model->x[term->datum] * bar;
  }
}
