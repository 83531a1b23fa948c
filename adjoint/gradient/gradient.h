/* Functions of an evaluator inside the library: data at parameters, and gradients. */
#ifndef GRADYN_ADJOINT_GRADIENT_H
#define GRADYN_ADJOINT_GRADIENT_H

#include "adjoint/evaluator/evaluator.h"
#include "adjoint/directions.h"

/* Loads the data at rho [p] into the model. Errors: GRADYN_INVALID, a parameter is not finite; those of
 * build(). */
gradyn_status gradyn_evaluator_load(gradyn_evaluator *ev, const double *rho);

/* Computes the functionals at the data x [nx] and their gradient [nf][directions] along these directions, by
 * the method's direct sweep; derived data in x are updated. Errors: GRADYN_UNSUPPORTED, the method has no
 * direct sweep; those of runs. */
gradyn_status gradyn_gradient_along(gradyn_evaluator *ev, double *x,
                                    const gradyn_directions *directions, double *psi,
                                    double *gradient);

/* psi [nf] at rho [p] and dpsi/drho.line [nf], for any route of the evaluator; line [p] should have about the
 * parameters' sizes. Close to rest, the accuracy is that of the run's own steps. Errors: those of the two
 * functions above. */
gradyn_status gradyn_slope(gradyn_evaluator *evaluator, const double *rho, const double *line,
                           double *psi, double *slope);

/* psi [nf] and gradient [nf][p] of one run, with the present method and route. Part of an evaluation that has
 * begun. */
gradyn_status gradyn_gradient_of_run(gradyn_evaluator *ev, const double *rho, double *psi,
                                     double *gradient);

/* Second derivatives of the sum of weight [nf] times psi at rho, by those parameters that have some. acting
 * [p]: their indices, *count of them; columns [p][p]: one column for each. The cost is one gradient each and
 * two more; the accuracy about 1e-6. Error: GRADYN_UNSUPPORTED as of gradyn_evaluator_hessian_product(). */
gradyn_status gradyn_hessian_block(gradyn_evaluator *ev, const double weight[], const double rho[],
                                   size_t acting[], size_t *count, double columns[]);

/* gradyn_evaluator_gradient() at the end of a search that began at `start` (NULL: unknown). Errors below a
 * tenth of `optimality` relative to the gradient at the start are allowed, because they do not change the
 * optimality test. */
gradyn_status gradyn_end_gradient(gradyn_evaluator *ev, const double *start, double optimality,
                                  const double *rho, double *psi, double *gradient);

/* psi [nf] at rho [p] and gradient [nf][p] by simulations with changed parameters, one parameter at a time,
 * within the bounds. If a run fails, its status is returned, and the message names the parameter. The
 * evaluator's cost sums up all runs. */
gradyn_status gradyn_gradient_by_differences(gradyn_evaluator *evaluator, const double *rho,
                                             double *psi, double *gradient);

/* Marks in active [nx] the data that change with the parameters rho [parameters], which is restored. Few
 * parameters: d gets the columns of dx/drho. Errors: GRADYN_NO_MEMORY; those of build() and of its check. */
gradyn_status gradyn_chain_begin(gradyn_model *model, const gradyn_parameters *parameters,
                                 gradyn_scalar *rho, gradyn_directions *d, bool *active);

/* gradient [nf][parameters] from x_bar [nf][nx] (overwritten) of a later sweep, with d of begin(). Data with
 * zero adjoints need no builds. Errors: GRADYN_NO_MEMORY; those of build(). */
gradyn_status gradyn_chain_apply(gradyn_model *model, gradyn_scalar *rho, gradyn_directions *d,
                                 double *x_bar, double *gradient);

/* Call after a simulation at rho with a trajectory. Warns if the energy of a mechanism without drives and
 * dissipation drifts by more than the tolerance explains. With fixed steps, a warning costs a run with half
 * the step. Errors: GRADYN_NO_MEMORY; failures of the energies. */
gradyn_status gradyn_energy_judge(gradyn_evaluator *ev, const double *rho,
                                  const gradyn_trajectory *trajectory);

#endif
