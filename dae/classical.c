/* One step of the classical Runge-Kutta method:
 *
 *   z1 = z0 + h/6 (k1 + 2 k2 + 2 k3 + k4), k_s = f(t0 + c_s h, z0 + c_s h k_(s-1)), c = 0, 1/2, 1/2, 1. */
#include "dae/classical.h"
#include "core/base/message.h"

#include <string.h>

static gradyn_status take_step(gradyn_classical_fn rates, void *self, size_t n, double t, double h,
                               double *z, double *work)
{
  static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  double *k = work, *sum = work + n, *at = work + 2 * n;
  memset(work, 0, 2 * n * sizeof *work);
  for (int s = 0; s < 4; s++) {
    for (size_t i = 0; i < n; i++)
      at[i] = z[i] + part[s] * h * k[i];
    GRADYN_TRY(rates(self, t + part[s] * h, at, k));
    for (size_t i = 0; i < n; i++)
      sum[i] += weight[s] * k[i];
  }
  for (size_t i = 0; i < n; i++)
    z[i] += h * sum[i];
  return GRADYN_OK;
}

gradyn_status gradyn_classical_follow(gradyn_classical_fn rates, void *self, size_t n, double from,
                                      double to, double *z, double *work)
{
  enum { PARTS = 4 };
  const double h = (to - from) / PARTS;
  for (int i = 0; i < PARTS; i++)
    GRADYN_TRY(take_step(rates, self, n, from + i * h, h, z, work));
  return GRADYN_OK;
}
