/* Searches from many starts, for any objective. */
#ifndef GRADYN_OPTIM_MULTISTART_H
#define GRADYN_OPTIM_MULTISTART_H

#include "optim/program/objective.h"
#include <gradyn/study.h>

/* Searches from many starts, rho0 [parameters] and others, for any objective. Arguments, result and
 * errors are those of gradyn_multistart(). evaluator: only for the headers of journals; NULL: without
 * it. */
gradyn_status gradyn_multistart_run(const gradyn_objective *objective,
                                    const gradyn_evaluator *evaluator, const gradyn_search *search,
                                    const gradyn_multistart_spec *spec, const double rho0[],
                                    gradyn_multistart_result *result);

/* Sorts result->local [count], best first, and fills result->optimum, a new array, with the distinct optima
 * among the finished searches with GRADYN_OK. Two ends are one optimum if each parameter differs by at most
 * `same` times its scale. scale [p]: sizes of unit steps; 0: the parameter is fixed. Returns false if memory
 * is out, and nothing is sorted. In optima.c. */
bool gradyn_optima_find(gradyn_multistart_result *result, size_t p, const double scale[],
                        double same);

#endif
