/* Absolute tolerances of a run with IDAS if the user has given none: by the sizes of states and integrals.
 * Sizes of states may increase during the run. Tolerances are then updated between steps. */
#include <math.h>
#include <string.h>

#include "dae/idas/idas.h"

/* Where terms of a functional cancel, its error is relative to this fraction of its terms. */
static const double beside = 0.1;

/* Estimates the size of the integral of functional f. *size is the end time times the larger of two
 * numbers: the integrand at the state y, and its change when states change by a tenth of their sizes. */
static gradyn_status integral_size(gradyn_idas *s, const gradyn_functional_entry *f, double t,
                                   const double *y, double *size)
{
  const double t_end = s->arcs.boundary[s->arcs.count].t;
  const gradyn_message kept = s->model->message;
  double g[2] = {0, 0};
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < s->ny; i++)
      /* changes with different sizes and signs, which do not cancel */
      s->scratch[i] = y[i] + side * 0.1 * (i % 2 ? -1 : 1) * (1 + i % 7 / 7.0) * s->sizes.most[i];
    const gradyn_sample at = {t, s->scratch};
    gradyn_status status = f->integrand->value(s->model, f, &at, &g[side]);
    if (gradyn_status_describe((int)status).kind == GRADYN_CLASS_FATAL)
      return status;
    if (status != GRADYN_OK || !isfinite(g[side]))
      g[side] = 0; /* the integrand is not defined there */
  }
  s->model->message = kept;
  *size = t_end * fmax(fabs(g[0]), fabs(g[1] - g[0]));
  *size = *size > 0 ? *size : 1; /* unknown */
  return GRADYN_OK;
}

/* Sets the tolerances of states, integrals, and integrals of rates, from the sizes of the states at t. */
static gradyn_status set_all(gradyn_idas *s, double t, const double *y)
{
  const gradyn_index1 *system = s->system;
  const double share = GRADYN_ABSOLUTE_SHARE * s->options.rtol;
  for (int i = 0; i < s->ny && s->sizes.share > 0; i++)
    NV_Ith_S(s->sun.atol, i) = s->sizes.share * s->sizes.most[i];
  for (int k = 0; k < s->sums.nq && s->options.atol == 0; k++) {
    double size = 1;
    GRADYN_TRY(integral_size(s, &s->model->functional[s->sums.integral[k]], t, y, &size));
    NV_Ith_S(s->sun.quad_atol, k) = fmax(NV_Ith_S(s->sun.quad_atol, k), share * size);
  }
  for (int i = 0; i < system->np && s->watch_rates; i++)
    /* integrals of rates have the units of the states */
    NV_Ith_S(s->sun.quad_atol, s->sums.nq + i) = NV_Ith_S(s->sun.atol, system->differential[i]);
  return GRADYN_OK;
}

void gradyn_idas_add_masses(gradyn_idas *s)
{
  for (int k = 0; k < s->sums.nq; k++)
    s->sums.size[s->sums.integral[k]] += fmax(beside * s->sums.mass[k],
                                              s->options.atol / s->options.rtol);
}

gradyn_status gradyn_idas_add_size(gradyn_idas *s, int f, double t, const double *y)
{
  const gradyn_functional_entry *functional = &s->model->functional[f];
  const gradyn_gradient_out out = {s->scratch, 1, NULL, NULL};
  const gradyn_sample at = {t, y};
  const double *atol = N_VGetArrayPointer(s->sun.atol);
  memset(s->scratch, 0, (size_t)s->ny * sizeof *s->scratch);
  const gradyn_message kept = s->model->message;
  const gradyn_status status = functional->terminal->gradient(s->model, functional, &at, 1, &out);
  for (int i = 0; i < s->ny && status == GRADYN_OK; i++)
    s->sums.size[f] += fabs(s->scratch[i]) * fmax(beside * fabs(y[i]), atol[i] / s->options.rtol);
  if (gradyn_status_describe((int)status).kind == GRADYN_CLASS_FATAL)
    return status;
  /* the integrand has no gradient here, so the size follows from its value alone */
  s->model->message = kept;
  return GRADYN_OK;
}

void gradyn_idas_tighten(gradyn_idas *s, double part)
{
  const double *atol = s->system->atol;
  s->options = s->asked;
  s->options.rtol *= part;
  s->options.atol *= part;
  s->options.rtol_sens *= part;
  /* absolute tolerances follow from sizes if the user has given none */
  s->sizes.share = atol || s->options.atol > 0 ? 0 : GRADYN_ABSOLUTE_SHARE * s->options.rtol;
  for (int i = 0; i < s->ny; i++)
    NV_Ith_S(s->sun.atol, i) = atol ? part * atol[i] : s->options.atol;
  NV_Ith_S(s->sun.atol, s->ny) = GRADYN_METRONOME_LOOSE * s->options.rtol;
}

gradyn_status gradyn_idas_set_tolerances(gradyn_idas *s)
{
  const double *y = N_VGetArrayPointer(s->sun.y), *yp = N_VGetArrayPointer(s->sun.yp);
  gradyn_status status = gradyn_state_sizes(s->model, s->system, y, yp,
                                            s->arcs.boundary[s->arcs.count].t, s->sizes.most);
  N_VConst(s->options.atol, s->sun.quad_atol);
  return status == GRADYN_OK ? set_all(s, 0, y) : status;
}

gradyn_status gradyn_idas_renew_tolerances(gradyn_idas *s, double t, const double *y)
{
  GRADYN_TRY(set_all(s, t, y));
  int flag = IDA_SUCCESS;
  if (NV_LENGTH_S(s->sun.quad) > 0)
    flag = IDAQuadSVtolerances(s->ida, s->options.rtol, s->sun.quad_atol);
  if (flag >= 0 && s->observer.renew)
    flag = s->observer.renew(s->observer.run);
  return gradyn_idas_failed(s, flag, "tolerances", t);
}
