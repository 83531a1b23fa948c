/* Declares events: impacts at walls, whose gaps are constraints at impacts only, and zeros of users'
 * functions. The latter also exist in general equations. */
#include <complex.h>
#include <stdlib.h>

#include "mbs/forces/contacts.h"
#include <gradyn/events.h>

#include "core/model/declare.h"
#include "core/equations/equations.h"

/* Finds the point of a component that an event preserves, maps or sets: a coordinate of a moving point, or
 * a scalar with any axis. Returns -1 after a build error. */
static int find_component(gradyn_mbs *m, const char *name, const gradyn_component *c)
{
  const int point = mbs_find_any_point(m, name, c->point);
  if (point < 0 || m->point[point].scalar)
    return point;
  if (!mbs_check_axis(m, name, c->axis))
    return -1;
  /* only moving points have velocities */
  if (m->point[point].kind == MBS_MOVING)
    return point;
  gradyn_build_error(m->model, "%s names a coordinate of %s, which is not a moving point", name,
                     m->point[point].name);
  return -1;
}

/* Compares the preserved velocities of a later build() with those of the first one. */
static void compare_kept(gradyn_mbs *m, const gradyn_impact_spec *spec, int number)
{
  if (!m->model->finalised || number >= m->model->event_count)
    return;
  const gradyn_event_entry *event = &m->model->event[number];
  bool same = spec->preserved_count == event->kept_count;
  for (int i = 0; same && i < event->kept_count; i++)
    same = spec->preserved[i].point - gradyn_first_id(m->model) == event->kept[i].point &&
           (int)spec->preserved[i].axis == event->kept[i].axis;
  if (!same)
    gradyn_build_error(m->model,
                       "%s preserves other velocities than in the first call of build(): the "
                       "structure of a model must not depend on design variables",
                       spec->name);
}

/* Stores the velocities that a kinematic jump preserves. */
static void keep(gradyn_mbs *m, const gradyn_impact_spec *spec, int number,
                 gradyn_event_entry *event)
{
  /* the list must exist if its count is positive */
  if (spec->preserved_count < 0 || (spec->preserved_count > 0 && !spec->preserved)) {
    gradyn_build_error(m->model,
                       "%s: .preserved_count is %d; it must not be negative, and .preserved must "
                       "list that many velocities",
                       spec->name, spec->preserved_count);
    return;
  }
  for (int i = 0; i < spec->preserved_count; i++)
    if (find_component(m, spec->name, &spec->preserved[i]) < 0)
      return;
  compare_kept(m, spec, number);
  /* later builds store no event */
  if (!event || !spec->preserved)
    return;
  size_t count = (size_t)spec->preserved_count + 1;
  event->kept = calloc(count, sizeof *event->kept);
  if (!event->kept) {
    gradyn_model_no_memory(m->model, spec->name);
    return;
  }
  for (int i = 0; i < spec->preserved_count; i++)
    /* the last member, the index in v, is found when the model is finalised */
    event->kept[i] = (gradyn_preserved_velocity){
        spec->preserved[i].point - gradyn_first_id(m->model), (int)spec->preserved[i].axis, 0};
  event->kept_count = spec->preserved_count;
}

/* Adds the gap between a coordinate and a level; returns its number among the contacts. */
static int add_level(gradyn_mbs *m, const gradyn_impact_spec *spec, int point)
{
  static const char *const lengths[] = {"m", "m/s", "m/s^2"};
  /* Phi = x - level is the gap */
  mbs_element e = {.ops = &mbs_coordinate_ops, .points = 1, .point = {point}};
  e.axis = spec->axis;
  e.when = MBS_AT_IMPACTS;
  e.datum = mbs_declare_law(m, spec->name, lengths, &spec->level, &e);
  return mbs_add_row(m, &e, spec->name);
}

