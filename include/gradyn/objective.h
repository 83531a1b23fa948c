/* The use of functionals in an optimisation: objective and constraints.
 *
 * For build(). A functional without a use is computed and reported only. A functional can have one use; a
 * second use is an error. Errors are reported by gradyn_build_status(). Only the first call of build() sets
 * uses and bounds. */
#ifndef GRADYN_OBJECTIVE_H
#define GRADYN_OBJECTIVE_H

#include <gradyn/numbers.h>
#include <gradyn/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Adds a functional to the objective, which the search minimises. */
GRADYN_API void gradyn_minimise(gradyn_model *model, gradyn_functional_id functional);

/* Adds weight times a functional to the objective. The weight must be finite. It is dimensionless, or has
 * the inverse unit of the functional so that terms of different units can be added. */
GRADYN_API void gradyn_minimise_weighted(gradyn_model *model, gradyn_functional_id functional,
                                         double weight);

/* Subtracts a functional from the objective, so that the search maximises it. */
GRADYN_API void gradyn_maximise(gradyn_model *model, gradyn_functional_id functional);

/* Subtracts weight times a functional from the objective. The unit of the weight is that of
 * gradyn_minimise_weighted(). */
GRADYN_API void gradyn_maximise_weighted(gradyn_model *model, gradyn_functional_id functional,
                                         double weight);

/* Adds a functional to the list whose largest value the search minimises (minimax problem). */
GRADYN_API void gradyn_minimise_largest(gradyn_model *model, gradyn_functional_id functional);

/* Requires functional = value. value and tolerance are in the unit of the functional. The tolerance is
 * the largest accepted violation; it must be positive. */
GRADYN_API void gradyn_require_equal(gradyn_model *model, gradyn_functional_id functional,
                                     double value, double tolerance);

/* Requires functional <= value. value and tolerance are in the unit of the functional. The tolerance is
 * the largest accepted violation; it must be positive. */
GRADYN_API void gradyn_require_at_most(gradyn_model *model, gradyn_functional_id functional,
                                       double value, double tolerance);

/* Requires functional >= value. value and tolerance are in the unit of the functional. The tolerance is
 * the largest accepted violation; it must be positive. */
GRADYN_API void gradyn_require_at_least(gradyn_model *model, gradyn_functional_id functional,
                                        double value, double tolerance);

#ifdef __cplusplus
}
#endif

#endif
