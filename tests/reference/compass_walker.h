/* One step of the compass-like walker, in the angles of its legs: an independent integration, in complex
 * arithmetic, so that derivatives come by complex step. */
#ifndef GRADYN_TESTS_REFERENCE_COMPASS_WALKER_H
#define GRADYN_TESTS_REFERENCE_COMPASS_WALKER_H

#include <complex.h>

/* Parameters: slope, mH/m, b/a, then stand, stand_rate, swing_rate at the start. Results: the last three
 * behind the next impact, and its time. */
enum { WALKER_PARAMETERS = 6, WALKER_RESULTS = 4 };

void compass_walker(const double complex p[WALKER_PARAMETERS],
                    double complex result[WALKER_RESULTS]);

#endif
