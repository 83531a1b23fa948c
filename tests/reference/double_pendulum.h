/* A double pendulum of uniform rods in absolute angles with a wall: in the air, sliding on it and fixed to
 * it, Kong et al. (2023), section V, by hand, in complex numbers, so that all derivatives come by complex
 * step. */
#ifndef GRADYN_TESTS_REFERENCE_DOUBLE_PENDULUM_H
#define GRADYN_TESTS_REFERENCE_DOUBLE_PENDULUM_H

#include <complex.h>

typedef struct double_pendulum {
  double length[2], mass[2]; /* m, kg; the rods hang from the origin */
  double gravity;            /* m/s^2, down */
  double wall, restitution;  /* m, the tip stays on the left of x = wall */
  double still, kinetic;     /* coefficients of friction */
  double push, turn;         /* N, rad/s: a force on the tip, along x at first */
} double_pendulum;

typedef enum pendulum_mode { IN_AIR, SLIDING_DOWN, SLIDING_UP, STICKING } pendulum_mode;

/* Those of the problem double-pendulum-wall. */
typedef enum pendulum_guard { GAP, APEX, LIFT, REST, SLIP, SLIP_UP } pendulum_guard;

/* State (angles from straight down, counter-clockwise, and their rates) [4] to its rates in a mode, with the
 * forces f [2] of the face and the grip (NULL: not wanted), eqs. (66), (67). */
void double_pendulum_rates(const double_pendulum *p, pendulum_mode mode, double complex t,
                           const double complex y[4], double complex rate[4], double complex f[2]);

/* Places of elbow and tip, and their velocities: x, y, x', y' of each [8]. */
void double_pendulum_points(const double_pendulum *p, const double complex y[4],
                            double complex r[8]);

/* Xi = R_y + (F+ - R_y F-) r_y/(r_y F- + r_t) at a state [4][4]: elastic from the air to the air by the
 * gap, (70), plastic into other modes, (71). Extended off the constraints as the text has it. */
void double_pendulum_saltation(const double_pendulum *p, pendulum_mode before, pendulum_guard guard,
                               pendulum_mode behind, double t, const double y[4],
                               double matrix[16]);

/* A disturbance of angles and rates [4] as one of the points [8]. */
void double_pendulum_move(const double_pendulum *p, const double *y, const double *dz, double *dr);

/* Disturbance k of four that a mode allows, dz [4]: positions along the wall where the tip is on it, wherever
 * it sticks, and rates. */
void double_pendulum_tangent(const double_pendulum *p, pendulum_mode mode, const double *y, int k,
                             double *dz);

#endif
