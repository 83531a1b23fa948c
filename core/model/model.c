/* Models: building, named data, refreshing with new numbers.
 *
 * The first build() fixes the structure: names, units and order of data. Each later build() must make the
 * same declarations, with other numbers. Names are compared one by one. Constant names are recognised by
 * their addresses, so that repeated builds compare pointers and form no strings. Values are complex; their
 * imaginary parts are dx/drho. */
#include "core/model/added.h"
#include "core/model/model.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/model/declare.h"
#include "core/model/limit.h"

/* Allocates memory for one more datum. false: out of memory. */
static bool grow_data(gradyn_model *model)
{
  /* doubling keeps the total cost linear */
  if (model->nx < model->declared.capacity)
    return true;
  size_t capacity = model->declared.capacity ? 2 * (size_t)model->declared.capacity : 64;
  void *entry = realloc(model->entry, capacity * sizeof *model->entry);
  if (entry)
    model->entry = entry;
  void *key = realloc(model->declared.key, capacity * sizeof *model->declared.key);
  if (key)
    model->declared.key = key;
  void *value = realloc(model->value, capacity * sizeof *model->value);
  if (value)
    model->value = value;
  if (entry && key && value) /* if one array fails to grow, the others stay valid */
    model->declared.capacity = (int)capacity;
  else
    gradyn_model_no_memory(model, "one more datum");
  return entry && key && value;
}

/* Stores a new datum. The name is owner.name, or name alone. */
static void append_datum(gradyn_model *model, const char *owner, const char *name, const char *unit,
                         bool constant)
{
  gradyn_model_check_name(model, owner ? owner : "");
  gradyn_model_check_name(model, name);
  if (!grow_data(model))
    return;
  /* appended at the end: indices of data never change */
  int k = model->nx++;
  size_t used = owner && *owner ? strlen(owner) + 1 : 0;
  char *full = malloc(used + strlen(name) + 1);
  /* later builds compare constant names by pointer */
  bool known = constant && (!owner || gradyn_model_formed(model, owner));
  model->entry[k] = (gradyn_data_entry){.name = full, .own = (int)used};
  model->entry[k].unit = gradyn_model_copy_name(model, unit);
  model->declared.key[k] = (gradyn_datum_key){known ? owner : NULL, known ? name : NULL};
  if (!full) {
    gradyn_model_no_memory(model, name);
    return;
  }
  /* full name; the member `own` is the index after the owner's part */
  if (used > 0) { /* owner.name */
    memcpy(full, owner, used - 1);
    full[used - 1] = '.';
  }
  memcpy(full + used, name, strlen(name) + 1);
}

/* Whether the next datum of a repeated build() has the name of the first build(), by comparison of
 * characters. */
static bool same_name(const gradyn_data_entry *entry, const char *owner, const char *name)
{
  size_t used = owner && *owner ? strlen(owner) + 1 : 0;
  return (size_t)entry->own == used && (used == 0 || memcmp(entry->name, owner, used - 1) == 0) &&
         strcmp(entry->name + used, name) == 0;
}

/* Reports that build() has declared another datum than before. Returns 0 as the index. */
static int report_change(gradyn_model *model, int k, const char *owner, const char *name)
{
  /* one message: later differences follow from the first */
  if (!model->failed)
    gradyn_build_error(model,
                       "build() declares %s%s%s where it declared %s before: the structure of a "
                       "model must not depend on design variables",
                       owner ? owner : "", owner && *owner ? "." : "", name,
                       k < model->nx ? model->entry[k].name : "nothing");
  return 0;
}

/* Reports a number that is not real. */
static void refuse_unreal(gradyn_model *model, int k, gradyn_scalar value)
{
  gradyn_build_error(model,
                     "%s is %g%+gi: it must be real. Is it a root, power or logarithm of a "
                     "negative number?",
                     model->entry[k].name, creal(value), cimag(value));
}

