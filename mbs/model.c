/* The operations of a model that is a mechanism (gradyn_model_ops).
 *
 * The model stores data, functionals and callbacks. Schemes use the interface in core/mech/mech.h.
 * This file connects the two, and names coordinates and constraints for messages. The first
 * build() declares the structure, which finalise() fixes (mechanism/finalise.c). Later calls of
 * build() change numbers only, and load() copies these numbers into the elements. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/declare.h"
#include "mbs/drawing.h"
#include "mbs/elements/readings.h"
#include "mbs/measures/measure.h"
#include "mbs/mechanism/assembly.h"
#include "mbs/mechanism/rods.h"
#include "mbs/passes/tree.h"

/* --- structure ------------------------------------------------------------------------------- */

static const char *coordinate_name(const gradyn_mech *mech, int i)
{
  const gradyn_mbs *m = (const gradyn_mbs *)mech;
  return i >= 0 && i < m->mech.n ? m->point[m->owner[i]].name : "?";
}

/* Name of a constraint. Constraints of one element have different names. */
static const char *constraint_name(const gradyn_mech *mech, int i)
{
  const gradyn_mbs *m = (const gradyn_mbs *)mech;
  return i >= 0 && i < m->constraints.count ? m->constraints.item[i].name : "?";
}

/* Numbers the coordinates, makes patterns, allocates memory, and fills the interface to
 * schemes. */
static gradyn_status finalise(gradyn_model *model)
{
  gradyn_mbs *m = model->impl;
  GRADYN_TRY(mbs_finalise(m));
  /* schemes may use the interface from here on */
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
  mbs_mech_ops.activate(&m->mech, NULL); /* all data are active until an evaluator selects some */
  if (!model->settings.joint_coordinates)
    return GRADYN_OK;
  /* Lists of points that formulas use refer to natural coordinates, so they are made before tree_wrap(). */
  GRADYN_TRY(gradyn_reads_finalise(model));
  return tree_wrap(model);
}

static void complete(gradyn_model *model)
{
  gradyn_mbs *m = model->impl;
  if (model->settings.joint_coordinates && m->dim == 2)
    tree_declare_turns(m);
}

/* Compares the numbers of declarations with the first build(). Names of data show most changes of structure;
 * this check covers declarations without data. */
static gradyn_status rebuilt(gradyn_model *model)
{
  const gradyn_mbs *m = model->impl;
  const struct {
    const char *what;
    int now, before;
  } count[] = {{"points", m->point_cursor, m->points},
               {"constraints", m->constraints.cursor, m->constraints.count},
               {"forces", m->lists.forces.cursor, m->lists.forces.count},
               {"inertias", m->inertia_cursor, m->lists.inertias}};
  for (int k = 0; k < 4; k++)
    if (count[k].now != count[k].before)
      return gradyn_fail(&model->message, GRADYN_INVALID,
                         "build() declares %d %s where it declared %d before: the structure of a "
                         "model must not depend on design variables",
                         count[k].now, count[k].what, count[k].before);
  return GRADYN_OK;
}

/* Copies positions of ground points, and computes weights of attached points, from the present
 * data. */
static void load_points(gradyn_mbs *m)
{
  const double *x = m->model->x;
  for (int i = 0; i < m->points; i++) {
    mbs_point *p = &m->point[i];
    /* ground points do not move: their positions are copied once */
    for (int k = 0; k < m->dim && p->kind == MBS_GROUND; k++)
      m->pos[p->offset + k] = x[p->x + k];
    for (int k = 0; k < p->carriers; k++) {
      mbs_carrier *c = &p->carrier[k];
      c->weight = c->constant + (c->datum >= 0 ? c->slope * x[c->datum] : 0); /* c + s x */
    }
  }
  /* the shares of attached points have copies of the weights */
  for (int i = 0; i < m->attached.count; i++)
    for (int k = 0; k < m->attached.share[i].carriers; k++)
      m->attached.share[i].weight[k] = m->attached.share[i].carrier[k].weight;
}

/* Whether a force may depend on velocities with the present data. If none does, schemes omit C =
 * dR/dv. */
