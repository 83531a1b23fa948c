/* A body whose base vectors, or points instead of them, are arguments of every kind of users' functions:
 * forces, constraints, functionals, guards, resets, measures. */
#ifndef GRADYN_TESTS_ADJOINT_SEEN_BODIES_H
#define GRADYN_TESTS_ADJOINT_SEEN_BODIES_H

#include <gradyn/gradyn.h>

enum { SEEN_DRAG, SEEN_ARM, SEEN_SPIN, SEEN_LEVEL, SEEN_PARAMETERS };
enum { SEEN_END, SEEN_INTEGRAL, SEEN_TURNED, SEEN_PUSHED, SEEN_TIME, SEEN_FUNCTIONALS };

/* The kind of function that loses a part of a derivative. */
typedef enum seen_kind {
  SEEN_NONE,
  SEEN_FORCE,
  SEEN_CONSTRAINT,
  SEEN_FUNCTIONAL,
  SEEN_GUARD,
  SEEN_RESET,
  SEEN_MEASURE,
  SEEN_KINDS
} seen_kind;
extern seen_kind seen_lossy;

/* Settings: "axes", 2 or 3; "helpers", 1: points in place of base vectors. */
gradyn_problem seen_bodies(const char *coordinates);

#endif
