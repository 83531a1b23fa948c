/* Searches with a journal: start, resumption, and the best point of a journal.
 *
 * A search starts with an empty journal, or is resumed. To resume, the header of the journal is compared,
 * and one of its evaluations is repeated. Then the same search runs, with evaluations from the journal. If
 * the search requests a point that is not the next one in the journal, it has left its earlier sequence of
 * points. This is reported, and the search continues. */
#include "optim/rounds/resume.h"

#include "optim/rounds/exchange.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "optim/study/account.h"
#include "optim/study/identity.h"
#include "optim/study/replay.h"

/* Copies a text, cut off if necessary. */
static void copy_text(char to[], size_t size, const char *from)
{
  if (to != NULL && size > 0)
    (void)snprintf(to, size, "%.*s", (int)size - 1, from);
}

/* Adds a line to the note on a resumed search. */
static void note(gradyn_resumed *resumed, const char *text)
{
  const size_t used = strlen(resumed->note), capacity = sizeof resumed->note - used;
  if (*text != '\0' && capacity > 2)
    (void)snprintf(resumed->note + used, capacity, "%s%.*s", used > 0 ? "\n" : "",
                   (int)capacity - 2, text);
}

/* --- Before the search ------------------------------------------------------------------------ */

/* Begins an empty journal, or compares the header of an old one with the present search. */
static gradyn_status match_header(gradyn_journal *journal, json_t *now, bool fresh,
                                  gradyn_message *differences, gradyn_message *message)
{
  gradyn_status status = GRADYN_OK;
  if (now == NULL)
    return gradyn_fail(message, GRADYN_NO_MEMORY, "out of memory");
  /* an empty read-only file has nothing to compare */
  if (journal->header == NULL && journal->read_only) {
    json_decref(now);
    return GRADYN_OK;
  }
  if (journal->header == NULL) {
    status = gradyn_journal_begin(journal, now);
    if (status != GRADYN_OK)
      gradyn_fail(message, status, "%s", journal->message.text);
    return status;
  }
  /* only a resumed search may continue a journal that has evaluations */
  if (fresh && journal->count > 0)
    status = gradyn_fail(message, GRADYN_INVALID,
                         "the journal '%s' already holds %zu evaluations: resume that search or "
                         "remove it",
                         journal->file, journal->count);
  if (status == GRADYN_OK)
    status = gradyn_identity_check(journal->header, now, message);
  /* harmless differences are noted as well */
  gradyn_identity_compare(journal->header, now, differences);
  json_decref(now);
  return status;
}

/* Adds the differences to the reason why a journal cannot be resumed. */
static void explain(gradyn_message *message, const gradyn_message *differences)
{
  if (differences->text[0] != '\0')
    gradyn_message_add(message, "what differs: %s", differences->text);
  else
    gradyn_message_add(message, "no entry of the header of the journal differs: perhaps build() "
                                "or the machine differs");
}

/* Compares the header of the journal with the present search, and verifies an evaluation. */
static gradyn_status prepare(gradyn_replay *recall, json_t *identity, gradyn_recollection how,
                             gradyn_message *message)
{
  gradyn_message differences;
  gradyn_message_clear(&differences);
  gradyn_status status = match_header(recall->journal, identity, how.fresh, &differences, message);
  /* without trust, the last evaluation is repeated before any is used */
  if (status == GRADYN_OK && !how.trust) {
    status = gradyn_replay_verify(recall);
    if (status != GRADYN_OK) {
      gradyn_fail(message, status, "%s", recall->message.text);
      explain(message, &differences);
    }
  }
  if (how.resumed != NULL) {
    /* tells the caller what the old journal contains */
    how.resumed->journalled = (long)recall->journal->count;
    note(how.resumed, differences.text);
  }
  return status;
}

/* --- The search ------------------------------------------------------------------------------- */

/* Reports how many evaluations came from the journal. */
static void report(const gradyn_replay *recall, gradyn_resumed *resumed)
{
  resumed->replayed = recall->recalled;
  /* all evaluations of the journal were used in their order */
  if (recall->left_after < 0 || recall->left_after >= resumed->journalled)
    return;
  char text[160];
  (void)snprintf(text, sizeof text,
                 "after %ld of the %ld evaluations of the journal, the search requested another "
                 "point than before",
                 recall->left_after, resumed->journalled);
  note(resumed, text);
}

