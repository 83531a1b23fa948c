/* Common parts of the tests of orbits. */
#ifndef GRADYN_TESTS_ADJOINT_FIND_ORBIT_H
#define GRADYN_TESTS_ADJOINT_FIND_ORBIT_H

#include <gradyn/gradyn.h>

/* An evaluator of its own; method NULL, t_end 0: the problem's. The test fails if there is none. */
gradyn_evaluator *orbit_open(const gradyn_problem *problem, const char *method, double t_end);

/* The orbit; the test fails if there is none. */
void orbit_find(gradyn_evaluator *ev, const double *rho, const gradyn_orbit_spec *spec,
                gradyn_orbit *orbit);

/* The multipliers without the orbit's own, the one nearest to 1: sums of their products of one, two,
 * three. */
void orbit_symmetric_sums(const gradyn_orbit *orbit, double sum[3]);

#endif
