/* Products with derivatives by data and time: what its parts share.
 *
 * Every kind of element says once, in small blocks D [columns][rows], what its inputs z and the places of its
 * points do to the rows of the equations. One text takes the product along, r += D^T z, and against,
 * z += D r: the way is a constant of the inlined call. Elements never see data x; feed and collect, the same
 * sparse map dz/dx both ways, stand between them (meet_inputs() in product.c). */
#ifndef GRADYN_MBS_PRODUCT_H
#define GRADYN_MBS_PRODUCT_H

#include "core/lanes.h"
#include "mbs/assembly.h"

typedef enum mbs_way { MBS_ALONG, MBS_AGAINST } mbs_way;

/* A product in hand. Rows at points reach up to `limit`: those of moving points, or of all where some are
 * attached, which hand theirs on to their carriers. */
typedef struct mbs_product {
  gradyn_mbs *m;
  int terms;
  const gradyn_mech_term *term;
  const gradyn_mech_state *state; /* of the node, and the same in full */
  const mbs_view *node;
  int columns, limit;
  double *x, *t; /* [columns][nx] dx or x_bar; [columns] dt or t_bar, or NULL */
  gradyn_lanes *r[GRADYN_MECH_TERMS];   /* [limit] */
  gradyn_lanes *phi[GRADYN_MECH_TERMS]; /* [m + held] */
  const double *a[GRADYN_MECH_TERMS];   /* [limit] accelerations */
} mbs_product;

/* One entry of a block. */
GRADYN_KERNEL void mbs_flow(const mbs_way way, double D, gradyn_lanes *r, gradyn_lanes *z)
{
  if (way == MBS_ALONG)
    *r += D * *z;
  else
    *z += D * *r;
}

/* Along: the directions' entries of a datum; false if all are zero. */
GRADYN_KERNEL bool mbs_take(const mbs_product *p, int datum, gradyn_lanes *z)
{
  const double *x = p->x + datum;
  bool change = false;
  *z = (gradyn_lanes){0};
  for (int v = 0; v < p->columns; v++, x += p->m->mech.nx) {
    (*z)[v] = *x;
    change = change || *x != 0;
  }
  return change;
}

/* Against: x_bar -= z. */
GRADYN_KERNEL void mbs_give(const mbs_product *p, int datum, const gradyn_lanes *z)
{
  double *x = p->x + datum;
  for (int v = 0; v < p->columns; v++, x += p->m->mech.nx)
    *x -= (*z)[v];
}

/* Whether the constraint in a row takes part in the forces of a term, and in its equations. */
static inline bool mbs_pulls(const mbs_product *p, int k, int row)
{
  return p->term[k].parts & (row < p->m->mech.m ? GRADYN_CONSTRAINT : GRADYN_HELD);
}

static inline bool mbs_holds(const mbs_product *p, int k, int row)
{
  return p->term[k].order >= 0 && (row < p->m->mech.m || p->term[k].parts & GRADYN_HELD);
}

/* Whether some term has the parts, or an equation of at least an order. */
bool mbs_has_parts(const mbs_product *p, int parts);
bool mbs_has_order(const mbs_product *p, int order);

/* The parts of a product, each one way or the other. */

/* Inertia and weight, in inertia_product.c. */
void mbs_inertia_along(const mbs_product *p);
void mbs_inertia_against(const mbs_product *p);
/* Attached points' accelerations, m->place[MBS_TERM_SECOND], in term k. */
void mbs_inertia_places_along(const mbs_product *p, int k);
void mbs_inertia_places_against(const mbs_product *p, int k);

/* Places of ground and attached points at the node, or the velocities and accelerations of attached ones in
 * the state of a term, whose loads are in m->full, in places.c. */
void mbs_places_along(const mbs_product *p);
void mbs_places_against(const mbs_product *p);
void mbs_term_places_along(const mbs_product *p, int k);
void mbs_term_places_against(const mbs_product *p, int k);
void mbs_clear_places(const mbs_product *p, int first, int end);

/* Rows at attached points from those of their carriers, or added to them. */
void mbs_spread_rows(const mbs_product *p, int k);
void mbs_pull_rows(const mbs_product *p, int k);

#endif