static bool is_damped(const gradyn_mbs *m)
{
  for (int i = 0; i < m->lists.forces.count; i++) {
    const mbs_element *e = &m->lists.forces.item[i];
    /* still() states whether a force is independent of velocities for these data */
    if (!e->ops->still || !e->ops->still(e, m->model->x + e->datum))
      return true;
  }
  return false;
}

/* Weight of an element's point at a slot: 1, or the weight of the carrier that the slot stands
 * for. */
static double slot_weight(const gradyn_mbs *m, const mbs_element *e, mbs_slot s)
{
  return s.carrier < 0 ? 1 : m->point[e->point[s.point]].carrier[s.carrier].weight;
}

/* Computes weights of slots, inputs that do not depend on time, and constant second derivatives,
 * all from the present data. */
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

/* Computes from the data x all numbers that are constant during an integration. */
static gradyn_status load(gradyn_model *model)
{
  gradyn_mbs *m = model->impl;
  m->timed.t = (double)NAN; /* equals no time: inputs that depend on time are computed again */
  load_points(m);
  load_elements(m, &m->constraints);
  load_elements(m, &m->lists.forces);
  m->mech.damped = is_damped(m);
  mbs_load_rods(m);
  mbs_load_inertia(m);
  return GRADYN_OK;
}

/* Resets all counters of declarations before a repeated build(). The k-th declaration of a kind then refers
 * to the k-th one of the first build(). */
static void restart(gradyn_model *model)
{
  gradyn_mbs *m = model->impl;
  m->point_cursor = m->inertia_cursor = 0;
  memset(m->row_cursor, 0, sizeof m->row_cursor);
  m->parts.frame_cursor = m->parts.joint_cursor = 0;
  m->parts.body_cursor = m->parts.beam_cursor = m->parts.beam_point_cursor = m->parts.hint_cursor =
      0;
  /* elements stay; only their counters are reset */
  m->constraints.cursor = m->lists.forces.cursor = 0;
}

/* --- states for functionals and output ------------------------------------------------------- */

/* Number of entries of y = (q, v, a, lam). */
static int state_count(const gradyn_model *model)
{
  const gradyn_mbs *m = model->impl;
  return 3 * m->mech.n + m->mech.m;
}

/* Axis (0, 1, 2: x, y, z) of the component at `index` in the full arrays. */
static int axis_at(const gradyn_mbs *m, int index)
{
  return index - m->point[m->owner[index]].offset;
}

