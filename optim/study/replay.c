/* Evaluations from a journal.
 *
 * A request is identified by the bits of its parameters, because an evaluation depends on nothing else. The
 * search may therefore request known points in another order, or new points among them; known points need
 * no simulation. A record answers only one request. The evaluation that verifies a result is computed if
 * the journal does not have it. */
#include "optim/study/replay.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "optim/study/account.h"

/* Whether all bits of two arrays agree. */
static bool same(const double a[], const double b[], size_t count)
{
  return memcmp(a, b, count * sizeof *a) == 0;
}

/* Whether the path constraints of a record were sampled at the present time points. */
static bool same_rows(const gradyn_replay *recall, const gradyn_record *record)
{
  bool same = record->row_count == recall->row_count;
  for (size_t i = 0; same && i < record->row_count; i++)
    same = gradyn_limit_at_same(&record->rows[i], &recall->rows[i]);
  return same;
}

/* Finds an unused record of an evaluation at rho. NULL: there is none. */
static gradyn_record *find(gradyn_replay *recall, bool all, const double rho[])
{
  const gradyn_journal *journal = recall->journal;
  /* searches usually make requests in the order of the journal */
  for (size_t i = 0; i < journal->count; i++) {
    const size_t k = (recall->next + i) % journal->count;
    gradyn_record *record = &journal->records[k];
    if (!record->used && same(record->rho, rho, journal->p) && same_rows(recall, record) &&
        /* a record without gradients answers no request for them, but a failure answers all requests */
        (record->status != GRADYN_OK || (record->gradient != NULL && record->all == all))) {
      recall->next = (k + 1) % journal->count;
      return record;
    }
  }
  return NULL;
}

/* Answers a request from the journal, without computation. */
static gradyn_status answer(gradyn_replay *recall, gradyn_record *record, double psi[],
                            double gradient[])
{
  const gradyn_journal *journal = recall->journal;
  record->used = true;
  recall->last = record;
  recall->recalled++;
  /* recorded times, so that a resumed search ends at the same limits */
  recall->spent = (gradyn_spent){record->seconds, record->elapsed};
  recall->from = record->elapsed;
  recall->since = gradyn_seconds();
  if (record->status != GRADYN_OK)
    return record->status;
  const size_t f = journal->f + record->row_count;
  memcpy(psi, record->psi, f * sizeof *psi);
  return gradyn_record_copy(record, recall->inner->entries, journal->p, f, gradient)
             ? GRADYN_OK
             : gradyn_fail(&recall->message, GRADYN_INVALID,
                           "the journal has a derivative by a parameter that has no effect in its "
                           "segment in this run");
}

/* Returns the warnings of the last evaluation, whether it was recorded or computed. */
static const gradyn_warnings *warnings(void *self)
{
  gradyn_replay *recall = self;
  const gradyn_objective *inner = recall->inner;
  if (recall->last == NULL && inner->warnings != NULL)
    return inner->warnings(inner->self);
  /* takes the warnings from the record of the last evaluation */
  gradyn_warnings_clear(&recall->warnings);
  if (recall->last != NULL)
    gradyn_account_read_warnings(recall->last->warnings, &recall->warnings);
  /* journals of earlier versions have a text instead of warnings */
  if (recall->last != NULL && recall->last->message != NULL)
    gradyn_warnings_add(&recall->warnings,
                        GRADYN_WARNING(EARLIER_VERSION, .subject = recall->last->message));
  return &recall->warnings;
}

/* Computes an evaluation. Records it, unless the journal is read only. A fatal failure is not recorded,
 * because it would end a resumed search again. */
