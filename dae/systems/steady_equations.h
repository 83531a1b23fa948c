/* The steady state in which a run of general equations starts: F(t, y, 0, x) = 0 with the values before the
 * run. */
#ifndef GRADYN_DAE_STEADY_EQUATIONS_H
#define GRADYN_DAE_STEADY_EQUATIONS_H

#include "dae/systems/totals.h"

/* Largest number of states for which stability is tested. */
enum { GRADYN_STEADY_TESTED = 300 };

typedef struct gradyn_steady_state {
  gradyn_model *model;
  gradyn_equations_model *e;
  bool before;                    /* data and signals have their values before the run */
  gradyn_index1 *system;          /* of its own, which starts in the initial values */
  gradyn_equations_system *plain; /* the same */
  double *y0, *y;                 /* [ny] initial values; the steady state */
  double *yp, *size, *d, *last, *kept,
      *r;               /* [ny] zeros, sizes, a step, the one before, workspace */
  double *change;       /* [ny] y - y0 */
  double *x;            /* [nx] data of the state in y; x[0] NAN: none */
  gradyn_totals totals; /* conserved totals, if F_y is singular */
  double *K, *b; /* [side][side] by columns, [side] = [ny + totals]; factors; a right-hand side */
  int *pivots;   /* [side] */
  int capacity;  /* side for which K has memory */
  gradyn_arena arena;
} gradyn_steady_state;

/* Creates the object for a model, which must outlive it; clear it in any case. before: data and signals
 * have their values before the run. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_steady_state_create(gradyn_model *model, bool before,
                                         gradyn_steady_state *out);

/* Frees the members, not the object; may be repeated. */
void gradyn_steady_state_clear(gradyn_steady_state *w);

/* Follows the motion from the initial values, at the start of the run, until Newton's method finds its steady
 * state, w->y; with the same data, only once. stable: also tests its stability. Errors: GRADYN_NOT_CONVERGED,
 * the motion does not come to rest, or the state is unstable; GRADYN_SINGULAR, it is not isolated; those of
 * gradyn_totals_find(); failures of the equations. */
gradyn_status gradyn_steady_state_find(gradyn_steady_state *w, bool stable);

/* Sets sy [ny] to the change of the state found last for a change dx [nx] of its data. Errors:
 * GRADYN_UNSUPPORTED, totals depend on active data; failures of the equations. */
gradyn_status gradyn_steady_state_along(gradyn_steady_state *w, const double *dx, double *sy);

/* Transpose of gradyn_steady_state_along(): adds (dy/dx)^T y_bar to x_bar [nx], y_bar [ny] in w->r, which
 * is overwritten. Errors: GRADYN_UNSUPPORTED, totals depend on active data; failures of the equations. */
gradyn_status gradyn_steady_state_against(gradyn_steady_state *w, double *x_bar);

/* Sets g [ny] = F(y, y - y0) - F(y, 0) and w->change at w->y; overwrites w->last. Errors: failures of the
 * equations. */
gradyn_status gradyn_steady_state_moved(gradyn_steady_state *w, double *g);

/* Takes y [ny] as the steady state and finds its totals. Errors: GRADYN_SINGULAR, it is not isolated, though
 * totals are found; those of gradyn_totals_find(); failures of the equations. */
gradyn_status gradyn_steady_state_at(gradyn_steady_state *w, const double *y);

/* Solves with the matrix of Newton's method, or with its transpose if transposed: v [ny] and z [totals], in
 * place. */
void gradyn_steady_state_solve(gradyn_steady_state *w, bool transposed, double *v, double *z);

/* Fills w->K [side][side], by columns, side >= ny, with the matrix whose columns are by_y F_y + by_yp F_y'
 * for differential states and F_y for algebraic ones, at the point of the last linearise(), and zeros.
 * Errors: GRADYN_NO_MEMORY. */
gradyn_status gradyn_steady_state_fill(gradyn_steady_state *w, int side, double by_y, double by_yp);

/* Sets *sign to that of the determinant of this matrix, 0 if it is singular or too large to be tested.
 * det(F_y + cj F_y') changes its sign where cj passes a real eigenvalue of the motion. Errors:
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_steady_state_sign(gradyn_steady_state *w, double by_y, double by_yp,
                                       int *sign);

/* Sets *lost to whether `from` [ny] differs from the steady state in w->y by round-off only in the direction
 * that grows with this rate, 1/s. Errors: GRADYN_NO_MEMORY; failures of the equations. */
gradyn_status gradyn_steady_state_lost(gradyn_steady_state *w, double rate, const double *from,
                                       bool *lost);

#endif
