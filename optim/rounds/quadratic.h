/* The quadratic model of an optimisation problem around a point: the objective to second order, the
 * constraints to first order. With the Hessian of the Lagrangian, its minimum is that of a step of sequential
 * quadratic programming. */
#ifndef GRADYN_OPTIM_QUADRATIC_H
#define GRADYN_OPTIM_QUADRATIC_H

#include "optim/rounds/lagrangian.h"

typedef struct gradyn_quadratic {
  gradyn_objective
      objective; /* the model as the objective of a search, its `self` is this struct */
  gradyn_lagrangian lagrangian;
  gradyn_parameter_info *parameters;   /* [p], bounds are those of the step */
  gradyn_functional_info *functionals; /* [functionals and samples] */
  double *rho;                         /* [p], the point */
  double *psi, *gradient;              /* [functionals and samples], there; [the same][p] */
  double *hessian;                     /* [acting][acting], of the Lagrangian */
  size_t *acting;                      /* [count of acting], parameters with second derivatives */
  gradyn_block block;                  /* the second derivatives of the last request */
  double *product;                     /* [acting], scratch memory */
  size_t minimised;   /* functional with the second derivatives; its weight is not 0 */
  gradyn_arena arena; /* memory of all arrays */
} gradyn_quadratic;

/* Computes the model at rho [parameters of the evaluator] with the multipliers of a result, whose motion is
 * that at rho. The step of a parameter is at most a quarter of its range, or two of its scales without a
 * range. Do not move *out; clear it in any case. message must be empty before. Errors, with a message:
 * GRADYN_UNSUPPORTED, no multipliers or no second derivatives; those of gradients; GRADYN_NO_MEMORY. */
gradyn_status gradyn_quadratic_create(gradyn_evaluator *evaluator, const gradyn_search *search,
                                      const gradyn_search_result *result, const double rho[],
                                      gradyn_message *message, gradyn_quadratic *out);
/* Frees the members, not the evaluator; may be repeated. */
void gradyn_quadratic_clear(gradyn_quadratic *model);

/* Minimises the model over the parameters that search->vary [parameters] marks. step [parameters] gets the
 * minimum minus rho, and *decrease that of the objective, at least 0. Errors: GRADYN_NOT_CONVERGED, no
 * minimum was found; GRADYN_NO_MEMORY. */
gradyn_status gradyn_quadratic_minimise(gradyn_quadratic *model, const gradyn_search *search,
                                        double step[], double *decrease);

#endif
