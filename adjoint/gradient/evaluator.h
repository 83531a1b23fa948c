/* Inside of an evaluator. */
#ifndef GRADYN_ADJOINT_EVALUATOR_H
#define GRADYN_ADJOINT_EVALUATOR_H

#include "adjoint/gradient/choice.h"
#include "adjoint/directions.h"
#include "core/model/model.h"
#include "core/model/parameters.h"

/* How gradients are computed. */
typedef enum gradyn_route {
  GRADYN_BY_ADJOINT,
  GRADYN_BY_DIRECT,
  GRADYN_BY_CONTINUOUS_ADJOINT,
  GRADYN_BY_DIFFERENCES,
  GRADYN_ROUTES
} gradyn_route;

/* What has been found of a functional's gradient at the initial parameters: its error, and how far errors of
 * steps grow on their way to the functional. */
typedef struct gradyn_known_error {
  double error, growth;
} gradyn_known_error;

/* What an evaluator does to know the errors of its gradients. */
typedef struct gradyn_errors {
  double *repeated;          /* [nf] and [nf][columns] of gradients repeated with other steps */
  size_t room;               /* of those */
  gradyn_known_error *known; /* [nf]; NULL: not known */
  const struct gradyn_method *of; /* they are those of this method, */
  double part; /* with so much of its tolerances, if it can be asked for a part of them */
  bool asked;  /* they have been looked for */
  bool own; /* the gradient in hand is that of the run that gives the values, whatever it errs by */
  bool calibrating; /* the gradient in hand is to tell them */
} gradyn_errors;

struct gradyn_evaluator {
  const gradyn_problem *problem;
  gradyn_options options;
  char *names[3]; /* of the options: method, sensitivity, integrator; NULL: none is given */
  gradyn_setting_choice *settings; /* [setting_count] */
  size_t setting_count;
  gradyn_message message;
  gradyn_message warnings; /* of the last evaluation */
  gradyn_message corners;  /* what its gradient has met of them, a part of the warnings */
  gradyn_parameters parameters;
  gradyn_model *model;
  const gradyn_method *method; /* in force */
  void *run;                   /* of the method */
  gradyn_choice choice;        /* if there is one, that of the method in force */
  gradyn_route route;          /* of the gradient in hand */
  bool either_route;           /* direct or adjoint, whichever is less work */
  gradyn_scalar *rho;          /* [parameters] */
  double *x;                   /* [nx] scratch */
  bool *active;                /* [nx] data that vary with the parameters */
  double *x_bar;               /* [nf][nx] */
  double *psi;                 /* [nf] for callers that want no values */
  double *moved;               /* [parameters] and their functionals [nf]: differences */
  double *sample;
  int *public_data; /* [public_count] data that users see: all that are not derived */
  int public_count;
  gradyn_directions by_rho, by_datum;
  gradyn_statistics cost; /* of all runs of a gradient by differences */
  bool use_cost;          /* the last evaluation was one, or repeated its run */
  gradyn_errors errors;
};

/* Refuses a problem that cannot be worked with at all. */
gradyn_status gradyn_evaluator_inspect(gradyn_evaluator *ev);

/* Takes values of settings, which must be those of the problem. */
gradyn_status gradyn_evaluator_keep_settings(gradyn_evaluator *ev,
                                             const gradyn_setting_choice *settings, size_t count);

/* Takes options, completes and checks them. */
gradyn_status gradyn_evaluator_settle(gradyn_evaluator *ev, const gradyn_options *options);

/* A failure is told by the evaluator, in its own words, in those of its model, or at least in the sentence of
 * the status, which is returned. */
gradyn_status gradyn_evaluator_tell(gradyn_evaluator *ev, gradyn_status status);

/* Takes the data at rho into use. */
gradyn_status gradyn_evaluator_load(gradyn_evaluator *ev, const double *rho);

/* A gradient [nf][columns] of the functionals psi [nf] by the run of the method in force. */
typedef gradyn_status gradyn_gradient_fn(gradyn_evaluator *ev, double *psi, double *gradient);

/* Calls `once`; where steps follow from an error, again with other steps, so as to know the error of the
 * gradient and to bring it within the tolerance. */
gradyn_status gradyn_to_tolerance(gradyn_evaluator *ev, gradyn_gradient_fn *once, double *psi,
                                  bool data, double *gradient);

/* Before a gradient at rho: sees to it that, once, the error at the initial parameters becomes known. */
gradyn_status gradyn_know_error(gradyn_evaluator *ev, const double *rho);

/* Takes the way to a gradient by so many numbers, of the functionals that are not skipped, if it is free. */
void gradyn_evaluator_take_route(gradyn_evaluator *ev, size_t columns);

/* Writes the warnings of an evaluation that has succeeded. */
void gradyn_evaluator_warn(gradyn_evaluator *ev);

/* Functionals at the data x [nx] and their gradient [nf][directions] in these directions, by the method's
 * direct sweep; derived data follow. */
gradyn_status gradyn_gradient_along(gradyn_evaluator *ev, double *x,
                                    const gradyn_directions *directions, double *psi,
                                    double *gradient);

/* The gradient for a search, which compares values: that of the very run that gives them, not repeated for
 * the sake of its error. By those functionals alone for which wanted [nf] holds; the others' rows are zero
 * (or right, where they come at no price). */
gradyn_status gradyn_gradient_of(gradyn_evaluator *ev, const bool *wanted, const double *rho,
                                 double *psi, double *gradient);

#endif
