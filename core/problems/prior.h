/* Normal priors of parameters: each is a fit of the parameter to one datum, its mean. */
#ifndef GRADYN_CORE_PROBLEMS_PRIOR_H
#define GRADYN_CORE_PROBLEMS_PRIOR_H

#include "core/model/model.h"

/* Declares the priors of model->problem after its build(), at its parameters rho, as terms of the objective:
 * the fits prior.NAME, each with its residual. Later calls in one build() of the model do nothing, so that a
 * build() that calls another one declares them once, after the functionals of the inner one. Faults are build
 * errors. */
void gradyn_priors_declare(gradyn_model *model, const gradyn_scalar rho[]);

/* Calls build() of a problem at rho [parameters] and declares its priors: for a build() that extends that
 * of another problem. Errors: build errors; the status of build(). */
gradyn_status gradyn_problem_build(const gradyn_problem *problem, gradyn_model *model,
                                   const gradyn_scalar rho[]);

/* Returns whether functional f is a prior or its residual. */
bool gradyn_is_prior(const gradyn_functional_entry *f);

#endif
