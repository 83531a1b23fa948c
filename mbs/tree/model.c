/* The model around a mechanism in joint coordinates: that of the mechanism as declared but for its states.
 * Functionals are asked in natural coordinates, and what they hand back is pulled over the tree. */
#include "mbs/tree/joints.h"
#include "mbs/tree/plane.h"
#include "mbs/tree/reactions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tree *tree_of(const gradyn_model *model)
{
  return (tree *)model->mech;
}

/* --- names and states ------------------------------------------------------------------------------ */

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
  const bool known = i >= 0 && i < mech->m + mech->held;
  if (known && c->row[i] < 0)
    return c->link[-1 - c->row[i]].name[TREE_TURN_FREELY];
  return c->natural->constraint_name(c->natural, known ? c->row[i] : -1);
}

static int state_count(const gradyn_model *model)
{
  return 3 * model->mech->n + model->mech->m;
}

/* The natural state that state i is; -1: natural coordinates have none such. */
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

/* Ground points and weights, inputs and masses; maps take theirs from the data as they are asked for. */
static gradyn_status load(gradyn_model *model)
{
  tree *c = tree_of(model);
  c->looked.stands = TREE_NOWHERE;
  GRADYN_TRY(c->natural_ops->load(model));
  tree_load_masses(c);
  if (c->plane)
    plane_load(c);
  for (int i = 0; i < c->links && !c->plane; i++)
    if (!tree_load_map(c->mbs, &c->link[i]))
      return gradyn_fail(&model->message, GRADYN_UNSUPPORTED,
                         "the directions of the frames of %s define no joint: some are parallel, "
                         "or far from where they were",
                         c->mbs->parts.joint[c->link[i].joint].name);
  c->mech.damped = true; /* 2 W^T M W' v */
  return GRADYN_OK;
}

/* --- functionals, which read natural coordinates --------------------------------------------------- */

/* Places, velocities, accelerations: how many of these a functional may read. */
static int orders_of(const gradyn_functional *f)
{
  return f->positions_only ? 1 : f->motion_only ? 2 : 3;
}

/* Multipliers of joints on the tree are found for those who may read multipliers. */
static gradyn_status look_at_sample(tree *c, const gradyn_sample *at, int orders, bool multipliers)
{
  const int n = c->mech.n, N = c->natural->n;
  tree_move_for(c, orders, at->y, at->y + n, at->y + 2 * n);
  for (int i = 0; i < c->natural->m; i++)
    c->X[0][3 * N + i] = (double)NAN;
  for (int i = 0; i < c->left.rows; i++)
    c->X[0][3 * N + c->row[i]] = at->y[3 * n + i];
  const gradyn_mech_state natural = gradyn_mech_state_at(N, at->t, c->X[0]);
  return multipliers ? tree_react(c, &natural, c->X[0] + 3 * N) : GRADYN_OK;
}

static bool may_read_multipliers(const gradyn_functional *f)
{
  return !(f->data_only || f->positions_only || f->motion_only || f->no_multipliers);
}

/* While natural coordinates are looked at, the model is that of those. */
static void show_natural(gradyn_model *model, tree *c)
{
  model->ops = c->natural_ops;
  model->mech = c->natural;
}

static void show_tree(gradyn_model *model, tree *c)
{
  model->ops = &c->ops;
  model->mech = &c->mech;
}

static gradyn_status value_of(gradyn_model *model, const gradyn_functional *f,
                              const gradyn_functional_ops *ops, const gradyn_sample *at,
                              double *value)
{
  tree *c = tree_of(model);
  GRADYN_TRY(look_at_sample(c, at, orders_of(f), may_read_multipliers(f)));
  show_natural(model, c);
  gradyn_status status = ops->value(model, f, &(gradyn_sample){at->t, c->X[0]}, value);
  show_tree(model, c);
  return status;
}

/* Bars of the natural state to those of the joint coordinates and of data. */
static void pull_bars(tree *c, int orders, const gradyn_gradient_out *out)
{
  const int n = c->mech.n, N = c->natural->n;
  double *x = out->x_bar;
  gradyn_lanes *own[3] = {c->seed, c->seed + n, c->seed + 2 * n};
  for (int order = 0; order < orders; order++)
    for (int i = 0; i < N; i++)
      c->bar[order][i] = (gradyn_lanes){c->sample_bar[order * N + i]};
  for (int order = orders; order < 3 && !c->plane; order++)
    memset(c->bar[order], 0, (size_t)N * sizeof *c->bar[order]);
  memset(c->seed, 0, (size_t)(orders * n) * sizeof *c->seed);
  const gradyn_mech_bars data = {.x = x};
  tree_against(c, &(tree_bars){own[0], own[1], own[2], NULL, x ? &data : NULL, 1, orders});
  for (int i = 0; i < orders * n && out->y_bar; i++)
    out->y_bar[i * out->stride] += c->seed[i][0];
  for (int i = 0; i < c->left.rows && out->y_bar && orders == 3; i++)
    out->y_bar[(3 * n + i) * out->stride] += c->sample_bar[3 * N + c->row[i]];
}