static gradyn_status compute(gradyn_replay *recall, bool all, const double rho[], double psi[],
                             double gradient[])
{
  const gradyn_objective *inner = recall->inner;
  recall->last = NULL;
  if (recall->journal->read_only) {
    recall->spent = (gradyn_spent){0, recall->from};
    return gradyn_fail(&recall->message, GRADYN_INTERRUPTED, "it has not been evaluated");
  }
  const double started = gradyn_seconds();
  const gradyn_status status = inner->evaluate(inner->self, all, rho, psi, gradient);
  const double now = gradyn_seconds();
  /* the time of the search continues from the last recorded evaluation */
  recall->spent = (gradyn_spent){now - started, recall->from + (now - recall->since)};
  if (status != GRADYN_OK)
    gradyn_fail(&recall->message, status, "%s", inner->message(inner->self));
  if (gradyn_status_describe((int)status).kind == GRADYN_CLASS_FATAL)
    return status;
  /* stores the number of answers before the first request that the journal could not answer */
  if (recall->left_after < 0)
    recall->left_after = recall->recalled;
  /* the casts remove const: the journal only reads these arrays */
  json_auto_t *doubts = status == GRADYN_OK ? gradyn_account_warnings(warnings(recall)) : NULL;
  const gradyn_entries *entries = inner->entries;
  const gradyn_record record = {.status = status,
                                .message = status == GRADYN_OK ? NULL : recall->message.text,
                                .warnings = doubts,
                                .rho = (double *)rho,
                                .psi = psi,
                                .gradient = gradient,
                                .entries = entries != NULL ? *entries : (gradyn_entries){0},
                                .all = all,
                                .rows = recall->rows,
                                .row_count = recall->row_count,
                                .seconds = recall->spent.evaluation,
                                .elapsed = recall->spent.search,
                                .steps = inner->steps != NULL ? inner->steps(inner->self) : 0};
  /* a journal with a gap is useless: after a failure to write, the search continues without a journal */
  if (recall->lost == GRADYN_OK)
    recall->lost = gradyn_journal_append(recall->journal, &record);
  return status;
}

/* Evaluates the objective for a search: from the journal, or by computation. */
static gradyn_status evaluate(void *self, bool all, const double rho[], double psi[],
                              double gradient[])
{
  gradyn_replay *recall = self;
  gradyn_record *record = find(recall, all, rho);
  recall->beside = false;
  return record != NULL ? answer(recall, record, psi, gradient)
                        : compute(recall, all, rho, psi, gradient);
}

/* Returns the message of the last failure, whether it was recorded or computed. */
static const char *message(void *self)
{
  const gradyn_replay *recall = self;
  if (recall->beside)
    return recall->inner->message(recall->inner->self);
  return recall->last != NULL && recall->last->message != NULL ? recall->last->message
                                                               : recall->message.text;
}

/* Returns the number of time steps of the last evaluation, whether it was recorded or computed. */
static long steps(void *self)
{
  const gradyn_replay *recall = self;
  const gradyn_objective *inner = recall->inner;
  if (recall->last != NULL)
    return recall->last->steps;
  return inner->steps != NULL ? inner->steps(inner->self) : 0;
}

/* Values of build() are not recorded: they take hardly any time to compute. */
static gradyn_status numbers(void *self, const double rho[], double psi[])
{
  gradyn_replay *recall = self;
  const gradyn_objective *inner = recall->inner;
  const gradyn_status status = inner->numbers(inner->self, rho, psi);
  recall->last = NULL;
  if (status != GRADYN_OK)
    gradyn_fail(&recall->message, status, "%s", inner->message(inner->self));
  return status;
}

/* Makes the inner objective sample path constraints, and stores the time points of the samples. */
static gradyn_status hold(void *self, const gradyn_limit_at at[], size_t count,
                          gradyn_functional_info info[])
{
  gradyn_replay *recall = self;
  const gradyn_objective *inner = recall->inner;
  gradyn_limit_at *rows = calloc(count + 1, sizeof *rows);
  const gradyn_status status = rows != NULL ? inner->hold(inner->self, at, count, info)
                                            : GRADYN_NO_MEMORY;
  recall->last = NULL;
  if (status != GRADYN_OK) {
    free(rows);
    return gradyn_fail(&recall->message, status, "%s",
                       rows != NULL ? inner->message(inner->self) : "out of memory");
  }
  if (count > 0)
    memcpy(rows, at, count * sizeof *at);
  free(recall->rows);
  recall->rows = rows;
  recall->row_count = count;
  return GRADYN_OK;
}

/* Checks of runs are not recorded: they are needed once per round. */
static gradyn_status look(void *self, const double rho[], double part, gradyn_path_check *out)
{
  gradyn_replay *recall = self;
  const gradyn_objective *inner = recall->inner;
  const gradyn_status status = inner->look(inner->self, rho, part, out);
  recall->last = NULL;
  if (status != GRADYN_OK)
    gradyn_fail(&recall->message, status, "%s", inner->message(inner->self));
  return status;
}

