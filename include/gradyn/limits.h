/* Limits along the way: lower <= m(t) <= upper at every time of a run, of any function of time, state and
 * data. A search holds them at some instants, looks where they are exceeded in between, and holds them there
 * as well, until they are kept everywhere to their tolerance: see gradyn_search_result. */
#ifndef GRADYN_LIMITS_H
#define GRADYN_LIMITS_H

#include <gradyn/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Limits g(t, state, data), given as .integrand as of gradyn_smooth_maximum(). Either bound may be infinite:
 * there is none then; bounds may depend on parameters. tolerance > 0, in the unit of g: what may be exceeded
 * unnoticed. Declares for an upper bound the functional name.over, the largest value over the run of
 * g - upper, and for a lower one name.under, that of lower - g: the limit is kept where they are at most 0.
 * They are exact as gradyn_maximum() is. Data: those of the spec, name.lower, name.upper. Returns the number
 * of the first of the functionals. */
GRADYN_API gradyn_functional_id gradyn_limit(gradyn_model *model,
                                             const gradyn_custom_functional_spec *g,
                                             gradyn_scalar lower, gradyn_scalar upper,
                                             double tolerance);

/* The same of a measure of a mechanism; numbers in its unit. */
GRADYN_API gradyn_functional_id gradyn_limit_measure(gradyn_model *model, const char *name,
                                                     gradyn_measure_id measure, gradyn_scalar lower,
                                                     gradyn_scalar upper, double tolerance);

/* The same of a signal, in its unit: held at its knots, which is all of it where it is constant or linear
 * between them. */
GRADYN_API gradyn_functional_id gradyn_limit_signal(gradyn_model *model, const char *name,
                                                    gradyn_signal_id signal, gradyn_scalar lower,
                                                    gradyn_scalar upper, double tolerance);

#ifdef __cplusplus
}
#endif

#endif
