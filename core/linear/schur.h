/* The saddle system [M, J^T; J, 0] with constant, positive definite M, for small models. With M^-1, it needs
 * one factorisation of the m x m matrix J M^-1 J^T. Order of calls: create, mass, factor, then solves or
 * invert and products. Lanes are GRADYN_LANES right-hand sides (core/linear/lanes.h). */
#ifndef GRADYN_CORE_SCHUR_H
#define GRADYN_CORE_SCHUR_H

#include <stdbool.h>

#include "core/linear/arena.h"
#include "core/linear/rows.h"

/* Matrices whose rows are used as a whole are stored in lanes, `width` per row (core/linear/rows.h). */
typedef struct gradyn_schur {
  int n, m, width;
  const gradyn_pattern *dyn, *jac; /* borrowed */
  gradyn_lanes *mass;              /* [n][width], M */
  gradyn_lanes *J;                 /* [m][width], J given to the last factor(), followed by zeros */
  gradyn_lanes *inverse;           /* [n][width], M^-1 */
  int axes;       /* number of axes of points, for each of which M^-1 is the same; 1: it is not */
  double *points; /* [n / axes][n / axes], M^-1 of points */
  gradyn_lanes *measure; /* [width], 1 over the diagonal of M^-1 */
  gradyn_lanes *W;       /* after M^-1: [m][width], J M^-1 */
  double *S;             /* after W: [m][m], L of L D L^T, with the inverse of D on its diagonal */
  /* [n - m][width], directions allowed by J, from gradyn_schur_invert(): J N^T = 0, N M N^T = D */
  gradyn_lanes *N;
  gradyn_lanes *T;     /* after N: [m][width], S^-1 J M^-1 */
  gradyn_lanes *V;     /* after T: [n - m][width], D^-1 N */
  double *D;           /* [n - m], the diagonal of D */
  gradyn_lanes *E, *U; /* [n][width], [n - m][width], E, N E of modify() */
  double *B;           /* [n - m][n - m], L U of D - N E N^T, with the inverse of U's diagonal */
  gradyn_lanes *P;     /* after U: [n - m][width], B^-T N */
  bool transposed;     /* E was transposed */
  gradyn_lanes *work;  /* workspace for rows */
  double *zero;        /* [n] */
  int *position[2];    /* [dyn.nnz], positions of entries in rows: plain, transposed */
  int *rows;           /* [jac.nnz], positions of entries of J in its rows */
  gradyn_lanes *rates; /* [m], workspace of add_rates() */
  double least_pivot;  /* smallest pivot over its original entry, in the last factor() or mass() */
  int weakest;         /* the row of this pivot */
  gradyn_arena arena;  /* owner of all arrays */
} gradyn_schur;

/* Creates the system for M of the pattern dyn and the first m >= 0 rows of J of the pattern jac; both
 * patterns are borrowed until clear(). Errors: GRADYN_INVALID, there are no coordinates, or m or the number
 * of coordinates exceeds GRADYN_ROW_MOST; GRADYN_NO_MEMORY. After an error *out owns nothing. */
gradyn_status gradyn_schur_create(const gradyn_pattern *dyn, const gradyn_pattern *jac, int m,
                                  gradyn_schur *out);

/* Frees the members, not s itself, which is not NULL; may be repeated. */
void gradyn_schur_clear(gradyn_schur *s);

/* Sets M [dyn.nnz], copied, and computes M^-1. GRADYN_SINGULAR: M is not positive definite;
 * GRADYN_NON_FINITE; nothing can then be solved. Call factor() afterwards. */
gradyn_status gradyn_schur_mass(gradyn_schur *s, const double *M);

/* Copies the first m rows of J [jac.nnz], and factorises the system with the M of gradyn_schur_mass().
 * GRADYN_SINGULAR: these rows are dependent; GRADYN_NON_FINITE. After an error call factor() again before
 * any solve. */
gradyn_status gradyn_schur_factor(gradyn_schur *s, const double *J);

/* Returns the number of doubles that gradyn_schur_save() writes. */
size_t gradyn_schur_size(const gradyn_schur *s);

/* Copies J M^-1 and the factor L D L^T of the last factor() to capacity [gradyn_schur_size()]. */
void gradyn_schur_save(const gradyn_schur *s, double *capacity);

/* Copies back the numbers that gradyn_schur_save() has written to capacity [gradyn_schur_size()].
 * gradyn_schur_solve_lanes() then works as after factor(). All other solves and the inverse also need J,
 * and are not available until factor(). */
