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
  int callback;    /* index of the residual among users' functions */
  gradyn_scalar t; /* time set by gradyn_equations_at() */
  /* arguments and results of the callback: [count] and [data_count] */
  gradyn_scalar *y, *yp, *F, *data;
  double *column; /* [count], workspace */
} gradyn_equations_model;

/* Returns the index of the differential state with an id, in a model of general equations. Without such a
 * state, reports a build error that begins with `name`, and returns -1. */
int gradyn_equations_find_state(gradyn_model *model, const char *name, int id);

/* Calls gradyn_equations_at() and evaluates the residual F [count]. Errors of this function and of the
 * derivatives, with a message: failures of the user's function; GRADYN_NON_FINITE. Results are then
 * undefined. */
gradyn_status gradyn_equations_residual(gradyn_equations_model *e, double t, const double *y,
                                        const double *yp, double *F);

/* Sets the arguments for the derivatives below: time t, s, copies of y, yp [count], own data of model->x, and
 * signals at t. Rates of algebraic states are set to 0. The derivatives leave the arguments as they are. */
void gradyn_equations_at(gradyn_equations_model *e, double t, const double *y, const double *yp);

/* Derivatives of F at the arguments of gradyn_equations_at(), by complex step; each result is [count]; i and
 * k from 0. by_state: column i of F_y, or of F_y' if rate is set. by_datum: derivative by own datum k.
 * by_signal: by signal k. by_time: total derivative by t, which includes the change of the signals. along:
 * product of F_x with a change dx [nx] of all data, also through signals. */
gradyn_status gradyn_equations_by_state(gradyn_equations_model *e, int i, bool rate, double *F_i);
/* by_colour: sum of the columns i with colour[i] = c, colour [count], of F_y or of F_y'. by_states: F_v
 * [count] = (F_y + F_y') v, v [count]; rates of algebraic states are not changed. Arguments and errors as for
 * by_state(). */
gradyn_status gradyn_equations_by_colour(gradyn_equations_model *e, const int *colour, int c,
                                         bool rate, double *F_c);
gradyn_status gradyn_equations_by_states(gradyn_equations_model *e, const double *v, double *F_v);
/* Derivatives of F by own datum k, by signal k, by t (in total), and along dx [nx]: see by_state(). */
gradyn_status gradyn_equations_by_datum(gradyn_equations_model *e, int k, double *F_k);
gradyn_status gradyn_equations_by_signal(gradyn_equations_model *e, int k, double *F_k);
gradyn_status gradyn_equations_by_time(gradyn_equations_model *e, double *F_t);
gradyn_status gradyn_equations_along(gradyn_equations_model *e, const double *dx, double *F_dx);

/* differentiate(): derivative along the imaginary parts that the caller has given to the arguments, in units
 * of GRADYN_COMPLEX_STEP. by_argument(): derivative by one of e->y, e->yp, e->data, signals or e->t. */
gradyn_status gradyn_equations_differentiate(gradyn_equations_model *e, double *F_d);
gradyn_status gradyn_equations_by_argument(gradyn_equations_model *e, gradyn_scalar *argument,
                                           double *F_a);

/* Checks that no equation depends on the rate of an algebraic state, at the arguments of
 * gradyn_equations_at(), which are the same afterwards. Each rate of an algebraic state is tested at 0.7, the
 * others being 0. GRADYN_INVALID: an equation does; the message of the model has the names. Other
 * errors: those of the residual. */
gradyn_status gradyn_equations_check_rates(gradyn_equations_model *e);

#endif
