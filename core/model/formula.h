/* Users' formulas of a state, in complex numbers: parts of custom functionals, guards and conditions of
 * events, resets. They are differentiated by complex step. */
#ifndef GRADYN_CORE_FORMULA_H
#define GRADYN_CORE_FORMULA_H

#include "core/model/functional.h"

/* Its results at a sample, value [1], or as many as it has. fn: that of its functions which is meant. */
gradyn_status gradyn_formula_value(gradyn_model *model, const gradyn_functional_entry *f,
                                   gradyn_functional_fn fn, const gradyn_sample *sample,
                                   double value[]);

/* Adds weight times the derivatives of each result to its entry of out; all of these want the same. */
gradyn_status gradyn_formula_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                      gradyn_functional_fn fn, const gradyn_sample *sample,
                                      double weight, const gradyn_gradient_out out[]);

#endif
