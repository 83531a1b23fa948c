/* Checked parameters of a problem, with vector parameters expanded to one entry per component. */
#ifndef GRADYN_CORE_PARAMETERS_H
#define GRADYN_CORE_PARAMETERS_H

#include "core/base/message.h"
#include <gradyn/inspect.h>
#include <gradyn/evaluate.h>

typedef struct gradyn_parameters {
  gradyn_parameter_info *info; /* [count]; names are owned, units belong to the problem */
  size_t count;
} gradyn_parameters;

/* Expands and checks the declared parameters: names, counts, bounds, initial values. GRADYN_INVALID and
 * GRADYN_NO_MEMORY, with the reason in message. settings [setting_count]: values of settings that give
 * lengths of arrays, not checked here and not kept; NULL if there are none. gradyn_parameters_clear() must be
 * called also after a failure. */
gradyn_status gradyn_parameters_create(const gradyn_problem *problem,
                                       const gradyn_setting_choice *settings, size_t setting_count,
                                       gradyn_message *message, gradyn_parameters *out);
/* Returns the index in rho of the parameter with this name, also name[3]; -1: there is none. */
int gradyn_parameter_find(gradyn_model *model, const char *name);
/* Frees the entries and their names, and sets all members to zero; may be repeated. */
void gradyn_parameters_clear(gradyn_parameters *parameters);

/* Checks the chosen settings [setting_count] against those of the problem: names, and values within their
 * ranges. Error: GRADYN_INVALID, with the reason in message. */
gradyn_status gradyn_settings_check(const gradyn_problem *problem,
                                    const gradyn_setting_choice *settings, size_t setting_count,
                                    gradyn_message *message);

#endif
