/* Points of mechanisms. The word stands for positions, base vectors of bodies, slopes of beams, and
 * scalars. A point is an unknown, given by data, or attached to other points. */
#ifndef GRADYN_MBS_POINT_H
#define GRADYN_MBS_POINT_H

#include "core/linear/lanes.h"
#include "core/model/model.h"
#include "mbs/elements/when.h"
#include <gradyn/forces.h>
#include <gradyn/mechanism.h>

enum {
  MBS_CARRIERS = 4,                     /* largest number of carriers of a point */
  MBS_LOCAL = 3 * GRADYN_CUSTOM_POINTS, /* largest number of coordinates of an element */
  MBS_DATA = 16,                        /* largest number of data of a custom element */
  MBS_INPUTS = 32,                      /* largest number of inputs of an element */
  MBS_READS = GRADYN_CUSTOM_READS,      /* largest number of multipliers of a force */
  MBS_NAME = 80, /* largest number of bytes in the name of an item that declares points */
  MBS_INERTIA_POINTS = 4,
  MBS_INERTIA_PAIRS = 10, /* pairs of these points, each with itself included */
  MBS_INERTIA_DATA = 7
};

/* Intermediate results of a force at given positions and velocities, while only multipliers change. */
typedef struct mbs_kept {
  bool known;
  double number[3];
} mbs_kept;

typedef enum mbs_point_kind {
  MBS_MOVING,  /* its coordinates are unknowns */
  MBS_GROUND,  /* its coordinates are data */
  MBS_ATTACHED /* a linear combination of other points; the weights may depend on data */
} mbs_point_kind;

/* A term of an attached point: (constant + slope x[datum]) times the carrier, the point with an index. The
 * carrier itself is moving or ground. */
typedef struct mbs_carrier {
  int point;
  double constant, slope;
  int datum;     /* -1: none */
  double weight; /* from the present data */
} mbs_carrier;

typedef struct mbs_point {
  char *name;
  mbs_point_kind kind;
  bool direction; /* a base vector or slope: dimensionless; gravity does not act on it */
  /* has one component only, for example a joint coordinate; see mbs/joints/coordinate.c */
  bool scalar;
  bool angle, idle; /* of scalars: in rad, otherwise in m; of a constraint, see mbs_modes */
  bool state;       /* a scalar with a first-order state as its rate; see mbs_add_state() */
  char *unit[3];    /* units of the state's integral, of the state, of its rate */
  double size;      /* states: typical magnitude in the unit of the state; see mbs_add_state() */
  int offset;       /* offset of x in the full arrays: scalars, moving, ground, attached points */
  int x;            /* index of the datum x, followed by y and z; -1 for attached points */
  int vx;           /* index of the datum vx of a moving point, followed by vy and vz; -1: none */
  int carriers;
  mbs_carrier carrier[MBS_CARRIERS];
} mbs_point;

/* An attached point, X = sum of w_i x_i: its offset, and offsets of its carriers, in the full arrays. */
typedef struct mbs_share {
  int at, carriers, from[MBS_CARRIERS];
  double weight[MBS_CARRIERS]; /* from the present data */
  /* [carriers] terms of the point; `weight` is a contiguous copy */
  const mbs_carrier *carrier;
} mbs_share;

/* State at which elements are evaluated: coordinates of all points, multipliers of all constraints. */
typedef struct mbs_point_state {
  double t;
  const double *pos, *vel, *acc; /* [full]; arrays that are not needed may be out of date */
  const double *lam;             /* [m]; NULL if no force depends on them */
} mbs_point_state;

#endif
