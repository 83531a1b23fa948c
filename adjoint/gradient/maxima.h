/* Maxima over time of methods that choose their steps. */
#ifndef GRADYN_ADJOINT_MAXIMA_H
#define GRADYN_ADJOINT_MAXIMA_H

#include "adjoint/gradient/evaluator.h"

/* Simulates at the data in force, finds where each maximum over time is, and has it taken there by
 * the runs that follow: at an instant that stays, at the start, at the end, or at one side of an
 * event. Nothing to do without such functionals, and with fixed steps, which find them on their
 * way. */
gradyn_status gradyn_place_maxima(gradyn_evaluator *ev);

#endif
