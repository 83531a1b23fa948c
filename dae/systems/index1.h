/* Index-1 systems F(t, y, y', x) = 0 for the method idas and its sensitivities. Mechanisms and general
 * equations both implement this table. */
#ifndef GRADYN_DAE_INDEX1_H
#define GRADYN_DAE_INDEX1_H

#include <stdbool.h>

#include "core/linear/arena.h"
#include "core/model/model.h"

typedef struct gradyn_index1 gradyn_index1;

/* t: time, s, of y, yp [ny]. Products and solves use the matrices of the last linearise(). Errors of all
 * functions: failures of the model; GRADYN_SINGULAR, GRADYN_NON_FINITE and GRADYN_NO_MEMORY of factors. The
 * adjoint unknowns of one functional are p [np] (differential), then eta [ne] (algebraic). With L = integral
 * of (g - eta^T F) and differential states y_d: p' = (F_yd)^T eta - g_yd in reduced form, and stationarity by
 * the algebraic unknowns. */
typedef struct gradyn_index1_ops {
  /* Residual F [ny]. */
  gradyn_status (*residual)(gradyn_index1 *s, double t, const double *y, const double *yp,
                            double *F);
  /* Evaluates the Jacobians at a point and stores them. y and yp are borrowed until the next call. */
  gradyn_status (*linearise)(gradyn_index1 *s, double t, const double *y, const double *yp);
  /* Factorises F_y + cj F_y'; solves with it in place, b [ny]. */
  gradyn_status (*factor)(gradyn_index1 *s, double cj);
  void (*solve)(gradyn_index1 *s, double *b);
  /* r[k] [ny] = F_x dx_k for count directions dx [count][nx], at most GRADYN_LANES. */
  gradyn_status (*data)(gradyn_index1 *s, int count, const double *dx, double *const *r);
  /* r += F_y sy + F_y' syp. */
  void (*tangent)(gradyn_index1 *s, const double *sy, const double *syp, double *r);

  /* Consistent y, y' at the start from the data; and derivatives in direction dx. */
  gradyn_status (*start)(gradyn_index1 *s, double *y, double *yp);
  gradyn_status (*start_tangent)(gradyn_index1 *s, const double *dx, double *sy, double *syp);
  /* x_bar += (dy_d(0)/dx)^T p. */
  gradyn_status (*start_transposed)(gradyn_index1 *s, const double *p, double *x_bar);
  /* Makes algebraic states and y' consistent with the differential states in y at time t, s. Forgets pivots
   * and factors, so that an arc depends only on its first state. */
  gradyn_status (*restart)(gradyn_index1 *s, double t, double *y, double *yp);
  /* Does the work of restart() near the last consistent state, whose factors may be used again. NULL for
   * mechanisms, where it is not needed. Neither function provides matrices for later products. */
  gradyn_status (*follow)(gradyn_index1 *s, double t, double *y, double *yp);
  /* Derivative of restart() at the point of the last linearise(), with sy given in the differential states
   * and a change dt of time. */
  gradyn_status (*restart_tangent)(gradyn_index1 *s, const double *dx, double dt, double *sy,
                                   double *syp);

  /* Adjoint residual r [np + ne] of one functional: z = (p, eta), zp its rates, g_y [ny]. */
  void (*adjoint_residual)(gradyn_index1 *s, const double *z, const double *zp, const double *g_y,
                           double *r);
  /* Factorises the Newton matrix of the adjoint; solves in place for one functional, b [np + ne]. */
  gradyn_status (*adjoint_factor)(gradyn_index1 *s, double cj);
  void (*adjoint_solve)(gradyn_index1 *s, double *b);
  /* x_bar [count][nx] -= F_x^T eta of count functionals, at most GRADYN_LANES; z [count][np + ne]. */
  gradyn_status (*adjoint_data)(gradyn_index1 *s, int count, const double *z, double *x_bar);
  /* Computes eta and zp from p and g_y where an arc begins, backwards in time. */
  gradyn_status (*adjoint_restart)(gradyn_index1 *s, double *z, double *zp, const double *g_y);
  /* Adds the contributions of a terminal functional to p, x_bar and *t_bar. w_y [ny]: its gradient by the
   * states; w_yp [ny]: by the rates of differential states, NULL: none. Algebraic states and rates are
   * functions of the differential states, of data and of time. */
  gradyn_status (*adjoint_terminal)(gradyn_index1 *s, const double *w_y, const double *w_yp,
                                    double *p, double *x_bar, double *t_bar);
  /* Raises worst [2] to max |Phi| and max |Phi'| at a state. NULL: no constraints. */
  gradyn_status (*drift)(gradyn_index1 *s, double t, const double *y, double *worst);
  /* Checks an accepted state. Error: GRADYN_SINGULAR, a singular position was passed since the last call.
   * NULL: nothing to check. */
  gradyn_status (*watch)(gradyn_index1 *s, double t, const double *y);
  void (*free)(gradyn_index1 *s);
} gradyn_index1_ops;

/* Implementations embed this struct as their first member. */
struct gradyn_index1 {
  const gradyn_index1_ops *ops;
  gradyn_model *model;
  int ny, nx;
  int np, ne;              /* numbers of adjoint unknowns of one functional */
  const double *id;        /* [ny] 1: differential, 0: algebraic state */
  const int *differential; /* [np] index in y of the state of each p */
  const double *atol;      /* [ny], or NULL: tolerances of the run */
  const double *size;      /* [ny] declared natural sizes, 0: none; or NULL */
  bool steady;             /* the start is the steady state before the run */
  /* number of combinations of differential states that are algebraic; known after start() */
  int combined;
  const double *projector; /* [np][np] orthogonal projector onto these combinations; NULL: none */
  double *eta; /* [ne] or NULL: adjoint_terminal() of equations adds its eta; borrowed */
  long factorisations;
  gradyn_arena sizing; /* workspace of gradyn_equations_sizes() */
};

/* Creates the system of a mechanism, with Baumgarte parameters alpha, beta in 1/s (0, 0: none). The model
 * must outlive *out. On failure *out is NULL or an object to be freed. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_index1_from_mech(gradyn_model *model, double alpha, double beta,
                                      gradyn_index1 **out);

/* Creates the system of general equations, without stabilisation. The model must outlive *out. On failure
 * *out is NULL or an object to be freed. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_index1_from_equations(gradyn_model *model, gradyn_index1 **out);

/* Creates the system of general equations, without stabilisation, of which a run starts from the initial
 * values, never from the steady state before the run. The model must outlive *out. On failure *out is NULL
 * or an object to be freed. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_index1_plain_equations(gradyn_model *model, gradyn_index1 **out);

/* Frees a system and all it owns; NULL is allowed. */
void gradyn_index1_free(gradyn_index1 *s);

#endif
