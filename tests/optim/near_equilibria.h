/* Twelve problems of control that begin at an equilibrium, or near it: states, rates and the sizes for
 * tolerances consist of round-off there. */
#ifndef GRADYN_TESTS_OPTIM_NEAR_EQUILIBRIA_H
#define GRADYN_TESTS_OPTIM_NEAR_EQUILIBRIA_H

#include <stdbool.h>
#include <stdint.h>

#include <gradyn/gradyn.h>

enum { NEAR_KNOTS = 5, NEAR_STATES = 4, NEAR_PARAMETERS = NEAR_KNOTS + NEAR_STATES };

extern const gradyn_problem near_equilibria[];
extern const size_t near_equilibria_count;

/* What became of a start. */
typedef struct near_outcome {
  gradyn_status status; /* of the search */
  double objective;
  long rejected;    /* trial points that failed */
  long steps;       /* of a gradient at the start */
  double apart;     /* of the start's gradients by `idas` and `explicit`, over their size */
  double told;      /* what a warning says these miss, at most */
  char reason[256]; /* of a failure */
} near_outcome;

/* Searches problem i by a method from a start that a seed stands for: its states are 1e-18 to 1e-6 of their
 * sizes off the equilibrium, or not at all, and so are its controls; seed 0: controls far off, states at
 * the equilibrium. compare: gradients at the start, too. */
near_outcome near_equilibrium_search(size_t i, const char *method, uint64_t seed, bool compare);

#endif
