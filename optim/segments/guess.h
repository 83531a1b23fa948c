/* States at which a search in segments begins. They come from a file or a motion. Where the motion fails
 * or diverges, they come from the guesses that build() declares. */
#ifndef GRADYN_OPTIM_GUESS_H
#define GRADYN_OPTIM_GUESS_H

#include "core/linear/arena.h"
#include "core/model/model.h"
#include <gradyn/evaluate.h>

/* States over time, from a file. */
typedef struct gradyn_states {
  size_t rows, count;
  /* [count], of natural positions and velocities for a model in joint coordinates: whether the file has
   * them. NULL: the states are those of the model */
  bool *known;
  /* [rows], time as a share of that between the first and the last row, from 0 to 1 */
  double *share;
  double *y; /* [rows][count]; dependent states are zero */
} gradyn_states;

/* Start of a search. */
typedef struct gradyn_begun {
  gradyn_states states; /* from a file; 0 rows: there is no file */
  size_t followed;      /* number of segments; the simulation has reached their starts */
  double *reach; /* of each unknown: its change by unit steps of parameters; NULL: not computed */
} gradyn_begun;

/* Reads comma-separated values in the form of trajectories. The columns are the times "t" and the
 * independent states: differential states, or positions and velocities of mechanisms. For a model in joint
 * coordinates, natural positions and velocities are accepted as well. Other columns are ignored. The
 * arrays come from the arena.
 *
 * GRADYN_INVALID, with names in the message: columns are missing, occur twice or have another unit, a
 * value is no finite number, times decrease, or there are fewer than two rows. Other errors: the file
 * cannot be read. */
gradyn_status gradyn_states_read(const char *path, const gradyn_model *model, gradyn_arena *arena,
                                 gradyn_states *out, gradyn_message *message);

/* Fills y [count][columns] with the states of a file at the shares at [count] of the time, which ascend from
 * 0. States are linear between rows, in the coordinates of the file. The first row of y is given. Failures
 * have a message in the model. */
gradyn_status gradyn_states_sample(const gradyn_states *s, gradyn_model *model, const double at[],
                                   size_t count, size_t columns, double *y);

/* Fills y [count][columns] with the states of a motion at the shares at [count] of the time, which ascend
 * from 0.
 *
 * States are those of the simulation up to the segment in which it ends or diverges. Later ones follow
 * the declared guesses. *rows: number of rows from the simulation. Failures have a message in the
 * model. */
gradyn_status gradyn_states_follow(gradyn_model *model, const gradyn_trajectory *motion,
                                   const double at[], size_t count, double *y, size_t *rows);

#endif
