/* Time points at which a search in rounds enforces path constraints. */
#ifndef GRADYN_OPTIM_ROWS_H
#define GRADYN_OPTIM_ROWS_H

#include <stdbool.h>

#include <jansson.h>

#include "adjoint/gradient/limited.h"
#include "optim/program/objective.h"
#include <gradyn/optimise.h>

/* A sample: its time point, the round (from 1) in which it was added, and the displacement of its bound. */
typedef struct gradyn_held_row {
  gradyn_limit_at at;
  int round;
  double moved;
  double multiplier; /* >= 0, from a warm start; 0: not active, or not known */
} gradyn_held_row;

/* The samples of a search in rounds. {0}: none; release item by free(). */
typedef struct gradyn_rows {
  gradyn_held_row *item; /* [count] */
  size_t count;
  int round; /* number of the round in which samples are added now, set by the caller; 0: before the first */
} gradyn_rows;

/* Adds a sample `at`, copied, with the present round. If the same time point has a sample from an earlier
 * round, its bound is moved by a positive `excess`, in the unit of the constraint. A sample of the present
 * round stays. Returns false if memory is out. */
bool gradyn_rows_add(gradyn_rows *rows, const gradyn_limit_at *at, double excess);

/* Adds samples at a violation, *at: the largest one between at->from and at->to. The first call for these
 * limits adds a sample that moves with the maximum between them. Each call adds a sample that stays at the
 * time of the violation, unless an event is there. at->to 0: only this one. excess > 0: by which the bound
 * of an earlier sample that stays is moved, in the unit of the constraint. Returns false if memory is
 * out. */
bool gradyn_rows_add_found(gradyn_rows *rows, const gradyn_limit_at *at, double excess);

/* Copies the samples to result->path_points (new) of a result whose psi and multiplier have `functionals`
 * functionals before the samples. t_end: end of the run, s; seen: the last check, for windows between
 * events. Returns false if memory is out. */
bool gradyn_rows_leave(const gradyn_rows *rows, const gradyn_path_check *seen, double t_end,
                       size_t functionals, gradyn_search_result *result);

/* Returns whether the window of a sample is still one arc of the run that `seen` checked. The events at its
 * ends are then in the run, and no others between them. True for samples without a window. */
bool gradyn_rows_keeps_arc(const gradyn_limit_at *at, const gradyn_path_check *seen);
/* Removes sample i < count, from 0; the index of later samples decreases by one. */
void gradyn_rows_remove(gradyn_rows *rows, size_t i);

/* Adds the samples of a warm start, `given` of gradyn_warm_prepare(), with their multipliers and
 * displacements. A sample is left out if the objective has no path constraint with its name. given is not
 * kept; NULL: none. Returns false if memory is out. */
bool gradyn_rows_add_given(gradyn_rows *rows, const json_t *given,
                           const gradyn_objective *objective);

/* Returns the samples for a warm start as a new array, without fixed samples of the first round that were
 * never active. multiplier [count]: their multipliers, in the order of the samples; values that are not
 * finite count as 0. NULL: out of memory. */
json_t *gradyn_rows_describe(const gradyn_rows *rows, const gradyn_objective *objective,
                             const double multiplier[]);

#endif
