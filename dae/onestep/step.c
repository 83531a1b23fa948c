/* One step of a one-step method: its end, its integrals, its error, and the length of the first step. The
 * scheme computes the stages. The error is estimated by the difference of two formulas of different order. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/linear/norm.h"
#include "dae/onestep/pieces.h"
#include "dae/systems/sizes.h"

/* Round-off of a sum, as a fraction of its terms. */
static const double round_off = 1e-14;

/* Estimate of the round-off of rates: `noises` times a measured value, at least `fading` times the last
 * estimate. The measurement may cross a jump of a force; therefore the estimate is at most `rising` times
 * the larger of the last estimate and 1/h. */
static const double noises = 2, fading = 0.9, rising = 4;

/* After this fraction of the run the size of an integral is predicted. With 0, gradients of bicycle and
 * robot-arm take 334 and 54 steps instead of 320 and 51. Without prediction, those of bicycle and
 * spatial-slider-crank take two passes instead of one, and 1.28 and 1.33 times the instructions. */
static const double early_share = 0.05;

void gradyn_onestep_combine(const gradyn_onestep *s, double h, const double *weight, int count,
                            const double *z, double *stages, double *out)
{
  const double *k[GRADYN_MOST_STAGES + 1];
  double share[GRADYN_MOST_STAGES + 1];
  int nz = s->rates->nz, terms = 0;
  for (int j = 0; j < count; j++) {
    if (weight[j] == 0)
      continue; /* a zero of the tableau */
    share[terms] = h * weight[j];
    k[terms++] = gradyn_onestep_stage(s, stages, j) + s->rates->rates;
  }
  if (z)
    memcpy(out, z, (size_t)nz * sizeof *out);
  else
    memset(out, 0, (size_t)nz * sizeof *out);
  gradyn_numbers_add(terms, share, k, nz, out);
}

gradyn_status gradyn_onestep_arrive(gradyn_onestep *s, double t, const double *near, double *stages)
{
  double *stage = gradyn_onestep_stage(s, stages, s->kept.slots - 1);
  s->rates->evaluations++;
  return s->rates->ops->arrive(s->rates, t, s->y, near, stage,
                               gradyn_onestep_arrival_numbers(s, stages));
}

gradyn_status gradyn_onestep_end(gradyn_onestep *s, double t, double *stages)
{
  const double *last = gradyn_onestep_stage(s, stages, s->tableau->stages - 1);
  if (!s->scheme->ends_in_stage || s->rates->ops->arrive_tangent)
    return gradyn_onestep_arrive(s, t, s->scheme->ends_in_stage ? last : NULL, stages);
  memcpy(gradyn_onestep_stage(s, stages, s->tableau->stages), last, s->kept.slot * sizeof *stages);
  return GRADYN_OK;
}

gradyn_status gradyn_onestep_take(gradyn_onestep *s, double t, double h, const double *z,
                                  double *stages, bool arrive)
{
  GRADYN_TRY(s->scheme->take(s, t, h, z, stages));
  return arrive ? gradyn_onestep_end(s, t + h, stages) : GRADYN_OK;
}

/* --- integrals -------------------------------------------------------------------------------- */

/* Returns whether stage i has a weight in a step or in its error. */
static bool counts(const gradyn_tableau *t, int i)
{
  if (i == t->stages)
    return t->judged_at_arrival; /* only if e has a weight for the stage at the end */
  return t->b[i] != 0 || t->e[i] != 0;
}

/* Combines the error estimates e and, of lower order, E: e^2/sqrt(e^2 + E^2/100). The result is about e if
 * E is below 10 e, and less than e if E is larger. */
static double combined(double e, double low)
{
  double norm = e * e + 0.01 * low * low;
  return norm > 0 ? e * e / sqrt(norm) : 0;
}

/* Adds the value g of integrand k at stage i to the sums of its integral. */
static void add_sample(gradyn_onestep *s, int k, int i, double h, double g)
{
  const gradyn_tableau *tableau = s->tableau;
  gradyn_onestep_sum *sum = &s->sum[k];
  const bool end = i == tableau->stages;         /* index of the stage at the end of the step */
  sum->added += end ? 0 : h * tableau->b[i] * g; /* b has no weight for the stage at the end */
  if (i == 0 && s->count == 0)                   /* g_0, from which the spread is measured */
    sum->first = g;
  /* approximately the integrals of |g| and |g - g_0| */
  sum->rise += h * fabs(g) / tableau->stages;
  sum->spread_rise += h * fabs(g - sum->first) / tableau->stages;
  sum->error += h * tableau->e[i] * g; /* with the weights e, as for states */
  sum->low += tableau->e_low ? h * tableau->e_low[i] * g : 0;
}

