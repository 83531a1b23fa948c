/* Joint coordinates in the plane. A body or rod is a point P, its pivot, and an angle; X of its vectors is
 *     X_v = tau_v P + kappa_v U,   U = exp(i angle),   of its pivot   P = P_p + (rho + z xi) U_p,
 * in complex numbers, of which z is a slide, the angle of its parent's plus an offset, plus a turn; rods, and
 * bodies that hang on no joint, count their angle from the ground. All passes are scalar; see
 * docs/theory/coordinates.md. */
#ifndef GRADYN_MBS_PASSES_PLANE_H
#define GRADYN_MBS_PASSES_PLANE_H

#include "mbs/passes/passes.h"
#include "mbs/passes/plane_numbers.h"

enum { PLANE_VECTORS = 3 };

/* What a datum changes of a link: rho, xi, the kappa of its first vector, the offset of its angle. */
typedef struct plane_datum {
  int at; /* in x */
  bool active;
  plane_vector arm, slide, reach;
  double turn;
} plane_datum;

/* Pivot, its arm from that of the parent, and direction, with two time derivatives; rates of the angle, from
 * the first on; and kappa U of the link's vectors. */
typedef struct plane_place {
  plane_vector P[3], arm[3], U[3];
  double angle[3];
  plane_vector R[PLANE_VECTORS][3];
} plane_place;

typedef struct plane_link {
  int parent; /* -1: none */
  int pivot;  /* the point that it turns about */
  int base; /* where that stands in X; -1: it is fixed to the parent, or the ground, by rho + z xi */
  bool hosts; /* others are fixed to it so */
  bool
      plain; /* a rod at a point of X, or of the ground, that hosts none: passes have fewer terms */
  int z;     /* its coordinate; -1: none */
  double turns;  /* how the angle counts it: 1, -1, or 0: it slides */
  bool inherits; /* its angle is counted from its parent's */
  int vectors, own[PLANE_VECTORS];
  bool moved[PLANE_VECTORS];         /* tau */
  plane_vector reach[PLANE_VECTORS]; /* kappa */
  plane_vector arm, slide;           /* rho, xi */
  double offset;
  int data;
  plane_datum *datum;                                /* [data] */
  bool active;                                       /* any of them */
  int mass_at[PLANE_VECTORS][PLANE_VECTORS];         /* in M, along one axis */
  double mass[PLANE_VECTORS][PLANE_VECTORS], shared; /* of rods: with their pivot */
  /* at the place looked at last */
  plane_place at;
  plane_vector f; /* loads of all that hangs on it, and about its pivot */
  double m;
} plane_link;

/* Changes of pivot and angle, or bars of them, by orders. */
typedef struct plane_change {
  gradyn_lanes angle[3];
  plane_lanes P[3];
} plane_change;

/* The same of first order alone. */
typedef struct plane_three {
  gradyn_lanes w;
  plane_lanes v;
} plane_three;

typedef struct plane {
  plane_link *link;
  plane_change *change, *bar; /* [links] */
  struct plane_share *share;  /* [links] of factors in the making */
  plane_three *pulled;        /* [links] what hangs on links has left there; zero between solves */
  plane_three *solved;        /* [links] */
  gradyn_lanes *angle, *cosine, *sine; /* of links, four by four */
  double *turned;                      /* [n] the coordinates for which these stand */
  bool stands;                         /* with the present data */
  struct plane_rods *rods;
} plane;

/* The ground's axes, which neither move nor change. */
extern const plane_place plane_ground;

/* What a link is fixed to if its pivot is no point of X. */
static inline const plane_place *plane_parent(const tree *c, const plane_link *link)
{
  return link->parent >= 0 ? &c->plane->link[link->parent].at : &plane_ground;
}

/* U of a link, behind plane_take_angles(). */
static inline plane_vector plane_turned(const plane *p, int i)
{
  return (plane_vector){((const double *)p->cosine)[i], ((const double *)p->sine)[i]};
}

static inline bool plane_slides(const plane_link *link)
{
  return link->z >= 0 && link->turns == 0;
}

/* --- what tree.h and passes.h offer, in the plane --------------------------------------------------- */

gradyn_status plane_find(tree *c);
void plane_load(tree *c); /* with the present data */
void plane_activate(tree *c, const bool *active);
void plane_take_angles(tree *c, const double *q); /* at these coordinates */
void plane_move(tree *c, int first, int orders);  /* what depends on orders first .. of so many */
void plane_push(tree *c, const gradyn_lanes *dz);
void plane_follow(tree *c, const tree_change *d);
void plane_pull(tree *c, double *r);
void plane_pull_change(tree *c, const tree_change *d, gradyn_lanes *r);
void plane_against(tree *c, const tree_adjoints *b);
/* Of one link, f and m of its own vectors, added; to what carries it. */
void plane_load_link(tree *c, int i);
void plane_hand_in(tree *c, int i);
/* Whether inertias belong to one link and, at most, to its pivot, or to one coordinate of none; and whether
 * those pivots are points of X. Then F += M X'' and y += share M x of links' vectors. */
bool plane_has_own_inertias(const tree *c);
bool plane_has_own_masses(const tree *c);
void plane_add_inertia(const tree *c, double *F);
void plane_multiply_mass(const tree *c, double share, const gradyn_lanes *x, gradyn_lanes *y);
int plane_count_factors(tree *c);
gradyn_status plane_factor(tree *c, double *f, int *weak);
/* Halves of solves, as those of tree_enter_links(). */
void plane_enter(const tree *c, const double *f, gradyn_lanes *x);
void plane_leave(const tree *c, const double *f, gradyn_lanes *x);

#endif
