/* The space that some rows of a matrix span, most of whose entries are zero: which rows depend on others,
 * what a vector has beside them, the sum of them nearest to a vector, and the shortest way that changes them
 * by as much as is wanted. Code of our own, since SuiteSparseQR, which would do, is under the GPL: gradyn is
 * not, nor is Ipopt, which packages hold beside it. */
#ifndef GRADYN_OPTIM_SPAN_H
#define GRADYN_OPTIM_SPAN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct gradyn_span gradyn_span;

/* What a row of length one must have beside others, usually, not to depend on them. */
#define GRADYN_SPAN_LEAST 1e-8

/* Rows of a matrix A [..][n]; those that are taken. */
typedef struct gradyn_span_rows {
  const double *A;
  size_t n;
  const size_t *row; /* [count] */
  size_t count;
  const bool *ignored;  /* [n] columns that count as zero; NULL: none */
  double least;         /* what a row of length one must have beside those before it */
  bool counted;         /* nothing is asked but which depend on others */
  const double *target; /* [n] of gradyn_span_nearest(); NULL: none */
} gradyn_span_rows;

/* Finds the space of rows, which are borrowed. NULL: out of memory. */
gradyn_span *gradyn_span_create(const gradyn_span_rows *rows);
void gradyn_span_free(gradyn_span *span);

/* Whether the k-th of them depends on those before it, of which long rows are the last ones. */
bool gradyn_span_depends(const gradyn_span *span, size_t k);

/* Takes from v [n] what is within the space, and what is ignored. */
void gradyn_span_project(gradyn_span *span, double v[]);

/* Factors y [count] by which the sum of rows is nearest to the target; 0 of those that depend on others. */
void gradyn_span_nearest(const gradyn_span *span, double y[]);

/* Adds to v [n] the shortest change d with A_k d = c [count] for those that do not depend on others. */
void gradyn_span_reach(gradyn_span *span, const double c[], double v[]);

#endif
