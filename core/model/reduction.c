/* Functionals as the reduction of a measure.
 *
 * With e = (measure - target)/scale by component, the reduction is an integral or mean of e or |e|^2, the
 * value at a time or an event, or a maximum over components and time. A smooth maximum is
 * shift + ln(mean of the sum of exp(kappa (e - shift)))/kappa. `shift` prevents overflow of the
 * exponentials: it is 1 where a scale is given, otherwise the largest e at the start of the run. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/model/declare.h"
#include "core/model/event.h"
#include "core/model/model.h"
#include <gradyn/functionals.h>

enum { AXES = 3 }; /* most components of a vector with a magnitude, or with several targets */

/* Component k of the measure of a functional. */
static const gradyn_functional_entry *component(const gradyn_model *model,
                                                const gradyn_functional_entry *f, int k)
{
  return &model->declared.measure[f->reduced.measure + k];
}

/* Computes e = (measure - target)/scale of component k. */
static gradyn_status miss(gradyn_model *model, const gradyn_functional_entry *f, int k,
                          const gradyn_sample *at, double *e)
{
  const gradyn_reduced *r = &f->reduced;
  const gradyn_functional_entry *s = component(model, f, k);
  GRADYN_TRY(s->terminal->value(model, s, at, e));
  if (r->targets > 0)
    *e -= model->x[r->target + (r->targets > 1 ? k : 0)];
  if (r->scale >= 0)
    *e /= model->x[r->scale];
  return GRADYN_OK;
}

/* Adds bar times the derivatives of e of component k. */
static gradyn_status miss_bar(gradyn_model *model, const gradyn_functional_entry *f, int k,
                              double e, double bar, const gradyn_sample *at,
                              const gradyn_gradient_out *out)
{
  const gradyn_reduced *r = &f->reduced;
  const gradyn_functional_entry *s = component(model, f, k);
  if (r->scale >= 0) {
    bar /= model->x[r->scale];
    if (out->x_bar)
      out->x_bar[r->scale] -= bar * e;
  }
  if (out->x_bar && r->targets > 0)
    out->x_bar[r->target + (r->targets > 1 ? k : 0)] -= bar;
  return s->terminal->gradient(model, s, at, bar, out);
}

/* --- |e| and the largest e ---------------------------------------------------------------------- */

/* Computes e [components] and |e|. */
static gradyn_status magnitude(gradyn_model *model, const gradyn_functional_entry *f,
                               const gradyn_sample *at, double e[AXES], double *size)
{
  double sum = 0;
  for (int k = 0; k < f->reduced.components; k++) {
    GRADYN_TRY(miss(model, f, k, at, &e[k]));
    sum += e[k] * e[k];
  }
  *size = f->reduced.components == 1 ? fabs(e[0]) : sqrt(sum);
  return GRADYN_OK;
}

/* Adds weight times the derivatives of |e|, e/|e| by each component. Where |e| = 0 a vector has derivative
 * 0, and a number 1. */
static gradyn_status magnitude_bar(gradyn_model *model, const gradyn_functional_entry *f,
                                   const double e[AXES], double size, double weight,
                                   const gradyn_sample *at, const gradyn_gradient_out *out)
{
  const bool single = f->reduced.components == 1;
  for (int k = 0; k < f->reduced.components; k++) {
    const double bar = single ? (e[k] < 0 ? -weight : weight) : size > 0 ? weight * e[k] / size : 0;
    GRADYN_TRY(miss_bar(model, f, k, e[k], bar, at, out));
  }
  return GRADYN_OK;
}

/* Finds the largest e and its component. If a component is not a number, it is the result. */
static gradyn_status largest(gradyn_model *model, const gradyn_functional_entry *f,
                             const gradyn_sample *at, int *which, double *value)
{
  *value = -HUGE_VAL;
  *which = 0;
  for (int k = 0; k < f->reduced.components; k++) {
    double e;
    GRADYN_TRY(miss(model, f, k, at, &e));
    if (isnan(e) || e > *value) {
      *value = e;
      *which = k;
    }
  }
  return GRADYN_OK;
}

