/* W^T M W from composite bodies. The mass matrix of a body is a number for each pair of its vectors, alike
 * along all axes, and L takes vectors alike along all axes: what hangs on a body is 4 x 4 numbers at its
 * vectors. A column is the load of one joint's motion, handed in from body to parent. */
#include "mbs/tree/passes.h"

#include <string.h>

bool tree_find_masses(tree *c)
{
  const gradyn_pattern *dyn = &c->natural->dyn;
  for (int row = 0; row < dyn->rows; row++)
    for (int e = dyn->start[row]; e < dyn->start[row + 1]; e++)
      if (c->mbs->mass.inertial[e] && dyn->col[e] != row &&
          tree_link_at(c, row) != tree_link_at(c, dyn->col[e]))
        return false; /* an inertia that two bodies share */
  for (int i = 0; i < c->links; i++)
    for (int r = 0; r < TREE_VECTORS; r++)
      for (int s = 0; s < TREE_VECTORS; s++)
        c->link[i].mass[r][s] = gradyn_pattern_find(dyn, c->link[i].own[r], c->link[i].own[s]);
  return true;
}

/* C of each body with all that hangs on it. */
static void compose(tree *c)
{
  for (int i = 0; i < c->links; i++)
    for (int r = 0; r < TREE_VECTORS; r++)
      for (int s = 0; s < TREE_VECTORS; s++) {
        const int at = c->link[i].mass[r][s];
        c->link[i].C.e[r][s] = at >= 0 ? c->mbs->mass.M[at] : 0;
      }
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

/* f = L^T f, from a body to its parent. */
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

/* The column of coordinate `free` of a joint: at joints from there to the root, and at the vectors of a root
 * that has its own. */
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
        const int at = c->place[link->from[r] + axis];
        M[at * n + z] = M[z * n + at] = f.e[r][axis];
      }
  }
}

/* Coordinates that are vectors' own: their masses, and what hangs on them. */
static void fill_own(const tree *c, double *M)
{
  const gradyn_pattern *dyn = &c->natural->dyn;
  const int n = c->mech.n;
  for (int i = 0; i < n; i++)
    for (int e = dyn->start[c->source[i]]; e < dyn->start[c->source[i] + 1]; e++)
      if (c->place[dyn->col[e]] >= 0)
        M[i * n + c->place[dyn->col[e]]] = c->mbs->mass.M[e];
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
          M[c->place[link->from[r] + axis] * n + c->place[link->from[s] + axis]] += sum;
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
