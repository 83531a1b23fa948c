/* Points of mechanisms. The coordinates are components of vectors: positions of points, base vectors of
 * bodies, slopes of beams. All of them are called points here; what a point is fixed to decides its
 * kind. */
#ifndef GRADYN_MBS_POINT_H
#define GRADYN_MBS_POINT_H

#include "core/linear/lanes.h"
#include "core/model/model.h"
#include "mbs/elements/when.h"
#include <gradyn/mbs.h>

enum {
  MBS_CARRIERS = 4,                     /* most points that one is attached to */
  MBS_LOCAL = 3 * GRADYN_CUSTOM_POINTS, /* most coordinates of one element */
  MBS_DATA = 16,                        /* most data of one custom element */
  MBS_INPUTS = 32,                      /* most numbers that an element depends on */
  MBS_READS = GRADYN_CUSTOM_READS,      /* most multipliers that one force reads */
  MBS_NAME = 80,                        /* longest name of what has points of its own */
  MBS_INERTIA_POINTS = 4,
  MBS_INERTIA_PAIRS = 10, /* pairs of those, a point with itself included */
  MBS_INERTIA_DATA = 7
};

/* What a force has made of places and velocities, while it is asked for other multipliers alone. */
typedef struct mbs_kept {
  bool known;
  double number[3];
} mbs_kept;

typedef enum mbs_point_kind {
  MBS_MOVING,  /* its coordinates are unknowns */
  MBS_GROUND,  /* its coordinates are data */
  MBS_ATTACHED /* a linear combination of others, with weights that depend on data */
} mbs_point_kind;

/* A term of an attached point: (constant + slope x[datum]) times the carrier, which is not attached
 * itself. */
typedef struct mbs_carrier {
  int point;
  double constant, slope;
  int datum;     /* -1: none */
  double weight; /* with the present data */
} mbs_carrier;

typedef struct mbs_point {
  char *name;
  mbs_point_kind kind;
  bool direction; /* a base vector or slope: without a unit, and gravity does not act on it */
  bool scalar; /* a joint coordinate: one component only, the first; see mbs/joints/coordinate.c */
  bool angle, idle; /* of those, in rad, otherwise in m; of a constraint, see mbs_modes */
  bool state;       /* a scalar whose rate is a first-order state; see mbs/state.h */
  char *unit[3];    /* of a state's integral, of the state, of its rate */
  double size;      /* of a state, in its unit: how large it usually is; see mbs_add_state() */
  int offset; /* of its x in the full arrays: scalars, moving points, ground points, attached ones */
  int x;      /* data: x and the next ones; -1 for attached points */
  int vx;     /* data of a moving point: vx and the next ones */
  int carriers;
  mbs_carrier carrier[MBS_CARRIERS];
} mbs_point;

/* An attached point, X = sum of w_i x_i: its offset in the full arrays and those of its carriers. */
typedef struct mbs_share {
  int at, carriers, from[MBS_CARRIERS];
  double weight[MBS_CARRIERS]; /* with the present data */
  const mbs_carrier *carrier;  /* [carriers] of which these are copies, beside each other */
} mbs_share;

/* Where elements are evaluated: coordinates of all points, multipliers of all constraints. */
typedef struct mbs_point_state {
  double t;
  const double *pos, *vel, *acc; /* [full]; those not needed may be stale */
  const double *lam;             /* [m]; NULL where no force reads them */
} mbs_point_state;

#endif
