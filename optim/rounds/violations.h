/* Violations of path constraints in the reason of a result. */
#ifndef GRADYN_OPTIM_VIOLATIONS_H
#define GRADYN_OPTIM_VIOLATIONS_H

#include "adjoint/gradient/limited.h"
#include "optim/search/search.h"

/* Adds a finding to the reason for each bound that a check of a run has found violated: by how much, when,
 * and how often. No effect without violations. */
void gradyn_violations_report(const gradyn_path_check *seen, const gradyn_objective *objective,
                              gradyn_search_result *said);

#endif
