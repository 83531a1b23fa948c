/* Accuracy of a gradient, and repeated runs with other steps that improve it; see evaluate.c. */
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

/* For tolerances. part: tolerances of the best run over the requested ones. ratio: those of the present run
 * over those of the best run. last: those of the best run over those of the best run before. power: errors
 * fall by this power of the tolerances. chance: largest difference so far, reduced in the way in which
 * errors at kinks decrease. */
typedef struct gradyn_accuracy_tolerances {
  double part, ratio, last, power, chance;
  bool asked;    /* runs are compared with tighter tolerances instead of other steps */
  bool confirms; /* the present run confirms a comparison: the larger difference counts */
} gradyn_accuracy_tolerances;

typedef struct gradyn_accuracy {
  gradyn_evaluator *ev;
  size_t nf, columns;
  bool data;                 /* the gradient is by all data; otherwise by parameters */
  double rtol;               /* allowed error of the gradient, relative to its scale */
  double *psi, *gradient;    /* [nf], [nf][columns] of the caller: the best results */
  double *other_psi, *other; /* the same of a repeated run */
  double **to_psi, **to;     /* where the next run writes them */
  double *errors;            /* [nf] errors of the gradient, relative to its scale */
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
  /* error of the best gradient, HUGE_VAL: unknown; difference of the two runs before it, 0: unknown */
  double error, before;
  gradyn_accuracy_steps steps;
  gradyn_accuracy_tolerances tighter;
} gradyn_accuracy;

/* Call before the first run of an evaluation. The run writes *psi [nf] and *gradient [nf][columns], by
 * parameters or, with `data`, by all public data. Both pointers belong to the caller and must live until
 * repeats() returns false; during repeated runs they point to other arrays, of the evaluator. asked: false if
 * no gradient is computed, or if its accuracy does not matter. The result need not be freed. */
gradyn_accuracy gradyn_accuracy_begin(gradyn_evaluator *ev, bool asked, bool data, double **psi,
                                      double **gradient);
/* Call after each run with its status, until it returns false. True: run again; the method has other steps
 * or tolerances. At the end, *status is that of all runs, and the caller's arrays have the best results. If
 * a repeated run fails with a recoverable status, the best gradient before it stays, and *status is that of
 * gradyn_accuracy_conclude(). Fatal failures of repeated runs are returned. */
bool gradyn_accuracy_repeats(gradyn_accuracy *a, gradyn_status *status);
/* Returns the largest difference between a->psi and a->other_psi, times a->rtol / rtol of the run, and sets
 * a->value_of. Differences are relative to the value, to its change by the size of a parameter or datum, or
 * to sizes() of the method, whichever is largest. 0 without sizes(). Skipped functionals do not count. */
double gradyn_accuracy_of_values(gradyn_accuracy *a);
/* Sizes of functionals that stay positive for zero values, and of the numbers by which functionals are
 * differentiated. Zeros: unknown. Free with gradyn_floors_clear(). */
typedef struct gradyn_floors {
  double *functional, *number; /* [nf], [columns] */
  gradyn_arena arena;
} gradyn_floors;
/* Frees both arrays, not the object. */
void gradyn_floors_clear(gradyn_floors *floors);
/* Computes both arrays. The size of a functional is the largest of its value, the terms that cancel in it,
 * and its unit by mass, length and time of the model. Costs a run, which overwrites a->other_psi and the
 * event log. Clear *out in any case. Errors: GRADYN_NO_MEMORY; failures of the run. */
gradyn_status gradyn_accuracy_floors(const gradyn_accuracy *a, gradyn_floors *out);
/* Returns the ratio of errors of functional f's derivatives, f from 0, to differences of the last two
 * gradients. */
double gradyn_accuracy_factor(const gradyn_accuracy *a, size_t f);

/* A derivative with its estimated error and the allowed error, in its unit. functional: from 0; number:
 * column of the gradient. */
