/* W^T M W from composite bodies. The mass matrix of a body is a number for each pair of its vectors, equal
 * for all axes. L also acts equally along all axes. The composite mass of a body is therefore 4 x 4 numbers.
 * A column is the load of one joint's motion, passed from body to parent. */
#include "mbs/passes/passes.h"
#include "mbs/passes/plane.h"
#include "mbs/passes/vectors.h"

#include "core/linear/norm.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Allocates the memory for masses outside the tree. */
static void take_entries(tree *c)
{
  const gradyn_pattern *dyn = &c->natural->dyn;
  size_t most = 0;
  for (int i = 0; i < c->looked.shared; i++)
    most += (size_t)(dyn->start[c->source[i] + 1] - dyn->start[c->source[i]]);
  c->own.entry = gradyn_arena_take(&c->arena, most, sizeof *c->own.entry);
}

bool tree_find_masses(tree *c)
{
  take_entries(c);
  if (c->plane)
    return plane_has_own_masses(c);
  const gradyn_pattern *dyn = &c->natural->dyn;
  /* false if two bodies share an inertia */
  for (int i = 0; i < TREE_VECTORS * 3 * c->links; i++) {
    const int row = c->link[i / (TREE_VECTORS * 3)].own[i / 3 % TREE_VECTORS] + i % 3;
    for (int e = dyn->start[row]; e < dyn->start[row + 1]; e++)
      if (c->mbs->mass.inertial[e] && tree_link_at(c, row) != tree_link_at(c, dyn->col[e]))
        return false;
  }
  for (int i = 0; i < c->links; i++)
    for (int r = 0; r < TREE_VECTORS; r++)
      for (int s = 0; s < TREE_VECTORS; s++)
        c->link[i].mass[r][s] = gradyn_pattern_find(dyn, c->link[i].own[r], c->link[i].own[s]);
  return true;
}

/* Lists the nonzero masses of coordinates in X. They are few: most coordinates of joints have no mass. */
static void list_entries(tree *c)
{
  const gradyn_pattern *dyn = &c->natural->dyn;
  tree_masses *own = &c->own;
  own->entries = 0;
  for (int i = 0; i < c->looked.shared; i++) {
    const int row = c->source[i];
    for (int e = dyn->start[row]; e < dyn->start[row + 1]; e++)
      if (c->mbs->mass.M[e] != 0)
        own->entry[own->entries++] = (tree_entry){row, dyn->col[e], e};
  }
}

void tree_load_masses(tree *c)
{
  c->own.heaviest = fmax(gradyn_largest(c->mbs->mass.M, c->natural->dyn.nnz), DBL_MIN);
  list_entries(c);
  for (int i = 0; i < c->links && c->own.composite && !c->plane; i++)
    for (int r = 0; r < TREE_VECTORS; r++)
      for (int s = 0; s < TREE_VECTORS; s++) {
        const int at = c->link[i].mass[r][s];
        c->link[i].M.e[r][s] = at >= 0 ? c->mbs->mass.M[at] : 0;
      }
}

/* Vectors of one body, or their loads. */
typedef struct tree_vectors {
  double e[TREE_VECTORS][3];
} tree_vectors;

/* --- products --------------------------------------------------------------------------------- */

/* F += M X'' for masses outside the tree. */
static void add_others(const tree *c, double *F)
{
  for (int i = 0; i < c->own.entries; i++) {
    const tree_entry *e = &c->own.entry[i];
    F[e->row] += c->mbs->mass.M[e->at] * c->X[2][e->col];
  }
}

GRADYN_KERNEL void add_body(const tree_link *link, const double *A, double *F)
{
  tree_axes a;
  tree_take_body(A, link->own, &a);
  for (int i = 0; i < TREE_VECTORS; i++) {
    gradyn_lanes sum;
    tree_take(F + link->own[i], &sum);
    for (int j = 0; j < TREE_VECTORS; j++)
      sum += link->M.e[i][j] * a.e[j];
    tree_put(&sum, F + link->own[i]);
  }
}

static GRADYN_WIDE void add_bodies(const tree *c, double *F)
{
  for (int i = 0; i < c->links; i++)
    add_body(&c->link[i], c->X[2], F);
}

void tree_add_inertia(const tree *c, double *F)
{
  if (!c->own.composite) {
    gradyn_pattern_multiply(&c->natural->dyn, c->natural->n, c->mbs->mass.M, 1, c->X[2], F);
    return;
  }
  add_others(c, F);
  if (c->plane)
    plane_add_inertia(c, F);
  else
    add_bodies(c, F);
}

/* y += share M x of a body. */
GRADYN_KERNEL void add_body_lanes(const tree_link *link, double share, const gradyn_lanes *x,
                                  gradyn_lanes *y)
{
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < TREE_VECTORS; i++) {
      gradyn_lanes sum = y[link->own[i] + k];
      for (int j = 0; j < TREE_VECTORS; j++)
        sum += share * link->M.e[i][j] * x[link->own[j] + k];
      y[link->own[i] + k] = sum;
    }
}

