/* General equations as an index-1 system: parts shared by forward and adjoint functions. */
#ifndef GRADYN_DAE_INDEX1_EQUATIONS_H
#define GRADYN_DAE_INDEX1_EQUATIONS_H

#include "core/equations/jacobian.h"
#include "core/linear/arena.h"
#include "core/linear/linsys.h"
#include "dae/systems/index1.h"

/* Row combinations E that separate equations without rates: row exchanges, then subtraction of multiples from
 * the rows below. */
typedef struct gradyn_equations_rows {
  int count;             /* number of rows that keep rates */
  int *position;         /* [ny] row k is exchanged with position[k] */
  double *factor;        /* [np][ny] multiples of row k in the rows below it */
  double *U;             /* [np][ny] F_yd' during its reduction to (U; 0), by columns */
  double *size;          /* [ny] largest rate entry of each row */
  double *column, *rate; /* [ny] workspace */
} gradyn_equations_rows;

/* Derivatives of F by its own data, then by signals, then by time. */
typedef struct gradyn_equations_slopes {
  int count;     /* data_count + signal_count + 1 */
  bool *known;   /* [count] evaluated at the point of the last linearise() */
  double *F;     /* [count][ny]; NULL: too large to be stored */
  double *other; /* [ny] used instead of F if F is NULL: derivatives are evaluated for each use */
} gradyn_equations_slopes;

typedef struct gradyn_equations_system {
  gradyn_index1 base;
  gradyn_equations_model *e;
  gradyn_linsys *system; /* with a dense pattern, or that of J */
  double *id;            /* [ny] 1: differential, 0: algebraic state */
  int *differential;     /* [np] indices of the differential states, ascending */
  gradyn_jacobian *J;    /* sparse Jacobian of many equations; NULL: dense matrices */
  int *position;         /* [entries of J] index in the values of the system */
  int patterns;          /* number of patterns of the system so far */
  double *F_y, *F_yp;    /* [state][equation], by columns; with J, its own arrays */
  double *b, *column;    /* [ny] workspace */
  /* derivatives by data, signals and time at the point of linearise() */
  gradyn_equations_slopes by;
  double *P;                  /* [np][np] projector P, if combined > 0; dense matrices only */
  gradyn_equations_rows rows; /* row combinations, if combined > 0 */
  double *v, *null;           /* [np] workspace: a vector and its part P v */
  double factored[2];         /* by_y and by_yp of the present factors; NAN: none */
  bool steady; /* factors of B have been accurate from state to state since the last restart */
  double cj;   /* cj given to the last adjoint_factor() */
  double t;    /* s, time of that point */
  const double *y, *yp;                     /* point of the last linearise(), borrowed */
  struct gradyn_steady_start *steady_start; /* NULL: initial values are data */
  gradyn_arena arena;                       /* owns all arrays except position */
} gradyn_equations_system;

/* Creates the linear system with the pattern of J, instead of an earlier one. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_equations_system_take_pattern(gradyn_equations_system *s);

/* Evaluates F_y and F_y' at t, s, and y, yp [ny], which are borrowed until the next point. Factors are then
 * out of date. unknowns: only the columns of B are needed; other columns are left out if matrices are dense
 * and no states are combined. Errors: failures of the equations; GRADYN_NO_MEMORY. */
gradyn_status gradyn_equations_system_evaluate(gradyn_equations_system *s, double t,
                                               const double *y, const double *yp, bool unknowns);

/* Computes y_d' in yp [ny] and y_a in y [ny] for the y_d in y at t, s, by Newton's method from the values in
 * y and yp; P y_d also changes. y and yp become the borrowed point and are undefined after an error. Factors
 * of B are used again as long as each step is below `serving` times the step before; serving 0: for one step.
 * *held on entry: present factors may be used; on return: these factors have sufficed. Errors:
 * GRADYN_NOT_ASSEMBLED, no convergence in 50 steps; GRADYN_UNSUPPORTED, P is not constant; those of
 * gradyn_equations_system_evaluate() and gradyn_equations_system_factor(). */
gradyn_status gradyn_equations_system_rates(gradyn_equations_system *s, double t, double *y,
                                            double *yp, double serving, bool *held);

/* Factorises the matrix whose column i is by_y F_y + by_yp F_yp for a differential state and F_y for an
 * algebraic one, from the F_y and F_y' of the last evaluate(). With by_y = 0, by_yp = 1 the matrix is B; then
 * F_y P is added to its differential columns. Present factors of the same matrix are used again. Errors:
 * GRADYN_SINGULAR, GRADYN_NON_FINITE, GRADYN_NO_MEMORY; there are no factors then. */
