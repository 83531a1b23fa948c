/* Path constraints: lower <= m(t) <= upper at every time of a run.
 *
 * m is a function of time, state and data, a measure of a mechanism, or a signal. A search enforces a
 * path constraint at selected time points. It then checks the whole run and adds the points with the
 * largest violations, until the violation is within the tolerance everywhere: see gradyn_search_result. */
#ifndef GRADYN_LIMITS_H
#define GRADYN_LIMITS_H

#include <gradyn/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Declares a path constraint lower <= g <= upper on a function g(t, state, data) of the user's.
 *
 * g: name, unit, callback, data and lists of variables, as for gradyn_maximum(). The function is
 *   g->integrand; g->terminal must be NULL and g->instant 0.
 * lower, upper: bounds in the unit of g, lower <= upper. -INFINITY or INFINITY stands for no bound, but
 *   one bound is needed. Bounds may depend on parameters.
 * tolerance: largest accepted violation, in the unit of g; must be positive.
 *
 * An upper bound declares the functional name.over, the largest value over the run of g - upper. A lower
 * bound declares name.under, the largest value of lower - g. The constraint is satisfied where both are
 * at most 0. Their values are exact, as those of gradyn_maximum(). Data: those of g, name.lower and
 * name.upper.
 *
 * Returns the number of name.over or, without an upper bound, of name.under. On failure gradyn_build_status()
 * reports the error, and the number returned has no meaning. */
GRADYN_API gradyn_functional_id gradyn_limit(gradyn_model *model,
                                             const gradyn_custom_functional_spec *g,
                                             gradyn_scalar lower, gradyn_scalar upper,
                                             double tolerance);

/* Declares a path constraint on a measure of a mechanism. Bounds and tolerance are in the unit of the
 * measure. Functionals, data and the number returned are those of gradyn_limit(). On failure
 * gradyn_build_status() reports the error, and the number returned has no meaning. */
GRADYN_API gradyn_functional_id gradyn_limit_measure(gradyn_model *model, const char *name,
                                                     gradyn_measure_id measure, gradyn_scalar lower,
                                                     gradyn_scalar upper, double tolerance);

/* Declares a path constraint on a signal. Bounds and tolerance are in the unit of the signal. A search
 * enforces it at the knots. For piecewise constant and piecewise linear signals this covers the whole
 * run. Functionals, data and the number returned are those of gradyn_limit(). On failure
 * gradyn_build_status() reports the error, and the number returned has no meaning. */
GRADYN_API gradyn_functional_id gradyn_limit_signal(gradyn_model *model, const char *name,
                                                    gradyn_signal_id signal, gradyn_scalar lower,
                                                    gradyn_scalar upper, double tolerance);

#ifdef __cplusplus
}
#endif

#endif
