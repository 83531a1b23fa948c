/* Evaluations at many points. Every worker appends to a journal points-N.jsonl that no other worker has
 * open. All journals are read before and after the work. Evaluations are found by the bits of their
 * parameters. */
#include "optim/jobs/points.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/files/read.h"
#include "optim/jobs/pool.h"
#include "optim/study/identity.h"
#include "optim/study/replay.h"

enum { MOST_JOURNALS = 100000 };
static const char prefix[] = "points-", suffix[] = ".jsonl";

/* --- Known evaluations --------------------------------------------------------------------------- */

/* Discards the journals that were read. */
static void forget(gradyn_points *points)
{
  for (size_t i = 0; i < points->journal_count; i++)
    gradyn_journal_close(points->journals[i]);
  free(points->journals);
  free(points->slot);
  free((void *)points->known);
  points->journals = NULL;
  points->slot = NULL;
  points->known = NULL;
  points->journal_count = points->slot_count = points->known_count = 0;
}

void gradyn_points_clear(gradyn_points *points)
{
  forget(points);
}

/* Returns the first slot of the hash table to try for rho. */
static size_t hash(const gradyn_points *points, const double rho[])
{
  /* FNV hash of the bits; slot_count is a power of two */
  return (size_t)gradyn_journal_sum(0, (const char *)rho,
                                    points->objective->parameter_count * sizeof *rho) &
         (points->slot_count - 1);
}

/* Returns the slot of the hash table that has the evaluation at rho, or the slot that this evaluation would
 * get. */
static size_t position(const gradyn_points *points, const double rho[])
{
  const size_t size = points->objective->parameter_count * sizeof *rho;
  size_t at = hash(points, rho);
  /* open addressing; a slot is 0 if it is empty, otherwise an index in `known` plus one */
  while (points->slot[at] != 0 && memcmp(points->known[points->slot[at] - 1]->rho, rho, size) != 0)
    at = (at + 1) & (points->slot_count - 1);
  return at;
}

/* Returns the record of a point; NULL: there is none. */
static const gradyn_record *find(const gradyn_points *points, const double rho[])
{
  if (points->slot_count == 0)
    return NULL;
  const size_t number = points->slot[position(points, rho)];
  return number > 0 ? points->known[number - 1] : NULL;
}

/* Whether an evaluation has the requested data. */
static bool serves(const gradyn_points *points, const gradyn_record *record)
{
  /* failures are results, too; values alone are not sufficient if gradients are requested */
  return record->status != GRADYN_OK || record->gradient != NULL || !points->gradient;
}

/* Creates the hash table of all evaluations that were read. */
static bool index_records(gradyn_points *points)
{
  size_t count = 0;
  for (size_t i = 0; i < points->journal_count; i++)
    count += points->journals[i]->count;
  /* at most half full, so that searches in it are short */
  points->slot_count = 16;
  while (points->slot_count < 2 * count + 2)
    points->slot_count *= 2;
  points->slot = calloc(points->slot_count, sizeof *points->slot);
  points->known = calloc(count + 1, sizeof(void *));
  if (points->slot == NULL || points->known == NULL)
    return false;
  for (size_t i = 0; i < points->journal_count; i++)
    for (size_t k = 0; k < points->journals[i]->count; k++) {
      const gradyn_record *record = &points->journals[i]->records[k];
      if (!serves(points, record))
        continue;
      points->known[points->known_count++] = record;
      const size_t at = position(points, record->rho);
      if (points->slot[at] == 0) /* the first record of a point remains: repeated ones are equal */
        points->slot[at] = points->known_count;
    }
  return true;
}

/* Whether a file is a journal, by its name. */
static bool is_journal(const char *name)
{
  const size_t length = strlen(name), end = sizeof suffix - 1;
  return strncmp(name, prefix, sizeof prefix - 1) == 0 && length > end &&
         strcmp(name + length - end, suffix) == 0;
}

