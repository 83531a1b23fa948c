/* Searches with journals: run, verified, repeated.
 *
 * A job is a search with a journal, which is its only result. The search can be repeated from the journal
 * in any process and at any time, without computation. Before the journals of a folder are used, one
 * evaluation of one of them is repeated; all bits must be equal. */
#include "optim/jobs/search_jobs.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "optim/jobs/pool.h"
#include "optim/study/replay.h"
#include "optim/rounds/resume.h"
#include "optim/search/search.h"

/* Returns job i, as its owner describes it. */
static gradyn_search_job describe(const gradyn_search_jobs *jobs, size_t i)
{
  gradyn_search_job job = {.objective = NULL};
  jobs->describe(jobs->user, i, &job);
  /* the job is returned by value: a pointer into it would become invalid */
  job.search.journal = NULL; /* set when the job is no longer copied */
  return job;
}

/* Determines whether a job has begun. GRADYN_IO: the file cannot be accessed. */
static gradyn_status has_begun(const gradyn_search_job *job, bool *begun, gradyn_message *message)
{
  *begun = access(job->file, F_OK) == 0;
  return *begun || errno == ENOENT
             ? GRADYN_OK
             : gradyn_fail(message, GRADYN_IO, "cannot read the journal '%s': %s", job->file,
                           strerror(errno));
}

/* --- Searches ------------------------------------------------------------------------------------ */

/* Called between evaluations: whether the worker may continue. */
static bool watch(const gradyn_iteration *iteration, void *user)
{
  (void)iteration;
  return gradyn_worker_may_continue(user);
}

/* Runs a task of the pool. */
static void work(void *user, size_t task, gradyn_worker *worker)
{
  const gradyn_search_jobs *jobs = user;
  gradyn_search_job job = describe(jobs, task);
  gradyn_objective objective = *job.objective;
  gradyn_search_result result;
  objective.self = gradyn_worker_self(worker, objective.self);
  job.search.journal = job.file;
  job.search.on_iteration = watch;
  job.search.user = worker;
  const gradyn_status status = gradyn_search_with_journal(
      &objective, jobs->evaluator, &job.search, job.rho,
      /* the journals were verified before the pool was made */
      (gradyn_recollection){.trust = true}, &result);
  gradyn_termination_join(result.reason);
  /* only a failure of the journal affects the other searches */
  if (result.resumed.status != GRADYN_OK)
    gradyn_worker_report_fatal(worker, result.resumed.status, result.reason);
  else if (status != GRADYN_INTERRUPTED &&
           gradyn_status_describe((int)status).kind == GRADYN_CLASS_FATAL)
    gradyn_worker_report_task(worker, status, result.reason); /* no journal records this failure */
  gradyn_search_result_clear(&result);
}

gradyn_status gradyn_search_jobs_run(const gradyn_search_jobs *jobs, gradyn_message *message)
{
  const gradyn_pool pool = {.tasks = jobs->count,
                            .workers = jobs->workers,
                            .objective = jobs->objective,
                            .work = work,
                            .user = (void *)jobs};
  return gradyn_pool_run(&pool, message);
}

/* --- Verification -------------------------------------------------------------------------------- */

/* Verifies an evaluation of the journal of one job. *proved: it has an evaluation. */
static gradyn_status prove_by(const gradyn_search_job *job, bool *proved, gradyn_message *message)
{
  const gradyn_objective *objective = job->objective;
  gradyn_journal *journal = NULL;
  gradyn_status status = gradyn_journal_read(job->file, objective->parameter_count,
                                             objective->functional_count, &journal);
  if (journal == NULL)
    return gradyn_fail(message, GRADYN_NO_MEMORY, "out of memory");
  if (status != GRADYN_OK)
    gradyn_fail(message, status, "%s", journal->message.text);
  /* a journal without evaluations verifies nothing */
  *proved = status == GRADYN_OK && journal->count > 0;
  if (*proved) {
    gradyn_replay recall;
    gradyn_replay_begin(&recall, objective, journal);
    status = gradyn_replay_verify(&recall);
    if (status != GRADYN_OK)
      gradyn_fail(message, status, "'%s': %s", job->file, recall.message.text);
    gradyn_replay_end(&recall);
  }
  gradyn_journal_close(journal);
  return status;
}

gradyn_status gradyn_search_jobs_verify(const gradyn_search_jobs *jobs, gradyn_message *message)
{
  bool proved = false;
  /* one journal is sufficient: all searches share build and machine */
  for (size_t i = 0; i < jobs->count && !proved; i++) {
    const gradyn_search_job job = describe(jobs, i);
    bool begun = false;
    GRADYN_TRY(has_begun(&job, &begun, message));
    if (begun)
      GRADYN_TRY(prove_by(&job, &proved, message));
  }
  return GRADYN_OK;
}

/* --- Repetition ---------------------------------------------------------------------------------- */

gradyn_status gradyn_search_jobs_repeat(const gradyn_search_jobs *jobs, size_t i,
                                        gradyn_iteration_fn look, void *user,
                                        gradyn_search_result *result)
{
  gradyn_search_job job = describe(jobs, i);
  gradyn_message message = {"the search was not begun"};
  bool begun = false;
  const gradyn_status status = has_begun(&job, &begun, &message);
  if (!begun) {
    gradyn_result_refuse(result, message.text);
    return status == GRADYN_OK ? GRADYN_INTERRUPTED : status;
  }
  /* a request that the journal cannot answer ends the repetition where the search had ended */
  job.search.journal = job.file;
  job.search.on_iteration = look;
  job.search.user = user;
  return gradyn_search_with_journal(job.objective, jobs->evaluator, &job.search, job.rho,
                                    (gradyn_recollection){.trust = true, .read_only = true},
                                    result);
}
