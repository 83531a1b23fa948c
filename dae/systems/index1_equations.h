/* Inside of general equations as an index-1 system: what their forward and their adjoint part share. */
#ifndef GRADYN_DAE_INDEX1_EQUATIONS_H
#define GRADYN_DAE_INDEX1_EQUATIONS_H

#include "core/equations/jacobian.h"
#include "core/linear/arena.h"
#include "core/linear/linsys.h"
#include "dae/systems/index1.h"

/* Rows combined so that those without rates have none: E is rows changing places, then multiples of rows
 * taken from those below. */
typedef struct gradyn_equations_rows {
  int count;             /* of rows that keep rates */
  int *place;            /* [ny] row k changes places with place[k] */
  double *factor;        /* [np][ny] of row k in the rows below it */
  double *U;             /* [np][ny] F_yd' on its way to (U; 0), by columns */
  double *size;          /* [ny] largest rate of each row */
  double *column, *rate; /* [ny] scratch */
} gradyn_equations_rows;

/* Derivatives of F by own data, then by signals, then by time. */
typedef struct gradyn_equations_slopes {
  int count;     /* data_count + signal_count + 1 */
  bool *known;   /* [count] at the point of the last linearise() */
  double *F;     /* [count][ny]; NULL: too many to be kept, */
  double *other; /* [ny] and then each is found when it is asked for */
} gradyn_equations_slopes;

typedef struct gradyn_equations_system {
  gradyn_index1 base;
  gradyn_equations_model *e;
  gradyn_linsys *system;      /* dense pattern, or that of J */
  double *id;                 /* [ny] */
  int *differential;          /* [np] */
  gradyn_jacobian *J;         /* of many equations; NULL: dense matrices */
  int *place;                 /* [entries of J] in the values of the system */
  int patterns;               /* that the system has had so far */
  double *F_y, *F_yp;         /* [state][equation]: columns one after the other; with J, its own */
  double *b, *column;         /* [ny] */
  gradyn_equations_slopes by; /* by what is no state, at that point */
  double *P;                  /* [np][np], if combined > 0; dense matrices only */
  gradyn_equations_rows rows; /* the same */
  double *v, *null;           /* [np] scratch, a vector and its part P v */
  double factored[2];         /* by_y, by_yp of the factors in hand; NAN: none of these matrices */
  bool steady; /* factors of B have served from state to state since the last restart */
  double cj;
  double t;
  const double *y, *yp; /* point of the last linearise() */
  gradyn_arena arena;   /* of all arrays but place */
} gradyn_equations_system;

/* F_y and F_y' at a point, whose arrays are borrowed. Of few equations `unknowns` alone if that is enough:
 * columns of B where no states are combined. */
gradyn_status gradyn_equations_system_evaluate(gradyn_equations_system *s, double t,
                                               const double *y, const double *yp, bool unknowns);

/* y_d' and y_a at the y_d of y, by Newton's method from what stands there. Factors of B, *held or made, serve
 * for as long as each step is less than `serving` of the one before; 0: for one. *held stays if they have to
 * the end. */
gradyn_status gradyn_equations_system_rates(gradyn_equations_system *s, double t, double *y,
                                            double *yp, double serving, bool *held);

/* Factorises the matrix whose column i is by_y F_y + by_yp F_yp for a differential state, and F_y for an
 * algebraic one; without by_y, it is B. */
gradyn_status gradyn_equations_system_factor(gradyn_equations_system *s, double by_y, double by_yp);

/* Solutions with the matrix that was factorised last, and with its transpose, in place. */
void gradyn_equations_system_solve(const gradyn_equations_system *s, double *b);
void gradyn_equations_system_solve_transposed(const gradyn_equations_system *s, double *b);

/* Take memory for derivatives by data, and for combined rows, from the arena. */
void gradyn_equations_slopes_create(gradyn_equations_system *s);
void gradyn_equations_rows_create(gradyn_equations_system *s);

/* Values of that matrix, in full, where combined > 0: rows are combined, which solutions know. */
void gradyn_equations_rows_fill(gradyn_equations_system *s, double by_y, double by_yp,
                                double *values);

/* Takes P v out of v [np]: null [np] = P v. */
void gradyn_equations_system_divide(const gradyn_equations_system *s, double *v, double *null);

/* The same for the differential ones of all states, from y [ny] into s->v and s->null. */
void gradyn_equations_system_divide_states(gradyn_equations_system *s, const double *y);

/* Has derivatives by data be those at a point, without its matrices; then x_bar [nx] -= F_x^T eta, t_bar -=
 * F_t^T eta. Borrowed arrays. */
void gradyn_equations_system_point(gradyn_equations_system *s, double t, const double *y,
                                   const double *yp);
gradyn_status gradyn_equations_system_against(gradyn_equations_system *s, const double *eta,
                                              double *x_bar, double *t_bar);

/* The adjoint's functions of gradyn_index1_ops. */
void gradyn_equations_adjoint_residual(gradyn_index1 *base, const double *z, const double *zp,
                                       const double *g_y, double *r);
gradyn_status gradyn_equations_adjoint_factor(gradyn_index1 *base, double cj);
void gradyn_equations_adjoint_solve(gradyn_index1 *base, double *b);
gradyn_status gradyn_equations_adjoint_data(gradyn_index1 *base, int count, const double *z,
                                            double *x_bar);
gradyn_status gradyn_equations_adjoint_restart(gradyn_index1 *base, double *z, double *zp,
                                               const double *g_y);
gradyn_status gradyn_equations_adjoint_terminal(gradyn_index1 *base, const double *w_y,
                                                const double *w_yp, double *p, double *x_bar,
                                                double *t_bar);

#endif
