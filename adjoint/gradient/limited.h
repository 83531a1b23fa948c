/* An evaluator with path constraints at sampled time points: each is an additional functional after those of
 * the problem. The problem's own functionals of bounds are then 0. */
#ifndef GRADYN_ADJOINT_LIMITED_H
#define GRADYN_ADJOINT_LIMITED_H

#include "adjoint/evaluator/evaluator.h"
#include "core/model/limit.h"

typedef struct gradyn_limited gradyn_limited;

/* Creates an evaluator with problem, options, settings and method of `of`, and with path constraints sampled
 * at `at` [count], which is copied. The problem must outlive *out, `of` too if it has a limit of
 * gradyn_evaluator_limit(). Free *out in any case, NULL is allowed. On failure, the evaluator of *out has the
 * message; without memory, *out is NULL. Errors: GRADYN_NO_MEMORY; those of gradyn_evaluator_create(). */
gradyn_status gradyn_limited_create(gradyn_evaluator *of, const gradyn_limit_at at[], size_t count,
                                    gradyn_limited **out);

/* Frees *limited with its evaluator; NULL: no effect. */
void gradyn_limited_free(gradyn_limited *limited);

/* Returns the evaluator, which *limited owns, valid until gradyn_limited_free(). Functional number
 * `functionals of the problem` + i of the evaluator, i from 0, is sample i. */
gradyn_evaluator *gradyn_limited_evaluator(const gradyn_limited *limited);

/* The largest violation of a path constraint in an interval. */
typedef struct gradyn_limit_found {
  gradyn_limit_at at;
  double t, excess; /* s; in the unit of the constraint */
} gradyn_limit_found;

/* An event of a run. */
typedef struct gradyn_limit_event {
  gradyn_occurrence of;
  double share; /* time of the event as a fraction of the run's length */
} gradyn_limit_event;

typedef struct gradyn_path_check {
  gradyn_limit_found *found; /* [count] */
  size_t count;
  gradyn_limit_event *event; /* [event_count] events of the run, in the order of their times */
  size_t event_count;
  /* [first_count] time points with which a search may begin, for all path constraints */
  gradyn_limit_at *first;
  size_t first_count;
  size_t sides; /* number of the last of these that are sides of jumps of signals */
  double t_end; /* s */
  /* duration of the run relative to the end time: below 1 if an event has ended it */
  double length;
  double grid; /* number of equal steps at whose ends constraints can be sampled; 0: anywhere */
  /* a search in segments began from guessed states, so that its segments need not meet at boundaries */
  bool guessed;
} gradyn_path_check;

/* Simulates at rho [parameters], and finds the intervals in which path constraints are violated by more
 * than `part` of their tolerances. Violations are no error. Clear *out in any case. Errors: failures of the
 * run; GRADYN_NO_MEMORY. */
gradyn_status gradyn_limits_find(gradyn_evaluator *evaluator, const double rho[], double part,
                                 gradyn_path_check *out);

/* Frees the arrays, not the object; may be repeated. */
void gradyn_path_check_clear(gradyn_path_check *look);

#endif
