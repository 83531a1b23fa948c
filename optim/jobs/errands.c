/* Searches with journals: done, proved, repeated.
 *
 * An errand is a search with a journal. Whoever does it leaves nothing else behind; its result
 * is found by repeating the search from the journal, which computes nothing, in any process and
 * at any time. Before a folder's journals are believed, one evaluation of one of them is
 * repeated to the bit. */
#include "optim/jobs/errands.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "optim/jobs/crew.h"
#include "optim/study/recall.h"
#include "optim/study/resume.h"

/* Errand i, as its owner lays it out. */
static gradyn_errand describe(const gradyn_errands *errands, size_t i)
{
  gradyn_errand errand = {.objective = NULL};
  errands->describe(errands->user, i, &errand);
  /* descriptions are copied about: a pointer into one would dangle */
  errand.search.journal = NULL; /* the file, once the errand no longer moves */
  return errand;
}

/* Whether somebody has begun an errand; GRADYN_IO: that cannot be told. */
static gradyn_status has_begun(const gradyn_errand *errand, bool *begun, gradyn_message *message)
{
  *begun = access(errand->file, F_OK) == 0;
  return *begun || errno == ENOENT
             ? GRADYN_OK
             : gradyn_fail(message, GRADYN_IO, "cannot read the journal '%s': %s", errand->file,
                           strerror(errno));
}

/* --- Searching -------------------------------------------------------------------------------- */

/* Between evaluations: may the worker go on? */
static bool watch(const gradyn_iteration *iteration, void *user)
{
  (void)iteration;
  return gradyn_worker_go_on(user);
}

/* A task of the crew. */
static void work(void *user, size_t task, gradyn_worker *worker)
{
  const gradyn_errands *errands = user;
  gradyn_errand errand = describe(errands, task);
  gradyn_objective objective = *errand.objective;
  gradyn_search_result result;
  objective.self = gradyn_worker_self(worker, objective.self);
  errand.search.journal = errand.file;
  errand.search.watch = watch;
  errand.search.user = worker;
  const gradyn_status status = gradyn_search_recall(&objective, errands->evaluator, &errand.search,
                                                    errand.rho,
                                                    /* proved before the crew was made */
                                                    (gradyn_recollection){.trust = true}, &result);
  /* only a lost journal endangers the others' work */
  if (result.journal != GRADYN_OK)
    gradyn_worker_complain(worker, result.journal, result.reason);
  else if (status != GRADYN_INTERRUPTED &&
           gradyn_status_classify((int)status) == GRADYN_CLASS_FATAL)
    gradyn_worker_give_up(worker, status, result.reason); /* no journal tells of it */
  gradyn_search_result_clear(&result);
}

gradyn_status gradyn_errands_run(const gradyn_errands *errands, gradyn_message *message)
{
  const gradyn_crew crew = {.tasks = errands->count,
                            .hands = errands->hands,
                            .objective = errands->objective,
                            .work = work,
                            .user = (void *)errands};
  return gradyn_crew_run(&crew, message);
}

/* --- Proving ---------------------------------------------------------------------------------- */

/* Proves by the journal of one errand; *proved: it had an evaluation. */
static gradyn_status prove_by(const gradyn_errand *errand, bool *proved, gradyn_message *message)
{
  const gradyn_objective *objective = errand->objective;
  gradyn_journal *journal = NULL;
  gradyn_status status = gradyn_journal_read(errand->file, objective->parameter_count,
                                             objective->functional_count, &journal);
  if (journal == NULL)
    return gradyn_fail(message, GRADYN_NO_MEMORY, "out of memory");
  if (status != GRADYN_OK)
    gradyn_fail(message, status, "%s", journal->message.text);
  /* a journal without evaluations proves nothing */
  *proved = status == GRADYN_OK && journal->count > 0;
  if (*proved) {
    /* the same numbers again, from the first evaluation on */
    gradyn_recall recall;
    gradyn_recall_begin(&recall, objective, journal);
    status = gradyn_recall_prove(&recall);
    if (status != GRADYN_OK)
      gradyn_fail(message, status, "'%s': %s", errand->file, recall.message.text);
  }
  gradyn_journal_close(journal);
  return status;
}

gradyn_status gradyn_errands_prove(const gradyn_errands *errands, gradyn_message *message)
{
  bool proved = false;
  /* one journal is enough: all searches share the build and the machine */
  for (size_t i = 0; i < errands->count && !proved; i++) {
    const gradyn_errand errand = describe(errands, i);
    bool begun = false;
    GRADYN_TRY(has_begun(&errand, &begun, message));
    if (begun)
      GRADYN_TRY(prove_by(&errand, &proved, message));
  }
  return GRADYN_OK;
}

/* --- Repeating -------------------------------------------------------------------------------- */

gradyn_status gradyn_errands_repeat(const gradyn_errands *errands, size_t i, gradyn_watch_fn look,
                                    void *user, gradyn_search_result *result)
{
  gradyn_errand errand = describe(errands, i);
  gradyn_message message = {"the search was not begun"};
  bool begun = false;
  const gradyn_status status = has_begun(&errand, &begun, &message);
  if (!begun) {
    gradyn_result_refuse(result, message.text);
    return status == GRADYN_OK ? GRADYN_INTERRUPTED : status;
  }
  /* a request that the journal cannot answer ends the repetition where the search had ended */
  errand.search.journal = errand.file;
  errand.search.watch = look;
  errand.search.user = user;
  return gradyn_search_recall(errand.objective, errands->evaluator, &errand.search, errand.rho,
                              (gradyn_recollection){.trust = true, .read_only = true}, result);
}
