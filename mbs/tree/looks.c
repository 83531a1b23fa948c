/* Output of a mechanism in joint coordinates: drawings and energies of natural coordinates. Positions and
 * vectors of bodies in the tree are no states. Trajectories contain them, their rates and their
 * accelerations as columns after the measures. Trajectories thus have all columns of bodies in either
 * coordinates. */
#include "mbs/tree/view.h"

#include <string.h>

enum { ORDERS = 3 }; /* positions, rates, accelerations */

static tree *tree_of(const gradyn_model *model)
{
  return (tree *)model->mech;
}

static int measures_of(const gradyn_model *model)
{
  return tree_of(model)->natural_ops->output_count(model);
}

/* --- columns ---------------------------------------------------------------------------------- */

/* Columns of positions and vectors of bodies in trajectories. */
typedef struct tree_columns {
  int count;   /* natural coordinates that are no states, then their rates and accelerations */
  int *at;     /* [count] natural states of the columns */
  char **name; /* [count] */
  int *of;     /* [natural n] the column of a coordinate, states first */
} tree_columns;

static const tree_columns *columns_of(const gradyn_model *model)
{
  return tree_of(model)->columns;
}

static int output_count(const gradyn_model *model)
{
  return measures_of(model) + columns_of(model)->count;
}

static const char *output_name(const gradyn_model *model, int i)
{
  const int measures = measures_of(model);
  return i < measures ? tree_of(model)->natural_ops->output_name(model, i)
                      : columns_of(model)->name[i - measures];
}

static const char *output_unit(const gradyn_model *model, int i)
{
  const gradyn_model_ops *natural = tree_of(model)->natural_ops;
  const int measures = measures_of(model);
  return i < measures ? natural->output_unit(model, i)
                      : natural->state_unit(model, columns_of(model)->at[i - measures]);
}

static gradyn_status outputs(gradyn_model *model, const gradyn_sample *at, double *out)
{
  const tree *c = tree_of(model);
  const int measures = measures_of(model);
  GRADYN_TRY(tree_measures(model, at, out)); /* tree_measures() also computes all bodies */
  for (int i = 0; i < c->columns->count; i++)
    out[measures + i] = c->X[0][c->columns->at[i]];
  return GRADYN_OK;
}

/* Lists the columns of coordinates that are no states. States, such as positions of free bodies, have
 * columns already. */
static void list_columns(const tree *c, int first, tree_columns *to)
{
  for (int i = 0; i < c->natural->n; i++)
    to->of[i] = c->position[i];
  for (int i = c->looked.shared; i < c->mech.n; i++)
    if (c->source[i] >= 0)
      to->of[c->source[i]] = i;
  for (int i = 0; i < c->natural->n; i++)
    if (to->of[i] < 0) {
      to->of[i] = first + to->count;
      to->at[to->count++] = i;
    }
  const int positions = to->count;
  for (int order = 1; order < ORDERS; order++)
    for (int i = 0; i < positions; i++)
      to->at[to->count++] = order * c->natural->n + to->at[i];
}

gradyn_status tree_name_columns(const gradyn_model *model, tree *c)
{
  char name[256];
  const size_t N = (size_t)c->natural->n;
  tree_columns *to = c->columns = gradyn_arena_take(&c->arena, 1, sizeof *c->columns);
  GRADYN_TRY(gradyn_arena_status(&c->arena));
  to->at = gradyn_arena_take(&c->arena, ORDERS * N, sizeof *to->at);
  to->of = gradyn_arena_take(&c->arena, N, sizeof *to->of);
  to->name = gradyn_arena_take(&c->arena, ORDERS * N, sizeof *to->name);
  GRADYN_TRY(gradyn_arena_status(&c->arena));
  list_columns(c, 3 * c->mech.n + c->mech.m + c->natural_ops->output_count(model), to);
  for (int i = 0; i < to->count; i++) {
    c->natural_ops->state_name(model, to->at[i], name, sizeof name);
    const size_t size = strlen(name) + 1;
    to->name[i] = gradyn_arena_take(&c->arena, size, 1);
    GRADYN_TRY(gradyn_arena_status(&c->arena));
    memcpy(to->name[i], name, size);
  }
  return GRADYN_OK;
}

/* --- drawings --------------------------------------------------------------------------------- */

static gradyn_drawn_point point(const gradyn_model *model, int i)
{
  gradyn_drawn_point p = tree_of(model)->natural_ops->looks->point(model, i);
  for (int k = 0; k < p.carriers; k++)
    p.column[k] = columns_of(model)->of[p.column[k]];
  return p;
}

static int axes(const gradyn_model *model)
{
  return tree_of(model)->natural_ops->looks->axes(model);
}

static int points(const gradyn_model *model)
{
  return tree_of(model)->natural_ops->looks->points(model);
}

static void draw(const gradyn_model *model, gradyn_drawable_fn visit, void *user)
{
  tree_of(model)->natural_ops->looks->draw(model, visit, user);
}

static const gradyn_drawing_ops looks = {axes, points, point, draw, tree_energy, tree_conserves};

void tree_offer_looks(gradyn_model_ops *ops)
{
  ops->output_count = output_count;
  ops->output_name = output_name;
  ops->output_unit = output_unit;
  ops->outputs = outputs;
  ops->looks = &looks;
}
