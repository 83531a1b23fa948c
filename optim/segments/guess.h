/* The states that a search over segments begins with: those of a file, or of a motion, and of what build()
 * declares where the motion fails or runs away. */
#ifndef GRADYN_OPTIM_GUESS_H
#define GRADYN_OPTIM_GUESS_H

#include "core/linear/arena.h"
#include "core/model/model.h"
#include <gradyn/trajectory.h>

/* States over time, of a file. */
typedef struct gradyn_states {
  size_t rows, count;
  double *share; /* [rows] of the time between its first and its last row, from 0 to 1 */
  double *y;     /* [rows][count]; those that follow from others are zero */
} gradyn_states;

/* Where a search begins. */
typedef struct gradyn_begun {
  gradyn_states states; /* of a file; no rows: there is none */
  size_t followed;      /* parts that a simulation has come to the start of */
  double *reach; /* of each unknown: how far unit steps of parameters move it; NULL: not asked */
} gradyn_begun;

/* Reads comma-separated values as trajectories have them: a column of times "t", and one for each state
 * that is no consequence of others (differential states; positions and velocities of mechanisms); others
 * are left out. Arrays from the arena. GRADYN_INVALID, with names: columns are missing, twice there or in
 * another unit, a value is no finite number, times fall, there are fewer than two rows; others: the file
 * cannot be read. */
gradyn_status gradyn_states_read(const char *path, const gradyn_model *model, gradyn_arena *arena,
                                 gradyn_states *out, gradyn_message *message);

/* States y [count] at a share of the time, linear between rows. */
void gradyn_states_at(const gradyn_states *s, double share, double *y);

/* States y [columns] of a motion at shares at [count] of the time, from 0 on and ascending, one row behind
 * the other: as it was simulated until the part in which it ends or runs away, then led. How many were
 * simulated is returned. */
size_t gradyn_states_follow(const gradyn_model *model, const gradyn_trajectory *motion,
                            const double at[], size_t count, double *y);

#endif
