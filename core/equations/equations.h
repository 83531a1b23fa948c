/* General equations F(t, y, y', data, u) = 0 as declared by a user. */
#ifndef GRADYN_CORE_EQUATIONS_H
#define GRADYN_CORE_EQUATIONS_H

#include "core/model/model.h"
#include <gradyn/dae.h>

typedef struct gradyn_unknown {
  char *name, *unit;
  bool algebraic;
  int datum;    /* differential: index in x of the initial value */
  double guess; /* algebraic */
} gradyn_unknown;

typedef struct gradyn_equations_model {
  gradyn_model *model;
  gradyn_unknown *unknown; /* [count] */
  int count, cursor;
  gradyn_residual_fn residual;
  int datum, data_count; /* own data in x */
  const bool *active;    /* [nx] data that derivatives are asked for by; NULL: all; borrowed */
  double *atol;          /* [count] or NULL */
  double *size;          /* [count] natural sizes, 0: none is declared; or NULL */
  void *user;
  int callback;                     /* their number among users' functions */
  gradyn_scalar t;                  /* of the point set last */
  gradyn_scalar *y, *yp, *F, *data; /* what the callback sees: [count] and [data_count] */
  double *column;                   /* [count] scratch */
} gradyn_equations_model;

/* Whether a model of general equations has a differential state of that number; if not, that is a build
 * error of what is called `name`. */
bool gradyn_equations_check_state(gradyn_model *model, const char *name, int state);

/* Real residual F [count]. */
gradyn_status gradyn_equations_residual(gradyn_equations_model *e, double t, const double *y,
                                        const double *yp, double *F);

/* Sets the point of the derivatives below. */
void gradyn_equations_at(gradyn_equations_model *e, double t, const double *y, const double *yp);

/* Derivatives at that point by complex step: with respect to a state (of y, or of y' if rate), to
 * own datum k, to signal k, to time (u moving with it); in the direction dx of all data. Each [count]. */
gradyn_status gradyn_equations_by_state(gradyn_equations_model *e, int i, bool rate, double *F_i);
/* By all states (or rates) of one colour at once; along v [count] for states and, unless they are algebraic,
 * rates together. */
gradyn_status gradyn_equations_by_colour(gradyn_equations_model *e, const int *colour, int c,
                                         bool rate, double *F_c);
gradyn_status gradyn_equations_by_states(gradyn_equations_model *e, const double *v, double *F_v);
gradyn_status gradyn_equations_by_datum(gradyn_equations_model *e, int k, double *F_k);
gradyn_status gradyn_equations_by_signal(gradyn_equations_model *e, int k, double *F_k);
gradyn_status gradyn_equations_by_time(gradyn_equations_model *e, double *F_t);
gradyn_status gradyn_equations_along(gradyn_equations_model *e, const double *dx, double *F_dx);

/* Refuses, by name, equations that use the rate of an algebraic state at that point. */
gradyn_status gradyn_equations_check_rates(gradyn_equations_model *e);

#endif
