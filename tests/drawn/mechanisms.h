/* Random mechanisms for campaigns: chains, loops, bodies and beams in the plane and in space, driven, damped,
 * pushed by signals, of any size and mass. A seed gives the same mechanism on every machine. */
#ifndef GRADYN_TESTS_CAMPAIGNS_MECHANISMS_H
#define GRADYN_TESTS_CAMPAIGNS_MECHANISMS_H

#include <stdint.h>

#include <gradyn/gradyn.h>

enum { MECHANISM_PARAMETERS = 8 };

/* Derivatives that a user may get wrong by the part `planted`. */
typedef enum mechanism_fault {
  FAULT_NONE,
  FAULT_VELOCITY,     /* Phi' of a constraint of the user's */
  FAULT_ACCELERATION, /* Phi'' */
  FAULT_BUILD,        /* build() loses a part of how a number depends on a parameter */
  FAULT_FUNCTIONAL,   /* a functional of the user's does so with the states */
  MECHANISM_FAULTS
} mechanism_fault;

/* What mechanism_problem builds: set it before an evaluator is created, and leave it while that lives. */
typedef struct mechanism {
  uint64_t seed;
  double metre, kilogram; /* factors of all lengths and masses */
  mechanism_fault fault;
  double planted;
} mechanism;

extern mechanism mechanism_drawn;

/* Its parameters are numbers around 1, on which about half of the data depend. Its time is that in which
 * things of its size fall by a few of their lengths. */
gradyn_problem mechanism_problem(void);

#endif
