/* Load cases of a problem: checks, and the values of one case. Rows and columns count from 0 and are not
 * checked. */
#ifndef GRADYN_CORE_PROBLEMS_CASES_H
#define GRADYN_CORE_PROBLEMS_CASES_H

#include <string.h>

#include "core/problems/parameters.h"

/* Returns the index of the column with this name; the number of columns if there is none. Cases may be
 * NULL. */
static inline size_t gradyn_cases_column(const gradyn_cases *cases, const char *name)
{
  size_t i = 0;
  while (cases && i < cases->column_count && strcmp(cases->columns[i], name) != 0)
    i++;
  return i;
}

/* Returns the value in a row and a column, in the unit of the column; NAN: not given. */
static inline double gradyn_cases_value(const gradyn_cases *cases, size_t row, size_t column)
{
  return cases->values[row * cases->column_count + column];
}

/* Checks the table of load cases: names, columns, values and weights. It does not check that each column is
 * used; see gradyn_cases_all_read(). only: name of the case whose row is checked; only NULL: all rows.
 * GRADYN_INVALID, with the reason in message. */
gradyn_status gradyn_cases_check(const gradyn_problem *problem, const char *only,
                                 gradyn_message *message);

/* Returns the index of the row of a case; the number of cases if there is none of this name. */
size_t gradyn_cases_find(const gradyn_cases *cases, const char *name);

/* Returns the value of a named column in a row, from 0; `otherwise` if there is no such column or its value
 * is NAN. */
double gradyn_cases_number(const gradyn_cases *cases, size_t row, const char *name,
                           double otherwise);

/* Applies the settings of a row to the chosen ones, settings [*count]: replaces a choice of the same setting,
 * or appends one, whose name belongs to the problem. The array must have space for all settings of the
 * problem. GRADYN_INVALID, with a message: a value is not whole or is outside its bounds. */
gradyn_status gradyn_cases_settings(const gradyn_problem *problem, size_t row,
                                    gradyn_setting_choice settings[], size_t *count,
                                    gradyn_message *message);

/* Sets the initial values of parameters to the values of a row, and their `per_case`. A parameter of which
 * only the row gives a value is fixed. GRADYN_INVALID, with a message: a value is outside its bounds; later
 * parameters are then unchanged. */
gradyn_status gradyn_cases_parameters(const gradyn_problem *problem, size_t row,
                                      gradyn_parameters *parameters, gradyn_message *message);

/* Checks that each column is used: it is a parameter, a setting, "t_end" or "weight", or build() has read
 * it (asked [columns]). GRADYN_INVALID: one is not; the message has its name. */
gradyn_status gradyn_cases_all_read(const gradyn_problem *problem,
                                    const gradyn_parameters *parameters, const bool asked[],
                                    gradyn_message *message);

#endif
