/* Functionals of measures.
 *
 * A measure is a number of the state, with a unit (mbs/measures/measure.h). Any measure s becomes a
 * functional: its value at an instant or at the end, the integral of (s - target)^2, its mean
 * square, and smooth maxima of s or |s| over the run, by exponentials of s/allowed. */
#include "core/model/declare.h"
#include "core/model/limit.h"
#include "mbs/measures/measure.h"

#include <complex.h>
#include <math.h>
#include <string.h>

enum { MEASURE };

/* The measure behind a functional. */
static const mbs_measure *measure_of(const gradyn_model *model, const gradyn_functional *f)
{
  return &((const gradyn_mbs *)model->impl)->parts.measure[f->index[MEASURE]];
}

/* s */
static gradyn_status value_of(const gradyn_model *model, const gradyn_functional *f,
                              const gradyn_sample *at, double *value)
{
  return mbs_measure_value(model->impl, measure_of(model, f), at, value);
}

/* s_y and s_x, times a weight. */
static gradyn_status bar_of(const gradyn_model *model, const gradyn_functional *f,
                            const gradyn_sample *at, double weight, const gradyn_gradient_out *out)
{
  return mbs_measure_bar(model->impl, measure_of(model, f), weight, at, out);
}

/* --- the measure itself ----------------------------------------------------------------------- */

/* s itself. */
static gradyn_status plain(gradyn_model *model, const gradyn_functional *f, const gradyn_sample *at,
                           double *value)
{
  return value_of(model, f, at, value);
}

/* Its derivatives. */
static gradyn_status plain_gradient(gradyn_model *model, const gradyn_functional *f,
                                    const gradyn_sample *at, double weight,
                                    const gradyn_gradient_out *out)
{
  return bar_of(model, f, at, weight, out);
}

static const gradyn_functional_ops plain_ops = {plain, plain_gradient};

/* --- (measure - target)^2 --------------------------------------------------------------------- */

/* (s - target)^2 */
static gradyn_status track(gradyn_model *model, const gradyn_functional *f, const gradyn_sample *at,
                           double *value)
{
  double now;
  GRADYN_TRY(value_of(model, f, at, &now));
  const double miss = now - model->x[f->datum];
  *value = miss * miss;
  return GRADYN_OK;
}

/* 2 (s - target), by the target with the other sign. */
static gradyn_status track_gradient(gradyn_model *model, const gradyn_functional *f,
                                    const gradyn_sample *at, double weight,
                                    const gradyn_gradient_out *out)
{
  double now;
  GRADYN_TRY(value_of(model, f, at, &now));
  const double slope = 2 * weight * (now - model->x[f->datum]);
  if (out->x_bar)
    out->x_bar[f->datum] -= slope;
  return bar_of(model, f, at, slope, out);
}

static const gradyn_functional_ops track_ops = {track, track_gradient};

/* --- measure^2/T ------------------------------------------------------------------------------ */

/* s^2/t_end: its integral is the mean square. */
static gradyn_status mean_square(gradyn_model *model, const gradyn_functional *f,
                                 const gradyn_sample *at, double *value)
{
  double now;
  GRADYN_TRY(value_of(model, f, at, &now));
  *value = now * now / model->x[model->t_end];
  return GRADYN_OK;
}

/* 2 measure/T by the measure, -measure^2/T^2 by T */
static gradyn_status mean_square_gradient(gradyn_model *model, const gradyn_functional *f,
                                          const gradyn_sample *at, double weight,
                                          const gradyn_gradient_out *out)
{
  const double T = model->x[model->t_end];
  double now;
  GRADYN_TRY(value_of(model, f, at, &now));
  if (out->x_bar)
    out->x_bar[model->t_end] -= weight * now * now / (T * T);
  return bar_of(model, f, at, 2 * weight * now / T, out);
}

static const gradyn_functional_ops mean_square_ops = {mean_square, mean_square_gradient};

/* --- smooth maxima: exp(sharpness (measure/allowed - 1)), of a magnitude for both signs -------- */

