/* The record of an adjoint sweep: see costates.h. */
#include "adjoint/costates.h"

#include <stdlib.h>

gradyn_status gradyn_costates_begin(gradyn_costate_record *record, gradyn_model *model,
                                    const int *position, int states, int nodes, size_t scratch)
{
  gradyn_costates_end(record);
  record->states = (size_t)states;
  record->position = position;
  record->capacity = (size_t)nodes;
  record->row = calloc(record->capacity * (2 + 2 * record->states) + 1, sizeof *record->row);
  record->scratch = calloc(scratch + 1, sizeof *record->scratch);
  if (!record->row || !record->scratch)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for costates");
  return GRADYN_OK;
}

double *gradyn_costates_node(gradyn_costate_record *record)
{
  return record->row + record->count++ * (2 + 2 * record->states);
}

void gradyn_costates_end(gradyn_costate_record *record)
{
  free(record->row);
  free(record->scratch);
  record->row = record->scratch = NULL;
  record->count = record->capacity = 0;
}
