/* Drawable shapes of a mechanism: elements, bodies and beams, with hints of the user's.
 *
 * A drawing gets points and drawables. A point is a combination of columns of the state plus a
 * fixed part. A drawable is a shape that refers to points. Hints are declared with the model: they
 * give a body's shape, a colour, or a point that leaves a trace. Without a hint a body is drawn as
 * its centre and axes. */
#include "mbs/drawing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/declare.h"
#include "mbs/mechanism/assembly.h"
#include <gradyn/mechanism.h>

/* --- hints ------------------------------------------------------------------------------------ */

/* Adds a hint (first build), or updates its sizes (later builds). Takes ownership of
 * hint->name. */
static void note(gradyn_mbs *m, const mbs_hint *hint)
{
  int k = m->parts.hint_cursor++;
  /* later builds change sizes only */
  if (m->model->finalised) {
    free(hint->name);
    if (k < m->parts.hints)
      memcpy(m->parts.hint[k].size, hint->size, sizeof hint->size);
    return;
  }
  if (!gradyn_model_append(m->model, &m->parts.hint, &m->parts.hints, sizeof *hint, hint))
    free(hint->name);
}

/* Adds the hint to draw a body as a box or cylinder. Its first `sizes` sizes must be positive lengths in m.
 */
static void note_solid(gradyn_model *model, int body, const char *what, const mbs_hint *hint,
                       int sizes)
{
  gradyn_mbs *m = mbs_of(model);
  const mbs_body *b = mbs_check_body(m, what, body);
  for (int k = 0; b && k < sizes; k++)
    if (!(hint->size[k] > 0) || !isfinite(hint->size[k])) {
      gradyn_build_error(model, "%s of body %s has the size %g m: it must be positive", what,
                         b->name, hint->size[k]);
      return;
    }
  if (b)
    note(m, hint);
}

/* Index of a body from its id, which is not checked here. */
static int index_of(const gradyn_mbs *m, int body)
{
  return m ? body - gradyn_first_id(m->model) : -1;
}

void gradyn_draw_box(gradyn_model *model, int body, double x, double y, double z)
{
  gradyn_mbs *m = mbs_of(model);
  note_solid(model, body, "the box",
             &(mbs_hint){.shape = GRADYN_SHAPE_BOX, .of = index_of(m, body), .size = {x, y, z}},
             m ? m->dim : 0);
}

/* Adds a solid of revolution to the drawing; it has no mass. */
void gradyn_draw_cylinder(gradyn_model *model, int body, gradyn_axis axis, double radius,
                          double length)
{
  gradyn_mbs *m = mbs_of(model);
  /* in the plane a cylinder is drawn as a circle */
  if (m && m->dim == 2 && axis != GRADYN_Z)
    gradyn_build_error(model,
                       "a cylinder along axis %d: in the plane it can only be along "
                       "GRADYN_Z",
                       (int)axis);
  else if (m && (axis < GRADYN_X || axis > GRADYN_Z))
    gradyn_build_error(model, "a cylinder along axis %d: axes are GRADYN_X, GRADYN_Y, GRADYN_Z",
                       (int)axis);
  else
    note_solid(model, body, "the cylinder",
               &(mbs_hint){.shape = GRADYN_SHAPE_CYLINDER,
                           .of = index_of(m, body),
                           .axis = (int)axis,
                           .size = {radius, length}},
               2);
}

void gradyn_draw_trace(gradyn_model *model, int point)
{
  gradyn_mbs *m = mbs_of(model);
  if (m && mbs_take_point(m, "a trace", point, &point))
    note(m, &(mbs_hint){.shape = GRADYN_SHAPE_TRACE, .of = point});
}

/* Sets the colour, 0xRRGGBB, of the drawable with that name. */
void gradyn_draw_colour(gradyn_model *model, const char *name, unsigned rgb)
{
  gradyn_mbs *m = mbs_of(model);
  /* the name is not checked: it may be declared later */
  if (!m)
    return;
  if (!name)
    gradyn_build_error(model, "gradyn_draw_colour(): the name is NULL");
  else if (rgb > 0xFFFFFF)
    gradyn_build_error(model, "the colour of %s is 0x%x: colours are 0x000000 to 0xffffff", name,
                       rgb);
  else
    note(m,
         &(mbs_hint){.of = -1, .colour = (long)rgb, .name = gradyn_model_copy_name(model, name)});
}