/* exp(k (s/allowed - 1)), and of -s as well for signs 2. */
static gradyn_status exponentials(gradyn_model *model, const gradyn_functional *f,
                                  const gradyn_sample *at, int signs, double *value)
{
  double now;
  GRADYN_TRY(value_of(model, f, at, &now));
  const double share = now / model->x[f->datum];
  *value = exp(f->sharpness * (share - 1));
  if (signs == 2)
    *value += exp(f->sharpness * (-share - 1));
  if (isinf(*value))
    return gradyn_fail(&model->message, GRADYN_NON_FINITE,
                       "functional %s: %s is %g times what is allowed at t = %g s: too much for a "
                       "sharpness of %g",
                       f->name, measure_of(model, f)->name, share, at->t, f->sharpness);
  return GRADYN_OK;
}

/* k/allowed times these, and by `allowed`. */
static gradyn_status exponentials_gradient(gradyn_model *model, const gradyn_functional *f,
                                           const gradyn_sample *at, int signs, double weight,
                                           const gradyn_gradient_out *out)
{
  double now;
  GRADYN_TRY(value_of(model, f, at, &now));
  const double allowed = model->x[f->datum], share = now / allowed; /* m/a */
  /* exp(kappa (m/a - 1)); with both signs the one of -m, too */
  double slope = exp(f->sharpness * (share - 1));
  if (signs == 2)
    slope -= exp(f->sharpness * (-share - 1));
  slope *= weight * f->sharpness / allowed; /* by m: kappa/a times the exponentials */
  if (out->x_bar)
    out->x_bar[f->datum] -= slope * share;
  return bar_of(model, f, at, slope, out);
}

/* Of s. */
static gradyn_status largest(gradyn_model *model, const gradyn_functional *f,
                             const gradyn_sample *at, double *value)
{
  return exponentials(model, f, at, 1, value);
}

/* By s alone. */
static gradyn_status largest_gradient(gradyn_model *model, const gradyn_functional *f,
                                      const gradyn_sample *at, double weight,
                                      const gradyn_gradient_out *out)
{
  return exponentials_gradient(model, f, at, 1, weight, out);
}

/* Of |s|. */
static gradyn_status peak(gradyn_model *model, const gradyn_functional *f, const gradyn_sample *at,
                          double *value)
{
  return exponentials(model, f, at, 2, value);
}

/* By s and -s. */
static gradyn_status peak_gradient(gradyn_model *model, const gradyn_functional *f,
                                   const gradyn_sample *at, double weight,
                                   const gradyn_gradient_out *out)
{
  return exponentials_gradient(model, f, at, 2, weight, out);
}

static const gradyn_functional_ops largest_ops = {largest, largest_gradient};
static const gradyn_functional_ops peak_ops = {peak, peak_gradient};

/* --- maxima: measure/allowed, or of a magnitude ------------------------------------------------ */

/* s/a */
static gradyn_status share(gradyn_model *model, const gradyn_functional *f, const gradyn_sample *at,
                           double *value)
{
  GRADYN_TRY(value_of(model, f, at, value));
  *value /= model->x[f->datum];
  return GRADYN_OK;
}

/* ds/a - s/a^2 da, with a sign. */
static gradyn_status add_share(gradyn_model *model, const gradyn_functional *f,
                               const gradyn_sample *at, double now, double weight,
                               const gradyn_gradient_out *out)
{
  const double allowed = model->x[f->datum];
  if (out->x_bar)
    out->x_bar[f->datum] -= weight * now / (allowed * allowed);
  return bar_of(model, f, at, weight / allowed, out);
}

/* Of s. */
static gradyn_status share_gradient(gradyn_model *model, const gradyn_functional *f,
                                    const gradyn_sample *at, double weight,
                                    const gradyn_gradient_out *out)
{
  double now;
  GRADYN_TRY(value_of(model, f, at, &now));
  return add_share(model, f, at, now, weight, out);
}

/* |s|/a */
static gradyn_status magnitude(gradyn_model *model, const gradyn_functional *f,
                               const gradyn_sample *at, double *value)
{
  GRADYN_TRY(value_of(model, f, at, value));
  *value = fabs(*value) / model->x[f->datum];
  return GRADYN_OK;
}

