/* Parameters that act in a segment of a motion.
 *
 * A knot of a signal acts only in segments that its pieces touch, and initial values act only in the first
 * segment. Parameters of a segment are those on which other data depend, or knots that act there. Knots far
 * from the segment are no data of its model. */
#ifndef GRADYN_OPTIM_ACTING_H
#define GRADYN_OPTIM_ACTING_H

#include <math.h>
#include <pthread.h>

#include "adjoint/evaluator/evaluator.h"

/* Parameters of a segment. The arrays belong to the arena that they come from. */
typedef struct gradyn_acting {
  size_t count;
  size_t *parameter; /* [count], indices among those of the problem, ascending */
  /* [signals of the problem], from knot 0: knots that act, and knots that are data. These are one more on
   * each side, where runs read values without effect */
  gradyn_knot_window *acts, *stored;
} gradyn_acting;

/* Dependence of data on parameters, by build() at some points. */
typedef struct gradyn_reach {
  const gradyn_evaluator *whole; /* borrowed */
  bool *everywhere,
      *at_start; /* [parameters], true: changes data that act everywhere; changes initial states */
  struct gradyn_knot_parameter
      *pair; /* [count], knots with the parameters that change them, ordered by knots; owned */
  size_t count, capacity;
  bool *moves; /* [signals] times of knots move within the run: all knots may act everywhere */
  char *kind;  /* [nx], where a datum of the model acts, see acting.c */
  gradyn_arena arena;
} gradyn_reach;

/* Returns a number from 1 to below 2 for index j. Steps of these sizes do not cancel in sums. */
static inline double gradyn_acting_step(size_t j)
{
  return 1 + fmod((double)j * 0.6180339887498949, 1);
}

/* Finds which parameters change which data, at rho [parameters] and at a point nearby. start [count]: indices
 * of the data that are the initial state. whole: borrowed by *out; it has the data at rho afterwards. If its
 * gradients are by differences, build() is not called, and all parameters act everywhere. Clear *out in any
 * case. Errors, with the message of `whole`: GRADYN_NO_MEMORY; those of build() at rho. */
gradyn_status gradyn_reach_find(gradyn_evaluator *whole, const double rho[], const int start[],
                                size_t count, gradyn_reach *out);
/* Frees the members of *reach, which becomes {0}; may be repeated. */
void gradyn_reach_clear(gradyn_reach *reach);

/* Fills *out with the parameters that act in the segment between the shares `from` and `to` of the end time.
 * Initial states act if `from` is 0. The arrays come from the arena. Error: GRADYN_NO_MEMORY, without a
 * message. */
gradyn_status gradyn_acting_find(const gradyn_reach *reach, double from, double to,
                                 gradyn_arena *arena, gradyn_acting *out);

/* Fills *out with all parameters, and with all knots as data. The arrays come from the arena. Error:
 * GRADYN_NO_MEMORY, without a message. */
gradyn_status gradyn_acting_all(const gradyn_evaluator *whole, gradyn_arena *arena,
                                gradyn_acting *out);

/* Parameters of the whole problem for calls of build() by segments, in several threads. */
typedef struct gradyn_common {
  size_t count;
  double *rho; /* [count] */
  unsigned long version;
  pthread_mutex_t lock;
  struct gradyn_common_copy *free; /* copies that no call uses */
} gradyn_common;

/* Creates `count` parameters, all 0. Clear *out in any case, and do not move it. Error: GRADYN_NO_MEMORY,
 * without a message. */
gradyn_status gradyn_common_create(size_t count, gradyn_common *out);
/* Frees the members, with all copies that were given back; no thread may use the struct. */
void gradyn_common_clear(gradyn_common *common);
/* Sets all parameters to rho [count], copied. Do not call it while other threads use the struct. */
void gradyn_common_set(gradyn_common *common, const double rho[]);
/* Returns a copy of the parameters [count], also to several threads at the same time. The caller may change
 * the copy, but gives it back with its original values, by gradyn_common_unlock(). Copies do not exclude each
 * other. NULL: out of memory. */
gradyn_scalar *gradyn_common_lock(gradyn_common *common);
/* Gives back a copy of gradyn_common_lock(), not NULL, which must have its original values, also from several
 * threads at the same time. The copy must not be used afterwards. */
void gradyn_common_unlock(gradyn_common *common, gradyn_scalar *copy);

/* Parameters of the segments. */
typedef struct gradyn_segments_sparsity {
  gradyn_acting *acting; /* [count of segments], parameters of the problem that act */
  gradyn_common common;
  double **rho; /* [count of segments], parameters of each segment with the unknowns at its start */
  bool *grown;  /* [count of segments], other parameters act as well */
  bool outgrown; /* a segment has grown: gradyn_segments_widen() helps */
} gradyn_segments_sparsity;

#endif