/* --- drawables ------------------------------------------------------------------------------- */

/* The mechanism of a model that can be drawn. */
static const gradyn_mbs *mechanism_of(const gradyn_model *model)
{
  return model->impl;
}

/* Number of axes: 2 or 3. */
static int axes(const gradyn_model *model)
{
  return mechanism_of(model)->dim;
}

/* Number of points, including those that are not drawn. */
static int points(const gradyn_model *model)
{
  return mechanism_of(model)->points;
}

/* Adds weight times a moving or ground point. */
static void add_carrier(const gradyn_mbs *m, int number, double weight, gradyn_drawn_point *out)
{
  const mbs_point *p = &m->point[number];
  /* a moving point is a column of the trajectory; a ground point adds to the fixed part */
  if (p->kind == MBS_MOVING) {
    out->column[out->carriers] = p->offset;
    out->weight[out->carriers++] = weight;
  }
  for (int k = 0; p->kind == MBS_GROUND && k < m->dim; k++)
    out->fixed[k] += weight * m->model->x[p->x + k];
}

/* Point i as a combination of columns of the state. */
static gradyn_drawn_point point(const gradyn_model *model, int i)
{
  const gradyn_mbs *m = mechanism_of(model);
  const mbs_point *p = &m->point[i];
  gradyn_drawn_point out = {.name = p->idle ? "" : p->name, .direction = p->direction};
  if (p->scalar) /* scalars have no position */
    return out;
  if (p->kind != MBS_ATTACHED)
    add_carrier(m, i, 1, &out);
  for (int k = 0; k < p->carriers; k++) /* X = sum of w_i x_i over moving and ground carriers */
    add_carrier(m, p->carrier[k].point, p->carrier[k].weight, &out);
  return out;
}

/* A traversal that passes all drawables to a visitor. */
typedef struct tour {
  const gradyn_mbs *m;
  gradyn_drawable_fn visit;
  void *user;
} tour;

/* Names of shapes, as in the JSON of a report. */
static const char *shape_name(gradyn_shape shape)
{
  static const char *const name[] = {
      [GRADYN_SHAPE_ROD] = "rod",           [GRADYN_SHAPE_DISTANCE] = "distance",
      [GRADYN_SHAPE_SPRING] = "spring",     [GRADYN_SHAPE_DAMPER] = "damper",
      [GRADYN_SHAPE_ACTUATOR] = "actuator", [GRADYN_SHAPE_BEAM] = "beam",
      [GRADYN_SHAPE_BODY] = "body",         [GRADYN_SHAPE_BOX] = "box",
      [GRADYN_SHAPE_CYLINDER] = "cylinder", [GRADYN_SHAPE_GUIDE] = "guide",
      [GRADYN_SHAPE_FORCE] = "force",       [GRADYN_SHAPE_TRACE] = "trace"};
  return name[shape];
}

/* Passes a shape to the visitor, with its name and colour. */
static void show(const tour *at, gradyn_drawable d)
{
  const gradyn_mbs *m = at->m;
  d.kind = shape_name(d.shape);
  d.colour = -1;
  /* if a name has several colours, the last one applies */
  for (int k = 0; k < m->parts.hints; k++)
    if (m->parts.hint[k].of < 0 && strcmp(m->parts.hint[k].name, d.name) == 0)
      d.colour = m->parts.hint[k].colour;
  at->visit(&d, at->user);
}

/* Spring, damper or actuator, according to the data that are not zero. */
static gradyn_shape spring_shape(const gradyn_mbs *m, const mbs_element *e)
{
  const double *data = m->model->x + e->datum; /* stiffness, damping, ... */
  if (data[0] != 0)
    return GRADYN_SHAPE_SPRING;
  return data[1] != 0 ? GRADYN_SHAPE_DAMPER : GRADYN_SHAPE_ACTUATOR;
}