/* Stores a number after checking it; this is the only check of declared numbers. */
static inline void set_value(gradyn_model *model, int k, gradyn_scalar value)
{
  if (!isfinite(creal(value)) || !isfinite(cimag(value)))
    gradyn_build_error(model, "%s is %g: it must be a finite number", model->entry[k].name,
                       creal(value));
  else if (!gradyn_is_number(value, true))
    refuse_unreal(model, k, value);
  model->value[k] = model->declared.uncertain.displaced ? gradyn_uncertain_shift(model, k, value)
                                                        : value;
}

/* Whether the names of datum k are equal by address. Strings at these addresses cannot have changed. */
static inline bool same_key(const gradyn_model *model, int k, const char *owner, const char *name)
{
  return model->declared.key[k].name == name && model->declared.key[k].owner == owner;
}

/* Declares or refreshes the next datum; returns its index. constant: the name within the owner is a
 * literal. */
static inline int declare_datum(gradyn_model *model, const char *owner, const char *name,
                                const char *unit, gradyn_scalar value, bool constant)
{
  /* each build() makes declarations in the same order, so the cursor is the index */
  int k = model->declared.cursor++;
  if (!model->finalised) {
    if (k == model->nx)
      append_datum(model, owner, name, unit, constant);
    if (k >= model->nx)
      return 0;
  } else if (k >= model->nx || !((constant && same_key(model, k, owner, name)) ||
                                 same_name(&model->entry[k], owner, name))) {
    return report_change(model, k, owner, name);
  }
  set_value(model, k, value); /* the imaginary part is a derivative */
  return k;
}

int gradyn_model_datum(gradyn_model *model, const char *owner, const char *name, const char *unit,
                       gradyn_scalar value)
{
  return declare_datum(model, owner, name, unit, value, true);
}

int gradyn_model_derived(gradyn_model *model, const char *owner, const char *name,
                         gradyn_scalar value)
{
  int k = gradyn_model_datum(model, owner, name, "", value);
  if (!model->finalised && k < model->nx)
    model->entry[k].derived = true;
  return k;
}

int gradyn_model_hidden(gradyn_model *model, const char *owner, const char *name, double value)
{
  int k = gradyn_model_datum(model, owner, name, "", value);
  if (!model->finalised && k < model->nx)
    model->entry[k].hidden = true;
  return k;
}

int gradyn_model_data(gradyn_model *model, const char *owner, const gradyn_datum *data, int count)
{
  int first = model->declared.cursor;
  for (int i = 0; i < count; i++)
    declare_datum(model, owner, data[i].name, data[i].unit, data[i].value, true);
  return first;
}

/* Declares data of users' functions, in the order in which the function receives them. */
int gradyn_model_user_data(gradyn_model *model, const char *owner, const gradyn_datum *data,
                           int count)
{
  /* consecutive from this index */
  int first = model->declared.cursor;
  if (count < 0 || (count > 0 && !data)) {
    gradyn_build_error(model, "%s has %d data, but none are given", owner ? owner : "the model",
                       count);
    return first;
  }
  for (int i = 0; i < count; i++)
    declare_datum(model, owner, data[i].name ? data[i].name : "?", data[i].unit ? data[i].unit : "",
                  data[i].value, false);
  if (count > 0 && count > model->scratch.data_size) { /* all functions share one buffer */
    void *local = realloc(model->scratch.data, (size_t)count * sizeof *model->scratch.data);
    if (local) {
      model->scratch.data = local;
      model->scratch.data_size = count;
    } else {
      gradyn_model_no_memory(model, owner ? owner : "data");
    }
  }
  return first;
}

/* Declares a row of numbers. Forming the names of many numbers would take longer than the rest of a
 * repeated build, so names of a known row are not formed again. */
