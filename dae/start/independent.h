/* Independent coordinates of a mechanism: some of its coordinates, as many as it has degrees of
 * freedom, and the tangent vectors of its motions that they stand for. */
#ifndef GRADYN_DAE_INDEPENDENT_H
#define GRADYN_DAE_INDEPENDENT_H

#include "core/linear/arena.h"
#include "core/mech/mech.h"

/* Phi_q dq = 0 and Phi_q dv = -Phi'_q dq, solved for the others by the rows of E [Phi_q, 1] = [1, R, E]. */
typedef struct gradyn_independent {
  gradyn_mech *mech;
  int n, m;
  int count;         /* of them */
  int *at;           /* [n] their places among the coordinates, ascending; never one that is idle */
  const bool *loose; /* [m] rows that do not count; NULL: all do. The caller's */
  int *pivot;        /* [m] coordinate that a row gives; -1: it depends on other rows */
  bool *is_pivot;    /* [n] */
  bool *barred;      /* [n] scratch */
  double *rows;      /* [m][n + m] */
  double *J, *J1;    /* [jac.nnz + 1] Phi_q, Phi'_q */
  double *r, *phi;   /* [m], [n] */
  gradyn_arena arena; /* of all these */
} gradyn_independent;

gradyn_status gradyn_independent_create(gradyn_mech *mech, gradyn_independent *out);
void gradyn_independent_clear(gradyn_independent *s);

/* Chooses coordinates at a state: those wanted [n] (NULL: none in particular) if they can be, and
 * others as far as the constraints move them most. GRADYN_INVALID: more are wanted than there can
 * be. */
gradyn_status gradyn_independent_choose(gradyn_independent *s, const gradyn_mech_state *at,
                                        const bool *wanted);

/* Chooses them by ranks [n]: of coordinates of rank 2 as many as can be, of rank 1 as many as can well be. */
gradyn_status gradyn_independent_rank(gradyn_independent *s, const gradyn_mech_state *at,
                                      const int *rank);

/* Takes the constraints at another state, with the same coordinates. GRADYN_SINGULAR: they do not determine
 * the others there. */
gradyn_status gradyn_independent_move(gradyn_independent *s, const gradyn_mech_state *at);

/* dq, dv [n] where the independent coordinates change by du and their rates by du' [count], at a
 * fixed time. */
void gradyn_independent_lift(gradyn_independent *s, const double *du, const double *rate,
                             double *dq, double *dv);

/* The two halves of that, which may be those of different constraints: dq, and dv by dq. */
void gradyn_independent_places(gradyn_independent *s, const double *du, double *dq);
void gradyn_independent_rates(gradyn_independent *s, const double *dq, const double *rate,
                              double *dv);

#endif
