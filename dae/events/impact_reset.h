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

/* Returns the number of velocities, or states of general equations, that the present event sets. */
int gradyn_reset_count(const gradyn_impacts *s);

/* Returns the index in v, or in the states, of set number k of the present event, from 0. */
int gradyn_reset_at(const gradyn_impacts *s, int k);
/* Returns the first row, from 0, in the jump's system, of set velocities. Mechanisms only. */
int gradyn_reset_row(const gradyn_impacts *s);

/* Allocates s->reset from s->arena, which frees it. Error: GRADYN_NO_MEMORY, without a message. */
gradyn_status gradyn_reset_create(gradyn_impacts *s);

/* Returns the number of entries of rows of set velocities in the jump's matrix, for all events of the
 * model. Writes their rows and columns, from 0, to row and col [this number], unless row is NULL. */
int gradyn_reset_entries(const gradyn_impacts *s, int row[], int col[]);

/* Evaluates f of the present event at the state s->y before it, into s->reset.value; with `derivatives`
 * also s->reset.by. No effect if the event sets no velocities. The model must be in the discrete state
 * before the event. Errors are those of the formula. */
gradyn_status gradyn_reset_evaluate(gradyn_impacts *s, bool derivatives);

/* After gradyn_reset_evaluate() with derivatives: sets df [gradyn_reset_count()] to the changes of f. Data
 * change by dx [nx], time by dt, s, the state before by dy [gradyn_impact_moves()]. */
void gradyn_reset_along(const gradyn_impacts *s, const double *dx, double dt, const double *dy,
                        double *df);

/* Transpose of gradyn_reset_along(): adds to y_bar [gradyn_impact_moves()], x_bar [nx] and *t_bar, from the
 * adjoints f_bar [gradyn_reset_count()] of f. */
void gradyn_reset_against(const gradyn_impacts *s, const double *f_bar, double *y_bar,
                          double *x_bar, double *t_bar);

/* Returns GRADYN_EVENT with the message that a set velocity contradicts the constraints: the one with the
 * largest residual in s->rest. */
gradyn_status gradyn_reset_refuse(gradyn_impacts *s);

/* Computes the jump of general equations: sets s->yp [n], the state after the event, by the map and the set
 * states, from s->y [n], the state before it. */
void gradyn_reset_states(gradyn_impacts *s);

/* After gradyn_reset_evaluate() with derivatives: sets dyp [n] to the change of s->yp for changes dx [nx]
 * of data, dt, s, of time, and dy [n] of s->y. */
void gradyn_reset_states_along(gradyn_impacts *s, const double *dx, double dt, const double *dy,
                               double *dyp);

/* Transpose of gradyn_reset_states_along(), from yp_bar [n]: y_bar [n] is overwritten, x_bar [nx] and
 * *t_bar are added to. */
void gradyn_reset_states_against(gradyn_impacts *s, const double *yp_bar, double *y_bar,
                                 double *x_bar, double *t_bar);

#endif
