/* Curvature and scores of an objective of fits at its minimum. */
#ifndef GRADYN_OPTIM_SCORES_H
#define GRADYN_OPTIM_SCORES_H

#include "optim/program/gauss_newton.h"

/* Matrices [n][n] by free parameters in units. All arrays belong to the arena of the caller. */
typedef struct gradyn_scores {
  size_t data;       /* number of residuals of the objective */
  bool robust;       /* a loss is robust */
  bool weighted;     /* all deviations are given */
  bool estimated;    /* a standard deviation is estimated */
  double square_sum; /* of u over the residuals of the objective, times the weights of their fits */
  double *u;         /* [functionals] residuals in standard deviations; NAN for other functionals */
  double *A; /* mean of the second derivatives of the objective, without those of measures */
  double *B; /* sum over data of products of their gradients */
  double *g; /* [n] gradient of the objective */
} gradyn_scores;

/* Computes *out at a point, evaluated with GRADYN_OK, of a program to which
 * gradyn_gauss_newton_applies().
 *
 * Datum i adds loss(u)/2 to its fit, with its derivative psi = loss'/2 by u. Its gradient is psi u'. The
 * mean of its second derivatives is the mean of loss''/2 u' u'^T, since that of psi is zero. The
 * functional is the root r of the loss with the sign of u: psi u' = r r' and u' = r'/R with R = dr/du =
 * psi/r. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_scores_compute(const gradyn_program *program, const gradyn_trial *point,
                                    gradyn_arena *arena, gradyn_scores *out);

#endif
