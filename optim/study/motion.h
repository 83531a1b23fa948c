/* What a motion leaves in a study: its trajectory and events as tables, and what its report needs beside. */
#ifndef GRADYN_OPTIM_MOTION_H
#define GRADYN_OPTIM_MOTION_H

#include <stdio.h>

#include <gradyn/covariance.h>

#include "optim/study/folder.h"
#include "optim/study/model.h"

/* Writes time, all columns and, of an evaluator whose last run this was (or NULL), its signals, but for those
 * that have a column already; at every step, or with samples >= 2 at that many equally spaced times, or with
 * samples = 1 at the end; behind them, if there is a covariance (or NULL), which has a row for each, the
 * standard deviations of the states, sd[2.x]. cancel(user), which may be NULL, is asked behind each row:
 * GRADYN_INTERRUPTED, the rest is missing; GRADYN_NO_MEMORY. Failures to write show in ferror(file). */
gradyn_status gradyn_motion_write(FILE *file, const gradyn_trajectory *trajectory,
                                  const gradyn_evaluator *evaluator,
                                  const gradyn_covariance *covariance, size_t samples,
                                  bool (*cancel)(void *user), void *user);

/* A motion that has just been simulated: the evaluator's last one. */
typedef struct gradyn_motion {
  gradyn_evaluator *evaluator;
  const gradyn_trajectory *trajectory;
  const double *rho;  /* [parameters], where it was simulated */
  const char *suffix; /* of its files: "", "_initial", "_final" */
  size_t samples;     /* of its trajectory, as above */
  bool (*cancel)(void *user);
  void *user;
} gradyn_motion;

/* Writes trajectory<suffix>.csv and, if there were some, events<suffix>.csv. */
gradyn_status gradyn_motion_keep(gradyn_folder *folder, const gradyn_motion *motion);

/* Writes what a report needs of it: model<suffix>.json, with effects of data if they are asked for (or NULL),
 * and, of mechanisms, invariants<suffix>.csv. */
gradyn_status gradyn_motion_describe(gradyn_folder *folder, const gradyn_motion *motion,
                                     const gradyn_model_effects *effects);

#endif