/* Declares an impact. Newton's law holds for the rate of the gap: g'+ = -e g'-. */
int gradyn_impact(gradyn_model *model, const gradyn_impact_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_impact()") ||
      !gradyn_model_named(model, spec->name, "a bounce"))
    return 0;
  /* the gap is a user's function, or a coordinate of a point minus a level */
  gradyn_mbs *m = mbs_of(model);
  int point = -1;
  if (!m || (!spec->gap && (!mbs_take_point(m, spec->name, spec->point, &point) ||
                            !mbs_check_axis(m, spec->name, spec->axis))))
    return 0;
  /* e = 0 requires a mode in which the point can stay at the wall */
  double e = creal(spec->restitution);
  bool may_stay = spec->mode != GRADYN_SAME_MODE;
  if (!(e > 0 || (e == 0 && may_stay)))
    gradyn_build_error(model, "%s: the restitution is %g: it must be positive%s", spec->name, e,
                       may_stay ? ", or zero" : "");
  gradyn_event_entry *event;
  int number = gradyn_model_event(model, spec->name, &event);
  /* the gap is a constraint at impacts only */
  int contact = spec->gap ? mbs_custom_gap(m, spec->name, spec->gap) : add_level(m, spec, point);
  int restitution = gradyn_model_datum(model, spec->name, "restitution", "", spec->restitution);
  keep(m, spec, number, event);
  gradyn_event_set_mode(model, spec->name, spec->mode, event);
  if (event) {
    event->contact = contact;
    event->sign = spec->below && !spec->gap ? -1 : 1; /* gap = sign (x - level) */
    event->invariant = true;
    event->restitution = restitution;
  }
  return gradyn_id(model, number);
}

/* --- other events ----------------------------------------------------------------------------- */

/* Whether the model has general equations: true as soon as a state is declared, also before equations are. */
bool mbs_is_general(const gradyn_model *model)
{
  return model->ops && model->ops->kind == GRADYN_MODEL_DAE;
}

int mbs_find_mapped(gradyn_model *model, const char *name, const gradyn_component *c)
{
  return mbs_is_general(model) ? gradyn_equations_find_state(model, name, c->point)
                               : find_component(mbs_of(model), name, c);
}

/* Unit of a position or state, given by its index, that an event maps. */
static const char *mapped_unit(gradyn_model *model, int index)
{
  if (mbs_is_general(model))
    return model->ops->state_unit(model, index);
  const mbs_point *p = &mbs_of(model)->point[index];
  return p->state ? p->unit[1] : p->angle ? "rad" : "m";
}

/* Declares the terms of a map: their data, and in the first build their coordinates. */
static void declare_map(gradyn_model *model, const gradyn_event_spec *spec,
                        gradyn_event_entry *event)
{
  if (spec->map_count < 0 || (spec->map_count > 0 && !spec->map)) {
    gradyn_build_error(model,
                       "%s: .map_count is %d; it must not be negative, and .map must list that "
                       "many terms",
                       spec->name, spec->map_count);
    return;
  }
  if (event && spec->map_count > 0) {
    event->map = calloc((size_t)spec->map_count, sizeof *event->map);
    if (!event->map) {
      gradyn_model_no_memory(model, spec->name);
      return;
    }
    event->map_count = spec->map_count;
  }
  for (int i = 0; i < spec->map_count; i++) {
    const gradyn_component *to = &spec->map[i].to, *from = &spec->map[i].from;
    bool constant = from->point ==
                    GRADYN_CONSTANT; /* a constant term is mapped from no component */
    const int after = mbs_find_mapped(model, spec->name, to);
    const int before = constant || after < 0 ? GRADYN_CONSTANT
                                             : mbs_find_mapped(model, spec->name, from);
    if (after < 0 || (before < 0 && !constant))
      return;
    const gradyn_datum weight = {gradyn_format_name(model, "map[%d]", i),
                                 constant ? mapped_unit(model, after) : "", spec->map[i].weight};
    int datum = gradyn_model_user_data(model, spec->name, &weight, 1);
    /* finalising finds the indices of coordinates; states have theirs already */
    if (event)
      event->map[i] = (gradyn_map_entry){{after, (int)to->axis, after},
                                         {before, constant ? 0 : (int)from->axis, before},
                                         constant || spec->map[i].shift,
                                         datum};
  }
}

