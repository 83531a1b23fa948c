/* Independent coordinates of a mechanism: a selection of its coordinates, as many as degrees of freedom, and
 * the tangent vectors of motions that they define. */
#ifndef GRADYN_DAE_INDEPENDENT_H
#define GRADYN_DAE_INDEPENDENT_H

#include "core/linear/arena.h"
#include "core/mech/mech.h"

/* Selected coordinates, and the elimination E [Phi_q, 1] = [1, R, E] that gives all others: Phi_q dq = 0 and
 * Phi_q dv = -Phi'_q dq. */
typedef struct gradyn_independent {
  gradyn_mech *mech;
  int n, m;
  int count;          /* number of independent coordinates */
  int *at;            /* [n] their indices, ascending; never an idle coordinate */
  const bool *loose;  /* [m] true for rows that are ignored; NULL: none. Borrowed */
  int *pivot;         /* [m] coordinate determined by a row; -1: the row depends on other rows */
  bool *is_pivot;     /* [n] */
  bool *barred;       /* [n] workspace */
  double *rows;       /* [m][n + m] */
  double *J, *J1;     /* [jac.nnz + 1] Phi_q and Phi'_q */
  double *r, *phi;    /* [m] and [n] */
  gradyn_arena arena; /* owns all these arrays */
} gradyn_independent;

/* Allocates the arrays; mech must outlive *out. After a failure, *out is empty. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_independent_create(gradyn_mech *mech, gradyn_independent *out);

/* Frees the members, not the object; may be repeated. */
void gradyn_independent_clear(gradyn_independent *s);

/* Selects coordinates at a state: those marked in requested [n] (NULL: none), and others that are best
 * determined as independent. Errors: GRADYN_INVALID, the constraints tie requested coordinates together;
 * GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the deadline; failures of the constraints. */
gradyn_status gradyn_independent_choose(gradyn_independent *s, const gradyn_mech_state *at,
                                        const bool *requested);

/* Selects coordinates at a state by rank [n], 0 to 2: as many as possible of rank 2, then of rank 1 those
 * that are well determined as independent. Errors: GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the deadline;
 * failures of the constraints. */
gradyn_status gradyn_independent_rank(gradyn_independent *s, const gradyn_mech_state *at,
                                      const int *rank);

/* Evaluates the constraints at another state, for the same coordinates. Errors:
 * GRADYN_SINGULAR, the selected coordinates do not determine the others there; those of
 * gradyn_independent_rank(). */
gradyn_status gradyn_independent_move(gradyn_independent *s, const gradyn_mech_state *at);

/* Computes the changes dq and dv [n] of all coordinates and velocities at a fixed time, at the state of the
 * last selection or move(), from the changes du of the independent coordinates and `rate` of their rates,
 * both [count]. */
void gradyn_independent_lift(gradyn_independent *s, const double *du, const double *rate,
                             double *dq, double *dv);

/* Does the first part of gradyn_independent_lift(): computes dq [n] from du [count]. The two parts may use
 * different constraints. */
void gradyn_independent_positions(gradyn_independent *s, const double *du, double *dq);

/* Does the second part of gradyn_independent_lift(): computes dv [n] from dq [n] and the changes `rate`
 * [count] of the independent rates. The two parts may use different constraints. */
void gradyn_independent_rates(gradyn_independent *s, const double *dq, const double *rate,
                              double *dv);

#endif
