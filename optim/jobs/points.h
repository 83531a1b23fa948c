/* Evaluations at many points that are known in advance, by several workers with separate journals.
 * Evaluations in any of the journals are not repeated. */
#ifndef GRADYN_OPTIM_POINTS_H
#define GRADYN_OPTIM_POINTS_H

#include "optim/study/journal.h"
#include "optim/program/objective.h"
#include <gradyn/study.h>

/* A request for evaluations at many points, and the evaluations that are known. */
typedef struct gradyn_points {
  const gradyn_objective *objective; /* all pointers are borrowed */
  const gradyn_evaluator *evaluator; /* for the headers of journals; NULL: without a description */
  const gradyn_search *search;       /* for the headers */
  const double *rho;                 /* [count][p], parameters in their units */
  size_t count;
  bool gradient;      /* also compute gradients */
  const char *folder; /* existing folder of the journals */
  gradyn_durability durability;
  const gradyn_workers *workers; /* NULL: the present thread only */

  /* [journal_count], journals that have been read; owned, as the next members */
  gradyn_journal **journals;
  size_t journal_count;
  size_t *slot; /* [slot_count], hash table: index of a record + 1; 0: empty */
  size_t slot_count;
  const gradyn_record **known; /* [known_count] */
  size_t known_count;
  gradyn_message message;
} gradyn_points;

/* Reads all journals points-*.jsonl of the folder, evaluates all points that none of them contains, and
 * reads the journals again. The members above journals are set by the caller, all others are zero. Clear
 * `points` in any case. A point whose evaluation fails, unless fatally, is no error: its record has the
 * status. Errors, with points->message: GRADYN_INVALID, a journal is damaged, belongs to another problem,
 * or differs from an evaluation now; GRADYN_INTERRUPTED, GRADYN_CALLBACK, some evaluations are missing;
 * GRADYN_IO, GRADYN_NO_MEMORY; the fatal status of an evaluation. */
gradyn_status gradyn_points_evaluate(gradyn_points *points);

/* Returns the evaluation of point i < count, from 0, valid until gradyn_points_clear() or the next
 * evaluation; NULL: it is missing. A record may have a status other than GRADYN_OK. */
const gradyn_record *gradyn_points_at(const gradyn_points *points, size_t i);

/* Closes the journals and frees the owned members; may be repeated. */
void gradyn_points_clear(gradyn_points *points);

#endif
