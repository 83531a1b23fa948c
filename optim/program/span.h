/* The span of some rows of a sparse matrix: finds dependent rows, projects vectors, and solves
 * least-squares problems with the rows.
 *
 * This is code of our own because SuiteSparseQR, which has these functions, is under the GPL. Neither
 * gradyn is under it, nor Ipopt, which packages contain beside gradyn. */
#ifndef GRADYN_OPTIM_SPAN_H
#define GRADYN_OPTIM_SPAN_H

#include <stdbool.h>
#include <stddef.h>

#include "optim/program/entries.h"

typedef struct gradyn_span gradyn_span;

/* Usual smallest distance of a row of length one from the span of others: a nearer row depends on
 * them. */
#define GRADYN_SPAN_LEAST 1e-8

/* Some rows of a matrix A [..][n], and the request. */
typedef struct gradyn_span_rows {
  const gradyn_entries *entries; /* stored entries of A; NULL: all */
  const double *A;
  size_t n;
  const size_t *row; /* [count], indices of the rows in A, from 0 */
  size_t count;
  const bool *ignored; /* [n], columns that count as zero; NULL: none */
  /* a row of length one depends on the earlier ones if its distance is not above this */
  double least;
  bool counted;         /* only gradyn_span_depends() will be called */
  const double *target; /* [n], for gradyn_span_nearest(); NULL: that is not called */
} gradyn_span_rows;

/* Factorises the rows; returns the span, to be freed by gradyn_span_free(). `ignored` is borrowed until
 * then, other arrays only during the call. NULL: out of memory. */
gradyn_span *gradyn_span_create(const gradyn_span_rows *rows);
/* Frees a span; NULL is ignored. */
void gradyn_span_free(gradyn_span *span);

/* Returns whether row k < count of rows->row depends on the rows before it. Rows with more than 100 entries
 * count as the last ones. */
bool gradyn_span_depends(const gradyn_span *span, size_t k);

/* Removes from v [n] its component in the span, and sets ignored columns to zero. */
void gradyn_span_project(gradyn_span *span, double v[]);

/* Fills y [count] with the factors for which the sum of y_k times row k is nearest to the target; 0 for
 * dependent rows. */
void gradyn_span_nearest(const gradyn_span *span, double y[]);

/* Adds to v [n] the shortest vector d with row_k . d = c_k, c [count], for all independent rows k. d is zero
 * in ignored columns. */
void gradyn_span_reach(gradyn_span *span, const double c[], double v[]);

#endif
