/* Inside of an evaluator. */
#ifndef GRADYN_ADJOINT_EVALUATOR_H
#define GRADYN_ADJOINT_EVALUATOR_H

#include "adjoint/directions.h"
#include "adjoint/method.h"
#include "core/model.h"
#include "core/parameters.h"

struct gradyn_evaluator {
  const gradyn_problem *problem;
  gradyn_options options;
  gradyn_setting_choice *settings; /* [setting_count] */
  size_t setting_count;
  gradyn_message message;
  gradyn_parameters parameters;
  gradyn_model *model;
  const gradyn_method *method;
  void *run; /* of the method */
  bool use_adjoint;
  gradyn_scalar *rho; /* [parameters] */
  double *x;          /* [nx] scratch */
  bool *active;       /* [nx] data that vary with the parameters */
  double *x_bar;      /* [nf][nx] */
  double *psi;        /* [nf] for callers that want no values */
  int *public_data;   /* [public_count] data that users see: all that are not derived */
  int public_count;
  gradyn_directions by_rho, by_datum;
};

#endif
