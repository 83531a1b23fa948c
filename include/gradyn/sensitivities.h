/* Sensitivities of states by parameters at given times, for parameter identification; and costates, the
 * derivatives of functionals by states during a run. */
#ifndef GRADYN_SENSITIVITIES_H
#define GRADYN_SENSITIVITIES_H

#include <stdio.h>

#include <gradyn/evaluate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Computes states and their derivatives by the parameters at given times, by one run with direct
 * sensitivities. It takes rho [parameters], NULL if there are none, and ascending times t [times], in s,
 * from 0 to the end of the run. States are the `states` of gradyn_evaluator_model_info(): of mechanisms
 * positions, velocities, accelerations and multipliers. They are the first columns of trajectories without
 * internal ones. Fills y [times][states], each in its unit, may be NULL, and dy
 * [times][states][parameters]. An entry of dy has the unit of the state over that of the parameter; the
 * time is fixed. At an event or a jump both arrays have the values just before it. With fixed steps,
 * without events and jumps of signals, each time must be the end of a step. Errors: GRADYN_INVALID: an
 * argument is NULL, times do not ascend, a time is outside the run, or no step ends there. GRADYN_EVENT: an
 * event ends the run earlier. GRADYN_UNSUPPORTED: the method has no direct sensitivities.
 * GRADYN_NON_FINITE: a derivative is not finite. GRADYN_NO_MEMORY. A failed run returns its own status. */
GRADYN_API gradyn_status gradyn_sensitivities_compute(gradyn_evaluator *evaluator,
                                                      const double rho[], const double t[],
                                                      size_t times, double y[], double dy[]);

/* Costates lambda of a weighted sum of functionals: its derivatives by the differential states at the ends
 * of steps. For a mechanism the states are positions and velocities, and disturbances are projected onto
 * the constraints. With the rates f of the states, the Hamiltonian is H = lambda' f + the weighted sum of
 * integrands (Bryson & Ho 1975). At a knot, an event or a time of a functional there are two nodes, before
 * and after it. States jump at events; costates also jump at times of functionals. The arrays belong to the
 * struct. */
typedef struct gradyn_costates {
  size_t count;        /* nodes, in the order of time */
  size_t states;       /* differential states */
  char (*name)[64];    /* [states] names, as those of columns of trajectories */
  double *t;           /* [count] times, s */
  double *hamiltonian; /* [count], unit of the sum over s */
  double *state;       /* [count][states], each in its unit */
  double *costate;     /* [count][states], unit of the sum over that of the state */
} gradyn_costates;

/* Computes costates by one adjoint run at rho [parameters] with the method explicit or radau. It takes
 * weight [functionals], for example those of a Lagrangian, each in any unit over that of the functional.
 * NULL: the weights of the problem's objective. Release *out with gradyn_costates_clear() in any case.
 * Errors: GRADYN_UNSUPPORTED: the method has no costates. GRADYN_INVALID: an argument is NULL, all weights
 * are zero, or the problem has no objective that is a sum. GRADYN_NON_FINITE: a costate is not finite.
 * GRADYN_NO_MEMORY. A failed run returns its own status. */
GRADYN_API gradyn_status gradyn_costates_compute(gradyn_evaluator *evaluator, const double weight[],
                                                 const double rho[], gradyn_costates *out);

/* Releases the arrays of costates and sets all members to zero; NULL is ignored. */
GRADYN_API void gradyn_costates_clear(gradyn_costates *costates);

/* Writes costates to a stream as comma-separated values, with a heading and a line for each node. The
 * columns are t in s, the Hamiltonian H, the states, and the costates with names such as "lambda x".
 * Errors: GRADYN_INVALID: an argument is NULL. GRADYN_IO: the stream has failed. */
GRADYN_API gradyn_status gradyn_costates_write(const gradyn_costates *costates, FILE *file);

#ifdef __cplusplus
}
#endif

#endif
