/* Expected results of the analyses of the grid, integrated by hand: states, transition matrices and
 * cost-to-go in x, y and their rates under any constraint, with saltation matrices at events. */
#ifndef GRADYN_TESTS_ADJOINT_GRID_REFERENCE_H
#define GRADYN_TESTS_ADJOINT_GRID_REFERENCE_H

#include "tests/adjoint/grid_models.h"

enum { GRID_SAMPLES = 9, GRID_NODES = GRID_SAMPLES + 2 * GRID_MOST_EVENTS };

typedef double grid_matrix[GRID_STATES][GRID_STATES];

/* Weights of the regulator, diagonals. */
extern const double grid_Q[GRID_STATES], grid_Qf[GRID_STATES], grid_R[GRID_INPUTS];

typedef struct grid_node {
  double t;
  int arc, sample; /* its number; -1: a side of an event */
  double z[GRID_STATES];
  grid_matrix Y, P;                   /* dz/dz(0); cost-to-go */
  double K[GRID_INPUTS][GRID_STATES]; /* gains */
} grid_node;

typedef struct grid_reference {
  grid_node node[GRID_NODES];
  int count;
  double start[GRID_STATES][GRID_STATES]; /* dz(0)/drho */
  double tau[GRID_MOST_EVENTS];
  grid_matrix Xi[GRID_MOST_EVENTS];
  int before[GRID_MOST_EVENTS]; /* node before each event */
} grid_reference;

/* Runge-Kutta's method of order 4, in steps far shorter than those of any method. */
void grid_integrate(const grid_case *c, grid_reference *out);

#endif