void gradyn_schur_restore(gradyn_schur *s, const double *capacity);

/* Solves M x + J^T mult = f, J x = g in place: b [n + m] = (f; g) becomes (x; mult), with M and the J of the
 * last factor(). */
void gradyn_schur_solve(const gradyn_schur *s, double *b);

/* Solves as gradyn_schur_solve(), in place of b, for the right-hand side b + (M e; 0); e [n]. */
void gradyn_schur_solve_shifted(const gradyn_schur *s, const double *e, double *b);

/* Solves M change + J^T mult = 0, J change = -g, and adds: moved = start + change. mult [m] is g on entry
 * and the multipliers on return; start, change, moved [n]. */
void gradyn_schur_project(const gradyn_schur *s, const double *start, double *mult, double *change,
                          double *moved);

/* Solves (M x + J^T mult; J x) = b for GRADYN_LANES right-hand sides, lanes = 1, or twice as many with two
 * lanes per entry, lanes = 2. b and x = (x; mult) [n + m] do not overlap. rates false: the last m entries
 * of b are zero and are not read. minus: solves for -b. */
void gradyn_schur_solve_lanes(const gradyn_schur *s, int lanes, bool rates, bool minus,
                              const gradyn_lanes *b, gradyn_lanes *x);

/* Inverts the whole matrix of the last factor(), for many solves with one matrix; valid until the next
 * factor(). The inverse is [G, T^T; T, -S^-1] with G = N^T D^-1 N. */
void gradyn_schur_invert(gradyn_schur *s);

/* Sets x [n] to G f, f [n], for lanes, after gradyn_schur_invert(); x must not overlap f. */
void gradyn_schur_apply(const gradyn_schur *s, const gradyn_lanes *f, gradyn_lanes *x);

/* Sets the first n entries of x [n + m] to G f and the others to T f, f [n], for lanes, after
 * gradyn_schur_invert(); x must not overlap f. */
void gradyn_schur_apply_both(const gradyn_schur *s, const gradyn_lanes *f, gradyn_lanes *x);

/* Adds T^T g to x [n] and, unless mult is NULL, subtracts S^-1 g from mult [m]; g [m], lanes, after
 * gradyn_schur_invert(). Arrays do not overlap. */
void gradyn_schur_add_rates(const gradyn_schur *s, const gradyn_lanes *g, gradyn_lanes *x,
                            gradyn_lanes *mult);

/* Subtracts S^-1 g from mult [m], with g [m], for GRADYN_LANES right-hand sides, after
 * gradyn_schur_invert(). */
void gradyn_schur_take_rates(const gradyn_schur *s, const gradyn_lanes *g, gradyn_lanes *mult);

/* Prepares systems with M - E instead of M, after invert(). E is `factor` times the matrix with `values`
 * [dyn.nnz], copied, in pattern dyn, or its transpose if transposed. Returns false if M - E is not
 * sufficiently positive in the directions allowed by J; gradyn_schur_solve_modified() must then not be
 * called. */
bool gradyn_schur_modify(gradyn_schur *s, const double *values, double factor, bool transposed);

/* Solves (M - E) x + J^T mult = f + E e, J x = g for lanes of right-hand sides b = (f; g) [n + m] and e [n],
 * with E of the last gradyn_schur_modify(). rates false: g is zero and is not read.
 *
 * x receives x [n]. If `multipliers` is set, mult [m] follows it, and weighed [n] = M x unless weighed is
 * NULL; otherwise weighed is not used. Arrays do not overlap. */
void gradyn_schur_solve_modified(const gradyn_schur *s, bool rates, bool multipliers,
                                 const gradyn_lanes *b, const gradyn_lanes *e, gradyn_lanes *x,
                                 gradyn_lanes *weighed);

/* Returns whether the model is so small (n even, at most 8) that products with full matrices take less time
 * than with pattern dyn. */
bool gradyn_schur_small(const gradyn_schur *s);

/* Sets y [n] to M x, with the M of gradyn_schur_mass(); lanes, x [n]. */
void gradyn_schur_weigh(const gradyn_schur *s, const gradyn_lanes *x, gradyn_lanes *y);

/* Adds J x to y [m], with the J of the last factor(); lanes, x [n]. */
void gradyn_schur_rates(const gradyn_schur *s, const gradyn_lanes *x, gradyn_lanes *y);

/* Subtracts J^T mult from x [n], with the J of the last factor(); lanes, mult [m]. */
void gradyn_schur_pull(const gradyn_schur *s, const gradyn_lanes *mult, gradyn_lanes *x);

#endif
