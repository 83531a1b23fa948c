/* DOP853 written by hand for the five-bar linkage only: the reference for the cost of generality in
 * gradyn's method `explicit`. Fixed steps, index-1 accelerations in the points' coordinates, no projection
 * (constraints drift by 1e-8 in 5 s). */
#ifndef HAND_EXPLICIT_FIVE_BAR_H
#define HAND_EXPLICIT_FIVE_BAR_H

#include "bench/hand/lanes.h"

enum { HAND_STAGES = 12 };

/* A stage: position, velocity, acceleration, forces along the rods. */
typedef struct hand_stage {
  double q[RAW_Q], v[RAW_Q], a[RAW_Q], lam[RAW_RODS];
} hand_stage;

/* Integrates `steps` steps of h, s; stages: [steps][HAND_STAGES] to keep them, or NULL. psi
 * [RAW_FUNCTIONALS]. */
bool hand_explicit_march(double h, int steps, hand_stage *stages, double psi[]);

/* The same simulation, then its discrete adjoint. */
bool hand_explicit_adjoint(double h, int steps, hand_stage *stages, double psi[],
                           double gradient[RAW_FUNCTIONALS][RAW_PARAMETERS]);

#endif
