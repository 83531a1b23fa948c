/* Sensitivities of states: what all of them become at given times as parameters change, for the Jacobian of
 * a model's answers by its parameters where these are to be identified from measured data; and costates, what
 * functionals become as states change on the way. */
#ifndef GRADYN_SENSITIVITIES_H
#define GRADYN_SENSITIVITIES_H

#include <stdio.h>

#include <gradyn/evaluate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Simulates at rho [parameters] with the evaluator's method and one direct sweep for all times t [times],
 * s, which ascend from 0 to the end of the run. States are those of gradyn_model_describe(), the first
 * columns of trajectories without internal ones: of mechanisms positions, velocities, accelerations and
 * multipliers. y [times][states], may be NULL; dy [times][states][parameters] their derivatives at times
 * that stay, in the state's unit over the parameter's: what gradyn_gradient() has of a functional at such
 * an instant, at an event, or where something jumps, of the motion before. Steps of a fixed length have to
 * end at all times, if no signal jumps and there are no events. GRADYN_INVALID: the times do not ascend or
 * lie beyond the end, or no step ends there; GRADYN_EVENT: an event ends the run before;
 * GRADYN_UNSUPPORTED: the method has no direct sensitivities. */
GRADYN_API gradyn_status gradyn_sensitivities(gradyn_evaluator *evaluator, const double rho[],
                                              const double t[], size_t times, double y[],
                                              double dy[]);

/* Costates lambda of a sum of weighted functionals, its derivatives by the differential states of the run at
 * the ends of its steps: of positions and velocities of a mechanism, whose disturbances count as they are
 * brought back onto the constraints. And the Hamiltonian H = lambda' f + sum of weighted integrands, with the
 * rates f. Where an arc ends, at a knot, an instant or an event, there are two nodes, before and behind it:
 * states jump at events, costates also at instants at which functionals are taken. */
typedef struct gradyn_costates {
  size_t count, states; /* nodes, in the order of time; differential states */
  char (*name)[64];     /* [states], as of columns of trajectories */
  double *t;            /* [count] s */
  double *hamiltonian;  /* [count], unit of the sum over s */
  double *state;        /* [count][states] */
  double *costate;      /* [count][states], unit of the sum over that of the state */
} gradyn_costates;

/* Of one adjoint sweep at rho [parameters], by explicit or radau. weight [functionals]: a Lagrangian's, for
 * example; NULL: the problem's objective, unless it is the largest of several. Clear the result in any case.
 * GRADYN_UNSUPPORTED: another method; GRADYN_INVALID: there is no such objective. */
GRADYN_API gradyn_status gradyn_costates_find(gradyn_evaluator *evaluator, const double weight[],
                                              const double rho[], gradyn_costates *out);
GRADYN_API void gradyn_costates_clear(gradyn_costates *costates);

/* Writes a table of comma-separated values, a row a node: t, the Hamiltonian H, states, costates "lambda x".
 * GRADYN_IO: the stream has failed. */
GRADYN_API gradyn_status gradyn_costates_write(const gradyn_costates *costates, FILE *file);

#ifdef __cplusplus
}
#endif

#endif
