/* Checks of load cases, and their values for settings and parameters. Messages name the file and the line of
 * a table that was read from a file. */
#include "core/problems/cases.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "core/base/names.h"
#include "core/model/declare.h"
#include "core/base/nearest.h"

enum { MOST_CASES = 10000 };

/* The columns that are neither parameters nor settings. */
static const char t_end[] = "t_end", weight[] = "weight";

/* Fails with the position of a row before the message; row = count: the headings. */
static gradyn_status fault(const gradyn_problem *problem, size_t row, gradyn_message *message,
                           const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Returns GRADYN_INVALID with a message that begins with the file and line of a row, or with the
 * problem. */
static gradyn_status fault(const gradyn_problem *problem, size_t row, gradyn_message *message,
                           const char *format, ...)
{
  const gradyn_cases *cases = problem->cases;
  char text[400], position[300];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (cases->source && cases->lines)
    (void)snprintf(position, sizeof position, "%.250s:%zu", cases->source, cases->lines[row]);
  else
    (void)snprintf(position, sizeof position, "cases of problem %.200s", problem->name);
  return gradyn_fail(message, GRADYN_INVALID, "%s: %s", position, text);
}

size_t gradyn_cases_find(const gradyn_cases *cases, const char *name)
{
  size_t i = 0;
  while (i < cases->count && strcmp(cases->names[i], name) != 0)
    i++;
  return i;
}

double gradyn_cases_number(const gradyn_cases *cases, size_t row, const char *name,
                           double otherwise)
{
  const size_t column = gradyn_cases_column(cases, name);
  if (column == cases->column_count)
    return otherwise;
  const double value = gradyn_cases_value(cases, row, column);
  return isnan(value) ? otherwise : value;
}

/* --- checks ----------------------------------------------------------------------------------- */

/* Checks name i of a list; names of earlier entries differ. */
static gradyn_status check_name(const gradyn_problem *problem, const char *const *names, size_t i,
                                size_t row, const char *what, gradyn_message *message)
{
  const char *name = names[i];
  if (!name || !*name)
    return fault(problem, row, message, "%s %zu has no name", what, i + 1);
  char quoted[100];
  gradyn_name_quote(name, quoted, sizeof quoted);
  const char *wrong = gradyn_name_fault(name);
  if (wrong || strpbrk(name, "@,"))
    return fault(problem, row, message, "%s \"%s\" %s", what, quoted,
                 wrong ? wrong : "has '@' or ',' in its name");
  for (size_t k = 0; k < i; k++)
    if (strcmp(names[k], name) == 0)
      return fault(problem, row, message, "%s \"%s\" occurs twice", what, quoted);
  return GRADYN_OK;
}

/* Checks the values of a row that need neither parameters nor settings. */
static gradyn_status check_row(const gradyn_problem *problem, size_t row, gradyn_message *message)
{
  const gradyn_cases *cases = problem->cases;
  GRADYN_TRY(check_name(problem, cases->names, row, row, "case", message));
  for (size_t i = 0; i < cases->column_count; i++) {
    const double value = gradyn_cases_value(cases, row, i);
    if (isinf(value))
      return fault(problem, row, message, "case %s: %s is %g; it must be finite", cases->names[row],
                   cases->columns[i], value);
  }
  const double share = gradyn_cases_number(cases, row, weight, 1),
               end = gradyn_cases_number(cases, row, t_end, 1);
  if (share < 0)
    return fault(problem, row, message, "case %s: weight is %g; it must be at least 0",
                 cases->names[row], share);
  if (!(end > 0))
    return fault(problem, row, message, "case %s: t_end is %g s; it must be positive",
                 cases->names[row], end);
  return GRADYN_OK;
}

gradyn_status gradyn_cases_check(const gradyn_problem *problem, const char *only,
                                 gradyn_message *message)
{
  const gradyn_cases *cases = problem->cases;
  double sum = 0;
  if (cases->count < 1 || cases->count > MOST_CASES || !cases->names ||
      (cases->column_count > 0 && (!cases->columns || !cases->values)))
    return fault(problem, cases->count, message,
                 "there are %zu cases with %zu columns; give 1 to %d cases, and their values",
                 cases->count, cases->column_count, MOST_CASES);
  for (size_t i = 0; i < cases->column_count; i++)
    GRADYN_TRY(check_name(problem, cases->columns, i, cases->count, "column", message));
  for (size_t row = 0; row < cases->count; row++) {
    if (only && cases->names[row] && strcmp(cases->names[row], only) != 0)
      continue;
    GRADYN_TRY(check_row(problem, row, message));
    sum += gradyn_cases_number(cases, row, weight, 1);
  }
  return only || sum > 0
             ? GRADYN_OK
             : fault(problem, cases->count, message, "all weights are 0; one must be positive");
}

gradyn_status gradyn_cases_all_read(const gradyn_problem *problem,
                                    const gradyn_parameters *parameters, const bool asked[],
                                    gradyn_message *message)
{
  const gradyn_cases *cases = problem->cases;
  for (size_t i = 0; i < cases->column_count; i++) {
    gradyn_nearest nearest = {.requested = cases->columns[i]};
    const char *name = cases->columns[i];
    bool known = asked[i] || strcmp(name, t_end) == 0 || strcmp(name, weight) == 0;
    for (size_t k = 0; k < parameters->count; k++) {
      known = known || strcmp(parameters->info[k].name, name) == 0;
      gradyn_nearest_try(&nearest, parameters->info[k].name);
    }
    for (size_t k = 0; k < problem->setting_count; k++) {
      known = known || strcmp(problem->settings[k].name, name) == 0;
      gradyn_nearest_try(&nearest, problem->settings[k].name);
    }
    if (!known)
      return fault(problem, cases->count, message,
                   "column %s is no parameter and no setting, and build() does not read it%s%s%s",
                   name, nearest.best ? "; did you mean " : "", nearest.best ? nearest.best : "",
                   nearest.best ? "?" : "");
  }
  return GRADYN_OK;
}

/* --- values ----------------------------------------------------------------------------------- */

/* Stores a setting; the value of a row replaces an earlier one. */
static void choose(gradyn_setting_choice settings[], size_t *count, const char *name, int value)
{
  size_t i = 0;
  while (i < *count && strcmp(settings[i].name, name) != 0)
    i++;
  *count += i == *count;
  settings[i] = (gradyn_setting_choice){name, value};
}

gradyn_status gradyn_cases_settings(const gradyn_problem *problem, size_t row,
                                    gradyn_setting_choice settings[], size_t *count,
                                    gradyn_message *message)
{
  const gradyn_cases *cases = problem->cases;
  for (size_t k = 0; k < problem->setting_count; k++) {
    const gradyn_setting *setting = &problem->settings[k];
    const double value = gradyn_cases_number(cases, row, setting->name, NAN);
    if (isnan(value))
      continue;
    if (value != trunc(value) || value < setting->lower || value > setting->upper)
      return fault(problem, row, message,
                   "case %s: setting %s is %g; it must be whole, from %d to %d", cases->names[row],
                   setting->name, value, setting->lower, setting->upper);
    choose(settings, count, setting->name, (int)value);
  }
  return GRADYN_OK;
}

/* Whether a parameter, or the vector that contains it, is declared for each case separately. */
static bool is_per_case(const gradyn_problem *problem, const char *name)
{
  const size_t length = strcspn(name, "[");
  for (size_t i = 0; i < problem->param_count; i++)
    if (problem->params[i].per_case && strlen(problem->params[i].name) == length &&
        strncmp(problem->params[i].name, name, length) == 0)
      return true;
  return false;
}

gradyn_status gradyn_cases_parameters(const gradyn_problem *problem, size_t row,
                                      gradyn_parameters *parameters, gradyn_message *message)
{
  const gradyn_cases *cases = problem->cases;
  for (size_t j = 0; j < parameters->count; j++) {
    gradyn_parameter_info *info = &parameters->info[j];
    const double value = gradyn_cases_number(cases, row, info->name, NAN);
    const bool own = is_per_case(problem, info->name);
    info->per_case = own || !isnan(value);
    if (isnan(value))
      continue;
    if (value < info->lower || value > info->upper)
      return fault(problem, row, message, "case %s: parameter %s is %g; its bounds are %g to %g",
                   cases->names[row], info->name, value, info->lower, info->upper);
    info->init = value;
    info->fixed = info->fixed || !own; /* a value for this case only */
  }
  return GRADYN_OK;
}

double gradyn_case_value(gradyn_model *model, const char *name, double otherwise)
{
  if (!gradyn_model_named(model, name, "a value of a case that build() asks for"))
    return otherwise;
  const gradyn_cases *cases = model->settings.cases;
  const size_t column = gradyn_cases_column(cases, name);
  if (!cases || column == cases->column_count)
    return otherwise;
  model->settings.asked[column] = true;
  const double value = gradyn_cases_value(cases, model->settings.row, column);
  return isnan(value) ? otherwise : value;
}
