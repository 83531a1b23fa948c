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
  const gradyn_evaluator *evaluator; /* for the headers; may be NULL */
  const gradyn_search *search;       /* for the headers */
  const double *rho;                 /* [count][p] */
  size_t count;
  bool gradient;      /* also gradients */
  const char *folder; /* of the journals; it exists */
  gradyn_durability durability;
  const gradyn_workers *workers; /* may be NULL */

  /* [journal_count], journals that have been read; owned, as the next members */
  gradyn_journal **journals;
  size_t journal_count;
  size_t *slot; /* [slot_count], hash table: index of a record + 1; 0: empty */
  size_t slot_count;
  const gradyn_record **known; /* [known_count] */
  size_t known_count;
  gradyn_message message;
} gradyn_points;

/* Evaluates all points that are in no journal of the folder, and reads all journals. The members above
 * journals are set by the caller, all others are zero. Clear `points` in any case. Errors, with
 * points->message: GRADYN_INVALID, a journal is damaged, belongs to another problem, or differs from an
 * evaluation now; GRADYN_INTERRUPTED, GRADYN_CALLBACK, some evaluations are missing; GRADYN_IO,
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_points_evaluate(gradyn_points *points);

/* Returns the evaluation of point i, valid until gradyn_points_clear(); NULL: it is missing. */
const gradyn_record *gradyn_points_at(const gradyn_points *points, size_t i);

void gradyn_points_clear(gradyn_points *points);

#endif
