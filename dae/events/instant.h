/* Instants: times tau that depend on data and state. A step that ends at one begins at t_N, which moves
 * too where an earlier instant does, and is theta = tau - t_N long. With ds, what leads there makes of the
 * state if theta is held, and S_theta, its derivative by theta, the root of a guard moves by
 *     r_s ds + r_x dx + r_t dt_N + r' dtheta = 0,   r' = r_s S_theta + r_t,   dtau = dt_N + dtheta,
 * and the change of the state that arrives is dY_0 = ds + S_theta dtheta. In continuous time ds is the
 * change at a fixed time, S_theta the rate y' before the event and dt_N = 0. The jump (impact.h) makes dY_K
 * of dY_0 and dtau, and what departs is dY_K - y' dtau in continuous time, the start of the scheme in
 * discrete time. Transposed, the bar of theta collects what all of these owe to it, and the root hands it
 * on. */
#ifndef GRADYN_DAE_INSTANT_H
#define GRADYN_DAE_INSTANT_H

#include "core/linear/norm.h"

/* A guard that is zero at an instant. What it reads of the state may stand where the step begins, or ends. */
typedef struct gradyn_root {
  int ns, nx;
  const double *s, *x; /* [ns], [nx] r_s, r_x */
  double t;            /* r_t, by the time at which the step begins */
  double rate;         /* r' */
} gradyn_root;

/* dtheta. */
static inline double gradyn_root_along(const gradyn_root *r, const double *ds, const double *dx,
                                       double dt)
{
  return -(gradyn_dot(r->s, ds, r->ns) + gradyn_dot(r->x, dx, r->nx) + r->t * dt) / r->rate;
}

/* The bar of theta to those of the state, whose entries are stride numbers apart, and of the data; returns
 * what the time at which the step begins has of it. */
static inline double gradyn_root_against(const gradyn_root *r, double bar, double *s_bar,
                                         int stride, double *x_bar)
{
  const double nu = -bar / r->rate;
  for (int i = 0; i < r->ns; i++)
    s_bar[i * stride] += nu * r->s[i];
  for (int i = 0; i < r->nx; i++)
    x_bar[i] += nu * r->x[i];
  return nu * r->t;
}

#endif
