/* Steps of explicit Runge-Kutta methods, Z_i = z + h sum_j<i a_ij k_j, k_i = f(t + c_i h, Z_i). */
#include "dae/explicit/explicit.h"

#include "dae/onestep/pieces.h"

/* One step of the Runge-Kutta method. */
static gradyn_status take(gradyn_onestep *s, double t, double h, const double *z, double *stages)
{
  const gradyn_tableau *tableau = s->tableau;
  gradyn_rates *rates = s->rates;
  for (int i = 1; i < tableau->stages; i++) {
    double *stage = gradyn_onestep_stage(s, stages, i);
    const double *before = gradyn_onestep_stage(s, stages, i - 1);
    /* Z_i = z + h sum_j<i a_ij k_j */
    gradyn_onestep_combine(s, h, gradyn_tableau_row(tableau, i), i, z, stages, s->trial);
    rates->evaluations++;
    GRADYN_TRY(rates->ops->stage(rates, t + tableau->c[i] * h, s->trial, before, stage));
  }
  /* z' = z + h sum b_i k_i */
  gradyn_onestep_combine(s, h, tableau->b, tableau->stages, z, stages, s->y);
  return GRADYN_OK;
}

/* Errors of steps add up. */
static double tolerance(double rtol)
{
  return GRADYN_EXPLICIT_SHARE * rtol;
}

const gradyn_onestep_scheme gradyn_explicit_scheme = {.name = "explicit",
                                                      .orders = "8 or 5",
                                                      .tableau = gradyn_tableau_find,
                                                      .tolerance = tolerance,
                                                      .take = take};
