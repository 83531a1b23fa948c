/* Searches from many starts, for any objective. */
#ifndef GRADYN_OPTIM_MULTISTART_H
#define GRADYN_OPTIM_MULTISTART_H

#include "optim/program/objective.h"
#include <gradyn/study.h>

/* gradyn_multistart() for any objective. The evaluator, which may be NULL, is used for the headers of
 * journals only. */
gradyn_status gradyn_multistart_run(const gradyn_objective *objective,
                                    const gradyn_evaluator *evaluator, const gradyn_search *search,
                                    const gradyn_multistart_spec *spec, const double rho0[],
                                    gradyn_multistart_result *result);

/* Sorts the searches of a result, best first, and finds the distinct optima among the successful ones.
 *
 * scale [p]: sizes of unit steps; 0: the parameter is fixed. same: largest distance of one optimum in
 * each parameter, relative to its scale. Returns false if memory is out. In optima.c. */
bool gradyn_optima_find(gradyn_multistart_result *result, size_t p, const double scale[],
                        double same);

#endif
