/* The correction of state and covariance by the data of one time. */
#ifndef GRADYN_ADJOINT_FILTER_UPDATE_H
#define GRADYN_ADJOINT_FILTER_UPDATE_H

#include "adjoint/analyses/filter_run.h"
#include <gradyn/inference.h>

typedef struct gradyn_filter_update {
  gradyn_filter_run *run; /* borrowed */
  gradyn_filter *out;     /* borrowed; its data in the order of time, rows and blocks are set */
  double *dy, *y_bar;     /* [nz][ny], [ny] derivatives of all states, and of a measure by them */
  double *H;              /* [m][size] derivatives of the data of a row */
  double *R;              /* [m] variances */
  double *PH, *K;         /* [size][m] P H^T, gain */
  double *S;              /* [m][m] Cholesky factor */
  double *A;              /* [2][size][size] 1 - K H, workspace */
  double *dw;             /* [size] correction */
  gradyn_arena arena;     /* owns all arrays */
} gradyn_filter_update;

/* Allocates the arrays for at most m data at one time, and those of S in the result. The run and the result
 * are borrowed. Clear *s in any case. Failures set the message of the run's model. Error:
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_filter_update_create(gradyn_filter_run *run, size_t m, gradyn_filter *out,
                                          gradyn_filter_update *s);

/* Frees the arrays, not the object, nor those of S in the result. */
void gradyn_filter_update_clear(gradyn_filter_update *s);

/* Corrects the present state of the run by the data of a row, from 0, of the result. The result receives
 * their innovations, S and their terms of -ln L. Errors: GRADYN_NON_FINITE, S is not positive definite;
 * those of measures and gradyn_filter_run_move(). */
gradyn_status gradyn_filter_update_apply(gradyn_filter_update *s, size_t row);

#endif
