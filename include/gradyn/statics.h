/* Models at rest: how many ways mechanisms can move, equilibria, small changes from a state. */
#ifndef GRADYN_STATICS_H
#define GRADYN_STATICS_H

#include <gradyn/evaluate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Degrees of freedom by the rank of the constraints. */
typedef struct gradyn_freedom {
  int degrees;    /* in a position near the initial one */
  int at_start;   /* in the initial position itself: if there are more, it is singular */
  bool first;     /* there is no position near it: it can move to first order only */
  int dependents; /* constraints that follow from others */
  int rates; /* velocities that are free: fewer than `degrees` where rows hold velocities alone */
} gradyn_freedom;

/* Solves the initial position at rho and counts. dependent [constraints of gradyn_model_describe()]: numbers
 * of constraints that follow from others, ascending, of which out->dependents are filled; may be NULL.
 * GRADYN_UNSUPPORTED: the model is no mechanism. */
GRADYN_API gradyn_status gradyn_count_freedom(gradyn_evaluator *evaluator, const double rho[],
                                              gradyn_freedom *out, int dependent[]);

/* Name of a constraint of the motion by its number; "" if there is none. */
GRADYN_API const char *gradyn_constraint_name(const gradyn_evaluator *evaluator, int constraint);

/* --- Equilibrium and linearisation --------------------------------------------------------------- */

/* What a model does about whose state it is linearised. */
typedef enum gradyn_steadiness {
  GRADYN_RESTING, /* nothing moves */
  /* A mechanism goes on as it does: all of it moves along and turns, bodies turn about their centres besides,
   * and nothing depends on what moves. A and B are constant: those of changes seen from what goes along. */
  GRADYN_STEADY,
  GRADYN_PASSING /* neither: A and B are those of the moment */
} gradyn_steadiness;

/* A linearised model: of a mechanism independent coordinates y, chosen among its own (joint coordinates
 * first), independent rates w, those of the same coordinates or, where rows of velocities alone hold, of as
 * many fewer of them, and first-order states z of controllers; of general equations differential states z.
 * Signals u, each raised as a whole, are inputs, and for small changes from a state
 *   (y, w, z)' = A (y, w, z) + B u,      q = Z (y, z),
 * q being all coordinates, with first-order states in the places of their integrals, or all states of general
 * equations, algebraic ones too. Arrays are owned; size = freedom + rates + states. */
typedef struct gradyn_linearisation {
  double t; /* s, of the state */
  gradyn_steadiness motion;
  char unsteady[160];         /* of one that passes: what is not steady, by name */
  int n;                      /* numbers of q */
  int freedom, rates, states; /* of y, of w, of z */
  int inputs;                 /* signals */
  int *coordinate;            /* [freedom] y: columns of trajectories */
  int *rate;                  /* [rates] w: the coordinates, among those, whose rates they are */
  int *state;                 /* [states] z, likewise */
  double *Z;                  /* [freedom + states][n] */
  double *A;                  /* [size][size] row by row */
  double *B;                  /* [size][inputs] */
  double *real, *imag;        /* [size] eigenvalues of A, 1/s, those of least magnitude first */
  double *shape;              /* [size][2][n] modes: real and imaginary parts of q, 1 the largest */
  double
      stiffness; /* of mechanisms, else NAN: least eigenvalue of the reduced stiffness by the reduced
                          masses, 1/s^2 */
  double largest; /* and the largest magnitude among them */
} gradyn_linearisation;

/* What a mechanism does that is moved a little out of an equilibrium, damping apart; where there are
 * first-order states, by the eigenvalues of A instead. */
typedef enum gradyn_stability {
  GRADYN_STABLE,  /* the reduced stiffness is positive definite */
  GRADYN_NEUTRAL, /* some motion meets no resistance: other equilibria are near */
  GRADYN_UNSTABLE
} gradyn_stability;

/* Finds the static equilibrium to which the mechanism falls, through a fluid so thick that inertia does not
 * count, from its initial position at rho, under forces, signals and laws of motion at the initial time;
 * what is held is let go. With first-order states, and of general equations, it is the one that the motion
 * from the initial state comes to, or, where that leads away, one that Newton's method finds from there. The
 * state, a trajectory of one step (NULL: not wanted), and the linearisation there, to be cleared in any case
 * (NULL: not wanted). GRADYN_NOT_CONVERGED: there is none. */
GRADYN_API gradyn_status gradyn_equilibrium(gradyn_evaluator *evaluator, const double rho[],
                                            gradyn_stability *stability,
                                            gradyn_trajectory *trajectory,
                                            gradyn_linearisation *linear);

/* Linearises about the initial state at rho, or about the one at the end of a run there. To be cleared in
 * any case. */
GRADYN_API gradyn_status gradyn_linearise(gradyn_evaluator *evaluator, const double rho[],
                                          bool at_end, gradyn_linearisation *out);
GRADYN_API void gradyn_linearisation_clear(gradyn_linearisation *linear);

/* Name of a coordinate, or of another state, as in trajectories, "2.x", by its column there, in buffer
 * [size], which is also returned; "" if there is none. */
GRADYN_API const char *gradyn_coordinate_name(const gradyn_evaluator *evaluator, int coordinate,
                                              char *buffer, size_t size);
/* Whether it is the library's own, as gradyn_trajectory_internal() says. */
GRADYN_API bool gradyn_coordinate_internal(const gradyn_evaluator *evaluator, int coordinate);

#ifdef __cplusplus
}
#endif

#endif
