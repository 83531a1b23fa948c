/* Custom functionals and formulas of events; gradients of several functionals at one sample; use of
 * functionals in an optimisation.
 *
 * A functional is psi = outer(w + integral of g dt). Custom functionals give g and w as formulas
 * (formula.h). A smooth maximum of s has g = exp(kappa (s - shift)), and outer takes the logarithm of the
 * mean. `shift` prevents overflow of the exponential. */
#include "core/model/functional.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/declare.h"
#include "core/model/formula.h"
#include "core/model/gradients.h"
#include "core/model/limit.h"
#include "core/model/model.h"

/* The number of a functional is its index in the order of declaration. */
int gradyn_model_functional(gradyn_model *model, const char *name, const char *unit,
                            gradyn_functional_entry **out)
{
  *out = NULL;
  if (!gradyn_model_named(model, name, "a functional"))
    return 0;
  int number = model->cursor.functional++;
  if (model->finalised)
    return number;
  for (int i = 0; i < model->functional_count && !model->exhausted; i++)
    if (strcmp(model->functional[i].name, name) == 0)
      gradyn_build_error(model, "two functionals are called %s: names must differ", name);
  /* the first build: monitored, until a use is declared */
  const gradyn_functional_entry monitored = {.use = GRADYN_MONITORED, .callback = {-1, -1}};
  gradyn_functional_entry *f = gradyn_model_append(
      model, &model->functional, &model->functional_count, sizeof monitored, &monitored);
  if (!f)
    return 0;
  f->name = gradyn_model_copy_name(model, name);
  f->unit = gradyn_model_copy_name(model, unit);
  *out = f;
  return number;
}

/* Functionals keep their numbers, so auxiliary runs can use the same model. */
void gradyn_functionals_mute(gradyn_model *model)
{
  for (int k = 0; k < model->functional_count; k++) {
    gradyn_functional_entry *f = &model->functional[k];
    f->integrand = f->terminal = NULL;
    f->outer.sharpness = f->instant = 0;
    f->maximum = f->outer.mean = false;
    f->which = 0; /* it also refers to no event */
    f->data_only = true;
  }
}

double gradyn_functional_outer(const gradyn_functional_entry *f, double inner, double t_end,
                               double *slope, double *t_bar)
{
  *slope = f->outer.mean ? 1 / t_end : 1;
  *t_bar = f->outer.mean ? -inner / (t_end * t_end) : 0;
  if (f->outer.sharpness == 0)
    return *slope * inner;
  /* psi = shift + ln(inner/T)/kappa, so dpsi = d inner/(kappa inner) - dT/(kappa T) */
  *slope = 1 / (f->outer.sharpness * inner);
  *t_bar = -1 / (f->outer.sharpness * t_end);
  return f->outer.shift + log(inner / t_end) / f->outer.sharpness;
}

gradyn_status gradyn_functional_inside(gradyn_model *model, const gradyn_functional_entry *f,
                                       const gradyn_sample *at, double *g)
{
  /* sharpness as large as exp() allows near this value: the largest term of a sum then dominates */
  const double exponent = 500;
  if (f->maximum || f->along.of)
    return f->terminal->value(model, f, at, g);
  gradyn_functional_entry sharper = *f;
  double value;
  for (int pass = 0; pass < 2; pass++) {
    GRADYN_TRY(f->integrand->value(model, &sharper, at, &value));
    *g = f->outer.shift + log(value) / sharper.outer.sharpness;
    sharper.outer.sharpness = fmax(f->outer.sharpness,
                                   exponent / fmax(fabs(*g - f->outer.shift), 1e-3));
  }
  return GRADYN_OK;
}

/* --- Custom functionals ----------------------------------------------------------------------- */

/* exp(sharpness (g - shift)) of a smooth maximum. GRADYN_NON_FINITE: it would overflow. */
static gradyn_status exponential(gradyn_model *model, const gradyn_functional_entry *f, double t,
                                 double g, double *value)
{
  const double largest = 700; /* largest exponent: exp(709.8) overflows */
  *value = exp(f->outer.sharpness * (g - f->outer.shift));
  if (!(f->outer.sharpness * (g - f->outer.shift) > largest))
    return GRADYN_OK;
  return gradyn_fail(&model->message, GRADYN_NON_FINITE,
                     "smooth maximum %s: at t = %g s its function is %g, %g more than at the "
                     "start; a sharpness of %g is too large. Use at most %.2g",
                     f->name, t, g, g - f->outer.shift, f->outer.sharpness,
                     largest / (g - f->outer.shift));
}

