/* Masses of a tree in the plane: the links to which they belong, and products with them. */
#include "mbs/passes/plane.h"

/* The last link that has a vector of an inertia; -1: none. */
static int last_link(const tree *c, const mbs_inertia *e)
{
  int last = -1;
  mbs_term term;
  for (int r = 0; r < e->ops->points; r++)
    for (int k = 0; mbs_point_term(c->mbs, e->point[r], k, &term); k++) {
      const int link = tree_link_at(c, term.at);
      last = link > last ? link : last;
    }
  return last;
}

/* Whether an inertia belongs to one link and, for a rod, at most also to its pivot; or to a single
 * coordinate outside all links. Masses that free bodies share with their centre differ between vectors and
 * are refused. */
static bool is_own(const tree *c, const mbs_inertia *e)
{
  const int last = last_link(c, e);
  mbs_term term;
  if (last < 0)
    return e->ops->points == 1 && !mbs_point_term(c->mbs, e->point[0], 1, &term);
  const plane_link *link = &c->plane->link[last];
  const int pivot = link->pivot;
  for (int r = 0; r < e->ops->points; r++)
    for (int k = 0; e->point[r] != pivot && mbs_point_term(c->mbs, e->point[r], k, &term); k++)
      if (term.at < c->natural->n && tree_link_at(c, term.at) != last &&
          (link->vectors > 1 || term.at != c->mbs->point[pivot].offset))
        return false;
  return true;
}

bool plane_has_own_inertias(const tree *c)
{
  for (int i = 0; i < c->mbs->lists.inertias; i++)
    if (!is_own(c, &c->mbs->lists.inertia[i]))
      return false;
  return true;
}

bool plane_has_own_masses(const tree *c)
{
  for (int i = 0; i < c->links; i++) {
    const plane_link *link = &c->plane->link[i];
    if (link->vectors == 1 && link->base < 0 && link->parent >= 0)
      return false; /* a mass shared with an attached point loads all its carriers */
  }
  return plane_has_own_inertias(c);
}

/* Whether the mass that a link shares with its pivot must be added to the pivot. Rows of free pivots
 * include it already. */
static bool loads_base(const plane_link *link)
{
  return link->base >= 0 && link->parent >= 0;
}

/* F += M A for a link; `plain` is a constant of inlined calls. */
GRADYN_KERNEL void add_link(const bool plain, const plane_link *link, const double *A, double *F)
{
  const int vectors = plain ? 1 : link->vectors;
  for (int v = 0; v < vectors; v++)
    for (int axis = 0; axis < 2; axis++) {
      double sum = link->base >= 0 ? link->shared * A[link->base + axis] : 0;
      for (int w = 0; w < vectors; w++)
        sum += link->mass[v][w] * A[link->own[w] + axis];
      F[link->own[v] + axis] += sum;
      if (loads_base(link))
        F[link->base + axis] += link->shared * A[link->own[v] + axis];
    }
}

void plane_add_inertia(const tree *c, double *F)
{
  for (int i = 0; i < c->links; i++)
    if (c->plane->link[i].plain)
      add_link(true, &c->plane->link[i], c->X[2], F);
    else
      add_link(false, &c->plane->link[i], c->X[2], F);
}

GRADYN_KERNEL void multiply_link(const bool plain, const plane_link *link, double share,
                                 const gradyn_lanes *x, gradyn_lanes *y)
{
  const int vectors = plain ? 1 : link->vectors;
  for (int v = 0; v < vectors; v++)
    for (int axis = 0; axis < 2; axis++) {
      gradyn_lanes sum = y[link->own[v] + axis];
      if (link->base >= 0)
        sum += share * link->shared * x[link->base + axis];
      for (int w = 0; w < vectors; w++)
        sum += share * link->mass[v][w] * x[link->own[w] + axis];
      y[link->own[v] + axis] = sum;
      if (loads_base(link))
        y[link->base + axis] += share * link->shared * x[link->own[v] + axis];
    }
}

static GRADYN_WIDE void multiply_plane(const tree *c, double share, const gradyn_lanes *x,
                                       gradyn_lanes *y)
{
  for (int i = 0; i < c->links; i++)
    if (c->plane->link[i].plain)
      multiply_link(true, &c->plane->link[i], share, x, y);
    else
      multiply_link(false, &c->plane->link[i], share, x, y);
}

void plane_multiply_mass(const tree *c, double share, const gradyn_lanes *x, gradyn_lanes *y)
{
  multiply_plane(c, share, x, y);
}
