/* Joint coordinates in the plane. A body or rod has a point P, its pivot, and an angle. Its vectors X_v and
 * its pivot are
 *     X_v = tau_v P + kappa_v U,   U = exp(i angle),   P = P_p + (rho + z xi) U_p,
 * in complex numbers, where z is a slide. The angle is the parent's plus an offset plus a rotation; angles
 * of rods, and of bodies without a joint, are relative to the ground. All passes use scalars; see
 * docs/theory/coordinates.md. */
#ifndef GRADYN_MBS_PASSES_PLANE_H
#define GRADYN_MBS_PASSES_PLANE_H

#include "mbs/passes/passes.h"
#include "mbs/passes/plane_numbers.h"

enum { PLANE_VECTORS = 3 };

/* Changes of a link by a datum: of rho, of xi, of kappa of its first vector, of the offset of its angle. */
typedef struct plane_datum {
  int at; /* in x */
  bool active;
  plane_vector arm, slide, reach;
  double turn;
} plane_datum;

/* Pivot P, its position `arm` relative to the parent's pivot, and direction U, with two time derivatives.
 * Rates of the angle, from the first onwards. R: kappa U of the link's vectors. */
typedef struct plane_place {
  plane_vector P[3], arm[3], U[3];
  double angle[3];
  plane_vector R[PLANE_VECTORS][3];
} plane_place;

typedef struct plane_link {
  int parent; /* -1: none */
  int pivot;  /* point about which it rotates */
  int base;   /* offset of the pivot in X; -1: fixed to the parent, or the ground, by rho + z xi */
  bool hosts; /* pivots of other links are fixed to it */
  /* a rod at a point of X, or of the ground, that hosts no other pivot: passes have fewer terms */
  bool plain;
  int z;         /* its coordinate; -1: none */
  double turns;  /* factor of the coordinate in the angle: 1, -1, or 0 for slides */
  bool inherits; /* its angle is relative to its parent's */
  int vectors, own[PLANE_VECTORS];
  bool moved[PLANE_VECTORS];         /* tau */
  plane_vector reach[PLANE_VECTORS]; /* kappa */
  plane_vector arm, slide;           /* rho, xi */
  double offset;
  int data;
  plane_datum *datum;                                /* [data] */
  bool active;                                       /* any datum is active */
  int mass_at[PLANE_VECTORS][PLANE_VECTORS];         /* in M, along one axis */
  double mass[PLANE_VECTORS][PLANE_VECTORS], shared; /* rods: mass shared with their pivot */
  /* at the present state */
  plane_place at;
  plane_vector f; /* force on it and its descendants, and moment about its pivot */
  double m;
} plane_link;

/* Changes of pivot and angle, or their adjoints, by orders. */
typedef struct plane_change {
  gradyn_lanes angle[3];
  plane_lanes P[3];
} plane_change;

/* Changes of pivot and angle, or their adjoints, of first order only. */
typedef struct plane_three {
  gradyn_lanes w;
  plane_lanes v;
} plane_three;

typedef struct plane {
  plane_link *link;
  plane_change *change, *bar; /* [links] */
  struct plane_share *share;  /* [links] inertias during factorisation */
  plane_three *pulled;        /* [links] loads of links that hang on a link; zero between solves */
  plane_three *solved;        /* [links] */
  gradyn_lanes *angle, *cosine, *sine; /* of links, in groups of four */
  double *turned;                      /* [n] coordinates for which these are valid */
  bool stands;                         /* valid with the present data */
  struct plane_rods *rods;
} plane;

/* The ground's axes, which are constant. */
extern const plane_place plane_ground;

/* State of the parent of a link with a pivot that is no point of X. */
static inline const plane_place *plane_parent(const tree *c, const plane_link *link)
{
  return link->parent >= 0 ? &c->plane->link[link->parent].at : &plane_ground;
}

/* U of a link, after plane_take_angles(). */
static inline plane_vector plane_turned(const plane *p, int i)
{
  return (plane_vector){((const double *)p->cosine)[i], ((const double *)p->sine)[i]};
}

/* Whether the coordinate of a link is a displacement. */
static inline bool plane_slides(const plane_link *link)
{
  return link->z >= 0 && link->turns == 0;
}

/* --- functions of tree.h and passes.h, in the plane ------------------------------------------- */

/* plane_find(), called once, makes the links from the declared turns; errors: GRADYN_NO_MEMORY, without a
 * message. plane_push(), plane_follow(), plane_pull(), plane_pull_change() and plane_against() are the links'
 * part of the functions tree_.. of passes.h. plane_pull() adds to r [n]. */
gradyn_status plane_find(tree *c);
void plane_load(tree *c); /* constants of the links, from the present data */
void plane_activate(tree *c, const bool *active); /* [nx], data with derivatives; NULL: all */
void plane_take_angles(tree *c, const double *q); /* U of all links, at coordinates q [n] */
void plane_move(tree *c, int first, int orders);  /* orders `first` to orders - 1 of X */
/* push: dX = W dz. follow: changes of X, X', X''. Transposed: pull: loads to coordinates; pull_change:
 * changes of these; against: adjoints. */
void plane_push(tree *c, const gradyn_lanes *dz);
void plane_follow(tree *c, const tree_change *d);
void plane_pull(tree *c, double *r);
void plane_pull_change(tree *c, const tree_change *d, gradyn_lanes *r);
void plane_against(tree *c, const tree_adjoints *b);
/* Loads of link i, from 0, from leaves to root; the caller clears f and m of all links first.
 * plane_load_link() adds the loads c->F on the link's vectors to its force f and moment m. plane_pass_loads()
 * then adds f to the parent or, if the pivot belongs to X, to c->F, and adds the moment to the parent. */
void plane_load_link(tree *c, int i);
void plane_pass_loads(tree *c, int i);
/* plane_has_own_inertias(): whether each inertia belongs to one link and, at most, its pivot, or to one
 * coordinate of no link. plane_has_own_masses(): whether, in addition, these pivots are points of X. If so,
 * for links' vectors: plane_add_inertia(): F += M X''; plane_multiply_mass(): y += share M x. */
bool plane_has_own_inertias(const tree *c);
bool plane_has_own_masses(const tree *c);
void plane_add_inertia(const tree *c, double *F);
void plane_multiply_mass(const tree *c, double share, const gradyn_lanes *x, gradyn_lanes *y);
/* As tree_count_factors() and tree_factor_links(). */
int plane_count_factors(tree *c);
gradyn_status plane_factor(tree *c, double *f, int *weak);
/* Halves of solves, as tree_enter_links() and tree_leave_links(). */
void plane_enter(const tree *c, const double *f, gradyn_lanes *x);
void plane_leave(const tree *c, const double *f, gradyn_lanes *x);

#endif
