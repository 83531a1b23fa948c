/* Covariance of the states during a run, to first order, from a covariance C of parameters or initial
 * values. With the derivatives Y = dy/d(sources) of the states it is Y C Y^T. Saltation matrices take it
 * across events. */
#ifndef GRADYN_COVARIANCE_H
#define GRADYN_COVARIANCE_H

#include <gradyn/evaluate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The uncertain sources and their covariance. */
typedef struct gradyn_covariance_spec {
  const char *const *name; /* [count] parameters, or data such as the initial value "ball.x" */
  size_t count;            /* number of sources, 1 to 10000 */
  /* [count][count] C, symmetric, positive semidefinite; product of both units */
  const double *matrix;
  /* Rows at this number of equally spaced times, 1: at the end only; 0: at every step, and on both sides of
   * every event */
  size_t samples;
} gradyn_covariance_spec;

/* Covariances of states and functionals as products F F^T, which are exactly positive semidefinite. The
 * columns of F are tangents of the constraints. States are coordinates and velocities of a mechanism, or
 * all states of general equations: the first columns of trajectories. The arrays belong to the struct. */
typedef struct gradyn_covariance {
  size_t rows;        /* number of times */
  size_t states;      /* number of states */
  size_t rank;        /* rank of C, the number of columns of F */
  char (*name)[64];   /* [states] names, such as "ball.x" */
  char (*unit)[24];   /* [states] units */
  double *t;          /* [rows] times, s */
  double *factor;     /* [rows][states][rank] F at each time, each row in the unit of its state */
  size_t functionals; /* number of functionals */
  double *functional; /* [functionals][rank] F of the functionals, each row in its unit */
} gradyn_covariance;

/* Simulates at rho [parameters] with direct sensitivities and computes the covariances of states and
 * functionals. rho may be NULL if there are no parameters. Fills psi [functionals], each in its unit, and
 * the trajectory of the same run; both may be NULL. Release *out with gradyn_covariance_clear() in any
 * case. Errors: GRADYN_INVALID: an argument is NULL, a name is unknown or repeated, or the matrix is no
 * covariance. GRADYN_UNSUPPORTED: the method has no direct sensitivities. GRADYN_NON_FINITE: an entry is
 * not finite. GRADYN_NO_MEMORY. A failed run returns its own status. */
GRADYN_API gradyn_status gradyn_covariance_compute(gradyn_evaluator *evaluator, const double rho[],
                                                   const gradyn_covariance_spec *spec, double psi[],
                                                   gradyn_trajectory *trajectory,
                                                   gradyn_covariance *out);

/* Releases the arrays of a covariance and sets all members to zero; NULL is ignored. */
GRADYN_API void gradyn_covariance_clear(gradyn_covariance *covariance);

/* Returns the covariance of states i and j in a row, all counted from 0, in the product of their units. NAN
 * if there is no such row or state. */
GRADYN_API double gradyn_covariance_entry(const gradyn_covariance *covariance, size_t row, size_t i,
                                          size_t j);

/* Returns the standard deviation of functional f, counted from 0, in its unit. NAN if there is no such
 * functional. */
GRADYN_API double gradyn_covariance_functional(const gradyn_covariance *covariance, size_t f);

#ifdef __cplusplus
}
#endif

#endif
