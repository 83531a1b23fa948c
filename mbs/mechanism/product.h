/* Products with derivatives by data, time and state: what its parts share.
 *
 * Every kind of element says once, in small blocks D [columns][rows], what its inputs z and the places of its
 * points do to the rows of the equations. One text takes the product along, r += D^T z, and against,
 * z += D r: the way is a constant of the inlined call. Elements never see data x; feed and collect, the same
 * sparse map dz/dx both ways, stand between them (meet_inputs() in product.c). Places change with the state,
 * which are those of free points, and with data that move ground and attached points: elements do not see
 * the difference either. */
#ifndef GRADYN_MBS_PRODUCT_H
#define GRADYN_MBS_PRODUCT_H

#include "mbs/mechanism/assembly.h"
#include "mbs/elements/way.h"

/* A product in hand. Rows of a term at points reach up to its limit: those of moving points, or of all where
 * attached ones take part, which hand theirs on to their carriers. */
typedef struct mbs_product {
  gradyn_mbs *m;
  int terms;
  const gradyn_mech_term *term;
  const gradyn_mech_state *state; /* of the node, and the same in full */
  const mbs_point_state *node;
  int columns;
  int parts, order; /* of all terms together; the highest order */
  bool moved; /* the state changes: every element is visited, with data alone those that see any */
  bool carried; /* places of ground or attached points change as well */
  bool
      loaded; /* data change weights of attached points, by which their loads act, or their carriers */
  /* Places of a kind change from an offset on (with the state those of free points, with data those behind
   * them) up to another; against, they hold minus their adjoints. */
  int first[MBS_PLACES], end[MBS_PLACES];
  gradyn_lanes *place[MBS_PLACES];
  bool fed;                             /* data change, or have bars: */
  gradyn_lanes *lanes;                  /* [nx] dx or x_bar, side by side, or [2][nx]; if NULL, */
  double *x, *t;                        /* [columns][nx] these; [columns] dt or t_bar, or NULL */
  const gradyn_lanes *mass;             /* along: pair coefficients by these data, or NULL */
  int limit[GRADYN_MECH_TERMS];         /* of each term: */
  gradyn_lanes *r[GRADYN_MECH_TERMS];   /* [limit] entries of one or two lanes, see mbs_way */
  gradyn_lanes *phi[GRADYN_MECH_TERMS]; /* [rows] */
  const double *a[GRADYN_MECH_TERMS];   /* [limit] accelerations */
} mbs_product;

static inline bool mbs_moves(const mbs_product *p, int which, int offset)
{
  return offset >= p->first[which] && offset < p->end[which];
}

/* Along: the directions' entries of a datum; false if all are zero. */
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

/* Against: x_bar -= z. */
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

/* Constraints that are visited: with the state all that are no rods, with data alone those of the list, in
 * the order in which they hold. */
static inline int mbs_constraint_count(const mbs_product *p)
{
  /* kinds of rows stand one after the other */
  const gradyn_mbs *m = p->m;
  const mbs_when last = p->parts & GRADYN_CONTACT ? MBS_AT_IMPACTS
                        : p->parts & GRADYN_HELD  ? MBS_AT_START
                                                  : MBS_IN_MOTION;
  return p->moved ? m->lists.others_end[last] : m->varying.constraints_end[last];
}

/* Forces that are visited, likewise. */
static inline int mbs_force_count(const mbs_product *p)
{
  return p->moved ? p->m->lists.forces.count : p->m->varying.forces;
}

/* The parts of a product, in files of their own: constant distances; inertia and weight, and what attached
 * points' accelerations m->place[MBS_TERM_SECOND] do in term k; other constraints; the forces of term k. */
void mbs_meet_rods(mbs_way way, const mbs_product *p);
void mbs_meet_inertia(mbs_way way, const mbs_product *p);
void mbs_meet_inertia_places(mbs_way way, const mbs_product *p, int k);
gradyn_status mbs_meet_constraints(mbs_way way, const mbs_product *p);
gradyn_status mbs_meet_forces(mbs_way way, const mbs_product *p, int k,
                              const mbs_point_state *view);

/* For p->carried: places that are not free at the node, or velocities and accelerations in the state of a
 * term, whose loads are in m->full, in places.c: along from what moves them, against to that. Along, false:
 * data move none. */
bool mbs_places_along(const mbs_product *p, const gradyn_lanes *q, const gradyn_lanes *v);
void mbs_places_against(const mbs_product *p, gradyn_lanes *q_bar, gradyn_lanes *v_bar);
void mbs_meet_term_places(mbs_way way, const mbs_product *p, int k);
/* Before elements add to them: all; what attached points have of a term. */
void mbs_clear_places(const mbs_product *p);
/* In a full array, from an offset on. */
void mbs_clear_points(const gradyn_mbs *m, int offset, gradyn_lanes *full);
void mbs_clear_carried(const mbs_product *p);

/* Rows at attached points from those of their carriers, or added to them. */
void mbs_spread_rows(const mbs_product *p, int k);
void mbs_pull_rows(const mbs_product *p, int k);

#endif
