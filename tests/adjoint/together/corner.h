/* A ball that flies into a corner: it meets floor and wall at one time. */
#ifndef GRADYN_TESTS_ADJOINT_CORNER_H
#define GRADYN_TESTS_ADJOINT_CORNER_H

#include <complex.h>
#include <gradyn/gradyn.h>

enum { X0, Y0, VX, VY, G, FLOOR, WALL, CORNER_P };
enum { END_X, END_Y, END_VX, END_VY, AT_FLOOR, AT_WALL, OFF_FLOOR, OFF_WALL, FALL, CORNER_F };

/* y = 1 + 0.45 t - 4.9 t^2 and x = 1 - 2 t are zero at t = 0.5 s; the run ends at 0.8 s. */
extern const double corner[CORNER_P];

/* What else there is. */
extern struct corner_setting {
  bool pendulum; /* a mechanism with constraints beside the ball */
  double drag;   /* N s^2/m^2, with the square of the speed: each motion knows of the other */
  bool product;  /* integral of vx vy, which has another value between the events in each order */
  bool pushed;   /* a signal that a regulator may use */
  bool taken;    /* a functional at one event that reads what the other one changes */
} corner_with;

extern const gradyn_problem corner_problem;

/* Functionals by parameters. */
void corner_closed_form(const double complex p[], double complex psi[]);

#endif
