/* Functionals of measures.
 *
 * A measure is a number with a unit (mbs/measures/measure.h). Functionals of a measure s are: its value at a
 * time or at the end; integrals of s and (s - target)^2; its mean square; exact maxima; smooth maxima of s
 * or |s| by exponentials of s/allowed. */
#include "core/model/declare.h"
#include "core/model/limit.h"
#include "mbs/measures/measure.h"

#include <complex.h>
#include <math.h>
#include <string.h>

enum { MEASURE, SHAPE }; /* meaning of gradyn_functional_entry.index */

/* A function g(s, d) of a measure s and one datum d (target, t_end or allowed), with its derivatives. */
typedef struct shaped {
  double g, g_s, g_d;
} shaped;

/* s */
static shaped itself(double s, double d, double k)
{
  (void)d, (void)k;
  return (shaped){s, 1, 0};
}

/* (s - d)^2 */
static shaped missed(double s, double d, double k)
{
  (void)k;
  return (shaped){(s - d) * (s - d), 2 * (s - d), -2 * (s - d)};
}

/* s^2 */
static shaped squared(double s, double d, double k)
{
  (void)d, (void)k;
  return (shaped){s * s, 2 * s, 0};
}

/* Smooth maxima: exp(k (s/d - 1)), and for the magnitude also exp(k (-s/d - 1)). */
static shaped largest(double s, double d, double k)
{
  const double e = exp(k * (s / d - 1)), slope = k / d * e;
  return (shaped){e, slope, -slope * s / d};
}

static shaped peak(double s, double d, double k)
{
  const shaped up = largest(s, d, k), down = largest(-s, d, k);
  return (shaped){up.g + down.g, up.g_s - down.g_s, up.g_d + down.g_d};
}

/* Exact maxima: s/d, and |s|/d. */
static shaped share(double s, double d, double k)
{
  (void)k;
  return (shaped){s / d, 1 / d, -s / (d * d)};
}

static shaped magnitude(double s, double d, double k)
{
  shaped of = share(fabs(s), d, k);
  of.g_s = s < 0 ? -of.g_s : of.g_s;
  return of;
}

enum { ITSELF, SQUARED, MISSED, LARGEST, PEAK, SHARE, MAGNITUDE };
static shaped (*const shapes[])(double s, double d, double k) = {itself, squared, missed,   largest,
                                                                 peak,   share,   magnitude};

/* The measure of a functional. */
static const mbs_measure *measure_of(const gradyn_model *model, const gradyn_functional_entry *f)
{
  return &((const gradyn_mbs *)model->impl)->parts.measure[f->index[MEASURE]];
}

/* Value of the measure s, and g with its derivatives, at a sample. */
static gradyn_status look(const gradyn_model *model, const gradyn_functional_entry *f,
                          const gradyn_sample *at, double *s, shaped *of)
{
  GRADYN_TRY(mbs_measure_value(model->impl, measure_of(model, f), at, s));
  *of = shapes[f->index[SHAPE]](*s, model->x[f->datum], f->outer.sharpness);
  return GRADYN_OK;
}

static gradyn_status value(gradyn_model *model, const gradyn_functional_entry *f,
                           const gradyn_sample *at, double *value)
{
  double s;
  shaped of;
  GRADYN_TRY(look(model, f, at, &s, &of));
  *value = of.g;
  if (f->outer.sharpness > 0 && isinf(of.g))
    return gradyn_fail(&model->message, GRADYN_NON_FINITE,
                       "functional %s: %s is %g times what is allowed at t = %g s: too much for a "
                       "sharpness of %g",
                       f->name, measure_of(model, f)->name, s / model->x[f->datum], at->t,
                       f->outer.sharpness);
  return GRADYN_OK;
}

/* g_d by the datum; g_s times the derivatives of s. */
static gradyn_status gradient(gradyn_model *model, const gradyn_functional_entry *f,
                              const gradyn_sample *at, double weight,
                              const gradyn_gradient_out *out)
{
  double s;
  shaped of;
  GRADYN_TRY(look(model, f, at, &s, &of));
  if (out->x_bar && f->index[SHAPE] >= MISSED) /* those with a datum */
    out->x_bar[f->datum] += weight * of.g_d;
  return mbs_measure_bar(model->impl, measure_of(model, f), weight * of.g_s, at, out);
}

static const gradyn_functional_ops ops = {value, gradient};

/* --- declarations ----------------------------------------------------------------------------- */

/* Units of a measure, of its integral, of the integral of its square, of its square. */
enum { PLAIN, INTEGRAL, OF_SQUARE, SQUARE };
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

/* Units that are not in the table belong to first-order states. */
static const char *unit_of(gradyn_mbs *m, const char *unit, int what)
{
  static const char *const other[] = {"%s", "%s s", "(%s)^2 s", "(%s)^2"};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strcmp(units[i][PLAIN], unit) == 0)
      return units[i][what];
  return gradyn_format_name(m->model, other[what], unit);
}

const char *mbs_unit_of_square(gradyn_mbs *m, const char *unit)
{
  return unit_of(m, unit, OF_SQUARE);
}

/* Marks quantities that the functional needs, by the order of the measure: 0 positions, 1 velocities, 2
 * accelerations, 3 multipliers. */