static gradyn_status gradient_of(gradyn_model *model, const gradyn_functional *f,
                                 const gradyn_functional_ops *ops, const gradyn_sample *at,
                                 double weight, const gradyn_gradient_out *out)
{
  tree *c = tree_of(model);
  const int orders = orders_of(f), N = c->natural->n;
  const int states = orders < 3 ? orders * N : 3 * N + c->natural->m;
  GRADYN_TRY(look_at_sample(c, at, orders, may_read_multipliers(f)));
  memset(c->sample_bar, 0, (size_t)states * sizeof *c->sample_bar);
  const gradyn_gradient_out natural = {c->sample_bar, 1, out->x_bar, out->t_bar};
  show_natural(model, c);
  gradyn_status status = ops->gradient(model, f, &(gradyn_sample){at->t, c->X[0]}, weight,
                                       &natural);
  show_tree(model, c);
  GRADYN_TRY(status);
  if (may_read_multipliers(f)) {
    const gradyn_mech_state state = gradyn_mech_state_at(c->natural->n, at->t, c->X[0]);
    GRADYN_TRY(tree_react_against(c, &state, c->sample_bar, out->x_bar, out->t_bar));
  }
  pull_bars(c, orders, out);
  return GRADYN_OK;
}

static const gradyn_functional *declared(const gradyn_model *model, const gradyn_functional *f)
{
  return &tree_of(model)->functional[f - model->functional];
}

static gradyn_status integrand_value(gradyn_model *model, const gradyn_functional *f,
                                     const gradyn_sample *at, double *value)
{
  return value_of(model, f, declared(model, f)->integrand, at, value);
}

static gradyn_status integrand_gradient(gradyn_model *model, const gradyn_functional *f,
                                        const gradyn_sample *at, double weight,
                                        const gradyn_gradient_out *out)
{
  return gradient_of(model, f, declared(model, f)->integrand, at, weight, out);
}

static gradyn_status terminal_value(gradyn_model *model, const gradyn_functional *f,
                                    const gradyn_sample *at, double *value)
{
  return value_of(model, f, declared(model, f)->terminal, at, value);
}

static gradyn_status terminal_gradient(gradyn_model *model, const gradyn_functional *f,
                                       const gradyn_sample *at, double weight,
                                       const gradyn_gradient_out *out)
{
  return gradient_of(model, f, declared(model, f)->terminal, at, weight, out);
}

static const gradyn_functional_ops integrand = {.value = integrand_value,
                                                .gradient = integrand_gradient},
                                   terminal = {.value = terminal_value,
                                               .gradient = terminal_gradient};

/* Measures. */
static gradyn_status outputs(gradyn_model *model, const gradyn_sample *at, double *out)
{
  tree *c = tree_of(model);
  GRADYN_TRY(look_at_sample(c, at, 3, true));
  show_natural(model, c);
  gradyn_status status = c->natural_ops->outputs(model, &(gradyn_sample){at->t, c->X[0]}, out);
  show_tree(model, c);
  return status;
}

static void wrap_functionals(gradyn_model *model, tree *c)
{
  for (int i = 0; i < model->functional_count; i++) {
    gradyn_functional *f = &model->functional[i];
    c->functional[i] = *f;
    if (gradyn_functional_is_state(f)) /* of the model that is marched */
      continue;
    f->integrand = f->integrand ? &integrand : NULL;
    f->terminal = f->terminal ? &terminal : NULL;
  }
}

/* --- sealing --------------------------------------------------------------------------------------- */

/* What natural coordinates have and these do not. */
static gradyn_status check(const gradyn_model *model, const tree *c)
{
  const struct {
    bool present;
    const char *what;
  } found[] = {{model->event_count > 0, "events"}, {c->natural->contacts > 0, "contacts"}};
  for (size_t k = 0; k < sizeof found / sizeof *found; k++)
    if (found[k].present)
      return gradyn_fail(c->natural->message, GRADYN_UNSUPPORTED,
                         "joint coordinates do not know %s yet: take natural coordinates",
                         found[k].what);
  if (c->links == 0)
    return gradyn_fail(c->natural->message, GRADYN_UNSUPPORTED,
                       "joint coordinates need a body, or in the plane a rod, and there is none");
  return GRADYN_OK;
}

/* What schemes read, in the order of the coordinates. */
static void fill_mech(tree *c, int *q0, int *v0, double *lever, bool *spare, bool *idle)
{
  const gradyn_mech *natural = c->natural;
  for (int i = 0; i < c->mech.n; i++) {
    const int at = c->source[i];
    if (at < 0) { /* a parameter of a link */
      const int k = (-1 - at) % TREE_TURN_FREELY, link = (-1 - at) / TREE_TURN_FREELY;
      q0[i] = c->mbs->parts.body[c->link[link].body].turn + k;
      v0[i] = q0[i] + TREE_TURN_FREELY;
      lever[i] = 2 * natural->length; /* half an angle */
      if (lever[i] == 1)              /* which would say that it is a length */
        lever[i] = nextafter(1, 2);
      continue;
    }
    q0[i] = natural->q0[at];
    v0[i] = natural->v0[at];
    lever[i] = natural->lever[at];
    spare[i] = natural->spare[at];
    idle[i] = natural->idle[at];
  }
  c->mech.origin = tree_origin;
  c->mech.origin.mech = c->natural;
  c->mech.q0 = q0;
  c->mech.v0 = v0;
  c->mech.lever = lever;
  c->mech.spare = spare;
  c->mech.idle = idle;
}

