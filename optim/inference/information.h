/* Directions of parameters that candidates for measurements determine. */
#ifndef GRADYN_OPTIM_INFORMATION_H
#define GRADYN_OPTIM_INFORMATION_H

#include "optim/inference/candidates.h"
#include <gradyn/inference.h>

/* Coordinates y of the parameters, x = V y, in which the mean information of the candidates, with its share
 * of the priors, is the identity. */
typedef struct gradyn_information {
  size_t n, m;    /* number of free parameters, and of directions that candidates determine */
  double *V;      /* [m][n] row k: direction k, as a step of the parameters */
  double *prior;  /* [m][m] information of the priors, in y */
  double *C;      /* [m][m] tr(C M^-1) is the sum of the variances of all known parameters */
  bool *known;    /* [n] candidates determine the parameter */
  double log_det; /* ln det of the information by x, minus that by y; only if m = n */
} gradyn_information;

/* Fills *information for N measurements, with arrays from the arena. Appends directions without effect to
 * those of *out, whose array has n elements. Errors: GRADYN_NOT_CONVERGED, eigenvalues were not found;
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_information_find(const gradyn_candidate_set *set, double N,
                                      gradyn_arena *arena, gradyn_information *information,
                                      gradyn_experiment *out);

/* Returns the components V a [m] of a vector a [n] along the directions, in memory of the arena; NULL: a is
 * NULL or memory is out. */
double *gradyn_information_turn(const gradyn_information *information, const double a[],
                                gradyn_arena *arena);

#endif
