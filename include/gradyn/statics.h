/* Mechanisms at rest: how many ways they can move, where they are in equilibrium. */
#ifndef GRADYN_STATICS_H
#define GRADYN_STATICS_H

#include <gradyn/evaluate.h>

/* Degrees of freedom by the rank of the constraints. */
typedef struct gradyn_freedom {
  int degrees;    /* in a position near the initial one */
  int at_start;   /* in the initial position itself: if there are more, it is singular */
  bool first;     /* there is no position near it: it can move to first order only */
  int dependents; /* constraints that follow from others */
} gradyn_freedom;

/* Solves the initial position at rho and counts. dependent [constraints of gradyn_model_describe()]: numbers
 * of constraints that follow from others, ascending, of which out->dependents are filled; may be NULL.
 * GRADYN_UNSUPPORTED: the model is no mechanism. */
GRADYN_API gradyn_status gradyn_count_freedom(gradyn_evaluator *evaluator, const double rho[],
                                              gradyn_freedom *out, int dependent[]);

/* Name of a constraint of the motion by its number; "" if there is none. */
GRADYN_API const char *gradyn_constraint_name(const gradyn_evaluator *evaluator, int constraint);

#endif
