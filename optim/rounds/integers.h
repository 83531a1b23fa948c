/* Integer controls after a search: rounding and a simulation. */
#ifndef GRADYN_OPTIM_INTEGERS_H
#define GRADYN_OPTIM_INTEGERS_H

#include "optim/rounds/resume.h"

/* Fills result->rounded, and adds a finding, if the model has integer signals and the result has a point.
 * evaluated: that of the result; search: its settings, with `vary` NULL or of the same parameters. A failure
 * of rounding or of the simulation is a finding with its status in result->rounded. Returns GRADYN_OK or
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_integers_round(const gradyn_evaluated *evaluated, const gradyn_search *search,
                                    gradyn_search_result *result);

#endif
