/* Unknowns and continuity defects at segment boundaries: their indices, names, sizes and tolerances. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "optim/program/program.h"
#include "optim/segments/sparsity.h"

/* Defects below this part of the size of a state count as zero; the end of a run has the accuracy of its
 * tolerance. */
static const double least_gap = 1e-9;
/* States below this part of the largest state are round-off. */
static const double round_off = 1e-12;
/* A state is too small to serve as a size if it is below this part of its change by unit steps of
 * parameters. Otherwise, if a state is 1e-12 at the start and controls move it by 1, its defect would have
 * the tolerance 1e-21. */
static const double next_to_nothing = 1e-6;

/* --- Indices -------------------------------------------------------------------------------------- */

size_t gradyn_segments_columns(const gradyn_segments *s)
{
  return s->p + (s->count - 1) * (s->states + s->references);
}

size_t gradyn_segments_unknown(const gradyn_segments *s, size_t k)
{
  return (k - 1) * s->states;
}

size_t gradyn_segments_reference(const gradyn_segments *s, size_t k)
{
  return s->p + (s->count - 1) * s->states + (k - 1) * s->references;
}

bool gradyn_segments_assembled(const gradyn_segments *s)
{
  return s->whole->model->mech != NULL;
}

/* --- Description ---------------------------------------------------------------------------------- */

/* Returns the text "name.what[k]" of state `slot` at boundary k, written over `text` or into new memory.
 * NULL: out of memory. */
static const char *name_of(gradyn_segments *s, const char *what, int slot, size_t k,
                           const char *text)
{
  enum { ROOM = 112 };
  char name[64], *capacity = text != NULL ? (char *)text : gradyn_arena_take(&s->arena, ROOM, 1);
  const gradyn_model *model = s->whole->model;
  model->ops->state_name(model, slot, name, sizeof name);
  if (capacity != NULL)
    (void)snprintf(capacity, ROOM, "%s.%s[%zu]", name, what, k);
  return capacity;
}

/* Returns the index among the states of unknown i at boundary k. */
static int slot_of(const gradyn_segments *s, size_t k, size_t i)
{
  return s->cut[k].slot[s->cut[k].at[i]];
}

/* Returns the largest value of unknown i over all boundaries. */
static double largest_of(const gradyn_segments *s, size_t i)
{
  double size = 0;
  for (size_t k = 1; k < s->count; k++)
    size = fmax(
        size, fmax(fabs(s->cut[k].w[i]), fabs(s->start[s->p + gradyn_segments_unknown(s, k) + i])));
  return size;
}

/* Returns the unit of unknown i at boundary k. */
static const char *unit_of(const gradyn_segments *s, size_t k, size_t i)
{
  const gradyn_model *model = s->whole->model;
  return model->ops->state_unit(model, slot_of(s, k, i));
}

/* Returns the size of unknown i. For a mechanism, it is the largest value of all unknowns with the same
 * unit; 1 if they are round-off. */
static double size_of(const gradyn_segments *s, size_t i)
{
  double size = largest_of(s, i), most = 0;
  for (size_t j = 0; j < s->states; j++) {
    const double other = largest_of(s, j);
    most = fmax(most, other);
    if (gradyn_segments_assembled(s) && strcmp(unit_of(s, 1, j), unit_of(s, 1, i)) == 0)
      size = fmax(size, other);
  }
  if (!(size > round_off * most))
    return 1.0;
  return s->begun.reach != NULL && size < next_to_nothing * s->begun.reach[i] ? s->begun.reach[i]
                                                                              : size;
}

/* Returns the largest change of unknown i at the end of a segment by a unit step of a parameter. */
static double reach_of(const gradyn_segments *s, size_t i)
{
  double most = 0;
  for (size_t k = 1; k < s->count; k++) {
    const double *slope = gradyn_segments_slopes(s, k - 1, s->f + (size_t)s->cut[k].at[i]);
    const gradyn_acting *acting = &s->sparsity.acting[k - 1];
    for (size_t j = 0; j < acting->count; j++) {
      const gradyn_parameter_info *info = &s->parameters[acting->parameter[j]];
      const double value = s->start[acting->parameter[j]];
      if (!info->fixed)
        most = fmax(most, fabs(slope[j]) * gradyn_program_unit(info, value) *
                              (info->logarithmic ? value : 1));
    }
  }
  return most;
}

gradyn_status gradyn_segments_find_reach(gradyn_segments *s)
{
  bool requested = false;
  for (size_t i = 0; i < s->states; i++)
    requested = requested || size_of(s, i) < next_to_nothing;
  if (!requested)
    return GRADYN_OK;
  const gradyn_status status = gradyn_segments_run(s, s->start, false, true);
  if (status != GRADYN_OK) /* the search will report any other failure */
    return gradyn_status_describe((int)status).kind == GRADYN_CLASS_FATAL ? status : GRADYN_OK;
  double *reach = gradyn_arena_numbers(&s->arena, s->states);
  for (size_t i = 0; reach != NULL && i < s->states; i++)
    reach[i] = reach_of(s, i);
  s->begun.reach = reach;
  return gradyn_arena_status(&s->arena);
}

/* Describes unknown i at boundary k, and its defect. */
static void describe_unknown(gradyn_segments *s, size_t k, size_t i)
{
  const size_t own = gradyn_segments_unknown(s, k) + i;
  const double size = gradyn_segments_warm_size(s, k, i, size_of(s, i)),
               rtol = s->whole->options.rtol;
  gradyn_parameter_info *unknown = &s->parameters[s->p + own];
  gradyn_functional_info *gap = &s->functionals[s->f + own];
  *unknown = (gradyn_parameter_info){.name = name_of(s, "cut", slot_of(s, k, i), k, unknown->name),
                                     .unit = unit_of(s, k, i),
                                     .init = s->start[s->p + own],
                                     .lower = -HUGE_VAL,
                                     .upper = HUGE_VAL,
                                     .scale = size,
                                     .role = GRADYN_INITIAL_STATE};
  *gap = (gradyn_functional_info){.name = name_of(s, "gap", slot_of(s, k, i), k, gap->name),
                                  .unit = unit_of(s, k, i),
                                  .use = GRADYN_EQUAL,
                                  .tolerance = fmax(least_gap, rtol) * size};
}

/* Describes state i of the reference of boundary k. */
static void describe_reference(gradyn_segments *s, size_t k, size_t i)
{
  const gradyn_model *model = s->whole->model;
  const size_t own = gradyn_segments_reference(s, k) + i;
  const int slot = s->cut[k].slot[i];
  gradyn_parameter_info *reference = &s->parameters[own];
  *reference = (gradyn_parameter_info){.name = name_of(s, "reference", slot, k, reference->name),
                                       .unit = model->ops->state_unit(model, slot),
                                       .init = s->start[own],
                                       .lower = -HUGE_VAL,
                                       .upper = HUGE_VAL,
                                       .scale = 1,
                                       .fixed = true,
                                       .role = GRADYN_INITIAL_STATE};
}

gradyn_status gradyn_segments_describe(gradyn_segments *s)
{
  for (size_t k = 1; k < s->count; k++) {
    for (size_t i = 0; i < s->states; i++)
      describe_unknown(s, k, i);
    for (size_t i = 0; i < s->references; i++)
      describe_reference(s, k, i);
  }
  return gradyn_arena_status(&s->arena) == GRADYN_OK
             ? GRADYN_OK
             : gradyn_fail(&s->message, GRADYN_NO_MEMORY, "out of memory");
}