gradyn_status gradyn_equations_system_factor(gradyn_equations_system *s, double by_y, double by_yp);

/* Solves with the last factorised matrix, in place; b [ny]. */
void gradyn_equations_system_solve(const gradyn_equations_system *s, double *b);

/* Solves with the transpose of the last factorised matrix, in place; b [ny]. */
void gradyn_equations_system_solve_transposed(const gradyn_equations_system *s, double *b);

/* Takes memory from s->arena for s->by, derivatives by data. The caller checks the arena's status. */
void gradyn_equations_slopes_create(gradyn_equations_system *s);

/* Takes memory from s->arena for s->rows, row combinations. The caller checks the arena's status. */
void gradyn_equations_rows_create(gradyn_equations_system *s);

/* Splits v [np] by the projector P: null [np] = P v, and v becomes (1 - P) v. With combined = 0, null is
 * 0. */
void gradyn_equations_system_divide(const gradyn_equations_system *s, double *v, double *null);

/* Splits the differential states in y [ny], which is not changed, into s->null = P y_d and s->v = (1 - P)
 * y_d. */
void gradyn_equations_system_divide_states(gradyn_equations_system *s, const double *y);

/* Sets the point t, s, y, yp [ny] of derivatives by data, without evaluating matrices; y and yp are
 * borrowed until the next point. */
void gradyn_equations_system_point(gradyn_equations_system *s, double t, const double *y,
                                   const double *yp);

/* Subtracts F_x^T eta from x_bar [nx], and F_t^T eta from *t_bar, at the point of
 * gradyn_equations_system_point() or of the last evaluation. eta [ny]; t_bar not NULL. Errors: failures of
 * the equations. */
gradyn_status gradyn_equations_system_against(gradyn_equations_system *s, const double *eta,
                                              double *x_bar, double *t_bar);

/* Sets r [ny] to F_x dx + F_t dt, dx [nx], at the point of gradyn_equations_system_point() or of the last
 * evaluation. Errors: failures of the equations. */
gradyn_status gradyn_equations_system_along(gradyn_equations_system *s, const double *dx, double dt,
                                            double *r);

/* Adjoint functions of gradyn_index1_ops, at the point of the last linearise(). z = (p, eta) and zp [np +
 * ne] per functional. */

/* Sets r [np + ne] to the residual of the adjoint equations for z = (p, eta) and its rates zp [np + ne]:
 * first p' + g_d - F_yd^T eta, then for each state p - F_yd'^T eta (differential) or g_a - F_ya^T eta
 * (algebraic), with the Jacobians of the last linearise(). g_y [ny]: gradient of the integrand. */
void gradyn_equations_adjoint_residual(gradyn_index1 *base, const double *z, const double *zp,
                                       const double *g_y, double *r);

/* Factorises the Newton matrix of the adjoint residual, its derivative by z plus cj, 1/s, times that by zp.
 * Errors: GRADYN_SINGULAR, GRADYN_NON_FINITE, GRADYN_NO_MEMORY. */
gradyn_status gradyn_equations_adjoint_factor(gradyn_index1 *base, double cj);

/* Solves with the matrix of gradyn_equations_adjoint_factor() in place, b [np + ne]. */
void gradyn_equations_adjoint_solve(gradyn_index1 *base, double *b);

/* Subtracts F_x^T eta from x_bar [count][nx], for z [count][np + ne]. Errors: failures of the equations. */
gradyn_status gradyn_equations_adjoint_data(gradyn_index1 *base, int count, const double *z,
                                            double *x_bar);

/* Sets eta in z, and zp, from p in z and g_y [ny], at the end of an arc. Errors: GRADYN_SINGULAR,
 * GRADYN_NON_FINITE, GRADYN_NO_MEMORY. */
gradyn_status gradyn_equations_adjoint_restart(gradyn_index1 *base, double *z, double *zp,
                                               const double *g_y);

/* Adds a terminal functional with gradients w_y [ny] and w_yp [ny], or NULL, to p [np], x_bar [nx], *t_bar.
 * Errors: GRADYN_SINGULAR, GRADYN_NON_FINITE, GRADYN_NO_MEMORY; failures of the equations. */
gradyn_status gradyn_equations_adjoint_terminal(gradyn_index1 *base, const double *w_y,
                                                const double *w_yp, double *p, double *x_bar,
                                                double *t_bar);

#endif
