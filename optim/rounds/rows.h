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

/* Adds a sample, unless there is one at the same time point. If there is one from an earlier round, its
 * bound is moved by the excess. Returns false if memory is out. */
bool gradyn_rows_add(gradyn_rows *rows, const gradyn_limit_at *at, double excess);

/* Adds the largest violation of an interval: a fixed sample there, and one that moves with the maximum in its
 * window. A window has one moving sample; other maxima in it get fixed ones. Returns false if memory is
 * out. */
bool gradyn_rows_add_found(gradyn_rows *rows, const gradyn_limit_at *at, double excess);

/* Adds the points of the warm start of a search, for an objective. A point whose functional is no path
 * constraint of it is left out. Returns false if memory is out. */
bool gradyn_rows_add_given(gradyn_rows *rows, const json_t *given,
                           const gradyn_objective *objective);

/* Returns the points for a warm start, without those at which nothing was active. multiplier [count]: of
 * the points. NULL: out of memory. */
json_t *gradyn_rows_describe(const gradyn_rows *rows, const gradyn_objective *objective,
                             const double multiplier[]);

#endif
