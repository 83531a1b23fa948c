/* The saddle system [M, J^T; J, 0] with a constant, positive definite M, for small models: with M^-1
 * at hand it takes one factorisation of the m x m matrix J M^-1 J^T. */
#ifndef GRADYN_CORE_SCHUR_H
#define GRADYN_CORE_SCHUR_H

#include <stdbool.h>

#include "core/linear/arena.h"
#include "core/linear/rows.h"

/* Matrices whose rows are taken whole are stored in lanes, `width` to a row (core/linear/rows.h). */
typedef struct gradyn_schur {
  int n, m, width;
  const gradyn_pattern *dyn, *jac; /* borrowed */
  gradyn_lanes *mass;              /* [n][width] M */
  gradyn_lanes *J;                 /* [m][width] of the last factor(), and zeros behind */
  gradyn_lanes *inverse;           /* [n][width] M^-1 */
  int axes;              /* M^-1 is that of points, the same along so many axes; 1: it is not */
  double *points;        /* [n / axes][n / axes] M^-1 of points */
  gradyn_lanes *measure; /* [width] over the diagonal of M^-1 */
  gradyn_lanes *W;       /* behind M^-1: [m][width] J M^-1 */
  double *S;             /* behind W: [m][m] L of L D L^T, D inverted on its diagonal */
  gradyn_lanes *N;     /* [n - m][width] what J leaves free, by invert(): J N^T = 0, N M N^T = D */
  gradyn_lanes *T;     /* behind N: [m][width] S^-1 J M^-1 */
  gradyn_lanes *V;     /* behind T: [n - m][width] D^-1 N */
  double *D;           /* [n - m] the diagonal of D */
  gradyn_lanes *E, *U; /* [n][width], [n - m][width] E and N E, by bend() */
  double *B;           /* [n - m][n - m] L U of D - N E N^T, U inverted on its diagonal */
  gradyn_lanes *P;     /* behind U: [n - m][width] B^-T N */
  bool transposed;     /* E is that of a transpose */
  gradyn_lanes *work;  /* rows of all kinds */
  double *zero;        /* [n] */
  int *place[2];       /* [dyn.nnz] entries' places in rows: plain, transposed */
  int *rows;           /* [jac.nnz] the same in J */
  gradyn_lanes *rates; /* [m] work of add_rates() */
  double least_pivot;  /* of the last factor(): smallest pivot over the entry it came from */
  int weakest;         /* the row of that pivot */
  gradyn_arena arena;  /* of all arrays */
} gradyn_schur;

/* For the first m rows of the Jacobian's pattern; GRADYN_INVALID: more of them, or more coordinates,
 * than GRADYN_ROW_MOST. */
gradyn_status gradyn_schur_create(const gradyn_pattern *dyn, const gradyn_pattern *jac, int m,
                                  gradyn_schur *out);
void gradyn_schur_clear(gradyn_schur *s);

/* Takes M [dyn.nnz]. GRADYN_SINGULAR: it is not positive definite. */
gradyn_status gradyn_schur_mass(gradyn_schur *s, const double *M);

/* Takes J [jac.nnz]. GRADYN_SINGULAR: its rows depend on each other. */
gradyn_status gradyn_schur_factor(gradyn_schur *s, const double *J);

/* Copies J M^-1 and the factor L D L^T to room for gradyn_schur_size() numbers, and takes them back:
 * lanes are solved for then as if factor() had just been called; single right-hand sides and the inverse,
 * which ask for J as well, are not to be had. */
size_t gradyn_schur_size(const gradyn_schur *s);
void gradyn_schur_save(const gradyn_schur *s, double *capacity);
void gradyn_schur_restore(gradyn_schur *s, const double *capacity);

/* Solves in place, b [n + m]. */
void gradyn_schur_solve(const gradyn_schur *s, double *b);

/* The same for the right-hand side b + (M e, 0), e [n]. */
void gradyn_schur_solve_shifted(const gradyn_schur *s, const double *e, double *b);

/* The projection M change + J^T mult = 0, J change = -g for mult [m] = g; moved = start + change, all [n]. */
void gradyn_schur_project(const gradyn_schur *s, const double *start, double *mult, double *change,
                          double *moved);

/* Solves for four right-hand sides side by side, or for eight with two lanes to an entry; b and x [n + m] do
 * not overlap. rates: the last m entries of b are not all zero, or else they are not read; minus: for -b. */
void gradyn_schur_solve_lanes(const gradyn_schur *s, int lanes, bool rates, bool minus,
                              const gradyn_lanes *b, gradyn_lanes *x);

/* Inverts the whole matrix of the last factor(), which pays where solutions are asked for again and again:
 * the inverse is [G, T^T; T, -S^-1] with G = N^T D^-1 N. */
void gradyn_schur_invert(gradyn_schur *s);

/* x = G f, or x = G f and mult = T f, x [n + m]; then x += T^T g and, unless mult is NULL, mult -= S^-1 g.
 * Arrays do not overlap. */
void gradyn_schur_apply(const gradyn_schur *s, const gradyn_lanes *f, gradyn_lanes *x);
void gradyn_schur_apply_both(const gradyn_schur *s, const gradyn_lanes *f, gradyn_lanes *x);
void gradyn_schur_add_rates(const gradyn_schur *s, const gradyn_lanes *g, gradyn_lanes *x,
                            gradyn_lanes *mult);
/* mult -= S^-1 g alone. */
void gradyn_schur_take_rates(const gradyn_schur *s, const gradyn_lanes *g, gradyn_lanes *mult);

/* Takes E, factor times `values` of pattern dyn or the transpose of that, for systems with M - E in the
 * place of M, after invert(). false: M - E is too far from being positive in the directions that J leaves
 * free, and there is nothing to solve with. */
bool gradyn_schur_bend(gradyn_schur *s, const double *values, double factor, bool transposed);

/* (M - E) x + J^T mult = f + E e, J x = g for lanes of right-hand sides b = (f; g) [n + m] and e [n], with
 * the E of the last bend(); rates: as above. x [n], and behind it mult if `multipliers`; with them, unless it
 * is NULL, weighed [n] = M x. Arrays do not overlap. */
void gradyn_schur_solve_bent(const gradyn_schur *s, bool rates, bool multipliers,
                             const gradyn_lanes *b, const gradyn_lanes *e, gradyn_lanes *x,
                             gradyn_lanes *weighed);

/* Whether the model is so small that products with matrices in full take less time than with those
 * of pattern dyn. */
bool gradyn_schur_small(const gradyn_schur *s);
/* For lanes: y = M x; y += J x and x -= J^T mult with the J of the last factor(). */
void gradyn_schur_weigh(const gradyn_schur *s, const gradyn_lanes *x, gradyn_lanes *y);
void gradyn_schur_rates(const gradyn_schur *s, const gradyn_lanes *x, gradyn_lanes *y);
void gradyn_schur_pull(const gradyn_schur *s, const gradyn_lanes *mult, gradyn_lanes *x);

#endif
