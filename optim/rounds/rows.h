/* Time points at which a search in rounds enforces path constraints. */
#ifndef GRADYN_OPTIM_ROWS_H
#define GRADYN_OPTIM_ROWS_H

#include <stdbool.h>

#include <jansson.h>

#include "adjoint/gradient/limited.h"
#include "optim/program/objective.h"
#include <gradyn/optimise.h>

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

/* Adds the largest violation of an interval: one sample that moves with the maximum in its window, and,
 * unless it is at an event, a fixed one there. A window has one moving sample; other maxima in it get fixed
 * ones. Returns false if memory is out. */
bool gradyn_rows_add_found(gradyn_rows *rows, const gradyn_limit_at *at, double excess);

/* Copies the samples to the points of a result of `functionals` functionals without samples. t_end: s; seen:
 * the last check, for windows between events. Returns false if memory is out. */
bool gradyn_rows_leave(const gradyn_rows *rows, const gradyn_path_check *seen, double t_end,
                       size_t functionals, gradyn_search_result *result);

/* Returns whether the window of a sample is still one arc of a run: its events are in the run, and no
 * others between them. */
bool gradyn_rows_keeps_arc(const gradyn_limit_at *at, const gradyn_path_check *seen);
/* Removes sample i; later ones move up. */
void gradyn_rows_remove(gradyn_rows *rows, size_t i);

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
