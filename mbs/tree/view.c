/* Users' formulas and functionals of a mechanism in joint coordinates use natural coordinates. They are
 * evaluated at X, X', X'' and natural multipliers, and their adjoints are transformed by the tree. */
#include "core/model/model.h"
#include "mbs/measures/measure.h"
#include "mbs/passes/passes.h"
#include "mbs/tree/reactions.h"
#include "mbs/tree/view.h"

#include <math.h>
#include <string.h>

/* How much of a state is evaluated. */
typedef enum depth { POSITIONS, VELOCITIES, ACCELERATIONS, MULTIPLIERS } depth; /* by orders */

/* Working space for functionals and formulas. */
typedef struct tree_view {
  double *bar;       /* adjoints of natural states [results][3 natural n + natural m] */
  gradyn_lanes *lam; /* [2][natural m] adjoints of multipliers: given, and of remaining ones */
  gradyn_gradient_out *out; /* [results] */
} tree_view;

static tree *tree_of(const gradyn_model *model)
{
  return (tree *)model->mech;
}

static int results_of(const gradyn_functional_entry *f)
{
  return f->results > 1 ? f->results : 1;
}

/* Number of entries of a natural state. */
static int natural_states(const tree *c)
{
  return 3 * c->natural->n + c->natural->m;
}

gradyn_status tree_take_views(const gradyn_model *model, tree *c)
{
  int most = 1;
  for (int k = 0; k < model->event_count; k++)
    most = model->event[k].set_count > most ? model->event[k].set_count : most;
  c->view = gradyn_arena_take(&c->arena, 1, sizeof *c->view);
  GRADYN_TRY(gradyn_arena_status(&c->arena));
  c->view->bar = gradyn_arena_numbers(&c->arena, (size_t)most * (size_t)natural_states(c));
  c->view->lam = gradyn_arena_lanes(&c->arena, 2 * (size_t)c->natural->m);
  c->view->out = gradyn_arena_take(&c->arena, (size_t)most, sizeof *c->view->out);
  return gradyn_arena_status(&c->arena);
}

/* --- evaluation ------------------------------------------------------------------------------- */

static depth depth_of(const gradyn_functional_entry *f)
{
  return f->positions_only   ? POSITIONS
         : f->motion_only    ? VELOCITIES
         : f->no_multipliers ? ACCELERATIONS
                             : MULTIPLIERS;
}

/* Number of the arrays X, X', X'' that are evaluated. */
static int orders_of(depth deep)
{
  return deep < ACCELERATIONS ? (int)deep + 1 : 3;
}

/* Computes the natural state of a sample, up to a depth. Multipliers of the tree's joints are only computed
 * for functions that may use multipliers. */
static gradyn_status look(tree *c, const gradyn_sample *at, depth deep)
{
  const int n = c->mech.n, N = c->natural->n;
  double *lam = c->X[0] + 3 * N;
  tree_move_for(c, orders_of(deep), at->y, deep >= VELOCITIES ? at->y + n : NULL,
                deep >= ACCELERATIONS ? at->y + 2 * n : NULL);
  for (int i = 0; i < c->natural->m; i++)
    lam[i] = (double)NAN;
  if (deep < MULTIPLIERS)
    return GRADYN_OK;
  for (int i = 0; i < c->left.rows; i++)
    lam[c->row[i]] = at->y[3 * n + i];
  const gradyn_mech_state natural = gradyn_mech_state_at(N, at->t, c->X[0]);
  return tree_react(c, &natural, lam);
}

/* Hides accelerations from a formula of an event that may not use them. */
static void hide_accelerations(tree *c)
{
  for (int i = 0; i < c->natural->n; i++)
    c->X[2][i] = (double)NAN;
  c->looked.orders = 0;
}