/* Reads one more journal. */
static gradyn_status add_journal(gradyn_points *points, const char *name)
{
  char file[4096];
  gradyn_journal *journal = NULL;
  /* one more entry; folders have few journals */
  gradyn_journal **grown = realloc(points->journals, (points->journal_count + 1) * sizeof(void *));
  if (grown == NULL)
    return gradyn_fail(&points->message, GRADYN_NO_MEMORY, "out of memory");
  points->journals = grown;
  (void)snprintf(file, sizeof file, "%s/%s", points->folder, name);
  const gradyn_status status = gradyn_journal_read(file, points->objective->parameter_count,
                                                   points->objective->functional_count, &journal);
  if (journal != NULL)
    points->journals[points->journal_count++] = journal;
  return status == GRADYN_OK
             ? status
             : gradyn_fail(&points->message, status, "%s",
                           journal != NULL ? journal->message.text : "out of memory");
}

/* Reports a failure to read the folder, with the reason of the system. */
static gradyn_status fail_folder(gradyn_points *points)
{
  return gradyn_fail(&points->message, errno == ENOMEM ? GRADYN_NO_MEMORY : GRADYN_IO,
                     "the folder '%s' cannot be read: %s", points->folder, strerror(errno));
}

/* Reads the journals of all processes. */
static gradyn_status look(gradyn_points *points)
{
  gradyn_status status = GRADYN_OK;
  /* other processes may have written more since */
  forget(points);
  DIR *folder = opendir(points->folder);
  if (folder == NULL)
    return fail_folder(points);
  const struct dirent *entry = NULL;
  while (status == GRADYN_OK && (entry = gradyn_read_entry(folder)) != NULL)
    if (is_journal(entry->d_name)) /* other files are ignored */
      status = add_journal(points, entry->d_name);
  if (status == GRADYN_OK && errno != 0)
    status = fail_folder(points);
  (void)closedir(folder);
  if (status == GRADYN_OK && !index_records(points))
    status = gradyn_fail(&points->message, GRADYN_NO_MEMORY, "out of memory");
  /* an incomplete table must not be used */
  if (status != GRADYN_OK)
    forget(points);
  return status;
}

/* --- Verification -------------------------------------------------------------------------------- */

/* Compares the header of one journal with the present task, and repeats its last evaluation. */
static gradyn_status prove(gradyn_points *points)
{
  gradyn_journal *journal = NULL;
  gradyn_message differences, *message = &points->message;
  gradyn_message_clear(&differences);
  /* one journal with an evaluation is enough: every process verifies its build before it writes to the
   * folder */
  for (size_t i = 0; i < points->journal_count && journal == NULL; i++)
    if (points->journals[i]->count > 0)
      journal = points->journals[i];
  if (journal == NULL)
    return GRADYN_OK;
  /* identity of the present task */
  json_t *now = gradyn_identity(points->objective, points->evaluator, points->search, points->rho);
  if (now == NULL)
    return gradyn_fail(message, GRADYN_NO_MEMORY, "out of memory");
  gradyn_status status = gradyn_identity_check(journal->header, now, message);
  /* differences appear in the message only if the verification fails */
  gradyn_identity_compare(journal->header, now, &differences);
  json_decref(now);
  gradyn_replay recall;
  gradyn_replay_begin(&recall, points->objective, journal);
  if (status == GRADYN_OK)
    status = gradyn_replay_verify(&recall);
  if (status != GRADYN_OK && recall.message.text[0] != '\0')
    gradyn_fail(message, status, "'%s': %s\nwhat differs: %s", journal->file, recall.message.text,
                differences.text[0] != '\0' ? differences.text
                                            : "no entry of the header of the journal");
  return status;
}

/* --- Work ------------------------------------------------------------------------------------- */

/* Opens the first journal of worker `number` that no other process has open. */
static gradyn_status open_journal(const gradyn_points *points, size_t number, gradyn_journal **out)
{
  const gradyn_objective *objective = points->objective;
  gradyn_status status = GRADYN_INVALID;
  /* worker k has journals k, k + 1000, ...: another process may have a worker with the same number */
  for (size_t k = number; status == GRADYN_INVALID && k < MOST_JOURNALS; k += 1000) {
    char file[4096];
    (void)snprintf(file, sizeof file, "%s/%s%05zu%s", points->folder, prefix, k, suffix);
    gradyn_journal_close(*out);
    status = gradyn_journal_open(file, objective->parameter_count, objective->functional_count,
                                 points->durability, out);
  }
  /* a new file gets a header, without which it could not be read; an old one keeps its header */
  if (status != GRADYN_OK || (*out)->header != NULL)
    return status;
  json_t *header = gradyn_identity(objective, points->evaluator, points->search, points->rho);
  return header != NULL ? gradyn_journal_begin(*out, header)
                        : gradyn_fail(&(*out)->message, GRADYN_NO_MEMORY, "out of memory");
}

