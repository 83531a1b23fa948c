/* What custom functionals say that they read.
 *
 * A formula that says which points or states it reads is differentiated by those only, and gets
 * NaN in place of all others, so that a wrong list is found out at once. Slots are places of
 * arguments: those of states, and others, such as ground points, which hand their bars on to
 * data. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/declare.h"
#include "core/model/model.h"

/* For qsort. */
static int ascending(const void *a, const void *b)
{
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

void gradyn_reads_declare(gradyn_model *model, gradyn_functional *f,
                          const gradyn_custom_functional_spec *spec)
{
  const bool wrong = spec->read_count < 0 || (spec->read_count > 0 && !spec->reads);
  const bool more = spec->reads_accelerations || spec->reads_multipliers;
  if (wrong || (spec->read_count == 0 && (more || spec->reads_positions_only)))
    gradyn_build_error(model, "functional %s reads %d points or states, but names none", spec->name,
                       spec->read_count);
  /* contradictions are told, not resolved */
  if (more && spec->reads_positions_only)
    gradyn_build_error(model, "functional %s reads positions only, but %s as well", spec->name,
                       spec->reads_accelerations ? "accelerations" : "multipliers");
  if (!f || wrong || spec->read_count == 0)
    return;
  gradyn_reads *r = &f->reads; /* sorted, so that neighbours are filled together */
  r->number = malloc((size_t)spec->read_count * sizeof *r->number);
  if (!r->number) {
    gradyn_model_no_memory(model, spec->name);
    return;
  }
  memcpy(r->number, spec->reads, (size_t)spec->read_count * sizeof *r->number);
  qsort(r->number, (size_t)spec->read_count, sizeof *r->number, ascending);
  r->count = spec->read_count;
  r->accelerations = spec->reads_accelerations;
  r->multipliers = spec->reads_multipliers;
  /* What is not read need not be there: marches without accelerations or multipliers spare them. */
  r->positions_only = f->positions_only = spec->reads_positions_only;
  f->motion_only = !more; /* neither accelerations nor multipliers */
  f->no_multipliers = !r->multipliers;
}

bool gradyn_reads_has(const gradyn_reads *r, int number)
{
  return bsearch(&number, r->number, (size_t)r->count, sizeof *r->number, ascending) != NULL;
}

/* The numbers below count of slots, or of other quantities, that are read. */
static int *list_slots(const gradyn_model *model, const gradyn_reads *r, int count, bool other,
                       int *listed)
{
  int *slot = malloc(((size_t)count + 1) * sizeof *slot);
  *listed = 0;
  for (int i = 0; i < count && slot; i++)
    if (model->ops->is_read(model, r, i, other))
      slot[(*listed)++] = i;
  return slot;
}

/* Finds the slots of one functional; NULL: there is none. */
static gradyn_status seal(gradyn_model *model, gradyn_functional *f, int others)
{
  gradyn_reads *r = f ? &f->reads : NULL;
  if (!f || r->count == 0 || r->slot[0])
    return GRADYN_OK; /* or a model has had it done, which wants a view of the state between */
  /* sorted: the first and the last are the extremes */
  int least = r->number[0], most = r->number[r->count - 1], end = model->ops->readable(model);
  if (least < 0 || most >= end)
    return gradyn_fail(&model->message, GRADYN_INVALID,
                       "functional %s reads the point or state %d, which does not exist (there "
                       "are %d)",
                       f->name, least < 0 ? least : most, end);
  /* positions and velocities or states, then what follows from them */
  r->slot[0] = list_slots(model, r, model->ops->state_count(model), false, &r->slots[0]);
  r->slot[1] = list_slots(model, r, others, true, &r->slots[1]);
  return r->slot[0] && r->slot[1] ? GRADYN_OK
                                  : gradyn_fail(&model->message, GRADYN_NO_MEMORY,
                                                "out of memory for functional %s", f->name);
}

gradyn_status gradyn_reads_seal(gradyn_model *model)
{
  int others = 0; /* the model knows how many there are by refusing the next one */
  while (model->ops->slot_other && model->ops->slot_other(model, others))
    others++;
  for (int k = 0; k < model->functional_count; k++)
    GRADYN_TRY(seal(model, &model->functional[k], others));
  /* formulas of events read as functionals do */
  for (int k = 0; k < model->event_count; k++) {
    GRADYN_TRY(seal(model, model->event[k].guard, others));
    GRADYN_TRY(seal(model, model->event[k].armed, others));
    GRADYN_TRY(seal(model, model->event[k].reset, others));
  }
  return GRADYN_OK;
}

void gradyn_reads_clear(gradyn_reads *r)
{
  free(r->number);
  free(r->slot[0]);
  free(r->slot[1]);
  *r = (gradyn_reads){0};
}