/* Computes the natural state of a sample for a functional. */
static gradyn_status see(tree *c, const gradyn_functional_entry *f, const gradyn_sample *at)
{
  const depth deep = depth_of(f);
  GRADYN_TRY(look(c, at, deep));
  if (f->results > 0 && deep < ACCELERATIONS)
    hide_accelerations(c);
  return GRADYN_OK;
}

/* Gives the model its natural operations, for an evaluation in natural coordinates. */
static void show_natural(gradyn_model *model, tree *c)
{
  model->ops = c->natural_ops;
  model->mech = c->natural;
}

void tree_use_joint_coordinates(gradyn_model *model, tree *c)
{
  model->ops = &c->ops;
  model->mech = &c->mech;
}

/* --- values and derivatives ------------------------------------------------------------------- */

static gradyn_status value_of(gradyn_model *model, const gradyn_functional_entry *f,
                              const gradyn_functional_ops *ops, const gradyn_sample *at,
                              double *value)
{
  tree *c = tree_of(model);
  GRADYN_TRY(see(c, f, at));
  show_natural(model, c);
  gradyn_status status = ops->value(model, f, &(gradyn_sample){at->t, c->X[0]}, value);
  tree_use_joint_coordinates(model, c);
  return status;
}

/* Transforms adjoints of the natural state to adjoints of joint coordinates and of data. */
static void pull_bars(tree *c, int orders, const double *bar, const gradyn_gradient_out *out)
{
  const int n = c->mech.n, N = c->natural->n;
  double *x = out->x_bar;
  gradyn_lanes *own[3] = {c->seed, c->seed + n, c->seed + 2 * n};
  tree_clear_adjoints(c);
  for (int order = 0; order < orders; order++)
    for (int i = 0; i < N; i++)
      c->bar[order][i] = (gradyn_lanes){bar[order * N + i]};
  memset(c->seed, 0, (size_t)(orders * n) * sizeof *c->seed);
  const gradyn_mech_adjoints data = {.x = x};
  tree_against(c, &(tree_adjoints){own[0], own[1], own[2], NULL, x ? &data : NULL, 1, orders});
  for (int i = 0; i < orders * n && out->y_bar; i++)
    out->y_bar[i * out->stride] += c->seed[i][0];
  for (int i = 0; i < c->left.rows && out->y_bar && orders == 3; i++)
    out->y_bar[(3 * n + i) * out->stride] += bar[3 * N + c->row[i]];
}

/* Transforms adjoints of multipliers of the tree's joints to adjoints of the natural state and data. */
static gradyn_status pull_multipliers(tree *c, const gradyn_sample *at, double *bar,
                                      const gradyn_gradient_out *out)
{
  const int N = c->natural->n, m = c->natural->m;
  const gradyn_mech_state state = gradyn_mech_state_at(N, at->t, c->X[0]);
  gradyn_lanes *lam_bar = c->view->lam, *left_bar = lam_bar + m;
  bool any = false;
  for (int i = 0; i < m; i++) {
    lam_bar[i] = (gradyn_lanes){bar[3 * N + i]};
    left_bar[i] = (gradyn_lanes){0};
    any = any || (c->left.replaced[i] >= 0 && bar[3 * N + i] != 0);
  }
  if (!any)
    return GRADYN_OK;
  GRADYN_TRY(tree_react_against(c, &state, 1, lam_bar, left_bar,
                                &(gradyn_mech_adjoints){.x = out->x_bar, .t = out->t_bar}));
  for (int i = 0; i < m; i++)
    bar[3 * N + i] += left_bar[i][0];
  for (int order = 0; order < 3; order++)
    for (int i = 0; i < N; i++)
      bar[order * N + i] += c->bar[order][i][0];
  return GRADYN_OK;
}

