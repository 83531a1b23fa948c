/* x'' = -k x from (a, b), off a wall at x = 0 with restitution e, over T: a sine of amplitude A = sqrt(a^2 +
 * b^2/k), after the wall one of e A. With functionals of all kinds, as equations and as a mechanism, and all
 * of them in closed form. */
#ifndef GRADYN_TESTS_SPRING_AND_WALL_H
#define GRADYN_TESTS_SPRING_AND_WALL_H

#include <gradyn/gradyn.h>

enum { WALL_X, WALL_V, WALL_K, WALL_E, WALL_T, WALL_PARAMETERS };

/* The first ones alone without the wall: those of smooth runs. */
enum {
  WALL_INTEGRAL,
  WALL_END,
  WALL_TIMED,
  WALL_SMOOTH,  /* smooth maximum of x */
  WALL_FINAL,   /* the end time */
  WALL_SQUARES, /* mean square of x; of equations as an integral */
  WALL_PLAIN,
  WALL_BEFORE = WALL_PLAIN, /* v before the impact, */
  WALL_AFTER,               /* and after it */
  WALL_INSTANT,             /* of the impact */
  WALL_INSIDE,              /* maxima: between steps, */
  WALL_AT_EVENT,
  WALL_AT_START,
  WALL_AT_END,
  WALL_AT_BEND, /* of a signal, */
  WALL_AT_JUMP, /* of another one */
  WALL_OVER,    /* the lower and the upper side of a path constraint on x */
  WALL_UNDER,
  WALL_FUNCTIONALS
};

extern const gradyn_problem wall_equations, wall_mechanism, wall_smooth_equations,
    wall_smooth_mechanism;

/* psi; and the state (x, v) at t, before or after the impact. */
void wall_functionals(const double _Complex p[], double _Complex psi[]);
void wall_smooth_functionals(const double _Complex p[], double _Complex psi[]);
void wall_state(const double _Complex p[], double t, bool wall, double _Complex state[2]);

#endif
