/* Products with derivatives by data, time and state: declarations shared by their parts.
 *
 * Each kind of element computes small blocks D [columns][rows]: derivatives of the rows of the equations
 * by its inputs z and by positions of its points. One text computes tangent products r += D^T z and
 * transposed products z += D r; the direction is a constant of the inlined call. Elements do not depend
 * on data x directly: the sparse map dz/dx transforms between x and z (elements_product.c). Positions
 * change with the state (moving points) and with data (ground and attached points). Elements need not
 * distinguish the two. */
#ifndef GRADYN_MBS_PRODUCT_H
#define GRADYN_MBS_PRODUCT_H

#include "mbs/mechanism/assembly.h"
#include "mbs/elements/way.h"

/* A product. Rows of a term at points end at its limit: moving points, or all points if attached points
 * take part. Rows of attached points are then distributed to their carriers. */
typedef struct mbs_product {
  gradyn_mbs *m;
  int terms;
  const gradyn_mech_term *term;
  const gradyn_mech_state *state; /* state at the node; `node` is the same state in full arrays */
  const mbs_point_state *node;
  int columns;
  int parts, order; /* parts of all terms together; highest order of a term */
  /* the state changes: all elements are visited, otherwise only those that depend on active data */
  bool moved;
  bool carried; /* positions of ground or attached points change */
  /* data change weights or carriers of attached points, and thereby the distribution of their loads */
  bool loaded;
  /* Range of positions of a kind that change: first is 0 with the state, n (after moving points) without. In
   * transposed products, `position` holds minus the adjoints. */
  int first[MBS_PLACES], end[MBS_PLACES];
  gradyn_lanes *position[MBS_PLACES];
  bool fed;                     /* data change, or have adjoints */
  gradyn_lanes *lanes;          /* [nx] or [2][nx] dx or x_bar, in lanes; NULL: x is used */
  double *x, *t;                /* [columns][nx] dx or x_bar; [columns] dt or t_bar, or NULL */
  const gradyn_lanes *mass;     /* tangent: pair coefficients by these data, or NULL */
  int limit[GRADYN_MECH_TERMS]; /* end of rows of each term */
  gradyn_lanes *r[GRADYN_MECH_TERMS];   /* [limit] entries of one or two lanes, see mbs_way */
  gradyn_lanes *phi[GRADYN_MECH_TERMS]; /* [rows] */
  const double *a[GRADYN_MECH_TERMS];   /* [limit] accelerations */
} mbs_product;

/* Returns whether the entry at `offset` of position[which] changes. */
static inline bool mbs_moves(const mbs_product *p, int which, int offset)
{
  return offset >= p->first[which] && offset < p->end[which];
}

/* Tangent product: sets z to the changes of a datum, its index in x, in all columns, mbs_lanes(way) lanes.
 * Returns false if all are zero. */
GRADYN_KERNEL bool mbs_take(const mbs_way way, const mbs_product *p, int datum, gradyn_lanes *z)
{
  const int lanes = mbs_lanes(way), nx = p->m->mech.nx;
  if (p->lanes) {
    for (int h = 0; h < lanes; h++)
      z[h] = p->lanes[h * nx + datum];
    return gradyn_lanes_any(lanes, z);
  }
  mbs_clear(way, 1, z);
  for (int v = 0; v < p->columns; v++)
    z[v / GRADYN_LANES][v % GRADYN_LANES] = p->x[v * nx + datum];
  return gradyn_lanes_any(lanes, z);
}

/* Transposed product: subtracts z, one lane, from the adjoints of a datum, its index in x. */
GRADYN_KERNEL void mbs_give(const mbs_product *p, int datum, const gradyn_lanes *z)
{
  if (p->lanes) {
    p->lanes[datum] -= *z;
    return;
  }
  const int nx = p->m->mech.nx;
  double *x = p->x + datum;
  x[0] -= (*z)[0];
  if (p->columns > 1)
    x[nx] -= (*z)[1];
  if (p->columns > 2)
    x[2 * nx] -= (*z)[2];
  if (p->columns > 3)
    x[3 * nx] -= (*z)[3];
}

