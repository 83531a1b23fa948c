/* Finer grids of controls: where knots may be added, and an evaluator of the same problem that has them as
 * parameters. */
#ifndef GRADYN_ADJOINT_CONTROL_GRID_H
#define GRADYN_ADJOINT_CONTROL_GRID_H

#include "adjoint/evaluator/evaluator.h"
#include "core/model/added.h"

/* A knot that a signal does not have yet, in the middle of an interval. */
typedef struct gradyn_new_knot {
  gradyn_added_knot at;
  double value;               /* that leaves the signal as it is */
  double lower, upper, scale; /* as of its neighbours */
  double width;               /* s, of the interval */
} gradyn_new_knot;

/* All of them, at rho [parameters], to be freed: of signals whose knots each are a parameter as it stands, or
 * stay, in intervals that end at one which is varied (vary [parameters]; NULL: those that are not fixed). */
gradyn_status gradyn_new_knots(gradyn_evaluator *evaluator, const double rho[], const bool vary[],
                               gradyn_new_knot **out, size_t *count);

/* Of the same problem with these knots. On failure *out still has the message, unless there is no memory
 * (NULL). The other evaluator need not live on. */
gradyn_status gradyn_refined_create(gradyn_evaluator *of, const gradyn_new_knot knot[],
                                    size_t count, gradyn_evaluator **out);

/* Parameter of the refined evaluator that is parameter i of the other one, and that is new knot i. */
size_t gradyn_refined_old(const gradyn_evaluator *refined, const gradyn_evaluator *of, size_t i);
size_t gradyn_refined_new(const gradyn_evaluator *refined, const gradyn_added_knot *knot);

#endif
