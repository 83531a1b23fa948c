/* Resets: events that set velocities, or states of general equations, by a user's formula of the state
 * before. */
#include <stdlib.h>

#include "mbs/forces/contacts.h"
#include <gradyn/events.h>

#include "core/model/declare.h"

/* Whether two components are the same velocity or state; states have no axis. */
static bool is_same(const gradyn_model *model, const gradyn_component *a, const gradyn_component *b)
{
  return a->point == b->point && (mbs_is_general(model) || a->axis == b->axis);
}

/* Checks the components that are set: each velocity or state once. False after a build error. */
static bool check_set(gradyn_model *model, const gradyn_event_spec *spec)
{
  if (spec->set_count < 1 || !spec->set) {
    gradyn_build_error(model, "reset %s: .set has %d velocities or states; it needs at least one",
                       spec->name, spec->set_count);
    return false;
  }
  for (int i = 0; i < spec->set_count; i++) {
    if (mbs_find_mapped(model, spec->name, &spec->set[i]) < 0)
      return false;
    for (int k = 0; k < i; k++)
      if (is_same(model, &spec->set[k], &spec->set[i])) {
        gradyn_build_error(model,
                           "%s lists the same velocity or state twice, as entries %d and %d of "
                           ".set",
                           spec->name, k, i);
        return false;
      }
  }
  return true;
}

/* Checks a reset: its formula uses the state before the event; accelerations and multipliers also jump
 * there and are refused. */
static void check_formula(gradyn_model *model, const gradyn_event_spec *spec)
{
  if (spec->reset.needs_accelerations || spec->reset.needs_multipliers)
    gradyn_build_error(model, "%s: a reset reads positions and velocities, not %s", spec->name,
                       spec->reset.needs_accelerations ? "accelerations" : "multipliers");
}

/* Refuses later builds that set other components, because the components belong to the structure of the
 * model. */
static void compare(gradyn_model *model, const gradyn_event_spec *spec,
                    const gradyn_event_entry *event)
{
  bool same = spec->set_count == event->set_count;
  for (int i = 0; same && i < spec->set_count; i++)
    same = mbs_find_mapped(model, spec->name, &spec->set[i]) == event->set[i].point &&
           (mbs_is_general(model) || (int)spec->set[i].axis == event->set[i].axis);
  if (!same)
    gradyn_build_error(model,
                       "%s sets other velocities or states than in the first call of build(): the "
                       "structure of a model must not depend on design variables",
                       spec->name);
}

/* In the first build: stores the components that the event sets. */
static void take(gradyn_model *model, const gradyn_event_spec *spec,
                 gradyn_functional_entry *formula, gradyn_event_entry *event)
{
  event->reset = formula;
  formula->motion_only = true; /* state before the event; accelerations and multipliers jump */
  event->set = calloc((size_t)spec->set_count, sizeof *event->set);
  if (!event->set) {
    gradyn_model_no_memory(model, spec->name);
    return;
  }
  event->set_count = spec->set_count;
  /* finalising finds the indices of coordinates; states have theirs already */
  for (int i = 0; i < spec->set_count; i++) {
    const int point = mbs_find_mapped(model, spec->name, &spec->set[i]);
    event->set[i] = (gradyn_preserved_velocity){point, (int)spec->set[i].axis, point};
  }
}

void mbs_declare_reset(gradyn_model *model, const gradyn_event_spec *spec, int number,
                       gradyn_event_entry *event)
{
  if (model->failed || !check_set(model, spec))
    return;
  check_formula(model, spec);
  gradyn_functional_entry *formula = gradyn_model_formula(
      model, gradyn_format_name(model, "%.80s.reset", spec->name), &spec->reset, GRADYN_OF_RESET,
      spec->set_count);
  if (event && formula)
    take(model, spec, formula, event);
  else
    gradyn_formula_free(formula);
  if (model->finalised && number < model->event_count)
    compare(model, spec, &model->event[number]);
}