static void limit(void *self, double until)
{
  const gradyn_objective *inner = ((gradyn_replay *)self)->inner;
  inner->limit(inner->self, until);
}

/* These values are neither recorded nor requested by a resumed search. */
static gradyn_status values(void *self, double seconds, const double rho[], double psi[])
{
  const gradyn_replay *recall = self;
  const gradyn_objective *inner = recall->inner;
  return recall->journal->read_only ? GRADYN_INTERRUPTED
                                    : inner->values(inner->self, seconds, rho, psi);
}

/* The following functions depend on rho only, so that nothing is recorded. */
static bool strained(void *self, const double rho[])
{
  const gradyn_objective *inner = ((gradyn_replay *)self)->inner;
  return inner->strained(inner->self, rho);
}

static gradyn_status refer(void *self, double rho[])
{
  const gradyn_objective *inner = ((gradyn_replay *)self)->inner;
  return inner->refer(inner->self, rho);
}

static void begins(void *self, const double rho0[], double optimality)
{
  const gradyn_objective *inner = ((gradyn_replay *)self)->inner;
  inner->begins(inner->self, rho0, optimality);
}

static void arrived(void *self, const double rho[])
{
  const gradyn_objective *inner = ((gradyn_replay *)self)->inner;
  inner->arrived(inner->self, rho);
}

/* Second derivatives are not recorded: they are computed again. */
static gradyn_status curve(void *self, const double weight[], const double rho[],
                           const gradyn_block **block)
{
  gradyn_replay *recall = self;
  const gradyn_status status = recall->inner->curve(recall->inner->self, weight, rho, block);
  recall->beside = status != GRADYN_OK;
  return status;
}

static gradyn_status describe(void *self, gradyn_search_result *result, json_t **root)
{
  const gradyn_objective *inner = ((gradyn_replay *)self)->inner;
  return inner->describe(inner->self, result, root);
}

/* Returns the times of the last evaluation, whether it was recorded or computed. */
static gradyn_spent spent(void *self)
{
  const gradyn_replay *recall = self;
  return recall->spent;
}

void gradyn_replay_begin(gradyn_replay *recall, const gradyn_objective *inner,
                         gradyn_journal *journal)
{
  /* since: time from which new computations are counted; left_after -1: the journal has answered all
   * requests so far */
  *recall = (gradyn_replay){
      .inner = inner, .journal = journal, .since = gradyn_seconds(), .left_after = -1};
  recall->objective = *inner;
  recall->objective.evaluate = evaluate;
  recall->objective.message = message;
  recall->objective.steps = steps;
  recall->objective.warnings = warnings;
  recall->objective.numbers = inner->numbers != NULL ? numbers : NULL;
  recall->objective.hold = inner->hold != NULL ? hold : NULL;
  recall->objective.look = inner->look != NULL ? look : NULL;
  recall->objective.limit = inner->limit != NULL ? limit : NULL;
  recall->objective.values = inner->values != NULL ? values : NULL;
  recall->objective.strained = inner->strained != NULL ? strained : NULL;
  recall->objective.refer = inner->refer != NULL ? refer : NULL;
  recall->objective.begins = inner->begins != NULL ? begins : NULL;
  recall->objective.arrived = inner->arrived != NULL ? arrived : NULL;
  recall->objective.curve = inner->curve != NULL ? curve : NULL;
  recall->objective.describe = inner->describe != NULL ? describe : NULL;
  recall->objective.spent = spent;
  recall->objective.self = recall;
  /* an earlier search may have used the records */
  for (size_t i = 0; i < journal->count; i++)
    journal->records[i].used = false;
}

void gradyn_replay_end(gradyn_replay *recall)
{
  free(recall->rows);
  recall->rows = NULL;
  recall->row_count = 0;
}

