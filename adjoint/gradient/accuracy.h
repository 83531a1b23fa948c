/* Accuracy of a gradient, and repeated runs with other steps that improve it. An evaluation decides in turn
 * on the method, on repetitions at rest, and on the accuracy (evaluate.c). */
#ifndef GRADYN_ADJOINT_ACCURACY_H
#define GRADYN_ADJOINT_ACCURACY_H

#include "adjoint/evaluator/evaluator.h"

/* For steps with error control: order of the scheme; number of parts into which the steps of the best run and
 * of the last run divide the present steps. Then: whether some steps were joined; whether the first run was
 * at rest, so that its steps are divided as often as needed for any method; whether it met kinks. */
typedef struct gradyn_accuracy_steps {
  int order, fine, parts;
  /* falls: the difference of the last two divisions has decreased */
  bool joined, rests, kinks, falls;
} gradyn_accuracy_steps;

/* For tolerances. part: those of the best run, relative to the requested ones; ratio: those of the present
 * run, relative to the best run; last: those of the best run, relative to the best run before. power: of the
 * tolerances by which errors fall. chance: largest difference so far, reduced as errors at kinks are. */
typedef struct gradyn_accuracy_tolerances {
  double part, ratio, last, power, chance;
  bool asked;    /* runs are compared with tighter tolerances instead of other steps */
  bool confirms; /* the present run confirms a comparison: the larger difference counts */
} gradyn_accuracy_tolerances;

typedef struct gradyn_accuracy {
  gradyn_evaluator *ev;
  size_t nf, columns;
  bool data;                 /* by all data; otherwise by parameters */
  double rtol;               /* allowed error of the gradient, relative to its scale */
  double *psi, *gradient;    /* [nf], [nf][columns] of the caller: the best results */
  double *other_psi, *other; /* the same of a repeated run */
  double **to_psi, **to;     /* where the next run writes them */
  double *errors;            /* [nf] of the gradient, relative to its scale */
  double *corner;            /* [nf] time of a kink of the integrand, s; NAN: none */
  double *scale;             /* [nf] scale of errors: the smaller one of the last two gradients */
  double *apart;   /* [nf][columns] magnitude of the difference of the last two gradients */
  double factor;   /* ratio of the error of the best gradient to this difference */
  double value;    /* error of the values; scaled as gradyn_accuracy_of_values() */
  size_t value_of; /* the functional with the largest error */
  int events;      /* number of events of the run that gives the values */
  double spread;   /* largest relative difference of values so far; negative: no comparison */
  double clock;    /* s, at the start */
  bool asked;      /* see gradyn_accuracy_begin() */
  int runs;        /* number of runs so far */
  /* of the best gradient, HUGE_VAL: unknown; difference of the two runs before it, 0: unknown */
  double error, before;
  gradyn_accuracy_steps steps;
  gradyn_accuracy_tolerances tighter;
} gradyn_accuracy;

/* Call before a first run, which writes *psi [nf] and a *gradient by parameters or all data [nf][columns], of
 * the caller. For repeated runs both point to other arrays. asked: false if no gradient is computed, or if
 * its accuracy does not matter. */
gradyn_accuracy gradyn_accuracy_begin(gradyn_evaluator *ev, bool asked, bool data, double **psi,
                                      double **gradient);

/* Call after a run with its status. Returns whether it must be repeated with the steps or tolerances that its
 * method then has; call until it returns false. *status is then that of all runs, also GRADYN_STIFF from
 * gradyn_accuracy_conclude(). Recoverable failures of repeated runs leave the first gradient. */
bool gradyn_accuracy_repeats(gradyn_accuracy *a, gradyn_status *status);

/* Returns the largest difference of both runs' values, times a->rtol / rtol of the run. It is relative to the
 * value, its change by the size of a number, or the method's sizes(). 0 without sizes(). Sets a->value_of. */
double gradyn_accuracy_of_values(gradyn_accuracy *a);

/* Sizes of functionals that stay positive for zero values, and of the numbers by which they are
 * differentiated. Free with gradyn_floors_clear(). */
typedef struct gradyn_floors {
  double *functional, *number; /* [nf], [columns] */
  gradyn_arena arena;
} gradyn_floors;
void gradyn_floors_clear(gradyn_floors *floors);

