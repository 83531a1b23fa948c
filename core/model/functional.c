/* Custom functionals and formulas of events; gradients of several functionals at one sample; use of
 * functionals in an optimisation.
 *
 * A functional is psi = outer(w + integral of g dt). Custom functionals give g and w as formulas
 * (formula.c); others reduce a measure (reduction.c). */
#include "core/model/functional.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/declare.h"
#include "core/model/limit.h"
#include "core/model/model.h"

/* Returns the size of the table of names for `count` functionals: a power of two, at least twice the count.
 */
static size_t slots_for(int count)
{
  size_t slots = 16;
  while (slots < 2 * (size_t)count)
    slots *= 2;
  return slots;
}

/* Returns the slot of a name in a table, which is empty if no functional has this name. */
static int *slot_of(const gradyn_model *model, size_t slots, const char *name)
{
  int *slot = model->names.slot;
  size_t sum = 5381; /* Bernstein's hash */
  for (const char *c = name; *c; c++)
    sum = 33 * sum + (unsigned char)*c;
  size_t k = sum & (slots - 1);
  while (slot[k] > 0 && strcmp(model->functional[slot[k] - 1].name, name) != 0)
    k = (k + 1) & (slots - 1);
  return &slot[k];
}

/* Provides memory for one more name. false: out of memory, which is a build error. */
static bool extend_names(gradyn_model *model)
{
  const int count = model->functional_count;
  const size_t slots = slots_for(count + 1);
  if (model->names.slot && slots == slots_for(count))
    return true;
  int *grown = calloc(slots, sizeof *grown);
  if (!grown) {
    gradyn_model_no_memory(model, "the names of functionals");
    return false;
  }
  free(model->names.slot);
  model->names.slot = grown;
  for (int i = 0; i < count; i++)
    *slot_of(model, slots, model->functional[i].name) = i + 1;
  return true;
}

