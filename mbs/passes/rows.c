/* Remaining constraints as rows of joint coordinates, from their rows J_X at the vectors of bodies. A pass
 * runs towards the root along the branches on which they act, with four constraints in lanes: F_p += L^T F,
 * J = F : (L_z X_p). Entries on other branches are zero and not in the pattern. Constraints of Euler
 * parameters are among them, but have no loads and are skipped. */
#include "mbs/passes/factors.h"
#include "mbs/passes/plane.h"
#include "mbs/passes/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Number of constraints of a group. */
static int rows_of(const tree *c, int group)
{
  const int rest = tree_rows(&c->mech) - group * GRADYN_LANES;
  return rest < GRADYN_LANES ? rest : GRADYN_LANES;
}

/* --- pattern ---------------------------------------------------------------------------------- */

/* Finds the joint to which each coordinate belongs; -1: none. */
static void find_owners(const tree *c, int *owner)
{
  for (int i = 0; i < c->mech.n; i++)
    owner[i] = -1;
  for (int i = 0; i < c->links; i++)
    for (int k = 0; k < c->link[i].k; k++)
      owner[c->link[i].z[k]] = i;
}

/* The constraint, other than `row`, that ties a coordinate without mass; -1: none. */
static int tie_of(const tree *c, int z, int row)
{
  const tree_on_top *rows = &c->left.on_top;
  for (int i = 0; i < rows->pairs; i++)
    if (rows->pair[i].z == z)
      return rows->pair[i].row == row ? -1 : rows->pair[i].row;
  return -1;
}

/* A set of marked links, in any order. */
typedef struct marks {
  bool *is; /* [links] */
  int *link, count;
} marks;

/* Marks a link and its path to the root. */
static void mark(const tree *c, int link, marks *m)
{
  for (; link >= 0 && !m->is[link]; link = c->link[link].parent) {
    m->is[link] = true;
    m->link[m->count++] = link;
  }
}

static void clear_marks(marks *m)
{
  while (m->count > 0)
    m->is[m->link[--m->count]] = false;
}

/* Marks the links on which a constraint acts, directly or through massless coordinates, and their paths to
 * the root. A constraint on a coordinate of the tree depends on this coordinate only. But solves, in which
 * constraints of the motion take part, need the path to the root. */
static void mark_row(const tree *c, int row, const int *owner, marks *m)
{
  const gradyn_pattern *jac = &c->natural->jac;
  if (c->row[row] < 0)
    return;
  for (int e = jac->start[c->row[row]]; e < jac->start[c->row[row] + 1]; e++) {
    const int z = c->position[jac->col[e]], tie = z >= 0 ? tie_of(c, z, row) : -1;
    if (z < 0)
      mark(c, tree_link_at(c, jac->col[e]), m);
    else if (row < c->mech.m)
      mark(c, owner[z], m);
    if (tie >= 0)
      mark_row(c, tie, owner, m);
  }
}

/* A list of columns; if col is NULL, they are only counted. */
typedef struct column_list {
  int *col, count;
} column_list;

static void add_column(column_list *list, int z)
{
  if (list->col)
    list->col[list->count] = z;
  list->count++;
}

/* Lists the coordinates that occur in a constraint directly. */
static void list_own(const tree *c, int row, column_list *list)
{
  const gradyn_pattern *jac = &c->natural->jac;
  if (c->row[row] < 0) {
    const tree_link *link = &c->link[-1 - c->row[row]];
    for (int k = link->k - TREE_TURN_FREELY; k < link->k; k++)
      add_column(list, link->z[k]);
    return;
  }
  for (int e = jac->start[c->row[row]]; e < jac->start[c->row[row] + 1]; e++) {
    const int z = c->position[jac->col[e]], tie = z >= 0 ? tie_of(c, z, row) : -1;
    if (z >= 0)
      add_column(list, z);
    if (tie >= 0)
      list_own(c, tie, list);
  }
}

/* Lists the coordinates on which a constraint may depend, with repetitions. In the plane these are all
 * coordinates, if the constraint depends on any link. */
static void list_columns(const tree *c, int row, const marks *m, column_list *list)
{
  const bool all = c->plane && m->count > 0;
  for (int z = 0; z < c->mech.n && all; z++)
    add_column(list, z);
  if (all)
    return;
  list_own(c, row, list);
  for (int i = 0; i < m->count; i++) {
    const tree_link *link = &c->link[m->link[i]];
    const bool hangs = link->parent < 0 && link->from[0] >= 0;
    for (int k = 0; k < link->k; k++)
      add_column(list, link->z[k]);
    for (int k = 0; k < 3 * TREE_VECTORS && hangs; k++)
      add_column(list, c->position[link->from[k / 3] + k % 3]);
  }
}

