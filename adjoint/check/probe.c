/* What looks at a mechanical model in its check: lines through states, data and time, and differences along
 * them. Differences at random states say nothing of a block that vanishes there: states are those of a
 * motion, disturbed at random. */
#include "adjoint/check/probe.h"

#include <string.h>

const gradyn_probe_part_entry gradyn_probe_part[] = {{GRADYN_INERTIA, "inertia"},
                                                     {GRADYN_FORCE, "forces"},
                                                     {GRADYN_CONSTRAINT, "constraints"},
                                                     {GRADYN_HELD, "held"},
                                                     {GRADYN_CONTACT, "contacts"}};
const char *const gradyn_probe_order_name[] = {"Phi", "Phi'", "Phi''"};

int gradyn_probe_values(const gradyn_probe *p)
{
  return p->order == GRADYN_RESIDUAL ? p->n : gradyn_mech_rows(p->mech, p->parts);
}

double gradyn_probe_size(const gradyn_probe *p, int i)
{
  /* multipliers of what is held or of contacts are no states, and have no size of their own */
  return i < p->c->ny ? p->c->size[i] : 1;
}

void gradyn_probe_aim(gradyn_probe *p, int parts, int order)
{
  p->parts = parts;
  p->order = order;
  p->move.entry = p->move.datum = -1;
  p->move.time = p->move.motion = p->move.straight = false;
}

/* The motion with constant acceleration: q + s v + s^2 a/2, v + s a. */
static void step_motion(const gradyn_probe *p, double s)
{
  int n = p->n;
  const double *v = p->base + n, *a = p->base + 2 * n;
  for (int i = 0; i < n; i++) {
    p->moved[i] += s * (v[i] + s * a[i] / 2);
    p->moved[n + i] += s * a[i];
  }
}

/* What is looked at, at place s of the line. */
static gradyn_status evaluate(void *user, double s, double *value)
{
  gradyn_probe *p = user;
  double t = p->c->t + (p->move.time || p->move.motion ? s : 0);
  /* one of them moves: an entry of the state, (q, v) on a line, or a motion */
  memcpy(p->moved, p->base, (size_t)p->ns * sizeof(double));
  if (p->move.entry >= 0)
    p->moved[p->move.entry] += s;
  for (int i = 0; i < 2 * p->n && p->move.straight; i++)
    p->moved[i] += s * p->move.line[i];
  if (p->move.motion)
    step_motion(p, s);
  gradyn_mech_state at = gradyn_probe_state(p, t, p->moved);
  gradyn_status status = GRADYN_OK;
  /* a datum moves with all that is derived from it */
  if (p->move.datum >= 0)
    status = gradyn_check_move(p->c, p->move.datum, s, p->c->t);
  if (status != GRADYN_OK)
    return status;
  memset(value, 0,
         (size_t)gradyn_probe_values(p) * sizeof *value); /* an element writes its own row only */
  return p->order == GRADYN_RESIDUAL ? p->mech->ops->residual(p->mech, p->parts, &at, value)
                                     : p->mech->ops->phi(p->mech, p->parts, p->order, &at, value);
}

gradyn_status gradyn_probe_differentiate(gradyn_probe *p, double size)
{
  return gradyn_check_differentiate(p->c, &p->d, gradyn_probe_values(p), evaluate, p, size,
                                    p->exact);
}

void gradyn_probe_rows(gradyn_probe *p, double size, gradyn_worst *w)
{
  int rows = gradyn_probe_values(p);
  double scale = gradyn_check_scale(&p->d, rows, p->exact, size);
  for (int i = 0; i < rows; i++)
    gradyn_worst_entry(w, &p->d, i, p->exact[i], scale,
                       p->order == GRADYN_RESIDUAL ? p->mech->coordinate_name(p->mech, i)
                                                   : p->mech->constraint_name(p->mech, i));
}
