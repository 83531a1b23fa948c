/* Load cases of a problem: checks, and the values of one case. */
#ifndef GRADYN_CORE_PROBLEMS_CASES_H
#define GRADYN_CORE_PROBLEMS_CASES_H

#include <string.h>

#include "core/problems/parameters.h"

/* Index of a column; the number of columns if there is none. Cases may be NULL. */
static inline size_t gradyn_cases_column(const gradyn_cases *cases, const char *name)
{
  size_t i = 0;
  while (cases && i < cases->column_count && strcmp(cases->columns[i], name) != 0)
    i++;
  return i;
}

/* A value of a row; NAN: not given. */
static inline double gradyn_cases_value(const gradyn_cases *cases, size_t row, size_t column)
{
  return cases->values[row * cases->column_count + column];
}

/* Checks names, columns and weights, without the columns that build() reads. only: of this case; NULL: of
 * all. GRADYN_INVALID, with the reason in message. */
gradyn_status gradyn_cases_check(const gradyn_problem *problem, const char *only,
                                 gradyn_message *message);

/* Index of a case; the number of cases if there is none of this name. */
size_t gradyn_cases_find(const gradyn_cases *cases, const char *name);

/* Value of a named column in a row; `otherwise` if it is not given. */
double gradyn_cases_number(const gradyn_cases *cases, size_t row, const char *name,
                           double otherwise);

/* Replaces settings [*count] by those of a row. There is room for the settings of the problem. Errors:
 * GRADYN_INVALID: a value is not whole or outside its bounds. */
gradyn_status gradyn_cases_settings(const gradyn_problem *problem, size_t row,
                                    gradyn_setting_choice settings[], size_t *count,
                                    gradyn_message *message);

/* Gives parameters the values of a row, and marks those that belong to the case. Errors: GRADYN_INVALID: a
 * value is outside its bounds. */
gradyn_status gradyn_cases_parameters(const gradyn_problem *problem, size_t row,
                                      gradyn_parameters *parameters, gradyn_message *message);

/* Fails if a column is no parameter, no setting, neither "t_end" nor "weight", and build() has not read it
 * either (asked [columns]). */
gradyn_status gradyn_cases_all_read(const gradyn_problem *problem,
                                    const gradyn_parameters *parameters, const bool asked[],
                                    gradyn_message *message);

#endif