/* Applies pull_multipliers() and pull_bars() for one result. */
static gradyn_status pull_result(tree *c, const gradyn_functional_entry *f, const gradyn_sample *at,
                                 double *bar, const gradyn_gradient_out *out)
{
  const depth deep = depth_of(f);
  GRADYN_TRY(look(c, at, deep));
  if (deep == MULTIPLIERS)
    GRADYN_TRY(pull_multipliers(c, at, bar, out));
  pull_bars(c, orders_of(deep), bar, out);
  return GRADYN_OK;
}

static gradyn_status gradient_of(gradyn_model *model, const gradyn_functional_entry *f,
                                 const gradyn_functional_ops *ops, const gradyn_sample *at,
                                 double weight, const gradyn_gradient_out *out)
{
  tree *c = tree_of(model);
  const int states = natural_states(c), results = results_of(f), orders = orders_of(depth_of(f));
  const size_t read = (size_t)(orders < 3 ? orders * c->natural->n : states);
  GRADYN_TRY(see(c, f, at));
  for (int k = 0; k < results; k++) {
    memset(c->view->bar + k * states, 0, read * sizeof *c->view->bar);
    c->view->out[k] = (gradyn_gradient_out){c->view->bar + k * states, 1, out[k].x_bar,
                                            out[k].t_bar};
  }
  show_natural(model, c);
  gradyn_status status = ops->gradient(model, f, &(gradyn_sample){at->t, c->X[0]}, weight,
                                       c->view->out);
  tree_use_joint_coordinates(model, c);
  for (int k = 0; k < results && status == GRADYN_OK; k++)
    status = pull_result(c, f, at, c->view->bar + k * states, &out[k]);
  return status;
}

static gradyn_status integrand_value(gradyn_model *model, const gradyn_functional_entry *f,
                                     const gradyn_sample *at, double *value)
{
  return value_of(model, f, f->reads.viewed[0], at, value);
}

static gradyn_status integrand_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                        const gradyn_sample *at, double weight,
                                        const gradyn_gradient_out *out)
{
  return gradient_of(model, f, f->reads.viewed[0], at, weight, out);
}

static gradyn_status terminal_value(gradyn_model *model, const gradyn_functional_entry *f,
                                    const gradyn_sample *at, double *value)
{
  return value_of(model, f, f->reads.viewed[1], at, value);
}

static gradyn_status terminal_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                       const gradyn_sample *at, double weight,
                                       const gradyn_gradient_out *out)
{
  return gradient_of(model, f, f->reads.viewed[1], at, weight, out);
}

static const gradyn_functional_ops integrand = {.value = integrand_value,
                                                .gradient = integrand_gradient},
                                   terminal = {.value = terminal_value,
                                               .gradient = terminal_gradient};

/* Whether a functional can share a pass with others. It cannot if it depends on natural multipliers, or is
 * a result of an event. */
static bool goes_with_others(const gradyn_gradients *g, int k)
{
  const gradyn_functional_entry *f = g->of[k];
  return f && (g->part[k] == &integrand || g->part[k] == &terminal) && f->results == 0 &&
         depth_of(f) < MULTIPLIERS;
}

/* Computes in natural coordinates the adjoints of the functionals that share a pass. */
static gradyn_status natural_gradients(gradyn_model *model, tree *c, const gradyn_sample *at,
                                       const gradyn_gradients *g)
{
  gradyn_gradients natural = *g;
  gradyn_status status = GRADYN_OK;
  natural.y_bar = c->bar[0];
  show_natural(model, c);
  for (int k = 0; k < g->count && status == GRADYN_OK; k++) {
    if (!goes_with_others(g, k))
      continue;
    natural.part[k] = g->of[k]->reads.viewed[g->part[k] == &terminal];
    status = gradyn_gradients_take_lane(model, &(gradyn_sample){at->t, c->X[0]}, &natural, k);
  }
  tree_use_joint_coordinates(model, c);
  return status;
}

