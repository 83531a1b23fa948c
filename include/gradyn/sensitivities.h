/* Sensitivities of states: what all of them become at given times as parameters change, for the Jacobian of
 * a model's answers by its parameters where these are to be identified from measured data. */
#ifndef GRADYN_SENSITIVITIES_H
#define GRADYN_SENSITIVITIES_H

#include <gradyn/evaluate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Simulates at rho [parameters] with the evaluator's method and one direct sweep for all times t [times], s,
 * which ascend from 0 to the end of the run. States are those of gradyn_model_describe(), the first columns
 * of trajectories: of mechanisms positions, velocities, accelerations and multipliers. y [times][states], may
 * be NULL; dy [times][states][parameters] their derivatives at times that stay, in the state's unit over the
 * parameter's: what gradyn_gradient() has of a functional at such an instant, at an event, or where something
 * jumps, of the motion before. Steps of a fixed length have to end at all times, if no signal jumps and there
 * are no events. GRADYN_INVALID: the times do not ascend or lie beyond the end, or no step ends there;
 * GRADYN_EVENT: an event ends the run before; GRADYN_UNSUPPORTED: the method has no direct sensitivities. */
GRADYN_API gradyn_status gradyn_sensitivities(gradyn_evaluator *evaluator, const double rho[],
                                              const double t[], size_t times, double y[],
                                              double dy[]);

#ifdef __cplusplus
}
#endif

#endif
