/* An objective with a journal: what was evaluated before is answered from it, everything else is
 * evaluated and written down before anybody sees it. */
#ifndef GRADYN_OPTIM_REPLAY_H
#define GRADYN_OPTIM_REPLAY_H

#include "optim/study/journal.h"
#include "optim/program/objective.h"

typedef struct gradyn_replay {
  const gradyn_objective *inner; /* borrowed, likewise the journal */
  gradyn_journal *journal;
  gradyn_objective objective; /* what a search is given */
  const gradyn_record *last;  /* that answered the last evaluation; NULL: it was computed */
  gradyn_spent spent;         /* on the last evaluation */
  double since;               /* when the search had taken `from` seconds, s */
  double from;
  size_t next;           /* record that is expected to answer the next request */
  long recalled;         /* evaluations answered from the journal */
  long left_after;       /* recalled before the first that was not there; -1: none yet */
  bool beside;           /* second derivatives, which no journal has, have failed last */
  gradyn_status lost;    /* why the journal gets no more evaluations */
  gradyn_limit_at *rows; /* [row_count] where limits are held now */
  size_t row_count;
  gradyn_message message;
} gradyn_replay;

/* Prepares recall->objective; every evaluation in the journal can answer once more. */
void gradyn_replay_begin(gradyn_replay *recall, const gradyn_objective *inner,
                         gradyn_journal *journal);

/* Releases what it has taken; the journal stays. */
void gradyn_replay_end(gradyn_replay *recall);

/* Evaluates once more what the journal has last and compares all bits; GRADYN_INVALID: they differ.
 * GRADYN_OK also if there is nothing to repeat. The reason of a failure is in the message. */
gradyn_status gradyn_replay_prove(gradyn_replay *recall);

#endif