static gradyn_status take_work(tree *c)
{
  const size_t N = (size_t)c->natural->n, rows = (size_t)(c->natural->m + c->natural->held);
  const struct {
    double **array;
    size_t size;
  } numbers[] = {{&c->lam, 2 * rows},
                 {&c->phi, rows},
                 {&c->F, N},
                 {&c->J, (size_t)c->natural->jac.nnz},
                 {&c->X[0], 3 * N + rows},
                 {&c->looked.z[0], 3 * N},
                 {&c->sample_bar, 3 * N + rows}};
  const struct {
    gradyn_lanes **array;
    size_t size;
  } lanes[] = {{&c->dX[0], N},    {&c->dX[1], N},     {&c->dX[2], N}, {&c->bar[0], N},
               {&c->bar[1], N},   {&c->bar[2], N},    {&c->dF, N},    {&c->rows, N + rows},
               {&c->seed, 3 * N}, {&c->out, N + rows}};
  bool ok = true;
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
    ok = (*numbers[k].array = gradyn_arena_numbers(&c->arena, numbers[k].size + 1)) && ok;
  for (size_t k = 0; k < sizeof lanes / sizeof *lanes; k++)
    ok = (*lanes[k].array = gradyn_arena_lanes(&c->arena, lanes[k].size + 1)) && ok;
  for (size_t k = 1; k < 3 && ok; k++) {
    c->X[k] = c->X[0] + k * N;
    c->looked.z[k] = c->looked.z[0] + k * N;
  }
  return ok ? GRADYN_OK : GRADYN_NO_MEMORY;
}

/* Lists of the tree, as long as they may become. */
static gradyn_status take_lists(const gradyn_model *model, tree *c)
{
  const size_t N = (size_t)c->natural->n + 1;
  const size_t rows = (size_t)(c->natural->m + c->natural->held) + 1;
  const size_t links = (size_t)(c->mbs->dim == 2 ? c->mbs->parts.turns : c->mbs->parts.bodies);
  c->link = gradyn_arena_take(&c->arena, links + 1, sizeof *c->link);
  c->source = gradyn_arena_take(&c->arena, N, sizeof *c->source);
  c->place = gradyn_arena_take(&c->arena, N, sizeof *c->place);
  c->row = gradyn_arena_take(&c->arena, rows, sizeof *c->row);
  c->left.replaced = gradyn_arena_take(&c->arena, rows, sizeof *c->left.replaced);
  c->functional = gradyn_arena_take(&c->arena, (size_t)model->functional_count + 1,
                                    sizeof *c->functional);
  return gradyn_arena_status(&c->arena);
}

static void free_tree(tree *c)
{
  gradyn_pattern_clear(&c->mech.dyn);
  gradyn_pattern_clear(&c->mech.jac);
  gradyn_arena_clear(&c->arena);
  free(c);
}

static void free_model(void *impl)
{
  tree *c = tree_of(((gradyn_mbs *)impl)->model);
  c->natural_ops->free(impl);
  free_tree(c);
}

/* The tree in the place of the natural model, which it asks. */
static gradyn_status make(gradyn_model *model, tree *c)
{
  GRADYN_TRY(take_lists(model, c));
  GRADYN_TRY(tree_find(c));
  GRADYN_TRY(check(model, c));
  GRADYN_TRY(take_work(c));
  GRADYN_TRY(tree_find_slopes(c));
  GRADYN_TRY(tree_find_reactions(c));
  const size_t n = (size_t)c->mech.n + 1;
  c->motion = (tree_axes *)gradyn_arena_lanes(
      &c->arena, (size_t)c->links * TREE_FREE * sizeof *c->motion / sizeof(gradyn_lanes));
  tree_take_room(c);
  int *q0 = gradyn_arena_take(&c->arena, n, sizeof *q0),
      *v0 = gradyn_arena_take(&c->arena, n, sizeof *v0);
  double *lever = gradyn_arena_numbers(&c->arena, n);
  bool *spare = gradyn_arena_take(&c->arena, n, sizeof *spare),
       *idle = gradyn_arena_take(&c->arena, n, sizeof *idle);
  GRADYN_TRY(gradyn_arena_status(&c->arena));
  fill_mech(c, q0, v0, lever, spare, idle);
  c->mech.factors = tree_count_factors(c);
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
  c->mech.masses = 0;
  c->mech.inertia = NULL;
  c->mech.nearness = NULL;
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
  c->ops.outputs = outputs;
  c->ops.looks = NULL;
  c->ops.link = link_at;
  show_tree(model, c);
  wrap_functionals(model, c);
  return GRADYN_OK;
}