typedef struct gradyn_inexact {
  size_t functional, number;
  double error, allowed;
} gradyn_inexact;

/* Returns the ratio of the error to the allowed error; 0 if no error is known or allowed. */
static inline double gradyn_inexact_excess(const gradyn_inexact *d)
{
  return d->allowed > 0 ? d->error / d->allowed : 0;
}

/* Returns the derivative of functional f with the largest ratio of error to allowed error: a->rtol times
 * a->scale or the size in floors, and in a search at least ev->exactness.negligible. floors may be zero. */
gradyn_inexact gradyn_accuracy_worst_of(const gradyn_accuracy *a, const gradyn_floors *floors,
                                        size_t f);

/* Returns the name of column `number`, from 0, of gradients, a parameter or datum; it lives as long as the
 * evaluator. */
const char *gradyn_accuracy_by(const gradyn_accuracy *a, size_t number);
/* Writes the unit of the derivative *d, such as "m/(N/m)", into text [size], truncated to it. */
void gradyn_accuracy_unit(const gradyn_accuracy *a, const gradyn_inexact *d, char *text,
                          size_t size);

/* Compares a->gradient with a->other: sets a->factor, a->scale, a->apart, and a->errors, the differences
 * over a->scale times gradyn_accuracy_factor(). Returns the largest error of functionals without kinks. */
double gradyn_accuracy_difference(gradyn_accuracy *a, double factor);

/* Returns the size, in its unit, of column j of gradients: the magnitude of a datum, which may be 0; for a
 * parameter its magnitude, but at least its scale or, without one, an eighth of its range or, without bounds,
 * its initial value. */
double gradyn_accuracy_size(const gradyn_accuracy *a, size_t j);

/* Returns whether a relative error is finite and exceeds three times rtol, so that it is reported. */
bool gradyn_accuracy_missed(double error, double rtol);

/* Divides *part, at first 1, by ten; the next run then has this part of the requested tolerances, and at
 * most 3 (steps + 100) steps; `steps`: of the last run. Returns false, *part unchanged, if *part < 1 and
 * rtol would be < 1e-12. */
bool gradyn_accuracy_tighten(gradyn_evaluator *ev, double *part, long steps);

/* Returns the ratio of the error to the difference from a run with steps `longer` > 1 times as long, by
 * this order. */
double gradyn_accuracy_by_order(double longer, int order);

/* Returns whether a relative difference is below 0.01 and more than half of the one before. */
bool gradyn_accuracy_stuck(double apart, double before);

/* Raises a->spread to the largest relative difference of a->psi and a->other_psi, and at least to 0. */
void gradyn_accuracy_keep_spread(gradyn_accuracy *a);
/* Stores the events of the last run, with their latched data. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_accuracy_keep_log(gradyn_accuracy *a);
/* Writes the stored events back to the log. Repeated runs may have had other events, or failed. */
void gradyn_accuracy_restore_log(const gradyn_accuracy *a);
/* Ends the runs of a gradient: stores its estimated error in ev->exactness and ev->kept, and adds warnings to
 * ev->found if it is too large, which is no error. Errors: GRADYN_STIFF, the explicit method of a choice is
 * unstable at rest; those of gradyn_accuracy_floors(). */
gradyn_status gradyn_accuracy_conclude(gradyn_accuracy *a);
/* Call after a successful gradient at rho [parameters] with its results psi and gradient, by all data or by
 * parameters, which are only read. Warns if the error of fixed steps exceeds a thousandth; does nothing for
 * adaptive steps. Costs a gradient with steps three times as long and, if it fails or differs too much, one
 * with half the step and the run of gradyn_accuracy_floors(). Errors: GRADYN_INTERRUPTED, GRADYN_NO_MEMORY;
 * those of gradyn_accuracy_floors(). Other failures of these runs are warnings. */
gradyn_status gradyn_step_error(gradyn_evaluator *ev, bool data, const double *rho,
                                const double *psi, const double *gradient);

#endif
