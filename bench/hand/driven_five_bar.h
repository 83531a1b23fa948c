/* The five-bar linkage of the case study, driven by a torque on bar A1 that is linear between 1000 knots.
 * The knots are the parameters: the cost of a gradient by many of them. */
#ifndef DRIVEN_FIVE_BAR_H
#define DRIVEN_FIVE_BAR_H

#include <gradyn/problem.h>

extern const gradyn_problem driven_five_bar;

#endif