/* Name of entry i of y, as in trajectories: crank.x, crank.vx, rod.lambda. */
static void state_name(const gradyn_model *model, int i, char *buffer, size_t size)
{
  static const char *const suffix[3][3] = {
      {".x", ".y", ".z"}, {".vx", ".vy", ".vz"}, {".ax", ".ay", ".az"}};
  /* first row: joint coordinates; second row: first-order states, where the state is the rate of its
   * coordinate */
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

/* Unit of entry i of y, for points, directions, scalars and multipliers. */
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

/* Number of time derivatives that a formula uses: 1 position, 2 also velocity, 3 also
 * acceleration. */
static int orders_read(const gradyn_reads *reads)
{
  return reads->positions_only ? 1 : reads->accelerations ? 3 : 2;
}

/* Fills all entries that a formula has not declared, and the entries of id 0, with NaN, so that their use
 * becomes visible. The entries stay NaN while the same formula is evaluated repeatedly. */
static void show_unread(gradyn_mbs *m, const gradyn_reads *reads)
{
  for (int i = 0; i < m->dim * (reads ? m->points + 1 : 1); i++)
    m->work.view[0][i] = m->work.view[1][i] = m->work.view[2][i] = NAN;
  for (int i = 0; i <= (reads && !reads->multipliers ? m->mech.m : 0); i++)
    m->work.view[3][i] = NAN;
}

/* Fills the arrays for callbacks from the state: with the points and multipliers that the formula has
 * declared, or with all (reads NULL). */
static void fill(gradyn_model *model, const gradyn_sample *sample, const gradyn_reads *reads,
                 gradyn_at *at)
{
  gradyn_mbs *m = model->impl;
  if (!reads || m->work.seen_by != reads)
    show_unread(m, reads);
  m->work.seen_by = reads;
  for (int k = 0; reads && k < reads->count; k++)
    mbs_show_point(m, reads->number[k], reads->position[k], orders_read(reads), sample->y);
  for (int i = 0; !reads && i < m->points; i++)
    mbs_show_point(m, i, gradyn_id(model, i), 3, sample->y);
  if (!reads || reads->multipliers)
    for (int i = 0; i < m->mech.m; i++)
      m->work.view[3][gradyn_id(model, i)] = sample->y[3 * m->mech.n + i];
  at->points = reads ? reads->count : m->points;
  at->axes = m->dim;
  at->constraints = m->mech.m;
  at->first_point = reads ? 0 : gradyn_first_id(model);
  at->first_constraint = gradyn_first_id(model);
  at->pos = m->work.view[0];
  at->vel = m->work.view[1];
  at->acc = m->work.view[2];
  at->lam = m->mech.m > 0 ? m->work.view[3] : NULL;
}

/* Position in the callback's arrays of the coordinate `index` of the full arrays, or of its time
 * derivative of an order. */
static gradyn_scalar *seen_at(gradyn_mbs *m, const gradyn_reads *reads, int order, int index)
{
  const int place = gradyn_reads_place(m->model, reads, m->owner[index]);
  return &m->work.view[order][m->dim * place + axis_at(m, index)];
}

/* Position in the callback's arrays of entry i of y = (q, v, a, lam), for complex steps. */
static gradyn_scalar *slot(gradyn_model *model, const gradyn_reads *reads, int i)
{
  gradyn_mbs *m = model->impl;
  int n = m->mech.n;
  if (i >= 3 * n)
    return &m->work.view[3][gradyn_id(model, i - 3 * n)];
  /* the order of the time derivative is i/n */
  int c = i % n;
  return seen_at(m, reads, i / n, c);
}

/* Finds entry i among the entries that callbacks see besides the state: positions of ground and attached
 * points, then velocities and accelerations of attached points. Returns false beyond the last; order and
 * index are arguments of seen_at(). */
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

/* Position in the callback's arrays of entry i besides the state, as locate_other() counts them;
 * NULL beyond the last. */
static gradyn_scalar *slot_other(gradyn_model *model, const gradyn_reads *reads, int i)
{
  gradyn_mbs *m = model->impl;
  int order, index;
  if (!locate_other(m, i, &order, &index))
    return NULL;
  return seen_at(m, reads, order, index);
}

/* Distributes the adjoint of entry i besides the state to data, and to the carriers of attached
 * points. */
static void other_bar(gradyn_model *model, int i, double bar, const gradyn_gradient_out *out,
                      const gradyn_sample *sample)
{
  gradyn_mbs *m = model->impl;
  int order, index;
  if (locate_other(m, i, &order, &index))
    mbs_component_bar(m, m->owner[index], order, axis_at(m, index), bar, sample->y, out);
}

/* Number of points; callbacks refer to the points that they use by these numbers. */
static int readable(const gradyn_model *model)
{
  return ((const gradyn_mbs *)model->impl)->points;
}

static const char *readable_name(const gradyn_model *model, int i)
{
  return ((const gradyn_mbs *)model->impl)->point[i].name;
}

/* Whether a formula uses entry i of the state, or (other) entry i besides the state. */
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

/* Frees the names of items that own no other memory. */
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
    free(m->work.position[k]);
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
                                        .output_count = gradyn_measure_columns,
                                        .output_name = gradyn_measure_column_name,
                                        .output_unit = gradyn_measure_column_unit,
                                        .outputs = gradyn_measure_outputs,
                                        .fill = fill,
                                        .slot = slot,
                                        .slot_other = slot_other,
                                        .other_bar = other_bar,
                                        .seen = mbs_seen,
                                        .elements = mbs_list_elements,
                                        .readable = readable,
                                        .readable_name = readable_name,
                                        .is_read = is_read,
                                        .looks = &mbs_drawing_ops,
                                        .free = free_mbs};
