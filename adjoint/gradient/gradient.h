/* What is done with an evaluator in the library: data at parameters, and gradients. */
#ifndef GRADYN_ADJOINT_GRADIENT_H
#define GRADYN_ADJOINT_GRADIENT_H

#include "adjoint/evaluator/evaluator.h"
#include "adjoint/directions.h"

/* Takes the data at rho into use. */
gradyn_status gradyn_evaluator_load(gradyn_evaluator *ev, const double *rho);

/* Functionals at the data x [nx] and their gradient [nf][directions] in these directions, by the method's
 * direct sweep; derived data follow. */
gradyn_status gradyn_gradient_along(gradyn_evaluator *ev, double *x,
                                    const gradyn_directions *directions, double *psi,
                                    double *gradient);

/* psi [nf] at rho [p] and dpsi/drho.line [nf], line [p] of about the parameters' sizes, whatever route the
 * evaluator takes for gradients; next to rest as the run's own steps give it. GRADYN_UNSUPPORTED: its method
 * has no direct sweep. */
gradyn_status gradyn_slope(gradyn_evaluator *evaluator, const double *rho, const double *line,
                           double *psi, double *slope);

/* psi [nf] and gradient [nf][p] of a run as it is, by the method in force and the route that was taken: a
 * part of a piece of work, which has begun. */
gradyn_status gradyn_gradient_of_run(gradyn_evaluator *ev, const double *rho, double *psi,
                                     double *gradient);

/* Second derivatives of the sum of weight [nf] times psi at rho, by those parameters that have some: their
 * numbers to acting [p], *count of them, and a column [p] for each to columns [p][p]; for one gradient each
 * and two more, to some 1e-6. GRADYN_UNSUPPORTED: as gradyn_hessian_product(). */
gradyn_status gradyn_hessian_block(gradyn_evaluator *ev, const double weight[], const double rho[],
                                   size_t acting[], size_t *count, double columns[]);

/* gradyn_gradient() where a search has ended that began at `start` (NULL: not known): errors do not matter
 * that are less than a tenth of `optimality` beside the gradient there: they change no verdict. */
gradyn_status gradyn_end_gradient(gradyn_evaluator *ev, const double *start, double optimality,
                                  const double *rho, double *psi, double *gradient);

/* psi [nf] at rho [p] and gradient [nf][p] by simulations at moved parameters, one parameter at a
 * time, none of which leaves its bounds. A run that fails ends it with that run's status and a
 * message that names the parameter. The evaluator's cost sums up all runs. */
gradyn_status gradyn_gradient_by_differences(gradyn_evaluator *evaluator, const double *rho,
                                             double *psi, double *gradient);

/* Marks in active [nx] the data that vary with the parameters rho [parameters], which is restored. */
gradyn_status gradyn_chain_begin(gradyn_model *model, const gradyn_parameters *parameters,
                                 gradyn_scalar *rho, gradyn_directions *d, bool *active);

/* gradient [nf][parameters] from x_bar [nf][nx] (used up) of a sweep after that. Data whose bars are all
 * zero cost no builds. */
gradyn_status gradyn_chain_apply(gradyn_model *model, gradyn_scalar *rho, gradyn_directions *d,
                                 double *x_bar, double *gradient);

/* Behind a simulation at rho that has left a trajectory: tells by how much the energy of a mechanism drifts
 * that nothing drives or brakes, if that is more than the tolerance explains. Of fixed steps that costs a run
 * with half the step where it is to be told. */
gradyn_status gradyn_energy_judge(gradyn_evaluator *ev, const double *rho,
                                  const gradyn_trajectory *trajectory);

#endif