static gradyn_status value_of(gradyn_model *model, const gradyn_functional_entry *f,
                              const gradyn_sample *at, double *value)
{
  double e[AXES];
  int which;
  return f->reduced.magnitude ? magnitude(model, f, at, e, value)
                              : largest(model, f, at, &which, value);
}

static gradyn_status value_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                    const gradyn_sample *at, double weight,
                                    const gradyn_gradient_out *out)
{
  double e[AXES];
  if (f->reduced.magnitude) {
    double size;
    GRADYN_TRY(magnitude(model, f, at, e, &size));
    return magnitude_bar(model, f, e, size, weight, at, out);
  }
  int which;
  GRADYN_TRY(largest(model, f, at, &which, e));
  return miss_bar(model, f, which, e[0], weight, at, out);
}

/* --- |e|^2 -------------------------------------------------------------------------------------- */

static gradyn_status square(gradyn_model *model, const gradyn_functional_entry *f,
                            const gradyn_sample *at, double *value)
{
  *value = 0;
  for (int k = 0; k < f->reduced.components; k++) {
    double e;
    GRADYN_TRY(miss(model, f, k, at, &e));
    *value += e * e;
  }
  return GRADYN_OK;
}

static gradyn_status square_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                     const gradyn_sample *at, double weight,
                                     const gradyn_gradient_out *out)
{
  for (int k = 0; k < f->reduced.components; k++) {
    double e;
    GRADYN_TRY(miss(model, f, k, at, &e));
    GRADYN_TRY(miss_bar(model, f, k, e, 2 * weight * e, at, out));
  }
  return GRADYN_OK;
}

/* --- sum of exponentials ------------------------------------------------------------------------ */

/* Returns GRADYN_NON_FINITE if the exponential would overflow. */
static gradyn_status check_exponent(gradyn_model *model, const gradyn_functional_entry *f, double t,
                                    double e)
{
  const double most = 700; /* largest exponent: exp(709.8) overflows */
  if (!(f->outer.sharpness * (e - f->outer.shift) > most))
    return GRADYN_OK;
  return gradyn_fail(&model->message, GRADYN_NON_FINITE,
                     "smooth maximum %s: at t = %g s its function is %g, %g more than %s; a "
                     "sharpness of %g is too large. Use at most %.2g",
                     f->name, t, e, e - f->outer.shift,
                     f->reduced.scale >= 0 ? "1" : "at the start", f->outer.sharpness,
                     most / (e - f->outer.shift));
}

/* Number of exponentials: a number with a magnitude has those of e and -e, a vector that of |e|. */
static int terms(const gradyn_functional_entry *f)
{
  const int components = f->reduced.components;
  return !f->reduced.magnitude ? components : components == 1 ? 2 : 1;
}

/* Computes g of exponential i; its derivatives need e [AXES]. */
static gradyn_status term(gradyn_model *model, const gradyn_functional_entry *f, int i,
                          const gradyn_sample *at, double e[AXES], double *g)
{
  if (f->reduced.magnitude && f->reduced.components > 1)
    GRADYN_TRY(magnitude(model, f, at, e, g));
  else {
    GRADYN_TRY(miss(model, f, f->reduced.magnitude ? 0 : i, at, e));
    *g = f->reduced.magnitude && i == 1 ? -e[0] : e[0];
  }
  return check_exponent(model, f, at->t, *g);
}

static gradyn_status exponentials(gradyn_model *model, const gradyn_functional_entry *f,
                                  const gradyn_sample *at, double *value)
{
  *value = 0;
  for (int i = 0; i < terms(f); i++) {
    double e[AXES], g;
    GRADYN_TRY(term(model, f, i, at, e, &g));
    *value += exp(f->outer.sharpness * (g - f->outer.shift));
  }
  return GRADYN_OK;
}

