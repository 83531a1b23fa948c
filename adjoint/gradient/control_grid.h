/* Finer grids of controls: new knots, and an evaluator of the same problem with these knots as parameters. */
#ifndef GRADYN_ADJOINT_CONTROL_GRID_H
#define GRADYN_ADJOINT_CONTROL_GRID_H

#include "adjoint/evaluator/evaluator.h"
#include "core/model/added.h"

/* A new knot of a signal, in the middle of an interval. */
typedef struct gradyn_new_knot {
  gradyn_added_knot at;
  double value;               /* value that does not change the signal */
  double lower, upper, scale; /* from its neighbours */
  double width;               /* length of the interval, s */
} gradyn_new_knot;

/* Lists all possible new knots at rho [parameters] in *out [*count], to be released by free(). A signal is
 * considered if each of its knots equals a separate parameter or is constant. An interval gets a knot if it
 * ends at a knot that is varied (vary [parameters]; NULL: parameters that are not fixed). Errors:
 * GRADYN_NO_MEMORY; failures of build(). */
gradyn_status gradyn_new_knots(gradyn_evaluator *evaluator, const double rho[], const bool vary[],
                               gradyn_new_knot **out, size_t *count);

/* Creates an evaluator of the same problem with knot [count] added, which is copied; the values of these
 * knots are parameters after all others. On failure *out has the message, or is NULL without memory. Free
 * *out by gradyn_evaluator_free() in any case. `of` may be freed, unless it has a limit of
 * gradyn_evaluator_limit(). Errors: GRADYN_NO_MEMORY; those of gradyn_evaluator_create(). */
gradyn_status gradyn_refined_create(gradyn_evaluator *of, const gradyn_new_knot knot[],
                                    size_t count, gradyn_evaluator **out);

/* Returns the index, among the parameters of the refined evaluator, of parameter i, from 0, of the
 * evaluator `of`. */
size_t gradyn_refined_old(const gradyn_evaluator *refined, const gradyn_evaluator *of, size_t i);

/* Returns the index, among the parameters of the refined evaluator, of the value of an added knot. */
size_t gradyn_refined_new(const gradyn_evaluator *refined, const gradyn_added_knot *knot);

#endif
