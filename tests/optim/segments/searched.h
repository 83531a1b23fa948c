/* A search over segments. */
#ifndef GRADYN_TESTS_OPTIM_SEARCHED_H
#define GRADYN_TESTS_OPTIM_SEARCHED_H

#include "tests/runs.h"

/* As by default, in so many segments by Ipopt. */
gradyn_search in_segments(const gradyn_evaluator *ev, long count);

/* Passes if the search, with a journal, goes on with the same bits wherever that is cut, each `stride` lines,
 * and not in other segments; its result is to be cleared. */
void assert_goes_on(gradyn_evaluator *ev, const gradyn_search *search, const double rho0[],
                    size_t stride, gradyn_search_result *whole);

#endif
