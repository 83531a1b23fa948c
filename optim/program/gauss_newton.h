/* Second derivatives of an objective that compares a model with data: the Gauss-Newton matrix, with estimated
 * standard deviations the Fisher matrix, and an estimate of the rest. */
#ifndef GRADYN_OPTIM_GAUSS_NEWTON_H
#define GRADYN_OPTIM_GAUSS_NEWTON_H

#include "optim/program/point.h"

/* The matrices of a search are lower triangles [n (n + 1)/2], row by row, for steps of one unit. n: free
 * parameters. The arrays belong to an arena. */
typedef struct gradyn_gauss_newton {
  const gradyn_program *program; /* borrowed */
  /* second derivatives of residuals times these, estimated from the changes of the gradient */
  double *rest;
  double *x, *g;        /* [n], variables and gradient at the last iterate */
  double *work;         /* [6 n] */
  double factor;        /* factor of the objective at the last iterate; 0: there was none */
  size_t *row, *column; /* [n (n + 1)/2], indices of the entries, from 0; column <= row */
} gradyn_gauss_newton;

/* Returns whether all terms of the objective are fits with positive weights, and there are no pieces of a
 * maximum. */
bool gradyn_gauss_newton_applies(const gradyn_program *program);

/* Allocates the arrays from an arena, whose status reports a failure. The program must outlive *out. */
void gradyn_gauss_newton_create(gradyn_arena *arena, const gradyn_program *program,
                                gradyn_gauss_newton *out);

/* Fills values [n (n + 1)/2] with the Gauss-Newton matrix of factor times the objective at a point, evaluated
 * with GRADYN_OK. share [functionals]: factor of the square of each residual's gradient; NULL: 1, the choice
 * of searches, with which the matrix is positive semidefinite for all losses. work [2 n].
 *
 * With r = (m - y)/sigma and l = ln sigma, the derivatives of m over sigma are r' + r l'. Each datum adds
 * (r' + r l')(r' + r l')^T, and 2 l' l'^T, the mean of its second derivatives by l. */
void gradyn_gauss_newton_fill(const gradyn_program *program, const gradyn_trial *point,
                              double factor, const double share[], double work[], double values[]);

/* Fills values as gradyn_gauss_newton_fill(), at the next iterate of a search, x [n] in units, which `point`
 * has evaluated. The estimated rest is added if the last step needed it. If factor differs from that of the
 * last call, the rest begins at zero. */
void gradyn_gauss_newton_next(gradyn_gauss_newton *s, const gradyn_trial *point, const double x[],
                              double factor, double values[]);

#endif