/* Computes the size of each functional: the largest of its value, of the terms that cancel in it, and of its
 * unit by the mass, length and time of the model. Costs a simulation, which overwrites a->other_psi and the
 * log of events. Clear *out in any case. Errors: GRADYN_NO_MEMORY; failures of the run. */
gradyn_status gradyn_accuracy_floors(const gradyn_accuracy *a, gradyn_floors *out);

/* Returns the ratio of the errors of functional f's derivatives to the difference of the last two
 * gradients. */
double gradyn_accuracy_factor(const gradyn_accuracy *a, size_t f);

/* A derivative with its estimated error and the allowed error, in its unit. */
typedef struct gradyn_inexact {
  size_t functional, number;
  double error, allowed;
} gradyn_inexact;

/* Returns the ratio of the error to the allowed error; 0 if no error is known or allowed. */
static inline double gradyn_inexact_excess(const gradyn_inexact *d)
{
  return d->allowed > 0 ? d->error / d->allowed : 0;
}

/* Returns the derivative of functional f with the largest ratio of error to allowed error. Allowed is a->rtol
 * times its reference size; in a search, also an error that changes no decision. floors may be empty. */
gradyn_inexact gradyn_accuracy_worst_of(const gradyn_accuracy *a, const gradyn_floors *floors,
                                        size_t f);

/* Return the name of a number, as long as the evaluator; write the unit of a derivative, "m/(N/m)". */
const char *gradyn_accuracy_by(const gradyn_accuracy *a, size_t number);
void gradyn_accuracy_unit(const gradyn_accuracy *a, const gradyn_inexact *d, char *text,
                          size_t size);

/* Sets a->scale, a->apart, a->factor and a->errors from a->gradient and a->other. Errors are differences
 * times gradyn_accuracy_factor(). Returns the largest error of functionals without kinks. */
double gradyn_accuracy_difference(gradyn_accuracy *a, double factor);

/* Returns the size of the j-th number by which gradients are taken: the magnitude of a datum, may be 0; for a
 * parameter at least its scale, an eighth of its range, or its initial value. */
double gradyn_accuracy_size(const gradyn_accuracy *a, size_t j);

/* Returns whether a finite error exceeds three times the requested one, so that it is reported. */
bool gradyn_accuracy_missed(double error, double rtol);

/* Divides *part by ten and lets the next run use that part of the requested tolerances, in at most
 * 3 (steps + 100) steps; `steps`: of the last run. False, unchanged: *part < 1, and rtol would be < 1e-12. */
bool gradyn_accuracy_tighten(gradyn_evaluator *ev, double *part, long steps);

/* Returns the ratio of the error to the difference from steps that are `longer` times as long, by a scheme's
 * order. */
double gradyn_accuracy_by_order(double longer, int order);

/* Returns whether a relative difference below 0.01 exceeds half of the one before: then too long steps are
 * not the cause. */
bool gradyn_accuracy_stuck(double apart, double before);

/* Raises a->spread to the largest difference of a->psi and a->other_psi, relative to the larger of both
 * values. */
void gradyn_accuracy_keep_spread(gradyn_accuracy *a);

/* keep(): stores the events of the last run, which gives the values, with their latched data; error
 * GRADYN_NO_MEMORY. restore(): writes them back to the log after repeated runs, which may have had other
 * events, or failed. */
gradyn_status gradyn_accuracy_keep_log(gradyn_accuracy *a);
void gradyn_accuracy_restore_log(const gradyn_accuracy *a);

/* Ends a gradient: stores its error, and warns if it is too large. Errors: GRADYN_STIFF, the explicit method
 * of a choice is unstable at rest; those of gradyn_accuracy_floors(). */
gradyn_status gradyn_accuracy_conclude(gradyn_accuracy *a);

/* Call after a successful gradient at rho, by all data or by parameters. Warns if the error of its fixed
 * steps exceeds a thousandth; does nothing for adaptive steps. Costs a gradient with steps three times as
 * long and, if it fails or differs too much, one with half the step, and then the run of floors. Errors:
 * GRADYN_INTERRUPTED, GRADYN_NO_MEMORY; those of gradyn_accuracy_floors(). */
gradyn_status gradyn_step_error(gradyn_evaluator *ev, bool data, const double *rho,
                                const double *psi, const double *gradient);

#endif