/* Of |s|: by its sign, which does not change where it is largest. */
static gradyn_status magnitude_gradient(gradyn_model *model, const gradyn_functional *f,
                                        const gradyn_sample *at, double weight,
                                        const gradyn_gradient_out *out)
{
  double now;
  GRADYN_TRY(value_of(model, f, at, &now));
  return add_share(model, f, at, now, now < 0 ? -weight : weight, out);
}

static const gradyn_functional_ops share_ops = {share, share_gradient};
static const gradyn_functional_ops magnitude_ops = {magnitude, magnitude_gradient};

/* --- declarations ----------------------------------------------------------------------------- */

/* Units of a measure, of its integral, of the integral of its square and of its square. */
enum { ITSELF, INTEGRAL, OF_SQUARE, SQUARE };
static const char *const units[][4] = {{"", "s", "s", ""},
                                       {"1/s", "", "1/s", "1/s^2"},
                                       {"1/s^2", "1/s", "1/s^3", "1/s^4"},
                                       {"m", "m s", "m^2 s", "m^2"},
                                       {"m/s", "m", "m^2/s", "m^2/s^2"},
                                       {"m/s^2", "m/s", "m^2/s^3", "m^2/s^4"},
                                       {"rad", "rad s", "rad^2 s", "rad^2"},
                                       {"rad/s", "rad", "rad^2/s", "rad^2/s^2"},
                                       {"rad/s^2", "rad/s", "rad^2/s^3", "rad^2/s^4"},
                                       {"N", "N s", "N^2 s", "N^2"},
                                       {"N m", "N m s", "N^2 m^2 s", "N^2 m^2"},
                                       {"W", "J", "W^2 s", "W^2"}};

/* Other units are those of first-order states. */
static const char *unit_of(gradyn_mbs *m, const mbs_measure *s, int what)
{
  static const char *const other[] = {"%s", "%s s", "(%s)^2 s", "(%s)^2"};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strcmp(units[i][ITSELF], s->unit) == 0)
      return units[i][what];
  return gradyn_name(m->model, other[what], s->unit);
}

/* By the order of the measure: 0 places, 1 velocities, 2 accelerations, 3 multipliers. */
static void reads_measure(gradyn_functional *f, int measure, const mbs_measure *s)
{
  f->index[MEASURE] = measure;
  f->positions_only = s->order == 0;
  f->motion_only = s->order <= 1;
  f->no_multipliers = s->order <= 2;
}

/* Declares a functional of a measure (NULL: wrong); *f is NULL in later builds. */
static int declare(gradyn_mbs *m, const char *name, int measure, const mbs_measure *s,
                   const char *unit, gradyn_functional **f)
{
  int number = gradyn_model_functional(m->model, name, unit, f);
  if (*f)
    reads_measure(*f, measure, s);
  return number;
}

/* The integral of (m - target)^2. */
int gradyn_track_measure(gradyn_model *model, const char *name, int measure, gradyn_scalar target)
{
  gradyn_mbs *m = mbs_of(model);
  const mbs_measure *s = mbs_check_measure(m, name, measure);
  gradyn_functional *f;
  if (!s)
    return 0;
  int number = declare(m, name, measure, s, unit_of(m, s, OF_SQUARE), &f);
  int datum = gradyn_model_datum(model, name, "target", s->unit, target);
  /* (s - target)^2, integrated */
  if (f) {
    f->datum = datum;
    f->integrand = &track_ops;
  }
  return number;
}

/* A functional that is the integral of what `ops` gives. */
static int declare_integral(gradyn_model *model, const char *name, int measure, int what,
                            const gradyn_functional_ops *ops)
{
  gradyn_mbs *m = mbs_of(model);
  const mbs_measure *s = mbs_check_measure(m, name, measure);
  gradyn_functional *f;
  if (!s)
    return 0;
  int number = declare(m, name, measure, s, unit_of(m, s, what), &f);
  /* of the measure, or of its power */
  if (f)
    f->integrand = ops;
  return number;
}

