/* How exact a gradient is, and runs with other steps that make it so: the last of three questions, which
 * method, once, how exact, that are asked one after the other (evaluate.c). */
#ifndef GRADYN_ADJOINT_ACCURACY_H
#define GRADYN_ADJOINT_ACCURACY_H

#include "adjoint/evaluator/evaluator.h"

/* Of steps that follow from an error: order of the scheme, parts of the steps in hand of which those of the
 * best run were made, and into which the last run has divided them; whether some were joined, and whether the
 * first run was at rest, whose steps are divided, whatever the method, as often as it takes. */
typedef struct gradyn_accuracy_steps {
  int order, fine, parts;
  bool joined, rests, kinks, falls; /* by which the last two divisions differ has fallen */
} gradyn_accuracy_steps;

/* Of tolerances: those of the best run, as a part of those asked for; those of the run in hand over them, and
 * theirs over those before; the power of them by which errors fall; what the best run before errs by, if all
 * differences so far fall as kinks let them. */
typedef struct gradyn_accuracy_tolerances {
  double part, ratio, last, power, chance;
  bool asked;    /* runs are compared with those of tighter tolerances, not of other steps */
  bool confirms; /* the run in hand confirms a comparison: the larger difference counts */
} gradyn_accuracy_tolerances;

typedef struct gradyn_accuracy {
  gradyn_evaluator *ev;
  size_t nf, columns;
  bool data; /* by all data, otherwise by parameters */
  double rtol;
  double *psi, *gradient;    /* [nf], [nf][columns] of the caller: the best ones */
  double *other_psi, *other; /* the same of a repetition */
  double **to_psi, **to;     /* where the next run takes them from */
  double *errors;            /* [nf] of the gradient, over its scale */
  double *corner;            /* [nf] s; NAN: none */
  double *scale;             /* [nf] of the gradient's components, as runs have shown it */
  double *apart;             /* [nf][columns] by what the last two gradients differ */
  double factor;             /* the error of the best one over that */
  double value;              /* error of the values, as gradyn_accuracy_of_values() */
  size_t value_of;           /* the functional with the largest one */
  int events;                /* of the run that values come from */
  double spread; /* largest relative difference of values so far; negative: no comparison */
  double clock;  /* s, at the beginning */
  bool asked;
  int runs; /* that have been made */
  double error,
      before; /* of the best gradient; what the two runs before it differed by, 0: unknown */
  gradyn_accuracy_steps steps;
  gradyn_accuracy_tolerances tighter;
} gradyn_accuracy;

/* Before a first run, which leaves *psi [nf] and a *gradient by parameters or all data [nf][columns], of the
 * caller's; repetitions find other places there. asked: false where it is no gradient, or one to be taken as
 * it comes. */
gradyn_accuracy gradyn_accuracy_begin(gradyn_evaluator *ev, bool asked, bool data, double **psi,
                                      double **gradient);

/* After a run that has ended so: whether it is to be repeated, with the steps or tolerances that its method
 * has been given by now; asked until it is not, when *status is that of all runs. */
bool gradyn_accuracy_repeats(gradyn_accuracy *a, gradyn_status *status);

/* The largest difference of both runs' values, over the values or what tolerances make of them, in the units
 * of a->rtol; sets a->value_of. */
double gradyn_accuracy_of_values(gradyn_accuracy *a);

/* Sizes of functionals that do not vanish with their values, and of the numbers that they are differentiated
 * by; released with the arena. */
typedef struct gradyn_floors {
  double *functional, *number; /* [nf], [columns] */
  gradyn_arena arena;
} gradyn_floors;
void gradyn_floors_clear(gradyn_floors *floors);

/* Of a functional the largest of its value, of the terms that have cancelled in it, and of its unit, made of
 * the mass, length and time of the model. After the last run, which it repeats. */
gradyn_status gradyn_accuracy_floors(const gradyn_accuracy *a, gradyn_floors *out);

/* Errors of the derivatives of functional f over what the last two gradients differ by. */
double gradyn_accuracy_factor(const gradyn_accuracy *a, size_t f);

/* A derivative with its estimated error, in its own unit, and what of it is tolerated. */
typedef struct gradyn_inexact {
  size_t functional, number;
  double error, allowed;
} gradyn_inexact;

static inline double gradyn_inexact_excess(const gradyn_inexact *d)
{
  return d->allowed > 0 ? d->error / d->allowed : 0;
}

/* The derivative of functional f whose error is the largest part of what is tolerated: a->rtol of what it is
 * measured by, and of a search what changes no verdict. Floors may be empty. */
gradyn_inexact gradyn_accuracy_worst_of(const gradyn_accuracy *a, const gradyn_floors *floors,
                                        size_t f);

/* Name of a number, and the unit of a derivative, "m/(N/m)". */
const char *gradyn_accuracy_by(const gradyn_accuracy *a, size_t number);
void gradyn_accuracy_unit(const gradyn_accuracy *a, const gradyn_inexact *d, char *text,
                          size_t size);

/* The largest of the errors that a->gradient and a->other differ by, times `factor`, over what they are
 * measured by: those of each functional to a->errors, what they differ by to a->apart, but for corners. */
double gradyn_accuracy_difference(gradyn_accuracy *a, double factor);

/* Size of the j-th number that gradients are taken by: of a parameter that is next to zero what is typical
 * of it. */
double gradyn_accuracy_size(const gradyn_accuracy *a, size_t j);

/* Whether an error is so many times what was asked for that it is reported. */
bool gradyn_accuracy_missed(double error, double rtol);

/* Has the next run take a tenth of *part of the tolerances asked for, which the last one took; steps that are
 * many more than its own are no gain. False: that is less than runs bear. */
bool gradyn_accuracy_tighten(gradyn_evaluator *ev, double *part, long steps);

/* What a difference to steps so many times as long is multiplied by for the error, by a scheme's order. */
double gradyn_accuracy_by_order(double longer, int order);

/* Whether differences, relative ones, apart and before that, do not fall: steps that are too long do not make
 * them. */
bool gradyn_accuracy_stuck(double apart, double before);

/* Keeps what the values of both runs differ by. */
void gradyn_accuracy_keep_spread(gradyn_accuracy *a);

/* Keeps the events of the last run, whose values are given, with what they have captured; puts them where
 * those of repetitions are, which may have had others, or failed before. */
gradyn_status gradyn_accuracy_keep_log(gradyn_accuracy *a);
void gradyn_accuracy_restore_log(const gradyn_accuracy *a);

/* What is left of a gradient whose error is known: a warning, or GRADYN_STIFF for the other method of a
 * choice. */
gradyn_status gradyn_accuracy_conclude(gradyn_accuracy *a);

/* After a gradient at rho, by all data or by parameters, that has succeeded: reports where its fixed steps
 * err by more than a thousandth. Costs a run with steps three times as long, and where that differs too much
 * one with half the step. */
gradyn_status gradyn_step_error(gradyn_evaluator *ev, bool data, const double *rho,
                                const double *psi, const double *gradient);

#endif
