/* The Lagrangian of the result of a search: functionals of an evaluator with samples of path constraints,
 * and their weights. */
#ifndef GRADYN_OPTIM_LAGRANGIAN_H
#define GRADYN_OPTIM_LAGRANGIAN_H

#include "core/base/message.h"
#include "optim/rounds/resume.h"

/* A weighted sum of functionals and samples. */
typedef struct gradyn_lagrangian {
  gradyn_evaluated evaluated;
  size_t count;   /* number of functionals plus samples; the samples are the last ones */
  double *weight; /* [count], factors in the Lagrangian */
} gradyn_lagrangian;

/* Creates the Lagrangian of a result, and loads the data at rho [parameters] into the evaluator. evaluator:
 * that of the search, or one with more knots; its motion at rho must be the motion of the result. Do not
 * move *out; clear it in any case. Errors: GRADYN_UNSUPPORTED, the multipliers are not known, with a
 * message; GRADYN_NO_MEMORY; those of build(). */
gradyn_status gradyn_lagrangian_create(gradyn_evaluator *evaluator, const gradyn_search *search,
                                       const gradyn_search_result *result, const double rho[],
                                       gradyn_message *message, gradyn_lagrangian *out);
/* Frees the members, not the evaluator, and makes *lagrangian {0}; may be repeated. */
void gradyn_lagrangian_clear(gradyn_lagrangian *lagrangian);

#endif