/* g, or its exponential. */
static gradyn_status custom_integrand(gradyn_model *model, const gradyn_functional_entry *f,
                                      const gradyn_sample *sample, double *value)
{
  GRADYN_TRY(gradyn_formula_value(model, f, f->custom.integrand, sample, value));
  return f->outer.sharpness != 0 ? exponential(model, f, sample->t, *value, value) : GRADYN_OK;
}

/* g_y, g_x, g_t. */
static gradyn_status custom_integrand_gradient(gradyn_model *model,
                                               const gradyn_functional_entry *f,
                                               const gradyn_sample *sample, double weight,
                                               const gradyn_gradient_out *out)
{
  if (f->outer.sharpness != 0) { /* d exp(kappa g) = kappa exp(kappa g) dg */
    double value;
    GRADYN_TRY(custom_integrand(model, f, sample, &value));
    weight *= f->outer.sharpness * value;
  }
  return gradyn_formula_gradient(model, f, f->custom.integrand, sample, weight, out);
}

/* w. */
static gradyn_status custom_terminal(gradyn_model *model, const gradyn_functional_entry *f,
                                     const gradyn_sample *sample, double *value)
{
  return gradyn_formula_value(model, f, f->custom.terminal, sample, value);
}

/* w_y, w_x, w_t. */
static gradyn_status custom_terminal_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                              const gradyn_sample *sample, double weight,
                                              const gradyn_gradient_out *out)
{
  return gradyn_formula_gradient(model, f, f->custom.terminal, sample, weight, out);
}

static const gradyn_functional_ops custom_integrand_ops = {custom_integrand,
                                                           custom_integrand_gradient};
static const gradyn_functional_ops custom_terminal_ops = {custom_terminal,
                                                          custom_terminal_gradient};

/* Whether outer takes a logarithm and needs a shift at the start. */
static bool is_smooth_maximum(const gradyn_functional_entry *f)
{
  return f->outer.sharpness != 0 && f->integrand && f->custom.integrand;
}

bool gradyn_functionals_shift(const gradyn_model *model)
{
  for (int k = 0; k < model->functional_count; k++)
    if (is_smooth_maximum(&model->functional[k]))
      return true;
  return false;
}

gradyn_status gradyn_functionals_begin(gradyn_model *model, const gradyn_sample *start)
{
  for (int k = 0; k < model->functional_count; k++) {
    gradyn_functional_entry *f = &model->functional[k];
    if (!is_smooth_maximum(f))
      continue;
    gradyn_functional_entry inside = *f;
    inside.outer.sharpness = 0; /* evaluates g itself */
    /* exp(kappa (g - g(0))) is 1 at the start for any size of g */
    GRADYN_TRY(f->integrand->value(model, &inside, start, &f->outer.shift));
  }
  return GRADYN_OK;
}

/* Adds a function of spec to the list of callbacks, for functional `number` (-1: an event). Returns its
 * number, or -1. */
static int list_function(gradyn_model *model, gradyn_callback_kind kind, const char *name,
                         const gradyn_custom_functional_spec *spec, int number)
{
  /* formulas of events have the type of terminal parts */
  const gradyn_functional_fn fn = kind == GRADYN_OF_INTEGRAND ? spec->integrand : spec->terminal;
  return fn ? gradyn_model_callback(model, &(gradyn_callback){.kind = kind,
                                                              .name = (char *)name,
                                                              .fn = (void (*)(void))fn,
                                                              .user = spec->user,
                                                              .functional = number})
            : -1;
}

/* Declares a custom functional. sharpness > 0: a smooth maximum; 0: outer is the identity. */
static int declare_custom(gradyn_model *model, const gradyn_custom_functional_spec *spec,
                          double sharpness)
{
  gradyn_functional_entry *f;
  int number = gradyn_model_functional(model, spec->name, spec->unit ? spec->unit : "", &f);
  int datum = gradyn_model_user_data(model, spec->name, spec->data, spec->data_count);
  if (!spec->integrand && !spec->terminal)
    gradyn_build_error(model, "functional %s has neither an integrand nor a terminal part",
                       spec->name);
  /* times count from the start of the run */
  if (!(spec->instant >= 0) || !isfinite(spec->instant))
    gradyn_build_error(model, "functional %s: its instant is %g s, it must be a time of the run",
                       spec->name, spec->instant);
  if (spec->instant > 0 && (spec->integrand || !spec->terminal))
    gradyn_build_error(model, "functional %s: an instant goes with .terminal alone", spec->name);
  gradyn_reads_declare(model, f, spec);
  const int integrand = list_function(model, GRADYN_OF_INTEGRAND, spec->name, spec, number);
  const int terminal = list_function(model, GRADYN_OF_TERMINAL, spec->name, spec, number);
  if (f) {
    f->callback[0] = integrand;
    f->callback[1] = terminal;
    f->custom = *spec;
    f->custom.points = f->custom.reads = NULL; /* gradyn_reads_declare() has copied them */
    f->instant = spec->instant;
    f->datum = datum;
    f->outer.sharpness = sharpness;
    f->integrand = spec->integrand ? &custom_integrand_ops : NULL;
    f->terminal = spec->terminal ? &custom_terminal_ops : NULL;
  }
  return number;
}

