/* The simplest walking model of Garcia, Chatterjee, Ruina and Coleman (1998), a hip's mass on two massless
 * legs: an independent integration, in complex arithmetic. */
#ifndef GRADYN_TESTS_REFERENCE_SIMPLEST_WALKER_H
#define GRADYN_TESTS_REFERENCE_SIMPLEST_WALKER_H

/* Its gait near z = (theta, theta') behind an impact, of the standing leg from the slope's normal, where
 * lengths are in legs and times in sqrt(leg/g): z is brought onto it. D: of a step by z; returns its
 * time. */
double simplest_walker(double slope, double z[2], double D[2][2]);

/* z behind the next impact, which comes at about `time`. */
void simplest_walker_stride(double slope, double time, double z[2]);

#endif
