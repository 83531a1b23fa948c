/* States at which a search in segments begins. They come from a file, from a warm start, from the guesses
 * that build() declares, or from a simulation. */
#ifndef GRADYN_OPTIM_GUESS_H
#define GRADYN_OPTIM_GUESS_H

#include <jansson.h>

#include "core/linear/arena.h"
#include "core/model/model.h"
#include <gradyn/optimise.h>

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
  gradyn_states states; /* from a file or a warm start; 0 rows: there are none */
  json_t *warm;         /* warm start; owned; NULL: none */
  char *text;           /* the same for these boundaries; owned; NULL: none */
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
 * from 0. Later states than its end are constant. Returns the number of rows from the motion. */
size_t gradyn_states_follow(const gradyn_model *model, const gradyn_trajectory *motion,
                            const double at[], size_t count, double *y);

/* Overwrites the states that build() has guessed in y [count][columns], which gradyn_states_follow() has
 * filled, `rows` of them from the motion. The first row is the start of the guesses. Failures have a message
 * in the model. */
gradyn_status gradyn_states_guess(gradyn_model *model, const gradyn_trajectory *motion, size_t rows,
                                  const double at[], size_t count, double *y);

/* --- In warm.c --------------------------------------------------------------------------------- */

struct gradyn_segments;

/* Whether the states at boundaries come from a guess, so that segments need not join at the start. */
bool gradyn_segments_guessed(const struct gradyn_segments *s);

/* Takes the states of a warm start, see gradyn_search.warm_start, which is checked. If a state is missing,
 * a finding reports this, and the states are not used. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_segments_take_warm(struct gradyn_segments *s, const char *text);

/* Overwrites the states y of the reference at boundary k if the warm start has the same boundaries. */
void gradyn_segments_warm_reference(const struct gradyn_segments *s, size_t k, double *y);

/* Overwrites the unknowns at the start if the warm start has the same boundaries. */
void gradyn_segments_warm_unknowns(struct gradyn_segments *s);

/* Returns the size of unknown i of boundary k in the warm start; `own` if it has none. Other sizes would
 * change the tolerances of defects. */
double gradyn_segments_warm_size(const struct gradyn_segments *s, size_t k, size_t i, double own);

/* Returns the warm start for the boundaries of these segments, released by them. The multipliers of defects
 * are linear in time between those of the other boundaries. NULL: there is none, or memory is out. */
const char *gradyn_segments_warm_text(struct gradyn_segments *s);

/* Adds boundaries and states to the warm start of a result. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_segments_leave(const struct gradyn_segments *s, gradyn_search_result *result);

#endif
