/* Velocities that an event sets: behind it they are what a formula of the user's makes of the state before,
 *     v+_k = f_k(t, q-, v-, x),
 * each a row of the jump's system with 1 at that velocity, whose multiplier is the impulse that does it. Of
 * general equations it is states that are set, behind the map. */
#ifndef GRADYN_DAE_IMPACT_RESET_H
#define GRADYN_DAE_IMPACT_RESET_H

#include "core/model/model.h"

typedef struct gradyn_impacts gradyn_impacts;

typedef struct gradyn_impact_reset {
  int most;                /* that one event of the model sets */
  double *value;           /* [most] f of the event in hand */
  double *impulse;         /* [most] multipliers of its rows */
  double *seen;            /* [states] the state before; NAN is what formulas do not see */
  double *d, *bar;         /* [most], [states] scratch of derivatives */
  gradyn_gradient_out *by; /* [most] derivatives of f by the state before, data and time */
} gradyn_impact_reset;

/* How many velocities the event in hand sets, and where number k stands in v. */
int gradyn_reset_count(const gradyn_impacts *s);
int gradyn_reset_at(const gradyn_impacts *s, int k);
/* The first of their rows in the jump's system. */
int gradyn_reset_row(const gradyn_impacts *s);

/* Room for them; rows and columns of what the events of the model may set, which are counted. */
gradyn_status gradyn_reset_create(gradyn_impacts *s);
int gradyn_reset_entries(const gradyn_impacts *s, int row[], int col[]);

/* In the scene before the event in hand, with the state before in s->y: f and, if they are wanted, its
 * derivatives. */
gradyn_status gradyn_reset_evaluate(gradyn_impacts *s, bool derivatives);

/* df [count] where the state before changes by dy; transposed, y_bar, x_bar and *t_bar +=. */
void gradyn_reset_along(const gradyn_impacts *s, const double *dx, double dt, const double *dy,
                        double *df);
void gradyn_reset_against(const gradyn_impacts *s, const double *f_bar, double *y_bar,
                          double *x_bar, double *t_bar);

/* GRADYN_EVENT: what s->rest has left of the jump's rows tells which velocity constraints do not allow. */
gradyn_status gradyn_reset_refuse(gradyn_impacts *s);

/* The jump of general equations, map and reset: the state behind from s->y, s->yp; dyp from dy; y_bar, which
 * is overwritten, from yp_bar. */
void gradyn_reset_states(gradyn_impacts *s);
void gradyn_reset_states_along(gradyn_impacts *s, const double *dx, double dt, const double *dy,
                               double *dyp);
void gradyn_reset_states_against(gradyn_impacts *s, const double *yp_bar, double *y_bar,
                                 double *x_bar, double *t_bar);

#endif
