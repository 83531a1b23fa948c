/* Functionals that any model can have: custom ones, and formulas of the same kind; and their use.
 *
 * A functional is psi = outer(w + integral of g dt): custom ones give g and w as formulas in
 * complex numbers, differentiated like equations. A smooth maximum has g = exp(kappa s) with an
 * outer function that takes the mean's logarithm; `shift` keeps the exponentials from
 * overflowing. */
#include "core/model/functional.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/declare.h"
#include "core/model/model.h"

/* The number of a functional, which is its place in the order of declaration. */
int gradyn_model_functional(gradyn_model *model, const char *name, const char *unit,
                            gradyn_functional **out)
{
  *out = NULL;
  if (!gradyn_model_named(model, name, "a functional"))
    return 0;
  int number = model->cursor.functional++;
  if (model->sealed)
    return number;
  for (int i = 0; i < model->functional_count && !model->exhausted; i++)
    if (strcmp(model->functional[i].name, name) == 0)
      gradyn_build_error(model, "two functionals are called %s: names must differ", name);
  /* the first build: one more */
  gradyn_functional *grown = gradyn_model_grow(model, model->functional, model->functional_count,
                                               sizeof *model->functional);
  if (!grown)
    return 0;
  model->functional = grown;
  gradyn_functional *f = &grown[model->functional_count++];
  /* until an objective or a bound names it */
  *f = (gradyn_functional){.use = GRADYN_MONITORED, .callback = {-1, -1}};
  f->name = gradyn_model_copy_name(model, name);
  f->unit = gradyn_model_copy_name(model, unit);
  *out = f;
  return number;
}

/* For runs whose functionals nobody wants, such as those of disturbances: they keep their
 * numbers. */
void gradyn_functionals_mute(gradyn_model *model)
{
  for (int k = 0; k < model->functional_count; k++) {
    gradyn_functional *f = &model->functional[k];
    f->integrand = f->terminal = NULL;
    f->sharpness = f->instant = 0;
    f->maximum = false;
    f->which = 0; /* nor does it wait for an event */
    f->data_only = true;
  }
}

double gradyn_functional_outer(const gradyn_functional *f, double inner, double t_end,
                               double *slope, double *t_bar)
{
  *slope = 1;
  *t_bar = 0;
  if (f->sharpness == 0)
    return inner;
  /* psi = shift + ln(inner/T)/kappa, so that dpsi = d inner/(kappa inner) - dT/(kappa T) */
  *slope = 1 / (f->sharpness * inner);
  *t_bar = -1 / (f->sharpness * t_end);
  return f->shift + log(inner / t_end) / f->sharpness;
}

gradyn_status gradyn_functional_inside(gradyn_model *model, const gradyn_functional *f,
                                       const gradyn_sample *at, double *g)
{
  /* as sharp as exponentials near this value can be: of a sum of them the largest remains */
  const double exponent = 500;
  if (f->maximum)
    return f->terminal->value(model, f, at, g);
  gradyn_functional sharper = *f;
  double value;
  for (int pass = 0; pass < 2; pass++) {
    GRADYN_TRY(f->integrand->value(model, &sharper, at, &value));
    *g = f->shift + log(value) / sharper.sharpness;
    sharper.sharpness = fmax(f->sharpness, exponent / fmax(fabs(*g - f->shift), 1e-3));
  }
  return GRADYN_OK;
}

/* --- custom functionals, by complex step ------------------------------------------------------ */

/* Fills what the callback sees: state, signals and the functional's own data. */
static void prepare(gradyn_model *model, const gradyn_functional *f, const gradyn_sample *sample,
                    gradyn_at *at)
{
  /* what it does not read stays zero */
  *at = (gradyn_at){
      .t = sample->t, .user = f->custom.user, .u = model->scratch.u, .data = model->scratch.data};
  model->ops->fill(model, sample, f->reads.count > 0 ? &f->reads : NULL, at);
  gradyn_model_signals(model, sample->t, model->scratch.u);
  for (int k = 0; k < f->custom.data_count; k++)
    model->scratch.data[k] = model->x[f->datum + k];
}

