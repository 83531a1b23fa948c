/* Evaluations at many points that are known beforehand: by several workers, each with a journal of
 * its own; what any of them has written is not computed again. */
#ifndef GRADYN_OPTIM_POINTS_H
#define GRADYN_OPTIM_POINTS_H

#include "optim/study/journal.h"
#include "optim/program/objective.h"
#include <gradyn/study.h>

typedef struct gradyn_points {
  const gradyn_objective *objective; /* all pointers are borrowed */
  const gradyn_evaluator *evaluator; /* for the headers; may be NULL */
  const gradyn_search *search;       /* likewise */
  const double *rho;                 /* [count][p] */
  size_t count;
  bool gradient;      /* also gradients */
  const char *folder; /* for the journals, exists */
  gradyn_durability durability;
  const gradyn_workers *workers; /* may be NULL */

  gradyn_journal **journals; /* [journal_count], what has been written; owned, likewise the next */
  size_t journal_count;
  size_t *slot; /* [slot_count], hash table: number of a record + 1 */
  size_t slot_count;
  const gradyn_record **known; /* [known_count] */
  size_t known_count;
  gradyn_message message;
} gradyn_points;

/* Evaluates all points that nobody has evaluated. GRADYN_INVALID: a journal is damaged or of something
 * else, or has other bits than an evaluation has now. GRADYN_INTERRUPTED, GRADYN_CALLBACK: some are
 * missing. The reason is in the message. Clear in any case. */
gradyn_status gradyn_points_evaluate(gradyn_points *points);

/* The evaluation of point i; NULL: it is missing. */
const gradyn_record *gradyn_points_at(const gradyn_points *points, size_t i);

void gradyn_points_clear(gradyn_points *points);

#endif
