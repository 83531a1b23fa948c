/* Local searches, each with a journal of its own, done by several workers.
 *
 * The journal is all that a worker leaves behind, so it does not matter which one searched, or when:
 * to gather the results, each search is repeated from its journal with an objective that computes
 * nothing. A search that asks for something new is then one that is not finished. */
#ifndef GRADYN_OPTIM_SEARCH_JOBS_H
#define GRADYN_OPTIM_SEARCH_JOBS_H

#include "core/base/message.h"
#include "optim/program/objective.h"
#include "optim/study/account.h"
#include <gradyn/study.h>

/* One search. All pointers are borrowed. */
typedef struct gradyn_search_job {
  const gradyn_objective *objective;
  gradyn_search search; /* journal, watch and user are those of who does the job */
  const double *rho;    /* [parameters], where it begins */
  char file[4096];      /* of its journal */
} gradyn_search_job;

/* What there is to search. */
typedef struct gradyn_search_jobs {
  size_t count;
  void (*describe)(const void *user, size_t i, gradyn_search_job *job);
  const void *user;
  const gradyn_objective *objective; /* whose self all jobs ask */
  const gradyn_evaluator *evaluator; /* for the headers; may be NULL */
  const gradyn_workers *workers;     /* may be NULL */
} gradyn_search_jobs;

/* Whether there can be many of a search, of which all else that is needed is given; why not, if not. */
static inline gradyn_status gradyn_search_jobs_suit(bool given, const gradyn_search *search,
                                                    const char **why)
{
  *why = "the evaluator, the search, what is to be done or the start is NULL";
  if (!given || search == NULL)
    return GRADYN_INVALID;
  *why = "one search runs in segments or refines controls, not many: leave one of them out";
  return gradyn_search_in_segments(search) || search->refine_controls != 0 ? GRADYN_UNSUPPORTED
                                                                           : GRADYN_OK;
}

/* Repeats the last evaluation of one journal, if there is any: the others are by the same build.
 * GRADYN_INVALID: it has other bits now. */
gradyn_status gradyn_search_jobs_prove(const gradyn_search_jobs *jobs, gradyn_message *message);

/* Searches; returns what gradyn_pool_run() does. */
gradyn_status gradyn_search_jobs_run(const gradyn_search_jobs *jobs, gradyn_message *message);

/* Repeats search i as far as it has come; GRADYN_INTERRUPTED: it is not finished; GRADYN_IO,
 * GRADYN_NO_MEMORY: that cannot be told, as no journal has such an end. Look, which may be NULL, watches.
 * Clear the result in any case. */
gradyn_status gradyn_search_jobs_repeat(const gradyn_search_jobs *jobs, size_t i,
                                        gradyn_watch_fn look, void *user,
                                        gradyn_search_result *result);

#endif
