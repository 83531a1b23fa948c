/* Lists the elements of a mechanism: gravity, inertias, joints, constraints, beams and forces. The visitor
 * gets kind, name, points and data of each element. */
#include "mbs/drawing.h"

#include <stdio.h>
#include <string.h>

#include "core/model/declare.h"
#include "core/model/model.h"
#include "mbs/bodies/frame.h"
#include "mbs/joints/coordinate.h"

/* A traversal that passes all elements to a visitor. */
typedef struct tour {
  const gradyn_mbs *m;
  gradyn_element_fn visit;
  void *user;
} tour;

static void tell(const tour *at, gradyn_element_info info)
{
  at->visit(&info, at->user);
}

/* Copies the name of the element that owns a datum, which is the datum's name without its last part, into
 * buffer [size]; returns buffer. Used for elements that have no name of their own. */
static const char *owner_of(const gradyn_model *model, int datum, char *buffer, size_t size)
{
  const gradyn_data_entry *e = &model->entry[datum];
  const size_t length = e->own > 0 ? (size_t)e->own - 1 : 0; /* without the dot */
  const size_t taken = length < size ? length : size - 1;
  memcpy(buffer, e->name, taken);
  buffer[taken] = '\0';
  return buffer;
}

/* Reports the mass of a point or body. Inertias of rods and beams have no kind: they are reported
 * with their rod or beam. */
static void tell_inertia(const tour *at, const mbs_inertia *e)
{
  char name[256];
  if (e->ops->kind)
    tell(at, (gradyn_element_info){.kind = e->ops->kind,
                                   .name = owner_of(at->m->model, e->datum, name, sizeof name),
                                   .point = e->point,
                                   .points = e->ops->points,
                                   .datum = (size_t)e->datum,
                                   .data_count = (size_t)e->ops->data});
}

/* Reports a constraint, whose index is given, or a force, for which `constraint` is -1. */
static void tell_element(const tour *at, const mbs_element *e, int constraint)
{
  const gradyn_data_entry *entry = at->m->model->entry;
  /* the distance of a rod: the rod's mass, centre of mass and inertia follow its length */
  const bool rod = mbs_is_rod(e) &&
                   strcmp(entry[e->datum].name + entry[e->datum].own, "length") == 0;
  tell(at, (gradyn_element_info){.kind = rod ? "rod" : e->ops->kind,
                                 .name = e->name,
                                 .point = e->point,
                                 .points = e->points,
                                 .datum = (size_t)e->datum,
                                 .data_count = rod ? MBS_ROD_DATA : (size_t)e->data_count,
                                 .constraint = e->when == MBS_IN_MOTION ? constraint + 1 : 0,
                                 .modes = e->modes.bits});
}

/* Reports a joint. The constraints of a joint are reported as separate elements. */
static void tell_joint(const tour *at, const mbs_joint *joint)
{
  const gradyn_mbs *m = at->m;
  char kind[40];
  const int origin[2] = {m->parts.frame[joint->a].origin, m->parts.frame[joint->b].origin};
  (void)snprintf(kind, sizeof kind, "%s joint", mbs_joint_kind(joint->kind));
  tell(at, (gradyn_element_info){.kind = kind,
                                 .name = joint->name,
                                 .point = origin,
                                 .points = 2,
                                 .constraint = joint->rows > 0 ? joint->first + 1 : 0});
}

/* Reports a beam with all its nodes, followed by all its slopes. */
static void tell_beam(const tour *at, const mbs_beam *beam)
{
  tell(at, (gradyn_element_info){.kind = "beam",
                                 .name = beam->name,
                                 .point = at->m->parts.beam_point + beam->first_node,
                                 .points = 2 * (beam->elements + 1),
                                 .datum = (size_t)beam->datum,
                                 .data_count = MBS_BEAM_DATA});
}

void mbs_list_elements(const gradyn_model *model, gradyn_element_fn visit, void *user)
{
  const gradyn_mbs *m = model->impl;
  const tour at = {m, visit, user};
  if (m->gravity >= 0)
    tell(&at, (gradyn_element_info){.kind = "gravity",
                                    .name = "gravity",
                                    .datum = (size_t)m->gravity,
                                    .data_count = (size_t)m->dim});
  for (int i = 0; i < m->lists.inertias; i++)
    tell_inertia(&at, &m->lists.inertia[i]);
  for (int i = 0; i < m->parts.joints; i++)
    tell_joint(&at, &m->parts.joint[i]);
  for (int i = 0; i < m->constraints.count; i++)
    tell_element(&at, &m->constraints.item[i], i);
  for (int i = 0; i < m->parts.beams; i++)
    tell_beam(&at, &m->parts.beam[i]);
  for (int i = 0; i < m->lists.forces.count; i++)
    /* elastic forces of beams are reported with their beams */
    if (m->lists.forces.item[i].divisions == 0)
      tell_element(&at, &m->lists.forces.item[i], -1);
}
