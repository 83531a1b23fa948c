/* Users' complex formulas of a state: parts of custom functionals, guards and conditions of events, resets.
 * They are differentiated by complex step. */
#ifndef GRADYN_CORE_FORMULA_H
#define GRADYN_CORE_FORMULA_H

#include "core/model/functional.h"

/* Evaluates the formula at a sample into value [results]. fn: the function of the spec to call. Errors:
 * those of the function; GRADYN_NON_FINITE. */
gradyn_status gradyn_formula_value(gradyn_model *model, const gradyn_functional_entry *f,
                                   gradyn_functional_fn fn, const gradyn_sample *sample,
                                   double value[]);

/* Adds weight times the derivatives of result k to out[k]. All entries of out request the same derivatives.
 * Errors as above. */
gradyn_status gradyn_formula_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                      gradyn_functional_fn fn, const gradyn_sample *sample,
                                      double weight, const gradyn_gradient_out out[]);

#endif
