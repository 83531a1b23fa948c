/* A ball that falls through air and bounces, and measurements of its height: between steps, at the start, at
 * the end, two at one time. */
#ifndef GRADYN_TESTS_BALL_DATA_H
#define GRADYN_TESTS_BALL_DATA_H

#include "tests/runs.h"

#include <gradyn/inspect.h>

enum { BALL_HEIGHT, BALL_RESTITUTION, BALL_DRAG, BALL_OFFSET, BALL_SIGMA, BALL_P };
enum { BALL_DATA = 8, BALL_F = BALL_DATA + 2 }; /* the fit, ln sigma if it is estimated, the data */

extern const double ball_times[BALL_DATA], ball_values[BALL_DATA];

/* Settings: loss (gradyn_loss) and likelihood (0 or 1). */
extern const gradyn_problem ball_data;

/* An evaluator with steps of 5 ms, or a tolerance of 1e-10. */
gradyn_evaluator *ball_open(const char *method, const char *sensitivity, int loss, int likelihood);

#endif
