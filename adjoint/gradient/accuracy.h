/* Inside of the accuracy of gradients. */
#ifndef GRADYN_ADJOINT_ACCURACY_H
#define GRADYN_ADJOINT_ACCURACY_H

#include "adjoint/gradient/gradient.h"

typedef struct gradyn_accuracy {
  gradyn_evaluator *ev;
  gradyn_gradient_fn *once;
  size_t nf, columns;
  bool data; /* by all data, otherwise by parameters */
  double rtol;
  double *psi, *gradient;    /* [nf], [nf][columns] of the caller: the best ones */
  double *other_psi, *other; /* the same of a repetition */
  double *errors;            /* [nf] of the gradient */
  double *corner;            /* [nf] s; NAN: none */
  double value;              /* error of the values, as gradyn_accuracy_of_values() */
  size_t value_of;           /* the functional with the largest one */
  int events;                /* of the run that values come from */
  double spread; /* largest relative difference of values so far; negative: no comparison */
} gradyn_accuracy;

/* The largest of the errors that the best gradient and the other one differ by, times a factor, over what
 * they are measured by; those of each functional go to a->errors. */
double gradyn_accuracy_difference(const gradyn_accuracy *a, double factor);

/* The largest difference of both runs' values, over the values or what tolerances make of them, in the units
 * of a->rtol; sets a->value_of. */
double gradyn_accuracy_of_values(gradyn_accuracy *a);

/* Size of the j-th number that gradients are taken by: of a parameter that is next to zero what is typical
 * of it. */
double gradyn_accuracy_size(const gradyn_accuracy *a, size_t j);

/* Keeps what the values of both runs differ by. */
void gradyn_accuracy_keep_spread(gradyn_accuracy *a);

/* Keeps the events of the last run, whose values are given; puts them where those of repetitions are. */
gradyn_status gradyn_accuracy_keep_log(gradyn_accuracy *a);
void gradyn_accuracy_restore_log(const gradyn_accuracy *a);

/* The other gradient becomes the best one. */
void gradyn_accuracy_take_over(gradyn_accuracy *a);

/* What is left of a gradient whose error is known: a warning, or GRADYN_STIFF for the other method of a
 * choice. */
gradyn_status gradyn_accuracy_conclude(gradyn_accuracy *a, double error);

/* Improves the gradient by runs with tighter tolerances; *error: estimate of what is left. */
gradyn_status gradyn_accuracy_tighten(gradyn_accuracy *a, double *error);

#endif
