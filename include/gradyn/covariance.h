/* Covariance along a run: how far the states scatter, to first order, where parameters or initial
 * values do. With what the states become along these, Y = dy/d(source), it is Y C Y^T. Events are
 * passed with their saltation matrices. */
#ifndef GRADYN_COVARIANCE_H
#define GRADYN_COVARIANCE_H

#include <gradyn/evaluate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What scatters, and how. */
typedef struct gradyn_covariance_spec {
  const char *const *name; /* [count] parameters, or data such as the initial value "ball.x" */
  size_t count;
  const double *matrix; /* [count][count] C, symmetric and positive semidefinite */
  size_t
      samples; /* rows at so many equally spaced times, 1: at the end; 0: every step of the run, and
                     both sides of every event */
} gradyn_covariance_spec;

/* The covariance as a product, so that it is positive semidefinite to the last bit, and its vectors
 * are tangents of the constraints: F F^T with F = [states][rank] at each time. States are the
 * coordinates of a mechanism and their velocities, or all states of general equations: the first columns of
 * trajectories. Arrays are owned. */
typedef struct gradyn_covariance {
  size_t rows, states, rank;
  char (*name)[64]; /* [states] such as "ball.x" */
  char (*unit)[24]; /* [states] */
  double *t;        /* [rows] s */
  double *factor;   /* [rows][states][rank] */
  size_t functionals;
  double *functional; /* [functionals][rank]: the covariance of functionals is its product */
} gradyn_covariance;

/* Simulates at rho [parameters] with the evaluator's method and its direct sensitivities. psi [functionals]
 * and trajectory, of the same run, may be NULL. Clear the result in any case. GRADYN_INVALID: a
 * name is unknown or there twice, or the matrix is none of a covariance. */
GRADYN_API gradyn_status gradyn_covariance_find(gradyn_evaluator *evaluator, const double rho[],
                                                const gradyn_covariance_spec *spec, double psi[],
                                                gradyn_trajectory *trajectory,
                                                gradyn_covariance *out);
GRADYN_API void gradyn_covariance_clear(gradyn_covariance *covariance);

/* Entry of the covariance matrix in a row: of two states. NAN: there is no such row or state. */
GRADYN_API double gradyn_covariance_entry(const gradyn_covariance *covariance, size_t row, size_t i,
                                          size_t j);
/* Standard deviation of a functional. NAN: there is none of that number. */
GRADYN_API double gradyn_covariance_functional(const gradyn_covariance *covariance, size_t f);

#ifdef __cplusplus
}
#endif

#endif