/* The guard of an invariant must stay on one side of zero throughout its mode, so it needs one direction. */
static void check_invariant(gradyn_model *model, const gradyn_event_spec *spec)
{
  if (spec->invariant && spec->direction == GRADYN_EITHER)
    gradyn_build_error(model,
                       "%s is an invariant, but its guard has both directions; the guard of an "
                       "invariant must stay on one side of zero. Use one direction",
                       spec->name);
  if (spec->invariant && spec->condition.terminal)
    gradyn_build_error(model,
                       "%s is an invariant and has a condition, but an invariant limits its mode "
                       "at every time. Declare modes instead of the condition",
                       spec->name);
}

/* Declares an event at a zero of a function; a map and a reset are optional. */
int gradyn_event(gradyn_model *model, const gradyn_event_spec *spec)
{
  /* messages need the name of an event */
  if (!gradyn_model_given(model, spec, "gradyn_event()") ||
      !gradyn_model_named(model, spec->name, "an event"))
    return 0;
  if (!mbs_is_general(model) && !mbs_of(model))
    return 0;
  if ((int)spec->direction < 0 || spec->direction > GRADYN_EITHER)
    gradyn_build_error(model, "%s: direction %d does not exist", spec->name, (int)spec->direction);
  check_invariant(model, spec);
  gradyn_event_entry *event;
  /* event is NULL in later builds, which change data only */
  int number = gradyn_model_event(model, spec->name, &event);
  gradyn_functional_entry *guard = gradyn_model_formula(model, spec->name, &spec->guard,
                                                        GRADYN_OF_GUARD, 1);
  gradyn_functional_entry *armed = NULL;
  if (spec->condition.terminal)
    armed = gradyn_model_formula(model, gradyn_format_name(model, "%.80s.armed", spec->name),
                                 &spec->condition, GRADYN_OF_CONDITION, 1);
  declare_map(model, spec, event);
  gradyn_event_set_mode(model, spec->name, spec->mode, event);
  if (event) {
    event->guard = guard;
    event->armed = armed;
    /* falling through zero is the default direction */
    event->sign = spec->direction == GRADYN_RISING ? -1 : 1;
    event->either = spec->direction == GRADYN_EITHER;
    event->invariant = spec->invariant;
  } else {
    gradyn_formula_free(guard);
    gradyn_formula_free(armed);
  }
  if (spec->set || spec->set_count || spec->reset.terminal ||
      (model->finalised && number < model->event_count && model->event[number].set_count))
    mbs_declare_reset(model, spec, number, event);
  return gradyn_id(model, number);
}

/* Finds the index `at` of the coordinate that a component names. */
static void locate(const gradyn_mbs *m, gradyn_preserved_velocity *component)
{
  if (component->point < 0)
    return;
  const mbs_point *p = &m->point[component->point];
  component->at = p->offset + (p->scalar ? 0 : component->axis);
}

/* Finds the coordinates of components that events name: declarations refer to points, and coordinates have
 * numbers only after finalising. */
void mbs_locate_kept(const gradyn_mbs *m)
{
  for (int k = 0; k < m->model->event_count; k++) {
    const gradyn_event_entry *e = &m->model->event[k];
    for (int i = 0; i < e->kept_count; i++)
      locate(m, &e->kept[i]);
    for (int i = 0; i < e->map_count; i++) {
      locate(m, &e->map[i].to);
      locate(m, &e->map[i].from);
    }
    for (int i = 0; i < e->set_count; i++)
      locate(m, &e->set[i]);
  }
}