/* Evaluates all integrands at a stage. */
static gradyn_status add_stage(gradyn_onestep *s, double t, double h, int i, double *stages)
{
  const double c = i == s->tableau->stages ? 1 : s->tableau->c[i];
  const gradyn_sample at = {t + c * h, gradyn_onestep_stage(s, stages, i)};
  for (int k = 0; k < s->nq; k++) {
    const gradyn_functional_entry *f = &s->model->functional[s->integral[k]];
    double g;
    GRADYN_TRY(f->integrand->value(s->model, f, &at, &g));
    add_sample(s, k, i, h, g);
  }
  return GRADYN_OK;
}

gradyn_status gradyn_onestep_integrate(gradyn_onestep *s, double t, double h, double *stages)
{
  const gradyn_tableau *tableau = s->tableau;
  for (int k = 0; k < s->nq; k++) {
    gradyn_onestep_sum *sum = &s->sum[k];
    sum->added = sum->rise = sum->spread_rise = sum->error = sum->low = 0;
  }
  for (int i = 0; i < s->kept.slots && s->nq > 0; i++)
    if (counts(tableau, i))
      GRADYN_TRY(add_stage(s, t, h, i, stages));
  for (int k = 0; k < s->nq; k++) {
    gradyn_onestep_sum *sum = &s->sum[k];
    sum->error = tableau->e_low ? combined(sum->error, sum->low) : fabs(sum->error);
  }
  return GRADYN_OK;
}

/* --- error ------------------------------------------------------------------------------------ */

gradyn_status gradyn_onestep_set_tolerances(gradyn_onestep *s, const double *stage)
{
  const gradyn_rates *rates = s->rates;
  /* for a state that is zero at the start, the size follows from its rate */
  double *slope = s->spare, t_end = gradyn_onestep_boundary(s, s->arcs.count);
  memset(slope, 0, (size_t)rates->ny * sizeof *slope);
  for (int i = 0; i < rates->nz; i++)
    slope[rates->position[i]] = stage[rates->rates + i];
  GRADYN_TRY(gradyn_state_sizes(s->model, rates->system, stage, slope, t_end, s->tolerances.size));
  for (int i = 0; i < rates->ny; i++)
    s->tolerances.atol[i] = s->options.atol > 0
                                ? s->options.atol
                                : GRADYN_ABSOLUTE_SHARE * s->options.rtol * s->tolerances.size[i];
  /* tolerances that are given for single states have priority */
  for (int i = 0; i < rates->nz && rates->atol; i++)
    s->tolerances.atol[rates->position[i]] = s->tolerances.share * s->tolerances.part *
                                             rates->atol[i];
  return GRADYN_OK;
}

/* Returns the absolute tolerance of state z_i in a step. */
static double absolute(const gradyn_onestep *s, int i)
{
  return s->tolerances.atol[s->rates->position[i]];
}

double gradyn_onestep_allowed(const gradyn_onestep *s, double mass, double spread)
{
  /* relative to the integral of |g - g_0|, but at least the round-off of the sum */
  return fmax(s->options.rtol * spread, round_off * mass);
}

/* Returns the tolerance of an integral: in a second pass, by its sizes in the first pass; otherwise by its
 * sizes so far, extrapolated to the whole run. HUGE_VAL: it is too early to predict. */
static double allowed_now(const gradyn_onestep *s, const gradyn_onestep_sum *sum, double t)
{
  const double whole = gradyn_onestep_duration(s), gone = gradyn_onestep_elapsed(s, t);
  const double stretch = whole / gone; /* extrapolates to the whole run */
  if (s->sized)
    return gradyn_onestep_allowed(s, sum->whole_mass, sum->whole_spread);
  return gone > early_share * whole
             ? gradyn_onestep_allowed(s, stretch * (sum->mass + sum->rise),
                                      stretch * (sum->spread + sum->spread_rise))
             : HUGE_VAL;
}

