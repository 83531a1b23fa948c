/* What the model asks of a mechanism.
 *
 * Between the model, which knows data, functionals and users' functions, and the interface of schemes
 * (core/mech/mech.h): what `gradyn_model_ops` asks of a mechanism, and the names that messages use. build()
 * declares; what it declares first is sealed (seal.c), later calls bring numbers, load() takes these. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbs/drawing.h"
#include "mbs/elements/readings.h"
#include "mbs/measures/measure.h"
#include "mbs/mechanism/assembly.h"
#include "mbs/mechanism/rods.h"
#include "mbs/passes/tree.h"

/* --- what the model asks for ------------------------------------------------------------------ */

static const char *coordinate_name(const gradyn_mech *mech, int i)
{
  const gradyn_mbs *m = (const gradyn_mbs *)mech;
  return i >= 0 && i < m->mech.n ? m->point[m->owner[i]].name : "?";
}

/* Rows of one element are told apart by their names. */
static const char *constraint_name(const gradyn_mech *mech, int i)
{
  const gradyn_mbs *m = (const gradyn_mbs *)mech;
  return i >= 0 && i < m->constraints.count ? m->constraints.item[i].name : "?";
}

/* Numbering, patterns, memory, and what schemes read. */
static gradyn_status finalise(gradyn_model *model)
{
  gradyn_mbs *m = model->impl;
  GRADYN_TRY(mbs_finalise(m));
  /* from here on schemes can ask */
  m->mech.ops = &mbs_mech_ops;
  m->mech.nx = model->nx;
  m->mech.constant_mass = true;
  m->mech.q0 = m->start.q0;
  m->mech.v0 = m->start.v0;
  m->mech.begin.nearness = m->start.nearness;
  m->mech.spare = m->start.spare;
  m->mech.idle = m->start.idle;
  m->mech.begin.free = model->span.free_start;
  m->mech.x = model->x;
  m->mech.message = &model->message;
  m->mech.deadline = &model->deadline;
  m->mech.coordinate_name = coordinate_name;
  m->mech.constraint_name = constraint_name;
  model->mech = &m->mech;
  mbs_mech_ops.activate(&m->mech, NULL); /* until an evaluator narrows it */
  if (!model->settings.joint_coordinates)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_reads_finalise(model)); /* what formulas read is named in natural coordinates */
  return tree_wrap(model);
}

static void complete(gradyn_model *model)
{
  gradyn_mbs *m = model->impl;
  if (model->settings.joint_coordinates && m->dim == 2)
    tree_declare_turns(m);
}

/* Data tell most changes of structure; what has no data of its own is counted. */
static gradyn_status rebuilt(gradyn_model *model)
{
  const gradyn_mbs *m = model->impl;
  const struct {
    const char *what;
    int now, before;
  } count[] = {{"points", m->point_cursor, m->points},
               {"measures", m->parts.measure_cursor, m->parts.measures},
               {"constraints", m->constraints.cursor, m->constraints.count},
               {"forces", m->lists.forces.cursor, m->lists.forces.count},
               {"inertias", m->inertia_cursor, m->lists.inertias}};
  for (int k = 0; k < 5; k++)
    if (count[k].now != count[k].before)
      return gradyn_fail(&model->message, GRADYN_INVALID,
                         "build() declares %d %s where it declared %d before: the structure of a "
                         "model must not depend on design variables",
                         count[k].now, count[k].what, count[k].before);
  return GRADYN_OK;
}

/* Ground points and weights from the present data. */
static void load_points(gradyn_mbs *m)
{
  const double *x = m->model->x;
  for (int i = 0; i < m->points; i++) {
    mbs_point *p = &m->point[i];
    /* what does not move is put into the full positions once */
    for (int k = 0; k < m->dim && p->kind == MBS_GROUND; k++)
      m->pos[p->offset + k] = x[p->x + k];
    for (int k = 0; k < p->carriers; k++) {
      mbs_carrier *c = &p->carrier[k];
      c->weight = c->constant + (c->datum >= 0 ? c->slope * x[c->datum] : 0); /* c + s x */
    }
  }
  /* the same where it is used most */
  for (int i = 0; i < m->attached.count; i++)
    for (int k = 0; k < m->attached.share[i].carriers; k++)
      m->attached.share[i].weight[k] = m->attached.share[i].carrier[k].weight;
}

