/* An objective with a journal. Evaluations in the journal are taken from it; all others are computed, and
 * recorded before the search sees them. */
#ifndef GRADYN_OPTIM_REPLAY_H
#define GRADYN_OPTIM_REPLAY_H

#include "optim/study/journal.h"
#include "optim/program/objective.h"

/* A replay in progress. */
typedef struct gradyn_replay {
  const gradyn_objective *inner; /* borrowed, as the journal */
  gradyn_journal *journal;
  gradyn_objective objective; /* the objective for a search */
  /* record of the last evaluation, in the journal; NULL: it was computed */
  const gradyn_record *last;
  gradyn_spent spent; /* times of the last evaluation */
  double since;       /* time at which the search had taken `from` seconds, s */
  double from;
  size_t next;   /* index of the record that will probably be requested next */
  long recalled; /* number of evaluations taken from the journal */
  /* recalled evaluations before the first that was not in the journal; -1: none so far */
  long left_after;
  bool beside;           /* the last failure is of second derivatives, which are not in journals */
  gradyn_status lost;    /* failure after which nothing is recorded any more */
  gradyn_limit_at *rows; /* [row_count], path constraints that are sampled now */
  size_t row_count;
  gradyn_message message;
  gradyn_warnings warnings; /* warnings in the record of the last evaluation */
} gradyn_replay;

/* Prepares recall->objective, which takes evaluations from the journal, open or only read. inner and journal
 * must outlive *recall. Each record of the journal answers at most one request. With a journal that is only
 * read, other evaluations are GRADYN_INTERRUPTED. Do not move *recall; end it once. */
void gradyn_replay_begin(gradyn_replay *recall, const gradyn_objective *inner,
                         gradyn_journal *journal);

/* Releases the memory of the replay; the journal stays open, and inner keeps its samples. */
void gradyn_replay_end(gradyn_replay *recall);

/* Repeats the last evaluation of the journal that no limit has ended, by inner, and compares all bits; the
 * samples of inner are removed afterwards. Returns GRADYN_OK also if there is no such evaluation. Errors,
 * with recall->message: GRADYN_INVALID, the bits differ, or the problem has no path constraints;
 * GRADYN_NO_MEMORY; failures of class FATAL of the evaluation. */
gradyn_status gradyn_replay_verify(gradyn_replay *recall);

#endif
