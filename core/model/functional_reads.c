/* Lists of points or states that custom functionals read.
 *
 * A formula that lists points reads them in the order of the list, and finds NaN after the last one. A
 * formula that lists states reads them at their own numbers, and finds NaN elsewhere. A wrong list is
 * therefore detected by the first evaluation.
 *
 * Derivatives are computed for listed quantities only. A slot is the index of an argument. Besides states,
 * there are other arguments, such as ground points, whose adjoints are propagated to data. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/declare.h"
#include "core/model/model.h"

/* A number and its index in the user's list. */
typedef struct entry {
  int number, position;
} entry;

/* For qsort and bsearch: compares the first member, the number. */
static int ascending(const void *a, const void *b)
{
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* Stores the indices of the listed ids in ascending order, so that neighbours are filled together. For
 * points, also stores their indices in the user's list. first_id: the id of index 0. false: out of memory. */
static bool take_list(gradyn_reads *r, const int *list, int count, bool points, int first_id)
{
  const size_t size = (size_t)count;
  entry *sorted = malloc(size * sizeof *sorted);
  r->number = malloc(size * sizeof *r->number);
  r->position = points ? malloc(size * sizeof *r->position) : NULL;
  const bool taken = sorted && r->number && (r->position || !points);
  for (int k = 0; taken && k < count; k++)
    sorted[k] = (entry){list[k] - first_id, k};
  if (taken)
    qsort(sorted, size, sizeof *sorted, ascending);
  for (int k = 0; taken && k < count; k++) {
    r->number[k] = sorted[k].number;
    if (points)
      r->position[k] = sorted[k].position;
  }
  free(sorted);
  return taken;
}

/* Reports a point that is listed twice, by its name if it is declared. */
static void report_twice(gradyn_model *model, const char *name, int id)
{
  const gradyn_model_ops *ops = model->ops;
  const int number = id - gradyn_first_id(model);
  if (ops && ops->readable_name && number >= 0 && number < ops->readable(model))
    gradyn_build_error(model, "functional %s lists point %s twice", name,
                       ops->readable_name(model, number));
  else
    gradyn_build_error(model, "functional %s lists point %d twice", name, id);
}

/* Refuses a point listed twice: its second entry would have no derivative. */
static void check_list(gradyn_model *model, const char *name, const int *list, int count)
{
  for (int k = 0; k < count; k++)
    for (int i = 0; i < k; i++)
      if (list[i] == list[k]) {
        report_twice(model, name, list[k]);
        return;
      }
}

/* Checks that counts and lists are consistent. */
static bool check_spec(gradyn_model *model, const gradyn_custom_functional_spec *spec)
{
  const int count[] = {spec->point_count, spec->read_count};
  const bool given[] = {spec->points, spec->reads};
  for (int k = 0; k < 2; k++)
    if (count[k] < 0 || (count[k] > 0 && !given[k])) {
      gradyn_build_error(model, "functional %s reads %d %s, but lists none", spec->name, count[k],
                         k == 0 ? "points" : "states");
      return false;
    }
  if (count[0] > 0 && count[1] > 0)
    gradyn_build_error(model,
                       "functional %s lists points and states: a mechanism has points, general "
                       "equations have states",
                       spec->name);
  return count[0] == 0 || count[1] == 0;
}

/* Checks the flags that restrict the quantities read at points. */
static void check_flags(gradyn_model *model, const gradyn_custom_functional_spec *spec)
{
  const bool more = spec->needs_accelerations || spec->needs_multipliers;
  if (spec->point_count == 0 && (more || spec->positions_only))
    gradyn_build_error(
        model, "functional %s sets members that concern its listed points, but lists no points",
        spec->name);
  /* contradictory flags are reported, not resolved */
  if (more && spec->positions_only)
    gradyn_build_error(model, "functional %s has .positions_only, but also reads %s", spec->name,
                       spec->needs_accelerations ? "accelerations" : "multipliers");
}

void gradyn_reads_declare(gradyn_model *model, gradyn_functional_entry *f,
                          const gradyn_custom_functional_spec *spec)
{
  if (!check_spec(model, spec))
    return;
  const bool points = spec->point_count > 0;
  const int count = points ? spec->point_count : spec->read_count;
  check_flags(model, spec);
  if (points)
    check_list(model, spec->name, spec->points, count);
  if (!f || count == 0)
    return;
  gradyn_reads *r = &f->reads;
  const int first_id = gradyn_first_id(model);
  if (!take_list(r, points ? spec->points : spec->reads, count, points, first_id)) {
    gradyn_model_no_memory(model, spec->name);
    return;
  }
  r->count = count;
  r->accelerations = spec->needs_accelerations;
  r->multipliers = spec->needs_multipliers;
  /* methods without accelerations or multipliers then do not compute them for this functional */
  r->positions_only = f->positions_only = spec->positions_only;
  f->motion_only = !r->accelerations && !r->multipliers;
  f->no_multipliers = !r->multipliers;
}

/* The address of a number in a list; NULL: it is not listed. */
static const int *find(const gradyn_reads *r, int number)
{
  return bsearch(&number, r->number, (size_t)r->count, sizeof *r->number, ascending);
}

bool gradyn_reads_has(const gradyn_reads *r, int number)
{
  return find(r, number) != NULL;
}

int gradyn_reads_place(const gradyn_model *model, const gradyn_reads *r, int point)
{
  return r ? r->position[find(r, point) - r->number] : gradyn_id(model, point);
}

/* Lists the states, or the other quantities, below index `count` that a functional reads. *listed receives
 * their number. NULL: out of memory. */
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

/* Finds the slots of one functional. f NULL: no functional. */
static gradyn_status finalise(gradyn_model *model, gradyn_functional_entry *f, int others)
{
  gradyn_reads *r = f ? &f->reads : NULL;
  if (!f || r->count == 0 || r->slot[0])
    return GRADYN_OK; /* the slots were found before, by a model that converts states for its functionals */
  const bool mechanism = model->ops->kind == GRADYN_MODEL_MECH;
  if (mechanism != (r->position != NULL))
    return gradyn_fail(&model->message, GRADYN_INVALID, "functional %s: %s", f->name,
                       mechanism ? "in a mechanism, list the points that it uses as .points; "
                                   "at->pos then has these points in this order"
                                 : "list states of general equations as .reads");
  /* sorted, so the first and the last number are the extremes */
  int least = r->number[0], most = r->number[r->count - 1], end = model->ops->readable(model);
  if (least < 0 || most >= end)
    return gradyn_fail(&model->message, GRADYN_INVALID,
                       "functional %s reads the %s %d, which does not exist (there are %d)",
                       f->name, mechanism ? "point" : "state",
                       (least < 0 ? least : most) + gradyn_first_id(model), end);
  /* positions and velocities, or states; then quantities that follow from them */
  r->slot[0] = list_slots(model, r, model->ops->state_count(model), false, &r->slots[0]);
  r->slot[1] = list_slots(model, r, others, true, &r->slots[1]);
  return r->slot[0] && r->slot[1] ? GRADYN_OK
                                  : gradyn_fail(&model->message, GRADYN_NO_MEMORY,
                                                "out of memory for functional %s", f->name);
}

gradyn_status gradyn_reads_finalise(gradyn_model *model)
{
  int others = 0; /* counted by requesting quantities until the model returns NULL */
  while (model->ops->slot_other && model->ops->slot_other(model, NULL, others))
    others++;
  for (int k = 0; k < model->declared.measures; k++)
    GRADYN_TRY(finalise(model, &model->declared.measure[k], others));
  for (int k = 0; k < model->functional_count; k++)
    GRADYN_TRY(finalise(model, &model->functional[k], others));
  /* formulas of events have such lists, too */
  for (int k = 0; k < model->event_count; k++) {
    GRADYN_TRY(finalise(model, model->event[k].guard, others));
    GRADYN_TRY(finalise(model, model->event[k].armed, others));
    GRADYN_TRY(finalise(model, model->event[k].reset, others));
  }
  return GRADYN_OK;
}

void gradyn_reads_clear(gradyn_reads *r)
{
  free(r->number);
  free(r->position);
  free(r->slot[0]);
  free(r->slot[1]);
  *r = (gradyn_reads){0};
}
