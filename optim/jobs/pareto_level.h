/* The searches for a front, level by level: what is to be done, and what it came to. */
#ifndef GRADYN_OPTIM_PARETO_LEVEL_H
#define GRADYN_OPTIM_PARETO_LEVEL_H

#include <math.h>

#include "core/base/message.h"
#include "optim/jobs/search_jobs.h"
#include "optim/program/objective.h"
#include <gradyn/study.h>

/* Of limits and of comparing points, of the range. */
#define GRADYN_FRONT_TOLERANCE 1e-6

/* One search. Tasks 2 i and 2 i + 1 are for point i, the last one is for the least second. */
typedef struct gradyn_front_task {
  gradyn_objective objective; /* with functionals of its own */
  gradyn_search search;
  const double *start;     /* [p] */
  gradyn_pareto_point end; /* what it came to */
  double initial;          /* value of what it minimised, at its start */
} gradyn_front_task;

typedef struct gradyn_front {
  const gradyn_objective *objective; /* all pointers are borrowed but those below */
  const gradyn_evaluator *evaluator;
  const gradyn_search *search;
  const gradyn_pareto_spec *spec;
  const double *rho0;
  size_t p, f, points;
  gradyn_front_task *task;             /* [2 points + 1] */
  gradyn_functional_info *functionals; /* [2 points + 1][f] */
  size_t *todo;                        /* [todo_count], tasks of this level */
  size_t todo_count, before;           /* tasks of earlier levels */
  gradyn_workers workers;              /* the caller's, but telling of all levels */
  gradyn_pareto_result *result;
  gradyn_message message;
} gradyn_front;

/* Whether the search for a point has ended with a feasible one. */
static inline bool gradyn_front_usable(const gradyn_pareto_point *point)
{
  return point->finished && isfinite(point->first) && point->violation <= 1;
}

/* Adds task i, to minimise a functional from start [p], to this level; limit NAN: there is none. */
void gradyn_front_add(gradyn_front *c, size_t i, size_t minimised, double limit, double range,
                      const double *start);

/* The tasks of this level with their journals; borrows the front. */
gradyn_search_jobs gradyn_front_jobs(const gradyn_front *c);

/* Searches all tasks of this level, gathers their ends as points, and begins an empty level. */
gradyn_status gradyn_front_search_level(gradyn_front *c);

#endif
