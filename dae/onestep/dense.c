/* States inside a step of a one-step method.
 *
 * Output uses dense output. With theta from 0 to 1 along a step from z to z', and with rates k and k' at
 * both ends,
 *     u = z + theta (F_0 + (1 - theta) (F_1 + theta (F_2 + (1 - theta) (F_3 + ...)))),
 *     F_0 = z' - z,   F_1 = h k - F_0,   F_2 = F_0 - h k' - F_1,   F_3+j = h sum of d_ji k_i
 * (Hairer, Norsett and Wanner, II.6). The sum is over all stages, the stage at the end, and additional
 * stages.
 *
 * Derivatives need a separate shorter step to the state inside. */
#include <string.h>

#include "dae/onestep/pieces.h"

enum { ENDS = 3 }; /* number of coefficients that follow from both ends of the step */

/* Returns coefficient F_i. s->dense contains the state at the start of the step, the coefficients, and the
 * additional stages. */
static double *coefficient(const gradyn_onestep *s, int i)
{
  return s->dense + (size_t)(1 + i) * (size_t)s->rates->nz;
}

/* Returns additional stage i of the dense output. */
static double *more_stage(const gradyn_onestep *s, int i)
{
  return coefficient(s, ENDS + s->tableau->bends) + (size_t)i * s->kept.slot;
}

size_t gradyn_onestep_dense_size(const gradyn_onestep *s)
{
  return (size_t)(1 + ENDS + s->tableau->bends) * (size_t)s->rates->nz +
         (size_t)s->tableau->more * s->kept.slot + 1;
}

/* Adds h sum of weight_i k_i to out, over `count` stages: those of the step, the stage at its end, and
 * additional ones. */
static void add_rates(const gradyn_onestep *s, double h, const double *weight, int count,
                      const double *stages, double *out)
{
  const double *k[GRADYN_DENSE_STAGES];
  double share[GRADYN_DENSE_STAGES];
  int terms = 0;
  for (int i = 0; i < count; i++) {
    const double *stage = i < s->kept.slots ? stages + (size_t)i * s->kept.slot
                                            : more_stage(s, i - s->kept.slots);
    if (weight[i] == 0)
      continue; /* a zero of the tableau */
    share[terms] = h * weight[i];
    k[terms++] = stage + s->rates->rates;
  }
  gradyn_numbers_add(terms, share, k, s->rates->nz, out);
}

gradyn_status gradyn_onestep_dense_begin(gradyn_onestep *s, double t, double h, const double *z,
                                         const double *end, const double *stages)
{
  const gradyn_tableau *tableau = s->tableau;
  gradyn_rates *rates = s->rates;
  const int nz = rates->nz;
  const size_t bytes = (size_t)nz * sizeof(double);
  const double *from = stages + rates->rates,
               *to = from + (size_t)(s->kept.slots - 1) * s->kept.slot;
  double *F[ENDS] = {coefficient(s, 0), coefficient(s, 1), coefficient(s, 2)};
  for (int i = 0; i < tableau->more; i++) {
    memcpy(s->trial, z, bytes);
    add_rates(s, h, tableau->more_a[i], s->kept.slots + i, stages, s->trial);
    rates->evaluations++;
    GRADYN_TRY(
        rates->ops->stage(rates, t + tableau->more_c[i] * h, s->trial, stages, more_stage(s, i)));
  }
  memcpy(s->dense, z, bytes);
  for (int i = 0; i < nz; i++) { /* F_0, F_1 and F_2 from the states and rates at both ends */
    F[0][i] = end[i] - z[i];
    F[1][i] = h * from[i] - F[0][i];
    F[2][i] = F[0][i] - h * to[i] - F[1][i];
  }
  for (int j = 0; j < tableau->bends; j++) {
    double *bend = coefficient(s, ENDS + j);
    memset(bend, 0, bytes);
    add_rates(s, h, tableau->bend[j], s->kept.slots + tableau->more, stages, bend);
  }
  return GRADYN_OK;
}

void gradyn_onestep_dense_at(const gradyn_onestep *s, double share, double *z)
{
  const int nz = s->rates->nz, last = ENDS + s->tableau->bends - 1;
  /* from the innermost bracket outward, with factors theta and 1 - theta in turn */
  memcpy(z, coefficient(s, last), (size_t)nz * sizeof *z);
  for (int j = last; j >= 0; j--) {
    const double factor = j % 2 == 0 ? share : 1 - share,
                 *outer = j > 0 ? coefficient(s, j - 1) : s->dense;
    for (int i = 0; i < nz; i++)
      z[i] = outer[i] + factor * z[i];
  }
}

void gradyn_onestep_motion_at(int n, double h, const double *from, const double *to, double share,
                              double *y)
{
  const double x = share, x2 = x * x, x3 = x2 * x;
  for (int i = 0; i < n; i++) {
    /* q = q_0 + h v_0 x + h^2 a_0 x^2/2 + c_3 x^3 + c_4 x^4 + c_5 x^5; d, e, f: what the last three terms
     * must give at x = 1, for q, h v and h^2 a */
    const double v0 = h * from[n + i], a0 = h * h * from[2 * n + i];
    const double d = to[i] - from[i] - v0 - a0 / 2, e = h * to[n + i] - v0 - a0;
    const double f = h * h * to[2 * n + i] - a0;
    const double c3 = 10 * d - 4 * e + f / 2, c4 = -15 * d + 7 * e - f, c5 = 6 * d - 3 * e + f / 2;
    y[i] = from[i] + v0 * x + a0 * x2 / 2 + (c3 + c4 * x + c5 * x2) * x3;
    y[n + i] = (v0 + a0 * x + (3 * c3 + 4 * c4 * x + 5 * c5 * x2) * x2) / h;
  }
}

/* --- with derivatives ----------------------------------------------------------------------------- */

gradyn_status gradyn_onestep_inside(gradyn_onestep *s, int k, double share, const double *stages,
                                    double **out)
{
  double h = s->step[k].h * share;
  size_t bytes = (size_t)s->rates->nz * sizeof(double);
  double *inside = *out = s->spare, *end = inside + gradyn_onestep_block(s);
  /* the first stage is kept, the others and s->y are overwritten; s->y is restored below */
  memcpy(inside, stages, s->kept.slot * sizeof *inside);
  memcpy(end, s->y, bytes);
  gradyn_status status = gradyn_onestep_take(s, s->step[k].t, h,
                                             s->z + (size_t)k * (size_t)s->rates->nz, inside, true);
  memcpy(s->y, end, bytes);
  return status;
}
