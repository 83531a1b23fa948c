/* The linear-quadratic regulator (LQR) along a run: gains K(t) and cost-to-go P(t) for small deviations dx
 * of the state. Signals counteract them by du, to second order:
 *
 *     J = int (dx^T Q dx + du^T R du) dt + dx(T)^T Qf dx(T),   du = -K dx,   least J = dx^T P dx.
 *
 * P follows backwards in time from the Riccati equation, with A(t) and B(t) of the motion on the manifold
 * of its constraints. Saltation matrices take P across events. */
#ifndef GRADYN_REGULATOR_H
#define GRADYN_REGULATOR_H

#include <gradyn/evaluate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A matrix of weights with the names of its rows. Names are those of columns of trajectories, such as "2.x"
 * or "2.vx", of differential states of general equations, or of signals. */
typedef struct gradyn_weights {
  const char *const *name; /* [count] names of the rows and columns; may be NULL if count is 0 */
  size_t count;            /* number of rows, below 10000; 0: no weights */
  /* [count][count], symmetric; unit of the cost over the product of both units */
  const double *matrix;
} gradyn_weights;

/* Weights and inputs of a regulator. */
typedef struct gradyn_regulator_spec {
  gradyn_weights state; /* Q, positive semidefinite, unit of the cost per s */
  gradyn_weights final; /* Qf, positive semidefinite; count 0: none */
  /* R, positive definite: its signals are the inputs, unit of the cost per s */
  gradyn_weights input;
  /* [wanted_count] coordinates of a mechanism that are independent in each mode where constraints allow it;
   * NULL: all are chosen */
  const char *const *preferred_coordinates;
  size_t preferred_count; /* number of these coordinates; 0: all are chosen */
  /* Rows at this number of equally spaced times, at least 2; 0: at every step, and on both sides of every
   * event */
  size_t samples;
} gradyn_regulator_spec;

/* Gains and cost-to-go along a run. Deviations dx are those of independent coordinates and their rates, or
 * of all differential states of general equations. Entries of coordinates that are not independent at a
 * time are zero. The equations above are valid for each dx that satisfies the constraints. The arrays
 * belong to the struct. */
typedef struct gradyn_regulator {
  size_t rows;            /* number of times */
  size_t states;          /* number of deviations dx */
  size_t inputs;          /* number of signals in R */
  char (*state)[64];      /* [states] names of the deviations */
  char (*state_unit)[24]; /* [states] units of the deviations */
  char (*input)[64];      /* [inputs] names of the signals */
  char (*input_unit)[24]; /* [inputs] units of the signals */
  double *t;              /* [rows] times, s */
  double *x;              /* [rows][states] values of the run, each in its unit */
  double *u;              /* [rows][inputs] signals of the run, each in its unit */
  double *gain;           /* [rows][inputs][states] K, unit of the input over that of the state */
  double *cost; /* [rows][states][states] P, unit of the cost over the product of both units */
} gradyn_regulator;

/* Simulates at rho [parameters] with the method of the evaluator and integrates the Riccati equation
 * backwards. rho may be NULL if there are no parameters. Release *out with gradyn_regulator_clear() in
 * any case. Errors: GRADYN_INVALID: an argument is NULL, a name is unknown, or a matrix is not
 * symmetric or definite as required. GRADYN_INVALID also if the constraints of all modes relate the
 * requested coordinates. GRADYN_UNSUPPORTED: a signal moves constraints, or the time of an event that
 * changes the motion. GRADYN_NON_FINITE: P is not finite. GRADYN_NO_MEMORY. The others are those of
 * gradyn_evaluator_simulate(). */
GRADYN_API gradyn_status gradyn_regulator_compute(gradyn_evaluator *evaluator, const double rho[],
                                                  const gradyn_regulator_spec *spec,
                                                  gradyn_regulator *out);

/* Releases the arrays of a regulator and sets all members to zero; NULL is ignored. */
GRADYN_API void gradyn_regulator_clear(gradyn_regulator *regulator);

#ifdef __cplusplus
}
#endif

#endif