/* Lists the entries of all constraints; returns their number. If row is NULL, only counts them. */
static int list_entries(tree *c, const int *owner, marks *m, int *row, int *col)
{
  column_list list = {col, 0};
  for (int i = 0; i < tree_rows(&c->mech); i++) {
    const int before = list.count;
    mark_row(c, i, owner, m);
    list_columns(c, i, m, &list);
    clear_marks(m);
    for (int k = before; k < list.count && row; k++)
      row[k] = i;
  }
  return list.count;
}

static int compare_links(const void *a, const void *b)
{
  return *(const int *)b - *(const int *)a;
}

/* Lists the links of each group, from the leaves to the root. */
static void list_paths(tree *c, const int *owner, marks *m, int *path)
{
  tree_on_top *rows = &c->left.on_top;
  for (int g = 0; g < rows->groups; g++) {
    for (int k = 0; k < rows_of(c, g); k++)
      mark_row(c, g * GRADYN_LANES + k, owner, m);
    rows->start[g + 1] = rows->start[g] + m->count;
    if (path) {
      qsort(m->link, (size_t)m->count, sizeof *m->link, compare_links);
      memcpy(path + rows->start[g], m->link, (size_t)m->count * sizeof *path);
    }
    clear_marks(m);
  }
}

static gradyn_status find_pattern(tree *c, const int *owner, marks *m)
{
  const int all = tree_rows(&c->mech), count = list_entries(c, owner, m, NULL, NULL);
  int *row = calloc(2 * (size_t)count + 1, sizeof *row);
  if (!row)
    return GRADYN_NO_MEMORY;
  int *col = row + count;
  list_entries(c, owner, m, row, col);
  gradyn_status status = gradyn_pattern_create(all, c->mech.n, count, row, col, &c->mech.jac);
  free(row);
  return status;
}

static gradyn_status find_paths(tree *c, const int *owner, marks *m)
{
  tree_on_top *rows = &c->left.on_top;
  rows->groups = (tree_rows(&c->mech) + GRADYN_LANES - 1) / GRADYN_LANES;
  rows->start = gradyn_arena_take(&c->arena, (size_t)rows->groups + 1, sizeof *rows->start);
  rows->load = gradyn_arena_lanes(&c->arena, (size_t)(c->natural->n + c->mech.n));
  rows->rate = gradyn_arena_lanes(&c->arena, (size_t)rows->pairs);
  rows->value = gradyn_arena_numbers(&c->arena, (size_t)c->mech.n);
  GRADYN_TRY(gradyn_arena_status(&c->arena));
  list_paths(c, owner, m, NULL);
  rows->path = gradyn_arena_take(&c->arena, (size_t)rows->start[rows->groups], sizeof *rows->path);
  GRADYN_TRY(gradyn_arena_status(&c->arena));
  list_paths(c, owner, m, rows->path);
  return GRADYN_OK;
}

gradyn_status tree_find_rows(tree *c)
{
  int *owner = calloc((size_t)c->mech.n + 1, sizeof *owner);
  const size_t links = (size_t)c->links + 1;
  marks m = {.is = calloc(links, sizeof *m.is), .link = calloc(links, sizeof *m.link)};
  gradyn_status status = GRADYN_NO_MEMORY;
  if (owner && m.is && m.link) {
    find_owners(c, owner);
    status = find_pattern(c, owner, &m);
    if (status == GRADYN_OK)
      status = find_paths(c, owner, &m);
  }
  free(owner);
  free(m.is);
  free(m.link);
  return status;
}

/* --- values ----------------------------------------------------------------------------------- */

static void spread(const tree *c, int group, gradyn_lanes *load)
{
  const gradyn_pattern *jac = &c->natural->jac;
  for (int k = 0; k < rows_of(c, group); k++) {
    const int row = c->row[group * GRADYN_LANES + k];
    if (row < 0)
      continue;
    for (int e = jac->start[row]; e < jac->start[row + 1]; e++)
      load[jac->col[e]][k] = c->J[e];
  }
}

void tree_spread_rows(tree *c, int group)
{
  spread(c, group, c->left.on_top.load);
}

