/* Running small mechanisms in tests. */
#ifndef GRADYN_TESTS_MBS_MOTION_H
#define GRADYN_TESTS_MBS_MOTION_H

#include "tests/support.h"
#include <gradyn/gradyn.h>

typedef struct motion {
  gradyn_problem problem; /* without parameters */
  gradyn_options options;
  gradyn_evaluator *evaluator;
  gradyn_trajectory *run;
} motion;

/* Simulates to t_end, s. "idas" and "explicit" with the tolerance `fine`, others with that step, s. */
void motion_run(motion *m, gradyn_build_fn build, const char *method, double t_end, double fine);
#define motion_local OWNED_UNTIL_END(motion_free) motion /* where its block ends */
void motion_free(motion *m);

/* Value of a column of the trajectory ("P.x") at its start, or at its end. */
double motion_start(const motion *m, const char *column);
double motion_end(const motion *m, const char *column);
/* A column at the end, or the first functional where it is NULL, by a method of second order, extrapolated
 * from runs with `step`, its half and its quarter as if errors had even powers alone. */
double motion_extrapolated(gradyn_build_fn build, const char *method, double t_end, double step,
                           const char *column);

/* The functional at a place in the order of declaration. */
double motion_functional(motion *m, int i);

#endif