/* Declares a functional. Its number is its index in the order of declaration. */
int gradyn_model_functional(gradyn_model *model, const char *name, const char *unit,
                            gradyn_functional_entry **out)
{
  *out = NULL;
  if (!gradyn_model_named(model, name, "a functional"))
    return -1;
  int number = model->cursor.functional++;
  if (model->finalised)
    return number;
  if (model->exhausted || !extend_names(model))
    return -1;
  int *slot = slot_of(model, slots_for(model->functional_count + 1), name);
  if (*slot > 0)
    gradyn_build_error(model, "two functionals are called %s: names must differ", name);
  /* the first build: monitored, until a use is declared */
  const gradyn_functional_entry monitored = {.use = GRADYN_MONITORED, .callback = {-1, -1}};
  gradyn_functional_entry *f = gradyn_model_append(
      model, &model->functional, &model->functional_count, sizeof monitored, &monitored);
  if (!f)
    return -1;
  f->name = gradyn_model_copy_name(model, name);
  f->unit = gradyn_model_copy_name(model, unit);
  *slot = model->functional_count;
  *out = f;
  return number;
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

/* --- Custom functionals ----------------------------------------------------------------------- */

/* g. */
static gradyn_status custom_integrand(gradyn_model *model, const gradyn_functional_entry *f,
                                      const gradyn_sample *sample, double *value)
{
  return gradyn_formula_value(model, f, f->custom.integrand, sample, value);
}

/* g_y, g_x, g_t. */
static gradyn_status custom_integrand_gradient(gradyn_model *model,
                                               const gradyn_functional_entry *f,
                                               const gradyn_sample *sample, double weight,
                                               const gradyn_gradient_out *out)
{
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

/* Takes the lists and the user's pointer of a spec. */
static void take_spec(gradyn_model *model, gradyn_functional_entry *f,
                      const gradyn_custom_functional_spec *spec, int datum)
{
  gradyn_reads_declare(model, f, spec);
  if (!f)
    return;
  f->custom = *spec;
  f->custom.points = f->custom.reads = NULL; /* gradyn_reads_declare() has copied them */
  f->datum = datum;
  f->integrand = spec->integrand ? &custom_integrand_ops : NULL;
  f->terminal = spec->terminal ? &custom_terminal_ops : NULL;
}

void gradyn_functional_take(gradyn_model *model, gradyn_functional_entry *f,
                            const gradyn_custom_functional_spec *spec, gradyn_callback_kind kind,
                            int number, int datum)
{
  take_spec(model, f, spec, datum);
  const int terminal = list_function(model, kind, spec->name, spec, number);
  if (f)
    f->callback[1] = terminal;
}

int gradyn_custom_functional(gradyn_model *model, const gradyn_custom_functional_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_custom_functional()") ||
      !gradyn_model_named(model, spec->name, "a custom functional"))
    return 0;
  gradyn_functional_entry *f;
  int number = gradyn_model_functional(model, spec->name, spec->unit ? spec->unit : "", &f);
  int datum = gradyn_model_user_data(model, spec->name, spec->data, spec->data_count);
  if (!spec->integrand && !spec->terminal)
    gradyn_build_error(model, "functional %s has neither an integrand nor a terminal part",
                       spec->name);
  /* times count from the start of the run */
  if (!(spec->instant >= 0) || !isfinite(spec->instant))
    gradyn_build_error(model, "functional %s: its time is %g s; it must be finite and not negative",
                       spec->name, spec->instant);
  if (spec->instant > 0 && (spec->integrand || !spec->terminal))
    gradyn_build_error(model, "functional %s has a time: set .terminal, and no .integrand",
                       spec->name);
  take_spec(model, f, spec, datum);
  const int integrand = list_function(model, GRADYN_OF_INTEGRAND, spec->name, spec, number);
  const int terminal = list_function(model, GRADYN_OF_TERMINAL, spec->name, spec, number);
  if (f) {
    f->callback[0] = integrand;
    f->callback[1] = terminal;
    f->instant = spec->instant;
  }
  return gradyn_id(model, number);
}

/* Declares a formula of an event (guard, armed, reset). It has the arguments of a terminal part but is not
 * numbered as a functional. */
gradyn_functional_entry *gradyn_model_formula(gradyn_model *model, const char *owner,
                                              const gradyn_custom_functional_spec *spec,
                                              gradyn_callback_kind kind, int results)
{
  int datum = gradyn_model_user_data(model, owner, spec->data, spec->data_count);
  if (!spec->terminal || spec->integrand || spec->instant != 0)
    gradyn_build_error(model, "functional %s is a formula: set .terminal only", owner);
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

/* Functional with that id in the first build(); NULL in later builds, because uses do not change, or on
 * an error. */
static gradyn_functional_entry *find(gradyn_model *model, int functional)
{
  if (!model || model->finalised || model->failed)
    return NULL;
  const int k = gradyn_index(model, "an objective or constraint", "functional", functional,
                             model->functional_count);
  return k >= 0 ? &model->functional[k] : NULL;
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

void gradyn_minimise(gradyn_model *model, int functional, double weight)
{
  use(model, functional, GRADYN_OBJECTIVE, weight);
}

void gradyn_minimise_largest(gradyn_model *model, int functional)
{
  use(model, functional, GRADYN_LARGEST, 1);
}

/* Checks bounds and tolerances; invalid ones are build errors. */
static void check_bounds(gradyn_model *model, const char *name, double lower, double upper,
                         double tolerance)
{
  const bool below = isfinite(lower), above = isfinite(upper);
  if (!(tolerance > 0))
    gradyn_build_error(model, "constraint %s: tolerance %g; it must be positive", name, tolerance);
  if (isnan(lower) || isnan(upper) || lower > upper || (!below && !above) || lower == HUGE_VAL ||
      upper == -HUGE_VAL)
    gradyn_build_error(model,
                       "constraint %s: lower bound %g, upper bound %g; one must be finite, and the "
                       "lower one not above the upper one",
                       name, lower, upper);
  else if (below && above && lower != upper)
    gradyn_build_error(model,
                       "constraint %s: bounds %g and %g differ. Declare the functional twice, with "
                       "one bound each",
                       name, lower, upper);
}

void gradyn_constrain(gradyn_model *model, int functional, double lower, double upper,
                      double tolerance)
{
  gradyn_functional_entry *f = find(model, functional);
  const gradyn_functional_use how = lower == upper    ? GRADYN_EQUAL
                                    : isfinite(lower) ? GRADYN_AT_LEAST
                                                      : GRADYN_AT_MOST;
  use(model, functional, how, 1);
  if (!f)
    return;
  check_bounds(model, f->name, lower, upper, tolerance);
  f->bound = how == GRADYN_AT_MOST ? upper : lower;
  f->tolerance = tolerance;
}
