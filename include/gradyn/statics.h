/* Mechanisms at rest: how many ways they can move, where they are in equilibrium. */
#ifndef GRADYN_STATICS_H
#define GRADYN_STATICS_H

#include <gradyn/evaluate.h>

/* Degrees of freedom by the rank of the constraints. */
typedef struct gradyn_freedom {
  int degrees;    /* in a position near the initial one */
  int at_start;   /* in the initial position itself: if there are more, it is singular */
  bool first;     /* there is no position near it: it can move to first order only */
  int dependents; /* constraints that follow from others */
} gradyn_freedom;

/* Solves the initial position at rho and counts. dependent [constraints of gradyn_model_describe()]: numbers
 * of constraints that follow from others, ascending, of which out->dependents are filled; may be NULL.
 * GRADYN_UNSUPPORTED: the model is no mechanism. */
GRADYN_API gradyn_status gradyn_count_freedom(gradyn_evaluator *evaluator, const double rho[],
                                              gradyn_freedom *out, int dependent[]);

/* Name of a constraint of the motion by its number; "" if there is none. */
GRADYN_API const char *gradyn_constraint_name(const gradyn_evaluator *evaluator, int constraint);

/* --- Equilibrium and linearisation --------------------------------------------------------------- */

/* A linearised mechanism: independent coordinates y, chosen among its own (joint coordinates first), their
 * rates, and the signals u, each raised as a whole, as inputs,
 *   (y, y')' = A (y, y') + B u        for small changes from a state,
 * in which all coordinates change by q = Z y. Arrays are owned. */
typedef struct gradyn_linearisation {
  double t;               /* s, of the state */
  int n, freedom, inputs; /* coordinates, of which independent; signals */
  int *coordinate;        /* [freedom] which: columns of trajectories */
  double *Z;              /* [freedom][n] */
  double *A;              /* [2 freedom][2 freedom] row by row */
  double *B;              /* [2 freedom][inputs] */
  double *real, *imag;    /* [2 freedom] eigenvalues of A, 1/s, those of least magnitude first */
  double *shape;    /* [2 freedom][2][n] modes: real and imaginary parts of q, 1 the largest */
  double stiffness; /* least eigenvalue of the reduced stiffness by the reduced masses, 1/s^2 */
  double largest;   /* and the largest magnitude among them */
} gradyn_linearisation;

/* What a mechanism does that is moved a little out of an equilibrium, damping apart. */
typedef enum gradyn_stability {
  GRADYN_STABLE,  /* the reduced stiffness is positive definite */
  GRADYN_NEUTRAL, /* some motion meets no resistance: other equilibria are near */
  GRADYN_UNSTABLE
} gradyn_stability;

/* Finds the static equilibrium to which the mechanism falls, through a fluid so thick that inertia does not
 * count, from its initial position at rho, under forces, signals and laws of motion at the initial time; what
 * is held is let go. The state, a trajectory of one step (NULL: not wanted), and the linearisation there, to
 * be cleared in any case (NULL: not wanted). GRADYN_NOT_CONVERGED: there is none. */
GRADYN_API gradyn_status gradyn_equilibrium(gradyn_evaluator *evaluator, const double rho[],
                                            gradyn_stability *stability,
                                            gradyn_trajectory *trajectory,
                                            gradyn_linearisation *linear);

/* Linearises about the initial state at rho, or about the one at the end of a run there. To be cleared in any
 * case. */
GRADYN_API gradyn_status gradyn_linearise(gradyn_evaluator *evaluator, const double rho[],
                                          bool at_end, gradyn_linearisation *out);
GRADYN_API void gradyn_linearisation_clear(gradyn_linearisation *linear);

/* Name of a coordinate as in trajectories, "2.x", in buffer [size], which is also returned; "" if there is
 * none. */
GRADYN_API const char *gradyn_coordinate_name(const gradyn_evaluator *evaluator, int coordinate,
                                              char *buffer, size_t size);

#endif
