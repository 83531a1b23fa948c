/* The log of events as comma-separated values. */
#ifndef GRADYN_OPTIM_EVENTS_H
#define GRADYN_OPTIM_EVENTS_H

#include <stdbool.h>
#include <stdio.h>

#include <gradyn/analysis.h>

/* Writes a line for each event of the last run. saltations: adds the entries of its matrix, row by row;
 * NULL: without them. */
void gradyn_events_write(FILE *file, const gradyn_evaluator *evaluator,
                         const gradyn_saltations *saltations);

/* Returns the heading of the column of guard rates, with or without its unit. If all events are walls,
 * the rates are approach velocities. */
const char *gradyn_events_rate(const gradyn_evaluator *evaluator, bool unit);

#endif