int gradyn_integral_of_measure(gradyn_model *model, const char *name, int measure)
{
  return declare_integral(model, name, measure, INTEGRAL, &plain_ops);
}

int gradyn_mean_square_of_measure(gradyn_model *model, const char *name, int measure)
{
  return declare_integral(model, name, measure, SQUARE, &mean_square_ops);
}

/* m at an instant of the run, or at its end. */
int gradyn_measure_at(gradyn_model *model, const char *name, int measure, double instant)
{
  gradyn_mbs *m = mbs_of(model);
  const mbs_measure *s = mbs_check_measure(m, name, measure);
  gradyn_functional *f;
  if (!s)
    return 0;
  mbs_check_instant(model, name, instant);
  int number = declare(m, name, measure, s, s->unit, &f);
  if (f) {
    f->terminal = &plain_ops;
    f->instant = instant;
  }
  return number;
}

/* allowed: what s is measured by; sharpness 0: an exact maximum. */
static int declare_maximum(gradyn_model *model, const char *name, int measure,
                           gradyn_scalar allowed, double sharpness,
                           const gradyn_functional_ops *ops)
{
  const bool exact = ops == &share_ops || ops == &magnitude_ops;
  const bool positive = ops == &peak_ops || ops == &magnitude_ops;
  gradyn_mbs *m = mbs_of(model);
  const mbs_measure *s = mbs_check_measure(m, name, measure);
  gradyn_functional *f;
  if (!s)
    return 0;
  int number = declare(m, name, measure, s, "", &f);
  int datum = gradyn_model_datum(model, name, "allowed", s->unit, allowed);
  /* a negative limit is one from below */
  if (creal(allowed) == 0 || (positive && !(creal(allowed) > 0)))
    gradyn_build_error(model, "%s.allowed is %g %s: it must %s", name, creal(allowed), s->unit,
                       positive ? "be positive" : "not be zero");
  if (!exact)
    mbs_check_sharpness(model, name, sharpness);
  if (f)
    f->datum = datum;
  if (f && exact) {
    f->terminal = ops;
    f->maximum = true;
  } else if (f) {
    f->sharpness = sharpness;
    f->shift = 1; /* integrands are relative to what is allowed, so that they do not overflow */
    f->integrand = ops;
  }
  return number;
}

int gradyn_limit_measure(gradyn_model *model, const char *name, int measure, gradyn_scalar lower,
                         gradyn_scalar upper, double tolerance)
{
  gradyn_mbs *m = mbs_of(model);
  const mbs_measure *s = mbs_check_measure(m, name, measure);
  if (!s || !gradyn_model_named(model, name, "a limit"))
    return 0;
  const gradyn_limit_sides sides = gradyn_limit_declare(
      model, &(gradyn_limit_spec){name, s->unit, lower, upper, tolerance});
  for (int i = 0; i < 2; i++) {
    gradyn_functional *f = sides.own[i];
    if (!f)
      continue;
    reads_measure(f, measure, s);
    f->terminal = &plain_ops;
    gradyn_limit_bound(f);
  }
  return sides.number[0] >= 0 ? sides.number[0] : sides.number[1];
}

int gradyn_largest_measure(gradyn_model *model, const char *name, int measure,
                           gradyn_scalar allowed, double sharpness)
{
  return declare_maximum(model, name, measure, allowed, sharpness, &largest_ops);
}

int gradyn_peak_measure(gradyn_model *model, const char *name, int measure, gradyn_scalar allowed,
                        double sharpness)
{
  return declare_maximum(model, name, measure, allowed, sharpness, &peak_ops);
}

int gradyn_maximum_of_measure(gradyn_model *model, const char *name, int measure,
                              gradyn_scalar allowed)
{
  return declare_maximum(model, name, measure, allowed, 0, &share_ops);
}

int gradyn_maximum_of_magnitude(gradyn_model *model, const char *name, int measure,
                                gradyn_scalar allowed)
{
  return declare_maximum(model, name, measure, allowed, 0, &magnitude_ops);
}
