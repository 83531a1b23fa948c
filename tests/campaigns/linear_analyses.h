/* Analyses of drawn chains of masses, springs and dampers, at rest, next to it or in motion, whose
 * derivatives are those of exp(A t): what is said of them, and whether that is true. */
#ifndef GRADYN_TESTS_CAMPAIGNS_LINEAR_ANALYSES_H
#define GRADYN_TESTS_CAMPAIGNS_LINEAR_ANALYSES_H

#include <stdint.h>

typedef struct linear_tally {
  long systems, analyses;
  long alarms;   /* with a warning, or a failure */
  long wrong;    /* of those with derivatives as exact as asked for all the same */
  long cautious; /* the same of idas, whose estimates are those of the run before */
  long silent;   /* ten times less exact, without a word */
} linear_tally;

/* Draws a chain and asks for its analyses by all methods; prints what is wrong or silent. */
void linear_analyses(uint64_t seed, linear_tally *t);

#endif