int gradyn_model_array(gradyn_model *model, const char *owner, const char *name, const char *unit,
                       gradyn_knot_window part, const gradyn_scalar *value, int known)
{
  int first = model->declared.cursor - part.first;
  /* the row begins at the same index as before: names need no comparison */
  if (model->finalised && !model->failed && known == first) {
    model->declared.cursor += part.count;
    for (int k = part.first; k < part.first + part.count; k++)
      set_value(model, first + k, value[k]);
    return first;
  }
  for (int k = part.first; k < part.first + part.count; k++) {
    char full[32];
    snprintf(full, sizeof full, "%s[%d]", name, k);
    declare_datum(model, owner, full, unit ? unit : "", value[k], false);
  }
  return first;
}

/* Declares the end time, a datum that depends on parameters. */
void gradyn_end_time(gradyn_model *model, gradyn_scalar t_end)
{
  if (!model)
    return;
  model->span.built = true;
  if (model->span.given != 0)
    /* an end time given as an option would contradict that of build() */
    gradyn_build_error(model,
                       "the option t_end is %g s, but build() of this problem computes the end "
                       "time: omit the option",
                       model->span.given);
  if (!(creal(t_end) > 0) || !isfinite(creal(t_end)))
    gradyn_build_error(model, "the end time is %g s: it must be positive", creal(t_end));
  /* complex: derivatives by the end time are computed as for other data */
  model->value[model->t_end] = model->declared.uncertain.displaced
                                   ? gradyn_uncertain_shift(model, model->t_end, t_end)
                                   : t_end;
}

/* --- Life of a model -------------------------------------------------------------------------- */

/* Whether a repeated build() has made as many declarations of each kind as the first one. */
static gradyn_status compare_counts(gradyn_model *model)
{
  const struct {
    const char *what;
    int now, before;
  } count[] = {
      {"data", model->declared.cursor, model->nx},
      {"measures", model->cursor.measure, model->declared.measures},
      {"functionals", model->cursor.functional, model->functional_count},
      {"events", model->cursor.event, model->event_count},
      {"modes", model->modes.cursor, model->modes.count},
      {"choices of modes", model->modes.choices, model->modes.first_choices},
      {"functions", model->declared.callback_cursor, model->declared.callbacks},
      {"uncertain numbers", model->declared.uncertain.cursor, model->declared.uncertain.count},
      {"formed names", model->names.cursor, model->names.count}};
  /* names last: the other counts describe a change better */
  const size_t last = GRADYN_COUNT(count) - 1;
  for (size_t k = 0; k <= last; k++) {
    GRADYN_TRY(k == last && model->ops->rebuilt ? model->ops->rebuilt(model) : GRADYN_OK);
    if (count[k].now != count[k].before)
      return gradyn_fail(&model->message, GRADYN_INVALID,
                         "build() declares %d %s where it declared %d before: the structure of a "
                         "model must not depend on design variables",
                         count[k].now, count[k].what, count[k].before);
  }
  return GRADYN_OK;
}

/* Calls build() and compares the declarations with those of the first build(). */
static gradyn_status call_build(gradyn_model *model, const gradyn_scalar *rho)
{
  /* resets all cursors: declarations follow in their order */
  model->failed = model->exhausted = false;
  model->declared.cursor = model->declared.callback_cursor = model->names.cursor = 0;
  model->cursor = (gradyn_model_cursor){0};
  model->modes.cursor = model->modes.choices = 0;
  model->modes.scope = 0;
  model->declared.uncertain.cursor = 0;
  model->declared.uncertain.offset = NULL;
  model->span.was_read = false;
  model->declared.rho = rho;
  double t_end = model->span.given != 0 ? model->span.given : model->problem->t_end;
  model->t_end = gradyn_model_datum(model, NULL, "t_end", "s", t_end); /* the first datum */
  if (model->failed) /* for example out of memory */
    return gradyn_build_status(model);
  if (model->ops && model->ops->restart)
    model->ops->restart(model);
  gradyn_status status = model->problem->build(model, rho);
  if (status == GRADYN_OK && model->settings.complete)
    model->settings.complete(model, rho);
  if (model->span.was_read) /* by refined or delayed signals */
    gradyn_added_check(model);
  if (model->failed)
    /* collected messages are more specific than the status returned by build() */
    return gradyn_build_status(model);
  if (status != GRADYN_OK)
    return gradyn_fail(&model->message, status, "build() of %s failed: %s", model->problem->name,
                       gradyn_status_describe(status).sentence);
  model->modes.scope = 0;
  if (model->ops && model->ops->complete)
    model->ops->complete(model);
  /* a segment declares its own start only after the whole motion was finalised */
  if (model->span.begin && model->finalised && !model->failed)
    model->span.begin(model, rho);
  return model->failed      ? gradyn_build_status(model)
         : model->finalised ? compare_counts(model)
                            : GRADYN_OK;
}

