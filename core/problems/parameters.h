/* The parameters of a problem after expansion of rows, with everything checked. */
#ifndef GRADYN_CORE_PARAMETERS_H
#define GRADYN_CORE_PARAMETERS_H

#include "core/base/message.h"
#include <gradyn/evaluate.h>

typedef struct gradyn_parameters {
  gradyn_parameter_info *info; /* [count]; names owned */
  size_t count;
} gradyn_parameters;

/* Expands and checks the declaration: names, counts, bounds, initial values. */
gradyn_status gradyn_parameters_create(const gradyn_problem *problem,
                                       const gradyn_setting_choice *settings, size_t setting_count,
                                       gradyn_message *message, gradyn_parameters *out);
void gradyn_parameters_clear(gradyn_parameters *parameters);

/* Checks chosen settings against the problem's: known names, values within range. */
gradyn_status gradyn_settings_check(const gradyn_problem *problem,
                                    const gradyn_setting_choice *settings, size_t setting_count,
                                    gradyn_message *message);

#endif
