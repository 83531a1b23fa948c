/* The data of an evaluator. */
#ifndef GRADYN_ADJOINT_EVALUATOR_H
#define GRADYN_ADJOINT_EVALUATOR_H

#include "adjoint/evaluator/choice.h"
#include "adjoint/directions.h"
#include "adjoint/second_plan.h"
#include "core/base/warnings.h"
#include "core/base/findings.h"
#include "core/model/model.h"
#include "core/problems/parameters.h"

/* How gradients are computed. */
typedef enum gradyn_route {
  GRADYN_BY_ADJOINT,
  GRADYN_BY_DIRECT,
  GRADYN_BY_CONTINUOUS_ADJOINT,
  GRADYN_BY_DIFFERENCES,
  GRADYN_ROUTES
} gradyn_route;

/* Required accuracy of a gradient: the tolerance, or the accuracy of the run that gives its values. */
typedef enum gradyn_care { GRADYN_TO_TOLERANCE, GRADYN_AS_IT_IS } gradyn_care;

/* Required accuracy of a gradient, and its estimated error. */
typedef struct gradyn_exactness {
  gradyn_care care;
  /* [nf] changes of functionals: errors of derivatives with a smaller effect, for a change by a parameter's
   * size, do not matter. NULL: all errors matter */
  const double *negligible;
  bool energy_judged; /* the caller checks the drift of the energy */
  bool steps_judged;  /* the caller checks the error of fixed steps */
  bool missed;        /* a warning states that the accuracy is below the required one */
  double error; /* estimated error of the derivative where it is largest, in its unit; 0: none */
  const char *functional, *by; /* names of functional and parameter, of the evaluator */
  char unit[64];               /* "m/kg" */
} gradyn_exactness;

/* First member of objects that the evaluator owns: how they are released. */
typedef struct gradyn_owned {
  void (*release)(struct gradyn_owned *own);
} gradyn_owned;

/* Workspace of repeated runs (accuracy.c), of events of the run that gives the values, and of differences. */
typedef struct gradyn_repetition {
  double *psi, *moved; /* [nf] if callers request no values; [parameters] of one of these runs */
  double *numbers;     /* [capacity] values, errors and gradients of repeated runs */
  size_t capacity;
  gradyn_event_record *log; /* [log_room] */
  double *captured;         /* [log_room][latched data] */
  int log_room;
  bool use_cost, no_run; /* the last evaluation: had several runs; failed before its first run */
  gradyn_second_plan second;
  gradyn_second_memory second_memory;
} gradyn_repetition;

/* When evaluations of a search end: on a request, or at a deadline. */
typedef struct gradyn_request {
  bool (*cancel)(void *user); /* callback of the options; may be NULL */
  void *user;
  bool heeded;  /* the caller's request has been taken into account and no longer counts */
  double until; /* deadline in s of gradyn_seconds(); 0: none */
} gradyn_request;

/* Load cases of an evaluator: all, or one. */
typedef struct gradyn_evaluator_load_cases {
  struct gradyn_case_set *all; /* owns the model and the public data; NULL: a single run */
  size_t row;                  /* row of the only case */
  bool *read; /* [columns] whether build() has read them in the only case; NULL: no such case */
} gradyn_evaluator_load_cases;

struct gradyn_evaluator {
  const gradyn_problem *problem;
  gradyn_options options, asked;   /* complete options; options as given */
  gradyn_setting_choice *settings; /* [setting_count] */
  size_t setting_count;
  gradyn_message message;
  gradyn_warnings warnings, found; /* all of the last evaluation; those not found by the method */
  gradyn_parameters parameters;
  gradyn_model *model;
  const gradyn_method *method; /* present method */
  void *run;                   /* object of the method */
  gradyn_choice choice;        /* with `auto`, the choice of the present method */
  gradyn_route route;          /* of the present gradient */
  gradyn_scalar *rho;          /* [parameters] */
  double *x;                   /* [nx] workspace */
  bool *active;                /* [nx] data that change with the parameters */
  double *x_bar;               /* [nf][nx] */
  double *sample;              /* [nf] workspace; NULL: creation has failed */
  int *public_data;            /* [public_count] data that users see: neither derived nor hidden */
  int public_count;
  gradyn_directions by_rho, by_datum;
  gradyn_run_report kept; /* report of the kept run, or of all runs of a gradient by differences */
  gradyn_exactness exactness; /* of the present gradient */
  gradyn_repetition repetition;
  gradyn_request request;           /* the ends that its options request, if there is a limit */
  gradyn_owned *own;                /* a problem created for this evaluator; NULL: borrowed */
  gradyn_evaluator_load_cases load; /* used by problems with load cases only */
  gradyn_arena arena;               /* owns all arrays above, and names in the options */
};

