/* Sparse Jacobians of many general equations. The structure is found by trial evaluations. States that
 * share no equation are perturbed together ("colours"). */
#ifndef GRADYN_CORE_JACOBIAN_H
#define GRADYN_CORE_JACOBIAN_H

#include "core/equations/equations.h"
#include "core/linear/pattern.h"

/* F_y and F_y' by columns, in one common pattern. */
typedef struct gradyn_jacobian {
  gradyn_equations_model *e;
  int n;
  const double *id;   /* [n], 0: the state has no rate; borrowed */
  int *start, *row;   /* [n + 1], [count]: column i has the entries start[i] to start[i + 1] - 1 */
  double *F_y, *F_yp; /* [count] */
  bool *in_y, *in_yp; /* [count], whether the entry belongs to F_y, to F_y' */
  int *colour[2];     /* [n], colours of the columns of F_y and of F_y'; -1: empty column */
  int colours[2];     /* number of colours */
  double tolerance;   /* tolerance of the comparison in gradyn_jacobian_at() */
  bool grown;         /* at() has found unknown entries: the pattern has changed */
  /* known entries: row, column, and whether in F_y'. first_known: their number after creation; known: now */
  int *found[3], first_known, known, capacity;
  /* [n], workspace: a direction, the product with it, the sum of its terms' magnitudes */
  double *v, *Jv, *sum;
} gradyn_jacobian;

/* Finds the structure around the initial state. e and id [n] are borrowed; the caller frees *out. *out is
 * NULL if a dense matrix is better: few states, or equations that depend on many of them. It is also NULL if
 * the equations fail, which is no error here. GRADYN_NO_MEMORY, with a message. The arguments of
 * gradyn_equations_at() change. */
gradyn_status gradyn_jacobian_create(gradyn_equations_model *e, const double *id,
                                     gradyn_jacobian **out);

/* Frees J and all it owns; NULL: no effect. */
void gradyn_jacobian_free(gradyn_jacobian *J);

/* Restores the structure found at creation, and the tolerance. Returns whether the pattern has changed. */
bool gradyn_jacobian_reset(gradyn_jacobian *J);

/* Evaluates F_y and F_yp at the arguments of gradyn_equations_at().
 *
 * A product of the matrices with a vector is compared with the same product by the equations. A difference
 * shows a new dependency, for example in another branch. Then all columns are evaluated again, and `grown`
 * is set if entries were added. Errors: failures of the equations; GRADYN_NO_MEMORY. */
gradyn_status gradyn_jacobian_at(gradyn_jacobian *J);

/* Creates the pattern of both matrices by rows; the caller clears it, unless this fails. position [start[n]]
 * receives, for each entry in the order by columns, its index in the pattern. GRADYN_NO_MEMORY, with a
 * message. */
gradyn_status gradyn_jacobian_pattern(const gradyn_jacobian *J, gradyn_pattern *pattern,
                                      int *position);

#endif
