/* Where limits along the way are held by a search in rounds. */
#ifndef GRADYN_OPTIM_ROWS_H
#define GRADYN_OPTIM_ROWS_H

#include <stdbool.h>

#include "core/model/limit.h"

/* A place, the round in which it joined, and by how much its bound has been moved. */
typedef struct gradyn_held_row {
  gradyn_limit_at at;
  int round;
  double moved;
} gradyn_held_row;

typedef struct gradyn_rows {
  gradyn_held_row *item; /* [count] */
  size_t count;
  int round;   /* in which rows join now */
  double grid; /* steps of equal length, at whose ends alone rows can be; 0: they can be anywhere */
} gradyn_rows;

/* Adds a row, unless there is one so near that it is the same. One that was held before, and is exceeded
 * there all the same, has its bound moved by the excess. False: out of memory. */
bool gradyn_rows_add(gradyn_rows *rows, const gradyn_limit_at *at, double excess);

/* Two rows that press on both sides of a place stand for one contact between them, which is where their
 * multipliers have their centre but for the square of the distance: halving that from round to round would
 * take many. Adds a row there, if there are such among the first `count`, by multiplier [count]. False: out
 * of memory. */
bool gradyn_rows_add_centre(gradyn_rows *rows, const gradyn_limit_at *at, size_t count,
                            const double multiplier[]);

#endif