/* Returns whether an evaluator was created completely; if not, its message has the reason and stays. False
 * if ev is NULL. */
bool gradyn_evaluator_created(const gradyn_evaluator *ev);
/* Returns rho, or if there are no parameters and rho is NULL any valid array. NULL: rho is missing. */
const double *gradyn_evaluator_point(const gradyn_evaluator *ev, const double *rho);
/* Checks that rho [parameters] is finite. Error: GRADYN_INVALID; the message names the parameter. */
gradyn_status gradyn_evaluator_check_finite(gradyn_evaluator *ev, const double *rho);
/* Begins a public call and clears the message. Error: GRADYN_INVALID, the evaluator is not complete, rho
 * [parameters] is missing or not finite, or `argument`, named `what` in the message, is NULL. */
gradyn_status gradyn_evaluator_begin(gradyn_evaluator *ev, const double *rho, const void *argument,
                                     const char *what);
/* Begins a public call that needs a single run, and clears the message. Errors: GRADYN_UNSUPPORTED, the
 * evaluator has several load cases; those of gradyn_evaluator_begin() for rho [parameters] and `argument`,
 * named `what`. */
gradyn_status gradyn_evaluator_enter(gradyn_evaluator *ev, const double *rho, const void *argument,
                                     const char *what);

RELEASE(gradyn_evaluator)

/* Fails with GRADYN_UNSUPPORTED if the evaluator has several load cases. */
gradyn_status gradyn_evaluator_single(gradyn_evaluator *ev);
/* Completes a failure: if the evaluator has no message, it gets that of its model, or else the sentence of
 * the status. Returns status; no effect for GRADYN_OK. */
gradyn_status gradyn_evaluator_report(gradyn_evaluator *ev, gradyn_status status);
/* Completes a failure: the model's message replaces that of the evaluator; without one, it gets the
 * sentence of the status. Returns status; no effect for GRADYN_OK. */
gradyn_status gradyn_evaluator_report_model(gradyn_evaluator *ev, gradyn_status status);
/* If the options leave the route open, selects the sweep, direct or adjoint, that costs less for the
 * gradient of the functionals that are not skipped by `columns` numbers. */
void gradyn_evaluator_take_route(gradyn_evaluator *ev, size_t columns);
/* Returns whether findings->undetermined[0] exceeds 0.1, enough for a warning. */
bool gradyn_is_undetermined(const gradyn_findings *findings);
/* Clears message, warnings and estimated error at the start of an evaluation or analysis. */
void gradyn_evaluator_forget(gradyn_evaluator *ev);
/* Sets a deadline for evaluations, in s of gradyn_seconds(), 0: none; also for load cases and evaluators that
 * get the options of this one, which must outlive them. Evaluations after it fail with GRADYN_INTERRUPTED.
 * after_request: if cancel() of the options requests an end now, cancel() is not called again until the next
 * call of this function. */
void gradyn_evaluator_limit(gradyn_evaluator *ev, double until, bool after_request);
/* Removes the deadline; cancel() of the original options counts again. */
void gradyn_evaluator_unlimit(gradyn_evaluator *ev);
/* Fills ev->warnings anew after a successful evaluation, from its findings, the log of events and
 * ev->found. */
void gradyn_evaluator_warn(gradyn_evaluator *ev);
/* Returns the findings of the last run; zeros before the first run. If a gradient has repeated its run for
 * accuracy, those of the run whose gradient was returned; by differences, those of all runs. */
gradyn_findings gradyn_evaluator_findings(const gradyn_evaluator *ev);

#endif