/* Whether some force may depend on velocities: matrices C are left out if none does. */
static bool is_damped(const gradyn_mbs *m)
{
  for (int i = 0; i < m->lists.forces.count; i++) {
    const mbs_element *e = &m->lists.forces.item[i];
    /* a force is still if it says so with these data */
    if (!e->ops->still || !e->ops->still(e, m->model->x + e->datum))
      return true;
  }
  return false;
}

/* What hands an element's point on to a slot. */
static double slot_weight(const gradyn_mbs *m, const mbs_element *e, mbs_slot s)
{
  return s.carrier < 0 ? 1 : m->point[e->point[s.point]].carrier[s.carrier].weight;
}

/* Weights of slots, inputs that do not depend on time, and second derivatives that depend on nothing else. */
static void load_elements(gradyn_mbs *m, const mbs_elements *list)
{
  const mbs_point_state anywhere = {0, m->pos, m->vel, m->acc, NULL};
  for (int i = 0; i < list->count; i++) {
    const mbs_element *e = &list->item[i];
    for (int k = 0; k < e->slots && e->weight; k++)
      e->weight[k] = slot_weight(m, e, e->slot[k]);
    if (e->steady)
      mbs_inputs_at(m, e, 0, e->input);
    if (e->curvature)
      e->ops->hessian(m, e, &anywhere, e->input, e->curvature);
  }
}

/* All that is constant during a march, from x. */
static gradyn_status load(gradyn_model *model)
{
  gradyn_mbs *m = model->impl;
  m->timed.t = (double)NAN; /* no time is the present one: inputs are stale */
  load_points(m);
  load_elements(m, &m->constraints);
  load_elements(m, &m->lists.forces);
  m->mech.damped = is_damped(m);
  mbs_load_rods(m);
  mbs_load_inertia(m);
  return GRADYN_OK;
}

/* Declarations of a sealed model begin anew: the k-th of a kind is the k-th that there was. */
static void restart(gradyn_model *model)
{
  gradyn_mbs *m = model->impl;
  m->point_cursor = m->inertia_cursor = 0;
  memset(m->row_cursor, 0, sizeof m->row_cursor);
  m->parts.frame_cursor = m->parts.joint_cursor = m->parts.measure_cursor = 0;
  m->parts.body_cursor = m->parts.beam_cursor = m->parts.beam_point_cursor = m->parts.hint_cursor =
      0;
  /* declarations begin anew; what has been declared stays */
  m->constraints.cursor = m->lists.forces.cursor = 0;
}

/* --- what functionals and output see ---------------------------------------------------------- */

/* y = (q, v, a, lam). */
static int state_count(const gradyn_model *model)
{
  const gradyn_mbs *m = model->impl;
  return 3 * m->mech.n + m->mech.m;
}

/* Which component of its point the coordinate at an index of the full arrays is. */
static int axis_at(const gradyn_mbs *m, int index)
{
  return index - m->point[m->owner[index]].offset;
}

/* As in trajectories: crank.x, crank.vx, rod.lambda. */
static void state_name(const gradyn_model *model, int i, char *buffer, size_t size)
{
  static const char *const suffix[3][3] = {
      {".x", ".y", ".z"}, {".vx", ".vy", ".vz"}, {".ax", ".ay", ".az"}};
  /* of joint coordinates, and of first-order states, which are the rates of theirs */
  static const char *const rate[2][3] = {{"", ".rate", ".acceleration"},
                                         {".integral", "", ".rate"}};
  const gradyn_mbs *m = model->impl;
  int n = m->mech.n;
  if (i >= 3 * n) {
    snprintf(buffer, size, "%s.lambda", constraint_name(&m->mech, i - 3 * n));
    return;
  }
  const mbs_point *p = &m->point[m->owner[i % n]];
  snprintf(buffer, size, "%s%s", p->name,
           p->scalar ? rate[p->state][i / n] : suffix[i / n][axis_at(m, i % n)]);
}

/* Of points, directions, joint coordinates and multipliers. */
static const char *state_unit(const gradyn_model *model, int i)
{
  static const char *const unit[3][3] = {
      {"m", "m/s", "m/s^2"}, {"", "1/s", "1/s^2"}, {"rad", "rad/s", "rad/s^2"}};
  const gradyn_mbs *m = model->impl;
  int n = m->mech.n;
  if (i >= 3 * n)
    return mbs_multiplier_unit(m, &m->constraints.item[i - 3 * n]);
  const mbs_point *p = &m->point[m->owner[i % n]];
  return p->state ? p->unit[i / n] : unit[p->scalar ? 2 * p->angle : p->direction][i / n];
}

