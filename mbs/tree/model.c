/* The model of a mechanism in joint coordinates. It is the model of the declared mechanism with other
 * states. */
#include "mbs/tree/choose.h"
#include "core/mech/rolling.h"
#include "mbs/passes/factors.h"
#include "mbs/passes/joints.h"
#include "mbs/passes/plane_rods.h"
#include "mbs/tree/reactions.h"
#include "mbs/tree/readings.h"
#include "mbs/tree/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static tree *tree_of(const gradyn_model *model)
{
  return (tree *)model->mech;
}

/* --- names and states ------------------------------------------------------------------------- */

static const char *coordinate_name(const gradyn_mech *mech, int i)
{
  const tree *c = (const tree *)mech;
  const bool known = i >= 0 && i < mech->n;
  if (known && c->source[i] < 0)
    return tree_parameter_name(c, i);
  return c->natural->coordinate_name(c->natural, known ? c->source[i] : -1);
}

static const char *constraint_name(const gradyn_mech *mech, int i)
{
  const tree *c = (const tree *)mech;
  const bool known = i >= 0 && i < tree_rows(mech);
  if (known && c->row[i] < 0)
    return c->link[-1 - c->row[i]].name[TREE_TURN_FREELY];
  return c->natural->constraint_name(c->natural, known ? c->row[i] : -1);
}

static int state_count(const gradyn_model *model)
{
  return 3 * model->mech->n + model->mech->m;
}

/* Index in the natural state of entry i of the state; -1: there is none. */
static int natural_state(const tree *c, int i)
{
  const int n = c->mech.n, N = c->natural->n;
  const int at = i < 3 * n ? c->source[i % n] : c->row[i - 3 * n];
  return at < 0 ? -1 : i < 3 * n ? i / n * N + at : 3 * N + at;
}

static void state_name(const gradyn_model *model, int i, char *buffer, size_t size)
{
  static const char *const rate[3] = {"", ".rate", ".acceleration"};
  const tree *c = tree_of(model);
  const int n = c->mech.n, natural = natural_state(c, i);
  if (natural >= 0)
    c->natural_ops->state_name(model, natural, buffer, size);
  else if (i < 3 * n)
    (void)snprintf(buffer, size, "%s%s", tree_parameter_name(c, i % n), rate[i / n]);
  else
    (void)snprintf(buffer, size, "%s.lambda", constraint_name(&c->mech, i - 3 * n));
}

static const char *state_unit(const gradyn_model *model, int i)
{
  static const char *const unit[4] = {"", "1/s", "1/s^2", "N m"};
  const tree *c = tree_of(model);
  const int natural = natural_state(c, i);
  return natural >= 0 ? c->natural_ops->state_unit(model, natural)
                      : unit[i < 3 * c->mech.n ? i / c->mech.n : 3];
}

static bool link_at(const gradyn_model *model, int i, gradyn_link_info *info)
{
  return tree_describe(tree_of(model), i, info);
}

/* Loads ground points, weights, inputs and masses; then constant parts of maps. */
static gradyn_status load(gradyn_model *model)
{
  tree *c = tree_of(model);
  c->looked.orders = 0;
  GRADYN_TRY(c->natural_ops->load(model));
  tree_load_masses(c);
  if (c->plane)
    plane_load(c);
  for (int i = 0; i < c->links && !c->plane; i++)
    if (!tree_load_map(c->mbs, &c->link[i]))
      return gradyn_fail(&model->message, GRADYN_UNSUPPORTED,
                         "the directions of the frames of %s define no joint: some are parallel, "
                         "or far from their directions in the first build()",
                         c->mbs->parts.joint[c->link[i].joint].name);
  tree_load_readings(c);
  c->mech.damped = true; /* W^T M W' v depends on velocities */
  return GRADYN_OK;
}

/* --- finalising ------------------------------------------------------------------------------- */

/* Checks that the tree has links. */
static gradyn_status check(const tree *c)
{
  if (c->links == 0)
    return gradyn_fail(c->natural->message, GRADYN_UNSUPPORTED,
                       "joint coordinates need a body, or in the plane a rod, that no event maps, "
                       "sets or preserves; this model has none");
  return GRADYN_OK;
}

