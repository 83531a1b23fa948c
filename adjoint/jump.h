/* Derivatives of the state across an event of a run, for methods whose state z has some of the entries of y.
 * States before and after are those at the time of the event, which moves (dae/events/instant.h). */
#ifndef GRADYN_ADJOINT_JUMP_H
#define GRADYN_ADJOINT_JUMP_H

#include "dae/events/event_sequence.h"

/* The event and the state. All pointers are borrowed. */
typedef struct gradyn_jump {
  const gradyn_model *model;
  gradyn_impacts *impact;
  const gradyn_passed_event *event;
  int nz;
  const int *position; /* [nz] indices in y of the entries of z */
  double *y, *yp;      /* [gradyn_impact_moves()] workspace */
} gradyn_jump;

/* Returns whether functional f, from 0, measures the impulse of the event of s. */
bool gradyn_jump_gives(const gradyn_jump *s, int f);

/* Applies the event of s again, for gradyn_jump_along() and gradyn_jump_against(), and enters the discrete
 * state after it. Errors: GRADYN_EVENT, the state after the impact violates a constraint; GRADYN_SINGULAR,
 * no solution; GRADYN_INVALID, a landing with restitution; failures of users' functions. */
gradyn_status gradyn_jump_begin(const gradyn_jump *s);

/* For one direction: replaces z [nz], `stride` numbers apart, the change of the state before the event, by
 * that after it; dt, s: of the time of the event. dx [nx]: of data; changes of data latched at the event
 * are set. *impulse: of its impulse. Errors: failures of the mechanism's functions. */
gradyn_status gradyn_jump_along(const gradyn_jump *s, double *dx, double dt, double *z, int stride,
                                double *impulse);

/* Transpose of gradyn_jump_along(), for one functional: z [nz], `stride` numbers apart, adjoints after the
 * event, become those before it. impulse_bar: adjoint of the impulse. Adds to x_bar [nx] and *t_bar.
 * Errors: failures of the mechanism's functions. */
gradyn_status gradyn_jump_against(const gradyn_jump *s, double impulse_bar, double *z, int stride,
                                  double *x_bar, double *t_bar);

#endif
