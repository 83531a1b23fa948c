/* States at which a search in segments begins. They come from a file, from a warm start, from the guesses
 * that build() declares, or from a simulation. */
#ifndef GRADYN_OPTIM_GUESS_H
#define GRADYN_OPTIM_GUESS_H

#include <jansson.h>

#include "core/linear/arena.h"
#include "core/model/model.h"
#include <gradyn/optimise.h>

/* States over time, from a file or a warm start. The arrays belong to the arena that they come from. */
typedef struct gradyn_states {
  size_t rows, count;
  /* [count], only if the states are natural positions and velocities of a model in joint coordinates: whether
   * the file has them. NULL: the states are those of the model */
  bool *known;
  /* [rows], time as a share of that between the first and the last row, from 0 to 1 */
  double *share;
  double *y; /* [rows][count], in the units of the states; dependent states are zero */
} gradyn_states;

/* Start of a search. */
typedef struct gradyn_begun {
  gradyn_states states; /* from a file or a warm start; 0 rows: there are none */
  json_t *warm;         /* warm start; owned; NULL: none */
  char *text;           /* the same for these boundaries; owned; NULL: none */
  size_t followed;      /* number of segments; the simulation has reached their starts */
  double *
      reach; /* [unknowns of a boundary], their changes by unit steps of parameters; NULL: not computed */
} gradyn_begun;

/* Reads states over time from a file of comma-separated values in the form of trajectories. Required columns:
 * the time "t" and the independent states, which are differential states, or positions and velocities of
 * mechanisms. For a model in joint coordinates, natural positions and velocities serve as well. Other columns
 * are ignored. The arrays come from the arena.
 *
 * After an error, *out must not be used. Errors, with a message: GRADYN_INVALID, columns are missing, occur
 * twice or have another unit, a value is no finite number, times decrease, there are fewer than two rows, or
 * the file exceeds 256 MB; GRADYN_NO_MEMORY; those of gradyn_csv_read(). */
gradyn_status gradyn_states_read(const char *path, const gradyn_model *model, gradyn_arena *arena,
                                 gradyn_states *out, gradyn_message *message);

/* Fills rows 1, 2, ... of y [count][columns] with the states of the model at the shares at [count] of the
 * time, which ascend from 0. The caller fills row 0 before. States are linear between rows of the file, in
 * the coordinates of the file. Errors, with the model's message, only for natural states:
 * GRADYN_NOT_ASSEMBLED; GRADYN_NO_MEMORY. */
gradyn_status gradyn_states_sample(const gradyn_states *s, gradyn_model *model, const double at[],
                                   size_t count, size_t columns, double *y);

/* Fills y [count][columns of the motion] with the states of a motion, which has at least one step. at
 * [count]: shares of the end time of the model, ascending from 0. If the motion ends early, the last row
 * before its end (unless row 0) and all later rows repeat the row before. Returns the number of rows that are
 * from the motion, at least 1. */
size_t gradyn_states_follow(const gradyn_model *model, const gradyn_trajectory *motion,
                            const double at[], size_t count, double *y);

/* Overwrites the states that build() has guessed in rows 1, 2, ... of y [count][columns of the motion].
 * gradyn_states_follow() has filled y before, and returned `rows`. Guesses begin with the values of row 0. at
 * [count]: shares of the end time. Errors, with the model's message, only for guesses of natural coordinates:
 * GRADYN_NOT_ASSEMBLED; GRADYN_NO_MEMORY. */
gradyn_status gradyn_states_guess(gradyn_model *model, const gradyn_trajectory *motion, size_t rows,
                                  const double at[], size_t count, double *y);

/* --- In warm.c --------------------------------------------------------------------------------- */

struct gradyn_segments;

/* Returns whether the states at boundaries come from a file, from guesses of build(), or from a simulation
 * that failed early. Segments then need not join at the start. False with a warm start. */
bool gradyn_segments_guessed(const struct gradyn_segments *s);

/* Reads the warm start `text`, see gradyn_search.warm_start, into s->begun.warm. Takes its states over
 * time as a guess unless s->begun.states has some of a file. If a state is missing, s->moved gets a line,
 * and the states are not used. Errors, with s->message: GRADYN_INVALID, the text is no warm start;
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_segments_take_warm(struct gradyn_segments *s, const char *text);

/* Overwrites y [states of the model], the reference of boundary k > 0 of a mechanism, by that of the warm
 * start. If the warm start has other boundaries, y stays; states without an entry stay, too. */
void gradyn_segments_warm_reference(const struct gradyn_segments *s, size_t k, double *y);

/* Overwrites the unknowns of all boundaries in s->start by those of the warm start, if the warm start has the
 * same boundaries. Otherwise, and for unknowns without an entry, s->start stays. */
void gradyn_segments_warm_unknowns(struct gradyn_segments *s);

/* Returns the size of unknown i, from 0, of boundary k > 0 in the warm start; `own` if there is none. With
 * other boundaries, the size is that of the first boundary of the warm start. The same sizes keep the
 * tolerances of defects. */
double gradyn_segments_warm_size(const struct gradyn_segments *s, size_t k, size_t i, double own);

/* Returns the warm start as text for the boundaries of these segments, owned by *s until
 * gradyn_segments_clear(). Multipliers of defects are interpolated linearly in time from those at the
 * boundaries of the warm start. NULL: there is no warm start, or memory is out. */
const char *gradyn_segments_warm_text(struct gradyn_segments *s);

/* The function describe of gradyn_objective; `segments` is a gradyn_segments. Adds the name of the problem to
 * the warm start *root. Unless the search was stopped or the motion fails, also stores the motion in
 * result->segment_motion, and adds its boundaries and states over time. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_segments_leave(void *segments, gradyn_search_result *result, json_t **root);

#endif