void gradyn_functional_take(gradyn_model *model, gradyn_functional_entry *f,
                            const gradyn_custom_functional_spec *spec, int number, int datum)
{
  gradyn_reads_declare(model, f, spec);
  const int terminal = list_function(model, GRADYN_OF_TERMINAL, spec->name, spec, number);
  if (!f)
    return;
  f->callback[1] = terminal;
  f->custom = *spec;
  f->custom.points = f->custom.reads = NULL; /* gradyn_reads_declare() has copied them */
  f->datum = datum;
  f->terminal = &custom_terminal_ops;
}

int gradyn_custom_functional(gradyn_model *model, const gradyn_custom_functional_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_custom_functional()") ||
      !gradyn_model_named(model, spec->name, "a custom functional"))
    return 0;
  return declare_custom(model, spec, 0);
}

/* A formula of an event (guard, armed, reset) has the arguments of a terminal part but is not numbered as a
 * functional. */
gradyn_functional_entry *gradyn_model_formula(gradyn_model *model, const char *owner,
                                              const gradyn_custom_functional_spec *spec,
                                              gradyn_callback_kind kind, int results)
{
  int datum = gradyn_model_user_data(model, owner, spec->data, spec->data_count);
  if (!spec->terminal || spec->integrand || spec->instant != 0)
    gradyn_build_error(model, "%s is given by a formula: give its .terminal alone", owner);
  const int number = list_function(model, kind, owner, spec, -1);
  if (model->finalised)
    return NULL;
  gradyn_functional_entry *f = calloc(1, sizeof *f);
  gradyn_scalar *result = results > 1 ? calloc((size_t)results, sizeof *result) : NULL;
  if (!f || (results > 1 && !result)) {
    free(f);
    free(result);
    gradyn_model_no_memory(model, owner);
    return NULL;
  }
  *f = (gradyn_functional_entry){.terminal = &custom_terminal_ops,
                                 .custom = *spec,
                                 .datum = datum,
                                 .callback = {-1, number},
                                 .results = results,
                                 .result = result};
  f->name = gradyn_model_copy_name(model, owner);
  gradyn_custom_functional_spec named = *spec;
  named.name = owner;
  gradyn_reads_declare(model, f, &named);
  f->custom.points = f->custom.reads = NULL; /* gradyn_reads_declare() has copied them */
  return f;
}

void gradyn_formula_free(gradyn_functional_entry *f)
{
  if (!f)
    return;
  free(f->name);
  free(f->result);
  gradyn_reads_clear(&f->reads);
  free(f);
}

/* max g is approximated by g(0) + log(mean of exp(kappa (g - g(0))))/kappa. The result is smooth and does
 * not exceed the maximum; the error is of the order log(...)/kappa. */
int gradyn_smooth_maximum(gradyn_model *model, const gradyn_custom_functional_spec *g,
                          double sharpness)
{
  if (!gradyn_model_given(model, g, "gradyn_smooth_maximum()") ||
      !gradyn_model_named(model, g->name, "a smooth maximum"))
    return 0;
  if (!(sharpness > 0) || !isfinite(sharpness))
    gradyn_build_error(model, "smooth maximum %s: its sharpness is %g, it must be positive",
                       g->name, sharpness);
  if (g->terminal || !g->integrand)
    gradyn_build_error(model, "smooth maximum %s: give .integrand, and no .terminal", g->name);
  return declare_custom(model, g, sharpness);
}

