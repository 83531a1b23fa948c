/* Statics: degrees of freedom of mechanisms, equilibria, and linearised models. */
#ifndef GRADYN_STATICS_H
#define GRADYN_STATICS_H

#include <gradyn/evaluate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Degrees of freedom of a mechanism, from the rank of its constraints. */
typedef struct gradyn_dof {
  /* Positions that are free near the initial position; velocity-level constraints do not count */
  int degrees;
  int at_start; /* the same in the initial position itself; more than `degrees`: it is singular */
  bool
      first_order_only; /* no position near the initial one: the mechanism moves to first order only */
  int redundant_constraints; /* number of redundant constraints */
  int rates; /* velocities that are free; fewer than `degrees` with nonholonomic constraints */
} gradyn_dof;

/* Solves for the initial position at rho [parameters] and counts degrees of freedom. Writes the numbers of
 * redundant constraints, ascending, to the first out->dependents entries of dependent [constraints], with
 * the `constraints` of gradyn_evaluator_model_info(). `dependent` may be NULL. Errors: GRADYN_UNSUPPORTED:
 * the model is no mechanism. GRADYN_INVALID: an argument is NULL or a parameter is not finite.
 * GRADYN_NOT_ASSEMBLED: there is no initial position. GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_dof_compute(gradyn_evaluator *evaluator, const double rho[],
                                            gradyn_dof *out, int dependent[]);

/* Returns the name of a constraint of the motion by its number, counted from 0; "" if there is none. Never
 * NULL. The text lives as long as the evaluator. */
GRADYN_API const char *gradyn_constraint_name(const gradyn_evaluator *evaluator, int constraint);

/* --- Equilibrium and linearisation --------------------------------------------------------------- */

/* The motion of a model at the state of a linearisation. */
typedef enum gradyn_operating_point {
  GRADYN_EQUILIBRIUM, /* equilibrium: all positions or states are constant */
  /* Steady motion of a mechanism: it moves and turns as a whole, and bodies turn about their centres. The
   * equations do not change along that motion. A and B are constant, for changes that move with it. */
  GRADYN_STEADY_MOTION,
  GRADYN_TRANSIENT /* transient: A and B are valid at that time only */
} gradyn_operating_point;

/* A linearised model for small changes from a state, with signals u as inputs, each changed as a whole.
 *
 *   (y, w, z)' = A (y, w, z) + B u,      q = Z (y, z).
 *
 * A mechanism has independent coordinates y (joint coordinates first), independent rates w, and first-order
 * states z of controllers. The rates are those of the coordinates y; nonholonomic constraints reduce their
 * number. General equations have differential states z only. Here q are all coordinates, with first-order
 * states instead of their integrals, or all states of general equations. The arrays belong to the struct;
 * size = freedom + rates + states. */
typedef struct gradyn_linearisation {
  double t;                      /* time of the state, s */
  gradyn_operating_point motion; /* whether A and B are constant */
  char unsteady[160]; /* of a transient: the coordinate or constraint that is not steady; else "" */
  int n;              /* entries of q */
  int dof;            /* entries of y */
  int rates;          /* entries of w */
  int states;         /* entries of z */
  int inputs;         /* signals u */
  int *coordinate;    /* [freedom] of y: columns of trajectories */
  int *rate;  /* [rates] of w: the coordinates with these rates, as columns of trajectories */
  int *state; /* [states] of z: columns of trajectories */
  double *Z;  /* [freedom + states][n], unit of q over that of y or z */
  double *A;  /* [size][size], unit of the row over that of the column and s */
  double *B;  /* [size][inputs], unit of the row over that of the signal and s */
  double *real, *imag; /* [size] eigenvalues of A, 1/s, the smallest magnitude first */
  double *shape; /* [size][2][n] eigenvectors: real and imaginary parts of q, the largest is 1 */
  /* Of mechanisms: least eigenvalue of the reduced stiffness relative to the reduced mass matrix, 1/s^2;
   * general equations: NAN, also below */
  double stiffness;
  double largest; /* largest magnitude of these eigenvalues, 1/s^2 */
} gradyn_linearisation;

/* Stability of an equilibrium without damping; with first-order states, from the eigenvalues of A
 * instead. */
typedef enum gradyn_stability {
  GRADYN_STABLE,  /* the reduced stiffness is positive definite */
  GRADYN_NEUTRAL, /* a motion without resistance: there are other equilibria near */
  GRADYN_UNSTABLE /* some small disturbances grow */
} gradyn_stability;

/* Finds a static equilibrium at rho [parameters], with forces, signals and prescribed motions at the
 * initial time. Fixed initial conditions do not apply. A mechanism moves from its initial position by
 * pseudo-transient continuation, an overdamped motion without inertia. General equations and first-order
 * states follow the motion from the initial state; if that diverges, Newton's method is used. Fills
 * *stability, a trajectory of one row with the state (NULL: not requested), and the linearisation at the
 * state (NULL: not requested). Release *linear with gradyn_linearisation_clear() in any case. Errors:
 * GRADYN_NOT_CONVERGED: no equilibrium was found. GRADYN_UNSUPPORTED: the mechanism has nonholonomic
 * constraints. GRADYN_INVALID: an argument is NULL or a parameter is not finite. GRADYN_NOT_ASSEMBLED:
 * there is no initial position. GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_equilibrium_compute(gradyn_evaluator *evaluator, const double rho[],
                                                    gradyn_stability *stability,
                                                    gradyn_trajectory *trajectory,
                                                    gradyn_linearisation *linear);

/* Linearises a model at rho [parameters] about the initial state, or with at_end about the state at the end
 * of a run. Release *out with gradyn_linearisation_clear() in any case. Errors: GRADYN_INVALID: an argument
 * is NULL, a parameter is not finite, or a callback is not complex-differentiable. GRADYN_NOT_ASSEMBLED:
 * there is no initial position. GRADYN_NOT_CONVERGED: the eigenvalues of A were not found.
 * GRADYN_NO_MEMORY. With at_end also those of gradyn_evaluator_simulate(). */
GRADYN_API gradyn_status gradyn_evaluator_linearise(gradyn_evaluator *evaluator, const double rho[],
                                                    bool at_end, gradyn_linearisation *out);

/* Releases the arrays of a linearisation and sets all members to zero; NULL is ignored. */
GRADYN_API void gradyn_linearisation_clear(gradyn_linearisation *linear);

/* Writes the name of a coordinate or state, given by its column in trajectories, to buffer [size], for
 * example "2.x". The text is "" if there is no such column. Returns the buffer, or a static "" if it is
 * NULL or its size is 0; never NULL. */
GRADYN_API const char *gradyn_coordinate_name(const gradyn_evaluator *evaluator, int coordinate,
                                              char *buffer, size_t size);

/* Returns whether a coordinate or state, given by its column in trajectories, is internal to the library,
 * as gradyn_trajectory_internal() does. False if there is no such column. */
GRADYN_API bool gradyn_coordinate_internal(const gradyn_evaluator *evaluator, int coordinate);

#ifdef __cplusplus
}
#endif

#endif
