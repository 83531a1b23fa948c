/* Walls: the gaps of contacts, as rows of constraints that hold at impacts only, and their events. */
#include <complex.h>
#include <stdlib.h>

#include "mbs/contacts.h"
#include <gradyn/events.h>

static bool check_component(gradyn_mbs *m, const char *name, const gradyn_component *c)
{
  if (!mbs_check_point(m, name, c->point) || !mbs_check_axis(m, name, c->axis))
    return false;
  if (m->point[c->point].kind == MBS_MOVING)
    return true;
  gradyn_build_error(m->model, "%s keeps a velocity of %s, which is not a moving point", name,
                     m->point[c->point].name);
  return false;
}

/* The velocities that a kinematic jump keeps. */
static void keep(gradyn_mbs *m, const gradyn_bounce_spec *spec, gradyn_event *event)
{
  if (spec->kept_count < 0 || (spec->kept_count > 0 && !spec->kept)) {
    gradyn_build_error(m->model, "%s keeps %d velocities, but names none", spec->name,
                       spec->kept_count);
    return;
  }
  for (int i = 0; i < spec->kept_count; i++)
    if (!check_component(m, spec->name, &spec->kept[i]))
      return;
  if (!event || !spec->kept)
    return;
  size_t count = (size_t)spec->kept_count + 1;
  event->kept = calloc(count, sizeof *event->kept);
  if (!event->kept) {
    gradyn_model_no_memory(m->model, spec->name);
    return;
  }
  for (int i = 0; i < spec->kept_count; i++)
    event->kept[i] = (gradyn_kept){spec->kept[i].point, (int)spec->kept[i].axis, 0};
  event->kept_count = spec->kept_count;
}

/* The gap of a coordinate and its level. */
static int add_level(gradyn_mbs *m, const gradyn_bounce_spec *spec)
{
  static const char *const lengths[] = {"m", "m/s", "m/s^2"};
  mbs_element e = {.ops = &mbs_coordinate_ops, .points = 1, .point = {spec->point}};
  int number;
  e.axis = spec->axis;
  e.when = MBS_AT_IMPACTS;
  e.datum = mbs_declare_law(m, spec->name, lengths, &spec->level, &e);
  mbs_add_element(m, &m->constraints, &e, spec->name, &number);
  return number;
}

int gradyn_bounce(gradyn_model *model, const gradyn_bounce_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_bounce()") ||
      !gradyn_model_named(model, spec->name, "a bounce"))
    return 0;
  gradyn_mbs *m = mbs_of(model);
  if (!m || (!spec->gap && (!mbs_check_point(m, spec->name, spec->point) ||
                            !mbs_check_axis(m, spec->name, spec->axis))))
    return 0;
  double e = creal(spec->restitution);
  if (!(e > 0))
    gradyn_build_error(model, "%s: the restitution is %g: it must be positive", spec->name, e);
  gradyn_event *event;
  int number = gradyn_model_event(model, spec->name, &event);
  int contact = spec->gap ? mbs_custom_gap(m, spec->name, spec->gap) : add_level(m, spec);
  int restitution = gradyn_model_datum(model, spec->name, "restitution", "", spec->restitution);
  keep(m, spec, event);
  if (event) {
    event->contact = contact;
    event->sign = spec->below && !spec->gap ? -1 : 1;
    event->restitution = restitution;
  }
  return number;
}

void mbs_locate_kept(const gradyn_mbs *m)
{
  for (int k = 0; k < m->model->event_count; k++) {
    const gradyn_event *e = &m->model->event[k];
    for (int i = 0; i < e->kept_count; i++)
      e->kept[i].at = m->point[e->kept[i].point].offset + e->kept[i].axis;
  }
}