/* Draws a rod, distance, guide, spring, damper or force. Other elements have no shape. */
static void show_element(const tour *at, const mbs_element *e)
{
  gradyn_drawable d = {.name = e->name,
                       .point = e->point,
                       .points = e->points,
                       .axis = (int)e->axis,
                       .modes = e->modes.bits};
  if (e->ops == &mbs_distance_ops) {
    /* a rod is a distance with one datum, its constant length */
    d.shape = mbs_is_rod(e) ? GRADYN_SHAPE_ROD : GRADYN_SHAPE_DISTANCE;
  } else if (e->ops == &mbs_coordinate_ops && !at->m->point[e->point[0]].scalar) {
    d.shape = GRADYN_SHAPE_GUIDE;
  } else if (e->ops == &mbs_spring_ops) {
    d.shape = spring_shape(at->m, e);
  } else if (strcmp(e->ops->kind, "dashpot") == 0) {
    d.shape = GRADYN_SHAPE_DAMPER;
  } else if (strcmp(e->ops->kind, "force") == 0 && !e->callback.force) {
    d.shape = GRADYN_SHAPE_FORCE;
    d.signal = e->signal_count ? e->signal + 1 : 0;
    /* components of the force, for its arrow */
    memcpy(d.size, at->m->model->x + e->datum, (size_t)at->m->dim * sizeof *d.size);
  } else {
    return; /* no shape */
  }
  show(at, d);
}

/* Draws a body by its last hint of a box or cylinder, or by its centre and base vectors. */
static void show_body(const tour *at, int number)
{
  const mbs_body *body = &at->m->parts.body[number];
  gradyn_drawable d = {.shape = GRADYN_SHAPE_BODY,
                       .name = body->name,
                       .point = body->point,
                       .points = at->m->dim + 1};
  for (int k = 0; k < at->m->parts.hints; k++) { /* the last hint applies */
    const mbs_hint *hint = &at->m->parts.hint[k];
    if (hint->of == number &&
        (hint->shape == GRADYN_SHAPE_BOX || hint->shape == GRADYN_SHAPE_CYLINDER)) {
      d.shape = hint->shape;
      d.axis = hint->axis;
      memcpy(d.size, hint->size, sizeof d.size);
    }
  }
  show(at, d);
}

/* Draws a beam by its nodes and slopes; size: length of one element, m. */
static void show_beam(const tour *at, const mbs_beam *beam)
{
  show(at, (gradyn_drawable){
               .shape = GRADYN_SHAPE_BEAM,
               .name = beam->name,
               .point = at->m->parts.beam_point + beam->first_node,
               .points = 2 * (beam->elements + 1),
               .size = {at->m->model->x[beam->datum + MBS_BEAM_LENGTH] / beam->elements}});
}

/* Draws bodies first, then their connections, beams, forces and traces; later shapes cover earlier ones. */
static void draw(const gradyn_model *model, gradyn_drawable_fn visit, void *user)
{
  const gradyn_mbs *m = mechanism_of(model);
  const tour at = {m, visit, user};
  for (int i = 0; i < m->parts.bodies; i++)
    show_body(&at, i);
  for (int i = 0; i < m->mech.m; i++) /* constraints of the motion only */
    show_element(&at, &m->constraints.item[i]);
  for (int i = 0; i < m->parts.beams; i++)
    show_beam(&at, &m->parts.beam[i]);
  for (int i = 0; i < m->lists.forces.count; i++)
    show_element(&at, &m->lists.forces.item[i]);
  for (int k = 0; k < m->parts.hints; k++)
    if (m->parts.hint[k].shape == GRADYN_SHAPE_TRACE)
      show(&at, (gradyn_drawable){.shape = GRADYN_SHAPE_TRACE,
                                  .name = m->point[m->parts.hint[k].of].name,
                                  .point = &m->parts.hint[k].of,
                                  .points = 1});
}

const gradyn_drawing_ops mbs_drawing_ops = {axes, points, point, draw, mbs_energy, mbs_conserves};
