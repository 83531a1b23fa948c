/* Guards of general equations: formulas of time, data and differential states y_d. Algebraic states and rates
 * are functions of these by the equations. */
#include "dae/events/guards_equations.h"

#include <math.h>
#include <string.h>

#include "dae/systems/sizes.h"

gradyn_status gradyn_equations_guards_create(gradyn_guards *s)
{
  GRADYN_TRY(gradyn_index1_from_equations(s->model, &s->system));
  size_t ny = (size_t)s->system->ny + 1, nx = (size_t)s->system->nx + 1;
  double **const states[] = {&s->y, &s->yp, &s->bar, &s->size, &s->sy, &s->syp};
  for (size_t k = 0; k < sizeof states / sizeof *states; k++)
    *states[k] = gradyn_arena_numbers(&s->arena, ny);
  s->rest = gradyn_arena_numbers(&s->arena, nx);
  return gradyn_arena_status(&s->arena) == GRADYN_OK
             ? GRADYN_OK
             : gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for %d events",
                           s->model->event_count);
}

/* Computes the consistent state for the differential states of y: s->y and s->yp. */
static gradyn_status complete(gradyn_guards *s, double t, const double *y)
{
  memcpy(s->y, y, (size_t)s->system->ny * sizeof(double));
  return s->system->ops->restart(s->system, t, s->y, s->yp);
}

/* formula_gradient() for general equations. Evaluates F_y and F_y', and adds the partial derivatives of the
 * formula times weight. Derivatives by states are added to s->bar, those by data and time to x_bar and
 * *t_bar. */
static gradyn_status differentiate(gradyn_guards *s, const gradyn_functional_entry *f, double t,
                                   const double *y, double weight, double *x_bar, double *t_bar)
{
  const gradyn_gradient_out out = {s->bar, 1, x_bar, t_bar};
  GRADYN_TRY(complete(s, t, y));
  GRADYN_TRY(s->system->ops->linearise(s->system, t, s->y, s->yp));
  memset(s->bar, 0, (size_t)s->system->ny * sizeof(double));
  return f->terminal->gradient(s->model, f, &(gradyn_sample){t, s->y}, weight, &out);
}

gradyn_status gradyn_equations_guard_value(gradyn_guards *s, const gradyn_functional_entry *f,
                                           double t, const double *y, double *r)
{
  /* formulas may depend on algebraic states, which follow from y_d */
  const bool whole = s->system->np < s->system->ny;
  if (whole)
    GRADYN_TRY(complete(s, t, y));
  return f->terminal->value(s->model, f, &(gradyn_sample){t, whole ? s->y : y}, r);
}

/* Computes the rate of a formula along the motion, r' = r_y y' + r_t. */
gradyn_status gradyn_equations_guard_rate(gradyn_guards *s, const gradyn_functional_entry *f,
                                          double t, const double *y, double *rate)
{
  const gradyn_index1 *system = s->system;
  *rate = 0;
  GRADYN_TRY(differentiate(s, f, t, y, 1, NULL, rate));
  /* the tangent of the motion: y_d' per unit of time; restart_tangent() computes the rates of algebraic
   * states */
  memset(s->sy, 0, (size_t)system->ny * sizeof(double));
  for (int d = 0; d < system->np; d++)
    s->sy[system->differential[d]] = s->yp[system->differential[d]];
  GRADYN_TRY(system->ops->restart_tangent(s->system, s->rest, 1, s->sy, s->syp));
  for (int i = 0; i < system->ny; i++)
    *rate += s->bar[i] * s->sy[i];
  return GRADYN_OK;
}

gradyn_status gradyn_equations_guard_gradient(gradyn_guards *s, const gradyn_functional_entry *f,
                                              double t, const double *y, double weight,
                                              const gradyn_gradient_out *out)
{
  double t_bar = 0;
  GRADYN_TRY(differentiate(s, f, t, y, weight, out->x_bar, &t_bar));
  GRADYN_TRY(
      s->system->ops->adjoint_terminal(s->system, s->bar, NULL, out->y_bar, out->x_bar, &t_bar));
  if (out->t_bar)
    *out->t_bar += t_bar;
  return GRADYN_OK;
}

gradyn_status gradyn_equations_guards_begin(gradyn_guards *s)
{
  gradyn_model *model = s->model;
  /* computes rates; the iteration starts from zero in each run */
  GRADYN_TRY(s->system->ops->start(s->system, s->y, s->yp));
  if (s->system->combined > 0)
    return gradyn_fail(&model->message, GRADYN_UNSUPPORTED,
                       "%s: events are not possible in equations with a singular matrix dF/dy'",
                       model->event[0].name);
  return gradyn_state_sizes(model, s->system, s->y, s->yp, model->x[model->t_end], s->size);
}

gradyn_status gradyn_equations_guard_scale(gradyn_guards *s, const gradyn_functional_entry *f,
                                           double t, const double *y, double scale[2])
{
  const double t_end = s->model->x[s->model->t_end];
  double r_t = 0;
  GRADYN_TRY(differentiate(s, f, t, y, 1, NULL, &r_t));
  scale[0] = fabs(r_t) * t_end;
  scale[1] = fabs(r_t);
  /* scale[0] = |r_y| |y| + |r_t| t_end, scale[1] = |r_y| |y'| + |r_t| */
  for (int i = 0; i < s->system->ny; i++) {
    const double size = fmax(s->size[i], fabs(s->y[i]));
    scale[0] += fabs(s->bar[i]) * size;
    scale[1] += fabs(s->bar[i]) * fmax(size / t_end, fabs(s->yp[i]));
  }
  return GRADYN_OK;
}
