/* Optima of shipped problems of optimal control, from their default starts. */
#ifndef GRADYN_TESTS_CONTROL_OPTIMA_H
#define GRADYN_TESTS_CONTROL_OPTIMA_H

#include "tests/runs.h"

typedef struct control_optimum {
  const gradyn_problem *problem;
  double
      objective; /* of direct collocation with the same knots, by another program (bench/control.py), or in
                     * closed form */
  double within;       /* part of it that limits and their tolerances may make of it; 0: 1e-7 */
  const char *setting; /* NULL: none */
  int value;
  long segments; /* 0: it is not found there, or not soon */
  double
      published; /* what freer controls reach, to so many digits; 0: not known of the same problem */
  double above;  /* part of it by which the knots may miss that */
} control_optimum;

enum { CONTROL_OPTIMA = 12 };
extern const control_optimum control_optima[CONTROL_OPTIMA];

/* Searches with default settings, in so many segments, 0: in one piece; passes if the optimum is found. */
void control_find(const control_optimum *of, const char *algorithm, long segments);

#endif