void tree_clear_rows(tree *c, int group)
{
  static const gradyn_lanes nothing = {0};
  const gradyn_pattern *jac = &c->natural->jac, *own = &c->mech.jac;
  const tree_on_top *rows = &c->left.on_top;
  for (int k = 0; k < rows_of(c, group); k++) {
    const int row = group * GRADYN_LANES + k;
    if (c->row[row] < 0)
      continue;
    for (int e = jac->start[c->row[row]]; e < jac->start[c->row[row] + 1]; e++)
      rows->load[jac->col[e]] = nothing;
    for (int e = own->start[row]; e < own->start[row + 1]; e++)
      rows->load[tree_load_at(c, own->col[e])] = nothing;
  }
  for (int p = rows->start[group]; p < rows->start[group + 1]; p++)
    for (int i = 0; i < 3 * TREE_VECTORS; i++)
      rows->load[c->link[rows->path[p]].own[i / 3] + i % 3] = nothing;
}

/* Computes J of a link's coordinates, and adds its loads to its parent. */
GRADYN_KERNEL void pull_rows_of(const tree *c, int i, gradyn_lanes *load)
{
  const tree_link *link = &c->link[i];
  const tree_map *L = &link->jet[0];
  for (int axis = 0; axis < 3; axis++) {
    gradyn_lanes F[TREE_VECTORS];
    for (int v = 0; v < TREE_VECTORS; v++)
      F[v] = load[link->own[v] + axis];
    for (int k = 0; k < link->k; k++)
      for (int v = 0; v < TREE_VECTORS; v++)
        load[tree_load_at(c, link->z[k])] += c->motion[i * TREE_FREE + k].e[v][axis] * F[v];
    for (int j = 0; j < TREE_VECTORS && link->from[0] >= 0; j++) {
      gradyn_lanes sum = j == 0 ? F[0] : L->e[0][j] * F[0];
      for (int v = 1; v < TREE_VECTORS && j > 0; v++)
        sum += L->e[v][j] * F[v];
      load[link->from[j] + axis] += sum;
    }
  }
}

static GRADYN_WIDE void pull_rows(const tree *c, int group)
{
  const tree_on_top *rows = &c->left.on_top;
  for (int p = rows->start[group]; p < rows->start[group + 1]; p++)
    pull_rows_of(c, rows->path[p], rows->load);
}

/* Stores the rows of a group's constraints that are in the range from first to last - 1. */
static void store_group(const tree *c, int group, int first, int last, double *values)
{
  const gradyn_pattern *own = &c->mech.jac;
  for (int k = 0; k < rows_of(c, group); k++) {
    const int row = group * GRADYN_LANES + k;
    const bool asked = row >= first && row < last && c->row[row] >= 0;
    for (int e = own->start[row]; e < own->start[row + 1] && asked; e++)
      values[e] = c->plane ? c->out[own->col[e]][k]
                           : c->left.on_top.load[tree_load_at(c, own->col[e])][k];
  }
}

/* In the plane: computes the rows of a group as adjoints of positions, into c->out. */
static void pull_rows_in_plane(tree *c, int group)
{
  tree_clear_adjoints(c);
  memset(c->out, 0, (size_t)c->mech.n * sizeof *c->out);
  spread(c, group, c->bar[0]);
  tree_against(c, &(tree_adjoints){.q = c->out, .orders = 1});
}

void tree_fill_rows(tree *c, int first, int last, double *values)
{
  for (int g = first / GRADYN_LANES; g < c->left.on_top.groups && g * GRADYN_LANES < last; g++) {
    if (c->plane) {
      pull_rows_in_plane(c, g);
      store_group(c, g, first, last, values);
      continue;
    }
    tree_spread_rows(c, g);
    pull_rows(c, g);
    store_group(c, g, first, last, values);
    tree_clear_rows(c, g);
  }
}

double tree_row_size(const tree *c, int row)
{
  const gradyn_pattern *jac = &c->natural->jac;
  double square = 0;
  for (int e = jac->start[c->row[row]]; e < jac->start[c->row[row] + 1]; e++)
    square += c->J[e] * c->J[e];
  return square;
}

double tree_row_size_of_bodies(const gradyn_mech *mech, int row)
{
  const tree *c = (const tree *)mech;
  const gradyn_pattern *jac = &c->natural->jac;
  double square = 0;
  if (c->row[row] < 0)
    return 0;
  for (int e = jac->start[c->row[row]]; e < jac->start[c->row[row] + 1]; e++) {
    const double moved = c->J[e] / c->natural->length_scale[jac->col[e]];
    square += moved * moved;
  }
  return sqrt(square);
}