/* The user's formula, with its failures named. */
static gradyn_status call(gradyn_model *model, const gradyn_functional *f, gradyn_functional_fn fn,
                          const gradyn_at *at, gradyn_scalar *value)
{
  *value = 0;
  gradyn_callback_note(model, f->callback[fn == f->custom.terminal], at);
  gradyn_status status = fn(at, value);
  if (status != GRADYN_OK)
    return gradyn_fail(&model->message, status, "functional %s failed at t = %g s", f->name,
                       creal(at->t));
  if (!gradyn_is_number(*value))
    return gradyn_fail(&model->message, GRADYN_NON_FINITE, "functional %s is %s (%g) at t = %g s%s",
                       f->name, gradyn_number_fault(*value), creal(*value), creal(at->t),
                       f->reads.count > 0 ? ": does it read what it does not name?" : "");
  return GRADYN_OK;
}

/* One directional derivative: the imaginary part after a step in *slot. */
static gradyn_status slope(gradyn_model *model, const gradyn_functional *f, gradyn_functional_fn fn,
                           gradyn_scalar *slot, const gradyn_at *at, double *derivative)
{
  gradyn_scalar keep = *slot, value;
  *slot += GRADYN_COMPLEX_STEP * I;
  gradyn_status status = call(model, f, fn, at, &value);
  *slot = keep;
  *derivative = cimag(value) / GRADYN_COMPLEX_STEP;
  return status;
}

/* By the states, and other quantities, that the callback can see, or says that it reads. */
static gradyn_status differentiate_states(gradyn_model *model, const gradyn_functional *f,
                                          gradyn_functional_fn fn, const gradyn_sample *sample,
                                          double weight, const gradyn_gradient_out *out,
                                          const gradyn_at *at)
{
  const gradyn_reads *r = &f->reads;
  /* y is (q, v) or the states of the equations */
  int states = r->count > 0 ? r->slots[0] : model->ops->state_count(model);
  double d;
  /* y_bar += weight g_y, one state after the other */
  for (int k = 0; k < states && out->y_bar; k++) {
    int i = r->count > 0 ? r->slot[0][k] : k;
    GRADYN_TRY(slope(model, f, fn, model->ops->slot(model, i), at, &d));
    out->y_bar[i * out->stride] += weight * d;
  }
  /* what follows from states (accelerations, places of attached points): the model hands bars on */
  for (int k = 0; r->count == 0 || k < r->slots[1]; k++) {
    int i = r->count > 0 ? r->slot[1][k] : k;
    gradyn_scalar *slot = model->ops->slot_other(model, i);
    if (!slot)
      break;
    GRADYN_TRY(slope(model, f, fn, slot, at, &d));
    if (d != 0)
      model->ops->other_bar(model, i, weight * d, out, sample);
  }
  return GRADYN_OK;
}

/* Accumulates derivatives with respect to all that the callback can see. */
static gradyn_status differentiate(gradyn_model *model, const gradyn_functional *f,
                                   gradyn_functional_fn fn, const gradyn_sample *sample,
                                   double weight, const gradyn_gradient_out *out)
{
  gradyn_at at;
  prepare(model, f, sample, &at);
  double d;
  GRADYN_TRY(differentiate_states(model, f, fn, sample, weight, out, &at));
  /* x_bar += weight g_d for its own data */
  for (int k = 0; out->x_bar && k < f->custom.data_count; k++) {
    GRADYN_TRY(slope(model, f, fn, &model->scratch.data[k], &at, &d));
    out->x_bar[f->datum + k] += weight * d;
  }
  /* g_u u_x for knots and times of signals, g_u u' for the time */
  for (int k = 0; k < model->signal_count; k++) {
    GRADYN_TRY(slope(model, f, fn, &model->scratch.u[k], &at, &d));
    if (d != 0 && out->x_bar)
      gradyn_signal_transposed(&model->signal[k], model->x, sample->t, 0, weight * d, out->x_bar);
    if (d != 0 && out->t_bar)
      *out->t_bar += weight * d * gradyn_signal_value(&model->signal[k], model->x, sample->t, 1);
  }
  if (out->t_bar) {
    GRADYN_TRY(slope(model, f, fn, &at.t, &at, &d));
    *out->t_bar += weight * d;
  }
  return GRADYN_OK;
}