/* Marks nonholonomic constraints. */
static void mark_rolls(tree *c, bool *rolls)
{
  for (int i = 0; i < c->mech.m; i++)
    rolls[i] = c->row[i] >= 0 && gradyn_mech_rolls(c->natural, c->row[i]);
  c->mech.rolls = rolls;
}

/* Fills the data of the interface to schemes, in the order of coordinates. */
static void fill_mech(tree *c, int *q0, int *v0, double *length_scale, bool *spare, bool *idle)
{
  const gradyn_mech *natural = c->natural;
  for (int i = 0; i < c->mech.n; i++) {
    const int at = c->source[i];
    if (at < 0) { /* an Euler parameter of a link */
      const int k = (-1 - at) % TREE_TURN_FREELY, link = (-1 - at) / TREE_TURN_FREELY;
      q0[i] = c->mbs->parts.body[c->link[link].body].turn + k;
      v0[i] = q0[i] + TREE_TURN_FREELY;
      length_scale[i] = 2 * natural->length; /* the rate is half an angular velocity */
      if (length_scale[i] == 1) /* a scale of 1 would mean that the coordinate is a length */
        length_scale[i] = nextafter(1, 2);
      continue;
    }
    q0[i] = natural->q0[at];
    v0[i] = natural->v0[at];
    length_scale[i] = natural->length_scale[at];
    spare[i] = natural->spare[at];
    idle[i] = natural->idle[at];
  }
  c->mech.begin.origin = tree_origin;
  c->mech.begin.origin.mech = c->natural;
  c->mech.q0 = q0;
  c->mech.v0 = v0;
  c->mech.length_scale = length_scale;
  c->mech.spare = spare;
  c->mech.idle = idle;
}

static gradyn_status take_work(tree *c)
{
  const size_t N = (size_t)c->natural->n, rows = (size_t)tree_rows(c->natural);
  const struct {
    double **array;
    size_t size;
  } numbers[] = {{&c->lam, 2 * rows},
                 {&c->phi, rows},
                 {&c->F, N},
                 {&c->J, (size_t)c->natural->jac.nnz},
                 {&c->X[0], 3 * N + rows},
                 {&c->looked.z[0], 3 * N}};
  const struct {
    gradyn_lanes **array;
    size_t size;
  } lanes[] = {{&c->dX[0], N}, {&c->dX[1], N},       {&c->dX[2], N},    {&c->bar[0], 3 * N + rows},
               {&c->dF, N},    {&c->rows, N + rows}, {&c->seed, 3 * N}, {&c->out, N + rows}};
  bool ok = true;
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
    ok = (*numbers[k].array = gradyn_arena_numbers(&c->arena, numbers[k].size + 1)) && ok;
  for (size_t k = 0; k < sizeof lanes / sizeof *lanes; k++)
    ok = (*lanes[k].array = gradyn_arena_lanes(&c->arena, lanes[k].size + 1)) && ok;
  for (size_t k = 1; k < 3 && ok; k++) {
    c->X[k] = c->X[0] + k * N;
    c->looked.z[k] = c->looked.z[0] + k * N;
    c->bar[k] = c->bar[0] + k * N;
  }
  return ok ? GRADYN_OK : GRADYN_NO_MEMORY;
}

/* Allocates the lists of the tree, with their largest possible lengths. */
static gradyn_status take_lists(tree *c)
{
  const size_t N = (size_t)c->natural->n + 1;
  const size_t rows = (size_t)tree_rows(c->natural) + 1;
  const size_t links = (size_t)(c->mbs->dim == 2 ? c->mbs->parts.turns : c->mbs->parts.bodies);
  c->link = gradyn_arena_take(&c->arena, links + 1, sizeof *c->link);
  c->source = gradyn_arena_take(&c->arena, N, sizeof *c->source);
  c->position = gradyn_arena_take(&c->arena, N, sizeof *c->position);
  c->row = gradyn_arena_take(&c->arena, rows, sizeof *c->row);
  c->left.replaced = gradyn_arena_take(&c->arena, rows, sizeof *c->left.replaced);
  return gradyn_arena_status(&c->arena);
}

