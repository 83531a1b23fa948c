/* The scene of a state: what the equations depend on besides the state, the time and the data. It is a
 * value: whoever looks at a model keeps the scenes of the places that are looked at again, and puts them in
 * force here. Nothing else changes the mode of a model. */
#ifndef GRADYN_CORE_DISCRETE_STATE_H
#define GRADYN_CORE_DISCRETE_STATE_H

#include <gradyn/model.h>

typedef struct gradyn_discrete_state {
  int mode;   /* from 0 on */
  int passed; /* events of the log behind which it lies: what they have captured holds */
  double
      within; /* s, a time inside the arc on whose pieces signals are evaluated, so that values at its ends
                    are one-sided limits; NAN: by the time of each evaluation */
} gradyn_discrete_state;

/* Puts a scene in force. */
void gradyn_discrete_state_enter(gradyn_model *model, gradyn_discrete_state discrete);

/* Where a run begins, with signals by the time of each evaluation; reset() leaves in x what it has of
 * captured data. */
void gradyn_discrete_state_rewind(gradyn_model *model);
void gradyn_discrete_state_reset(gradyn_model *model);

/* On to another arc: signals are evaluated on the pieces around t, or, NAN, by the time. */
void gradyn_discrete_state_enter_arc(gradyn_model *model, double t);

/* On to the mode behind an event, whose jump is to fill in what it captures. */
void gradyn_discrete_state_pass(gradyn_model *model, int event);

/* The scene behind an event of the log, where `before` is that in front of it. */
gradyn_discrete_state gradyn_discrete_state_after(const gradyn_model *model,
                                                  gradyn_discrete_state before, int event);

/* From the scene in force on through the log: behind all events before t, and those at t itself if
 * `behind`. */
void gradyn_discrete_state_follow(gradyn_model *model, double t, bool behind);

/* The mode in which the last run has been at t, or just behind an event there. */
int gradyn_discrete_state_mode_at(const gradyn_model *model, double t);

/* For a look in another mode, with the same data: returns the mode that was in force. */
int gradyn_discrete_state_switch_mode(gradyn_model *model, int mode);

#endif
