/* Files of a motion in a study: its trajectory and its events as tables, and the data for its report. */
#ifndef GRADYN_OPTIM_MOTION_H
#define GRADYN_OPTIM_MOTION_H

#include <stdio.h>

#include <gradyn/analysis.h>

#include "optim/study/folder.h"
#include "optim/study/model.h"

/* Writes a motion as comma-separated values: the time, all columns and, unless evaluator is NULL, the
 * signals without a column. The last run of the evaluator must be this motion.
 *
 * samples: 0, every step; 1, the end; more, this number of equally spaced times. covariance: has an entry
 * for each row, and adds columns with the standard deviations of the states, sd[2.x]; NULL: none.
 * cancel(user) is called after each row, unless cancel is NULL. Errors: GRADYN_INTERRUPTED, the rest is
 * missing; GRADYN_NO_MEMORY. Failures to write show in ferror(file). */
gradyn_status gradyn_motion_write(FILE *file, const gradyn_trajectory *trajectory,
                                  const gradyn_evaluator *evaluator,
                                  const gradyn_covariance *covariance, size_t samples,
                                  bool (*cancel)(void *user), void *user);

/* A motion that has just been simulated: the last one of the evaluator. All pointers are borrowed. */
typedef struct gradyn_motion {
  gradyn_evaluator *evaluator;
  const gradyn_trajectory *trajectory;
  const double *rho;  /* [parameters] parameters of the simulation */
  const char *suffix; /* suffix of its files: "", "_initial", "_final" */
  size_t samples;     /* number of samples of its trajectory, as for gradyn_motion_write() */
  const gradyn_covariance *covariance; /* covariance at its rows; NULL: not computed */
  bool (*cancel)(void *user);
  void *user;
} gradyn_motion;

/* Writes trajectory<suffix>.csv and, if there were events, events<suffix>.csv. Errors: those of the folder;
 * GRADYN_INTERRUPTED. */
gradyn_status gradyn_motion_keep(gradyn_folder *folder, const gradyn_motion *motion);

/* Writes model<suffix>.json for a report, with the effects of data unless `effects` is NULL, and for
 * mechanisms invariants<suffix>.csv. Errors: those of the folder; failures of the invariants. */
gradyn_status gradyn_motion_describe(gradyn_folder *folder, const gradyn_motion *motion,
                                     const gradyn_model_effects *effects);

#endif
