/* The log of events as CSV. */
#ifndef GRADYN_OPTIM_EVENTS_H
#define GRADYN_OPTIM_EVENTS_H

#include <stdio.h>

#include <gradyn/saltation.h>

/* A line for each event of the last run; with saltations (NULL: without) the entries of its matrix,
 * row by row. */
void gradyn_events_write(FILE *file, const gradyn_evaluator *evaluator,
                         const gradyn_saltations *saltations);

#endif