/* Samples path constraints as in a record, before its repetition; held false: ends this afterwards. */
static gradyn_status hold_as(gradyn_replay *recall, const gradyn_record *record, bool held)
{
  const gradyn_objective *inner = recall->inner;
  gradyn_functional_info *info = calloc(record->row_count + 1, sizeof *info);
  gradyn_status status = info != NULL ? GRADYN_OK : GRADYN_NO_MEMORY;
  if (info != NULL && record->row_count > 0)
    status = inner->hold != NULL
                 ? inner->hold(inner->self, record->rows, held ? record->row_count : 0, info)
                 : GRADYN_INVALID;
  free(info);
  if (status == GRADYN_INVALID && inner->hold == NULL)
    return gradyn_fail(&recall->message, status,
                       "the journal has path constraints; the problem has none now");
  return status == GRADYN_OK
             ? status
             : gradyn_fail(&recall->message, status, "%s",
                           info != NULL ? inner->message(inner->self) : "out of memory");
}

/* Compares a recorded evaluation with its repetition. */
static gradyn_status compare(gradyn_replay *recall, const gradyn_record *record, size_t number,
                             gradyn_status status, const double psi[], const double gradient[],
                             double before[])
{
  const gradyn_journal *journal = recall->journal;
  const gradyn_objective *inner = recall->inner;
  gradyn_message *message = &recall->message;
  if (status != record->status)
    return gradyn_fail(message, GRADYN_INVALID,
                       "evaluation %zu of the journal ended with status %s and now ends with %s",
                       number, gradyn_status_describe((int)record->status).name,
                       gradyn_status_describe((int)status).name);
  const size_t f = journal->f + record->row_count;
  if (status == GRADYN_OK && record->gradient != NULL &&
      !gradyn_record_copy(record, inner->entries, journal->p, f, before))
    return gradyn_fail(
        message, GRADYN_INVALID,
        "journal, evaluation %zu: the parameters that have an effect differ from those of this run",
        number);
  for (size_t i = 0; status == GRADYN_OK && i < f; i++) {
    const char *name =
        inner->functionals[i < journal->f ? i : record->rows[i - journal->f].side].name;
    /* all bits are compared: otherwise the resumed search would differ from the recorded one */
    if (!same(&psi[i], &record->psi[i], 1))
      return gradyn_fail(
          message, GRADYN_INVALID,
          "functional %s was %.17g in evaluation %zu of the journal and is %.17g now", name,
          record->psi[i], number, psi[i]);
    const gradyn_entry_row row = gradyn_entries_row(inner->entries, journal->p, i);
    if (record->gradient != NULL && !same(gradient + row.first, before + row.first, row.count))
      return gradyn_fail(message, GRADYN_INVALID,
                         "the gradient of functional %s is not that of evaluation %zu of the "
                         "journal",
                         name, number);
  }
  return GRADYN_OK;
}

gradyn_status gradyn_replay_verify(gradyn_replay *recall)
{
  const gradyn_journal *journal = recall->journal;
  const gradyn_objective *inner = recall->inner;
  /* skips records of evaluations that ended at a deadline, which is not reproducible */
  size_t number = journal->count;
  while (number > 0 && journal->records[number - 1].status == GRADYN_STEP_LIMIT)
    number--;
  if (number == 0)
    return GRADYN_OK;
  const gradyn_record *record = &journal->records[number - 1];
  GRADYN_TRY(hold_as(recall, record, true));
  /* psi [f], then the entries of the gradients now, then those in the journal */
  const size_t f = journal->f + record->row_count,
               entries = gradyn_entries_count(inner->entries, journal->p, f);
  double *psi = calloc(f + 2 * entries + 1, sizeof *psi);
  if (psi == NULL)
    return gradyn_fail(&recall->message, GRADYN_NO_MEMORY, "out of memory");
  double *gradient = psi + f, *before = gradient + entries;
  gradyn_status status;
  /* a search requests gradients, and so does the repetition of a failure */
  status = inner->evaluate(inner->self, record->all, record->rho, psi,
                           record->gradient != NULL || record->status != GRADYN_OK ? gradient
                                                                                   : NULL);
  if (gradyn_status_describe((int)status).kind == GRADYN_CLASS_FATAL)
    gradyn_fail(&recall->message, status, "%s", inner->message(inner->self));
  else
    status = compare(recall, record, number, status, psi, gradient, before);
  free(psi);
  const gradyn_status released = hold_as(recall, record, false);
  return status != GRADYN_OK ? status : released;
}
