/* Time points in a run at which the functions of maxima are largest. */
#ifndef GRADYN_ADJOINT_EXTREMES_H
#define GRADYN_ADJOINT_EXTREMES_H

#include "adjoint/evaluator/evaluator.h"
#include <gradyn/evaluate.h>

/* Returns whether functional 0, 1, ... is an exact or smooth maximum over time; false: no, or no such
 * functional. */
bool gradyn_functional_is_maximum(const gradyn_evaluator *ev, size_t functional);

/* Part of a step of a trajectory: its start, its end, or between them. */
typedef enum gradyn_part { GRADYN_PART_START, GRADYN_PART_INSIDE, GRADYN_PART_END } gradyn_part;

typedef struct gradyn_summit {
  gradyn_extreme extreme;
  size_t step; /* index of the piece of the run in or beside which it is, see pieces.h */
  gradyn_part part;
  double rate; /* at a start or an end: rate of the function there, within the step, 1/s */
} gradyn_summit;

/* Fills summit [functionals] with the maxima over time in the last run; NAN for other functionals.
 * trajectory: that of the run; NULL: the method stores its steps. With `all`, also for smooth maxima, and
 * extreme.t_second gets another time with the same value. *end: end of the run, s. Errors:
 * GRADYN_NO_MEMORY; cancellation; failures of the functions. */
gradyn_status gradyn_find_summits(gradyn_evaluator *ev, const gradyn_trajectory *trajectory,
                                  bool all, double *end, gradyn_summit *summit);

/* Violations of path constraints: the local maxima in each interval of a run in which a bound is violated,
 * and the start of the run if a bound is violated there. */
typedef struct gradyn_excesses {
  struct gradyn_excess {
    size_t side; /* index of its functional */
    gradyn_summit worst;
  } * item; /* [count] */
  size_t count;
  double end; /* s, of the run */
} gradyn_excesses;

/* Adds a copy of *top, a violation of the functional with index `side`, from 0. Error: GRADYN_NO_MEMORY, with
 * the model's message; *out is then unchanged. */
gradyn_status gradyn_excesses_add(gradyn_model *model, size_t side, const gradyn_summit *top,
                                  gradyn_excesses *out);

/* Finds the violations in the last run that exceed `part` times the tolerance of their path constraint.
 * trajectory: that of the run; NULL: the method stores its steps. *out must be zero; free(out->item) also
 * after an error. Errors: GRADYN_NO_MEMORY; cancellation; failures of the functions. */
gradyn_status gradyn_find_excesses(gradyn_evaluator *ev, const gradyn_trajectory *trajectory,
                                   double part, gradyn_excesses *out);

#endif
