/* Data of a tree in the plane, and of its links, at the present state; see plane.h for the notation. */
#ifndef GRADYN_MBS_PASSES_PLANE_LINK_H
#define GRADYN_MBS_PASSES_PLANE_LINK_H

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

#endif
