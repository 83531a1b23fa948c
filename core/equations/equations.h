/* General equations F(t, y, y', data, u) = 0 as declared by a user. */
#ifndef GRADYN_CORE_EQUATIONS_H
#define GRADYN_CORE_EQUATIONS_H

#include "core/model/model.h"
#include <gradyn/model.h>

typedef struct gradyn_unknown {
  char *name, *unit;
  bool algebraic;
  int datum;    /* differential: index in x of the initial value */
  double guess; /* algebraic: initial value of Newton's method */
} gradyn_unknown;

typedef struct gradyn_equations_model {
  gradyn_model *model;
  gradyn_unknown *unknown; /* [count] */
  int count, cursor;
  gradyn_residual_fn residual;
  int datum, data_count; /* own data in x */
  const bool *active;    /* [nx], data by which derivatives are requested; NULL: all; borrowed */
  double *atol;          /* [count], or NULL */
  double *size;          /* [count], natural sizes, 0: not declared; or NULL */
  void *user;
  bool steady; /* the run starts in the steady state of the equations */
  /* values of data and signals before the run: indices in x, -1: as in the run */
  int before_datum, before_count; /* in x, consecutive */
  int *data_before;               /* [data_count] */
  int *signals_before;            /* [signals] */
  bool before;                    /* arguments are those before the run */
  int callback;                   /* index of the residual among users' functions */
  gradyn_scalar t;                /* time set by gradyn_equations_at() */
  /* arguments and results of the callback: [count] and [data_count] */
  gradyn_scalar *y, *yp, *F, *data;
  double *column; /* [count], workspace */
} gradyn_equations_model;

/* Returns the index of the differential state with an id, in a model of general equations. Without such a
 * state, reports a build error that begins with `name`, and returns -1. */
int gradyn_equations_find_state(gradyn_model *model, const char *name, int id);

/* Returns the index in x of the value of own datum k, from 0. It depends on the member `before`. */
static inline int gradyn_equations_datum(const gradyn_equations_model *e, int k)
{
  return e->before && e->data_before[k] >= 0 ? e->data_before[k] : e->datum + k;
}
/* Returns the index in x of the value that stands for signal k, from 0; -1: the signal has its value of the
 * run. It depends on the member `before`. */
static inline int gradyn_equations_held(const gradyn_equations_model *e, int k)
{
  return e->before ? e->signals_before[k] : -1;
}

/* Makes runs start in the steady state. Called by gradyn_start_in_equilibrium() after a state. */
void gradyn_equations_start_steady(gradyn_model *model);

/* Sets F [count] to the residual at time t, s, y and yp [count], which gradyn_equations_at() also sets.
 * Errors, with a message: failures of the user's function; GRADYN_NON_FINITE. F is then undefined. */
gradyn_status gradyn_equations_residual(gradyn_equations_model *e, double t, const double *y,
                                        const double *yp, double *F);

/* Sets the arguments for gradyn_equations_by_state() and the other derivatives: time t, s, copies of y, yp
 * [count], own data of model->x, and signals at t. Rates of algebraic states are set to 0. The derivatives
 * leave the arguments as they are. */
void gradyn_equations_at(gradyn_equations_model *e, double t, const double *y, const double *yp);

/* Derivatives of F at the arguments of gradyn_equations_at(), by complex step. Results are undefined after
 * an error. */

/* Sets F_i [count] to column i, from 0, of F_y, or of F_y' if rate is set. Errors: those of the residual. */
gradyn_status gradyn_equations_by_state(gradyn_equations_model *e, int i, bool rate, double *F_i);

/* Sets F_c [count] to the sum of the columns i with colour[i] = c, colour [count], of F_y, or of F_y' if
 * rate is set. Errors: those of the residual. */
gradyn_status gradyn_equations_by_colour(gradyn_equations_model *e, const int *colour, int c,
                                         bool rate, double *F_c);

/* Sets F_v [count] to (F_y + F_y') v, v [count]; rates of algebraic states are not changed. Errors: those
 * of the residual. */
gradyn_status gradyn_equations_by_states(gradyn_equations_model *e, const double *v, double *F_v);

/* Sets F_k [count] to the derivative of F by own datum k, from 0. Errors: those of the residual. */
gradyn_status gradyn_equations_by_datum(gradyn_equations_model *e, int k, double *F_k);

/* Sets F_k [count] to the derivative of F by the value of signal k, from 0. Errors: those of the residual. */
gradyn_status gradyn_equations_by_signal(gradyn_equations_model *e, int k, double *F_k);

/* Sets F_t [count] to the total derivative of F by t, which includes the change of the signals. Errors:
 * those of the residual. */
gradyn_status gradyn_equations_by_time(gradyn_equations_model *e, double *F_t);

/* Sets F_dx [count] to the product of F_x with a change dx [nx] of all data, also through signals. Errors:
 * those of the residual. */
gradyn_status gradyn_equations_along(gradyn_equations_model *e, const double *dx, double *F_dx);

/* Sets F_d [count] to the derivative of F along the imaginary parts that the caller has given to the
 * arguments, in units of GRADYN_COMPLEX_STEP. Errors: those of the residual. */
gradyn_status gradyn_equations_differentiate(gradyn_equations_model *e, double *F_d);

/* Sets F_a [count] to the derivative of F by *argument, one entry of e->y, e->yp, e->data or the signals,
 * or e->t. *argument is the same afterwards. Errors: those of the residual. */
gradyn_status gradyn_equations_by_argument(gradyn_equations_model *e, gradyn_scalar *argument,
                                           double *F_a);

/* Checks that no equation depends on the rate of an algebraic state, at the arguments of
 * gradyn_equations_at(), which are the same afterwards. Each rate of an algebraic state is tested at 0.7, the
 * others being 0. GRADYN_INVALID: an equation does; the message of the model has the names. Other
 * errors: those of the residual. */
gradyn_status gradyn_equations_check_rates(gradyn_equations_model *e);

#endif