/* Returns the journal of a worker, opened at its first task. NULL: it cannot be opened, which is reported. */
static gradyn_journal *journal_of(const gradyn_points *points, gradyn_worker *worker)
{
  gradyn_journal *journal = *gradyn_worker_own(worker);
  if (journal != NULL)
    return journal;
  const gradyn_status status = open_journal(points, gradyn_worker_number(worker), &journal);
  if (status != GRADYN_OK) {
    /* NULL: not even the object exists */
    gradyn_worker_report_fatal(worker, status,
                               journal != NULL ? journal->message.text : "out of memory");
    gradyn_journal_close(journal);
    journal = NULL;
  }
  *gradyn_worker_own(worker) = journal;
  return journal;
}

/* Records an evaluation. If it fails fatally or cannot be written, it remains missing. */
static void keep(gradyn_journal *journal, const gradyn_record *record, const gradyn_worker *worker)
{
  gradyn_status status = record->status;
  const char *why = record->message;
  /* a failure of the design is a result; a fatal failure is not */
  if (gradyn_status_describe((int)status).kind != GRADYN_CLASS_FATAL) {
    status = gradyn_journal_append(journal, record);
    why = journal->message.text;
  }
  if (status != GRADYN_OK && status != GRADYN_INTERRUPTED)
    gradyn_worker_report_fatal(worker, status, why);
}

/* Evaluates one point, unless it is known. */
static void work(void *user, size_t task, gradyn_worker *worker)
{
  const gradyn_points *points = user;
  const gradyn_objective *objective = points->objective;
  const size_t p = objective->parameter_count, f = objective->functional_count;
  const double *rho = points->rho + task * p;
  void *self = gradyn_worker_self(worker, objective->self);
  /* known already, or no journal to write to */
  gradyn_journal *journal = find(points, rho) == NULL ? journal_of(points, worker) : NULL;
  if (journal == NULL)
    return;
  double *psi = calloc(f * (p + 1) + 1, sizeof *psi);
  if (psi == NULL) {
    gradyn_worker_report_fatal(worker, GRADYN_NO_MEMORY, "out of memory for an evaluation");
    return;
  }
  const double started = gradyn_seconds();
  /* [f] values, then [f][p] gradients */
  gradyn_record record = {.rho = (double *)rho, /* the journal only reads it */
                          .psi = psi,
                          .gradient = points->gradient ? psi + f : NULL,
                          .all = points->gradient};
  record.status = objective->evaluate(self, record.all, rho, psi, record.gradient);
  /* without a search both times are equal */
  record.seconds = record.elapsed = gradyn_seconds() - started;
  record.steps = objective->steps != NULL ? objective->steps(self) : 0;
  record.message = (char *)objective->message(self);
  keep(journal, &record, worker);
  free(psi);
}

/* Closes the journal of the worker. */
static void leave(void *user, gradyn_worker *worker)
{
  (void)user;
  gradyn_journal *journal = *gradyn_worker_own(worker);
  const gradyn_status status = journal != NULL ? gradyn_journal_finish(journal) : GRADYN_OK;
  if (status != GRADYN_OK)
    gradyn_worker_report_fatal(worker, status, journal->message.text);
  gradyn_journal_close(journal);
}

gradyn_status gradyn_points_evaluate(gradyn_points *points)
{
  const gradyn_pool pool = {.tasks = points->count,
                            .workers = points->workers,
                            .objective = points->objective,
                            .work = work,
                            .leave = leave,
                            .user = points};
  GRADYN_TRY(look(points));
  /* known points are not evaluated again; after the work, the results of all processes are read */
  GRADYN_TRY(prove(points));
  const gradyn_status worked = gradyn_pool_run(&pool, &points->message);
  GRADYN_TRY(look(points));
  return worked;
}

const gradyn_record *gradyn_points_at(const gradyn_points *points, size_t i)
{
  return find(points, points->rho + i * points->objective->parameter_count);
}
