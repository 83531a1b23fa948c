/* Warnings of runs that an analysis makes. */
#ifndef GRADYN_ADJOINT_WARN_RUN_H
#define GRADYN_ADJOINT_WARN_RUN_H

#include "adjoint/evaluator/evaluator.h"

/* Adds the warnings of a run of the evaluator's model to ev->warnings, from its findings, its number of steps
 * and the log of events. */
void gradyn_evaluator_warn_run(gradyn_evaluator *ev, const gradyn_findings *found, long steps);

#endif
