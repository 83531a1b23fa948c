/* What a motion leaves in a study: its trajectory as a table. */
#ifndef GRADYN_OPTIM_MOTION_H
#define GRADYN_OPTIM_MOTION_H

#include <stdio.h>

#include <gradyn/covariance.h>

/* Writes time and all columns, at every step, or with samples >= 2 at that many equally spaced times, or with
 * samples = 1 at the end; behind them, if there is a covariance (or NULL), which has a row for each, the
 * standard deviations of the states, sd[2.x]. cancel(user), which may be NULL, is asked behind each row:
 * GRADYN_INTERRUPTED, the rest is missing; GRADYN_NO_MEMORY. Failures to write show in ferror(file). */
gradyn_status gradyn_motion_write(FILE *file, const gradyn_trajectory *trajectory,
                                  const gradyn_covariance *covariance, size_t samples,
                                  bool (*cancel)(void *user), void *user);

#endif
