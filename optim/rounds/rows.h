/* Time points at which a search in rounds enforces path constraints. */
#ifndef GRADYN_OPTIM_ROWS_H
#define GRADYN_OPTIM_ROWS_H

#include <stdbool.h>

#include <jansson.h>

#include "core/model/limit.h"
#include "optim/program/objective.h"

/* A sample: its time point, the round in which it was added, and the displacement of its bound. */
typedef struct gradyn_held_row {
  gradyn_limit_at at;
  int round;
  double moved;
  double multiplier; /* in a warm start; 0: not active, or not known */
} gradyn_held_row;

/* The samples of a search in rounds. */
typedef struct gradyn_rows {
  gradyn_held_row *item; /* [count] */
  size_t count;
  int round; /* number of the round in which samples are added now */
} gradyn_rows;

/* Adds a sample `at`, with the present round. If the same time point has a sample from an earlier round,
 * its bound is moved by `excess` instead, in the unit of the constraint. Returns false if memory is out. */
bool gradyn_rows_add(gradyn_rows *rows, const gradyn_limit_at *at, double excess);

/* Adds the samples for the largest violation of an interval: a fixed one, and, if `at` has a window, one
 * that moves with the maximum in the window. A window gets only one moving sample. excess: as above.
 * Returns false if memory is out. */
bool gradyn_rows_add_found(gradyn_rows *rows, const gradyn_limit_at *at, double excess);

/* Adds the samples of a warm start, `given`, with their multipliers. A sample is left out if the objective
 * has no path constraint with its name. Returns false if memory is out. */
bool gradyn_rows_add_given(gradyn_rows *rows, const json_t *given,
                           const gradyn_objective *objective);

/* Returns the samples for a warm start as an array, without fixed samples of the first round that were
 * never active. multiplier [count]: their multipliers; values that are not finite count as 0. NULL: out of
 * memory. */
json_t *gradyn_rows_describe(const gradyn_rows *rows, const gradyn_objective *objective,
                             const double multiplier[]);

#endif