static void free_tree(tree *c)
{
  gradyn_pattern_clear(&c->mech.dyn);
  gradyn_pattern_clear(&c->mech.jac);
  tree_free_reactions(c); /* freed before the arena, which contains their structures */
  tree_free_readings(c);
  gradyn_arena_clear(&c->arena);
  free(c);
}

static void free_model(void *impl)
{
  tree *c = tree_of(((gradyn_mbs *)impl)->model);
  c->natural_ops->free(impl);
  free_tree(c);
}

/* Makes the tree, which replaces the natural model and uses it. */
static gradyn_status make(const gradyn_model *model, tree *c)
{
  GRADYN_TRY(take_lists(c));
  GRADYN_TRY(tree_find(c));
  GRADYN_TRY(check(c));
  GRADYN_TRY(take_work(c));
  GRADYN_TRY(tree_take_views(model, c));
  GRADYN_TRY(tree_name_columns(model, c));
  GRADYN_TRY(tree_find_rows(c));
  GRADYN_TRY(tree_find_reactions(c));
  GRADYN_TRY(tree_find_readings(c));
  const size_t n = (size_t)c->mech.n + 1;
  c->motion = (tree_axes *)gradyn_arena_lanes(
      &c->arena, (size_t)c->links * TREE_FREE * sizeof *c->motion / sizeof(gradyn_lanes));
  tree_reserve(c);
  int *q0 = gradyn_arena_take(&c->arena, n, sizeof *q0),
      *v0 = gradyn_arena_take(&c->arena, n, sizeof *v0);
  double *length_scale = gradyn_arena_numbers(&c->arena, n);
  bool *spare = gradyn_arena_take(&c->arena, n, sizeof *spare),
       *idle = gradyn_arena_take(&c->arena, n, sizeof *idle),
       *rolls = gradyn_arena_take(&c->arena, (size_t)c->mech.m + 1, sizeof *rolls);
  GRADYN_TRY(gradyn_arena_status(&c->arena));
  fill_mech(c, q0, v0, length_scale, spare, idle);
  c->mech.factors = (gradyn_mech_factors){.numbers = tree_count_factors(c), .rows = c->left.rows};
  tree_find_small(c);
  if (c->plane)
    GRADYN_TRY(plane_find_rods(c));
  mark_rolls(c, rolls);
  tree_mech_ops.activate(&c->mech, NULL);
  return GRADYN_OK;
}

gradyn_status tree_wrap(gradyn_model *model)
{
  tree *c = calloc(1, sizeof *c);
  if (!c)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for joint coordinates");
  c->mbs = model->impl;
  c->natural = model->mech;
  c->natural_ops = model->ops;
  c->mech = *c->natural;
  c->mech.ops = &tree_mech_ops;
  c->mech.constant_mass = false;
  c->mech.twice = false;
  c->mech.derived = (gradyn_mech_derived){0};
  c->mech.inertia = NULL;
  c->mech.begin.nearness = NULL;
  c->mech.dyn = c->mech.jac = (gradyn_pattern){0};
  c->mech.coordinate_name = coordinate_name;
  c->mech.constraint_name = constraint_name;
  gradyn_status status = make(model, c);
  if (status != GRADYN_OK) {
    free_tree(c);
    return status == GRADYN_NO_MEMORY
               ? gradyn_fail(&model->message, status, "out of memory for joint coordinates")
               : status;
  }
  c->ops = *c->natural_ops;
  c->ops.load = load;
  c->ops.free = free_model;
  c->ops.state_count = state_count;
  c->ops.state_name = state_name;
  c->ops.state_unit = state_unit;
  tree_offer_looks(&c->ops);
  c->ops.link = link_at;
  c->ops.operations = tree_count_operations;
  tree_place_events(c);
  tree_use_joint_coordinates(model, c);
  tree_put_views(model);
  return GRADYN_OK;
}
