/* Parts of stagewise.c: the sum over stages, and what the equations and the functionals at a stage add to
 * it. */
#ifndef GRADYN_ADJOINT_ONESTEP_STAGE_SUM_H
#define GRADYN_ADJOINT_ONESTEP_STAGE_SUM_H

#include "adjoint/onestep/sweeps.h"

/* The sum, and the present stage or sample. Column `columns` is the combination. */
typedef struct gradyn_stage_sum {
  gradyn_onestep_sweeps *s;
  const gradyn_contraction *task;
  int columns, tangents; /* seen numbers of a stage, then its time */
  const double **dx;     /* [columns + 1][nx] */
  double *scale;         /* [columns + 1] */
  double *D;             /* [columns + 1][tangents] */
  double *dh;            /* [columns + 1] of the length of the step */
  double *by_h;          /* [columns + 1] derivative of the step by h, along a column */
  double *x_bar;         /* [columns + 1][nx] second derivatives by data, from functionals */
  int *moved, moves;     /* data that change with any column */
  double *v, *size;      /* [arguments][columns + 1], [arguments] */
  double *d;             /* [arguments] */
  double *y, *y_bar;     /* [seen] */
  double *x, *by_data;   /* [nx] data of the run; workspace */
  double *H;             /* [columns][columns], lower triangle */
  double along;          /* of the combination */
  bool thorough;         /* search for pairs, and functionals along every column */
  bool every;            /* at every stage */
  bool done;             /* all of the run is covered */
} gradyn_stage_sum;

/* Integrands at a stage, or the terminal parts in a record. */
typedef struct gradyn_stage_parts {
  double weight;
  int record; /* -1: integrands */
} gradyn_stage_parts;

/* Adds `one`, of column c, times other[k * stride] of columns k = 0 to c to row c of H. For c = m->columns,
 * the combination, adds only the product with its own number, to m->along. */
void gradyn_stage_sum_product(gradyn_stage_sum *m, int c, double one, const double *other,
                              int stride);

/* Returns the entry of column c, from 0, in an array of tangents with one entry per batch, such as times. */
double gradyn_stage_sum_entry(const gradyn_stage_sum *m, const gradyn_lanes *array, int c);

/* Adds the second derivatives of -eta^T F, eta [ny], at a stage [record] at t, s, whose tangents are in
 * m->D. Errors: failures of the equations. */
gradyn_status gradyn_stage_sum_equations(gradyn_stage_sum *m, double t, const double *stage,
                                         const double *eta);

/* Adds the second derivatives of the parts *which of the functionals, integrands or terminal parts, at a
 * time and a state. Errors: failures of the functionals. */
gradyn_status gradyn_stage_sum_functionals(gradyn_stage_sum *m, const gradyn_stage_parts *which,
                                           const gradyn_sample *at);

/* Adds the derivatives of the parts *which of the functionals at a time and a state, along all columns, to
 * m->by_h. Errors: failures of the functionals. */
gradyn_status gradyn_stage_sum_slopes(gradyn_stage_sum *m, const gradyn_stage_parts *which,
                                      const gradyn_sample *at);

/* Adds the second derivatives of the outer function of functional f, from 0, by its inner value and the end
 * time. */
void gradyn_stage_sum_outer(gradyn_stage_sum *m, int f);

#endif
