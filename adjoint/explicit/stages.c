/* The method `explicit`: Runge-Kutta methods of order 8 and 5, with exact derivatives of the discrete run.
 * Direct sweep, for the stages:
 *     dZ_i = dz + h sum a_ij dk_j + dh sum a_ij k_j,
 * The adjoint sweep has the transpose of a step:
 *     Z_i = z + h sum a_ij k_j, z* = z + h sum b_i k_i, I += h sum b_i g(Z_i), z' = P(z*) becomes
 *     z*_bar from z'_bar through P;
 *     k_i_bar = h b_i z*_bar + h sum_j>i a_ji Z_j_bar,   Z_i_bar = k_z^T k_i_bar + h b_i g_z;
 *     z_bar = z*_bar + sum Z_i_bar,
 * with the adjoints of time and length of the step if boundaries of arcs depend on data. */
#include "adjoint/explicit/stages.h"

#include "adjoint/onestep/method.h"

/* --- along -------------------------------------------------------------------------------------- */

/* Computes the changes of stage i for all directions. */
static gradyn_status stage_along(gradyn_onestep_sweeps *s, const gradyn_direct_position *at, int i)
{
  gradyn_onestep *march = s->march;
  gradyn_rates *rates = march->rates;
  const gradyn_tableau *tableau = march->tableau;
  /* Z_i changes by the rates of earlier stages, its rate by the equations */
  double c = tableau->c[i];
  /* linearised at Z_i */
  GRADYN_TRY(
      rates->ops->linearise(rates, at->t + c * at->h, gradyn_onestep_stage(march, at->stages, i)));
  for (int pack = 0; pack < s->active; pack++) {
    gradyn_direct_entry dt;
    if (s->moving)
      dt = gradyn_direct_time(s, pack, c * at->share);
    const gradyn_rates_change d = gradyn_direct_change(s, pack, s->moving ? dt.lane : NULL);
    gradyn_lanes *dstage = gradyn_direct_stage(s, pack, i);
    gradyn_direct_combine(s, at, pack, i > 0 ? gradyn_tableau_row(tableau, i) : NULL, i, dstage);
    GRADYN_TRY(rates->ops->tangent(rates, gradyn_onestep_columns(s, pack), dstage, &d, dstage));
  }
  return GRADYN_OK;
}

/* Computes the changes of all stages of a step; later stages use those of earlier ones. */
static gradyn_status along(gradyn_onestep_sweeps *s, const gradyn_direct_position *at)
{
  for (int i = 0; i < s->march->tableau->stages; i++)
    GRADYN_TRY(stage_along(s, at, i));
  return GRADYN_OK;
}

/* --- against ------------------------------------------------------------------------------------ */

/* k_i_bar += h b_i z*_bar + h sum_j>i a_ji Z_j_bar. */
static void gather_rates(const gradyn_tableau *t, int i, double h, int nz, const gradyn_lanes *star,
                         const gradyn_lanes *Z_bar, gradyn_lanes *k_bar)
{ /* k_i affects z' by b_i and later stages by a_ji */
  const gradyn_lanes *from[GRADYN_MOST_STAGES];
  double share[GRADYN_MOST_STAGES];
  int terms = t->b[i] != 0;
  from[0] = star;
  share[0] = h * t->b[i];
  for (int j = i + 1; j < t->stages; j++) {
    const double a = gradyn_tableau_row(t, j)[i];
    if (a == 0)
      continue; /* zeros of the tableau */
    share[terms] = h * a;
    from[terms++] = Z_bar + j * nz;
  }
  gradyn_lanes_add(terms, share, from, nz, k_bar, k_bar);
}

/* z_bar += sum Z_i_bar. */
static void gather_states(const gradyn_tableau *t, int nz, const gradyn_lanes *Z_bar,
                          gradyn_lanes *z_bar)
{
  const gradyn_lanes *from[GRADYN_MOST_STAGES];
  double one[GRADYN_MOST_STAGES];
  for (int i = 0; i < t->stages; i++) {
    one[i] = 1;
    /* z affects every Z_i with the factor 1 */
    from[i] = Z_bar + i * nz;
  }
  gradyn_lanes_add(t->stages, one, from, nz, z_bar, z_bar);
}

