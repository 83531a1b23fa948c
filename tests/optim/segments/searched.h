/* A search over segments. */
#ifndef GRADYN_TESTS_OPTIM_SEARCHED_H
#define GRADYN_TESTS_OPTIM_SEARCHED_H

#include "tests/runs.h"

/* As by default, in so many segments by Ipopt. */
gradyn_search in_segments(const gradyn_evaluator *ev, long count);

#endif