static GRADYN_WIDE void multiply_lanes(const tree *c, double share, const gradyn_lanes *x,
                                       gradyn_lanes *y)
{
  for (int i = 0; i < c->own.entries; i++) {
    const tree_entry *e = &c->own.entry[i];
    y[e->row] += share * c->mbs->mass.M[e->at] * x[e->col];
  }
  if (c->plane)
    plane_multiply_mass(c, share, x, y);
  for (int i = 0; i < c->links && !c->plane; i++)
    add_body_lanes(&c->link[i], share, x, y);
}

void tree_multiply_mass(const tree *c, double share, const gradyn_lanes *x, gradyn_lanes *y)
{
  if (c->own.composite)
    multiply_lanes(c, share, x, y);
  else
    gradyn_lanes_multiply(&c->natural->dyn, c->natural->n, c->mbs->mass.M, share, x, y);
}

/* --- the matrix ------------------------------------------------------------------------------- */

/* Computes the composite masses C: of each body with its descendants in the tree. */
static void compose(tree *c)
{
  for (int i = 0; i < c->links; i++)
    c->link[i].C = c->link[i].M;
  for (int i = c->links - 1; i >= 0; i--) {
    const tree_link *link = &c->link[i];
    tree_map half;
    if (link->parent < 0)
      continue;
    for (int r = 0; r < TREE_VECTORS; r++)
      for (int s = 0; s < TREE_VECTORS; s++) {
        half.e[r][s] = 0;
        for (int k = 0; k < TREE_VECTORS; k++)
          half.e[r][s] += link->C.e[r][k] * link->jet[0].e[k][s];
      }
    for (int r = 0; r < TREE_VECTORS; r++)
      for (int s = 0; s < TREE_VECTORS; s++)
        for (int k = 0; k < TREE_VECTORS; k++)
          c->link[link->parent].C.e[r][s] += link->jet[0].e[k][r] * half.e[k][s];
  }
}

/* f = A b */
static void multiply(const tree_map *A, const tree_axes *b, tree_vectors *f)
{
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int k = 0; k < 3; k++) {
      f->e[i][k] = 0;
      for (int j = 0; j < TREE_VECTORS; j++)
        f->e[i][k] += A->e[i][j] * b->e[j][k];
    }
}

/* Transforms loads f of a body to loads of its parent: f = L^T f. */
static void hand_in(const tree_link *link, tree_vectors *f)
{
  tree_vectors sum = {{{0}}};
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int j = 0; j < TREE_VECTORS; j++)
      for (int k = 0; k < 3; k++)
        sum.e[j][k] += link->jet[0].e[i][j] * f->e[i][k];
  *f = sum;
}

static double product(const tree_axes *a, const tree_vectors *b)
{
  double sum = 0;
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int k = 0; k < 3; k++)
      sum += a->e[i][k] * b->e[i][k];
  return sum;
}

/* Fills the column of coordinate `free` of joint i: entries at joints from i to the root, and at the
 * vectors of a root that keeps its vectors. */
static void fill_column(const tree *c, const tree_axes *b, int i, int free, double *M)
{
  const int n = c->mech.n, z = c->link[i].z[free];
  tree_vectors f;
  multiply(&c->link[i].C, &b[i * TREE_FREE + free], &f);
  for (int k = i; k >= 0; k = c->link[k].parent) {
    const tree_link *link = &c->link[k];
    for (int s = 0; s < link->k; s++)
      M[link->z[s] * n + z] = M[z * n + link->z[s]] = product(&b[k * TREE_FREE + s], &f);
    hand_in(link, &f);
    if (link->parent >= 0 || link->from[0] < 0)
      continue;
    for (int r = 0; r < TREE_VECTORS; r++)
      for (int axis = 0; axis < 3; axis++) {
        const int at = c->position[link->from[r] + axis];
        M[at * n + z] = M[z * n + at] = f.e[r][axis];
      }
  }
}

/* Fills the entries of coordinates that are components of vectors: their masses, and the composite masses
 * of bodies that these vectors carry. */
static void fill_own(const tree *c, double *M)
{
  const gradyn_pattern *dyn = &c->natural->dyn;
  const int n = c->mech.n;
  for (int i = 0; i < c->looked.shared; i++)
    for (int e = dyn->start[c->source[i]]; e < dyn->start[c->source[i] + 1]; e++)
      if (c->position[dyn->col[e]] >= 0)
        M[i * n + c->position[dyn->col[e]]] = c->mbs->mass.M[e];
  for (int i = 0; i < c->links; i++) {
    const tree_link *link = &c->link[i];
    if (link->parent >= 0 || link->from[0] < 0)
      continue;
    for (int r = 0; r < TREE_VECTORS; r++)
      for (int s = 0; s < TREE_VECTORS; s++) {
        double sum = 0;
        for (int k = 0; k < TREE_VECTORS; k++)
          for (int l = 0; l < TREE_VECTORS; l++)
            sum += link->jet[0].e[k][r] * link->C.e[k][l] * link->jet[0].e[l][s];
        for (int axis = 0; axis < 3; axis++)
          M[c->position[link->from[r] + axis] * n + c->position[link->from[s] + axis]] += sum;
      }
  }
}

void tree_fill_mass(tree *c, double *M)
{
  memset(M, 0, (size_t)(c->mech.n * c->mech.n) * sizeof *M);
  compose(c);
  fill_own(c, M);
  for (int i = 0; i < c->links; i++)
    for (int k = 0; k < c->link[i].k; k++)
      fill_column(c, c->motion, i, k, M);
}
