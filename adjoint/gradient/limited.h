/* An evaluator whose limits along the way are held at some instants: each a functional more, behind those of
 * the problem, whose own sides of limits stay silent (0). */
#ifndef GRADYN_ADJOINT_LIMITED_H
#define GRADYN_ADJOINT_LIMITED_H

#include "adjoint/evaluator/evaluator.h"
#include "core/model/limit.h"

typedef struct gradyn_limited gradyn_limited;

/* Of the same problem, with the options, settings and method of an evaluator. On failure *out still has the
 * message in its evaluator, unless there is no memory (NULL). */
gradyn_status gradyn_limited_create(gradyn_evaluator *of, const gradyn_limit_at at[], size_t count,
                                    gradyn_limited **out);
void gradyn_limited_free(gradyn_limited *limited);

/* Lent until that is freed. */
gradyn_evaluator *gradyn_limited_evaluator(const gradyn_limited *limited);

/* Where a run exceeds a limit: the worst place of a stretch, and by how much. */
typedef struct gradyn_limit_found {
  gradyn_limit_at at;
  double t, excess; /* s; in the unit of the limit */
} gradyn_limit_found;

typedef struct gradyn_path_check {
  gradyn_limit_found *found; /* [count] */
  size_t count;
  gradyn_limit_at *first; /* [first_count] where a search may begin to hold all limits */
  size_t first_count;
  double t_end;  /* s */
  double length; /* of the run, over the end time: less than 1 where an event has ended it */
  double grid; /* steps of equal length, at whose ends alone rows can be; 0: they can be anywhere */
} gradyn_path_check;

/* Simulates at rho [parameters] and looks for stretches where limits are exceeded by more than `part` of
 * their tolerances. *out is to be cleared. */
gradyn_status gradyn_limits_find(gradyn_evaluator *evaluator, const double rho[], double part,
                                 gradyn_path_check *out);
void gradyn_path_check_clear(gradyn_path_check *look);

#endif