/* Of position, velocity and acceleration those that are read. */
static int orders_read(const gradyn_reads *reads)
{
  return reads->positions_only ? 1 : reads->accelerations ? 3 : 2;
}

/* NaN for all that a reader has not declared: who reads it is found out. There since the same reader looked
 * last, if it did. */
static void show_unread(gradyn_mbs *m, const gradyn_reads *reads)
{
  for (int i = 0; reads && i < m->dim * m->points; i++)
    m->work.view[0][i] = m->work.view[1][i] = m->work.view[2][i] = NAN;
  for (int i = 0; reads && !reads->multipliers && i < m->mech.m; i++)
    m->work.view[3][i] = NAN;
}

/* The state as users see it: what a reader has declared, or all of it. */
static void fill(gradyn_model *model, const gradyn_sample *sample, const gradyn_reads *reads,
                 gradyn_at *at)
{
  gradyn_mbs *m = model->impl;
  if (!reads || m->work.seen_by != reads)
    show_unread(m, reads);
  m->work.seen_by = reads;
  for (int k = 0; reads && k < reads->count; k++)
    mbs_show_point(m, reads->number[k], reads->place[k], orders_read(reads), sample->y);
  for (int i = 0; !reads && i < m->points; i++)
    mbs_show_point(m, i, i, 3, sample->y);
  if (!reads || reads->multipliers)
    for (int i = 0; i < m->mech.m; i++)
      m->work.view[3][i] = sample->y[3 * m->mech.n + i];
  at->points = reads ? reads->count : m->points;
  at->axes = m->dim;
  at->constraints = m->mech.m;
  at->pos = m->work.view[0];
  at->vel = m->work.view[1];
  at->acc = m->work.view[2];
  at->lam = m->mech.m > 0 ? m->work.view[3] : NULL;
}

/* Where the coordinate at an index of the full arrays, or its rate, is in what a reader sees. */
static gradyn_scalar *seen_at(gradyn_mbs *m, const gradyn_reads *reads, int order, int index)
{
  const int place = gradyn_reads_place(reads, m->owner[index]);
  return &m->work.view[order][m->dim * place + axis_at(m, index)];
}

/* Where entry i of y = (q, v, a, lam) is in what users read, for complex steps. */
static gradyn_scalar *slot(gradyn_model *model, const gradyn_reads *reads, int i)
{
  gradyn_mbs *m = model->impl;
  int n = m->mech.n;
  if (i >= 3 * n)
    return &m->work.view[3][i - 3 * n];
  /* y = (q, v, a, lam): the order is i/n */
  int c = i % n;
  return seen_at(m, reads, i / n, c);
}

/* Coordinates of ground and attached points, then velocities and accelerations of attached ones. */
static bool locate_other(const gradyn_mbs *m, int i, int *order, int *index)
{
  int others = m->full_size - m->mech.n, attached = m->dim * m->attached.count;
  bool position = i < others;
  *order = position ? 0 : attached > 0 ? 1 + (i - others) / attached : 3;
  if (*order > 2)
    return false;
  *index = position ? m->mech.n + i : m->full_size - attached + (i - others) % attached;
  return true;
}

/* What it reads besides states: ground and attached points. */
static gradyn_scalar *slot_other(gradyn_model *model, const gradyn_reads *reads, int i)
{
  gradyn_mbs *m = model->impl;
  int order, index;
  if (!locate_other(m, i, &order, &index))
    return NULL;
  return seen_at(m, reads, order, index);
}

/* The bar of such a place: to data and carriers. */
static void other_bar(gradyn_model *model, int i, double bar, const gradyn_gradient_out *out,
                      const gradyn_sample *sample)
{
  gradyn_mbs *m = model->impl;
  int order, index;
  if (locate_other(m, i, &order, &index))
    mbs_component_bar(m, m->owner[index], order, axis_at(m, index), bar, sample->y, out);
}

/* Points, by whose numbers functions announce what they read. */
static int readable(const gradyn_model *model)
{
  return ((const gradyn_mbs *)model->impl)->points;
}

