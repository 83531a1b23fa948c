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

/* gradyn_reset_count(): number of velocities, or states of general equations, that the present event sets.
 * gradyn_reset_at(): index in v, or in the states, of set number k, from 0. */
int gradyn_reset_count(const gradyn_impacts *s);
int gradyn_reset_at(const gradyn_impacts *s, int k);
/* Returns the first row, from 0, in the jump's system, of set velocities. Mechanisms only. */
int gradyn_reset_row(const gradyn_impacts *s);

/* gradyn_reset_create() allocates s->reset from s->arena, which frees it; error GRADYN_NO_MEMORY, without a
 * message. gradyn_reset_entries() returns the number of entries of rows of set velocities in the jump's
 * matrix, for all events of the model, and writes the rows and columns of these entries to row and col unless
 * row is NULL. */
gradyn_status gradyn_reset_create(gradyn_impacts *s);
int gradyn_reset_entries(const gradyn_impacts *s, int row[], int col[]);

/* Evaluates f of the present event at the state s->y before it, into s->reset.value; with `derivatives`
 * also s->reset.by. No effect if the event sets no velocities. The model must be in the discrete state
 * before the event. Errors are those of the formula. */
gradyn_status gradyn_reset_evaluate(gradyn_impacts *s, bool derivatives);

/* After gradyn_reset_evaluate() with derivatives. gradyn_reset_along(): df [count] = change of f for
 * changes dx [nx] of data, dt, s, of time and dy [gradyn_impact_moves()] of the state before.
 * gradyn_reset_against(): its transpose, added to y_bar, x_bar [nx] and *t_bar, from f_bar [count]. */
void gradyn_reset_along(const gradyn_impacts *s, const double *dx, double dt, const double *dy,
                        double *df);
void gradyn_reset_against(const gradyn_impacts *s, const double *f_bar, double *y_bar,
                          double *x_bar, double *t_bar);

/* Returns GRADYN_EVENT with the message that a set velocity contradicts the constraints: the one with the
 * largest residual in s->rest. */
gradyn_status gradyn_reset_refuse(gradyn_impacts *s);

/* Jump of general equations by map and reset. gradyn_reset_states(): s->yp, the state after the event, from
 * s->y, the one before. _along: dyp, the change of s->yp, for changes dx [nx], dt, dy. _against: its
 * transpose, from yp_bar; y_bar is overwritten, x_bar [nx] and *t_bar are added to. All states [n]. The last
 * two need gradyn_reset_evaluate() with derivatives. */
void gradyn_reset_states(gradyn_impacts *s);
void gradyn_reset_states_along(gradyn_impacts *s, const double *dx, double dt, const double *dy,
                               double *dyp);
void gradyn_reset_states_against(gradyn_impacts *s, const double *yp_bar, double *y_bar,
                                 double *x_bar, double *t_bar);

#endif