gradyn_status gradyn_model_refresh(gradyn_model *model, const gradyn_scalar *rho)
{
  gradyn_message_clear(&model->message);
  GRADYN_TRY(call_build(model, rho));
  if (!gradyn_uncertain_displace(model, rho))
    return GRADYN_OK;
  /* the first build() has given the spreads; the second one has the displaced numbers */
  model->declared.uncertain.displaced = true;
  const gradyn_status status = call_build(model, model->declared.uncertain.rho);
  model->declared.uncertain.displaced = false;
  if (status == GRADYN_OK)
    gradyn_model_derive_values(model);
  return status;
}

/* Fixes the structure and allocates workspaces. */
static gradyn_status finalise(gradyn_model *model)
{
  if (!model->ops)
    return gradyn_fail(&model->message, GRADYN_INVALID,
                       "build() of %s declares neither points nor states; a simulation needs "
                       "points or states",
                       model->problem->name);
  /* checks of the complete structure */
  if (!(creal(model->value[model->t_end]) > 0))
    return gradyn_fail(&model->message, GRADYN_INVALID,
                       "the end time is %g s: give the problem a positive .t_end",
                       creal(model->value[model->t_end]));
  model->x = calloc((size_t)model->nx, sizeof *model->x);
  model->scratch.u = calloc((size_t)model->signal_count + 1, sizeof *model->scratch.u);
  if (model->scratch.u)
    model->scratch.u[0] = NAN; /* entries are by ids */
  int knots = 1;
  for (int i = 0; i < model->signal_count; i++)
    if (model->signal[i].kind == GRADYN_CUBIC_SPLINE && model->signal[i].count > knots)
      knots = model->signal[i].count;
  model->scratch.spline = calloc((size_t)knots, sizeof *model->scratch.spline);
  if (!model->x || !model->scratch.u || !model->scratch.spline)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d data", model->nx);
  /* runs use real data; complex values are for derivatives by parameters */
  for (int k = 0; k < model->nx; k++)
    model->x[k] = creal(model->value[k]);
  if (model->settings.joint_coordinates && model->ops->kind != GRADYN_MODEL_MECH)
    return gradyn_fail(&model->message, GRADYN_UNSUPPORTED,
                       "general equations have no joint coordinates");
  GRADYN_TRY(model->ops->finalise(model));
  GRADYN_TRY(gradyn_reads_finalise(model));
  GRADYN_TRY(gradyn_callbacks_finalise(model));
  if (model->declared.guesses > 0)
    GRADYN_TRY(gradyn_guesses_finalise(model));
  if (model->declared.uncertain.finalise)
    GRADYN_TRY(model->declared.uncertain.finalise(model));
  model->modes.first_choices = model->modes.choices;
  model->finalised = true;
  return GRADYN_OK;
}

gradyn_status gradyn_model_create(const gradyn_problem *problem,
                                  const gradyn_setting_choice *settings, size_t setting_count,
                                  double t_end, const gradyn_scalar *rho, gradyn_model **out)
{
  const bool joint = problem->coordinates && strcmp(problem->coordinates, "joint") == 0;
  const gradyn_model_settings chosen = {.choice = settings,
                                        .count = setting_count,
                                        .joint_coordinates = joint ? GRADYN_JOINT : GRADYN_NATURAL};
  return gradyn_model_create_in(problem, &chosen, t_end, rho, out);
}

