/* The log of events as CSV. */
#ifndef GRADYN_OPTIM_EVENTS_H
#define GRADYN_OPTIM_EVENTS_H

#include <stdbool.h>
#include <stdio.h>

#include <gradyn/saltation.h>

/* A line for each event of the last run; with saltations (NULL: without) the entries of its matrix,
 * row by row. */
void gradyn_events_write(FILE *file, const gradyn_evaluator *evaluator,
                         const gradyn_saltations *saltations);

/* The heading of the column of rates, which of walls are approaches, with or without its unit. */
const char *gradyn_events_rate(const gradyn_evaluator *evaluator, bool unit);

#endif
