/* A block that a spring pulls over a floor, with friction that may have kinks, and an independent program
 * of the same motion, which ends its steps at the kinks. */
#ifndef GRADYN_TESTS_RUBBING_BLOCK_H
#define GRADYN_TESTS_RUBBING_BLOCK_H

#include <gradyn/gradyn.h>

/* Brown and McPhee's law is smooth; that by Gonthier et al. has kinks where bristles begin to stick or
 * slip; the last one is proportional to the velocity up to its transition and constant beyond. */
typedef enum rubbing_law {
  RUBBING_SMOOTH,
  RUBBING_GONTHIER,
  RUBBING_BENT,
  RUBBING_LAWS
} rubbing_law;

/* Position at the end, integral of its square, the largest velocity. */
typedef enum rubbing_functional {
  RUBBING_END,
  RUBBING_INTEGRAL,
  RUBBING_MAXIMUM,
  RUBBING_FUNCTIONALS
} rubbing_functional;

enum { RUBBING_PARAMETERS = 3 };

/* Settings "law" and "functional" choose the friction and the only functional. */
extern const gradyn_problem rubbing_block;

/* The functional and its gradient by complex step. */
double rubbing_exact(rubbing_law law, rubbing_functional functional,
                     const double rho[RUBBING_PARAMETERS], double gradient[RUBBING_PARAMETERS]);

#endif