static void reads_measure(gradyn_functional_entry *f, int measure, const mbs_measure *s)
{
  f->index[MEASURE] = measure;
  f->positions_only = s->order == 0;
  f->motion_only = s->order <= 1;
  f->no_multipliers = s->order <= 2;
}

/* Declares a functional of a measure; returns its number. *f is NULL in later builds. */
static int declare(gradyn_mbs *m, const char *name, int measure, const mbs_measure *s,
                   const char *unit, int shape, gradyn_functional_entry **f)
{
  int number = gradyn_model_functional(m->model, name, unit, f);
  if (*f) {
    reads_measure(*f, measure, s);
    (*f)->index[SHAPE] = shape;
  }
  return number;
}

/* The integral of (s - target)^2. */
int gradyn_track_measure(gradyn_model *model, const char *name, int measure, gradyn_scalar target)
{
  gradyn_mbs *m = mbs_of(model);
  const mbs_measure *s = mbs_check_measure(m, name, measure);
  gradyn_functional_entry *f;
  if (!s)
    return 0;
  int number = declare(m, name, measure, s, mbs_unit_of_square(m, s->unit), MISSED, &f);
  int datum = gradyn_model_datum(model, name, "target", s->unit, target);
  if (f) {
    f->datum = datum;
    f->integrand = &ops;
  }
  return number;
}

/* The integral of a measure, or its mean square. */
static int declare_integral(gradyn_model *model, const char *name, int measure, int what, int shape)
{
  gradyn_mbs *m = mbs_of(model);
  const mbs_measure *s = mbs_check_measure(m, name, measure);
  gradyn_functional_entry *f;
  if (!s)
    return 0;
  int number = declare(m, name, measure, s, unit_of(m, s->unit, what), shape, &f);
  if (f) {
    f->outer.mean = shape == SQUARED;
    f->datum = model->t_end;
    f->integrand = &ops;
  }
  return number;
}

int gradyn_integral_of_measure(gradyn_model *model, const char *name, int measure)
{
  return declare_integral(model, name, measure, INTEGRAL, ITSELF);
}

int gradyn_mean_square_of_measure(gradyn_model *model, const char *name, int measure)
{
  return declare_integral(model, name, measure, SQUARE, SQUARED);
}

/* The value at a time of the run; 0: at its end. */
int gradyn_measure_at(gradyn_model *model, const char *name, int measure, double instant)
{
  gradyn_mbs *m = mbs_of(model);
  const mbs_measure *s = mbs_check_measure(m, name, measure);
  gradyn_functional_entry *f;
  if (!s)
    return 0;
  mbs_check_instant(model, name, instant);
  int number = declare(m, name, measure, s, s->unit, ITSELF, &f);
  if (f) {
    f->terminal = &ops;
    f->instant = instant;
  }
  return number;
}

/* allowed: scale of s. sharpness: of smooth maxima; not used for exact maxima. */
static int declare_maximum(gradyn_model *model, const char *name, int measure,
                           gradyn_scalar allowed, double sharpness, int shape)
{
  const bool exact = shape == SHARE || shape == MAGNITUDE;
  const bool positive = shape == PEAK || shape == MAGNITUDE;
  gradyn_mbs *m = mbs_of(model);
  const mbs_measure *s = mbs_check_measure(m, name, measure);
  gradyn_functional_entry *f;
  if (!s)
    return 0;
  int number = declare(m, name, measure, s, "", shape, &f);
  int datum = gradyn_model_datum(model, name, "allowed", s->unit, allowed);
  /* negative: a lower limit */
  if (creal(allowed) == 0 || (positive && !(creal(allowed) > 0)))
    gradyn_build_error(model, "%s.allowed is %g %s: it must %s", name, creal(allowed), s->unit,
                       positive ? "be positive" : "not be zero");
  if (!exact)
    mbs_check_sharpness(model, name, sharpness);
  if (f)
    f->datum = datum;
  if (f && exact) {
    f->terminal = &ops;
    f->maximum = true;
  } else if (f) {
    f->outer.sharpness = sharpness;
    f->outer.shift = 1; /* integrands are relative to `allowed`: exponentials do not overflow */
    f->integrand = &ops;
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
    gradyn_functional_entry *f = sides.own[i];
    if (!f)
      continue;
    reads_measure(f, measure, s);
    f->terminal = &ops;
    gradyn_limit_bound(f);
  }
  return gradyn_limit_number(&sides);
}

int gradyn_largest_measure(gradyn_model *model, const char *name, int measure,
                           gradyn_scalar allowed, double sharpness)
{
  return declare_maximum(model, name, measure, allowed, sharpness, LARGEST);
}

int gradyn_peak_measure(gradyn_model *model, const char *name, int measure, gradyn_scalar allowed,
                        double sharpness)
{
  return declare_maximum(model, name, measure, allowed, sharpness, PEAK);
}

int gradyn_maximum_of_measure(gradyn_model *model, const char *name, int measure,
                              gradyn_scalar allowed)
{
  return declare_maximum(model, name, measure, allowed, 0, SHARE);
}

int gradyn_maximum_of_magnitude(gradyn_model *model, const char *name, int measure,
                                gradyn_scalar allowed)
{
  return declare_maximum(model, name, measure, allowed, 0, MAGNITUDE);
}
