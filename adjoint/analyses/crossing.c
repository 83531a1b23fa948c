/* An event as a map of small disturbances, dy+ = J (dy- + y-' dtau) + J_t dtau - y+' dtau: the
 * saltation matrix as a product, column by column. */
#include "adjoint/analyses/crossing.h"

#include <math.h>
#include <string.h>

#include "core/linear/norm.h"

/* Frees also what has been made in part only. */
void gradyn_crossing_clear(gradyn_crossing *s)
{
  gradyn_arena_clear(&s->arena);
  gradyn_guards_clear(&s->guards);
  gradyn_impact_clear(&s->impact);
  gradyn_initial_clear(&s->force);
  *s = (gradyn_crossing){0};
}

/* Room for linearising an event; impacts and guards have their own. */
gradyn_status gradyn_crossing_create(gradyn_model *model, gradyn_crossing *s)
{
  if (!model->mech)
    return gradyn_fail(&model->message, GRADYN_UNSUPPORTED,
                       "%s: saltation matrices are told of mechanisms, not of general equations",
                       model->event[0].name);
  size_t n = (size_t)model->mech->n + 1, nx = (size_t)model->nx + 1;
  *s = (gradyn_crossing){.model = model, .n = model->mech->n};
  s->yp[0] = gradyn_arena_numbers(&s->arena, 2 * n);
  s->yp[1] = gradyn_arena_numbers(&s->arena, 2 * n);
  s->r_y = gradyn_arena_numbers(&s->arena, 2 * n);
  s->r_x = gradyn_arena_numbers(&s->arena, nx);
  s->dx = gradyn_arena_numbers(&s->arena, nx);
  s->jump = gradyn_arena_numbers(&s->arena, 2 * n);
  if (gradyn_arena_status(&s->arena) != GRADYN_OK)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for saltation matrices");
  GRADYN_TRY(gradyn_initial_create(model->mech, GRADYN_ASSEMBLY, &s->force));
  GRADYN_TRY(gradyn_guards_create(model, &s->guards));
  return gradyn_impact_create(model, &s->impact);
}

/* Rates y' = (v, a) on one side. */
static gradyn_status rates(gradyn_crossing *s, double t, const double *q, const double *v,
                           double *yp)
{
  size_t bytes = (size_t)s->n * sizeof(double);
  GRADYN_TRY(gradyn_initial_accelerate(&s->force, t, q, v));
  memcpy(yp, v, bytes);
  /* a of the mode that the model is in */
  memcpy(yp + s->n, s->force.a, bytes);
  return GRADYN_OK;
}

gradyn_status gradyn_crossing_prepare(gradyn_crossing *s, const gradyn_event_record *event,
                                      const double *y)
{
  memset(s->dx, 0, (size_t)s->model->nx * sizeof(double)); /* what other events have captured */
  GRADYN_TRY(gradyn_guard_root(&s->guards, event, y, 2 * s->n, s->r_y, s->r_x, &s->root));
  GRADYN_TRY(gradyn_guard_value(&s->guards, event->event, 1, event->t, y, &s->root.rate));
  /* r', then y' before and behind */
  GRADYN_TRY(rates(s, event->t, y, y + s->n, s->yp[0]));
  /* on to the mode behind it */
  GRADYN_TRY(gradyn_impact_apply(&s->impact, event->event, event->t, y, NULL));
  return rates(s, event->t, s->impact.yp, s->impact.vp, s->yp[1]);
}

/* d across the event, in place: the saltation matrix as a product. */
gradyn_status gradyn_crossing_carry(gradyn_crossing *s, double *d)
{
  int n = s->n;
  double impulse;
  const double dt = gradyn_root_along(&s->root, d, s->dx, 0);
  /* dY- = dy- + y-' dtau,  dY+ = R dY- + R_t dtau,  dy+ = dY+ - y+' dtau */
  for (int i = 0; i < 2 * n; i++)
    d[i] += s->yp[0][i] * dt;
  GRADYN_TRY(gradyn_impact_tangent(&s->impact, s->dx, dt, d, s->jump, &impulse));
  for (int i = 0; i < 2 * n; i++)
    d[i] = s->jump[i] - s->yp[1][i] * dt;
  return GRADYN_OK;
}

gradyn_status gradyn_crossing_feels(gradyn_crossing *s, const double *dx, bool *feels)
{
  /* of natural sizes, what rates differ by where an event only lets go what does not hold any more */
  static const double nothing = 1e-6;
  const int n = s->n;
  double impulse;
  *feels = false;
  if (gradyn_dot(s->r_x, dx, s->model->nx) == 0)
    return GRADYN_OK;
  /* dy+/dtau = R_y y-' + R_t - y+' */
  GRADYN_TRY(gradyn_impact_tangent(&s->impact, s->dx, 1, s->yp[0], s->jump, &impulse));
  for (int i = 0; i < 2 * n; i++) {
    const double size = fmax(s->guards.size[n + i], fmax(fabs(s->yp[0][i]), fabs(s->yp[1][i])));
    *feels = *feels || fabs(s->jump[i] - s->yp[1][i]) > nothing * size;
  }
  return GRADYN_OK;
}