/* The maximum of g over time, evaluated as a terminal part at the time of the maximum. */
int gradyn_maximum(gradyn_model *model, const gradyn_custom_functional_spec *g)
{
  if (!gradyn_model_given(model, g, "gradyn_maximum()") ||
      !gradyn_model_named(model, g->name, "a maximum"))
    return 0;
  if (g->terminal || !g->integrand || g->instant != 0)
    gradyn_build_error(model, "maximum %s: give .integrand, and neither .terminal nor .instant",
                       g->name);
  gradyn_custom_functional_spec at_top = *g;
  at_top.terminal = g->integrand;
  at_top.integrand = NULL;
  at_top.instant = 0;
  const int before = model->functional_count, number = declare_custom(model, &at_top, 0);
  if (model->functional_count > before) /* the first build */
    model->functional[before].maximum = true;
  return number;
}

int gradyn_functionals_wanted(const gradyn_model *model, int *list)
{
  int count = 0;
  for (int f = 0; f < model->functional_count; f++)
    if (!model->functional[f].skipped)
      list[count++] = f;
  return count;
}

gradyn_status gradyn_gradients_take_lane(gradyn_model *model, const gradyn_sample *at,
                                         const gradyn_gradients *g, int k)
{
  const gradyn_gradient_out out = {(double *)g->y_bar + k, GRADYN_LANES, g->x_bar + k * model->nx,
                                   g->t_bar + k};
  return g->part[k]->gradient(model, g->of[k], at, g->weight[k], &out);
}

gradyn_status gradyn_gradients_take(gradyn_model *model, const gradyn_sample *at,
                                    const gradyn_gradients *g)
{
  if (model->ops->gradients)
    return model->ops->gradients(model, at, g);
  for (int k = 0; k < g->count; k++)
    if (g->of[k])
      GRADYN_TRY(gradyn_gradients_take_lane(model, at, g, k));
  return GRADYN_OK;
}

/* --- Use in an optimisation ------------------------------------------------------------------- */

/* Functional of that number in the first build(); NULL in later builds, because uses do not change, or on
 * an error. */
static gradyn_functional_entry *find(gradyn_model *model, int functional)
{
  if (!model || model->finalised || model->failed)
    return NULL;
  if (functional < 0 || functional >= model->functional_count) {
    gradyn_build_error(model, "functional %d has not been declared", functional);
    return NULL;
  }
  return &model->functional[functional];
}

/* Sets the use of a functional, which may have one use only. */
static void use(gradyn_model *model, int functional, gradyn_functional_use how, double weight)
{
  gradyn_functional_entry *f = find(model, functional);
  if (!f)
    return;
  if (f->use != GRADYN_MONITORED)
    gradyn_build_error(model, "functional %s has two uses: declare it twice", f->name);
  if (!isfinite(weight))
    gradyn_build_error(model, "the weight of functional %s is not finite", f->name);
  f->use = how;
  f->weight = weight;
}

void gradyn_minimise(gradyn_model *model, int functional)
{
  use(model, functional, GRADYN_OBJECTIVE, 1);
}

void gradyn_minimise_weighted(gradyn_model *model, int functional, double weight)
{
  use(model, functional, GRADYN_OBJECTIVE, weight);
}

void gradyn_maximise(gradyn_model *model, int functional)
{
  use(model, functional, GRADYN_OBJECTIVE, -1);
}

void gradyn_maximise_weighted(gradyn_model *model, int functional, double weight)
{
  use(model, functional, GRADYN_OBJECTIVE, -weight);
}

void gradyn_minimise_largest(gradyn_model *model, int functional)
{
  use(model, functional, GRADYN_LARGEST, 1);
}

/* Makes a functional a constraint with a bound and a tolerance. */
static void require(gradyn_model *model, int functional, gradyn_functional_use how, double value,
                    double tolerance)
{
  gradyn_functional_entry *f = find(model, functional);
  use(model, functional, how, 1);
  if (!f)
    return;
  if (!isfinite(value) || !(tolerance > 0))
    gradyn_build_error(model,
                       "constraint %s: bound %g and tolerance %g: the bound must be finite, "
                       "the tolerance positive",
                       f->name, value, tolerance);
  f->bound = value;
  f->tolerance = tolerance;
}

void gradyn_require_equal(gradyn_model *model, int functional, double value, double tolerance)
{
  require(model, functional, GRADYN_EQUAL, value, tolerance);
}

void gradyn_require_at_most(gradyn_model *model, int functional, double value, double tolerance)
{
  require(model, functional, GRADYN_AT_MOST, value, tolerance);
}

void gradyn_require_at_least(gradyn_model *model, int functional, double value, double tolerance)
{
  require(model, functional, GRADYN_AT_LEAST, value, tolerance);
}
