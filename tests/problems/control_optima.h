/* Optima of shipped problems of optimal control, from their own starts. */
#ifndef GRADYN_TESTS_CONTROL_OPTIMA_H
#define GRADYN_TESTS_CONTROL_OPTIMA_H

#include <gradyn/problem.h>

typedef struct control_optimum {
  const gradyn_problem *problem;
  double
      objective; /* of direct collocation with the same knots, by another program (bench/control.py), or in
                     * closed form */
  double
      published; /* what freer controls reach, to so many digits; 0: not known of the same problem */
  double above;  /* part of it by which the knots may miss that */
} control_optimum;

enum { CONTROL_OPTIMA = 8, CONTROL_GODDARD = 7 };
extern const control_optimum control_optima[CONTROL_OPTIMA];

/* Searches with default settings, in so many segments, 0: in one piece; passes if the optimum is found. */
void control_find(const control_optimum *of, const char *algorithm, long segments);

#endif