gradyn_status gradyn_model_create_in(const gradyn_problem *problem,
                                     const gradyn_model_settings *settings, double t_end,
                                     const gradyn_scalar *rho, gradyn_model **out)
{
  gradyn_model *model = *out = calloc(1, sizeof *model);
  if (!model)
    return GRADYN_NO_MEMORY;
  model->problem = problem; /* borrowed from the caller */
  model->settings = *settings;
  model->span.given = t_end;
  if (!problem->build)
    return gradyn_fail(&model->message, GRADYN_INVALID, "problem %s has no build function",
                       problem->name);
  /* declare, finalise, load: in this order, once */
  GRADYN_TRY(gradyn_model_refresh(model, rho));
  GRADYN_TRY(finalise(model));
  if (model->declared.uncertain.count >
      0) /* a load case may have offsets, with which build() runs again */
    GRADYN_TRY(gradyn_model_refresh(model, rho));
  return gradyn_model_load(model, NULL);
}

/* Frees what entries own. */
static void clear_functionals(gradyn_functional_entry *f, int count)
{
  for (int k = 0; k < count; k++) {
    free(f[k].name);
    free(f[k].unit);
    free(f[k].reduced.fit);
    gradyn_reads_clear(&f[k].reads);
  }
  free(f);
}

/* Frees a model, also a partially created one: missing parts are NULL or have count 0. */
void gradyn_model_free(gradyn_model *model)
{
  if (!model)
    return;
  if (model->ops)
    model->ops->free(model->impl);
  for (int k = 0; k < model->nx; k++) {
    free(model->entry[k].name);
    free(model->entry[k].unit);
  }
  for (int k = 0; k < model->signal_count; k++) { /* names of elements, then the arrays */
    free(model->signal[k].name);
    free(model->signal[k].one_of);
  }
  clear_functionals(model->functional, model->functional_count);
  free(model->names.slot);
  clear_functionals(model->declared.measure, model->declared.measures);
  for (int k = 0; k < model->names.count; k++)
    free(model->names.name[k]);
  for (int k = 0; k < model->modes.count; k++)
    free(model->modes.name[k]);
  free(model->modes.name);
  gradyn_events_free(model->event, model->event_count);
  free(model->log.record);
  free(model->log.impulse);
  free(model->log.captures.item);
  free(model->log.captures.value);
  free(model->names.name);
  gradyn_callbacks_free(model);
  gradyn_guesses_free(model);
  gradyn_uncertain_free(model);
  /* data and their declarations */
  free(model->entry);
  free(model->declared.key);
  free(model->declared.summand);
  free(model->value);
  free(model->x);
  free(model->scratch.u);
  free(model->scratch.spline);
  free(model->scratch.data);
  free(model->signal);
  free(model);
}

/* Takes the values of the last build(), which must be real. */
static gradyn_status take_values(gradyn_model *model)
{
  for (int k = 0; k < model->nx; k++) {
    if (cimag(model->value[k]) != 0)
      refuse_unreal(model, k, model->value[k]);
    model->x[k] = creal(model->value[k]);
  }
  return gradyn_build_status(model);
}

gradyn_status gradyn_model_load(gradyn_model *model, const double *x)
{
  if (x)
    memcpy(model->x, x, (size_t)model->nx * sizeof *x);
  else
    GRADYN_TRY(take_values(model));
  gradyn_sampled_times_update(model);
  gradyn_discrete_state_reset(model);
  return model->ops->load(model);
}

/* Checks for cancellation and deadline; called at every step of long loops. */
gradyn_status gradyn_model_cancelled(gradyn_model *model, double t)
{
  return gradyn_deadline_check(&model->deadline, &model->message, t);
}
