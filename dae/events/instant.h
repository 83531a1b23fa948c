/* Derivatives of a time tau that depends on data and state, such as that of an event.
 *
 * A step that ends at tau begins at t_N, which moves with an earlier such time, and has the length theta =
 * tau - t_N. Let ds be the change of the state for fixed theta, and S_theta its derivative by theta. The root
 * of a guard moves by
 *
 *   r_s ds + r_x dx + r_t dt_N + r' dtheta = 0,   r' = r_s S_theta + r_t,   dtau = dt_N + dtheta,
 *
 * and the arriving state changes by dY_0 = ds + S_theta dtheta. In continuous time, ds is the change at a
 * fixed time, S_theta the rate y' before the event, and dt_N = 0. The jump (impact.h) maps dY_0 and dtau to
 * dY_K. The change after the event is dY_K - y' dtau in continuous time; in discrete time the start of the
 * scheme gives it. In the adjoint direction, the adjoint of theta sums the contributions of all these terms,
 * and the root passes it on. */
#ifndef GRADYN_DAE_INSTANT_H
#define GRADYN_DAE_INSTANT_H

#include "core/linear/norm.h"

/* A guard that is zero at tau. The states it depends on may be those at the start or at the end of the
 * step. */
typedef struct gradyn_root {
  int ns, nx;
  const double *s, *x; /* [ns] and [nx]: r_s, r_x */
  double t;            /* r_t, derivative by the time at which the step begins */
  double rate;         /* r' */
} gradyn_root;

/* Returns dtheta, s, for changes ds [ns] of the state, dx [nx] of data, and dt, s, of the start of the
 * step. */
static inline double gradyn_root_along(const gradyn_root *r, const double *ds, const double *dx,
                                       double dt)
{
  return -(gradyn_dot(r->s, ds, r->ns) + gradyn_dot(r->x, dx, r->nx) + r->t * dt) / r->rate;
}

/* Adds `bar`, the adjoint of theta, times the derivatives of theta to s_bar [ns], whose entries are
 * `stride` numbers apart, and to x_bar [nx]. Returns the contribution to the adjoint of the time at which
 * the step begins. */
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