/* d exp(kappa g) = kappa exp(kappa g) dg. */
static gradyn_status exponentials_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                           const gradyn_sample *at, double weight,
                                           const gradyn_gradient_out *out)
{
  const double kappa = f->outer.sharpness;
  for (int i = 0; i < terms(f); i++) {
    double e[AXES], g;
    GRADYN_TRY(term(model, f, i, at, e, &g));
    const double bar = weight * kappa * exp(kappa * (g - f->outer.shift));
    if (!f->reduced.magnitude)
      GRADYN_TRY(miss_bar(model, f, i, e[0], bar, at, out));
    else if (f->reduced.components > 1)
      GRADYN_TRY(magnitude_bar(model, f, e, g, bar, at, out));
    else
      GRADYN_TRY(miss_bar(model, f, 0, e[0], i == 1 ? -bar : bar, at, out));
  }
  return GRADYN_OK;
}

/* --- operations --------------------------------------------------------------------------------- */

static const gradyn_functional_ops shapes[] = {
    [GRADYN_SHAPE_VALUE] = {value_of, value_gradient},
    [GRADYN_SHAPE_SQUARE] = {square, square_gradient},
    [GRADYN_SHAPE_EXP] = {exponentials, exponentials_gradient},
};

static gradyn_status reduced(gradyn_model *model, const gradyn_functional_entry *f,
                             const gradyn_sample *at, double *value)
{
  return shapes[f->reduced.shape].value(model, f, at, value);
}

static gradyn_status reduced_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                      const gradyn_sample *at, double weight,
                                      const gradyn_gradient_out *out)
{
  return shapes[f->reduced.shape].gradient(model, f, at, weight, out);
}

const gradyn_functional_ops gradyn_reduced_ops = {reduced, reduced_gradient};

gradyn_status gradyn_functional_inside(gradyn_model *model, const gradyn_functional_entry *f,
                                       const gradyn_sample *at, double *g)
{
  if (f->maximum || f->along.of)
    return f->terminal->value(model, f, at, g);
  gradyn_functional_entry inside = *f;
  inside.reduced.shape = GRADYN_SHAPE_VALUE;
  return f->integrand->value(model, &inside, at, g);
}

/* Whether outer takes a logarithm and needs a shift at the start. */
static bool is_shifted(const gradyn_functional_entry *f)
{
  return f->outer.sharpness != 0 && f->integrand && f->reduced.scale < 0;
}

bool gradyn_functionals_shift(const gradyn_model *model)
{
  for (int k = 0; k < model->functional_count; k++)
    if (is_shifted(&model->functional[k]))
      return true;
  return false;
}

gradyn_status gradyn_functionals_begin(gradyn_model *model, const gradyn_sample *start)
{
  for (int k = 0; k < model->functional_count; k++) {
    gradyn_functional_entry *f = &model->functional[k];
    if (is_shifted(f)) /* the exponentials are at most 1 at the start for any size of e */
      GRADYN_TRY(gradyn_functional_inside(model, f, start, &f->outer.shift));
  }
  return GRADYN_OK;
}

/* --- units -------------------------------------------------------------------------------------- */

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

/* Unit of a reduction: from the table or, for other units such as those of users' functions, formed. */
static const char *unit_of(gradyn_model *model, const char *unit, int what)
{
  static const char *const simple[] = {"%s", "%s s", "%s^2 s", "%s^2"}, *const compound[] = {
                                                                            "%s", "%s s",
                                                                            "(%s)^2 s", "(%s)^2"};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strcmp(units[i][PLAIN], unit) == 0)
      return units[i][what];
  return gradyn_format_name(model, (strpbrk(unit, " /^*") ? compound : simple)[what], unit);
}

/* --- declaration -------------------------------------------------------------------------------- */

/* The value that a reduction evaluates, and the time of evaluation. */
typedef struct kind {
  int unit;
  gradyn_integrand_shape shape;
  bool integral, mean, maximum, one_value; /* one_value: of one component, or of a magnitude */
} kind;