/* Returns the number of constraints to visit, without rods, first in m->lists.other if the state changes,
 * otherwise in m->varying.constraint. Both lists are in the order of mbs_when. */
static inline int mbs_constraint_count(const mbs_product *p)
{
  /* kinds of constraints are consecutive */
  const gradyn_mbs *m = p->m;
  const mbs_when last = p->parts & GRADYN_CONTACT ? MBS_AT_IMPACTS
                        : p->parts & GRADYN_HELD  ? MBS_AT_START
                                                  : MBS_IN_MOTION;
  return p->moved ? m->lists.others_end[last] : m->varying.constraints_end[last];
}

/* Returns the number of forces to visit: all of m->lists if the state changes, otherwise those in
 * m->varying.force. */
static inline int mbs_force_count(const mbs_product *p)
{
  return p->moved ? p->m->lists.forces.count : p->m->varying.forces;
}

/* Adds the contribution of all rods, by their table, to a product: tangent, to p->r and p->phi; transposed,
 * to the adjoints. */
void mbs_meet_rods(mbs_way way, const mbs_product *p);

/* Adds the contribution of inertia and weight to a product: tangent, to p->r and p->phi; transposed, to the
 * adjoints. */
void mbs_meet_inertia(mbs_way way, const mbs_product *p);

/* Adds the contribution of the inertia forces of term k, from 0, by accelerations of attached points, to a
 * product: tangent, to p->r and p->phi; transposed, to the adjoints. */
void mbs_meet_inertia_places(mbs_way way, const mbs_product *p, int k);

/* Adds the contribution of all constraints except rods to a product: tangent, to p->r and p->phi;
 * transposed, to the adjoints. Errors: failures of callbacks. */
gradyn_status mbs_meet_constraints(mbs_way way, const mbs_product *p);

/* Adds the contribution of the forces of term k, from 0, at the state view, to a product: tangent, to p->r
 * and p->phi; transposed, to the adjoints. Errors: failures of callbacks. */
gradyn_status mbs_meet_forces(mbs_way way, const mbs_product *p, int k,
                              const mbs_point_state *view);

/* For p->carried: sets the changes of positions and rates of ground and attached points at the node, from
 * those of data and q, v [n] (NULL: none). Returns false if the data move no point. */
bool mbs_places_along(const mbs_product *p, const gradyn_lanes *q, const gradyn_lanes *v);

/* Transpose of mbs_places_along(): adds the adjoints of positions and rates in p->position to the adjoints
 * of data, and to q_bar and v_bar [n], each NULL: not requested. */
void mbs_places_against(const mbs_product *p, gradyn_lanes *q_bar, gradyn_lanes *v_bar);

/* Does the work of mbs_places_along(), or of its transpose, for velocities and accelerations in the state
 * of term k, from 0. Also for the loads of term k on attached points, which are in m->full. */
void mbs_meet_term_places(mbs_way way, const mbs_product *p, int k);

/* Sets the entries of p->position to zero before elements add adjoints to them, except rates of ground and
 * attached points in a term. */
void mbs_clear_places(const mbs_product *p);
/* Sets to zero in `full` [full] the entries from an offset to the last ground point, and all attached
 * points. */
void mbs_clear_points(const gradyn_mbs *m, int offset, gradyn_lanes *full);
/* Sets the rates of ground and attached points in a term, in p->position, to zero. */
void mbs_clear_carried(const mbs_product *p);
/* Computes the rows of attached points in p->r[k] of term k, from 0, from the rows of their carriers. */
void mbs_spread_rows(const mbs_product *p, int k);
/* Adds the rows of attached points in p->r[k] of term k, from 0, to the rows of their carriers. */
void mbs_pull_rows(const mbs_product *p, int k);

#endif
