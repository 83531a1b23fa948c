/* Searches of synthetic problems with a journal, and operations of tests on such files. */
#ifndef GRADYN_TESTS_OPTIM_JOURNALLED_H
#define GRADYN_TESTS_OPTIM_JOURNALLED_H

#include "tests/optim/journals.h"
#include "tests/optim/synthetic.h"

#include "optim/rounds/resume.h"

/* A search with the journal that it names. */
gradyn_status journalled_run(synthetic *problem, const gradyn_search *search, const double x0[],
                             gradyn_recollection how, gradyn_search_result *result);

/* Passes if both results are the same but for the time. */
void assert_same_result(const synthetic *problem, const gradyn_search_result *a,
                        const gradyn_search_result *b);

#endif