/* exp(sharpness (g - shift)) of a smooth maximum. */
static gradyn_status exponential(gradyn_model *model, const gradyn_functional *f, double t,
                                 double g, double *value)
{
  const double largest = 700; /* of an exponent */
  *value = exp(f->sharpness * (g - f->shift));
  if (!(f->sharpness * (g - f->shift) > largest))
    return GRADYN_OK;
  return gradyn_fail(
      &model->message, GRADYN_NON_FINITE,
      "smooth maximum %s: at t = %g s its function is %g, %g more than at the start; "
      "a sharpness of %g is too much for that, take at most %.2g",
      f->name, t, g, g - f->shift, f->sharpness, largest / (g - f->shift));
}

/* g, or its exponential. */
static gradyn_status custom_integrand(gradyn_model *model, const gradyn_functional *f,
                                      const gradyn_sample *sample, double *value)
{
  gradyn_at at;
  prepare(model, f, sample, &at);
  gradyn_scalar g;
  GRADYN_TRY(call(model, f, f->custom.integrand, &at, &g));
  *value = creal(g);
  return f->sharpness != 0 ? exponential(model, f, sample->t, creal(g), value) : GRADYN_OK;
}

/* g_y, g_x, g_t. */
static gradyn_status custom_integrand_gradient(gradyn_model *model, const gradyn_functional *f,
                                               const gradyn_sample *sample, double weight,
                                               const gradyn_gradient_out *out)
{
  if (f->sharpness != 0) { /* d exp(kappa g) = kappa exp(kappa g) dg */
    double value;
    GRADYN_TRY(custom_integrand(model, f, sample, &value));
    weight *= f->sharpness * value;
  }
  return differentiate(model, f, f->custom.integrand, sample, weight, out);
}

/* w */
static gradyn_status custom_terminal(gradyn_model *model, const gradyn_functional *f,
                                     const gradyn_sample *sample, double *value)
{
  gradyn_at at;
  prepare(model, f, sample, &at);
  gradyn_scalar w;
  GRADYN_TRY(call(model, f, f->custom.terminal, &at, &w));
  *value = creal(w);
  return GRADYN_OK;
}

/* w_y, w_x, w_t. */
static gradyn_status custom_terminal_gradient(gradyn_model *model, const gradyn_functional *f,
                                              const gradyn_sample *sample, double weight,
                                              const gradyn_gradient_out *out)
{
  return differentiate(model, f, f->custom.terminal, sample, weight, out);
}

static const gradyn_functional_ops custom_integrand_ops = {custom_integrand,
                                                           custom_integrand_gradient};
static const gradyn_functional_ops custom_terminal_ops = {custom_terminal,
                                                          custom_terminal_gradient};

/* Whether `outer` takes a logarithm. */
static bool is_smooth_maximum(const gradyn_functional *f)
{
  return f->sharpness != 0 && f->integrand == &custom_integrand_ops;
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
    gradyn_functional *f = &model->functional[k];
    if (!is_smooth_maximum(f))
      continue;
    /* exp(kappa (g - g(0))) is 1 at the start, whatever size g has */
    gradyn_at at;
    gradyn_scalar g = 0;
    prepare(model, f, start, &at);
    GRADYN_TRY(call(model, f, f->custom.integrand, &at, &g));
    f->shift = creal(g);
  }
  return GRADYN_OK;
}

/* Takes one of its functions into the list, as a part of functional `number`, -1: of an event. */
static int list_function(gradyn_model *model, gradyn_callback_kind kind, const char *name,
                         const gradyn_custom_functional_spec *spec, int number)
{
  /* events have formulas of the type of terminal parts */
  const gradyn_functional_fn fn = kind == GRADYN_OF_INTEGRAND ? spec->integrand : spec->terminal;
  return fn ? gradyn_model_callback(model, &(gradyn_callback){.kind = kind,
                                                              .name = (char *)name,
                                                              .fn = (void (*)(void))fn,
                                                              .user = spec->user,
                                                              .functional = number})
            : -1;
}