/* Computes the adjoints of Z_i of one batch; the stage has been linearised. star: the adjoints of z*. */
static gradyn_status stage_back(gradyn_onestep_sweeps *s, int k, int i, int pack, double *stages,
                                double *x_bar)
{
  gradyn_onestep *march = s->march;
  const gradyn_tableau *tableau = march->tableau;
  gradyn_rates *rates = march->rates;
  int nz = rates->nz;
  double h = gradyn_onestep_length(march, k), c = tableau->c[i];
  const gradyn_lanes *star = s->z + pack * nz;
  gradyn_lanes *Z_bar = s->stage + (pack * march->kept.slots) * nz, *own = Z_bar + i * nz;
  gradyn_onestep_bars adjoints = {.stage = s->work, .x = x_bar};
  const double *rate = gradyn_onestep_stage(march, stages, i) + rates->rates;
  /* adjoints of (y, k) of the stage */
  gradyn_lanes_clear(rates->seen, adjoints.stage);
  GRADYN_TRY(gradyn_onestep_integrands_against(s, k, i, pack, stages, &adjoints));
  gather_rates(tableau, i, h, nz, star, Z_bar, adjoints.stage + rates->rates);
  if (s->moving) { /* h_bar from h b_i k_i and h a_ji k_i */
    gradyn_onestep_add_dot(tableau->b[i], star, rate, nz, &adjoints.h);
    for (int j = i + 1; j < tableau->stages; j++)
      gradyn_onestep_add_dot(gradyn_tableau_row(tableau, j)[i], Z_bar + j * nz, rate, nz,
                             &adjoints.h);
  }
  /* transposed equations of the stage: from adjoints of (y, k) to those of Z_i, x and t */
  const gradyn_rates_sums sums = gradyn_onestep_sums(s, pack, x_bar);
  if (gradyn_lanes_any(rates->seen, adjoints.stage))
    GRADYN_TRY(rates->ops->transposed(rates, gradyn_onestep_rows(s, pack), adjoints.stage, own,
                                      &sums, s->moving ? &adjoints.t : NULL));
  else
    gradyn_lanes_clear(nz, own);
  s->node.time[pack] += adjoints.t;
  s->node.length[pack] += adjoints.h + c * adjoints.t; /* t_i = t + c_i h */
  return GRADYN_OK;
}

/* Of an explicit method. */
static gradyn_status against(gradyn_onestep_sweeps *s, int k, double *stages, double *x_bar)
{
  gradyn_onestep *march = s->march;
  gradyn_rates *rates = march->rates;
  double t = gradyn_onestep_time(march, k), h = gradyn_onestep_length(march, k);
  /* later stages depend on the rates of earlier ones */
  for (int i = march->tableau->stages - 1; i >= 0; i--) {
    GRADYN_TRY(rates->ops->linearise(rates, t + march->tableau->c[i] * h,
                                     gradyn_onestep_stage(march, stages, i)));
    for (int pack = 0; pack < s->active; pack++)
      GRADYN_TRY(stage_back(s, k, i, pack, stages, x_bar));
  }
  /* z_bar = z*_bar + sum Z_i_bar */
  for (int pack = 0; pack < s->active; pack++)
    gather_states(march->tableau, rates->nz, s->stage + pack * march->kept.slots * rates->nz,
                  s->z + pack * rates->nz);
  return GRADYN_OK;
}

const gradyn_onestep_derivatives gradyn_explicit_derivatives = {
    .along = along, .against = against, .leaves_start = true};

/* --- the method ---------------------------------------------------------------------------------- */

static gradyn_status create(gradyn_model *model, const gradyn_options *options, void **out)
{
  return gradyn_onestep_method_create(model, options, &gradyn_explicit_scheme,
                                      &gradyn_explicit_derivatives, out);
}

const gradyn_method gradyn_explicit_method = {
    .name = "explicit",
    .summary = "Runge-Kutta of order 8 or 5, variable or fixed step: for non-stiff models",
    .price_mechanical = {0.35, 0.61, 0.64, 0.39},
    .price_general = {0.5, 0.47, 0.57, 0.27},
    GRADYN_ONESTEP_METHOD,
    .joins = true,
    .create = create};