/* Adds the possible error of an integrand to *noise: by errors of states within the tolerances of a step,
 * and by round-off. It is sum |g_yi| (atol_i + rtol |y_i| + eps Y_i max_k |y_k| / Y_k), with natural sizes
 * Y. The maximum over k is needed where forces balance: accelerations then have the round-off of the
 * forces. */
static gradyn_status blur(gradyn_onestep *s, const gradyn_functional_entry *f,
                          const gradyn_sample *at, double *noise)
{
  int ny = s->rates->ny;
  double *y_bar = s->spare + gradyn_onestep_block(s) + s->rates->nz;
  const gradyn_gradient_out out = {y_bar, 1, NULL, NULL};
  memset(y_bar, 0, (size_t)ny * sizeof *y_bar);
  const gradyn_status status = f->integrand->gradient(s->model, f, at, 1, &out);
  if (status ==
      /* g has no derivative here: the estimated error of the integral decides */
      GRADYN_CALLBACK) {
    gradyn_message_clear(&s->model->message);
    return GRADYN_OK;
  }
  GRADYN_TRY(status);
  double most = 0; /* max |y_k| / Y_k */
  for (int i = 0; i < ny; i++)
    most = fmax(most, fabs(at->y[i]) / s->tolerances.size[i]);
  for (int i = 0; i < ny; i++)
    *noise += fabs(y_bar[i]) * (s->tolerances.atol[i] + s->options.rtol * fabs(at->y[i]) +
                                round_off * s->tolerances.size[i] * most);
  return GRADYN_OK;
}

/* Raises *error to the error of integral k relative to its tolerance. An error that follows from errors of
 * the states alone, by blur(), does not count. This is checked only if the error would determine the length
 * of the step or require a second pass. */
static gradyn_status raise_to(gradyn_onestep *s, int k, double t, double h, double *stages,
                              double *error)
{
  gradyn_onestep_sum *sum = &s->sum[k];
  const gradyn_functional_entry *f = &s->model->functional[s->integral[k]];
  const gradyn_sample first = {t, stages},
                      end = {t + h, gradyn_onestep_stage(s, stages, s->tableau->stages - 1)};
  const double ratio = sum->error / allowed_now(s, sum, t + h);
  double noise = 0;
  if (!(ratio > *error) && sum->error <= gradyn_onestep_allowed(s, sum->mass, sum->spread))
    return GRADYN_OK;
  /* errors that follow from errors of the states at both ends of the step */
  GRADYN_TRY(blur(s, f, &first, &noise));
  GRADYN_TRY(blur(s, f, &end, &noise));
  if (sum->error <= h * noise)
    sum->error = 0;
  else
    *error = fmax(*error, ratio);
  return GRADYN_OK;
}

gradyn_status gradyn_onestep_error(gradyn_onestep *s, double t, double h, const double *z,
                                   double *stages, double *error)
{
  const gradyn_tableau *tableau = s->tableau;
  int nz = s->rates->nz, terms = tableau->judged_at_arrival ? s->kept.slots : tableau->stages;
  double *e = s->trial, *low = s->spare + gradyn_onestep_block(s), e_sum = 0, low_sum = 0;
  gradyn_onestep_combine(s, h, tableau->e, terms, NULL, stages, e);
  if (tableau->e_low)
    gradyn_onestep_combine(s, h, tableau->e_low, terms, NULL, stages, low);
  if (s->scheme->filter)
    s->scheme->filter(s, h, e);
  for (int i = 0; i < nz; i++) { /* errors of states: root mean square */
    /* error relative to the tolerance atol + rtol max(|z|, |z'|) */
    const double from = fabs(z[i]), to = fabs(s->y[i]);
    const double weight = 1 / (absolute(s, i) + s->options.rtol * (from > to ? from : to));
    e_sum += (e[i] * weight) * (e[i] * weight); /* mean square over tolerances */
    if (tableau->e_low)
      low_sum += (low[i] * weight) * (low[i] * weight);
  }
  *error = tableau->e_low ? combined(sqrt(e_sum / nz), sqrt(low_sum / nz)) : sqrt(e_sum / nz);
  /* errors below the round-off of the rates are not errors of the method: reduce them */
  *error /= fmax(1, h * s->control.noise);
  /* errors of integrals: the largest one counts */
  for (int k = 0; k < s->nq; k++)
    GRADYN_TRY(raise_to(s, k, t, h, stages, error));
  return GRADYN_OK;
}

