/* Inputs of elements: the numbers, apart from the state, on which elements depend; see mbs_source. */
#ifndef GRADYN_MBS_INPUTS_H
#define GRADYN_MBS_INPUTS_H

#include "mbs/elements/mechanism.h"

/* Returns the number of inputs of an element: its data, signals and the time, on which its formula
 * depends. */
int mbs_input_count(const mbs_element *e);

/* Returns whether no input of an element depends on time. */
bool mbs_input_steady(const mbs_element *e);

/* Sets z [mbs_input_count(e)] to the inputs of an element at time t, s, with the present data, on the
 * present arc of signals. */
void mbs_inputs_at(const gradyn_mbs *m, const mbs_element *e, double t, double *z);
/* Updates e->input of all elements with inputs that depend on time, to time t, s, on the present arc of
 * signals. */
void mbs_refresh_inputs(gradyn_mbs *m, double t);

/* Derivatives of one input: slope [count] by the data datum [count], indices in x, and rate by time at fixed
 * data. */
enum { MBS_ROW = 12 };
typedef struct mbs_input_row {
  int count, datum[MBS_ROW];
  double slope[MBS_ROW], rate;
} mbs_input_row;

/* Fills row [MBS_INPUTS] with the derivatives of the mbs_input_count(e) inputs of an element at time t, s;
 * may overwrite one more entry. Not required if mbs_plain_inputs(e): then input k is datum e->datum + k. */
void mbs_input_rows(const gradyn_mbs *m, const mbs_element *e, double t, mbs_input_row *row);

/* Returns whether the inputs of an element are its data only, and do not depend on time: input k is datum
 * e->datum + k. */
static inline bool mbs_plain_inputs(const mbs_element *e)
{
  return e->source == MBS_FROM_DATA && e->steady;
}

/* Adds weight (dz/dx)^T z_bar at time t, s, on the present arc of signals, to x_bar [nx]; z_bar
 * [mbs_input_count(e)]. The derivative by time is not included. */
void mbs_inputs_adjoints(const gradyn_mbs *m, const mbs_element *e, double t, double weight,
                         const double *z_bar, double *x_bar);

#endif
