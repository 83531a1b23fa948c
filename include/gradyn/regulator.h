/* The linear-quadratic regulator along a run: gains K(t) and cost-to-go P(t) for small deviations dx of
 * the state, countered by deviations du of signals,
 *     J = int (dx^T Q dx + du^T R du) dt + dx(T)^T Qf dx(T),   du = -K dx,   least J = dx^T P dx,
 * to second order. P goes backward by the Riccati equation with the matrices A(t), B(t) of the motion on
 * the manifold of its constraints, and across events by their saltation matrices. */
#ifndef GRADYN_REGULATOR_H
#define GRADYN_REGULATOR_H

#include <gradyn/evaluate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Weights under the names of what they weigh: states as columns of trajectories are called, "2.x" or "2.vx",
 * differential ones of general equations; or signals. */
typedef struct gradyn_weights {
  const char *const *name; /* [count] */
  size_t count;
  const double *matrix; /* [count][count] symmetric; cost over the product of the units */
} gradyn_weights;

typedef struct gradyn_regulator_spec {
  gradyn_weights state; /* Q, positive semidefinite */
  gradyn_weights final; /* Qf, likewise; count 0: none */
  gradyn_weights input; /* R, positive definite: the signals that may counter */
  const char *const
      *wanted; /* [wanted_count] coordinates of a mechanism that are to be independent wherever a
                  mode leaves them so; others follow from the constraints */
  size_t wanted_count;
  size_t
      samples; /* rows at so many equally spaced times, 2 or more; 0: every step, and both sides of
                     every event */
} gradyn_regulator_spec;

/* Deviations dx are those of independent coordinates and their rates, or of all differential states of
 * general equations. Where other coordinates have to take over, or a mode has constraints that tie some of
 * them, entries of those that are not independent then are zero: du = -K dx and dx^T P dx hold for every dx
 * that the constraints allow. Arrays are owned. */
typedef struct gradyn_regulator {
  size_t rows, states, inputs;
  char (*state)[64], (*state_unit)[24]; /* [states] */
  char (*input)[64], (*input_unit)[24]; /* [inputs] */
  double *t;                            /* [rows] s */
  double *x;                            /* [rows][states] of the run, about which they deviate */
  double *u;                            /* [rows][inputs] */
  double *gain;                         /* [rows][inputs][states] K */
  double *cost;                         /* [rows][states][states] P */
} gradyn_regulator;

/* Simulates at rho [parameters] with the evaluator's method and sweeps back. Clear the result in any case.
 * GRADYN_INVALID: a name is unknown, a matrix is none of weights, or the constraints of all modes tie those
 * wanted together; GRADYN_UNSUPPORTED: a signal moves constraints, or the time of an event behind which the
 * motion is another one. */
GRADYN_API gradyn_status gradyn_regulator_find(gradyn_evaluator *evaluator, const double rho[],
                                               const gradyn_regulator_spec *spec,
                                               gradyn_regulator *out);
GRADYN_API void gradyn_regulator_clear(gradyn_regulator *regulator);

#ifdef __cplusplus
}
#endif

#endif