static const kind kinds[] = {
    [GRADYN_INTEGRAL] = {INTEGRAL, GRADYN_SHAPE_VALUE, .integral = true, .one_value = true},
    [GRADYN_MEAN] = {PLAIN, GRADYN_SHAPE_VALUE, .integral = true, .mean = true, .one_value = true},
    [GRADYN_SQUARE_INTEGRAL] = {OF_SQUARE, GRADYN_SHAPE_SQUARE, .integral = true},
    [GRADYN_MEAN_SQUARE] = {SQUARE, GRADYN_SHAPE_SQUARE, .integral = true, .mean = true},
    [GRADYN_AT_END] = {PLAIN, GRADYN_SHAPE_VALUE, .one_value = true},
    [GRADYN_AT_TIME] = {PLAIN, GRADYN_SHAPE_VALUE, .one_value = true},
    [GRADYN_BEFORE_EVENT] = {PLAIN, GRADYN_SHAPE_VALUE, .one_value = true},
    [GRADYN_AFTER_EVENT] = {PLAIN, GRADYN_SHAPE_VALUE, .one_value = true},
    [GRADYN_MAXIMUM] = {PLAIN, GRADYN_SHAPE_VALUE, .maximum = true},
    [GRADYN_SMOOTH_MAXIMUM] = {PLAIN, GRADYN_SHAPE_EXP, .integral = true},
};

static bool has_scale(const gradyn_functional_spec *spec)
{
  return creal(spec->scale) != 0 || cimag(spec->scale) != 0;
}

/* Reports build errors for members that have no meaning for the reduction, or contradict it. */
static void check_members(gradyn_model *model, const gradyn_functional_spec *spec)
{
  const bool at_time = spec->reduction == GRADYN_AT_TIME,
             at_event = spec->reduction == GRADYN_BEFORE_EVENT ||
                        spec->reduction == GRADYN_AFTER_EVENT;
  if (at_time ? !(spec->time > 0) || !isfinite(spec->time) : spec->time != 0)
    gradyn_build_error(model,
                       at_time ? "functional %s: its time is %g s; it must be a positive time of "
                                 "the run. Use GRADYN_AT_END for the end"
                               : "functional %s: its time is %g s, but its reduction has none. Use "
                                 "GRADYN_AT_TIME",
                       spec->name, spec->time);
  if (!at_event && spec->occurrence != 0)
    gradyn_build_error(model,
                       "functional %s: its occurrence is %d, but its reduction has no event. Use "
                       "GRADYN_BEFORE_EVENT or GRADYN_AFTER_EVENT",
                       spec->name, spec->occurrence);
  if (spec->reduction != GRADYN_SMOOTH_MAXIMUM && spec->sharpness != 0)
    gradyn_build_error(model,
                       "functional %s: its sharpness is %g, but its reduction has none. Use "
                       "GRADYN_SMOOTH_MAXIMUM",
                       spec->name, spec->sharpness);
}

/* Checks the sharpness. With a scale, exponents are relative to 1, so that exp(-sharpness) must be a
 * number. */
static void check_sharpness(gradyn_model *model, const gradyn_functional_spec *spec)
{
  const double most = has_scale(spec) ? 600 : HUGE_VAL, given = spec->sharpness;
  if (given >= 0 && isfinite(given) && given <= most)
    return;
  gradyn_build_error(
      model, "%s: the sharpness is %g: it must be positive%s", spec->name, given,
      has_scale(spec) ? " and at most 600, or the exponentials of small values vanish" : "");
}

static void check_scale(gradyn_model *model, const gradyn_functional_spec *spec, const char *unit)
{
  if (spec->magnitude && has_scale(spec) && !(creal(spec->scale) > 0))
    gradyn_build_error(model, "%s.scale is %g %s: it must be positive", spec->name,
                       creal(spec->scale), unit);
}

/* A vector needs a magnitude where one value is reduced. false after a build error. */
static bool check_components(gradyn_model *model, const gradyn_functional_spec *spec,
                             const gradyn_functional_entry *s)
{
  if (spec->reduction < GRADYN_INTEGRAL || spec->reduction > GRADYN_SMOOTH_MAXIMUM) {
    gradyn_build_error(model, "functional %s: there is no reduction %d", spec->name,
                       (int)spec->reduction);
    return false;
  }
  const int components = s->reduced.components;
  const bool single = components == 1 || (spec->magnitude && components <= AXES);
  if (kinds[spec->reduction].one_value && !single)
    gradyn_build_error(
        model, "functional %s: its measure has %d components; its reduction needs one. %s",
        spec->name, components,
        components <= AXES ? "Set .magnitude, or use one component" : "Use one component");
  else if (spec->magnitude && components > AXES)
    gradyn_build_error(model,
                       "functional %s: its measure has %d components; a vector with .magnitude "
                       "has at most %d. Use a maximum without .magnitude",
                       spec->name, components, (int)AXES);
  else
    return true;
  return false;
}

