/* The log of events as comma-separated values. */
#ifndef GRADYN_OPTIM_EVENTS_H
#define GRADYN_OPTIM_EVENTS_H

#include <stdbool.h>
#include <stdio.h>

#include <gradyn/analysis.h>

/* Writes a heading and a line for each event of the last run, in the order of time, comma-separated.
 * saltations: of the same events, adds the entries of the matrix of each event, row by row; saltations
 * NULL: without them. Failures to write show in ferror(file). */
void gradyn_events_write(FILE *file, const gradyn_evaluator *evaluator,
                         const gradyn_saltations *saltations);

/* Returns the heading of the column of guard rates, with its unit if `unit`. If all events of the last run
 * are walls, the rates are approach velocities, in m/s. Static text. */
const char *gradyn_events_rate(const gradyn_evaluator *evaluator, bool unit);

#endif
