/* Conserved totals of general equations, such as the sum of a substance and its product. */
#ifndef GRADYN_DAE_TOTALS_H
#define GRADYN_DAE_TOTALS_H

#include "dae/systems/index1_equations.h"

enum { GRADYN_TOTAL_NAME = 160 };

/* A datum on which W depends. */
typedef struct gradyn_totals_datum {
  int datum;   /* index in x */
  bool exists; /* the totals exist for other values as well */
} gradyn_totals_datum;

/* Combinations W F of the equations that are zero at rest for all states. With constant C = W F_y', the
 * totals C y are constant in every motion. If W depends on data, changes of W follow from W F = 0 at
 * `states` general states: dW F = -W F_x dx. */
typedef struct gradyn_totals {
  int count;
  double *W, *C;             /* [count][ny] */
  int *chosen;               /* [ny] workspace of the search */
  gradyn_totals_datum *data; /* [data_count] */
  int data_count, states;    /* numbers of these data and of general states; 0: W is constant */
  double *y, *F;             /* [states][ny] general states, and F(y, 0) there */
  double *alpha;             /* [states] workspace of derivatives */
  gradyn_arena arena;
} gradyn_totals;

/* Finds all totals from the matrices at t, s, at y [ny] and at states near it, away from zero by parts of
 * their sizes [ny]. The system then has another point. *out: cleared before, to be cleared in any case.
 * Errors: GRADYN_UNSUPPORTED, C is not constant; GRADYN_NOT_CONVERGED, a total changes at rest, or no
 * singular values; GRADYN_NO_MEMORY; failures of the equations at y. */
gradyn_status gradyn_totals_find(gradyn_equations_system *s, double t, const double *y,
                                 const double *size, gradyn_totals *out);

/* Frees the members, not the object; may be repeated. */
void gradyn_totals_clear(gradyn_totals *totals);

/* Writes the name of total i, from 0, such as "A + 2 B", into buffer. Returns buffer. */
const char *gradyn_totals_name(const gradyn_totals *totals, const gradyn_equations_system *s, int i,
                               char buffer[GRADYN_TOTAL_NAME]);

#endif
