/* Sparse Jacobians of general equations that are many: which states an equation depends on is found by
 * trying, and states that share no equation are stepped together ("colours"). */
#ifndef GRADYN_CORE_JACOBIAN_H
#define GRADYN_CORE_JACOBIAN_H

#include "core/equations/equations.h"
#include "core/linear/pattern.h"

/* F_y and F_y' by columns, on one pattern. */
typedef struct gradyn_jacobian {
  gradyn_equations_model *e;
  int n;
  const double *id;   /* [n] 0: no rate; borrowed */
  int *start, *row;   /* [n + 1], [count] entries of column i from start[i] on */
  double *F_y, *F_yp; /* [count] */
  bool *in_y, *in_yp; /* [count] whether the entry is one of F_y, of F_y' */
  int *colour[2];     /* [n] of the columns of F_y and of F_y'; -1: nothing in it */
  int colours[2];     /* how many */
  double tolerance;   /* of the comparison below */
  bool grown;         /* at() found entries that were not known: the pattern has changed */
  /* known entries: row, column, and whether of F_y'; those of the beginning, and all */
  int *found[3], first_known, known, capacity;
  double *v, *Jv,
      *sum; /* [n] scratch: a direction, the product with it, the sum of its terms' sizes */
} gradyn_jacobian;

/* Finds the structure around the initial state. *out is NULL where a dense matrix serves better: few
 * states, or equations that depend on many of them. id [n] is borrowed. */
gradyn_status gradyn_jacobian_create(gradyn_equations_model *e, const double *id,
                                     gradyn_jacobian **out);
void gradyn_jacobian_free(gradyn_jacobian *J);

/* Back to the structure of the beginning; true: the pattern has changed. */
bool gradyn_jacobian_reset(gradyn_jacobian *J);

/* Evaluates at the point set by gradyn_equations_at(). A product with a vector, taken from the equations
 * themselves, shows whether a dependence has come up that was not there before (a branch, a factor that was
 * zero): then all columns are tried again, and grown is set. */
gradyn_status gradyn_jacobian_at(gradyn_jacobian *J);

/* The pattern as one of rows; place [count]: where entries by columns stand in it. */
gradyn_status gradyn_jacobian_pattern(const gradyn_jacobian *J, gradyn_pattern *pattern,
                                      int *place);

#endif
