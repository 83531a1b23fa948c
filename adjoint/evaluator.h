/* Inside of an evaluator. */
#ifndef GRADYN_ADJOINT_EVALUATOR_H
#define GRADYN_ADJOINT_EVALUATOR_H

#include "adjoint/directions.h"
#include "adjoint/method.h"
#include "core/model.h"
#include "core/parameters.h"

/* How gradients are computed. */
typedef enum gradyn_route {
  GRADYN_BY_ADJOINT,
  GRADYN_BY_DIRECT,
  GRADYN_BY_CONTINUOUS_ADJOINT,
  GRADYN_BY_DIFFERENCES,
  GRADYN_ROUTES
} gradyn_route;

struct gradyn_evaluator {
  const gradyn_problem *problem;
  gradyn_options options;
  gradyn_setting_choice *settings; /* [setting_count] */
  size_t setting_count;
  gradyn_message message;
  gradyn_message warnings; /* of the last evaluation */
  gradyn_parameters parameters;
  gradyn_model *model;
  const gradyn_method *method;
  void *run; /* of the method */
  gradyn_route route;
  gradyn_scalar *rho; /* [parameters] */
  double *x;          /* [nx] scratch */
  bool *active;       /* [nx] data that vary with the parameters */
  double *x_bar;      /* [nf][nx] */
  double *psi;        /* [nf] for callers that want no values */
  double *moved;      /* [parameters] and their functionals [nf]: differences */
  double *sample;
  int *public_data; /* [public_count] data that users see: all that are not derived */
  int public_count;
  gradyn_directions by_rho, by_datum;
  gradyn_statistics cost; /* of all runs of a gradient by differences */
  bool use_cost;          /* the last evaluation was one */
};

/* Writes the warnings of an evaluation that has succeeded. */
void gradyn_evaluator_warn(gradyn_evaluator *ev);

/* gradyn_gradient() by those functionals alone for which wanted [nf] holds; the others' rows are zero (or
 * right, where they come at no price). */
gradyn_status gradyn_gradient_of(gradyn_evaluator *ev, const bool *wanted, const double *rho,
                                 double *psi, double *gradient);

#endif