/* sharpness 0: as it is. */
static int declare_custom(gradyn_model *model, const gradyn_custom_functional_spec *spec,
                          double sharpness)
{
  gradyn_functional *f;
  int number = gradyn_model_functional(model, spec->name, spec->unit ? spec->unit : "", &f);
  int datum = gradyn_model_user_data(model, spec->name, spec->data, spec->data_count);
  if (!spec->integrand && !spec->terminal)
    gradyn_build_error(model, "functional %s has neither an integrand nor a terminal part",
                       spec->name);
  /* instants count from the start of the run */
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
    f->custom.reads = NULL; /* copied */
    f->instant = spec->instant;
    f->datum = datum;
    f->sharpness = sharpness;
    f->integrand = spec->integrand ? &custom_integrand_ops : NULL;
    f->terminal = spec->terminal ? &custom_terminal_ops : NULL;
  }
  return number;
}

int gradyn_custom_functional(gradyn_model *model, const gradyn_custom_functional_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_custom_functional()") ||
      !gradyn_model_named(model, spec->name, "a custom functional"))
    return 0;
  return declare_custom(model, spec, 0);
}

/* A formula of an event (guard, armed): it has the arguments of a terminal part and no number. */
gradyn_functional *gradyn_model_formula(gradyn_model *model, const char *owner,
                                        const gradyn_custom_functional_spec *spec, bool guard)
{
  int datum = gradyn_model_user_data(model, owner, spec->data, spec->data_count);
  if (!spec->terminal || spec->integrand || spec->instant != 0)
    gradyn_build_error(model, "%s is given by a formula: give its .terminal alone", owner);
  const gradyn_callback_kind kind = guard ? GRADYN_OF_GUARD : GRADYN_OF_CONDITION;
  const int number = list_function(model, kind, owner, spec, -1);
  gradyn_functional *f = model->sealed ? NULL : calloc(1, sizeof *f);
  if (!f) {
    if (!model->sealed)
      gradyn_model_no_memory(model, owner);
    return NULL;
  }
  *f = (gradyn_functional){
      .terminal = &custom_terminal_ops, .custom = *spec, .datum = datum, .callback = {-1, number}};
  f->name = gradyn_model_copy_name(model, owner);
  gradyn_custom_functional_spec named = *spec;
  named.name = owner;
  gradyn_reads_declare(model, f, &named);
  f->custom.reads = NULL; /* copied */
  return f;
}

void gradyn_formula_free(gradyn_functional *f)
{
  if (!f)
    return;
  free(f->name);
  gradyn_reads_clear(&f->reads);
  free(f);
}

/* max g ~ g(0) + log(mean of exp(kappa (g - g(0))))/kappa: it is smooth, and from below within
 * log(...)/kappa of the maximum. */
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

/* g itself, where it is largest. */
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

/* --- what the optimiser does with them -------------------------------------------------------- */

/* While the structure is declared; uses do not change later. */
static gradyn_functional *find(gradyn_model *model, int functional)
{
  if (!model || model->sealed || model->failed)
    return NULL;
  if (functional < 0 || functional >= model->functional_count) {
    gradyn_build_error(model, "functional %d has not been declared", functional);
    return NULL;
  }
  return &model->functional[functional];
}

/* One use for each functional. */
static void use(gradyn_model *model, int functional, gradyn_use how, double weight)
{
  gradyn_functional *f = find(model, functional);
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

void gradyn_minimise_largest(gradyn_model *model, int functional)
{
  use(model, functional, GRADYN_LARGEST, 1);
}

/* A constraint with its tolerance. */
static void require(gradyn_model *model, int functional, gradyn_use how, double value,
                    double tolerance)
{
  gradyn_functional *f = find(model, functional);
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
