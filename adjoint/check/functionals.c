/* Checks functionals: compares gradients of integrands and terminal parts with differences.
 *
 * A functional is psi = outer(w(y_end) + integral of g dt). Its integrand g and terminal part w are
 * checked separately, by states, data and explicit time. The derivative of outer is a formula in one
 * variable and is not checked here. */
#include <string.h>

#include "adjoint/check/probe.h"

/* Evaluation of an integrand or of a terminal part. */
typedef struct part {
  gradyn_probe probe;
  const gradyn_functional_entry *f;
  const gradyn_functional_ops *ops;
  double *y_bar; /* [ny] adjoint of the state; with weight 1 it is the derivative */
  double t_bar;
} part;

static gradyn_status values(gradyn_probe *probe, double t, double *value)
{
  const part *p = (const part *)probe;
  return p->ops->value(probe->c->model, p->f, &(gradyn_sample){t, probe->moved}, value);
}

static gradyn_status derive(gradyn_probe *probe)
{
  const part *p = (const part *)probe;
  probe->exact[0] = probe->by == GRADYN_BY_STATE   ? p->y_bar[probe->index]
                    : probe->by == GRADYN_BY_DATUM ? probe->c->x_bar[probe->index]
                                                   : p->t_bar;
  return GRADYN_OK;
}

/* Sets the disturbed state in the middle of the run (which 0) or at its end (1). Reduces the disturbance
 * while the functional does not exist, since a disturbance may strain stiff beams too much. */
static gradyn_status position(part *p, int which)
{
  const gradyn_checking *c = p->probe.c;
  const double *y = which ? c->y_end : c->y;
  double *at = p->probe.base, value;
  gradyn_status status = GRADYN_NON_FINITE;
  for (double share = 1; share > 1e-7 && status != GRADYN_OK; share /= 100) {
    for (int i = 0; i < c->ny; i++)
      at[i] = share == 1 ? y[i] : c->calm[which][i] + share * (y[i] - c->calm[which][i]);
    status = p->ops->value(c->model, p->f, &(gradyn_sample){p->probe.t, at}, &value);
    /* other failures are errors */
    if (status != GRADYN_OK && gradyn_status_describe((int)status).kind != GRADYN_CLASS_RECOVERABLE)
      break;
  }
  return status;
}

/* Checks all derivatives of the integrand (which 0) or the terminal part (1). */
static gradyn_status check_part(part *p, int which)
{
  gradyn_checking *c = p->probe.c;
  const struct {
    gradyn_moves by;
    int count;
    const char *name;
  } item[] = {
      {GRADYN_BY_STATE, c->ny, "y"}, {GRADYN_BY_DATUM, c->nx, "x"}, {GRADYN_BY_TIME, 1, "t"}};
  const gradyn_gradient_out out = {p->y_bar, 1, c->x_bar, &p->t_bar};
  memset(p->y_bar, 0, (size_t)c->ny * sizeof(double));
  memset(c->x_bar, 0, (size_t)c->nx * sizeof(double));
  p->t_bar = 0;
  GRADYN_TRY(gradyn_check_load(c, NULL, p->probe.t));
  gradyn_status status = position(p, which);
  if (status == GRADYN_OK)
    status = p->ops->gradient(c->model, p->f, &(gradyn_sample){p->probe.t, p->probe.base}, 1, &out);
  /* the functional does not even exist at a state of the run */
  const bool nowhere = gradyn_status_describe((int)status).kind == GRADYN_CLASS_RECOVERABLE;
  if (status != GRADYN_OK && !nowhere)
    return status;
  for (size_t k = 0; k < GRADYN_COUNT(item); k++) {
    gradyn_worst w = {.tolerance = c->tolerance};
    if (!nowhere)
      GRADYN_TRY(gradyn_probe_compare(&p->probe, item[k].by, 0, item[k].count, &w));
    else if (item[k].by != GRADYN_BY_TIME)
      gradyn_worst_leave_out(&w, gradyn_check_nowhere);
    GRADYN_TRY(gradyn_check_add(c, &w, "differences", "d%s/d%s of %s", which ? "w" : "g",
                                item[k].name, p->f->name));
  }
  return GRADYN_OK;
}

gradyn_status gradyn_check_functionals(gradyn_checking *c)
{
  part p = {.probe = {.rows = 1, .narrow = true, .values = values, .derive = derive}};
  /* integrands at the time of y; terminal parts shortly before the end time, where signals end, so that
   * time can change in both directions */
  const double t[] = {c->t, 0.93170 * c->x[c->model->t_end]};
  gradyn_status status = gradyn_probe_open(&p.probe, c, c->ny);
  p.y_bar = gradyn_arena_numbers(&p.probe.arena, (size_t)c->ny);
  if (status == GRADYN_OK)
    status = gradyn_arena_status(&p.probe.arena);
  for (int k = 0; k < 2 * c->model->functional_count && status == GRADYN_OK; k++) {
    p.f = &c->model->functional[k / 2];
    p.ops = k % 2 ? p.f->terminal : p.f->integrand;
    p.probe.t = t[k % 2];
    if (p.ops)
      status = check_part(&p, k % 2);
  }
  gradyn_probe_close(&p.probe);
  return status;
}
