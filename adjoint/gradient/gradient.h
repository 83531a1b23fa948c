/* Functions of an evaluator inside the library: data at parameters, and gradients. */
#ifndef GRADYN_ADJOINT_GRADIENT_H
#define GRADYN_ADJOINT_GRADIENT_H

#include "adjoint/evaluator/evaluator.h"
#include "adjoint/directions.h"

/* Calls build() at rho [p], p parameters, and loads the data into the model. Errors: GRADYN_UNSUPPORTED,
 * several load cases; GRADYN_INVALID, a parameter is not finite; those of build(). */
gradyn_status gradyn_evaluator_load(gradyn_evaluator *ev, const double *rho);

/* Computes psi [nf], or NULL, at the data x [nx] and gradient [nf][directions] along the directions, by the
 * method's direct sweep, repeated to the required accuracy. Derived data in x are updated. The model then has
 * these data. Results are undefined after an error. Errors: GRADYN_UNSUPPORTED, the method has no direct
 * sweep; GRADYN_NON_FINITE; those of runs. */
gradyn_status gradyn_gradient_along(gradyn_evaluator *ev, double *x,
                                    const gradyn_directions *directions, double *psi,
                                    double *gradient);

/* Computes psi [nf], or NULL, at rho [p] and slope [nf], the derivative of psi along line [p], by a direct
 * sweep, for any route of the evaluator. Entries of line should be about as large as the parameters. Close to
 * rest, the accuracy is that of the run's own steps. Errors: those of gradyn_evaluator_load() and
 * gradyn_gradient_along(). */
gradyn_status gradyn_slope(gradyn_evaluator *evaluator, const double *rho, const double *line,
                           double *psi, double *slope);

/* Loads the data at rho [p], finds those that vary with the parameters, in ev->active, and requests only
 * their adjoints from the model; ev->by_rho is ready for gradyn_chain_apply(). Errors: those of
 * gradyn_evaluator_load() and gradyn_chain_begin(). */
gradyn_status gradyn_evaluator_load_active(gradyn_evaluator *ev, const double *rho);

/* Computes psi [nf], or NULL, and gradient [nf][p] at rho [p] by one run with the present method and route,
 * adjoint or direct, without repetitions for accuracy. For use inside an evaluation. Errors: those of
 * gradyn_evaluator_load() and of runs. */
gradyn_status gradyn_gradient_of_run(gradyn_evaluator *ev, const double *rho, double *psi,
                                     double *gradient);

/* Computes the columns of the Hessian of the sum of weight [nf] times psi at rho [p] that are not zero.
 * *count: number of these columns. acting [p]: receives the indices of their parameters, from 0, in its first
 * *count entries. columns [p][p]: receives the columns in its first *count rows. Their
 * accuracy is about 1e-10 by displaced stages, otherwise 1e-9 (second.h). Errors: GRADYN_UNSUPPORTED, as for
 * gradyn_evaluator_hessian_product(); those of gradients. */
gradyn_status gradyn_hessian_block(gradyn_evaluator *ev, const double weight[], const double rho[],
                                   size_t acting[], size_t *count, double columns[]);

/* Computes psi [nf] and gradient [nf][p] at rho [p], for the end of a search that began at `start` [p]
 * (NULL: unknown). No warning is given for errors below a tenth of `optimality`, relative to the gradient
 * at the start, because they do not change the optimality test. Errors: those of
 * gradyn_evaluator_gradient(). */
gradyn_status gradyn_end_gradient(gradyn_evaluator *ev, const double *start, double optimality,
                                  const double *rho, double *psi, double *gradient);

/* Computes psi [nf] at rho [p] and gradient [nf][p] by simulations with one changed parameter each, within
 * the bounds. The evaluator's cost is the sum of all runs. Errors: the status of a run that fails; the
 * message names the parameter. */
gradyn_status gradyn_gradient_by_differences(gradyn_evaluator *evaluator, const double *rho,
                                             double *psi, double *gradient);

/* Marks in active [nx] the data that change with the parameters at rho [parameters], which is restored, and
 * prepares *d for gradyn_chain_apply(). Errors: GRADYN_NO_MEMORY; those of build() and of
 * gradyn_verify_callbacks_build(). */
gradyn_status gradyn_chain_begin(gradyn_model *model, const gradyn_parameters *parameters,
                                 gradyn_scalar *rho, gradyn_directions *d, bool *active);

/* Computes gradient [rows][parameters] from the adjoints of the data x_bar [rows][nx], which are overwritten,
 * with *d and rho of gradyn_chain_begin(). Data with zero adjoints need no builds. Errors:
 * GRADYN_NO_MEMORY; those of build(). */
gradyn_status gradyn_chain_apply(gradyn_model *model, int rows, gradyn_scalar *rho,
                                 gradyn_directions *d, double *x_bar, double *gradient);

/* Call after a simulation at rho [p] with its trajectory. Adds a warning if the energy of a mechanism
 * without drives and dissipation drifts by more than the tolerance explains. With fixed steps, a warning
 * costs another run. Errors: GRADYN_NO_MEMORY; failures of the energies. */
gradyn_status gradyn_energy_check(gradyn_evaluator *ev, const double *rho,
                                  const gradyn_trajectory *trajectory);

#endif