gradyn_status gradyn_search_with_journal(const gradyn_objective *objective,
                                         const gradyn_evaluator *evaluator,
                                         const gradyn_search *search, const double rho0[],
                                         gradyn_recollection how, gradyn_search_result *result)
{
  /* the search has no journal */
  if (search->journal == NULL)
    return gradyn_exchange_run(objective, search, rho0, how.earlier, result);
  if (how.resumed != NULL)
    *how.resumed = (gradyn_resumed){0};
  gradyn_journal *journal = NULL;
  gradyn_message message = {.text = ""};
  const size_t p = objective->parameter_count, f = objective->functional_count;
  /* read only: collecting results must not disturb a process that writes */
  gradyn_status status = how.read_only ? gradyn_journal_read(search->journal, p, f, &journal)
                                       : gradyn_journal_open(search->journal, p, f,
                                                             search->durability, &journal);
  if (journal == NULL) {
    gradyn_result_refuse(result, "out of memory");
    return GRADYN_NO_MEMORY;
  }
  gradyn_replay recall;
  /* first, because all following calls use `recall` */
  gradyn_replay_begin(&recall, objective, journal);
  if (status != GRADYN_OK)
    gradyn_fail(&message, status, "%s", journal->message.text);
  else
    status = prepare(&recall, gradyn_identity(objective, evaluator, search, rho0), how, &message);
  if (status != GRADYN_OK) {
    gradyn_result_refuse(result, message.text);
  } else {
    status = gradyn_exchange_run(&recall.objective, search, rho0, how.earlier, result);
    /* writing the journal may have failed; the search itself is valid */
    if (recall.lost == GRADYN_OK)
      recall.lost = gradyn_journal_finish(journal);
    result->resumed.status = recall.lost;
    if (recall.lost != GRADYN_OK)
      gradyn_termination_add(result, "journal", "%s", journal->message.text);
    if (how.resumed != NULL)
      report(&recall, how.resumed);
  }
  gradyn_replay_end(&recall);
  gradyn_journal_close(journal);
  return status;
}

/* --- The best point --------------------------------------------------------------------------- */

/* Whether point b is better than point a: first by violation, then by the objective. */
static bool prefer(const gradyn_program *program, const double *a, const double *b)
{
  if (a == NULL)
    return true;
  /* all violations within the tolerances count as equal */
  const double before = fmax(1, gradyn_program_violation(program, a, NULL));
  const double after = fmax(1, gradyn_program_violation(program, b, NULL));
  return after < before ||
         (after == before && gradyn_program_value(program, b) < gradyn_program_value(program, a));
}

/* Finds the best evaluation of a journal, which becomes a start. */
static gradyn_status find_best(const gradyn_objective *objective, const gradyn_search *search,
                               const gradyn_journal *journal, double rho[], gradyn_message *message)
{
  OWNED(gradyn_program) *program = NULL;
  const double *best = NULL;
  if (journal->count == 0)
    return gradyn_fail(message, GRADYN_NOT_FOUND, "the journal '%s' holds no evaluation",
                       journal->file);
  /* any rho is suitable, because only constraints and weights of the program are used */
  const gradyn_status status = gradyn_program_create(objective, search, journal->records[0].rho,
                                                     &program);
  if (status != GRADYN_OK)
    return gradyn_fail(message, status, "%s",
                       program != NULL ? program->message.text : "out of memory");
  for (size_t i = 0; i < journal->count; i++) {
    const gradyn_record *record = &journal->records[i];
    /* any first point is better than none */
    if (record->status == GRADYN_OK && isfinite(gradyn_program_value(program, record->psi)) &&
        prefer(program, best, record->psi)) {
      best = record->psi;
      memcpy(rho, record->rho, journal->p * sizeof *rho);
    }
  }
  return best != NULL ? GRADYN_OK
                      : gradyn_fail(message, GRADYN_NOT_FOUND,
                                    "none of the %zu evaluations of the journal '%s' succeeded",
                                    journal->count, journal->file);
}

gradyn_status gradyn_journal_best(gradyn_evaluator *evaluator, const gradyn_search *search,
                                  double rho[], char message[], size_t size)
{
  gradyn_evaluated evaluated;
  gradyn_journal *journal = NULL;
  gradyn_message why = {"out of memory"};
  gradyn_status status = GRADYN_NO_MEMORY;
  const char *missing = search != NULL ? gradyn_search_fault(search) : NULL;
  if (missing == NULL)
    missing = gradyn_task_missing(evaluator, search != NULL ? search->journal : NULL, rho);
  if (missing != NULL || search == NULL) {
    copy_text(message, size, missing != NULL ? missing : "search is NULL");
    return GRADYN_INVALID;
  }
  /* the journal is checked against the number of parameters of the problem */
  if (gradyn_evaluated_create(evaluator, search->objective, &evaluated))
    status = gradyn_journal_open_existing(search->journal, evaluated.objective.parameter_count,
                                          evaluated.objective.functional_count, &journal);
  if (status != GRADYN_OK && journal != NULL)
    why = journal->message;
  /* A damaged journal is used up to the damage. A journal that could not be read is not used: its better
   * points would be missing. */
  if (journal != NULL && (status == GRADYN_OK || (status == GRADYN_INVALID && journal->count > 0)))
    status = find_best(&evaluated.objective, search, journal, rho, &why);
  if (status != GRADYN_OK)
    copy_text(message, size, why.text);
  gradyn_journal_close(journal);
  gradyn_evaluated_clear(&evaluated);
  return status;
}
