/* What a model looks like at some parameters, as a study keeps it for its report. */
#ifndef GRADYN_OPTIM_MODEL_H
#define GRADYN_OPTIM_MODEL_H

#include <jansson.h>

#include <gradyn/evaluate.h>

/* Points, drawables and signals as of the evaluator's last evaluation, which was at rho [parameters]. NULL:
 * no memory. */
json_t *gradyn_model_json(const gradyn_evaluator *evaluator, const double *rho);

/* Whose effects are told: of the functionals, and of the objective, which is the functional of that name, or
 * (NULL) the problem's own. sensitivity: how gradients are taken, what "auto" stands for. */
typedef struct gradyn_model_effects {
  const char *objective, *sensitivity;
} gradyn_model_effects;

/* Adds "sensitivity" to it: for each of them the data that matter most at rho. Costs a gradient. On failure
 * "sensitivity_failed" tells the reason. */
void gradyn_model_add_effects(gradyn_evaluator *evaluator, const double *rho,
                              const gradyn_model_effects *effects, json_t **model);

#endif
