/* Derivatives of the state of a method across an event. The impact (dae/events/impact.h) has the
 * derivatives of all states that an event changes; the state of a method has only some of them. */
#include "adjoint/jump.h"

#include <string.h>

bool gradyn_jump_gives(const gradyn_jump *s, int f)
{
  const gradyn_functional_entry *functional = &s->model->functional[f];
  return gradyn_functional_is_impulse(functional, &s->event->record, s->event->number);
}

/* Copies z to its entries of y. All other entries of y, such as algebraic states, become zero. */
static void load(const gradyn_jump *s, const double *z, int stride, double *y)
{
  memset(y, 0, (size_t)gradyn_impact_moves(s->impact) * sizeof *y);
  for (int i = 0; i < s->nz; i++)
    y[s->position[i]] = z[i * stride];
}

static void store(const gradyn_jump *s, const double *y, double *z, int stride)
{
  for (int i = 0; i < s->nz; i++)
    z[i * stride] = y[s->position[i]];
}

gradyn_status gradyn_jump_begin(const gradyn_jump *s)
{
  return gradyn_impact_repeat(s->impact, s->event->discrete[0], &s->event->record, s->event->y[0]);
}

gradyn_status gradyn_jump_along(const gradyn_jump *s, double *dx, double dt, double *z, int stride,
                                double *impulse)
{
  load(s, z, stride, s->y);
  GRADYN_TRY(gradyn_impact_tangent(s->impact, dx, dt, s->y, s->yp, impulse));
  store(s, s->yp, z, stride);
  return GRADYN_OK;
}

gradyn_status gradyn_jump_against(const gradyn_jump *s, double impulse_bar, double *z, int stride,
                                  double *x_bar, double *t_bar)
{
  load(s, z, stride, s->yp);
  GRADYN_TRY(gradyn_impact_transposed(s->impact, s->yp, impulse_bar, s->y, x_bar, t_bar));
  store(s, s->y, z, stride);
  return GRADYN_OK;
}
