/* Description of a model at some parameters, which a study stores for its report. */
#ifndef GRADYN_OPTIM_MODEL_H
#define GRADYN_OPTIM_MODEL_H

#include <jansson.h>

#include <gradyn/evaluate.h>

/* Returns the sizes of the model at rho [parameters] as a new object: states; for a mechanism also points,
 * coordinates, constraints, degrees of freedom (null: it cannot be assembled) and redundant constraints.
 * The evaluator gets the data at rho, and its last run is lost. NULL: out of memory. */
json_t *gradyn_model_sizes(gradyn_evaluator *evaluator, const double *rho);

/* Returns sizes, points, drawables, signals, modes and events of the last evaluation, which was at rho
 * [parameters], as a new object. NULL: out of memory. */
json_t *gradyn_model_json(const gradyn_evaluator *evaluator, const double *rho);

/* Functionals with effects that are shown. objective: name of the functional that is minimised; NULL: the
 * objective of the problem. sensitivity: route of the gradients, already selected if it was "auto". */
typedef struct gradyn_model_effects {
  const char *objective, *sensitivity;
} gradyn_model_effects;

/* Adds "sensitivity" to *model: for each shown functional, the data with the largest effects at rho
 * [parameters], from a gradient by a separate evaluator. On failure, adds "sensitivity_failed" with the
 * reason. *model becomes NULL if memory is out. */
void gradyn_model_add_effects(gradyn_evaluator *evaluator, const double *rho,
                              const gradyn_model_effects *effects, json_t **model);

#endif