/* Returns the root mean square of x - minus [nz] relative to the tolerances at z; minus NULL: of x. */
static double scaled_norm(const gradyn_onestep *s, const double *z, const double *x,
                          const double *minus)
{
  double sum = 0;
  for (int i = 0; i < s->rates->nz; i++) {
    double atol = absolute(s, i);
    /* relative to the same tolerances as errors */
    double e = (x[i] - (minus ? minus[i] : 0)) / (atol + s->options.rtol * fabs(z[i]));
    sum += e * e;
  }
  return sqrt(sum / s->rates->nz);
}

gradyn_status gradyn_onestep_measure_noise(gradyn_onestep *s, double t, double h, const double *z,
                                           double *stages)
{
  const gradyn_tableau *tableau = s->tableau;
  const double *rates = s->spare + s->rates->rates;
  const unsigned look = (unsigned)s->count + 1;
  double weights = 0;
  /* z changed by its round-off, with other signs in each measurement */
  for (int i = 0; i < s->rates->nz; i++) {
    const bool up = look * ((unsigned)i + 1) * 2654435761U >> 31;
    s->trial[i] = z[i] * (1 + (up ? DBL_EPSILON : -DBL_EPSILON));
  }
  for (int i = 0; i < tableau->stages; i++)
    weights += tableau->e[i] * tableau->e[i];
  s->rates->evaluations++;
  GRADYN_TRY(s->rates->ops->stage(s->rates, t, s->trial, NULL, s->spare));
  /* independent errors of the rates add to sum e_i k_i in this proportion; as a single measurement may be
   * too small, the estimate falls slowly */
  const double seen = scaled_norm(s, z, rates, stages + s->rates->rates);
  const double before = s->control.noise, most = rising * fmax(before, 1 / h);
  s->control.noise = fmax(fmin(noises * sqrt(weights) * seen, most), fading * before);
  return GRADYN_OK;
}

/* Computes the length of the first step from the sizes of z, z' and z'', where z'' follows from a small
 * step of Euler's method (Hairer, Nørsett and Wanner, II.4). */
gradyn_status gradyn_onestep_first_length(gradyn_onestep *s, double t, double most, const double *z,
                                          double *stages, double *h)
{
  double *next = gradyn_onestep_stage(s, stages, 1);
  const double *k = stages + s->rates->rates;
  const double known = s->model->span.step * s->model->x[s->model->t_end];
  if (known > 0) {
    *h = known;
    return GRADYN_OK;
  }
  double size = scaled_norm(s, z, z, NULL), rate = scaled_norm(s, z, k, NULL);
  /* a hundredth of |z|/|z'|; if one of them is almost zero, a very small length */
  double trial = fmin(most, size < 1e-5 || rate * most < 1e-5 ? 1e-6 * most : 0.01 * size / rate);
  const double one = 1;
  gradyn_onestep_combine(s, trial, &one, 1, z, stages, s->trial);
  gradyn_status status = s->rates->ops->stage(s->rates, t + trial, s->trial, stages, next);
  /* even this step is too long: begin with a shorter one, which is shortened if it fails */
  if (status != GRADYN_OK) {
    *h = trial / 100;
    return gradyn_status_describe(status).kind == GRADYN_CLASS_RECOVERABLE ? GRADYN_OK : status;
  }
  /* unit of time in which z changes by its own size, so that the result does not depend on the user's unit */
  /* |z''| ~ |k(t + h) - k(t)|/h */
  double unit = 100 * trial, bend = scaled_norm(s, z, next + s->rates->rates, k) / trial;
  double worst = fmax(rate * unit, bend * unit * unit);
  double by_error = worst <= 1e-15 ? fmax(1e-6 * most, 1e-3 * trial) /* h^q worst = 1/100 */
                                   : unit * pow(0.01 / worst, 1.0 / s->tableau->falls);
  *h = fmin(most, fmin(unit, by_error));
  return GRADYN_OK;
}
