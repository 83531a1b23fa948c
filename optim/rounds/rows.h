/* Time points at which a search in rounds enforces path constraints. */
#ifndef GRADYN_OPTIM_ROWS_H
#define GRADYN_OPTIM_ROWS_H

#include <stdbool.h>

#include "core/model/limit.h"

/* A sample: its time point, the round in which it was added, and the displacement of its bound. */
typedef struct gradyn_held_row {
  gradyn_limit_at at;
  int round;
  double moved;
} gradyn_held_row;

/* The samples of a search in rounds. */
typedef struct gradyn_rows {
  gradyn_held_row *item; /* [count] */
  size_t count;
  int round; /* number of the round in which samples are added now */
  /* number of steps of equal length; samples must be at their ends; 0: samples can be at any time */
  double grid;
} gradyn_rows;

/* Adds a sample, unless there is one at the same time point. If there is one from an earlier round, its
 * bound is moved by the excess. Returns false if memory is out. */
bool gradyn_rows_add(gradyn_rows *rows, const gradyn_limit_at *at, double excess);

/* Adds a sample between two active samples on both sides of a time point, if there are such samples among
 * the first `count`.
 *
 * The two samples represent one contact between them. It is at the mean of their times, weighted by the
 * multipliers, up to the square of their distance. Halving the interval in each round would need many
 * rounds. multiplier: [count]. Returns false if memory is out. */
bool gradyn_rows_add_centre(gradyn_rows *rows, const gradyn_limit_at *at, size_t count,
                            const double multiplier[]);

#endif
