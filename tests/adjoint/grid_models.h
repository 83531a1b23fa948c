/* A ball with two thrusters, on a spring, that meets a moving slope or a rope. Events of each kind change its
 * constraints. The model is given as a problem, and by hand: rates, guards and jumps in complex arithmetic,
 * so that all derivatives come by complex steps. */
#ifndef GRADYN_TESTS_ADJOINT_GRID_MODELS_H
#define GRADYN_TESTS_ADJOINT_GRID_MODELS_H

#include <complex.h>

#include <gradyn/gradyn.h>

typedef double complex grid_number;

enum { GRID_STATES = 4, GRID_INPUTS = 2, GRID_MOST_EVENTS = 2 };

/* What holds the ball; ends of arcs; jumps. */
typedef enum grid_mode {
  GRID_FREE,
  GRID_SLOPE,   /* slides on it */
  GRID_STUCK,   /* on it, where it has landed */
  GRID_GRIPPED, /* wherever it was, and moves as the slope does */
  GRID_ROPE
} grid_mode;
typedef enum grid_guard {
  GRID_TOUCHES,
  GRID_TIGHT,
  GRID_EDGE,
  GRID_SLACK,
  GRID_CLOCK,
  GRID_NEARS /* a bounce: touches the slope and returns with the restitution */
} grid_guard;

/* A course of events. */
typedef struct grid_case {
  const char *name;
  int number; /* of the problem's setting */
  double start[GRID_STATES];
  double t_end;
  int events;
  grid_guard guard[GRID_MOST_EVENTS];
  grid_mode mode[GRID_MOST_EVENTS + 1]; /* of the arcs */
} grid_case;

enum {
  GRID_BOUNCE,
  GRID_LANDING,
  GRID_STICKING,
  GRID_LIFT_OFF,
  GRID_SWING,
  GRID_GRIP,
  GRID_LAW, /* a bounce by a law of its own, a reset */
  GRID_CASES
};
extern const grid_case grid_cases[GRID_CASES];

/* Parameters are the initial x, y, vx, vy in m and m/s; of the ball that begins on the slope the place along
 * it and the rate of that, the first and the third. Signals "ux", "uy", both zero. Setting "case". */
extern const gradyn_problem grid_problem;

/* By hand. z = (x, y, vx, vy). */
void grid_start(const grid_case *c, const grid_number rho[], grid_number z[]);
void grid_rates(grid_mode mode, double t, const grid_number z[], const grid_number u[],
                grid_number zp[]);
grid_number grid_guard_value(grid_guard guard, grid_number t, const grid_number z[]);
/* z+ behind event k of a course. */
void grid_jump(const grid_case *c, int k, grid_number t, const grid_number z[], grid_number zp[]);
/* Columns T [count][4] that span what constraints and captured data leave of disturbances; their number. */
int grid_tangents(grid_mode mode, const double z[], double T[GRID_STATES][GRID_STATES]);

#endif