/* Positions and velocities of points that are read, and what else is. */
static bool is_read(const gradyn_model *model, const gradyn_reads *reads, int i, bool other)
{
  const gradyn_mbs *m = model->impl;
  int n = m->mech.n, order = other ? 0 : i / n, index = other ? 0 : i % n;
  if (!other && i >= 3 * n)
    return reads->multipliers;
  if (other && !locate_other(m, i, &order, &index))
    return false;
  return order < orders_read(reads) && gradyn_reads_has(reads, m->owner[index]);
}

static void free_elements(mbs_elements *list)
{
  for (int i = 0; i < list->count; i++) {
    free(list->item[i].name);
    free(list->item[i].gradient.item);
    free(list->item[i].matrix.item);
    free(list->item[i].slot);
    free(list->item[i].weight);
    free(list->item[i].input);
    free(list->item[i].curvature);
    mbs_free_reading(list->item[i].reading);
  }
  free(list->item);
}

static void free_point(mbs_point *point)
{
  free(point->name);
  for (int k = 0; k < 3; k++)
    free(point->unit[k]);
}

/* Those of things that own nothing else. */
#define FREE_NAMES(item, count)                                                                    \
  for (int i = 0; i < (count); i++)                                                                \
  free((item)[i].name)

static void free_parts(mbs_parts *parts)
{
  FREE_NAMES(parts->body, parts->bodies);
  FREE_NAMES(parts->beam, parts->beams);
  FREE_NAMES(parts->hint, parts->hints);
  FREE_NAMES(parts->frame, parts->frames);
  FREE_NAMES(parts->joint, parts->joints);
  FREE_NAMES(parts->measure, parts->measures);
  void *const array[] = {parts->body,  parts->beam,    parts->beam_point, parts->hint, parts->frame,
                         parts->joint, parts->measure, parts->turn,       parts->host};
  for (size_t k = 0; k < sizeof array / sizeof *array; k++)
    free(array[k]);
}

static void free_mbs(void *impl)
{
  gradyn_mbs *m = impl;
  mbs_forget_names(m);
  for (int i = 0; i < m->points; i++)
    free_point(&m->point[i]);
  free_parts(&m->parts);
  free_elements(&m->constraints);
  free_elements(&m->lists.forces);
  gradyn_pattern_clear(&m->mech.dyn);
  gradyn_pattern_clear(&m->mech.jac);
  mbs_clear_rods(m);
  for (int k = 0; k < 4; k++)
    free(m->work.view[k]);
  for (int k = 0; k < MBS_PLACES; k++)
    free(m->work.place[k]);
  for (int k = 0; k < GRADYN_MECH_TERMS; k++) {
    free(m->work.rows[k]);
    free(m->work.fields[k]);
  }
  void *const array[] = {m->varying.rod,   m->varying.constraint,
                         m->varying.force, m->varying.inertia,
                         m->lists.reader,  m->lists.inertia,
                         m->owner,         m->attached.share,
                         m->point,         m->start.nearness,
                         m->start.spare,   m->start.idle,
                         m->start.q0,      m->start.v0,
                         m->mass.inertial, m->mass.M,
                         m->mass.field,    m->mass.weight,
                         m->mass.falling,  m->length_scale,
                         m->lists.rolls,   m->pos,
                         m->vel,           m->acc,
                         m->full};
  for (size_t k = 0; k < sizeof array / sizeof *array; k++)
    free(array[k]);
  free(m);
}

const gradyn_model_ops mbs_model_ops = {.kind = GRADYN_MODEL_MECH,
                                        .restart = restart,
                                        .complete = complete,
                                        .finalise = finalise,
                                        .rebuilt = rebuilt,
                                        .load = load,
                                        .state_count = state_count,
                                        .state_name = state_name,
                                        .state_unit = state_unit,
                                        .output_count = mbs_output_count,
                                        .output_name = mbs_output_name,
                                        .output_unit = mbs_output_unit,
                                        .outputs = mbs_outputs,
                                        .fill = fill,
                                        .slot = slot,
                                        .slot_other = slot_other,
                                        .other_bar = other_bar,
                                        .seen = mbs_seen,
                                        .elements = mbs_list_elements,
                                        .readable = readable,
                                        .is_read = is_read,
                                        .looks = &mbs_evals,
                                        .free = free_mbs};
