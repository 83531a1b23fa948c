/* The searches for a front, level by level: tasks and results. */
#ifndef GRADYN_OPTIM_PARETO_LEVEL_H
#define GRADYN_OPTIM_PARETO_LEVEL_H

#include <math.h>

#include "core/base/message.h"
#include "optim/jobs/search_jobs.h"
#include "optim/program/objective.h"
#include <gradyn/study.h>

/* Tolerance of limits and of comparisons of points, as a fraction of the range. */
#define GRADYN_FRONT_TOLERANCE 1e-6

/* One search. Tasks 2 i and 2 i + 1 are for point i, from 0; the last one is for the minimum of the second
 * functional. */
typedef struct gradyn_front_task {
  gradyn_objective objective; /* with separate functionals */
  gradyn_search search;
  const double *start;     /* [p], borrowed */
  gradyn_pareto_point end; /* result of the task; first is NAN until there is a point */
  double initial;          /* initial value of the functional that it minimised */
} gradyn_front_task;

/* A front in progress. p and f: numbers of parameters and functionals; points: of the front. */
typedef struct gradyn_front {
  const gradyn_objective *objective; /* all pointers above the tasks are borrowed */
  const gradyn_evaluator *evaluator;
  const gradyn_search *search;
  const gradyn_pareto_spec *spec;
  const double *rho0;
  size_t p, f, points;
  gradyn_front_task *task;             /* [2 points + 1] */
  gradyn_functional_info *functionals; /* [2 points + 1][f] */
  size_t *todo;                        /* [todo_count], tasks of the present level */
  size_t todo_count, before;           /* before: number of tasks of earlier levels */
  gradyn_workers workers;              /* the caller's, with progress of all levels together */
  gradyn_pareto_result *result;
  gradyn_message message;
} gradyn_front;

/* Returns whether a search for a point has finished with a feasible point (violation <= 1). */
static inline bool gradyn_front_usable(const gradyn_pareto_point *point)
{
  return point->finished && isfinite(point->first) && point->violation <= 1;
}

/* Adds task i, below 2 c->points + 1, to the present level: minimise functional `minimised`, its index in
 * psi, from start [p]. start must outlive the level. limit: upper limit of the other functional of the
 * front, in its unit; NAN: none. range: largest minus smallest limit of the front, for the tolerance of the
 * limit. A stricter bound of the problem stays. An algorithm without inequality constraints becomes slsqp if
 * there is a limit. */
void gradyn_front_add(gradyn_front *c, size_t i, size_t minimised, double limit, double range,
                      const double *start);

/* Returns the tasks of the present level with their journals in the folder of the specification. The result
 * borrows the front, which must not move or begin another level. */
gradyn_search_jobs gradyn_front_jobs(const gradyn_front *c);

/* Runs all tasks of the present level, takes the results from their journals into c->task and c->result, and
 * keeps the better one of each point. The level is empty then, also after an error. Errors, with c->message:
 * GRADYN_INTERRUPTED, some tasks are not finished; those of gradyn_search_jobs_run(); failures of class
 * misuse or fatal of a search. */
gradyn_status gradyn_front_search_level(gradyn_front *c);

#endif
