/* Local searches with separate journals, by several workers.
 *
 * The journal is the only result of a worker. It therefore does not matter which worker ran a search, or
 * when. To collect the results, each search is repeated from its journal with an objective that computes
 * nothing. If the repetition requests a new point, the search is not finished. */
#ifndef GRADYN_OPTIM_SEARCH_JOBS_H
#define GRADYN_OPTIM_SEARCH_JOBS_H

#include "core/base/message.h"
#include "optim/program/objective.h"
#include "optim/rounds/resume.h"
#include "optim/study/account.h"
#include <gradyn/study.h>

/* One search. All pointers are borrowed, and outlive the use of the job. */
typedef struct gradyn_search_job {
  const gradyn_objective *objective;
  gradyn_search search; /* journal, on_iteration and user are set by the worker */
  const double *rho;    /* [parameters], start of the search */
  char file[4096];      /* path of its journal */
} gradyn_search_job;

/* The searches. describe() fills *job, zero before, for search i < count, from 0; several threads may call it
 * at the same time. All pointers are borrowed. */
typedef struct gradyn_search_jobs {
  size_t count;
  void (*describe)(const void *user, size_t i, gradyn_search_job *job);
  const void *user;
  const gradyn_objective *objective; /* objective of all jobs, with one `self` */
  const gradyn_evaluator *evaluator; /* for the headers of journals; NULL: without a description */
  const gradyn_workers *workers;     /* NULL: the present thread only */
} gradyn_search_jobs;

/* Checks the arguments of a task with many searches; nothing is evaluated. Errors, with a reason in *why,
 * static or the message of the evaluator: GRADYN_INVALID, an argument is NULL or wrong; GRADYN_UNSUPPORTED,
 * the search runs in segments or refines controls. After GRADYN_OK, *why has no meaning. */
static inline gradyn_status gradyn_search_jobs_suit(const gradyn_evaluator *evaluator,
                                                    const gradyn_search *search, const void *spec,
                                                    const double rho0[], const char **why)
{
  *why = gradyn_task_missing(evaluator, search != NULL ? spec : NULL, rho0);
  if (*why == NULL && search != NULL)
    *why = gradyn_search_fault(search);
  if (*why != NULL || search == NULL)
    return GRADYN_INVALID;
  *why = "segments and refined controls are possible in a single search only: use a single "
         "search, or neither of them";
  return gradyn_search_in_segments(search) || search->refine_controls != 0 ? GRADYN_UNSUPPORTED
                                                                           : GRADYN_OK;
}

/* Repeats the last evaluation of the first journal that has one, if there is any, and compares all bits. One
 * journal is sufficient, because all are from the same build. Errors, with a message: GRADYN_INVALID, the
 * numbers differ; GRADYN_IO, a journal cannot be accessed; those of gradyn_journal_read(). */
gradyn_status gradyn_search_jobs_verify(const gradyn_search_jobs *jobs, gradyn_message *message);

/* Runs or continues the searches; their journals have the results. Journals are trusted: call
 * gradyn_search_jobs_verify() before. A failed search is no error, unless its status is fatal or its journal
 * cannot be written. Errors, with the message: those of gradyn_pool_run(). */
gradyn_status gradyn_search_jobs_run(const gradyn_search_jobs *jobs, gradyn_message *message);

/* Repeats search i < count from its journal, without computation, and returns its status with its *result,
 * overwritten. look: callback of the search with the argument `user`; NULL: none. GRADYN_INTERRUPTED: the
 * search is not finished, or was not begun. GRADYN_IO, GRADYN_NO_MEMORY: the journal could not be read; no
 * finished search has such a status. Clear *result in any case. */
gradyn_status gradyn_search_jobs_repeat(const gradyn_search_jobs *jobs, size_t i,
                                        gradyn_iteration_fn look, void *user,
                                        gradyn_search_result *result);

#endif