/* Declares the data; the entry may be NULL. */
static gradyn_reduced declare_data(gradyn_model *model, const gradyn_functional_spec *spec,
                                   int components, const char *unit)
{
  static const char *const target[] = {"target.x", "target.y", "target.z"};
  gradyn_reduced r = {.measure = spec->measure - gradyn_first_id(model),
                      .components = components,
                      .targets = components <= AXES ? components : 1,
                      .scale = -1,
                      .shape = kinds[spec->reduction].shape,
                      .magnitude = spec->magnitude &&
                                   kinds[spec->reduction].shape != GRADYN_SHAPE_SQUARE};
  r.target = gradyn_model_datum(model, spec->name, r.targets > 1 ? target[0] : "target", unit,
                                spec->target[0]);
  for (int k = 1; k < r.targets; k++)
    gradyn_model_datum(model, spec->name, target[k], unit, spec->target[k]);
  if (has_scale(spec))
    r.scale = gradyn_model_datum(model, spec->name, "scale", unit, spec->scale);
  return r;
}

/* Copies the use of quantities: a functional uses the quantities that its measure uses. */
static void copy_use(gradyn_functional_entry *f, const gradyn_functional_entry *s)
{
  f->data_only = s->data_only;
  f->positions_only = s->positions_only;
  f->motion_only = s->motion_only;
  f->no_multipliers = s->no_multipliers;
}

void gradyn_reduce_value(gradyn_functional_entry *f, const gradyn_functional_entry *s,
                         bool absolute)
{
  if (!f)
    return;
  f->reduced = s->reduced;
  f->reduced.scale = -1;
  f->reduced.magnitude = absolute;
  f->terminal = &gradyn_reduced_ops;
  copy_use(f, s);
}

/* Completes an entry in the first build(). */
static void complete(gradyn_functional_entry *f, const gradyn_functional_spec *spec,
                     const gradyn_functional_entry *s, const gradyn_reduced *r)
{
  const kind *k = &kinds[spec->reduction];
  f->reduced = *r;
  copy_use(f, s);
  *(k->integral ? &f->integrand : &f->terminal) = &gradyn_reduced_ops;
  f->outer.mean = k->mean;
  f->maximum = k->maximum;
  f->instant = spec->time;
  if (spec->reduction == GRADYN_SMOOTH_MAXIMUM) {
    f->outer.sharpness = spec->sharpness > 0 ? spec->sharpness : 50;
    f->outer.shift = r->scale >= 0 ? 1 : 0;
  }
}

int gradyn_functional(gradyn_model *model, const gradyn_functional_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_functional()") ||
      !gradyn_model_named(model, spec->name, "a functional"))
    return 0;
  const gradyn_functional_entry *s = gradyn_find_measure(model, spec->name, spec->measure);
  if (!s || !check_components(model, spec, s))
    return 0;
  check_members(model, spec);
  check_sharpness(model, spec);
  check_scale(model, spec, s->unit);
  gradyn_functional_entry *f;
  const char *unit = unit_of(model, has_scale(spec) ? "" : s->unit, kinds[spec->reduction].unit);
  const int number = gradyn_model_functional(model, spec->name, unit, &f);
  const gradyn_reduced r = declare_data(model, spec, s->reduced.components, s->unit);
  if (f)
    complete(f, spec, s, &r);
  const bool after = spec->reduction == GRADYN_AFTER_EVENT;
  if (after || spec->reduction == GRADYN_BEFORE_EVENT)
    gradyn_functional_tie(model, number, spec->event, spec->occurrence,
                          after ? GRADYN_AFTER : GRADYN_BEFORE);
  return gradyn_id(model, number);
}