/* Computes all gradients: those that can share a pass in one pass, the others separately. */
static gradyn_status gradients(gradyn_model *model, const gradyn_sample *at,
                               const gradyn_gradients *g)
{
  tree *c = tree_of(model);
  const int n = c->mech.n;
  int deepest = -1;
  for (int k = 0; k < g->count; k++)
    if (!goes_with_others(g, k))
      GRADYN_TRY(g->of[k] ? gradyn_gradients_take_lane(model, at, g, k) : GRADYN_OK);
    else if ((int)depth_of(g->of[k]) > deepest)
      deepest = (int)depth_of(g->of[k]);
  if (deepest < 0)
    return GRADYN_OK;
  GRADYN_TRY(look(c, at, (depth)deepest));
  tree_clear_adjoints(c);
  GRADYN_TRY(natural_gradients(model, c, at, g));
  const gradyn_mech_adjoints data = {.x = g->x_bar};
  tree_against(c, &(tree_adjoints){g->y_bar, g->y_bar + n, g->y_bar + 2 * n, NULL, &data, g->count,
                                   orders_of((depth)deepest)});
  return GRADYN_OK;
}

gradyn_status tree_measures(gradyn_model *model, const gradyn_sample *at, double *out)
{
  tree *c = tree_of(model);
  depth deepest = ACCELERATIONS; /* all bodies are needed; measures may need multipliers too */
  for (int i = 0; i < model->declared.measures; i++)
    if (!model->declared.measure[i].reduced.hidden && !model->declared.measure[i].data_only &&
        depth_of(&model->declared.measure[i]) > deepest)
      deepest = depth_of(&model->declared.measure[i]);
  GRADYN_TRY(look(c, at, deepest));
  show_natural(model, c);
  gradyn_status status = c->natural_ops->outputs(model, &(gradyn_sample){at->t, c->X[0]}, out);
  tree_use_joint_coordinates(model, c);
  return status;
}

gradyn_status tree_energy(gradyn_model *model, const gradyn_sample *at, double *kinetic,
                          double *potential)
{
  tree *c = tree_of(model);
  GRADYN_TRY(look(c, at, VELOCITIES));
  show_natural(model, c);
  gradyn_status status = c->natural_ops->looks->energy(model, &(gradyn_sample){at->t, c->X[0]},
                                                       kinetic, potential);
  tree_use_joint_coordinates(model, c);
  return status;
}

gradyn_status tree_conserves(gradyn_model *model, const gradyn_sample *at, bool *conserved)
{
  tree *c = tree_of(model);
  GRADYN_TRY(look(c, at, VELOCITIES));
  show_natural(model, c);
  const gradyn_status status = c->natural_ops->looks->conserves(
      model, &(gradyn_sample){at->t, c->X[0]}, conserved);
  tree_use_joint_coordinates(model, c);
  return status;
}

/* --- finalising ------------------------------------------------------------------------------- */

/* Replaces the functions of a functional by those of this file; f may be NULL. */
static void put_view(gradyn_functional_entry *f)
{
  /* functionals without state, and functionals that are states, stay as they are */
  if (!f || f->data_only || gradyn_functional_is_state(f))
    return;
  f->reads.viewed[0] = f->integrand;
  f->reads.viewed[1] = f->terminal;
  f->integrand = f->integrand ? &integrand : NULL;
  f->terminal = f->terminal ? &terminal : NULL;
}

void tree_put_views(gradyn_model *model)
{
  tree_of(model)->ops.gradients = gradients;
  for (int i = 0; i < model->declared.measures; i++) {
    gradyn_functional_entry *f = &model->declared.measure[i];
    /* columns have natural values; their derivatives are by joint coordinates */
    f->reads.viewed[1] = f->terminal;
    f->reads.converting = f->data_only ? NULL : &terminal;
  }
  for (int i = 0; i < model->functional_count; i++)
    put_view(&model->functional[i]);
  for (int k = 0; k < model->event_count; k++) {
    put_view(model->event[k].guard);
    put_view(model->event[k].armed);
    put_view(model->event[k].reset);
  }
}
