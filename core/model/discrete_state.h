/* The discrete state of a model: mode, latched data and signal pieces, on which the equations depend
 * besides state, time and data.
 *
 * The discrete state is a value. A module that evaluates a model again at earlier points stores their
 * discrete states and enters them here. No other module changes the mode of a model. */
#ifndef GRADYN_CORE_DISCRETE_STATE_H
#define GRADYN_CORE_DISCRETE_STATE_H

#include <gradyn/model.h>

typedef struct gradyn_discrete_state {
  int mode; /* from 0 */
  /* number of events in the log that precede the state; the data latched by them apply */
  int passed;
  /* s, a time inside the arc on whose pieces signals are evaluated. Values at the ends of the arc are then
   * one-sided limits. NAN: pieces follow from the time of each evaluation */
  double within;
} gradyn_discrete_state;

/* Makes a discrete state the current one, with its latched data in x and its pieces of signals. The log
 * must contain the first discrete.passed events. */
void gradyn_discrete_state_enter(gradyn_model *model, gradyn_discrete_state discrete);

/* Enters the discrete state at the start of a run, in which signals are evaluated by time; latched data in
 * x become 0. */
void gradyn_discrete_state_rewind(gradyn_model *model);

/* Enters the discrete state at the start of a run, in which signals are evaluated by time. Latched data in
 * x stay. */
void gradyn_discrete_state_reset(gradyn_model *model);

/* Enters another arc: signals are evaluated on the pieces around t, s. NAN: on the pieces around the time
 * of each evaluation. Mode and latched data stay. */
void gradyn_discrete_state_enter_arc(gradyn_model *model, double t);

/* Enters the mode after the event with index `event`, and counts the event as passed. The caller computes the
 * jump and stores latched values. */
void gradyn_discrete_state_pass(gradyn_model *model, int event);

/* Returns the discrete state after the event with index `event`, given the one before it, with the same
 * `within`. The model is not changed. */
gradyn_discrete_state gradyn_discrete_state_after(const gradyn_model *model,
                                                  gradyn_discrete_state before, int event);

/* Advances the current discrete state past all events of the log before t, s, with their latched data.
 * behind: also past events at t. */
void gradyn_discrete_state_follow(gradyn_model *model, double t, bool behind);

/* Returns the mode, from 0, in which the last run was at t, s. If an event happened at t: the mode after
 * the event. */
int gradyn_discrete_state_mode_at(const gradyn_model *model, double t);

/* Changes only the mode, from 0 and not checked, for an evaluation with the same data. Returns the previous
 * mode. */
int gradyn_discrete_state_switch_mode(gradyn_model *model, int mode);

#endif
