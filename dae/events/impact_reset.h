/* Velocities that an event sets, by a user's formula of the state before it:
 *
 *   v+_k = f_k(t, q-, v-, x).
 *
 * Each is a row of the jump's system with 1 at this velocity; its multiplier is the impulse that sets it. For
 * general equations, states are set after the map. */
#ifndef GRADYN_DAE_IMPACT_RESET_H
#define GRADYN_DAE_IMPACT_RESET_H

#include "core/model/model.h"

typedef struct gradyn_impacts gradyn_impacts;

typedef struct gradyn_impact_reset {
  int most;                /* largest number of velocities that one event of the model sets */
  double *value;           /* [most] f of the present event */
  double *impulse;         /* [most] multipliers of its rows */
  double *seen;            /* [states] state before; NAN where formulas must not read */
  double *d, *bar;         /* [most] and [states]: workspace of derivatives */
  gradyn_gradient_out *by; /* [most] derivatives of f by the state before, data and time */
} gradyn_impact_reset;

/* Return the number of velocities that the present event sets, and the index of number k in v. */
int gradyn_reset_count(const gradyn_impacts *s);
int gradyn_reset_at(const gradyn_impacts *s, int k);
/* Returns the first of their rows in the jump's system. */
int gradyn_reset_row(const gradyn_impacts *s);

/* create() allocates the arrays; error GRADYN_NO_MEMORY. entries() returns the number of matrix entries for
 * all events of the model, and writes their rows and columns if row is not NULL. */
gradyn_status gradyn_reset_create(gradyn_impacts *s);
int gradyn_reset_entries(const gradyn_impacts *s, int row[], int col[]);

/* Evaluates f with the state before in s->y, and its derivatives if requested; nothing if the event sets no
 * velocities. The model must be in the discrete state before the event. Errors are those of the formula. */
gradyn_status gradyn_reset_evaluate(gradyn_impacts *s, bool derivatives);

/* After evaluation with derivatives. along(): df [count] where the state before changes by dy [moves], data
 * by dx [nx] and time by dt, s. against(): transpose, from f_bar [count]; y_bar, x_bar and *t_bar are added
 * to. */
void gradyn_reset_along(const gradyn_impacts *s, const double *dx, double dt, const double *dy,
                        double *df);
void gradyn_reset_against(const gradyn_impacts *s, const double *f_bar, double *y_bar,
                          double *x_bar, double *t_bar);

/* Fails with GRADYN_EVENT: a set velocity contradicts the constraints. s->rest contains the residual of the
 * jump's rows; the message names the velocity with the largest one. */
gradyn_status gradyn_reset_refuse(gradyn_impacts *s);

/* Jump of general equations, map and reset. states(): s->yp from s->y. along(): dyp from dy. against():
 * y_bar, which is overwritten, from yp_bar; x_bar and *t_bar are added to. */
void gradyn_reset_states(gradyn_impacts *s);
void gradyn_reset_states_along(gradyn_impacts *s, const double *dx, double dt, const double *dy,
                               double *dyp);
void gradyn_reset_states_against(gradyn_impacts *s, const double *yp_bar, double *y_bar,
                                 double *x_bar, double *t_bar);

#endif
