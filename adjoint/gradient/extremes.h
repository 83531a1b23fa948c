/* Where in a run the functions behind maxima are largest. */
#ifndef GRADYN_ADJOINT_EXTREMES_H
#define GRADYN_ADJOINT_EXTREMES_H

#include "adjoint/evaluator/evaluator.h"
#include <gradyn/extremes.h>

/* Whether a functional stands for a maximum over time. */
bool gradyn_functional_is_maximum(const gradyn_evaluator *ev, size_t functional);

/* Which part of a step of a trajectory: its start, its end, or between them. */
typedef enum gradyn_part { GRADYN_PART_START, GRADYN_PART_INSIDE, GRADYN_PART_END } gradyn_part;

typedef struct gradyn_summit {
  gradyn_extreme extreme;
  size_t step; /* of the trajectory, that begins with this row */
  gradyn_part part;
  double rate; /* at a start or an end, by which the function changes there, within the step; 1/s */
} gradyn_summit;

/* Looks along the trajectory of the last simulation: summit [functionals]. */
gradyn_status gradyn_find_summits(gradyn_evaluator *ev, const gradyn_trajectory *trajectory,
                                  gradyn_summit *summit);

/* The tops of sides of limits in stretches of a run on which they are exceeded; and its start where they are
 * exceeded there. */
typedef struct gradyn_excesses {
  struct gradyn_excess {
    size_t side; /* the number of its functional */
    gradyn_summit worst;
  } * item; /* [count] */
  size_t count;
} gradyn_excesses;

gradyn_status gradyn_excesses_add(gradyn_model *model, size_t side, const gradyn_summit *place,
                                  gradyn_excesses *out);

/* Looks along the trajectory of the last simulation for stretches where sides of limits exceed `part` of
 * their tolerance; *out is to be zero, and is released by free(out->item). */
gradyn_status gradyn_find_excesses(gradyn_evaluator *ev, const gradyn_trajectory *trajectory,
                                   double part, gradyn_excesses *out);

#endif
