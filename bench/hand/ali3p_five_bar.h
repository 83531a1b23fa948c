/* The ALI3-P scheme written by hand for the five-bar linkage only: the reference for the cost of gradyn's
 * generality. Same discrete equations as gradyn's method `ali3p` (trapezoidal rule, exact projections,
 * functionals by the trapezoidal rule), so both give the same numbers. */
#ifndef HAND_ALI3P_FIVE_BAR_H
#define HAND_ALI3P_FIVE_BAR_H

#include "bench/hand/five_bar_equations.h"

/* State at one time, and the data of the step before it that the adjoint needs. */
typedef struct hand_node {
  double q[RAW_Q], v[RAW_Q], a[RAW_Q];     /* points 1, 2, 3; m, m/s, m/s^2 */
  double lam[RAW_RODS];                    /* N/m */
  double sigma[RAW_RODS], kappa[RAW_RODS]; /* multipliers of the projections */
  double w1[2], u1[2];                     /* changes at point 1 by the projections */
} hand_node;

typedef struct hand_counts {
  long steps, iterations;
} hand_counts;

/* Integrates `steps` steps of h, s, from the initial state of the mechanism; Newton's corrections end below
 * `tolerance`, m. nodes: [steps + 1] to keep all of them, or NULL. psi [RAW_FUNCTIONALS]. False if Newton's
 * method fails. */
bool hand_march(double h, int steps, double tolerance, hand_node *nodes, double psi[],
                hand_counts *counts);

/* The same simulation, then the discrete adjoint of the scheme backwards over nodes [steps + 1]. */
bool hand_adjoint(double h, int steps, double tolerance, hand_node *nodes, double psi[],
                  double gradient[RAW_FUNCTIONALS][RAW_PARAMETERS]);

#endif
