/* What elements depend on besides the state, as numbers: see mbs_source. */
#ifndef GRADYN_MBS_INPUTS_H
#define GRADYN_MBS_INPUTS_H

#include "mbs/elements/mechanism.h"

/* Inputs of an element at time t. */
int mbs_input_count(const mbs_element *e);
bool mbs_input_steady(const mbs_element *e);
void mbs_inputs_at(const gradyn_mbs *m, const mbs_element *e, double t, double *z);
/* Brings the inputs e->input of all elements for which they depend on time to t. */
void mbs_refresh_inputs(gradyn_mbs *m, double t);

/* How an input depends on data and on time, at fixed data. */
enum { MBS_ROW = 12 };
typedef struct mbs_input_row {
  int count, datum[MBS_ROW];
  double slope[MBS_ROW], rate;
} mbs_input_row;

/* The rows of all inputs, row [MBS_INPUTS]; not needed where they are data and nothing else. */
void mbs_input_rows(const gradyn_mbs *m, const mbs_element *e, double t, mbs_input_row *row);
static inline bool mbs_plain_inputs(const mbs_element *e)
{
  return e->source == MBS_FROM_DATA && e->steady;
}

/* x_bar += weight (dz/dx)^T z_bar. */
void mbs_inputs_bars(const gradyn_mbs *m, const mbs_element *e, double t, double weight,
                     const double *z_bar, double *x_bar);

#endif
