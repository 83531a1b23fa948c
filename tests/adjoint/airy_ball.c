/* A ball in air: see airy_ball.h. */
#include "tests/adjoint/airy_ball.h"

#include <complex.h>

gradyn_status airy_ball_rates(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, *yp = at->yp, *d = at->data;
  F[AIRY_DRAG] = y[AIRY_DRAG] - y[AIRY_AIR] * y[AIRY_SPEED] * (1 + y[AIRY_SPEED] * y[AIRY_SPEED]);
  F[AIRY_HEIGHT] = yp[AIRY_HEIGHT] - y[AIRY_SPEED];
  F[AIRY_AIR] = yp[AIRY_AIR];
  F[AIRY_SPEED] = yp[AIRY_SPEED] + 9.81 + y[AIRY_DRAG] +
                  d[0] * (y[AIRY_HEIGHT] - 0.6); /* on a rubber band */
  return GRADYN_OK;
}

gradyn_status airy_ball_gap(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[AIRY_HEIGHT] - at->data[0] * csin(3 * at->t);
  return GRADYN_OK;
}

gradyn_status airy_ball_rush(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[AIRY_DRAG] + at->data[0];
  return GRADYN_OK;
}

gradyn_status airy_ball_mixture(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->t * at->y[AIRY_DRAG] + at->y[AIRY_HEIGHT] * at->y[AIRY_SPEED];
  return GRADYN_OK;
}

gradyn_status airy_ball_rebound(const gradyn_at *at, gradyn_scalar value[])
{
  const gradyn_scalar v = at->y[AIRY_SPEED];
  value[0] = -at->data[0] * v / (1 - 0.01 * v) + 0.1 * at->y[AIRY_HEIGHT];
  value[1] = (0.9 + 0.1 * csin(at->t)) * at->y[AIRY_AIR];
  return GRADYN_OK;
}
