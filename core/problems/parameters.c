/* Expands and checks parameters and settings of a problem. Vector parameters become single parameters;
 * settings can determine their length. Errors are reported by name before anything is built. */
#include "core/model/model.h"
#include "core/problems/parameters.h"

#include "core/base/names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Checks that a text is present and printable. */
static gradyn_status check_text(const gradyn_problem *problem, const char *what, const char *text,
                                gradyn_message *message)
{
  if (!text || !*text)
    return gradyn_fail(message, GRADYN_INVALID, "%s of problem %s has no name", what,
                       problem->name);
  const char *fault = gradyn_name_fault(text);
  char quoted[100];
  gradyn_name_quote(text, quoted, sizeof quoted);
  /* valid; otherwise the message quotes the text with unprintable bytes escaped */
  return !fault ? GRADYN_OK
                : gradyn_fail(message, GRADYN_INVALID, "%s of problem %s: \"%s\" %s", what,
                              problem->name, quoted, fault);
}

/* Checks the chosen settings before build() uses them. */
gradyn_status gradyn_settings_check(const gradyn_problem *problem,
                                    const gradyn_setting_choice *settings, size_t setting_count,
                                    gradyn_message *message)
{
  /* the problem's own names first, because messages about choices quote them */
  for (size_t k = 0; k < problem->setting_count; k++) {
    char what[40];
    snprintf(what, sizeof what, "setting %zu", k);
    GRADYN_TRY(check_text(problem, what, problem->settings[k].name, message));
  }
  /* then the caller's choices: known, and within their ranges */
  for (size_t i = 0; i < setting_count; i++) {
    const gradyn_setting *known = NULL;
    if (!settings[i].name)
      return gradyn_fail(message, GRADYN_INVALID, "setting %zu is given without a name", i);
    for (size_t k = 0; k < problem->setting_count; k++)
      if (strcmp(problem->settings[k].name, settings[i].name) == 0)
        known = &problem->settings[k]; /* if a name occurs twice, the last one counts */
    if (!known)
      return gradyn_fail(message, GRADYN_INVALID, "problem %s has no setting called '%s'",
                         problem->name, settings[i].name);
    for (size_t k = 0; k < i; k++)
      if (strcmp(settings[k].name, settings[i].name) == 0)
        return gradyn_fail(message, GRADYN_INVALID,
                           "setting %s: given twice, as %d and as %d. Give it once", known->name,
                           settings[k].value, settings[i].value);
    if (settings[i].value < known->lower || settings[i].value > known->upper)
      return gradyn_fail(message, GRADYN_INVALID, "setting %s is %d: it must lie between %d and %d",
                         known->name, settings[i].value, known->lower, known->upper);
  }
  return GRADYN_OK;
}

/* Length of a vector parameter; 0: a single parameter. *found: whether the setting that gives the length
 * exists. */
static int row_count(const gradyn_problem *problem, const gradyn_setting_choice *settings,
                     size_t setting_count, const gradyn_param *p, bool *found)
{
  *found = true;
  if (!p->count_from)
    return p->count;
  /* a choice overrides the default */
  for (size_t i = 0; i < setting_count; i++)
    if (strcmp(settings[i].name, p->count_from) == 0)
      return settings[i].value;
  for (size_t i = 0; i < problem->setting_count; i++)
    if (strcmp(problem->settings[i].name, p->count_from) == 0)
      return problem->settings[i].init;
  *found = false;
  return 0;
}

/* Number of values of an entry with this length. Length 0 from a setting removes the parameter. */
static size_t value_count(const gradyn_param *p, int length)
{
  return length > 0 ? (size_t)length : p->count_from ? 0 : 1;
}

