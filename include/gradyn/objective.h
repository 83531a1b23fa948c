/* What the optimiser does with a functional. */
#ifndef GRADYN_OBJECTIVE_H
#define GRADYN_OBJECTIVE_H

#include <gradyn/numbers.h>
#include <gradyn/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Adds it to the objective. */
GRADYN_API void gradyn_minimise(gradyn_model *model, gradyn_functional_id functional);
/* Adds weight times it to the objective. */
GRADYN_API void gradyn_minimise_weighted(gradyn_model *model, gradyn_functional_id functional,
                                         double weight);
/* The same for what is to become large: the objective, which is minimised, has minus it, or -weight times
 * it. */
GRADYN_API void gradyn_maximise(gradyn_model *model, gradyn_functional_id functional);
GRADYN_API void gradyn_maximise_weighted(gradyn_model *model, gradyn_functional_id functional,
                                         double weight);
/* The objective is the largest of all functionals named so (minimax). */
GRADYN_API void gradyn_minimise_largest(gradyn_model *model, gradyn_functional_id functional);
/* Constraints; tolerance and value in the functional's unit. */
GRADYN_API void gradyn_require_equal(gradyn_model *model, gradyn_functional_id functional,
                                     double value, double tolerance);
GRADYN_API void gradyn_require_at_most(gradyn_model *model, gradyn_functional_id functional,
                                       double value, double tolerance);
GRADYN_API void gradyn_require_at_least(gradyn_model *model, gradyn_functional_id functional,
                                        double value, double tolerance);

#ifdef __cplusplus
}
#endif

#endif