/* Checks that initial value, bounds and scale are consistent. */
static gradyn_status check(const gradyn_parameter_info *p, gradyn_message *message)
{
  if (!isfinite(p->init))
    return gradyn_fail(message, GRADYN_INVALID,
                       "the initial value of parameter %s is %g: it must be finite", p->name,
                       p->init);
  /* bounds, their order, and the initial value between them; NaN also fails */
  if (isnan(p->lower) || isnan(p->upper) || p->lower > p->upper)
    return gradyn_fail(message, GRADYN_INVALID,
                       "parameter %s has the lower bound %g above its upper bound %g", p->name,
                       p->lower, p->upper);
  if (p->init < p->lower || p->init > p->upper)
    return gradyn_fail(message, GRADYN_INVALID,
                       "the initial value %g of parameter %s lies outside its bounds %g to %g",
                       p->init, p->name, p->lower, p->upper);
  if (p->logarithmic && !(p->lower > 0))
    return gradyn_fail(message, GRADYN_INVALID,
                       "parameter %s is on a logarithmic scale, but its lower bound is %g: give a "
                       "positive lower bound",
                       p->name, p->lower);
  /* 0 would make scaled variables infinite */
  if (!(p->scale > 0) || !isfinite(p->scale))
    return gradyn_fail(message, GRADYN_INVALID,
                       "the scale of parameter %s is %g: it must be positive", p->name, p->scale);
  if (!isfinite(p->prior) || !(p->prior_deviation >= 0) || !isfinite(p->prior_deviation) ||
      (p->prior != 0 && p->prior_deviation == 0))
    return gradyn_fail(
        message, GRADYN_INVALID,
        "the prior of parameter %s has the mean %g and the deviation %g: both must be "
        "finite, the deviation positive",
        p->name, p->prior, p->prior_deviation);
  return GRADYN_OK;
}

/* The typical size of a change, if none is given: the initial value, the distance of the bounds, or 1. */
static double default_scale(const gradyn_param *p, double init)
{
  if (p->scale != 0)
    return p->scale;
  if (init != 0)
    return fabs(init);
  const double range = p->upper - p->lower;
  return range > 0 && isfinite(range) ? range : 1;
}

/* Creates entry k of a vector parameter, or the only one (count 0). */
static gradyn_status expand(const gradyn_param *p, int count, int k, gradyn_message *message,
                            gradyn_parameter_info *out)
{
  size_t size = strlen(p->name) + 16;
  char *name = malloc(size);
  if (!name)
    return gradyn_fail(message, GRADYN_NO_MEMORY, "out of memory for the parameter %s", p->name);
  if (count > 0)
    snprintf(name, size, "%s[%d]", p->name, k);
  else
    snprintf(name, size, "%s", p->name);
  /* both zero: the declaration has no bounds, as in version 0.2 */
  bool free_range = p->lower == 0 && p->upper == 0;
  /* 0 at the first entry, 1 at the last */
  double part = count > 1 ? (double)k / (count - 1) : 0;
  double init = p->ramp ? p->init + part * (p->init_end - p->init) : p->init;
  *out = (gradyn_parameter_info){.name = name,
                                 .unit = p->unit ? p->unit : "",
                                 .init = init,
                                 .lower = free_range ? -HUGE_VAL : p->lower,
                                 .upper = free_range ? HUGE_VAL : p->upper,
                                 .scale = default_scale(p, init),
                                 .role = p->role,
                                 .fixed = p->fixed,
                                 .bounds_missing = free_range && !p->fixed,
                                 .prior = p->prior,
                                 .prior_deviation = p->prior_deviation,
                                 .logarithmic = p->logarithmic};
  return check(out, message);
}

/* Appends all entries of a parameter. */
static gradyn_status append(gradyn_parameters *out, const gradyn_param *p, int count,
                            gradyn_message *message)
{
  const size_t more = value_count(p, count);
  if (more == 0)
    return GRADYN_OK;
  gradyn_parameter_info *grown = realloc(out->info, (out->count + more) * sizeof *grown);
  if (!grown)
    return gradyn_fail(message, GRADYN_NO_MEMORY, "out of memory for %zu parameters",
                       out->count + more);
  out->info = grown;
  for (size_t k = 0; k < more; k++) { /* a single parameter, or a vector of `count` entries */
    gradyn_parameter_info *info = &out->info[out->count++];
    info->name = NULL; /* the entry is counted already, so clear() must find a valid pointer */
    GRADYN_TRY(expand(p, count, (int)k, message, info));
  }
  return GRADYN_OK;
}

/* Parameters are expanded in the order of the problem's list. */
gradyn_status gradyn_parameters_create(const gradyn_problem *problem,
                                       const gradyn_setting_choice *settings, size_t setting_count,
                                       gradyn_message *message, gradyn_parameters *out)
{
  *out = (gradyn_parameters){0};
  for (size_t i = 0; i < problem->param_count; i++) {
    const gradyn_param *p = &problem->params[i];
    char what[40];
    /* the name, then the unit, which may be empty */
    snprintf(what, sizeof what, "parameter %zu", i);
    GRADYN_TRY(check_text(problem, what, p->name, message));
    if (p->unit && *p->unit)
      GRADYN_TRY(check_text(problem, what, p->unit, message));
    /* names are compared before the expansion into name[0], name[1], ... */
    for (size_t k = 0; k < i; k++)
      if (strcmp(problem->params[k].name, p->name) == 0)
        return gradyn_fail(message, GRADYN_INVALID, "two parameters of problem %s are called %s",
                           problem->name, p->name);
    /* the length is given directly, or by a setting */
    bool found;
    int count = row_count(problem, settings, setting_count, p, &found);
    if (!found)
      return gradyn_fail(message, GRADYN_INVALID,
                         "parameter %s takes its count from the setting '%s', which does not exist",
                         p->name, p->count_from);
    if (count < 0)
      return gradyn_fail(message, GRADYN_INVALID,
                         "parameter %s has the count %d: it must not be negative", p->name, count);
    GRADYN_TRY(append(out, p, count, message));
  }
  return GRADYN_OK;
}

void gradyn_parameters_clear(gradyn_parameters *parameters)
{
  for (size_t i = 0; i < parameters->count; i++)
    free((char *)(size_t)parameters->info[i].name);
  free(parameters->info);
  *parameters = (gradyn_parameters){0};
}

/* Returns the index in rho at which entry `position` of the problem's params begins. *count receives the
 * number of its values. An index outside the list is a build error. */
static size_t locate(gradyn_model *model, int position, size_t *count)
{
  *count = 1;
  if (!model)
    return 0;
  const gradyn_problem *problem = model->problem;
  size_t before = 0;
  bool found;
  if (position < 0 || (size_t)position >= problem->param_count) {
    gradyn_build_error(model, "there is no parameter with index %d: params has %zu entries",
                       position, problem->param_count);
    return 0;
  }
  /* lengths of all entries before this one, and finally its own */
  for (int i = 0; i <= position; i++) {
    const gradyn_param *p = &problem->params[i];
    before += i == 0 ? 0 : *count;
    *count = value_count(
        p, row_count(problem, model->settings.choice, model->settings.count, p, &found));
  }
  return before;
}

int gradyn_parameter_find(gradyn_model *model, const char *name)
{
  const size_t length = strcspn(name, "[");
  for (size_t i = 0; i < model->problem->param_count; i++) {
    const gradyn_param *p = &model->problem->params[i];
    if (strlen(p->name) != length || strncmp(p->name, name, length) != 0)
      continue;
    size_t count;
    const size_t first = locate(model, (int)i, &count);
    const bool array = p->count > 0 || p->count_from;
    char *end = NULL;
    const unsigned long k = array && name[length] ? strtoul(name + length + 1, &end, 10) : 0;
    const bool matches = array ? end && strcmp(end, "]") == 0 && k < count : !name[length];
    return matches ? (int)(first + k) : -1;
  }
  return -1;
}

const gradyn_scalar *gradyn_parameter_array(gradyn_model *model, const gradyn_scalar rho[],
                                            int entry, int *count)
{
  size_t values;
  const size_t before = locate(model, entry, &values);
  if (count)
    *count = (int)values;
  return rho ? rho + before : NULL;
}
